// lanes_halves.c - the lane loops of f16, bf16 and their pairs. See lane_loops.h.
#define HD_LANES_PART hd_lanes_halves
#define HD_LANES_HAS_HALVES ~, 1
#include "emu/lane_loops.h"
