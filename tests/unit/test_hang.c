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
        has(report, "SM 1 warp 0 (block 0): PTX line 17, waits at barrier 1 with 1 of 3 warps\n");
        has(report, "SM 1 warp 1 (block 0): PTX line 14, waits at barrier 0 with 2 of 3 warps\n");
        has(report, "SM 1 warp 2 (block 0): PTX line 14, waits at barrier 0 with 2 of 3 warps\n");
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
    has(hd_gpu_hang(b->gpu), "barrier");
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
    has(hd_gpu_hang(b->gpu), "(block 7): PTX line 17, waits at barrier 2 with 1 of 2 warps\n");
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
        has(hd_gpu_hang(b->gpu), "instructions issue but nothing gets done");
        has(hd_gpu_hang(b->gpu), "SM 1 warp 0");
        gpu_bench_free(b);
    }
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
        cmocka_unit_test(patience),
        cmocka_unit_test(limits),
        cmocka_unit_test(fault),
    };
    return cmocka_run_group_tests_name("hang", tests, NULL, NULL);
}
