// wheel.h - the event wheel: a queue of events whose times are known.
//
// A slot is one cycle; an event may be at most HD_WHEEL - 1 cycles ahead. Events of one cycle come
// out in the order they went in. Running out of pool entries or of reach is a bug of the caller:
// the pool is sized at start for the most that can be in flight.
//
// Invariants: bit c % HD_WHEEL of `occupied` is set exactly if that slot's list is non-empty; every
// event in the wheel is due at a cycle in (now, now + HD_WHEEL); the free list and the slot lists
// partition the first n_touched entries of the pool. The bitmap lets an idle machine find its next
// event with a few ctz.
#ifndef HEDDLE_HW_WHEEL_H
#define HEDDLE_HW_WHEEL_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_WHEEL 1024
#define HD_WHEEL_NIL UINT16_MAX // end of a list

struct hd_wheel_event {
    uint32_t arg;
    uint16_t next; // pool index of the next event of the slot
    uint8_t kind, warp;
};

struct hd_wheel {
    _Alignas(64) uint64_t now; // the last cycle taken
    uint64_t occupied[HD_WHEEL / 64];
    struct {
        uint16_t head, tail;
    } lists[HD_WHEEL];
    struct hd_wheel_event *pool;
    uint16_t free, n_used, n_pool;
    uint16_t n_touched; // entries ever used: the pool is large, what is in flight is little
};

void hd_wheel_init(struct hd_wheel *w, struct hd_arena *a, unsigned n_events);
void hd_wheel_put(struct hd_wheel *w, uint64_t cycle, uint8_t kind, uint8_t warp, uint32_t arg);
// Advances time to `cycle`; returns whether an event is due then.
static inline bool hd_wheel_due(struct hd_wheel *w, uint64_t cycle)
{
    w->now = cycle;
    return w->occupied[cycle % HD_WHEEL / 64] >> (cycle % 64) & 1;
}
// Takes the next event due at `cycle`, in order of entry; false when there is none (left). Calls
// must have rising cycles and must not leave out one that has events.
bool hd_wheel_take(struct hd_wheel *w, uint64_t cycle, struct hd_wheel_event *out);
uint64_t hd_wheel_next(const struct hd_wheel *w); // due cycle of the earliest, UINT64_MAX if none
static inline bool hd_wheel_empty(const struct hd_wheel *w)
{
    return w->n_used == 0;
}

#endif
