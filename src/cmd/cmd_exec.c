// cmd_exec.c - heddle exec: a CUDA program on the simulated GPU, as it is.
//
// The loader gives the program heddle's CUDA libraries in the place of NVIDIA's: LD_PRELOAD of a
// library with the name the program asks for, which also beats a path inside the program, and
// LD_LIBRARY_PATH for what it loads later and for its children. The options travel as HEDDLE_*
// (docs/cuda.md); they are checked here, before the program starts.
#include "cmd/cmd.h"

#include "base/file.h"
#include "cmd/cmd_exec.h"
#include "cuda/copytime.h"
#include "cuda/executable.h"
#include "cuda/kernellibs.h"
#include "study/identity.h"
#include "study/kept.h"
#include "study/simulate.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct exec {
    const struct hd_cmd_options *o;
    struct hd_arena *arena;
    struct hd_config config;
    struct hd_job_options options;
    const char *path;   // of the program
    const char **words; // its command line, ends in NULL
    struct hd_executable program;
    const char *libraries; // folder
    const char *named;     // files of libraries of kernels, with colons between; NULL: none
    char *results;         // folder for JSON on its way to the database; NULL: none
    char *pages;           // folder for what heddle annotate is to show; NULL: none
    char **env;            // ends in NULL
    size_t n_env, cap_env;
    struct hd_cmd_exec_process process;
};

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static bool is_file(const char *path)
{
    return path && !access(path, R_OK);
}

// As a shell finds it. NULL after a diagnostic.
static const char *find_program(struct hd_arena *a, const char *name, struct hd_diag *d)
{
    const char *path = getenv("PATH");
    struct stat is;

    if (strchr(name, '/'))
        return name;
    if (!*name) {
        hd_diag_add(d, NULL, 0, 0, "the program's name is empty");
        return NULL;
    }
    for (const char *at = path ? path : "/usr/bin:/bin"; *at; at += *at == ':') {
        size_t n = strcspn(at, ":");
        char *full = hd_arena_printf(a, "%.*s/%s", n ? (int)n : 1, n ? at : ".", name);
        if (!access(full, X_OK) && !stat(full, &is) && S_ISREG(is.st_mode))
            return full;
        at += n;
    }
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "%.100s: not found in PATH", name);
    if (is_file(name))
        hd_diag_hint(e, "did you mean ./%.80s?", name);
    return NULL;
}

// Beside this program, or where an installation puts them.
const char *hd_cmd_exec_libraries(struct hd_arena *a)
{
    static const char *const places[] = {"", "/../lib/heddle", "/../lib"};
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    while (n > 0 && self[n - 1] != '/')
        n--;
    for (size_t i = 0; n > 0 && i < sizeof places / sizeof *places; i++) {
        char *folder = hd_arena_printf(a, "%.*s%s", (int)n - 1, self, places[i]);
        if (is_file(hd_arena_printf(a, "%s/libcuda.so.1", folder)))
            return folder;
    }
    return NULL;
}

// Can it work at all? A program that loads kernels in other ways is given the benefit of the doubt.
static bool good_program(struct exec *x, struct hd_diag *d)
{
    const struct hd_executable *p = &x->program;

    if (p->runtime == HD_RUNTIME_STATIC) {
        hd_diag_hint(hd_diag_add(d, x->path, 0, 0, "it carries its own copy of the CUDA runtime"),
                     "rebuild it with: NVCC_APPEND_FLAGS=\"-cudart shared\" make (or nvcc -cudart "
                     "shared ...)");
        return false;
    }
    if (p->kind == HD_EXECUTABLE_ELF && !p->x86_64 && p->cudart) {
        hd_diag_add(d, x->path, 0, 0, "a program for another processor than this one");
        return false;
    }
    if (p->cudart && !is_file(hd_arena_printf(x->arena, "%s/%s", x->libraries, p->cudart))) {
        hd_diag_hint(
            hd_diag_add(d, x->path, 0, 0, "it asks for %s, which heddle does not have", p->cudart),
            "rebuild it with a CUDA toolkit of version 13");
        return false;
    }
    return true;
}

// It is started all the same: it may do without what it asks for. The libraries do not name again
// what is named here.
static void note_kernel_libraries(struct exec *x)
{
    size_t n;
    const struct hd_kernellibs_use *uses =
        hd_kernellibs_of(x->arena, x->path, getenv("LD_LIBRARY_PATH"), &n);

    for (size_t i = 0; i < n; i++) {
        struct hd_diag d = {0};
        hd_diag_hint(hd_diag_add(&d, x->path, 0, 0,
                                 "it uses %s (%s%s%s), which has machine code only and cannot run "
                                 "here",
                                 uses[i].name, uses[i].file, *uses[i].by ? ", for " : "",
                                 uses[i].by),
                     HD_KERNELLIBS_HINT);
        hd_diag_print(&d, stderr);
        x->named = x->named ? hd_arena_printf(x->arena, "%s:%s", x->named, base_name(uses[i].file))
                            : base_name(uses[i].file);
    }
}

static bool find(struct exec *x, struct hd_diag *d)
{
    struct hd_diag unread = {0};

    if (!x->o->args.n) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "which program is to be run?"),
                     "heddle %s [options] -- PROGRAM [ARGUMENT...]",
                     x->o->program ? "annotate" : "exec");
        return false;
    }
    x->path = find_program(x->arena, x->o->args.items[0], d);
    x->libraries = hd_cmd_exec_libraries(x->arena);
    if (!x->libraries)
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "heddle's CUDA libraries are not beside it"),
                     "make builds them");
    if (!x->path || !x->libraries)
        return false;
    if (!is_file(x->path)) {
        hd_diag_add(d, NULL, 0, 0, "%.200s: %s", x->path, strerror(errno));
        return false;
    }
    // A file that cannot be understood may still be run: the system will say what it thinks.
    if (!hd_executable_read(x->arena, x->path, &x->program, &unread))
        x->program = (struct hd_executable){.kind = HD_EXECUTABLE_OTHER};
    if (!good_program(x, d))
        return false;
    note_kernel_libraries(x);
    return true;
}

static void put(struct exec *x, const char *name, const char *value)
{
    if (value)
        *HD_PUSH(x->arena, x->env, x->n_env, x->cap_env) =
            hd_arena_printf(x->arena, "%s=%s", name, value);
}

static void put_number(struct exec *x, const char *name, uint64_t value)
{
    if (value)
        put(x, name, hd_arena_printf(x->arena, "%llu", (unsigned long long)value));
}

// The program may go to another folder before it starts to use the GPU.
static const char *absolute(struct exec *x, const char *path)
{
    char here[PATH_MAX];

    if (!path || path[0] == '/' || !strcmp(path, "-") || !getcwd(here, sizeof here))
        return path;
    return hd_arena_printf(x->arena, "%s/%s", here, path);
}

static const char *joined(struct exec *x, const char *first, char between, const char *second)
{
    if (!second || !*second)
        return first;
    return first ? hd_arena_printf(x->arena, "%s%c%s", first, between, second) : second;
}

static void put_libraries(struct exec *x)
{
    const char *preload = NULL;

    if (x->program.cudart)
        preload = hd_arena_printf(x->arena, "%s/%s", x->libraries, x->program.cudart);
    if (x->program.cudart || x->program.driver)
        preload =
            joined(x, preload, ':', hd_arena_printf(x->arena, "%s/libcuda.so.1", x->libraries));
    put(x, "LD_PRELOAD", joined(x, preload, ':', getenv("LD_PRELOAD")));
    put(x, "LD_LIBRARY_PATH", joined(x, x->libraries, ':', getenv("LD_LIBRARY_PATH")));
}

// Everything of this process's environment but what the options decide.
static void inherit(struct exec *x)
{
    static const char *const own[] = {"LD_PRELOAD=", "LD_LIBRARY_PATH="};

    for (char **e = environ; *e; e++) {
        // These have no option.
        bool keep = strncmp(*e, "HEDDLE_", 7) || !strncmp(*e, "HEDDLE_MEMORY=", 14) ||
                    !strncmp(*e, "HEDDLE_CC=", 10) || !strncmp(*e, "HEDDLE_DATA=", 12) ||
                    !strncmp(*e, "HEDDLE_LANES=", 13);
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            keep = keep && strncmp(*e, own[i], strlen(own[i]));
        if (keep)
            *HD_PUSH(x->arena, x->env, x->n_env, x->cap_env) = *e;
    }
}

// Who sets a variable for a program expects it to be heeded here too.
static void note_unused(const struct hd_cmd_options *o)
{
    static const char *const pairs[][2] = {{"GPU", "--gpu"},
                                           {"SCHED", "--sched"},
                                           {"FETCH", "--fetch"},
                                           {"TB", "--tb"},
                                           {"KERNEL_POLICY", "--kernel-policy"},
                                           {"SET", "--set"},
                                           {"PLUGIN", "--plugin"},
                                           {"FUNCTIONAL", "--functional-only"},
                                           {"COPY_BANDWIDTH", "--copy-bandwidth"},
                                           {"STRICT", "--strict"},
                                           {"MAX_CYCLES", "--max-cycles"},
                                           {"MAX_INSTS", "--max-insts"},
                                           {"JSON", "--json"},
                                           {"STATS", "--stats"},
                                           {"TIMELINE", "--timeline"},
                                           {"RECORD", "--record"},
                                           {"ANNOTATE", "--annotate"}};

    for (size_t i = 0; !o->quiet && i < sizeof pairs / sizeof *pairs; i++) {
        const char *name = hd_arena_printf(o->arena, "HEDDLE_%s", pairs[i][0]);
        if (getenv(name) && o->program)
            fprintf(stderr, "heddle: %s is not for heddle annotate, which goes by its options\n",
                    name);
        else if (getenv(name))
            fprintf(stderr, "heddle: %s is not for heddle exec, which goes by its options: %s\n",
                    name, pairs[i][1]);
    }
}

// Where the libraries write what. Lines that standard output is to have take their way through a
// folder, so that they come after all that the program and others have printed.
static void put_results(struct exec *x)
{
    const struct hd_cmd_options *o = x->o;
    bool json_out = o->json && !strcmp(o->json, "-");
    const char *page = x->pages ? hd_arena_printf(x->arena, "%s/%%p", x->pages) : NULL;

    if (o->program) {
        put(x, "HEDDLE_ANNOTATE", json_out ? NULL : page);
        put(x, "HEDDLE_ANNOTATE_JSON", json_out ? page : absolute(x, o->json));
        return;
    }
    put(x, "HEDDLE_JSON",
        x->results ? hd_arena_printf(x->arena, "%s/%%p.json", x->results) : absolute(x, o->json));
    put(x, "HEDDLE_ANNOTATE", absolute(x, o->annotate));
    put(x, "HEDDLE_TABLE", o->quiet ? NULL : "1");
}

static void set_up_environment(struct exec *x)
{
    const struct hd_cmd_options *o = x->o;
    const char *plugins = NULL;

    note_unused(o);
    inherit(x);
    put_libraries(x);
    put(x, "HEDDLE_GPU", is_file(o->gpu) ? absolute(x, o->gpu) : o->gpu);
    put(x, "HEDDLE_SCHED", o->sched);
    put(x, "HEDDLE_FETCH", o->fetch);
    put(x, "HEDDLE_TB", o->tb);
    put(x, "HEDDLE_KERNEL_POLICY", o->kernel_policy);
    put(x, "HEDDLE_SET", o->sets.n ? hd_cmd_options_sets(o) : NULL);
    for (size_t i = 0; i < o->plugins.n; i++)
        plugins = joined(x, plugins, ':', absolute(x, o->plugins.items[i]));
    put(x, "HEDDLE_PLUGIN", plugins);
    put(x, "HEDDLE_FUNCTIONAL", o->functional_only ? "1" : NULL);
    put(x, "HEDDLE_COPY_BANDWIDTH", o->copy_bandwidth);
    put(x, "HEDDLE_STRICT", o->strict ? "1" : NULL);
    put(x, "HEDDLE_NO_SKIP", o->no_skip ? "1" : NULL);
    put_number(x, "HEDDLE_MAX_CYCLES", o->max_cycles);
    put_number(x, "HEDDLE_MAX_INSTS", o->max_insts);
    put(x, "HEDDLE_METRICS", o->metrics ? "1" : NULL);
    put_number(x, "HEDDLE_METRICS_SM", o->metrics_sm);
    put(x, "HEDDLE_TIMELINE", absolute(x, o->timeline));
    put(x, "HEDDLE_RECORD", absolute(x, o->record));
    put_results(x);
    put(x, "HEDDLE_STATS", o->stats);
    put(x, "HEDDLE_NAMED", x->named);
    put(x, "HEDDLE_NO_HOST", o->no_host ? "1" : NULL);
    put(x, "HEDDLE_SUPERVISOR", hd_cmd_exec_supervisor(&x->process, x->arena));
    *HD_PUSH(x->arena, x->env, x->n_env, x->cap_env) = NULL;
}

// A file that the program is to write results into, as it was before.
struct result {
    const char *path; // NULL: none
    bool existed;
    struct stat was;
};

static struct result result_before(const char *path)
{
    struct result r = {.path = path && strcmp(path, "-") != 0 && !strstr(path, "%p") ? path : NULL};

    r.existed = r.path && !stat(r.path, &r.was);
    return r;
}

// One from another day must not be taken for this run's. Where the program or its libraries have
// said what went wrong before there was a result, there is nothing to add.
static void miss_result(const struct exec *x, const struct result *r)
{
    const struct hd_cmd_exec_process *p = &x->process;
    struct stat is;
    struct hd_diag d = {0};

    if (!r->path || p->unwritten)
        return;
    bool exists = !stat(r->path, &is);
    if (exists && (!S_ISREG(is.st_mode) || !r->existed || is.st_ino != r->was.st_ino ||
                   memcmp(&is.st_mtim, &r->was.st_mtim, sizeof is.st_mtim)))
        return;
    if (!exists && !p->used && p->status)
        return;
    hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                             exists ? "%s was not written; what it holds is of an earlier run"
                                    : "%s was not written",
                             r->path),
                 p->used ? "results come when the program returns from main or calls exit; a "
                           "trace, if no kernel was stopped"
                         : "the program used no GPU");
    hd_diag_print(&d, stderr);
}

static bool store(const struct exec *x, struct hd_database *db, const struct hd_identity *id,
                  const char *text, int status, struct hd_diag *d)
{
    json_t *json = json_loads(text, 0, NULL);
    struct hd_database_row row = {
        .key = id->key,
        .identity = id->text,
        .workload = base_name(x->path),
        .seed = -1,
        .sets = x->o->sets.n ? hd_cmd_options_sets(x->o) : NULL,
        .exit_status = status,
        .command = x->o->line,
        .json = text,
    };

    hd_simulate_fill_row(&row, &x->options, json);
    bool good = hd_kept_store(db, &row, d);

    json_decref(json);
    return good;
}

// A process that started later has a greater number.
static int by_name(const void *a, const void *b)
{
    return strverscmp(*(const char *const *)a, *(const char *const *)b);
}

static struct hd_cmd_list result_files(const struct exec *x, const char *folder)
{
    DIR *dir = opendir(folder);
    struct hd_cmd_list files = {0};

    for (struct dirent *e; dir && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            *HD_PUSH(x->arena, files.items, files.n, files.cap) =
                hd_arena_printf(x->arena, "%s/%s", folder, e->d_name);
    if (dir)
        closedir(dir);
    if (files.n)
        qsort(files.items, files.n, sizeof *files.items, by_name);
    return files;
}

// Results of this program and of those it started: a file per process and machine.
static bool keep_results(const struct exec *x, struct hd_database *db, int status,
                         struct hd_diag *d)
{
    struct hd_cmd_list files = result_files(x, x->results);
    const char *cut = x->process.interrupted ? "interrupted" : NULL;
    unsigned found = 0;
    bool good = true;

    for (size_t i = 0; i < files.n; i++) {
        char err[160];
        size_t bytes;
        char *text = (char *)hd_file_read(x->arena, files.items[i], &bytes, err);
        unlink(files.items[i]);
        if (!text)
            continue;
        // Several machines of one program: the words of each are told apart by its number. What was
        // interrupted stands beside the run that was not, and does not replace it.
        struct hd_identity id;
        const char **words = HD_ARRAY(x->arena, const char *, x->o->args.n + 3);
        memcpy(words, x->words, x->o->args.n * sizeof *words);
        words[x->o->args.n] = found ? hd_arena_printf(x->arena, "machine %u", found + 1) : cut;
        words[x->o->args.n + 1] = found ? cut : NULL;
        good = good &&
               hd_identity_make_program(x->program.bytes, x->program.n_bytes, words, &x->options,
                                        x->arena, &id, d) &&
               store(x, db, &id, text, status, d);
        if (good && x->o->json && !found)
            good = hd_out_write(hd_out_path(x->arena, x->o->json), text, bytes);
        found++;
    }
    rmdir(x->results);
    if (good && !found)
        fprintf(stderr,
                "heddle: nothing to keep: the program used no GPU, or did not return from main"
                " or call exit\n");
    return good;
}

// The folder goes first: a reader of standard output that has seen enough ends heddle. False if
// they cannot be shown, after a message.
static bool show_pages(const struct exec *x)
{
    struct hd_cmd_list files = result_files(x, x->pages);
    struct hd_out all = {.arena = x->arena};
    bool good = true;

    for (size_t i = 0; i < files.n; i++) {
        char err[160];
        size_t bytes;
        const char *text = (const char *)hd_file_read(x->arena, files.items[i], &bytes, err);
        unlink(files.items[i]);
        if (text)
            hd_out_add(&all, text, bytes);
        else
            fprintf(stderr, "heddle: %s: %s\n", files.items[i], err);
        good = good && text;
    }
    rmdir(x->pages);
    if (!files.n)
        fprintf(stderr, "heddle: nothing to show: the program used no GPU, or did not return from "
                        "main or call exit\n");
    return hd_out_write("-", all.text ? all.text : "", all.bytes) && good;
}

static bool make_folder(struct exec *x, char **folder, struct hd_diag *d)
{
    const char *where = getenv("TMPDIR");

    *folder = hd_arena_printf(x->arena, "%s/heddle-XXXXXX", where && *where ? where : "/tmp");
    if (mkdtemp(*folder))
        return true;
    hd_diag_add(d, NULL, 0, 0, "cannot make a folder like %.100s: %s", *folder, strerror(errno));
    return false;
}

static bool can_annotate(const struct hd_cmd_options *o, struct hd_diag *d)
{
    if (o->annotate && o->functional_only)
        hd_diag_add(d, NULL, 0, 0, "--annotate: there are no cycles without timing");
    return !o->annotate || !o->functional_only;
}

static bool can_copy(const struct hd_cmd_options *o, struct hd_diag *d)
{
    double bandwidth;

    if (!o->copy_bandwidth || hd_copytime_read(o->copy_bandwidth, &bandwidth))
        return true;
    hd_diag_hint(
        hd_diag_add(d, NULL, 0, 0, "--copy-bandwidth %.60s: not a bandwidth", o->copy_bandwidth),
        "expected " HD_COPYTIME_EXPECTED);
    return false;
}

int hd_cmd_exec(struct hd_cmd_options *o)
{
    struct exec x = {.o = o, .arena = o->arena};
    struct hd_diag d = {0};
    struct hd_database *db = NULL;
    const char *sched = o->sched ? o->sched : HD_CMD_DEFAULT_SCHED;

    if (!hd_cmd_options_stats(o, &d) || !can_annotate(o, &d) || !can_copy(o, &d) ||
        !hd_cmd_places_check(o, false, &d) || !hd_cmd_machine_plugins(o, &d) ||
        !hd_cmd_machine_set_up(o, &x.config, &x.options, &d) ||
        !hd_registry_parse_slot(o->arena, HD_SLOT_SCHED, sched, &x.options.gpu.sched, &d) ||
        !find(&x, &d) || !hd_cmd_places_program(o, x.path, &d))
        return hd_cmd_options_fail(&d);
    hd_registry_preset(&x.options.gpu.sched, &x.options.gpu.fetch);
    if (o->db && (!(db = hd_database_open(o->db, true, (unsigned)o->db_wait, &d)) ||
                  !make_folder(&x, &x.results, &d))) {
        hd_database_close(db);
        return hd_cmd_options_fail(&d);
    }
    if (o->program && (!o->quiet || (o->json && !strcmp(o->json, "-"))) &&
        !make_folder(&x, &x.pages, &d))
        return hd_cmd_options_fail(&d);
    x.words = HD_ARRAY(o->arena, const char *, o->args.n + 1);
    memcpy(x.words, o->args.items, o->args.n * sizeof *x.words);
    set_up_environment(&x);
    struct result json = result_before(db ? NULL : o->json), line = result_before(o->timeline);
    struct result trace = result_before(o->record), lines = result_before(o->annotate);
    x.process.path = x.path;
    x.process.words = x.words;
    x.process.env = x.env;
    hd_cmd_exec_run(&x.process);
    int status = x.process.status;
    if (x.process.unwritten && !status)
        status = HD_EXIT_USER;
    miss_result(&x, &json);
    miss_result(&x, &line);
    miss_result(&x, &trace);
    miss_result(&x, &lines);
    if (x.pages && !show_pages(&x))
        status = status ? status : HD_EXIT_USER;
    if (db && !keep_results(&x, db, status, &d)) {
        hd_diag_print(&d, stderr);
        status = status ? status : HD_EXIT_USER;
    }
    hd_database_close(db);
    return status;
}
