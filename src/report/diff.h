// diff.h - why two runs take different numbers of cycles, the largest parts first.
//
// The classes of scheduler cycles sum to cycles x schedulers x SMs, so a class divided by the
// latter two is a part of the run's cycles, and the parts' differences sum to the difference
// exactly. The same is true of PTX lines and reasons for idling, if a run was profiled. Counters of
// caches and DRAM do not add up to cycles: they show where waiting comes from.
#ifndef HEDDLE_REPORT_DIFF_H
#define HEDDLE_REPORT_DIFF_H

#include "present/sheet.h"

#include <stdbool.h>

struct hd_diff_side {
    const char *name;
    const json_t *run;     // `heddle run --json`, or `heddle annotate --json`
    const json_t *profile; // the `kernels` of the latter; NULL: not known
};

// What the sides are, as sentences, then tables; the first sheet has the sentences as its notes.
// False with a diagnostic if a side is no run, or has no cycles.
bool hd_diff_explain(const struct hd_diff_side *a, const struct hd_diff_side *b,
                     struct hd_sheets *out, struct hd_diag *d);

#endif
