// functions.c - kernels of a module: their handles, their attributes and the resources that they
// need on an SM.
#include "cuda/code/code.h"

#include "cuda/core/limits.h"

#include <string.h>

void hd_functions_init(struct hd_cuda_function *fn, struct hd_cuda_module *m,
                       const struct hd_func *f)
{
    int most = (int)hd_limits_shared() - (int)f->shared_bytes;

    *fn = (struct hd_cuda_function){
        .module = m, .func = f, .max_dynamic = most > 0 ? most : 0, .carveout = -1};
}

CUfunction hd_functions_of(struct hd_cuda_module *m, const struct hd_func *f)
{
    size_t number = (size_t)(f - m->program->funcs);
    struct hd_cuda_function *fn;
    void *handle;

    if (m->functions[number])
        return m->functions[number];
    fn = hd_handles_add(hd_cuda.handles, HD_HANDLE_FUNCTION, sizeof *fn, &handle);
    hd_functions_init(fn, m, f);
    fn->handle = handle;
    m->functions[number] = fn->handle;
    return fn->handle;
}

static struct hd_run_resources resources(const struct hd_func *f)
{
    return hd_runs_resources(&hd_cuda.options, f->name,
                             (struct hd_run_resources){.shared_static = UINT32_MAX});
}

struct hd_run_resources hd_functions_resources(const struct hd_cuda_function *f)
{
    return resources(f->func);
}

static void resources_of_child(void *ctx, struct hd_launch_request *r)
{
    struct hd_run_resources own = resources(r->kernel);

    (void)ctx;
    r->regs = own.regs;
    r->regs_source = own.regs_source;
    r->shared_static = own.shared_static;
}

// Launches by kernels follow these options too.
static void options(struct hd_gpu_options *o)
{
    o->resources = resources_of_child;
}

const struct hd_part hd_functions_part = {.options = options};

struct hd_launch hd_functions_shape(const struct hd_cuda_function *f, const uint32_t block[3],
                                    uint32_t dynamic)
{
    struct hd_run_resources own = hd_functions_resources(f);
    const char *source;
    uint32_t regs = hd_registers_of(&hd_cuda.config, f->func, &source);

    // More blocks than fit on the machine, so that the even distribution of small grids does not
    // apply.
    return (struct hd_launch){
        .program = f->module->program,
        .kernel = f->func,
        .grid = {UINT32_MAX, 1, 1},
        .block = {block[0], block[1], block[2]},
        .dynamic_shared = dynamic,
        .regs = own.regs ? own.regs : regs,
        .regs_source = own.regs ? own.regs_source : source,
        .regs_estimated = !own.regs && hd_registers_doubtful(&hd_cuda.config, source),
        .shared_static =
            own.shared_static != UINT32_MAX ? own.shared_static : f->func->shared_bytes};
}

static int max_threads(const struct hd_cuda_function *f)
{
    const struct hd_config_sm *c = &hd_cuda.config.sm;
    uint32_t n = HD_CUDA_MAX_THREADS;

    if (f->func->max_threads && f->func->max_threads < n)
        n = f->func->max_threads;
    if (c->warps * HD_LANES < n)
        n = c->warps * HD_LANES;
    while (n > HD_LANES) { // registers are allocated for whole warps
        struct hd_launch l = hd_functions_shape(f, (uint32_t[3]){n, 1, 1}, 0);
        if (hd_registers_of_block(&hd_cuda.config, &l) <= c->registers)
            break;
        n = (n - 1) / HD_LANES * HD_LANES;
    }
    return (int)n;
}

static uint32_t const_bytes(const struct hd_program *p)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n_symbols; i++)
        n += p->symbols[i].space == HD_SPACE_CONST ? p->symbols[i].bytes : 0;
    return n;
}

CUresult hd_functions_attribute(const struct hd_cuda_function *f, CUfunction_attribute attribute,
                                int *value)
{
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = max_threads(f);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = (int)(f->func->shared_bytes - f->func->reserved_bytes);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
        *value = (int)const_bytes(f->module->program);
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = (int)f->func->local_bytes;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = (int)hd_functions_shape(f, (uint32_t[3]){1, 1, 1}, 0).regs;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
        *value = (int)f->module->target;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = (int)hd_cuda.capability;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
        *value = 0;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
        *value = f->max_dynamic;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
        *value = f->carveout;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
        *value = f->large_clusters;
        return CUDA_SUCCESS;
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET: // clusters of one block are all there are
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
        *value = 0;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult hd_functions_set(struct hd_cuda_function *f, CUfunction_attribute attribute, int value)
{
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
        if (value < 0 || (uint64_t)value + f->func->shared_bytes > hd_cuda.config.sm.shared_bytes)
            return CUDA_ERROR_INVALID_VALUE;
        f->max_dynamic = value;
        return CUDA_SUCCESS;
    }
    if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
        if (value < -1 || value > 100)
            return CUDA_ERROR_INVALID_VALUE;
        f->carveout = value; // has no effect: the machine's configuration decides
        return CUDA_SUCCESS;
    }
    if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) {
        if (value != 0 && value != 1)
            return CUDA_ERROR_INVALID_VALUE;
        f->large_clusters = value; // a launch with clusters of several blocks is refused anyway
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult hd_functions_param(const struct hd_func *f, size_t index, size_t *offset, size_t *bytes)
{
    if (!offset || index >= f->n_params)
        return CUDA_ERROR_INVALID_VALUE;
    *offset = f->params[index].offset;
    if (bytes)
        *bytes = f->params[index].bytes;
    return CUDA_SUCCESS;
}
