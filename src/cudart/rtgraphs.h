// rtgraphs.h - graphs and capture of the runtime API. Types with the driver's layout have the
// driver's names here. Host code includes runtime.h.
#ifndef HEDDLE_CUDART_RTGRAPHS_H
#define HEDDLE_CUDART_RTGRAPHS_H

#include "cudart/runtime.h"

typedef CUgraph cudaGraph_t;
typedef CUgraphNode cudaGraphNode_t;
typedef CUgraphExec cudaGraphExec_t;
typedef CUuserObject cudaUserObject_t;
typedef CUgraphEdgeData cudaGraphEdgeData;
typedef CUgraphConditionalHandle cudaGraphConditionalHandle;
typedef CUDA_GRAPH_INSTANTIATE_PARAMS cudaGraphInstantiateParams;
typedef CUgraphExecUpdateResultInfo cudaGraphExecUpdateResultInfo;

struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};

struct cudaMemcpyNodeParams {
    int flags, reserved[3];
    struct cudaMemcpy3DParms copyParams;
};

struct cudaMemsetParams {
    void *dst;
    size_t pitch;
    unsigned value, elementSize;
    size_t width, height;
};

struct cudaHostNodeParams {
    cudaHostFn_t fn;
    void *userData;
};

struct cudaMemAllocNodeParams {
    struct cudaMemPoolProps poolProps;
    const struct cudaMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
};

struct cudaConditionalNodeParams {
    cudaGraphConditionalHandle handle;
    CUgraphConditionalNodeType type;
    unsigned size;
    cudaGraph_t *phGraph_out;
};

struct cudaGraphNodeParams {
    CUgraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[29];
        struct cudaKernelNodeParams kernel;
        struct cudaMemcpyNodeParams memcpy;
        struct cudaMemsetParams memset;
        struct cudaHostNodeParams host;
        CUDA_CHILD_GRAPH_NODE_PARAMS graph;
        CUDA_EVENT_WAIT_NODE_PARAMS eventWait;
        CUDA_EVENT_RECORD_NODE_PARAMS eventRecord;
        struct cudaMemAllocNodeParams alloc;
        struct {
            void *dptr;
        } free;
        struct cudaConditionalNodeParams conditional;
    };
    long long reserved2;
};

#endif
