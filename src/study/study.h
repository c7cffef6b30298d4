// study.h - a set of runs: each in its own process, stored as it ends, none done twice.
//
// A comparison or a paper says which runs it needs; what several of them ask for is run once, and
// what the database already holds is taken from there.
#ifndef HEDDLE_STUDY_STUDY_H
#define HEDDLE_STUDY_STUDY_H

#include "study/database.h"
#include "workload/workloads.h"

#include <jansson.h>

struct hd_study_work { // something to run, under whatever machine and policies
    const char *name;
    struct hd_workloads_item item;
    bool good;                   // it could be read
    const struct hd_diag *error; // else says why
    json_t *inputs;              // hd_identity_inputs, made when first needed
    struct hd_traceread *trace;  // replayable, of this workload; NULL: it is executed (replays.h)
};

struct hd_study_run {
    struct hd_study_work *work;
    struct hd_job_options options; // the machine and every policy
    const char *label;             // for messages: "matmul under gto"
    const char *sets;              // changes to the machine, a blank between them; "": none
    const char *command;           // `heddle run ...` that repeats it
    double
        weight; // what it is expected to cost, in seconds, unless the database knows; 0: not known

    // Filled by hd_study_start.
    const char *key, *identity;      // NULL: what it is of could not be read
    const struct hd_study_run *same; // an earlier run with the same key, whose result this has
    bool found;                      // in the database
    bool done;                       // false: interrupted before it ended
    int status;                      // exit status of the run
    const char *result;              // "ok", "fault", ...; "error" or "bug": no result at all
    const char *talk;                // what it said about it
    json_t *json;                    // the run's object, NULL if there is none
    bool timed;                      // cycles and ipc are there
    uint64_t cycles;
    double ipc;
    const char *verified; // "yes", "no", "-"
};

struct hd_study {
    struct hd_arena *arena;
    struct hd_study_run *runs;
    unsigned n_runs, at_once;
    bool host, progress;
    bool no_replay;           // execute every run
    const char *out;          // folder for dumps, one below it for each run; NULL: none
    struct hd_database *db;   // NULL: nothing is kept
    struct hd_diag *unstored; // why the database did not take a run
    // Filled: distinct runs, those found in the database, those simulated to their end now.
    unsigned distinct, found, ran;
};

// Make keys, drop repetitions, look into the database: what is left is to be simulated. False with
// a diagnostic if the database cannot be read.
bool hd_study_plan(struct hd_study *s, struct hd_diag *d);
// Simulate it. False: interrupted; what had ended is in the results and in the database.
bool hd_study_start(struct hd_study *s);
// What a row has of status, policies and numbers from the run's options and from its JSON (NULL:
// none).
void hd_study_fill_row(struct hd_database_row *row, const struct hd_job_options *o,
                       const json_t *json);
int hd_study_exit(const struct hd_study *s); // 0, or the worst status of its runs
void hd_study_end(struct hd_study *s);

#endif
