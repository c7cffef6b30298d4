// barrier.h - the 16 named barriers of a thread block (PTX bar.sync, bar.arrive, bar.red).
//
// Only counts; the SM and the runner without timing both use it. Warps arrive as units: a warp
// counts as 32 threads even if it is partial (as in hardware, where barriers count in multiples of
// the warp size). At a barrier with a thread count, some lanes of a warp can arrive without the
// others (emu/arrive.c); then a warp can wait at several barriers.
//
// There is one more, the barrier of a cluster (barrier.cluster), which is in two steps: a warp
// arrives, and waits later, at once if all others have arrived by then. Clusters have one block.
//
// Rule of release: a barrier without a thread count opens when every warp of the block that has not
// ended has arrived; one with a count opens when the threads that have arrived reach the count. A
// warp that ends is no longer waited for, but only where no count was given.
#ifndef HEDDLE_HW_BARRIER_H
#define HEDDLE_HW_BARRIER_H

#include "heddle/isrc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_BARRIERS 16

struct hd_barriers {                // of one thread block; masks are warp slots of the SM
    uint64_t live;                  // warps of the block that have not ended
    uint16_t used;                  // barriers at which warps have arrived that are not open yet
    uint64_t waiting[HD_BARRIERS];  // arrived by sync and blocked
    uint16_t arrived[HD_BARRIERS];  // whole warps arrived, blocked or not
    uint16_t threads[HD_BARRIERS];  // threads arrived without the others of their warp
    uint16_t expected[HD_BARRIERS]; // threads, 0 = the whole block
    uint64_t cluster_came;          // have arrived at the barrier of the cluster
    uint64_t cluster_waiting;       // of those, wait for it
};

void hd_barrier_start(struct hd_barriers *b, uint64_t warps);
struct hd_barrier_arrival {
    unsigned id;      // of the barrier
    bool waits;       // not for bar.arrive
    unsigned threads; // expected number, 0 = the whole block
    unsigned lanes;   // threads that arrive without the others of their warp; 0: the whole warp
};
// A warp arrives. At HD_BARRIER_CLUSTER it arrives without waiting, and waits with it. Returns the
// warps that are released now (including the arriving one), 0 if the barrier stays closed.
uint64_t hd_barrier_arrive(struct hd_barriers *b, int warp, const struct hd_barrier_arrival *a);
// A warp ends. Returns all warps that this releases, from any barrier.
uint64_t hd_barrier_exit(struct hd_barriers *b, int warp);
// All warps blocked at some barrier.
uint64_t hd_barrier_waiting(const struct hd_barriers *b);

// Describes what a warp that is blocked at a barrier waits for: "waits at barrier 1 with 2 of 3
// warps, not there: 5". Returns buf.
const char *hd_barrier_describe(const struct hd_barriers *b, int warp, char *buf, size_t bytes);

#endif
