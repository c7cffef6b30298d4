// devstreams.c - the device's own streams and events: handles, and whom they belong to.
//
// A stream that a thread creates belongs to its grid, as events do; its handle means nothing to
// parents or children. Stream 0 is one of the block's, cudaStreamPerThread one of the thread's:
// they exist from the first use until the block ends. What was asked for in a stream outlives it.
#include "emu/devcalls.h"

#include "base/bug.h"

#define INDEX_BITS 24
#define MOST (1u << 20) // at one time

// Handles that mean something by themselves.
#define LEGACY 1
#define PER_THREAD 2
#define TAIL 3
#define FIRE_AND_FORGET 4

enum kind { FREE, STREAM, OF_BLOCK, OF_THREAD, EVENT };

struct hd_emu_stream { // or event
    uint64_t handle;   // generation and index; a generation begins with 1
    uint32_t owner;    // launch
    uint32_t next;     // free one; of a thread's: that of another thread of the block
    uint32_t thread;
    uint8_t kind; // enum kind
};

static uint32_t make(struct hd_emu *e, enum kind kind, uint32_t owner)
{
    uint32_t i = e->free_stream;

    if (i) {
        e->free_stream = e->streams[i].next;
    } else {
        if (e->n_streams > MOST)
            return 0;
        if (!e->n_streams) // 0 is none
            *HD_PUSH(e->arena, e->streams, e->n_streams, e->cap_streams) =
                (struct hd_emu_stream){0};
        i = (uint32_t)e->n_streams;
        *HD_PUSH(e->arena, e->streams, e->n_streams, e->cap_streams) =
            (struct hd_emu_stream){.handle = i};
    }
    struct hd_emu_stream *s = &e->streams[i];
    *s = (struct hd_emu_stream){.handle = s->handle + (1u << INDEX_BITS), .owner = owner};
    s->kind = (uint8_t)kind;
    e->n_named += kind == STREAM || kind == EVENT;
    return i;
}

static void drop(struct hd_emu *e, uint32_t i)
{
    struct hd_emu_stream *s = &e->streams[i];

    e->n_named -= s->kind == STREAM || s->kind == EVENT;
    s->kind = FREE;
    s->next = e->free_stream;
    e->free_stream = i;
}

// The index of a stream or event of the calling thread's grid, 0 if it is none.
static uint32_t named(const struct hd_devcall *c, uint64_t handle, enum kind kind)
{
    const struct hd_emu *e = c->sm->emu;
    uint32_t i = (uint32_t)handle & ((1u << INDEX_BITS) - 1);

    return i < e->n_streams && e->streams[i].handle == handle && e->streams[i].kind == kind &&
                   e->streams[i].owner == c->sm->warps[c->warp].tb->launch->id
               ? i
               : 0;
}

static uint32_t of_thread(const struct hd_devcall *c)
{
    struct hd_emu *e = c->sm->emu;
    const struct hd_emu_warp *w = &c->sm->warps[c->warp];
    struct hd_emu_tb *t = &c->sm->tbs[w->tb - c->sm->tbs];
    uint32_t thread = w->index * HD_LANES + c->lane, i = t->thread_streams;

    while (i && e->streams[i].thread != thread)
        i = e->streams[i].next;
    if (!i && (i = make(e, OF_THREAD, t->launch->id))) {
        e->streams[i].thread = thread;
        e->streams[i].next = t->thread_streams;
        t->thread_streams = i;
    }
    return i;
}

static uint32_t of_block(const struct hd_devcall *c)
{
    struct hd_emu_tb *t = &c->sm->tbs[c->sm->warps[c->warp].tb - c->sm->tbs];

    if (!t->stream)
        t->stream = make(c->sm->emu, OF_BLOCK, t->launch->id);
    return t->stream;
}

unsigned hd_devstreams_find(const struct hd_devcall *c, uint64_t handle, bool own,
                            enum hd_task_order *order, uint64_t *stream)
{
    uint32_t i;

    *order = handle == TAIL              ? HD_ORDER_TAIL
             : handle == FIRE_AND_FORGET ? HD_ORDER_FREE
                                         : HD_ORDER_STREAM;
    *stream = 0;
    if (*order != HD_ORDER_STREAM)
        return HD_ERROR_NONE;
    if (handle > FIRE_AND_FORGET)
        i = named(c, handle, STREAM);
    else
        i = handle == PER_THREAD || (!handle && own) ? of_thread(c) : of_block(c);
    if (!i)
        return handle > FIRE_AND_FORGET ? HD_ERROR_HANDLE : HD_ERROR_MEMORY;
    *stream = c->sm->emu->streams[i].handle;
    return HD_ERROR_NONE;
}

unsigned hd_devstreams_create(const struct hd_devcall *c, bool event, uint64_t *handle)
{
    uint32_t i = make(c->sm->emu, event ? EVENT : STREAM, c->sm->warps[c->warp].tb->launch->id);

    *handle = i ? c->sm->emu->streams[i].handle : 0;
    return i ? HD_ERROR_NONE : HD_ERROR_MEMORY;
}

unsigned hd_devstreams_destroy(const struct hd_devcall *c, bool event, uint64_t handle)
{
    uint32_t i = named(c, handle, event ? EVENT : STREAM);

    if (i)
        drop(c->sm->emu, i);
    return i ? HD_ERROR_NONE : HD_ERROR_HANDLE;
}

bool hd_devstreams_is_event(const struct hd_devcall *c, uint64_t handle)
{
    return named(c, handle, EVENT) != 0;
}

void hd_devstreams_block_ends(struct hd_emu *e, struct hd_emu_tb *t)
{
    if (t->stream)
        drop(e, t->stream);
    for (uint32_t i = t->thread_streams, next; i; i = next) {
        next = e->streams[i].next;
        drop(e, i);
    }
    t->stream = t->thread_streams = 0;
}

void hd_emu_grid_ended(struct hd_emu *e, const struct hd_launch *l)
{
    for (uint32_t i = 1; e->n_named && i < e->n_streams; i++)
        if ((e->streams[i].kind == STREAM || e->streams[i].kind == EVENT) &&
            e->streams[i].owner == l->id)
            drop(e, i);
}
