// host.c (bfs) - levels of a graph's nodes, visited from node 0.
#include "workload/work.h"

#include "../graph.h"

#define THREADS 256

static void search_on_device(struct hd_work *w, const struct graph *g, int *level)
{
    unsigned n = g->n;
    unsigned char *marks = hd_work_array(w, n, 1), more = 1;

    CUdeviceptr nodes = hd_work_upload(w, g->nodes, n * sizeof *g->nodes);
    CUdeviceptr targets = hd_work_upload(w, g->targets, g->edges * sizeof *g->targets);
    CUdeviceptr next = hd_work_upload(w, marks, n);
    marks[0] = 1; // the first frontier is node 0
    CUdeviceptr frontier = hd_work_upload(w, marks, n), visited = hd_work_upload(w, marks, n);
    for (unsigned v = 1; v < n; v++)
        level[v] = GRAPH_FAR;
    level[0] = 0;
    CUdeviceptr d_level = hd_work_upload(w, level, n * sizeof *level);
    CUdeviceptr d_more = hd_work_buffer(w, sizeof more);
    CUfunction visit = hd_work_kernel(w, "visit");
    struct hd_work_grid grid = {(n + THREADS - 1) / THREADS, 1, THREADS, 1};
    while (more) {
        more = 0; // stays so after an error
        hd_work_write(w, d_more, &more, sizeof more);
        HD_WORK_LAUNCH(w, visit, grid, &nodes, &targets, &frontier, &next, &visited, &d_level,
                       &d_more, &n);
        CUdeviceptr done = frontier;
        frontier = next;
        next = done;
        hd_work_read(w, &more, d_more, sizeof more);
    }
    hd_work_read(w, level, d_level, n * sizeof *level);
}

static void run(struct hd_work *w)
{
    static const unsigned nodes[HD_WORK_SIZES] = {2048, 32768, 65536};

    graph_run(w, nodes[w->size], search_on_device);
}

const struct hd_workload hd_workload_bfs = {
    .name = "bfs",
    .brief = "breadth-first search of a random graph: divergence, scattered loads, small frontiers",
    .groups = "first8 lfws:BFS_1 pro:BFS",
    .sizes = {"2048 nodes", "32768 nodes", "65536 nodes"},
    .run = run,
};
