// runjson.c - a run as JSON. The keys are a contract: docs/run.schema.json.
//
// A part that the selected machine does not have (an L2 with flat memory, cycles of a
// functional run) is null, never 0: 0 would be a measurement.
#include "report/runreport.h"

#include "base/bug.h"
#include "base/config.h"
#include "base/cxxname.h"
#include "base/fields.h"
#include "heddle/version.h"
#include "present/json.h"
#include "reuse/reuseoptions.h"

#include <string.h>
#include <sys/resource.h>

struct parts { // what the machine has
    bool timing, l1d, l1i, l1c, l1t, requeue, l2, dram;
};

static struct parts parts_with(const struct hd_gpu_options *o, bool timing)
{
    struct parts p = {.timing = timing};

    p.l1d = p.timing && o->config->l1d.enabled;
    p.l1i = p.timing && !o->config->l1i.perfect;
    p.l1c = p.timing && !o->config->l1c.perfect;
    p.l1t = p.timing && !o->config->l1t.perfect;
    p.requeue = p.timing && o->config->requeue.entries;
    p.l2 = p.dram = p.timing && o->config->gpu.memory != HD_MEM_FLAT;
    return p;
}

static json_t *triple(const uint32_t v[3])
{
    return json_pack("[I,I,I]", (json_int_t)v[0], (json_int_t)v[1], (json_int_t)v[2]);
}

json_t *hd_runjson_stalls(const struct hd_sm_stats *s)
{
    return json_pack("{s:I,s:I,s:I,s:I,s:I}", "issued", (json_int_t)s->issued, "idle",
                     (json_int_t)s->idle, "scoreboard", (json_int_t)s->scoreboard, "pipeline",
                     (json_int_t)s->pipeline, "inactive", (json_int_t)s->inactive);
}

json_t *hd_runjson_stalls_elf(const struct hd_sm_stats *s)
{
    return json_pack("{s:I,s:I,s:I,s:I}", "memory_conflict", (json_int_t)s->elf_memory_conflict,
                     "memory_dependency", (json_int_t)s->elf_memory_dependency, "fetch",
                     (json_int_t)s->elf_fetch, "other", (json_int_t)s->elf_other);
}

// `pending` is NULL where merged misses are not counted apart.
static json_t *cache_json(bool there, uint64_t accesses, uint64_t misses, const uint64_t *pending,
                          uint64_t fails)
{
    json_t *cache;

    if (!there)
        return json_null();
    cache = json_object();
    hd_json_put(cache, "accesses", hd_json_count(accesses));
    hd_json_put(cache, "misses", hd_json_count(misses));
    hd_json_put(cache, "pending", pending ? hd_json_count(*pending) : json_null());
    hd_json_put(cache, "reservation_fails", hd_json_count(fails));
    return cache;
}

// Does the machine have the part that this counter counts?
static bool counted(const struct parts *p, const char *name)
{
    const struct {
        const char *prefix;
        bool there;
    } of[] = {{"l1d_", p->l1d}, {"l1i_", p->l1i},   {"l1c_", p->l1c},        {"l1t_", p->l1t},
              {"l2_", p->l2},   {"dram_", p->dram}, {"requeue_", p->requeue}};

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (!strncmp(name, of[i].prefix, strlen(of[i].prefix)))
            return of[i].there;
    if (!strcmp(name, "warp_insts") || !strcmp(name, "thread_insts") || !strcmp(name, "long_insts"))
        return true;
    return p->timing;
}

static json_t *counters_json(const struct parts *p, const struct hd_kernel_result *k)
{
    json_t *counters = json_object();
    const struct {
        const struct hd_stat *rows;
        const void *from;
    } groups[] = {{hd_stats_sm, &k->sm}, {hd_stats_mem, &k->mem}};

    for (int g = 0; g < 2; g++)
        for (const struct hd_stat *s = groups[g].rows; s->name; s++) {
            uint64_t n;
            memcpy(&n, (const char *)groups[g].from + s->offset, sizeof n);
            hd_json_put(counters, s->name, hd_json_count_if(counted(p, s->name), n));
        }
    return counters;
}

static void put_timing(json_t *kernel, const struct parts *p, const struct hd_kernel_result *k)
{
    const struct hd_sm_stats *s = &k->sm;
    const struct hd_mem_stats *m = &k->mem;
    json_t *dram = json_null();

    hd_json_put(kernel, "stalls", p->timing ? hd_runjson_stalls(s) : json_null());
    hd_json_put(kernel, "stalls_elf", p->timing ? hd_runjson_stalls_elf(s) : json_null());
    hd_json_put(kernel, "l1d",
                cache_json(p->l1d, s->l1d_accesses, s->l1d_misses, &s->l1d_pending,
                           s->l1d_reservation_fails));
    hd_json_put(kernel, "l1i",
                cache_json(p->l1i, s->l1i_accesses, s->l1i_misses, NULL, s->l1i_reservation_fails));
    hd_json_put(kernel, "l1c",
                cache_json(p->l1c, s->l1c_accesses, s->l1c_misses, NULL, s->l1c_reservation_fails));
    hd_json_put(kernel, "l1t",
                cache_json(p->l1t, s->l1t_accesses, s->l1t_misses, NULL, s->l1t_reservation_fails));
    hd_json_put(
        kernel, "l2",
        cache_json(p->l2, m->l2_accesses, m->l2_misses, &m->l2_pending, m->l2_reservation_fails));
    if (p->dram) {
        dram = json_object();
        hd_json_put(dram, "reads", hd_json_count(m->dram_reads));
        hd_json_put(dram, "writes", hd_json_count(m->dram_writes));
        hd_json_put(dram, "row_hits", hd_json_count(m->dram_row_hits));
        hd_json_put(dram, "utilization",
                    m->dram_cycles ? json_real((double)m->dram_busy / (double)m->dram_cycles)
                                   : json_null());
    }
    hd_json_put(kernel, "dram", dram);
}

// The kernel that launched this one, its block, and when; null if the host launched it.
static json_t *parent_json(const struct parts *p, const struct hd_kernel_result *k)
{
    json_t *parent = k->launch->parent ? json_object() : json_null();

    if (k->launch->parent) {
        hd_json_put(parent, "launch", hd_json_count(k->launch->parent->id));
        hd_json_put(parent, "block", hd_json_count(k->launch->parent_tb));
        hd_json_put(parent, "cycle", hd_json_count_if(p->timing, k->launch_cycle));
    }
    return parent;
}

// ELF's program points, before and after they were merged into the slots of the table.
static json_t *points_json(const struct hd_gpu_points_found *p)
{
    json_t *points = p ? json_object() : json_null();

    if (p) {
        hd_json_put(points, "before", hd_json_count((uint64_t)p->loads + p->branches));
        hd_json_put(points, "loads", hd_json_count(p->loads));
        hd_json_put(points, "branches", hd_json_count(p->branches));
        hd_json_put(points, "after", hd_json_count(p->after));
        hd_json_put(points, "dropped", hd_json_count(p->dropped));
    }
    return points;
}

// For C++ programs, also the readable name.
static void put_name(json_t *kernel, const char *name)
{
    struct hd_arena *a = hd_arena_new();
    const char *whole = hd_cxxname_whole(a, name);

    hd_json_put(kernel, "name", json_string(name));
    if (whole)
        hd_json_put(kernel, "demangled", hd_json_text(whole));
    hd_arena_free(a);
}

static json_t *kernel_json(const struct parts *p, const struct hd_run *run, unsigned i)
{
    const struct hd_kernel_result *k = hd_gpu_result(run->gpu, i);
    const struct hd_launch *l = k->launch;
    json_t *kernel = json_object();

    put_name(kernel, k->name);
    hd_json_put(kernel, "launch", hd_json_count(l->id));
    if (hd_gpu_sample(run->gpu))
        hd_runsample_launch(k, kernel);
    hd_json_put(kernel, "stream", hd_json_count(l->stream));
    hd_json_put(kernel, "parent", parent_json(p, k));
    hd_json_put(kernel, "depth", hd_json_count(l->depth));
    hd_json_put(kernel, "grid", triple(l->grid));
    hd_json_put(kernel, "block", triple(l->block));
    hd_json_put(kernel, "regs", hd_json_count(l->regs));
    hd_json_put(kernel, "regs_source", hd_json_text(k->regs_source));
    hd_json_put(kernel, "shared_bytes",
                hd_json_count((uint64_t)l->shared_static + l->dynamic_shared));
    hd_json_put(kernel, "tbs_per_sm", hd_json_count_if(p->timing, k->tbs_per_sm));
    hd_json_put(kernel, "start_cycle", hd_json_count_if(p->timing, k->start_cycle));
    hd_json_put(kernel, "end_cycle", hd_json_count_if(p->timing, k->end_cycle));
    hd_json_put(kernel, "complete_cycle", hd_json_count_if(p->timing, k->complete_cycle));
    hd_json_put(kernel, "cycles", hd_json_count_if(p->timing, k->cycles));
    hd_json_put(kernel, "warp_insts", hd_json_count(k->sm.warp_insts));
    hd_json_put(kernel, "thread_insts", hd_json_count(k->sm.thread_insts));
    hd_json_put(kernel, "long_insts", hd_json_count(k->sm.long_insts));
    hd_json_put(kernel, "ipc",
                p->timing && k->cycles ? json_real(hd_runreport_ipc(k->sm.thread_insts, k->cycles))
                                       : json_null());
    put_timing(kernel, p, k);
    hd_json_put(kernel, "points", points_json(k->points));
    hd_json_put(kernel, "metrics", hd_runmetrics_kernel(run, i));
    hd_json_put(kernel, "counters", counters_json(p, k));
    return kernel;
}

// Every key of the machine as "section.key": numbers as numbers, pairs and choices as text.
static void put_config(json_t *options, const struct hd_config *c)
{
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++)
        for (const struct hd_field *f = s->rows; f->name; f++) {
            char key[160], text[HD_FIELD_NAME_MAX];
            uint32_t n;
            uint64_t wide;
            snprintf(key, sizeof key, "%s.%s", s->name, f->name);
            hd_fields_text(f, c, text, sizeof text);
            memcpy(&n, (const char *)c + f->offset, sizeof n);
            memcpy(&wide, (const char *)c + f->offset, f->type == HD_FIELD_U64 ? 8 : 4);
            if (f->type == HD_FIELD_U64)
                hd_json_put(options, key, hd_json_count(wide));
            else if (f->type == HD_FIELD_U32 || f->type == HD_FIELD_BOOL)
                hd_json_put(options, key, hd_json_count(n));
            else
                hd_json_put(options, key, json_string(text));
        }
}

// Only of runs whose reuse is analysed: others are what they were without the analyser.
static void put_reuse(json_t *options, const struct hd_reuse_options *o)
{
    struct hd_arena *a = hd_arena_new();

    if (o)
        hd_json_put(options, "reuse",
                    json_string(hd_arena_printf(a, "%s%s", hd_reuseoptions_words(o, a),
                                                o->plan ? ",plan" : "")));
    hd_arena_free(a);
}

json_t *hd_runjson_options(const struct hd_run_options *o)
{
    const struct hd_gpu_options *g = &o->gpu;
    json_t *options = json_object();

    hd_json_put(options, "functional_only", json_boolean(g->functional_only));
    hd_json_put(options, "no_skip", json_boolean(g->no_skip));
    hd_json_put(options, "metrics", json_boolean(g->metrics));
    if (g->metrics && g->metrics_kernels)
        hd_json_put(options, "metrics_kernels", hd_json_text(g->metrics_kernels));
    hd_json_put(options, "max_cycles", hd_json_count(g->max_cycles));
    hd_json_put(options, "max_insts", hd_json_count(g->max_insts));
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++)
        hd_json_put(options, hd_slots[s].key, json_string(hd_registry_resolved(&g->slot[s], s)));
    if (o->regs.word)
        hd_json_put(options, "regs", hd_json_text(o->regs.word));
    for (size_t i = 0; i < o->n_overrides; i++) {
        const struct hd_override *over = &o->overrides[i];
        char key[160];
        snprintf(key, sizeof key, "kernel.%.120s.regs", over->kernel);
        if (over->regs)
            hd_json_put(options, key, hd_json_count(over->regs));
        snprintf(key, sizeof key, "kernel.%.120s.smem", over->kernel);
        if (over->smem != UINT32_MAX)
            hd_json_put(options, key, hd_json_count(over->smem));
    }
    put_reuse(options, g->reuse);
    if (g->sample) {
        hd_json_put(options, "sample", hd_json_count(g->sample->every));
        hd_json_put(options, "sample_warm", hd_json_count(g->sample->warm));
        hd_json_put(options, "sample_seed", hd_json_count(g->sample->seed));
    }
    put_config(options, g->config);
    return options;
}

static json_t *source_json(const struct hd_program *p, uint32_t file, uint32_t line)
{
    json_t *source = json_object();

    hd_json_put(source, "file", hd_json_text(p->files[file]));
    hd_json_put(source, "line", hd_json_count(line));
    return source;
}

// Where in the source: the innermost function first, then the calls that were inlined.
static json_t *sources_json(const struct hd_program *p, uint32_t pc)
{
    json_t *sources = json_array();
    const struct hd_place *at = pc < p->n_insns ? &p->places[pc] : NULL;

    if (!at || !at->source_line)
        return sources;
    json_array_append_new(sources, source_json(p, at->source_file, at->source_line));
    for (uint32_t i = at->inlined; i != HD_NOT_INLINED; i = p->inlined[i].inlined)
        json_array_append_new(sources, source_json(p, p->inlined[i].file, p->inlined[i].line));
    return sources;
}

static json_t *trap_json(const struct hd_trap *t)
{
    const struct hd_program *p = t->launch->program;
    json_t *fault = json_object();
    char address[24];

    snprintf(address, sizeof address, "0x%llx", (unsigned long long)t->addr);
    hd_json_put(fault, "kind", json_string(hd_runreport_trap(t->kind)));
    hd_json_put(fault, "kernel", json_string(t->launch->kernel->name));
    hd_json_put(fault, "launch", hd_json_count(t->launch->id));
    hd_json_put(fault, "pc", hd_json_count(t->pc));
    hd_json_put(fault, "line",
                t->pc < p->n_insns ? hd_json_count(p->places[t->pc].line) : json_null());
    hd_json_put(fault, "source", sources_json(p, t->pc));
    hd_json_put(fault, "block", triple(t->block));
    hd_json_put(fault, "thread", triple(t->thread));
    hd_json_put(fault, "address", t->bytes ? json_string(address) : json_null());
    hd_json_put(fault, "bytes", hd_json_count(t->bytes));
    hd_json_put(fault, "write", json_boolean(t->write));
    hd_json_put(fault, "detail", json_string(t->detail));
    return fault;
}

static json_t *fault_json(const struct hd_run *run)
{
    const struct hd_trap *t = run->status == HD_RUN_FAULT ? hd_gpu_trap(run->gpu) : NULL;
    json_t *fault;

    if (t)
        return trap_json(t);
    if (run->status != HD_RUN_DEADLOCK && run->status != HD_RUN_LIVELOCK)
        return json_null();
    fault = json_object();
    const struct hd_kernel_result *k = hd_gpu_result(run->gpu, hd_gpu_n_results(run->gpu) - 1);
    hd_json_put(fault, "kind", json_string(hd_runreport_status(run)));
    hd_json_put(fault, "kernel", json_string(k->name));
    hd_json_put(fault, "launch", hd_json_count(k->launch->id));
    hd_json_put(fault, "detail", hd_json_text(hd_gpu_hang(run->gpu)));
    return fault;
}

static json_t *checks_json(const struct hd_run *run)
{
    static const char *const ways[] = {"exact", "f32", "f64"};
    json_t *checks = json_array();

    for (size_t i = 0; i < run->n_checks; i++) {
        const struct hd_check *c = &run->checks[i];
        json_t *check = json_object();
        hd_json_put(check, "buffer", json_string(c->name));
        hd_json_put(check, "bytes", hd_json_count(c->bytes));
        hd_json_put(check, "compare", json_string(ways[c->way]));
        hd_json_put(check, "elements", hd_json_count(c->elements));
        hd_json_put(check, "differ", hd_json_count(c->differ));
        hd_json_put(check, "first", hd_json_count_if(c->differ > 0, c->first));
        json_array_append_new(checks, check);
    }
    return checks;
}

static json_t *totals_json(const struct hd_runreport *r, const struct parts *p)
{
    struct hd_runreport_totals t = hd_runreport_sum(r->run);
    json_t *totals = json_object();

    hd_json_put(totals, "cycles", hd_json_count_if(p->timing, t.cycles));
    hd_json_put(totals, "elapsed_cycles", hd_json_count_if(p->timing, t.elapsed_cycles));
    hd_json_put(totals, "cycles_with_drain", hd_json_count_if(p->timing, t.cycles_with_drain));
    hd_json_put(totals, "warp_insts", hd_json_count(t.warp_insts));
    hd_json_put(totals, "thread_insts", hd_json_count(t.thread_insts));
    return totals;
}

static json_t *host_json(const struct hd_runreport *r)
{
    struct hd_runreport_totals t = hd_runreport_sum(r->run);
    double running = r->seconds - r->startup_seconds;
    json_t *host = json_object();
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    hd_json_put(host, "seconds", json_real(r->seconds));
    hd_json_put(host, "startup_seconds", json_real(r->startup_seconds));
    hd_json_put(host, "warp_insts_per_second",
                running > 0 ? json_real((double)t.warp_insts / running) : json_null());
    hd_json_put(host, "peak_rss_bytes", hd_json_count((uint64_t)usage.ru_maxrss * 1024));
    return host;
}

static void put_sets(json_t *run, const struct hd_run_options *o)
{
    struct hd_arena *a = hd_arena_new();

    hd_json_put(run, "set", hd_json_text(hd_runreport_sets(o, a)));
    hd_arena_free(a);
}

json_t *hd_runjson_head(const struct hd_runreport *r)
{
    const struct hd_gpu_options *o = &r->options->gpu;
    json_t *run = json_object();

    hd_json_put(run, "heddle", json_string(HD_VERSION));
    hd_json_put(run, "model", hd_json_count(HD_MODEL));
    hd_json_put(run, "workload", hd_json_text(r->workload));
    hd_json_put(run, "size", r->size ? json_string(r->size) : json_null());
    hd_json_put(run, "seed", hd_json_count_if(r->size != NULL, r->seed));
    hd_json_put(run, "gpu", hd_json_text(o->config->name));
    put_sets(run, r->options);
    hd_json_put(run, "options", hd_runjson_options(r->options));
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++)
        hd_json_put(run, hd_slots[s].key,
                    json_string(hd_runreport_policy(&o->slot[s], hd_slots[s].baseline)));
    hd_json_put(run, "source", json_string(hd_runreport_source(r->run)));
    hd_json_put(run, "status", json_string(hd_runreport_status(r->run)));
    hd_json_put(run, "verified", r->run->checked ? json_boolean(r->run->verified) : json_null());
    return run;
}

// What the policy of each slot counted; null where a baseline decides or nothing was timed.
static json_t *policy_counters_json(const struct hd_runreport *r)
{
    const struct hd_gpu_options *o = &r->options->gpu;
    json_t *all = json_object();

    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++) {
        struct hd_gpu_counter c;
        bool there = o->slot[s].policy && !o->functional_only;
        json_t *counters = there ? json_object() : json_null();
        for (unsigned i = 0; there && hd_gpu_counter(r->run->gpu, s, i, &c); i++)
            hd_json_put(counters, c.field->name, hd_json_count(c.value));
        hd_json_put(all, hd_slots[s].key, counters);
    }
    return all;
}

// Whether the launch has no timing although others have.
static bool untimed_in(const struct hd_run *run, unsigned launch)
{
    return hd_gpu_sample(run->gpu) && hd_gpu_result(run->gpu, launch)->part == HD_SAMPLE_UNTIMED;
}

json_t *hd_runjson_run(const struct hd_runreport *r)
{
    const struct hd_gpu_options *o = &r->options->gpu;
    const bool sampled = hd_gpu_sample(r->run->gpu) != NULL;
    // Numbers of the whole run, and of a launch without timing in a run that has it.
    const struct parts untimed = parts_with(o, false), timed = parts_with(o, !o->functional_only);
    const struct parts *p = sampled ? &untimed : &timed;
    json_t *run = hd_runjson_head(r), *kernels = json_array();

    for (unsigned i = 0; i < hd_gpu_n_results(r->run->gpu); i++)
        json_array_append_new(kernels,
                              kernel_json(untimed_in(r->run, i) ? &untimed : &timed, r->run, i));
    hd_json_put(run, "fault", fault_json(r->run));
    hd_json_put(run, "checks", checks_json(r->run));
    hd_json_put(run, "totals", totals_json(r, p));
    if (sampled)
        hd_json_put(run, "sample", hd_runsample_json(r));
    hd_json_put(run, "policy_counters", policy_counters_json(r));
    hd_json_put(run, "metrics", hd_runmetrics_records(r));
    if (r->host)
        hd_json_put(run, "host", host_json(r));
    hd_json_put(run, "kernels", kernels);
    return run;
}

void hd_runjson_write(const struct hd_runreport *r, struct hd_out *out)
{
    hd_json_write(hd_runjson_run(r), out);
}
