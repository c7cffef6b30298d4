// touched.c - see touched.h.
//
// A member's notes are four words for each line of 128 bytes, one bit for each 4 bytes. The notes
// cover the whole address space and are committed when they are touched; REGION bytes of memory
// belong together, so that what was touched can be found and cleared without a search.
#include "emu/touched.h"

#include "base/arena.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define LINE_SHIFT 7
#define LINE (1u << LINE_SHIFT)
#define REGION_SHIFT 14
#define LINES (1u << (REGION_SHIFT - LINE_SHIFT)) // of a region
#define PAGE_SHIFT 12
#define PAGE (1u << PAGE_SHIFT)
#define SAVED_MOST (1u << 16) // pages that a member saves while its blocks run apart
#define SAVED_KEPT (1u << 14) // pages for which it keeps room

struct line {
    uint32_t words[HD_N_TOUCHED]; // by how they were touched
};

// States of a page of simulated memory in this round.
enum { AS_IT_WAS, BEING_SAVED, SAVED };

struct saved {
    uint64_t page;
    uint8_t bytes[PAGE];
};

struct hd_touched {
    struct line *lines;
    uint8_t *regions;  // whether any of a region's lines has notes
    uint64_t *touched; // those regions
    size_t n_touched, cap_touched;
    struct saved **pages; // that this member has saved; room for more is kept
    size_t n_pages, cap_pages, room;
    struct hd_arena *arena;
    struct hd_touched_round *round;
};

struct hd_touched_round {
    struct hd_memory_view view;
    unsigned members, n;      // n is twice as many if blocks of one member may not meet either:
    struct hd_touched *notes; // the second half is of the members' blocks before the present ones
    atomic_uchar *pages;      // by page: its state
};

static uint64_t n_lines(const struct hd_touched_round *r)
{
    return r->view.size >> LINE_SHIFT;
}

static uint64_t n_regions(const struct hd_touched_round *r)
{
    return r->view.size >> REGION_SHIFT;
}

static uint64_t n_pages(const struct hd_touched_round *r)
{
    return r->view.size >> PAGE_SHIFT;
}

static void free_room(const struct hd_touched_round *r, const struct hd_touched *t)
{
    hd_memory_give_back(t->lines, n_lines(r) * sizeof *t->lines);
    hd_memory_give_back(t->regions, n_regions(r));
    hd_arena_free(t->arena);
}

// Room for one more to make notes.
static bool make_room(struct hd_touched_round *r)
{
    struct hd_touched *t = &r->notes[r->n];

    *t = (struct hd_touched){.lines = hd_memory_reserve(n_lines(r) * sizeof *t->lines),
                             .regions = hd_memory_reserve(n_regions(r)),
                             .arena = hd_arena_new(),
                             .round = r};
    if (t->lines && t->regions)
        r->n++;
    else
        free_room(r, t);
    return t->lines && t->regions;
}

struct hd_touched_round *hd_touched_new(struct hd_arena *a, const struct hd_memory_view *v,
                                        unsigned members)
{
    struct hd_touched_round *r = HD_NEW(a, hd_touched_round);

    *r = (struct hd_touched_round){.view = *v,
                                   .members = members,
                                   .notes = HD_ARRAY(a, struct hd_touched, 2 * (size_t)members)};
    r->pages = hd_memory_reserve(n_pages(r));
    bool ok = r->pages;
    while (ok && r->n < members)
        ok = make_room(r);
    if (ok)
        return r;
    hd_touched_free(r);
    return NULL;
}

void hd_touched_free(struct hd_touched_round *r)
{
    if (!r)
        return;
    hd_memory_give_back(r->pages, n_pages(r));
    for (unsigned i = 0; i < r->n; i++)
        free_room(r, &r->notes[i]);
}

struct hd_touched *hd_touched_member(struct hd_touched_round *r, unsigned i)
{
    return &r->notes[i];
}

// --- notes

static __attribute__((noinline)) void begin_region(struct hd_touched *t, uint64_t region)
{
    t->regions[region] = 1;
    *HD_PUSH(t->arena, t->touched, t->n_touched, t->cap_touched) = region;
}

static __attribute__((noinline)) void save_page(struct hd_touched *t, uint64_t page)
{
    atomic_uchar *state = &t->round->pages[page];
    unsigned char now = AS_IT_WAS;

    if (!atomic_compare_exchange_strong(state, &now, BEING_SAVED)) {
        while (atomic_load_explicit(state, memory_order_acquire) != SAVED)
            sched_yield();
        return;
    }
    size_t i = t->n_pages;
    struct saved **slot = HD_PUSH(t->arena, t->pages, t->n_pages, t->cap_pages);
    if (i >= t->room) {
        *slot = hd_arena_get(t->arena, sizeof **slot, 1);
        t->room++;
    }
    (*slot)->page = page;
    memcpy((*slot)->bytes, t->round->view.bytes + (page << PAGE_SHIFT), PAGE);
    atomic_store_explicit(state, SAVED, memory_order_release);
}

// Words of one line, which are in one region and in one page.
static inline void note(struct hd_touched *t, uint64_t offset, uint32_t words,
                        enum hd_touched_how how)
{
    uint64_t line = offset >> LINE_SHIFT;

    if (!t->regions[offset >> REGION_SHIFT])
        begin_region(t, offset >> REGION_SHIFT);
    if (how != HD_TOUCHED_READ &&
        atomic_load_explicit(&t->round->pages[offset >> PAGE_SHIFT], memory_order_acquire) != SAVED)
        save_page(t, offset >> PAGE_SHIFT);
    t->lines[line].words[how] |= words;
}

// Words `first` to `last` of a line.
static inline uint32_t words_of(unsigned first, unsigned last)
{
    return (UINT32_MAX >> (31 - last)) & (UINT32_MAX << first);
}

static inline void note_range(struct hd_touched *t, uint64_t offset, uint64_t bytes,
                              enum hd_touched_how how)
{
    const uint64_t end = offset + bytes;

    while (offset < end) {
        uint64_t next = (offset | (LINE - 1)) + 1, to = next < end ? next : end;
        note(t, offset, words_of((unsigned)(offset % LINE / 4), (unsigned)((to - 1) % LINE / 4)),
             how);
        offset = to;
    }
}

void hd_touched_range(struct hd_touched *t, uint64_t offset, uint64_t bytes,
                      enum hd_touched_how how)
{
    note_range(t, offset, bytes, how);
}

void hd_touched_near(struct hd_touched *t, uint64_t base, const int32_t at[HD_LANES],
                     uint32_t lanes, unsigned bytes, enum hd_touched_how how)
{
    for (uint32_t m = lanes; m; m &= m - 1)
        note_range(t, base + (uint64_t)(int64_t)at[__builtin_ctz(m)], bytes, how);
}

void hd_touched_lanes(struct hd_touched *t, uint8_t *const at[HD_LANES], uint32_t lanes,
                      unsigned bytes, enum hd_touched_how how)
{
    for (uint32_t m = lanes; m; m &= m - 1)
        note_range(t, (uint64_t)(at[__builtin_ctz(m)] - t->round->view.bytes), bytes, how);
}

// --- the end of a round

// Words in whose accesses the order matters.
static inline uint32_t meet(const struct line *a, const struct line *b)
{
    const uint32_t *x = a->words, *y = b->words;
    uint32_t x_adds = x[HD_TOUCHED_ADD] | x[HD_TOUCHED_ADD_WIDE];
    uint32_t y_adds = y[HD_TOUCHED_ADD] | y[HD_TOUCHED_ADD_WIDE];

    return (x[HD_TOUCHED_WRITE] & (y[HD_TOUCHED_READ] | y[HD_TOUCHED_WRITE] | y_adds)) |
           (x[HD_TOUCHED_READ] & (y[HD_TOUCHED_WRITE] | y_adds)) |
           (x_adds & (y[HD_TOUCHED_READ] | y[HD_TOUCHED_WRITE])) |
           (x[HD_TOUCHED_ADD] & y[HD_TOUCHED_ADD_WIDE]) |
           (x[HD_TOUCHED_ADD_WIDE] & y[HD_TOUCHED_ADD]);
}

// Adds the notes of a region to others. Returns whether they conflict.
static bool add_region(struct line seen[LINES], const struct line lines[LINES])
{
    uint32_t bad = 0;

    for (unsigned k = 0; k < LINES; k++) {
        bad |= meet(&seen[k], &lines[k]);
        for (unsigned how = 0; how < HD_N_TOUCHED; how++)
            seen[k].words[how] |= lines[k].words[how];
    }
    return bad != 0;
}

// Whether any of the members from `first` on conflicts with another one in this region.
static bool region_conflict(const struct hd_touched_round *r, unsigned first, uint64_t region)
{
    struct line seen[LINES] = {{{0}}};

    for (unsigned i = first; i < r->n; i++)
        if (r->notes[i].regions[region] && add_region(seen, &r->notes[i].lines[region * LINES]))
            return true;
    return false;
}

// Whether only this member has notes in the region, or one before it has, too.
static bool settled(const struct hd_touched_round *r, unsigned member, uint64_t region)
{
    bool others = false;

    for (unsigned i = 0; i < r->n; i++) {
        if (i < member && r->notes[i].regions[region])
            return true;
        others |= i > member && r->notes[i].regions[region];
    }
    return !others;
}

bool hd_touched_conflict(const struct hd_touched_round *r)
{
    for (unsigned i = 0; i + 1 < r->n; i++) {
        const struct hd_touched *t = &r->notes[i];
        for (size_t k = 0; k < t->n_touched; k++)
            if (!settled(r, i, t->touched[k]) && region_conflict(r, i, t->touched[k]))
                return true;
    }
    return false;
}

void hd_touched_undo(struct hd_touched_round *r)
{
    for (unsigned i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->notes[i].n_pages; k++) {
            const struct saved *s = r->notes[i].pages[k];
            memcpy(r->view.bytes + (s->page << PAGE_SHIFT), s->bytes, PAGE);
        }
}

static void forget_regions(struct hd_touched *t)
{
    for (size_t k = 0; k < t->n_touched; k++) {
        t->regions[t->touched[k]] = 0;
        memset(&t->lines[t->touched[k] * LINES], 0, LINES * sizeof *t->lines);
    }
    t->n_touched = 0;
}

static void free_lists(struct hd_touched *t)
{
    hd_arena_free(t->arena);
    t->arena = hd_arena_new();
    t->touched = NULL;
    t->pages = NULL;
    t->cap_touched = t->cap_pages = t->room = 0;
}

void hd_touched_forget(struct hd_touched_round *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        struct hd_touched *t = &r->notes[i];
        forget_regions(t);
        for (size_t k = 0; k < t->n_pages; k++)
            atomic_store_explicit(&r->pages[t->pages[k]->page], AS_IT_WAS, memory_order_relaxed);
        t->n_pages = 0;
        if (t->room > SAVED_KEPT)
            free_lists(t);
    }
}

// --- blocks of one member

bool hd_touched_apart(struct hd_touched_round *r)
{
    while (r->n < 2 * r->members && make_room(r))
        continue;
    if (r->n == 2 * r->members)
        return true;
    while (r->n > r->members)
        free_room(r, &r->notes[--r->n]);
    return false;
}

bool hd_touched_keep(struct hd_touched_round *r, unsigned i)
{
    struct hd_touched *now = &r->notes[i], *before = &r->notes[r->members + i];
    bool ok = true;

    for (size_t k = 0; k < now->n_touched; k++) {
        const uint64_t region = now->touched[k];
        if (!before->regions[region])
            begin_region(before, region);
        ok = !add_region(&before->lines[region * LINES], &now->lines[region * LINES]) && ok;
    }
    forget_regions(now);
    return ok && !hd_touched_full(r, i);
}

bool hd_touched_full(const struct hd_touched_round *r, unsigned i)
{
    return r->notes[i].n_pages >= SAVED_MOST;
}
