// reusekeys.h - a name for a kernel that is the same in every run of a program, whatever policy or
// machine it runs under. Launch numbers are not: they depend on which parent comes first.
//
// A key is a hash of the parent's key, the launching block, the function, grid, block and the bytes
// of the parameters, and of the kernel's number among launches that agree in all of these. A block
// is named by its kernel's key and its index.
#ifndef HEDDLE_REUSE_REUSEKEYS_H
#define HEDDLE_REUSE_REUSEKEYS_H

#include "base/arena.h"

#include <stdint.h>

struct hd_reusekeys_launch {
    uint64_t parent; // its key; 0: the host
    uint32_t parent_block;
    const char *function;
    uint32_t grid[3], block[3];
    const uint8_t *params;
    uint32_t param_bytes;
};

struct hd_reusekeys_entry {
    uint64_t hash;
    uint32_t n; // launches with it; 0: the entry is free
};

struct hd_reusekeys { // how many launches there were of each hash
    struct hd_arena *arena;
    struct hd_reusekeys_entry *table;
    uint64_t mask, n;
};

// The key of the next launch, which is never 0.
uint64_t hd_reusekeys_next(struct hd_reusekeys *k, const struct hd_reusekeys_launch *l);
// A number that looks random and depends on nothing else: for choosing units by their keys.
static inline uint64_t hd_reusekeys_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

#endif
