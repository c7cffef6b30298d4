// paperphases.c - figures of warps from barrier to barrier: one block in full, or several blocks
// with the warp that each phase waits for (BAWS, Figures 3, 4 and 6). They need runs with metrics
// (gpu/metrics.h).
#include "paper/paper.h"

#include "present/json.h"

#include <math.h>
#include <string.h>

#define WARPS 48 // rows of a drawing

struct grid { // one application under policies
    struct hd_paper_list apps, policies;
};

static bool read_grid(struct hd_paper *p, const struct hd_paper_section *f, struct grid *g,
                      struct hd_diag *d)
{
    return hd_paper_apps(p, f, "apps", &g->apps, d) &&
           hd_paper_policies(p, f, "policies", &g->policies, d);
}

static bool plan_metrics(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    for (unsigned k = 0; k < g.policies.n; k++)
        hd_paper_ask(p, g.apps.items[0], g.policies.items[k], HD_PAPER_METRICS);
    return true;
}

static const char *policy_name(const struct hd_paper *p, const struct grid *g, unsigned k)
{
    return p->policies[g->policies.items[k]].label;
}

// The number in its grid of the block that came to the recorded SM as number `sequence` of the
// first launch; -1: there is none.
static double block_of(const json_t *metrics, double sequence)
{
    const json_t *blocks = json_object_get(metrics, "blocks");

    for (size_t i = 0; i < json_array_size(blocks); i++) {
        const json_t *b = json_array_get(blocks, i);
        if (hd_json_number(b, "launch") < 0.5 &&
            fabs(hd_json_number(b, "sequence") - sequence) < 0.5)
            return hd_json_number(b, "block");
    }
    return -1;
}

// What the warps of one block did in each phase (BAWS, Figures 3, 4, 6): a sheet for each policy.
static bool show_phases(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    static const char *const heads[] = {"PHASE", "WARP", "START", "ARRIVAL", "END", "WAITS"};
    struct grid g;
    double sequence = 0;

    hd_paper_number(f, "sequence", &sequence);
    if (!read_grid(p, f, &g, d))
        return false;
    for (unsigned k = 0; k < g.policies.n; k++) {
        const struct hd_study_run *run =
            hd_paper_run(p, g.apps.items[0], g.policies.items[k], HD_PAPER_METRICS);
        const json_t *metrics = run ? json_object_get(run->json, "metrics") : NULL;
        const json_t *warps = json_object_get(metrics, "warps");
        double block = block_of(metrics, sequence);
        struct hd_sheet *s = hd_paper_sheet(p, f, policy_name(p, &g, k),
                                            hd_arena_printf(p->arena, "%s, block %.0f, under %s",
                                                            p->apps[g.apps.items[0]].label,
                                                            sequence, policy_name(p, &g, k)),
                                            "rrrrrr");
        size_t all = json_array_size(warps), n = 0, rows = 0;
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
            hd_sheet_add(s, heads[i]);
        struct hd_chart *c = hd_sheet_chart(s, HD_CHART_SPANS, 48, 2);
        c->series[0] = "running";
        c->series[1] = "waiting for the others";
        c->x_label = "cycle";
        c->spans = HD_ARRAY(p->arena, struct hd_chart_span, 2 * all + 1);
        for (size_t i = 0; i < all; i++) {
            const json_t *w = json_array_get(warps, i);
            double warp = hd_json_number(w, "warp"), start = hd_json_number(w, "start");
            double arrival = hd_json_number(w, "arrival"), end = hd_json_number(w, "end");
            if (hd_json_number(w, "launch") > 0 || fabs(hd_json_number(w, "block") - block) > 0.5 ||
                warp >= 48)
                continue;
            unsigned row = (unsigned)warp;
            rows = row + 1 > rows ? row + 1 : rows;
            c->labels[row] = hd_arena_printf(p->arena, "warp %u", row);
            c->spans[n++] = (struct hd_chart_span){row, 0, start, arrival};
            c->spans[n++] = (struct hd_chart_span){row, 1, arrival, end};
            const double cells[] = {
                hd_json_number(w, "phase"), warp, start, arrival, end, end - arrival};
            for (int j = 0; j < 6; j++)
                hd_sheet_addf(s, "%.0f", cells[j]);
        }
        c->n_labels = (unsigned)rows;
        c->n_spans = n;
        for (unsigned i = 0; i < rows; i++)
            c->labels[i] = c->labels[i] ? c->labels[i] : "";
        if (n) {
            hd_sheet_note(s, hd_arena_printf(p->arena,
                                             "Block %.0f of those that came to the SM is block "
                                             "%.0f of the grid.",
                                             sequence, block));
            continue;
        }
        s->chart = NULL;
        hd_sheet_note(s, hd_arena_printf(p->arena, "No warps: %s.",
                                         hd_paper_why(p, g.apps.items[0], g.policies.items[k],
                                                      HD_PAPER_METRICS)));
    }
    return true;
}

struct phase { // of one block
    unsigned warps, critical;
    double start, first, last, waits;
};

// The warps of a block in one phase, drawn into rows from `base` on; false: there is no such phase.
static bool read_phase(struct hd_paper *p, const json_t *warps, double block, unsigned number,
                       struct hd_chart *c, unsigned base, struct phase *out)
{
    *out = (struct phase){.first = HUGE_VAL, .last = -1};
    for (size_t i = 0; i < json_array_size(warps); i++) {
        const json_t *w = json_array_get(warps, i);
        double warp = hd_json_number(w, "warp"), arrival = hd_json_number(w, "arrival");
        if (hd_json_number(w, "launch") > 0 || fabs(hd_json_number(w, "block") - block) > 0.5 ||
            fabs(hd_json_number(w, "phase") - number) > 0.5)
            continue;
        out->warps++;
        out->start = hd_json_number(w, "start");
        out->first = fmin(out->first, arrival);
        out->waits = fmax(out->waits, hd_json_number(w, "end") - arrival);
        if (arrival > out->last) {
            out->last = arrival;
            out->critical = (unsigned)warp;
        }
        unsigned row = base + (unsigned)warp;
        if (!(warp >= 0 && warp < WARPS) || row >= WARPS)
            continue;
        c->labels[row] = hd_arena_printf(p->arena, "warp %u", row);
        c->n_labels = row + 1 > c->n_labels ? row + 1 : c->n_labels;
        c->spans[c->n_spans++] = (struct hd_chart_span){row, 0, out->start, arrival};
        c->spans[c->n_spans++] = (struct hd_chart_span){row, 1, arrival, hd_json_number(w, "end")};
    }
    return out->warps > 0;
}

static void show_critical_of(struct hd_paper *p, const struct hd_paper_section *f,
                             struct hd_sheet *s, unsigned app, unsigned policy)
{
    static const char *const heads[] = {"BLOCK", "PHASE",    "START",       "FIRST",
                                        "LAST",  "CRITICAL", "LONGEST WAIT"};
    const struct hd_study_run *run = hd_paper_run(p, app, policy, HD_PAPER_METRICS);
    const json_t *metrics = run ? json_object_get(run->json, "metrics") : NULL;
    const json_t *warps = json_object_get(metrics, "warps");
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_SPANS, WARPS, 2);
    unsigned base = 0;
    double blocks = 1;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    c->series[0] = "running";
    c->series[1] = "waiting for the others";
    c->x_label = "cycle";
    c->n_labels = 0;
    c->spans = HD_ARRAY(p->arena, struct hd_chart_span, 2 * json_array_size(warps) + 1);
    hd_paper_number(f, "blocks", &blocks);
    for (unsigned sequence = 0; sequence < blocks && sequence < WARPS; sequence++) {
        double block = block_of(metrics, sequence);
        struct phase phase;
        unsigned widest = 0;
        for (unsigned n = 1; block >= 0 && read_phase(p, warps, block, n, c, base, &phase); n++) {
            const double cells[] = {sequence,    n,          phase.start,
                                    phase.first, phase.last, base + phase.critical,
                                    phase.waits};
            for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
                hd_sheet_addf(s, "%.0f", cells[k]);
            widest = phase.warps > widest ? phase.warps : widest;
        }
        base += widest;
    }
    for (unsigned i = 0; i < c->n_labels; i++)
        c->labels[i] = c->labels[i] ? c->labels[i] : "";
    if (c->n_spans)
        return;
    s->chart = NULL;
    hd_sheet_note(s, hd_arena_printf(p->arena, "No warps: %s.",
                                     hd_paper_why(p, app, policy, HD_PAPER_METRICS)));
}

// The first blocks of an SM, and in each phase the warp that comes last: a sheet for each policy.
static bool show_critical(struct hd_paper *p, const struct hd_paper_section *f, struct hd_diag *d)
{
    struct grid g;

    if (!read_grid(p, f, &g, d))
        return false;
    for (unsigned k = 0; k < g.policies.n; k++) {
        const char *app = p->apps[g.apps.items[0]].label, *policy = policy_name(p, &g, k);
        struct hd_sheet *s = hd_paper_sheet(
            p, f, policy, hd_arena_printf(p->arena, "%s under %s", app, policy), "rrrrrrr");
        show_critical_of(p, f, s, g.apps.items[0], g.policies.items[k]);
        hd_sheet_note(s, "Warps are counted over all the blocks. FIRST, LAST: arrivals at the end "
                         "of the phase; CRITICAL: the warp that arrives last.");
    }
    return true;
}

const struct hd_paper_kind hd_paperphases_kinds[] = {
    {"phases", plan_metrics, show_phases, NULL},
    {"critical", plan_metrics, show_critical, NULL},
    {NULL, NULL, NULL, NULL}};
