// queue.h - what streams hold: operations in order, and when they happen.
#ifndef HEDDLE_CUDA_QUEUE_H
#define HEDDLE_CUDA_QUEUE_H

#include "cuda/copytime.h"
#include "cuda/process.h"

enum hd_cuda_op_kind {
    HD_OP_KERNEL,
    HD_OP_COPY,
    HD_OP_FILL,
    HD_OP_RECORD,
    HD_OP_WAIT,
    HD_OP_HOST,
    HD_OP_FREE,
    HD_OP_GRAPH,
};

struct hd_cuda_copy { // rows of bytes, between host addresses
    uint8_t *to;
    const uint8_t *from;
    uint64_t to_pitch, to_slice, from_pitch, from_slice;
    uint64_t width, height, depth;
    enum hd_copy_way way;
};

struct hd_cuda_fill {
    uint8_t *to;
    uint64_t pitch, width, height; // width in elements
    uint32_t value;
    unsigned bytes; // of an element
};

struct hd_cuda_host {
    CUhostFn function;         // or
    CUstreamCallback callback; // with the stream's handle
    CUstream stream;
    void *data;
};

struct hd_cuda_op {
    struct hd_cuda_op *next;
    uint64_t seq; // order of submission over all streams
    enum hd_cuda_op_kind kind;
    bool running;    // a kernel that the machine has, a graph that has begun
    uint32_t launch; // its number there
    union {
        struct hd_launch_request kernel;
        struct hd_cuda_copy copy;
        struct hd_cuda_fill fill;
        struct hd_cuda_host host;
        uint64_t free; // device address
        struct hd_graph_run *graph;
        struct {
            struct hd_cuda_event *event;
            uint64_t number; // of the record
        } record;
    } u;
};

// Append an operation. Whatever can happen at once does, except kernels: they wait until somebody
// waits for them. *ended (may be NULL) tells whether this one has happened.
CUresult hd_queue_add(struct hd_cuda_stream *s, const struct hd_cuda_op *op, bool *ended);
// Append a copy. If `pageable`, its source is free to change when this returns.
CUresult hd_queue_copy(struct hd_cuda_stream *s, const struct hd_cuda_copy *copy, bool pageable);
// Bytes that live until the queues are empty; zeros if `bytes` is NULL.
void *hd_queue_keep(const void *bytes, size_t n);

// For graphs, whose nodes are not in streams. An operation that is no kernel, now:
void hd_queue_perform(struct hd_cuda_op *op);
// A kernel to the machine; its number there.
uint32_t hd_queue_launch(const struct hd_launch_request *r);
// What was queued cannot be done: when the queues are run next, or as they run, they end with this.
void hd_queue_fault(CUresult error, const char *why);

// Run everything that is queued, on all streams. The error of a program that faults.
CUresult hd_queue_run(void);
bool hd_queue_frees(void);    // memory is given back by something that waits
bool hd_queue_has_host(void); // a function of the program is among what waits
void hd_queue_drop_all(void); // of a machine that failed or goes away
void hd_queue_forget(void);   // with everything it keeps in hd_cuda.arena
// Simulated time in cycles of the core clock; warp instructions in a run without timing.
uint64_t hd_queue_ticks(void);
void hd_queue_ended(void *ctx, uint32_t launch); // for hd_gpu_options.ended

#endif
