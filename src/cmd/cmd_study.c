// cmd_study.c - what commands that make many runs share: processes, progress, the database.
#include "cmd/cmd.h"

#include "base/processors.h"
#include "heddle/version.h"
#include "present/html.h"
#include "study/outcome.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

bool hd_cmd_study_open(const struct hd_cmd_options *o, struct hd_study *s, struct hd_diag *d)
{
    s->arena = o->arena;
    s->at_once = o->jobs ? (unsigned)o->jobs : hd_processors_usable(o->arena);
    s->host = !o->no_host;
    s->progress = !o->quiet && isatty(STDERR_FILENO);
    s->out = o->out;
    s->no_replay = o->no_replay;
    s->unstored = HD_NEW(o->arena, hd_diag);
    s->db = o->db ? hd_database_open(o->db, true, (unsigned)o->db_wait, d) : NULL;
    return s->db || !o->db;
}

int hd_cmd_study_interrupted(const struct hd_cmd_options *o, const struct hd_study *s)
{
    unsigned done = s->found + s->ran + s->shared;

    if (o->db)
        fprintf(
            stderr,
            "heddle: interrupted; %u of %u runs are in %s, the same command continues from there\n",
            done, s->distinct, o->db);
    else
        fprintf(stderr,
                "heddle: interrupted; with --db FILE the finished runs would have been kept\n");
    hd_cmd_study_stored(s);
    return HD_CMD_INTERRUPTED;
}

bool hd_cmd_study_stored(const struct hd_study *s)
{
    hd_diag_print(s->unstored, stderr);
    return !s->unstored->n;
}

// Every run: its workload, options and results, and the command that repeats it.
static void runs_sheet(const struct hd_study *s, struct hd_sheets *out)
{
    struct hd_sheet *t = hd_sheet_new(out, "runs", "Runs", "lrrl");

    hd_sheet_add(t, "RUN");
    hd_sheet_add(t, "CYCLES");
    hd_sheet_add(t, "RESULT");
    hd_sheet_add(t, "COMMAND");
    for (unsigned i = 0; i < s->n_runs; i++) {
        const struct hd_study_run *run = &s->runs[i];
        hd_sheet_add(t, run->label);
        hd_sheet_add(t, hd_outcome_cycles(run, s->arena));
        hd_sheet_add(t, run->result);
        hd_sheet_add(t, run->command);
    }
}

// Sheets of one study among those of others: their ids and titles say which.
static void collect(struct hd_cmd_collect *to, struct hd_sheets *into,
                    const struct hd_sheets *sheets)
{
    for (size_t i = 0; i < sheets->n; i++) {
        struct hd_sheet *s = sheets->items[i];
        s->id = hd_arena_printf(into->arena, "study%u-%s", to->number, s->id);
        s->title = hd_arena_printf(into->arena, "%s: %s", to->name, s->title);
        hd_sheet_keep(s); // the study's results go before the report is written
        *HD_PUSH(into->arena, into->items, into->n, into->cap) = s;
    }
}

bool hd_cmd_study_figures(const struct hd_cmd_options *o, const struct hd_study *s,
                          const struct hd_sheets *sheets, const char *title, const char *subtitle)
{
    struct hd_sheets details = {.arena = o->arena};
    struct hd_html h = {.title = title, .sheets = sheets, .details = &details, .command = o->line};
    struct hd_diag d = {0};
    bool good = true;

    h.subtitle =
        hd_arena_printf(o->arena, "%s. heddle %s, model %d.", subtitle, HD_VERSION, HD_MODEL);
    if (o->collect) {
        runs_sheet(s, &details);
        if (s->n_runs)
            hd_cmd_html_options(&s->runs[0].options, "Configuration, as the first run has it",
                                &details);
        collect(o->collect, &o->collect->sheets, sheets);
        collect(o->collect, &o->collect->details, &details);
        return true;
    }
    if (o->plot && !hd_html_plot(sheets, o->plot, !o->quiet, &d)) {
        hd_diag_print(&d, stderr);
        good = false;
    }
    if (!o->html)
        return good;
    runs_sheet(s, &details);
    if (s->n_runs)
        hd_cmd_html_options(&s->runs[0].options, "Configuration, as the first run has it",
                            &details);
    h.cycles = hd_cmd_html_cycles(o, s);
    return hd_cmd_html_write(o, &h) && good;
}
