// annotate.h - where a kernel's time went, instruction by instruction: as text beside the PTX, and
// as JSON. Needs a run with hd_gpu_options.profile.
#ifndef HEDDLE_REPORT_ANNOTATE_H
#define HEDDLE_REPORT_ANNOTATE_H

#include "heddle/profile.h"
#include "report/ptxtext.h"
#include "report/runreport.h"

struct hd_annotate_kernel { // all launches of one kernel function
    const struct hd_func *func;
    unsigned launches;
    uint64_t cycles, all; // all: scheduler cycles, those of SMs without work included
    struct hd_sm_stats sm;
    struct hd_profile_idle idle;
    struct hd_profile_line sum; // over its instructions
    uint64_t faulted;           // issues that ended in a fault, which no line has
};

struct hd_annotate {
    struct hd_arena *arena;
    const struct hd_runreport *report;
    const struct hd_program *program;
    const struct hd_profile *profile;
    struct hd_ptxtext text;
    struct hd_annotate_kernel *kernels; // in the order of their first launch
    size_t n_kernels, cap;
};

// Also asserts that what was charged to lines is what the stall counters counted, class by class.
void hd_annotate_collect(struct hd_annotate *n, struct hd_arena *a, const struct hd_runreport *r);
void hd_annotate_json(struct hd_annotate *n, struct hd_out *out);
// On standard output, 100 columns wide (annotatetable.c).
void hd_annotatetable_print(struct hd_annotate *n);

#endif
