// test_sample.c - the choice of launches for a sample, and the estimate from it, on runs whose
// cycles are known: the choice is as random as it claims to be, and the interval contains the truth
// about as often as it says.
#include "sample/estimate.h"
#include "sample/sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEEDS 200

static struct hd_arena *arena;
static const int kernels[3]; // their addresses

static int setup(void **state)
{
    (void)state;
    arena = hd_arena_new();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

static struct hd_sample *sample(uint64_t every, uint64_t warm, uint64_t seed)
{
    return hd_sample_new(arena, &(struct hd_sample_options){every, warm, seed});
}

static enum hd_sample_part launch(struct hd_sample *s, unsigned kernel, uint64_t blocks,
                                  uint64_t insts, double cycles)
{
    const struct hd_sample_shape shape = {
        .kernel = &kernels[kernel], .block = {32, 1, 1}, .blocks = blocks, .wave = 100};
    enum hd_sample_part part = hd_sample_begin(s, &shape);

    hd_sample_end(s, insts, part == HD_SAMPLE_UNTIMED ? 0 : (uint64_t)cycles);
    return part;
}

static uint64_t random_state;

// From 0 to 1.
static double any(void)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(random_state >> 40) / (double)(1 << 24);
}

// About normal, with a variance of 1.
static double normal(void)
{
    double sum = 0;

    for (int i = 0; i < 12; i++)
        sum += any();
    return sum - 6;
}

static void every_launch_is_chosen_alike(void **state)
{
    unsigned times[1 + 4 + 16 * 3] = {0}, n = sizeof times / sizeof *times;

    (void)state;
    for (uint64_t seed = 1; seed <= 1600; seed++) {
        struct hd_sample *s = sample(16, 0, seed);
        unsigned chosen = 0;
        for (unsigned i = 0; i < n; i++) {
            bool c = launch(s, 0, 10, 100, 100) == HD_SAMPLE_CHOSEN;
            times[i] += c;
            chosen += c;
        }
        assert_int_equal(chosen, 5); // one of each range
    }
    assert_int_equal(times[0], 1600);
    for (unsigned i = 1; i < 5; i++)
        assert_in_range(times[i], 330, 470);
    for (unsigned i = 5; i < n; i++)
        assert_in_range(times[i], 60, 140);
}

static void the_choice_does_not_depend_on_cycles(void **state)
{
    struct hd_sample *one = sample(8, 0, 3), *other = sample(8, 0, 3), *third = sample(8, 0, 4);
    unsigned differ = 0;

    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        enum hd_sample_part part = launch(one, i % 2, 10, 100, 100);
        assert_int_equal(part, launch(other, i % 2, 10, 5 * i, 7 * i));
        differ += part != launch(third, i % 2, 10, 100, 100);
    }
    assert_in_range(differ, 20, 200);
}

static void warm_up_comes_before_each_chosen_launch(void **state)
{
    struct hd_sample *s = sample(10, 2, 1), *without = sample(10, 0, 1);
    enum hd_sample_part parts[500];
    struct hd_estimate e;
    unsigned warm = 0;

    (void)state;
    for (unsigned i = 0; i < 500; i++) {
        parts[i] = launch(s, 0, 10, 100, 100);
        bool same = (parts[i] == HD_SAMPLE_CHOSEN) ==
                    (launch(without, 0, 10, 100, 100) == HD_SAMPLE_CHOSEN);
        assert_true(same);
        warm += parts[i] == HD_SAMPLE_WARM;
    }
    for (unsigned i = 2; i < 500; i++)
        if (parts[i] == HD_SAMPLE_CHOSEN) {
            assert_int_not_equal(parts[i - 1], HD_SAMPLE_UNTIMED);
            assert_int_not_equal(parts[i - 2], HD_SAMPLE_UNTIMED);
        }
    e = hd_estimate_of(s, NULL);
    assert_int_equal(e.warm, warm);
    assert_int_equal(e.launches, 500);
    assert_true(e.cycles == 50000);
    assert_true(e.error == 0);
}

// Few blocks, one wave, a few waves, many waves: each has its first launch.
static void groups_by_waves(void **state)
{
    static const uint64_t blocks[] = {1, 12, 13, 100, 101, 400, 401, 1600, 1601};
    static const bool first[] = {true, false, true, false, true, false, true, false, true};
    struct hd_sample *s = sample(1000000, 0, 1);

    (void)state;
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        size_t before = s->n_groups;
        enum hd_sample_part part = launch(s, 0, blocks[i], 100, 100);
        assert_int_equal(s->n_groups - before, first[i]);
        if (first[i])
            assert_int_equal(part, HD_SAMPLE_CHOSEN);
    }
}

static void all_launches_chosen_is_exact(void **state)
{
    struct hd_sample *s = sample(2, 0, 1);
    struct hd_estimate e;

    (void)state;
    launch(s, 0, 10, 100, 1234);
    launch(s, 1, 10, 100, 4321);
    e = hd_estimate_of(s, NULL);
    assert_int_equal(e.chosen, 2);
    assert_true(e.cycles == 5555);
    assert_true(e.known);
    assert_true(e.error == 0);
    e = hd_estimate_of(s, &kernels[1]);
    assert_true(e.cycles == 4321);
    assert_int_equal(e.launches, 1);
}

static void too_few_are_not_known(void **state)
{
    struct hd_sample *s = sample(1000, 0, 1);
    struct hd_estimate e;
    unsigned chosen = 0;

    (void)state;
    while (chosen < 2)
        chosen += launch(s, 0, 10, 100, 1000) == HD_SAMPLE_CHOSEN;
    for (unsigned i = 0; i < 10; i++)
        launch(s, 0, 10, 100, 1000);
    e = hd_estimate_of(s, NULL);
    assert_false(e.known);
    assert_true(e.cycles >= 12000);
}

// The first launch is slow, because its code is in no cache.
static void cold_launches_teach_nothing(void **state)
{
    struct hd_sample *s = sample(10, 0, 1);
    struct hd_estimate e;

    (void)state;
    launch(s, 0, 10, 100, 5000);
    for (unsigned i = 1; i < 200; i++)
        launch(s, 0, 10, 100, 1000);
    e = hd_estimate_of(s, NULL);
    assert_true(e.cycles == 5000 + 199 * 1000);
}

static void student_is_student(void **state)
{
    (void)state;
    assert_true(fabs(hd_estimate_student(1) - 12.706) < 0.001);
    assert_true(fabs(hd_estimate_student(4.9) - 2.776) < 0.001);
    assert_true(fabs(hd_estimate_student(29) - 2.045) < 0.001);
    assert_true(fabs(hd_estimate_student(60) - 2.000) < 0.002);
    assert_true(fabs(hd_estimate_student(1e9) - 1.960) < 0.001);
    for (int f = 1; f < 200; f++)
        assert_true(hd_estimate_student(f + 1) <= hd_estimate_student(f));
}

// Runs of 600 launches whose sizes and scatter follow `kind`; how often the interval contains the
// sum, and the mean of the differences.
static unsigned hits(int kind, double *mean_error)
{
    unsigned inside = 0;

    *mean_error = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct hd_sample *s = sample(20, 0, seed);
        double sum = 0;
        random_state = seed * 77;
        for (unsigned i = 0; i < 600; i++) {
            double x = kind == 0 ? 1000 : kind == 1 ? 1000 + 2 * i : 500 + 1000 * any();
            double y = kind == 0   ? 5000 * (1 + 0.1 * normal())
                       : kind == 1 ? (800 + x * x / 1000) * (1 + 0.05 * normal())
                                   : (300 + 2 * x) * (1 + 0.1 * normal());
            uint64_t cycles = (uint64_t)(y + 0.5);
            sum += (double)cycles;
            launch(s, i % 3, 50, (uint64_t)x, (double)cycles);
        }
        struct hd_estimate e = hd_estimate_of(s, NULL);
        double off = e.cycles - sum;
        inside += e.known && fabs(off) <= e.error;
        *mean_error += off / sum / SEEDS;
    }
    return inside;
}

static void intervals_contain_the_truth(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        double mean;
        unsigned inside = hits(kind, &mean);
        assert_in_range(inside, SEEDS * 90 / 100, SEEDS);
        assert_true(fabs(mean) < 0.005);
    }
}

// Two runs of the same 600 launches: what makes a launch slow makes it slow in both, but for
// `apart`. How often the interval of the ratio contains it, and the mean of the errors.
static unsigned ratio_hits(double apart, bool paired, double *mean_error)
{
    unsigned inside = 0;

    *mean_error = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct hd_sample *s = sample(20, 0, seed), *base = sample(20, 0, paired ? seed : seed + 1);
        double sum = 0, base_sum = 0;
        random_state = seed * 91;
        for (unsigned i = 0; i < 600; i++) {
            double x = i % 3 ? 1000 + 2 * i : 1000, y = 5 * x * (1 + 0.1 * normal());
            uint64_t cycles = (uint64_t)(1.07 * y * (1 + apart * normal()));
            sum += (double)cycles;
            base_sum += (double)(uint64_t)y;
            launch(s, i % 3, 50, (uint64_t)x, (double)cycles);
            launch(base, i % 3, 50, (uint64_t)x, y);
        }
        struct hd_estimate_ratio r = hd_estimate_ratio_of(s, base);
        assert_true(r.paired == paired);
        inside += r.known && fabs(r.ratio * base_sum / sum - 1) <= r.error;
        *mean_error += r.error / SEEDS;
    }
    return inside;
}

static void pairs_know_the_ratio_better(void **state)
{
    double paired, apart, noise;

    (void)state;
    assert_in_range(ratio_hits(0.005, true, &paired), SEEDS * 90 / 100, SEEDS);
    assert_in_range(ratio_hits(0.005, false, &apart), SEEDS * 90 / 100, SEEDS);
    assert_in_range(ratio_hits(0.1, true, &noise), SEEDS * 90 / 100, SEEDS);
    assert_true(paired < 0.004);
    assert_true(apart > 10 * paired);
    assert_true(noise > 10 * paired && noise < apart);
}

static void a_ratio_with_itself_is_exact(void **state)
{
    struct hd_sample *s = sample(10, 0, 1), *none = sample(10, 0, 1);

    (void)state;
    random_state = 5;
    for (unsigned i = 0; i < 300; i++)
        launch(s, i % 2, 10, 100 + i, 1000 * (1 + any()));
    struct hd_estimate_ratio r = hd_estimate_ratio_of(s, s);
    assert_true(r.paired && r.known);
    assert_true(r.ratio == 1 && r.error == 0);
    r = hd_estimate_ratio_of(s, none);
    assert_true(r.ratio == 0 && !r.known && !r.paired);
}

static void other_instructions_are_no_pairs(void **state)
{
    struct hd_sample *s = sample(10, 0, 1), *base = sample(10, 0, 1);

    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        launch(s, 0, 10, 100, 1000);
        launch(base, 0, 10, i == 40 ? 101 : 100, 1000);
    }
    assert_false(hd_estimate_ratio_of(s, base).paired);
}

// What was written down of a run has the same estimate.
static void restored_is_the_same(void **state)
{
    struct hd_sample *s = sample(7, 1, 3), *again = sample(7, 1, 3);
    struct hd_sample_launch first = {.part = HD_SAMPLE_CHOSEN};

    (void)state;
    random_state = 9;
    for (unsigned i = 0; i < 300; i++) {
        launch(s, i % 3, i % 2 ? 10 : 1000, 100 + i % 50, 1000 * (1 + any()));
        assert_null(s->current);
    }
    for (size_t g = 0; g < s->n_groups; g++)
        for (size_t i = 0; i < s->groups[g]->n; i++)
            assert_true(hd_sample_restore(again, g, s->groups[g]->shape.kernel,
                                          &s->groups[g]->launches[i]));
    assert_false(hd_sample_restore(again, s->n_groups + 1, &kernels[0], &first));
    struct hd_estimate a = hd_estimate_of(s, NULL), b = hd_estimate_of(again, NULL);
    assert_true(a.cycles == b.cycles && a.error == b.error && a.chosen == b.chosen);
    assert_true(hd_estimate_ratio_of(s, again).paired);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_launch_is_chosen_alike, setup, teardown),
        cmocka_unit_test_setup_teardown(the_choice_does_not_depend_on_cycles, setup, teardown),
        cmocka_unit_test_setup_teardown(warm_up_comes_before_each_chosen_launch, setup, teardown),
        cmocka_unit_test_setup_teardown(groups_by_waves, setup, teardown),
        cmocka_unit_test_setup_teardown(all_launches_chosen_is_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(too_few_are_not_known, setup, teardown),
        cmocka_unit_test_setup_teardown(cold_launches_teach_nothing, setup, teardown),
        cmocka_unit_test(student_is_student),
        cmocka_unit_test_setup_teardown(intervals_contain_the_truth, setup, teardown),
        cmocka_unit_test_setup_teardown(pairs_know_the_ratio_better, setup, teardown),
        cmocka_unit_test_setup_teardown(a_ratio_with_itself_is_exact, setup, teardown),
        cmocka_unit_test_setup_teardown(other_instructions_are_no_pairs, setup, teardown),
        cmocka_unit_test_setup_teardown(restored_is_the_same, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
