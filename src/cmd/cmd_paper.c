// cmd_paper.c - heddle paper: a paper's figures and tables, ours beside the paper's.
#include "cmd/cmd.h"

#include "paper/paperclaims.h"

#include <string.h>

static const char *app_word(const struct hd_paper *p, const char *label)
{
    const char *group = hd_arena_printf(p->arena, "%s:%s", p->name, label);

    for (unsigned i = 0; hd_workloads_at(i); i++)
        if (hd_workloads_in(hd_workloads_at(i), group))
            return hd_workloads_at(i)->name;
    return NULL;
}

// Workloads by their labels, or as the paper's file says; one that is not there is shown as
// missing.
static void find_apps(const struct hd_cmd_options *o, struct hd_paper *p)
{
    for (unsigned i = 0; i < p->n_apps; i++) {
        struct hd_paper_app *a = &p->apps[i];
        a->word = hd_paper_text(a->section, "workload");
        a->word = a->word ? a->word : app_word(p, a->label);
        a->work = HD_NEW(p->arena, hd_study_work);
        if (a->word)
            hd_cmd_workloads_study(o, a->word, a->work);
    }
}

// What the paper's file says of the machine, unless an option does.
static bool set_up(struct hd_cmd_options *o, struct hd_paper *p, struct hd_diag *d)
{
    const struct hd_paper_section *s = hd_paper_find(p, "paper", "");
    const char *regs = hd_paper_text(s, "regs");
    struct hd_jobregs_choice choice;

    if (regs && !hd_jobregs_choose(regs, &choice)) {
        hd_diag_add(d, p->path, s->line, 0, "regs = %.60s: " HD_JOBREGS_EXPECTED, regs);
        return false;
    }
    if (!o->gpu)
        o->gpu = hd_paper_text(s, "gpu");
    if (!o->regs)
        o->regs = regs;
    if (!o->size)
        o->size = hd_workloads_sizes[HD_WORK_SMALL];
    p->size = o->size;
    p->words = hd_cmd_options_words(o);
    p->sets = hd_cmd_options_sets(o);
    if (!hd_cmd_machine_set_up(o, &p->config, &p->options, d))
        return false;
    find_apps(o, p);
    return true;
}

// Seconds of a run as the paper's file has them.
static void weigh(struct hd_paper *p)
{
    const char *key = hd_arena_printf(p->arena, "seconds.%s", p->size);

    for (unsigned i = 0; i < p->study.n_runs; i++)
        for (unsigned k = 0; k < p->n_apps; k++)
            if (p->apps[k].work == p->study.runs[i].work)
                hd_paper_number(p->apps[k].section, key, &p->study.runs[i].weight);
}

static void announce(const struct hd_paper *p)
{
    const struct hd_study *s = &p->study;
    double seconds = 0;
    unsigned unknown = 0, left = 0;

    for (unsigned i = 0; i < s->n_runs; i++)
        if (!s->runs[i].same && !s->runs[i].done) {
            left++;
            unknown += s->runs[i].weight <= 0;
            seconds += s->runs[i].weight;
        }
    seconds /= s->at_once;
    fprintf(stderr, "heddle: %u distinct run%s, %u stored before", s->distinct,
            s->distinct == 1 ? "" : "s", s->found);
    if (left && unknown < left)
        fprintf(stderr,
                seconds < 120 ? ": about %.0f s at %u runs a time"
                              : ": about %.0f min at %u runs a time",
                seconds < 120 ? seconds + 0.5 : seconds / 60, s->at_once);
    if (unknown)
        fprintf(stderr, ", %u of unknown length", unknown);
    fputc('\n', stderr);
}

static void print_head(const struct hd_paper *p)
{
    printf("%s\n%s, %s\n\n", hd_paper_about(p, "title"), hd_paper_about(p, "authors"),
           hd_paper_about(p, "venue"));
}

static bool write_files(const struct hd_cmd_options *o, const struct hd_paper *p)
{
    struct hd_out csv = {.arena = o->arena}, text = {.arena = o->arena};
    json_t *sheets = json_array(), *all = json_object();
    bool good = true;

    for (size_t i = 0; i < p->sheets.n; i++) {
        hd_sheet_csv(p->sheets.items[i], &csv);
        json_array_append_new(sheets, hd_sheet_json(p->sheets.items[i]));
    }
    hd_json_put(all, "paper", json_string(p->name));
    hd_json_put(all, "size", json_string(o->size));
    hd_json_put(all, "sheets", sheets);
    hd_json_write(all, &text);
    if (o->csv)
        good = hd_out_write(hd_out_path(o->arena, o->csv), csv.text ? csv.text : "", csv.bytes);
    if (o->json)
        good = hd_out_write(hd_out_path(o->arena, o->json), text.text, text.bytes) && good;
    if (o->markdown) {
        struct hd_out page = {.arena = o->arena}, clean = {.arena = o->arena};
        const char *command =
            hd_arena_printf(o->arena, "heddle paper %s --size %s", p->name, o->size);
        hd_paper_markdown(p, command, o->plot, &page);
        hd_out_add_utf8(&clean, page.text);
        good = hd_out_write(hd_out_path(o->arena, o->markdown), clean.text, clean.bytes) && good;
    }
    const char *words =
        hd_arena_printf(o->arena, "%s, %s. Ours beside the paper's, inputs of size %s",
                        hd_paper_about(p, "authors"), hd_paper_about(p, "venue"), o->size);
    return hd_cmd_study_figures(o, &p->study, &p->sheets, hd_paper_about(p, "title"), words) &&
           good;
}

static void tell_failed(const struct hd_study *s)
{
    for (unsigned i = 0; i < s->n_runs; i++)
        if (s->runs[i].done && s->runs[i].status && !s->runs[i].cut && !s->runs[i].same)
            fprintf(stderr, "heddle: %s: exit status %d\n%s", s->runs[i].label, s->runs[i].status,
                    s->runs[i].messages);
}

static int run(struct hd_cmd_options *o, struct hd_paper *p, struct hd_diag *d)
{
    bool taken = (o->json && !strcmp(o->json, "-")) || (o->csv && !strcmp(o->csv, "-"));

    if (!hd_cmd_study_open(o, &p->study, d) || !hd_paper_plan(p, d))
        return hd_cmd_options_fail(d);
    weigh(p);
    if (!hd_study_plan(&p->study, d))
        return hd_cmd_options_fail(d);
    if (!o->quiet && p->study.n_runs)
        announce(p);
    if (!hd_study_start(&p->study))
        return hd_cmd_study_interrupted(o, &p->study);
    if (!hd_paper_show(p, d))
        return hd_cmd_options_fail(d);
    if (!o->quiet && !taken) {
        print_head(p);
        for (size_t i = 0; i < p->sheets.n; i++)
            hd_sheet_print(p->sheets.items[i], stdout);
        hd_out_flush();
    }
    tell_failed(&p->study);
    int status = hd_study_exit(&p->study);
    bool written = write_files(o, p);
    written = hd_cmd_study_stored(&p->study) && written;
    return written || status > HD_EXIT_USER ? status : HD_EXIT_USER;
}

// "--figure fig1,fig4"; "all" is all.
static const char **chosen(const struct hd_cmd_options *o)
{
    const char **names, *p = o->figure;
    size_t n = 0;

    if (!p || !strcmp(p, "all"))
        return NULL;
    names = HD_ARRAY(o->arena, const char *, strlen(p) + 2);
    for (;;) {
        size_t length = strcspn(p, ",");
        names[n++] = hd_arena_strndup(o->arena, p, length);
        p += length;
        if (!*p++)
            return names;
    }
}

int hd_cmd_paper(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_paper p = {.arena = o->arena, .chosen = chosen(o)};
    int status = HD_EXIT_USER;

    if (o->args.n != 1) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "paper takes one name"),
                     "'heddle list papers' shows those that are known");
        return hd_cmd_options_fail(&d);
    }
    p.name = o->args.items[0];
    if (!hd_cmd_places_check(o, false, &d) || !hd_cmd_machine_plugins(o, &d) ||
        !hd_paper_read(&p, &d) || !hd_paperclaims_read(&p, &d) || !set_up(o, &p, &d))
        hd_cmd_options_fail(&d);
    else
        status = run(o, &p, &d);
    hd_study_end(&p.study);
    hd_database_close(p.study.db);
    return status;
}
