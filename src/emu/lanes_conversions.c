// lanes_conversions.c - the lane loops of conversions between types. See lane_loops.h.
#define HD_LANES_PART hd_lanes_conversions
#define HD_LANES_HAS_CONVERSIONS ~, 1
#include "emu/lane_loops.h"
