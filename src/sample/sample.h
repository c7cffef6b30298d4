// sample.h - which launches of a run are simulated with timing if only a sample of them is, and
// what was measured of each.
//
// Launches are grouped by what is known of them before they run: kernel, block, shared memory, and
// whether their blocks fill the machine in part, once, or several times. The launches of a group,
// in their order, are cut into ranges, and of each range one launch is chosen at random: so each
// stage of a program is represented. The first range of a group is its first launch; where this is
// the first launch of its kernel, which finds its code in no cache, the second range has 4
// launches; all others have `every`. The choice follows from the seed and from the launches before:
// it does not depend on what was measured.
//
// estimate.h computes the cycles of all launches. The folder has numbers only: it knows neither the
// machine nor how launches run.
#ifndef HEDDLE_SAMPLE_SAMPLE_H
#define HEDDLE_SAMPLE_SAMPLE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_SAMPLE_LEAST 2 // hd_sample_options.every
#define HD_SAMPLE_MOST 1000000
#define HD_SAMPLE_SEED 1 // unless one is given

struct hd_sample_options {
    uint64_t every; // of so many launches of a group, one is chosen
    uint64_t warm;  // launches of its group before a chosen one that are simulated to warm caches
    uint64_t seed;
};

// How a launch runs: without timing; with timing, for the sake of the caches that the next one of
// its group finds; with timing, and its cycles count.
enum hd_sample_part { HD_SAMPLE_UNTIMED, HD_SAMPLE_WARM, HD_SAMPLE_CHOSEN };

struct hd_sample_shape { // of a launch, before it runs
    const void *kernel;
    uint32_t block[3];
    uint64_t shared; // bytes of a block
    uint64_t blocks;
    uint64_t wave; // blocks of this kind for which the machine has room at the same time; not 0
};

struct hd_sample_launch {
    enum hd_sample_part part;
    bool cold; // the first one of its kernel
    uint64_t insts;
    uint64_t cycles; // 0 if it was not timed
};

struct hd_sample_group {
    struct hd_sample_shape shape; // of its first launch
    unsigned number;
    struct hd_sample_launch *launches;
    size_t n, cap;
    uint64_t ranges; // that have begun
    uint64_t end;    // the launch after the last one of them
    uint64_t pick;   // the chosen launch of that range
};

struct hd_sample {
    struct hd_arena *arena;
    struct hd_sample_options options;
    struct hd_sample_group **groups; // in the order of their first launches
    size_t n_groups, cap_groups;
    struct hd_sample_group *current; // of the launch that runs; NULL between launches
};

struct hd_sample *hd_sample_new(struct hd_arena *a, const struct hd_sample_options *o);
// The next launch begins. Returns how it runs.
enum hd_sample_part hd_sample_begin(struct hd_sample *s, const struct hd_sample_shape *shape);
// It has ended, after 0 cycles if it was not timed.
void hd_sample_end(struct hd_sample *s, uint64_t insts, uint64_t cycles);
// A launch of a run whose results were written down: of the group with this number, which the
// launches before it may have made. False if that is no such number.
bool hd_sample_restore(struct hd_sample *s, uint64_t group, const void *kernel,
                       const struct hd_sample_launch *l);

#endif
