// graph_legacy.c - older symbols of graphs and capture, which have no edge data or fewer
// parameters.
#include "cuda/abi/driver.h"

#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies
#undef cuGraphInstantiate
#undef cuGraphExecUpdate
#undef cuGraphAddNode
#undef cuGraphAddKernelNode
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphAddDependencies
#undef cuGraphRemoveDependencies

CUresult cuStreamBeginCapture(CUstream stream)
{
    return cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, uint64_t *id)
{
    return cuStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL);
}

CUresult cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, uint64_t *id,
                                   CUgraph *graph, const CUgraphNode **dependencies, size_t *n)
{
    return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, NULL, n);
}

CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode *dependencies, size_t n,
                                           unsigned flags)
{
    return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, NULL, n, flags);
}

CUresult cuGraphInstantiate_v2(CUgraphExec *exec, CUgraph graph, CUgraphNode *error, char *log,
                               size_t size)
{
    CUDA_GRAPH_INSTANTIATE_PARAMS p = {.flags = 0};
    CUresult r = cuGraphInstantiateWithParams(exec, graph, &p);

    if (error)
        *error = p.hErrNode_out;
    if (log && size) // the returned error is the whole message
        *log = 0;
    return r;
}

CUresult cuGraphInstantiate(CUgraphExec *exec, CUgraph graph, CUgraphNode *error, char *log,
                            size_t size)
{
    return cuGraphInstantiate_v2(exec, graph, error, log, size);
}

CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphNode *error,
                           CUgraphExecUpdateResult *result)
{
    CUgraphExecUpdateResultInfo info = {.result = CU_GRAPH_EXEC_UPDATE_ERROR};
    CUresult r = cuGraphExecUpdate_v2(exec, graph, &info);

    if (error)
        *error = info.errorNode;
    if (result)
        *result = info.result;
    return r;
}

CUresult cuGraphAddNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n,
                        CUgraphNodeParams *params)
{
    return cuGraphAddNode_v2(node, graph, after, NULL, n, params);
}

static CUDA_KERNEL_NODE_PARAMS widened(const CUDA_KERNEL_NODE_PARAMS_v1 *p)
{
    return (CUDA_KERNEL_NODE_PARAMS){.func = p->func,
                                     .gridDimX = p->gridDimX,
                                     .gridDimY = p->gridDimY,
                                     .gridDimZ = p->gridDimZ,
                                     .blockDimX = p->blockDimX,
                                     .blockDimY = p->blockDimY,
                                     .blockDimZ = p->blockDimZ,
                                     .sharedMemBytes = p->sharedMemBytes,
                                     .kernelParams = p->kernelParams,
                                     .extra = p->extra};
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n,
                              const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS p = widened(params);
    return cuGraphAddKernelNode_v2(node, graph, after, n, &p);
}

CUresult cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    CUDA_KERNEL_NODE_PARAMS p;
    CUresult r = params ? cuGraphKernelNodeGetParams_v2(node, &p) : CUDA_ERROR_INVALID_VALUE;

    if (r == CUDA_SUCCESS)
        *params = (CUDA_KERNEL_NODE_PARAMS_v1){.func = p.func,
                                               .gridDimX = p.gridDimX,
                                               .gridDimY = p.gridDimY,
                                               .gridDimZ = p.gridDimZ,
                                               .blockDimX = p.blockDimX,
                                               .blockDimY = p.blockDimY,
                                               .blockDimZ = p.blockDimZ,
                                               .sharedMemBytes = p.sharedMemBytes,
                                               .kernelParams = p.kernelParams,
                                               .extra = p.extra};
    return r;
}

CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS p = widened(params);
    return cuGraphKernelNodeSetParams_v2(node, &p);
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS_v1 *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS p = widened(params);
    return cuGraphExecKernelNodeSetParams_v2(exec, node, &p);
}

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *n)
{
    return cuGraphGetEdges_v2(graph, from, to, NULL, n);
}

CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode *nodes, size_t *n)
{
    return cuGraphNodeGetDependencies_v2(node, nodes, NULL, n);
}

CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode *nodes, size_t *n)
{
    return cuGraphNodeGetDependentNodes_v2(node, nodes, NULL, n);
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                size_t n)
{
    return cuGraphAddDependencies_v2(graph, from, to, NULL, n);
}

CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   size_t n)
{
    return cuGraphRemoveDependencies_v2(graph, from, to, NULL, n);
}
