// database.h - the results of a study in one SQLite file: a row per run, stored as it ends.
//
// docs/database.md documents the tables. Every run is a separate transaction with SQLite's rollback
// journal: whatever ends the program, the file contains all runs that had ended, and any file
// system can store it. A write-ahead log would be faster, but needs a second file and does not work
// on network file systems, where clusters keep results.
//
// Many processes may open one file, also a new one, at the same time. Each transaction waits for
// the locks of others (hd_database_patience). A result that still cannot be stored is kept beside
// the file (kept.h); which process works on which run is in claims.h.
#ifndef HEDDLE_STUDY_DATABASE_H
#define HEDDLE_STUDY_DATABASE_H

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>

#define HD_DATABASE_SCHEMA 2
#define HD_DATABASE_PATIENCE 60 // seconds, unless the user says otherwise

struct hd_database;

struct hd_database_row { // text is NULL where there is none
    int64_t id;          // given by the database
    const char *key, *identity;
    const char *workload, *size, *gpu, *sched, *fetch, *tb, *kernel_policy;
    const char *status;  // of the run; also "error", "killed" and "bug"
    const char *message; // its messages on standard error
    const char *sets;    // changes to the machine: "l1d.ways=8 sm.sms=14"
    const char *command; // repeats it
    const char *heddle;
    const char *profile; // the kernels of `heddle annotate --json`
    const char *json;    // docs/run.schema.json; NULL if there is no result
    int64_t seed, model, exit_status;
    int64_t cycles, warp_insts, thread_insts; // -1: none
    int64_t verified;                         // 1, 0, or -1 if there is nothing to check
    double seconds;                           // of the host; below 0: not known
    // A sentence that says why the row cannot be what was stored; NULL: nothing is wrong with it.
    const char *damage;
};

// The names of a row's members in the file, in the order of the table.
struct hd_database_column {
    const char *name;
    enum hd_database_type {
        HD_DATABASE_TEXT,
        HD_DATABASE_INTEGER, // always there
        HD_DATABASE_COUNT,   // below 0: NULL
        HD_DATABASE_REAL,    // below 0: NULL
    } type;
    size_t offset; // in struct hd_database_row
};
extern const struct hd_database_column hd_database_columns[];
#define HD_DATABASE_COLUMNS 24

// Opens the file or, if `write`, makes it; tables of an older version are updated when it is opened
// for writing. NULL with a diagnostic: it is damaged, locked, not a database, not one of heddle's,
// or of a later version. Reads only a few pages, whatever the size of the file. `patience` is the
// number of seconds that each access waits for the locks of other programs.
struct hd_database *hd_database_open(const char *path, bool write, unsigned patience,
                                     struct hd_diag *d);
void hd_database_close(struct hd_database *db); // NULL is allowed
const char *hd_database_path(const struct hd_database *db);

// The row with that key; its text lives in the arena. False if there is none, or with a diagnostic
// if it cannot be read. A damaged row has `damage` set.
bool hd_database_find(struct hd_database *db, struct hd_arena *a, const char *key,
                      struct hd_database_row *row, struct hd_diag *d);
// The row without its large texts: identity, json and profile are NULL, and `*any_json` tells
// whether it has JSON. `checked`: this process has compared its checksum already, and need not read
// the large texts for that. For studies of many runs.
bool hd_database_glance(struct hd_database *db, struct hd_arena *a, const char *key, bool checked,
                        struct hd_database_row *row, bool *any_json, struct hd_diag *d);
// The JSON of the row with that key; NULL if there is none.
const char *hd_database_json(struct hd_database *db, struct hd_arena *a, const char *key);
bool hd_database_find_id(struct hd_database *db, struct hd_arena *a, int64_t id,
                         struct hd_database_row *row, struct hd_diag *d);
// One transaction, which also ends the claim on the row's key. A row with the same key is replaced
// and keeps its id. False with a diagnostic. An interrupt ends the wait for a lock.
bool hd_database_store(struct hd_database *db, const struct hd_database_row *row,
                       struct hd_diag *d);
// Mean host seconds of the runs of a workload in a size; *seconds stays as it is if there are none.
void hd_database_seconds(struct hd_database *db, const char *workload, const char *size,
                         double *seconds);
// All rows by id, without their JSON and identity. False with a diagnostic.
bool hd_database_all(struct hd_database *db, struct hd_arena *a, struct hd_database_row **rows,
                     size_t *n, struct hd_diag *d);
// Reads the whole file: SQLite's own check of its pages, then every row against its checksum, its
// JSON and itself. Adds a diagnostic for each error; false if there is any.
bool hd_database_check(struct hd_database *db, struct hd_arena *a, uint64_t *rows,
                       struct hd_diag *d);

#endif
