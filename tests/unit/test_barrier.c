// test_barrier.c - when barriers open: PTX ISA, bar.sync and bar.arrive.
#include "hw/barrier.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct hd_barriers b;

static uint64_t arrive(unsigned id, int warp, bool waits, unsigned threads)
{
    return hd_barrier_arrive(
        &b, warp, &(struct hd_barrier_arrival){.id = id, .waits = waits, .threads = threads});
}

static void opens_when_all_have_arrived(void **state)
{
    (void)state;
    hd_barrier_start(&b, 0x7); // warps 0, 1, 2
    assert_int_equal(arrive(0, 1, true, 0), 0);
    assert_int_equal(arrive(0, 0, true, 0), 0);
    assert_int_equal(hd_barrier_waiting(&b), 0x3);
    assert_int_equal(arrive(0, 2, true, 0), 0x7);
    assert_int_equal(hd_barrier_waiting(&b), 0);
    // And again: nothing is left over from the first time.
    assert_int_equal(arrive(0, 2, true, 0), 0);
}

static void an_ended_warp_is_not_waited_for(void **state)
{
    (void)state;
    hd_barrier_start(&b, 0x7);
    assert_int_equal(arrive(0, 0, true, 0), 0);
    assert_int_equal(arrive(0, 1, true, 0), 0);
    assert_int_equal(hd_barrier_exit(&b, 2), 0x3);
}

static void with_a_count_an_ended_warp_does_not_help(void **state)
{
    (void)state;
    hd_barrier_start(&b, 0x7);
    assert_int_equal(arrive(1, 0, true, 64), 0);
    assert_int_equal(hd_barrier_exit(&b, 2), 0);
    assert_int_equal(arrive(1, 1, true, 64), 0x3);
}

static void producers_arrive_and_go_on(void **state)
{
    (void)state;
    hd_barrier_start(&b, 0x3);
    assert_int_equal(arrive(3, 0, false, 64), 0);
    assert_int_equal(hd_barrier_waiting(&b), 0);
    assert_int_equal(arrive(3, 1, true, 64), 0x2);
}

static void barriers_are_independent(void **state)
{
    (void)state;
    hd_barrier_start(&b, 0xf);
    assert_int_equal(arrive(0, 0, true, 64), 0);
    assert_int_equal(arrive(15, 2, true, 64), 0);
    assert_int_equal(arrive(15, 3, true, 64), 0xc);
    assert_int_equal(hd_barrier_waiting(&b), 0x1);
}

static void parts_of_warps_arrive_where_threads_are_counted(void **state)
{
    (void)state;
    hd_barrier_start(&b, 0x3);
    struct hd_barrier_arrival half = {.id = 1, .waits = true, .threads = 64, .lanes = 16};
    assert_int_equal(hd_barrier_arrive(&b, 0, &half), 0);
    half.id = 2;
    assert_int_equal(hd_barrier_arrive(&b, 0, &half), 0); // the other half, at another barrier
    half.lanes = 32;
    assert_int_equal(hd_barrier_arrive(&b, 1, &half), 0);
    half.lanes = 16;
    assert_int_equal(hd_barrier_arrive(&b, 1, &half), 0x3); // 64 threads
    assert_int_equal(hd_barrier_waiting(&b), 0x1);          // at barrier 1
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_when_all_have_arrived),
        cmocka_unit_test(an_ended_warp_is_not_waited_for),
        cmocka_unit_test(with_a_count_an_ended_warp_does_not_help),
        cmocka_unit_test(producers_arrive_and_go_on),
        cmocka_unit_test(barriers_are_independent),
        cmocka_unit_test(parts_of_warps_arrive_where_threads_are_counted),
    };
    return cmocka_run_group_tests_name("barrier", tests, NULL, NULL);
}
