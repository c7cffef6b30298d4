// test_values.c - every operation with a lane loop, on every type and with every modifier it takes,
// against what PTX and IEEE 754 say, computed here the slow way: integers in 128 bits, conversions
// and halves from exact values, other floats by the host in the rounding mode of the instruction.
//
// An operation of ops.def that the references below do not know fails the test, so none can be
// added without one. Approximate functions are test_approx.c's. Arguments: rounds of 32 lanes for
// each form of an operation, first seed.
#include "emu/lanes.h"
#include "shared/numbers.h"

#include <fenv.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 1;
static unsigned rounds = 16, wrong;

static uint64_t rnd(void) // SplitMix64
{
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

// One lane of one instruction.
struct lane {
    unsigned type, dtype, mods, space;
    uint64_t a, b, c, e; // registers as they are
    bool q, carry;       // source predicate, condition code
    uint64_t d;          // destination register
    bool p, second;      // destination predicates, or the condition code that is left
};

// --- integer arithmetic

static wide clamp(wide x, wide low, wide high)
{
    return x < low ? low : x > high ? high : x;
}

static wide high_half(wide a, wide b, unsigned width, bool sign)
{
    return sign ? a * b >> width : (wide)((uwide)a * (uwide)b >> width);
}

static wide sum_of_products(const struct lane *x, bool is_a_signed, bool is_b_signed, int n,
                            unsigned from)
{
    wide sum = integer(HD_U32, x->c);
    unsigned bits = 32 / (unsigned)n;

    for (int i = 0; i < n; i++) {
        unsigned ta = bits == 8 ? (is_a_signed ? HD_S8 : HD_U8) : (is_a_signed ? HD_S16 : HD_U16);
        sum += integer(ta, x->a >> bits * (unsigned)i) *
               integer(is_b_signed ? HD_S8 : HD_U8, x->b >> 8 * (from + (unsigned)i));
    }
    return sum;
}

static wide low24(const struct lane *x, uint64_t v)
{
    wide low = (wide)(v & 0xffffff);
    return is_signed(x->type) && low >> 23 ? low - power(24) : low;
}

static bool is(const char *name, const char *what)
{
    return !strcmp(name, what);
}

static bool starts(const char *name, const char *what)
{
    return !strncmp(name, what, strlen(what));
}

static wide quotient(wide a, wide b)
{
    return b ? a / b : -1;
}

static bool integers(const char *name, struct lane *x)
{
    unsigned t = x->type, width = width_of(t);
    bool sign = is_signed(t), wide_result = x->dtype != t;
    wide a = integer(t, x->a), b = integer(t, x->b), c = integer(wide_result ? x->dtype : t, x->c);
    wide high = starts(name, "m") && strstr(name, ".hi") ? high_half(a, b, width, sign) : 0, r;

    if (is(name, "add"))
        r = a + b;
    else if (is(name, "sub"))
        r = a - b;
    else if (is(name, "mul.lo") || is(name, "mul.wide"))
        r = (wide)((uwide)a * (uwide)b);
    else if (is(name, "mul.hi"))
        r = high;
    else if (is(name, "mad.lo") || is(name, "mad.wide"))
        r = (wide)((uwide)a * (uwide)b + (uwide)c);
    else if (is(name, "mad.hi"))
        r = high + c;
    else if (is(name, "mul24.lo") || is(name, "mul24.hi"))
        r = low24(x, x->a) * low24(x, x->b) >> (strstr(name, "hi") ? 16 : 0);
    else if (is(name, "mad24.lo") || is(name, "mad24.hi"))
        r = (low24(x, x->a) * low24(x, x->b) >> (strstr(name, "hi") ? 16 : 0)) + c;
    else if (is(name, "div"))
        r = quotient(a, b);
    else if (is(name, "rem"))
        r = b ? a % b : a;
    else if (is(name, "min"))
        r = a < b ? a : b;
    else if (is(name, "max"))
        r = a > b ? a : b;
    else if (is(name, "abs"))
        r = a < 0 ? -a : a;
    else if (is(name, "neg"))
        r = -a;
    else if (is(name, "sad"))
        r = (a < b ? b - a : a - b) + c;
    else if (is(name, "shr"))
        r = a >> (integer(HD_U32, x->b) < width ? (unsigned)x->b : width);
    else
        return false;
    if (x->mods & HD_MOD_SAT)
        r = clamp(r, INT32_MIN, INT32_MAX);
    x->d = pattern(x->dtype, r);
    return true;
}

static bool carries(const char *name, struct lane *x)
{
    unsigned width = width_of(x->type);
    uwide mask = (uwide)power(width) - 1, a = x->a & mask, b = x->b & mask, r = 0;
    wide high =
        high_half(integer(x->type, x->a), integer(x->type, x->b), width, is_signed(x->type));
    bool takes = strchr(name, 'c') && (name[3] == 'c'); // addc, subc, madc

    if (starts(name, "add"))
        r = a + b;
    else if (starts(name, "sub")) // the code is that of a + ~b: not borrowed
        r = a + (~b & mask) + !takes;
    else if (strstr(name, ".lo"))
        r = ((a * b) & mask) + (x->c & mask);
    else if (strstr(name, ".hi"))
        r = ((uwide)high & mask) + (x->c & mask);
    else
        return false;
    if (takes)
        r += x->carry;
    x->d = pattern(x->type, (wide)r);
    x->p = r >> width & 1;
    return true;
}

// --- bits

static uint64_t reversed(uint64_t a, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i++)
        r |= (a >> i & 1) << (width - 1 - i);
    return r;
}

static int highest(uint64_t a, unsigned width)
{
    for (int i = (int)width - 1; i >= 0; i--)
        if (a >> i & 1)
            return i;
    return -1;
}

static uint64_t extracted(const struct lane *x)
{
    unsigned width = width_of(x->type), at = x->b & 0xff, n = x->c & 0xff;
    unsigned top = at + n - 1 < width - 1 ? at + n - 1 : width - 1;
    bool fill = is_signed(x->type) && n && (x->a >> top & 1);
    uint64_t r = 0;

    for (unsigned i = 0; i < width; i++)
        r |= (uint64_t)(i < n && at + i < width ? x->a >> (at + i) & 1 : fill) << i;
    return r;
}

static uint64_t inserted(const struct lane *x)
{
    unsigned width = width_of(x->type), at = x->c & 0xff, n = x->e & 0xff;
    uint64_t r = x->b;

    for (unsigned i = 0; i < n && at + i < width; i++) {
        r &= ~(UINT64_C(1) << (at + i));
        r |= (x->a >> i & 1) << (at + i);
    }
    return r;
}

static uint64_t permuted(const struct lane *x)
{
    uint64_t both = x->b << 32 | (x->a & UINT32_MAX), r = 0;
    unsigned by = x->c & 3;

    for (unsigned i = 0; i < 4; i++) {
        unsigned nibble = x->c >> 4 * i & 15;
        const unsigned from[HD_N_PRMTS] = {
            [HD_PRMT_INDEX] = nibble & 7,
            [HD_PRMT_F4E] = by + i,
            [HD_PRMT_B4E] = (by - i) & 7,
            [HD_PRMT_RC8] = by,
            [HD_PRMT_ECL] = i > by ? i : by,
            [HD_PRMT_ECR] = i < by ? i : by,
            [HD_PRMT_RC16] = (by & 1) * 2 + (i & 1),
        };
        unsigned mode = x->mods & HD_MOD_ENUM;
        uint64_t byte = both >> 8 * from[mode] & 0xff;
        if (mode == HD_PRMT_INDEX && nibble & 8)
            byte = byte >> 7 ? 0xff : 0;
        r |= byte << 8 * i;
    }
    return r;
}

static int found(uint32_t mask, int base, int32_t n)
{
    int64_t left = n < 0 ? -(int64_t)n : n;

    if (!n)
        return mask >> base & 1 ? base : -1;
    for (int i = base; i >= 0 && i < 32; i += n < 0 ? -1 : 1) {
        left -= mask >> i & 1;
        if (!left)
            return i;
    }
    return -1;
}

static uint64_t looked_up(const struct lane *x)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (x->mods >> ((x->a >> i & 1) << 2 | (x->b >> i & 1) << 1 | (x->c >> i & 1)) & 1) << i;
    return r & UINT32_MAX;
}

// add, min and max of two integers of 16 bits each.
static uint64_t halves(const char *name, uint64_t a, uint64_t b)
{
    uint64_t r = 0;

    for (unsigned at = 0; at < 32; at += 16) {
        int x = (int)(a >> at & 0xffff), y = (int)(b >> at & 0xffff), z;
        if (strstr(name, "s16")) {
            x -= x & 0x8000 ? 0x10000 : 0;
            y -= y & 0x8000 ? 0x10000 : 0;
        }
        z = name[0] == 'a' ? x + y : name[1] == 'i' ? (y < x ? y : x) : (y > x ? y : x);
        if (strstr(name, "relu") && z < 0)
            z = 0;
        r |= (uint64_t)(z & 0xffff) << at;
    }
    return r;
}

static bool logic(const char *name, struct lane *x)
{
    unsigned width = width_of(x->type);
    uint64_t a = x->a & (UINT64_MAX >> (64 - width)), b = x->b, r;
    uint64_t shift = x->b & UINT32_MAX;

    if (is(name, "and"))
        r = a & b;
    else if (is(name, "or"))
        r = a | b;
    else if (is(name, "xor"))
        r = a ^ b;
    else if (is(name, "not"))
        r = ~a;
    else if (is(name, "cnot"))
        r = !a;
    else if (is(name, "mov"))
        r = a;
    else if (is(name, "shl"))
        r = shift < width ? a << shift : 0;
    else if (is(name, "cvta"))
        r = a + hd_window(x->space);
    else if (is(name, "cvta.to"))
        r = a - hd_window(x->space);
    else if (strstr(name, "16x2"))
        r = halves(name, a, x->b);
    else if (is(name, "mbarrier.pending_count"))
        r = a & 0xfffff;
    else if (is(name, "popc"))
        r = (uint64_t)__builtin_popcountll(a);
    else if (is(name, "clz"))
        r = (uint64_t)((int)width - 1 - highest(a, width));
    else if (is(name, "brev"))
        r = reversed(a, width);
    else
        return false;
    x->d = pattern(x->dtype, (wide)r);
    return true;
}

static uint64_t mask_of(wide at, wide n)
{
    uint64_t r = 0;
    for (int i = 0; i < 32; i++)
        r |= (uint64_t)(i >= at && i < at + n) << i;
    return r;
}

static wide extended(const struct lane *x, wide n)
{
    wide low = n > 31 ? integer(HD_U32, x->a) : integer(HD_U32, x->a) & (power((unsigned)n) - 1);
    if (n > 31)
        return integer(x->type, x->a);
    return n && is_signed(x->type) && low >> (n - 1) ? low - power((unsigned)n) : low;
}

static bool bits(const char *name, struct lane *x)
{
    unsigned width = width_of(x->type);
    wide a = integer(x->type, x->a), n = integer(HD_U32, x->b), m = integer(HD_U32, x->c), r;
    uwide both = (uwide)(x->b & UINT32_MAX) << 32 | (x->a & UINT32_MAX);
    int top = highest((uint64_t)(a < 0 ? ~a : a), width);

    if (is(name, "shf.l.wrap"))
        r = (wide)(both << (m & 31) >> 32);
    else if (is(name, "shf.l.clamp"))
        r = (wide)(both << (m < 32 ? m : 32) >> 32);
    else if (is(name, "shf.r.wrap"))
        r = (wide)(both >> (m & 31));
    else if (is(name, "shf.r.clamp"))
        r = (wide)(both >> (m < 32 ? m : 32));
    else if (is(name, "lop3"))
        r = (wide)looked_up(x);
    else if (is(name, "bfe"))
        r = (wide)extracted(x);
    else if (is(name, "bfi"))
        r = (wide)inserted(x);
    else if (is(name, "prmt"))
        r = (wide)permuted(x);
    else if (is(name, "bfind"))
        r = top;
    else if (is(name, "bfind.shiftamt"))
        r = top < 0 ? -1 : (int)width - 1 - top;
    else if (is(name, "bmsk.clamp"))
        r = (wide)mask_of(a, n);
    else if (is(name, "bmsk.wrap"))
        r = (wide)mask_of(a & 31, n & 31);
    else if (is(name, "szext.clamp"))
        r = extended(x, n);
    else if (is(name, "szext.wrap"))
        r = extended(x, n & 31);
    else if (is(name, "fns"))
        r = found((uint32_t)x->a, (int)(n & 31), (int32_t)(uint32_t)x->c);
    else
        return false;
    x->d = pattern(x->dtype, r);
    return true;
}

static wide video_field(const char *name, wide a, wide b)
{
    return starts(name, "vadd")   ? a + b
           : starts(name, "vsub") ? a - b
           // rounded away from zero where the sum is not negative, as the manual's formula
           : starts(name, "vavrg") ? (a + b + (a + b >= 0)) >> 1
           : starts(name, "vabsd") ? (a < b ? b - a : a - b)
           : starts(name, "vmin")  ? (a < b ? a : b)
                                   : (a > b ? a : b);
}

static bool packed(const char *name, struct lane *x)
{
    unsigned bytes = strchr(name, '4') ? 1 : 2, mode = x->mods & HD_MOD_ENUM;
    static const unsigned types[3][2] = {{0, 0}, {HD_U8, HD_S8}, {HD_U16, HD_S16}};
    wide total = integer(HD_U32, x->c);
    uint64_t r = 0;

    if (starts(name, "dp")) {
        bool two = name[2] == '2';
        const char *s = name + (two ? 8 : 5);
        bool sa = s[0] == 's', sb = s[4] == 's';
        r = (uint64_t)sum_of_products(x, sa, sb, two ? 2 : 4, strstr(name, ".hi") ? 2 : 0);
        x->d = pattern(HD_U32, (wide)r);
        return true;
    }
    if (name[0] != 'v')
        return false;
    for (unsigned i = 0; i < 4 / bytes; i++) {
        unsigned at = 8 * bytes * i, td = types[bytes][!!(mode & HD_VIDEO_SIGNED_D)];
        wide v = video_field(name, integer(types[bytes][!!(mode & HD_VIDEO_SIGNED_A)], x->a >> at),
                             integer(types[bytes][!!(mode & HD_VIDEO_SIGNED_B)], x->b >> at));
        wide low = is_signed(td) ? -power(8 * bytes - 1) : 0;
        if (x->mods & HD_MOD_SAT)
            v = clamp(v, low, low + power(8 * bytes) - 1);
        total += v;
        r |= ((uint64_t)v & (uint64_t)(power(8 * bytes) - 1)) << at;
    }
    x->d = pattern(HD_U32, mode & HD_VIDEO_SUM ? total : (wide)r);
    return true;
}

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
            : t == HD_F32     ? host_float(what, v[0], v[1], v[2], mode)
                              : host_double(what, v[0], v[1], v[2], mode);
    else if (is(name, "min") || is(name, "max"))
        r = least_of(t, mods, v[0], v[1], is(name, "max"));
    else if (is(name, "abs"))
        r = v[0] & ~top;
    else if (is(name, "neg"))
        r = v[0] ^ top;
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

static bool floats(const char *name, struct lane *x)
{
    uint64_t in[3] = {x->a, x->b, x->c}, low[3], up[3], l, u;
    unsigned half = half_of(x->type);

    if (half == HD_TYPE_NONE) {
        for (int i = 0; i < 3; i++)
            in[i] &= UINT64_MAX >> (64 - width_of(x->type));
        return one_float(name, x->type, x->mods, in, &x->d);
    }
    for (int i = 0; i < 3; i++) {
        low[i] = in[i] & 0xffff;
        up[i] = in[i] >> 16 & 0xffff;
    }
    if (!one_float(name, half, x->mods, low, &l) || !one_float(name, half, x->mods, up, &u))
        return false;
    x->d = u << 16 | l;
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

static uint64_t to_float(const struct lane *x, uint64_t a, quad v, bool minus)
{
    unsigned t = x->dtype, mode = (x->mods & HD_MOD_ROUND) >> HD_MOD_ROUND_SHIFT;
    quad m = v < 0 ? -v : v;
    uint64_t r;

    if (mode >= HD_RNI && m < two_to(60)) // to an integral value of the same type
        r = encode(t, (quad)rounded((wide)m, m - (quad)(wide)m, minus, mode), minus, HD_RN);
    else
        r = encode(t, v, minus, mode & 3);
    (void)a;
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

static bool conversions(const char *name, struct lane *x)
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

// --- predicates

// Ordered comparisons are false with a NaN, the others true.
static bool compares(const struct lane *x)
{
    unsigned t = x->type, how = x->mods & HD_MOD_ENUM;
    uint64_t mask = UINT64_MAX >> (64 - width_of(t)), ua = x->a & mask, ub = x->b & mask;
    bool unordered = false, less, equal;

    if (is_float(t)) {
        if (x->mods & HD_MOD_FTZ) {
            ua = flush(t, ua);
            ub = flush(t, ub);
        }
        quad a = number(t, ua), b = number(t, ub);
        unordered = is_nan(t, ua) || is_nan(t, ub);
        less = a < b;
        equal = a == b;
    } else {
        less = integer(t, ua) < integer(t, ub);
        equal = ua == ub;
    }
    bool with_nan = how >= HD_CMP_EQU && how <= HD_CMP_GEU;
    if (how == HD_CMP_NUM || how == HD_CMP_NAN)
        return unordered == (how == HD_CMP_NAN);
    if (unordered)
        return with_nan;
    static const char relation[HD_N_CMPS] = "=!<{>}<{>}=!<{>}";
    switch (relation[how]) {
    case '=':
        return equal;
    case '!':
        return !equal;
    case '<':
        return less;
    case '{':
        return less || equal;
    case '>':
        return !less && !equal;
    default:
        return !less;
    }
}

static bool combined(bool value, const struct lane *x)
{
    switch ((x->mods & HD_MOD_BOOL) >> HD_MOD_BOOL_SHIFT) {
    case HD_BOOL_AND:
        return value && x->q;
    case HD_BOOL_OR:
        return value || x->q;
    case HD_BOOL_XOR:
        return value != x->q;
    default:
        return value;
    }
}

static bool of_class(const char *what, unsigned t, uint64_t v)
{
    uint64_t m = magnitude(t, v), top = infinity_of(format_of(t));
    bool tiny = m && m < UINT64_C(1) << (format_of(t).digits - 1);

    return is(what, "finite")       ? m < top
           : is(what, "infinite")   ? m == top
           : is(what, "number")     ? m <= top
           : is(what, "notanumber") ? m > top
           : is(what, "normal")     ? m < top && !tiny
                                    : tiny;
}

// What set gives where the comparison holds: 1.0 or all ones, of a pair of halves for each.
static uint64_t set(const struct lane *x)
{
    struct lane low = *x, high = *x;
    uint64_t one = is_float(x->dtype) ? encode(x->dtype, 1, false, HD_RN)
                                      : UINT64_MAX >> (64 - width_of(x->dtype));

    if (half_of(x->type) == HD_TYPE_NONE)
        return combined(compares(x), x) ? one : 0;
    one =
        half_of(x->dtype) != HD_TYPE_NONE ? encode(half_of(x->dtype), 1, false, HD_RN) : UINT16_MAX;
    low.type = high.type = half_of(x->type);
    low.a &= UINT16_MAX, low.b &= UINT16_MAX;
    high.a = high.a >> 16 & UINT16_MAX, high.b = high.b >> 16 & UINT16_MAX;
    return (combined(compares(&low), x) ? one : 0) | (combined(compares(&high), x) ? one << 16 : 0);
}

static bool is_in(const char *space, uint64_t address)
{
    static const char *const windows[] = {"global", "shared", "local", "const", "param", "code"};
    uint64_t window = address >> HD_WINDOW_SHIFT;

    return is(space, windows[window < 6 ? window : 0]);
}

static bool choices(const char *name, struct lane *x)
{

    if (is(name, "setp")) {
        bool holds = compares(x);
        x->p = combined(holds, x);
        x->second = combined(!holds, x);
    } else if (is(name, "set")) {
        x->d = set(x);
    } else if (starts(name, "isspacep.")) {
        x->p = is_in(name + 9, x->a);
    } else if (is(name, "selp")) {
        x->d = pattern(x->dtype, (wide)(x->q ? x->a : x->b));
    } else if (is(name, "slct")) {
        bool first = is_float(x->type) ? number(x->type, x->c & UINT32_MAX) >= 0
                                       : integer(x->type, x->c) >= 0;
        if (x->mods & HD_MOD_FTZ)
            first = number(x->type, flush(x->type, x->c & UINT32_MAX)) >= 0;
        x->d = pattern(x->dtype, (wide)(first ? x->a : x->b));
    } else if (starts(name, "testp.")) {
        x->p = of_class(name + 6, x->type, x->a & (UINT64_MAX >> (64 - width_of(x->type))));
    } else {
        return false;
    }
    return true;
}

static bool predicates(const char *name, struct lane *x)
{
    bool a = x->a & 1, b = x->b & 1;

    x->p = is(name, "and")   ? a && b
           : is(name, "or")  ? a || b
           : is(name, "xor") ? a != b
           : is(name, "not") ? !a
                             : a;
    return is(name, "and") || is(name, "or") || is(name, "xor") || is(name, "not") ||
           is(name, "mov");
}

static bool reference(int op, struct lane *x)
{
    const char *name = hd_op_info[op].name;

    if (x->type == HD_PRED)
        return predicates(name, x);
    if (hd_op_carry(op) != HD_CARRY_NONE)
        return carries(name, x);
    if (choices(name, x) || conversions(name, x))
        return true;
    if (is_float(x->type) || half_of(x->type) != HD_TYPE_NONE)
        return floats(name, x);
    return integers(name, x) || logic(name, x) || bits(name, x) || packed(name, x);
}

// --- operands

// Limits, what is near them, special floats, small numbers, anything.
static uint64_t operand(unsigned t)
{
    static const uint32_t halves[] = {0,      1,      0x3ff,  0x400,  0x3800, 0x3bff, 0x3c00,
                                      0x3c01, 0x7bff, 0x7c00, 0x7c01, 0x7fff, 0x4bff, 0x5bff};
    static const uint32_t bhalves[] = {0,      1,      0x7f,   0x80,   0x3f00, 0x3f7f, 0x3f80,
                                       0x3f81, 0x7f7f, 0x7f80, 0x7f81, 0x7fff, 0x0700, 0x4300};
    uint64_t r = rnd(), sign = (r >> 32 & 1) << 63, by = rnd();
    const uint32_t *special = t == HD_BF16 || t == HD_BF16X2 ? bhalves : halves;
    unsigned width = is_float(t) ? width_of(t) : 0;

    switch (r % 6) {
    case 0: // an integer near a power of two
        return (sign ? UINT64_MAX << (by & 63) : UINT64_C(1) << (by & 63)) + (by >> 8) % 3 - 1;
    case 1:
        return by & 0x3f;
    case 2: // a float near a power of two, of which integers are made too
        if (width == 64)
            return sign | (UINT64_C(960) + (by & 127)) << 52 | (rnd() & 3) << 50 | (rnd() & 1);
        if (width == 32)
            return sign >> 32 | (UINT64_C(110) + by % 90) << 23 | (rnd() & 3) << 21 | (rnd() & 1);
        return special[by % 14] | sign >> 48 | (uint64_t)special[(by >> 8) % 14] << 16 | sign >> 32;
    case 3: // limits of floats
        if (width == 64)
            return sign ^ ((by & 1 ? UINT64_C(0x7ff) << 52 : (by >> 1 & 1) << 52) + (by >> 8) % 3 -
                           (by >> 16) % 2);
        return sign >> 32 ^
               ((by & 1 ? 0x7f800000 : (by >> 1 & 1) << 23) + (by >> 8) % 3 - (by >> 16) % 2);
    default:
        return by;
    }
}

struct file { // rows: sources 0 to 7, two each; the destination 8
    _Alignas(64) uint32_t rows[10 * HD_LANES];
    uint32_t preds[4]; // destinations, sources
};

static uint64_t read_row(const struct file *f, unsigned row, unsigned l, unsigned t)
{
    uint64_t v = 0;
    unsigned words = hd_type_rows((enum hd_type)t);
    memcpy(&v, &f->rows[row * HD_LANES + l * words], 4 * words);
    return v;
}

static void fill(struct file *f, const unsigned types[4])
{
    for (unsigned i = 0; i < 4; i++)
        for (unsigned l = 0; l < HD_LANES; l++) {
            unsigned words = types[i] == HD_PRED ? 1 : hd_type_rows((enum hd_type)types[i]);
            uint64_t v = operand(types[i]);
            memcpy(&f->rows[2 * i * HD_LANES + l * words], &v, 4 * words);
        }
    for (unsigned i = 0; i < 4; i++)
        f->preds[i] = (uint32_t)rnd();
}

// The types of the source registers, by shape.
static void source_types(const struct hd_op_info *o, unsigned types[4])
{
    for (int i = 0; i < 4; i++)
        types[i] = o->type;
    switch ((enum hd_shape)o->shape) {
    case HD_SHAPE_DAN:
        types[1] = HD_U32;
        break;
    case HD_SHAPE_DANM:
        types[1] = types[2] = HD_U32;
        break;
    case HD_SHAPE_DABNM:
        types[2] = types[3] = HD_U32;
        break;
    case HD_SHAPE_DABX:
        types[2] = o->dtype;
        break;
    case HD_SHAPE_SLCT:
        types[0] = types[1] = o->dtype;
        break;
    default:
        break;
    }
}

static struct hd_insn instruction(int op, unsigned mods, unsigned space)
{
    const struct hd_op_info *o = &hd_op_info[op];
    bool to_pred = o->dtype == HD_PRED || o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_PA;
    struct hd_insn in = {.op = (uint16_t)op,
                         .mods = (uint16_t)mods,
                         .guard = HD_PRED_TRUE,
                         .vec = 1,
                         .space = (uint8_t)space,
                         .dst = to_pred ? 0 : 8,
                         .src = {0, 2, 4},
                         .imm = 6};

    if (o->shape == HD_SHAPE_PAB)
        in.dst = 0 | 1 << 16;
    if (o->shape == HD_SHAPE_PAB || o->shape == HD_SHAPE_SET || o->shape == HD_SHAPE_DABQ)
        in.src[2] = 2;
    if (o->type == HD_PRED) {
        in.src[0] = 2;
        in.src[1] = 3;
    }
    if (hd_op_carry(op) != HD_CARRY_NONE)
        in.imm = 2;
    return in;
}

static void compare(int op, const struct hd_insn *in, const struct file *before,
                    const struct file *after)
{
    const struct hd_op_info *o = &hd_op_info[op];
    unsigned types[4];

    source_types(o, types);
    for (unsigned l = 0; l < HD_LANES; l++) {
        struct lane x = {.type = o->type, .dtype = o->dtype, .mods = in->mods, .space = in->space};
        bool pred = o->type == HD_PRED, ok = true;
        x.a = pred ? before->preds[2] >> l : read_row(before, 0, l, types[0]);
        x.b = pred ? before->preds[3] >> l : read_row(before, 2, l, types[1]);
        x.c = pred ? 0 : read_row(before, 4, l, types[2]);
        x.e = pred ? 0 : read_row(before, 6, l, types[3]);
        x.q = x.carry = before->preds[2] >> l & 1;
        if (!reference(op, &x))
            fail_msg("%s.%s has no reference here", o->name, hd_type_names[o->type]);
        uint64_t got = 0;
        if (in->dst == 8) {
            got = read_row(after, 8, l, o->dtype);
            ok = got == x.d;
        } else {
            got = after->preds[0] >> l & 1;
            ok = got == x.p && (o->shape != HD_SHAPE_PAB || (after->preds[1] >> l & 1) == x.second);
            x.d = x.p;
        }
        enum hd_carry c = hd_op_carry(op);
        if (c == HD_CARRY_OUT || c == HD_CARRY_THROUGH)
            ok &= (after->preds[2] >> l & 1) == x.p;
        if (ok)
            continue;
        if (wrong++ < 50)
            print_error(
                "%s.%s.%s, modifiers %04x, of %llx, %llx, %llx, %llx (%d): %llx, expected %llx\n",
                o->name, hd_type_names[o->dtype], hd_type_names[o->type], in->mods,
                (unsigned long long)x.a, (unsigned long long)x.b, (unsigned long long)x.c,
                (unsigned long long)x.e, x.q, (unsigned long long)got, (unsigned long long)x.d);
        return; // one lane of each is enough
    }
}

static void try(int op, unsigned mods, unsigned space)
{
    static struct file before, after;
    struct hd_insn in = instruction(op, mods, space);
    unsigned types[4];

    source_types(&hd_op_info[op], types);
    for (unsigned i = 0; i < rounds; i++) {
        fill(&before, types);
        after = before;
        hd_lanes_pick()[op](&in, &(struct hd_lane_regs){after.rows, NULL, after.preds}, UINT32_MAX);
        compare(op, &in, &before, &after);
    }
}

// All roundings, with and without .sat and .ftz, all values of the low byte, all ways to combine.
static unsigned try_all(int op)
{
    const unsigned may = hd_op_mods(op), n_low = may & HD_MOD_ENUM ? HD_MOD_ENUM + 1 : 1;
    const unsigned n_bool = may & HD_MOD_BOOL ? 4 : 1;
    unsigned forms = 0;

    for (unsigned low = 0; low < n_low; low++)
        for (unsigned r = 0; r < HD_N_ROUNDS; r++)
            for (unsigned flags = 0; flags < 4; flags++)
                for (unsigned how = 0; how < n_bool; how++) {
                    unsigned mods = low | r << HD_MOD_ROUND_SHIFT | (flags & 1 ? HD_MOD_SAT : 0) |
                                    (flags & 2 ? HD_MOD_FTZ : 0) | how << HD_MOD_BOOL_SHIFT;
                    if (mods & ~may || !hd_op_accepts(op, low) ||
                        !hd_op_rounds(op, (enum hd_round)r))
                        continue;
                    try(op, mods, forms % 2 ? HD_SPACE_SHARED : HD_SPACE_LOCAL);
                    forms++;
                }
    return forms;
}

static void every_operation_in_every_form(void **state)
{
    unsigned operations = 0, forms = 0;

    (void)state;
    for (int op = 0; op < HD_N_OPS; op++) {
        if (!hd_lanes_baseline[op] || strstr(hd_op_info[op].name, ".approx"))
            continue;
        operations++;
        forms += try_all(op);
    }
    print_message("%u operations in %u forms\n", operations, forms);
    assert_true(operations > 300);
    assert_int_equal(wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation_in_every_form)};

    if (argc > 1)
        rounds = (unsigned)strtoul(argv[1], NULL, 0);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    return cmocka_run_group_tests_name("values", tests, NULL, NULL);
}
