// outcome.h - the result of a run: from the child that simulated it, or from the database.
//
// A study of few runs keeps each result as an object. A brief study, which may have 100,000 runs,
// keeps only what a table shows, and reads the text again when a file or a figure needs it.
#ifndef HEDDLE_STUDY_OUTCOME_H
#define HEDDLE_STUDY_OUTCOME_H

#include "study/study.h"
#include "study/workers.h"

// Whether a run that ended like this would end the same way again. A child that was killed, or an
// input that could not be read, may have had a temporary cause.
bool hd_outcome_lasting(bool any_json, int64_t exit_status);
// Whether the database cannot have the result: dumps of a job are only made by running it.
bool hd_outcome_must_run(const struct hd_study *s, const struct hd_study_run *run);
// Takes what a child has written.
void hd_outcome_take(struct hd_study_run *run, const struct hd_workers_result *r);
// After the result has been taken and stored: what many runs have in common is kept once, and what
// the study does not need is dropped.
void hd_outcome_reduce(struct hd_study *s, struct hd_study_run *run);
// Drops the object; `text` is where it came from, and is copied.
void hd_outcome_forget(struct hd_study *s, struct hd_study_run *run, const char *text);
// Takes the result from the database if it is there: run->found. False with a diagnostic.
bool hd_outcome_look_up(struct hd_study *s, struct hd_study_run *run, struct hd_diag *d);
void hd_outcome_copy(struct hd_study_run *to, const struct hd_study_run *from);
// The run's cycles for a table, with '~' if they are estimated; NULL if it has none.
const char *hd_outcome_cycles(const struct hd_study_run *run, struct hd_arena *a);
// The JSON text of a run of a brief study; NULL if it has none. It may live in the arena.
const char *hd_outcome_text(const struct hd_study *s, const struct hd_study_run *run,
                            struct hd_arena *a);

#endif
