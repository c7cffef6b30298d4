// simulate.c - one run, one recording, one row. See simulate.h.
#include "study/simulate.h"

#include "base/hostclock.h"
#include "heddle/version.h"
#include "present/json.h"
#include "report/annotate.h"
#include "report/cycles.h"
#include "report/reusereport.h"
#include "trace/record.h"

#include <string.h>

static bool look(void *ctx, const struct hd_gpu_progress *p)
{
    struct hd_workers_pulse *pulse = ctx;

    pulse->blocks = p->blocks;
    pulse->blocks_done = p->blocks_done;
    return true;
}

bool hd_simulate_alike(const struct hd_config *one, const struct hd_config *other)
{
    return one->sm.path_order == other->sm.path_order && one->mem.align == other->mem.align &&
           one->mem.spread == other->mem.spread && one->mem.base == other->mem.base;
}

// Whether the run's trace, if there is one, would do what the program does. A trace holds
// addresses, which are those of the arrangement of memory under which it was recorded. Reuse is
// analysed of programs, whose launches have parameters.
static bool replay_exact(const struct hd_study_run *run)
{
    return run->work->trace && !run->options.gpu.reuse && !run->options.gpu.sample &&
           hd_simulate_alike(run->options.gpu.config, run->work->recorded_on);
}

// What the analyser found, with the plan if there is one.
static json_t *found_reuse(const struct hd_runreport *report, struct hd_arena *a)
{
    json_t *found = hd_reusereport_found(report);
    struct hd_out plan = {.arena = a};

    if (report->options->gpu.reuse->plan) {
        hd_reusereport_plan(report, &plan);
        hd_json_put(found, "plan", hd_json_text(plan.text));
    }
    return found;
}

// What follows the JSON.
static void add_parts(const struct hd_runreport *report, const char *label, struct hd_out *text)
{
    const struct hd_gpu_options *o = &report->options->gpu;
    bool profile = o->profile && report->run->program;

    if (profile || o->cycleviews)
        hd_out_add(text, "", 1);
    if (profile) {
        struct hd_annotate lines;
        hd_annotate_collect(&lines, text->arena, report);
        hd_json_add(hd_annotate_kernels(&lines), text);
    }
    if (o->cycleviews) {
        hd_out_add(text, "", 1);
        hd_cycles_write(report, label, text);
    }
}

int hd_simulate_run(const struct hd_study *s, const struct hd_study_run *run, FILE *to,
                    struct hd_workers_pulse *pulse)
{
    const struct hd_study_work *w = run->work;
    struct hd_run_options options = run->options;
    struct hd_out text = {.arena = s->arena};
    struct hd_workloads_item item = w->item;
    struct hd_run result = {0};
    struct hd_diag d = {0};
    double start = hd_hostclock_now();

    if (!w->good) {
        hd_diag_print(w->error, stderr);
        return HD_EXIT_USER;
    }
    options.gpu.profile = s->db != NULL; // it changes no cycle
    options.gpu.progress = pulse ? look : NULL;
    options.gpu.progress_ctx = pulse;
    options.out = run->dumps;
    if (replay_exact(run)) {
        item.job = NULL;
        item.workload = NULL;
        item.trace = w->trace;
    }
    if (!hd_workloads_start(&result, &item, s->arena, &options, &d)) {
        hd_diag_print(&d, stderr);
        return HD_EXIT_USER;
    }
    if (item.trace && item.trace == w->trace) { // values do not depend on the machine
        result.checked = w->trace->summary.checked;
        result.verified = w->trace->summary.verified;
    }
    struct hd_runreport report = {.run = &result,
                                  .options = &options,
                                  .workload = w->name,
                                  .size = hd_workloads_size(&w->item),
                                  .seed = w->item.seed,
                                  .host = s->host,
                                  .seconds = hd_hostclock_now() - start};
    hd_runtable_trouble(&report, &text);
    hd_out_say(&text);
    text.bytes = 0;
    json_t *json = hd_runjson_run(&report);
    if (options.gpu.reuse)
        hd_json_put(json, "reuse", found_reuse(&report, s->arena));
    hd_json_write(json, &text);
    add_parts(&report, run->label, &text);
    int status = hd_runs_exit(&result);
    hd_runs_end(&result);
    return fwrite(text.text, 1, text.bytes, to) == text.bytes ? status : HD_EXIT_USER;
}

int hd_simulate_record(const struct hd_study *s, const struct hd_study_run *run, const char *path)
{
    const struct hd_study_work *w = run->work;
    struct hd_run_options options = run->options;
    struct hd_run result = {0};
    struct hd_diag d = {0};

    options.n_overrides = 0; // each replay has its own
    options.regs = (struct hd_jobregs_choice){.word = NULL};
    options.out = NULL;
    options.gpu.functional_only = true;
    options.gpu.record = hd_record_new(s->arena, path, &d);
    if (!options.gpu.record || !hd_workloads_start(&result, &w->item, s->arena, &options, &d) ||
        !hd_tracerun_record(&result, s->arena, &options, w->name, hd_workloads_size(&w->item),
                            w->item.seed, &d))
        return HD_EXIT_USER;
    hd_runs_end(&result);
    return HD_EXIT_OK;
}

void hd_simulate_fill_row(struct hd_database_row *row, const struct hd_run_options *o,
                          const json_t *json, struct hd_arena *a)
{
    const char *sets = hd_runreport_sets(o, a);
    const json_t *totals = json_object_get(json, "totals");
    const json_t *seconds = json_object_get(json_object_get(json, "host"), "seconds");
    const json_t *verified = json_object_get(json, "verified");
    const char *result = json_string_value(json_object_get(json, "status"));
    const struct hd_gpu_options *g = &o->gpu;

    row->status = result ? result : "error";
    row->verified = json_is_true(verified) ? 1 : json_is_false(verified) ? 0 : -1;
    row->heddle = HD_VERSION;
    row->model = HD_MODEL;
    row->gpu = g->config->name;
    row->sets = *sets ? sets : NULL;
    row->sched = hd_runreport_policy(&g->sched, "lrr");
    row->fetch = hd_runreport_policy(&g->fetch, "rr");
    row->tb = hd_runreport_policy(&g->tb, "rr");
    row->kernel_policy = hd_runreport_policy(&g->kernel_policy, "rr");
    row->cycles = hd_runreport_json_cycles(json);
    row->warp_insts = hd_json_integer(totals, "warp_insts");
    row->thread_insts = hd_json_integer(totals, "thread_insts");
    row->seconds = seconds ? json_number_value(seconds) : -1;
}
