// graphnodes.c - converts parameters of the interface to the work of nodes, and back.
//
// All functions that add or change a node use one function with the parameters of all kinds of
// nodes. What a node refers to is checked when it is added or changed; memory that an alloc node
// will give is valid there.
#include "cuda/graphexec/graphexec.h"

#include "cuda/launch/launch.h"
#include "cuda/memory/devmem.h"
#include "cuda/stream/stream.h"

#include <string.h>

// A library's kernel may be given together with the context that it is meant for.
static const struct hd_cuda_function *function_of(const CUDA_KERNEL_NODE_PARAMS *p)
{
    if (p->func || !p->ctx)
        return hd_resolve_function(p->func ? p->func : (CUfunction)p->kern);
    return hd_resolve_in((CUfunction)p->kern,
                         hd_handles_get(hd_cuda.handles, HD_HANDLE_CONTEXT, p->ctx));
}

static CUresult kernel(struct hd_arena *a, const CUDA_KERNEL_NODE_PARAMS *p,
                       const struct hd_graph_work *old, struct hd_graph_kernel *k)
{
    struct hd_cuda_shape shape = {{p->gridDimX, p->gridDimY, p->gridDimZ},
                                  {p->blockDimX, p->blockDimY, p->blockDimZ},
                                  p->sharedMemBytes};
    const struct hd_cuda_function *f = function_of(p);
    uint8_t *block;
    CUresult r;

    if (!f)
        return CUDA_ERROR_INVALID_VALUE;
    *k = (struct hd_graph_kernel){.function = f->handle};
    if (old) {
        k->cooperative = old->u.kernel.cooperative;
        k->priority = old->u.kernel.priority;
        k->hints = old->u.kernel.hints;
    }
    r = hd_launch_prepare(f, &shape, k->cooperative, &k->request);
    if (r != CUDA_SUCCESS)
        return r;
    block = hd_arena_get(a, f->func->param_bytes, 1);
    k->request.params = block;
    return hd_launch_pack(f->func, p->kernelParams, p->extra, block);
}

static CUresult event(CUevent handle, struct hd_graph_work *w)
{
    w->u.event = handle;
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_EVENT, handle) ? CUDA_SUCCESS
                                                                    : CUDA_ERROR_INVALID_VALUE;
}

static CUDA_MEMSET_NODE_PARAMS fill_of(const CUDA_MEMSET_NODE_PARAMS_v2 *p)
{
    return (CUDA_MEMSET_NODE_PARAMS){.dst = p->dst,
                                     .pitch = p->pitch,
                                     .value = p->value,
                                     .elementSize = p->elementSize,
                                     .width = p->width,
                                     .height = p->height};
}

CUresult hd_graphnodes_work(struct hd_arena *a, const CUgraphNodeParams *p,
                            const struct hd_graph_work *old, struct hd_graph_work *w)
{
    struct hd_cuda_copy copy;
    struct hd_cuda_fill fill;

    memset(w, 0, sizeof *w);
    w->type = p->type;
    switch ((unsigned)p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return kernel(a, &p->kernel, old, &w->u.kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        w->u.copy = p->memcpy.copyParams;
        return p->memcpy.flags ? CUDA_ERROR_INVALID_VALUE
                               : hd_copy_resolve(&w->u.copy, true, &copy);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        w->u.fill = fill_of(&p->memset);
        return hd_fill_resolve(&w->u.fill, true, &fill);
    case CU_GRAPH_NODE_TYPE_HOST:
        w->u.host = p->host;
        return p->host.fn ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return event(p->eventWait.event, w);
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return CUDA_ERROR_NOT_SUPPORTED;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}

// --- nodes that own a graph, memory or an event

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static bool contains(const struct hd_cuda_graph *g, const struct hd_cuda_graph *other)
{
    bool found = g == other;

    for (size_t i = 0; i < g->n && !found; i++) {
        const struct hd_graph_work *w = &g->nodes[i]->work;
        if (w->type == CU_GRAPH_NODE_TYPE_GRAPH)
            found = contains(w->u.child, other);
        for (unsigned k = 0;
             w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL && !found && k < w->u.conditional.n; k++)
            found = contains(w->u.conditional.bodies[k], other);
    }
    return found;
}

static CUresult child(const CUDA_CHILD_GRAPH_NODE_PARAMS *p, struct hd_cuda_graph *parent,
                      struct hd_graph_work *w)
{
    struct hd_cuda_graph *g = hd_graph_get(p->graph);
    CUresult r;

    w->type = CU_GRAPH_NODE_TYPE_GRAPH;
    if (!g || g == parent || (unsigned)p->ownership > CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE)
        return CUDA_ERROR_INVALID_VALUE;
    if (p->ownership == CU_GRAPH_CHILD_GRAPH_OWNERSHIP_MOVE) {
        if (g->inner || g->capturing || g->n_execs || contains(g, parent))
            return CUDA_ERROR_INVALID_VALUE;
        g->inner = true;
        w->u.child = g;
        return CUDA_SUCCESS;
    }
    w->u.child = hd_graph_new(true);
    r = hd_graph_copy(w->u.child, g);
    if (r != CUDA_SUCCESS)
        hd_graph_free(w->u.child);
    return r;
}

static CUresult alloc(CUDA_MEM_ALLOC_NODE_PARAMS *p, struct hd_graph_work *w)
{
    if (!p->bytesize || p->poolProps.allocType != 1 || p->poolProps.location.type != 1 ||
        p->poolProps.location.id || (p->accessDescCount && !p->accessDescs))
        return CUDA_ERROR_INVALID_VALUE;
    if (p->poolProps.handleTypes)
        return CUDA_ERROR_NOT_SUPPORTED; // sharing between processes
    for (size_t i = 0; i < p->accessDescCount; i++)
        if (p->accessDescs[i].location.type != 1 || p->accessDescs[i].location.id)
            return CUDA_ERROR_INVALID_VALUE;
    p->dptr = hd_devmem_reserve(p->bytesize);
    w->u.alloc = *p;
    w->u.alloc.accessDescs = NULL; // the device has access anyway
    w->u.alloc.accessDescCount = 0;
    return p->dptr ? CUDA_SUCCESS : hd_devmem_full();
}

static CUresult release(const struct hd_cuda_graph *g, CUdeviceptr address, struct hd_graph_work *w)
{
    w->u.free = address;
    if (!hd_devmem_reserved(address))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < g->n; i++)
        if (g->nodes[i]->work.type == CU_GRAPH_NODE_TYPE_MEM_FREE &&
            g->nodes[i]->work.u.free == address)
            return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

// A condition may belong to any graph around the node's.
static bool has_condition(CUgraphConditionalHandle handle)
{
    const struct hd_cuda_graph *g;
    size_t at = 0;

    while ((g = hd_handles_next(hd_cuda.handles, HD_HANDLE_GRAPH, &at)))
        for (size_t i = 0; i < g->n_conditions; i++)
            if (g->conditions[i].handle == handle)
                return true;
    return false;
}

static CUresult conditional(struct hd_cuda_graph *g, CUDA_CONDITIONAL_NODE_PARAMS *p,
                            struct hd_graph_work *w)
{
    struct hd_graph_conditional *c = &w->u.conditional;

    if (!has_condition(p->handle) || (unsigned)p->type > CU_GRAPH_COND_TYPE_SWITCH || !p->size ||
        p->size > 1 << 16 || (p->type == CU_GRAPH_COND_TYPE_IF && p->size > 2) ||
        (p->type == CU_GRAPH_COND_TYPE_WHILE && p->size > 1))
        return CUDA_ERROR_INVALID_VALUE;
    *c = (struct hd_graph_conditional){.handle = p->handle, .type = p->type, .n = p->size};
    c->bodies = HD_ARRAY(g->arena, struct hd_cuda_graph *, c->n);
    p->phGraph_out = HD_ARRAY(g->arena, CUgraph, c->n);
    for (unsigned i = 0; i < c->n; i++) {
        c->bodies[i] = hd_graph_new(true);
        p->phGraph_out[i] = c->bodies[i]->handle;
    }
    return CUDA_SUCCESS;
}

static CUresult work_of_node(struct hd_cuda_graph *g, CUgraphNodeParams *p, struct hd_graph_work *w)
{
    *w = (struct hd_graph_work){.type = p->type};
    switch ((unsigned)p->type) {
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return child(&p->graph, g, w);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return alloc(&p->alloc, w);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return release(g, p->free.dptr, w);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return conditional(g, &p->conditional, w);
    default:
        return hd_graphnodes_work(g->arena, p, NULL, w);
    }
}

// --- adding

CUresult cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                           const CUgraphEdgeData *data, size_t n, CUgraphNodeParams *params)
{
    struct hd_cuda_graph *g;
    struct hd_graph_work w;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    if (!g || !node || !params)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_graph_check(g, after, data, n);
    if (r == CUDA_SUCCESS)
        r = work_of_node(g, params, &w);
    if (r != CUDA_SUCCESS)
        return r;
    *node = hd_graph_add(g, after, data, n, &w)->handle;
    if (w.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        hd_userobjects_own(g, hd_devmem_abandon, (void *)(uintptr_t)w.u.alloc.dptr);
    return CUDA_SUCCESS;
}

#define ADD(...)                                                                                   \
    CUgraphNodeParams p = {__VA_ARGS__};                                                           \
    return cuGraphAddNode_v2(node, graph, after, NULL, n, &p)

CUresult cuGraphAddKernelNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                 size_t n, const CUDA_KERNEL_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    ADD(.type = CU_GRAPH_NODE_TYPE_KERNEL, .kernel = *params);
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n,
                              const CUDA_MEMCPY3D *copy, CUcontext context)
{
    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    ADD(.type = CU_GRAPH_NODE_TYPE_MEMCPY, .memcpy = {.copyCtx = context, .copyParams = *copy});
}

static CUDA_MEMSET_NODE_PARAMS_v2 fill_params(const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context)
{
    return (CUDA_MEMSET_NODE_PARAMS_v2){.dst = p->dst,
                                        .pitch = p->pitch,
                                        .value = p->value,
                                        .elementSize = p->elementSize,
                                        .width = p->width,
                                        .height = p->height,
                                        .ctx = context};
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n,
                              const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    ADD(.type = CU_GRAPH_NODE_TYPE_MEMSET, .memset = fill_params(params, context));
}

CUresult cuGraphAddHostNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n,
                            const CUDA_HOST_NODE_PARAMS *params)
{
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    ADD(.type = CU_GRAPH_NODE_TYPE_HOST, .host = *params);
}

CUresult cuGraphAddChildGraphNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                  size_t n, CUgraph child_graph)
{
    CUDA_CHILD_GRAPH_NODE_PARAMS params = {.graph = child_graph};

    ADD(.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = params);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n)
{
    ADD(.type = CU_GRAPH_NODE_TYPE_EMPTY);
}

CUresult cuGraphAddEventRecordNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                   size_t n, CUevent which)
{
    ADD(.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {which});
}

CUresult cuGraphAddEventWaitNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                 size_t n, CUevent which)
{
    ADD(.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {which});
}

CUresult cuGraphAddMemAllocNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after,
                                size_t n, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC};
    CUresult r;

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    p.alloc = *params;
    r = cuGraphAddNode_v2(node, graph, after, NULL, n, &p);
    if (r == CUDA_SUCCESS)
        params->dptr = p.alloc.dptr;
    return r;
}

CUresult cuGraphAddMemFreeNode(CUgraphNode *node, CUgraph graph, const CUgraphNode *after, size_t n,
                               CUdeviceptr address)
{
    ADD(.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .free = {address});
}

CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle *handle, CUgraph graph,
                                        CUcontext context, unsigned initial, unsigned flags)
{
    struct hd_cuda_graph *g;
    uint64_t at;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    (void)context;
    g = hd_graph_get(graph);
    if (!g || !handle || flags > CU_GRAPH_COND_ASSIGN_DEFAULT)
        return CUDA_ERROR_INVALID_VALUE;
    at = hd_devmem_new(sizeof initial, HD_ALLOC_DEVICE, 0);
    if (!at)
        return hd_devmem_full();
    memcpy(hd_devmem_at(at, sizeof initial), &initial, sizeof initial);
    hd_devmem_find(at)->ending = true; // so that the program cannot free it
    *HD_PUSH(g->arena, g->conditions, g->n_conditions, g->cap_conditions) =
        (struct hd_graph_condition){at, initial, flags == CU_GRAPH_COND_ASSIGN_DEFAULT};
    *handle = at;
    return CUDA_SUCCESS;
}

// --- changing

CUresult cuGraphNodeSetParams(CUgraphNode handle, CUgraphNodeParams *params)
{
    struct hd_cuda_node *node;
    struct hd_graph_work w;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    node = hd_graph_node(handle);
    if (!node || !params || params->type != node->work.type)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_graphnodes_work(node->graph->arena, params, &node->work, &w);
    if (r == CUDA_SUCCESS) {
        node->work = w;
        node->args = NULL;
    }
    return r;
}

CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_KERNEL};

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    p.kernel = *params;
    return cuGraphNodeSetParams(node, &p);
}

CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *copy)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};

    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    p.memcpy.copyParams = *copy;
    return cuGraphNodeSetParams(node, &p);
}

CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMSET};

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    p.memset = fill_params(params, NULL);
    return cuGraphNodeSetParams(node, &p);
}

CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_HOST};

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    p.host = *params;
    return cuGraphNodeSetParams(node, &p);
}

CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent which)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {which}};

    return cuGraphNodeSetParams(node, &p);
}

CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent which)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {which}};

    return cuGraphNodeSetParams(node, &p);
}

// --- queries: the work of a node of this kind, or an error

#define ASK(kind, out)                                                                             \
    struct hd_cuda_node *asked;                                                                    \
    HD_CUDA_ENTER(HD_CUDA_WORKING);                                                                \
    asked = hd_graph_node(node);                                                                   \
    if (!asked || asked->work.type != CU_GRAPH_NODE_TYPE_##kind || !(out))                         \
    return CUDA_ERROR_INVALID_VALUE

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *params)
{
    ASK(KERNEL, params);
    const struct hd_launch_request *r = &asked->work.u.kernel.request;
    if (!asked->args && r->kernel->n_params) {
        asked->args = HD_ARRAY(asked->graph->arena, void *, r->kernel->n_params);
        // The program gets copies, because it may write to them, which must not change the node.
        uint8_t *block = hd_arena_get(asked->graph->arena, r->kernel->param_bytes, 1);
        memcpy(block, r->params, r->kernel->param_bytes);
        for (uint32_t i = 0; i < r->kernel->n_params; i++)
            asked->args[i] = block + r->kernel->params[i].offset;
    }
    *params = (CUDA_KERNEL_NODE_PARAMS){.func = asked->work.u.kernel.function,
                                        .gridDimX = r->grid[0],
                                        .gridDimY = r->grid[1],
                                        .gridDimZ = r->grid[2],
                                        .blockDimX = r->block[0],
                                        .blockDimY = r->block[1],
                                        .blockDimZ = r->block[2],
                                        .sharedMemBytes = r->dynamic_shared,
                                        .kernelParams = asked->args,
                                        .ctx = hd_current_context()->handle};
    return CUDA_SUCCESS;
}

CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D *copy)
{
    ASK(MEMCPY, copy);
    *copy = asked->work.u.copy;
    return CUDA_SUCCESS;
}

CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *params)
{
    ASK(MEMSET, params);
    *params = asked->work.u.fill;
    return CUDA_SUCCESS;
}

CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS *params)
{
    ASK(HOST, params);
    *params = asked->work.u.host;
    return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph *child_graph)
{
    ASK(GRAPH, child_graph);
    *child_graph = asked->work.u.child->handle;
    return CUDA_SUCCESS;
}

CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent *which)
{
    ASK(EVENT_RECORD, which);
    *which = asked->work.u.event;
    return CUDA_SUCCESS;
}

CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent *which)
{
    ASK(WAIT_EVENT, which);
    *which = asked->work.u.event;
    return CUDA_SUCCESS;
}

CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS *params)
{
    ASK(MEM_ALLOC, params);
    *params = asked->work.u.alloc;
    return CUDA_SUCCESS;
}

CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr *address)
{
    ASK(MEM_FREE, address);
    *address = asked->work.u.free;
    return CUDA_SUCCESS;
}

// --- attributes of kernels

CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID id,
                                       CUlaunchAttributeValue *value)
{
    ASK(KERNEL, value && id > 0 && (unsigned)id < HD_GRAPH_HINTS);
    const struct hd_graph_kernel *k = &asked->work.u.kernel;
    memset(value, 0, sizeof *value);
    if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        value->cooperative = k->cooperative;
    else if (id == CU_LAUNCH_ATTRIBUTE_PRIORITY)
        value->priority = k->priority;
    else if (k->hints)
        *value = k->hints[id];
    return CUDA_SUCCESS;
}

static CUresult set_cooperative(struct hd_graph_kernel *k, bool to)
{
    const struct hd_cuda_function *f = hd_resolve_function(k->function);
    const struct hd_launch_request *r = &k->request;
    struct hd_cuda_shape shape = {{r->grid[0], r->grid[1], r->grid[2]},
                                  {r->block[0], r->block[1], r->block[2]},
                                  r->dynamic_shared};
    struct hd_launch_request tried;
    CUresult result = f ? hd_launch_prepare(f, &shape, to, &tried) : CUDA_ERROR_INVALID_VALUE;

    if (result == CUDA_SUCCESS)
        k->cooperative = to;
    return result;
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID id,
                                       const CUlaunchAttributeValue *value)
{
    ASK(KERNEL, value && id > 0 && (unsigned)id < HD_GRAPH_HINTS);
    struct hd_graph_kernel *k = &asked->work.u.kernel;
    if (id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        return set_cooperative(k, value->cooperative != 0);
    if (id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION &&
        (value->clusterDim.x > 1 || value->clusterDim.y > 1 || value->clusterDim.z > 1))
        return CUDA_ERROR_NOT_SUPPORTED;
    if (id == CU_LAUNCH_ATTRIBUTE_PRIORITY) {
        k->priority = value->priority;
        return CUDA_SUCCESS;
    }
    if (!k->hints)
        k->hints = HD_ARRAY(asked->graph->arena, CUlaunchAttributeValue, HD_GRAPH_HINTS);
    k->hints[id] = *value;
    return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from)
{
    const struct hd_cuda_node *source;
    struct hd_cuda_node *target;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    source = hd_graph_node(from);
    target = hd_graph_node(to);
    if (!source || !target || source->work.type != CU_GRAPH_NODE_TYPE_KERNEL ||
        target->work.type != CU_GRAPH_NODE_TYPE_KERNEL)
        return CUDA_ERROR_INVALID_VALUE;
    r = set_cooperative(&target->work.u.kernel, source->work.u.kernel.cooperative);
    if (r != CUDA_SUCCESS)
        return r;
    target->work.u.kernel.priority = source->work.u.kernel.priority;
    if (source->work.u.kernel.hints) {
        target->work.u.kernel.hints =
            HD_ARRAY(target->graph->arena, CUlaunchAttributeValue, HD_GRAPH_HINTS);
        memcpy(target->work.u.kernel.hints, source->work.u.kernel.hints,
               HD_GRAPH_HINTS * sizeof(CUlaunchAttributeValue));
    }
    return CUDA_SUCCESS;
}
