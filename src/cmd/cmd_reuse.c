// cmd_reuse.c - heddle reuse: simulate one workload, or run one CUDA program, and show which data
// its kernels, blocks and warps use again, and whose.
#include "cmd/cmd.h"

#include "base/file.h"
#include "heddle/version.h"
#include "present/html.h"
#include "report/reusefigures.h"
#include "report/reusereport.h"
#include "reuse/reuseoptions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool wrong(struct hd_diag *d, const char *option, const char *value, const char *expected)
{
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--%s %.60s: not understood", option, value),
                 "expected %s", expected);
    return false;
}

static bool read_options(struct hd_cmd_options *o, struct hd_diag *d)
{
    struct hd_reuse_options *reuse = HD_NEW(o->arena, hd_reuse_options);

    *reuse = hd_reuseoptions_default();
    reuse->loads = o->reuse_loads;
    reuse->plan = o->plan != NULL;
    reuse->pairs = o->reuse_pairs ? o->reuse_pairs : reuse->pairs;
    if (o->plan_above && !o->plan) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--plan-above is for the plan, and there is none"),
                     "--plan FILE writes one");
        return false;
    }
    reuse->plan_above = o->plan_above ? (unsigned)o->plan_above : reuse->plan_above;
    if (o->reuse_warps && !hd_reuseoptions_warps(reuse, o->reuse_warps))
        return wrong(d, "reuse-warps", o->reuse_warps, HD_REUSEOPTIONS_WARPS);
    if (o->reuse_memory && !hd_reuseoptions_memory(reuse, o->reuse_memory))
        return wrong(d, "reuse-memory", o->reuse_memory, HD_REUSEOPTIONS_MEMORY);
    o->reuse = reuse;
    return true;
}

// Writes --plot and --html. `conditions`: sentences about the run. `options` may be NULL: of a
// program they are only in the JSON.
static bool draw(const struct hd_cmd_options *o, const char *name, const char *conditions,
                 const json_t *found, const struct hd_run_options *options)
{
    struct hd_sheets sheets = {.arena = o->arena}, details = {.arena = o->arena};
    struct hd_html h = {
        .title = hd_arena_printf(o->arena, "%s: which data is used again, and whose", name),
        .subtitle =
            hd_arena_printf(o->arena, "%sheddle %s, model %d.", conditions, HD_VERSION, HD_MODEL),
        .sheets = &sheets,
        .details = &details,
        .command = o->line};
    struct hd_diag d = {0};
    bool good = true;

    hd_reusefigures_make(found, &sheets);
    if (o->plot && !hd_html_plot(&sheets, o->plot, !o->quiet, &d)) {
        hd_diag_print(&d, stderr);
        good = false;
    }
    if (options)
        hd_cmd_html_options(options, "Configuration", &details);
    return (!o->html || hd_cmd_html_write(o, &h)) && good;
}

static const char *conditions(const struct hd_runreport *r, struct hd_arena *a)
{
    const struct hd_policy_choice *sched = &r->options->gpu.slot[HD_SLOT_SCHED];

    return hd_arena_printf(a, "%s on %s, scheduler %s%s. ", hd_runreport_workload(r, a),
                           hd_runreport_machine(r->options, a),
                           hd_runreport_policy(sched, hd_slots[HD_SLOT_SCHED].baseline),
                           hd_runreport_others(r->options, a));
}

static bool write_figures(const struct hd_cmd_options *o, const struct hd_runreport *r)
{
    if (!o->plot && !o->html)
        return true;
    json_t *found = hd_reusereport_found(r);
    bool good = draw(o, r->workload, conditions(r, o->arena), found, r->options);
    json_decref(found);
    return good;
}

static bool write_results(const struct hd_cmd_options *o, const struct hd_cmd_simulation *s)
{
    bool to_stdout = (o->json && !strcmp(o->json, "-")) || (o->plan && !strcmp(o->plan, "-"));
    struct hd_out page = {.arena = o->arena}, json = {.arena = o->arena},
                  plan = {.arena = o->arena};
    bool good = true;

    if (!o->quiet && !to_stdout) {
        hd_reusetable_write(&s->report, &page);
        fputs(page.text, stdout);
    }
    good = hd_cmd_simulate_keep(o, s);
    if (o->json) {
        hd_reusereport_json(&s->report, &json);
        good = hd_out_write(hd_out_path(o->arena, o->json), json.text, json.bytes) && good;
    }
    if (o->plan) {
        hd_reusereport_plan(&s->report, &plan);
        good = hd_out_write(hd_out_path(o->arena, o->plan), plan.text, plan.bytes) && good;
    }
    return write_figures(o, &s->report) && good;
}

// Figures of a program are drawn of the JSON that its first process leaves.
static bool draw_program(const struct hd_cmd_options *o)
{
    char why[HD_FILE_WHY];
    size_t bytes;
    const char *text = (const char *)hd_file_read(o->arena, o->json, &bytes, why);
    json_t *found = text ? json_loadb(text, bytes, 0, NULL) : NULL;
    bool good = found && draw(o, o->args.items[0], "", found, NULL);

    if (!found)
        fprintf(stderr, "heddle: no figure was drawn: there are no results of the program\n");
    json_decref(found);
    return good;
}

static int of_program(struct hd_cmd_options *o, struct hd_diag *d)
{
    char *folder = NULL, why[HD_FILE_WHY];

    if (!o->plot && !o->html)
        return hd_cmd_exec(o);
    if (o->json && (!strcmp(o->json, "-") || strstr(o->json, "%p"))) {
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "--json %.400s: figures are drawn of one file", o->json),
            "--json FILE has the results of the program's first process");
        return hd_cmd_options_fail(d);
    }
    if (!o->json) {
        folder = hd_file_temporary(o->arena, why);
        if (!folder) {
            hd_diag_add(d, NULL, 0, 0, "%.500s", why);
            return hd_cmd_options_fail(d);
        }
        o->json = hd_arena_printf(o->arena, "%s/reuse.json", folder);
    }
    int status = hd_cmd_exec(o);
    if (!draw_program(o) && !status)
        status = HD_EXIT_USER;
    if (folder) {
        unlink(o->json);
        rmdir(folder);
    }
    return status;
}

int hd_cmd_reuse(struct hd_cmd_options *o)
{
    struct hd_diag d = {0};
    struct hd_cmd_simulation s = {0};

    if (!read_options(o, &d))
        return hd_cmd_options_fail(&d);
    if (o->program)
        return hd_cmd_options_for_program(o, &d) ? of_program(o, &d) : hd_cmd_options_fail(&d);
    if (hd_cmd_places_check(o, false, &d) && hd_cmd_simulate_start(o, "reuse", false, &s, &d))
        return hd_cmd_simulate_exit(&s, write_results(o, &s));
    return hd_cmd_simulate_fail(&s, &d);
}
