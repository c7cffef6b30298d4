// papergains.c - figures that relate the IPC of policies, and what the text says about them.
//
// A gain is IPC / IPC of the base - 1. Means are over the applications that have both; the paper's
// are taken as arithmetic means of ratios, as the bars of a figure suggest, and the geometric mean
// stands beside them.
#include "study/paper.h"

#include <math.h>
#include <string.h>

#define AGREES 1.0   // points of a per cent between a claim and ours
#define QUARTER 0.25 // of the claim, if that is more

struct means {
    unsigned n;
    double arithmetic, geometric, max; // of the ratios
};

// IPC of one policy over another's; NAN: not both are there.
static double ratio(const struct hd_paper *p, unsigned app, unsigned policy, unsigned over)
{
    struct hd_paper_sums one = hd_paper_sum(p, app, policy, false);
    struct hd_paper_sums base = hd_paper_sum(p, app, over, false);

    if (!one.good || !base.good)
        return (double)NAN;
    return one.insts / one.cycles / (base.insts / base.cycles);
}

static struct means mean_of(const struct hd_paper *p, const struct hd_paper_list *apps,
                            unsigned policy, unsigned over)
{
    struct means m = {0};
    double sum = 0, logs = 0;

    for (unsigned i = 0; i < apps->n; i++) {
        double r = ratio(p, apps->items[i], policy, over);
        if (isnan(r))
            continue;
        sum += r;
        logs += log(r);
        m.max = r > m.max ? r : m.max;
        m.n++;
    }
    m.arithmetic = m.n ? sum / m.n : (double)NAN;
    m.geometric = m.n ? exp(logs / m.n) : (double)NAN;
    return m;
}

struct figure {
    struct hd_paper_list apps, policies, base;
};

static bool read_figure(struct hd_paper *p, const struct hd_paper_section *f, struct figure *out,
                        struct hd_diag *d)
{
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
        hd_paper_ask(p, x.apps.items[i], x.base.items[0], false);
        for (unsigned k = 0; k < x.policies.n; k++)
            hd_paper_ask(p, x.apps.items[i], x.policies.items[k], false);
    }
    return true;
}

static void add_means(struct hd_paper *p, struct hd_sheet *s, const struct figure *x,
                      const struct hd_paper_list *apps, const char *name)
{
    for (int geometric = 0; geometric < 2; geometric++) {
        struct means first = mean_of(p, apps, x->policies.items[0], x->base.items[0]);
        hd_sheet_addf(s, "%s mean, %s (%u of %u)", geometric ? "geo." : "arith.", name, first.n,
                      apps->n);
        for (unsigned k = 0; k < x->policies.n; k++) {
            struct means m = mean_of(p, apps, x->policies.items[k], x->base.items[0]);
            if (m.n)
                hd_sheet_addf(s, "%.4f", geometric ? m.geometric : m.arithmetic);
            else
                hd_sheet_add(s, NULL);
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
        c->series[k] = p->policies[x->policies.items[k]].label;
        c->values[x->apps.n * x->policies.n + k] =
            mean_of(p, &x->apps, x->policies.items[k], x->base.items[0]).arithmetic;
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

// Mean gain over one policy, or the mean of those over several.
static struct means claimed(const struct hd_paper *p, const struct hd_paper_list *apps,
                            unsigned policy, const struct hd_paper_list *over)
{
    struct means all = {0};

    for (unsigned i = 0; i < over->n; i++) {
        struct means m = mean_of(p, apps, policy, over->items[i]);
        all.n = m.n;
        all.arithmetic += m.arithmetic / over->n;
        all.geometric += m.geometric / over->n;
        all.max = m.max > all.max ? m.max : all.max;
    }
    return all;
}

// In points of a per cent. What a paper calls "almost no difference" is 0 there.
static const char *verdict(double ours, double paper)
{
    if (fabs(ours - paper) <= fmax(AGREES, QUARTER * fabs(paper)))
        return "agrees";
    if (fabs(paper) < AGREES || ours * paper <= 0 || fabs(ours) < AGREES / 2)
        return "differs";
    return fabs(ours) < fabs(paper) ? "smaller" : "larger";
}

static bool show_claim(struct hd_paper *p, const struct hd_paper_section *c, struct hd_sheet *s,
                       struct hd_diag *d)
{
    struct hd_paper_list apps, policy, over;
    double paper = 0;

    if (!hd_paper_apps(p, c, "apps", &apps, d) || !hd_paper_policies(p, c, "policy", &policy, d) ||
        !hd_paper_policies(p, c, "over", &over, d) || !hd_paper_need(p, c, "percent", d))
        return false;
    hd_paper_number(c, "percent", &paper);
    const char *mean = hd_paper_text(c, "mean");
    mean = mean ? mean : "arithmetic";
    if (strcmp(mean, "arithmetic") != 0 && strcmp(mean, "geometric") != 0 &&
        strcmp(mean, "max") != 0) {
        hd_diag_hint(hd_diag_add(d, p->path, c->line, 0, "[claim %s]: there is no mean '%.60s'",
                                 c->name, mean),
                     "expected arithmetic, geometric or max");
        return false;
    }
    struct means m = claimed(p, &apps, policy.items[0], &over);
    hd_sheet_addf(s, "%s / %s", hd_paper_text(c, "policy"), hd_paper_text(c, "over"));
    hd_sheet_add(s, hd_paper_text(c, "apps"));
    hd_sheet_addf(s, "%u/%u", m.n, apps.n);
    hd_sheet_addf(s, "%+.2f", paper);
    double ours = !strcmp(mean, "arithmetic") ? m.arithmetic
                  : !strcmp(mean, "max")      ? m.max
                                              : m.geometric;
    hd_sheet_add(s, mean);
    if (m.n) {
        hd_sheet_addf(s, "%+.2f", 100 * (ours - 1));
        hd_sheet_addf(s, "%+.2f", 100 * (ours - 1) - paper);
        hd_sheet_addf(s, "%+.2f", 100 * (m.geometric - 1));
        hd_sheet_add(s, verdict(100 * (ours - 1), paper));
    } else {
        for (int i = 0; i < 3; i++)
            hd_sheet_add(s, NULL);
        hd_sheet_add(s, "missing");
    }
    hd_sheet_add(s, hd_paper_text(c, "place"));
    return true;
}

static bool show_claims(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {
        "GAIN", "OF",   "APPS", "PAPER %", "MEAN",
        "OURS", "DIFF", "GEO.", "VERDICT", "WHERE THE PAPER SAYS IT"};
    struct hd_sheet *s = NULL;
    const struct hd_paper_section *c;

    for (unsigned i = 0; (c = hd_paper_section(p, "claim", i)); i++) {
        const char *of = hd_paper_text(c, "figure");
        if (!of || strcmp(of, f->name) != 0)
            continue;
        if (!s) {
            s = hd_paper_sheet(p, f, "claims", "what the text says", "llrrlrrrll");
            for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
                hd_sheet_add(s, heads[k]);
        }
        if (!show_claim(p, c, s, d))
            return false;
    }
    if (s)
        hd_sheet_note(
            s,
            "GAIN: IPC over IPC, mean of the ratios - 1, in %; over several policies, the mean of "
            "the means. OURS: by the paper's mean, or the largest. GEO.: geometric mean. APPS: how "
            "many of the paper's applications are in it. VERDICT: agrees within a point or a "
            "quarter of the claim; "
            "smaller "
            "or larger with the same sign; differs.");
    for (unsigned i = 0; s && (c = hd_paper_section(p, "claim", i)); i++) {
        const char *of = hd_paper_text(c, "figure"), *why = hd_paper_text(c, "why");
        if (of && why && !strcmp(of, f->name))
            hd_sheet_note(s, hd_arena_printf(p->arena, "%s over %s, %s: %s",
                                             hd_paper_text(c, "policy"), hd_paper_text(c, "over"),
                                             hd_paper_text(c, "apps"), why));
    }
    return true;
}

// What a policy's change in cycles against the base is made of, application by application: parts
// of the base's cycles that sum to the change, exactly.
static void add_made(struct hd_paper *p, struct hd_sheet *s, unsigned app, unsigned policy,
                     unsigned base)
{
    static const char *const classes[] = {"issued", "idle", "scoreboard", "pipeline", "inactive"};
    struct hd_paper_sums x = hd_paper_sum(p, app, policy, false);
    struct hd_paper_sums y = hd_paper_sum(p, app, base, false);
    const double one[] = {x.issued, x.idle, x.scoreboard, x.pipeline, x.inactive};
    const double two[] = {y.issued, y.idle, y.scoreboard, y.pipeline, y.inactive};
    double all = y.issued + y.idle + y.scoreboard + y.pipeline + y.inactive;
    double way = x.cycles < y.cycles ? -1 : 1;
    unsigned most = 0;

    hd_sheet_add(s, p->apps[app].label);
    if (!x.good || !y.good) {
        hd_sheet_add(s, hd_paper_why(p, app, policy, false));
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
                hd_sheet_add(s, hd_paper_why(p, x.apps.items[i], x.policies.items[k], false));
            else
                hd_sheet_addf(s, "%.4f", r);
        }
    }
    add_means(p, s, &x, &x.apps, "all");
    if (!add_sets(p, f, s, &x, d))
        return false;
    note_missing(p, s, &x.apps);
    draw(p, f, s, &x);
    return show_claims(p, f, d) && show_made(p, f, &x, d);
}

const struct hd_paper_kind hd_papergains_kinds[] = {{"ipc", plan_ipc, show_ipc},
                                                    {NULL, NULL, NULL}};
