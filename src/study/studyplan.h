// studyplan.h - the plan of a study that several processes share out: its command and its runs, as
// a file (docs/cluster.md).
//
// The file is JSON, with a line for each distinct run. A run is its key (identity.h), so that every
// process of the study can check that it means the same runs, whatever happened to the program or
// to the inputs since the plan was made. The file ends with a checksum of all lines before it.
#ifndef HEDDLE_STUDY_STUDYPLAN_H
#define HEDDLE_STUDY_STUDYPLAN_H

#include "present/out.h"
#include "study/study.h"

#define HD_STUDYPLAN_VERSION 1

struct hd_studyplan_run {
    const char *key, *label;
    bool stored;  // its result was there when the file was written: it is in no share
    bool checked; // this process has compared the checksum of its row in results.db
};

struct hd_studyplan {
    const char *heddle; // version of the program that planned
    const char *folder; // the working folder of the command
    const char **words; // of the command: "compare", "vecadd", ..., NULL after the last
    struct hd_studyplan_run *runs;
    unsigned n_words, n_runs;
};

// The plan of a study, from the runs that it has. False with a diagnostic if an input of a run
// cannot be read.
bool hd_studyplan_make(const struct hd_study *s, const char *folder, const char **words,
                       unsigned n_words, struct hd_studyplan *out, struct hd_diag *d);
void hd_studyplan_write(const struct hd_studyplan *p, struct hd_arena *a, struct hd_out *out);
// False with a diagnostic that names the line. `path` is for messages.
bool hd_studyplan_parse(struct hd_arena *a, const char *path, const char *text, size_t bytes,
                        struct hd_studyplan *out, struct hd_diag *d);
// Whether both plans have the same runs. False with a diagnostic that names the first difference
// between `now` and what the file at `path` holds.
bool hd_studyplan_same(const struct hd_studyplan *stored, const char *path,
                       const struct hd_studyplan *now, struct hd_diag *d);
// Sets `others` of the study's runs that are not in share `share` of `shares`, which are counted
// from 1: the runs that were not stored are dealt to the shares one by one. The plan must be that
// of the study. Returns how many runs the share has.
unsigned hd_studyplan_share(const struct hd_studyplan *p, struct hd_study *s, unsigned share,
                            unsigned shares);
// Sets `checked` of the study's runs as the plan has it, which must be that of the study.
void hd_studyplan_check(const struct hd_studyplan *p, struct hd_study *s);
unsigned hd_studyplan_left(const struct hd_studyplan *p); // runs that were not stored

#endif
