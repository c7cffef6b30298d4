// test_barriers_timed.c - barriers and warp operations give the same results on the timed machine,
// with and without skipping, as in the runner without timing.
#include "shared/gpu_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static const char head[] = "ld.param.u64 %rd1, [buffer];\n"
                           "mov.u32 %r0, %tid.x;\n"
                           "mov.u32 %r9, %ctaid.x;\n"
                           "mov.u32 %r10, %ntid.x;\n"
                           "mad.lo.u32 %r9, %r9, %r10, %r0;\n"
                           "mad.wide.u32 %rd2, %r9, 4, %rd1;\n";
static const char tail[] = "st.global.u32 [%rd2], %r20;\nret;\n";

// Warp 0 fills shared memory, warp 1 empties it, round by round; full is barrier 1, empty 2.
static const char producer_consumer[] = "and.b32 %r1, %r0, 31;\n"
                                        "mul.lo.u32 %r2, %r1, 4;\n"
                                        "mov.u32 %r3, 0;\n"
                                        "mov.u32 %r20, 0;\n"
                                        "setp.ge.u32 %p1, %r0, 32;\n"
                                        "@%p1 bra CONSUMER;\n"
                                        "PRODUCER:\n"
                                        "bar.sync 2, 64;\n"
                                        "mad.lo.u32 %r5, %r3, 100, %r1;\n"
                                        "st.shared.u32 [%r2], %r5;\n"
                                        "bar.arrive 1, 64;\n"
                                        "add.u32 %r3, %r3, 1;\n"
                                        "setp.lt.u32 %p1, %r3, 8;\n"
                                        "@%p1 bra PRODUCER;\n"
                                        "bra DONE;\n"
                                        "CONSUMER:\n"
                                        "bar.arrive 2, 64;\n"
                                        "ROUND:\n"
                                        "bar.sync 1, 64;\n"
                                        "ld.shared.u32 %r5, [%r2];\n"
                                        "add.u32 %r20, %r20, %r5;\n"
                                        "add.u32 %r3, %r3, 1;\n"
                                        "setp.ge.u32 %p1, %r3, 8;\n"
                                        "@%p1 bra DONE;\n"
                                        "bar.arrive 2, 64;\n"
                                        "bra ROUND;\n"
                                        "DONE:\n";
// Threads of even number are counted, again and again at one barrier; one warp ends early.
static const char counting[] = "and.b32 %r1, %r0, 1;\n"
                               "setp.eq.u32 %p1, %r1, 0;\n"
                               "mov.u32 %r20, 0;\n"
                               "mov.u32 %r3, 0;\n"
                               "setp.ge.u32 %p2, %r0, 96;\n"
                               "@%p2 bra DONE;\n"
                               "AGAIN:\n"
                               "bar.red.popc.u32 %r4, 5, %p1;\n"
                               "mad.lo.u32 %r20, %r20, 3, %r4;\n"
                               "bar.red.or.pred %p2, 5, %p1;\n"
                               "@%p2 add.u32 %r20, %r20, 1;\n"
                               "bar.red.and.pred %p2, 5, %p1;\n"
                               "@%p2 add.u32 %r20, %r20, 1000;\n"
                               "add.u32 %r3, %r3, 1;\n"
                               "setp.lt.u32 %p2, %r3, 3;\n"
                               "@%p2 bra AGAIN;\n"
                               "DONE:\n";
// Two paths of a warp meet at a shuffle.
static const char meeting[] = "setp.lt.u32 %p1, %r0, 8;\n"
                              "mov.u32 %r3, 100;\n"
                              "@%p1 bra MEET;\n"
                              "mov.u32 %r3, 200;\n"
                              "setp.gt.u32 %p1, %r0, 1000;\n"
                              "@%p1 bra AWAY;\n"
                              "MEET:\n"
                              "shfl.sync.bfly.b32 %r20, %r3, 8, 31, 0xffffffff;\n"
                              "bra DONE;\n"
                              "AWAY:\n"
                              "mov.u32 %r20, 0;\n"
                              "DONE:\n";

static uint32_t want_producer(uint32_t t)
{
    return t < 32 ? 0 : 2800 + 8 * (t - 32);
}

static uint32_t want_counting(uint32_t t) // x -> 3 x + 48 + 1, three times
{
    return t < 96 ? 49 * (9 + 3 + 1) : 0;
}

static uint32_t want_meeting(uint32_t t)
{
    return t < 8 || t >= 16 ? 200 : 100;
}

static void run(const char *body, uint32_t threads, uint32_t (*want)(uint32_t))
{
    char text[4096];

    snprintf(text, sizeof text, "%s%s%s", head, body, tail);
    for (int mode = 0; mode < 3; mode++) {
        enum hd_run_status status;
        const struct gpu_bench_setup s = {.body = text,
                                          .threads = threads,
                                          .blocks = 40,
                                          .no_skip = mode == 1,
                                          .functional_only = mode == 2};
        struct gpu_bench *b = gpu_bench_ran(&s, &status);
        assert_int_equal(status, HD_RUN_OK);
        for (uint32_t i = 0; i < 40 * threads; i++)
            if (gpu_bench_word(b, i) != want(i % threads))
                fail_msg("mode %d thread %u: %u, not %u", mode, i, gpu_bench_word(b, i),
                         want(i % threads));
        gpu_bench_free(b);
    }
}

static void producer_and_consumer(void **state)
{
    (void)state;
    run(producer_consumer, 64, want_producer);
}

static void barriers_that_count(void **state)
{
    (void)state;
    run(counting, 128, want_counting);
}

static void lanes_that_meet(void **state)
{
    (void)state;
    run(meeting, 32, want_meeting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(producer_and_consumer),
        cmocka_unit_test(barriers_that_count),
        cmocka_unit_test(lanes_that_meet),
    };
    return cmocka_run_group_tests_name("barriers_timed", tests, NULL, NULL);
}
