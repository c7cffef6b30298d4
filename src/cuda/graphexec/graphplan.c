// graphplan.c - makes a plan from a graph: its nodes in a possible order of execution, with copies
// of their work; and the reverse, for a launch that is captured.
#include "cuda/graphexec/graphexec.h"

#include "cuda/launch/launch.h"
#include "cuda/memory/devmem.h"

#include <stdlib.h>
#include <string.h>

// --- executable graphs

struct hd_cuda_exec *hd_graphplan_exec(CUgraphExec handle)
{
    struct hd_cuda_exec *e = hd_handles_get(hd_cuda.handles, HD_HANDLE_EXEC, handle);

    return e && !e->destroyed ? e : NULL;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static void release_workspaces(const struct hd_graph_plan *p)
{
    for (uint32_t i = 0; i < p->n; i++) {
        if (p->nodes[i].workspace)
            hd_devmem_release(p->nodes[i].workspace);
        for (uint32_t k = 0; k < p->nodes[i].n_bodies; k++)
            if (p->nodes[i].bodies[k])
                release_workspaces(p->nodes[i].bodies[k]);
    }
}

void hd_graphplan_release(struct hd_cuda_exec *e)
{
    struct hd_cuda_graph *g = hd_graph_get(e->graph);

    if (g)
        g->n_execs--;
    if (e->plan)
        release_workspaces(e->plan);
    hd_handles_drop(hd_cuda.handles, HD_HANDLE_EXEC, e->handle);
    hd_userobjects_release(e->references, e->n_references);
    hd_arena_free(e->arena);
}

// Frees all executable graphs, because they belong to the machine.
static void machine_ends(void)
{
    struct hd_cuda_exec *e;
    size_t at = 0;

    while ((e = hd_handles_next(hd_cuda.handles, HD_HANDLE_EXEC, &at))) {
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_EXEC, e->handle);
        hd_arena_free(e->arena);
    }
}

const struct hd_part hd_graphplan_part = {.machine_ends = machine_ends};

// --- order: of the nodes that could be next, the one that was added first

struct heap {
    size_t *list, n; // a heap, the least one first
};

static void swap(size_t *a, size_t *b)
{
    size_t t = *a;

    *a = *b;
    *b = t;
}

static void push(struct heap *h, size_t value)
{
    size_t i = h->n++;

    h->list[i] = value;
    for (; i && h->list[i] < h->list[(i - 1) / 2]; i = (i - 1) / 2)
        swap(&h->list[i], &h->list[(i - 1) / 2]);
}

static size_t pop(struct heap *h)
{
    size_t least = h->list[0], i = 0;

    h->list[0] = h->list[--h->n];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child + 1 < h->n && h->list[child + 1] < h->list[child])
            child++;
        if (child >= h->n || h->list[i] <= h->list[child])
            return least;
        swap(&h->list[i], &h->list[child]);
        i = child;
    }
}

// Stores the index of the k-th node in order[k]. Returns how many nodes have a place: fewer than
// all if there is a cycle.
static size_t sort(struct hd_arena *a, const struct hd_cuda_graph *g, size_t *order, size_t *waits)
{
    struct heap h = {HD_ARRAY(a, size_t, g->n + 1), 0};
    size_t n = 0;

    for (size_t i = 0; i < g->n; i++) {
        waits[i] = g->nodes[i]->before.n;
        if (!waits[i])
            push(&h, i);
    }
    while (h.n) {
        const struct hd_cuda_node *node = g->nodes[pop(&h)];
        order[n++] = node->index;
        for (size_t k = 0; k < node->on.n; k++)
            if (!--waits[node->on.list[k].node->index])
                push(&h, node->on.list[k].node->index);
    }
    return n;
}

// --- nodes

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static int by_source(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct hd_plan_source *)a)->source;
    uintptr_t y = (uintptr_t)((const struct hd_plan_source *)b)->source;

    return (x > y) - (x < y);
}

bool hd_graphplan_room(struct hd_plan_node *node, const struct hd_graph_work *w)
{
    if (w->type != CU_GRAPH_NODE_TYPE_KERNEL || !w->u.kernel.cooperative || node->workspace)
        return true;
    node->workspace = hd_devmem_new(HD_CUDA_WORKSPACE, HD_ALLOC_DEVICE, 0);
    if (node->workspace)
        hd_devmem_find(node->workspace)->ending = true; // so that the program cannot free it
    return node->workspace != 0;
}

// Whether everything that the work refers to still exists.
static bool sound(const struct hd_graph_work *w)
{
    if (w->type == CU_GRAPH_NODE_TYPE_KERNEL)
        return hd_resolve_function(w->u.kernel.function) != NULL;
    if (w->type == CU_GRAPH_NODE_TYPE_WAIT_EVENT || w->type == CU_GRAPH_NODE_TYPE_EVENT_RECORD)
        return hd_handles_get(hd_cuda.handles, HD_HANDLE_EVENT, w->u.event) != NULL;
    return true;
}

// Whether a node of this type may be in the body of a conditional node.
static bool repeats(CUgraphNodeType type)
{
    return type == CU_GRAPH_NODE_TYPE_KERNEL || type == CU_GRAPH_NODE_TYPE_MEMCPY ||
           type == CU_GRAPH_NODE_TYPE_MEMSET || type == CU_GRAPH_NODE_TYPE_GRAPH ||
           type == CU_GRAPH_NODE_TYPE_EMPTY || type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

static void count(struct hd_cuda_exec *e, CUgraphNodeType type)
{
    e->n_memory += type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || type == CU_GRAPH_NODE_TYPE_MEM_FREE;
    e->n_events += type == CU_GRAPH_NODE_TYPE_WAIT_EVENT || type == CU_GRAPH_NODE_TYPE_EVENT_RECORD;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static bool fill_node(struct hd_cuda_exec *e, const struct hd_cuda_node *from,
                      struct hd_plan_node *to, struct hd_graph_trouble *t)
{
    struct hd_graph_work *w = HD_NEW(e->arena, hd_graph_work);
    struct hd_cuda_graph *const *bodies = NULL;

    hd_works_copy(e->arena, &from->work, w);
    count(e, w->type);
    to->work = w;
    to->source = from->handle;
    to->n_before = (uint32_t)from->before.n;
    if (w->type == CU_GRAPH_NODE_TYPE_GRAPH) {
        to->n_bodies = 1;
        bodies = &from->work.u.child;
    } else if (w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
        to->n_bodies = w->u.conditional.n;
        bodies = from->work.u.conditional.bodies;
    }
    to->bodies = HD_ARRAY(e->arena, struct hd_graph_plan *, to->n_bodies);
    if (!sound(w) || (e->in_body && !repeats(w->type)) || !hd_graphplan_room(to, w)) {
        t->node = from->handle;
        t->result = sound(w) ? CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED
                             : CUDA_GRAPH_INSTANTIATE_ERROR;
        return false;
    }
    bool outer = e->in_body, good = true;
    e->in_body = outer || w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
    for (uint32_t i = 0; bodies && i < to->n_bodies && good; i++) {
        to->bodies[i] = hd_graphplan_build(e, bodies[i], t);
        good = to->bodies[i] != NULL;
    }
    e->in_body = outer;
    return good;
}

static void link_nodes(struct hd_cuda_exec *e, const struct hd_cuda_graph *g,
                       struct hd_graph_plan *p, const size_t *order, uint32_t *place)
{
    for (uint32_t k = 0; k < p->n; k++)
        place[order[k]] = k;
    p->added = HD_ARRAY(e->arena, uint32_t, p->n);
    for (uint32_t k = 0; k < p->n; k++) {
        const struct hd_graph_edges *on = &g->nodes[order[k]]->on;
        const struct hd_graph_edges *before = &g->nodes[order[k]]->before;
        struct hd_plan_node *node = &p->nodes[k];
        p->added[k] = place[k];
        node->before = HD_ARRAY(e->arena, uint32_t, before->n);
        for (size_t i = 0; i < before->n; i++)
            node->before[i] = place[before->list[i].node->index];
        node->n_on = (uint32_t)on->n;
        node->on = HD_ARRAY(e->arena, uint32_t, on->n);
        for (size_t i = 0; i < on->n; i++)
            node->on[i] = place[on->list[i].node->index];
        if (on->n)
            qsort(node->on, on->n, sizeof *node->on, by_number);
        p->sources[k] = (struct hd_plan_source){node->source, k};
    }
    if (p->n)
        qsort(p->sources, p->n, sizeof *p->sources, by_source);
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
struct hd_graph_plan *hd_graphplan_build(struct hd_cuda_exec *e, const struct hd_cuda_graph *g,
                                         struct hd_graph_trouble *t)
{
    struct hd_graph_plan *p = HD_NEW(e->arena, hd_graph_plan);
    struct hd_arena *a = hd_arena_new();
    size_t *order = HD_ARRAY(a, size_t, g->n), *waits = HD_ARRAY(a, size_t, g->n);
    size_t n = sort(a, g, order, waits);
    bool good = n == g->n;

    for (size_t i = 0; i < g->n && n < g->n && !t->node; i++)
        if (waits[i]) // in a cycle, or after one
            *t = (struct hd_graph_trouble){g->nodes[i]->handle,
                                           CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE};
    p->exec = e;
    p->n = (uint32_t)n;
    p->nodes = HD_ARRAY(e->arena, struct hd_plan_node, n);
    p->sources = HD_ARRAY(e->arena, struct hd_plan_source, n);
    for (size_t k = 0; k < n && good; k++)
        good = fill_node(e, g->nodes[order[k]], &p->nodes[k], t);
    for (size_t i = 0; i < g->n_conditions; i++)
        *HD_PUSH(e->arena, e->conditions, e->n_conditions, e->cap_conditions) = g->conditions[i];
    if (good)
        link_nodes(e, g, p, order, HD_ARRAY(a, uint32_t, g->n));
    else
        release_workspaces(p);
    hd_arena_free(a);
    return good ? p : NULL;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
struct hd_plan_node *hd_graphplan_find(const struct hd_graph_plan *p, CUgraphNode source)
{
    struct hd_plan_source key = {source, 0};
    const struct hd_plan_source *s =
        p->n ? bsearch(&key, p->sources, p->n, sizeof key, by_source) : NULL;
    struct hd_plan_node *found = NULL;

    if (s)
        return &p->nodes[s->node];
    for (uint32_t i = 0; i < p->n && !found; i++)
        for (uint32_t k = 0; k < p->nodes[i].n_bodies && !found; k++)
            found = hd_graphplan_find(p->nodes[i].bodies[k], source);
    return found;
}

bool hd_graphplan_replace(struct hd_cuda_exec *e, struct hd_plan_node *node,
                          const struct hd_graph_work *w)
{
    const struct hd_graph_work *old = node->work;
    bool kernel = w->type == CU_GRAPH_NODE_TYPE_KERNEL;

    if (!hd_graphplan_room(node, w))
        return false;
    // Changed in place, if no launch in progress needs the old work.
    if (e->launched == e->ended && old->type == w->type && (!kernel || !w->u.kernel.hints) &&
        (!kernel || old->u.kernel.request.kernel == w->u.kernel.request.kernel)) {
        struct hd_graph_work *own = (struct hd_graph_work *)(uintptr_t)old;
        uint8_t *block = kernel ? (uint8_t *)(uintptr_t)old->u.kernel.request.params : NULL;
        *own = *w;
        if (kernel) {
            uint32_t bytes = w->u.kernel.request.kernel->param_bytes;
            if (bytes)
                memcpy(block, w->u.kernel.request.params, bytes);
            own->u.kernel.request.params = block;
        }
        return true;
    }
    struct hd_graph_work *fresh = HD_NEW(e->arena, hd_graph_work);
    hd_works_copy(e->arena, w, fresh);
    node->work = fresh;
    return true;
}

// --- back to a graph

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
struct hd_cuda_graph *hd_graphplan_graph(const struct hd_graph_plan *p)
{
    struct hd_cuda_graph *g = hd_graph_new(true);
    CUgraphNode *nodes = HD_ARRAY(g->arena, CUgraphNode, p->n);

    for (uint32_t i = 0; i < p->n; i++) {
        const struct hd_plan_node *from = &p->nodes[i];
        struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_EMPTY};
        if (!from->disabled)
            hd_works_copy(g->arena, from->work, &w);
        if (w.type == CU_GRAPH_NODE_TYPE_GRAPH) {
            w.u.child = hd_graphplan_graph(from->bodies[0]);
        } else if (w.type == CU_GRAPH_NODE_TYPE_CONDITIONAL) {
            w.u.conditional.bodies = HD_ARRAY(g->arena, struct hd_cuda_graph *, from->n_bodies);
            for (uint32_t k = 0; k < from->n_bodies; k++)
                w.u.conditional.bodies[k] = hd_graphplan_graph(from->bodies[k]);
        }
        nodes[i] = hd_graph_add(g, NULL, NULL, 0, &w)->handle;
    }
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = 0; k < p->nodes[i].n_on; k++)
            hd_graph_connect(hd_graph_node(nodes[i]), hd_graph_node(nodes[p->nodes[i].on[k]]),
                             NULL);
    return g;
}
