// racecheck.c - the rules of racecheck.h.
#include "trace/racecheck.h"

#include "base/bug.h"
#include "isa/op.h"
#include "trace/deadresult.h"
#include "trace/shadow.h"

#include <inttypes.h>
#include <string.h>

#define GLOBAL_MOST (UINT64_C(1) << 38) // bytes of global memory that are followed
#define SHARED_MOST (UINT64_C(1) << 24)

enum { WRITES = 0 }; // instead of the number of a reduction

struct hd_racecheck_code {
    const struct hd_program *program;
    const uint8_t *reductions; // by PC: group of atomics that may be reordered, WRITES if none
};

struct tb { // by block slot
    const struct hd_launch *launch;
    uint32_t first, n; // warps of the launch
    uint32_t first_warp;
    struct hd_shadow *shared;
};

struct hd_racecheck_sm {
    const struct hd_racecheck_code *code;
    struct tb tbs[HD_MAX_TBS];
    uint32_t epochs[HD_MAX_WARPS]; // by warp slot
    uint8_t tb_of[HD_MAX_WARPS];
};

struct hd_racecheck {
    struct hd_arena *arena;
    struct hd_shadow *global;
    uint32_t launch; // the launch that accessed global memory last, plus one
    const char *reason;
};

// --- what a program says

// Integer reductions of one kind commute.
static uint8_t reduction_of(struct hd_arena *a, const struct hd_program *p, uint32_t pc)
{
    const struct hd_insn *in = &p->insns[pc];
    unsigned type = hd_op_info[in->op].type;
    bool wide = type == HD_U64 || type == HD_S64 || type == HD_B64;
    bool sign = type == HD_S32 || type == HD_S64;
    bool whole = wide || type == HD_U32 || type == HD_S32 || type == HD_B32;

    if (!whole || !hd_deadresult_is(a, p, pc))
        return WRITES;
    switch ((enum hd_atom_op)(in->mods & HD_MOD_ENUM)) {
    case HD_ATOM_ADD:
        return wide ? 2 : 1;
    case HD_ATOM_AND:
        return 3;
    case HD_ATOM_OR:
        return 4;
    case HD_ATOM_XOR:
        return 5;
    case HD_ATOM_MIN:
        return (uint8_t)(6 + wide + 2 * sign);
    case HD_ATOM_MAX:
        return (uint8_t)(10 + wide + 2 * sign);
    default:
        return WRITES;
    }
}

const struct hd_racecheck_code *hd_racecheck_look(struct hd_arena *a, const struct hd_program *p)
{
    struct hd_racecheck_code *c = HD_NEW(a, hd_racecheck_code);
    uint8_t *reductions = HD_ARRAY(a, uint8_t, p->n_insns);

    for (uint32_t pc = 0; pc < p->n_insns; pc++)
        if (hd_op_info[p->insns[pc].op].kind == HD_KIND_ATOMIC)
            reductions[pc] = reduction_of(a, p, pc);
    c->program = p;
    c->reductions = reductions;
    return c;
}

// --- the verdict

struct hd_racecheck *hd_racecheck_new(struct hd_arena *a)
{
    struct hd_racecheck *r = HD_NEW(a, hd_racecheck);

    r->arena = a;
    r->global = hd_shadow_new(a, GLOBAL_MOST);
    return r;
}

const char *hd_racecheck_reason(const struct hd_racecheck *r)
{
    return r->reason;
}

static uint32_t line_of(const struct hd_launch *l, uint32_t pc)
{
    return l->program->places[pc].line;
}

void hd_racecheck_blame(struct hd_racecheck *r, const struct hd_launch *l, uint32_t pc,
                        const char *does)
{
    if (r->reason)
        return;
    if (pc == HD_PC_NONE)
        r->reason = hd_arena_printf(r->arena, "kernel %.60s, launch %" PRIu32 ", %s",
                                    l->kernel->name, l->id, does);
    else
        r->reason =
            hd_arena_printf(r->arena, "kernel %.60s, launch %" PRIu32 ": PTX line %" PRIu32 " %s",
                            l->kernel->name, l->id, line_of(l, pc), does);
}

static bool calls(const struct hd_program *p, const struct hd_func *f)
{
    for (uint32_t pc = f->first_pc; pc < f->end_pc; pc++)
        if (hd_op_info[p->insns[pc].op].kind == HD_KIND_CALL)
            return true;
    return false;
}

// The SM of a block depends on timing.
static void blame_place(struct hd_racecheck *r, const struct hd_launch *l, const struct hd_func *f)
{
    for (uint32_t k = 0; k < f->n_specials; k++)
        if (f->specials[k].which == HD_SREG_SMID)
            hd_racecheck_blame(r, l, HD_PC_NONE, "reads %smid");
        else if (f->specials[k].which == HD_SREG_NSMID)
            hd_racecheck_blame(r, l, HD_PC_NONE, "reads %nsmid");
}

void hd_racecheck_launch(struct hd_racecheck *r, const struct hd_racecheck_code *code,
                         const struct hd_launch *l)
{
    const struct hd_program *p = code->program;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];

    if (blocks > HD_SHADOW_WARPS / ((threads + HD_LANES - 1) / HD_LANES))
        hd_racecheck_blame(r, l, HD_PC_NONE, "has too many warps to be followed");
    blame_place(r, l, l->kernel);
    if (calls(p, l->kernel))
        for (uint32_t i = 0; i < p->n_funcs; i++)
            if (!p->funcs[i].is_kernel)
                blame_place(r, l, &p->funcs[i]);
}

struct hd_racecheck_sm *hd_racecheck_new_sm(struct hd_racecheck *r)
{
    return HD_NEW(r->arena, hd_racecheck_sm);
}

void hd_racecheck_tb(struct hd_racecheck *r, struct hd_racecheck_sm *sm,
                     const struct hd_racecheck_code *code, const struct hd_tb *tb)
{
    struct tb *t = &sm->tbs[tb->slot];

    if (r->reason)
        return;
    if (r->launch != tb->launch->id + 1) { // the last launch of its stream has ended
        r->launch = tb->launch->id + 1;
        hd_shadow_clear(r->global);
    }
    sm->code = code;
    t->launch = tb->launch;
    t->first = tb->linear * tb->n_warps;
    t->n = tb->n_warps;
    t->first_warp = tb->first_warp;
    if (!t->shared)
        t->shared = hd_shadow_new(r->arena, SHARED_MOST);
    hd_shadow_clear(t->shared);
    for (unsigned w = tb->first_warp; w < tb->first_warp + tb->n_warps; w++) {
        sm->epochs[w] = 0;
        sm->tb_of[w] = tb->slot;
    }
}

static void blame_order(struct hd_racecheck *r, const struct tb *t, uint32_t pc,
                        enum hd_shadow_kind kind, bool shared, const struct hd_shadow_conflict *c)
{
    bool known = c->before_pc < HD_SHADOW_LINES;

    hd_racecheck_blame(
        r, t->launch, pc,
        hd_arena_printf(
            r->arena, "%s %s memory that %s%s %s in another %s, with no %s between",
            kind == HD_SHADOW_READ ? "reads" : "writes", shared ? "shared" : "global",
            known ? "line " : "an instruction",
            known ? hd_arena_printf(r->arena, "%" PRIu32, line_of(t->launch, c->before_pc)) : "",
            c->before_writes ? "writes" : "reads", c->other_block ? "block" : "warp",
            c->other_block ? "end of the kernel" : "barrier"));
}

// The result may depend on the order in which the lanes of a warp reach memory, which is not
// defined.
static bool lanes_meet(const struct hd_effects *e)
{
    for (uint32_t m = e->exec_mask; m; m &= m - 1)
        for (uint32_t k = m & (m - 1); k; k &= k - 1)
            if (e->addr[__builtin_ctz(m)] / 8 == e->addr[__builtin_ctz(k)] / 8)
                return true;
    return false;
}

static void check_access(struct hd_racecheck *r, struct hd_racecheck_sm *sm, unsigned warp,
                         uint32_t pc, const struct hd_effects *e, const struct hd_isrc *source)
{
    unsigned kind = hd_op_info[sm->code->program->insns[pc].op].kind;
    const struct tb *t = &sm->tbs[sm->tb_of[warp]];
    bool shared = e->space == HD_SPACE_SHARED;
    unsigned bytes = (unsigned)e->bytes * e->vec;
    struct hd_shadow_conflict conflict;
    uint64_t last = UINT64_MAX;
    uint8_t value[32];
    struct hd_shadow_access by = {.warp = t->first + warp - t->first_warp,
                                  .warps_per_block = t->n,
                                  .epoch = sm->epochs[warp],
                                  .pc = pc,
                                  .kind = HD_SHADOW_WRITE};

    if (kind == HD_KIND_LOAD) {
        by.kind = HD_SHADOW_READ;
    } else if (kind == HD_KIND_ATOMIC && sm->code->reductions[pc] != WRITES) {
        by.kind = HD_SHADOW_REDUCE;
        by.reduction = sm->code->reductions[pc];
    } else if (kind == HD_KIND_ATOMIC && !shared && lanes_meet(e)) {
        hd_racecheck_blame(r, t->launch, pc, "is an atomic whose result depends on the order");
        return;
    }
    if (kind == HD_KIND_STORE && source->ops->stored && bytes <= sizeof value)
        by.value = value;
    for (uint32_t m = e->exec_mask; m; m &= m - 1) {
        if (by.kind == HD_SHADOW_READ && e->addr[__builtin_ctz(m)] == last)
            continue; // all lanes read the same word
        last = e->addr[__builtin_ctz(m)];
        if (by.value)
            source->ops->stored(source->self, warp, pc, (unsigned)__builtin_ctz(m), value);
        if (!hd_shadow_touch(shared ? t->shared : r->global, e->addr[__builtin_ctz(m)], bytes, &by,
                             &conflict)) {
            blame_order(r, t, pc, by.kind, shared, &conflict);
            return;
        }
    }
}

static void check_barrier(struct hd_racecheck *r, struct hd_racecheck_sm *sm, unsigned warp,
                          uint32_t pc, const struct hd_effects *e)
{
    const struct tb *t = &sm->tbs[sm->tb_of[warp]];

    if (!e->exec_mask)
        return;
    if (e->bar_op == HD_BAR_ARRIVE || (e->bar_threads && e->bar_threads != t->n * HD_LANES))
        hd_racecheck_blame(r, t->launch, pc, "is a barrier for part of a block");
    else if (e->bar_lanes)
        hd_racecheck_blame(r, t->launch, pc, "is a barrier at which part of a warp arrives");
    sm->epochs[warp]++;
}

static void check_call(struct hd_racecheck *r, const struct tb *t, uint32_t pc,
                       const struct hd_call *c, const struct hd_effects *e)
{
    if (!e->exec_mask)
        return;
    if (c->builtin == HD_BUILTIN_VPRINTF)
        hd_racecheck_blame(r, t->launch, pc, "prints, which a trace does not keep");
    else if (c->builtin >= HD_BUILTIN_RUNTIME)
        hd_racecheck_blame(r, t->launch, pc, "calls the device's runtime");
    else if (c->builtin != HD_BUILTIN_NONE)
        hd_racecheck_blame(r, t->launch, pc, "takes or gives back memory of the heap");
}

void hd_racecheck_exec(struct hd_racecheck *r, struct hd_racecheck_sm *sm, unsigned warp,
                       uint32_t pc, const struct hd_effects *e, const struct hd_isrc *source)
{
    const struct hd_insn *in;
    const struct hd_op_info *op;
    const struct tb *t;

    if (r->reason)
        return;
    in = &sm->code->program->insns[pc];
    op = &hd_op_info[in->op];
    t = &sm->tbs[sm->tb_of[warp]];
    if (e->flags & HD_EFF_HIDDEN_ACCESS)
        hd_racecheck_blame(r, t->launch, pc, "touches memory in more places than are followed");
    switch ((enum hd_kind)op->kind) {
    case HD_KIND_LOAD:
    case HD_KIND_STORE:
    case HD_KIND_ATOMIC:
        if (e->exec_mask && op->shape != HD_SHAPE_QUERY &&
            (e->space == HD_SPACE_GLOBAL || e->space == HD_SPACE_SHARED ||
             e->space == HD_SPACE_TEX))
            check_access(r, sm, warp, pc, e, source);
        break;
    case HD_KIND_BARRIER:
        check_barrier(r, sm, warp, pc, e);
        break;
    case HD_KIND_CALL:
        check_call(r, t, pc, &sm->code->program->calls[in->imm], e);
        break;
    default:
        if (op->shape == HD_SHAPE_READ && in->imm != HD_SREG_GRIDID)
            hd_racecheck_blame(r, t->launch, pc, "reads a clock");
    }
}
