// lanes_floats.c - the lane loops of f32 and f64. See lane_loops.h.
#define HD_LANES_PART hd_lanes_floats
#define HD_LANES_HAS_FLOATS ~, 1
#include "emu/lane_loops.h"
