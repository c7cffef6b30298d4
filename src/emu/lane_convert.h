// lane_convert.h - the lane loops of conversions between types: cvt and its pairs. See
// lane_loops.h.
//
// One loop for each pair of classes of types: LOOPS_CVT finds it by both. What is out of range, and
// how halves are rounded once, is decided here; single lanes are converted in lane_math.h.
#ifndef HEDDLE_EMU_LANE_CONVERT_H
#define HEDDLE_EMU_LANE_CONVERT_H

#include "emu/lane_fp8.h"
#include "emu/lane_rows.h"

// clang-format off
// The rounding of an instruction, an enum hd_round.
#define ROUNDING ((modifiers & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT)

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
// clang-format on

#endif
