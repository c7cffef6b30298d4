// annotate.c - the profile by kernel function, and its JSON. See annotate.h.
#include "report/annotate.h"

#include "base/bug.h"
#include "report/json.h"

static struct hd_annotate_kernel *kernel_of(struct hd_annotate *n, const struct hd_func *f)
{
    for (size_t i = 0; i < n->n_kernels; i++)
        if (n->kernels[i].func == f)
            return &n->kernels[i];
    struct hd_annotate_kernel *k = HD_PUSH(n->arena, n->kernels, n->n_kernels, n->cap);
    *k = (struct hd_annotate_kernel){.func = f};
    return k;
}

static void add_launch(struct hd_annotate_kernel *k, const struct hd_kernel_result *r)
{
    k->launches++;
    k->cycles += r->cycles;
    hd_stats_add_sm(&k->sm, &r->sm);
#define ADD(name, text) k->idle.name += r->idle.name;
    HD_PROFILE_IDLE(ADD)
#undef ADD
}

static uint64_t idle_cycles(const struct hd_profile_idle *idle)
{
    uint64_t n = 0;
#define ADD(name, text) n += idle->name;
    HD_PROFILE_IDLE(ADD)
#undef ADD
    return n - idle->inactive;
}

static void sum_lines(const struct hd_annotate *n, struct hd_annotate_kernel *k)
{
    for (uint32_t pc = k->func->first_pc; pc < k->func->end_pc; pc++) {
        const struct hd_profile_line *l = &n->profile->lines[pc];
        k->sum.issued += l->issued;
        k->sum.lanes += l->lanes;
        k->sum.scoreboard += l->scoreboard;
        k->sum.pipeline += l->pipeline;
    }
    const struct hd_sm_stats *s = &k->sm;
    k->all = s->issued + s->idle + s->scoreboard + s->pipeline + s->inactive;
    if (n->report->run->status == HD_RUN_FAULT) // at most one an SM
        k->faulted = s->issued - k->sum.issued;
    HD_BUG_IF(k->sum.issued + k->faulted != s->issued ||
                  k->faulted > n->report->options->gpu.config->sm.sms ||
                  k->sum.scoreboard != s->scoreboard || k->sum.pipeline != s->pipeline ||
                  idle_cycles(&k->idle) != s->idle || k->idle.inactive != s->inactive,
              "kernel %s: the lines do not add up to the stall counters", k->func->name);
}

void hd_annotate_collect(struct hd_annotate *n, struct hd_arena *a, const struct hd_runreport *r)
{
    const struct hd_jobrun *run = r->run;

    *n = (struct hd_annotate){.arena = a, .report = r, .program = run->job->program};
    n->profile = hd_gpu_profile(run->gpu, n->program);
    n->text = hd_ptxtext_new(a, n->program);
    for (unsigned i = 0; i < hd_gpu_n_results(run->gpu); i++) {
        const struct hd_kernel_result *k = hd_gpu_result(run->gpu, i);
        add_launch(kernel_of(n, k->launch->kernel), k);
    }
    for (size_t i = 0; i < n->n_kernels; i++)
        sum_lines(n, &n->kernels[i]);
}

static json_t *line_json(struct hd_annotate *n, uint32_t pc)
{
    const struct hd_profile_line *l = &n->profile->lines[pc];
    const struct hd_place *at = &n->program->places[pc];
    json_t *line = json_object(), *source = json_null();

    hd_json_put(line, "pc", hd_json_count(pc));
    hd_json_put(line, "line", hd_json_count(at->line));
    hd_json_put(line, "ptx", hd_json_text(hd_ptxtext_statement(&n->text, pc)));
    if (at->source_line && at->source_file < n->program->n_files) {
        source = json_object();
        hd_json_put(source, "file", hd_json_text(n->program->files[at->source_file]));
        hd_json_put(source, "line", hd_json_count(at->source_line));
        hd_json_put(source, "text", hd_json_text(hd_ptxtext_source(&n->text, pc)));
    }
    hd_json_put(line, "source", source);
    hd_json_put(line, "issued", hd_json_count(l->issued));
    hd_json_put(line, "lanes", hd_json_count(l->lanes));
    hd_json_put(line, "scoreboard", hd_json_count(l->scoreboard));
    hd_json_put(line, "pipeline", hd_json_count(l->pipeline));
    return line;
}

static json_t *kernel_json(struct hd_annotate *n, const struct hd_annotate_kernel *k)
{
    json_t *kernel = json_object(), *idle = json_object(), *lines = json_array();

#define PUT(name, text) hd_json_put(idle, #name, hd_json_count(k->idle.name));
    HD_PROFILE_IDLE(PUT)
#undef PUT
    json_object_del(idle, "inactive"); // a class of its own, not a reason of idling
    for (uint32_t pc = k->func->first_pc; pc < k->func->end_pc; pc++)
        json_array_append_new(lines, line_json(n, pc));
    hd_json_put(kernel, "name", hd_json_text(k->func->name));
    hd_json_put(kernel, "launches", hd_json_count(k->launches));
    hd_json_put(kernel, "cycles", hd_json_count(k->cycles));
    hd_json_put(kernel, "stalls", hd_runjson_stalls(&k->sm));
    hd_json_put(kernel, "idle", idle);
    hd_json_put(kernel, "faulted", hd_json_count(k->faulted));
    hd_json_put(kernel, "instructions", lines);
    return kernel;
}

void hd_annotate_json(struct hd_annotate *n, struct hd_out *out)
{
    json_t *run = hd_runjson_head(n->report), *kernels = json_array();

    for (size_t i = 0; i < n->n_kernels; i++)
        json_array_append_new(kernels, kernel_json(n, &n->kernels[i]));
    hd_json_put(run, "kernels", kernels);
    hd_json_write(run, out);
}
