// observe.c - what looks at the machine after chosen cycles: metrics and recordings of pipelines
// and cycles.
//
// One cycle, observe_at, stands for all of them, so that a machine that nobody looks at compares
// two numbers and does nothing else.
#include "gpu/gpu_internal.h"

void hd_observe_plan(struct hd_gpu *g)
{
    uint64_t due = g->metrics ? hd_metrics_due(g) : UINT64_MAX;
    uint64_t look = g->pipeviews ? hd_pipeviews_due(g) : UINT64_MAX;
    uint64_t view = g->cycleviews ? hd_cycleviews_due(g) : UINT64_MAX;

    due = look < due ? look : due;
    g->observe_at = view < due ? view : due;
}

void hd_observe(struct hd_gpu *g)
{
    if (g->metrics && g->cycle > hd_metrics_due(g))
        hd_metrics_sample(g);
    if (g->pipeviews && g->cycle > hd_pipeviews_due(g))
        hd_pipeviews_look(g);
    if (g->cycleviews && g->cycle > hd_cycleviews_due(g))
        hd_cycleviews_look(g);
    hd_observe_plan(g);
}
