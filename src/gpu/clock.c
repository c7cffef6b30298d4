// clock.c - the machine's cycle, in the reference's order (timing-model 1.2), and idle skipping.
//
//   1. every SM takes replies from its port;
//   2. the memory side does the first part of its work (port.h);
//   3. the memory side does the rest, and every SM with work does one pipeline step; then the
//      contents of the SMs' outboxes are processed in index order (steps.c);
//   4. the cycle counter advances; 5. kernels and thread blocks begin and end.
//
// An SM in which nothing can happen sleeps until the cycle that it computes, a reply or a block.
// What changes only with time is added when it wakes (hd_sm_catch_up), so that every result is the
// same as if each cycle had been stepped. When all SMs sleep, the clock jumps.
#include "gpu/gpu_internal.h"

static unsigned take_replies_of(struct hd_gpu *g, unsigned i)
{
    unsigned did = hd_sm_replies(g->sms[i], g->cycle);

    if (did & HD_SM_REACHED)
        hd_machine_wake(g, i);
    if (g->mem.arrived && did & HD_SM_HOLDS)
        hd_bits_add(g->holding, i);
    else if (g->mem.arrived)
        hd_bits_drop(g->holding, i);
    return did;
}

static void take_replies(struct hd_gpu *g)
{
    unsigned did = 0;
    int i;

    if (!g->mem.arrived)
        for (unsigned k = 0; k < g->n_sms; k++)
            did |= take_replies_of(g, k);
    for (unsigned from = 0; g->mem.arrived && from < g->n_sms; from += 64)
        HD_EACH(i, g->mem.arrived[from / 64] | g->holding[from / 64])
            did |= take_replies_of(g, from + (unsigned)i);
    g->replying = did & HD_SM_HOLDS;
}

// Ends the run with the fault of the SM with the lowest number.
static void fault(struct hd_gpu *g)
{
    g->status = HD_RUN_FAULT;
    for (unsigned k = g->n_stepped; k--;)
        if (hd_sm_trapped(g->sms[g->stepped[k]]))
            g->trap = *hd_sm_trap(g->sms[g->stepped[k]]);
}

// Jumps to the next cycle in which anything can happen, and returns whether that is a later one. If
// every cycle is stepped, this only finds deadlocks.
static bool skip(struct hd_gpu *g)
{
    uint64_t next = g->mem.ops->wakes(g->mem.self, g->cycle - 1), n;

    if (next <= g->cycle || g->replying || hd_dispatch_possible(g))
        return false;
    for (unsigned i = 0; i < g->n_sms && next > g->cycle; i++) {
        uint64_t w = g->every_cycle ? hd_sm_wakes(g->sms[i], g->cycle - 1) : g->wakes[i];
        if (hd_machine_active(g, i) && w < next)
            next = w;
    }
    if (g->task_graph && g->n_running < g->n_slots) {
        uint64_t due = hd_task_graph_due(g);
        next = due < next ? due : next;
    }
    if (g->opens != UINT64_MAX && g->opens - 1 < next)
        next = g->opens - 1;
    if (next == UINT64_MAX) {
        hd_watchdog_deadlock(g, "no warp can ever issue again and nothing is in flight");
        return false;
    }
    if (g->options.max_cycles && next > g->options.max_cycles)
        next = g->options.max_cycles;
    if (next > g->hang_at)
        next = g->hang_at;
    if (next > g->observe_at)
        next = g->observe_at;
    if (next <= g->cycle || g->every_cycle)
        return false;
    n = next - g->cycle;
    g->mem.ops->skip(g->mem.self, n);
    g->cycle = next;
    return true;
}

// SMs whose last block has been reclaimed are free for any kernel. Where several kernels share an
// SM, another one may have to be charged.
static void release_sms(struct hd_gpu *g)
{
    for (unsigned k = 0; g->emptied && k < g->n_stepped; k++) {
        unsigned i = g->stepped[k];
        if (g->bound[i] != HD_NONE && (!g->live[i] || g->residents))
            hd_running_release(g, i);
    }
}

static void one_cycle(struct hd_gpu *g)
{
    unsigned did;

    if (g->mem.ops->between)
        g->mem.ops->between(g->mem.self);
    take_replies(g);
    g->memory_due = g->mem.ops->tick(g->mem.self, g->cycle);
    did = hd_steps_run(g);
    g->cycle++;
    if (did & HD_SM_TRAPPED) {
        if (g->cycle > g->observe_at)
            hd_observe(g);
        fault(g);
        return;
    }
    if (g->cycle > g->observe_at)
        hd_observe(g);
    if (*g->n_parked)
        hd_task_graph_parked(g);
    if (*g->n_tasks)
        hd_task_graph_collect(g);
    release_sms(g);
    if (g->cycle >= g->opens)
        hd_running_open(g);
    hd_dispatch_cycle(g);
    if (did & HD_SM_ENDED)
        hd_running_finish(g);
    if (hd_running_may_start(g))
        hd_running_start(g);
}

// Between kernels the machine runs until nothing is in flight; SMs are not stepped.
static void drain(struct hd_gpu *g)
{
    bool moved = true;

    while (moved || !g->mem.ops->idle(g->mem.self)) {
        moved = false;
        if (g->mem.ops->between)
            g->mem.ops->between(g->mem.self);
        for (unsigned i = 0; i < g->n_sms; i++)
            moved |= (take_replies_of(g, i) & HD_SM_MOVED) != 0;
        hd_mem_tick(&g->mem, g->cycle);
        g->cycle++;
    }
}

void hd_clock_run(struct hd_gpu *g)
{
    uint64_t from = g->cycle;

    hd_steps_begin_run(g);
    hd_watchdog_start(g);
    hd_running_begin_run(g);
    while (g->status == HD_RUN_OK && hd_launch_queue_waiting(g)) {
        one_cycle(g);
        if (g->status != HD_RUN_OK || !hd_launch_queue_waiting(g) ||
            (hd_limits_near(g) && hd_limits_reached(g)) ||
            (g->cycle >= g->hang_at && hd_watchdog_check(g)) || hd_limits_stopped(g))
            break;
        // The cycle that a limit ends with is not simulated, whether the last ones were skipped or
        // not.
        if (skip(g) && (hd_limits_reached(g) || hd_watchdog_check(g)))
            break;
    }
    g->elapsed += g->cycle - from;
    if (g->status == HD_RUN_OK) {
        for (unsigned i = 0; i < g->n_sms; i++)
            hd_sm_check_empty(g->sms[i]);
        drain(g);
    }
    hd_watchdog_end(g);
    hd_running_end_run(g);
}
