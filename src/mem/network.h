// network.h - one direction of the interconnect: a crossbar router between n inputs and m outputs.
//
// The requests' network has the SMs as inputs and the memory partitions as outputs; the replies'
// network is the reverse. A packet is divided into flits; network.c describes their way.
// Invariants: a packet is pushed only if all of it fits into the source queue; packets of one input
// stay in order; a packet is popped as a whole, after its last flit has arrived.
#ifndef HEDDLE_MEM_NETWORK_H
#define HEDDLE_MEM_NETWORK_H

#include "heddle/bits.h"
#include "heddle/config.h"
#include "hw/ring.h"

// Inputs or outputs, at most. Sets of them are masks; with net.local, arrays of masks.
#define HD_NETWORK_MAX 256
#define HD_NETWORK_WORDS (HD_NETWORK_MAX / 64)

// With so many bits, a product with the reciprocal of a flit's bytes is exact for packets of up to
// 4096 bytes.
#define HD_FLIT_SHIFT 22

struct hd_packet {
    struct hd_req req;
    uint16_t flits, to; // `to` is an output
};
HD_RING_OF(hd_packet_ring, struct hd_packet)

// A source with its source queue, and the router's input buffer that it feeds. It has a line for
// itself, because SMs that step side by side write to theirs.
struct hd_network_in {
    _Alignas(64) struct hd_packet_ring packets; // whole, until granted an output
    uint32_t source;                            // flits in the source queue
    uint32_t credits;  // free places of the router's input buffer, as the source knows
    uint32_t buffered; // flits in the router's input buffer
    uint32_t left;     // of the granted packet: flits that have not crossed yet
    uint32_t to;       // its output
    uint32_t owed;     // credits that wait for their channel (net.internal_speedup)
};

// An output with its ejection buffer and the boundary buffer from which packets are popped.
struct hd_network_out {
    struct hd_packet_ring packets;   // in the order granted, until popped
    uint64_t want[HD_NETWORK_WORDS]; // inputs whose next packet goes here and is not granted yet
    uint32_t next;                   // input that is asked first
    uint32_t credits;                // free places of the ejection buffer, as the router knows
    uint32_t ejected;                // flits in the ejection buffer
    uint32_t boundary;               // flits in the boundary buffer
    uint32_t complete;               // packets wholly in the boundary buffer
    uint32_t arrived;                // flits of the first incomplete packet in the boundary buffer
    uint32_t queued;                 // flits that wait for their channel (net.internal_speedup)
};

struct hd_network {
    struct hd_network_in *in;
    struct hd_network_out *out;
    const struct hd_config_net *config;
    bool local;          // net.local
    uint32_t reciprocal; // of the bytes of a flit, rounded up; exact for all packets
    unsigned words;      // of the sets below; 1 without net.local
    // Sets of inputs: with flits and credits to inject; granted with a flit buffered.
    uint64_t inject[HD_NETWORK_WORDS], crossing[HD_NETWORK_WORDS];
    // Sets of outputs: wanted by some input; with a complete packet.
    uint64_t wanted[HD_NETWORK_WORDS], ready[HD_NETWORK_WORDS];
    // The same, of the router: not held by a packet; with ejected flits and room after them.
    uint64_t unheld, draining;
    // With net.internal_speedup: outputs with queued flits, inputs that are owed credits.
    uint64_t queueing, owing;
    // What is on the channels, by the step (mod 4) in which it comes out.
    uint64_t to_router[4], to_node[4];           // flits: sets of inputs, of outputs
    uint64_t credit_source[4], credit_router[4]; // credits: sets of inputs, of outputs
    uint64_t step;
};

void hd_network_init(struct hd_network *n, struct hd_arena *a, const struct hd_config_net *c,
                     unsigned inputs, unsigned outputs);
// Flits of a packet that carries `bytes` of data after its header.
static inline uint32_t hd_network_flits(const struct hd_network *n, uint32_t bytes)
{
    return ((n->config->header + bytes + n->config->flit - 1) * n->reciprocal) >> HD_FLIT_SHIFT;
}
static inline bool hd_network_room(const struct hd_network *n, unsigned in, uint32_t flits)
{
    return n->in[in].source + flits <= n->config->source;
}
// A packet enters the source queue of an input, which changes nothing else. The input must be
// announced before the network's next step.
void hd_network_enter(struct hd_network *n, unsigned in, const struct hd_packet *p);
static inline void hd_network_announce(struct hd_network *n, unsigned in)
{
    if (n->in[in].credits)
        hd_bits_add(n->inject, in);
}
static inline void hd_network_push(struct hd_network *n, unsigned in, const struct hd_packet *p)
{
    hd_network_enter(n, in, p);
    hd_network_announce(n, in);
}
bool hd_network_pop(struct hd_network *n, unsigned out, struct hd_req *req);
void hd_network_step(struct hd_network *n);
// With net.local (localnet.c).
void hd_localnet_step(struct hd_network *n);
bool hd_localnet_busy(const struct hd_network *n);
// False if a step would do nothing.
bool hd_network_busy(const struct hd_network *n);

#endif
