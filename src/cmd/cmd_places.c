// cmd_places.c - checks where results go before the work begins: each place must be writable, and
// must not be that of another result or of something that is read.
//
// A place is identified by its file, through links and other spellings; if the file does not exist,
// by its folder and last name. The places of outputs and inputs are sorted, so that a job with
// thousands of files needs only one system call for each.
#include "cmd/cmd.h"

#include "base/file.h"
#include "gpgpusim/simmachine.h"
#include "present/chart.h"
#include "present/out.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 16

struct place {
    const char *what, *name;  // for messages: "--json", as it was given
    const struct hd_job *job; // whose line is wrong, NULL: the command line
    struct hd_job_place at;
    size_t order; // in which they were given
    bool output, exists;
    dev_t dev; // if it exists
    ino_t ino;
    char *path; // if it does not
};

struct places {
    struct hd_arena *arena;
    struct place *items;
    size_t n, cap;
};

// The path to which a name that does not exist leads: links are followed, the folder is absolute.
static char *canonical(struct hd_arena *a, const char *name)
{
    char folder[PATH_MAX], link[PATH_MAX];
    ssize_t n;

    for (int i = 0; i < LINKS_MAX && (n = readlink(name, link, sizeof link - 1)) > 0; i++) {
        link[n] = '\0';
        name = hd_file_beside(a, name, link);
    }
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    const char *of = slash ? hd_arena_strndup(a, name, (size_t)(slash - name) + 1) : ".";
    if (!realpath(of, folder))
        return hd_arena_strdup(a, name);
    return hd_arena_printf(a, "%s/%s", folder, last);
}

static struct place *add(struct places *p, const char *what, const char *name, bool output)
{
    struct place *place = HD_PUSH(p->arena, p->items, p->n, p->cap);
    bool standard = output && !strcmp(name, "-");
    struct stat is;

    *place = (struct place){.what = what, .name = name, .output = output, .order = p->n};
    place->exists = standard ? !fstat(STDOUT_FILENO, &is) : !stat(name, &is);
    if (standard)
        place->name = "standard output";
    if (place->exists) {
        place->dev = is.st_dev;
        place->ino = is.st_ino;
    } else {
        place->path = standard ? hd_arena_strdup(p->arena, "-") : canonical(p->arena, name);
    }
    return place;
}

static int same_place(const struct place *a, const struct place *b)
{
    if (a->exists != b->exists)
        return a->exists ? 1 : -1;
    if (!a->exists)
        return strcmp(a->path, b->path);
    if (a->dev != b->dev)
        return a->dev < b->dev ? -1 : 1;
    return a->ino == b->ino ? 0 : a->ino < b->ino ? -1 : 1;
}

static int by_place(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    int order = same_place(x, y);

    return order ? order : x->order < y->order ? -1 : x->order > y->order;
}

static void refuse(const struct place *a, const struct place *b, struct hd_diag *d)
{
    const struct place *out = b->output ? b : a, *other = b->output ? a : b;
    const char *file = out->job ? out->job->path : NULL;

    if (a->output && b->output)
        hd_diag_add(d, file, out->at.line, out->at.column, "%s and %s both go to %s", a->what,
                    b->what, a->name);
    else
        hd_diag_hint(hd_diag_add(d, file, out->at.line, out->at.column, "%s would overwrite %s, %s",
                                 out->what, out->name, other->what),
                     "another name or folder keeps both");
}

// False after a diagnostic for each output that shares its place with something.
static bool apart(struct places *p, struct hd_diag *d)
{
    unsigned before = d->n + d->dropped;

    if (p->n)
        qsort(p->items, p->n, sizeof *p->items, by_place);
    for (size_t first = 0, i = 1; i < p->n; i++) {
        if (same_place(&p->items[first], &p->items[i])) {
            first = i;
            continue;
        }
        if (p->items[first].output || p->items[i].output)
            refuse(&p->items[first], &p->items[i], d);
        if (p->items[i].output && !p->items[first].output)
            first = i;
    }
    return d->n + d->dropped == before;
}

// Whether a file of that name can be written.
static bool can_write(const char *option, const char *path, struct hd_diag *d)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    struct stat is = {0};

    if (!strcmp(path, "-") || strlen(path) >= sizeof folder)
        return true;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1,
             slash ? path : ".");
    if (stat(path, &is) < 0 ? !access(folder, W_OK | X_OK) && (!slash || slash[1])
                            : !S_ISDIR(is.st_mode) && !access(path, W_OK))
        return true;
    hd_diag_add(d, NULL, 0, 0, "%s: cannot write %s: %s", option, path,
                strerror(S_ISDIR(is.st_mode) || (slash && !slash[1]) ? EISDIR : errno));
    return false;
}

// The folder of a job's dumps is made when they are written; if it exists, it must be a folder.
static bool can_fill(const char *folder, struct hd_diag *d)
{
    char part[PATH_MAX];
    struct stat is;

    snprintf(part, sizeof part, "%s", folder);
    while (stat(part, &is) < 0 && errno == ENOENT) {
        char *slash = strrchr(part, '/');
        if (!slash || slash == part)
            snprintf(part, sizeof part, slash ? "/" : ".");
        else
            *slash = '\0';
    }
    if (!stat(part, &is) && S_ISDIR(is.st_mode) && !access(part, W_OK | X_OK))
        return true;
    hd_diag_add(d, NULL, 0, 0, "--out %s: cannot write there: %s", folder,
                strerror(!stat(part, &is) && !S_ISDIR(is.st_mode) ? ENOTDIR : errno));
    return false;
}

static bool can_draw(const char *path, struct hd_diag *d)
{
    const char *at = getenv("PATH");
    char program[PATH_MAX];

    if (!hd_chart_format(path, d))
        return false;
    for (at = at ? at : "/usr/bin:/bin"; *at; at += *at == ':') {
        size_t n = strcspn(at, ":");
        snprintf(program, sizeof program, "%.*s/gnuplot", n ? (int)n : 1, n ? at : ".");
        if (!access(program, X_OK))
            return true;
        at += n;
    }
    hd_diag_hint(
        hd_diag_add(d, NULL, 0, 0, "--plot: figures are drawn by gnuplot, which is missing"),
        "apt-get install gnuplot-nox; tables, CSV and JSON need none");
    return false;
}

// Several results may go to a device: /dev/null, a terminal.
static bool is_device(const char *path)
{
    struct stat is;

    return !stat(path, &is) && S_ISCHR(is.st_mode);
}

static struct places outputs(const struct hd_cmd_options *o)
{
    const char *const names[] = {"--json",     "--csv",      "--timeline", "--stats",
                                 "--html",     "--plot",     "--db",       "--record",
                                 "--markdown", "--annotate", "--plan",     "--konata"};
    const char *const given[] = {o->json,     o->csv,      o->timeline, o->stats ? "-" : NULL,
                                 o->html,     o->plot,     o->db,       o->record,
                                 o->markdown, o->annotate, o->plan,     o->konata};
    struct places p = {.arena = o->arena};
    struct stat is;
    bool taken = false;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        taken |= given[i] && !strcmp(given[i], "-");
        if (given[i] && !is_device(given[i]))
            add(&p, names[i], hd_out_path(o->arena, given[i]), true);
    }
    // If standard output is a file, it exists before a result is renamed to it.
    if (!taken && !fstat(STDOUT_FILENO, &is) && S_ISREG(is.st_mode))
        add(&p, "standard output", "-", true);
    return p;
}

// The files that the command line names for reading.
static void add_inputs(struct places *p, const struct hd_cmd_options *o, bool files)
{
    const char *gpus = o->gpu ? o->gpu : "";

    for (; *gpus; gpus += *gpus == ',') { // a comparison has several
        size_t n = strcspn(gpus, ",");
        const char **all = hd_simmachine_files(p->arena, hd_arena_strndup(p->arena, gpus, n));
        for (; *all; all++)
            add(p, "a file of the machine", *all, false);
        gpus += n;
    }
    for (size_t i = 0; i < o->plugins.n; i++)
        add(p, "a plug-in", o->plugins.items[i], false);
    for (size_t i = 0; i < o->args.n && files; i++)
        if (!access(o->args.items[i], F_OK)) // otherwise a number is a run of a database
            add(p, "which is read", o->args.items[i], false);
}

// Each of several figures has its own name, fig-ID.svg for --plot fig.svg; the IDs are only known
// after the work. So no other result may have such a name.
static bool figures_apart(const struct hd_cmd_options *o, struct hd_diag *d)
{
    const char *const names[] = {"--json", "--csv", "--html", "--markdown", "--db"};
    const char *const given[] = {o->json, o->csv, o->html, o->markdown, o->db};
    const char *dot = o->plot ? strrchr(o->plot, '.') : NULL;
    bool good = true;

    if (!dot)
        return true;
    const char *plot = canonical(o->arena, o->plot);
    size_t stem = strlen(plot) - strlen(dot);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *other = given[i] ? canonical(o->arena, hd_out_path(o->arena, given[i])) : "";
        size_t n = strlen(other);
        if (n <= stem + 1 + strlen(dot) || strncmp(other, plot, stem) != 0 || other[stem] != '-' ||
            strcmp(other + n - strlen(dot), dot) != 0)
            continue;
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0,
                                 "%s %.100s may be the name of a figure of --plot %.100s", names[i],
                                 given[i], o->plot),
                     "several figures go to %.*s-NAME%s; another name keeps both",
                     (int)(dot - o->plot), o->plot, dot);
        good = false;
    }
    return good;
}

bool hd_cmd_places_check(const struct hd_cmd_options *o, bool files, struct hd_diag *d)
{
    const char *const names[] = {"--json",     "--csv",    "--timeline", "--html", "--plot",
                                 "--markdown", "--record", "--annotate", "--plan", "--konata"};
    const char *const given[] = {o->json,     o->csv,    o->timeline, o->html, o->plot,
                                 o->markdown, o->record, o->annotate, o->plan, o->konata};
    struct places p = outputs(o);

    add_inputs(&p, o, files);
    if (!apart(&p, d) || !figures_apart(o, d))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (given[i] && !can_write(names[i], hd_out_path(o->arena, given[i]), d))
            return false;
    if (o->db && !can_write("--db", o->db, d))
        return false;
    return (!o->plot || can_draw(o->plot, d)) && (!o->out || can_fill(o->out, d));
}

bool hd_cmd_places_program(const struct hd_cmd_options *o, const char *path, struct hd_diag *d)
{
    struct places p = outputs(o);

    add(&p, "the program that is run", path, false);
    return apart(&p, d);
}

static void add_beside(struct places *p, const struct hd_job *j, const char *what,
                       const struct hd_job_file *f)
{
    if (f->name)
        add(p, what, hd_file_beside(p->arena, j->path, f->name), false);
}

// Files of registers beside a module: its own, and those of the targets that --regs names.
static void add_regs(struct places *p, const struct hd_cmd_options *o, const char *ptx)
{
    const char *what = "the registers of the kernels", *word = o->regs ? o->regs : "";

    add(p, what, hd_jobregs_path(p->arena, ptx, NULL), false);
    while (*word) { // of compare they are a list
        size_t n = strcspn(word, ",");
        struct hd_jobregs_choice choice;
        if (hd_jobregs_choose(hd_arena_strndup(p->arena, word, n), &choice) && choice.word &&
            !choice.each)
            add(p, what, hd_jobregs_path(p->arena, ptx, choice.word), false);
        word += n + (word[n] != '\0');
    }
}

static void add_job(struct places *p, const struct hd_cmd_options *o, const struct hd_job *j,
                    const char *dumps)
{
    add(p, "the job itself", j->path, false);
    for (size_t i = 0; i < j->n_modules; i++) {
        add(p, "a module of the job", j->modules[i].path, false);
        add_regs(p, o, j->modules[i].path);
    }
    for (size_t i = 0; i < j->n_bufs; i++)
        add_beside(p, j, "which a buffer of the job is read from", &j->bufs[i].file);
    for (size_t i = 0; i < j->n_consts; i++)
        add_beside(p, j, "which a variable of the job is read from", &j->consts[i].file);
    for (size_t i = 0; i < j->n_checks; i++)
        add_beside(p, j, "which the job's results are compared with", &j->checks[i].file);
    for (size_t i = 0; i < j->n_dumps && dumps; i++) {
        struct place *place =
            add(p, "a dump of the job", hd_arena_printf(p->arena, "%s/%s", dumps, j->dumps[i].file),
                true);
        place->job = j;
        place->at = j->dumps[i].file_at;
    }
}

bool hd_cmd_places_item(const struct hd_cmd_options *o, const struct hd_workloads_item *item,
                        const char *word, const char *dumps, struct hd_diag *d)
{
    struct places p = outputs(o);
    struct hd_diag ignored = {0}; // a module that is missing is reported when it is loaded
    const char *ptx;

    if (item->job)
        add_job(&p, o, item->job, dumps);
    else if (item->trace)
        add(&p, "the trace that is replayed", word, false);
    else if (hd_workloads_module(item, o->arena, &ptx, &ignored)) {
        add(&p, "the workload's module", ptx, false);
        add_regs(&p, o, ptx);
    }
    return apart(&p, d);
}
