// cmd_slurm.c - see cmd_slurm.h.
#include "cmd/cmd_slurm.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define TASKS 100 // unless --array says otherwise
#define NOT_FOUND 127

extern char **environ;

bool hd_cmd_slurm_check(const struct hd_cmd_options *o, struct hd_diag *d)
{
    static const char *const known[] = {"slurm", NULL};
    const char *needs = o->array        ? "--array"
                        : o->time_limit ? "--time"
                        : o->partition  ? "--partition"
                                        : NULL;

    if (!o->cluster && needs) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s is for jobs of a cluster", needs),
                     "add --cluster slurm, or remove it");
        return false;
    }
    if (!o->cluster || !strcmp(o->cluster, known[0]))
        return true;
    struct hd_diag_entry *e =
        hd_diag_add(d, NULL, 0, 0, "--cluster %.60s: heddle cannot submit jobs there", o->cluster);
    hd_diag_nearest(e, o->cluster, known);
    if (!e->hint[0])
        hd_diag_hint(e, "expected slurm; docs/cluster.md shows other engines");
    return false;
}

// Runs a program to its end. Returns its exit status, with what it printed.
static int start(struct hd_arena *a, const char *const *words, const char **out, const char **err)
{
    int to = memfd_create("heddle-out", MFD_CLOEXEC),
        talk = memfd_create("heddle-err", MFD_CLOEXEC);
    char **own;
    posix_spawn_file_actions_t files;
    size_t n = 0;
    pid_t pid;
    int status = 0;

    while (words[n])
        n++;
    own = HD_ARRAY(a, char *, n + 1);
    for (size_t i = 0; i < n; i++)
        own[i] = hd_arena_strdup(a, words[i]);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, to, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, talk, STDERR_FILENO);
    int why = posix_spawnp(&pid, own[0], &files, NULL, own, environ);
    posix_spawn_file_actions_destroy(&files);
    while (!why && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    *out = hd_file_all(a, to, NULL);
    *err = hd_file_all(a, talk, NULL);
    close(to);
    close(talk);
    if (why)
        *err = strerror(why);
    return why ? NOT_FOUND : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool refuse(const char *program, int status, const char *err, struct hd_diag *d)
{
    if (status == NOT_FOUND)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "cannot start %s: %s", program, err),
                     "Slurm's commands must be in PATH; without them, 'heddle study run' does the "
                     "shares");
    else
        hd_diag_add(d, NULL, 0, 0, "%s failed, exit status %d: %.*s", program, status,
                    (int)strcspn(err, "\n"), *err ? err : "it said nothing");
    return false;
}

// The number that begins the text; NULL: none does.
static const char *number_in(struct hd_arena *a, const char *text)
{
    size_t n = strspn(text, "0123456789");

    return n && n < 20 && strchr("\n; \t", text[n]) ? hd_arena_strndup(a, text, n) : NULL;
}

bool hd_cmd_slurm_read(const struct hd_folder *f, struct hd_cmd_slurm *out, struct hd_diag *d)
{
    const char *path = hd_folder_file(f, "slurm");
    char why[HD_FILE_WHY];
    size_t bytes;

    *out = (struct hd_cmd_slurm){0};
    if (access(path, F_OK))
        return true;
    const char *text = (const char *)hd_file_read(f->arena, path, &bytes, why);
    if (text && !strncmp(text, "array ", 6))
        out->array = number_in(f->arena, text + 6);
    const char *second = text ? strchr(text, '\n') : NULL;
    if (second && !strncmp(second + 1, "merge ", 6))
        out->merge = number_in(f->arena, second + 7);
    if (out->array)
        return true;
    hd_diag_hint(hd_diag_add(d, path, 1, 0, "expected 'array', a blank and the number of a job"),
                 "if none of the study's jobs is in the queue, remove this file");
    return false;
}

static bool keep(const struct hd_folder *f, const struct hd_cmd_slurm *jobs, struct hd_diag *d)
{
    const char *text =
        hd_arena_printf(f->arena, "array %s\n%s%s%s", jobs->array, jobs->merge ? "merge " : "",
                        jobs->merge ? jobs->merge : "", jobs->merge ? "\n" : "");
    char why[HD_FILE_WHY];

    if (hd_file_write(hd_folder_file(f, "slurm"), text, strlen(text), why))
        return true;
    hd_diag_add(d, NULL, 0, 0, "job %s was submitted, but its number cannot be kept: %s",
                jobs->array, why);
    return false;
}

bool hd_cmd_slurm_ask(struct hd_arena *a, struct hd_cmd_slurm *jobs, struct hd_diag *d)
{
    const char *user = hd_arena_printf(a, "--user=%u", (unsigned)getuid()), *out, *err;
    const char *const words[] = {"squeue", "--noheader", user, "--array", "--format=%F %T", NULL};

    jobs->pending = jobs->running = 0;
    if (!jobs->array)
        return true;
    int status = start(a, words, &out, &err);
    if (status)
        return refuse("squeue", status, err, d);
    for (const char *p = out; *p; p += strcspn(p, "\n") + (p[strcspn(p, "\n")] == '\n')) {
        const char *job = number_in(a, p);
        bool ours =
            job && (!strcmp(job, jobs->array) || (jobs->merge && !strcmp(job, jobs->merge)));
        bool waits = job && !strncmp(p + strlen(job), " PENDING", 8);
        jobs->pending += ours && waits;
        jobs->running += ours && !waits;
    }
    return true;
}

// A script that a job executes, in the folder of the study.
static bool write_script(const struct hd_folder *f, const char *name, const char *text,
                         struct hd_diag *d)
{
    char why[HD_FILE_WHY];

    if (hd_file_write(hd_folder_file(f, name), text, strlen(text), why))
        return true;
    hd_diag_add(d, NULL, 0, 0, "cannot write the script of a job: %s", why);
    return false;
}

// The number of the job that sbatch makes of these words; NULL with a diagnostic.
static const char *submit(struct hd_arena *a, const char *const *words, struct hd_diag *d)
{
    const char *out, *err;
    int status = start(a, words, &out, &err);
    const char *number = number_in(a, out);

    if (status)
        refuse("sbatch", status, err, d);
    else if (!number)
        hd_diag_add(d, NULL, 0, 0, "sbatch printed no number of a job, but '%.*s'",
                    (int)strcspn(out, "\n"), out);
    return status ? NULL : number;
}

struct words { // of sbatch
    const char *items[24];
    size_t n;
};

// What both jobs have in common. The folder of a job's output is the one it starts in, so that its
// name needs no quoting there.
static struct words begin(const struct hd_cmd_options *o, const struct hd_folder *f,
                          const char *does)
{
    struct words w = {.items = {"sbatch", "--parsable", "--requeue", "--open-mode=append",
                                "--nodes=1", "--ntasks=1"},
                      .n = 6};

    w.items[w.n++] = hd_arena_printf(o->arena, "--job-name=heddle-%s", does);
    w.items[w.n++] = hd_arena_printf(o->arena, "--chdir=%s", f->path);
    if (o->time_limit)
        w.items[w.n++] = hd_arena_printf(o->arena, "--time=%s", o->time_limit);
    if (o->partition)
        w.items[w.n++] = hd_arena_printf(o->arena, "--partition=%s", o->partition);
    return w;
}

static bool submit_array(const struct hd_cmd_options *o, const struct hd_folder *f,
                         const char *heddle, unsigned tasks, struct hd_cmd_slurm *out,
                         struct hd_diag *d)
{
    struct hd_arena *a = o->arena;
    struct words w = begin(o, f, "array");
    uint64_t jobs = o->jobs ? o->jobs : 1, threads = o->threads ? o->threads : 1;

    w.items[w.n++] = hd_arena_printf(a, "--array=1-%u", tasks);
    w.items[w.n++] = hd_arena_printf(a, "--cpus-per-task=%" PRIu64, jobs * threads);
    w.items[w.n++] = "--output=logs/%A-%a.log";
    w.items[w.n++] = hd_folder_file(f, "array.sh");
    return write_script(f, "array.sh",
                        hd_arena_printf(a,
                                        "#!/bin/sh\nexec %s study run %s --shard "
                                        "\"$SLURM_ARRAY_TASK_ID/%u\" --jobs %llu\n",
                                        heddle, hd_cmd_words_quoted(a, f->path), tasks,
                                        (unsigned long long)jobs),
                        d) &&
           (out->array = submit(a, w.items, d)) != NULL && keep(f, out, d);
}

static bool submit_merge(const struct hd_cmd_options *o, const struct hd_folder *f,
                         const char *heddle, struct hd_cmd_slurm *out, struct hd_diag *d)
{
    struct hd_arena *a = o->arena;
    struct words w = begin(o, f, "merge");

    // After the tasks have ended, whatever became of them: the results of those that ended well are
    // merged.
    w.items[w.n++] = hd_arena_printf(a, "--dependency=afterany:%s", out->array);
    w.items[w.n++] = "--output=logs/%A.log";
    w.items[w.n++] = hd_folder_file(f, "merge.sh");
    if (write_script(f, "merge.sh",
                     hd_arena_printf(a,
                                     "#!/bin/sh\n%s study merge %s >result.part\nstatus=$?\n"
                                     "[ ! -s result.part ] || mv result.part result.txt\n"
                                     "rm -f result.part\nexit $status\n",
                                     heddle, hd_cmd_words_quoted(a, f->path)),
                     d) &&
        (out->merge = submit(a, w.items, d)))
        return keep(f, out, d);
    hd_diag_add(d, NULL, 0, 0,
                "job %s does the runs, but there is no job that merges them: 'heddle study merge' "
                "does it",
                out->array);
    return false;
}

bool hd_cmd_slurm_submit(const struct hd_cmd_options *o, const struct hd_folder *f, unsigned left,
                         struct hd_cmd_slurm *out, unsigned *tasks, struct hd_diag *d)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *heddle = hd_cmd_words_quoted(
        o->arena, n > 0 ? hd_arena_strndup(o->arena, self, (size_t)n) : "heddle");

    *out = (struct hd_cmd_slurm){0};
    *tasks = o->array ? (unsigned)o->array : TASKS;
    *tasks = left < *tasks ? left : *tasks;
    return submit_array(o, f, heddle, *tasks, out, d) && submit_merge(o, f, heddle, out, d);
}

bool hd_cmd_slurm_cancel(struct hd_arena *a, const struct hd_cmd_slurm *jobs, struct hd_diag *d)
{
    const char *out, *err;
    const char *const words[] = {"scancel", jobs->array, jobs->merge, NULL};
    int status = start(a, words, &out, &err);

    return !status || refuse("scancel", status, err, d);
}
