// residents.c - SMs that hold blocks of several kernels (sm.share): what each block takes of its
// SM, and what is charged to its kernel.
//
// A kernel's block fits on an SM if its registers, its shared memory, its warps and a block slot
// are free there. All kernels of an SM belong to one program, because an SM has one scoreboard
// layout and one view of a program; what a kernel launches belongs to its parent's program.
//
// The SM is charged to one of the kernels whose blocks it holds (hd_gpu.bound), as long as it holds
// one of them. Only what a block counts by itself (instructions, reads of the L1, finished blocks)
// is charged to the block's own kernel; scheduler cycles and the other counts of an SM cannot be
// divided among its blocks. So the counts of all kernels together are those of the machine here
// too.
#include "gpu/gpu_internal.h"

struct counts { // of a block since the SM was settled last
    uint64_t warp_insts, thread_insts, long_insts, l1d_reads, l1d_read_hits;
};

struct resident {
    uint32_t launch;
    uint8_t slot; // of the running kernels
    uint64_t regs, shared;
    struct counts counts;
};

struct hd_gpu_residents {  // of one SM
    uint64_t slots;        // block slots in use
    bool ended;            // some block has, and what it counted is not charged yet
    uint64_t regs, shared; // in use
    const struct hd_deps *deps;
    struct resident at[HD_MAX_TBS];
    struct hd_sm_watch watch;
};

static void watch(void *ctx, unsigned sm, const struct hd_event *e)
{
    struct hd_gpu_residents *r = &((struct hd_gpu_residents *)ctx)[sm];
    struct counts *c = &r->at[e->tb].counts;
    unsigned n = (unsigned)__builtin_popcount(e->lanes);

    if (e->kind == HD_EV_ISSUE) {
        c->warp_insts++;
        c->thread_insts += n;
        c->long_insts += r->deps[e->pc].flags & HD_DEP_OFFCHIP ? n : 0;
    } else {
        c->l1d_reads++;
        c->l1d_read_hits += e->flags == HD_L1_HIT;
    }
}

void hd_residents_new(struct hd_gpu *g)
{
    if (!g->config.sm.share)
        return;
    g->residents = HD_ARRAY(g->arena, struct hd_gpu_residents, g->n_sms);
    for (unsigned i = 0; i < g->n_sms; i++) {
        g->residents[i].watch = (struct hd_sm_watch){
            .on = watch, .ctx = g->residents, .events = HD_ON(HD_EV_ISSUE) | HD_ON(HD_EV_L1_READ)};
        hd_sm_add_watch(g->sms[i], &g->residents[i].watch);
    }
}

static uint64_t shared_of(const struct hd_gpu *g, const struct hd_launch *l)
{
    return (uint64_t)l->shared_static + (g->config.sm.dynamic_shared ? l->dynamic_shared : 0);
}

bool hd_residents_fits(const struct hd_gpu *g, unsigned sm, int slot)
{
    const struct hd_gpu_residents *r = &g->residents[sm];
    const struct hd_running *k = &g->running[slot];

    if (g->bound[sm] != HD_NONE && g->running[g->bound[sm]].program != k->program)
        return false;
    return r->regs + hd_registers_of_block(&g->config, k->launch) <= g->config.sm.registers &&
           r->shared + shared_of(g, k->launch) <= g->config.sm.shared_bytes &&
           hd_sm_has_warps(g->sms[sm], k->launch) && hd_sm_free_tbs(g->sms[sm]);
}

void hd_residents_placed(struct hd_gpu *g, unsigned sm, int slot, unsigned tb)
{
    struct hd_gpu_residents *r = &g->residents[sm];
    const struct hd_running *k = &g->running[slot];

    HD_BUG_IF(r->ended, "SM %u receives a block before the last one's counts are charged", sm);
    r->deps = k->launch->program->deps;
    r->slots |= hd_bit((int)tb);
    r->at[tb] = (struct resident){.launch = k->launch->id,
                                  .slot = (uint8_t)slot,
                                  .regs = hd_registers_of_block(&g->config, k->launch),
                                  .shared = shared_of(g, k->launch)};
    r->regs += r->at[tb].regs;
    r->shared += r->at[tb].shared;
}

void hd_residents_ended(struct hd_gpu *g, unsigned sm)
{
    struct hd_gpu_residents *r = &g->residents[sm];
    uint64_t ended = r->slots & ~g->views[sm]->tb_live;
    int tb;

    HD_EACH(tb, ended) {
        g->running[r->at[tb].slot].tbs_done++;
        r->regs -= r->at[tb].regs;
        r->shared -= r->at[tb].shared;
    }
    r->slots &= ~ended;
    r->ended |= ended != 0;
}

bool hd_residents_leave(struct hd_gpu *g, unsigned sm)
{
    bool ended = g->residents[sm].ended;

    g->residents[sm].ended = false;
    return ended;
}

int hd_residents_oldest(const struct hd_gpu *g, unsigned sm)
{
    const struct hd_gpu_residents *r = &g->residents[sm];
    int tb, best = HD_NONE;

    HD_EACH(tb, r->slots)
        if (best == HD_NONE || r->at[tb].launch < r->at[best].launch)
            best = tb;
    return best == HD_NONE ? HD_NONE : r->at[best].slot;
}

bool hd_residents_holds(const struct hd_gpu *g, unsigned sm, int slot)
{
    const struct hd_gpu_residents *r = &g->residents[sm];
    int tb;

    HD_EACH(tb, r->slots)
        if (r->at[tb].slot == slot)
            return true;
    return false;
}

void hd_residents_settle(struct hd_gpu *g, unsigned sm, struct hd_sm_stats *rest)
{
    struct hd_gpu_residents *r = &g->residents[sm];

    rest->warp_insts = rest->thread_insts = rest->long_insts = rest->tbs = 0;
    rest->l1d_reads = rest->l1d_read_hits = 0;
    for (unsigned tb = 0; tb < g->config.sm.tbs; tb++) { // also those that have just ended
        struct counts *c = &r->at[tb].counts;
        if (!c->warp_insts && !c->l1d_reads)
            continue;
        struct hd_sm_stats *to = &g->queue[r->at[tb].launch].result.sm;
        to->warp_insts += c->warp_insts;
        to->thread_insts += c->thread_insts;
        to->long_insts += c->long_insts;
        to->l1d_reads += c->l1d_reads;
        to->l1d_read_hits += c->l1d_read_hits;
        *c = (struct counts){0};
    }
}

void hd_residents_check(const struct hd_gpu *g)
{
    for (unsigned i = 0; i < g->n_sms; i++) {
        const struct hd_gpu_residents *r = &g->residents[i];
        const struct hd_view *v = g->views[i];
        uint64_t regs = 0, shared = 0, warps = 0;
        int tb;
        HD_EACH(tb, v->tb_live) {
            HD_BUG_IF(v->tbs[tb].warps & warps, "SM %u: two blocks have the same warp", i);
            HD_BUG_IF(v->tbs[tb].kernel != r->at[tb].launch, "SM %u: another kernel's block", i);
            warps |= v->tbs[tb].warps;
            regs += r->at[tb].regs;
            shared += r->at[tb].shared;
        }
        HD_BUG_IF(v->tb_live != r->slots || (unsigned)hd_count(v->tb_live) != g->live[i],
                  "SM %u: its blocks are not those that were placed", i);
        HD_BUG_IF(regs != r->regs || shared != r->shared || regs > g->config.sm.registers ||
                      shared > g->config.sm.shared_bytes || warps & ~hd_low(v->n_warps) ||
                      (unsigned)hd_count(v->tb_live) > g->config.sm.tbs,
                  "SM %u: its blocks need more than it has", i);
        HD_BUG_IF((g->bound[i] == HD_NONE) != !v->tb_live, "SM %u is bound to no block's kernel",
                  i);
    }
}
