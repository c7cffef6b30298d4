// rtlaunch.c - launches and functions.
#include "cudart/registration.h"
#include "cudart/session.h"

#include <string.h>

#define NESTED                                                                                     \
    16 // configurations a thread may have pushed: one, and some for arguments that launch

static _Thread_local struct {
    struct {
        dim3 grid, block;
        size_t shared;
        cudaStream_t stream;
    } pushed[NESTED];
    unsigned n;
} thread;

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, void *stream)
{
    if (thread.n == NESTED) {
        hd_session_note(cudaErrorMissingConfiguration);
        return 1;
    }
    thread.pushed[thread.n].grid = grid;
    thread.pushed[thread.n].block = block;
    thread.pushed[thread.n].shared = shared;
    thread.pushed[thread.n++].stream = stream;
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    if (!thread.n)
        return hd_session_note(cudaErrorMissingConfiguration);
    thread.n--;
    *grid = thread.pushed[thread.n].grid;
    *block = thread.pushed[thread.n].block;
    *shared = thread.pushed[thread.n].shared;
    memcpy(stream, &thread.pushed[thread.n].stream, sizeof(cudaStream_t));
    return cudaSuccess;
}

// Dimensions that no device takes have an error of their own.
static bool possible(dim3 grid, dim3 block)
{
    const unsigned is[] = {block.x, block.y, block.z, grid.x, grid.y, grid.z};
    int most;

    for (int i = 0; i < 6; i++)
        if (cuDeviceGetAttribute(
                &most, (CUdevice_attribute)(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i), 0) ||
            !is[i] || is[i] > (unsigned)most)
            return false;
    return !cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 0) &&
           (uint64_t)block.x * block.y * block.z <= (uint64_t)most;
}

static cudaError_t launch(const void *function, const cudaLaunchConfig_t *c, void **args)
{
    CUlaunchConfig to = {.gridDimX = c->gridDim.x,
                         .gridDimY = c->gridDim.y,
                         .gridDimZ = c->gridDim.z,
                         .blockDimX = c->blockDim.x,
                         .blockDimY = c->blockDim.y,
                         .blockDimZ = c->blockDim.z,
                         .sharedMemBytes = (unsigned)c->dynamicSmemBytes,
                         .hStream = c->stream,
                         .attrs = c->attrs,
                         .numAttrs = c->numAttrs};
    CUfunction f;
    cudaError_t e;

    HD_RT_ENTER();
    if (!possible(c->gridDim, c->blockDim))
        return hd_session_note(cudaErrorInvalidConfiguration);
    if (c->dynamicSmemBytes > INT32_MAX)
        return hd_session_note(cudaErrorInvalidValue);
    e = hd_registration_function(function, &f);
    if (e != cudaSuccess)
        return hd_session_note(e);
    return hd_session_note(cuLaunchKernelEx(&to, f, args, NULL));
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                             size_t shared, cudaStream_t stream)
{
    cudaLaunchConfig_t c = {grid, block, shared, stream, NULL, 0};

    return launch(function, &c, args);
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel(kernel, grid, block, args, shared, stream);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args)
{
    return config ? launch(function, config, args) : hd_session_note(cudaErrorInvalidValue);
}

cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args,
                                        size_t shared, cudaStream_t stream)
{
    CUlaunchAttribute together = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    cudaLaunchConfig_t c = {grid, block, shared, stream, &together, 1};

    return launch(function, &c, args);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    HD_RT_ENTER();
    return hd_session_note(cuLaunchHostFunc(stream, function, data));
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *out, const void *function)
{
    HD_RT_ENTER();
    return hd_session_note((out ? hd_registration_function(function, out) : cudaErrorInvalidValue));
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function)
{
    struct cudaFuncAttributes a = {0};
    struct {
        CUfunction_attribute which;
        int *to;
    } const ints[] = {
        {CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &a.maxThreadsPerBlock},
        {CU_FUNC_ATTRIBUTE_NUM_REGS, &a.numRegs},
        {CU_FUNC_ATTRIBUTE_PTX_VERSION, &a.ptxVersion},
        {CU_FUNC_ATTRIBUTE_BINARY_VERSION, &a.binaryVersion},
        {CU_FUNC_ATTRIBUTE_CACHE_MODE_CA, &a.cacheModeCA},
        {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, &a.maxDynamicSharedSizeBytes},
        {CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, &a.preferredShmemCarveout},
    };
    struct {
        CUfunction_attribute which;
        size_t *to;
    } const sizes[] = {{CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, &a.sharedSizeBytes},
                       {CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, &a.constSizeBytes},
                       {CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, &a.localSizeBytes}};
    CUfunction f;
    int value;

    HD_RT_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    cudaError_t e = hd_registration_function(function, &f);
    for (size_t i = 0; i < sizeof ints / sizeof *ints && e == cudaSuccess; i++)
        e = (cudaError_t)cuFuncGetAttribute(ints[i].to, ints[i].which, f);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && e == cudaSuccess; i++) {
        e = (cudaError_t)cuFuncGetAttribute(&value, sizes[i].which, f);
        *sizes[i].to = (size_t)value;
    }
    if (e == cudaSuccess)
        *out = a;
    return hd_session_note(e);
}

cudaError_t cudaFuncSetAttribute(const void *function, int attribute, int value)
{
    CUfunction f;

    HD_RT_ENTER();
    cudaError_t e = hd_registration_function(function, &f);
    if (e == cudaSuccess)
        e = (cudaError_t)cuFuncSetAttribute(f, (CUfunction_attribute)attribute, value);
    return hd_session_note(e);
}

cudaError_t cudaFuncSetCacheConfig(const void *function, int config)
{
    CUfunction f;

    HD_RT_ENTER();
    cudaError_t e = hd_registration_function(function, &f);
    if (e == cudaSuccess)
        e = (cudaError_t)cuFuncSetCacheConfig(f, (CUfunc_cache)config);
    return hd_session_note(e);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *function, int config)
{
    CUfunction f;

    HD_RT_ENTER();
    cudaError_t e = hd_registration_function(function, &f);
    if (e == cudaSuccess)
        e = (cudaError_t)cuFuncSetSharedMemConfig(f, (CUsharedconfig)config);
    return hd_session_note(e);
}

cudaError_t cudaFuncGetName(const char **name, const void *function)
{
    CUfunction f;

    HD_RT_ENTER();
    cudaError_t e = hd_registration_function(function, &f);
    if (e == cudaSuccess)
        e = (cudaError_t)cuFuncGetName(name, f);
    return hd_session_note(e);
}

cudaError_t cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes)
{
    CUfunction f;

    HD_RT_ENTER();
    cudaError_t e = hd_registration_function(function, &f);
    if (e == cudaSuccess)
        e = (cudaError_t)cuFuncGetParamInfo(f, index, offset, bytes);
    return hd_session_note(e);
}
