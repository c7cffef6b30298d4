// test_observe.c - a policy that watches the whole machine hears of all SMs in their order, and
// what it learns is what its other machine-wide functions see.
#include "shared/gpu_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BLOCKS 40
#define SMS 15

// Block n works the longer the larger n is, so that blocks end at different times.
static const char body[] = "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, 0;\n"
                           "L:\nadd.s32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n"
                           "@%p1 bra L;\nret;\n";

// What the observer saw; a real policy would keep it in its state alone.
static struct {
    uint64_t cycle;
    int sm;
    unsigned issues, starts, ends, disorders, others, placed_unknown;
    uint64_t hash; // of all that on_gpu was shown, the other SMs included
    // Of on: the SM that issued last, the cycle, and how often an SM of a smaller number followed.
    const struct hd_view *issued;
    uint64_t issued_in;
    unsigned backwards;
} seen;

static const struct hd_view *const *views; // by SM
static const void *states[SMS];            // of this policy, by SM

static void note(uint64_t value)
{
    seen.hash = (seen.hash ^ value) * UINT64_C(0x100000001b3);
}

static unsigned number_of(const struct hd_view *v)
{
    unsigned i = 0;

    while (i < SMS && views[i] != v)
        i++;
    return i;
}

// Called as the SMs step, in whichever order they do.
static void on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    (void)st;
    if (e->kind != HD_EV_ISSUE || !views)
        return;
    if (seen.issued && seen.issued_in == v->cycle)
        seen.backwards += number_of(v) < number_of(seen.issued);
    seen.issued = v;
    seen.issued_in = v->cycle;
}

struct ended {
    uint32_t blocks[SMS]; // by SM
};

static void on_gpu(struct hd_pstate st, const struct hd_gpu_view *v, const struct hd_event *e,
                   int sm)
{
    struct ended *ended = st.gpu;

    views = v->sms;
    note(v->cycle);
    note((uint64_t)sm << 32 | (uint64_t)e->warp << 8 | e->kind);
    for (unsigned i = 0; i < v->n_sms; i++) {
        note(v->sms[i]->live);
        note(v->sms[i]->ibuf_empty);
        note(v->sms[i]->sb_block);
    }
    states[sm] = states[sm] ? states[sm] : st.sm;
    if (!st.sm || states[sm] != st.sm || st.sched || v->n_sms != SMS ||
        v->sms[sm]->cycle > v->cycle)
        seen.others++;
    if (e->kind == HD_EV_ISSUE) {
        seen.issues++;
        seen.disorders += v->cycle < seen.cycle || (v->cycle == seen.cycle && sm < seen.sm);
        seen.cycle = v->cycle;
        seen.sm = sm;
    } else if (e->kind == HD_EV_TB_START) {
        seen.starts++;
    } else if (e->kind == HD_EV_TB_END) {
        seen.ends++;
        ended->blocks[sm]++;
    } else {
        seen.others++; // not asked for
    }
}

// The SM that has ended most blocks.
static int place(struct hd_pstate st, const struct hd_gpu_view *v, int slot, const uint64_t *room)
{
    const struct ended *ended = st.gpu;
    int best = HD_NONE;
    unsigned all = 0;

    (void)slot;
    for (unsigned i = 0; i < v->n_sms; i++) {
        all += ended->blocks[i];
        if (hd_has(room[0], (int)i) && (best == HD_NONE || ended->blocks[i] > ended->blocks[best]))
            best = (int)i;
    }
    seen.placed_unknown += all != seen.ends;
    return best;
}

static const struct hd_policy observer = {
    .abi = HD_POLICY_ABI,
    .name = "observer",
    .events = HD_ON(HD_EV_ISSUE),
    .gpu_events = HD_ON(HD_EV_ISSUE) | HD_ON(HD_EV_TB_START) | HD_ON(HD_EV_TB_END),
    .sm_bytes = 1,
    .gpu_bytes = sizeof(struct ended),
    .place = place,
    .on = on,
    .on_gpu = on_gpu,
};

static void run(bool no_skip)
{
    static const char *const sets[] = {"sm.tbs=1", NULL};
    const struct gpu_bench_setup setup = {.body = body,
                                          .sets = sets,
                                          .blocks = BLOCKS,
                                          .threads = 32,
                                          .tb = &observer,
                                          .no_skip = no_skip};
    enum hd_run_status status;
    struct gpu_bench *b;

    memset(&seen, 0, sizeof seen);
    views = NULL;
    memset(states, 0, sizeof states);
    b = gpu_bench_ran(&setup, &status);
    assert_int_equal(status, HD_RUN_OK);
    assert_int_equal(seen.issues, hd_gpu_result(b->gpu, 0)->sm.issued);
    gpu_bench_free(b);
}

static void hears_of_all_sms_in_order(void **state)
{
    (void)state;
    run(false);
    assert_int_equal(seen.starts, BLOCKS);
    assert_int_equal(seen.ends, BLOCKS);
    assert_int_equal(seen.disorders, 0);
    assert_int_equal(seen.others, 0);
    assert_int_equal(seen.placed_unknown, 0);
}

static void skipping_hides_nothing(void **state)
{
    uint64_t last;

    (void)state;
    run(false);
    last = seen.cycle;
    run(true);
    assert_int_equal(seen.cycle, last);
    assert_int_equal(seen.disorders, 0);
}

// Whatever the order in which SMs step, a policy is shown the machine after all of them have.
static void the_order_of_steps_does_not_show(void **state)
{
    uint64_t hash;

    (void)state;
    run(false);
    assert_int_equal(seen.backwards, 0);
    hash = seen.hash;
    setenv("HEDDLE_STEP_ORDER", "7", 1);
    run(false);
    unsetenv("HEDDLE_STEP_ORDER");
    assert_true(seen.backwards > 0);
    assert_int_equal(seen.disorders, 0);
    assert_int_equal(seen.hash, hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hears_of_all_sms_in_order),
        cmocka_unit_test(skipping_hides_nothing),
        cmocka_unit_test(the_order_of_steps_does_not_show),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
