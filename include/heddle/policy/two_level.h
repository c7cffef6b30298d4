// two_level.h - the active list and the queue of two_level_active and two_level_opt.
//
// In each cycle, warps of a short active list that wait move to the end of a queue, and the head of
// the queue fills the list up; an issue rotates the list. The two policies differ in the order
// within the active list, which is in their own files. Described in two_level_active.c.
//
// Both lists are one array: the active warps, then the queue. Their order also changes without an
// issue when slots of the queue pass through the active list, so every cycle counts.
#ifndef HEDDLE_POLICY_TWO_LEVEL_H
#define HEDDLE_POLICY_TWO_LEVEL_H

#include "heddle/policy/long.h"

#include <string.h>

struct two_level_params {
    uint32_t active, inner, outer, fixed, skip_dead;
    uint32_t greedy, age, in_place; // two_level_opt
    struct long_params longs;
};
struct two_level {
    uint8_t n, n_active; // slots in all, and in the active list; n = 0: not initialised yet
    uint8_t slots[HD_MAX_WARPS];
};

// Slots that must leave the active list.
static inline uint64_t two_level_leavers(const struct two_level_params *p, const struct hd_view *v)
{
    return v->waiting | (p->fixed ? v->long_mark & v->sb_block : v->long_mark);
}

// The first slots start out active, empty as they are: the first step already moves them on.
static inline void two_level_set_up(struct two_level *tl, const struct two_level_params *p,
                                    uint64_t mine)
{
    int w;

    HD_EACH(w, mine)
        tl->slots[tl->n++] = (uint8_t)w;
    tl->n_active = (uint8_t)(tl->n < p->active ? tl->n : p->active);
}

// Warps that must leave the active list go to the end of the queue, in the order of the list.
static inline void two_level_demote(struct two_level *tl, const struct two_level_params *p,
                                    const struct hd_view *v)
{
    uint8_t gone[HD_MAX_WARPS];
    unsigned kept = 0, n_gone = 0, queued = (unsigned)tl->n - tl->n_active;
    uint64_t leavers = two_level_leavers(p, v);

    for (unsigned i = 0; i < tl->n_active; i++) {
        uint8_t w = tl->slots[i];
        if (hd_has(leavers, w))
            gone[n_gone++] = w;
        else
            tl->slots[kept++] = w;
    }
    if (!n_gone)
        return;
    memmove(tl->slots + kept, tl->slots + tl->n_active, queued);
    memcpy(tl->slots + kept + queued, gone, n_gone);
    tl->n_active = (uint8_t)kept;
}

// The head of the queue becomes active while there is room. Skipped slots go to the queue's end.
static inline void two_level_promote(struct two_level *tl, const struct two_level_params *p,
                                     const struct hd_view *v)
{
    if (!p->skip_dead) {
        tl->n_active = (uint8_t)(tl->n < p->active ? tl->n : p->active);
        return;
    }
    for (unsigned queued = (unsigned)tl->n - tl->n_active; queued && tl->n_active < p->active;
         queued--) {
        uint8_t w = tl->slots[tl->n_active];
        if (!hd_has(v->live, w)) {
            memmove(tl->slots + tl->n_active, tl->slots + tl->n_active + 1,
                    (size_t)tl->n - tl->n_active - 1);
            tl->slots[tl->n - 1] = w;
        } else {
            tl->n_active++;
        }
    }
}

// Moves warps with long operations to the front of the active list; both parts keep their orders.
// It is rarely needed, and separate from two_level_step, which runs in every cycle and is inlined.
__attribute__((noinline, unused)) static void two_level_partition(struct two_level *tl,
                                                                  uint64_t longs)
{
    uint8_t others[HD_MAX_WARPS];
    unsigned n = 0, n_others = 0;

    for (unsigned i = 0; i < tl->n_active; i++) {
        uint8_t w = tl->slots[i];
        if (hd_has(longs, w))
            tl->slots[n++] = w;
        else
            others[n_others++] = w;
    }
    memcpy(tl->slots + n, others, n_others);
}

__attribute__((always_inline)) static inline void
two_level_step(struct two_level *tl, const struct two_level_params *p, const struct hd_view *v)
{
    two_level_demote(tl, p, v);
    two_level_promote(tl, p, v);
    if (p->in_place)
        two_level_partition(tl, long_heads(&p->longs, v));
}

// Only time changes the lists here, so they soon return to an earlier state. Has state k of this
// sequence (k = 1, 2, ...) occurred before? It is compared with the state at the last power of two.
// Returns the length of the loop, 0 if none is known yet.
static inline uint64_t two_level_loop_length(const struct two_level *now, struct two_level *mark,
                                             uint64_t k)
{
    if (k > 1 && !memcmp(now, mark, sizeof *now))
        return k - (UINT64_C(1) << (63 - __builtin_clzll(k - 1)));
    if (!(k & (k - 1)))
        *mark = *now;
    return 0;
}

static inline void two_level_begin(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    const struct two_level_params *p = st.params;
    struct two_level *tl = st.sched, mark;

    if (!tl->n)
        two_level_set_up(tl, p, v->mine[s]);
    for (uint64_t k = 1; k <= n; k++) {
        two_level_step(tl, p, v);
        uint64_t length = k < n ? two_level_loop_length(tl, &mark, k) : 0;
        if (length)
            n = k + (n - k) % length;
    }
}

static inline uint64_t two_level_active_mask(const struct two_level *tl)
{
    uint64_t mask = 0;

    for (unsigned i = 0; i < tl->n_active; i++)
        mask |= hd_bit(tl->slots[i]);
    return mask;
}

static inline uint64_t two_level_eligible(struct hd_pstate st, const struct hd_view *v, int s)
{
    (void)v, (void)s;
    return two_level_active_mask(st.sched);
}

// Advances a copy of the lists until the core would see a difference or the lists repeat.
static inline uint64_t two_level_wakes(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct two_level_params *p = st.params;
    struct two_level tl = *(const struct two_level *)st.sched, mark;
    uint64_t active = two_level_active_mask(&tl), ready = active & hd_ready(v);
    uint64_t stay = active & ~two_level_leavers(p, v);
    bool valid = (active & hd_valid(v)) != 0;

    if (!(v->mine[s] & hd_valid(v) & ~stay)) // all warps that count keep their places
        return UINT64_MAX;
    if (!tl.n)
        two_level_set_up(&tl, p, v->mine[s]);
    for (uint64_t k = 1;; k++) {
        two_level_step(&tl, p, v);
        uint64_t mask = two_level_active_mask(&tl);
        if ((mask & hd_ready(v)) != ready || ((mask & hd_valid(v)) != 0) != valid)
            return v->cycle + k;
        if (two_level_loop_length(&tl, &mark, k))
            return UINT64_MAX;
    }
}

// Rotates the active list until the warp that issued is last.
static inline void two_level_issued(struct two_level *tl, int warp)
{
    uint8_t turned[HD_MAX_WARPS];
    unsigned n = tl->n_active, at = 0;

    while (at < n && tl->slots[at] != warp)
        at++;
    if (at == n)
        return; // the warp was not in the active list
    for (unsigned i = 0; i < n; i++)
        turned[i] = tl->slots[(at + 1 + i) % n];
    memcpy(tl->slots, turned, n);
}

static inline void two_level_on(struct hd_pstate st, const struct hd_view *v,
                                const struct hd_event *e)
{
    (void)v;
    two_level_issued(HD_SCHED_STATE(st, two_level, e->sched), e->warp);
}

#define TWO_LEVEL_ACTIVE                                                                           \
    HD_F_U32(two_level_params, active, "6", 1, HD_MAX_WARPS, "warps",                              \
             "length of the active list of one scheduler")
#define TWO_LEVEL_FIXED                                                                            \
    HD_F_BOOL(two_level_params, fixed, "0",                                                        \
              "1: a warp whose load has returned is not sent away for it")
#define TWO_LEVEL_SKIP_DEAD                                                                        \
    HD_F_BOOL(two_level_params, skip_dead, "0", "1: empty slots do not become active")

static const struct hd_cost two_level_cost[] = {
    {"active list of 6 slots", .per_scheduler = 36}, {"queue entry", .per_warp = 6}, HD_COST_END};

#define TWO_LEVEL_LISTS                                                                            \
    .events = HD_ON(HD_EV_ISSUE), .params_bytes = sizeof(struct two_level_params),                 \
    .sched_bytes = sizeof(struct two_level), .cost = two_level_cost, .begin = two_level_begin,     \
    .eligible = two_level_eligible, .wakes = two_level_wakes, .on = two_level_on

#endif
