// lane_loops.h - the lane loops: one handler per operation with a body in ops.def, made by macros.
//
// Every handler has the same three steps: find the source rows, compute 32 values into a local
// array, copy those of the mask to the destination row. The array is necessary because a
// destination pair may share rows with a source of another width that is used for the last time;
// the compiler keeps it in vector registers.
//
// lane_rows.h has the rows and lanes that all loops use; lane_convert.h has the loops of
// conversions, lane_compare.h those that make or read predicates.
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

#include "emu/lane_compare.h"
#include "emu/lane_convert.h"
#include "emu/lane_video.h"

#ifndef HD_LANES_SUFFIX
#define HD_LANES_SUFFIX baseline
#endif
#ifndef HD_LANES_PART
#define HD_LANES_PART hd_lanes_nothing
#endif

// clang-format off
// The loops of a handler by the MODS column; modifiers are tested once per instruction.
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
