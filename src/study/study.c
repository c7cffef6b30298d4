// study.c - plan, simulate, store. See study.h.
//
// Modules and inputs are read once, before the children are made: they share them until they write.
// The database is touched by the parent alone, so that a child takes nothing with it.
#include "study/study.h"

#include "heddle/version.h"
#include "report/annotate.h"
#include "report/json.h"
#include "study/identity.h"
#include "study/replays.h"
#include "study/workers.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// The one place where a run of a study is simulated, in the child: its JSON to `to`, and for the
// database, behind a NUL, where its cycles went by PTX line.
static int simulate(struct hd_study *s, const struct hd_study_run *run, FILE *to)
{
    const struct hd_study_work *w = run->work;
    struct hd_job_options options = run->options;
    struct hd_out text = {.arena = s->arena};
    struct hd_workloads_item item = w->item;
    struct hd_jobrun jobrun = {0};
    struct hd_diag d = {0};
    double start = seconds_now();

    if (!w->good) {
        hd_diag_print(w->error, stderr);
        return HD_EXIT_USER;
    }
    options.gpu.profile = s->db != NULL; // looking changes no cycle
    if (s->out)
        options.out = hd_arena_printf(s->arena, "%s/%s-%s", s->out, w->name,
                                      hd_runreport_policy(&options.gpu.sched, "lrr"));
    if (hd_replays_exact(run)) {
        item.job = NULL;
        item.workload = NULL;
        item.trace = w->trace;
    }
    if (!hd_workloads_start(&jobrun, &item, s->arena, &options, &d)) {
        hd_diag_print(&d, stderr);
        return HD_EXIT_USER;
    }
    if (item.trace && item.trace == w->trace) { // values do not depend on the machine
        jobrun.checked = w->trace->summary.checked;
        jobrun.verified = w->trace->summary.verified;
    }
    struct hd_runreport report = {.run = &jobrun,
                                  .options = &options,
                                  .workload = w->name,
                                  .size = hd_workloads_size(&w->item),
                                  .seed = w->item.seed,
                                  .host = s->host,
                                  .seconds = seconds_now() - start};
    hd_runtable_trouble(&report, &text);
    hd_out_say(&text);
    text.bytes = 0;
    hd_runjson_write(&report, &text);
    if (options.gpu.profile && jobrun.job->program) {
        struct hd_annotate lines;
        hd_annotate_collect(&lines, s->arena, &report);
        hd_out_add(&text, "", 1);
        hd_json_add(hd_annotate_kernels(&lines), &text);
    }
    int status = hd_jobrun_exit(&jobrun);
    hd_jobrun_end(&jobrun);
    return fwrite(text.text, 1, text.bytes, to) == text.bytes ? status : HD_EXIT_USER;
}

static int64_t integer_at(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_integer(value) ? (int64_t)json_integer_value(value) : -1;
}

// What the JSON says, where it is asked for most.
static void read_json(struct hd_study_run *run)
{
    const json_t *totals = json_object_get(run->json, "totals");
    const json_t *verified = json_object_get(run->json, "verified");
    const char *result = json_string_value(json_object_get(run->json, "status"));
    int64_t cycles = integer_at(totals, "cycles"), insts = integer_at(totals, "thread_insts");

    run->result = result ? result : "error";
    run->verified = json_is_true(verified) ? "yes" : json_is_false(verified) ? "no" : "-";
    run->cycles = cycles > 0 ? (uint64_t)cycles : 0;
    run->ipc = hd_runreport_ipc(insts > 0 ? (uint64_t)insts : 0, run->cycles);
    // A run that faulted or was cut short has done other work than its neighbours.
    run->timed = run->cycles > 0 && (run->status == HD_EXIT_OK || run->status == HD_EXIT_CHECK) &&
                 strcmp(run->result, "limit") != 0;
}

static void take(struct hd_study_run *run, int status, const char *talk, const char *json,
                 size_t bytes)
{
    json_error_t error;

    run->done = true;
    run->status = status;
    run->talk = talk ? talk : "";
    run->result = status == 70 ? "bug" : "error";
    run->verified = "-";
    run->json = bytes ? json_loadb(json, strlen(json), 0, &error) : NULL;
    if (run->json)
        read_json(run);
}

void hd_study_fill_row(struct hd_database_row *row, const struct hd_job_options *o,
                       const json_t *json)
{
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
    row->sched = hd_runreport_policy(&g->sched, "lrr");
    row->fetch = hd_runreport_policy(&g->fetch, "rr");
    row->tb = hd_runreport_policy(&g->tb, "rr");
    row->kernel_policy = hd_runreport_policy(&g->kernel, "rr");
    row->cycles = integer_at(totals, "cycles");
    row->warp_insts = integer_at(totals, "warp_insts");
    row->thread_insts = integer_at(totals, "thread_insts");
    row->seconds = seconds ? json_number_value(seconds) : -1;
}

static void store(struct hd_study *s, const struct hd_study_run *run, const char *json,
                  const char *profile)
{
    struct hd_database_row row = {.key = run->key,
                                  .identity = run->identity,
                                  .workload = run->work->name,
                                  .size = hd_workloads_size(&run->work->item),
                                  .seed = run->work->item.job ? -1 : (int64_t)run->work->item.seed,
                                  .sets = run->sets && *run->sets ? run->sets : NULL,
                                  .exit_status = run->status,
                                  .message = *run->talk ? run->talk : NULL,
                                  .command = run->command,
                                  .json = run->json ? json : NULL,
                                  .profile = run->json ? profile : NULL};
    struct hd_diag d = {0};

    hd_study_fill_row(&row, &run->options, run->json);
    row.status = run->result; // "bug", too
    if (!hd_database_store(s->db, &row, &d) && s->unstored && !s->unstored->n)
        *s->unstored = d;
}

// A result that would come out the same again. A child that was killed, or an input that could not
// be read, may have been the fault of the moment.
static bool lasting(const struct hd_database_row *row)
{
    return row->json && row->exit_status != HD_EXIT_USER && row->exit_status <= HD_EXIT_FAULT;
}

static bool look_up(struct hd_study *s, struct hd_study_run *run, struct hd_diag *d)
{
    struct hd_database_row row;
    // Files that a job dumps are made by running it.
    bool dumps = s->out && run->work->item.job && run->work->item.job->n_dumps;
    unsigned before = d->n;

    if (!s->db || dumps || !hd_database_find(s->db, s->arena, run->key, &row, d))
        return d->n == before;
    if (!lasting(&row))
        return true;
    take(run, (int)row.exit_status, row.message, row.json, strlen(row.json));
    run->found = run->json != NULL; // what someone else wrote into it is not believed
    run->done = run->found;
    s->found += run->found;
    return true;
}

static void identify(struct hd_study *s, struct hd_study_run *run)
{
    struct hd_identity identity;
    struct hd_diag *own = HD_NEW(s->arena, hd_diag);
    struct hd_study_work *w = run->work;

    if (w->good && !w->inputs)
        w->inputs = hd_identity_inputs(&w->item, s->arena, own);
    if (w->good && (!w->inputs || !hd_identity_make(&w->item, w->inputs, &run->options, s->arena,
                                                    &identity, own))) {
        w->good = false;
        w->error = own;
    }
    if (w->good) {
        run->key = identity.key;
        run->identity = identity.text;
    }
}

static int by_key(const void *a, const void *b)
{
    const struct hd_study_run *const *x = a, *const *y = b;
    int order = strcmp((*x)->key, (*y)->key);

    return order ? order : (*x > *y) - (*x < *y); // the first of the plan is the one that runs
}

static void find_repetitions(struct hd_study *s)
{
    struct hd_study_run **sorted = HD_ARRAY(s->arena, struct hd_study_run *, s->n_runs + 1);
    unsigned n = 0;

    for (unsigned i = 0; i < s->n_runs; i++)
        if (s->runs[i].key)
            sorted[n++] = &s->runs[i];
    qsort(sorted, n, sizeof *sorted, by_key);
    s->distinct = s->n_runs;
    for (unsigned i = 1; i < n; i++)
        if (!strcmp(sorted[i]->key, sorted[i - 1]->key)) {
            sorted[i]->same = sorted[i - 1]->same ? sorted[i - 1]->same : sorted[i - 1];
            s->distinct--;
        }
}

bool hd_study_plan(struct hd_study *s, struct hd_diag *d)
{
    for (unsigned i = 0; i < s->n_runs; i++)
        identify(s, &s->runs[i]);
    find_repetitions(s);
    for (unsigned i = 0; i < s->n_runs; i++) {
        struct hd_study_run *run = &s->runs[i];
        if (run->key && !run->same && !look_up(s, run, d))
            return false;
        if (s->db && run->key && !run->done)
            hd_database_seconds(s->db, run->work->name, hd_workloads_size(&run->work->item),
                                &run->weight);
    }
    return true;
}

struct queue { // what is left to simulate, for the workers
    struct hd_study *study;
    struct hd_study_run **runs;
};

static int work(void *ctx, unsigned task, FILE *to)
{
    struct queue *q = ctx;

    return simulate(q->study, q->runs[task], to);
}

static void ended(void *ctx, unsigned task, const struct hd_workers_result *r)
{
    struct queue *q = ctx;
    struct hd_study_run *run = q->runs[task];

    take(run, r->status, r->talk, r->result, r->bytes);
    q->study->ran++;
    if (q->study->db && run->key)
        store(q->study, run, r->result,
              strlen(r->result) < r->bytes ? r->result + strlen(r->result) + 1 : NULL);
}

// The longest first, so that none of them is left alone at the end.
static int by_weight(const void *a, const void *b)
{
    const struct hd_study_run *const *x = a, *const *y = b;

    if ((*x)->weight > (*y)->weight || (*x)->weight < (*y)->weight)
        return (*x)->weight > (*y)->weight ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

static void copy_result(struct hd_study_run *to, const struct hd_study_run *from)
{
    to->done = from->done;
    to->found = from->found;
    to->status = from->status;
    to->result = from->result;
    to->talk = from->talk;
    to->json = json_incref(from->json);
    to->timed = from->timed;
    to->cycles = from->cycles;
    to->ipc = from->ipc;
    to->verified = from->verified;
}

bool hd_study_start(struct hd_study *s)
{
    if (!s->no_replay && !hd_replays_prepare(s))
        return false;
    struct queue q = {.study = s, .runs = HD_ARRAY(s->arena, struct hd_study_run *, s->n_runs + 1)};
    double *weights = HD_ARRAY(s->arena, double, s->n_runs + 1);
    unsigned n = 0, known = 0;

    for (unsigned i = 0; i < s->n_runs; i++)
        if (!s->runs[i].same && !s->runs[i].done) {
            known += s->runs[i].weight > 0;
            q.runs[n++] = &s->runs[i];
        }
    if (n)
        qsort(q.runs, n, sizeof *q.runs, by_weight);
    for (unsigned i = 0; i < n; i++)
        weights[i] = q.runs[i]->weight;
    struct hd_workers workers = {.n_tasks = n,
                                 .at_once = s->at_once,
                                 .work = work,
                                 .ctx = &q,
                                 .ended = ended,
                                 .weights = known == n ? weights : NULL,
                                 .progress = s->progress,
                                 .noun = "runs"};
    struct hd_workers_result *results = HD_ARRAY(s->arena, struct hd_workers_result, n + 1);
    bool whole = hd_workers_run(s->arena, &workers, results);
    hd_replays_end(s);
    for (unsigned i = 0; i < s->n_runs; i++)
        if (s->runs[i].same)
            copy_result(&s->runs[i], s->runs[i].same);
    return whole;
}

int hd_study_exit(const struct hd_study *s)
{
    int worst = HD_EXIT_OK;

    for (unsigned i = 0; i < s->n_runs; i++)
        if (s->runs[i].done && s->runs[i].status > worst)
            worst = s->runs[i].status;
    return worst;
}

void hd_study_end(struct hd_study *s)
{
    for (unsigned i = 0; s->runs && i < s->n_runs; i++) {
        json_decref(s->runs[i].json);
        json_decref(s->runs[i].work->inputs);
        s->runs[i].json = s->runs[i].work->inputs = NULL;
    }
}
