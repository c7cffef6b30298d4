// front.c - the front end: instruction fetch, L1 instruction cache, decode, instruction buffers.
//
// One fetch per SM and cycle, for a warp whose buffer is empty (timing-model 4). The scan that
// looks for it also reclaims the ended warps it passes. Decode fills the buffer a cycle later
// without asking whether the warp is still going that way; the scheduler finds out when it visits.
#include "base/blame.h"
#include "sm/core.h"

#define CODE_BASE UINT64_C(0xF0000000) // where instructions live in memory
#define INSN_BYTES 8
#define UNASKED UINT8_MAX // owner of a line that was fetched ahead and not asked for since

void hd_front_init(struct hd_sm *sm, struct hd_arena *a)
{
    const struct hd_config_l1i *c = &sm->cfg->l1i;

    hd_tags_init(&sm->l1i.tags, a, c->sets, c->ways, c->line);
    hd_mshr_init(&sm->l1i.mshr, a, c->mshrs, c->merges);
    hd_req_ring_init(&sm->l1i.misses, a, c->miss_queue);
    hd_req_ring_init(&sm->cluster, a, sm->cfg->sm.reply_fifo);
    sm->view.ibuf_empty = hd_low(sm->cfg->sm.warps);
}

// What the scoreboard says to the head of w.
static void check(struct hd_sm *sm, unsigned w, const struct hd_deps *d)
{
    struct hd_view *v = &sm->view;
    uint64_t bit = hd_bit((int)w);

    if (sm->warps[w].n_reserved && hd_scoreboard_collides(sm, w, d)) {
        v->sb_block |= bit;
        if (hd_scoreboard_memory(sm, w, d))
            sm->mem_block |= bit;
    }
    if (sm->warps[w].n_long && hd_scoreboard_long(sm, w, d))
        v->long_mark |= bit;
}

void hd_front_recheck(struct hd_sm *sm, unsigned w)
{
    uint64_t keep = ~hd_bit((int)w);

    sm->lost_known = 0;
    sm->view.sb_block &= keep;
    sm->mem_block &= keep;
    sm->view.long_mark &= keep;
    check(sm, w, &sm->program->deps[sm->warps[w].ibuf_pc]);
}

void hd_front_refresh(struct hd_sm *sm, unsigned w)
{
    struct hd_view *v = &sm->view;
    uint64_t bit = hd_bit((int)w), keep = ~bit;
    const struct hd_deps *d;

    sm->lost_known = 0;
    v->ibuf_empty &= keep;
    v->wrong_path &= keep;
    v->sb_block &= keep;
    sm->mem_block &= keep;
    v->long_mark &= keep;
    v->head_load &= keep;
    v->head_store &= keep;
    v->head_atomic &= keep;
    v->head_offchip &= keep;
    for (unsigned u = 0; u < 4; u++)
        sm->head_unit[u] &= keep;
    if (!sm->warps[w].ibuf_n) {
        v->ibuf_empty |= bit;
        return;
    }
    if (sm->warps[w].ibuf_pc != sm->source.pc[w])
        v->wrong_path |= bit;
    if (sm->warps[w].ibuf_pc >= sm->program->n_insns) // fetched past the end of the code
        return;
    d = &sm->program->deps[sm->warps[w].ibuf_pc];
    sm->head_unit[d->unit] |= bit;
    check(sm, w, d);
    if (d->kind == HD_KIND_LOAD)
        v->head_load |= bit;
    else if (d->kind == HD_KIND_STORE)
        v->head_store |= bit;
    else if (d->kind == HD_KIND_ATOMIC)
        v->head_atomic |= bit;
    if (d->flags & HD_DEP_OFFCHIP)
        v->head_offchip |= bit;
}

static void set_in_pipe(struct hd_sm *sm, unsigned w)
{
    if (sm->warps[w].in_pipe)
        sm->pipe_busy |= hd_bit((int)w);
    else
        sm->pipe_busy &= ~hd_bit((int)w);
}

void hd_front_flush(struct hd_sm *sm, unsigned w)
{
    sm->warps[w].in_pipe = (uint8_t)(sm->warps[w].in_pipe - sm->warps[w].ibuf_n);
    sm->warps[w].ibuf_n = 0;
    sm->warps[w].fetch_pc = sm->source.pc[w];
    set_in_pipe(sm, w);
    hd_front_refresh(sm, w);
}

void hd_front_decode(struct hd_sm *sm)
{
    unsigned w = sm->fetched_warp;
    uint32_t left;

    if (!sm->fetch_full)
        return;
    sm->fetch_full = false;
    left = sm->fetched_pc < sm->program->n_insns ? sm->program->n_insns - sm->fetched_pc : 1;
    sm->warps[w].ibuf_pc = sm->fetched_pc;
    sm->warps[w].ibuf_n =
        (uint8_t)(left < sm->cfg->sm.fetch_insts ? left : sm->cfg->sm.fetch_insts);
    sm->warps[w].in_pipe = (uint8_t)(sm->warps[w].in_pipe + sm->warps[w].ibuf_n);
    set_in_pipe(sm, w);
    hd_front_refresh(sm, w);
}

enum l1i_result { L1I_HIT, L1I_MISS, L1I_FAIL };

static void ask_for_line(struct hd_sm *sm, uint64_t line, unsigned w)
{
    hd_req_ring_push(&sm->l1i.misses, (struct hd_req){.addr = line,
                                                      .tag = HD_TAG(HD_CLIENT_INST, 0),
                                                      .port = (uint16_t)sm->index,
                                                      .kind = HD_REQ_INST,
                                                      .owner = (uint8_t)w,
                                                      .reply_bytes = (uint8_t)sm->cfg->l1i.line});
}

// The line behind the one that `addr` is in, if memory is not busy (ELF, SC 2015, section 3.5:
// requests of warps go first). One that finds no room is forgotten.
static void prefetch(struct hd_sm *sm, uint64_t addr, unsigned w)
{
    struct hd_l1 *c = &sm->l1i;
    uint64_t line = hd_tags_line(&c->tags, addr) + sm->cfg->l1i.line;
    uint32_t index;

    if (sm->cfg->l1i.perfect || c->mshr.n_used + sm->l1d.mshr.n_used >= sm->cfg->l1i.prefetch ||
        hd_req_ring_full(&c->misses) || !hd_mshr_room(&c->mshr, -1) ||
        hd_tags_probe(&c->tags, hd_tags_set(&c->tags, line), line, &index) == HD_TAG_HIT ||
        hd_mshr_find(&c->mshr, line) >= 0)
        return;
    sm->stats.l1i_prefetches++;
    hd_mshr_expect(&c->mshr, line);
    sm->view.l1i_mshr = (uint16_t)c->mshr.n_used;
    ask_for_line(sm, line, w);
}

// Behind a fetch of the line at `addr`. Most machines do not fetch ahead: out of the way of the
// rest.
static void fetch_ahead(struct hd_sm *sm, uint64_t addr, unsigned w, bool hit)
{
    struct hd_l1 *c = &sm->l1i;
    uint32_t index;

    if (hit && !sm->cfg->l1i.perfect) {
        hd_tags_probe(&c->tags, hd_tags_set(&c->tags, addr), addr, &index);
        sm->stats.l1i_prefetches_used += c->tags.lines[index].owner == UNASKED;
        c->tags.lines[index].owner = 0;
    }
    if (!hit || !sm->cfg->l1i.prefetch_missed)
        prefetch(sm, addr, w);
}

// Allocate on fill: tags never hold reserved lines; misses live in the MSHRs alone. A free place in
// the miss queue is needed even to merge (timing-model 4.1).
static enum l1i_result l1i_access(struct hd_sm *sm, uint64_t addr, unsigned w, uint64_t cycle)
{
    struct hd_l1 *c = &sm->l1i;
    uint64_t line = hd_tags_line(&c->tags, addr);
    uint32_t index;
    int entry;

    sm->stats.fetches++;
    if (sm->cfg->l1i.perfect)
        return L1I_HIT;
    if (hd_tags_probe(&c->tags, hd_tags_set(&c->tags, addr), addr, &index) == HD_TAG_HIT) {
        sm->stats.l1i_accesses++;
        c->tags.lines[index].last_use = cycle;
        return L1I_HIT;
    }
    entry = hd_mshr_find(&c->mshr, line);
    if (hd_req_ring_full(&c->misses) || !hd_mshr_room(&c->mshr, entry)) {
        sm->stats.l1i_reservation_fails++;
        return L1I_FAIL;
    }
    sm->stats.l1i_accesses++;
    sm->stats.l1i_misses++;
    sm->stats.l1i_prefetches_used += entry >= 0 && hd_mshr_unasked(&c->mshr, entry);
    hd_mshr_add(&c->mshr, entry, line, w);
    sm->view.l1i_mshr = (uint16_t)c->mshr.n_used;
    if (entry < 0)
        ask_for_line(sm, line, w);
    return L1I_MISS;
}

void hd_front_fill(struct hd_sm *sm, uint64_t addr, uint64_t cycle)
{
    struct hd_l1 *c = &sm->l1i;
    uint64_t line = hd_tags_line(&c->tags, addr);
    bool asked = hd_mshr_fill(&c->mshr, line);
    uint32_t index;

    hd_tags_probe(&c->tags, hd_tags_set(&c->tags, addr), addr, &index);
    c->tags.lines[index] = (struct hd_tag_line){
        .addr = line, .last_use = cycle, .state = HD_LINE_VALID, .owner = asked ? 0 : UNASKED};
    sm->view.l1i_mshr = (uint16_t)c->mshr.n_used;
}

// Wake one warp whose line is here; it fetches again. Returns the warp, HD_NONE if there is none.
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

// A line can be pushed out again by the next one before the warp it was fetched for has its turn,
// in small caches with several misses in flight for ever. So a warp that has missed this often
// without an instruction in between gets its line as with l1i.refill. The reference would hang; on
// its own machine no warp comes near.
#define STARVED 16

static bool starved(const struct hd_sm *sm)
{
    return hd_mshr_pending(&sm->l1i.mshr) && sm->missed[hd_mshr_peek(&sm->l1i.mshr)] >= STARVED;
}

static void deliver(struct hd_sm *sm, unsigned w)
{
    sm->missed[w] = 0;
    sm->view.last_fetch = (int8_t)w;
    sm->fetched_pc = sm->warps[w].fetch_pc;
    sm->fetched_warp = (uint8_t)w;
    sm->fetch_full = true;
}

static void fetch_for(struct hd_sm *sm, unsigned w, uint64_t cycle)
{
    uint64_t addr =
        CODE_BASE + ((uint64_t)sm->launch->code_base + sm->warps[w].fetch_pc) * INSN_BYTES;

    sm->view.last_fetch = (int8_t)w;
    switch (l1i_access(sm, addr, w, cycle)) {
    case L1I_HIT:
        deliver(sm, w);
        if (sm->cfg->l1i.prefetch)
            fetch_ahead(sm, addr, w, true);
        break;
    case L1I_MISS:
        sm->view.imiss |= hd_bit((int)w);
        sm->missed[w] = (uint8_t)(sm->missed[w] + (sm->missed[w] < STARVED));
        if (sm->cfg->l1i.prefetch)
            fetch_ahead(sm, addr, w, false);
        break;
    case L1I_FAIL:
        break;
    }
}

static uint64_t fetchable(const struct hd_sm *sm)
{
    return sm->view.live & sm->view.ibuf_empty & ~sm->view.imiss;
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
    uint64_t left = fetchable(sm) | hd_blocks_reclaimable(sm);

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

void hd_front_fetch(struct hd_sm *sm, uint64_t cycle)
{
    bool refill = sm->cfg->l1i.refill || starved(sm);
    int refilled = refill ? wake(sm) : HD_NONE;

    if (hd_has(fetchable(sm), refilled))
        deliver(sm, (unsigned)refilled); // takes this cycle's fetch
    else
        scan(sm, cycle);
    hd_l1_send(sm, &sm->l1i, cycle);
    if (!refill)
        wake(sm);
}

bool hd_front_quiet(const struct hd_sm *sm)
{
    return !sm->fetch_full && !fetchable(sm) && !hd_blocks_reclaimable(sm) &&
           !hd_mshr_pending(&sm->l1i.mshr);
}
