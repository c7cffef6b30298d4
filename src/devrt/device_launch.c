// device_launch.c - kernels that kernels launch: their parameter buffers, and their requests as
// tasks.
//
// A launch takes two calls. The first returns a buffer for the parameters, if the launch is
// possible; stores fill it like any other memory; the second call launches. A kernel counts as
// pending from the first call until it begins to run. When too many are pending (limits.pending),
// the first call fails, as on a GPU. A run without timing begins no kernel while another runs, so
// it has no such limit.
//
// Buffers have a few sizes; many are in one allocation, and they are reused.
#include "base/bug.h"
#include "devrt/devrt_internal.h"
#include "emu/memory.h"
#include "isa/op.h"

#include <string.h>

#define SLOT_LEAST 256
#define CHUNK_BYTES 16384
#define PARAMS_MOST 32764 // bytes of a kernel's parameters
enum slot_state { FREE, HELD, LAUNCHED };

struct hd_device_buffer { // of a launch's parameters
    uint64_t address;
    const struct hd_func *kernel; // NULL: the launch names it
    uint32_t grid[3], block[3], dynamic_shared;
    uint32_t owner; // launch whose thread holds it
    uint32_t bytes;
    uint32_t next; // in the list of free buffers: index plus one; 0 at the end
    uint8_t size;  // class: SLOT_LEAST << size bytes
    uint8_t state; // enum slot_state
};
struct hd_device_chunk { // sorted by address
    uint64_t address, slot;
    uint32_t first, n; // its buffers; the last one has the lowest address
};

// --- buffers

static void new_chunk(struct hd_devrt *d, unsigned size)
{
    uint64_t slot = (uint64_t)SLOT_LEAST << size;
    uint32_t n = slot > CHUNK_BYTES ? 1 : (uint32_t)(CHUNK_BYTES / slot);
    uint64_t address = hd_memory_alloc(d->memory, n * slot, "parameters of launches by kernels");

    if (!address)
        return;
    (void)HD_PUSH(d->arena, d->chunks, d->n_chunks, d->cap_chunks);
    size_t at = d->n_chunks - 1; // memory may have started again with low addresses
    for (; at && d->chunks[at - 1].address > address; at--)
        d->chunks[at] = d->chunks[at - 1];
    d->chunks[at] = (struct hd_device_chunk){address, slot, (uint32_t)d->n_buffers, n};
    for (uint32_t i = 0; i < n; i++) {
        struct hd_device_buffer *b = HD_PUSH(d->arena, d->buffers, d->n_buffers, d->cap_buffers);
        *b = (struct hd_device_buffer){.address = address + (n - 1 - i) * slot,
                                       .next = d->free_buffers[size],
                                       .size = (uint8_t)size};
        d->free_buffers[size] = (uint32_t)d->n_buffers;
    }
}

// A zeroed buffer, NULL if there is no room.
static struct hd_device_buffer *take(struct hd_devrt *d, uint32_t bytes, uint32_t owner)
{
    unsigned size = 0;

    while ((uint32_t)SLOT_LEAST << size < bytes)
        size++;
    if (!d->free_buffers[size])
        new_chunk(d, size);
    if (!d->free_buffers[size])
        return NULL;
    struct hd_device_buffer *b = &d->buffers[d->free_buffers[size] - 1];
    d->free_buffers[size] = b->next;
    *b = (struct hd_device_buffer){
        .address = b->address, .size = b->size, .state = HELD, .bytes = bytes, .owner = owner};
    uint8_t *at = hd_memory_at(d->memory, b->address, bytes);
    HD_BUG_IF(!at, "a buffer of %u bytes has gone", bytes);
    memset(at, 0, bytes);
    d->pending++;
    return b;
}

static void give(struct hd_devrt *d, struct hd_device_buffer *b)
{
    b->state = FREE;
    b->next = d->free_buffers[b->size];
    d->free_buffers[b->size] = (uint32_t)(b - d->buffers) + 1;
}

// The last chunk that begins at this address or below it, NULL if none does.
static const struct hd_device_chunk *chunk_below(const struct hd_devrt *d, uint64_t address)
{
    size_t lo = 0, hi = d->n_chunks;

    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (d->chunks[mid].address <= address)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo ? &d->chunks[lo - 1] : NULL;
}

bool hd_devrt_is_params(const struct hd_devrt *d, uint64_t address)
{
    const struct hd_device_chunk *k = chunk_below(d, address);

    return k && address - k->address < k->n * k->slot;
}

// The buffer at this address, if a thread of the launch holds it.
static struct hd_device_buffer *held(struct hd_devrt *d, uint64_t address, uint32_t owner)
{
    const struct hd_device_chunk *k = chunk_below(d, address);

    if (!k)
        return NULL;
    uint64_t i = (address - k->address) / k->slot;
    if (i >= k->n || (address - k->address) % k->slot)
        return NULL;
    struct hd_device_buffer *b = &d->buffers[k->first + (k->n - 1 - i)];
    return b->state == HELD && b->owner == owner ? b : NULL;
}

// --- launches

const struct hd_func *hd_device_launch_kernel(const struct hd_program *p, uint64_t address)
{
    uint64_t i = (address - HD_WINDOW_CODE) / HD_CODE_STEP;

    if (address < HD_WINDOW_CODE || i >= p->n_funcs || address % HD_CODE_STEP ||
        !p->funcs[i].is_kernel)
        return NULL;
    return &p->funcs[i];
}

void hd_device_launch_shape(const struct hd_device_call *c, const struct hd_func *kernel,
                            struct hd_launch *l)
{
    const struct hd_devrt *d = c->d;

    *l = (struct hd_launch){.program = c->from.program,
                            .kernel = kernel,
                            .regs = kernel->regs,
                            .shared_static = kernel->shared_bytes};
    if (d->owner.resources)
        d->owner.resources(d->owner.ctx, l);
}

// The error if the thread cannot launch this.
static unsigned refuses(const struct hd_device_call *c, const struct hd_device_buffer *b)
{
    const struct hd_devrt *d = c->d;
    struct hd_launch l;

    hd_device_launch_shape(c, b->kernel, &l);
    memcpy(l.grid, b->grid, sizeof l.grid);
    memcpy(l.block, b->block, sizeof l.block);
    l.dynamic_shared = b->dynamic_shared;
    for (unsigned i = 0; i < 3; i++)
        if (!l.grid[i] || !l.block[i])
            return HD_ERROR_CONFIGURATION;
    if (!d->owner.refuses)
        return HD_ERROR_UNSUPPORTED;
    return d->owner.refuses(d->owner.ctx, &l);
}

// The error if there is no room for another launch by this thread.
static unsigned no_room(const struct hd_device_call *c)
{
    const struct hd_devrt *d = c->d;

    if (c->from.launch->depth >= HD_CHILD_DEPTH)
        return HD_ERROR_DEPTH;
    return d->pending >= d->limits.pending && !c->from.direct ? HD_ERROR_PENDING : HD_ERROR_NONE;
}

static uint64_t buffer(const struct hd_device_call *c, const struct hd_device_buffer *shape,
                       uint32_t bytes)
{
    unsigned error = shape->kernel ? refuses(c, shape) : HD_ERROR_NONE;
    struct hd_device_buffer *b = NULL;

    if (!error)
        error = no_room(c);
    if (!error) {
        b = take(c->d, bytes, c->from.launch->id);
        error = b ? HD_ERROR_NONE : HD_ERROR_MEMORY;
    }
    if (error) {
        hd_device_call_fail(c, error);
        return 0;
    }
    b->kernel = shape->kernel;
    memcpy(b->grid, shape->grid, sizeof b->grid);
    memcpy(b->block, shape->block, sizeof b->block);
    b->dynamic_shared = shape->dynamic_shared;
    return b->address;
}

uint64_t hd_device_launch_buffer(const struct hd_device_call *c)
{
    struct hd_device_buffer none = {.kernel = NULL};

    if (c->args[1] > PARAMS_MOST) {
        hd_device_call_fail(c, HD_ERROR_VALUE);
        return 0;
    }
    return buffer(c, &none, (uint32_t)c->args[1]);
}

uint64_t hd_device_launch_buffer_v2(const struct hd_device_call *c)
{
    struct hd_device_buffer shape = {.dynamic_shared = (uint32_t)c->args[3]};

    shape.kernel = hd_device_launch_kernel(c->from.program, c->args[0]);
    if (!shape.kernel) {
        hd_device_call_fail(c, HD_ERROR_FUNCTION);
        return 0;
    }
    hd_device_call_bytes(c, 1, shape.grid, sizeof shape.grid);
    hd_device_call_bytes(c, 2, shape.block, sizeof shape.block);
    return buffer(c, &shape, shape.kernel->param_bytes);
}

struct hd_devrt_task *hd_device_launch_ask(const struct hd_device_call *c, enum hd_task_kind kind)
{
    struct hd_devrt *d = c->d;
    struct hd_devrt_task *t = HD_PUSH(d->arena, d->tasks, d->n_tasks, d->cap_tasks);

    *t = (struct hd_devrt_task){.kind = (uint8_t)kind,
                                .parent = c->from.launch,
                                .parent_tb = c->from.tb,
                                .sm = c->from.sm,
                                .warp = c->slot,
                                .tb = c->from.slot,
                                .children = hd_children_add(c)};
    return t;
}

static unsigned launch(const struct hd_device_call *c, struct hd_device_buffer *b, uint64_t stream,
                       bool own)
{
    enum hd_task_order order;
    uint64_t handle;
    unsigned error = hd_device_streams_find(c, stream, own, &order, &handle);
    struct hd_devrt_task *t;

    if (error) {
        give(c->d, b);
        hd_devrt_task_begun(c->d); // it will never begin
        return error;
    }
    b->state = LAUNCHED;
    t = hd_device_launch_ask(c, HD_TASK_KERNEL);
    t->order = (uint8_t)order;
    if (order == HD_ORDER_TAIL)
        hd_children_tail(c->d, t);
    t->stream = handle;
    t->kernel = b->kernel;
    memcpy(t->grid, b->grid, sizeof t->grid);
    memcpy(t->block, b->block, sizeof t->block);
    t->dynamic_shared = b->dynamic_shared;
    t->buffer = (uint32_t)(b - c->d->buffers);
    return HD_ERROR_NONE;
}

unsigned hd_device_launch_v2(const struct hd_device_call *c, bool own)
{
    struct hd_device_buffer *b = held(c->d, c->args[0], c->from.launch->id);

    return b && b->kernel ? launch(c, b, c->args[1], own) : HD_ERROR_VALUE;
}

// The older form, which names the kernel here. A kernel without parameters may have no buffer.
unsigned hd_device_launch(const struct hd_device_call *c, bool own)
{
    struct hd_devrt *d = c->d;
    uint32_t owner = c->from.launch->id;
    const struct hd_func *kernel = hd_device_launch_kernel(c->from.program, c->args[0]);
    struct hd_device_buffer *b = held(d, c->args[1], owner);
    unsigned error;

    if (!kernel)
        return HD_ERROR_FUNCTION;
    if (!b && !c->args[1] && !kernel->param_bytes) {
        error = no_room(c);
        b = error ? NULL : take(d, 0, owner);
        if (!b)
            return error ? error : HD_ERROR_MEMORY;
    }
    if (!b || b->kernel || b->bytes < kernel->param_bytes)
        return HD_ERROR_VALUE;
    b->kernel = kernel;
    b->dynamic_shared = (uint32_t)c->args[4];
    hd_device_call_bytes(c, 2, b->grid, sizeof b->grid);
    hd_device_call_bytes(c, 3, b->block, sizeof b->block);
    error = refuses(c, b);
    if (error) {
        give(d, b);
        hd_devrt_task_begun(d);
        return error;
    }
    return launch(c, b, c->args[5], own);
}

// --- the machine's side

const size_t *hd_devrt_n_tasks(const struct hd_devrt *d)
{
    return &d->n_tasks;
}

const struct hd_devrt_task *hd_devrt_tasks(const struct hd_devrt *d)
{
    return d->tasks;
}

void hd_devrt_tasks_taken(struct hd_devrt *d)
{
    d->n_tasks = 0;
}

void hd_devrt_task_params(struct hd_devrt *d, const struct hd_devrt_task *t, uint8_t *to)
{
    struct hd_device_buffer *b = &d->buffers[t->buffer];

    HD_BUG_IF(b->state != LAUNCHED, "buffer %u was not launched", t->buffer);
    if (t->kernel->param_bytes)
        hd_memory_read(d->memory, b->address, to, t->kernel->param_bytes);
    give(d, b);
}

void hd_devrt_task_begun(struct hd_devrt *d)
{
    HD_BUG_IF(!d->pending, "more kernels begin than were launched");
    d->pending--;
}

// Rows that have been freed since are left out, because nothing may access them.
void hd_devrt_task_bytes(struct hd_devrt *d, const struct hd_devrt_task *t)
{
    const struct hd_devrt_bytes *b = &t->bytes;

    for (uint64_t z = 0; z < b->depth; z++)
        for (uint64_t y = 0; y < b->height; y++) {
            uint64_t from = b->from + z * b->from_slice + y * b->from_pitch;
            uint8_t *to =
                hd_memory_at(d->memory, b->to + z * b->to_slice + y * b->to_pitch, b->width);
            const uint8_t *source =
                t->kind == HD_TASK_COPY ? hd_memory_at(d->memory, from, b->width) : NULL;
            if (to && source)
                memmove(to, source, b->width);
            else if (to && t->kind == HD_TASK_FILL)
                memset(to, b->value, b->width);
        }
}
