// bits.h - sets of warps (or SMs, lanes, thread blocks) as 64-bit masks, and how to walk them.
//
// The cycle loop represents every set by such a mask: bit w stands for slot w. All functions here
// are without state; policies include them through heddle/policy.h.
#ifndef HEDDLE_BITS_H
#define HEDDLE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_NONE (-1)    // "no slot", for functions that answer with a slot number
#define HD_MAX_WARPS 64 // slots of one SM; masks are 64 bits wide
#define HD_MAX_TBS 32   // resident thread blocks of one SM

static inline uint64_t hd_bit(int w)
{
    return UINT64_C(1) << (unsigned)w;
}

static inline bool hd_has(uint64_t mask, int w)
{
    return w >= 0 && (mask >> (unsigned)w & 1) != 0;
}

static inline int hd_count(uint64_t mask)
{
    return __builtin_popcountll(mask);
}

// Lowest slot of the mask, HD_NONE when it is empty.
static inline int hd_first(uint64_t mask)
{
    return mask ? __builtin_ctzll(mask) : HD_NONE;
}

// The n lowest slots; n may be 64.
static inline uint64_t hd_low(unsigned n)
{
    return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1;
}

// First slot of the mask at or after `from`, wrapping to the lowest one; HD_NONE when empty.
static inline int hd_rotate_from(uint64_t mask, int from)
{
    uint64_t high = from < 64 ? mask & ~hd_low((unsigned)from) : 0;
    return hd_first(high ? high : mask);
}

// The slot of the mask with the smallest key (age, score, progress); ties go to the lowest slot.
static inline int hd_oldest(uint64_t mask, const uint32_t *age)
{
    int best = HD_NONE;
    for (; mask; mask &= mask - 1) {
        int w = __builtin_ctzll(mask);
        if (best == HD_NONE || age[w] < age[best])
            best = w;
    }
    return best;
}

// Sets that do not fit into a mask are arrays of them: number i is bit i % 64 of word i / 64.
static inline void hd_bits_add(uint64_t *words, unsigned i)
{
    words[i / 64] |= hd_bit((int)(i % 64));
}

static inline void hd_bits_drop(uint64_t *words, unsigned i)
{
    words[i / 64] &= ~hd_bit((int)(i % 64));
}

static inline bool hd_bits_has(const uint64_t *words, unsigned i)
{
    return (words[i / 64] >> (i % 64) & 1) != 0;
}

// Walk the set bits of `mask` (evaluated once) from low to high; `w` is an int declared outside.
#define HD_EACH(w, mask)                                                                           \
    for (uint64_t hd_left_##w = (mask); ((w) = hd_first(hd_left_##w)) != HD_NONE;                  \
         hd_left_##w &= hd_left_##w - 1)

#endif
