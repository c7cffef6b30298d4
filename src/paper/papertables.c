// papertables.c - figures that are tables: a worked example, the machine, the inputs, the mix of
// instructions.
#include "paper/paperclaims.h"

#include "toy/toy.h"
#include "workload/work.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool plan_nothing(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    (void)p, (void)f, (void)d;
    return true;
}

static bool is_row(const struct hd_paper_pair *pair)
{
    return !strncmp(pair->key, "row.", 4);
}

// "22 M", "744 K", "1 G" as a number; NAN if it is none.
static double scaled(const char *text)
{
    char *end;
    double v = strtod(text, &end);

    while (*end == ' ')
        end++;
    if (end == text)
        return (double)NAN;
    return *end == 'K' ? v * 1e3 : *end == 'M' ? v * 1e6 : *end == 'G' ? v * 1e9 : v;
}

static const char *difference(struct hd_arena *a, uint64_t ours, const char *paper)
{
    if (!*paper) // it prints none
        return NULL;
    int64_t diff = (int64_t)ours - strtoll(paper, NULL, 10);

    return diff ? hd_arena_printf(a, "%+" PRId64, diff) : "0";
}

// row = label | policy | finish | stalls
static bool show_toy(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"SCHEDULER", "POLICY", "CYCLES", "PAPER",
                                        "DIFF",      "STALLS", "PAPER",  "DIFF"};
    const char *name = hd_paper_need(p, f, "toy", d);
    struct hd_toy *toy = name ? hd_toy_load(p->arena, name, d) : NULL;
    struct hd_sheet *s = toy ? hd_paper_sheet(p, f, "", "", "ll rrr rrr") : NULL;

    for (size_t i = 0; s && i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (size_t i = 0; s && i < f->n; i++) {
        struct hd_toy_options o = {0};
        struct hd_toy_result r;
        const char *value = f->pairs[i].value, *spec = hd_paper_field(p->arena, value, 1);
        if (!is_row(&f->pairs[i]))
            continue;
        if (!hd_registry_parse_slot(p->arena, HD_SLOT_SCHED, spec, &o.sched, d))
            return false;
        hd_toy_run(p->arena, toy, &o, &r);
        hd_sheet_add(s, hd_paper_field(p->arena, value, 0));
        hd_sheet_add(s, spec);
        hd_sheet_addf(s, "%" PRIu64, r.finish);
        hd_sheet_add(s, hd_paper_field(p->arena, value, 2));
        hd_sheet_add(s, difference(p->arena, r.finish, hd_paper_field(p->arena, value, 2)));
        hd_sheet_addf(s, "%" PRIu64, r.stalls);
        hd_sheet_add(s, hd_paper_field(p->arena, value, 3));
        hd_sheet_add(s, difference(p->arena, r.stalls, hd_paper_field(p->arena, value, 3)));
    }
    return s != NULL;
}

// A number with all its digits if it is a whole one.
static const char *plain(struct hd_arena *a, double v)
{
    return hd_arena_printf(a, v == floor(v) && fabs(v) < 1e15 ? "%.0f" : "%g", v);
}

// row = label | keys | value as in the paper | value
static bool show_machine(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"PARAMETER", "KEY", "OURS", "PAPER", "DIFF"};
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "llrrr");

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (size_t i = 0; i < f->n; i++) {
        const char *value = f->pairs[i].value, *keys = hd_paper_field(p->arena, value, 1);
        double ours;
        if (!is_row(&f->pairs[i]))
            continue;
        if (!hd_paperformula_value(p, f, keys, &ours, d))
            return false;
        hd_sheet_add(s, hd_paper_field(p->arena, value, 0));
        hd_sheet_add(s, keys);
        hd_sheet_add(s, plain(p->arena, ours));
        hd_sheet_add(s, hd_paper_field(p->arena, value, 2));
        hd_sheet_add(s, difference(p->arena, (uint64_t)ours, hd_paper_field(p->arena, value, 3)));
    }
    return true;
}

static bool machine_cells(struct hd_paper *p, const struct hd_paper_section *f,
                          struct hd_paper_cells *out, struct hd_diag *d)
{
    for (size_t i = 0; i < f->n; i++) {
        const char *value = f->pairs[i].value;
        double ours;
        if (!is_row(&f->pairs[i]))
            continue;
        if (!hd_paperformula_value(p, f, hd_paper_field(p->arena, value, 1), &ours, d))
            return false;
        hd_paper_cell(out, ours, scaled(hd_paper_field(p->arena, value, 3)));
    }
    return true;
}

#define MOST_NUMBERS 8

// The numbers in a text: "5,120*512" has two. One before a colon belongs to a name, as in
// "Array 1: 300,000".
static unsigned numbers_in(const char *text, double numbers[MOST_NUMBERS])
{
    unsigned n = 0;

    while (text && *text && n < MOST_NUMBERS) {
        double v = 0;
        if (!isdigit((unsigned char)*text)) {
            text++;
            continue;
        }
        for (; isdigit((unsigned char)*text) || (*text == ',' && isdigit((unsigned char)text[1]));
             text++)
            if (*text != ',')
                v = 10 * v + (*text - '0');
        if (*text != ':')
            numbers[n++] = v;
    }
    return n;
}

struct inputs { // the numbers that both texts have
    unsigned n;
    double paper[MOST_NUMBERS], ours[MOST_NUMBERS];
};

// Those of the paper's input, and of ours if it is to be as large.
static struct inputs inputs_of(const struct hd_paper_app *app)
{
    const struct hd_workload *w = app->work->item.workload;
    struct inputs in = {0};
    unsigned paper = numbers_in(hd_paper_text(app->section, "input-size"), in.paper);

    in.n = numbers_in(app->word && w ? w->sizes[HD_WORK_PAPER] : NULL, in.ours);
    in.n = in.n < paper ? in.n : paper;
    return in;
}

static const char *ratios_of(struct hd_arena *a, const struct inputs *in)
{
    const char *text = NULL;
    bool same = true;

    for (unsigned i = 0; i < in->n; i++) {
        same = same && in->ours[i] == in->paper[i];
        text = hd_arena_printf(a, "%s%sx %.3g", text ? text : "", text ? ", " : "",
                               in->ours[i] / in->paper[i]);
    }
    return text && same ? "same" : text;
}

// What each size of an application's input is, beside the paper's words.
static bool show_inputs(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"APP", "INPUT", "PAPER", "OURS", "OF SIZE PAPER", "RATIO"};
    struct hd_paper_list apps;

    if (!hd_paper_apps(p, f, "apps", &apps, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "llllll");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (unsigned i = 0; i < apps.n; i++) {
        const struct hd_paper_app *app = &p->apps[apps.items[i]];
        const struct hd_workloads_item *item = &app->work->item;
        hd_sheet_add(s, app->label);
        hd_sheet_add(s, hd_paper_text(app->section, "input"));
        hd_sheet_add(s, hd_paper_text(app->section, "input-size"));
        hd_sheet_add(s, !app->word        ? "missing"
                        : !item->workload ? NULL
                                          : item->workload->sizes[item->size]);
        hd_sheet_add(s, app->word && item->workload ? item->workload->sizes[HD_WORK_PAPER] : NULL);
        struct inputs in = inputs_of(app);
        hd_sheet_add(s, ratios_of(p->arena, &in));
    }
    hd_sheet_note(s, "RATIO: the numbers of size paper over the paper's, in their order.");
    return true;
}

static bool inputs_cells(struct hd_paper *p, const struct hd_paper_section *f,
                         struct hd_paper_cells *out, struct hd_diag *d)
{
    struct hd_paper_list apps;

    if (!hd_paper_apps(p, f, "apps", &apps, d))
        return false;
    for (unsigned i = 0; i < apps.n; i++) {
        struct inputs in = inputs_of(&p->apps[apps.items[i]]);
        for (unsigned k = 0; k < in.n; k++)
            hd_paper_cell(out, in.ours[k], in.paper[k]);
    }
    return true;
}

static bool plan_mix(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct hd_paper_list apps, policies;

    if (!hd_paper_apps(p, f, "apps", &apps, d) || !hd_paper_policies(p, f, "policy", &policies, d))
        return false;
    for (unsigned i = 0; i < apps.n; i++)
        hd_paper_ask(p, apps.items[i], policies.items[0], HD_PAPER_PLAIN);
    return true;
}

// The same with three digits that matter.
static const char *as_scaled(struct hd_arena *a, double v)
{
    static const char units[] = " KMG";
    unsigned u = 0;

    while (v >= 999.5 && u < 3) {
        v /= 1000;
        u++;
    }
    return u ? hd_arena_printf(a, "%.*f %c",
                               v < 9.995   ? 2
                               : v < 99.95 ? 1
                                           : 0,
                               v, units[u])
             : hd_arena_printf(a, "%.0f", v);
}

static void add_ratio(struct hd_sheet *s, double ours, double paper)
{
    if (isfinite(paper) && paper > 0)
        hd_sheet_addf(s, "x %.3g", ours / paper);
    else
        hd_sheet_add(s, NULL);
}

static void add_mix(struct hd_paper *p, struct hd_sheet *s, unsigned app, unsigned policy)
{
    const struct hd_paper_section *of = p->apps[app].section;
    struct hd_paper_sums sums = hd_paper_sum(p, app, policy, HD_PAPER_PLAIN);
    const char *insts = hd_paper_text(of, "instructions"), *many = hd_paper_text(of, "long");
    const char *percent = hd_paper_text(of, "percent");
    double share = sums.good ? 100 * sums.long_insts / sums.insts : (double)NAN,
           paper = (double)NAN;

    hd_sheet_add(s, p->apps[app].label);
    hd_sheet_add(s, sums.good ? p->apps[app].word : hd_paper_why(p, app, policy, HD_PAPER_PLAIN));
    hd_sheet_add(s, sums.good ? as_scaled(p->arena, sums.insts) : NULL);
    hd_sheet_add(s, insts);
    if (sums.good && insts)
        add_ratio(s, sums.insts, scaled(insts));
    else
        hd_sheet_add(s, NULL);
    hd_sheet_add(s, sums.good ? hd_out_count(p->arena, (uint64_t)sums.long_insts) : NULL);
    hd_sheet_add(s, many ? hd_out_count(p->arena, strtoull(many, NULL, 10)) : NULL);
    if (sums.good && many)
        add_ratio(s, sums.long_insts, scaled(many));
    else
        hd_sheet_add(s, NULL);
    hd_sheet_add(s, sums.good ? hd_arena_printf(p->arena, "%.2f", share) : NULL);
    hd_sheet_add(s, percent);
    if (sums.good && hd_paper_number(of, "percent", &paper))
        hd_sheet_addf(s, "%+.2f", share - paper);
    else
        hd_sheet_add(s, NULL);
}

static bool show_mix(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"APP",   "WORKLOAD", "INSTR", "PAPER", "RATIO", "LONG",
                                        "PAPER", "RATIO",    "%",     "PAPER", "DIFF"};
    struct hd_paper_list apps, policies;

    if (!hd_paper_apps(p, f, "apps", &apps, d) || !hd_paper_policies(p, f, "policy", &policies, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "ll rrr rrr rrr");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (unsigned i = 0; i < apps.n; i++)
        add_mix(p, s, apps.items[i], policies.items[0]);
    if (strcmp(p->size, "paper") != 0)
        hd_sheet_note(s,
                      hd_arena_printf(p->arena,
                                      "Inputs are of size %s, not the paper's: the shares of long "
                                      "operations can be compared, the counts cannot.",
                                      p->size));
    for (unsigned i = 0; i < apps.n; i++) {
        const struct hd_paper_app *app = &p->apps[apps.items[i]];
        const char *note = hd_paper_text(app->section, "note");
        if (note)
            hd_sheet_note(s, hd_arena_printf(p->arena, "%s: %s.", app->label, note));
    }
    return true;
}

// Instructions, long operations and the share of these, of each application.
static bool mix_cells(struct hd_paper *p, const struct hd_paper_section *f,
                      struct hd_paper_cells *out, struct hd_diag *d)
{
    struct hd_paper_list apps, policies;

    if (!hd_paper_apps(p, f, "apps", &apps, d) || !hd_paper_policies(p, f, "policy", &policies, d))
        return false;
    for (unsigned i = 0; i < apps.n; i++) {
        static const char *const keys[] = {"instructions", "long", "percent"};
        struct hd_paper_sums sums =
            hd_paper_sum(p, apps.items[i], policies.items[0], HD_PAPER_PLAIN);
        const double ours[] = {sums.insts, sums.long_insts, 100 * sums.long_insts / sums.insts};
        bool shares_only = strcmp(p->size, "paper") != 0;
        for (int k = shares_only ? 2 : 0; k < 3; k++) {
            const char *printed = hd_paper_text(p->apps[apps.items[i]].section, keys[k]);
            hd_paper_cell(out, sums.good ? ours[k] : (double)NAN,
                          printed ? scaled(printed) : (double)NAN);
        }
    }
    return true;
}

const struct hd_paper_kind hd_papertables_kinds[] = {
    {"toy", plan_nothing, show_toy, NULL},
    {"machine", plan_nothing, show_machine, machine_cells},
    {"inputs", plan_nothing, show_inputs, inputs_cells},
    {"mix", plan_mix, show_mix, mix_cells},
    {NULL, NULL, NULL, NULL}};
