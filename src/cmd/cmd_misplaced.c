// cmd_misplaced.c - what a word means that stands where something else was expected: a policy, a
// machine, a key, a size, a file of another kind. For hints of messages.
#include "cmd/cmd.h"

#include "base/config.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether all parts of a list with commas are policies, with parameters or without.
static bool is_policies(struct hd_arena *a, const char *word)
{
    for (const char *p = word; *p; p += *p == ',') {
        size_t n = strcspn(p, ",");
        if (!hd_registry_find(hd_arena_strndup(a, p, strcspn(p, ":,"))))
            return false;
        p += n;
    }
    return *word != '\0';
}

static bool in_folder(struct hd_arena *a, const char *folder, const char *suffix, const char *word)
{
    size_t n;
    const char **names = hd_config_names(a, folder, suffix, &n);

    for (size_t i = 0; i < n; i++)
        if (!strcmp(names[i], word))
            return true;
    return false;
}

static bool is_size(const char *word)
{
    for (unsigned i = 0; hd_workloads_sizes[i]; i++)
        if (!strcmp(hd_workloads_sizes[i], word))
            return true;
    return false;
}

static const char *of_file(struct hd_arena *a, const char *word)
{
    static const struct {
        const char *ending, *hint;
    } files[] = {
        {".cu", "'heddle cc' compiles a CUDA program, 'heddle exec' runs it (docs/cuda.md)"},
        {".ptx", "a job names the module and launches its kernels (docs/jobs.md)"},
        {".db", "'heddle show FILE.db' shows the runs of a database"},
        {".traceg", "a trace of Accel-Sim, which heddle cannot read: 'heddle explain traceg'"},
        {".g", "a trace of Accel-Sim, which heddle cannot read: 'heddle explain traceg'"},
        {".toy", "'heddle toy FILE.toy' shows it"},
        {".so", "--plugin FILE.so loads policies"},
        {".ini", "--gpu FILE.ini takes a machine"},
        {".config", "--gpu FILE takes a machine of GPGPU-Sim"},
    };
    size_t n = strlen(word);
    struct stat is;

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        size_t m = strlen(files[i].ending);
        if (n > m && !strcmp(word + n - m, files[i].ending))
            return files[i].hint;
    }
    if (strchr(word, '/') && !access(word, X_OK) && !stat(word, &is) && S_ISREG(is.st_mode))
        return hd_arena_printf(a, "'heddle exec -- %.80s' runs a CUDA program", word);
    return NULL;
}

const char *hd_cmd_misplaced(struct hd_arena *a, const char *word)
{
    const char *file = of_file(a, word), *is = "";
    const struct {
        bool so;
        const char *what;
    } all[] = {{is_policies(a, word),
                strchr(word, ',') ? "a list of policies (--sched)" : "a policy (--sched)"},
               {in_folder(a, "gpus", ".ini", word), "a machine (--gpu)"},
               {in_folder(a, "papers", ".ini", word), "a paper (heddle paper)"},
               {is_size(word), "a size (--size)"}};

    if (file)
        return file;
    if (strchr(word, '='))
        return hd_arena_printf(a, "--set %.80s sets a key of the machine", word);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].so)
            is = hd_arena_printf(a, "%s%s%s", is, *is ? ", or " : "", all[i].what);
    if (*is)
        return hd_arena_printf(a, "'%.60s' is %s; values in a list have commas and no blanks", word,
                               is);
    if (*word && !word[strspn(word, "0123456789,.")])
        return "a number belongs to an option; values in a list have commas and no blanks";
    return NULL;
}

const char *hd_cmd_misplaced_workload(struct hd_arena *a, const char *word)
{
    return hd_workloads_find(word) || in_folder(a, HD_CMD_JOBS, NULL, word)
               ? hd_arena_printf(a, "'heddle run %.80s' runs the workload", word)
               : NULL;
}
