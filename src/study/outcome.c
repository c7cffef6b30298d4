// outcome.c - see outcome.h.
#include "study/outcome.h"

#include "base/bug.h"
#include "present/json.h"
#include "report/runreport.h"
#include "study/plans.h"

#include <string.h>

// What is needed most of a result, wherever it comes from.
static void take_values(struct hd_study_run *run, const char *result, const char *verified,
                        int64_t cycles, int64_t thread_insts)
{
    run->result = result;
    run->verified = verified;
    run->cycles = cycles > 0 ? (uint64_t)cycles : 0;
    run->ipc = hd_runreport_ipc(thread_insts > 0 ? (uint64_t)thread_insts : 0, run->cycles);
    // A run that faulted has done other work than its neighbours. One that was cut short has done
    // as much as they have, or for as long; wherever its numbers are shown, this is reported.
    run->timed = run->cycles > 0 && (run->status == HD_EXIT_OK || run->status == HD_EXIT_CHECK);
    run->cut = !strcmp(run->result, "limit");
}

static void take_json(struct hd_study_run *run)
{
    const json_t *totals = json_object_get(run->json, "totals");
    const json_t *verified = json_object_get(run->json, "verified");
    const char *result = json_string_value(json_object_get(run->json, "status"));
    int64_t cycles = hd_runreport_json_cycles(run->json);

    if (json_object_get(run->json, "sample")) {
        run->estimated = true;
        cycles = hd_runsample_json_cycles(run->json, &run->error);
    }
    take_values(run, result ? result : "error",
                json_is_true(verified)    ? "yes"
                : json_is_false(verified) ? "no"
                                          : "-",
                cycles, hd_json_integer(totals, "thread_insts"));
}

static void take(struct hd_study_run *run, int status, const char *messages, const char *json)
{
    json_error_t error;

    run->done = true;
    run->status = status;
    run->messages = messages ? messages : "";
    run->result = status == HD_EXIT_BUG ? "bug" : status > 128 ? "killed" : "error";
    run->verified = "-";
    run->json = json ? json_loadb(json, strlen(json), 0, &error) : NULL;
    run->any_json = run->json != NULL;
    if (run->json)
        take_json(run);
}

void hd_outcome_take(struct hd_study_run *run, const struct hd_workers_result *r)
{
    take(run, r->status, r->messages, r->bytes ? r->result : NULL);
}

static void drop(struct hd_study *s, struct hd_study_run *run)
{
    run->result = hd_arena_strdup(s->arena, run->result); // it was the object's
    json_decref(run->json);
    run->json = NULL;
}

void hd_outcome_forget(struct hd_study *s, struct hd_study_run *run, const char *text)
{
    if (!run->json)
        return;
    run->text = hd_arena_strdup(s->arena, text);
    drop(s, run);
}

void hd_outcome_reduce(struct hd_study *s, struct hd_study_run *run)
{
    if (!run->json)
        return;
    hd_plans_keep(s, run);
    if (s->took)
        s->took(s, run);
}

bool hd_outcome_lasting(bool any_json, int64_t exit_status)
{
    return any_json && exit_status != HD_EXIT_USER && exit_status <= HD_EXIT_FAULT;
}

bool hd_outcome_must_run(const struct hd_study *s, const struct hd_study_run *run)
{
    return !s->db || !run->key || run->dumps;
}

// From a row without its large texts.
static void take_row(struct hd_study_run *run, struct hd_arena *a,
                     const struct hd_database_row *row, bool any_json)
{
    take(run, (int)row->exit_status, row->message ? hd_arena_strdup(a, row->message) : NULL, NULL);
    run->any_json = any_json;
    if (any_json)
        take_values(run, hd_arena_strdup(a, row->status),
                    row->verified < 0   ? "-"
                    : row->verified > 0 ? "yes"
                                        : "no",
                    row->cycles, row->thread_insts);
}

static void distrust(struct hd_study *s, struct hd_study_run *run,
                     const struct hd_database_row *row)
{
    if (!run->distrusted)
        hd_diag_add(s->unstored, hd_database_path(s->db), 0, 0, "run %lld (%.60s): %.100s%s",
                    (long long)row->id, run->label, row->damage,
                    s->stored_only ? "" : "; it is simulated again");
    run->distrusted = true;
}

static bool look_up(struct hd_study *s, struct hd_study_run *run, struct hd_arena *a,
                    struct hd_diag *d)
{
    struct hd_database_row row;
    unsigned before = d->n;
    // An estimate is in no column.
    bool any_json, columns = s->brief && !run->options.gpu.sample;

    if (columns ? !hd_database_glance(s->db, a, run->key, run->checked, &row, &any_json, d)
                : !hd_database_find(s->db, a, run->key, &row, d))
        return d->n == before;
    if (!columns)
        any_json = row.json != NULL;
    if (row.damage) {
        distrust(s, run, &row);
        return true;
    }
    if (!hd_outcome_lasting(any_json, row.exit_status) && !s->stored_only)
        return true;
    if (columns) {
        take_row(run, s->arena, &row, any_json);
    } else {
        take(run, (int)row.exit_status, row.message ? hd_arena_strdup(s->arena, row.message) : NULL,
             row.json);
        if (s->brief && run->json)
            drop(s, run);
        else
            hd_outcome_reduce(s, run);
    }
    run->found = run->any_json || s->stored_only;
    run->done = run->found;
    return true;
}

bool hd_outcome_look_up(struct hd_study *s, struct hd_study_run *run, struct hd_diag *d)
{
    if (hd_outcome_must_run(s, run))
        return true;
    struct hd_arena *scratch = hd_arena_new(); // the texts of many runs would take gigabytes
    bool good = look_up(s, run, scratch, d);

    hd_arena_free(scratch);
    return good;
}

void hd_outcome_copy(struct hd_study_run *to, const struct hd_study_run *from)
{
    to->done = from->done;
    to->found = from->found;
    to->status = from->status;
    to->result = from->result;
    to->messages = from->messages;
    to->any_json = from->any_json;
    to->json = json_incref(from->json);
    to->digest = from->digest;
    to->plan_text = from->plan_text;
    to->text = from->text;
    to->view = from->view;
    to->timed = from->timed;
    to->cut = from->cut;
    to->cycles = from->cycles;
    to->ipc = from->ipc;
    to->estimated = from->estimated;
    to->error = from->error;
    to->verified = from->verified;
}

const char *hd_outcome_cycles(const struct hd_study_run *run, struct hd_arena *a)
{
    if (!run->timed)
        return NULL;
    return run->estimated ? hd_arena_printf(a, "~%s", hd_out_count(a, run->cycles))
                          : hd_out_count(a, run->cycles);
}

const char *hd_outcome_text(const struct hd_study *s, const struct hd_study_run *run,
                            struct hd_arena *a)
{
    if (!run->any_json || run->text)
        return run->text;
    return s->db ? hd_database_json(s->db, a, run->key) : NULL;
}
