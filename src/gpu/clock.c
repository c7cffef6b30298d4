// clock.c - the machine's cycle, in the reference's order (timing-model 1.2), and idle skipping.
//
//   1. every SM takes replies from its port;
//   2. the memory side does its whole share;
//   3. every SM with work does one pipeline step, in index order; its stores become visible;
//   4. the cycle counter moves; 5. thread blocks are dispatched.
//
// An SM in which nothing can happen sleeps until the cycle it names, a reply or a block; what
// changes by time alone is made up for when it wakes (hd_sm_catch_up), so that every result is the
// same as if each cycle had been stepped. When everybody sleeps the clock jumps.
#include "gpu/machine.h"

static unsigned take_replies_of(struct hd_gpu *g, unsigned i)
{
    unsigned did = hd_sm_replies(g->sms[i], g->cycle);

    if (did & HD_SM_MOVED)
        g->wakes[i] = g->cycle;
    if (g->mem.arrived)
        g->holding = did & HD_SM_HOLDS ? g->holding | hd_bit((int)i) : g->holding & ~hd_bit((int)i);
    return did;
}

// A memory that says which SMs it has replies for has at most 64 of them.
static void take_replies(struct hd_gpu *g)
{
    uint64_t due = g->mem.arrived ? *g->mem.arrived | g->holding : 0;
    int i;

    if (!g->mem.arrived)
        for (unsigned k = 0; k < g->n_sms; k++)
            take_replies_of(g, k);
    HD_EACH(i, due)
        take_replies_of(g, (unsigned)i);
}

// Blocks of an SM that have ended in this cycle count for its kernel.
static void count_done(struct hd_gpu *g, unsigned i)
{
    unsigned live = hd_sm_live_tbs(g->sms[i]);

    g->full = false;
    g->running[g->bound[i]].tbs_done += g->live[i] - live;
    g->live[i] = (uint8_t)live;
    g->emptied |= !live;
}

// What came of it, of all SMs together: a set of enum hd_sm_did.
static unsigned step_sms(struct hd_gpu *g)
{
    unsigned all = 0;

    g->n_stepped = 0;
    g->emptied = false;
    for (unsigned i = 0; i < g->n_sms; i++) {
        struct hd_sm *sm = g->sms[i];
        unsigned did;

        if (!hd_machine_active(g, i) ||
            (g->wakes[i] > g->cycle && !g->options.no_skip && !hd_sm_can_send(sm)))
            continue;
        did = hd_sm_step(sm, g->cycle);
        g->wakes[i] = g->options.no_skip ? g->cycle + 1 : hd_sm_wakes(sm, g->cycle);
        if (!did)
            continue;
        all |= did;
        g->stepped[g->n_stepped] = (uint16_t)i;
        g->did[g->n_stepped++] = (uint8_t)did;
        if (did & HD_SM_ENDED)
            count_done(g, i);
    }
    return all;
}

// Plain stores of this cycle reach memory in the order of the SMs, whatever order stepped them, and
// so do calls of the device's runtime, which may fault: a set of enum hd_sm_did.
static unsigned commit_stores(struct hd_gpu *g)
{
    unsigned did = 0;

    for (unsigned k = 0; k < g->n_stepped; k++)
        if (g->did[k] & HD_SM_STORES)
            did |= hd_sm_commit(g->sms[g->stepped[k]]);
    return did;
}

// The first SM's fault is the run's.
static void fault(struct hd_gpu *g)
{
    g->status = HD_RUN_FAULT;
    for (unsigned k = g->n_stepped; k--;)
        if (hd_sm_trapped(g->sms[g->stepped[k]]))
            g->trap = *hd_sm_trap(g->sms[g->stepped[k]]);
}

static uint64_t issued(const struct hd_gpu *g)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < g->n_sms; i++)
        n += hd_sm_stats(g->sms[i])->issued;
    return n;
}

static bool over_limit(struct hd_gpu *g)
{
    const struct hd_gpu_options *o = &g->options;

    if ((o->max_cycles && g->cycle >= o->max_cycles) || (o->max_insts && issued(g) >= o->max_insts))
        g->status = HD_RUN_LIMIT;
    return g->status == HD_RUN_LIMIT;
}

// Often enough to end soon after Ctrl-C, too seldom to cost anything.
#define PROGRESS_STEPS ((uint64_t)1 << 13)

static bool stopped(struct hd_gpu *g)
{
    const struct hd_gpu_options *o = &g->options;

    if (++g->steps % PROGRESS_STEPS || !o->progress)
        return false;
    struct hd_gpu_progress p = {.cycle = g->cycle, .warp_insts = issued(g)};
    for (unsigned i = 0; i < g->n_slots; i++)
        if (g->running[i].launch) {
            p.blocks += g->running[i].n_tbs;
            p.blocks_done += g->running[i].tbs_done;
        }
    if (o->progress(o->progress_ctx, &p))
        return false;
    g->status = HD_RUN_STOPPED;
    return true;
}

// Jump to the next cycle in which anything can happen. With --no-skip this finds deadlocks only.
static void skip(struct hd_gpu *g)
{
    uint64_t next = g->mem.ops->wakes(g->mem.self, g->cycle - 1), n;

    if (next <= g->cycle || hd_dispatch_possible(g))
        return;
    for (unsigned i = 0; i < g->n_sms && next > g->cycle; i++) {
        uint64_t w = g->options.no_skip ? hd_sm_wakes(g->sms[i], g->cycle - 1) : g->wakes[i];
        if (hd_machine_active(g, i) && w < next)
            next = w;
    }
    if (g->families && g->n_running < g->n_slots) {
        uint64_t due = hd_families_due(g);
        next = due < next ? due : next;
    }
    if (next == UINT64_MAX) {
        hd_hang_deadlock(g, "no warp can ever issue again and nothing is in flight");
        return;
    }
    if (g->options.max_cycles && next > g->options.max_cycles)
        next = g->options.max_cycles;
    if (next > g->hang_at)
        next = g->hang_at;
    if (g->metrics && next > hd_metrics_due(g))
        next = hd_metrics_due(g);
    if (next <= g->cycle || g->options.no_skip)
        return;
    n = next - g->cycle;
    g->mem.ops->skip(g->mem.self, n);
    g->cycle = next;
}

// SMs whose last block has been reclaimed are free for any kernel.
static void release_sms(struct hd_gpu *g)
{
    for (unsigned k = 0; g->emptied && k < g->n_stepped; k++) {
        unsigned i = g->stepped[k];
        if (g->bound[i] != HD_NONE && !g->live[i])
            hd_kernels_release(g, i);
    }
}

static void one_cycle(struct hd_gpu *g)
{
    unsigned did;

    take_replies(g);
    g->mem.ops->tick(g->mem.self, g->cycle);
    did = step_sms(g);
    did |= commit_stores(g);
    g->cycle++;
    if (did & HD_SM_TRAPPED) {
        fault(g);
        return;
    }
    if (g->metrics && g->cycle > hd_metrics_due(g))
        hd_metrics_sample(g);
    if (*g->n_parked)
        hd_families_parked(g);
    if (*g->n_tasks)
        hd_families_collect(g);
    release_sms(g);
    hd_dispatch_cycle(g);
    if (did & HD_SM_ENDED)
        hd_kernels_finish(g);
    if (hd_kernels_waiting(g) && g->n_running < g->n_slots)
        hd_kernels_start(g);
}

// Between kernels the machine runs on until nothing is in flight; SMs are not stepped.
static void drain(struct hd_gpu *g)
{
    bool moved = true;

    while (moved || !g->mem.ops->idle(g->mem.self)) {
        moved = false;
        for (unsigned i = 0; i < g->n_sms; i++)
            moved |= (take_replies_of(g, i) & HD_SM_MOVED) != 0;
        g->mem.ops->tick(g->mem.self, g->cycle);
        g->cycle++;
    }
}

void hd_clock_run(struct hd_gpu *g)
{
    hd_kernels_begin_run(g);
    while (g->status == HD_RUN_OK && hd_kernels_waiting(g)) {
        one_cycle(g);
        if (g->status != HD_RUN_OK || !hd_kernels_waiting(g) || over_limit(g) || hd_hang_check(g) ||
            stopped(g))
            break;
        skip(g);
    }
    if (g->status == HD_RUN_OK) {
        for (unsigned i = 0; i < g->n_sms; i++)
            hd_sm_check_empty(g->sms[i]);
        drain(g);
    }
    hd_kernels_end_run(g);
}
