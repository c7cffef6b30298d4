// test_readings.c - which combinations of readings are tried, and what a claim's values come to.
#include "paper/readings.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct hd_readings_change age = {HD_READINGS_PARAM, 0, "age", "age=0"};
static struct hd_readings_change age_of_another = {HD_READINGS_PARAM, 1, "age", "age=0"};
static struct hd_readings_change another_policy = {HD_READINGS_SPEC, 0, "", "gto"};
static struct hd_readings_change spread = {HD_READINGS_SET, 0, "mem.spread", "mem.spread=4352"};
static struct hd_readings_change seed = {HD_READINGS_SEED, 0, "seed", "2"};

static struct hd_readings_value of(const char *name, struct hd_readings_change *c)
{
    return (struct hd_readings_value){.name = name, .changes = c, .n = 1, .cap = 1};
}

// Three axes of two, one and two readings.
static unsigned make_axes(struct hd_arena *a, struct hd_readings_axis axes[3])
{
    static const unsigned n[] = {2, 1, 2};
    struct hd_readings_change *const changes[3][2] = {
        {&age, &another_policy}, {&age, NULL}, {&spread, &seed}};

    for (unsigned i = 0; i < 3; i++) {
        axes[i] = (struct hd_readings_axis){.name = "axis", .n = n[i]};
        axes[i].values = HD_ARRAY(a, struct hd_readings_value, n[i]);
        for (unsigned k = 0; k < n[i]; k++)
            axes[i].values[k] = of("reading", changes[i][k]);
    }
    return 3;
}

static void test_points(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_readings_axis axes[3];
    struct hd_readings_points points = {0}, pairs = {0};
    unsigned n = make_axes(a, axes);

    (void)state;
    hd_readingsdesign_singles(a, axes, n, &points);
    assert_int_equal(points.n, 6);
    assert_int_equal(points.items[0].n, 0);
    for (size_t i = 1; i < points.n; i++)
        assert_int_equal(points.items[i].n, 1);
    assert_int_equal(points.items[2].axis[0], 0);
    assert_int_equal(points.items[2].value[0], 1);
    assert_int_equal(points.items[3].axis[0], 1);
    assert_int_equal(points.items[5].axis[0], 2);
    assert_int_equal(points.items[5].value[0], 1);

    hd_readingsdesign_pairs(a, axes, 0, 2, &pairs);
    assert_int_equal(pairs.n, 4);
    assert_int_equal(pairs.items[3].axis[0], 0);
    assert_int_equal(pairs.items[3].axis[1], 2);
    assert_int_equal(pairs.items[3].value[0], 1);
    assert_int_equal(pairs.items[3].value[1], 1);

    // The same parameter, and a policy in the place of the one whose parameter it is.
    pairs = (struct hd_readings_points){0};
    hd_readingsdesign_pairs(a, axes, 0, 1, &pairs);
    assert_int_equal(pairs.n, 0);
    hd_arena_free(a);
}

static void test_exclusion(void **state)
{
    const struct hd_readings_value one = of("one", &age), other = of("other", &age_of_another);
    const struct hd_readings_value machine = of("machine", &spread), input = of("input", &seed);

    (void)state;
    assert_true(hd_readingsaxes_exclude(&one, &one));
    assert_false(hd_readingsaxes_exclude(&one, &other));
    assert_true(hd_readingsaxes_exclude(&machine, &machine));
    assert_true(hd_readingsaxes_exclude(&input, &input));
    assert_false(hd_readingsaxes_exclude(&machine, &input));
    assert_false(hd_readingsaxes_exclude(&machine, &one));
}

#define GOOD(v, agree)                                                                             \
    {                                                                                              \
        .applies = true, .good = true, .agrees = (agree), .ours = (v)                              \
    }

static void test_range(void **state)
{
    struct hd_arena *a = hd_arena_new();
    const struct hd_readings_result results[] = {GOOD(2, true),
                                                 GOOD(-1, false),
                                                 {.applies = false, .good = true, .ours = 50},
                                                 GOOD(7, false),
                                                 {.applies = true, .ours = (double)NAN},
                                                 GOOD(4, true)};
    struct hd_readings_range r = hd_readingsdesign_range(a, results, 6);

    (void)state;
    assert_int_equal(r.n, 4);
    assert_int_equal(r.agree, 2);
    assert_true(fabs(r.least - -1) < 1e-12 && fabs(r.median - 3) < 1e-12 &&
                fabs(r.most - 7) < 1e-12);
    r = hd_readingsdesign_range(a, results, 4); // an odd number of them
    assert_true(r.n == 3 && fabs(r.median - 2) < 1e-12);
    r = hd_readingsdesign_range(a, results + 4, 1);
    assert_true(!r.n && !r.agree && isnan(r.least) && isnan(r.median) && isnan(r.most));
    const struct hd_readings_result order = GOOD((double)NAN, true); // an order has no number
    r = hd_readingsdesign_range(a, &order, 1);
    assert_true(r.n == 1 && r.agree == 1 && isnan(r.median));
    hd_arena_free(a);
}

static void test_moves(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_readings_axis axes[3];
    struct hd_readings_points points = {0};
    const struct hd_readings_result results[] = {
        GOOD(10, true), GOOD(9, true), GOOD(13, true),
        GOOD(10, true), GOOD(2, true), {.applies = true, .ours = (double)NAN},
        GOOD(90, true)};
    double moves[3];
    unsigned strongest[2];

    (void)state;
    hd_readingsdesign_singles(a, axes, make_axes(a, axes), &points);
    hd_readingsdesign_pairs(a, axes, 0, 2, &points); // a pair is no axis's
    hd_readingsdesign_moves(&points, results, 3, moves);
    assert_true(fabs(moves[0] - 3) < 1e-12 && fabs(moves[1]) < 1e-12 && fabs(moves[2] - 8) < 1e-12);
    assert_int_equal(hd_readingsdesign_largest(moves, 3), 2);
    assert_true(hd_readingsdesign_strongest(moves, 3, strongest));
    assert_int_equal(strongest[0], 0); // in the order of the file
    assert_int_equal(strongest[1], 2);

    const double equal[] = {1, 4, 4, 4}, one[] = {0, 4, 0}, none[] = {0, 0};
    assert_int_equal(hd_readingsdesign_largest(equal, 4), 1);
    assert_true(hd_readingsdesign_strongest(equal, 4, strongest));
    assert_true(strongest[0] == 1 && strongest[1] == 2);
    assert_false(hd_readingsdesign_strongest(one, 3, strongest));
    assert_false(hd_readingsdesign_strongest(none, 2, strongest));
    assert_int_equal(hd_readingsdesign_largest(none, 2), 2);
    hd_arena_free(a);
}

static void test_strip(void **state)
{
    struct hd_arena *a = hd_arena_new();
    const struct hd_readings_result results[] = {GOOD(0, true), GOOD(10, true), GOOD(10.01, true),
                                                 GOOD(40, true), GOOD((double)NAN, true)};

    (void)state;
    assert_string_equal(hd_readingssheets_strip(a, results, 5, 20),
                        "o---------:---------P-------------------.");
    assert_string_equal(hd_readingssheets_strip(a, results, 5, 40),
                        "o---------:-----------------------------@");
    assert_string_equal(hd_readingssheets_strip(a, results, 1, -10),
                        "P---------------------------------------o");
    assert_string_equal(hd_readingssheets_strip(a, results, 1, 0),
                        "@----------------------------------------");
    hd_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points), cmocka_unit_test(test_exclusion),
        cmocka_unit_test(test_range),  cmocka_unit_test(test_moves),
        cmocka_unit_test(test_strip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
