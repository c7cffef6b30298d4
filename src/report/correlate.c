// correlate.c - compares a GPU with a model of it. See correlate.h.
#include "report/correlate.h"

#include "base/configkeys.h"
#include "base/fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Values that both files have, and that are above zero.
struct pair {
    const struct hd_measured_row *gpu, *model;
    double theirs, ours; // of kernels in cycles, else as measured
};

struct pairs {
    struct hd_arena *arena;
    struct pair *items;
    size_t n, cap, alone; // alone: rows that the other file lacks
};

static double value(const struct hd_measured *m, enum hd_measured_kind kind, const char *name)
{
    const struct hd_measured_row *r = hd_measured_find(m, kind, name, 0);

    return r ? r->value : (double)NAN;
}

// Time of a kernel in cycles of its machine, without what an empty kernel takes.
static double cycles(const struct hd_measured *m, double us)
{
    double mhz = value(m, HD_MEASURED_MACHINE, "clock"),
           nothing = value(m, HD_MEASURED_LAUNCH, "nothing");

    return (us - (nothing < us ? nothing : 0)) * mhz;
}

static bool same(const struct hd_measured_row *a, const struct hd_measured_row *b)
{
    return a->kind == b->kind && a->launch == b->launch && !strcmp(a->name, b->name);
}

// Files of the same programs have the same order, so that the search begins after the last row
// found.
static void join(const struct hd_measured *gpu, const struct hd_measured *model, struct pairs *out)
{
    size_t at = 0;

    for (size_t i = 0; i < gpu->n; i++) {
        const struct hd_measured_row *g = &gpu->rows[i];
        size_t k = 0;
        if (g->kind == HD_MEASURED_MACHINE)
            continue;
        while (k < model->n && !same(g, &model->rows[(at + k) % model->n]))
            k++;
        if (k == model->n) {
            out->alone++;
            continue;
        }
        at = (at + k) % model->n;
        struct pair p = {.gpu = g, .model = &model->rows[at]};
        bool kernel = g->kind == HD_MEASURED_KERNEL;
        p.theirs = kernel ? cycles(gpu, g->value) : g->value;
        p.ours = kernel ? cycles(model, p.model->value) : p.model->value;
        if (p.theirs > 0 && p.ours > 0)
            *HD_PUSH(out->arena, out->items, out->n, out->cap) = p;
        else
            out->alone++;
        at = (at + 1) % model->n;
    }
}

static void machines_sheet(const struct hd_measured *gpu, const struct hd_measured *model,
                           struct hd_sheets *out)
{
    struct hd_sheet *s = hd_sheet_new(out, "machines", "The machines", "lrr");

    hd_sheet_add(s, "");
    hd_sheet_add(s, "GPU");
    hd_sheet_add(s, "MODEL");
    for (size_t i = 0; i < gpu->n; i++) {
        const struct hd_measured_row *g = &gpu->rows[i];
        const struct hd_measured_row *m =
            g->kind == HD_MEASURED_MACHINE
                ? hd_measured_find(model, HD_MEASURED_MACHINE, g->name, g->launch)
                : NULL;
        if (g->kind != HD_MEASURED_MACHINE)
            continue;
        hd_sheet_addf(s, "%s%s%s", g->name, *g->unit ? ", " : "", g->unit);
        hd_sheet_add(s, g->text);
        hd_sheet_add(s, m ? m->text : NULL);
    }
}

// How near the model is to the GPU, over all pairs of a kind.
struct fit {
    unsigned n;
    double ratio;       // geometric mean of ours / theirs
    double error;       // mean of |ours / theirs - 1|
    double correlation; // Pearson's, of the logarithms; NAN with fewer than three pairs
    const struct pair *worst;
};

static double distance(const struct pair *p)
{
    return fabs(log(p->ours / p->theirs));
}

static struct fit fit_of(const struct pairs *all, enum hd_measured_kind kind)
{
    struct fit f = {.correlation = (double)NAN};
    double sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;

    for (size_t i = 0; i < all->n; i++) {
        const struct pair *p = &all->items[i];
        if (p->gpu->kind != kind)
            continue;
        double x = log(p->theirs), y = log(p->ours);
        sx += x, sy += y, sxx += x * x, syy += y * y, sxy += x * y;
        f.error += fabs(p->ours / p->theirs - 1);
        if (!f.worst || distance(p) > distance(f.worst))
            f.worst = p;
        f.n++;
    }
    if (!f.n)
        return f;
    f.ratio = exp((sy - sx) / f.n);
    f.error /= f.n;
    double vx = sxx - sx * sx / f.n, vy = syy - sy * sy / f.n;
    if (f.n > 2 && vx > 1e-12 && vy > 1e-12)
        f.correlation = (sxy - sx * sy / f.n) / sqrt(vx * vy);
    return f;
}

static void summary_sheet(const struct pairs *all, struct hd_sheets *out)
{
    struct hd_sheet *s = hd_sheet_new(out, "summary", "How near the model is", "lrrrrl");
    static const char *const heads[] = {"KIND",         "VALUES",      "MODEL / GPU",
                                        "MEAN ERROR %", "CORRELATION", "WORST"};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (unsigned k = 0; k < HD_MEASURED_N_KINDS; k++) {
        struct fit f = fit_of(all, (enum hd_measured_kind)k);
        if (!f.n)
            continue;
        hd_sheet_add(s, hd_measured_words[k]);
        hd_sheet_addf(s, "%u", f.n);
        hd_sheet_addf(s, "%.3f", f.ratio);
        hd_sheet_addf(s, "%.1f", 100 * f.error);
        if (isnan(f.correlation))
            hd_sheet_add(s, NULL);
        else
            hd_sheet_addf(s, "%.4f", f.correlation);
        if (k == HD_MEASURED_KERNEL)
            hd_sheet_addf(s, "%s, launch %u: x %.3f", f.worst->gpu->name, f.worst->gpu->launch,
                          f.worst->ours / f.worst->theirs);
        else
            hd_sheet_addf(s, "%s: x %.3f", f.worst->gpu->name, f.worst->ours / f.worst->theirs);
    }
    if (all->alone)
        hd_sheet_note(s, hd_arena_printf(s->arena,
                                         "%zu values were left out: the other file lacks them, or "
                                         "they are not above zero.",
                                         all->alone));
    hd_sheet_note(s, "MODEL / GPU is a geometric mean; the correlation is that of the logarithms. "
                     "Kernels are compared in cycles, without the time of an empty kernel.");
}

static void values_sheet(const struct pairs *all, struct hd_sheets *out)
{
    struct hd_sheet *s = hd_sheet_new(out, "values", "What was measured", "lllrrr");
    static const char *const heads[] = {"KIND", "NAME", "UNIT", "GPU", "MODEL", "MODEL / GPU"};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (size_t i = 0; i < all->n; i++) {
        const struct pair *p = &all->items[i];
        if (p->gpu->kind == HD_MEASURED_KERNEL)
            continue;
        hd_sheet_add(s, hd_measured_words[p->gpu->kind]);
        hd_sheet_add(s, p->gpu->name);
        hd_sheet_add(s, p->gpu->unit);
        hd_sheet_addf(s, "%.3f", p->theirs);
        hd_sheet_addf(s, "%.3f", p->ours);
        hd_sheet_addf(s, "%.3f", p->ours / p->theirs);
    }
}

// --- kernels

struct program { // all launches of a workload
    const char *name;
    unsigned n;
    double theirs, ours;
    const struct pair *worst;
};

static size_t programs_of(const struct pairs *all, struct program *out)
{
    size_t n = 0;

    for (size_t i = 0; i < all->n; i++) {
        const struct pair *p = &all->items[i];
        size_t k = 0;
        if (p->gpu->kind != HD_MEASURED_KERNEL)
            continue;
        while (k < n && strcmp(out[k].name, p->gpu->name) != 0)
            k++;
        if (k == n)
            out[n++] = (struct program){.name = p->gpu->name};
        out[k].n++;
        out[k].theirs += p->theirs;
        out[k].ours += p->ours;
        if (!out[k].worst || distance(p) > distance(out[k].worst))
            out[k].worst = p;
    }
    return n;
}

static void kernels_chart(struct hd_sheet *s, const struct program *programs, size_t n)
{
    struct hd_chart *c = hd_sheet_chart(s, HD_CHART_POINTS, (unsigned)n, 1);

    c->x_label = "cycles on the GPU";
    c->y_label = "cycles in the model";
    c->series[0] = "a workload, all of its launches";
    c->spans = HD_ARRAY(s->arena, struct hd_chart_span, n);
    c->n_spans = n;
    for (unsigned i = 0; i < n; i++) {
        c->labels[i] = programs[i].name;
        // Names are written where the model is off by a fifth and more.
        bool named = fabs(log(programs[i].ours / programs[i].theirs)) > log(1.2);
        c->spans[i] = (struct hd_chart_span){
            .row = named ? i : (unsigned)n, .start = programs[i].theirs, .end = programs[i].ours};
    }
}

static void kernels_sheet(const struct pairs *all, struct hd_sheets *out)
{
    static const char *const heads[] = {"WORKLOAD", "LAUNCHES",    "CYCLES, GPU",
                                        "MODEL",    "MODEL / GPU", "WORST LAUNCH"};
    struct program *programs = HD_ARRAY(out->arena, struct program, all->n + 1);
    size_t n = programs_of(all, programs);

    if (!n)
        return;
    struct hd_sheet *s = hd_sheet_new(out, "kernels", "Workloads", "lrrrrr");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (size_t i = 0; i < n; i++) {
        const struct program *p = &programs[i];
        hd_sheet_add(s, p->name);
        hd_sheet_addf(s, "%u", p->n);
        hd_sheet_addf(s, "%.0f", p->theirs);
        hd_sheet_addf(s, "%.0f", p->ours);
        hd_sheet_addf(s, "%.3f", p->ours / p->theirs);
        hd_sheet_addf(s, "%u: x %.3f", p->worst->gpu->launch, p->worst->ours / p->worst->theirs);
    }
    kernels_chart(s, programs, n);
}

// --- keys

// If a latency of the model grows, the measured value grows by as many cycles. With `less`, the
// value is the difference between a measurement and this other one of its kind.
static const struct {
    enum hd_measured_kind kind;
    const char *name, *section, *key, *less;
} fits[] = {
    {HD_MEASURED_LATENCY, "add.s32", "latency", "add.int", NULL},
    {HD_MEASURED_LATENCY, "max.s32", "latency", "minmax.int", NULL},
    {HD_MEASURED_LATENCY, "shl.b32", "latency", "other.int", NULL},
    {HD_MEASURED_LATENCY, "mul.lo.s32", "latency", "mul.int", NULL},
    {HD_MEASURED_LATENCY, "mad.lo.s32", "latency", "mad.int", NULL},
    {HD_MEASURED_LATENCY, "div.u32", "latency", "div.int", NULL},
    {HD_MEASURED_LATENCY, "shfl.b32", "latency", "shfl.int", NULL},
    {HD_MEASURED_LATENCY, "add.f32", "latency", "add.fp32", NULL},
    {HD_MEASURED_LATENCY, "max.f32", "latency", "minmax.fp32", NULL},
    {HD_MEASURED_LATENCY, "mul.f32", "latency", "mul.fp32", NULL},
    {HD_MEASURED_LATENCY, "fma.f32", "latency", "fma.fp32", NULL},
    {HD_MEASURED_LATENCY, "div.f32", "latency", "div.fp32", NULL},
    {HD_MEASURED_LATENCY, "sin.f32", "latency", "trans.fp32", NULL},
    {HD_MEASURED_LATENCY, "add.f64", "latency", "add.fp64", NULL},
    {HD_MEASURED_LATENCY, "mul.f64", "latency", "mul.fp64", NULL},
    {HD_MEASURED_LATENCY, "fma.f64", "latency", "fma.fp64", NULL},
    {HD_MEASURED_LATENCY, "ld.shared", "sm", "shared_latency", NULL},
    {HD_MEASURED_CHASE, "8K", "l1d", "latency", NULL},
    {HD_MEASURED_CHASE, "1024K", "l2", "rop", NULL},
    {HD_MEASURED_CHASE, "32768K", "dram", "latency", "1024K"},
};

static const struct pair *find(const struct pairs *all, enum hd_measured_kind kind,
                               const char *name)
{
    for (size_t i = 0; i < all->n; i++)
        if (all->items[i].gpu->kind == kind && !strcmp(all->items[i].gpu->name, name))
            return &all->items[i];
    return NULL;
}

static void keys_sheet(const struct pairs *all, const struct hd_config *config,
                       struct hd_sheets *out)
{
    static const char *const heads[] = {"KEY", "NOW", "NEARER", "MEASURED BY", "GPU", "MODEL"};
    struct hd_sheet *s =
        hd_sheet_new(out, "keys", "Keys that would bring the model nearer", "lrrlrr");

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(s, heads[i]);
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
        const struct pair *p = find(all, fits[i].kind, fits[i].name);
        const struct pair *less = fits[i].less ? find(all, fits[i].kind, fits[i].less) : NULL;
        const struct hd_config_section *section = hd_configkeys_find(fits[i].section);
        const struct hd_field *f = section ? hd_fields_find(section->rows, fits[i].key) : NULL;
        char now[64], *rest;
        if (!p || !f || (fits[i].less && !less))
            continue;
        double theirs = p->theirs - (less ? less->theirs : 0),
               ours = p->ours - (less ? less->ours : 0);
        hd_fields_text(f, config, now, sizeof now);
        long old = strtol(now, &rest, 10), wanted = old + lround(theirs - ours);
        if (wanted == old)
            continue;
        hd_sheet_addf(s, "%s.%s", fits[i].section, fits[i].key);
        hd_sheet_addf(s, "%s", now);
        hd_sheet_addf(s, "%ld%s", wanted < 1 ? 1 : wanted, rest);
        hd_sheet_addf(s, "%s %s%s%s", hd_measured_words[fits[i].kind], fits[i].name,
                      less ? " beyond " : "", less ? fits[i].less : "");
        hd_sheet_addf(s, "%.1f", theirs);
        hd_sheet_addf(s, "%.1f", ours);
    }
    hd_sheet_note(s, "Each key alone is moved by the difference of one measured latency. After a "
                     "change, measure the model again: keys act on each other.");
}

bool hd_correlate_explain(const struct hd_measured *gpu, const struct hd_measured *model,
                          const struct hd_config *config, struct hd_sheets *out, struct hd_diag *d)
{
    struct pairs all = {.arena = out->arena};

    join(gpu, model, &all);
    if (!all.n) {
        hd_diag_add(d, NULL, 0, 0, "%s and %s have no measurement in common", gpu->path,
                    model->path);
        return false;
    }
    machines_sheet(gpu, model, out);
    summary_sheet(&all, out);
    kernels_sheet(&all, out);
    values_sheet(&all, out);
    if (config)
        keys_sheet(&all, config, out);
    return true;
}
