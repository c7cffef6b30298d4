// identity.c - checksums of inputs, of sources as they were built, of plug-ins. See identity.h.
#include "study/identity.h"

#include "base/bug.h"
#include "base/file.h"
#include "heddle/version.h"
#include "present/json.h"
#include "report/runreport.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <sha256.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct source { // a file that results depend on, as it was when this program was built
    const char *path, *sum;
};
#define X(path, sum) {path, sum},
static const struct source sources[] = {
#include "sources.inc"
};
#undef X
#define N_SOURCES (sizeof sources / sizeof *sources)

static bool begins(const char *word, const char *with)
{
    return !strncmp(word, with, strlen(with));
}

static bool ends(const char *word, const char *in)
{
    size_t n = strlen(word), m = strlen(in);

    return n >= m && !strcmp(word + n - m, in);
}

static json_t *sum_of(const void *data, size_t bytes)
{
    char hex[SHA256_DIGEST_STRING_LENGTH];

    return json_string(SHA256Data(data, bytes, hex));
}

// All sources except policies and workloads, of which a run uses only some. Made once, because a
// study may have 100,000 runs.
static json_t *simulator_sum(void)
{
    static char hex[SHA256_DIGEST_STRING_LENGTH];
    SHA256_CTX s;

    if (*hex)
        return json_string(hex);
    SHA256Init(&s);
    for (size_t i = 0; i < N_SOURCES; i++)
        if (!begins(sources[i].path, "src/policy/") &&
            !begins(sources[i].path, "include/heddle/policy/") &&
            !begins(sources[i].path, "workloads/"))
            SHA256Update(&s, (const uint8_t *)sources[i].sum, strlen(sources[i].sum));
    return json_string(SHA256End(&s, hex));
}

// For a built-in policy: its file, and the headers that policies share.
static json_t *built_in_sum(struct hd_arena *a, const struct hd_policy *p)
{
    const char *file = hd_arena_printf(a, "src/policy/%s.c", hd_registry_original(p)->name);
    SHA256_CTX s;
    char hex[SHA256_DIGEST_STRING_LENGTH];

    SHA256Init(&s);
    for (size_t i = 0; i < N_SOURCES; i++)
        if (!strcmp(sources[i].path, file) || begins(sources[i].path, "include/heddle/policy/"))
            SHA256Update(&s, (const uint8_t *)sources[i].sum, strlen(sources[i].sum));
    return json_string(SHA256End(&s, hex));
}

static json_t *policy_sum(struct hd_arena *a, const struct hd_policy *p, struct hd_diag *d)
{
    Dl_info at;
    const char *plugin = dladdr(p, &at) ? hd_registry_plugin_at(at.dli_fbase) : NULL;
    char err[HD_FILE_WHY];
    size_t bytes;

    if (!plugin)
        return built_in_sum(a, p);
    const uint8_t *data = hd_file_read(a, plugin, &bytes, err);
    if (!data) {
        hd_diag_add(d, NULL, 0, 0, "cannot read the plug-in again: %s", err);
        return NULL;
    }
    return sum_of(data, bytes);
}

static void put_file(json_t *to, const char *name, const struct hd_job_file *f, uint64_t bytes)
{
    if (f->data)
        hd_json_put(to, name, sum_of(f->data, (size_t)bytes));
}

static bool put_path(json_t *to, const char *name, struct hd_arena *a, const char *path,
                     struct hd_diag *d)
{
    char err[HD_FILE_WHY];
    size_t bytes;
    const uint8_t *data = hd_file_read(a, path, &bytes, err);

    if (!data)
        hd_diag_add(d, NULL, 0, 0, "cannot read an input: %s", err);
    else
        hd_json_put(to, name, sum_of(data, bytes));
    return data != NULL;
}

// The files of a target, which a workload has in its folder. The run itself reports one that is
// missing.
static void put_regs(json_t *to, const struct hd_job *j, const char *target, struct hd_arena *a,
                     struct hd_diag *d)
{
    for (size_t i = 0; i < j->n_modules; i++) {
        const char *path = hd_jobregs_path(a, j->modules[i].path, target);
        if (!access(path, F_OK))
            put_path(to, hd_arena_printf(a, "registers %zu", i), a, path, d);
    }
}

static bool put_job(json_t *to, const struct hd_job *j, struct hd_arena *a, struct hd_diag *d)
{
    hd_json_put(to, "job", sum_of(j->text, j->text_bytes));
    for (size_t i = 0; i < j->n_modules; i++)
        if (!put_path(to, hd_arena_printf(a, "module %zu", i), a, j->modules[i].path, d))
            return false;
    for (size_t i = 0; i < j->n_bufs; i++)
        put_file(to, hd_arena_printf(a, "buf %s", j->bufs[i].name), &j->bufs[i].file,
                 j->bufs[i].bytes);
    for (size_t i = 0; i < j->n_consts; i++)
        put_file(to, hd_arena_printf(a, "const %s", j->consts[i].symbol), &j->consts[i].file,
                 j->consts[i].bytes);
    for (size_t i = 0; i < j->n_checks; i++)
        put_file(to, hd_arena_printf(a, "check %zu", i), &j->checks[i].file, j->checks[i].bytes);
    struct hd_out regs = {.arena = a};
    for (size_t i = 0; i < j->regs.n; i++)
        hd_out_printf(&regs, "%s %u %u\n", j->regs.kernels[i].name, j->regs.kernels[i].regs,
                      j->regs.kernels[i].smem);
    if (regs.bytes)
        hd_json_put(to, "registers", sum_of(regs.text, regs.bytes));
    return true;
}

// A workload reads files of its own folder; its host code is part of the program.
static bool put_workload(json_t *to, const struct hd_workloads_item *item, struct hd_arena *a,
                         struct hd_diag *d)
{
    const char *inside = hd_arena_printf(a, "workloads/%s/", hd_workloads_folder(item->workload));
    const char *ptx;
    bool good = hd_workloads_module(item, a, &ptx, d);

    if (!good || !put_path(to, "module", a, ptx, d))
        return false;
    const char *slash = strrchr(ptx, '/');
    const char *folder = slash ? hd_arena_strndup(a, ptx, (size_t)(slash - ptx)) : ".";
    DIR *dir = opendir(folder);
    if (!dir) {
        hd_diag_add(d, NULL, 0, 0, "cannot read the folder of a workload: %s: %s", folder,
                    strerror(errno));
        return false;
    }
    for (struct dirent *e; good && (e = readdir(dir));)
        if (e->d_name[0] != '.' && !ends(e->d_name, ".c") && !ends(e->d_name, ".h") &&
            !ends(e->d_name, ".md") && !ends(e->d_name, ".cu") && !ends(e->d_name, ".ptx"))
            good = put_path(to, e->d_name, a, hd_arena_printf(a, "%s/%s", folder, e->d_name), d);
    closedir(dir);
    for (size_t i = 0; i < N_SOURCES; i++)
        if (begins(sources[i].path, inside) ||
            (begins(sources[i].path, "workloads/") && !strchr(sources[i].path + 10, '/')))
            hd_json_put(to, sources[i].path, json_string(sources[i].sum));
    return good;
}

json_t *hd_identity_inputs(const struct hd_workloads_item *item, struct hd_arena *a,
                           struct hd_diag *d)
{
    json_t *inputs = json_object();

    if (item->job     ? put_job(inputs, item->job, a, d)
        : item->trace ? put_path(inputs, "trace", a, item->trace->path, d)
                      : put_workload(inputs, item, a, d))
        return inputs;
    json_decref(inputs);
    return NULL;
}

// What the identities of a study share. 100,000 runs are of few machines, workloads and policies,
// so each of these becomes text once.

#define MACHINES 4096 // remembered; a power of two

struct options_text { // of a machine, with a gap for the scheduler, which a study varies most
    unsigned char of[sizeof(struct hd_run_options)]; // its bytes without the scheduler
    const char *before, *after;
};

struct policy_text {
    const struct hd_policy *policy;
    const char *sum;
};

struct hd_identity_texts {
    struct hd_arena *arena;
    struct options_text *options[MACHINES]; // by a hash of `of`; NULL: none
    const json_t *inputs;                   // the last ones, and their text
    const char *inputs_text;
    struct policy_text *policies;
    size_t n_policies, cap_policies;
};

struct hd_identity_texts *hd_identity_texts_new(struct hd_arena *a)
{
    struct hd_identity_texts *t = HD_NEW(a, hd_identity_texts);

    t->arena = a;
    return t;
}

// Takes the value.
static const char *sorted_text(struct hd_arena *a, json_t *value)
{
    struct hd_out out = {.arena = a};

    hd_json_add_sorted(value, &out);
    return out.text;
}

static const char *sum_text(struct hd_identity_texts *t, const struct hd_policy *p,
                            struct hd_diag *d)
{
    for (size_t i = 0; i < t->n_policies; i++)
        if (t->policies[i].policy == p)
            return t->policies[i].sum;
    json_t *sum = policy_sum(t->arena, p, d);
    if (!sum)
        return NULL;
    *HD_PUSH(t->arena, t->policies, t->n_policies, t->cap_policies) =
        (struct policy_text){p, hd_arena_strdup(t->arena, json_string_value(sum))};
    json_decref(sum);
    return t->policies[t->n_policies - 1].sum;
}

static bool put_policies(json_t *to, struct hd_identity_texts *t, const struct hd_run_options *o,
                         struct hd_diag *d)
{
    const struct hd_gpu_options *g = &o->gpu;

    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++) {
        const struct hd_policy *used = g->slot[s].policy;
        const char *sum = used ? sum_text(t, used, d) : NULL;
        if (used && !sum)
            return false;
        if (sum)
            hd_json_put(to, used->name, json_string(sum));
    }
    return true;
}

// A text that stands in no other option, because JSON escapes it.
#define GAP "\001"
#define GAP_TEXT "\"\\u0001\""

static struct options_text *make_options(struct hd_arena *a, const struct hd_run_options *o)
{
    struct options_text *made = HD_NEW(a, options_text);
    json_t *options = hd_runjson_options(o);

    hd_json_put(options, hd_slots[HD_SLOT_SCHED].key, json_string(GAP));
    const char *text = sorted_text(a, options), *gap = strstr(text, GAP_TEXT);
    HD_BUG_IF(!gap, "the options have no scheduler");
    memcpy(made->of, o, sizeof *o);
    made->before = hd_arena_strndup(a, text, (size_t)(gap - text));
    made->after = gap + strlen(GAP_TEXT);
    return made;
}

static const struct options_text *options_of(struct hd_identity_texts *t,
                                             const struct hd_run_options *o)
{
    struct hd_run_options plain;
    unsigned char bytes[sizeof plain];
    uint64_t hash = UINT64_C(14695981039346656037); // FNV-1a

    memcpy(&plain, o, sizeof plain);
    memset(&plain.gpu.sched, 0, sizeof plain.gpu.sched);
    memcpy(bytes, &plain, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    struct options_text **at = &t->options[(hash ^ hash >> 32) % MACHINES];
    // Equal bytes are equal options. Those that only look different are made again.
    if (!*at || memcmp((*at)->of, bytes, sizeof bytes) != 0)
        *at = make_options(t->arena, &plain);
    return *at;
}

// The members of the identity, which is an object whose keys are sorted.
struct member {
    const char *name, *text[3];
};
struct members {
    struct hd_arena *arena; // of the list
    struct member *of;
    size_t n, cap;
};

// The result is valid until the next member is added.
static struct member *add(struct members *m, const char *name, const char *text)
{
    struct member *new = HD_PUSH(m->arena, m->of, m->n, m->cap);

    *new = (struct member){name, {text, "", ""}};
    return new;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

// What every run depends on. False with a diagnostic if a plug-in cannot be read.
static bool begin(struct members *m, struct hd_identity_texts *t, const struct hd_run_options *o,
                  struct hd_arena *scratch, struct hd_diag *d)
{
    json_t *policies = json_object();
    const struct options_text *options = options_of(t, o);
    const char *sched = hd_registry_resolved(&o->gpu.sched, HD_SLOT_SCHED);

    if (!put_policies(policies, t, o, d)) {
        json_decref(policies);
        return false;
    }
    add(m, "heddle", sorted_text(scratch, json_string(HD_VERSION)));
    add(m, "model", sorted_text(scratch, hd_json_count(HD_MODEL)));
    add(m, "simulator", sorted_text(scratch, simulator_sum()));
    add(m, "policies", sorted_text(scratch, policies));
    struct member *all = add(m, "options", options->before);
    all->text[1] = sorted_text(scratch, json_string(sched));
    all->text[2] = options->after;
    return true;
}

static void end(struct members *m, struct hd_arena *a, struct hd_identity *out)
{
    struct hd_out text = {.arena = a};
    char hex[SHA256_DIGEST_STRING_LENGTH];

    qsort(m->of, m->n, sizeof *m->of, by_name);
    for (size_t i = 0; i < m->n; i++) {
        hd_out_printf(&text, "%s\"%s\":", i ? "," : "{", m->of[i].name);
        for (unsigned k = 0; k < 3; k++)
            hd_out_add(&text, m->of[i].text[k], strlen(m->of[i].text[k]));
    }
    hd_out_add(&text, "}", 1);
    SHA256Data((const uint8_t *)text.text, text.bytes, hex);
    *out = (struct hd_identity){.text = text.text, .key = hd_arena_strdup(a, hex)};
}

static const char *inputs_of(struct hd_identity_texts *t, const json_t *inputs)
{
    if (t->inputs != inputs)
        t->inputs_text = sorted_text(t->arena, json_deep_copy(inputs));
    t->inputs = inputs;
    return t->inputs_text;
}

// The checksums of files that only this run reads.
static void add_regs(struct members *m, const struct hd_job *j, const char *target,
                     struct hd_arena *scratch, struct hd_diag *d)
{
    json_t *files = json_object(), *sum;
    const char *name;

    put_regs(files, j, target, scratch, d);
    json_object_foreach(files, name, sum)
    {
        add(m, hd_arena_strdup(scratch, name), sorted_text(scratch, json_incref(sum)));
    }
    json_decref(files);
}

bool hd_identity_make(struct hd_identity_texts *t, const struct hd_workloads_item *item,
                      const json_t *inputs, const char *plan, const struct hd_run_options *o,
                      struct hd_arena *a, struct hd_identity *out, struct hd_diag *d)
{
    struct hd_arena *scratch = hd_arena_new();
    struct members m = {.arena = scratch};
    bool good = begin(&m, t, o, scratch, d);

    if (good) {
        add(&m, "inputs", inputs_of(t, inputs));
        if (item->job && o->regs.word && !o->regs.each)
            add_regs(&m, item->job, o->regs.word, scratch, d);
        // Some workloads are one program with different inputs: they share a folder and all its
        // files.
        if (item->workload && item->workload->folder)
            add(&m, "workload", sorted_text(scratch, hd_json_text(item->workload->name)));
        add(&m, "size", sorted_text(scratch, hd_json_text(hd_workloads_size(item))));
        add(&m, "seed", sorted_text(scratch, hd_json_count_if(!item->job, item->seed)));
        if (plan)
            add(&m, "plan", sorted_text(scratch, json_string(plan)));
        end(&m, a, out);
    }
    hd_arena_free(scratch);
    return good;
}

bool hd_identity_make_program(const void *program, size_t bytes, const char *const *words,
                              const struct hd_run_options *o, struct hd_arena *a,
                              struct hd_identity *out, struct hd_diag *d)
{
    struct members m = {.arena = a};
    json_t *inputs, *list;

    if (!begin(&m, hd_identity_texts_new(a), o, a, d))
        return false;
    inputs = json_object();
    list = json_array();
    for (; *words; words++)
        json_array_append_new(list, hd_json_text(*words));
    hd_json_put(inputs, "program", sum_of(program, bytes));
    add(&m, "inputs", sorted_text(a, inputs));
    add(&m, "words", sorted_text(a, list));
    end(&m, a, out);
    return true;
}
