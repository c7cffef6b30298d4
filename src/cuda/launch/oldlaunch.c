// oldlaunch.c - the launch calls from before CUDA 4 (CUDA Driver API, "Execution Control
// [DEPRECATED]"): a function keeps its block, its shared memory and its parameters until it is
// launched, and then for the next launch.
//
// CUDA leaves undefined what a cuLaunchKernel in between does to them; here it does nothing. The
// size of the parameters may be set before or after them.
#include "cuda/launch/launch.h"

#include <string.h>

#define PARAMETERS_MOST 4096 // bytes, as these calls allow

static CUresult get(CUfunction handle, struct hd_cuda_function **out)
{
    *out = hd_resolve_function(handle);
    return *out ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z)
{
    struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    CUresult r = get(function, &f);
    if (r != CUDA_SUCCESS)
        return r;
    if (x <= 0 || y <= 0 || z <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    f->old.block[0] = (uint32_t)x;
    f->old.block[1] = (uint32_t)y;
    f->old.block[2] = (uint32_t)z;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes)
{
    struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    CUresult r = get(function, &f);
    if (r == CUDA_SUCCESS)
        f->old.dynamic = bytes;
    return r;
}

CUresult cuParamSetSize(CUfunction function, unsigned bytes)
{
    struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    CUresult r = get(function, &f);
    if (r != CUDA_SUCCESS)
        return r;
    if (bytes > PARAMETERS_MOST)
        return CUDA_ERROR_INVALID_VALUE;
    f->old.bytes = bytes;
    return CUDA_SUCCESS;
}

CUresult cuParamSetv(CUfunction function, int offset, void *from, unsigned bytes)
{
    struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    CUresult r = get(function, &f);
    if (r != CUDA_SUCCESS)
        return r;
    if (offset < 0 || offset > PARAMETERS_MOST || bytes > PARAMETERS_MOST - (unsigned)offset ||
        (bytes && !from))
        return CUDA_ERROR_INVALID_VALUE;
    if (!f->old.parameters)
        f->old.parameters = HD_ARRAY(hd_cuda.programs, uint8_t, PARAMETERS_MOST);
    if (bytes)
        memcpy(f->old.parameters + offset, from, bytes);
    return CUDA_SUCCESS;
}

CUresult cuParamSeti(CUfunction function, int offset, unsigned value)
{
    return cuParamSetv(function, offset, &value, sizeof value);
}

CUresult cuParamSetf(CUfunction function, int offset, float value)
{
    return cuParamSetv(function, offset, &value, sizeof value);
}

// A kernel reads every texture reference of its module, so there is nothing to keep.
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref reference)
{
    struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    CUresult r = get(function, &f);
    if (r != CUDA_SUCCESS)
        return r;
    if (!hd_handles_get(hd_cuda.handles, HD_HANDLE_TEXREF, reference))
        return CUDA_ERROR_INVALID_HANDLE;
    return unit == CU_PARAM_TR_DEFAULT ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream)
{
    struct hd_cuda_function *f;
    struct hd_cuda_old old;

    {
        HD_CUDA_ENTER(HD_CUDA_WORKING);
        CUresult r = get(function, &f);
        if (r != CUDA_SUCCESS)
            return r;
        old = f->old;
    }
    if (width <= 0 || height <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, old.parameters, CU_LAUNCH_PARAM_BUFFER_SIZE,
                     &old.bytes, CU_LAUNCH_PARAM_END};
    return cuLaunchKernel(function, (unsigned)width, (unsigned)height, 1, old.block[0],
                          old.block[1], old.block[2], old.dynamic, stream, NULL, extra);
}

CUresult cuLaunchGrid(CUfunction function, int width, int height)
{
    return cuLaunchGridAsync(function, width, height, NULL);
}

CUresult cuLaunch(CUfunction function)
{
    return cuLaunchGridAsync(function, 1, 1, NULL);
}
