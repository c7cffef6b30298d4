// l1t.c - the texture cache (timing-model 7.5).
//
// It is made for throughput, not latency: tags change when an access comes in, as if its line had
// arrived already, and every access then waits in one queue for those before it. A hit after a miss
// waits for the miss's line. It sends one request to memory and returns one result per cycle.
#include "sm/sm_internal.h"

void hd_l1t_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_l1t *c = &sm->cfg->l1t;

    hd_cache_init(&sm->l1t.cache, a,
                  &(struct hd_cache_setup){HD_L1_SETUP(sm, c, HD_CLIENT_TEX, HD_REQ_TEX),
                                           .queue = c->requests});
    hd_fragment_ring_init(&sm->l1t.fragments, a, c->fragments);
    hd_part_ring_init(&sm->l1t.rob, a, c->rob);
    hd_load_ring_init(&sm->l1t.results, a, c->results);
}

static void request_line(struct hd_sm *sm, uint64_t line, unsigned warp)
{
    struct hd_l1t *c = &sm->l1t;
    uint32_t place = c->rob.tail & 0xffffff; // as much of the running number as a tag holds

    hd_part_ring_push(&c->rob, c->cache.parts);
    hd_req_ring_push(&c->cache.out, (struct hd_req){.addr = line,
                                                    .tag = HD_TAG(HD_CLIENT_TEX, place),
                                                    .port = (uint16_t)sm->index,
                                                    .kind = HD_REQ_TEX,
                                                    .owner = (uint8_t)warp,
                                                    .reply_bytes = (uint8_t)sm->cfg->l1t.line});
}

enum hd_l1_answer hd_l1t_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                              uint64_t cycle)
{
    struct hd_l1t *c = &sm->l1t;
    uint32_t set = hd_tags_set(&c->cache.tags, addr), index;
    bool miss;

    if (sm->cfg->l1t.perfect) {
        sm->stats.l1t_accesses++;
        return HD_L1_DONE;
    }
    if (hd_fragment_ring_full(&c->fragments) || hd_req_ring_full(&c->cache.out) ||
        hd_part_ring_full(&c->rob)) {
        sm->stats.l1t_reservation_fails++;
        return HD_L1_REFUSE;
    }
    miss = hd_cache_find(&c->cache, set, addr, &index) == HD_TAG_MISS;
    sm->stats.l1t_accesses++;
    sm->stats.l1t_misses += miss;
    if (miss)
        hd_cache_place(&c->cache, set, addr, HD_LINE_VALID, 0, cycle);
    else
        hd_cache_use(&c->cache, index, cycle);
    hd_fragment_ring_push(&c->fragments, (struct hd_fragment){.load = load, .miss = miss});
    sm->ldst.textures++;
    if (miss)
        request_line(sm, hd_tags_line(&c->cache.tags, addr), warp);
    return HD_L1_SENT;
}

void hd_l1t_fill(struct hd_sm *sm, uint32_t place)
{
    struct hd_part_ring *rob = &sm->l1t.rob;

    --*hd_part_ring_at(rob, (place - rob->head) & 0xffffff);
    hd_requeue_wake(&sm->ldst);
}

void hd_l1t_cycle(struct hd_sm *sm, uint64_t cycle)
{
    struct hd_l1t *c = &sm->l1t;

    if (hd_l1_can_send(sm, &c->cache.out)) {
        struct hd_req r = hd_req_ring_pop(&c->cache.out);
        r.issued = cycle;
        hd_sm_push(sm, &r);
        hd_requeue_wake(&sm->ldst);
    }
    if (hd_fragment_ring_empty(&c->fragments) || hd_load_ring_full(&c->results))
        return;
    const struct hd_fragment *f = hd_fragment_ring_head(&c->fragments);
    if (f->miss) {
        if (*hd_part_ring_head(&c->rob))
            return;
        hd_part_ring_pop(&c->rob);
    }
    hd_load_ring_push(&c->results, f->load);
    hd_fragment_ring_pop(&c->fragments);
    hd_requeue_wake(&sm->ldst);
}

// True if the cache can only wait for a line, or for room in the network.
bool hd_l1t_quiet(const struct hd_sm *sm)
{
    const struct hd_l1t *c = &sm->l1t;

    return hd_load_ring_empty(&c->results) &&
           (hd_fragment_ring_empty(&c->fragments) ||
            (hd_fragment_ring_head(&c->fragments)->miss && *hd_part_ring_head(&c->rob)));
}
