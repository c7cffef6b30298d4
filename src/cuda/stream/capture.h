// capture.h - stream capture: operations become nodes of a graph and are not executed.
#ifndef HEDDLE_CUDA_STREAM_CAPTURE_H
#define HEDDLE_CUDA_STREAM_CAPTURE_H

#include "cuda/graph/graphs.h"
#include "cuda/stream/stream.h"

// Every call that adds to a stream calls this first. The operation is to become a node (*captured),
// or to be executed, or neither (an error, which may have invalidated captures).
CUresult hd_capture_enqueues(struct hd_cuda_stream *s, bool *captured);
// Adds the node, after the stream's earlier nodes.
CUresult hd_capture_add(struct hd_cuda_stream *s, const struct hd_graph_work *w);
void *hd_capture_keep(const struct hd_cuda_stream *s, size_t bytes); // lives as long as the graph
// Adds an alloc node, which has an address; adds a free node.
CUresult hd_capture_alloc(struct hd_cuda_stream *s, CUdeviceptr *address, size_t bytes);
// For calls that can be neither captured nor made while the stream is captured: they invalidate the
// capture (CUDA C++ Programming Guide, "Prohibited and Unhandled Operations" and "Invalidation").
CUresult hd_capture_refuse(struct hd_cuda_stream *s);
// For asynchronous operations that graphs do not have: the guide has them only return an error, and
// the capture goes on without them, as was seen of cuMemcpyBatchAsync with CUDA 13 (RMM, 2026-08).
CUresult hd_capture_unhandled(const struct hd_cuda_stream *s);
// Before a stream is destroyed. Allowed if the capture began in another stream, which has joined
// this one.
CUresult hd_capture_leave(struct hd_cuda_stream *s);
// For calls that act outside of all streams: an error if captures forbid them to this thread.
CUresult hd_capture_unsafe(void);
// For a wait for everything in a context, or for an event.
CUresult hd_capture_waits(const struct hd_cuda_context *c);
CUresult hd_capture_waits_event(const struct hd_cuda_event *e);
CUresult hd_capture_record(struct hd_cuda_stream *s, struct hd_cuda_event *e, bool external);
// *done: the wait is part of a capture, or there is nothing to wait for; else it must be queued.
CUresult hd_capture_wait(struct hd_cuda_stream *s, struct hd_cuda_event *e, bool external,
                         bool *done);

#endif
