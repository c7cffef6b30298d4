// graphexec.h - graphs that are launched: what their nodes may say, plans (executable graphs), and
// runs (launches under way).
//
// Instantiation makes a plan of a graph: nodes in an order in which they could happen one by one,
// with copies of what they do, so that later changes of the graph do not touch it. A child graph
// and the body of a conditional node are plans inside the plan. A launch is a run of the plan: how
// many nodes each node still waits for. The queue asks a run for its next step in the cycle in
// which something has ended, as it asks a stream.
//
// Invariants:
// - Launches of one executable graph happen one after the other (launched, ended).
// - An executable graph that is destroyed lives until its last launch has ended.
// - The work of a plan's node is changed in place only while no launch is under way.
//
// The folder stands on all others of src/cuda; only lifecycle.c stands above it.
#ifndef HEDDLE_CUDA_GRAPHEXEC_GRAPHEXEC_H
#define HEDDLE_CUDA_GRAPHEXEC_GRAPHEXEC_H

#include "cuda/core/queue.h"
#include "cuda/graph/graphs.h"

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

// graphnodes.c
// What the parameters say, with its own copies of what they point to. `old`, of a kernel's node
// that is changed: its attributes stay. Nothing that has a graph or memory of its own.
CUresult hd_graphnodes_work(struct hd_arena *a, const CUgraphNodeParams *p,
                            const struct hd_graph_work *old, struct hd_graph_work *w);

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
extern const struct hd_part hd_graphplan_part;
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
extern const struct hd_op_kind hd_graphrun_op; // u.graph

// graphmem.c
// What a launch will allocate and free. An error, and no change, if it would allocate what the last
// launch allocated and nobody freed, or free what is not there; with the flag for it the former is
// freed in the stream first.
CUresult hd_graphmem_launch(const struct hd_cuda_exec *e, struct hd_cuda_stream *s);

#endif
