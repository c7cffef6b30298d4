// study.h - a set of runs: each in its own process, stored as it ends, none done twice.
//
// A comparison or a paper lists the runs that it needs. A run that several of them need is run
// once, and results that the database has are taken from it. Processes that share a database share
// the work (claims.h). Processes that do not share one are given shares of the runs (folder.h).
//
// The folder contains sets of runs (study, workers, replays, plans, simulate), the comparison of
// schedulers built on them (compare), the database that stores results (database, identity, kept,
// claims), and studies that are shared out among processes on other hosts (studyplan, folder,
// slurm). Figures of papers are another use of a study: src/paper.
//
// Invariants: a result is stored under the identity of everything it depends on (identity.h), so a
// stored result may always replace a run; results do not depend on how many processes simulate or
// in which order they end; an interrupt loses no finished run. A study uses runs, workloads and
// reports, and does not depend on commands or papers.
#ifndef HEDDLE_STUDY_STUDY_H
#define HEDDLE_STUDY_STUDY_H

#include "study/claims.h"
#include "study/database.h"
#include "workload/workloads.h"

#include <jansson.h>

struct hd_study_work { // a workload to be run, on any machine and with any policies
    const char *name;
    struct hd_workloads_item item;
    bool good;                   // it could be read
    const struct hd_diag *error; // the reason, if it could not
    json_t *inputs;              // hd_identity_inputs, made when first needed
    struct hd_traceread *trace;  // replayable, of this workload; NULL: it is executed (replays.h)
    const struct hd_config *recorded_on; // the machine of that recording
    bool recorded_elsewhere;             // another process has recorded it and will replay it
    const struct hd_study_run *first;    // of its runs, the first that its recording would serve
    unsigned alike;                      // how many it would serve
    double seconds;                      // what its runs took, as far as the database knows; 0
    bool asked;                          // the database was asked for them
};

struct hd_study_run {
    struct hd_study_work *work;
    struct hd_run_options options; // the machine and every policy
    const char *label;             // for messages: "matmul under gto"
    const char *machine; // its difference from the study's other machines; NULL if there is none
    const char *command; // `heddle run ...` that repeats it
    // One plus the index of a run before this one, with options.gpu.reuse->plan: this one's
    // policies are given its plan (plans.h). 0: none.
    unsigned plan;
    double
        weight; // what it is expected to cost, in seconds, unless the database knows; 0: not known

    // Filled by hd_study_start.
    const char *key;                 // NULL if its inputs could not be read
    const struct hd_study_run *same; // an earlier run with the same key, whose result this has
    const char *dumps;               // the folder of its job's dumps; NULL: none
    bool others;                     // another process simulates it; it is in no result here
    bool found;                      // in the database
    bool distrusted;                 // its row was reported as damaged
    bool checked; // this process has compared the checksum of its row (hd_folder_merge)
    bool done;    // false if it was interrupted before it ended
    int status;   // exit status of the run
    // "ok", "fault", "limit", ..., or, without any result, "error", "killed" or "bug"
    const char *result;
    const char *messages;            // its messages
    bool any_json;                   // there is an object of the run
    json_t *json;                    // it; NULL if there is none, or if the study is brief
    const void *digest;              // what hd_study.took made of it
    struct hd_plans_text *plan_text; // the plan that it makes for other runs (plans.h)
    const char *text;                // in a brief study: its text, unless only the database has it
    const char *view;                // its recorded cycles (report/cycles.h); NULL: there are none
    bool timed;                      // cycles and ipc are there
    bool cut;                        // stopped at a limit, as requested
    uint64_t cycles;
    double ipc;
    bool estimated; // cycles and ipc are, from a sample of the launches
    double error;   // of the cycles, as a part of them; negative: not known. 0 without a sample
    const char *verified; // "yes", "no", "-"
};

struct hd_study {
    struct hd_arena *arena;
    struct hd_study_run *runs;
    unsigned n_runs, at_once;
    bool host, progress;
    bool no_replay; // execute every run
    // Results are not kept in memory as objects: what tables need is taken from each result once,
    // and hd_outcome_text reads the rest again. No run of such a study has a plan.
    bool brief;
    // The database holds the results of all runs, also of those that ended without one; nothing is
    // simulated.
    bool stored_only;
    // Called when the keys are made and before anything is looked up. It may set `others` of runs.
    // False with a diagnostic. NULL: not called.
    bool (*choose)(void *ctx, struct hd_study *s, struct hd_diag *d);
    // Called when a run's object has been taken and stored. The objects of all runs stay in memory
    // until hd_study_end, so it may make a digest and take out of the object what is then of no
    // more use. NULL: not called.
    void (*took)(struct hd_study *s, struct hd_study_run *run);
    // Called when a run has ended and is stored. NULL: not called.
    void (*ended)(void *ctx, const struct hd_study *s);
    void *ctx;
    const char *out;          // folder that holds a folder of dumps for each run; NULL: none
    struct hd_database *db;   // NULL: nothing is kept
    struct hd_diag *unstored; // why the database did not take a run, or which row was damaged
    // Filled: distinct runs, those found in the database, those simulated to their end now, those
    // that other processes simulated meanwhile.
    unsigned distinct, found, ran, shared;
    struct hd_claims *claims;    // NULL without a database
    struct hd_plans_text *plans; // those that runs have made
    struct hd_identity_texts *texts;
};

// Makes keys, finds repetitions and looks the runs up in the database; the others will be
// simulated. False with a diagnostic if the database cannot be read.
bool hd_study_plan(struct hd_study *s, struct hd_diag *d);
// After planning: runs that `from` has done, which has been started and not ended, are not done
// again.
void hd_study_adopt(struct hd_study *s, const struct hd_study *from);
// Simulates the runs that are left. False if it was interrupted: runs that had ended are in the
// results and the database.
bool hd_study_start(struct hd_study *s);
// 0, or the worst status of its runs; HD_STUDY_LIMIT if nothing is wrong but some were stopped by a
// limit, as requested.
#define HD_STUDY_LIMIT 4
int hd_study_exit(const struct hd_study *s);
// The sentence to show beside numbers of runs that were stopped by a limit; NULL if there are none.
const char *hd_study_limit(const struct hd_study *s);
void hd_study_end(struct hd_study *s);

#endif
