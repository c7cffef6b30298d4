// devrt.h - the device's runtime: what kernels call and the device provides. CUDA C++ Programming
// Guide: "Dynamic Global Memory Allocation", "Formatted Output", "Assertion", "CUDA Dynamic
// Parallelism".
//
// Purpose. PTX declares functions that no PTX defines: malloc, free, vprintf, __assertfail, and the
// runtime API of kernels that launch kernels (streams, events, copies, device queries). They are
// not part of an instruction set, so the emulator does not implement them: it passes each call to
// this folder through emu/callout.h, and this folder reads arguments and writes results through the
// same header. The machine decides their timing: launches, copies and event records become tasks,
// in the order of execution, which the machine takes after each cycle (or block, without timing).
// It decides when each of them is executed, and reports when a kernel has begun, when a task is
// done and when all blocks of a grid have ended.
//
// Dependencies. The emulator (hd_callout_ops) and the machine (this header) call this folder. It
// calls the emulator's callout.h, global memory, and the functions that the machine passes to
// hd_devrt_serve. It uses only the index of an SM, and no cycles.
//
// Invariants.
//  1. While an SM executes, nothing here changes that another SM could see. The state below is
//     split: `struct hd_devrt_sm` (the outbox, the last error of each thread, the streams and the
//     pending children of each resident block) belongs to one SM; the rest (heap, printed text,
//     tasks, parameter buffers, streams, counts of pending children, the list of parked blocks)
//     belongs to the machine and is only read.
//  2. A call that changes the machine's part is put into the SM's outbox. hd_isrc_ops.commit,
//     which the machine calls for each SM in index order at the end of a cycle, performs the
//     entries of the outbox in the order of execution. Results therefore depend neither on the
//     order in which SMs were stepped nor on the number of threads that stepped them.
//  3. The outbox holds no arguments: a warp executes at most once in a cycle, so at the merge its
//     registers and its local memory are still those of the call.
//  4. Decisions before the merge use the state at the end of the last cycle plus the SM's own
//     outbox: whether free() is given a live block (a fault stops the SM at once), and whether a
//     warp that synchronises has something to wait for (pending_children.c). If two SMs free the
//     same block in the same cycle, the merge detects it.
//
// Data that SMs share, and how conflicts are avoided: plain loads read global memory at issue, and
// nothing writes it between the first step and the first commit of a cycle. Plain stores wait in
// the SM's log for commit. Atomics are performed by the memory side (hd_isrc_ops.serve). Whether an
// address is valid changes only at merges.
#ifndef HEDDLE_DEVRT_DEVRT_H
#define HEDDLE_DEVRT_DEVRT_H

#include "base/arena.h"
#include "heddle/isrc.h"

struct hd_devrt;
struct hd_emu;
struct hd_memory;
struct hd_parked_block;

#define HD_CHILD_DEPTH 24 // how deep kernels may launch kernels, below the host's

struct hd_devrt_limits { // in bytes
    uint64_t heap;       // that device code may have allocated at the same time
    uint32_t printed;    // of text that is kept until hd_devrt_printed
    uint32_t stack;      // hd_emu_limit_stack
    uint32_t pending;    // kernels that kernels have launched and that have not begun
};
#define HD_DEVRT_LIMITS                                                                            \
    (struct hd_devrt_limits)                                                                       \
    {                                                                                              \
        .heap = UINT64_C(8) << 20, .printed = UINT32_C(1) << 20, .stack = 16384, .pending = 2048   \
    }

// Makes the runtime of this emulator's device, attached to it. Free it before the emulator.
struct hd_devrt *hd_devrt_new(struct hd_arena *a, struct hd_emu *e, struct hd_memory *m);
void hd_devrt_free(struct hd_devrt *d);
// Replaces HD_DEVRT_LIMITS from the next launch on. No block may run, and all text must have been
// taken.
void hd_devrt_limit(struct hd_devrt *d, const struct hd_devrt_limits *limits);

// From now on, whether what a block requests goes into the block's default stream, whatever stream
// it names. Tail launches remain what they are.
void hd_devrt_one_stream(struct hd_devrt *d, bool one);

// What device code has printed since the last call, in the order of launches, blocks, warps of the
// block, time, lanes. Not NUL-terminated; valid until the next launch. *lost counts the printfs for
// whose text there was no room.
const char *hd_devrt_printed(struct hd_devrt *d, size_t *bytes, uint64_t *lost);

// Functions of the machine's owner. Error numbers are those of the runtime API.
struct hd_devrt_owner {
    void *ctx;
    // Sets resources that the user has chosen for a launch: registers and static shared memory.
    void (*resources)(void *ctx, struct hd_launch *l);
    unsigned (*refuses)(void *ctx, const struct hd_launch *l); // error if it can never run, or 0
    uint32_t (*occupancy)(void *ctx, const struct hd_launch *l);
    void (*collect)(void *ctx); // there are tasks, in a run without timing
};
void hd_devrt_serve(struct hd_devrt *d, const struct hd_devrt_owner *owner);
// Sets the function that returns device attributes by number, and false for numbers that do not
// exist. Until this is called there are none.
void hd_devrt_attributes(struct hd_devrt *d, bool (*attribute)(void *ctx, int number, int *value),
                         void *ctx);

// --- tasks

enum hd_task_kind {
    HD_TASK_KERNEL,
    HD_TASK_COPY,
    HD_TASK_FILL,
    HD_TASK_RECORD,  // of an event
    HD_TASK_WAIT,    // for an event
    HD_TASK_NOTHING, // a launch that was refused, for which a warp already waits
};
enum hd_task_order {
    HD_ORDER_STREAM, // after the earlier tasks of its stream
    HD_ORDER_FREE,   // fire and forget: after none
    HD_ORDER_TAIL,   // when the grid has ended and everything else that it requested is done
};

// Bytes of global memory, as rows and slices. A fill has no source.
struct hd_devrt_bytes {
    uint64_t to, from, to_pitch, from_pitch, to_slice, from_slice, width, height, depth;
    uint8_t value;
};

struct hd_devrt_task {
    uint8_t kind, order;            // enum hd_task_kind, enum hd_task_order
    const struct hd_launch *parent; // the launch of the block that requested it
    uint32_t parent_tb;             // linear
    uint32_t sm, warp, tb;          // where: slots
    uint32_t together;              // number of kernels that this warp instruction launched
    uint64_t stream, event;         // numbers, never reused; 0 means no stream, no event
    const struct hd_func *kernel;
    uint32_t grid[3], block[3], dynamic_shared;
    uint32_t buffer; // of its parameters
    struct hd_devrt_bytes bytes;
    uint32_t children; // of its block, until it is done; 0: the block does not wait for it
};

// The number of tasks, which may be read often; the tasks, which stay until hd_devrt_tasks_taken.
const size_t *hd_devrt_n_tasks(const struct hd_devrt *d);
const struct hd_devrt_task *hd_devrt_tasks(const struct hd_devrt *d);
void hd_devrt_tasks_taken(struct hd_devrt *d);
// Copies the present parameters of a kernel and frees its buffer. Once per task.
void hd_devrt_task_params(struct hd_devrt *d, const struct hd_devrt_task *t, uint8_t *to);
void hd_devrt_task_begun(struct hd_devrt *d); // a kernel: it is no longer pending
// Whether the address lies in memory that holds nothing but parameters of launches by kernels.
bool hd_devrt_is_params(const struct hd_devrt *d, uint64_t address);
void hd_devrt_task_bytes(struct hd_devrt *d, const struct hd_devrt_task *t); // copies or fills now
void hd_devrt_grid_ended(struct hd_devrt *d,
                         const struct hd_launch *l); // frees its streams

// A task that a block waits for is done. HERE: it was the last one, and the block is in that slot
// of that SM; AWAY: the same, and the block is parked.
enum hd_children_news { HD_CHILDREN_OPEN, HD_CHILDREN_HERE, HD_CHILDREN_AWAY };
enum hd_children_news hd_devrt_task_happened(struct hd_devrt *d, uint32_t children, uint32_t *sm,
                                             unsigned *slot, struct hd_parked_block **parked);

// Blocks that have left, read like tasks; a parked block exists until it has returned.
const size_t *hd_devrt_n_parked(const struct hd_devrt *d);
struct hd_parked_block *const *hd_devrt_parked(const struct hd_devrt *d);
void hd_devrt_parked_taken(struct hd_devrt *d);
bool hd_devrt_may_return(const struct hd_devrt *d, const struct hd_parked_block *b);

#endif
