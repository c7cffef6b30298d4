// cycleviews.h - recordings of what schedulers and warps of chosen SMs did in chosen cycles
// (heddle/cycleview.h), and of the whole machine's classes of cycles over the whole run.
#ifndef HEDDLE_GPU_CYCLEVIEWS_H
#define HEDDLE_GPU_CYCLEVIEWS_H

#include "gpu/pipeviews.h"
#include "heddle/cycleview.h"

// If none are given.
#define HD_CYCLEVIEWS_CYCLES "0:20000"
// Pieces of all recordings that go into one page, which then has about 3 MB, and the least that a
// recording gets of them.
#define HD_CYCLEVIEWS_PIECES 400000u
#define HD_CYCLEVIEWS_FEWEST 5000u
// Recordings in one page.
#define HD_CYCLEVIEWS_RUNS 64u

struct hd_cycleviews_options {
    struct hd_pipeviews_options where; // which SMs and cycles
    uint32_t pieces;                   // the recording ends with the cycle in which it has as many
};

struct hd_cycleviews_records {                 // of the machine
    uint64_t first, end;                       // cycles that were recorded; equal: none
    bool full;                                 // it ended because it had too many pieces
    const struct hd_cycleview_sample *samples; // the first is that of cycle 0
    uint32_t n_samples;
};

struct hd_gpu;
// NULL without options.cycleviews.
const struct hd_cycleviews_options *hd_gpu_cycleviews(const struct hd_gpu *g);
// After the run. The recording ends with this call.
struct hd_cycleviews_records hd_gpu_cycleviews_records(struct hd_gpu *g);
// Of a chosen SM.
struct hd_cycleview_records hd_gpu_cycleview(const struct hd_gpu *g, unsigned sm);

#endif
