// pool.h - the rows of constants that instructions read like registers.
#ifndef HEDDLE_PTX_POOL_H
#define HEDDLE_PTX_POOL_H

#include "base/arena.h"
#include "heddle/program.h"

struct hd_pool_entry {
    uint64_t value;
    uint32_t symbol; // whose address is added, UINT32_MAX: none
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
    uint32_t n_rows, hole; // hole: a row left free by alignment, UINT32_MAX: none
};

void hd_pool_init(struct hd_pool *p, struct hd_arena *scratch);
// The operand (a negative row number) that reads this value in every lane. Equal ones are shared.
int32_t hd_pool_word(struct hd_pool *p, uint32_t value);
int32_t hd_pool_pair(struct hd_pool *p, uint64_t value);
int32_t hd_pool_address(struct hd_pool *p, uint32_t symbol, uint64_t offset);

// Lay the rows out. relocs has room for one entry per address; *n_relocs counts on.
const uint32_t *hd_pool_rows(const struct hd_pool *p, struct hd_arena *a, struct hd_reloc *relocs,
                             uint32_t *n_relocs);

#endif
