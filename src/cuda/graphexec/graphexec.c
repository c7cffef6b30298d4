// graphexec.c - executable graphs: instantiated, changed, launched, destroyed.
#include "cuda/graphexec/graphexec.h"

#include "cuda/code/code.h"
#include "cuda/stream/capture.h"
#include "cuda/texture/textures.h"

#include <string.h>

// --- making

static bool uses(const struct hd_graph_plan *p, CUgraphConditionalHandle handle)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (p->nodes[i].work->type == CU_GRAPH_NODE_TYPE_CONDITIONAL &&
            p->nodes[i].work->u.conditional.handle == handle)
            return true;
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = 0; k < p->nodes[i].n_bodies; k++)
            if (uses(p->nodes[i].bodies[k], handle)) // NOLINT(misc-no-recursion)
                return true;
    return false;
}

// Those of the graph and of the graphs inside it, because the plan has their nodes, too.
// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static void add_references(struct hd_cuda_exec *e, const struct hd_cuda_graph *g)
{
    for (size_t i = 0; i < g->n_references; i++)
        *HD_PUSH(e->arena, e->references, e->n_references, e->cap_references) = g->references[i];
    for (size_t i = 0; i < g->n; i++) {
        const struct hd_graph_work *w = &g->nodes[i]->work;
        if (w->type == CU_GRAPH_NODE_TYPE_GRAPH)
            add_references(e, w->u.child);
        if (w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
            for (unsigned k = 0; k < w->u.conditional.n; k++)
                add_references(e, w->u.conditional.bodies[k]);
    }
}

static void share_references(struct hd_cuda_exec *e, const struct hd_cuda_graph *g)
{
    add_references(e, g);
    hd_userobjects_retain(e->references, e->n_references);
}

static CUresult instantiate(struct hd_cuda_exec *e, struct hd_cuda_graph *g,
                            struct hd_graph_trouble *t)
{
    e->arena = hd_arena_new();
    e->context = hd_current_context();
    e->graph = g->handle;
    g->n_execs++;
    share_references(e, g);
    e->plan = hd_graphplan_build(e, g, t);
    for (size_t i = 0; i < e->n_conditions && e->plan && t->result == 0; i++)
        if (!uses(e->plan, e->conditions[i].handle))
            t->result = CUDA_GRAPH_INSTANTIATE_CONDITIONAL_HANDLE_UNUSED;
    return t->result == CUDA_GRAPH_INSTANTIATE_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static CUresult make(CUgraphExec *exec, CUgraph graph, unsigned long long flags,
                     struct hd_graph_trouble *t)
{
    struct hd_cuda_graph *g = hd_graph_get(graph);
    struct hd_cuda_exec *e;
    void *handle;
    CUresult r;

    t->result = CUDA_GRAPH_INSTANTIATE_ERROR;
    if (!exec || !g || g->capturing || flags > 15)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & CUDA_GRAPH_INSTANTIATE_FLAG_DEVICE_LAUNCH || (g->n_memory && g->n_execs)) {
        t->result = CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED;
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    t->result = CUDA_GRAPH_INSTANTIATE_SUCCESS;
    e = hd_handles_add(hd_cuda.handles, HD_HANDLE_EXEC, sizeof *e, &handle);
    e->handle = handle;
    e->flags = flags;
    r = instantiate(e, g, t);
    if (r == CUDA_SUCCESS)
        *exec = e->handle;
    else
        hd_graphplan_release(e);
    return r;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph, unsigned long long flags)
{
    struct hd_graph_trouble t = {NULL, CUDA_GRAPH_INSTANTIATE_SUCCESS};

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return make(exec, graph, flags, &t);
}

CUresult cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *params)
{
    struct hd_graph_trouble t = {NULL, CUDA_GRAPH_INSTANTIATE_SUCCESS};
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    r = make(exec, graph, params->flags, &t);
    params->hErrNode_out = t.node;
    params->result_out = t.result;
    return r;
}

CUresult cuGraphExecDestroy(CUgraphExec exec)
{
    struct hd_cuda_exec *e;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    e = hd_graphplan_exec(exec);
    if (!e)
        return CUDA_ERROR_INVALID_VALUE;
    e->destroyed = true;
    if (e->ended == e->launched)
        hd_graphplan_release(e);
    return CUDA_SUCCESS;
}

CUresult cuGraphExecGetFlags(CUgraphExec exec, uint64_t *flags)
{
    const struct hd_cuda_exec *e;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    e = hd_graphplan_exec(exec);
    if (!e || !flags)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = e->flags;
    return CUDA_SUCCESS;
}

// --- launching

#define KEEP_MOST ((size_t)256 << 20) // bytes of launches of one graph that may be queued

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static bool has_events(const struct hd_graph_plan *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        const struct hd_graph_work *w = p->nodes[i].work;
        if ((w->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT ||
             w->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) &&
            !hd_handles_get(hd_cuda.handles, HD_HANDLE_EVENT, w->u.event))
            return false;
        for (uint32_t k = 0; k < p->nodes[i].n_bodies; k++)
            if (!has_events(p->nodes[i].bodies[k]))
                return false;
    }
    return true;
}

static CUresult captured_launch(struct hd_cuda_stream *s, const struct hd_cuda_exec *e)
{
    struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_GRAPH};

    if (e->n_memory)
        return CUDA_ERROR_NOT_SUPPORTED;
    w.u.child = hd_graphplan_graph(e->plan);
    return hd_capture_add(s, &w);
}

// What the references of its kernels' modules are bound to now is what the launch reads.
// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs stand in graphs
static CUresult settle_textures(const struct hd_cuda_exec *e, const struct hd_graph_plan *p,
                                bool *again)
{
    CUresult r = CUDA_SUCCESS;

    for (uint32_t i = 0; i < p->n && r == CUDA_SUCCESS && hd_texrefs_changed() && !*again; i++) {
        const struct hd_graph_work *w = p->nodes[i].work;
        const struct hd_cuda_function *f = w->type == CU_GRAPH_NODE_TYPE_KERNEL
                                               ? hd_resolve_in(w->u.kernel.function, e->context)
                                               : NULL;
        if (f)
            r = hd_texrefs_settle(f->module, again);
        for (uint32_t k = 0; k < p->nodes[i].n_bodies && r == CUDA_SUCCESS && !*again; k++)
            r = settle_textures(e, p->nodes[i].bodies[k], again);
    }
    return r;
}

struct target { // what the handles of a launch stand for
    struct hd_cuda_stream *stream;
    struct hd_cuda_exec *exec;
    bool captured;
};

static CUresult find(CUgraphExec exec, CUstream stream, struct target *t)
{
    bool again;
    CUresult r;

    do {
        again = false;
        t->stream = hd_streams_get(stream);
        t->exec = hd_graphplan_exec(exec);
        if (!t->stream)
            return CUDA_ERROR_INVALID_HANDLE;
        if (!t->exec || (t->exec->n_events && !has_events(t->exec->plan)))
            return CUDA_ERROR_INVALID_VALUE;
        r = hd_capture_enqueues(t->stream, &t->captured);
        if (r == CUDA_SUCCESS && !t->captured)
            r = settle_textures(t->exec, t->exec->plan, &again);
    } while (r == CUDA_SUCCESS && again);
    return r;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream)
{
    struct hd_cuda_op op = {.kind = &hd_graphrun_op};
    struct target t;
    struct hd_cuda_stream *s;
    struct hd_cuda_exec *e;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    r = find(exec, stream, &t);
    if (r != CUDA_SUCCESS)
        return r;
    s = t.stream;
    e = t.exec;
    if (t.captured)
        return captured_launch(s, e);
    if (!e->plan->idle && e->launched > e->ended && hd_arena_bytes(e->arena) > KEEP_MOST)
        r = hd_queue_run_some();
    if (r == CUDA_SUCCESS && e->n_memory)
        r = hd_graphmem_launch(e, s);
    if (r != CUDA_SUCCESS)
        return r;
    op.u.graph = hd_graphrun_new(e, s->id);
    return hd_progress_add(s, &op);
}

// There is nothing to prepare.
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream)
{
    struct hd_cuda_stream *s;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    return hd_graphplan_exec(exec) ? hd_capture_unhandled(s) : CUDA_ERROR_INVALID_VALUE;
}

// --- changing

static bool same_memory(const CUDA_MEMCPY3D *a, const CUDA_MEMCPY3D *b)
{
    return a->srcMemoryType == b->srcMemoryType && a->dstMemoryType == b->dstMemoryType;
}

static CUresult change(struct hd_cuda_exec *e, struct hd_plan_node *node,
                       const CUgraphNodeParams *params)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_graph_work w;
    CUresult r = hd_graphnodes_work(a, params, node->work, &w);

    if (r == CUDA_SUCCESS && w.type == CU_GRAPH_NODE_TYPE_MEMCPY &&
        !same_memory(&w.u.copy, &node->work->u.copy))
        r = CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS && !hd_graphplan_replace(e, node, &w))
        r = CUDA_ERROR_OUT_OF_MEMORY;
    hd_arena_free(a);
    return r;
}

static CUresult change_child(struct hd_cuda_exec *e, const struct hd_plan_node *node, CUgraph graph)
{
    const struct hd_cuda_graph *g = hd_graph_get(graph);
    CUgraphExecUpdateResultInfo info;

    if (!g)
        return CUDA_ERROR_INVALID_VALUE;
    return hd_graphupdate_plan(e, node->bodies[0], g, &info) ? CUDA_SUCCESS
                                                             : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *params)
{
    struct hd_cuda_exec *e;
    struct hd_plan_node *n;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    e = hd_graphplan_exec(exec);
    n = e ? hd_graphplan_find(e->plan, node) : NULL;
    if (!n || !params || n->work->type != params->type)
        return CUDA_ERROR_INVALID_VALUE;
    return params->type == CU_GRAPH_NODE_TYPE_GRAPH ? change_child(e, n, params->graph.graph)
                                                    : change(e, n, params);
}

CUresult cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                           const CUDA_KERNEL_NODE_PARAMS *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_KERNEL};

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    p.kernel = *params;
    return cuGraphExecNodeSetParams(exec, node, &p);
}

CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMCPY3D *copy, CUcontext context)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMCPY};

    if (!copy)
        return CUDA_ERROR_INVALID_VALUE;
    p.memcpy.copyCtx = context;
    p.memcpy.copyParams = *copy;
    return cuGraphExecNodeSetParams(exec, node, &p);
}

CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_MEMSET_NODE_PARAMS *params, CUcontext context)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_MEMSET};

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    p.memset = (CUDA_MEMSET_NODE_PARAMS_v2){.dst = params->dst,
                                            .pitch = params->pitch,
                                            .value = params->value,
                                            .elementSize = params->elementSize,
                                            .width = params->width,
                                            .height = params->height,
                                            .ctx = context};
    return cuGraphExecNodeSetParams(exec, node, &p);
}

CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                      const CUDA_HOST_NODE_PARAMS *params)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_HOST};

    if (!params)
        return CUDA_ERROR_INVALID_VALUE;
    p.host = *params;
    return cuGraphExecNodeSetParams(exec, node, &p);
}

CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_GRAPH, .graph = {.graph = child}};

    return cuGraphExecNodeSetParams(exec, node, &p);
}

CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_EVENT_RECORD, .eventRecord = {event}};

    return cuGraphExecNodeSetParams(exec, node, &p);
}

CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event)
{
    CUgraphNodeParams p = {.type = CU_GRAPH_NODE_TYPE_WAIT_EVENT, .eventWait = {event}};

    return cuGraphExecNodeSetParams(exec, node, &p);
}

// Only kernels, copies and fills can be disabled.
static struct hd_plan_node *optional(CUgraphExec exec, CUgraphNode node)
{
    const struct hd_cuda_exec *e = hd_graphplan_exec(exec);
    struct hd_plan_node *n = e ? hd_graphplan_find(e->plan, node) : NULL;

    return n && n->work->type <= CU_GRAPH_NODE_TYPE_MEMSET ? n : NULL;
}

CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled)
{
    struct hd_plan_node *n;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    n = optional(exec, node);
    if (!n)
        return CUDA_ERROR_INVALID_VALUE;
    n->disabled = !enabled;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned *enabled)
{
    const struct hd_plan_node *n;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    n = optional(exec, node);
    if (!n || !enabled)
        return CUDA_ERROR_INVALID_VALUE;
    *enabled = !n->disabled;
    return CUDA_SUCCESS;
}
