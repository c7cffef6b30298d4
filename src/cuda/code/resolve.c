// resolve.c - finds the function that a handle means, which may be a library's kernel; cuFunc*.
#include "cuda/code/code.h"

struct hd_cuda_function *hd_resolve_in(CUfunction handle, struct hd_cuda_context *c)
{
    struct hd_cuda_function *f = hd_handles_get(hd_cuda.handles, HD_HANDLE_FUNCTION, handle);

    return f ? f : hd_libraries_function((CUkernel)handle, c);
}

struct hd_cuda_function *hd_resolve_function(CUfunction handle)
{
    return hd_resolve_in(handle, hd_current_context());
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    const struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    f = hd_resolve_function(function);
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    return value ? hd_functions_attribute(f, attribute, value) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    f = hd_resolve_function(function);
    return f ? hd_functions_set(f, attribute, value) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
    struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    f = hd_resolve_function(function);
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
        return CUDA_ERROR_INVALID_VALUE;
    f->cache = config;
    return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!hd_resolve_function(function))
        return CUDA_ERROR_INVALID_HANDLE;
    return (unsigned)config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_ERROR_INVALID_VALUE
                                                                        : CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
    const struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    f = hd_resolve_function(function);
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!module)
        return CUDA_ERROR_INVALID_VALUE;
    *module = f->module->handle;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
    const struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    f = hd_resolve_function(function);
    if (!f)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = f->func->name;
    return CUDA_SUCCESS;
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes)
{
    const struct hd_cuda_function *f;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    f = hd_resolve_function(function);
    return f ? hd_functions_param(f->func, index, offset, bytes) : CUDA_ERROR_INVALID_HANDLE;
}

CUresult cuFuncLoad(CUfunction function)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return hd_resolve_function(function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
