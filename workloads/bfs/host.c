// host.c (bfs) - levels of a graph's nodes, seen from node 0.
#include "workload/work.h"

#include <string.h>

#define THREADS 256
#define DEGREE_MAX 11 // edges of a node: 1 to 11, 6 in the mean

struct graph {
    unsigned nodes, edges;
    unsigned *first, *targets;
};

static struct graph make_graph(struct hd_work *w, unsigned nodes)
{
    struct graph g = {.nodes = nodes, .first = hd_work_array(w, nodes + 1, sizeof *g.first)};

    for (unsigned v = 0; v < nodes; v++)
        g.first[v + 1] = g.first[v] + 1 + hd_work_random(w) % DEGREE_MAX;
    g.edges = g.first[nodes];
    g.targets = hd_work_array(w, g.edges, sizeof *g.targets);
    for (unsigned e = 0; e < g.edges; e++)
        g.targets[e] = hd_work_random(w) % nodes;
    return g;
}

// Level of every node; -1: cannot be reached.
static void search(struct hd_work *w, const struct graph *g, int *level)
{
    unsigned *queue = hd_work_array(w, g->nodes, sizeof *queue), head = 0, tail = 1;

    memset(level, 0xff, g->nodes * sizeof *level);
    for (level[0] = 0; head < tail; head++) {
        unsigned v = queue[head];
        for (unsigned e = g->first[v]; e < g->first[v + 1]; e++)
            if (level[g->targets[e]] < 0) {
                level[g->targets[e]] = level[v] + 1;
                queue[tail++] = g->targets[e];
            }
    }
}

static void search_on_device(struct hd_work *w, const struct graph *g, int *level)
{
    unsigned nodes = g->nodes;
    unsigned char *marks = hd_work_array(w, nodes, 1);
    int more = 1;

    CUdeviceptr d_first = hd_work_upload(w, g->first, (nodes + 1) * sizeof *g->first);
    CUdeviceptr d_targets = hd_work_upload(w, g->targets, g->edges * sizeof *g->targets);
    CUdeviceptr d_found = hd_work_upload(w, marks, nodes);
    marks[0] = 1; // the first frontier is node 0
    CUdeviceptr d_frontier = hd_work_upload(w, marks, nodes);
    CUdeviceptr d_visited = hd_work_upload(w, marks, nodes);
    memset(level, 0xff, nodes * sizeof *level);
    level[0] = 0;
    CUdeviceptr d_level = hd_work_upload(w, level, nodes * sizeof *level);
    CUdeviceptr d_more = hd_work_buffer(w, sizeof more);
    CUfunction expand = hd_work_kernel(w, "expand"), advance = hd_work_kernel(w, "advance");
    struct hd_work_grid grid = {(nodes + THREADS - 1) / THREADS, 1, THREADS, 1};
    while (more) {
        more = 0; // stays so after an error
        hd_work_write(w, d_more, &more, sizeof more);
        HD_WORK_LAUNCH(w, expand, grid, &d_first, &d_targets, &d_frontier, &d_visited, &d_found,
                       &d_level, &nodes);
        HD_WORK_LAUNCH(w, advance, grid, &d_frontier, &d_visited, &d_found, &d_more, &nodes);
        hd_work_read(w, &more, d_more, sizeof more);
    }
    hd_work_read(w, level, d_level, nodes * sizeof *level);
}

static void run(struct hd_work *w)
{
    static const unsigned nodes[HD_WORK_SIZES] = {2048, 32768, 65536};
    struct graph g = make_graph(w, nodes[w->size]);
    int *got = hd_work_array(w, g.nodes, sizeof *got);
    int *expected = hd_work_array(w, g.nodes, sizeof *got);

    search_on_device(w, &g, got);
    search(w, &g, expected);
    hd_work_same(w, "level", got, expected, g.nodes);
}

const struct hd_workload hd_workload_bfs = {
    .name = "bfs",
    .brief = "breadth-first search of a random graph: divergence, scattered loads, small frontiers",
    .groups = "first8",
    .sizes = {"2048 nodes", "32768 nodes", "65536 nodes"},
    .run = run,
};
