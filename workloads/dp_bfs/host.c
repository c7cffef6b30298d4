// host.c (dp_bfs) - levels of a graph's vertices, with a kernel for each vertex of many edges.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 128

static void search_on_device(struct hd_work *w, const struct dp_graph *g, unsigned threshold,
                             int *level)
{
    unsigned n = g->n, more = 1;
    unsigned *none = hd_work_array(w, n, sizeof *none);
    struct hd_work_grid grid = {(n + THREADS - 1) / THREADS, 1, THREADS, 1};

    for (unsigned v = 0; v < n; v++)
        level[v] = -1;
    level[dp_source(g)] = 0;
    CUdeviceptr first = hd_work_upload(w, g->first, (n + 1) * sizeof *g->first);
    CUdeviceptr targets = hd_work_upload(w, g->targets, g->edges * sizeof *g->targets);
    CUdeviceptr levels = hd_work_upload(w, level, n * sizeof *level);
    CUdeviceptr found = hd_work_upload(w, none, n * sizeof *none);
    CUdeviceptr d_more = hd_work_buffer(w, sizeof more);
    CUfunction visit = hd_work_kernel(w, "visit"), settle = hd_work_kernel(w, "settle");
    hd_work_pending(w, DP_PENDING);
    for (int depth = 0; more; depth++) {
        more = 0; // stays so after an error
        hd_work_write(w, d_more, &more, sizeof more);
        HD_WORK_LAUNCH(w, visit, grid, &first, &targets, &levels, &found, &n, &depth, &threshold);
        HD_WORK_LAUNCH(w, settle, grid, &levels, &found, &d_more, &n, &depth);
        hd_work_read(w, &more, d_more, sizeof more);
    }
    hd_work_read(w, level, levels, n * sizeof *level);
}

static void run(struct hd_work *w, struct dp_graph g, unsigned threshold)
{
    int *got = hd_work_array(w, g.n, sizeof *got);
    int *expected = hd_work_array(w, g.n, sizeof *expected);

    search_on_device(w, &g, threshold, got);
    dp_levels(w, &g, expected);
    hd_work_same(w, "level", got, expected, g.n);
}

static void run_small(struct hd_work *w)
{
    static const unsigned vertices[HD_WORK_SIZES] = {160, 512, 1024};

    run(w, dp_complete(w, vertices[w->size]), 128);
}

static void run_citation(struct hd_work *w)
{
    static const unsigned threshold[HD_WORK_SIZES] = {16, 32, 128};

    run(w, dp_citation_of_size(w), threshold[w->size]);
}

static void run_graph500(struct hd_work *w)
{
    static const unsigned threshold[HD_WORK_SIZES] = {16, 32, 128};

    run(w, dp_graph500_of_size(w), threshold[w->size]);
}

// A control: neighbours of a crossing are few and its children do not share them.
static void run_road(struct hd_work *w)
{
    static const unsigned side[HD_WORK_SIZES] = {16, 48, 192};

    run(w, dp_road(w, side[w->size]), 2);
}

const struct hd_workload hd_workload_dp_bfs_small = {
    .name = "dp_bfs_small",
    .brief = "breadth-first search of a complete graph, a kernel launched for each vertex",
    .groups = "laser:BFS-small",
    .folder = "dp_bfs",
    .dynamic = true,
    .sizes = {"160 vertices, 25,440 edges", "512 vertices, 261,632 edges",
              "1024 vertices, 1,047,552 edges"},
    .run = run_small,
};

const struct hd_workload hd_workload_dp_bfs_citation = {
    .name = "dp_bfs_citation",
    .brief = "breadth-first search of authors, a kernel launched for each with many neighbours",
    .groups = "laser:BFS-citation",
    .folder = "dp_bfs",
    .dynamic = true,
    .sizes = {DP_CITATION_SIZES},
    .run = run_citation,
};

const struct hd_workload hd_workload_dp_bfs_graph500 = {
    .name = "dp_bfs_graph500",
    .brief = "breadth-first search of a Kronecker graph, a kernel launched for each large vertex",
    .groups = "laser:BFS-graph500",
    .folder = "dp_bfs",
    .dynamic = true,
    .sizes = {DP_GRAPH500_SIZES},
    .run = run_graph500,
};

const struct hd_workload hd_workload_dp_bfs_road = {
    .name = "dp_bfs_road",
    .brief = "breadth-first search of a grid like roads, a kernel launched for each crossing",
    .groups = "laser-control:BFS-road",
    .folder = "dp_bfs",
    .dynamic = true,
    .sizes = {"256 crossings", "2304 crossings", "36,864 crossings"},
    .run = run_road,
};
