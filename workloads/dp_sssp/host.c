// host.c (dp_sssp) - lengths of the shortest paths from vertex 0, with a kernel for each vertex of
// many edges.
//
// An edge has the length 1: the published program gives it to all edges of a file of the DIMACS
// challenge, from which LASER's graphs are. So lengths are levels, and each vertex is relaxed once.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 256
#define BLOCKS 104
#define THRESHOLD 32 // edges of a vertex that gets a kernel, and threads of its blocks
#define FAR 2000000000

struct queue { // as in kernels
    CUdeviceptr vertices, count;
    uint64_t most;
};

static CUdeviceptr upload_lengths(struct hd_work *w, unsigned edges)
{
    int *lengths = hd_work_array(w, edges + 1, sizeof *lengths);

    for (unsigned i = 0; i < edges; i++)
        lengths[i] = 1;
    return hd_work_upload(w, lengths, edges * sizeof *lengths);
}

static void search_on_device(struct hd_work *w, const struct dp_graph *g, int *distance)
{
    struct hd_work_grid grid = {BLOCKS, 1, THREADS, 1};
    unsigned n = g->n, none = 0, size = 1, source = dp_source(g), threshold = THRESHOLD;
    unsigned *order = hd_work_array(w, g->edges, sizeof *order);
    int far = FAR, zero = 0;
    CUdeviceptr first = hd_work_upload(w, g->first, (n + 1) * sizeof *g->first);
    CUdeviceptr targets = hd_work_upload(w, g->targets, g->edges * sizeof *g->targets);
    CUdeviceptr lengths = upload_lengths(w, g->edges);
    CUdeviceptr distances = hd_work_buffer(w, n * sizeof *distance);
    CUdeviceptr frontier = hd_work_buffer(w, g->edges * sizeof size);
    struct queue next = {hd_work_buffer(w, g->edges * sizeof size), hd_work_buffer(w, sizeof size),
                         g->edges};

    hd_work_pending(w, DP_PENDING);
    HD_WORK_LAUNCH(w, hd_work_kernel(w, "clear"), grid, &distances, &far, &n);
    hd_work_write(w, distances + source * sizeof zero, &zero, sizeof zero);
    hd_work_write(w, frontier, &source, sizeof source);
    while (size) {
        dp_order(w, frontier, order, size);
        hd_work_write(w, next.count, &none, sizeof none);
        HD_WORK_LAUNCH(w, hd_work_kernel(w, "relax"), grid, &first, &targets, &lengths, &distances,
                       &frontier, &size, &next, &threshold);
        size = 0; // stays so after an error
        hd_work_read(w, &size, next.count, sizeof size);
        CUdeviceptr done = frontier;
        frontier = next.vertices;
        next.vertices = done;
    }
    hd_work_read(w, distance, distances, n * sizeof *distance);
}

static void run(struct hd_work *w, struct dp_graph g)
{
    int *got = hd_work_array(w, g.n, sizeof *got);
    int *expected = hd_work_array(w, g.n, sizeof *expected);

    search_on_device(w, &g, got);
    dp_levels(w, &g, expected);
    for (unsigned v = 0; v < g.n; v++)
        if (expected[v] < 0)
            expected[v] = FAR;
    hd_work_same(w, "distance", got, expected, g.n);
}

static void run_citation(struct hd_work *w)
{
    run(w, dp_citation_of_size(w));
}

static void run_graph500(struct hd_work *w)
{
    run(w, dp_graph500_of_size(w));
}

const struct hd_workload hd_workload_dp_sssp_citation = {
    .name = "dp_sssp_citation",
    .brief = "shortest paths between authors, a kernel launched for each with many neighbours",
    .groups = "laser:SSSP-citation",
    .folder = "dp_sssp",
    .dynamic = true,
    .sizes = {DP_CITATION_SIZES},
    .run = run_citation,
};

const struct hd_workload hd_workload_dp_sssp_graph500 = {
    .name = "dp_sssp_graph500",
    .brief = "shortest paths in a Kronecker graph, a kernel launched for each large vertex",
    .groups = "laser:SSSP-graph500",
    .folder = "dp_sssp",
    .dynamic = true,
    .sizes = {DP_GRAPH500_SIZES},
    .run = run_graph500,
};
