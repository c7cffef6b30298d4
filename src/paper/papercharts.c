// papercharts.c - figures of stalls, of blocks over time, of barriers: what the papers on PRO and
// BAWS show. Those of blocks and barriers need runs with metrics (gpu/metrics.h).
#include "paper/paper.h"

#include "present/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct grid { // applications under policies
    struct hd_paper_list apps, policies;
};

static bool read_grid(struct hd_paper *p, const struct hd_paper_section *f, struct grid *g,
                      struct hd_diag *d)
{
    return hd_paper_apps(p, f, "apps", &g->apps, d) &&
           hd_paper_policies(p, f, "policies", &g->policies, d);
}

static bool plan_grid(struct hd_paper *p, const struct hd_paper_section *f, enum hd_paper_with with,
                      struct hd_diag *d)
{
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    for (unsigned i = 0; i < g.apps.n; i++)
        for (unsigned k = 0; k < g.policies.n; k++)
            hd_paper_ask(p, g.apps.items[i], g.policies.items[k], with);
    return true;
}

static bool plan_stalls(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    return plan_grid(p, f, HD_PAPER_PLAIN, d);
}

static bool plan_metrics(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    return plan_grid(p, f, HD_PAPER_METRICS, d);
}

static void add_heads(struct hd_sheet *s, const char *const *heads, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hd_sheet_add(s, heads[i]);
}
#define ADD_HEADS(s, heads) add_heads(s, heads, sizeof heads / sizeof *(heads))

static const char *app_name(const struct hd_paper *p, const struct hd_paper_list *apps, unsigned i)
{
    return p->apps[apps->items[i]].label;
}

static const char *policy_name(const struct hd_paper *p, const struct hd_paper_list *policies,
                               unsigned k)
{
    return p->policies[policies->items[k]].label;
}

static void add_missing(const struct hd_paper *p, struct hd_sheet *s, unsigned app, unsigned policy,
                        enum hd_paper_with with, unsigned cells)
{
    hd_sheet_add(s, hd_paper_why(p, app, policy, with));
    for (unsigned i = 1; i < cells; i++)
        hd_sheet_add(s, NULL);
}

static void group(struct hd_chart *c, struct hd_arena *a, unsigned per_group, unsigned n)
{
    c->per_group = per_group;
    c->groups = HD_ARRAY(a, const char *, n + 1);
}

// Shares of the cycles lost: scoreboard, idle, pipeline (PRO, Figure 1).
static bool show_stalls(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"APP", "POLICY", "SCOREBOARD", "IDLE", "PIPELINE"};
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "llrrr");
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_STACKS, g.apps.n * g.policies.n, 3);
    c->y_label = "% of stall cycles";
    group(c, p->arena, g.policies.n, g.apps.n);
    c->to = 100;
    ADD_HEADS(s, heads);
    for (unsigned i = 0; i < 3; i++)
        c->series[i] = heads[2 + i];
    for (unsigned i = 0; i < g.apps.n; i++)
        for (unsigned k = 0; k < g.policies.n; k++) {
            unsigned row = i * g.policies.n + k;
            struct hd_paper_sums sums =
                hd_paper_sum(p, g.apps.items[i], g.policies.items[k], HD_PAPER_PLAIN);
            double all = sums.scoreboard + sums.idle + sums.pipeline;
            const double parts[] = {sums.scoreboard, sums.idle, sums.pipeline};
            c->labels[row] = policy_name(p, &g.policies, k);
            c->groups[i] = app_name(p, &g.apps, i);
            hd_sheet_add(s, k ? NULL : app_name(p, &g.apps, i));
            hd_sheet_add(s, policy_name(p, &g.policies, k));
            if (!sums.good || all <= 0) {
                add_missing(p, s, g.apps.items[i], g.policies.items[k], false, 3);
                continue;
            }
            for (unsigned n = 0; n < 3; n++) {
                c->values[row * 3 + n] = 100 * parts[n] / all;
                hd_sheet_addf(s, "%.1f", 100 * parts[n] / all);
            }
        }
    return true;
}

// Field n of a row of the paper's, whose keys begin alike: "app | ratio ratio ratio ratio | ..."
// one group per policy.
static const char *printed(const struct hd_paper *p, const struct hd_paper_section *f,
                           const char *keys, const char *app, unsigned group, unsigned n)
{
    for (size_t i = 0; i < f->n; i++) {
        const char *value = f->pairs[i].value;
        if (strncmp(f->pairs[i].key, keys, strlen(keys)) != 0 ||
            strcmp(hd_paper_field(p->arena, value, 0), app) != 0)
            continue;
        const char *text = hd_paper_field(p->arena, value, group + 1);
        while (n-- && *text) {
            text += strcspn(text, " ");
            text += strspn(text, " ");
        }
        return hd_arena_strndup(p->arena, text, strcspn(text, " "));
    }
    return NULL;
}

static void classes_of(const struct hd_paper_sums *s, double out[4])
{
    out[0] = s->pipeline;
    out[1] = s->idle;
    out[2] = s->scoreboard;
    out[3] = s->pipeline + s->idle + s->scoreboard;
}

struct means { // geometric, of four ratios
    double logs[4];
    unsigned n[4];
};

static void add_ratios(struct hd_paper *p, const struct hd_paper_section *f, struct hd_sheet *s,
                       const struct grid *g, unsigned i, unsigned k, struct means *m)
{
    const unsigned app = g->apps.items[i], last = g->policies.items[g->policies.n - 1];
    struct hd_paper_sums one = hd_paper_sum(p, app, last, HD_PAPER_PLAIN);
    struct hd_paper_sums over = hd_paper_sum(p, app, g->policies.items[k], HD_PAPER_PLAIN);
    double a[4], b[4];

    classes_of(&one, a);
    classes_of(&over, b);
    hd_sheet_add(s, k ? NULL : app_name(p, &g->apps, i));
    hd_sheet_add(s, policy_name(p, &g->policies, k));
    for (unsigned n = 0; n < 4; n++) {
        if (!one.good || !over.good) {
            hd_sheet_add(s, n ? NULL : hd_paper_why(p, app, g->policies.items[k], HD_PAPER_PLAIN));
        } else if (a[n] > 0 && b[n] > 0) {
            hd_sheet_addf(s, "%.2f", b[n] / a[n]);
            m->logs[n] += log(b[n] / a[n]);
            m->n[n]++;
        } else {
            hd_sheet_add(s, "-");
        }
        hd_sheet_add(s, printed(p, f, "row.", app_name(p, &g->apps, i), k, n));
    }
}

// The stall cycles of the last policy themselves, if the paper prints them.
static void show_counts(struct hd_paper *p, const struct hd_paper_section *f, const struct grid *g)
{
    static const char *const heads[] = {"APP",   "PIPE",  "PAPER", "RATIO", "IDLE",
                                        "PAPER", "RATIO", "SCORE", "PAPER", "RATIO"};
    const unsigned last = g->policies.items[g->policies.n - 1];
    struct hd_sheet *s = NULL;

    for (unsigned i = 0; i < g->apps.n; i++) {
        const unsigned app = g->apps.items[i];
        struct hd_paper_sums sums = hd_paper_sum(p, app, last, HD_PAPER_PLAIN);
        const char *label = app_name(p, &g->apps, i);
        double ours[4];
        classes_of(&sums, ours);
        if (!printed(p, f, "count.", label, 0, 0))
            continue;
        if (!s) {
            s = hd_paper_sheet(
                p, f, "counts",
                hd_arena_printf(p->arena, "stall cycles under %s", p->policies[last].label),
                "l rrr rrr rrr");
            ADD_HEADS(s, heads);
        }
        hd_sheet_add(s, label);
        for (unsigned n = 0; n < 3; n++) {
            double paper = strtod(printed(p, f, "count.", label, 0, n), NULL);
            if (sums.good)
                hd_sheet_add(s, hd_out_count(p->arena, (uint64_t)ours[n]));
            else
                hd_sheet_add(s, n ? NULL : hd_paper_why(p, app, last, HD_PAPER_PLAIN));
            hd_sheet_add(s, paper >= 0 && paper < 1e15 ? hd_out_count(p->arena, (uint64_t)paper)
                                                       : NULL);
            if (sums.good && paper > 0)
                hd_sheet_addf(s, "x %.3g", ours[n] / paper);
            else
                hd_sheet_add(s, NULL);
        }
    }
}

// Stall cycles of each policy over those of the last, by class (PRO, Table III and Figure 5).
static bool show_ratios(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"APP",   "OVER",  "PIPE",  "PAPER", "IDLE",
                                        "PAPER", "SCORE", "PAPER", "TOTAL", "PAPER"};
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "llrrrrrrrr");
    struct means *m = HD_ARRAY(p->arena, struct means, g.policies.n + 1);
    ADD_HEADS(s, heads);
    for (unsigned i = 0; i < g.apps.n; i++)
        for (unsigned k = 0; k + 1 < g.policies.n; k++)
            add_ratios(p, f, s, &g, i, k, &m[k]);
    for (unsigned k = 0; k + 1 < g.policies.n; k++) {
        hd_sheet_add(s, k ? NULL : hd_arena_printf(p->arena, "geo. mean of %u", m[0].n[3]));
        hd_sheet_add(s, policy_name(p, &g.policies, k));
        for (unsigned n = 0; n < 4; n++) {
            hd_sheet_add(s, m[k].n[n]
                                ? hd_arena_printf(p->arena, "%.2f", exp(m[k].logs[n] / m[k].n[n]))
                                : NULL);
            hd_sheet_add(s, printed(p, f, "row.", "GEOMEAN", k, n));
        }
    }
    show_counts(p, f, &g);
    return true;
}

// Ratios of each application and class; not the means, which are claims of their own.
static bool ratios_cells(struct hd_paper *p, const struct hd_paper_section *f,
                         struct hd_paper_cells *out, struct hd_diag *d)
{
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    unsigned last = g.policies.items[g.policies.n - 1];
    for (unsigned i = 0; i < g.apps.n * (g.policies.n - 1) * 4; i++) {
        unsigned app = i / 4 / (g.policies.n - 1), k = i / 4 % (g.policies.n - 1), n = i % 4;
        struct hd_paper_sums one = hd_paper_sum(p, g.apps.items[app], last, HD_PAPER_PLAIN);
        struct hd_paper_sums over =
            hd_paper_sum(p, g.apps.items[app], g.policies.items[k], HD_PAPER_PLAIN);
        const char *text = printed(p, f, "row.", app_name(p, &g.apps, app), k, n);
        double a[4], b[4];
        classes_of(&one, a);
        classes_of(&over, b);
        hd_paper_cell(out, one.good && over.good && a[n] > 0 ? b[n] / a[n] : (double)NAN,
                      text && *text ? strtod(text, NULL) : (double)NAN);
    }
    for (unsigned i = 0; i < g.apps.n * 3 && !strcmp(p->size, "paper"); i++) {
        struct hd_paper_sums sums = hd_paper_sum(p, g.apps.items[i / 3], last, HD_PAPER_PLAIN);
        const char *text = printed(p, f, "count.", app_name(p, &g.apps, i / 3), 0, i % 3);
        double ours[4];
        classes_of(&sums, ours);
        hd_paper_cell(out, sums.good ? ours[i % 3] : (double)NAN,
                      text && *text ? strtod(text, NULL) : (double)NAN);
    }
    return true;
}

// The last policy's kernel and its speedup over each of the others.
static void add_kernel(struct hd_paper *p, struct hd_sheet *s, const struct grid *g, unsigned app,
                       unsigned index, double *ratios)
{
    unsigned last = g->policies.items[g->policies.n - 1];
    struct hd_paper_kernel base, other;
    bool good = hd_paper_kernel(hd_paper_run(p, app, last, HD_PAPER_PLAIN), index, &base);

    hd_sheet_add(s, good ? base.name : hd_paper_why(p, app, last, HD_PAPER_PLAIN));
    if (good)
        hd_sheet_addf(s, "%" PRIu64, base.blocks);
    else
        hd_sheet_add(s, NULL);
    for (unsigned k = 0; k + 1 < g->policies.n; k++) {
        const struct hd_study_run *run = hd_paper_run(p, app, g->policies.items[k], HD_PAPER_PLAIN);
        ratios[k] = (double)NAN;
        if (good && hd_paper_kernel(run, index, &other) && base.cycles > 0 && other.cycles > 0)
            ratios[k] = other.cycles / base.cycles;
        if (isnan(ratios[k]))
            hd_sheet_add(s, NULL);
        else
            hd_sheet_addf(s, "%.3f", ratios[k]);
    }
}

// One row of what is made of all kernels. `ratios` has a row for each kernel.
static void add_kernel_means(struct hd_paper *p, struct hd_sheet *s, unsigned n_others,
                             const double *ratios, unsigned n)
{
    static const char *const names[] = {"geo. mean of %u", "  without the two largest", "median"};
    double *column = HD_ARRAY(p->arena, double, n + 1);

    for (int row = 0; row < 3; row++) {
        for (unsigned k = 0; k < n_others; k++) {
            for (unsigned i = 0; i < n; i++)
                column[i] = ratios[i * n_others + k];
            struct hd_paper_means m = hd_paper_means(p->arena, column, n);
            double v = row == 0 ? m.geometric : row == 1 ? m.geometric_less : m.median;
            if (!k && !row)
                hd_sheet_addf(s, "geo. mean of %u", m.n);
            else if (!k)
                hd_sheet_add(s, names[row]);
            for (int i = 0; i < 4 && !k; i++)
                hd_sheet_add(s, NULL);
            hd_sheet_add(s, isnan(v) ? NULL : hd_arena_printf(p->arena, "%.3f", v));
        }
    }
}

// By kernel: blocks, and the speedup of the last policy over each of the others (PRO, Table II and
// Figure 4). An app's key kernel.N = name | blocks.
static bool show_kernels(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct grid g;
    char layout[HD_TABLE_COLUMNS + 1] = "llrlr";
    unsigned all = 0, n = 0;

    if (!read_grid(p, f, &g, d))
        return false;
    unsigned others = g.policies.n - 1;
    for (unsigned k = 0; k < others && k < HD_TABLE_COLUMNS - 5; k++)
        layout[5 + k] = 'r';
    for (unsigned i = 0; i < g.apps.n; i++)
        all += hd_paper_n_kernels(p, g.apps.items[i]);
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", hd_arena_strdup(p->arena, layout));
    double *ratios = HD_ARRAY(p->arena, double, all *others + 1);
    static const char *const heads[] = {"APP", "PAPER'S KERNEL", "BLOCKS", "OURS", "BLOCKS"};
    ADD_HEADS(s, heads);
    for (unsigned k = 0; k < others; k++)
        hd_sheet_add(s, policy_name(p, &g.policies, k));
    for (unsigned i = 0; i < g.apps.n; i++) {
        const struct hd_paper_section *app = p->apps[g.apps.items[i]].section;
        unsigned index = 0;
        for (size_t at = 0; at < app->n; at++) {
            if (strncmp(app->pairs[at].key, "kernel.", 7) != 0)
                continue;
            hd_sheet_add(s, index ? NULL : app_name(p, &g.apps, i));
            hd_sheet_add(s, hd_paper_field(p->arena, app->pairs[at].value, 0));
            hd_sheet_add(s, hd_paper_field(p->arena, app->pairs[at].value, 1));
            add_kernel(p, s, &g, g.apps.items[i], index++, &ratios[n++ * others]);
        }
    }
    add_kernel_means(p, s, others, ratios, n);
    return true;
}

// The numbers of blocks.
static bool kernels_cells(struct hd_paper *p, const struct hd_paper_section *f,
                          struct hd_paper_cells *out, struct hd_diag *d)
{
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    for (unsigned i = 0; i < g.apps.n; i++) {
        const struct hd_paper_section *app = p->apps[g.apps.items[i]].section;
        unsigned last = g.policies.items[g.policies.n - 1], index = 0;
        const struct hd_study_run *run = hd_paper_run(p, g.apps.items[i], last, HD_PAPER_PLAIN);
        for (size_t at = 0; at < app->n; at++) {
            struct hd_paper_kernel kernel;
            if (strncmp(app->pairs[at].key, "kernel.", 7) != 0)
                continue;
            bool good = hd_paper_kernel(run, index++, &kernel);
            hd_paper_cell(out, good ? (double)kernel.blocks : (double)NAN,
                          strtod(hd_paper_field(p->arena, app->pairs[at].value, 1), NULL));
        }
    }
    return true;
}

// When the blocks of one SM came and went (PRO, Figure 2): a sheet for each policy.
static bool show_residency(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"BLOCK", "START", "END", "CYCLES"};
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    for (unsigned k = 0; k < g.policies.n; k++) {
        const struct hd_study_run *run =
            hd_paper_run(p, g.apps.items[0], g.policies.items[k], HD_PAPER_METRICS);
        const json_t *blocks =
            run ? json_object_get(json_object_get(run->json, "metrics"), "blocks") : NULL;
        struct hd_sheet *s =
            hd_paper_sheet(p, f, policy_name(p, &g.policies, k),
                           hd_arena_printf(p->arena, "%s under %s", app_name(p, &g.apps, 0),
                                           policy_name(p, &g.policies, k)),
                           "rrrr");
        unsigned n = 0, most = 48;
        ADD_HEADS(s, heads);
        struct hd_chart *c = hd_sheet_chart(s, HD_CHART_SPANS, most, 1);
        c->series[0] = "resident";
        c->x_label = "cycle";
        c->spans = HD_ARRAY(p->arena, struct hd_chart_span, most);
        for (size_t i = 0; i < json_array_size(blocks) && n < most; i++) {
            const json_t *b = json_array_get(blocks, i);
            if (hd_json_number(b, "launch") > 0)
                break;
            c->labels[n] = hd_arena_printf(p->arena, "%.0f", hd_json_number(b, "sequence"));
            c->spans[n] =
                (struct hd_chart_span){n, 0, hd_json_number(b, "start"), hd_json_number(b, "end")};
            n++;
            hd_sheet_addf(s, "%.0f", hd_json_number(b, "sequence"));
            hd_sheet_addf(s, "%.0f", hd_json_number(b, "start"));
            hd_sheet_addf(s, "%.0f", hd_json_number(b, "end"));
            hd_sheet_addf(s, "%.0f", hd_json_number(b, "end") - hd_json_number(b, "start"));
        }
        c->n_labels = n;
        c->n_spans = n;
        if (!n) {
            s->chart = NULL;
            hd_sheet_note(s, hd_arena_printf(p->arena, "No blocks: %s.",
                                             hd_paper_why(p, g.apps.items[0], g.policies.items[k],
                                                          HD_PAPER_METRICS)));
        }
    }
    return true;
}

static const char *numbers(struct hd_arena *a, const json_t *list)
{
    struct hd_out text = {.arena = a};

    hd_out_add(&text, "", 0);
    for (size_t i = 0; i < json_array_size(list); i++)
        hd_out_printf(&text, "%s%" JSON_INTEGER_FORMAT, i ? " " : "",
                      json_integer_value(json_array_get(list, i)));
    return text.text;
}

// The policy's order of resident blocks over time (PRO, Table IV). row = cycle | order
static bool show_order(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"CYCLE", "OURS", "PAPER"};
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    const struct hd_study_run *run =
        hd_paper_run(p, g.apps.items[0], g.policies.items[0], HD_PAPER_METRICS);
    const json_t *metrics = run ? json_object_get(run->json, "metrics") : NULL;
    const json_t *order = json_object_get(metrics, "order");
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "rll");
    size_t row = 0;

    ADD_HEADS(s, heads);
    for (size_t i = 0; i < f->n; i++) {
        const char *value = f->pairs[i].value;
        if (strncmp(f->pairs[i].key, "row.", 4) != 0)
            continue;
        const json_t *at = json_array_get(order, row++);
        hd_sheet_add(s, hd_paper_field(p->arena, value, 0));
        hd_sheet_add(s, at ? numbers(p->arena, json_object_get(at, "blocks")) : "-");
        hd_sheet_add(s, hd_paper_field(p->arena, value, 1));
    }
    if (metrics)
        hd_sheet_note(s, hd_arena_printf(p->arena,
                                         "Changes from row to row, over all rows of ours: %.0f.",
                                         hd_json_number(metrics, "order_changes")));
    else
        hd_sheet_note(s, hd_arena_printf(p->arena, "No order: %s.",
                                         hd_paper_why(p, g.apps.items[0], g.policies.items[0],
                                                      HD_PAPER_METRICS)));
    return true;
}

// Rows whose order is the paper's: each is one cell.
static bool order_cells(struct hd_paper *p, const struct hd_paper_section *f,
                        struct hd_paper_cells *out, struct hd_diag *d)
{
    struct grid g;
    size_t row = 0;

    if (!read_grid(p, f, &g, d))
        return false;
    const struct hd_study_run *run =
        hd_paper_run(p, g.apps.items[0], g.policies.items[0], HD_PAPER_METRICS);
    const json_t *metrics = run ? json_object_get(run->json, "metrics") : NULL;
    for (size_t i = 0; i < f->n; i++) {
        if (strncmp(f->pairs[i].key, "row.", 4) != 0)
            continue;
        const json_t *at = json_array_get(json_object_get(metrics, "order"), row++);
        const char *paper = hd_paper_field(p->arena, f->pairs[i].value, 1);
        const char *ours = at ? numbers(p->arena, json_object_get(at, "blocks")) : "-";
        hd_paper_cell(out, metrics ? !strcmp(ours, paper) : (double)NAN, 1);
    }
    return true;
}

// Weighted means over the launches of a run: of warps or phases.
struct barriers {
    double warps, barrier, exit, phases, rtru;
};

static struct barriers barriers_of(const struct hd_study_run *run)
{
    struct hd_paper_launches all = hd_paper_launches(run);
    struct barriers b = {0};

    for (size_t i = 0; i < all.n; i++) {
        const struct hd_paper_launch *l = &all.of[i];
        b.warps += l->warps;
        b.barrier += l->warps * l->barrier_share;
        b.exit += l->warps * l->exit_share;
        b.phases += l->phases;
        b.rtru += l->rtru;
    }
    return b;
}

// Shares of the warps' lives at barriers and exit points (BAWS, Figure 1), and RTRU (Figure 5).
static bool show_barriers(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"APP", "POLICY", "BARRIER %", "EXIT %", "RTRU %"};
    const char *kind = hd_paper_text(f, "kind");
    bool rtru = !strcmp(kind, "rtru");
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "llrrr");
    unsigned n = g.apps.n * g.policies.n;
    struct hd_chart *c = rtru ? hd_sheet_chart(s, HD_CHART_BARS, g.apps.n, g.policies.n)
                              : hd_sheet_chart(s, HD_CHART_STACKS, n, 2);
    c->y_label = rtru ? "RTRU, %" : "% of the warps' lives";
    if (!rtru)
        group(c, p->arena, g.policies.n, g.apps.n);
    ADD_HEADS(s, heads);
    for (unsigned i = 0; i < n; i++) {
        unsigned app = g.apps.items[i / g.policies.n], k = i % g.policies.n;
        struct barriers b =
            barriers_of(hd_paper_run(p, app, g.policies.items[k], HD_PAPER_METRICS));
        const char *label = app_name(p, &g.apps, i / g.policies.n);
        if (rtru) {
            c->labels[i / g.policies.n] = label;
            c->series[k] = policy_name(p, &g.policies, k);
        } else {
            c->labels[i] = policy_name(p, &g.policies, k);
            c->groups[i / g.policies.n] = label;
        }
        hd_sheet_add(s, k ? NULL : label);
        hd_sheet_add(s, policy_name(p, &g.policies, k));
        if (b.warps <= 0 || b.phases <= 0) {
            add_missing(p, s, app, g.policies.items[k], true, 3);
            continue;
        }
        hd_sheet_addf(s, "%.1f", 100 * b.barrier / b.warps);
        hd_sheet_addf(s, "%.1f", 100 * b.exit / b.warps);
        hd_sheet_addf(s, "%.1f", 100 * b.rtru / b.phases);
        if (rtru) {
            c->values[i] = 100 * b.rtru / b.phases;
        } else {
            c->values[i * 2] = 100 * b.barrier / b.warps;
            c->values[i * 2 + 1] = 100 * b.exit / b.warps;
        }
    }
    if (!rtru) {
        c->series[0] = "at barriers";
        c->series[1] = "at exit points";
    }
    return true;
}

const struct hd_paper_kind hd_papercharts_kinds[] = {
    {"stalls", plan_stalls, show_stalls, NULL},
    {"ratios", plan_stalls, show_ratios, ratios_cells},
    {"kernels", plan_stalls, show_kernels, kernels_cells},
    {"residency", plan_metrics, show_residency, NULL},
    {"order", plan_metrics, show_order, order_cells},
    {"barriers", plan_metrics, show_barriers, NULL},
    {"rtru", plan_metrics, show_barriers, NULL},
    {NULL, NULL, NULL, NULL}};
