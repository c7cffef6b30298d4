// unsupported.h - functions of CUDA 11.5 that heddle's runtime only has so that programs can be built:
// mipmaps, memory and semaphores of other programs, graphics. Each returns cudaErrorNotSupported and
// says so once (src/cudart/rtmissing.def). CUDA Runtime API, "Modules".
#ifndef HEDDLE_UNSUPPORTED_H
#define HEDDLE_UNSUPPORTED_H

typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef const struct CUmipmappedArray_st *cudaMipmappedArray_const_t;

enum cudaExternalMemoryHandleType {
    cudaExternalMemoryHandleTypeOpaqueFd = 1,
    cudaExternalMemoryHandleTypeOpaqueWin32,
    cudaExternalMemoryHandleTypeOpaqueWin32Kmt,
    cudaExternalMemoryHandleTypeD3D12Heap,
    cudaExternalMemoryHandleTypeD3D12Resource,
    cudaExternalMemoryHandleTypeD3D11Resource,
    cudaExternalMemoryHandleTypeD3D11ResourceKmt,
    cudaExternalMemoryHandleTypeNvSciBuf
};
#define cudaExternalMemoryDedicated 0x1
struct cudaExternalMemoryHandleDesc {
    enum cudaExternalMemoryHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciBufObject;
    } handle;
    unsigned long long size;
    unsigned flags;
};
struct cudaExternalMemoryBufferDesc {
    unsigned long long offset, size;
    unsigned flags;
};
struct cudaExternalMemoryMipmappedArrayDesc {
    unsigned long long offset;
    struct cudaChannelFormatDesc formatDesc;
    struct cudaExtent extent;
    unsigned flags, numLevels;
};

enum cudaExternalSemaphoreHandleType {
    cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
    cudaExternalSemaphoreHandleTypeOpaqueWin32,
    cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt,
    cudaExternalSemaphoreHandleTypeD3D12Fence,
    cudaExternalSemaphoreHandleTypeD3D11Fence,
    cudaExternalSemaphoreHandleTypeNvSciSync,
    cudaExternalSemaphoreHandleTypeKeyedMutex,
    cudaExternalSemaphoreHandleTypeKeyedMutexKmt,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32
};
#define cudaExternalSemaphoreSignalSkipNvSciBufMemSync 0x01
#define cudaExternalSemaphoreWaitSkipNvSciBufMemSync 0x02
#define cudaNvSciSyncAttrSignal 0x1
#define cudaNvSciSyncAttrWait 0x2
struct cudaExternalSemaphoreHandleDesc {
    enum cudaExternalSemaphoreHandleType type;
    union {
        int fd;
        struct {
            void *handle;
            const void *name;
        } win32;
        const void *nvSciSyncObj;
    } handle;
    unsigned flags;
};
struct cudaExternalSemaphoreSignalParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
        } keyedMutex;
        unsigned reserved[12];
    } params;
    unsigned flags, reserved[16];
};
struct cudaExternalSemaphoreWaitParams {
    struct {
        struct {
            unsigned long long value;
        } fence;
        union {
            void *fence;
            unsigned long long reserved;
        } nvSciSync;
        struct {
            unsigned long long key;
            unsigned timeoutMs;
        } keyedMutex;
        unsigned reserved[10];
    } params;
    unsigned flags, reserved[16];
};
struct cudaExternalSemaphoreSignalNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const struct cudaExternalSemaphoreSignalParams *paramsArray;
    unsigned numExtSems;
};
struct cudaExternalSemaphoreWaitNodeParams {
    cudaExternalSemaphore_t *extSemArray;
    const struct cudaExternalSemaphoreWaitParams *paramsArray;
    unsigned numExtSems;
};

enum cudaGraphicsRegisterFlags {
    cudaGraphicsRegisterFlagsNone = 0,
    cudaGraphicsRegisterFlagsReadOnly = 1,
    cudaGraphicsRegisterFlagsWriteDiscard = 2,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4,
    cudaGraphicsRegisterFlagsTextureGather = 8
};
enum cudaGraphicsMapFlags {
    cudaGraphicsMapFlagsNone,
    cudaGraphicsMapFlagsReadOnly,
    cudaGraphicsMapFlagsWriteDiscard
};
enum cudaGraphicsCubeFace {
    cudaGraphicsCubeFacePositiveX,
    cudaGraphicsCubeFaceNegativeX,
    cudaGraphicsCubeFacePositiveY,
    cudaGraphicsCubeFaceNegativeY,
    cudaGraphicsCubeFacePositiveZ,
    cudaGraphicsCubeFaceNegativeZ
};
enum cudaFlushGPUDirectRDMAWritesScope {
    cudaFlushGPUDirectRDMAWritesToOwner = 100,
    cudaFlushGPUDirectRDMAWritesToAllDevices = 200
};
enum cudaFlushGPUDirectRDMAWritesTarget { cudaFlushGPUDirectRDMAWritesTargetCurrentDevice };

#define cudaArraySparsePropertiesSingleMipTail 0x1
struct cudaArraySparseProperties {
    struct {
        unsigned width, height, depth;
    } tileExtent;
    unsigned miptailFirstLevel;
    unsigned long long miptailSize;
    unsigned flags, reserved[4];
};
struct cudaMemPoolPtrExportData {
    unsigned char reserved[64];
};
struct cudaLaunchParams {
    void *func;
    dim3 gridDim, blockDim;
    void **args;
    size_t sharedMem;
    cudaStream_t stream;
};

#ifdef __cplusplus
extern "C" {
#endif
// Mipmaps and arrays
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *out, const struct cudaChannelFormatDesc *channels,
                                     struct cudaExtent extent, unsigned levels, unsigned flags);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *out, cudaMipmappedArray_const_t array, unsigned level);
cudaError_t cudaMipmappedArrayGetSparseProperties(struct cudaArraySparseProperties *out,
                                                  cudaMipmappedArray_t array);
cudaError_t cudaBindTextureToMipmappedArray(const struct textureReference *reference,
                                            cudaMipmappedArray_const_t array,
                                            const struct cudaChannelFormatDesc *channels);
cudaError_t cudaGetTextureObjectResourceViewDesc(struct cudaResourceViewDesc *out,
                                                 cudaTextureObject_t texture);
cudaError_t cudaArrayGetSparseProperties(struct cudaArraySparseProperties *out, cudaArray_t array);
cudaError_t cudaArrayGetPlane(cudaArray_t *out, cudaArray_t array, unsigned plane);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                   size_t from_x, size_t from_y, size_t bytes, enum cudaMemcpyKind kind);

// Memory and semaphores of other programs
cudaError_t cudaImportExternalMemory(cudaExternalMemory_t *out, const struct cudaExternalMemoryHandleDesc *what);
cudaError_t cudaExternalMemoryGetMappedBuffer(void **out, cudaExternalMemory_t memory,
                                              const struct cudaExternalMemoryBufferDesc *which);
cudaError_t cudaExternalMemoryGetMappedMipmappedArray(cudaMipmappedArray_t *out, cudaExternalMemory_t memory,
                                                      const struct cudaExternalMemoryMipmappedArrayDesc *which);
cudaError_t cudaDestroyExternalMemory(cudaExternalMemory_t memory);
cudaError_t cudaImportExternalSemaphore(cudaExternalSemaphore_t *out,
                                        const struct cudaExternalSemaphoreHandleDesc *what);
cudaError_t cudaSignalExternalSemaphoresAsync_v2(const cudaExternalSemaphore_t *semaphores,
                                                 const struct cudaExternalSemaphoreSignalParams *params,
                                                 unsigned n, cudaStream_t stream);
cudaError_t cudaWaitExternalSemaphoresAsync_v2(const cudaExternalSemaphore_t *semaphores,
                                               const struct cudaExternalSemaphoreWaitParams *params, unsigned n,
                                               cudaStream_t stream);
#define cudaSignalExternalSemaphoresAsync cudaSignalExternalSemaphoresAsync_v2
#define cudaWaitExternalSemaphoresAsync cudaWaitExternalSemaphoresAsync_v2
cudaError_t cudaDestroyExternalSemaphore(cudaExternalSemaphore_t semaphore);
cudaError_t cudaDeviceGetNvSciSyncAttributes(void *out, int device, int flags);
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(enum cudaFlushGPUDirectRDMAWritesTarget target,
                                               enum cudaFlushGPUDirectRDMAWritesScope scope);
#define HD_SEMAPHORE_NODES(Which)                                                                                \
    cudaError_t cudaGraphAddExternalSemaphores##Which##Node(                                                     \
        cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n,                        \
        const struct cudaExternalSemaphore##Which##NodeParams *params);                                          \
    cudaError_t cudaGraphExternalSemaphores##Which##NodeGetParams(                                               \
        cudaGraphNode_t node, struct cudaExternalSemaphore##Which##NodeParams *params);                          \
    cudaError_t cudaGraphExternalSemaphores##Which##NodeSetParams(                                               \
        cudaGraphNode_t node, const struct cudaExternalSemaphore##Which##NodeParams *params);                    \
    cudaError_t cudaGraphExecExternalSemaphores##Which##NodeSetParams(                                           \
        cudaGraphExec_t exec, cudaGraphNode_t node, const struct cudaExternalSemaphore##Which##NodeParams *params);
HD_SEMAPHORE_NODES(Signal)
HD_SEMAPHORE_NODES(Wait)
#undef HD_SEMAPHORE_NODES

// Memory pools of several processes
cudaError_t cudaMemPoolExportToShareableHandle(void *handle, cudaMemPool_t pool,
                                               enum cudaMemAllocationHandleType type, unsigned flags);
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle,
                                                 enum cudaMemAllocationHandleType type, unsigned flags);
cudaError_t cudaMemPoolExportPointer(struct cudaMemPoolPtrExportData *out, void *p);
cudaError_t cudaMemPoolImportPointer(void **out, cudaMemPool_t pool, struct cudaMemPoolPtrExportData *what);

// Graphics
cudaError_t cudaGraphicsMapResources(int n, cudaGraphicsResource_t *resources, cudaStream_t stream);
cudaError_t cudaGraphicsUnmapResources(int n, cudaGraphicsResource_t *resources, cudaStream_t stream);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned flags);
cudaError_t cudaGraphicsResourceGetMappedPointer(void **out, size_t *bytes, cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsResourceGetMappedMipmappedArray(cudaMipmappedArray_t *out,
                                                        cudaGraphicsResource_t resource);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *out, cudaGraphicsResource_t resource,
                                                  unsigned index, unsigned level);

// The rest
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams *launches, unsigned n, unsigned flags);
cudaError_t cudaGetExportTable(const void **out, const cudaUUID_t *which);
#ifdef __cplusplus
}
#endif

#endif
