// pool.c - the constants of a program, each stored once. See pool.h.
#include "ptx/pool.h"

#include <string.h>

void hd_pool_init(struct hd_pool *p, struct hd_arena *scratch)
{
    memset(p, 0, sizeof *p);
    p->arena = scratch;
    p->hole = UINT32_MAX;
    p->n_slots = 64;
    p->slots = HD_ARRAY(scratch, uint32_t, p->n_slots);
}

static uint32_t *slot_of(const struct hd_pool *p, uint64_t value, uint32_t symbol, bool wide)
{
    uint64_t h = (value ^ (uint64_t)symbol << 1 ^ wide) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t i = (uint32_t)(h >> 32) & (p->n_slots - 1);

    for (; p->slots[i]; i = (i + 1) & (p->n_slots - 1)) {
        const struct hd_pool_entry *e = &p->entries[p->slots[i] - 1];
        if (e->value == value && e->symbol == symbol && e->wide == wide)
            break;
    }
    return &p->slots[i];
}

static void grow(struct hd_pool *p)
{
    p->n_slots *= 2;
    p->slots = HD_ARRAY(p->arena, uint32_t, p->n_slots);
    for (uint32_t i = 0; i < p->n; i++)
        *slot_of(p, p->entries[i].value, p->entries[i].symbol, p->entries[i].wide) = i + 1;
}

static uint32_t new_rows(struct hd_pool *p, bool wide)
{
    uint32_t row = p->n_rows;

    if (!wide && p->hole != UINT32_MAX) {
        row = p->hole;
        p->hole = UINT32_MAX;
        return row;
    }
    if (wide && row % 2)
        p->hole = row++;
    p->n_rows = row + 1 + wide;
    return row;
}

static int32_t find_or_add(struct hd_pool *p, uint64_t value, uint32_t symbol, bool wide)
{
    uint32_t *slot = slot_of(p, value, symbol, wide);

    if (!*slot) {
        struct hd_pool_entry e = {value, symbol, new_rows(p, wide), wide};
        *HD_PUSH(p->arena, p->entries, p->n, p->cap) = e;
        *slot = p->n;
        if (p->n * 2 > p->n_slots)
            grow(p);
        return -1 - (int32_t)e.row;
    }
    return -1 - (int32_t)p->entries[*slot - 1].row;
}

int32_t hd_pool_word(struct hd_pool *p, uint32_t value)
{
    return find_or_add(p, value, UINT32_MAX, false);
}

int32_t hd_pool_pair(struct hd_pool *p, uint64_t value)
{
    return find_or_add(p, value, UINT32_MAX, true);
}

int32_t hd_pool_address(struct hd_pool *p, uint32_t symbol, uint64_t offset)
{
    return find_or_add(p, offset, symbol, true);
}

const uint32_t *hd_pool_rows(const struct hd_pool *p, struct hd_arena *a, struct hd_reloc *relocs,
                             uint32_t *n_relocs)
{
    uint8_t *rows = hd_arena_get(a, (size_t)p->n_rows + 1, HD_LANES * sizeof(uint32_t));

    for (uint32_t i = 0; i < p->n; i++) {
        const struct hd_pool_entry *e = &p->entries[i];
        void *at = rows + (size_t)e->row * HD_LANES * sizeof(uint32_t);
        if (!e->wide) {
            uint32_t *words = at;
            for (unsigned lane = 0; lane < HD_LANES; lane++)
                words[lane] = (uint32_t)e->value;
            continue;
        }
        uint64_t *pairs = at;
        for (unsigned lane = 0; lane < HD_LANES; lane++)
            pairs[lane] = e->value;
        if (e->symbol != UINT32_MAX)
            relocs[(*n_relocs)++] = (struct hd_reloc){
                .symbol = e->symbol, .words = HD_LANES, .addend = e->value, .at = pairs};
    }
    return (const uint32_t *)(const void *)rows;
}
