// process.h - the CUDA device of this process: its state, and how a call enters it.
//
// The folders of src/cuda, lowest first: abi (names, numbers and layouts of the interface), core
// (this one), memory, graph (graphs as data), stream, code, texture, launch, graphexec (graphs that
// are launched). lifecycle.c is above all of them. A folder calls only those below it. If a lower
// folder needs something from a higher one, it calls its parts (parts.h): tables of functions that
// lifecycle.c installs in cuInit.
//
// core is the device without its contents. It has the one lock and the state that a call finds when
// it enters (entry.c), the machine (machine.c) and its results (results.c). Contexts, handles, and
// the queues of operations (queue.h) are there too; they do not depend on the kinds of operations.
//
// Invariants:
// - There is one device and one machine in a process. Everything in these folders is read and
//   written under the device's lock, which every entry point takes with HD_CUDA_ENTER for its whole
//   length. It is the first lock in the order of base/lock.h and is held by one thread at a time,
//   so the whole interface is sequential inside. A function of the program is called without the
//   lock, between hd_cuda_callback_begin and _end. A call that waits for another thread lets go of
//   the lock again and again (hd_cuda_pause), which only hd_queue_run and its like do.
// - Work is queued by stream and runs when somebody waits for it, so results do not depend on the
//   timing of the host.
// - Memory comes from two arenas: hd_cuda.arena lives from cuInit to hd_cuda_end,
//   hd_cuda.programs as long as a machine.
// - A program holds handles and never pointers of ours; one of its pointers is read only within the
//   call that brought it.
#ifndef HEDDLE_CUDA_CORE_PROCESS_H
#define HEDDLE_CUDA_CORE_PROCESS_H

#include "cuda/abi/driver.h"
#include "cuda/core/handles.h"
#include "run/runs.h"

#include <pthread.h>

#define HD_CUDA_DEVICE 0
#define HD_CUDA_LIMITS 7

struct hd_cuda_op;
struct hd_cuda_capture;

#define HD_STREAM_HINTS (CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY + 1)

struct hd_cuda_stream {
    CUstream handle;
    struct hd_cuda_context *context;
    unsigned id; // numbers streams from 0 in the order of creation; reports show it
    unsigned flags;
    int priority;
    CUlaunchAttributeValue hints[HD_STREAM_HINTS]; // attributes by number, as the program set them
    bool legacy;                                   // the default stream that waits for all others
    unsigned thread;                               // of a per-thread default stream, else 0
    bool destroyed;                  // by the program; freed when its last operation has ended
    struct hd_cuda_capture *capture; // receives its operations; NULL: they are executed
    CUgraphNode *tail_nodes;         // what the next captured operation depends on
    size_t n_tail_nodes, cap_tail_nodes;
    struct hd_cuda_stream *next_captured; // in the list of streams that the same capture includes
    struct hd_cuda_op *head, *tail;       // head: the first operation that has not ended
    struct hd_cuda_stream *next;          // in the context's list of per-thread streams
    // Its time, if copies take any (copytime.h): when its last operation ended. While a kernel or
    // graph is under way (busy), `since` is the machine's clock when it was last read.
    uint64_t until, since;
    bool busy;
};

struct hd_cuda_context {
    CUcontext handle;
    unsigned id, flags, uses; // uses: retained (primary) or attached so many times
    bool primary;
    CUfunc_cache cache;
    CUsharedconfig banks;
    size_t limits[HD_CUDA_LIMITS];
    struct hd_cuda_stream legacy;
    struct hd_cuda_stream *threads; // default streams of threads that asked for their own
    uint64_t blocking_until;        // the latest `until` of its blocking streams
};

struct hd_cuda {
    bool initialized;
    const struct hd_run_options *given; // from hd_cuda_use
    struct hd_arena *arena;             // lives until hd_cuda_end
    struct hd_run_options options;
    struct hd_config config;
    uint64_t total_memory;
    unsigned capability; // such as 75
    struct hd_handles *handles;
    unsigned next_stream; // number of the next stream that the program or a graph creates

    // The machine. It is made for the first context.
    struct hd_gpu *gpu;
    struct hd_arena *programs; // modules live as long as the machine
    unsigned n_machines, n_modules;
    enum hd_run_status status;
    CUresult broken; // the error that ended the device; every later call returns it
};
extern struct hd_cuda hd_cuda;

void hd_cuda_say(const struct hd_diag *d); // prints to standard error

// entry.c. Every entry point begins with HD_CUDA_ENTER: it takes the lock for the length of the
// function and returns early if the device is not in the state the function needs.
enum hd_cuda_needs {
    HD_CUDA_NOTHING,
    HD_CUDA_INIT,    // cuInit was called
    HD_CUDA_CURRENT, // also: the thread has a context, which may have failed
    HD_CUDA_WORKING, // also: the context has not failed
    HD_CUDA_SAFE,    // also: no capture forbids calls that are not captured
};
CUresult hd_cuda_enter(enum hd_cuda_needs needs);
void hd_cuda_leave(const CUresult *entered);
#define HD_CUDA_ENTER(needs)                                                                       \
    __attribute__((cleanup(hd_cuda_leave))) const CUresult entered_ = hd_cuda_enter(needs);        \
    if (entered_ != CUDA_SUCCESS)                                                                  \
    return entered_
uint64_t hd_cuda_entries(void); // calls so far, from any thread

// Called before and after a function of the program; _end receives what _begin returned. In between
// no lock is held, and the thread has the program's floating-point state and locale. Calls of this
// interface by the function are refused.
unsigned hd_cuda_callback_begin(void);
void hd_cuda_callback_end(unsigned depth);
// Let other threads have the device for a moment in the middle of a call. What they destroy is gone
// afterwards: the caller must look up again all that its handles stand for. An error if there is
// no machine any more, or another one, or if it has failed.
CUresult hd_cuda_pause(void);

// Takes the device and releases it; releasing it ends the program if that was requested. False: it
// was not free in time, because the thread hd_cuda_holder() holds it.
struct timespec;
bool hd_cuda_settle(bool (*may_stop)(void));
pthread_t hd_cuda_holder(void);
// The process ends: `end` ends the machine, if there is one. Every later call fails.
void hd_cuda_leave_for_good(void (*end)(void));

// machine.c
CUresult hd_cuda_machine(void); // make it if there is none
void hd_cuda_machine_end(void); // write its results, if requested, and free it
bool hd_cuda_unified(void);     // simulated addresses are host addresses
void hd_cuda_copied(const uint8_t *to, uint64_t bytes); // the host has copied something there

// surround.c: rounding mode, exceptions and locale of the calling thread belong to the program.
// Inside a call they are those of a fresh process; a function of the program gets its own back.
void hd_surround_init(void);
void hd_surround_enter(void);
void hd_surround_leave(void);

// settings.c: reads the choice of the machine from the environment into hd_cuda.
bool hd_settings_read(struct hd_diag *d);

// current.c: the contexts of the calling thread, a stack of them.
struct hd_cuda_context *hd_current_context(void); // NULL: none, or it was destroyed
bool hd_current_gone(void);                       // it was destroyed
unsigned hd_current_thread(void);                 // number of the calling thread, counted from 1
bool hd_current_full(void);
bool hd_current_push(CUcontext handle); // false: the stack is full
CUcontext hd_current_pop(void);         // NULL: the stack is empty
CUcontext hd_current_handle(void);      // NULL: there is no context
void hd_current_forget(void);

// context.c
void hd_context_forget(void); // forgets all contexts when the device ends

// streams.c: the stream that a handle means for the calling thread, NULL if there is none.
struct hd_cuda_stream *hd_streams_get(CUstream handle);
void hd_streams_init(struct hd_cuda_stream *s, struct hd_cuda_context *c, unsigned flags);

// device.c: attributes of the machine; kernels can query them too.
struct hd_part;
extern const struct hd_part hd_device_part;

#endif
