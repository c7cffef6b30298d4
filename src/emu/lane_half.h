// lane_half.h - f16 and f16x2 arithmetic of one lane, on bit patterns.
//
// add, sub and mul are computed in f32 and fma in f64 with its error folded into the lowest bit
// (rounding to odd), so that the one rounding to f16 at the end gives what an exact computation
// rounded once would. A NaN that arithmetic produces is 0x7fff.
#ifndef HEDDLE_EMU_LANE_HALF_H
#define HEDDLE_EMU_LANE_HALF_H

#include "emu/lane_approx.h"
#include "emu/lane_round.h"

static inline float f32_of_f16(uint16_t h)
{
    uint32_t u = (h & 0x7fffu) << 13;

    u = (h & 0x7c00) == 0x7c00 ? u | 0x7f800000 : bits_f32(f32_of(u) * 0x1p112f);
    return f32_of(u | (h & 0x8000u) << 16);
}

// To nearest, ties to even.
static inline uint16_t f16_of(float x)
{
    uint32_t u = bits_f32(x), sign = u >> 16 & 0x8000, a = u & 0x7fffffff;
    uint32_t normal = (a + 0xfff + (a >> 13 & 1) - (112u << 23)) >> 13;
    uint32_t tiny = bits_f32(f32_of(a) + 0.5f) - bits_f32(0.5f);
    uint32_t h = a < 0x38800000 ? tiny : a >= 0x47800000 ? 0x7c00 : normal;

    return (uint16_t)(a > 0x7f800000 ? 0x7fff : h | sign);
}

// x (not NaN) as an f32 whose last bit is 1 if anything was cut off.
static inline float odd_f32(double x)
{
    float r = (float)x;
    bool even = !(bits_f32(r) & 1), above = (double)r > x, below = (double)r < x;

    return even ? step_f32(r, above, below, above ? HD_RM : HD_RP) : r;
}

static inline double odd_f64(double s, double e)
{
    uint64_t u = bits_f64(s);
    bool inward = (e < 0) == (s > 0);

    return (u & 1) || !(e < 0 || e > 0) ? s : f64_of(inward ? u - 1 : u + 1);
}

static inline uint16_t f16_of_f64(double x, unsigned mode)
{
    float f = x == x ? odd_f32(x) : NAN_F32, back;
    uint16_t h = f16_of(f);

    if (mode == HD_RN || f != f)
        return h;
    back = f32_of_f16(h);
    bool minus = h >> 15, above = back > f, below = back < f;
    bool down = above && (mode == HD_RM || (mode == HD_RZ && !minus));
    bool up = below && (mode == HD_RP || (mode == HD_RZ && minus));
    if (!up && !down)
        return h;
    if (!(h & 0x7fff))
        return up ? 0x0001 : 0x8001;
    return (uint16_t)(up == minus ? h - 1 : h + 1);
}

// cvt.f16.f64: a NaN keeps its sign and its upper bits.
static inline uint16_t f16_converted(double x, unsigned mode)
{
    uint64_t u = bits_f64(x);

    return x == x ? f16_of_f64(x, mode) : (uint16_t)(u >> 63 << 15 | 0x7e00 | (u >> 42 & 0x1ff));
}

static inline uint16_t flush_f16(uint16_t h)
{
    return h & 0x7c00 ? h : h & 0x8000;
}

static inline uint16_t sat_f16(uint16_t h)
{
    return h > 0x7c00 ? 0 : h > 0x3c00 ? 0x3c00 : h; // negative or NaN; above 1
}

static inline uint16_t add_f16(uint16_t a, uint16_t b)
{
    return f16_of(f32_of_f16(a) + f32_of_f16(b));
}

static inline uint16_t sub_f16(uint16_t a, uint16_t b)
{
    return f16_of(f32_of_f16(a) - f32_of_f16(b));
}

static inline uint16_t mul_f16(uint16_t a, uint16_t b)
{
    return f16_of(f32_of_f16(a) * f32_of_f16(b));
}

static inline uint16_t fma_f16(uint16_t a, uint16_t b, uint16_t c)
{
    double p = (double)f32_of_f16(a) * (double)f32_of_f16(b), d = (double)f32_of_f16(c), s = p + d;

    return f16_of(s == s ? odd_f32(odd_f64(s, sum_error(p, d, s))) : NAN_F32);
}

static inline uint16_t min_f16(uint16_t a, uint16_t b)
{
    return f16_of(min_f32(f32_of_f16(a), f32_of_f16(b)));
}

static inline uint16_t max_f16(uint16_t a, uint16_t b)
{
    return f16_of(max_f32(f32_of_f16(a), f32_of_f16(b)));
}

static inline uint16_t neg_f16(uint16_t a)
{
    return a ^ 0x8000;
}

static inline uint16_t abs_f16(uint16_t a)
{
    return a & 0x7fff;
}

static inline uint16_t ex2_f16(uint16_t a)
{
    return f16_of(ex2_f32(f32_of_f16(a)));
}

static inline uint16_t tanh_f16(uint16_t a)
{
    return f16_of(tanh_f32(f32_of_f16(a)));
}

// Both halves of an f16x2.
#define LOW(x) ((uint16_t)(x))
#define HIGH(x) ((uint16_t)((x) >> 16))
#define BOTH_1(name)                                                                               \
    static inline uint32_t name##_f16x2(uint32_t a)                                                \
    {                                                                                              \
        return name##_f16(LOW(a)) | (uint32_t)name##_f16(HIGH(a)) << 16;                           \
    }
#define BOTH_2(name)                                                                               \
    static inline uint32_t name##_f16x2(uint32_t a, uint32_t b)                                    \
    {                                                                                              \
        return name##_f16(LOW(a), LOW(b)) | (uint32_t)name##_f16(HIGH(a), HIGH(b)) << 16;          \
    }
BOTH_1(flush)
BOTH_1(sat)
BOTH_1(neg)
BOTH_1(abs)
BOTH_1(ex2)
BOTH_1(tanh)
BOTH_2(add)
BOTH_2(sub)
BOTH_2(mul)
BOTH_2(min)
BOTH_2(max)

static inline uint32_t fma_f16x2(uint32_t a, uint32_t b, uint32_t c)
{
    return fma_f16(LOW(a), LOW(b), LOW(c)) | (uint32_t)fma_f16(HIGH(a), HIGH(b), HIGH(c)) << 16;
}

#define HALF(name, a) _Generic((a), uint16_t : name##_f16, uint32_t : name##_f16x2)

#endif
