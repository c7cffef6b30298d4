// estimate.h - the cycles of all launches of a run, from those of the chosen ones, with an error.
//
// The warp instructions of every launch are known. In each group (sample.h) the cycles of a launch
// that was not chosen are predicted from them. If 3 launches or more were chosen, and of different
// sizes, a curve of straight lines connects them; otherwise cycles and instructions have one ratio.
// A group with less than 3 of them and launches of very different sizes takes the curve of its
// kernel. The first launch of a kernel counts for itself and teaches nothing, unless no other was
// chosen in its group. So groups are the strata of a stratified sample with an estimator of
// regression (Cochran, "Sampling Techniques", 3rd edition 1977, chapters 5 to 7).
//
// The error is that of the prediction: the scatter of the launches that were not chosen, plus that
// of the points from which they are predicted. For n of N launches of one size and a scatter of s
// this is N^2 (1 - n/N) s^2 / n, with Cochran's correction for a finite population. The scatter of
// a curve is measured by how far its points are from the line between their neighbours. Groups with
// few chosen launches share a scatter that is relative to the prediction. The interval is that of
// Student's distribution, with Satterthwaite's degrees of freedom.
//
// Two runs of one program under different schedulers have the same launches chosen. What slows a
// launch down slows it down in both, so the ratio of their cycles is known better than either. Its
// error is that of the differences, of the cycles of a launch in the one run and the ratio times
// its cycles in the other (Cochran, chapters 2 and 6). The prediction is linear in the cycles, so
// the formulas are the same.
//
// What the interval does not contain: that a chosen launch finds other contents of the caches than
// it would have found if all launches before it had been simulated with timing.
#ifndef HEDDLE_SAMPLE_ESTIMATE_H
#define HEDDLE_SAMPLE_ESTIMATE_H

#include "sample/sample.h"

struct hd_estimate {
    uint64_t launches, chosen, warm;
    uint64_t chosen_cycles;
    double cycles; // of all
    // Half of the interval that contains the cycles with a probability of 95 %; 0 if all launches
    // were chosen. Not `known` if too few were.
    bool known;
    double error;
};

// Of a kernel; of all kernels if it is NULL. All launches have ended.
struct hd_estimate hd_estimate_of(const struct hd_sample *s, const void *kernel);
struct hd_estimate_ratio { // of the cycles of all launches of two runs
    double ratio;          // 0 if there is none
    // The same launches were chosen, with the same instructions. If not, the error is that of two
    // runs that have nothing to do with each other.
    bool paired;
    bool known;
    double error; // as a part of the ratio
};
struct hd_estimate_ratio hd_estimate_ratio_of(const struct hd_sample *s,
                                              const struct hd_sample *base);

// Student's distribution: what lies between -t and t with a probability of 95 %.
double hd_estimate_student(double freedom);

#endif
