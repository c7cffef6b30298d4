// test_turing.c - the SM of gpus/rtx2060.ini: distances between instructions as GPGPU-Sim 4.2 has
// them (tests/accuracy/modern), and what each key of its sub-cores does.
#include "gpu/gpu_internal.h"
#include "shared/gpu_bench.h"
#include "shared/sm_bench.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CHAIN 12
#define FLAT "gpu.memory=flat"

static struct bench *ran(const char *text, const char *const *sets, unsigned warps, unsigned trips)
{
    static const char *const flat[] = {FLAT, NULL};
    struct bench *b = bench_new(&(struct bench_setup){.text = text,
                                                      .gpu = "gpus/rtx2060.ini",
                                                      .sets = sets ? sets : flat,
                                                      .sched = "lrr",
                                                      .warps = warps,
                                                      .trips = trips});

    assert_true(bench_run(b) > 0);
    return b;
}

// Cycles from the issue of an instruction to that of the next one, in a row of equal ones.
static unsigned apart(const char *line)
{
    char text[CHAIN * 64 + 16] = "";
    struct bench *b;
    uint64_t first, last;

    for (unsigned i = 0; i < CHAIN; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s\n", line);
    snprintf(text + strlen(text), sizeof text - strlen(text), "exit\n");
    b = ran(text, NULL, 1, 1);
    first = bench_issued(b, 0, 2, 0);
    last = bench_issued(b, 0, CHAIN - 1, 0);
    assert_int_equal((last - first) % (CHAIN - 3), 0);
    bench_free(b);
    return (unsigned)((last - first) / (CHAIN - 3));
}

static void dependent_instructions(void **state)
{
    static const struct {
        const char *line;
        unsigned cycles;
    } all[] = {
        {"mov.u32 %r1, %r1", 6},          {"shl.b32 %r1, %r1, 1", 6},
        {"add.s32 %r1, %r1, 1", 9},       {"add.s32 %r1, %r1, %r3", 9}, // two reads of one bank
        {"add.s32 %r1, %r1, %r1", 9},     {"mad.lo.s32 %r1, %r1, %r2, %r3", 9},
        {"add.f32 %f1, %f1, %f2", 9},     {"fma.rn.f32 %f1, %f1, %f2, %f3", 9},
        {"add.f64 %d1, %d1, %d2", 69},    {"sqrt.approx.f32 %f1, %f1", 26},
        {"div.s32 %r1, %r1, %r2", 26},    {"div.full.f32 %f1, %f1, %f2", 44},
        {"ld.shared.u32 %r1, [%r1]", 35}, {"ld.global.u32 %r1, [%r1]", 36}, // hits after the first
        {"ld.param.u32 %r1, [p]", 3},     {"mov.u32 %r1, 1", 5},            // no register to read
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (apart(all[i].line) != all[i].cycles)
            fail_msg("'%s': %u cycles, not %u", all[i].line, apart(all[i].line), all[i].cycles);
}

static void a_lone_warp_issues_in_each_cycle(void **state)
{
    struct bench *b = ran("mov.u32 %r1, %r2\nmov.u32 %r3, %r4\nmov.u32 %r5, %r6\n"
                          "mov.u32 %r7, %r8\nmov.u32 %r9, %r10\nexit\n",
                          NULL, 1, 1);

    (void)state;
    for (unsigned pc = 1; pc < 5; pc++)
        assert_int_equal(bench_issued(b, 0, pc, 0), bench_issued(b, 0, pc - 1, 0) + 1);
    bench_free(b);
}

// The target of a taken branch issues two cycles after it; the reference takes 2.0 for each of a
// row of branches.
static void a_branch_takes_two_cycles(void **state)
{
    static const char *const flat[] = {FLAT, NULL};
    struct bench_setup s = {
        .text = "top:\n@%p1 bra top\nexit\n", .gpu = "gpus/rtx2060.ini", .sets = flat, .warps = 1};

    (void)state;
    assert_true(bench_per_round(s) == 2.0);
}

// A row of independent loads or stores of one warp, whose lanes are `stride` bytes apart. Returns
// cycles from the issue of a load to that of another 20 instructions later, or from the first store
// that leaves the SM to the last.
#define ROW 60
static unsigned row(const char *line, unsigned stride, const char *const *sets)
{
    char text[ROW * 32 + 16] = "";
    struct bench *b;
    const struct bench_request *sent;
    uint64_t took;
    size_t n;

    for (unsigned i = 0; i < ROW; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), line, i + 10);
    snprintf(text + strlen(text), sizeof text - strlen(text), "exit\n");
    b = bench_new(&(struct bench_setup){
        .text = text, .gpu = "gpus/rtx2060.ini", .sets = sets, .warps = 1, .stride = stride});
    assert_true(bench_run(b) > 0);
    sent = bench_requests(b, &n);
    took = strstr(line, "st.") ? sent[n - 1].cycle - sent[0].cycle
                               : bench_issued(b, 0, ROW - 1, 0) - bench_issued(b, 0, ROW - 21, 0);
    hd_sm_check_empty(bench_sm(b));
    bench_free(b);
    return (unsigned)took;
}

// Four banks take an access each in a cycle: a load takes 1 cycle, 8, or 32 if all its accesses
// are for one bank. Of stores one access leaves in a cycle.
static void accesses_pass_the_banks(void **state)
{
    static const char *const flat[] = {FLAT, "flat.inject=4", NULL};
    static const char *const one[] = {FLAT, "l1d.banks=1", NULL};
    static const char load[] = "ld.global.u32 %%r%u, [%%r1]\n",
                      store[] = "st.global.u32 [%%r1], %%r2\n";

    (void)state;
#ifdef HD_STRESS
    skip();
#endif
    assert_int_equal(row(load, 4, flat), 20);
    assert_int_equal(row(load, 32, flat), 20 * 8);
    assert_int_equal(row(load, 128, flat), 20 * 32);
    assert_int_equal(row(store, 4, flat), ROW * 4 - 1);
    assert_int_equal(row(store, 32, flat), ROW * 32 - 1);
    assert_true(row(load, 4, one) >= 20 * 4);
}

// What a program of one warp does to the cache: accesses, misses, and requests to memory.
static void count(const char *text, unsigned accesses, unsigned misses, unsigned sent)
{
    struct bench *b = ran(text, NULL, 1, 1);
    const struct hd_sm_stats *s = bench_stats(b);
    size_t n;

    assert_int_equal(s->l1d_accesses, accesses);
    assert_int_equal(s->l1d_misses, misses);
    bench_requests(b, &n);
    assert_int_equal(n, sent);
    bench_free(b);
}

static void misses_fetch_sectors(void **state)
{
    (void)state;
    // The first load misses in the four sectors of a line; the add waits for it.
    count("ld.global.u32 %r1, [%r1]\nadd.s32 %r2, %r1, %r1\nld.global.u32 %r3, [%r1]\nexit\n", 8, 4,
          4);
    // What was stored can be read, and each store is written through.
    count("st.global.u32 [%r1], %r2\nst.global.u32 [%r1], %r2\nld.global.u32 %r3, [%r1]\nexit\n",
          12, 4, 8);
}

// Whether the issues of each cycle are in the order of the schedulers, from scheduler
// `first` + `step` x cycle on.
static bool in_turn(const struct bench_issue *log, size_t n, unsigned first, unsigned step)
{
    for (size_t i = 1; i < n; i++) {
        unsigned from = first + step * (unsigned)log[i].cycle;
        if (log[i].cycle == log[i - 1].cycle &&
            (log[i].warp + 400 - from % 4) % 4 <= (log[i - 1].warp + 400 - from % 4) % 4)
            return false;
    }
    return true;
}

static void schedulers_take_turns(void **state)
{
    static const char text[] = "mov.u32 %r1, %r2\nmov.u32 %r3, %r4\nmov.u32 %r5, %r6\n"
                               "mov.u32 %r7, %r8\nmov.u32 %r9, %r10\nmov.u32 %r11, %r12\nexit\n";
    static const char *const fixed[] = {FLAT, "sm.issue_rotates=0", NULL};

    (void)state;
    for (unsigned rotates = 0; rotates < 2; rotates++) {
        struct bench *b = ran(text, rotates ? NULL : fixed, 4, 1);
        unsigned ways = 0;
        size_t n;
        const struct bench_issue *log = bench_log(b, &n);
        assert_int_equal(n, 7 * 4);
        for (unsigned first = 0; first < 4; first++)
            ways += in_turn(log, n, first, 1);
        assert_int_equal(ways, rotates ? 1 : 0);
        assert_int_equal(in_turn(log, n, 0, 0), !rotates);
        bench_free(b);
    }
}

// Warp 0 fills its sub-core's places for double precision. The oldest instruction of these is warp
// 0's, so those of warp 1 wait for it if the SM's oldest goes first.
static void the_oldest_instruction_blocks(void **state)
{
    static const char text[] =
        "@%w1 bra one\nadd.f64 %d1, %d2, %d3\nadd.f64 %d4, %d5, %d6\nadd.f64 %d7, %d8, %d9\n"
        "add.f64 %d10, %d11, %d12\nadd.f64 %d13, %d14, %d15\nadd.f64 %d16, %d17, %d18\nexit\n"
        "one:\nmov.u32 %r1, %r2\nmov.u32 %r3, %r4\nmov.u32 %r5, %r6\nmov.u32 %r7, %r8\n"
        "mov.u32 %r9, %r10\nmov.u32 %r11, %r12\nmov.u32 %r13, %r14\nmov.u32 %r15, %r16\n"
        "mov.u32 %r17, %r18\nmov.u32 %r19, %r20\nadd.f64 %d1, %d2, %d3\nadd.f64 %d4, %d5, %d6\n"
        "exit\n";
    static const char *const own[] = {FLAT, "sm.collector_heads=subcore", NULL};
    uint64_t took[2];

    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct bench *b = ran(text, i ? NULL : own, 2, 1);
        unsigned second = bench_pc(b, "one") + 11;
        took[i] = bench_issued(b, 1, second, 0) - bench_issued(b, 1, second - 1, 0);
        hd_sm_check_empty(bench_sm(b));
        bench_free(b);
    }
    assert_in_range(took[0], 1, 4);
    assert_true(took[1] > took[0] + 16);
}

static void an_sm_has_result_buses(void **state)
{
    static const char text[] = "mov.u32 %r1, %r2\nmov.u32 %r3, %r4\nmov.u32 %r5, %r6\n"
                               "mov.u32 %r7, %r8\nmov.u32 %r9, %r10\nmov.u32 %r11, %r12\n"
                               "mov.u32 %r13, %r14\nmov.u32 %r15, %r16\nexit\n";
    static const char *const one[] = {FLAT, "sm.shared_buses=1", NULL};
    static const char *const two[] = {FLAT, "sm.shared_buses=2", NULL};
    static const char *const eight[] = {FLAT, NULL};
    static const char *const *const sets[] = {one, two, eight};
    uint64_t took[3];

    (void)state;
#ifdef HD_STRESS
    skip(); // queues that were shrunk hold instructions up longer than the buses do
#endif
    for (unsigned i = 0; i < 3; i++) {
        struct bench *b = bench_new(&(struct bench_setup){
            .text = text, .gpu = "gpus/rtx2060.ini", .sets = sets[i], .warps = 4});
        took[i] = bench_run(b);
        bench_free(b);
    }
    assert_true(took[0] >= 9 * 4); // nine results of four warps
    assert_true(took[1] < took[0]);
    assert_true(took[1] >= 9 * 4 / 2);
    assert_true(took[2] <= took[1]);
}

// Cycles of a kernel of five blocks, and accesses to its L1D.
static uint64_t cycles_of(const char *body, const char *const *sets, uint64_t *accesses)
{
    enum hd_run_status status;
    struct gpu_bench *b =
        gpu_bench_ran(&(struct gpu_bench_setup){.body = body, .sets = sets, .blocks = 5}, &status);
    uint64_t n = hd_gpu_result(b->gpu, 0)->cycles;

    *accesses = hd_gpu_result(b->gpu, 0)->sm.l1d_accesses;
    assert_int_equal(status, HD_RUN_OK);
    gpu_bench_free(b);
    return n;
}

static uint64_t kernel_cycles(const char *const *sets)
{
    uint64_t accesses;

    return cycles_of("mov.u32 %r1, 1;\nadd.s32 %r1, %r1, 1;\nret;\n", sets, &accesses);
}

// Four registers in two banks: two cycles if each needs its bank for itself.
static void registers_of_a_bank_are_written_in_turn(void **state)
{
    static const char body[] = "mov.u32 %r1, 0;\nld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r1];\n"
                               "add.s32 %r8, %r7, %r7;\nret;\n";
    static const char *const together[] = {"sm.reg_banks=2", NULL};
    static const char *const apart[] = {"sm.reg_banks=2", "sm.writes_apart=1", NULL};
    static const char *const enough[] = {"sm.reg_banks=16", "sm.writes_apart=1", NULL};
    uint64_t accesses, least = cycles_of(body, together, &accesses);

    (void)state;
    assert_int_equal(cycles_of(body, apart, &accesses), least + 1);
    assert_int_equal(cycles_of(body, enough, &accesses), least);
}

// Lines that a chain of loads finds again: 96 KB less the shared memory of the kernel's blocks. The
// bench's kernel has 1 KiB for each of up to 16 blocks.
static void shared_memory_takes_ways(void **state)
{
    static const char body[] =
        "ld.param.u64 %rd1, [buffer];\nmov.u32 %r1, 0;\nmov.u64 %rd2, %rd1;\nmov.u32 %r3, 0;\n"
        "top:\nld.global.u32 %r2, [%rd2];\nadd.s64 %rd2, %rd2, 128;\nadd.s32 %r1, %r1, 1;\n"
        "setp.ne.u32 %p1, %r1, 100;\n@%p1 bra top;\nadd.s32 %r3, %r3, 1;\nmov.u32 %r1, 0;\n"
        "mov.u64 %rd2, %rd1;\nsetp.ne.u32 %p1, %r3, 2;\n@%p1 bra top;\nret;\n";
#define UNIFIED                                                                                    \
    "l1d.enabled=1", "sm.segment=32", "l1d.sector=32", "l1d.sets=1", "l1d.ways=128",               \
        "l1d.unified=16K", "sm.sms=1"
    static const char *const none[] = {UNIFIED, "l1d.shared_sizes=0x1", NULL};
    static const char *const half[] = {UNIFIED, "l1d.shared_sizes=0x5", NULL};
    uint64_t accesses, hits;

    (void)state;
#ifdef HD_STRESS
    skip(); // one way, always
#endif
    hits = cycles_of(body, none, &accesses);
    // 100 lines are kept in 128 ways, but not in 64.
    assert_true(cycles_of(body, half, &accesses) > hits + 1000);
}

// Words of local memory of the lanes of a warp are neighbours: each element of a vector is in four
// other sectors.
static void vectors_in_local_memory(void **state)
{
    static const char body[] = ".local .align 16 .b8 depot[64];\nmov.u64 %rd1, depot;\n"
                               "mov.u32 %r1, 1;\nst.local.v4.u32 [%rd1], {%r1, %r1, %r1, %r1};\n"
                               "ret;\n";
    static const char *const whole[] = {"l1d.enabled=1", "sm.segment=32", NULL};
    static const char *const first[] = {"l1d.enabled=1", "sm.segment=32", "sm.whole_vectors=0",
                                        NULL};
    uint64_t accesses;

    (void)state;
    cycles_of(body, whole, &accesses);
    assert_int_equal(accesses, 5 * 16);
    cycles_of(body, first, &accesses);
    assert_int_equal(accesses, 5 * 4);
}

static void a_launch_takes_time(void **state)
{
    static const char *const waits[] = {"launch.latency=5000", NULL};
    static const char *const counts[] = {"launch.latency=100", "launch.per_block=7", NULL};
    uint64_t at_once = kernel_cycles(NULL);

    (void)state;
    assert_int_equal(kernel_cycles(waits), at_once + 5000);
    assert_int_equal(kernel_cycles(counts), at_once + 100 + 5 * 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_instructions),
        cmocka_unit_test(a_lone_warp_issues_in_each_cycle),
        cmocka_unit_test(a_branch_takes_two_cycles),
        cmocka_unit_test(accesses_pass_the_banks),
        cmocka_unit_test(misses_fetch_sectors),
        cmocka_unit_test(schedulers_take_turns),
        cmocka_unit_test(the_oldest_instruction_blocks),
        cmocka_unit_test(an_sm_has_result_buses),
        cmocka_unit_test(a_launch_takes_time),
        cmocka_unit_test(registers_of_a_bank_are_written_in_turn),
        cmocka_unit_test(vectors_in_local_memory),
        cmocka_unit_test(shared_memory_takes_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
