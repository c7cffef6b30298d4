// jobnames.c - a hash table with linear probing. See jobnames.h.
#include "job/jobnames.h"

#include <string.h>

// FNV-1a.
static size_t hash(const char *name)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);

    for (; *name; name++)
        h = (h ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
    return (size_t)(h ^ h >> 32);
}

// Where the name is, or the free slot where it belongs.
static struct hd_jobnames_entry *slot_of(const struct hd_jobnames *t, const char *name)
{
    size_t i = hash(name) & (t->n_slots - 1);

    while (t->slots[i].name && strcmp(t->slots[i].name, name))
        i = (i + 1) & (t->n_slots - 1);
    return &t->slots[i];
}

static void grow(struct hd_jobnames *t, struct hd_arena *a)
{
    struct hd_jobnames old = *t;

    t->n_slots = old.n_slots ? old.n_slots * 2 : 64;
    t->slots = HD_ARRAY(a, struct hd_jobnames_entry, t->n_slots);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slots[i].name)
            *slot_of(t, old.slots[i].name) = old.slots[i];
}

size_t hd_jobnames_find(const struct hd_jobnames *t, const char *name)
{
    const struct hd_jobnames_entry *e = t->n ? slot_of(t, name) : NULL;

    return e && e->name ? e->index : HD_JOBNAMES_NONE;
}

void hd_jobnames_add(struct hd_jobnames *t, struct hd_arena *a, const char *name, size_t index)
{
    struct hd_jobnames_entry *e;

    if (2 * (t->n + 1) > t->n_slots)
        grow(t, a);
    e = slot_of(t, name);
    if (e->name)
        return;
    *e = (struct hd_jobnames_entry){name, index};
    t->n++;
}
