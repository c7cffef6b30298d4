// l2sectors.c - an L2 bank with sectors (l2.sector = 32), as GPGPU-Sim 4 has it: write-back, and a
// store fetches nothing.
//
// A store is acknowledged at once, hit or miss; its sector is then modified, and readable when all
// of its bytes were written. A store that misses needs a free entry of the miss queue, a load two.
// A line that is replaced is written back as one request of its modified sectors, which occupies
// the data port while it is read out (for loads: l2.load_readout). What the host has copied to
// memory may be here already (hd_l2sectors_copy).
//
// A request longer than a sector is divided when it comes in (hd_l2_push). Each part of a texture
// line is answered by itself; other requests are answered once, when their last part is done.
#include "mem/l2.h"
#include "mem/polyhash.h"

// The set of an address inside the bank.
static uint32_t set_of(const struct hd_l2 *l, uint64_t addr)
{
    uint64_t line = hd_addrmap_inside(l->map, addr) / HD_SECTOR_LINE;
    uint32_t sets = l->config->sets, set = (uint32_t)line & (sets - 1);

    return l->config->hashed ? hd_polyhash_of(line / sets, set, sets) : set;
}

// Writes back what the last placed line replaced, if it was modified. Returns the bytes.
static uint32_t write_back(struct hd_l2 *l, unsigned owner)
{
    const struct hd_sector_line *v = &l->sectors->victim;
    struct hd_req r = l->cache.writeback;

    if (!v->modified)
        return 0;
    r.addr = v->addr;
    r.owner = (uint8_t)owner;
    r.bytes = (uint8_t)(HD_SECTOR_BYTES * (unsigned)__builtin_popcount(v->modified));
    hd_req_ring_push(&l->cache.out, r);
    return r.bytes;
}

// The address that was asked for first of those that wait in the miss register.
static uint64_t first_asked(const struct hd_l2 *l, uint32_t entry)
{
    const struct hd_mshr *m = &l->cache.mshr;

    return l->merged[m->merged[entry * m->max_merge + m->entries[entry].next]].addr;
}

// Whether what the miss register of an address waits for will fill the sector.
static bool will_fill(const struct hd_l2 *l, uint64_t addr, uint64_t sector)
{
    const struct hd_mshr *m = &l->cache.mshr;
    int entry = hd_mshr_find(m, addr);

    return entry >= 0 && !m->entries[entry].ready &&
           (!l->config->halves_astray ||
            hd_sectors_base(first_asked(l, (uint32_t)entry)) == sector);
}

static bool is_coming(const void *owner, uint64_t sector)
{
    const struct hd_l2 *l = owner;

    return will_fill(l, sector, sector) ||
           (l->config->halves_astray && will_fill(l, sector & ~UINT64_C(63), sector));
}

// Looks for the sector of the request at the head. A sector is reserved although no fill will come
// if its miss was merged into a miss register that was being emptied (cache.c), or, with
// l2.halves_astray, into that of the other half of a constant line. A set that has only such lines
// would refuse the request, and with it all others, for ever.
static enum hd_sector_result find(struct hd_l2 *l, uint64_t addr, bool store, uint32_t *index)
{
    uint32_t set = set_of(l, addr);
    enum hd_sector_result found = hd_sectors_find(l->sectors, set, addr, store, index);

    if (found == HD_SECTOR_BLOCKED && hd_sectors_unblock(l->sectors, set, is_coming, l))
        found = hd_sectors_find(l->sectors, set, addr, store, index);
    return found;
}

uint64_t hd_l2sectors_awaited(const struct hd_l2 *l, uint64_t addr)
{
    if (!l->config->halves_astray)
        return addr;
    return first_asked(l, (uint32_t)hd_mshr_find(&l->cache.mshr, hd_sectors_base(addr)));
}

bool hd_l2sectors_store(struct hd_l2 *l, const struct hd_req *r, uint64_t cycle)
{
    struct hd_cache *c = &l->cache;
    uint32_t index = 0, bytes = r->bytes;
    struct hd_req done = *r;
    enum hd_sector_result found = find(l, r->addr, true, &index);

    if (found == HD_SECTOR_BLOCKED || (found != HD_SECTOR_HIT && hd_req_ring_full(&c->out))) {
        ++*c->count.refused;
        return false;
    }
    ++*c->count.accesses;
    *c->count.misses += found == HD_SECTOR_MISS || found == HD_SECTOR_NO_LINE;
    *c->count.pending += found == HD_SECTOR_PENDING;
    hd_sectors_store(l->sectors, found, index, r->addr, r->lanes, r->owner, cycle + l->copied);
    if (found != HD_SECTOR_HIT)
        bytes = write_back(l, r->owner);
    hd_l2_occupy(l, bytes, cycle);
    if (r->part == HD_REQ_APART) { // l2.halves_astray
        if (found != HD_SECTOR_HIT)
            hd_sectors_set_readable(l->sectors, index, r->addr);
        done.part = 0;
    }
    if (r->kind == HD_REQ_WRITEBACK)
        l->written_back++;
    else
        hd_l2_reply(l, &done);
    return true;
}

bool hd_l2sectors_load(struct hd_l2 *l, const struct hd_req *r, uint64_t cycle)
{
    struct hd_cache *c = &l->cache;
    uint32_t index = 0;
    enum hd_sector_result found = find(l, r->addr, false, &index);
    uint64_t asked = r->addr; // of the DRAM
    int entry;

    if (l->config->halves_astray && r->kind == HD_REQ_CONST)
        asked &= ~UINT64_C(63);

    if (found == HD_SECTOR_HIT) {
        hd_sectors_use(l->sectors, index, cycle + l->copied);
        if (r->kind == HD_REQ_ATOMIC)
            hd_sectors_modify(l->sectors, index, r->addr, 0);
        hd_l2_occupy(l, r->reply_bytes, cycle);
        hd_l2_reply(l, r);
    } else {
        if (found == HD_SECTOR_BLOCKED || !l->n_unused ||
            !hd_cache_admits(c, HD_TAG_MISS, 0, asked, c->room, &entry)) {
            ++*c->count.refused;
            return false;
        }
        l->merged[l->unused[l->n_unused - 1]] = *r;
        hd_cache_miss(c, HD_TAG_MISS, 0, 0, asked, entry, l->unused[--l->n_unused], r->owner,
                      cycle);
        hd_sectors_reserve(l->sectors, found, index, r->addr, r->owner, cycle + l->copied);
        uint32_t bytes = write_back(l, r->owner);
        if (l->config->load_readout)
            hd_l2_occupy(l, bytes, cycle);
        ++*(found == HD_SECTOR_PENDING ? c->count.pending : c->count.misses);
    }
    ++*c->count.accesses;
    return true;
}

void hd_l2sectors_fill(struct hd_l2 *l, uint64_t addr, uint64_t sector, bool atomic)
{
    uint32_t index = hd_sectors_fill(l->sectors, sector);

    hd_mshr_fill(&l->cache.mshr, hd_sectors_base(addr));
    if (atomic && index != UINT32_MAX)
        hd_sectors_modify(l->sectors, index, sector, 0);
}

void hd_l2sectors_copy(struct hd_l2 *l, uint64_t addr, uint64_t cycle)
{
    uint32_t index = 0;
    enum hd_sector_result found = hd_sectors_find(l->sectors, set_of(l, addr), addr, true, &index);

    if (found == HD_SECTOR_NO_LINE || found == HD_SECTOR_MISS) {
        hd_sectors_reserve(l->sectors, found, index, addr, 0, cycle + l->copied);
        hd_sectors_fill(l->sectors, addr);
    }
    l->copied++;
}
