// test_approx.c - approximate operations against the C library in double precision: the errors that
// PTX ISA 9.0, chapters 9.7.3 and 9.7.4, allows, with and without .ftz. All inputs of f16, samples
// of the whole range of f32 and f64; the argument is the step between sampled f32 patterns (1 looks
// at all of them, which takes minutes: make check-exhaustive). Prints the greatest error of each
// row.
#include "emu/lanes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint32_t stride = 2003;

enum measure { ABSOLUTE, RELATIVE, ULP };

struct bound {
    int op;
    uint16_t mods;
    double (*exact)(double);
    double least, most; // arguments for which the bound holds
    enum measure measure;
    double allowed;
    double found; // greatest error so far
};

static double rcp(double x)
{
    return 1 / x;
}

static double rsqrt(double x)
{
    return 1 / sqrt(x);
}

// Formats: bits of the significand, exponents of the least normal number and of overflow.
struct format {
    int digits, least, most;
};
static const struct format f16 = {11, -14, 16}, f32 = {24, -126, 128};

static double ulp_of(const struct format *f, double x)
{
    int e = x == 0 ? f->least : ilogb(x);

    return ldexp(1, (e < f->least ? f->least : e) - f->digits + 1);
}

static double flushed(const struct format *f, double x)
{
    return fabs(x) < ldexp(1, f->least) ? copysign(0, x) : x;
}

static double error_of(const struct bound *b, const struct format *f, double have, double want)
{
    double top = ldexp(1, f->most), apart;

    if (isinf(have)) // stands for all that is too large
        have = copysign(top, have);
    if (fabs(want) > top)
        want = copysign(top, want);
    apart = fabs(have - want);
    // A result below the normal numbers has only the bits that are there.
    if (b->measure != ABSOLUTE && fabs(want) < ldexp(1, f->least))
        return apart / ulp_of(f, want) * (b->measure == RELATIVE ? b->allowed : 1);
    return b->measure == ABSOLUTE   ? apart
           : b->measure == RELATIVE ? apart / fabs(want)
                                    : apart / ulp_of(f, want);
}

static void check(struct bound *b, const struct format *f, double x, double have)
{
    bool ftz = b->mods & HD_MOD_FTZ;
    double in = ftz ? flushed(f, x) : x, want = b->exact(in), error;

    if (x != x || want != want) {
        if (have == have)
            fail_msg("%s(%a) = %a, not a NaN", hd_op_info[b->op].name, x, have);
        return;
    }
    if (!(in >= b->least && in <= b->most))
        return;
    if (isinf(want) && have == want)
        return;
    if (ftz && fabs(have) < ldexp(1, f->least) && have != 0)
        fail_msg("%s.ftz(%a) = %a", hd_op_info[b->op].name, x, have);
    if (ftz && fabs(want) < ldexp(1, f->least) && have == 0)
        error = !signbit(have) == !signbit(want) ? 0 : INFINITY;
    else
        error = error_of(b, f, have, want);
    if (!(error <= b->allowed))
        fail_msg("%s(%a) = %a, exactly %a: error %g, allowed %g", hd_op_info[b->op].name, x, have,
                 want, error, b->allowed);
    b->found = error > b->found ? error : b->found;
}

static void tell(const struct bound *b)
{
    static const char *const units[] = {"absolute", "relative", "ulp"};
    const struct hd_op_info *o = &hd_op_info[b->op];
    double two = b->measure == ULP ? b->found : log2(b->found), most = log2(b->allowed);

    if (b->measure == ULP)
        print_message("%s%s.%s [%g, %g]: %.3f of %g ulp\n", o->name,
                      b->mods & HD_MOD_FTZ ? ".ftz" : "", hd_type_names[o->type], b->least, b->most,
                      two, b->allowed);
    else
        print_message("%s%s.%s [%g, %g]: 2^%.1f of 2^%.1f %s\n", o->name,
                      b->mods & HD_MOD_FTZ ? ".ftz" : "", hd_type_names[o->type], b->least, b->most,
                      two, most, units[b->measure]);
}

static _Alignas(64) uint32_t rows[6 * HD_LANES];
static const struct hd_lane_regs regs = {.rows = rows};

static void run(int op, uint16_t mods, int a, int b, int d)
{
    struct hd_insn in = {
        .op = (uint16_t)op, .mods = mods, .vec = 1, .dst = d, .src = {a, b, HD_ROW_NONE}};

    hd_lanes_pick()[op](&in, &regs, UINT32_MAX, 1);
}

static double f32_at(unsigned at)
{
    float f;

    memcpy(&f, &rows[at], sizeof f);
    return (double)f;
}

static double f16_of_bits(uint32_t h)
{
    int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
    double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);

    return h & 0x8000 ? -v : v;
}

// --- f32

static void sweep(struct bound *b)
{
    for (uint64_t u = 0; u <= UINT32_MAX; u += (uint64_t)stride * HD_LANES) {
        for (uint32_t l = 0; l < HD_LANES; l++)
            rows[l] = (uint32_t)u + l * stride;
        run(b->op, b->mods, 0, 0, 1);
        for (unsigned l = 0; l < HD_LANES; l++)
            check(b, &f32, f32_at(l), f32_at(HD_LANES + l));
    }
    tell(b);
}

static void single_precision(void **state)
{
    const double pi = 3.14159265358979323846, max = INFINITY, some = 3.4028234663852886e38;
    struct bound bounds[] = {
        {HD_OP_SIN_APPROX_F32, 0, sin, -2 * pi, 2 * pi, ABSOLUTE, 0x1.6ap-21, 0}, // 2^-20.5
        {HD_OP_COS_APPROX_F32, 0, cos, -2 * pi, 2 * pi, ABSOLUTE, 0x1.6ap-21, 0},
        {HD_OP_SIN_APPROX_F32, 0, sin, -100 * pi, 100 * pi, ABSOLUTE, 0x1.3bp-15, 0}, // 2^-14.7
        {HD_OP_COS_APPROX_F32, 0, cos, -100 * pi, 100 * pi, ABSOLUTE, 0x1.3bp-15, 0},
        // ours hold everywhere
        {HD_OP_SIN_APPROX_F32, 0, sin, -some, some, ABSOLUTE, 0x1p-24, 0},
        {HD_OP_COS_APPROX_F32, 0, cos, -some, some, ABSOLUTE, 0x1p-24, 0},
        {HD_OP_EX2_APPROX_F32, 0, exp2, -max, max, ULP, 2.5, 0}, // 2 of the rounded result
        {HD_OP_LG2_APPROX_F32, 0, log2, 0, max, RELATIVE, 0x1p-22, 0},
        {HD_OP_LG2_APPROX_F32, 0, log2, 0.5, 2, ABSOLUTE, 0x1p-22, 0},
        {HD_OP_RCP_APPROX_F32, 0, rcp, -max, max, ULP, 1, 0},
        {HD_OP_SQRT_APPROX_F32, 0, sqrt, 0, max, RELATIVE, 0x1p-23, 0},
        {HD_OP_RSQRT_APPROX_F32, 0, rsqrt, 0, max, RELATIVE, 0x1.12p-23, 0}, // 2^-22.9
        {HD_OP_TANH_APPROX_F32, 0, tanh, -max, max, RELATIVE, 0x1p-11, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        sweep(&bounds[i]);
        if (!(hd_op_mods(bounds[i].op) & HD_MOD_FTZ))
            continue;
        bounds[i].mods = HD_MOD_FTZ;
        bounds[i].found = 0;
        sweep(&bounds[i]);
    }
}

static uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// Quotients of any bits, a quarter of them of numbers near in size.
static double divisor; // of the pair being checked
static double quotient(double a)
{
    return a / divisor;
}

static void divide(struct bound *b, double low, double high)
{
    for (uint32_t n = 0; n < 1u << 22; n += HD_LANES) {
        for (uint32_t l = 0; l < HD_LANES; l++) {
            uint32_t x = mix(2 * (n + l) + 1), y = mix(2 * (n + l) + 2);
            rows[l] = x;
            rows[HD_LANES + l] = n & HD_LANES ? y : (x & 0xff800000u) ^ (y >> 7);
        }
        run(b->op, b->mods, 0, 1, 2);
        for (unsigned l = 0; l < HD_LANES; l++) {
            double d = f32_at(HD_LANES + l);
            divisor = b->mods & HD_MOD_FTZ ? flushed(&f32, d) : d;
            if (fabs(d) >= low && fabs(d) <= high)
                check(b, &f32, f32_at(l), f32_at(2 * HD_LANES + l));
        }
    }
    tell(b);
}

static void divisions(void **state)
{
    (void)state;
    for (uint16_t ftz = 0; ftz <= HD_MOD_FTZ; ftz = (uint16_t)(ftz + HD_MOD_FTZ)) {
        divide(&(struct bound){HD_OP_DIV_APPROX_F32, ftz, quotient, -INFINITY, INFINITY, ULP, 2, 0},
               0x1p-126, 0x1p126);
        divide(&(struct bound){HD_OP_DIV_FULL_F32, ftz, quotient, -INFINITY, INFINITY, ULP, 2, 0},
               0, INFINITY);
    }
    // Between 2^126 and 2^128 div.approx gives 0, or of an infinity a NaN.
    for (uint32_t n = 0; n < 1u << 16; n += HD_LANES) {
        for (uint32_t l = 0; l < HD_LANES; l++) {
            rows[l] = (n + l) % 7 ? mix(n + l) : 0x7f800000;
            rows[HD_LANES + l] = (0x7e800001 + mix(n + l) % 0xffffff) | (n + l) << 31;
        }
        run(HD_OP_DIV_APPROX_F32, 0, 0, 1, 2);
        for (unsigned l = 0; l < HD_LANES; l++) {
            double q = f32_at(2 * HD_LANES + l), a = f32_at(l);
            assert_true(isfinite(a) ? q == 0 : q != q);
        }
    }
}

// --- f16: every number, in either half of a pair

static void half_precision(void **state)
{
    static const struct {
        struct bound b;
        int pair;
    } all[] = {
        {{HD_OP_EX2_APPROX_F16, 0, exp2, -INFINITY, INFINITY, RELATIVE, 0x1.12p-10, 0}, // 2^-9.9
         HD_OP_EX2_APPROX_F16X2},
        {{HD_OP_EX2_APPROX_F16, HD_MOD_FTZ, exp2, -INFINITY, INFINITY, RELATIVE, 0x1.12p-10, 0},
         HD_OP_EX2_APPROX_F16X2},
        {{HD_OP_TANH_APPROX_F16, 0, tanh, -INFINITY, INFINITY, ABSOLUTE, 0x1.024p-11, 0}, // 10.987
         HD_OP_TANH_APPROX_F16X2},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct bound b = all[i].b;
        for (uint32_t h = 0; h < 1u << 16; h += HD_LANES) {
            for (uint32_t l = 0; l < HD_LANES; l++) {
                rows[l] = h + l;
                rows[HD_LANES + l] = (h + l) << 16 | ((h + l) * 40503u & 0xffff);
            }
            run(b.op, b.mods, 0, 0, 2);
            run(all[i].pair, b.mods, 1, 1, 3);
            for (unsigned l = 0; l < HD_LANES; l++) {
                uint32_t one = rows[2 * HD_LANES + l], two = rows[3 * HD_LANES + l];
                check(&b, &f16, f16_of_bits(rows[l]), f16_of_bits(one));
                assert_int_equal(two >> 16, one);
                check(&b, &f16, f16_of_bits(rows[HD_LANES + l] & 0xffff),
                      f16_of_bits(two & 0xffff));
            }
        }
        tell(&b);
    }
}

// --- f64: formats with an upper word alone

static void put_f64(unsigned at, uint64_t u)
{
    // A pair of rows is an array of 64-bit lanes.
    memcpy((uint8_t *)rows + 8 * at, &u, sizeof u);
}

static uint64_t get_f64(unsigned at)
{
    uint64_t u;

    memcpy(&u, (uint8_t *)(rows + 2 * HD_LANES) + 8 * at, sizeof u);
    return u;
}

static double as_f64(uint64_t u)
{
    double d;

    memcpy(&d, &u, sizeof d);
    return d;
}

// The reciprocal, or that of the root, of the upper word of a; only an upper word comes out.
static void check_upper(int op, uint64_t a, uint64_t have, double *found)
{
    double x = as_f64(a >> 32 << 32), want;

    if (fabs(x) < 0x1p-1022)
        x = copysign(0, x);
    want = op == HD_OP_RCP_APPROX_F64 ? 1 / x : 1 / sqrt(x);
    if (want != want) {
        if (as_f64(have) == as_f64(have))
            fail_msg("%s(%a) = %a", hd_op_info[op].name, x, as_f64(have));
        return;
    }
    if ((uint32_t)have)
        fail_msg("%s(%a) has a lower word: 0x%llx", hd_op_info[op].name, x,
                 (unsigned long long)have);
    if (isinf(want) || want == 0 || fabs(want) < 0x1p-1022) {
        double flat = isinf(want) ? want : copysign(0, want);
        if (as_f64(have) != flat || !signbit(as_f64(have)) != !signbit(flat))
            fail_msg("%s(%a) = %a", hd_op_info[op].name, x, as_f64(have));
        return;
    }
    double error = fabs(as_f64(have) / want - 1);
    *found = error > *found ? error : *found;
    if (!(error < 0x1p-20)) // of 20 bits of fraction
        fail_msg("%s(%a) = %a, exactly %a", hd_op_info[op].name, x, as_f64(have), want);
}

static void double_precision(void **state)
{
    static const uint64_t special[] = {0,
                                       1,
                                       UINT64_C(0x7ff0000000000000),
                                       UINT64_C(0x7ff8000000000000),
                                       UINT64_C(0x000fffffffffffff),
                                       UINT64_C(0x0010000000000000),
                                       UINT64_C(0x7fefffffffffffff),
                                       UINT64_C(0x3ff0000000000000),
                                       UINT64_C(0x3fffffffffffffff),
                                       UINT64_C(0x7fd0000000000000),
                                       UINT64_C(0x7fd0000100000000)};
    const uint32_t n_special = sizeof special / sizeof *special;
    static const int ops[] = {HD_OP_RCP_APPROX_F64, HD_OP_RSQRT_APPROX_F64, HD_OP_RSQRT_APPROX_F64};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        uint16_t mods = i < 2 ? HD_MOD_FTZ : 0;
        double found = 0;
        for (uint32_t n = 0; n < 1u << 21; n += HD_LANES) {
            uint64_t in[HD_LANES];
            for (uint32_t l = 0; l < HD_LANES; l++) {
                uint32_t k = n + l;
                in[l] = k < 2 * n_special ? special[k / 2] | (uint64_t)(k & 1) << 63
                                          : (uint64_t)mix(2 * k) << 32 | mix(2 * k + 1);
                put_f64(l, in[l]);
            }
            run(ops[i], mods, 0, 0, 2);
            for (uint32_t l = 0; l < HD_LANES; l++) {
                double x = as_f64(in[l]), y = as_f64(get_f64(l)), want = 1 / sqrt(x);
                if (mods)
                    check_upper(ops[i], in[l], get_f64(l), &found);
                else if (want != want ? y == y : y != want && !(fabs(y / want - 1) < 0x1p-51))
                    fail_msg("rsqrt.approx.f64(%a) = %a, exactly %a", x, y, want);
            }
        }
        if (mods)
            print_message("%s.ftz.f64: 2^%.2f of 2^-20 relative\n", hd_op_info[ops[i]].name,
                          log2(found));
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_precision), cmocka_unit_test(divisions),
        cmocka_unit_test(half_precision), cmocka_unit_test(double_precision)};

    if (argc > 1)
        stride = (uint32_t)strtoul(argv[1], NULL, 0);
    return cmocka_run_group_tests_name("approx", tests, NULL, NULL);
}
