// papergains.c - figures that relate the IPC of policies.
//
// A gain is IPC / IPC of the base - 1. Means are over the applications that have both; the paper's
// are taken as arithmetic means of ratios, as the bars of a figure suggest, unless its file says
// `mean = geometric`; the other mean stands beside them.
#include "paper/paper.h"

#include <math.h>
#include <string.h>

// IPC of one policy over another's; NAN: not both are there.
static double ratio(const struct hd_paper *p, unsigned app, unsigned policy, unsigned over)
{
    struct hd_paper_sums one = hd_paper_sum(p, app, policy, HD_PAPER_PLAIN);
    struct hd_paper_sums base = hd_paper_sum(p, app, over, HD_PAPER_PLAIN);

    if (!one.good || !base.good)
        return (double)NAN;
    return one.insts / one.cycles / (base.insts / base.cycles);
}

// One value for each application, NAN where it has none.
static double *ratios(const struct hd_paper *p, const struct hd_paper_list *apps, unsigned policy,
                      unsigned over)
{
    double *v = HD_ARRAY(p->arena, double, apps->n + 1);

    for (unsigned i = 0; i < apps->n; i++)
        v[i] = ratio(p, apps->items[i], policy, over);
    return v;
}

static struct hd_paper_means mean_of(const struct hd_paper *p, const struct hd_paper_list *apps,
                                     unsigned policy, unsigned over)
{
    return hd_paper_means(p->arena, ratios(p, apps, policy, over), apps->n);
}

struct figure {
    struct hd_paper_list apps, policies, base;
    bool geometric; // the mean that is drawn
};

static bool read_figure(struct hd_paper *p, const struct hd_paper_section *f, struct figure *out,
                        struct hd_diag *d)
{
    const char *mean = hd_paper_text(f, "mean");

    out->geometric = mean && !strcmp(mean, "geometric");
    if (mean && !out->geometric && strcmp(mean, "arithmetic") != 0) {
        hd_diag_hint(hd_diag_add(d, p->path, f->line, 0, "[figure %s]: there is no mean '%.60s'",
                                 f->name, mean),
                     "expected arithmetic or geometric");
        return false;
    }
    return hd_paper_apps(p, f, "apps", &out->apps, d) &&
           hd_paper_policies(p, f, "policies", &out->policies, d) &&
           hd_paper_policies(p, f, "base", &out->base, d);
}

static bool plan_ipc(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct figure x;

    if (!read_figure(p, f, &x, d))
        return false;
    for (unsigned i = 0; i < x.apps.n; i++) {
        hd_paper_ask(p, x.apps.items[i], x.base.items[0], HD_PAPER_PLAIN);
        for (unsigned k = 0; k < x.policies.n; k++)
            hd_paper_ask(p, x.apps.items[i], x.policies.items[k], HD_PAPER_PLAIN);
    }
    return true;
}

static void add_means(struct hd_paper *p, struct hd_sheet *s, const struct figure *x,
                      const struct hd_paper_list *apps, const char *name)
{
    for (int row = 0; row < 5; row++) {
        unsigned n = mean_of(p, apps, x->policies.items[0], x->base.items[0]).n;
        if (row < 2)
            hd_sheet_addf(s, "%s mean, %s (%u of %u)", row ? "geo." : "arith.", name, n, apps->n);
        else
            hd_sheet_add(s, row == 4   ? "median"
                            : row == 3 ? "geo. without the two largest"
                                       : "arith. without the two largest");
        for (unsigned k = 0; k < x->policies.n; k++) {
            struct hd_paper_means m = mean_of(p, apps, x->policies.items[k], x->base.items[0]);
            const double rows[] = {m.arithmetic, m.geometric, m.arithmetic_less, m.geometric_less,
                                   m.median};
            hd_sheet_add(s, isnan(rows[row]) ? NULL : hd_arena_printf(p->arena, "%.4f", rows[row]));
        }
    }
}

static void draw(struct hd_paper *p, const struct hd_paper_section *f, struct hd_sheet *s,
                 const struct figure *x)
{
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_BARS, x->apps.n + 1, x->policies.n);

    c->y_label = hd_arena_printf(p->arena, "IPC / IPC of %s", p->policies[x->base.items[0]].label);
    hd_paper_number(f, "from", &c->from);
    c->line = 1;
    for (unsigned k = 0; k < x->policies.n; k++) {
        struct hd_paper_means m = mean_of(p, &x->apps, x->policies.items[k], x->base.items[0]);
        c->series[k] = p->policies[x->policies.items[k]].label;
        c->values[x->apps.n * x->policies.n + k] = x->geometric ? m.geometric : m.arithmetic;
    }
    c->labels[x->apps.n] = "mean";
    for (unsigned i = 0; i < x->apps.n; i++) {
        unsigned app = x->apps.items[i];
        c->labels[i] = p->apps[app].word
                           ? p->apps[app].label
                           : hd_arena_printf(p->arena, "%s (missing)", p->apps[app].label);
        for (unsigned k = 0; k < x->policies.n; k++)
            c->values[i * x->policies.n + k] =
                ratio(p, app, x->policies.items[k], x->base.items[0]);
    }
}

static void note_missing(struct hd_paper *p, struct hd_sheet *s, const struct hd_paper_list *apps)
{
    struct hd_out names = {.arena = p->arena};
    unsigned n = 0;

    for (unsigned i = 0; i < apps->n; i++)
        if (!p->apps[apps->items[i]].word)
            hd_out_printf(&names, "%s%s", n++ ? ", " : "", p->apps[apps->items[i]].label);
    if (n)
        hd_sheet_note(s, hd_arena_printf(p->arena,
                                         "Missing, since there is no such workload yet: %s. Means "
                                         "are over the others.",
                                         names.text));
}

static bool add_sets(struct hd_paper *p, const struct hd_paper_section *f, struct hd_sheet *s,
                     const struct figure *x, struct hd_diag *d)
{
    const char *value = hd_paper_text(f, "sets");

    for (unsigned i = 0; value && *hd_paper_field(p->arena, value, i); i++) {
        const char *name = hd_paper_field(p->arena, value, i);
        const struct hd_paper_section *set = hd_paper_find(p, "set", name);
        struct hd_paper_list apps;
        if (!set) {
            hd_diag_add(d, p->path, f->line, 0, "[figure %s]: there is no [set %.60s]", f->name,
                        name);
            return false;
        }
        if (!hd_paper_apps(p, set, "apps", &apps, d))
            return false;
        add_means(p, s, x, &apps, name);
    }
    return true;
}

// What a policy's change in cycles against the base is made of, application by application: parts
// of the base's cycles that sum to the change, exactly.
static void add_made(struct hd_paper *p, struct hd_sheet *s, unsigned app, unsigned policy,
                     unsigned base)
{
    static const char *const classes[] = {"issued", "idle", "scoreboard", "pipeline", "inactive"};
    struct hd_paper_sums x = hd_paper_sum(p, app, policy, HD_PAPER_PLAIN);
    struct hd_paper_sums y = hd_paper_sum(p, app, base, HD_PAPER_PLAIN);
    const double one[] = {x.issued, x.idle, x.scoreboard, x.pipeline, x.inactive};
    const double two[] = {y.issued, y.idle, y.scoreboard, y.pipeline, y.inactive};
    double all = y.issued + y.idle + y.scoreboard + y.pipeline + y.inactive;
    double way = x.cycles < y.cycles ? -1 : 1;
    unsigned most = 0;

    hd_sheet_add(s, p->apps[app].label);
    if (!x.good || !y.good) {
        hd_sheet_add(s, hd_paper_why(p, app, policy, HD_PAPER_PLAIN));
        for (int i = 0; i < 8; i++)
            hd_sheet_add(s, NULL);
        return;
    }
    hd_sheet_addf(s, "%+.1f", 100 * (x.cycles - y.cycles) / y.cycles);
    for (unsigned i = 0; i < 5; i++) {
        hd_sheet_addf(s, "%+.1f", 100 * (one[i] - two[i]) / all);
        // The largest of those that go the way of the whole.
        if ((one[i] - two[i]) * way > (one[most] - two[most]) * way)
            most = i;
    }
    if (x.l1d_accesses > 0 && y.l1d_accesses > 0) {
        hd_sheet_addf(s, "%.1f", 100 * y.l1d_misses / y.l1d_accesses);
        hd_sheet_addf(s, "%.1f", 100 * x.l1d_misses / x.l1d_accesses);
    } else {
        hd_sheet_add(s, "-");
        hd_sheet_add(s, "-");
    }
    if (fabs(x.cycles - y.cycles) < 0.005 * y.cycles)
        hd_sheet_add(s, "hardly any change");
    else
        hd_sheet_addf(s, "%s %s", one[most] < two[most] ? "less" : "more", classes[most]);
}

static bool show_made(struct hd_paper *p, const struct hd_paper_section *f, const struct figure *x,
                      struct hd_diag *d)
{
    static const char *const heads[] = {"APP",        "CYCLES %", "ISSUED",   "IDLE",
                                        "SCOREBOARD", "PIPELINE", "INACTIVE", "L1D MISS %"};
    struct hd_paper_list policies;

    if (!hd_paper_text(f, "made"))
        return true;
    if (!hd_paper_policies(p, f, "made", &policies, d))
        return false;
    for (unsigned k = 0; k < policies.n; k++) {
        const char *name = p->policies[policies.items[k]].label;
        const char *base = p->policies[x->base.items[0]].label;
        struct hd_sheet *s = hd_paper_sheet(
            p, f, name,
            hd_arena_printf(p->arena, "what the change in cycles of %s against %s is made of", name,
                            base),
            "lrrrrrrrrl");
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
            hd_sheet_add(s, heads[i]);
        hd_sheet_addf(s, "%s", name);
        hd_sheet_add(s, "MOSTLY");
        for (unsigned i = 0; i < x->apps.n; i++)
            add_made(p, s, x->apps.items[i], policies.items[k], x->base.items[0]);
        hd_sheet_note(
            s, hd_arena_printf(p->arena,
                               "Classes of scheduler cycles, in %% of those of %s: they sum to "
                               "CYCLES. Below 0: fewer than under %s, so faster. L1D MISS: "
                               "under %s, then under %s.",
                               base, base, base, name));
    }
    return true;
}

static bool show_ipc(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct figure x;
    char layout[HD_TABLE_COLUMNS + 1];

    if (!read_figure(p, f, &x, d))
        return false;
    if (x.policies.n >= HD_TABLE_COLUMNS) {
        hd_diag_add(d, p->path, f->line, 0, "[figure %s]: more than %d policies", f->name,
                    HD_TABLE_COLUMNS - 1);
        return false;
    }
    memset(layout, 'r', x.policies.n + 1);
    layout[0] = 'l';
    layout[x.policies.n + 1] = '\0';
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", hd_arena_strdup(p->arena, layout));
    hd_sheet_add(s, "APP");
    for (unsigned k = 0; k < x.policies.n; k++)
        hd_sheet_add(s, p->policies[x.policies.items[k]].label);
    for (unsigned i = 0; i < x.apps.n; i++) {
        hd_sheet_add(s, p->apps[x.apps.items[i]].label);
        for (unsigned k = 0; k < x.policies.n; k++) {
            double r = ratio(p, x.apps.items[i], x.policies.items[k], x.base.items[0]);
            if (isnan(r))
                hd_sheet_add(s,
                             hd_paper_why(p, x.apps.items[i], x.policies.items[k], HD_PAPER_PLAIN));
            else
                hd_sheet_addf(s, "%.4f", r);
        }
    }
    add_means(p, s, &x, &x.apps, "all");
    if (!add_sets(p, f, s, &x, d))
        return false;
    note_missing(p, s, &x.apps);
    draw(p, f, s, &x);
    return show_made(p, f, &x, d);
}

const struct hd_paper_kind hd_papergains_kinds[] = {{"ipc", plan_ipc, show_ipc, NULL},
                                                    {NULL, NULL, NULL, NULL}};
