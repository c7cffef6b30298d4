// host.c (dp_gc) - colours of a graph's vertices, with a kernel for each vertex of many edges.
#include "workload/work.h"

#include "../dp_inputs.h"

#define THREADS 128

struct limits { // of a run: edges that a thread looks at itself, stages on the device
    unsigned edges, stages;
};

// Many edges first; then by a hash, which is of no other vertex.
static uint64_t *make_ranks(struct hd_work *w, const struct dp_graph *g)
{
    uint64_t *rank = hd_work_array(w, g->n, sizeof *rank);

    for (unsigned v = 0; v < g->n; v++) {
        uint32_t h = v * 0x9e3779b1u;
        h = (h ^ h >> 16) * 0x85ebca6bu; // the last steps of MurmurHash3
        h = (h ^ h >> 13) * 0xc2b2ae35u;
        rank[v] = (uint64_t)(g->first[v + 1] - g->first[v]) << 32 | (h ^ h >> 16);
    }
    return rank;
}

static void colour_on_device(struct hd_work *w, const struct dp_graph *g, const uint64_t *ranks,
                             struct limits most, int *colour)
{
    unsigned n = g->n, more = 1;
    unsigned *ones = hd_work_array(w, n, sizeof *ones);
    struct hd_work_grid grid = {(n + THREADS - 1) / THREADS, 1, THREADS, 1};

    for (unsigned v = 0; v < n; v++) {
        colour[v] = -1;
        ones[v] = 1;
    }
    CUdeviceptr first = hd_work_upload(w, g->first, (n + 1) * sizeof *g->first);
    CUdeviceptr targets = hd_work_upload(w, g->targets, g->edges * sizeof *g->targets);
    CUdeviceptr rank = hd_work_upload(w, ranks, n * sizeof *ranks);
    CUdeviceptr colours = hd_work_upload(w, colour, n * sizeof *colour);
    CUdeviceptr first_here = hd_work_upload(w, ones, n * sizeof *ones);
    CUdeviceptr d_more = hd_work_buffer(w, sizeof more);
    CUfunction judge = hd_work_kernel(w, "judge"), settle = hd_work_kernel(w, "settle");
    hd_work_pending(w, DP_PENDING);
    for (unsigned stage = 0; more && stage < most.stages; stage++) {
        more = 0; // stays so after an error
        hd_work_write(w, d_more, &more, sizeof more);
        HD_WORK_LAUNCH(w, judge, grid, &first, &targets, &rank, &colours, &first_here, &n,
                       &most.edges);
        HD_WORK_LAUNCH(w, settle, grid, &colours, &first_here, &d_more, &n, &stage);
        hd_work_read(w, &more, d_more, sizeof more);
    }
    hd_work_read(w, colour, colours, n * sizeof *colour);
}

static bool is_first(const struct dp_graph *g, const uint64_t *rank, const int *colour, unsigned v)
{
    for (unsigned e = g->first[v]; e < g->first[v + 1]; e++)
        if (colour[g->targets[e]] < 0 && rank[g->targets[e]] > rank[v])
            return false;
    return true;
}

static void colour_on_host(struct hd_work *w, const struct dp_graph *g, const uint64_t *rank,
                           struct limits most, int *colour)
{
    unsigned *left = hd_work_array(w, g->n, sizeof *left), n = g->n;
    unsigned *now = hd_work_array(w, g->n, sizeof *now);

    for (unsigned v = 0; v < n; v++) {
        left[v] = v;
        colour[v] = -1;
    }
    for (unsigned stage = 0; n && stage < most.stages; stage++) {
        unsigned kept = 0, taken = 0;
        for (unsigned i = 0; i < n; i++)
            if (is_first(g, rank, colour, left[i]))
                now[taken++] = left[i];
            else
                left[kept++] = left[i];
        for (unsigned i = 0; i < taken; i++)
            colour[now[i]] = (int)stage;
        n = kept;
    }
}

static void run(struct hd_work *w, struct dp_graph g, struct limits most)
{
    uint64_t *ranks = make_ranks(w, &g);
    int *got = hd_work_array(w, g.n, sizeof *got);
    int *expected = hd_work_array(w, g.n, sizeof *expected);

    colour_on_device(w, &g, ranks, most, got);
    colour_on_host(w, &g, ranks, most, expected);
    hd_work_same(w, "colour", got, expected, g.n);
}

static void run_citation(struct hd_work *w)
{
    static const struct limits most[HD_WORK_SIZES] = {{32, 6}, {64, 12}, {160, 87}};

    run(w, dp_citation_of_size(w), most[w->size]);
}

static void run_graph500(struct hd_work *w)
{
    static const struct limits most[HD_WORK_SIZES] = {{256, 20}, {1024, 40}, {4330, 139}};

    run(w, dp_graph500_of_size(w), most[w->size]);
}

const struct hd_workload hd_workload_dp_gc_citation = {
    .name = "dp_gc_citation",
    .brief = "colours of authors, a kernel launched for each with many neighbours, in every stage",
    .groups = "laser:GC-citation",
    .folder = "dp_gc",
    .dynamic = true,
    .sizes = {DP_CITATION_SIZES},
    .run = run_citation,
};

const struct hd_workload hd_workload_dp_gc_graph500 = {
    .name = "dp_gc_graph500",
    .brief = "colours of a Kronecker graph, a kernel launched for the largest vertices",
    .groups = "laser:GC-graph500",
    .folder = "dp_gc",
    .dynamic = true,
    .sizes = {DP_GRAPH500_SIZES},
    .run = run_graph500,
};
