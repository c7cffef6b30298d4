// cmd_paper.c - heddle paper: a paper's figures and tables, ours beside the paper's.
#include "cmd/cmd_paper.h"

#include "cmd/cmd_folder.h"
#include "paper/paperclaims.h"

#include <string.h>

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
    if (!hd_cmd_paper_machine(o, p, d))
        return false;
    hd_cmd_paper_apps(o, p);
    return true;
}

static int run(struct hd_cmd_options *o, struct hd_paper *p, struct hd_diag *d)
{
    hd_cmd_folder_join(o, &p->study);
    if (!hd_cmd_study_open(o, &p->study, d) || !hd_paper_plan(p, d))
        return hd_cmd_options_fail(d);
    hd_paper_weigh(p);
    if (!hd_study_plan(&p->study, d))
        return hd_cmd_options_fail(d);
    int status;
    if (hd_cmd_folder_ends(o, &p->study, &status, d))
        return status;
    if (!o->quiet && p->study.n_runs && !p->study.stored_only) {
        fputs("heddle: ", stderr);
        hd_cmd_paper_announce(&p->study);
    }
    if (!hd_study_start(&p->study))
        return hd_cmd_study_interrupted(o, &p->study);
    if (!hd_paper_show(p, d))
        return hd_cmd_options_fail(d);
    return hd_cmd_paper_results(o, p);
}

static bool good_words(const struct hd_cmd_options *o, struct hd_diag *d)
{
    if (o->args.n > 1)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "paper takes one name"),
                     "--figure %.60s shows a figure of it", o->args.items[1]);
    else if (!o->args.n)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "paper takes one name"),
                     "'heddle list papers' shows those that are known");
    else if (o->claim && !o->readings)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--claim %.60s without --readings", o->claim),
                     "--readings shows claims under every reading, --figure figures and theirs");
    else if (o->figure && o->readings)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--readings shows no figures of the paper"),
                     "remove --figure %.60s, or choose claims with --claim", o->figure);
    else
        return hd_cmd_workloads_options(o, d);
    return false;
}

int hd_cmd_paper(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_paper p = {.arena = o->arena};
    int status = HD_EXIT_USER;

    if (!good_words(o, &d))
        return hd_cmd_options_fail(&d);
    if (o->figure && strcmp(o->figure, "all") != 0)
        p.chosen = hd_cmd_paper_list(o, o->figure);
    p.name = o->args.items[0];
    if (!hd_cmd_folder_check(o, &d) || !hd_cmd_places_check(o, false, &d) ||
        !hd_cmd_machine_plugins(o, &d) || !hd_paper_read(&p, &d) ||
        !hd_paperpolicies_read(&p, &d) || !hd_paperclaims_read(&p, &d) || !set_up(o, &p, &d))
        hd_cmd_options_fail(&d);
    else
        status = o->readings ? hd_cmd_readings(o, &p, &d) : run(o, &p, &d);
    hd_study_end(&p.study);
    hd_database_close(p.study.db);
    return status;
}
