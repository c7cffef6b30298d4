// host.c (bfs) - levels of a graph's nodes, visited from node 0.
#include "workload/work.h"

#define THREADS 256
#define DEGREE_MIN 2 // edges that a node begins; as many end there in the mean
#define DEGREE_MAX 4
#define FAR 1000000 // level of a node that cannot be reached

struct node { // as in kernel.cu
    int first, edges;
};
struct graph {
    unsigned n, edges;
    struct node *nodes;
    int *targets;
};

// Each node is joined to DEGREE_MIN to DEGREE_MAX nodes by chance, in both directions.
static struct graph make_graph(struct hd_work *w, unsigned n)
{
    struct graph g = {.n = n, .nodes = hd_work_array(w, n, sizeof *g.nodes)};
    unsigned(*pairs)[2] = hd_work_array(w, (size_t)n * DEGREE_MAX, sizeof *pairs), joined = 0;

    for (unsigned v = 0; v < n; v++)
        for (unsigned k = DEGREE_MIN + hd_work_random(w) % (DEGREE_MAX - DEGREE_MIN + 1); k; k--) {
            unsigned *pair = pairs[joined++];
            pair[0] = v;
            pair[1] = hd_work_random(w) % n;
            g.nodes[pair[0]].edges++;
            g.nodes[pair[1]].edges++;
        }
    g.edges = 2 * joined;
    g.targets = hd_work_array(w, g.edges, sizeof *g.targets);
    for (unsigned v = 1; v < n; v++)
        g.nodes[v].first = g.nodes[v - 1].first + g.nodes[v - 1].edges;
    int *at = hd_work_array(w, n, sizeof *at);
    for (unsigned v = 0; v < n; v++)
        at[v] = g.nodes[v].first;
    for (unsigned i = 0; i < joined; i++) {
        unsigned a = pairs[i][0], b = pairs[i][1];
        g.targets[at[a]++] = (int)b;
        g.targets[at[b]++] = (int)a;
    }
    return g;
}

// Level of every node.
static void search(struct hd_work *w, const struct graph *g, int *level)
{
    int *queue = hd_work_array(w, g->n, sizeof *queue);
    unsigned head = 0, tail = 1;

    for (unsigned v = 1; v < g->n; v++)
        level[v] = FAR;
    for (level[0] = 0; head < tail; head++) {
        const struct node *v = &g->nodes[queue[head]];
        for (int e = v->first; e < v->first + v->edges; e++)
            if (level[g->targets[e]] == FAR) {
                level[g->targets[e]] = level[queue[head]] + 1;
                queue[tail++] = g->targets[e];
            }
    }
}

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
        level[v] = FAR;
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
    struct graph g = make_graph(w, nodes[w->size]);
    int *got = hd_work_array(w, g.n, sizeof *got);
    int *expected = hd_work_array(w, g.n, sizeof *got);

    search_on_device(w, &g, got);
    search(w, &g, expected);
    hd_work_same(w, "level", got, expected, g.n);
}

const struct hd_workload hd_workload_bfs = {
    .name = "bfs",
    .brief = "breadth-first search of a random graph: divergence, scattered loads, small frontiers",
    .groups = "first8 lfws:BFS_1 pro:BFS",
    .sizes = {"2048 nodes", "32768 nodes", "65536 nodes"},
    .run = run,
};
