// gpu_reuse.c - feeds the reuse analyser (reuse/reuse.h) with what the machine does.
//
// Events that happen while SMs step are kept in an outbox of each SM and handed over when all have
// stepped, SM by SM, so that they are in (cycle, SM) order whichever SM, or thread, steps first.
// Events between cycles are handed over at once. Kernels and blocks are those of the block slot,
// not of the SM, which may hold blocks of several kernels. What a kernel stores in the parameter
// buffer of a launch is left out: it is no data of the program, and which buffer a launch gets,
// and which kernels seem to share it, depends on when others were freed. Without an analyser
// nothing here is called.
#include "gpu/gpu_internal.h"

// More than one step of an SM can produce: one access, and the end of each of its blocks.
#define MOST_EVENTS 64

struct outbox {
    unsigned n;
    struct hd_event events[MOST_EVENTS];
};

struct hd_gpu_reuse {
    struct hd_reuse *analyser;
    struct outbox *outboxes;     // by SM
    struct hd_sm_watch *watches; // by SM
};

static void hand_over(struct hd_gpu *g, unsigned sm, const struct hd_event *e)
{
    struct hd_reuse *r = g->reuse->analyser;
    const struct hd_tb_view *tb = &g->views[sm]->tbs[e->tb];

    switch (e->kind) {
    case HD_EV_TB_START:
        hd_reuse_block_starts(r, sm, e->tb, tb->kernel, tb->global_id);
        break;
    case HD_EV_TB_END:
        hd_reuse_block_ends(r, sm, e->tb, tb->finished < tb->n_warps);
        break;
    default:
        if (!(e->flags & HD_ACCESS_LOCAL) && hd_devrt_is_params(g->devrt, e->line))
            break;
        hd_reuse_accessed(r, sm, e->tb, e->warp - (unsigned)hd_first(tb->warps), e->line,
                          (e->flags & HD_ACCESS_LOCAL) != 0,
                          e->flags & HD_ACCESS_STORE    ? HD_REUSE_STORE
                          : e->flags & HD_ACCESS_ATOMIC ? HD_REUSE_ATOMIC
                                                        : HD_REUSE_LOAD);
        break;
    }
}

static void watch(void *ctx, unsigned sm, const struct hd_event *e)
{
    struct hd_gpu *g = ctx;
    struct outbox *box = &g->reuse->outboxes[sm];

    if (!g->stepping) {
        hand_over(g, sm, e);
        return;
    }
    HD_BUG_IF(box->n == MOST_EVENTS, "SM %u raises more than %d events in a step", sm, MOST_EVENTS);
    box->events[box->n++] = *e;
}

void hd_gpu_reuse_deliver(struct hd_gpu *g)
{
    for (unsigned sm = 0; sm < g->n_sms; sm++) {
        struct outbox *box = &g->reuse->outboxes[sm];
        for (unsigned i = 0; i < box->n; i++)
            hand_over(g, sm, &box->events[i]);
        box->n = 0;
    }
}

void hd_gpu_reuse_launched(struct hd_gpu *g, const struct hd_launch *l)
{
    struct hd_reuse_launch launch = {.parent = l->parent ? l->parent->id : HD_REUSE_HOST,
                                     .parent_block = l->parent ? l->parent_tb : HD_REUSE_HOST,
                                     .function = l->kernel->name,
                                     .grid = {l->grid[0], l->grid[1], l->grid[2]},
                                     .block = {l->block[0], l->block[1], l->block[2]},
                                     .params = l->params,
                                     .param_bytes = l->kernel->param_bytes};

    hd_reuse_launched(g->reuse->analyser, &launch);
}

void hd_gpu_reuse_kernel_ended(struct hd_gpu *g, uint32_t launch)
{
    hd_reuse_kernel_ends(g->reuse->analyser, launch);
}

const struct hd_reuse_result *hd_gpu_reuse_result(struct hd_gpu *g)
{
    return g->reuse ? hd_reuse_finish(g->reuse->analyser) : NULL;
}

const struct hd_reuse_options *hd_gpu_reuse_options(const struct hd_gpu *g)
{
    return g->reuse ? hd_reuse_options_of(g->reuse->analyser) : NULL;
}

static uint64_t lines_of(uint64_t bytes)
{
    return (bytes + HD_REUSE_LINE - 1) / HD_REUSE_LINE;
}

void hd_gpu_reuse_new(struct hd_gpu *g)
{
    const struct hd_config *c = &g->config;
    struct hd_reuse_options o = *g->options.reuse;
    struct hd_gpu_reuse *own = g->reuse = HD_NEW(g->arena, hd_gpu_reuse);

    o.sms = g->n_sms;
    o.slots = c->sm.tbs;
    o.l1_lines = c->l1d.enabled ? lines_of((uint64_t)c->l1d.sets * c->l1d.ways * c->l1d.line) : 0;
    o.l2_lines = c->gpu.memory == HD_MEM_FLAT
                     ? 0
                     : lines_of((uint64_t)c->l2.sets * c->l2.ways * c->l2.line * c->dram.channels *
                                c->dram.subs);
    own->analyser = hd_reuse_new(&o);
    own->outboxes = HD_ARRAY(g->arena, struct outbox, g->n_sms);
    own->watches = HD_ARRAY(g->arena, struct hd_sm_watch, g->n_sms);
    for (unsigned i = 0; i < g->n_sms; i++) {
        own->watches[i] = (struct hd_sm_watch){
            .on = watch,
            .ctx = g,
            .events = HD_ON(HD_EV_ACCESS) | HD_ON(HD_EV_TB_START) | HD_ON(HD_EV_TB_END)};
        hd_sm_add_watch(g->sms[i], &own->watches[i]);
    }
}

void hd_gpu_reuse_free(struct hd_gpu *g)
{
    if (g->reuse)
        hd_reuse_free(g->reuse->analyser);
}
