// databaserow.h - checks of a stored run.
#ifndef HEDDLE_STUDY_DATABASEROW_H
#define HEDDLE_STUDY_DATABASEROW_H

#include "study/database.h"

// Whether the row is consistent: its key with its identity, its JSON with its numbers. Sets
// `damage` and returns false if it is not, or if it was set before.
bool hd_databaserow_verify(struct hd_arena *a, struct hd_database_row *row);

#endif
