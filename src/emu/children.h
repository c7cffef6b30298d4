// children.h - what kernels ask of the device's runtime: kernels to launch, copies and fills, in
// streams and with events of the device. CUDA C++ Programming Guide, "CUDA Dynamic Parallelism".
//
// The emulator answers calls and keeps what was asked for as tasks, in the order of execution. The
// machine takes the tasks after the cycle (or the block, without timing) and decides when each of
// them happens; it tells when a kernel has begun, and when all blocks of a grid have ended.
#ifndef HEDDLE_EMU_CHILDREN_H
#define HEDDLE_EMU_CHILDREN_H

#include "heddle/isrc.h"
#include "hw/barrier.h"

struct hd_emu;

#define HD_CHILD_DEPTH 24 // of kernels that launch kernels, below the host's

enum hd_task_kind {
    HD_TASK_KERNEL,
    HD_TASK_COPY,
    HD_TASK_FILL,
    HD_TASK_RECORD, // of an event
    HD_TASK_WAIT,   // for an event
};
enum hd_task_order {
    HD_ORDER_STREAM, // behind the earlier tasks of its stream
    HD_ORDER_FREE,   // fire and forget: behind none
    HD_ORDER_TAIL,   // when the grid has ended and all else that it asked for has happened
};

// Bytes of global memory, as rows and slices. A fill has no source.
struct hd_emu_bytes {
    uint64_t to, from, to_pitch, from_pitch, to_slice, from_slice, width, height, depth;
    uint8_t value;
};

struct hd_emu_task {
    uint8_t kind, order;            // enum hd_task_kind, enum hd_task_order
    const struct hd_launch *parent; // whose block asked
    uint32_t parent_tb;             // linear
    uint32_t sm, warp, tb;          // where: slots
    uint32_t together;              // kernels that this warp instruction launched
    uint64_t stream, event;         // a number of their own each, never used again; 0: none
    const struct hd_func *kernel;
    uint32_t grid[3], block[3], dynamic_shared;
    uint32_t buffer; // of its parameters
    struct hd_emu_bytes bytes;
    uint32_t brood; // of its block, until it has happened; 0: nobody waits for it
};

// A block that has left its SM until all that it has asked for has happened.
struct hd_emu_rest {
    const struct hd_launch *launch;
    uint32_t index[3], linear;
    struct hd_barriers barriers; // as if its warps were the first ones
    struct hd_emu_rest *next;    // for the machine
};

// Who owns the machine knows these. Error numbers are those of the runtime API.
struct hd_emu_owner {
    void *ctx;
    // What a launch takes of an SM: registers and static shared memory that others have chosen.
    void (*resources)(void *ctx, struct hd_launch *l);
    unsigned (*refuses)(void *ctx, const struct hd_launch *l); // can never run: why; 0: it can
    uint32_t (*occupancy)(void *ctx, const struct hd_launch *l);
    void (*collect)(void *ctx); // there are tasks, in a run without timing
};
void hd_emu_owned(struct hd_emu *e, const struct hd_emu_owner *owner);
// Device attributes, by number; false if there is none. Before that there are none.
void hd_emu_attributes(struct hd_emu *e, bool (*attribute)(void *ctx, int number, int *value),
                       void *ctx);

// The number of tasks, to be looked at often; the tasks, which stay until hd_emu_tasks_taken.
const size_t *hd_emu_n_tasks(const struct hd_emu *e);
const struct hd_emu_task *hd_emu_tasks(const struct hd_emu *e);
void hd_emu_tasks_taken(struct hd_emu *e);
// The parameters of a kernel, as they are now; its buffer is free again. Once per task.
void hd_emu_task_params(struct hd_emu *e, const struct hd_emu_task *t, uint8_t *to);
void hd_emu_task_begun(struct hd_emu *e); // a kernel: it is no longer pending
void hd_emu_task_bytes(struct hd_emu *e, const struct hd_emu_task *t); // copy or fill, now
void hd_emu_grid_ended(struct hd_emu *e, const struct hd_launch *l);   // its streams and events go

// A task of a brood has happened. HERE: nothing is open any more, and the block is in that slot of
// that SM; AWAY: it rests.
enum hd_brood_news { HD_BROOD_OPEN, HD_BROOD_HERE, HD_BROOD_AWAY };
enum hd_brood_news hd_emu_task_happened(struct hd_emu *e, uint32_t brood, uint32_t *sm,
                                        unsigned *slot, struct hd_emu_rest **rest);
// Blocks that have left, as with tasks; a rest is there until its block is back.
const size_t *hd_emu_n_rests(const struct hd_emu *e);
struct hd_emu_rest *const *hd_emu_rests(const struct hd_emu *e);
void hd_emu_rests_taken(struct hd_emu *e);
bool hd_emu_rest_over(const struct hd_emu *e, const struct hd_emu_rest *r); // it may come back

#endif
