// test_subcores.c - SMs of several sub-cores: each issues its own warps only, into pipes of its
// own, and the load/store unit serves all; and which pipe serves an operation is the machine's
// choice.
#include "gpu/gpu_internal.h"
#include "shared/gpu_bench.h"
#include "shared/sm_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SCHEDULERS 4
#define ROUNDS 20

// One scheduler, one SP pipe and one SFU pipe in each of `subcores`.
#define MACHINE(subcores, owner)                                                                   \
    {                                                                                              \
        "sm.schedulers=4", "sm.subcores=" subcores, "sm.owner=" owner, "sm.sp_units=1",            \
            "sm.id_oc_sp=1", "sm.oc_ex_sp=1", "sm.collectors_sp=2", "sm.collectors_sfu=2",         \
            "sm.collector_ports_sp=1", "sm.reg_banks=8", "sm.result_buses=1", NULL                 \
    }
static const char *const four[] = MACHINE("4", "modulo");
static const char *const four_ranges[] = MACHINE("4", "ranges");
static const char *const two[] = MACHINE("2", "modulo");
static const char *const one[] = MACHINE("1", "modulo");

static const char roots[] =
    "top:\nsqrt.approx.f32 %f1, %f9\nsqrt.approx.f32 %f2, %f9\nsqrt.approx.f32 %f3, %f9\n"
    "sqrt.approx.f32 %f4, %f9\nsqrt.approx.f32 %f5, %f9\nsqrt.approx.f32 %f6, %f9\n"
    "sqrt.approx.f32 %f7, %f9\nsqrt.approx.f32 %f8, %f9\n@%p1 bra top\nexit\n";
static const char mixed[] = "top:\nld.global.u32 %r1, [%r2]\nadd.s32 %r3, %r1, %r4\n"
                            "mul.lo.s32 %r5, %r3, %r3\nld.shared.u32 %r6, [%r5]\n"
                            "st.global.u32 [%r7], %r6\nbar.sync 0\n@%p1 bra top\nexit\n";

static uint64_t cycles(const char *const *sets, const char *text, unsigned warps)
{
    struct bench *b = bench_new(
        &(struct bench_setup){.text = text, .sets = sets, .warps = warps, .trips = ROUNDS});
    uint64_t n = bench_run(b);

    bench_free(b);
    assert_true(n > 0); // it ended
    return n;
}

// Roots start eight cycles apart in a pipe: eight in each of twenty rounds of a warp.
#define OF_A_WARP (8 * 8 * ROUNDS)

static void pipes_are_private(void **state)
{
    uint64_t alone = cycles(four, roots, 1);

    (void)state;
    assert_int_equal(alone, 1290);
    assert_in_range(cycles(four, roots, 4), alone, alone + 8); // each in a sub-core of its own
    assert_in_range(cycles(two, roots, 4), 2 * OF_A_WARP, alone + OF_A_WARP + 8);
    assert_in_range(cycles(one, roots, 4), 4 * OF_A_WARP, alone + 3 * OF_A_WARP + 8);
    // Warps 0 to 3 are all scheduler 0's where each scheduler owns twelve neighbouring slots.
    assert_in_range(cycles(four_ranges, roots, 4), 4 * OF_A_WARP, alone + 3 * OF_A_WARP + 8);
}

static void issues_are_of_own_warps(const char *const *sets, unsigned each, unsigned step)
{
    struct bench *b = bench_new(&(struct bench_setup){
        .text = mixed, .sets = sets, .warps = 8, .blocks = 9, .trips = ROUNDS});
    const struct bench_issue *log;
    uint64_t in[SCHEDULERS];
    bool several = false;
    size_t n;

    memset(in, 0xff, sizeof in);
    assert_true(bench_run(b) > 0);
    log = bench_log(b, &n);
    assert_int_equal(n, (7 * ROUNDS + 1) * 8 * 9);
    for (size_t i = 0; i < n; i++) {
        unsigned s = log[i].warp / each % step;
        assert_int_equal(hd_sm_sched_of(bench_sm(b), log[i].warp), s);
        assert_true(hd_sm_view(bench_sm(b))->mine[s] >> log[i].warp & 1);
        assert_true(in[s] != log[i].cycle); // one instruction per scheduler and cycle
        in[s] = log[i].cycle;
        several |= i && log[i - 1].cycle == log[i].cycle;
    }
    assert_true(several);
    hd_sm_check_empty(bench_sm(b));
    bench_free(b);
}

static void each_issues_its_own_warps(void **state)
{
    (void)state;
    issues_are_of_own_warps(four, 1, SCHEDULERS);
    issues_are_of_own_warps(four_ranges, 48 / SCHEDULERS, SCHEDULERS);
    issues_are_of_own_warps(two, 1, SCHEDULERS);
}

// All memory instructions pass the one load/store unit, whichever sub-core they come from.
static void load_store_serves_all(void **state)
{
    static const char loads[] = "top:\nld.shared.u32 %r1, [%r2]\n@%p1 bra top\nexit\n";

    (void)state;
    // 132 bytes apart without conflicts; a conflict of all lanes takes 32 cycles of the one unit.
    for (unsigned warps = 1; warps <= 8; warps *= 2) {
        struct bench *b = bench_new(&(struct bench_setup){
            .text = loads, .sets = four, .warps = warps, .trips = ROUNDS, .stride = 128});
        uint64_t n = bench_run(b);
        assert_in_range(n, 32 * ROUNDS * warps, 32 * ROUNDS * warps + 400);
        bench_free(b);
    }
}

static const char operations[] =
    "mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 3;\nmul.lo.s32 %r3, %r2, %r2;\n"
    "mul.wide.u32 %rd1, %r1, 4;\nmad.lo.s32 %r4, %r3, %r2, %r1;\ndiv.u32 %r5, %r4, 7;\n"
    "rem.u32 %r5, %r4, 7;\nmul24.lo.u32 %r6, %r1, %r2;\ncvt.rn.f32.u32 %f1, %r1;\n"
    "add.f32 %f2, %f1, %f1;\nmul.f32 %f3, %f2, %f2;\nfma.rn.f32 %f4, %f1, %f2, %f3;\n"
    "div.approx.f32 %f5, %f1, %f2;\nsin.approx.f32 %f6, %f5;\nsqrt.approx.f32 %f6, %f5;\n"
    "cvt.f64.f32 %fd1, %f1;\nadd.f64 %fd2, %fd1, %fd1;\nmul.f64 %fd3, %fd2, %fd2;\n"
    "fma.rn.f64 %fd4, %fd1, %fd2, %fd3;\nmin.s32 %r7, %r1, %r2;\nsetp.lt.s32 %p1, %r1, %r2;\n"
    "st.shared.u32 [shared], %r7;\nld.shared.u32 %r8, [shared];\nbar.sync 0;\nmembar.gl;\n"
    ".reg .b16 %h<4>;\ncvt.rn.f16.f32 %h1, %f1;\nmul.f16 %h2, %h1, %h1;\n"
    "fma.rn.f16 %h3, %h1, %h2, %h1;\nadd.f16 %h3, %h1, %h2;\nret;\n";

static struct gpu_bench *machine(const char *const *sets)
{
    return gpu_bench_new(&(struct gpu_bench_setup){.body = operations, .sets = sets});
}

// Without a word in the machine file, the pipes are Fermi's.
static void pipes_are_fermis(void **state)
{
    struct gpu_bench *b = machine(NULL);
    const struct hd_gpu_program *p = &b->gpu->programs[0];

    (void)state;
    for (uint32_t pc = 0; pc < p->program->n_insns; pc++)
        if (p->units[pc] != p->program->deps[pc].unit)
            fail_msg("line %u: unit %u, not %u", p->program->places[pc].line, p->units[pc],
                     p->program->deps[pc].unit);
    gpu_bench_free(b);
}

static unsigned n_of(const struct hd_gpu_program *p, unsigned lat_op, unsigned unit)
{
    unsigned n = 0;

    for (uint32_t pc = 0; pc < p->program->n_insns; pc++)
        n += p->program->deps[pc].lat / HD_N_LAT_COLS == lat_op && p->units[pc] == unit;
    return n;
}

static void the_machine_assigns_pipes(void **state)
{
    static const char *const sets[] = {"pipe.mul.int=sp", "pipe.mul.fp16=sfu", "pipe.add.fp64=sfu",
                                       NULL};
    struct gpu_bench *b = machine(sets);
    const struct hd_gpu_program *p = &b->gpu->programs[0];

    (void)state;
    assert_int_equal(n_of(p, HD_LAT_MUL, HD_UNIT_SP), 2);        // mul.lo, mul.wide
    assert_int_equal(n_of(p, HD_LAT_MUL, HD_UNIT_SFU), 1);       // mul.f16
    assert_int_equal(n_of(p, HD_LAT_MUL, HD_UNIT_SP_OR_SFU), 2); // mul.f32, mul.f64
    assert_int_equal(n_of(p, HD_LAT_ADD, HD_UNIT_SFU), 1);       // add.f64
    gpu_bench_free(b);
}

// What an assignment costs: additions that share one SFU, not two SP pipes.
static void assigned_pipes_take_time(void **state)
{
    static const char body[] = "mov.u32 %r1, 40;\nL:\nadd.s32 %r2, %r1, 1;\nadd.s32 %r3, %r1, 2;\n"
                               "add.s32 %r4, %r1, 3;\nadd.s32 %r5, %r1, 4;\nsub.s32 %r1, %r1, 1;\n"
                               "setp.ne.s32 %p1, %r1, 0;\n@%p1 bra L;\nret;\n";
    static const char *const sfu[] = {"pipe.add.int=sfu", NULL};
    enum hd_run_status status;
    uint64_t took[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct gpu_bench *b = gpu_bench_ran(
            &(struct gpu_bench_setup){.body = body, .sets = i ? sfu : NULL, .threads = 512},
            &status);
        assert_int_equal(status, HD_RUN_OK);
        took[i] = hd_gpu_result(b->gpu, 0)->cycles;
        gpu_bench_free(b);
    }
    assert_true(took[1] > 40 * 5 * 16); // five additions of 16 warps, one a cycle
#ifndef HD_STRESS // there one collector feeds the two SP pipes, and they are no faster than an SFU
    assert_true(took[0] < took[1]);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipes_are_private),         cmocka_unit_test(each_issues_its_own_warps),
        cmocka_unit_test(load_store_serves_all),     cmocka_unit_test(pipes_are_fermis),
        cmocka_unit_test(the_machine_assigns_pipes), cmocka_unit_test(assigned_pipes_take_time),
    };

    return cmocka_run_group_tests_name("subcores", tests, NULL, NULL);
}
