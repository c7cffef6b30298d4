// test_hang.c - kernels that never end: the machine notices, says so, and says where each warp is.
#include "unit/gpu_bench.h"

#include <setjmp.h>
#include <stdarg.h>
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
        has(report, "SM 1 warp 0 (block 0): PTX line 17, waits at barrier 1 with 1 of 3 warps, not "
                    "there: 1, 2\n");
        has(report, "SM 1 warp 1 (block 0): PTX line 14, waits at barrier 0 with 2 of 3 warps, not "
                    "there: 0\n");
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
        "\nwarp 0 (block 0): PTX line 17, waits at barrier 1 with 1 of 3 warps, not there: 1, 2\n"
        "warp 1 (block 0): PTX line 14, waits at barrier 0 with 2 of 3 warps, not there: 0\n");
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
        assert_in_range(hd_gpu_cycle(b->gpu), 5000, 5010);
        has(hd_gpu_hang(b->gpu), "instructions issued but nothing got done");
        has(hd_gpu_hang(b->gpu), "SM 1 warp 0");
        gpu_bench_free(b);
    }
}

// How a body ends that is watched closely, with and without timing.
static void ends(const char *body, unsigned blocks, enum hd_run_status how, const char *words)
{
    static const char *const sets[] = {"gpu.livelock_after=3000", "gpu.deadlock_after=2000", NULL};

    for (int mode = 0; mode < 3; mode++) {
        enum hd_run_status status;
        struct gpu_bench *b = gpu_bench_ran(&(struct gpu_bench_setup){.body = body,
                                                                      .sets = sets,
                                                                      .blocks = blocks,
                                                                      .max_cycles = 2000000,
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
    };

    (void)state;
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++)
        ends(bodies[i], 1, HD_RUN_OK, NULL);
    ends(ROUNDS("nanosleep.u32 100;\n"), 1, HD_RUN_LIVELOCK, NULL); // takes no time here
}

// Blocks that wait for later ones work on the machine but cannot without timing.
static void waits_for_a_later_block(void **state)
{
    static const char body[] = BUFFER "mov.u32 %r1, %ctaid.x;\nsetp.eq.u32 %p2, %r1, 1;\n"
                                      "@%p2 st.global.u32 [%rd1], 1;\n"
                                      "HERE:\nld.volatile.global.u32 %r1, [%rd1];\n"
                                      "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra HERE;\nret;\n";
    static const char *const sets[] = {"gpu.livelock_after=20000", NULL};

    (void)state;
    for (int functional = 0; functional < 2; functional++) {
        enum hd_run_status status;
        struct gpu_bench *b = gpu_bench_ran(
            &(struct gpu_bench_setup){
                .body = body, .sets = sets, .blocks = 2, .functional_only = functional},
            &status);
        assert_int_equal(status, functional ? HD_RUN_LIVELOCK : HD_RUN_OK);
        if (functional)
            has(hd_gpu_hang(b->gpu), "none can wait for a later one");
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
        cmocka_unit_test(waits_for_a_later_block),
        cmocka_unit_test(memory_is_named),
        cmocka_unit_test(patience),
        cmocka_unit_test(limits),
        cmocka_unit_test(fault),
    };
    return cmocka_run_group_tests_name("hang", tests, NULL, NULL);
}
