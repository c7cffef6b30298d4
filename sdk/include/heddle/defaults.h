// defaults.h - the default arguments that the runtime API has in C++.
#ifndef HEDDLE_DEFAULTS_H
#define HEDDLE_DEFAULTS_H

extern "C" {
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t shared = 0, void *stream = 0);
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t shared = 0, cudaStream_t = 0);
cudaError_t cudaMallocManaged(void **, size_t, unsigned flags = cudaMemAttachGlobal);
cudaError_t cudaHostAlloc(void **, size_t, unsigned flags = cudaHostAllocDefault);
cudaError_t cudaHostRegister(void *, size_t, unsigned flags = 0);
cudaError_t cudaHostGetDevicePointer(void **, void *, unsigned flags = 0);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int device, cudaStream_t = 0);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t bytes = 0,
                                     unsigned flags = cudaMemAttachSingle);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyPeerAsync(void *, int, const void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t, size_t offset = 0,
                               enum cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyToSymbolAsync(const void *, const void *, size_t, size_t, enum cudaMemcpyKind,
                                    cudaStream_t = 0);
cudaError_t cudaMemcpyFromSymbol(void *, const void *, size_t, size_t offset = 0,
                                 enum cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyFromSymbolAsync(void *, const void *, size_t, size_t, enum cudaMemcpyKind,
                                      cudaStream_t = 0);
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t,
                              enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t,
                                     enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DFromArrayAsync(void *, size_t, cudaArray_t, size_t, size_t, size_t, size_t,
                                       enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t, size_t, size_t, cudaArray_t, size_t, size_t, size_t,
                                     size_t, enum cudaMemcpyKind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void *, size_t,
                                   enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromArrayAsync(void *, cudaArray_t, size_t, size_t, size_t, enum cudaMemcpyKind,
                                     cudaStream_t = 0);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *, cudaStream_t = 0);
cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *, cudaStream_t = 0);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemset2DAsync(void *, size_t, int, size_t, size_t, cudaStream_t = 0);
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr, int, struct cudaExtent, cudaStream_t = 0);
cudaError_t cudaMalloc3DArray(cudaArray_t *, const struct cudaChannelFormatDesc *, struct cudaExtent,
                              unsigned flags = 0);
cudaError_t cudaMallocArray(cudaArray_t *, const struct cudaChannelFormatDesc *, size_t width,
                            size_t height = 0, unsigned flags = 0);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned flags = 0);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0, unsigned flags = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t shared = 0,
                                        cudaStream_t = 0);
cudaError_t cudaFuncSetCacheConfig(const void *, int);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t, CUstreamCaptureStatus *, unsigned long long *id = 0,
                                        cudaGraph_t *graph = 0, const cudaGraphNode_t **nodes = 0,
                                        size_t *n = 0);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *, size_t, unsigned flags = 0);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t, unsigned long long flags = 0);
cudaError_t cudaUserObjectRetain(cudaUserObject_t, unsigned n = 1);
cudaError_t cudaUserObjectRelease(cudaUserObject_t, unsigned n = 1);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t, cudaUserObject_t, unsigned n = 1, unsigned flags = 0);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t, cudaUserObject_t, unsigned n = 1);
cudaError_t cudaWaitExternalSemaphoresAsync_v2(const cudaExternalSemaphore_t *,
                                               const struct cudaExternalSemaphoreWaitParams *, unsigned,
                                               cudaStream_t = 0);
cudaError_t cudaSignalExternalSemaphoresAsync_v2(const cudaExternalSemaphore_t *,
                                                 const struct cudaExternalSemaphoreSignalParams *, unsigned,
                                                 cudaStream_t = 0);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *, const struct cudaChannelFormatDesc *,
                                     struct cudaExtent, unsigned levels, unsigned flags = 0);
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t *, cudaStream_t = 0);
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t *, cudaStream_t = 0);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *, unsigned, unsigned flags = 0);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t,
                                   enum cudaMemcpyKind = cudaMemcpyDeviceToDevice);
// What the compiler keeps for old programs, and 13 has no more.
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
}

#endif
