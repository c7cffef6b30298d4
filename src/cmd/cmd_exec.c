// cmd_exec.c - heddle exec: runs an unmodified CUDA program on the simulated GPU.
//
// The loader gives the program heddle's CUDA libraries instead of NVIDIA's: LD_PRELOAD of a library
// with the name that the program asks for, which also has priority over a path inside the program,
// and LD_LIBRARY_PATH for libraries that are loaded later and for child processes. The options are
// passed as HEDDLE_* (docs/cuda.md); they are checked here, before the program starts.
#include "cmd/cmd.h"

#include "base/file.h"
#include "cmd/cmd_exec.h"
#include "fatbin/executable.h"
#include "fatbin/kernellibs.h"
#include "gpgpusim/simmachine.h"
#include "present/json.h"
#include "reuse/reuseoptions.h"
#include "run/bandwidth.h"
#include "study/identity.h"
#include "study/kept.h"
#include "study/simulate.h"

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
    struct hd_run_options options;
    const char *path;   // of the program
    const char **words; // its command line, ends in NULL
    struct hd_executable program;
    const char *libraries; // folder
    const char *named;     // files of libraries of kernels, separated by colons; NULL: none
    char *results;         // temporary folder of JSON for the database; NULL: none
    char *lines;           // temporary folder of lines of kernels for the database; NULL: none
    char *pages; // temporary folder of what heddle annotate or reuse will show; NULL: none
    struct hd_cmd_exec_result json, timeline, konata, record, annotate, plan; // requested files
    char **env;                                                               // ends in NULL
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

// Finds a program as a shell does. NULL after a diagnostic.
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
    struct hd_diag_entry *e = hd_diag_add(d, NULL, 0, 0, "%s: not found in PATH", name);
    const char *workload = hd_cmd_misplaced_workload(a, name);
    if (is_file(name))
        hd_diag_hint(e, "did you mean ./%s?", name);
    else if (workload)
        hd_diag_hint(e, "%s", workload);
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

// Whether it can work at all. A program that may load kernels in other ways is accepted.
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

// The program is started in any case, because it may not need what it asks for. The libraries do
// not report again what is reported here.
static void note_kernel_libraries(struct exec *x)
{
    size_t n;
    const struct hd_kernellibs_use *uses =
        hd_kernellibs_of(x->arena, x->path, getenv("LD_LIBRARY_PATH"), &n);

    struct hd_diag d = {0};

    if (!n)
        return;
    hd_kernellibs_tell(&d, x->path, "it uses", uses, n);
    d.entries[0].warning = true;
    hd_diag_print(&d, stderr);
    for (size_t i = 0; i < n; i++)
        x->named = x->named ? hd_arena_printf(x->arena, "%s:%s", x->named, base_name(uses[i].file))
                            : base_name(uses[i].file);
}

static bool find(struct exec *x, struct hd_diag *d)
{
    struct hd_diag unread = {0};

    if (!x->o->args.n) {
        hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "which program is to be run?"),
                     "heddle %s [options] -- PROGRAM [ARGUMENT...]",
                     x->o->reuse     ? "reuse"
                     : x->o->program ? "annotate"
                                     : "exec");
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
        hd_diag_add(d, NULL, 0, 0, "%s: %s", x->path, strerror(errno));
        return false;
    }
    // A file that cannot be parsed may still run; otherwise the system reports an error.
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

// Copies this process's environment, except for what the options decide.
static void inherit(struct exec *x)
{
    static const char *const own[] = {"LD_PRELOAD=", "LD_LIBRARY_PATH="};

    for (char **e = environ; *e; e++) {
        // These have no option.
        bool keep = strncmp(*e, "HEDDLE_", 7) || !strncmp(*e, "HEDDLE_MEMORY=", 14) ||
                    !strncmp(*e, "HEDDLE_CC=", 10) || !strncmp(*e, "HEDDLE_DATA=", 12) ||
                    !strncmp(*e, "HEDDLE_LANES=", 13) || !strncmp(*e, "HEDDLE_STEP_ORDER=", 18);
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            keep = keep && strncmp(*e, own[i], strlen(own[i]));
        if (keep)
            *HD_PUSH(x->arena, x->env, x->n_env, x->cap_env) = *e;
    }
}

// A user who sets a variable for a program expects it to have an effect here too.
static void note_unused(const struct hd_cmd_options *o)
{
    static const char *const pairs[][2] = {{"GPU", "--gpu"},
#define X(NAME, key, option, ...) {#NAME, "--" option},
                                           HD_POLICY_SLOTS(X)
#undef X
                                               {"SET", "--set"},
                                           {"PLUGIN", "--plugin"},
                                           {"FUNCTIONAL", "--functional-only"},
                                           {"COPY_BANDWIDTH", "--copy-bandwidth"},
                                           {"STRICT", "--strict"},
                                           {"THREADS", "--threads"},
                                           {"SAMPLE", "--sample"},
                                           {"SAMPLE_WARM", "--sample-warm"},
                                           {"SAMPLE_SEED", "--sample-seed"},
                                           {"MAX_CYCLES", "--max-cycles"},
                                           {"MAX_INSTS", "--max-insts"},
                                           {"JSON", "--json"},
                                           {"STATS", "--stats"},
                                           {"TIMELINE", "--timeline"},
                                           {"KONATA", "--konata"},
                                           {"KONATA_SM", "--konata-sm"},
                                           {"KONATA_CYCLES", "--konata-cycles"},
                                           {"RECORD", "--record"},
                                           {"ANNOTATE", "--annotate"},
                                           {"REUSE", NULL},
                                           {"REUSE_JSON", NULL},
                                           {"REUSE_OPTIONS", NULL},
                                           {"REUSE_PLAN", NULL}};

    for (size_t i = 0; !o->quiet && i < sizeof pairs / sizeof *pairs; i++) {
        const char *name = hd_arena_printf(o->arena, "HEDDLE_%s", pairs[i][0]);
        if (getenv(name) && o->program)
            fprintf(stderr, "heddle: %s has no effect on heddle %s; use its options\n", name,
                    o->reuse ? "reuse" : "annotate");
        else if (getenv(name))
            fprintf(stderr, "heddle: %s has no effect on heddle exec; use %s%s\n", name,
                    pairs[i][1] ? "its option " : "heddle reuse", pairs[i][1] ? pairs[i][1] : "");
    }
}

static bool to_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

// Sets where the libraries write each result. Lines for standard output are written to a folder
// first, so that they come after everything that the program and others have printed.
static void put_results(struct exec *x)
{
    const struct hd_cmd_options *o = x->o;
    bool json_out = to_stdout(o->json), plan_out = to_stdout(o->plan);
    const char *page = x->pages ? hd_arena_printf(x->arena, "%s/%%p", x->pages) : NULL;

    if (o->reuse) {
        put(x, "HEDDLE_REUSE", json_out || plan_out ? NULL : page);
        put(x, "HEDDLE_REUSE_JSON", json_out ? page : x->json.given);
        put(x, "HEDDLE_REUSE_PLAN", plan_out ? page : x->plan.given);
        put(x, "HEDDLE_REUSE_OPTIONS", hd_reuseoptions_words(o->reuse, x->arena));
        return;
    }
    if (o->program) {
        const char *lines = json_out ? page : x->json.given;
        put(x, "HEDDLE_ANNOTATE", json_out ? NULL : page);
        put(x, "HEDDLE_ANNOTATE_JSON",
            x->lines ? hd_arena_printf(x->arena, "%s/%%p.json", x->lines) : lines);
        put(x, "HEDDLE_JSON",
            x->results ? hd_arena_printf(x->arena, "%s/%%p.json", x->results) : NULL);
        return;
    }
    put(x, "HEDDLE_JSON",
        x->results ? hd_arena_printf(x->arena, "%s/%%p.json", x->results) : x->json.given);
    put(x, "HEDDLE_ANNOTATE", x->annotate.given);
    put(x, "HEDDLE_TABLE", o->quiet ? NULL : "1");
}

// Whether the machine is a file, which the program may look for in another folder. A name is none,
// even if something is called so here.
static bool names_file(struct hd_arena *a, const char *gpu)
{
    size_t n = strlen(gpu);

    return is_file(gpu) && (strchr(gpu, '/') || (n > 4 && !strcmp(gpu + n - 4, ".ini")) ||
                            hd_simmachine_is(a, gpu));
}

static void set_up_environment(struct exec *x)
{
    const struct hd_cmd_options *o = x->o;
    const char *plugins = NULL;

    note_unused(o);
    inherit(x);
    put_libraries(x);
    put(x, "HEDDLE_GPU",
        names_file(x->arena, o->gpu) ? hd_cmd_exec_absolute(x->arena, o->gpu) : o->gpu);
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++)
        put(x, hd_slots[s].variable, o->slot[s]);
    put(x, "HEDDLE_SET", o->sets.n ? hd_cmd_words_keys(o) : NULL);
    for (size_t i = 0; i < o->plugins.n; i++)
        plugins = joined(x, plugins, ':', hd_cmd_exec_absolute(x->arena, o->plugins.items[i]));
    put(x, "HEDDLE_PLUGIN", plugins);
    put(x, "HEDDLE_FUNCTIONAL", o->functional_only ? "1" : NULL);
    put(x, "HEDDLE_COPY_BANDWIDTH", o->copy_bandwidth);
    put(x, "HEDDLE_STRICT", o->strict ? "1" : NULL);
    put(x, "HEDDLE_THREADS",
        o->threads_given ? hd_arena_printf(x->arena, "%u", (unsigned)o->threads) : NULL);
    put(x, "HEDDLE_NO_SKIP", o->no_skip ? "1" : NULL);
    put_number(x, "HEDDLE_SAMPLE", o->sample);
    put_number(x, "HEDDLE_SAMPLE_WARM", o->sample_warm);
    put_number(x, "HEDDLE_SAMPLE_SEED", o->sample_seed);
    put_number(x, "HEDDLE_MAX_CYCLES", o->max_cycles);
    put_number(x, "HEDDLE_MAX_INSTS", o->max_insts);
    put(x, "HEDDLE_METRICS", o->metrics ? "1" : NULL);
    put_number(x, "HEDDLE_METRICS_SM", o->metrics_sm);
    put(x, "HEDDLE_METRICS_KERNELS", o->metrics_kernels);
    put(x, "HEDDLE_TIMELINE", x->timeline.given);
    put(x, "HEDDLE_KONATA", x->konata.given);
    put(x, "HEDDLE_KONATA_SM", o->konata_sm);
    put(x, "HEDDLE_KONATA_CYCLES", o->konata_cycles);
    put(x, "HEDDLE_RECORD", x->record.given);
    put_results(x);
    put(x, "HEDDLE_STATS", o->stats);
    put(x, "HEDDLE_NAMED", x->named);
    put(x, "HEDDLE_NO_HOST", o->no_host ? "1" : NULL);
    put(x, "HEDDLE_SUPERVISOR", hd_cmd_exec_supervisor(&x->process, x->arena));
    *HD_PUSH(x->arena, x->env, x->n_env, x->cap_env) = NULL;
}

static bool store(const struct exec *x, struct hd_database *db, const struct hd_identity *id,
                  const char *text, const char *profile, int status, struct hd_diag *d)
{
    json_t *json = json_loads(text, 0, NULL);
    struct hd_database_row row = {
        .key = id->key,
        .identity = id->text,
        .workload = base_name(x->path),
        .seed = -1,
        .exit_status = status,
        .command = x->o->line,
        .json = text,
        .profile = profile,
    };

    hd_simulate_fill_row(&row, &x->options, json, x->arena);
    bool good = hd_kept_store(db, &row, d);

    json_decref(json);
    return good;
}

// Reads a file of the folder and removes it. NULL if it cannot be read.
static const char *take(const struct exec *x, const char *folder, const char *name, size_t *bytes)
{
    const char *path = hd_arena_printf(x->arena, "%s/%s", folder, name);
    char err[HD_FILE_WHY];
    const char *text = (const char *)hd_file_read(x->arena, path, bytes, err);

    unlink(path);
    return text;
}

// The kernels in the output of heddle annotate, as a database stores them; NULL: there are none.
static const char *profile_of(const struct exec *x, const char *lines)
{
    json_t *json = lines ? json_loads(lines, 0, NULL) : NULL;
    json_t *kernels = json_object_get(json, "kernels");
    struct hd_out text = {.arena = x->arena};

    if (kernels)
        hd_json_add(json_incref(kernels), &text);
    json_decref(json);
    return text.text;
}

struct kept { // results of one process and machine
    const char *process, *machine;
    const char *text, *lines;
    unsigned number; // of the results before it
    bool first;      // of the first process
};

static bool keep(const struct exec *x, struct hd_database *db, const struct kept *k, int status,
                 struct hd_diag *d)
{
    const char *cut = x->process.interrupted ? "interrupted" : NULL;
    struct hd_identity id;

    // If a program has several machines, their command lines are distinguished by the machine's
    // number. An interrupted run is stored beside the complete one and does not replace it.
    const char **words = HD_ARRAY(x->arena, const char *, x->o->args.n + 3);
    memcpy(words, x->words, x->o->args.n * sizeof *words);
    words[x->o->args.n] = k->number ? hd_arena_printf(x->arena, "machine %u", k->number + 1) : cut;
    words[x->o->args.n + 1] = k->number ? cut : NULL;
    return hd_identity_make_program(x->program.bytes, x->program.n_bytes, words, &x->options,
                                    x->arena, &id, d) &&
           store(x, db, &id, k->text, profile_of(x, k->lines), status, d);
}

static bool write_kept(const struct exec *x, const struct kept *k)
{
    const char *text = x->o->program ? k->lines : k->text;

    return !x->o->json || !text ||
           hd_out_write(
               hd_cmd_exec_results_name(x->arena, x->o->json, k->process, k->machine, k->first),
               text, strlen(text));
}

// Stores the results of this program and of those that it started: a file per process and machine.
static bool keep_results(const struct exec *x, struct hd_database *db, int status,
                         struct hd_diag *d)
{
    const char *first = NULL;
    size_t n, bytes;
    const char **names = hd_cmd_exec_results_list(x->arena, x->results, "", &n);
    unsigned found = 0;
    bool good = true;

    for (size_t i = 0; i < n; i++) { // "PROCESS.json" or "PROCESS.json.MACHINE"
        size_t length = strcspn(names[i], ".");
        const char *end = strstr(names[i], ".json");
        struct kept k = {.process = hd_arena_strndup(x->arena, names[i], length),
                         .machine = end ? end + strlen(".json") : "",
                         .number = found};
        k.text = take(x, x->results, names[i], &bytes);
        k.lines = x->lines ? take(x, x->lines, names[i], &bytes) : NULL;
        if (!k.text)
            continue;
        first = first ? first : k.process;
        k.first = !strcmp(first, k.process);
        good = keep(x, db, &k, status, d) && good;
        good = write_kept(x, &k) && good;
        found++;
    }
    rmdir(x->results);
    if (x->lines)
        rmdir(x->lines);
    if (good && !found && !x->process.unwritten)
        fprintf(stderr,
                "heddle: nothing to keep: the program used no GPU, or did not return from main"
                " or call exit\n");
    return good;
}

// The folder is removed first, because a reader of standard output that stops reading ends heddle.
// False if the pages cannot be shown, after a message.
static bool show_pages(const struct exec *x)
{
    struct hd_out all = {.arena = x->arena};
    size_t n, bytes;
    const char **names = hd_cmd_exec_results_list(x->arena, x->pages, "", &n);
    bool good = true;

    for (size_t i = 0; i < n; i++) {
        const char *text = take(x, x->pages, names[i], &bytes);
        if (text)
            hd_out_add(&all, text, bytes);
        else
            fprintf(stderr, "heddle: %s/%s cannot be read\n", x->pages, names[i]);
        good = good && text;
    }
    rmdir(x->pages);
    if (!n)
        fprintf(stderr, "heddle: nothing to show: the program used no GPU, or did not return from "
                        "main or call exit\n");
    return hd_out_write("-", all.text ? all.text : "", all.bytes) && good;
}

static bool make_folder(struct exec *x, char **folder, struct hd_diag *d)
{
    char why[HD_FILE_WHY];

    *folder = hd_file_temporary(x->arena, why);
    if (!*folder)
        hd_diag_add(d, NULL, 0, 0, "%.500s", why);
    return *folder != NULL;
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

    if (!o->copy_bandwidth || hd_bandwidth_read(o->copy_bandwidth, &bandwidth))
        return true;
    hd_diag_hint(
        hd_diag_add(d, NULL, 0, 0, "--copy-bandwidth %.60s: not a bandwidth", o->copy_bandwidth),
        "expected " HD_BANDWIDTH_EXPECTED);
    return false;
}

// Makes the temporary folders, and the files for the other results.
static bool prepare_results(struct exec *x, bool stored, struct hd_diag *d)
{
    const struct hd_cmd_options *o = x->o;
    bool shown = o->program && (to_stdout(o->json) ? !stored : to_stdout(o->plan) || !o->quiet);

    x->json = hd_cmd_exec_results_before(x->arena, stored ? NULL : o->json);
    x->timeline = hd_cmd_exec_results_before(x->arena, o->timeline);
    x->konata = hd_cmd_exec_results_before(x->arena, o->konata);
    x->record = hd_cmd_exec_results_before(x->arena, o->record);
    x->annotate = hd_cmd_exec_results_before(x->arena, o->annotate);
    x->plan = hd_cmd_exec_results_before(x->arena, o->plan);
    return (!stored || make_folder(x, &x->results, d)) &&
           (!stored || !o->program || make_folder(x, &x->lines, d)) &&
           (!shown || make_folder(x, &x->pages, d));
}

static bool collect_results(const struct exec *x)
{
    const struct hd_cmd_exec_result *all[] = {&x->json,   &x->timeline, &x->konata,
                                              &x->record, &x->annotate, &x->plan};
    bool good = true;

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        good = hd_cmd_exec_results_collect(all[i], &x->process, x->arena) && good;
    return good;
}

// A program that ignores the errors of its launches ends as if all were well.
static int own_status(const struct exec *x)
{
    const struct hd_cmd_exec_process *p = &x->process;

    if (!p->status && p->unwritten)
        return HD_EXIT_USER;
    if (p->status || !p->failed || p->interrupted || x->o->keep_status)
        return p->status;
    fprintf(stderr,
            "heddle: %s ended with status 0, but a launch failed: the status is %d "
            "(--keep-status keeps 0)\n",
            p->path, HD_EXIT_FAULT);
    return HD_EXIT_FAULT;
}

int hd_cmd_exec(struct hd_cmd_options *o)
{
    struct exec x = {.o = o, .arena = o->arena};
    struct hd_diag d = {0};
    struct hd_database *db = NULL;

    if (!o->gpu)
        o->gpu = HD_CONFIG_PROGRAM_GPU;
    const char *sched = hd_cmd_machine_sched(o);
    if (!hd_cmd_options_stats(o, &d) || !can_annotate(o, &d) || !can_copy(o, &d) ||
        !hd_cmd_places_check(o, false, &d) || !hd_cmd_machine_plugins(o, &d) ||
        !hd_cmd_machine_set_up(o, &x.config, &x.options, &d) ||
        !hd_registry_parse_slot(o->arena, HD_SLOT_SCHED, sched, &x.options.gpu.sched, &d) ||
        !find(&x, &d) || !hd_cmd_places_program(o, x.path, &d))
        return hd_cmd_options_fail(&d);
    hd_registry_preset(x.options.gpu.slot);
    if ((o->db && !(db = hd_database_open(o->db, true, (unsigned)o->db_wait, &d))) ||
        !prepare_results(&x, o->db != NULL, &d)) {
        hd_database_close(db);
        return hd_cmd_options_fail(&d);
    }
    x.words = HD_ARRAY(o->arena, const char *, o->args.n + 1);
    memcpy(x.words, o->args.items, o->args.n * sizeof *x.words);
    set_up_environment(&x);
    x.process.path = x.path;
    x.process.words = x.words;
    x.process.env = x.env;
    hd_cmd_exec_run(&x.process);
    int status = own_status(&x);
    if (!collect_results(&x))
        status = status ? status : HD_EXIT_USER;
    if (x.pages && !show_pages(&x))
        status = status ? status : HD_EXIT_USER;
    if (db && !keep_results(&x, db, status, &d)) {
        hd_diag_print(&d, stderr);
        status = status ? status : HD_EXIT_USER;
    }
    hd_database_close(db);
    return status;
}
