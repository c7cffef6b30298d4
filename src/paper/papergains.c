// papergains.c - figures that relate the IPC of policies, and what the text says about them.
//
// A gain is IPC / IPC of the base - 1. Means are over the applications that have both; the paper's
// are taken as arithmetic means of ratios, as the bars of a figure suggest, and the geometric mean
// stands beside them.
#include "paper/paper.h"

#include <math.h>
#include <string.h>

#define AGREES 1.0   // points of a per cent between a claim and ours
#define QUARTER 0.25 // of the claim, if that is more

// IPC of one policy over another's; NAN: not both are there.
static double ratio(const struct hd_paper *p, unsigned app, unsigned policy, unsigned over)
{
    struct hd_paper_sums one = hd_paper_sum(p, app, policy, false);
    struct hd_paper_sums base = hd_paper_sum(p, app, over, false);

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

struct claim {
    struct hd_paper_list apps, policy, over;
    const char *mean;
    bool kernels; // not applications: the paper's unit
    double percent;
};

static bool known(struct hd_paper *p, const struct hd_paper_section *c, const char *key,
                  const char *value, const char *const *words, const char *expected,
                  struct hd_diag *d)
{
    for (; *words; words++)
        if (!strcmp(value, *words))
            return true;
    hd_diag_hint(hd_diag_add(d, p->path, c->line, 0, "[claim %s]: there is no %s '%.60s'", c->name,
                             key, value),
                 "expected %s", expected);
    return false;
}

static bool read_claim(struct hd_paper *p, const struct hd_paper_section *c, struct claim *out,
                       struct hd_diag *d)
{
    static const char *const means[] = {"arithmetic", "geometric", "max", NULL};
    static const char *const units[] = {"applications", "kernels", NULL};
    const char *unit = hd_paper_text(c, "unit");

    if (!hd_paper_apps(p, c, "apps", &out->apps, d) ||
        !hd_paper_policies(p, c, "policy", &out->policy, d) ||
        !hd_paper_policies(p, c, "over", &out->over, d) || !hd_paper_need(p, c, "percent", d))
        return false;
    hd_paper_number(c, "percent", &out->percent);
    out->mean = hd_paper_text(c, "mean");
    out->mean = out->mean ? out->mean : means[0];
    unit = unit ? unit : units[0];
    out->kernels = !strcmp(unit, "kernels");
    return known(p, c, "mean", out->mean, means, "arithmetic, geometric or max", d) &&
           known(p, c, "unit", unit, units, "applications or kernels", d);
}

struct values { // what a claim is a mean of
    double *ratios;
    const char **names;
    unsigned n;
    bool cut; // of runs that a limit ended
};

// Gains over one policy: of the applications, or of their kernels, of which the paper's file says
// how many there are.
static struct values values_of(const struct hd_paper *p, const struct claim *c, unsigned over)
{
    unsigned policy = c->policy.items[0], all = c->apps.n;
    struct values v = {0};

    for (unsigned i = 0; i < c->apps.n && c->kernels; i++)
        all += hd_paper_n_kernels(p, c->apps.items[i]);
    v.ratios = HD_ARRAY(p->arena, double, all + 1);
    v.names = HD_ARRAY(p->arena, const char *, all + 1);
    for (unsigned i = 0; i < c->apps.n; i++) {
        unsigned app = c->apps.items[i];
        struct hd_paper_sums x = hd_paper_sum(p, app, policy, false);
        struct hd_paper_sums y = hd_paper_sum(p, app, over, false);
        v.cut = v.cut || x.cut || y.cut;
        if (!c->kernels) {
            v.names[v.n] = p->apps[app].label;
            v.ratios[v.n++] = ratio(p, app, policy, over);
            continue;
        }
        for (unsigned k = 0; k < hd_paper_n_kernels(p, app); k++) {
            struct hd_paper_kernel one, base;
            bool good = x.good && y.good &&
                        hd_paper_kernel(hd_paper_run(p, app, policy, false), k, &one) &&
                        hd_paper_kernel(hd_paper_run(p, app, over, false), k, &base) &&
                        one.cycles > 0 && base.cycles > 0;
            v.names[v.n] = good ? one.name : "";
            v.ratios[v.n++] = good ? base.cycles / one.cycles : (double)NAN;
        }
    }
    return v;
}

struct claimed { // in points of a per cent
    double ours, less, median, geometric, without;
    const char *most; // on which one it depends most; NULL: on none
    unsigned n, of;
    bool cut;
};

// Mean gain over one policy, or the mean of those over several.
static struct claimed claimed(const struct hd_paper *p, const struct claim *c)
{
    bool geometric = !strcmp(c->mean, "geometric"), max = !strcmp(c->mean, "max");
    struct claimed all = {.ours = max ? -100 : 0};

    for (unsigned i = 0; i < c->over.n; i++) {
        struct values v = values_of(p, c, c->over.items[i]);
        struct hd_paper_means m = hd_paper_means(p->arena, v.ratios, v.n);
        double share = 100.0 / c->over.n;
        double ours = geometric ? m.geometric : m.arithmetic;
        all.ours = max ? fmax(all.ours, 100 * (m.max - 1)) : all.ours + share * (ours - 1);
        all.less += share * ((geometric ? m.geometric_less : m.arithmetic_less) - 1);
        all.without += share * ((geometric ? m.geometric_without : m.arithmetic_without) - 1);
        all.median += share * (m.median - 1);
        all.geometric += share * (m.geometric - 1);
        // The same one over all of them, or it is no single one.
        const char *most = m.n > 2 && !max ? v.names[m.most] : NULL;
        all.most = !i || (most && all.most && !strcmp(most, all.most)) ? most : NULL;
        all.n = m.n;
        all.of = v.n;
        all.cut = all.cut || v.cut;
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

// With the one application or kernel without which the verdict would be another.
static const char *whole_verdict(const struct hd_paper *p, const struct claimed *m, double paper)
{
    const char *with = verdict(m->ours, paper);

    if (m->cut)
        return "limit";
    if (!m->most || !strcmp(with, verdict(m->without, paper)))
        return with;
    return hd_arena_printf(p->arena, "%s only by %s", with, m->most);
}

bool hd_papergains_plan(struct hd_paper *p, const struct hd_paper_section *c, struct hd_diag *d)
{
    struct claim claim;

    if (!read_claim(p, c, &claim, d))
        return false;
    for (unsigned i = 0; i < claim.apps.n; i++) {
        hd_paper_ask(p, claim.apps.items[i], claim.policy.items[0], false);
        for (unsigned k = 0; k < claim.over.n; k++)
            hd_paper_ask(p, claim.apps.items[i], claim.over.items[k], false);
    }
    return true;
}

void hd_papergains_evaluate(struct hd_paper *p, const struct hd_paper_section *c, double *ours,
                            const char **said)
{
    struct claim claim;
    struct hd_diag d = {0};

    if (!read_claim(p, c, &claim, &d))
        return;
    struct claimed m = claimed(p, &claim);
    *ours = m.n ? m.ours : (double)NAN;
    *said = m.n ? whole_verdict(p, &m, claim.percent) : "missing";
}

static void add_percent(struct hd_sheet *s, double v)
{
    if (isnan(v))
        hd_sheet_add(s, NULL);
    else
        hd_sheet_addf(s, "%+.2f", v);
}

static bool show_claim(struct hd_paper *p, const struct hd_paper_section *c, struct hd_sheet *s,
                       struct hd_diag *d)
{
    struct claim claim;

    if (!read_claim(p, c, &claim, d))
        return false;
    struct claimed m = claimed(p, &claim);
    hd_sheet_addf(s, "%s / %s", hd_paper_text(c, "policy"), hd_paper_text(c, "over"));
    hd_sheet_add(s, hd_paper_text(c, "apps"));
    hd_sheet_addf(s, "%u/%u%s", m.n, m.of, claim.kernels ? " kernels" : "");
    hd_sheet_addf(s, "%+.2f", claim.percent);
    hd_sheet_add(s, claim.mean);
    bool max = !strcmp(claim.mean, "max");
    const double cells[] = {m.ours, m.ours - claim.percent, max ? (double)NAN : m.less, m.median,
                            m.geometric};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        add_percent(s, m.n ? cells[i] : (double)NAN);
    hd_sheet_add(s, m.n ? whole_verdict(p, &m, claim.percent) : "missing");
    hd_sheet_add(s, hd_paper_text(c, "place"));
    return true;
}

static bool show_claims(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"GAIN",   "OF",   "APPS",    "PAPER %",
                                        "MEAN",   "OURS", "DIFF",    "LESS 2",
                                        "MEDIAN", "GEO.", "VERDICT", "WHERE THE PAPER SAYS IT"};
    struct hd_sheet *s = NULL;
    const struct hd_paper_section *c;

    for (unsigned i = 0; (c = hd_paper_section(p, "claim", i)); i++) {
        const char *of = hd_paper_text(c, "figure");
        if (!of || strcmp(of, f->name) != 0)
            continue;
        if (!s) {
            s = hd_paper_sheet(p, f, "claims", "what the text says", "llrrlrrrrrll");
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
            "the means. Of kernels: cycles over cycles. OURS: by the paper's mean, or the largest. "
            "LESS 2: the same mean without the two largest. GEO.: geometric mean. APPS: how many "
            "of "
            "the paper's applications or kernels are in it. VERDICT: agrees within a point or a "
            "quarter of the claim; smaller or larger with the same sign; differs. Only by X: "
            "without X alone the verdict would be another.");
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
