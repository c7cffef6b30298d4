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

// What a run recorded of the launch that the figure is about.
struct recorded {
    const json_t *blocks, *warps;
    double launch, start; // its number, and its first cycle, from which times are counted
};

static struct recorded recorded_of(const struct hd_paper *p, const struct hd_paper_section *f,
                                   const struct hd_study_run *run)
{
    const json_t *metrics = run ? json_object_get(run->json, "metrics") : NULL;
    size_t launch = hd_paper_launch_of(run, hd_paper_kernel_of(p, f));
    struct hd_paper_launches all = hd_paper_launches(run);

    return (struct recorded){.blocks = json_object_get(metrics, "blocks"),
                             .warps = json_object_get(metrics, "warps"),
                             .launch = (double)launch,
                             .start = launch < all.n ? all.of[launch].start : 0};
}

// Cycles from the launch's start to this time of a record.
static double since(const struct recorded *r, const json_t *record, const char *time)
{
    return hd_json_number(record, time) - r->start;
}

static bool same(const json_t *record, const char *key, double value)
{
    return fabs(hd_json_number(record, key) - value) < 0.5;
}

// Why no warps are shown.
static void note_none(struct hd_paper *p, const struct hd_paper_section *f, struct hd_sheet *s,
                      unsigned app, unsigned policy)
{
    const struct hd_study_run *run = hd_paper_run(p, app, policy, HD_PAPER_METRICS);
    const char *kernel = hd_paper_kernel_of(p, f);
    bool ended = run && run->done && !strcmp(run->result, "ok");

    if (ended && hd_paper_launch_of(run, kernel) == SIZE_MAX)
        hd_sheet_note(s, hd_arena_printf(p->arena, "No warps: %s did not launch %.60s.",
                                         p->apps[app].label, kernel));
    else if (ended)
        hd_sheet_note(s, "No warps: the recorded SM received no such block.");
    else
        hd_sheet_note(s, hd_arena_printf(p->arena, "No warps: %s.",
                                         hd_paper_why(p, app, policy, HD_PAPER_METRICS)));
}

// The number in its grid of the block that came to the recorded SM as number `sequence` of the
// launch; -1: there is none.
static double block_of(const struct recorded *r, double sequence)
{
    const json_t *blocks = r->blocks;

    for (size_t i = 0; i < json_array_size(blocks); i++) {
        const json_t *b = json_array_get(blocks, i);
        if (same(b, "launch", r->launch) && same(b, "sequence", sequence))
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
        const struct recorded r = recorded_of(p, f, run);
        double block = block_of(&r, sequence);
        struct hd_sheet *s = hd_paper_sheet(p, f, policy_name(p, &g, k),
                                            hd_arena_printf(p->arena, "%s, block %.0f, under %s",
                                                            p->apps[g.apps.items[0]].label,
                                                            sequence, policy_name(p, &g, k)),
                                            "rrrrrr");
        size_t all = json_array_size(r.warps), n = 0, rows = 0;
        for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
            hd_sheet_add(s, heads[i]);
        struct hd_chart *c = hd_sheet_chart(s, HD_CHART_SPANS, 48, 2);
        c->series[0] = "running";
        c->series[1] = "waiting for the others";
        c->x_label = "cycle";
        c->spans = HD_ARRAY(p->arena, struct hd_chart_span, 2 * all + 1);
        for (size_t i = 0; i < all; i++) {
            const json_t *w = json_array_get(r.warps, i);
            double warp = hd_json_number(w, "warp"), start = since(&r, w, "start");
            double arrival = since(&r, w, "arrival"), end = since(&r, w, "end");
            if (!same(w, "launch", r.launch) || !same(w, "block", block) || warp >= WARPS)
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
        note_none(p, f, s, g.apps.items[0], g.policies.items[k]);
    }
    return true;
}

// The lowest slot of a block's warps, from which they are counted.
static double lowest_slot(const struct recorded *r, double block)
{
    double lowest = WARPS;

    for (size_t i = 0; i < json_array_size(r->warps); i++) {
        const json_t *w = json_array_get(r->warps, i);
        if (same(w, "launch", r->launch) && same(w, "block", block))
            lowest = fmin(lowest, hd_json_number(w, "warp"));
    }
    return lowest;
}

struct phase { // of one block
    unsigned warps, critical;
    double start, first, last, waits;
};

// The warps of a block in one phase, drawn into rows from `base` on; false: there is no such phase.
static bool read_phase(struct hd_paper *p, const struct recorded *r, double block, unsigned number,
                       struct hd_chart *c, unsigned base, struct phase *out)
{
    double lowest = lowest_slot(r, block);

    *out = (struct phase){.first = HUGE_VAL, .last = -1};
    for (size_t i = 0; i < json_array_size(r->warps); i++) {
        const json_t *w = json_array_get(r->warps, i);
        double warp = hd_json_number(w, "warp") - lowest, arrival = since(r, w, "arrival");
        double end = since(r, w, "end");
        if (!same(w, "launch", r->launch) || !same(w, "block", block) || !same(w, "phase", number))
            continue;
        out->warps++;
        out->start = since(r, w, "start");
        out->first = fmin(out->first, arrival);
        out->waits = fmax(out->waits, end - arrival);
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
        c->spans[c->n_spans++] = (struct hd_chart_span){row, 1, arrival, end};
    }
    return out->warps > 0;
}

static void show_critical_of(struct hd_paper *p, const struct hd_paper_section *f,
                             struct hd_sheet *s, unsigned app, unsigned policy)
{
    static const char *const heads[] = {"BLOCK", "PHASE",    "START",       "FIRST",
                                        "LAST",  "CRITICAL", "LONGEST WAIT"};
    const struct hd_study_run *run = hd_paper_run(p, app, policy, HD_PAPER_METRICS);
    const struct recorded r = recorded_of(p, f, run);
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_SPANS, WARPS, 2);
    unsigned base = 0;
    double blocks = 1;

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    c->series[0] = "running";
    c->series[1] = "waiting for the others";
    c->x_label = "cycle";
    c->n_labels = 0;
    c->spans = HD_ARRAY(p->arena, struct hd_chart_span, 2 * json_array_size(r.warps) + 1);
    hd_paper_number(f, "blocks", &blocks);
    for (unsigned sequence = 0; sequence < blocks && sequence < WARPS; sequence++) {
        double block = block_of(&r, sequence);
        struct phase phase;
        unsigned widest = 0;
        for (unsigned n = 1; block >= 0 && read_phase(p, &r, block, n, c, base, &phase); n++) {
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
    note_none(p, f, s, app, policy);
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
