// pool.h - rows with constants, which instructions read like registers.
#ifndef HEDDLE_PTX_POOL_H
#define HEDDLE_PTX_POOL_H

#include "base/arena.h"
#include "heddle/program.h"

struct hd_pool_entry {
    uint64_t value;
    uint32_t symbol; // whose address is added, or UINT32_MAX
    uint32_t row;
    bool wide; // 64 bits: two rows, the first even
};

struct hd_pool {
    struct hd_arena *arena; // scratch
    struct hd_pool_entry *entries;
    uint32_t n;
    size_t cap;
    uint32_t *slots; // hash table: index into entries, plus 1
    uint32_t n_slots;
    uint32_t n_rows, hole; // hole: a row left free by alignment, or UINT32_MAX
};

void hd_pool_init(struct hd_pool *p, struct hd_arena *scratch);
// The operand (a negative row number) that reads this value in every lane. Equal values share one.
int32_t hd_pool_word(struct hd_pool *p, uint32_t value);
int32_t hd_pool_pair(struct hd_pool *p, uint64_t value);
int32_t hd_pool_address(struct hd_pool *p, uint32_t symbol, uint64_t offset);

// Write the rows. relocs has room for one more entry per address, and *n_relocs grows.
const uint32_t *hd_pool_rows(const struct hd_pool *p, struct hd_arena *a, struct hd_reloc *relocs,
                             uint32_t *n_relocs);

#endif
