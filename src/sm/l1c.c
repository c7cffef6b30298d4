// l1c.c - the constant cache: constants and kernel parameters (timing-model 7.5).
//
// Read-only, allocated on fill: tags never contain reserved lines. Even merging needs a free entry
// of the miss queue. With two MSHRs, a third line in flight blocks the load/store unit (O30).
#include "sm/sm_internal.h"

void hd_l1c_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_l1c *c = &sm->cfg->l1c;

    hd_cache_init(&sm->l1c, a,
                  &(struct hd_cache_setup){
                      HD_L1_SETUP(sm, c, HD_CLIENT_CONST, HD_REQ_CONST),
                      HD_CACHE_MISSES(c),
                      .room = 1,
                      .allocate = HD_ALLOCATE_ON_FILL,
                      .count = {&sm->stats.l1c_accesses, &sm->stats.l1c_misses, NULL,
                                &sm->stats.l1c_reservation_fails},
                  });
}

enum hd_l1_answer hd_l1c_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                              uint64_t cycle)
{
    struct hd_cache *c = &sm->l1c;

    if (sm->cfg->l1c.perfect) {
        sm->stats.l1c_accesses++;
        return HD_L1_DONE;
    }
    return hd_l1_answer_of(hd_cache_read(c, hd_tags_set(&c->tags, addr), addr, load, warp, cycle));
}

void hd_l1c_fill(struct hd_sm *sm, uint64_t addr, uint64_t cycle)
{
    if (hd_cache_awaits(&sm->l1c, addr))
        return;
    hd_cache_fill(&sm->l1c, hd_tags_set(&sm->l1c.tags, addr), addr, cycle, NULL);
    hd_requeue_wake(&sm->ldst);
}
