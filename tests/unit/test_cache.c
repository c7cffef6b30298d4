// test_cache.c - caches and miss registers: where lines are found and placed, which one goes, what
// is refused, merging, order of return.
#include "hw/cache.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static uint64_t accesses, misses, pending, refused;

static struct hd_cache cache_of(struct hd_arena *a, uint32_t ways, enum hd_cache_allocate allocate,
                                enum hd_replacement replace)
{
    struct hd_cache c;

    accesses = misses = pending = refused = 0;
    hd_cache_init(&c, a,
                  &(struct hd_cache_setup){.sets = 1,
                                           .ways = ways,
                                           .line = 128,
                                           .mshrs = 8,
                                           .merges = 2,
                                           .queue = 8,
                                           .room = 2,
                                           .allocate = allocate,
                                           .replace = replace,
                                           .seed = 7,
                                           .fill = {.kind = HD_REQ_READ, .reply_bytes = 128},
                                           .writeback = {.kind = HD_REQ_WRITEBACK, .tag = 0x100},
                                           .count = {&accesses, &misses, &pending, &refused}});
    return c;
}

static void set(struct hd_cache *c, uint32_t way, uint64_t addr, uint8_t state, uint64_t rank)
{
    c->tags.lines[way] = (struct hd_tag_line){.addr = addr, .state = state, .rank = rank};
}

static void a_place_is_an_invalid_way_then_the_least_recent(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_cache c = cache_of(a, 4, HD_ALLOCATE_ON_MISS, HD_REPLACE_LRU);

    (void)state;
    set(&c, 1, 0x1000, HD_LINE_VALID, 5);
    // The highest-numbered invalid way.
    assert_int_equal(hd_cache_place(&c, 0, 0x8010, HD_LINE_RESERVED, 3, 9), 3);
    assert_int_equal(c.tags.lines[3].addr, 0x8000);
    assert_int_equal(c.tags.lines[3].owner, 3);
    assert_int_equal(c.victim.state, HD_LINE_INVALID);
    set(&c, 0, 0x2000, HD_LINE_VALID, 9);
    set(&c, 2, 0x3000, HD_LINE_DIRTY, 2);
    set(&c, 3, 0x4000, HD_LINE_RESERVED, 0);
    // The oldest; the reserved line is older but may not go.
    assert_int_equal(hd_cache_place(&c, 0, 0x9000, HD_LINE_VALID, 0, 10), 2);
    assert_int_equal(c.victim.addr, 0x3000);
    assert_int_equal(c.victim.state, HD_LINE_DIRTY);
    hd_arena_free(a);
}

static void tags_hit_pending_and_blocked(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_tags t;
    uint32_t i = 99;

    (void)state;
    hd_tags_init(&t, a, 2, 2, 64);
    t.lines[2] = (struct hd_tag_line){.addr = 0x40, .state = HD_LINE_VALID}; // set 1: ways 2 and 3
    assert_int_equal(hd_tags_set(&t, 0x7f), 1);
    assert_int_equal(hd_tags_find(&t, 1, 0x7f, &i), HD_TAG_HIT);
    assert_int_equal(i, 2);
    assert_int_equal(hd_tags_find(&t, 0, 0x40, &i), HD_TAG_MISS); // another set
    t.lines[2].state = HD_LINE_RESERVED;
    assert_false(hd_tags_blocked(&t, 1));
    t.lines[3] = (struct hd_tag_line){.addr = 0xc0, .state = HD_LINE_RESERVED};
    assert_int_equal(hd_tags_find(&t, 1, 0xc4, &i), HD_TAG_PENDING);
    assert_int_equal(i, 3);
    assert_int_equal(hd_tags_find(&t, 1, 0x140, &i), HD_TAG_MISS);
    assert_true(hd_tags_blocked(&t, 1));
    assert_false(hd_tags_blocked(&t, 0));
    hd_arena_free(a);
}

// With a place at the miss, a set that waits for all its lines refuses; a merged read does not ask
// again; a dirty line that goes is written back after the request for the new one.
static void reads_of_a_cache_that_reserves(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_cache c = cache_of(a, 1, HD_ALLOCATE_ON_MISS, HD_REPLACE_LRU);
    uint32_t token;
    struct hd_req r;

    (void)state;
    assert_int_equal(hd_cache_read(&c, 0, 0x100, 11, 1, 1), HD_CACHE_MISS);
    assert_int_equal(hd_cache_read(&c, 0, 0x140, 12, 2, 2), HD_CACHE_PENDING);
    assert_int_equal(hd_cache_read(&c, 0, 0x160, 13, 2, 3), HD_CACHE_REFUSED); // merges = 2
    assert_int_equal(hd_cache_read(&c, 0, 0x200, 14, 2, 3), HD_CACHE_REFUSED); // the set waits
    r = hd_req_ring_pop(&c.out);
    assert_int_equal(r.addr, 0x100);
    assert_int_equal(r.owner, 1);
    assert_true(hd_req_ring_empty(&c.out));
    assert_int_equal(hd_cache_fill(&c, 0, 0x100, 4, NULL), 0);
    c.tags.lines[0].state = HD_LINE_DIRTY;
    assert_true(hd_mshr_next(&c.mshr, &token));
    assert_int_equal(token, 11);
    assert_true(hd_mshr_next(&c.mshr, &token));
    assert_int_equal(token, 12);
    assert_int_equal(hd_cache_read(&c, 0, 0x100, 15, 1, 5), HD_CACHE_HIT);
    assert_int_equal(hd_cache_read(&c, 0, 0x200, 16, 5, 6), HD_CACHE_MISS);
    assert_int_equal(hd_req_ring_pop(&c.out).addr, 0x200);
    r = hd_req_ring_pop(&c.out);
    assert_int_equal(r.addr, 0x100);
    assert_int_equal(r.kind, HD_REQ_WRITEBACK);
    assert_int_equal(r.tag, 0x105);
    assert_int_equal(accesses, 4);
    assert_int_equal(misses, 2);
    assert_int_equal(pending, 1);
    assert_int_equal(refused, 2);
    hd_arena_free(a);
}

static void arrive(struct hd_cache *c, uint64_t addr, uint64_t cycle)
{
    uint32_t i = hd_cache_fill(c, 0, addr, cycle, NULL);

    if (i != UINT32_MAX)
        c->tags.lines[i].state = HD_LINE_VALID;
    while (!hd_req_ring_empty(&c->out))
        hd_req_ring_pop(&c->out);
}

// Lines are evicted and read again while their miss registers are being emptied. Such a read is
// merged into the register and reserves a place that no reply will fill. When the set has no other
// places, it gives up these lines: before, every access to it was refused for ever.
static void lines_that_no_reply_will_fill(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_cache c = cache_of(a, 2, HD_ALLOCATE_ON_MISS, HD_REPLACE_LRU);
    uint32_t token, n = 0;

    (void)state;
    assert_int_equal(hd_cache_read(&c, 0, 0x1000, 1, 0, 1), HD_CACHE_MISS);
    arrive(&c, 0x1000, 2);
    assert_int_equal(hd_cache_read(&c, 0, 0x2000, 2, 0, 3), HD_CACHE_MISS);
    arrive(&c, 0x2000, 4);
    assert_int_equal(hd_cache_read(&c, 0, 0x3000, 3, 0, 5), HD_CACHE_MISS); // evicts 0x1000
    arrive(&c, 0x3000, 6);
    assert_int_equal(hd_cache_read(&c, 0, 0x1000, 4, 0, 7), HD_CACHE_MISS); // evicts 0x2000
    assert_true(hd_req_ring_empty(&c.out));                                 // merged
    assert_int_equal(hd_cache_read(&c, 0, 0x2000, 5, 0, 8), HD_CACHE_MISS); // evicts 0x3000
    assert_true(hd_req_ring_empty(&c.out));
    assert_true(hd_tags_blocked(&c.tags, 0));
    while (hd_mshr_next(&c.mshr, &token))
        n++;
    assert_int_equal(n, 5); // every reader got its line
    assert_int_equal(hd_cache_read(&c, 0, 0x4000, 6, 0, 9), HD_CACHE_MISS);
    assert_int_equal(hd_req_ring_fill(&c.out), 1);
    assert_int_equal(hd_cache_read(&c, 0, 0x5000, 7, 0, 10), HD_CACHE_MISS);
    assert_int_equal(hd_cache_read(&c, 0, 0x6000, 8, 0, 11), HD_CACHE_REFUSED); // replies will come
    hd_arena_free(a);
}

// With a place at the reply, any number of a set's lines may be on their way, and a full queue
// refuses even what could be merged.
static void reads_of_a_cache_that_does_not_reserve(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_cache c = cache_of(a, 1, HD_ALLOCATE_ON_FILL, HD_REPLACE_LRU);
    bool asked = false;
    uint32_t i = 9;

    (void)state;
    for (uint64_t line = 0; line < 7; line++)
        assert_int_equal(hd_cache_read(&c, 0, line << 7, 1, 1, line), HD_CACHE_MISS);
    assert_int_equal(hd_cache_read(&c, 0, 0, 2, 1, 9), HD_CACHE_REFUSED);
    hd_req_ring_pop(&c.out);
    assert_int_equal(hd_cache_read(&c, 0, 0, 2, 1, 9), HD_CACHE_MISS);
    assert_int_equal(hd_req_ring_fill(&c.out), 6); // merged: not asked for again
    assert_int_equal(hd_cache_fill(&c, 0, 0x80, 10, &asked), 0);
    assert_true(asked);
    assert_int_equal(hd_cache_find(&c, 0, 0x80, &i), HD_TAG_HIT);
    hd_cache_expect(&c, 0x1000, 4);
    hd_cache_fill(&c, 0, 0x1000, 11, &asked);
    assert_false(asked);
    assert_int_equal(hd_cache_find(&c, 0, 0x80, &i), HD_TAG_MISS);
    hd_arena_free(a);
}

// Lines 0, 1, ... of a cache of four ways, in the order in which they go after the string's uses.
static void expect_victims(enum hd_replacement which, const char *uses, const char *go)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_cache c = cache_of(a, 4, HD_ALLOCATE_ON_FILL, which);
    uint64_t cycle = 1;
    uint32_t index = 0;

    for (; *uses; uses++, cycle++) {
        uint64_t addr = (uint64_t)(*uses - '0') << 7;
        if (hd_cache_find(&c, 0, addr, &index) == HD_TAG_HIT)
            hd_cache_use(&c, index, cycle);
        else
            hd_cache_place(&c, 0, addr, HD_LINE_VALID, 0, cycle);
    }
    for (uint64_t next = 16; *go; go++, next++, cycle++) {
        hd_cache_place(&c, 0, next << 7, HD_LINE_VALID, 0, cycle);
        assert_int_equal(c.victim.addr >> 7, *go - '0');
    }
    hd_arena_free(a);
}

static void replacement_policies_differ_as_they_should(void **state)
{
    (void)state;
    expect_victims(HD_REPLACE_LRU, "0123021", "3021");
    expect_victims(HD_REPLACE_FIFO, "0123021", "0123");
    // 0, 1 and 2 were used again, so 3 is expected latest.
    expect_victims(HD_REPLACE_SRRIP, "0123012", "3");
    // Lines that were used again stay while others are scanned (the mixed pattern of Jaleel et al.,
    // section 2); LRU loses them.
    expect_victims(HD_REPLACE_SRRIP, "01230145", "45");
    expect_victims(HD_REPLACE_LRU, "01230145", "01");
}

// Every line goes some time, about as often as the others; the seed decides which.
static void random_replacement_is_fair_and_repeats(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_cache one = cache_of(a, 4, HD_ALLOCATE_ON_FILL, HD_REPLACE_RANDOM);
    struct hd_cache two = cache_of(a, 4, HD_ALLOCATE_ON_FILL, HD_REPLACE_RANDOM);
    unsigned gone[4] = {0}, other = 0;

    (void)state;
    two.random++;
    for (uint64_t line = 0; line < 4004; line++) {
        uint32_t i = hd_cache_place(&one, 0, line << 7, HD_LINE_VALID, 0, line);
        uint32_t k = hd_cache_place(&two, 0, line << 7, HD_LINE_VALID, 0, line);
        if (line >= 4)
            gone[i]++;
        other += i != k;
    }
    for (unsigned w = 0; w < 4; w++)
        assert_in_range(gone[w], 900, 1100);
    assert_true(other > 1000); // another seed, other victims
    one.tags.lines[0].state = one.tags.lines[1].state = one.tags.lines[3].state = HD_LINE_RESERVED;
    for (uint64_t line = 9000; line < 9020; line++)
        assert_int_equal(hd_cache_place(&one, 0, line << 7, HD_LINE_VALID, 0, line), 2);
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

static void a_line_may_come_in_parts(void **state)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_mshr m;

    (void)state;
    hd_mshr_init(&m, a, 2, 2);
    for (unsigned round = 0; round < 2; round++) { // a new entry counts anew
        uint32_t token = 0;
        hd_mshr_add(&m, -1, 0x100, 1);
        hd_mshr_add(&m, -1, 0x200, 2);
        for (unsigned i = 0; i < 3; i++) {
            assert_false(hd_mshr_part(&m, 0x100, 4));
            assert_false(hd_mshr_part(&m, 0x200, 4));
        }
        assert_true(hd_mshr_part(&m, 0x200, 4));
        assert_true(hd_mshr_part(&m, 0x100, 4));
        hd_mshr_fill(&m, 0x200);
        hd_mshr_fill(&m, 0x100);
        assert_true(hd_mshr_next(&m, &token) && token == 2);
        assert_true(hd_mshr_next(&m, &token) && token == 1);
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
        cmocka_unit_test(a_place_is_an_invalid_way_then_the_least_recent),
        cmocka_unit_test(tags_hit_pending_and_blocked),
        cmocka_unit_test(reads_of_a_cache_that_reserves),
        cmocka_unit_test(lines_that_no_reply_will_fill),
        cmocka_unit_test(reads_of_a_cache_that_does_not_reserve),
        cmocka_unit_test(replacement_policies_differ_as_they_should),
        cmocka_unit_test(random_replacement_is_fair_and_repeats),
        cmocka_unit_test(merged_requests_return_in_order),
        cmocka_unit_test(entries_are_used_again),
        cmocka_unit_test(a_line_may_come_in_parts),
        cmocka_unit_test(a_line_may_come_unasked),
        cmocka_unit_test(an_entry_takes_requests_while_it_is_emptied),
    };
    return cmocka_run_group_tests_name("cache", tests, NULL, NULL);
}
