// identity.c - checksums of inputs, of sources as they were built, of plug-ins. See identity.h.
#include "study/identity.h"

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

static bool put_policies(json_t *to, const struct hd_run_options *o, struct hd_arena *a,
                         struct hd_diag *d)
{
    const struct hd_gpu_options *g = &o->gpu;

    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++) {
        const struct hd_policy *used = g->slot[s].policy;
        json_t *sum = used ? policy_sum(a, used, d) : NULL;
        if (used && !sum)
            return false;
        if (sum)
            hd_json_put(to, used->name, sum);
    }
    return true;
}

// What every run depends on. NULL with a diagnostic if a plug-in cannot be read.
static json_t *begin(const struct hd_run_options *o, struct hd_arena *a, struct hd_diag *d)
{
    json_t *identity = json_object(), *policies = json_object();
    bool good = put_policies(policies, o, a, d);

    hd_json_put(identity, "heddle", json_string(HD_VERSION));
    hd_json_put(identity, "model", hd_json_count(HD_MODEL));
    hd_json_put(identity, "simulator", simulator_sum());
    hd_json_put(identity, "policies", policies);
    hd_json_put(identity, "options", hd_runjson_options(o));
    if (good)
        return identity;
    json_decref(identity);
    return NULL;
}

static void end(json_t *identity, struct hd_arena *a, struct hd_identity *out)
{
    struct hd_out text = {.arena = a};
    char hex[SHA256_DIGEST_STRING_LENGTH];

    hd_json_add_sorted(identity, &text);
    SHA256Data((const uint8_t *)text.text, text.bytes, hex);
    *out = (struct hd_identity){.text = text.text, .key = hd_arena_strdup(a, hex)};
}

bool hd_identity_make(const struct hd_workloads_item *item, const json_t *inputs, const char *plan,
                      const struct hd_run_options *o, struct hd_arena *a, struct hd_identity *out,
                      struct hd_diag *d)
{
    json_t *identity = begin(o, a, d);

    if (!identity)
        return false;
    hd_json_put(identity, "inputs", json_deep_copy(inputs));
    if (item->job && o->regs.word && !o->regs.each)
        put_regs(identity, item->job, o->regs.word, a, d);
    // Some workloads are one program with different inputs: they share a folder and all its files.
    if (item->workload && item->workload->folder)
        hd_json_put(identity, "workload", hd_json_text(item->workload->name));
    hd_json_put(identity, "size", hd_json_text(hd_workloads_size(item)));
    hd_json_put(identity, "seed", hd_json_count_if(!item->job, item->seed));
    if (plan)
        hd_json_put(identity, "plan", json_string(plan));
    end(identity, a, out);
    return true;
}

bool hd_identity_make_program(const void *program, size_t bytes, const char *const *words,
                              const struct hd_run_options *o, struct hd_arena *a,
                              struct hd_identity *out, struct hd_diag *d)
{
    json_t *identity = begin(o, a, d), *inputs = json_object(), *list = json_array();

    for (; *words; words++)
        json_array_append_new(list, hd_json_text(*words));
    hd_json_put(inputs, "program", sum_of(program, bytes));
    if (identity) {
        hd_json_put(identity, "inputs", inputs);
        hd_json_put(identity, "words", list);
        end(identity, a, out);
        return true;
    }
    json_decref(inputs);
    json_decref(list);
    return false;
}
