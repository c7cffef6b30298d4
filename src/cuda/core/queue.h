// queue.h - what streams hold: operations in order, and when they happen.
//
// The queue knows when an operation may happen and does not know what it is: each kind is a table
// of functions of the file that makes it. What an operation is about is in the union below.
#ifndef HEDDLE_CUDA_CORE_QUEUE_H
#define HEDDLE_CUDA_CORE_QUEUE_H

#include "cuda/core/copytime.h"
#include "cuda/core/process.h"

// What operations of a kind do. One happens at once (perform), or in steps, the first of which
// begins it. The queue asks in the cycle in which something has ended; a question has no effect.
struct hd_op_kind {
    bool (*ready)(const struct hd_cuda_op *op); // it may begin; NULL: always
    void (*perform)(struct hd_cuda_op *op);     // it happens, in one cycle; else NULL and:
    bool (*can)(const struct hd_cuda_op *op, bool kernels); // once begun: a step is possible
    void (*step)(struct hd_cuda_op *op, bool kernels);      // without `kernels`, not on the machine
    bool (*ended)(const struct hd_cuda_op *op);             // all its steps are done
    bool (*kernel_ended)(struct hd_cuda_op *op, uint32_t launch); // false: it is none of its own

    void (*forget)(struct hd_cuda_op *op);                 // it has ended, or will never happen
    void (*failed)(struct hd_cuda_op *op, CUresult error); // it will never happen, because of this
    // It may have to wait for something that no operation before it brings about: says what, for
    // people, when nothing is left that could.
    void (*stuck)(const struct hd_cuda_op *op, const struct hd_cuda_stream *s, struct hd_diag *d);
    bool needs_machine; // only begins when the machine is about to run
    bool calls_host;    // may call a function of the program
    bool gives_back;    // may give memory back
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

struct hd_cuda_value { // in memory, to be written or waited for
    uint8_t *at;
    uint64_t address, value;
    unsigned bytes; // 4 or 8
    unsigned how;   // CUstreamWaitValue_flags
};

struct hd_cuda_op {
    struct hd_cuda_op *next;
    uint64_t seq; // order of submission over all streams
    const struct hd_op_kind *kind;
    bool running, done; // its first step is done, its last one
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

// Append an operation. Whatever can happen at once does, except kernels: they wait until somebody
// waits for them. *ended (may be NULL) tells whether this one has happened.
CUresult hd_queue_add(struct hd_cuda_stream *s, const struct hd_cuda_op *op, bool *ended);
#define HD_QUEUE_KEEP_MOST ((size_t)256 << 20) // bytes kept for queued operations before they run
// Bytes that live until the queues are empty; zeros if `bytes` is NULL.
void *hd_queue_keep(const void *bytes, size_t n);

extern const struct hd_op_kind hd_queue_kernel; // u.kernel

// For graphs, whose nodes are not in streams. An operation that happens at once, now:
void hd_queue_perform(struct hd_cuda_op *op);
// The stream whose operation, or whose graph's, happens now.
struct hd_cuda_stream *hd_queue_acting(void);
// A kernel to the machine; its number there.
uint32_t hd_queue_launch(const struct hd_launch_request *r);
// What was queued cannot be done: when the queues are run next, or as they run, they end with this.
void hd_queue_fault(CUresult error, const char *why);

// Run everything that is queued, on all streams, until nothing is left: also what other threads
// queue meanwhile, so that memory can be taken away afterwards. The error of a program that faults.
//
// These functions wait if something waits for a value in memory, and other threads have the device
// in between (hd_cuda_pause): look up again afterwards what handles stand for. If nothing happens
// for so many milliseconds, or no other thread is left to write the value, the context ends, as it
// does with a fault. Tests may make the time shorter.
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
bool hd_queue_frees(void);    // memory is given back by something that waits
bool hd_queue_has_host(void); // a function of the program is among what waits
void hd_queue_drop_all(void); // of a machine that failed or goes away
void hd_queue_forget(void);   // with everything it keeps in hd_cuda.arena
// Simulated time in cycles of the core clock; warp instructions in a run without timing.
uint64_t hd_queue_ticks(void);
void hd_queue_ended(void *ctx, uint32_t launch); // for hd_gpu_options.ended

#endif
