// blocks.c - thread blocks on an SM: placement, barriers, warp exit, reclaim; events for policies.
//
// A warp has ended when its lanes have; it is reclaimed when its stores are acknowledged too, its
// instructions have left the pipeline and its registers are released. A block's slot becomes free
// when all its warps are reclaimed: memory must have every store that it made (timing-model 2.4).
#include "sm/sm_internal.h"

#include <string.h>

static void report(struct hd_sm *sm, enum hd_event_kind kind, unsigned tb, unsigned w)
{
    struct hd_event e = {.kind = (uint8_t)kind,
                         .sched = (uint8_t)hd_sched_of(sm, w),
                         .warp = (uint8_t)w,
                         .tb = (uint8_t)tb,
                         .kernel = sm->tbs[tb].kernel};

    if (!hd_notify_wanted(sm, kind))
        return;
    if (kind == HD_EV_WARP_START)
        e.pc = e.next_pc = sm->source.pc[w];
    hd_notify_event(sm, &e);
}

unsigned hd_sm_free_tbs(const struct hd_sm *sm)
{
    unsigned resident = (unsigned)hd_count(sm->view.tb_live), limit = sm->view.tb_max;

    for (unsigned i = 0; i < sm->n_policies; i++) {
        const struct hd_sm_policy *p = &sm->policies[i];
        if (p->policy->tb_limit) {
            unsigned wanted = p->policy->tb_limit(p->state, &sm->view);
            limit = wanted < limit ? wanted : limit;
        }
    }
    return limit > resident ? limit - resident : 0;
}

static void start_warp(struct hd_sm *sm, unsigned w, unsigned tb)
{
    uint64_t bit = hd_bit((int)w);

    sm->tb_of[w] = (uint8_t)tb;
    sm->age[w] = sm->next_age++;
    sm->progress[w] = 0;
    sm->warps[w].ibuf_n = sm->warps[w].in_pipe = 0;
    sm->warps[w].fetch_pc = sm->source.pc[w];
    sm->resident |= bit;
    sm->view.live |= bit;
    sm->view.imiss &= ~bit;
    if (sm->copied & bit)
        hd_async_start(sm, w);
    hd_warps_refresh(sm, w);
}

// The first warp slot of a block of n warps: the first multiple of n at which n slots belong to no
// block. HD_NONE: there is none.
static int free_warps(const struct hd_sm *sm, unsigned n)
{
    uint64_t taken = 0;
    int slot;

    HD_EACH(slot, sm->view.tb_live)
        taken |= sm->tbs[slot].warps;
    for (unsigned first = 0; first + n <= sm->view.n_warps; first += n)
        if (!(taken & hd_low(n) << first))
            return (int)first;
    return HD_NONE;
}

static unsigned warps_of(const struct hd_launch *l)
{
    return (l->block[0] * l->block[1] * l->block[2] + HD_LANES - 1) / HD_LANES;
}

bool hd_sm_has_warps(const struct hd_sm *sm, const struct hd_launch *l)
{
    return free_warps(sm, warps_of(l)) != HD_NONE;
}

// Places a block. A block that was parked brings its barriers, whose masks are shifted to its new
// slots.
static unsigned place(struct hd_sm *sm, struct hd_tb *tb, const struct hd_barriers *back)
{
    int slot = hd_first(~sm->view.tb_live & hd_low(sm->view.tb_max));
    const struct hd_launch *l = tb->launch;
    unsigned n = warps_of(l);
    int at = free_warps(sm, n), w;
    unsigned first = (unsigned)at;
    struct hd_barriers *b;

    HD_BUG_IF(slot < 0 || at < 0, "SM %u has no room for another block", sm->index);
    // The reference invalidates the cache at the end of each cycle in which the SM is empty.
    if (sm->cfg->l1d.flush && !sm->resident && sm->emptied != sm->stepped)
        hd_l1d_forget(sm);
    b = &sm->barriers[slot];
    sm->names[slot] = l->kernel->name;
    sm->block_profiles[slot] = sm->profile;
    tb->slot = (uint8_t)slot;
    tb->first_warp = (uint8_t)first;
    tb->n_warps = (uint8_t)n;
    sm->source.ops->tb_start(sm->source.self, tb);
    sm->tbs[slot] = (struct hd_tb_view){.warps = hd_low(n) << first,
                                        .global_id = tb->linear,
                                        .kernel = l->id,
                                        .parent_kernel = l->parent ? l->parent->id : UINT32_MAX,
                                        .parent_tb = l->parent ? l->parent_tb : UINT32_MAX,
                                        .n_warps = tb->n_warps,
                                        .launches = l->launches,
                                        .mark = l->mark,
                                        .key = l->key};
    sm->view.tb_live |= hd_bit(slot);
    hd_barrier_start(b, sm->tbs[slot].warps);
    if (back) {
        *b = *back;
        b->live <<= first;
        for (unsigned i = 0; i < HD_BARRIERS; i++)
            b->waiting[i] <<= first;
        sm->view.at_barrier |= hd_barrier_waiting(b);
        sm->tbs[slot].at_barrier = (uint8_t)hd_count(hd_barrier_waiting(b));
        sm->tbs[slot].finished = (uint8_t)(tb->n_warps - hd_count(b->live));
    }
    sm->tb_warps_left[slot] = (uint8_t)hd_count(b->live);
    HD_EACH(w, b->live)
        start_warp(sm, (unsigned)w, (unsigned)slot);
    hd_warps_wait(sm, &sm->membar, first, false); // recomputes the mask of waiting warps
    report(sm, HD_EV_TB_START, (unsigned)slot, first);
    HD_EACH(w, b->live)
        report(sm, HD_EV_WARP_START, (unsigned)slot, (unsigned)w);
    return (unsigned)slot;
}

unsigned hd_sm_place(struct hd_sm *sm, const struct hd_launch *l, const uint32_t index[3],
                     uint32_t linear)
{
    struct hd_tb tb = {.launch = l, .linear = linear, .index = {index[0], index[1], index[2]}};

    return place(sm, &tb, NULL);
}

unsigned hd_sm_place_again(struct hd_sm *sm, const struct hd_tb *tb,
                           const struct hd_barriers *barriers)
{
    struct hd_tb own = *tb;

    return place(sm, &own, barriers);
}

// Warps released from a barrier continue; the view of the block is updated.
static void open_barrier(struct hd_sm *sm, unsigned slot, uint64_t freed, unsigned w)
{
    if (!freed)
        return;
    sm->view.at_barrier &= ~freed;
    sm->tbs[slot].at_barrier =
        (uint8_t)hd_count(hd_barrier_waiting(&sm->barriers[slot]) & sm->view.at_barrier);
    hd_warps_wait(sm, &sm->view.at_barrier, w, (sm->view.at_barrier >> w & 1) != 0);
    report(sm, HD_EV_BAR_RELEASE, slot, w);
}

// A block whose warps all wait, some of them for kernels that the block has launched, gives up its
// slot, which these kernels may need. Its warps are reclaimed like ended ones.
static void leave_if_stuck(struct hd_sm *sm, unsigned slot)
{
    uint64_t live = sm->tbs[slot].warps & sm->view.live;
    int w;

    if (!(live & sm->children) || live & ~(sm->children | sm->view.at_barrier))
        return;
    sm->leaving |= hd_bit((int)slot);
    sm->view.live &= ~live;
    sm->children &= ~live;
    sm->view.at_barrier &= ~live;
    sm->tbs[slot].at_barrier = 0;
    sm->progress_cycle = sm->view.cycle;
    HD_EACH(w, live) {
        hd_warps_wait(sm, &sm->membar, (unsigned)w, false);
        hd_warps_flush(sm, (unsigned)w);
    }
    HD_EACH(w, live)
        report(sm, HD_EV_WARP_EXIT, slot, (unsigned)w);
}

void hd_blocks_await(struct hd_sm *sm, unsigned w)
{
    hd_warps_wait(sm, &sm->children, w, true);
    leave_if_stuck(sm, sm->tb_of[w]);
}

void hd_sm_children_complete(struct hd_sm *sm, unsigned slot)
{
    uint64_t waiting = sm->children & sm->tbs[slot].warps;

    if (!waiting)
        return;
    sm->children &= ~waiting;
    hd_warps_wait(sm, &sm->membar, (unsigned)hd_first(waiting), false); // recompute what waits
    sm->progress_cycle = sm->view.cycle;
}

void hd_blocks_block(struct hd_sm *sm, unsigned w)
{
    unsigned slot = sm->tb_of[w];

    hd_warps_wait(sm, &sm->view.at_barrier, w, true);
    sm->tbs[slot].at_barrier++;
    report(sm, HD_EV_BAR_ARRIVE, slot, w);
}

void hd_blocks_arrive(struct hd_sm *sm, unsigned w, const struct hd_effects *e)
{
    unsigned slot = sm->tb_of[w];
    struct hd_barriers *b = &sm->barriers[slot];
    const struct hd_barrier_arrival a = {.id = e->barrier,
                                         .waits = e->bar_op != HD_BAR_ARRIVE,
                                         .threads = e->bar_threads,
                                         .lanes = e->bar_lanes};
    uint64_t freed = hd_barrier_arrive(b, (int)w, &a);

    sm->stats.barriers++;
    // A plain barrier only delays warps. The others carry values, or count arrivals.
    if (e->bar_op != HD_BAR_SYNC)
        sm->progress_cycle = sm->view.cycle;
    if (a.waits && !(e->flags & HD_EFF_SWITCHED))
        hd_blocks_block(sm, w);
    open_barrier(sm, slot, freed, w);
    if (sm->children)
        leave_if_stuck(sm, slot);
}

void hd_blocks_exit(struct hd_sm *sm, unsigned w)
{
    unsigned slot = sm->tb_of[w];
    uint64_t freed;

    sm->view.live &= ~hd_bit((int)w);
    sm->progress_cycle = sm->view.cycle;
    sm->tbs[slot].finished++;
    hd_warps_wait(sm, &sm->membar, w, false); // recompute what waits
    report(sm, HD_EV_WARP_EXIT, slot, w);
    freed = hd_barrier_exit(&sm->barriers[slot], (int)w);
    open_barrier(sm, slot, freed, w);
    if (sm->children)
        leave_if_stuck(sm, slot);
}

void hd_blocks_reclaim(struct hd_sm *sm, unsigned w)
{
    unsigned slot = sm->tb_of[w];

    sm->resident &= ~hd_bit((int)w);
    if (!sm->resident)
        sm->emptied = sm->view.cycle;
    if (--sm->tb_warps_left[slot])
        return;
    sm->view.tb_live &= ~hd_bit((int)slot);
    sm->stalls_known = 0;
    report(sm, HD_EV_TB_END, slot, w);
    if (hd_has(sm->leaving, (int)slot)) {
        sm->leaving &= ~hd_bit((int)slot);
        sm->source.ops->tb_leave(sm->source.self, slot);
        return;
    }
    sm->stats.tbs++;
    sm->source.ops->tb_end(sm->source.self, slot);
}
