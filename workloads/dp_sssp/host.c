// host.c (dp_sssp) - lengths of the shortest paths from the vertex with the most edges, with a
// kernel for each vertex of many edges.
//
// An edge is 1000 to 1015 long. So of two paths the one with fewer edges is shorter, if they have
// no more than 60: each vertex gets its distance in the stage of its level and is relaxed once.
// That is what LASER's numbers say, which has as many stages for the same graph here as in its
// breadth-first search, and as many children as vertices of more than 32 edges.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 128
#define LENGTH 1000
#define FAR 2000000000

static unsigned *make_weights(struct hd_work *w, const struct dp_graph *g)
{
    unsigned *weights = hd_work_array(w, g->edges + 1, sizeof *weights);

    for (unsigned i = 0; i < g->edges; i++)
        weights[i] = LENGTH + hd_work_random(w) % 16;
    return weights;
}

static void search_on_device(struct hd_work *w, const struct dp_graph *g, const unsigned *weight,
                             unsigned threshold, int *distance)
{
    unsigned n = g->n, more = 1;
    unsigned *changed = hd_work_array(w, n, sizeof *changed);
    struct hd_work_grid grid = {(n + THREADS - 1) / THREADS, 1, THREADS, 1};

    for (unsigned v = 0; v < n; v++)
        distance[v] = FAR;
    distance[dp_source(g)] = 0;
    changed[dp_source(g)] = 1;
    CUdeviceptr first = hd_work_upload(w, g->first, (n + 1) * sizeof *g->first);
    CUdeviceptr targets = hd_work_upload(w, g->targets, g->edges * sizeof *g->targets);
    CUdeviceptr weights = hd_work_upload(w, weight, g->edges * sizeof *weight);
    CUdeviceptr distances = hd_work_upload(w, distance, n * sizeof *distance);
    CUdeviceptr offer = hd_work_upload(w, distance, n * sizeof *distance);
    CUdeviceptr d_changed = hd_work_upload(w, changed, n * sizeof *changed);
    CUdeviceptr d_more = hd_work_buffer(w, sizeof more);
    CUfunction relax = hd_work_kernel(w, "relax"), settle = hd_work_kernel(w, "settle");
    hd_work_pending(w, DP_PENDING);
    while (more) {
        more = 0; // stays so after an error
        hd_work_write(w, d_more, &more, sizeof more);
        HD_WORK_LAUNCH(w, relax, grid, &first, &targets, &weights, &distances, &d_changed, &offer,
                       &n, &threshold);
        HD_WORK_LAUNCH(w, settle, grid, &distances, &offer, &d_changed, &d_more, &n);
        hd_work_read(w, &more, d_more, sizeof more);
    }
    hd_work_read(w, distance, distances, n * sizeof *distance);
}

// Dijkstra's algorithm with a heap of (distance, vertex).
static void search_on_host(struct hd_work *w, const struct dp_graph *g, const unsigned *weights,
                           int *distance)
{
    uint64_t *heap = hd_work_array(w, g->edges + 2, sizeof *heap);
    size_t n = 1;

    for (unsigned v = 0; v < g->n; v++)
        distance[v] = FAR;
    heap[1] = dp_source(g);
    distance[heap[1]] = 0;
    while (n) {
        uint64_t least = heap[1], last = heap[n--];
        size_t at = 1;
        for (size_t child; (child = 2 * at) <= n; at = child) {
            child += child < n && heap[child + 1] < heap[child];
            if (heap[child] >= last)
                break;
            heap[at] = heap[child];
        }
        heap[at] = last;
        unsigned v = (uint32_t)least;
        if ((int)(least >> 32) > distance[v])
            continue;
        for (unsigned e = g->first[v]; e < g->first[v + 1]; e++) {
            int d = distance[v] + (int)weights[e];
            if (d >= distance[g->targets[e]])
                continue;
            distance[g->targets[e]] = d;
            uint64_t entry = (uint64_t)(unsigned)d << 32 | g->targets[e];
            for (at = ++n; at > 1 && heap[at / 2] > entry; at /= 2)
                heap[at] = heap[at / 2];
            heap[at] = entry;
        }
    }
}

static void run(struct hd_work *w, struct dp_graph g, unsigned threshold)
{
    unsigned *weights = make_weights(w, &g);
    int *got = hd_work_array(w, g.n, sizeof *got);
    int *expected = hd_work_array(w, g.n, sizeof *expected);

    search_on_device(w, &g, weights, threshold, got);
    search_on_host(w, &g, weights, expected);
    hd_work_same(w, "distance", got, expected, g.n);
}

static void run_citation(struct hd_work *w)
{
    run(w, dp_citation_of_size(w), 19);
}

static void run_graph500(struct hd_work *w)
{
    run(w, dp_graph500_of_size(w), 32);
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
