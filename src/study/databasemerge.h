// databasemerge.h - the rows of one database into another, for studies whose processes have
// databases of their own.
#ifndef HEDDLE_STUDY_DATABASEMERGE_H
#define HEDDLE_STUDY_DATABASEMERGE_H

#include "study/database.h"

// Prepares the merging of runs with these keys; others are left where they are. False with a
// diagnostic.
bool hd_databasemerge_begin(struct hd_database *into, const char *const *keys, unsigned n,
                            struct hd_diag *d);
// Copies the rows of the file at `path`, byte for byte, in one transaction. Key number i gets the
// id i + 1, so that the contents do not depend on the order in which runs ended. A result that will
// not change stays as it is, and a row that was damaged is not copied. The file must be one of
// heddle's, of the present version. False with a diagnostic.
bool hd_databasemerge_take(struct hd_database *into, const char *path, struct hd_diag *d);
// After all of them: calls `row` with the number of each key whose row came from them, counted from
// 0. Their checksums have been compared.
bool hd_databasemerge_taken(struct hd_database *into, void (*row)(void *ctx, unsigned i), void *ctx,
                            struct hd_diag *d);
// Calls `row` for each run of the file; any_json and exit_status are for hd_outcome_lasting.
bool hd_databasemerge_each(struct hd_database *db,
                           void (*row)(void *ctx, const char *key, bool any_json,
                                       int64_t exit_status),
                           void *ctx, struct hd_diag *d);

#endif
