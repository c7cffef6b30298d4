// host.c (aes) - AES encryption with a key of 128 bits (FIPS 197), every block by itself.
#include "workload/work.h"

#include <string.h>

#define THREADS 256 // and words of a block of threads
#define ROUNDS 10
#define KEYS (4 * (ROUNDS + 1)) // words of the expanded key

static unsigned char twice(unsigned char x) // in the field of 256 elements
{
    return (unsigned char)(x << 1 ^ (x & 0x80 ? 0x1b : 0));
}

static unsigned rotate_byte(unsigned x, unsigned n)
{
    return (x << n | x >> (8 - n)) & 0xff;
}

// Powers of 3 go through all elements but zero, those of its inverse 0xf6 the other way round.
static void make_substitutes(unsigned char *s)
{
    unsigned char x = 1, inverse = 1;

    s[0] = 0x63;
    for (unsigned i = 0; i < 255; i++) {
        unsigned n = inverse;
        s[x] = (unsigned char)(n ^ rotate_byte(n, 1) ^ rotate_byte(n, 2) ^ rotate_byte(n, 3) ^
                               rotate_byte(n, 4) ^ 0x63);
        x = (unsigned char)(x ^ twice(x));
        // times 0xf6 = 0x80 + 0x40 + 0x20 + 0x10 + 0x04 + 0x02
        unsigned char p = inverse, sum = 0;
        for (unsigned bit = 1; bit < 0x100; bit <<= 1, p = twice(p))
            if (0xf6 & bit)
                sum ^= p;
        inverse = sum;
    }
}

// Bytes of a word count from its low end.
static uint32_t word_of(const unsigned char *b)
{
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void expand_key(const unsigned char *s, const unsigned char key[16], unsigned char *all)
{
    unsigned char round = 1;

    memcpy(all, key, 16);
    for (unsigned i = 16; i < 4 * KEYS; i += 4) {
        unsigned char t[4];
        memcpy(t, all + i - 4, 4);
        if (i % 16 == 0) {
            unsigned char first = t[0];
            t[0] = s[t[1]] ^ round;
            t[1] = s[t[2]];
            t[2] = s[t[3]];
            t[3] = s[first];
            round = twice(round);
        }
        for (unsigned k = 0; k < 4; k++)
            all[i + k] = all[i + k - 16] ^ t[k];
    }
}

// The columns (2 1 1 3), (3 2 1 1), ... of the mixing matrix times each byte's substitute.
static void make_tables(const unsigned char *s, uint32_t tables[4][256])
{
    for (unsigned x = 0; x < 256; x++) {
        unsigned char one = s[x], two = twice(one), three = two ^ one;
        unsigned char b[7] = {one, one, three, two, one, one, three};
        for (unsigned k = 0; k < 4; k++)
            tables[k][x] = word_of(b + 3 - k);
    }
}

static void mix(unsigned char *c)
{
    unsigned char all = c[0] ^ c[1] ^ c[2] ^ c[3], first = c[0];

    for (unsigned i = 0; i < 4; i++)
        c[i] ^= all ^ twice(c[i] ^ (i < 3 ? c[i + 1] : first));
}

// One block of 16 bytes, step by step as the standard has it.
static void encrypt(const unsigned char *s, const unsigned char *keys, unsigned char *b)
{
    for (unsigned i = 0; i < 16; i++)
        b[i] ^= keys[i];
    for (unsigned round = 1; round <= ROUNDS; round++) {
        unsigned char t[16];
        for (unsigned i = 0; i < 16; i++)
            t[i] = s[b[(i + 4 * (i % 4)) % 16]];
        for (unsigned c = 0; c < 16 && round < ROUNDS; c += 4)
            mix(t + c);
        for (unsigned i = 0; i < 16; i++)
            b[i] = t[i] ^ keys[16 * round + i];
    }
}

static void run(struct hd_work *w)
{
    static const unsigned grids[HD_WORK_SIZES] = {16, 129, 257};
    unsigned blocks = grids[w->size], words = blocks * THREADS;
    unsigned char s[256], key[16], keys[4 * KEYS];
    uint32_t tables[4][256];
    uint32_t *text = hd_work_array(w, words, 4), *got = hd_work_array(w, words, 4);

    make_substitutes(s);
    make_tables(s, tables);
    for (unsigned i = 0; i < 16; i++)
        key[i] = (unsigned char)hd_work_random(w);
    expand_key(s, key, keys);
    for (unsigned i = 0; i < words; i++)
        text[i] = hd_work_random(w);

    CUdeviceptr plain = hd_work_upload(w, text, words * 4), cipher = hd_work_buffer(w, words * 4);
    CUdeviceptr d_keys = hd_work_upload(w, keys, sizeof keys);
    CUtexObject texture =
        hd_work_texture_row(w, d_keys, CU_AD_FORMAT_UNSIGNED_INT32, 1, sizeof keys);
    struct hd_work_grid grid = {blocks, 1, THREADS, 1};
    hd_work_symbol(w, "aes_tables", tables, sizeof tables);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "aes_encrypt"), grid, &plain, &cipher, &texture);
    hd_work_read(w, got, cipher, words * 4);

    for (unsigned i = 0; i < words; i += 4)
        encrypt(s, keys, (unsigned char *)(text + i));
    hd_work_same(w, "cipher", got, text, words);
}

const struct hd_workload hd_workload_aes = {
    .name = "aes",
    .brief =
        "AES-128, tables in shared memory, the key in a texture: a barrier every 30 instructions",
    .groups = "lfws:AES pro:AES",
    .sizes = {"16 KB", "129 KB", "257 KB"},
    .run = run,
};
