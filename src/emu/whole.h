// whole.h - loads and stores without timing of elements that fill a register.
//
// One pass over the address register checks every access and finds out how the lanes lie; nothing
// is kept of the addresses. whole.c is compiled once per host vector width, like lane_loops.h; all
// builds do the same.
#ifndef HEDDLE_EMU_WHOLE_H
#define HEDDLE_EMU_WHOLE_H

#include "emu/lanes.h"

struct hd_touched;

// Addresses [low, low + size) of a space are the bytes from `base` on. `low` is a multiple of 16.
struct hd_whole_window {
    uint8_t *base;
    uint64_t low, size;
    // If not NULL, accesses are noted there (touched.h); `offset` is that of `base`.
    struct hd_touched *touched;
    uint64_t offset;
};

struct hd_whole_ops {
    // The instruction, for these lanes, with elements of 4 (shift 2) or 8 bytes (shift 3). A load:
    // for `warps` warps that follow each other; more than one only for all their lanes. Returns
    // for how many warps it was done: an access of the next one is not aligned or lies outside of
    // the window, or the window has 2^31 bytes or more.
    unsigned (*load)(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes,
                     unsigned shift, const struct hd_whole_window *x, unsigned warps);
    // Of one warp; false if it was not done. *changed is set if a byte of memory had another value.
    bool (*store)(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t lanes,
                  unsigned shift, const struct hd_whole_window *x, uint8_t *changed);
};

extern const struct hd_whole_ops hd_whole_baseline, hd_whole_avx2, hd_whole_avx512;

// That of the same build as hd_lanes_pick's table.
const struct hd_whole_ops *hd_whole_pick(void);

#endif
