// device_runtime.c - all calls of the device's runtime: the table of functions, error texts,
// queries, copies.
//
// Lanes are served one after the other. Queries about a kernel or the device have the same answers
// as in the host's runtime.
//
// Not supported: arrays in three-dimensional copies (cudaErrorNotSupported).
#include "devrt/devrt_internal.h"

#include "emu/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// --- errors

static unsigned write_number(const struct hd_device_call *c, uint64_t address, uint64_t v,
                             size_t bytes)
{
    return hd_device_call_write(c, address, &v, bytes);
}

static const struct {
    uint16_t error;
    const char *name, *text;
} error_texts[HD_DEVICE_TEXTS / 2] = {
    {HD_ERROR_NONE, "cudaSuccess", "no error"},
    {HD_ERROR_VALUE, "cudaErrorInvalidValue", "invalid argument"},
    {HD_ERROR_MEMORY, "cudaErrorMemoryAllocation", "out of memory"},
    {HD_ERROR_CONFIGURATION, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {HD_ERROR_DEPTH, "cudaErrorLaunchMaxDepthExceeded",
     "launch would exceed maximum depth of nested launches"},
    {HD_ERROR_PENDING, "cudaErrorLaunchPendingCountExceeded",
     "launch failed because launch would exceed maximum number of pending launches"},
    {HD_ERROR_FUNCTION, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {HD_ERROR_DEVICE, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {HD_ERROR_HANDLE, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {HD_ERROR_RESOURCES, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {HD_ERROR_UNSUPPORTED, "cudaErrorNotSupported", "operation not supported"},
    {UINT16_MAX, "unrecognized error code", "unrecognized error code"},
};

// The address of a text in global memory. It stays the same after the first call.
static uint64_t error_text(struct hd_devrt *d, uint64_t error, bool name)
{
    size_t i = 0;

    while (error_texts[i].error != error && error_texts[i].error != UINT16_MAX)
        i++;
    uint64_t *at = &d->texts[2 * i + name];
    const char *text = name ? error_texts[i].name : error_texts[i].text;
    if (!*at) {
        *at = hd_memory_alloc(d->memory, strlen(text) + 1, "text of an error");
        hd_memory_write(d->memory, *at, text, strlen(text) + 1);
    }
    return *at;
}

// --- queries

static unsigned limit(const struct hd_device_call *c)
{
    const struct hd_devrt_limits *l = &c->d->limits;
    const uint64_t values[] = {l->stack, l->printed, l->heap, 0, l->pending}; // by cudaLimit

    if (c->args[1] >= sizeof values / sizeof *values || c->args[1] == 3) // 3: waiting kernels
        return HD_ERROR_UNSUPPORTED;
    return write_number(c, c->args[0], values[c->args[1]], 8);
}

static unsigned attribute(const struct hd_device_call *c)
{
    const struct hd_devrt *d = c->d;
    int value;

    if ((int32_t)c->args[2])
        return HD_ERROR_DEVICE;
    if (!d->attribute)
        return HD_ERROR_UNSUPPORTED;
    if (!d->attribute(d->attribute_ctx, (int32_t)c->args[1], &value))
        return HD_ERROR_VALUE;
    return hd_device_call_write(c, c->args[0], &value, sizeof value);
}

// The most threads that a block of the kernel may have.
static uint32_t max_threads(const struct hd_devrt *d, const struct hd_func *f, struct hd_launch *l)
{
    uint32_t n = f->max_threads && f->max_threads < 1024 ? f->max_threads : 1024;

    l->grid[0] = l->block[1] = l->block[2] = l->grid[1] = l->grid[2] = 1;
    for (l->block[0] = n; l->block[0] > HD_LANES && d->owner.refuses(d->owner.ctx, l);)
        l->block[0] = (l->block[0] - 1) / HD_LANES * HD_LANES;
    return l->block[0];
}

static unsigned func_attributes(const struct hd_device_call *c)
{
    const struct hd_devrt *d = c->d;
    const struct hd_program *p = c->from.program;
    const struct hd_func *f = hd_device_launch_kernel(p, c->args[1]);
    struct { // the fields that every version of the runtime has
        uint64_t shared, constants, local;
        int32_t threads, regs, ptx, binary, cache, dynamic, carveout;
    } a = {.carveout = -1};
    struct hd_launch l;

    if (!f)
        return HD_ERROR_FUNCTION;
    if (!d->owner.refuses)
        return HD_ERROR_UNSUPPORTED;
    hd_device_launch_shape(c, f, &l);
    a.shared = f->shared_bytes;
    a.local = f->local_bytes;
    a.regs = (int32_t)l.regs;
    for (uint32_t i = 0; i < p->n_symbols; i++)
        a.constants += p->symbols[i].space == HD_SPACE_CONST ? p->symbols[i].bytes : 0;
    a.threads = (int32_t)max_threads(d, f, &l);
    int major, minor, shared;
    if (d->attribute && d->attribute(d->attribute_ctx, 75, &major) &&
        d->attribute(d->attribute_ctx, 76, &minor) && d->attribute(d->attribute_ctx, 8, &shared)) {
        a.ptx = a.binary = 10 * major + minor;
        a.dynamic = shared - (int)f->shared_bytes;
    }
    return hd_device_call_write(c, c->args[0], &a, 52);
}

static unsigned occupancy(const struct hd_device_call *c)
{
    const struct hd_devrt *d = c->d;
    const struct hd_func *f = hd_device_launch_kernel(c->from.program, c->args[1]);
    struct hd_launch l;

    if (!f)
        return HD_ERROR_FUNCTION;
    if (!d->owner.refuses)
        return HD_ERROR_UNSUPPORTED;
    if ((int32_t)c->args[2] <= 0 || c->args[3] > UINT32_MAX)
        return HD_ERROR_VALUE;
    hd_device_launch_shape(c, f, &l);
    l.block[0] = (uint32_t)c->args[2];
    l.dynamic_shared = (uint32_t)c->args[3];
    l.block[1] = l.block[2] = l.grid[1] = l.grid[2] = l.grid[0] = 1;
    bool fits = d->owner.refuses(d->owner.ctx, &l) == HD_ERROR_NONE;
    l.grid[0] = UINT32_MAX;
    return write_number(c, c->args[0], fits ? d->owner.occupancy(d->owner.ctx, &l) : 0, 4);
}

// --- streams and events

static unsigned create(const struct hd_device_call *c, bool event)
{
    // the only kinds: cudaStreamNonBlocking; cudaEventDisableTiming
    uint64_t needed = event ? 2 : 1, handle;
    unsigned error;

    if (c->args[1] != needed)
        return HD_ERROR_VALUE;
    error = hd_device_streams_create(c, event, &handle);
    return error ? error : hd_device_call_write(c, c->args[0], &handle, sizeof handle);
}

static unsigned on_stream(const struct hd_device_call *c, uint64_t handle, bool own,
                          enum hd_task_kind kind, struct hd_devrt_task **task)
{
    enum hd_task_order order;
    uint64_t stream;
    unsigned error = hd_device_streams_find(c, handle, own, &order, &stream);

    if (error)
        return error;
    if (order != HD_ORDER_STREAM && (kind == HD_TASK_RECORD || kind == HD_TASK_WAIT))
        return HD_ERROR_VALUE;
    *task = hd_device_launch_ask(c, kind);
    (*task)->order = (uint8_t)order;
    if (order == HD_ORDER_TAIL)
        hd_children_tail(c->d, *task);
    (*task)->stream = stream;
    return HD_ERROR_NONE;
}

// Records an event in a stream, or makes the stream wait for it.
static unsigned event_task(const struct hd_device_call *c, uint64_t event, uint64_t stream,
                           bool own, enum hd_task_kind kind)
{
    struct hd_devrt_task *t;
    unsigned error;

    if (!hd_device_streams_is_event(c, event))
        return HD_ERROR_HANDLE;
    error = on_stream(c, stream, own, kind, &t);
    if (!error)
        t->event = event;
    return error;
}

// --- copies and fills

// Whether the rows and slices from `start` on are consecutive, and in one live allocation.
static bool inside(const struct hd_device_call *c, uint64_t start, uint64_t pitch, uint64_t slice,
                   const struct hd_devrt_bytes *b)
{
    uint64_t plane = b->width, all;

    if (b->height > 1 &&
        (pitch < b->width || __builtin_mul_overflow(b->height - 1, pitch, &plane) ||
         __builtin_add_overflow(plane, b->width, &plane)))
        return false;
    all = plane;
    if (b->depth > 1 && (slice < plane || __builtin_mul_overflow(b->depth - 1, slice, &all) ||
                         __builtin_add_overflow(all, plane, &all)))
        return false;
    return hd_memory_at(c->d->memory, start, all) != NULL;
}

static unsigned bytes_task(const struct hd_device_call *c, const struct hd_devrt_bytes *b,
                           uint64_t stream, bool own, enum hd_task_kind kind)
{
    bool some = b->width && b->height && b->depth;
    struct hd_devrt_task *t;
    unsigned error;

    if (some && (!inside(c, b->to, b->to_pitch, b->to_slice, b) ||
                 (kind == HD_TASK_COPY && !inside(c, b->from, b->from_pitch, b->from_slice, b))))
        return HD_ERROR_VALUE;
    error = on_stream(c, stream, own, kind, &t);
    if (!error && some)
        t->bytes = *b;
    return error;
}

static unsigned copy_3d(const struct hd_device_call *c, bool own)
{
    struct { // cudaMemcpy3DParms
        uint64_t from_array, from_pos[3], from, from_pitch, from_width, from_height;
        uint64_t to_array, to_pos[3], to, to_pitch, to_width, to_height;
        uint64_t extent[3];
        uint32_t kind;
    } p;
    const uint8_t *at = hd_callout_at(c->sm, c->slot, c->lane, c->args[0], sizeof p);

    if (!at)
        return HD_ERROR_VALUE;
    memcpy(&p, at, sizeof p);
    if (p.from_array || p.to_array)
        return HD_ERROR_UNSUPPORTED;
    struct hd_devrt_bytes b = {.to_pitch = p.to_pitch,
                               .from_pitch = p.from_pitch,
                               .to_slice = p.to_pitch * p.to_height,
                               .from_slice = p.from_pitch * p.from_height,
                               .width = p.extent[0],
                               .height = p.extent[1],
                               .depth = p.extent[2]};
    b.to = p.to + p.to_pos[0] + p.to_pos[1] * b.to_pitch + p.to_pos[2] * b.to_slice;
    b.from = p.from + p.from_pos[0] + p.from_pos[1] * b.from_pitch + p.from_pos[2] * b.from_slice;
    return bytes_task(c, &b, c->args[1], own, HD_TASK_COPY);
}

static unsigned fill_3d(const struct hd_device_call *c, bool own)
{
    uint64_t to[4], extent[3]; // pointer, pitch, width, height

    hd_device_call_bytes(c, 0, to, sizeof to);
    hd_device_call_bytes(c, 2, extent, sizeof extent);
    struct hd_devrt_bytes b = {.to = to[0],
                               .to_pitch = to[1],
                               .to_slice = to[1] * to[3],
                               .width = extent[0],
                               .height = extent[1],
                               .depth = extent[2],
                               .value = (uint8_t)c->args[1]};
    return bytes_task(c, &b, c->args[3], own, HD_TASK_FILL);
}

static unsigned move_bytes(const struct hd_device_call *c)
{
    const uint64_t *a = c->args;
    struct hd_devrt_bytes b;

    switch ((enum hd_builtin)c->call->builtin) {
    case HD_BUILTIN_COPY:
    case HD_BUILTIN_COPY_PTSZ:
        b = (struct hd_devrt_bytes){
            .to = a[0], .from = a[1], .width = a[2], .height = 1, .depth = 1};
        return bytes_task(c, &b, a[4], c->call->builtin == HD_BUILTIN_COPY_PTSZ, HD_TASK_COPY);
    case HD_BUILTIN_COPY_2D:
    case HD_BUILTIN_COPY_2D_PTSZ:
        b = (struct hd_devrt_bytes){.to = a[0],
                                    .to_pitch = a[1],
                                    .from = a[2],
                                    .from_pitch = a[3],
                                    .width = a[4],
                                    .height = a[5],
                                    .depth = 1};
        return bytes_task(c, &b, a[7], c->call->builtin == HD_BUILTIN_COPY_2D_PTSZ, HD_TASK_COPY);
    case HD_BUILTIN_FILL:
    case HD_BUILTIN_FILL_PTSZ:
        b = (struct hd_devrt_bytes){
            .to = a[0], .value = (uint8_t)a[1], .width = a[2], .height = 1, .depth = 1};
        return bytes_task(c, &b, a[3], c->call->builtin == HD_BUILTIN_FILL_PTSZ, HD_TASK_FILL);
    case HD_BUILTIN_FILL_2D:
    case HD_BUILTIN_FILL_2D_PTSZ:
        b = (struct hd_devrt_bytes){.to = a[0],
                                    .to_pitch = a[1],
                                    .value = (uint8_t)a[2],
                                    .width = a[3],
                                    .height = a[4],
                                    .depth = 1};
        return bytes_task(c, &b, a[5], c->call->builtin == HD_BUILTIN_FILL_2D_PTSZ, HD_TASK_FILL);
    case HD_BUILTIN_COPY_3D:
    case HD_BUILTIN_COPY_3D_PTSZ:
        return copy_3d(c, c->call->builtin == HD_BUILTIN_COPY_3D_PTSZ);
    default:
        return fill_3d(c, c->call->builtin == HD_BUILTIN_FILL_3D_PTSZ);
    }
}

// --- the calls

static unsigned allocate(const struct hd_device_call *c)
{
    uint64_t at = c->args[1] ? hd_device_heap_allocate(c->d, c->args[1]) : 0;

    if (c->args[1] && !at)
        return HD_ERROR_MEMORY;
    return hd_device_call_write(c, c->args[0], &at, sizeof at);
}

static unsigned about_device(const struct hd_device_call *c)
{
    switch ((enum hd_builtin)c->call->builtin) {
    case HD_BUILTIN_DEVICE_COUNT:
        return write_number(c, c->args[0], 1, 4);
    case HD_BUILTIN_DEVICE:
    case HD_BUILTIN_DEVICE_CACHE: // cudaFuncCachePreferNone
        return write_number(c, c->args[0], 0, 4);
    case HD_BUILTIN_DEVICE_BANKS: // cudaSharedMemBankSizeFourByte
        return write_number(c, c->args[0], 1, 4);
    case HD_BUILTIN_VERSION:
        return write_number(c, c->args[0], 13000, 4);
    case HD_BUILTIN_DEVICE_LIMIT:
        return limit(c);
    case HD_BUILTIN_DEVICE_ATTRIBUTE:
        return attribute(c);
    case HD_BUILTIN_FUNC_ATTRIBUTES:
        return func_attributes(c);
    default:
        return occupancy(c);
    }
}

// Calls that return an error.
static unsigned perform(const struct hd_device_call *c)
{
    const uint64_t *a = c->args;

    switch ((enum hd_builtin)c->call->builtin) {
    case HD_BUILTIN_LAUNCH:
    case HD_BUILTIN_LAUNCH_PTSZ:
        return hd_device_launch(c, c->call->builtin == HD_BUILTIN_LAUNCH_PTSZ);
    case HD_BUILTIN_LAUNCH_V2:
    case HD_BUILTIN_LAUNCH_V2_PTSZ:
        return hd_device_launch_v2(c, c->call->builtin == HD_BUILTIN_LAUNCH_V2_PTSZ);
    case HD_BUILTIN_STREAM_CREATE:
    case HD_BUILTIN_EVENT_CREATE:
        return create(c, c->call->builtin == HD_BUILTIN_EVENT_CREATE);
    case HD_BUILTIN_STREAM_DESTROY:
    case HD_BUILTIN_EVENT_DESTROY:
        return hd_device_streams_destroy(c, c->call->builtin == HD_BUILTIN_EVENT_DESTROY, a[0]);
    case HD_BUILTIN_STREAM_WAIT:
    case HD_BUILTIN_STREAM_WAIT_PTSZ:
        return event_task(c, a[1], a[0], c->call->builtin == HD_BUILTIN_STREAM_WAIT_PTSZ,
                          HD_TASK_WAIT);
    case HD_BUILTIN_EVENT_RECORD:
    case HD_BUILTIN_EVENT_RECORD_FLAGS:
        return event_task(c, a[0], a[1], false, HD_TASK_RECORD);
    case HD_BUILTIN_EVENT_RECORD_PTSZ:
    case HD_BUILTIN_EVENT_RECORD_FLAGS_PTSZ:
        return event_task(c, a[0], a[1], true, HD_TASK_RECORD);
    case HD_BUILTIN_SYNCHRONIZE: // the warp waits after the call
        return HD_ERROR_NONE;
    case HD_BUILTIN_DEVICE_MALLOC:
        return allocate(c);
    case HD_BUILTIN_SET_CONDITION: // of a graph: its handle is its address
        return write_number(c, a[0], a[1], 4);
    case HD_BUILTIN_DEVICE_FREE:
        return !a[0] || hd_device_heap_release(c->d, a[0]) ? HD_ERROR_NONE : HD_ERROR_VALUE;
    default:
        return c->call->builtin >= HD_BUILTIN_COPY ? move_bytes(c) : about_device(c);
    }
}

static uint64_t answer(const struct hd_device_call *c)
{
    uint64_t error;

    switch ((enum hd_builtin)c->call->builtin) {
    case HD_BUILTIN_GET_BUFFER:
        return hd_device_launch_buffer(c);
    case HD_BUILTIN_GET_BUFFER_V2:
        return hd_device_launch_buffer_v2(c);
    case HD_BUILTIN_LAST_ERROR:
        error = *hd_device_call_error(c);
        *hd_device_call_error(c) = HD_ERROR_NONE;
        return error;
    case HD_BUILTIN_PEEK_ERROR:
        return *hd_device_call_error(c);
    case HD_BUILTIN_ERROR_NAME:
    case HD_BUILTIN_ERROR_STRING:
        return error_text(c->d, c->args[0], c->call->builtin == HD_BUILTIN_ERROR_NAME);
    default:
        error = perform(c);
        if (error)
            hd_device_call_fail(c, (unsigned)error);
        return error;
    }
}

static void answer_all(struct hd_device_call *c, uint32_t lanes, uint64_t result[HD_LANES])
{
    const struct hd_call *call = c->call;
    uint64_t args[8][HD_LANES] = {{0}};

    for (unsigned i = 0; i < call->n_args; i++)
        if (call->args[call->n_rets + i].bytes <= 8)
            hd_callout_read_args(c->sm, c->slot, call, i, lanes, args[i]);
    for (uint32_t m = lanes; m; m &= m - 1) {
        c->lane = (unsigned)__builtin_ctz(m);
        for (unsigned i = 0; i < call->n_args; i++)
            c->args[i] = args[i][c->lane];
        result[c->lane] = answer(c);
    }
}

// The API of kernels that launch kernels.
static void runtime_call(struct hd_device_call *c, const struct hd_outbox_entry *x,
                         uint64_t result[HD_LANES])
{
    struct hd_devrt *d = c->d;
    size_t before = d->n_tasks;
    uint32_t together = 0;

    answer_all(c, x->lanes, result);
    for (size_t i = before; i < d->n_tasks; i++)
        together += d->tasks[i].kind == HD_TASK_KERNEL;
    for (size_t i = before; i < d->n_tasks; i++)
        d->tasks[i].together = together;
    if (x->waits && !hd_children_open(d, c->own->blocks[c->from.slot].children))
        hd_device_launch_ask(c, HD_TASK_NOTHING)->order = HD_ORDER_FREE;
}

void hd_device_runtime_trap_free(struct hd_emu_sm *sm, unsigned warp, uint32_t pc, unsigned lane,
                                 uint64_t address)
{
    char detail[80];

    snprintf(detail, sizeof detail, "free(0x%" PRIx64 "): not a live block of malloc", address);
    hd_callout_trap(sm, warp, pc, HD_TRAP_ILLEGAL, lane, detail);
}

static bool release_all(struct hd_device_call *c, const struct hd_outbox_entry *x)
{
    uint64_t at[HD_LANES] = {0};

    hd_callout_read_args(c->sm, c->slot, c->call, 0, x->lanes, at);
    for (uint32_t m = x->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (!at[l] || hd_device_heap_release(c->d, at[l]))
            continue;
        hd_device_runtime_trap_free(c->sm, c->slot, x->pc, l, at[l]);
        return false;
    }
    return true;
}

bool hd_device_runtime_perform(struct hd_devrt *d, struct hd_emu_sm *sm, unsigned warp,
                               const struct hd_outbox_entry *x)
{
    struct hd_device_call c = {.d = d,
                               .sm = sm,
                               .own = &d->sms[hd_callout_sm(sm)],
                               .from = hd_callout_from(sm, warp),
                               .slot = warp,
                               .call = x->call};
    uint64_t a[2][HD_LANES] = {{0}}, result[HD_LANES] = {0};

    switch ((enum hd_builtin)x->call->builtin) {
    case HD_BUILTIN_VPRINTF:
        for (unsigned i = 0; i < 2; i++)
            hd_callout_read_args(sm, warp, x->call, i, x->lanes, a[i]);
        hd_device_printf(d, sm, warp, x->lanes, a[0], a[1], result);
        break;
    case HD_BUILTIN_MALLOC:
        hd_callout_read_args(sm, warp, x->call, 0, x->lanes, a[0]);
        for (uint32_t m = x->lanes; m; m &= m - 1)
            result[__builtin_ctz(m)] = hd_device_heap_allocate(d, a[0][__builtin_ctz(m)]);
        break;
    case HD_BUILTIN_FREE:
        return release_all(&c, x);
    default:
        runtime_call(&c, x, result);
    }
    hd_callout_write_result(sm, warp, x->call, x->lanes, result);
    return true;
}
