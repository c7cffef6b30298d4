// annotate.c - the profile by kernel function, and its JSON. See annotate.h.
#include "report/annotate.h"

#include "base/bug.h"
#include "base/cxxname.h"
#include "present/json.h"

#include <stdlib.h>

static struct hd_ptxtext *text_of(const struct hd_annotate *n, const struct hd_program *p)
{
    for (size_t i = 0; i < n->n_kernels; i++)
        if (n->kernels[i].program == p)
            return n->kernels[i].text;
    struct hd_ptxtext *text = HD_NEW(n->arena, hd_ptxtext);
    *text = hd_ptxtext_new(n->arena, p);
    return text;
}

static struct hd_annotate_kernel *kernel_of(struct hd_annotate *n, const struct hd_launch *l)
{
    for (size_t i = 0; i < n->n_kernels; i++)
        if (n->kernels[i].func == l->kernel)
            return &n->kernels[i];
    struct hd_ptxtext *text = text_of(n, l->program);
    struct hd_annotate_kernel *k = HD_PUSH(n->arena, n->kernels, n->n_kernels, n->cap);
    *k = (struct hd_annotate_kernel){.func = l->kernel, .program = l->program, .text = text};
    return k;
}

static bool entered(const struct hd_annotate_kernel *k, const struct hd_func *f)
{
    for (uint32_t pc = f->first_pc; pc < f->end_pc; pc++)
        if (k->profile->lines[pc].issued || k->profile->lines[pc].scoreboard ||
            k->profile->lines[pc].pipeline)
            return true;
    return false;
}

const struct hd_func *hd_annotate_func(const struct hd_annotate_kernel *k, unsigned i)
{
    if (!i)
        return k->func;
    for (uint32_t f = 0; f < k->program->n_funcs; f++)
        if (&k->program->funcs[f] != k->func && entered(k, &k->program->funcs[f]) && !--i)
            return &k->program->funcs[f];
    return NULL;
}

static void add_launch(struct hd_annotate_kernel *k, const struct hd_kernel_result *r)
{
    k->launches++;
    hd_runreport_span_add(&k->span, r);
    hd_stats_add_sm(&k->sm, &r->sm);
    hd_profile_add(&k->counts, &r->profile, false);
}

static bool has_source(const struct hd_annotate_kernel *k, uint32_t pc)
{
    const struct hd_place *at = &k->program->places[pc];

    return at->source_line && at->source_file < k->program->n_files;
}

static struct hd_annotate_source *source_of(struct hd_annotate *n, struct hd_annotate_kernel *k,
                                            uint32_t pc)
{
    const struct hd_place *at = &k->program->places[pc], *have;
    bool known = has_source(k, pc);

    for (size_t i = 0; i < k->n_sources; i++) {
        have = &k->program->places[k->sources[i].pc];
        if (k->sources[i].known == known && (!known || (have->source_file == at->source_file &&
                                                        have->source_line == at->source_line)))
            return &k->sources[i];
    }
    struct hd_annotate_source *s = HD_PUSH(n->arena, k->sources, k->n_sources, k->cap_sources);
    *s = (struct hd_annotate_source){.pc = pc, .known = known};
    return s;
}

static int by_line(const void *a, const void *b, void *places)
{
    const struct hd_annotate_source *x = a, *y = b;
    const struct hd_place *p = (const struct hd_place *)places + x->pc;
    const struct hd_place *q = (const struct hd_place *)places + y->pc;

    if (x->known != y->known)
        return x->known ? -1 : 1;
    if (p->source_file != q->source_file)
        return p->source_file < q->source_file ? -1 : 1;
    return p->source_line < q->source_line ? -1 : p->source_line > q->source_line;
}

// The counters of all schedulers together are those of the kernel.
static bool schedulers_add_up(const struct hd_annotate_kernel *k)
{
    struct hd_profile_sched sum = {0};

    for (unsigned i = 0; i < HD_MAX_SCHEDULERS; i++) {
#define ADD(name, unit, help) sum.name += k->counts.sched[i].name;
        HD_STALL_STATS(ADD)
        HD_ELF_STATS(ADD)
#undef ADD
    }
#define SAME(name, unit, help) &&sum.name == k->sm.name
    return true HD_STALL_STATS(SAME) HD_ELF_STATS(SAME);
#undef SAME
}

// So are ELF's classes, at instructions and elsewhere.
static bool elf_adds_up(const struct hd_annotate_kernel *k)
{
    const uint64_t want[HD_N_ELF] = {k->sm.elf_memory_conflict, k->sm.elf_memory_dependency,
                                     k->sm.elf_fetch, k->sm.elf_other};

    for (int e = 0; e < HD_N_ELF; e++) {
        uint64_t n = k->sum.elf[e];
        for (int i = 0; i < HD_N_IDLE; i++)
            n += k->counts.idle_elf[i][e];
        if (n != want[e])
            return false;
    }
    return true;
}

static uint64_t idle_cycles(const struct hd_profile_counts *c)
{
    uint64_t n = 0;

    for (int i = 0; i < HD_N_IDLE; i++)
        n += i == HD_IDLE_INACTIVE ? 0 : c->idle[i];
    return n;
}

// Where kernels share SMs, the cycles of an SM's schedulers belong to no single kernel in its
// counters (gpu/residents.c). Here a kernel has those that its own instructions were charged.
static void count_by_lines(struct hd_annotate_kernel *k)
{
    k->counts = k->profile->counts;
#define ZERO(name, unit, help) k->sm.name = 0;
    HD_STALL_STATS(ZERO)
    HD_ELF_STATS(ZERO)
#undef ZERO
    for (unsigned i = 0; i < HD_MAX_SCHEDULERS; i++) {
#define ADD(name, unit, help) k->sm.name += k->counts.sched[i].name;
        HD_STALL_STATS(ADD)
        HD_ELF_STATS(ADD)
#undef ADD
    }
}

static void sum_lines(struct hd_annotate *n, struct hd_annotate_kernel *k)
{
    uintptr_t places = (uintptr_t)k->program->places; // qsort_r's context is not const
    const char *name = k->func->name;
    const struct hd_func *f;

    for (unsigned i = 0; (f = hd_annotate_func(k, i)); i++)
        for (uint32_t pc = f->first_pc; pc < f->end_pc; pc++) {
            hd_profile_add_line(&k->sum, &k->profile->lines[pc]);
            hd_profile_add_line(&source_of(n, k, pc)->sum, &k->profile->lines[pc]);
        }
    if (k->n_sources)
        qsort_r(k->sources, k->n_sources, sizeof *k->sources, by_line, (void *)places);
    const struct hd_sm_stats *s = &k->sm;
    if (n->report->options->gpu.config->sm.share)
        count_by_lines(k);
    k->all = s->issued + s->idle + s->scoreboard + s->pipeline + s->inactive;
    if (n->report->run->status == HD_RUN_FAULT) // at most one an SM
        k->faulted = s->issued - k->sum.issued;
    HD_BUG_IF(k->sum.issued + k->faulted != s->issued ||
                  k->faulted > n->report->options->gpu.config->sm.sms ||
                  k->sum.scoreboard != s->scoreboard || k->sum.pipeline != s->pipeline ||
                  idle_cycles(&k->counts) != s->idle ||
                  k->counts.idle[HD_IDLE_INACTIVE] != s->inactive || !schedulers_add_up(k) ||
                  !elf_adds_up(k),
              "kernel %s: the lines do not add up to the stall counters", name);
}

void hd_annotate_collect(struct hd_annotate *n, struct hd_arena *a, const struct hd_runreport *r)
{
    const struct hd_run *run = r->run;

    *n = (struct hd_annotate){.arena = a, .report = r};
    for (unsigned i = 0; i < hd_gpu_n_results(run->gpu); i++) {
        const struct hd_kernel_result *k = hd_gpu_result(run->gpu, i);
        add_launch(kernel_of(n, k->launch), k);
    }
    for (size_t i = 0; i < n->n_kernels; i++) {
        n->kernels[i].profile = hd_gpu_profile(run->gpu, n->kernels[i].program, n->kernels[i].func);
        sum_lines(n, &n->kernels[i]);
    }
}

static json_t *elf_json(const uint64_t elf[HD_N_ELF])
{
    return json_pack("{s:I,s:I,s:I,s:I}", "memory_conflict",
                     (json_int_t)elf[HD_ELF_MEMORY_CONFLICT], "memory_dependency",
                     (json_int_t)elf[HD_ELF_MEMORY_DEPENDENCY], "fetch",
                     (json_int_t)elf[HD_ELF_FETCH], "other", (json_int_t)elf[HD_ELF_OTHER]);
}

static void put_numbers(json_t *to, const struct hd_profile_line *l)
{
    hd_json_put(to, "issued", hd_json_count(l->issued));
    hd_json_put(to, "lanes", hd_json_count(l->lanes));
    hd_json_put(to, "scoreboard", hd_json_count(l->scoreboard));
    hd_json_put(to, "pipeline", hd_json_count(l->pipeline));
    hd_json_put(to, "stalls_elf", elf_json(l->elf));
}

static json_t *source_json(const struct hd_annotate_kernel *k, uint32_t pc)
{
    const struct hd_place *at = &k->program->places[pc];
    json_t *source = json_object();

    hd_json_put(source, "file", hd_json_text(k->program->files[at->source_file]));
    hd_json_put(source, "line", hd_json_count(at->source_line));
    hd_json_put(source, "text", hd_json_text(hd_ptxtext_source(k->text, pc)));
    return source;
}

static json_t *line_json(const struct hd_annotate_kernel *k, uint32_t pc)
{
    const struct hd_func *f = &k->program->funcs[k->program->places[pc].func];
    json_t *line = json_object();

    hd_json_put(line, "function", hd_json_text(f->name));
    hd_json_put(line, "pc", hd_json_count(pc));
    hd_json_put(line, "line", hd_json_count(k->program->places[pc].line));
    hd_json_put(line, "ptx", hd_json_text(hd_ptxtext_statement(k->text, pc)));
    hd_json_put(line, "source", has_source(k, pc) ? source_json(k, pc) : json_null());
    put_numbers(line, &k->profile->lines[pc]);
    return line;
}

static json_t *sources_json(const struct hd_annotate_kernel *k)
{
    json_t *sources = json_array();

    for (size_t i = 0; i < k->n_sources; i++) {
        const struct hd_annotate_source *s = &k->sources[i];
        json_t *row = s->known ? source_json(k, s->pc) : json_object();
        if (!s->known) {
            hd_json_put(row, "file", json_null());
            hd_json_put(row, "line", json_null());
            hd_json_put(row, "text", json_null());
        }
        put_numbers(row, &s->sum);
        json_array_append_new(sources, row);
    }
    return sources;
}

static json_t *schedulers_json(const struct hd_annotate *n, const struct hd_annotate_kernel *k)
{
    json_t *all = json_array();

    for (unsigned i = 0; i < n->report->options->gpu.config->sm.schedulers; i++) {
        const struct hd_profile_sched *s = &k->counts.sched[i];
        const uint64_t elf[HD_N_ELF] = {s->elf_memory_conflict, s->elf_memory_dependency,
                                        s->elf_fetch, s->elf_other};
        json_t *one = json_object();
#define PUT(name, unit, help) hd_json_put(one, #name, hd_json_count(s->name));
        HD_STALL_STATS(PUT)
#undef PUT
        hd_json_put(one, "stalls_elf", elf_json(elf));
        json_array_append_new(all, one);
    }
    return all;
}

static json_t *kernel_json(const struct hd_annotate *n, const struct hd_annotate_kernel *k)
{
    static const char *const names[] = {
#define NAME(id, name, text) name,
        HD_PROFILE_IDLE(NAME)
#undef NAME
    };
    json_t *kernel = json_object(), *idle = json_object(), *elf = json_object();
    json_t *lines = json_array();
    const struct hd_func *f;

    for (int i = 0; i < HD_N_IDLE; i++) {
        if (i == HD_IDLE_INACTIVE) // a class of its own, not a reason of idling
            continue;
        hd_json_put(idle, names[i], hd_json_count(k->counts.idle[i]));
        hd_json_put(elf, names[i], elf_json(k->counts.idle_elf[i]));
    }
    for (unsigned i = 0; (f = hd_annotate_func(k, i)); i++)
        for (uint32_t pc = f->first_pc; pc < f->end_pc; pc++)
            json_array_append_new(lines, line_json(k, pc));
    hd_json_put(kernel, "name", hd_json_text(k->func->name));
    if (hd_cxxname_whole(n->arena, k->func->name))
        hd_json_put(kernel, "demangled", hd_json_text(hd_cxxname_whole(n->arena, k->func->name)));
    hd_json_put(kernel, "launches", hd_json_count(k->launches));
    hd_json_put(kernel, "cycles", hd_json_count(k->span.cycles));
    hd_json_put(kernel, "stalls", hd_runjson_stalls(&k->sm));
    hd_json_put(kernel, "stalls_elf", hd_runjson_stalls_elf(&k->sm));
    hd_json_put(kernel, "schedulers", schedulers_json(n, k));
    hd_json_put(kernel, "idle", idle);
    hd_json_put(kernel, "idle_elf", elf);
    hd_json_put(kernel, "faulted", hd_json_count(k->faulted));
    hd_json_put(kernel, "instructions", lines);
    hd_json_put(kernel, "sources", sources_json(k));
    return kernel;
}

json_t *hd_annotate_kernels(struct hd_annotate *n)
{
    json_t *kernels = json_array();

    for (size_t i = 0; i < n->n_kernels; i++)
        json_array_append_new(kernels, kernel_json(n, &n->kernels[i]));
    return kernels;
}

void hd_annotate_json(struct hd_annotate *n, struct hd_out *out)
{
    json_t *run = hd_runjson_head(n->report);

    hd_json_put(run, "kernels", hd_annotate_kernels(n));
    hd_json_write(run, out);
}
