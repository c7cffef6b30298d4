// gpu.c - building the machine, loading programs, returning results.
#include "gpu/gpu.h"

#include "base/bug.h"
#include "gpu/gpu_internal.h"
#include "isa/op.h"
#include "mem/crossbar.h"
#include "mem/flat.h"

#include <string.h>

// Whether two choices are one policy with the same parameters: by their text, or by their bytes if
// a program has made them without one.
static bool same_choice(const struct hd_policy_choice *a, const struct hd_policy_choice *b)
{
    if (a->policy != b->policy)
        return false;
    if (a->resolved && b->resolved)
        return !strcmp(a->resolved, b->resolved);
    return a->params == b->params ||
           (a->params && b->params && !memcmp(a->params, b->params, a->policy->params_bytes));
}

// The instance for a choice: an existing one if the same policy with the same parameters already
// fills another slot, so that both slots share its state.
static int instance(struct hd_gpu *g, const struct hd_policy_choice *c)
{
    unsigned i;

    if (!c->policy)
        return HD_NONE;
    for (i = 0; i < g->n_policies; i++)
        if (same_choice(&g->policies[i].choice, c))
            return (int)i;
    HD_BUG_IF(i >= HD_SM_POLICIES, "more than %d policies", HD_SM_POLICIES);
    g->policies[i].choice = *c;
    g->policies[i].gpu_state = hd_arena_get(g->arena, 1, c->policy->gpu_bytes + 1);
    g->policies[i].states = HD_ARRAY(g->arena, struct hd_pstate, g->n_sms);
    g->n_policies++;
    g->limited |= c->policy->tb_limit != NULL;
    return (int)i;
}

static void choose_policies(struct hd_gpu *g)
{
    for (enum hd_slot s = 0; s < HD_N_SLOTS; s++) {
        const struct hd_policy_choice *c = &g->options.slot[s];
        g->slot[s] = instance(g, c);
        // Such a policy may still do something else, such as limit the blocks of an SM.
        if (s != HD_SLOT_SCHED && c->policy && !hd_registry_decides(c->policy, s))
            g->slot[s] = HD_NONE;
    }
    HD_BUG_IF(g->slot[HD_SLOT_SCHED] == HD_NONE, "no warp scheduling policy");
    hd_facts_new(g);
}

static struct hd_isrc source_of(struct hd_gpu *g, unsigned i)
{
    struct hd_isrc s = g->replay ? hd_replay_source(g->replay, i) : hd_emu_source(g->emu, i);

    return g->options.record ? hd_record_source(g->options.record, i, s) : s;
}

static struct hd_sm *new_sm(struct hd_gpu *g, unsigned i)
{
    struct hd_sm_setup s = {.config = &g->config,
                            .index = i,
                            .source = source_of(g, i),
                            .mem = g->mem,
                            .n_policies = g->n_policies,
                            .sched = g->slot[HD_SLOT_SCHED],
                            .fetch = g->slot[HD_SLOT_FETCH]};

    for (unsigned k = 0; k < g->n_policies; k++) {
        const struct hd_policy *p = g->policies[k].choice.policy;
        // One byte more than requested, so that a policy without state still has an address of its
        // own.
        s.policies[k] = (struct hd_sm_policy){
            .policy = p,
            .state = {.gpu = g->policies[k].gpu_state,
                      .sm = hd_arena_get(g->arena, 1, p->sm_bytes + 1),
                      .sched = hd_arena_get(g->arena, g->config.sm.schedulers, p->sched_bytes + 1),
                      .params = g->policies[k].choice.params}};
        g->policies[k].states[i] = s.policies[k].state;
    }
    return hd_sm_new(g->arena, &s);
}

static void serve(void *ctx, const struct hd_req *req)
{
    struct hd_gpu *g = ctx;

    hd_sm_serve(g->sms[req->port], req, g->cycle);
}

// What is allocated next begins a line, and one that nobody uses lies before it: what SMs write to
// while they step side by side is not in lines that another SM uses, nor in pairs of lines that
// processors fetch together.
static void leave_a_line(struct hd_arena *a)
{
    (void)hd_arena_get(a, 1, 64);
}

static void new_sms(struct hd_gpu *g)
{
    struct hd_arena *a = g->arena;
    unsigned n = g->n_sms;

    g->sms = HD_ARRAY(a, struct hd_sm *, n);
    g->wakes = HD_ARRAY(a, uint64_t, n);
    g->stepped = HD_ARRAY(a, uint16_t, n);
    g->did = HD_ARRAY(a, uint8_t, n);
    g->bound = HD_ARRAY(a, int8_t, n);
    g->live = HD_ARRAY(a, uint8_t, n);
    g->reported_start = HD_ARRAY(a, uint32_t, n);
    g->reported_slow = HD_ARRAY(a, uint32_t, n);
    g->views = HD_ARRAY(a, const struct hd_view *, n);
    g->settled = HD_ARRAY(a, struct hd_sm_stats, n);
    g->profiles = HD_ARRAY(a, struct hd_profile *, n);
    g->settled_counts = HD_ARRAY(a, struct hd_profile_counts, n);
    g->last_kernel = HD_NONE;
    for (unsigned i = 0; i < n; i++) {
        leave_a_line(a);
        g->sms[i] = new_sm(g, i);
        g->views[i] = hd_sm_view(g->sms[i]);
        g->bound[i] = HD_NONE;
    }
    leave_a_line(a);
}

static void collect(void *ctx)
{
    hd_task_graph_collect(ctx);
}

struct hd_gpu *hd_gpu_new(const struct hd_gpu_options *o)
{
    struct hd_arena *a = hd_arena_new();
    struct hd_gpu *g = HD_NEW(a, hd_gpu);
    struct hd_mem_listener listener = {.ctx = g, .serve = serve};

    g->arena = a;
    g->options = *o;
    g->every_cycle = o->no_skip || o->profile || o->metrics;
    g->config = *o->config;
    g->options.config = &g->config;
    g->n_sms = g->config.sm.sms;
    g->opens = UINT64_MAX;
    g->last_sm = (g->config.launch.first_sm + g->n_sms - 1) % g->n_sms;
    g->memory = hd_memory_new(a);
    if (g->config.gpu.bounds == HD_BOUNDS_PAGES)
        hd_memory_use_pages(g->memory);
    hd_memory_arrange(g->memory, g->config.mem.base, g->config.mem.align, g->config.mem.spread);
    g->emu = hd_emu_new(a,
                        &(struct hd_emu_config){.sms = g->n_sms,
                                                .warps = g->config.sm.warps,
                                                .tbs = g->config.sm.tbs,
                                                .path_order = g->config.sm.path_order},
                        g->memory);
    hd_emu_strict(g->emu, o->strict);
    g->devrt = hd_devrt_new(a, g->emu, g->memory);
    hd_devrt_one_stream(g->devrt, g->config.launch.streams == HD_STREAMS_BLOCK);
    hd_steps_new(g);
    hd_launch_queue_serve(g, collect);
    g->n_slots = g->config.launch.kernels;
    if (o->trace)
        g->replay = hd_replay_new(a, o->trace, g->n_sms);
    if (o->record)
        hd_record_machine(o->record, g->n_sms);
    if (o->functional_only) {
        g->functional = source_of(g, 0);
        hd_emu_through(g->emu, o->record ? &g->functional : NULL);
    } else {
        choose_policies(g);
        switch ((enum hd_mem_model)g->config.gpu.memory) {
        case HD_MEM_FLAT:
            g->mem = hd_flat_new(a, &g->config, &listener);
            break;
        case HD_MEM_CROSSBAR:
            g->mem = hd_crossbar_new(a, &g->config, &listener);
            break;
        }
        new_sms(g);
        hd_residents_new(g);
        hd_gpu_events_new(g);
        if (o->metrics)
            hd_metrics_new(g);
        if (o->pipeviews)
            hd_pipeviews_new(g);
        if (o->cycleviews)
            hd_cycleviews_new(g);
        if (o->reuse)
            hd_gpu_reuse_new(g);
        if (o->sample)
            g->sample = hd_sample_new(a, o->sample);
    }
    hd_observe_plan(g);
    return g;
}

void hd_gpu_free(struct hd_gpu *g)
{
    if (!g)
        return;
    hd_steps_free(g);
    hd_gpu_reuse_free(g);
    hd_replay_free(g->replay);
    hd_devrt_free(g->devrt);
    hd_emu_free(g->emu);
    hd_memory_free(g->memory);
    hd_arena_free(g->arena);
}

struct hd_memory *hd_gpu_memory(struct hd_gpu *g)
{
    return g->memory;
}

void hd_gpu_copied(struct hd_gpu *g, uint64_t address, uint64_t bytes)
{
    if (g->options.record)
        hd_record_copied(g->options.record, address, bytes);
    if (g->mem.ops && g->mem.ops->copied)
        g->mem.ops->copied(g->mem.self, address, bytes);
}

const struct hd_sample *hd_gpu_sample(const struct hd_gpu *g)
{
    return g->sample;
}

struct hd_emu *hd_gpu_emu(struct hd_gpu *g)
{
    return g->emu;
}

struct hd_devrt *hd_gpu_devrt(struct hd_gpu *g)
{
    return g->devrt;
}

static enum hd_pipe_type pipe_type(const struct hd_program *p, uint32_t pc)
{
    switch ((enum hd_type)hd_op_info[p->insns[pc].op].type) {
    case HD_F16:
    case HD_F16X2:
    case HD_BF16:
    case HD_BF16X2:
        return HD_PIPE_TYPE_FP16;
    default:
        break;
    }
    switch ((enum hd_lat_col)(p->deps[pc].lat % HD_N_LAT_COLS)) {
    case HD_COL_FP32:
        return HD_PIPE_TYPE_FP32;
    case HD_COL_FP64:
        return HD_PIPE_TYPE_FP64;
    default:
        return HD_PIPE_TYPE_INT;
    }
}

// The pipes that serve an instruction on this machine.
static uint8_t unit_of(const struct hd_gpu *g, const struct hd_program *p, uint32_t pc)
{
    const struct hd_deps *d = &p->deps[pc];

    return d->unit == HD_UNIT_LDST
               ? (uint8_t)HD_UNIT_LDST
               : (uint8_t)g->config.pipe[HD_PIPE_CLASS(d->lat / HD_N_LAT_COLS, pipe_type(p, pc))];
}

bool hd_gpu_load(struct hd_gpu *g, struct hd_program *p, struct hd_diag *d)
{
    struct hd_gpu_program *gp;
    uint8_t *kind = HD_ARRAY(g->arena, uint8_t, p->n_insns);
    uint8_t *units = HD_ARRAY(g->arena, uint8_t, p->n_insns);

    if (!hd_emu_load(g->emu, p, d))
        return false;
    if (g->options.record)
        hd_record_program(g->options.record, p);
    if (g->replay)
        hd_replay_program(g->replay, p);
    hd_progpoints_kinds(p, kind);
    for (uint32_t pc = 0; pc < p->n_insns; pc++)
        units[pc] = unit_of(g, p, pc);
    gp = HD_PUSH(g->arena, g->programs, g->n_programs, g->cap_programs);
    *gp = (struct hd_gpu_program){
        .program = p, .view = {.n = p->n_insns, .kind = kind}, .units = units};
    if (g->n_programs > 1)
        gp->code_base = gp[-1].code_base + gp[-1].program->n_insns;
    return true;
}

uint8_t *hd_gpu_const(struct hd_gpu *g, const struct hd_program *p, uint64_t address,
                      uint64_t bytes)
{
    return hd_consts_at(g->emu, p, address, bytes);
}

enum hd_run_status hd_gpu_run(struct hd_gpu *g)
{
    if (g->status != HD_RUN_OK || g->n_ended == g->n_queue)
        return g->status;
    if (g->options.record)
        hd_record_run(g->options.record, true);
    if (g->options.functional_only)
        hd_functional_run(g);
    else if (g->sample)
        hd_sampled_run(g);
    else
        hd_clock_run(g);
    if (g->options.record)
        hd_record_run(g->options.record, false);
    return g->status;
}

unsigned hd_gpu_n_results(const struct hd_gpu *g)
{
    size_t n = g->n_queue;

    while (n && !g->queue[n - 1].started)
        n--;
    return (unsigned)n;
}

const struct hd_kernel_result *hd_gpu_result(const struct hd_gpu *g, unsigned i)
{
    return &g->queue[i].result;
}

const struct hd_trap *hd_gpu_trap(const struct hd_gpu *g)
{
    return &g->trap;
}

bool hd_gpu_trap_in_page(const struct hd_gpu *g)
{
    const struct hd_trap *t = &g->trap;

    if (t->kind != HD_TRAP_OUT_OF_BOUNDS)
        return false;
    if (t->space == HD_SPACE_CONST)
        return !t->write && t->addr < HD_CONST_BANK;
    return t->space == HD_SPACE_GLOBAL && hd_memory_in_page(g->memory, t->addr);
}

const char *hd_gpu_hang(const struct hd_gpu *g)
{
    return g->hang ? g->hang : "";
}

uint64_t hd_gpu_cycle(const struct hd_gpu *g)
{
    return g->cycle;
}

uint64_t hd_gpu_elapsed(const struct hd_gpu *g)
{
    return g->elapsed;
}

void hd_gpu_doubts(struct hd_gpu *g, struct hd_diag *d)
{
    size_t n;
    const struct hd_emu_absence *all = hd_emu_absences(g->emu, &n);

    for (; g->reported_absences < n; g->reported_absences++) {
        const struct hd_emu_absence *a = &all[g->reported_absences];
        const struct hd_program *p = a->program;
        const struct hd_place *here = &p->places[a->pc];
        struct hd_diag_entry *e =
            hd_diag_add(d, p->path, here->line, 0,
                        "kernel %s: lane %u names lane %u in its member mask, which does not come "
                        "here (it is at line %u)",
                        a->kernel->name, a->lane, a->absent,
                        p->places[a->where < p->n_insns ? a->where : a->pc].line);
        e->warning = true;
        hd_diag_hint(e, "%s; --strict makes it a fault",
                     a->kernel->target >= 70
                         ? "these lanes wait for each other for ever, as on a GPU; here the lane "
                           "does not count"
                         : "PTX does not define this; here it does not count, as on GPUs");
    }
    hd_progpoints_doubts(g, d);
}

const char *hd_gpu_printed(struct hd_gpu *g, size_t *bytes, uint64_t *lost)
{
    return hd_devrt_printed(g->devrt, bytes, lost);
}
