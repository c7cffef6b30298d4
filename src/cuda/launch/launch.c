// launch.c - kernel launches: the arguments of a call, checked against kernel and machine, and
// queued.
#include "cuda/launch/launch.h"

#include "cuda/core/limits.h"
#include "cuda/core/results.h"
#include "cuda/memory/devmem.h"
#include "cuda/stream/capture.h"
#include "cuda/texture/textures.h"

#include <string.h>

// Makes the parameter block from an array of pointers, one for each parameter.
static CUresult from_array(const struct hd_func *f, void **params, uint8_t *block)
{
    if (f->n_params && !params)
        return CUDA_ERROR_INVALID_VALUE;
    for (uint32_t i = 0; i < f->n_params; i++) {
        if (!params[i])
            return CUDA_ERROR_INVALID_VALUE;
        memcpy(block + f->params[i].offset, params[i], f->params[i].bytes);
    }
    return CUDA_SUCCESS;
}

// Makes the parameter block from one that the program has packed: a list of keys and values.
static CUresult from_extra(const struct hd_func *f, void **extra, uint8_t *block)
{
    const void *from = NULL;
    size_t bytes = 0;

    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
            from = extra[1];
        else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
            memcpy(&bytes, extra[1], sizeof bytes);
        else
            return CUDA_ERROR_INVALID_VALUE;
    }
    uint32_t needed =
        f->n_params ? f->params[f->n_params - 1].offset + f->params[f->n_params - 1].bytes : 0;
    if (bytes < needed || (needed && !from))
        return CUDA_ERROR_INVALID_VALUE;
    if (needed)
        memcpy(block, from, needed);
    return CUDA_SUCCESS;
}

static CUresult refuse_registers(const struct hd_launch *l)
{
    struct hd_diag d = {.n = 0};

    hd_registers_refuse(&d, &hd_cuda.config, l);
    hd_cuda_say(&d);
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
}

static CUresult refuse(const struct hd_launch_request *r, CUresult error, const char *what,
                       uint64_t is, uint64_t limit)
{
    struct hd_diag d = {.n = 0};

    hd_gpu_refuse(&d, r->kernel->name, what, is, limit);
    hd_cuda_say(&d);
    return error;
}

// A launch whose attributes ask for clusters of several blocks.
static CUresult refuse_cluster(void)
{
    struct hd_diag d = {.n = 0};

    hd_diag_add(&d, NULL, 0, 0,
                "a launch asks for clusters of more than one block, which are not modelled");
    hd_cuda_say(&d);
    return CUDA_ERROR_NOT_SUPPORTED;
}

// As on a GPU, a kernel may use more than 48 KiB only if it has opted in.
static CUresult refuse_dynamic(const struct hd_cuda_function *f, const struct hd_launch_request *r)
{
    struct hd_diag d = {.n = 0};

    hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                             "kernel %s cannot be launched: it asks for %u bytes of dynamic shared "
                             "memory, and %d are allowed",
                             r->kernel->name, r->dynamic_shared, f->max_dynamic),
                 "allow more with CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES or "
                 "cudaFuncAttributeMaxDynamicSharedMemorySize; this GPU can have %u",
                 hd_cuda.config.sm.shared_bytes - r->kernel->shared_bytes);
    hd_cuda_say(&d);
    return CUDA_ERROR_INVALID_VALUE;
}

// Results without a launch that a sample cannot contain would be those of another program, so the
// context ends, and nothing is written.
static CUresult check_sample(const struct hd_launch_request *r)
{
    struct hd_diag d; // large, and of no use in most launches
    const struct hd_diag_entry *e = &d.entries[0];

    d.n = d.dropped = 0;
    if (hd_gpu_may_sample(hd_cuda.gpu, r->program, r->kernel, &d))
        return CUDA_SUCCESS;
    hd_results_drop();
    hd_queue_fault(CUDA_ERROR_NOT_SUPPORTED,
                   hd_arena_printf(hd_cuda.arena, "%s; %s", e->text, e->hint));
    return CUDA_ERROR_NOT_SUPPORTED;
}

static CUresult check(const struct hd_cuda_function *f, const struct hd_launch_request *r)
{
    static const uint32_t grid_most[] = {INT32_MAX, 65535, 65535};
    static const uint32_t block_most[] = {HD_CUDA_MAX_THREADS, HD_CUDA_MAX_THREADS, 64};
    uint64_t threads = (uint64_t)r->block[0] * r->block[1] * r->block[2], most;
    struct hd_launch l;
    uint64_t shared;

    for (int i = 0; i < 3; i++)
        if (!r->grid[i] || !r->block[i] || r->grid[i] > grid_most[i] || r->block[i] > block_most[i])
            return CUDA_ERROR_INVALID_VALUE;
    most = (uint64_t)hd_cuda.config.sm.warps * HD_LANES;
    most = most < HD_CUDA_MAX_THREADS ? most : HD_CUDA_MAX_THREADS;
    if (threads > most)
        return refuse(r, CUDA_ERROR_INVALID_VALUE, "the number of threads of a block", threads,
                      most);
    if (f->func->max_threads && threads > f->func->max_threads)
        return refuse(r, CUDA_ERROR_INVALID_VALUE, HD_GPU_BOUND, threads, f->func->max_threads);
    if ((uint64_t)r->grid[0] * r->grid[1] > UINT32_MAX / r->grid[2])
        return refuse(r, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "the number of blocks",
                      (uint64_t)r->grid[0] * r->grid[1] * r->grid[2], UINT32_MAX);
    if (f->func->cluster_blocks > 1)
        return refuse(r, CUDA_ERROR_NOT_SUPPORTED, HD_GPU_CLUSTER, f->func->cluster_blocks, 1);
    l = hd_functions_shape(f, r->block, r->dynamic_shared);
    shared = hd_gpu_shared_of_block(&l);
    if (shared > hd_cuda.config.sm.shared_bytes)
        return refuse(r, CUDA_ERROR_INVALID_VALUE, HD_GPU_SHARED, shared,
                      hd_cuda.config.sm.shared_bytes);
    if (r->dynamic_shared > (uint32_t)f->max_dynamic)
        return refuse_dynamic(f, r);
    if (!hd_occupancy(&hd_cuda.config, &l))
        return refuse_registers(&l);
    return check_sample(r);
}

// A cooperative launch needs memory in which its blocks wait for each other: zeros, for as long as
// it runs.
static uint64_t meeting_place(void)
{
    uint64_t at = hd_devmem_new(HD_CUDA_WORKSPACE, HD_ALLOC_DEVICE, 0);

    if (at) {
        memset(hd_devmem_at(at, HD_CUDA_WORKSPACE), 0, HD_CUDA_WORKSPACE);
        hd_devmem_find(at)->ending = true; // so that the program cannot free it
    }
    return at;
}

static CUresult meet(struct hd_cuda_stream *s, struct hd_cuda_op *op)
{
    struct hd_cuda_op end = {.kind = &hd_devmem_free, .u.free = op->u.kernel.workspace};
    CUresult r = hd_queue_add(s, op, NULL);

    return r == CUDA_SUCCESS ? hd_queue_add(s, &end, NULL) : r;
}

CUresult hd_launch_prepare(const struct hd_cuda_function *f, const struct hd_cuda_shape *shape,
                           bool cooperative, struct hd_launch_request *out)
{
    struct hd_run_resources own = hd_functions_resources(f);
    CUresult result;

    *out = (struct hd_launch_request){.program = f->module->program,
                                      .kernel = f->func,
                                      .dynamic_shared = shape->dynamic,
                                      .regs = own.regs,
                                      .regs_source = own.regs_source,
                                      .shared_static = own.shared_static};
    memcpy(out->grid, shape->grid, sizeof out->grid);
    memcpy(out->block, shape->block, sizeof out->block);
    result = check(f, out);
    if (result == CUDA_SUCCESS &&
        cooperative) { // all blocks must fit on the machine at the same time
        struct hd_launch l = hd_functions_shape(f, out->block, out->dynamic_shared);
        uint64_t room = (uint64_t)hd_occupancy(&hd_cuda.config, &l) * hd_cuda.config.sm.sms;
        if ((uint64_t)out->grid[0] * out->grid[1] * out->grid[2] > room)
            return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    }
    return result;
}

CUresult hd_launch_pack(const struct hd_func *f, void **params, void **extra, uint8_t *block)
{
    if (params && extra)
        return CUDA_ERROR_INVALID_VALUE;
    return extra ? from_extra(f, extra, block) : from_array(f, params, block);
}

// What a launch may specify besides its shape.
struct manner {
    bool cooperative;
    int priority;
};

struct target { // what the handles of a launch stand for
    struct hd_cuda_stream *stream;
    struct hd_cuda_function *function;
    bool captured;
};

static CUresult find(CUfunction function, const struct hd_cuda_shape *shape, CUstream stream,
                     bool cooperative, struct target *t, struct hd_launch_request *request)
{
    bool again;
    CUresult r;

    do {
        again = false;
        t->stream = hd_streams_get(stream);
        t->function = t->stream ? hd_resolve_in(function, t->stream->context) : NULL;
        if (!t->function || t->function->module->context != t->stream->context)
            return CUDA_ERROR_INVALID_HANDLE;
        r = hd_capture_enqueues(t->stream, &t->captured);
        if (r == CUDA_SUCCESS)
            r = hd_launch_prepare(t->function, shape, cooperative, request);
        if (r == CUDA_SUCCESS)
            r = hd_texrefs_settle(t->function->module, &again);
    } while (r == CUDA_SUCCESS && again);
    return r;
}

static CUresult launch(CUfunction function, const struct hd_cuda_shape *shape, CUstream stream,
                       void **params, void **extra, struct manner how)
{
    struct hd_cuda_op op = {.kind = &hd_queue_kernel};
    struct target t;
    struct hd_cuda_stream *s;
    const struct hd_cuda_function *f;
    CUresult result = find(function, shape, stream, how.cooperative, &t, &op.u.kernel);

    if (result != CUDA_SUCCESS)
        return result;
    s = t.stream;
    f = t.function;
    if (how.cooperative && !t.captured) { // before parameters are kept: it may run what is queued
        op.u.kernel.workspace = meeting_place();
        if (!op.u.kernel.workspace)
            return hd_devmem_full();
    }
    uint8_t *block = t.captured ? hd_capture_keep(s, f->func->param_bytes)
                                : hd_queue_keep(NULL, f->func->param_bytes);
    result = hd_launch_pack(f->func, params, extra, block);
    if (result != CUDA_SUCCESS) {
        if (op.u.kernel.workspace)
            hd_devmem_release(op.u.kernel.workspace);
        return result;
    }
    op.u.kernel.params = block;
    op.u.kernel.stream = s->id;
    if (t.captured) {
        struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_KERNEL,
                                  .u.kernel = {.function = f->handle,
                                               .request = op.u.kernel,
                                               .cooperative = how.cooperative,
                                               .priority = how.priority}};
        return hd_capture_add(s, &w);
    }
    return how.cooperative ? meet(s, &op) : hd_queue_add(s, &op, NULL);
}

// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CUstream stream, void **params, void **extra)
{
    struct hd_cuda_shape shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return launch(function, &shape, stream, params, extra, (struct manner){false, 0});
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params,
                          void **extra)
{
    struct manner how = {false, 0};

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!config || (config->numAttrs && !config->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned i = 0; i < config->numAttrs; i++) {
        const CUlaunchAttribute *a = &config->attrs[i];
        if (a->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
            how.cooperative = a->value.cooperative != 0;
        else if (a->id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
            how.priority = a->value.priority;
        else if (a->id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
                 (a->value.clusterDim.x > 1 || a->value.clusterDim.y > 1 ||
                  a->value.clusterDim.z > 1))
            return refuse_cluster();
        else if (a->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT ||
                 a->id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT ||
                 a->id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
            return CUDA_ERROR_NOT_SUPPORTED; // others would wait for the event in vain
        // All other attributes are hints.
    }
    struct hd_cuda_shape shape = {{config->gridDimX, config->gridDimY, config->gridDimZ},
                                  {config->blockDimX, config->blockDimY, config->blockDimZ},
                                  config->sharedMemBytes};
    return launch(function, &shape, config->hStream, params, extra, how);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared, CUstream stream,
                                   void **params)
{
    struct hd_cuda_shape shape = {{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return launch(function, &shape, stream, params, NULL, (struct manner){true, 0});
}
