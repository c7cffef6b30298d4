// workloads.c - the list of workloads, made by the build, and a run of one on the device of this
// process. See workloads.h.
#include "workload/workloads.h"

#include "base/config.h"
#include "cuda/cuda.h"

#include <string.h>
#include <strings.h>

#define X(name) extern const struct hd_workload hd_workload_##name;
#include "workloads.inc"
#undef X

static const struct hd_workload *const workloads[] = {
#define X(name) &hd_workload_##name,
#include "workloads.inc"
#undef X
    NULL,
};

const char *const hd_workloads_sizes[] = {"test", "small", "paper", NULL};

const struct hd_workload *hd_workloads_at(unsigned i)
{
    return i < sizeof workloads / sizeof *workloads ? workloads[i] : NULL;
}

const struct hd_workload *hd_workloads_find(const char *name)
{
    for (unsigned i = 0; workloads[i]; i++)
        if (!strcmp(workloads[i]->name, name))
            return workloads[i];
    return NULL;
}

const char *hd_workloads_size(const struct hd_workloads_item *item)
{
    if (item->trace)
        return *item->trace->summary.size ? item->trace->summary.size : NULL;
    return item->job ? NULL : hd_workloads_sizes[item->size];
}

// Whether this word of a workload's groups, of n characters, matches `group`.
static bool is_of(const char *word, size_t n, const char *group)
{
    size_t asked = strlen(group), name = strcspn(group, ":");

    if (asked > n || memcmp(word, group, name) != 0)
        return false;
    if (asked == name)
        return n == name || word[name] == ':';
    return asked == n && word[name] == ':' && !strncasecmp(word + name, group + name, n - name);
}

bool hd_workloads_in(const struct hd_workload *w, const char *group)
{
    for (const char *at = w->groups; *at; at += strspn(at, " ")) {
        size_t n = strcspn(at, " ");
        if (is_of(at, n, group))
            return true;
        at += n;
    }
    return !strcmp(group, "all") && !w->dynamic;
}

const char *hd_workloads_folder(const struct hd_workload *w)
{
    return w->folder ? w->folder : w->name;
}

struct run { // what lives as long as the machine
    struct hd_work work;
    struct hd_run_options options;
};

static void compare_all(struct hd_run *r, const struct hd_work *w, struct hd_arena *a)
{
    r->checks = HD_ARRAY(a, struct hd_check, w->n_checks + 1);
    r->n_checks = w->n_checks;
    r->checked = r->verified = true;
    for (unsigned i = 0; i < w->n_checks; i++) {
        const struct hd_work_check *c = &w->checks[i];
        r->checks[i] = hd_work_check(c);
        hd_check_compare(&r->checks[i], c->got);
        if (r->checks[i].differ)
            r->verified = false;
    }
}

static void release(struct hd_run *r)
{
    struct run *run = r->owner;

    r->release = NULL;
    hd_work_end(&run->work);
    hd_cuda_end();
}

bool hd_workloads_module(const struct hd_workloads_item *item, struct hd_arena *a, const char **ptx,
                         struct hd_diag *d)
{
    const char *folder = hd_workloads_folder(item->workload);
    const char *inside = hd_arena_printf(a, "workloads/%s/%s.%s.ptx", folder, folder,
                                         item->target ? item->target : "sm_75");
    const char *data = hd_config_data(a, inside);

    *ptx = data ? hd_arena_printf(a, "%s/%s", data, inside) : NULL;
    if (!*ptx)
        hd_diag_add(d, NULL, 0, 0, "%s: its module %s is missing", item->name, inside);
    return *ptx != NULL;
}

static bool run_workload(struct hd_run *r, const struct hd_workloads_item *item, struct hd_arena *a,
                         const struct hd_run_options *o, struct hd_diag *d)
{
    struct run *run = HD_NEW(a, run);
    struct hd_work *w = &run->work;
    const char *ptx;

    if (!hd_workloads_module(item, a, &ptx, d))
        return false;
    *w = (struct hd_work){.arena = a, .size = item->size, .seed = item->seed};
    run->options = *o;
    hd_cuda_use(&run->options);
    hd_work_start(w, ptx);
    if (w->error == CUDA_SUCCESS)
        item->workload->run(w);
    bool machine = hd_cuda_finish(r);
    r->owner = run;
    r->release = release;
    r->path = hd_arena_printf(a, "workloads/%s/host.c", hd_workloads_folder(item->workload));
    r->to_check = true;
    if (machine && hd_gpu_n_results(r->gpu))
        r->program = hd_gpu_result(r->gpu, 0)->launch->program;
    if (machine && r->status != HD_RUN_OK)
        return true;
    if (w->error != CUDA_SUCCESS) {
        const char *error = NULL;
        cuGetErrorName(w->error, &error);
        hd_diag_add(d, NULL, 0, 0, "%s: %s returned %s", item->name, w->failed,
                    error ? error : "an unknown error");
        return false;
    }
    compare_all(r, w, a);
    return true;
}

bool hd_workloads_regs(const struct hd_workloads_item *item, struct hd_arena *a,
                       const struct hd_jobregs_choice *choice, struct hd_jobregs *out,
                       struct hd_diag *d)
{
    const char *target = choice->each ? NULL : choice->word, *ptx;
    bool good = true;

    *out = (struct hd_jobregs){.n = 0};
    if (item->job) // it has read those without a target
        for (size_t i = 0; good && target && i < item->job->n_modules; i++)
            good = hd_jobregs_read(out, a, item->job->modules[i].path, target, d);
    else if (item->trace) // it holds those without a target
        for (size_t i = 0; good && target && i < item->trace->summary.n_programs; i++)
            for (uint32_t k = 0; good && k < item->trace->summary.programs[i].n_texts; k++)
                good = hd_jobregs_read(out, a, item->trace->summary.programs[i].texts[k].path,
                                       target, d);
    else
        good = hd_workloads_module(item, a, &ptx, d) && hd_jobregs_read(out, a, ptx, target, d);
    return good;
}

bool hd_workloads_start(struct hd_run *r, const struct hd_workloads_item *item, struct hd_arena *a,
                        const struct hd_run_options *o, struct hd_diag *d)
{
    struct hd_run_options *own = HD_NEW(a, hd_run_options); // lives as long as the machine
    struct hd_jobregs *files = HD_NEW(a, hd_jobregs);

    *own = *o;
    own->files = files;
    *r = (struct hd_run){0};
    if (!hd_workloads_regs(item, a, &o->regs, files, d)) {
        if (item->trace)
            hd_traceread_close(item->trace);
        return false;
    }
    if (item->job)
        return hd_jobrun_start(r, item->job, a, own, d);
    if (item->trace)
        return hd_tracerun_start(r, item->trace, a, own, d);
    return run_workload(r, item, a, own, d);
}
