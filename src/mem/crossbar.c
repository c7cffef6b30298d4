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
// Threads may share the second part: the memory partitions are divided into slices (slice.h). Then
// piece 0 is the replies' network, and piece k + 1 is slice k. Without that all of it is piece 0.
//
// With clock.net the network ticks several times in a core cycle, as in GPGPU-Sim up to 3.2.1: once
// in the cycle, as above, and then between it and the next one. In such a tick replies enter their
// network and both networks make a step; SMs and L2 banks neither put in nor take out anything.
//
// Not modelled: a network whose clock is no multiple of the SMs', another clock of the L2.
#include "mem/crossbar.h"

#include "heddle/bits.h"
#include "mem/network.h"
#include "mem/slice.h"

#include <string.h>

// Of a copy of the host, its end of so many times the size of the L2 is looked at.
#define COPY_TIMES 64

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
    uint64_t *l2_wakes;      // of the slices
    struct hd_slice *slices; // in the order of their partitions; room for HD_SLICES_MOST
    struct hd_slice **whose; // by sub-partition: its slice
    unsigned n_slices;
    unsigned first_piece; // of the slices, in the second part of a cycle: 0, or 1 if divided
    uint64_t refused[HD_NETWORK_WORDS]; // sub-partitions that had no room in the network for their
                                        // reply when they last tried
    // Seconds from the kernel's start to the next ticks of the clocks, summed period by period as
    // in the reference, because its rounding decides which tick is first when both coincide.
    double core_time, dram_time, core_period, dram_period;
    unsigned extra;                   // ticks of the network between two core cycles
    uint64_t freed[HD_NETWORK_WORDS]; // SMs of whose requests these ticks sent some
    uint64_t ticks;                   // of the DRAM clock, with those of this cycle
    unsigned ticks_due;               // in the second part of this cycle
    uint64_t cycle;                   // of the last tick()
    uint64_t outstanding;             // requests pushed and not answered; the slices have the rest
    struct hd_mem_listener listener;
    struct hd_mem_stats stats; // the partitions have theirs
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
static void send_reply(struct crossbar *m, struct hd_slice *s, unsigned sub)
{
    const struct hd_req *r = hd_req_ring_head(&m->subs[sub].out);
    uint32_t flits = hd_network_flits(&m->replies, r->reply_bytes);

    if (!hd_network_room(&m->replies, sub, flits)) {
        hd_bits_add(m->refused, sub);
        return;
    }
    if (r->kind == HD_REQ_ATOMIC && m->listener.serve)
        m->listener.serve(m->listener.ctx, r);
    hd_network_push(&m->replies, sub,
                    &(struct hd_packet){.req = *r, .flits = (uint16_t)flits, .to = r->port});
    hd_slice_replied(s, sub, m->cycle);
}

static void send_replies_of(struct crossbar *m, struct hd_slice *s)
{
    int i;

    for (unsigned w = s->first_word; w < s->end_word; w++) {
        uint64_t may = s->replying[w] & (~m->refused[w] | m->replies.sent[w]);
        m->refused[w] &= ~may;
        HD_EACH(i, may)
            send_reply(m, s, w * 64 + (unsigned)i);
    }
}

static void send_replies(struct crossbar *m)
{
    for (unsigned k = 0; k < m->n_slices; k++)
        send_replies_of(m, &m->slices[k]);
}

static inline void take_request(struct crossbar *m, unsigned sub)
{
    struct hd_req r;

    if (hd_l2_room(&m->subs[sub]) && hd_network_pop(&m->requests, sub, &r))
        hd_slice_enter(m->whose[sub], sub, &r, m->cycle);
}

static void take_requests(struct crossbar *m)
{
    int i;

    for (unsigned w = 0; w < m->requests.words; w++)
        HD_EACH(i, m->requests.ready[w])
            take_request(m, w * 64 + (unsigned)i);
}

// The number of DRAM ticks that are due in this core cycle.
static unsigned advance_clocks(struct crossbar *m)
{
    unsigned n = 0;

    for (; m->dram_time <= m->core_time; n++)
        m->dram_time += m->dram_period;
    m->core_time += m->core_period;
    m->stats.dram_cycles += (uint64_t)n * m->config->dram.channels;
    m->ticks += n;
    return n;
}

static inline void step_network(struct hd_network *n)
{
    if (n->busy)
        hd_network_step(n);
    else
        memset(n->sent, 0, sizeof n->sent);
}

// The ticks of the network alone. What they sent counts for the SMs as if this cycle's had.
static void crossbar_between(void *self)
{
    struct crossbar *m = self;

    for (unsigned i = 0; i < m->extra; i++) {
        send_replies(m);
        step_network(&m->requests);
        step_network(&m->replies);
        for (unsigned w = 0; w < m->requests.words; w++)
            m->freed[w] |= m->requests.sent[w];
    }
}

static void add_freed(struct crossbar *m)
{
    for (unsigned w = 0; w < m->requests.words; w++)
        m->requests.sent[w] |= m->freed[w];
    memset(m->freed, 0, sizeof m->freed);
}

static uint64_t crossbar_tick(void *self, uint64_t cycle)
{
    struct crossbar *m = self;
    uint64_t due = 0;

    m->cycle = cycle;
    send_replies(m);
    take_requests(m);
    step_network(&m->requests);
    if (m->extra)
        add_freed(m);
    m->ticks_due = advance_clocks(m);
    for (unsigned k = 0; k < m->n_slices; k++)
        if (hd_slice_is_due(&m->slices[k], cycle))
            due |= hd_bit((int)(k + m->first_piece));
    if (m->replies.busy)
        return due | hd_bit(0);
    step_network(&m->replies);
    return due;
}

static void crossbar_finish(void *self, unsigned piece)
{
    struct crossbar *m = self;

    if (piece >= m->first_piece)
        hd_slice_step(&m->slices[piece - m->first_piece], m->ticks - m->ticks_due, m->ticks_due,
                      m->cycle);
    if (!piece && m->replies.busy)
        hd_network_step(&m->replies);
}

// Slices have about the same number of partitions.
static void make_slices(struct crossbar *m, unsigned n)
{
    unsigned channels = m->config->dram.channels, per = m->config->dram.subs;

    m->n_slices = n;
    for (unsigned k = 0; k < n; k++) {
        struct hd_slice *s = &m->slices[k];
        hd_slice_init(s, m->config, k * channels / n * per, (k + 1) * channels / n * per, m->subs,
                      m->partitions, m->l2_wakes);
        for (unsigned i = s->first; i < s->end; i++)
            m->whose[i] = s;
    }
}

static unsigned crossbar_divide(void *self, unsigned n)
{
    struct crossbar *m = self;
    unsigned most = m->config->dram.channels;

    HD_BUG_IF(m->ticks, "the memory side is divided after its first cycle");
    if (n < 2)
        return 1;
    n--;
    most = most < HD_SLICES_MOST ? most : HD_SLICES_MOST;
    make_slices(m, n < most ? n : most);
    m->first_piece = 1;
    return m->n_slices + 1;
}

// The core cycle of a DRAM tick, or an earlier one: waking early does no harm.
static uint64_t cycle_of(const struct crossbar *m, uint64_t cycle, uint64_t tick)
{
    double time = m->dram_time + (double)(tick - m->ticks) * m->dram_period;
    double cycles = (time - m->core_time) / m->core_period - 1;

    return cycle + 1 + (cycles > 0 ? (uint64_t)cycles : 0);
}

// When the DRAM channels of a slice continue, at the latest in cycle `next`.
static uint64_t dram_wakes(const struct crossbar *m, const struct hd_slice *s, uint64_t cycle,
                           uint64_t next)
{
    uint64_t at;
    int i;

    HD_EACH(i, s->filled) {
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
    return next;
}

static uint64_t crossbar_wakes(const void *self, uint64_t cycle)
{
    const struct crossbar *m = self;
    uint64_t next = UINT64_MAX;

    if (m->requests.busy || m->replies.busy)
        return cycle + 1;
    for (unsigned w = 0; w < m->requests.words; w++)
        if (m->requests.ready[w] | m->replies.ready[w])
            return cycle + 1;
    for (unsigned k = 0; k < m->n_slices; k++) {
        const struct hd_slice *s = &m->slices[k];
        for (unsigned w = s->first_word; w < s->end_word; w++)
            if (s->replying[w] | s->awake[w])
                return cycle + 1;
        next = s->next < next ? s->next : next;
    }
    for (unsigned k = 0; k < m->n_slices; k++)
        next = dram_wakes(m, &m->slices[k], cycle, next);
    return next > cycle ? next : cycle + 1;
}

static void crossbar_skip(void *self, uint64_t n)
{
    struct crossbar *m = self;

    m->cycle += n;
    while (n--)
        advance_clocks(m);
}

// The reference's condition for the end of a kernel: fills that a store requested and write-backs
// of the L2 belong to no requester and may still be in flight.
static bool crossbar_idle(const void *self)
{
    const struct crossbar *m = self;

    uint64_t outstanding = m->outstanding;

    for (unsigned k = 0; k < m->n_slices; k++)
        outstanding += m->slices[k].outstanding;
    return !outstanding;
}

static struct hd_mem_stats crossbar_stats(const void *self)
{
    const struct crossbar *m = self;
    struct hd_mem_stats sum = m->stats;

    for (unsigned i = 0; i < m->config->dram.channels; i++)
        hd_stats_add_mem(&sum, &m->partitions[i].stats);
    return sum;
}

static void crossbar_restart(void *self)
{
    struct crossbar *m = self;

    m->core_time = m->dram_time = 0;
}

// l2.copies: each sector that was copied is in its L2 bank. A copy of many times the size of the L2
// leaves nothing of its beginning there, so that only its end is looked at.
static void crossbar_copied(void *self, uint64_t addr, uint64_t bytes)
{
    struct crossbar *m = self;
    const struct hd_config_l2 *c = &m->config->l2;
    uint64_t most = (uint64_t)c->sets * c->ways * c->line * m->config->dram.channels *
                    m->config->dram.subs * COPY_TIMES;

    if (!c->copies)
        return;
    if (bytes > most) {
        addr += (bytes - most) / HD_SECTOR_BYTES * HD_SECTOR_BYTES;
        bytes = most + (bytes - most) % HD_SECTOR_BYTES;
    }
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

// With and without ticks of the network between those of the SMs.
#define CROSSBAR_OPS(BETWEEN)                                                                      \
    {                                                                                              \
        .name = "crossbar", .room = crossbar_room, .push = crossbar_push,                          \
        .settle = crossbar_settle, .pop = crossbar_pop, .between = (BETWEEN),                      \
        .tick = crossbar_tick, .finish = crossbar_finish, .divide = crossbar_divide,               \
        .wakes = crossbar_wakes, .skip = crossbar_skip, .idle = crossbar_idle,                     \
        .stats = crossbar_stats, .restart = crossbar_restart, .copied = crossbar_copied,           \
        .look = crossbar_look                                                                      \
    }
static const struct hd_mem_ops crossbar_ops = CROSSBAR_OPS(NULL);
static const struct hd_mem_ops fast_ops = CROSSBAR_OPS(crossbar_between);

struct hd_mem hd_crossbar_new(struct hd_arena *a, const struct hd_config *c,
                              const struct hd_mem_listener *listener)
{
    struct crossbar *m = HD_NEW(a, crossbar);
    uint32_t subs = c->dram.channels * c->dram.subs;

    m->config = c;
    m->listener = *listener;
    m->core_period = 1 / (c->clock.core * 1000000.0);
    m->extra = c->clock.net ? c->clock.net / c->clock.core - 1 : 0;
    m->dram_period = 1 / ((c->clock.dram + c->clock.dram_khz / 1000.0) * 1000000.0);
    hd_network_init(&m->requests, a, &c->net, c->sm.sms, subs);
    hd_network_init(&m->replies, a, &c->net, subs, c->sm.sms);
    m->ports = HD_ARRAY(a, struct port, c->sm.sms);
    hd_addrmap_init(&m->map, &c->dram);
    m->subs = HD_ARRAY(a, struct hd_l2, subs);
    m->l2_wakes = HD_ARRAY(a, uint64_t, subs);
    m->partitions = HD_ARRAY(a, struct hd_partition, c->dram.channels);
    for (uint32_t i = 0; i < subs; i++) {
        struct hd_partition *p = &m->partitions[i / c->dram.subs];
        hd_l2_init(&m->subs[i], a, c, &m->map, &p->stats);
        m->l2_wakes[i] = UINT64_MAX;
        m->subs[i].own_sub = (uint8_t)(i & (c->dram.subs - 1));
    }
    for (uint32_t i = 0; i < c->dram.channels; i++) {
        hd_partition_init(&m->partitions[i], a, c, &m->subs[i * c->dram.subs]);
        m->partitions[i].wakes = UINT64_MAX;
    }
    m->slices = HD_ARRAY(a, struct hd_slice, HD_SLICES_MOST);
    m->whose = HD_ARRAY(a, struct hd_slice *, subs);
    make_slices(m, 1);
    return (struct hd_mem){.ops = m->extra ? &fast_ops : &crossbar_ops,
                           .self = m,
                           .arrived = m->replies.ready,
                           .freed = m->requests.sent};
}
