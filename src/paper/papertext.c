// papertext.c - a paper's sheets as a page of Markdown: what is reproduced, what is not, and how to
// repeat each number.
#include "paper/paperclaims.h"

#include "heddle/version.h"
#include "present/html.h"
#include "report/runreport.h"

#include <inttypes.h>
#include <string.h>

static void put_summary(const struct hd_paper *p, struct hd_out *o)
{
    unsigned missing = 0;

    if (p->run_of) { // otherwise its sheets are of several readings, and say it themselves
        hd_paperclaimsheet_summary(p, o);
        hd_out_printf(o, " ");
    }
    for (unsigned i = 0; i < p->n_apps; i++)
        missing += !p->apps[i].word;
    hd_out_printf(o, "Of %u applications %u are there.\n\n", p->n_apps, p->n_apps - missing);
}

static void put_policies(const struct hd_paper *p, struct hd_out *o)
{
    hd_out_printf(o, "| in the paper | `--sched` | |\n|---|---|---|\n");
    for (unsigned i = 0; i < p->n_policies; i++) {
        const char *note = hd_paper_text(p->policies[i].section, "note");
        if (!p->policies[i].figure) // those are the same at other keys
            hd_out_printf(o, "| %s | `%s` | %s |\n", p->policies[i].label,
                          hd_paperpolicies_words(p, i), note ? note : "");
    }
    hd_out_printf(o, "\n");
}

static void put_runs(const struct hd_paper *p, struct hd_out *o)
{
    hd_out_printf(o, "| run | cycles | checked | command |\n|---|--:|---|---|\n");
    for (unsigned i = 0; i < p->study.n_runs; i++) {
        const struct hd_study_run *run = &p->study.runs[i];
        hd_out_printf(o, "| %s | %s | %s | `%s` |\n", run->label,
                      run->timed ? hd_out_count(p->arena, run->cycles) : "",
                      strcmp(run->result, "ok") != 0 ? run->result : run->verified, run->command);
    }
}

// A page and its figures are taken to lie in one folder.
static void put_figure(const struct hd_paper *p, const struct hd_sheet *s, const char *plot,
                       struct hd_out *o)
{
    const char *file = hd_html_plot_file(&p->sheets, s, plot), *slash = strrchr(file, '/');

    hd_out_printf(o, "![%s](%s)\n\n", s->title, slash ? slash + 1 : file);
}

const char *hd_paper_conditions(const struct hd_paper *p)
{
    return hd_arena_printf(p->arena, "on %s%s, size %s, seed %" PRIu64,
                           hd_runreport_machine(&p->options, p->arena),
                           hd_runreport_others(&p->options, p->arena), p->size, p->seed);
}

void hd_paper_markdown(const struct hd_paper *p, const char *command, const char *plot,
                       struct hd_out *o)
{
    const struct hd_paper_section *paper = hd_paper_find(p, "paper", "");

    hd_out_printf(o, "# Results: %s\n\n", hd_paper_about(p, "title"));
    hd_out_printf(o,
                  "%s, %s. This page is written by `%s` (`make %s`), not by hand; heddle %s, "
                  "model %d. The runs: %s.\n\n",
                  hd_paper_about(p, "authors"), hd_paper_about(p, "venue"), command,
                  p->run_of ? "results" : "readings", HD_VERSION, HD_MODEL, hd_paper_conditions(p));
    put_summary(p, o);
    for (size_t i = 0; i < paper->n; i++)
        if (!strncmp(paper->pairs[i].key, "note.", 5))
            hd_out_printf(o, "%s\n", paper->pairs[i].value);
    hd_out_printf(o, "\n");
    put_policies(p, o);
    for (size_t i = 0; i < p->sheets.n; i++) {
        hd_out_printf(o, "## %s\n\n", p->sheets.items[i]->title);
        if (plot && p->sheets.items[i]->chart)
            put_figure(p, p->sheets.items[i], plot, o);
        hd_sheet_markdown(p->sheets.items[i], o);
        hd_out_printf(o, "\n");
    }
    hd_out_printf(o,
                  "## Each run, and the command that repeats it\n\n"
                  "Every number above is made of these. With `--db FILE` the first command keeps "
                  "them, and `heddle diff FILE A B` says why two of them differ, down to PTX "
                  "lines.\n\n");
    put_runs(p, o);
}
