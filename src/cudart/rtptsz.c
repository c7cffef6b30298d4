// rtptsz.c - the entry points of programs compiled for per-thread default streams.
//
// In them, a stream of 0 means the thread's own stream. Synchronous copies wait only for that
// stream.
#include "cudart/session.h"

cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                                    size_t shared, cudaStream_t stream)
{
    return __cudaLaunchKernel(kernel, grid, block, args, shared, hd_session_ptsz(stream));
}

cudaError_t cudaEventRecordWithFlags_ptsz(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    return cudaEventRecordWithFlags(event, hd_session_ptsz(stream), flags);
}

cudaError_t cudaEventRecord_ptsz(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecord(event, hd_session_ptsz(stream));
}

cudaError_t cudaFreeAsync_ptsz(void *memory, cudaStream_t stream)
{
    return cudaFreeAsync(memory, hd_session_ptsz(stream));
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char *name, void **function,
                                                  unsigned version, unsigned long long flags,
                                                  int *status)
{
    return cudaGetDriverEntryPointByVersion(name, function, version, flags, status);
}

#if HD_CUDART >= 12
cudaError_t cudaGetDriverEntryPoint_ptsz(const char *name, void **function,
                                         unsigned long long flags, int *status)
{
    return cudaGetDriverEntryPoint(name, function, flags, status);
}
#else
cudaError_t cudaGetDriverEntryPoint_ptsz(const char *name, void **function,
                                         unsigned long long flags)
{
    return cudaGetDriverEntryPoint(name, function, flags);
}
#endif

cudaError_t cudaLaunchCooperativeKernel_ptsz(const void *function, dim3 grid, dim3 block,
                                             void **args, size_t shared, cudaStream_t stream)
{
    return cudaLaunchCooperativeKernel(function, grid, block, args, shared,
                                       hd_session_ptsz(stream));
}

cudaError_t cudaLaunchHostFunc_ptsz(cudaStream_t stream, cudaHostFn_t function, void *data)
{
    return cudaLaunchHostFunc(hd_session_ptsz(stream), function, data);
}

cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *config, const void *function,
                                     void **args)
{
    cudaLaunchConfig_t c;

    if (!config)
        return hd_session_note(cudaErrorInvalidValue);
    c = *config;
    c.stream = hd_session_ptsz(c.stream);
    return cudaLaunchKernelExC(&c, function, args);
}

cudaError_t cudaLaunchKernel_ptsz(const void *function, dim3 grid, dim3 block, void **args,
                                  size_t shared, cudaStream_t stream)
{
    return cudaLaunchKernel(function, grid, block, args, shared, hd_session_ptsz(stream));
}

cudaError_t cudaMallocAsync_ptsz(void **out, size_t bytes, cudaStream_t stream)
{
    return cudaMallocAsync(out, bytes, hd_session_ptsz(stream));
}

cudaError_t cudaMallocFromPoolAsync_ptsz(void **out, size_t bytes, cudaMemPool_t pool,
                                         cudaStream_t stream)
{
    return cudaMallocFromPoolAsync(out, bytes, pool, hd_session_ptsz(stream));
}

#if HD_CUDART >= 13
cudaError_t cudaMemPrefetchAsync_ptsz(const void *p, size_t bytes, struct cudaMemLocation where,
                                      unsigned flags, cudaStream_t stream)
{
    return cudaMemPrefetchAsync(p, bytes, where, flags, hd_session_ptsz(stream));
}
#else
cudaError_t cudaMemPrefetchAsync_ptsz(const void *p, size_t bytes, int device, cudaStream_t stream)
{
    return cudaMemPrefetchAsync(p, bytes, device, hd_session_ptsz(stream));
}
#endif

cudaError_t cudaMemcpy2DArrayToArray_ptds(cudaArray_t to, size_t to_x, size_t to_y,
                                          cudaArray_t from, size_t from_x, size_t from_y,
                                          size_t width, size_t height, enum cudaMemcpyKind kind)
{
    return cudaMemcpy2DArrayToArray(to, to_x, to_y, from, from_x, from_y, width, height, kind);
}

cudaError_t cudaMemcpy2DAsync_ptsz(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                   size_t width, size_t height, enum cudaMemcpyKind kind,
                                   cudaStream_t stream)
{
    return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind,
                             hd_session_ptsz(stream));
}

cudaError_t cudaMemcpy2DFromArrayAsync_ptsz(void *to, size_t pitch, cudaArray_t from, size_t x,
                                            size_t y, size_t width, size_t height,
                                            enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind,
                                      hd_session_ptsz(stream));
}

cudaError_t cudaMemcpy2DFromArray_ptds(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind)
{
    cudaError_t e =
        cudaMemcpy2DFromArrayAsync(to, pitch, from, x, y, width, height, kind, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemcpy2DToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void *from,
                                          size_t pitch, size_t width, size_t height,
                                          enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind,
                                    hd_session_ptsz(stream));
}

cudaError_t cudaMemcpy2DToArray_ptds(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    cudaError_t e =
        cudaMemcpy2DToArrayAsync(to, x, y, from, pitch, width, height, kind, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemcpy2D_ptds(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind)
{
    cudaError_t e =
        cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemcpy3DAsync_ptsz(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return cudaMemcpy3DAsync(p, hd_session_ptsz(stream));
}

cudaError_t cudaMemcpy3DPeerAsync_ptsz(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    return cudaMemcpy3DPeerAsync(p, hd_session_ptsz(stream));
}

cudaError_t cudaMemcpy3DPeer_ptds(const struct cudaMemcpy3DPeerParms *p)
{
    cudaError_t e = cudaMemcpy3DPeerAsync(p, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemcpy3D_ptds(const struct cudaMemcpy3DParms *p)
{
    cudaError_t e = cudaMemcpy3DAsync(p, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

#if HD_CUDART >= 13
cudaError_t cudaMemcpyBatchAsync_ptsz(const void **to, const void **from, const size_t *bytes,
                                      size_t count, struct cudaMemcpyAttributes *attributes,
                                      size_t *first, size_t n_attributes, cudaStream_t stream)
{
    return cudaMemcpyBatchAsync(to, from, bytes, count, attributes, first, n_attributes,
                                hd_session_ptsz(stream));
}
#elif HD_CUDART == 12
cudaError_t cudaMemcpyBatchAsync_ptsz(void **to, void **from, size_t *bytes, size_t count,
                                      struct cudaMemcpyAttributes *attributes, size_t *first,
                                      size_t n_attributes, size_t *failed, cudaStream_t stream)
{
    return cudaMemcpyBatchAsync(to, from, bytes, count, attributes, first, n_attributes, failed,
                                hd_session_ptsz(stream));
}
#endif

cudaError_t cudaMemcpyAsync_ptsz(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                 cudaStream_t stream)
{
    return cudaMemcpyAsync(to, from, bytes, kind, hd_session_ptsz(stream));
}

cudaError_t cudaMemcpyFromArrayAsync_ptsz(void *to, cudaArray_t from, size_t x, size_t y,
                                          size_t bytes, enum cudaMemcpyKind kind,
                                          cudaStream_t stream)
{
    return cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, hd_session_ptsz(stream));
}

cudaError_t cudaMemcpyFromArray_ptds(void *to, cudaArray_t from, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind)
{
    cudaError_t e = cudaMemcpyFromArrayAsync(to, from, x, y, bytes, kind, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemcpyFromSymbolAsync_ptsz(void *to, const void *variable, size_t bytes,
                                           size_t offset, enum cudaMemcpyKind kind,
                                           cudaStream_t stream)
{
    return cudaMemcpyFromSymbolAsync(to, variable, bytes, offset, kind, hd_session_ptsz(stream));
}

cudaError_t cudaMemcpyFromSymbol_ptds(void *to, const void *variable, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind)
{
    cudaError_t e =
        cudaMemcpyFromSymbolAsync(to, variable, bytes, offset, kind, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemcpyToArrayAsync_ptsz(cudaArray_t to, size_t x, size_t y, const void *from,
                                        size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, hd_session_ptsz(stream));
}

cudaError_t cudaMemcpyToArray_ptds(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t e = cudaMemcpyToArrayAsync(to, x, y, from, bytes, kind, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemcpyToSymbolAsync_ptsz(const void *variable, const void *from, size_t bytes,
                                         size_t offset, enum cudaMemcpyKind kind,
                                         cudaStream_t stream)
{
    return cudaMemcpyToSymbolAsync(variable, from, bytes, offset, kind, hd_session_ptsz(stream));
}

cudaError_t cudaMemcpyToSymbol_ptds(const void *variable, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind)
{
    cudaError_t e =
        cudaMemcpyToSymbolAsync(variable, from, bytes, offset, kind, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemcpy_ptds(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    cudaError_t e = cudaMemcpyAsync(to, from, bytes, kind, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemset2DAsync_ptsz(void *to, size_t pitch, int value, size_t width, size_t height,
                                   cudaStream_t stream)
{
    return cudaMemset2DAsync(to, pitch, value, width, height, hd_session_ptsz(stream));
}

cudaError_t cudaMemset2D_ptds(void *to, size_t pitch, int value, size_t width, size_t height)
{
    cudaError_t e = cudaMemset2DAsync(to, pitch, value, width, height, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemset3DAsync_ptsz(struct cudaPitchedPtr to, int value, struct cudaExtent extent,
                                   cudaStream_t stream)
{
    return cudaMemset3DAsync(to, value, extent, hd_session_ptsz(stream));
}

cudaError_t cudaMemset3D_ptds(struct cudaPitchedPtr to, int value, struct cudaExtent extent)
{
    cudaError_t e = cudaMemset3DAsync(to, value, extent, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaMemsetAsync_ptsz(void *to, int value, size_t bytes, cudaStream_t stream)
{
    return cudaMemsetAsync(to, value, bytes, hd_session_ptsz(stream));
}

cudaError_t cudaMemset_ptds(void *to, int value, size_t bytes)
{
    cudaError_t e = cudaMemsetAsync(to, value, bytes, cudaStreamPerThread);

    return e == cudaSuccess ? cudaStreamSynchronize(cudaStreamPerThread) : e;
}

cudaError_t cudaStreamAddCallback_ptsz(cudaStream_t stream, cudaStreamCallback_t callback,
                                       void *data, unsigned flags)
{
    return cudaStreamAddCallback(hd_session_ptsz(stream), callback, data, flags);
}

cudaError_t cudaStreamAttachMemAsync_ptsz(cudaStream_t stream, void *p, size_t bytes,
                                          unsigned flags)
{
    return cudaStreamAttachMemAsync(hd_session_ptsz(stream), p, bytes, flags);
}

cudaError_t cudaStreamCopyAttributes_ptsz(cudaStream_t to, cudaStream_t from)
{
    return cudaStreamCopyAttributes(hd_session_ptsz(to), hd_session_ptsz(from));
}

cudaError_t cudaStreamGetAttribute_ptsz(cudaStream_t stream, int id, CUlaunchAttributeValue *value)
{
    return cudaStreamGetAttribute(hd_session_ptsz(stream), id, value);
}

cudaError_t cudaStreamGetDevice_ptsz(cudaStream_t stream, int *device)
{
    return cudaStreamGetDevice(hd_session_ptsz(stream), device);
}

cudaError_t cudaStreamGetFlags_ptsz(cudaStream_t stream, unsigned *flags)
{
    return cudaStreamGetFlags(hd_session_ptsz(stream), flags);
}

cudaError_t cudaStreamGetId_ptsz(cudaStream_t stream, unsigned long long *id)
{
    return cudaStreamGetId(hd_session_ptsz(stream), id);
}

cudaError_t cudaStreamGetPriority_ptsz(cudaStream_t stream, int *priority)
{
    return cudaStreamGetPriority(hd_session_ptsz(stream), priority);
}

cudaError_t cudaStreamQuery_ptsz(cudaStream_t stream)
{
    return cudaStreamQuery(hd_session_ptsz(stream));
}

cudaError_t cudaStreamSetAttribute_ptsz(cudaStream_t stream, int id,
                                        const CUlaunchAttributeValue *value)
{
    return cudaStreamSetAttribute(hd_session_ptsz(stream), id, value);
}

cudaError_t cudaStreamSynchronize_ptsz(cudaStream_t stream)
{
    return cudaStreamSynchronize(hd_session_ptsz(stream));
}

cudaError_t cudaStreamWaitEvent_ptsz(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    return cudaStreamWaitEvent(hd_session_ptsz(stream), event, flags);
}
