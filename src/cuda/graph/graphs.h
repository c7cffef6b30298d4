// graphs.h - graphs of work as data: nodes, edges, what each node does.
//
// A graph is a list of nodes in the order in which they were added, each with its edges in both
// directions. The program builds it (graphexec/graphnodes.c) or captures it from streams
// (stream/capture.c); an executable graph is made from it (graphexec/). This folder checks no
// parameters, starts nothing and waits for nothing: it stores, copies, compares and prints graphs.
//
// Invariants:
// - A node's work owns what it points to, in its graph's arena (hd_works_copy). What it refers to
//   by handle (functions, events, arrays) may no longer exist when it is used.
// - Graphs inside a graph (children, bodies of conditional nodes) belong to the node: hd_graph_free
//   of the outer one frees them.
// - An edge is listed in both of its nodes, in the order in which edges were made.
//
// The folder may call core, and the program's functions that end user objects.
#ifndef HEDDLE_CUDA_GRAPH_GRAPHS_H
#define HEDDLE_CUDA_GRAPH_GRAPHS_H

#include "cuda/core/parts.h"
#include "cuda/core/process.h"

struct hd_graph_kernel {
    CUfunction function;
    struct hd_launch_request request; // params: the parameter block, which the work owns
    bool cooperative;
    int priority;
    CUlaunchAttributeValue *hints; // by number; stored and returned; NULL: none was set
};
#define HD_GRAPH_HINTS 17 // numbers of attributes

struct hd_graph_conditional {
    CUgraphConditionalHandle handle;
    CUgraphConditionalNodeType type;
    unsigned n;
    struct hd_cuda_graph **bodies;
};

// What a node does.
struct hd_graph_work {
    CUgraphNodeType type;
    union {
        struct hd_graph_kernel kernel;
        CUDA_MEMCPY3D copy;
        CUDA_MEMSET_NODE_PARAMS fill;
        CUDA_HOST_NODE_PARAMS host;
        CUevent event;
        CUDA_MEM_ALLOC_NODE_PARAMS alloc;
        CUdeviceptr free;
        struct hd_cuda_graph *child;
        struct hd_graph_conditional conditional;
    } u;
};

struct hd_graph_edge {
    struct hd_cuda_node *node; // at the other end
    CUgraphEdgeData data;
};

struct hd_graph_edges {
    struct hd_graph_edge *list;
    size_t n, cap;
};

struct hd_cuda_node {
    CUgraphNode handle;
    struct hd_cuda_graph *graph;
    CUgraphNode origin;               // the node of which this one is a copy
    size_t index;                     // in graph->nodes
    struct hd_graph_edges before, on; // its dependencies, its dependents
    struct hd_graph_work work;
    void **args; // of a kernel, if the program has asked for them; else NULL
};

struct hd_graph_condition { // a value that kernels set
    CUgraphConditionalHandle handle;
    unsigned initial;
    bool assign; // every launch sets the initial value
};

struct hd_graph_reference {
    CUuserObject object;
    unsigned n;
};

struct hd_cuda_graph {
    CUgraph handle;
    CUgraph origin; // the graph of which this one is a copy, else NULL
    struct hd_arena *arena;
    bool inner;     // a child, or the body of a conditional node: the program cannot destroy it
    bool capturing; // a capture is adding nodes
    struct hd_cuda_node **nodes;
    size_t n, cap;
    size_t n_memory, n_execs; // nodes that allocate or free; executable graphs made of it
    struct hd_graph_condition *conditions;
    size_t n_conditions, cap_conditions;
    struct hd_graph_reference *references;
    size_t n_references, cap_references;
};

static inline struct hd_cuda_graph *hd_graph_get(CUgraph handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_GRAPH, handle);
}

static inline struct hd_cuda_node *hd_graph_node(CUgraphNode handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_NODE, handle);
}

// works.c: copies the work with everything that it owns.
void hd_works_copy(struct hd_arena *a, const struct hd_graph_work *from, struct hd_graph_work *to);

// graphs.c
struct hd_cuda_graph *hd_graph_new(bool inner);
void hd_graph_free(struct hd_cuda_graph *g);
// Adds a node after others of its graph; the list is checked. `data` may be NULL.
CUresult hd_graph_check(const struct hd_cuda_graph *g, const CUgraphNode *after,
                        const CUgraphEdgeData *data, size_t n);
struct hd_cuda_node *hd_graph_add(struct hd_cuda_graph *g, const CUgraphNode *after,
                                  const CUgraphEdgeData *data, size_t n,
                                  const struct hd_graph_work *w);
// Adds an edge between two nodes that have none. `data` may be NULL.
void hd_graph_connect(struct hd_cuda_node *from, struct hd_cuda_node *to,
                      const CUgraphEdgeData *data);
// Copies the graph's nodes, edges and children into an empty graph.
CUresult hd_graph_copy(struct hd_cuda_graph *to, const struct hd_cuda_graph *from);
// Whether every node of `list` is in the graph, and is one of `ends` or a dependency of one.
bool hd_graph_reaches(const struct hd_cuda_graph *g, const CUgraphNode *ends, size_t n_ends,
                      const CUgraphNode *list, size_t n);

extern const struct hd_part hd_graphs_part;

// userobjects.c
struct hd_cuda_user_object {
    CUuserObject handle;
    CUhostFn destroy;
    void *data;
    unsigned references;
    bool ours; // `destroy` is a function of heddle, not of the program
};
// An object of heddle's own, which ends with the graph and the executable graphs made from it.
void hd_userobjects_own(struct hd_cuda_graph *g, CUhostFn destroy, void *data);
void hd_userobjects_release(const struct hd_graph_reference *list, size_t n);
void hd_userobjects_retain(const struct hd_graph_reference *list, size_t n);

#endif
