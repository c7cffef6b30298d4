// test_touched.c - notes of what members of a round touch: which of them meet, and what undoing
// brings back.
#include "base/arena.h"
#include "emu/touched.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES (1u << 20)

static struct hd_arena *arena;
static struct hd_memory *memory;
static struct hd_memory_view view;
static struct hd_touched_round *notes;
static struct hd_touched *member[3];
static uint64_t at; // of the buffer in the view

static int set_up(void **state)
{
    (void)state;
    arena = hd_arena_new();
    memory = hd_memory_new(arena);
    at = hd_memory_alloc(memory, BYTES, "A") - HD_MEMORY_BASE;
    view = hd_memory_view(memory);
    notes = hd_touched_new(arena, memory, 3);
    assert_non_null(notes);
    for (unsigned i = 0; i < 3; i++)
        member[i] = hd_touched_member(notes, i);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    hd_touched_free(notes);
    hd_memory_free(memory);
    hd_arena_free(arena);
    return 0;
}

static void touch(unsigned m, uint64_t offset, uint64_t bytes, enum hd_touched_how how)
{
    hd_touched_range(member[m], at + offset, bytes, how);
}

// Whether two accesses of two members conflict, in both orders and by any two members.
static bool meet(enum hd_touched_how a, enum hd_touched_how b, uint64_t offset, uint64_t bytes)
{
    int found = 0, tried = 0;

    for (unsigned i = 0; i < 3; i++)
        for (unsigned j = 0; j < 3; j++) {
            if (i == j)
                continue;
            touch(i, 1000, 8, a);
            touch(j, offset, bytes, b);
            found += hd_touched_conflict(notes);
            tried++;
            hd_touched_forget(notes);
        }
    assert_true(found == 0 || found == tried);
    return found;
}

static void only_what_order_changes_is_a_conflict(void **state)
{
    (void)state;
    assert_false(meet(HD_TOUCHED_READ, HD_TOUCHED_READ, 1000, 8));
    assert_true(meet(HD_TOUCHED_READ, HD_TOUCHED_WRITE, 1000, 8));
    assert_true(meet(HD_TOUCHED_READ, HD_TOUCHED_ADD, 1000, 8));
    assert_true(meet(HD_TOUCHED_WRITE, HD_TOUCHED_WRITE, 1000, 8));
    assert_true(meet(HD_TOUCHED_WRITE, HD_TOUCHED_ADD, 1000, 8));
    assert_false(meet(HD_TOUCHED_ADD, HD_TOUCHED_ADD, 1000, 8));
    assert_false(meet(HD_TOUCHED_ADD_WIDE, HD_TOUCHED_ADD_WIDE, 1000, 8));
    assert_true(meet(HD_TOUCHED_ADD, HD_TOUCHED_ADD_WIDE, 1000, 8)); // it may carry
    assert_true(meet(HD_TOUCHED_READ, HD_TOUCHED_ADD_WIDE, 1000, 8));
    assert_true(meet(HD_TOUCHED_WRITE, HD_TOUCHED_ADD_WIDE, 1000, 8));
}

static void words_beside_each_other_do_not_meet(void **state)
{
    (void)state;
    assert_false(meet(HD_TOUCHED_WRITE, HD_TOUCHED_WRITE, 996, 4));
    assert_false(meet(HD_TOUCHED_WRITE, HD_TOUCHED_WRITE, 1008, 16));
    assert_true(meet(HD_TOUCHED_WRITE, HD_TOUCHED_WRITE, 1004, 4));
    assert_true(meet(HD_TOUCHED_WRITE, HD_TOUCHED_WRITE, 999, 2));  // its second byte
    assert_true(meet(HD_TOUCHED_WRITE, HD_TOUCHED_WRITE, 1007, 1)); // bytes count as their word
    assert_true(meet(HD_TOUCHED_WRITE, HD_TOUCHED_WRITE, 0, 5000)); // over many lines
    assert_false(meet(HD_TOUCHED_WRITE, HD_TOUCHED_WRITE, 1008, 50000));
    touch(0, 1000, 8, HD_TOUCHED_WRITE); // a member does not meet itself
    touch(0, 1000, 8, HD_TOUCHED_READ);
    assert_false(hd_touched_conflict(notes));
}

static void lanes_are_noted_one_by_one(void **state)
{
    uint8_t *lane[HD_LANES];
    int32_t near[HD_LANES];

    (void)state;
    hd_touched_exactly(notes, true);
    for (unsigned l = 0; l < HD_LANES; l++) {
        lane[l] = view.bytes + at + 64u * l;
        near[l] = (int32_t)(64 * l);
    }
    for (unsigned way = 0; way < 2; way++)
        for (unsigned l = 0; l < HD_LANES; l++) {
            if (way)
                hd_touched_near(member[0], at, near, 0xfffffffeu, 4, HD_TOUCHED_WRITE);
            else
                hd_touched_lanes(member[0], lane, 0xfffffffeu, 4, HD_TOUCHED_WRITE);
            touch(1, 64u * l, 4, HD_TOUCHED_READ);
            assert_int_equal(hd_touched_conflict(notes), l != 0); // lane 0 does nothing
            hd_touched_forget(notes);
            hd_touched_near(member[0], at, near, 0xfffffffeu, 4, HD_TOUCHED_WRITE);
            touch(1, 64u * l + 4, 60, HD_TOUCHED_READ);
            assert_false(hd_touched_conflict(notes));
            hd_touched_forget(notes);
        }
}

// Lanes with 4 bytes each, so far apart; one of them takes no part.
static void touch_lanes(unsigned m, uint64_t offset, int32_t apart, enum hd_touched_how how)
{
    int32_t near[HD_LANES];

    for (unsigned l = 0; l < HD_LANES; l++)
        near[l] = l == 9 ? 100000 : (int32_t)l * apart;
    hd_touched_near(member[m], at + offset, near, ~(1u << 9), 4, how);
}

static bool meets_gap(int32_t apart, enum hd_touched_how how, uint64_t gap)
{
    bool found;

    touch_lanes(0, 40000, apart, how);
    touch(1, 40000 + gap, 4, HD_TOUCHED_WRITE);
    found = hd_touched_conflict(notes);
    hd_touched_forget(notes);
    return found;
}

// What other notes cover: words between lanes that are close together, and with reads, the region.
static void exact_notes_cover_only_what_was_touched(void **state)
{
    (void)state;
    for (unsigned exact = 0; exact < 2; exact++) {
        hd_touched_exactly(notes, exact);
        assert_int_equal(meets_gap(12, HD_TOUCHED_WRITE, 4), !exact);
        assert_int_equal(meets_gap(12, HD_TOUCHED_WRITE, UINT64_C(9) * 12), !exact);
        assert_false(meets_gap(512, HD_TOUCHED_WRITE, 4));
        assert_false(meets_gap(12, HD_TOUCHED_WRITE, UINT64_C(31) * 12 + 4)); // after the last one
        assert_false(meets_gap(12, HD_TOUCHED_WRITE, 100000 - 40000));
        assert_int_equal(meets_gap(12, HD_TOUCHED_READ, 8000), !exact);
        assert_int_equal(meets_gap(2048, HD_TOUCHED_READ, UINT64_C(31) * 2048 + 100), !exact);
        assert_false(meets_gap(12, HD_TOUCHED_READ, 30000)); // another region
        for (unsigned l = 0; l < HD_LANES; l++) {
            assert_int_equal(meets_gap(12, HD_TOUCHED_READ, UINT64_C(12) * l), !exact || l != 9);
            assert_int_equal(meets_gap(512, HD_TOUCHED_WRITE, UINT64_C(512) * l), l != 9);
        }
    }
    assert_true(meet(HD_TOUCHED_READ, HD_TOUCHED_WRITE, 1000, 8));
}

// A piece of a matrix has 32 bytes and is aligned to 16: it may lie in two regions.
static void pieces_of_two_regions_are_noted_in_both(void **state)
{
    const int32_t near[HD_LANES] = {0};
    uint8_t *lane[HD_LANES] = {view.bytes + at + 16384 - 16};

    (void)state;
    assert_int_equal(at % 16384, 0);
    for (unsigned way = 0; way < 3; way++) {
        if (way == 0)
            hd_touched_near(member[0], at + 16384 - 16, near, 1, 32, HD_TOUCHED_READ);
        else if (way == 1)
            hd_touched_lanes(member[0], lane, 1, 32, HD_TOUCHED_READ);
        else
            hd_touched_range(member[0], at + 16384 - 16, 32, HD_TOUCHED_READ);
        touch(1, 16384, 4, HD_TOUCHED_WRITE);
        assert_true(hd_touched_conflict(notes));
        hd_touched_forget(notes);
    }
    hd_touched_lanes(member[0], lane, 0, 32, HD_TOUCHED_WRITE); // no lane
    hd_touched_near(member[0], at, near, 0, 32, HD_TOUCHED_WRITE);
    touch(1, 0, 40000, HD_TOUCHED_WRITE);
    assert_false(hd_touched_conflict(notes));
}

// Small buffers share a region, and a large one's end shares one with the next buffer.
static void buffers_beside_each_other_do_not_meet(void **state)
{
    const uint64_t small = hd_memory_alloc(memory, 512, "B") - HD_MEMORY_BASE;
    const uint64_t large = hd_memory_alloc(memory, 40192, "C") - HD_MEMORY_BASE;
    const uint64_t next = hd_memory_alloc(memory, 512, "D") - HD_MEMORY_BASE;

    (void)state;
    hd_touched_range(member[0], large, 40192, HD_TOUCHED_READ);
    hd_touched_range(member[1], small, 512, HD_TOUCHED_WRITE);
    hd_touched_range(member[2], next, 512, HD_TOUCHED_WRITE);
    assert_false(hd_touched_conflict(notes));
    hd_touched_range(member[1], large + 40188, 4, HD_TOUCHED_WRITE);
    assert_true(hd_touched_conflict(notes));
}

static void write_to(unsigned m, uint64_t offset, uint8_t value, uint64_t bytes)
{
    touch(m, offset, bytes, HD_TOUCHED_WRITE);
    memset(view.bytes + at + offset, value, bytes);
}

static void undoing_brings_back_what_was_there(void **state)
{
    uint64_t before, after;

    (void)state;
    for (uint32_t i = 0; i < BYTES; i++)
        view.bytes[at + i] = (uint8_t)(i * 7);
    for (unsigned round = 0; round < 3; round++) {
        before = hd_memory_digest(memory);
        write_to(0, 0, 1, 10);
        write_to(1, 100, 2, 9000); // the same page and two more
        write_to(2, 5000, 3, 200); // saved by another member
        write_to(0, 20000, 4, 8192 + round);
        touch(2, 40000, 4, HD_TOUCHED_ADD);
        view.bytes[at + 40000]++;
        assert_int_not_equal(hd_memory_digest(memory), before);
        assert_true(hd_touched_conflict(notes));
        hd_touched_undo(notes);
        assert_int_equal(hd_memory_digest(memory), before);
        hd_touched_forget(notes);

        // What a round leaves is what the next one begins with.
        write_to(round, 300000u + 4096 * round, (uint8_t)(9 + round), 5);
        assert_false(hd_touched_conflict(notes));
        after = hd_memory_digest(memory);
        hd_touched_forget(notes);
        hd_touched_undo(notes);
        assert_int_equal(hd_memory_digest(memory), after);
    }
}

// Blocks of one member meet, too, in the round and in the one before it.
static void blocks_run_apart(void **state)
{
    (void)state;
    assert_true(hd_touched_apart(notes));
    for (unsigned round = 0; round < 3; round++) {
        const uint64_t before = hd_memory_digest(memory);
        write_to(0, 1000, 1, 8);
        assert_true(hd_touched_keep(notes, 0));
        write_to(0, 1008, 2, 8);
        touch(0, 90000, 8, HD_TOUCHED_READ);
        assert_true(hd_touched_keep(notes, 0));
        touch(1, 90000, 8, HD_TOUCHED_READ);
        assert_true(hd_touched_keep(notes, 1));
        assert_false(hd_touched_conflict(notes));
        if (round == 1) { // of two members, after their blocks have ended
            write_to(1, 1004, 3, 4);
            assert_true(hd_touched_keep(notes, 1));
            assert_true(hd_touched_conflict(notes));
        } else { // of two blocks of one member
            write_to(0, 90004, 3, 1);
            assert_false(hd_touched_keep(notes, 0));
        }
        hd_touched_undo(notes);
        assert_int_equal(hd_memory_digest(memory), before);
        hd_touched_forget(notes);
        assert_true(hd_touched_keep(notes, 0)); // nothing is left
        assert_false(hd_touched_conflict(notes));
    }
}

// So much may be written that it is too much to keep.
static void much_is_saved(void **state)
{
    const uint64_t most = UINT64_C(260) << 20;
    uint64_t far = hd_memory_alloc(memory, most, "B") - HD_MEMORY_BASE;

    (void)state;
    assert_true(hd_touched_apart(notes));
    view.bytes[far + 5] = 7;
    for (uint64_t k = 0; k < most; k += UINT64_C(52) << 20) {
        assert_false(hd_touched_full(notes, 1));
        hd_touched_range(member[1], far + k, UINT64_C(52) << 20, HD_TOUCHED_WRITE);
        view.bytes[far + k + 5] = 9;
    }
    assert_true(hd_touched_full(notes, 1));
    assert_false(hd_touched_keep(notes, 1));
    hd_touched_undo(notes);
    assert_int_equal(view.bytes[far + 5], 7);
    hd_touched_forget(notes);
    assert_false(hd_touched_full(notes, 1));
    write_to(1, 100, 2, 4); // there is room again
    assert_true(hd_touched_keep(notes, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_what_order_changes_is_a_conflict, set_up, tear_down),
        cmocka_unit_test_setup_teardown(words_beside_each_other_do_not_meet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lanes_are_noted_one_by_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(exact_notes_cover_only_what_was_touched, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pieces_of_two_regions_are_noted_in_both, set_up, tear_down),
        cmocka_unit_test_setup_teardown(buffers_beside_each_other_do_not_meet, set_up, tear_down),
        cmocka_unit_test_setup_teardown(undoing_brings_back_what_was_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blocks_run_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(much_is_saved, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
