// heddle_legacy_cuda13.h - what CUDA 13 removed from the runtime's headers or changed, for C++ programs:
// fields of cudaDeviceProp, functions that take a device's number as a place in memory, functions for
// edges of graphs without data, and in kernels the shuffles and votes without a mask.
#ifndef HEDDLE_LEGACY_CUDA13_H
#define HEDDLE_LEGACY_CUDA13_H

#if defined(__cplusplus) && defined(CUDART_VERSION) && CUDART_VERSION >= 13000

struct heddle_legacy_prop : cudaDeviceProp {
    int clockRate, memoryClockRate; // in kHz
    int computeMode, deviceOverlap, kernelExecTimeoutEnabled;
    int cooperativeMultiDeviceLaunch, singleToDoublePrecisionPerfRatio;
};

static inline cudaError_t heddle_legacy_properties(heddle_legacy_prop *prop, int device)
{
    static const cudaDeviceAttr which[] = {
        cudaDevAttrClockRate,         cudaDevAttrMemoryClockRate,
        cudaDevAttrComputeMode,       cudaDevAttrGpuOverlap,
        cudaDevAttrKernelExecTimeout, cudaDevAttrSingleToDoublePrecisionPerfRatio};
    int values[6] = {0};
    cudaError_t status = cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(prop), device);

    for (int i = 0; i < 6 && status == cudaSuccess; i++)
        status = cudaDeviceGetAttribute(&values[i], which[i], device);
    prop->clockRate = values[0];
    prop->memoryClockRate = values[1];
    prop->computeMode = values[2];
    prop->deviceOverlap = values[3];
    prop->kernelExecTimeoutEnabled = values[4];
    prop->cooperativeMultiDeviceLaunch = 0;
    prop->singleToDoublePrecisionPerfRatio = values[5];
    return status;
}

#define cudaDeviceProp heddle_legacy_prop
#define cudaGetDeviceProperties heddle_legacy_properties

static inline cudaMemLocation heddle_legacy_location(int device)
{
    cudaMemLocation location;

    location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device == cudaCpuDeviceId ? 0 : device;
    return location;
}

static inline cudaError_t cudaMemAdvise(const void *at, size_t size, cudaMemoryAdvise advice, int device)
{
    return cudaMemAdvise(at, size, advice, heddle_legacy_location(device));
}

static inline cudaError_t cudaMemPrefetchAsync(const void *at, size_t size, int device,
                                               cudaStream_t stream = 0)
{
    return cudaMemPrefetchAsync(at, size, heddle_legacy_location(device), 0, stream);
}

// Edges of a graph without their data.
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to, size_t n)
{
    return cudaGraphAddDependencies(graph, from, to, static_cast<const cudaGraphEdgeData *>(0), n);
}

static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                                      const cudaGraphNode_t *to, size_t n)
{
    return cudaGraphRemoveDependencies(graph, from, to, static_cast<const cudaGraphEdgeData *>(0), n);
}

static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                                            size_t *n)
{
    return cudaGraphGetEdges(graph, from, to, static_cast<cudaGraphEdgeData *>(0), n);
}

static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                       size_t *n)
{
    return cudaGraphNodeGetDependencies(node, nodes, static_cast<cudaGraphEdgeData *>(0), n);
}

static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                                         size_t *n)
{
    return cudaGraphNodeGetDependentNodes(node, nodes, static_cast<cudaGraphEdgeData *>(0), n);
}

static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
                                           const cudaGraphNode_t *from, size_t n, cudaGraphNodeParams *params)
{
    return cudaGraphAddNode(node, graph, from, static_cast<const cudaGraphEdgeData *>(0), n, params);
}

static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *nodes,
                                                              size_t n, unsigned int flags = 0)
{
    return cudaStreamUpdateCaptureDependencies(stream, nodes, static_cast<const cudaGraphEdgeData *>(0), n,
                                               flags);
}

// The toolkit still has these, but not for the machines of today. The lanes that are there take part.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
#define HEDDLE_LEGACY_SHUFFLE(name, lane_type)                                                     \
    template <typename T>                                                                          \
    static __device__ __forceinline__ T name(T value, lane_type lane, int width = 32)              \
    {                                                                                              \
        return name##_sync(__activemask(), value, lane, width);                                    \
    }
HEDDLE_LEGACY_SHUFFLE(__shfl, int)
HEDDLE_LEGACY_SHUFFLE(__shfl_up, unsigned int)
HEDDLE_LEGACY_SHUFFLE(__shfl_down, unsigned int)
HEDDLE_LEGACY_SHUFFLE(__shfl_xor, int)
#undef HEDDLE_LEGACY_SHUFFLE

// Votes about a condition; of an int they are names of the compiler, which no function can take over.
static __device__ __forceinline__ int __any(bool predicate)
{
    return __any_sync(__activemask(), predicate);
}

static __device__ __forceinline__ int __all(bool predicate)
{
    return __all_sync(__activemask(), predicate);
}

static __device__ __forceinline__ unsigned int __ballot(bool predicate)
{
    return __ballot_sync(__activemask(), predicate);
}
#endif

#endif
#endif
