// reference_floats.c - operations on floats: conversions and halves from exact values, f32 and f64
// by the host in the rounding mode of the instruction.
#include "unit/references.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

// --- floats

static float f32_of_bits(uint64_t u)
{
    uint32_t w = (uint32_t)u;
    float f;
    memcpy(&f, &w, sizeof f);
    return f;
}

static double f64_of_bits(uint64_t u)
{
    double f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static uint64_t bits_of_f32(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return isnan(f) ? nan_of(HD_F32) : u;
}

static uint64_t bits_of_f64(double f)
{
    uint64_t u;
    memcpy(&u, &f, sizeof u);
    return isnan(f) ? nan_of(HD_F64) : u;
}

static const int host_modes[] = {
    [HD_RN] = FE_TONEAREST, [HD_RZ] = FE_TOWARDZERO, [HD_RM] = FE_DOWNWARD, [HD_RP] = FE_UPWARD};

enum arithmetic { ADD, SUB, MUL, FMA, QUOT, RECIPROCAL, ROOT, N_ARITHMETIC };
static const char *const arithmetic_names[][3] = {
    {"add"}, {"sub"}, {"mul"}, {"fma", "mad"}, {"div", "div.full"}, {"rcp"}, {"sqrt"}};

static int arithmetic_of(const char *name)
{
    for (int i = 0; i < N_ARITHMETIC; i++)
        for (int k = 0; k < 3 && arithmetic_names[i][k]; k++)
            if (is(name, arithmetic_names[i][k]))
                return i;
    return N_ARITHMETIC;
}

#define HOST(T, from, to, fma_of, root_of)                                                         \
    static uint64_t host_##T(int what, uint64_t ua, uint64_t ub, uint64_t uc, unsigned mode)       \
    {                                                                                              \
        volatile T a = from(ua), b = from(ub), c = from(uc), r = 0;                                \
        fesetround(host_modes[mode]);                                                              \
        switch (what) {                                                                            \
        case ADD:                                                                                  \
            r = a + b;                                                                             \
            break;                                                                                 \
        case SUB:                                                                                  \
            r = a - b;                                                                             \
            break;                                                                                 \
        case MUL:                                                                                  \
            r = a * b;                                                                             \
            break;                                                                                 \
        case FMA:                                                                                  \
            r = fma_of(a, b, c);                                                                   \
            break;                                                                                 \
        case QUOT:                                                                                 \
            r = a / b;                                                                             \
            break;                                                                                 \
        case RECIPROCAL:                                                                           \
            r = 1 / a;                                                                             \
            break;                                                                                 \
        default:                                                                                   \
            r = root_of(a);                                                                        \
        }                                                                                          \
        fesetround(FE_TONEAREST);                                                                  \
        return to(r);                                                                              \
    }
HOST(float, f32_of_bits, bits_of_f32, fmaf, sqrtf)
HOST(double, f64_of_bits, bits_of_f64, fma, sqrt)

// a + b; where that is not exact, with a last bit that says so.
static quad sum_of(quad a, quad b)
{
    quad big = (a < 0 ? -a : a) < (b < 0 ? -b : b) ? b : a, s = a + b;
    quad rest = (big == a ? b : a) - (s - big);
    uwide u;

    if (!(rest < 0 || rest > 0))
        return s;
    memcpy(&u, &s, sizeof u);
    if (!(u & 1))
        u += (rest < 0) == (s < 0) ? 1 : -(uwide)1;
    memcpy(&s, &u, sizeof s);
    return s;
}

// The sign of an exact zero sum: minus only if both are, when rounding to nearest.
static uint64_t half_arithmetic(unsigned t, int what, uint64_t ua, uint64_t ub, uint64_t uc)
{
    quad a = number(t, ua), b = number(t, ub), c = number(t, uc), r;
    bool ma = minus_of(t, ua), mb = minus_of(t, ub), mc = minus_of(t, uc), minus;

    if (what == MUL) {
        r = a * b;
        minus = ma != mb;
    } else if (what == FMA) {
        r = sum_of(a * b, c);
        minus = (ma != mb) && mc;
    } else {
        r = what == ADD ? a + b : a - b;
        minus = ma && mb == (what == ADD);
    }
    return encode(t, r, r != 0 ? r < 0 : minus, HD_RN);
}

// What .relu and .satfinite leave.
static uint64_t limited(unsigned t, unsigned mods, uint64_t r)
{
    if (mods & HD_MOD_RELU && minus_of(t, r) && !is_nan(t, r))
        r = 0;
    if (mods & HD_MOD_FINITE && magnitude(t, r) == infinity_of(format_of(t)))
        r--;
    return r;
}

static uint64_t least(unsigned t, uint64_t a, uint64_t b, bool most);

// The same with .NaN and .xorsign.abs.
static uint64_t least_of(unsigned t, unsigned mods, uint64_t a, uint64_t b, bool most)
{
    uint64_t top = UINT64_C(1) << (width_of(t) - 1), sign = (a ^ b) & top;
    uint64_t r = mods & HD_MOD_XORSIGN ? least(t, a & ~top, b & ~top, most) : least(t, a, b, most);

    if ((mods & HD_MOD_NAN && (is_nan(t, a) || is_nan(t, b))) || is_nan(t, r))
        return nan_of(t);
    return mods & HD_MOD_XORSIGN ? (r & ~top) | sign : r;
}

// A NaN loses; -0 is less than +0.
static uint64_t least(unsigned t, uint64_t a, uint64_t b, bool most)
{
    quad x = number(t, a), y = number(t, b);
    bool first = x == y ? minus_of(t, a) != most : most ? x > y : x < y;

    if (is_nan(t, a) && is_nan(t, b))
        return nan_of(t);
    return is_nan(t, a) ? b : is_nan(t, b) ? a : first ? a : b;
}

// Doubles pass on the first NaN among a, c, b.
static uint64_t passed_on(int what, uint64_t a, uint64_t b, uint64_t c, uint64_t r)
{
    bool one = what == RECIPROCAL || what == ROOT, three = what == FMA;
    uint64_t nan = is_nan(HD_F64, a) ? a : three && is_nan(HD_F64, c) ? c : one ? a : b;

    return is_nan(HD_F64, r) && is_nan(HD_F64, nan) ? nan | UINT64_C(1) << 51 : r;
}

static bool one_float(const char *name, unsigned t, unsigned mods, const uint64_t *in,
                      uint64_t *out)
{
    unsigned mode = (mods & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT;
    uint64_t v[3], top = UINT64_C(1) << (width_of(t) - 1), r;
    int what = arithmetic_of(name);

    for (int i = 0; i < 3; i++)
        v[i] = mods & HD_MOD_FTZ ? flush(t, in[i]) : in[i];
    if (what < N_ARITHMETIC)
        r = width_of(t) == 16 ? half_arithmetic(t, what, v[0], v[1], v[2])
            : t == HD_F32
                ? host_float(what, v[0], v[1], v[2], mode)
                : passed_on(what, v[0], v[1], v[2], host_double(what, v[0], v[1], v[2], mode));
    else if (is(name, "min") || is(name, "max"))
        r = least_of(t, mods, v[0], v[1], is(name, "max"));
    else if (is(name, "abs"))
        r = t == HD_F64 && is_nan(t, v[0]) ? v[0] | UINT64_C(1) << 51 : v[0] & ~top;
    else if (is(name, "neg"))
        r = t == HD_F32 && is_nan(t, v[0]) ? nan_of(t) : v[0] ^ top;
    else if (is(name, "copysign"))
        r = (v[0] & top) | (v[1] & ~top);
    else
        return false;
    r = mods & HD_MOD_FTZ ? flush(t, r) : r;
    if (what < N_ARITHMETIC)
        r = limited(t, mods & HD_MOD_RELU, r);
    *out = mods & HD_MOD_SAT ? saturate(t, r) : r;
    return true;
}

bool reference_floats(const char *name, struct lane *x)
{
    uint64_t in[3] = {x->a, x->b, x->c}, low[3], up[3], l, u;
    unsigned half = half_of(x->type);

    if (half == HD_TYPE_NONE) {
        for (int i = 0; i < 3; i++)
            in[i] &= UINT64_MAX >> (64 - width_of(x->type));
        return one_float(name, x->type, x->mods, in, &x->d);
    }
    const unsigned width = width_of(half);
    for (int i = 0; i < 3; i++) {
        low[i] = in[i] & (UINT64_MAX >> (64 - width));
        up[i] = in[i] >> width & (UINT64_MAX >> (64 - width));
    }
    if (!one_float(name, half, x->mods, low, &l) || !one_float(name, half, x->mods, up, &u))
        return false;
    x->d = u << width | l;
    return true;
}

static uint64_t as_f32(unsigned t, uint64_t a)
{
    return is_nan(t, a) ? nan_of(HD_F32) : encode(HD_F32, number(t, a), minus_of(t, a), HD_RN);
}

bool reference_mixed(const char *name, struct lane *x)
{
    char plain[] = {name[1], name[2], name[3], '\0'}; // of "(add.f32)"
    bool three = is(plain, "fma");
    uint64_t a = as_f32(x->type, x->a & UINT16_MAX), c = x->c & UINT32_MAX;
    uint64_t b = three ? as_f32(x->type, x->b & UINT16_MAX) : x->b & UINT32_MAX;

    return one_float(plain, HD_F32, x->mods, (const uint64_t[]){a, b, c}, &x->d);
}

bool reference_of_three(const char *name, struct lane *x)
{
    uint64_t v[3] = {x->a & UINT32_MAX, x->b & UINT32_MAX, x->c & UINT32_MAX};
    bool most = is(name, "(max3)"), nan = false;

    for (int i = 0; i < 3; i++) {
        v[i] = x->mods & HD_MOD_FTZ ? flush(HD_F32, v[i]) : v[i];
        v[i] = x->mods & HD_MOD_XORSIGN ? v[i] & INT32_MAX : v[i]; // .abs
        nan |= is_nan(HD_F32, v[i]);
    }
    x->d = nan && x->mods & HD_MOD_NAN ? nan_of(HD_F32)
                                       : least(HD_F32, least(HD_F32, v[0], v[1], most), v[2], most);
    return true;
}

// --- conversions

// PTX: a NaN becomes 0, or the middle of the range if one of the types has 64 bits.
static uint64_t to_integer(const struct lane *x, uint64_t a)
{
    unsigned t = x->dtype, mode = (x->mods & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT;
    wide low = is_signed(t) ? -power(width_of(t) - 1) : 0, high = low + power(width_of(t)) - 1;
    bool minus = minus_of(x->type, a);
    quad v = number(x->type, a);

    if (is_nan(x->type, a))
        return x->type == HD_F64 || width_of(t) == 64 ? pattern(t, power(width_of(t) - 1)) : 0;
    v = v < 0 ? -v : v;
    if (v > two_to(65))
        return pattern(t, minus ? low : high);
    wide n = rounded((wide)v, v - (quad)(wide)v, minus, mode);
    return pattern(t, clamp(minus ? -n : n, low, high));
}

// Conversions from and to f64 keep the sign and the upper bits of a NaN, others and those to bf16
// do not.
static uint64_t nan_converted(unsigned from, unsigned to, uint64_t a)
{
    int below = from == HD_F64 ? 52 : from == HD_F32 ? 23 : from == HD_F16 ? 10 : 7; // digits
    int have = to == HD_F64 ? 52 : to == HD_F32 ? 23 : 10;
    uint64_t digits = a & ((UINT64_C(1) << below) - 1), infinite = infinity_of(format_of(to));

    if (from == to || to == HD_BF16 || (from != HD_F64 && to != HD_F64))
        return nan_of(to);
    digits = have < below ? digits >> (below - have) : digits << (have - below);
    return (uint64_t)minus_of(from, a) << (width_of(to) - 1) | infinite | digits |
           UINT64_C(1) << (have - 1);
}

static uint64_t to_float(const struct lane *x, uint64_t a, quad v, bool minus)
{
    unsigned t = x->dtype, mode = (x->mods & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT;
    quad m = v < 0 ? -v : v;
    uint64_t r;

    if (mode >= HD_RNI && m < two_to(60)) // to an integral value of the same type
        r = encode(t, (quad)rounded((wide)m, m - (quad)(wide)m, minus, mode), minus, HD_RN);
    else
        r = encode(t, v, minus, mode & 3);
    if (v != v && is_float(x->type))
        r = nan_converted(x->type, t, a);
    if (x->mods & HD_MOD_FTZ && t == HD_F32)
        r = flush(t, r);
    r = x->mods & HD_MOD_SAT ? saturate(t, r) : r;
    return t == HD_F16 || t == HD_BF16 ? limited(t, x->mods, r) : r;
}

// The number that an 8-bit code stands for.
static quad byte_value(unsigned pair, unsigned code)
{
    int digits = pair == HD_E4M3X2 ? 3 : 2, least_exponent = pair == HD_E4M3X2 ? -9 : -16;
    unsigned m = code & 0x7f, sig = m & ((1u << digits) - 1), exp = m >> digits;
    quad v =
        (quad)(exp ? sig | 1u << digits : sig) * two_to(least_exponent + (int)(exp ? exp - 1 : 0));

    if (pair == HD_E4M3X2 ? m == 0x7f : m > 0x7c)
        v = (quad)NAN;
    else if (pair == HD_E5M2X2 && m == 0x7c)
        v = (quad)INFINITY;
    return code & 0x80 ? -v : v;
}

// The code whose value is nearest, of two the even one; among the finite ones.
static unsigned nearest_byte(unsigned pair, unsigned mods, quad v, bool minus)
{
    unsigned most = pair == HD_E4M3X2 ? 0x7e : 0x7b, best = 0;
    quad a = v < 0 ? -v : v;

    if (v != v)
        return 0x7f;
    if (mods & HD_MOD_RELU && minus)
        return 0;
    for (unsigned c = 1; c <= most; c++) {
        quad now = byte_value(pair, c) - a, then = byte_value(pair, best) - a;
        now = now < 0 ? -now : now;
        then = then < 0 ? -then : then;
        if (now < then || (now == then && !(c & 1)))
            best = c;
    }
    if (a > byte_value(pair, most))
        best = most;
    return best | (minus ? 0x80 : 0);
}

static bool byte_formats(struct lane *x)
{
    unsigned t = x->type, d = x->dtype;
    bool pair = t == HD_F16X2;
    uint64_t up = pair ? x->a >> 16 & 0xffff : x->a, low = pair ? x->a & 0xffff : x->b;

    if (d == HD_E4M3X2 || d == HD_E5M2X2) {
        unsigned from = pair ? HD_F16 : HD_F32;
        up &= UINT32_MAX, low &= UINT32_MAX;
        x->d = nearest_byte(d, x->mods, number(from, up), minus_of(from, up)) << 8 |
               nearest_byte(d, x->mods, number(from, low), minus_of(from, low));
        return true;
    }
    if (t != HD_E4M3X2 && t != HD_E5M2X2)
        return false;
    x->d = 0;
    for (int i = 0; i < 2; i++) {
        unsigned code = (unsigned)(x->a >> (8 * i)) & 0xff;
        uint64_t h = encode(HD_F16, byte_value(t, code), code >> 7, HD_RN);
        x->d |= limited(HD_F16, x->mods & HD_MOD_RELU, h) << (16 * i);
    }
    return true;
}

// tf32: the upper 19 bits of a word. Ties away from zero: half a unit more, then towards zero.
static uint64_t to_tf32(const struct lane *x, bool away)
{
    unsigned mode = away ? HD_RZ : (x->mods & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT;
    uint64_t a = x->a & UINT32_MAX;
    quad v = number(HD_F32, a), half = two_to(-137);

    if (v != v)
        return nan_of(HD_TF32);
    if (away && v > -(quad)INFINITY && v < (quad)INFINITY) {
        quad m = v < 0 ? -v : v;
        if (m >= two_to(-126))
            half = two_to(exponent_of(m) - 11);
        v = v < 0 ? v - half : v + half;
    }
    if (away && (v >= two_to(128) || v <= -two_to(128)))
        v = v < 0 ? -(quad)INFINITY : (quad)INFINITY;
    uint64_t r = encode(HD_TF32, v, a >> 31, mode) << 13; // an f32 with fewer digits
    if (x->mods & HD_MOD_FINITE && magnitude(HD_F32, r) == infinity_of(format_of(HD_F32)))
        r -= 1 << 13;
    return limited(HD_F32, x->mods & HD_MOD_RELU, r);
}

bool reference_conversions(const char *name, struct lane *x)
{
    unsigned t = x->type, d = x->dtype;
    uint64_t a = x->a & (UINT64_MAX >> (64 - width_of(t)));

    if (d == HD_TF32) {
        x->d = to_tf32(x, is(name, "cvt.rna"));
        return true;
    }
    if (!is(name, "cvt"))
        return false;
    if (byte_formats(x))
        return true;
    if (half_of(d) != HD_TYPE_NONE) {
        struct lane half = *x;
        half.dtype = half_of(d);
        x->d = to_float(&half, a, number(t, a), minus_of(t, a)) << 16;
        x->d |= to_float(&half, x->b, number(t, x->b & UINT32_MAX), minus_of(t, x->b & UINT32_MAX));
        return true;
    }
    if (x->mods & HD_MOD_FTZ && t == HD_F32) // halves are not flushed
        a = flush(t, a);
    if (is_float(d)) {
        quad v = is_float(t) ? number(t, a) : (quad)integer(t, a);
        x->d = to_float(x, a, v, is_float(t) ? minus_of(t, a) : v < 0);
    } else if (is_float(t)) {
        x->d = to_integer(x, a);
    } else {
        wide low = is_signed(d) ? -power(width_of(d) - 1) : 0, v = integer(t, a);
        x->d = pattern(d, x->mods & HD_MOD_SAT ? clamp(v, low, low + power(width_of(d)) - 1) : v);
    }
    return true;
}
