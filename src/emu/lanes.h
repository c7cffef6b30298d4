// lanes.h - arithmetic on whole warps: one function per operation, 32 lanes at once.
//
// A handler reads its source rows, computes all 32 lanes and writes those of `mask`; it never fails
// and changes nothing else. The loops (lane_loops.h) are compiled once per host vector width, which
// gives a table each, with NULL for operations that are not lane arithmetic (memory, control). All
// tables give the same bytes.
#ifndef HEDDLE_EMU_LANES_H
#define HEDDLE_EMU_LANES_H

#include "isa/op.h"

#include <stdio.h>

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

// The parts of the tables, each made by lanes_<part>.c.
#define HD_LANES_PARTS(X, width)                                                                   \
    X(ints, width) X(floats, width) X(halves, width) X(conversions, width)
#define HD_LANES_EXTERN(part, width) extern const hd_lane_fn hd_lanes_##part##_##width[HD_N_OPS];
HD_LANES_PARTS(HD_LANES_EXTERN, baseline)
HD_LANES_PARTS(HD_LANES_EXTERN, avx2)
HD_LANES_PARTS(HD_LANES_EXTERN, avx512)
#undef HD_LANES_EXTERN

enum hd_lanes_width { HD_LANES_BASELINE, HD_LANES_AVX2, HD_LANES_AVX512, HD_N_LANES_WIDTHS };

// A table, or NULL if this host cannot execute it.
const hd_lane_fn *hd_lanes_table(enum hd_lanes_width width);

// The widest table for this host, or the one that HEDDLE_LANES names (baseline, avx2, avx512) if
// the host supports it. A name that is unknown or not supported counts as baseline. If a wider
// build gives other results than the baseline, a warning goes to standard error, and this is
// baseline.
const hd_lane_fn *hd_lanes_pick(void);
// The decision: `wanted`, or HD_LANES_BASELINE and a warning on `to` if `table` differs from it.
enum hd_lanes_width hd_lanes_trusted(enum hd_lanes_width wanted, const hd_lane_fn *table, FILE *to);

// Whether both tables give the same registers for a fixed choice of values: each operation of `a`
// in each of its forms, for all lanes and for some. If not, *where is an instruction that differs.
bool hd_lanes_same(const hd_lane_fn *a, const hd_lane_fn *b, struct hd_insn *where);

// The `imm` (isa/video.h) of a form of this video operation, chosen by random bits.
int64_t hd_lanes_video(int op, uint64_t r);

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
