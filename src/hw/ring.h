// ring.h - a bounded FIFO of values, for every queue of the machine.
//
// Invariants: capacity is fixed at start and counts elements, not bytes; head and tail only grow
// (their difference is the fill), so full and empty need no flag; storage is a power of two, the
// modelled capacity may be smaller. Pushing into a full ring or popping an empty one is a bug.
#ifndef HEDDLE_HW_RING_H
#define HEDDLE_HW_RING_H

#include "base/arena.h"
#include "base/bug.h"
#include "heddle/port.h"

#include <stdbool.h>
#include <stdint.h>

// HD_RING_OF(name, type) declares struct name and its functions name_init, _fill, _room, _full,
// _empty, _push, _head, _at, _pop, _drop.
// No file uses all of them, and clang would warn about that in a .c file.
#define HD_RING_FN __attribute__((unused)) static inline
#define HD_RING_OF(name, type)                                                                     \
    struct name {                                                                                  \
        type *slots;                                                                               \
        uint32_t mask, capacity, head, tail;                                                       \
    };                                                                                             \
    HD_RING_FN void name##_init(struct name *r, struct hd_arena *a, uint32_t capacity)             \
    {                                                                                              \
        uint32_t n = 1;                                                                            \
        while (n < capacity)                                                                       \
            n *= 2;                                                                                \
        r->slots = (type *)hd_arena_get(a, n, sizeof(type));                                       \
        r->mask = n - 1;                                                                           \
        r->capacity = capacity;                                                                    \
        r->head = r->tail = 0;                                                                     \
    }                                                                                              \
    HD_RING_FN uint32_t name##_fill(const struct name *r)                                          \
    {                                                                                              \
        return r->tail - r->head;                                                                  \
    }                                                                                              \
    HD_RING_FN uint32_t name##_room(const struct name *r)                                          \
    {                                                                                              \
        return r->capacity - (r->tail - r->head);                                                  \
    }                                                                                              \
    HD_RING_FN bool name##_full(const struct name *r)                                              \
    {                                                                                              \
        return r->tail - r->head >= r->capacity;                                                   \
    }                                                                                              \
    HD_RING_FN bool name##_empty(const struct name *r)                                             \
    {                                                                                              \
        return r->tail == r->head;                                                                 \
    }                                                                                              \
    HD_RING_FN void name##_push(struct name *r, type value)                                        \
    {                                                                                              \
        HD_BUG_IF(name##_full(r), "push into a full %s of %u", #name, r->capacity);                \
        r->slots[r->tail++ & r->mask] = value;                                                     \
    }                                                                                              \
    HD_RING_FN type *name##_head(const struct name *r)                                             \
    {                                                                                              \
        HD_DCHECK(!name##_empty(r));                                                               \
        return &r->slots[r->head & r->mask];                                                       \
    }                                                                                              \
    HD_RING_FN type *name##_at(const struct name *r, uint32_t i)                                   \
    {                                                                                              \
        HD_DCHECK(i < name##_fill(r));                                                             \
        return &r->slots[(r->head + i) & r->mask];                                                 \
    }                                                                                              \
    HD_RING_FN void name##_drop(struct name *r)                                                    \
    {                                                                                              \
        HD_BUG_IF(name##_empty(r), "drop from an empty %s", #name);                                \
        r->head++;                                                                                 \
    }                                                                                              \
    HD_RING_FN type name##_pop(struct name *r)                                                     \
    {                                                                                              \
        HD_BUG_IF(name##_empty(r), "pop from an empty %s", #name);                                 \
        return r->slots[r->head++ & r->mask];                                                      \
    }

HD_RING_OF(hd_req_ring, struct hd_req)

#endif
