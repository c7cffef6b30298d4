// database.c - the tables, and what can be wrong with a file. See database.h.
#include "study/database.h"

#include "base/file.h"
#include "heddle/version.h"

#include <errno.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#define APPLICATION 0x48444c31 // "HDL1", in the file's header: `file` and we know it by that
#define PATIENCE 2000          // milliseconds for another program to end its transaction

struct hd_database {
    struct hd_arena *arena;
    sqlite3 *sqlite;
    const char *path;
};

static const char schema[] =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE run("
    " id INTEGER PRIMARY KEY,"
    " key TEXT NOT NULL UNIQUE,"
    " identity TEXT NOT NULL,"
    " heddle TEXT NOT NULL, model INTEGER NOT NULL,"
    " workload TEXT NOT NULL, size TEXT, seed INTEGER,"
    " gpu TEXT NOT NULL, sets TEXT, sched TEXT NOT NULL, fetch TEXT NOT NULL, tb TEXT NOT NULL,"
    " kernel_policy TEXT NOT NULL,"
    " status TEXT NOT NULL, verified INTEGER, exit_status INTEGER NOT NULL, message TEXT,"
    " cycles INTEGER, warp_insts INTEGER, thread_insts INTEGER, seconds REAL,"
    " command TEXT, json TEXT, profile TEXT);"
    // What the JSON holds, as tables: nothing is stored twice.
    "CREATE VIEW option AS SELECT run.id AS run, o.key AS name, o.value AS value"
    " FROM run, json_each(run.identity, '$.options') AS o;"
    "CREATE VIEW input AS SELECT run.id AS run, i.key AS name, i.value AS sha256"
    " FROM run, json_each(run.identity, '$.inputs') AS i;"
    "CREATE VIEW kernel AS SELECT run.id AS run, json_extract(k.value, '$.launch') AS launch,"
    " json_extract(k.value, '$.name') AS name, json_extract(k.value, '$.cycles') AS cycles,"
    " json_extract(k.value, '$.warp_insts') AS warp_insts, json_extract(k.value, '$.thread_insts') "
    "AS thread_insts,"
    " json_extract(k.value, '$.long_insts') AS long_insts, json_extract(k.value, '$.ipc') AS ipc"
    " FROM run, json_each(run.json, '$.kernels') AS k;"
    "CREATE VIEW counter AS SELECT run.id AS run, json_extract(k.value, '$.launch') AS launch,"
    " c.key AS name, c.value AS value"
    " FROM run, json_each(run.json, '$.kernels') AS k, json_each(k.value, '$.counters') AS c;"
    "PRAGMA application_id = 0x48444c31;"
    "PRAGMA user_version = 1;"
    "COMMIT;";

static const char columns[] =
    "key, identity, heddle, model, workload, size, seed, gpu, sets, sched, fetch, tb, "
    "kernel_policy, "
    "status, verified, exit_status, message, cycles, warp_insts, thread_insts, seconds, command, "
    "json, profile";

// What SQLite's result means to the user.
static bool refuse(const struct hd_database *db, int result, const char *doing, struct hd_diag *d)
{
    struct hd_diag_entry *e;

    switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        e = hd_diag_add(d, db->path, 0, 0, "the database is locked by another program");
        hd_diag_hint(e, "wait until it is done, or name another file");
        break;
    case SQLITE_NOTADB:
        hd_diag_add(d, db->path, 0, 0, "this is no SQLite database");
        break;
    case SQLITE_CORRUPT:
        e = hd_diag_add(d, db->path, 0, 0, "the database is damaged");
        hd_diag_hint(e, "sqlite3's .recover can save rows; 'heddle compare' makes a new file");
        break;
    case SQLITE_READONLY:
        hd_diag_add(d, db->path, 0, 0, "the database cannot be written");
        break;
    case SQLITE_FULL:
        hd_diag_add(d, db->path, 0, 0, "no room to %s the database", doing);
        break;
    default:
        hd_diag_add(d, db->path, 0, 0, "cannot %s the database: %.150s", doing,
                    db->sqlite ? sqlite3_errmsg(db->sqlite) : "no memory");
    }
    return false;
}

static bool do_all(struct hd_database *db, const char *sql, struct hd_diag *d)
{
    int result = sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL);

    if (result != SQLITE_OK) {
        refuse(db, result, "write", d);
        sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
    }
    return result == SQLITE_OK;
}

// The first value of the first row as a number.
static int number_of(struct hd_database *db, const char *sql, int64_t *out)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(db->sqlite, sql, -1, &s, NULL);

    if (result == SQLITE_OK && (result = sqlite3_step(s)) == SQLITE_ROW) {
        *out = sqlite3_column_int64(s, 0);
        result = SQLITE_OK;
    }
    sqlite3_finalize(s);
    return result;
}

static int check_whole(struct hd_database *db, bool *whole)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(db->sqlite, "PRAGMA quick_check(1)", -1, &s, NULL);

    if (result == SQLITE_OK && (result = sqlite3_step(s)) == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(s, 0);
        *whole = text && !strcmp(text, "ok");
        result = SQLITE_OK;
    }
    sqlite3_finalize(s);
    return result;
}

// Ours, of this version and whole; or empty, and made so.
static bool check(struct hd_database *db, bool write, struct hd_diag *d)
{
    int64_t application = 0, version = 0, tables = 0;
    bool whole = true;
    int result = number_of(db, "PRAGMA application_id", &application);

    if (result == SQLITE_OK)
        result = number_of(db, "PRAGMA user_version", &version);
    if (result == SQLITE_OK)
        result = number_of(db, "SELECT count(*) FROM sqlite_master", &tables);
    if (result == SQLITE_OK)
        result = check_whole(db, &whole);
    if (result != SQLITE_OK)
        return refuse(db, result, "read", d);
    if (!whole)
        return refuse(db, SQLITE_CORRUPT, "read", d);
    if (!tables && !application && write)
        return do_all(db, schema, d);
    if (application != APPLICATION) {
        hd_diag_add(d, db->path, 0, 0, "an SQLite database, but none of heddle's");
        return false;
    }
    if (version != HD_DATABASE_SCHEMA) {
        hd_diag_hint(hd_diag_add(d, db->path, 0, 0,
                                 "its tables are of version %d, this heddle knows version %d",
                                 (int)version, HD_DATABASE_SCHEMA),
                     "use the heddle that made it, or another file");
        return false;
    }
    return true;
}

struct hd_database *hd_database_open(const char *path, bool write, struct hd_diag *d)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_database *db = HD_NEW(a, hd_database);
    char why[160];
    int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;

    db->arena = a;
    db->path = path; // messages outlive the database
    if (!write && access(path, R_OK)) {
        hd_diag_add(d, path, 0, 0, "cannot read the database: %s", strerror(errno));
    } else if (!hd_file_regular(path, why)) {
        hd_diag_add(d, NULL, 0, 0, "cannot open the database: %s", why);
    } else {
        // A relative name that begins with "file:" is a name, not a URI.
        int result = sqlite3_open_v2(hd_arena_printf(a, "%s%s", *path == '/' ? "" : "./", path),
                                     &db->sqlite, flags, NULL);
        if (result != SQLITE_OK)
            refuse(db, result, "open", d);
        else if (sqlite3_busy_timeout(db->sqlite, PATIENCE), check(db, write, d))
            return db;
    }
    hd_database_close(db);
    return NULL;
}

void hd_database_close(struct hd_database *db)
{
    if (!db)
        return;
    sqlite3_close(db->sqlite);
    hd_arena_free(db->arena);
}

static const char *text_at(struct hd_arena *a, sqlite3_stmt *s, int i)
{
    const char *text = (const char *)sqlite3_column_text(s, i);

    return text ? hd_arena_strdup(a, text) : NULL;
}

static int64_t count_at(sqlite3_stmt *s, int i)
{
    return sqlite3_column_type(s, i) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, i);
}

// From `id` and the columns above.
static void take(struct hd_arena *a, sqlite3_stmt *s, struct hd_database_row *r)
{
    *r = (struct hd_database_row){
        .id = sqlite3_column_int64(s, 0),
        .key = text_at(a, s, 1),
        .identity = text_at(a, s, 2),
        .heddle = text_at(a, s, 3),
        .model = sqlite3_column_int64(s, 4),
        .workload = text_at(a, s, 5),
        .size = text_at(a, s, 6),
        .seed = count_at(s, 7),
        .gpu = text_at(a, s, 8),
        .sets = text_at(a, s, 9),
        .sched = text_at(a, s, 10),
        .fetch = text_at(a, s, 11),
        .tb = text_at(a, s, 12),
        .kernel_policy = text_at(a, s, 13),
        .status = text_at(a, s, 14),
        .verified = (int)count_at(s, 15),
        .exit_status = sqlite3_column_int64(s, 16),
        .message = text_at(a, s, 17),
        .cycles = count_at(s, 18),
        .warp_insts = count_at(s, 19),
        .thread_insts = count_at(s, 20),
        .seconds = sqlite3_column_type(s, 21) == SQLITE_NULL ? -1 : sqlite3_column_double(s, 21),
        .command = text_at(a, s, 22),
        .json = text_at(a, s, 23),
        .profile = text_at(a, s, 24)};
}

static bool find(struct hd_database *db, struct hd_arena *a, const char *where, const char *key,
                 int64_t id, struct hd_database_row *row, struct hd_diag *d)
{
    sqlite3_stmt *s = NULL;
    const char *sql = hd_arena_printf(a, "SELECT id, %s FROM run WHERE %s = ?", columns, where);
    int result = sqlite3_prepare_v2(db->sqlite, sql, -1, &s, NULL);

    if (result == SQLITE_OK)
        result =
            key ? sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC) : sqlite3_bind_int64(s, 1, id);
    if (result == SQLITE_OK)
        result = sqlite3_step(s);
    if (result == SQLITE_ROW)
        take(a, s, row);
    else if (result != SQLITE_DONE)
        refuse(db, result, "read", d);
    sqlite3_finalize(s);
    return result == SQLITE_ROW;
}

bool hd_database_find(struct hd_database *db, struct hd_arena *a, const char *key,
                      struct hd_database_row *row, struct hd_diag *d)
{
    return find(db, a, "key", key, 0, row, d);
}

bool hd_database_find_id(struct hd_database *db, struct hd_arena *a, int64_t id,
                         struct hd_database_row *row, struct hd_diag *d)
{
    return find(db, a, "id", NULL, id, row, d);
}

static void bind_text(sqlite3_stmt *s, int i, const char *text)
{
    sqlite3_bind_text(s, i, text, -1, SQLITE_STATIC); // NULL binds NULL
}

static void bind_count(sqlite3_stmt *s, int i, int64_t n)
{
    if (n < 0)
        sqlite3_bind_null(s, i);
    else
        sqlite3_bind_int64(s, i, n);
}

static void bind_row(sqlite3_stmt *s, const struct hd_database_row *r)
{
    bind_text(s, 1, r->key);
    bind_text(s, 2, r->identity);
    bind_text(s, 3, r->heddle);
    sqlite3_bind_int64(s, 4, r->model);
    bind_text(s, 5, r->workload);
    bind_text(s, 6, r->size);
    bind_count(s, 7, r->seed);
    bind_text(s, 8, r->gpu);
    bind_text(s, 9, r->sets);
    bind_text(s, 10, r->sched);
    bind_text(s, 11, r->fetch);
    bind_text(s, 12, r->tb);
    bind_text(s, 13, r->kernel_policy);
    bind_text(s, 14, r->status);
    bind_count(s, 15, r->verified);
    sqlite3_bind_int64(s, 16, r->exit_status);
    bind_text(s, 17, r->message);
    bind_count(s, 18, r->cycles);
    bind_count(s, 19, r->warp_insts);
    bind_count(s, 20, r->thread_insts);
    if (r->seconds < 0)
        sqlite3_bind_null(s, 21);
    else
        sqlite3_bind_double(s, 21, r->seconds);
    bind_text(s, 22, r->command);
    bind_text(s, 23, r->json);
    bind_text(s, 24, r->profile);
}

bool hd_database_store(struct hd_database *db, const struct hd_database_row *row, struct hd_diag *d)
{
    char sql[1600];
    sqlite3_stmt *s = NULL;

    snprintf(sql, sizeof sql,
             "INSERT INTO run(%s) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
             "ON CONFLICT(key) DO UPDATE SET (%s) = (excluded.key, excluded.identity, "
             "excluded.heddle, excluded.model, excluded.workload, excluded.size, excluded.seed, "
             "excluded.gpu, excluded.sets, excluded.sched, excluded.fetch, excluded.tb, "
             "excluded.kernel_policy, "
             "excluded.status, excluded.verified, excluded.exit_status, excluded.message, "
             "excluded.cycles, excluded.warp_insts, excluded.thread_insts, excluded.seconds, "
             "excluded.command, excluded.json, excluded.profile)",
             columns, columns);
    int result = sqlite3_prepare_v2(db->sqlite, sql, -1, &s, NULL);
    if (result == SQLITE_OK) {
        bind_row(s, row);
        result = sqlite3_step(s);
    }
    if (result != SQLITE_DONE)
        refuse(db, result, "write", d);
    sqlite3_finalize(s);
    return result == SQLITE_DONE;
}

void hd_database_seconds(struct hd_database *db, const char *workload, const char *size,
                         double *seconds)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(
        db->sqlite, "SELECT avg(seconds) FROM run WHERE workload = ? AND size IS ?", -1, &s, NULL);

    if (result == SQLITE_OK) {
        bind_text(s, 1, workload);
        bind_text(s, 2, size);
        if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_type(s, 0) != SQLITE_NULL)
            *seconds = sqlite3_column_double(s, 0);
    }
    sqlite3_finalize(s);
}

bool hd_database_all(struct hd_database *db, struct hd_arena *a, struct hd_database_row **rows,
                     size_t *n, struct hd_diag *d)
{
    sqlite3_stmt *s = NULL;
    struct hd_database_row *all = NULL;
    size_t cap = 0;
    int result = sqlite3_prepare_v2(
        db->sqlite,
        "SELECT id, key, NULL, heddle, model, workload, size, seed, gpu, sets, sched, fetch, "
        "tb, kernel_policy, status, verified, exit_status, message, cycles, warp_insts, "
        "thread_insts, "
        "seconds, command, NULL, NULL FROM run ORDER BY id",
        -1, &s, NULL);

    *n = 0;
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite3_step(s);
        if (result == SQLITE_ROW)
            take(a, s, HD_PUSH(a, all, *n, cap));
    }
    if (result != SQLITE_DONE)
        refuse(db, result, "read", d);
    sqlite3_finalize(s);
    *rows = all;
    return result == SQLITE_DONE;
}
