// test_streams.c - kernels of different streams share the machine; those of one stream do not.
#include "shared/gpu_bench.h"

#include "gpu/gpu_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// Each thread adds 1 to its own word, 32 times over; long enough for two kernels to overlap.
static const char body[] = "ld.param.u64 %rd1, [buffer];\n"
                           "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
                           "mad.lo.s32 %r4, %r1, %r2, %r3;\nmul.wide.s32 %rd2, %r4, 4;\n"
                           "add.s64 %rd3, %rd1, %rd2;\nmov.u32 %r5, 0;\n"
                           "L:\nld.global.u32 %r6, [%rd3];\nadd.s32 %r6, %r6, 1;\n"
                           "st.global.u32 [%rd3], %r6;\nadd.s32 %r5, %r5, 1;\n"
                           "setp.lt.s32 %p1, %r5, 32;\n@%p1 bra L;\nret;\n";

#define BLOCKS 30
#define THREADS 64

static const struct gpu_bench_setup setup = {.body = body, .blocks = BLOCKS, .threads = THREADS};

// Queue the kernel on a stream, working on the half of the buffer that `half` names. `regs`: of a
// thread; 0: computed.
static void submit_with(struct gpu_bench *b, uint32_t stream, unsigned half, uint32_t regs)
{
    uint64_t address = b->buffer + (uint64_t)half * (1 << 19);
    struct hd_diag d = {.n = 0};
    struct hd_launch_request r = {.program = b->program,
                                  .kernel = hd_program_find(b->program, "k"),
                                  .grid = {BLOCKS, 1, 1},
                                  .block = {THREADS, 1, 1},
                                  .stream = stream,
                                  .params = (const uint8_t *)&address,
                                  .regs = regs,
                                  .regs_source = "set",
                                  .shared_static = UINT32_MAX};

    assert_true(hd_gpu_submit(b->gpu, &r, &d));
}

static void submit(struct gpu_bench *b, uint32_t stream, unsigned half)
{
    submit_with(b, stream, half, 0);
}

static void check_values(const struct gpu_bench *b, unsigned half, uint32_t expected)
{
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
        assert_int_equal(gpu_bench_word(b, half * (1 << 17) + i), expected);
}

static uint64_t scheduler_cycles(const struct hd_kernel_result *r)
{
    return r->sm.issued + r->sm.idle + r->sm.scoreboard + r->sm.pipeline + r->sm.inactive;
}

static void streams_overlap(void **state)
{
    struct gpu_bench *b = gpu_bench_new(&setup);
    const struct hd_kernel_result *r[2];

    (void)state;
    submit(b, 1, 0);
    submit(b, 2, 1);
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    assert_int_equal(hd_gpu_n_results(b->gpu), 2);
    for (unsigned i = 0; i < 2; i++)
        r[i] = hd_gpu_result(b->gpu, i);
    assert_int_equal(r[0]->start_cycle, 0);
    assert_int_equal(r[1]->start_cycle, 0);
    check_values(b, 0, 32);
    check_values(b, 1, 32);
    // Both together account for every scheduler cycle in which either ran.
    uint64_t longest = r[0]->cycles > r[1]->cycles ? r[0]->cycles : r[1]->cycles;
    assert_int_equal(scheduler_cycles(r[0]) + scheduler_cycles(r[1]), longest * 15 * 2);
    assert_int_equal(r[0]->sm.warp_insts, r[1]->sm.warp_insts);
    assert_int_equal(r[0]->sm.tbs, BLOCKS);
    assert_int_equal(r[1]->sm.tbs, BLOCKS);
    gpu_bench_free(b);
}

static void one_stream_is_a_queue(void **state)
{
    struct gpu_bench *b = gpu_bench_new(&setup);
    const struct hd_kernel_result *first, *second;

    (void)state;
    submit(b, 3, 0);
    submit(b, 3, 0);
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    first = hd_gpu_result(b->gpu, 0);
    second = hd_gpu_result(b->gpu, 1);
    assert_true(second->start_cycle >= first->start_cycle + first->cycles);
    check_values(b, 0, 64);
    assert_int_equal(scheduler_cycles(first), first->cycles * 15 * 2);
    assert_int_equal(scheduler_cycles(second), second->cycles * 15 * 2);
    gpu_bench_free(b);
}

static void more_kernels_than_slots(void **state)
{
    struct gpu_bench *b = gpu_bench_new(&setup);

    (void)state;
    for (uint32_t i = 0; i < b->gpu->n_slots + 3; i++)
        submit(b, 10 + i, i & 1);
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    assert_int_equal(hd_gpu_n_results(b->gpu), b->gpu->n_slots + 3);
    assert_int_equal(hd_gpu_result(b->gpu, b->gpu->n_slots - 1)->start_cycle, 0);
    assert_true(hd_gpu_result(b->gpu, b->gpu->n_slots)->start_cycle > 0);
    gpu_bench_free(b);
}

// An SM holds blocks of one kernel at a time: the policy below sees every block and says so.
static uint32_t on_sm[64];

static void watch_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    const struct hd_tb_view *mine = &v->tbs[e->tb];
    int slot;

    (void)st;
    HD_EACH(slot, v->tb_live)
        assert_int_equal(v->tbs[slot].kernel, mine->kernel);
    on_sm[mine->kernel]++;
}

static void sm_holds_one_kernel(void **state)
{
    static const struct hd_policy watch = {
        .abi = HD_POLICY_ABI, .name = "watch", .events = HD_ON(HD_EV_TB_START), .on = watch_on};
    struct gpu_bench_setup s = setup;
    struct gpu_bench *b;

    (void)state;
    memset(on_sm, 0, sizeof on_sm);
    s.watch = &watch;
    b = gpu_bench_new(&s);
    submit(b, 1, 0);
    submit(b, 2, 1);
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    assert_int_equal(on_sm[0], BLOCKS);
    assert_int_equal(on_sm[1], BLOCKS);
    gpu_bench_free(b);
}

// With sm.share kernels meet on an SM. Its registers are never exceeded: 4 blocks of 64 threads
// with 128 of 32,768 each. The start of a kernel is reported once on each SM, before its first
// block.
static unsigned meetings, starts[64];

static void shared_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    int slot;

    (void)st;
    if (e->kind == HD_EV_KERNEL_START) {
        starts[e->kernel]++;
        return;
    }
    assert_true(starts[e->kernel]);
    assert_true(hd_count(v->tb_live) <= 4);
    HD_EACH(slot, v->tb_live)
        meetings += v->tbs[slot].kernel != e->kernel;
    on_sm[e->kernel]++;
}

static void shared_sm_holds_both(void **state)
{
    static const struct hd_policy watch = {.abi = HD_POLICY_ABI,
                                           .name = "watch",
                                           .events =
                                               HD_ON(HD_EV_TB_START) | HD_ON(HD_EV_KERNEL_START),
                                           .on = shared_on};
    static const char *const share[] = {"sm.share=1", NULL};
    struct gpu_bench_setup s = setup;
    struct gpu_bench *b;

    (void)state;
    memset(on_sm, 0, sizeof on_sm);
    s.watch = &watch;
    s.sets = share;
    b = gpu_bench_new(&s);
    submit_with(b, 1, 0, 128);
    submit_with(b, 2, 1, 128);
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    assert_true(meetings > 0);
    for (unsigned i = 0; i < 2; i++) {
        const struct hd_kernel_result *r = hd_gpu_result(b->gpu, i);
        assert_int_equal(on_sm[i], BLOCKS);
        assert_true(starts[i] && starts[i] <= 15);
        assert_int_equal(r->sm.tbs, BLOCKS);
        assert_int_equal(r->sm.warp_insts, hd_gpu_result(b->gpu, 0)->sm.warp_insts);
        check_values(b, i, 32);
    }
    gpu_bench_free(b);
}

static int to_first_with_room(struct hd_pstate st, const struct hd_gpu_view *v, int slot,
                              const uint64_t *room)
{
    (void)st, (void)v, (void)slot;
    return hd_first(room[0]);
}

// Three kernels at a time under a kernel policy: when each ended.
static void three_at_a_time(const struct hd_policy *kernel, const struct hd_policy *tb,
                            uint64_t ends[3])
{
    struct gpu_bench_setup s = setup;
    struct gpu_bench *b;

    s.kernel = kernel;
    s.tb = tb;
    b = gpu_bench_new(&s);
    for (uint32_t i = 0; i < 3; i++)
        submit(b, i, i & 1);
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    for (unsigned i = 0; i < 3; i++) {
        ends[i] = hd_gpu_result(b->gpu, i)->cycles;
        assert_int_equal(hd_gpu_result(b->gpu, i)->sm.tbs, BLOCKS);
    }
    gpu_bench_free(b);
}

// In turn all three get SMs at once; first come, first served, one has them all after the other.
static void kernel_policies(void **state)
{
    static const struct hd_policy first_fit = {
        .abi = HD_POLICY_ABI, .name = "first_fit", .place = to_first_with_room};
    const struct hd_policy *fcfs = hd_registry_find("fcfs");
    uint64_t turns[3], first[3];

    (void)state;
    assert_non_null(fcfs);
    three_at_a_time(NULL, NULL, turns);
    three_at_a_time(fcfs, NULL, first);
    assert_true(first[0] < turns[0]);
    assert_true(first[0] < first[1] && first[1] < first[2]);
    // With a policy for blocks as well: a kernel without room does not hold up the next one.
    three_at_a_time(NULL, &first_fit, turns);
    three_at_a_time(fcfs, &first_fit, first);
    assert_true(first[0] < turns[0]);
    assert_true(first[0] < first[1] && first[1] < first[2]);
}

// Sleeping SMs and jumping clocks change nothing with several kernels either.
static void skip_is_exact_with(const char *const *sets)
{
    struct hd_sm_stats stats[2][2];
    uint64_t cycles[2][2];

    for (unsigned pass = 0; pass < 2; pass++) {
        struct gpu_bench_setup s = setup;
        s.no_skip = pass;
        s.sets = sets;
        struct gpu_bench *b = gpu_bench_new(&s);
        submit(b, 1, 0);
        submit(b, 2, 1);
        assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
        for (unsigned i = 0; i < 2; i++) {
            stats[pass][i] = hd_gpu_result(b->gpu, i)->sm;
            cycles[pass][i] = hd_gpu_result(b->gpu, i)->cycles;
        }
        gpu_bench_free(b);
    }
    assert_memory_equal(stats[0], stats[1], sizeof stats[0]);
    assert_memory_equal(cycles[0], cycles[1], sizeof cycles[0]);
}

static void skip_is_exact(void **state)
{
    static const char *const share[] = {"sm.share=1", NULL};

    (void)state;
    skip_is_exact_with(NULL);
    skip_is_exact_with(share);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_overlap),         cmocka_unit_test(one_stream_is_a_queue),
        cmocka_unit_test(more_kernels_than_slots), cmocka_unit_test(sm_holds_one_kernel),
        cmocka_unit_test(kernel_policies),         cmocka_unit_test(skip_is_exact),
        cmocka_unit_test(shared_sm_holds_both),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
