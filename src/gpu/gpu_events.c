// gpu_events.c - policies that watch the whole machine (hd_policy.on_gpu).
//
// SMs are stepped in index order, so what they tell arrives in (cycle, SM) order; events between
// cycles come SM by SM, as the machine visits them. Without such a policy nothing here is called.
#include "gpu/gpu_internal.h"

static bool observes(const struct hd_gpu *g, unsigned k)
{
    const struct hd_policy *p = g->policies[k].choice.policy;

    return p->on_gpu && p->events;
}

static void tell(void *ctx, unsigned sm, const struct hd_event *e)
{
    struct hd_gpu *g = ctx;
    struct hd_kernel_view kernels[HD_RUNNING];
    struct hd_gpu_view v;

    hd_view_machine(g, &v, kernels);
    for (unsigned k = 0; k < g->n_policies; k++) {
        const struct hd_gpu_policy *p = &g->policies[k];
        if (observes(g, k) && (p->choice.policy->events & HD_ON(e->kind)))
            p->choice.policy->on_gpu(
                (struct hd_pstate){.gpu = p->gpu_state, .params = p->choice.params}, &v, e,
                (int)sm);
    }
}

void hd_gpu_events_new(struct hd_gpu *g)
{
    struct hd_sm_watch *watches;
    uint32_t events = 0;

    for (unsigned k = 0; k < g->n_policies; k++)
        events |= observes(g, k) ? g->policies[k].choice.policy->events : 0;
    if (!events)
        return;
    watches = HD_ARRAY(g->arena, struct hd_sm_watch, g->n_sms);
    for (unsigned i = 0; i < g->n_sms; i++) {
        watches[i] = (struct hd_sm_watch){.on = tell, .ctx = g, .events = events};
        hd_sm_add_watch(g->sms[i], &watches[i]);
    }
}
