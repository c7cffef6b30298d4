// view.c - the view of the machine that machine-wide functions of policies receive.
#include "gpu/gpu_internal.h"

void hd_view_machine(const struct hd_gpu *g, struct hd_gpu_view *v, struct hd_kernel_view *kernels)
{
    *v = (struct hd_gpu_view){.cycle = g->cycle,
                              .n_sms = g->n_sms,
                              .sms = g->views,
                              .kernels = kernels,
                              .last_sm = g->last_sm,
                              .last_kernel = g->last_kernel};
    for (int k = 0; k < (int)g->n_slots; k++) {
        const struct hd_running *r = &g->running[k];
        const struct hd_launch *parent = r->launch ? r->launch->parent : NULL;
        if (!r->launch)
            continue;
        v->running |= hd_bit(k);
        kernels[k] =
            (struct hd_kernel_view){.id = r->launch->id,
                                    .stream = r->launch->stream,
                                    .tbs = r->n_tbs,
                                    .tbs_started = r->given,
                                    .tbs_done = r->tbs_done,
                                    .parent_kernel = parent ? parent->id : UINT32_MAX,
                                    .parent_tb = parent ? r->launch->parent_tb : UINT32_MAX,
                                    .start_cycle = r->start,
                                    .key = r->launch->key,
                                    .mark = r->launch->mark,
                                    .depth = r->launch->depth,
                                    .parent_sm = g->queue[r->launch->id].parent_sm,
                                    .children = g->queue[r->launch->id].children,
                                    .launches = r->launch->launches};
    }
}
