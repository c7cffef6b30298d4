// test_sm_timeline.c - when a warp's instructions issue: the worked timelines and dependent chains
// of the reference's SM (timing-model 15.1, 18), which follow from its stage order alone.
#include "shared/sm_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct bench *ran(const char *text, unsigned warps, unsigned trips)
{
    struct bench *b =
        bench_new(&(struct bench_setup){.text = text, .warps = warps, .trips = trips});

    assert_true(bench_run(b) != 0);
    return b;
}

// Distance between the issues of two instructions, the second of which needs the first. Both come
// with one fetch, so the front end does not matter.
static void dependent_issue(void **state)
{
    static const struct {
        const char *op;
        unsigned cycles;
        const char *why;
    } rows[] = {
        {"add.s32 %r1, %r1, %r2", 11, "n + L + 5: 2 reads, L = 4"},
        {"add.s32 %r1, %r1, 7", 10, "1 read: immediates are not collected"},
        {"add.f32 %r1, %r1, %r2", 11, ""},
        {"mad.lo.s32 %r1, %r1, %r2, %r3", 13, "3 reads, L = 5, SFU"},
        {"mul.lo.s32 %r1, %r1, %r2", 11, "SFU"},
        {"fma.rn.f32 %r1, %r1, %r2, %r3", 9, "L = 1: not in the mad class"},
        {"mad.f32 %r1, %r1, %r2, %r3", 13, ""},
        {"mul.f32 %r1, %r1, %r2", 11, ""},
        {"div.full.f32 %r1, %r1, %r2", 46, "L = 39"},
        {"sqrt.approx.f32 %r1, %r1", 14, "L = 8"},
        {"add.f64 %r1, %r1, %r2", 15, "L = 8"},
        {"div.s32 %r1, %r1, %r2", 152, "L = 145"},
        {"shl.b32 %r1, %r1, 3", 7, "L = 1"},
        {"mov.u32 %r1, 1", 6, "no reads: WAW alone"},
        {"min.s32 %r1, %r1, %r2", 20, "L = 13"},
        {"add.s32 %r1, %r1, %r1", 11, "a register named twice is read twice"},
        {"add.s32 %r1, %r1, %r17", 11, "one operand a cycle whatever the banks"},
        {"ld.shared.u32 %r1, [%r1]", 8, "7 + n: three pipe stages and the writeback register"},
        {"ld.param.u32 %r1, [x]", 3, "3 + n: a constant hit writes no register"},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[128];
        snprintf(text, sizeof text, "%s\n%s\nexit", rows[i].op, rows[i].op);
        struct bench *b = ran(text, 1, 1);
        uint64_t cycles = bench_issued(b, 0, 1, 0) - bench_issued(b, 0, 0, 0);
        if (cycles != rows[i].cycles)
            fail_msg("%s: %llu cycles, not %u (%s)", rows[i].op, (unsigned long long)cycles,
                     rows[i].cycles, rows[i].why);
        bench_free(b);
    }
}

static void bank_conflicts_of_shared_memory(void **state)
{
    static const unsigned degree[] = {1, 2, 4, 8, 16, 32};

    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        struct bench *b = bench_new(
            &(struct bench_setup){.text = "ld.shared.u32 %r1, [%r1]\nadd.s32 %r2, %r1, 1\nexit",
                                  .warps = 1,
                                  .stride = 4 * degree[i]});
        bench_run(b);
        assert_int_equal(bench_issued(b, 0, 1, 0) - bench_issued(b, 0, 0, 0), 7 + degree[i]);
        assert_int_equal(bench_stats(b)->shared_conflict_cycles, degree[i] - 1);
        bench_free(b);
    }
}

// A block dispatched at the end of cycle 0 is fetched in 1, decoded in 2 and issues in 3; from then
// on a single warp alternates: two instructions, one cycle of fetch.
static void start_and_refill(void **state)
{
    struct bench *b = ran("mov.u32 %r0, 1\nmov.u32 %r1, 1\nmov.u32 %r2, 1\nmov.u32 %r3, 1\n"
                          "mov.u32 %r4, 1\nmov.u32 %r5, 1\nexit",
                          1, 1);
    static const unsigned cycles[7] = {3, 4, 6, 7, 9, 10, 12};

    (void)state;
    for (unsigned pc = 0; pc < 7; pc++)
        assert_int_equal(bench_issued(b, 0, pc, 0), cycles[pc]);
    bench_free(b);
}

// The flush is found at the next visit; a branch in the buffer's last place lets fetch go wrong
// first (timing-model 4.3).
static void taken_branches(void **state)
{
    struct bench *b = ran("bra a\nmov.u32 %r0, 1\na:\nmov.u32 %r1, 1\nbra b\nmov.u32 %r2, 1\n"
                          "mov.u32 %r3, 1\nb:\nexit",
                          1, 1);
    uint64_t first = bench_issued(b, 0, 0, 0), second = bench_issued(b, 0, 3, 0);

    (void)state;
    assert_int_equal(bench_issued(b, 0, 2, 0) - first, 3);
    assert_int_equal(bench_issued(b, 0, 6, 0) - second, 4);
    assert_int_equal(bench_stats(b)->issued, 4); // the wrong path is fetched, never issued
    bench_free(b);
}

static void loops(void **state)
{
    (void)state;
    assert_int_equal((int)bench_per_round((struct bench_setup){
                         .text = "top:\nadd.s32 %r1, %r1, 1\nsetp.lt.s32 %p1, %r1, %r2\n"
                                 "@%p1 bra top\nexit",
                         .warps = 1}),
                     21);
    assert_int_equal((int)bench_per_round((struct bench_setup){
                         .text = "top:\nadd.s32 %r1, %r1, 1\nmov.u32 %r3, 1\n"
                                 "setp.lt.s32 %p1, %r1, %r2\n@%p1 bra top\nexit",
                         .warps = 1}),
                     22);
}

// WAR is no hazard, WAW is.
static void hazards(void **state)
{
    struct bench *b = ran("add.s32 %r1, %r2, %r3\nmov.u32 %r2, 1\nexit", 1, 1);

    (void)state;
    assert_int_equal(bench_issued(b, 0, 1, 0) - bench_issued(b, 0, 0, 0), 1);
    bench_free(b);
    b = ran("add.s32 %r1, %r2, %r3\nmov.u32 %r1, 1\nexit", 1, 1);
    assert_int_equal(bench_issued(b, 0, 1, 0) - bench_issued(b, 0, 0, 0), 11);
    bench_free(b);
    // A guard is waited for, but not read by the collector.
    b = ran("setp.lt.s32 %p1, %r2, %r3\n@%p1 mov.u32 %r1, 1\nexit", 1, 1);
    assert_int_equal(bench_issued(b, 0, 1, 0) - bench_issued(b, 0, 0, 0), 8);
    bench_free(b);
}

// A load that goes to memory: pushed 3 + n after issue, popped `latency` later; then a cycle in the
// response FIFO, one in the load/store unit's slot, one in the writeback register.
static void load_from_memory(void **state)
{
    static const char *const sets[] = {"flat.latency=100", NULL};
    struct bench *b = bench_new(&(struct bench_setup){
        .text = "ld.global.u32 %r1, [%r1]\nadd.s32 %r2, %r1, 1\nexit", .warps = 1, .sets = sets});

    (void)state;
    bench_run(b);
    assert_int_equal(bench_issued(b, 0, 1, 0) - bench_issued(b, 0, 0, 0), 4 + 100 + 3);
    bench_free(b);
}

// Once its line is in the L1D, a load is faster than an addition: 3 + n (O1). The first round
// misses, the others wait for the load only.
static void load_that_hits(void **state)
{
    static const char *const sets[] = {"l1d.enabled=1", NULL};
    double round = bench_per_round(
        (struct bench_setup){.text = "top:\nld.global.u32 %r4, [%r4]\nadd.s32 %r1, %r1, %r4\n"
                                     "setp.lt.s32 %p1, %r1, %r2\n@%p1 bra top\nexit",
                             .warps = 1,
                             .sets = sets});

    (void)state;
    // Load 4, addition 11, comparison 8, and a taken branch from the buffer's last place 4.
    assert_int_equal((int)round, 4 + 11 + 8 + 4);
}

// A fence waits for loads and not for stores' acknowledgements (O12); a warp's slot is given back
// only when its stores are acknowledged.
static void fences_and_stores(void **state)
{
    static const char *const sets[] = {"flat.latency=100", NULL};
    struct bench *b = bench_new(
        &(struct bench_setup){.text = "st.global.u32 [%r1], %r2\nmembar.gl\nmov.u32 %r3, 1\nexit",
                              .warps = 1,
                              .sets = sets});
    uint64_t end = bench_run(b);

    (void)state;
    assert_true(bench_issued(b, 0, 2, 0) - bench_issued(b, 0, 1, 0) < 10);
    // 2 registers: accepted five cycles after issue, acknowledged 100 later, consumed in the cycle
    // after; fetch reclaims the warp in that cycle, and the count stands one further.
    assert_int_equal(end - bench_issued(b, 0, 0, 0), 5 + 100 + 1 + 1);
    bench_free(b);
    b = bench_new(
        &(struct bench_setup){.text = "ld.global.u32 %r1, [%r1]\nmembar.gl\nmov.u32 %r3, 1\nexit",
                              .warps = 1,
                              .sets = sets});
    bench_run(b);
    // One cycle more than above: without operands to wait for, the fence is collected as soon as
    // the load is, and the dispatch port's round robin takes it first.
    assert_int_equal(bench_issued(b, 0, 2, 0) - bench_issued(b, 0, 0, 0), 4 + 100 + 3 + 1);
    bench_free(b);
}

// The last warp to arrive releases all: they go on from their next visit.
static void barrier_opens(void **state)
{
    struct bench *b = ran("bar.sync 0\nmov.u32 %r1, 1\nexit", 4, 1);
    uint64_t last = 0;

    (void)state;
    for (unsigned w = 0; w < 4; w++)
        if (bench_issued(b, w, 0, 0) > last)
            last = bench_issued(b, w, 0, 0);
    for (unsigned w = 0; w < 4; w++) {
        assert_true(bench_issued(b, w, 1, 0) >= last);
        assert_true(bench_issued(b, w, 1, 0) <= last + 3);
    }
    assert_int_equal(bench_stats(b)->barriers, 4);
    bench_free(b);
}

int main(void)
{
#ifdef HD_STRESS
    puts("timing of a machine whose queues were not shrunk");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_issue),
        cmocka_unit_test(bank_conflicts_of_shared_memory),
        cmocka_unit_test(start_and_refill),
        cmocka_unit_test(taken_branches),
        cmocka_unit_test(loops),
        cmocka_unit_test(hazards),
        cmocka_unit_test(load_from_memory),
        cmocka_unit_test(fences_and_stores),
        cmocka_unit_test(load_that_hits),
        cmocka_unit_test(barrier_opens),
    };
    return cmocka_run_group_tests_name("sm timeline", tests, NULL, NULL);
}
