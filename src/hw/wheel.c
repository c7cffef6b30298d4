// wheel.c - the event wheel. See wheel.h for invariants.
#include "hw/wheel.h"

#include "base/bug.h"

void hd_wheel_init(struct hd_wheel *w, struct hd_arena *a, unsigned n_events)
{
    HD_BUG_IF(n_events == 0 || n_events >= HD_WHEEL_NIL, "wheel of %u events", n_events);
    *w = (struct hd_wheel){.pool = HD_ARRAY(a, struct hd_wheel_event, n_events),
                           .n_pool = (uint16_t)n_events,
                           .free = HD_WHEEL_NIL};
    for (unsigned i = 0; i < HD_WHEEL; i++)
        w->lists[i].head = w->lists[i].tail = HD_WHEEL_NIL;
}

void hd_wheel_put(struct hd_wheel *w, uint64_t cycle, uint8_t kind, uint8_t warp, uint32_t arg)
{
    unsigned slot = (unsigned)(cycle % HD_WHEEL);
    uint16_t e = w->free;

    HD_BUG_IF(cycle <= w->now || cycle - w->now >= HD_WHEEL,
              "event %llu cycles ahead in a wheel of %d", (unsigned long long)(cycle - w->now),
              HD_WHEEL);
    if (e == HD_WHEEL_NIL) {
        HD_BUG_IF(w->n_touched == w->n_pool, "event wheel full (%u events)", w->n_pool);
        e = w->n_touched++;
    } else {
        w->free = w->pool[e].next;
    }
    w->n_used++;
    w->pool[e] =
        (struct hd_wheel_event){.arg = arg, .next = HD_WHEEL_NIL, .kind = kind, .warp = warp};
    if (w->lists[slot].head == HD_WHEEL_NIL) {
        w->lists[slot].head = e;
        w->occupied[slot / 64] |= UINT64_C(1) << (slot % 64);
    } else {
        w->pool[w->lists[slot].tail].next = e;
    }
    w->lists[slot].tail = e;
}

bool hd_wheel_take(struct hd_wheel *w, uint64_t cycle, struct hd_wheel_event *out)
{
    unsigned slot = (unsigned)(cycle % HD_WHEEL);
    uint16_t e = w->lists[slot].head;

    HD_DCHECK(cycle >= w->now);
    w->now = cycle;
    if (e == HD_WHEEL_NIL)
        return false;
    *out = w->pool[e];
    w->lists[slot].head = out->next;
    if (out->next == HD_WHEEL_NIL)
        w->occupied[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
    w->pool[e].next = w->free;
    w->free = e;
    w->n_used--;
    return true;
}

uint64_t hd_wheel_next(const struct hd_wheel *w)
{
    if (!w->n_used)
        return UINT64_MAX;
    // Slots now .. now + HD_WHEEL - 1; the slot of `now` itself may hold events not yet taken.
    for (unsigned i = 0; i <= HD_WHEEL / 64; i++) {
        unsigned first = (unsigned)(w->now % HD_WHEEL), word = (first / 64 + i) % (HD_WHEEL / 64);
        uint64_t bits = w->occupied[word];
        if (i == 0)
            bits &= ~UINT64_C(0) << (first % 64);
        else if (i == HD_WHEEL / 64)
            bits &= ~(~UINT64_C(0) << (first % 64));
        if (bits) {
            unsigned slot = word * 64 + (unsigned)__builtin_ctzll(bits);
            return w->now + (slot + HD_WHEEL - first) % HD_WHEEL;
        }
    }
    HD_BUG("%u events in the wheel, none in its bitmap", w->n_used);
}
