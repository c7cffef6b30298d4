// run.c - a launch without timing: blocks one after the other, warps in turns.
//
// A warp runs until it waits at a barrier, ends or has had its turn; turns keep a warp that spins
// on another one's store from spinning for ever. Stores take effect at once and atomics are served
// and finished at once.
#include "base/barrier.h"
#include "base/bug.h"
#include "emu/state.h"

#define TURN 4096 // instructions

struct run {
    struct hd_emu_sm *sm;
    const struct hd_launch *launch;
    struct hd_emu_result *out;
    uint64_t limit;
    struct hd_barriers barriers;
    uint64_t blocked; // warps waiting at a barrier
    struct hd_effects effects;
};

// One instruction of the warp. False if the run is over.
static bool step(struct run *r, unsigned w)
{
    struct hd_emu_sm *sm = r->sm;
    struct hd_effects *e = &r->effects;
    const struct hd_deps *d = &r->launch->program->deps[sm->simt.pc[w]];

    if (r->limit && r->out->warp_insts >= r->limit) {
        r->out->limit = true;
        return false;
    }
    hd_exec_ops.exec(sm, w, r->out->warp_insts, e); // instructions are the clock's cycles
    if (e->flags & HD_EFF_TRAP) {
        r->out->trap = sm->trap;
        return false;
    }
    unsigned lanes = (unsigned)__builtin_popcount(e->lanes);
    r->out->warp_insts++;
    r->out->thread_insts += lanes;
    if (d->flags & HD_DEP_OFFCHIP)
        r->out->long_insts += lanes;
    if (sm->atomics[w].lanes) {
        hd_atomic_serve(sm, w, e->lanes);
        hd_atomic_finish(sm, w);
    }
    if (d->kind == HD_KIND_BARRIER && e->lanes) {
        bool blocks = e->bar_op != HD_BAR_ARRIVE;
        if (blocks)
            r->blocked |= hd_bit((int)w);
        r->blocked &= ~hd_barrier_arrive(&r->barriers, e->barrier, (int)w, blocks, e->bar_threads);
    }
    if (e->next_pc == HD_PC_NONE)
        r->blocked &= ~hd_barrier_exit(&r->barriers, (int)w);
    return true;
}

// All warps of the block that was just started. False if the run is over.
static bool run_block(struct run *r, unsigned n_warps)
{
    uint64_t all = hd_low(n_warps), ready;
    int w;

    hd_barrier_start(&r->barriers, all);
    r->blocked = 0;
    while ((ready = r->barriers.live & ~r->blocked)) {
        HD_EACH(w, ready)
            for (unsigned i = 0; i < TURN; i++) {
                if (!step(r, (unsigned)w))
                    return false;
                if (hd_has(r->blocked, w) || r->sm->simt.pc[w] == HD_PC_NONE)
                    break;
            }
    }
    r->out->deadlock = r->barriers.live != 0;
    return !r->out->deadlock;
}

void hd_emu_run(struct hd_emu *e, const struct hd_launch *l, uint64_t max_warp_insts,
                struct hd_emu_result *out)
{
    struct run r = {.sm = &e->sms[0], .launch = l, .out = out, .limit = max_warp_insts};
    struct hd_tb tb = {.launch = l};
    bool going = true;

    *out = (struct hd_emu_result){0};
    hd_emu_prepare_sm(r.sm, l);
    r.sm->direct = true;
    tb.n_warps = (uint8_t)((l->block[0] * l->block[1] * l->block[2] + HD_LANES - 1) / HD_LANES);
    for (uint32_t z = 0; going && z < l->grid[2]; z++)
        for (uint32_t y = 0; going && y < l->grid[1]; y++)
            for (uint32_t x = 0; going && x < l->grid[0]; x++) {
                tb.index[0] = x;
                tb.index[1] = y;
                tb.index[2] = z;
                hd_exec_ops.tb_start(r.sm, &tb);
                going = run_block(&r, tb.n_warps);
                hd_exec_ops.tb_end(r.sm, 0);
                tb.linear++;
            }
    r.sm->direct = false;
}
