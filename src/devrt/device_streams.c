// device_streams.c - the device's own streams and events: handles and owners.
//
// A stream or event that a thread creates belongs to its grid; its handle is not valid in parents
// or children. Stream 0 belongs to the block, cudaStreamPerThread to the thread: they exist from
// the first use until the block ends. Requests made in a stream outlive it.
#include "devrt/devrt_internal.h"

#define INDEX_BITS 24
#define MOST (1u << 20) // at the same time

// Handles with a fixed meaning.
#define LEGACY 1
#define PER_THREAD 2
#define TAIL 3
#define FIRE_AND_FORGET 4

enum kind { FREE, STREAM, OF_BLOCK, OF_THREAD, EVENT };

struct hd_device_stream { // or event
    uint64_t handle;      // generation and index; a generation begins with 1
    uint32_t owner;       // launch
    uint32_t next;        // free one; of a thread's stream: that of another thread of the block
    uint32_t thread;
    uint8_t kind; // enum kind
};

static uint32_t make(struct hd_devrt *d, enum kind kind, uint32_t owner)
{
    uint32_t i = d->free_stream;

    if (i) {
        d->free_stream = d->streams[i].next;
    } else {
        if (d->n_streams > MOST)
            return 0;
        if (!d->n_streams) // number 0 means none
            *HD_PUSH(d->arena, d->streams, d->n_streams, d->cap_streams) =
                (struct hd_device_stream){0};
        i = (uint32_t)d->n_streams;
        *HD_PUSH(d->arena, d->streams, d->n_streams, d->cap_streams) =
            (struct hd_device_stream){.handle = i};
    }
    struct hd_device_stream *s = &d->streams[i];
    *s = (struct hd_device_stream){.handle = s->handle + (1u << INDEX_BITS), .owner = owner};
    s->kind = (uint8_t)kind;
    d->n_named += kind == STREAM || kind == EVENT;
    return i;
}

static void drop(struct hd_devrt *d, uint32_t i)
{
    struct hd_device_stream *s = &d->streams[i];

    d->n_named -= s->kind == STREAM || s->kind == EVENT;
    s->kind = FREE;
    s->next = d->free_stream;
    d->free_stream = i;
}

// The index of a stream or event of the calling thread's grid, 0 if the handle is none.
static uint32_t named(const struct hd_device_call *c, uint64_t handle, enum kind kind)
{
    const struct hd_devrt *d = c->d;
    uint32_t i = (uint32_t)handle & ((1u << INDEX_BITS) - 1);

    return i < d->n_streams && d->streams[i].handle == handle && d->streams[i].kind == kind &&
                   d->streams[i].owner == c->from.launch->id
               ? i
               : 0;
}

static uint32_t of_thread(const struct hd_device_call *c)
{
    struct hd_devrt *d = c->d;
    struct hd_devrt_block *b = &c->own->blocks[c->from.slot];
    uint32_t thread = c->from.warp * HD_LANES + c->lane, i = b->thread_streams;

    while (i && d->streams[i].thread != thread)
        i = d->streams[i].next;
    if (!i && (i = make(d, OF_THREAD, c->from.launch->id))) {
        d->streams[i].thread = thread;
        d->streams[i].next = b->thread_streams;
        b->thread_streams = i;
    }
    return i;
}

static uint32_t of_block(const struct hd_device_call *c)
{
    struct hd_devrt_block *b = &c->own->blocks[c->from.slot];

    if (!b->stream)
        b->stream = make(c->d, OF_BLOCK, c->from.launch->id);
    return b->stream;
}

unsigned hd_device_streams_find(const struct hd_device_call *c, uint64_t handle, bool own,
                                enum hd_task_order *order, uint64_t *stream)
{
    bool given = handle > FIRE_AND_FORGET, one = c->d->one_stream;
    uint32_t i = given ? named(c, handle, STREAM) : 0;

    if (given && !i)
        return HD_ERROR_HANDLE;
    *order = handle == TAIL                      ? HD_ORDER_TAIL
             : handle == FIRE_AND_FORGET && !one ? HD_ORDER_FREE
                                                 : HD_ORDER_STREAM;
    *stream = 0;
    if (*order != HD_ORDER_STREAM)
        return HD_ERROR_NONE;
    if (one)
        i = of_block(c);
    else if (!given)
        i = handle == PER_THREAD || (!handle && own) ? of_thread(c) : of_block(c);
    if (!i)
        return HD_ERROR_MEMORY;
    *stream = c->d->streams[i].handle;
    return HD_ERROR_NONE;
}

unsigned hd_device_streams_create(const struct hd_device_call *c, bool event, uint64_t *handle)
{
    uint32_t i = make(c->d, event ? EVENT : STREAM, c->from.launch->id);

    *handle = i ? c->d->streams[i].handle : 0;
    return i ? HD_ERROR_NONE : HD_ERROR_MEMORY;
}

unsigned hd_device_streams_destroy(const struct hd_device_call *c, bool event, uint64_t handle)
{
    uint32_t i = named(c, handle, event ? EVENT : STREAM);

    if (i)
        drop(c->d, i);
    return i ? HD_ERROR_NONE : HD_ERROR_HANDLE;
}

bool hd_device_streams_is_event(const struct hd_device_call *c, uint64_t handle)
{
    return named(c, handle, EVENT) != 0;
}

void hd_device_streams_drop(struct hd_devrt *d, uint32_t stream, uint32_t thread_streams)
{
    if (stream)
        drop(d, stream);
    for (uint32_t i = thread_streams, next; i; i = next) {
        next = d->streams[i].next;
        drop(d, i);
    }
}

void hd_devrt_grid_ended(struct hd_devrt *d, const struct hd_launch *l)
{
    for (uint32_t i = 1; d->n_named && i < d->n_streams; i++)
        if ((d->streams[i].kind == STREAM || d->streams[i].kind == EVENT) &&
            d->streams[i].owner == l->id)
            drop(d, i);
}
