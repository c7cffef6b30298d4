// graphs.h - graphs of work as data: nodes, edges, what each node does.
//
// A graph is nodes in the order in which they were added, each with its edges in both directions.
// The program builds it (graphexec/graphnodes.c), a captured stream does (stream/capture.c), and an
// executable graph is made of it (graphexec/). This folder looks at no parameters, starts nothing
// and waits for nothing: it keeps, copies, compares and shows.
//
// Invariants:
// - A node's work owns what it points to, in its graph's arena (hd_works_copy); what it names by
//   handle (functions, events, arrays) may be gone when it is looked up.
// - Graphs inside a graph (children, bodies of conditional nodes) belong to the node: hd_graph_free
//   of the outer one frees them.
// - Edges stand in both nodes, in the order in which they were made.
//
// The folder may call core, and the user's own functions that end user objects.
#ifndef HEDDLE_CUDA_GRAPH_GRAPHS_H
#define HEDDLE_CUDA_GRAPH_GRAPHS_H

#include "cuda/core/parts.h"
#include "cuda/core/process.h"

struct hd_graph_kernel {
    CUfunction function;
    struct hd_launch_request request; // params: the block, of the work's own
    bool cooperative;
    int priority;
    CUlaunchAttributeValue *hints; // by number, kept and handed back; NULL: none was set
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
    CUgraphNode origin;               // in the graph that this one is a clone of
    size_t index;                     // in graph->nodes
    struct hd_graph_edges before, on; // its dependencies, its dependents
    struct hd_graph_work work;
    void **args; // of a kernel, as the program asked for them; NULL until it does
};

struct hd_graph_condition { // a value that kernels set
    CUgraphConditionalHandle handle;
    unsigned initial;
    bool assign; // the initial value with every launch
};

struct hd_graph_reference {
    CUuserObject object;
    unsigned n;
};

struct hd_cuda_graph {
    CUgraph handle;
    CUgraph origin; // the graph that this one is a clone of, else NULL
    struct hd_arena *arena;
    bool inner;     // a child, or the body of a conditional node: not the program's to destroy
    bool capturing; // by a stream
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

// works.c: the same work, owning its own parts.
void hd_works_copy(struct hd_arena *a, const struct hd_graph_work *from, struct hd_graph_work *to);

// graphs.c
struct hd_cuda_graph *hd_graph_new(bool inner);
void hd_graph_free(struct hd_cuda_graph *g);
// A node after others of its graph; the list is checked. `data` may be NULL.
CUresult hd_graph_check(const struct hd_cuda_graph *g, const CUgraphNode *after,
                        const CUgraphEdgeData *data, size_t n);
struct hd_cuda_node *hd_graph_add(struct hd_cuda_graph *g, const CUgraphNode *after,
                                  const CUgraphEdgeData *data, size_t n,
                                  const struct hd_graph_work *w);
// An edge between two nodes of a graph, which had none. `data` may be NULL.
void hd_graph_connect(struct hd_cuda_node *from, struct hd_cuda_node *to,
                      const CUgraphEdgeData *data);
// A copy of the graph's nodes, edges and children into an empty graph.
CUresult hd_graph_copy(struct hd_cuda_graph *to, const struct hd_cuda_graph *from);
// Whether every node of `list` is one of the graph's that `ends` are or depend on.
bool hd_graph_reaches(const struct hd_cuda_graph *g, const CUgraphNode *ends, size_t n_ends,
                      const CUgraphNode *list, size_t n);

extern const struct hd_part hd_graphs_part;

// userobjects.c
struct hd_cuda_user_object {
    CUuserObject handle;
    CUhostFn destroy;
    void *data;
    unsigned references;
};
void hd_userobjects_release(const struct hd_graph_reference *list, size_t n);
void hd_userobjects_retain(const struct hd_graph_reference *list, size_t n);

#endif
