// estimate.c - see estimate.h.
#include "sample/estimate.h"

#include <math.h>

#define LINE_LEAST 3       // launches that a line needs
#define LINE_SPREAD 0.0001 // and the variance of their sizes, as a part of the mean's square
#define FAR 1.5            // ratio of sizes for which a ratio of cycles and instructions is no use
#define OWN_LEAST 5        // degrees of freedom of a group with a scatter of its own

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

struct fit { // cycles = base + slope * instructions
    double base, slope;
    double n;            // launches that it was learned from
    double freedom;      // less the numbers that were learned
    double mean, spread; // of their instructions; the sum of squares around the mean
};

struct sums {
    double n, x, y, xx, xy;
};

static bool chosen(const struct hd_sample_launch *l)
{
    return l->part == HD_SAMPLE_CHOSEN;
}

// Whether a launch of the group teaches something; `cold`: also the first one of its kernel.
static bool teaches(const struct hd_sample_launch *l, bool cold)
{
    return chosen(l) && (cold || !l->cold);
}

static void learn(struct sums *s, const struct hd_sample_group *g, bool cold)
{
    for (size_t i = 0; i < g->n; i++) {
        const struct hd_sample_launch *l = &g->launches[i];
        double x = (double)l->insts, y = (double)l->cycles;
        if (!teaches(l, cold))
            continue;
        s->n++;
        s->x += x;
        s->y += y;
        s->xx += x * x;
        s->xy += x * y;
    }
}

static struct fit ratio_of(const struct sums *s)
{
    struct fit f = {.n = s->n, .freedom = s->n - 1};

    f.slope = s->x > 0 ? s->y / s->x : 0;
    f.base = s->x > 0 ? 0 : s->y / s->n;
    return f;
}

// A line, if there is enough for one.
static struct fit fit_of(const struct sums *s)
{
    double mean = s->x / s->n, spread = s->xx - s->x * mean;
    struct fit f = {.n = s->n, .freedom = s->n - 2, .mean = mean, .spread = spread};

    if (s->n < LINE_LEAST || spread <= LINE_SPREAD * s->x * mean)
        return ratio_of(s);
    f.slope = (s->xy - mean * s->y) / spread;
    f.base = s->y / s->n - f.slope * mean;
    return f;
}

static double predict(const struct fit *f, const struct hd_sample_launch *l)
{
    return f->base + f->slope * (double)l->insts;
}

static bool sensible(const struct fit *f, const struct hd_sample_group *g)
{
    for (size_t i = 0; i < g->n; i++)
        if (predict(f, &g->launches[i]) <= 0)
            return false;
    return true;
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

// Of all groups of a kernel.
static struct fit fit_kernel(const struct hd_sample *s, const void *kernel)
{
    struct sums all = {0};

    for (size_t i = 0; i < s->n_groups; i++)
        if (s->groups[i]->shape.kernel == kernel)
            learn(&all, s->groups[i], false);
    return all.n >= LINE_LEAST ? fit_of(&all) : (struct fit){0};
}

struct group { // what is known of a group
    const struct hd_sample_group *of;
    struct fit fit;
    bool cold, own; // the kernel's first launch teaches; the fit is the group's own
    double squares; // of its residuals, relative to the prediction
};

static struct group know(const struct hd_sample *s, const struct hd_sample_group *g)
{
    struct group k = {.of = g, .own = true};
    struct sums sums = {0};

    learn(&sums, g, false);
    k.cold = sums.n == 0;
    if (k.cold)
        learn(&sums, g, true);
    k.fit = fit_of(&sums);
    if (sums.n < LINE_LEAST && sizes_differ(g)) {
        struct fit f = fit_kernel(s, g->shape.kernel);
        k.own = !f.n || !sensible(&f, g);
        k.fit = k.own ? k.fit : f;
    }
    if (!sensible(&k.fit, g))
        k.fit = ratio_of(&sums);
    for (size_t i = 0; i < g->n && k.own; i++) {
        const struct hd_sample_launch *l = &g->launches[i];
        double p = predict(&k.fit, l);
        if (teaches(l, k.cold) && p > 0)
            k.squares += ((double)l->cycles - p) * ((double)l->cycles - p) / (p * p);
    }
    return k;
}

// The variance of the group's prediction for a relative scatter with a variance of 1.
static double variance(const struct group *k)
{
    double n = 0, sum = 0, squares = 0, x = 0;

    for (size_t i = 0; i < k->of->n; i++) {
        const struct hd_sample_launch *l = &k->of->launches[i];
        double p = predict(&k->fit, l);
        if (chosen(l))
            continue;
        n++;
        sum += p;
        squares += p * p;
        x += (double)l->insts - k->fit.mean;
    }
    if (n == 0)
        return 0;
    squares += sum * sum / k->fit.n;
    if (k->fit.spread > 0)
        squares += sum / n * (sum / n) * x * x / k->fit.spread;
    return squares;
}

static void add(struct hd_estimate *e, const struct group *k)
{
    e->launches += k->of->n;
    for (size_t i = 0; i < k->of->n; i++) {
        const struct hd_sample_launch *l = &k->of->launches[i];
        e->chosen += chosen(l);
        e->warm += l->part == HD_SAMPLE_WARM;
        e->chosen_cycles += chosen(l) ? l->cycles : 0;
        e->cycles += chosen(l) ? (double)l->cycles : predict(&k->fit, l);
    }
}

static bool has_own_scatter(const struct group *k)
{
    return k->own && k->fit.freedom >= OWN_LEAST;
}

struct hd_estimate hd_estimate_of(const struct hd_sample *s, const void *kernel)
{
    struct hd_estimate e = {.known = true};
    double squares = 0, freedom = 0;              // of the scatter that groups share
    double own = 0, shared = 0, total, parts = 0; // variances; their squares by their freedom

    for (size_t i = 0; i < s->n_groups; i++) {
        struct group k = know(s, s->groups[i]);
        if (k.own && k.fit.freedom > 0) {
            squares += k.squares;
            freedom += k.fit.freedom;
        }
        if (kernel && s->groups[i]->shape.kernel != kernel)
            continue;
        add(&e, &k);
        if (has_own_scatter(&k)) {
            double v = variance(&k) * k.squares / k.fit.freedom;
            own += v;
            parts += v * v / k.fit.freedom;
        } else {
            shared += variance(&k);
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
    return e;
}
