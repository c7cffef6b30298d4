// devcalls.h - the inside of the device's runtime, shared by children.c, devstreams.c and
// devcalls.c.
#ifndef HEDDLE_EMU_DEVCALLS_H
#define HEDDLE_EMU_DEVCALLS_H

#include "emu/children.h"
#include "emu/state.h"

// Error numbers of the runtime API that the device's runtime returns.
enum hd_device_error {
    HD_ERROR_NONE = 0,
    HD_ERROR_VALUE = 1,
    HD_ERROR_MEMORY = 2,
    HD_ERROR_CONFIGURATION = 9,
    HD_ERROR_DEPTH = 65,
    HD_ERROR_PENDING = 69,
    HD_ERROR_FUNCTION = 98,
    HD_ERROR_DEVICE = 101,
    HD_ERROR_HANDLE = 400,
    HD_ERROR_RESOURCES = 701,
    HD_ERROR_UNSUPPORTED = 801,
};

// One lane of a call that is executed.
struct hd_devcall {
    struct hd_emu_sm *sm;
    unsigned warp, lane;
    const struct hd_call *call;
    uint64_t args[8]; // scalars; others are read with hd_devcalls_bytes
};

// An argument of more than 8 bytes.
void hd_devcalls_bytes(const struct hd_devcall *c, unsigned arg, void *to, size_t bytes);
// Write to an address of the program; the error if it cannot be written.
unsigned hd_devcalls_write(const struct hd_devcall *c, uint64_t address, const void *from,
                           size_t bytes);

// devstreams.c. The stream that a handle means for the calling thread; with `own` stream 0 is the
// thread's own. An error, HD_ERROR_NONE if there is none.
unsigned hd_devstreams_find(const struct hd_devcall *c, uint64_t handle, bool own,
                            enum hd_task_order *order, uint64_t *stream);
unsigned hd_devstreams_create(const struct hd_devcall *c, bool event, uint64_t *handle);
unsigned hd_devstreams_destroy(const struct hd_devcall *c, bool event, uint64_t handle);
bool hd_devstreams_is_event(const struct hd_devcall *c, uint64_t handle);
void hd_devstreams_block_ends(struct hd_emu *e, struct hd_emu_tb *t);

// children.c. A task that the lane has asked for, all but what it is.
struct hd_emu_task *hd_children_ask(const struct hd_devcall *c, enum hd_task_kind kind);
uint64_t hd_children_buffer(const struct hd_devcall *c);    // GetParameterBuffer
uint64_t hd_children_buffer_v2(const struct hd_devcall *c); // 0: the thread's error says why
unsigned hd_children_launch(const struct hd_devcall *c, bool own);
unsigned hd_children_launch_v2(const struct hd_devcall *c, bool own);
// The kernel at an address, NULL if there is none.
const struct hd_func *hd_children_kernel(const struct hd_program *p, uint64_t address);
void hd_children_shape(const struct hd_devcall *c, const struct hd_func *kernel,
                       struct hd_launch *l); // a launch of it with what it takes of an SM

// rest.c. Another task of the warp's block; its brood.
uint32_t hd_rest_asked(struct hd_emu_sm *sm, unsigned warp);
void hd_rest_tail(struct hd_emu *e, struct hd_emu_task *t); // nobody waits for a task of the tail

void hd_devcalls_fail(const struct hd_devcall *c, unsigned error); // the thread's last error

#endif
