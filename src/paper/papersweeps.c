// papersweeps.c - figures of ELF: classes of stall cycles, program points, a measure by
// application, a mean by the values of a key, and storage. See paper.h.
#include "paper/paperclaims.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct grid { // applications under policies
    struct hd_paper_list apps, policies;
};

static bool read_grid(const struct hd_paper *p, const struct hd_paper_section *f, struct grid *g,
                      struct hd_diag *d)
{
    return hd_paper_apps(p, f, "apps", &g->apps, d) &&
           hd_paper_policies(p, f, "policies", &g->policies, d);
}

static void ask_all(struct hd_paper *p, const struct grid *g, enum hd_paper_with with)
{
    for (unsigned i = 0; i < g->apps.n; i++)
        for (unsigned k = 0; k < g->policies.n; k++)
            hd_paper_ask(p, g->apps.items[i], g->policies.items[k], with);
}

static const char *label_of(const struct hd_paper *p, const struct hd_paper_list *of, unsigned i)
{
    return p->policies[of->items[i]].label;
}

// A cell with a number, or with the reason why there is none.
__attribute__((format(printf, 4, 5))) static void
add_known(struct hd_sheet *s, double v, const char *why, const char *format, ...)
{
    char text[64];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    hd_sheet_add(s, isnan(v) ? why : hd_arena_strdup(s->arena, text));
}

static bool is_row(const struct hd_paper_pair *pair)
{
    return !strncmp(pair->key, "row.", 4);
}

// The paper's number for a row: row = NAME | NUMBER. "": it prints none.
static const char *printed(const struct hd_paper *p, const struct hd_paper_section *f,
                           const char *name)
{
    for (size_t i = 0; i < f->n; i++)
        if (is_row(&f->pairs[i]) && !strcmp(hd_paper_field(p->arena, f->pairs[i].value, 0), name))
            return hd_paper_field(p->arena, f->pairs[i].value, 1);
    return "";
}

// classes: rules = first, head, share

static const char *const rule_names[HD_PAPER_RULES] = {"first", "head", "share"};
static const char *const rule_words[HD_PAPER_RULES] = {
    "each cycle counts for the first of the classes that a live warp is in",
    ("each cycle counts for the class of the first warp in the policy's order that is alive and "
     "does not wait"),
    "each cycle is divided evenly among the live warps"};

static bool read_rules(const struct hd_paper *p, const struct hd_paper_section *f,
                       bool rules[HD_PAPER_RULES], struct hd_diag *d)
{
    const char *text = hd_paper_text(f, "rules");
    bool any = false;

    memset(rules, 0, HD_PAPER_RULES * sizeof *rules);
    rules[HD_PAPER_FIRST] = !text;
    for (; text && *(text += strspn(text, ", ")); text += strcspn(text, ", ")) {
        const char *word = hd_arena_strndup(p->arena, text, strcspn(text, ", "));
        unsigned r = 0;
        while (r < HD_PAPER_RULES && strcmp(rule_names[r], word) != 0)
            r++;
        if (r == HD_PAPER_RULES) {
            hd_diag_hint(hd_diag_add(d, p->path, f->line, 0,
                                     "[figure %s]: there is no rule '%.60s'", f->name, word),
                         "expected some of first, head, share");
            return false;
        }
        rules[r] = any = true;
    }
    if (hd_paper_text(f, "rules") && !any)
        hd_diag_add(d, p->path, f->line, 0, "[figure %s]: rules is empty", f->name);
    return any || !hd_paper_text(f, "rules");
}

static bool plan_classes(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    bool rules[HD_PAPER_RULES];
    struct grid g;

    if (!read_grid(p, f, &g, d) || !read_rules(p, f, rules, d))
        return false;
    if (rules[HD_PAPER_FIRST])
        ask_all(p, &g, HD_PAPER_PLAIN);
    if (rules[HD_PAPER_HEAD] || rules[HD_PAPER_SHARE])
        ask_all(p, &g, HD_PAPER_METRICS);
    return true;
}

struct class_sums {
    double sums[HD_PAPER_CLASSES];
    unsigned n;
};

static void add_class_means(struct hd_paper *p, const struct hd_paper_section *f,
                            struct hd_sheet *s, const struct grid *g, const struct class_sums *m)
{
    for (unsigned k = 0; k < g->policies.n; k++) {
        hd_sheet_add(s, k ? NULL : hd_arena_printf(p->arena, "mean of %u", m[k].n));
        hd_sheet_add(s, label_of(p, &g->policies, k));
        for (unsigned c = 0; c < HD_PAPER_CLASSES; c++)
            add_known(s, m[k].n ? m[k].sums[c] / m[k].n : (double)NAN, NULL, "%.1f",
                      m[k].n ? m[k].sums[c] / m[k].n : (double)NAN);
    }
    for (size_t i = 0; i < f->n; i++) {
        if (!is_row(&f->pairs[i]))
            continue;
        hd_sheet_add(s, "paper's mean");
        hd_sheet_add(s, hd_paper_field(p->arena, f->pairs[i].value, 0));
        for (unsigned c = 0; c < HD_PAPER_CLASSES; c++)
            hd_sheet_add(s, hd_paper_field(p->arena, f->pairs[i].value, c + 1));
    }
}

static void show_rule(struct hd_paper *p, const struct hd_paper_section *f, const struct grid *g,
                      unsigned rule, bool only)
{
    static const char *const heads[] = {"APP",        "POLICY", "CONFLICT",
                                        "DEPENDENCY", "FETCH",  "OTHER"};
    const enum hd_paper_with with = rule == HD_PAPER_FIRST ? HD_PAPER_PLAIN : HD_PAPER_METRICS;
    struct hd_sheet *s =
        hd_paper_sheet(p, f, only ? "" : rule_names[rule], only ? "" : rule_words[rule], "llrrrr");
    struct hd_chart *c =
        hd_sheet_chart(s, HD_CHART_STACKS, g->apps.n * g->policies.n, HD_PAPER_CLASSES);
    struct class_sums *means = HD_ARRAY(p->arena, struct class_sums, g->policies.n + 1);

    c->y_label = "% of scheduler cycles";
    c->per_group = g->policies.n;
    c->groups = HD_ARRAY(p->arena, const char *, g->apps.n + 1);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (unsigned n = 0; n < HD_PAPER_CLASSES; n++)
        c->series[n] = heads[2 + n];
    for (unsigned row = 0; row < g->apps.n * g->policies.n; row++) {
        const unsigned i = row / g->policies.n, k = row % g->policies.n;
        const unsigned app = g->apps.items[i], policy = g->policies.items[k];
        struct hd_paper_sums sums = hd_paper_sum(p, app, policy, with);
        double all = sums.issued + sums.idle + sums.scoreboard + sums.pipeline;
        bool good = sums.good && all > 0;
        c->labels[row] = label_of(p, &g->policies, k);
        c->groups[i] = p->apps[app].label;
        hd_sheet_add(s, k ? NULL : p->apps[app].label);
        hd_sheet_add(s, label_of(p, &g->policies, k));
        for (unsigned n = 0; n < HD_PAPER_CLASSES; n++) {
            double v = good ? 100 * sums.lost[rule][n] / all : (double)NAN;
            c->values[row * HD_PAPER_CLASSES + n] = v;
            means[k].sums[n] += good ? v : 0;
            add_known(s, v, n ? NULL : hd_paper_why(p, app, policy, with), "%.1f", v);
        }
        means[k].n += good;
    }
    add_class_means(p, f, s, g, means);
    hd_sheet_note(s, hd_arena_printf(p->arena,
                                     "Cycles without issue, in %% of the scheduler cycles in which "
                                     "there were warps; %s. Means are arithmetic.",
                                     rule_words[rule]));
}

static bool show_classes(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    bool rules[HD_PAPER_RULES];
    struct grid g;
    unsigned n = 0;

    if (!read_grid(p, f, &g, d) || !read_rules(p, f, rules, d))
        return false;
    for (unsigned r = 0; r < HD_PAPER_RULES; r++)
        n += rules[r];
    for (unsigned r = 0; r < HD_PAPER_RULES; r++)
        if (rules[r])
            show_rule(p, f, &g, r, n == 1);
    return true;
}

// points: the apps' kernel.* = name | blocks | points | ours

static bool read_points(const struct hd_paper *p, const struct hd_paper_section *f, struct grid *g,
                        struct hd_diag *d)
{
    return hd_paper_apps(p, f, "apps", &g->apps, d) &&
           hd_paper_policies(p, f, "policy", &g->policies, d);
}

static bool plan_points(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct grid g;

    if (!read_points(p, f, &g, d))
        return false;
    g.policies.n = 1;
    ask_all(p, &g, HD_PAPER_PLAIN);
    return true;
}

static void add_points(struct hd_paper *p, struct hd_sheet *s, unsigned app, unsigned policy,
                       unsigned index)
{
    const char *text = hd_paper_kernel_text(p, app, index);
    const char *paper = hd_paper_field(p->arena, text, 2);
    struct hd_paper_kernel k;
    bool there =
        hd_paper_kernel_listed(p, hd_paper_run(p, app, policy, HD_PAPER_PLAIN), app, index, &k);
    const char *why = hd_paper_why(p, app, policy, HD_PAPER_PLAIN);

    hd_sheet_add(s, index ? NULL : p->apps[app].label);
    hd_sheet_add(s, hd_paper_field(p->arena, text, 0));
    hd_sheet_add(s, paper);
    hd_sheet_add(s, there ? k.name : !strcmp(why, "no cycles") ? "not launched" : why);
    add_known(s, k.points, NULL, "%.0f", k.points);
    if (*paper && !isnan(k.points))
        hd_sheet_addf(s, "%+.0f", k.points - strtod(paper, NULL));
    else
        hd_sheet_add(s, NULL);
    add_known(s, k.after, NULL, "%.0f", k.after);
}

static bool show_points(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"APP",    "PAPER'S KERNEL", "PAPER", "OURS",
                                        "POINTS", "DIFF",           "MERGED"};
    struct grid g;

    if (!read_points(p, f, &g, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "llrlrrr");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (unsigned i = 0; i < g.apps.n; i++)
        for (unsigned k = 0; k < hd_paper_n_kernels(p, g.apps.items[i]); k++)
            add_points(p, s, g.apps.items[i], g.policies.items[0], k);
    hd_sheet_note(s, "POINTS: program points before they are merged, as in the paper's table. "
                     "MERGED: those that are left in the slots of the hardware.");
    return true;
}

static bool points_cells(struct hd_paper *p, const struct hd_paper_section *f,
                         struct hd_paper_cells *out, struct hd_diag *d)
{
    struct grid g;

    if (!read_points(p, f, &g, d))
        return false;
    for (unsigned i = 0; i < g.apps.n; i++)
        for (unsigned n = 0; n < hd_paper_n_kernels(p, g.apps.items[i]); n++) {
            const unsigned app = g.apps.items[i];
            const char *paper = hd_paper_field(p->arena, hd_paper_kernel_text(p, app, n), 2);
            struct hd_paper_kernel k;
            hd_paper_kernel_listed(p, hd_paper_run(p, app, g.policies.items[0], HD_PAPER_PLAIN),
                                   app, n, &k);
            hd_paper_cell(out, k.points, *paper ? strtod(paper, NULL) : (double)NAN);
        }
    return true;
}

// counter: of = a measure of applications

static const struct hd_paper_measure *
measure_of(const struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    const char *of = hd_paper_need(p, f, "of", d);
    const struct hd_paper_measure *m =
        of ? hd_papermeasures_find(of, HD_PAPER_APPLICATIONS, NULL) : NULL;

    if (of && !m)
        hd_papermeasures_find(of, HD_PAPER_APPLICATIONS,
                              hd_diag_add(d, p->path, f->line, 0,
                                          "[figure %s]: there is no measure '%.60s'", f->name, of));
    return m;
}

static bool plan_counter(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    const struct hd_paper_measure *m = measure_of(p, f, d);
    struct grid g;

    if (!m || !read_grid(p, f, &g, d))
        return false;
    ask_all(p, &g, hd_papermeasures_with(m));
    return true;
}

// A column of label and number for each policy.
static const char *layout_of(struct hd_arena *a, unsigned n)
{
    char *layout = hd_arena_printf(a, "%*s", (int)n + 1, "");

    memset(layout, 'r', n + 1);
    layout[0] = 'l';
    return layout;
}

static bool fits(const struct hd_paper *p, const struct hd_paper_section *f, unsigned n,
                 struct hd_diag *d)
{
    if (n >= HD_TABLE_COLUMNS)
        hd_diag_add(d, p->path, f->line, 0, "[figure %s]: more than %d columns", f->name,
                    HD_TABLE_COLUMNS - 1);
    return n < HD_TABLE_COLUMNS;
}

static void add_column_means(struct hd_paper *p, struct hd_sheet *s, const double *values,
                             unsigned rows, unsigned columns)
{
    static const char *const names[] = {"arith. mean", "geo. mean", "median"};
    double *column = HD_ARRAY(p->arena, double, rows + 1);

    for (int row = 0; row < 3; row++)
        for (unsigned k = 0; k < columns; k++) {
            for (unsigned i = 0; i < rows; i++)
                column[i] = values[i * columns + k];
            struct hd_paper_means m = hd_paper_means(p->arena, column, rows);
            if (!k)
                hd_sheet_addf(s, "%s (%u of %u)", names[row], m.n, rows);
            add_known(s,
                      row == 0   ? m.arithmetic
                      : row == 1 ? m.geometric
                                 : m.median,
                      NULL, "%.4g",
                      row == 0   ? m.arithmetic
                      : row == 1 ? m.geometric
                                 : m.median);
        }
}

static bool show_counter(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    const struct hd_paper_measure *m = measure_of(p, f, d);
    struct grid g;

    if (!m || !read_grid(p, f, &g, d) || !fits(p, f, g.policies.n, d))
        return false;
    const unsigned n = g.policies.n;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", layout_of(p->arena, n));
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_BARS, g.apps.n, n);
    c->y_label = hd_papermeasures_name(m);
    hd_paper_number(f, "from", &c->from);
    hd_sheet_add(s, "APP");
    for (unsigned k = 0; k < n; k++) {
        hd_sheet_add(s, label_of(p, &g.policies, k));
        c->series[k] = label_of(p, &g.policies, k);
    }
    for (unsigned i = 0; i < g.apps.n; i++) {
        const unsigned app = g.apps.items[i];
        hd_sheet_add(s, p->apps[app].label);
        c->labels[i] = p->apps[app].label;
        for (unsigned k = 0; k < n; k++) {
            const unsigned policy = g.policies.items[k];
            double v = hd_papermeasures_value(p, m, app, policy);
            c->values[i * n + k] = v;
            add_known(s, v, hd_paper_why(p, app, policy, hd_papermeasures_with(m)), "%.4g", v);
        }
    }
    add_column_means(p, s, c->values, g.apps.n, n);
    return true;
}

// sweep: the gain of a policy over another at each value of a key

struct sweep {
    struct grid at; // the policy at each value
    struct hd_paper_list over;
};

static bool read_sweep(const struct hd_paper *p, const struct hd_paper_section *f, struct sweep *x,
                       struct hd_diag *d)
{
    if (!hd_paper_apps(p, f, "apps", &x->at.apps, d) ||
        !hd_paper_policies(p, f, "base", &x->over, d))
        return false;
    x->at.policies = (struct hd_paper_list){HD_ARRAY(p->arena, unsigned, p->n_policies + 1), 0};
    for (unsigned i = 0; i < p->n_policies; i++)
        if (p->policies[i].figure == f && p->policies[i].value)
            x->at.policies.items[x->at.policies.n++] = i;
    if (x->at.policies.n && fits(p, f, x->at.policies.n, d))
        return true;
    if (!x->at.policies.n)
        hd_diag_add(d, p->path, f->line, 0, "[figure %s]: a sweep needs values", f->name);
    return false;
}

static bool plan_sweep(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct sweep x;

    if (!read_sweep(p, f, &x, d))
        return false;
    ask_all(p, &x.at, HD_PAPER_PLAIN);
    for (unsigned i = 0; i < x.at.apps.n; i++)
        hd_paper_ask(p, x.at.apps.items[i], x.over.items[0], HD_PAPER_PLAIN);
    return true;
}

static double ipc_ratio(const struct hd_paper *p, unsigned app, unsigned policy, unsigned over)
{
    struct hd_paper_sums one = hd_paper_sum(p, app, policy, HD_PAPER_PLAIN);
    struct hd_paper_sums base = hd_paper_sum(p, app, over, HD_PAPER_PLAIN);

    return one.good && base.good ? one.insts / one.cycles / (base.insts / base.cycles)
                                 : (double)NAN;
}

// The mean at each value, beside the paper's.
static void show_sweep_means(struct hd_paper *p, const struct hd_paper_section *f,
                             const struct sweep *x, const double *ratios)
{
    static const char *const heads[] = {"GEO. MEAN %", "PAPER", "DIFF", "MEDIAN %", "APPS"};
    const unsigned n = x->at.policies.n, rows = x->at.apps.n;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "lrrrrr");
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_BARS, n, 1);
    double *column = HD_ARRAY(p->arena, double, rows + 1);

    hd_sheet_add(s, hd_paper_text(f, "key"));
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    c->series[0] = p->policies[p->policies[x->at.policies.items[0]].base].label;
    c->y_label =
        hd_arena_printf(p->arena, "IPC over %s, %% more", p->policies[x->over.items[0]].label);
    for (unsigned k = 0; k < n; k++) {
        const char *value = strchr(p->policies[x->at.policies.items[k]].value, '=') + 1;
        const char *paper = printed(p, f, value);
        for (unsigned i = 0; i < rows; i++)
            column[i] = ratios[i * n + k];
        struct hd_paper_means m = hd_paper_means(p->arena, column, rows);
        double gain = 100 * (m.geometric - 1);
        c->labels[k] = value;
        c->values[k] = gain;
        hd_sheet_add(s, value);
        add_known(s, gain, NULL, "%+.2f", gain);
        hd_sheet_add(s, paper);
        add_known(s, *paper ? gain - strtod(paper, NULL) : (double)NAN, NULL, "%+.2f",
                  *paper ? gain - strtod(paper, NULL) : (double)NAN);
        add_known(s, 100 * (m.median - 1), NULL, "%+.2f", 100 * (m.median - 1));
        hd_sheet_addf(s, "%u of %u", m.n, rows);
    }
}

static bool show_sweep(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct sweep x;

    if (!read_sweep(p, f, &x, d))
        return false;
    const unsigned n = x.at.policies.n, rows = x.at.apps.n;
    double *ratios = HD_ARRAY(p->arena, double, (size_t)rows *n + 1);
    for (unsigned i = 0; i < rows * n; i++)
        ratios[i] =
            ipc_ratio(p, x.at.apps.items[i / n], x.at.policies.items[i % n], x.over.items[0]);
    show_sweep_means(p, f, &x, ratios);
    struct hd_sheet *s = hd_paper_sheet(p, f, "apps", "by application", layout_of(p->arena, n));
    hd_sheet_add(s, "APP");
    for (unsigned k = 0; k < n; k++)
        hd_sheet_add(s, label_of(p, &x.at.policies, k));
    for (unsigned i = 0; i < rows; i++) {
        const unsigned app = x.at.apps.items[i];
        hd_sheet_add(s, p->apps[app].label);
        for (unsigned k = 0; k < n; k++)
            add_known(s, ratios[i * n + k],
                      hd_paper_why(p, app, x.at.policies.items[k], HD_PAPER_PLAIN), "%.4f",
                      ratios[i * n + k]);
    }
    return true;
}

// storage: row = structure | bits of an entry | entries | as printed: bits | entries | kB

static bool plan_nothing(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    (void)p, (void)f, (void)d;
    return true;
}

// Bits of an entry, entries, kB, whose sum is in *all.
static bool storage_row(const struct hd_paper *p, const struct hd_paper_section *f,
                        const char *value, double ours[3], double *all, struct hd_diag *d)
{
    for (unsigned i = 0; i < 2; i++)
        if (!hd_paperformula_value(p, f, hd_paper_field(p->arena, value, i + 1), &ours[i], d))
            return false;
    ours[2] = ours[0] * ours[1] / 8 / 1024;
    *all += ours[2];
    return true;
}

static bool show_storage(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"STRUCTURE", "BITS", "PAPER", "ENTRIES",
                                        "PAPER",     "KB",   "PAPER"};
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "lrrrrrr");
    const char *sum = hd_paper_text(f, "values");
    double ours[3], all = 0;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (size_t i = 0; i < f->n; i++) {
        const char *value = f->pairs[i].value;
        if (!is_row(&f->pairs[i]))
            continue;
        if (!storage_row(p, f, value, ours, &all, d))
            return false;
        hd_sheet_add(s, hd_paper_field(p->arena, value, 0));
        for (unsigned k = 0; k < 3; k++) {
            hd_sheet_addf(s, k < 2 ? "%.0f" : "%.2f", ours[k]);
            hd_sheet_add(s, hd_paper_field(p->arena, value, k + 3));
        }
    }
    hd_sheet_add(s, "sum");
    for (unsigned k = 0; k < 4; k++)
        hd_sheet_add(s, NULL);
    hd_sheet_addf(s, "%.2f", all);
    hd_sheet_add(s, sum);
    return true;
}

// As far as the paper prints digits.
static void storage_cell(struct hd_paper_cells *out, double ours, const char *paper)
{
    const char *point = strchr(paper, '.');
    double scale = point ? pow(10, (double)strspn(point + 1, "0123456789")) : 1;

    if (*paper)
        hd_paper_cell(out, floor(ours * scale + 0.5), floor(strtod(paper, NULL) * scale + 0.5));
}

static bool storage_cells(struct hd_paper *p, const struct hd_paper_section *f,
                          struct hd_paper_cells *out, struct hd_diag *d)
{
    const char *sum = hd_paper_text(f, "values");
    double ours[3], all = 0;

    for (size_t i = 0; i < f->n; i++) {
        if (!is_row(&f->pairs[i]))
            continue;
        if (!storage_row(p, f, f->pairs[i].value, ours, &all, d))
            return false;
        for (unsigned k = 0; k < 3; k++)
            storage_cell(out, ours[k], hd_paper_field(p->arena, f->pairs[i].value, k + 3));
    }
    storage_cell(out, all, sum ? sum : "");
    return true;
}

const struct hd_paper_kind hd_papersweeps_kinds[] = {
    {"classes", plan_classes, show_classes, NULL},
    {"points", plan_points, show_points, points_cells},
    {"counter", plan_counter, show_counter, NULL},
    {"sweep", plan_sweep, show_sweep, NULL},
    {"storage", plan_nothing, show_storage, storage_cells},
    {NULL, NULL, NULL, NULL}};
