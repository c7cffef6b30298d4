// host.c (dp_bfs) - levels of a graph's vertices, with a kernel for each vertex of many edges.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 128
#define BLOCKS 240

struct children { // edges of a vertex from which on it gets a kernel, and threads of its blocks
    unsigned threshold, threads;
};

static void clear_on_device(struct hd_work *w, CUdeviceptr array, int value, unsigned n)
{
    struct hd_work_grid grid = {BLOCKS, 1, THREADS, 1};

    HD_WORK_LAUNCH(w, hd_work_kernel(w, "clear"), grid, &array, &value, &n);
}

// Where the edges of each block of vertices go in the frontier of edges.
static void find_places(const struct dp_graph *g, const unsigned *vertices, unsigned size,
                        unsigned *places)
{
    unsigned sum = 0;

    for (unsigned i = 0; i < size; i++) {
        if (i % THREADS == 0)
            places[i / THREADS] = sum;
        sum += g->first[vertices[i] + 1] - g->first[vertices[i]];
    }
}

static void search_on_device(struct hd_work *w, const struct dp_graph *g, struct children c,
                             int *level)
{
    unsigned n = g->n, most = g->edges, source = dp_source(g), size = 1;
    unsigned bit = 1u << source % 32, blocks = (n + THREADS - 1) / THREADS;
    unsigned *order = hd_work_array(w, n, sizeof *order);
    unsigned *place = hd_work_array(w, blocks, sizeof *place);
    struct hd_work_grid grid = {BLOCKS, 1, THREADS, 1};
    CUdeviceptr first = hd_work_upload(w, g->first, (n + 1) * sizeof *g->first);
    CUdeviceptr targets = hd_work_upload(w, g->targets, g->edges * sizeof *g->targets);
    CUdeviceptr levels = hd_work_buffer(w, n * sizeof *level);
    CUdeviceptr visited = hd_work_buffer(w, (n + 31) / 32 * sizeof bit);
    CUdeviceptr vertices = hd_work_buffer(w, most * sizeof size);
    CUdeviceptr edges = hd_work_buffer(w, most * sizeof size);
    CUdeviceptr places = hd_work_buffer(w, blocks * sizeof *place);
    CUdeviceptr count = hd_work_buffer(w, sizeof size);
    CUfunction expand = hd_work_kernel(w, "expand"), contract = hd_work_kernel(w, "contract");

    hd_work_pending(w, DP_PENDING);
    clear_on_device(w, levels, -1, n);
    clear_on_device(w, visited, 0, (n + 31) / 32);
    hd_work_write(w, vertices, &source, sizeof source);
    hd_work_write(w, visited + source / 32 * sizeof bit, &bit, sizeof bit);
    for (int depth = 0; size; depth++) {
        unsigned none = 0, found = 0; // stays so after an error
        dp_order(w, vertices, order, size);
        find_places(g, order, size, place);
        hd_work_write(w, places, place, blocks * sizeof *place);
        hd_work_write(w, count, &none, sizeof none);
        HD_WORK_LAUNCH(w, expand, grid, &first, &targets, &levels, &vertices, &size, &edges,
                       &places, &count, &most, &depth, &c.threshold, &c.threads);
        hd_work_read(w, &found, count, sizeof found);
        hd_work_write(w, count, &none, sizeof none);
        HD_WORK_LAUNCH(w, contract, grid, &visited, &edges, &found, &vertices, &count);
        size = 0;
        hd_work_read(w, &size, count, sizeof size);
    }
    hd_work_read(w, level, levels, n * sizeof *level);
}

static void run(struct hd_work *w, struct dp_graph g, struct children c)
{
    int *got = hd_work_array(w, g.n, sizeof *got);
    int *expected = hd_work_array(w, g.n, sizeof *expected);

    search_on_device(w, &g, c, got);
    dp_levels(w, &g, expected);
    hd_work_same(w, "level", got, expected, g.n);
}

static const struct children children[HD_WORK_SIZES] = {{32, 32}, {32, 32}, {128, 128}};

static void run_small(struct hd_work *w)
{
    static const unsigned vertices[HD_WORK_SIZES] = {160, 512, 1024};

    run(w, dp_complete(w, vertices[w->size]), children[HD_WORK_PAPER]);
}

static void run_citation(struct hd_work *w)
{
    run(w, dp_citation_of_size(w), children[w->size]);
}

static void run_graph500(struct hd_work *w)
{
    run(w, dp_graph500_of_size(w), children[w->size]);
}

// A control: neighbours of a crossing are few and its children do not share them.
static void run_road(struct hd_work *w)
{
    static const unsigned side[HD_WORK_SIZES] = {16, 48, 192};

    run(w, dp_road(w, side[w->size]), (struct children){3, 32});
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
