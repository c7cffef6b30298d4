// lane_loops.h - the lane loops: one handler per operation with a body in ops.def, made by macros.
//
// Every handler has the same three steps: find the source rows, compute 32 values into a local
// array, copy those of the mask to the destination row. The array is necessary because a
// destination pair may share rows with a source of another width that is used for the last time;
// the compiler keeps it in vector registers.
//
// A file that includes this makes the handlers of one part of ops.def, so that the parts can be
// compiled side by side. It defines HD_LANES_PART, the name of its table, and HD_LANES_HAS_<part>
// as `~, 1` for INTS, FLOATS, HALVES or CONVERSIONS. Each file is compiled three times (see the
// Makefile); HD_LANES_SUFFIX is added to the name of the table.
//
// Integers wrap (-fwrapv) and floating-point exceptions do not exist (-fno-trapping-math), as on
// the device. Operand order, rounding and NaNs are fixed here so that every build and host gives
// the same bytes.
#ifndef HEDDLE_EMU_LANE_LOOPS_H
#define HEDDLE_EMU_LANE_LOOPS_H

#include "emu/lanes.h"

#include "emu/lane_bits.h"
#include "emu/lane_fp8.h"
#include "emu/lane_video.h"

#ifndef HD_LANES_SUFFIX
#define HD_LANES_SUFFIX baseline
#endif
#ifndef HD_LANES_PART
#define HD_LANES_PART hd_lanes_nothing
#endif
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

// The loops of a handler by the MODS column; modifiers are tested once per instruction.
#define PLAIN(T, D, shape, body) LOOP(T, D, shape, SAME, SAME, body)
#define LOOPS_NONE(T, D, shape, body) PLAIN(T, D, shape, body)
#define LOOPS_WINDOW(T, D, shape, body) \
    const lane_##D window = (lane_##D)hd_window(in->space); \
    PLAIN(T, D, shape, body)
#define LOOPS_PRMT(T, D, shape, body) \
    const unsigned mode = modifiers & HD_MOD_ENUM; \
    PLAIN(T, D, shape, body)

#define LOOPS_LOP3(T, D, shape, body) \
    const uint32_t table = modifiers & HD_MOD_ENUM; \
    PLAIN(T, D, shape, body)
#define LOOPS_VIDEO PLAIN

#define LOOPS_SAT(T, D, shape, body) SAT_##T(T, D, shape, body)
#define SAT_U16 PLAIN
#define SAT_S16 PLAIN
#define SAT_U32 PLAIN
#define SAT_U64 PLAIN
#define SAT_S64 PLAIN
#define SAT_S32(T, D, shape, body) \
    if (modifiers & HD_MOD_SAT) \
        EACH_LANE { \
            int64_t a = (int32_t)pa[l], b = (int32_t)pb[l]; \
            v[l] = sat_s32(body); \
        } \
    else \
        PLAIN(T, D, shape, body)
// The sum with c saturates.
#define LOOPS_SATC(T, D, shape, body) SATC_##T(T, D, shape, body)
#define SATC_U16 PLAIN
#define SATC_S16 PLAIN
#define SATC_U32 PLAIN
#define SATC_U64 PLAIN
#define SATC_S64 PLAIN
#define SATC_S32(T, D, shape, body) \
    if (modifiers & HD_MOD_SAT) \
        EACH_LANE { \
            int32_t a = (int32_t)pa[l], b = (int32_t)pb[l]; \
            int64_t c = (int32_t)pc[l]; \
            v[l] = sat_s32(body); \
        } \
    else \
        PLAIN(T, D, shape, body)

// The condition code: one bit a lane, kept as a predicate.
#define CARRY_LOOP(T, D, shape, IN, OUT, body) \
    const uint32_t carries = IN; \
    uint32_t out_carries = 0; \
    EACH_LANE { \
        const uint32_t in_carry = carries >> l & 1; \
        uint32_t out_carry; \
        LANE_##shape(T, D, SAME); \
        v[l] = (lane_##D)(body); \
        out_carries |= out_carry << l; \
    } \
    OUT
#define CARRIES r->preds[in->imm]
#define LEAVE set_pred(r, (uint32_t)in->imm, out_carries, mask);
#define LOOPS_CCI(T, D, shape, body) CARRY_LOOP(T, D, shape, CARRIES, (void)out_carries;, body)
#define LOOPS_CCO(T, D, shape, body) CARRY_LOOP(T, D, shape, 0, LEAVE, body)
#define LOOPS_CCX(T, D, shape, body) CARRY_LOOP(T, D, shape, CARRIES, LEAVE, body)

#define MAYBE_FLUSH(x) (ftz ? flush_f32(x) : (x))
#define MAYBE_FLUSH_SAT(x) end_f32(x, ftz, sat)
static inline float end_f32(float x, bool ftz, bool sat)
{
    x = canon_f32(x);
    x = ftz ? flush_f32(x) : x;
    return sat ? sat_f32(x) : x;
}
// Rounding to nearest has its own loops, in which `mode` is a constant.
#define ROUNDING ((modifiers & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT)
#define LOOPS_FLT(T, D, shape, body) FLT_##T(T, D, shape, body)
#define LOOPS_RND(T, D, shape, body) FLT_##T(T, D, shape, body)
#define KEEP_DA(x) keep_nan_1(x, a)
#define KEEP_DAB(x) keep_nan_2(x, a, b)
#define KEEP_DABC(x) keep_nan_3(x, a, b, c)
// Which NaN comes out is looked at only if one does, because that is seldom and costs as much again.
#define NAN_LOOP(T, D, shape, body) \
    uint64_t nans = 0; \
    EACH_LANE { \
        LANE_##shape(T, D, SAME); \
        const lane_##D raw = (lane_##D)(body); \
        nans |= (uint64_t)(raw != raw); \
        v[l] = raw; \
    } \
    if (nans) \
        LOOP(T, D, shape, SAME, KEEP_##shape, body)
#define FLT_F64(T, D, shape, body) \
    if (ROUNDING == HD_RN) { \
        enum { mode = HD_RN }; \
        NAN_LOOP(T, D, shape, body) \
    } else { \
        const unsigned mode = ROUNDING; \
        NAN_LOOP(T, D, shape, body) \
    }
#define FLT_F32(T, D, shape, body) \
    const bool ftz = modifiers & HD_MOD_FTZ, sat = modifiers & HD_MOD_SAT; \
    if (ROUNDING != HD_RN) { \
        const unsigned mode = ROUNDING; \
        LOOP(T, D, shape, MAYBE_FLUSH, MAYBE_FLUSH_SAT, body) \
    } else { \
        enum { mode = HD_RN }; \
        if (ftz || sat) \
            LOOP(T, D, shape, MAYBE_FLUSH, MAYBE_FLUSH_SAT, body) \
        else \
            LOOP(T, D, shape, SAME, canon_f32, body) \
    }
// Pairs of f32: the body computes one of them.
#define ONE_OF(name) const float name = MAYBE_FLUSH(f32_of((uint32_t)(p##name[l] >> half)))
#define ONE_DAB ONE_OF(a); ONE_OF(b)
#define ONE_DABC ONE_OF(a); ONE_OF(b); ONE_OF(c)
#define LOOPS_FLT2(T, D, shape, body) \
    const bool ftz = modifiers & HD_MOD_FTZ, sat = false; \
    const unsigned mode = ROUNDING; \
    EACH_LANE { \
        uint64_t pair = 0; \
        for (unsigned half = 0; half < 64; half += 32) { \
            ONE_##shape; \
            pair |= (uint64_t)bits_f32(MAYBE_FLUSH_SAT(body)) << half; \
        } \
        v[l] = pair; \
    }
// Halves that become f32 first.
#define MIX_DAX(T) const float x = VALUE_##T(pa[l]), b = pb[l]
#define MIX_DABX(T) const float x = VALUE_##T(pa[l]), y = VALUE_##T(pb[l]), c = pc[l]
#define LOOPS_MIX(T, D, shape, body) \
    const bool sat = modifiers & HD_MOD_SAT; \
    const unsigned mode = ROUNDING; \
    EACH_LANE { \
        MIX_##shape(T); \
        v[l] = end_f32(body, false, sat); \
    }
// The least or the greatest of three: NaNs count only if nothing else is there, or with .NaN.
#define LOOPS_MIN3(T, D, shape, body) \
    const bool ftz = modifiers & HD_MOD_FTZ; \
    EACH_LANE { \
        float a = MAYBE_FLUSH(pa[l]), b = MAYBE_FLUSH(pb[l]), c = MAYBE_FLUSH(pc[l]); \
        const bool nan = a != a || b != b || c != c; \
        if (modifiers & HD_MOD_XORSIGN) \
            a = abs_f32(a), b = abs_f32(b), c = abs_f32(c); \
        const float two = body(a, b); \
        v[l] = nan && modifiers & HD_MOD_NAN ? f32_of(0x7fffffff) : canon_f32(body(two, c)); \
    }
#define LOOPS_APPROX(T, D, shape, body) APPROX_##T(T, D, shape, body)
#define APPROX_F64(T, D, shape, body) \
    const bool ftz = modifiers & HD_MOD_FTZ; \
    (void)ftz; \
    PLAIN(T, D, shape, body)
#define APPROX_F32(T, D, shape, body) \
    const bool ftz = modifiers & HD_MOD_FTZ, sat = false; \
    if (ftz) \
        LOOP(T, D, shape, MAYBE_FLUSH, MAYBE_FLUSH_SAT, body) \
    else \
        LOOP(T, D, shape, SAME, canon_f32, body)

#define LOOPS_HALF(T, D, shape, body) \
    const bool ftz = modifiers & HD_MOD_FTZ, sat = modifiers & HD_MOD_SAT; \
    if (ftz || sat) \
        LOOP(T, D, shape, HALF_FLUSH, HALF_END, body) \
    else \
        PLAIN(T, D, shape, body)
#define LOOPS_HFTZ(T, D, shape, body) HFTZ_##T(T, D, shape, body)
#define HFTZ_F16 LOOPS_HALF
#define HFTZ_F16X2 LOOPS_HALF
#define HFTZ_BF16 PLAIN
#define HFTZ_BF16X2 PLAIN
#define LOOPS_HFMA(T, D, shape, body) \
    const unsigned mods = modifiers & HD_MOD_RELU; \
    LOOPS_HALF(T, D, shape, body) \
    if (mods) \
        EACH_LANE v[l] = END_##T(v[l], mods);
#define LOOPS_BF PLAIN
#define LOOPS_BFMA(T, D, shape, body) \
    const unsigned mods = modifiers & HD_MOD_RELU; \
    PLAIN(T, D, shape, body) \
    if (mods) \
        EACH_LANE v[l] = END_##T(v[l], mods);
#define TOP_F16 0x7c00
#define TOP_BF16 0x7f80
#define END_F16(x, mods) end_16(x, mods, TOP_F16)
#define END_BF16(x, mods) end_16(x, mods, TOP_BF16)
#define END_F16X2(x, mods) end_16x2(x, mods, TOP_F16)
#define END_BF16X2(x, mods) end_16x2(x, mods, TOP_BF16)
#define HALF_FLUSH(x) (ftz ? HALF(flush, x)(x) : (x))
#define HALF_END(x) half_end(x, ftz, sat)
#define half_end(x, ftz, sat) HALF(end, x)(x, ftz, sat)
static inline uint16_t end_f16(uint16_t x, bool ftz, bool sat)
{
    x = ftz ? flush_f16(x) : x;
    return sat ? sat_f16(x) : x;
}
static inline uint32_t end_f16x2(uint32_t x, bool ftz, bool sat)
{
    return end_f16((uint16_t)x, ftz, sat) | (uint32_t)end_f16((uint16_t)(x >> 16), ftz, sat) << 16;
}

// min and max: with .NaN or .xorsign.abs the choice is made among absolute values.
#define LOOPS_MINF(T, D, shape, body) MINF_##T(T, D, shape, body)
#define MINF_F64 PLAIN
#define MINF_F32(T, D, shape, body) \
    if (modifiers & (HD_MOD_NAN | HD_MOD_XORSIGN)) \
        STRICT(T, FLUSHED_F32, abs_f32, strict_f32(body, x, y, modifiers)) \
    else \
        FTZ_F32(T, D, shape, body)
#define MINF_F16(T, D, shape, body) \
    if (modifiers & (HD_MOD_NAN | HD_MOD_XORSIGN)) \
        STRICT(T, FLUSHED_F16, abs_f16, strict_16(body, x, y, modifiers, TOP_F16)) \
    else { \
        LOOPS_HALF(T, D, shape, body) \
    }
#define MINF_F16X2(T, D, shape, body) \
    if (modifiers & (HD_MOD_NAN | HD_MOD_XORSIGN)) \
        STRICT(T, FLUSHED_F16X2, abs_f16x2, strict_16x2(body, x, y, modifiers, TOP_F16)) \
    else { \
        LOOPS_HALF(T, D, shape, body) \
    }
#define MINF_BF16(T, D, shape, body) \
    if (modifiers & (HD_MOD_NAN | HD_MOD_XORSIGN)) \
        STRICT(T, SAME, abs_bf16, strict_16(body, x, y, modifiers, TOP_BF16)) \
    else \
        PLAIN(T, D, shape, body)
#define MINF_BF16X2(T, D, shape, body) \
    if (modifiers & (HD_MOD_NAN | HD_MOD_XORSIGN)) \
        STRICT(T, SAME, abs_bf16x2, strict_16x2(body, x, y, modifiers, TOP_BF16)) \
    else \
        PLAIN(T, D, shape, body)
#define FLUSHED_F32(x) (modifiers & HD_MOD_FTZ ? flush_f32(x) : (x))
#define FLUSHED_F16(x) (modifiers & HD_MOD_FTZ ? flush_f16(x) : (x))
#define FLUSHED_F16X2(x) (modifiers & HD_MOD_FTZ ? flush_f16x2(x) : (x))
#define STRICT(T, FLUSH, ABS, result) \
    EACH_LANE { \
        lane_##T x = FLUSH((lane_##T)pa[l]), y = FLUSH((lane_##T)pb[l]); \
        lane_##T a = modifiers & HD_MOD_XORSIGN ? ABS(x) : x, \
                 b = modifiers & HD_MOD_XORSIGN ? ABS(y) : y; \
        v[l] = (result); \
    }

// Sine of x + shift pi/2. Huge arguments are rare, so they have a separate pass.
static __attribute__((unused)) void trig(const rowf32 *x, float *v, uint32_t shift, bool ftz)
{
    double rest[HD_LANES];
    uint32_t quarter[HD_LANES], huge = 0;

    EACH_LANE {
        float a = MAYBE_FLUSH(x[l]);
        rest[l] = reduce_trig(a, &quarter[l]);
        huge |= abs_f32(a) >= TRIG_LIMIT && abs_f32(a) < INFINITY;
    }
    if (huge)
        EACH_LANE
            if (abs_f32(x[l]) >= TRIG_LIMIT && abs_f32(x[l]) < INFINITY)
                rest[l] = reduce_huge(x[l], &quarter[l]);
    EACH_LANE {
        float y = trig_of(rest[l], quarter[l] + shift);
        v[l] = MAYBE_FLUSH(y);
    }
}
#define LOOPS_TRIG(T, D, shape, body) trig(pa, v, body, modifiers & HD_MOD_FTZ);

#define LOOPS_FTZ(T, D, shape, body) FTZ_##T(T, D, shape, body)
#define FTZ_F64 PLAIN
#define FTZ_F32(T, D, shape, body) \
    if (modifiers & HD_MOD_FTZ) \
        LOOP(T, D, shape, flush_f32, flush_f32, body) \
    else \
        PLAIN(T, D, shape, body)

#define LOOPS_FTZC(T, D, shape, body) FTZC_##T(T, D, shape, body)
#define FTZC_S32 PLAIN
#define FTZC_F32(T, D, shape, body) \
    if (modifiers & HD_MOD_FTZ) \
        LOOP(T, D, shape, flush_f32, SAME, body) \
    else \
        PLAIN(T, D, shape, body)

// Conversions: I signed, N unsigned integer, F float; one loop per pair of classes.
#define CLASS_U8 N
#define CLASS_S8 I
#define CLASS_U16 N
#define CLASS_S16 I
#define CLASS_U32 N
#define CLASS_S32 I
#define CLASS_U64 N
#define CLASS_S64 I
#define CLASS_F32 F
#define CLASS_F64 F
#define CLASS_F16 H
#define CLASS_BF16 H
// What a float source lane is computed with.
typedef float val_F32, val_F16, val_BF16;
typedef double val_F64;
#define VALUE_F32(u) (modifiers & HD_MOD_FTZ ? flush_f32(u) : (u))
#define VALUE_F64(u) (u)
#define VALUE_F16(u) f32_of_f16((uint16_t)(u)) // .ftz is for f32 only
#define VALUE_BF16(u) f32_of_bf16((uint16_t)(u))
#define LEAST_U8 0
#define MOST_U8 UINT8_MAX
#define LEAST_S8 INT8_MIN
#define MOST_S8 INT8_MAX
#define LEAST_U16 0
#define MOST_U16 UINT16_MAX
#define LEAST_S16 INT16_MIN
#define MOST_S16 INT16_MAX
#define LEAST_U32 0
#define MOST_U32 UINT32_MAX
#define LEAST_S32 INT32_MIN
#define MOST_S32 INT32_MAX
#define LEAST_U64 0
#define MOST_U64 UINT64_MAX
#define LEAST_S64 INT64_MIN
#define MOST_S64 INT64_MAX
// First value too large, exact in float and double.
#define END_U8 256.0f
#define END_S8 128.0f
#define END_U16 65536.0f
#define END_S16 32768.0f
#define END_U32 4294967296.0f
#define END_S32 2147483648.0f
#define END_U64 18446744073709551616.0f
#define END_S64 9223372036854775808.0f

#define LOOPS_CVT(T, D, shape, body) CAT(CAT(CVT_, CLASS_##T), CLASS_##D)(T, D)
// unsigned to integer: only the upper bound can be passed
#define CVT_NN(T, D) \
    const uint64_t most = (uint64_t)MOST_##D; \
    if (modifiers & HD_MOD_SAT) \
        EACH_LANE { \
            uint64_t a = (lane_##T)pa[l]; \
            v[l] = (lane_##D)(a > most ? most : a); \
        } \
    else \
        EACH_LANE v[l] = (lane_##D)(lane_##T)pa[l];
#define CVT_NI(T, D) CVT_NN(T, D)
#define CVT_II(T, D) \
    const int64_t least = LEAST_##D, most = (uint64_t)MOST_##D > INT64_MAX ? INT64_MAX : (int64_t)MOST_##D; \
    if (modifiers & HD_MOD_SAT) \
        EACH_LANE { \
            int64_t a = (lane_##T)pa[l]; \
            v[l] = (lane_##D)(a < least ? least : a > most ? most : a); \
        } \
    else \
        EACH_LANE v[l] = (lane_##D)(lane_##T)pa[l];
#define CVT_IN(T, D) CVT_II(T, D)

#define DIGITS_F32 24
#define DIGITS_F64 53
#define FROM_INT(T, D, NEGATIVE, MAGNITUDE) \
    const unsigned mode = (modifiers & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT; \
    if (mode == HD_RN) \
        EACH_LANE v[l] = (lane_##D)(lane_##T)pa[l]; \
    else \
        EACH_LANE { \
            lane_##T a = (lane_##T)pa[l]; \
            v[l] = (lane_##D)float_of_int(NEGATIVE, MAGNITUDE, DIGITS_##D, mode); \
        } \
    if (modifiers & HD_MOD_SAT) \
        EACH_LANE v[l] = v[l] > 0 ? (v[l] < 1 ? v[l] : 1) : 0;
#define CVT_NF(T, D) FROM_INT(T, D, false, a)
#define CVT_IF(T, D) FROM_INT(T, D, a < 0, a < 0 ? 0 - (uint64_t)(int64_t)a : (uint64_t)a)

// float to integer: always clamps; NaN gives 0, or the middle of the range if a type has 64 bits
#define WITHOUT_VALUE(T, D) \
    (sizeof(lane_##T) == 8 || sizeof(lane_##D) == 8 ? (lane_##D)(UINT64_C(1) << (8 * sizeof(lane_##D) - 1)) : 0)
#define INTEGRAL_F32 integral_f32
#define INTEGRAL_F64 integral_f64
#define INTEGRAL_F16 integral_f32
#define INTEGRAL_BF16 integral_f32
#define TO_INT(T, D, ROUNDED) \
    EACH_LANE { \
        val_##T a = VALUE_##T(pa[l]), x = ROUNDED; \
        v[l] = x >= (val_##T)END_##D   ? MOST_##D \
               : x > (val_##T)LEAST_##D  ? (lane_##D)x \
               : x == x                 ? (lane_##D)LEAST_##D \
                                        : WITHOUT_VALUE(T, D); \
    }
#define CVT_FN(T, D) \
    const unsigned mode = (modifiers & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT; \
    if (mode == HD_RZI) /* what C programs use */ \
        TO_INT(T, D, INTEGRAL_##T(a, HD_RZI)) \
    else \
        TO_INT(T, D, INTEGRAL_##T(a, mode))
#define CVT_FI CVT_FN
#define CVT_HN CVT_FN
#define CVT_HI CVT_FN

#define CVT_FF(T, D) \
    const unsigned mode = (modifiers & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT; \
    EACH_LANE { \
        val_##T a = VALUE_##T(pa[l]); \
        v[l] = FF_##T##_##D(a, mode); \
    } \
    if (modifiers & (HD_MOD_SAT | HD_MOD_FTZ)) \
        EACH_LANE { \
            lane_##D x = VALUE_##D(v[l]); \
            v[l] = !(modifiers & HD_MOD_SAT) ? x : x > 0 ? (x < 1 ? x : 1) : 0; \
        }
#define FF_F32_F32(a, mode) canon_f32((mode) >= HD_RNI ? integral_f32(a, mode) : (a))
#define FF_F64_F64(a, mode) canon_f64((mode) >= HD_RNI ? integral_f64(a, mode) : (a))
#define FF_F32_F64(a, mode) ((void)(mode), widen_f32(a))
#define FF_F64_F32(a, mode) narrow_f64(a, mode)
#define FF_F16_F32(a, mode) ((void)(mode), canon_f32(a))
#define FF_F16_F64(a, mode) ((void)(mode), widen_f32(a))
#define FF_BF16_F32 FF_F16_F32
#define FF_BF16_F64 FF_F16_F64
#define CVT_HF CVT_FF

// To f16 and bf16, from values that are exact in double, or odd where they are not.
#define TO_HALF(D, EXPR) \
    const unsigned mode = ROUNDING; \
    EACH_LANE v[l] = EXPR; \
    if (modifiers & HD_MOD_SAT) \
        EACH_LANE v[l] = SAT_16_##D(v[l]); \
    if (modifiers & (HD_MOD_RELU | HD_MOD_FINITE)) \
        EACH_LANE v[l] = END_##D(v[l], modifiers);
#define SAT_16_F16 sat_f16
#define SAT_16_BF16 sat_bf16
#define NARROW_F16 f16_of_f64
#define NARROW_BF16 bf16_of_f64
#define NEAREST_F16 f16_of
#define NEAREST_BF16 bf16_of
#define CVT_NH(T, D) TO_HALF(D, NARROW_##D(odd_of_u64((lane_##T)pa[l]), mode))
#define CVT_IH(T, D) TO_HALF(D, NARROW_##D(odd_of_s64((lane_##T)pa[l]), mode))
#define CVT_FH(T, D) CAT(FH_, T)(T, D)
#define FH_F64(T, D) TO_HALF(D, CONVERT_##D(pa[l], mode))
#define CONVERT_F16 f16_converted
#define CONVERT_BF16 bf16_of_f64
#define FH_F32(T, D) \
    if (!(modifiers & (HD_MOD_ROUND | HD_MOD_SAT | HD_MOD_FTZ | HD_MOD_RELU | HD_MOD_FINITE))) \
        EACH_LANE v[l] = NEAREST_##D(pa[l]); \
    else { \
        TO_HALF(D, NARROW_##D((double)VALUE_F32(pa[l]), mode)) \
    }
#define CVT_HH(T, D) \
    TO_HALF(D, mode >= HD_RNI ? NEAREST_##D(integral_f32(VALUE_##T(pa[l]), mode)) \
                              : NARROW_##D((double)VALUE_##T(pa[l]), mode))

// setp: predicates are lane masks.
static inline void set_pred(const struct hd_lane_regs *r, uint32_t p, uint32_t value, uint32_t mask)
{
    r->preds[p] = (r->preds[p] & ~mask) | (value & mask);
}

// cvt to pairs: a becomes the upper half
#define LOOPS_PACK(T, D, shape, body) PACK_##D
#define PACK_F16X2 PACK_HALVES(F16)
#define PACK_BF16X2 PACK_HALVES(BF16)
#define PACK_HALVES(H) \
    const unsigned mode = ROUNDING, mods = modifiers; \
    EACH_LANE { \
        uint16_t a = NARROW_##H((double)pa[l], mode), b = NARROW_##H((double)pb[l], mode); \
        a = END_##H(mods & HD_MOD_SAT ? SAT_16_##H(a) : a, mods); \
        b = END_##H(mods & HD_MOD_SAT ? SAT_16_##H(b) : b, mods); \
        v[l] = (uint32_t)a << 16 | b; \
    }
#define LOOPS_TF(T, D, shape, body) \
    const unsigned mode = ROUNDING; \
    (void)mode; \
    EACH_LANE { \
        LANE_DA(T, D, SAME); \
        v[l] = end_tf32(body, modifiers); \
    }
#define LOOPS_TFA LOOPS_TF
#define LOOPS_FP8(T, D, shape, body) FP8_##T(T, D, shape, body)
#define FP8_F32(T, D, shape, body) \
    const unsigned flags = modifiers; \
    PLAIN(T, D, shape, body)
#define FP8_F16X2 FP8_F32
#define FP8_E4M3X2(T, D, shape, body) FP8_WIDEN(E4M3)
#define FP8_E5M2X2(T, D, shape, body) FP8_WIDEN(E5M2)
#define FP8_WIDEN(kind) \
    EACH_LANE { \
        uint32_t x = halves_of_fp8((uint16_t)pa[l], kind); \
        v[l] = modifiers & HD_MOD_RELU ? end_16x2(x, HD_MOD_RELU, TOP_F16) : x; \
    }

#define IS_FLOAT(T) ((lane_##T)0.5 != 0)

// A handler with a body. Most instructions on floats have no modifiers: with a loop of their own, a
// warp's values stay in the host's registers.
#define HANDLER(id, T, D, shape, allowed, body) \
    static inline __attribute__((always_inline)) void id##_##T##_with( \
        const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, unsigned warps, \
        const unsigned modifiers) \
    { \
        (void)modifiers; \
        EACH_WARP { \
            lane_##D v[HD_LANES]; \
            ROWS_##shape(T, D); \
            LOOPS_##allowed(T, D, shape, body) \
            store_##D(r, in->dst, v, mask); \
        } \
    } \
    static __attribute__((noinline)) void id##_##T##_modified( \
        const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, unsigned warps) \
    { \
        id##_##T##_with(in, first, mask, warps, in->mods); \
    } \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        if (IS_FLOAT(T) && in->mods) \
            id##_##T##_modified(in, first, mask, warps); \
        else \
            id##_##T##_with(in, first, mask, warps, IS_FLOAT(T) ? 0 : in->mods); \
    }

static inline uint32_t combine(uint32_t x, uint32_t q, unsigned how)
{
    return how == HD_BOOL_AND ? x & q : how == HD_BOOL_OR ? x | q : x ^ q;
}

static inline void set_both(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t mask,
                     uint32_t holds)
{
    uint32_t p = (uint32_t)in->dst & 0xffff, second = (uint32_t)in->dst >> 16, fails = ~holds;
    unsigned how = (in->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT;

    if (how != HD_BOOL_NONE) {
        uint32_t q = hd_lanes_pred(r, (uint32_t)in->src[2]);
        holds = combine(holds, q, how);
        fails = combine(fails, q, how);
    }
    set_pred(r, p, holds, mask);
    if (second != 0xffff)
        set_pred(r, second, fails, mask);
}

typedef lane_U16 cmp_U16, cmp_B16; typedef lane_S16 cmp_S16;
typedef lane_U32 cmp_U32, cmp_B32; typedef lane_S32 cmp_S32;
typedef lane_U64 cmp_U64, cmp_B64; typedef lane_S64 cmp_S64;
typedef float cmp_F32, cmp_F16, cmp_BF16; typedef double cmp_F64;
#define TEST(T, PRE, test) \
    EACH_LANE { \
        cmp_##T a = PRE((lane_##T)pa[l]), b = PRE((lane_##T)pb[l]); \
        m |= (test) ? bit32[l] : 0; \
    } \
    break;
#define TESTS_INT(T, PRE) \
    case HD_CMP_EQ: TEST(T, PRE, a == b) \
    case HD_CMP_NE: TEST(T, PRE, a != b) \
    case HD_CMP_LT: case HD_CMP_LO: TEST(T, PRE, a < b) \
    case HD_CMP_LE: case HD_CMP_LS: TEST(T, PRE, a <= b) \
    case HD_CMP_GT: case HD_CMP_HI: TEST(T, PRE, a > b) \
    case HD_CMP_GE: case HD_CMP_HS: TEST(T, PRE, a >= b)
// gcc 14 joins the masks of `a != a || b != b` wrongly if a and b were 16 bits wide (-O3, AVX-512).
#define TESTS_FLOAT(T, PRE) \
    case HD_CMP_EQ:  TEST(T, PRE, a == b) \
    case HD_CMP_NE:  TEST(T, PRE, a < b || a > b) \
    case HD_CMP_LT:  TEST(T, PRE, a < b) \
    case HD_CMP_LE:  TEST(T, PRE, a <= b) \
    case HD_CMP_GT:  TEST(T, PRE, a > b) \
    case HD_CMP_GE:  TEST(T, PRE, a >= b) \
    case HD_CMP_EQU: TEST(T, PRE, !(a < b || a > b)) \
    case HD_CMP_NEU: TEST(T, PRE, a != b) \
    case HD_CMP_LTU: TEST(T, PRE, !(a >= b)) \
    case HD_CMP_LEU: TEST(T, PRE, !(a > b)) \
    case HD_CMP_GTU: TEST(T, PRE, !(a <= b)) \
    case HD_CMP_GEU: TEST(T, PRE, !(a < b)) \
    case HD_CMP_NUM: TEST(T, PRE, !__builtin_isunordered(a, b)) \
    case HD_CMP_NAN: TEST(T, PRE, __builtin_isunordered(a, b))
#define COMPARE_CMP(T) \
    switch (in->mods & HD_MOD_ENUM) { TESTS_INT(T, SAME) }
#define COMPARE_CMPF(T) COMPAREF_##T
#define COMPAREF_F64 \
    switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(F64, SAME) }
#define WIDEN_F16(x) f32_of_f16(in->mods & HD_MOD_FTZ ? flush_f16(x) : (x))
#define COMPAREF_F16 \
    switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(F16, WIDEN_F16) }
#define WIDEN_BF16(x) f32_of_bf16(in->mods & HD_MOD_FTZ ? flush_bf16(x) : (x))
#define COMPAREF_BF16 \
    switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(BF16, WIDEN_BF16) }
#define COMPAREF_F32 \
    if (in->mods & HD_MOD_FTZ) \
        switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(F32, flush_f32) } \
    else \
        switch (in->mods & HD_MOD_ENUM) { TESTS_FLOAT(F32, SAME) }
#define HANDLER_SETP(id, T, mods) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            uint32_t m = 0; \
            ROWS_DAB(T, T); \
            COMPARE_##mods(T) \
            set_both(in, r, mask, m); \
        } \
    }

#define SETPS_CMP HANDLER_SETP
#define SETPS_CMPF HANDLER_SETP

// set: the bits that setp would give, as numbers.
#define ONE_B32 UINT32_MAX
#define ONE_F32 1.0f
#define ONE_B16 0xffff
#define ONE_F16 0x3c00
#define ONE_BF16 0x3f80
#define HANDLER_SET(id, T, D, kind) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            const unsigned how = (in->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT; \
            lane_##D v[HD_LANES]; \
            uint32_t m = 0; \
            ROWS_DAB(T, T); \
            COMPARE_##kind(T) \
            if (how != HD_BOOL_NONE) \
                m = combine(m, hd_lanes_pred(r, (uint32_t)in->src[2]), how); \
            EACH_LANE v[l] = m & bit32[l] ? ONE_##D : 0; \
            store_##D(r, in->dst, v, mask); \
        } \
    }

#define SETS_CMP(id, T, D) HANDLER_SET(id, T, D, CMP)
#define SETS_CMPF(id, T, D) HANDLER_SET(id, T, D, CMPF)

// Of pairs of halves: the bits for the lower halves and those for the upper.
#define COMPARE_HALVES(name, T) \
    static inline uint32_t name(const struct hd_insn *in, const row32 *x, const row32 *y, unsigned shift) \
    { \
        row32 pa[HD_LANES], pb[HD_LANES]; \
        uint32_t m = 0; \
        EACH_LANE { \
            pa[l] = x[l] >> shift & 0xffff; \
            pb[l] = y[l] >> shift & 0xffff; \
        } \
        COMPAREF_##T \
        return m; \
    }
COMPARE_HALVES(compare_F16X2, F16)
COMPARE_HALVES(compare_BF16X2, BF16)
// setp of halves: one predicate for each.
static inline void set_each(const struct hd_insn *in, const struct hd_lane_regs *r, uint32_t mask,
                     uint32_t low, uint32_t high)
{
    uint32_t p = (uint32_t)in->dst & 0xffff, second = (uint32_t)in->dst >> 16;
    unsigned how = (in->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT;

    if (how != HD_BOOL_NONE) {
        uint32_t q = hd_lanes_pred(r, (uint32_t)in->src[2]);
        low = combine(low, q, how);
        high = combine(high, q, how);
    }
    set_pred(r, p, low, mask);
    if (second != 0xffff)
        set_pred(r, second, high, mask);
}
#define SETPS_CMPH(id, T, mods) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            ROWS_DAB(T, T); \
            set_each(in, r, mask, compare_##T(in, pa, pb, 0), compare_##T(in, pa, pb, 16)); \
        } \
    }
#define HALF_B32 0xffffu
#define HALF_F16X2 0x3c00u
#define HALF_BF16X2 0x3f80u
#define SETS_CMPH(id, T, D) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            const unsigned how = (in->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT; \
            lane_##D v[HD_LANES]; \
            ROWS_DAB(T, T); \
            uint32_t low = compare_##T(in, pa, pb, 0), high = compare_##T(in, pa, pb, 16); \
            if (how != HD_BOOL_NONE) { \
                low = combine(low, hd_lanes_pred(r, (uint32_t)in->src[2]), how); \
                high = combine(high, hd_lanes_pred(r, (uint32_t)in->src[2]), how); \
            } \
            EACH_LANE v[l] = (low & bit32[l] ? HALF_##D : 0) | (high & bit32[l] ? HALF_##D << 16 : 0); \
            store_##D(r, in->dst, v, mask); \
        } \
    }

// lop3 with a predicate: whether the result is not 0, combined with another predicate.
#define HOW_LOP3_AND HD_BOOL_AND
#define HOW_LOP3_OR HD_BOOL_OR
#define HANDLER_LOP3P(id) \
    static void id##_B32(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            lane_B32 v[HD_LANES]; \
            uint32_t m = 0; \
            ROWS_DABC(B32, B32); \
            EACH_LANE { \
                v[l] = lop3(pa[l], pb[l], pc[l], in->mods & HD_MOD_ENUM); \
                m |= v[l] ? bit32[l] : 0; \
            } \
            m = combine(m, hd_lanes_pred(r, (uint32_t)HD_WARP_ROW(in->imm)), HOW_##id); \
            if (in->dst != HD_ROW_NONE) \
                store_B32(r, in->dst, v, mask); \
            if (HD_WARP_PRED(in->imm) != HD_PRED_TRUE) \
                set_pred(r, HD_WARP_PRED(in->imm), m, mask); \
        } \
    }

#define HANDLER_TESTP(id, T, test) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            uint32_t m = 0; \
            ROWS_DA(T, T); \
            EACH_LANE { \
                LANE_DA(T, T, SAME); \
                m |= (test) ? bit32[l] : 0; \
            } \
            set_pred(r, (uint32_t)in->dst, m, mask); \
        } \
    }

#define HANDLER_SELP(id, T, bit) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            const uint32_t q = hd_lanes_pred(r, (uint32_t)in->src[2]); \
            lane_##T v[HD_LANES]; \
            ROWS_DAB(T, T); \
            EACH_LANE { \
                LANE_DAB(T, T, SAME); \
                v[l] = q & bit[l] ? a : b; \
            } \
            store_##T(r, in->dst, v, mask); \
        } \
    }
#define BITS_B16 bit32
#define BITS_B32 bit32
#define BITS_B64 bit64

#define HANDLER_PRED(id, T, GET_B, body) \
    static void id##_##T(const struct hd_insn *in, const struct hd_lane_regs *first, uint32_t mask, \
                         unsigned warps) \
    { \
        EACH_WARP { \
            uint32_t a = hd_lanes_pred(r, (uint32_t)in->src[0]); \
            GET_B \
            set_pred(r, (uint32_t)in->dst, body, mask); \
        } \
    }

// Expand ops.def into handlers: arithmetic shapes share one form, predicates have their own.
#define MAKE_DA HANDLER
#define MAKE_DAB HANDLER
#define MAKE_DABC HANDLER
#define MAKE_DAN HANDLER
#define MAKE_DANM HANDLER
#define MAKE_DABNM HANDLER
#define MAKE_DABX HANDLER
#define MAKE_DAX HANDLER
#define MAKE_SLCT HANDLER
#define MAKE_LOP3 HANDLER
#define MAKE_VIDEO HANDLER
#define MAKE_LOP3P(id, T, D, shape, mods, body) HANDLER_LOP3P(id)
#define MAKE_SET(id, T, D, shape, mods, body) SETS_##mods(id, T, D)
#define MAKE_PA(id, T, D, shape, mods, body) HANDLER_TESTP(id, T, body)
#define MAKE_PAB(id, T, D, shape, mods, body) SETPS_##mods(id, T, mods)
#define MAKE_DABQ(id, T, D, shape, mods, body) HANDLER_SELP(id, T, BITS_##T)
#define MAKE_PQ(id, T, D, shape, mods, body) HANDLER_PRED(id, T, , body)
#define MAKE_PQQ(id, T, D, shape, mods, body) \
    HANDLER_PRED(id, T, uint32_t b = hd_lanes_pred(r, (uint32_t)in->src[1]);, body)

// Rows with the body OWN have no loop over the lanes.
#define OWN ~, 1
#define SECOND_(a, b, ...) b
#define SECOND(...) SECOND_(__VA_ARGS__)

// The part that a row belongs to: conversions by their modifiers, all others by their type.
#define PART_CVT  ~, CONVERSIONS
#define PART_PACK ~, CONVERSIONS
#define PART_TF   ~, CONVERSIONS
#define PART_TFA  ~, CONVERSIONS
#define PART_FP8  ~, CONVERSIONS
#define PART_U8 INTS
#define PART_S8 INTS
#define PART_U16 INTS
#define PART_S16 INTS
#define PART_U32 INTS
#define PART_S32 INTS
#define PART_U64 INTS
#define PART_S64 INTS
#define PART_B8 INTS
#define PART_B16 INTS
#define PART_B32 INTS
#define PART_B64 INTS
#define PART_PRED INTS
#define PART_F32 FLOATS
#define PART_F64 FLOATS
#define PART_F32X2 FLOATS
#define PART_F16 HALVES
#define PART_F16X2 HALVES
#define PART_BF16 HALVES
#define PART_BF16X2 HALVES
#define PART_E4M3X2 HALVES
#define PART_E5M2X2 HALVES
// 1 if this file makes the row, otherwise 0.
#define PART(T, mods) SECOND(PART_##mods, PART_##T, ~)
#define HAS_(part) SECOND(HD_LANES_HAS_##part, 0, ~)
#define HAS(part) HAS_(part)
#define CAT3_(a, b, c) a##b##c
#define CAT3(a, b, c) CAT3_(a, b, c)

#define MAKE_10(id, T, D, shape, mods, body) MAKE_##shape(id, T, D, shape, mods, body)
#define MAKE_11(id, T, D, shape, mods, body)
#define MAKE_00 MAKE_11
#define MAKE_01 MAKE_11
#define AT_10(id) id
#define AT_11(id) NULL
#define AT_00 AT_11
#define AT_01 AT_11
#define OWNS(...) SECOND(__VA_ARGS__, 0, ~)
#define HD_OP_ROW(id, name, T, D, shape, kind, unit, lat, mods, ...) \
    CAT3(MAKE_, HAS(PART(T, mods)), OWNS(__VA_ARGS__))(id, T, D, shape, mods, (__VA_ARGS__))
#include "isa/ops.def"

// The table; NULL where another part, or none, has the operation.
const hd_lane_fn CAT3(HD_LANES_PART, _, HD_LANES_SUFFIX)[HD_N_OPS] = {
#define HD_OP_ROW(id, name, T, D, shape, kind, unit, lat, mods, ...) \
    [HD_OP_##id##_##T] = CAT3(AT_, HAS(PART(T, mods)), OWNS(__VA_ARGS__))(id##_##T),
#include "isa/ops.def"
};
// clang-format on

#endif
