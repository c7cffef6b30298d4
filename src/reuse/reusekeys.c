// reusekeys.c - see reusekeys.h.
#include "reuse/reusekeys.h"

#include <string.h>

#define FIRST_TABLE 64

static uint64_t add(uint64_t hash, uint64_t value)
{
    return hd_reusekeys_mix(hash ^ hd_reusekeys_mix(value));
}

static uint64_t add_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;

    hash = add(hash, n);
    for (size_t i = 0; i < n; i += 8) {
        uint64_t word = 0;
        for (size_t k = 0; k < 8 && i + k < n; k++)
            word |= (uint64_t)p[i + k] << 8 * k;
        hash = add(hash, word);
    }
    return hash;
}

static struct hd_reusekeys_entry *find(const struct hd_reusekeys *k, uint64_t hash)
{
    uint64_t at = hash & k->mask;

    while (k->table[at].n && k->table[at].hash != hash)
        at = (at + 1) & k->mask;
    return &k->table[at];
}

static void enlarge(struct hd_reusekeys *k)
{
    struct hd_reusekeys old = *k;
    uint64_t size = k->mask ? 2 * (k->mask + 1) : FIRST_TABLE;

    k->table = HD_ARRAY(k->arena, struct hd_reusekeys_entry, size);
    k->mask = size - 1;
    for (uint64_t i = 0; old.mask && i <= old.mask; i++)
        if (old.table[i].n)
            *find(k, old.table[i].hash) = old.table[i];
}

uint64_t hd_reusekeys_next(struct hd_reusekeys *k, const struct hd_reusekeys_launch *l)
{
    uint64_t hash = add(l->parent, l->parent ? l->parent_block : 0);

    hash = add_bytes(hash, l->function, strlen(l->function));
    for (int i = 0; i < 3; i++)
        hash = add(hash, (uint64_t)l->grid[i] << 32 | l->block[i]);
    hash = add_bytes(hash, l->params, l->param_bytes);
    if (!k->mask || 2 * k->n >= k->mask)
        enlarge(k);
    struct hd_reusekeys_entry *e = find(k, hash);
    k->n += !e->n;
    e->hash = hash;
    hash = add(hash, e->n++);
    return hash ? hash : 1;
}
