// numbers.h - what the bits of a register stand for, computed the slow way: integers in 128 bits,
// floating-point formats from exact values in quadruple precision.
#ifndef HEDDLE_TESTS_NUMBERS_H
#define HEDDLE_TESTS_NUMBERS_H

#include "isa/op.h"

#include <math.h>
#include <string.h>

typedef __int128 wide;
typedef unsigned __int128 uwide;
typedef __float128 quad; // holds every value of every type exactly

static inline bool is_signed(unsigned t)
{
    return t == HD_S8 || t == HD_S16 || t == HD_S32 || t == HD_S64;
}

static inline bool is_float(unsigned t)
{
    return t == HD_F16 || t == HD_BF16 || t == HD_F32 || t == HD_F64;
}

// Of a pair of floats, the type of one; of anything else, none.
static inline unsigned half_of(unsigned t)
{
    return t == HD_F16X2    ? HD_F16
           : t == HD_BF16X2 ? HD_BF16
           : t == HD_F32X2  ? HD_F32
                            : HD_TYPE_NONE;
}

static inline unsigned width_of(unsigned t)
{
    return 8 * hd_type_bytes((enum hd_type)t);
}

static inline wide power(unsigned n)
{
    return (wide)1 << n;
}

// The integer a register of this type holds, and the register that holds the low bits of one.
static inline wide integer(unsigned t, uint64_t bits)
{
    unsigned width = width_of(t);
    wide v = (wide)bits & (power(width) - 1);
    return is_signed(t) && v >> (width - 1) ? v - power(width) : v;
}

static inline uint64_t pattern(unsigned t, wide v)
{
    uint64_t bits = (uint64_t)integer(t, (uint64_t)v);
    return width_of(t) == 64 ? bits : bits & UINT32_MAX;
}

struct format { // of binary floating point: digits of the significand, exponent of the unit 2^-k
    int digits, least, width;
};

static inline struct format format_of(unsigned t)
{
    return t == HD_F16    ? (struct format){11, -24, 16}
           : t == HD_BF16 ? (struct format){8, -133, 16}
           : t == HD_TF32 ? (struct format){11, -136, 19}
           : t == HD_F32  ? (struct format){24, -149, 32}
                          : (struct format){53, -1074, 64};
}

static inline uint64_t infinity_of(struct format f)
{
    return ((UINT64_C(1) << (f.width - f.digits)) - 1) << (f.digits - 1);
}

static inline uint64_t nan_of(unsigned t)
{
    return t == HD_F16 || t == HD_BF16   ? 0x7fff
           : t == HD_F32 || t == HD_TF32 ? 0x7fffffff
                                         : UINT64_C(0xfff8) << 48;
}

// 2^by, and the other way: the exponent of the highest digit.
static inline quad two_to(int by)
{
    uwide u = (uwide)(unsigned)(16383 + by) << 112;
    quad x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline int exponent_of(quad x) // 0 < x
{
    uwide u;
    memcpy(&u, &x, sizeof u);
    return (int)(u >> 112) - 16383;
}

static inline bool minus_of(unsigned t, uint64_t bits)
{
    return bits >> (width_of(t) - 1) & 1;
}

static inline uint64_t magnitude(unsigned t, uint64_t bits)
{
    return bits & (UINT64_MAX >> (65 - width_of(t)));
}

static inline bool is_nan(unsigned t, uint64_t bits)
{
    return magnitude(t, bits) > infinity_of(format_of(t));
}

static inline quad number(unsigned t, uint64_t bits)
{
    struct format f = format_of(t);
    uint64_t m = magnitude(t, bits), sig = m & ((UINT64_C(1) << (f.digits - 1)) - 1);
    int exp = (int)(m >> (f.digits - 1));
    quad v;

    if (m >= infinity_of(f))
        v = m > infinity_of(f) ? (quad)NAN : (quad)INFINITY;
    else
        v = (quad)(exp ? sig | UINT64_C(1) << (f.digits - 1) : sig) *
            two_to(f.least + (exp ? exp - 1 : 0));
    return minus_of(t, bits) ? -v : v;
}

// n + rest, 0 <= rest < 1, to an integer.
static inline wide rounded(wide n, quad rest, bool minus, unsigned mode)
{
    bool up = false;

    switch (mode & 3) {
    case HD_RN:
        up = rest > 0.5Q || (rest == 0.5Q && (n & 1));
        break;
    case HD_RM:
        up = minus && rest > 0;
        break;
    case HD_RP:
        up = !minus && rest > 0;
        break;
    }
    return n + up;
}

// An exact value in a format. `minus`: the sign of a zero.
static inline uint64_t encode(unsigned t, quad x, bool minus, unsigned mode)
{
    struct format f = format_of(t);
    uint64_t sign = (uint64_t)minus << (f.width - 1);
    quad a = x < 0 ? -x : x;
    int unit = f.least;

    if (x != x)
        return nan_of(t);
    if (a > (quad)0x1p1023 * 2)
        return sign | infinity_of(f);
    if (a >= two_to(unit + f.digits))
        unit = exponent_of(a) + 1 - f.digits;
    quad n = a * two_to(-unit);
    wide kept = rounded((wide)n, n - (quad)(wide)n, minus, mode);
    uwide bits = ((uwide)(unit - f.least) << (f.digits - 1)) + (uwide)kept;
    if (bits >= infinity_of(f)) {
        bool away = mode == HD_RN || mode == (minus ? HD_RM : HD_RP);
        bits = infinity_of(f) - !away;
    }
    return sign | (uint64_t)bits;
}

static inline uint64_t flush(unsigned t, uint64_t bits)
{
    bool tiny = magnitude(t, bits) < UINT64_C(1) << (format_of(t).digits - 1);
    return tiny ? (uint64_t)minus_of(t, bits) << (width_of(t) - 1) : bits;
}

static inline uint64_t saturate(unsigned t, uint64_t bits)
{
    uint64_t one = encode(t, 1, false, HD_RN);
    return is_nan(t, bits) || minus_of(t, bits) ? 0 : bits > one ? one : bits;
}

#endif
