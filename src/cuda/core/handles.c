// handles.c - tables of objects by slot and generation. See handles.h.
#include "cuda/core/handles.h"

#include "base/bug.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define GENERATIONS 0xffffffu // 24 bits; 0 is not used

struct slot {
    void *object;
    uint32_t generation;
    bool live;
};

struct table {
    struct slot *slots;
    size_t n, cap;
    uint32_t *free; // free slots; the one freed last is used first
    size_t n_free, cap_free;
    size_t bytes;
};

struct hd_handles {
    struct hd_arena *arena;
    struct table tables[HD_N_HANDLES];
};

struct hd_handles *hd_handles_new(struct hd_arena *a)
{
    struct hd_handles *h = HD_NEW(a, hd_handles);

    h->arena = a;
    return h;
}

void *hd_handles_add(struct hd_handles *h, enum hd_handle_kind kind, size_t bytes, void **handle)
{
    struct table *t = &h->tables[kind];
    uint32_t i;

    HD_BUG_IF(t->bytes && t->bytes != bytes, "objects of kind %u have two sizes", kind);
    t->bytes = bytes;
    if (t->n_free) {
        i = t->free[--t->n_free];
    } else {
        i = (uint32_t)t->n;
        *HD_PUSH(h->arena, t->slots, t->n, t->cap) =
            (struct slot){.object = hd_arena_get(h->arena, 1, bytes)};
    }
    struct slot *s = &t->slots[i];
    s->generation = s->generation % GENERATIONS + 1;
    s->live = true;
    memset(s->object, 0, bytes);
    *handle = (void *)((uintptr_t)kind << 56 | (uintptr_t)s->generation << 32 | i);
    return s->object;
}

static struct slot *find(const struct hd_handles *h, enum hd_handle_kind kind, const void *handle)
{
    const struct table *t = &h->tables[kind];
    uintptr_t v = (uintptr_t)handle;
    uint32_t i = (uint32_t)v;

    if (v >> 56 != (uintptr_t)kind || i >= t->n)
        return NULL;
    struct slot *s = &t->slots[i];
    return s->live && s->generation == (v >> 32 & GENERATIONS) ? s : NULL;
}

void *hd_handles_get(const struct hd_handles *h, enum hd_handle_kind kind, const void *handle)
{
    const struct slot *s = find(h, kind, handle);

    return s ? s->object : NULL;
}

void hd_handles_drop(struct hd_handles *h, enum hd_handle_kind kind, const void *handle)
{
    struct table *t = &h->tables[kind];
    struct slot *s = find(h, kind, handle);

    HD_BUG_IF(!s, "a handle of kind %u dropped twice", kind);
    s->live = false;
    *HD_PUSH(h->arena, t->free, t->n_free, t->cap_free) = (uint32_t)(s - t->slots);
}

void *hd_handles_next(const struct hd_handles *h, enum hd_handle_kind kind, size_t *at)
{
    const struct table *t = &h->tables[kind];

    while (*at < t->n) {
        const struct slot *s = &t->slots[(*at)++];
        if (s->live)
            return s->object;
    }
    return NULL;
}
