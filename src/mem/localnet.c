// localnet.c - a step of the local crossbar of GPGPU-Sim 4 (net.local). See network.h.
//
// Outputs take turns in the order of their numbers. Each with room in its boundary buffer takes the
// packet at the head of an input, round robin among the inputs that request it. An input whose head
// has gone may serve a later output in the same step. In this file, the set `crossing` has the
// inputs whose head has requested its output.
#include "mem/network.h"

// The packet at the head of an input requests its output.
static void ask(struct hd_network *n, unsigned in)
{
    uint32_t to = hd_packet_ring_head(&n->in[in].packets)->to;

    hd_bits_add(n->out[to].want, in);
    hd_bits_add(n->wanted, to);
}

static void ask_all(struct hd_network *n)
{
    int i;

    for (unsigned w = 0; w < n->words; w++) {
        HD_EACH(i, n->inject[w] & ~n->crossing[w])
            ask(n, w * 64 + (unsigned)i);
        n->crossing[w] |= n->inject[w];
        n->inject[w] = 0;
    }
}

// The first member of a set at or after `from`, which may be the number after the last; after the
// last comes the first.
static unsigned turn_of(const uint64_t *set, unsigned words, unsigned from)
{
    unsigned w = from / 64 < words ? from / 64 : 0;
    uint64_t high = set[w] & ~hd_low(from % 64);

    for (unsigned k = 0; !high && k < words; k++) {
        w = w + 1 < words ? w + 1 : 0;
        high = set[w];
    }
    HD_BUG_IF(!high, "an output is wanted by no input");
    return w * 64 + (unsigned)hd_first(high);
}

static bool is_wanted(const struct hd_network_out *o, unsigned words)
{
    uint64_t any = 0;

    for (unsigned w = 0; w < words; w++)
        any |= o->want[w];
    return any != 0;
}

static void serve(struct hd_network *n, unsigned out)
{
    struct hd_network_out *o = &n->out[out];
    unsigned in = turn_of(o->want, n->words, o->next);
    struct hd_network_in *s = &n->in[in];
    struct hd_packet p = *hd_packet_ring_head(&s->packets);

    if (o->boundary + p.flits > n->config->boundary)
        return;
    hd_packet_ring_pop(&s->packets);
    hd_packet_ring_push(&o->packets, p);
    s->source -= p.flits;
    hd_bits_add(n->sent, in);
    o->boundary += p.flits;
    o->complete++;
    hd_bits_add(n->ready, out);
    o->next = in + 1;
    hd_bits_drop(o->want, in);
    if (!is_wanted(o, n->words))
        hd_bits_drop(n->wanted, out);
    if (hd_packet_ring_empty(&s->packets))
        hd_bits_drop(n->crossing, in);
    else
        ask(n, in);
}

// Whether a packet waits for room at its output.
static bool is_busy(const struct hd_network *n)
{
    uint64_t any = 0;

    for (unsigned w = 0; w < n->words; w++)
        any |= n->crossing[w] | n->wanted[w];
    return any != 0;
}

void hd_localnet_step(struct hd_network *n)
{
    ask_all(n);
    for (unsigned w = 0; w < n->words; w++)
        n->sent[w] = 0;
    for (unsigned w = 0; w < n->words; w++)
        for (int i = hd_first(n->wanted[w]); i != HD_NONE;
             i = hd_first(n->wanted[w] & ~hd_low((unsigned)i + 1)))
            serve(n, w * 64 + (unsigned)i);
    n->busy = is_busy(n);
}
