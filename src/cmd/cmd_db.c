// cmd_db.c - heddle db: checks a results database, or adds results that were kept beside it.
#include "cmd/cmd.h"

#include "study/kept.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static int check(const struct hd_cmd_options *o, const char *path)
{
    struct hd_diag d = {0};
    struct hd_database *db = hd_database_open(path, false, (unsigned)o->db_wait, &d);
    uint64_t rows = 0;
    bool good = db && hd_database_check(db, o->arena, &rows, &d);

    if (good)
        printf("%s: %" PRIu64 " run%s, nothing is wrong\n", path, rows, rows == 1 ? "" : "s");
    else if (db)
        hd_diag_hint(hd_diag_add(&d, path, 0, 0, "some of %" PRIu64 " runs are damaged", rows),
                     "a study simulates a damaged run again and replaces it");
    hd_database_close(db);
    return good ? HD_EXIT_OK : hd_cmd_options_fail(&d);
}

// A new database is made only if there is something to put into it, so that a wrong name makes
// none.
static bool worth_making(const struct hd_cmd_options *o, const char *path, struct hd_diag *d)
{
    bool any = !access(path, F_OK);

    for (size_t i = 2; !any && i < o->args.n; i++) {
        struct hd_diag own = {0};
        any = hd_kept_check(o->arena, o->args.items[i], &own);
    }
    for (size_t i = 2; !any && i < o->args.n; i++)
        hd_kept_check(o->arena, o->args.items[i], d);
    return any;
}

static int add(const struct hd_cmd_options *o, const char *path)
{
    struct hd_diag d = {0};
    struct hd_database *db =
        worth_making(o, path, &d) ? hd_database_open(path, true, (unsigned)o->db_wait, &d) : NULL;
    bool good = db != NULL;

    for (size_t i = 2; db && i < o->args.n; i++) {
        uint64_t stored = 0;
        bool whole = hd_kept_add(db, o->arena, o->args.items[i], &stored, &d);
        printf("%s: %" PRIu64 " result%s of %s added%s\n", path, stored, stored == 1 ? "" : "s",
               o->args.items[i], whole ? "; the file is not needed any more" : "");
        good = good && whole;
    }
    hd_database_close(db);
    return good ? HD_EXIT_OK : hd_cmd_options_fail(&d);
}

int hd_cmd_db(struct hd_cmd_options *o)
{
    static const char *const verbs[] = {"check", "add", NULL};
    const char *verb = o->args.n ? o->args.items[0] : "";
    struct hd_diag d = {0};

    if (!strcmp(verb, "check") && o->args.n == 2)
        return check(o, o->args.items[1]);
    if (!strcmp(verb, "add") && o->args.n >= 3)
        return add(o, o->args.items[1]);
    if (!strcmp(verb, "check")) {
        hd_diag_add(&d, NULL, 0, 0, "db check takes one database");
    } else if (!strcmp(verb, "add")) {
        hd_diag_add(&d, NULL, 0, 0, "db add takes a database and files of results");
    } else {
        struct hd_diag_entry *e =
            *verb ? hd_diag_add(&d, NULL, 0, 0, "there is no command 'db %.60s'", verb)
                  : hd_diag_add(&d, NULL, 0, 0, "what is to be done with which database?");
        hd_diag_nearest(e, verb, verbs);
        if (!e->hint[0])
            hd_diag_hint(e, "expected 'db check FILE.db' or 'db add FILE.db FILE...'");
    }
    return hd_cmd_options_fail(&d);
}
