// runsample.c - a run with timing for a sample of its launches: what is estimated, how reports
// name it, and how it is read again from the run's JSON.
#include "report/runreport.h"

#include "present/json.h"

#include <inttypes.h>
#include <string.h>

bool hd_runsample_estimate(const struct hd_runreport *r, const void *kernel,
                           struct hd_estimate *out)
{
    const struct hd_sample *s = hd_gpu_sample(r->run->gpu);

    // A program may also end in the middle of a launch.
    if (!s || r->run->status != HD_RUN_OK || !s->n_groups || s->current)
        return false;
    *out = hd_estimate_of(s, kernel);
    return true;
}

static const char *const parts[] = {
    [HD_SAMPLE_CHOSEN] = "measured", [HD_SAMPLE_WARM] = "warm-up", [HD_SAMPLE_UNTIMED] = "untimed"};
#define N_PARTS (sizeof parts / sizeof *parts)

const char *hd_runsample_part(const struct hd_kernel_result *k)
{
    return parts[k->part];
}

const char *hd_runsample_error(struct hd_arena *a, const struct hd_estimate *e)
{
    if (!e->known)
        return "unknown";
    return hd_arena_printf(a, "%.2f", e->cycles > 0 ? 100 * e->error / e->cycles : 0);
}

const char *hd_runsample_words(struct hd_arena *a, const struct hd_sample_options *o)
{
    const char *warm = o->warm ? hd_arena_printf(a, " --sample-warm %" PRIu64, o->warm) : "";

    return hd_arena_printf(a, "--sample %" PRIu64 "%s --sample-seed %" PRIu64, o->every, warm,
                           o->seed);
}

static json_t *estimate_json(const struct hd_estimate *e)
{
    json_t *out = json_object();

    hd_json_put(out, "launches", hd_json_count(e->launches));
    hd_json_put(out, "measured", hd_json_count(e->chosen));
    hd_json_put(out, "warm_up", hd_json_count(e->warm));
    hd_json_put(out, "measured_cycles", hd_json_count(e->chosen_cycles));
    hd_json_put(out, "cycles", hd_json_count((uint64_t)(e->cycles + 0.5)));
    hd_json_put(out, "error", hd_json_count_if(e->known, (uint64_t)(e->error + 0.5)));
    return out;
}

json_t *hd_runsample_json(const struct hd_runreport *r)
{
    struct hd_estimate e;
    json_t *sample, *kernels = json_array();
    unsigned n = hd_gpu_n_results(r->run->gpu);

    if (!hd_runsample_estimate(r, NULL, &e)) {
        json_decref(kernels);
        return json_null();
    }
    sample = estimate_json(&e);
    for (unsigned i = 0; i < n; i++) {
        const struct hd_func *kernel = hd_gpu_result(r->run->gpu, i)->launch->kernel;
        unsigned before = 0;
        while (before < i && hd_gpu_result(r->run->gpu, before)->launch->kernel != kernel)
            before++;
        if (before < i || !hd_runsample_estimate(r, kernel, &e))
            continue;
        json_t *one = estimate_json(&e);
        hd_json_put(one, "name", json_string(kernel->name));
        json_array_append_new(kernels, one);
    }
    hd_json_put(sample, "kernels", kernels);
    return sample;
}

void hd_runsample_launch(const struct hd_kernel_result *k, json_t *launch)
{
    hd_json_put(launch, "sample", json_string(hd_runsample_part(k)));
    hd_json_put(launch, "sample_kind", hd_json_count(k->group));
}

int64_t hd_runsample_json_cycles(const json_t *run, double *error)
{
    const json_t *sample = json_object_get(run, "sample");
    int64_t cycles = hd_json_integer(sample, "cycles"), half = hd_json_integer(sample, "error");

    *error = cycles > 0 && half >= 0 ? (double)half / (double)cycles : -1;
    return cycles;
}

// Launches have the same kernel if it has the same name, which then stands for it.
static const char *kernel_of(const struct hd_sample *s, struct hd_arena *a, const char *name)
{
    for (size_t i = 0; i < s->n_groups; i++)
        if (!strcmp(s->groups[i]->shape.kernel, name))
            return s->groups[i]->shape.kernel;
    return hd_arena_strdup(a, name);
}

static bool read_launch(struct hd_sample *s, struct hd_arena *a, const json_t *launch)
{
    const char *part = json_string_value(json_object_get(launch, "sample"));
    const char *name = json_string_value(json_object_get(launch, "name"));
    int64_t kind = hd_json_integer(launch, "sample_kind");
    int64_t insts = hd_json_integer(launch, "warp_insts");
    int64_t cycles = hd_json_integer(launch, "cycles");
    unsigned p = 0;

    while (part && p < N_PARTS && strcmp(parts[p], part) != 0)
        p++;
    if (!part || p == N_PARTS || !name || kind < 0 || insts < 0)
        return false;
    const struct hd_sample_launch l = {.part = (enum hd_sample_part)p,
                                       .insts = (uint64_t)insts,
                                       .cycles = cycles > 0 ? (uint64_t)cycles : 0};
    return hd_sample_restore(s, (uint64_t)kind, kernel_of(s, a, name), &l);
}

struct hd_sample *hd_runsample_read(const json_t *run, struct hd_arena *a)
{
    const json_t *launches = json_object_get(run, "kernels");
    struct hd_sample *s = hd_sample_new(a, &(struct hd_sample_options){.every = HD_SAMPLE_LEAST});

    if (!json_is_object(json_object_get(run, "sample")))
        return NULL;
    for (size_t i = 0; i < json_array_size(launches); i++)
        if (!read_launch(s, a, json_array_get(launches, i)))
            return NULL;
    return s;
}
