// replays.c - recordings for the runs of a study. See replays.h.
//
// A replayable program writes the same results on every machine, so the checks that were made when
// it was recorded hold for every replay.
#include "study/replays.h"

#include "base/file.h"
#include "study/simulate.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Recording without timing costs a quarter of a timed run, a replay saves a fifth of one: fewer
// runs would not pay for it (docs/traces.md).
#define RUNS_LEAST 4

struct recordings {
    struct hd_study *study;
    const struct hd_study_run **first; // of each workload to be recorded
    const char **paths;
    unsigned n, at, elsewhere;
};

static int record(void *ctx, unsigned task, FILE *to, struct hd_workers_pulse *pulse)
{
    struct recordings *r = ctx;

    (void)to, (void)pulse;
    return hd_simulate_record(r->study, r->first[task], r->paths[task]);
}

// The next workload that no other process has taken.
static int next(void *ctx)
{
    struct recordings *r = ctx;
    struct hd_study *s = r->study;
    struct hd_diag d = {0};

    while (r->at < r->n) {
        const struct hd_study_run *run = r->first[r->at++];
        const char *key = hd_arena_printf(s->arena, "trace %s", run->key ? run->key : "");
        enum hd_claim claim = HD_CLAIM_MINE;
        if (s->claims && run->key && hd_claims_begin(s->claims, &d)) {
            claim = hd_claims_take(s->claims, key, &d);
            hd_claims_commit(s->claims, &d);
        }
        if (claim != HD_CLAIM_OTHERS)
            return (int)r->at - 1;
        run->work->recorded_elsewhere = true;
        r->elsewhere++;
    }
    return HD_WORKERS_NONE;
}

static void tick(void *ctx)
{
    struct recordings *r = ctx;

    if (r->study->claims)
        hd_claims_beat(r->study->claims);
}

static const char *label(void *ctx, unsigned task)
{
    struct recordings *r = ctx;

    return r->first[task]->work->name;
}

static bool wanted(const struct hd_study_run *run)
{
    const struct hd_gpu_options *g = &run->options.gpu;
    const struct hd_workloads_item *item = &run->work->item;

    // Dumps are values, launches without timing need them, and a limit may be reached between
    // launches whose number is not known.
    return !run->same && !run->done && !run->others && run->work->good && !item->trace &&
           !g->max_cycles && !g->max_insts && !g->reuse && !g->sample && !run->dumps;
}

// The first run of every workload with enough left that its recording serves.
static void find_first(struct recordings *r)
{
    struct hd_study *s = r->study;

    for (unsigned i = 0; i < s->n_runs; i++) {
        s->runs[i].work->first = NULL;
        s->runs[i].work->alike = 0;
    }
    for (unsigned i = 0; i < s->n_runs; i++) {
        struct hd_study_work *w = s->runs[i].work;
        if (!wanted(&s->runs[i]))
            continue;
        if (!w->first)
            w->first = &s->runs[i];
        w->alike += hd_simulate_alike(s->runs[i].options.gpu.config, w->first->options.gpu.config);
    }
    for (unsigned i = 0; i < s->n_runs; i++) {
        const struct hd_study_work *w = s->runs[i].work;
        if (w->first == &s->runs[i] && w->alike >= RUNS_LEAST)
            r->first[r->n++] = w->first;
    }
}

// Also removes what recordings that were killed have left.
static void remove_folder(struct hd_arena *a, const char *folder)
{
    DIR *dir = opendir(folder);

    for (struct dirent *e; dir && (e = readdir(dir));)
        if (strcmp(e->d_name, ".") && strcmp(e->d_name, ".."))
            unlink(hd_arena_printf(a, "%s/%s", folder, e->d_name));
    if (dir)
        closedir(dir);
    rmdir(folder);
}

bool hd_replays_prepare(struct hd_study *s)
{
    struct hd_arena *a = s->arena;
    struct recordings r = {.study = s,
                           .first = HD_ARRAY(a, const struct hd_study_run *, s->n_runs + 1),
                           .paths = HD_ARRAY(a, const char *, s->n_runs + 1)};

    find_first(&r);
    char why[HD_FILE_WHY];
    const char *folder = r.n ? hd_file_temporary(a, why) : NULL;
    if (!folder)
        return true; // there is nothing to record, or no place for it
    for (unsigned i = 0; i < r.n; i++)
        r.paths[i] = hd_arena_printf(a, "%s/%u.trace", folder, i);
    struct hd_workers workers = {.n_tasks = r.n,
                                 .at_once = s->at_once,
                                 .work = record,
                                 .next = next,
                                 .tick = tick,
                                 .label = label,
                                 .elsewhere = &r.elsewhere,
                                 .ctx = &r,
                                 .progress = s->progress,
                                 .noun = "recordings"};
    struct hd_workers_result *results = HD_ARRAY(a, struct hd_workers_result, r.n);
    bool whole = hd_workers_run(a, &workers, results);
    for (unsigned i = 0; i < r.n; i++) {
        struct hd_study_work *w = r.first[i]->work;
        struct hd_diag d = {0};
        if (whole && results[i].done && results[i].status == HD_EXIT_OK)
            w->trace = hd_traceread_open(a, r.paths[i], &d);
        w->recorded_on = r.first[i]->options.gpu.config;
        unlink(r.paths[i]); // children have it open
        if (w->trace && *w->trace->summary.reason) {
            hd_traceread_close(w->trace);
            w->trace = NULL;
        }
    }
    remove_folder(a, folder);
    return whole;
}

void hd_replays_end(struct hd_study *s)
{
    for (unsigned i = 0; s->runs && i < s->n_runs; i++) {
        hd_traceread_close(s->runs[i].work->trace);
        s->runs[i].work->trace = NULL;
    }
}
