// compare.c - run every workload under every scheduler and relate the results. See compare.h.
//
// Modules and inputs are read once, before the children are made: they share them until they write.
#include "study/compare.h"

#include "report/runreport.h"
#include "study/workers.h"

#include <math.h>
#include <string.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// In the child: one run, its JSON to `to`.
static int run_one(void *ctx, unsigned task, FILE *to)
{
    struct hd_compare *c = ctx;
    const struct hd_compare_workload *w = &c->workloads[task / c->n_scheds];
    struct hd_job_options options = c->options;
    struct hd_out text = {.arena = c->arena};
    struct hd_jobrun run = {0};
    struct hd_diag d = {0};
    double start = seconds_now();

    if (!w->good) {
        hd_diag_print(w->error, stderr);
        return HD_EXIT_USER;
    }
    options.gpu.sched = c->scheds[task % c->n_scheds];
    hd_registry_preset(&options.gpu.sched, &options.gpu.fetch);
    if (c->out)
        options.out =
            hd_arena_printf(c->arena, "%s/%s-%s", c->out, w->name, options.gpu.sched.spec);
    if (!hd_workloads_start(&run, &w->item, c->arena, &options, &d)) {
        hd_diag_print(&d, stderr);
        return HD_EXIT_USER;
    }
    struct hd_runreport report = {.run = &run,
                                  .options = &options,
                                  .workload = w->name,
                                  .size = hd_workloads_size(&w->item),
                                  .seed = w->item.seed,
                                  .host = c->host,
                                  .seconds = seconds_now() - start};
    hd_runtable_print(&report, c->arena, true); // differences and faults, to standard error
    hd_runjson_write(&report, &text);
    int status = hd_jobrun_exit(&run);
    hd_jobrun_end(&run);
    return fwrite(text.text, 1, text.bytes, to) == text.bytes ? status : HD_EXIT_USER;
}

static void read_run(struct hd_compare_run *run, const struct hd_workers_result *r)
{
    json_error_t error;

    run->status = r->status;
    run->talk = r->talk ? r->talk : "";
    run->result = r->status == 70 ? "bug" : "error";
    run->verified = "-";
    run->json = r->bytes ? json_loadb(r->result, r->bytes, 0, &error) : NULL;
    if (!run->json)
        return;

    const json_t *totals = json_object_get(run->json, "totals");
    const json_t *verified = json_object_get(run->json, "verified");
    const json_t *cycles = json_object_get(totals, "cycles");
    run->result = json_string_value(json_object_get(run->json, "status"));
    run->verified = json_is_true(verified) ? "yes" : json_is_false(verified) ? "no" : "-";
    run->cycles = (uint64_t)json_integer_value(cycles);
    run->ipc = hd_runreport_ipc(
        (uint64_t)json_integer_value(json_object_get(totals, "thread_insts")), run->cycles);
    // A run that faulted or was cut short has done other work than its neighbours.
    run->timed = run->cycles > 0 && (r->status == HD_EXIT_OK || r->status == HD_EXIT_CHECK) &&
                 strcmp(run->result, "limit") != 0;
}

static void relate(struct hd_compare *c)
{
    for (unsigned s = 0; s < c->n_scheds; s++) {
        struct hd_compare_mean *m = &c->means[s];
        double sum = 0, logs = 0;
        for (unsigned w = 0; w < c->n_workloads; w++) {
            const struct hd_compare_run *base = &c->runs[w * c->n_scheds];
            struct hd_compare_run *run = &c->runs[w * c->n_scheds + s];
            if (!base->timed || !run->timed || !(base->ipc > 0) || !(run->ipc > 0))
                continue;
            run->relative = run->ipc / base->ipc;
            sum += run->relative;
            logs += log(run->relative);
            m->n++;
        }
        if (m->n) {
            m->arithmetic = sum / m->n;
            m->geometric = exp(logs / m->n);
        }
    }
}

bool hd_compare_start(struct hd_compare *c)
{
    unsigned n = c->n_workloads * c->n_scheds;
    struct hd_workers workers = {.n_tasks = n,
                                 .at_once = c->at_once,
                                 .work = run_one,
                                 .ctx = c,
                                 .progress = c->progress,
                                 .noun = "runs"};
    struct hd_workers_result *results = HD_ARRAY(c->arena, struct hd_workers_result, n + 1);

    c->runs = HD_ARRAY(c->arena, struct hd_compare_run, n + 1);
    c->means = HD_ARRAY(c->arena, struct hd_compare_mean, c->n_scheds + 1);
    if (!hd_workers_run(c->arena, &workers, results))
        return false;
    for (unsigned i = 0; i < n; i++)
        read_run(&c->runs[i], &results[i]);
    relate(c);
    return true;
}

int hd_compare_exit(const struct hd_compare *c)
{
    int worst = HD_EXIT_OK;

    for (unsigned i = 0; i < c->n_workloads * c->n_scheds; i++)
        if (c->runs[i].status > worst)
            worst = c->runs[i].status;
    return worst;
}

void hd_compare_end(struct hd_compare *c)
{
    for (unsigned i = 0; c->runs && i < c->n_workloads * c->n_scheds; i++)
        json_decref(c->runs[i].json);
    c->runs = NULL;
}
