// study.c - plan, simulate, store. See study.h.
//
// Modules and inputs are read once, before the children are made, which share them until they
// write. Only the parent uses the database, so that a child does not inherit it.
#include "study/study.h"

#include "base/bug.h"
#include "base/hostclock.h"
#include "present/json.h"
#include "report/runreport.h"
#include "study/dumpnames.h"
#include "study/identity.h"
#include "study/kept.h"
#include "study/outcome.h"
#include "study/plans.h"
#include "study/replays.h"
#include "study/simulate.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool identity_of(struct hd_study *s, const struct hd_study_run *run, struct hd_arena *a,
                        struct hd_identity *out, struct hd_diag *d)
{
    const char *plan = run->plan ? s->runs[run->plan - 1].key : NULL;

    return hd_identity_make(s->texts, &run->work->item, run->work->inputs, plan, &run->options, a,
                            out, d);
}

static void store(struct hd_study *s, const struct hd_study_run *run, const char *json,
                  const char *profile)
{
    struct hd_arena *scratch = hd_arena_new();
    struct hd_identity identity = {.text = NULL};

    if (!identity_of(s, run, scratch, &identity, s->unstored)) {
        hd_arena_free(scratch);
        return;
    }
    struct hd_database_row row = {.key = run->key,
                                  .identity = identity.text,
                                  .workload = run->work->name,
                                  .size = hd_workloads_size(&run->work->item),
                                  .seed = run->work->item.job ? -1 : (int64_t)run->work->item.seed,
                                  .exit_status = run->status,
                                  .message = *run->messages ? run->messages : NULL,
                                  .command = run->command,
                                  .json = run->json ? json : NULL,
                                  .profile = run->json ? profile : NULL};

    hd_simulate_fill_row(&row, &run->options, run->json, scratch);
    row.status = run->result; // "bug", too
    hd_kept_store(s->db, &row, s->unstored);
    hd_arena_free(scratch);
}

static void identify(struct hd_study *s, struct hd_study_run *run)
{
    struct hd_identity identity;
    struct hd_arena *scratch = hd_arena_new(); // the texts of 100,000 runs would take a gigabyte
    struct hd_diag own;                        // large, and of no use in most runs
    struct hd_study_work *w = run->work;

    own.n = own.dropped = 0;
    if (w->good && !w->inputs)
        w->inputs = hd_identity_inputs(&w->item, s->arena, &own);
    if (w->good && (!w->inputs || !identity_of(s, run, scratch, &identity, &own))) {
        struct hd_diag *error = HD_NEW(s->arena, hd_diag);
        *error = own;
        w->good = false;
        w->error = error;
    }
    if (w->good)
        run->key = hd_arena_strdup(s->arena, identity.key);
    hd_arena_free(scratch);
}

static int by_key(const void *a, const void *b)
{
    const struct hd_study_run *const *x = a, *const *y = b;
    int order = strcmp((*x)->key, (*y)->key);

    return order ? order : (*x > *y) - (*x < *y); // the first one of the plan is the one that runs
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

// What the runs of its workload took on average, asked once.
static void estimate(struct hd_study *s, struct hd_study_run *run)
{
    struct hd_study_work *w = run->work;

    if (!w->asked)
        hd_database_seconds(s->db, w->name, hd_workloads_size(&w->item), &w->seconds);
    w->asked = true;
    if (w->seconds > 0)
        run->weight = w->seconds;
}

bool hd_study_plan(struct hd_study *s, struct hd_diag *d)
{
    s->texts = hd_identity_texts_new(s->arena);
    for (unsigned i = 0; i < s->n_runs; i++)
        identify(s, &s->runs[i]);
    find_repetitions(s);
    if (s->choose && !s->choose(s->ctx, s, d))
        return false;
    if (s->out)
        hd_dumpnames_give(s);
    for (unsigned i = 0; i < s->n_runs; i++) {
        struct hd_study_run *run = &s->runs[i];
        if (run->key && !run->same && !run->others && !hd_outcome_look_up(s, run, d))
            return false;
        s->found += run->found;
        if (s->db && run->key && !run->done && !run->others)
            estimate(s, run);
    }
    return true;
}

struct queue { // the runs that are left to simulate, for the workers
    struct hd_study *study;
    struct hd_study_run **runs;
    bool *settled;   // started here, or done elsewhere
    unsigned n, at;  // all before `at` are settled
    double asked;    // since when other processes have had all that were left
    unsigned shared; // done by other processes meanwhile
    double shared_weight;
};

static int work(void *ctx, unsigned task, FILE *to, struct hd_workers_pulse *pulse)
{
    struct queue *q = ctx;

    return hd_simulate_run(q->study, q->runs[task], to, pulse);
}

static const char *label(void *ctx, unsigned task)
{
    struct queue *q = ctx;

    return q->runs[task]->label;
}

static void tick(void *ctx)
{
    struct queue *q = ctx;

    if (q->study->claims)
        hd_claims_beat(q->study->claims);
}

// The first run from `i` on that has not been settled; q->n: none.
static unsigned unsettled(const struct queue *q, unsigned i)
{
    while (i < q->n && q->settled[i])
        i++;
    return i;
}

// In a transaction: claims the first run from `i` on that is free, and takes results that others
// have stored meanwhile. q->n: none.
static unsigned claim(struct queue *q, unsigned i)
{
    struct hd_study *s = q->study;
    struct hd_diag d = {0};

    if (!hd_claims_begin(s->claims, &d))
        return i; // simulating it twice is better than not at all
    for (; i < q->n; i = unsettled(q, i + 1)) {
        struct hd_study_run *run = q->runs[i];
        hd_outcome_look_up(s, run, &d);
        if (run->found) {
            q->settled[i] = true;
            q->shared_weight += run->weight;
            q->shared++;
            s->shared++;
        } else if (hd_outcome_must_run(s, run) ||
                   hd_claims_take(s->claims, run->key, &d) != HD_CLAIM_OTHERS) {
            break;
        }
    }
    hd_claims_commit(s->claims, &d);
    return i;
}

static int next(void *ctx)
{
    struct queue *q = ctx;
    struct hd_study *s = q->study;
    unsigned i = q->at = unsettled(q, q->at);

    if (i == q->n)
        return HD_WORKERS_NONE;
    if (s->claims) {
        if (q->asked > 0 && hd_hostclock_now() - q->asked < 1)
            return HD_WORKERS_LATER;
        // First without a lock, because usually nothing has changed.
        while (i < q->n && !hd_outcome_must_run(s, q->runs[i]) &&
               hd_claims_held(s->claims, q->runs[i]->key))
            i = unsettled(q, i + 1);
        i = i < q->n ? claim(q, i) : i;
        q->asked = i < q->n ? 0 : hd_hostclock_now();
        if (i == q->n)
            return unsettled(q, q->at) == q->n ? HD_WORKERS_NONE : HD_WORKERS_LATER;
    }
    q->settled[i] = true;
    return (int)i;
}

// The parts of a result stand one after the other, a NUL between them. NULL: `part` is the last.
static const char *part_after(const struct hd_workers_result *r, const char *part)
{
    const char *end = part + strlen(part);

    return end < r->result + r->bytes ? end + 1 : NULL;
}

static void ended(void *ctx, unsigned task, const struct hd_workers_result *r)
{
    struct queue *q = ctx;
    struct hd_study_run *run = q->runs[task];

    const char *profile = part_after(r, r->result);

    hd_outcome_take(run, r);
    const char *view = profile ? part_after(r, profile) : NULL;
    run->view = view ? hd_arena_strdup(q->study->arena, view) : NULL;
    q->study->ran++;
    if (q->study->db && run->key)
        store(q->study, run, r->result, profile && *profile ? profile : NULL);
    if (q->study->brief)
        hd_outcome_forget(q->study, run, r->result);
    else
        hd_outcome_reduce(q->study, run);
    if (q->study->ended)
        q->study->ended(q->study->ctx, q->study);
}

// The longest first, so that none of them is left at the end; before all, those of a workload that
// another process has recorded.
static int by_weight(const void *a, const void *b)
{
    const struct hd_study_run *const *x = a, *const *y = b;
    bool x_later = (*x)->work->recorded_elsewhere, y_later = (*y)->work->recorded_elsewhere;

    if (x_later != y_later)
        return x_later ? 1 : -1;
    if ((*x)->weight > (*y)->weight || (*x)->weight < (*y)->weight)
        return (*x)->weight > (*y)->weight ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

void hd_study_adopt(struct hd_study *s, const struct hd_study *from)
{
    struct hd_study_run **sorted = HD_ARRAY(s->arena, struct hd_study_run *, from->n_runs + 1);
    size_t n = 0;

    for (unsigned i = 0; i < from->n_runs; i++)
        if (from->runs[i].key && from->runs[i].done && !from->runs[i].same)
            sorted[n++] = &from->runs[i];
    if (n)
        qsort(sorted, n, sizeof *sorted, by_key);
    for (unsigned i = 0; i < s->n_runs; i++) {
        struct hd_study_run *run = &s->runs[i];
        size_t low = 0, high = n;
        while (run->key && low < high) {
            size_t middle = low + (high - low) / 2;
            if (strcmp(sorted[middle]->key, run->key) < 0)
                low = middle + 1;
            else
                high = middle;
        }
        if (run->same || !run->key || low == n || strcmp(sorted[low]->key, run->key))
            continue;
        s->found -= run->found; // the database has what we have
        run->found = run->done = false;
        json_decref(run->json);
        run->json = NULL;
        run->digest = NULL;
        run->plan_text = NULL;
        run->any_json = false;
        run->same = sorted[low];
        s->distinct--;
    }
    for (unsigned i = 0; i < s->n_runs; i++) // their repetitions follow them
        if (s->runs[i].same && s->runs[i].same->same)
            s->runs[i].same = s->runs[i].same->same;
}

// Those that have a plan, or the others.
static bool run_queue(struct hd_study *s, bool planned)
{
    struct hd_arena *a = s->arena;
    struct queue q = {.study = s,
                      .runs = HD_ARRAY(a, struct hd_study_run *, s->n_runs + 1),
                      .settled = HD_ARRAY(a, bool, s->n_runs + 1)};
    double *weights = HD_ARRAY(a, double, s->n_runs + 1);
    unsigned known = 0;

    for (unsigned i = 0; i < s->n_runs; i++)
        if (!s->runs[i].same && !s->runs[i].done && !s->runs[i].others &&
            (s->runs[i].plan != 0) == planned) {
            known += s->runs[i].weight > 0;
            q.runs[q.n++] = &s->runs[i];
        }
    if (q.n)
        qsort(q.runs, q.n, sizeof *q.runs, by_weight);
    for (unsigned i = 0; i < q.n; i++) {
        if (known < q.n)
            q.runs[i]->weight = 1; // all equal, if one is not known
        weights[i] = q.runs[i]->weight;
    }
    struct hd_workers workers = {.n_tasks = q.n,
                                 .at_once = s->at_once,
                                 .work = work,
                                 .next = next,
                                 .ended = ended,
                                 .tick = tick,
                                 .label = label,
                                 .ctx = &q,
                                 .weights = weights,
                                 .elsewhere = &q.shared,
                                 .elsewhere_weight = &q.shared_weight,
                                 .progress = s->progress,
                                 .noun = "runs"};
    return hd_workers_run(a, &workers, HD_ARRAY(a, struct hd_workers_result, q.n + 1));
}

bool hd_study_start(struct hd_study *s)
{
    s->claims = s->db ? hd_claims_new(s->arena, s->db) : NULL;
    bool whole = (s->no_replay || hd_replays_prepare(s)) && run_queue(s, false);
    if (whole && hd_plans_give(s))
        whole = run_queue(s, true);
    hd_claims_end(s->claims);
    hd_replays_end(s);
    for (unsigned i = 0; i < s->n_runs; i++)
        if (s->runs[i].same)
            hd_outcome_copy(&s->runs[i], s->runs[i].same);
    return whole;
}

int hd_study_exit(const struct hd_study *s)
{
    int worst = HD_EXIT_OK;
    bool cut = false;

    for (unsigned i = 0; i < s->n_runs; i++)
        if (s->runs[i].done) {
            // The results that a run cut short lacks are no difference.
            cut = cut || s->runs[i].cut;
            if (!s->runs[i].cut && s->runs[i].status > worst)
                worst = s->runs[i].status;
        }
    return worst == HD_EXIT_OK && cut ? HD_STUDY_LIMIT : worst;
}

const char *hd_study_limit(const struct hd_study *s)
{
    for (unsigned i = 0; i < s->n_runs; i++) {
        const struct hd_gpu_options *g = &s->runs[i].options.gpu;
        if (!s->runs[i].cut)
            continue;
        const char *insts =
            hd_arena_printf(s->arena, "%" PRIu64 " warp instructions", g->max_insts);
        const char *cycles = hd_arena_printf(s->arena, "%" PRIu64 " cycles", g->max_cycles);
        return hd_arena_printf(
            s->arena,
            "limit: stopped after %s%s%s, as asked: cycles, IPC and ratios are up to there",
            g->max_insts ? insts : "", g->max_insts && g->max_cycles ? " or " : "",
            g->max_cycles ? cycles : "");
    }
    return NULL;
}

void hd_study_end(struct hd_study *s)
{
    for (unsigned i = 0; s->runs && i < s->n_runs; i++) {
        json_decref(s->runs[i].json);
        json_decref(s->runs[i].work->inputs);
        s->runs[i].json = s->runs[i].work->inputs = NULL;
    }
}
