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
#include "gpu/gpu_internal.h"

#include <stdlib.h>

static inline void step_if_due(struct hd_gpu *g, unsigned i)
{
    struct hd_sm *sm = g->sms[i];
    unsigned did;

    if (!hd_machine_active(g, i) ||
        (g->wakes[i] > g->cycle && !g->every_cycle && !hd_sm_can_send(sm)))
        return;
    did = hd_sm_step(sm, g->cycle);
    g->wakes[i] = g->every_cycle ? g->cycle + 1 : hd_sm_wakes(sm, g->cycle);
    if (did) {
        g->stepped[g->n_stepped] = (uint16_t)i;
        g->did[g->n_stepped++] = (uint8_t)did;
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

unsigned hd_steps_run(struct hd_gpu *g)
{
    g->n_stepped = 0;
    g->stepping = true;
    if (g->options.record)
        hd_record_step(g->options.record);
    if (g->step_order)
        step_shuffled(g);
    else
        for (unsigned i = 0; i < g->n_sms; i++)
            step_if_due(g, i);
    g->stepping = false;
    if (g->options.record)
        hd_record_settle(g->options.record);
    return merge(g);
}
