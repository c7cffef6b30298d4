// jobresolve.h - the second half of reading a job: the files, kernels and symbols that it names.
//
// Every name that is not found is reported. It may be called once for a job, after hd_job_parse.
#ifndef HEDDLE_JOB_JOBRESOLVE_H
#define HEDDLE_JOB_JOBRESOLVE_H

#include "job/job.h"

bool hd_jobresolve_names(struct hd_job *j, struct hd_arena *a, struct hd_diag *d);

#endif
