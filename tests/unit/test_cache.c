// test_cache.c - tag stores and miss registers: victims, reserved lines, merging, order of return.
#include "hw/mshr.h"
#include "hw/tags.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void set(struct hd_tags *t, uint32_t way, uint64_t addr, uint8_t state, uint64_t last_use)
{
    t->lines[way] = (struct hd_tag_line){.addr = addr, .state = state, .last_use = last_use};
}

static void victim_is_an_invalid_way_then_the_least_recent(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_tags t;
    uint32_t i = 99;

    (void)state;
    hd_tags_init(&t, a, 1, 4, 128);
    set(&t, 1, 0x1000, HD_LINE_VALID, 5);
    assert_int_equal(hd_tags_probe(&t, 0, 0x8000, &i), HD_TAG_MISS);
    assert_int_equal(i, 3); // the highest-numbered invalid way
    set(&t, 0, 0x2000, HD_LINE_VALID, 9);
    set(&t, 2, 0x3000, HD_LINE_DIRTY, 2);
    set(&t, 3, 0x4000, HD_LINE_RESERVED, 0);
    assert_int_equal(hd_tags_probe(&t, 0, 0x8000, &i), HD_TAG_MISS);
    assert_int_equal(i, 2); // oldest; the reserved line is older but may not go
    hd_arena_free(a);
}

static void hit_pending_full(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_tags t;
    uint32_t i = 99;

    (void)state;
    hd_tags_init(&t, a, 2, 2, 64);
    set(&t, 2, 0x40, HD_LINE_VALID, 1); // set 1 holds ways 2 and 3
    assert_int_equal(hd_tags_set(&t, 0x7f), 1);
    assert_int_equal(hd_tags_probe(&t, 1, 0x7f, &i), HD_TAG_HIT);
    assert_int_equal(i, 2);
    assert_int_equal(hd_tags_probe(&t, 0, 0x40, &i), HD_TAG_MISS); // another set
    set(&t, 2, 0x40, HD_LINE_RESERVED, 1);
    set(&t, 3, 0xc0, HD_LINE_RESERVED, 2);
    assert_int_equal(hd_tags_probe(&t, 1, 0xc4, &i), HD_TAG_PENDING);
    assert_int_equal(i, 3);
    assert_int_equal(hd_tags_probe(&t, 1, 0x140, &i), HD_TAG_FULL);
    hd_arena_free(a);
}

static void merged_requests_return_in_order(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_mshr m;
    uint32_t token = 0;

    (void)state;
    hd_mshr_init(&m, a, 2, 3);
    hd_mshr_add(&m, hd_mshr_find(&m, 0x100), 0x100, 1);
    hd_mshr_add(&m, hd_mshr_find(&m, 0x200), 0x200, 2);
    hd_mshr_add(&m, hd_mshr_find(&m, 0x100), 0x100, 3);
    assert_false(hd_mshr_room(&m, -1)); // no third line
    assert_true(hd_mshr_room(&m, hd_mshr_find(&m, 0x100)));
    hd_mshr_add(&m, hd_mshr_find(&m, 0x100), 0x100, 4);
    assert_false(hd_mshr_room(&m, hd_mshr_find(&m, 0x100))); // no fourth request
    assert_false(hd_mshr_next(&m, &token));

    hd_mshr_fill(&m, 0x200);
    hd_mshr_fill(&m, 0x100);
    static const uint32_t order[] = {2, 1, 3, 4};
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(hd_mshr_peek(&m), order[i]);
        assert_true(hd_mshr_next(&m, &token));
        assert_int_equal(token, order[i]);
        // The entry keeps its place until its last request is out.
        assert_int_equal(m.n_used, i == 3 ? 0 : 1);
    }
    assert_false(hd_mshr_pending(&m));
    hd_arena_free(a);
}

static void entries_are_used_again(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_mshr m;
    uint32_t token = 0;

    (void)state;
    hd_mshr_init(&m, a, 3, 1);
    for (uint32_t round = 0; round < 50; round++) {
        for (uint32_t i = 0; i < 3; i++)
            hd_mshr_add(&m, -1, round * 3 + i, round * 3 + i);
        for (uint32_t i = 3; i-- > 0;)
            hd_mshr_fill(&m, round * 3 + i);
        for (uint32_t i = 3; i-- > 0;) {
            assert_true(hd_mshr_next(&m, &token));
            assert_int_equal(token, round * 3 + i);
        }
    }
    hd_arena_free(a);
}

// A line fetched ahead: its entry ends with the line, unless somebody asked meanwhile.
static void a_line_may_come_unasked(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_mshr m;
    uint32_t token = 0;

    (void)state;
    hd_mshr_init(&m, a, 2, 2);
    hd_mshr_expect(&m, 0x100);
    hd_mshr_expect(&m, 0x200);
    assert_false(hd_mshr_room(&m, -1));
    assert_true(hd_mshr_unasked(&m, hd_mshr_find(&m, 0x100)));
    hd_mshr_add(&m, hd_mshr_find(&m, 0x200), 0x200, 7);
    assert_false(hd_mshr_unasked(&m, hd_mshr_find(&m, 0x200)));
    assert_int_equal(m.n_used, 2);

    assert_false(hd_mshr_fill(&m, 0x100));
    assert_int_equal(hd_mshr_find(&m, 0x100), -1);
    assert_int_equal(m.n_used, 1);
    assert_false(hd_mshr_pending(&m));
    assert_true(hd_mshr_fill(&m, 0x200));
    assert_true(hd_mshr_next(&m, &token));
    assert_int_equal(token, 7);
    assert_int_equal(m.n_used, 0);
    hd_arena_free(a);
}

// A line that was lost again while its requests are handed out is merged into the same entry.
static void an_entry_takes_requests_while_it_is_emptied(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_mshr m;
    uint32_t token = 0, out = 0, in = 0;

    (void)state;
    hd_mshr_init(&m, a, 1, 3);
    for (; in < 3; in++)
        hd_mshr_add(&m, hd_mshr_find(&m, 0x100), 0x100, in);
    hd_mshr_fill(&m, 0x100);
    for (; in < 20; in++) {
        assert_false(hd_mshr_room(&m, 0));
        assert_true(hd_mshr_next(&m, &token));
        assert_int_equal(token, out++);
        assert_true(hd_mshr_room(&m, 0));
        hd_mshr_add(&m, 0, 0x100, in);
    }
    while (hd_mshr_next(&m, &token))
        assert_int_equal(token, out++);
    assert_int_equal(out, in);
    assert_int_equal(m.n_used, 0);
    hd_arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(victim_is_an_invalid_way_then_the_least_recent),
        cmocka_unit_test(hit_pending_full),
        cmocka_unit_test(merged_requests_return_in_order),
        cmocka_unit_test(entries_are_used_again),
        cmocka_unit_test(a_line_may_come_unasked),
        cmocka_unit_test(an_entry_takes_requests_while_it_is_emptied),
    };
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
