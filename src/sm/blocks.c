// blocks.c - thread blocks on an SM: placement, barriers, warp exit, reclaim; telling policies.
//
// A warp has ended when its lanes have; it is reclaimed when also its stores are acknowledged, its
// instructions have left the pipeline and its registers are released. Only then is its block's slot
// free: a block holds its place until memory has every store it made (timing-model 2.4).
#include "sm/core.h"

#include <string.h>

void hd_blocks_event(struct hd_sm *sm, const struct hd_event *e)
{
    sm->lost_known = 0;
    for (unsigned i = 0; i < sm->n_policies; i++) {
        const struct hd_sm_policy *p = &sm->policies[i];
        if ((p->policy->events & HD_ON(e->kind)) && p->policy->on)
            p->policy->on(p->state, &sm->view, e);
    }
    for (struct hd_sm_watch *w = sm->watches; w; w = w->next)
        if (w->events & HD_ON(e->kind))
            w->on(w->ctx, sm->index, e);
}

static void tell(struct hd_sm *sm, enum hd_event_kind kind, unsigned tb, unsigned w)
{
    struct hd_event e = {.kind = (uint8_t)kind,
                         .sched = (uint8_t)(w % sm->view.n_sched),
                         .warp = (uint8_t)w,
                         .tb = (uint8_t)tb,
                         .kernel = sm->view.kernel};

    if (!hd_blocks_wanted(sm, kind))
        return;
    if (kind == HD_EV_WARP_START)
        e.pc = e.next_pc = sm->source.pc[w];
    hd_blocks_event(sm, &e);
}

unsigned hd_sm_free_tbs(const struct hd_sm *sm)
{
    unsigned resident = (unsigned)hd_count(sm->view.tb_live), limit = sm->max_tbs;

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
    hd_front_refresh(sm, w);
}

void hd_sm_place(struct hd_sm *sm, const struct hd_launch *l, const uint32_t index[3],
                 uint32_t linear)
{
    int slot = hd_first(~sm->view.tb_live & hd_low(sm->max_tbs));
    struct hd_tb tb = {.launch = l, .linear = linear, .slot = (uint8_t)slot};
    unsigned first;

    HD_BUG_IF(slot < 0, "SM %u has no room for another block", sm->index);
    first = (unsigned)slot * sm->warps_per_tb;
    memcpy(tb.index, index, sizeof tb.index);
    tb.first_warp = (uint8_t)first;
    tb.n_warps = (uint8_t)sm->warps_per_tb;
    sm->source.ops->tb_start(sm->source.self, &tb);
    sm->tbs[slot] = (struct hd_tb_view){.warps = hd_low(sm->warps_per_tb) << first,
                                        .global_id = linear,
                                        .kernel = l->id,
                                        .parent_kernel = l->parent ? l->parent->id : UINT32_MAX,
                                        .parent_tb = l->parent ? l->parent_tb : UINT32_MAX,
                                        .n_warps = tb.n_warps};
    sm->tb_warps_left[slot] = tb.n_warps;
    sm->view.tb_live |= hd_bit(slot);
    hd_barrier_start(&sm->barriers[slot], sm->tbs[slot].warps);
    for (unsigned w = first; w < first + tb.n_warps; w++)
        start_warp(sm, w, (unsigned)slot);
    hd_issue_wait(sm, &sm->membar, first, false); // recompute what waits
    tell(sm, HD_EV_TB_START, (unsigned)slot, first);
    for (unsigned w = first; w < first + tb.n_warps; w++)
        tell(sm, HD_EV_WARP_START, (unsigned)slot, w);
}

// Warps freed from a barrier go on; the block's view follows.
static void open_barrier(struct hd_sm *sm, unsigned slot, uint64_t freed, unsigned w)
{
    if (!freed)
        return;
    sm->view.at_barrier &= ~freed;
    sm->tbs[slot].at_barrier = (uint8_t)hd_count(hd_barrier_waiting(&sm->barriers[slot]));
    hd_issue_wait(sm, &sm->view.at_barrier, w, (sm->view.at_barrier >> w & 1) != 0);
    sm->progress_cycle = sm->view.cycle;
    tell(sm, HD_EV_BAR_RELEASE, slot, w);
}

void hd_blocks_arrive(struct hd_sm *sm, unsigned w, const struct hd_effects *e)
{
    unsigned slot = sm->tb_of[w];
    struct hd_barriers *b = &sm->barriers[slot];
    bool blocks = e->bar_op != HD_BAR_ARRIVE;
    uint64_t freed = hd_barrier_arrive(b, e->barrier, (int)w, blocks, e->bar_threads);

    sm->stats.barriers++;
    if (blocks) {
        hd_issue_wait(sm, &sm->view.at_barrier, w, true);
        sm->tbs[slot].at_barrier++;
        tell(sm, HD_EV_BAR_ARRIVE, slot, w);
    }
    open_barrier(sm, slot, freed, w);
}

void hd_blocks_exit(struct hd_sm *sm, unsigned w)
{
    unsigned slot = sm->tb_of[w];
    uint64_t freed;

    sm->view.live &= ~hd_bit((int)w);
    sm->progress_cycle = sm->view.cycle;
    sm->tbs[slot].finished++;
    hd_issue_wait(sm, &sm->membar, w, false); // recompute what waits
    tell(sm, HD_EV_WARP_EXIT, slot, w);
    freed = hd_barrier_exit(&sm->barriers[slot], (int)w);
    open_barrier(sm, slot, freed, w);
}

void hd_blocks_reclaim(struct hd_sm *sm, unsigned w)
{
    unsigned slot = sm->tb_of[w];

    sm->resident &= ~hd_bit((int)w);
    if (--sm->tb_warps_left[slot])
        return;
    sm->view.tb_live &= ~hd_bit((int)slot);
    sm->lost_known = 0;
    sm->stats.tbs++;
    tell(sm, HD_EV_TB_END, slot, w);
    sm->source.ops->tb_end(sm->source.self, slot);
}
