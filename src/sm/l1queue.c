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

bool hd_l1queue_enter(struct hd_sm *sm, const struct hd_l1_access *in)
{
    const struct hd_config_l1d *c = &sm->cfg->l1d;
    unsigned last = c->latency - 1;
    struct hd_l1_bank *b =
        &sm->ldst.l1_queue->banks[in->access.addr / HD_SECTOR_BYTES & (c->banks - 1)];

    if (b->full >> last & 1)
        return false;
    b->queue[b->end++ % HD_L1_STAGES] = *in;
    b->full |= UINT64_C(1) << last;
    return true;
}

// The cache is asked for the access at place 0 of a bank. Returns the load if it hits.
static uint16_t ask(struct hd_sm *sm, struct hd_l1_bank *b, uint64_t cycle)
{
    const struct hd_l1_access *q = &b->queue[b->head % HD_L1_STAGES];
    enum hd_l1_answer answer;

    if (q->load != HD_NO_LOAD)
        answer = hd_l1d_read(sm, q->access.addr, q->warp, q->load, cycle);
    else
        answer = hd_l1d_write(sm, &q->access, q->local, q->warp, cycle);
    if (answer == HD_L1_REFUSE) {
        sm->view.mem_saturated = true;
        return HD_NO_LOAD;
    }
    b->full &= ~UINT64_C(1);
    b->head++;
    return answer == HD_L1_DONE ? q->load : HD_NO_LOAD;
}

unsigned hd_l1queue_cycle(struct hd_sm *sm, uint64_t cycle, uint16_t hits[HD_L1_BANKS])
{
    unsigned n = 0;

    for (unsigned i = 0; i < sm->cfg->l1d.banks; i++) {
        struct hd_l1_bank *b = &sm->ldst.l1_queue->banks[i];
        uint64_t below;
        if (b->full & 1) {
            hits[n] = ask(sm, b, cycle);
            n += hits[n] != HD_NO_LOAD;
        }
        below = (~b->full & (b->full + 1)) - 1; // the places below the first that is free
        b->full = (b->full & below) | (b->full & ~below) >> 1;
    }
    return n;
}

void hd_l1queue_idle(struct hd_sm *sm, uint64_t n)
{
    for (unsigned i = 0; i < sm->cfg->l1d.banks; i++) {
        struct hd_l1_bank *b = &sm->ldst.l1_queue->banks[i];
        HD_DCHECK(!b->full || n <= (unsigned)__builtin_ctzll(b->full));
        if (b->full)
            b->full >>= n;
    }
}

uint64_t hd_l1queue_wakes(const struct hd_sm *sm, uint64_t cycle)
{
    uint64_t next = UINT64_MAX;

    for (unsigned i = 0; i < sm->cfg->l1d.banks; i++) {
        uint64_t full = sm->ldst.l1_queue->banks[i].full;
        if (full && cycle + 1 + (unsigned)__builtin_ctzll(full) < next)
            next = cycle + 1 + (unsigned)__builtin_ctzll(full);
    }
    return next;
}

bool hd_l1queue_empty(const struct hd_sm *sm)
{
    return hd_l1queue_wakes(sm, 0) == UINT64_MAX;
}
