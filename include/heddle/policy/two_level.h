// two_level.h - the active list and the queue of two_level_active and two_level_opt.
//
// In each cycle, warps of a short active list that wait move to the end of a queue, and the head of
// the queue fills the list up; an issue rotates the list. The two policies differ in the order
// within the active list, which is in their own files. Described in two_level_active.c.
//
// Both lists are one array: the active warps, then the queue. Their order also changes without an
// issue when slots of the queue pass through the active list, so every cycle counts, and skipped
// cycles are counted singly (HD_LOST_SINGLY).
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
    uint64_t active;     // the slots in the active list
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

    HD_EACH(w, mine) {
        tl->active |= tl->n < p->active ? hd_bit(w) : 0;
        tl->slots[tl->n++] = (uint8_t)w;
    }
    tl->n_active = (uint8_t)(tl->n < p->active ? tl->n : p->active);
}

// Warps that must leave the active list go to the end of the queue, in the order of the list.
static inline void two_level_demote(struct two_level *tl, uint64_t leavers)
{
    uint8_t gone[HD_MAX_WARPS];
    unsigned kept = 0, n_gone = 0, queued = (unsigned)tl->n - tl->n_active;

    for (unsigned i = 0; i < tl->n_active; i++) {
        uint8_t w = tl->slots[i];
        if (hd_has(leavers, w))
            gone[n_gone++] = w;
        else
            tl->slots[kept++] = w;
    }
    tl->active &= ~leavers;
    memmove(tl->slots + kept, tl->slots + tl->n_active, queued);
    memcpy(tl->slots + kept + queued, gone, n_gone);
    tl->n_active = (uint8_t)kept;
}

// The head of the queue becomes active while there is room. Skipped slots go to the queue's end.
static inline void two_level_promote(struct two_level *tl, const struct two_level_params *p,
                                     const struct hd_view *v)
{
    if (!p->skip_dead) {
        while (tl->n_active < tl->n && tl->n_active < p->active)
            tl->active |= hd_bit(tl->slots[tl->n_active++]);
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
            tl->active |= hd_bit(w);
            tl->n_active++;
        }
    }
}

// Moves warps with long operations to the front of the active list; both parts keep their orders.
// It is rarely needed, and not inlined into two_level_begin, which runs in every cycle.
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

static inline void two_level_begin(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    const struct two_level_params *p = st.params;
    struct two_level *tl = st.sched;
    uint64_t leavers = two_level_leavers(p, v);

    if (!tl->n)
        two_level_set_up(tl, p, v->mine[s]);
    for (; n; n--) {
        if (tl->active & leavers)
            two_level_demote(tl, leavers);
        if (tl->n_active < p->active)
            two_level_promote(tl, p, v);
        if (p->in_place)
            two_level_partition(tl, long_heads(&p->longs, v));
    }
}

static inline uint64_t two_level_eligible(struct hd_pstate st, const struct hd_view *v, int s)
{
    (void)v, (void)s;
    return ((const struct two_level *)st.sched)->active;
}

// Rotates the active list until the warp that issued is last.
static inline void two_level_issued(struct two_level *tl, int warp)
{
    uint8_t turned[HD_MAX_WARPS];
    unsigned n = tl->n_active, at = 0;

    while (at < n && tl->slots[at] != warp)
        at++;
    if (at + 1 >= n)
        return; // it is the last one, or was not in the active list
    for (unsigned i = 0; i <= at; i++)
        turned[i] = tl->slots[i];
    for (unsigned i = at + 1; i < n; i++)
        tl->slots[i - at - 1] = tl->slots[i];
    for (unsigned i = 0; i <= at; i++)
        tl->slots[n - at - 1 + i] = turned[i];
}

static inline void two_level_end(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n,
                                 unsigned outcome, uint64_t visited)
{
    (void)n, (void)visited;
    if (outcome == HD_ISSUED)
        two_level_issued(st.sched, v->last_issued[s]);
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

// A policy with flags or an end() of its own repeats HD_LOST_SINGLY and calls two_level_end().
#define TWO_LEVEL_LISTS                                                                            \
    .flags = HD_LOST_SINGLY, .params_bytes = sizeof(struct two_level_params),                      \
    .sched_bytes = sizeof(struct two_level), .cost = two_level_cost, .begin = two_level_begin,     \
    .eligible = two_level_eligible, .end = two_level_end

#endif
