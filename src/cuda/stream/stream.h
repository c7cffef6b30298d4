// stream.h - operations in streams: copies, fills, events, functions of the program, memory that is
// allocated and freed in order; and streams whose operations become nodes of a graph (capture.h).
//
// Every call here begins in the same way: find the stream (hd_streams_get), ask whether it is
// captured (hd_capture_enqueues), check the arguments, then either add a node to the graph
// (hd_capture_add) or an operation to the queue (hd_queue_add). An operation is checked when it is
// queued, never when it is executed.
//
// Invariants:
// - Operations take no cycles; only kernels do. Copies may move the time of their stream
//   (core/copytime.h).
// - A copy from pageable memory reads its bytes before the call returns; a copy to such memory
//   waits.
// - Host functions run without the device's lock and may not call the interface.
//
// The folder may call core, memory and graph.
#ifndef HEDDLE_CUDA_STREAM_STREAM_H
#define HEDDLE_CUDA_STREAM_STREAM_H

#include "cuda/core/parts.h"
#include "cuda/core/queue.h"

struct hd_cuda_event {
    CUevent handle;
    struct hd_cuda_context *context;
    unsigned flags;
    bool destroyed;          // by the program; queued operations still refer to it
    uint64_t recorded, done; // number of records requested, executed
    uint64_t at;             // ticks at the last one that was executed
    uint64_t capture;        // the capture of its last record; 0 if there is none
    CUgraphNode *nodes;      // the nodes before that record
    size_t n_nodes;
};

// copy.c, fill.c: find and check the bytes of a copy or fill. `planned`: memory that nodes of
// graphs will allocate is valid. An empty copy or fill has no addresses.
CUresult hd_copy_resolve(const CUDA_MEMCPY3D *c, bool planned, struct hd_cuda_copy *out);
CUresult hd_fill_resolve(const CUDA_MEMSET_NODE_PARAMS *p, bool planned, struct hd_cuda_fill *out);
extern const struct hd_op_kind hd_copy_op; // u.copy
extern const struct hd_op_kind hd_fill_op; // u.fill

// events.c: operations that record an event, and that wait for a record: u.record
extern const struct hd_op_kind hd_events_record, hd_events_wait;

// memops.c: operations that write a value, and that wait for one: u.value
extern const struct hd_op_kind hd_memops_write, hd_memops_wait;

// hostfuncs.c: a function of the program, u.host
extern const struct hd_op_kind hd_hostfuncs_op;

// progress.c: queues an operation that may call a function of the program. It is executed even if
// the program waits for that function without calling this interface.
CUresult hd_progress_add(struct hd_cuda_stream *s, const struct hd_cuda_op *op);

extern const struct hd_part hd_progress_part, hd_capture_part, hd_stream_calls_part, hd_events_part,
    hd_ipc_part, hd_memops_part;

#endif
