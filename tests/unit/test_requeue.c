// test_requeue.c - the re-execution queue of the load/store unit on one SM: who may pass whom (ELF,
// SC 2015, Figure 6), what is served when, and what each key changes.
//
// In most of these programs the data cache has one way, so that a line at +4096 is refused while
// the line at +0 is on its way, and nothing else is.
#include "shared/sm_bench.h"

#include "heddle/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LATENCY 400
#define ONE_WAY "l1d.enabled=1", "l1d.ways=1", "flat.latency=400"

static struct bench *made(const char *text, unsigned warps, unsigned stride,
                          const char *const *sets)
{
    return bench_new(&(struct bench_setup){
        .text = text, .warps = warps, .stride = stride, .sets = sets, .skip = true});
}

static struct bench *ran(const char *text, unsigned warps, unsigned stride, const char *const *sets)
{
    struct bench *b = made(text, warps, stride, sets);
    const struct hd_sm_stats *s = bench_stats(b);

    assert_true(bench_run(b) != 0);
    assert_int_equal(s->requeue_refused + s->requeue_ordered, s->requeue_completed);
    return b;
}

// Cycles from the issue of a load to that of the next instruction, which needs its register.
static uint64_t served_in(const struct bench *b, unsigned warp, const char *label)
{
    unsigned pc = bench_pc(b, label);

    return bench_issued(b, warp, pc + 1, 0) - bench_issued(b, warp, pc, 0);
}

#define HIT 4 // 3 + n: as if the unit were free

// A load of warp 0 waits in the queue. Its next load, which hits, is served at once; its store
// waits for the load, and the load after that for the store, although both would succeed. The store
// of warp 1 goes.
static void one_warp_waits_in_order(void **state)
{
    static const char text[] = "@%w1 bra one\n"
                               "ld.global.u32 %r3, [%r9+1024]\n"
                               "add.s32 %r8, %r3, 1\n"
                               "ld.global.u32 %r1, [%r9]\n"
                               "ld.global.u32 %r2, [%r9+4096]\n"
                               "b:\n"
                               "ld.global.u32 %r4, [%r9+1024]\n"
                               "add.s32 %r5, %r4, 1\n"
                               "st.global.u32 [%r9+2048], %r6\n"
                               "d:\n"
                               "ld.global.u32 %r7, [%r9+1024]\n"
                               "add.s32 %r10, %r7, 1\n"
                               "exit\n"
                               "one:\n"
                               "div.s32 %r8, %r8, %r8\n"
                               "div.s32 %r8, %r8, %r8\n"
                               "div.s32 %r8, %r8, %r8\n"
                               "div.s32 %r8, %r8, %r8\n"
                               "st.global.u32 [%r8+2048], %r6\n"
                               "exit";
    static const char *const sets[] = {ONE_WAY, "requeue.entries=32", NULL};
    struct bench *b = ran(text, 2, 4, sets);
    const struct hd_sm_stats *s = bench_stats(b);
    uint64_t reply = bench_requested(b, 0, 0)->cycle + LATENCY;

    (void)state;
    assert_int_equal(served_in(b, 0, "b"), HIT);
    assert_int_equal(s->requeue_refused, 1);
    assert_int_equal(s->requeue_ordered, 2);
    assert_int_equal(s->requeue_hits, 1);
    assert_true(bench_requested(b, 1, 2048)->cycle > bench_issued(b, 0, bench_pc(b, "d"), 0));
    assert_true(bench_requested(b, 1, 2048)->cycle < reply);
    assert_true(bench_requested(b, 0, 4096)->cycle > reply);
    assert_true(bench_requested(b, 0, 2048)->cycle > bench_requested(b, 0, 4096)->cycle);
    // The store is sent to the network in the cycle after it has left the queue, and the load is
    // served in that cycle.
    assert_int_equal(bench_issued(b, 0, bench_pc(b, "d") + 1, 0),
                     bench_requested(b, 0, 2048)->cycle);
    bench_free(b);
}

// ELF's Figure 6: what may pass a load, and what a store, of warp 0 in the queue.
static void figure_6(void **state)
{
    static const char *const first[] = {"ld.global.u32 %r2, [%r8+", "st.global.u32 [%r8+"};
    static const char *const ops[] = {"ld.global.u32 %r4, [%r8+", "st.global.u32 [%r8+"};
    static const char *const ends[] = {"]\n", "], %r5\n"};
    static const char *const sets[] = {ONE_WAY, "requeue.entries=32", NULL};

    (void)state;
    for (int waits = 0; waits < 2; waits++)
        for (int comes = 0; comes < 2; comes++) {
            char text[512];
            snprintf(text, sizeof text,
                     "@%%w1 bra one\nld.global.u32 %%r1, [%%r8]\n%s4096%s%s2048%sexit\n"
                     "one:\ndiv.s32 %%r8, %%r8, %%r8\n%s2304%sexit",
                     first[waits], ends[waits], ops[comes], ends[comes], ops[comes], ends[comes]);
            struct bench *b = ran(text, 2, 4, sets);
            uint64_t waited = bench_requested(b, 0, 4096)->cycle;
            assert_true(waited > bench_requested(b, 0, 0)->cycle + LATENCY);
            assert_true(bench_requested(b, 1, 2304)->cycle < waited);
            assert_int_equal(bench_requested(b, 0, 2048)->cycle < waited, !waits && !comes);
            assert_int_equal(bench_stats(b)->requeue_refused, 1);
            assert_int_equal(bench_stats(b)->requeue_ordered, waits || comes);
            bench_free(b);
        }
}

// Fences and atomics pass nothing.
static void fences_and_atomics_are_ordered(void **state)
{
    static const char *const ops[] = {"membar.gl\n", "atom.global.add.u32 %r4, [%r9+2048], %r5\n"};
    static const char *const sets[] = {ONE_WAY, "requeue.entries=32", NULL};

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "ld.global.u32 %%r1, [%%r9]\nld.global.u32 %%r2, [%%r9+4096]\n%sexit", ops[i]);
        struct bench *b = ran(text, 1, 4, sets);
        assert_int_equal(bench_stats(b)->requeue_refused, 1);
        assert_int_equal(bench_stats(b)->requeue_ordered, 1);
        if (i)
            assert_true(bench_requested(b, 0, 2048)->cycle + 1 >=
                        bench_requested(b, 0, 4096)->cycle);
        bench_free(b);
    }
}

// Warp 0 misses twice and there is one miss register; what warp 1 reads then is in the cache.
static const char two_warps[] = "@%w1 bra one\n"
                                "bar.sync 0\n"
                                "ld.global.u32 %r1, [%r9]\n"
                                "refused:\n"
                                "ld.global.u32 %r2, [%r9+4096]\n"
                                "exit\n"
                                "one:\n"
                                "ld.global.u32 %r3, [%r9+1024]\n"
                                "add.s32 %r4, %r3, 1\n"
                                "bar.sync 0\n"
                                "div.s32 %r5, %r5, %r5\n"
                                "hit:\n"
                                "ld.global.u32 %r6, [%r5+1024]\n"
                                "add.s32 %r7, %r6, 1\n"
                                "exit";

static void hit_under_misses(void **state)
{
    static const char *const without[] = {"l1d.enabled=1", "l1d.mshrs=1", "flat.latency=400", NULL};
    static const char *const with[] = {"l1d.enabled=1", "l1d.mshrs=1", "flat.latency=400",
                                       "requeue.entries=32", NULL};
    struct bench *b = ran(two_warps, 2, 4, without);

    (void)state;
    assert_true(served_in(b, 1, "hit") > LATENCY / 2);
    assert_int_equal(bench_stats(b)->requeue_refused, 0);
    bench_free(b);
    b = ran(two_warps, 2, 4, with);
    assert_int_equal(served_in(b, 1, "hit"), HIT);
    assert_int_equal(bench_stats(b)->requeue_refused, 1);
    bench_free(b);
}

// What the data cache refuses does not hold back the constant cache.
static void another_cache_goes_on(void **state)
{
    static const char text[] = "ld.global.u32 %r1, [%r9]\n"
                               "ld.global.u32 %r2, [%r9+4096]\n"
                               "c:\n"
                               "ld.const.u32 %r3, [x]\n"
                               "add.s32 %r4, %r3, 1\n"
                               "exit";
    static const char *const without[] = {ONE_WAY, NULL};
    static const char *const with[] = {ONE_WAY, "requeue.entries=32", NULL};
    struct bench *b = ran(text, 1, 4, without);

    (void)state;
    assert_true(served_in(b, 0, "c") > LATENCY / 2);
    bench_free(b);
    b = ran(text, 1, 4, with);
    assert_true(served_in(b, 0, "c") <= HIT);
    bench_free(b);
}

// A queue of one entry: while it is full, the unit holds back even what would hit. The entry is
// tried when the line arrives that it was refused for; then the unit goes on.
static void a_full_queue_holds_the_unit(void **state)
{
    static const char *const sets[] = {ONE_WAY, "requeue.entries=1", NULL};
    struct bench *b = ran(two_warps, 2, 4, sets);
    const struct hd_sm_stats *s = bench_stats(b);
    uint64_t refused = bench_issued(b, 0, bench_pc(b, "refused"), 0) + HIT,
             served = bench_requested(b, 0, 4096)->cycle - 1;

    (void)state;
    assert_true(served > bench_requested(b, 0, 0)->cycle + LATENCY);
    assert_int_equal(bench_issued(b, 1, bench_pc(b, "hit") + 1, 0), served + 1);
    assert_int_equal(s->requeue_refused, 1);
    assert_int_equal(s->requeue_completed, 1);
    assert_int_equal(s->requeue_full, served - refused);
    assert_int_equal(s->requeue_used, served - refused);
    bench_free(b);
}

// The head of the queue waits for the data cache, the second entry for the constant cache, whose
// line comes earlier.
static void order_and_retry(void **state)
{
    static const char text[] = "@%w1 bra one\n"
                               "div.s32 %r8, %r8, %r8\n"
                               "ld.global.u32 %r1, [%r8]\n"
                               "ld.global.u32 %r2, [%r8+4096]\n"
                               "exit\n"
                               "one:\n"
                               "ld.const.u32 %r1, [x]\n"
                               "div.s32 %r8, %r8, %r8\n"
                               "add.s32 %r8, %r8, %r8\n"
                               "add.s32 %r8, %r8, %r8\n"
                               "ld.const.u32 %r2, [%r8+256]\n"
                               "exit";
    static const struct {
        const char *key;
        bool in_order;
    } rows[] = {{"requeue.order=weak", false},
                {"requeue.order=fifo", true},
                {"requeue.retry=oldest", true}};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        const char *sets[] = {
            ONE_WAY, "l1c.perfect=0", "l1c.mshrs=1", "requeue.entries=32", rows[i].key, NULL};
        struct bench *b = ran(text, 2, 4, sets);
        assert_int_equal(bench_stats(b)->requeue_refused, 2);
        assert_int_equal(bench_requested(b, 0, 4096)->cycle < bench_requested(b, -1, 256)->cycle,
                         rows[i].in_order);
        bench_free(b);
    }
}

// CAR: an instruction of a warp that has an entry is not tried, and blocks the unit. The other
// warps' instructions after it wait too, until the entry is served.
static void one_entry_for_each_warp(void **state)
{
    static const char text[] = "@%w1 bra one\n"
                               "ld.global.u32 %r3, [%r9+1024]\n"
                               "add.s32 %r4, %r3, 1\n"
                               "bar.sync 0\n"
                               "ld.global.u32 %r1, [%r9]\n"
                               "ld.global.u32 %r2, [%r9+4096]\n"
                               "own:\n"
                               "ld.global.u32 %r6, [%r9+1024]\n"
                               "add.s32 %r7, %r6, 1\n"
                               "exit\n"
                               "one:\n"
                               "ld.global.u32 %r3, [%r9+1152]\n"
                               "add.s32 %r4, %r3, 1\n"
                               "bar.sync 0\n"
                               "div.s32 %r5, %r5, %r5\n"
                               "hit:\n"
                               "ld.global.u32 %r6, [%r5+1152]\n"
                               "add.s32 %r7, %r6, 1\n"
                               "exit";

    (void)state;
    for (int car = 0; car < 2; car++) {
        const char *sets[] = {ONE_WAY, "requeue.entries=32",
                              car ? "requeue.per_warp=1" : "requeue.per_warp=2",
                              "requeue.order=fifo", NULL};
        struct bench *b = ran(text, 2, 4, sets);
        if (car) {
            assert_true(bench_issued(b, 0, bench_pc(b, "own") + 1, 0) >=
                        bench_requested(b, 0, 4096)->cycle);
            assert_true(bench_issued(b, 1, bench_pc(b, "hit") + 1, 0) >=
                        bench_requested(b, 0, 4096)->cycle);
        } else {
            assert_int_equal(served_in(b, 0, "own"), HIT);
            assert_int_equal(served_in(b, 1, "hit"), HIT);
        }
        bench_free(b);
    }
}

// 32 lines and one miss register: after the first line the load has 31 accesses left. With an entry
// for each access it stays in the unit until all that are left find a place.
static void what_an_entry_holds(void **state)
{
    static const struct {
        const char *unit, *entries;
        unsigned refused;
    } rows[] = {
        {"requeue.unit=inst", "requeue.entries=48", 1},
        {"requeue.unit=access", "requeue.entries=48", 31},
        {"requeue.unit=access", "requeue.entries=16", 16},
    };

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        const char *sets[] = {"l1d.enabled=1", "l1d.mshrs=1",   "flat.latency=20",
                              rows[i].unit,    rows[i].entries, NULL};
        struct bench *b = ran("ld.global.u32 %r1, [%r9]\nadd.s32 %r2, %r1, 1\nexit", 1, 128, sets);
        size_t n;
        bench_requests(b, &n);
        assert_int_equal(n, 32);
        assert_int_equal(bench_stats(b)->requeue_refused, rows[i].refused);
        bench_free(b);
    }
}

// While shared-memory instructions with bank conflicts keep the unit busy, its port is free.
static void a_busy_unit_may_have_a_free_port(void **state)
{
    uint64_t cycle[2];

    (void)state;
    for (int port = 0; port < 2; port++) {
        const char *sets[] = {ONE_WAY, "requeue.entries=32",
                              port ? "requeue.idle=port" : "requeue.idle=unit", NULL};
        char text[2048];
        int n = snprintf(text, sizeof text,
                         "@%%w1 bra one\nld.global.u32 %%r1, [%%r9]\n"
                         "ld.global.u32 %%r2, [%%r9+8192]\nexit\none:\n");
        for (unsigned i = 0; i < 30; i++)
            n +=
                snprintf(text + n, sizeof text - (size_t)n, "ld.shared.u32 %%r%u, [%%r9]\n", i % 8);
        snprintf(text + n, sizeof text - (size_t)n, "exit");
        struct bench *b = ran(text, 2, 128, sets);
        const struct bench_request *last = bench_requested(b, 0, 8192);
        cycle[port] = last->cycle;
        assert_true(bench_stats(b)->shared_conflict_cycles > LATENCY);
        bench_free(b);
    }
    assert_true(cycle[1] < cycle[0]);
}

// Without a refusal the queue changes no cycle.
static void nothing_refused(void **state)
{
    static const char text[] = "top:\nld.global.u32 %r1, [%r9]\nadd.s32 %r2, %r1, 1\n"
                               "st.global.u32 [%r9+512], %r2\nld.shared.u32 %r3, [%r2]\n"
                               "atom.global.add.u32 %r4, [%r9+256], %r3\nmembar.gl\n"
                               "ld.const.u32 %r5, [x]\n@%p1 bra top\nexit";
    struct hd_sm_stats stats[2];
    uint64_t cycles[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *sets[] = {"l1d.enabled=1", "flat.inject=4",
                              i ? "requeue.entries=32" : "requeue.entries=0",
                              i ? "requeue.order=weak" : "requeue.order=fifo", NULL};
        struct bench *b =
            bench_new(&(struct bench_setup){.text = text, .warps = 4, .trips = 20, .sets = sets});
        cycles[i] = bench_run(b);
        stats[i] = *bench_stats(b);
        bench_free(b);
    }
    assert_true(cycles[0] != 0);
    assert_int_equal(cycles[0], cycles[1]);
    assert_int_equal(stats[0].l1d_reservation_fails, 0);
    assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
}

struct seen {
    int warp;
    uint64_t line;
    unsigned n;
};

static void on_read(void *ctx, unsigned sm, const struct hd_event *e)
{
    struct seen *s = ctx;

    (void)sm;
    if (e->line == s->line) {
        s->warp = e->warp;
        s->n++;
    }
}

// Policies are shown the warp of the entry, not the one in the unit; each refusal counts once, and
// the attempts stop while nothing changes.
static void events_and_attempts(void **state)
{
    static const char *const sets[] = {ONE_WAY, "requeue.entries=1", NULL};
    struct seen seen = {.line = UINT64_C(0x80000000) + 4096, .warp = -1};
    struct hd_sm_watch watch = {.on = on_read, .ctx = &seen, .events = HD_ON(HD_EV_L1_READ)};
    struct bench *b = made(two_warps, 2, 4, sets);
    bool saturated = false;

    (void)state;
    hd_sm_add_watch(bench_sm(b), &watch);
    for (unsigned i = 0; i < 3 * LATENCY; i++) {
        bench_cycle(b);
        saturated |= hd_sm_view(bench_sm(b))->mem_saturated;
        if (bench_stats(b)->requeue_refused && !bench_stats(b)->requeue_completed)
            assert_true(hd_sm_view(bench_sm(b))->mem_saturated);
    }
    assert_true(saturated);
    assert_false(hd_sm_view(bench_sm(b))->mem_saturated);
    assert_true(bench_run(b) != 0);
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.warp, 0);
    // Once from the register; the line that warp 0 waits for changes the cache once.
    assert_int_equal(bench_stats(b)->l1d_reservation_fails, 1);
    bench_free(b);
}

// A warp that has ended keeps its block on the SM until its store has left the queue.
static void a_kernel_does_not_end_before(void **state)
{
    static const char *const sets[] = {ONE_WAY, "requeue.entries=4", NULL};
    struct bench *b = made("ld.global.u32 %r1, [%r9]\nst.global.u32 [%r9+4096], %r2\n"
                           "ld.global.u32 %r3, [%r9+4224]\nexit",
                           1, 4, sets);
    char report[512];

    (void)state;
    for (unsigned i = 0; i < LATENCY / 2; i++)
        bench_cycle(b);
    hd_sm_report(bench_sm(b), 0, report, sizeof report);
    assert_non_null(
        strstr(report, "has ended, 2 of its instructions wait in the re-execution queue"));
    assert_int_equal(hd_sm_live_tbs(bench_sm(b)), 1);
    assert_true(bench_run(b) > bench_requested(b, 0, 4096)->cycle);
    bench_free(b);
}

// What the report of a hang says of a warp whose load is in the queue.
static void report_names_the_queue(void **state)
{
    static const char *const sets[] = {ONE_WAY, "requeue.entries=4", NULL};
    struct bench *b = made("ld.global.u32 %r1, [%r9]\nld.global.u32 %r2, [%r9+4096]\n"
                           "add.s32 %r3, %r2, 1\nexit",
                           1, 4, sets);
    char report[512];

    (void)state;
    for (unsigned i = 0; i < LATENCY / 2; i++)
        bench_cycle(b);
    hd_sm_report(bench_sm(b), 0, report, sizeof report);
    assert_non_null(strstr(report, "waits for a register of the load at line 2, which waits in the "
                                   "re-execution queue"));
    assert_true(bench_run(b) != 0);
    bench_free(b);
}

// Accesses past the data cache wait for the network: one request a cycle fits.
static void refused_by_the_network(void **state)
{
    static const char text[] = "top:\nld.global.cg.u32 %r1, [%r9]\nst.global.u32 [%r9+512], %r5\n"
                               "atom.global.add.u32 %r4, [%r9+256], %r6\n"
                               "ld.const.u32 %r7, [%r4+64]\n@%p1 bra top\nexit";
    static const char *const sets[] = {"l1d.enabled=1",   "l1c.perfect=0",     "l1c.sets=1",
                                       "flat.latency=30", "requeue.entries=8", "l1c.ways=1",
                                       "flat.inject=1",   "requeue.idle=port", NULL};
    uint64_t cycles[2];

    (void)state;
    for (int skip = 0; skip < 2; skip++) {
        struct bench *b = bench_new(&(struct bench_setup){
            .text = text, .warps = 8, .trips = 10, .stride = 132, .sets = sets, .skip = skip != 0});
        cycles[skip] = bench_run(b);
        assert_true(cycles[skip] != 0);
        assert_true(bench_stats(b)->requeue_refused > 0);
        assert_int_equal(bench_stats(b)->requeue_completed,
                         bench_stats(b)->requeue_refused + bench_stats(b)->requeue_ordered);
        bench_free(b);
    }
    assert_int_equal(cycles[0], cycles[1]);
}

int main(void)
{
#ifdef HD_STRESS
    puts("timing of a machine whose queues were not shrunk");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_warp_waits_in_order),
        cmocka_unit_test(figure_6),
        cmocka_unit_test(fences_and_atomics_are_ordered),
        cmocka_unit_test(hit_under_misses),
        cmocka_unit_test(another_cache_goes_on),
        cmocka_unit_test(a_full_queue_holds_the_unit),
        cmocka_unit_test(order_and_retry),
        cmocka_unit_test(one_entry_for_each_warp),
        cmocka_unit_test(what_an_entry_holds),
        cmocka_unit_test(a_busy_unit_may_have_a_free_port),
        cmocka_unit_test(nothing_refused),
        cmocka_unit_test(events_and_attempts),
        cmocka_unit_test(a_kernel_does_not_end_before),
        cmocka_unit_test(report_names_the_queue),
        cmocka_unit_test(refused_by_the_network),
    };
    return cmocka_run_group_tests_name("re-execution queue", tests, NULL, NULL);
}
