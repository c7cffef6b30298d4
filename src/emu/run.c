// run.c - blocks of a launch without timing: which warp runs next, and what happens to warps that
// wait. rounds.c decides which blocks are run here, one after the other or beside others.
//
// The warps of a block take turns as they would on an SM: a short piece of arithmetic, up to and
// including the next instruction of another kind. So warps that depend on each other's pace,
// rightly or wrongly, find the pace that they would find there, and all warps read a value in
// shared memory before the fastest writes the next one. Stores take effect at once; atomics are
// served and finished at once.
//
// Blocks run one after the other, in the order of the grid, as long as none waits for another one:
// nothing else is as fast, and results do not depend on the machine. A block whose warps wait is
// suspended. Then another one begins, until the machine holds as many as it can, and the blocks
// that have begun take turns. Waiting is proven (watch.h): a warp that repeats its states sleeps
// until memory changes. If waiting cannot be proven, because the warp counts its attempts or every
// attempt changes memory, the block is suspended after a number of instructions, some of which have
// accessed memory: one that only computes cannot wait for others.
//
// If every warp of every block sleeps or is blocked and there is no room for another block, the
// launch will never end.
#include "base/bug.h"
#include "emu/emu_internal.h"
#include "emu/watch.h"
#include "hw/barrier.h"

#include <stdio.h>
#include <string.h>

#define PIECE 256        // instructions of arithmetic in a turn
#define PIECE_WATCHED 64 // the same in a block that may wait: between two checks of a warp's state
// Instructions of each of its warps that can continue, after which a block
#define DOUBTFUL 512 // without progress may be waiting: from now on its warps' states are compared
#define WATCHED 8    // (in one of so many instructions; see struct watch_time)
#define STALE 16384  // without progress is suspended
#define BUSY 262144  // is suspended in any case

struct member { // room for a block, and the block
    struct hd_emu_sm *sm;
    struct hd_isrc source; // of all instructions
    struct hd_tb tb;
    bool taken;
    struct hd_barriers barriers;
    uint64_t blocked;   // warps waiting at a barrier
    uint64_t waiting;   // for kernels that the block has launched
    uint64_t suspended; // warps waiting for the phase of an mbarrier
    uint64_t asleep;    // warps that repeat their states as long as memory is in epoch `slept`
    uint64_t slept;
    bool moved;        // a warp has executed something since `suspended` was last checked
    uint64_t progress; // instructions executed before its latest progress
    uint64_t turn;     // and before its turn began
    uint64_t left;     // and before its latest turn ended
    uint64_t quiet;    // from here on its watch times count; without what other blocks execute
    uint64_t still;    // the same: since when there was no progress, and no paths changed for it
    bool woken;        // warps that slept may sleep again soon
    uint64_t progress_long, turn_long; // accesses to memory (long_insts) before these two
    uint64_t doubted;                  // its `progress` since when its warps are watched, plus one
    uint32_t last_pc[HD_MAX_WARPS];
    uint32_t ahead[HD_MAX_WARPS]; // hd_stretch.ahead
};

struct run {
    struct hd_emu *emu;
    bool alone; // the source is the emulator's own, so nothing observes each instruction
    const struct hd_launch *launch;
    struct hd_emu_result *out;
    const struct hd_emu_patience *patience;
    uint64_t epoch; // of memory (watch.h)
    uint64_t next_look;
    uint64_t next, blocks; // next block of the grid to begin; number of blocks
    uint64_t until;        // blocks from this one on begin only if one before it waits
    unsigned first_sm;     // that the members use
    bool beside;           // other threads run other blocks (rounds.c)
    bool apart;            // and none of these gives way
    const struct hd_parked_block *parked; // a block that returns instead, or NULL
    unsigned n_members, most, per_sm,
        prepared;               // places in use so far, that there are, of an SM; SMs
    struct hd_arena *arena;     // of `more`
    struct member first, *more; // most - 1 of them, once they are needed
    struct hd_effects effects;
};

static void open_barrier(struct member *m, uint64_t freed)
{
    m->blocked &= ~freed;
    m->sm->progress = 1;
}

static inline void note_progress(struct run *r, struct member *m)
{
    if (!m->sm->progress)
        return;
    m->sm->progress = 0;
    m->progress = m->quiet = m->still = r->out->warp_insts;
    m->progress_long = r->out->long_insts;
    r->epoch++;
}

// Executes one instruction of the warp, of any kind. False if the run is over.
static bool step(struct run *r, struct member *m, unsigned w, bool doubtful)
{
    struct hd_emu_sm *sm = m->sm;
    struct hd_effects *e = &r->effects;
    const struct hd_deps *d = &r->launch->program->deps[sm->simt.pc[w]];

    if (r->patience->warp_insts && r->out->warp_insts >= r->patience->warp_insts) {
        r->out->limit = true;
        return false;
    }
    m->last_pc[w] = sm->simt.pc[w];
    m->source.ops->exec(m->source.self, w, r->out->warp_insts, e); // they are the clock's cycles
    if (e->flags & HD_EFF_TRAP) {
        r->out->trap = sm->trap;
        return false;
    }
    unsigned lanes = (unsigned)__builtin_popcount(e->exec_mask);
    r->out->warp_insts++;
    r->out->thread_insts += lanes;
    if (d->flags & HD_DEP_OFFCHIP)
        r->out->long_insts += lanes;
    if (d->kind == HD_KIND_ATOMIC && sm->atomics[w].lanes) {
        hd_atomic_serve(sm, w, e->exec_mask);
        hd_atomic_finish(sm, w);
    }
    m->moved = true;
    if (doubtful)
        hd_watch_read(sm, w, e);
    if (d->flags & HD_DEP_PHASE && e->exec_mask && !hd_mbarrier_poll(sm, w, false))
        m->suspended |= hd_bit((int)w);
    if (d->kind == HD_KIND_BARRIER && e->exec_mask) {
        const struct hd_barrier_arrival a = {.id = e->barrier,
                                             .waits = e->bar_op != HD_BAR_ARRIVE,
                                             .threads = e->bar_threads,
                                             .lanes = e->bar_lanes};
        if (a.waits && !(e->flags & HD_EFF_SWITCHED))
            m->blocked |= hd_bit((int)w);
        open_barrier(m, hd_barrier_arrive(&m->barriers, (int)w, &a));
    } else if (e->flags & HD_EFF_BLOCKED) {
        m->blocked |= hd_bit((int)w);
    }
    if (e->flags & HD_EFF_WAITS)
        m->waiting |= hd_bit((int)w);
    if (e->next_pc == HD_PC_NONE)
        open_barrier(m, hd_barrier_exit(&m->barriers, (int)w));
    note_progress(r, m);
    return true;
}

// A time in which a block's warps are watched, in instructions of each of its warps since its
// progress. Watching costs about as much as executing, so a block that stores nothing for long is
// watched only at times: for the first eighth, and at least DOUBTFUL, of a time that is as long as
// all before it. A warp that repeats its states does so in one of these times, too.
struct watch_time {
    uint64_t begin, end;
};

// The present one; if there is none, the next one.
static struct watch_time watch_time(const struct run *r, const struct member *m, unsigned warps)
{
    uint64_t now = r->out->warp_insts - m->quiet;
    struct watch_time t = {DOUBTFUL, 2 * DOUBTFUL};

    if (now <= (uint64_t)DOUBTFUL * warps)
        return t;
    now /= warps;
    while (now >= t.end) {
        t.begin *= 2;
        t.end = t.begin + (t.begin / WATCHED < DOUBTFUL ? DOUBTFUL : t.begin / WATCHED);
    }
    return t;
}

// Turns of these warps, up to the first that must go on with a step; that warp, or HD_NONE. More
// than one of each if `until` permits it.
static int take_turns(struct run *r, struct member *m, uint64_t warps, uint32_t most, bool access,
                      uint64_t until)
{
    struct hd_emu_result *out = r->out;
    unsigned n = (unsigned)hd_count(warps);
    struct hd_stretch t = {.most = most,
                           .access = access,
                           .warp_insts = out->warp_insts,
                           .thread_insts = out->thread_insts,
                           .long_insts = out->long_insts,
                           .progress_long = m->progress_long,
                           .epoch = r->epoch,
                           .progress = m->progress,
                           .until = until,
                           .watched = m->quiet + watch_time(r, m, n).begin * n,
                           .unwatched = (uint64_t)DOUBTFUL * n,
                           .last_pc = m->last_pc,
                           .ahead = m->ahead};
    int w = hd_stretch_turns(m->sm, warps, &t);

    out->warp_insts = t.warp_insts;
    out->thread_insts = t.thread_insts;
    out->long_insts = t.long_insts;
    r->epoch = t.epoch;
    if (t.progress != m->progress)
        m->progress = m->quiet = m->still = t.progress;
    m->progress_long = t.progress_long;
    m->moved = true; // by the turns, or by the step
    return w;
}

// A warp's turn, watched if its block may wait. `late`: a warp that waits for an mbarrier has
// waited long enough. False if the run is over.
static bool take_turn(struct run *r, struct member *m, unsigned w, bool late, bool doubtful)
{
    const uint64_t bit = hd_bit((int)w), limit = r->patience->warp_insts;
    uint32_t most = doubtful ? PIECE_WATCHED : PIECE;

    if (m->suspended & bit) {
        if (!hd_mbarrier_poll(m->sm, w, late))
            return true;
        m->suspended &= ~bit;
    }
    if (limit && limit - r->out->warp_insts < most)
        most = (uint32_t)(limit - r->out->warp_insts);
    // A warp that may wait reports what it reads.
    if ((!r->alone || take_turns(r, m, bit, most, !doubtful, 0) != HD_NONE) &&
        !step(r, m, w, doubtful))
        return false;
    if (doubtful && !((m->blocked | m->waiting) & bit) && m->sm->simt.pc[w] != HD_PC_NONE &&
        hd_watch_look(m->sm, w, r->epoch)) {
        if (hd_paths_proven(m->sm, w, r->epoch)) {
            hd_watch_forget(m->sm, w);
            return true;
        }
        // In order, it may wake when another block stores something, and execute more than apart.
        if (r->apart)
            return false;
        m->asleep |= bit;
        m->slept = r->epoch;
    }
    return true;
}

// When the block made progress or, if that is later, its turn began.
static uint64_t latest(const struct member *m)
{
    return m->progress > m->turn ? m->progress : m->turn;
}

// The number of instructions up to which the block's turns need no other check than that for
// progress.
static uint64_t free_until(const struct run *r, const struct member *m, uint64_t warps)
{
    const uint64_t limit = r->patience->warp_insts, since = latest(m);
    const unsigned n = (unsigned)hd_count(warps);
    uint64_t until = r->next_look - 1;

    if (!r->apart && m->turn + (uint64_t)BUSY * n < until)
        until = m->turn + (uint64_t)BUSY * n;
    if (hd_paths_apart(r->launch->kernel) && m->still + (uint64_t)STALE * n < until)
        until = m->still + (uint64_t)STALE * n;
    if (!r->apart && since + (uint64_t)STALE * n < until)
        until = since + (uint64_t)STALE * n;
    if (limit && limit - PIECE * HD_MAX_WARPS - 1 < until)
        until = limit - PIECE * HD_MAX_WARPS - 1;
    return until;
}

// Turns of these warps, of which none may wait. False if the run is over.
static bool take_all_turns(struct run *r, struct member *m, uint64_t warps)
{
    uint64_t until = free_until(r, m, warps);

    while (warps) {
        int w = hd_first(warps);
        if (!hd_stretch_is_over(m->sm, (unsigned)w)) {
            w = take_turns(r, m, warps, PIECE, true, until);
            if (w == HD_NONE)
                break;
        } else {
            r->out->warp_insts += m->ahead[w];
            m->ahead[w] = 0;
        }
        if (!step(r, m, (unsigned)w, false))
            return false;
        until = 0; // the others end this round first
        warps &= ~(hd_bit(w) | (hd_bit(w) - 1));
    }
    return true;
}

// The warps that can take a turn. Those that sleep wake when memory has changed.
static uint64_t ready(struct run *r, struct member *m)
{
    int w;

    if (m->asleep && m->slept != r->epoch) {
        HD_EACH(w, m->asleep) {
            hd_watch_wake(m->sm, (unsigned)w, r->epoch);
        }
        m->asleep = 0;
        m->woken = true;
    }
    return m->barriers.live & ~(m->blocked | m->waiting | m->asleep);
}

// The block has made no progress for a while. Drops what is known of its warps from earlier epochs.
static void doubt(struct member *m)
{
    if (!m->sm->watch)
        hd_watch_start(m->sm);
    for (unsigned i = 0; m->doubted != m->progress + 1 && i < m->tb.n_warps; i++)
        hd_watch_forget(m->sm, m->tb.first_warp + i);
    m->doubted = m->progress + 1;
}

// A turn of each of these warps, or several. False if the run is over.
static bool round_of(struct run *r, struct member *m, uint64_t warps)
{
    bool late = !m->moved;
    unsigned n = (unsigned)hd_count(warps);
    uint64_t limit = r->patience->warp_insts;
    bool far = !limit || limit - r->out->warp_insts > PIECE * HD_MAX_WARPS;
    bool doubtful;
    int w;

    if (m->woken)
        m->quiet = r->out->warp_insts - (uint64_t)DOUBTFUL * n - 1;
    m->woken = false;
    doubtful = r->out->warp_insts - m->quiet > watch_time(r, m, n).begin * n;
    if (doubtful)
        doubt(m);
    m->moved = false;
    if (r->alone && far && !doubtful && !m->suspended) {
        if (!take_all_turns(r, m, warps))
            return false;
    } else {
        HD_EACH(w, warps) {
            if (!take_turn(r, m, (unsigned)w, late, doubtful))
                return false;
        }
    }
    if (r->out->warp_insts >= r->next_look) {
        r->next_look = r->out->warp_insts + HD_LOOK;
        r->out->stopped =
            r->patience->look && !r->patience->look(r->patience->ctx, r->out->warp_insts);
    }
    return !r->out->stopped;
}

static uint64_t blocks_of(const struct hd_launch *l)
{
    return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
}

static bool can_begin(const struct run *r)
{
    return r->next < r->until;
}

// No warp of a block has made progress for long: those that read memory again and again, or wait
// for an mbarrier, let their other paths go on (paths.h). Which these are depends on this block
// alone.
static void change_paths(struct run *r, struct member *m, uint64_t warps)
{
    int w;

    if (!hd_paths_apart(r->launch->kernel) ||
        r->out->warp_insts - m->still <= (uint64_t)STALE * (unsigned)hd_count(warps))
        return;
    m->still = r->out->warp_insts;
    HD_EACH(w, warps) {
        const struct hd_deps *d = &r->launch->program->deps[m->last_pc[w]];
        if (hd_has(m->suspended, w) && m->sm->simt.depth[w]) {
            hd_mbarrier_poll(m->sm, (unsigned)w, true);
            m->suspended &= ~hd_bit(w);
        } else if (d->kind != HD_KIND_LOAD || m->ahead[w]) {
            continue;
        }
        hd_paths_yield(m->sm, (unsigned)w);
    }
}

// The block has used up its turn, and another one may run. Beside others, where it has no turns,
// the round is lost then, because later blocks would run now in order. For blocks that run apart
// this does not matter.
static bool gives_way(const struct run *r, const struct member *m, uint64_t warps)
{
    uint64_t now = r->out->warp_insts, accesses = r->out->long_insts;
    uint64_t before = m->progress > m->turn ? m->progress_long : m->turn_long;
    unsigned n = (unsigned)hd_count(warps);
    bool stale = now - latest(m) > (uint64_t)STALE * n && accesses != before;
    bool busy = now - m->turn > (uint64_t)BUSY * n && accesses != m->turn_long;

    if ((!stale && !busy) || r->apart)
        return false;
    return r->beside ? m->tb.linear + 1 < blocks_of(r->launch)
                     : r->n_members > 1 || r->next < r->blocks;
}

static struct member *member(struct run *r, unsigned i)
{
    return i ? &r->more[i - 1] : &r->first;
}

// The first free place; NULL if there is none.
static struct member *free_place(struct run *r)
{
    for (unsigned i = 0; i < r->n_members; i++)
        if (!member(r, i)->taken)
            return member(r, i);
    if (r->n_members == r->most)
        return NULL;
    if (r->n_members && !r->more) {
        r->arena = hd_arena_new();
        r->more = HD_ARRAY(r->arena, struct member, r->most - 1);
    }
    unsigned i = r->n_members++, sm = r->first_sm + i / r->per_sm;
    struct member *m = member(r, i);
    m->sm = &r->emu->sms[sm];
    m->source = r->alone ? hd_emu_source(r->emu, sm) : *r->emu->through;
    m->tb.slot = (uint8_t)(i % r->per_sm);
    if (sm == r->first_sm + r->prepared) {
        hd_emu_prepare_sm(m->sm);
        m->sm->direct = true;
        r->prepared++;
    }
    return m;
}

// Begins the next block of the grid, or continues the one that returns. NULL if there is none, or
// no place for it.
static struct member *begin(struct run *r)
{
    const uint32_t *grid = r->launch->grid, *block = r->launch->block;
    struct member *m = can_begin(r) ? free_place(r) : NULL;
    uint32_t k = (uint32_t)r->next;

    if (!m)
        return NULL;
    r->next++;
    unsigned warps = (block[0] * block[1] * block[2] + HD_LANES - 1) / HD_LANES;
    m->tb = (struct hd_tb){.launch = r->launch,
                           .index = {k % grid[0], k / grid[0] % grid[1], k / grid[0] / grid[1]},
                           .linear = k,
                           .slot = m->tb.slot,
                           .first_warp = (uint8_t)(m->tb.slot * warps),
                           .n_warps = (uint8_t)warps,
                           .parked = r->parked};
    if (r->parked) {
        memcpy(m->tb.index, r->parked->index, sizeof m->tb.index);
        m->tb.linear = r->parked->linear;
        m->barriers = r->parked->barriers;
    } else {
        hd_barrier_start(&m->barriers, hd_low(warps) << m->tb.first_warp);
    }
    m->blocked = hd_barrier_waiting(&m->barriers);
    m->waiting = m->suspended = m->asleep = 0;
    m->moved = false;
    m->progress = m->quiet = m->still = m->left = r->out->warp_insts;
    m->progress_long = r->out->long_insts;
    m->doubted = 0;
    m->woken = false;
    memset(m->ahead, 0, sizeof m->ahead);
    m->taken = true;
    m->source.ops->tb_start(m->source.self, &m->tb);
    return m;
}

// The block has ended, leaves because it waits for kernels that it launched, or the run is over.
static void end_block(struct run *r, struct member *m, bool leaves)
{
    if (leaves)
        m->source.ops->tb_leave(m->source.self, m->tb.slot);
    else
        m->source.ops->tb_end(m->source.self, m->tb.slot);
    m->taken = false;
    if (r->emu->runtime && !r->beside)
        r->emu->runtime->between_blocks(r->emu->runtime_ctx);
}

// Describes where the block's warps are, to explain why it does not end.
static void describe(struct run *r, struct member *m)
{
    struct hd_emu_result *out = r->out;
    size_t n = strlen(out->warps);
    int w;

    HD_EACH(w, m->barriers.live) {
        char why[200];
        uint32_t pc = m->last_pc[w];
        int k = snprintf(
            out->warps + n, sizeof out->warps - n, "warp %d (block %u): PTX line %u, %s\n",
            w - m->tb.first_warp, m->tb.linear,
            pc < r->launch->program->n_insns ? r->launch->program->places[pc].line : 0,
            hd_has(m->blocked, w)     ? hd_barrier_describe(&m->barriers, w, why, sizeof why)
            : hd_has(m->suspended, w) ? hd_mbarrier_describe(m->sm, (unsigned)w, why, sizeof why)
            : hd_has(m->waiting, w)   ? "waits for what its block has launched"
            : hd_has(m->asleep, w)    ? "repeats itself and changes nothing"
                                      : "runs");
        if (k < 0 || (size_t)k >= sizeof out->warps - n) {
            out->warps[n] = '\0';
            break;
        }
        n += (size_t)k;
    }
}

// The block whose turn is after that of `m`, which may have ended. A block that waits lets new
// blocks begin first, because on a real machine all blocks that fit run. NULL: no block can
// continue.
static struct member *choose(struct run *r, struct member *m)
{
    unsigned at = m == &r->first ? 0 : (unsigned)(m - r->more) + 1;
    struct member *next;

    if (m->taken)
        r->until = r->blocks;
    next = m->taken ? begin(r) : NULL;

    for (unsigned i = 1; !next && i <= r->n_members; i++) {
        struct member *x = member(r, (at + i) % r->n_members);
        if (x->taken && ready(r, x))
            next = x;
    }
    return next ? next : begin(r);
}

// No warp can continue. If something outside the machine may change what a warp waits for, all
// check again.
static bool wait_outside(struct run *r)
{
    int w;

    for (unsigned i = 0; i < r->n_members; i++) {
        struct member *m = member(r, i);
        uint64_t asleep = m->taken ? m->asleep : 0;
        HD_EACH(w, asleep) {
            if (hd_watch_outside(m->sm, (unsigned)w)) {
                r->epoch++;
                return true;
            }
        }
    }
    return false;
}

// Records that the launch will never end, and why.
static void note_livelock(struct run *r)
{
    r->out->livelock = true;
    r->out->lockstep = hd_emu_lockstep(r->emu);
    r->out->unbegun = r->blocks - r->next;
    for (unsigned i = 0; i < r->n_members; i++)
        if (member(r, i)->taken)
            describe(r, member(r, i));
}

// One turn of a block. False if the run is over.
static bool run_block(struct run *r, struct member *m)
{
    uint64_t warps;

    m->turn = r->out->warp_insts;
    m->turn_long = r->out->long_insts;
    m->quiet += m->turn - m->left;
    m->still += m->turn - m->left;
    while ((warps = ready(r, m))) {
        change_paths(r, m, warps);
        if (gives_way(r, m, warps))
            break;
        if (!round_of(r, m, warps))
            return false;
    }
    m->left = r->out->warp_insts;
    if (warps || m->asleep)
        return true;
    if (m->barriers.live && !m->waiting) {
        r->out->deadlock = true;
        describe(r, m);
        return false;
    }
    end_block(r, m, m->barriers.live != 0);
    return true;
}

static void run_blocks(struct run *r)
{
    struct member *m = begin(r);

    while (m) {
        if (!run_block(r, m))
            break;
        struct member *last = m;
        m = choose(r, m);
        if (!m && wait_outside(r))
            m = choose(r, last);
    }
    for (unsigned i = 0; i < r->n_members; i++)
        if (!m && !r->out->livelock && member(r, i)->taken)
            note_livelock(r);
    for (unsigned i = 0; i < r->n_members; i++)
        if (member(r, i)->taken)
            end_block(r, member(r, i), false);
    for (unsigned i = 0; i < r->prepared; i++)
        r->emu->sms[r->first_sm + i].direct = false;
    if (r->arena)
        hd_arena_free(r->arena);
}

// Blocks for which an SM has slots.
static unsigned places_of_sm(const struct hd_emu *e, const struct hd_launch *l)
{
    unsigned warps = (l->block[0] * l->block[1] * l->block[2] + HD_LANES - 1) / HD_LANES;
    unsigned fit = e->config.warps / warps;

    return !fit ? 1 : fit < e->config.tbs ? fit : e->config.tbs;
}

static struct run run_of(struct hd_emu *e, const struct hd_launch *l,
                         const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct run r = {.emu = e,
                    .alone = !e->through,
                    .launch = l,
                    .out = out,
                    .patience = patience,
                    .next_look = out->warp_insts + HD_LOOK,
                    .blocks = blocks_of(l),
                    .per_sm = places_of_sm(e, l)};

    if (patience->blocks && patience->blocks < r.per_sm)
        r.per_sm = patience->blocks;
    r.until = r.blocks;
    r.most = r.per_sm * (r.alone ? e->config.sms : 1); // a wrapped source is that of one SM
    return r;
}

uint64_t hd_run_in_order(struct hd_emu *e, const struct hd_launch *l, uint64_t first,
                         uint64_t until, const struct hd_emu_patience *patience,
                         struct hd_emu_result *out)
{
    struct run r = run_of(e, l, patience, out);

    r.next = first;
    r.until = until;
    run_blocks(&r);
    return r.next;
}

enum hd_beside hd_run_beside(struct hd_emu *e, unsigned sm, const struct hd_launch *l,
                             uint64_t first, uint64_t end, bool apart,
                             const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct run r = run_of(e, l, patience, out);
    enum hd_beside how = HD_BESIDE_DONE;
    struct member *m;

    r.beside = true;
    r.apart = apart;
    r.first_sm = sm;
    r.most = 1;
    r.next = first;
    r.blocks = r.until = end;
    while (how == HD_BESIDE_DONE && (m = begin(&r))) {
        if (!run_block(&r, m))
            how = HD_BESIDE_LOST;
        else if (m->taken) // a warp can continue, or all wait
            how = !m->asleep && ready(&r, m) ? HD_BESIDE_GIVES_WAY : HD_BESIDE_LOST;
        if (m->taken)
            end_block(&r, m, false);
    }
    e->sms[sm].direct = false;
    return how;
}

void hd_emu_through(struct hd_emu *e, const struct hd_isrc *through)
{
    e->through = through;
}

void hd_emu_resume(struct hd_emu *e, const struct hd_parked_block *parked,
                   const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct run r = run_of(e, parked->launch, patience, out);

    *out = (struct hd_emu_result){0};
    r.next_look = HD_LOOK;
    r.blocks = r.until = 1;
    r.parked = parked;
    run_blocks(&r);
}
