// slice.h - some of the memory partitions, and which of them have something to do. One thread steps
// a slice: its DRAM channels and L2 banks.
//
// Invariant: between the network of the requests and that of the replies, nothing in a slice
// depends on another one, so slices may be stepped side by side. What all slices count together is
// the sum of what each of them counts.
#ifndef HEDDLE_MEM_SLICE_H
#define HEDDLE_MEM_SLICE_H

#include "mem/network.h"
#include "mem/partition.h"

#define HD_SLICES_MOST 16

// Sub-partitions and partitions have the same numbers as in the machine. A slice has lines for
// itself.
struct hd_slice {
    _Alignas(64) unsigned per_partition; // sub-partitions
    unsigned first, end;                 // of its sub-partitions; `end` is the one after the last
    unsigned first_word, end_word;       // of a set of them, likewise
    struct hd_l2 *subs;                  // of the machine, as are the next two
    struct hd_partition *partitions;
    uint64_t *wakes; // by sub-partition: the cycle in which it continues; UINT64_MAX: none
    uint64_t next;   // the earliest of them that are not awake, or an earlier cycle
    uint64_t filled; // partitions with anything below their L2 banks
    // Replies to come in addition to one for each request, less the write-backs that are done;
    // modulo 2^64.
    uint64_t outstanding;
    // Sets of sub-partitions: that continue in this cycle or the next; with a reply for the
    // network.
    uint64_t awake[HD_NETWORK_WORDS], replying[HD_NETWORK_WORDS];
};

// The sub-partitions from `first` to before `end` of those given, which are at rest.
void hd_slice_init(struct hd_slice *s, const struct hd_config *c, unsigned first, unsigned end,
                   struct hd_l2 *subs, struct hd_partition *partitions, uint64_t *wakes);

// A sub-partition has something to do from cycle `wakes` on.
static inline void hd_slice_note(struct hd_slice *s, unsigned sub, uint64_t wakes, uint64_t cycle)
{
    s->wakes[sub] = wakes;
    if (wakes <= cycle + 1) {
        hd_bits_add(s->awake, sub);
        return;
    }
    hd_bits_drop(s->awake, sub);
    s->next = wakes < s->next ? wakes : s->next;
}

// A request enters a sub-partition, which has room for it (hd_l2_room).
static inline void hd_slice_enter(struct hd_slice *s, unsigned sub, const struct hd_req *r,
                                  uint64_t cycle)
{
    struct hd_l2 *l = &s->subs[sub];
    uint64_t ready = hd_l2_push(l, r, cycle);

    if (ready < s->wakes[sub])
        hd_slice_note(s, sub, ready, cycle);
    s->outstanding += l->divided;
    l->divided = 0;
}

// The oldest reply of a sub-partition has gone into the network. A request that waited for its
// place continues.
static inline void hd_slice_replied(struct hd_slice *s, unsigned sub, uint64_t cycle)
{
    struct hd_l2 *l = &s->subs[sub];

    if (hd_req_ring_full(&l->out)) {
        s->wakes[sub] = cycle;
        hd_bits_add(s->awake, sub);
    }
    hd_req_ring_pop(&l->out);
    if (hd_req_ring_empty(&l->out))
        hd_bits_drop(s->replying, sub);
}

static inline bool hd_slice_is_due(const struct hd_slice *s, uint64_t cycle)
{
    uint64_t any = s->filled;

    for (unsigned w = s->first_word; w < s->end_word; w++)
        any |= s->awake[w];
    return any || cycle >= s->next;
}

// One core cycle: n DRAM ticks, of which `tick` is the first, then a step of the L2 banks.
void hd_slice_step(struct hd_slice *s, uint64_t tick, unsigned n, uint64_t cycle);

#endif
