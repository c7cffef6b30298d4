// graphs.h - graphs of work: what the program builds (nodes and edges), what it launches (plans),
// and launches under way (runs).
//
// A graph is nodes in the order in which they were added, each with its edges in both directions.
// Instantiation makes a plan of it: nodes in an order in which they could happen one by one, with
// copies of what they do, so later changes of the graph do not touch it. A child graph and the body
// of a conditional node are plans inside the plan. A launch is a run of the plan: how many nodes
// each node still waits for. The queue (queue.c) asks a run for its next step in the cycle in which
// something has ended, as it asks a stream.
#ifndef HEDDLE_CUDA_GRAPHS_H
#define HEDDLE_CUDA_GRAPHS_H

#include "cuda/process.h"

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

// A node of a plan. Its number is its place in an order in which nodes could happen.
struct hd_plan_node {
    const struct hd_graph_work *work;
    struct hd_graph_plan **bodies; // of a child graph one, of a conditional node some
    CUgraphNode source;
    uint32_t *before, *on; // in the order of the graph's edges; rising
    uint32_t n_on, n_before;
    uint32_t n_bodies;
    uint64_t workspace; // of a cooperative kernel
    bool disabled;
};

struct hd_graph_plan {
    struct hd_cuda_exec *exec;
    struct hd_plan_node *nodes;
    uint32_t n, *added; // numbers of nodes in the order in which they were added to the graph
    struct hd_plan_source {
        CUgraphNode source;
        uint32_t node;
    } * sources;               // rising
    struct hd_graph_run *idle; // runs to use again
};

struct hd_cuda_exec {
    CUgraphExec handle;
    CUgraph graph; // it was made of
    struct hd_arena *arena;
    struct hd_cuda_context *context;
    struct hd_graph_plan *plan;
    unsigned long long flags;
    // Kernels under way at the same time are in streams of their own on the machine: the first in
    // the launch's, the others in these.
    struct hd_graph_lane {
        uint32_t stream;
        bool busy;
    } * lanes;
    size_t n_lanes, cap_lanes;
    uint64_t launched, ended;
    bool destroyed;            // goes when its last launch has ended
    bool in_body;              // of a conditional node, while the plan is built
    size_t n_memory, n_events; // nodes of these kinds, with all inside
    struct hd_graph_condition *conditions;
    size_t n_conditions, cap_conditions;
    struct hd_graph_reference *references;
    size_t n_references;
};

// graphs.c
struct hd_cuda_graph *hd_graph_get(CUgraph handle);
struct hd_cuda_node *hd_graph_node(CUgraphNode handle);
struct hd_cuda_graph *hd_graph_new(bool inner);
void hd_graph_free(struct hd_cuda_graph *g);
// All graphs and executable graphs go, with the machine that they are for.
void hd_graph_forget_all(void);
// A node behind others of its graph; the list is checked. `data` may be NULL.
CUresult hd_graph_check(const struct hd_cuda_graph *g, const CUgraphNode *after,
                        const CUgraphEdgeData *data, size_t n);
struct hd_cuda_node *hd_graph_add(struct hd_cuda_graph *g, const CUgraphNode *after,
                                  const CUgraphEdgeData *data, size_t n,
                                  const struct hd_graph_work *w);
// A copy of the graph's nodes, edges and children into an empty graph.
CUresult hd_graph_copy(struct hd_cuda_graph *to, const struct hd_cuda_graph *from);
// Whether every node of `list` is one of the graph's that `ends` are or depend on.
bool hd_graph_reaches(const struct hd_cuda_graph *g, const CUgraphNode *ends, size_t n_ends,
                      const CUgraphNode *list, size_t n);

// graphnodes.c
// What the parameters say, with its own copies of what they point to. `old`, of a kernel's node
// that is changed: its attributes stay. Nothing that has a graph or memory of its own.
CUresult hd_graphnodes_work(struct hd_arena *a, const CUgraphNodeParams *p,
                            const struct hd_graph_work *old, struct hd_graph_work *w);
// The same work, owning its own parts.
void hd_graphnodes_copy(struct hd_arena *a, const struct hd_graph_work *from,
                        struct hd_graph_work *to);

// graphplan.c
struct hd_cuda_exec *hd_graphplan_exec(CUgraphExec handle);
void hd_graphplan_release(struct hd_cuda_exec *e); // memory of one that nobody needs any more
struct hd_graph_trouble {
    CUgraphNode node;
    CUgraphInstantiateResult result;
};
struct hd_graph_plan *hd_graphplan_build(struct hd_cuda_exec *e, const struct hd_cuda_graph *g,
                                         struct hd_graph_trouble *t);
// The plan's node made of a node, in it or in a plan inside it; NULL if there is none.
struct hd_plan_node *hd_graphplan_find(const struct hd_graph_plan *p, CUgraphNode source);
// What the node needs on the device to do this, for as long as the plan lives. False: no memory.
bool hd_graphplan_room(struct hd_plan_node *node, const struct hd_graph_work *w);
// The node does this from the next launch on; `w` is copied. False: there is no room for it.
bool hd_graphplan_replace(struct hd_cuda_exec *e, struct hd_plan_node *node,
                          const struct hd_graph_work *w);
// A graph like the plan, for a launch that is captured.
struct hd_cuda_graph *hd_graphplan_graph(const struct hd_graph_plan *p);

// graphupdate.c: the plan does what the graph does, from the next launch on; nothing if `info`
// names a reason why it cannot.
bool hd_graphupdate_plan(struct hd_cuda_exec *e, struct hd_graph_plan *p,
                         const struct hd_cuda_graph *g, CUgraphExecUpdateResultInfo *info);

// graphrun.c
struct hd_graph_run;
// A launch into a stream, as its graph is now. It takes place when the queue steps it.
struct hd_graph_run *hd_graphrun_new(struct hd_cuda_exec *e, uint32_t stream);
bool hd_graphrun_ready(const struct hd_graph_run *r); // earlier launches of its graph have ended
void hd_graphrun_start(const struct hd_graph_run *r);
// Something can be done now (without the machine, if not `kernels`); do the first such thing.
bool hd_graphrun_can(const struct hd_graph_run *r, bool kernels);
void hd_graphrun_step(struct hd_graph_run *r, bool kernels);
bool hd_graphrun_ended(const struct hd_graph_run *r);
bool hd_graphrun_kernel_ended(struct hd_graph_run *r, uint32_t launch); // if it is one of its own
void hd_graphrun_forget(struct hd_graph_run *r);                        // ended or dropped

// graphmem.c
// What a launch will allocate and free. An error, and no change, if it would allocate what the last
// launch allocated and nobody freed, or free what is not there; with the flag for it the former is
// freed in the stream first.
CUresult hd_graphmem_launch(const struct hd_cuda_exec *e, struct hd_cuda_stream *s);

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
