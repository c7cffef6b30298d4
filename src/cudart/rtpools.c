// rtpools.c - stream-ordered memory and its pools: the driver's functions, under the runtime's
// names. The structures have the same layout.
#include "cudart/session.h"

static cudaError_t take(void **out, size_t bytes, const cudaMemPool_t *pool, cudaStream_t stream)
{
    CUdeviceptr address = 0;
    CUresult r = CUDA_SUCCESS;

    HD_RT_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    if (bytes && pool)
        r = cuMemAllocFromPoolAsync(&address, bytes, *pool, stream);
    else if (bytes)
        r = cuMemAllocAsync(&address, bytes, stream);
    if (r == CUDA_SUCCESS)
        *out = (void *)(uintptr_t)address;
    return hd_session_note(r);
}

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream)
{
    return take(out, bytes, NULL, stream);
}

cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    return pool ? take(out, bytes, &pool, stream) : hd_session_note(cudaErrorInvalidValue);
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    HD_RT_ENTER();
    return memory ? hd_session_note(cuMemFreeAsync((CUdeviceptr)(uintptr_t)memory, stream))
                  : cudaSuccess;
}

#define SAME(name, parameters, call)                                                               \
    cudaError_t name parameters                                                                    \
    {                                                                                              \
        HD_RT_ENTER();                                                                             \
        return hd_session_note(call);                                                              \
    }

SAME(cudaMemPoolCreate, (cudaMemPool_t * out, const struct cudaMemPoolProps *props),
     cuMemPoolCreate(out, (const void *)props))
SAME(cudaMemPoolDestroy, (cudaMemPool_t pool), cuMemPoolDestroy(pool))
SAME(cudaMemPoolTrimTo, (cudaMemPool_t pool, size_t bytes), cuMemPoolTrimTo(pool, bytes))
SAME(cudaMemPoolGetAttribute, (cudaMemPool_t pool, int attribute, void *value),
     cuMemPoolGetAttribute(pool, (CUmemPool_attribute)attribute, value))
SAME(cudaMemPoolSetAttribute, (cudaMemPool_t pool, int attribute, void *value),
     cuMemPoolSetAttribute(pool, (CUmemPool_attribute)attribute, value))
SAME(cudaMemPoolSetAccess, (cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t n),
     cuMemPoolSetAccess(pool, (const void *)list, n))
SAME(cudaMemPoolGetAccess, (int *flags, cudaMemPool_t pool, struct cudaMemLocation *where),
     cuMemPoolGetAccess((void *)flags, pool, (void *)where))
SAME(cudaDeviceGetDefaultMemPool, (cudaMemPool_t * out, int device),
     cuDeviceGetDefaultMemPool(out, device))
SAME(cudaDeviceGetMemPool, (cudaMemPool_t * out, int device), cuDeviceGetMemPool(out, device))
SAME(cudaDeviceSetMemPool, (int device, cudaMemPool_t pool), cuDeviceSetMemPool(device, pool))
#if HD_CUDART >= 12
SAME(cudaMemGetDefaultMemPool, (cudaMemPool_t * out, struct cudaMemLocation *where, int type),
     cuMemGetDefaultMemPool(out, (void *)where, (CUmemAllocationType)type))
SAME(cudaMemGetMemPool, (cudaMemPool_t * out, struct cudaMemLocation *where, int type),
     cuMemGetMemPool(out, (void *)where, (CUmemAllocationType)type))
SAME(cudaMemSetMemPool, (struct cudaMemLocation * where, int type, cudaMemPool_t pool),
     cuMemSetMemPool((void *)where, (CUmemAllocationType)type, pool))
#endif
