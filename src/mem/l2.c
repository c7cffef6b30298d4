// l2.c - a sub-partition cycle by cycle, as the memory partition and L2 of GPGPU-Sim 3.2.2
// (timing-model 9.2, 9.3): write-back, write-allocate, LRU, lines reserved at the miss.
//
// These details of the reference are kept because they affect every result: a store that misses
// goes to the DRAM and fetches the line too, the line becomes clean, and the store is acknowledged
// when the DRAM has written it; reads need two free entries of the miss queue, stores three, even
// if fewer are used; a refused request tries again every cycle. Not modelled: the perfect L2, the
// L2 for textures only. Of a bank with sectors (l2sectors.c), the queues and the order are here.
#include "mem/l2.h"

#define ALLOCATE UINT32_MAX // token of a fill that answers no requester
#define OWN_PORT UINT16_MAX // port of write-backs that this bank itself sends

// One request per cycle comes in, and none stays longer than the delay unless those before it do;
// then `in` is full and nothing more is accepted. But the parts of a divided request come in at
// once and leave one by one: the lines that all SMs may await bound their number.
static uint32_t rop_room(const struct hd_config *c)
{
    uint32_t room = c->l2.rop + 1, lines = c->l1d.mshrs + c->l1i.mshrs + c->l1c.mshrs;

    if (c->l2.sector == c->l2.line)
        return room;
    return HD_SECTORS * (c->sm.segment > c->l2.sector ? room + c->sm.sms * lines : room);
}

void hd_l2_init(struct hd_l2 *l, struct hd_arena *a, const struct hd_config *c,
                const struct hd_addrmap *map, struct hd_mem_stats *stats)
{
    const struct hd_config_l2 *k = &c->l2;
    uint32_t tokens = k->mshrs * k->merges;
    bool whole = k->sector == k->line;
    struct hd_config_l2 kept = *k; // what is kept in `cache`

    *l = (struct hd_l2){.config = k,
                        .map = map,
                        .strays = k->halves_astray || c->l1d.victims_astray,
                        .merged = HD_ARRAY(a, struct hd_req, tokens),
                        .unused = HD_ARRAY(a, uint32_t, tokens),
                        .n_unused = tokens,
                        .burst_shift = (uint32_t)__builtin_ctz(c->dram.burst),
                        .port_shift = (uint32_t)__builtin_ctz(k->port)};
    for (uint32_t i = 0; i < tokens; i++)
        l->unused[i] = tokens - 1 - i;
    hd_delay_ring_init(&l->rop, a, rop_room(c));
    hd_req_ring_init(&l->in, a, k->from_net);
    hd_req_ring_init(&l->out, a, k->to_net);
    hd_dram_ring_init(&l->to_dram, a, k->to_dram);
    hd_dram_ring_init(&l->from_dram, a, k->from_dram);
    if (!whole) {
        kept.sets = kept.ways = 1;
        kept.line = k->sector;
        l->sectors = HD_NEW(a, hd_sectors);
        l->wholes = HD_ARRAY(a, struct hd_l2_whole, HD_L2_WHOLES);
        l->free_wholes = hd_low(HD_L2_WHOLES);
        hd_sectors_init(l->sectors, a, k->sets, k->ways, 0);
    }
    hd_cache_init(
        &l->cache, a,
        &(struct hd_cache_setup){
            HD_CACHE_SHAPE(&kept),
            HD_CACHE_MISSES(k),
            .room = 2,
            .allocate = whole ? HD_ALLOCATE_ON_MISS : HD_ALLOCATE_ON_FILL,
            .seed = (uint64_t)c->gpu.seed << 32,
            .fill = {.kind = HD_REQ_READ, .bytes = (uint8_t)k->sector},
            .writeback = {.port = OWN_PORT, .kind = HD_REQ_WRITEBACK, .bytes = (uint8_t)k->line},
            .count = {&stats->l2_accesses, &stats->l2_misses, &stats->l2_pending,
                      &stats->l2_reservation_fails},
        });
}

static void push(struct hd_l2 *l, const struct hd_req *r, uint64_t cycle)
{
    if (r->kind == HD_REQ_TEX)
        hd_req_ring_push(&l->in, *r); // textures do not pass the ROP units
    else
        hd_delay_ring_push(&l->rop,
                           (struct hd_delayed){.req = *r, .ready = cycle + l->config->rop});
}

bool hd_l2_room_for_parts(const struct hd_l2 *l)
{
    return hd_req_ring_room(&l->in) >= HD_SECTORS && hd_delay_ring_room(&l->rop) >= HD_SECTORS &&
           l->free_wholes;
}

// The bytes of its sector `i` that a store with HD_REQ_APART writes.
static uint32_t written(const struct hd_req *r, unsigned i)
{
    unsigned sectors = r->bytes / HD_SECTOR_BYTES;
    uint32_t own = r->lanes >> i * (HD_SECTOR_BYTES / sectors), all = 0;

    for (unsigned byte = 0; byte < HD_SECTOR_BYTES; byte++)
        all |= (own >> byte / sectors & 1) << byte;
    return all;
}

// l2.halves_astray: what the reference does to part `i` of a store.
static void lead_astray(const struct hd_req *r, unsigned i, struct hd_req *part)
{
    unsigned bytes = 0;

    if (r->bytes == HD_SECTOR_LINE / 2 && r->addr % HD_SECTOR_LINE)
        part->addr += HD_SECTOR_LINE;
    if (r->bytes != HD_SECTOR_LINE)
        return;
    // A part has the bytes of those before it, too, and counts as whole if these are 32.
    for (unsigned k = 0; k <= i; k++)
        bytes += (unsigned)__builtin_popcount(written(r, k));
    part->part = bytes == HD_SECTOR_BYTES ? HD_REQ_APART : 0;
}

static struct hd_req part_of(const struct hd_l2 *l, const struct hd_req *r, unsigned i)
{
    struct hd_req part = *r;

    part.addr = hd_sectors_base(r->addr) + (uint64_t)i * HD_SECTOR_BYTES;
    part.part = 0;
    part.bytes = r->bytes ? HD_SECTOR_BYTES : 0;
    part.reply_bytes = r->reply_bytes ? HD_SECTOR_BYTES : 0;
    if (r->kind != HD_REQ_WRITE && r->kind != HD_REQ_WRITEBACK)
        return part;
    part.lanes = r->part == HD_REQ_APART ? written(r, i) : UINT32_MAX;
    if (r->part == HD_REQ_APART && l->config->halves_astray)
        lead_astray(r, i, &part);
    return part;
}

// A request for several sectors enters in as many parts. Each part of a line of a texture is
// answered for itself, and so are those of HD_REQ_APART. The parts of any other take a slot of
// `wholes`; the caller asked hd_l2_room_for_parts whether one is free.
static void push_parts(struct hd_l2 *l, const struct hd_req *r, uint64_t end, uint64_t cycle)
{
    uint64_t sectors = (end - hd_sectors_base(r->addr) + HD_SECTOR_BYTES - 1) / HD_SECTOR_BYTES;
    bool alone = r->part == HD_REQ_APART || r->kind == HD_REQ_TEX;
    int whole = hd_first(l->free_wholes);

    if (!alone) {
        l->wholes[whole].req = *r;
        l->free_wholes &= l->free_wholes - 1;
    }
    for (unsigned i = 0; i < sectors; i++) {
        struct hd_req part = part_of(l, r, i);
        if (!alone) {
            part.part = (uint8_t)(whole + 1);
            l->wholes[whole].left++;
        } else if (i) {
            l->divided++;
        }
        push(l, &part, cycle);
    }
}

uint64_t hd_l2_push(struct hd_l2 *l, const struct hd_req *r, uint64_t cycle)
{
    uint64_t end = r->addr + (r->bytes > r->reply_bytes ? r->bytes : r->reply_bytes);

    if (l->sectors && end > hd_sectors_base(r->addr) + HD_SECTOR_BYTES)
        push_parts(l, r, end, cycle);
    else
        push(l, r, cycle);
    return r->kind == HD_REQ_TEX ? cycle : cycle + l->config->rop;
}

// Answers one of the requests merged into a line that has arrived.
static void answer(struct hd_l2 *l)
{
    uint32_t token;

    hd_mshr_next(&l->cache.mshr, &token);
    if (token == ALLOCATE)
        return;
    hd_l2_reply(l, &l->merged[token]);
    l->unused[l->n_unused++] = token;
}

static uint32_t set_of(const struct hd_l2 *l, uint64_t addr)
{
    uint64_t inside = hd_addrmap_inside(l->map, addr);

    return (uint32_t)(inside >> l->cache.tags.line_shift) & (l->cache.tags.sets - 1);
}

// Whether an atomic is among the requests that wait for the line: then the line arrives dirty.
static bool has_atomic(const struct hd_l2 *l, uint64_t addr)
{
    const struct hd_mshr *m = &l->cache.mshr;
    int entry = hd_mshr_find(m, hd_tags_line(&l->cache.tags, addr));
    const struct hd_mshr_entry *e = &m->entries[entry];

    for (uint32_t i = e->next; i < e->n; i++) {
        uint32_t token = m->merged[(uint32_t)entry * m->max_merge + i];
        if (token != ALLOCATE && l->merged[token].kind == HD_REQ_ATOMIC)
            return true;
    }
    return false;
}

static void fill(struct hd_l2 *l, uint64_t addr, uint64_t cycle)
{
    bool atomic = has_atomic(l, addr);
    uint32_t index;

    if (l->sectors) {
        hd_l2sectors_fill(l, addr, hd_l2sectors_awaited(l, addr), atomic);
        return;
    }
    index = hd_cache_fill(&l->cache, set_of(l, addr), addr, cycle, NULL);
    l->cache.tags.lines[index].state = atomic ? HD_LINE_DIRTY : HD_LINE_VALID;
}

static void take_from_dram(struct hd_l2 *l, uint64_t cycle)
{
    const struct hd_dram_req *r = hd_dram_ring_head(&l->from_dram);

    if (r->kind == HD_DRAM_FILL) {
        if (cycle < l->fill_free_at)
            return;
        fill(l, r->req.addr, cycle);
        l->fill_free_at = cycle + (l->config->sector >> l->port_shift);
    } else {
        if (hd_req_ring_full(&l->out))
            return;
        hd_req_ring_push(&l->out, r->req); // a store's acknowledgement
    }
    hd_dram_ring_pop(&l->from_dram);
}

// Sends the oldest miss, write or write-back to the DRAM.
static void send(struct hd_l2 *l)
{
    struct hd_req r = hd_req_ring_pop(&l->cache.out);
    struct hd_dram_place p = hd_addrmap_find(l->map, r.addr);
    enum hd_dram_kind kind = r.kind == HD_REQ_READ    ? HD_DRAM_FILL
                             : r.kind == HD_REQ_WRITE ? HD_DRAM_WRITE
                                                      : HD_DRAM_WRITEBACK;

    if (r.port == OWN_PORT) // only write-backs of SMs are counted when they are done
        r.kind = HD_REQ_READ;
    hd_dram_ring_push(
        &l->to_dram,
        (struct hd_dram_req){
            .req = r,
            .row = p.row,
            .bursts = (uint16_t)((r.bytes + (1U << l->burst_shift) - 1) >> l->burst_shift),
            .bank = (uint8_t)p.bank,
            .kind = (uint8_t)kind,
            .sub = l->strays ? l->own_sub : (uint8_t)(p.partition & (l->map->subs - 1))});
}

static bool is_store(const struct hd_req *r)
{
    return r->kind == HD_REQ_WRITE || r->kind == HD_REQ_WRITEBACK;
}

static bool store(struct hd_l2 *l, const struct hd_req *r, uint32_t set, uint64_t cycle)
{
    struct hd_cache *c = &l->cache;
    uint32_t index = UINT32_MAX;
    enum hd_tag_result tag = hd_cache_find(c, set, r->addr, &index);
    int entry;

    if (tag == HD_TAG_HIT) {
        hd_cache_use(c, index, cycle);
        c->tags.lines[index].state = HD_LINE_DIRTY;
        hd_l2_occupy(l, r->bytes, cycle);
        if (r->kind == HD_REQ_WRITEBACK)
            l->written_back++;
        else
            hd_req_ring_push(&l->out, *r);
    } else if (hd_cache_admits(c, tag, set, r->addr, 3, &entry)) {
        hd_req_ring_push(&c->out, *r);
        hd_cache_miss(c, tag, set, index, r->addr, entry, ALLOCATE, r->owner, cycle);
        ++*(tag == HD_TAG_MISS ? c->count.misses : c->count.pending);
    } else {
        ++*c->count.refused;
        return false;
    }
    ++*c->count.accesses;
    return true;
}

static bool load(struct hd_l2 *l, const struct hd_req *r, uint32_t set, uint64_t cycle)
{
    struct hd_cache *c = &l->cache;
    uint32_t token = l->n_unused ? l->unused[l->n_unused - 1] : ALLOCATE; // none: refused
    uint32_t index = UINT32_MAX;
    enum hd_tag_result tag = hd_cache_find(c, set, r->addr, &index);

    if (tag == HD_TAG_HIT) {
        ++*c->count.accesses;
        hd_cache_use(c, index, cycle);
        if (r->kind == HD_REQ_ATOMIC)
            c->tags.lines[index].state = HD_LINE_DIRTY;
        hd_l2_occupy(l, r->reply_bytes, cycle);
        hd_req_ring_push(&l->out, *r);
        return true;
    }
    if (hd_cache_read_missed(c, tag, set, index, r->addr, token, r->owner, cycle) ==
        HD_CACHE_REFUSED)
        return false;
    l->merged[token] = *r;
    l->n_unused--;
    if (c->victim.state == HD_LINE_DIRTY)
        hd_l2_occupy(l, l->config->line, cycle); // reads out the victim
    return true;
}

// The bank accesses the request at the head. If it is refused, it tries again in the next cycle.
static void access(struct hd_l2 *l, uint64_t cycle)
{
    const struct hd_req *r = hd_req_ring_head(&l->in);
    uint32_t set;

    if (l->sectors) {
        if (is_store(r) ? hd_l2sectors_store(l, r, cycle) : hd_l2sectors_load(l, r, cycle))
            hd_req_ring_pop(&l->in);
        return;
    }
    set = set_of(l, r->addr);
    if (is_store(r) ? store(l, r, set, cycle) : load(l, r, set, cycle))
        hd_req_ring_pop(&l->in);
}

void hd_l2_step(struct hd_l2 *l, uint64_t cycle)
{
    if (hd_mshr_pending(&l->cache.mshr) && !hd_req_ring_full(&l->out))
        answer(l);
    if (!hd_dram_ring_empty(&l->from_dram))
        take_from_dram(l, cycle);
    if (!hd_req_ring_empty(&l->cache.out) && !hd_dram_ring_full(&l->to_dram))
        send(l);
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

    if ((hd_mshr_pending(&l->cache.mshr) && out) || !hd_req_ring_empty(&l->cache.out))
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

static void look_at_ring(const struct hd_req_ring *ring, enum hd_mem_level level,
                         void (*see)(void *, const struct hd_req *, enum hd_mem_level), void *ctx)
{
    for (uint32_t i = 0; i < hd_req_ring_fill(ring); i++)
        see(ctx, hd_req_ring_at(ring, i), level);
}

void hd_l2_look(const struct hd_l2 *l,
                void (*see)(void *ctx, const struct hd_req *r, enum hd_mem_level level), void *ctx)
{
    const struct hd_mshr *m = &l->cache.mshr;

    for (uint32_t i = 0; i < hd_delay_ring_fill(&l->rop); i++)
        see(ctx, &hd_delay_ring_at(&l->rop, i)->req, HD_LEVEL_L2);
    look_at_ring(&l->in, HD_LEVEL_L2, see, ctx);
    for (unsigned b = 0; b < HD_MSHR_BUCKETS; b++)
        for (uint16_t i = m->buckets[b]; i != HD_MSHR_NIL; i = m->entries[i].chain)
            for (uint32_t k = m->entries[i].next; k < m->entries[i].n; k++) {
                uint32_t token = m->merged[(uint32_t)i * m->max_merge + k];
                if (token != ALLOCATE)
                    see(ctx, &l->merged[token],
                        m->entries[i].ready ? HD_LEVEL_RETURN : HD_LEVEL_DRAM);
            }
    look_at_ring(&l->out, HD_LEVEL_RETURN, see, ctx);
}
