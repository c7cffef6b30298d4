// points.h - the distance to the next load: the compiler's part of ELF. It chooses a few program
// points from which the hardware can find, for every PC, the number of instructions to the nearest
// load ahead, taking the back edges of loops into account.
//
// The unit of distance is the instruction. PCs here count from the start of the function.
#ifndef HEDDLE_ISA_POINTS_H
#define HEDDLE_ISA_POINTS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_POINTS_FAR 255 // no load ahead, or too far for a score of 8 bits

enum hd_point_op {
    HD_POINT_OTHER,
    HD_POINT_LOAD,   // of global, local or texture memory; atomics that return a value too
    HD_POINT_BRANCH, // conditional: may fall through
    HD_POINT_JUMP,   // unconditional
    HD_POINT_END,    // the warp ends: exit, return
};

struct hd_points_code {      // one function
    const uint8_t *ops;      // enum hd_point_op, n of them
    const uint32_t *targets; // of branches and jumps; at or beyond n is the end
    uint32_t n;
};

struct hd_points_options {
    uint32_t slots;     // of the table, 32 in the paper; 0 means no limit
    bool forward;       // forward branches are points too
    bool literal_merge; // distance of a merge as printed: overshoots when merges chain
    bool literal_bit;   // recalculation bit as printed: set where taken is the shorter way
    bool exact_at;      // a merged score also counts at the point itself (>= instead of >)
};
#define HD_POINTS_DEFAULT ((struct hd_points_options){.slots = 32})

struct hd_point {
    uint32_t pc;
    uint8_t score;
    bool branch;
};
struct hd_points {
    struct hd_point *points; // by rising PC; lives as long as the arena
    uint32_t n;
    uint32_t
        dropped; // points without a slot and without a load to merge into; they deserve a warning
};

// Find the points and fill the two columns, n entries each: instructions to the next load, and the
// recalculation bit of branches and jumps (0 elsewhere).
struct hd_points hd_points_find(struct hd_arena *a, const struct hd_points_code *code,
                                const struct hd_points_options *o, uint8_t *load_distance,
                                uint8_t *recalc);

#endif
