// cmd_shares.c - heddle study: simulates a share of a study that was planned in a folder, merges
// the shares, shows how far they are, cancels them; writes one report of several studies.
#include "cmd/cmd_folder.h"
#include "cmd/cmd_slurm.h"

#include "heddle/version.h"
#include "present/html.h"

#include <errno.h>
#include <limits.h>
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
                                   hd_cmd_words_quoted(o->arena, p->words[i]));
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
        if (o->collect) { // nor are files or tables written of each that a report shows
            own.collect = o->collect;
            own.json = own.csv = own.plot = own.markdown = NULL;
            own.html = o->html ? o->html : o->plot;
            own.quiet = true;
            hd_out_printf(&own.collect->commands, "%s\n", own.line);
        }
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

static const char *absolute(struct hd_arena *a, const char *path)
{
    char here[PATH_MAX];

    if (!path || *path == '/' || !strcmp(path, "-") || !getcwd(here, sizeof here))
        return path;
    return hd_arena_printf(a, "%s/%s", here, path);
}

static const char *base_name(struct hd_arena *a, const char *path)
{
    size_t n = strlen(path);

    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t first = n;
    while (first && path[first - 1] != '/')
        first--;
    return hd_arena_strndup(a, path + first, n - first);
}

// The figures and tables of one merged study go to o->collect. Returns its exit status.
static int add_study(const struct hd_cmd_options *o, const char *path, struct hd_diag *d)
{
    struct hd_cmd_folder *in = HD_NEW(o->arena, hd_cmd_folder);
    struct hd_folder *f = &in->folder;

    in->does = HD_CMD_FOLDER_MERGE;
    if (!hd_folder_open(f, o->arena, path, false, d) || !hd_folder_read(f, &in->plan, d) ||
        hd_folder_take(f->lock, HD_CMD_FOLDER_BUSY, (unsigned)o->db_wait, d) < 0 ||
        !hd_folder_merge(f, &in->plan, (unsigned)o->db_wait, d))
        return hd_cmd_options_fail(d);
    o->collect->number++;
    o->collect->name = base_name(o->arena, path);
    return run_planned(o, in, f->results, d);
}

static bool write_report(const struct hd_cmd_options *o)
{
    const struct hd_cmd_collect *c = o->collect;
    struct hd_html h = {.title = "heddle: several studies",
                        .subtitle = hd_arena_printf(o->arena, "Studies: %u. heddle %s, model %d.",
                                                    c->number, HD_VERSION, HD_MODEL),
                        .sheets = &c->sheets,
                        .details = &c->details,
                        .command = c->commands.text};
    struct hd_diag d = {0};
    bool good = !o->plot || hd_html_plot(&c->sheets, o->plot, !o->quiet, &d);

    hd_diag_print(&d, stderr);
    return (!o->html || hd_cmd_html_write(o, &h)) && good;
}

static int report(struct hd_cmd_options *o)
{
    struct hd_cmd_collect collected = {.sheets = {.arena = o->arena},
                                       .details = {.arena = o->arena}};
    struct hd_diag d = {0};
    int worst = HD_EXIT_OK;

    collected.commands.arena = o->arena;
    if (!o->html && !o->plot) {
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "study report needs --html FILE or --plot FILE"),
                     "for example --html report.html");
        return hd_cmd_options_fail(&d);
    }
    if (o->plot && !hd_chart_format(o->plot, &d))
        return hd_cmd_options_fail(&d);
    o->html = absolute(o->arena, o->html); // each study is shown from its own working folder
    o->plot = absolute(o->arena, o->plot);
    o->collect = &collected;
    for (size_t i = 1; i < o->args.n; i++)
        o->args.items[i] = absolute(o->arena, o->args.items[i]);
    for (size_t i = 1; i < o->args.n; i++) {
        size_t before = collected.sheets.n;
        int status = add_study(o, o->args.items[i], &d);
        if (collected.sheets.n == before)
            return status; // it cannot be shown
        worst = status > worst ? status : worst;
    }
    return write_report(o) ? worst : HD_EXIT_USER;
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
        printf(" %s", hd_cmd_words_quoted(o->arena, p.words[i]));
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
    static const char *const verbs[] = {"run", "status", "merge", "report", "cancel", NULL};
    const char *verb = o->args.n ? o->args.items[0] : "";
    const char *folder = o->args.n == 2 ? o->args.items[1] : NULL;
    struct hd_diag d = {0};

    if (o->shard && strcmp(verb, "run") != 0 && folder)
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "--shard is for 'heddle study run'"),
                     "'heddle study %s FOLDER' takes all shares", verb);
    else if ((o->html || o->plot) && strcmp(verb, "report") != 0 && folder)
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "--html and --plot are for 'heddle study report'"),
                     "'heddle study merge' writes the files that the study's command named");
    else if (o->args.n > 1 && !strcmp(verb, "report"))
        return report(o);
    else if (folder && !strcmp(verb, "run"))
        return run_share(o, folder);
    else if (folder && !strcmp(verb, "status"))
        return status(o, folder);
    else if (folder && !strcmp(verb, "merge"))
        return merge(o, folder);
    else if (folder && !strcmp(verb, "cancel"))
        return cancel(o, folder);
    else if (!strcmp(verb, "report"))
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0, "study report takes the folders of studies"),
                     "for example 'heddle study report ONE TWO --html report.html'");
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
            hd_diag_hint(e, "expected 'study run FOLDER --shard I/N' or "
                            "'study status|merge|report|cancel FOLDER'");
    }
    return hd_cmd_options_fail(&d);
}
