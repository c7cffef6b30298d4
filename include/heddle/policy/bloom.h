// bloom.h - Bloom filters over the addresses of cache lines, for policies that ask "was this line
// read before?".
//
// A filter has `bits` bits, of which each line sets BLOOM_HASHES; a line is reported as present if
// all of its bits are set, so a filter may say yes by mistake and never says no by mistake. Both
// hashes are MurmurHash2 (Austin Appleby, 32 bits) of the address as eight bytes, least significant
// first; bit i of a line is (H1 + i H2) mod bits.
#ifndef HEDDLE_POLICY_BLOOM_H
#define HEDDLE_POLICY_BLOOM_H

#include "heddle/policy.h"

#define BLOOM_HASHES 4
// Bits for so many lines with a tenth of false positives: 605 bytes for 1000 lines.
#define BLOOM_BITS(lines) ((lines)*484 / 100)
#define BLOOM_WORDS(lines) ((BLOOM_BITS(lines) + 63) / 64)

static inline uint32_t bloom_murmur2(const uint8_t *bytes, size_t n, uint32_t seed)
{
    const uint32_t m = 0x5bd1e995;
    uint32_t h = seed ^ (uint32_t)n;

    for (; n >= 4; n -= 4, bytes += 4) {
        uint32_t k = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                     (uint32_t)bytes[3] << 24;
        k *= m;
        k ^= k >> 24;
        k *= m;
        h = h * m ^ k;
    }
    if (n) {
        for (size_t i = 0; i < n; i++)
            h ^= (uint32_t)bytes[i] << 8 * i;
        h *= m;
    }
    h ^= h >> 13;
    h *= m;
    return h ^ h >> 15;
}

struct bloom_line { // where a line's bits are
    uint32_t at[BLOOM_HASHES];
};

static inline struct bloom_line bloom_line(uint64_t address, uint32_t bits)
{
    struct bloom_line line;
    uint8_t bytes[8];
    uint64_t h1, h2;

    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(address >> 8 * i);
    h1 = bloom_murmur2(bytes, 8, 0x9747b28c);
    h2 = bloom_murmur2(bytes, 8, 0x1b873593);
    for (unsigned i = 0; i < BLOOM_HASHES; i++)
        line.at[i] = (uint32_t)((h1 + i * h2) % bits);
    return line;
}

static inline bool bloom_has(const uint64_t *filter, const struct bloom_line *line)
{
    bool all = true;

    for (unsigned i = 0; i < BLOOM_HASHES; i++)
        all &= hd_has(filter[line->at[i] / 64], (int)(line->at[i] % 64));
    return all;
}

static inline void bloom_add(uint64_t *filter, const struct bloom_line *line)
{
    for (unsigned i = 0; i < BLOOM_HASHES; i++)
        filter[line->at[i] / 64] |= hd_bit((int)(line->at[i] % 64));
}

#endif
