// paperverdicts.c - a claim on the results at hand: ours, and whether it agrees. See paperclaims.h.
//
// A gain is a ratio - 1. Means are over the items that have a value under both policies. Against
// several policies a mean is the mean of the means, and an item counts if it does so against each.
#include "paper/paperclaims.h"

#include "base/words.h"
#include "toy/toy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define AGREES 1.0   // point of a per cent, or one of a count, between a claim and ours
#define QUARTER 0.25 // of the claim, if that is more

// A mean in the claim's scale.
static double scaled(const struct hd_paper_claim *c, double v)
{
    return c->over.n && c->scale != HD_PAPER_TIMES && c->scale != HD_PAPER_VALUE ? 100 * (v - 1)
                                                                                 : v;
}

// Values of items under the claim's policy, over those under another one if there is one.
static struct hd_paper_items ratios(const struct hd_paper *p, const struct hd_paper_claim *c,
                                    unsigned over)
{
    struct hd_paper_items v = hd_papermeasures_items(p, c, c->policies.items[0]);

    if (!c->over.n)
        return v;
    struct hd_paper_items base = hd_papermeasures_items(p, c, c->over.items[over]);
    v.cut = v.cut || base.cut;
    v.n = v.n < base.n ? v.n : base.n; // blocks of an SM may be fewer
    for (unsigned i = 0; i < v.n; i++)
        v.values[i] = base.values[i] > 0 ? v.values[i] / base.values[i] : (double)NAN;
    return v;
}

// What the text calls "almost no difference" is 0 %.
static const char *about(const struct hd_paper_claim *c, double ours)
{
    bool times = c->scale == HD_PAPER_TIMES;
    double paper = times ? 100 * (c->paper - 1) : c->paper;
    double mine = times ? 100 * (ours - 1) : ours;
    double least = c->scale == HD_PAPER_VALUE ? 0 : AGREES;
    bool gain = times || (c->scale == HD_PAPER_PERCENT && c->over.n);

    if (fabs(mine - paper) <= fmax(least, QUARTER * fabs(paper)))
        return "agrees";
    if (gain && (fabs(paper) < AGREES || mine * paper <= 0 || fabs(mine) < AGREES / 2))
        return "differs";
    return fabs(mine) < fabs(paper) ? "smaller" : "larger";
}

static const char *judge(const struct hd_paper_claim *c, double ours)
{
    bool holds = c->relation == HD_PAPER_AT_LEAST  ? ours >= c->paper
                 : c->relation == HD_PAPER_AT_MOST ? ours <= c->paper
                                                   : fabs(ours - c->paper) < 1e-9;

    if (c->relation == HD_PAPER_ABOUT)
        return about(c, ours);
    return holds ? "agrees" : ours < c->paper ? "smaller" : "larger";
}

static void judge_number(const struct hd_paper *p, const struct hd_paper_claim *c,
                         struct hd_paper_verdict *v, bool cut)
{
    v->verdict = isnan(v->ours) ? "missing" : cut ? "limit" : judge(c, v->ours);
    if (v->named && c->which && (c->mean == HD_PAPER_MAX || c->mean == HD_PAPER_MIN) &&
        !strcmp(v->verdict, "agrees") && !hd_words_has(c->which, v->named))
        v->verdict = hd_arena_printf(p->arena, "differs in which");
}

// A mean, by itself and without the item that it depends on most.
static void mean(const struct hd_paper *p, const struct hd_paper_claim *c,
                 struct hd_paper_verdict *v)
{
    bool geometric = c->mean == HD_PAPER_GEOMETRIC, cut = false;
    const char *most = NULL;
    double sums[5] = {0}, share = 1.0 / (c->over.n ? c->over.n : 1);

    for (unsigned i = 0; i < c->over.n || !i; i++) {
        struct hd_paper_items items = ratios(p, c, i);
        struct hd_paper_means m = hd_paper_means(p->arena, items.values, items.n);
        const double parts[] = {geometric ? m.geometric : m.arithmetic,
                                geometric ? m.geometric_less : m.arithmetic_less, m.median,
                                m.geometric,
                                geometric ? m.geometric_without : m.arithmetic_without};
        // The same one over all of them, or it is no single one.
        const char *far = m.n > 2 ? items.names[m.most] : NULL;
        most = !i || (far && most && !strcmp(far, most)) ? far : NULL;
        for (int k = 0; k < 5; k++)
            sums[k] += share * scaled(c, parts[k]);
        v->n = m.n;
        v->of = items.n;
        cut = cut || items.cut;
    }
    bool many = v->n > 2;
    v->ours = sums[0];
    v->less = many ? sums[1] : (double)NAN;
    v->median = v->n > 1 ? sums[2] : (double)NAN;
    v->geometric = v->n > 1 ? sums[3] : (double)NAN;
    judge_number(p, c, v, cut);
    if (most && !isnan(v->ours) && !cut && !isnan(sums[4]) &&
        strcmp(v->verdict, judge(c, sums[4])) != 0)
        v->verdict = hd_arena_printf(p->arena, "%s only by %s", v->verdict, most);
}

// The largest or the smallest, over all policies that it is compared with.
static void extreme(const struct hd_paper *p, const struct hd_paper_claim *c,
                    struct hd_paper_verdict *v)
{
    bool max = c->mean == HD_PAPER_MAX, cut = false;

    for (unsigned k = 0; k < c->over.n || !k; k++) {
        struct hd_paper_items items = ratios(p, c, k);
        v->n = 0;
        v->of = items.n;
        cut = cut || items.cut;
        for (unsigned i = 0; i < items.n; i++) {
            double x = scaled(c, items.values[i]);
            v->n += isnan(x) ? 0 : 1;
            if (!isnan(x) && (isnan(v->ours) || (max ? x > v->ours : x < v->ours))) {
                v->ours = x;
                v->named = items.names[i];
            }
        }
    }
    judge_number(p, c, v, cut);
}

// How many items are on the claim's side of its bound, against all policies.
static void count(const struct hd_paper *p, const struct hd_paper_claim *c,
                  struct hd_paper_verdict *v)
{
    struct hd_paper_items items = {0};
    unsigned *holds = NULL, counted = 0;
    bool *known = NULL, cut = false;

    for (unsigned k = 0; k < c->over.n || !k; k++) {
        items = ratios(p, c, k);
        holds = holds ? holds : HD_ARRAY(p->arena, unsigned, items.n + 1);
        known = known ? known : HD_ARRAY(p->arena, bool, items.n + 1);
        v->of = !k || items.n < v->of ? items.n : v->of;
        cut = cut || items.cut;
        for (unsigned i = 0; i < v->of; i++) {
            double x = scaled(c, items.values[i]);
            known[i] = (!k || known[i]) && !isnan(x);
            holds[i] += c->above ? x > c->bound : x < c->bound;
        }
    }
    for (unsigned i = 0; i < v->of; i++) {
        v->n += known[i];
        counted += known[i] && holds[i] == (c->over.n ? c->over.n : 1);
    }
    v->ours = v->n ? counted : (double)NAN;
    judge_number(p, c, v, cut);
}

// How many of the named items are among the largest (or smallest) so many.
static void ranked(const struct hd_paper *p, const struct hd_paper_claim *c,
                   struct hd_paper_verdict *v)
{
    struct hd_paper_items items = ratios(p, c, 0);
    struct hd_out best = {.arena = p->arena};
    unsigned hits = 0, there = 0;

    for (unsigned i = 0; i < items.n; i++) {
        unsigned before = 0;
        v->n += isnan(items.values[i]) ? 0 : 1;
        if (isnan(items.values[i]))
            continue;
        there += hd_words_has(c->which, items.names[i]);
        for (unsigned k = 0; k < items.n; k++)
            before += c->mean == HD_PAPER_TOP ? items.values[k] > items.values[i]
                                              : items.values[k] < items.values[i];
        if (before >= c->largest)
            continue;
        hits += hd_words_has(c->which, items.names[i]);
        hd_out_printf(&best, "%s%s", best.bytes ? " " : "", items.names[i]);
    }
    v->of = items.n;
    v->named = best.text;
    v->ours = there == c->largest ? hits : (double)NAN; // without one of them it is no rank
    judge_number(p, c, v, items.cut);
}

// How often an item has more than the one before.
static void rises(const struct hd_paper *p, const struct hd_paper_claim *c,
                  struct hd_paper_verdict *v)
{
    struct hd_paper_items items = ratios(p, c, 0);
    unsigned n = 0;

    v->of = items.n;
    for (unsigned i = 0; i < items.n; i++) {
        v->n += isnan(items.values[i]) ? 0 : 1;
        n += i && items.values[i] > items.values[i - 1];
    }
    v->ours = v->n ? n : (double)NAN;
    judge_number(p, c, v, items.cut);
}

// Policies by their means: the claim's order, each beside its mean.
static void order(const struct hd_paper *p, const struct hd_paper_claim *c,
                  struct hd_paper_verdict *v)
{
    struct hd_out text = {.arena = p->arena};
    struct hd_paper_claim one = *c;
    double before = HUGE_VAL, all = 0;
    unsigned held = 0;
    bool cut = false;

    one.scale = HD_PAPER_VALUE;
    for (unsigned k = 0; k < c->policies.n; k++) {
        struct hd_paper_list only = {&c->policies.items[k], 1};
        one.policies = only;
        struct hd_paper_items items = ratios(p, &one, 0);
        struct hd_paper_means m = hd_paper_means(p->arena, items.values, items.n);
        double mean = c->mean == HD_PAPER_GEOMETRIC ? m.geometric : m.arithmetic;
        cut = cut || items.cut;
        held += k && mean < before;
        before = mean;
        all += mean; // NAN if one of them is
        v->n = !k || m.n < v->n ? m.n : v->n;
        v->of = items.n;
        hd_out_printf(&text, "%s%s %.4g", k ? ", " : "", p->policies[only.items[0]].label, mean);
    }
    v->named = isnan(all) ? NULL : text.text;
    v->ours = isnan(all) ? (double)NAN : held;
    v->verdict = isnan(all)                  ? "missing"
                 : cut                       ? "limit"
                 : held + 1 == c->policies.n ? "agrees"
                                             : "differs";
}

// In how many of the claim's cycles the warps that it names were issued, one after the other.
static double issues(const struct hd_paper_claim *c, const struct hd_toy *toy,
                     const struct hd_toy_result *r)
{
    const char *word = c->which;
    unsigned n = 0;

    for (unsigned cycle = c->from; cycle <= c->to && *(word += strspn(word, " ")); cycle++) {
        char *end;
        unsigned long warp = strtoul(word, &end, 10);
        for (size_t i = 0; end != word && i < r->n_issues; i++)
            n += r->issues[i].cycle == cycle && r->issues[i].warp + toy->number == warp;
        word += strcspn(word, " ");
    }
    return n;
}

// The cycles, stalls or issues of a row of a worked example; NAN: there is no such row.
static double toy_row(const struct hd_paper *p, const struct hd_paper_claim *c, const char *label)
{
    const char *of = hd_paper_text(c->section, "of"), *toy_name = hd_paper_text(c->figure, "toy");
    struct hd_diag d = {0};
    const struct hd_toy *toy = toy_name ? hd_toy_load(p->arena, toy_name, &d) : NULL;

    for (size_t i = 0; toy && i < c->figure->n; i++) {
        const char *value = c->figure->pairs[i].value;
        struct hd_toy_options o = {0};
        struct hd_toy_result r;
        if (strncmp(c->figure->pairs[i].key, "row.", 4) != 0 ||
            strcmp(hd_paper_field(p->arena, value, 0), label) != 0 ||
            !hd_registry_parse_slot(p->arena, HD_SLOT_SCHED, hd_paper_field(p->arena, value, 1),
                                    &o.sched, &d))
            continue;
        hd_toy_run(p->arena, toy, &o, &r);
        if (!strcmp(of, "issues"))
            return issues(c, toy, &r);
        return (double)(strcmp(of, "cycles") != 0 ? r.stalls : r.finish);
    }
    return (double)NAN;
}

static const struct hd_paper_verdict nothing = {
    .ours = (double)NAN, .less = (double)NAN, .median = (double)NAN, .geometric = (double)NAN};

// A claim that speaks of inputs of another size only.
static bool other_size(const struct hd_paper *p, const struct hd_paper_claim *c)
{
    const char *size = hd_paper_text(c->section, "size");

    return size && strcmp(size, "any") != 0 && strcmp(size, p->size) != 0;
}

static void measured(const struct hd_paper *p, const struct hd_paper_claim *c,
                     struct hd_paper_verdict *v)
{
    if (c->mean <= HD_PAPER_GEOMETRIC)
        mean(p, c, v);
    else if (c->mean <= HD_PAPER_MIN)
        extreme(p, c, v);
    else if (c->mean == HD_PAPER_COUNT)
        count(p, c, v);
    else if (c->mean == HD_PAPER_RISES)
        rises(p, c, v);
    else
        ranked(p, c, v);
}

// Of claims that measure something.
static void sum(const struct hd_paper *p, const struct hd_paper_claim *c,
                struct hd_paper_verdict *v)
{
    const struct hd_paper_claim *term;
    const char *name;
    bool minus, cut = false;
    double all = 0;

    for (unsigned i = 0; (term = hd_paperclaims_term(p, c->word, i, &minus, &name)); i++) {
        struct hd_paper_verdict one = nothing;
        if (other_size(p, term)) {
            v->verdict = "other size";
            return;
        }
        measured(p, term, &one);
        cut = cut || !strcmp(one.verdict, "limit");
        all += minus ? -one.ours : one.ours; // NAN if one of them is
        v->n = !i || one.n < v->n ? one.n : v->n;
        v->of = !i || one.of > v->of ? one.of : v->of;
    }
    v->ours = all;
    judge_number(p, c, v, cut);
}

static void other_form(const struct hd_paper *p, const struct hd_paper_claim *c,
                       struct hd_paper_verdict *v)
{
    const char *minus = hd_paper_text(c->section, "minus");
    struct hd_paper_cells cells = {.exactly = c->relation == HD_PAPER_EXACTLY};
    struct hd_diag d = {0};
    struct hd_paper copy = *p; // showing a figure would add sheets; comparing its cells does not

    if (c->form == HD_PAPER_TABLE) {
        const struct hd_paper_kind *kind = hd_paper_kind(p, c->figure, &d);
        if (kind && kind->cells && kind->cells(&copy, c->figure, &cells, &d)) {
            v->n = cells.n;
            v->of = cells.of;
            v->ours = cells.n ? cells.same : (double)NAN;
        }
        v->verdict = !v->n ? "missing" : cells.same == cells.of ? "agrees" : "differs";
        return;
    }
    if (c->form == HD_PAPER_FORMULA)
        hd_paperformula_value(p, c->section, c->word, &v->ours, &d);
    else
        v->ours = toy_row(p, c, c->word) - (minus ? toy_row(p, c, minus) : 0);
    v->n = v->of = 1;
    judge_number(p, c, v, false);
}

struct hd_paper_verdict hd_paperverdicts_evaluate(const struct hd_paper *p,
                                                  const struct hd_paper_claim *c)
{
    struct hd_paper_verdict v = nothing;

    if (c->form == HD_PAPER_UNTESTED)
        v.verdict = "untested";
    else if (other_size(p, c))
        v.verdict = "other size";
    else if (c->form == HD_PAPER_ORDER)
        order(p, c, &v);
    else if (c->form == HD_PAPER_SUM)
        sum(p, c, &v);
    else if (c->form != HD_PAPER_MEASURED)
        other_form(p, c, &v);
    else
        measured(p, c, &v);
    v.agrees = !strncmp(v.verdict, "agrees", 6);
    return v;
}

const char *hd_paperverdicts_number(struct hd_arena *a, const struct hd_paper_claim *c, double v)
{
    char text[64];

    if (isnan(v))
        return NULL;
    if (c->scale == HD_PAPER_PERCENT && !c->over.n) // a share, not a gain
        snprintf(text, sizeof text, "%.2f %%", v);
    else if (c->scale == HD_PAPER_PERCENT)
        snprintf(text, sizeof text, "%+.2f %%", v);
    else if (c->scale == HD_PAPER_TIMES)
        snprintf(text, sizeof text, "x %.3f", v);
    else
        snprintf(text, sizeof text, "%.6g", v);
    return hd_arena_strdup(a, text);
}
