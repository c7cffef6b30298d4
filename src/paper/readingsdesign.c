// readingsdesign.c - which combinations of readings are tried, and what a claim's values come to.
// It knows no runs. See readings.h.
#include "paper/readings.h"

#include <math.h>
#include <stdlib.h>

void hd_readingsdesign_singles(struct hd_arena *a, const struct hd_readings_axis *axes, unsigned n,
                               struct hd_readings_points *out)
{
    *HD_PUSH(a, out->items, out->n, out->cap) = (struct hd_readings_point){.n = 0};
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k < axes[i].n; k++)
            *HD_PUSH(a, out->items, out->n, out->cap) =
                (struct hd_readings_point){.n = 1, .axis = {i}, .value = {k}};
}

void hd_readingsdesign_pairs(struct hd_arena *a, const struct hd_readings_axis *axes, unsigned one,
                             unsigned two, struct hd_readings_points *out)
{
    for (unsigned i = 0; i < axes[one].n; i++)
        for (unsigned k = 0; k < axes[two].n; k++)
            if (!hd_readingsaxes_exclude(&axes[one].values[i], &axes[two].values[k]))
                *HD_PUSH(a, out->items, out->n, out->cap) =
                    (struct hd_readings_point){.n = 2, .axis = {one, two}, .value = {i, k}};
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct hd_readings_range hd_readingsdesign_range(struct hd_arena *a,
                                                 const struct hd_readings_result *results, size_t n)
{
    double *v = HD_ARRAY(a, double, n + 1);
    struct hd_readings_range range = {
        .least = (double)NAN, .median = (double)NAN, .most = (double)NAN};

    size_t numbers = 0;

    for (size_t i = 0; i < n; i++)
        if (results[i].applies && results[i].good) {
            range.n++;
            range.agree += results[i].agrees;
            if (!isnan(results[i].ours))
                v[numbers++] = results[i].ours;
        }
    if (!numbers)
        return range;
    qsort(v, numbers, sizeof *v, by_value);
    range.least = v[0];
    range.most = v[numbers - 1];
    range.median = numbers % 2 ? v[numbers / 2] : (v[numbers / 2 - 1] + v[numbers / 2]) / 2;
    return range;
}

void hd_readingsdesign_moves(const struct hd_readings_points *points,
                             const struct hd_readings_result *results, unsigned n_axes,
                             double *moves)
{
    for (unsigned i = 0; i < n_axes; i++)
        moves[i] = 0;
    if (!points->n || !results[0].good || isnan(results[0].ours)) // the default comes first
        return;
    for (size_t i = 1; i < points->n; i++) {
        const struct hd_readings_point *p = &points->items[i];
        if (p->n == 1 && results[i].applies && results[i].good && !isnan(results[i].ours))
            moves[p->axis[0]] = fmax(moves[p->axis[0]], fabs(results[i].ours - results[0].ours));
    }
}

unsigned hd_readingsdesign_largest(const double *of, unsigned n)
{
    unsigned most = n;

    for (unsigned i = 0; i < n; i++)
        if (of[i] > (most < n ? of[most] : 0))
            most = i;
    return most;
}

bool hd_readingsdesign_strongest(const double *strength, unsigned n, unsigned out[2])
{
    unsigned first = hd_readingsdesign_largest(strength, n), second = n;

    for (unsigned i = 0; i < n; i++)
        if (i != first && strength[i] > (second < n ? strength[second] : 0))
            second = i;
    if (first == n || second == n)
        return false;
    out[0] = first < second ? first : second;
    out[1] = first < second ? second : first;
    return true;
}
