// coalesce.c - from 32 lane addresses to the accesses a memory instruction makes
// (timing-model 7.3).
//
// Global and local: lanes that access the same segment (32, 64 or 128 bytes by element size, at
// most sm.segment, or sm.segment_uncached past the L1D) make one access, reduced to the half and
// quarter that is used. Atomics: each half-warp by itself if sm.atomic_halves is set, and lanes
// that touch the same bytes go to different accesses. Constant, parameter and texture: one access
// per line of their cache (64 and 128 bytes in the reference). Shared: no accesses but a conflict
// degree. Accesses are listed in ascending address order; the LDST unit takes them from the end,
// the highest first.
//
// If the L2 has sectors, `lanes` of a store's access says which bytes it writes: a bit for each
// 32nd part of its bytes, which is an element or less.
#include "sm/sm_internal.h"

static void put(struct hd_memop *op, uint64_t addr, unsigned bytes, uint32_t lanes)
{
    HD_BUG_IF(op->n >= HD_MAX_ACCESSES, "memory instruction with %d accesses", HD_MAX_ACCESSES);
    op->a[op->n++] = (struct hd_access){.addr = addr, .lanes = lanes, .bytes = (uint8_t)bytes};
}

// A segment while lanes are added to it. `chunks` has a bit per 32 bytes of its 128-byte line.
struct segment {
    uint64_t addr, first_bytes, last_bytes; // touched bytes of the line, if they are asked for
    uint32_t lanes;
    uint8_t chunks;
};

struct segments {
    struct segment s[HD_MAX_ACCESSES];
    unsigned n;
    unsigned next; // the place after the one found last
    uint64_t seen; // a bit for the hash of each address
    bool mixed;    // the addresses may not be in rising order
};

static void sort_by_address(struct segments *all)
{
    for (unsigned i = 1; i < all->n; i++) {
        struct segment key = all->s[i];
        unsigned j = i;
        for (; j && all->s[j - 1].addr > key.addr; j--)
            all->s[j] = all->s[j - 1];
        all->s[j] = key;
    }
}

static uint64_t segment_bytes(unsigned element, unsigned most)
{
    uint64_t bytes = element == 1 ? 32 : element == 2 ? 64 : 128;

    return bytes < most ? bytes : most;
}

// The longest access of an instruction.
static unsigned longest(const struct hd_sm *sm, bool uncached)
{
    const struct hd_config_sm *c = &sm->cfg->sm;

    return uncached && c->segment_uncached < c->segment ? c->segment_uncached : c->segment;
}

// Adds the bytes from `addr` on to those that are touched.
static void touch(struct segment *s, uint64_t addr, unsigned bytes)
{
    unsigned at = (unsigned)(addr % 128);
    uint64_t touched = hd_low(bytes) << (at % 64);

    if (at < 64)
        s->first_bytes |= touched;
    else
        s->last_bytes |= touched;
}

// Which of its bytes a store's access touches, a bit for each 32nd part.
static uint32_t written(const struct segment *s, uint64_t addr, unsigned bytes)
{
    unsigned at = (unsigned)(addr % 128), each = bytes / 32;
    uint32_t all = 0;

    for (unsigned i = 0; i < 32; i++, at += each)
        all |= (uint32_t)((at < 64 ? s->first_bytes : s->last_bytes) >> (at % 64) & 1) << i;
    return all;
}

// The segment that starts at `base`, a new one if necessary. As long as segments came in rising
// order, one after the last is new. The pieces of the next lane often lie in the same segments, in
// the same order, as those of the last one.
static struct segment *segment_at(struct segments *all, uint64_t base)
{
    uint64_t hash = UINT64_C(1) << (base * UINT64_C(0x9E3779B97F4A7C15) >> 58);
    unsigned i = all->n;
    bool behind = !i || base > all->s[i - 1].addr;

    all->mixed |= !behind;
    if (all->next == all->n)
        all->next = 0;
    if (!all->mixed || !(all->seen & hash))
        i = 0;
    else if (all->s[all->next].addr == base)
        i = all->next + 1;
    while (i && all->s[i - 1].addr != base)
        i--;
    if (!i) {
        HD_BUG_IF(all->n >= HD_MAX_ACCESSES, "memory instruction with %d segments",
                  HD_MAX_ACCESSES);
        all->s[all->n] = (struct segment){.addr = base};
        all->seen |= hash;
        i = ++all->n;
    }
    all->next = i;
    return &all->s[i - 1];
}

// 128 -> 64 if only one half is used, 64 -> 32 if only one quarter is.
static void shrink_and_put(struct hd_memop *op, const struct segment *s, unsigned bytes)
{
    uint64_t addr = s->addr;
    unsigned low, high;

    if (bytes == 128) {
        low = s->chunks & 3, high = s->chunks & 12;
        if (!low || !high) {
            addr += low ? 0 : 64;
            bytes = 64;
        }
    }
    if (bytes == 64) {
        low = s->chunks & (addr % 128 ? 4 : 1), high = s->chunks & (addr % 128 ? 8 : 2);
        if (!low || !high) {
            addr += low ? 0 : 32;
            bytes = 32;
        }
    }
    put(op, addr, bytes, s->lanes);
}

// Byte d of a thread's local memory: words of neighbouring threads are adjacent (timing-model 7.3).
static uint64_t local_address(const struct hd_sm *sm, unsigned warp, unsigned lane, uint64_t d)
{
    uint64_t thread = (uint64_t)warp * HD_LANES + lane,
             block = (uint64_t)sm->tbs[sm->tb_of[warp]].n_warps * HD_LANES;
    uint64_t all = block * sm->view.tb_max * sm->cfg->sm.sms;

    if (sm->cfg->sm.share) { // blocks of several sizes: by warp slot
        block = (uint64_t)sm->view.n_warps * HD_LANES;
        all = block * sm->cfg->sm.sms;
    }
    return sm->cfg->mem.local_base + d % 4 +
           4 * (d / 4 * all + block * (sm->index + sm->cfg->sm.sms * (thread / block)) +
                thread % block);
}

// Lanes whose addresses rise by 1 << shift bytes each, at most a sector: each sector has a run of
// them.
static void row_of_sectors(struct hd_memop *op, uint64_t low, unsigned shift, bool store)
{
    uint64_t end = low + ((uint64_t)HD_LANES << shift);

    for (uint64_t at = low, to; at < end; at = to) {
        uint64_t base = at & ~UINT64_C(31), room = base + 32 - at;
        unsigned first = (unsigned)((at - low) >> shift), n;
        to = at + ((room + (UINT64_C(1) << shift) - 1) >> shift << shift); // of the next sector
        to = to < end ? to : end;
        n = (unsigned)((to - at) >> shift);
        put(op, base, 32,
            store ? (uint32_t)(hd_low((unsigned)(to - at)) << at % 32)
                  : (uint32_t)(hd_low(n) << first));
    }
}

// The same for segments of `size` bytes.
static void row(struct hd_memop *op, uint64_t low, unsigned shift, unsigned size)
{
    uint64_t high = low + ((uint64_t)(HD_LANES - 1) << shift);

    for (uint64_t base = low & ~(uint64_t)(size - 1); base <= high; base += size) {
        uint64_t end = base + size - 1 < high ? base + size - 1 : high;
        unsigned first = base > low ? (unsigned)((base - low - 1) >> shift) + 1 : 0,
                 last = (unsigned)((end - low) >> shift);
        unsigned from = (unsigned)(low + ((uint64_t)first << shift)) % 128 / 32,
                 to = (unsigned)(low + ((uint64_t)last << shift)) % 128 / 32;
        struct segment s = {.addr = base};
        if (first > last) // no lane begins in it
            continue;
        s.lanes = (uint32_t)(hd_low(last + 1) & ~hd_low(first));
        s.chunks = (uint8_t)(hd_low(to + 1) & ~hd_low(from));
        shrink_and_put(op, &s, size);
    }
}

// `bytes`: which bytes a store touches is asked for.
static inline __attribute__((always_inline)) void gather(const struct hd_sm *sm,
                                                         struct hd_memop *op,
                                                         const struct hd_effects *e, unsigned warp,
                                                         bool bytes)
{
    bool local = e->space == HD_SPACE_LOCAL;
    unsigned element = local && e->bytes > 4 ? 4 : e->bytes, words = e->bytes / element;
    uint64_t size = segment_bytes(element, sm->cfg->sm.segment);
    struct segment *s = NULL;
    struct segments all;
    int lane;

    if ((e->flags & HD_EFF_ROW) && !local && !bytes && e->bytes * e->vec <= 32) {
        row(op, e->addr[0], (unsigned)__builtin_ctz(e->bytes * e->vec), (unsigned)size);
        return;
    }
    all.n = all.next = 0;
    all.seen = 0;
    all.mixed = false;
    HD_EACH(lane, e->exec_mask)
        for (unsigned i = 0; i < words; i++) {
            uint64_t addr = e->addr[lane] + (uint64_t)i * element;
            if (local)
                addr = local_address(sm, warp, (unsigned)lane, addr);
            if (!s || s->addr != (addr & ~(size - 1)))
                s = segment_at(&all, addr & ~(size - 1));
            s->lanes |= 1u << lane;
            s->chunks |= (uint8_t)(1u << (addr % 128 / 32));
            if (bytes)
                touch(s, addr, element);
        }
    if (all.mixed)
        sort_by_address(&all);
    for (unsigned i = 0; i < all.n; i++) {
        shrink_and_put(op, &all.s[i], (unsigned)size);
        if (bytes)
            op->a[op->n - 1].lanes =
                written(&all.s[i], op->a[op->n - 1].addr, op->a[op->n - 1].bytes);
    }
}

static __attribute__((noinline)) void with_bytes(const struct hd_sm *sm, struct hd_memop *op,
                                                 const struct hd_effects *e, unsigned warp)
{
    gather(sm, op, e, warp, true);
}

static void plain(const struct hd_sm *sm, struct hd_memop *op, const struct hd_effects *e,
                  unsigned warp)
{
    if (sm->part_shift < 7 && op->kind == HD_KIND_STORE)
        with_bytes(sm, op, e, warp);
    else
        gather(sm, op, e, warp, false);
}

// Accesses that are sectors of 32 bytes: those of a store say which bytes they write.
static void by_sector(const struct hd_sm *sm, struct hd_memop *op, const struct hd_effects *e,
                      unsigned warp)
{
    bool local = e->space == HD_SPACE_LOCAL, store = op->kind == HD_KIND_STORE;
    unsigned all_bytes = (unsigned)e->bytes * (sm->cfg->sm.whole_vectors ? e->vec : 1u),
             piece = local && all_bytes > 4 ? 4 : all_bytes;
    struct segments all;
    int lane;

    if ((e->flags & HD_EFF_ROW) && !local && all_bytes == e->bytes * e->vec && all_bytes <= 32) {
        row_of_sectors(op, e->addr[0], (unsigned)__builtin_ctz(all_bytes), store);
        return;
    }
    all.n = all.next = 0;
    all.seen = 0;
    all.mixed = false;
    HD_EACH(lane, e->exec_mask)
        for (unsigned i = 0; i < all_bytes; i += piece) {
            uint64_t addr = e->addr[lane] + i;
            if (local)
                addr = local_address(sm, warp, (unsigned)lane, addr);
            struct segment *s = segment_at(&all, addr & ~UINT64_C(31));
            s->lanes |= store ? (uint32_t)(hd_low(piece) << addr % 32) : 1U << lane;
        }
    if (all.mixed)
        sort_by_address(&all);
    for (unsigned i = 0; i < all.n; i++)
        put(op, all.s[i].addr, 32, all.s[i].lanes);
}

static bool overlap(const struct segment *a, const struct segment *b)
{
    return (a->first_bytes & b->first_bytes) || (a->last_bytes & b->last_bytes);
}

// Some lanes of an atomic: a lane joins the first access of its segment in which no other lane
// touches its bytes.
static void atomic_lanes(const struct hd_sm *sm, struct hd_memop *op, const struct hd_effects *e,
                         uint32_t lanes)
{
    uint64_t size = segment_bytes(e->bytes, longest(sm, true));
    struct segments all;
    int lane;

    all.n = 0;
    HD_EACH(lane, lanes) {
        struct segment own = {.addr = e->addr[lane] & ~(size - 1)};
        unsigned i = 0;

        touch(&own, e->addr[lane], e->bytes);
        while (i < all.n && (all.s[i].addr != own.addr || overlap(&all.s[i], &own)))
            i++;
        if (i == all.n)
            all.s[all.n++] = (struct segment){.addr = own.addr};
        all.s[i].lanes |= 1u << lane;
        all.s[i].chunks |= (uint8_t)(1u << (e->addr[lane] % 128 / 32));
        all.s[i].first_bytes |= own.first_bytes;
        all.s[i].last_bytes |= own.last_bytes;
    }
    sort_by_address(&all);
    for (unsigned i = 0; i < all.n; i++)
        shrink_and_put(op, &all.s[i], (unsigned)size);
}

// One access per distinct block.
static void by_block(struct hd_memop *op, const struct hd_effects *e, unsigned block)
{
    struct segments all;
    int lane;

    all.n = 0;
    HD_EACH(lane, e->exec_mask) {
        uint64_t base = e->addr[lane] & ~(uint64_t)(block - 1);
        unsigned i = 0;
        while (i < all.n && all.s[i].addr != base)
            i++;
        if (i == all.n)
            all.s[all.n++] = (struct segment){.addr = base};
        all.s[i].lanes |= 1u << lane;
    }
    sort_by_address(&all);
    for (unsigned i = 0; i < all.n; i++)
        put(op, all.s[i].addr, block, all.s[i].lanes);
}

// The largest number of distinct words that one bank must serve. Only the first word of each lane
// counts. Words that are closer together than the number of banks are in different banks. Otherwise
// each bank keeps a list of its words, which broadcasts and conflict-free accesses do not search.
static unsigned conflict_degree(const struct hd_sm *sm, const struct hd_effects *e)
{
    unsigned mask = sm->cfg->sm.shared_banks - 1, degree = 0, n = 0;
    uint8_t first[HD_MAX_BANKS], count[HD_MAX_BANKS], next[HD_LANES];
    uint64_t words[HD_LANES], last = UINT64_MAX;
    uint32_t used = 0;
    int lane;

    if (e->addr_span && e->addr_span <= 4 * mask + 1) // wherever the lowest one is in its word
        return 1;
    HD_EACH(lane, e->exec_mask) {
        uint64_t word = e->addr[lane] / 4;
        unsigned bank = (unsigned)word & mask, i;
        if (word == last)
            continue; // broadcast
        last = word;
        if (!(used >> bank & 1)) {
            used |= 1u << bank;
            count[bank] = 0;
        }
        unsigned at = count[bank] ? first[bank] : 0;
        for (i = 0; i < count[bank] && words[at] != word; i++)
            at = next[at];
        if (i < count[bank])
            continue;
        words[n] = word;
        next[n] = count[bank] ? first[bank] : 0;
        first[bank] = (uint8_t)n++;
        if (++count[bank] > degree)
            degree = count[bank];
    }
    return degree;
}

void hd_coalesce(const struct hd_sm *sm, struct hd_memop *op, const struct hd_effects *e,
                 unsigned warp, unsigned flags)
{
    op->n = 0;
    op->wait = 0;
    switch ((enum hd_space)e->space) {
    case HD_SPACE_SHARED:
        op->wait = (uint8_t)conflict_degree(sm, e);
        break;
    case HD_SPACE_CONST:
    case HD_SPACE_PARAM:
        by_block(op, e, sm->cfg->l1c.line);
        break;
    case HD_SPACE_TEX:
        by_block(op, e, sm->cfg->l1t.line);
        break;
    case HD_SPACE_GLOBAL:
        if (op->kind == HD_KIND_ATOMIC) {
            uint32_t first = sm->cfg->sm.atomic_halves ? 0xffffu : UINT32_MAX;
            atomic_lanes(sm, op, e, e->exec_mask & first);
            atomic_lanes(sm, op, e, e->exec_mask & ~first);
            break;
        }
        if (longest(sm, flags & HD_DEP_NO_L1) == 32)
            by_sector(sm, op, e, warp);
        else
            plain(sm, op, e, warp);
        break;
    case HD_SPACE_LOCAL:
        if (sm->cfg->sm.segment == 32)
            by_sector(sm, op, e, warp);
        else
            plain(sm, op, e, warp);
        break;
    case HD_SPACE_NONE: // memory barriers
        break;
    case HD_SPACE_GENERIC:
    case HD_N_SPACES:
        HD_BUG("memory instruction in space %u", e->space);
    }
}
