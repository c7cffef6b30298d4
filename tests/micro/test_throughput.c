// test_throughput.c - cycles per round of small loops on one SM, against the reference machine.
//
// Each row is a loop of 16 (or 8) independent operations and the three instructions that close it,
// measured on the reference model with one block of 1 to 48 warps (timing-model 15.2). A row pins
// the mechanism it names; together they hold down the front end, the operand collector and the
// function units. Instruction fetch always hits.
//
// Tolerance: one cycle or 3 %. The measurements do not say how the loop's own registers were
// called; their banks alone move a row by up to 3 %, so the names below are some that suit all
// rows.
#include "shared/sm_bench.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct row {
    const char *op; // 'd' stands for the destination, %r0 upward
    unsigned n;     // operations of a round
    double percent; // tolerated, 0 = 3
    const char *pins;
    struct {
        unsigned warps;
        double cycles;
    } at[8];
};

static const struct row rows[] = {
    {"add.s32 d, %r40, %r41",
     16,
     0,
     "SP collectors: 3 cycles for 2 reads, 6 units, 16 banks",
     {{1, 45.0},
      {2, 47.0},
      {4, 58.9},
      {8, 120.9},
      {16, 230.3},
      {24, 333.7},
      {32, 442.5},
      {48, 652.6}}},
    {"fma.rn.f32 d, %r40, %r41, %r41",
     16,
     0,
     "3 reads, two of them of one bank",
     {{1, 45.0}, {2, 63.0}, {8, 158.2}, {32, 543.9}}},
    {"mad.lo.s32 d, %r40, %r41, %r41",
     16,
     0,
     "one SFU: its single issue register and collector port",
     {{1, 45.0}, {2, 57.6}, {8, 151.1}, {32, 566.3}}},
    {"mul.f32 d, %r40, %r41",
     16,
     0,
     "either pipe: falls back to the SFU",
     {{1, 45.0}, {2, 48.0}, {8, 105.0}, {32, 389.8}}},
    {"ld.shared.u32 d, [%r36]",
     16,
     0,
     "one LDST unit with 2 collectors",
     {{1, 45.0}, {2, 51.5}, {8, 160.3}, {32, 609.5}}},
    {"sqrt.approx.f32 d, %r40",
     8,
     0,
     "initiation interval 8 of the SFU",
     {{1, 64.0}, {2, 128.0}, {8, 512.0}, {32, 2048.0}}},
    {"bar.sync 0",
     8,
     0,
     "release at the next visit; fetch, one warp a cycle",
     {{1, 33.0}, {2, 33.0}, {8, 63.0}, {32, 200.0}}},
};

static const char tail[] =
    "add.s32 %r35, %r35, 1\nsetp.lt.s32 %p1, %r35, %r37\n@%p1 bra top\nexit\n";

static void loop_text(const struct row *r, char *to, size_t bytes)
{
    size_t n = (size_t)snprintf(to, bytes, "top:\n");
    const char *d = strstr(r->op, " d,");

    for (unsigned i = 0; i < r->n; i++)
        n += d ? (size_t)snprintf(to + n, bytes - n, "%.*s %%r%u%s\n", (int)(d - r->op), r->op, i,
                                  d + 2)
               : (size_t)snprintf(to + n, bytes - n, "%s\n", r->op);
    snprintf(to + n, bytes - n, "%s", tail);
}

static unsigned bad;

static void compare(const char *what, unsigned warps, double got, double want, double percent)
{
    double limit = fmax(1.0, want * (percent > 0 ? percent : 3) / 100);
    bool ok = fabs(got - want) <= limit;

    bad += !ok;
    if (!ok || getenv("BENCH_VERBOSE"))
        print_error("%-34s %2u warps: %7.1f cycles a round, reference %7.1f (%+.1f %%)%s\n", what,
                    warps, got, want, 100 * (got / want - 1), ok ? "" : "  <--");
}

static void loops(void **state)
{
    (void)state;
    bad = 0;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[2048];
        loop_text(&rows[i], text, sizeof text);
        for (unsigned k = 0; k < 8 && rows[i].at[k].warps; k++)
            compare(
                rows[i].op, rows[i].at[k].warps,
                bench_per_round((struct bench_setup){.text = text, .warps = rows[i].at[k].warps}),
                rows[i].at[k].cycles, rows[i].percent);
    }
    assert_int_equal(bad, 0);
}

static void add_fma_text(char *to, size_t bytes)
{
    size_t n = (size_t)snprintf(to, bytes, "top:\n");

    for (unsigned i = 0; i < 8; i++)
        n +=
            (size_t)snprintf(to + n, bytes - n,
                             "add.s32 %%r%u, %%r40, %%r41\nfma.rn.f32 %%r%u, %%r40, %%r41, %%r41\n",
                             2 * i, 2 * i + 1);
    snprintf(to + n, bytes - n, "%s", tail);
}

static void add_and_fma(void **state)
{
    static const struct {
        unsigned warps;
        double cycles;
    } at[] = {{1, 45.0}, {2, 48.0}, {8, 134.6}, {32, 482.1}};
    char text[2048];

    (void)state;
    bad = 0;
    add_fma_text(text, sizeof text);
    for (unsigned k = 0; k < 4; k++)
        compare("8 x (add, fma)", at[k].warps,
                bench_per_round((struct bench_setup){.text = text, .warps = at[k].warps}),
                at[k].cycles, 0);
    assert_int_equal(bad, 0);
}

// 8 shared loads with k-way conflicts: each holds the unit k cycles.
static void shared_conflicts(void **state)
{
    static const double want[2][6] = {{33, 33, 39, 64, 128, 256},
                                      {92.7, 138.2, 259.5, 512, 1024, 2048}};
    static const struct row load = {.op = "ld.shared.u32 d, [%r36]", .n = 8};
    char text[2048], what[40];

    (void)state;
    bad = 0;
    loop_text(&load, text, sizeof text);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned k = 0; k < 6; k++) {
            snprintf(what, sizeof what, "8 shared loads, %u-way conflict", 1u << k);
            compare(what, i ? 8 : 1,
                    bench_per_round(
                        (struct bench_setup){.text = text, .warps = i ? 8 : 1, .stride = 4u << k}),
                    want[i][k], 0);
        }
    assert_int_equal(bad, 0);
}

// 6 blocks of 8 warps on each SM, 20 rounds: here the order of the warps matters, and the
// schedulers differ as on the reference machine (15.3; 15 times as many blocks on its 15 SMs). Cold
// caches; the reference's network and DRAM answer an instruction miss in about 270 cycles.
static void schedulers(void **state)
{
    static const struct {
        const char *sched;
        double add, add_fma;
    } rows3[] = {
        {"gto", 13832, 15340}, {"lrr", 12123, 14266}, {"two_level_active:6:0:1", 13499, 14845}};
    static const char *const sets[] = {"flat.latency=270", NULL};
    static const char head[] = "mov.u32 %r40, 1\nmov.u32 %r41, 1\nmov.u32 %r35, 0\n"
                               "ld.param.u32 %r37, [trips]\n";
    char text[2][2048];

    (void)state;
    bad = 0;
    for (unsigned i = 0; i < 2; i++) {
        char loop[2048];
        if (i)
            add_fma_text(loop, sizeof loop);
        else
            loop_text(&rows[0], loop, sizeof loop);
        snprintf(text[i], sizeof text[i], "%s%.1900s", head, loop);
    }
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = 0; k < 2; k++) {
            struct bench *b = bench_new(&(struct bench_setup){.text = text[k],
                                                              .sched = rows3[i].sched,
                                                              .warps = 8,
                                                              .blocks = 6,
                                                              .trips = 20,
                                                              .cold = true,
                                                              .sets = sets});
            compare(rows3[i].sched, 48, (double)bench_run(b), k ? rows3[i].add_fma : rows3[i].add,
                    5);
            bench_free(b);
        }
    assert_int_equal(bad, 0);
}

int main(void)
{
#ifdef HD_STRESS
    puts("timing of a machine whose queues were not shrunk");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops),
        cmocka_unit_test(add_and_fma),
        cmocka_unit_test(shared_conflicts),
        cmocka_unit_test(schedulers),
    };
    return cmocka_run_group_tests_name("throughput", tests, NULL, NULL);
}
