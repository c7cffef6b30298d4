// l2.c - a sub-partition cycle by cycle, as the memory partition and L2 of GPGPU-Sim 3.2.2
// (timing-model 9.2, 9.3): write-back, write-allocate, LRU, lines reserved at the miss.
//
// Kept from there because it shows in every result: a store that misses goes to the DRAM itself and
// fetches the line too, the line becomes clean, and the store is acknowledged when the DRAM has
// written it; reads need two free places in the miss queue, stores three, also where fewer are
// used; a request refused tries again every cycle. Left out: the perfect L2, the L2 for textures
// only.
#include "mem/l2.h"

#define ALLOCATE UINT32_MAX // token of a fill that answers nobody

void hd_l2_init(struct hd_l2 *l, struct hd_arena *a, const struct hd_config *c,
                const struct hd_addrmap *map, struct hd_mem_stats *stats)
{
    const struct hd_config_l2 *k = &c->l2;
    uint32_t tokens = k->mshrs * k->merges;

    *l = (struct hd_l2){.config = k,
                        .map = map,
                        .stats = stats,
                        .merged = HD_ARRAY(a, struct hd_req, tokens),
                        .unused = HD_ARRAY(a, uint32_t, tokens),
                        .n_unused = tokens,
                        .burst_shift = (uint32_t)__builtin_ctz(c->dram.burst),
                        .port_shift = (uint32_t)__builtin_ctz(k->port)};
    for (uint32_t i = 0; i < tokens; i++)
        l->unused[i] = tokens - 1 - i;
    // One request a cycle comes in, and none stays longer than the delay and those before it do;
    // `in` is full then and nothing more is taken.
    hd_delay_ring_init(&l->rop, a, k->rop + 1);
    hd_req_ring_init(&l->in, a, k->from_net);
    hd_req_ring_init(&l->out, a, k->to_net);
    hd_dram_ring_init(&l->to_dram, a, k->to_dram);
    hd_dram_ring_init(&l->from_dram, a, k->from_dram);
    hd_dram_ring_init(&l->misses, a, k->miss_queue);
    hd_tags_init(&l->tags, a, k->sets, k->ways, k->line);
    hd_mshr_init(&l->mshr, a, k->mshrs, k->merges);
}

void hd_l2_push(struct hd_l2 *l, const struct hd_req *r, uint64_t cycle)
{
    if (r->kind == HD_REQ_TEX)
        hd_req_ring_push(&l->in, *r); // textures do not pass the ROP units
    else
        hd_delay_ring_push(&l->rop,
                           (struct hd_delayed){.req = *r, .ready = cycle + l->config->rop});
}

// One of the requests merged into a line that has arrived is answered.
static void answer(struct hd_l2 *l)
{
    uint32_t token;

    hd_mshr_next(&l->mshr, &token);
    if (token == ALLOCATE)
        return;
    hd_req_ring_push(&l->out, l->merged[token]);
    l->unused[l->n_unused++] = token;
}

// Was one of the requests that wait for the line an atomic? Then it arrives dirty.
static bool has_atomic(const struct hd_l2 *l, int entry)
{
    const struct hd_mshr_entry *e = &l->mshr.entries[entry];

    for (uint32_t i = e->next; i < e->n; i++) {
        uint32_t token = l->mshr.merged[(uint32_t)entry * l->mshr.max_merge + i];
        if (token != ALLOCATE && l->merged[token].kind == HD_REQ_ATOMIC)
            return true;
    }
    return false;
}

static void take_from_dram(struct hd_l2 *l, uint64_t cycle)
{
    const struct hd_dram_req *r = hd_dram_ring_head(&l->from_dram);

    if (r->kind == HD_DRAM_FILL) {
        uint64_t line = hd_tags_line(&l->tags, r->req.addr);
        if (cycle < l->fill_free_at)
            return;
        l->tags.lines[r->line].state =
            has_atomic(l, hd_mshr_find(&l->mshr, line)) ? HD_LINE_DIRTY : HD_LINE_VALID;
        hd_mshr_fill(&l->mshr, line);
        l->fill_free_at = cycle + (l->config->line >> l->port_shift);
    } else {
        if (hd_req_ring_full(&l->out))
            return;
        hd_req_ring_push(&l->out, r->req); // a store's acknowledgement
    }
    hd_dram_ring_pop(&l->from_dram);
}

static void send(struct hd_l2 *l, enum hd_dram_kind kind, const struct hd_req *r, uint32_t bytes,
                 uint32_t line)
{
    struct hd_dram_place p = hd_addrmap_find(l->map, r->addr);

    hd_dram_ring_push(&l->misses, (struct hd_dram_req){
                                      .req = *r,
                                      .row = p.row,
                                      .line = line,
                                      .bursts = (uint16_t)((bytes + (1U << l->burst_shift) - 1) >>
                                                           l->burst_shift),
                                      .bank = (uint8_t)p.bank,
                                      .kind = (uint8_t)kind,
                                      .sub = (uint8_t)(p.partition & (l->map->subs - 1))});
}

// A miss, or a match on a line that is still reserved: merge into the line's miss register, or take
// one and fetch the line. The caller made sure of room. Returns true if a dirty line was evicted;
// its write-back is queued last.
static bool fetch(struct hd_l2 *l, enum hd_tag_result probe, uint32_t index, int entry,
                  const struct hd_req *r, uint32_t token, uint64_t cycle)
{
    struct hd_tag_line *t = &l->tags.lines[index], evicted = *t;
    uint64_t line = hd_tags_line(&l->tags, r->addr);
    bool dirty = probe == HD_TAG_MISS && t->state == HD_LINE_DIRTY;

    if (probe == HD_TAG_MISS)
        *t = (struct hd_tag_line){.addr = line, .state = HD_LINE_RESERVED, .owner = r->owner};
    t->last_use = cycle;
    if (token != ALLOCATE)
        l->merged[token] = *r;
    hd_mshr_add(&l->mshr, entry, line, token);
    if (entry < 0)
        send(l, HD_DRAM_FILL, r, l->config->line, index);
    if (dirty) {
        struct hd_req back = {.addr = evicted.addr, .kind = HD_REQ_READ};
        send(l, HD_DRAM_WRITEBACK, &back, l->config->line, 0);
    }
    return dirty;
}

static bool is_store(const struct hd_req *r)
{
    return r->kind == HD_REQ_WRITE || r->kind == HD_REQ_WRITEBACK;
}

static bool miss(struct hd_l2 *l, enum hd_tag_result probe, uint32_t index, const struct hd_req *r,
                 uint64_t cycle)
{
    bool store = is_store(r);
    uint32_t needed = store ? 3 : 2;
    int entry;

    if (hd_dram_ring_room(&l->misses) < needed)
        return false;
    entry = hd_mshr_find(&l->mshr, hd_tags_line(&l->tags, r->addr));
    if (!hd_mshr_room(&l->mshr, entry))
        return false;
    if (store) {
        send(l, r->kind == HD_REQ_WRITE ? HD_DRAM_WRITE : HD_DRAM_WRITEBACK, r, r->bytes, 0);
        fetch(l, probe, index, entry, r, ALLOCATE, cycle);
    } else if (fetch(l, probe, index, entry, r, l->unused[--l->n_unused], cycle)) {
        l->data_free_at = cycle + (l->config->line >> l->port_shift); // reads out the victim
    }
    return true;
}

static void hit(struct hd_l2 *l, uint32_t index, const struct hd_req *r, uint64_t cycle)
{
    struct hd_tag_line *t = &l->tags.lines[index];
    uint32_t bytes = is_store(r) ? r->bytes : r->reply_bytes;

    t->last_use = cycle;
    if (is_store(r) || r->kind == HD_REQ_ATOMIC)
        t->state = HD_LINE_DIRTY;
    l->data_free_at = cycle + ((bytes + l->config->port - 1) >> l->port_shift);
    if (r->kind == HD_REQ_WRITEBACK)
        l->written_back++;
    else
        hd_req_ring_push(&l->out, *r);
}

// The request at the head goes to the bank. If it is refused it tries again in the next cycle.
static void access(struct hd_l2 *l, uint64_t cycle)
{
    const struct hd_req *r = hd_req_ring_head(&l->in);
    struct hd_dram_place p = hd_addrmap_find(l->map, r->addr);
    uint32_t index, set = (uint32_t)(p.inside >> l->tags.line_shift) & (l->tags.sets - 1);
    enum hd_tag_result probe = hd_tags_probe(&l->tags, set, r->addr, &index);

    if (probe == HD_TAG_HIT) {
        hit(l, index, r, cycle);
    } else if (probe == HD_TAG_FULL || !miss(l, probe, index, r, cycle)) {
        l->stats->l2_reservation_fails++;
        return;
    }
    l->stats->l2_accesses++;
    l->stats->l2_misses += probe == HD_TAG_MISS;
    l->stats->l2_pending += probe == HD_TAG_PENDING;
    hd_req_ring_pop(&l->in);
}

void hd_l2_step(struct hd_l2 *l, uint64_t cycle)
{
    if (hd_mshr_pending(&l->mshr) && !hd_req_ring_full(&l->out))
        answer(l);
    if (!hd_dram_ring_empty(&l->from_dram))
        take_from_dram(l, cycle);
    if (!hd_dram_ring_empty(&l->misses) && !hd_dram_ring_full(&l->to_dram))
        hd_dram_ring_push(&l->to_dram, hd_dram_ring_pop(&l->misses));
    if (!hd_req_ring_empty(&l->in) && !hd_dram_ring_full(&l->to_dram) &&
        !hd_req_ring_full(&l->out) && cycle >= l->data_free_at)
        access(l, cycle);
    if (!hd_delay_ring_empty(&l->rop) && cycle >= hd_delay_ring_head(&l->rop)->ready &&
        !hd_req_ring_full(&l->in))
        hd_req_ring_push(&l->in, hd_delay_ring_pop(&l->rop).req);
}

uint64_t hd_l2_wakes(const struct hd_l2 *l, uint64_t cycle)
{
    bool out = !hd_req_ring_full(&l->out), in = !hd_req_ring_full(&l->in);
    uint64_t next = UINT64_MAX;

    if ((hd_mshr_pending(&l->mshr) && out) || !hd_dram_ring_empty(&l->misses))
        return cycle + 1;
    if (!hd_dram_ring_empty(&l->from_dram)) {
        if (hd_dram_ring_head(&l->from_dram)->kind == HD_DRAM_FILL)
            next = l->fill_free_at;
        else if (out)
            return cycle + 1;
    }
    if (!hd_req_ring_empty(&l->in) && out && l->data_free_at < next)
        next = l->data_free_at;
    if (!hd_delay_ring_empty(&l->rop) && in && hd_delay_ring_head(&l->rop)->ready < next)
        next = hd_delay_ring_head(&l->rop)->ready;
    return next > cycle ? next : cycle + 1;
}
