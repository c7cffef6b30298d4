// test_ptx_flow.c - basic blocks, reconvergence points, live ranges and row packing on graphs small
// enough to do by hand, and on one large enough to notice a slow algorithm.
#include "base/arena.h"
#include "ptx/flow.h"
#include "ptx/live.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct hd_arena *arena;

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

// One character per instruction: '.' goes on, 'e' ends, 'E' ends if guarded; a digit jumps there,
// a letter from 'A' on is a guarded jump to 0, 1, ... ('A' + target).
static struct hd_flow *flow_of(const char *code)
{
    uint32_t n = (uint32_t)strlen(code);
    struct hd_flow_step *steps = HD_ARRAY(arena, struct hd_flow_step, n);

    for (uint32_t i = 0; i < n; i++) {
        char c = code[i];
        if (c == 'e' || c == '?')
            steps[i] = (struct hd_flow_step){.kind = HD_FLOW_END, .guarded = c == '?', .target = 0};
        else if (c >= '0' && c <= '9')
            steps[i] = (struct hd_flow_step){
                .kind = HD_FLOW_JUMP, .guarded = false, .target = (uint32_t)(c - '0')};
        else if (c >= 'A' && c <= 'Z')
            steps[i] = (struct hd_flow_step){
                .kind = HD_FLOW_JUMP, .guarded = true, .target = (uint32_t)(c - 'A')};
    }
    return hd_flow_build(arena, steps, n);
}

static void straight(void **state)
{
    const struct hd_flow *f = flow_of("...e");

    (void)state;
    assert_int_equal(f->n_blocks, 1);
    assert_int_equal(f->ipdom[0], 1); // the exit
    assert_int_equal(hd_flow_reconvergence(f, 0), HD_FLOW_NONE);
}

static void if_then_else(void **state)
{
    //                                0123456
    const struct hd_flow *f = flow_of(".E.5..e"); // 1: to 4 or on; 3: to 5

    (void)state;
    assert_int_equal(f->n_blocks, 4);
    assert_int_equal(hd_flow_reconvergence(f, 1), 5);
    assert_int_equal(hd_flow_reconvergence(f, 3), 5);
    assert_int_equal(hd_flow_reconvergence(f, 4), 5);
}

static void if_then(void **state)
{
    const struct hd_flow *f = flow_of(".D.e"); // over 2 to 3

    (void)state;
    assert_int_equal(hd_flow_reconvergence(f, 1), 3);
}

static void loop(void **state)
{
    const struct hd_flow *f = flow_of("..B.e"); // 1..2 is the loop

    (void)state;
    assert_int_equal(f->n_blocks, 3);
    assert_int_equal(hd_flow_reconvergence(f, 2), 3);
}

static void loop_with_break(void **state)
{
    //                                0123456
    const struct hd_flow *f = flow_of(".G.B.5e"); // 1: out to 6; 3: back to 1; 4: then 5 forever

    (void)state;
    assert_int_equal(hd_flow_reconvergence(f, 1), 6);
    // Behind 3 lies an endless loop at 5: only the way back reaches the exit.
    assert_int_equal(hd_flow_reconvergence(f, 3), 1);
    assert_int_equal(f->ipdom[f->block_of[5]], HD_FLOW_NONE);
}

static void nested_ifs(void **state)
{
    //                                0123456789
    const struct hd_flow *f = flow_of("IF.G.H..e.e"); // 9 is never reached

    (void)state;
    assert_int_equal(hd_flow_reconvergence(f, 0), 8);
    assert_int_equal(hd_flow_reconvergence(f, 1), 7);
    assert_int_equal(hd_flow_reconvergence(f, 3), 7);
    assert_int_equal(hd_flow_reconvergence(f, 5), 7);
}

static void early_exit(void **state)
{
    const struct hd_flow *f = flow_of(".?.C.e"); // 1: guarded exit; 3: loop to 2

    (void)state;
    assert_int_equal(hd_flow_reconvergence(f, 1), HD_FLOW_NONE);
    assert_int_equal(hd_flow_reconvergence(f, 3), 4);
}

static void two_exits(void **state)
{
    const struct hd_flow *f = flow_of(".D e"
                                      "e"); // both sides end: they never meet

    (void)state;
    assert_int_equal(hd_flow_reconvergence(f, 1), 3);
    f = flow_of("Cee");
    assert_int_equal(hd_flow_reconvergence(f, 0), HD_FLOW_NONE);
}

static void branch_to_next(void **state)
{
    const struct hd_flow *f = flow_of("B.e");

    (void)state;
    assert_int_equal(f->succ_first[1], 1);
    assert_int_equal(f->succs[0], 1);
    assert_int_equal(hd_flow_reconvergence(f, 0), 1);
}

// 50,000 instructions of nested ifs and of a ladder to the end.
static void large(void **state)
{
    enum { N = 50000 };
    struct hd_flow_step *steps = HD_ARRAY(arena, struct hd_flow_step, N);
    const struct hd_flow *f;

    (void)state;
    for (uint32_t i = 0; i < N / 2; i++)
        steps[i] =
            (struct hd_flow_step){.kind = HD_FLOW_JUMP, .guarded = true, .target = N - 1 - i};
    steps[N - 1].kind = HD_FLOW_END;
    f = hd_flow_build(arena, steps, N);
    for (uint32_t i = 0; i < N / 2; i++)
        assert_int_equal(hd_flow_reconvergence(f, i), N - 1 - i);
    for (uint32_t i = 0; i < N - 1; i++)
        steps[i] = (struct hd_flow_step){.kind = HD_FLOW_JUMP, .guarded = true, .target = N - 1};
    f = hd_flow_build(arena, steps, N);
    for (uint32_t i = 0; i < N - 2; i += 7)
        assert_int_equal(hd_flow_reconvergence(f, i), N - 1);
}

// 0: through a table to 1, 2, 3, 1;  1, 2: jump 4;  3: end;  4: end
static void tables(void **state)
{
    static const uint32_t targets[] = {1, 2, 3, 1}, joining[] = {1, 2, 4};
    struct hd_flow_step steps[5] = {
        {.kind = HD_FLOW_TABLE, .targets = targets, .n_targets = 4},
        {.kind = HD_FLOW_JUMP, .target = 4},
        {.kind = HD_FLOW_JUMP, .target = 4},
        {.kind = HD_FLOW_END},
        {.kind = HD_FLOW_END},
    };
    struct hd_flow *f = hd_flow_build(arena, steps, 5);

    (void)state;
    assert_int_equal(f->succ_first[1], 3); // each block once
    assert_int_equal(hd_flow_reconvergence(f, 0), HD_FLOW_NONE);
    steps[0].targets = joining;
    steps[0].n_targets = 3;
    steps[0].guarded = true; // goes on to 1, which is in the table
    f = hd_flow_build(arena, steps, 5);
    assert_int_equal(f->succ_first[1], 3);
    assert_int_equal(hd_flow_reconvergence(f, 0), 4);
}

// --- liveness: refs are written as text, "0d1 1u1": instruction, kind (u, d, m), register

static uint32_t live(const struct hd_flow *f, const char *text, const char *words,
                     struct hd_live_range *ranges)
{
    struct hd_live_ref refs[64];
    uint8_t w[16] = {0};
    uint32_t n = 0, n_regs = (uint32_t)strlen(words);

    for (uint32_t r = 0; r < n_regs; r++)
        w[r] = (uint8_t)(words[r] - '0');
    for (; *text; text += 3 + (text[3] == ' ')) {
        refs[n].insn = (uint32_t)(text[0] - '0');
        refs[n].kind = text[1] == 'u' ? HD_LIVE_USE : text[1] == 'd' ? HD_LIVE_DEF : HD_LIVE_MAYBE;
        refs[n++].reg = (uint32_t)(text[2] - '0');
    }
    return hd_live_find(arena, f, refs, n, w, n_regs, ranges, HD_ARRAY(arena, uint32_t, f->n_insns),
                        &(struct hd_live_outs){.n = 0});
}

static void expect_range(const struct hd_live_range *r, uint32_t first, uint32_t last)
{
    assert_int_equal(r->first, first);
    assert_int_equal(r->last, last);
}

static void ranges_straight(void **state)
{
    struct hd_live_range r[3];

    (void)state;
    // r0 defined at 0, used at 1; r1 defined at 1, used at 3; r2 is never wanted
    assert_int_equal(live(flow_of("....e"), "0d0 1u0 1d1 2d2 3u1", "111", r), 2);
    expect_range(&r[0], 0, 1);
    expect_range(&r[1], 1, 3);
    expect_range(&r[2], 2, 2);
}

static void ranges_loop(void **state)
{
    struct hd_live_range r[3];

    (void)state;
    // 1..3 is a loop: r0 comes from outside and is needed each time round, r1 only within
    assert_int_equal(live(flow_of("...B.e"), "0d0 1u0 1d1 2u1", "111", r), 2);
    expect_range(&r[0], 0, 3);
    expect_range(&r[1], 1, 2);
    assert_int_equal(r[2].first > r[2].last, 1); // does not occur
}

static void ranges_carried(void **state)
{
    struct hd_live_range r[1];

    (void)state;
    // used at 1, defined at 2 for the next round: alive all through the loop
    assert_int_equal(live(flow_of("...B.e"), "0d0 1u0 2d0", "2", r), 2);
    expect_range(&r[0], 0, 3);
}

static void ranges_branches(void **state)
{
    struct hd_live_range r[2];

    (void)state;
    // ".E.5..e": r0 is defined on both sides, used at 5; r1 in one side only
    assert_int_equal(live(flow_of(".E.5..e"), "2d1 3u1 2d0 4d0 5u0", "11", r), 2);
    expect_range(&r[0], 2, 5);
    expect_range(&r[1], 2, 3);
}

static void guarded_definition_keeps_the_old_value(void **state)
{
    struct hd_live_range r[2];

    (void)state;
    assert_int_equal(live(flow_of("....e"), "0d0 1m0 3u0", "1", r), 1);
    expect_range(&r[0], 0, 3);
    // only guarded ones: from the start
    live(flow_of("....e"), "1m0 3u0", "1", r);
    expect_range(&r[0], 0, 3);
    // a full definition ends it, even if the old one is guarded
    live(flow_of("....e"), "1m0 2d0 3u0", "1", r);
    expect_range(&r[0], 1, 3);
}

static void pressure_counts_words(void **state)
{
    struct hd_live_range r[3];

    (void)state;
    assert_int_equal(live(flow_of("....e"), "0d0 1d1 2d2 3u0 3u1 3u2", "120", r), 3);
}

// --- rows

static void rows(void **state)
{
    const struct hd_live_range r[] = {{0, 1}, {2, 3},          {1, 2}, {0, 4},
                                      {2, 4}, {UINT32_MAX, 0}, {0, 4}};
    const uint8_t width[] = {1, 1, 1, 2, 1, 1, 0};
    int32_t row[7];

    (void)state;
    assert_int_equal(hd_live_pack(arena, r, width, 7, 5, row), 5);
    assert_int_equal(row[0], 0);
    assert_int_equal(row[3], 2); // a pair starts even
    assert_int_equal(row[2], 1); // the other half of a broken pair
    assert_int_equal(row[1], 0); // 0 is free again at 2
    assert_int_equal(row[4], 4);
    assert_int_equal(row[5], -1);
    assert_int_equal(row[6], -1);
}

// Random ranges: no two that overlap or differ in width share a row, pairs are even, the result is
// reproducible.
static void rows_never_overlap(void **state)
{
    enum { N = 400, INSNS = 300 };
    static struct hd_live_range r[N];
    static uint8_t width[N];
    static int32_t row[N], again[N];
    uint32_t x = 12345;

    (void)state;
    for (unsigned i = 0; i < N; i++) {
        x = x * 1664525u + 1013904223u;
        r[i].first = (x >> 8) % INSNS;
        r[i].last = r[i].first + (x >> 20) % 40;
        if (r[i].last >= INSNS)
            r[i].last = INSNS - 1;
        width[i] = (uint8_t)(1 + (x >> 7) % 2);
    }
    uint32_t n = hd_live_pack(arena, r, width, N, INSNS, row);
    assert_int_equal(hd_live_pack(arena, r, width, N, INSNS, again), n);
    assert_memory_equal(row, again, sizeof row);
    for (unsigned i = 0; i < N; i++) {
        assert_true(row[i] >= 0 && (uint32_t)row[i] + width[i] <= n);
        assert_true(width[i] == 1 || row[i] % 2 == 0);
        for (unsigned k = 0; k < i; k++)
            if (width[i] != width[k] || (r[i].first <= r[k].last && r[k].first <= r[i].last))
                assert_true(row[i] + width[i] <= row[k] || row[k] + width[k] <= row[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(straight),
        cmocka_unit_test(if_then_else),
        cmocka_unit_test(if_then),
        cmocka_unit_test(loop),
        cmocka_unit_test(loop_with_break),
        cmocka_unit_test(nested_ifs),
        cmocka_unit_test(early_exit),
        cmocka_unit_test(two_exits),
        cmocka_unit_test(branch_to_next),
        cmocka_unit_test(large),
        cmocka_unit_test(ranges_straight),
        cmocka_unit_test(ranges_loop),
        cmocka_unit_test(ranges_carried),
        cmocka_unit_test(ranges_branches),
        cmocka_unit_test(guarded_definition_keeps_the_old_value),
        cmocka_unit_test(pressure_counts_words),
        cmocka_unit_test(rows),
        cmocka_unit_test(rows_never_overlap),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
