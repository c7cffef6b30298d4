// l1c.c - the constant cache: constants and kernel parameters (timing-model 7.5).
//
// Read-only, allocated on fill: tags never hold reserved lines. A free place in the miss queue is
// needed even to merge. With two MSHRs, a third line in flight blocks the load/store unit (O30).
#include "sm/sm_internal.h"

void hd_l1c_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_l1c *c = &sm->cfg->l1c;

    hd_tags_init(&sm->l1c.tags, a, c->sets, c->ways, c->line);
    hd_mshr_init(&sm->l1c.mshr, a, c->mshrs, c->merges);
    hd_req_ring_init(&sm->l1c.misses, a, c->miss_queue);
}

enum hd_l1_answer hd_l1c_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                              uint64_t cycle)
{
    struct hd_l1 *c = &sm->l1c;
    uint64_t line = hd_tags_line(&c->tags, addr);
    uint32_t index;
    int entry;

    if (sm->cfg->l1c.perfect) {
        sm->stats.l1c_accesses++;
        return HD_L1_DONE;
    }
    if (hd_tags_probe(&c->tags, hd_tags_set(&c->tags, addr), addr, &index) == HD_TAG_HIT) {
        sm->stats.l1c_accesses++;
        c->tags.lines[index].last_use = cycle;
        return HD_L1_DONE;
    }
    entry = hd_mshr_find(&c->mshr, line);
    if (hd_req_ring_full(&c->misses) || !hd_mshr_room(&c->mshr, entry)) {
        sm->stats.l1c_reservation_fails++;
        return HD_L1_REFUSE;
    }
    sm->stats.l1c_accesses++;
    sm->stats.l1c_misses++;
    hd_mshr_add(&c->mshr, entry, line, load);
    if (entry < 0)
        hd_req_ring_push(&c->misses, (struct hd_req){.addr = line,
                                                     .tag = HD_TAG(HD_CLIENT_CONST, 0),
                                                     .port = (uint16_t)sm->index,
                                                     .kind = HD_REQ_CONST,
                                                     .owner = (uint8_t)warp,
                                                     .reply_bytes = (uint8_t)sm->cfg->l1c.line});
    return HD_L1_SENT;
}

void hd_l1c_fill(struct hd_sm *sm, uint64_t addr, uint64_t cycle)
{
    struct hd_l1 *c = &sm->l1c;
    uint32_t index;

    hd_tags_probe(&c->tags, hd_tags_set(&c->tags, addr), addr, &index);
    c->tags.lines[index] = (struct hd_tag_line){
        .addr = hd_tags_line(&c->tags, addr), .last_use = cycle, .state = HD_LINE_VALID};
    hd_mshr_fill(&c->mshr, hd_tags_line(&c->tags, addr));
}
