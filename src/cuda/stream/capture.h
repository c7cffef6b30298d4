// capture.h - streams whose operations become nodes of a graph instead of happening.
#ifndef HEDDLE_CUDA_STREAM_CAPTURE_H
#define HEDDLE_CUDA_STREAM_CAPTURE_H

#include "cuda/graph/graphs.h"
#include "cuda/stream/stream.h"

// Every call that puts something into a stream asks first: whether it is to become a node
// (*captured), to happen, or neither (an error, which may have spoilt captures).
CUresult hd_capture_enqueues(struct hd_cuda_stream *s, bool *captured);
// The node, after what the stream was given before.
CUresult hd_capture_add(struct hd_cuda_stream *s, const struct hd_graph_work *w);
void *hd_capture_keep(const struct hd_cuda_stream *s, size_t bytes); // as long as the graph
// An address from an alloc node; a free node.
CUresult hd_capture_alloc(struct hd_cuda_stream *s, CUdeviceptr *address, size_t bytes);
// A call that can be neither captured nor made while the stream is captured.
CUresult hd_capture_refuse(struct hd_cuda_stream *s);
// A stream goes away: it may, if the capture began elsewhere and has joined it.
CUresult hd_capture_leave(struct hd_cuda_stream *s);
// A call that does something outside all streams: an error if captures forbid it to this thread.
CUresult hd_capture_unsafe(void);
// A wait for everything in a context, or for an event.
CUresult hd_capture_waits(const struct hd_cuda_context *c);
CUresult hd_capture_waits_event(const struct hd_cuda_event *e);
CUresult hd_capture_record(struct hd_cuda_stream *s, struct hd_cuda_event *e, bool external);
// *done: the wait is part of a capture (or there is nothing to wait for), else it is to be queued.
CUresult hd_capture_wait(struct hd_cuda_stream *s, struct hd_cuda_event *e, bool external,
                         bool *done);

#endif
