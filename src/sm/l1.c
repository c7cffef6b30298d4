// l1.c - what the L1 caches of an SM share: their way to the network.
#include "sm/core.h"

void hd_l1_send(struct hd_sm *sm, struct hd_l1 *c, uint64_t cycle)
{
    const struct hd_req *head;

    if (hd_req_ring_empty(&c->misses))
        return;
    head = hd_req_ring_head(&c->misses);
    if (!sm->mem.ops->room(sm->mem.self, sm->index, head->kind, head->bytes))
        return;
    struct hd_req r = hd_req_ring_pop(&c->misses);
    if (c == &sm->l1d)
        sm->ldst.l1d_refused = false;
    r.issued = cycle;
    sm->mem.ops->push(sm->mem.self, sm->index, &r);
}
