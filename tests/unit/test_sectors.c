// test_sectors.c - the tags of a cache with sectors: what hits, what goes, which sectors may be
// read after stores, and what a fill does.
#include "hw/sectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define ALL UINT32_MAX

struct store {
    struct hd_arena *arena;
    struct hd_sectors s;
    uint64_t cycle;
};

static struct store store_of(uint32_t sets, uint32_t ways, uint32_t dirty_limit)
{
    struct store t = {.arena = hd_arena_new()};

    hd_sectors_init(&t.s, t.arena, sets, ways, dirty_limit);
    return t;
}

static enum hd_sector_result found(const struct store *t, uint64_t addr, bool write)
{
    uint32_t index = 0;

    return hd_sectors_find(&t->s, (uint32_t)(addr / 128) & (t->s.sets - 1), addr, write, &index);
}

// A load in the next cycle. Returns what was found; a sector that was not there is reserved.
static enum hd_sector_result load(struct store *t, uint64_t addr)
{
    uint32_t index = 0, set = (uint32_t)(addr / 128) & (t->s.sets - 1);
    enum hd_sector_result r = hd_sectors_find(&t->s, set, addr, false, &index);

    t->cycle++;
    if (r == HD_SECTOR_HIT)
        hd_sectors_use(&t->s, index, t->cycle);
    else if (r != HD_SECTOR_BLOCKED)
        hd_sectors_reserve(&t->s, r, index, addr, 7, t->cycle);
    return r;
}

static enum hd_sector_result store(struct store *t, uint64_t addr, uint32_t bytes)
{
    uint32_t index = 0, set = (uint32_t)(addr / 128) & (t->s.sets - 1);
    enum hd_sector_result r = hd_sectors_find(&t->s, set, addr, true, &index);

    t->cycle++;
    if (r != HD_SECTOR_BLOCKED)
        hd_sectors_store(&t->s, r, index, addr, bytes, 7, t->cycle);
    return r;
}

static void sectors_of_a_line_come_one_by_one(void **state)
{
    struct store t = store_of(2, 2, 0);

    (void)state;
    assert_int_equal(load(&t, 0x1000), HD_SECTOR_NO_LINE);
    assert_int_equal(load(&t, 0x101f), HD_SECTOR_PENDING);
    assert_int_equal(load(&t, 0x1020), HD_SECTOR_MISS);
    assert_int_not_equal(hd_sectors_fill(&t.s, 0x1000), UINT32_MAX);
    assert_int_equal(load(&t, 0x1004), HD_SECTOR_HIT);
    assert_int_equal(load(&t, 0x1024), HD_SECTOR_PENDING);
    hd_sectors_fill(&t.s, 0x1020);
    assert_int_equal(load(&t, 0x1024), HD_SECTOR_HIT);
    assert_int_equal(load(&t, 0x1080), HD_SECTOR_NO_LINE); // the other set
    hd_arena_free(t.arena);
}

static void a_line_with_a_reserved_sector_stays(void **state)
{
    struct store t = store_of(1, 2, 0);

    (void)state;
    load(&t, 0x1000);
    load(&t, 0x2000);
    assert_int_equal(load(&t, 0x3000), HD_SECTOR_BLOCKED);
    assert_int_equal(store(&t, 0x3000, ALL), HD_SECTOR_BLOCKED);
    hd_sectors_fill(&t.s, 0x2000);
    load(&t, 0x2020); // another sector of the younger line
    assert_int_equal(load(&t, 0x3000), HD_SECTOR_BLOCKED);
    hd_sectors_fill(&t.s, 0x2020);
    assert_int_equal(load(&t, 0x3000), HD_SECTOR_NO_LINE);
    assert_int_equal(t.s.victim.addr, 0x2000);
    assert_int_equal(t.s.victim.owner, 7);
    hd_arena_free(t.arena);
}

static void the_line_used_longest_ago_goes(void **state)
{
    struct store t = store_of(1, 3, 0);
    uint32_t index = 0;

    (void)state;
    // Empty lines first, from the highest number down.
    for (uint64_t i = 0; i < 3; i++) {
        assert_int_equal(hd_sectors_find(&t.s, 0, i * 128, false, &index), HD_SECTOR_NO_LINE);
        assert_int_equal(index, 2 - i);
        load(&t, i * 128);
        hd_sectors_fill(&t.s, i * 128);
    }
    load(&t, 0);
    load(&t, 0x1000);
    assert_int_equal(t.s.victim.addr, 128);
    hd_sectors_fill(&t.s, 0x1000);
    // Used in one cycle: the lowest number.
    for (unsigned i = 0; i < 3; i++)
        t.s.lines[i].used = 50;
    assert_int_equal(hd_sectors_find(&t.s, 0, 0x2000, false, &index), HD_SECTOR_NO_LINE);
    assert_int_equal(index, 0);
    hd_arena_free(t.arena);
}

// 3 of 8 lines are 37 %: with a limit of 40 % none of them goes, also if they are the oldest.
static void stored_lines_go_when_there_are_enough(void **state)
{
    (void)state;
    for (uint32_t limit = 30; limit <= 40; limit += 10) {
        struct store t = store_of(1, 8, limit);
        for (uint64_t i = 0; i < 3; i++)
            assert_int_equal(store(&t, i * 128, ALL), HD_SECTOR_NO_LINE);
        for (uint64_t i = 3; i < 8; i++) {
            load(&t, i * 128);
            hd_sectors_fill(&t.s, i * 128);
        }
        assert_int_equal(t.s.dirty, 3);
        load(&t, 0x9000);
        assert_int_equal(t.s.victim.addr, limit == 30 ? 0 : 3 * 128);
        assert_int_equal(t.s.dirty, limit == 30 ? 2 : 3);
        hd_arena_free(t.arena);
    }
}

static void a_sector_is_readable_when_all_its_bytes_are_written(void **state)
{
    struct store t = store_of(1, 2, 0);

    (void)state;
    assert_int_equal(store(&t, 0x1000, 0x0000ffff), HD_SECTOR_NO_LINE);
    assert_int_equal(found(&t, 0x1000, true), HD_SECTOR_HIT);
    assert_int_equal(found(&t, 0x1000, false), HD_SECTOR_MISS);
    assert_int_equal(store(&t, 0x1000, 0xffff0000), HD_SECTOR_HIT);
    assert_int_equal(load(&t, 0x1000), HD_SECTOR_HIT);
    // What was fetched stays readable, whatever part of it is written.
    load(&t, 0x1020);
    hd_sectors_fill(&t.s, 0x1020);
    assert_int_equal(store(&t, 0x1020, 1), HD_SECTOR_HIT);
    assert_int_equal(load(&t, 0x1020), HD_SECTOR_HIT);
    // A read of a part fetches the sector, which is modified and readable then.
    store(&t, 0x1040, 1);
    assert_int_equal(load(&t, 0x1040), HD_SECTOR_MISS);
    assert_int_equal(load(&t, 0x1040), HD_SECTOR_PENDING);
    hd_sectors_fill(&t.s, 0x1040);
    assert_int_equal(load(&t, 0x1040), HD_SECTOR_HIT);
    assert_int_equal(t.s.lines[1].modified, 7);
    assert_int_equal(t.s.dirty, 1);
    hd_arena_free(t.arena);
}

static void a_store_to_a_reserved_sector(void **state)
{
    struct store t = store_of(1, 1, 0);

    (void)state;
    load(&t, 0x1000);
    assert_int_equal(store(&t, 0x1000, 1), HD_SECTOR_PENDING);
    assert_int_equal(found(&t, 0x1000, false), HD_SECTOR_MISS); // a part is there
    hd_sectors_fill(&t.s, 0x1000);
    assert_int_equal(load(&t, 0x1000), HD_SECTOR_HIT);
    assert_int_equal(t.s.lines[0].modified, 1);
    // The line is not reserved any more: it can go, and the fill finds nothing.
    load(&t, 0x1020);
    store(&t, 0x1020, 1);
    assert_int_equal(load(&t, 0x2000), HD_SECTOR_NO_LINE);
    assert_int_equal(t.s.dirty, 0);
    assert_int_equal(hd_sectors_fill(&t.s, 0x1020), UINT32_MAX);
    hd_arena_free(t.arena);
}

static void lines_are_forgotten(void **state)
{
    struct store t = store_of(4, 4, 0);

    (void)state;
    for (uint64_t i = 0; i < 16; i++)
        store(&t, i * 128, ALL);
    load(&t, 0x20000);
    assert_int_equal(t.s.dirty, 15);
    hd_sectors_forget(&t.s);
    assert_int_equal(t.s.dirty, 0);
    for (uint64_t i = 1; i < 16; i++)
        assert_int_equal(found(&t, i * 128, false), HD_SECTOR_NO_LINE);
    assert_int_equal(load(&t, 0x20000), HD_SECTOR_PENDING);
    hd_sectors_resize(&t.s, 1);
    assert_int_equal(load(&t, 0x20000), HD_SECTOR_NO_LINE);
    assert_int_equal(load(&t, 0x20200), HD_SECTOR_BLOCKED); // one way
    hd_arena_free(t.arena);
}

// ---- The line that goes, found by search

static bool without_sectors(const struct hd_sector_line *l)
{
    return !(l->reserved | l->valid | l->modified);
}

// By the text of sectors.h. UINT32_MAX: no line may go.
static uint32_t line_to_go(const struct hd_sectors *s, uint32_t set)
{
    uint32_t first = set * s->ways, end = first + s->ways, best = UINT32_MAX;
    bool modified_may = s->dirty * 100 >= s->dirty_limit * s->sets * s->ways;

    for (uint32_t i = end; i-- > first;)
        if (without_sectors(&s->lines[i]))
            return i;
    for (uint32_t i = first; i < end; i++) {
        const struct hd_sector_line *l = &s->lines[i];
        if (l->reserved || (l->modified && !modified_may))
            continue;
        if (best == UINT32_MAX || l->used < s->lines[best].used)
            best = i;
    }
    return best;
}

static uint32_t draw(uint32_t *seed, uint32_t below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

static void one_access(struct store *t, uint32_t *seed)
{
    uint64_t addr = draw(seed, 64) * UINT64_C(32);
    uint32_t index = UINT32_MAX, set = (uint32_t)(addr / 128) & (t->s.sets - 1);
    bool write = draw(seed, 3) == 0;
    uint32_t goes = line_to_go(&t->s, set);
    enum hd_sector_result r = hd_sectors_find(&t->s, set, addr, write, &index);

    t->cycle += draw(seed, 2); // several uses in one cycle
    if (r == HD_SECTOR_BLOCKED || r == HD_SECTOR_NO_LINE)
        assert_int_equal(index, goes);
    if (r == HD_SECTOR_BLOCKED)
        return;
    if (write)
        hd_sectors_store(&t->s, r, index, addr, draw(seed, 2) ? ALL : 1, 7, t->cycle);
    else if (r == HD_SECTOR_HIT)
        hd_sectors_use(&t->s, index, t->cycle);
    else
        hd_sectors_reserve(&t->s, r, index, addr, 7, t->cycle);
}

static void the_order_is_that_of_a_search(void **state)
{
    struct store t = store_of(2, 6, 25);
    uint32_t seed = 1;

    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        one_access(&t, &seed);
        if (draw(&seed, 2))
            hd_sectors_fill(&t.s, draw(&seed, 64) * UINT64_C(32));
        if (!draw(&seed, 500))
            hd_sectors_forget(&t.s);
        if (!draw(&seed, 5000))
            hd_sectors_resize(&t.s, 1 + draw(&seed, 6));
    }
    hd_arena_free(t.arena);
}

static bool coming; // what the owner says of every reserved sector

static bool is_coming(const void *owner, uint64_t sector)
{
    (void)owner, (void)sector;
    return coming;
}

// Two sets of two lines, of which all must be modified before one goes.
static void a_set_of_modified_lines_lets_the_oldest_go(void **state)
{
    struct store t = store_of(2, 2, 100);

    (void)state;
    store(&t, 0, ALL);
    store(&t, 256, ALL);
    assert_int_equal(found(&t, 512, false), HD_SECTOR_BLOCKED);
    assert_true(hd_sectors_unblock(&t.s, 0, is_coming, NULL));
    assert_int_equal(t.s.dirty, 1);
    assert_int_equal(load(&t, 512), HD_SECTOR_NO_LINE);
    assert_int_equal(found(&t, 0, false), HD_SECTOR_BLOCKED); // the older one has gone
    assert_int_equal(found(&t, 256, false), HD_SECTOR_HIT);
    hd_arena_free(t.arena);
}

static void only_fills_that_come_are_waited_for(void **state)
{
    struct store t = store_of(2, 2, 100);

    (void)state;
    store(&t, 0, ALL);
    load(&t, 256);
    coming = true;
    assert_int_equal(found(&t, 512, false), HD_SECTOR_BLOCKED);
    assert_false(hd_sectors_unblock(&t.s, 0, is_coming, NULL));
    assert_int_equal(found(&t, 512, false), HD_SECTOR_BLOCKED);
    coming = false;
    assert_true(hd_sectors_unblock(&t.s, 0, is_coming, NULL));
    assert_int_equal(t.s.dirty, 1); // the line that waited goes, not the modified one
    assert_int_equal(load(&t, 512), HD_SECTOR_NO_LINE);
    assert_int_equal(found(&t, 0, false), HD_SECTOR_HIT);
    hd_arena_free(t.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_of_a_line_come_one_by_one),
        cmocka_unit_test(a_line_with_a_reserved_sector_stays),
        cmocka_unit_test(the_line_used_longest_ago_goes),
        cmocka_unit_test(stored_lines_go_when_there_are_enough),
        cmocka_unit_test(a_sector_is_readable_when_all_its_bytes_are_written),
        cmocka_unit_test(a_store_to_a_reserved_sector),
        cmocka_unit_test(lines_are_forgotten),
        cmocka_unit_test(a_set_of_modified_lines_lets_the_oldest_go),
        cmocka_unit_test(only_fills_that_come_are_waited_for),
        cmocka_unit_test(the_order_is_that_of_a_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
