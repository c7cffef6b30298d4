// reuseatonce.c - how many of several spans of time there are at one time. See reuseatonce.h.
#include "reuse/reuseatonce.h"

#include <math.h>
#include <stdlib.h>

static int by_start(const void *a, const void *b)
{
    const struct hd_reuseatonce_span *x = a, *y = b;

    return (x->start > y->start) - (x->start < y->start);
}

double hd_reuseatonce_mean(struct hd_reuseatonce_span *spans, size_t n)
{
    uint64_t sum = 0, covered = 0, until = 0; // cycles of all spans; of their union, so far

    if (n)
        qsort(spans, n, sizeof *spans, by_start);
    for (size_t i = 0; i < n; i++) {
        uint64_t from = spans[i].start > until ? spans[i].start : until;

        if (spans[i].end <= spans[i].start)
            continue;
        sum += spans[i].end - spans[i].start;
        if (spans[i].end <= from)
            continue;
        covered += spans[i].end - from;
        until = spans[i].end;
    }
    return covered ? (double)sum / (double)covered : (double)NAN;
}
