// sampled.c - runs in which a sample of the launches has timing (sample/sample.h). Memory, and so
// the program, is the same as if all had: the others are executed without timing.
//
// Launches run one after the other in the order of their submission, whatever their streams are.
// For SMs, caches, DRAM, the clock and policies only the launches with timing exist: each finds
// what the one before it has left there.
#include "gpu/gpu_internal.h"

static struct hd_sample_shape shape_of(const struct hd_gpu *g, const struct hd_launch *l)
{
    struct hd_sample_shape s = {.kernel = l->kernel,
                                .block = {l->block[0], l->block[1], l->block[2]},
                                .shared = hd_gpu_shared_of_block(l),
                                .blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2],
                                .wave = hd_residency_fits(&g->config, l)};

    s.wave = (s.wave ? s.wave : 1) * g->n_sms;
    return s;
}

void hd_sampled_run(struct hd_gpu *g)
{
    hd_steps_begin_run(g);
    hd_functional_share(g);
    while (g->status == HD_RUN_OK && g->n_held) {
        uint32_t id = g->hosts[g->n_hosts - g->n_held];
        struct hd_sample_shape shape = shape_of(g, g->queue[id].result.launch);
        enum hd_sample_part part = hd_sample_begin(g->sample, &shape);
        g->n_held--;
        g->queue[id].result.part = part;
        g->queue[id].result.group = g->sample->current->number;
        if (part == HD_SAMPLE_UNTIMED)
            hd_functional_launch(g, id);
        else
            hd_clock_run(g);
        const struct hd_kernel_result *r = &g->queue[id].result;
        hd_sample_end(g->sample, r->sm.warp_insts, r->cycles);
    }
}
