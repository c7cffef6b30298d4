// l1queue.c - the queues in front of the L1 data cache (l1d.latency), as GPGPU-Sim 4 has them.
//
// There is one for each bank. An access enters at the last place if that is free, moves one place a
// cycle while the next one is free, and the cache is asked when it is at place 0. If the cache
// refuses, it stays there and is asked again in the next cycle, and the accesses after it close up.
// A load that hits has its data at once: it does not pass the writeback register (ldst.c).
#include "sm/sm_internal.h"

void hd_l1queue_init(struct hd_sm *sm, struct hd_arena *a)
{
    if (sm->cfg->l1d.latency && sm->cfg->l1d.enabled)
        sm->ldst.l1_queue = HD_NEW(a, hd_l1_queue);
}

static unsigned bank_of(const struct hd_sm *sm, uint64_t addr)
{
    return (unsigned)(addr / HD_SECTOR_BYTES) & (sm->cfg->l1d.banks - 1);
}

bool hd_l1queue_enter(struct hd_sm *sm, const struct hd_l1_access *in)
{
    const struct hd_config_l1d *c = &sm->cfg->l1d;
    unsigned last = c->latency - 1;
    unsigned i = bank_of(sm, in->access.addr);
    struct hd_l1_queue *q = sm->ldst.l1_queue;
    struct hd_l1_bank *b = &q->banks[i];

    if (q->full[i] >> last & 1)
        return false;
    b->queue[b->end++ % HD_L1_STAGES] = *in;
    q->full[i] |= UINT64_C(1) << last;
    q->busy |= 1u << i;
    return true;
}

// The cache is asked for the access at place 0 of a bank. Returns the load if it hits. A bank whose
// access finds no place in its set is added to `without_place`.
static uint16_t ask(struct hd_sm *sm, unsigned bank, uint32_t *without_place, uint64_t cycle)
{
    struct hd_l1_bank *b = &sm->ldst.l1_queue->banks[bank];
    const struct hd_l1_access *q = &b->queue[b->head % HD_L1_STAGES];
    uint32_t room = hd_req_ring_room(&sm->l1d.out), needs;
    enum hd_l1_answer answer;

    if (b->needs > room) { // trying again would change nothing
        sm->stats.l1d_reservation_fails++;
        sm->view.mem_saturated = true;
        return HD_NO_LOAD;
    }
    needs = q->load != HD_NO_LOAD ? sm->l1d.room : 1;
    if (q->load != HD_NO_LOAD)
        answer = hd_l1d_read(sm, q->access.addr, q->warp, q->load, cycle);
    else
        answer = hd_l1d_write(sm, &q->access, q->local, q->warp, cycle);
    if (answer == HD_L1_REFUSE) {
        sm->view.mem_saturated = true;
        b->needs = (uint8_t)(room < needs ? needs : 0);
        sm->ldst.l1_queue->waits |= 1u << bank;
        if (sm->l1d_sectors && sm->l1d.lacks == HD_LACKS_PLACE)
            *without_place |= 1u << bank;
        return HD_NO_LOAD;
    }
    b->needs = 0;
    b->without_place = 0;
    sm->ldst.l1_queue->full[bank] &= ~UINT64_C(1);
    b->head++;
    if (answer == HD_L1_DONE && q->load == HD_NO_LOAD) // written back later
        hd_l1_stored(sm, q->warp, hd_l1_parts(sm, q->access.bytes));
    return answer == HD_L1_DONE ? q->load : HD_NO_LOAD;
}

// Whether the instruction in the dispatch register waits for a bank that is full up to an access
// without a place. Then no other access reaches the cache, because it blocks them all.
static bool dispatch_waits(const struct hd_sm *sm, uint32_t without_place)
{
    const struct hd_ldst *u = &sm->ldst;
    const struct hd_memop *op = &u->ops[u->dispatch.memop];
    unsigned bank;

    if (!u->dispatch_full || op->space == HD_SPACE_SHARED || op->way != HD_TO_L1_QUEUE || !op->n)
        return false;
    bank = bank_of(sm, op->a[op->n - 1].addr);
    return without_place >> bank & 1 && u->l1_queue->full[bank] == hd_low(sm->cfg->l1d.latency);
}

uint64_t hd_l1queue_accesses(const struct hd_sm *sm)
{
    const struct hd_l1_queue *q = sm->ldst.l1_queue;
    uint64_t n = 0;
    int i;

    HD_EACH(i, q->busy)
        for (uint8_t k = q->banks[i].head; k != q->banks[i].end; k++) {
            const struct hd_l1_access *a = &q->banks[i].queue[k % HD_L1_STAGES];
            n += a->load == HD_NO_LOAD ? hd_l1_parts(sm, a->access.bytes) : 1u;
        }
    return n;
}

// Accesses at the heads of these banks have no place in their sets. Only a fill could change a set,
// or a store of another line could raise the number of modified lines to l1d.dirty_limit. If no
// fill is in flight and no store can come, the access that has waited for the longest time gets a
// place. It also gets one if it has waited so long that the run would soon be ended: other warps
// may wait in a loop for this one.
static __attribute__((noinline)) uint16_t unblock(struct hd_sm *sm, uint32_t without_place,
                                                  uint64_t cycle)
{
    struct hd_l1_queue *q = sm->ldst.l1_queue;
    unsigned longest = (unsigned)hd_first(without_place);
    bool never;
    int i;

    HD_EACH(i, without_place)
        if (++q->banks[i].without_place > q->banks[longest].without_place)
            longest = (unsigned)i;
    never = !sm->l1d.mshr.n_used && without_place == q->busy &&
            (dispatch_waits(sm, without_place) || q->alone);
    const struct hd_l1_bank *b = &q->banks[longest];
    if ((!never && b->without_place <= sm->cfg->gpu.deadlock_after / 2) ||
        !hd_l1sectors_unblock(sm, b->queue[b->head % HD_L1_STAGES].access.addr))
        return HD_NO_LOAD;
    return ask(sm, longest, &without_place, cycle);
}

unsigned hd_l1queue_cycle(struct hd_sm *sm, uint64_t cycle, uint16_t hits[HD_L1_BANKS])
{
    struct hd_l1_queue *q = sm->ldst.l1_queue;
    uint32_t without_place = 0;
    unsigned n = 0;
    int i;

    HD_EACH(i, q->busy) {
        uint64_t full, below;
        if (q->full[i] & 1) {
            hits[n] = ask(sm, (unsigned)i, &without_place, cycle);
            n += hits[n] != HD_NO_LOAD;
        }
        full = q->full[i];
        below = (~full & (full + 1)) - 1; // the places below the first that is free
        q->full[i] = (full & below) | (full & ~below) >> 1;
        if (!q->full[i])
            q->busy &= ~(1u << i);
    }
    q->without_place = without_place;
    if (without_place) {
        hits[n] = unblock(sm, without_place, cycle);
        n += hits[n] != HD_NO_LOAD;
    }
    return n;
}

// What else arrives helps no access that needs entries of the miss queue.
void hd_l1queue_fill(struct hd_sm *sm, uint64_t addr)
{
    struct hd_l1_queue *q = sm->ldst.l1_queue;
    int i;

    HD_EACH(i, q->waits) {
        struct hd_l1_bank *b = &q->banks[i];
        if (!b->needs)
            q->waits &= ~(1u << i);
        else if (b->queue[b->head % HD_L1_STAGES].access.addr / HD_SECTOR_LINE ==
                 addr / HD_SECTOR_LINE)
            b->needs = 0;
    }
}

void hd_l1queue_idle(struct hd_sm *sm, uint64_t n)
{
    struct hd_l1_queue *q = sm->ldst.l1_queue;
    int i;

    HD_EACH(i, q->busy) {
        HD_DCHECK(n <= (unsigned)__builtin_ctzll(q->full[i]));
        q->full[i] >>= n;
    }
}

uint64_t hd_l1queue_wakes(const struct hd_sm *sm, uint64_t cycle)
{
    const struct hd_l1_queue *q = sm->ldst.l1_queue;
    uint64_t all = 0;
    int i;

    HD_EACH(i, q->busy)
        all |= q->full[i];
    return all ? cycle + 1 + (unsigned)__builtin_ctzll(all) : UINT64_MAX;
}

bool hd_l1queue_empty(const struct hd_sm *sm)
{
    return !sm->ldst.l1_queue->busy;
}
