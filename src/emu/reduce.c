// reduce.c - bar.red: a barrier that also counts a predicate of all threads that arrive, or
// combines it by `and` or `or`.
//
// The result is due when the barrier opens, which the timing model decides. But it decides by the
// rule of hw/barrier.h from arrivals and exits in the order of exec, so the emulator applies the
// same rule and writes the registers at the arrival that opens the barrier. No warp that waits can
// read them earlier.
#include "base/bug.h"
#include "emu/emu_internal.h"

static void write_result(const struct hd_emu_sm *sm, unsigned warp, const struct hd_emu_reduce *x)
{
    const struct hd_lane_regs *r = &sm->warps[warp].regs;
    const struct hd_emu_waiting *w = &sm->waiting[warp];

    if (w->op == HD_OP_BAR_RED_POPC_U32) {
        uint32_t *d = hd_lanes_row(r, w->dst);
        for (uint32_t m = w->lanes; m; m &= m - 1)
            d[__builtin_ctz(m)] = x->trues;
        return;
    }
    bool holds = w->op == HD_OP_BAR_RED_AND_PRED ? !x->falses : x->trues != 0;
    uint32_t *p = &r->preds[w->dst];
    *p = (*p & ~w->lanes) | (holds ? w->lanes : 0);
}

static void release(struct hd_emu_sm *sm, struct hd_emu_tb *tb, uint64_t freed)
{
    int w;

    HD_EACH(w, freed)
        if (sm->waiting[w].lanes) {
            write_result(sm, (unsigned)w, &tb->reduce[sm->waiting[w].barrier]);
            sm->waiting[w].lanes = 0;
        }
    for (unsigned id = 0; id < HD_BARRIERS; id++)
        if (!tb->barriers.arrived[id])
            tb->reduce[id] = (struct hd_emu_reduce){0, 0};
}

static struct hd_emu_tb *block_of(struct hd_emu_sm *sm, unsigned warp)
{
    return &sm->tbs[sm->warps[warp].tb - sm->tbs];
}

void hd_reduce_arrive(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                      const struct hd_effects *out)
{
    struct hd_emu_tb *tb = block_of(sm, warp);
    uint64_t freed;

    if (out->bar_op == HD_BAR_RED) {
        struct hd_emu_reduce *x = &tb->reduce[out->barrier];
        uint32_t said = hd_lanes_pred(&sm->warps[warp].regs, (uint32_t)in->src[2]) & out->exec_mask;
        x->trues += (uint32_t)__builtin_popcount(said);
        x->falses += (uint32_t)__builtin_popcount(out->exec_mask & ~said);
        sm->waiting[warp] = (struct hd_emu_waiting){out->exec_mask, in->op, out->barrier, in->dst};
    }
    freed = hd_barrier_arrive(&tb->barriers, out->barrier, (int)warp, out->bar_op != HD_BAR_ARRIVE,
                              out->bar_threads);
    if (freed)
        release(sm, tb, freed);
}

void hd_reduce_exit(struct hd_emu_sm *sm, unsigned warp)
{
    struct hd_emu_tb *tb = block_of(sm, warp);
    uint64_t freed = hd_barrier_exit(&tb->barriers, (int)warp);

    if (freed)
        release(sm, tb, freed);
}
