// lane_bits.h - integer and bit operations of one lane beyond C's operators: carry chains, 24-bit
// multiplies, dot products, bit searches and three-input logic.
#ifndef HEDDLE_EMU_LANE_BITS_H
#define HEDDLE_EMU_LANE_BITS_H

#include "emu/lane_math.h"
#include "isa/mbarrier.h"

// a + b + in with the carry that leaves the top bit.
static inline uint32_t sum_32(uint32_t a, uint32_t b, uint32_t in, uint32_t *out)
{
    uint64_t s = (uint64_t)a + b + in;
    *out = (uint32_t)(s >> 32);
    return (uint32_t)s;
}

static inline uint64_t sum_64(uint64_t a, uint64_t b, uint32_t in, uint32_t *out)
{
    uint64_t s = a + b, t = s + in;
    *out = (s < a) | (t < s);
    return t;
}

// The condition code after a difference is the carry of a + ~b + in, which is set if nothing was
// borrowed. Chains of differences do not notice that, but compilers read it with addc.
static inline uint32_t less_32(uint32_t a, uint32_t b, uint32_t in, uint32_t *out)
{
    return sum_32(a, ~b, in, out);
}

static inline uint64_t less_64(uint64_t a, uint64_t b, uint32_t in, uint32_t *out)
{
    return sum_64(a, ~b, in, out);
}

// Whether the generic address is in the window of this space. What is in no window is global.
static inline bool in_space(uint64_t a, unsigned space)
{
    uint64_t window = a >> HD_WINDOW_SHIFT;

    if (space == HD_SPACE_GLOBAL)
        return window - 1 >= HD_WINDOW_CODE >> HD_WINDOW_SHIFT;
    return window == hd_window(space) >> HD_WINDOW_SHIFT;
}
#define IN_SPACE(a, space) in_space(a, space)

#define BY_WIDTH(name, a)                                                                          \
    _Generic((a), uint32_t                                                                         \
             : name##_32, int32_t                                                                  \
             : name##_32, uint64_t                                                                 \
             : name##_64, int64_t                                                                  \
             : name##_64)
#define SUM(a, b) BY_WIDTH(sum, a)((UNSIGNED(a)), (UNSIGNED(b)), in_carry, &out_carry)
#define LESS(a, b) BY_WIDTH(less, a)((UNSIGNED(a)), (UNSIGNED(b)), in_carry, &out_carry)
#define LESS_FIRST(a, b) BY_WIDTH(less, a)((UNSIGNED(a)), (UNSIGNED(b)), in_carry | 1, &out_carry)
#define UNSIGNED(a)                                                                                \
    _Generic((a), uint32_t                                                                         \
             : (uint32_t)(a), int32_t                                                              \
             : (uint32_t)(a), uint64_t                                                             \
             : (uint64_t)(a), int64_t                                                              \
             : (uint64_t)(a))

// The low 24 bits of a, extended as its type says, and the 48-bit product of two such numbers.
static inline int64_t low24_u32(uint32_t a)
{
    return a & 0xffffff;
}

static inline int64_t low24_s32(int32_t a)
{
    return (int32_t)((uint32_t)a << 8) >> 8;
}

#define MUL24(a, b)                                                                                \
    (_Generic((a), uint32_t                                                                        \
              : low24_u32, int32_t                                                                 \
              : low24_s32)(a) *                                                                    \
     _Generic((b), uint32_t                                                                        \
              : low24_u32, int32_t                                                                 \
              : low24_s32)(b))

#define DISTANCE(a, b) ((a) < (b) ? (b) - (a) : (a) - (b))

// Position of the highest 1 (of a negative number: 0), all bits set if there is none.
static inline uint32_t bfind_u32(uint32_t a)
{
    return 31 - clz_32(a);
}

static inline uint32_t bfind_s32(int32_t a)
{
    return bfind_u32(a < 0 ? ~(uint32_t)a : (uint32_t)a);
}

static inline uint32_t bfind_u64(uint64_t a)
{
    return 63 - clz_64(a);
}

static inline uint32_t bfind_s64(int64_t a)
{
    return bfind_u64(a < 0 ? ~(uint64_t)a : (uint64_t)a);
}

#define BFIND(a)                                                                                   \
    _Generic((a), uint32_t                                                                         \
             : bfind_u32, int32_t                                                                  \
             : bfind_s32, uint64_t                                                                 \
             : bfind_u64, int64_t                                                                  \
             : bfind_s64)(a)
// How far to shift left to bring that bit to the top.
// Both halves of a word.
static inline uint32_t halves_add(uint32_t a, uint32_t b)
{
    return ((a + b) & 0xffff) | ((a & 0xffff0000) + (b & 0xffff0000));
}

static inline uint32_t half_choose(uint32_t a, uint32_t b, bool sign, bool greater, bool relu)
{
    int32_t x = sign ? (int16_t)a : (int32_t)(a & 0xffff);
    int32_t y = sign ? (int16_t)b : (int32_t)(b & 0xffff);
    int32_t z = (x > y) == greater ? x : y;
    return (uint32_t)(relu && z < 0 ? 0 : z) & 0xffff;
}

static inline uint32_t halves_choose(uint32_t a, uint32_t b, bool sign, bool greater, bool relu)
{
    return half_choose(a, b, sign, greater, relu) |
           half_choose(a >> 16, b >> 16, sign, greater, relu) << 16;
}

#define MBAR_PENDING(a) hd_mbarrier_of(a).pending
#define BSHIFT(a) bshift(BFIND(a), 8 * sizeof(a) - 1)
static inline uint32_t bshift(uint32_t at, size_t top)
{
    return at == UINT32_MAX ? at : (uint32_t)top - at;
}

// Ones from bit a on, b of them.
static inline uint32_t bmsk(uint32_t a, uint32_t b)
{
    return (uint32_t)shl_64(low_bits(b), a);
}

// The low n bits with their sign; clamp keeps all of them for n over 31.
static inline uint32_t szext_u32(uint32_t a, uint32_t n)
{
    return n > 31 ? a : a & ((1u << n) - 1);
}

static inline int32_t szext_s32(int32_t a, uint32_t n)
{
    uint32_t up = n > 31 ? 0 : 31 & (32 - n);
    return n == 0 ? 0 : (int32_t)((uint32_t)a << up) >> up;
}

#define SZEXT(a, n) _Generic((a), uint32_t : szext_u32, int32_t : szext_s32)(a, n)

// Bit k of lut is the result where the bits of a, b, c form the number k.
static inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t lut)
{
    uint32_t r = 0;

    for (uint32_t k = 0; k < 8; k++)
        r |= (0 - (lut >> k & 1)) & (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return r;
}

// Position of the n-th 1 at or above (n > 0) or at or below (n < 0) bit `base`; n = 0 asks about
// that bit itself.
static inline uint32_t fns(uint32_t mask, uint32_t base, int32_t n)
{
    int step = n < 0 ? -1 : 1;
    int64_t left = n < 0 ? -(int64_t)n : n;

    base &= 31;
    if (n == 0)
        return mask >> base & 1 ? base : UINT32_MAX;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if (mask >> i & 1 && --left == 0)
            return (uint32_t)i;
    return UINT32_MAX;
}

// Field i, `bits` wide, of x.
static inline int32_t field(uint32_t x, int i, int bits, bool sign)
{
    uint32_t up = x << (32 - bits * (i + 1));
    return sign ? (int32_t)up >> (32 - bits) : (int32_t)(up >> (32 - bits));
}

// cvt.pack: the low field is made of b, the next of a, both as near as it can hold; what was in c
// moves up.
static inline uint32_t pack_field(uint32_t x, uint32_t bits, bool sign)
{
    int32_t most = (int32_t)low_bits(sign ? bits - 1 : bits), least = sign ? -most - 1 : 0;
    int32_t v = (int32_t)x;

    v = v < least ? least : v > most ? most : v;
    return (uint32_t)v & (uint32_t)low_bits(bits);
}

static inline uint32_t pack_halves(uint32_t a, uint32_t b, bool sign)
{
    return pack_field(a, 16, sign) << 16 | pack_field(b, 16, sign);
}

static inline uint32_t pack_more(uint32_t a, uint32_t b, uint32_t c, uint32_t bits, bool sign)
{
    return c << 2 * bits | pack_field(a, bits, sign) << bits | pack_field(b, bits, sign);
}

// Dot products: four bytes of each; two halves of a with bytes b[at], b[at + 1].
static inline uint32_t dp4a(uint32_t a, uint32_t b, uint32_t c, bool sa, bool sb)
{
    for (int i = 0; i < 4; i++)
        c += (uint32_t)(field(a, i, 8, sa) * field(b, i, 8, sb));
    return c;
}

static inline uint32_t dp2a(uint32_t a, uint32_t b, uint32_t c, int at, bool sa, bool sb)
{
    for (int i = 0; i < 2; i++)
        c += (uint32_t)(field(a, i, 16, sa) * field(b, at + i, 8, sb));
    return c;
}

static inline float copysign_f32(float a, float b)
{
    return f32_of((bits_f32(a) & UINT32_C(0x80000000)) | (bits_f32(b) & UINT32_C(0x7fffffff)));
}

static inline double copysign_f64(double a, double b)
{
    const uint64_t top = UINT64_C(1) << 63;
    return f64_of((bits_f64(a) & top) | (bits_f64(b) & ~top));
}

#define COPYSIGN(a, b) _Generic((a), float : copysign_f32, double : copysign_f64)(a, b)

// testp; zeros count as normal, as the manual says. abs_f64 would keep the sign of a NaN.
#define MAGNITUDE(a)                                                                               \
    _Generic((a), float : bits_f32(abs_f32((float)(a))), double : bits_f64((double)(a)) << 1 >> 1)
#define TOP_EXPONENT(a) _Generic((a), float : UINT32_C(0x7f800000), double : UINT64_C(0x7ff) << 52)
#define UNIT_BIT(a) _Generic((a), float : UINT32_C(1) << 23, double : UINT64_C(1) << 52)
#define IS_FINITE(a) (MAGNITUDE(a) < TOP_EXPONENT(a))
#define IS_NORMAL(a) (IS_FINITE(a) && !IS_SUBNORMAL(a))
#define IS_SUBNORMAL(a) (MAGNITUDE(a) < UNIT_BIT(a) && MAGNITUDE(a) != 0)

#endif
