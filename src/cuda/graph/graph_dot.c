// graph_dot.c - writes a graph for Graphviz: what its nodes do, and their edges.
#include "cuda/graph/graphs.h"

#include "present/out.h"

#include <inttypes.h>

static const char *const kinds[] = {
    "KERNEL",       "MEMCPY", "MEMSET", "HOST",      "GRAPH",    "EMPTY",     "WAIT_EVENT",
    "EVENT_RECORD", "SIGNAL", "WAIT",   "MEM_ALLOC", "MEM_FREE", "BATCH_MEM", "CONDITIONAL"};

struct dot {
    struct hd_out *to;
    unsigned flags, n_graphs; // number of graphs written, which is part of the nodes' names
};

static bool wants(const struct dot *d, unsigned what)
{
    return d->flags & (what | CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
}

static void print_kernel(const struct dot *d, const struct hd_graph_kernel *k)
{
    const struct hd_launch_request *r = &k->request;

    hd_out_printf(d->to, "\\n%s", r->kernel->name);
    if (wants(d, CU_GRAPH_DEBUG_DOT_FLAGS_KERNEL_NODE_PARAMS))
        hd_out_printf(d->to,
                      "\\ngrid %" PRIu32 "x%" PRIu32 "x%" PRIu32 ", block %" PRIu32 "x%" PRIu32
                      "x%" PRIu32 ", %" PRIu32 " bytes of shared memory",
                      r->grid[0], r->grid[1], r->grid[2], r->block[0], r->block[1], r->block[2],
                      r->dynamic_shared);
}

static void print_work(const struct dot *d, const struct hd_graph_work *w)
{
    switch ((unsigned)w->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        print_kernel(d, &w->u.kernel);
        break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        if (wants(d, CU_GRAPH_DEBUG_DOT_FLAGS_MEMCPY_NODE_PARAMS))
            hd_out_printf(d->to, "\\n%zu x %zu x %zu bytes", w->u.copy.WidthInBytes,
                          w->u.copy.Height, w->u.copy.Depth);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        if (wants(d, CU_GRAPH_DEBUG_DOT_FLAGS_MEMSET_NODE_PARAMS))
            hd_out_printf(d->to, "\\n0x%llx: %zu x %zu of %u bytes, value %u", w->u.fill.dst,
                          w->u.fill.width, w->u.fill.height, w->u.fill.elementSize,
                          w->u.fill.value);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        hd_out_printf(d->to, "\\n0x%llx: %zu bytes", w->u.alloc.dptr, w->u.alloc.bytesize);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        hd_out_printf(d->to, "\\n0x%llx", w->u.free);
        break;
    default:
        break;
    }
}

static void draw(struct dot *d, const struct hd_cuda_graph *g, const char *name);

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static void draw_inner(struct dot *d, const struct hd_graph_work *w)
{
    if (w->type == CU_GRAPH_NODE_TYPE_GRAPH)
        draw(d, w->u.child, "child graph");
    if (w->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        for (unsigned i = 0; i < w->u.conditional.n; i++)
            draw(d, w->u.conditional.bodies[i], "body");
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as graphs are nested
static void draw(struct dot *d, const struct hd_cuda_graph *g, const char *name)
{
    unsigned number = d->n_graphs++;

    hd_out_printf(d->to, "subgraph cluster_%u {\nlabel=\"%s %u\"\n", number, name, number);
    for (size_t i = 0; i < g->n; i++) {
        const struct hd_cuda_node *node = g->nodes[i];
        hd_out_printf(d->to, "\"g%u_n%zu\" [shape=box label=\"%zu\\n%s", number, i, i,
                      kinds[node->work.type]);
        print_work(d, &node->work);
        if (wants(d, CU_GRAPH_DEBUG_DOT_FLAGS_HANDLES))
            hd_out_printf(d->to, "\\nnode 0x%" PRIxPTR, (uintptr_t)node->handle);
        hd_out_printf(d->to, "\"]\n");
    }
    for (size_t i = 0; i < g->n; i++)
        for (size_t k = 0; k < g->nodes[i]->before.n; k++)
            hd_out_printf(d->to, "\"g%u_n%zu\" -> \"g%u_n%zu\"\n", number,
                          g->nodes[i]->before.list[k].node->index, number, i);
    hd_out_printf(d->to, "}\n");
    for (size_t i = 0; i < g->n; i++)
        draw_inner(d, &g->nodes[i]->work);
}

CUresult cuGraphDebugDotPrint(CUgraph graph, const char *path, unsigned flags)
{
    const struct hd_cuda_graph *g;
    struct hd_out out = {.arena = NULL};
    struct dot d = {.to = &out, .flags = flags};
    bool written;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    g = hd_graph_get(graph);
    if (!g || !path)
        return CUDA_ERROR_INVALID_VALUE;
    out.arena = hd_arena_new();
    hd_out_printf(d.to, "digraph dot {\n");
    draw(&d, g, "graph");
    hd_out_printf(d.to, "}\n");
    written = hd_out_write(path, out.text, out.bytes);
    hd_arena_free(out.arena);
    return written ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}
