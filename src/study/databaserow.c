// databaserow.c - a run as a row: its columns, its checksum, and checks of its values.
//
// A row is accepted if its checksum is that of its columns. One from a file of version 1 has none:
// it is accepted if it is consistent.
#include "study/databaserow.h"

#include "present/json.h"
#include "report/runreport.h"
#include "study/database_internal.h"

#include <inttypes.h>
#include <jansson.h>
#include <sha256.h>
#include <string.h>

#define R(member) offsetof(struct hd_database_row, member)

const struct hd_database_column hd_database_columns[HD_DATABASE_COLUMNS] = {
    {"key", HD_DATABASE_TEXT, R(key)},
    {"identity", HD_DATABASE_TEXT, R(identity)},
    {"heddle", HD_DATABASE_TEXT, R(heddle)},
    {"model", HD_DATABASE_INTEGER, R(model)},
    {"workload", HD_DATABASE_TEXT, R(workload)},
    {"size", HD_DATABASE_TEXT, R(size)},
    {"seed", HD_DATABASE_COUNT, R(seed)},
    {"gpu", HD_DATABASE_TEXT, R(gpu)},
    {"sets", HD_DATABASE_TEXT, R(sets)},
    {"sched", HD_DATABASE_TEXT, R(sched)},
    {"fetch", HD_DATABASE_TEXT, R(fetch)},
    {"tb", HD_DATABASE_TEXT, R(tb)},
    {"kernel_policy", HD_DATABASE_TEXT, R(kernel_policy)},
    {"status", HD_DATABASE_TEXT, R(status)},
    {"verified", HD_DATABASE_COUNT, R(verified)},
    {"exit_status", HD_DATABASE_INTEGER, R(exit_status)},
    {"message", HD_DATABASE_TEXT, R(message)},
    {"cycles", HD_DATABASE_COUNT, R(cycles)},
    {"warp_insts", HD_DATABASE_COUNT, R(warp_insts)},
    {"thread_insts", HD_DATABASE_COUNT, R(thread_insts)},
    {"seconds", HD_DATABASE_REAL, R(seconds)},
    {"command", HD_DATABASE_TEXT, R(command)},
    {"json", HD_DATABASE_TEXT, R(json)},
    {"profile", HD_DATABASE_TEXT, R(profile)},
};

const char *hd_databaserow_list(struct hd_arena *a, const char *before)
{
    const char *list = "";

    for (int i = 0; i < HD_DATABASE_COLUMNS; i++)
        list = hd_arena_printf(a, "%s%s%s%s", list, i ? ", " : "", before,
                               hd_database_columns[i].name);
    return list;
}

// Each value is preceded by its kind and length, so that nothing can move from one to the next.
static void add_value(SHA256_CTX *sum, sqlite3_value *v)
{
    const void *bytes = "";
    char text[48];
    int n = 0, kind = sqlite3_value_type(v);

    switch (kind) {
    case SQLITE_NULL:
        break;
    case SQLITE_INTEGER:
        n = snprintf(text, sizeof text, "%lld", sqlite3_value_int64(v));
        bytes = text;
        break;
    case SQLITE_FLOAT:
        n = snprintf(text, sizeof text, "%.17g", sqlite3_value_double(v));
        bytes = text;
        break;
    default:
        bytes = sqlite3_value_blob(v);
        n = sqlite3_value_bytes(v);
    }
    char head[32];
    int head_bytes = snprintf(head, sizeof head, "%d %d ", kind, n);
    SHA256Update(sum, (const uint8_t *)head, (size_t)head_bytes);
    SHA256Update(sum, bytes, (size_t)n);
}

static void row_sum(sqlite3_context *out, int n, sqlite3_value **values)
{
    SHA256_CTX sum;
    char hex[SHA256_DIGEST_STRING_LENGTH];

    SHA256Init(&sum);
    for (int i = 0; i < n; i++)
        add_value(&sum, values[i]);
    sqlite3_result_text(out, SHA256End(&sum, hex), -1, SQLITE_TRANSIENT);
}

int hd_databaserow_add_sum(sqlite3 *sqlite)
{
    return sqlite3_create_function_v2(sqlite, "row_sum", HD_DATABASE_COLUMNS,
                                      SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, row_sum, NULL, NULL,
                                      NULL);
}

static void *member(struct hd_database_row *row, const struct hd_database_column *c)
{
    return (char *)row + c->offset;
}

void hd_databaserow_bind(sqlite3_stmt *s, const struct hd_database_row *row)
{
    for (int i = 0; i < HD_DATABASE_COLUMNS; i++) {
        const struct hd_database_column *c = &hd_database_columns[i];
        const void *at = (const char *)row + c->offset;
        int64_t n = c->type == HD_DATABASE_TEXT ? 0 : *(const int64_t *)at;
        if (c->type == HD_DATABASE_TEXT)
            sqlite3_bind_text(s, i + 1, *(const char *const *)at, -1, SQLITE_STATIC);
        else if (c->type == HD_DATABASE_REAL && *(const double *)at >= 0)
            sqlite3_bind_double(s, i + 1, *(const double *)at);
        else if (c->type == HD_DATABASE_INTEGER || (c->type == HD_DATABASE_COUNT && n >= 0))
            sqlite3_bind_int64(s, i + 1, n);
        else
            sqlite3_bind_null(s, i + 1);
    }
}

static const char *text_at(struct hd_arena *a, sqlite3_stmt *s, int i)
{
    const char *text = (const char *)sqlite3_column_text(s, i);

    return text ? hd_arena_strdup(a, text) : NULL;
}

// One column; SQLite lets each contain any kind of value. False if the kind is wrong.
static bool take_one(struct hd_arena *a, sqlite3_stmt *s, int i, const struct hd_database_column *c,
                     struct hd_database_row *row)
{
    int kind = sqlite3_column_type(s, i);
    bool none = kind == SQLITE_NULL;

    switch (c->type) {
    case HD_DATABASE_TEXT:
        *(const char **)member(row, c) = text_at(a, s, i);
        return none || kind == SQLITE_TEXT;
    case HD_DATABASE_REAL:
        *(double *)member(row, c) = none ? -1 : sqlite3_column_double(s, i);
        return none || (kind == SQLITE_FLOAT && sqlite3_column_double(s, i) >= 0);
    case HD_DATABASE_COUNT:
        *(int64_t *)member(row, c) = none ? -1 : sqlite3_column_int64(s, i);
        return none || (kind == SQLITE_INTEGER && sqlite3_column_int64(s, i) >= 0);
    case HD_DATABASE_INTEGER:
        *(int64_t *)member(row, c) = sqlite3_column_int64(s, i);
        return kind == SQLITE_INTEGER;
    }
    return false;
}

static bool known_status(const char *status)
{
    static const char *const known[] = {"ok",       "check_failed", "fault", "deadlock",
                                        "livelock", "limit",        "error", "killed",
                                        "bug",      "interrupted"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (status && !strcmp(status, known[i]))
            return true;
    return false;
}

static const char *impossible(struct hd_arena *a, const struct hd_database_row *row)
{
    if (!known_status(row->status))
        return hd_arena_printf(a, "there is no status '%.30s'", row->status ? row->status : "");
    if (row->exit_status < 0 || row->exit_status > 255)
        return hd_arena_printf(a, "%" PRId64 " cannot be an exit status", row->exit_status);
    if (row->verified > 1)
        return "'verified' is neither 0 nor 1";
    if (!row->key || !row->workload || !row->gpu || !row->sched || !row->heddle)
        return "its key, workload, machine, scheduler or version is missing";
    return NULL;
}

void hd_databaserow_take(struct hd_arena *a, sqlite3_stmt *s, struct hd_database_row *row)
{
    const char *wrong = NULL;

    *row = (struct hd_database_row){.id = sqlite3_column_int64(s, 0)};
    for (int i = 0; i < HD_DATABASE_COLUMNS; i++)
        if (!take_one(a, s, i + 1, &hd_database_columns[i], row) && !wrong)
            wrong = hd_arena_printf(a, "'%s' holds a value that cannot be there",
                                    hd_database_columns[i].name);
    const char *stored = text_at(a, s, HD_DATABASE_COLUMNS + 1);
    const char *sum = text_at(a, s, HD_DATABASE_COLUMNS + 2);
    row->damage = wrong ? wrong : impossible(a, row);
    if (!row->damage && sum && (!stored || strcmp(stored, sum) != 0))
        row->damage = "its checksum is not that of its values: it was changed after it was stored";
    if (!row->damage && !sum)
        hd_databaserow_verify(a, row); // of version 1, without checksums; or without JSON
}

// The JSON and the columns contain the same values.
static const char *disagrees(const struct hd_database_row *row, const json_t *json)
{
    const json_t *totals = json_object_get(json, "totals");
    const char *status = json_string_value(json_object_get(json, "status"));
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {{"warp_insts", row->warp_insts}, {"thread_insts", row->thread_insts}};

    if (!status || strcmp(status, row->status) != 0)
        return "its status is not that of its JSON";
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        const json_t *v = json_object_get(totals, counts[i].name);
        if ((json_is_integer(v) ? (int64_t)json_integer_value(v) : -1) != counts[i].value)
            return "its numbers are not those of its JSON";
    }
    // Older versions stored the sum over the launches.
    if (hd_runreport_json_cycles(json) != row->cycles &&
        hd_json_integer(totals, "cycles") != row->cycles)
        return "its numbers are not those of its JSON";
    return NULL;
}

bool hd_databaserow_verify(struct hd_arena *a, struct hd_database_row *row)
{
    char hex[SHA256_DIGEST_STRING_LENGTH];
    json_error_t error;

    if (!row->damage)
        row->damage = impossible(a, row);
    if (!row->damage && row->identity &&
        strcmp(SHA256Data((const uint8_t *)row->identity, strlen(row->identity), hex), row->key))
        row->damage = "its key is not the SHA-256 of its identity";
    if (!row->damage && row->json) {
        json_t *json = json_loads(row->json, 0, &error);
        if (json)
            row->damage = disagrees(row, json);
        else
            row->damage =
                hd_arena_printf(a, "its JSON is none: line %d: %.80s", error.line, error.text);
        json_decref(json);
    }
    return !row->damage;
}
