// test_half.c - half precision over all its numbers, against a scalar reference in double.
//
// A double holds every f16, every sum and every product of two exactly, so the reference computes
// there and rounds once, with integers. Operations of one operand see all 65,536 values, in both
// halves of f16x2 too; those of two see all values against a slice of values (every special one and
// some of the others), or with the argument "all" (make check-exhaustive) all 2^32 pairs.
#include "emu/lanes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ALL = 1 << 16, NAN_BITS = 0x7fff };

static bool exhaustive;
static double number[ALL]; // of each f16

// --- the reference

static double decode(uint32_t h)
{
    int e = (int)(h >> 10 & 31), m = (int)(h & 1023);
    double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);

    return h & 0x8000 ? -v : v;
}

// The nearest f16, ties to even, of a finite double or infinity.
static uint32_t encode(double x)
{
    uint64_t u;

    memcpy(&u, &x, sizeof u);
    uint32_t sign = (uint32_t)(u >> 48) & 0x8000;
    int e = (int)(u >> 52 & 0x7ff) - 1023;
    uint64_t m = (u & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
    if (e > 15)
        return sign | 0x7c00;
    if (e < -25)
        return sign;
    int cut = e < -14 ? 42 + (-14 - e) : 42; // bits below the last one kept
    uint64_t kept = m >> cut, rest = m & ((UINT64_C(1) << cut) - 1),
             half = UINT64_C(1) << (cut - 1);
    kept += rest > half || (rest == half && (kept & 1));
    // A carry out of the fraction is the next exponent, up to infinity.
    return sign | (uint32_t)(e < -14 ? kept : kept + ((uint64_t)(e + 14) << 10));
}

static bool nan_bits(uint32_t h)
{
    return (h & 0x7fff) > 0x7c00;
}

static uint32_t flushed(uint32_t h)
{
    return h & 0x7c00 ? h : h & 0x8000;
}

static uint32_t rounded(double x)
{
    return x != x ? NAN_BITS : encode(x);
}

static uint32_t reference(int op, uint32_t a, uint32_t b)
{
    double x = number[a], y = number[b];

    switch (op) {
    case HD_OP_ADD_F16:
        return rounded(x + y);
    case HD_OP_SUB_F16:
        return rounded(x - y);
    case HD_OP_MUL_F16:
        return rounded(x * y);
    default: // a NaN is no number to choose; -0 is less than +0
        if (nan_bits(a) || nan_bits(b))
            return nan_bits(a) && nan_bits(b) ? NAN_BITS : nan_bits(a) ? b : a;
        bool less = x < y || (x == y && a > b);
        return (op == HD_OP_MIN_F16) == less ? a : b;
    }
}

static bool compares(unsigned how, double x, double y)
{
    bool unordered = x != x || y != y;

    switch (how) {
    case HD_CMP_EQ:
        return x == y;
    case HD_CMP_NE:
        return !unordered && x != y;
    case HD_CMP_LT:
        return x < y;
    case HD_CMP_LE:
        return x <= y;
    case HD_CMP_GT:
        return x > y;
    case HD_CMP_GE:
        return x >= y;
    case HD_CMP_NUM:
        return !unordered;
    case HD_CMP_NAN:
        return unordered;
    default: // EQU to GEU
        return unordered || compares(how - HD_CMP_EQU + HD_CMP_EQ, x, y);
    }
}

// --- running handlers

static _Alignas(64) uint32_t rows[6 * HD_LANES], preds[2];
static const struct hd_lane_regs regs = {.rows = rows, .preds = preds};

static void run(int op, uint16_t mods)
{
    struct hd_insn in = {.op = (uint16_t)op, .mods = mods, .vec = 1, .dst = 2, .src = {0, 1, 1}};

    if (hd_op_info[op].shape == HD_SHAPE_PAB)
        in.dst = (int32_t)0xffff0000u;
    hd_lanes_pick()[op](&in, &regs, UINT32_MAX, 1);
}

static void expect(int op, uint16_t mods, unsigned lane, uint32_t want)
{
    uint32_t have = rows[2 * HD_LANES + lane];

    if (have != want)
        fail_msg("%s.%s, modifiers 0x%x, of 0x%x and 0x%x: 0x%x, not 0x%x", hd_op_info[op].name,
                 hd_type_names[hd_op_info[op].type], mods, rows[lane], rows[HD_LANES + lane], have,
                 want);
}

// All values against b in rows 0 and 1.
static void against(int op, uint16_t mods, uint32_t b)
{
    bool ftz = mods & HD_MOD_FTZ, sat = mods & HD_MOD_SAT;
    uint32_t y = ftz ? flushed(b) : b;

    for (unsigned l = 0; l < HD_LANES; l++)
        rows[HD_LANES + l] = b;
    for (uint32_t a = 0; a < ALL; a += HD_LANES) {
        for (uint32_t l = 0; l < HD_LANES; l++)
            rows[l] = a + l;
        run(op, mods);
        for (uint32_t l = 0; l < HD_LANES; l++) {
            uint32_t want = reference(op, ftz ? flushed(a + l) : a + l, y);
            if (ftz)
                want = flushed(want);
            if (sat)
                want = nan_bits(want) || want & 0x8000 ? 0 : want > 0x3c00 ? 0x3c00 : want;
            if (rows[2 * HD_LANES + l] != want)
                expect(op, mods, l, want);
        }
    }
}

static void compare_against(uint16_t mods, uint32_t b)
{
    bool ftz = mods & HD_MOD_FTZ;

    for (unsigned l = 0; l < HD_LANES; l++)
        rows[HD_LANES + l] = b;
    for (uint32_t a = 0; a < ALL; a += HD_LANES) {
        uint32_t want = 0;
        for (uint32_t l = 0; l < HD_LANES; l++) {
            rows[l] = a + l;
            want |= (uint32_t)compares(mods & HD_MOD_ENUM, number[ftz ? flushed(a + l) : a + l],
                                       number[ftz ? flushed(b) : b])
                    << l;
        }
        run(HD_OP_SETP_F16, mods);
        if (preds[0] != want)
            fail_msg("setp.%s.f16, modifiers 0x%x, of 0x%x.. and 0x%x: 0x%x, not 0x%x",
                     hd_cmp_names[mods & HD_MOD_ENUM], mods, a, b, preds[0], want);
    }
}

// The values that stand for all others: around each power of two, zeros, infinities, NaNs, and one
// in `step` of the rest.
static bool in_slice(uint32_t b, uint32_t step)
{
    uint32_t m = b & 1023;

    return exhaustive || m == 0 || (m == 1023 && b % 4096 > 3000) || b % step == 0 ||
           (b & 0x7fff) <= 2 || (nan_bits(b) && b % 509 == 0);
}

static int fill(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < ALL; h++)
        number[h] = decode(h);
    return 0;
}

// --- tests

// The reference itself: what is an f16 already stays as it is.
static void round_trip(void **state)
{
    (void)state;
    for (uint32_t h = 0; h < ALL; h++)
        if (!nan_bits(h))
            assert_int_equal(encode(number[h]), h);
    assert_int_equal(encode(65519.99), 0x7bff);
    assert_int_equal(encode(65520), 0x7c00);
    assert_int_equal(encode(0x1p-25), 0);
    assert_int_equal(encode(-0x1.0001p-25), 0x8001);
}

static void pairs(void **state)
{
    static const int ops[] = {HD_OP_ADD_F16, HD_OP_MUL_F16, HD_OP_MIN_F16, HD_OP_MAX_F16,
                              HD_OP_SUB_F16};

    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (uint32_t b = 0; b < ALL; b++)
            if (in_slice(b, 911))
                against(ops[i], 0, b);
}

static void pairs_with_modifiers(void **state)
{
    static const int ops[] = {HD_OP_ADD_F16, HD_OP_MUL_F16, HD_OP_MIN_F16, HD_OP_MAX_F16,
                              HD_OP_SUB_F16};

    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (uint32_t b = 0; b < ALL; b += 211) {
            bool saturates = hd_op_mods(ops[i]) & HD_MOD_SAT;
            against(ops[i], HD_MOD_FTZ, b & 1 ? b : b & 0x83ff);
            if (saturates)
                against(ops[i], (uint16_t)(b & 2 ? HD_MOD_SAT : HD_MOD_SAT | HD_MOD_FTZ), b);
        }
}

static void comparisons(void **state)
{
    (void)state;
    for (unsigned how = 0; how < HD_N_CMPS; how++)
        for (uint32_t b = 0; b < ALL; b++)
            if (hd_op_accepts(HD_OP_SETP_F16, how) &&
                (how == HD_CMP_LT || how == HD_CMP_EQU ? in_slice(b, 911) : b % 1021 == how)) {
                compare_against((uint16_t)how, b);
                if (b % 16 == 1)
                    compare_against((uint16_t)(how | HD_MOD_FTZ), b & 0x83ff);
            }
}

// Both halves of f16x2 are the f16 operation.
static void both_halves(void **state)
{
    static const int ops[][2] = {{HD_OP_ADD_F16X2, HD_OP_ADD_F16},
                                 {HD_OP_MUL_F16X2, HD_OP_MUL_F16},
                                 {HD_OP_SUB_F16X2, HD_OP_SUB_F16},
                                 {HD_OP_MIN_F16X2, HD_OP_MIN_F16},
                                 {HD_OP_MAX_F16X2, HD_OP_MAX_F16}};

    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
        for (uint32_t n = 0; n < 16 * ALL; n += HD_LANES) {
            for (uint32_t l = 0; l < HD_LANES; l++) {
                uint32_t k = n + l;
                rows[l] = (k & 0xffff) | (k * 40503u) << 16;
                rows[HD_LANES + l] = k * 2654435761u;
            }
            run(ops[i][0], 0);
            for (uint32_t l = 0; l < HD_LANES; l++) {
                uint32_t a = rows[l], b = rows[HD_LANES + l];
                expect(ops[i][0], 0, l,
                       reference(ops[i][1], a & 0xffff, b & 0xffff) |
                           reference(ops[i][1], a >> 16, b >> 16) << 16);
            }
        }
}

// fma rounds once. A double may round the sum of an exact product and a number; what it lost tells
// on which side of the rounded sum the true one lies, and that decides where the rounded one is a
// tie.
static uint32_t fused(uint32_t a, uint32_t b, uint32_t c)
{
    double p = number[a] * number[b], s = p + number[c], e;

    if (s != s || isinf(s) || s == 0)
        return rounded(s);
    e = fabs(p) > fabs(number[c]) ? number[c] - (s - p) : p - (s - number[c]);
    return encode(e > 0 ? nextafter(s, INFINITY) : e < 0 ? nextafter(s, -INFINITY) : s);
}

static void multiply_and_add(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 32 * ALL; n += HD_LANES) {
        struct hd_insn in = {.op = HD_OP_FMA_F16, .vec = 1, .dst = 2, .src = {0, 1, 3}};
        for (uint32_t l = 0; l < HD_LANES; l++) {
            uint32_t k = n + l;
            rows[l] = k & 0xffff;
            rows[HD_LANES + l] = (k * 2654435761u) >> 16;
            rows[3 * HD_LANES + l] = ((k ^ k >> 7) * 2246822519u) >> 16;
        }
        hd_lanes_pick()[in.op](&in, &regs, UINT32_MAX, 1);
        for (uint32_t l = 0; l < HD_LANES; l++)
            expect(in.op, 0, l, fused(rows[l], rows[HD_LANES + l], rows[3 * HD_LANES + l]));
    }
}

// --- one operand

static void signs(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < ALL; a += HD_LANES)
        for (uint16_t ftz = 0; ftz <= HD_MOD_FTZ; ftz = (uint16_t)(ftz + HD_MOD_FTZ))
            for (int pair = 0; pair < 2; pair++) {
                for (uint32_t l = 0; l < HD_LANES; l++)
                    rows[l] = pair ? (a + l) | (ALL - 1 - a - l) << 16 : a + l;
                run(pair ? HD_OP_NEG_F16X2 : HD_OP_NEG_F16, ftz);
                for (uint32_t l = 0; l < HD_LANES; l++) {
                    uint32_t low = rows[l] & 0xffff, high = rows[l] >> 16;
                    low = ftz ? flushed(low) : low;
                    high = ftz ? flushed(high) : high;
                    expect(HD_OP_NEG_F16, ftz, l,
                           pair ? (low ^ 0x8000) | (high ^ 0x8000) << 16 : low ^ 0x8000);
                }
                run(pair ? HD_OP_ABS_F16X2 : HD_OP_ABS_F16, ftz);
                for (uint32_t l = 0; l < HD_LANES; l++) {
                    uint32_t low = rows[l] & 0x7fff, high = rows[l] >> 16 & 0x7fff;
                    low = ftz ? flushed(low) : low;
                    high = ftz ? flushed(high) : high;
                    expect(HD_OP_ABS_F16, ftz, l, pair ? low | high << 16 : low);
                }
            }
}

// To f32 and f64 exactly; to an integral f16 and to integers in every rounding.
static void conversions(void **state)
{
    static const struct {
        int op;
        double least, most;
    } integers[] = {{HD_OP_CVT_U8_F16, 0, 255},          {HD_OP_CVT_S8_F16, -128, 127},
                    {HD_OP_CVT_U16_F16, 0, 65535},       {HD_OP_CVT_S16_F16, -32768, 32767},
                    {HD_OP_CVT_U32_F16, 0, 0xffffffffu}, {HD_OP_CVT_S32_F16, -0x1p31, 0x7fffffff}};
    static double (*const round[])(double) = {rint, trunc, floor, ceil};

    (void)state;
    for (uint32_t a = 0; a < ALL; a++) {
        float f;
        rows[0] = a;
        run(HD_OP_CVT_F32_F16, 0);
        memcpy(&f, &rows[2 * HD_LANES], sizeof f);
        assert_true(nan_bits(a) ? f != f : (double)f == number[a] && !signbit(f) == !(a & 0x8000));
        if (nan_bits(a))
            continue;
        for (unsigned r = 0; r < 4; r++) {
            uint16_t mods = (uint16_t)((HD_RNI + r) << HD_MOD_ROUND_SHIFT);
            double v = round[r](number[a]);
            run(HD_OP_CVT_F16_F16, mods);
            expect(HD_OP_CVT_F16_F16, mods, 0, v == 0 ? a & 0x8000 : encode(v));
            for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
                double least = integers[i].least, most = integers[i].most;
                double c = v < least ? least : v > most ? most : v;
                run(integers[i].op, mods);
                // an infinity ends at the bounds too
                expect(integers[i].op, mods, 0, (uint32_t)(int64_t)c);
            }
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),  cmocka_unit_test(pairs),
        cmocka_unit_test(comparisons), cmocka_unit_test(pairs_with_modifiers),
        cmocka_unit_test(both_halves), cmocka_unit_test(multiply_and_add),
        cmocka_unit_test(signs),       cmocka_unit_test(conversions),
    };

    exhaustive = argc > 1 && !strcmp(argv[1], "all");
    return cmocka_run_group_tests_name("half", tests, fill, NULL);
}
