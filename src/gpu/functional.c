// functional.c - runs without timing: one kernel after the other, results and instruction counts
// only.
#include "base/hostclock.h"
#include "gpu/gpu_internal.h"

#include "base/processors.h"
#include "emu/parked_block.h"
#include "gpu/team.h"

// With --threads 0, so many warp instructions are executed on one thread, in about 10 milliseconds:
// runs that end before were slower on two (measured on jobs of 20 launches).
#define REPAYS 1500000

static bool look_functional(void *ctx, uint64_t warp_insts)
{
    const struct hd_gpu *g = ctx;
    const struct hd_gpu_options *o = &g->options;
    const struct hd_gpu_progress p = {.warp_insts = g->insts + warp_insts};

    return !o->progress || o->progress(o->progress_ctx, &p);
}

static void note_end(struct hd_gpu *g, const struct hd_emu_result *e)
{
    if (e->trap.kind != HD_TRAP_NONE) {
        g->trap = e->trap;
        g->status = HD_RUN_FAULT;
    } else if (e->deadlock) {
        hd_watchdog_functional(g, HD_RUN_DEADLOCK, e);
    } else if (e->livelock) {
        hd_watchdog_functional(g, HD_RUN_LIVELOCK, e);
    } else if (e->limit) {
        g->status = HD_RUN_LIMIT;
    } else if (e->stopped) {
        g->status = HD_RUN_STOPPED;
    }
}

// Runs a launch, or one of its blocks that may continue, without timing: results and instruction
// counts only.
static void run_functional(struct hd_gpu *g, uint32_t launch, const struct hd_parked_block *parked)
{
    const struct hd_launch *l = g->queue[launch].result.launch;
    uint64_t limit = g->options.max_insts;
    struct hd_emu_patience patience = {.warp_insts = limit ? limit - g->insts : 0,
                                       .blocks = hd_occupancy(&g->config, l),
                                       .look = look_functional,
                                       .ctx = g};
    struct hd_kernel_result *r;
    struct hd_emu_result e;

    if (limit && limit <= g->insts) {
        g->status = HD_RUN_LIMIT;
        return;
    }
    g->queue[launch].started = true;
    if (parked)
        hd_emu_resume(g->emu, parked, &patience, &e);
    else
        hd_emu_run(g->emu, l, &patience, &e);
    if (*g->n_parked)
        hd_task_graph_parked(g);
    r = &g->queue[launch].result; // it may have launched others, which can move the queue
    r->sm.warp_insts += e.warp_insts;
    r->sm.thread_insts += e.thread_insts;
    r->sm.long_insts += e.long_insts;
    g->insts += e.warp_insts;
    note_end(g, &e);
}

// The next launch without timing: first one that has waited, then one of a kernel, then one of the
// host. UINT32_MAX if there is none.
static uint32_t next_functional(struct hd_gpu *g)
{
    uint32_t next;

    do // its blocks may have continued at once
        next = hd_parked_take_again(g);
    while (next != UINT32_MAX && !g->queue[next].n_back);
    if (next == UINT32_MAX)
        next = hd_task_graph_next(g);
    if (next != UINT32_MAX || g->first_waiting == g->n_hosts)
        return next;
    return g->hosts[g->first_waiting++];
}

static void run_pieces(void *ctx, void (*piece)(void *arg, unsigned i), void *arg, unsigned n)
{
    struct hd_gpu *g = ctx;
    uint16_t all[HD_TEAM_MOST];

    for (unsigned i = 0; i < n; i++)
        all[i] = (uint16_t)i;
    hd_team_run(g->team, piece, arg, all, n);
}

// With several threads, blocks run side by side.
static unsigned members(const struct hd_gpu *g)
{
    unsigned most = g->n_sms < HD_TEAM_MOST ? g->n_sms : HD_TEAM_MOST, n = g->options.threads;

    if (n == HD_GPU_THREADS_THAT_PAY)
        n = hd_processors_usable(g->arena);
    return n < most ? n : most;
}

void hd_functional_share(struct hd_gpu *g)
{
    if (g->team)
        hd_emu_help(g->emu, &(struct hd_emu_helpers){
                                .members = members(g),
                                .after = g->options.threads == HD_GPU_THREADS_THAT_PAY ? REPAYS : 0,
                                .run = run_pieces,
                                .ctx = g,
                                .now = hd_hostclock_now});
}

static void find_helpers(struct hd_gpu *g)
{
    unsigned n = members(g);

    if (g->team || n < 2)
        return;
    g->team = hd_team_new(g->arena, n, n);
    hd_functional_share(g);
}

void hd_functional_launch(struct hd_gpu *g, uint32_t launch)
{
    struct hd_parked_block *parked = hd_parked_take_back(g, launch);

    do
        run_functional(g, launch, parked);
    while (g->status == HD_RUN_OK && (parked = hd_parked_take_back(g, launch)));
    if (g->status == HD_RUN_OK && g->queue[launch].n_away)
        return;
    g->queue[launch].ended = true;
    g->n_ended++;
    if (g->options.record)
        hd_record_ended(g->options.record);
    if (g->status == HD_RUN_OK)
        hd_task_graph_ended(g, launch);
}

void hd_functional_run(struct hd_gpu *g)
{
    uint32_t launch;

    find_helpers(g);
    while (g->status == HD_RUN_OK && (launch = next_functional(g)) != UINT32_MAX)
        hd_functional_launch(g, launch);
    HD_BUG_IF(g->status == HD_RUN_OK && g->n_ended < g->n_queue, "a kernel waits for nothing");
}
