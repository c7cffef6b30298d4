// launch_queue.c - launches of the host and of kernels: whether they are possible, and the queue
// that they enter.
#include "gpu/gpu_internal.h"

#include "base/bug.h"
#include "devrt/devrt.h"

#include <inttypes.h>
#include <string.h>

// The reason why a launch can never run on this machine, with the runtime's error number.
struct obstacle {
    const char *what; // NULL if the launch is possible
    uint64_t is, limit;
    unsigned error;
};
enum { INVALID_CONFIGURATION = 9, OUT_OF_RESOURCES = 701, NOT_SUPPORTED = 801 };

uint64_t hd_gpu_shared_of_block(const struct hd_launch *l)
{
    uint32_t own = l->kernel->shared_bytes;

    return (uint64_t)(l->shared_static > own ? l->shared_static : own) + l->dynamic_shared;
}

void hd_gpu_refuse(struct hd_diag *d, const char *kernel, const char *what, uint64_t is,
                   uint64_t limit)
{
    struct hd_diag_entry *e = hd_diag_add(
        d, NULL, 0, 0, "kernel %s cannot be launched: %s is %" PRIu64 ", but %s allows %" PRIu64,
        kernel, what, is, strcmp(what, HD_GPU_BOUND) ? "this GPU" : "its code (__launch_bounds__)",
        limit);

    if (!strcmp(what, HD_GPU_SHARED))
        hd_diag_hint(e, "--set sm.shared_bytes=%" PRIu64 " gives it more", is);
}

static struct obstacle obstacle(const struct hd_gpu *g, const struct hd_launch *l)
{
    const struct hd_config_sm *c = &g->config.sm;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1];
    uint64_t shared = hd_gpu_shared_of_block(l), most = (uint64_t)c->warps * HD_LANES;

    if (!threads || !blocks || !l->grid[2])
        return (struct obstacle){"a dimension of the grid or block", 0, 1, INVALID_CONFIGURATION};
    if (l->block[0] > most || l->block[1] > most || l->block[2] > most || threads > most)
        return (struct obstacle){"the number of threads of a block", threads, most,
                                 INVALID_CONFIGURATION};
    if (blocks > UINT32_MAX || blocks * l->grid[2] > UINT32_MAX)
        return (struct obstacle){"the number of blocks", blocks * l->grid[2], UINT32_MAX,
                                 INVALID_CONFIGURATION};
    if (l->kernel->cluster_blocks > 1)
        return (struct obstacle){HD_GPU_CLUSTER, l->kernel->cluster_blocks, 1, NOT_SUPPORTED};
    if (shared > c->shared_bytes)
        return (struct obstacle){HD_GPU_SHARED, shared, c->shared_bytes, INVALID_CONFIGURATION};
    if (l->kernel->max_threads && threads > l->kernel->max_threads)
        return (struct obstacle){HD_GPU_BOUND, threads, l->kernel->max_threads, OUT_OF_RESOURCES};
    if (!hd_occupancy(&g->config, l))
        return (struct obstacle){HD_GPU_REGISTERS, hd_registers_of_block(&g->config, l),
                                 c->registers, OUT_OF_RESOURCES};
    return (struct obstacle){0};
}

static struct hd_launch launch_of(const struct hd_gpu *g, const struct hd_launch_request *r)
{
    const char *source;
    uint32_t own = hd_registers_of(&g->config, r->kernel, &source);
    struct hd_launch l = {.program = r->program,
                          .kernel = r->kernel,
                          .dynamic_shared = r->dynamic_shared,
                          .id = (uint32_t)g->n_queue,
                          .stream = r->stream,
                          .code_base = hd_gpu_program_of(g, r->program)->code_base,
                          .workspace = r->workspace,
                          .mark = r->mark,
                          .regs = r->regs ? r->regs : own,
                          .regs_source = r->regs ? r->regs_source : source,
                          .shared_static = r->shared_static != UINT32_MAX
                                               ? r->shared_static
                                               : r->kernel->shared_bytes};

    l.regs_estimated =
        hd_registers_doubtful(&g->config, l.regs_source); // also of a launch that was recorded
    memcpy(l.grid, r->grid, sizeof l.grid);
    memcpy(l.block, r->block, sizeof l.block);
    return l;
}

uint32_t hd_launch_queue_enqueue(struct hd_gpu *g, const struct hd_launch_request *r,
                                 const struct hd_launch *parent, uint32_t parent_tb)
{
    struct hd_launch *l = HD_NEW(g->arena, hd_launch);
    uint8_t *params = HD_ARRAY(g->arena, uint8_t, r->kernel->param_bytes);
    struct hd_gpu_program *gp = hd_gpu_program_of(g, r->program);

    *l = launch_of(g, r);
    l->parent = parent;
    l->parent_tb = parent_tb;
    l->depth = parent ? parent->depth + 1 : 0;
    l->params = params;
    if (r->kernel->param_bytes)
        memcpy(params, r->params, r->kernel->param_bytes);
    if (g->reuse)
        hd_gpu_reuse_launched(g, l);
    if (g->facts)
        hd_facts_find(g, l);
    hd_profiles_need(g, gp, r->kernel);
    const struct hd_gpu_points_found *points = hd_progpoints_need(g, gp, r->kernel);
    *HD_PUSH(g->arena, g->queue, g->n_queue, g->cap_queue) =
        (struct hd_queued){.result = {.name = r->kernel->name,
                                      .launch = l,
                                      .regs_source = l->regs_source,
                                      .points = points,
                                      .tbs_per_sm = hd_occupancy(&g->config, l)},
                           .launch = l,
                           .parent_sm = HD_NO_SM};
    return l->id;
}

// A launch without timing has no cycle in which another one could begin.
bool hd_gpu_may_sample(struct hd_gpu *g, const struct hd_program *p, const struct hd_func *kernel,
                       struct hd_diag *d)
{
    if (!g->sample || !hd_facts_launches(g, p, kernel))
        return true;
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                             "kernel %s may launch kernels, which a sample cannot contain",
                             kernel->name),
                 "run it without --sample");
    return false;
}

bool hd_gpu_submit(struct hd_gpu *g, const struct hd_launch_request *r, struct hd_diag *d)
{
    struct hd_launch l = launch_of(g, r);
    struct obstacle o = obstacle(g, &l);
    uint32_t id;

    if (o.what) {
        if (!strcmp(o.what, HD_GPU_REGISTERS))
            hd_registers_refuse(d, &g->config, &l);
        else
            hd_gpu_refuse(d, r->kernel->name, o.what, o.is, o.limit);
        return false;
    }
    if (!hd_gpu_may_sample(g, r->program, r->kernel, d))
        return false;
    id = hd_launch_queue_enqueue(g, r, NULL, 0);
    *HD_PUSH(g->arena, g->hosts, g->n_hosts, g->cap_hosts) = id;
    if (g->sample)
        g->n_held++;
    if (g->options.record)
        hd_record_launch(g->options.record, g->queue[id].result.launch);
    return true;
}

uint32_t hd_gpu_n_launches(const struct hd_gpu *g)
{
    return (uint32_t)g->n_queue;
}

bool hd_gpu_launched(const struct hd_gpu *g)
{
    return g->n_queue > g->n_hosts;
}

uint64_t hd_gpu_insts(const struct hd_gpu *g)
{
    return g->insts;
}

void hd_launch_queue_completed(struct hd_gpu *g, uint32_t launch)
{
    while (g->first_open < g->n_hosts && g->queue[g->hosts[g->first_open]].complete)
        g->first_open++;
    if (g->options.ended)
        g->options.ended(g->options.ended_ctx, launch);
}

// --- what the emulator asks about kernels that kernels launch

static void choose_resources(void *ctx, struct hd_launch *l)
{
    const struct hd_gpu *g = ctx;
    struct hd_launch_request r = {
        .program = l->program, .kernel = l->kernel, .shared_static = UINT32_MAX};

    l->regs = hd_registers_of(&g->config, l->kernel, &l->regs_source);
    if (g->options.resources)
        g->options.resources(g->options.resources_ctx, &r);
    if (r.regs) {
        l->regs = r.regs;
        l->regs_source = r.regs_source;
    }
    l->regs_estimated = hd_registers_doubtful(&g->config, l->regs_source);
    l->shared_static = r.shared_static != UINT32_MAX ? r.shared_static : l->shared_static;
}

// The programming model has its own limits in addition to those of the machine.
static unsigned refuses(void *ctx, const struct hd_launch *l)
{
    const uint32_t *grid = l->grid, *block = l->block;

    if (grid[0] > INT32_MAX || grid[1] > 65535 || grid[2] > 65535 || block[2] > 64 ||
        (uint64_t)block[0] * block[1] * block[2] > 1024)
        return INVALID_CONFIGURATION;
    return obstacle(ctx, l).error;
}

static uint32_t resident(void *ctx, const struct hd_launch *l)
{
    const struct hd_gpu *g = ctx;

    return hd_occupancy(&g->config, l);
}

void hd_launch_queue_serve(struct hd_gpu *g, void (*collect)(void *ctx))
{
    hd_devrt_serve(g->devrt, &(struct hd_devrt_owner){.ctx = g,
                                                      .resources = choose_resources,
                                                      .refuses = refuses,
                                                      .occupancy = resident,
                                                      .collect = collect});
    g->n_tasks = hd_devrt_n_tasks(g->devrt);
    g->n_parked = hd_devrt_n_parked(g->devrt);
}
