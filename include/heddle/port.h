// port.h - how requests leave an SM and replies come back: the interface between sm/ and mem/.
//
// A request is a value; it is copied through every queue and never allocated. The memory side does
// not depend on SMs: it sees numbered ports and returns every requester's own tag.
//
// Credit rule (the reference's): a sender calls room() for the whole packet and pushes only if
// there is room; a push without room is a bug of the sender and aborts. room() answers for the
// present state, so it is called before each push of a cycle. A port delivers at most one reply per
// cycle through pop().
//
// Two phases. While SMs step, room() and push() read and change only what belongs to their port, so
// SMs may step in any order, or in parallel. What a port's pushes change in the rest of the memory
// side (counters, wake-up times, an order among ports) is done by settle(). The machine calls it
// after all SMs have stepped, for each port that pushed, in the order of the ports. No other call
// but finish() may come between a push and its settle.
//
// A network that is faster than the SMs makes the ticks since the last cycle first (between()).
// Order within a cycle (timing-model 1.2): every SM pops replies; then tick() and finish() do all
// the work of the memory side (replies into the network, DRAM, L2, one network step); then the SMs
// step and push. A request pushed in cycle c therefore takes part in its first network step in
// cycle c + 1. What finish() does is divided into pieces. They and the steps of the SMs do not
// depend on each other, so they may be done in any order and side by side.
#ifndef HEDDLE_PORT_H
#define HEDDLE_PORT_H

#include "heddle/bits.h"
#include "heddle/stats.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_req_kind {
    HD_REQ_READ,      // answered with `reply_bytes` of data
    HD_REQ_WRITE,     // answered with an acknowledgement
    HD_REQ_ATOMIC,    // carries operands, answered with data; serve() is called when performed
    HD_REQ_WRITEBACK, // a dirty line; no answer
    HD_REQ_INST,      // instruction fetch, answered like a read
    HD_REQ_CONST,     // constant or parameter line
    HD_REQ_TEX,       // texture line: skips the ROP delay in the reference
};

struct hd_req {          // 32 bytes
    uint64_t addr;       // of the first byte
    uint64_t issued;     // cycle of the push, for latency statistics
    uint32_t tag;        // the requester's own; comes back unchanged
    uint32_t lanes;      // atomics: lanes of the warp that this access serves; writes to a sector
                         // of 32 bytes: which of them; longer ones that are divided: a bit for
                         // each 32nd part of their bytes
    uint16_t port;       // set by the sender; replies leave there
    uint8_t kind;        // enum hd_req_kind
    uint8_t owner;       // warp slot that caused it; caches keep it as the line's owner
    uint8_t bytes;       // of data in the request: writes, atomics and write-backs 32, 64 or 128
    uint8_t reply_bytes; // of data in the reply: 0 for an acknowledgement
    uint8_t warp;        // atomics: the warp to serve
    uint8_t part;        // of a longer request, inside an L2 bank with sectors; or HD_REQ_APART
};
// The sender of a longer request wants an answer for each of its sectors.
#define HD_REQ_APART UINT8_MAX
_Static_assert(sizeof(struct hd_req) == 32, "a request is copied by value; keep it half a line");

// Bytes of data that a request carries, which determine the room it needs on its way.
static inline uint32_t hd_req_carries(unsigned kind, unsigned bytes)
{
    return kind == HD_REQ_WRITE || kind == HD_REQ_ATOMIC || kind == HD_REQ_WRITEBACK ? bytes : 0;
}

// Where a request is, from the SM's network port to the port of its reply.
enum hd_mem_level {
    HD_LEVEL_NETWORK, // on the way to an L2 bank
    HD_LEVEL_L2,      // in the bank, or in a queue in front of it
    HD_LEVEL_DRAM,    // after a miss, until the line is there; a memory without caches
    HD_LEVEL_RETURN,  // answered, and on the way back
};

// Called when the memory side performs an atomic, in the order in which they are performed across
// all ports.
struct hd_mem_listener {
    void *ctx;
    void (*serve)(void *ctx, const struct hd_req *req);
};

struct hd_mem_ops {
    const char *name;
    // True if a request with `bytes` of data fits into the port's injection buffer now.
    bool (*room)(const void *self, unsigned port, unsigned kind, unsigned bytes);
    void (*push)(void *self, unsigned port, const struct hd_req *req);
    // Adds the port's pushes of this cycle to the shared state. Called for ports in rising order.
    void (*settle)(void *self, unsigned port);
    // Takes the port's next reply if one has arrived. At most one per cycle and port.
    bool (*pop)(void *self, unsigned port, struct hd_req *reply);
    // The first part of a core cycle of the memory side: everything that room() and push() depend
    // on, and everything that changes values in memory. Returns the pieces of the second part that
    // have work in this cycle, as a set of their numbers.
    uint64_t (*tick)(void *self, uint64_t cycle);
    // The ticks of a faster network between this core cycle and the last one, before any pop() of
    // this cycle and after every settle() of the last one. NULL: there are none.
    void (*between)(void *self);
    // One of these pieces. It may be done by another thread while room() and push() are called and
    // while other pieces are done, but all pieces end before any other call. NULL if there never
    // is one.
    void (*finish)(void *self, unsigned piece);
    // Before the first cycle: divides the second part into at most n pieces, which are numbered
    // from 0, and returns how many they are. Without this call it is one piece. The division
    // changes no result. NULL: the number of pieces is fixed at one, or there are none.
    unsigned (*divide)(void *self, unsigned n);
    // The first cycle after `cycle` in which tick() or finish() would change anything, pop() could
    // return a reply, or room() could become true where it is false now, if nothing is pushed
    // meanwhile; UINT64_MAX when nothing is in flight.
    uint64_t (*wakes)(const void *self, uint64_t cycle);
    // Replaces n ticks for which wakes() promised no work (clock accumulators, rotating starts).
    void (*skip)(void *self, uint64_t n);
    // True when no request is in flight. A kernel ends only then.
    bool (*idle)(const void *self);
    // Its counters so far.
    struct hd_mem_stats (*stats)(const void *self);
    // A new kernel starts: clocks restart; caches, rows and counters keep their state.
    void (*restart)(void *self);
    // The host has copied these bytes to memory. NULL: that changes nothing.
    void (*copied)(void *self, uint64_t addr, uint64_t bytes);
    // Shows every request in flight, except for those that a cache of the memory side sent.
    void (*look)(const void *self,
                 void (*see)(void *ctx, const struct hd_req *r, enum hd_mem_level level),
                 void *ctx);
};

struct hd_mem {
    const struct hd_mem_ops *ops;
    void *self;
    const uint64_t *arrived; // ports for which pop() has a reply, in words of 64; NULL: not known
    const uint64_t *freed;   // the same: ports of which the last tick may have made room() true
};

// Both parts of a core cycle of the memory side.
static inline void hd_mem_tick(const struct hd_mem *m, uint64_t cycle)
{
    uint64_t pieces = m->ops->tick(m->self, cycle);
    int i;

    HD_EACH(i, pieces)
        m->ops->finish(m->self, (unsigned)i);
}

#endif
