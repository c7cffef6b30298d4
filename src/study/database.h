// database.h - the results of a study in one SQLite file: a row per run, stored as it ends.
//
// docs/database.md documents the tables. Every run is a transaction of its own with SQLite's
// rollback journal: whatever ends the program leaves the runs that had ended, in one file that any
// file system can hold (a write-ahead log would be faster, but keeps a second file and does not
// work on network file systems, where clusters keep results).
#ifndef HEDDLE_STUDY_DATABASE_H
#define HEDDLE_STUDY_DATABASE_H

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>

#define HD_DATABASE_SCHEMA 1

struct hd_database;

struct hd_database_row { // text is NULL where there is none
    int64_t id;          // given by the database
    const char *key, *identity;
    const char *workload, *size, *gpu, *sched, *fetch, *tb, *kernel_policy;
    const char *status;  // of the run, "error" and "bug" included
    const char *message; // what it said on standard error
    const char *sets;    // changes to the machine: "l1d.ways=8 sm.sms=14"
    const char *command; // repeats it
    const char *heddle;
    const char *profile; // the kernels of `heddle annotate --json`
    const char *json;    // docs/run.schema.json; NULL if there is no result
    int64_t seed, model, exit_status;
    int64_t cycles, warp_insts, thread_insts; // -1: none
    double seconds;                           // of the host; below 0: not known
    int verified;                             // 1, 0, -1: nothing to check
};

// Open, or (write) make it. NULL with a diagnostic: it is damaged, locked, not a database, not one
// of heddle's, or of a later version.
struct hd_database *hd_database_open(const char *path, bool write, struct hd_diag *d);
void hd_database_close(struct hd_database *db); // NULL is allowed

// The row with that key; its text lives in the arena. False if there is none, or with a diagnostic
// if it cannot be read.
bool hd_database_find(struct hd_database *db, struct hd_arena *a, const char *key,
                      struct hd_database_row *row, struct hd_diag *d);
bool hd_database_find_id(struct hd_database *db, struct hd_arena *a, int64_t id,
                         struct hd_database_row *row, struct hd_diag *d);
// One transaction. A row with the same key is replaced and keeps its id. False with a diagnostic.
bool hd_database_store(struct hd_database *db, const struct hd_database_row *row,
                       struct hd_diag *d);
// Mean host seconds of the runs of a workload in a size; *seconds stays as it is if there are none.
void hd_database_seconds(struct hd_database *db, const char *workload, const char *size,
                         double *seconds);
// All rows by id, without their JSON and identity. False with a diagnostic.
bool hd_database_all(struct hd_database *db, struct hd_arena *a, struct hd_database_row **rows,
                     size_t *n, struct hd_diag *d);

#endif
