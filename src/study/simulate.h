// simulate.h - what makes the results of a study, in its child processes, and the columns that are
// taken from them.
//
// Everything that a stored result depends on is called from here: the Makefile's RESULT_SRCS are
// the sources of this file and of what it links.
#ifndef HEDDLE_STUDY_SIMULATE_H
#define HEDDLE_STUDY_SIMULATE_H

#include "study/study.h"
#include "study/workers.h"

// Does a program do the same on both machines, down to its addresses, so that a recording on one
// serves the other?
bool hd_simulate_alike(const struct hd_config *one, const struct hd_config *other);
// Simulate a run: its JSON to `to`; after a NUL, for the database, where its cycles went by PTX
// line; after another NUL its recorded cycles, if any were. Returns the exit status.
int hd_simulate_run(const struct hd_study *s, const struct hd_study_run *run, FILE *to,
                    struct hd_workers_pulse *pulse);
// Record what the run's program does, without timing, to `path`. Returns the exit status.
int hd_simulate_record(const struct hd_study *s, const struct hd_study_run *run, const char *path);
// Fill in the row's status, machine, policies and numbers from the run's options and its JSON,
// which may be NULL.
void hd_simulate_fill_row(struct hd_database_row *row, const struct hd_run_options *o,
                          const json_t *json, struct hd_arena *a);

#endif
