// paperclaimsheet.c - all claims with their verdicts, and the sentences that they come from. See
// paperclaims.h.
#include "paper/paperclaims.h"

#include <math.h>
#include <string.h>

static const char *relation(const struct hd_paper_claim *c)
{
    return c->relation == HD_PAPER_AT_LEAST  ? "at least "
           : c->relation == HD_PAPER_AT_MOST ? "at most "
                                             : "";
}

static const char *key(const struct hd_paper_claim *c, const char *name)
{
    const char *value = hd_paper_text(c->section, name);

    return value ? value : "";
}

const char *hd_paperclaimsheet_subject(const struct hd_paper *p, const struct hd_paper_claim *c)
{
    const char *measure = c->measure ? hd_papermeasures_name(c->measure) : "";
    struct hd_out o = {.arena = p->arena};

    if (c->form == HD_PAPER_UNTESTED)
        return NULL;
    if (c->form == HD_PAPER_FORMULA || c->form == HD_PAPER_SUM)
        return c->word;
    if (c->form == HD_PAPER_TABLE)
        return hd_arena_printf(p->arena, "cells of %s", c->figure->name);
    if (c->form == HD_PAPER_TOY)
        return hd_arena_printf(p->arena, "%s of %s%s%s", key(c, "of"), c->word,
                               *key(c, "minus") ? " - " : "", key(c, "minus"));
    if (strcmp(measure, "ipc") != 0 && strcmp(measure, "speed") != 0)
        hd_out_printf(&o, "%s, ", measure);
    hd_out_printf(&o, "%s", key(c, c->form == HD_PAPER_ORDER ? "order" : "policy"));
    if (c->over.n)
        hd_out_printf(&o, " / %s", key(c, "over"));
    hd_out_printf(&o, ", %s", key(c, "apps"));
    if (*key(c, "items"))
        hd_out_printf(&o, " %s", key(c, "items"));
    return o.text;
}

static const char *how(const struct hd_paper *p, const struct hd_paper_claim *c)
{
    if (c->form == HD_PAPER_ORDER)
        return "order";
    if (c->form != HD_PAPER_MEASURED)
        return NULL;
    if (c->mean == HD_PAPER_COUNT)
        return hd_arena_printf(p->arena, "%s %s", c->above ? "above" : "below",
                               key(c, c->above ? "above" : "below"));
    if (c->apps.n == 1 && c->unit == HD_PAPER_APPLICATIONS)
        return NULL;
    return *key(c, "mean") ? key(c, "mean") : "arithmetic";
}

// Four digits, or all of a whole number.
static const char *difference(struct hd_arena *a, double v)
{
    bool whole = v == floor(v) && fabs(v) < 1e15;

    return hd_arena_printf(a, whole ? "%+.0f" : "%+.4g", v);
}

static void add_claim(struct hd_paper *p, struct hd_sheet *s, const struct hd_paper_claim *c)
{
    static const char *const units[] = {"", " kernels", " blocks", " warps"};
    struct hd_paper_verdict v = hd_paperverdicts_evaluate(p, c);
    bool number = c->form != HD_PAPER_UNTESTED && c->form != HD_PAPER_ORDER;
    double paper = c->form == HD_PAPER_TABLE && v.of ? v.of : c->paper;
    bool known = number && (c->form != HD_PAPER_TABLE || v.of);

    hd_sheet_add(s, c->id);
    hd_sheet_add(s, hd_paperclaimsheet_subject(p, c));
    hd_sheet_add(s, how(p, c));
    if (v.of && (c->form == HD_PAPER_MEASURED || c->form == HD_PAPER_ORDER))
        hd_sheet_addf(s, "%u/%u%s", v.n, v.of, units[c->unit]);
    else
        hd_sheet_add(s, NULL);
    hd_sheet_add(s, known ? hd_arena_printf(p->arena, "%s%s", relation(c),
                                            hd_paperverdicts_number(p->arena, c, paper))
                          : NULL);
    hd_sheet_add(s, number ? hd_paperverdicts_number(p->arena, c, v.ours) : NULL);
    hd_sheet_add(s, known && !isnan(v.ours) ? difference(p->arena, v.ours - paper) : NULL);
    hd_sheet_add(s, v.named);
    hd_sheet_add(s, hd_paperverdicts_number(p->arena, c, v.less));
    hd_sheet_add(s, hd_paperverdicts_number(p->arena, c, v.median));
    hd_sheet_add(s, hd_paperverdicts_number(p->arena, c, v.geometric));
    hd_sheet_add(s, v.verdict);
}

static void add_sentence(struct hd_paper *p, struct hd_sheet *s, const struct hd_paper_claim *c)
{
    const char *untested = c->form == HD_PAPER_UNTESTED ? c->word : NULL;

    hd_sheet_add(s, c->id);
    hd_sheet_add(s, c->place);
    hd_sheet_add(s, c->says ? hd_arena_printf(p->arena, "\"%s\"", c->says) : NULL);
    hd_sheet_add(s, untested ? hd_arena_printf(p->arena, "Not tested: %s", untested) : c->why);
}

// A sheet of the claims that are shown, with its heads; NULL: none is.
static struct hd_sheet *sheet_of_claims(struct hd_paper *p, const char *id, const char *title,
                                        const char *columns, const char *const *heads)
{
    unsigned any = 0;

    for (unsigned i = 0; i < p->n_claims; i++)
        any += hd_paperclaims_chosen(p, &p->claims[i]);
    if (!any)
        return NULL;
    struct hd_sheet *s = hd_sheet_new(&p->sheets, id, title, columns);
    for (size_t k = 0; columns[k]; k++)
        hd_sheet_add(s, heads[k]);
    return s;
}

void hd_paperclaimsheet_verdicts(struct hd_paper *p)
{
    static const char *const heads[] = {"CLAIM", "OF",    "HOW",    "ITEMS",  "PAPER", "OURS",
                                        "DIFF",  "WHICH", "LESS 2", "MEDIAN", "GEO.",  "VERDICT"};
    struct hd_sheet *s = sheet_of_claims(p, "claims", "The paper's claims", "lllrrrrlrrrl", heads);

    if (!s)
        return;
    for (unsigned i = 0; i < p->n_claims; i++)
        if (hd_paperclaims_chosen(p, &p->claims[i]))
            add_claim(p, s, &p->claims[i]);
    hd_sheet_note(
        s, "OF: what is compared: IPC if nothing is said, of kernels their cycles; A / B: the "
           "ratio, as a gain in %; over several policies, the mean of the means. HOW: mean, "
           "largest, or how many items are above or below. ITEMS: how many of the paper's are in "
           "it. LESS 2: the same mean without the two largest. GEO.: geometric mean. VERDICT: "
           "agrees within a point (one, if it is a count) or a quarter of the claim; smaller or "
           "larger with the same sign; differs; untested: heddle cannot test it. Only by X: "
           "without X alone the verdict would be another.");
    if (hd_study_limit(&p->study))
        hd_sheet_note(s, hd_study_limit(&p->study));
}

void hd_paperclaimsheet_sentences(struct hd_paper *p)
{
    static const char *const heads[] = {"CLAIM", "PLACE", "THE PAPER SAYS", "WHAT WE FOUND"};
    struct hd_sheet *s =
        sheet_of_claims(p, "sentences", "The sentences they come from", "llll", heads);

    for (unsigned i = 0; s && i < p->n_claims; i++)
        if (hd_paperclaims_chosen(p, &p->claims[i]))
            add_sentence(p, s, &p->claims[i]);
}

void hd_paperclaimsheet_summary(const struct hd_paper *p, struct hd_out *o)
{
    static const char *const verdicts[][2] = {
        {"agrees", "agree"},
        {"smaller", "come out smaller"},
        {"larger", "come out larger"},
        {"differs", "come out differently"},
        {"limit", "are of runs that were cut short"},
        {"missing", "cannot be checked yet"},
        {"other size", "need inputs of another size"},
        {"untested", "cannot be tested by heddle"},
    };
    unsigned all = 0, listed = 0;

    for (unsigned i = 0; i < p->n_claims; i++)
        all += hd_paperclaims_chosen(p, &p->claims[i]);
    if (!all)
        return;
    hd_out_printf(o, "Of %u claims ", all);
    for (size_t k = 0; k < sizeof verdicts / sizeof *verdicts; k++) {
        unsigned n = 0, carried = 0;
        size_t length = strlen(verdicts[k][0]);
        for (unsigned i = 0; i < p->n_claims; i++) {
            if (!hd_paperclaims_chosen(p, &p->claims[i]))
                continue;
            const char *verdict = hd_paperverdicts_evaluate(p, &p->claims[i]).verdict;
            bool same = !strncmp(verdict, verdicts[k][0], length);
            n += same;
            carried += same && !strncmp(verdict + length, " only by ", 9);
        }
        if (n)
            hd_out_printf(o, "%s%u %s", listed++ ? ", " : "", n, verdicts[k][1]);
        if (carried)
            hd_out_printf(o, " (%u of them only by one application or kernel)", carried);
    }
    hd_out_printf(o, ".");
}
