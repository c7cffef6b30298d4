// kept.h - results that the database could not store are kept in a file beside it.
//
// The file has a line of JSON for each result, with the columns of the table `run` as members. Its
// name contains those of the database, the host and the process. 'heddle db add' adds its results
// to a database.
#ifndef HEDDLE_STUDY_KEPT_H
#define HEDDLE_STUDY_KEPT_H

#include "study/database.h"

// Stores it, or keeps it beside the file. False with a diagnostic if the database did not take it.
bool hd_kept_store(struct hd_database *db, const struct hd_database_row *row, struct hd_diag *d);
// Whether the file contains a result. False with a diagnostic if not.
bool hd_kept_check(struct hd_arena *a, const char *path, struct hd_diag *d);
// Store what the lines of a file hold. Counts those that were stored; false with a diagnostic for
// each line that holds no result or could not be stored.
bool hd_kept_add(struct hd_database *db, struct hd_arena *a, const char *path, uint64_t *stored,
                 struct hd_diag *d);

#endif
