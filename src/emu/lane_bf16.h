// lane_bf16.h - bf16, bf16x2 and tf32 of one lane, on bit patterns.
//
// bf16 is the upper half of an f32, so widening is exact. Sums of two are computed in f32: its 24
// digits are more than twice bf16's 8 plus two, and a sum of subnormals is exact, so rounding twice
// does what rounding once would. Products and fma are computed in f64 and rounded to odd before
// the one rounding that counts, as in lane_half.h. A NaN that arithmetic produces is 0x7fff.
#ifndef HEDDLE_EMU_LANE_BF16_H
#define HEDDLE_EMU_LANE_BF16_H

#include "emu/lane_half.h"

static inline float f32_of_bf16(uint16_t h)
{
    return f32_of((uint32_t)h << 16);
}

// To nearest, ties to even.
static inline uint16_t bf16_of(float x)
{
    uint32_t u = bits_f32(x), h = (u + 0x7fff + (u >> 16 & 1)) >> 16;

    return (uint16_t)((u & 0x7fffffff) > 0x7f800000 ? 0x7fff : h);
}

static inline uint16_t bf16_of_f64(double x, unsigned mode)
{
    float f = x == x ? odd_f32(x) : NAN_F32;
    uint32_t u = bits_f32(f), cut = u & 0xffff;
    uint16_t h = (uint16_t)(u >> 16);
    bool minus = h >> 15, away = mode == HD_RP ? !minus : mode == HD_RM && minus;

    if (mode == HD_RN || f != f)
        return bf16_of(f);
    return (uint16_t)(h + (away && cut)); // the next number, up to infinity
}

// The integer with a last bit that says whether anything below it was cut off; exact in f64.
static inline double odd_of_u64(uint64_t a)
{
    return a >> 53 ? (double)(a >> 11 | ((a & 2047) != 0)) * 2048.0 : (double)a;
}

static inline double odd_of_s64(int64_t a)
{
    return a < 0 ? -odd_of_u64(0 - (uint64_t)a) : odd_of_u64((uint64_t)a);
}

static inline uint16_t flush_bf16(uint16_t h)
{
    return h & 0x7f80 ? h : h & 0x8000;
}

static inline uint16_t sat_bf16(uint16_t h)
{
    return h > 0x7f80 ? 0 : h > 0x3f80 ? 0x3f80 : h; // negative or NaN; above 1
}

static inline uint16_t add_bf16(uint16_t a, uint16_t b)
{
    return bf16_of(f32_of_bf16(a) + f32_of_bf16(b));
}

static inline uint16_t sub_bf16(uint16_t a, uint16_t b)
{
    return bf16_of(f32_of_bf16(a) - f32_of_bf16(b));
}

static inline uint16_t mul_bf16(uint16_t a, uint16_t b)
{
    return bf16_of_f64((double)f32_of_bf16(a) * (double)f32_of_bf16(b), HD_RN);
}

static inline uint16_t fma_bf16(uint16_t a, uint16_t b, uint16_t c)
{
    double p = (double)f32_of_bf16(a) * (double)f32_of_bf16(b), d = (double)f32_of_bf16(c);
    double s = p + d, e = sum_error(p, d, s);

    return bf16_of_f64(e == e ? odd_f64(s, e) : s, HD_RN);
}

static inline uint16_t min_bf16(uint16_t a, uint16_t b)
{
    return bf16_of(min_f32(f32_of_bf16(a), f32_of_bf16(b)));
}

static inline uint16_t max_bf16(uint16_t a, uint16_t b)
{
    return bf16_of(max_f32(f32_of_bf16(a), f32_of_bf16(b)));
}

static inline uint16_t neg_bf16(uint16_t a)
{
    return a ^ 0x8000;
}

static inline uint16_t abs_bf16(uint16_t a)
{
    return a & 0x7fff;
}

// bf16 has only ex2.approx.ftz.
static inline uint16_t ex2_bf16(uint16_t a)
{
    return flush_bf16(bf16_of(ex2_f32(f32_of_bf16(flush_bf16(a)))));
}

static inline uint16_t tanh_bf16(uint16_t a)
{
    return bf16_of(tanh_f32(f32_of_bf16(a)));
}

#define PAIR_1(name)                                                                               \
    static inline uint32_t name##_bf16x2(uint32_t a)                                               \
    {                                                                                              \
        return name##_bf16(LOW(a)) | (uint32_t)name##_bf16(HIGH(a)) << 16;                         \
    }
#define PAIR_2(name)                                                                               \
    static inline uint32_t name##_bf16x2(uint32_t a, uint32_t b)                                   \
    {                                                                                              \
        return name##_bf16(LOW(a), LOW(b)) | (uint32_t)name##_bf16(HIGH(a), HIGH(b)) << 16;        \
    }
PAIR_1(neg)
PAIR_1(abs)
PAIR_1(ex2)
PAIR_1(tanh)
PAIR_2(add)
PAIR_2(sub)
PAIR_2(mul)
PAIR_2(min)
PAIR_2(max)

static inline uint32_t fma_bf16x2(uint32_t a, uint32_t b, uint32_t c)
{
    return fma_bf16(LOW(a), LOW(b), LOW(c)) | (uint32_t)fma_bf16(HIGH(a), HIGH(b), HIGH(c)) << 16;
}

#define BF(name, a) _Generic((a), uint16_t : name##_bf16, uint32_t : name##_bf16x2)

// --- what f16 and bf16 have in common; `top` is infinity

// Negative numbers and -0 become 0.
static inline uint16_t relu_16(uint16_t h, uint16_t top)
{
    return h & 0x8000 && (h & 0x7fff) <= top ? 0 : h;
}

static inline uint16_t finite_16(uint16_t h, uint16_t top)
{
    return (h & 0x7fff) == top ? h - 1 : h;
}

static inline uint16_t end_16(uint16_t h, unsigned mods, uint16_t top)
{
    h = mods & HD_MOD_RELU ? relu_16(h, top) : h;
    return mods & HD_MOD_FINITE ? finite_16(h, top) : h;
}

static inline uint32_t end_16x2(uint32_t x, unsigned mods, uint16_t top)
{
    return end_16(LOW(x), mods, top) | (uint32_t)end_16(HIGH(x), mods, top) << 16;
}

// min and max with .NaN or .xorsign.abs: r was chosen among x and y, or their absolute values.
static inline uint16_t strict_16(uint16_t r, uint16_t x, uint16_t y, unsigned mods, uint16_t top)
{
    bool nan = (x & 0x7fff) > top || (y & 0x7fff) > top;

    if ((mods & HD_MOD_NAN && nan) || (r & 0x7fff) > top)
        return 0x7fff;
    return mods & HD_MOD_XORSIGN ? (uint16_t)((r & 0x7fff) | ((x ^ y) & 0x8000)) : r;
}

static inline uint32_t strict_16x2(uint32_t r, uint32_t x, uint32_t y, unsigned mods, uint16_t top)
{
    return strict_16(LOW(r), LOW(x), LOW(y), mods, top) |
           (uint32_t)strict_16(HIGH(r), HIGH(x), HIGH(y), mods, top) << 16;
}

static inline float strict_f32(float r, float x, float y, unsigned mods)
{
    uint32_t sign = (bits_f32(x) ^ bits_f32(y)) & 0x80000000;

    if ((mods & HD_MOD_NAN && __builtin_isunordered(x, y)) || r != r)
        return NAN_F32;
    return mods & HD_MOD_XORSIGN ? f32_of((bits_f32(r) & 0x7fffffff) | sign) : r;
}

// --- tf32: an f32 whose last 13 bits are 0

static inline uint32_t tf32_of(float x, unsigned mode)
{
    uint32_t u = bits_f32(x), nearest = u + 0xfff + (u >> 13 & 1);

    return x != x ? 0x7fffffff : (mode == HD_RZ ? u : nearest) & ~UINT32_C(0x1fff);
}

static inline uint32_t tf32_away(float x) // to nearest, ties away from 0
{
    return x != x ? 0x7fffffff : (bits_f32(x) + 0x1000) & ~UINT32_C(0x1fff);
}

static inline uint32_t end_tf32(uint32_t u, unsigned mods)
{
    bool minus = u >> 31;

    u = mods & HD_MOD_RELU && minus ? 0 : u;
    return mods & HD_MOD_FINITE && (u & 0x7fffffff) == 0x7f800000 ? u - 0x2000 : u;
}

#endif
