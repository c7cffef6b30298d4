// cmd_shares.c - heddle study: simulates a share of a study that was planned in a folder, merges
// the shares, shows how far they are, cancels them.
#include "cmd/cmd_folder.h"
#include "cmd/cmd_slurm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SHARES_MAX 1000000

static const struct hd_cmd planned[] = {
    // commands whose runs can be shared out
    {.name = "compare", .bit = HD_CMD_COMPARE, .run = hd_cmd_compare},
    {.name = "paper", .bit = HD_CMD_PAPER, .run = hd_cmd_paper},
};

static const char *plural(unsigned n)
{
    return n == 1 ? "" : "s";
}

// The command of the plan, with the options that hold for this process alone.
static int run_planned(const struct hd_cmd_options *o, struct hd_cmd_folder *in, const char *db,
                       struct hd_diag *d)
{
    const struct hd_studyplan *p = &in->plan;
    struct hd_cmd_options own = {.arena = o->arena, .line = "heddle", .db_wait = o->db_wait};
    const struct hd_cmd *cmd = NULL;
    char **words = HD_ARRAY(o->arena, char *, p->n_words + 1);

    for (size_t i = 0; i < sizeof planned / sizeof *planned; i++)
        if (!strcmp(p->words[0], planned[i].name))
            cmd = &planned[i];
    for (unsigned i = 0; i < p->n_words; i++) {
        words[i] = hd_arena_strdup(o->arena, p->words[i]);
        own.line = hd_arena_printf(o->arena, "%s %s", own.line,
                                   hd_cmd_options_quoted(o->arena, p->words[i]));
    }
    if (!cmd) {
        hd_diag_add(d, in->folder.plan, 0, 0, "the command '%.60s' cannot be shared out",
                    p->words[0]);
    } else if (chdir(p->folder)) {
        hd_diag_hint(hd_diag_add(d, in->folder.plan, 0, 0,
                                 "the study was planned in %s, which cannot be entered here: %s",
                                 p->folder, strerror(errno)),
                     "inputs are found from there: this host must see that folder, too");
    } else if (hd_cmd_options_parse(cmd, (int)p->n_words - 1, words + 1, &own, d)) {
        own.in = in;
        own.db = db;
        own.db_wait = o->db_wait;
        own.quiet = o->quiet;
        own.jobs = o->jobs ? o->jobs : own.jobs;
        if (in->does == HD_CMD_FOLDER_SHARE) // it has no results of the whole study
            own.json = own.csv = own.plot = own.html = own.markdown = NULL;
        return cmd->run(&own);
    }
    return hd_cmd_options_fail(d);
}

static bool read_share(const struct hd_cmd_options *o, struct hd_cmd_folder *in, struct hd_diag *d)
{
    static const char hint[] = "for example --shard 3/16: the third of 16 shares";
    const char *text = o->shard ? o->shard : "";
    char *end, *rest;
    unsigned long i = strtoul(text, &end, 10), n = *end == '/' ? strtoul(end + 1, &rest, 10) : 0;

    if (!o->shard) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "study run needs --shard I/N"), hint);
        return false;
    }
    if (text[0] < '0' || text[0] > '9' || *end != '/' || end[1] < '0' || end[1] > '9' || *rest) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "--shard %.60s: expected I/N", text), hint);
        return false;
    }
    if (n < 1 || n > SHARES_MAX || i < 1 || i > n) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "--shard %.60s: shares are counted from 1 to N, and N is at most "
                                 "%d",
                                 text, SHARES_MAX),
                     hint);
        return false;
    }
    in->share = (unsigned)i;
    in->shares = (unsigned)n;
    return true;
}

static int run_share(const struct hd_cmd_options *o, const char *path)
{
    struct hd_cmd_folder in = {.does = HD_CMD_FOLDER_SHARE};
    struct hd_folder *f = &in.folder;
    struct hd_diag d = {0};

    if (!read_share(o, &in, &d) || !hd_folder_open(f, o->arena, path, false, &d) ||
        !hd_folder_read(f, &in.plan, &d))
        return hd_cmd_options_fail(&d);
    in.lock = hd_folder_take(hd_folder_shard(f, in.share, in.shares, "lock"),
                             "simulates this share", (unsigned)o->db_wait, &d);
    if (in.lock < 0)
        return hd_cmd_options_fail(&d);
    return run_planned(o, &in, hd_folder_shard(f, in.share, in.shares, "db"), &d);
}

static int merge(const struct hd_cmd_options *o, const char *path)
{
    struct hd_cmd_folder in = {.does = HD_CMD_FOLDER_MERGE};
    struct hd_folder *f = &in.folder;
    struct hd_diag d = {0};

    if (!hd_folder_open(f, o->arena, path, false, &d) || !hd_folder_read(f, &in.plan, &d) ||
        hd_folder_take(f->lock, HD_CMD_FOLDER_BUSY, (unsigned)o->db_wait, &d) < 0 ||
        !hd_folder_merge(f, &in.plan, (unsigned)o->db_wait, &d))
        return hd_cmd_options_fail(&d);
    return run_planned(o, &in, f->results, &d);
}

static bool show_jobs(const struct hd_cmd_options *o, const struct hd_folder *f, struct hd_diag *d)
{
    struct hd_cmd_slurm jobs;

    if (!hd_cmd_slurm_read(f, &jobs, d) || !hd_cmd_slurm_ask(o->arena, &jobs, d))
        return false;
    if (jobs.array)
        printf("job %s: %u tasks wait, %u run%s%s\n", jobs.array, jobs.pending, jobs.running,
               jobs.merge ? ", with those of merging job " : "", jobs.merge ? jobs.merge : "");
    return true;
}

static int cancel(const struct hd_cmd_options *o, const char *path)
{
    struct hd_cmd_slurm jobs;
    struct hd_diag d = {0};
    struct hd_folder f;

    if (!hd_folder_open(&f, o->arena, path, false, &d) || !hd_cmd_slurm_read(&f, &jobs, &d))
        return hd_cmd_options_fail(&d);
    if (!jobs.array) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "the study was not submitted to a cluster"),
                     "end the processes of its shares where they run; they lose no finished run");
        return hd_cmd_options_fail(&d);
    }
    if (!hd_cmd_slurm_ask(o->arena, &jobs, &d))
        return hd_cmd_options_fail(&d);
    if (jobs.pending + jobs.running && !hd_cmd_slurm_cancel(o->arena, &jobs, &d))
        return hd_cmd_options_fail(&d);
    if (!o->quiet)
        printf(jobs.pending + jobs.running
                   ? "job %s was cancelled; the command that planned the study continues it\n"
                   : "job %s is not in the queue any more\n",
               jobs.array);
    return HD_EXIT_OK;
}

static int status(const struct hd_cmd_options *o, const char *path)
{
    struct hd_diag d = {0};
    struct hd_folder f;
    struct hd_studyplan p;
    struct hd_folder_counts c;

    if (!hd_folder_open(&f, o->arena, path, false, &d) || !hd_folder_read(&f, &p, &d))
        return hd_cmd_options_fail(&d);
    bool good = hd_folder_count(&f, &p, (unsigned)o->db_wait, &c, &d);
    printf("heddle");
    for (unsigned i = 0; i < p.n_words; i++)
        printf(" %s", hd_cmd_options_quoted(o->arena, p.words[i]));
    printf("\n%u run%s: %u done, %u ended without a result, %u missing\n", p.n_runs,
           plural(p.n_runs), c.stored, c.ended, c.missing);
    for (size_t i = 0; i < c.n_shards; i++)
        if (c.shards[i].running)
            printf("share %u of %u: running, %u of %u done, %s\n", c.shards[i].share,
                   c.shards[i].shares, c.shards[i].done, c.shards[i].of, c.shards[i].holder);
    good = show_jobs(o, &f, &d) && good;
    if (!good)
        return hd_cmd_options_fail(&d);
    return c.stored == p.n_runs ? HD_EXIT_OK : HD_EXIT_CHECK;
}

int hd_cmd_shares(struct hd_cmd_options *o)
{
    static const char *const verbs[] = {"run", "status", "merge", "cancel", NULL};
    const char *verb = o->args.n ? o->args.items[0] : "";
    const char *folder = o->args.n == 2 ? o->args.items[1] : NULL;
    struct hd_diag d = {0};

    if (o->shard && strcmp(verb, "run") != 0 && folder)
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "--shard is for 'heddle study run'"),
                     "'heddle study %s FOLDER' takes all shares", verb);
    else if (folder && !strcmp(verb, "run"))
        return run_share(o, folder);
    else if (folder && !strcmp(verb, "status"))
        return status(o, folder);
    else if (folder && !strcmp(verb, "merge"))
        return merge(o, folder);
    else if (folder && !strcmp(verb, "cancel"))
        return cancel(o, folder);
    else if (!strcmp(verb, "run") || !strcmp(verb, "status") || !strcmp(verb, "merge") ||
             !strcmp(verb, "cancel"))
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "study %s takes one folder", verb),
                     "the one that 'heddle compare ... --study FOLDER' made");
    else {
        struct hd_diag_entry *e =
            *verb ? hd_diag_add(&d, NULL, 0, 0, "there is no command 'study %.60s'", verb)
                  : hd_diag_add(&d, NULL, 0, 0, "what is to be done with which study?");
        hd_diag_nearest(e, verb, verbs);
        if (!e->hint[0])
            hd_diag_hint(e, "expected 'study run FOLDER --shard I/N' or 'study status|merge|cancel "
                            "FOLDER'");
    }
    return hd_cmd_options_fail(&d);
}
