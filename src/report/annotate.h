// annotate.h - where a kernel's time went, instruction by instruction: as text beside the PTX, and
// as JSON. Needs a run with hd_gpu_options.profile.
#ifndef HEDDLE_REPORT_ANNOTATE_H
#define HEDDLE_REPORT_ANNOTATE_H

#include "heddle/profile.h"
#include "report/ptxtext.h"
#include "report/runreport.h"

struct hd_annotate_source { // what came from one line of CUDA source
    uint32_t pc;            // its first instruction
    bool known;             // false: what no .loc names
    struct hd_profile_line sum;
};

struct hd_annotate_kernel { // all launches of one kernel function
    const struct hd_func *func;
    const struct hd_program *program; // that it is of
    struct hd_ptxtext *text;          // of that program
    const struct hd_profile *profile; // of the whole program, when this kernel ran
    unsigned launches;
    struct hd_runreport_span span; // of its launches
    uint64_t all;                  // scheduler cycles, those of SMs without work included
    struct hd_sm_stats sm;
    struct hd_profile_counts counts;
    struct hd_profile_line sum; // over its instructions
    uint64_t faulted;           // issues that ended in a fault, which no line has
    // By source line, in the order of files and lines; what no .loc names comes last.
    struct hd_annotate_source *sources;
    size_t n_sources, cap_sources;
};

struct hd_annotate {
    struct hd_arena *arena;
    const struct hd_runreport *report;
    struct hd_annotate_kernel *kernels; // in the order of their first launch
    size_t n_kernels, cap;
};

// Function number i that the kernel spent cycles in: itself first, then those it called; NULL
// after the last.
const struct hd_func *hd_annotate_func(const struct hd_annotate_kernel *k, unsigned i);
// The launches may be of several programs, as those of a CUDA program are. The machine must be at
// rest. Also asserts that what was charged to lines is what the stall counters counted, class by
// class.
void hd_annotate_collect(struct hd_annotate *n, struct hd_arena *a, const struct hd_runreport *r);
json_t *hd_annotate_kernels(struct hd_annotate *n); // the `kernels` of the JSON
void hd_annotate_json(struct hd_annotate *n, struct hd_out *out);
// For people, 100 columns wide (annotatetable.c).
void hd_annotatetable_write(struct hd_annotate *n, struct hd_out *to);

#endif
