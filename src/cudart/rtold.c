// rtold.c - names that newer runtimes have dropped or given another suffix, for programs built with
// older runtimes.
#include "cudart/session.h"

#if HD_CUDART < 13
cudaError_t cudaThreadSynchronize(void)
{
    return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaThreadSetLimit(int limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, int limit)
{
    return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetCacheConfig(int config)
{
    return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(int *config)
{
    return cudaDeviceGetCacheConfig(config);
}

// Only devices before compute capability 1.3 needed these.
cudaError_t cudaSetDoubleForDevice(double *value)
{
    (void)value;
    return cudaSuccess;
}

cudaError_t cudaSetDoubleForHost(double *value)
{
    (void)value;
    return cudaSuccess;
}

cudaError_t cudaMemAdvise_v2(const void *p, size_t bytes, int advice, struct cudaMemLocation where)
{
    return cudaMemAdvise(p, bytes, advice, where.type == cudaMemLocationTypeDevice ? where.id : -1);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *p, size_t bytes, struct cudaMemLocation where,
                                    unsigned flags, cudaStream_t stream)
{
    if (flags)
        return hd_session_note(cudaErrorInvalidValue);
    return cudaMemPrefetchAsync(p, bytes, where.type == cudaMemLocationTypeDevice ? where.id : -1,
                                stream);
}

cudaError_t cudaMemPrefetchAsync_v2_ptsz(const void *p, size_t bytes, struct cudaMemLocation where,
                                         unsigned flags, cudaStream_t stream)
{
    return cudaMemPrefetchAsync_v2(p, bytes, where, flags, hd_session_ptsz(stream));
}

cudaError_t cudaEventElapsedTime_v2(float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    return cudaEventElapsedTime(milliseconds, start, end);
}
#endif

#if HD_CUDART < 12
// The sampling has one more field, which only cube maps need.
cudaError_t cudaCreateTextureObject_v2(cudaTextureObject_t *out,
                                       const struct cudaResourceDesc *resource,
                                       const struct cudaTextureDesc *sampling,
                                       const struct cudaResourceViewDesc *view)
{
    return cudaCreateTextureObject(out, resource, sampling, view);
}

cudaError_t cudaGetTextureObjectTextureDesc_v2(struct cudaTextureDesc *out,
                                               cudaTextureObject_t texture)
{
    return cudaGetTextureObjectTextureDesc(out, texture);
}
#endif
