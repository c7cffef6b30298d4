// lane_round.h - add, sub, mul, fma, div, rcp and sqrt of one lane with every rounding of PTX.
//
// To nearest they are the host's own operations. Directed roundings are made from exact values, not
// by switching the host's rounding mode: f32 operations are exact in double precision, or their
// error is, and the result rounded to nearest is moved by one place where it lies on the wrong
// side. f64 operations are computed in 128-bit integers.
#ifndef HEDDLE_EMU_LANE_ROUND_H
#define HEDDLE_EMU_LANE_ROUND_H

#include "emu/lane_math.h"

// --- f32

// s + e rounded; |e| is at most half a unit in the last place of s.
static inline float directed_f32(double s, double e, unsigned mode)
{
    float r = (float)s;
    double d = (double)r;

    return step_f32(r, d > s || (d == s && e < 0), d < s || (d == s && e > 0), mode);
}

// Exact error of s = a + b; NaN where that is not finite.
static inline double sum_error(double a, double b, double s)
{
    double bb = s - a;
    return (a - (s - bb)) + (b - bb);
}

// p + c. Opposite numbers add up to -0 if rounded down, to +0 otherwise.
static inline float sum_f32(double p, double c, unsigned mode)
{
    double s = p + c;
    float r = directed_f32(s, sum_error(p, c, s), mode);
    bool minus = mode == HD_RM && s == 0 && (bits_f64(p) | bits_f64(c)) >> 63;

    return canon_f32(minus ? -0.0f : r);
}

static inline float add_f32(float a, float b, unsigned mode)
{
    return mode == HD_RN ? a + b : sum_f32((double)a, (double)b, mode);
}

static inline float sub_f32(float a, float b, unsigned mode)
{
    return mode == HD_RN ? a - b : sum_f32((double)a, -(double)b, mode);
}

static inline float mul_f32(float a, float b, unsigned mode)
{
    return mode == HD_RN ? a * b : directed_f32((double)a * (double)b, 0, mode);
}

static inline float fma_f32(float a, float b, float c, unsigned mode)
{
    return mode == HD_RN ? fmaf(a, b, c) : sum_f32((double)a * (double)b, (double)c, mode);
}

static inline float div_f32(float a, float b, unsigned mode)
{
    float r = a / b;
    double back = (double)r * (double)b, d = (double)a; // exact; NaN where the quotient is exact

    if (mode == HD_RN)
        return r;
    bool more = back > d, less = back < d, minus = b < 0;
    return step_f32(r, minus ? less : more, minus ? more : less, mode);
}

static inline float sqrt_f32(float a, unsigned mode)
{
    float r = sqrtf(a);
    double back = (double)r * (double)r;

    return mode == HD_RN ? r : step_f32(r, back > (double)a, back < (double)a, mode);
}

// --- f64

struct whole { // sig 2^exp, bit 52 of sig set
    uint64_t sig;
    int exp;
    bool neg;
};

static inline bool finite_f64(double x)
{
    return abs_f64(x) < (double)INFINITY;
}

static inline struct whole whole_of(double x) // finite, not 0
{
    uint64_t u = bits_f64(x), sig = u & low_bits(52);
    int exp = (int)(u >> 52 & 0x7ff);
    unsigned shift = exp ? 0 : clz_64(sig) - 11;

    sig = exp ? sig | UINT64_C(1) << 52 : sig << shift;
    return (struct whole){sig, exp ? exp - 1075 : -1074 - (int)shift, u >> 63};
}

static inline unsigned length_128(unsigned __int128 x)
{
    uint64_t high = (uint64_t)(x >> 64);
    return high ? 128 - clz_64(high) : 64 - clz_64((uint64_t)x);
}

// sig 2^exp towards zero, or away from it if anything is cut off and the mode says so. The lowest
// bit of sig may stand for everything below it.
static inline double round_f64(bool neg, int exp, unsigned __int128 sig, unsigned mode)
{
    bool away = mode == (neg ? HD_RM : HD_RP);
    int drop = (int)length_128(sig) - 53;
    uint64_t kept, bits;

    drop = drop < -1074 - exp ? -1074 - exp : drop;
    if (drop > 127)
        kept = away;
    else if (drop > 0)
        kept =
            (uint64_t)(sig >> drop) + (away && (sig & (((unsigned __int128)1 << drop) - 1)) != 0);
    else
        kept = (uint64_t)sig << -drop;
    if (kept >> 53) {
        kept >>= 1;
        drop++;
    }
    if (exp + drop + 1075 >= 2047)
        bits = away ? UINT64_C(0x7ff) << 52 : (UINT64_C(0x7ff) << 52) - 1;
    else if (kept >> 52)
        bits = kept + ((uint64_t)(exp + drop + 1074) << 52);
    else
        bits = kept;
    return f64_of(bits | (uint64_t)neg << 63);
}

// x >> n, with a 1 in the lowest bit for what is lost.
static inline unsigned __int128 shift_sticky(unsigned __int128 x, unsigned n)
{
    if (n > 127)
        return x != 0;
    return x >> n | ((x & (((unsigned __int128)1 << n) - 1)) != 0);
}

static inline double zero_sum(double p, double c, unsigned mode)
{
    bool minus =
        mode == HD_RM ? (bits_f64(p) | bits_f64(c)) >> 63 : (bits_f64(p) & bits_f64(c)) >> 63;
    return minus ? -0.0 : 0.0;
}

static inline double fma_directed(double a, double b, double c, unsigned mode)
{
    double p = a * b;

    if (!finite_f64(a) || !finite_f64(b) || !finite_f64(c))
        return canon_f64(fma(a, b, c));
    if (a == 0 || b == 0)
        return c == 0 ? zero_sum(p, c, mode) : c;
    struct whole x = whole_of(a), y = whole_of(b);
    unsigned __int128 big = (unsigned __int128)x.sig * y.sig, small;
    unsigned up = 126 - length_128(big);
    int big_exp = x.exp + y.exp - (int)up, small_exp;
    bool neg = x.neg != y.neg, other;
    big <<= up; // both operands have bit 125 as their highest
    if (c == 0)
        return round_f64(neg, big_exp, big, mode);
    struct whole z = whole_of(c);
    small = (unsigned __int128)z.sig << 73;
    small_exp = z.exp - 73;
    other = z.neg;
    if (small_exp > big_exp || (small_exp == big_exp && small > big)) {
        unsigned __int128 t = big;
        int e = big_exp;
        bool n = neg;
        big = small, big_exp = small_exp, neg = other;
        small = t, small_exp = e, other = n;
    }
    small = shift_sticky(small, (unsigned)(big_exp - small_exp));
    big = neg == other ? big + small : big - small;
    return big ? round_f64(neg, big_exp, big, mode) : zero_sum(1, -1, mode);
}

static inline double add_f64(double a, double b, unsigned mode)
{
    return mode == HD_RN ? a + b : fma_directed(a, 1, b, mode);
}

static inline double sub_f64(double a, double b, unsigned mode)
{
    return mode == HD_RN ? a - b : fma_directed(a, 1, -b, mode);
}

static inline double mul_f64(double a, double b, unsigned mode)
{
    if (mode == HD_RN)
        return a * b;
    uint64_t sign = (bits_f64(a) ^ bits_f64(b)) >> 63;
    return fma_directed(a, b, f64_of(sign << 63), mode);
}

static inline double fma_f64(double a, double b, double c, unsigned mode)
{
    return mode == HD_RN ? fma(a, b, c) : fma_directed(a, b, c, mode);
}

static inline double div_f64(double a, double b, unsigned mode)
{
    if (mode == HD_RN || !finite_f64(a) || !finite_f64(b) || a == 0 || b == 0)
        return a / b;
    struct whole x = whole_of(a), y = whole_of(b);
    unsigned __int128 n = (unsigned __int128)x.sig << 70, q = n / y.sig;
    return round_f64(x.neg != y.neg, x.exp - y.exp - 70, q | (q * y.sig != n), mode);
}

static inline double sqrt_f64(double a, unsigned mode)
{
    double r = sqrt(a);

    if (mode == HD_RN || !(a > 0) || !finite_f64(a))
        return r;
    struct whole x = whole_of(a), s = whole_of(r);
    unsigned __int128 square = (unsigned __int128)s.sig * s.sig;
    unsigned __int128 exact = (unsigned __int128)x.sig << (x.exp - 2 * s.exp);
    if (square > exact && mode != HD_RP)
        return f64_of(bits_f64(r) - 1);
    return f64_of(bits_f64(r) + (square < exact && mode == HD_RP));
}

#define ADD(a, b) _Generic((a), float : add_f32, double : add_f64)(a, b, mode)
#define SUB(a, b) _Generic((a), float : sub_f32, double : sub_f64)(a, b, mode)
#define MUL(a, b) _Generic((a), float : mul_f32, double : mul_f64)(a, b, mode)
#define FMA(a, b, c) _Generic((a), float : fma_f32, double : fma_f64)(a, b, c, mode)
#define QUOT(a, b) _Generic((a), float : div_f32, double : div_f64)(a, b, mode)
#define ONE(a) _Generic((a), float : 1.0f, double : 1.0)
#define SQRT(a) _Generic((a), float : sqrt_f32, double : sqrt_f64)(a, mode)

#endif
