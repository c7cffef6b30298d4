// test_wheel.c - the event wheel against a plain list that does the same slowly.
#include "hw/wheel.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { N_EVENTS = 200 };

static struct hd_arena *arena;
static struct hd_wheel wheel;

static int setup(void **state)
{
    (void)state;
    arena = hd_arena_new();
    hd_wheel_init(&wheel, arena, N_EVENTS);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

static void expect(uint64_t cycle, uint32_t arg)
{
    struct hd_wheel_event e;

    assert_true(hd_wheel_take(&wheel, cycle, &e));
    assert_int_equal(e.arg, arg);
}

static void empty(void **state)
{
    struct hd_wheel_event e;

    (void)state;
    assert_true(hd_wheel_empty(&wheel));
    assert_true(hd_wheel_next(&wheel) == UINT64_MAX);
    assert_false(hd_wheel_take(&wheel, 1, &e));
}

static void same_cycle_in_order_of_entry(void **state)
{
    struct hd_wheel_event e;

    (void)state;
    for (uint32_t i = 0; i < 5; i++)
        hd_wheel_put(&wheel, 7, 1, 2, i);
    assert_int_equal(hd_wheel_next(&wheel), 7);
    for (uint32_t i = 0; i < 5; i++)
        expect(7, i);
    assert_false(hd_wheel_take(&wheel, 7, &e));
    assert_true(hd_wheel_empty(&wheel));
}

static void longest_reach(void **state)
{
    (void)state;
    hd_wheel_put(&wheel, HD_WHEEL - 1, 0, 0, 1);
    assert_int_equal(hd_wheel_next(&wheel), HD_WHEEL - 1);
    expect(HD_WHEEL - 1, 1);
    // Wraps: the slot just behind `now` is the furthest ahead.
    hd_wheel_put(&wheel, 2 * HD_WHEEL - 2, 0, 0, 2);
    assert_int_equal(hd_wheel_next(&wheel), 2 * HD_WHEEL - 2);
    expect(2 * HD_WHEEL - 2, 2);
}

// Random puts and takes; a list sorted by (cycle, order of entry) is the truth.
static void like_a_list(void **state)
{
    struct {
        uint64_t cycle;
        uint32_t arg;
    } list[N_EVENTS];
    unsigned n = 0;
    uint64_t now = 0, random = 1;
    uint32_t order = 0;

    (void)state;
    for (unsigned step = 0; step < 20000; step++) {
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (n < N_EVENTS && (random >> 60) < 9) {
            uint64_t cycle = now + 1 + (random >> 32) % (HD_WHEEL - 1);
            unsigned at = n++;
            for (; at && list[at - 1].cycle > cycle; at--)
                list[at] = list[at - 1];
            list[at].cycle = cycle;
            list[at].arg = order;
            hd_wheel_put(&wheel, cycle, 0, 0, order++);
        } else if (n) {
            assert_int_equal(hd_wheel_next(&wheel), list[0].cycle);
            now = list[0].cycle;
            expect(now, list[0].arg);
            for (unsigned i = 1; i < n; i++)
                list[i - 1] = list[i];
            n--;
        }
        assert_int_equal(hd_wheel_empty(&wheel), n == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(empty, setup, teardown),
        cmocka_unit_test_setup_teardown(same_cycle_in_order_of_entry, setup, teardown),
        cmocka_unit_test_setup_teardown(longest_reach, setup, teardown),
        cmocka_unit_test_setup_teardown(like_a_list, setup, teardown),
    };
    return cmocka_run_group_tests_name("wheel", tests, NULL, NULL);
}
