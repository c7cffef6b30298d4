// progpoints.c - the program points of a kernel, found when it is launched first.
//
// The slots of the table are the kernel's (points.per): a function that two kernels call may have
// other distances in each of them, so such kernels have columns of their own. All other kernels of
// a program share one pair of columns. With sm.share all kernels do, because an SM has one view for
// them: a function that two kernels call then has the distances of the one whose points were found
// last. An indirect call is assumed to reach every function that is
// no kernel.
#include "gpu/gpu_internal.h"

#include "isa/op.h"
#include "isa/points.h"

struct code { // of a kernel and the functions that it may call
    struct hd_points_part *parts;
    uint32_t *funcs; // their numbers
    uint32_t n;
};

struct args { // of a function, and of the calls that it makes: places in its frame
    struct hd_arg *all;
    size_t n, cap;
};

static void add_args(struct hd_arena *a, struct args *to, const struct hd_arg *args, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (args[i].row == HD_ROW_NONE)
            *HD_PUSH(a, to->all, to->n, to->cap) = args[i];
}

static struct args args_of(struct hd_arena *a, const struct hd_program *p, const struct hd_func *f)
{
    struct args found = {.n = 0};

    add_args(a, &found, f->args, (unsigned)f->n_rets + f->n_args);
    for (uint32_t pc = f->first_pc; pc < f->end_pc; pc++)
        if (p->deps[pc].kind == HD_KIND_CALL) {
            const struct hd_call *call = &p->calls[p->insns[pc].imm];
            add_args(a, &found, call->args, (unsigned)call->n_rets + call->n_args);
        }
    return found;
}

// An argument of a call is written in .param; here it is in local memory, at a fixed place of the
// frame.
static bool is_param(const struct hd_insn *in, const struct args *args)
{
    if (in->space != HD_SPACE_LOCAL || in->src[0] != HD_ROW_NONE)
        return false;
    for (size_t i = 0; i < args->n; i++)
        if (in->imm >= args->all[i].offset && in->imm < args->all[i].offset + args->all[i].bytes)
            return true;
    return false;
}

// The class of an instruction for the search of points. Loads are those that may leave the SM: of
// global, local and texture memory, including atomics with a result. The paper excludes parameters.
static uint8_t point_op(const struct hd_program *p, uint32_t pc, const struct args *args)
{
    const struct hd_deps *d = &p->deps[pc];
    bool guarded = p->insns[pc].guard != HD_PRED_TRUE, leaves = d->flags & HD_DEP_OFFCHIP;

    switch (d->kind) {
    case HD_KIND_LOAD:
        return leaves && !is_param(&p->insns[pc], args) ? HD_POINT_LOAD : HD_POINT_OTHER;
    case HD_KIND_ATOMIC:
        return leaves && d->dst[0] != HD_SB_NONE ? HD_POINT_LOAD : HD_POINT_OTHER;
    case HD_KIND_BRANCH:
        return guarded ? HD_POINT_BRANCH : HD_POINT_JUMP;
    case HD_KIND_RET:
    case HD_KIND_EXIT:
        return guarded ? HD_POINT_OTHER : HD_POINT_END;
    default:
        return HD_POINT_OTHER;
    }
}

static void classify(struct hd_arena *scratch, const struct hd_program *p, uint32_t func,
                     uint8_t *ops)
{
    const struct hd_func *f = &p->funcs[func];
    struct args args = args_of(scratch, p, f);

    for (uint32_t pc = f->first_pc; pc < f->end_pc; pc++)
        ops[pc] = point_op(p, pc, &args);
}

void hd_progpoints_kinds(const struct hd_program *p, uint8_t *kind)
{
    struct hd_arena *scratch = hd_arena_new();
    uint8_t *ops = HD_ARRAY(scratch, uint8_t, p->n_insns);

    for (uint32_t f = 0; f < p->n_funcs; f++)
        classify(scratch, p, f, ops);
    for (uint32_t pc = 0; pc < p->n_insns; pc++)
        if (ops[pc] == HD_POINT_LOAD)
            kind[pc] = HD_STATIC_LOAD;
        else if (p->deps[pc].kind == HD_KIND_STORE)
            kind[pc] = HD_STATIC_STORE;
        else
            kind[pc] = p->deps[pc].kind == HD_KIND_BRANCH ? HD_STATIC_BRANCH : HD_STATIC_OTHER;
    hd_arena_free(scratch);
}

// The target of a branch; for a table, the first one represents all.
static uint32_t first_target(const struct hd_program *p, uint32_t pc)
{
    uint32_t target = HD_TARGET_PC(p->insns[pc].imm);

    return p->insns[pc].op == HD_OP_BRX ? p->targets[target] : target;
}

static void reach(bool *reached, uint32_t func, uint32_t *list, uint32_t *n)
{
    if (reached[func])
        return;
    reached[func] = true;
    list[(*n)++] = func;
}

// The functions in which warps of the kernel may run, in the order of their PCs.
static struct code code_of(struct hd_arena *a, const struct hd_program *p,
                           const struct hd_func *kernel)
{
    bool *reached = HD_ARRAY(a, bool, p->n_funcs);
    uint32_t *list = HD_ARRAY(a, uint32_t, p->n_funcs), n = 0;
    struct code c = {.parts = HD_ARRAY(a, struct hd_points_part, p->n_funcs),
                     .funcs = HD_ARRAY(a, uint32_t, p->n_funcs)};

    reach(reached, (uint32_t)(kernel - p->funcs), list, &n);
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_func *f = &p->funcs[list[i]];
        for (uint32_t pc = f->first_pc; pc < f->end_pc; pc++) {
            if (p->deps[pc].kind != HD_KIND_CALL)
                continue;
            const struct hd_call *call = &p->calls[p->insns[pc].imm];
            if (call->builtin != HD_BUILTIN_NONE)
                continue;
            for (uint32_t to = 0; call->func == HD_CALL_INDIRECT && to < p->n_funcs; to++)
                if (!p->funcs[to].is_kernel)
                    reach(reached, to, list, &n);
            if (call->func != HD_CALL_INDIRECT)
                reach(reached, call->func, list, &n);
        }
    }
    for (uint32_t f = 0; f < p->n_funcs; f++) // functions have their numbers in the order of PCs
        if (reached[f]) {
            c.parts[c.n] = (struct hd_points_part){p->funcs[f].first_pc, p->funcs[f].end_pc};
            c.funcs[c.n++] = f;
        }
    return c;
}

static void find(struct hd_gpu *g, struct hd_gpu_points *k, struct hd_arena *scratch,
                 const struct hd_program *p, const struct code *c, uint8_t *distance,
                 uint8_t *recalc)
{
    bool apart = g->config.points.per == HD_POINTS_PER_FUNCTION;
    uint8_t *ops = HD_ARRAY(scratch, uint8_t, p->n_insns);
    uint32_t *targets = HD_ARRAY(scratch, uint32_t, p->n_insns);

    for (uint32_t i = 0; i < c->n; i++) {
        classify(scratch, p, c->funcs[i], ops);
        for (uint32_t pc = c->parts[i].first; pc < c->parts[i].end; pc++)
            if (p->deps[pc].kind == HD_KIND_BRANCH)
                targets[pc] = first_target(p, pc);
    }
    for (uint32_t i = 0; i < c->n; i += apart ? 1 : c->n) {
        struct hd_points_code code = {ops, targets, &c->parts[i], apart ? 1 : c->n};
        struct hd_points found =
            hd_points_find(scratch, &code, &g->config.points, distance, recalc);
        k->found.loads += found.loads;
        k->found.branches += found.branches;
        k->found.after += found.n;
        k->found.dropped += found.dropped;
    }
}

// Chooses the columns for the kernel: those of the program, unless another kernel shares one of its
// functions and the slots are the kernel's.
static void choose(struct hd_gpu *g, struct hd_gpu_program *gp, const struct code *c,
                   uint8_t **distance, uint8_t **recalc)
{
    uint32_t n = gp->program->n_insns;
    bool shared = false,
         apart = g->config.points.per == HD_POINTS_PER_KERNEL && !g->config.sm.share;

    if (!gp->taken) {
        gp->load_distance = HD_ARRAY(g->arena, uint8_t, n);
        gp->recalc = HD_ARRAY(g->arena, uint8_t, n);
        gp->taken = HD_ARRAY(g->arena, bool, gp->program->n_funcs);
    }
    for (uint32_t i = 0; i < c->n && apart; i++)
        shared |= gp->taken[c->funcs[i]];
    for (uint32_t i = 0; i < c->n && !shared; i++)
        gp->taken[c->funcs[i]] = true;
    *distance = shared ? HD_ARRAY(g->arena, uint8_t, n) : gp->load_distance;
    *recalc = shared ? HD_ARRAY(g->arena, uint8_t, n) : gp->recalc;
}

static struct hd_gpu_points *points_of(const struct hd_gpu_program *gp,
                                       const struct hd_func *kernel)
{
    for (size_t i = 0; i < gp->n_points; i++)
        if (gp->points[i]->kernel == kernel)
            return gp->points[i];
    return NULL;
}

const struct hd_gpu_points_found *hd_progpoints_need(struct hd_gpu *g, struct hd_gpu_program *gp,
                                                     const struct hd_func *kernel)
{
    struct hd_gpu_points *k = points_of(gp, kernel);
    uint32_t needs = 0;

    for (unsigned i = 0; i < g->n_policies; i++)
        needs |= g->policies[i].choice.policy->needs;
    if (k || !(needs & HD_NEED_LOAD_DISTANCE))
        return k ? &k->found : NULL;

    struct hd_arena *scratch = hd_arena_new();
    struct code c = code_of(scratch, gp->program, kernel);
    uint8_t *distance, *recalc;
    k = HD_NEW(g->arena, hd_gpu_points);
    choose(g, gp, &c, &distance, &recalc);
    find(g, k, scratch, gp->program, &c, distance, recalc);
    hd_arena_free(scratch);
    k->kernel = kernel;
    k->view = gp->view;
    k->view.load_distance = distance;
    k->view.recalc = recalc;
    *HD_PUSH(g->arena, gp->points, gp->n_points, gp->cap_points) = k;
    return &k->found;
}

const struct hd_static_view *hd_progpoints_view(const struct hd_gpu_program *gp,
                                                const struct hd_func *kernel)
{
    const struct hd_gpu_points *k = points_of(gp, kernel);

    return k ? &k->view : &gp->view;
}

void hd_progpoints_doubts(struct hd_gpu *g, struct hd_diag *d)
{
    for (size_t i = 0; i < g->n_programs; i++)
        for (size_t k = 0; k < g->programs[i].n_points; k++) {
            struct hd_gpu_points *p = g->programs[i].points[k];
            uint32_t before = p->found.loads + p->found.branches;
            if (!p->found.dropped || p->reported)
                continue;
            p->reported = true;
            struct hd_diag_entry *e =
                hd_diag_add(d, g->programs[i].program->path, p->kernel->line, 0,
                            "kernel %s has %u program points and the table %u slots: %u found no "
                            "load to be merged into and are lost",
                            p->kernel->name, before, g->config.points.slots, p->found.dropped);
            e->warning = true;
            hd_diag_hint(e, "--set points.slots=%u has room for all", before);
        }
}
