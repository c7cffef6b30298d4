// limits.c - ends runs at limits of cycles and instructions, or when the caller's progress function
// requires it.
#include "gpu/gpu_internal.h"

static uint64_t issued(const struct hd_gpu *g)
{
    uint64_t n = 0;

    for (unsigned i = 0; i < g->n_sms; i++)
        n += hd_sm_stats(g->sms[i])->issued;
    return n;
}

bool hd_limits_reached(struct hd_gpu *g)
{
    const struct hd_gpu_options *o = &g->options;

    if ((o->max_cycles && g->cycle >= o->max_cycles) || (o->max_insts && issued(g) >= o->max_insts))
        g->status = HD_RUN_LIMIT;
    return g->status == HD_RUN_LIMIT;
}

// Often enough to end soon after Ctrl-C, and rare enough to cost nothing.
#define PROGRESS_STEPS ((uint64_t)1 << 13)

bool hd_limits_stopped(struct hd_gpu *g)
{
    const struct hd_gpu_options *o = &g->options;

    if (++g->steps % PROGRESS_STEPS || !o->progress)
        return false;
    struct hd_gpu_progress p = {.cycle = g->cycle, .warp_insts = issued(g)};
    for (unsigned i = 0; i < g->n_slots; i++)
        if (g->running[i].launch) {
            p.blocks += g->running[i].n_tbs;
            p.blocks_done += g->running[i].tbs_done;
        }
    if (o->progress(o->progress_ctx, &p))
        return false;
    g->status = HD_RUN_STOPPED;
    return true;
}
