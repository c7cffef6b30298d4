// fetch.c - the front end: instruction fetch, L1 instruction cache, decode, instruction buffers.
//
// One fetch per SM and cycle, for a warp whose buffer is empty (timing-model 4). The search for
// such a warp also reclaims the ended warps that it passes. Decode fills the buffer a cycle later
// even if the warp has left that path meanwhile; the scheduler notices this when it visits the
// warp.
#include "base/blame.h"
#include "sm/sm_internal.h"

#define CODE_BASE UINT64_C(0xF0000000) // where instructions are in memory
#define INSN_BYTES 8
#define UNASKED UINT8_MAX // owner of a line that was prefetched and not accessed since

void hd_fetch_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_l1i *c = &sm->cfg->l1i;

    hd_cache_init(&sm->l1i, a,
                  &(struct hd_cache_setup){
                      HD_L1_SETUP(sm, c, HD_CLIENT_INST, HD_REQ_INST),
                      HD_CACHE_MISSES(c),
                      .room = 1,
                      .allocate = HD_ALLOCATE_ON_FILL,
                      .count = {&sm->stats.l1i_accesses, &sm->stats.l1i_misses, NULL,
                                &sm->stats.l1i_reservation_fails},
                  });
    hd_req_ring_init(&sm->cluster, a, sm->cfg->sm.reply_fifo);
    sm->view.ibuf_empty = hd_low(sm->cfg->sm.warps);
}

void hd_fetch_decode(struct hd_sm *sm)
{
    unsigned w = sm->fetched_warp;
    uint32_t left;

    sm->fetch_full = false;
    left = sm->fetched_pc < sm->program->n_insns ? sm->program->n_insns - sm->fetched_pc : 1;
    sm->warps[w].ibuf_pc = sm->fetched_pc;
    sm->warps[w].ibuf_n =
        (uint8_t)(left < sm->cfg->sm.fetch_insts ? left : sm->cfg->sm.fetch_insts);
    sm->warps[w].in_pipe = (uint8_t)(sm->warps[w].in_pipe + sm->warps[w].ibuf_n);
    sm->pipe_busy |= hd_bit((int)w);
    hd_warps_refresh(sm, w);
}

// Prefetches the line after that of `addr`, if memory is not busy (ELF, SC 2015, section 3.5:
// requests of warps have priority). If there is no room, nothing is prefetched.
static void prefetch(struct hd_sm *sm, uint64_t addr, unsigned w)
{
    struct hd_cache *c = &sm->l1i;
    uint64_t line = hd_tags_line(&c->tags, addr) + sm->cfg->l1i.line;
    uint32_t index;

    if (sm->cfg->l1i.perfect || c->mshr.n_used + sm->l1d.mshr.n_used >= sm->cfg->l1i.prefetch ||
        hd_req_ring_full(&c->out) || !hd_mshr_room(&c->mshr, -1) ||
        hd_cache_find(c, hd_tags_set(&c->tags, line), line, &index) == HD_TAG_HIT ||
        hd_mshr_find(&c->mshr, line) >= 0)
        return;
    sm->stats.l1i_prefetches++;
    hd_cache_expect(c, line, w);
    sm->view.l1i_mshr = (uint16_t)c->mshr.n_used;
}

// After a fetch of the line at `addr`. A function of its own, because most machines do not
// prefetch. With l1i.prefetch_tagged it is the tagged prefetch of Smith and Hsu (SC 1992).
static void fetch_ahead(struct hd_sm *sm, uint64_t addr, unsigned w, bool hit)
{
    const struct hd_config_l1i *cfg = &sm->cfg->l1i;
    struct hd_cache *c = &sm->l1i;
    uint32_t index = 0;
    bool first_use = false; // of a line that was prefetched

    if (hit && !cfg->perfect) {
        hd_cache_find(c, hd_tags_set(&c->tags, addr), addr, &index);
        first_use = c->tags.lines[index].owner == UNASKED;
        sm->stats.l1i_prefetches_used += first_use;
        c->tags.lines[index].owner = 0;
    }
    if (!hit || (cfg->prefetch_tagged ? first_use : !cfg->prefetch_missed))
        prefetch(sm, addr, w);
}

// Whether this is a miss on a line that was prefetched and that no warp has accessed so far.
static bool meets_prefetch(const struct hd_sm *sm, uint64_t addr)
{
    const struct hd_cache *c = &sm->l1i;
    int entry = hd_mshr_find(&c->mshr, hd_tags_line(&c->tags, addr));

    return entry >= 0 && hd_mshr_unasked(&c->mshr, entry);
}

// Tags never contain reserved lines; misses are only in the MSHRs. Even merging needs a free entry
// of the miss queue (timing-model 4.1).
static enum hd_cache_answer l1i_access(struct hd_sm *sm, uint64_t addr, unsigned w, uint64_t cycle)
{
    struct hd_cache *c = &sm->l1i;
    bool met = sm->cfg->l1i.prefetch && meets_prefetch(sm, addr);
    enum hd_cache_answer answer;

    sm->stats.fetches++;
    if (sm->cfg->l1i.perfect)
        return HD_CACHE_HIT;
    answer = hd_cache_read(c, hd_tags_set(&c->tags, addr), addr, w, w, cycle);
    if (answer == HD_CACHE_MISS) {
        sm->stats.l1i_prefetches_used += met;
        sm->stats.l1i_prefetches_late += met;
        sm->view.l1i_mshr = (uint16_t)c->mshr.n_used;
    }
    return answer;
}

void hd_fetch_fill(struct hd_sm *sm, uint64_t addr, uint64_t cycle)
{
    struct hd_cache *c = &sm->l1i;
    uint32_t index;
    bool asked;

    if (hd_cache_awaits(c, addr))
        return;
    index = hd_cache_fill(c, hd_tags_set(&c->tags, addr), addr, cycle, &asked);
    c->tags.lines[index].owner = asked ? 0 : UNASKED;
    sm->view.l1i_mshr = (uint16_t)c->mshr.n_used;
}

// Wakes one warp whose line has arrived; it fetches again. Returns the warp, HD_NONE if there is
// none.
static inline int wake(struct hd_sm *sm)
{
    uint32_t w;

    if (!hd_mshr_pending(&sm->l1i.mshr))
        return HD_NONE;
    hd_mshr_next(&sm->l1i.mshr, &w);
    sm->view.imiss &= ~hd_bit((int)w);
    sm->view.l1i_mshr = (uint16_t)sm->l1i.mshr.n_used;
    return (int)w;
}

// In small caches with several misses in flight, a line can be evicted by the next one before the
// warp that requested it has its turn, and this can repeat forever. So a warp that has missed this
// often without an instruction in between gets its line as with l1i.refill. The reference would
// hang; on its own machine no warp comes near this limit.
#define STARVED 16

static bool starved(const struct hd_sm *sm)
{
    return hd_mshr_pending(&sm->l1i.mshr) && sm->missed[hd_mshr_peek(&sm->l1i.mshr)] >= STARVED;
}

static void deliver(struct hd_sm *sm, unsigned w)
{
    sm->missed[w] = 0;
    sm->fetched_pc = sm->warps[w].fetch_pc;
    sm->fetched_warp = (uint8_t)w;
    sm->fetch_full = true;
}

static void fetch_for(struct hd_sm *sm, unsigned w, uint64_t cycle)
{
    uint64_t addr = CODE_BASE + ((uint64_t)sm->code_base + sm->warps[w].fetch_pc) * INSN_BYTES;

    sm->view.last_fetch = (int8_t)w;
    switch (l1i_access(sm, addr, w, cycle)) {
    case HD_CACHE_HIT:
        deliver(sm, w);
        if (sm->cfg->l1i.prefetch)
            fetch_ahead(sm, addr, w, true);
        break;
    case HD_CACHE_MISS:
        sm->view.imiss |= hd_bit((int)w);
        sm->missed[w] = (uint8_t)(sm->missed[w] + (sm->missed[w] < STARVED));
        if (sm->cfg->l1i.prefetch)
            fetch_ahead(sm, addr, w, false);
        break;
    case HD_CACHE_PENDING: // not reached: tags contain no reserved lines
    case HD_CACHE_REFUSED:
        break;
    }
}

// Next warp of the scan among `left`: the policy's order, or round robin after the last fetched.
static int scan_next(struct hd_sm *sm, uint64_t left, uint64_t cycle)
{
    if (sm->fetch != HD_NONE) {
        const struct hd_sm_policy *p = &sm->policies[sm->fetch];
        int w = p->policy->fetch(p->state, &sm->view, left);
        if (__builtin_expect(w < 0 || w >= HD_MAX_WARPS || !hd_has(left, w), 0))
            hd_blame_policy(p->policy, "fetch",
                            "answered %d in cycle %llu; it was asked for one of %s", w,
                            (unsigned long long)cycle, hd_blame_set(left));
        return w;
    }
    return hd_rotate_from(left, sm->view.last_fetch + 1);
}

// Scan for a warp to fetch for, reclaiming the ended ones on the way.
static void scan(struct hd_sm *sm, uint64_t cycle)
{
    uint64_t left = hd_fetch_wanted(sm) | hd_blocks_reclaimable(sm);

    while (left) {
        int w = scan_next(sm, left, cycle);
        left &= ~hd_bit(w);
        if (hd_has(sm->view.live, w)) {
            fetch_for(sm, (unsigned)w, cycle);
            break;
        }
        hd_blocks_reclaim(sm, (unsigned)w);
    }
}

void hd_fetch_cycle(struct hd_sm *sm, uint64_t cycle)
{
    bool refill = sm->cfg->l1i.refill || starved(sm);
    int refilled = refill ? wake(sm) : HD_NONE;

    if (hd_has(hd_fetch_wanted(sm), refilled)) {
        deliver(sm,
                (unsigned)refilled); // takes this cycle's fetch, not the warp's turn in the scan
        if (!sm->cfg->l1i.refill)
            sm->view.last_fetch = (int8_t)refilled;
    } else {
        scan(sm, cycle);
    }
    hd_l1_send(sm, &sm->l1i, cycle);
    if (!refill)
        wake(sm);
}
