// lanes.h - arithmetic on whole warps: one function per operation, 32 lanes at once.
//
// A handler reads its source rows, computes all 32 lanes and writes those of `mask`; it never fails
// and changes nothing else. lanes.c is compiled once per host vector width; each build exports a
// table with NULL for operations that are not lane arithmetic (memory, control). All tables give
// the same bytes.
#ifndef HEDDLE_EMU_LANES_H
#define HEDDLE_EMU_LANES_H

#include "isa/op.h"

struct hd_lane_regs { // one warp's registers
    uint32_t *rows;
    const uint32_t *pool; // the program's constants
    uint32_t *preds;
    uint32_t next_rows, next_preds; // words to those of the next warp of the block
};

// The instruction, for `warps` warps (at least one) that follow each other in their block, and the
// lanes of `mask` in each of them. `r` are the registers of the first.
typedef void (*hd_lane_fn)(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t mask,
                           unsigned warps);

extern const hd_lane_fn hd_lanes_baseline[HD_N_OPS];
extern const hd_lane_fn hd_lanes_avx2[HD_N_OPS];
extern const hd_lane_fn hd_lanes_avx512[HD_N_OPS];

// The widest table for this host, or the one that HEDDLE_LANES names (baseline, avx2, avx512) if
// the host supports it. A name that is unknown or not supported counts as baseline.
const hd_lane_fn *hd_lanes_pick(void);

static inline uint32_t *hd_lanes_row(const struct hd_lane_regs *r, int32_t row)
{
    return r->rows + (size_t)row * HD_LANES;
}

static inline const uint32_t *hd_lanes_source(const struct hd_lane_regs *r, int32_t row)
{
    return row >= 0 ? r->rows + (size_t)row * HD_LANES : r->pool + (size_t)(-1 - row) * HD_LANES;
}

static inline uint32_t hd_lanes_pred(const struct hd_lane_regs *r, uint32_t q)
{
    if (q == HD_PRED_TRUE)
        return UINT32_MAX;
    return r->preds[q & ~HD_PRED_NOT] ^ (q & HD_PRED_NOT ? UINT32_MAX : 0);
}

#endif
