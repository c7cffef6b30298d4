// l1d.c - the L1 data cache (timing-model 7.5).
//
// Lines are reserved on a miss; a set whose ways are all reserved refuses everything, even stores
// that need no line (O13). Global stores write through and evict; local ones write back. Read
// misses and merges need two free entries of the miss queue, stores one (O14). Stores and atomics
// of other SMs do not affect the cache, because it only models timing (O17). With sectors the cache
// is that of l1sectors.c.
#include "sm/sm_internal.h"

void hd_l1d_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_l1d *c = &sm->cfg->l1d;
    bool whole = c->sector == c->line;
    struct hd_config_l1d kept = *c; // what is kept in sm->l1d

    if (!whole) {
        kept.sets = kept.ways = 1;
        kept.line = c->sector;
        hd_l1sectors_init(sm, a);
    }
    hd_cache_init(&sm->l1d, a,
                  &(struct hd_cache_setup){
                      HD_L1_SETUP(sm, &kept, HD_CLIENT_L1D, HD_REQ_READ),
                      HD_CACHE_MISSES(c),
                      .room = 2,
                      .allocate = whole ? HD_ALLOCATE_ON_MISS : HD_ALLOCATE_ON_FILL,
                      .astray = c->victims_astray,
                      .writeback = {.tag = HD_TAG(HD_CLIENT_STORE, 0),
                                    .port = (uint16_t)sm->index,
                                    .kind = HD_REQ_WRITEBACK,
                                    .bytes = (uint8_t)c->line,
                                    .part = hd_l1_apart(sm, c->line)},
                      .count = {&sm->stats.l1d_accesses, &sm->stats.l1d_misses,
                                &sm->stats.l1d_pending, &sm->stats.l1d_reservation_fails},
                  });
}

// Linear, or as versions after July 2014 hash it (timing-model 16.1).
static uint32_t set_of(const struct hd_sm *sm, uint64_t addr)
{
    uint32_t linear = hd_tags_set(&sm->l1d.tags, addr);
    uint32_t a = (uint32_t)addr;

    if (!sm->cfg->l1d.hashed)
        return linear;
    uint32_t mix = (a >> 13 & 1) | (a >> 14 & 1) << 1 | (a >> 15 & 1) << 2 | (a >> 17 & 1) << 3 |
                   (a >> 19 & 1) << 4;
    uint32_t low = (a >> 7 & 31) ^ mix;
    return sm->cfg->l1d.sets == 64 ? low | (a >> 12 & 1) << 5 : low;
}

void hd_l1d_forget(struct hd_sm *sm)
{
    struct hd_tags *t = &sm->l1d.tags;

    if (sm->l1d_sectors) {
        hd_sectors_forget(sm->l1d_sectors);
        return;
    }
    for (uint32_t i = 0; i < t->sets * t->ways; i++)
        if (t->lines[i].state != HD_LINE_RESERVED)
            t->lines[i].state = HD_LINE_INVALID;
}

static void report(struct hd_sm *sm, enum hd_event_kind kind, unsigned warp, uint64_t line,
                   uint32_t flags, unsigned owner)
{
    if (hd_notify_wanted(sm, kind))
        hd_l1_report(sm, kind, warp, line, flags, owner);
}

enum hd_l1_answer hd_l1d_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                              uint64_t cycle)
{
    static const uint32_t flags[] = {[HD_CACHE_HIT] = HD_L1_HIT,
                                     [HD_CACHE_PENDING] = HD_L1_PENDING,
                                     [HD_CACHE_MISS] = HD_L1_MISS};
    struct hd_cache *c = &sm->l1d;
    enum hd_cache_answer answer;
    uint32_t set;

    if (sm->l1d_sectors)
        return hd_l1sectors_read(sm, addr, warp, load, cycle);
    set = set_of(sm, addr);
    answer = hd_cache_read(c, set, addr, load, warp, cycle);
    if (answer == HD_CACHE_REFUSED) {
        sm->ldst.refused_set = set;
        return HD_L1_REFUSE;
    }
    sm->stats.l1d_reads++;
    sm->stats.l1d_read_hits += answer == HD_CACHE_HIT;
    if (answer != HD_CACHE_HIT)
        hd_l1_used(sm);
    if (answer == HD_CACHE_MISS && c->victim.state != HD_LINE_INVALID)
        report(sm, HD_EV_L1_EVICT, warp, c->victim.addr, 0, c->victim.owner);
    report(sm, HD_EV_L1_READ, warp, hd_tags_line(&c->tags, addr), flags[answer], 0);
    return hd_l1_answer_of(answer);
}

// The words of 4 bytes that a store writes, as bits of its line.
static uint32_t words_of(const struct hd_access *a)
{
    unsigned words = a->bytes / 4, bits = 32 / words;
    uint32_t all = 0;

    for (unsigned i = 0; i < words; i++)
        all |= (a->lanes >> i * bits & 1) << (a->addr % 128 / 4 + i);
    return all;
}

enum hd_l1_answer hd_l1d_write(struct hd_sm *sm, const struct hd_access *a, bool local,
                               unsigned warp, uint64_t cycle)
{
    struct hd_cache *c = &sm->l1d;
    uint32_t set = set_of(sm, a->addr), index = UINT32_MAX;
    enum hd_tag_result tag;
    bool stays;

    if (sm->l1d_sectors)
        return hd_l1sectors_write(sm, a, warp, cycle);
    tag = hd_cache_find(c, set, a->addr, &index);
    stays = tag == HD_TAG_HIT && local;
    c->lacks = !stays && hd_req_ring_full(&c->out) ? HD_LACKS_QUEUE
               : tag == HD_TAG_MISS && !sm->cfg->l1d.stores_pass && hd_cache_blocked(c, set)
                   ? HD_LACKS_PLACE
                   : 0;
    if (c->lacks) {
        sm->ldst.refused_set = set;
        sm->stats.l1d_reservation_fails++;
        return HD_L1_REFUSE;
    }
    sm->stats.l1d_accesses++;
    if (tag == HD_TAG_PENDING && sm->cfg->l1d.stores_pass)
        sm->stats.l1d_pending++;
    else if (tag != HD_TAG_HIT)
        sm->stats.l1d_misses++;
    report(sm, HD_EV_L1_WRITE, warp, hd_tags_line(&c->tags, a->addr), 0, 0);
    if (stays) {
        c->tags.lines[index].state = HD_LINE_DIRTY;
        c->tags.lines[index].written |= words_of(a);
        hd_cache_use(c, index, cycle);
        return HD_L1_DONE;
    }
    hd_req_ring_push(&c->out, (struct hd_req){.addr = a->addr,
                                              .tag = HD_TAG(HD_CLIENT_STORE, warp),
                                              .lanes = a->lanes,
                                              .port = (uint16_t)sm->index,
                                              .kind = HD_REQ_WRITE,
                                              .owner = (uint8_t)warp,
                                              .bytes = a->bytes,
                                              .part = hd_l1_apart(sm, a->bytes)});
    if (tag == HD_TAG_HIT)
        c->tags.lines[index].state = HD_LINE_INVALID;
    return HD_L1_SENT;
}

void hd_l1d_fill(struct hd_sm *sm, uint64_t addr)
{
    uint32_t index, set;

    if (sm->l1d_sectors) {
        hd_l1sectors_fill(sm, addr);
        sm->ldst.l1d_refused = 0;
    } else {
        if (hd_cache_awaits(&sm->l1d, addr))
            return;
        set = set_of(sm, addr);
        index = hd_cache_fill(&sm->l1d, set, addr, sm->view.cycle, NULL);
        // If a line was reserved again while its MSHR entry was being emptied, only that miss's
        // reply fills it.
        if (index != UINT32_MAX)
            sm->l1d.tags.lines[index].state = HD_LINE_VALID;
        if (set == sm->ldst.refused_set || sm->ldst.queue)
            sm->ldst.l1d_refused = 0;
    }
    hd_requeue_wake(&sm->ldst);
}
