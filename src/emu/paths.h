// paths.h - the paths of a warp whose lanes are scheduled independently, as on sm_70 and later.
//
// Code for earlier targets runs in lockstep: lanes that wait where paths join wait until all have
// come, and lanes that wait for each other within a warp may wait for ever. Code for sm_70 and
// later may rely on more: lanes that wait for other lanes of their warp, by a .sync operation, a
// barrier or in a loop of their own, let these go on. (CUDA C++ Programming Guide, section 4.1 in
// version 12, "Independent Thread Scheduling"; PTX ISA, barrier and shfl.sync.) What counts is the
// target that the PTX names, not the machine.
//
// A path of the warp is a leaf in the tree of its SIMT stack (simt.h). One path at a time is the
// top and executes. Paths change places only where they must, so that code without such waits runs
// exactly as on a stack:
//   - in front of a .sync operation or a barrier for which lanes are missing: the path is parked.
//     Another path runs, at first one of the missing lanes. If there is none, lanes that have
//     arrived where paths join go on alone.
//   - in front of an attempt that failed often: an atomic, a volatile, relaxed or acquire load, or
//   a
//     test of an mbarrier, in a loop, that has returned the same values from the same addresses
//     HD_PATHS_PATIENCE times to the same lanes, or anything HD_PATHS_ATTEMPTS times. Then lanes
//     that have arrived go on, or the path whose turn is longest ago. So every path makes progress.
//   - where a warp is proven to repeat itself (watch.h), or has long made no progress, whatever it
//     waits with.
// The instruction in front of which a path is left has executed for no lane, and executes again.
#ifndef HEDDLE_EMU_PATHS_H
#define HEDDLE_EMU_PATHS_H

#include "heddle/isrc.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_PATHS_PATIENCE 4
#define HD_PATHS_ATTEMPTS 4096
#define HD_PATHS_PLACES 4 // instructions of a loop that are followed
#define HD_PATHS_TOP UINT32_MAX

static inline bool hd_paths_apart(const struct hd_func *kernel)
{
    return kernel->target >= 70;
}

struct hd_paths_attempt { // an instruction that a path repeats
    uint32_t pc, lanes;
    uint32_t saw; // hash of what it read, and where
    uint32_t times;
};
struct hd_paths_warp {
    uint32_t came; // lanes parked at a barrier with a thread count, which has counted them
    uint32_t due; // lanes that have arrived with their whole warp and wait for a reduction's result
    uint32_t turns; // since memory last changed: how often the proof that it waits let others go on
    uint64_t epoch;
    uint32_t lanes, tries;  // attempts of these lanes since others have run
    uint32_t clock;         // counts turns
    uint32_t ran[HD_LANES]; // of each lane: when its path last was the top
    struct hd_paths_attempt attempts[HD_PATHS_PLACES];
};

struct hd_path {
    uint32_t pc, lanes, frame;
    unsigned entry; // of the stack, or HD_PATHS_TOP
};
struct hd_paths { // of a warp, the top first
    unsigned n;
    struct hd_path path[HD_LANES];
};

struct hd_emu_sm;
void hd_paths_start(struct hd_emu_sm *sm, unsigned warp);
void hd_paths_find(const struct hd_emu_sm *sm, unsigned warp, struct hd_paths *all);
// The lanes of a path whose guard is true.
uint32_t hd_paths_executing(const struct hd_emu_sm *sm, unsigned warp, const struct hd_path *p);

// The lanes that wait at an operation like `in`, and their member masks. These are lanes of parked
// paths, and those of `now`, the path that executes it at present, or NULL.
uint32_t hd_paths_gather(const struct hd_emu_sm *sm, unsigned warp, const struct hd_paths *all,
                         const struct hd_path *now, const struct hd_insn *in,
                         uint32_t masks[HD_LANES]);
// Of lanes that wait at the same operation, those whose member masks name only such lanes, with the
// same mask, or lanes that have ended.
uint32_t hd_paths_met(uint32_t waiting, const uint32_t masks[HD_LANES], uint32_t alive);
// Whether all lanes of the warp wait at barriers without a thread count that have this number.
bool hd_paths_at_barrier(const struct hd_emu_sm *sm, unsigned warp, const struct hd_paths *all,
                         const struct hd_path *now, uint32_t id);
// Number and thread count of the barrier (0 if it has none) at which a path is, for its lowest
// lane.
void hd_paths_barrier(const struct hd_emu_sm *sm, unsigned warp, const struct hd_path *p,
                      uint32_t *id, uint32_t *threads);

// The operand with the member mask of an instruction; HD_ROW_NONE: it has none.
int32_t hd_paths_mask_row(const struct hd_insn *in);

// The top cannot go on: of the lanes that it waits for, `missing` are elsewhere. It is parked.
enum hd_paths_next {
    HD_PATHS_SWITCHED, // another path is the top
    HD_PATHS_BLOCKED,  // no lane can go on until a barrier of the block opens
    HD_PATHS_STUCK,    // no lane can ever go on
};
enum hd_paths_next hd_paths_wait(struct hd_emu_sm *sm, unsigned warp, uint32_t missing);
// The top repeats itself: lets others go on. False if there are none.
bool hd_paths_yield(struct hd_emu_sm *sm, unsigned warp);
// The same where the warp is proven to repeat itself as long as memory is in this epoch (watch.h).
// False, too, if all its paths have had their turns in this epoch.
bool hd_paths_proven(struct hd_emu_sm *sm, unsigned warp, uint64_t epoch);

// Notes what an attempt has seen, for these lanes, and whether it has been the same so often that
// others should go on first.
void hd_paths_saw(struct hd_emu_sm *sm, unsigned warp, uint32_t pc, uint32_t lanes, uint32_t hash);
bool hd_paths_tired(struct hd_emu_sm *sm, unsigned warp, uint32_t pc);
static inline uint32_t hd_paths_hash(uint32_t hash, uint64_t value)
{
    uint64_t x = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);

    return (uint32_t)(x >> 32 ^ x);
}

#endif
