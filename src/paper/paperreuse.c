// paperreuse.c - what the analyser of reuse found in a study's runs (docs/reuse.md), as measures
// and as figures: those of LASER. See paper.h.
//
// Its numbers are in the stored result of a run, under "reuse", as docs/reuse.schema.json has them.
// A level that was dropped for lack of memory has no numbers, so they are missing here.
#include "paper/paperclaims.h"

#include "present/json.h"
#include "reuse/reuse.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define RELATIONS 4 // of a figure, at most

static const json_t *found(const json_t *run, const char *key)
{
    return json_object_get(json_object_get(run, "reuse"), key);
}

// "kernel.sibling"; NULL: the run has no such relation.
static const json_t *relation(const json_t *run, const char *name)
{
    const char *dot = strchr(name, '.');
    char level[16];

    if (!dot || (size_t)(dot - name) >= sizeof level)
        return NULL;
    snprintf(level, sizeof level, "%.*s", (int)(dot - name), name);
    return json_object_get(json_object_get(found(run, "levels"), level), dot + 1);
}

// The share of a relation's pairs in a bin, 0 to 1; NAN: it has no pairs.
static double share(const json_t *of, unsigned bin)
{
    double pairs = hd_json_number(of, "pairs");
    const json_t *bins = json_object_get(of, "bins");

    return pairs > 0 ? json_number_value(json_array_get(bins, bin)) / pairs : (double)NAN;
}

static void read_bins(const char *text, unsigned *from, unsigned *to)
{
    *from = *to = (unsigned)(text[0] - '0');
    if (text[1] == '-')
        *to = (unsigned)(text[2] - '0');
}

static double pairs_in(const json_t *run, const struct hd_paper_section *of)
{
    const json_t *r = relation(run, hd_paper_text(of, "relation"));
    unsigned from, to;
    double sum = 0;

    read_bins(hd_paper_text(of, "bins"), &from, &to);
    for (; from <= to; from++)
        sum += share(r, from);
    return 100 * sum;
}

static double fullest(const json_t *run, const char *name)
{
    const json_t *r = relation(run, name);
    double most = share(r, 0);

    for (unsigned i = 1; i < HD_REUSE_BINS; i++)
        most = fmax(most, share(r, i));
    return 100 * most;
}

// The part of the pairs that would have to move to another bin to make kernels and blocks alike: of
// the relation in which it is least. In per cent; NAN: no relation has pairs at both levels.
static double differ(const json_t *run)
{
    static const char *const names[][2] = {{"kernel.self", "block.self"},
                                           {"kernel.self", "block.intra_kernel"},
                                           {"kernel.parent_child", "block.parent_child"},
                                           {"kernel.sibling", "block.sibling"}};
    double least = (double)NAN;

    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const json_t *kernels = relation(run, names[n][0]), *blocks = relation(run, names[n][1]);
        double sum = 0;
        for (unsigned i = 0; i < HD_REUSE_BINS; i++)
            sum += fabs(share(kernels, i) - share(blocks, i));
        if (!isnan(sum))
            least = fmin(least, 100 * sum / 2); // fmin takes the number where the other is none
    }
    return least;
}

static const json_t *distance(const json_t *run, const char *of)
{
    return json_object_get(found(run, "distance"), of);
}

// The part of a relation's lines whose mean distance is below 2^power; NAN: it has no lines.
static double below(const json_t *run, const char *of, unsigned power)
{
    const json_t *d = distance(run, of), *bins = json_object_get(d, "bins");
    double lines = hd_json_number(d, "lines"), sum = 0;

    for (unsigned i = 0; i <= power; i++)
        sum += json_number_value(json_array_get(bins, i));
    return lines > 0 ? sum / lines : (double)NAN;
}

// The logarithm to base 2 of the distance that half of the lines do not reach, in the mean over its
// bin; NAN: there are no lines.
static double median_distance(const json_t *run, const char *of)
{
    double before = 0;

    for (unsigned i = 0; i < HD_REUSEDISTANCE_BINS; i++) {
        double part = below(run, of, i);
        if (isnan(part))
            return part;
        if (part >= 0.5)
            return i + (0.5 - before) / (part - before);
        before = part;
    }
    return (double)NAN;
}

// Chains are those of the analyser, longest and mean. A unit without high reuse is a chain of one,
// as in the paper, which has means below 2: components then cover all units.
struct chains {
    double longest, mean;
};

static struct chains chains_of(const json_t *run, const char *level, const char *kind)
{
    const json_t *c =
        json_object_get(json_object_get(found(run, "chains"), level), kind ? kind : "component");
    double units = hd_json_number(json_object_get(run, "reuse"),
                                  !strcmp(level, "kernel") ? "kernels" : "blocks");
    double n = hd_json_number(c, "chains"), mean = hd_json_number(c, "mean");
    struct chains out = {fmax(1, hd_json_number(c, "max")), mean};

    if (isnan(n) || isnan(units))
        return (struct chains){(double)NAN, (double)NAN};
    if (n < 0.5)
        out.mean = 1;
    else if (!kind || !strcmp(kind, "component"))
        out.mean = units / (n + units - n * mean);
    return out;
}

double hd_paperreuse_measure(const json_t *run, const char *name, const struct hd_paper_section *of)
{
    const char *which = hd_paper_text(of, "relation"), *chain = hd_paper_text(of, "chain");
    const json_t *all = found(run, "aggregate");

    if (!strcmp(name, "children-at-once"))
        return hd_json_number(json_object_get(run, "reuse"), "children_at_once");
    if (!strcmp(name, "reuse-self"))
        return 100 * hd_json_number(all, "self");
    if (!strcmp(name, "reuse-repeated"))
        return 100 * hd_json_number(all, "repeated");
    if (!strcmp(name, "reuse-parent-child"))
        return 100 * hd_json_number(all, "parent_child");
    if (!strcmp(name, "reuse-sibling"))
        return 100 * hd_json_number(all, "sibling");
    if (!strcmp(name, "beyond-l1"))
        return 100 * hd_json_number(distance(run, which ? which : "self"), "beyond_l1");
    if (!strcmp(name, "beyond-l2"))
        return 100 * hd_json_number(distance(run, which ? which : "self"), "beyond_l2");
    if (!strcmp(name, "distance"))
        return median_distance(run, which ? which : "self");
    if (!strcmp(name, "differ"))
        return differ(run);
    if (!strcmp(name, "chain-kernels"))
        return chains_of(run, "kernel", chain).longest;
    if (!strcmp(name, "chain-kernels-mean"))
        return chains_of(run, "kernel", chain).mean;
    if (!strcmp(name, "chain-blocks"))
        return chains_of(run, "block", chain).longest;
    if (!strcmp(name, "chain-blocks-mean"))
        return chains_of(run, "block", chain).mean;
    if (!which)
        return (double)NAN; // a figure of kind `counter` names no relation
    if (!strcmp(name, "pairs"))
        return hd_paper_text(of, "bins") ? pairs_in(run, of) : (double)NAN;
    return !strcmp(name, "fullest") ? fullest(run, which) : (double)NAN;
}

static const char *const all_relations[] = {
#define X(L, R, name, what) #L "." name,
    HD_REUSE_RELATIONS(X)
#undef X
        NULL};
static const char *const distances[] = {"self", "parent_child", "sibling", NULL};

// all_relations has levels in capitals.
static bool is_relation(const char *word)
{
    for (const char *const *r = all_relations; *r; r++)
        if (!strcasecmp(*r, word))
            return true;
    return false;
}

static bool is_one_of(const char *const *words, const char *word)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words;
}

static bool is_bins(const char *text)
{
    size_t n = strlen(text);
    bool digits = text[0] >= '0' && text[0] <= '9';

    return digits && (n == 1 || (n == 3 && text[1] == '-' && text[2] >= text[0] && text[2] <= '9'));
}

__attribute__((format(printf, 4, 5))) static bool refuse(const struct hd_paper *p,
                                                         const struct hd_paper_section *s,
                                                         struct hd_diag *d, const char *fmt, ...)
{
    char words[HD_DIAG_TEXT / 2];
    va_list args;

    va_start(args, fmt);
    vsnprintf(words, sizeof words, fmt, args);
    va_end(args);
    hd_diag_add(d, p->path, s->line, 0, "[%s %.60s]: %s", s->kind, s->name, words);
    return false;
}

bool hd_paperreuse_check(const struct hd_paper *p, const struct hd_paper_section *of,
                         struct hd_diag *d)
{
    const char *measure = hd_paper_text(of, "of"), *which = hd_paper_text(of, "relation");
    const char *bins = hd_paper_text(of, "bins"), *chain = hd_paper_text(of, "chain");
    bool pairs = measure && !strcmp(measure, "pairs");
    bool ratios = pairs || (measure && !strcmp(measure, "fullest"));

    if (ratios && (!which || !is_relation(which)))
        return refuse(p, of, d, "of = %s needs a relation such as kernel.sibling, not '%.60s'",
                      measure, which ? which : "");
    if (!ratios && which && !is_one_of(distances, which))
        return refuse(p, of, d, "relation '%.60s' is none of self, parent_child and sibling",
                      which);
    if ((pairs && !bins) || (bins && !is_bins(bins)))
        return refuse(p, of, d, "bins '%.60s' should be N or N-M, from 0 to 9", bins ? bins : "");
    if (chain && strcmp(chain, "component") != 0 && strcmp(chain, "path") != 0)
        return refuse(p, of, d, "chain '%.60s' is neither component nor path", chain);
    return true;
}

// --- figures

struct figure { // applications under one policy
    struct hd_paper_list apps, policies;
};

static bool read_figure(const struct hd_paper *p, const struct hd_paper_section *f,
                        struct figure *x, struct hd_diag *d)
{
    return hd_paper_apps(p, f, "apps", &x->apps, d) &&
           hd_paper_policies(p, f, "policy", &x->policies, d);
}

static bool plan(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct figure x;

    if (!read_figure(p, f, &x, d))
        return false;
    for (unsigned i = 0; i < x.apps.n; i++)
        hd_paper_ask(p, x.apps.items[i], x.policies.items[0], HD_PAPER_REUSE);
    return true;
}

// NULL: it has no result.
static const struct hd_study_run *run_of(const struct hd_paper *p, const struct figure *x,
                                         unsigned i)
{
    const struct hd_study_run *run =
        hd_paper_run(p, x->apps.items[i], x->policies.items[0], HD_PAPER_REUSE);

    return run && run->json ? run : NULL;
}

static const json_t *json_of(const struct hd_paper *p, const struct figure *x, unsigned i)
{
    const struct hd_study_run *run = run_of(p, x, i);

    return run ? run->json : NULL;
}

static const char *label_of(const struct hd_paper *p, const struct figure *x, unsigned i)
{
    return p->apps[x->apps.items[i]].label;
}

static const char *why(const struct hd_paper *p, const struct figure *x, unsigned i)
{
    const struct hd_study_run *run =
        hd_paper_run(p, x->apps.items[i], x->policies.items[0], HD_PAPER_REUSE);

    return run && run->done && !strcmp(run->result, "ok")
               ? "-"
               : hd_paper_why(p, x->apps.items[i], x->policies.items[0], HD_PAPER_REUSE);
}

static void add_number(struct hd_sheet *s, double v, const char *otherwise, int digits)
{
    hd_sheet_add(s, isnan(v) ? otherwise : hd_arena_printf(s->arena, "%.*f", digits, v));
}

static void add_heads(struct hd_sheet *s, const char *const *heads, size_t n)
{
    for (size_t i = 0; i < n; i++)
        hd_sheet_add(s, heads[i]);
}
#define ADD_HEADS(s, heads) add_heads(s, heads, sizeof heads / sizeof *(heads))

static void note_policy(const struct hd_paper *p, struct hd_sheet *s, const struct figure *x)
{
    hd_sheet_note(s,
                  hd_arena_printf(p->arena, "Under %s.", p->policies[x->policies.items[0]].label));
}

// reuse: shares of the accesses (LASER, Figure 4).
static bool show_reuse(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"APP",       "SELF %",     "PARENT-CHILD %",
                                        "SIBLING %", "REPEATED %", "AT ONCE"};
    static const char *const names[] = {"reuse-self", "reuse-parent-child", "reuse-sibling",
                                        "reuse-repeated", "children-at-once"};
    struct figure x;

    if (!read_figure(p, f, &x, d))
        return false;
    const unsigned n = x.apps.n;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "lrrrrr");
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_BARS, n + 1, 3);
    double *column = HD_ARRAY(p->arena, double, n * 5 + 1);
    c->y_label = "% of the accesses";
    ADD_HEADS(s, heads);
    for (unsigned i = 0; i <= n; i++) {
        c->labels[i] = i < n ? label_of(p, &x, i) : "mean";
        hd_sheet_add(s, c->labels[i]);
        for (unsigned k = 0; k < 5; k++) {
            double v = i < n ? hd_paperreuse_measure(json_of(p, &x, i), names[k], NULL)
                             : hd_paper_means(p->arena, column + k * n, n).arithmetic;
            if (i < n)
                column[k * n + i] = v;
            if (k < 3)
                c->values[i * 3 + k] = v;
            add_number(s, v, i < n ? why(p, &x, i) : NULL, 1);
        }
    }
    c->series[0] = "self";
    c->series[1] = "parent-child";
    c->series[2] = "sibling-sibling";
    hd_sheet_note(s, "Accesses to lines that their kernel accesses more than once; that parent and "
                     "child access; that two children of one block access. REPEATED: all but the "
                     "first of a kernel to a line, another reading of the first. AT ONCE: "
                     "children that run at one time, in the mean while any runs.");
    note_policy(p, s, &x);
    return true;
}

// The mean over applications of the part of the lines below a distance.
static double mean_below(const struct hd_paper *p, const struct figure *x, const char *of,
                         unsigned power)
{
    double *v = HD_ARRAY(p->arena, double, x->apps.n + 1);

    for (unsigned i = 0; i < x->apps.n; i++)
        v[i] = 100 * below(json_of(p, x, i), of, power);
    return hd_paper_means(p->arena, v, x->apps.n).arithmetic;
}

// By application: how many lines no cache of the machine's size would hold.
static void show_beyond(struct hd_paper *p, const struct hd_paper_section *f,
                        const struct figure *x)
{
    static const char *const heads[] = {"APP",    "SELF > L1 %",    "> L2 %", "PARENT-CHILD > L1 %",
                                        "> L2 %", "SIBLING > L1 %", "> L2 %"};
    struct hd_sheet *s =
        hd_paper_sheet(p, f, "beyond", "lines whose mean distance no cache covers", "lrrrrrr");
    const unsigned n = x->apps.n;
    double *column = HD_ARRAY(p->arena, double, n * 6 + 1);

    ADD_HEADS(s, heads);
    for (unsigned i = 0; i <= n; i++) {
        hd_sheet_add(s, i < n ? label_of(p, x, i) : "mean");
        for (unsigned k = 0; k < 6; k++) {
            const json_t *of = i < n ? distance(json_of(p, x, i), distances[k / 2]) : NULL;
            double v = i < n ? 100 * hd_json_number(of, k % 2 ? "beyond_l2" : "beyond_l1")
                             : hd_paper_means(p->arena, column + k * n, n).arithmetic;
            if (i < n)
                column[k * n + i] = v;
            add_number(s, v, i < n ? why(p, x, i) : NULL, 1);
        }
    }
}

// distance: how many lines have a mean reuse distance below a power of two (LASER, Figure 5).
static bool show_distance(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"BELOW", "SELF %", "PARENT-CHILD %", "SIBLING %"};
    struct figure x;

    if (!read_figure(p, f, &x, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "rrrr");
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_BARS, HD_REUSEDISTANCE_BINS, 3);
    c->y_label = "% of the lines, mean over applications";
    c->x_label = "mean reuse distance below 2^n other lines";
    ADD_HEADS(s, heads);
    for (unsigned i = 0; i < HD_REUSEDISTANCE_BINS; i++) {
        c->labels[i] = hd_arena_printf(p->arena, "%u", i + 1);
        hd_sheet_addf(s, "2^%u", i + 1);
        for (unsigned k = 0; k < 3; k++) {
            double v = mean_below(p, &x, distances[k], i);
            c->values[i * 3 + k] = v;
            add_number(s, v, "-", 1);
        }
    }
    c->series[0] = "self";
    c->series[1] = "parent-child";
    c->series[2] = "sibling-sibling";
    hd_sheet_note(s, "Of each line that is used again, the mean of its distances. Each application "
                     "has the same weight.");
    note_policy(p, s, &x);
    show_beyond(p, f, &x);
    return true;
}

// relations = kernel.self kernel.sibling ...
static unsigned read_relations(const struct hd_paper *p, const struct hd_paper_section *f,
                               const char *out[RELATIONS], struct hd_diag *d)
{
    const char *text = hd_paper_need(p, f, "relations", d);
    unsigned n = 0;

    for (; text && *(text += strspn(text, " ")); text += strcspn(text, " ")) {
        const char *one = hd_arena_strndup(p->arena, text, strcspn(text, " "));
        if (n == RELATIONS)
            return refuse(p, f, d, "there are more than %d relations", RELATIONS);
        if (!is_relation(one))
            return refuse(p, f, d, "there is no relation '%.60s'", one);
        out[n++] = one;
    }
    if (text && !n)
        refuse(p, f, d, "the list of relations is empty");
    return n;
}

static bool plan_ratios(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    const char *names[RELATIONS];

    return read_relations(p, f, names, d) && plan(p, f, d);
}

// ratios10: pairs by the tenth of their ratio (LASER, Figures 7 to 10).
static bool show_ratios10(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    const char *names[RELATIONS];
    const unsigned n = read_relations(p, f, names, d);
    struct figure x;

    if (!n || !read_figure(p, f, &x, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "llrrrrrrrrrrr");
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_STACKS, x.apps.n * n, HD_REUSE_BINS);
    c->y_label = "% of the pairs";
    c->to = 100;
    c->per_group = n;
    c->groups = HD_ARRAY(p->arena, const char *, x.apps.n + 1);
    hd_sheet_add(s, "APP");
    hd_sheet_add(s, "RELATION");
    hd_sheet_add(s, "PAIRS");
    for (unsigned i = 0; i < HD_REUSE_BINS; i++) {
        c->series[i] = hd_arena_printf(p->arena, "b%u", i);
        hd_sheet_add(s, c->series[i]);
    }
    for (unsigned row = 0; row < x.apps.n * n; row++) {
        const json_t *r = relation(json_of(p, &x, row / n), names[row % n]);
        double pairs = hd_json_number(r, "pairs");
        c->groups[row / n] = label_of(p, &x, row / n);
        c->labels[row] = strchr(names[row % n], '.') + 1;
        hd_sheet_add(s, row % n ? NULL : label_of(p, &x, row / n));
        hd_sheet_add(s, c->labels[row]);
        hd_sheet_add(s,
                     isnan(pairs) ? why(p, &x, row / n) : hd_out_count(p->arena, (uint64_t)pairs));
        for (unsigned i = 0; i < HD_REUSE_BINS; i++) {
            double v = 100 * share(r, i);
            c->values[row * HD_REUSE_BINS + i] = v;
            add_number(s, v, NULL, 1);
        }
    }
    hd_sheet_note(s,
                  "Pairs in per cent by their ratio's tenth: b4 has those from 0.4 to below 0.5. "
                  "Pairs without a line in common are in b0; 1.0 is in b9.");
    note_policy(p, s, &x);
    return true;
}

// How the paper counts an application's kernels (Table 2): all launches; type II if children launch
// children; the depth of launches then, else how often the host repeats parent, children and
// barrier.
struct launches {
    double kernels, depth;
    bool nested;
};

// Launches by the host of the function that it launches most often.
static unsigned stages(const struct hd_paper_launches *all)
{
    unsigned most = 0;

    for (size_t i = 0; i < all->n; i++) {
        const struct hd_paper_launch *one = &all->of[i];
        unsigned n = 0;
        for (size_t k = i; !one->child && one->name && k < all->n; k++) {
            const struct hd_paper_launch *other = &all->of[k];
            n += !other->child && other->name && !strcmp(one->name, other->name);
        }
        most = n > most ? n : most;
        if (n > 1)
            break; // the first that is repeated is the parent
    }
    return most;
}

static struct launches launches_of(const struct hd_study_run *run)
{
    struct hd_paper_launches all = hd_paper_launches(run);
    struct launches l = {.kernels = (double)all.n};

    for (size_t i = 0; i < all.n; i++)
        l.depth = fmax(l.depth, all.of[i].depth);
    l.nested = l.depth > 1;
    if (!l.nested)
        l.depth = stages(&all);
    return l;
}

static bool show_launches(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"APP",  "KERNELS", "PAPER", "RATIO",
                                        "TYPE", "PAPER",   "DEPTH", "PAPER"};
    struct figure x;

    if (!read_figure(p, f, &x, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "lrrrllrr");
    ADD_HEADS(s, heads);
    for (unsigned i = 0; i < x.apps.n; i++) {
        const struct hd_paper_section *app = p->apps[x.apps.items[i]].section;
        const struct hd_study_run *run = run_of(p, &x, i);
        struct launches l = launches_of(run);
        const char *type = l.nested ? "II" : "I";
        double paper = (double)NAN;
        hd_paper_number(app, "kernels", &paper);
        hd_sheet_add(s, label_of(p, &x, i));
        add_number(s, run ? l.kernels : (double)NAN, why(p, &x, i), 0);
        hd_sheet_add(s, hd_paper_text(app, "kernels"));
        hd_sheet_add(s, run && paper > 0 ? hd_arena_printf(p->arena, "x %.3g", l.kernels / paper)
                                         : NULL);
        hd_sheet_add(s, run ? type : NULL);
        hd_sheet_add(s, hd_paper_text(app, "type"));
        add_number(s, run ? l.depth : (double)NAN, NULL, 0);
        hd_sheet_add(s, hd_paper_text(app, "depth"));
    }
    hd_sheet_note(s, "Type I: the host repeats parent, children and a barrier, DEPTH times. Type "
                     "II: children launch children, DEPTH levels deep.");
    if (strcmp(p->size, "paper") != 0)
        hd_sheet_note(s, hd_arena_printf(p->arena,
                                         "Inputs are of size %s, not the paper's: only the types "
                                         "can be compared.",
                                         p->size));
    return true;
}

static bool launches_cells(struct hd_paper *p, const struct hd_paper_section *f,
                           struct hd_paper_cells *out, struct hd_diag *d)
{
    bool whole = !strcmp(p->size, "paper");
    struct figure x;

    if (!read_figure(p, f, &x, d))
        return false;
    for (unsigned i = 0; i < x.apps.n; i++) {
        const struct hd_paper_section *app = p->apps[x.apps.items[i]].section;
        const struct hd_study_run *run = run_of(p, &x, i);
        struct launches l = launches_of(run);
        const char *type = hd_paper_text(app, "type");
        double kernels = (double)NAN, depth = (double)NAN;
        if (type)
            hd_paper_cell(out, run ? l.nested == !strcmp(type, "II") : (double)NAN, 1);
        if (whole && hd_paper_number(app, "kernels", &kernels))
            hd_paper_cell(out, run ? l.kernels : (double)NAN, kernels);
        if (whole && hd_paper_number(app, "depth", &depth))
            hd_paper_cell(out, run ? l.depth : (double)NAN, depth);
    }
    return true;
}

// The paper's pair of an application: chain-kernels = LONGEST MEAN.
static struct chains printed_chains(const struct hd_paper_section *app, const char *key)
{
    const char *text = hd_paper_text(app, key);
    struct chains c = {(double)NAN, (double)NAN};
    char *end;

    if (text) {
        c.longest = strtod(text, &end);
        c.mean = strtod(end, NULL);
    }
    return c;
}

// chains: of units with ratios above 0.4 (LASER, Table 2).
static bool show_chains(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"APP",  "LEVEL", "COMPONENT", "MEAN",
                                        "PATH", "MEAN",  "PAPER",     "MEAN"};
    struct figure x;

    if (!read_figure(p, f, &x, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "llrrrrrr");
    ADD_HEADS(s, heads);
    for (unsigned row = 0; row < 2 * x.apps.n; row++) {
        const char *level = row % 2 ? "block" : "kernel";
        const json_t *run = json_of(p, &x, row / 2);
        struct chains ours[] = {chains_of(run, level, "component"), chains_of(run, level, "path"),
                                printed_chains(p->apps[x.apps.items[row / 2]].section,
                                               row % 2 ? "chain-blocks" : "chain-kernels")};
        hd_sheet_add(s, row % 2 ? NULL : label_of(p, &x, row / 2));
        hd_sheet_add(s, level);
        for (unsigned k = 0; k < 3; k++) {
            add_number(s, ours[k].longest, k ? NULL : why(p, &x, row / 2), 0);
            add_number(s, ours[k].mean, NULL, 1);
        }
    }
    hd_sheet_note(s,
                  "The paper does not define its chains. COMPONENT: units linked by ratios above "
                  "0.4, directly or through others; a unit without any is a chain of one. PATH: "
                  "from each unit on to the one launched later that uses most of it again; the "
                  "mean is over units that have one.");
    note_policy(p, s, &x);
    return true;
}

// Components beside the paper's longest and mean, of kernels and of blocks; at its size only.
static bool chains_cells(struct hd_paper *p, const struct hd_paper_section *f,
                         struct hd_paper_cells *out, struct hd_diag *d)
{
    struct figure x;

    if (!read_figure(p, f, &x, d))
        return false;
    for (unsigned i = 0; i < 2 * x.apps.n; i++) {
        const struct hd_paper_section *app = p->apps[x.apps.items[i / 2]].section;
        struct chains paper = printed_chains(app, i % 2 ? "chain-blocks" : "chain-kernels");
        struct chains ours =
            chains_of(json_of(p, &x, i / 2), i % 2 ? "block" : "kernel", "component");
        hd_paper_cell(out, ours.longest, paper.longest);
        hd_paper_cell(out, ours.mean, paper.mean);
    }
    return true;
}

const struct hd_paper_kind hd_paperreuse_kinds[] = {
    {"reuse", plan, show_reuse, NULL},
    {"distance", plan, show_distance, NULL},
    {"ratios10", plan_ratios, show_ratios10, NULL},
    {"launches", plan, show_launches, launches_cells},
    {"chains", plan, show_chains, chains_cells},
    {NULL, NULL, NULL, NULL}};
