// network.c - an input-queued crossbar router with one virtual channel. Its steps are those of
// intersim2 in GPGPU-Sim 3.2.2 (timing-model 8), but flits are counted and not built as objects.
//
// The way of a flit without contention: injected in step s; in the router's input buffer in s + 2,
// where a head flit is granted its output; through the switch in s + 3; in the node's ejection
// buffer and then in the boundary buffer in s + 6. Credits return two steps after a place has
// become free.
//
// An output is granted to one packet at a time, round robin among the inputs that request it. A
// grant takes a step of its own, which adds one idle step per packet and limits this network's
// throughput. With one virtual channel there is nothing to arbitrate in the switch, so the
// reference's switch allocator and its "input speedup" have no effect. Not modelled: more virtual
// channels, more than one hop.
//
// With net.internal_speedup the router makes several such steps in each step of the network, so
// that a packet waits less for its grant. A channel still carries one flit, and one credit, in a
// step of the network: what is sent in between queues. What crosses in the router's last step goes
// to its channel in the next step of the network, and the rest at once.
//
// With net.local the network is the local crossbar of GPGPU-Sim 4 instead (localnet.c), in which a
// packet goes from its source queue directly to a boundary buffer. Without net.local, it has at
// most 64 inputs and 64 outputs.
#include "mem/network.h"

#include "heddle/bits.h"

void hd_network_init(struct hd_network *n, struct hd_arena *a, const struct hd_config_net *c,
                     unsigned inputs, unsigned outputs)
{
    unsigned words = ((inputs > outputs ? inputs : outputs) + 63) / 64;

    HD_BUG_IF(words > (c->local ? HD_NETWORK_WORDS : 1), "network of %u x %u ports", inputs,
              outputs);
    *n = (struct hd_network){.in = HD_ARRAY(a, struct hd_network_in, inputs),
                             .out = HD_ARRAY(a, struct hd_network_out, outputs),
                             .config = c,
                             .local = c->local,
                             .reciprocal = ((UINT32_C(1) << HD_FLIT_SHIFT) + c->flit - 1) / c->flit,
                             .words = words,
                             .credited = hd_low(inputs),
                             .unheld = hd_low(outputs),
                             .roomy = hd_low(outputs)};
    hd_tally_init(&n->source_credits, c->router, hd_low(inputs), c->router);
    hd_tally_init(&n->buffered, c->router, 0, 0);
    hd_tally_init(&n->router_credits, c->eject, hd_low(outputs), c->eject);
    hd_tally_init(&n->ejected, c->eject, 0, 0);
    for (unsigned i = 0; i < inputs; i++) // every packet has a flit in the source queue, on the
        hd_packet_ring_init(&n->in[i].packets, a,
                            c->source + c->router); // channel or in the buffer
    for (unsigned o = 0; o < outputs; o++)
        hd_packet_ring_init(&n->out[o].packets, a, c->eject + c->boundary + 1);
}

void hd_network_enter(struct hd_network *n, unsigned in, const struct hd_packet *p)
{
    struct hd_network_in *i = &n->in[in];

    HD_BUG_IF(!hd_network_room(n, in, p->flits), "push without room at input %u", in);
    hd_packet_ring_push(&i->packets, *p);
    i->source += p->flits;
}

bool hd_network_pop(struct hd_network *n, unsigned out, struct hd_req *req)
{
    struct hd_network_out *o = &n->out[out];
    const struct hd_packet *p;

    if (!o->complete)
        return false;
    p = hd_packet_ring_head(&o->packets);
    *req = p->req;
    o->boundary -= p->flits;
    if (!n->local) {
        n->roomy |= hd_bit((int)out);
        n->busy |= hd_has(hd_tally_some(&n->ejected), (int)out);
    }
    hd_packet_ring_drop(&o->packets);
    if (!--o->complete)
        hd_bits_drop(n->ready, out);
    return true;
}

// In each step one flit moves from a node's ejection buffer to its boundary buffer.
static void eject(struct hd_network *n)
{
    uint64_t *arriving = &n->to_node[n->step & 3], draining;
    int i;

    hd_tally_add(&n->ejected, *arriving);
    *arriving = 0;
    draining = hd_tally_some(&n->ejected) & n->roomy;
    n->credit_router[(n->step + 2) & 3] = draining;
    hd_tally_take(&n->ejected, draining);
    HD_EACH(i, draining) {
        struct hd_network_out *o = &n->out[i];
        if (++o->boundary == n->config->boundary)
            n->roomy &= ~hd_bit(i);
        if (--o->missing)
            continue;
        n->ready[0] |= hd_bit(i);
        if (++o->complete < hd_packet_ring_fill(&o->packets))
            o->missing = hd_packet_ring_at(&o->packets, o->complete)->flits;
    }
}

static void inject(struct hd_network *n)
{
    uint64_t *credits = &n->credit_source[n->step & 3], injecting;
    int i;

    hd_tally_add(&n->source_credits, *credits);
    injecting = n->inject[0] & (n->credited | *credits);
    n->to_router[(n->step + 2) & 3] = n->sent[0] = injecting;
    if (injecting | *credits) {
        hd_tally_take(&n->source_credits, injecting);
        n->credited = hd_tally_some(&n->source_credits);
    }
    *credits = 0;
    HD_EACH(i, injecting)
        if (!--n->in[i].source)
            n->inject[0] &= ~hd_bit(i);
}

// The packet at the head of an input's buffer requests its output.
static void ask(struct hd_network *n, int in)
{
    uint32_t to = hd_packet_ring_head(&n->in[in].packets)->to;

    n->out[to].want[0] |= hd_bit(in);
    n->wanted[0] |= hd_bit((int)to);
}

static void receive(struct hd_network *n)
{
    uint64_t flits = n->to_router[n->step & 3], *credits = &n->credit_router[n->step & 3];
    int i;

    if (flits) {
        n->crossing[0] |= flits & n->granted; // the rest of a packet that holds its output
        HD_EACH(i, flits & ~n->granted & ~hd_tally_some(&n->buffered))
            ask(n, i);
        hd_tally_add(&n->buffered, flits);
        n->to_router[n->step & 3] = 0;
    }
    hd_tally_add(&n->router_credits, *credits);
    *credits = 0;
}

// Every output that is requested and not held by a packet chooses the next input in turn. Returns
// the inputs granted.
static inline __attribute__((always_inline)) uint64_t grant(struct hd_network *n)
{
    uint64_t granted = 0;
    int i;

    HD_EACH(i, n->wanted[0] & n->unheld) {
        struct hd_network_out *o = &n->out[i];
        int in = hd_rotate_from(o->want[0], (int)o->next);
        HD_BUG_IF(in < 0, "output %d is wanted by no input", i);
        struct hd_network_in *s = &n->in[in];
        const struct hd_packet *p = hd_packet_ring_head(&s->packets);

        s->left = p->flits;
        s->to = p->to;
        if (hd_packet_ring_fill(&o->packets) == o->complete)
            o->missing = p->flits;
        hd_packet_ring_push(&o->packets, *p);
        hd_packet_ring_drop(&s->packets);
        o->next = (uint32_t)in + 1; // after the last input comes the first
        o->want[0] &= ~hd_bit(in);
        if (!o->want[0])
            n->wanted[0] &= ~hd_bit(i);
        granted |= hd_bit(in);
        n->unheld &= ~hd_bit(i);
    }
    return granted;
}

// The flits that crossed to outputs, and the credits for the inputs that they left, wait for their
// channels.
static void line_up(struct hd_network *n, uint64_t from, uint64_t to)
{
    int i, o;

    HD_EACH(o, to)
        n->out[o].queued++;
    HD_EACH(i, from)
        n->in[i].owed++;
    n->queueing |= to;
    n->owing |= from;
}

// Each granted input sends a flit if its ejection buffer has room. The last flit frees the output.
// Flits and credits go to their channels, or, with `queues`, to the queues in front of these.
static inline __attribute__((always_inline)) void cross(struct hd_network *n, bool queues)
{
    uint64_t room = hd_tally_some(&n->router_credits), buffered;
    uint64_t from = 0, to = 0, done = 0; // inputs, outputs; inputs whose last flit crosses
    int i;

    HD_EACH(i, n->crossing[0]) {
        struct hd_network_in *s = &n->in[i];
        uint64_t out = hd_bit((int)s->to);

        if (!(room & out))
            continue;
        from |= hd_bit(i);
        to |= out;
        if (!--s->left) {
            done |= hd_bit(i);
            n->unheld |= out;
        }
    }
    hd_tally_take(&n->router_credits, to);
    hd_tally_take(&n->buffered, from);
    if (queues) {
        line_up(n, from, to);
    } else {
        n->to_node[(n->step + 3) & 3] |= to;
        n->credit_source[(n->step + 2) & 3] |= from;
    }
    n->granted &= ~done;
    buffered = hd_tally_some(&n->buffered);
    n->crossing[0] &= ~done & buffered;
    HD_EACH(i, done & buffered)
        ask(n, i);
}

// Whether the next step would do anything.
static bool is_busy(const struct hd_network *n)
{
    uint64_t any =
        (n->inject[0] & n->credited) | n->crossing[0] | n->wanted[0] | n->queueing | n->owing;

    if (any)
        return true;
    for (unsigned i = 0; i < 4; i++)
        any |= n->to_router[i] | n->to_node[i] | n->credit_source[i] | n->credit_router[i];
    return any || (hd_tally_some(&n->ejected) & n->roomy);
}

// One flit of each queue, and one credit, go to their channels.
static void leave(struct hd_network *n)
{
    int i;

    n->to_node[(n->step + 2) & 3] = n->queueing;
    HD_EACH(i, n->queueing)
        if (!--n->out[i].queued)
            n->queueing &= ~hd_bit(i);
}

static void repay(struct hd_network *n)
{
    int i;

    n->credit_source[(n->step + 2) & 3] = n->owing;
    HD_EACH(i, n->owing)
        if (!--n->in[i].owed)
            n->owing &= ~hd_bit(i);
}

// The router's steps in one of the network.
static __attribute__((noinline)) void route_faster(struct hd_network *n)
{
    for (uint32_t left = n->config->internal_speedup; left; left--) {
        uint64_t granted = grant(n);
        if (left == 1)
            leave(n);
        cross(n, true);
        n->crossing[0] |= granted;
        n->granted |= granted;
    }
    repay(n);
}

void hd_network_step(struct hd_network *n)
{
    uint64_t granted;

    if (n->local) {
        hd_localnet_step(n);
        return;
    }
    eject(n);
    inject(n);
    receive(n);
    if (n->config->internal_speedup > 1) {
        route_faster(n);
    } else {
        granted = n->wanted[0] & n->unheld ? grant(n) : 0; // as before this step's tails crossed
        if (n->crossing[0])
            cross(n, false);
        n->crossing[0] |= granted;
        n->granted |= granted;
    }
    n->step++;
    n->busy = is_busy(n);
}
