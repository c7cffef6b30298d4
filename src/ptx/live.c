// live.c - liveness of registers, and packing of registers into rows.
//
// Liveness is found one register at a time, going backward from each use through the predecessors
// until a definition (Appel, "Modern Compiler Implementation", exercise on liveness by variable).
// This costs as much as the live ranges are long and needs no bit sets; most registers live in one
// block only.
//
// A guarded definition does not end a range: lanes whose guard fails keep the old value. A register
// may therefore seem alive from the start of the function, which costs a row but is never wrong.
//
// Rows are assigned by a linear scan over whole ranges without holes (Poletto and Sarkar, 1999). A
// destination never shares a row with a source of the same instruction that ends there, so that an
// operation may write its result lane by lane before it has read all lanes.
//
// Lanes on different paths of a branch use the same rows one after the other: a value that is dead
// on one path may still be needed on another path that runs later. Each path writes only its own
// lanes, so this is harmless between registers of the same width. But the lanes of a pair of rows
// are stored elsewhere than those of a single row, so no row may serve both.
#include "ptx/live.h"

#include <string.h>

// Instruction i has two points: 2i before it and 2i + 1 after it.
struct hd_walk {
    const struct hd_flow *f;
    const struct hd_live_ref *refs;     // of one register after the other
    uint32_t *in, *out, *kills, *group; // by block: stamp of the register; first ref, plus 1
    uint32_t *touched, n_touched;
    uint32_t *work, n_work;
    int64_t *change; // of the pressure, by point
};

static void add_range(struct hd_walk *w, struct hd_live_range *r, uint32_t lo, uint32_t hi,
                      unsigned words)
{
    w->change[lo] += words;
    w->change[hi + 1] -= words;
    if (lo / 2 < r->first)
        r->first = lo / 2;
    if (hi / 2 > r->last)
        r->last = hi / 2;
}

static void touch(struct hd_walk *w, uint32_t b, uint32_t stamp)
{
    if (w->in[b] != stamp && w->out[b] != stamp)
        w->touched[w->n_touched++] = b;
}

static void live_into(struct hd_walk *w, uint32_t b, uint32_t stamp)
{
    if (w->in[b] == stamp)
        return;
    touch(w, b, stamp);
    w->in[b] = stamp;
    w->work[w->n_work++] = b;
}

// Go from the blocks that read the value from before their start back to the definitions.
static void spread(struct hd_walk *w, uint32_t stamp)
{
    const struct hd_flow *f = w->f;

    while (w->n_work) {
        uint32_t b = w->work[--w->n_work];
        for (uint32_t i = f->pred_first[b]; i < f->pred_first[b + 1]; i++) {
            uint32_t p = f->preds[i];
            touch(w, p, stamp);
            w->out[p] = stamp;
            if (w->kills[p] != stamp)
                live_into(w, p, stamp);
        }
    }
}

// The ranges inside one block that mentions the register: refs[from .. to), visited backward.
static void ranges_in_block(struct hd_walk *w, struct hd_live_range *r, uint32_t b, uint32_t from,
                            uint32_t to, uint32_t stamp, unsigned words)
{
    bool live = w->out[b] == stamp;
    uint32_t hi = 2 * (w->f->first[b + 1] - 1) + 1;

    for (uint32_t i = to; i-- > from;) {
        uint32_t before = 2 * w->refs[i].insn;
        if (w->refs[i].kind == HD_LIVE_USE) {
            if (!live)
                hi = before;
            live = true;
        } else if (!live) { // an unused result still needs a register
            add_range(w, r, before + 1, before + 1, words);
        } else if (w->refs[i].kind == HD_LIVE_DEF) {
            add_range(w, r, before + 1, hi, words);
            live = false;
        }
    }
    if (live)
        add_range(w, r, 2 * w->f->first[b], hi, words);
}

static uint32_t end_of_block(const struct hd_walk *w, uint32_t from, uint32_t to)
{
    uint32_t b = w->f->block_of[w->refs[from].insn];

    while (from < to && w->f->block_of[w->refs[from].insn] == b)
        from++;
    return from;
}

static void find_range(struct hd_walk *w, struct hd_live_range *r, uint32_t from, uint32_t to,
                       uint32_t stamp, unsigned words)
{
    w->n_touched = w->n_work = 0;
    for (uint32_t i = from, end; i < to; i = end) {
        uint32_t b = w->f->block_of[w->refs[i].insn], k = i;
        end = end_of_block(w, i, to);
        w->group[b] = stamp;
        while (k < end && w->refs[k].kind == HD_LIVE_MAYBE)
            k++;
        if (k < end && w->refs[k].kind == HD_LIVE_USE) {
            live_into(w, b, stamp);
            while (k < end && w->refs[k].kind != HD_LIVE_DEF)
                k++;
        }
        if (k < end)
            w->kills[b] = stamp;
    }
    spread(w, stamp);
    for (uint32_t i = from, end; i < to; i = end) {
        end = end_of_block(w, i, to);
        ranges_in_block(w, r, w->f->block_of[w->refs[i].insn], i, end, stamp, words);
    }
    for (uint32_t i = 0; i < w->n_touched; i++) { // blocks it only passes through
        uint32_t b = w->touched[i];
        if (w->group[b] != stamp)
            add_range(w, r, 2 * w->f->first[b], 2 * (w->f->first[b + 1] - 1) + 1, words);
    }
}

static void note_outs(const struct hd_walk *w, struct hd_arena *a, uint32_t reg,
                      struct hd_live_outs *outs)
{
    for (uint32_t i = 0; i < w->n_touched && !outs->full; i++) {
        uint32_t b = w->touched[i];
        if (w->out[b] != reg + 1)
            continue;
        HD_PUSH(a, outs->list, outs->n, outs->cap);
        outs->list[outs->n - 1].block = b;
        outs->list[outs->n - 1].reg = reg;
        outs->full = outs->n == HD_LIVE_OUTS_MAX;
    }
}

// The refs sorted by register, keeping their order otherwise. start[r] is where r's begin.
static struct hd_live_ref *by_register(struct hd_arena *a, const struct hd_live_ref *refs,
                                       uint32_t n_refs, uint32_t n_regs, uint32_t **start)
{
    struct hd_live_ref *sorted = HD_ARRAY(a, struct hd_live_ref, n_refs);
    uint32_t *at = HD_ARRAY(a, uint32_t, n_regs + 2);

    for (uint32_t i = 0; i < n_refs; i++)
        at[refs[i].reg + 2]++;
    for (uint32_t r = 2; r <= n_regs; r++)
        at[r + 1] += at[r];
    for (uint32_t i = 0; i < n_refs; i++)
        sorted[at[refs[i].reg + 1]++] = refs[i];
    *start = at;
    return sorted;
}

uint32_t hd_live_find(struct hd_arena *scratch, const struct hd_flow *f,
                      const struct hd_live_ref *refs, uint32_t n_refs, const uint8_t *words,
                      uint32_t n_regs, struct hd_live_range *ranges, uint32_t *after,
                      struct hd_live_outs *outs)
{
    uint32_t n = f->n_blocks, *start;
    struct hd_walk w = {.f = f};
    int64_t pressure = 0, most = 0;

    w.refs = by_register(scratch, refs, n_refs, n_regs, &start);
    w.in = HD_ARRAY(scratch, uint32_t, n);
    w.out = HD_ARRAY(scratch, uint32_t, n);
    w.kills = HD_ARRAY(scratch, uint32_t, n);
    w.group = HD_ARRAY(scratch, uint32_t, n);
    w.touched = HD_ARRAY(scratch, uint32_t, n);
    w.work = HD_ARRAY(scratch, uint32_t, n);
    w.change = HD_ARRAY(scratch, int64_t, 2 * (size_t)f->n_insns + 2);
    for (uint32_t r = 0; r < n_regs; r++) {
        ranges[r] = (struct hd_live_range){UINT32_MAX, 0};
        find_range(&w, &ranges[r], start[r], start[r + 1], r + 1, words[r]);
        note_outs(&w, scratch, r, outs);
    }
    for (size_t i = 0; i < 2 * (size_t)f->n_insns; i++) {
        pressure += w.change[i];
        most = pressure > most ? pressure : most;
        after[i / 2] = (uint32_t)pressure;
    }
    return (uint32_t)most;
}

// --- rows

#define EVEN UINT64_C(0x5555555555555555)

struct hd_rows {
    uint64_t *used, *halves; // bits by row: taken now; ever given to a register of one row
    uint64_t *pairs;         // ever given to a register of two
    uint32_t n;              // rows ever given out
};

static uint32_t take(struct hd_rows *rows, uint32_t row, unsigned width)
{
    uint64_t bits = (width == 2 ? UINT64_C(3) : UINT64_C(1)) << (row % 64);

    rows->used[row / 64] |= bits;
    (width == 2 ? rows->pairs : rows->halves)[row / 64] |= bits;
    if (row + width > rows->n)
        rows->n = row + width;
    return row;
}

// The lowest free place. One row prefers the other half of a pair that is already broken.
static uint32_t give(struct hd_rows *rows, unsigned width)
{
    for (uint32_t i = 0; width == 1 && i * 64 < rows->n; i++) {
        uint64_t broken =
            rows->halves[i] | (rows->halves[i] & EVEN) << 1 | (rows->halves[i] >> 1 & EVEN);
        uint64_t half = ~rows->used[i] & broken;
        if (half)
            return take(rows, i * 64 + (uint32_t)__builtin_ctzll(half), 1);
    }
    for (uint32_t i = 0;; i++) {
        uint64_t unused = ~rows->used[i] & ~(width == 2 ? rows->halves[i] : rows->pairs[i]);
        if (width == 2)
            unused &= unused >> 1 & EVEN;
        if (unused)
            return take(rows, i * 64 + (uint32_t)__builtin_ctzll(unused), width);
    }
}

uint32_t hd_live_pack(struct hd_arena *scratch, const struct hd_live_range *ranges,
                      const uint8_t *width, uint32_t n_regs, uint32_t n_insns, int32_t *row)
{
    // Registers by the instruction at which they begin and end: lists through `next`.
    uint32_t *begin = HD_ARRAY(scratch, uint32_t, n_insns),
             *end = HD_ARRAY(scratch, uint32_t, n_insns);
    uint32_t *next_begin = HD_ARRAY(scratch, uint32_t, n_regs);
    uint32_t *next_end = HD_ARRAY(scratch, uint32_t, n_regs);
    size_t words = (size_t)n_regs * 2 / 64 + 2;
    struct hd_rows rows = {.used = HD_ARRAY(scratch, uint64_t, words),
                           .halves = HD_ARRAY(scratch, uint64_t, words),
                           .pairs = HD_ARRAY(scratch, uint64_t, words)};

    for (uint32_t r = n_regs; r-- > 0;) { // so that lists are in rising order
        row[r] = -1;
        if (!width[r] || ranges[r].first > ranges[r].last)
            continue;
        next_begin[r] = begin[ranges[r].first];
        begin[ranges[r].first] = r + 1;
        next_end[r] = end[ranges[r].last];
        end[ranges[r].last] = r + 1;
    }
    for (uint32_t i = 0; i < n_insns; i++) {
        for (uint32_t r = begin[i]; r; r = next_begin[r - 1])
            row[r - 1] = (int32_t)give(&rows, width[r - 1]);
        for (uint32_t r = end[i]; r; r = next_end[r - 1]) {
            uint32_t at = (uint32_t)row[r - 1];
            rows.used[at / 64] &= ~((width[r - 1] == 2 ? UINT64_C(3) : UINT64_C(1)) << (at % 64));
        }
    }
    return rows.n;
}
