// test_hang.c - kernels that never end: the machine notices, says so, and says where each warp is.
#include "shared/gpu_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// Warp 0 waits at barrier 1, the others at barrier 0: neither can open.
static const char different_barriers[] = "mov.u32 %r1, %tid.x;\n"
                                         "setp.lt.u32 %p1, %r1, 32;\n"
                                         "@%p1 bra ONE;\n"
                                         "bar.sync 0;\n"
                                         "ret;\n"
                                         "ONE:\n"
                                         "bar.sync 1;\n"
                                         "ret;\n";
// One instruction over and over.
static const char endless[] = "HERE:\nbra HERE;\nret;\n";

static void has(const char *report, const char *words)
{
    if (!strstr(report, words))
        fail_msg("no '%s' in:\n%s", words, report);
}

static void deadlock(void **state)
{
    (void)state;
    for (int no_skip = 0; no_skip < 2; no_skip++) {
        enum hd_run_status status;
        struct gpu_bench *b = gpu_bench_ran(&(struct gpu_bench_setup){.body = different_barriers,
                                                                      .threads = 96,
                                                                      .no_skip = no_skip},
                                            &status);
        const char *report = hd_gpu_hang(b->gpu);

        assert_int_equal(status, HD_RUN_DEADLOCK);
        assert_true(hd_gpu_cycle(b->gpu) < 1000); // found at once, not after a time-out
        has(report, "nothing is in flight");
        has(report, "SM 1 warp 0 (block 0): PTX line 17, waits at barrier 1 with 1 of 3 warps, "
                    "missing: 1, 2\n");
        has(report, "SM 1 warp 1 (block 0): PTX line 14, waits at barrier 0 with 2 of 3 warps, "
                    "missing: 0\n");
        has(report, "SM 1 warp 2 (block 0): PTX line 14, waits at barrier 0 with 2 of 3 warps");
        assert_null(strstr(report, "warp 3"));
        gpu_bench_free(b);
    }
}

static void deadlock_without_timing(void **state)
{
    enum hd_run_status status;
    struct gpu_bench *b = gpu_bench_ran(&(struct gpu_bench_setup){.body = different_barriers,
                                                                  .threads = 96,
                                                                  .functional_only = true},
                                        &status);

    (void)state;
    assert_int_equal(status, HD_RUN_DEADLOCK);
    has(hd_gpu_hang(b->gpu), "every warp of a block waits at a barrier");
    has(hd_gpu_hang(b->gpu),
        "\nwarp 0 (block 0): PTX line 17, waits at barrier 1 with 1 of 3 warps, missing: 1, 2\n"
        "warp 1 (block 0): PTX line 14, waits at barrier 0 with 2 of 3 warps, missing: 0\n");
    gpu_bench_free(b);
}

// A deadlock of one block is found although others have ended and many were to come.
static void deadlock_of_one_block(void **state)
{
    static const char body[] = "mov.u32 %r1, %ctaid.x;\nsetp.ne.u32 %p2, %r1, 7;\n@%p2 bra OUT;\n"
                               "mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bra OUT;\n"
                               "bar.sync 2, 64;\n"
                               "OUT:\nret;\n";
    enum hd_run_status status;
    struct gpu_bench *b = gpu_bench_ran(
        &(struct gpu_bench_setup){.body = body, .threads = 64, .blocks = 200}, &status);

    (void)state;
    assert_int_equal(status, HD_RUN_DEADLOCK);
    has(hd_gpu_hang(b->gpu), "(block 7): PTX line 17, waits at barrier 2 with 1 of 2 warps, and no "
                             "other warp is left\n");
    assert_null(strstr(hd_gpu_hang(b->gpu), "(block 8)"));
    gpu_bench_free(b);
}

static void livelock(void **state)
{
    static const char *const sets[] = {"gpu.livelock_after=5000", NULL};

    (void)state;
    for (int no_skip = 0; no_skip < 2; no_skip++) {
        enum hd_run_status status;
        struct gpu_bench *b = gpu_bench_ran(
            &(struct gpu_bench_setup){.body = endless, .sets = sets, .no_skip = no_skip}, &status);

        assert_int_equal(status, HD_RUN_LIVELOCK);
        assert_in_range(hd_gpu_cycle(b->gpu), 5000, 7000);
        has(hd_gpu_hang(b->gpu), "instructions issued, but there was no progress");
        has(hd_gpu_hang(b->gpu), "SM 1 warp 0");
        gpu_bench_free(b);
    }
}

// How a body ends that is watched closely, with and without timing.
static void ends(const char *body, unsigned blocks, enum hd_run_status how, const char *words)
{
    static const char *const sets[] = {"gpu.livelock_after=3000", "gpu.deadlock_after=2000", NULL};
    const uint64_t limit = how == HD_RUN_LIMIT ? 50000 : 2000000;

    for (int mode = 0; mode < 3; mode++) {
        enum hd_run_status status;
        struct gpu_bench *b = gpu_bench_ran(&(struct gpu_bench_setup){.body = body,
                                                                      .sets = sets,
                                                                      .blocks = blocks,
                                                                      .max_cycles = limit,
                                                                      .max_insts = limit,
                                                                      .no_skip = mode == 1,
                                                                      .functional_only = mode == 2},
                                            &status);
        if (status != how)
            fail_msg("status %d, not %d, in mode %d, of\n%s%s", status, how, mode, body,
                     hd_gpu_hang(b->gpu));
        if (words)
            has(hd_gpu_hang(b->gpu), words);
        gpu_bench_free(b);
    }
}

// A loop around `body` without an end, and one of 4000 rounds.
#define BUFFER "ld.param.u64 %rd1, [buffer];\nmov.u64 %rd2, shared;\nmov.u32 %r5, 0;\n"
#define FOREVER(body) BUFFER "HERE:\n" body "bra HERE;\nret;\n"
#define ROUNDS(body)                                                                               \
    BUFFER "HERE:\n" body                                                                          \
           "add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 4000;\n@%p1 bra HERE;\nret;\n"

// What changes nothing gets nothing done, however busy it is.
static void busy_without_progress(void **state)
{
    static const char *const bodies[] = {
        FOREVER("ld.volatile.global.u32 %r1, [%rd1];\n"),
        FOREVER("st.global.u32 [%rd1], 0;\n"), // it is 0
        FOREVER("st.shared.u32 [%rd2], 0;\n"),
        FOREVER("atom.global.exch.b32 %r1, [%rd1], 1;\n"), // as lock and unlock get stuck
        FOREVER("atom.global.cas.b32 %r1, [%rd1], 7, 1;\n"),
        FOREVER("atom.shared.cas.b32 %r1, [%rd2], 7, 1;\n"),
        FOREVER("red.global.add.u32 [%rd1], 0;\n"),
        FOREVER("membar.gl;\n"),
    };

    (void)state;
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++)
        ends(bodies[i], 1, HD_RUN_LIVELOCK, "instructions ");
}

// The lock that nobody gives back: every warp's line is in the report.
static void spin_lock(void **state)
{
    static const char body[] = BUFFER "atom.global.exch.b32 %r1, [%rd1], 1;\n"
                                      "HERE:\natom.global.cas.b32 %r1, [%rd1], 0, 1;\n"
                                      "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra HERE;\nret;\n";

    (void)state;
    ends(body, 2, HD_RUN_LIVELOCK, "(block 0): PTX line ");
}

static void slow_progress(void **state)
{
    static const char *const bodies[] = {
        ROUNDS("st.global.u32 [%rd1], %r5;\n"),
        ROUNDS("st.shared.u32 [%rd2], %r5;\n"),
        ROUNDS("atom.global.add.u32 %r1, [%rd1], 1;\n"),
        ROUNDS("atom.shared.add.u32 %r1, [%rd2], 1;\n"),
        ROUNDS("bar.sync 0;\n"),
        ROUNDS("mov.u32 %r1, %clock;\n"), // who looks at the clock waits for a time
        // Nothing but registers changes, for longer than the machine's patience.
        ROUNDS(""),
        ROUNDS("nanosleep.u32 100;\n"), // takes no time here
        ROUNDS("ld.volatile.global.u32 %r1, [%rd1];\n"),
        ROUNDS("atom.global.cas.b32 %r1, [%rd1], 7, 1;\n"),
        ROUNDS("st.shared.u32 [%rd2], 0;\n"),
    };

    (void)state;
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++)
        ends(bodies[i], 1, HD_RUN_OK, NULL);
}

// A state that never comes again proves nothing: the limits of the caller end such a run.
static void cannot_be_proven(void **state)
{
    static const char *const bodies[] = {
        FOREVER("add.u32 %r5, %r5, 1;\n"),
        FOREVER("mov.u32 %r1, %clock;\n"),
        FOREVER("add.u64 %rd3, %rd3, 4;\nld.volatile.global.u32 %r1, [%rd1];\n"),
    };

    (void)state;
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++)
        ends(bodies[i], 1, HD_RUN_LIMIT, NULL);
}

// A circle may be long, begin late, and lead through registers only.
static void long_circles(void **state)
{
    static const char *const bodies[] = {
        FOREVER("add.u32 %r5, %r5, 1;\nand.b32 %r5, %r5, 1023;\n"),
        FOREVER("add.u32 %r5, %r5, 1;\nmin.u32 %r5, %r5, 3000;\n"),
        FOREVER("add.u32 %r5, %r5, 1;\nand.b32 %r5, %r5, 255;\nmembar.gl;\n"
                "ld.volatile.global.u32 %r1, [%rd1];\n"),
    };

    (void)state;
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++)
        ends(bodies[i], 1, HD_RUN_LIVELOCK, "comes back to a state that it had before");
}

// Who spins on a word waits as long as somebody else may still write it: a warp of its block that
// computes in registers for long, one that waits for the clock, a block that has not begun.
static void somebody_will_write(void **state)
{
    static const char spin[] = "W:\nld.volatile.global.u32 %r1, [%rd1];\nsetp.eq.u32 %p1, %r1, 0;\n"
                               "@%p1 bra W;\nst.global.u32 [%rd1+4], %r1;\nret;\n";
    static const char *const writers[] = {
        "mov.u32 %r1, 0;\nL:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 60000;\n@%p1 bra L;\n"
        "st.global.u32 [%rd1], %r1;\nret;\n",
        "mov.u32 %r2, %clock;\nL:\nmov.u32 %r1, %clock;\nsub.u32 %r1, %r1, %r2;\n"
        "setp.lt.u32 %p1, %r1, 30000;\n@%p1 bra L;\nst.global.u32 [%rd1], %r1;\nret;\n",
    };
    static const char *const who[] = {"mov.u32 %r3, %tid.x;\nshr.u32 %r3, %r3, 5;\n",
                                      "mov.u32 %r3, %ctaid.x;\n"};
    static const char *const sets[] = {"gpu.livelock_after=3000", "gpu.deadlock_after=2000", NULL};
    char body[1024];

    (void)state;
    for (unsigned i = 0; i < 16; i++) {
        enum hd_run_status status;
        bool blocks = i >> 1 & 1;
        // The first or the last one writes.
        snprintf(body, sizeof body, "%s%ssetp.%s.u32 %%p1, %%r3, 3;\n@%%p1 bra W;\n%s%s", BUFFER,
                 who[blocks], i >> 2 & 1 ? "eq" : "ne", writers[i & 1], spin);
        struct gpu_bench *b =
            gpu_bench_ran(&(struct gpu_bench_setup){.body = body,
                                                    .sets = sets,
                                                    .threads = blocks ? 32 : 128,
                                                    .blocks = blocks ? 4 : 1,
                                                    .functional_only = i >> 3 & 1},
                          &status);
        if (status != HD_RUN_OK || gpu_bench_word(b, 1) < 30000)
            fail_msg("status %d, word %u, of\n%s%s", status, gpu_bench_word(b, 1), body,
                     hd_gpu_hang(b->gpu));
        gpu_bench_free(b);
    }
}

// A plain barrier is no progress, with timing. %r3 is the warp's number; there are three.
#define COUNT(n) "L:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, " #n ";\n@%p1 bra L;\n"
#define SPIN(barrier)                                                                              \
    "W:\n" barrier "ld.volatile.global.u32 %r1, [%rd1];\n"                                         \
    "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra W;\nret;\n"
#define LAST_ONE "setp.ne.u32 %p1, %r3, 2;\n@%p1 bra W;\n"
static void loops_with_barriers(void **state)
{
    static const struct {
        const char *body;
        enum hd_run_status how;
    } table[] = {
        {"HERE:\nbar.sync 0;\nbra HERE;\nret;\n", HD_RUN_LIVELOCK},
        {SPIN("bar.sync 0;\n"), HD_RUN_LIVELOCK},
        // One of them counts in registers for long, then writes what the others wait for.
        {LAST_ONE COUNT(60000) "st.global.u32 [%rd1], 1;\nret;\n" SPIN("bar.sync 1, 64;\n"),
         HD_RUN_OK},
        // It comes to a barrier at which a second one has waited all the time, and that one writes.
        {"setp.eq.u32 %p1, %r3, 0;\n@%p1 bra W;\nsetp.eq.u32 %p1, %r3, 1;\n@%p1 bra B;\n" COUNT(
             60000) "B:\nbar.sync 2, 64;\nst.global.u32 [%rd1], 1;\nret;\n" SPIN(""),
         HD_RUN_OK},
        // It comes to a barrier to which nobody else comes, and that later than it was watched.
        {LAST_ONE COUNT(60000) "bar.sync 2, 64;\nret;\n" SPIN(""), HD_RUN_LIVELOCK},
        {LAST_ONE COUNT(60000) "bar.sync 2, 64;\nret;\n" SPIN("bar.sync 1, 64;\n"),
         HD_RUN_LIVELOCK},
        // These carry a value, or count.
        {"HERE:\nbar.red.popc.u32 %r1, 0, %p2;\nbra HERE;\nret;\n", HD_RUN_LIMIT},
    };
    static const char *const sets[] = {"gpu.livelock_after=3000", "gpu.deadlock_after=2000", NULL};

    (void)state;
    for (unsigned i = 0; i < 2 * (sizeof table / sizeof *table); i++) {
        char body[1024];
        enum hd_run_status status;
        snprintf(body, sizeof body, "%smov.u32 %%r3, %%tid.x;\nshr.u32 %%r3, %%r3, 5;\n%s", BUFFER,
                 table[i / 2].body);
        struct gpu_bench *b = gpu_bench_ran(
            &(struct gpu_bench_setup){
                .body = body, .sets = sets, .threads = 96, .max_cycles = 2000000, .no_skip = i % 2},
            &status);
        if (status != table[i / 2].how)
            fail_msg("status %d, not %d, of\n%s%s", status, table[i / 2].how, body,
                     hd_gpu_hang(b->gpu) ? hd_gpu_hang(b->gpu) : "");
        gpu_bench_free(b);
    }
}

// What the host may write can come at any time, so nobody who waits for it goes round for ever.
static void host_memory(void **state)
{
    static const char body[] = FOREVER("ld.volatile.global.u32 %r1, [%rd1];\n");
    static const char *const sets[] = {"gpu.livelock_after=3000", NULL};

    (void)state;
    for (int i = 0; i < 4; i++) {
        struct gpu_bench_setup s = {.body = body,
                                    .sets = sets,
                                    .max_cycles = 300000,
                                    .max_insts = 300000,
                                    .functional_only = i & 1};
        struct gpu_bench *b = gpu_bench_new(&s);
        struct hd_diag d = {.n = 0};

        if (i < 2)
            hd_memory_let_outside(hd_gpu_memory(b->gpu), b->buffer);
        assert_true(gpu_bench_launch(b, &s, &d));
        assert_int_equal(hd_gpu_run(b->gpu), i < 2 ? HD_RUN_LIMIT : HD_RUN_LIVELOCK);
        gpu_bench_free(b);
    }
}

// The block waits for a later one. As long as both find a place this ends, and else it does not.
static void waits_for_a_later_block(void **state)
{
    static const char body[] = BUFFER "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %nctaid.x;\n"
                                      "sub.u32 %r2, %r2, 1;\nsetp.eq.u32 %p2, %r1, %r2;\n"
                                      "@%p2 st.global.u32 [%rd1], 1;\n"
                                      "HERE:\nld.volatile.global.u32 %r1, [%rd1];\n"
                                      "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra HERE;\nret;\n";
    static const char *const sets[] = {"gpu.livelock_after=20000", "sm.sms=3", "sm.tbs=4", NULL};

    (void)state;
    for (int functional = 0; functional < 2; functional++)
        for (unsigned blocks = 2; blocks <= 14; blocks += 6) {
            enum hd_run_status status;
            struct gpu_bench *b = gpu_bench_ran(
                &(struct gpu_bench_setup){
                    .body = body, .sets = sets, .blocks = blocks, .functional_only = functional},
                &status);
            assert_int_equal(status, blocks <= 12 ? HD_RUN_OK : HD_RUN_LIVELOCK);
            if (status != HD_RUN_OK)
                has(hd_gpu_hang(b->gpu), "\nblocks that have not begun: 2; ");
            gpu_bench_free(b);
        }
}

// A warp that waits for a load, and one that waits for its stores, say so.
static void memory_is_named(void **state)
{
    static const char body[] = "ld.param.u64 %rd1, [buffer];\nmov.u32 %r2, %tid.x;\n"
                               "setp.lt.u32 %p1, %r2, 32;\n@%p1 bra LOAD;\n"
                               "st.global.u32 [%rd1], %r2;\nret;\n"
                               "LOAD:\nld.global.u32 %r1, [%rd1];\n"
                               "add.s32 %r2, %r1, 1;\nst.global.u32 [%rd1+4], %r2;\nret;\n";
    static const char *const slow[] = {"flat.latency=900000", "gpu.deadlock_after=1000",
                                       "gpu.livelock_after=5000", NULL};
    enum hd_run_status status;
    struct gpu_bench *b = gpu_bench_ran(
        &(struct gpu_bench_setup){.body = body, .threads = 64, .sets = slow}, &status);

    (void)state;
    assert_int_equal(status, HD_RUN_DEADLOCK);
    assert_in_range(hd_gpu_cycle(b->gpu), 5000, 7000); // something is in flight: be patient
    has(hd_gpu_hang(b->gpu), "warp 0 (block 0): PTX line 19, waits for a register of the load at "
                             "line 18\n");
    has(hd_gpu_hang(b->gpu), "warp 1 (block 0): has ended, waits for 1 stores\n");
    gpu_bench_free(b);
}

// Long waits are no hang: a load that takes longer than the machine is patient.
static void patience(void **state)
{
    static const char body[] = "ld.param.u64 %rd1, [buffer];\nld.global.u32 %r1, [%rd1];\n"
                               "add.s32 %r2, %r1, 1;\nst.global.u32 [%rd1], %r2;\nret;\n";
    static const char *const slow[] = {"flat.latency=900", "gpu.deadlock_after=1000",
                                       "gpu.livelock_after=100000", NULL};
    enum hd_run_status status;
    struct gpu_bench *b =
        gpu_bench_ran(&(struct gpu_bench_setup){.body = body, .sets = slow}, &status);

    (void)state;
    assert_int_equal(status, HD_RUN_OK);
    assert_int_equal(gpu_bench_word(b, 0), 1);
    gpu_bench_free(b);
}

static void limits(void **state)
{
    (void)state;
    for (int no_skip = 0; no_skip < 2; no_skip++) {
        enum hd_run_status status;
        struct gpu_bench *b = gpu_bench_ran(
            &(struct gpu_bench_setup){.body = endless, .max_cycles = 777, .no_skip = no_skip},
            &status);
        assert_int_equal(status, HD_RUN_LIMIT);
        assert_int_equal(hd_gpu_cycle(b->gpu), 777);
        gpu_bench_free(b);
    }
}

static void fault(void **state)
{
    enum hd_run_status status;
    struct gpu_bench *b =
        gpu_bench_ran(&(struct gpu_bench_setup){.body = "mov.u64 %rd1, 4096;\n"
                                                        "mov.u32 %r1, %tid.x;\n"
                                                        "setp.ne.u32 %p1, %r1, 37;\n"
                                                        "@%p1 bra OUT;\n"
                                                        "st.global.u32 [%rd1], %r1;\n"
                                                        "OUT:\nret;\n",
                                                .threads = 64},
                      &status);
    const struct hd_trap *t = hd_gpu_trap(b->gpu);

    (void)state;
    assert_int_equal(status, HD_RUN_FAULT);
    assert_int_equal(t->kind, HD_TRAP_OUT_OF_BOUNDS);
    assert_int_equal(t->addr, 4096);
    assert_int_equal(t->thread[0], 37);
    assert_true(t->write);
    gpu_bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlock),
        cmocka_unit_test(deadlock_without_timing),
        cmocka_unit_test(deadlock_of_one_block),
        cmocka_unit_test(livelock),
        cmocka_unit_test(busy_without_progress),
        cmocka_unit_test(spin_lock),
        cmocka_unit_test(slow_progress),
        cmocka_unit_test(cannot_be_proven),
        cmocka_unit_test(long_circles),
        cmocka_unit_test(somebody_will_write),
        cmocka_unit_test(loops_with_barriers),
        cmocka_unit_test(host_memory),
        cmocka_unit_test(waits_for_a_later_block),
        cmocka_unit_test(memory_is_named),
        cmocka_unit_test(patience),
        cmocka_unit_test(limits),
        cmocka_unit_test(fault),
    };
    return cmocka_run_group_tests_name("hang", tests, NULL, NULL);
}
