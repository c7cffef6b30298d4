// tracerun.h - traces and runs: writing a trace of a run, and running a trace instead of a program.
#ifndef HEDDLE_RUN_TRACERUN_H
#define HEDDLE_RUN_TRACERUN_H

#include "run/runs.h"

// Finishes the trace that o->gpu.record has been writing of this run, or removes the file if the
// run did not come to its end. False with a diagnostic if it cannot be written. `size` and `seed`
// are those of a workload; NULL for a job.
bool hd_tracerun_record(const struct hd_run *r, struct hd_arena *a, const struct hd_run_options *o,
                        const char *workload, const char *size, uint64_t seed, struct hd_diag *d);

// Runs the trace to its end. Call hd_runs_end afterwards, even after a failure. False with a
// diagnostic if the program would behave differently under these options (and o->force is not set),
// or if the trace is damaged or cannot be run on this machine. The result has nothing to check.
bool hd_tracerun_start(struct hd_run *r, struct hd_traceread *t, struct hd_arena *a,
                       const struct hd_run_options *o, struct hd_diag *d);

#endif
