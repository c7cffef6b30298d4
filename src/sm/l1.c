// l1.c - what the L1 caches of an SM share: sending to the network, acknowledgements of stores,
// events, the view of the policies.
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
    if (c == &sm->l1d && sm->ldst.l1d_refused & HD_LACKS_QUEUE)
        sm->ldst.l1d_refused = 0;
    if (c != &sm->l1i)
        hd_requeue_wake(&sm->ldst);
    r.issued = cycle;
    hd_sm_push(sm, &r);
}

void hd_l1_report(struct hd_sm *sm, enum hd_event_kind kind, unsigned warp, uint64_t line,
                  uint32_t flags, unsigned owner)
{
    hd_notify_event(sm, &(struct hd_event){.kind = (uint8_t)kind,
                                           .sched = (uint8_t)hd_sched_of(sm, warp),
                                           .warp = (uint8_t)warp,
                                           .tb = sm->tb_of[warp],
                                           .flags = flags,
                                           .line = line,
                                           .owner = owner,
                                           .kernel = hd_kernel_of(sm, warp)});
}

void hd_l1_used(struct hd_sm *sm)
{
    for (struct hd_sm_watch *w = sm->watches; w; w = w->next)
        hd_sm_watch_mshrs(w, &sm->view);
    sm->view.l1d_mshr = (uint16_t)sm->l1d.mshr.n_used;
}

void hd_l1_stored(struct hd_sm *sm, unsigned w, unsigned n)
{
    HD_BUG_IF(sm->warps[w].stores < n, "store acknowledged twice");
    sm->warps[w].stores -= n;
    if (!sm->warps[w].stores) {
        sm->stores_out &= ~hd_bit((int)w);
        if (hd_has(sm->asleep, (int)w))
            hd_async_look_at_group(sm, w);
    }
}
