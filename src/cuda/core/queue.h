// queue.h - the operations in streams, and when they are executed.
//
// The queue decides when an operation is executed and does not depend on what it is: each kind is a
// table of functions of the file that defines it. The data of an operation are in the union below.
#ifndef HEDDLE_CUDA_CORE_QUEUE_H
#define HEDDLE_CUDA_CORE_QUEUE_H

#include "cuda/core/copytime.h"
#include "cuda/core/process.h"

// The functions of a kind of operation. An operation is executed at once (perform) or in steps, the
// first of which begins it. The queue calls ready and can in the cycle in which another operation
// has ended; they change nothing.
struct hd_op_kind {
    bool (*ready)(const struct hd_cuda_op *op); // it may begin; NULL: always
    void (*perform)(struct hd_cuda_op *op);     // executes it in one cycle; else NULL and:
    bool (*can)(const struct hd_cuda_op *op, bool kernels); // once begun: a step is possible
    void (*step)(struct hd_cuda_op *op, bool kernels);      // without `kernels`, not on the machine
    bool (*ended)(const struct hd_cuda_op *op);             // all its steps are done
    bool (*kernel_ended)(struct hd_cuda_op *op, uint32_t launch); // false: not one of its kernels

    void (*forget)(struct hd_cuda_op *op);                 // it has ended, or will never happen
    void (*failed)(struct hd_cuda_op *op, CUresult error); // it will never happen, because of this
    // For operations that may wait for something that no earlier operation brings about: reports
    // what they wait for, when nothing is left that could bring it about.
    void (*stuck)(const struct hd_cuda_op *op, const struct hd_cuda_stream *s, struct hd_diag *d);
    bool needs_machine; // begins only when the machine is about to run
    bool calls_host;    // may call a function of the program
    bool gives_back;    // may free memory
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

struct hd_cuda_value { // to be written or waited for
    uint8_t *at;
    uint64_t address, value;
    unsigned bytes; // 4 or 8
    unsigned how;   // CUstreamWaitValue_flags
};

struct hd_cuda_op {
    struct hd_cuda_op *next;
    uint64_t seq; // order of submission over all streams
    const struct hd_op_kind *kind;
    bool running, done; // the first step is done; the last one
    uint32_t launch;    // of a kernel: its number on the machine
    union {
        struct hd_launch_request kernel;
        struct hd_cuda_copy copy;
        struct hd_cuda_fill fill;
        struct hd_cuda_host host;
        uint64_t free; // device address
        struct hd_cuda_value value;
        struct hd_graph_run *graph;
        struct {
            struct hd_cuda_event *event;
            uint64_t number; // of the record
        } record;
    } u;
};

// Appends an operation. Everything that is ready is executed at once, except kernels: they wait
// until the program waits for them. *ended (may be NULL) reports whether this operation has been
// executed.
CUresult hd_queue_add(struct hd_cuda_stream *s, const struct hd_cuda_op *op, bool *ended);
#define HD_QUEUE_KEEP_MOST ((size_t)256 << 20) // bytes kept for queued operations before they run
// Bytes that live until the queues are empty; zeros if `bytes` is NULL.
void *hd_queue_keep(const void *bytes, size_t n);

extern const struct hd_op_kind hd_queue_kernel; // u.kernel

// For graphs, whose nodes are not in streams: executes an operation now.
void hd_queue_perform(struct hd_cuda_op *op);
// The stream whose operation, or whose graph's operation, is being executed.
struct hd_cuda_stream *hd_queue_acting(void);
// Gives a kernel to the machine; returns its number there.
uint32_t hd_queue_launch(const struct hd_launch_request *r);
// A queued operation has failed: the present run of the queues, or else the next one, ends with
// this error.
void hd_queue_fault(CUresult error, const char *why);

// Run everything that is queued, on all streams, until nothing is left: also what other threads
// queue meanwhile, so that memory can be taken away afterwards. The error of a program that faults.
//
// These functions wait if something waits for a value in memory, and other threads have the device
// in between (hd_cuda_pause): look up again afterwards what handles stand for. If nothing happens
// for this many milliseconds, or no thread is left that could write the value, the context ends, as
// it does with a fault. Tests may make the time shorter.
extern unsigned hd_queue_patience;
CUresult hd_queue_run(void);
// The same for what has been queued so far; and what has been queued so far in one stream, which
// for the legacy stream includes what it waits for. Other work may be left.
CUresult hd_queue_run_submitted(void);
CUresult hd_queue_run_stream(const struct hd_cuda_stream *s);
CUresult hd_queue_run_until(bool (*over)(const void *what), const void *what);
// Run what can go on. Work is left only if it waits for a value in memory.
CUresult hd_queue_run_some(void);
// Does the stream have work left? The legacy stream waits for that of all blocking streams, too.
bool hd_queue_busy(const struct hd_cuda_stream *s);
bool hd_queue_is_empty(void);
bool hd_queue_holds(bool (*is)(const struct hd_cuda_op *op, const void *what), const void *what);
bool hd_queue_frees(void);    // an operation in a queue frees memory
bool hd_queue_has_host(void); // an operation in a queue is a function of the program
void hd_queue_drop_all(void); // after the machine has failed or ended
void hd_queue_forget(void);   // with everything it keeps in hd_cuda.arena
// Simulated time in cycles of the core clock; warp instructions in a run without timing.
uint64_t hd_queue_ticks(void);
void hd_queue_ended(void *ctx, uint32_t launch); // for hd_gpu_options.ended

#endif
