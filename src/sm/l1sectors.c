// l1sectors.c - an L1 data cache with sectors (l1d.sector = 32), as GPGPU-Sim 4 has it.
//
// A load that misses fetches 32 bytes. Stores, global and local ones, are written through and keep
// their place: one that misses gets a line, fetches nothing, and needs only a free entry of the
// miss queue; read misses and merges need two. The cache's hd_cache has the miss registers and the
// miss queue, with sectors for its lines; its tags are not used.
//
// A set whose lines are all modified refuses an access while fewer than l1d.dirty_limit per cent of
// the cache are. In the reference such an access may wait for ever: stores of the same rows fill
// one set, reads of modified sectors lower the count, and the access that waits keeps away the
// stores that would raise it. Once nothing in flight can end such a wait, the oldest modified line
// goes (l1queue.c has the conditions where there are queues).
//
// A fill whose line has gone meanwhile, which only a store to a reserved sector makes possible, is
// dropped. The reference writes it to the line that took the place.
#include "sm/sm_internal.h"

void hd_l1sectors_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_l1d *c = &sm->cfg->l1d;

    sm->l1d_sectors = HD_NEW(a, hd_sectors);
    hd_sectors_init(sm->l1d_sectors, a, c->sets, c->ways, c->dirty_limit);
}

void hd_l1sectors_fit(struct hd_sm *sm, uint64_t shared)
{
    const struct hd_config_l1d *c = &sm->cfg->l1d;
    uint32_t sizes = c->shared_sizes, ways;
    uint64_t taken;

    // The smallest size that is enough, or else the largest.
    while ((sizes & (sizes - 1)) && (uint64_t)__builtin_ctz(sizes) * 4096 < shared)
        sizes &= sizes - 1;
    taken = (uint64_t)__builtin_ctz(sizes) * 4096;
    ways = (uint32_t)((2 * c->ways * (c->unified - taken) + c->unified) / (2 * c->unified));
    if (ways != sm->l1d_sectors->ways)
        hd_sectors_resize(sm->l1d_sectors, ways);
}

static uint32_t set_of(const struct hd_sm *sm, uint64_t addr)
{
    return (uint32_t)(addr / HD_SECTOR_LINE) & (sm->l1d_sectors->sets - 1);
}

static bool is_coming(const void *owner, uint64_t sector)
{
    const struct hd_mshr *m = &((const struct hd_sm *)owner)->l1d.mshr;
    int entry = hd_mshr_find(m, sector);

    return entry >= 0 && !m->entries[entry].ready;
}

bool hd_l1sectors_unblock(struct hd_sm *sm, uint64_t addr)
{
    bool done = hd_sectors_unblock(sm->l1d_sectors, set_of(sm, addr), is_coming, sm);

    sm->stats.l1d_unblocked += done;
    return done;
}

// Looks for the sector of an access. Without queues in front of the cache, no other access comes
// before this one has its place: if it finds none and no fill is in flight, none would ever come.
static enum hd_sector_result find(struct hd_sm *sm, uint64_t addr, bool store, uint32_t *index)
{
    struct hd_sectors *s = sm->l1d_sectors;
    uint32_t set = set_of(sm, addr);
    enum hd_sector_result found = hd_sectors_find(s, set, addr, store, index);

    if (found != HD_SECTOR_BLOCKED)
        return found;
    sm->l1d.lacks = HD_LACKS_PLACE;
    if (!sm->ldst.l1_queue && !sm->l1d.mshr.n_used && hd_l1sectors_unblock(sm, addr))
        found = hd_sectors_find(s, set, addr, store, index);
    return found;
}

static void report(struct hd_sm *sm, enum hd_event_kind kind, unsigned warp, uint64_t line,
                   uint32_t flags, unsigned owner)
{
    if (hd_notify_wanted(sm, kind))
        hd_l1_report(sm, kind, warp, line, flags, owner);
}

static void report_victim(struct hd_sm *sm, unsigned warp)
{
    const struct hd_sector_line *v = &sm->l1d_sectors->victim;

    if (v->valid | v->modified)
        report(sm, HD_EV_L1_EVICT, warp, v->addr, 0, v->owner);
}

enum hd_l1_answer hd_l1sectors_read(struct hd_sm *sm, uint64_t addr, unsigned warp, uint16_t load,
                                    uint64_t cycle)
{
    struct hd_sectors *s = sm->l1d_sectors;
    uint32_t index = 0;
    enum hd_sector_result found = find(sm, addr, false, &index);
    struct hd_cache *c = &sm->l1d;
    uint32_t flags = HD_L1_HIT;
    int entry;

    if (found == HD_SECTOR_HIT) {
        hd_sectors_use(s, index, cycle);
        sm->stats.l1d_read_hits++;
    } else {
        if (found == HD_SECTOR_BLOCKED ||
            !hd_cache_admits(c, HD_TAG_MISS, 0, addr, c->room, &entry)) {
            sm->stats.l1d_reservation_fails++;
            return HD_L1_REFUSE;
        }
        flags = found == HD_SECTOR_PENDING ? HD_L1_PENDING : HD_L1_MISS;
        hd_cache_miss(c, HD_TAG_MISS, 0, 0, addr, entry, load, warp, cycle);
        hd_sectors_reserve(s, found, index, addr, warp, cycle);
        if (found == HD_SECTOR_PENDING)
            sm->stats.l1d_pending++;
        else
            sm->stats.l1d_misses++;
        hd_l1_used(sm);
        report_victim(sm, warp);
    }
    sm->stats.l1d_accesses++;
    sm->stats.l1d_reads++;
    report(sm, HD_EV_L1_READ, warp, hd_sectors_line(addr), flags, 0);
    return found == HD_SECTOR_HIT ? HD_L1_DONE : HD_L1_SENT;
}

enum hd_l1_answer hd_l1sectors_write(struct hd_sm *sm, const struct hd_access *a, unsigned warp,
                                     uint64_t cycle)
{
    struct hd_sectors *s = sm->l1d_sectors;
    uint32_t index = 0;
    enum hd_sector_result found = find(sm, a->addr, true, &index);

    if (found == HD_SECTOR_BLOCKED || hd_req_ring_full(&sm->l1d.out)) {
        sm->l1d.lacks = found == HD_SECTOR_BLOCKED ? HD_LACKS_PLACE : HD_LACKS_QUEUE;
        sm->stats.l1d_reservation_fails++;
        return HD_L1_REFUSE;
    }
    sm->stats.l1d_accesses++;
    sm->stats.l1d_misses += found != HD_SECTOR_HIT;
    hd_sectors_store(s, found, index, a->addr, a->lanes, warp, cycle);
    report_victim(sm, warp);
    report(sm, HD_EV_L1_WRITE, warp, hd_sectors_line(a->addr), 0, 0);
    hd_req_ring_push(&sm->l1d.out, (struct hd_req){.addr = a->addr,
                                                   .tag = HD_TAG(HD_CLIENT_STORE, warp),
                                                   .lanes = a->lanes,
                                                   .port = (uint16_t)sm->index,
                                                   .kind = HD_REQ_WRITE,
                                                   .owner = (uint8_t)warp,
                                                   .bytes = a->bytes});
    return HD_L1_SENT;
}

void hd_l1sectors_fill(struct hd_sm *sm, uint64_t addr)
{
    hd_sectors_fill(sm->l1d_sectors, addr);
    hd_mshr_fill(&sm->l1d.mshr, hd_sectors_base(addr));
}
