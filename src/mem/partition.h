// partition.h - a memory partition: one DRAM channel and the sub-partitions that share it.
//
// Invariant: a sub-partition's request needs a credit to go to the DRAM, so that the scheduler and
// the return queue have room for all requests in flight. A credit returns when the answer reaches
// the sub-partition or the write-back is done.
#ifndef HEDDLE_MEM_PARTITION_H
#define HEDDLE_MEM_PARTITION_H

#include "mem/l2.h"

#define HD_PARTITION_SUBS 8 // at most

struct hd_latent {
    struct hd_dram_req req;
    uint64_t ready; // core cycle
};
HD_RING_OF(hd_latent_ring, struct hd_latent)

struct hd_partition {
    const struct hd_config_dram *config;
    struct hd_l2 *subs;
    struct hd_dram dram;
    struct hd_mem_stats stats;     // of the channel and of the L2 banks
    struct hd_latent_ring latent;  // on the way to the scheduler
    uint32_t last_borrower;        // sub-partition served last
    uint32_t shared, shared_limit; // credits in use, and how many there are
    bool own[HD_PARTITION_SUBS];   // each sub-partition's own credit is in use
    uint64_t wakes;                // DRAM tick before which a tick needs new input
    uint32_t written_back;         // SMs' write-backs done since the reader last cleared it
};

void hd_partition_init(struct hd_partition *p, struct hd_arena *a, const struct hd_config *c,
                       struct hd_l2 *subs);
// One tick of the DRAM clock, at or before core cycle `cycle`. Returns the sub-partition that was
// given data or an acknowledgement, HD_NONE if none was.
int hd_partition_tick(struct hd_partition *p, uint64_t tick, uint64_t cycle);
static inline bool hd_partition_has_input(const struct hd_partition *p)
{
    for (uint32_t i = 0; i < p->config->subs; i++)
        if (!hd_dram_ring_empty(&p->subs[i].to_dram))
            return true;
    return false;
}
// False if tick number `tick` would do nothing.
static inline bool hd_partition_busy(const struct hd_partition *p, uint64_t tick, uint64_t cycle)
{
    if (p->wakes <= tick ||
        (!hd_latent_ring_empty(&p->latent) && hd_latent_ring_head(&p->latent)->ready <= cycle))
        return true;
    return hd_partition_has_input(p);
}
// True if nothing is in the partition below its L2 banks.
static inline bool hd_partition_empty(const struct hd_partition *p)
{
    return p->wakes == UINT64_MAX && hd_latent_ring_empty(&p->latent) && !hd_partition_has_input(p);
}

#endif
