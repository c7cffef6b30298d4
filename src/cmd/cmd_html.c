// cmd_html.c - --html FILE: the page of a run or a study, and what is recorded for it.
#include "cmd/cmd_folder.h"

#include "present/html.h"
#include "report/cycles.h"

#include "heddle/version.h"

#include <string.h>

static bool wants_none(const struct hd_cmd_options *o)
{
    return o->html_cycles && !strcmp(o->html_cycles, "none");
}

bool hd_cmd_html_choose(struct hd_cmd_options *o, struct hd_diag *d)
{
    const char *other = o->html_sm ? "--html-sm" : o->html_cycles ? "--html-cycles" : NULL;

    if (o->in && o->in->does != HD_CMD_FOLDER_PLAN) // what was given was checked with the plan
        o->html_sm = o->html_cycles = other = NULL;
    if (other && !o->html)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s without --html", other), "add --html FILE");
    else if (o->html_sm && wants_none(o))
        hd_diag_add(d, NULL, 0, 0, "--html-sm: with --html-cycles none nothing is recorded");
    else if (other && o->in && !wants_none(o))
        hd_diag_hint(
            hd_diag_add(d, NULL, 0, 0, "%s: runs that processes share are not recorded", other),
            "repeat a comparison without --study to see its cycles");
    else {
        if (o->html && !o->html_cycles && !o->functional_only && !o->in && !o->sample)
            o->html_cycles = HD_CYCLEVIEWS_CYCLES;
        return true;
    }
    return false;
}

bool hd_cmd_html_read(const struct hd_cmd_options *o, const struct hd_config *config,
                      const struct hd_cycleviews_options **out, struct hd_diag *d)
{
    struct hd_cycleviews_options *v = HD_NEW(o->arena, hd_cycleviews_options);
    const char *sms = o->html_sm; // by default the one that is given the first block

    if (!o->html_cycles || wants_none(o))
        return true;
    if (o->functional_only) {
        hd_diag_add(d, NULL, 0, 0, "--html-cycles: nothing is recorded without timing");
        return false;
    }
    if (!sms)
        sms = hd_arena_printf(o->arena, "%u", (unsigned)(config->launch.first_sm % config->sm.sms));
    *out = v;
    v->pieces = HD_CYCLEVIEWS_PIECES;
    return hd_pipeviews_read_sms("--html-sm", sms, config, &v->where, d) &&
           hd_pipeviews_read_cycles("--html-cycles", o->html_cycles, &v->where, d);
}

void hd_cmd_html_share(const struct hd_cmd_options *o, struct hd_study *s)
{
    unsigned n = s->n_runs < HD_CYCLEVIEWS_RUNS ? s->n_runs : HD_CYCLEVIEWS_RUNS;
    uint32_t each = n ? HD_CYCLEVIEWS_PIECES / n : 0;

    for (unsigned i = 0; i < s->n_runs; i++) {
        struct hd_gpu_options *g = &s->runs[i].options.gpu;
        struct hd_cycleviews_options *own = HD_NEW(o->arena, hd_cycleviews_options);
        if (!g->cycleviews)
            continue;
        *own = *g->cycleviews;
        own->pieces = each > HD_CYCLEVIEWS_FEWEST ? each : HD_CYCLEVIEWS_FEWEST;
        g->cycleviews = i < n ? own : NULL;
    }
}

// The data of the page around those of its runs. `missing`: sentences, each ending in ",".
static const char *page_data(struct hd_arena *a, const struct hd_out *missing,
                             const struct hd_out *runs)
{
    struct hd_out all = {.arena = a};

    hd_out_printf(&all, "{\"version\":1,\n\"words\":");
    hd_cycles_words(&all);
    hd_out_printf(&all, ",\n\"missing\":[%s],\n\"runs\":[", missing->bytes ? missing->text : "");
    if (runs->bytes)
        hd_out_add(&all, runs->text, runs->bytes);
    hd_out_printf(&all, "]}");
    return all.text;
}

static void add_missing(struct hd_out *to, const struct hd_study_run *run, const char *why)
{
    hd_out_printf(to, to->bytes ? ",\n" : "");
    hd_cycles_text(to, hd_arena_printf(to->arena, "%s: %s", run->label, why));
}

#define MOST_MISSING 20u

const char *hd_cmd_html_cycles(const struct hd_cmd_options *o, const struct hd_study *s)
{
    struct hd_out runs = {.arena = o->arena}, missing = {.arena = o->arena};
    unsigned n_missing = 0;

    if (!o->html_cycles || wants_none(o))
        return NULL;
    for (unsigned i = 0; i < s->n_runs; i++) {
        const struct hd_study_run *run = &s->runs[i];
        if (run->view) {
            hd_out_printf(&runs, runs.bytes ? ",\n" : "");
            hd_out_add(&runs, run->view, strlen(run->view));
        } else if (n_missing++ < MOST_MISSING) {
            add_missing(&missing, run,
                        !run->options.gpu.cycleviews && i >= HD_CYCLEVIEWS_RUNS
                            ? "a page shows the cycles of its first 64 runs only."
                        : run->found ? "its result comes from the database, which keeps no "
                                       "recorded cycles."
                                     : "it ended without a recording.");
        }
    }
    if (n_missing > MOST_MISSING)
        hd_out_printf(&missing, ",\n\"The cycles of %u other runs are not shown either.\"",
                      n_missing - MOST_MISSING);
    return runs.bytes || missing.bytes ? page_data(o->arena, &missing, &runs) : NULL;
}

void hd_cmd_html_options(const struct hd_run_options *o, const char *title, struct hd_sheets *out)
{
    struct hd_sheet *t = hd_sheet_new(out, "options", title, "ll");
    json_t *options = hd_runjson_options(o), *value;
    const char *key;

    hd_sheet_add(t, "OPTION");
    hd_sheet_add(t, "VALUE");
    json_object_foreach(options, key, value)
    {
        hd_sheet_add(t, hd_arena_strdup(out->arena, key));
        if (json_is_string(value))
            hd_sheet_add(t, hd_arena_strdup(out->arena, json_string_value(value)));
        else if (json_is_boolean(value))
            hd_sheet_add(t, json_is_true(value) ? "yes" : "no");
        else
            hd_sheet_addf(t, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    }
    json_decref(options);
}

bool hd_cmd_html_write(const struct hd_cmd_options *o, const struct hd_html *h)
{
    struct hd_diag d = {0};
    struct hd_out page = {.arena = o->arena}, clean = {.arena = o->arena};

    hd_html_report(h, &page, &d); // without gnuplot it has no figures, and reports that
    hd_diag_print(&d, stderr);
    hd_out_add_utf8(&clean, page.text); // the page declares itself as UTF-8
    const char *file = hd_out_path(o->arena, o->html);
    bool good = hd_out_write(file, clean.text, clean.bytes);
    if (good && !o->quiet)
        fprintf(stderr, "heddle: wrote %s\n", file);
    return good;
}

#define MOST_LAUNCHES 100u

static void launches_sheet(const struct hd_runreport *r, struct hd_sheets *out)
{
    static const char *const heads[] = {"LAUNCH", "KERNEL", "CYCLES", "IPC", "WARP INSTRUCTIONS"};
    const char **names = hd_runreport_kernels(r->run, out->arena);
    unsigned n = hd_gpu_n_results(r->run->gpu), shown = n < MOST_LAUNCHES ? n : MOST_LAUNCHES;
    struct hd_sheet *t = hd_sheet_new(out, "launches", "Launches", "rlrrr");

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        hd_sheet_add(t, heads[i]);
    for (unsigned i = 0; i < shown; i++) {
        const struct hd_kernel_result *k = hd_gpu_result(r->run->gpu, i);
        hd_sheet_addf(t, "%u", i);
        hd_sheet_add(t, names[i]);
        hd_sheet_add(t, k->cycles ? hd_out_count(out->arena, k->cycles) : NULL);
        hd_sheet_addf(t, "%.2f", hd_runreport_ipc(k->sm.thread_insts, k->cycles));
        hd_sheet_add(t, hd_out_count(out->arena, k->sm.warp_insts));
    }
    if (shown < n)
        hd_sheet_note(t, hd_arena_printf(out->arena, "The first %u of %u launches.", shown, n));
}

bool hd_cmd_html_run(const struct hd_cmd_options *o, const struct hd_runreport *r)
{
    const char *sched = hd_runreport_policy(&r->options->gpu.sched, "lrr");
    struct hd_sheets sheets = {.arena = o->arena}, details = {.arena = o->arena};
    struct hd_out run = {.arena = o->arena}, none = {.arena = o->arena};
    const char *doubt = hd_cycles_doubt(r, o->arena);
    struct hd_html h = {.title = hd_arena_printf(o->arena, "%s under %s%s",
                                                 hd_runreport_workload(r, o->arena), sched,
                                                 hd_runreport_others(r->options, o->arena)),
                        .sheets = &sheets,
                        .details = &details,
                        .command = o->line};

    h.subtitle = hd_arena_printf(o->arena, "%s on %s. heddle %s, model %d.",
                                 hd_runtable_verdict(o->arena, r->run),
                                 hd_runreport_machine(r->options, o->arena), HD_VERSION, HD_MODEL);
    launches_sheet(r, &sheets);
    hd_cmd_html_options(r->options, "Configuration", &details);
    if (hd_gpu_cycleviews(r->run->gpu)) {
        hd_cycles_write(r, h.title, &run);
        h.cycles = page_data(o->arena, &none, &run);
    }
    if (doubt && !o->quiet)
        fprintf(stderr, "heddle: %s\n", doubt);
    return hd_cmd_html_write(o, &h);
}
