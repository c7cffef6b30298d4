// paths.c - which path of a warp runs when another one waits. See paths.h.
#include "emu/paths.h"

#include "emu/emu_internal.h"

#include <string.h>

void hd_paths_start(struct hd_emu_sm *sm, unsigned warp)
{
    struct hd_paths_warp *x = &sm->paths[warp];

    x->came = x->due = 0;
    x->turns = x->lanes = x->tries = x->clock = 0;
    memset(x->ran, 0, sizeof x->ran);
    for (unsigned i = 0; i < HD_PATHS_PLACES; i++)
        x->attempts[i].pc = HD_PC_NONE;
}

// --- the paths

void hd_paths_find(const struct hd_emu_sm *sm, unsigned warp, struct hd_paths *all)
{
    const struct hd_simt *s = &sm->simt;
    uint32_t above = s->lanes[warp];

    all->path[0] = (struct hd_path){s->pc[warp], above, s->frame[warp], HD_PATHS_TOP};
    all->n = 1;
    for (unsigned k = s->depth[warp]; k-- > 0;) {
        const struct hd_simt_entry *e = &s->below[warp][k];
        uint32_t lanes = e->lanes & s->alive[warp];
        if (lanes && !(lanes & above))
            all->path[all->n++] = (struct hd_path){e->pc, lanes, e->frame, k};
        above |= lanes;
    }
}

static const struct hd_insn *insn_of(const struct hd_emu_sm *sm, unsigned warp,
                                     const struct hd_path *p)
{
    return &sm->warps[warp].insns[p->pc];
}

uint32_t hd_paths_executing(const struct hd_emu_sm *sm, unsigned warp, const struct hd_path *p)
{
    struct hd_lane_regs regs = hd_call_regs(&sm->warps[warp], p->frame);

    return p->lanes & hd_lanes_pred(&regs, insn_of(sm, warp, p)->guard);
}

static bool is_parked(const struct hd_emu_sm *sm, unsigned warp, const struct hd_path *p)
{
    return p->lanes & sm->simt.parked[warp] & ~sm->simt.passed[warp];
}

// --- what parked paths wait for

int32_t hd_paths_mask_row(const struct hd_insn *in)
{
    switch ((enum hd_shape)hd_op_info[in->op].shape) {
    case HD_SHAPE_VOTE:
    case HD_SHAPE_MATCH:
    case HD_SHAPE_REDUX:
        return in->src[1];
    case HD_SHAPE_ELECT:
    case HD_SHAPE_MASK:
        return in->src[0];
    case HD_SHAPE_SHFL:
        return HD_WARP_ROW(in->imm);
    default:
        return HD_ROW_NONE;
    }
}

uint32_t hd_paths_gather(const struct hd_emu_sm *sm, unsigned warp, const struct hd_paths *all,
                         const struct hd_path *now, const struct hd_insn *in,
                         uint32_t masks[HD_LANES])
{
    uint32_t waiting = 0;

    memset(masks, 0, HD_LANES * sizeof *masks);
    for (unsigned i = 0; i < all->n; i++) {
        const struct hd_path *p = &all->path[i];
        const struct hd_insn *at = insn_of(sm, warp, p);
        if (at->op != in->op || (p != now && !is_parked(sm, warp, p)))
            continue;
        const struct hd_lane_regs regs = hd_call_regs(&sm->warps[warp], p->frame);
        const uint32_t *row = hd_lanes_source(&regs, hd_paths_mask_row(at));
        uint32_t lanes = hd_paths_executing(sm, warp, p) & ~sm->simt.passed[warp];
        waiting |= lanes;
        for (uint32_t m = lanes; m; m &= m - 1)
            masks[__builtin_ctz(m)] = row[__builtin_ctz(m)];
    }
    return waiting;
}

uint32_t hd_paths_met(uint32_t waiting, const uint32_t masks[HD_LANES], uint32_t alive)
{
    uint32_t met = 0;

    for (uint32_t m = waiting; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t same = 0;
        for (uint32_t k = waiting; k; k &= k - 1)
            same |= masks[__builtin_ctz(k)] == masks[l] ? k & -k : 0;
        met |= masks[l] & alive & ~same ? 0 : m & -m;
    }
    return met;
}

void hd_paths_barrier(const struct hd_emu_sm *sm, unsigned warp, const struct hd_path *p,
                      uint32_t *id, uint32_t *threads)
{
    const struct hd_lane_regs regs = hd_call_regs(&sm->warps[warp], p->frame);
    const struct hd_insn *in = insn_of(sm, warp, p);
    int lane = __builtin_ctz(hd_paths_executing(sm, warp, p));

    *id = hd_lanes_source(&regs, in->src[0])[lane];
    *threads = in->src[1] == HD_ROW_NONE ? 0 : hd_lanes_source(&regs, in->src[1])[lane];
}

static bool is_barrier(const struct hd_insn *in)
{
    unsigned shape = hd_op_info[in->op].shape;

    return shape == HD_SHAPE_BAR || shape == HD_SHAPE_BARRED;
}

bool hd_paths_at_barrier(const struct hd_emu_sm *sm, unsigned warp, const struct hd_paths *all,
                         const struct hd_path *now, uint32_t id)
{
    uint32_t there = 0;

    for (unsigned i = 0; i < all->n; i++) {
        const struct hd_path *p = &all->path[i];
        uint32_t other, threads;
        if (!is_barrier(insn_of(sm, warp, p)) || (p != now && !is_parked(sm, warp, p)))
            continue;
        hd_paths_barrier(sm, warp, p, &other, &threads);
        if (other == id && !threads)
            there |= hd_paths_executing(sm, warp, p);
    }
    return !(sm->simt.alive[warp] & ~there);
}

// Can a path other than the top go on? One that is parked can if what it waits for has come.
static bool can_go_on(const struct hd_emu_sm *sm, unsigned warp, const struct hd_paths *all,
                      const struct hd_path *p)
{
    const struct hd_insn *in = insn_of(sm, warp, p);
    uint32_t masks[HD_LANES], waiting, id, threads;

    if (!is_parked(sm, warp, p))
        return true;
    if (is_barrier(in)) {
        hd_paths_barrier(sm, warp, p, &id, &threads);
        return !threads && hd_paths_at_barrier(sm, warp, all, NULL, id);
    }
    if (hd_paths_mask_row(in) == HD_ROW_NONE) // a matrix operation: its lanes meet at one place
        return false;
    waiting = hd_paths_gather(sm, warp, all, NULL, in, masks);
    return hd_paths_met(waiting, masks, sm->simt.alive[warp]) & p->lanes;
}

// --- changes of the path that runs

// The turn of the top is over.
static void end_turn(struct hd_emu_sm *sm, unsigned warp)
{
    struct hd_paths_warp *x = &sm->paths[warp];

    x->clock++;
    x->tries = 0;
    for (uint32_t m = sm->simt.lanes[warp]; m; m &= m - 1)
        x->ran[__builtin_ctz(m)] = x->clock;
}

static uint32_t last_ran(const struct hd_paths_warp *x, uint32_t lanes)
{
    uint32_t last = 0;

    for (uint32_t m = lanes; m; m &= m - 1)
        last = x->ran[__builtin_ctz(m)] > last ? x->ran[__builtin_ctz(m)] : last;
    return last;
}

// Of the paths below the top that can go on and have some of these lanes, the one whose turn is
// longest ago becomes the top.
static bool raise_path(struct hd_emu_sm *sm, unsigned warp, const struct hd_paths *all,
                       uint32_t lanes)
{
    const struct hd_paths_warp *x = &sm->paths[warp];
    unsigned found = 0;

    for (unsigned i = 1; i < all->n; i++)
        if (all->path[i].lanes & lanes && can_go_on(sm, warp, all, &all->path[i]) &&
            (!found || last_ran(x, all->path[i].lanes) < last_ran(x, all->path[found].lanes)))
            found = i;
    if (found) {
        end_turn(sm, warp);
        hd_simt_raise(&sm->simt, warp, all->path[found].entry);
    }
    return found != 0;
}

// Of the lanes that have arrived where others are still to arrive, those nearest to the top that
// contain some of these go on. `way`: only where lanes of this set are to arrive.
static bool release_lanes(struct hd_emu_sm *sm, unsigned warp, uint32_t lanes, uint32_t way)
{
    struct hd_simt *s = &sm->simt;

    for (unsigned k = s->depth[warp]; k-- > 0;) {
        bool leaf;
        uint32_t own = hd_simt_own(s, warp, k, &leaf);
        if (leaf || !(own & lanes) || !(s->below[warp][k].lanes & way))
            continue;
        end_turn(sm, warp);
        hd_simt_release(s, warp, k);
        return true;
    }
    return false;
}

// A path that waits at a .sync operation becomes the top, which waits at a barrier.
static bool raise_sync(struct hd_emu_sm *sm, unsigned warp, const struct hd_paths *all)
{
    if (!is_barrier(insn_of(sm, warp, &all->path[0])))
        return false;
    for (unsigned i = 1; i < all->n; i++) {
        if (is_barrier(insn_of(sm, warp, &all->path[i])))
            continue;
        hd_simt_raise(&sm->simt, warp, all->path[i].entry);
        return true;
    }
    return false;
}

enum hd_paths_next hd_paths_wait(struct hd_emu_sm *sm, unsigned warp, uint32_t missing)
{
    struct hd_simt *s = &sm->simt;
    struct hd_paths all;

    s->parked[warp] |= s->lanes[warp];
    hd_paths_find(sm, warp, &all);
    if (hd_simt_has_room(s, warp) &&
        (raise_path(sm, warp, &all, missing) || release_lanes(sm, warp, missing, UINT32_MAX) ||
         raise_path(sm, warp, &all, UINT32_MAX) || release_lanes(sm, warp, UINT32_MAX, UINT32_MAX)))
        return HD_PATHS_SWITCHED;
    if (sm->paths[warp].came & s->alive[warp])
        return HD_PATHS_BLOCKED;
    return hd_simt_has_room(s, warp) && raise_sync(sm, warp, &all) ? HD_PATHS_SWITCHED
                                                                   : HD_PATHS_STUCK;
}

bool hd_paths_yield(struct hd_emu_sm *sm, unsigned warp)
{
    struct hd_simt *s = &sm->simt;
    struct hd_paths all;

    if (!s->depth[warp] || !hd_simt_has_room(s, warp))
        return false;
    hd_paths_find(sm, warp, &all);
    return release_lanes(sm, warp, UINT32_MAX, s->lanes[warp]) ||
           release_lanes(sm, warp, UINT32_MAX, UINT32_MAX) ||
           raise_path(sm, warp, &all, UINT32_MAX);
}

// Enough for every path and for all lanes that have arrived.
#define TURNS (2 * HD_LANES)

bool hd_paths_proven(struct hd_emu_sm *sm, unsigned warp, uint64_t epoch)
{
    struct hd_paths_warp *x = &sm->paths[warp];

    if (!sm->warps[warp].apart)
        return false;
    if (x->epoch != epoch)
        x->turns = 0;
    x->epoch = epoch;
    return x->turns++ < TURNS && hd_paths_yield(sm, warp);
}

// --- attempts that are repeated

void hd_paths_saw(struct hd_emu_sm *sm, unsigned warp, uint32_t pc, uint32_t lanes, uint32_t hash)
{
    struct hd_paths_warp *x = &sm->paths[warp];
    struct hd_paths_attempt *a = &x->attempts[pc % HD_PATHS_PLACES];

    if (x->lanes != sm->simt.lanes[warp])
        x->tries = 0;
    x->lanes = sm->simt.lanes[warp];
    x->tries++;
    if (a->pc != pc || a->lanes != lanes || a->saw != hash)
        *a = (struct hd_paths_attempt){pc, lanes, hash, 0};
    a->times++;
}

bool hd_paths_tired(struct hd_emu_sm *sm, unsigned warp, uint32_t pc)
{
    struct hd_paths_warp *x = &sm->paths[warp];
    struct hd_paths_attempt *a = &x->attempts[pc % HD_PATHS_PLACES];

    if (x->tries >= HD_PATHS_ATTEMPTS) {
        x->tries = 0;
        return true;
    }
    if (a->pc != pc || a->times < HD_PATHS_PATIENCE)
        return false;
    a->times = 0;
    return true;
}
