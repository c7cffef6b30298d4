// flat.c - memory of fixed latency: every reply is due the same number of cycles after its push.
//
// It models no real machine: it makes it possible to examine SMs and schedulers alone (--gpu
// debug-flatmem) and is the smallest implementation of the whole contract of port.h. A port accepts
// `inject` requests per cycle and delivers one reply per cycle. Requests are performed when due, in
// the order (cycle pushed, port), so the order of atomics does not depend on anything else.
#include "mem/flat.h"

#include "heddle/stats.h"
#include "hw/ring.h"

#define OUTSTANDING 4096 // of one port; more than an SM can have in flight

struct timed {
    uint64_t due;
    struct hd_req req;
};
HD_RING_OF(timed_ring, struct timed)

struct flat_port {
    _Alignas(64) struct hd_req_ring pushed; // in this cycle, not yet settled
    struct hd_req_ring replies;             // arrived, waiting to be popped
    uint32_t outstanding;                   // pushed and not yet popped
    uint32_t accepted;                      // in the cycle `accepted_in`
    uint64_t accepted_in;
};

struct flat {
    struct timed_ring in_flight; // of all ports, in order of their due cycles
    struct flat_port *ports;
    uint64_t cycle;   // of the last tick
    uint64_t full_in; // last cycle in which some port had accepted as many requests as it can
    uint64_t n_replies;
    const struct hd_config *config;
    struct hd_mem_listener listener;
    struct hd_mem_stats stats;
};

static bool flat_room(const void *self, unsigned port, unsigned kind, unsigned bytes)
{
    const struct flat *m = self;
    const struct flat_port *p = &m->ports[port];

    (void)kind, (void)bytes; // a packet of any size takes one place
    return p->outstanding < OUTSTANDING &&
           (p->accepted_in != m->cycle || p->accepted < m->config->flat.inject);
}

static void flat_push(void *self, unsigned port, const struct hd_req *req)
{
    struct flat *m = self;
    struct flat_port *p = &m->ports[port];

    HD_BUG_IF(!flat_room(self, port, req->kind, req->bytes), "push without room at port %u", port);
    if (p->accepted_in != m->cycle) {
        p->accepted_in = m->cycle;
        p->accepted = 0;
    }
    p->accepted++;
    p->outstanding++;
    hd_req_ring_push(&p->pushed, *req);
}

static void flat_settle(void *self, unsigned port)
{
    struct flat *m = self;
    struct flat_port *p = &m->ports[port];

    if (p->accepted_in == m->cycle && p->accepted == m->config->flat.inject)
        m->full_in = m->cycle;
    while (!hd_req_ring_empty(&p->pushed)) {
        m->stats.requests++;
        timed_ring_push(&m->in_flight, (struct timed){.due = m->cycle + m->config->flat.latency,
                                                      .req = hd_req_ring_pop(&p->pushed)});
    }
}

static bool flat_pop(void *self, unsigned port, struct hd_req *reply)
{
    struct flat *m = self;
    struct flat_port *p = &m->ports[port];

    if (hd_req_ring_empty(&p->replies))
        return false;
    *reply = hd_req_ring_pop(&p->replies);
    p->outstanding--;
    m->n_replies--;
    m->stats.replies++;
    m->stats.latency_cycles += m->cycle + 1 - reply->issued;
    return true;
}

// In a cycle, pop comes before tick, so a reply due in cycle c is delivered by the tick of c - 1.
static uint64_t flat_tick(void *self, uint64_t cycle)
{
    struct flat *m = self;

    m->cycle = cycle;
    while (!timed_ring_empty(&m->in_flight) && timed_ring_head(&m->in_flight)->due <= cycle + 1) {
        struct hd_req r = timed_ring_pop(&m->in_flight).req;
        if (r.kind == HD_REQ_ATOMIC && m->listener.serve)
            m->listener.serve(m->listener.ctx, &r);
        if (r.kind == HD_REQ_WRITEBACK) {
            m->ports[r.port].outstanding--;
            continue;
        }
        hd_req_ring_push(&m->ports[r.port].replies, r);
        m->n_replies++;
    }
    return 0;
}

static uint64_t flat_wakes(const void *self, uint64_t cycle)
{
    const struct flat *m = self;
    uint64_t due;

    if (m->n_replies || m->full_in == cycle)
        return cycle + 1;
    if (timed_ring_empty(&m->in_flight))
        return UINT64_MAX;
    due = timed_ring_head(&m->in_flight)->due - 1; // the tick that delivers it
    return due > cycle ? due : cycle + 1;
}

static void flat_skip(void *self, uint64_t n)
{
    struct flat *m = self;

    m->cycle += n;
}

static bool flat_idle(const void *self)
{
    const struct flat *m = self;

    return !m->n_replies && timed_ring_empty(&m->in_flight);
}

static struct hd_mem_stats flat_stats(const void *self)
{
    const struct flat *m = self;

    return m->stats;
}

static void flat_restart(void *self)
{
    (void)self; // it has no clocks of its own
}

static void flat_look(const void *self,
                      void (*see)(void *ctx, const struct hd_req *r, enum hd_mem_level level),
                      void *ctx)
{
    const struct flat *m = self;

    for (uint32_t i = 0; i < timed_ring_fill(&m->in_flight); i++)
        see(ctx, &timed_ring_at(&m->in_flight, i)->req, HD_LEVEL_DRAM);
    for (unsigned i = 0; i < m->config->sm.sms; i++)
        for (uint32_t k = 0; k < hd_req_ring_fill(&m->ports[i].replies); k++)
            see(ctx, hd_req_ring_at(&m->ports[i].replies, k), HD_LEVEL_RETURN);
}

static const struct hd_mem_ops flat_ops = {
    .name = "flat",
    .room = flat_room,
    .push = flat_push,
    .settle = flat_settle,
    .pop = flat_pop,
    .tick = flat_tick,
    .wakes = flat_wakes,
    .skip = flat_skip,
    .idle = flat_idle,
    .stats = flat_stats,
    .restart = flat_restart,
    .look = flat_look,
};

struct hd_mem hd_flat_new(struct hd_arena *a, const struct hd_config *c,
                          const struct hd_mem_listener *listener)
{
    struct flat *m = HD_NEW(a, flat);

    m->config = c;
    m->full_in = UINT64_MAX;
    m->listener = *listener;
    m->ports = HD_ARRAY(a, struct flat_port, c->sm.sms);
    timed_ring_init(&m->in_flight, a, c->sm.sms * OUTSTANDING);
    for (unsigned i = 0; i < c->sm.sms; i++) {
        hd_req_ring_init(&m->ports[i].pushed, a, c->flat.inject);
        hd_req_ring_init(&m->ports[i].replies, a, OUTSTANDING);
        m->ports[i].accepted_in = UINT64_MAX;
    }
    return (struct hd_mem){.ops = &flat_ops, .self = m};
}
