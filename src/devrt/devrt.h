// devrt.h - the device's runtime: what kernels call and the device provides. CUDA C++ Programming
// Guide: "Dynamic Global Memory Allocation", "Formatted Output", "Assertion", "CUDA Dynamic
// Parallelism".
//
// Purpose. PTX declares functions that no PTX defines: malloc, free, vprintf, __assertfail, and the
// runtime API of kernels that launch kernels (streams, events, copies, questions about the device).
// They are no part of an instruction set, so the emulator does not know them: it hands each call to
// this folder through emu/callout.h, and this folder reads arguments and writes results through the
// same header. Whatever timing such things have is the machine's affair: launches, copies and event
// records become tasks, in the order of execution, which the machine takes after each cycle (or
// block, without timing). It decides when each of them happens, and reports when a kernel has
// begun, when a task has happened and when all blocks of a grid have ended.
//
// Whom it may talk to. It is called by the emulator (hd_callout_ops) and by the machine (this
// header). It calls the emulator's callout.h, global memory, and what the machine has given it with
// hd_devrt_serve. It knows nothing of SMs but their index, and nothing of cycles.
//
// Invariants.
//  1. While an SM executes, nothing here changes that another SM could see. The state below is
//     split: `struct hd_devrt_sm` (the outbox, the last error of each thread, the streams and the
//     pending children of each resident block) belongs to one SM; the rest (heap, printed text,
//     tasks, parameter buffers, streams, counts of pending children, the list of parked blocks)
//     belongs to the machine and is only read.
//  2. A call that needs the machine's part is put into the SM's outbox. hd_isrc_ops.commit, which
//     the machine calls for each SM in index order at the end of a cycle, performs what is in the
//     outbox, in the order of execution. Results therefore depend neither on the order in which SMs
//     were stepped nor on whether they were stepped by several threads. Since SMs used to be
//     stepped in index order and a call took effect at once, they are also what they were then.
//  3. The outbox holds no arguments: a warp executes at most once in a cycle, so at the merge its
//     registers and its local memory are still those of the call.
//  4. What is decided before the merge is decided from the state at the end of the last cycle plus
//     the SM's own outbox: whether free() is given a live block (a fault stops the SM at once), and
//     whether a warp that synchronises has something to wait for (pending_children.c). A block that
//     two SMs free in the same cycle is found at the merge.
//
// What remains shared between SMs, and how it is settled: plain loads read global memory at issue,
// and no one writes it between the first step and the first commit of a cycle; plain stores wait in
// the SM's log for commit; atomics are performed by the memory side (hd_isrc_ops.serve). Validity
// of addresses changes at merges only.
#ifndef HEDDLE_DEVRT_DEVRT_H
#define HEDDLE_DEVRT_DEVRT_H

#include "base/arena.h"
#include "heddle/isrc.h"

struct hd_devrt;
struct hd_emu;
struct hd_memory;
struct hd_parked_block;

#define HD_CHILD_DEPTH 24 // of kernels that launch kernels, below the host's

struct hd_devrt_limits { // in bytes
    uint64_t heap;       // that device code may have allocated at one time
    uint32_t printed;    // of text that is kept until hd_devrt_printed
    uint32_t stack;      // hd_emu_limit_stack
    uint32_t pending;    // kernels that kernels have launched and that have not begun
};
#define HD_DEVRT_LIMITS                                                                            \
    (struct hd_devrt_limits)                                                                       \
    {                                                                                              \
        .heap = UINT64_C(8) << 20, .printed = UINT32_C(1) << 20, .stack = 16384, .pending = 2048   \
    }

// The runtime of this emulator's device, attached to it. Freed before the emulator.
struct hd_devrt *hd_devrt_new(struct hd_arena *a, struct hd_emu *e, struct hd_memory *m);
void hd_devrt_free(struct hd_devrt *d);
// Instead of HD_DEVRT_LIMITS, from the next launch on. When no block runs, and all text was taken.
void hd_devrt_limit(struct hd_devrt *d, const struct hd_devrt_limits *limits);

// What device code has printed since the last call, in the order of launches, blocks, warps of the
// block and, within a warp, time; lanes in order. Not NUL-terminated; valid until the next launch.
// *lost counts the printfs whose text found no room.
const char *hd_devrt_printed(struct hd_devrt *d, size_t *bytes, uint64_t *lost);

// The owner of the machine knows these. Error numbers are those of the runtime API.
struct hd_devrt_owner {
    void *ctx;
    // What a launch takes of an SM: registers and static shared memory that others have chosen.
    void (*resources)(void *ctx, struct hd_launch *l);
    unsigned (*refuses)(void *ctx, const struct hd_launch *l); // can never run: why; 0: it can
    uint32_t (*occupancy)(void *ctx, const struct hd_launch *l);
    void (*collect)(void *ctx); // there are tasks, in a run without timing
};
void hd_devrt_serve(struct hd_devrt *d, const struct hd_devrt_owner *owner);
// Device attributes, by number; false if there is no such attribute. Until this is called there are
// none.
void hd_devrt_attributes(struct hd_devrt *d, bool (*attribute)(void *ctx, int number, int *value),
                         void *ctx);

// --- tasks

enum hd_task_kind {
    HD_TASK_KERNEL,
    HD_TASK_COPY,
    HD_TASK_FILL,
    HD_TASK_RECORD,  // of an event
    HD_TASK_WAIT,    // for an event
    HD_TASK_NOTHING, // a launch for which a warp waits already, and which was refused
};
enum hd_task_order {
    HD_ORDER_STREAM, // after the earlier tasks of its stream
    HD_ORDER_FREE,   // fire and forget: after none
    HD_ORDER_TAIL,   // when the grid has ended and all else that it asked for has happened
};

// Bytes of global memory, as rows and slices. A fill has no source.
struct hd_devrt_bytes {
    uint64_t to, from, to_pitch, from_pitch, to_slice, from_slice, width, height, depth;
    uint8_t value;
};

struct hd_devrt_task {
    uint8_t kind, order;            // enum hd_task_kind, enum hd_task_order
    const struct hd_launch *parent; // whose block asked
    uint32_t parent_tb;             // linear
    uint32_t sm, warp, tb;          // where: slots
    uint32_t together;              // kernels that this warp instruction launched
    uint64_t stream, event;         // a number of their own each, never used again; 0: none
    const struct hd_func *kernel;
    uint32_t grid[3], block[3], dynamic_shared;
    uint32_t buffer; // of its parameters
    struct hd_devrt_bytes bytes;
    uint32_t children; // of its block, until it has happened; 0: nothing waits for it
};

// The number of tasks, to be looked at often; the tasks, which stay until hd_devrt_tasks_taken.
const size_t *hd_devrt_n_tasks(const struct hd_devrt *d);
const struct hd_devrt_task *hd_devrt_tasks(const struct hd_devrt *d);
void hd_devrt_tasks_taken(struct hd_devrt *d);
// The parameters of a kernel, as they are now; its buffer is free again. Once per task.
void hd_devrt_task_params(struct hd_devrt *d, const struct hd_devrt_task *t, uint8_t *to);
void hd_devrt_task_begun(struct hd_devrt *d); // a kernel: it is no longer pending
void hd_devrt_task_bytes(struct hd_devrt *d, const struct hd_devrt_task *t); // copy or fill, now
void hd_devrt_grid_ended(struct hd_devrt *d, const struct hd_launch *l); // its streams, events go

// A task that a block waits for has happened. HERE: none is open any more, and the block is in that
// slot of that SM; AWAY: it is parked.
enum hd_children_news { HD_CHILDREN_OPEN, HD_CHILDREN_HERE, HD_CHILDREN_AWAY };
enum hd_children_news hd_devrt_task_happened(struct hd_devrt *d, uint32_t children, uint32_t *sm,
                                             unsigned *slot, struct hd_parked_block **parked);

// Blocks that have left, as with tasks; a parked block is there until it has returned.
const size_t *hd_devrt_n_parked(const struct hd_devrt *d);
struct hd_parked_block *const *hd_devrt_parked(const struct hd_devrt *d);
void hd_devrt_parked_taken(struct hd_devrt *d);
bool hd_devrt_may_return(const struct hd_devrt *d, const struct hd_parked_block *b);

#endif
