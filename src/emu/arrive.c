// arrive.c - barriers of a block: which lanes arrive, and the reductions of bar.red.
//
// When a barrier opens is decided by the timing model, by the rule of hw/barrier.h, from arrivals
// and exits in the order of exec. The emulator applies the same rule to the same arrivals. So it
// writes the result of a reduction at the arrival that opens the barrier; no lane that waits can
// read it earlier.
//
// Code for targets before sm_70: a warp arrives as a whole, whichever of its lanes are here.
//
// Code for sm_70 and later: threads arrive (PTX ISA, barrier; CUDA C++ Programming Guide, 7.6 in
// version 12, for __syncthreads). If all lanes of a warp that have not ended come together, the
// warp arrives as above. Otherwise the path is parked (paths.h), and
//   - a barrier without a thread count, which no thread can pass before all have come, counts the
//     warp when all its lanes wait at such barriers with the same number, in whatever paths;
//   - a barrier with a thread count counts the lanes at once. It may open while other lanes of the
//     warp are elsewhere.
// A path that was parked goes on when it is the top again and finds that its barrier has opened
// (hd_simt.passed).
#include "base/bug.h"
#include "emu/emu_internal.h"

static struct hd_emu_tb *block_of(struct hd_emu_sm *sm, unsigned warp)
{
    return &sm->tbs[sm->warps[warp].tb - sm->tbs];
}

// --- reductions

// The result of a reduction at barrier `id`, for these lanes.
static void write_result(const struct hd_emu_sm *sm, unsigned warp, const struct hd_emu_waiting *w)
{
    const struct hd_lane_regs r = hd_call_regs(&sm->warps[warp], w->frame);
    const struct hd_emu_reduce *x = &sm->warps[warp].tb->reduce[w->barrier];

    if (w->op == HD_OP_BAR_RED_POPC_U32) {
        uint32_t *d = hd_lanes_row(&r, w->dst);
        for (uint32_t m = w->lanes; m; m &= m - 1)
            d[__builtin_ctz(m)] = x->trues;
        return;
    }
    bool holds = w->op == HD_OP_BAR_RED_AND_PRED ? !x->falses : x->trues != 0;
    uint32_t *p = &r.preds[w->dst];
    *p = (*p & ~w->lanes) | (holds ? w->lanes : 0);
}

static bool reduces(const struct hd_insn *in)
{
    return hd_op_info[in->op].shape == HD_SHAPE_BARRED;
}

// These lanes contribute to the reduction of an instruction, if it is one.
static void contribute(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                       uint32_t frame, uint32_t lanes, unsigned id)
{
    const struct hd_lane_regs r = hd_call_regs(&sm->warps[warp], frame);
    struct hd_emu_reduce *x = &block_of(sm, warp)->reduce[id];
    uint32_t said;

    if (!reduces(in))
        return;
    said = hd_lanes_pred(&r, (uint32_t)in->src[2]) & lanes;
    x->trues += (uint32_t)__builtin_popcount(said);
    x->falses += (uint32_t)__builtin_popcount(lanes & ~said);
}

// --- openings

// A barrier of a parked path has opened: writes the result of its reduction.
static void write_parked(struct hd_emu_sm *sm, unsigned warp, const struct hd_path *p, uint32_t id)
{
    const struct hd_insn *in = &sm->warps[warp].insns[p->pc];

    if (reduces(in))
        write_result(sm, warp,
                     &(struct hd_emu_waiting){.lanes = p->lanes,
                                              .frame = p->frame,
                                              .op = in->op,
                                              .barrier = (uint8_t)id,
                                              .dst = in->dst});
}

// Parked paths of a warp, some of whose lanes wait at a barrier that has opened.
static void let_pass(struct hd_emu_sm *sm, const struct hd_emu_tb *tb, unsigned warp)
{
    struct hd_paths_warp *x = &sm->paths[warp];
    struct hd_paths all;
    uint32_t id, threads;

    hd_paths_find(sm, warp, &all);
    for (unsigned i = 0; i < all.n; i++) {
        const struct hd_path *p = &all.path[i];
        if (!(p->lanes & (x->came | x->due)))
            continue;
        hd_paths_barrier(sm, warp, p, &id, &threads);
        if (tb->barriers.used >> id & 1)
            continue;
        write_parked(sm, warp, p, id);
        sm->simt.passed[warp] |= p->lanes;
        x->came &= ~p->lanes;
        x->due &= ~p->lanes;
    }
}

static void release(struct hd_emu_sm *sm, struct hd_emu_tb *tb, uint64_t freed)
{
    int w;

    HD_EACH(w, freed) {
        if (sm->waiting[w].lanes) {
            write_result(sm, (unsigned)w, &sm->waiting[w]);
            sm->waiting[w].lanes = 0;
        }
        if (sm->paths[w].came | sm->paths[w].due)
            let_pass(sm, tb, (unsigned)w);
    }
    for (unsigned id = 0; id < HD_BARRIERS; id++)
        if (!(tb->barriers.used >> id & 1))
            tb->reduce[id] = (struct hd_emu_reduce){0, 0};
}

// --- arrivals

static void arrive(struct hd_emu_sm *sm, unsigned warp, const struct hd_effects *out)
{
    struct hd_emu_tb *tb = block_of(sm, warp);
    uint64_t freed =
        hd_barrier_arrive(&tb->barriers, (int)warp,
                          &(struct hd_barrier_arrival){.id = out->barrier,
                                                       .waits = out->bar_op != HD_BAR_ARRIVE,
                                                       .threads = out->bar_threads,
                                                       .lanes = out->bar_lanes});

    if (freed)
        release(sm, tb, freed);
}

// The warp arrives as a whole.
static void arrive_whole(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                         struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;

    contribute(sm, warp, in, s->frame[warp], out->exec_mask, out->barrier);
    if (out->bar_op == HD_BAR_RED)
        sm->waiting[warp] = (struct hd_emu_waiting){.lanes = out->exec_mask,
                                                    .frame = s->frame[warp],
                                                    .op = in->op,
                                                    .barrier = out->barrier,
                                                    .dst = in->dst};
    arrive(sm, warp, out);
    s->parked[warp] &= ~s->lanes[warp];
    hd_simt_next(s, warp);
}

// --- lanes that are scheduled independently

// The top waits; others go on, if they can.
static void wait_parked(struct hd_emu_sm *sm, unsigned warp, uint32_t missing,
                        struct hd_effects *out)
{
    out->flags |=
        hd_paths_wait(sm, warp, missing) == HD_PATHS_SWITCHED ? HD_EFF_SWITCHED : HD_EFF_BLOCKED;
}

// All lanes of the warp wait at this barrier, in several paths.
static void arrive_in_paths(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                            const struct hd_paths *all, struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;
    const uint32_t others = s->alive[warp] & ~s->lanes[warp];

    for (unsigned i = 1; i < all->n; i++)
        contribute(sm, warp, &sm->warps[warp].insns[all->path[i].pc], all->path[i].frame,
                   all->path[i].lanes, out->barrier);
    sm->paths[warp].due |= others;
    arrive_whole(sm, warp, in, out);
    out->exec_mask = out->active_mask = s->alive[warp];
}

// How many threads these lanes count for. A warp counts as 32 even if it is partial, so the lanes
// that come last count for those that are not there.
static uint8_t threads_for(const struct hd_emu_sm *sm, unsigned warp, uint32_t lanes, uint32_t id)
{
    struct hd_paths all;
    uint32_t before = 0, other, threads;

    hd_paths_find(sm, warp, &all);
    for (unsigned i = 1; i < all.n; i++) {
        const struct hd_path *p = &all.path[i];
        if (!(p->lanes & sm->paths[warp].came))
            continue;
        hd_paths_barrier(sm, warp, p, &other, &threads);
        before |= other == id ? p->lanes : 0;
    }
    return (uint8_t)((before | lanes) == sm->simt.alive[warp]
                         ? HD_LANES - __builtin_popcount(before)
                         : __builtin_popcount(lanes));
}

// Some lanes of the warp arrive at a barrier with a thread count.
static void arrive_counted(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                           struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;
    struct hd_paths_warp *x = &sm->paths[warp];
    uint32_t lanes = out->exec_mask;

    contribute(sm, warp, in, s->frame[warp], lanes, out->barrier);
    out->bar_lanes = threads_for(sm, warp, lanes, out->barrier);
    if (out->bar_op == HD_BAR_ARRIVE) {
        arrive(sm, warp, out);
        hd_simt_next(s, warp);
        return;
    }
    x->came |= lanes;
    s->parked[warp] |= lanes;
    arrive(sm, warp, out);
    if (s->passed[warp] & lanes) { // it has opened at once
        s->passed[warp] &= ~lanes;
        s->parked[warp] &= ~lanes;
        hd_simt_next(s, warp);
        return;
    }
    if (hd_paths_wait(sm, warp, UINT32_MAX) == HD_PATHS_SWITCHED)
        out->flags |= HD_EFF_SWITCHED;
}

static void arrive_apart(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                         struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;
    uint32_t lanes = out->exec_mask;
    struct hd_paths all;

    if (s->passed[warp] & lanes) {
        s->passed[warp] &= ~lanes;
        s->parked[warp] &= ~lanes;
        out->exec_mask = 0;
        hd_simt_next(s, warp);
        return;
    }
    if (sm->paths[warp].came & lanes) {
        out->exec_mask = 0;
        wait_parked(sm, warp, UINT32_MAX, out);
        return;
    }
    if (lanes != s->lanes[warp] && out->bar_op != HD_BAR_ARRIVE)
        hd_simt_split(s, warp, lanes, 0);
    if (out->bar_threads) {
        arrive_counted(sm, warp, in, out);
        return;
    }
    hd_paths_find(sm, warp, &all);
    if (hd_paths_at_barrier(sm, warp, &all, &all.path[0], out->barrier)) {
        arrive_in_paths(sm, warp, in, &all, out);
        return;
    }
    out->exec_mask = 0;
    wait_parked(sm, warp, s->alive[warp] & ~lanes, out);
}

// Barrier id and thread count are those of the lowest lane; PTX requires them to be equal in a
// warp.
static bool read_operands(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                          struct hd_effects *out)
{
    const struct hd_lane_regs *r = &sm->warps[warp].regs;
    int lane = __builtin_ctz(out->exec_mask);
    uint32_t id = hd_lanes_source(r, in->src[0])[lane];
    uint32_t threads = in->src[1] == HD_ROW_NONE ? 0 : hd_lanes_source(r, in->src[1])[lane];

    if (id > 15)
        return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL, "a block has barriers 0 to 15");
    if (threads % HD_LANES || threads > 1024 || (in->src[1] != HD_ROW_NONE && !threads))
        return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL,
                              "the thread count of a barrier is a multiple of 32 from 32 to 1024");
    out->barrier = (uint8_t)id;
    out->bar_op = in->op == HD_OP_BAR_ARRIVE ? HD_BAR_ARRIVE
                  : reduces(in)              ? HD_BAR_RED
                                             : HD_BAR_SYNC;
    out->bar_threads = (uint16_t)threads;
    out->bar_lanes = 0;
    return true;
}

// Lanes that name another barrier, or another thread count, than the lowest one become a path of
// their own.
static void part(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                 struct hd_effects *out)
{
    const struct hd_lane_regs *r = &sm->warps[warp].regs;
    const uint32_t *id = hd_lanes_source(r, in->src[0]);
    const uint32_t *threads = in->src[1] == HD_ROW_NONE ? id : hd_lanes_source(r, in->src[1]);
    unsigned first = (unsigned)__builtin_ctz(out->exec_mask);
    uint32_t others = 0;

    for (uint32_t m = out->exec_mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        others |= id[l] != id[first] || threads[l] != threads[first] ? m & -m : 0;
    }
    if (!others)
        return;
    out->exec_mask &= ~others;
    hd_simt_split(&sm->simt, warp, out->exec_mask, others);
}

// Paths that wait at this barrier, which has a fixed number and no thread count, join the top: so
// lanes that have gone on alone are together again after it.
static void unite(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                  struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;
    const uint32_t done = s->passed[warp] | sm->paths[warp].came | sm->paths[warp].due;

    if (in->src[0] >= 0 || in->src[1] != HD_ROW_NONE || out->exec_mask & done)
        return;
    for (unsigned k = s->depth[warp]; k-- > 0;) {
        bool leaf;
        uint32_t lanes = hd_simt_own(s, warp, k, &leaf);
        if (leaf && lanes & s->parked[warp] && !(lanes & done) && hd_simt_unite(s, warp, k)) {
            out->active_mask = s->lanes[warp];
            out->exec_mask = s->lanes[warp] & hd_lanes_pred(&sm->warps[warp].regs, in->guard);
        }
    }
}

bool hd_arrive_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                    struct hd_effects *out)
{
    if (!out->exec_mask) {
        hd_simt_next(&sm->simt, warp);
        return true;
    }
    if (sm->warps[warp].apart && (in->src[0] >= 0 || (in->src[1] >= 0)))
        part(sm, warp, in, out);
    if (!read_operands(sm, warp, in, out))
        return false;
    if (sm->warps[warp].apart && out->exec_mask != sm->simt.alive[warp])
        unite(sm, warp, in, out);
    if (sm->warps[warp].apart && (out->exec_mask != sm->simt.alive[warp] ||
                                  out->exec_mask & (sm->simt.passed[warp] | sm->paths[warp].came)))
        arrive_apart(sm, warp, in, out);
    else
        arrive_whole(sm, warp, in, out);
    return true;
}

void hd_arrive_cluster(struct hd_emu_sm *sm, unsigned warp, bool waits, struct hd_effects *out)
{
    out->barrier = HD_BARRIER_CLUSTER;
    out->bar_op = waits ? HD_BAR_SYNC : HD_BAR_ARRIVE;
    out->bar_threads = 0;
    out->bar_lanes = 0;
    arrive(sm, warp, out);
}

void hd_arrive_exit(struct hd_emu_sm *sm, unsigned warp)
{
    struct hd_emu_tb *tb = block_of(sm, warp);
    uint64_t freed = hd_barrier_exit(&tb->barriers, (int)warp);

    if (freed)
        release(sm, tb, freed);
}
