// settings.c - the machine that libcuda.so.1 simulates, from HEDDLE_* in the environment
// (docs/cuda.md). The command line belongs to the simulated program, so only the environment is
// left for options.
#include "cuda/core/process.h"

#include "cuda/core/copytime.h"
#include "cuda/core/results.h"
#include "cuda/core/supervised.h"
#include "gpgpusim/simmachine.h"
#include "present/out.h"
#include "registry/crash.h"
#include "reuse/reuseoptions.h"
#include "run/bandwidth.h"
#include "run/override.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_SCHED "gto"
#define DEFAULT_MEMORY ((uint64_t)4 << 30)
#define THREADS_MOST 1024     // as of --threads
#define DEFAULT_CAPABILITY 75 // such as the front end and the emulator support

static const char *given(const char *name)
{
    const char *value = getenv(name);

    return value && *value ? value : NULL;
}

static bool refuse(struct hd_diag *d, const char *name, const char *value, const char *expected)
{
    hd_diag_hint(hd_diag_add(d, NULL, 0, 0, "%s=%.80s in the environment", name, value),
                 "expected %s", expected);
    return false;
}

// Reads 1 or 0; a variable that is not set counts as 0.
static bool flag(const char *name, bool *out, struct hd_diag *d)
{
    const char *value = given(name);

    if (value && strcmp(value, "0") != 0 && strcmp(value, "1") != 0)
        return refuse(d, name, value, "1 or 0");
    *out = value && *value == '1';
    return true;
}

// Names of variables, without HEDDLE_.
static const char *const known[] = {
    "ANNOTATE",    "ANNOTATE_JSON", "CC",         "COPY_BANDWIDTH", "DATA",
    "FETCH",       "FUNCTIONAL",    "GPU",        "JSON",           "KERNEL_POLICY",
    "KONATA",      "KONATA_CYCLES", "KONATA_SM",  "LANES",          "MEMORY",
    "MAX_CYCLES",  "MAX_INSTS",     "METRICS",    "METRICS_SM",     "NAMED",
    "NO_HOST",     "NO_SKIP",       "PLUGIN",     "RECORD",         "REUSE",
    "REUSE_JSON",  "REUSE_OPTIONS", "REUSE_PLAN", "SAMPLE",         "SAMPLE_SEED",
    "SAMPLE_WARM", "SCHED",         "SET",        "STATS",          "STRICT",
    "SUPERVISOR",  "TABLE",         "TB",         "THREADS",        "TIMELINE",
    NULL};

// Reports variables with misspelt names, which would be ignored otherwise.
static void note_slips(void)
{
    for (char **e = environ; *e; e++) {
        const char *equals = strchr(*e, '=');
        struct hd_diag d = {.n = 0};
        char name[32];
        unsigned i = 0;
        if (strncmp(*e, "HEDDLE_", 7) || !equals || (size_t)(equals - *e) - 7 >= sizeof name)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(equals - *e - 7), *e + 7);
        const char *near = hd_diag_closest(name, known);
        while (known[i] && strcmp(name, known[i]))
            i++;
        if (known[i] || !near)
            continue;
        hd_diag_hint(hd_diag_add(&d, NULL, 0, 0,
                                 "HEDDLE_%s in the environment is not a variable of heddle's",
                                 name),
                     "did you mean HEDDLE_%s?", near);
        hd_cuda_say(&d);
    }
}

// Reads a number with an optional K, M or G (powers of 1024). *out does not change if the variable
// is not set.
static bool number(const char *name, uint64_t *out, struct hd_diag *d)
{
    static const char units[] = "KMG";
    const char *value = given(name);
    char *end;

    if (!value)
        return true;
    errno = 0;
    unsigned long long v = strtoull(value, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (value[0] < '0' || value[0] > '9' || errno || (*end && (!unit || end[1])) ||
        v > UINT64_MAX >> shift)
        return refuse(d, name, value, "a number");
    *out = v << shift;
    return true;
}

static bool capability(struct hd_diag *d)
{
    const char *value = given("HEDDLE_CC");

    hd_cuda.capability = DEFAULT_CAPABILITY;
    if (!value)
        return true;
    size_t n = strspn(value, "0123456789");
    if (!n || n > 2 || value[n] != '.' || value[n + 1] < '0' || value[n + 1] > '9' || value[n + 2])
        return refuse(d, "HEDDLE_CC", value, "a compute capability such as 8.6");
    hd_cuda.capability = (unsigned)strtoul(value, NULL, 10) * 10 + (unsigned)(value[n + 1] - '0');
    return true;
}

static bool bandwidth(struct hd_diag *d)
{
    const char *value = given("HEDDLE_COPY_BANDWIDTH");
    double gigabytes = 0;

    if (value && !hd_bandwidth_read(value, &gigabytes))
        return refuse(d, "HEDDLE_COPY_BANDWIDTH", value, HD_BANDWIDTH_EXPECTED);
    hd_copytime_set(gigabytes, hd_cuda.config.clock.core);
    return true;
}

static void add_change(struct hd_out *to, const char *name, const char *text, size_t bytes)
{
    hd_out_printf(to, "%s%s%.*s", to->bytes ? " " : "", name, (int)bytes, text);
}

// What reports name beside the machine; the same text, whatever separates the keys of HEDDLE_SET.
static const char *changes(void)
{
    static const char *const names[][2] = {{"HEDDLE_COPY_BANDWIDTH", "copy-bandwidth="},
                                           {"HEDDLE_PLUGIN", "plugin="}};
    struct hd_out text = {.arena = hd_cuda.arena};
    const char *set = given("HEDDLE_SET");

    for (; set && *(set += strspn(set, ", ")); set += strcspn(set, ", "))
        add_change(&text, "", set, strcspn(set, ", "));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (given(names[i][0]))
            add_change(&text, names[i][1], given(names[i][0]), strlen(given(names[i][0])));
    return text.bytes ? text.text : NULL;
}

static bool machine(struct hd_diag *d)
{
    const char *gpu = given("HEDDLE_GPU"), *text = given("HEDDLE_SET");
    size_t most = text ? strlen(text) : 0, n_overrides = 0;
    const char **sets = HD_ARRAY(hd_cuda.arena, const char *, most + 1);
    struct hd_override *overrides = HD_ARRAY(hd_cuda.arena, struct hd_override, most + 1);
    unsigned n = 0;

    for (; text && *text; text += strspn(text, ", ")) {
        size_t length = strcspn(text, ", ");
        char *set = hd_arena_strndup(hd_cuda.arena, text, length);
        if (!hd_override_is(set))
            sets[n++] = set;
        else if (!hd_override_read(hd_cuda.arena, "HEDDLE_SET", set, overrides, &n_overrides, d))
            return false;
        text += length;
    }
    hd_cuda.options.sets = changes();
    hd_cuda.options.overrides = overrides;
    hd_cuda.options.n_overrides = n_overrides;
    if (!hd_simmachine_load(hd_cuda.arena, gpu ? gpu : HD_CONFIG_PROGRAM_GPU, sets, n,
                            &hd_cuda.config, d))
        return false;
    if (d->n && !getenv("HEDDLE_SUPERVISOR")) // heddle exec has printed them
        hd_diag_print(d, stderr);
    d->n = d->dropped = 0;
    return true;
}

static bool plugins(struct hd_diag *d)
{
    const char *text = given("HEDDLE_PLUGIN");

    if (text)
        hd_crash_watch_plugins();
    while (text && *text) {
        size_t n = strcspn(text, ":");
        if (n && !hd_registry_plugin(hd_arena_strndup(hd_cuda.arena, text, n), d))
            return false;
        text += n + (text[n] == ':');
    }
    return true;
}

static bool policies(struct hd_diag *d)
{
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++) {
        const char *spec = given(hd_slots[s].variable);
        if (!spec && s == HD_SLOT_SCHED) {
            const char *own = hd_simmachine_sched(hd_cuda.arena, given("HEDDLE_GPU"));
            spec = own ? own : DEFAULT_SCHED;
        }
        if (spec &&
            !hd_registry_parse_slot(hd_cuda.arena, s, spec, &hd_cuda.options.gpu.slot[s], d))
            return false;
    }
    return true;
}

// Optional recordings of a timed run.
static bool watching(struct hd_diag *d)
{
    struct hd_gpu_options *g = &hd_cuda.options.gpu;
    uint64_t sm = 0;

    if (!number("HEDDLE_METRICS_SM", &sm, d))
        return false;
    if (sm >= hd_cuda.config.sm.sms)
        return refuse(d, "HEDDLE_METRICS_SM", given("HEDDLE_METRICS_SM"), "an SM of the machine");
    g->metrics_sm = (unsigned)sm;
    g->metrics_kernels = given("HEDDLE_METRICS_KERNELS");
    if (!flag("HEDDLE_METRICS", &g->metrics, d))
        return false;
    g->metrics = (g->metrics || hd_results_wishes.timeline) && !g->functional_only;
    if (g->functional_only && hd_results_wishes.timeline)
        return refuse(d, "HEDDLE_TIMELINE", hd_results_wishes.timeline, "a run with timing");
    return true;
}

static bool pipelines(struct hd_diag *d)
{
    struct hd_gpu_options *g = &hd_cuda.options.gpu;
    struct hd_pipeviews_options *p = HD_NEW(hd_cuda.arena, hd_pipeviews_options);
    const char *sms = given("HEDDLE_KONATA_SM"), *cycles = given("HEDDLE_KONATA_CYCLES");
    const char *file = given("HEDDLE_KONATA");

    if (!file)
        return true;
    if (g->functional_only)
        return refuse(d, "HEDDLE_KONATA", file, "a run with timing");
    hd_results_wishes.konata = hd_out_path(hd_cuda.arena, file);
    g->pipeviews = p;
    return hd_pipeviews_read_sms("HEDDLE_KONATA_SM", sms ? sms : HD_PIPEVIEWS_SMS, &hd_cuda.config,
                                 p, d) &&
           hd_pipeviews_read_cycles("HEDDLE_KONATA_CYCLES", cycles ? cycles : HD_PIPEVIEWS_CYCLES,
                                    p, d);
}

// The values under other simulators' names exist only in a timed run.
static bool names(struct hd_diag *d)
{
    const char *value = given("HEDDLE_STATS");

    hd_results_wishes.names = value != NULL;
    if (value && strcmp(value, "gpgpusim") != 0)
        return refuse(d, "HEDDLE_STATS", value, "gpgpusim");
    if (value && hd_cuda.options.gpu.functional_only)
        return refuse(d, "HEDDLE_STATS", value, "a run with timing");
    return true;
}

// Cycles by line of PTX.
static bool lines(struct hd_diag *d)
{
    struct hd_gpu_options *g = &hd_cuda.options.gpu;
    const char *text = given("HEDDLE_ANNOTATE"), *json = given("HEDDLE_ANNOTATE_JSON");

    if (g->functional_only && (text || json))
        return refuse(d, text ? "HEDDLE_ANNOTATE" : "HEDDLE_ANNOTATE_JSON", text ? text : json,
                      "a run with timing");
    hd_results_wishes.annotate = text ? hd_out_path(hd_cuda.arena, text) : NULL;
    hd_results_wishes.annotate_json = json ? hd_out_path(hd_cuda.arena, json) : NULL;
    g->profile = text || json;
    return true;
}

// Which data is used again.
static bool reuse(struct hd_diag *d)
{
    static struct hd_reuse_options chosen;
    struct hd_results_wishes *w = &hd_results_wishes;
    const char *const names[] = {"HEDDLE_REUSE", "HEDDLE_REUSE_JSON", "HEDDLE_REUSE_PLAN"};
    const char **const places[] = {&w->reuse, &w->reuse_json, &w->reuse_plan};
    const char *words = given("HEDDLE_REUSE_OPTIONS");
    struct hd_gpu_options *g = &hd_cuda.options.gpu;

    chosen = hd_reuseoptions_default();
    if (words && !hd_reuseoptions_read(&chosen, words))
        return refuse(d, "HEDDLE_REUSE_OPTIONS", words,
                      "loads, warps=sm, pairs=N or memory=SIZE, separated by commas");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = given(names[i]);
        *places[i] = text ? hd_out_path(hd_cuda.arena, text) : NULL;
        if (text && g->functional_only)
            return refuse(d, names[i], text, "a run with timing");
    }
    chosen.plan = w->reuse_plan != NULL;
    g->reuse = w->reuse || w->reuse_json || w->reuse_plan ? &chosen : NULL;
    return true;
}

static bool threads(struct hd_diag *d)
{
    uint64_t n = 1;

    if (!number("HEDDLE_THREADS", &n, d))
        return false;
    if (n > THREADS_MOST)
        return refuse(d, "HEDDLE_THREADS", given("HEDDLE_THREADS"), "0 to 1024");
    hd_cuda.options.gpu.threads = n ? (unsigned)n : HD_GPU_THREADS_THAT_PAY;
    return true;
}

// Which of the other settings needs every launch or every cycle; NULL: none.
static const char *needs_all(void)
{
    static const char *const texts[] = {
        "HEDDLE_TIMELINE",      "HEDDLE_KONATA",     "HEDDLE_STATS",     "HEDDLE_RECORD",
        "HEDDLE_ANNOTATE",      "HEDDLE_MAX_CYCLES", "HEDDLE_MAX_INSTS", "HEDDLE_REUSE",
        "HEDDLE_ANNOTATE_JSON", "HEDDLE_REUSE_JSON", "HEDDLE_REUSE_PLAN"};

    if (hd_cuda.options.gpu.functional_only)
        return "HEDDLE_FUNCTIONAL";
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (given(texts[i]))
            return texts[i];
    return hd_cuda.options.gpu.metrics ? "HEDDLE_METRICS" : NULL;
}

// A sample of the launches.
static bool sample(struct hd_diag *d)
{
    static struct hd_sample_options chosen;
    const char *every = given("HEDDLE_SAMPLE"), *warm = given("HEDDLE_SAMPLE_WARM"),
               *seed = given("HEDDLE_SAMPLE_SEED"), *other = needs_all();

    chosen = (struct hd_sample_options){.seed = HD_SAMPLE_SEED};
    if (!number("HEDDLE_SAMPLE", &chosen.every, d) ||
        !number("HEDDLE_SAMPLE_WARM", &chosen.warm, d) ||
        !number("HEDDLE_SAMPLE_SEED", &chosen.seed, d))
        return false;
    if (!every && (warm || seed))
        return refuse(d, seed ? "HEDDLE_SAMPLE_SEED" : "HEDDLE_SAMPLE_WARM", seed ? seed : warm,
                      "HEDDLE_SAMPLE beside it");
    if (every && (chosen.every < HD_SAMPLE_LEAST || chosen.every > HD_SAMPLE_MOST))
        return refuse(d, "HEDDLE_SAMPLE", every, "2 to 1000000");
    if (warm && chosen.warm > HD_SAMPLE_MOST)
        return refuse(d, "HEDDLE_SAMPLE_WARM", warm, "0 to 1000000");
    if (seed && !chosen.seed)
        return refuse(d, "HEDDLE_SAMPLE_SEED", seed, "1 or more");
    if (every && other)
        return refuse(d, other, given(other),
                      "none beside HEDDLE_SAMPLE: most launches of a sample have no timing");
    hd_cuda.options.gpu.sample = every ? &chosen : NULL;
    return true;
}

bool hd_settings_read(struct hd_diag *d)
{
    struct hd_gpu_options *g = &hd_cuda.options.gpu;

    hd_cuda.total_memory = DEFAULT_MEMORY;
    if (!number("HEDDLE_MEMORY", &hd_cuda.total_memory, d) || !capability(d))
        return false;
    if (hd_cuda.given) {
        hd_cuda.options = *hd_cuda.given;
        hd_cuda.config = *hd_cuda.given->gpu.config;
        g->config = &hd_cuda.config;
        return true;
    }
    note_slips();
    hd_cuda.options = (struct hd_run_options){.gpu = {.config = &hd_cuda.config}};
    if (!machine(d) || !bandwidth(d) || !plugins(d) || !policies(d) ||
        !number("HEDDLE_MAX_CYCLES", &g->max_cycles, d) ||
        !number("HEDDLE_MAX_INSTS", &g->max_insts, d) || !threads(d) ||
        !flag("HEDDLE_FUNCTIONAL", &g->functional_only, d) ||
        !flag("HEDDLE_STRICT", &g->strict, d) || !flag("HEDDLE_NO_SKIP", &g->no_skip, d) ||
        !flag("HEDDLE_NO_HOST", &hd_results_wishes.no_host, d) ||
        !flag("HEDDLE_TABLE", &hd_results_wishes.table, d))
        return false;
    hd_registry_preset(g->slot);
    if (given("HEDDLE_JSON"))
        hd_results_wishes.json = hd_out_path(hd_cuda.arena, given("HEDDLE_JSON"));
    if (given("HEDDLE_TIMELINE"))
        hd_results_wishes.timeline = hd_out_path(hd_cuda.arena, given("HEDDLE_TIMELINE"));
    if (given("HEDDLE_RECORD"))
        hd_results_wishes.record = hd_out_path(hd_cuda.arena, given("HEDDLE_RECORD"));
    hd_supervised_start(&(struct hd_supervised_device){hd_cuda_settle, hd_cuda_holder},
                        &hd_cuda.options.gpu);
    return watching(d) && pipelines(d) && names(d) && lines(d) && reuse(d) && sample(d);
}
