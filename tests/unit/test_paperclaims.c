// test_paperclaims.c - a paper's claims on made-up results: every measure, mean, scale and
// relation, and what is refused.
#include "paper/paperclaims.h"

#include "base/config.h"
#include "base/file.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char head[] =
    "[paper]\ntitle = T\nauthors = A\nvenue = V\n"
    "[policy LRR]\nspec = lrr\n[policy GTO]\nspec = gto\n"
    "[policy PRO]\nspec = pro:threshold=500\n"
    "[policy LFWS]\nspec = lfws\n[policy BAWS]\nspec = baws\n"
    "[app A]\nkernel.1 = ka | 7\nkernel.2 = kb | 9\n[app B]\nkernel.1 = kc | 5\n"
    "[app C]\nlaunches = 1\n[app D]\n[set all]\napps = A B C D\n"
    "[set three]\napps = A B C\n"
    "[figure toy]\nkind = toy\ntoy = lfws-fig1\nrow.1 = SRR | srr | 45 | 21\n"
    "row.2 = LFWS | lfws | 37 | 13\n"
    "[figure m]\nkind = machine\nrow.1 = warps | sm.warps | 48 | 48\n"
    "row.2 = blocks | sm.tbs | 9 | 9\n"
    "[figure k]\nkind = kernels\napps = A B\npolicies = LRR, GTO\n";
static char folder[] = "/tmp/heddle-claims-XXXXXX";

static bool read_paper(struct hd_paper *p, const char *claims, struct hd_diag *d)
{
    struct hd_arena *a = hd_arena_new();
    const char *text = hd_arena_printf(a, "%s%s", head, claims);
    char err[HD_FILE_WHY];

    *p = (struct hd_paper){.arena = a, .name = "x", .size = "small"};
    *d = (struct hd_diag){0};
    p->config.sm.sms = 15;
    p->config.sm.warps = 48;
    p->config.sm.tbs = 8;
    p->config.sm.schedulers = 2;
    p->sheets.arena = a;
    assert_true(
        hd_file_write(hd_arena_printf(a, "%s/papers/x.ini", folder), text, strlen(text), err));
    if (!hd_paper_read(p, d) || !hd_paperpolicies_read(p, d) || !hd_paperclaims_read(p, d))
        return false;
    p->run_of = hd_paperclaims_table(p);
    for (unsigned i = 0; i < p->n_apps; i++) {
        p->apps[i].word = p->apps[i].label;
        p->apps[i].work = HD_NEW(a, hd_study_work);
    }
    return true;
}

// The result of an application under a policy, as JSON.
static void result(struct hd_paper *p, unsigned app, unsigned policy, bool metrics,
                   const char *json)
{
    assert_true(hd_paper_ask(p, app, policy, metrics));
    struct hd_study_run *run = &p->study.runs[p->study.n_runs - 1];
    run->json = json_loads(json, 0, NULL);
    assert_non_null(run->json);
    run->done = run->timed = true;
    run->result = "ok";
    p->study.arena = p->arena;
    hd_paperlaunches_take(&p->study, run);
}

// One launch of so many cycles; every count is a multiple of the cycles.
static void simple(struct hd_paper *p, unsigned app, unsigned policy, unsigned cycles)
{
    result(
        p, app, policy, false,
        hd_arena_printf(p->arena,
                        "{\"kernels\": [{\"name\": \"k\", \"cycles\": %u, \"thread_insts\": 12000, "
                        "\"long_insts\": %u, \"grid\": [%u, 1, 1], \"block\": [64, 1, 1], "
                        "\"tbs_per_sm\": 4, \"stalls\": {\"idle\": %u, \"scoreboard\": 10, "
                        "\"pipeline\": 10}}], \"policy_counters\": {\"sched\": {\"by_load\": "
                        "10, \"by_branch\": 5, \"by_jump\": 3, \"issued\": 100}}}",
                        cycles, 120 * (app + 1), 15 * (app + 1), cycles / 10));
}

static struct hd_paper_verdict evaluate(struct hd_paper *p, const char *id)
{
    const struct hd_paper_claim *c = hd_paperclaims_find(p, id);

    assert_non_null(c);
    return hd_paperverdicts_evaluate(p, c);
}

static void expect(struct hd_paper *p, const char *id, double ours, const char *verdict)
{
    struct hd_paper_verdict v = evaluate(p, id);

    if (isnan(ours) ? !isnan(v.ours) : fabs(v.ours - ours) > 1e-6)
        fail_msg("%s: %g, expected %g", id, v.ours, ours);
    assert_string_equal(v.verdict, verdict);
    assert_int_equal(v.agrees, !strncmp(verdict, "agrees", 6));
}

static void done(struct hd_paper *p)
{
    for (unsigned i = 0; i < p->study.n_runs; i++)
        json_decref(p->study.runs[i].json);
    hd_arena_free(p->arena);
}

#define GAIN "figure = k\npolicy = GTO\nover = LRR\n"

// GTO gains 100, 20 and -20 % on A, B and C; D has no result.
static void fill(struct hd_paper *p)
{
    static const unsigned lrr[] = {2000, 1200, 800}, gto[] = {1000, 1000, 1000};

    for (unsigned i = 0; i < 3; i++) {
        simple(p, i, 0, lrr[i]);
        simple(p, i, 1, gto[i]);
        simple(p, i, 2, 1000 + 500 * i);
    }
}

static void means(void **state)
{
    struct hd_paper p;
    struct hd_diag d;

    (void)state;
    assert_true(read_paper(
        &p,
        "[claim mean]\n" GAIN "apps = all\npercent = 34\n"
        "[claim geo]\n" GAIN "apps = all\npercent = 25\nmean = geometric\n"
        "[claim max]\n" GAIN "apps = all\npercent = 100\nmean = max\nwhich = A\n"
        "[claim elsewhere]\n" GAIN "apps = all\npercent = 100\nmean = max\nwhich = B C AA\n"
        "[claim min]\n" GAIN "apps = all\npercent = -10\nmean = min\nwhich = C\n"
        "[claim many]\n" GAIN "apps = all\nmean = count\nabove = 0\ncount = 2\nis = exactly\n"
        "[claim few]\n" GAIN "apps = all\nmean = count\nbelow = 0\ncount = 8\n"
        "[claim both]\nfigure = k\npolicy = GTO\nover = LRR, PRO\napps = all\nmean = count\n"
        "above = 10\ncount = 1\nis = exactly\n"
        "[claim top]\n" GAIN "apps = all\nmean = top\nwhich = B A\ncount = 2\nis = exactly\n"
        "[claim bottom]\n" GAIN "apps = all\nmean = bottom\nwhich = A\ncount = 1\nis = exactly\n"
        "[claim absent]\n" GAIN "apps = all\nmean = top\nwhich = A D\ncount = 2\n"
        "[claim rises]\nfigure = k\nof = cycles\npolicy = PRO\napps = all\nmean = rises\ncount = "
        "2\n"
        "[claim times]\n" GAIN "apps = A\ntimes = 2.2\n"
        "[claim none]\n" GAIN "apps = D\npercent = 1\n"
        "[claim several]\nfigure = k\npolicy = GTO\nover = LRR, PRO\napps = A\npercent = 50\n",
        &d));
    fill(&p);
    // 1 + .2 - .2 of three is 33.3; without A nothing is left of it.
    expect(&p, "mean", 100.0 / 3, "agrees only by A");
    struct hd_paper_verdict v = evaluate(&p, "mean");
    assert_true(fabs(v.less + 20) < 1e-9 && fabs(v.median - 20) < 1e-9);
    assert_true(fabs(v.geometric - 100 * (cbrt(2 * 1.2 * .8) - 1)) < 1e-9);
    assert_int_equal(v.n, 3);
    assert_int_equal(v.of, 4);
    expect(&p, "geo", 100 * (cbrt(2 * 1.2 * .8) - 1), "agrees only by A");
    expect(&p, "max", 100, "agrees");
    assert_string_equal(evaluate(&p, "max").named, "A");
    expect(&p, "elsewhere", 100, "differs in which");
    expect(&p, "min", -20, "larger");
    expect(&p, "many", 2, "agrees");
    expect(&p, "few", 1, "smaller");
    expect(&p, "both", 1, "agrees"); // over PRO: 0, 50, 100 %; B only is above 10 against both
    expect(&p, "top", 2, "agrees");
    expect(&p, "bottom", 0, "smaller");
    expect(&p, "absent", (double)NAN, "missing");
    expect(&p, "rises", 2, "agrees");
    expect(&p, "times", 2, "agrees");
    expect(&p, "none", (double)NAN, "missing");
    expect(&p, "several", 50, "agrees");
    done(&p);
}

static void relations(void **state)
{
    struct hd_paper p;
    struct hd_diag d;

    (void)state;
    assert_true(
        read_paper(&p,
                   "[claim at-least]\n" GAIN "apps = A\npercent = 90\nis = at least\n"
                   "[claim not-least]\n" GAIN "apps = A\npercent = 101\nis = at least\n"
                   "[claim at-most]\n" GAIN "apps = A\npercent = 100\nis = at most\n"
                   "[claim not-most]\n" GAIN "apps = A\npercent = 99\nis = at most\n"
                   "[claim near]\n" GAIN "apps = B\npercent = 16\n"
                   "[claim far]\n" GAIN "apps = B\npercent = 15\n"
                   "[claim other-way]\n" GAIN "apps = C\npercent = 5\n"
                   "[claim nothing]\n" GAIN "apps = C\npercent = 0\n"
                   "[claim order]\nfigure = k\norder = GTO > PRO > LRR\nover = LRR\napps = A B C\n"
                   "[claim order2]\nfigure = k\norder = LRR > GTO\nover = LRR\napps = A B C\n"
                   "[claim order3]\nfigure = k\norder = LRR > BAWS\nover = LRR\napps = A B C\n"
                   "[claim size]\n" GAIN "apps = A\npercent = 100\nsize = paper\n"
                   "[claim reason]\nuntested = no circuit is modelled\n",
                   &d));
    fill(&p);
    expect(&p, "at-least", 100, "agrees");
    expect(&p, "not-least", 100, "smaller");
    expect(&p, "at-most", 100, "agrees");
    expect(&p, "not-most", 100, "larger");
    expect(&p, "near", 20, "agrees");
    expect(&p, "far", 20, "larger");
    expect(&p, "other-way", -20, "differs");
    expect(&p, "nothing", -20, "differs");
    expect(&p, "order", 2, "agrees"); // GTO 1.33, PRO 1.07, LRR 1
    assert_string_equal(evaluate(&p, "order").named, "GTO 1.333, PRO 1.067, LRR 1");
    expect(&p, "order2", 0, "differs");
    expect(&p, "order3", (double)NAN, "missing");
    expect(&p, "size", (double)NAN, "other size");
    expect(&p, "reason", (double)NAN, "untested");
    done(&p);
}

// What is measured of an application, by one claim each.
static void measures(void **state)
{
    static const struct {
        const char *of;
        unsigned app;
        double value; // under LRR
    } all[] = {{"ipc", 0, 6},
               {"cycles", 0, 2000},
               {"instructions", 1, 12000},
               {"long-share", 1, 2},
               {"stalls", 0, 220},
               {"idle", 0, 200},
               {"scoreboard", 0, 10},
               {"pipeline", 0, 10},
               {"idle-share", 2, 80},
               {"warps", 0, 2},
               {"warps", 2, 6},
               {"resident", 0, 4},
               {"launches", 0, 1},
               {"single-threads", 0, 0},
               {"l1d-miss", 0, (double)NAN},
               {"recalculations", 0, 85},
               {"recalculations-jumps", 0, 82}};
    struct hd_out text = {0};
    struct hd_paper p;
    struct hd_diag d;
    struct hd_arena *a = hd_arena_new();

    (void)state;
    text.arena = a;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        hd_out_printf(&text, "[claim c%u]\nof = %s\npolicy = LRR\napps = %c\nvalue = 1\n", i,
                      all[i].of, 'A' + (int)all[i].app);
    hd_out_printf(&text,
                  "[claim spread]\nof = spread\npolicy = LRR, GTO, PRO\napps = A B C\n"
                  "mean = count\nabove = 90\ncount = 2\n"
                  "[claim spread-one]\nof = spread\npolicy = LRR, BAWS\napps = A\npercent = 3\n");
    assert_true(read_paper(&p, text.text, &d));
    fill(&p);
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        struct hd_paper_verdict v = evaluate(&p, hd_arena_printf(a, "c%u", i));
        if (isnan(all[i].value) ? !isnan(v.ours) : fabs(v.ours - all[i].value) > 1e-6)
            fail_msg("%s of %u: %g", all[i].of, all[i].app, v.ours);
    }
    expect(&p, "spread", 2, "agrees"); // 100, 50, 150 %
    expect(&p, "spread-one", (double)NAN, "missing");
    done(&p);
    hd_arena_free(a);
}

// Kernels are matched with the paper's by the order of their first launches.
static void kernels(void **state)
{
    static const char one[] =
        "{\"kernels\": [{\"name\": \"x\", \"cycles\": 100, \"thread_insts\": 5, \"grid\": [7, 1, "
        "1]},"
        "{\"name\": \"y\", \"cycles\": 50, \"thread_insts\": 5, \"grid\": [8, 1, 1]},"
        "{\"name\": \"x\", \"cycles\": 100, \"thread_insts\": 5, \"grid\": [7, 1, 1]}]}";
    static const char two[] =
        "{\"kernels\": [{\"name\": \"x\", \"cycles\": 50, \"thread_insts\": 5, \"grid\": [7, 1, "
        "1]},"
        "{\"name\": \"y\", \"cycles\": 100, \"thread_insts\": 5, \"grid\": [9, 1, 1]},"
        "{\"name\": \"x\", \"cycles\": 50, \"thread_insts\": 5, \"grid\": [7, 1, 1]}]}";
    struct hd_paper p;
    struct hd_diag d;

    (void)state;
    assert_true(
        read_paper(&p,
                   "[claim max]\n" GAIN "apps = A B\nunit = kernels\nmean = max\npercent = 100\n"
                   "which = ka\n"
                   "[claim min]\n" GAIN "apps = A B\nunit = kernels\nmean = min\npercent = -50\n"
                   "which = kb\n"
                   "[claim blocks]\nunit = kernels\nof = blocks\npolicy = LRR\napps = A\n"
                   "mean = max\nvalue = 8\nis = exactly\n"
                   "[claim cells]\nfigure = k\ncells = all\nis = exactly\n",
                   &d));
    result(&p, 0, 0, false, one);
    result(&p, 0, 1, false, two);
    expect(&p, "max", 100, "agrees");
    expect(&p, "min", -50, "agrees");
    assert_int_equal(evaluate(&p, "max").of, 3);
    expect(&p, "blocks", 8, "agrees");
    expect(&p, "cells", 2, "differs"); // B is missing
    assert_int_equal(evaluate(&p, "cells").of, 3);
    done(&p);
}

// Two blocks at a time on the recorded SM; of block 5, which came first, two warps in two phases.
static const char recorded[] =
    "{\"kernels\": [{\"name\": \"x\", \"cycles\": 100, \"thread_insts\": 5, \"tbs_per_sm\": 2,"
    "\"metrics\": {\"warps\": 2, \"barrier_share\": 0.25, \"exit_share\": 0.5, \"phases\":"
    "[{\"blocks\": 1, \"rtru\": 0.1}, {\"blocks\": 3, \"rtru\": 0.3}]}}],"
    "\"metrics\": {\"order_changes\": 3, \"order\": [], \"blocks\": ["
    "{\"launch\": 0, \"block\": 6, \"sequence\": 1, \"warps\": 2, \"start\": 0, \"end\": 40},"
    "{\"launch\": 0, \"block\": 5, \"sequence\": 0, \"warps\": 2, \"start\": 0, \"end\": 30},"
    "{\"launch\": 0, \"block\": 9, \"sequence\": 2, \"warps\": 2, \"start\": 30, \"end\": 90},"
    "{\"launch\": 1, \"block\": 1, \"sequence\": 3, \"warps\": 2, \"start\": 1, \"end\": 2}],"
    "\"warps\": ["
    "{\"launch\": 0, \"block\": 5, \"phase\": 1, \"warp\": 0, \"start\": 0, \"arrival\": 5, "
    "\"end\": 9},"
    "{\"launch\": 0, \"block\": 5, \"phase\": 1, \"warp\": 1, \"start\": 0, \"arrival\": 9, "
    "\"end\": 9},"
    "{\"launch\": 0, \"block\": 5, \"phase\": 2, \"warp\": 0, \"start\": 9, \"arrival\": 30, "
    "\"end\": 30},"
    "{\"launch\": 0, \"block\": 5, \"phase\": 2, \"warp\": 1, \"start\": 9, \"arrival\": 20, "
    "\"end\": 30},"
    "{\"launch\": 0, \"block\": 6, \"phase\": 3, \"warp\": 0, \"start\": 9, \"arrival\": 20, "
    "\"end\": 30}]}}";

static void metrics(void **state)
{
    static const struct {
        const char *claim;
        double value;
    } all[] = {
        {"of = barrier-share\nvalue = 25\n", 25},
        {"of = waiting-share\nvalue = 75\n", 75},
        {"of = rtru\nvalue = 25\n", 25},
        {"of = sm-blocks\nvalue = 3\n", 3},
        {"of = sm-end\nvalue = 90\n", 90},
        {"of = overlap\nvalue = 11\n", 100 * 10 / 90.0}, // cycles 30 to 40
        {"of = order-changes\nvalue = 3\n", 3},
        {"of = block-warps\nvalue = 2\n", 2},
        {"of = block-phases\nvalue = 2\n", 2},
        {"of = block-phases\nblock = 1\nvalue = 3\n", 3},
        {"of = block-phases\nblock = 2\nvalue = 3\n", (double)NAN},
        {"of = critical-warps\nvalue = 2\n", 2},
        {"unit = blocks\nof = time\nitems = 2\nvalue = 60\n", 60},
        {"unit = blocks\nof = end\nitems = first 2\nmean = max\nvalue = 40\nwhich = 1\n", 40},
        {"unit = blocks\nof = start\nitems = last 1\nvalue = 30\n", 30},
        {"unit = blocks\nof = start\nitems = 7\nvalue = 30\n", (double)NAN},
        {"unit = blocks\nof = end\nmean = rises\ncount = 2\n", 2},
        {"unit = warps\nof = wait\nphase = 2\nmean = max\nvalue = 10\nwhich = 1\n", 10},
        {"unit = warps\nof = arrival\nphase = 1\nmean = min\nvalue = 5\nwhich = 0\n", 5},
    };
    struct hd_out text = {0};
    struct hd_paper p;
    struct hd_diag d;
    struct hd_arena *a = hd_arena_new();
    size_t n = sizeof all / sizeof *all;

    (void)state;
    text.arena = a;
    for (size_t i = 0; i < n; i++)
        hd_out_printf(&text, "[claim c%zu]\npolicy = LRR\napps = A\n%s", i, all[i].claim);
    assert_true(read_paper(&p, text.text, &d));
    result(&p, 0, 0, true, recorded);
    for (size_t i = 0; i < n; i++)
        expect(&p, hd_arena_printf(a, "c%zu", i), all[i].value,
               isnan(all[i].value) ? "missing" : "agrees");
    done(&p);
    hd_arena_free(a);
}

// Of two launches: those of the second, whose kernel a claim or its figure names, from its start.
static void kernels_of_records(void **state)
{
    static const char run[] =
        "{\"kernels\": [{\"name\": \"far\", \"cycles\": 9, \"thread_insts\": 5, \"start_cycle\": "
        "0},"
        "{\"name\": \"near\", \"cycles\": 9, \"thread_insts\": 5, \"start_cycle\": 100}],"
        "\"metrics\": {\"blocks\": [{\"launch\": 0, \"block\": 0, \"sequence\": 0, \"warps\": 8,"
        "\"start\": 0, \"end\": 9}, {\"launch\": 1, \"block\": 0, \"sequence\": 0, \"warps\": 16,"
        "\"start\": 100, \"end\": 140}], \"warps\": [{\"launch\": 1, \"block\": 0, \"phase\": 1,"
        "\"warp\": 0, \"start\": 100, \"arrival\": 105, \"end\": 109}]}}";
    struct hd_paper p;
    struct hd_diag d;

    (void)state;
    assert_true(
        read_paper(&p,
                   "[figure n]\nkind = critical\napps = A\npolicies = LRR\nkernel = near\n"
                   "[claim first]\nof = block-warps\npolicy = LRR\napps = A\nvalue = 8\n"
                   "[claim own]\nof = block-warps\npolicy = LRR\napps = A\nvalue = 16\n"
                   "kernel = near\n"
                   "[claim end]\nfigure = n\nunit = blocks\nof = end\npolicy = LRR\napps = A\n"
                   "value = 40\n"
                   "[claim arrival]\nfigure = n\nunit = warps\nof = arrival\nblock = 0\n"
                   "policy = LRR\napps = A\nvalue = 5\n"
                   "[claim none]\nof = block-warps\npolicy = LRR\napps = A\nvalue = 16\n"
                   "kernel = nowhere\n",
                   &d));
    assert_string_equal(p.apps[0].kernels, "near"); // of all that show warps
    result(&p, 0, 0, true, run);
    expect(&p, "first", 8, "agrees");
    expect(&p, "own", 16, "agrees");
    expect(&p, "end", 40, "agrees");
    expect(&p, "arrival", 5, "agrees");
    expect(&p, "none", (double)NAN, "missing");
    done(&p);
    assert_true(read_paper(&p,
                           "[figure n]\nkind = critical\napps = A\npolicies = LRR\nkernel = near\n"
                           "[figure o]\nkind = phases\napps = A\npolicies = LRR\nkernel = far\n",
                           &d));
    assert_string_equal(p.apps[0].kernels, "near,far");
    done(&p);
    assert_true(read_paper(&p,
                           "[figure n]\nkind = critical\napps = A\npolicies = LRR\nkernel = near\n"
                           "[figure o]\nkind = phases\napps = A\npolicies = LRR\n",
                           &d));
    assert_null(p.apps[0].kernels); // one needs the first launch, whatever its kernel is
    done(&p);
}

// Storage is the policy's and the machine's: it changes with either.
static void formulas(void **state)
{
    static const struct {
        const char *formula;
        double value;
    } all[] = {
        {"sm.warps", 48},
        {"2*24*bits-per-warp:LFWS", 48},
        {"sm.sms*bits:LFWS", 720},
        {"bits:PRO/8", 240},
        {"4*sm.warps + 4*sm.tbs + sm.tbs + sm.tbs", 240},
        {"bits:BAWS/8", 7.5}, // with the last warp of two schedulers
        {"sm.tbs*width(sm.warps)/8", 6},
        {"width(63)", 6},
        {"width(64)", 7},
        {"PRO:threshold", 500},
        {"2 * 3 + 8 / 4", 8},
    };
    static const char *const wrong[] = {"sm.warp", "2**3",        "bits:NOPE", "PRO:nope", "",
                                        "1/0",     "width(sm.x)", "12monkeys", "LRR:",     "1+"};
    struct hd_paper p;
    struct hd_diag d;

    (void)state;
    assert_true(read_paper(&p, "[claim c]\nformula = bits:LFWS\nvalue = 48\nis = exactly\n", &d));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        double v = 0;
        assert_true(hd_paperformula_value(&p, p.claims[0].section, all[i].formula, &v, &d));
        if (fabs(v - all[i].value) > 1e-9)
            fail_msg("%s: %g", all[i].formula, v);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double v = 0;
        d = (struct hd_diag){0};
        if (hd_paperformula_value(&p, p.claims[0].section, wrong[i], &v, &d) || d.n != 1)
            fail_msg("%s: %g with %u diagnostics", wrong[i], v, d.n);
    }
    expect(&p, "c", 48, "agrees");
    p.config.sm.warps = 64;
    expect(&p, "c", 64, "larger");
    done(&p);
}

static void figures(void **state)
{
    struct hd_paper p;
    struct hd_diag d = {0};

    (void)state;
    assert_true(
        read_paper(&p,
                   "[claim row]\nfigure = toy\nrow = SRR\nof = stalls\nvalue = 21\nis = exactly\n"
                   "[claim less]\nfigure = toy\nrow = SRR\nminus = LFWS\nof = cycles\nvalue = 8\n"
                   "is = exactly\n"
                   "[claim no-row]\nfigure = toy\nrow = GTO\nof = cycles\nvalue = 8\n"
                   "[claim cells]\nfigure = m\ncells = all\nis = exactly\n"
                   "[claim issues]\nfigure = toy\nrow = LFWS\nof = issues\nitems = 1-4\n"
                   "which = 1 3 5 2\nvalue = 3\nis = exactly\n",
                   &d));
    expect(&p, "issues", 3, "agrees"); // 1, 3, 5 and 6
    expect(&p, "row", 21, "agrees");
    expect(&p, "less", 8, "agrees");
    expect(&p, "no-row", (double)NAN, "missing");
    expect(&p, "cells", 1, "differs"); // 48 warps, but 8 blocks instead of 9
    done(&p);
}

#define PLUS "[policy PLUS]\nspec = elf\nfetch = rr\nset = l1i.prefetch=16 requeue.entries=32\n"
#define SWEEP                                                                                      \
    "[figure s]\nkind = sweep\npolicy = PLUS\nbase = LRR\napps = three\nkey = points.slots\n"      \
    "values = 16 0\nrow.1 = 16 | 20\n"
#define MOVED                                                                                      \
    "[figure v]\nkind = ipc\ngpu = elf-48k\npolicies = PLUS, GTO\nbase = GTO\napps = three\n"

static unsigned named(const struct hd_paper *p, const char *figure, const char *label)
{
    struct hd_paper_section s = {.kind = "figure", .name = figure};
    unsigned at = 99;

    return hd_paper_policy_named(p, &s, label, &at) ? at : 99;
}

// Policies with machines of their own, and those that figures make of them.
static void policies(void **state)
{
    struct hd_paper p;
    struct hd_diag d = {0};

    (void)state;
    assert_true(read_paper(&p, PLUS SWEEP MOVED, &d));
    const unsigned plus = named(&p, "none", "PLUS"), gto = named(&p, "none", "GTO");
    const struct hd_paper_policy *at = &p.policies[plus];
    assert_int_equal(plus, 5);
    assert_string_equal(hd_paperpolicies_words(&p, plus),
                        "elf --fetch rr --set l1i.prefetch=16 --set requeue.entries=32");
    assert_true(hd_paperpolicies_own(at) && !hd_paperpolicies_own(&p.policies[gto]));
    assert_int_equal(p.n_policies, 10); // six of the file, two values, two on a machine
    assert_int_equal(named(&p, "none", "PLUS@16"), 99);
    assert_int_equal(named(&p, "v", "PLUS@16"), 99);
    at = &p.policies[named(&p, "s", "PLUS@16")];
    assert_int_equal(at->base, plus);
    assert_string_equal(at->value, "points.slots=16");
    assert_int_equal(at->n_sets, 2);
    assert_int_equal(named(&p, "s", "GTO"), gto); // only its own machine makes it another one
    at = &p.policies[named(&p, "v", "GTO")];
    assert_int_equal(at->base, gto);
    assert_string_equal(at->gpu, "elf-48k");
    // A formula has the machine of the policy's runs.
    struct hd_paper_machine own = {.config = p.config};
    own.config.sm.warps = 12;
    p.policies[plus].machine = &own;
    double v = 0;
    assert_true(hd_paperformula_value(&p, hd_paper_section(&p, "figure", 0),
                                      "PLUS:sm.warps+GTO:sm.warps", &v, &d));
    assert_true(fabs(v - 60) < 1e-9);
    done(&p);
}

static void figure_result(struct hd_paper *p, const char *figure, const char *label,
                          const unsigned cycles[3])
{
    for (unsigned i = 0; i < 3; i++)
        simple(p, i, named(p, figure, label), cycles[i]);
}

// A claim means the policies of its figure; a sum is one of other claims' numbers.
static void sums(void **state)
{
    static const unsigned some[] = {1000, 1000, 1000}, more[] = {800, 800, 800};
    struct hd_paper p;
    struct hd_diag d;

    (void)state;
    assert_true(read_paper(
        &p,
        PLUS SWEEP MOVED
        "[claim few]\nfigure = s\npolicy = PLUS@16\nover = GTO\napps = three\nmean = geometric\n"
        "percent = 20\n"
        "[claim all]\nfigure = s\npolicy = PLUS@0\nover = PLUS@16\napps = A\npercent = 25\n"
        "[claim own]\nfigure = v\npolicy = PLUS\nover = GTO\napps = A\npercent = -20\n"
        "[claim order]\nfigure = s\norder = PLUS@0 > PLUS@16\napps = three\n"
        "[claim sum]\nsum = all - own + few\npercent = 45.3\n"
        "[claim one-out]\nsum = all - lost\npercent = 1\n"
        "[claim lost]\nfigure = s\npolicy = PLUS@0\nover = GTO\napps = D\npercent = 1\n",
        &d));
    fill(&p);
    figure_result(&p, "s", "PLUS@16", some);
    figure_result(&p, "s", "PLUS@0", more);
    figure_result(&p, "v", "GTO", more);
    figure_result(&p, "v", "PLUS", some);
    expect(&p, "few", 0, "differs");
    expect(&p, "all", 25, "agrees");
    expect(&p, "own", -20, "agrees");
    expect(&p, "order", 1, "agrees");
    expect(&p, "sum", 45, "agrees");
    expect(&p, "one-out", (double)NAN, "missing");
    done(&p);
}

#define ELF_RUN                                                                                    \
    "{\"kernels\": [{\"name\": \"k\", \"cycles\": 50, \"thread_insts\": 9, \"stalls\": "           \
    "{\"issued\": 40, \"idle\": 30, \"scoreboard\": 20, \"pipeline\": 10, \"inactive\": 900}, "    \
    "\"stalls_elf\": {\"memory_conflict\": 27, \"memory_dependency\": 18, \"fetch\": 6, "          \
    "\"other\": 9}, \"metrics\": {\"stalls_elf_head\": {\"fetch\": 50}, \"stalls_elf_share\": "    \
    "{\"fetch\": 5.5}}, \"points\": {\"before\": 40, \"after\": 32}}, {\"name\": \"other\", "      \
    "\"cycles\": 1, \"thread_insts\": 1, \"points\": null}]}"

// Classes of stall cycles without those of empty SMs, program points, cells of both kinds of table.
static void elf(void **state)
{
    struct hd_paper p;
    struct hd_diag d;

    (void)state;
    assert_true(read_paper(
        &p,
        "[app E]\nkernel.1 = lost | | 7 | nowhere\nkernel.2 = there | | 40 | k\n"
        "[figure p]\nkind = points\napps = E\npolicy = LRR\n"
        "[figure b]\nkind = storage\nrow.1 = a | 32*8+45 | 32 | 301 | 32 | 1.18\n"
        "row.2 = b | bits-per-warp:LFWS | sm.warps | 1 | 48 | 0.01\nvalues = 1.18\n"
        "[claim c]\nof = conflict\npolicy = LRR\napps = E\npercent = 27\n"
        "[claim o]\nof = other\npolicy = LRR\napps = E\npercent = 9\n"
        "[claim h]\nof = fetch-head\npolicy = LRR\napps = E\npercent = 50\n"
        "[claim s]\nof = fetch-share\npolicy = LRR\napps = E\npercent = 5.5\n"
        "[claim points]\nof = points\nunit = kernels\npolicy = LRR\napps = E\nmean = max\n"
        "which = there\nvalue = 40\nis = exactly\n"
        "[claim pcells]\nfigure = p\ncells = all\nis = exactly\n"
        "[claim bcells]\nfigure = b\ncells = all\nis = exactly\n",
        &d));
    result(&p, 4, 0, false, ELF_RUN);
    result(&p, 4, 0, true, ELF_RUN);
    expect(&p, "c", 27, "agrees");
    expect(&p, "o", 9, "agrees");
    expect(&p, "h", 50, "agrees");
    expect(&p, "s", 5.5, "agrees");
    expect(&p, "points", 40, "agrees");
    expect(&p, "pcells", 1, "differs"); // the other kernel is not there
    expect(&p, "bcells", 7, "agrees");
    done(&p);
}

// Other results than p's own: a copy with another table of runs.
static void other_results(void **state)
{
    struct hd_paper p;
    struct hd_diag d;

    (void)state;
    assert_true(read_paper(&p, "[claim c]\n" GAIN "apps = A\npercent = 50\n", &d));
    simple(&p, 0, 0, 3000);
    simple(&p, 0, 1, 2000);
    struct hd_paper copy = p;
    copy.run_of = hd_paperclaims_table(&p);
    assert_true(hd_paperclaims_plan(&copy, &p.claims[0], &d));
    assert_int_equal(copy.study.n_runs, 4);
    expect(&copy, "c", (double)NAN, "missing");
    for (unsigned i = 2; i < 4; i++) { // what a study would do
        copy.study.runs[i] = copy.study.runs[i - 2];
        json_incref(copy.study.runs[i].json);
    }
    copy.study.runs[2].json = json_incref(copy.study.runs[1].json);
    copy.study.runs[2].digest = copy.study.runs[1].digest;
    json_decref(copy.study.runs[0].json);
    expect(&copy, "c", 0, "differs");
    p.study = copy.study;
    p.runs_cap = copy.runs_cap;
    expect(&p, "c", 50, "agrees");
    done(&p);
}

static void refusals(void **state)
{
    static const struct {
        const char *claim, *says;
    } all[] = {
        {"figure = nope\n", "there is no [figure nope]"},
        {"of = ipc\napps = A\npolicy = LRR\n", "what the paper has is missing"},
        {"apps = A\npolicy = LRR\nvalue = 1\npercent = 1\n", "only one of percent"},
        {"apps = A\npolicy = LRR\nvalue = one\n", "value 'one' is no number"},
        {"apps = A\npolicy = LRR\nvalue = nan\n", "value 'nan' is no number"},
        {"apps = A\npolicy = LRR\nvalue = 1e999\n", "is no number"},
        {"apps = A\npolicy = LRR\nvalue = 1 2\n", "is no number"},
        {"apps = A\npolicy = LRR\ntimes = 2\n", "times needs a key 'over'"},
        {"apps = A\npolicy = LRR\nof = ipcs\nvalue = 1\n", "there is no measure 'ipcs'"},
        {"apps = A\npolicy = LRR\nunit = blocks\nof = ipc\nvalue = 1\n",
         "there is no measure 'ipc'"},
        {"apps = A\npolicy = LRR\nmean = middle\nvalue = 1\n", "there is no mean 'middle'"},
        {"apps = A\npolicy = LRR\nis = near\nvalue = 1\n", "there is no is 'near'"},
        {"apps = A\npolicy = LRR\nsize = huge\nvalue = 1\n", "there is no size 'huge'"},
        {"apps = A\npolicy = LRR\nmean = count\ncount = 1\n", "needs above or below"},
        {"apps = A\npolicy = LRR\nmean = count\nabove = 1\nbelow = 2\ncount = 1\n",
         "needs above or below"},
        {"apps = A\npolicy = LRR\nabove = 1\nvalue = 1\n", "belong to mean = count"},
        {"apps = A\npolicy = LRR\ncount = 1\n", "count belongs to the means"},
        {"apps = A\npolicy = LRR\nmean = count\nabove = 1\nvalue = 1\n",
         "count belongs to the means"},
        {"apps = A\npolicy = LRR\nmean = top\ncount = 1\n", "need a key 'which'"},
        {"apps = A\npolicy = LRR, GTO\nvalue = 1\n", "more than one policy"},
        {"apps = A\npolicy = LRR, GTO\nof = spread\nover = GTO\npercent = 1\n",
         "takes no key 'over'"},
        {"apps = A B\npolicy = LRR\nunit = blocks\nof = time\nvalue = 1\n", "take one application"},
        {"apps = A\npolicy = LRR\nunit = blocks\nof = time\nitems = 3-1\nvalue = 1\n",
         "items '3-1'"},
        {"apps = A\npolicy = LRR\nunit = blocks\nof = time\nitems = last 0\nvalue = 1\n", "items"},
        {"apps = A\npolicy = LRR\nunit = blocks\nof = time\nitems = 0-99999999999999999999\nvalue "
         "= 1\n",
         "items"},
        {"apps = A\npolicy = LRR\nunit = warps\nof = wait\nphase = -1\nvalue = 1\n",
         "phase must be"},
        {"apps = A\npolicy = LRR\nunit = warps\nof = wait\nblock = 1.5\nvalue = 1\n",
         "block must be"},
        {"apps = A\norder = LRR\n", "an order needs two policies"},
        {"apps = A\norder = LRR > NOPE\n", "there is no policy 'NOPE'"},
        {"apps = A\norder = LRR > GTO\nmean = max\n", "an order is one of means"},
        {"row = SRR\nof = cycles\nvalue = 1\n", "a row needs a figure of kind toy"},
        {"figure = toy\nrow = SRR\nof = ipc\nvalue = 1\n",
         "of a row there are cycles, stalls and issues"},
        {"figure = toy\nrow = SRR\nof = issues\nvalue = 1\n", "of = issues needs the keys"},
        {"cells = all\n", "cells needs a figure"},
        {"untested =\n", "untested needs a reason"},
        {"apps = Z\npolicy = LRR\nvalue = 1\n", "there is no application 'Z'"},
        {"colour = red\n", "has no key 'colour'"},
        {"sum = c\npercent = 1\n", "no claim that measures"},
        {"sum = d + e\npercent = 1\n", "there is no claim 'd'"},
        {"sum =\npercent = 1\n", "a sum needs two claims"},
        {"percent = 1\napps = A\npolicy = LRR@4\n", "there is no policy 'LRR@4'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct hd_paper p;
        struct hd_diag d;
        char text[300];
        snprintf(text, sizeof text, "[claim c]\n%s", all[i].claim);
        bool good = read_paper(&p, text, &d);
        if (good || d.n != 1 || !strstr(d.entries[0].text, all[i].says))
            fail_msg("%s: %s", all[i].claim, d.n ? d.entries[0].text : "accepted");
        assert_true(d.entries[0].line > 20);
        done(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means),         cmocka_unit_test(relations),
        cmocka_unit_test(measures),      cmocka_unit_test(kernels),
        cmocka_unit_test(metrics),       cmocka_unit_test(kernels_of_records),
        cmocka_unit_test(formulas),      cmocka_unit_test(figures),
        cmocka_unit_test(other_results), cmocka_unit_test(refusals),
        cmocka_unit_test(policies),      cmocka_unit_test(sums),
        cmocka_unit_test(elf),
    };
    char papers[sizeof folder + 20];

    if (!mkdtemp(folder))
        return 1;
    snprintf(papers, sizeof papers, "%s/papers", folder);
    if (mkdir(papers, 0700) || setenv("HEDDLE_DATA", folder, 1))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    strcat(papers, "/x.ini");
    unlink(papers);
    papers[strlen(papers) - 6] = '\0';
    rmdir(papers);
    rmdir(folder);
    return failed;
}
