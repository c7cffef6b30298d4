// test_progpoints.c - the program points of a kernel: of its own code and the functions that it may
// call, which share the slots of the table; a function has other distances in another kernel.
#include "base/config.h"
#include "gpu/gpu.h"
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// `both` has two loads and calls `f`, which has two loads; `only` has none of its own; `any` calls
// some function through a register; `alone` calls none. `near` has one load: an atomic on global
// memory with a result. What else it has is no load of the paper's: atomics on shared memory, also
// by a generic address, an atomic without a result, and parameters; `h` reads its own.
static const char text[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".global .align 4 .b8 data[64];\n.shared .align 8 .b8 tile[64];\n"
    ".func f()\n{\n.reg .b64 %rd<2>; .reg .b32 %r<4>;\n"
    "mov.u64 %rd1, data;\nld.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 1;\n"
    "ld.global.u32 %r2, [%rd1+4];\nadd.u32 %r1, %r1, %r2;\nst.global.u32 [%rd1], %r1;\nret;\n}\n"
    ".func g()\n{\n.reg .b64 %rd<2>; .reg .b32 %r<4>;\n"
    "mov.u64 %rd1, data;\nld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1], %r1;\nret;\n}\n"
    ".visible .entry both(.param .u64 buffer)\n{\n.reg .b64 %rd<2>; .reg .b32 %r<4>;\n"
    "ld.param.u64 %rd1, [buffer];\nld.global.u32 %r1, [%rd1];\nadd.u32 %r1, %r1, 1;\n"
    "ld.global.u32 %r2, [%rd1+8];\nadd.u32 %r1, %r1, %r2;\nst.global.u32 [%rd1+8], %r1;\n"
    "call f;\nret;\n}\n"
    ".visible .entry only(.param .u64 buffer)\n{\ncall f;\nret;\n}\n"
    ".visible .entry any(.param .u64 buffer)\n{\n.reg .b64 %rd<3>;\nmov.u64 %rd2, g;\n"
    "proto: .callprototype _;\ncall %rd2, proto;\nret;\n}\n"
    ".func (.param .u32 out) h(.param .u32 in)\n{\n.reg .b32 %r<2>;\n"
    "ld.param.u32 %r1, [in];\nst.param.u32 [out], %r1;\nret;\n}\n"
    ".visible .entry near(.param .u64 buffer)\n{\n.reg .b64 %rd<4>; .reg .b32 %r<6>;\n"
    ".param .u32 in, out;\n"
    "ld.param.u64 %rd1, [buffer];\natom.global.add.u32 %r1, [%rd1], 1;\n"
    "red.global.add.u32 [%rd1], 1;\natom.shared.add.u32 %r2, [tile], 1;\n"
    "mov.u64 %rd2, tile;\ncvta.shared.u64 %rd3, %rd2;\natom.add.u32 %r3, [%rd3], 1;\n"
    "ld.shared.u32 %r4, [tile];\nst.param.u32 [in], %r4;\ncall (out), h, (in);\n"
    "ld.param.u32 %r5, [out];\nst.global.u32 [%rd1], %r5;\nret;\n}\n"
    ".visible .entry alone(.param .u64 buffer)\n{\n.reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [buffer];\nld.global.u32 %r1, [%rd1];\n"
    "st.global.u32 [%rd1], %r1;\nret;\n}\n";

#define MOST 8
static uint32_t watched;            // PC of the first load of `f`
static uint8_t seen[MOST], n_seen;  // its distance in each launch
static const uint8_t *column[MOST]; // the columns that the policy was given

static void record(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    (void)st, (void)e;
    assert_true(n_seen < MOST);
    column[n_seen] = v->prog->load_distance;
    seen[n_seen++] = v->prog->load_distance[watched];
}

static int lowest(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    (void)st, (void)v, (void)s;
    return hd_first(among);
}

static const struct hd_policy reader = {.abi = HD_POLICY_ABI,
                                        .name = "reader",
                                        .events = HD_ON(HD_EV_WARP_START),
                                        .needs = HD_NEED_LOAD_DISTANCE,
                                        .first = lowest,
                                        .on = record};
static const struct hd_policy indifferent = {
    .abi = HD_POLICY_ABI, .name = "indifferent", .first = lowest};

struct bench {
    struct hd_arena *arena;
    struct hd_config config;
    struct hd_gpu *gpu;
    struct hd_program *program;
    uint64_t buffer;
};

static void start(struct bench *b, const struct hd_policy *p, const char *slots, const char *per)
{
    const char *sets[] = {"sm.sms=1", "l1i.perfect=1", slots, per};
    struct hd_gpu_options o = {.config = &b->config, .sched.policy = p};
    struct hd_diag d = {.n = 0};

    n_seen = 0;
    b->arena = hd_arena_new();
    if (!hd_config_load(b->arena, "gpus/debug-flatmem.ini", sets, 4, &b->config, &d))
        fail_msg("%s", d.entries[0].text);
    b->gpu = hd_gpu_new(&o);
    b->buffer = hd_memory_alloc(hd_gpu_memory(b->gpu), 4096, "buffer");
    b->program = hd_ptx_load(b->arena, "points.ptx", (const uint8_t *)text, sizeof text - 1, &d);
    if (!b->program || !hd_gpu_load(b->gpu, b->program, &d))
        fail_msg("line %u: %s", d.entries[0].line, d.entries[0].text);
    watched = hd_program_find(b->program, "f")->first_pc;
    while (!(b->program->deps[watched].flags & HD_DEP_OFFCHIP))
        watched++;
}

static const struct hd_gpu_points_found *launch(struct bench *b, const char *kernel)
{
    struct hd_launch_request r = {.program = b->program,
                                  .kernel = hd_program_find(b->program, kernel),
                                  .grid = {1, 1, 1},
                                  .block = {1, 1, 1},
                                  .params = (const uint8_t *)&b->buffer,
                                  .shared_static = UINT32_MAX};
    struct hd_diag d = {.n = 0};

    if (!hd_gpu_submit(b->gpu, &r, &d))
        fail_msg("%s", d.entries[0].text);
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    return hd_gpu_result(b->gpu, hd_gpu_n_results(b->gpu) - 1)->points;
}

static void end(struct bench *b)
{
    hd_gpu_free(b->gpu);
    hd_arena_free(b->arena);
}

static void has(const struct hd_gpu_points_found *p, uint32_t loads, uint32_t after,
                uint32_t dropped)
{
    assert_non_null(p);
    assert_int_equal(p->loads, loads);
    assert_int_equal(p->branches, 0);
    assert_int_equal(p->after, after);
    assert_int_equal(p->dropped, dropped);
}

static void slots_are_the_kernels(void **unused)
{
    struct bench b;

    (void)unused;
    start(&b, &reader, "points.slots=2", "points.per=kernel");
    has(launch(&b, "both"), 4, 2, 0);
    has(launch(&b, "only"), 2, 2, 0);
    has(launch(&b, "both"), 4, 2, 0);
    has(launch(&b, "alone"), 1, 1, 0);
    // In `both` the first load of `f` was merged into the second one, two instructions after it.
    assert_int_equal(seen[0], 2);
    assert_int_equal(seen[1], 0);
    assert_int_equal(seen[2], 2);
    // A kernel that shares no function with another one needs no columns of its own.
    assert_ptr_equal(column[3], column[0]);
    assert_ptr_not_equal(column[1], column[0]);
    end(&b);
}

static void each_function_has_slots(void **unused)
{
    struct bench b;

    (void)unused;
    start(&b, &reader, "points.slots=2", "points.per=function");
    has(launch(&b, "both"), 4, 4, 0);
    has(launch(&b, "only"), 2, 2, 0);
    assert_int_equal(seen[0], 0);
    assert_ptr_equal(column[0], column[1]);
    end(&b);
}

static void an_indirect_call_may_reach_every_function(void **unused)
{
    struct bench b;

    (void)unused;
    start(&b, &reader, "points.slots=32", "points.per=kernel");
    has(launch(&b, "any"), 3, 3, 0);
    end(&b);
}

static void only_what_may_leave_the_sm_is_a_load(void **unused)
{
    struct bench b;

    (void)unused;
    start(&b, &reader, "points.slots=32", "points.per=kernel");
    has(launch(&b, "near"), 1, 1, 0);
    end(&b);
}

static void lost_points_are_reported_once(void **unused)
{
    struct hd_diag d = {.n = 0}, again = {.n = 0};
    struct bench b;

    (void)unused;
    start(&b, &reader, "points.slots=1", "points.per=kernel");
    has(launch(&b, "both"), 4, 1, 1);
    has(launch(&b, "alone"), 1, 1, 0);
    hd_gpu_doubts(b.gpu, &d);
    assert_int_equal(d.n, 1);
    assert_true(d.entries[0].warning);
    assert_non_null(strstr(d.entries[0].text, "kernel both has 4 program points"));
    assert_non_null(strstr(d.entries[0].text, "1 found no load"));
    assert_non_null(strstr(d.entries[0].hint, "points.slots=4"));
    launch(&b, "both");
    hd_gpu_doubts(b.gpu, &again);
    assert_int_equal(again.n, 0);
    end(&b);
}

static void nobody_asks(void **unused)
{
    struct bench b;

    (void)unused;
    start(&b, &indifferent, "points.slots=1", "points.per=kernel");
    assert_null(launch(&b, "both"));
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_the_kernels),
        cmocka_unit_test(each_function_has_slots),
        cmocka_unit_test(an_indirect_call_may_reach_every_function),
        cmocka_unit_test(only_what_may_leave_the_sm_is_a_load),
        cmocka_unit_test(lost_points_are_reported_once),
        cmocka_unit_test(nobody_asks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
