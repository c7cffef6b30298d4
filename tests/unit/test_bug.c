// test_bug.c - our own faults end the program with status 70 and say where; each check that stands
// between modules is broken here once, in a child process.
#include "base/arena.h"
#include "base/bug.h"
#include "hw/barrier.h"
#include "hw/mshr.h"
#include "hw/ring.h"
#include "hw/tags.h"
#include "hw/wheel.h"
#include "shared/child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct hd_arena *arena;
static char said[2048]; // by the child, on its standard error

static void is_bug(void (*f)(void), const char *words)
{
    int status = child_status(f, said, sizeof said);

    if (status != HD_EXIT_BUG || !strstr(said, words) || !strstr(said, "internal error at "))
        fail_msg("exit status %d, expected 70 and '%s': %s", status, words, said);
}

static struct hd_wheel wheel;

static void new_wheel(unsigned events)
{
    hd_wheel_init(&wheel, arena, events);
}

static void pool_of_wheel(void)
{
    new_wheel(2);
    for (uint32_t i = 0; i < 3; i++)
        hd_wheel_put(&wheel, 5 + i, 0, 0, i);
}

static void too_far_ahead(void)
{
    new_wheel(2);
    hd_wheel_put(&wheel, HD_WHEEL, 0, 0, 1);
}

static void in_the_past(void)
{
    struct hd_wheel_event e;

    new_wheel(2);
    hd_wheel_put(&wheel, 5, 0, 0, 1);
    hd_wheel_take(&wheel, 5, &e);
    hd_wheel_put(&wheel, 5, 0, 0, 1);
}

static void no_events(void)
{
    new_wheel(0);
}

static void full_ring(void)
{
    struct hd_req_ring r;

    hd_req_ring_init(&r, arena, 3); // storage for 4
    for (int i = 0; i < 4; i++)
        hd_req_ring_push(&r, (struct hd_req){.addr = 1});
}

static void empty_ring(void)
{
    struct hd_req_ring r;

    hd_req_ring_init(&r, arena, 3);
    hd_req_ring_pop(&r);
}

static void overfull_mshr(void)
{
    struct hd_mshr m;

    hd_mshr_init(&m, arena, 1, 4);
    hd_mshr_add(&m, -1, 0x100, 1);
    hd_mshr_add(&m, -1, 0x200, 2);
}

static void overfull_merge(void)
{
    struct hd_mshr m;

    hd_mshr_init(&m, arena, 1, 1);
    hd_mshr_add(&m, -1, 0x100, 1);
    hd_mshr_add(&m, 0, 0x100, 2);
}

static void fill_nobody_wants(void)
{
    struct hd_mshr m;

    hd_mshr_init(&m, arena, 2, 2);
    hd_mshr_add(&m, -1, 0x100, 1);
    hd_mshr_fill(&m, 0x200);
}

static void filled_twice(void)
{
    struct hd_mshr m;

    hd_mshr_init(&m, arena, 2, 2);
    hd_mshr_add(&m, -1, 0x100, 1);
    hd_mshr_fill(&m, 0x100);
    hd_mshr_fill(&m, 0x100);
}

static void odd_cache(void)
{
    struct hd_tags t;

    hd_tags_init(&t, arena, 3, 2, 128);
}

static void barrier_beyond_all(void)
{
    struct hd_barriers b;

    hd_barrier_start(&b, 1);
    hd_barrier_arrive(&b, 0, &(struct hd_barrier_arrival){.id = 17, .waits = true});
}

static void every_check(void **state)
{
    (void)state;
    is_bug(pool_of_wheel, "event wheel full (2 events)");
    is_bug(too_far_ahead, "1024 cycles ahead");
    is_bug(in_the_past, "0 cycles ahead");
    is_bug(no_events, "wheel of 0 events");
    is_bug(full_ring, "push into a full hd_req_ring of 3");
    is_bug(empty_ring, "pop from an empty hd_req_ring");
    is_bug(overfull_mshr, "overfull");
    is_bug(overfull_merge, "overfull");
    is_bug(fill_nobody_wants, "fill of line 0x200");
    is_bug(filled_twice, "fill of line 0x100");
    is_bug(odd_cache, "3 sets");
    is_bug(barrier_beyond_all, "barrier 17");
}

static void tell_state(void)
{
    fputs("cycle 42\n", stderr);
    HD_BUG("again"); // must not come back here
}

static void with_state(void)
{
    hd_bug_context = tell_state;
    HD_BUG_IF(1 + 1 == 2, "the number %d", 7);
}

static void says_where_and_what(void **state)
{
    (void)state;
    is_bug(with_state, "the number 7\ncycle 42\n");
    assert_non_null(strstr(said, "test_bug.c:"));
    assert_non_null(strstr(said, "again"));
}

// Running out of memory is the user's: too large a machine or input, status 2.
static void ask_too_much(void)
{
    hd_arena_get(arena, SIZE_MAX / 2, 3);
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_int_equal(child_status(ask_too_much, said, sizeof said), 2);
    assert_non_null(strstr(said, "out of memory"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_check),
        cmocka_unit_test(says_where_and_what),
        cmocka_unit_test(out_of_memory),
    };
    int failed;

    arena = hd_arena_new();
    failed = cmocka_run_group_tests_name("bug", tests, NULL, NULL);
    hd_arena_free(arena);
    return failed;
}
