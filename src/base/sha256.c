// sha256.c - the message schedule and the 64 rounds of FIPS 180-4, section 6.2. See sha256.h.
#include "base/sha256.h"

#include <string.h>

// Section 4.2.2: fractional parts of the cube roots of the first 64 primes.
static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static void digest(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64], v[8];

    for (unsigned i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (unsigned i = 16; i < 64; i++) {
        uint32_t a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    memcpy(v, state, sizeof v);
    for (unsigned i = 0; i < 64; i++) {
        uint32_t e = turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t one = v[7] + e + choice + rounds[i] + w[i];
        uint32_t a = turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22);
        uint32_t most = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + a + most;
    }
    for (unsigned i = 0; i < 8; i++)
        state[i] += v[i];
}

void hd_sha256_start(struct hd_sha256 *s)
{
    // Section 5.3.3: fractional parts of the square roots of the first 8 primes.
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

    memset(s, 0, sizeof *s);
    memcpy(s->state, first, sizeof first);
}

void hd_sha256_add(struct hd_sha256 *s, const void *data, size_t bytes)
{
    const uint8_t *from = data;

    while (bytes) {
        size_t at = s->bytes % 64, n = 64 - at < bytes ? 64 - at : bytes;
        memcpy(s->block + at, from, n);
        s->bytes += n;
        from += n;
        bytes -= n;
        if (at + n == 64)
            digest(s->state, s->block);
    }
}

void hd_sha256_end(struct hd_sha256 *s, char hex[HD_SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";
    uint64_t bits = s->bytes * 8;
    uint8_t end[72] = {0x80};
    size_t pad = 64 - (s->bytes + 8) % 64; // 1 to 64: the bit, zeros, and the length behind them

    for (unsigned i = 0; i < 8; i++)
        end[pad + i] = (uint8_t)(bits >> (56 - 8 * i));
    hd_sha256_add(s, end, pad + 8);
    for (unsigned i = 0; i < 32; i++) {
        uint8_t byte = (uint8_t)(s->state[i / 4] >> (24 - 8 * (i % 4)));
        hex[2 * i] = digits[byte >> 4];
        hex[2 * i + 1] = digits[byte & 15];
    }
    hex[64] = '\0';
}

void hd_sha256_of(const void *data, size_t bytes, char hex[HD_SHA256_HEX])
{
    struct hd_sha256 s;

    hd_sha256_start(&s);
    hd_sha256_add(&s, data, bytes);
    hd_sha256_end(&s, hex);
}
