// test_simt.c - the SIMT stack: order of paths, joins, loops, exits.
#include "emu/simt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ALL UINT32_MAX
#define LOW UINT32_C(0x0000ffff)
#define HIGH UINT32_C(0xffff0000)

static struct hd_arena *arena;
static struct hd_simt s;

static int close_stack(void **state)
{
    (void)state;
    hd_arena_free(arena);
    return 0;
}

static void start(unsigned path_order, uint32_t pc, uint32_t lanes)
{
    if (arena)
        hd_arena_free(arena);
    arena = hd_arena_new();
    memset(&s, 0, sizeof s);
    hd_simt_init(&s, arena, path_order);
    hd_simt_start(&s, 3, pc, lanes);
}

static void at(uint32_t pc, uint32_t lanes)
{
    assert_int_equal(s.pc[3], pc);
    assert_int_equal(s.lanes[3], lanes);
}

static void plain_instructions_and_uniform_branches(void **state)
{
    (void)state;
    start(0, 10, ALL);
    at(10, ALL);
    assert_int_equal(s.pc[2], HD_PC_NONE); // empty slot
    hd_simt_next(&s, 3);
    at(11, ALL);
    assert_int_equal(hd_simt_branch(&s, 3, ALL, 20, 30), HD_EFF_TAKEN);
    at(20, ALL);
    assert_int_equal(hd_simt_branch(&s, 3, 0, 50, 30), 0);
    at(21, ALL);
    assert_int_equal(hd_simt_branch(&s, 3, LOW, 22, 22), HD_EFF_TAKEN); // to the next instruction
    at(22, ALL);
}

// 0: @p bra 3;  1: else;  2: bra 4;  3: then;  4: join
static void highest_lane_runs_last(void **state)
{
    (void)state;
    start(0, 0, ALL);
    assert_int_equal(hd_simt_branch(&s, 3, HIGH, 3, 4), HD_EFF_TAKEN | HD_EFF_DIVERGED);
    at(1, LOW); // lane 31 jumped, so the others go first
    hd_simt_next(&s, 3);
    hd_simt_branch(&s, 3, LOW, 4, HD_PC_NONE);
    at(3, HIGH);
    hd_simt_next(&s, 3);
    at(4, ALL);

    start(0, 0, ALL);
    hd_simt_branch(&s, 3, LOW, 3, 4);
    at(3, LOW); // lane 31 fell through
    hd_simt_next(&s, 3);
    at(1, HIGH);
}

static void later_order_runs_the_taken_path_first(void **state)
{
    (void)state;
    start(1, 0, ALL);
    hd_simt_branch(&s, 3, HIGH, 3, 4);
    at(3, HIGH);
    hd_simt_next(&s, 3);
    at(1, LOW);
    hd_simt_next(&s, 3);
    hd_simt_branch(&s, 3, LOW, 4, HD_PC_NONE);
    at(4, ALL);
}

static void group_at_the_join_waits(void **state)
{
    (void)state;
    start(0, 0, ALL);
    hd_simt_branch(&s, 3, HIGH, 2, 2); // if without else
    at(1, LOW);
    hd_simt_next(&s, 3);
    at(2, ALL);
}

static void nested_branches_join_inside_out(void **state)
{
    (void)state;
    start(0, 0, ALL);
    hd_simt_branch(&s, 3, HIGH, 10, 20);
    at(1, LOW);
    hd_simt_branch(&s, 3, 0x000000ff, 5, 7);
    at(5, 0x000000ff);
    hd_simt_next(&s, 3);
    hd_simt_next(&s, 3);
    at(2, 0x0000ff00);
    hd_simt_branch(&s, 3, 0x0000ff00, 7, HD_PC_NONE);
    at(7, LOW);
    hd_simt_branch(&s, 3, LOW, 20, HD_PC_NONE);
    at(10, HIGH);
    hd_simt_branch(&s, 3, HIGH, 20, HD_PC_NONE);
    at(20, ALL);
    assert_int_equal(s.depth[3], 0);
}

// Inner and outer branch join at the same instruction: the stack does not grow, one pop each.
static void shared_join_reuses_the_entry(void **state)
{
    (void)state;
    start(0, 0, ALL);
    hd_simt_branch(&s, 3, HIGH, 20, 20);
    at(1, LOW);
    assert_int_equal(s.depth[3], 1);
    hd_simt_branch(&s, 3, 0xff00, 20, 20);
    at(2, 0x00ff);
    assert_int_equal(s.depth[3], 1);
    hd_simt_branch(&s, 3, 0xff, 20, HD_PC_NONE);
    at(20, ALL);
}

// 5: body; 6: @p bra 5; 7: after. Lane l leaves after l + 1 rounds.
static void loop_lanes_wait_behind_it(void **state)
{
    (void)state;
    start(0, 5, ALL);
    for (unsigned round = 0; round < 32; round++) {
        at(5, ALL << round);
        hd_simt_next(&s, 3);
        hd_simt_branch(&s, 3, round < 31 ? ALL << (round + 1) : 0, 5, 7);
        assert_true(s.depth[3] <= 1);
    }
    at(7, ALL);
}

static void ended_lanes_never_come_back(void **state)
{
    (void)state;
    start(0, 0, ALL);
    hd_simt_branch(&s, 3, HIGH, 10, HD_PC_NONE); // both paths end: no join
    at(1, LOW);
    assert_int_equal(hd_simt_exit(&s, 3, LOW), HD_EFF_EXITED);
    at(10, HIGH);
    assert_int_equal(hd_simt_exit(&s, 3, HIGH), HD_EFF_EXITED);
    at(HD_PC_NONE, 0);
}

static void guarded_exit_leaves_the_others(void **state)
{
    (void)state;
    start(0, 0, LOW);
    assert_int_equal(hd_simt_exit(&s, 3, 0), 0);
    at(1, LOW);
    hd_simt_exit(&s, 3, 0xff);
    at(2, 0xff00);
    hd_simt_branch(&s, 3, 0x0f00, 8, 9); // join after one side has ended inside
    at(8, 0x0f00);
    hd_simt_exit(&s, 3, 0x0f00);
    at(3, 0xf000);
    for (int i = 0; i < 6; i++)
        hd_simt_next(&s, 3);
    at(9, 0xf000);
}

static void deepest_nesting_fits(void **state)
{
    uint32_t lanes = ALL;

    (void)state;
    start(0, 0, ALL);
    for (uint32_t d = 0; d < 31; d++) { // each level splits one lane off
        hd_simt_branch(&s, 3, lanes & ~(1u << d), 100 * (d + 1), 100000 - d);
        if (s.lanes[3] == 1u << d) { // lanes above go last: bring the single lane to the join
            hd_simt_branch(&s, 3, 1u << d, 100000 - d, HD_PC_NONE);
        }
        lanes &= ~(1u << d);
        at(100 * (d + 1), lanes);
    }
    for (uint32_t d = 31; d-- > 0;) {
        hd_simt_branch(&s, 3, s.lanes[3], 100000 - d, HD_PC_NONE);
        lanes |= 1u << d;
        at(100000 - d, lanes);
    }
}

// A call leaves the others waiting behind it; the callee's lanes part, return one path after the
// other and meet at the return address.
static void calls_return_behind_the_call(void **state)
{
    (void)state;
    start(0, 5, ALL);
    hd_simt_call(&s, 3, LOW, 0, 100, s.frame[3] + 1);
    at(100, LOW);
    assert_int_equal(s.frame[3], 1);
    assert_int_equal(hd_simt_branch(&s, 3, 0xff, 110, HD_PC_NONE), HD_EFF_TAKEN | HD_EFF_DIVERGED);
    at(110, 0xff);
    hd_simt_return(&s, 3, 0x0f); // guarded: the others go on
    at(111, 0xf0);
    hd_simt_return(&s, 3, 0xf0);
    at(101, 0xff00);
    assert_int_equal(s.frame[3], 1);
    hd_simt_call(&s, 3, 0xff00, 0, 200, s.frame[3] + 1);
    at(200, 0xff00);
    assert_int_equal(s.frame[3], 2);
    assert_int_equal(hd_simt_exit(&s, 3, 0x0300), HD_EFF_EXITED);
    at(201, 0xfc00);
    hd_simt_return(&s, 3, 0xfc00);
    at(102, 0xfc00);
    hd_simt_return(&s, 3, 0xfc00);
    at(6, ALL & ~UINT32_C(0x0300));
    assert_int_equal(s.frame[3], 0);
    assert_int_equal(s.depth[3], 0);
}

// Two targets: the call is executed again for the lanes that went elsewhere.
static void calls_of_several_functions_take_turns(void **state)
{
    (void)state;
    start(0, 5, ALL);
    hd_simt_branch(&s, 3, LOW, 8, 9); // so that the return address is a join
    at(8, LOW);
    hd_simt_call(&s, 3, 0x1, 0xfffe, 100, s.frame[3] + 1);
    at(100, 0x1);
    hd_simt_return(&s, 3, 0x1);
    at(8, 0xfffe);
    hd_simt_call(&s, 3, 0xfe, 0xff00, 200, s.frame[3] + 1);
    hd_simt_return(&s, 3, 0xfe);
    at(8, 0xff00);
    hd_simt_call(&s, 3, 0xff00, 0, 100, s.frame[3] + 1);
    hd_simt_return(&s, 3, 0xff00);
    at(6, HIGH);
    hd_simt_branch(&s, 3, HIGH, 9, 9);
    at(9, ALL);
    assert_int_equal(s.depth[3], 0);
}

// Room for paths that change places.
static struct hd_simt_entry room[HD_SIMT_DEPTH_APART];

static void start_apart(void)
{
    start(0, 0, ALL);
    hd_simt_room(&s, 3, room, HD_SIMT_DEPTH_APART);
}

static unsigned entry_with(uint32_t pc, uint32_t lanes)
{
    for (unsigned k = 0; k < s.depth[3]; k++)
        if (s.below[3][k].pc == pc && s.below[3][k].lanes == lanes)
            return k;
    fail_msg("no entry at %u", pc);
    return 0;
}

// 0: @low bra 5;  1 to 4: else;  5: then;  9: join
static void another_path_becomes_the_top(void **state)
{
    (void)state;
    start_apart();
    hd_simt_branch(&s, 3, LOW, 5, 9);
    at(5, LOW);
    hd_simt_raise(&s, 3, entry_with(1, HIGH));
    at(1, HIGH);
    hd_simt_branch(&s, 3, 0xff000000, 3, 4); // diverges itself
    at(2, 0xff0000);
    hd_simt_raise(&s, 3, entry_with(5, LOW)); // its subtree moves as a whole
    at(5, LOW);
    hd_simt_branch(&s, 3, LOW, 9, 9); // at the join, which is not complete
    at(2, 0xff0000);
    hd_simt_next(&s, 3);
    hd_simt_next(&s, 3);
    at(3, 0xff000000);
    hd_simt_next(&s, 3);
    at(4, HIGH);
    hd_simt_branch(&s, 3, HIGH, 9, 9);
    at(9, ALL);
    assert_int_equal(s.depth[3], 0);
}

static void lanes_that_have_arrived_go_on(void **state)
{
    bool leaf;

    (void)state;
    start_apart();
    hd_simt_branch(&s, 3, LOW, 9, 9); // to the join
    at(1, HIGH);
    assert_int_equal(hd_simt_own(&s, 3, entry_with(9, ALL), &leaf), LOW);
    assert_false(leaf);
    hd_simt_release(&s, 3, entry_with(9, ALL));
    at(9, LOW);
    hd_simt_next(&s, 3);
    at(10, LOW);
    hd_simt_exit(&s, 3, LOW);
    at(1, HIGH);
    hd_simt_branch(&s, 3, HIGH, 9, 9);
    at(9, HIGH);
    hd_simt_exit(&s, 3, HIGH);
    assert_int_equal(s.pc[3], HD_PC_NONE);
}

static void paths_at_one_place_unite(void **state)
{
    (void)state;
    start_apart();
    hd_simt_branch(&s, 3, LOW, 5, 9);
    at(5, LOW);
    assert_int_equal(hd_simt_unite(&s, 3, entry_with(1, HIGH)), 0); // elsewhere
    hd_simt_raise(&s, 3, entry_with(1, HIGH));
    hd_simt_branch(&s, 3, HIGH, 5, 9);
    at(5, HIGH);
    assert_int_equal(hd_simt_unite(&s, 3, entry_with(5, LOW)), LOW);
    at(5, ALL);
    hd_simt_branch(&s, 3, ALL, 9, 9);
    at(9, ALL);
    assert_int_equal(s.depth[3], 0);
}

static void some_lanes_stay_at_an_instruction(void **state)
{
    (void)state;
    start_apart();
    hd_simt_split(&s, 3, 0x3, 0xc); // the others are at 1
    at(0, 0x3);
    hd_simt_next(&s, 3);
    at(0, 0xc);
    hd_simt_next(&s, 3);
    at(1, ALL);
    assert_int_equal(s.depth[3], 0);
}

static unsigned reframed;

static void count_frames(struct hd_simt *t, unsigned warp)
{
    (void)t;
    reframed += warp == 3;
}

static void paths_in_functions_have_their_own_frames(void **state)
{
    (void)state;
    start_apart();
    s.reframe = count_frames;
    reframed = 0;
    hd_simt_branch(&s, 3, LOW, 5, 9);
    hd_simt_call(&s, 3, LOW, 0, 100, 1);
    at(100, LOW);
    hd_simt_raise(&s, 3, entry_with(1, HIGH));
    assert_int_equal(reframed, 1);
    hd_simt_call(&s, 3, HIGH, 0, 200, 2);
    hd_simt_raise(&s, 3, entry_with(100, LOW));
    at(100, LOW);
    assert_int_equal(s.frame[3], 1);
    hd_simt_return(&s, 3, LOW);
    at(6, LOW); // of the kernel, although frame 2 has begun later
    assert_int_equal(s.frame[3], 0);
    hd_simt_branch(&s, 3, LOW, 9, 9);
    at(200, HIGH);
    assert_int_equal(s.frame[3], 2);
    hd_simt_return(&s, 3, HIGH);
    at(2, HIGH);
    hd_simt_branch(&s, 3, HIGH, 9, 9);
    at(9, ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_instructions_and_uniform_branches),
        cmocka_unit_test(highest_lane_runs_last),
        cmocka_unit_test(later_order_runs_the_taken_path_first),
        cmocka_unit_test(group_at_the_join_waits),
        cmocka_unit_test(nested_branches_join_inside_out),
        cmocka_unit_test(shared_join_reuses_the_entry),
        cmocka_unit_test(loop_lanes_wait_behind_it),
        cmocka_unit_test(ended_lanes_never_come_back),
        cmocka_unit_test(guarded_exit_leaves_the_others),
        cmocka_unit_test(deepest_nesting_fits),
        cmocka_unit_test(calls_return_behind_the_call),
        cmocka_unit_test(calls_of_several_functions_take_turns),
        cmocka_unit_test(another_path_becomes_the_top),
        cmocka_unit_test(lanes_that_have_arrived_go_on),
        cmocka_unit_test(paths_at_one_place_unite),
        cmocka_unit_test(some_lanes_stay_at_an_instruction),
        cmocka_unit_test(paths_in_functions_have_their_own_frames),
    };
    return cmocka_run_group_tests_name("simt", tests, NULL, close_stack);
}
