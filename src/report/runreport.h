// runreport.h - how a finished run is reported: JSON for programs (docs/run.schema.json), a table
// for people, CSV for spreadsheets.
//
// src/report defines the names of a run's numbers and which of them are shown: the run (runjson,
// runtable, runnames), its metrics over time (runmetrics, timeline), its pipelines (konata), where
// its cycles went by line of code (annotate, ptxtext), and why two runs differ (diff). src/present
// defines how a table or JSON looks. The folder reads a hd_run and the machine below it and changes
// neither.
//
// Invariants: a number has one name in every form, that of docs/run.schema.json. Everything except
// the `host` object has the same bytes on any machine. Classes of cycles add up to the whole, and a
// report in which they do not is a bug (HD_BUG), not a result.
#ifndef HEDDLE_REPORT_RUNREPORT_H
#define HEDDLE_REPORT_RUNREPORT_H

#include "present/out.h"
#include "run/runs.h"
#include "sample/estimate.h"

#include <jansson.h>

struct hd_runreport {
    const struct hd_run *run;
    const struct hd_run_options *options;
    const char *workload;
    const char *size; // of its input, and the seed; NULL: a job, which has both in its lines
    uint64_t seed;
    bool host; // add the `host` object; everything else has the same bytes on any machine
    double seconds, startup_seconds;
};

// Names as in the JSON.
const char *hd_runreport_status(const struct hd_run *r); // "ok", "check_failed", ...
const char *hd_runreport_source(const struct hd_run *r); // "program", "trace", ...
const char *hd_runreport_policy(const struct hd_policy_choice *c, const char *baseline);
// What the numbers depend on beside the machine, the policies and the input, a blank between them:
// the changes to the machine, then samples, limits and other options: "sm.warps=24 max-cycles=100".
// "": nothing is other than usual.
const char *hd_runreport_sets(const struct hd_run_options *o, struct hd_arena *a);
// For heads: the machine with the same words, except for those that a head has elsewhere (samples,
// runs without timing): "gtx480 sm.warps=24".
const char *hd_runreport_machine(const struct hd_run_options *o, struct hd_arena *a);
// The workload with its input: "bfs (small, seed 1)"; a job and a program have only a name.
const char *hd_runreport_workload(const struct hd_runreport *r, struct hd_arena *a);
// The policy of a slot beside the scheduler's if it is not the usual one, and not one that the
// scheduler brings; else NULL. And all of them as options: ", --tb laperm", or "".
const char *hd_runreport_other(const struct hd_run_options *o, enum hd_slot slot);
const char *hd_runreport_others(const struct hd_run_options *o, struct hd_arena *a);
// The same as columns of a CSV: ",tb" in the first line, then the values.
void hd_runreport_csv_others(const struct hd_run_options *o, bool head, struct hd_out *out);
const char *hd_runreport_trap(uint32_t kind); // enum hd_trap_kind: "out_of_bounds", ...

// The names of the launches' kernels in tables, in the order of launches: short, and different for
// different kernels.
const char **hd_runreport_kernels(const struct hd_run *r, struct hd_arena *a);

// Ratio of thread instructions and cycles, the field's IPC; 0 without cycles.
double hd_runreport_ipc(uint64_t thread_insts, uint64_t cycles);
struct hd_runreport_totals {
    uint64_t cycles;         // sum over launches
    uint64_t elapsed_cycles; // those in which launches ran, each counted once: a run's cycles
    uint64_t cycles_with_drain, warp_insts, thread_insts;
};
struct hd_runreport_totals hd_runreport_sum(const struct hd_run *r);
// The elapsed cycles of a run's JSON; -1 if nothing was timed.
int64_t hd_runreport_json_cycles(const json_t *run);
// Cycles in which any of some launches ran: those that ran at the same time count once. Launches
// are added in their order; one that starts before one launched earlier counts from the latter's
// end.
struct hd_runreport_span {
    uint64_t cycles;
    uint64_t until; // the machine's cycle in which the last of them ended
};
void hd_runreport_span_add(struct hd_runreport_span *span, const struct hd_kernel_result *k);

// The run's JSON, ending in a newline (runjson.c); its head, for other reports of a run; and the
// stall classes as an object.
json_t *hd_runjson_run(const struct hd_runreport *r);
void hd_runjson_write(const struct hd_runreport *r, struct hd_out *out); // the same as text
json_t *hd_runjson_head(const struct hd_runreport *r);
json_t *hd_runjson_options(const struct hd_run_options *o); // everything that was resolved
json_t *hd_runjson_stalls(const struct hd_sm_stats *s);
json_t *hd_runjson_stalls_elf(const struct hd_sm_stats *s);

// What gpu/metrics.h recorded (runmetrics.c), null if nothing: of a launch; of an SM; as a table.
// As a trace for timeline viewers (timeline.c).
json_t *hd_runmetrics_kernel(const struct hd_run *run, unsigned launch);
json_t *hd_runmetrics_records(const struct hd_runreport *r);
void hd_runmetrics_print(const struct hd_runreport *r, struct hd_arena *a, FILE *to);
void hd_timeline_write(const struct hd_runreport *r, struct hd_out *out);
// Recorded pipelines (heddle/pipeview.h) for the Konata viewer (konata.c); and what the user should
// know about the recording, NULL if nothing.
void hd_konata_write(const struct hd_runreport *r, struct hd_out *out);
const char *hd_konata_doubt(const struct hd_runreport *r, struct hd_arena *a);

// A run with timing for a sample of its launches (runsample.c). The estimated cycles of a kernel
// or, if it is NULL, of all; false if the run has not come to its end, or is no sample.
bool hd_runsample_estimate(const struct hd_runreport *r, const void *kernel,
                           struct hd_estimate *out);
// The error as a part of the cycles, in %: "1.20", or "unknown".
const char *hd_runsample_error(struct hd_arena *a, const struct hd_estimate *e);
const char *hd_runsample_part(const struct hd_kernel_result *k); // "measured", "warm-up", "untimed"
// The options that make the sample: "--sample 8 --sample-seed 1".
const char *hd_runsample_words(struct hd_arena *a, const struct hd_sample_options *o);
// Its JSON: what is estimated, null if nothing is; what it says of a launch.
json_t *hd_runsample_json(const struct hd_runreport *r);
void hd_runsample_launch(const struct hd_kernel_result *k, json_t *launch);
// From a run's JSON: the estimated cycles, -1 if there are none, and their error as a part of them,
// -1 if it is not known; the launches, NULL if the run has no estimate.
int64_t hd_runsample_json_cycles(const json_t *run, double *error);
struct hd_sample *hd_runsample_read(const json_t *run, struct hd_arena *a);

// The names that scripts for GPGPU-Sim look for (runnames.c).
void hd_runnames_write(const struct hd_runreport *r, struct hd_out *out);

// A row per launch, or per kernel for programs with many launches, and the verdict (runtable.c).
void hd_runtable_print(const struct hd_runreport *r, struct hd_arena *a, FILE *to);
// Faults, hangs and failed checks; adds nothing if there are none.
void hd_runtable_trouble(const struct hd_runreport *r, struct hd_out *to);
const char *hd_runtable_verdict(struct hd_arena *a, const struct hd_run *run); // that line alone
// One line per launch, after a line of column heads.
void hd_runtable_csv(const struct hd_runreport *r, struct hd_out *out);

#endif
