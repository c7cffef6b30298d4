// database.c - the file: tables, locks of other processes, reading and writing rows. See
// database.h.
#include "study/database.h"

#include "base/file.h"
#include "base/hostclock.h"
#include "study/database_internal.h"
#include "study/databaserow.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define APPLICATION 0x48444c31 // "HDL1", in the file's header: `file` and heddle recognise it
#define SILENCE 2              // seconds of waiting before the user is informed

static const char tables_1[] =
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
    // The contents of the JSON as views, so that nothing is stored twice.
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
    "PRAGMA application_id = 0x48444c31;";

// What version 2 adds. A claim tells which worker simulates a run now (claims.h).
static const char tables_2[] =
    "ALTER TABLE run ADD COLUMN sum TEXT;"
    "CREATE INDEX run_seconds ON run(workload, size, seconds);"
    "CREATE TABLE worker(id INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT NOT NULL,"
    " pid INTEGER NOT NULL, started INTEGER NOT NULL, lease REAL NOT NULL, beat INTEGER NOT NULL);"
    "CREATE TABLE claim(key TEXT PRIMARY KEY, worker INTEGER NOT NULL);"
    "PRAGMA user_version = 2;";

static bool interrupted(void)
{
    sigset_t pending;

    return !sigpending(&pending) &&
           (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
            sigismember(&pending, SIGHUP));
}

// SQLite calls it when it has met a lock for the n-th time; 0 means give up. Waits have different
// lengths, so that many processes do not retry together.
static int wait_for_lock(void *ctx, int n)
{
    struct hd_database *db = ctx;
    double now = hd_hostclock_now();
    unsigned most = n < 8 ? 10 : 100; // milliseconds
    unsigned mixed = ((unsigned)getpid() * 2654435761U + (unsigned)n * 40503U) >> 8;
    struct timespec nap = {.tv_nsec = (long)(1 + mixed % most) * 1000 * 1000};

    if (!n)
        db->since = now;
    if (now - db->since >= db->patience || interrupted())
        return 0;
    if (now - db->since >= SILENCE && !db->said) {
        db->said = true; // once per process
        fprintf(stderr,
                "heddle: %s is locked by another program; waiting for up to %u s at a time\n",
                db->path, db->patience);
    }
    nanosleep(&nap, NULL);
    return 1;
}

bool hd_database_refuse(const struct hd_database *db, int result, const char *doing,
                        struct hd_diag *d)
{
    struct hd_diag_entry *e;

    switch (result & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        e = hd_diag_add(d, db->path, 0, 0, "the database is locked by another program");
        hd_diag_hint(e, "wait until it is done, name another file, or wait longer: --db-wait");
        break;
    case SQLITE_NOTADB:
        hd_diag_add(d, db->path, 0, 0, "this is no SQLite database");
        break;
    case SQLITE_CORRUPT:
        e = hd_diag_add(d, db->path, 0, 0, "the database is damaged");
        hd_diag_hint(
            e, "sqlite3's .recover can save rows; as long as the file can be opened, 'heddle db "
               "check' names those that are damaged");
        break;
    case SQLITE_READONLY:
        hd_diag_add(d, db->path, 0, 0, "the database cannot be written");
        break;
    case SQLITE_FULL:
        hd_diag_add(d, db->path, 0, 0, "no room to %s the database", doing);
        break;
    default:
        hd_diag_add(d, db->path, 0, 0, "cannot %s the database: %.300s", doing,
                    db->sqlite ? sqlite3_errmsg(db->sqlite) : "no memory");
    }
    return false;
}

bool hd_database_do(struct hd_database *db, const char *sql, struct hd_diag *d)
{
    int result = sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL);

    if (result == SQLITE_OK)
        return true;
    hd_database_refuse(db, result, "write", d);
    if (!sqlite3_get_autocommit(db->sqlite))
        sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
    return false;
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

struct kind { // of a file
    int64_t application, version, tables;
};

// In a transaction, because another process may be making the tables just now.
static bool look(struct hd_database *db, struct kind *k, struct hd_diag *d)
{
    int result = number_of(db, "PRAGMA application_id", &k->application);

    if (result == SQLITE_OK)
        result = number_of(db, "PRAGMA user_version", &k->version);
    if (result == SQLITE_OK)
        result = number_of(db, "SELECT count(*) FROM sqlite_master", &k->tables);
    if (result != SQLITE_OK)
        hd_database_refuse(db, result, "read", d);
    return result == SQLITE_OK;
}

static bool is_ours(const struct hd_database *db, const struct kind *k, struct hd_diag *d)
{
    if (k->application != APPLICATION) {
        hd_diag_add(d, db->path, 0, 0,
                    k->tables ? "an SQLite database that heddle did not make"
                              : "the database is empty");
        return false;
    }
    if (k->version >= 1 && k->version <= HD_DATABASE_SCHEMA)
        return true;
    hd_diag_hint(hd_diag_add(d, db->path, 0, 0,
                             "its tables are of version %d, this heddle knows version %d",
                             (int)k->version, HD_DATABASE_SCHEMA),
                 "use the heddle that made it, or another file");
    return false;
}

// Adds the tables that the file lacks. In a transaction that may write.
static bool complete(struct hd_database *db, const struct kind *k, struct hd_diag *d)
{
    bool new = !k->tables && !k->application;
    const char *sums = hd_arena_printf(db->arena, "UPDATE run SET sum = row_sum(%s)", db->columns);

    if (!new && !is_ours(db, k, d))
        return false;
    return (!new || hd_database_do(db, tables_1, d)) &&
           (k->version >= 2 || (hd_database_do(db, tables_2, d) && hd_database_do(db, sums, d)));
}

static bool open_tables(struct hd_database *db, bool write, struct hd_diag *d)
{
    struct kind k = {0};

    if (!hd_database_do(db, "BEGIN", d))
        return false;
    bool good = look(db, &k, d);
    if (good && write && (k.application != APPLICATION || k.version < HD_DATABASE_SCHEMA)) {
        // Again, now that no other process can change it.
        sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
        good = hd_database_do(db, "BEGIN IMMEDIATE", d) && look(db, &k, d) && complete(db, &k, d);
        k.version = HD_DATABASE_SCHEMA;
    } else {
        good = good && is_ours(db, &k, d);
    }
    if (good)
        good = hd_database_do(db, "COMMIT", d);
    else if (!sqlite3_get_autocommit(db->sqlite))
        sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
    db->version = k.version;
    db->sum = db->version >= 2 ? hd_arena_printf(db->arena, "sum, row_sum(%s)", db->columns)
                               : "NULL, NULL";
    return good;
}

struct hd_database *hd_database_open(const char *path, bool write, unsigned patience,
                                     struct hd_diag *d)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_database *db = HD_NEW(a, hd_database);
    char why[HD_FILE_WHY];
    int flags = write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;

    db->arena = a;
    db->path = path; // messages use it after the database is closed
    db->patience = patience;
    db->columns = hd_databaserow_list(a, "");
    if (!write && access(path, R_OK)) {
        hd_diag_add(d, path, 0, 0, "cannot read the database: %s", strerror(errno));
    } else if (!hd_file_regular(path, why)) {
        hd_diag_add(d, NULL, 0, 0, "cannot open the database: %s", why);
    } else {
        // so that a relative name that begins with "file:" is not a URI
        int result = sqlite3_open_v2(hd_arena_printf(a, "%s%s", *path == '/' ? "" : "./", path),
                                     &db->sqlite, flags, NULL);
        if (result == SQLITE_OK)
            result = hd_databaserow_add_sum(db->sqlite);
        if (result != SQLITE_OK)
            hd_database_refuse(db, result, "open", d);
        else if (sqlite3_busy_handler(db->sqlite, wait_for_lock, db), open_tables(db, write, d))
            return db;
    }
    hd_database_close(db);
    return NULL;
}

void hd_database_close(struct hd_database *db)
{
    if (!db)
        return;
    sqlite3_finalize(db->glance[0]);
    sqlite3_finalize(db->glance[1]);
    sqlite3_finalize(db->json);
    sqlite3_close(db->sqlite);
    hd_arena_free(db->arena);
}

const char *hd_database_path(const struct hd_database *db)
{
    return db->path;
}

static bool find(struct hd_database *db, struct hd_arena *a, const char *key, int64_t id,
                 struct hd_database_row *row, struct hd_diag *d)
{
    sqlite3_stmt *s = NULL;
    const char *sql = hd_arena_printf(a, "SELECT id, %s, %s FROM run WHERE %s = ?", db->columns,
                                      db->sum, key ? "key" : "id");
    int result = sqlite3_prepare_v2(db->sqlite, sql, -1, &s, NULL);

    if (result == SQLITE_OK)
        result =
            key ? sqlite3_bind_text(s, 1, key, -1, SQLITE_STATIC) : sqlite3_bind_int64(s, 1, id);
    if (result == SQLITE_OK)
        result = sqlite3_step(s);
    if (result == SQLITE_ROW)
        hd_databaserow_take(a, s, row);
    else if (result != SQLITE_DONE)
        hd_database_refuse(db, result, "read", d);
    sqlite3_finalize(s);
    return result == SQLITE_ROW;
}

bool hd_database_find(struct hd_database *db, struct hd_arena *a, const char *key,
                      struct hd_database_row *row, struct hd_diag *d)
{
    return find(db, a, key, 0, row, d);
}

// "key, NULL, heddle, ...": the columns, without values for the large texts.
static const char *small_columns(struct hd_arena *a)
{
    const char *columns = "";

    for (int i = 0; i < HD_DATABASE_COLUMNS; i++) {
        const char *name = hd_database_columns[i].name;
        bool large = !strcmp(name, "identity") || !strcmp(name, "json") || !strcmp(name, "profile");
        columns = hd_arena_printf(a, "%s%s, ", columns, large ? "NULL" : name);
    }
    return columns;
}

bool hd_database_glance(struct hd_database *db, struct hd_arena *a, const char *key, bool checked,
                        struct hd_database_row *row, bool *any_json, struct hd_diag *d)
{
    sqlite3_stmt **s = &db->glance[checked];
    int result = SQLITE_OK;

    if (!*s) // the same checksum twice, of those that need not be compared
        result = sqlite3_prepare_v2(
            db->sqlite,
            hd_arena_printf(db->arena, "SELECT id, %s%s, json IS NOT NULL FROM run WHERE key = ?",
                            small_columns(db->arena), checked ? "'', ''" : db->sum),
            -1, s, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_bind_text(*s, 1, key, -1, SQLITE_STATIC);
    if (result == SQLITE_OK)
        result = sqlite3_step(*s);
    if (result == SQLITE_ROW) {
        hd_databaserow_take(a, *s, row);
        *any_json = sqlite3_column_int(*s, HD_DATABASE_COLUMNS + 3);
    } else if (result != SQLITE_DONE) {
        hd_database_refuse(db, result, "read", d);
    }
    sqlite3_reset(*s); // so that it holds no lock
    return result == SQLITE_ROW;
}

const char *hd_database_json(struct hd_database *db, struct hd_arena *a, const char *key)
{
    const char *json = NULL;
    int result = SQLITE_OK;

    if (!db->json)
        result = sqlite3_prepare_v2(db->sqlite, "SELECT json FROM run WHERE key = ?", -1, &db->json,
                                    NULL);
    if (result == SQLITE_OK &&
        sqlite3_bind_text(db->json, 1, key, -1, SQLITE_STATIC) == SQLITE_OK &&
        sqlite3_step(db->json) == SQLITE_ROW && sqlite3_column_text(db->json, 0))
        json = hd_arena_strdup(a, (const char *)sqlite3_column_text(db->json, 0));
    sqlite3_reset(db->json);
    return json;
}

bool hd_database_find_id(struct hd_database *db, struct hd_arena *a, int64_t id,
                         struct hd_database_row *row, struct hd_diag *d)
{
    return find(db, a, NULL, id, row, d);
}

static bool insert(struct hd_database *db, const struct hd_database_row *row, struct hd_diag *d)
{
    struct hd_arena *a = hd_arena_new();
    const char *marks = "";
    sqlite3_stmt *s = NULL;

    for (int i = 1; i <= HD_DATABASE_COLUMNS; i++)
        marks = hd_arena_printf(a, "%s%s?%d", marks, i > 1 ? ", " : "", i);
    const char *sql = hd_arena_printf(
        a,
        "INSERT INTO run(%s, sum) VALUES(%s, row_sum(%s)) "
        "ON CONFLICT(key) DO UPDATE SET (%s, sum) = (%s, excluded.sum)",
        db->columns, marks, marks, db->columns, hd_databaserow_list(a, "excluded."));
    int result = sqlite3_prepare_v2(db->sqlite, sql, -1, &s, NULL);
    if (result == SQLITE_OK) {
        hd_databaserow_bind(s, row);
        result = sqlite3_step(s);
    }
    sqlite3_finalize(s);
    if (result == SQLITE_DONE) {
        result = sqlite3_prepare_v2(db->sqlite, "DELETE FROM claim WHERE key = ?", -1, &s, NULL);
        if (result == SQLITE_OK) {
            sqlite3_bind_text(s, 1, row->key, -1, SQLITE_STATIC);
            result = sqlite3_step(s);
        }
        sqlite3_finalize(s);
    }
    hd_arena_free(a);
    return result == SQLITE_DONE ? true : hd_database_refuse(db, result, "write", d);
}

bool hd_database_store(struct hd_database *db, const struct hd_database_row *row, struct hd_diag *d)
{
    sigset_t ends, before;

    // A signal that would end the program waits until the result is stored; the wait for a lock
    // checks for it.
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    sigprocmask(SIG_BLOCK, &ends, &before);
    bool good = hd_database_do(db, "BEGIN IMMEDIATE", d) && insert(db, row, d) &&
                hd_database_do(db, "COMMIT", d);
    if (!good && !sqlite3_get_autocommit(db->sqlite))
        sqlite3_exec(db->sqlite, "ROLLBACK", NULL, NULL, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return good;
}

void hd_database_seconds(struct hd_database *db, const char *workload, const char *size,
                         double *seconds)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(
        db->sqlite, "SELECT avg(seconds) FROM run WHERE workload = ? AND size IS ?", -1, &s, NULL);

    if (result == SQLITE_OK) {
        sqlite3_bind_text(s, 1, workload, -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 2, size, -1, SQLITE_STATIC);
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
        hd_arena_printf(a, "SELECT id, %sNULL, NULL FROM run ORDER BY id", small_columns(a)), -1,
        &s, NULL);
    *n = 0;
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite3_step(s);
        if (result == SQLITE_ROW)
            hd_databaserow_take(a, s, HD_PUSH(a, all, *n, cap));
    }
    if (result != SQLITE_DONE)
        hd_database_refuse(db, result, "read", d);
    sqlite3_finalize(s);
    *rows = all;
    return result == SQLITE_DONE;
}

static void check_pages(struct hd_database *db, struct hd_diag *d)
{
    sqlite3_stmt *s = NULL;
    int result = sqlite3_prepare_v2(db->sqlite, "PRAGMA integrity_check(20)", -1, &s, NULL);

    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite3_step(s);
        const char *text = result == SQLITE_ROW ? (const char *)sqlite3_column_text(s, 0) : "ok";
        if (!text || strcmp(text, "ok") != 0)
            hd_diag_add(d, db->path, 0, 0, "damaged: %.200s", text ? text : "");
    }
    if (result != SQLITE_DONE)
        hd_database_refuse(db, result, "read", d);
    sqlite3_finalize(s);
}

bool hd_database_check(struct hd_database *db, struct hd_arena *a, uint64_t *rows,
                       struct hd_diag *d)
{
    sqlite3_stmt *s = NULL;
    unsigned before = d->n + d->dropped;

    *rows = 0;
    check_pages(db, d);
    int result = sqlite3_prepare_v2(
        db->sqlite,
        hd_arena_printf(a, "SELECT id, %s, %s FROM run ORDER BY id", db->columns, db->sum), -1, &s,
        NULL);
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        struct hd_arena *own = hd_arena_new(); // per row: the file may be larger than memory
        struct hd_database_row row;
        result = sqlite3_step(s);
        if (result == SQLITE_ROW) {
            hd_databaserow_take(own, s, &row);
            *rows += 1;
            if (!hd_databaserow_verify(own, &row))
                hd_diag_add(d, db->path, 0, 0, "run %" PRId64 ": %.180s", row.id, row.damage);
        }
        hd_arena_free(own);
    }
    if (result != SQLITE_DONE)
        hd_database_refuse(db, result, "read", d);
    sqlite3_finalize(s);
    return d->n + d->dropped == before;
}
