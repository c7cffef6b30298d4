// parked_block.h - a block that has left its SM until everything that it has launched is complete.
#ifndef HEDDLE_EMU_PARKED_BLOCK_H
#define HEDDLE_EMU_PARKED_BLOCK_H

#include "hw/barrier.h"

#include <stdint.h>

struct hd_launch;

struct hd_parked_block {
    const struct hd_launch *launch;
    uint32_t index[3], linear;
    struct hd_barriers barriers;  // as if its warps were in the first slots
    struct hd_parked_block *next; // for the machine
    // For the device's runtime: its streams and its pending children, as indices.
    uint32_t stream, thread_streams, children;
};

#endif
