// marks.c - what a policy keeps with a kernel that a kernel has launched (hd_policy.mark, .remark).
#include "gpu/gpu_internal.h"

struct hd_event hd_marks_event(const struct hd_gpu *g, const struct hd_devrt_task *t,
                               uint32_t launch)
{
    return (struct hd_event){.kind = HD_EV_CHILD_LAUNCH,
                             .sched = (uint8_t)hd_sm_sched_of(g->sms[t->sm], t->warp),
                             .warp = (uint8_t)t->warp,
                             .tb = (uint8_t)t->tb,
                             .kernel = launch};
}

static const struct hd_gpu_policy *policy_of(const struct hd_gpu *g)
{
    int k = g->slot[HD_SLOT_KERNEL_POLICY];

    return k != HD_NONE ? &g->policies[k] : NULL;
}

uint32_t hd_marks_ask(struct hd_gpu *g, const struct hd_devrt_task *t)
{
    const struct hd_gpu_policy *p = policy_of(g);
    struct hd_kernel_view kernels[HD_RUNNING];
    struct hd_gpu_view v;
    struct hd_event e;

    if (!p || !p->choice.policy->mark)
        return 0;
    hd_machine_catch_up(g, t->sm);
    e = hd_marks_event(g, t, (uint32_t)g->n_queue);
    hd_view_machine(g, &v, kernels);
    return p->choice.policy->mark(hd_gpu_policy_state(p, t->sm), &v, &e, (int)t->sm);
}

void hd_marks_again(struct hd_gpu *g, struct hd_ready *kernel, enum hd_mark_time now)
{
    const struct hd_gpu_policy *p = policy_of(g);
    struct hd_queued *q = &g->queue[kernel->id];
    struct hd_kernel_view kernels[HD_RUNNING];
    struct hd_gpu_view v;

    if (!p || g->options.functional_only || !p->choice.policy->remark)
        return;
    hd_machine_catch_up(g, q->parent_sm);
    hd_view_machine(g, &v, kernels);
    kernel->mark = p->choice.policy->remark(hd_gpu_policy_state(p, q->parent_sm), &v, kernel, now,
                                            (int)q->parent_sm);
    q->launch->mark = kernel->mark;
}
