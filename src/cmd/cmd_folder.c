// cmd_folder.c - a study that several processes share out: what compare and paper do differently.
//
// Each process plans the study again from the command in its plan, and checks that it comes to the
// same runs; then it simulates its share, or shows what all shares have stored. So a share and a
// merge are compare and paper as they always are, with some of their runs done elsewhere.
#include "cmd/cmd_folder.h"

#include "cmd/cmd_slurm.h"

#include "study/outcome.h"

#include <errno.h>
#include <limits.h>
#include <sha256.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *plural(unsigned n)
{
    return n == 1 ? "" : "s";
}

static bool alone(const char *one, const char *other, bool given, const char *hint,
                  struct hd_diag *d)
{
    if (given)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s cannot be used with %s", other, one), "%s",
                     hint);
    return !given;
}

// The folder of a study that was given no name: the same command has the same.
static const char *own_name(const struct hd_cmd_options *o)
{
    SHA256_CTX s;
    char hex[SHA256_DIGEST_STRING_LENGTH];

    SHA256Init(&s);
    for (size_t i = 0; i < o->words.n; i++)
        SHA256Update(&s, (const uint8_t *)o->words.items[i], strlen(o->words.items[i]) + 1);
    SHA256End(&s, hex);
    return hd_arena_printf(o->arena, "%s-%.8s.study", o->words.items[0], hex);
}

bool hd_cmd_folder_check(struct hd_cmd_options *o, struct hd_diag *d)
{
    if (o->in)
        return true;
    if (!hd_cmd_slurm_check(o, d))
        return false;
    if (o->cluster && !o->folder)
        o->folder = own_name(o);
    if (!o->folder)
        return true;
    o->in = HD_NEW(o->arena, hd_cmd_folder);
    return alone("--study", "--db", o->db != NULL, "results are in FOLDER/results.db", d) &&
           alone("--study", "--out", o->out != NULL,
                 "dumps are made where the runs are; 'heddle run' makes those of one job", d) &&
           alone("--study", "--readings", o->readings != NULL,
                 "its runs depend on each other; with --db FILE several processes share them", d);
}

// The runs must be those of the plan.
static bool choose(void *ctx, struct hd_study *s, struct hd_diag *d)
{
    struct hd_cmd_folder *in = ctx;
    struct hd_studyplan now;

    if (!hd_studyplan_make(s, in->plan.folder, in->plan.words, in->plan.n_words, &now, d) ||
        !hd_studyplan_same(&in->plan, in->folder.plan, &now, d))
        return false;
    if (in->does == HD_CMD_FOLDER_SHARE) {
        in->runs = hd_studyplan_share(&in->plan, s, in->share, in->shares);
        s->distinct = in->runs;
    } else {
        hd_studyplan_check(&in->plan, s);
    }
    return true;
}

static void note(void *ctx, const struct hd_study *s)
{
    const struct hd_cmd_folder *in = ctx;

    hd_folder_note(in->lock, s->found + s->ran, in->runs);
}

void hd_cmd_folder_join(const struct hd_cmd_options *o, struct hd_study *s)
{
    if (!o->in || o->in->does == HD_CMD_FOLDER_PLAN)
        return;
    s->choose = choose;
    s->ctx = o->in;
    s->ended = o->in->does == HD_CMD_FOLDER_SHARE ? note : NULL;
    s->stored_only = o->in->does == HD_CMD_FOLDER_MERGE;
}

static void say_planned(const struct hd_cmd_options *o, const struct hd_studyplan *p)
{
    const char *folder = hd_cmd_words_quoted(o->arena, o->folder);
    unsigned left = hd_studyplan_left(p);

    if (o->quiet)
        return;
    printf("%u run%s planned in %s, %u of them done\n", p->n_runs, plural(p->n_runs), folder,
           p->n_runs - left);
    if (left)
        printf("next: heddle study run %s --shard I/N for each I from 1 to N, in any order\n"
               "then: heddle study merge %s\n",
               folder, folder);
    else
        printf("next: heddle study merge %s\n", folder);
}

// Merges the shares, so that the plan knows which runs are left, and writes the plan.
static bool write_plan(const struct hd_cmd_options *o, struct hd_studyplan *now, struct hd_diag *d)
{
    const struct hd_folder *f = &o->in->folder;
    struct hd_folder_counts counts;
    struct hd_studyplan before;
    struct hd_diag damaged = {0};

    if (!access(f->plan, F_OK)) {
        if (!hd_folder_read(f, &before, &damaged)) {
            hd_diag_print(&damaged, stderr);
            fprintf(stderr, "heddle: the plan of the study is written again\n");
        } else if (!hd_studyplan_same(&before, f->plan, now, d)) {
            return false;
        }
    }
    return hd_folder_merge(f, now, (unsigned)o->db_wait, d) &&
           hd_folder_count(f, now, (unsigned)o->db_wait, &counts, d) && hd_folder_write(f, now, d);
}

// Whether jobs of the study are in the queue: says so. Also false with a diagnostic.
static bool queued(const struct hd_cmd_options *o, struct hd_diag *d)
{
    struct hd_cmd_slurm jobs;

    if (!hd_cmd_slurm_read(&o->in->folder, &jobs, d) || !hd_cmd_slurm_ask(o->arena, &jobs, d) ||
        !(jobs.pending + jobs.running))
        return false;
    printf("job %s of this study is in the queue: %u tasks wait, %u run; nothing is submitted\n"
           "heddle study status %s shows what is done, heddle study cancel ends it\n",
           jobs.array, jobs.pending, jobs.running, hd_cmd_words_quoted(o->arena, o->folder));
    return true;
}

static int submit(const struct hd_cmd_options *o, const struct hd_studyplan *p, struct hd_diag *d)
{
    const struct hd_folder *f = &o->in->folder;
    unsigned left = hd_studyplan_left(p), tasks;
    struct hd_cmd_slurm jobs;

    if (!hd_cmd_slurm_submit(o, f, left, &jobs, &tasks, d))
        return hd_cmd_options_fail(d);
    if (!o->quiet)
        printf("%u run%s planned in %s, %u of them done\n"
               "job %s does the rest in %u task%s, then job %s merges into result.txt there\n"
               "the same command continues the study if tasks fail; heddle study status %s\n",
               p->n_runs, plural(p->n_runs), hd_cmd_words_quoted(o->arena, o->folder),
               p->n_runs - left, jobs.array, tasks, plural(tasks), jobs.merge,
               hd_cmd_words_quoted(o->arena, o->folder));
    return HD_EXIT_OK;
}

// Returns the exit status, or HD_CMD_FOLDER_SHOW if nothing is left to do but to show the results.
static int plan(struct hd_cmd_options *o, struct hd_study *s, struct hd_diag *d)
{
    struct hd_folder *f = &o->in->folder;
    struct hd_studyplan now;
    char folder[PATH_MAX];

    if (!getcwd(folder, sizeof folder)) {
        hd_diag_add(d, NULL, 0, 0, "the working folder cannot be found: %s", strerror(errno));
        return hd_cmd_options_fail(d);
    }
    if (!hd_studyplan_make(s, folder, o->words.items, (unsigned)o->words.n, &now, d) ||
        !hd_folder_open(f, o->arena, o->folder, true, d) ||
        hd_folder_take(f->lock, HD_CMD_FOLDER_BUSY, (unsigned)o->db_wait, d) < 0)
        return hd_cmd_options_fail(d);
    if (o->cluster && (queued(o, d) || d->n))
        return d->n ? hd_cmd_options_fail(d) : HD_EXIT_OK;
    if (!write_plan(o, &now, d))
        return hd_cmd_options_fail(d);
    if (o->cluster && !hd_studyplan_left(&now)) {
        o->in->plan = now;
        return HD_CMD_FOLDER_SHOW;
    }
    if (o->cluster)
        return submit(o, &now, d);
    say_planned(o, &now);
    return HD_EXIT_OK;
}

// 0 if every run of the share has a result; else the worst status of those that have none.
static int share_exit(const struct hd_study *s)
{
    int worst = HD_EXIT_OK;

    for (unsigned i = 0; i < s->n_runs; i++) {
        const struct hd_study_run *run = &s->runs[i];
        if (run->others || run->same || hd_outcome_lasting(run->any_json, run->status))
            continue;
        fprintf(stderr, "heddle: %s: exit status %d\n%s", run->label, run->status, run->messages);
        worst = run->status > worst ? run->status : worst;
    }
    return worst;
}

static int simulate(const struct hd_cmd_options *o, struct hd_study *s)
{
    const struct hd_cmd_folder *in = o->in;

    note(o->in, s);
    if (!hd_study_start(s))
        return hd_cmd_study_interrupted(o, s);
    if (!o->quiet)
        printf("share %u of %u: %u run%s: %u stored before, %u simulated now\n", in->share,
               in->shares, in->runs, plural(in->runs), s->found, s->ran);
    int status = share_exit(s);
    return hd_cmd_study_stored(s) || status > HD_EXIT_USER ? status : HD_EXIT_USER;
}

// Whether all results are there; else says what to do.
static bool is_whole(const struct hd_cmd_options *o, const struct hd_study *s, struct hd_diag *d)
{
    if (s->found == s->distinct)
        return true;
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%u of %u runs are missing in %s",
                             s->distinct - s->found, s->distinct, o->in->folder.path),
                 "'heddle study status' says where; the command that planned the study continues "
                 "it");
    return false;
}

// All runs were done before: the study goes on with what is stored. False with the exit status.
static bool show_stored(struct hd_cmd_options *o, struct hd_study *s, int *status,
                        struct hd_diag *d)
{
    o->in->does = HD_CMD_FOLDER_MERGE;
    hd_cmd_folder_join(o, s);
    s->found = 0;
    s->db = hd_database_open(o->in->folder.results, true, (unsigned)o->db_wait, d);
    if (s->db && hd_study_plan(s, d) && is_whole(o, s, d))
        return true;
    hd_cmd_study_stored(s);
    *status = hd_cmd_options_fail(d);
    return false;
}

bool hd_cmd_folder_ends(struct hd_cmd_options *o, struct hd_study *s, int *status,
                        struct hd_diag *d)
{
    if (!o->in)
        return false;
    switch (o->in->does) {
    case HD_CMD_FOLDER_PLAN:
        *status = plan(o, s, d);
        return *status != HD_CMD_FOLDER_SHOW || !show_stored(o, s, status, d);
    case HD_CMD_FOLDER_SHARE:
        *status = simulate(o, s);
        return true;
    case HD_CMD_FOLDER_MERGE:
        if (is_whole(o, s, d))
            return false;
        hd_cmd_study_stored(s);
        *status = hd_cmd_options_fail(d);
        return true;
    }
    return false;
}
