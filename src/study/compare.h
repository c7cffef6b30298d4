// compare.h - the same workloads under several warp schedulers, each run in its own process.
#ifndef HEDDLE_STUDY_COMPARE_H
#define HEDDLE_STUDY_COMPARE_H

#include "report/out.h"
#include "workload/workloads.h"

#include <jansson.h>

struct hd_compare_workload {
    const char *name;
    struct hd_workloads_item item;
    bool good;                   // it could be read
    const struct hd_diag *error; // else says why
};

struct hd_compare_run {
    int status;         // exit status of the run
    const char *result; // "ok", "fault", ...; "error" when there is no result at all
    const char *talk;   // what it said about it
    json_t *json;       // the run's object, NULL if there is none
    bool timed;         // cycles and ipc are there
    uint64_t cycles;
    double ipc;
    double relative;      // ipc / ipc of the same workload under the first scheduler; 0: none
    const char *verified; // "yes", "no", "-"
};

struct hd_compare_mean { // of `relative`, over the workloads that have one
    unsigned n;
    double arithmetic, geometric;
};

struct hd_compare {
    struct hd_arena *arena;
    struct hd_job_options options; // all but the scheduler
    struct hd_compare_workload *workloads;
    struct hd_policy_choice *scheds;
    unsigned n_workloads, n_scheds, at_once;
    bool host, progress;
    const char *out; // folder for dumps, one below it for each run; NULL: none
    // Filled by hd_compare_start: runs[workload * n_scheds + sched], means[sched].
    struct hd_compare_run *runs;
    struct hd_compare_mean *means;
};

bool hd_compare_start(struct hd_compare *c);     // false: interrupted
int hd_compare_exit(const struct hd_compare *c); // 0, or the worst status of its runs
void hd_compare_end(struct hd_compare *c);

// comparetable.c
void hd_comparetable_print(const struct hd_compare *c); // table and bars on standard output
void hd_comparetable_talk(const struct hd_compare *c);  // what failed, on standard error
void hd_comparetable_csv(const struct hd_compare *c, struct hd_out *out);
void hd_comparetable_json(const struct hd_compare *c, struct hd_out *out);

#endif
