// test_kernels.c - real PTX on a whole machine against the reference's numbers: what an operation
// costs when the next one waits for it (timing-model 15.1), and a loop that diverges (15.2).
//
// The bench of test_throughput.c states classes and banks itself; here they come out of the PTX
// front end, and the paths of a divergent warp out of the SIMT stack. Instruction fetch always
// hits.
#include "shared/gpu_bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static double cycles_of(const char *body, uint32_t warps, const char *const *sets)
{
    enum hd_run_status status;
    struct gpu_bench *b = gpu_bench_ran(
        &(struct gpu_bench_setup){.body = body, .threads = HD_LANES * warps, .sets = sets},
        &status);
    double cycles = (double)hd_gpu_result(b->gpu, 0)->cycles;

    if (status != HD_RUN_OK)
        fail_msg("status %d of\n%s", (int)status, body);
    gpu_bench_free(b);
    return cycles;
}

// Cycles of one of n equal instructions in a row, in the long run.
static double chain(const char *op, const char *const *sets)
{
    static char text[8192];
    double cycles[2];

    for (int k = 0; k < 2; k++) {
        size_t n = (size_t)snprintf(text, sizeof text,
                                    "ld.param.u64 %%rd1, [buffer];\nmov.u64 %%rd3, 0;\n"
                                    "mov.u32 %%r1, 4;\nmov.u32 %%r2, 3;\nmov.u32 %%r3, 2;\n"
                                    "mov.u32 %%r5, 0;\nmov.f32 %%f1, 0f3f800000;\n"
                                    "mov.f32 %%f2, 0f3f800000;\nmov.f32 %%f3, 0f00000000;\n"
                                    "mov.f64 %%fd1, 0d3ff0000000000000;\n"
                                    "mov.f64 %%fd2, 0d3ff0000000000000;\n");
        for (int i = 0; i < (k ? 60 : 20); i++)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s\n", op);
        snprintf(text + n, sizeof text - n, "exit;\n");
        cycles[k] = cycles_of(text, 1, sets);
    }
    return (cycles[1] - cycles[0]) / 40;
}

static void dependent_chains(void **state)
{
    static const struct {
        const char *op;
        double cycles;
    } rows[] = {
        {"add.s32 %r1, %r1, %r2;", 11},
        {"add.s32 %r1, %r1, 7;", 10},
        {"mad.lo.s32 %r1, %r1, %r2, %r3;", 13},
        {"mul.lo.s32 %r1, %r1, %r2;", 11},
        {"fma.rn.f32 %f1, %f1, %f2, %f3;", 9},
        {"mad.rn.f32 %f1, %f1, %f2, %f3;", 13},
        {"mul.f32 %f1, %f1, %f2;", 11},
        {"add.f32 %f1, %f1, %f2;", 11},
        {"div.full.f32 %f1, %f1, %f2;", 46},
        {"add.f64 %fd1, %fd1, %fd2;", 15},
        {"div.s32 %r1, %r1, %r2;", 152},
        {"shl.b32 %r1, %r1, 1;", 7},
        {"ld.shared.u32 %r5, [%r5];", 8},
        {"ld.global.u32 %r5, [%rd1]; cvt.u64.u32 %rd3, %r5; add.s64 %rd1, %rd1, %rd3;", 4 + 7 + 11},
    };
    static const char *const sets[] = {"l1d.enabled=1", NULL};

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        double got = chain(rows[i].op, sets);
        if (fabs(got - rows[i].cycles) > 0.01)
            fail_msg("%s %.2f cycles each, reference %.0f", rows[i].op, got, rows[i].cycles);
    }
}

// Odd lanes: 4 additions and a jump; even lanes: 2 additions. The lower path of the two runs last.
static double divergent_round(uint32_t warps)
{
    static char text[1024];
    double cycles[2];

    for (int k = 0; k < 2; k++) {
        snprintf(text, sizeof text,
                 "mov.u32 %%r40, 1;\nmov.u32 %%r41, 2;\nmov.u32 %%r35, 0;\nmov.u32 %%r37, %d;\n"
                 "mov.u32 %%r1, %%tid.x;\nand.b32 %%r2, %%r1, 1;\nsetp.eq.s32 %%p2, %%r2, 0;\n"
                 "TOP:\n@%%p2 bra EVEN;\n"
                 "add.s32 %%r10, %%r40, %%r41;\nadd.s32 %%r11, %%r40, %%r41;\n"
                 "add.s32 %%r12, %%r40, %%r41;\nadd.s32 %%r13, %%r40, %%r41;\n"
                 "bra.uni JOIN;\n"
                 "EVEN:\nadd.s32 %%r20, %%r40, %%r41;\nadd.s32 %%r21, %%r40, %%r41;\n"
                 "JOIN:\nadd.s32 %%r35, %%r35, 1;\nsetp.lt.s32 %%p1, %%r35, %%r37;\n"
                 "@%%p1 bra TOP;\nexit;\n",
                 k ? 120 : 20);
        cycles[k] = cycles_of(text, warps, NULL);
    }
    return (cycles[1] - cycles[0]) / 100;
}

static void divergence(void **state)
{
    double one = divergent_round(1), eight = divergent_round(8);

    (void)state;
    if (fabs(one - 38) > 0.01)
        fail_msg("1 warp: %.2f cycles a round, reference 38", one);
    if (fabs(eight / 64.6 - 1) > 0.035) // the names of the registers are not known
        fail_msg("8 warps: %.2f cycles a round, reference 64.6", eight);
}

int main(void)
{
#ifdef HD_STRESS
    puts("timing of a machine whose queues were not shrunk");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_chains),
        cmocka_unit_test(divergence),
    };
    return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
