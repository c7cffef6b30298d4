// readingssheets.c - what the readings came to, as tables and figures. See readings.h.
#include "paper/readings.h"

#include <math.h>
#include <string.h>

#define STRIP 41 // characters

static const char *const units[] = {"in per cent", "as ratios", "as values", "as counts"};

static const char *number(const struct hd_readings *r, const struct hd_readings_claim *c, double v)
{
    struct hd_paper_claim scaled = *c->claim;

    scaled.scale = c->scale;
    return hd_paperverdicts_number(r->paper->arena, &scaled, v);
}

// How far apart two of its values are.
static const char *distance(const struct hd_readings *r, const struct hd_readings_claim *c,
                            const char *sign, double v)
{
    int digits = c->scale == HD_PAPER_NUMBER ? 0 : c->scale == HD_PAPER_PERCENT ? 2 : 3;

    return hd_arena_printf(r->paper->arena, "%s%.*f", v < 0 ? "-" : sign, digits, fabs(v));
}

static bool has_number(const struct hd_readings_result *x)
{
    return x->applies && x->good && !isnan(x->ours);
}

// From the least to the most of readings and paper.
static void extent(const struct hd_readings_result *results, size_t n, double paper, double *from,
                   double *to)
{
    *from = *to = paper;
    for (size_t i = 0; i < n; i++)
        if (has_number(&results[i])) {
            *from = fmin(*from, results[i].ours);
            *to = fmax(*to, results[i].ours);
        }
}

const char *hd_readingssheets_strip(struct hd_arena *a, const struct hd_readings_result *results,
                                    size_t n, double paper)
{
    char *strip = hd_arena_get(a, STRIP + 1, 1);
    double from, to;

    extent(results, n, paper, &from, &to);
    double step = to > from ? (STRIP - 1) / (to - from) : 0;
    memset(strip, '-', STRIP);
    for (size_t i = n; i--;) { // the default last: its mark stays
        char *at = &strip[has_number(&results[i]) ? lround((results[i].ours - from) * step) : 0];
        if (has_number(&results[i]))
            *at = !i ? 'o' : *at == '-' ? '.' : ':';
    }
    char *mark = &strip[lround((paper - from) * step)];
    *mark = *mark == '-' ? 'P' : '@';
    return strip;
}

// The axis whose readings alone move the claim farthest: "order, 4.21".
static const char *moved_by(const struct hd_readings *r, const struct hd_readings_claim *c)
{
    double *moves = HD_ARRAY(r->paper->arena, double, r->n_axes + 1);

    hd_readingsdesign_moves(&r->points, c->results, r->n_axes, moves);
    unsigned most = hd_readingsdesign_largest(moves, r->n_axes);
    if (most == r->n_axes)
        return "none";
    return hd_arena_printf(r->paper->arena, "%s, %s", r->axes[most].name,
                           distance(r, c, "", moves[most]));
}

static void add_claim(const struct hd_readings *r, const struct hd_readings_claim *c,
                      struct hd_sheet *s)
{
    static const char *const relations[] = {"", "at least ", "at most ", ""};
    const struct hd_readings_result *first = &c->results[0];
    struct hd_readings_range range =
        hd_readingsdesign_range(r->paper->arena, c->results, r->points.n);
    const char *place = c->claim->place;

    hd_sheet_add(s, c->claim->id);
    hd_sheet_add(s, hd_paperclaimsheet_subject(r->paper, c->claim));
    hd_sheet_addf(s, "%s%s", relations[c->claim->relation], number(r, c, c->paper));
    hd_sheet_add(s, number(r, c, first->good ? first->ours : (double)NAN));
    hd_sheet_add(s, first->good ? first->verdict : "missing");
    hd_sheet_add(s, number(r, c, range.least));
    hd_sheet_add(s, number(r, c, range.median));
    hd_sheet_add(s, number(r, c, range.most));
    hd_sheet_addf(s, "%u of %u", range.agree, range.n);
    hd_sheet_add(s, moved_by(r, c));
    hd_sheet_add(s, hd_readingssheets_strip(r->paper->arena, c->results, r->points.n, c->paper));
    hd_sheet_add(s, place ? place : "");
}

static void draw(const struct hd_readings *r, struct hd_sheet *s, enum hd_paper_scale scale,
                 unsigned rows)
{
    struct hd_chart *chart = hd_sheet_chart(s, HD_CHART_DOTS, rows, 3);
    double from = (double)NAN, to = (double)NAN;
    unsigned row = 0;

    chart->series[0] = "a reading";
    chart->series[1] = "the default reading";
    chart->series[2] = "the paper";
    chart->x_label = units[scale];
    chart->spans = HD_ARRAY(s->arena, struct hd_chart_span, rows * (r->points.n + 1) + 1);
    for (unsigned i = 0; i < r->n_claims; i++) {
        const struct hd_readings_claim *c = &r->claims[i];
        double least, most, paper = c->paper;
        if (c->scale != scale)
            continue;
        extent(c->results, r->points.n, paper, &least, &most);
        from = fmin(from, least); // a NAN is no number to them
        to = fmax(to, most);
        chart->labels[row] = c->claim->id;
        for (size_t k = 0; k < r->points.n; k++)
            if (has_number(&c->results[k]))
                chart->spans[chart->n_spans++] =
                    (struct hd_chart_span){row, k ? 0 : 1, c->results[k].ours, c->results[k].ours};
        chart->spans[chart->n_spans++] = (struct hd_chart_span){row++, 2, paper, paper};
    }
    double margin = to > from ? (to - from) * 0.04 : 1;
    chart->from = from - margin;
    chart->to = to + margin;
}

static void add_scale(const struct hd_readings *r, enum hd_paper_scale scale)
{
    static const char *const names[] = {"percent", "ratios", "values", "counts"};
    static const char *const heads[] = {
        "CLAIM",  "OF",   "PAPER", "DEFAULT",       "VERDICT",  "LEAST",
        "MEDIAN", "MOST", "AGREE", "MOVED MOST BY", "READINGS", "WHERE THE PAPER SAYS IT"};
    struct hd_arena *a = r->paper->arena;
    unsigned rows = 0;

    for (unsigned i = 0; i < r->n_claims; i++)
        rows += r->claims[i].scale == scale;
    if (!rows)
        return;
    struct hd_sheet *s = hd_sheet_new(
        &r->paper->sheets, hd_arena_printf(a, "readings-%s", names[scale]),
        hd_arena_printf(a, "How far readings of the paper move its claims, %s", units[scale]),
        "llrrlrrrrlll");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (unsigned i = 0; i < r->n_claims; i++)
        if (r->claims[i].scale == scale)
            add_claim(r, &r->claims[i], s);
    hd_sheet_note(s, "DEFAULT: under the readings that the paper's text supports best. LEAST, "
                     "MEDIAN, MOST and AGREE: over all readings tried that can move the claim. "
                     "MOVED MOST BY: the axis whose readings, alone, move it farthest from the "
                     "default, and how far.");
    hd_sheet_note(s, "READINGS: each line from its least to its greatest number; P the paper's, o "
                     "the default, . one reading, : several, @ the paper's where ours are.");
    draw(r, s, scale, rows);
}

static void add_axes(const struct hd_readings *r)
{
    static const char *const heads[] = {"AXIS", "READING", "CHANGES", "STRENGTH", "WORDS"};
    struct hd_sheet *s = hd_sheet_new(&r->paper->sheets, "axes",
                                      "What the paper leaves open, and its readings", "lllrl");

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (unsigned i = 0; i < r->n_axes; i++) {
        const struct hd_readings_axis *axis = &r->axes[i];
        hd_sheet_addf(s, "%s: %s", axis->name, axis->title);
        hd_sheet_add(s, axis->base);
        hd_sheet_add(s, "default");
        hd_sheet_addf(s, "%.2f", r->strength[i]);
        hd_sheet_add(s, axis->says ? axis->says : "");
        for (unsigned k = 0; k < axis->n; k++) {
            const struct hd_readings_value *v = &axis->values[k];
            hd_sheet_add(s, NULL);
            hd_sheet_addf(s, "%s: %s", v->name, v->title);
            hd_sheet_add(s, hd_readingsaxes_changes(r, v));
            hd_sheet_add(s, NULL);
            hd_sheet_add(s, v->says);
        }
    }
    hd_sheet_note(s, "STRENGTH: how far the readings of the axis, alone, move the claims, summed "
                     "over them; 1 is as much as a claim may differ and still agree.");
    if (r->full)
        hd_sheet_note(s, "Tried: the default, each reading alone, and each pair of readings of two "
                         "axes that can both hold.");
    else if (r->paired)
        hd_sheet_note(s, hd_arena_printf(r->paper->arena,
                                         "Tried: the default, each reading alone, and the pairs of "
                                         "readings of the two strongest axes, %s and %s.",
                                         r->axes[r->strongest[0]].name,
                                         r->axes[r->strongest[1]].name));
    else
        hd_sheet_note(s, "Tried: the default and each reading alone. Fewer than two axes move a "
                         "claim, so there are no pairs.");
    struct hd_out names = {.arena = r->paper->arena};
    for (size_t i = 0; i < r->n_left_out; i++)
        hd_out_printf(&names, "%s%s", i ? ", " : "", r->left_out[i]);
    if (r->n_left_out)
        hd_sheet_note(s, hd_arena_printf(r->paper->arena,
                                         "Left out with inputs of size %s: %s; --readings=full "
                                         "tries them, and all pairs.",
                                         r->paper->size, names.text));
}

static void add_values(const struct hd_readings *r)
{
    static const char *const heads[] = {"CLAIM", "READING", "OURS", "DIFF", "VERDICT"};
    struct hd_sheet *s = hd_sheet_new(&r->paper->sheets, "values",
                                      "Each claim under each reading that can move it", "llrrl");

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (unsigned i = 0; i < r->n_claims; i++) {
        const struct hd_readings_claim *c = &r->claims[i];
        for (size_t k = 0; k < r->points.n; k++) {
            const struct hd_readings_result *x = &c->results[k];
            if (!x->applies)
                continue;
            hd_sheet_add(s, c->claim->id);
            hd_sheet_add(s, hd_readings_name(r, k));
            hd_sheet_add(s, number(r, c, x->good ? x->ours : (double)NAN));
            if (k && has_number(x) && has_number(&c->results[0]))
                hd_sheet_add(s, distance(r, c, "+", x->ours - c->results[0].ours));
            else
                hd_sheet_add(s, NULL);
            hd_sheet_add(s, x->verdict);
        }
    }
    hd_sheet_note(s, "DIFF: from the default reading.");
}

// Claims that hold whatever is read, that depend on it, and that never hold.
static const char *summary(const struct hd_readings *r)
{
    unsigned always = 0, never = 0, unknown = 0;

    for (unsigned i = 0; i < r->n_claims; i++) {
        struct hd_readings_range range =
            hd_readingsdesign_range(r->paper->arena, r->claims[i].results, r->points.n);
        always += range.n && range.agree == range.n;
        never += range.n && !range.agree;
        unknown += !range.n;
    }
    return hd_arena_printf(r->paper->arena,
                           "Of %u claims %u agree under every reading tried, %u under some, %u "
                           "under none; %u cannot be checked.",
                           r->n_claims, always, r->n_claims - always - never - unknown, never,
                           unknown);
}

void hd_readingssheets_make(struct hd_readings *r)
{
    r->paper->sheets.arena = r->paper->arena;
    for (int scale = HD_PAPER_PERCENT; scale <= HD_PAPER_NUMBER; scale++)
        add_scale(r, (enum hd_paper_scale)scale);
    struct hd_sheet *last = r->paper->sheets.items[r->paper->sheets.n - 1];
    hd_sheet_note(last, summary(r));
    if (hd_study_limit(&r->paper->study))
        hd_sheet_note(last, hd_study_limit(&r->paper->study));
    if (r->n_still)
        hd_sheet_note(last,
                      hd_arena_printf(r->paper->arena, "Not here: %u claim%s that need%s no run.",
                                      r->n_still, r->n_still == 1 ? "" : "s",
                                      r->n_still == 1 ? "s" : ""));
    if (r->n_costly)
        hd_sheet_note(last,
                      hd_arena_printf(r->paper->arena,
                                      "Left out: %u claim%s that only --readings=full or --claim "
                                      "judges, because of the runs that %s.",
                                      r->n_costly, r->n_costly == 1 ? "" : "s",
                                      r->n_costly == 1 ? "it takes" : "they take"));
    add_axes(r);
    add_values(r);
}
