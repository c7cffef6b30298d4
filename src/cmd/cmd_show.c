// cmd_show.c - heddle show: shows the runs of a results database.
#include "cmd/cmd.h"

#include "present/table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *count(struct hd_arena *a, int64_t n)
{
    return n < 0 ? NULL : hd_out_count(a, (uint64_t)n);
}

static const char *verdict(const struct hd_database_row *r)
{
    bool good = !strcmp(r->status, "ok") || !strcmp(r->status, "check_failed");

    if (!good)
        return r->status;
    return r->verified > 0 ? "yes" : r->verified == 0 ? "no" : "-";
}

// The scheduler, and the other policies that are not the usual ones, as options. A plug-in that is
// not loaded is only a name.
static const char *policies(struct hd_arena *a, const struct hd_database_row *r)
{
    const char *names[HD_N_SLOTS] = {r->sched, r->fetch, r->tb, r->kernel_policy}, *text = r->sched;
    struct hd_policy_choice slots[HD_N_SLOTS] = {{0}};

    for (enum hd_slot i = 0; i < HD_N_SLOTS; i++) {
        struct hd_diag unused = {0};
        if (names[i] && !hd_registry_parse_slot(a, i, names[i], &slots[i], &unused))
            slots[i] = (struct hd_policy_choice){.resolved = names[i]};
    }
    for (enum hd_slot i = HD_SLOT_SCHED + 1; i < HD_N_SLOTS; i++) {
        const char *own = slots[i].resolved ? slots[i].resolved : hd_slots[i].baseline;
        if (names[i] && strcmp(own, hd_registry_usual(slots, i)) != 0 &&
            (slots[HD_SLOT_SCHED].policy || strcmp(names[i], r->sched) != 0))
            text = hd_arena_printf(a, "%s --%s %s", text, hd_slots[i].option, names[i]);
    }
    return text;
}

// The workload with its input, and the machine with the changes to it.
static const char *workload(struct hd_arena *a, const struct hd_database_row *r)
{
    if (!r->size)
        return r->workload;
    if (r->seed < 0)
        return hd_arena_printf(a, "%s (%s)", r->workload, r->size);
    return hd_arena_printf(a, "%s (%s, seed %" PRId64 ")", r->workload, r->size, r->seed);
}

static const char *machine(struct hd_arena *a, const struct hd_database_row *r)
{
    return r->sets ? hd_arena_printf(a, "%s %s", r->gpu, r->sets) : r->gpu;
}

static void print_all(struct hd_arena *a, const struct hd_database_row *rows, size_t n)
{
    struct hd_table t = hd_table_new(a, "rlllrrrl");
    static const char *const heads[] = {"RUN",    "WORKLOAD", "GPU",     "SCHEDULER",
                                        "CYCLES", "IPC",      "SECONDS", "VERIFIED"};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_table_add(&t, heads[i]);
    for (size_t i = 0; i < n; i++) {
        const struct hd_database_row *r = &rows[i];
        bool timed = r->cycles > 0 && r->thread_insts >= 0;
        double ipc = timed ? hd_runreport_ipc((uint64_t)r->thread_insts, (uint64_t)r->cycles) : 0;
        hd_table_add(&t, hd_arena_printf(a, "%" PRId64, r->id));
        hd_table_add(&t, workload(a, r));
        hd_table_add(&t, machine(a, r));
        hd_table_add(&t, policies(a, r));
        hd_table_add(&t, count(a, r->cycles));
        hd_table_add(&t, timed ? hd_arena_printf(a, "%.2f", ipc) : NULL);
        hd_table_add(&t, r->seconds < 0 ? NULL : hd_arena_printf(a, "%.1f", r->seconds));
        hd_table_add(&t, verdict(r));
    }
    hd_table_print(&t, stdout);
}

static void print_object(struct hd_arena *a, const char *title, const json_t *object)
{
    struct hd_table t = hd_table_new(a, "ll");
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)object, key, value)
    {
        const char *text = json_string_value(value);
        hd_table_add(&t, hd_arena_printf(a, "  %s", key));
        hd_table_add(&t, text                     ? text
                         : json_is_boolean(value) ? (json_is_true(value) ? "yes" : "no")
                                                  : hd_arena_printf(a, "%" JSON_INTEGER_FORMAT,
                                                                    json_integer_value(value)));
    }
    printf("%s\n", title);
    hd_table_print(&t, stdout);
}

static void print_one(struct hd_arena *a, const struct hd_database_row *r)
{
    json_error_t error;
    json_t *identity = json_loads(r->identity, 0, &error);

    printf("run %" PRId64 ": %s under %s on %s: %s\n", r->id, workload(a, r), policies(a, r),
           machine(a, r), r->status);
    printf("  key      %s\n", r->key);
    printf("  heddle   %s, model %" PRId64 "\n", r->heddle, r->model);
    if (r->command)
        printf("  repeat   %s\n", r->command);
    if (r->cycles >= 0)
        printf("  cycles   %s\n", count(a, r->cycles));
    if (r->warp_insts >= 0 && r->thread_insts >= 0)
        printf("  insts    %s of warps, %s of threads\n", count(a, r->warp_insts),
               count(a, r->thread_insts));
    if (r->seconds >= 0)
        printf("  host     %.2f s\n", r->seconds);
    if (r->message)
        printf("%s", r->message);
    print_object(a, "inputs (SHA-256)", json_object_get(identity, "inputs"));
    print_object(a, "policies (SHA-256)", json_object_get(identity, "policies"));
    print_object(a, "options", json_object_get(identity, "options"));
    json_decref(identity);
}

bool hd_cmd_show_read(const struct hd_cmd_options *o, struct hd_database *db, const char *word,
                      struct hd_database_row *row, struct hd_diag *d)
{
    unsigned before = d->n;
    char *end;

    errno = 0;
    long long id = strtoll(word, &end, 10);
    if (*word < '0' || *word > '9' || *end || errno) {
        hd_diag_add(d, NULL, 0, 0, "'%.60s' is not the number of a run", word);
        return false;
    }
    if (hd_database_find_id(db, o->arena, id, row, d)) {
        if (row->damage)
            hd_diag_hint(
                hd_diag_add(d, hd_database_path(db), 0, 0, "run %lld: %.180s", id, row->damage),
                "'heddle db check' looks for all such runs");
        return !row->damage;
    }
    if (d->n == before)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "there is no run %lld in it", id),
                     "'heddle show FILE.db' shows all");
    return false;
}

static bool show(const struct hd_cmd_options *o, struct hd_database *db, struct hd_diag *d)
{
    struct hd_database_row *rows, row;
    size_t n;
    struct hd_out text = {.arena = o->arena};

    if (o->args.n == 1) {
        if (!hd_database_all(db, o->arena, &rows, &n, d))
            return false;
        print_all(o->arena, rows, n);
        for (size_t i = 0; i < n; i++)
            if (rows[i].damage)
                hd_diag_add(d, hd_database_path(db), 0, 0, "run %" PRId64 ": %.180s", rows[i].id,
                            rows[i].damage);
        return !d->n;
    }
    for (size_t i = 1; i < o->args.n; i++) {
        if (!hd_cmd_show_read(o, db, o->args.items[i], &row, d))
            return false;
        if (o->json)
            hd_out_add(&text, row.json ? row.json : "null\n", row.json ? strlen(row.json) : 5);
        else
            print_one(o->arena, &row);
    }
    return !o->json || hd_out_write(hd_out_path(o->arena, o->json), text.text, text.bytes);
}

int hd_cmd_show(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};

    if (!o->args.n) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "which database is to be shown?"),
                     "expected a file that 'heddle compare --db FILE' made");
        return hd_cmd_options_fail(&d);
    }
    if (o->json && o->args.n != 2) {
        hd_diag_add(&d, NULL, 0, 0, "--json takes one run: heddle show FILE.db RUN --json FILE");
        return hd_cmd_options_fail(&d);
    }
    if (!hd_cmd_places_check(o, true, &d))
        return hd_cmd_options_fail(&d);
    struct hd_database *db = hd_database_open(o->args.items[0], false, (unsigned)o->db_wait, &d);
    bool good = db && show(o, db, &d);
    hd_database_close(db);
    return good ? HD_EXIT_OK : hd_cmd_options_fail(&d);
}
