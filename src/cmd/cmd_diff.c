// cmd_diff.c - heddle diff: why two runs take different numbers of cycles.
#include "cmd/cmd.h"

#include "base/file.h"
#include "report/diff.h"

#include <string.h>

// A run of the database, by its number.
static bool from_database(const struct hd_cmd_options *o, struct hd_database *db, const char *word,
                          struct hd_diff_side *out, struct hd_diag *d)
{
    struct hd_database_row row;
    json_error_t error;

    if (!hd_cmd_show_read(o, db, word, &row, d))
        return false;
    out->name = hd_arena_printf(o->arena, "run %s", word);
    out->run = row.json ? json_loads(row.json, 0, &error) : NULL;
    out->profile = row.profile ? json_loads(row.profile, 0, &error) : NULL;
    if (!out->run)
        hd_diag_add(d, NULL, 0, 0, "run %s has no result: %s", word, row.status);
    return out->run != NULL;
}

static bool from_file(const struct hd_cmd_options *o, const char *path, struct hd_diff_side *out,
                      struct hd_diag *d)
{
    char err[HD_FILE_WHY];
    size_t bytes;
    json_error_t error;
    const char *text = (const char *)hd_file_read(o->arena, path, &bytes, err);

    out->name = path;
    if (!text) {
        hd_diag_add(d, NULL, 0, 0, "cannot read a run: %s", err);
        return false;
    }
    json_t *run = json_loadb(text, bytes, 0, &error);
    if (!run) {
        if (bytes > 15 && !memcmp(text, "SQLite format 3", 15))
            hd_diag_hint(
                hd_diag_add(d, path, 0, 0, "a results database, of which one run is named"),
                "heddle diff FILE.db A B, with two numbers of 'heddle show FILE.db'");
        else
            hd_diag_add(d, path, (uint32_t)(error.line > 0 ? error.line : 0), 0, "no JSON: %.100s",
                        error.text);
        return false;
    }
    out->run = run;
    // `heddle annotate` writes profile and run in one object.
    json_t *kernels = json_object_get(run, "kernels");
    if (json_is_array(json_object_get(json_array_get(kernels, 0), "instructions")))
        out->profile = json_incref(kernels);
    return true;
}

// The cycles of a sample are those of some launches only.
static bool is_whole(const struct hd_diff_side *side, struct hd_diag *d)
{
    if (!json_object_get(json_object_get(side->run, "options"), "sample"))
        return true;
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                             "%s is a sample: most of its launches have no cycles that could be "
                             "compared",
                             side->name),
                 "diff takes runs without --sample");
    return false;
}

static bool read_sides(const struct hd_cmd_options *o, struct hd_diff_side sides[2],
                       struct hd_diag *d)
{
    const char **words = o->args.items;
    struct hd_database *db;

    if (o->args.n == 2)
        return from_file(o, words[0], &sides[0], d) && from_file(o, words[1], &sides[1], d);
    if (o->args.n != 3) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "diff takes two runs"),
                     "FILE.db and two numbers of 'heddle show FILE.db', or two JSON files");
        return false;
    }
    db = hd_database_open(words[0], false, (unsigned)o->db_wait, d);
    bool good = db && from_database(o, db, words[1], &sides[0], d) &&
                from_database(o, db, words[2], &sides[1], d);
    hd_database_close(db);
    return good;
}

int hd_cmd_diff(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_diff_side sides[2] = {0};
    struct hd_sheets sheets = {.arena = o->arena};
    int status;

    if (hd_cmd_places_check(o, true, &d) && read_sides(o, sides, &d) && is_whole(&sides[0], &d) &&
        is_whole(&sides[1], &d) && hd_diff_explain(&sides[0], &sides[1], &sheets, &d)) {
        status = hd_cmd_sheets_write(o, &sheets) ? HD_EXIT_OK : HD_EXIT_USER;
    } else {
        status = hd_cmd_options_fail(&d);
    }
    for (int i = 0; i < 2; i++) {
        json_decref((json_t *)(uintptr_t)sides[i].run);
        json_decref((json_t *)(uintptr_t)sides[i].profile);
    }
    return status;
}
