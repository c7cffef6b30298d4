// touched.c - see touched.h.
//
// A member's notes are one bit for each 4 bytes and each way to touch them: planes of a region of
// 16 KiB. A region gets its planes when its first word is noted, and planes are used again in the
// next round, so that they stay in the host's caches. Regions with notes are listed, so that what
// was touched can be compared and cleared without a search.
//
// Most reads are of buffers that nobody writes. So of a read it is at first only noted in which
// region it was; words are noted where a region has parts of several allocations, and in exact
// rounds.
#include "emu/touched.h"

#include "base/arena.h"
#include "emu/extent.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#define LINE_SHIFT 7
#define LINE (1u << LINE_SHIFT)
#define REGION_SHIFT 14
#define REGION (UINT64_C(1) << REGION_SHIFT)
#define LINES (1u << (REGION_SHIFT - LINE_SHIFT)) // of a region
#define PAGE_SHIFT 12
#define PAGE (1u << PAGE_SHIFT)
#define SAVED_MOST (1u << 16) // pages that a member saves while its blocks run apart
#define SAVED_KEPT (1u << 14) // pages for which it keeps room

// By how they were touched, and by line: its words.
struct planes {
    uint32_t words[HD_N_TOUCHED][LINES];
};

// A region's `ways` has one bit for each enum hd_touched_how, whose plane says which words, and
// these two bits, which have no plane.
#define READ_SOMEWHERE HD_N_TOUCHED // reads of it are not noted by words
#define BORDER (HD_N_TOUCHED + 1)   // of allocations: reads are noted by words
#define CHANGES ((1u << HD_TOUCHED_WRITE) | (1u << HD_TOUCHED_ADD) | (1u << HD_TOUCHED_ADD_WIDE))

struct region {
    uint32_t planes; // its place in the member's planes, 0 for none
    uint8_t ways;
};

// States of a page of simulated memory in this round.
enum { AS_IT_WAS, BEING_SAVED, SAVED };

struct saved {
    uint64_t page;
    uint8_t bytes[PAGE];
};

struct hd_touched {
    struct region *regions;
    struct planes *planes; // from 1 on
    uint32_t n_planes;
    uint64_t *touched; // regions that were touched in any way
    size_t n_touched, cap_touched;
    struct saved **pages; // that this member has saved; room for more is kept
    size_t n_pages, cap_pages, room;
    struct hd_arena *arena;
    struct hd_touched_round *round;
};

struct hd_touched_round {
    const struct hd_memory *memory;
    struct hd_memory_view view;
    unsigned members, n;      // n is twice as many if blocks of one member may not meet either:
    struct hd_touched *notes; // the second half is of the members' blocks before the present ones
    atomic_uchar *pages;      // by page: its state
    bool exact;
};

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
    hd_memory_give_back(t->regions, n_regions(r) * sizeof *t->regions);
    hd_memory_give_back(t->planes, (n_regions(r) + 1) * sizeof *t->planes);
    hd_arena_free(t->arena);
}

// Room for one more to make notes.
static bool make_room(struct hd_touched_round *r)
{
    struct hd_touched *t = &r->notes[r->n];

    *t = (struct hd_touched){.regions = hd_memory_reserve(n_regions(r) * sizeof *t->regions),
                             .planes = hd_memory_reserve((n_regions(r) + 1) * sizeof *t->planes),
                             .arena = hd_arena_new(),
                             .round = r};
    if (t->regions && t->planes)
        r->n++;
    else
        free_room(r, t);
    return t->regions && t->planes;
}

struct hd_touched_round *hd_touched_new(struct hd_arena *a, const struct hd_memory *m,
                                        unsigned members)
{
    struct hd_touched_round *r = HD_NEW(a, hd_touched_round);

    *r = (struct hd_touched_round){.memory = m,
                                   .view = hd_memory_view(m),
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

void hd_touched_exactly(struct hd_touched_round *r, bool exact)
{
    r->exact = exact;
}

struct hd_touched *hd_touched_member(struct hd_touched_round *r, unsigned i)
{
    return &r->notes[i];
}

// --- notes

static __attribute__((noinline)) void begin_way(struct hd_touched *t, uint64_t number, unsigned way)
{
    struct region *region = &t->regions[number];

    if (!region->ways)
        *HD_PUSH(t->arena, t->touched, t->n_touched, t->cap_touched) = number;
    if (!region->planes && way < HD_N_TOUCHED)
        region->planes = ++t->n_planes;
    region->ways |= (uint8_t)(1u << way);
}

static __attribute__((noinline)) void begin_reads(struct hd_touched *t, uint64_t region)
{
    const uint64_t address = HD_MEMORY_BASE + (region << REGION_SHIFT);

    begin_way(t, region, hd_memory_at(t->round->memory, address, REGION) ? READ_SOMEWHERE : BORDER);
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
    struct region *region = &t->regions[offset >> REGION_SHIFT];

    if (!(region->ways >> how & 1))
        begin_way(t, offset >> REGION_SHIFT, how);
    if (how != HD_TOUCHED_READ &&
        atomic_load_explicit(&t->round->pages[offset >> PAGE_SHIFT], memory_order_acquire) != SAVED)
        save_page(t, offset >> PAGE_SHIFT);
    t->planes[region->planes].words[how][offset / LINE % LINES] |= words;
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

// Notes a read of the region as a whole. False if the region is a border: then the words must be
// noted, too.
static inline bool reads_somewhere(struct hd_touched *t, uint64_t offset)
{
    const struct region *region = &t->regions[offset >> REGION_SHIFT];

    if (!(region->ways & (1u << READ_SOMEWHERE | 1u << BORDER)))
        begin_reads(t, offset >> REGION_SHIFT);
    return region->ways >> READ_SOMEWHERE & 1;
}

// Reads of one region.
static inline void note_reads(struct hd_touched *t, uint64_t offset, uint64_t bytes)
{
    if (!reads_somewhere(t, offset))
        note_range(t, offset, bytes, HD_TOUCHED_READ);
}

void hd_touched_range(struct hd_touched *t, uint64_t offset, uint64_t bytes,
                      enum hd_touched_how how)
{
    const uint64_t end = offset + bytes;

    if (how != HD_TOUCHED_READ || t->round->exact) {
        note_range(t, offset, bytes, how);
        return;
    }
    while (offset < end) {
        uint64_t next = (offset | (REGION - 1)) + 1, to = next < end ? next : end;
        note_reads(t, offset, to - offset);
        offset = to;
    }
}

// A range is noted as a whole if it has at most so many times the bytes that its lanes access. With
// 1, it has gaps only if lanes access the same word.
#define DENSE 4u
#define DENSE_EXACTLY 1u

static inline bool is_dense(const struct hd_touched *t, uint64_t span, uint32_t lanes,
                            unsigned bytes)
{
    const unsigned dense = t->round->exact ? DENSE_EXACTLY : DENSE;

    return span <= (uint64_t)dense * bytes * (unsigned)__builtin_popcount(lanes);
}

bool hd_touched_within(struct hd_touched *t, uint64_t offset, uint64_t span, uint32_t lanes,
                       unsigned bytes, enum hd_touched_how how)
{
    if (how == HD_TOUCHED_READ && !t->round->exact)
        return offset >> REGION_SHIFT == (offset + span - 1) >> REGION_SHIFT &&
               reads_somewhere(t, offset);
    if (!is_dense(t, span, lanes, bytes))
        return false;
    note_range(t, offset, span, how);
    return true;
}

// Words of these lanes, a range for those of a group that are close together.
static void note_words(struct hd_touched *t, uint64_t base, const int32_t at[HD_LANES],
                       uint32_t lanes, const struct hd_extents groups[HD_LANES / HD_EXTENT_LANES],
                       unsigned bytes, enum hd_touched_how how)
{
    for (unsigned g = 0; g < HD_LANES / HD_EXTENT_LANES; g++) {
        const uint32_t some = lanes & 0xffu << HD_EXTENT_LANES * g;
        const struct hd_extent x = hd_extent_of(&groups[g]);
        const uint64_t span = (uint64_t)((int64_t)x.high - x.low) + bytes;
        if (some && is_dense(t, span, some, bytes))
            note_range(t, base + (uint64_t)(int64_t)x.low, span, how);
        else
            for (uint32_t m = some; m; m &= m - 1)
                note_range(t, base + (uint64_t)(int64_t)at[__builtin_ctz(m)], bytes, how);
    }
}

void hd_touched_near(struct hd_touched *t, uint64_t base, const int32_t at[HD_LANES],
                     uint32_t lanes, unsigned bytes, enum hd_touched_how how)
{
    struct hd_extents groups[HD_LANES / HD_EXTENT_LANES], all;

    for (unsigned g = 0; g < HD_LANES / HD_EXTENT_LANES; g++) {
        groups[g] = hd_extents_of(at + HD_EXTENT_LANES * g, lanes >> HD_EXTENT_LANES * g);
        all = g ? hd_extents_join(&all, &groups[g]) : groups[g];
    }
    const struct hd_extent x = hd_extent_of(&all);
    if (hd_touched_within(t, base + (uint64_t)(int64_t)x.low,
                          (uint64_t)((int64_t)x.high - x.low) + bytes, lanes, bytes, how))
        return;
    if (how == HD_TOUCHED_READ && !t->round->exact)
        for (uint32_t m = lanes; m; m &= m - 1)
            hd_touched_range(t, base + (uint64_t)(int64_t)at[__builtin_ctz(m)], bytes, how);
    else
        note_words(t, base, at, lanes, groups, bytes, how);
}

void hd_touched_lanes(struct hd_touched *t, uint8_t *const at[HD_LANES], uint32_t lanes,
                      unsigned bytes, enum hd_touched_how how)
{
    int32_t near[HD_LANES] = {0};
    bool far = false;

    if (!lanes)
        return;
    const uint8_t *first = at[__builtin_ctz(lanes)];
    const uint64_t base = (uint64_t)(first - t->round->view.bytes);
    for (uint32_t m = lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        near[l] = (int32_t)(at[l] - first);
        far |= near[l] != at[l] - first;
    }
    if (!far)
        hd_touched_near(t, base, near, lanes, bytes, how);
    else
        for (uint32_t m = lanes; m; m &= m - 1)
            note_range(t, (uint64_t)(at[__builtin_ctz(m)] - t->round->view.bytes), bytes, how);
}

// --- the end of a round

// Whether any word of one plane is in the other.
static inline uint32_t common(const uint32_t a[LINES], const uint32_t b[LINES])
{
    uint32_t any = 0;

    for (unsigned k = 0; k < LINES; k++)
        any |= a[k] & b[k];
    return any;
}

// Adds the notes of a region to others. Returns whether they conflict: the order of two accesses of
// a word matters unless both read, or both add in the same way.
static bool add_region(struct planes *seen, uint8_t seen_ways, const struct planes *now,
                       uint8_t ways)
{
    uint32_t bad = ((ways >> READ_SOMEWHERE & 1) && (seen_ways & CHANGES)) ||
                   ((seen_ways >> READ_SOMEWHERE & 1) && (ways & CHANGES));

    for (unsigned how = 0; how < HD_N_TOUCHED; how++)
        for (unsigned other = 0; (ways >> how & 1) && other < HD_N_TOUCHED; other++)
            if ((seen_ways >> other & 1) && (how != other || how == HD_TOUCHED_WRITE))
                bad |= common(seen->words[other], now->words[how]);
    for (unsigned how = 0; how < HD_N_TOUCHED; how++)
        for (unsigned k = 0; (ways >> how & 1) && k < LINES; k++)
            seen->words[how][k] |= now->words[how][k];
    return bad != 0;
}

// Whether any of the members from `first` on conflicts with another one in this region.
static bool region_conflict(const struct hd_touched_round *r, unsigned first, uint64_t number)
{
    struct planes seen = {{{0}}};
    uint8_t ways = 0;

    for (unsigned i = first; i < r->n; i++) {
        const struct hd_touched *t = &r->notes[i];
        const struct region *region = &t->regions[number];
        if (add_region(&seen, ways, &t->planes[region->planes], region->ways))
            return true;
        ways |= region->ways;
    }
    return false;
}

// Whether only this member has notes in the region, or one before it has, too, or all only read.
static bool settled(const struct hd_touched_round *r, unsigned member, uint64_t region)
{
    uint8_t mine = r->notes[member].regions[region].ways, others = 0;

    for (unsigned i = 0; i < r->n; i++) {
        if (i < member && r->notes[i].regions[region].ways)
            return true;
        others |= i > member ? r->notes[i].regions[region].ways : 0;
    }
    return !others || !((mine | others) & CHANGES);
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
        struct region *region = &t->regions[t->touched[k]];
        for (unsigned how = 0; how < HD_N_TOUCHED; how++)
            if (region->ways >> how & 1)
                memset(t->planes[region->planes].words[how], 0, sizeof(uint32_t[LINES]));
        *region = (struct region){0};
    }
    t->n_touched = t->n_planes = 0;
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
        const uint64_t number = now->touched[k];
        const struct region *x = &now->regions[number];
        struct region *sum = &before->regions[number];
        uint8_t ways = sum->ways;
        for (unsigned way = 0; way <= BORDER; way++)
            if (x->ways >> way & 1)
                begin_way(before, number, way);
        ok =
            !add_region(&before->planes[sum->planes], ways, &now->planes[x->planes], x->ways) && ok;
    }
    forget_regions(now);
    return ok && !hd_touched_full(r, i);
}

bool hd_touched_full(const struct hd_touched_round *r, unsigned i)
{
    return r->notes[i].n_pages >= SAVED_MOST;
}
