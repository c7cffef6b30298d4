// test_metrics.c - the arithmetic of gpu/metrics.h on numbers worked out by hand. What is recorded
// of a run is tested from outside, in tests/cli/test_metrics.sh.
#include "gpu/metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void rtru_of_one_phase(void **unused)
{
    // ours, with BAWS's formula (1): (0 + 2 + 4 + 0) / (4 * 10)
    const uint64_t four[] = {10, 8, 6, 10}, even[] = {7, 7, 7}, none[] = {0, 0};

    (void)unused;
    assert_int_equal(hd_metrics_rtru(four, 4), 15 * (HD_METRICS_ONE / 100));
    assert_int_equal(hd_metrics_rtru(even, 3), 0);
    assert_int_equal(hd_metrics_rtru(four, 1), 0);
    assert_int_equal(hd_metrics_rtru(none, 2), 0);
    // One warp does everything: the limit is (n - 1) / n.
    assert_int_equal(hd_metrics_rtru((const uint64_t[]){0, 0, 0, 5}, 4),
                     75 * (HD_METRICS_ONE / 100));
}

static void shares_of_long_times(void **unused)
{
    const uint64_t year = UINT64_C(1) << 55; // cycles; its product with the unit has no room

    (void)unused;
    assert_int_equal(hd_metrics_share(1, 3), 333333333);
    assert_int_equal(hd_metrics_share(5, 0), 0);
    assert_in_range(hd_metrics_share(year / 2, year), HD_METRICS_ONE / 2 - 100, HD_METRICS_ONE / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rtru_of_one_phase),
        cmocka_unit_test(shares_of_long_times),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
