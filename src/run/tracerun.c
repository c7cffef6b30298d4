// tracerun.c - records a run, and runs a trace. See tracerun.h.
#include "run/tracerun.h"

#include "base/config.h"
#include "base/fields.h"
#include "heddle/version.h"
#include "ptx/ptx.h"
#include "trace/record.h"

#include <inttypes.h>
#include <string.h>

// Every option that affects cycles, as "key=value" lines.
static const char *machine_text(struct hd_arena *a, const struct hd_run_options *o)
{
    const struct hd_gpu_options *g = &o->gpu;
    struct hd_pack text = {.arena = a};

#define LINE(...)                                                                                  \
    do {                                                                                           \
        const char *line_ = hd_arena_printf(a, __VA_ARGS__);                                       \
        hd_pack_bytes(&text, line_, strlen(line_));                                                \
    } while (0)
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++)
        LINE("%s=%s\n", hd_slots[s].option, hd_registry_resolved(&g->slot[s], s));
    for (size_t i = 0; i < o->n_overrides; i++)
        LINE("kernel.%s=%" PRIu32 ",%" PRIu32 "\n", o->overrides[i].kernel, o->overrides[i].regs,
             o->overrides[i].smem);
    if (o->regs.word)
        LINE("regs=%s\n", o->regs.word);
    for (const struct hd_config_section *s = hd_configkeys_sections(); s->name; s++)
        for (const struct hd_field *f = s->rows; f->name; f++) {
            char value[HD_FIELD_NAME_MAX];
            hd_fields_text(f, g->config, value, sizeof value);
            LINE("%s.%s=%s\n", s->name, f->name, value);
        }
#undef LINE
    hd_pack_byte(&text, 0);
    return (const char *)text.data;
}

bool hd_tracerun_record(const struct hd_run *r, struct hd_arena *a, const struct hd_run_options *o,
                        const char *workload, const char *size, uint64_t seed, struct hd_diag *d)
{
    struct hd_tracefile_summary *s = hd_record_summary(o->gpu.record);

    if (r->status != HD_RUN_OK) {
        hd_record_drop(o->gpu.record);
        return true;
    }
    s->version = HD_VERSION;
    s->workload = workload;
    s->size = size;
    s->seed = seed;
    s->checked = r->checked;
    s->verified = r->verified;
    s->functional = o->gpu.functional_only;
    s->machine = machine_text(a, o);
    s->path_order = o->gpu.config->sm.path_order;
    return hd_record_finish(o->gpu.record, d);
}

// The first line in which the texts differ, "" if none does.
static const char *first_difference(struct hd_arena *a, const char *then, const char *now)
{
    size_t start = 0, i = 0;

    for (; then[i] && then[i] == now[i]; i++)
        if (then[i] == '\n')
            start = i + 1;
    if (then[i] == now[i])
        return "";
    return hd_arena_printf(a, "%.*s, recorded with %.*s", (int)strcspn(now + start, "\n"),
                           now + start, (int)strcspn(then + start, "\n"), then + start);
}

// The value of a key in such a text.
static const char *value_of(struct hd_arena *a, const char *text, const char *key)
{
    const char *line = strstr(text, key);

    return line ? hd_arena_strndup(a, line + strlen(key), strcspn(line + strlen(key), "\n")) : "";
}

// The accesses of a trace have the addresses of the memory that it was recorded in.
static bool same_addresses(const struct hd_traceread *t, struct hd_arena *a,
                           const struct hd_run_options *o, struct hd_diag *d)
{
    static const char *const keys[] = {"\nmem.align=", "\nmem.spread=", "\nmem.base="};
    const char *now = machine_text(a, o);

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *then = value_of(a, t->summary.machine, keys[i]);
        if (!*then || !strcmp(then, value_of(a, now, keys[i]))) // older traces do not say it
            continue;
        hd_diag_hint(hd_diag_add(d, t->path, 0, 0,
                                 "recorded with %s%.40s, under another the program's accesses "
                                 "have other addresses",
                                 keys[i] + 1, then),
                     "record it again, or --force");
        return false;
    }
    return true;
}

// Whether the program would do the same under these options. If not, d gives the reason.
static bool exact(const struct hd_traceread *t, struct hd_arena *a, const struct hd_run_options *o,
                  struct hd_diag *d)
{
    const struct hd_tracefile_summary *s = &t->summary;
    const char *other = first_difference(a, s->machine, machine_text(a, o));

    if (s->path_order != o->gpu.config->sm.path_order) {
        hd_diag_hint(hd_diag_add(d, t->path, 0, 0,
                                 "recorded with sm.path_order=%" PRIu32
                                 ", under another the program takes its paths in another order",
                                 s->path_order),
                     "a machine with this key, such as --gpu %s, or record it again; or --force",
                     s->path_order ? "rtx2060" : "gtx480");
        return false;
    }
    if (!same_addresses(t, a, o, d))
        return false;
    if (o->gpu.config->l2.copies && !s->tells_copies) {
        hd_diag_hint(hd_diag_add(d, t->path, 0, 0,
                                 "it does not say what the host copied, which this machine's L2 "
                                 "has (l2.copies)"),
                     "record it again, or --force");
        return false;
    }
    if (!*s->reason || (!s->functional && !*other))
        return true;
    hd_diag_add(d, t->path, 0, 0, "not replayable with %.80s: what it does depends on time",
                s->functional ? "timing, it was recorded without" : other);
    hd_diag_hint(hd_diag_add(d, t->path, 0, 0, "%.220s", s->reason),
                 "run the program itself; --force replays what was recorded all the same");
    return false;
}

struct replaying { // what lives as long as the machine
    struct hd_traceread *trace;
    const struct hd_run_options *options;
    struct hd_gpu *gpu;
    struct hd_program **programs;
    struct hd_diag *diag;
    size_t next, copied; // the next launch and copy
    uint32_t run, ended;
    bool failed;
};

static bool damaged(struct replaying *p, const char *what)
{
    hd_diag_add(p->diag, p->trace->path, 0, 0, "damaged trace: %.200s", what);
    return false;
}

static bool submit(struct replaying *p, const struct hd_tracefile_launch *l)
{
    const struct hd_program *program = p->programs[l->program];
    const struct hd_func *f = hd_program_find(program, l->kernel);
    struct hd_run_resources own = {l->regs, l->shared_static, l->regs_source};
    struct hd_launch_request q = {.program = program,
                                  .kernel = f,
                                  .dynamic_shared = l->dynamic_shared,
                                  .stream = l->stream,
                                  .params = l->params};

    if (!f || !f->is_kernel || f->param_bytes != l->param_bytes)
        return damaged(p, "a launch of a kernel that its module does not have");
    memcpy(q.grid, l->grid, sizeof q.grid);
    memcpy(q.block, l->block, sizeof q.block);
    own = hd_runs_resources(p->options, l->kernel, own);
    q.regs = own.regs;
    q.regs_source = own.regs_source;
    q.shared_static = own.shared_static;
    return hd_gpu_submit(p->gpu, &q, p->diag);
}

// What the host copied before the next launch, as far as that time has come.
static void copy_due(struct replaying *p)
{
    const struct hd_tracefile_summary *s = &p->trace->summary;

    for (; p->copied < s->n_copies; p->copied++) {
        const struct hd_tracefile_copy *c = &s->copies[p->copied];
        if (c->launch > p->next || c->run > p->run || (c->run == p->run && c->after > p->ended))
            return;
        hd_gpu_copied(p->gpu, c->addr, c->bytes);
    }
}

// Submits the launches of this run that were submitted when as many launches had ended.
static void submit_due(struct replaying *p)
{
    const struct hd_tracefile_summary *s = &p->trace->summary;

    for (copy_due(p); !p->failed && p->next < s->n_launches && s->launches[p->next].run == p->run &&
                      s->launches[p->next].after <= p->ended;
         copy_due(p))
        p->failed = !submit(p, &s->launches[p->next++]);
}

static void launch_ended(void *ctx, uint32_t launch)
{
    struct replaying *p = ctx;

    (void)launch;
    p->ended++;
    submit_due(p);
}

static bool load_programs(struct replaying *p, struct hd_arena *a)
{
    const struct hd_tracefile_summary *s = &p->trace->summary;

    p->programs = HD_ARRAY(a, struct hd_program *, s->n_programs);
    for (size_t i = 0; i < s->n_programs; i++) {
        const struct hd_tracefile_program *from = &s->programs[i];
        struct hd_text *texts = HD_ARRAY(a, struct hd_text, from->n_texts);
        for (uint32_t k = 0; k < from->n_texts; k++)
            texts[k] =
                (struct hd_text){from->texts[k].path, from->texts[k].bytes, from->texts[k].n};
        p->programs[i] = hd_ptx_link(a, texts, from->n_texts, p->diag);
        if (!p->programs[i] || !hd_gpu_load(p->gpu, p->programs[i], p->diag))
            return false;
    }
    return true;
}

static void release(struct hd_run *r)
{
    struct replaying *p = r->owner;

    r->release = NULL;
    if (p->gpu)
        hd_gpu_free(p->gpu);
    hd_traceread_close(p->trace);
}

static bool replay_all(struct replaying *p, struct hd_run *r)
{
    const struct hd_tracefile_summary *s = &p->trace->summary;

    while (p->next < s->n_launches && r->status == HD_RUN_OK) {
        size_t before = p->next;
        p->run = s->launches[p->next].run;
        p->ended = 0;
        submit_due(p);
        if (!p->failed && p->next == before)
            return damaged(p, "launches that nothing starts");
        if (!p->failed)
            r->status = hd_gpu_run(p->gpu);
        if (p->failed)
            return false;
    }
    if (r->status == HD_RUN_FAULT && hd_gpu_trap(p->gpu)->kind == HD_TRAP_SOURCE)
        return damaged(p, hd_gpu_trap(p->gpu)->detail);
    return true;
}

bool hd_tracerun_start(struct hd_run *r, struct hd_traceread *t, struct hd_arena *a,
                       const struct hd_run_options *o, struct hd_diag *d)
{
    struct replaying *p = HD_NEW(a, replaying);
    struct hd_gpu_options gpu = o->gpu;
    struct hd_diag why = {0};
    bool same = exact(t, a, o, o->force ? &why : d);

    *r = (struct hd_run){.path = t->path, .release = release, .owner = p};
    r->source = same ? HD_FROM_TRACE : HD_FROM_TRACE_FORCED;
    p->trace = t;
    if (!same && !o->force)
        return false;
    p->options = o;
    p->diag = d;
    gpu.trace = t;
    gpu.ended = launch_ended;
    gpu.ended_ctx = p;
    p->gpu = r->gpu = hd_gpu_new(&gpu);
    if (!load_programs(p, a))
        return false;
    r->program = t->summary.n_programs ? p->programs[0] : NULL;
    return replay_all(p, r);
}
