// estimate.c - see estimate.h.
#include "sample/estimate.h"

#include <math.h>
#include <stdlib.h>

#define CURVE_LEAST 3 // launches that a curve needs
#define NEAR 1.01     // ratio of sizes up to which launches make one point of it
#define FAR 1.5       // ratio of sizes for which a ratio of cycles and instructions is no use
#define OWN_LEAST 3   // degrees of freedom of a group with a scatter of its own

double hd_estimate_student(double freedom)
{
    static const double t[] = {12.706, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365,
                               2.306,  2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
                               2.120,  2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069,
                               2.064,  2.060,  2.056, 2.052, 2.048, 2.045};

    if (freedom >= 30)
        return 1.960 + 2.46 / freedom;
    return t[freedom > 0 ? (int)freedom : 0];
}

struct view { // the run that is estimated
    const struct hd_sample *of;
    // Another run with the same launches chosen: what scatters is then the difference of a launch's
    // cycles and `ratio` times its cycles there. NULL: its cycles scatter.
    const struct hd_sample *base;
    double ratio;
};

struct lesson {     // a chosen launch
    double x, y, z; // instructions; cycles; what scatters
};

struct point {         // launches of nearly one size
    double n, x, y, z; // how many; means of what they teach
};

struct fit {
    double n, freedom;    // launches that it was learned from, less the numbers that were learned
    struct point *points; // by size; a curve through them
    size_t n_points;      // less than 2: cycles are `slope` times instructions
    double slope;         // of the curve before its first point and after its last
    double squares, relative; // of the residuals; of these by the prediction
};

static bool chosen(const struct hd_sample_launch *l)
{
    return l->part == HD_SAMPLE_CHOSEN;
}

// The launches that teach something.
struct lessons {
    struct lesson *of;
    size_t n, cap;
};

static struct lesson lesson_of(const struct view *v, const struct hd_sample_group *g, size_t i)
{
    double x = (double)g->launches[i].insts, y = (double)g->launches[i].cycles;

    if (!v->base)
        return (struct lesson){x, y, y};
    return (struct lesson){x, y,
                           y - v->ratio * (double)v->base->groups[g->number]->launches[i].cycles};
}

// `cold`: also the first launch of the kernel.
static void learn(struct hd_arena *a, struct lessons *s, const struct view *v,
                  const struct hd_sample_group *g, bool cold)
{
    for (size_t i = 0; i < g->n; i++)
        if (chosen(&g->launches[i]) && (cold || !g->launches[i].cold))
            *HD_PUSH(a, s->of, s->n, s->cap) = lesson_of(v, g, i);
}

static int by_size(const void *one, const void *other)
{
    const struct lesson *a = one, *b = other;

    if (a->x < b->x || a->x > b->x)
        return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

static void note_residual(struct fit *f, double residual, double weight, double prediction)
{
    f->squares += residual * residual / weight;
    if (prediction > 0)
        f->relative += residual * residual / weight / (prediction * prediction);
}

static void fit_ratio(struct fit *f, const struct lessons *s)
{
    double x = 0, y = 0, z = 0;

    for (size_t i = 0; i < s->n; i++) {
        x += s->of[i].x;
        y += s->of[i].y;
        z += s->of[i].z;
    }
    f->slope = x > 0 ? y / x : 0;
    z = x > 0 ? z / x : 0;
    f->freedom = f->n - 1;
    for (size_t i = 0; i < s->n; i++)
        note_residual(f, s->of[i].z - z * s->of[i].x, 1, f->slope * s->of[i].x);
}

// Makes points of the launches, which are ordered by size.
static void make_points(struct hd_arena *a, struct fit *f, const struct lessons *s)
{
    f->points = HD_ARRAY(a, struct point, s->n + 1);
    for (size_t i = 0, first = 0; i < s->n; i++) {
        const struct lesson *l = &s->of[i];
        if (i && l->x <= NEAR * s->of[first].x) {
            struct point *p = &f->points[f->n_points - 1];
            p->n++;
            p->x += (l->x - p->x) / p->n;
            p->y += (l->y - p->y) / p->n;
            p->z += (l->z - p->z) / p->n;
            continue;
        }
        first = i;
        f->points[f->n_points++] = (struct point){1, l->x, l->y, l->z};
    }
}

// The slope of the line of least squares.
static double slope_of(const struct lessons *s)
{
    double x = 0, y = 0, xx = 0, xy = 0;

    for (size_t i = 0; i < s->n; i++) {
        x += s->of[i].x / (double)s->n;
        y += s->of[i].y / (double)s->n;
    }
    for (size_t i = 0; i < s->n; i++) {
        double dx = s->of[i].x - x;
        xx += dx * dx;
        xy += dx * (s->of[i].y - y);
    }
    return xx > 0 ? xy / xx : 0;
}

// Residuals of the launches at a point around their mean, and of a point around the line between
// its neighbours, which also contains how far the curve is bent there.
static void fit_curve(struct fit *f, const struct lessons *s)
{
    size_t at = 0;

    f->slope = slope_of(s);
    f->freedom = f->n - 2;
    for (size_t i = 0; i < f->n_points; i++) {
        const struct point *p = &f->points[i];
        for (size_t end = at + (size_t)p->n; at < end; at++)
            note_residual(f, s->of[at].z - p->z, 1, p->y);
        if (!i || i + 1 == f->n_points)
            continue;
        double t = (p->x - p[-1].x) / (p[1].x - p[-1].x);
        double line = (1 - t) * p[-1].z + t * p[1].z;
        note_residual(f, p->z - line, 1 / p->n + (1 - t) * (1 - t) / p[-1].n + t * t / p[1].n,
                      p->y);
    }
}

static struct fit fit_of(struct hd_arena *a, struct lessons *s)
{
    struct fit f = {.n = (double)s->n};

    if (s->n)
        qsort(s->of, s->n, sizeof *s->of, by_size);
    if (s->n >= CURVE_LEAST)
        make_points(a, &f, s);
    if (f.n_points >= 2)
        fit_curve(&f, s);
    else
        fit_ratio(&f, s);
    return f;
}

// Beyond the curve's end: parallel to the line of least squares, but never below zero.
static double beyond(const struct fit *f, const struct point *end, double x)
{
    double y = end->y + f->slope * (x - end->x);

    return y > 0 ? y : end->y * (end->x > 0 ? x / end->x : 1);
}

// The cycles of a launch with x instructions. With `parts`, also adds how much each point
// contributes.
static double predict(const struct fit *f, double x, double *parts)
{
    size_t i = 0;

    if (f->n_points < 2)
        return f->slope * x;
    while (i < f->n_points && f->points[i].x < x)
        i++;
    if (i == 0 || i == f->n_points) {
        size_t end = i ? i - 1 : 0;
        if (parts)
            parts[end]++;
        return beyond(f, &f->points[end], x);
    }
    const struct point *p = &f->points[i];
    double t = (x - p[-1].x) / (p->x - p[-1].x);
    if (parts) {
        parts[i - 1] += 1 - t;
        parts[i] += t;
    }
    return (1 - t) * p[-1].y + t * p->y;
}

static bool sizes_differ(const struct hd_sample_group *g)
{
    uint64_t least = UINT64_MAX, most = 0;

    for (size_t i = 0; i < g->n; i++) {
        uint64_t x = g->launches[i].insts;
        least = x < least ? x : least;
        most = x > most ? x : most;
    }
    return (double)most > FAR * (double)least;
}

struct group { // what is known of a group
    const struct hd_sample_group *of;
    struct fit fit;
    bool own; // the fit is its own, not its kernel's
};

static struct group know(const struct view *v, struct hd_arena *a, const struct hd_sample_group *g)
{
    const struct hd_sample *s = v->of;
    struct group k = {.of = g, .own = true};
    struct lessons own = {0}, all = {0};

    learn(a, &own, v, g, false);
    if (own.n < CURVE_LEAST && sizes_differ(g))
        for (size_t i = 0; i < s->n_groups; i++)
            if (s->groups[i]->shape.kernel == g->shape.kernel)
                learn(a, &all, v, s->groups[i], false);
    if (all.n >= CURVE_LEAST) {
        k.own = false;
        k.fit = fit_of(a, &all);
        return k;
    }
    if (!own.n)
        learn(a, &own, v, g, true);
    k.fit = fit_of(a, &own);
    return k;
}

// The variance of the group's prediction for a scatter with a variance of 1: absolute, or relative
// to the mean prediction.
static double variance(struct hd_arena *a, const struct group *k, bool relative)
{
    const struct fit *f = &k->fit;
    double *parts = HD_ARRAY(a, double, f->n_points + 1);
    double n = 0, sum = 0, squares;

    for (size_t i = 0; i < k->of->n; i++)
        if (!chosen(&k->of->launches[i])) {
            n++;
            sum += predict(f, (double)k->of->launches[i].insts, parts);
        }
    if (n == 0)
        return 0;
    squares = n;
    if (f->n_points < 2)
        squares += n * n / f->n;
    else
        for (size_t i = 0; i < f->n_points; i++)
            squares += parts[i] * parts[i] / f->points[i].n;
    return relative ? squares * (sum / n) * (sum / n) : squares;
}

static void add(struct hd_estimate *e, const struct group *k)
{
    e->launches += k->of->n;
    for (size_t i = 0; i < k->of->n; i++) {
        const struct hd_sample_launch *l = &k->of->launches[i];
        e->chosen += chosen(l);
        e->warm += l->part == HD_SAMPLE_WARM;
        e->chosen_cycles += chosen(l) ? l->cycles : 0;
        e->cycles += chosen(l) ? (double)l->cycles : predict(&k->fit, (double)l->insts, NULL);
    }
}

// Its error is that of what scatters.
static struct hd_estimate estimate(const struct view *v, const void *kernel)
{
    const struct hd_sample *s = v->of;
    struct hd_arena *a = hd_arena_new();
    struct hd_estimate e = {.known = true};
    double squares = 0, freedom = 0;              // of the scatter that groups share
    double own = 0, shared = 0, total, parts = 0; // variances; their squares by their freedom

    for (size_t i = 0; i < s->n_groups; i++) {
        struct group k = know(v, a, s->groups[i]);
        if (k.own && k.fit.freedom > 0) {
            squares += k.fit.relative;
            freedom += k.fit.freedom;
        }
        if (kernel && s->groups[i]->shape.kernel != kernel)
            continue;
        add(&e, &k);
        if (k.own && k.fit.freedom >= OWN_LEAST) {
            double one = variance(a, &k, false) * k.fit.squares / k.fit.freedom;
            own += one;
            parts += one * one / k.fit.freedom;
        } else {
            shared += variance(a, &k, true);
        }
    }
    e.known = shared == 0 || freedom > 0;
    if (freedom > 0) {
        shared *= squares / freedom;
        parts += shared * shared / freedom;
    }
    total = own + shared;
    if (e.known && parts > 0)
        e.error = hd_estimate_student(total * total / parts) * sqrt(total);
    hd_arena_free(a);
    return e;
}

struct hd_estimate hd_estimate_of(const struct hd_sample *s, const void *kernel)
{
    return estimate(&(struct view){.of = s}, kernel);
}

// The first group of the same kernel.
static size_t kernel_of(const struct hd_sample *s, size_t group)
{
    size_t i = 0;

    while (s->groups[i]->shape.kernel != s->groups[group]->shape.kernel)
        i++;
    return i;
}

static bool same_group(const struct hd_sample_group *g, const struct hd_sample_group *other)
{
    if (g->n != other->n)
        return false;
    for (size_t i = 0; i < g->n; i++)
        if (g->launches[i].part != other->launches[i].part ||
            g->launches[i].insts != other->launches[i].insts)
            return false;
    return true;
}

static bool same_launches(const struct hd_sample *s, const struct hd_sample *other)
{
    if (s->n_groups != other->n_groups)
        return false;
    for (size_t i = 0; i < s->n_groups; i++)
        if (kernel_of(s, i) != kernel_of(other, i) || !same_group(s->groups[i], other->groups[i]))
            return false;
    return true;
}

struct hd_estimate_ratio hd_estimate_ratio_of(const struct hd_sample *s,
                                              const struct hd_sample *base)
{
    struct hd_estimate one = hd_estimate_of(s, NULL), other = hd_estimate_of(base, NULL);
    struct hd_estimate_ratio r = {.paired = same_launches(s, base)};

    if (one.cycles <= 0 || other.cycles <= 0)
        return r;
    r.ratio = one.cycles / other.cycles;
    if (r.paired) {
        one = estimate(&(struct view){s, base, r.ratio}, NULL);
        r.known = one.known;
        r.error = one.error / one.cycles;
    } else {
        r.known = one.known && other.known;
        r.error = hypot(one.error / one.cycles, other.error / other.cycles);
    }
    return r;
}
