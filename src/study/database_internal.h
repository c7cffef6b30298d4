// database_internal.h - declarations that only the files of the database share.
#ifndef HEDDLE_STUDY_DATABASE_INTERNAL_H
#define HEDDLE_STUDY_DATABASE_INTERNAL_H

#include "study/database.h"

#include <sqlite3.h>

struct hd_database {
    struct hd_arena *arena;
    sqlite3 *sqlite;
    const char *path;
    const char *columns; // of `run`, as in a SELECT
    const char *sum;     // an expression: the checksum over them; "NULL" in a file of version 1
    int64_t version;     // of its tables
    // Statements that a study uses for each of its runs, made when first needed.
    sqlite3_stmt *glance[2], *json; // glance[1]: without a checksum
    // While it waits for another program's lock.
    unsigned patience; // seconds
    double since;      // when it began to wait; 0: it does not
    bool said;         // that it waits
};

// What SQLite's result means to the user. Returns false.
bool hd_database_refuse(const struct hd_database *db, int result, const char *doing,
                        struct hd_diag *d);
// One or several statements without values. False with a diagnostic, outside of any transaction.
bool hd_database_do(struct hd_database *db, const char *sql, struct hd_diag *d);
// The SQL function row_sum(columns), which makes a row's checksum.
int hd_databaserow_add_sum(sqlite3 *sqlite);
// A row from `id`, the columns, the stored checksum and the one that it should have. What is found
// wrong without looking into its JSON goes to `damage`.
void hd_databaserow_take(struct hd_arena *a, sqlite3_stmt *s, struct hd_database_row *row);
// The columns as parameters 1 to HD_DATABASE_COLUMNS.
void hd_databaserow_bind(sqlite3_stmt *s, const struct hd_database_row *row);
// "key, identity, ..." with a text before each of them.
const char *hd_databaserow_list(struct hd_arena *a, const char *before);

#endif
