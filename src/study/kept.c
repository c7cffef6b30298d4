// kept.c - rows as lines of JSON. See kept.h.
#include "study/kept.h"

#include "base/file.h"
#include "present/json.h"
#include "study/databaserow.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static json_t *row_json(const struct hd_database_row *row)
{
    json_t *json = json_object();

    for (int i = 0; i < HD_DATABASE_COLUMNS; i++) {
        const struct hd_database_column *c = &hd_database_columns[i];
        const void *at = (const char *)row + c->offset;
        json_t *value;
        if (c->type == HD_DATABASE_TEXT)
            value = hd_json_text(*(const char *const *)at);
        else if (c->type == HD_DATABASE_REAL)
            value = *(const double *)at < 0 ? json_null() : json_real(*(const double *)at);
        else if (c->type == HD_DATABASE_COUNT && *(const int64_t *)at < 0)
            value = json_null();
        else
            value = json_integer(*(const int64_t *)at);
        hd_json_put(json, c->name, value);
    }
    return json;
}

// Appends to the file, and waits until it is on the disk. False with errno.
static bool append(const char *path, const char *text, size_t bytes)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0666);

    if (fd < 0)
        return false;
    off_t end = lseek(fd, 0, SEEK_END);
    ssize_t n = write(fd, text, bytes);
    if (n >= 0 && (size_t)n < bytes)
        errno = ENOSPC;
    bool good = n >= 0 && (size_t)n == bytes && !fsync(fd);
    int why = errno;
    if (!good && end >= 0 && ftruncate(fd, end)) // a line that is not whole is no result
        why = errno;
    if (!good && end == 0)
        unlink(path);
    close(fd);
    errno = why;
    return good;
}

// Beside the database; the disk may be full there, so the second place is the folder of temporary
// files.
static const char *path_of(struct hd_arena *a, const struct hd_database *db, bool beside)
{
    const char *path = hd_database_path(db), *slash = strrchr(path, '/');
    char host[65] = "";
    bool good = !gethostname(host, sizeof host - 1) && *host && !strchr(host, '/');

    if (!beside)
        path = hd_arena_printf(a, "%s/%s", hd_file_temporary_place(), slash ? slash + 1 : path);
    return hd_arena_printf(a, "%s.unstored.%s.%d.jsonl", path, good ? host : "host", (int)getpid());
}

bool hd_kept_store(struct hd_database *db, const struct hd_database_row *row, struct hd_diag *d)
{
    if (hd_database_store(db, row, d))
        return true;
    struct hd_arena *a = hd_arena_new();
    struct hd_out text = {.arena = a};
    const char *path = path_of(a, db, true), *beside = path;
    int why = 0; // of the first place
    hd_json_add(row_json(row), &text);
    hd_out_add(&text, "\n", 1);
    bool kept = append(path, text.text, text.bytes);
    if (!kept) {
        why = errno;
        path = path_of(a, db, false);
        kept = append(path, text.text, text.bytes);
    }
    if (kept)
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "the result of %.60s is kept in %s", row->workload, path),
            "'heddle db add DATABASE FILE' puts it into the database");
    else
        hd_diag_add(d, NULL, 0, 0,
                    "the result of %.60s is lost: cannot write %.150s (%s), nor %.150s",
                    row->workload, beside, strerror(why), path);
    hd_arena_free(a);
    return false;
}

// The reason why a line is no row; NULL if it is one.
static const char *read_row(struct hd_arena *a, const json_t *json, struct hd_database_row *row)
{
    *row = (struct hd_database_row){0};
    for (int i = 0; i < HD_DATABASE_COLUMNS; i++) {
        const struct hd_database_column *c = &hd_database_columns[i];
        const json_t *v = json_object_get(json, c->name);
        void *at = (char *)row + c->offset;
        bool none = json_is_null(v), right;
        switch (c->type) {
        case HD_DATABASE_TEXT:
            right = none || json_is_string(v);
            *(const char **)at = right && !none ? hd_arena_strdup(a, json_string_value(v)) : NULL;
            break;
        case HD_DATABASE_REAL:
            right = none || json_is_number(v);
            *(double *)at = none ? -1 : json_number_value(v);
            break;
        default:
            right = json_is_integer(v) || (none && c->type == HD_DATABASE_COUNT);
            *(int64_t *)at = none ? -1 : (int64_t)json_integer_value(v);
        }
        if (!right)
            return hd_arena_printf(a, "'%s' is missing or of the wrong type", c->name);
    }
    if (!row->identity)
        return "its identity is missing";
    return hd_databaserow_verify(a, row) ? NULL : row->damage;
}

static bool add_line(struct hd_database *db, struct hd_arena *a, const char *path, uint32_t number,
                     const char *line, size_t bytes, struct hd_diag *d)
{
    struct hd_database_row row;
    json_error_t error;
    json_t *json = json_loadb(line, bytes, 0, &error);
    const char *wrong = json ? read_row(a, json, &row) : error.text;

    json_decref(json);
    if (wrong) {
        hd_diag_add(d, path, number, 0, "this line holds no result: %.160s", wrong);
        return false;
    }
    return hd_database_store(db, &row, d);
}

// Whether any line is JSON. A file of another kind has none, and one message is enough for it.
static bool any_json(const char *text, size_t bytes)
{
    const char *end = text + bytes;

    for (const char *p = text; p < end;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((stop ? stop : end) - p);
        json_t *json = json_loadb(p, n, 0, NULL);
        json_decref(json);
        if (json)
            return true;
        p += n + 1;
    }
    return false;
}

// The file's text; NULL with a diagnostic if it contains no result.
static const char *read_results(struct hd_arena *a, const char *path, size_t *bytes,
                                struct hd_diag *d)
{
    char err[HD_FILE_WHY];
    const char *text = (const char *)hd_file_read(a, path, bytes, err);

    if (!text) {
        hd_diag_add(d, NULL, 0, 0, "cannot read results: %s", err);
    } else if (!*bytes) {
        hd_diag_add(d, path, 0, 0, "there is no result in it");
    } else if (!any_json(text, *bytes)) {
        hd_diag_hint(hd_diag_add(d, path, 0, 0, "none of its lines holds a result"),
                     "results that a run kept are in DATABASE.unstored.HOST.PROCESS.jsonl");
    } else {
        return text;
    }
    return NULL;
}

bool hd_kept_check(struct hd_arena *a, const char *path, struct hd_diag *d)
{
    size_t bytes;

    return read_results(a, path, &bytes, d) != NULL;
}

bool hd_kept_add(struct hd_database *db, struct hd_arena *a, const char *path, uint64_t *stored,
                 struct hd_diag *d)
{
    size_t bytes;
    const char *text = read_results(a, path, &bytes, d);
    bool good = true;
    uint32_t number = 0;

    if (!text)
        return false;
    for (const char *p = text, *end = text + bytes; p < end;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((stop ? stop : end) - p);
        bool one = add_line(db, a, path, ++number, p, n, d);
        *stored += one;
        good = good && one;
        p += n + 1;
    }
    return good;
}
