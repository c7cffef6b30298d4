// test_every_cycle.c - a policy with HD_EVERY_CYCLE, which knows nothing of skipped cycles, gives
// the same results as its twin that answers wakes() and counts n cycles in one begin(), and as its
// twin with HD_LOST_SINGLY.
#include "shared/gpu_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define PERIOD 37

// Loads from many lines, and work that depends on them: most cycles are lost, and skipped.
static const char body[] = "ld.param.u64 %rd1, [buffer];\nmov.u32 %r1, %tid.x;\n"
                           "mov.u32 %r2, %ctaid.x;\nmad.lo.s32 %r1, %r2, 256, %r1;\n"
                           "mul.wide.u32 %rd2, %r1, 128;\nand.b64 %rd2, %rd2, 1048575;\n"
                           "add.s64 %rd1, %rd1, %rd2;\nmov.u32 %r3, 0;\n"
                           "L:\nld.global.u32 %r4, [%rd1];\nadd.s32 %r3, %r3, %r4;\n"
                           "add.s32 %r3, %r3, 1;\nbar.sync 0;\n"
                           "setp.lt.u32 %p1, %r3, 6;\n@%p1 bra L;\nret;\n";

struct pulse { // of a scheduler
    uint64_t cycles;
    uint64_t idle, blocked;
};

static bool is_odd(const struct pulse *p)
{
    return p->cycles / PERIOD & 1;
}

static void counts_one(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    (void)v, (void)s, (void)n;
    ((struct pulse *)st.sched)->cycles++;
}

static void counts_all(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    (void)v, (void)s;
    ((struct pulse *)st.sched)->cycles += n;
}

// In odd periods the upper half of the warps alone.
static uint64_t half(struct hd_pstate st, const struct hd_view *v, int s)
{
    return is_odd(st.sched) ? v->mine[s] & ~hd_low(v->n_warps / 2u) : v->mine[s];
}

static int alternates(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    return hd_rotate_from(among, is_odd(st.sched) ? 0 : v->last_issued[s] + 1);
}

static void ends_one(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n,
                     unsigned outcome, uint64_t visited)
{
    struct pulse *p = st.sched;

    (void)v, (void)s, (void)n, (void)visited;
    p->idle += (outcome & HD_OUTCOME_CLASS) == HD_STALL_IDLE;
    p->blocked += (outcome & HD_OUTCOME_CLASS) == HD_STALL_SCOREBOARD;
}

static void ends_all(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n,
                     unsigned outcome, uint64_t visited)
{
    struct pulse *p = st.sched;

    (void)v, (void)s, (void)visited;
    p->idle += (outcome & HD_OUTCOME_CLASS) == HD_STALL_IDLE ? n : 0;
    p->blocked += (outcome & HD_OUTCOME_CLASS) == HD_STALL_SCOREBOARD ? n : 0;
}

static uint64_t next_period(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct pulse *p = st.sched;

    (void)s;
    return v->cycle + PERIOD - p->cycles % PERIOD;
}

static const struct hd_field counters[] = {
    HD_F_COUNT(pulse, cycles, "cycles", "all"), HD_F_COUNT(pulse, idle, "cycles", "idle"),
    HD_F_COUNT(pulse, blocked, "cycles", "held by the scoreboard"), HD_FIELD_END};

#define PULSE(...)                                                                                 \
    {                                                                                              \
        .abi = HD_POLICY_ABI, .name = "pulse", .sched_bytes = sizeof(struct pulse),                \
        .counters = counters, .first = alternates, .eligible = half, __VA_ARGS__                   \
    }
static const struct hd_policy simple =
    PULSE(.flags = HD_EVERY_CYCLE, .begin = counts_one, .end = ends_one);
static const struct hd_policy skipping =
    PULSE(.begin = counts_all, .end = ends_all, .wakes = next_period);

static const struct hd_policy singly =
    PULSE(.flags = HD_LOST_SINGLY, .begin = counts_one, .end = ends_one);

// A state that returns after 7 cycles: a few warps take turns whether they can issue or not.
struct wheel {
    uint64_t at;
};
static void turns(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    struct wheel *x = st.sched;

    (void)v, (void)s;
    x->at = (x->at + n) % 7;
}
static uint64_t few(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct wheel *x = st.sched;
    uint64_t chosen = 0;

    for (int w = (int)x->at; w < v->n_warps; w += 7)
        chosen |= hd_bit(w) | hd_bit(w + 1);
    return v->mine[s] & chosen;
}

// Nothing but the clock decides, and nobody is told about it.
static uint64_t by_clock(struct hd_pstate st, const struct hd_view *v, int s)
{
    (void)st;
    return v->cycle / PERIOD & 1 ? v->mine[s] & ~hd_low(v->n_warps / 2u) : v->mine[s];
}
static uint64_t when_it_changes(struct hd_pstate st, const struct hd_view *v, int s)
{
    (void)st, (void)s;
    return (v->cycle / PERIOD + 1) * PERIOD;
}
static int lowest(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    (void)st, (void)v, (void)s;
    return hd_first(among);
}
#define CLOCK(...)                                                                                 \
    {                                                                                              \
        .abi = HD_POLICY_ABI, .name = "clock", .first = lowest, .eligible = by_clock, __VA_ARGS__  \
    }
static const struct hd_policy simple_clock = CLOCK(.flags = HD_EVERY_CYCLE);
static const struct hd_policy skipping_clock = CLOCK(.wakes = when_it_changes);

#define WHEEL(...)                                                                                 \
    {                                                                                              \
        .abi = HD_POLICY_ABI, .name = "wheel", .sched_bytes = sizeof(struct wheel),                \
        .first = lowest, .begin = turns, .eligible = few, __VA_ARGS__                              \
    }
static const struct hd_policy simple_wheel = WHEEL(.flags = HD_EVERY_CYCLE);
static const struct hd_policy wheel_singly = WHEEL(.flags = HD_LOST_SINGLY);

struct outcome {
    uint64_t cycles, counters[3];
    struct hd_sm_stats sm;
};

static struct outcome outcome(const struct hd_policy *p, bool no_skip)
{
    static const char *const sets[] = {"sm.sms=2", "flat.latency=400", NULL};
    const struct gpu_bench_setup setup = {
        .body = body, .sets = sets, .blocks = 24, .threads = 96, .watch = p, .no_skip = no_skip};
    enum hd_run_status status;
    struct outcome o = {0};
    struct gpu_bench *b = gpu_bench_ran(&setup, &status);
    struct hd_gpu_counter c;

    assert_int_equal(status, HD_RUN_OK);
    o.cycles = hd_gpu_result(b->gpu, 0)->cycles;
    o.sm = hd_gpu_result(b->gpu, 0)->sm;
    for (unsigned i = 0; hd_gpu_counter(b->gpu, HD_SLOT_SCHED, i, &c); i++)
        o.counters[i] = c.value;
    gpu_bench_free(b);
    return o;
}

static void same(const struct hd_policy *a, const struct hd_policy *b)
{
    struct outcome x = outcome(a, false), y = outcome(b, false), z = outcome(b, true);

    assert_true(x.sm.idle + x.sm.scoreboard > 2 * x.sm.issued); // there was something to skip
    assert_memory_equal(&x, &y, sizeof x);
    assert_memory_equal(&x, &z, sizeof x);
}

static void a_policy_that_counts_cycles(void **state)
{
    (void)state;
    same(&simple, &skipping);
    same(&simple, &singly);
}

static void a_policy_that_reads_the_clock(void **state)
{
    (void)state;
    same(&simple_clock, &skipping_clock);
}

static void a_policy_whose_state_returns(void **state)
{
    (void)state;
    same(&simple_wheel, &wheel_singly);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_policy_that_counts_cycles),
        cmocka_unit_test(a_policy_that_reads_the_clock),
        cmocka_unit_test(a_policy_whose_state_returns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
