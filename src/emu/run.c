// run.c - a launch without timing: blocks one after the other, warps in turns.
//
// A warp runs until it waits at a barrier, ends or has had its turn; turns keep a warp that spins
// on another one's store from spinning for ever. Stores take effect at once and atomics are served
// and finished at once.
//
// The blocks of a cooperative launch wait for each other, so they run side by side, on the storage
// of all SMs. (Not when somebody looks at each instruction: he sees one SM.)
#include "base/bug.h"
#include "emu/state.h"
#include "hw/barrier.h"

#include <stdio.h>
#include <string.h>

#define TURN 4096                // instructions
#define TURN_TOGETHER 256        // of blocks that wait for each other
#define LOOK (UINT64_C(1) << 20) // instructions between two looks of the caller

struct run {
    struct hd_emu_sm *sm;
    struct hd_isrc source; // of all instructions
    bool alone;            // it is the emulator's own, and nobody looks at each
    const struct hd_launch *launch;
    uint64_t turn; // instructions a warp may take before the next
    struct hd_emu_result *out;
    const struct hd_emu_patience *patience;
    struct hd_barriers barriers;
    uint64_t blocked;   // warps waiting at a barrier
    uint64_t waiting;   // for what the block has launched
    uint64_t suspended; // warps waiting for the phase of an mbarrier
    bool asked;         // the last instruction asked an mbarrier
    bool moved;         // somebody has executed something since `suspended` was last looked through
    uint64_t progress;  // instructions that had been executed at the last one
    uint64_t next_look;
    uint32_t last_pc[HD_MAX_WARPS];
    struct hd_effects effects;
};

static void open_barrier(struct run *r, uint64_t freed)
{
    r->blocked &= ~freed;
    if (freed)
        r->sm->progress = 1;
}

// One instruction of the warp, of any kind. False if the run is over.
static bool step(struct run *r, unsigned w)
{
    struct hd_emu_sm *sm = r->sm;
    struct hd_effects *e = &r->effects;
    const struct hd_deps *d = &r->launch->program->deps[sm->simt.pc[w]];

    if (r->patience->warp_insts && r->out->warp_insts >= r->patience->warp_insts) {
        r->out->limit = true;
        return false;
    }
    r->last_pc[w] = sm->simt.pc[w];
    r->source.ops->exec(r->source.self, w, r->out->warp_insts, e); // they are the clock's cycles
    if (e->flags & HD_EFF_TRAP) {
        r->out->trap = sm->trap;
        return false;
    }
    unsigned lanes = (unsigned)__builtin_popcount(e->lanes);
    r->out->warp_insts++;
    r->out->thread_insts += lanes;
    if (d->flags & HD_DEP_OFFCHIP)
        r->out->long_insts += lanes;
    if (d->kind == HD_KIND_ATOMIC && sm->atomics[w].lanes) {
        hd_atomic_serve(sm, w, e->lanes);
        hd_atomic_finish(sm, w);
    }
    r->moved = true;
    r->asked = r->launch->program->insns[r->last_pc[w]].op == HD_OP_MBAR_TEST_B64;
    if (d->flags & HD_DEP_PHASE && e->lanes && !hd_mbarrier_poll(sm, w, false))
        r->suspended |= hd_bit((int)w);
    if (d->kind == HD_KIND_BARRIER && e->lanes) {
        bool blocks = e->bar_op != HD_BAR_ARRIVE;
        if (blocks)
            r->blocked |= hd_bit((int)w);
        open_barrier(r,
                     hd_barrier_arrive(&r->barriers, e->barrier, (int)w, blocks, e->bar_threads));
    }
    if (e->flags & HD_EFF_WAITS)
        r->waiting |= hd_bit((int)w);
    if (e->next_pc == HD_PC_NONE) {
        open_barrier(r, hd_barrier_exit(&r->barriers, (int)w));
        sm->progress = 1;
    }
    if (sm->progress) {
        sm->progress = 0;
        r->progress = r->out->warp_insts;
    }
    return true;
}

// A warp's turn. `late`: a warp that waits for an mbarrier has waited long enough. False if the run
// is over.
static bool take_turn(struct run *r, unsigned w, bool late)
{
    const uint64_t limit = r->patience->warp_insts;
    struct hd_emu_result *out = r->out;
    uint64_t left = r->turn, most, n;

    if (hd_has(r->suspended, (int)w) && hd_mbarrier_poll(r->sm, w, late))
        r->suspended &= ~hd_bit((int)w);
    while (left && !hd_has(r->blocked | r->suspended | r->waiting, (int)w) &&
           r->sm->simt.pc[w] != HD_PC_NONE) {
        most = limit && limit - out->warp_insts < left ? limit - out->warp_insts : left;
        r->last_pc[w] = r->sm->simt.pc[w];
        n = r->alone ? hd_exec_stretch(r->sm, w, most, &out->thread_insts) : 0;
        out->warp_insts += n;
        left -= n;
        r->moved |= n != 0;
        if (left) {
            if (!step(r, w))
                return false;
            left--;
            if (r->asked) // somebody else's turn to arrive
                break;
        }
    }
    return true;
}

// Where the block's warps are, for who wants to know why it does not end.
static void describe(struct run *r, const struct hd_tb *tb)
{
    size_t n = 0;
    int w;

    HD_EACH(w, r->barriers.live) {
        char why[200];
        uint32_t pc = r->last_pc[w];
        int k = snprintf(
            r->out->warps + n, sizeof r->out->warps - n, "warp %d (block %u): PTX line %u, %s\n", w,
            tb->linear, pc < r->launch->program->n_insns ? r->launch->program->places[pc].line : 0,
            hd_has(r->blocked, w)     ? hd_barrier_describe(&r->barriers, w, why, sizeof why)
            : hd_has(r->suspended, w) ? hd_mbarrier_describe(r->sm, (unsigned)w, why, sizeof why)
            : hd_has(r->waiting, w)   ? "waits for what its block has launched"
                                      : "runs");
        if (k < 0 || (size_t)k >= sizeof r->out->warps - n)
            break;
        n += (size_t)k;
    }
}

// Between turns: has somebody had enough? False if the run is over.
static bool go_on(struct run *r, unsigned n_warps)
{
    const struct hd_emu_patience *p = r->patience;
    uint64_t now = r->out->warp_insts;

    r->out->livelock = p->livelock_after && (now - r->progress) / n_warps >= p->livelock_after;
    if (now >= r->next_look) {
        r->next_look = now + LOOK;
        r->out->stopped = p->look && !p->look(p->ctx, now);
    }
    return !r->out->livelock && !r->out->stopped;
}

// All warps of the block that was just started. A block that waits for what it has launched leaves.
// False if the run is over.
static bool run_block(struct run *r, const struct hd_tb *tb)
{
    uint64_t ready;
    bool going = true;
    int w;

    if (tb->rest)
        r->barriers = tb->rest->barriers;
    else
        hd_barrier_start(&r->barriers, hd_low(tb->n_warps));
    r->blocked = hd_barrier_waiting(&r->barriers);
    r->waiting = r->suspended = 0;
    r->progress = r->out->warp_insts;
    while (going && (ready = r->barriers.live & ~(r->blocked | r->waiting))) {
        bool late = !r->moved;
        r->moved = false;
        HD_EACH(w, ready) {
            if (!take_turn(r, (unsigned)w, late))
                return false;
            going = going && go_on(r, tb->n_warps);
        }
    }
    r->out->deadlock = going && r->barriers.live && !r->waiting;
    if (r->out->deadlock || r->out->livelock)
        describe(r, tb);
    return going && !r->out->deadlock;
}

// A block of a cooperative launch and its place on the machine.
struct member {
    struct run run;
    struct hd_tb tb;
};

// Turns of the block's warps. False if the run is over.
static bool take_turns(struct member *m, struct run *common, unsigned all_warps)
{
    uint64_t ready = m->run.barriers.live & ~(m->run.blocked | m->run.waiting);
    bool going = true;
    int w;

    bool late = !m->run.moved;
    m->run.progress = common->progress;
    m->run.next_look = common->next_look;
    m->run.moved = false;
    HD_EACH(w, ready) {
        going = going && take_turn(&m->run, (unsigned)w, late) && go_on(&m->run, all_warps);
    }
    common->progress = m->run.progress;
    common->next_look = m->run.next_look;
    return going;
}

static void start_member(struct hd_emu *e, struct member *m, const struct run *common,
                         const struct hd_tb *like, uint32_t k)
{
    const uint32_t *grid = common->launch->grid;
    unsigned sm = k / common->sm->n_tbs;

    m->run = *common;
    m->run.sm = &e->sms[sm];
    m->run.source = hd_emu_source(e, sm);
    m->run.sm->direct = true;
    m->tb = *like;
    m->tb.index[0] = k % grid[0];
    m->tb.index[1] = k / grid[0] % grid[1];
    m->tb.index[2] = k / grid[0] / grid[1];
    m->tb.linear = k;
    m->tb.slot = (uint8_t)(k % common->sm->n_tbs);
    m->tb.first_warp = (uint8_t)(m->tb.slot * like->n_warps);
    m->run.source.ops->tb_start(m->run.source.self, &m->tb);
    hd_barrier_start(&m->run.barriers, hd_low(like->n_warps) << m->tb.first_warp);
}

// All blocks at once; the launch was checked to fit on the machine.
static void run_together(struct hd_emu *e, struct run *common, const struct hd_tb *like)
{
    const uint32_t *grid = common->launch->grid;
    uint32_t n = grid[0] * grid[1] * grid[2];
    struct hd_arena *a = hd_arena_new();
    struct member *all = HD_ARRAY(a, struct member, n), *stuck = NULL;
    bool going = true, moves = true;

    hd_emu_prepare(e, common->launch);
    HD_BUG_IF(n > e->config.sms * common->sm->n_tbs, "%u cooperating blocks", n);
    common->turn = TURN_TOGETHER;
    for (uint32_t k = 0; k < n; k++)
        start_member(e, &all[k], common, like, k);
    while (going && moves) {
        moves = false;
        for (uint32_t k = 0; going && k < n; k++)
            if (all[k].run.barriers.live & ~(all[k].run.blocked | all[k].run.waiting)) {
                moves = true;
                going = take_turns(&all[k], common, n * like->n_warps);
            }
    }
    for (uint32_t k = n; k--;)
        if (all[k].run.barriers.live)
            stuck = &all[k];
    common->out->deadlock = going && stuck;
    if (stuck && (common->out->deadlock || common->out->livelock))
        describe(&stuck->run, &stuck->tb);
    for (uint32_t k = 0; k < n; k++) {
        all[k].run.source.ops->tb_end(all[k].run.source.self, all[k].tb.slot);
        all[k].run.sm->direct = false;
    }
    hd_arena_free(a);
    if (e->n_tasks && e->owner.collect)
        e->owner.collect(e->owner.ctx);
}

void hd_emu_through(struct hd_emu *e, const struct hd_isrc *through)
{
    e->through = through;
}

static struct run begin(struct hd_emu *e, const struct hd_launch *l,
                        const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    *out = (struct hd_emu_result){0};
    hd_emu_prepare_sm(&e->sms[0], l);
    return (struct run){.sm = &e->sms[0],
                        .source = e->through ? *e->through : hd_emu_source(e, 0),
                        .alone = !e->through,
                        .launch = l,
                        .turn = TURN,
                        .out = out,
                        .patience = patience,
                        .next_look = LOOK};
}

static struct hd_tb block_of(const struct hd_launch *l)
{
    return (struct hd_tb){
        .launch = l,
        .n_warps = (uint8_t)((l->block[0] * l->block[1] * l->block[2] + HD_LANES - 1) / HD_LANES)};
}

// The block from its start, or from where it waited. False if the run is over.
static bool one_block(struct hd_emu *e, struct run *r, const struct hd_tb *tb)
{
    bool going;

    r->source.ops->tb_start(r->source.self, tb);
    going = run_block(r, tb);
    if (going && r->barriers.live)
        r->source.ops->tb_leave(r->source.self, 0);
    else
        r->source.ops->tb_end(r->source.self, 0);
    if (e->n_tasks && e->owner.collect)
        e->owner.collect(e->owner.ctx);
    return going;
}

void hd_emu_run(struct hd_emu *e, const struct hd_launch *l, const struct hd_emu_patience *patience,
                struct hd_emu_result *out)
{
    struct run r = begin(e, l, patience, out);
    struct hd_tb tb = block_of(l);
    bool going = true;

    if (l->workspace && r.alone) {
        run_together(e, &r, &tb);
        return;
    }
    r.sm->direct = true;
    for (uint32_t z = 0; going && z < l->grid[2]; z++)
        for (uint32_t y = 0; going && y < l->grid[1]; y++)
            for (uint32_t x = 0; going && x < l->grid[0]; x++) {
                tb.index[0] = x;
                tb.index[1] = y;
                tb.index[2] = z;
                going = one_block(e, &r, &tb);
                tb.linear++;
            }
    r.sm->direct = false;
}

void hd_emu_resume(struct hd_emu *e, const struct hd_emu_rest *rest,
                   const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct run r = begin(e, rest->launch, patience, out);
    struct hd_tb tb = block_of(rest->launch);

    memcpy(tb.index, rest->index, sizeof tb.index);
    tb.linear = rest->linear;
    tb.rest = rest;
    r.sm->direct = true;
    one_block(e, &r, &tb);
    r.sm->direct = false;
}
