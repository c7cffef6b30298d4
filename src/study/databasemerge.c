// databasemerge.c - see databasemerge.h.
#include "study/databasemerge.h"

#include "study/database_internal.h"

bool hd_databasemerge_begin(struct hd_database *into, const char *const *keys, unsigned n,
                            struct hd_diag *d)
{
    sqlite3_stmt *s = NULL;

    if (!hd_database_do(into,
                        "CREATE TEMP TABLE planned(id INTEGER PRIMARY KEY, key TEXT UNIQUE,"
                        " had INTEGER)",
                        d) ||
        !hd_database_do(into, "BEGIN", d))
        return false;
    int result = sqlite3_prepare_v2(
        into->sqlite,
        "INSERT INTO planned(key, had) VALUES(?1, EXISTS(SELECT 1 FROM main.run WHERE key = ?1))",
        -1, &s, NULL);
    for (unsigned i = 0; result == SQLITE_OK && i < n; i++) {
        sqlite3_bind_text(s, 1, keys[i], -1, SQLITE_STATIC);
        result = sqlite3_step(s) == SQLITE_DONE ? sqlite3_reset(s) : sqlite3_errcode(into->sqlite);
    }
    sqlite3_finalize(s);
    bool good = result == SQLITE_OK || hd_database_refuse(into, result, "write", d);
    return hd_database_do(into, "COMMIT", d) && good;
}

static int attach(struct hd_database *into, const char *path)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(into->sqlite, "ATTACH ? AS shard", -1, &s, NULL);

    if (result == SQLITE_OK) {
        sqlite3_bind_text(s, 1, path, -1, SQLITE_STATIC);
        result = sqlite3_step(s);
    }
    sqlite3_finalize(s);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

bool hd_databasemerge_take(struct hd_database *into, const char *path, struct hd_diag *d)
{
    struct hd_arena *a = hd_arena_new();
    const char *theirs = hd_databaserow_list(a, "s.");
    // The condition is that of hd_outcome_lasting.
    const char *sql = hd_arena_printf(
        a,
        "INSERT INTO main.run(id, %s, sum)"
        " SELECT CASE WHEN EXISTS(SELECT 1 FROM main.run WHERE id = p.id) THEN NULL ELSE p.id END,"
        " %s, s.sum FROM shard.run AS s JOIN temp.planned AS p ON p.key = s.key"
        " WHERE CASE WHEN EXISTS(SELECT 1 FROM main.run AS m WHERE m.key = s.key AND"
        "  m.json IS NOT NULL AND m.exit_status != %d AND m.exit_status <= %d)"
        " THEN 0 ELSE s.sum IS row_sum(%s) END"
        " ON CONFLICT(key) DO UPDATE SET (%s, sum) = (%s, excluded.sum)",
        into->columns, theirs, HD_EXIT_USER, HD_EXIT_FAULT, theirs, into->columns,
        hd_databaserow_list(a, "excluded."));
    int result = attach(into, path);

    bool good = result == SQLITE_OK || hd_database_refuse(into, result, "read", d);
    if (good) {
        good = hd_database_do(into, sql, d);
        sqlite3_exec(into->sqlite, "DETACH shard", NULL, NULL, NULL);
    }
    hd_arena_free(a);
    return good;
}

bool hd_databasemerge_taken(struct hd_database *into, void (*row)(void *ctx, unsigned i), void *ctx,
                            struct hd_diag *d)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(into->sqlite,
                                    "SELECT p.id FROM temp.planned AS p WHERE NOT p.had AND"
                                    " EXISTS(SELECT 1 FROM main.run WHERE key = p.key)",
                                    -1, &s, NULL);

    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite3_step(s);
        if (result == SQLITE_ROW)
            row(ctx, (unsigned)sqlite3_column_int64(s, 0) - 1);
    }
    sqlite3_finalize(s);
    return result == SQLITE_DONE || hd_database_refuse(into, result, "read", d);
}

bool hd_databasemerge_each(struct hd_database *db,
                           void (*row)(void *ctx, const char *key, bool any_json,
                                       int64_t exit_status),
                           void *ctx, struct hd_diag *d)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(
        db->sqlite, "SELECT key, json IS NOT NULL, exit_status FROM run", -1, &s, NULL);

    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite3_step(s);
        const char *key = result == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : NULL;
        if (key)
            row(ctx, key, sqlite3_column_int(s, 1), sqlite3_column_int64(s, 2));
    }
    sqlite3_finalize(s);
    return result == SQLITE_DONE || hd_database_refuse(db, result, "read", d);
}
