// devrt_internal.h - the state of the device's runtime and the functions that its files share. The
// invariants are in devrt.h.
//
// A file uses only files before it in this order: device_call (arguments, errors, memory of the
// calling thread), device_heap, device_printf, device_streams, pending_children, device_launch,
// device_runtime (all calls), devrt (the outbox, and what the emulator calls).
#ifndef HEDDLE_DEVRT_DEVRT_INTERNAL_H
#define HEDDLE_DEVRT_DEVRT_INTERNAL_H

#include "devrt/devrt.h"
#include "emu/callout.h"
#include "emu/emu.h"

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

// Printed text in pieces: each is the text of one warp instruction's lanes.
struct hd_device_piece {
    uint32_t launch, block, warp; // warp of the block
    uint32_t at, bytes;
};
struct hd_device_output {
    char *text;           // room for limits.printed bytes, once something is printed
    uint32_t size, bytes; // room, used
    uint64_t lost;        // texts of lanes for which there was no room
    char *sorted;         // what was returned last
    size_t have_sorted;
    struct hd_device_piece *pieces;
    size_t n_pieces, cap;
};

// Entries that wait for the merge: a call of a warp instruction, or a block that has ended or left.
enum hd_outbox_kind { HD_OUTBOX_CALL, HD_OUTBOX_BLOCK_ENDED, HD_OUTBOX_BLOCK_LEFT };
struct hd_outbox_entry {
    uint8_t kind; // enum hd_outbox_kind
    uint8_t warp; // slot
    bool waits;   // a call that synchronises: the warp waits for its block's children
    uint32_t lanes, pc;
    const struct hd_call *call;
    struct hd_parked_block *parked;            // that has left
    uint32_t stream, thread_streams, children; // of a block that has ended
};

struct hd_devrt_block {              // by block slot
    uint32_t stream, thread_streams; // its own, and its threads': indices, 0: none
    uint32_t children;               // pending_children.c: index; 0 if there are none
};

struct hd_devrt_sm {
    struct hd_outbox_entry *outbox;
    size_t n, cap;
    uint16_t *errors; // last error of each thread, by warp slot and lane; NULL: no thread had any
    struct hd_devrt_block blocks[HD_MAX_TBS];
    struct hd_arena *arena; // of the outbox, which grows while the SM executes; NULL: no outbox yet
};

#define HD_DEVICE_SIZES 8  // of parameter buffers
#define HD_DEVICE_TEXTS 24 // names and sentences of errors

struct hd_devrt {
    struct hd_arena *arena;
    struct hd_emu *emu;
    struct hd_memory *memory;
    struct hd_devrt_limits limits;
    struct hd_devrt_owner owner;
    bool one_stream; // of each block, for all that it requests
    bool (*attribute)(void *ctx, int number, int *value);
    void *attribute_ctx;
    struct hd_devrt_sm *sms;
    unsigned n_sms;

    // The machine's part: read while SMs execute, changed by merges and by the machine.
    struct hd_device_output output;
    uint64_t heap_used; // bytes that device code has allocated and not freed
    struct hd_devrt_task *tasks;
    size_t n_tasks, cap_tasks;
    struct hd_device_buffer *buffers;
    struct hd_device_chunk *chunks;
    size_t n_buffers, cap_buffers, n_chunks, cap_chunks;
    uint32_t free_buffers[HD_DEVICE_SIZES]; // by size: index plus one; 0 if there is none
    uint32_t pending;                       // kernels launched, or about to be, that have not begun
    struct hd_device_stream *streams;       // and events; the first entry is unused
    size_t n_streams, cap_streams;
    uint32_t free_stream;                 // index; 0 if there is none
    uint32_t n_named;                     // number that threads have created
    struct hd_pending_children *children; // the first entry is unused
    size_t n_children, cap_children;
    uint32_t free_children;
    struct hd_parked_block **parked; // those that the machine has not taken yet
    size_t n_parked, cap_parked;
    uint64_t texts[HD_DEVICE_TEXTS];
};

// A call that is being performed, for one lane.
struct hd_device_call {
    struct hd_devrt *d;
    struct hd_emu_sm *sm;
    struct hd_devrt_sm *own;
    struct hd_callout_caller from;
    unsigned slot, lane; // warp slot of the SM
    const struct hd_call *call;
    uint64_t args[8]; // scalars; others are read with hd_device_call_bytes
};

// device_call.c. An argument of more than 8 bytes.
void hd_device_call_bytes(const struct hd_device_call *c, unsigned arg, void *to, size_t bytes);
// Writes to an address of the program; returns the error if it cannot be written.
unsigned hd_device_call_write(const struct hd_device_call *c, uint64_t address, const void *from,
                              size_t bytes);
void hd_device_call_fail(const struct hd_device_call *c, unsigned error); // sets the last error
uint16_t *hd_device_call_error(const struct hd_device_call *c);
void hd_device_call_snapshot(struct hd_devrt *d, struct hd_devrt_sm *own, unsigned warp,
                             struct hd_snapshot *s);

// device_heap.c. Returns an address, 0 if there is no room; false if it is no block of the heap.
uint64_t hd_device_heap_allocate(struct hd_devrt *d, uint64_t bytes);
bool hd_device_heap_holds(const struct hd_devrt *d, uint64_t address);
bool hd_device_heap_release(struct hd_devrt *d, uint64_t address);

// device_printf.c. Returns vprintf's results, by lane.
void hd_device_printf(struct hd_devrt *d, struct hd_emu_sm *sm, unsigned warp, uint32_t lanes,
                      const uint64_t format[HD_LANES], const uint64_t args[HD_LANES],
                      uint64_t result[HD_LANES]);

// device_streams.c. Finds the stream that a handle means for the calling thread; with `own`, stream
// 0 is the thread's own. Returns an error, HD_ERROR_NONE if there is none.
unsigned hd_device_streams_find(const struct hd_device_call *c, uint64_t handle, bool own,
                                enum hd_task_order *order, uint64_t *stream);
unsigned hd_device_streams_create(const struct hd_device_call *c, bool event, uint64_t *handle);
unsigned hd_device_streams_destroy(const struct hd_device_call *c, bool event, uint64_t handle);
bool hd_device_streams_is_event(const struct hd_device_call *c, uint64_t handle);
void hd_device_streams_drop(struct hd_devrt *d, uint32_t stream, uint32_t thread_streams);

// pending_children.c. Adds a task of the block in that slot; returns the index of its pending
// children.
uint32_t hd_children_add(const struct hd_device_call *c);
void hd_children_tail(struct hd_devrt *d, struct hd_devrt_task *t); // nothing waits for such a task
bool hd_children_open(const struct hd_devrt *d, uint32_t children);
void hd_children_block_ended(struct hd_devrt *d, uint32_t children);
void hd_children_block_left(struct hd_devrt *d, struct hd_parked_block *b);
void hd_children_block_returned(struct hd_devrt *d, uint32_t children, unsigned sm, unsigned slot);

// device_launch.c. A new task that the lane has requested, without its contents.
struct hd_devrt_task *hd_device_launch_ask(const struct hd_device_call *c, enum hd_task_kind kind);
uint64_t hd_device_launch_buffer(const struct hd_device_call *c);    // GetParameterBuffer
uint64_t hd_device_launch_buffer_v2(const struct hd_device_call *c); // 0: see the last error
unsigned hd_device_launch(const struct hd_device_call *c, bool own);
unsigned hd_device_launch_v2(const struct hd_device_call *c, bool own);
// The kernel at an address, NULL if there is none.
const struct hd_func *hd_device_launch_kernel(const struct hd_program *p, uint64_t address);
// Fills in a launch of it with the resources that it needs on an SM.
void hd_device_launch_shape(const struct hd_device_call *c, const struct hd_func *kernel,
                            struct hd_launch *l);

// device_runtime.c. The trap of a lane that frees what is no live block.
void hd_device_runtime_trap_free(struct hd_emu_sm *sm, unsigned warp, uint32_t pc, unsigned lane,
                                 uint64_t address);
// Perform a call now. False after a trap.
bool hd_device_runtime_perform(struct hd_devrt *d, struct hd_emu_sm *sm, unsigned warp,
                               const struct hd_outbox_entry *x);

#endif
