// test_hooks.c - the questions feed and admit: which block of which kernel an SM takes, and which
// kernel takes a free running slot (src/gpu/dispatch.c, src/gpu/admit.c). What kernels launch, and
// marks, are in tests/cli/test_hooks.sh.
#include "shared/gpu_bench.h"

#include "gpu/gpu_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

// Each thread adds 1 to its own word, 32 times over.
static const char body[] = "ld.param.u64 %rd1, [buffer];\n"
                           "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
                           "mad.lo.s32 %r4, %r1, %r2, %r3;\nmul.wide.s32 %rd2, %r4, 4;\n"
                           "add.s64 %rd3, %rd1, %rd2;\nmov.u32 %r5, 0;\n"
                           "L:\nld.global.u32 %r6, [%rd3];\nadd.s32 %r6, %r6, 1;\n"
                           "st.global.u32 [%rd3], %r6;\nadd.s32 %r5, %r5, 1;\n"
                           "setp.lt.s32 %p1, %r5, 32;\n@%p1 bra L;\nret;\n";

#define BLOCKS 100 // more than 64, and more than fit at once
#define THREADS 32
#define MOST 8 // launches

static struct {
    uint32_t started[MOST][BLOCKS]; // by launch: blocks in the order in which they started
    uint32_t n[MOST];
    uint32_t wrong, asked, before; // before: SM that was asked last in this cycle
    uint64_t cycle, first_start;
} seen;

static void on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    const struct hd_tb_view *tb = &v->tbs[e->tb];

    (void)st;
    if (!seen.n[0])
        seen.first_start = v->cycle;
    if (seen.n[tb->kernel] < BLOCKS)
        seen.started[tb->kernel][seen.n[tb->kernel]] = tb->global_id;
    seen.n[tb->kernel]++;
}

// What every policy here checks: its own state, and that SMs ask in turn.
static void note_question(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits)
{
    uint32_t turn = ((uint32_t)sm + v->n_sms - v->last_sm - 1) % v->n_sms;

    seen.asked++;
    seen.wrong += !st.gpu || !st.sm || st.sched || !fits || (fits & ~v->running);
    if (seen.cycle == v->cycle && seen.before == (uint32_t)sm)
        seen.wrong++; // twice in a cycle
    if (seen.cycle != v->cycle && turn && hd_has(fits, 0) && v->kernels[0].tbs_started == 0)
        seen.wrong++; // all SMs have room, so the one after the last is the first
    seen.cycle = v->cycle;
    seen.before = (uint32_t)sm;
}

static bool backwards(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                      struct hd_pick *pick)
{
    note_question(st, v, sm, fits);
    pick->slot = hd_first(fits);
    pick->tb = v->kernels[pick->slot].tbs - 1 - v->kernels[pick->slot].tbs_started;
    return true;
}

// The first ten blocks with even numbers, then all others in their order.
static bool even_first(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                       struct hd_pick *pick)
{
    note_question(st, v, sm, fits);
    pick->slot = hd_first(fits);
    if (v->kernels[pick->slot].tbs_started < 10)
        pick->tb = 2 * v->kernels[pick->slot].tbs_started;
    return true;
}

#define LATE 5000
static bool late(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                 struct hd_pick *pick)
{
    note_question(st, v, sm, fits);
    pick->slot = hd_first(fits);
    return v->cycle >= LATE && sm % 2;
}

static size_t last_come(struct hd_pstate st, const struct hd_gpu_view *v,
                        const struct hd_ready *ready, size_t n)
{
    seen.asked++;
    seen.wrong += !st.gpu || st.sm || st.sched || !v->n_sms;
    for (size_t i = 0; i < n; i++)
        seen.wrong += ready[i].parent_kernel != UINT32_MAX || ready[i].tbs != BLOCKS ||
                      ready[i].depth || ready[i].stream != 1 + ready[i].id ||
                      (i && ready[i].since < ready[i - 1].since);
    return n - 1;
}

#define WATCHER                                                                                    \
    .abi = HD_POLICY_ABI, .name = "watcher", .gpu_bytes = 1, .sm_bytes = 1,                        \
    .events = HD_ON(HD_EV_TB_START), .on = on

static struct gpu_bench *run(const struct hd_policy *tb, const struct hd_policy *kernel, uint32_t n,
                             const char *const *sets, bool no_skip)
{
    const struct gpu_bench_setup s = {
        .body = body, .sets = sets, .tb = tb, .kernel = kernel, .no_skip = no_skip};
    struct gpu_bench *b = gpu_bench_new(&s);
    struct hd_diag d = {.n = 0};

    memset(&seen, 0, sizeof seen);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t address = b->buffer + (uint64_t)i * BLOCKS * THREADS * 4;
        struct hd_launch_request r = {.program = b->program,
                                      .kernel = hd_program_find(b->program, "k"),
                                      .grid = {BLOCKS, 1, 1},
                                      .block = {THREADS, 1, 1},
                                      .stream = 1 + i,
                                      .params = (const uint8_t *)&address,
                                      .shared_static = UINT32_MAX};
        assert_true(hd_gpu_submit(b->gpu, &r, &d));
    }
    assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
    for (uint32_t i = 0; i < n * BLOCKS * THREADS; i++)
        assert_int_equal(gpu_bench_word(b, i), 32);
    assert_int_equal(seen.wrong, 0);
    assert_true(seen.asked > 0);
    return b;
}

static const char *const sets[] = {"sm.tbs=2", NULL};
static const char *const shared[] = {"sm.tbs=2", "sm.share=1", NULL};

static void named_blocks_start_once(void **state)
{
    static const struct hd_policy p = {WATCHER, .feed = backwards};

    (void)state;
    for (unsigned share = 0; share < 2; share++) {
        gpu_bench_free(run(&p, NULL, 2, share ? shared : sets, share));
        for (uint32_t i = 0; i < BLOCKS; i++) {
            assert_int_equal(seen.started[0][i], BLOCKS - 1 - i);
            assert_int_equal(seen.started[1][i], BLOCKS - 1 - i);
        }
        assert_int_equal(seen.n[0], BLOCKS);
        assert_int_equal(seen.n[1], BLOCKS);
    }
}

static void the_next_block_is_one_that_has_not_started(void **state)
{
    static const struct hd_policy p = {WATCHER, .feed = even_first};

    (void)state;
    gpu_bench_free(run(&p, NULL, 1, sets, false));
    for (uint32_t i = 0; i < 10; i++) {
        assert_int_equal(seen.started[0][i], 2 * i);
        assert_int_equal(seen.started[0][10 + i], 2 * i + 1);
    }
    for (uint32_t i = 20; i < BLOCKS; i++)
        assert_int_equal(seen.started[0][i], i);
}

// A policy may keep SMs empty while there are blocks; whether cycles are skipped changes nothing.
static void no_block_is_an_answer(void **state)
{
    static const struct hd_policy p = {WATCHER, .feed = late};
    uint64_t cycles = 0;

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct gpu_bench *b = run(&p, NULL, 1, sets, i);
        assert_in_range(seen.first_start, LATE - 1, LATE + 1000); // the view shows the cycle before
        assert_true(!i || hd_gpu_result(b->gpu, 0)->cycles == cycles);
        cycles = hd_gpu_result(b->gpu, 0)->cycles;
        gpu_bench_free(b);
    }
}

static void a_policy_admits_kernels(void **state)
{
    static const struct hd_policy p = {WATCHER, .admit = last_come};
    static const char *const one_slot[] = {"sm.tbs=2", "launch.kernels=1", NULL};
    struct gpu_bench *b = run(NULL, &p, 5, one_slot, false);

    (void)state;
    assert_int_equal(seen.asked, 5);
    for (unsigned i = 1; i < 5; i++)
        assert_true(hd_gpu_result(b->gpu, i)->start_cycle <
                    hd_gpu_result(b->gpu, i - 1)->start_cycle);
    gpu_bench_free(b);
}

// The baseline of these decisions, asked of a policy, is the baseline.
static bool in_turn(struct hd_pstate st, const struct hd_gpu_view *v, int sm, uint64_t fits,
                    struct hd_pick *pick)
{
    (void)st, (void)sm;
    seen.asked++;
    pick->slot = hd_rotate_from(fits, v->last_kernel + 1);
    return true;
}
static size_t first_come(struct hd_pstate st, const struct hd_gpu_view *v,
                         const struct hd_ready *ready, size_t n)
{
    (void)st, (void)v, (void)ready, (void)n;
    return 0;
}
static void the_baseline_as_a_policy(void **state)
{
    static const struct hd_policy p = {WATCHER, .feed = in_turn, .admit = first_come};

    (void)state;
    for (unsigned share = 0; share < 2; share++) {
        struct gpu_bench *a = run(&p, &p, 4, share ? shared : sets, false);
        const struct gpu_bench_setup s = {.body = body, .sets = share ? shared : sets};
        struct gpu_bench *b = gpu_bench_new(&s);
        struct hd_diag d = {.n = 0};
        for (uint32_t i = 0; i < 4; i++) {
            uint64_t address = b->buffer + (uint64_t)i * BLOCKS * THREADS * 4;
            struct hd_launch_request r = {.program = b->program,
                                          .kernel = hd_program_find(b->program, "k"),
                                          .grid = {BLOCKS, 1, 1},
                                          .block = {THREADS, 1, 1},
                                          .stream = 1 + i,
                                          .params = (const uint8_t *)&address,
                                          .shared_static = UINT32_MAX};
            assert_true(hd_gpu_submit(b->gpu, &r, &d));
        }
        assert_int_equal(hd_gpu_run(b->gpu), HD_RUN_OK);
        for (unsigned i = 0; i < 4; i++) {
            assert_int_equal(hd_gpu_result(a->gpu, i)->start_cycle,
                             hd_gpu_result(b->gpu, i)->start_cycle);
            assert_int_equal(hd_gpu_result(a->gpu, i)->end_cycle,
                             hd_gpu_result(b->gpu, i)->end_cycle);
        }
        gpu_bench_free(a);
        gpu_bench_free(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(named_blocks_start_once),
        cmocka_unit_test(the_next_block_is_one_that_has_not_started),
        cmocka_unit_test(no_block_is_an_answer),
        cmocka_unit_test(a_policy_admits_kernels),
        cmocka_unit_test(the_baseline_as_a_policy),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
