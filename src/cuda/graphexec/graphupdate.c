// graphupdate.c - changes an executable graph to do what another graph of the same shape does.
//
// Nodes are paired from the ends backwards: the k-th node without dependents with the k-th of the
// other graph, the k-th dependency of a node with the k-th dependency of its partner. So graphs
// built or captured by the same calls match, whatever the order of branches.
#include "cuda/graphexec/graphexec.h"

#include "base/bug.h"
#include "cuda/code/code.h"

#include <string.h>

struct pair {
    struct hd_plan_node *to;
    const struct hd_cuda_node *from;
};

struct update {
    struct hd_arena *arena;
    CUgraphExecUpdateResultInfo *info;
    struct pair *pairs;
    size_t n, cap;
};

static bool refuse(struct update *u, CUgraphExecUpdateResult why, const struct hd_cuda_node *node,
                   const struct hd_cuda_node *from)
{
    *u->info =
        (CUgraphExecUpdateResultInfo){why, node ? node->handle : NULL, from ? from->handle : NULL};
    return false;
}

// partner[k] is the partner of the plan's node k. The update is refused if a node gets two
// partners.
static bool match_before(struct update *u, const struct hd_graph_plan *p, uint32_t *todo,
                         size_t n_todo, const struct hd_cuda_node **partner)
{
    while (n_todo) {
        uint32_t k = todo[--n_todo];
        const struct hd_plan_node *a = &p->nodes[k];
        const struct hd_cuda_node *b = partner[k];
        if (a->n_before != b->before.n)
            return refuse(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, b, NULL);
        for (uint32_t i = 0; i < a->n_before; i++) {
            const struct hd_cuda_node *is = b->before.list[i].node;
            uint32_t other = a->before[i];
            if (partner[other] && partner[other] != is)
                return refuse(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, b, is);
            if (!partner[other])
                todo[n_todo++] = other;
            partner[other] = is;
        }
    }
    return true;
}

static bool match(struct update *u, const struct hd_graph_plan *p, const struct hd_cuda_graph *g,
                  const struct hd_cuda_node **partner)
{
    uint32_t *todo = HD_ARRAY(u->arena, uint32_t, p->n);
    bool *taken = HD_ARRAY(u->arena, bool, p->n);
    size_t at = 0, n_todo = 0;

    if (p->n != g->n)
        return refuse(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
    for (uint32_t i = 0; i < p->n; i++) {
        uint32_t k = p->added[i];
        if (p->nodes[k].n_on)
            continue;
        while (at < g->n && g->nodes[at]->on.n)
            at++;
        if (at == g->n)
            return refuse(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, NULL, NULL);
        partner[k] = g->nodes[at++];
        todo[n_todo++] = k;
    }
    if (!match_before(u, p, todo, n_todo, partner))
        return false;
    for (uint32_t k = 0; k < p->n; k++) {
        if (!partner[k] || taken[partner[k]->index])
            return refuse(u, CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, partner[k], NULL);
        taken[partner[k]->index] = true;
    }
    return true;
}

// Whether a node that does `is` may be changed to do `to`.
static CUgraphExecUpdateResult compare(const struct hd_graph_work *is,
                                       const struct hd_graph_work *to)
{
    const CUDA_MEMCPY3D *a = &is->u.copy, *b = &to->u.copy;

    if (is->type != to->type)
        return CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
    switch ((unsigned)is->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        if (!hd_resolve_function(to->u.kernel.function))
            return CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED;
        return is->u.kernel.cooperative == to->u.kernel.cooperative
                   ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                   : CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return a->srcMemoryType == b->srcMemoryType && a->dstMemoryType == b->dstMemoryType
                   ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                   : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return is->u.alloc.dptr == to->u.alloc.dptr ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                                                    : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return is->u.free == to->u.free ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                                        : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return is->u.conditional.handle == to->u.conditional.handle &&
                       is->u.conditional.type == to->u.conditional.type &&
                       is->u.conditional.n == to->u.conditional.n
                   ? CU_GRAPH_EXEC_UPDATE_SUCCESS
                   : CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED;
    default:
        return CU_GRAPH_EXEC_UPDATE_SUCCESS;
    }
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static bool collect(struct update *u, struct hd_graph_plan *p, const struct hd_cuda_graph *g)
{
    const struct hd_cuda_node **partner = HD_ARRAY(u->arena, const struct hd_cuda_node *, p->n);

    if (!match(u, p, g, partner))
        return false;
    for (uint32_t k = 0; k < p->n; k++) {
        struct hd_plan_node *to = &p->nodes[k];
        const struct hd_graph_work *w = &partner[k]->work;
        CUgraphExecUpdateResult r = compare(to->work, w);
        if (r != CU_GRAPH_EXEC_UPDATE_SUCCESS)
            return refuse(u, r, partner[k], NULL);
        *HD_PUSH(u->arena, u->pairs, u->n, u->cap) = (struct pair){to, partner[k]};
        for (uint32_t i = 0; i < to->n_bodies; i++)
            if (!collect(u, to->bodies[i],
                         w->type == CU_GRAPH_NODE_TYPE_GRAPH ? w->u.child
                                                             : w->u.conditional.bodies[i]))
                return false;
    }
    return true;
}

static bool owns_bytes(const struct hd_graph_work *w)
{
    return w->type != CU_GRAPH_NODE_TYPE_GRAPH && w->type != CU_GRAPH_NODE_TYPE_CONDITIONAL;
}

bool hd_graphupdate_plan(struct hd_cuda_exec *e, struct hd_graph_plan *p,
                         const struct hd_cuda_graph *g, CUgraphExecUpdateResultInfo *info)
{
    struct update u = {.arena = hd_arena_new(), .info = info};
    bool good;

    *info = (CUgraphExecUpdateResultInfo){CU_GRAPH_EXEC_UPDATE_SUCCESS, NULL, NULL};
    good = collect(&u, p, g);
    // All nodes change, or none: everything that may fail comes before the first change.
    for (size_t i = 0; i < u.n && good; i++)
        if (!hd_graphplan_room(u.pairs[i].to, &u.pairs[i].from->work))
            good = refuse(&u, CU_GRAPH_EXEC_UPDATE_ERROR, u.pairs[i].from, NULL);
    for (size_t i = 0; i < u.n && good; i++)
        if (owns_bytes(&u.pairs[i].from->work))
            HD_BUG_IF(!hd_graphplan_replace(e, u.pairs[i].to, &u.pairs[i].from->work),
                      "a node of a graph lost its room");
    hd_arena_free(u.arena);
    return good;
}

CUresult cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo *info)
{
    const struct hd_cuda_graph *g;
    struct hd_cuda_exec *e;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    e = hd_graphplan_exec(exec);
    g = hd_graph_get(graph);
    if (!e || !g || !info)
        return CUDA_ERROR_INVALID_VALUE;
    return hd_graphupdate_plan(e, e->plan, g, info) ? CUDA_SUCCESS
                                                    : CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}
