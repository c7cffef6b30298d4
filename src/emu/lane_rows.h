// lane_rows.h - rows of registers, as the lane loops read and write them: types, sources, lanes,
// destinations, predicates. See lane_loops.h.
//
// Each type has the value that a body computes with and the element of a row. A loop finds its
// source rows (ROWS_<shape>), takes the operands of one lane from them (LANE_<shape>), and stores
// 32 values at once (store_<type>).
#ifndef HEDDLE_EMU_LANE_ROWS_H
#define HEDDLE_EMU_LANE_ROWS_H

#include "emu/lanes.h"

#include "emu/lane_bits.h"

#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

// clang-format off
// Per type: the value a body computes with, and the element of a register row. Rows hold words, or
// 64-bit values over two rows; narrow values are extended into their word as the type says.
typedef uint8_t lane_U8;   typedef int8_t lane_S8;
typedef uint16_t lane_U16; typedef int16_t lane_S16; typedef uint16_t lane_B16;
typedef uint32_t lane_U32; typedef int32_t lane_S32; typedef uint32_t lane_B32;
typedef uint64_t lane_U64; typedef int64_t lane_S64; typedef uint64_t lane_B64;
typedef float lane_F32;    typedef double lane_F64;
typedef uint64_t lane_F32X2;
typedef uint16_t lane_F16, lane_BF16, lane_E4M3X2, lane_E5M2X2;
typedef uint32_t lane_F16X2, lane_BF16X2, lane_TF32;
// Rows are accessed with different types.
typedef uint32_t row32 __attribute__((may_alias));
typedef uint64_t row64 __attribute__((may_alias));
typedef float rowf32 __attribute__((may_alias));
typedef double rowf64 __attribute__((may_alias));
typedef row32 row_U8, row_S8, row_U16, row_S16, row_B16, row_U32, row_S32, row_B32, row_F16, row_F16X2,
    row_BF16, row_BF16X2, row_TF32, row_E4M3X2, row_E5M2X2;
typedef row64 row_U64, row_S64, row_B64, row_F32X2;
typedef rowf32 row_F32;
typedef rowf64 row_F64;

static const uint32_t bit32[HD_LANES] = {
#define BIT8(i) 1u << (i), 1u << (i + 1), 1u << (i + 2), 1u << (i + 3), \
                1u << (i + 4), 1u << (i + 5), 1u << (i + 6), 1u << (i + 7)
    BIT8(0), BIT8(8), BIT8(16), BIT8(24)
};
static const uint64_t bit64[HD_LANES] = {BIT8(0), BIT8(8), BIT8(16), BIT8(24)};

#define EACH_LANE for (int l = 0; l < HD_LANES; l++)
// `r`: the registers of one warp after the other.
#define EACH_WARP \
    for (struct hd_lane_regs regs = *first, *r = &regs; warps; \
         warps--, regs.rows += regs.next_rows, regs.preds += regs.next_preds)

// The same mask. The compiler must not prepare it before the loop over warps, because it is needed
// only where some lanes take no part.
static inline uint32_t late(uint32_t mask)
{
    __asm__ volatile("" : "+r"(mask));
    return mask;
}

// store_<type>: the lanes of the mask into the destination row.
#define STORE(T, bit) \
    static inline __attribute__((always_inline)) void store_##T( \
        const struct hd_lane_regs *r, int32_t row, const lane_##T *restrict v, uint32_t mask) \
    { \
        row_##T *restrict d = (row_##T *)hd_lanes_row(r, row); \
        if (mask == UINT32_MAX) \
            EACH_LANE d[l] = (row_##T)v[l]; \
        else { \
            const uint32_t some = late(mask); \
            EACH_LANE { \
                const row_##T new = (row_##T)v[l], old = d[l]; \
                d[l] = some & bit[l] ? new : old; \
            } \
        } \
    }
STORE(U8, bit32)  STORE(S8, bit32)
STORE(U16, bit32) STORE(S16, bit32) STORE(B16, bit32)
STORE(U32, bit32) STORE(S32, bit32) STORE(B32, bit32)
STORE(U64, bit64) STORE(S64, bit64) STORE(B64, bit64) STORE(F32X2, bit64)
STORE(F32, bit32) STORE(F64, bit64)
STORE(F16, bit32) STORE(F16X2, bit32)
STORE(BF16, bit32) STORE(BF16X2, bit32)
STORE(TF32, bit32) STORE(E4M3X2, bit32) STORE(E5M2X2, bit32)

// Source rows and lanes by shape. T and D are the operation's source and destination types; PRE
// is applied to operands of type T.
#define SRC(T, name, i) const row_##T *p##name = (const row_##T *)hd_lanes_source(r, in->src[i])
#define ROWS_DA(T, D)    SRC(T, a, 0)
#define ROWS_DAB(T, D)   SRC(T, a, 0); SRC(T, b, 1)
#define ROWS_DABC(T, D)  SRC(T, a, 0); SRC(T, b, 1); SRC(T, c, 2)
#define ROWS_DAN(T, D)   SRC(T, a, 0); SRC(U32, b, 1)
#define ROWS_DANM(T, D)  SRC(T, a, 0); SRC(U32, b, 1); SRC(U32, c, 2)
#define ROWS_DABNM(T, D) SRC(T, a, 0); SRC(T, b, 1); SRC(U32, c, 2); \
                         const row32 *pe = hd_lanes_source(r, (int32_t)in->imm)
#define ROWS_DAX(T, D)   SRC(T, a, 0); SRC(D, b, 1)
#define ROWS_DABX(T, D)  SRC(T, a, 0); SRC(T, b, 1); SRC(D, c, 2)
#define ROWS_SLCT(T, D)  SRC(D, a, 0); SRC(D, b, 1); SRC(T, c, 2)
#define ROWS_LOP3 ROWS_DABC
#define ROWS_VIDEO ROWS_DABC
#define ROWS_PA ROWS_DA
#define ROWS_SET ROWS_DAB
#define GET(T, name, PRE) lane_##T name = PRE((lane_##T)p##name[l])
#define LANE_DA(T, D, PRE)    GET(T, a, PRE)
#define LANE_DAB(T, D, PRE)   GET(T, a, PRE); GET(T, b, PRE)
#define LANE_DABC(T, D, PRE)  GET(T, a, PRE); GET(T, b, PRE); GET(T, c, PRE)
#define LANE_DAN(T, D, PRE)   GET(T, a, PRE); GET(U32, b, SAME)
#define LANE_DANM(T, D, PRE)  GET(T, a, PRE); GET(U32, b, SAME); GET(U32, c, SAME)
#define LANE_DABNM(T, D, PRE) GET(T, a, PRE); GET(T, b, PRE); GET(U32, c, SAME); GET(U32, e, SAME)
#define LANE_DABX(T, D, PRE)  GET(T, a, PRE); GET(T, b, PRE); GET(D, c, SAME)
#define LANE_SLCT(T, D, PRE)  GET(D, a, SAME); GET(D, b, SAME); GET(T, c, PRE)
#define LANE_LOP3 LANE_DABC
#define LANE_VIDEO LANE_DABC

#define SAME(x) (x)
#define LOOP(T, D, shape, PRE, POST, body) \
    EACH_LANE { \
        LANE_##shape(T, D, PRE); \
        v[l] = POST((lane_##D)(body)); \
    }

#define PLAIN(T, D, shape, body) LOOP(T, D, shape, SAME, SAME, body)

// Predicates are lane masks.
static inline void set_pred(const struct hd_lane_regs *r, uint32_t p, uint32_t value, uint32_t mask)
{
    r->preds[p] = (r->preds[p] & ~mask) | (value & mask);
}
// clang-format on

#endif
