// jobrun.h - a job (job/job.h) as a run.
#ifndef HEDDLE_RUN_JOBRUN_H
#define HEDDLE_RUN_JOBRUN_H

#include "job/job.h"
#include "run/runs.h"

// Runs a job to its end. Call hd_runs_end afterwards, even after a failure. False with a diagnostic
// if it cannot be run on this machine. Launches start when the machine is idle; caches keep their
// contents.
bool hd_jobrun_start(struct hd_run *r, struct hd_job *j, struct hd_arena *a,
                     const struct hd_run_options *o, struct hd_diag *d);

#endif
