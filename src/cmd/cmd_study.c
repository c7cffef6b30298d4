// cmd_study.c - what commands that make many runs share: processes, progress, the database.
#include "cmd/cmd.h"

#include "base/processors.h"
#include "heddle/version.h"
#include "present/html.h"
#include "study/outcome.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

void hd_cmd_workloads_study(const struct hd_cmd_options *o, const char *word,
                            struct hd_study_work *out)
{
    // A bad workload is a failed run, not the end of the others.
    struct hd_diag *own = HD_NEW(o->arena, hd_diag);

    out->good = hd_cmd_workloads_read(o, word, &out->item, own);
    out->name = out->item.name;
    out->error = own;
}

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

const char *hd_cmd_options_quoted(struct hd_arena *a, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./:=@,%";
    struct hd_out text = {.arena = a};

    if (*word && !word[strspn(word, plain)])
        return word;
    hd_out_add(&text, "'", 1);
    for (const char *p = word; *p; p++) {
        if (*p == '\'')
            hd_out_add(&text, "'\\''", 4);
        else
            hd_out_add(&text, p, 1);
    }
    hd_out_add(&text, "'", 1);
    return text.text;
}

const char *hd_cmd_options_sets(const struct hd_cmd_options *o)
{
    struct hd_out text = {.arena = o->arena};

    hd_out_add(&text, "", 0);
    for (size_t i = 0; i < o->sets.n; i++)
        hd_out_printf(&text, "%s%s", i ? " " : "", o->sets.items[i]);
    if (o->regs)
        hd_out_printf(&text, "%sregs=%s", text.bytes ? " " : "", o->regs);
    if (o->ptx)
        hd_out_printf(&text, "%sptx=%s", text.bytes ? " " : "", o->ptx);
    if (o->sample)
        hd_out_printf(&text, "%ssample=%" PRIu64, text.bytes ? " " : "", o->sample);
    return text.text;
}

const char *hd_cmd_options_words(const struct hd_cmd_options *o)
{
    struct hd_out text = {.arena = o->arena};

    hd_out_add(&text, "", 0);
    if (o->gpu)
        hd_out_printf(&text, " --gpu %s", hd_cmd_options_quoted(o->arena, o->gpu));
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++)
        if (s != HD_SLOT_SCHED && o->slot[s])
            hd_out_printf(&text, " --%s %s", hd_slots[s].option,
                          hd_cmd_options_quoted(o->arena, o->slot[s]));
    if (o->size)
        hd_out_printf(&text, " --size %s", hd_cmd_options_quoted(o->arena, o->size));
    if (o->ptx)
        hd_out_printf(&text, " --ptx %s", hd_cmd_options_quoted(o->arena, o->ptx));
    if (o->regs)
        hd_out_printf(&text, " --regs %s", hd_cmd_options_quoted(o->arena, o->regs));
    for (size_t i = 0; i < o->sets.n; i++)
        hd_out_printf(&text, " --set %s", hd_cmd_options_quoted(o->arena, o->sets.items[i]));
    for (size_t i = 0; i < o->plugins.n; i++)
        hd_out_printf(&text, " --plugin %s", hd_cmd_options_quoted(o->arena, o->plugins.items[i]));
    if (o->seed_given)
        hd_out_printf(&text, " --seed %llu", (unsigned long long)o->seed);
    if (o->sample)
        hd_out_printf(&text, " --sample %" PRIu64, o->sample);
    if (o->sample_warm)
        hd_out_printf(&text, " --sample-warm %" PRIu64, o->sample_warm);
    if (o->sample_seed)
        hd_out_printf(&text, " --sample-seed %" PRIu64, o->sample_seed);
    if (o->max_cycles)
        hd_out_printf(&text, " --max-cycles %llu", (unsigned long long)o->max_cycles);
    if (o->max_insts)
        hd_out_printf(&text, " --max-insts %llu", (unsigned long long)o->max_insts);
    if (o->no_skip)
        hd_out_printf(&text, " --no-skip");
    return text.text;
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
