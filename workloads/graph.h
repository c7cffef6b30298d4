// graph.h - random graphs for searches, and a search by the host. Included by host code.
#ifndef HEDDLE_WORKLOADS_GRAPH_H
#define HEDDLE_WORKLOADS_GRAPH_H

#include "workload/work.h"

#define GRAPH_BEGUN_MIN 2 // edges that a node begins; as many end there in the mean
#define GRAPH_BEGUN_MAX 4
#define GRAPH_FAR 1000000 // level of a node that cannot be reached

struct node { // as in kernels
    int first, edges;
};
struct graph {
    unsigned n, edges;
    struct node *nodes;
    int *targets;
};

// Each node is joined to GRAPH_BEGUN_MIN to GRAPH_BEGUN_MAX nodes by chance, in both directions.
static inline struct graph graph_make(struct hd_work *w, unsigned n)
{
    struct graph g = {.n = n, .nodes = hd_work_array(w, n, sizeof *g.nodes)};
    unsigned(*pairs)[2] = hd_work_array(w, (size_t)n * GRAPH_BEGUN_MAX, sizeof *pairs), joined = 0;

    for (unsigned v = 0; v < n; v++)
        for (unsigned k =
                 GRAPH_BEGUN_MIN + hd_work_random(w) % (GRAPH_BEGUN_MAX - GRAPH_BEGUN_MIN + 1);
             k; k--) {
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

// Level of every node, seen from node 0.
static inline void graph_search(struct hd_work *w, const struct graph *g, int *level)
{
    int *queue = hd_work_array(w, g->n, sizeof *queue);
    unsigned head = 0, tail = 1;

    for (unsigned v = 1; v < g->n; v++)
        level[v] = GRAPH_FAR;
    for (level[0] = 0; head < tail; head++) {
        const struct node *v = &g->nodes[queue[head]];
        for (int e = v->first; e < v->first + v->edges; e++)
            if (level[g->targets[e]] == GRAPH_FAR) {
                level[g->targets[e]] = level[queue[head]] + 1;
                queue[tail++] = g->targets[e];
            }
    }
}

// The whole of a search: of a graph of n nodes on the device, beside the host's.
static inline void graph_run(struct hd_work *w, unsigned n,
                             void (*search)(struct hd_work *, const struct graph *, int *level))
{
    struct graph g = graph_make(w, n);
    int *got = hd_work_array(w, g.n, sizeof *got);
    int *expected = hd_work_array(w, g.n, sizeof *got);

    search(w, &g, got);
    graph_search(w, &g, expected);
    hd_work_same(w, "level", got, expected, g.n);
}

#endif
