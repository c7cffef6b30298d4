// cycleview.h - what the schedulers and the warps of an SM did in each cycle of a recording, for
// pages that show where the cycles went.
//
// A PIECE is a stretch of cycles in which a scheduler lost or used its cycles in the same way, or
// in which a warp was in the same state at the same instruction. The pieces of a scheduler cover
// every cycle in which a kernel ran, once, so that their sums are the counters of stalls. Those of
// a warp's slot cover the cycles in which it holds a warp. A warp's state is that at the end of a
// cycle; the schedulers choose in the middle of it.
#ifndef HEDDLE_CYCLEVIEW_H
#define HEDDLE_CYCLEVIEW_H

#include "heddle/pipeview.h"

// The classes of a scheduler's cycle, named as the counters are (heddle/stats.h).
#define HD_CYCLEVIEW_CLASSES(X) X(issued) X(idle) X(scoreboard) X(pipeline) X(inactive)
enum hd_cycleview_class {
#define HD_CYCLEVIEW_ENUM(name) HD_CYCLEVIEW_##name,
    HD_CYCLEVIEW_CLASSES(HD_CYCLEVIEW_ENUM)
#undef HD_CYCLEVIEW_ENUM
        HD_N_CYCLEVIEW_CLASSES
};

// The states of a warp: the reasons of enum hd_pipeview_wait, and these.
enum hd_cycleview_state {
    HD_CYCLEVIEW_ISSUED = HD_N_PIPEVIEW_WAITS, // its instruction was issued
    HD_CYCLEVIEW_FETCH,                        // no instruction has been fetched
    HD_CYCLEVIEW_ENDED,                        // it waits for its stores and its block
    HD_CYCLEVIEW_EMPTY,                        // there is no warp; never in a piece
    HD_N_CYCLEVIEW_STATES
};

#define HD_CYCLEVIEW_NO_PC UINT32_MAX

struct hd_cycleview_piece {
    uint64_t start;
    uint32_t cycles;
    uint32_t stay, pc; // of a warp; the program is that of the stay's launch
    uint8_t row;       // the scheduler, or the warp's slot
    uint8_t what;      // enum hd_cycleview_class, or enum hd_cycleview_state
};

struct hd_cycleview_stay { // of a warp in its slot
    uint64_t start, end;
    uint32_t launch, block;
    uint8_t row, number; // slot; number in its block
};

struct hd_cycleview_records { // of an SM; both lists of pieces in the order of their ends
    const struct hd_cycleview_piece *scheds, *warps;
    const struct hd_cycleview_stay *stays;
    uint32_t n_scheds, n_warps, n_stays;
    const uint8_t *sched_of;                 // by slot: its scheduler
    uint64_t totals[HD_N_CYCLEVIEW_CLASSES]; // of its schedulers
};

// The whole machine over the whole run, in at most this many stretches.
#define HD_CYCLEVIEW_STRETCHES 512
struct hd_cycleview_sample { // the counters up to and without `cycle`
    uint64_t cycle;
    uint64_t counts[HD_N_CYCLEVIEW_CLASSES];
};

#endif
