// metrics.h - how warps and thread blocks spent their time: the measures of papers on barriers and
// progress. Recorded only when requested (hd_gpu_options.metrics); docs/output.md defines each
// number for users.
//
// A WARP-PHASE (BAWS, ICS 2016) lasts from the start of a block, or the opening of its last
// barrier, to the next opening, for the warps that it frees; the last phase ends with the block. T
// of a warp is the time from the phase's start to its arrival at the barrier, or its end. Warps
// that end in a phase belong to it and to no later one.
//
// Shares are integers in units of 1 / HD_METRICS_ONE, so that sums don't depend on their order.
#ifndef HEDDLE_GPU_METRICS_H
#define HEDDLE_GPU_METRICS_H

#include "heddle/profile.h"

#define HD_METRICS_ONE 1000000000u
#define HD_METRICS_PHASES 32      // by number; the last one stands for all later ones too
#define HD_METRICS_BLOCKS 65536   // block records of a run, divided evenly among the SMs
#define HD_METRICS_WARPS 16384    // warp-phase records of a run, of one SM
#define HD_METRICS_SAMPLES 1024   // samples of a run, of one SM
#define HD_METRICS_INTERVAL 1000u // cycles between two samples: PRO's (IPDPS 2015)

// part / whole in that unit.
static inline uint64_t hd_metrics_share(uint64_t part, uint64_t whole)
{
    if (!whole)
        return 0;
    if (part > UINT64_MAX / HD_METRICS_ONE)
        return part / (whole / HD_METRICS_ONE + 1);
    return part * HD_METRICS_ONE / whole;
}

// BAWS's ratio of temporal resource underutilization of a phase, after Xiang et al. (HPCA 2014):
// sum(maxT - T) / (n * maxT).
static inline uint64_t hd_metrics_rtru(const uint64_t *t, unsigned n)
{
    uint64_t longest = 0, behind = 0;

    for (unsigned i = 0; i < n; i++)
        longest = t[i] > longest ? t[i] : longest;
    for (unsigned i = 0; i < n; i++)
        behind += longest - t[i];
    return hd_metrics_share(behind, n * longest);
}

struct hd_metrics_phases {  // of one number
    uint64_t groups, warps; // phases of blocks, and warps in them
    uint64_t rtru;          // sum over groups of sum(maxT - T) / (warps * maxT)
    uint64_t longest, time,
        waits; // cycles: sums of maxT over groups; of T and of waiting over warps
};

struct hd_metrics_sums {             // of one kernel
    uint64_t warps;                  // of blocks that have ended
    uint64_t barrier;                // sum over warps of time at barriers / life of the block
    uint64_t exit;                   // the same of the time from a warp's end to that of its block
    uint64_t mshr_cycles, mshr_busy; // L1D miss entries in use, summed over cycles; those with any
    struct hd_metrics_phases phases[HD_METRICS_PHASES];
    struct hd_elf_rules lost; // cycles without issue
};

struct hd_metrics_block { // a block's stay on its SM
    uint64_t start, end;  // cycle before its first, cycle of its last
    uint64_t thread_insts;
    uint32_t launch, block; // linear index in its grid
    uint32_t sequence; // of the launch on this SM, from 0; with sm.share, of all since it was empty
    uint8_t slot, warps;
};

struct hd_metrics_warp { // a warp in a phase
    uint64_t start, arrival, end;
    uint32_t launch, block;
    uint16_t phase; // from 1
    uint8_t warp;   // slot
    bool ended;     // arrival is its end, not a barrier
};

struct hd_metrics_sample { // of resident blocks, in the order the scheduling policy has for them
    uint64_t cycle;
    uint32_t launch, n;
    uint32_t sequence[HD_MAX_TBS];
    uint64_t thread_insts[HD_MAX_TBS];
    uint8_t slot[HD_MAX_TBS];
};

// The records, in the order of time; *_lost counts those for which there was no room.
struct hd_metrics_records {
    const struct hd_metrics_block *blocks; // by end
    const struct hd_metrics_warp *warps;
    const struct hd_metrics_sample *samples;
    uint32_t n_blocks, n_warps, n_samples;
    uint64_t blocks_lost, warps_lost, samples_lost;
};

#endif
