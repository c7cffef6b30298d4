// paperclaims.c - the claims of papers/NAME.ini: read, checked, and the runs that they need. See
// paperclaims.h.
#include "paper/paperclaims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 4096 // blocks or warps that a claim may name

struct reading {
    struct hd_paper *paper;
    const struct hd_paper_section *section;
    struct hd_paper_claim *claim;
    struct hd_diag *diag;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct reading *r, const char *fmt,
                                                         ...)
{
    va_list args;
    struct hd_out text = {.arena = r->paper->arena};
    char words[HD_DIAG_TEXT / 2];

    va_start(args, fmt);
    vsnprintf(words, sizeof words, fmt, args);
    va_end(args);
    hd_out_printf(&text, "[claim %.60s]: %s", r->section->name, words);
    hd_diag_add(r->diag, r->paper->path, r->section->line, 0, "%s", text.text);
    return false;
}

static const char *text_of(const struct reading *r, const char *key)
{
    return hd_paper_text(r->section, key);
}

// The number of a key; false with a diagnostic if it is none.
static bool number(const struct reading *r, const char *key, double *out)
{
    const char *value = text_of(r, key);
    char *end = NULL;
    double v = value ? strtod(value, &end) : 0;

    if (!value || end == value || *end || !isfinite(v))
        return refuse(r, "%s '%.60s' is no number", key, value ? value : "");
    *out = v;
    return true;
}

static bool whole(const struct reading *r, const char *key, unsigned *out)
{
    double v = 0;

    if (!text_of(r, key))
        return true;
    if (!number(r, key, &v))
        return false;
    if (v < 0 || v >= ITEMS || v != floor(v))
        return refuse(r, "%s must be a whole number below %d", key, ITEMS);
    *out = (unsigned)v;
    return true;
}

// The place of a key's word in a list; 0, the first, if the section does not have the key.
static bool word_of(const struct reading *r, const char *key, const char *const *words, int *out)
{
    const char *value = text_of(r, key);
    struct hd_out all = {.arena = r->paper->arena};

    *out = 0;
    if (!value)
        return true;
    for (int i = 0; words[i]; i++) {
        if (!strcmp(words[i], value)) {
            *out = i;
            return true;
        }
        hd_out_printf(&all, "%s%s", i ? ", " : "", words[i]);
    }
    refuse(r, "there is no %s '%.60s'", key, value);
    hd_diag_hint(&r->diag->entries[r->diag->n - 1], "expected one of %s", all.text);
    return false;
}

// What the paper has: one number in one of four scales.
static bool read_number(struct reading *r)
{
    static const char *const scales[] = {"percent", "times", "value", "count", NULL};
    struct hd_paper_claim *c = r->claim;
    int found = 0;

    for (int i = 0; scales[i]; i++)
        if (text_of(r, scales[i])) {
            c->scale = (enum hd_paper_scale)i;
            found++;
        }
    if (found != 1)
        return refuse(r, found ? "only one of percent, times, value and count can be claimed"
                               : "what the paper has is missing: percent, times, value or count");
    return number(r, scales[c->scale], &c->paper);
}

// items = N | N-M | first N | last N
static bool read_items(struct reading *r)
{
    struct hd_paper_claim *c = r->claim;
    const char *value = text_of(r, "items");
    char *end;

    c->to = ITEMS - 1;
    if (!value) {
        c->last = true;
        return true;
    }
    c->last = !strncmp(value, "last ", 5);
    bool first = !strncmp(value, "first ", 6);
    const char *digits = c->last ? value + 5 : first ? value + 6 : value;
    unsigned long from = strtoul(digits, &end, 10), to = from;
    bool good = *digits >= '0' && *digits <= '9';
    if (good && *end == '-' && !c->last && !first) {
        good = end[1] >= '0' && end[1] <= '9';
        to = strtoul(end + 1, &end, 10);
    }
    if (c->last || first) {
        good = good && to > 0;
        from = 0;
        to -= good;
    }
    if (!good || *end || to < from || to >= ITEMS)
        return refuse(r, "items '%.60s' should be N, N-M, first N or last N, below %d", value,
                      ITEMS);
    c->from = (unsigned)from;
    c->to = (unsigned)to;
    return true;
}

static bool read_bound(struct reading *r)
{
    struct hd_paper_claim *c = r->claim;
    bool above = text_of(r, "above") != NULL, below = text_of(r, "below") != NULL;

    c->above = above;
    if (c->mean != HD_PAPER_COUNT)
        return !(above || below) || refuse(r, "above and below belong to mean = count");
    if (above == below)
        return refuse(r, "mean = count needs above or below");
    return number(r, above ? "above" : "below", &c->bound);
}

// Labels between '>'.
static bool read_order(struct reading *r)
{
    struct hd_paper_section own = *r->section;
    char *list = hd_arena_strdup(r->paper->arena, text_of(r, "order"));
    const char *figure = text_of(r, "figure"); // whose policies are meant
    struct hd_paper_pair pairs[] = {{"order", list, r->section->line},
                                    {"figure", figure, r->section->line}};

    for (char *c = list; *c; c++)
        if (*c == '>')
            *c = ',';
    own.pairs = pairs;
    own.n = figure ? 2 : 1;
    if (!hd_paper_policies(r->paper, &own, "order", &r->claim->policies, r->diag))
        return false;
    if (r->claim->policies.n < 2)
        return refuse(r, "an order needs two policies");
    return true;
}

static bool read_measure(struct reading *r)
{
    static const char *const units[] = {"applications", "kernels", "blocks", "warps", NULL};
    struct hd_paper_claim *c = r->claim;
    const char *of = text_of(r, "of");
    int unit;

    if (!word_of(r, "unit", units, &unit))
        return false;
    c->unit = (enum hd_paper_unit)unit;
    c->measure = hd_papermeasures_find(of, c->unit, NULL);
    if (!c->measure) {
        refuse(r, "of %s there is no measure '%.60s'", units[unit], of);
        hd_papermeasures_find(of, c->unit, &r->diag->entries[r->diag->n - 1]);
        return false;
    }
    return true;
}

static unsigned words_in(const char *text)
{
    unsigned n = 0;

    while (text && *(text += strspn(text, " "))) {
        n++;
        text += strcspn(text, " ");
    }
    return n;
}

static bool check_measured(struct reading *r)
{
    struct hd_paper_claim *c = r->claim;
    bool counts = c->mean >= HD_PAPER_COUNT;

    if (counts != (c->scale == HD_PAPER_NUMBER))
        return refuse(r, "count belongs to the means count, top, bottom and rises, and they to it");
    if (c->scale == HD_PAPER_TIMES && !c->over.n)
        return refuse(r, "times needs a key 'over'");
    if ((c->mean == HD_PAPER_TOP || c->mean == HD_PAPER_BOTTOM) && (!c->which || c->over.n > 1))
        return refuse(r, "mean = top and bottom need a key 'which', and one policy in 'over'");
    if (c->policies.n > 1 && !hd_papermeasures_spread(c->measure))
        return refuse(r, "only of = spread and order take more than one policy");
    if (hd_papermeasures_spread(c->measure) && c->over.n)
        return refuse(r, "of = spread takes no key 'over'");
    if (c->unit >= HD_PAPER_BLOCKS && c->apps.n > 1)
        return refuse(r, "unit = blocks and warps take one application");
    c->largest = words_in(c->which);
    return true;
}

static bool read_measured(struct reading *r)
{
    static const char *const means[] = {"arithmetic", "geometric", "max",   "min", "count",
                                        "top",        "bottom",    "rises", NULL};
    struct hd_paper_claim *c = r->claim;
    int mean;

    if (!read_measure(r) || !word_of(r, "mean", means, &mean) ||
        !hd_paper_apps(r->paper, r->section, "apps", &c->apps, r->diag))
        return false;
    c->mean = (enum hd_paper_mean)mean;
    if (text_of(r, "over") && !hd_paper_policies(r->paper, r->section, "over", &c->over, r->diag))
        return false;
    if (!hd_paperreuse_check(r->paper, r->section, r->diag))
        return false;
    if (!whole(r, "block", &c->block) || !whole(r, "phase", &c->phase) || !read_items(r))
        return false;
    if (text_of(r, "order")) {
        c->form = HD_PAPER_ORDER;
        return read_order(r) && (c->mean <= HD_PAPER_GEOMETRIC && c->unit <= HD_PAPER_KERNELS
                                     ? true
                                     : refuse(r, "an order is one of means over applications"));
    }
    return hd_paper_policies(r->paper, r->section, "policy", &c->policies, r->diag) &&
           read_number(r) && read_bound(r) && check_measured(r);
}

// A sentence about another form than a measure.
static bool read_toy(struct reading *r)
{
    const char *kind = r->claim->figure ? hd_paper_text(r->claim->figure, "kind") : NULL;
    const char *of = text_of(r, "of");

    r->claim->form = HD_PAPER_TOY;
    r->claim->word = text_of(r, "row");
    if (!kind || strcmp(kind, "toy") != 0)
        return refuse(r, "a row needs a figure of kind toy");
    if (of && !strcmp(of, "issues"))
        return r->claim->which && text_of(r, "items")
                   ? read_items(r) && read_number(r)
                   : refuse(r, "of = issues needs the keys items (cycles) and which (warps)");
    if (!of || (strcmp(of, "cycles") != 0 && strcmp(of, "stalls") != 0))
        return refuse(r, "of a row there are cycles, stalls and issues");
    return read_number(r);
}

static bool read_form(struct reading *r)
{
    static const char *const relations[] = {"about", "at least", "at most", "exactly", NULL};
    static const char *const sizes[] = {"any", "test", "small", "paper", NULL};
    struct hd_paper_claim *c = r->claim;
    const char *figure = text_of(r, "figure");
    int relation, size;

    c->figure = figure ? hd_paper_find(r->paper, "figure", figure) : NULL;
    if (figure && !c->figure)
        return refuse(r, "there is no [figure %.60s]", figure);
    if (!word_of(r, "is", relations, &relation) || !word_of(r, "size", sizes, &size))
        return false;
    c->relation = (enum hd_paper_relation)relation;
    c->word = text_of(r, "untested");
    if (c->word) {
        c->form = HD_PAPER_UNTESTED;
        return *c->word ? true : refuse(r, "untested needs a reason");
    }
    c->word = text_of(r, "formula");
    if (c->word) { // computed when the machine is known
        c->form = HD_PAPER_FORMULA;
        return read_number(r);
    }
    c->word = text_of(r, "sum");
    if (c->word) { // its claims are looked for when all are known
        c->form = HD_PAPER_SUM;
        return read_number(r);
    }
    if (text_of(r, "row"))
        return read_toy(r);
    if (text_of(r, "cells")) {
        c->form = HD_PAPER_TABLE;
        c->scale = HD_PAPER_NUMBER;
        return c->figure ? true : refuse(r, "cells needs a figure");
    }
    return read_measured(r);
}

// The rest, which needs the machine and the kinds of figure.
static bool check_claim(const struct hd_paper *p, const struct hd_paper_claim *c, struct hd_diag *d)
{
    const struct hd_paper_kind *kind =
        c->form == HD_PAPER_TABLE ? hd_paper_kind(p, c->figure, d) : NULL;
    double v;

    if (c->form == HD_PAPER_FORMULA)
        return hd_paperformula_value(p, c->section, c->word, &v, d);
    if (c->form == HD_PAPER_TABLE && kind && !kind->cells)
        hd_diag_add(d, p->path, c->section->line, 0,
                    "[claim %s]: a figure of kind '%s' has no cells to compare", c->id, kind->name);
    return c->form != HD_PAPER_TABLE || (kind && kind->cells);
}

const struct hd_paper_claim *hd_paperclaims_term(const struct hd_paper *p, const char *sum,
                                                 unsigned i, bool *minus, const char **name)
{
    *minus = false;
    *name = NULL;
    for (;; i--) {
        sum += strspn(sum, " ");
        if (!*sum)
            return NULL;
        if (!strncmp(sum, "+ ", 2) || !strncmp(sum, "- ", 2)) {
            *minus = *sum == '-';
            sum += 2;
            sum += strspn(sum, " ");
        }
        size_t n = strcspn(sum, " ");
        if (!i) {
            *name = hd_arena_strndup(p->arena, sum, n);
            return hd_paperclaims_find(p, *name);
        }
        sum += n;
        *minus = false;
    }
}

// Whether there is a sign between any two names of a sum.
static bool has_signs(const char *sum)
{
    bool name_before = false;

    for (sum += strspn(sum, " "); *sum; sum += strspn(sum, " ")) {
        size_t n = strcspn(sum, " ");
        bool sign = n == 1 && (*sum == '+' || *sum == '-');
        if (name_before && !sign)
            return false;
        name_before = !sign;
        sum += n;
    }
    return true;
}

// A sum is one of numbers that are measured.
static bool check_sum(const struct hd_paper *p, const struct hd_paper_claim *c, struct hd_diag *d)
{
    const char *name;
    bool minus;
    unsigned n = 0;

    for (const struct hd_paper_claim *term;; n++) {
        term = hd_paperclaims_term(p, c->word, n, &minus, &name);
        if (!name)
            break;
        if (term && term->form == HD_PAPER_MEASURED)
            continue;
        hd_diag_add(d, p->path, c->section->line, 0,
                    term ? "[claim %s]: '%.60s' is no claim that measures something"
                         : "[claim %s]: there is no claim '%.60s'",
                    c->id, name);
        return false;
    }
    if (n < 2 || !has_signs(c->word)) {
        hd_diag_hint(
            hd_diag_add(d, p->path, c->section->line, 0, "[claim %s]: %s", c->id,
                        n < 2 ? "a sum needs two claims" : "a sum needs a sign between two claims"),
            "expected ID + ID - ID, with blanks between them");
        return false;
    }
    return true;
}

bool hd_paperclaims_read(struct hd_paper *p, struct hd_diag *d)
{
    const struct hd_paper_section *s;

    p->claims = HD_ARRAY(p->arena, struct hd_paper_claim, p->n_sections + 1);
    p->n_claims = 0;
    hd_paperkernels_read(p);
    for (unsigned i = 0; (s = hd_paper_section(p, "claim", i)); i++) {
        struct hd_paper_claim *c = &p->claims[p->n_claims++];
        struct reading r = {p, s, c, d};
        *c = (struct hd_paper_claim){.section = s,
                                     .id = s->name,
                                     .place = hd_paper_text(s, "place"),
                                     .says = hd_paper_text(s, "says"),
                                     .why = hd_paper_text(s, "why"),
                                     .which = hd_paper_text(s, "which"),
                                     .kernel = hd_paper_kernel_of(p, s)};
        if (!read_form(&r))
            return false;
    }
    for (unsigned i = 0; i < p->n_claims; i++)
        if (p->claims[i].form == HD_PAPER_SUM && !check_sum(p, &p->claims[i], d))
            return false;
    return true;
}

const struct hd_paper_claim *hd_paperclaims_find(const struct hd_paper *p, const char *id)
{
    for (unsigned i = 0; i < p->n_claims; i++)
        if (!strcmp(p->claims[i].id, id))
            return &p->claims[i];
    return NULL;
}

bool hd_paperclaims_chosen(const struct hd_paper *p, const struct hd_paper_claim *c)
{
    return c->figure ? hd_paper_chosen(p, c->figure) : !p->chosen;
}

unsigned *hd_paperclaims_table(const struct hd_paper *p)
{
    return HD_ARRAY(p->arena, unsigned, (size_t)p->n_apps * p->n_policies * HD_PAPER_N_WITH + 1);
}

// The runs of what it measures.
static void ask(struct hd_paper *p, const struct hd_paper_claim *c)
{
    enum hd_paper_with with = c->measure ? hd_papermeasures_with(c->measure) : HD_PAPER_PLAIN;

    for (unsigned i = 0; i < c->apps.n; i++) {
        for (unsigned k = 0; k < c->policies.n; k++)
            hd_paper_ask(p, c->apps.items[i], c->policies.items[k], with);
        for (unsigned k = 0; k < c->over.n; k++)
            hd_paper_ask(p, c->apps.items[i], c->over.items[k], with);
    }
}

bool hd_paperclaims_plan(struct hd_paper *p, const struct hd_paper_claim *c, struct hd_diag *d)
{
    if (!check_claim(p, c, d))
        return false;
    if (c->form == HD_PAPER_TABLE)
        return hd_paper_kind(p, c->figure, d)->plan(p, c->figure, d);

    ask(p, c);
    for (unsigned i = 0; c->form == HD_PAPER_SUM; i++) {
        const char *name;
        bool minus;
        const struct hd_paper_claim *term = hd_paperclaims_term(p, c->word, i, &minus, &name);
        if (!term)
            break;
        ask(p, term);
    }
    return true;
}
