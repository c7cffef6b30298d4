// paperpairs.c - figures that explain a ratio by example: units with lists of lines, as the
// analyser of reuse compares them (LASER, Figure 6). See paper.h.
//
// unit.* = NAME | FIRST-LAST FIRST-LAST ...: one access to each of these lines, and so on.
// row.* = label | x | y | as printed | R(x|y).
#include "paper/paper.h"

#include "reuse/reuse.h"
#include "reuse/reusepairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNITS 8
#define ACCESSES 4096 // of a unit

struct example {
    struct hd_reusestore store;
    struct hd_reusepairs_unit units[UNITS];
    const char *names[UNITS];
    struct hd_reuseruns runs[UNITS];
    uint64_t shared[UNITS][UNITS];
    unsigned n;
};

static bool refuse(const struct hd_paper *p, const struct hd_paper_section *f,
                   const struct hd_paper_pair *pair, struct hd_diag *d, const char *expected)
{
    hd_diag_hint(hd_diag_add(d, p->path, pair->line, 0, "[figure %s]: %s '%.60s' is not understood",
                             f->name, pair->key, pair->value),
                 "expected %s", expected);
    return false;
}

// The lines of a unit as words. 0: the text is wrong.
static uint32_t read_lines(const char *text, uint64_t *words)
{
    uint32_t n = 0;

    for (; *text; text += strspn(text, " ")) {
        char *end;
        unsigned long from = strtoul(text, &end, 10);
        if (end == text || *end != '-')
            return 0;
        text = end + 1;
        unsigned long to = strtoul(text, &end, 10);
        if (end == text || (*end && *end != ' ') || to < from || to >= ACCESSES ||
            to - from >= ACCESSES - n)
            return 0;
        for (; from <= to; from++)
            words[n++] = hd_reuseruns_word((uint32_t)from, 0);
        text = end;
    }
    return n;
}

static bool read_unit(struct hd_paper *p, const struct hd_paper_section *f,
                      const struct hd_paper_pair *pair, struct example *e, struct hd_diag *d)
{
    uint64_t words[ACCESSES], spare[ACCESSES];
    struct hd_reusegather gather = {0};
    uint32_t n = read_lines(hd_paper_field(p->arena, pair->value, 1), words);

    if (!n || e->n == UNITS)
        return refuse(p, f, pair, d, "NAME | FIRST-LAST FIRST-LAST ..., of 8 units and 4096 lines");
    e->names[e->n] = hd_paper_field(p->arena, pair->value, 0);
    hd_reuseruns_add(&e->store, &gather, words, spare, n);
    e->runs[e->n] = hd_reuseruns_finish(&e->store, &gather);
    e->units[e->n] = (struct hd_reusepairs_unit){&e->runs[e->n], n, e->n};
    e->n++;
    return true;
}

static void take(void *ctx, uint32_t x, uint32_t y, uint64_t shared)
{
    struct example *e = ctx;

    e->shared[x][y] = shared;
}

static unsigned unit_named(const struct example *e, const char *name)
{
    unsigned i = 0;

    while (i < e->n && strcmp(e->names[i], name) != 0)
        i++;
    return i;
}

// Compares all units of the figure. False with a diagnostic.
static bool compare(struct hd_paper *p, const struct hd_paper_section *f, struct example *e,
                    struct hd_diag *d)
{
    bool good = true;

    *e = (struct example){0};
    hd_reusestore_init(&e->store, HD_REUSE_MEMORY);
    for (size_t i = 0; good && i < f->n; i++)
        if (!strncmp(f->pairs[i].key, "unit.", 5))
            good = read_unit(p, f, &f->pairs[i], e, d);
    if (good)
        hd_reusepairs_each(e->units, e->n, take, e);
    for (size_t i = 0; good && i < f->n; i++) {
        const char *value = f->pairs[i].value;
        if (strncmp(f->pairs[i].key, "row.", 4) != 0)
            continue;
        if (unit_named(e, hd_paper_field(p->arena, value, 1)) == e->n ||
            unit_named(e, hd_paper_field(p->arena, value, 2)) == e->n)
            good = refuse(p, f, &f->pairs[i], d, "label | unit | unit | as printed | ratio");
    }
    for (unsigned i = 0; i < e->n; i++)
        hd_reuseruns_free(&e->store, &e->runs[i]);
    hd_reusestore_end(&e->store);
    return good;
}

static bool plan_pairs(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct example e;

    return compare(p, f, &e, d);
}

static bool show_pairs(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"RATIO", "SHARED", "ACCESSES", "OURS", "PAPER", "DIFF"};
    struct example e;

    if (!compare(p, f, &e, d))
        return false;
    struct hd_sheet *s = hd_paper_sheet(p, f, "", "", "lrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (size_t i = 0; i < f->n; i++) {
        const char *value = f->pairs[i].value;
        if (strncmp(f->pairs[i].key, "row.", 4) != 0)
            continue;
        unsigned x = unit_named(&e, hd_paper_field(p->arena, value, 1));
        unsigned y = unit_named(&e, hd_paper_field(p->arena, value, 2));
        double ours = (double)e.shared[x][y] / (double)e.units[x].size;
        hd_sheet_add(s, hd_paper_field(p->arena, value, 0));
        hd_sheet_addf(s, "%llu", (unsigned long long)e.shared[x][y]);
        hd_sheet_addf(s, "%llu", (unsigned long long)e.units[x].size);
        hd_sheet_addf(s, "%.4g", ours);
        hd_sheet_add(s, hd_paper_field(p->arena, value, 3));
        hd_sheet_addf(s, "%+.4g", ours - strtod(hd_paper_field(p->arena, value, 4), NULL));
    }
    return true;
}

static bool pairs_cells(struct hd_paper *p, const struct hd_paper_section *f,
                        struct hd_paper_cells *out, struct hd_diag *d)
{
    struct example e;

    if (!compare(p, f, &e, d))
        return false;
    for (size_t i = 0; i < f->n; i++) {
        const char *value = f->pairs[i].value;
        if (strncmp(f->pairs[i].key, "row.", 4) != 0)
            continue;
        unsigned x = unit_named(&e, hd_paper_field(p->arena, value, 1));
        unsigned y = unit_named(&e, hd_paper_field(p->arena, value, 2));
        hd_paper_cell(out, (double)e.shared[x][y] / (double)e.units[x].size,
                      strtod(hd_paper_field(p->arena, value, 4), NULL));
    }
    return true;
}

const struct hd_paper_kind hd_paperpairs_kinds[] = {{"pairs", plan_pairs, show_pairs, pairs_cells},
                                                    {NULL, NULL, NULL, NULL}};
