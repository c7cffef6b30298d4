// cmd_exec_results.c - result files of heddle exec, when the program starts others that use the
// GPU.
//
// Every process that used the GPU writes its results when it ends, independently of the others. So
// each writes to its own name beside the requested file, and when the program has ended they are
// renamed: FILE is that of the first process, FILE.2 that of its second machine, and FILE.PROCESS
// that of another process. A process that outlives heddle leaves its results under the longer name.
// If the user gave every process a name ("%p"), or if no file can be made beside FILE, the
// processes write to the requested name.
#include "cmd/cmd_exec.h"

#include "base/diag.h"
#include "present/out.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *hd_cmd_exec_absolute(struct hd_arena *a, const char *path)
{
    char here[PATH_MAX];

    if (!path || path[0] == '/' || !strcmp(path, "-") || !getcwd(here, sizeof here))
        return path;
    return hd_arena_printf(a, "%s/%s", here, path);
}

static const char *folder_of(struct hd_arena *a, const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? hd_arena_strndup(a, path, (size_t)(slash - path) + 1) : "./";
}

// No file of an earlier heddle, which may have had the same number, begins with it.
static const char *new_stem(struct hd_arena *a, const char *target)
{
    const char *stem = hd_arena_printf(a, "%s.%ld-", target, (long)getpid());
    const char *folder = folder_of(a, stem);
    size_t n;

    for (unsigned i = 1;; i++) {
        hd_cmd_exec_results_list(a, folder, stem + strlen(folder), &n);
        if (!n)
            return stem;
        stem = hd_arena_printf(a, "%s.%ld.%u-", target, (long)getpid(), i);
    }
}

struct hd_cmd_exec_result hd_cmd_exec_results_before(struct hd_arena *a, const char *path)
{
    struct hd_cmd_exec_result r = {.path = path};
    char real[PATH_MAX];

    if (!path)
        return r;
    r.given = hd_cmd_exec_absolute(a, path);
    r.shared = strcmp(path, "-") != 0 && !strstr(r.given, "%p");
    if (!r.shared)
        return r;
    r.existed = !stat(r.given, &r.was);
    if (r.existed && !S_ISREG(r.was.st_mode))
        return r;
    // Follows links, so that their target is replaced and not the link.
    r.target = r.existed && realpath(r.given, real) ? hd_arena_strdup(a, real) : r.given;
    if (strstr(r.target, "%p") || access(folder_of(a, r.target), W_OK | X_OK) != 0 ||
        (!r.existed && !lstat(r.given, &r.was)))
        return r;
    r.stem = new_stem(a, r.target);
    r.given = hd_arena_printf(a, "%s%%p", r.stem);
    return r;
}

const char *hd_cmd_exec_results_name(struct hd_arena *a, const char *path, const char *process,
                                     const char *machine, bool first)
{
    struct hd_out name = {.arena = a};

    if (!strcmp(path, "-"))
        return path;
    if (!strstr(path, "%p"))
        return first ? hd_arena_printf(a, "%s%s", path, machine)
                     : hd_arena_printf(a, "%s.%s%s", path, process, machine);
    for (const char *mark; (mark = strstr(path, "%p")); path = mark + 2) {
        hd_out_add(&name, path, (size_t)(mark - path));
        hd_out_add(&name, process, strlen(process));
    }
    hd_out_printf(&name, "%s%s", path, machine);
    return name.text;
}

// A process that started later has a greater number, until the system begins again with small
// ones: those are smaller than heddle's own, which started before all of them.
static int by_start(const void *a, const void *b)
{
    const char *x = *(const char *const *)a, *y = *(const char *const *)b;
    bool x_small = strtol(x, NULL, 10) < getpid(), y_small = strtol(y, NULL, 10) < getpid();

    return x_small == y_small ? strverscmp(x, y) : x_small - y_small;
}

const char **hd_cmd_exec_results_list(struct hd_arena *a, const char *folder, const char *prefix,
                                      size_t *n)
{
    DIR *dir = opendir(folder);
    const char **names = NULL;
    size_t cap = 0, length = strlen(prefix);

    *n = 0;
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (!strncmp(e->d_name, prefix, length) && e->d_name[length] >= '0' &&
            e->d_name[length] <= '9')
            *HD_PUSH(a, names, *n, cap) = hd_arena_strdup(a, e->d_name + length);
    if (dir)
        closedir(dir);
    if (*n)
        qsort(names, *n, sizeof *names, by_start);
    return names;
}

// N is the number of processes whose results had to be distinguished.
static void note_others(const struct hd_cmd_exec_result *r, unsigned n, const char *first)
{
    struct hd_diag d = {0};

    hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                             "%u processes used the GPU: %.120s has the results of process %s, "
                             "%.120s.PROCESS those of each other",
                             n, r->path, first, r->path),
                 "with %%p in its name each gets a file with its number");
    hd_diag_print(&d, stderr);
}

// If the program or its libraries have already reported what went wrong, there is nothing to add.
// But a file of an earlier run must not be taken for this run's.
static void note_missing(const struct hd_cmd_exec_result *r, const struct hd_cmd_exec_process *p)
{
    bool exists = !access(r->path, F_OK);
    struct hd_diag d = {0};

    if (p->unwritten || (!exists && !p->used && p->status))
        return;
    hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                             exists ? "%s was not written; it holds the results of an earlier run"
                                    : "%s was not written",
                             r->path),
                 p->used ? "results come when the program returns from main or calls exit; a "
                           "trace, if no kernel was stopped"
                         : "the program used no GPU");
    hd_diag_print(&d, stderr);
}

// A file of an earlier run must not be taken for this run's.
static bool was_written(const struct hd_cmd_exec_result *r)
{
    struct stat is;

    return !stat(r->path, &is) &&
           (!S_ISREG(is.st_mode) || !r->existed || is.st_ino != r->was.st_ino ||
            memcmp(&is.st_mtim, &r->was.st_mtim, sizeof is.st_mtim) != 0);
}

bool hd_cmd_exec_results_collect(const struct hd_cmd_exec_result *r,
                                 const struct hd_cmd_exec_process *p, struct hd_arena *a)
{
    const char *folder = r->stem ? folder_of(a, r->stem) : NULL;
    const char *first = NULL, *last = "";
    unsigned processes = 0;
    bool good = true;
    size_t n = 0;

    if (!r->shared)
        return true;
    const char **names =
        r->stem ? hd_cmd_exec_results_list(a, folder, r->stem + strlen(folder), &n) : NULL;
    for (size_t i = 0; i < n; i++) { // "PROCESS" or "PROCESS.MACHINE"
        const char *machine = strchrnul(names[i], '.');
        const char *process = hd_arena_strndup(a, names[i], (size_t)(machine - names[i]));
        processes += strcmp(process, last) != 0;
        last = process;
        first = first ? first : process;
        const char *from = hd_arena_printf(a, "%s%s", r->stem, names[i]);
        const char *to =
            hd_cmd_exec_results_name(a, r->target, process, machine, !strcmp(process, first));
        if (rename(from, to)) {
            fprintf(stderr, "heddle: cannot write %s: %s; the results are in %s\n", to,
                    strerror(errno), from);
            good = false;
        }
    }
    if (processes > 1)
        note_others(r, processes, first);
    if (r->stem ? !n : !was_written(r))
        note_missing(r, p);
    return good;
}
