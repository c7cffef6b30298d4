// reuseatonce.h - how many of several spans of time there are at one time, in the mean.
#ifndef HEDDLE_REUSE_REUSEATONCE_H
#define HEDDLE_REUSE_REUSEATONCE_H

#include <stddef.h>
#include <stdint.h>

struct hd_reuseatonce_span { // in cycles; `end` does not belong to it
    uint64_t start, end;
};

// The mean over the cycles that belong to at least one span; NAN if there is no such cycle. Sorts
// the spans.
double hd_reuseatonce_mean(struct hd_reuseatonce_span *spans, size_t n);

#endif
