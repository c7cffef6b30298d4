// reusepairs.c - the inverted index. See reusepairs.h.
#include "reuse/reusepairs.h"

#include "base/bug.h"

#include <string.h>

struct entry { // a unit that accesses a line
    uint32_t line, unit, count;
};

struct set { // of units that access the same lines
    uint64_t first;
    uint32_t n;
    uint32_t hash;
};

struct member { // a unit of a set
    uint32_t unit;
    uint64_t count; // its accesses to all lines of the set
};

struct index {
    struct hd_arena *arena;
    const struct hd_reusepairs_unit *units;
    uint32_t n_units;
    struct entry *entries;
    uint64_t n;
    struct set *sets;
    struct member *members;
    uint64_t n_sets, n_members;
    uint32_t *table; // open addressing: set plus one
    uint64_t mask;
};

uint64_t hd_reusepairs_needs(uint64_t runs)
{
    return runs * (2 * sizeof(struct entry) + sizeof(struct set) / 2 + sizeof(struct member) + 16);
}

// Sorted by line and, because the units' runs follow each other, by unit.
static void sort_entries(struct index *x)
{
    struct entry *from = x->entries, *to = HD_ARRAY(x->arena, struct entry, x->n);
    uint32_t any = 0;

    for (uint64_t i = 0; i < x->n; i++)
        any |= from[i].line;
    for (unsigned shift = 0; shift < 32 && any >> shift; shift += 8) {
        uint64_t first[257] = {0};
        for (uint64_t i = 0; i < x->n; i++)
            first[(from[i].line >> shift & 255) + 1]++;
        for (unsigned i = 1; i < 256; i++)
            first[i] += first[i - 1];
        for (uint64_t i = 0; i < x->n; i++)
            to[first[from[i].line >> shift & 255]++] = from[i];
        struct entry *sorted = to;
        to = from;
        from = sorted;
    }
    x->entries = from;
}

static void list_entries(struct index *x)
{
    struct entry *to;

    for (uint32_t u = 0; u < x->n_units; u++)
        x->n += x->units[u].runs->n;
    to = x->entries = HD_ARRAY(x->arena, struct entry, x->n);
    for (uint32_t u = 0; u < x->n_units; u++)
        for (uint64_t i = 0; i < x->units[u].runs->n; i++) {
            const struct hd_reuserun *r = &x->units[u].runs->runs[i];
            *to++ = (struct entry){r->line, u, r->count};
        }
    sort_entries(x);
}

static bool same_units(const struct index *x, const struct set *s, const struct entry *e,
                       uint32_t n)
{
    if (s->n != n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (x->members[s->first + i].unit != e[i].unit)
            return false;
    return true;
}

// The set of the units that access a line.
static struct set *set_of(struct index *x, const struct entry *e, uint32_t n)
{
    uint32_t hash = n;
    uint64_t at;

    for (uint32_t i = 0; i < n; i++)
        hash = (hash ^ e[i].unit) * 0x01000193u ^ hash >> 15;
    for (at = hash & x->mask; x->table[at]; at = (at + 1) & x->mask) {
        struct set *s = &x->sets[x->table[at] - 1];
        if (s->hash == hash && same_units(x, s, e, n))
            return s;
    }
    struct set *s = &x->sets[x->n_sets++];
    *s = (struct set){.first = x->n_members, .n = n, .hash = hash};
    for (uint32_t i = 0; i < n; i++)
        x->members[x->n_members++] = (struct member){.unit = e[i].unit};
    x->table[at] = (uint32_t)x->n_sets;
    return s;
}

static bool of_one_group(const struct index *x, const struct entry *e, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        if (x->units[e[i].unit].group != x->units[e[0].unit].group)
            return false;
    return true;
}

static uint32_t users_of(const struct index *x, uint64_t first)
{
    uint64_t end = first + 1;

    while (end < x->n && x->entries[end].line == x->entries[first].line)
        end++;
    return (uint32_t)(end - first);
}

static void make_sets(struct index *x)
{
    uint64_t lines = 0, members = 0, size = 16;
    uint32_t n;

    for (uint64_t i = 0; i < x->n; i += n) {
        n = users_of(x, i);
        lines += n > 1;
        members += n > 1 ? n : 0;
    }
    while (size < 2 * lines)
        size *= 2;
    HD_BUG_IF(lines >= UINT32_MAX, "more sets than numbers");
    x->mask = size - 1;
    x->table = HD_ARRAY(x->arena, uint32_t, size);
    x->sets = HD_ARRAY(x->arena, struct set, lines);
    x->members = HD_ARRAY(x->arena, struct member, members);
    for (uint64_t i = 0; i < x->n; i += n) {
        const struct entry *e = &x->entries[i];
        n = users_of(x, i);
        if (of_one_group(x, e, n))
            continue;
        const struct set *s = set_of(x, e, n);
        for (uint32_t k = 0; k < n; k++)
            x->members[s->first + k].count += e[k].count;
    }
}

// By unit: the sets that it is in, with its place there.
struct part {
    uint32_t set, place;
};

static struct part *list_parts(const struct index *x, uint64_t *first)
{
    struct part *parts = HD_ARRAY(x->arena, struct part, x->n_members);

    for (uint64_t i = 0; i < x->n_members; i++)
        first[x->members[i].unit + 1]++;
    for (uint32_t u = 1; u <= x->n_units; u++)
        first[u] += first[u - 1];
    for (uint64_t s = 0; s < x->n_sets; s++)
        for (uint32_t k = 0; k < x->sets[s].n; k++)
            parts[first[x->members[x->sets[s].first + k].unit]++] = (struct part){(uint32_t)s, k};
    for (uint32_t u = x->n_units; u; u--) // each now says where the next unit begins
        first[u] = first[u - 1];
    first[0] = 0;
    return parts;
}

void hd_reusepairs_each(const struct hd_reusepairs_unit *units, uint32_t n,
                        void (*found)(void *ctx, uint32_t x, uint32_t y, uint64_t shared),
                        void *ctx)
{
    struct index x = {.arena = hd_arena_new(), .units = units, .n_units = n};

    list_entries(&x);
    make_sets(&x);
    uint64_t *first = HD_ARRAY(x.arena, uint64_t, (size_t)n + 2);
    uint64_t *shared = HD_ARRAY(x.arena, uint64_t, n);
    uint32_t *touched = HD_ARRAY(x.arena, uint32_t, (size_t)n + 1); // one is written in vain
    const struct part *parts = list_parts(&x, first);
    for (uint32_t u = 0; u < n; u++) {
        uint32_t n_touched = 0;
        for (uint64_t i = first[u]; i < first[u + 1]; i++) {
            const struct set *s = &x.sets[parts[i].set];
            const struct member *m = &x.members[s->first];
            uint64_t count = m[parts[i].place].count;
            for (uint32_t k = 0; k < s->n; k++) {
                touched[n_touched] = m[k].unit;
                n_touched += !shared[m[k].unit];
                shared[m[k].unit] += count;
            }
        }
        for (uint32_t i = 0; i < n_touched; i++) {
            uint32_t y = touched[i];
            if (units[y].group != units[u].group)
                found(ctx, u, y, shared[y]);
            shared[y] = 0;
        }
    }
    hd_arena_free(x.arena);
}
