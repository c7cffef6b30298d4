// admit.c - which of the kernels that may start takes a free running slot, if a policy decides it
// (hd_policy.admit).
//
// Without such a policy running.c takes the host's kernels first, then those of kernels in the
// order in which they became ready, and nothing here but the rule of streams is called.
#include "gpu/gpu_internal.h"

#include "base/blame.h"

bool hd_admit_stream_free(const struct hd_gpu *g, size_t i)
{
    uint32_t stream = g->queue[g->hosts[i]].result.launch->stream;

    for (size_t k = g->first_open; k < i; k++)
        if (!g->queue[g->hosts[k]].complete &&
            g->queue[g->hosts[k]].result.launch->stream == stream)
            return false;
    return true;
}

static const struct hd_gpu_policy *policy_of(const struct hd_gpu *g)
{
    int k = g->slot[HD_SLOT_KERNEL_POLICY];

    return k != HD_NONE && g->policies[k].choice.policy->admit ? &g->policies[k] : NULL;
}

bool hd_admit_by_policy(const struct hd_gpu *g)
{
    return policy_of(g) != NULL;
}

// Appends the host's kernels that may start, in the order of their launches. Returns their number.
static size_t list_hosts(struct hd_gpu *g)
{
    size_t n = 0;

    for (size_t i = g->first_waiting; i + g->n_held < g->n_hosts; i++) {
        struct hd_queued *q = &g->queue[g->hosts[i]];
        const struct hd_launch *l = q->result.launch;
        if (q->started || !hd_admit_stream_free(g, i))
            continue;
        q->since = q->since ? q->since : g->cycle + 1;
        *HD_PUSH(g->arena, g->choices, n, g->cap_choices) =
            (struct hd_ready){.id = l->id,
                              .stream = l->stream,
                              .tbs = l->grid[0] * l->grid[1] * l->grid[2],
                              .parent_kernel = UINT32_MAX,
                              .parent_tb = UINT32_MAX,
                              .since = q->since - 1,
                              .key = l->key};
    }
    return n;
}

// The host's kernels at the front of `choices`, and those of kernels, in the order of their time.
// The host's may have waited longer than others that were launched before them, so they are sorted
// by insertion, which costs nothing where they are in order.
static size_t merge(struct hd_gpu *g, size_t hosts, const struct hd_ready *children, size_t n)
{
    size_t all = hosts;

    for (size_t i = 0; i < n; i++)
        *HD_PUSH(g->arena, g->choices, all, g->cap_choices) = children[i];
    for (size_t i = 1; i < all; i++) {
        struct hd_ready r = g->choices[i];
        size_t at = i;
        for (; at && g->choices[at - 1].since > r.since; at--)
            g->choices[at] = g->choices[at - 1];
        g->choices[at] = r;
    }
    return all;
}

uint32_t hd_admit_choose(struct hd_gpu *g)
{
    const struct hd_gpu_policy *p = policy_of(g);
    struct hd_kernel_view kernels[HD_RUNNING];
    size_t hosts = list_hosts(g), n, all, i;
    const struct hd_ready *children = hd_task_graph_ready(g, &n), *list = children;
    struct hd_gpu_view v;

    all = n;
    if (hosts) {
        all = merge(g, hosts, children, n);
        list = g->choices;
    }
    if (!all)
        return UINT32_MAX;
    hd_view_machine(g, &v, kernels);
    i = p->choice.policy->admit(hd_gpu_policy_machine(p), &v, list, all);
    if (i >= all)
        hd_blame_policy(p->choice.policy, "admit",
                        "answered %zu in cycle %llu; it was asked for one of %zu kernels", i,
                        (unsigned long long)g->cycle, all);
    if (list[i].parent_kernel == UINT32_MAX)
        return list[i].id;
    for (size_t k = 0; k < n; k++)
        if (children[k].id == list[i].id)
            return hd_task_graph_take(g, k);
    HD_BUG("kernel %u is not among those that may start", list[i].id);
}
