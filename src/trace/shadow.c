// shadow.c - the last writer, the last reduction and the readers of every word. See shadow.h.
//
// If several warps have done the same, only what later accesses need is kept: one of them, and
// whether there were others of its block since the last barrier, or of other blocks. What a warp of
// the block did before the last barrier is ordered before everything that the block does now; what
// another block did is never ordered.
#include "trace/shadow.h"

#include <string.h>

#define PAGE_BITS 12
#define PAGES_BITS 10 // of a group
#define GROUPS_MOST 65536

// The first field of a cell: a warp plus one, a reduction's number, and these flags. 0 means no
// access.
#define WARP 0x03ffffffu
#define REDUCTION_SHIFT 26
#define REDUCTION 0x3c000000u
#define MIXED 15u          // reductions that do not commute
#define KNOWN 0x04000000u  // of the writer instead: value is what it wrote
#define WARPS 0x40000000u  // others of the same block, in the same epoch
#define BLOCKS 0x80000000u // others of other blocks

enum { WRITER, READER, REDUCER, WHO };

struct cell {
    uint32_t who[WHO];
    uint16_t epoch[WHO], pc[WHO]; // epochs modulo 65536: at worst an order is not seen
    uint32_t value;               // of the byte or word
};

struct page {
    uint32_t used;  // hd_shadow.now at the last access: older cells have no meaning
    uint32_t shift; // 2: a cell for a word, 0: for a byte
    struct cell *cells, *words, *bytes;
};

struct hd_shadow {
    struct hd_arena *arena;
    struct page **groups;
    uint64_t n_groups;
    uint32_t now;
    uint64_t near; // number of the current page, plus one
    struct page *near_page;
};

struct hd_shadow *hd_shadow_new(struct hd_arena *a, uint64_t bytes)
{
    struct hd_shadow *s = HD_NEW(a, hd_shadow);

    s->arena = a;
    s->n_groups = (bytes >> (PAGE_BITS + PAGES_BITS)) + 1;
    s->n_groups = s->n_groups < GROUPS_MOST ? s->n_groups : GROUPS_MOST;
    s->groups = HD_ARRAY(a, struct page *, s->n_groups);
    s->now = 1;
    return s;
}

void hd_shadow_clear(struct hd_shadow *s)
{
    s->now++;
    s->near = 0;
}

static void start_page(struct hd_shadow *s, struct page *p)
{
    size_t n = (size_t)1 << (PAGE_BITS - 2);

    if (p->words)
        memset(p->words, 0, n * sizeof *p->words);
    else
        p->words = HD_ARRAY(s->arena, struct cell, n);
    p->cells = p->words;
    p->shift = 2;
    p->used = s->now;
}

static void split_page(struct hd_shadow *s, struct page *p)
{
    size_t n = (size_t)1 << PAGE_BITS;

    if (!p->bytes)
        p->bytes = HD_ARRAY(s->arena, struct cell, n);
    for (size_t i = 0; i < n; i++) {
        p->bytes[i] = p->words[i / 4];
        p->bytes[i].value = p->words[i / 4].value >> (8 * (i % 4)) & 0xff;
    }
    p->cells = p->bytes;
    p->shift = 0;
}

// NULL: too far away.
static struct page *page_of(struct hd_shadow *s, uint64_t address, unsigned bytes)
{
    uint64_t group = address >> (PAGE_BITS + PAGES_BITS);
    struct page *p;

    if (s->near == (address >> PAGE_BITS) + 1 && !(s->near_page->shift && (bytes | address) & 3))
        return s->near_page;
    if (group >= s->n_groups)
        return NULL;
    if (!s->groups[group])
        s->groups[group] = HD_ARRAY(s->arena, struct page, (size_t)1 << PAGES_BITS);
    p = &s->groups[group][address >> PAGE_BITS & ((1u << PAGES_BITS) - 1)];
    if (p->used != s->now)
        start_page(s, p);
    s->near = (address >> PAGE_BITS) + 1;
    s->near_page = p;
    if (p->shift && (bytes | address) & 3)
        split_page(s, p);
    return p;
}

static bool same_block(uint32_t who, const struct hd_shadow_access *by)
{
    return ((who & WARP) - 1) / by->warps_per_block == by->warp / by->warps_per_block;
}

// Whether the access of `k` could also have happened after this one.
static bool unordered(const struct cell *c, int k, const struct hd_shadow_access *by)
{
    uint32_t who = c->who[k];

    if (!who || (who & (WARP | WARPS | BLOCKS)) == by->warp + 1)
        return false;
    if (who & BLOCKS || !same_block(who, by))
        return true;
    return c->epoch[k] == (uint16_t)by->epoch;
}

// Adds another access of a kind whose order does not matter.
static void join(struct cell *c, int k, const struct hd_shadow_access *by)
{
    uint32_t who = c->who[k], me = by->warp + 1;

    if (!who || (!(who & BLOCKS) && same_block(who, by) && c->epoch[k] != (uint16_t)by->epoch))
        c->who[k] = me;
    else if (!same_block(who, by))
        c->who[k] |= BLOCKS;
    else if ((who & WARP) != me)
        c->who[k] |= WARPS;
    c->epoch[k] = (uint16_t)by->epoch;
    c->pc[k] = (uint16_t)(by->pc < HD_SHADOW_LINES ? by->pc : HD_SHADOW_LINES);
}

static void join_reduction(struct cell *c, const struct hd_shadow_access *by)
{
    uint32_t before = c->who[REDUCER] & REDUCTION, mine = by->reduction << REDUCTION_SHIFT;

    if (before && before != mine)
        mine = MIXED << REDUCTION_SHIFT;
    c->who[REDUCER] &= ~REDUCTION;
    join(c, REDUCER, by);
    c->who[REDUCER] = (c->who[REDUCER] & ~REDUCTION) | mine;
}

static bool conflict(const struct cell *c, int k, const struct hd_shadow_access *by,
                     struct hd_shadow_conflict *out)
{
    if (!unordered(c, k, by))
        return false;
    *out = (struct hd_shadow_conflict){.before_pc = c->pc[k],
                                       .before_writes = k != READER,
                                       .other_block =
                                           c->who[k] & BLOCKS || !same_block(c->who[k], by)};
    return true;
}

// Whether this is a plain store of the value that is already there.
static bool same_value(const struct cell *c, const struct hd_shadow_access *by, uint32_t value)
{
    return by->kind == HD_SHADOW_WRITE && by->value && c->who[WRITER] & KNOWN && c->value == value;
}

static bool touch(struct cell *c, const struct hd_shadow_access *by, uint32_t value,
                  struct hd_shadow_conflict *out)
{
    uint32_t reduction = c->who[REDUCER] & REDUCTION;

    if (!same_value(c, by, value) && conflict(c, WRITER, by, out))
        return false;
    if ((by->kind != HD_SHADOW_REDUCE || reduction != by->reduction << REDUCTION_SHIFT) &&
        conflict(c, REDUCER, by, out))
        return false;
    if (by->kind != HD_SHADOW_READ && conflict(c, READER, by, out))
        return false;
    if (by->kind == HD_SHADOW_READ) {
        join(c, READER, by);
    } else if (by->kind == HD_SHADOW_REDUCE) {
        join_reduction(c, by);
    } else {
        if (!same_value(c, by, value)) // the others are older, and of this block
            c->who[WRITER] = 0;
        join(c, WRITER, by);
        c->who[WRITER] = (c->who[WRITER] & ~KNOWN) | (by->value ? KNOWN : 0);
        c->value = value;
    }
    return true;
}

bool hd_shadow_touch(struct hd_shadow *s, uint64_t address, unsigned bytes,
                     const struct hd_shadow_access *by, struct hd_shadow_conflict *out)
{
    for (uint64_t at = address, end = address + bytes; at < end;) {
        struct page *p = page_of(s, at, bytes);
        if (!p) {
            *out = (struct hd_shadow_conflict){.before_pc = HD_SHADOW_LINES};
            return false;
        }
        uint32_t value = 0;
        if (by->value)
            memcpy(&value, by->value + (at - address), (size_t)1 << p->shift);
        if (!touch(&p->cells[(at & ((1u << PAGE_BITS) - 1)) >> p->shift], by, value, out))
            return false;
        at += UINT64_C(1) << p->shift;
    }
    return true;
}
