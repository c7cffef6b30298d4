// barrier.h - the 16 named barriers of a thread block (PTX bar.sync, bar.arrive, bar.red).
//
// Pure bookkeeping, shared by the SM and by the runner without timing. The unit of arrival is the
// warp: it brings as many threads as its block counts for it (a partial warp counts full, as in
// hardware: the barrier counts in multiples of the warp size).
//
// Rule of release: a barrier without a thread count opens when every warp of the block that has not
// ended has arrived; one with a count opens when arrivals x 32 reach the count. Warps that end
// lower the expectation only where no count was given.
#ifndef HEDDLE_HW_BARRIER_H
#define HEDDLE_HW_BARRIER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_BARRIERS 16

struct hd_barriers {                // of one thread block; masks are warp slots of the SM
    uint64_t live;                  // warps of the block that have not ended
    uint16_t used;                  // barriers at which warps have arrived that are not open yet
    uint64_t waiting[HD_BARRIERS];  // arrived by sync and blocked
    uint16_t arrived[HD_BARRIERS];  // warps arrived, blocked or not
    uint16_t expected[HD_BARRIERS]; // threads, 0 = the whole block
};

void hd_barrier_start(struct hd_barriers *b, uint64_t warps);
// Warp arrives at barrier `id`; blocks is false for bar.arrive. Returns the warps released now
// (the arriving one included), 0 if the barrier stays closed.
uint64_t hd_barrier_arrive(struct hd_barriers *b, unsigned id, int warp, bool blocks,
                           unsigned threads);
// Warp ends. Returns all warps that this releases, of whichever barriers.
uint64_t hd_barrier_exit(struct hd_barriers *b, int warp);
// All warps blocked at some barrier.
uint64_t hd_barrier_waiting(const struct hd_barriers *b);

// What a warp blocked at a barrier waits for, as words: "waits at barrier 1 with 2 of 3 warps, not
// there: 5". Returns buf.
const char *hd_barrier_describe(const struct hd_barriers *b, int warp, char *buf, size_t bytes);

#endif
