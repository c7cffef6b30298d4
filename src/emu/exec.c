// exec.c - executes one warp instruction: guard, dispatch, control flow, barriers, traps.
#include "base/bug.h"
#include "emu/emu_internal.h"
#include "emu/watch.h"

#include <stdio.h>
#include <string.h>

static bool run_barrier(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                        struct hd_effects *out)
{
    return hd_arrive_exec(sm, warp, in, out);
}

// barrier.cluster of a cluster of one block.
static bool run_cluster(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                        struct hd_effects *out)
{
    if (!out->exec_mask)
        return true;
    hd_arrive_cluster(sm, warp, in->op != HD_OP_CLUSTER_ARRIVE, out);
    return true;
}

// ret, exit, trap.
static bool run_end(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;

    if (in->op == HD_OP_TRAP) {
        if (out->exec_mask)
            return hd_trap_refuse(sm, warp, out, HD_TRAP_USER, "the program executed `trap`");
        hd_simt_next(s, warp);
        return true;
    }
    if (in->op == HD_OP_RET && s->frame[warp]) {
        hd_call_return(sm, warp, out->exec_mask);
        return true;
    }
    out->flags = hd_simt_exit(s, warp, out->exec_mask);
    if (s->pc[warp] == HD_PC_NONE)
        hd_arrive_exit(sm, warp);
    return true;
}

static bool run_branch(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                       struct hd_effects *out)
{
    out->flags = hd_simt_branch(&sm->simt, warp, out->exec_mask, HD_TARGET_PC(in->imm),
                                HD_RECONV_PC(in->imm));
    return true;
}

static bool writable(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                     struct hd_effects *out)
{
    if (in->space == HD_SPACE_CONST || in->space == HD_SPACE_PARAM)
        return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL, "this space cannot be written");
    return true;
}

static bool run_store(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out)
{
    if (!writable(sm, warp, in, out))
        return false;
    return !out->exec_mask || hd_stores_exec(sm, warp, in, out);
}

static bool run_fragment_store(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                               struct hd_effects *out)
{
    return writable(sm, warp, in, out) && hd_tensor_access(sm, warp, in, out);
}

static bool run_atomic(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                       struct hd_effects *out)
{
    return !out->exec_mask || hd_atomic_exec(sm, warp, in, out);
}

static bool run_mbarrier(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                         struct hd_effects *out)
{
    return !out->exec_mask || hd_mbarrier_exec(sm, warp, in, out);
}

// Ends a group of copies, or waits for groups. The other operations of these shapes do nothing:
// memory accesses are made in order, so a fence has no effect; kernels of a stream follow each
// other in any case (griddepcontrol); nobody listens to events (pmevent); and a warp always has its
// registers (setmaxnreg).
static bool run_groups(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                       struct hd_effects *out)
{
    (void)sm;
    (void)warp;
    return hd_op_info[in->op].kind != HD_KIND_COPIES || hd_copies_group(in, out);
}

static bool run_nothing(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                        struct hd_effects *out)
{
    (void)sm;
    (void)warp;
    (void)in;
    (void)out;
    return true;
}

// Lane operations have a loop in sm->lanes and are not executed here.
static bool run_lanes(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      struct hd_effects *out)
{
    (void)sm;
    (void)out;
    HD_BUG("warp %u: no way to execute %s", warp, hd_op_info[in->op].name);
}

enum flow { FLOW_NEXT, FLOW_OWN };

static const struct {
    bool (*run)(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                struct hd_effects *out);
    enum flow flow;
} by_shape[HD_N_SHAPES] = {
#define HD_SHAPE(id, pattern, text, run, flow) [HD_SHAPE_##id] = {run, FLOW_##flow},
#include "isa/shapes.def"
};

// Executes everything that is not a lane operation. False after a trap; otherwise the warp's place
// in the program has moved on.
static bool exec_other(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                       struct hd_effects *out)
{
    unsigned shape = hd_op_info[in->op].shape;

    if (!by_shape[shape].run(sm, warp, in, out))
        return false;
    if (by_shape[shape].flow == FLOW_NEXT)
        hd_simt_next(&sm->simt, warp);
    return true;
}

// What an instruction has written to its destination.
static uint32_t hash_row(const struct hd_emu_sm *sm, unsigned warp, uint32_t frame,
                         const struct hd_insn *in, uint32_t lanes, uint32_t hash)
{
    const struct hd_lane_regs r = hd_call_regs(&sm->warps[warp], frame);
    const int32_t first = in->vec > 1 ? sm->warps[warp].program->vecs[in->dst][0] : in->dst;

    for (uint32_t m = first == HD_ROW_NONE ? 0 : lanes; m; m &= m - 1)
        hash = hd_paths_hash(hash, hd_lanes_row(&r, first)[__builtin_ctz(m)]);
    return hash;
}

// An instruction that other lanes of the warp may have to make succeed (paths.h). False after a
// trap.
static __attribute__((noinline, cold)) bool
attempt(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in, struct hd_effects *out)
{
    uint32_t pc = sm->simt.pc[warp], frame = sm->simt.frame[warp], hash = 0;

    if (hd_paths_tired(sm, warp, pc) && hd_paths_yield(sm, warp)) {
        out->exec_mask = 0;
        out->flags = HD_EFF_SWITCHED;
        return true;
    }
    if (!exec_other(sm, warp, in, out)) {
        out->next_pc = pc;
        return false;
    }
    for (uint32_t m = out->exec_mask; m; m &= m - 1)
        hash = hd_paths_hash(hash, out->addr[__builtin_ctz(m)]);
    if (hd_op_info[in->op].kind == HD_KIND_ATOMIC && sm->atomics[warp].lanes)
        sm->atomics[warp].pc = pc; // goes on when memory has served it
    else
        hd_paths_saw(sm, warp, pc, out->exec_mask,
                     in->dst == HD_ROW_NONE || hd_op_info[in->op].shape == HD_SHAPE_MBAR
                         ? hash
                         : hash_row(sm, warp, frame, in, out->exec_mask, hash));
    return true;
}

static inline void begin_effects(struct hd_effects *out, uint32_t active, uint32_t lanes)
{
    out->active_mask = active;
    out->exec_mask = lanes;
    out->flags = 0;
    out->addr_span = 0;
    out->space = HD_SPACE_NONE;
    out->bytes = out->vec = 0;
}

static inline void execute(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    uint32_t pc = sm->simt.pc[warp], active = sm->simt.lanes[warp];

    const struct hd_insn *in = &w->insns[pc];
    uint32_t lanes = active & hd_lanes_pred(&w->regs, in->guard);
    begin_effects(out, active, lanes);

    hd_lane_fn handler = sm->lanes[in->op];
    if (handler) {
        // Registers of ended lanes are never read, and whole rows are faster.
        handler(in, &w->regs, lanes | ~sm->simt.alive[warp], 1);
        hd_simt_next(&sm->simt, warp);
    } else if (w->forms[pc] & HD_FORM_REPEATS && sm->simt.depth[warp]) {
        if (!attempt(sm, warp, in, out))
            return;
    } else if (!exec_other(sm, warp, in, out)) {
        out->next_pc = pc;
        return;
    }
    out->next_pc = sm->simt.pc[warp];
    if (out->next_pc != pc + 1 && out->next_pc != HD_PC_NONE && in->op != HD_OP_BRA &&
        in->op != HD_OP_BRX)
        out->flags |= HD_EFF_JUMPED;
}

static __attribute__((noinline, cold)) void execute_watched(struct hd_emu_sm *sm, unsigned warp,
                                                            struct hd_effects *out)
{
    uint32_t pc = sm->simt.pc[warp], n = sm->warps[warp].program->n_insns;

    HD_BUG_IF(pc >= n, "warp %u at PC %u of %u", warp, pc, n);
    begin_effects(out, sm->simt.lanes[warp], 0);
    if (hd_watch_step(sm, warp)) {
        out->flags = HD_EFF_SWITCHED | HD_EFF_JUMPED;
        out->next_pc = sm->simt.pc[warp];
        return;
    }
    execute(sm, warp, out);
    hd_watch_read(sm, warp, out);
}

static void emu_exec(void *self, unsigned warp, uint64_t cycle, struct hd_effects *out)
{
    struct hd_emu_sm *sm = self;

    sm->cycle = cycle;
    if (sm->simt.pc[warp] < sm->warps[warp].n_insns)
        execute(sm, warp, out);
    else
        execute_watched(sm, warp, out);
}

// Performs the calls of the runtime that the SM has deferred, then the stores of the cycle: calls
// take effect before all stores of the same cycle, whatever the order in which they were issued.
static bool emu_commit(void *self)
{
    struct hd_emu_sm *sm = self;
    const struct hd_emu *e = sm->emu;
    bool ok = true;

    if (sm->calls_deferred)
        ok = e->runtime->merge(e->runtime_ctx, sm);
    sm->calls_deferred = false;
    if (sm->n_new_absences)
        hd_warp_merge_absences(sm);
    hd_stores_commit(sm);
    return ok;
}

static const struct hd_trap *emu_trap(const void *self)
{
    const struct hd_emu_sm *sm = self;
    return &sm->trap;
}

const struct hd_isrc_ops hd_exec_ops = {
    .name = "emulator",
    .tb_start = hd_emu_tb_start,
    .tb_end = hd_emu_tb_end,
    .tb_leave = hd_emu_tb_leave,
    .exec = emu_exec,
    .serve = hd_atomic_serve,
    .finish = hd_atomic_finish,
    .complete_async = hd_copies_complete,
    .poll = hd_mbarrier_poll,
    .waits_for = hd_mbarrier_describe,
    .commit = emu_commit,
    .trap = emu_trap,
    .stored = hd_stored_value,
};

struct hd_isrc hd_emu_source(struct hd_emu *e, unsigned sm)
{
    struct hd_emu_sm *s = &e->sms[sm];

    return (struct hd_isrc){.ops = &hd_exec_ops,
                            .self = s,
                            .pc = s->simt.pc,
                            .lanes = s->simt.lanes,
                            .pending_stores = &s->pending_stores,
                            .progress = &s->progress};
}
