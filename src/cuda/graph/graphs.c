// graphs.c - graphs as the program builds them: nodes, edges, copies, and queries. What nodes do is
// in works.c.
#include "cuda/graph/graphs.h"

#include <string.h>

struct hd_cuda_graph *hd_graph_new(bool inner)
{
    void *handle;
    struct hd_cuda_graph *g =
        hd_handles_add(hd_cuda.handles, HD_HANDLE_GRAPH, sizeof(struct hd_cuda_graph), &handle);

    g->handle = handle;
    g->inner = inner;
    g->arena = hd_arena_new();
    return g;
}

static void free_inner(const struct hd_graph_work *w)
{
    if (w->type == CU_GRAPH_NODE_TYPE_GRAPH)
        hd_graph_free(w->u.child);
    if (w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        for (unsigned i = 0; i < w->u.conditional.n; i++)
            hd_graph_free(w->u.conditional.bodies[i]);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
void hd_graph_free(struct hd_cuda_graph *g)
{
    for (size_t i = 0; i < g->n; i++) {
        free_inner(&g->nodes[i]->work);
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_NODE, g->nodes[i]->handle);
    }
    // Drop the handle first: the function that ends a user object may use it.
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_GRAPH, g->handle);
    // Its conditions stay as long as the machine, because copies and executable graphs use them
    // too.
    hd_userobjects_release(g->references, g->n_references);
    hd_arena_free(g->arena);
}

// --- edges

static bool plain(const CUgraphEdgeData *d)
{
    return !d->from_port && !d->to_port && !d->type;
}

static bool possible(const CUgraphEdgeData *d, const struct hd_cuda_node *from)
{
    static const unsigned char zeros[sizeof d->reserved];
    bool kernel = from->work.type == CU_GRAPH_NODE_TYPE_KERNEL;

    return d->type <= CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC && !d->to_port && d->from_port <= 2 &&
           (kernel || plain(d)) && !memcmp(d->reserved, zeros, sizeof zeros);
}

static struct hd_graph_edge *edge_to(const struct hd_graph_edges *e, const struct hd_cuda_node *n)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->list[i].node == n)
            return &e->list[i];
    return NULL;
}

void hd_graph_connect(struct hd_cuda_node *from, struct hd_cuda_node *to,
                      const CUgraphEdgeData *data)
{
    CUgraphEdgeData d = {0};
    struct hd_arena *a = from->graph->arena;

    if (data)
        d = *data;
    *HD_PUSH(a, from->on.list, from->on.n, from->on.cap) = (struct hd_graph_edge){to, d};
    *HD_PUSH(a, to->before.list, to->before.n, to->before.cap) = (struct hd_graph_edge){from, d};
}

static void remove_edge(struct hd_graph_edges *e, const struct hd_cuda_node *other)
{
    struct hd_graph_edge *gone = edge_to(e, other);

    if (!gone)
        return;
    e->n--;
    memmove(gone, gone + 1, (size_t)(e->list + e->n - gone) * sizeof *gone);
}

static void disconnect(struct hd_cuda_node *from, struct hd_cuda_node *to)
{
    remove_edge(&from->on, to);
    remove_edge(&to->before, from);
}

CUresult hd_graph_check(const struct hd_cuda_graph *g, const CUgraphNode *after,
                        const CUgraphEdgeData *data, size_t n)
{
    if (n && !after)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n; i++) {
        const struct hd_cuda_node *node = hd_graph_node(after[i]);
        if (!node || node->graph != g || (data && !possible(&data[i], node)))
            return CUDA_ERROR_INVALID_VALUE;
        for (size_t k = 0; k < i && n < 64; k++) // long lists come from captures
            if (after[k] == after[i])
                return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

struct hd_cuda_node *hd_graph_add(struct hd_cuda_graph *g, const CUgraphNode *after,
                                  const CUgraphEdgeData *data, size_t n,
                                  const struct hd_graph_work *w)
{
    void *handle;
    struct hd_cuda_node *node =
        hd_handles_add(hd_cuda.handles, HD_HANDLE_NODE, sizeof(struct hd_cuda_node), &handle);

    node->handle = handle;
    node->graph = g;
    node->work = *w;
    node->index = g->n;
    *HD_PUSH(g->arena, g->nodes, g->n, g->cap) = node;
    g->n_memory +=
        w->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || w->type == CU_GRAPH_NODE_TYPE_MEM_FREE;
    for (size_t i = 0; i < n; i++)
        hd_graph_connect(hd_graph_node(after[i]), node, data ? &data[i] : NULL);
    return node;
}

bool hd_graph_reaches(const struct hd_cuda_graph *g, const CUgraphNode *ends, size_t n_ends,
                      const CUgraphNode *list, size_t n)
{
    struct hd_arena *a = hd_arena_new();
    bool *seen = HD_ARRAY(a, bool, g->n), all = true;
    const struct hd_cuda_node **todo = HD_ARRAY(a, const struct hd_cuda_node *, g->n);
    size_t n_todo = 0;

    for (size_t i = 0; i < n_ends; i++) {
        const struct hd_cuda_node *node = hd_graph_node(ends[i]);
        if (node && node->graph == g && !seen[node->index]) {
            seen[node->index] = true;
            todo[n_todo++] = node;
        }
    }
    while (n_todo) {
        const struct hd_cuda_node *node = todo[--n_todo];
        for (size_t i = 0; i < node->before.n; i++) {
            const struct hd_cuda_node *b = node->before.list[i].node;
            if (!seen[b->index]) {
                seen[b->index] = true;
                todo[n_todo++] = b;
            }
        }
    }
    for (size_t i = 0; i < n; i++) {
        const struct hd_cuda_node *node = hd_graph_node(list[i]);
        all = all && (!node || node->graph != g || seen[node->index]);
    }
    hd_arena_free(a);
    return all;
}

// --- graphs

CUresult cuGraphCreate(CUgraph *graph, unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!graph || flags)
        return CUDA_ERROR_INVALID_VALUE;
    *graph = hd_graph_new(false)->handle;
    return CUDA_SUCCESS;
}

// Does a capture add nodes to the graph, or to one inside it?
// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static bool any_capturing(const struct hd_cuda_graph *g);
static bool captured_inside(const struct hd_graph_work *w)
{
    if (w->type == CU_GRAPH_NODE_TYPE_GRAPH)
        return any_capturing(w->u.child);
    if (w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        for (unsigned i = 0; i < w->u.conditional.n; i++)
            if (any_capturing(w->u.conditional.bodies[i]))
                return true;
    return false;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static bool any_capturing(const struct hd_cuda_graph *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (captured_inside(&g->nodes[i]->work))
            return true;
    return g->capturing;
}

CUresult cuGraphDestroy(CUgraph graph)
{
    struct hd_cuda_graph *g;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    if (!g || g->inner)
        return CUDA_ERROR_INVALID_VALUE;
    if (any_capturing(g))
        return CUDA_ERROR_ILLEGAL_STATE;
    hd_graph_free(g);
    return CUDA_SUCCESS;
}

// Copies what a node does, including the graphs inside it.
// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static CUresult copy_work(struct hd_cuda_graph *to, const struct hd_graph_work *from,
                          struct hd_graph_work *out)
{
    CUresult r = CUDA_SUCCESS;

    hd_works_copy(to->arena, from, out);
    if (from->type == CU_GRAPH_NODE_TYPE_GRAPH) {
        out->u.child = hd_graph_new(true);
        r = hd_graph_copy(out->u.child, from->u.child);
    } else if (from->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        struct hd_graph_conditional *c = &out->u.conditional;
        c->bodies = HD_ARRAY(to->arena, struct hd_cuda_graph *, c->n);
        for (unsigned i = 0; i < c->n; i++)
            c->bodies[i] = hd_graph_new(true);
        for (unsigned i = 0; i < c->n && r == CUDA_SUCCESS; i++)
            r = hd_graph_copy(c->bodies[i], from->u.conditional.bodies[i]);
    }
    return r;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
CUresult hd_graph_copy(struct hd_cuda_graph *to, const struct hd_cuda_graph *from)
{
    CUresult r = CUDA_SUCCESS;

    if (from->n_memory) // two graphs cannot have the same addresses
        return CUDA_ERROR_NOT_SUPPORTED;
    to->origin = from->handle;
    for (size_t i = 0; i < from->n && r == CUDA_SUCCESS; i++) {
        struct hd_graph_work w;
        r = copy_work(to, &from->nodes[i]->work, &w);
        hd_graph_add(to, NULL, NULL, 0, &w)->origin = from->nodes[i]->handle;
    }
    for (size_t i = 0; i < from->n && r == CUDA_SUCCESS; i++)
        for (size_t k = 0; k < from->nodes[i]->before.n; k++) {
            const struct hd_graph_edge *e = &from->nodes[i]->before.list[k];
            hd_graph_connect(to->nodes[e->node->index], to->nodes[i], &e->data);
        }
    for (size_t i = 0; i < from->n_conditions; i++)
        *HD_PUSH(to->arena, to->conditions, to->n_conditions, to->cap_conditions) =
            from->conditions[i];
    for (size_t i = 0; i < from->n_references; i++)
        *HD_PUSH(to->arena, to->references, to->n_references, to->cap_references) =
            from->references[i];
    hd_userobjects_retain(from->references, from->n_references);
    return r;
}

CUresult cuGraphClone(CUgraph *clone, CUgraph original)
{
    struct hd_cuda_graph *g, *copy;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(original);
    if (!g || !clone)
        return CUDA_ERROR_INVALID_VALUE;
    copy = hd_graph_new(false);
    r = hd_graph_copy(copy, g);
    if (r != CUDA_SUCCESS) {
        hd_graph_free(copy);
        return r;
    }
    *clone = copy->handle;
    return CUDA_SUCCESS;
}

CUresult cuGraphNodeFindInClone(CUgraphNode *out, CUgraphNode original, CUgraph clone)
{
    const struct hd_cuda_graph *g;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(clone);
    if (!g || !out || !original)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < g->n; i++)
        if (g->nodes[i]->origin == original) {
            *out = g->nodes[i]->handle;
            return CUDA_SUCCESS;
        }
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphDestroyNode(CUgraphNode handle)
{
    struct hd_cuda_node *node;
    struct hd_cuda_graph *g;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    node = hd_graph_node(handle);
    if (!node)
        return CUDA_ERROR_INVALID_VALUE;
    g = node->graph;
    if (g->n_memory)
        return CUDA_ERROR_NOT_SUPPORTED;
    if (captured_inside(&node->work))
        return CUDA_ERROR_ILLEGAL_STATE;
    while (node->before.n)
        disconnect(node->before.list[0].node, node);
    while (node->on.n)
        disconnect(node, node->on.list[0].node);
    free_inner(&node->work);
    g->n--;
    for (size_t i = node->index; i < g->n; i++) {
        g->nodes[i] = g->nodes[i + 1];
        g->nodes[i]->index = i;
    }
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_NODE, handle);
    return CUDA_SUCCESS;
}

// --- queries

CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType *type)
{
    const struct hd_cuda_node *node;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    node = hd_graph_node(handle);
    if (!node || !type)
        return CUDA_ERROR_INVALID_VALUE;
    *type = node->work.type;
    return CUDA_SUCCESS;
}

// Stores one entry of a list in the program's memory. Without a list, the caller gets its length;
// else as many entries as there is room for, and NULL in the rest.
static void answer(CUgraphNode *out, size_t room, size_t i, const struct hd_cuda_node *node)
{
    if (out && i < room)
        out[i] = node->handle;
}

static void answered(CUgraphNode *out, size_t *room, size_t n)
{
    for (size_t i = n; out && i < *room; i++)
        out[i] = NULL;
    if (!out || *room > n)
        *room = n;
}

CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
    const struct hd_cuda_graph *g;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    if (!g || !n)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < g->n; i++)
        answer(nodes, *n, i, g->nodes[i]);
    answered(nodes, n, g->n);
    return CUDA_SUCCESS;
}

CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode *nodes, size_t *n)
{
    const struct hd_cuda_graph *g;
    size_t k = 0;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    if (!g || !n)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < g->n; i++)
        if (!g->nodes[i]->before.n)
            answer(nodes, *n, k++, g->nodes[i]);
    answered(nodes, n, k);
    return CUDA_SUCCESS;
}

CUresult cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                            CUgraphEdgeData *data, size_t *n)
{
    const struct hd_cuda_graph *g;
    size_t k = 0, room;
    bool lossy = false;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    if (!g || !n || !from != !to)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < g->n; i++)
        for (size_t j = 0; j < g->nodes[i]->before.n; j++, k++) {
            const struct hd_graph_edge *e = &g->nodes[i]->before.list[j];
            answer(from, *n, k, e->node);
            answer(to, *n, k, g->nodes[i]);
            if (from && data && k < *n)
                data[k] = e->data;
            lossy = lossy || (from && !data && !plain(&e->data));
        }
    room = *n;
    answered(from, n, k);
    answered(to, &room, k);
    return lossy ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS;
}

static CUresult neighbours(CUgraphNode handle, bool before, CUgraphNode *nodes,
                           CUgraphEdgeData *data, size_t *n)
{
    const struct hd_graph_edges *e;
    const struct hd_cuda_node *node;
    bool lossy = false;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    node = hd_graph_node(handle);
    if (!node || !n)
        return CUDA_ERROR_INVALID_VALUE;
    e = before ? &node->before : &node->on;
    for (size_t i = 0; i < e->n; i++) {
        answer(nodes, *n, i, e->list[i].node);
        if (nodes && data && i < *n)
            data[i] = e->list[i].data;
        lossy = lossy || (nodes && !data && !plain(&e->list[i].data));
    }
    answered(nodes, n, e->n);
    return lossy ? CUDA_ERROR_LOSSY_QUERY : CUDA_SUCCESS;
}

CUresult cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *nodes, CUgraphEdgeData *data,
                                       size_t *n)
{
    return neighbours(node, true, nodes, data, n);
}

CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *nodes,
                                         CUgraphEdgeData *data, size_t *n)
{
    return neighbours(node, false, nodes, data, n);
}

// --- changes of edges: all edges of a list, or none

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t n)
{
    struct hd_cuda_graph *g;
    size_t done = 0;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    if (!g || (n && (!from || !to)))
        return CUDA_ERROR_INVALID_VALUE;
    for (; done < n; done++) {
        struct hd_cuda_node *a = hd_graph_node(from[done]), *b = hd_graph_node(to[done]);
        if (!a || !b || a == b || a->graph != g || b->graph != g || edge_to(&a->on, b) ||
            (data && !possible(&data[done], a)))
            break;
        hd_graph_connect(a, b, data ? &data[done] : NULL);
    }
    if (done == n)
        return CUDA_SUCCESS;
    while (done--)
        disconnect(hd_graph_node(from[done]), hd_graph_node(to[done]));
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from, const CUgraphNode *to,
                                      const CUgraphEdgeData *data, size_t n)
{
    struct hd_cuda_graph *g;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    if (!g || (n && (!from || !to)))
        return CUDA_ERROR_INVALID_VALUE;
    if (g->n_memory && n)
        return CUDA_ERROR_NOT_SUPPORTED;
    for (size_t i = 0; i < n; i++) {
        const struct hd_cuda_node *a = hd_graph_node(from[i]), *b = hd_graph_node(to[i]);
        const struct hd_graph_edge *e = a && b && a->graph == g ? edge_to(&a->on, b) : NULL;
        if (!e || memcmp(&e->data, data ? &data[i] : &(CUgraphEdgeData){0}, sizeof *data) != 0)
            return CUDA_ERROR_INVALID_VALUE;
    }
    for (size_t i = 0; i < n; i++)
        disconnect(hd_graph_node(from[i]), hd_graph_node(to[i]));
    return CUDA_SUCCESS;
}

// Frees all graphs, because they belong to the machine.
static void machine_ends(void)
{
    struct hd_cuda_graph *g;
    struct hd_cuda_node *node;
    size_t at = 0;

    while ((node = hd_handles_next(hd_cuda.handles, HD_HANDLE_NODE, &at)))
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_NODE, node->handle);
    for (at = 0; (g = hd_handles_next(hd_cuda.handles, HD_HANDLE_GRAPH, &at));) {
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_GRAPH, g->handle);
        hd_arena_free(g->arena);
    }
}

const struct hd_part hd_graphs_part = {.machine_ends = machine_ends};
