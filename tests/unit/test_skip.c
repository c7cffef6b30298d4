// test_skip.c - an SM that sleeps through empty cycles does what one stepped in every cycle does.
//
// Random small programs, machines and policies; compared are every issue with its cycle, and every
// counter, byte for byte.
#include "shared/sm_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { PROGRAMS = 300 };

static uint64_t random_state;

static unsigned random_below(unsigned n)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((random_state >> 33) % n);
}

static const char *const ops[] = {
    "add.s32 %%r%u, %%r%u, %%r%u\n",
    "mad.lo.s32 %%r%u, %%r%u, %%r%u, %%r1\n",
    "mul.f32 %%r%u, %%r%u, %%r%u\n",
    "sqrt.approx.f32 %%r%u, %%r%u\n",
    "div.s32 %%r%u, %%r%u, %%r%u\n",
    "ld.shared.u32 %%r%u, [%%r%u]\n",
    "ld.global.u32 %%r%u, [%%r%u]\n",
    "ld.global.u32 %%r%u, [%%r%u]\n",
    "ld.param.u32 %%r%u, [x]\n",
    "st.global.u32 [%%r%u], %%r%u\n",
    "st.shared.u32 [%%r%u], %%r%u\n",
    "atom.global.add.u32 %%r%u, [%%r%u], %%r%u\n",
    "membar.gl\n",
    "bar.sync 0\n",
    "ld.const.u32 %%r%u, [%%r%u+64]\n",
    "ld.global.cg.u32 %%r%u, [%%r%u]\n",
    "ld.global.u32 %%r%u, [%%r%u+4096]\n",
};

// A loop of random operations, some of them jumped over by some of the warps.
static void random_program(char *to, size_t bytes)
{
    size_t n = (size_t)snprintf(to, bytes, "top:\n");
    unsigned length = 1 + random_below(12);

    for (unsigned i = 0; i < length; i++) {
        unsigned op = random_below(sizeof ops / sizeof *ops);
        bool jump = random_below(4) == 0 && !strstr(ops[op], "bar"); // all must reach a barrier
        if (jump)
            n += (size_t)snprintf(to + n, bytes - n, "@%%p2 bra over%u\n", i);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
        n += (size_t)snprintf(to + n, bytes - n, ops[op], random_below(6), random_below(6),
                              random_below(6));
#pragma GCC diagnostic pop
        if (jump)
            n += (size_t)snprintf(to + n, bytes - n, "over%u:\n", i);
    }
    snprintf(to + n, bytes - n, "add.s32 %%r9, %%r9, 1\n@%%p1 bra top\nexit\n");
}

// Returns how many entries of the re-execution queue were used.
static uint64_t compare(const char *text, struct bench_setup s, unsigned k)
{
    struct bench *sleeps, *steps;
    const struct bench_issue *a, *b;
    size_t na, nb;

    s.text = text;
    s.skip = false;
    steps = bench_new(&s);
    s.skip = true;
    sleeps = bench_new(&s);
    uint64_t cycles = bench_run(steps), slept = bench_run(sleeps);
    a = bench_log(steps, &na);
    b = bench_log(sleeps, &nb);
    for (size_t i = 0; i < na && i < nb; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("program %u, %s: stepped, warp %u issued %u in cycle %llu; sleeping, warp %u "
                     "issued %u in cycle %llu\n%s",
                     k, s.sched, a[i].warp, a[i].pc, (unsigned long long)a[i].cycle, b[i].warp,
                     b[i].pc, (unsigned long long)b[i].cycle, text);
    assert_int_equal(na, nb);
    if (!cycles) {
        char report[2048];
        hd_sm_report(bench_sm(steps), 0, report, sizeof report);
        fail_msg("program %u, %s never ends:\n%s%s", k, s.sched, text, report);
    }
    assert_int_equal(cycles, slept);
    if (memcmp(bench_stats(steps), bench_stats(sleeps), sizeof(struct hd_sm_stats)) != 0)
        fail_msg("program %u, %s: counters differ\n%s", k, s.sched, text);
    assert_true(bench_steps(sleeps) <= bench_steps(steps));
    const struct hd_sm_stats *st = bench_stats(steps);
    assert_int_equal(st->issued, na);
    assert_int_equal(st->requeue_refused + st->requeue_ordered, st->requeue_completed);
    assert_int_equal(st->issued + st->idle + st->scoreboard + st->pipeline + st->inactive,
                     cycles * hd_sm_view(bench_sm(steps))->n_sched);
    uint64_t entries = st->requeue_completed;
    bench_free(steps);
    bench_free(sleeps);
    return entries;
}

static void random_programs(void **state)
{
    static const char *const policies[] = {"lrr",
                                           "gto",
                                           "srr",
                                           "gtrr",
                                           "oldest",
                                           "two_level_active",
                                           "two_level_active:2:fixed=1",
                                           "two_level_active:1:skip_dead=1",
                                           "two_level_opt:4",
                                           "two_level_opt:3:in_place=1:greedy=1",
                                           "two_level_active:64",
                                           "lfws",
                                           "ccws",
                                           "pro",
                                           "elf"};
    static const char *const machines[][6] = {
        {"flat.latency=300", NULL},
        {"flat.latency=40", "l1d.enabled=1", NULL},
        {"flat.latency=5", "l1c.perfect=0", NULL},
        {"sm.collectors_sp=1", "sm.id_oc_sp=1", NULL},
        {"l1d.enabled=1", "l1d.mshrs=1", "flat.latency=8"},
        {"sm.schedulers=4", "sm.subcores=4", "sm.sp_units=1", "flat.latency=60"},
        {"sm.subcores=2", "sm.owner=ranges", "sm.id_oc_sp=1", "l1d.enabled=1", "sm.reg_banks=2"},
    };

    (void)state;
    for (unsigned k = 0; k < PROGRAMS; k++) {
        char text[1024];
        random_state = k + 1;
        random_program(text, sizeof text);
        compare(text,
                (struct bench_setup){.sched = policies[k % (sizeof policies / sizeof *policies)],
                                     .sets = machines[random_below(7)],
                                     .warps = 1 + random_below(8),
                                     .blocks = 1 + random_below(10),
                                     .trips = 1 + random_below(4),
                                     .stride = random_below(2) ? 4 : 132,
                                     .seed = k,
                                     .cold = random_below(2)},
                k);
    }
}

// The same with queues in front of the L1D, and with sectors.
static void random_programs_with_banks(void **state)
{
    static const char *const policies[] = {"lrr", "gto", "two_level_active", "ccws", "pro", "elf"};
    static const char *const machines[][6] = {
        {"l1d.latency=32", "l1d.banks=4", "flat.latency=100", NULL},
        {"l1d.latency=5", "l1d.banks=2", "l1d.mshrs=1", "flat.latency=60", NULL},
        {"l1d.latency=1", "l1d.miss_queue=3", "flat.inject=1", NULL},
        {"l1d.latency=64", "l1d.banks=8", "l1d.ways=1", "l1d.sets=2", NULL},
    };
    const char *sets[16];

    (void)state;
    for (unsigned k = 0; k < PROGRAMS; k++) {
        const char *const *machine = machines[k % 4];
        char text[1024];
        unsigned n = 0;
        random_state = k + 1;
        random_program(text, sizeof text);
        for (; machine[n]; n++)
            sets[n] = machine[n];
        sets[n++] = "l1d.enabled=1";
        if (random_below(4)) {
            sets[n++] = "l1d.sector=32";
            sets[n++] = "sm.segment=32";
        }
        sets[n] = NULL;
        compare(text,
                (struct bench_setup){.sched = policies[k % 6],
                                     .sets = sets,
                                     .warps = 1 + random_below(8),
                                     .blocks = 1 + random_below(10),
                                     .trips = 1 + random_below(4),
                                     .stride = random_below(2) ? 4 : 36,
                                     .seed = k},
                k);
    }
}

// The same with a re-execution queue of every kind.
static void random_programs_with_a_queue(void **state)
{
    static const char *const policies[] = {"lrr", "gto", "two_level_active", "ccws", "pro", "elf"};
    static const char *const machines[][6] = {
        {"l1d.enabled=1", "l1d.mshrs=1", "flat.latency=8"},
        {"l1d.enabled=1", "l1d.ways=1", "l1c.perfect=0", "l1c.mshrs=1", "flat.latency=60"},
        {"l1d.enabled=1", "l1d.ways=1", "l1d.sets=1", "l1d.merges=1", "flat.latency=200"},
        {"flat.latency=40", "flat.inject=1"},
        {"sm.schedulers=4", "sm.subcores=4", "sm.sp_units=1", "l1d.enabled=1", "l1d.mshrs=2"},
    };
    static const char *const entries[] = {"requeue.entries=1", "requeue.entries=2",
                                          "requeue.entries=5", "requeue.entries=48"};
    static const char *const per_warp[] = {"requeue.per_warp=0", "requeue.per_warp=1",
                                           "requeue.per_warp=2"};
    static const char *const orders[] = {"requeue.order=weak", "requeue.order=fifo"};
    static const char *const units[] = {"requeue.unit=inst", "requeue.unit=access"};
    static const char *const idles[] = {"requeue.idle=unit", "requeue.idle=port"};
    static const char *const retries[] = {"requeue.retry=rotate", "requeue.retry=oldest"};
    uint64_t used = 0;

    (void)state;
    for (unsigned k = 0; k < PROGRAMS; k++) {
        const char *sets[16];
        unsigned n = 0;
        char text[1024];
        random_state = UINT64_C(1000003) * (k + 1);
        random_program(text, sizeof text);
        const char *const *machine = machines[random_below(5)];
        while (n < 6 && machine[n]) {
            sets[n] = machine[n];
            n++;
        }
        sets[n++] = entries[random_below(4)];
        sets[n++] = per_warp[random_below(3)];
        sets[n++] = orders[random_below(2)];
        sets[n++] = units[random_below(2)];
        sets[n++] = idles[random_below(2)];
        sets[n++] = retries[random_below(2)];
        sets[n] = NULL;
        used += compare(text,
                        (struct bench_setup){.sched = policies[k % 6],
                                             .sets = sets,
                                             .warps = 1 + random_below(8),
                                             .blocks = 1 + random_below(10),
                                             .trips = 1 + random_below(4),
                                             .stride = random_below(2) ? 4 : 132,
                                             .seed = k,
                                             .cold = random_below(2)},
                        k) != 0;
    }
    assert_true(used > PROGRAMS / 2);
}

// It does sleep: one warp that waits for memory costs a few steps a load, none of them for the
// cycle in which the reply comes from the network.
static void sleep_saves_steps(void **state)
{
    static const char *const sets[] = {"flat.latency=1000", NULL};
    struct bench *b = bench_new(&(struct bench_setup){
        .text = "top:\nld.global.u32 %r1, [%r1]\nadd.s32 %r2, %r2, 1\n@%p1 bra top\nexit",
        .warps = 1,
        .trips = 10,
        .sets = sets,
        .skip = true});

    (void)state;
    assert_true(bench_run(b) > 10000);
    assert_true(bench_steps(b) < 120);
    bench_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(random_programs_with_banks),
        cmocka_unit_test(random_programs_with_a_queue),
        cmocka_unit_test(sleep_saves_steps),
    };
    return cmocka_run_group_tests_name("skip", tests, NULL, NULL);
}
