// rtgraphs.c - graphs: nodes with the runtime's parameters become nodes of the driver.
#include "cudart/rtgraphs.h"
#include "cudart/registration.h"
#include "cudart/rtcopy.h"
#include "cudart/session.h"

#include <string.h>

// A function that only has another name in the driver, and its call.
#define SAME(name, params, call)                                                                   \
    cudaError_t name params                                                                        \
    {                                                                                              \
        HD_RT_ENTER();                                                                             \
        return hd_session_note(call);                                                              \
    }
// A function that needs statements.
#define FUNCTION(name, params) cudaError_t name params
// The place of a node: parameters of every function that adds one.
#define PLACE cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *after, size_t n

// --- structure

SAME(cudaGraphCreate, (cudaGraph_t * graph, unsigned flags), cuGraphCreate(graph, flags))
SAME(cudaGraphDestroy, (cudaGraph_t graph), cuGraphDestroy(graph))
SAME(cudaGraphClone, (cudaGraph_t * clone, cudaGraph_t original), cuGraphClone(clone, original))
SAME(cudaGraphNodeFindInClone, (cudaGraphNode_t * out, cudaGraphNode_t original, cudaGraph_t clone),
     cuGraphNodeFindInClone(out, original, clone))
SAME(cudaGraphNodeGetType, (cudaGraphNode_t node, CUgraphNodeType *type),
     cuGraphNodeGetType(node, type))
SAME(cudaGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n),
     cuGraphGetNodes(graph, nodes, n))
SAME(cudaGraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n),
     cuGraphGetRootNodes(graph, nodes, n))
SAME(cudaGraphDestroyNode, (cudaGraphNode_t node), cuGraphDestroyNode(node))
SAME(cudaGraphDebugDotPrint, (cudaGraph_t graph, const char *path, unsigned flags),
     cuGraphDebugDotPrint(graph, path, flags))

// Edges have data since 12.3: in 12 under separate names, in 13 under the plain ones.
#if HD_CUDART >= 13
#define WITH_DATA(name) name
#else
#define WITH_DATA(name) name##_v2
SAME(cudaGraphGetEdges, (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *n),
     cuGraphGetEdges_v2(graph, from, to, NULL, n))
SAME(cudaGraphNodeGetDependencies, (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n),
     cuGraphNodeGetDependencies_v2(node, nodes, NULL, n))
SAME(cudaGraphNodeGetDependentNodes, (cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *n),
     cuGraphNodeGetDependentNodes_v2(node, nodes, NULL, n))
SAME(cudaGraphAddDependencies,
     (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n),
     cuGraphAddDependencies_v2(graph, from, to, NULL, n))
SAME(cudaGraphRemoveDependencies,
     (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to, size_t n),
     cuGraphRemoveDependencies_v2(graph, from, to, NULL, n))
#endif
#if HD_CUDART >= 12
SAME(WITH_DATA(cudaGraphGetEdges),
     (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *data,
      size_t *n),
     cuGraphGetEdges_v2(graph, from, to, data, n))
SAME(WITH_DATA(cudaGraphNodeGetDependencies),
     (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *n),
     cuGraphNodeGetDependencies_v2(node, nodes, data, n))
SAME(WITH_DATA(cudaGraphNodeGetDependentNodes),
     (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *data, size_t *n),
     cuGraphNodeGetDependentNodes_v2(node, nodes, data, n))
SAME(WITH_DATA(cudaGraphAddDependencies),
     (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
      const cudaGraphEdgeData *data, size_t n),
     cuGraphAddDependencies_v2(graph, from, to, data, n))
SAME(WITH_DATA(cudaGraphRemoveDependencies),
     (cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
      const cudaGraphEdgeData *data, size_t n),
     cuGraphRemoveDependencies_v2(graph, from, to, data, n))
#endif

// --- parameters

static cudaError_t kernel(const struct cudaKernelNodeParams *p, CUDA_KERNEL_NODE_PARAMS *out)
{
    CUfunction f;
    cudaError_t e = p ? hd_registration_function(p->func, &f) : cudaErrorInvalidValue;

    if (e == cudaSuccess)
        *out = (CUDA_KERNEL_NODE_PARAMS){.func = f,
                                         .gridDimX = p->gridDim.x,
                                         .gridDimY = p->gridDim.y,
                                         .gridDimZ = p->gridDim.z,
                                         .blockDimX = p->blockDim.x,
                                         .blockDimY = p->blockDim.y,
                                         .blockDimZ = p->blockDim.z,
                                         .sharedMemBytes = p->sharedMemBytes,
                                         .kernelParams = p->kernelParams,
                                         .extra = p->extra};
    return e;
}

static CUDA_MEMSET_NODE_PARAMS_v2 fill(const struct cudaMemsetParams *p)
{
    return (CUDA_MEMSET_NODE_PARAMS_v2){.dst = (CUdeviceptr)(uintptr_t)p->dst,
                                        .pitch = p->pitch,
                                        .value = p->value,
                                        .elementSize = p->elementSize,
                                        .width = p->width,
                                        .height = p->height};
}

static CUDA_MEM_ALLOC_NODE_PARAMS alloc(const struct cudaMemAllocNodeParams *p)
{
    CUDA_MEM_ALLOC_NODE_PARAMS out = {.accessDescCount = p->accessDescCount,
                                      .bytesize = p->bytesize};

    _Static_assert(sizeof out.poolProps == sizeof p->poolProps, "the same layout");
    _Static_assert(sizeof *out.accessDescs == sizeof *p->accessDescs, "the same layout");
    memcpy(&out.poolProps, &p->poolProps, sizeof out.poolProps);
    out.accessDescs = (const CUmemAccessDesc *)(const void *)p->accessDescs;
    return out;
}

// Converts parameters of any kind to the driver's.
static cudaError_t translate(const struct cudaGraphNodeParams *p, CUgraphNodeParams *out)
{
    if (!p)
        return cudaErrorInvalidValue;
    memset(out, 0, sizeof *out);
    out->type = p->type;
    switch ((unsigned)p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return kernel(&p->kernel, &out->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        out->memcpy.flags = p->memcpy.flags;
        return hd_rtcopy_describe(&p->memcpy.copyParams, &out->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        out->memset = fill(&p->memset);
        break;
    case CU_GRAPH_NODE_TYPE_HOST:
        out->host = (CUDA_HOST_NODE_PARAMS){p->host.fn, p->host.userData};
        break;
    case CU_GRAPH_NODE_TYPE_GRAPH:
        out->graph = p->graph;
        break;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        out->eventWait = p->eventWait;
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        out->alloc = alloc(&p->alloc);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        out->free.dptr = (CUdeviceptr)(uintptr_t)p->free.dptr;
        break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        out->conditional = (CUDA_CONDITIONAL_NODE_PARAMS){.handle = p->conditional.handle,
                                                          .type = p->conditional.type,
                                                          .size = p->conditional.size};
        break;
    default:
        break; // the driver returns the error
    }
    return cudaSuccess;
}

static cudaError_t add(PLACE, const cudaGraphEdgeData *data, struct cudaGraphNodeParams *p)
{
    CUgraphNodeParams q;
    cudaError_t e;

    HD_RT_ENTER();
    e = translate(p, &q);
    if (e == cudaSuccess)
        e = (cudaError_t)cuGraphAddNode_v2(node, graph, after, data, n, &q);
    if (e != cudaSuccess)
        return hd_session_note(e);
    if (p->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        p->alloc.dptr = (void *)(uintptr_t)q.alloc.dptr;
    if (p->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        p->conditional.phGraph_out = q.conditional.phGraph_out;
    return cudaSuccess;
}

// Changes a node of a graph, or of an executable graph.
static cudaError_t set(cudaGraphExec_t exec, bool in_exec, cudaGraphNode_t node,
                       const struct cudaGraphNodeParams *p)
{
    CUgraphNodeParams q;
    cudaError_t e;

    HD_RT_ENTER();
    e = translate(p, &q);
    if (e == cudaSuccess)
        e = (cudaError_t)(in_exec ? cuGraphExecNodeSetParams(exec, node, &q)
                                  : cuGraphNodeSetParams(node, &q));
    return hd_session_note(e);
}

#if HD_CUDART >= 13
FUNCTION(cudaGraphAddNode, (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *after,
                            const cudaGraphEdgeData *data, size_t n, struct cudaGraphNodeParams *p))
{
    return add(node, graph, after, n, data, p);
}
#elif HD_CUDART == 12
FUNCTION(cudaGraphAddNode_v2,
         (cudaGraphNode_t * node, cudaGraph_t graph, const cudaGraphNode_t *after,
          const cudaGraphEdgeData *data, size_t n, struct cudaGraphNodeParams *p))
{
    return add(node, graph, after, n, data, p);
}
FUNCTION(cudaGraphAddNode, (PLACE, struct cudaGraphNodeParams *p))
{
    return add(node, graph, after, n, NULL, p);
}
#endif
#if HD_CUDART >= 12
FUNCTION(cudaGraphNodeSetParams, (cudaGraphNode_t node, struct cudaGraphNodeParams *p))
{
    return set(NULL, false, node, p);
}
FUNCTION(cudaGraphExecNodeSetParams,
         (cudaGraphExec_t exec, cudaGraphNode_t node, struct cudaGraphNodeParams *p))
{
    return set(exec, true, node, p);
}
SAME(cudaGraphConditionalHandleCreate,
     (cudaGraphConditionalHandle * handle, cudaGraph_t graph, unsigned initial, unsigned flags),
     cuGraphConditionalHandleCreate(handle, graph, NULL, initial, flags))
#endif

// --- nodes of one kind. Each kind has its own parameters `p` in functions that add it, change it
// in a graph, and change it in an executable graph.

#define NODE(Name, type_, field, Params)                                                           \
    FUNCTION(cudaGraphAdd##Name##Node, (PLACE, const Params *p))                                   \
    {                                                                                              \
        struct cudaGraphNodeParams q = {.type = type_};                                            \
        if (!p)                                                                                    \
            return hd_session_note(cudaErrorInvalidValue);                                         \
        q.field = *p;                                                                              \
        return add(node, graph, after, n, NULL, &q);                                               \
    }                                                                                              \
    FUNCTION(cudaGraph##Name##NodeSetParams, (cudaGraphNode_t node, const Params *p))              \
    {                                                                                              \
        struct cudaGraphNodeParams q = {.type = type_};                                            \
        if (!p)                                                                                    \
            return hd_session_note(cudaErrorInvalidValue);                                         \
        q.field = *p;                                                                              \
        return set(NULL, false, node, &q);                                                         \
    }                                                                                              \
    FUNCTION(cudaGraphExec##Name##NodeSetParams,                                                   \
             (cudaGraphExec_t exec, cudaGraphNode_t node, const Params *p))                        \
    {                                                                                              \
        struct cudaGraphNodeParams q = {.type = type_};                                            \
        if (!p)                                                                                    \
            return hd_session_note(cudaErrorInvalidValue);                                         \
        q.field = *p;                                                                              \
        return set(exec, true, node, &q);                                                          \
    }

NODE(Kernel, CU_GRAPH_NODE_TYPE_KERNEL, kernel, struct cudaKernelNodeParams)
NODE(Memcpy, CU_GRAPH_NODE_TYPE_MEMCPY, memcpy.copyParams, struct cudaMemcpy3DParms)
NODE(Memset, CU_GRAPH_NODE_TYPE_MEMSET, memset, struct cudaMemsetParams)
NODE(Host, CU_GRAPH_NODE_TYPE_HOST, host, struct cudaHostNodeParams)

FUNCTION(cudaGraphKernelNodeGetParams, (cudaGraphNode_t node, struct cudaKernelNodeParams *p))
{
    CUDA_KERNEL_NODE_PARAMS q;

    HD_RT_ENTER();
    CUresult r = p ? cuGraphKernelNodeGetParams_v2(node, &q) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *p = (struct cudaKernelNodeParams){.func = hd_registration_host(q.func),
                                           .gridDim = {q.gridDimX, q.gridDimY, q.gridDimZ},
                                           .blockDim = {q.blockDimX, q.blockDimY, q.blockDimZ},
                                           .sharedMemBytes = q.sharedMemBytes,
                                           .kernelParams = q.kernelParams};
    return hd_session_note(r);
}

FUNCTION(cudaGraphMemcpyNodeGetParams, (cudaGraphNode_t node, struct cudaMemcpy3DParms *p))
{
    CUDA_MEMCPY3D c;

    HD_RT_ENTER();
    CUresult r = p ? cuGraphMemcpyNodeGetParams(node, &c) : CUDA_ERROR_INVALID_VALUE;
    return hd_session_note(r == CUDA_SUCCESS ? (unsigned)hd_rtcopy_params(&c, p) : r);
}

FUNCTION(cudaGraphMemsetNodeGetParams, (cudaGraphNode_t node, struct cudaMemsetParams *p))
{
    CUDA_MEMSET_NODE_PARAMS q;

    HD_RT_ENTER();
    CUresult r = p ? cuGraphMemsetNodeGetParams(node, &q) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *p = (struct cudaMemsetParams){
            (void *)(uintptr_t)q.dst, q.pitch, q.value, q.elementSize, q.width, q.height};
    return hd_session_note(r);
}

FUNCTION(cudaGraphHostNodeGetParams, (cudaGraphNode_t node, struct cudaHostNodeParams *p))
{
    CUDA_HOST_NODE_PARAMS q;

    HD_RT_ENTER();
    CUresult r = p ? cuGraphHostNodeGetParams(node, &q) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *p = (struct cudaHostNodeParams){q.fn, q.userData};
    return hd_session_note(r);
}

SAME(cudaGraphKernelNodeCopyAttributes, (cudaGraphNode_t to, cudaGraphNode_t from),
     cuGraphKernelNodeCopyAttributes(to, from))

#if HD_CUDART >= 12
#define VALUE_BYTES sizeof(CUlaunchAttributeValue)
#else
#define VALUE_BYTES 32 // of a value in programs built with 11.0
#endif

FUNCTION(cudaGraphKernelNodeGetAttribute,
         (cudaGraphNode_t node, int id, CUlaunchAttributeValue *value))
{
    CUlaunchAttributeValue v;

    HD_RT_ENTER();
    CUresult r = value ? cuGraphKernelNodeGetAttribute(node, (CUlaunchAttributeID)id, &v)
                       : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        memcpy(value, &v, VALUE_BYTES);
    return hd_session_note(r);
}

FUNCTION(cudaGraphKernelNodeSetAttribute,
         (cudaGraphNode_t node, int id, const CUlaunchAttributeValue *value))
{
    CUlaunchAttributeValue v = {.pad = {0}};

    HD_RT_ENTER();
    if (!value)
        return hd_session_note(cudaErrorInvalidValue);
    memcpy(&v, value, VALUE_BYTES);
    return hd_session_note(cuGraphKernelNodeSetAttribute(node, (CUlaunchAttributeID)id, &v));
}

// --- copies of lines and of variables

static struct cudaGraphNodeParams line(void *to, const void *from, size_t bytes,
                                       enum cudaMemcpyKind kind)
{
    struct cudaGraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};

    p.memcpy.copyParams =
        (struct cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)from, bytes, bytes, 1},
                                   .dstPtr = {to, bytes, bytes, 1},
                                   .extent = {bytes, 1, 1},
                                   .kind = kind};
    return p;
}

static cudaError_t symbol_line(bool to_symbol, const void *variable, void *memory, size_t bytes,
                               size_t offset, enum cudaMemcpyKind kind,
                               struct cudaGraphNodeParams *p)
{
    void *at;

    HD_RT_ENTER();
    cudaError_t e = hd_rtcopy_symbol(to_symbol, variable, bytes, offset, kind, &at);
    if (e == cudaSuccess)
        *p = to_symbol ? line(at, memory, bytes, kind) : line(memory, at, bytes, kind);
    return hd_session_note(e);
}

#define LINE void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind
#define TO_SYMBOL                                                                                  \
    const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind
#define FROM_SYMBOL                                                                                \
    void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind
// The three functions of a form: its parameters, and how they become parameters `p`.
#define COPY(Form, takes, how)                                                                     \
    FUNCTION(cudaGraphAddMemcpyNode##Form, (PLACE, takes))                                         \
    {                                                                                              \
        struct cudaGraphNodeParams p;                                                              \
        cudaError_t e = how;                                                                       \
        return e == cudaSuccess ? add(node, graph, after, n, NULL, &p) : e;                        \
    }                                                                                              \
    FUNCTION(cudaGraphMemcpyNodeSetParams##Form, (cudaGraphNode_t node, takes))                    \
    {                                                                                              \
        struct cudaGraphNodeParams p;                                                              \
        cudaError_t e = how;                                                                       \
        return e == cudaSuccess ? set(NULL, false, node, &p) : e;                                  \
    }                                                                                              \
    FUNCTION(cudaGraphExecMemcpyNodeSetParams##Form,                                               \
             (cudaGraphExec_t exec, cudaGraphNode_t node, takes))                                  \
    {                                                                                              \
        struct cudaGraphNodeParams p;                                                              \
        cudaError_t e = how;                                                                       \
        return e == cudaSuccess ? set(exec, true, node, &p) : e;                                   \
    }

COPY(1D, LINE, (p = line(to, from, bytes, kind), cudaSuccess))
COPY(ToSymbol, TO_SYMBOL,
     symbol_line(true, symbol, (void *)(uintptr_t)from, bytes, offset, kind, &p))
COPY(FromSymbol, FROM_SYMBOL, symbol_line(false, symbol, to, bytes, offset, kind, &p))

// --- graphs, events, memory

FUNCTION(cudaGraphAddEmptyNode, (PLACE))
{
    struct cudaGraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EMPTY};

    return add(node, graph, after, n, NULL, &p);
}

FUNCTION(cudaGraphAddChildGraphNode, (PLACE, cudaGraph_t child))
{
    CUDA_CHILD_GRAPH_NODE_PARAMS params = {.graph = child};
    struct cudaGraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = params};

    return add(node, graph, after, n, NULL, &p);
}

FUNCTION(cudaGraphAddEventRecordNode, (PLACE, cudaEvent_t event))
{
    struct cudaGraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD,
                                    .eventRecord = {event}};

    return add(node, graph, after, n, NULL, &p);
}

FUNCTION(cudaGraphAddEventWaitNode, (PLACE, cudaEvent_t event))
{
    struct cudaGraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {event}};

    return add(node, graph, after, n, NULL, &p);
}

FUNCTION(cudaGraphAddMemAllocNode, (PLACE, struct cudaMemAllocNodeParams *params))
{
    struct cudaGraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    cudaError_t e;

    if (!params)
        return hd_session_note(cudaErrorInvalidValue);
    p.alloc = *params;
    e = add(node, graph, after, n, NULL, &p);
    if (e == cudaSuccess)
        params->dptr = p.alloc.dptr;
    return e;
}

FUNCTION(cudaGraphMemAllocNodeGetParams,
         (cudaGraphNode_t node, struct cudaMemAllocNodeParams *params))
{
    CUDA_MEM_ALLOC_NODE_PARAMS q;

    HD_RT_ENTER();
    CUresult r = params ? cuGraphMemAllocNodeGetParams(node, &q) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS) {
        *params = (struct cudaMemAllocNodeParams){.bytesize = q.bytesize,
                                                  .dptr = (void *)(uintptr_t)q.dptr};
        memcpy(&params->poolProps, &q.poolProps, sizeof q.poolProps);
    }
    return hd_session_note(r);
}

FUNCTION(cudaGraphAddMemFreeNode, (PLACE, void *address))
{
    struct cudaGraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {address}};

    return add(node, graph, after, n, NULL, &p);
}

FUNCTION(cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t node, void *address))
{
    CUdeviceptr at;

    HD_RT_ENTER();
    CUresult r = address ? cuGraphMemFreeNodeGetParams(node, &at) : CUDA_ERROR_INVALID_VALUE;
    void *pointer = r == CUDA_SUCCESS ? (void *)(uintptr_t)at : NULL;
    if (r == CUDA_SUCCESS)
        memcpy(address, &pointer, sizeof pointer);
    return hd_session_note(r);
}

SAME(cudaGraphChildGraphNodeGetGraph, (cudaGraphNode_t node, cudaGraph_t *graph),
     cuGraphChildGraphNodeGetGraph(node, graph))
SAME(cudaGraphEventRecordNodeGetEvent, (cudaGraphNode_t node, cudaEvent_t *event),
     cuGraphEventRecordNodeGetEvent(node, event))
SAME(cudaGraphEventRecordNodeSetEvent, (cudaGraphNode_t node, cudaEvent_t event),
     cuGraphEventRecordNodeSetEvent(node, event))
SAME(cudaGraphEventWaitNodeGetEvent, (cudaGraphNode_t node, cudaEvent_t *event),
     cuGraphEventWaitNodeGetEvent(node, event))
SAME(cudaGraphEventWaitNodeSetEvent, (cudaGraphNode_t node, cudaEvent_t event),
     cuGraphEventWaitNodeSetEvent(node, event))
SAME(cudaDeviceGraphMemTrim, (int device), cuDeviceGraphMemTrim(device))
SAME(cudaDeviceGetGraphMemAttribute, (int device, CUgraphMem_attribute which, void *value),
     cuDeviceGetGraphMemAttribute(device, which, value))
SAME(cudaDeviceSetGraphMemAttribute, (int device, CUgraphMem_attribute which, void *value),
     cuDeviceSetGraphMemAttribute(device, which, value))

// --- executable graphs

#if HD_CUDART >= 12
SAME(cudaGraphInstantiate, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
     cuGraphInstantiateWithFlags(exec, graph, flags))
SAME(cudaGraphInstantiateWithParams,
     (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams *params),
     cuGraphInstantiateWithParams(exec, graph, params))
SAME(cudaGraphInstantiateWithParams_ptsz,
     (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphInstantiateParams *params),
     cuGraphInstantiateWithParams(exec, graph, params))
SAME(cudaGraphExecUpdate,
     (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info),
     cuGraphExecUpdate_v2(exec, graph, info))
SAME(cudaGraphExecGetFlags, (cudaGraphExec_t exec, unsigned long long *flags),
     cuGraphExecGetFlags(exec, (void *)flags))
#else
SAME(cudaGraphInstantiate,
     (cudaGraphExec_t * exec, cudaGraph_t graph, cudaGraphNode_t *error, char *log, size_t size),
     cuGraphInstantiate_v2(exec, graph, error, log, size))
FUNCTION(cudaGraphExecUpdate, (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error,
                               CUgraphExecUpdateResult *result))
{
    CUgraphExecUpdateResultInfo info = {.result = CU_GRAPH_EXEC_UPDATE_ERROR};

    HD_RT_ENTER();
    CUresult r = cuGraphExecUpdate_v2(exec, graph, &info);
    if (error)
        *error = info.errorNode;
    if (result)
        *result = info.result;
    return hd_session_note(r);
}
#endif
SAME(cudaGraphInstantiateWithFlags,
     (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
     cuGraphInstantiateWithFlags(exec, graph, flags))
SAME(cudaGraphExecDestroy, (cudaGraphExec_t exec), cuGraphExecDestroy(exec))
SAME(cudaGraphLaunch, (cudaGraphExec_t exec, cudaStream_t stream), cuGraphLaunch(exec, stream))
SAME(cudaGraphLaunch_ptsz, (cudaGraphExec_t exec, cudaStream_t stream),
     cuGraphLaunch(exec, hd_session_ptsz(stream)))
SAME(cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream), cuGraphUpload(exec, stream))
SAME(cudaGraphUpload_ptsz, (cudaGraphExec_t exec, cudaStream_t stream),
     cuGraphUpload(exec, hd_session_ptsz(stream)))
SAME(cudaGraphExecChildGraphNodeSetParams,
     (cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child),
     cuGraphExecChildGraphNodeSetParams(exec, node, child))
SAME(cudaGraphExecEventRecordNodeSetEvent,
     (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event),
     cuGraphExecEventRecordNodeSetEvent(exec, node, event))
SAME(cudaGraphExecEventWaitNodeSetEvent,
     (cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event),
     cuGraphExecEventWaitNodeSetEvent(exec, node, event))
SAME(cudaGraphNodeSetEnabled, (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled),
     cuGraphNodeSetEnabled(exec, node, enabled))
SAME(cudaGraphNodeGetEnabled, (cudaGraphExec_t exec, cudaGraphNode_t node, unsigned *enabled),
     cuGraphNodeGetEnabled(exec, node, enabled))

// --- user objects

SAME(cudaUserObjectCreate,
     (cudaUserObject_t * object, void *data, cudaHostFn_t destroy, unsigned references,
      unsigned flags),
     cuUserObjectCreate(object, data, destroy, references, flags))
SAME(cudaUserObjectRetain, (cudaUserObject_t object, unsigned n), cuUserObjectRetain(object, n))
SAME(cudaUserObjectRelease, (cudaUserObject_t object, unsigned n), cuUserObjectRelease(object, n))
SAME(cudaGraphRetainUserObject,
     (cudaGraph_t graph, cudaUserObject_t object, unsigned n, unsigned flags),
     cuGraphRetainUserObject(graph, object, n, flags))
SAME(cudaGraphReleaseUserObject, (cudaGraph_t graph, cudaUserObject_t object, unsigned n),
     cuGraphReleaseUserObject(graph, object, n))
