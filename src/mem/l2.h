// l2.h - one memory sub-partition up to its DRAM channel: the raster-operation (ROP) delay, four
// queues and an L2 bank.
//
// Invariants: a request that the bank cannot take stays at the head of its queue and blocks those
// after it; the tokens of the miss registers are slots of `merged`, or ALLOCATE for the fill that
// a store's miss asks for.
#ifndef HEDDLE_MEM_L2_H
#define HEDDLE_MEM_L2_H

#include "heddle/bits.h"
#include "heddle/config.h"
#include "heddle/stats.h"
#include "hw/cache.h"
#include "hw/sectors.h"
#include "mem/addrmap.h"
#include "mem/dram.h"

struct hd_delayed {
    struct hd_req req;
    uint64_t ready; // cycle
};
HD_RING_OF(hd_delay_ring, struct hd_delayed)

// A request of several sectors, and how many of them are not done.
struct hd_l2_whole {
    struct hd_req req;
    uint8_t left;
};
#define HD_L2_WHOLES 64 // at most 64, the bits of a set

struct hd_l2 {
    const struct hd_config_l2 *config;
    const struct hd_addrmap *map;
    struct hd_delay_ring rop;
    struct hd_req_ring in;       // from the network, delay over
    struct hd_req_ring out;      // replies to the network
    struct hd_dram_ring to_dram; // taken by the DRAM channel
    struct hd_dram_ring from_dram;
    struct hd_cache cache;
    struct hd_req *merged; // requests in its miss registers, by token
    uint32_t *unused;      // free tokens
    uint32_t n_unused, burst_shift, port_shift;
    uint32_t written_back; // write-backs of the SMs that ended in a line here; the reader clears it
    uint32_t divided; // replies to come in addition to one for each request; the reader clears it
    uint64_t data_free_at, fill_free_at; // cycles
    // A bank with sectors (l2sectors.c), else NULL. Its requests with `part` belong to a whole.
    struct hd_sectors *sectors;
    struct hd_l2_whole *wholes;
    uint64_t free_wholes; // a set
    // Addresses may belong to other banks (l2.halves_astray, l1d.victims_astray): then `own_sub` is
    // this bank's number in its partition.
    bool strays;
    uint8_t own_sub;
    uint64_t copied; // sectors that copies of the host brought; they add to the times of lines
};

void hd_l2_init(struct hd_l2 *l, struct hd_arena *a, const struct hd_config *c,
                const struct hd_addrmap *map, struct hd_mem_stats *stats);
bool hd_l2_room_for_parts(const struct hd_l2 *l);
// False if no request may be popped from the network in this cycle.
static inline bool hd_l2_room(const struct hd_l2 *l)
{
    return l->sectors ? hd_l2_room_for_parts(l) : !hd_req_ring_full(&l->in);
}
// Returns the cycle in which a step can do something with the request.
uint64_t hd_l2_push(struct hd_l2 *l, const struct hd_req *r, uint64_t cycle);
// The data port is in use.
static inline void hd_l2_occupy(struct hd_l2 *l, uint32_t bytes, uint64_t cycle)
{
    l->data_free_at = cycle + ((bytes + l->config->port - 1) >> l->port_shift);
}
// A request is done: it is answered, or is a part of one that is not done.
static inline void hd_l2_reply(struct hd_l2 *l, const struct hd_req *r)
{
    struct hd_l2_whole *whole;

    if (!r->part) {
        hd_req_ring_push(&l->out, *r);
        return;
    }
    whole = &l->wholes[r->part - 1];
    if (--whole->left)
        return;
    hd_req_ring_push(&l->out, whole->req);
    l->free_wholes |= hd_bit(r->part - 1);
}
void hd_l2_step(struct hd_l2 *l, uint64_t cycle);
// The first cycle after `cycle` in which a step does anything without new requests, data or room in
// a full `out`. UINT64_MAX if there is none.
uint64_t hd_l2_wakes(const struct hd_l2 *l, uint64_t cycle);
// Shows every request of an SM that waits here, or in the DRAM for a line of this bank
// (hd_mem_ops.look). Stores that missed are not shown while they are in the DRAM.
void hd_l2_look(const struct hd_l2 *l,
                void (*see)(void *ctx, const struct hd_req *r, enum hd_mem_level level), void *ctx);

// l2sectors.c: what a bank with sectors does with a request; false if it must be tried again. The
// data of `addr` arrive and go to `sector`; an atomic waits for them. The host has copied something
// into the sector of `addr`.
bool hd_l2sectors_store(struct hd_l2 *l, const struct hd_req *r, uint64_t cycle);
bool hd_l2sectors_load(struct hd_l2 *l, const struct hd_req *r, uint64_t cycle);
void hd_l2sectors_fill(struct hd_l2 *l, uint64_t addr, uint64_t sector, bool atomic);
// The sector that the reply for `addr` fills.
uint64_t hd_l2sectors_awaited(const struct hd_l2 *l, uint64_t addr);
void hd_l2sectors_copy(struct hd_l2 *l, uint64_t addr, uint64_t cycle);

#endif
