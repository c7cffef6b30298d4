// reuselines.c - see reuselines.h.
#include "reuse/reuselines.h"

#include "base/bug.h"

#define FIRST_TABLE 1024

static uint64_t place_of(const struct hd_reuselines *l, uint64_t name)
{
    return (name * UINT64_C(0x9e3779b97f4a7c15) >> 20) & l->mask;
}

static void enlarge(struct hd_reuselines *l, struct hd_reusestore *s)
{
    uint64_t size = l->mask ? 2 * (l->mask + 1) : FIRST_TABLE;

    HD_BUG_IF(l->n == UINT32_MAX - 1, "more lines than numbers");
    hd_reusestore_put(s, l->table, l->mask ? l->mask + 1 : 0, sizeof *l->table);
    l->table = hd_reusestore_get(s, size, sizeof *l->table);
    l->mask = size - 1;
    l->names = hd_reusestore_grow(s, l->names, &l->cap, size / 2, sizeof *l->names);
    for (uint32_t i = 0; i < l->n; i++) {
        uint64_t at = place_of(l, l->names[i]);
        while (l->table[at])
            at = (at + 1) & l->mask;
        l->table[at] = i + 1;
    }
}

uint32_t hd_reuselines_number(struct hd_reuselines *l, struct hd_reusestore *s, uint64_t name)
{
    uint64_t at;

    if (!l->mask || l->n == (l->mask + 1) / 2)
        enlarge(l, s);
    for (at = place_of(l, name); l->table[at]; at = (at + 1) & l->mask)
        if (l->names[l->table[at] - 1] == name)
            return l->table[at] - 1;
    l->names[l->n] = name;
    l->table[at] = l->n + 1;
    return l->n++;
}

void hd_reuselines_drop(struct hd_reuselines *l, struct hd_reusestore *s)
{
    hd_reusestore_put(s, l->table, l->mask ? l->mask + 1 : 0, sizeof *l->table);
    hd_reusestore_put(s, l->names, l->cap, sizeof *l->names);
    *l = (struct hd_reuselines){0};
}
