// points.h - the distance to the next load: the compiler's part of ELF. It chooses a few program
// points from which the hardware can find, for every PC, the number of instructions to the nearest
// load ahead, taking the back edges of loops into account.
//
// The unit of distance is the PTX instruction. Points are computed for a whole kernel: for its own
// code and the functions that it may call, which share the slots of the hardware's table. A
// distance never reaches into another function.
#ifndef HEDDLE_ISA_POINTS_H
#define HEDDLE_ISA_POINTS_H

#include "base/arena.h"
#include "heddle/config.h"

#define HD_POINTS_FAR 255 // no load ahead, or too far for a score of 8 bits

enum hd_point_op {
    HD_POINT_OTHER,
    HD_POINT_LOAD,   // of global, local or texture memory; atomics that return a value too
    HD_POINT_BRANCH, // conditional: may fall through
    HD_POINT_JUMP,   // unconditional
    HD_POINT_END,    // the warp ends: exit, return
};

struct hd_points_part { // a function: the PCs [first, end)
    uint32_t first, end;
};

struct hd_points_code {
    const uint8_t *ops;      // by PC: enum hd_point_op
    const uint32_t *targets; // by PC: of branches and jumps; outside of the function is the end
    const struct hd_points_part *parts; // by rising PC
    uint32_t n_parts;
};

// The options are keys of the machine (heddle/config.h). These are their defaults.
#define HD_POINTS_DEFAULT ((struct hd_config_points){.slots = 32})

struct hd_point {
    uint32_t pc, part;
    uint8_t score;
    bool branch;
};
struct hd_points {
    struct hd_point *points; // by rising PC; lives as long as the arena
    uint32_t n;
    uint32_t loads, branches; // before merging
    uint32_t dropped;         // points without a slot and without a load to merge into
};

// Find the points, and fill the two columns by PC for the parts: instructions to the next load, and
// the recalculation bit of branches and jumps (0 elsewhere).
struct hd_points hd_points_find(struct hd_arena *a, const struct hd_points_code *code,
                                const struct hd_config_points *o, uint8_t *load_distance,
                                uint8_t *recalc);

#endif
