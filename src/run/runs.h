// runs.h - what a run is: the options it starts with and the result it ends in.
//
// Whatever is simulated, a job, a workload, a recorded trace or a program under `heddle exec`, a
// run starts with a hd_run_options and ends with a hd_run. Code that reports, compares or stores
// runs need not distinguish them. These headers describe how each is started: jobrun.h (jobs),
// tracerun.h (traces), workload/workloads.h (workloads), cuda/cuda.h (programs).
//
// Invariants: the machine lives until hd_runs_end, and so does everything that a result points to.
// A program that faults, hangs or computes something wrong is a result; a run that could not be
// started is a diagnostic and has no result. `verified` is valid only if `checked` is true.
//
// This folder is above the machine (gpu), the traces and the job files, and below everything that
// shows results. It does not depend on output formats.
#ifndef HEDDLE_RUN_RUNS_H
#define HEDDLE_RUN_RUNS_H

#include "gpu/gpu.h"
#include "job/jobregs.h"
#include "run/check.h"

// `--set kernel.NAME.regs=N` and `.smem=N`: these come before the numbers that anything else gives.
struct hd_override {
    const char *kernel;
    uint32_t regs; // 0: not given
    uint32_t smem; // UINT32_MAX: not given
};

struct hd_run_options {
    struct hd_gpu_options gpu;
    const struct hd_override *overrides;
    size_t n_overrides;
    struct hd_jobregs_choice regs; // --regs
    // The files beside modules that count, filled in by hd_workloads_start; NULL: none.
    const struct hd_jobregs *files;
    // Changes to the machine and the program, as reports name them, a blank between them:
    // "l1d.ways=8 regs=20"; NULL: none.
    const char *sets;
    const char *out; // folder for dumps; NULL: none are written
    bool force;      // replay a trace even where the program would behave differently
};

// What a kernel's launches are given besides what its program says.
struct hd_run_resources {
    uint32_t regs;           // 0: nothing
    uint32_t shared_static;  // UINT32_MAX: nothing
    const char *regs_source; // as reports name it
};
// `own` is what the job or the trace says. Files come before it, --regs N before these, and
// overrides before all.
struct hd_run_resources hd_runs_resources(const struct hd_run_options *o, const char *kernel,
                                          struct hd_run_resources own);

// Where the instructions came from: the program, or a recorded trace, whose values cannot be
// checked. FORCED: the program itself would have taken another way.
enum hd_run_source { HD_FROM_PROGRAM, HD_FROM_TRACE, HD_FROM_TRACE_FORCED };

struct hd_run {
    struct hd_gpu *gpu;
    enum hd_run_status status;
    enum hd_run_source source;
    const char *path; // its name in messages; NULL: a CUDA program, which checks its own results
    const struct hd_program *program; // one of its programs; NULL if it has launched none
    bool to_check;                    // results are expected, even if the run did not get so far
    bool checked, verified;
    struct hd_check *checks;
    size_t n_checks;
    // Releases the machine if it is not the run's own; NULL if it is.
    void (*release)(struct hd_run *r);
    void *owner;
};

// Releases the machine, also after a run that could not be started.
void hd_runs_end(struct hd_run *r);
// Exit status of the program for this run: enum hd_exit.
int hd_runs_exit(const struct hd_run *r);

#endif
