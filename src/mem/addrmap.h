// addrmap.h - which memory partition, DRAM bank and row, and L2 set an address belongs to.
//
// Channels take turns every `interleave` bytes; a channel need not be a power of two of them. What
// is left of the address inside a channel is split by bit masks; the lowest bank bits name the
// sub-partition (an L2 slice with its own network port).
//
// With dram.indexing = polynomial, the number of that sub-partition, counted over all channels, is
// hashed (polyhash.h) with the upper bits of the address: the address divided by the bytes that all
// sub-partitions together take in one turn. The bank, the row and the address inside are not
// affected.
#ifndef HEDDLE_MEM_ADDRMAP_H
#define HEDDLE_MEM_ADDRMAP_H

#include "heddle/config.h"

#include <stdint.h>

#define HD_ADDRMAP_RUNS 16 // a 32-bit mask has at most 16 runs

// The bits of a mask, moved together: one shift for each run of adjacent bits.
struct hd_squeeze {
    uint64_t mask[HD_ADDRMAP_RUNS];
    uint8_t shift[HD_ADDRMAP_RUNS];
    uint32_t runs;
};

struct hd_addrmap {
    struct hd_squeeze bank, row, slice; // slice: the address without its sub-partition's bits
    struct hd_squeeze sub;              // these bits: the lowest of the bank's
    uint32_t channels, subs, interleave_shift;
    uint32_t hashed, turn_shift; // sub-partitions of a hashed machine, else 0; bits of a turn
    uint64_t reciprocal;         // of the number of channels, in 1 / 2^32
};

struct hd_dram_place {
    uint64_t inside; // address inside the sub-partition
    uint32_t partition, bank, row;
};

void hd_addrmap_init(struct hd_addrmap *m, const struct hd_config_dram *c);
struct hd_dram_place hd_addrmap_find(const struct hd_addrmap *m, uint64_t addr);
// Only that member of it.
uint32_t hd_addrmap_partition(const struct hd_addrmap *m, uint64_t addr);
uint64_t hd_addrmap_inside(const struct hd_addrmap *m, uint64_t addr);

#endif
