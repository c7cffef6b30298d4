// running.c - running kernels: their slots, the SMs bound to them, and which kernel the machine's
// counts are charged to.
//
// A launch takes a running slot when its stream's earlier ones are complete (timing-model 2.1). An
// SM is bound to one kernel from its first block until its last one has been reclaimed. What an SM
// counts while bound is that kernel's; what it counts unbound is charged to the kernel that has
// been running longest, so the counts of all kernels together are those of the machine, and those
// of a kernel that runs alone account for all its cycles. With sm.share see residents.c.
#include "gpu/gpu_internal.h"

#include "emu/parked_block.h"

#include <string.h>

static struct hd_kernel_result *result_of(const struct hd_gpu *g, int slot)
{
    return &g->queue[g->running[slot].launch->id].result;
}

// The running kernel with the smallest launch number, HD_NONE if none runs.
static int oldest(const struct hd_gpu *g)
{
    int best = HD_NONE;

    for (int k = 0; k < (int)g->n_slots; k++)
        if (g->running[k].launch &&
            (best == HD_NONE || g->running[k].launch->id < g->running[best].launch->id))
            best = k;
    return best;
}

// Charges what SM i has counted since the last call.
static void settle(struct hd_gpu *g, unsigned i)
{
    int owner = g->bound[i] != HD_NONE ? g->bound[i] : oldest(g);
    struct hd_sm_stats now, more;

    hd_machine_catch_up(g, i);
    more = now = *hd_sm_stats(g->sms[i]);
    hd_stats_sub_sm(&more, &g->settled[i]);
    if (g->residents)
        hd_residents_settle(g, i, &more);
    if (owner != HD_NONE) {
        struct hd_kernel_result *r = result_of(g, owner);
        hd_stats_add_sm(&r->sm, &more);
        if (g->metrics)
            hd_metrics_settle(g, i, r->launch->id);
        if (g->profiles[i]) {
            hd_profile_add(&r->profile, &g->profiles[i]->counts, false);
            hd_profile_add(&r->profile, &g->settled_counts[i], true);
        }
    }
    // Cycles between kernels, in which children are on their way, are charged to none.
    if (owner == HD_NONE && g->cycleviews)
        hd_cycleviews_uncharged(g, &more);
    if (g->profiles[i])
        g->settled_counts[i] = g->profiles[i]->counts;
    g->settled[i] = now;
}

static void settle_all(struct hd_gpu *g)
{
    for (unsigned i = 0; i < g->n_sms; i++)
        settle(g, i);
}

static void report(struct hd_gpu *g, unsigned i, enum hd_event_kind kind, uint32_t launch)
{
    hd_sm_event(g->sms[i], &(struct hd_event){.kind = (uint8_t)kind, .kernel = launch});
}

static void charge_to(struct hd_gpu *g, unsigned sm, const struct hd_running *k)
{
    struct hd_profile *all = hd_profiles_of(k->program, k->launch->kernel);

    g->profiles[sm] = all ? &all[sm] : NULL;
    if (g->profiles[sm])
        g->settled_counts[sm] = g->profiles[sm]->counts;
    hd_sm_set_profile(g->sms[sm], g->profiles[sm]);
}

// Whether the policies of the SM have not been informed of the kernel's start there.
static bool is_new_on(struct hd_gpu *g, unsigned sm, struct hd_running *k)
{
    uint64_t *known = &k->started_on[sm / 64], bit = hd_bit((int)(sm % 64));
    bool new = g->residents ? !(*known & bit) : g->reported_start[sm] != k->launch->id + 1;

    *known |= bit;
    g->reported_start[sm] = k->launch->id + 1;
    return new;
}

static void bind_empty(struct hd_gpu *g, unsigned sm, const struct hd_running *k)
{
    const struct hd_gpu_program *p = k->program;
    unsigned most = g->config.sm.tbs; // a shared SM holds blocks until something is used up

    settle(g, sm);
    g->bound[sm] = (int8_t)(k - g->running);
    if (!g->replay)
        hd_emu_bind(g->emu, sm);
    hd_sm_prepare(g->sms[sm], g->arena, k->launch, hd_progpoints_view(p, k->launch->kernel),
                  p->units, g->residents ? most : k->max_tbs,
                  g->residents ? most : hd_residency_fits(&g->config, k->launch), g->cycle);
    charge_to(g, sm, k);
}

void hd_running_bind(struct hd_gpu *g, unsigned sm, int slot)
{
    struct hd_running *k = &g->running[slot];

    if (g->bound[sm] == HD_NONE)
        bind_empty(g, sm, k);
    g->last_kernel = slot;
    if (is_new_on(g, sm, k))
        report(g, sm, HD_EV_KERNEL_START, k->launch->id);
}

void hd_running_placed(struct hd_gpu *g, unsigned sm, int slot, unsigned tb)
{
    const struct hd_running *k = &g->running[slot];
    struct hd_profile *all = hd_profiles_of(k->program, k->launch->kernel);

    hd_residents_placed(g, sm, slot, tb);
    if (all)
        hd_sm_set_block_profile(g->sms[sm], tb, &all[sm]);
}

void hd_running_release(struct hd_gpu *g, unsigned sm)
{
    if (g->residents && !hd_residents_leave(g, sm))
        return;
    settle(g, sm); // what its blocks have counted, too, before their slots are used again
    if (g->residents && hd_residents_holds(g, sm, g->bound[sm]))
        return;
    g->bound[sm] = (int8_t)(g->residents ? hd_residents_oldest(g, sm) : HD_NONE);
    if (g->bound[sm] == HD_NONE)
        return;
    charge_to(g, sm, &g->running[g->bound[sm]]);
    hd_sm_set_kernel(g->sms[sm], g->running[g->bound[sm]].launch->id);
}

// How long the blocks of a kernel of the host have to wait. Launches by kernels have times of their
// own (task_graph.c).
static uint64_t opens_at(const struct hd_gpu *g, uint32_t launch, uint32_t n_tbs)
{
    const struct hd_config_launch *c = &g->config.launch;
    uint64_t wait = c->latency + (uint64_t)c->per_block * n_tbs;

    return wait && !g->queue[launch].task ? g->cycle + 1 + wait : 0;
}

// The blocks of kernels whose time has come may start.
void hd_running_open(struct hd_gpu *g)
{
    for (unsigned i = 0; i < g->n_sms; i++) {
        hd_machine_catch_up(g, i);
        hd_machine_wake(g, i);
    }
    g->full = false;
    g->opens = UINT64_MAX;
    for (unsigned slot = 0; slot < g->n_slots; slot++) {
        struct hd_running *k = &g->running[slot];
        if (!k->launch || !k->opens)
            continue;
        if (k->opens > g->cycle) {
            g->opens = k->opens < g->opens ? k->opens : g->opens;
            continue;
        }
        k->opens = 0;
        g->tbs_left += k->n_tbs;
    }
}

// Gives the kernel a free slot.
static struct hd_running *enter(struct hd_gpu *g, const struct hd_running *k)
{
    struct hd_running *own = g->running;

    while (own->launch)
        own++;
    // Cycles until now belong to the other kernels, and SMs without work were not stepped in them.
    settle_all(g);
    if (g->metrics) {
        hd_metrics_kernel_starts(g);
        hd_observe_plan(g);
    }
    *own = *k;
    g->n_running++;
    g->full = false;
    if (k->opens)
        g->opens = k->opens < g->opens ? k->opens : g->opens;
    else
        g->tbs_left += k->n_tbs - k->given + g->queue[k->launch->id].n_back;
    for (unsigned i = 0; i < g->n_sms; i++) {
        hd_machine_wake(g, i);
        if (!g->profiles[i]) // cycles before its first block, and of an SM without one, count too
            charge_to(g, i, own);
    }
    return own;
}

static void start(struct hd_gpu *g, uint32_t launch)
{
    struct hd_kernel_result *r = &g->queue[launch].result;
    const struct hd_launch *l = r->launch;
    const uint32_t n_tbs = l->grid[0] * l->grid[1] * l->grid[2];
    const struct hd_running k = {.launch = l,
                                 .program = hd_gpu_program_of(g, l->program),
                                 .n_tbs = n_tbs,
                                 .max_tbs = r->tbs_per_sm,
                                 .start = g->cycle,
                                 .opens = opens_at(g, launch, n_tbs),
                                 .mem_before = g->mem.ops->stats(g->mem.self)};

    g->queue[launch].started = g->queue[launch].timed = true;
    r->slot = (uint32_t)(enter(g, &k) - g->running);
}

// All blocks that have not ended are parked: frees the slot for the kernels that they wait for.
static void give_up_slot(struct hd_gpu *g, int slot)
{
    struct hd_running *k = &g->running[slot];
    struct hd_queued *q = &g->queue[k->launch->id];

    if (k->given < k->n_tbs || q->n_back || k->tbs_done + q->n_away < k->n_tbs)
        return;
    settle_all(g);
    if (!q->held)
        q->held = HD_NEW(g->arena, hd_running);
    *q->held = *k;
    k->launch = NULL;
    g->n_running--;
    g->full = false;
}

// The kernels that a policy chooses take the free slots.
static void start_chosen(struct hd_gpu *g)
{
    uint32_t launch;

    while (g->n_running < g->n_slots && (launch = hd_admit_choose(g)) != UINT32_MAX) {
        start(g, launch);
        if (g->queue[launch].result.launch->parent)
            g->start = g->cycle;
    }
}

void hd_running_start(struct hd_gpu *g)
{
    uint32_t child;

    while (g->n_running < g->n_slots && (child = hd_parked_take_again(g)) != UINT32_MAX)
        enter(g, g->queue[child].held);
    while (g->first_waiting < g->n_hosts && g->queue[g->hosts[g->first_waiting]].started)
        g->first_waiting++;
    if (hd_admit_by_policy(g)) {
        start_chosen(g);
        return;
    }
    for (size_t i = g->first_waiting; i + g->n_held < g->n_hosts && g->n_running < g->n_slots; i++)
        if (!g->queue[g->hosts[i]].started && hd_admit_stream_free(g, i))
            start(g, g->hosts[i]);
    while (g->task_graph && g->n_running < g->n_slots &&
           (child = hd_task_graph_next(g)) != UINT32_MAX) {
        start(g, child);
        g->start = g->cycle;
    }
}

static void finish(struct hd_gpu *g, int slot)
{
    struct hd_running *k = &g->running[slot];
    struct hd_kernel_result *r = result_of(g, slot);

    settle_all(g);
    r->start_cycle = k->start;
    r->end_cycle = g->cycle;
    r->cycles = g->cycle - k->start;
    if (g->residents)
        r->sm.tbs = k->tbs_done;
    r->mem = g->mem.ops->stats(g->mem.self);
    hd_stats_sub_mem(&r->mem, &k->mem_before);
    g->insts += r->sm.warp_insts;
}

void hd_running_finish(struct hd_gpu *g)
{
    for (int slot = 0; slot < (int)g->n_slots && g->n_running; slot++) {
        struct hd_running *k = &g->running[slot];
        if (k->launch && k->tbs_done < k->n_tbs && g->queue[k->launch->id].n_away)
            give_up_slot(g, slot);
        if (!k->launch || k->tbs_done < k->n_tbs)
            continue;
        finish(g, slot);
        for (unsigned i = 0; i < g->n_sms; i++)
            report(g, i, HD_EV_KERNEL_END, k->launch->id);
        if (g->reuse)
            hd_gpu_reuse_kernel_ended(g, k->launch->id);
        g->queue[k->launch->id].ended = true;
        g->n_ended++;
        g->n_running--;
        g->full = false;
        g->last_mem_before = k->mem_before;
        g->last_ended = k->launch->id;
        k->launch = NULL;
        if (g->options.record)
            hd_record_ended(g->options.record);
        hd_task_graph_ended(g, g->last_ended);
    }
}

void hd_running_begin_run(struct hd_gpu *g)
{
    g->start = g->cycle;
    g->mem.ops->restart(g->mem.self);
    for (unsigned i = 0; i < g->n_sms; i++) {
        hd_sm_resume(g->sms[i], g->cycle);
        g->settled[i] = *hd_sm_stats(g->sms[i]);
    }
    hd_running_start(g);
}

void hd_running_end_run(struct hd_gpu *g)
{
    if (g->status == HD_RUN_OK) { // the last kernel's requests have been answered since
        struct hd_kernel_result *r = &g->queue[g->last_ended].result;
        r->end_cycle = g->cycle;
        r->mem = g->mem.ops->stats(g->mem.self);
        hd_stats_sub_mem(&r->mem, &g->last_mem_before);
        return;
    }
    for (int slot = 0; slot < (int)g->n_slots; slot++)
        if (g->running[slot].launch)
            finish(g, slot);
}
