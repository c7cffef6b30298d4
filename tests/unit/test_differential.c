// test_differential.c - random straight-line PTX, executed by the emulator and by a slow reference
// that shares no code with it: integers in 128 bits, floats by the host in the rounding mode of the
// instruction, halves from exact values. Arguments: programs to run, first seed; with a folder as
// the third one the programs are written there, as files that hardware/values runs on a GPU.
#include "base/arena.h"
#include "emu/emu.h"
#include "ptx/ptx.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define THREADS 32
#define REGS 6 // of each kind: %r (32 bits), %d (64), %h (16), %p
#define LENGTH 60

static uint64_t seed = 1;
static unsigned programs = 250;
static const char *folder; // programs go there instead of the emulator

static uint64_t rnd(void) // SplitMix64
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// --- the reference: bits in, bits out

typedef uint64_t (*reference)(uint64_t a, uint64_t b, uint64_t c);
typedef __int128 wide;
#define U32(x) ((wide)(uint32_t)(x))
#define S32(x) ((wide)(int32_t)(uint32_t)(x))
#define U64(x) ((wide)(x))
#define S64(x) ((wide)(int64_t)(x))
#define U16(x) ((wide)(uint16_t)(x))
#define S16(x) ((wide)(int16_t)(uint16_t)(x))

static float f32(uint64_t u)
{
    uint32_t w = (uint32_t)u;
    float f;
    memcpy(&f, &w, 4);
    return f;
}

static uint64_t bits32(float f)
{
    uint32_t u;
    memcpy(&u, &f, 4);
    return isnan(f) ? 0x7fffffff : u;
}

static double f64(uint64_t u)
{
    double f;
    memcpy(&f, &u, 8);
    return f;
}

static uint64_t bits64(double f)
{
    uint64_t u;
    memcpy(&u, &f, 8);
    return isnan(f) ? UINT64_C(0xfff8000000000000) : u;
}

static bool is_nan64(uint64_t u)
{
    return u << 1 > UINT64_C(0xffe) << 52;
}

// Doubles pass on the first NaN of these operands, as an H100 was seen to do.
static uint64_t passed_on(uint64_t a, uint64_t b, uint64_t c, uint64_t result)
{
    uint64_t nan = is_nan64(a) ? a : is_nan64(c) ? c : b;

    return is_nan64(result) && is_nan64(nan) ? nan | UINT64_C(1) << 51 : result;
}

// Conversions of a NaN keep its sign and its upper bits.
static uint64_t narrow(double f)
{
    uint64_t u;
    memcpy(&u, &f, 8);
    return isnan(f) ? (u >> 63) << 31 | 0x7fc00000 | (u >> 29 & 0x3fffff) : bits32((float)f);
}

static uint64_t widened(uint64_t a)
{
    uint64_t sign = (a >> 31 & 1) << 63;

    return isnan(f32(a)) ? sign | UINT64_C(0x7ff8) << 48 | (a & 0x3fffff) << 29
                         : bits64((double)f32(a));
}

static double f16(uint64_t u)
{
    int e = (int)(u >> 10 & 31), m = (int)(u & 0x3ff);
    double v = e == 31 ? (m ? (double)NAN : (double)INFINITY)
               : e     ? ldexp(1024 + m, e - 25)
                       : ldexp(m, -24);
    return u & 0x8000 ? -v : v;
}

// An exact value to nearest even.
static uint64_t bits16(__float128 x)
{
    uint64_t sign = signbit((double)x) ? 0x8000 : 0;
    __float128 a = x < 0 ? -x : x, unit;
    int e = -24;

    if (x != x)
        return 0x7fff;
    if (a >= 65520)
        return sign | 0x7c00;
    while (a >= (__float128)ldexp(2048, e))
        e++;
    unit = (__float128)ldexp(1, e);
    int64_t n = (int64_t)(a / unit);
    __float128 rest = a / unit - (__float128)n;
    n += rest > 0.5 || (rest == 0.5 && (n & 1));
    return sign | (n >= 1024 || e > -24 ? (uint64_t)(((e + 24) << 10) + n) : (uint64_t)n);
}

#define REF(name, expression)                                                                      \
    static uint64_t name(uint64_t a, uint64_t b, uint64_t c)                                       \
    {                                                                                              \
        (void)a, (void)b, (void)c;                                                                 \
        return (uint64_t)(expression);                                                             \
    }
#define PASS_bits32(result) result
#define PASS_narrow(result) result
#define PASS_bits64(result) passed_on(ua, ub, uc, result)
// A float operation in a rounding mode of the host.
#define FLOAT(name, T, from, to, mode, expression)                                                 \
    static uint64_t name(uint64_t ua, uint64_t ub, uint64_t uc)                                    \
    {                                                                                              \
        volatile T a = from(ua), b = from(ub), c = from(uc), r;                                    \
        (void)b, (void)c;                                                                          \
        fesetround(mode);                                                                          \
        r = (expression);                                                                          \
        fesetround(FE_TONEAREST);                                                                  \
        return PASS_##to(to(r));                                                                   \
    }
#define FLOATS(name, expression32, expression64)                                                   \
    FLOAT(name##_rn_f32, float, f32, bits32, FE_TONEAREST, expression32)                           \
    FLOAT(name##_rz_f32, float, f32, bits32, FE_TOWARDZERO, expression32)                          \
    FLOAT(name##_rm_f32, float, f32, bits32, FE_DOWNWARD, expression32)                            \
    FLOAT(name##_rp_f32, float, f32, bits32, FE_UPWARD, expression32)                              \
    FLOAT(name##_rn_f64, double, f64, bits64, FE_TONEAREST, expression64)                          \
    FLOAT(name##_rz_f64, double, f64, bits64, FE_TOWARDZERO, expression64)                         \
    FLOAT(name##_rm_f64, double, f64, bits64, FE_DOWNWARD, expression64)                           \
    FLOAT(name##_rp_f64, double, f64, bits64, FE_UPWARD, expression64)
FLOATS(add, a + b, a + b)
FLOATS(sub, a - b, a - b)
FLOATS(mul, a *b, a *b)
FLOATS(div, a / b, a / b)
FLOATS(fma, fmaf(a, b, c), fma(a, b, c))
FLOATS(rcp, 1.0f / a, 1.0 / a)
FLOATS(sqrt, sqrtf(a), sqrt(a))

// Both ways a zero may be signed go to the side PTX names.
static double least(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static double most(double a, double b)
{
    return isnan(a) ? b : isnan(b) ? a : a > b || (a == b && !signbit(a)) ? a : b;
}

static wide clamp(wide x, wide low, wide high)
{
    return x < low ? low : x > high ? high : x;
}

static uint64_t bit_loop(uint64_t a, uint64_t b, uint64_t c, unsigned lut)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (uint64_t)(lut >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
    return r;
}

static uint64_t highest(uint64_t a, int width)
{
    for (int i = width - 1; i >= 0; i--)
        if (a >> i & 1)
            return (uint64_t)i;
    return UINT32_MAX;
}

static uint64_t count(uint64_t a, int width)
{
    uint64_t n = 0;
    for (int i = 0; i < width; i++)
        n += a >> i & 1;
    return n;
}

static uint64_t reverse(uint64_t a, int width)
{
    uint64_t r = 0;
    for (int i = 0; i < width; i++)
        r |= (a >> i & 1) << (width - 1 - i);
    return r;
}

static uint64_t dot(uint64_t a, uint64_t b, uint64_t c)
{
    for (int i = 0; i < 4; i++)
        c += (uint64_t)((int8_t)(a >> 8 * i) * (int)(uint8_t)(b >> 8 * i));
    return c;
}

static uint64_t permute(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t both = (b << 32) | (a & UINT32_MAX), r = 0;
    for (int i = 0; i < 4; i++) {
        unsigned s = c >> 4 * i & 15;
        uint64_t byte = both >> 8 * (s & 7) & 0xff;
        r |= (s & 8 ? (byte & 0x80 ? UINT64_C(0xff) : 0) : byte) << 8 * i;
    }
    return r;
}

static uint64_t field(uint64_t a, uint64_t b, uint64_t c)
{
    unsigned at = b & 0xff, n = c & 0xff;
    uint64_t r = 0;
    for (unsigned i = 0; i < n && i < 32; i++)
        r |= (at + i < 32 ? a >> (at + i) & 1 : 0) << i;
    return r;
}

REF(add_u32, U32(a) + U32(b))
REF(add_sat, clamp(S32(a) + S32(b), INT32_MIN, INT32_MAX))
REF(sub_sat, clamp(S32(a) - S32(b), INT32_MIN, INT32_MAX))
REF(sub_u64, U64(a) - U64(b))
REF(mul_lo32, U32(a) * U32(b))
REF(mul_hi_u32, U32(a) * U32(b) >> 32)
REF(mul_hi_s32, S32(a) * S32(b) >> 32)
REF(mul_hi_u64, (unsigned __int128)a *b >> 64)
REF(mul_hi_s64, S64(a) * S64(b) >> 64)
REF(mul_wide_s32, S32(a) * S32(b))
REF(mul_wide_u32, U32(a) * U32(b))
REF(mul_wide_s16, S16(a) * S16(b))
REF(mad_lo_s64, S64(a) * S64(b) + S64(c))
REF(mad_wide_u32, U32(a) * U32(b) + U64(c))
REF(mad_hi_s32, (S32(a) * S32(b) >> 32) + S32(c))
REF(min_s32, S32(a) < S32(b) ? a : b)
REF(max_u64, U64(a) > U64(b) ? a : b)
REF(min_s64, S64(a) < S64(b) ? a : b)
REF(div_s32, S32(a) / (S32(b) ? S32(b) : -1) * (S32(b) != 0) - (S32(b) == 0))
REF(rem_u32, S32(b) == 0 ? UINT32_MAX : U32(a) % U32(b))
REF(div_u64, b ? a / b : UINT64_MAX)
REF(sad_s32, (S32(a) > S32(b) ? S32(a) - S32(b) : S32(b) - S32(a)) + S32(c))
REF(shl_32, U32(b) > 31 ? 0 : U32(a) << (uint32_t)b)
REF(shr_s64, S64(a) >> (U32(b) > 63 ? 63 : (uint32_t)b))
REF(shr_u32, U32(b) > 31 ? 0 : U32(a) >> (uint32_t)b)
REF(shf_l, (U32(b) << 32 | U32(a)) << (c & 31) >> 32)
REF(shf_r_clamp, (U32(b) << 32 | U32(a)) >> (U32(c) > 32 ? 32 : (uint32_t)c))
REF(and_64, a &b)
REF(xor_32, a ^ b)
REF(not_32, ~a)
REF(cnot_64, a == 0)
REF(lop3_e8, bit_loop(a, b, c, 0xe8))
REF(lop3_1a, bit_loop(a, b, c, 0x1a))
REF(popc_64, count(a, 64))
REF(clz_32, 31 - (int)highest(a & UINT32_MAX, 32))
REF(brev_64, reverse(a, 64))
REF(bfind_u64, highest(a, 64))
REF(bfind_s32, highest(S32(a) < 0 ? ~a & UINT32_MAX : a & UINT32_MAX, 32))
REF(abs_s32, S32(a) < 0 ? -S32(a) : S32(a))
REF(neg_s64, -S64(a))
REF(cvt_sat_u8, clamp(S32(a), 0, 255))
REF(cvt_s64_s32, S32(a))
REF(cvt_s32_s16, S16(a))
REF(min_f32, bits32((float)least((double)f32(a), (double)f32(b))))
REF(max_f64, bits64(most(f64(a), f64(b))))
REF(abs_f64, is_nan64(a) ? a | UINT64_C(1) << 51 : a & (UINT64_MAX >> 1))
REF(neg_f32, isnan(f32(a)) ? 0x7fffffff : a ^ 0x80000000)
REF(copysign_f64, (a & UINT64_C(1) << 63) | (b & (UINT64_MAX >> 1)))
REF(cvt_f64_f32, widened(a))
REF(cvt_s32_f32,
    isnan(f32(a))
        ? 0
        : clamp((wide)clamp((wide)(fabs((double)f32(a)) > 1e18 ? copysign(1e18, (double)f32(a))
                                                               : trunc((double)f32(a))),
                            INT64_MIN, INT64_MAX),
                INT32_MIN, INT32_MAX))
REF(cvt_f16_f32, bits16((__float128)f32(a)))
REF(cvt_f16_f64,
    is_nan64(a) ? (a >> 63) << 15 | 0x7e00 | (a >> 42 & 0x1ff) : bits16((__float128)f64(a)))
REF(cvt_f32_f16, bits32((float)f16(a)))
REF(add_f16, bits16((__float128)f16(a) + (__float128)f16(b)))
REF(mul_f16, bits16((__float128)f16(a) * (__float128)f16(b)))
REF(fma_f16, bits16((__float128)f16(a) * (__float128)f16(b) + (__float128)f16(c)))
REF(add_f16x2, bits16((__float128)f16(a & 0xffff) + (__float128)f16(b & 0xffff)) |
                   bits16((__float128)f16(a >> 16 & 0xffff) + (__float128)f16(b >> 16 & 0xffff))
                       << 16)
FLOAT(cvt_rz_f32_f64, double, f64, narrow, FE_TOWARDZERO, (double)(float)a)
FLOAT(cvt_rp_f32_f64, double, f64, narrow, FE_UPWARD, (double)(float)a)
REF(cvt_rn_f32_u64, bits32((float)a))
REF(cvt_rn_f64_s64, bits64((double)(int64_t)a))
REF(lt_s32, S32(a) < S32(b))
REF(ls_u64, a <= b)
REF(geu_f32, !(f32(a) < f32(b)))
REF(num_f64, !isnan(f64(a)) && !isnan(f64(b)))
REF(eq_f16, !isnan(f16(a)) && !isnan(f16(b)) && f16(a) == f16(b))
REF(selp, c ? a : b)
REF(slct_f32, f32(c) >= 0 ? a : b)
REF(set_gt, S32(a) > S32(b) ? UINT32_MAX : 0)
REF(both, a &b)
REF(carry_high, U64(c) + ((U64(a) + U64(b)) >> 64))
// clang-format off

static const struct op {
    const char *text, *kinds; // destination and sources: r 32 bits, d 64, h 16, p predicate
    reference run;
} ops[] = {
    {"add.u32", "rrr", add_u32}, {"add.sat.s32", "rrr", add_sat}, {"sub.sat.s32", "rrr", sub_sat},
    {"sub.u64", "ddd", sub_u64}, {"mul.lo.s32", "rrr", mul_lo32}, {"mul.hi.u32", "rrr", mul_hi_u32},
    {"mul.hi.s32", "rrr", mul_hi_s32}, {"mul.hi.u64", "ddd", mul_hi_u64},
    {"mul.hi.s64", "ddd", mul_hi_s64}, {"mul.wide.s32", "drr", mul_wide_s32},
    {"mul.wide.u32", "drr", mul_wide_u32}, {"mul.wide.s16", "rhh", mul_wide_s16},
    {"mad.lo.s64", "dddd", mad_lo_s64}, {"mad.wide.u32", "drrd", mad_wide_u32},
    {"mad.hi.s32", "rrrr", mad_hi_s32}, {"min.s32", "rrr", min_s32}, {"max.u64", "ddd", max_u64},
    {"min.s64", "ddd", min_s64}, {"div.s32", "rrr", div_s32}, {"rem.u32", "rrr", rem_u32},
    {"div.u64", "ddd", div_u64}, {"sad.s32", "rrrr", sad_s32}, {"shl.b32", "rrr", shl_32},
    {"shr.s64", "ddr", shr_s64}, {"shr.u32", "rrr", shr_u32}, {"shf.l.wrap.b32", "rrrr", shf_l},
    {"shf.r.clamp.b32", "rrrr", shf_r_clamp}, {"and.b64", "ddd", and_64}, {"xor.b32", "rrr", xor_32},
    {"not.b32", "rr", not_32}, {"cnot.b64", "dd", cnot_64}, {"lop3.b32 232", "rrrr", lop3_e8},
    {"lop3.b32 26", "rrrr", lop3_1a}, {"popc.b64", "rd", popc_64}, {"clz.b32", "rr", clz_32},
    {"brev.b64", "dd", brev_64}, {"bfind.u64", "rd", bfind_u64}, {"bfind.s32", "rr", bfind_s32},
    {"abs.s32", "rr", abs_s32}, {"neg.s64", "dd", neg_s64}, {"cvt.sat.u8.s32", "rr", cvt_sat_u8},
    {"cvt.s64.s32", "dr", cvt_s64_s32}, {"cvt.s32.s16", "rh", cvt_s32_s16},
    {"bfe.u32", "rrrr", field}, {"prmt.b32", "rrrr", permute}, {"dp4a.s32.u32", "rrrr", dot},
#define ALL(op, n32, n64) \
    {#op ".rn.f32", n32, op##_rn_f32}, {#op ".rz.f32", n32, op##_rz_f32}, \
    {#op ".rm.f32", n32, op##_rm_f32}, {#op ".rp.f32", n32, op##_rp_f32}, \
    {#op ".rn.f64", n64, op##_rn_f64}, {#op ".rz.f64", n64, op##_rz_f64}, \
    {#op ".rm.f64", n64, op##_rm_f64}, {#op ".rp.f64", n64, op##_rp_f64}
    ALL(add, "rrr", "ddd"), ALL(sub, "rrr", "ddd"), ALL(mul, "rrr", "ddd"), ALL(div, "rrr", "ddd"),
    ALL(fma, "rrrr", "dddd"), ALL(rcp, "rr", "dd"), ALL(sqrt, "rr", "dd"),
    {"min.f32", "rrr", min_f32}, {"max.f64", "ddd", max_f64}, {"abs.f64", "dd", abs_f64},
    {"neg.f32", "rr", neg_f32}, {"copysign.f64", "ddd", copysign_f64},
    {"cvt.f64.f32", "dr", cvt_f64_f32}, {"cvt.rzi.s32.f32", "rr", cvt_s32_f32},
    {"cvt.rn.f16.f32", "hr", cvt_f16_f32}, {"cvt.rn.f16.f64", "hd", cvt_f16_f64},
    {"cvt.f32.f16", "rh", cvt_f32_f16}, {"add.f16", "hhh", add_f16}, {"mul.f16", "hhh", mul_f16},
    {"fma.rn.f16", "hhhh", fma_f16}, {"add.f16x2", "rrr", add_f16x2},
    {"cvt.rz.f32.f64", "rd", cvt_rz_f32_f64}, {"cvt.rp.f32.f64", "rd", cvt_rp_f32_f64},
    {"cvt.rn.f32.u64", "rd", cvt_rn_f32_u64}, {"cvt.rn.f64.s64", "dd", cvt_rn_f64_s64},
    {"setp.lt.s32", "prr", lt_s32}, {"setp.ls.u64", "pdd", ls_u64}, {"setp.geu.f32", "prr", geu_f32},
    {"setp.num.f64", "pdd", num_f64}, {"setp.eq.f16", "phh", eq_f16}, {"selp.b32", "rrrp", selp},
    {"selp.b64", "dddp", selp}, {"slct.b32.f32", "rrrr", slct_f32}, {"set.gt.u32.s32", "rrr", set_gt},
    {"and.pred", "ppp", both}, {"add.cc.u64 addc.u64", "dddd", carry_high},
};
// clang-format on

// --- programs

struct state { // of one thread
    uint64_t r[REGS], d[REGS], h[REGS], p[REGS];
};

static uint64_t *cell(struct state *s, char kind, unsigned i)
{
    return kind == 'r' ? &s->r[i] : kind == 'd' ? &s->d[i] : kind == 'h' ? &s->h[i] : &s->p[i];
}

static uint64_t cut(char kind, uint64_t v)
{
    return kind == 'r' ? v & UINT32_MAX : kind == 'h' ? v & UINT16_MAX : kind == 'p' ? v & 1 : v;
}

// Numbers of all sizes, and what floats are made of.
static uint64_t number(void)
{
    static const uint64_t corners[] = {0,
                                       1,
                                       0x7fffffff,
                                       0x80000000,
                                       0xffffffff,
                                       0x3f800000,
                                       0x7f800000,
                                       0x7fc00000,
                                       0x00800000,
                                       0x3ff0000000000000,
                                       0x7ff0000000000000,
                                       0x8000000000000000,
                                       0x0010000000000000,
                                       0x3c007bff,
                                       0xffffffffffffffff};
    uint64_t v = rnd();
    switch (rnd() % 6) {
    case 0:
        return corners[v % (sizeof corners / sizeof *corners)];
    case 1:
        return v & 0x3f;
    case 2: // floats near 1 in all widths
        return (v & UINT64_C(0x800fffffffffffff)) | (UINT64_C(1020) + v % 7) << 52;
    case 3:
        return (v & UINT64_C(0x807fffff807fffff)) | (UINT64_C(124) + (v >> 40) % 6) << 23;
    case 4:
        return (v & UINT64_C(0x83ff83ff83ff83ff)) | 0x38003c0040003400;
    default:
        return v;
    }
}

struct text {
    char buf[16384];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    t->n += (size_t)vsnprintf(t->buf + t->n, sizeof t->buf - t->n, fmt, ap);
    va_end(ap);
    assert_true(t->n < sizeof t->buf);
}

static void put_instruction(struct text *t, const struct op *o, const unsigned *regs)
{
    const char *space = strchr(o->text, ' ');

    if (o->run == carry_high) {
        put(t, "add.cc.u64 %%x, %%d%u, %%d%u;\naddc.u64 %%d%u, %%d%u, 0;\n", regs[1], regs[2],
            regs[0], regs[3]);
        return;
    }
    put(t, "%.*s", space ? (int)(space - o->text) : (int)strlen(o->text), o->text);
    for (unsigned i = 0; o->kinds[i]; i++)
        put(t, "%s%%%c%u", i ? ", " : " ", o->kinds[i], regs[i]);
    put(t, "%s%s;\n", space ? "," : "", space ? space : "");
}

static void put_start(struct text *t)
{
    t->n = 0;
    put(t,
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry test(.param .u64 in, "
        ".param .u64 out)\n{\n"
        ".reg .b32 %%r<%d>, %%t;\n.reg .b64 %%d<%d>, %%s, %%o, %%x;\n.reg .b16 %%h<%d>;\n"
        ".reg .pred %%p<%d>;\nld.param.u64 %%s, [in];\nld.param.u64 %%o, [out];\n"
        "mov.u32 %%t, %%tid.x;\nmad.wide.u32 %%s, %%t, %zu, %%s;\n"
        "mad.wide.u32 %%o, %%t, %zu, %%o;\n",
        REGS, REGS, REGS, REGS, sizeof(struct state), sizeof(struct state));
    for (unsigned i = 0; i < REGS; i++) {
        put(t, "ld.global.b32 %%r%u, [%%s+%u];\nld.global.b64 %%d%u, [%%s+%u];\n", i, 8 * i, i,
            8 * (REGS + i));
        put(t, "ld.global.b16 %%h%u, [%%s+%u];\nld.global.b32 %%t, [%%s+%u];\n", i,
            8 * (2 * REGS + i), 8 * (3 * REGS + i));
        put(t, "setp.ne.b32 %%p%u, %%t, 0;\n", i);
    }
}

static void put_end(struct text *t)
{
    for (unsigned i = 0; i < REGS; i++) {
        put(t, "cvt.u64.u32 %%x, %%r%u;\nst.global.b64 [%%o+%u], %%x;\n", i, 8 * i);
        put(t, "st.global.b64 [%%o+%u], %%d%u;\n", 8 * (REGS + i), i);
        put(t, "cvt.u64.u16 %%x, %%h%u;\nst.global.b64 [%%o+%u], %%x;\n", i, 8 * (2 * REGS + i));
        put(t, "selp.b64 %%x, 1, 0, %%p%u;\nst.global.b64 [%%o+%u], %%x;\n", i, 8 * (3 * REGS + i));
    }
    put(t, "ret;\n}\n");
}

// One more instruction, in the text and in the reference.
static void step(struct text *t, struct state *states)
{
    const struct op *o = &ops[rnd() % (sizeof ops / sizeof *ops)];
    unsigned regs[4] = {0};

    for (unsigned i = 0; o->kinds[i]; i++)
        regs[i] = (unsigned)(rnd() % REGS);
    put_instruction(t, o, regs);
    for (unsigned l = 0; l < THREADS; l++) {
        uint64_t x[4] = {0};
        for (unsigned i = 1; o->kinds[i]; i++)
            x[i] = *cell(&states[l], o->kinds[i], regs[i]);
        *cell(&states[l], o->kinds[0], regs[0]) = cut(o->kinds[0], o->run(x[1], x[2], x[3]));
    }
}

// Fresh numbers, or everything ends as NaN.
static void refresh(struct text *t, struct state *states)
{
    unsigned r = (unsigned)(rnd() % REGS);
    uint64_t v = number();

    put(t, "mov.b64 %%d%u, 0x%llx;\ncvt.u32.u64 %%r%u, %%d%u;\n", r, (unsigned long long)v, r, r);
    put(t, "cvt.u16.u64 %%h%u, %%d%u;\n", r, r);
    for (unsigned l = 0; l < THREADS; l++) {
        states[l].d[r] = v;
        states[l].r[r] = cut('r', v);
        states[l].h[r] = cut('h', v);
    }
}

// Execute the text on these states.
static void emulate(const struct text *t, struct state *states)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_memory *memory = hd_memory_new(a);
    struct hd_emu *emu =
        hd_emu_new(a, &(struct hd_emu_config){.sms = 1, .warps = 8, .tbs = 1}, memory);
    uint64_t params[2] = {hd_memory_alloc(memory, THREADS * sizeof *states, "in"),
                          hd_memory_alloc(memory, THREADS * sizeof *states, "out")};
    struct hd_diag d = {0};
    struct hd_program *p = hd_ptx_load(a, "random", (const uint8_t *)t->buf, t->n, &d);

    if (!p || !hd_emu_load(emu, p, &d)) {
        hd_diag_print(&d, stderr);
        fail_msg("does not load");
    }
    struct hd_launch launch = {.program = p,
                               .kernel = &p->funcs[0],
                               .grid = {1, 1, 1},
                               .block = {THREADS, 1, 1},
                               .params = (const uint8_t *)params};
    struct hd_emu_result result;
    hd_memory_write(memory, params[0], states, THREADS * sizeof *states);
    hd_emu_run(emu, &launch, &(struct hd_emu_patience){.warp_insts = 100000}, &result);
    hd_memory_read(memory, params[1], states, THREADS * sizeof *states);
    hd_emu_free(emu);
    hd_memory_free(memory);
    hd_arena_free(a);
}

static void write_words(FILE *f, const char *name, const struct state *states)
{
    uint32_t words[THREADS * sizeof *states / 4];

    memcpy(words, states, sizeof words);
    fprintf(f, "-- %s\n", name);
    for (size_t i = 0; i < sizeof words / 4; i++)
        fprintf(f, "0x%x%c", words[i], i % 8 == 7 ? '\n' : ' ');
}

static void write_program(uint64_t from, const struct text *t, const struct state *in,
                          const struct state *out)
{
    char path[400];

    snprintf(path, sizeof path, "%s/%016llx.t", folder, (unsigned long long)from);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "-- module 1 %d\n%s", THREADS, t->buf);
    write_words(f, "in", in);
    write_words(f, "out", out);
    assert_int_equal(fclose(f), 0);
}

static void one_program(void)
{
    static struct text t;
    static struct state want[THREADS], got[THREADS];
    uint64_t from = seed;

    for (unsigned l = 0; l < THREADS; l++)
        for (const char *k = "rdhp"; *k; k++)
            for (unsigned i = 0; i < REGS; i++)
                *cell(&want[l], *k, i) = cut(*k, number());
    memcpy(got, want, sizeof got);
    put_start(&t);
    for (unsigned n = 0; n < LENGTH; n++) {
        step(&t, want);
        if (n % 8 == 7)
            refresh(&t, want);
    }
    put_end(&t);
    if (folder) {
        write_program(from, &t, got, want);
        return;
    }
    emulate(&t, got);
    for (unsigned l = 0; l < THREADS; l++)
        for (const char *k = "rdhp"; *k; k++)
            for (unsigned i = 0; i < REGS; i++)
                if (*cell(&got[l], *k, i) != *cell(&want[l], *k, i))
                    fail_msg("seed %llu thread %u %%%c%u: 0x%llx, not 0x%llx\n%s",
                             (unsigned long long)from, l, *k, i,
                             (unsigned long long)*cell(&got[l], *k, i),
                             (unsigned long long)*cell(&want[l], *k, i), t.buf);
}

static void random_programs(void **state)
{
    (void)state;
    for (unsigned i = 0; i < programs; i++)
        one_program();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_programs)};

    if (argc > 1)
        programs = (unsigned)strtoul(argv[1], NULL, 0);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    if (argc > 3)
        folder = argv[3];
    return cmocka_run_group_tests_name("differential", tests, NULL, NULL);
}
