// papermeans.c - means of ratios, how much of them hangs on a few, and numbers as printed. See
// paper.h.
//
// A mean over a dozen programs can be one program's: it is shown without its two largest too, with
// the median, and the value that it depends on most is named.
#include "paper/paper.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double arithmetic(const double *v, unsigned n)
{
    double sum = 0;

    for (unsigned i = 0; i < n; i++)
        sum += v[i];
    return n ? sum / n : (double)NAN;
}

static double geometric(const double *v, unsigned n)
{
    double logs = 0;

    for (unsigned i = 0; i < n; i++)
        logs += log(v[i]);
    return n ? exp(logs / n) : (double)NAN;
}

struct hd_paper_means hd_paper_means(struct hd_arena *a, const double *values, unsigned n)
{
    struct hd_paper_means m = {.median = (double)NAN, .max = (double)NAN};
    double *v = HD_ARRAY(a, double, n + 1), *others = HD_ARRAY(a, double, n + 1);

    for (unsigned i = 0; i < n; i++)
        if (!isnan(values[i]))
            v[m.n++] = values[i];
    if (m.n)
        qsort(v, m.n, sizeof *v, by_value);
    m.arithmetic = arithmetic(v, m.n);
    m.geometric = geometric(v, m.n);
    m.arithmetic_less = arithmetic(v, m.n > 2 ? m.n - 2 : 0);
    m.geometric_less = geometric(v, m.n > 2 ? m.n - 2 : 0);
    m.arithmetic_without = m.geometric_without = (double)NAN;
    if (!m.n)
        return m;
    m.max = v[m.n - 1];
    m.median = m.n % 2 ? v[m.n / 2] : (v[m.n / 2 - 1] + v[m.n / 2]) / 2;
    double far = -1;
    for (unsigned i = 0; i < n; i++)
        if (!isnan(values[i]) && fabs(values[i] - m.arithmetic) > far) {
            far = fabs(values[i] - m.arithmetic);
            m.most = i;
        }
    unsigned left = 0;
    for (unsigned i = 0; i < n; i++)
        if (!isnan(values[i]) && i != m.most)
            others[left++] = values[i];
    m.arithmetic_without = arithmetic(others, left);
    m.geometric_without = geometric(others, left);
    return m;
}

void hd_paper_cell(struct hd_paper_cells *c, double ours, double paper)
{
    if (isnan(paper))
        return;
    c->of++;
    c->n += isnan(ours) ? 0 : 1;
    c->same += fabs(ours - paper) <= (c->exactly ? 0 : 0.25 * fabs(paper));
}
