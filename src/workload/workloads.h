// workloads.h - the built-in workloads, by name, and one run of a workload or a job.
//
// Jobs, traces and workloads give the same kind of result, a hd_run (run/runs.h): code that reports
// or compares runs need not distinguish them. This folder is the highest that simulates anything:
// it may use the device of the process (cuda) and everything below, and does not depend on output
// formats.
#ifndef HEDDLE_WORKLOAD_WORKLOADS_H
#define HEDDLE_WORKLOAD_WORKLOADS_H

#include "run/jobrun.h"
#include "run/tracerun.h"
#include "workload/work.h"

#define HD_WORKLOADS_SEED 1 // unless one is given

const struct hd_workload *hd_workloads_at(unsigned i); // by name; NULL after the last
const struct hd_workload *hd_workloads_find(const char *name);
// Whether it belongs to the group. "lfws" matches any label of that paper, "lfws:PF" this label, in
// upper or lower case. Every workload whose kernels launch no kernels belongs to "all".
bool hd_workloads_in(const struct hd_workload *w, const char *group);
// The folder of workloads/ with its files.
const char *hd_workloads_folder(const struct hd_workload *w);

extern const char *const hd_workloads_sizes[]; // "test", "small", "paper", NULL

struct hd_workloads_item { // something to run: a job, a trace, or else a workload
    const char *name;
    struct hd_job *job;
    struct hd_traceread *trace; // closed with the run
    const struct hd_workload *workload;
    enum hd_work_size size;
    uint64_t seed;
    const char *target; // of the workload's module NAME.TARGET.ptx; NULL: sm_75
};

const char *hd_workloads_size(const struct hd_workloads_item *item); // NULL for a job

// The path of a workload's module. False with a diagnostic if it is missing.
bool hd_workloads_module(const struct hd_workloads_item *item, struct hd_arena *a, const char **ptx,
                         struct hd_diag *d);

// What the files beside its modules say of its kernels, with `choice` of --regs. Without a target,
// that is nothing for a job or a trace, which have those numbers themselves. False with diagnostics
// if there is no such file, or something is wrong in one.
bool hd_workloads_regs(const struct hd_workloads_item *item, struct hd_arena *a,
                       const struct hd_jobregs_choice *choice, struct hd_jobregs *out,
                       struct hd_diag *d);

// Run it to its end. The caller then calls hd_runs_end, after a failure too. False with a
// diagnostic if it cannot be run on this machine. A process runs one workload at a time.
bool hd_workloads_start(struct hd_run *r, const struct hd_workloads_item *item, struct hd_arena *a,
                        const struct hd_run_options *o, struct hd_diag *d);

#endif
