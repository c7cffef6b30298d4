// reusepairs.h - how many accesses of one unit go to lines that another unit accesses too, for all
// pairs of a set of units.
//
// From an inverted index: for each line, the units that access it. Lines that the same units access
// are taken together, which makes regular programs cheap; otherwise a line that d units access
// costs d * d steps.
#ifndef HEDDLE_REUSE_REUSEPAIRS_H
#define HEDDLE_REUSE_REUSEPAIRS_H

#include "reuse/reuseruns.h"

struct hd_reusepairs_unit {
    const struct hd_reuseruns *runs;
    uint64_t size;  // accesses
    uint32_t group; // units of one group are no pair
};

// Calls `found` for every ordered pair of units of different groups with a line in common: `shared`
// of x's accesses are to lines that y accesses too. Pairs of one x follow each other.
void hd_reusepairs_each(const struct hd_reusepairs_unit *units, uint32_t n,
                        void (*found)(void *ctx, uint32_t x, uint32_t y, uint64_t shared),
                        void *ctx);
// Bytes that hd_reusepairs_each needs for units with so many runs together, at most.
uint64_t hd_reusepairs_needs(uint64_t runs);

// The bin of a ratio part / whole: its tenth, the last one includes 1. `whole` is not 0.
static inline unsigned hd_reusepairs_bin(uint64_t part, uint64_t whole)
{
    unsigned bin = 0;

    while (bin < 9 && 10 * part >= (bin + 1) * whole)
        bin++;
    return bin;
}
#define HD_REUSEPAIRS_HIGH 40 // percent: high reuse, after the paper, is a greater ratio
static inline bool hd_reusepairs_above(uint64_t part, uint64_t whole, unsigned percent)
{
    return 100 * part > percent * whole;
}

#endif
