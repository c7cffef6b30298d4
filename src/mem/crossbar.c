// crossbar.c - the memory side of a GPU as GPGPU-Sim 3.2.2 models it: two networks, memory
// partitions with L2 banks and DRAM, and the DRAM's clock.
//
// Order of a cycle in the reference (timing-model 1.2): the heads of the partitions' reply queues
// enter the replies' network; the DRAM ticks that are due are made; each sub-partition takes a
// request from its network port and makes a step; both networks make a step. A DRAM tick between
// two core cycles is made at the start of the second: nothing else reads the DRAM's state in
// between.
//
// Here a cycle has two parts (port.h). The first one has what the SMs' steps depend on: replies
// enter their network, which performs atomics; sub-partitions take requests; the requests' network
// makes its step. The rest follows in the second part: DRAM ticks, steps of sub-partitions, and the
// step of the replies' network. The result is the same as in the reference's order. Whether a
// sub-partition takes a request depends only on its own queues, which nothing changes before its
// step, and nothing in the second part touches the requests' network.
//
// What has nothing to do is not stepped: sub-partitions compute the cycle, DRAM channels the tick
// at which they continue. Not modelled: separate clocks of network and L2 (the GTX 480 has one for
// both).
#include "mem/crossbar.h"

#include "heddle/bits.h"
#include "mem/network.h"
#include "mem/partition.h"

#include <string.h>

// The SM's side of a port, besides its input of the network. It has a line for itself.
struct port {
    _Alignas(64) uint32_t pushed; // requests not yet settled
};

struct crossbar {
    struct hd_network requests;
    struct port *ports; // by SM
    struct hd_addrmap map;
    const struct hd_config *config;
    // What is above is read while SMs step; what is below changes in the second part of a cycle.
    _Alignas(64) struct hd_network replies;
    struct hd_l2 *subs;
    struct hd_partition *partitions;
    unsigned words;                      // of the two sets below
    uint64_t replying[HD_NETWORK_WORDS]; // sub-partitions with a reply for the network
    uint64_t refused[HD_NETWORK_WORDS];  // of these: had no room for it when they last tried
    uint64_t awake[HD_NETWORK_WORDS];    // sub-partitions that continue in this cycle or the next
    uint64_t *l2_wakes; // by sub-partition: the cycle in which it continues; UINT64_MAX: none
    uint64_t l2_next;   // the earliest of them that are not awake, or an earlier cycle
    uint64_t filled;    // partitions with anything below their L2 banks
    // Seconds from the kernel's start to the next ticks of the clocks, summed period by period as
    // in the reference, because its rounding decides which tick is first when both coincide.
    double core_time, dram_time, core_period, dram_period;
    uint64_t ticks;       // of the DRAM clock so far
    unsigned ticks_due;   // in the second part of this cycle
    uint64_t cycle;       // of the last tick()
    uint64_t outstanding; // requests pushed and not answered in full; for write-backs, not done
    struct hd_mem_listener listener;
    struct hd_mem_stats stats;
};

static bool crossbar_room(const void *self, unsigned port, unsigned kind, unsigned bytes)
{
    const struct crossbar *m = self;

    return hd_network_room(&m->requests, port,
                           hd_network_flits(&m->requests, hd_req_carries(kind, bytes)));
}

static void crossbar_push(void *self, unsigned port, const struct hd_req *req)
{
    struct crossbar *m = self;
    uint32_t bytes = hd_req_carries(req->kind, req->bytes);
    bool stray = req->kind == HD_REQ_WRITEBACK && m->config->l1d.victims_astray;
    uint64_t addr = stray ? (uint64_t)req->tag * m->config->l1d.line : req->addr;
    struct hd_packet p = {.req = *req,
                          .flits = (uint16_t)hd_network_flits(&m->requests, bytes),
                          .to = (uint16_t)hd_addrmap_partition(&m->map, addr)};

    hd_network_enter(&m->requests, port, &p);
    m->ports[port].pushed++;
}

static void crossbar_settle(void *self, unsigned port)
{
    struct crossbar *m = self;

    hd_network_announce(&m->requests, port);
    m->outstanding += m->ports[port].pushed;
    m->stats.requests += m->ports[port].pushed;
    m->ports[port].pushed = 0;
}

static bool crossbar_pop(void *self, unsigned port, struct hd_req *reply)
{
    struct crossbar *m = self;

    if (!hd_network_pop(&m->replies, port, reply))
        return false;
    m->outstanding--;
    m->stats.replies++;
    m->stats.latency_cycles += m->cycle + 1 - reply->issued;
    return true;
}

// The head of a reply queue enters the network, if the whole packet fits. Atomics are performed
// when they leave.
static void send_reply(struct crossbar *m, unsigned sub)
{
    struct hd_l2 *l = &m->subs[sub];
    const struct hd_req *r = hd_req_ring_head(&l->out);
    uint32_t flits = hd_network_flits(&m->replies, r->reply_bytes);

    if (!hd_network_room(&m->replies, sub, flits)) {
        hd_bits_add(m->refused, sub);
        return;
    }
    if (r->kind == HD_REQ_ATOMIC && m->listener.serve)
        m->listener.serve(m->listener.ctx, r);
    hd_network_push(&m->replies, sub,
                    &(struct hd_packet){.req = *r, .flits = (uint16_t)flits, .to = r->port});
    if (hd_req_ring_full(&l->out)) { // a request that waited for room continues
        m->l2_wakes[sub] = m->cycle;
        hd_bits_add(m->awake, sub);
    }
    hd_req_ring_pop(&l->out);
    if (hd_req_ring_empty(&l->out))
        hd_bits_drop(m->replying, sub);
}

static void send_replies(struct crossbar *m)
{
    int i;

    for (unsigned w = 0; w < m->words; w++) {
        uint64_t may = m->replying[w] & (~m->refused[w] | m->replies.sent[w]);
        m->refused[w] &= ~may;
        HD_EACH(i, may)
            send_reply(m, w * 64 + (unsigned)i);
    }
}

static void step_dram(struct crossbar *m)
{
    uint64_t tick = m->ticks++;
    int i;

    HD_EACH(i, m->filled) {
        struct hd_partition *p = &m->partitions[i];
        int sub;

        if (!hd_partition_busy(p, tick, m->cycle))
            continue;
        sub = hd_partition_tick(p, tick, m->cycle);
        if (sub != HD_NONE) {
            sub += i * (int)m->config->dram.subs;
            m->l2_wakes[sub] = m->cycle;
            hd_bits_add(m->awake, (unsigned)sub);
        }
        m->outstanding -= p->written_back;
        p->written_back = 0;
        if (hd_partition_empty(p))
            m->filled &= ~hd_bit(i);
    }
}

// The time of some sub-partition may have come.
static __attribute__((noinline)) void wake_l2(struct crossbar *m)
{
    unsigned subs = m->config->dram.channels * m->config->dram.subs;

    m->l2_next = UINT64_MAX;
    for (unsigned i = 0; i < subs; i++)
        if (m->l2_wakes[i] <= m->cycle)
            hd_bits_add(m->awake, i);
        else if (m->l2_wakes[i] < m->l2_next)
            m->l2_next = m->l2_wakes[i];
}

static inline void note_wakes(struct crossbar *m, unsigned sub, uint64_t wakes)
{
    m->l2_wakes[sub] = wakes;
    if (wakes <= m->cycle + 1) {
        hd_bits_add(m->awake, sub);
        return;
    }
    hd_bits_drop(m->awake, sub);
    m->l2_next = wakes < m->l2_next ? wakes : m->l2_next;
}

static inline void take_request(struct crossbar *m, unsigned sub)
{
    struct hd_l2 *l = &m->subs[sub];
    struct hd_req r;
    uint64_t ready;

    if (!hd_l2_room(l) || !hd_network_pop(&m->requests, sub, &r))
        return;
    ready = hd_l2_push(l, &r, m->cycle);
    if (ready < m->l2_wakes[sub])
        note_wakes(m, sub, ready);
    m->outstanding += l->divided;
    l->divided = 0;
}

static void take_requests(struct crossbar *m)
{
    int i;

    for (unsigned w = 0; w < m->words; w++)
        HD_EACH(i, m->requests.ready[w])
            take_request(m, w * 64 + (unsigned)i);
}

// Sub-partitions from w x 64 on.
static inline void step_some(struct crossbar *m, unsigned w)
{
    int i;

    HD_EACH(i, m->awake[w]) {
        unsigned sub = w * 64 + (unsigned)i;
        struct hd_l2 *l = &m->subs[sub];

        if (m->l2_wakes[sub] > m->cycle)
            continue;
        hd_l2_step(l, m->cycle);
        note_wakes(m, sub, hd_l2_wakes(l, m->cycle));
        if (!hd_req_ring_empty(&l->out))
            m->replying[w] |= hd_bit(i);
        if (!hd_dram_ring_empty(&l->to_dram))
            m->filled |= hd_bit((int)(sub / m->config->dram.subs));
        m->outstanding -= l->written_back;
        l->written_back = 0;
    }
}

static void step_l2(struct crossbar *m)
{
    if (m->cycle >= m->l2_next)
        wake_l2(m);
    step_some(m, 0);
    for (unsigned w = 1; w < m->words; w++)
        step_some(m, w);
}

// The number of DRAM ticks that are due in this core cycle.
static unsigned advance_clocks(struct crossbar *m)
{
    unsigned n = 0;

    for (; m->dram_time <= m->core_time; n++)
        m->dram_time += m->dram_period;
    m->core_time += m->core_period;
    m->stats.dram_cycles += (uint64_t)n * m->config->dram.channels;
    return n;
}

static inline void step_network(struct hd_network *n)
{
    if (n->busy)
        hd_network_step(n);
    else
        memset(n->sent, 0, sizeof n->sent);
}

static bool crossbar_tick(void *self, uint64_t cycle)
{
    struct crossbar *m = self;
    uint64_t work = m->filled;

    m->cycle = cycle;
    send_replies(m);
    take_requests(m);
    step_network(&m->requests);
    m->ticks_due = advance_clocks(m);
    for (unsigned w = 0; w < m->words; w++)
        work |= m->awake[w];
    if (work || m->replies.busy || cycle >= m->l2_next)
        return true;
    m->ticks += m->ticks_due;
    step_network(&m->replies);
    return false;
}

static void crossbar_finish(void *self)
{
    struct crossbar *m = self;

    for (unsigned n = m->ticks_due; n; n--)
        step_dram(m);
    step_l2(m);
    step_network(&m->replies);
}

// The core cycle of a DRAM tick, or an earlier one: waking early does no harm.
static uint64_t cycle_of(const struct crossbar *m, uint64_t cycle, uint64_t tick)
{
    double time = m->dram_time + (double)(tick - m->ticks) * m->dram_period;
    double cycles = (time - m->core_time) / m->core_period - 1;

    return cycle + 1 + (cycles > 0 ? (uint64_t)cycles : 0);
}

static uint64_t crossbar_wakes(const void *self, uint64_t cycle)
{
    const struct crossbar *m = self;
    uint64_t next = m->l2_next, at;
    int i;

    if (m->requests.busy || m->replies.busy)
        return cycle + 1;
    for (unsigned w = 0; w < m->words; w++)
        if (m->replying[w] | m->requests.ready[w] | m->replies.ready[w] | m->awake[w])
            return cycle + 1;
    HD_EACH(i, m->filled) {
        if (next <= cycle + 1)
            break;
        const struct hd_partition *p = &m->partitions[i];
        if (hd_partition_busy(p, m->ticks, cycle + 1))
            return cycle + 1;
        at = p->wakes == UINT64_MAX ? UINT64_MAX : cycle_of(m, cycle, p->wakes);
        next = at < next ? at : next;
        at = hd_latent_ring_empty(&p->latent) ? UINT64_MAX : hd_latent_ring_head(&p->latent)->ready;
        next = at < next ? at : next;
    }
    return next > cycle ? next : cycle + 1;
}

static void crossbar_skip(void *self, uint64_t n)
{
    struct crossbar *m = self;

    m->cycle += n;
    while (n--)
        m->ticks += advance_clocks(m);
}

// The reference's condition for the end of a kernel: fills that a store requested and write-backs
// of the L2 belong to no requester and may still be in flight.
static bool crossbar_idle(const void *self)
{
    const struct crossbar *m = self;

    return !m->outstanding;
}

static void crossbar_restart(void *self)
{
    struct crossbar *m = self;

    m->core_time = m->dram_time = 0;
}

// l2.copies: each sector that was copied is in its L2 bank.
static void crossbar_copied(void *self, uint64_t addr, uint64_t bytes)
{
    struct crossbar *m = self;

    if (!m->config->l2.copies)
        return;
    for (uint64_t end = addr + bytes; addr < end; addr += HD_SECTOR_BYTES)
        hd_l2sectors_copy(&m->subs[hd_addrmap_partition(&m->map, addr)], addr, m->cycle);
}

typedef void see_fn(void *ctx, const struct hd_req *r, enum hd_mem_level level);

static void look_at_packets(const struct hd_packet_ring *p, enum hd_mem_level level, see_fn *see,
                            void *ctx)
{
    for (uint32_t i = 0; i < hd_packet_ring_fill(p); i++)
        see(ctx, &hd_packet_ring_at(p, i)->req, level);
}

static void look_at_network(const struct hd_network *n, unsigned inputs, unsigned outputs,
                            enum hd_mem_level level, see_fn *see, void *ctx)
{
    for (unsigned i = 0; i < inputs; i++)
        look_at_packets(&n->in[i].packets, level, see, ctx);
    for (unsigned i = 0; i < outputs; i++)
        look_at_packets(&n->out[i].packets, level, see, ctx);
}

static void crossbar_look(const void *self, see_fn *see, void *ctx)
{
    const struct crossbar *m = self;
    unsigned sms = m->config->sm.sms, subs = m->config->dram.channels * m->config->dram.subs;

    look_at_network(&m->requests, sms, subs, HD_LEVEL_NETWORK, see, ctx);
    for (unsigned i = 0; i < subs; i++)
        hd_l2_look(&m->subs[i], see, ctx);
    look_at_network(&m->replies, subs, sms, HD_LEVEL_RETURN, see, ctx);
}

static const struct hd_mem_ops crossbar_ops = {
    .name = "crossbar",
    .room = crossbar_room,
    .push = crossbar_push,
    .settle = crossbar_settle,
    .pop = crossbar_pop,
    .tick = crossbar_tick,
    .finish = crossbar_finish,
    .wakes = crossbar_wakes,
    .skip = crossbar_skip,
    .idle = crossbar_idle,
    .restart = crossbar_restart,
    .copied = crossbar_copied,
    .look = crossbar_look,
};

struct hd_mem hd_crossbar_new(struct hd_arena *a, const struct hd_config *c,
                              const struct hd_mem_listener *listener)
{
    struct crossbar *m = HD_NEW(a, crossbar);
    uint32_t subs = c->dram.channels * c->dram.subs;

    m->config = c;
    m->listener = *listener;
    m->core_period = 1 / (c->clock.core * 1000000.0);
    m->dram_period = 1 / ((c->clock.dram + c->clock.dram_khz / 1000.0) * 1000000.0);
    hd_network_init(&m->requests, a, &c->net, c->sm.sms, subs);
    hd_network_init(&m->replies, a, &c->net, subs, c->sm.sms);
    m->words = m->requests.words;
    m->l2_next = UINT64_MAX;
    m->ports = HD_ARRAY(a, struct port, c->sm.sms);
    hd_addrmap_init(&m->map, &c->dram);
    m->subs = HD_ARRAY(a, struct hd_l2, subs);
    m->l2_wakes = HD_ARRAY(a, uint64_t, subs);
    m->partitions = HD_ARRAY(a, struct hd_partition, c->dram.channels);
    for (uint32_t i = 0; i < subs; i++) {
        hd_l2_init(&m->subs[i], a, c, &m->map, &m->stats);
        m->l2_wakes[i] = UINT64_MAX;
        m->subs[i].own_sub = (uint8_t)(i & (c->dram.subs - 1));
    }
    for (uint32_t i = 0; i < c->dram.channels; i++) {
        hd_partition_init(&m->partitions[i], a, c, &m->subs[i * c->dram.subs], &m->stats);
        m->partitions[i].wakes = UINT64_MAX;
    }
    return (struct hd_mem){.ops = &crossbar_ops,
                           .self = m,
                           .stats = &m->stats,
                           .arrived = m->replies.ready,
                           .freed = m->requests.sent};
}
