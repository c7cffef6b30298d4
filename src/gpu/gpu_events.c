// gpu_events.c - policies that watch the whole machine (hd_policy.on_gpu).
//
// Events that happen while SMs step are kept in an outbox of each SM and reported when all have
// stepped, SM by SM, so that they are in (cycle, SM) order and no policy sees a machine of which
// only some SMs have stepped. Events between cycles are reported at once, in the order in which the
// machine visits the SMs. Without such a policy nothing here is called.
#include "gpu/gpu_internal.h"

// More than one step of an SM can produce: a few events per issue, load and access, and one for
// each warp and block that ends or leaves.
#define MOST_EVENTS 1024

struct outbox {
    _Alignas(64) unsigned n;
    struct hd_event *events;
};

struct hd_gpu_events {
    struct outbox *outboxes;     // by SM
    struct hd_sm_watch *watches; // by SM
};

static bool observes(const struct hd_gpu *g, unsigned k)
{
    const struct hd_policy *p = g->policies[k].choice.policy;

    return p->on_gpu && p->gpu_events;
}

static void report(struct hd_gpu *g, unsigned sm, const struct hd_event *e)
{
    struct hd_kernel_view kernels[HD_RUNNING];
    struct hd_gpu_view v;

    hd_view_machine(g, &v, kernels);
    for (unsigned k = 0; k < g->n_policies; k++) {
        const struct hd_gpu_policy *p = &g->policies[k];
        if (observes(g, k) && (p->choice.policy->gpu_events & HD_ON(e->kind)))
            p->choice.policy->on_gpu(hd_gpu_policy_state(p, sm), &v, e, (int)sm);
    }
}

static void watch(void *ctx, unsigned sm, const struct hd_event *e)
{
    struct hd_gpu *g = ctx;
    struct outbox *box = &g->gpu_events->outboxes[sm];

    if (!g->stepping) {
        report(g, sm, e);
        return;
    }
    HD_BUG_IF(box->n == MOST_EVENTS, "SM %u raises more than %d events in a step", sm, MOST_EVENTS);
    box->events[box->n++] = *e;
}

void hd_gpu_events_deliver(struct hd_gpu *g, unsigned sm)
{
    struct outbox *box = &g->gpu_events->outboxes[sm];

    for (unsigned i = 0; i < box->n; i++)
        report(g, sm, &box->events[i]);
    box->n = 0;
}

void hd_gpu_events_new(struct hd_gpu *g)
{
    struct hd_gpu_events *own;
    uint32_t events = 0;

    for (unsigned k = 0; k < g->n_policies; k++)
        events |= observes(g, k) ? g->policies[k].choice.policy->gpu_events : 0;
    if (!events)
        return;
    own = g->gpu_events = HD_NEW(g->arena, hd_gpu_events);
    own->outboxes = HD_ARRAY(g->arena, struct outbox, g->n_sms);
    own->watches = HD_ARRAY(g->arena, struct hd_sm_watch, g->n_sms);
    for (unsigned i = 0; i < g->n_sms; i++) {
        own->outboxes[i].events = HD_ARRAY(g->arena, struct hd_event, MOST_EVENTS);
        own->watches[i] = (struct hd_sm_watch){.on = watch, .ctx = g, .events = events};
        hd_sm_add_watch(g->sms[i], &own->watches[i]);
    }
}
