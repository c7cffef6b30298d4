// l1.c - what the L1 caches of an SM share: sending to the network.
#include "sm/sm_internal.h"

bool hd_l1_can_send(const struct hd_sm *sm, const struct hd_req_ring *waiting)
{
    const struct hd_req *head;

    if (hd_req_ring_empty(waiting))
        return false;
    head = hd_req_ring_head(waiting);
    return sm->mem.ops->room(sm->mem.self, sm->index, head->kind, head->bytes);
}

void hd_l1_send_head(struct hd_sm *sm, struct hd_cache *c, uint64_t cycle)
{
    if (!hd_l1_can_send(sm, &c->out))
        return;
    struct hd_req r = hd_req_ring_pop(&c->out);
    if (c == &sm->l1d)
        sm->ldst.l1d_refused = false;
    if (c != &sm->l1i)
        hd_requeue_wake(&sm->ldst);
    r.issued = cycle;
    hd_sm_push(sm, &r);
}
