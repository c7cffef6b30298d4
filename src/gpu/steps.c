// steps.c - the SMs' part of a cycle, in two phases.
//
// First every SM that has work makes its step. A step changes only what belongs to its SM: the SM,
// its instruction source, its side of its port (heddle/port.h), its entries in the columns of the
// machine, its outbox of events (gpu_events.c). It reads only what no step changes: configuration
// and program, the values in memory, the machine's data. So the steps of a cycle may be made in any
// order.
//
// Then what the steps left in their outboxes is taken over, SM by SM in index order: what a
// recorder has seen, requests, events, ended blocks, stores, and calls of the device's runtime,
// which may fault.
//
// With --threads, the SMs that have work step side by side in a team (team.h). What the machine
// must know of a step is then written to the SM's own slot and entered into the machine's columns
// afterwards, in index order.
#include "base/processors.h"
#include "gpu/gpu_internal.h"
#include "gpu/team.h"

#include <stdlib.h>

static inline bool is_due(const struct hd_gpu *g, unsigned i)
{
    return hd_machine_active(g, i) &&
           (g->wakes[i] <= g->cycle || g->every_cycle || hd_sm_can_send(g->sms[i]));
}

static inline uint64_t wakes_after(const struct hd_gpu *g, struct hd_sm *sm)
{
    return g->every_cycle ? g->cycle + 1 : hd_sm_wakes(sm, g->cycle);
}

static inline void note(struct hd_gpu *g, unsigned i, unsigned did)
{
    if (did) {
        g->stepped[g->n_stepped] = (uint16_t)i;
        g->did[g->n_stepped++] = (uint8_t)did;
    }
}

static inline void step(struct hd_gpu *g, unsigned i)
{
    unsigned did = hd_sm_step(g->sms[i], g->cycle);

    g->wakes[i] = wakes_after(g, g->sms[i]);
    note(g, i, did);
}

static inline void step_if_due(struct hd_gpu *g, unsigned i)
{
    if (is_due(g, i))
        step(g, i);
}

// What a member of the team reports of an SM's step. A slot has a line for itself.
struct hd_step_slot {
    _Alignas(64) uint64_t wakes;
    unsigned did;
};

static void step_into_slot(void *ctx, unsigned i)
{
    const struct hd_gpu *g = ctx;
    struct hd_step_slot *slot = &g->team_slots[i];

    slot->did = hd_sm_step(g->sms[i], g->cycle);
    slot->wakes = wakes_after(g, g->sms[i]);
}

// With so few SMs to step, the others are done before a second thread has begun.
#define TOO_FEW 3

static void step_together(struct hd_gpu *g)
{
    unsigned n = 0;

    for (unsigned i = 0; i < g->n_sms; i++)
        if (is_due(g, i))
            g->due[n++] = (uint16_t)i;
    if (n < TOO_FEW) {
        for (unsigned k = 0; k < n; k++)
            step(g, g->due[k]);
        return;
    }
    hd_team_run(g->team, step_into_slot, g, g->due, n);
    for (unsigned k = 0; k < n; k++) {
        unsigned i = g->due[k];
        g->wakes[i] = g->team_slots[i].wakes;
        note(g, i, g->team_slots[i].did);
    }
}

// For tests: a new random order in each cycle (xorshift64, Fisher-Yates). The results of the steps
// are sorted by SM again.
static void step_shuffled(struct hd_gpu *g)
{
    uint16_t order[HD_MAX_SMS] = {0};
    uint64_t *draw = &g->step_order;

    for (unsigned i = 0; i < g->n_sms; i++) {
        *draw ^= *draw << 13;
        *draw ^= *draw >> 7;
        *draw ^= *draw << 17;
        unsigned other = (unsigned)(*draw % (i + 1));
        order[i] = order[other];
        order[other] = (uint16_t)i;
    }
    for (unsigned k = 0; k < g->n_sms; k++)
        step_if_due(g, order[k]);
    for (unsigned k = 1; k < g->n_stepped; k++)
        for (unsigned at = k; at && g->stepped[at - 1] > g->stepped[at]; at--) {
            uint16_t sm = g->stepped[at];
            uint8_t did = g->did[at];
            g->stepped[at] = g->stepped[at - 1];
            g->did[at] = g->did[at - 1];
            g->stepped[at - 1] = sm;
            g->did[at - 1] = did;
        }
}

// Counts the blocks of an SM that have ended in this cycle for their kernels.
static void count_done(struct hd_gpu *g, unsigned i)
{
    unsigned live = hd_sm_live_tbs(g->sms[i]);

    g->full = false;
    if (g->residents)
        hd_residents_ended(g, i);
    else
        g->running[g->bound[i]].tbs_done += g->live[i] - live;
    g->live[i] = (uint8_t)live;
    g->emptied |= !live || g->residents;
}

static unsigned merge(struct hd_gpu *g)
{
    unsigned all = 0;

    g->emptied = false;
    for (unsigned i = 0; g->gpu_events && i < g->n_sms; i++)
        hd_gpu_events_deliver(g, i);
    if (g->reuse)
        hd_gpu_reuse_deliver(g);
    for (unsigned k = 0; k < g->n_stepped; k++) {
        unsigned i = g->stepped[k], did = g->did[k];

        all |= did;
        if (did & HD_SM_PUSHED)
            g->mem.ops->settle(g->mem.self, i);
        if (did & HD_SM_ENDED)
            count_done(g, i);
        if (did & HD_SM_STORES)
            all |= hd_sm_commit(g->sms[i]);
    }
    return all;
}

// For tests, like HEDDLE_LANES: no result depends on the order in which SMs step within a cycle.
void hd_steps_new(struct hd_gpu *g)
{
    const char *seed = getenv("HEDDLE_STEP_ORDER");

    g->step_order = seed ? strtoull(seed, NULL, 10) : 0;
}

// A policy's functions of an SM receive the machine's state too. Only those of the machine may
// write to it, but nothing prevents a plug-in from doing it, so such policies are not called by
// several threads.
static bool shares_state(const struct hd_policy *p)
{
    return p->gpu_bytes && (p->begin || p->end || p->on);
}

// In most cycles some SMs sleep, and the slowest one of the others decides how long the step takes,
// so a thread pays only if it has two SMs.
static unsigned threads_of(const struct hd_gpu *g)
{
    unsigned most = g->n_sms < HD_TEAM_MOST ? g->n_sms : HD_TEAM_MOST, n = g->options.threads;

    if (n == HD_GPU_THREADS_THAT_PAY) {
        n = hd_processors_usable(g->arena);
        most = (most + 1) / 2;
    }
    return n < most ? n : most;
}

void hd_steps_begin_run(struct hd_gpu *g)
{
    unsigned threads;

    if (g->team || g->options.threads < 2 || g->step_order)
        return;
    threads = threads_of(g);
    if (threads < 2)
        return;
    for (unsigned k = 0; k < g->n_policies; k++)
        if (shares_state(g->policies[k].choice.policy))
            return;
    g->team_slots = HD_ARRAY(g->arena, struct hd_step_slot, g->n_sms);
    g->due = HD_ARRAY(g->arena, uint16_t, g->n_sms);
    g->team = hd_team_new(g->arena, threads, g->n_sms);
}

void hd_steps_free(struct hd_gpu *g)
{
    hd_team_free(g->team);
}

unsigned hd_steps_run(struct hd_gpu *g)
{
    g->n_stepped = 0;
    g->stepping = true;
    if (g->options.record)
        hd_record_step(g->options.record);
    if (g->step_order)
        step_shuffled(g);
    else if (g->team)
        step_together(g);
    else
        for (unsigned i = 0; i < g->n_sms; i++)
            step_if_due(g, i);
    g->stepping = false;
    if (g->options.record)
        hd_record_settle(g->options.record);
    return merge(g);
}
