// tally.h - a small counter for each member of a set of 64, counted for many members at once.
//
// Bit i of `planes[k]` is bit k of the counter of member i. So one pass over the planes adds 1 to,
// or takes 1 from, any subset of the counters: a carry of each member goes from plane to plane
// until none is left. The owner keeps every counter between 0 and the limit given at the start.
#ifndef HEDDLE_MEM_TALLY_H
#define HEDDLE_MEM_TALLY_H

#include "base/bug.h"

#include <stdint.h>

#define HD_TALLY_PLANES 13 // counters up to 8191

struct hd_tally {
    uint64_t planes[HD_TALLY_PLANES];
    unsigned used; // planes
};

// Every counter of `members` starts at `value`.
static inline void hd_tally_init(struct hd_tally *t, uint32_t limit, uint64_t members,
                                 uint32_t value)
{
    HD_BUG_IF(limit >> HD_TALLY_PLANES || value > limit, "tally of %u up to %u", value, limit);
    *t = (struct hd_tally){.used = 32 - (unsigned)__builtin_clz(limit | 1)};
    for (unsigned k = 0; k < t->used; k++)
        t->planes[k] = value >> k & 1 ? members : 0;
}
static inline void hd_tally_add(struct hd_tally *t, uint64_t members)
{
    for (unsigned k = 0; members; k++) {
        uint64_t carry = t->planes[k] & members;
        t->planes[k] ^= members;
        members = carry;
    }
}
// Takes 1 from counters that are not zero.
static inline void hd_tally_take(struct hd_tally *t, uint64_t members)
{
    for (unsigned k = 0; members; k++) {
        uint64_t borrow = members & ~t->planes[k];
        t->planes[k] ^= members;
        members = borrow;
    }
}
// The members whose counter is not zero.
static inline uint64_t hd_tally_some(const struct hd_tally *t)
{
    const uint64_t *p = t->planes;
    uint64_t some = p[0] | p[1] | p[2] | p[3] | p[4]; // counters up to 31, without a loop

    if (__builtin_expect(t->used > 5, 0))
        for (unsigned k = 5; k < HD_TALLY_PLANES; k++)
            some |= p[k];
    return some;
}

#endif
