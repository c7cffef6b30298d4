// dp_inputs.h - inputs of the workloads whose kernels launch kernels (dp_*): graphs like those that
// LASER names, and the functions that their generators need. Included by host code.
//
// All random numbers come from hd_work_random. Logarithms and exponentials are our own, because
// those of a C library may differ in the last bit from machine to machine, and with them the
// graphs.
#ifndef HEDDLE_WORKLOADS_DP_INPUTS_H
#define HEDDLE_WORKLOADS_DP_INPUTS_H

#include "workload/work.h"

#include <stdlib.h>

#define DP_PENDING 32768 // children that may wait; the default of 2048 is too few for most inputs

// --- numbers

static inline double dp_log(double x) // of x > 0
{
    double e = 0;

    for (; x >= 2; x *= 0.5)
        e++;
    for (; x < 1; x *= 2)
        e--;
    double z = (x - 1) / (x + 1), power = z, sum = 0; // ln x = 2 artanh z, z <= 1/3
    for (unsigned k = 1; k < 40; k += 2) {
        sum += power / k;
        power *= z * z;
    }
    return 2 * sum + e * 0.69314718055994530942;
}

static inline double dp_exp(double x)
{
    double term = 1, sum = 1;
    unsigned halved = 0;

    for (; x > 0.5 || x < -0.5; x *= 0.5)
        halved++;
    for (unsigned k = 1; k < 20; k++) {
        term *= x / k;
        sum += term;
    }
    for (; halved; halved--)
        sum *= sum;
    return sum;
}

static inline double dp_uniform(struct hd_work *w) // in (0, 1)
{
    return (hd_work_random(w) + 0.5) * 0x1p-32;
}

static inline double dp_exponential(struct hd_work *w, double mean)
{
    return -mean * dp_log(dp_uniform(w));
}

// --- graphs

struct dp_graph { // neighbours of v: targets[first[v]] to targets[first[v + 1] - 1]
    unsigned n, edges;
    unsigned *first, *targets;
};

struct dp_pairs { // edges while a graph is made, each with its lower vertex in the upper half
    uint64_t *at;
    size_t n, cap;
};

static inline void dp_join(struct hd_work *w, struct dp_pairs *p, unsigned a, unsigned b)
{
    if (a == b)
        return;
    if (p->n == p->cap) {
        uint64_t *more = hd_work_array(w, p->cap ? 2 * p->cap : 4096, sizeof *more);
        for (size_t i = 0; i < p->n; i++)
            more[i] = p->at[i];
        p->cap = p->cap ? 2 * p->cap : 4096;
        p->at = more;
    }
    p->at[p->n++] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static inline int dp_by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

// Each edge once, in both directions; neighbours in order.
static inline struct dp_graph dp_graph_of(struct hd_work *w, unsigned n, struct dp_pairs *p)
{
    struct dp_graph g = {.n = n, .first = hd_work_array(w, n + 1, sizeof *g.first)};
    unsigned *at = hd_work_array(w, n, sizeof *at), kept = 0;

    qsort(p->at, p->n, sizeof *p->at, dp_by_value);
    for (size_t i = 0; i < p->n; i++)
        if (!i || p->at[i] != p->at[i - 1])
            p->at[kept++] = p->at[i];
    for (unsigned i = 0; i < kept; i++) {
        g.first[(p->at[i] >> 32) + 1]++;
        g.first[(uint32_t)p->at[i] + 1]++;
    }
    for (unsigned v = 0; v < n; v++) {
        g.first[v + 1] += g.first[v];
        at[v] = g.first[v];
    }
    g.edges = 2 * kept;
    g.targets = hd_work_array(w, g.edges + 1, sizeof *g.targets);
    for (unsigned i = 0; i < kept;
         i++) // the lower neighbours of all first, so that lists are sorted
        g.targets[at[(uint32_t)p->at[i]]++] = (unsigned)(p->at[i] >> 32);
    for (unsigned i = 0; i < kept; i++)
        g.targets[at[p->at[i] >> 32]++] = (uint32_t)p->at[i];
    return g;
}

// Every vertex is joined to every other one.
static inline struct dp_graph dp_complete(struct hd_work *w, unsigned n)
{
    struct dp_pairs p = {0};

    for (unsigned a = 0; a < n; a++)
        for (unsigned b = a + 1; b < n; b++)
            dp_join(w, &p, a, b);
    return dp_graph_of(w, n, &p);
}

// Gives the n vertices other numbers; each order is as likely as any other (Fisher and Yates).
static inline void dp_renumber(struct hd_work *w, struct dp_pairs *p, unsigned n)
{
    unsigned *number = hd_work_array(w, n, sizeof *number);

    for (unsigned i = 0; i < n; i++) {
        unsigned k = (unsigned)((uint64_t)hd_work_random(w) * (i + 1) >> 32);
        number[i] = number[k];
        number[k] = i;
    }
    for (size_t i = 0; i < p->n; i++) {
        uint64_t a = number[p->at[i] >> 32], b = number[(uint32_t)p->at[i]];
        p->at[i] = a < b ? a << 32 | b : b << 32 | a;
    }
}

// Graph 500's generator as the tenth DIMACS challenge used it (kron_g500-logn16): R-MAT with .57
// .19 .19 .05 and 48 edges a vertex, of which loops and doubles are left out. As Graph 500 asks, the
// vertices get other numbers afterwards, so that those with many edges are no neighbours.
static inline struct dp_graph dp_graph500(struct hd_work *w, unsigned scale)
{
    struct dp_pairs p = {0};

    for (unsigned i = 0; i < 48u << scale; i++) {
        unsigned a = 0, b = 0;
        for (unsigned bit = 0; bit < scale; bit++) {
            double u = dp_uniform(w);
            a = 2 * a + (u >= 0.76);
            b = 2 * b + ((u >= 0.57 && u < 0.76) || u >= 0.95);
        }
        dp_join(w, &p, a, b);
    }
    dp_renumber(w, &p, 1u << scale);
    return dp_graph_of(w, 1u << scale, &p);
}

// Like roads: a grid of side * side crossings, less a tenth of the ways between neighbours. Nothing
// of it is in LASER.
static inline struct dp_graph dp_road(struct hd_work *w, unsigned side)
{
    struct dp_pairs p = {0};

    for (unsigned v = 0; v < side * side; v++) {
        if (v % side + 1 < side && dp_uniform(w) < 0.9)
            dp_join(w, &p, v, v + 1);
        if (v / side + 1 < side && dp_uniform(w) < 0.9)
            dp_join(w, &p, v, v + side);
    }
    return dp_graph_of(w, side * side, &p);
}

#define DP_PAPERS_MOST 400

// Joins each two of a team.
static inline void dp_clique(struct hd_work *w, struct dp_pairs *p, const unsigned *team,
                             unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < i; k++)
            dp_join(w, p, team[i], team[k]);
}

// The team of one large paper: each third author from `at` on.
static inline void dp_large_team(struct hd_work *w, struct dp_pairs *p, unsigned n, unsigned at,
                                 unsigned size)
{
    unsigned team[128];

    for (unsigned k = 0; k < size; k++)
        team[k] = (at + k * 3) % n;
    dp_clique(w, p, team, size);
}

// Authors joined by the papers that they wrote together, with the sizes of coAuthorsCiteseer. A few
// authors lead many papers, the team of a paper is a clique, and most of its members are near its
// leader. One paper has `crowd` authors, as the largest clique of that graph. One in 1568 authors
// has a paper of 33 authors or more, which gives as many authors 32 neighbours as launch kernels in
// LASER's shortest paths.
static inline struct dp_graph dp_citation(struct hd_work *w, unsigned n, unsigned crowd)
{
    struct dp_pairs p = {0};
    unsigned team[128];

    for (unsigned h = 0; h < n; h++) {
        double led = 0.28 * dp_exp(-dp_log(dp_uniform(w)) / 1.5) + 0.77 * dp_uniform(w);
        unsigned papers = led < DP_PAPERS_MOST ? (unsigned)led : DP_PAPERS_MOST;
        for (unsigned i = 0; i < papers; i++) {
            unsigned size = 2;
            while (size < 64 && dp_uniform(w) < 0.565)
                size++;
            team[0] = h;
            for (unsigned k = 1; k < size; k++) {
                double far = dp_exponential(w, 3.0 * (1 + papers)) + 1;
                bool back = hd_work_random(w) & 1, anywhere = dp_uniform(w) < 0.003;
                uint64_t steps = far < n ? (uint64_t)far : n - 1;
                team[k] = anywhere ? hd_work_random(w) % n
                                   : (unsigned)((h + (back ? n - steps : steps)) % n);
            }
            dp_clique(w, &p, team, size);
        }
    }
    for (unsigned i = 0; i < n / 1568; i++) {
        unsigned size = 33;
        while (size < 87 && dp_uniform(w) < 0.85)
            size++;
        dp_large_team(w, &p, n, hd_work_random(w) % n, size);
    }
    dp_large_team(w, &p, n, n / 2, crowd);
    return dp_graph_of(w, n, &p);
}

// Edges are those that the default seed gives.
#define DP_CITATION_SIZES                                                                          \
    "2048 authors, 8663 edges", "16,384 authors, 61,780 edges", "227,320 authors, 804,148 edges"
#define DP_GRAPH500_SIZES                                                                          \
    "512 vertices, 10,277 edges", "4096 vertices, 117,230 edges", "65,536 vertices, 2,431,414 edges"

static inline struct dp_graph dp_citation_of_size(struct hd_work *w)
{
    static const unsigned n[HD_WORK_SIZES] = {2048, 16384, 227320}, crowd[] = {24, 48, 87};

    return dp_citation(w, n[w->size], crowd[w->size]);
}

static inline struct dp_graph dp_graph500_of_size(struct hd_work *w)
{
    static const unsigned scale[HD_WORK_SIZES] = {9, 12, 16};

    return dp_graph500(w, scale[w->size]);
}

// Where searches begin: at vertex 0, or at the first that has edges.
static inline unsigned dp_source(const struct dp_graph *g)
{
    unsigned source = 0;

    while (source + 1 < g->n && g->first[source + 1] == 0)
        source++;
    return source;
}

static inline int dp_by_number(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return x < y ? -1 : x > y;
}

// The vertices of a frontier on the device in order, on the host too. Their order there depends on that
// of the threads which appended them, and with it, which block would launch a vertex's kernel.
static inline void dp_order(struct hd_work *w, CUdeviceptr frontier, unsigned *vertices,
                            unsigned size)
{
    hd_work_read(w, vertices, frontier, size * sizeof *vertices);
    qsort(vertices, size, sizeof *vertices, dp_by_number);
    hd_work_write(w, frontier, vertices, size * sizeof *vertices);
}

// How many edges each vertex is from the source; -1: it cannot be reached.
static inline void dp_levels(struct hd_work *w, const struct dp_graph *g, int *level)
{
    unsigned *queue = hd_work_array(w, g->n, sizeof *queue), tail = 1;

    for (unsigned v = 0; v < g->n; v++)
        level[v] = -1;
    queue[0] = dp_source(g);
    level[queue[0]] = 0;
    for (unsigned head = 0; head < tail; head++)
        for (unsigned e = g->first[queue[head]]; e < g->first[queue[head] + 1]; e++)
            if (level[g->targets[e]] < 0) {
                level[g->targets[e]] = level[queue[head]] + 1;
                queue[tail++] = g->targets[e];
            }
}

#endif
