// l1d.c - the L1 data cache (timing-model 7.5).
//
// Lines are reserved on a miss; a set whose ways are all reserved refuses everything, even stores
// that need no line (O13). Global stores go through and evict; local ones write back. Read misses
// and merges need two free places in the miss queue, stores one (O14). Hits by other SMs' stores or
// atomics do not exist: the cache is timing only (O17).
#include "sm/sm_internal.h"

void hd_l1d_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_l1d *c = &sm->cfg->l1d;

    hd_tags_init(&sm->l1d.tags, a, c->sets, c->ways, c->line);
    hd_mshr_init(&sm->l1d.mshr, a, c->mshrs, c->merges);
    hd_req_ring_init(&sm->l1d.misses, a, c->miss_queue);
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

static void tell(struct hd_sm *sm, enum hd_event_kind kind, unsigned warp, uint64_t line,
                 uint32_t flags, unsigned owner)
{
    if (hd_notify_wanted(sm, kind))
        hd_notify_event(sm, &(struct hd_event){.kind = (uint8_t)kind,
                                               .sched = (uint8_t)(warp % sm->view.n_sched),
                                               .warp = (uint8_t)warp,
                                               .tb = sm->tb_of[warp],
                                               .flags = flags,
                                               .line = line,
                                               .owner = owner,
                                               .kernel = sm->view.kernel});
}

static struct hd_req request(const struct hd_sm *sm, uint64_t addr, unsigned warp, unsigned kind,
                             unsigned bytes)
{
    return (struct hd_req){.addr = addr,
                           .tag = kind == HD_REQ_READ ? HD_TAG(HD_CLIENT_L1D, 0)
                                                      : HD_TAG(HD_CLIENT_STORE, warp),
                           .port = (uint16_t)sm->index,
                           .kind = (uint8_t)kind,
                           .owner = (uint8_t)warp,
                           .bytes = kind == HD_REQ_READ ? 0 : (uint8_t)bytes,
                           .reply_bytes = kind == HD_REQ_READ ? (uint8_t)bytes : 0};
}

// Give `line` the victim's place; a dirty victim is written back.
static void reserve(struct hd_sm *sm, uint32_t index, uint64_t line, unsigned warp, uint64_t cycle)
{
    struct hd_tag_line *l = &sm->l1d.tags.lines[index];
    struct hd_tag_line old = *l;

    *l = (struct hd_tag_line){
        .addr = line, .last_use = cycle, .state = HD_LINE_RESERVED, .owner = (uint8_t)warp};
    if (old.state == HD_LINE_DIRTY)
        hd_req_ring_push(&sm->l1d.misses,
                         request(sm, old.addr, warp, HD_REQ_WRITEBACK, sm->cfg->l1d.line));
    if (old.state != HD_LINE_INVALID)
        tell(sm, HD_EV_L1_EVICT, warp, old.addr, 0, old.owner);
}

void hd_l1d_used(struct hd_sm *sm)
{
    for (struct hd_sm_watch *w = sm->watches; w; w = w->next)
        hd_sm_watch_mshrs(w, &sm->view);
    sm->view.l1d_mshr = (uint16_t)sm->l1d.mshr.n_used;
}

enum hd_l1_answer hd_l1d_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                              uint64_t cycle)
{
    struct hd_l1 *c = &sm->l1d;
    uint64_t line = hd_tags_line(&c->tags, addr);
    uint32_t index;
    enum hd_tag_result tag = hd_tags_probe(&c->tags, set_of(sm, addr), addr, &index);
    int entry;

    if (tag == HD_TAG_HIT) {
        sm->stats.l1d_accesses++;
        c->tags.lines[index].last_use = cycle;
        tell(sm, HD_EV_L1_READ, warp, line, HD_L1_HIT, 0);
        return HD_L1_DONE;
    }
    entry = tag == HD_TAG_FULL ? -1 : hd_mshr_find(&c->mshr, line);
    if (tag == HD_TAG_FULL || hd_req_ring_room(&c->misses) < 2 || !hd_mshr_room(&c->mshr, entry)) {
        sm->stats.l1d_reservation_fails++;
        return HD_L1_REFUSE;
    }
    sm->stats.l1d_accesses++;
    if (tag == HD_TAG_PENDING) {
        sm->stats.l1d_pending++;
        c->tags.lines[index].last_use = cycle;
    } else {
        sm->stats.l1d_misses++;
    }
    hd_mshr_add(&c->mshr, entry, line, load);
    hd_l1d_used(sm);
    if (entry < 0)
        hd_req_ring_push(&c->misses, request(sm, line, warp, HD_REQ_READ, sm->cfg->l1d.line));
    if (tag == HD_TAG_MISS)
        reserve(sm, index, line, warp, cycle);
    tell(sm, HD_EV_L1_READ, warp, line, tag == HD_TAG_PENDING ? HD_L1_PENDING : HD_L1_MISS, 0);
    return HD_L1_SENT;
}

enum hd_l1_answer hd_l1d_write(struct hd_sm *sm, const struct hd_access *a, bool local,
                               unsigned warp, uint64_t cycle)
{
    struct hd_l1 *c = &sm->l1d;
    uint32_t index;
    enum hd_tag_result tag = hd_tags_probe(&c->tags, set_of(sm, a->addr), a->addr, &index);

    if (tag == HD_TAG_FULL || (!(tag == HD_TAG_HIT && local) && hd_req_ring_full(&c->misses))) {
        sm->stats.l1d_reservation_fails++;
        return HD_L1_REFUSE;
    }
    sm->stats.l1d_accesses++;
    if (tag != HD_TAG_HIT)
        sm->stats.l1d_misses++;
    tell(sm, HD_EV_L1_WRITE, warp, hd_tags_line(&c->tags, a->addr), 0, 0);
    if (tag == HD_TAG_HIT && local) {
        c->tags.lines[index].state = HD_LINE_DIRTY;
        c->tags.lines[index].last_use = cycle;
        return HD_L1_DONE;
    }
    hd_req_ring_push(&c->misses, request(sm, a->addr, warp, HD_REQ_WRITE, a->bytes));
    if (tag == HD_TAG_HIT)
        c->tags.lines[index].state = HD_LINE_INVALID;
    return HD_L1_SENT;
}

void hd_l1d_fill(struct hd_sm *sm, uint64_t addr)
{
    struct hd_l1 *c = &sm->l1d;
    uint32_t index;

    // A line reserved anew while its MSHR entry still drained is filled by that miss's reply only.
    if (hd_tags_probe(&c->tags, set_of(sm, addr), addr, &index) == HD_TAG_PENDING)
        c->tags.lines[index].state = HD_LINE_VALID;
    hd_mshr_fill(&c->mshr, hd_tags_line(&c->tags, addr));
    sm->ldst.l1d_refused = false;
}
