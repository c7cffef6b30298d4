// lane_math.h - one lane's arithmetic where PTX differs from C's operators.
//
// Leaf functions for lane_loops.h and atomic.c. Where PTX leaves a result undefined, heddle defines
// it. What is marked (H) was seen on an H100 (docs/hardware.md):
//   x / 0 = all bits set (H); x % 0 = all bits set in 32 bits (H), x in other widths;
//   the most negative number / -1 = itself, remainder 0 (H);
//   a NaN of f32 arithmetic is 0x7fffffff, as PTX says; f64 arithmetic passes on the bits of the
//   first NaN among a, c, b, and makes 0xfff8000000000000 of other operands (H); conversions
//   between f64 and f32 or f16 keep the sign and the upper bits of a NaN (H). All else gives one of
//   these two NaNs: min and max of two NaNs, atomics, products of matrices, and conversions within
//   a type.
// No libm beyond fma, rint, trunc, floor and ceil, whose results IEEE 754 fixes.
#ifndef HEDDLE_EMU_LANE_MATH_H
#define HEDDLE_EMU_LANE_MATH_H

#include "isa/op.h"

#include <math.h>
#include <string.h>

static inline uint32_t bits_f32(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline float f32_of(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}

static inline uint64_t bits_f64(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}

static inline double f64_of(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}

#define NAN_F32 f32_of(UINT32_C(0x7fffffff))
#define NAN_F64 f64_of(UINT64_C(0xfff8000000000000))

static inline float canon_f32(float x)
{
    return x == x ? x : NAN_F32;
}

static inline double canon_f64(double x)
{
    return x == x ? x : NAN_F64;
}

static inline double quiet_f64(double nan)
{
    return f64_of(bits_f64(nan) | UINT64_C(1) << 51);
}

// The result r of one, two or three operands.
static inline double keep_nan_1(double r, double a)
{
    return r == r ? r : a != a ? quiet_f64(a) : NAN_F64;
}

static inline double keep_nan_2(double r, double a, double b)
{
    return r == r ? r : a != a ? quiet_f64(a) : keep_nan_1(r, b);
}

static inline double keep_nan_3(double r, double a, double b, double c)
{
    return r == r ? r : a != a ? quiet_f64(a) : keep_nan_2(r, c, b);
}

// Subnormals become zeros of the same sign.
static inline float flush_f32(float x)
{
    uint32_t u = bits_f32(x);
    return f32_of(u & UINT32_C(0x7f800000) ? u : u & UINT32_C(0x80000000));
}

static inline double flush_f64(double x)
{
    uint64_t u = bits_f64(x), sign = UINT64_C(1) << 63;
    return f64_of(u << 1 >> 53 ? u : u & sign);
}

// Clamp to [0, 1]; NaN gives +0, and so does -0.
static inline float sat_f32(float x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

static inline double sat_f64(double x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

static inline int32_t sat_s32(int64_t x)
{
    return (int32_t)(x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : x);
}

// min and max: a NaN loses against a number, -0 is less than +0, both NaN gives the NaN above.
static inline float min_f32(float a, float b)
{
    float same = f32_of(bits_f32(a) | bits_f32(b)); // equal: only the sign of zero can differ
    float r = a < b ? a : b < a ? b : same;
    r = a != a ? b : b != b ? a : r;
    return canon_f32(r);
}

static inline float max_f32(float a, float b)
{
    float same = f32_of(bits_f32(a) & bits_f32(b));
    float r = a > b ? a : b > a ? b : same;
    r = a != a ? b : b != b ? a : r;
    return canon_f32(r);
}

static inline double min_f64(double a, double b)
{
    double same = f64_of(bits_f64(a) | bits_f64(b));
    double r = a < b ? a : b < a ? b : same;
    r = a != a ? b : b != b ? a : r;
    return canon_f64(r);
}

static inline double max_f64(double a, double b)
{
    double same = f64_of(bits_f64(a) & bits_f64(b));
    double r = a > b ? a : b > a ? b : same;
    r = a != a ? b : b != b ? a : r;
    return canon_f64(r);
}

static inline float abs_f32(float a)
{
    return f32_of(bits_f32(a) & UINT32_C(0x7fffffff));
}

// A NaN keeps its sign, as on an H100.
static inline double abs_f64(double a)
{
    return a == a ? f64_of(bits_f64(a) & ~(UINT64_C(1) << 63)) : quiet_f64(a);
}

static inline float neg_f32(float a)
{
    return canon_f32(-a);
}

// What the H100 does with a NaN here was not looked at.
static inline double neg_f64(double a)
{
    return -a;
}

#define FMIN(a, b) _Generic((a), float : min_f32, double : min_f64)(a, b)
#define FMAX(a, b) _Generic((a), float : max_f32, double : max_f64)(a, b)
#define FNEG(a) _Generic((a), float : neg_f32, double : neg_f64)(a)
#define FABS(a) _Generic((a), float : abs_f32, double : abs_f64)(a)

// Integer functions, by type.
#define INT_FUNCTIONS(T, S, U, name)                                                               \
    static inline T div_##name(T a, T b)                                                           \
    {                                                                                              \
        if (b == 0)                                                                                \
            return (T)-1;                                                                          \
        if (S && b == (T)-1)                                                                       \
            return (T)(0 - (U)a);                                                                  \
        return (T)(a / b);                                                                         \
    }                                                                                              \
    static inline T rem_##name(T a, T b)                                                           \
    {                                                                                              \
        if (b == 0)                                                                                \
            return sizeof(T) == 4 ? (T)-1 : a;                                                     \
        if (S && b == (T)-1)                                                                       \
            return 0;                                                                              \
        return (T)(a % b);                                                                         \
    }                                                                                              \
    static inline T shr_##name(T a, uint32_t n)                                                    \
    {                                                                                              \
        const uint32_t last = 8 * sizeof(T) - 1;                                                   \
        return (T)(n <= last ? a >> n : S ? a >> last : 0);                                        \
    }
INT_FUNCTIONS(uint16_t, 0, uint16_t, u16)
INT_FUNCTIONS(int16_t, 1, uint16_t, s16)
INT_FUNCTIONS(uint32_t, 0, uint32_t, u32)
INT_FUNCTIONS(int32_t, 1, uint32_t, s32)
INT_FUNCTIONS(uint64_t, 0, uint64_t, u64)
INT_FUNCTIONS(int64_t, 1, uint64_t, s64)
#undef INT_FUNCTIONS

#define BY_INT(name, a)                                                                            \
    _Generic((a), uint16_t                                                                         \
             : name##_u16, int16_t                                                                 \
             : name##_s16, uint32_t                                                                \
             : name##_u32, int32_t                                                                 \
             : name##_s32, uint64_t                                                                \
             : name##_u64, int64_t                                                                 \
             : name##_s64)
#define DIV(a, b) BY_INT(div, a)(a, b)
#define REM(a, b) BY_INT(rem, a)(a, b)
#define SHR(a, n) BY_INT(shr, a)(a, n)
#define MULHI(a, b) BY_INT(mulhi, a)(a, b)
#define WIDE(a)                                                                                    \
    _Generic((a), uint16_t                                                                         \
             : (uint32_t)(a), int16_t                                                              \
             : (int32_t)(a), uint32_t                                                              \
             : (uint64_t)(a), int32_t                                                              \
             : (int64_t)(a))

static inline uint16_t mulhi_u16(uint16_t a, uint16_t b)
{
    return (uint16_t)((uint32_t)a * b >> 16);
}

static inline int16_t mulhi_s16(int16_t a, int16_t b)
{
    return (int16_t)(a * b >> 16);
}

static inline uint32_t mulhi_u32(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

static inline int32_t mulhi_s32(int32_t a, int32_t b)
{
    return (int32_t)((int64_t)a * b >> 32);
}

static inline uint64_t mulhi_u64(uint64_t a, uint64_t b)
{
    return (uint64_t)((unsigned __int128)a * b >> 64);
}

static inline int64_t mulhi_s64(int64_t a, int64_t b)
{
    return (int64_t)((__int128)a * b >> 64);
}

// Shift amounts of the width or more shift everything out.
static inline uint64_t shl_64(uint64_t a, uint32_t n)
{
    return n > 63 ? 0 : a << n;
}

static inline uint32_t shl_32(uint32_t a, uint32_t n)
{
    return n > 31 ? 0 : a << n;
}

#define SHL(a, n) _Generic((a), uint64_t : shl_64, uint32_t : shl_32, uint16_t : shl_32)(a, n)
#define CLAMP32(n) ((n) > 32 ? 32 : (n))
#define SHFL(a, b, n) ((((uint64_t)(b) << 32 | (a)) << (n)) >> 32)
#define SHFR(a, b, n) (((uint64_t)(b) << 32 | (a)) >> (n))

static inline uint32_t clz_32(uint32_t a)
{
    return a ? (uint32_t)__builtin_clz(a) : 32;
}

static inline uint32_t clz_64(uint64_t a)
{
    return a ? (uint32_t)__builtin_clzll(a) : 64;
}

// Sums of neighbouring groups of bits: unlike the builtin it vectorises on every host.
static inline uint32_t popc_32(uint32_t a)
{
    a -= a >> 1 & 0x55555555;
    a = (a & 0x33333333) + (a >> 2 & 0x33333333);
    return ((a + (a >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}

static inline uint32_t popc_64(uint64_t a)
{
    return popc_32((uint32_t)a) + popc_32((uint32_t)(a >> 32));
}

static inline uint32_t brev_32(uint32_t a)
{
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    a = (a >> 8 & 0x00ff00ff) | (a & 0x00ff00ff) << 8;
    return a >> 16 | a << 16;
}

static inline uint64_t brev_64(uint64_t a)
{
    return (uint64_t)brev_32((uint32_t)a) << 32 | brev_32((uint32_t)(a >> 32));
}

#define CLZ(a) _Generic((a), uint32_t : clz_32, uint64_t : clz_64)(a)
#define POPC(a) _Generic((a), uint32_t : popc_32, uint64_t : popc_64)(a)
#define BREV(a) _Generic((a), uint32_t : brev_32, uint64_t : brev_64)(a)

static inline uint64_t low_bits(uint32_t n)
{
    return n > 63 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

// Bits [pos, pos+len) of a; bits past the top are zeros or copies of the field's highest bit that
// exists. Position and length count modulo 256.
static inline uint64_t extract(uint64_t a, uint32_t pos, uint32_t len, uint32_t width, bool sign)
{
    pos &= 0xff;
    len &= 0xff;
    uint64_t field = pos < width ? a >> pos : 0;
    uint32_t top = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
    uint64_t have = low_bits(len < width - pos && pos < width ? len
                             : pos < width                    ? width - pos
                                                              : 0);
    bool fill = sign && len && (a >> top & 1);
    return (field & have) | (fill ? ~have : 0);
}

// The same for 32 bits, as host instructions do it for several lanes at once.
static inline uint32_t bfe_u32(uint32_t a, uint32_t pos, uint32_t len)
{
    pos &= 0xff;
    len &= 0xff;
    const uint32_t field = pos > 31 ? 0 : a >> pos, have = len > 31 ? UINT32_MAX : (1u << len) - 1;
    return field & have;
}

static inline int32_t bfe_s32(int32_t a, uint32_t pos, uint32_t len)
{
    pos &= 0xff;
    len &= 0xff;
    const uint32_t over = pos + len < 32 ? 32 - pos - len : 0; // bits above the field
    const uint32_t down = over + pos < 31 ? over + pos : 31;
    return len ? (int32_t)((uint32_t)a << (over & 31)) >> down : 0;
}

static inline uint64_t bfe_u64(uint64_t a, uint32_t pos, uint32_t len)
{
    return extract(a, pos, len, 64, false);
}

static inline int64_t bfe_s64(int64_t a, uint32_t pos, uint32_t len)
{
    return (int64_t)extract((uint64_t)a, pos, len, 64, true);
}

#define BFE(a, pos, len)                                                                           \
    _Generic((a), uint32_t                                                                         \
             : bfe_u32, int32_t                                                                    \
             : bfe_s32, uint64_t                                                                   \
             : bfe_u64, int64_t                                                                    \
             : bfe_s64)(a, pos, len)

// b with the low len bits of a at pos.
static inline uint64_t insert(uint64_t a, uint64_t b, uint32_t pos, uint32_t len)
{
    uint64_t field = shl_64(low_bits(len & 0xff), pos & 0xff);
    return (b & ~field) | (shl_64(a, pos & 0xff) & field);
}
#define BFI(a, b, pos, len) insert(a, b, pos, len)

// Byte permutation. Every mode but INDEX is INDEX with a selector looked up by the low bits of c.
static inline uint32_t prmt(uint32_t a, uint32_t b, uint32_t c, unsigned mode)
{
    static const uint16_t selector[HD_N_PRMTS][4] = {
        [HD_PRMT_F4E] = {0x3210, 0x4321, 0x5432, 0x6543},
        [HD_PRMT_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
        [HD_PRMT_RC8] = {0x0000, 0x1111, 0x2222, 0x3333},
        [HD_PRMT_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
        [HD_PRMT_ECR] = {0x0000, 0x1110, 0x2210, 0x3210},
        [HD_PRMT_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
    };
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t sel = mode == HD_PRMT_INDEX ? c : selector[mode][c & 3], d = 0;

    for (int i = 0; i < 4; i++, sel >>= 4) {
        uint32_t byte = (uint32_t)(bytes >> (sel & 7) * 8) & 0xff;
        if (sel & 8)
            byte = byte & 0x80 ? 0xff : 0;
        d |= byte << 8 * i;
    }
    return d;
}

// Conversions with directed rounding. The hot forms (rn) are C casts in lane_loops.h.

// The neighbour of r in the direction that makes the rounding of exact value x right. r is x
// rounded to nearest; `above` and `below` say how they compare.
static inline float step_f32(float r, bool above, bool below, unsigned mode)
{
    bool down = above && (mode == HD_RM || (mode == HD_RZ && r > 0));
    bool up = below && (mode == HD_RP || (mode == HD_RZ && r < 0));

    if (!down && !up)
        return r;
    if (r == 0)
        return f32_of(down ? UINT32_C(0x80000001) : 1);
    return f32_of(bits_f32(r) + ((r > 0) == up ? 1 : UINT32_MAX));
}

static inline float narrow_f64(double x, unsigned mode)
{
    float r = (float)x;
    uint64_t u = bits_f64(x);

    if (x != x)
        return f32_of((uint32_t)(u >> 63 << 31) | 0x7fc00000 | (uint32_t)(u >> 29 & 0x3fffff));
    return step_f32(r, (double)r > x, (double)r < x, mode);
}

static inline double widen_f32(float x)
{
    uint64_t u = bits_f32(x), nan = u >> 31 << 63 | UINT64_C(0x7ff8) << 48 | (u & 0x3fffff) << 29;

    return x == x ? (double)x : f64_of(nan);
}

// |x| = m, sign as given; keeps `digits` binary digits.
static inline double float_of_int(bool neg, uint64_t m, unsigned digits, unsigned mode)
{
    uint32_t length = 64 - clz_64(m), drop = length > digits ? length - digits : 0;
    uint64_t kept = m >> drop << drop;
    bool away = mode == (neg ? HD_RM : HD_RP);

    if (kept != m && away)
        kept += UINT64_C(1) << drop; // may wrap to 0: the value is then 2^64
    double d = kept || !m ? (double)kept : 18446744073709551616.0;
    return neg ? -d : d;
}

// To an integral value.
#define INTEGRAL(T, x, mode)                                                                       \
    ((mode) == HD_RZI   ? trunc##T(x)                                                              \
     : (mode) == HD_RMI ? floor##T(x)                                                              \
     : (mode) == HD_RPI ? ceil##T(x)                                                               \
                        : rint##T(x))

static inline float integral_f32(float x, unsigned mode)
{
    return INTEGRAL(f, x, mode);
}

static inline double integral_f64(double x, unsigned mode)
{
    return INTEGRAL(, x, mode);
}

#endif
