// reusechains.c - see reusechains.h.
#include "reuse/reusechains.h"

struct hd_reusechains_unit {
    uint64_t root; // of its component: towards it, plus one; it is 0 at the end of the way
    uint64_t next; // of its path, plus one; it is 0 at the last one
    double ratio;  // of that unit
};

static uint64_t root_of(struct hd_reusechains_unit *units, uint64_t x)
{
    while (units[x].root) {
        uint64_t up = units[x].root - 1;
        if (units[up].root)
            units[x].root = units[up].root; // halves the way of the next search
        x = up;
    }
    return x;
}

uint64_t hd_reusechains_needs(const struct hd_reusechains *c, uint64_t unit)
{
    return unit < c->cap ? 0 : 2 * (unit + 64) * sizeof *c->units;
}

void hd_reusechains_link(struct hd_reusechains *c, struct hd_reusestore *s, uint64_t x, uint64_t y,
                         uint64_t part, uint64_t whole)
{
    uint64_t last = x > y ? x : y;
    double ratio = (double)part / (double)whole;

    c->units = hd_reusestore_grow(s, c->units, &c->cap, last + 1, sizeof *c->units);
    c->n = last + 1 > c->n ? last + 1 : c->n;
    uint64_t a = root_of(c->units, x), b = root_of(c->units, y);
    if (a != b)
        c->units[a > b ? a : b].root = (a > b ? b : a) + 1;
    struct hd_reusechains_unit *u = &c->units[y];
    if (x > y && (!u->next || ratio > u->ratio || (ratio == u->ratio && x + 1 < u->next))) {
        u->next = x + 1;
        u->ratio = ratio;
    }
}

static void count(struct hd_reusechains_result *r, uint64_t length)
{
    if (length < 2)
        return;
    r->chains++;
    r->units += length;
    r->longest = length > r->longest ? length : r->longest;
}

void hd_reusechains_result(const struct hd_reusechains *c, struct hd_reusechains_result *component,
                           struct hd_reusechains_result *path)
{
    struct hd_arena *a = hd_arena_new();
    uint64_t *members = HD_ARRAY(a, uint64_t, c->n), *length = HD_ARRAY(a, uint64_t, c->n);

    *component = *path = (struct hd_reusechains_result){0};
    for (uint64_t i = 0; i < c->n; i++)
        members[root_of(c->units, i)]++;
    for (uint64_t i = c->n; i-- > 0;) { // a path leads to later units only
        count(component, members[i]);
        length[i] = 1 + (c->units[i].next ? length[c->units[i].next - 1] : 0);
        count(path, length[i]);
    }
    hd_arena_free(a);
}

void hd_reusechains_drop(struct hd_reusechains *c, struct hd_reusestore *s)
{
    hd_reusestore_put(s, c->units, c->cap, sizeof *c->units);
    *c = (struct hd_reusechains){0};
}
