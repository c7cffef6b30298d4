// graphexec.h - executing graphs: the parameters of nodes, plans (executable graphs), and runs
// (launches in progress).
//
// Instantiation makes a plan of a graph: nodes in a possible order of execution, with copies of
// their work, so that later changes of the graph do not affect it. A child graph and the body of a
// conditional node are plans inside the plan. A launch is a run of the plan, which counts how many
// nodes each node still waits for. When an operation has ended, the queue asks runs for their next
// step in the same cycle, as it asks streams.
//
// Invariants:
// Launches of one executable graph are executed one after the other (launched, ended).
// An executable graph that is destroyed lives until its last launch has ended.
// The work of a plan's node is changed in place only while no launch is in progress.
//
// The folder may call all others of src/cuda; only lifecycle.c is above it.
#ifndef HEDDLE_CUDA_GRAPHEXEC_GRAPHEXEC_H
#define HEDDLE_CUDA_GRAPHEXEC_GRAPHEXEC_H

#include "cuda/core/queue.h"
#include "cuda/graph/graphs.h"

// A node of a plan. Its number is its position in a possible order of execution.
struct hd_plan_node {
    const struct hd_graph_work *work;
    struct hd_graph_plan **bodies; // one for a child graph, at least one for a conditional node
    CUgraphNode source;
    uint32_t *before, *on; // in the order of the graph's edges; in rising order
    uint32_t n_on, n_before;
    uint32_t n_bodies;
    uint64_t workspace; // of a cooperative kernel
    bool disabled;
};

struct hd_graph_plan {
    struct hd_cuda_exec *exec;
    struct hd_plan_node *nodes;
    uint32_t n, *added; // numbers of nodes, in the order in which they were added to the graph
    struct hd_plan_source {
        CUgraphNode source;
        uint32_t node;
    } * sources;               // sorted
    struct hd_graph_run *idle; // runs to be reused
};

struct hd_cuda_exec {
    CUgraphExec handle;
    CUgraph graph; // from which it was made
    struct hd_arena *arena;
    struct hd_cuda_context *context;
    struct hd_graph_plan *plan;
    unsigned long long flags;
    // Kernels that run at the same time are in different streams of the machine: the first in the
    // launch's own, the others in these.
    struct hd_graph_lane {
        uint32_t stream;
        bool busy;
    } * lanes;
    size_t n_lanes, cap_lanes;
    uint64_t launched, ended;
    bool destroyed;            // freed when its last launch has ended
    bool in_body;              // the body of a conditional node is being added to the plan
    size_t n_memory, n_events; // numbers of nodes of these kinds, including graphs inside
    struct hd_graph_condition *conditions;
    size_t n_conditions, cap_conditions;
    struct hd_graph_reference *references;
    size_t n_references, cap_references;
};

// graphnodes.c
// Makes work from parameters, with copies of what they point to. `old` is the work of a kernel node
// that is changed: its attributes stay. Not for nodes that have a graph or memory of their own.
CUresult hd_graphnodes_work(struct hd_arena *a, const CUgraphNodeParams *p,
                            const struct hd_graph_work *old, struct hd_graph_work *w);

// graphplan.c
struct hd_cuda_exec *hd_graphplan_exec(CUgraphExec handle);
void hd_graphplan_release(struct hd_cuda_exec *e); // frees one that is no longer used
struct hd_graph_trouble {
    CUgraphNode node;
    CUgraphInstantiateResult result;
};
struct hd_graph_plan *hd_graphplan_build(struct hd_cuda_exec *e, const struct hd_cuda_graph *g,
                                         struct hd_graph_trouble *t);
// The plan's node that was made from this node, in it or in a plan inside it; NULL if there is
// none.
struct hd_plan_node *hd_graphplan_find(const struct hd_graph_plan *p, CUgraphNode source);
// Allocates what the node needs on the device for this work, for as long as the plan lives. False:
// no memory.
bool hd_graphplan_room(struct hd_plan_node *node, const struct hd_graph_work *w);
// From the next launch on the node does this work, which is copied. False: no memory.
bool hd_graphplan_replace(struct hd_cuda_exec *e, struct hd_plan_node *node,
                          const struct hd_graph_work *w);
extern const struct hd_part hd_graphplan_part;
// Makes a graph equal to the plan, for a launch that is captured.
struct hd_cuda_graph *hd_graphplan_graph(const struct hd_graph_plan *p);

// graphupdate.c: from the next launch on, the plan does what the graph does. Changes nothing if
// `info` gives a reason why it cannot.
bool hd_graphupdate_plan(struct hd_cuda_exec *e, struct hd_graph_plan *p,
                         const struct hd_cuda_graph *g, CUgraphExecUpdateResultInfo *info);

// graphrun.c
struct hd_graph_run;
// A launch into a stream, as its graph is now. It is executed when the queue steps it.
struct hd_graph_run *hd_graphrun_new(struct hd_cuda_exec *e, uint32_t stream);
extern const struct hd_op_kind hd_graphrun_op; // u.graph

// graphmem.c
// Records what a launch will allocate and free. Returns an error and changes nothing if it would
// allocate what the last launch allocated and nothing has freed, or free what is not allocated. If
// the graph was instantiated to free such memory, it is freed in the stream first.
CUresult hd_graphmem_launch(const struct hd_cuda_exec *e, struct hd_cuda_stream *s);

#endif
