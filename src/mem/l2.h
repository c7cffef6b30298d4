// l2.h - one memory sub-partition up to its DRAM channel: the raster-operation (ROP) delay, four
// queues and an L2 bank.
//
// Invariants: a request that the bank cannot take stays at the head of its queue and blocks those
// after it; the tokens of the miss registers are slots of `merged`, or ALLOCATE for the fill that
// a store's miss asks for.
#ifndef HEDDLE_MEM_L2_H
#define HEDDLE_MEM_L2_H

#include "heddle/config.h"
#include "heddle/stats.h"
#include "hw/cache.h"
#include "mem/addrmap.h"
#include "mem/dram.h"

struct hd_delayed {
    struct hd_req req;
    uint64_t ready; // cycle
};
HD_RING_OF(hd_delay_ring, struct hd_delayed)

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
    uint64_t data_free_at, fill_free_at; // cycles
};

void hd_l2_init(struct hd_l2 *l, struct hd_arena *a, const struct hd_config *c,
                const struct hd_addrmap *map, struct hd_mem_stats *stats);
// False if no request may be popped from the network in this cycle.
static inline bool hd_l2_room(const struct hd_l2 *l)
{
    return !hd_req_ring_full(&l->in);
}
void hd_l2_push(struct hd_l2 *l, const struct hd_req *r, uint64_t cycle);
void hd_l2_step(struct hd_l2 *l, uint64_t cycle);
// The first cycle after `cycle` in which a step does anything without new requests, data or room in
// a full `out`. UINT64_MAX if there is none.
uint64_t hd_l2_wakes(const struct hd_l2 *l, uint64_t cycle);
// Shows every request of an SM that waits here, or in the DRAM for a line of this bank
// (hd_mem_ops.look). Stores that missed are not shown while they are in the DRAM.
void hd_l2_look(const struct hd_l2 *l,
                void (*see)(void *ctx, const struct hd_req *r, enum hd_mem_level level), void *ctx);

#endif
