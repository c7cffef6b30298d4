// lanes_ints.c - the lane loops of integers, bits and predicates. See lane_loops.h.
#define HD_LANES_PART hd_lanes_ints
#define HD_LANES_HAS_INTS ~, 1
#include "emu/lane_loops.h"
