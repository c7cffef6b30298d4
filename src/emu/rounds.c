// rounds.c - a launch without timing: its blocks in order, or in rounds of several threads.
//
// With helpers (hd_emu_help), consecutive blocks of the grid are executed in a round: each member
// has an SM of its own and takes the next few blocks, until the round has no more. What members
// read and write is noted (touched.h). Two blocks meet if one of them touches what the other one
// has written. If no blocks of different members have met, memory, counts and output are what they
// are when blocks run one after the other, because only memory connects blocks. Whatever else would
// (the clock, printf, malloc, launches of kernels, a block that waits for another one, a fault)
// makes the round lost. Then memory becomes what it was before the round, and its blocks run in
// order. All of a round's blocks end before the next round begins, so a kernel whose later blocks
// read what earlier ones have written loses one round at most now and then: after each lost round
// with exact notes, more blocks run in order before another one is tried.
//
// In order, a block that runs for long gives way to later ones (run.c). In a round it cannot,
// because later ones may not be part of it. But if no two blocks meet, it does not matter when each
// of them runs. So all blocks from there on are one round, in which they run apart: the notes are
// of single blocks. If two of them meet, all run in order, and those of this kernel's next
// launches, too.
//
// At first notes are not exact, because these cost less. After a round in which blocks have met as
// far as such notes tell, the kernel's next rounds have exact notes. If blocks run apart, notes are
// exact at once, because too much would be lost.
//
// Notes take time, too: a kernel that does little else than to load and store is slower in rounds.
// So a few blocks of each kernel run in order and tell what an instruction costs the host then. A
// round in which it costs more counts like a lost one, but stays.
//
// The number of blocks in a round follows from what the blocks before cost. It does not matter
// which member executes which block, how many members there are, or which blocks run in rounds: the
// results have the same bytes.
#include "emu/emu_internal.h"
#include "emu/touched.h"

#include <pthread.h>
#include <stdatomic.h>

#define FIRST_ROUND 20000 // instructions of each member in the first round of a launch
#define ROUND 1000000     // the same in later rounds, at most
#define SHARES 8          // pieces of work for each member of a round
#define LOST_MOST 256     // rounds' worth of blocks that run in order after lost rounds
#define LATE 8            // a round is lost if a member executes so many times what was expected,
#define LATE_MOST (UINT64_C(1) << 26) // or so many instructions more
// A block that runs apart and executes more loses the round, because it may be waiting for another
// one: about half a second on the host, and some 50 milliseconds on a GPU.
#define APART_MOST (UINT64_C(1) << 26)
#define KERNELS 64   // of which is remembered which rounds paid
#define TO_TELL 5000 // instructions that tell what one costs the host
#define CLEARLY 1.25 // times as long: more than two runs of the same blocks differ

// What is known of a kernel from its launches so far.
struct known {
    const struct hd_func *kernel;
    unsigned in_order; // rounds' worth of blocks that run in order before the next round
    unsigned penalty;  // what that was after the last round that did not pay; 0 after one that did
    bool exact;        // its rounds have exact notes
    bool not_apart;    // its blocks do not run apart
    bool first_in_order; // its first block runs in order
    double cost;         // seconds of the host for an instruction in order; 0: not known
    double seconds;      // and what that is found from: time in order since it was last found,
    uint64_t insts;      // and instructions
};

// What a member does in a round.
struct part {
    struct round *round;
    struct hd_emu_result out;
    uint64_t begun;  // if apart: out.warp_insts before the present block; otherwise 0
    uint64_t looked; // and at the latest call of the caller's function
};

struct hd_rounds {
    unsigned members; // 0: the host has no room for notes
    struct part *parts;
    struct known kernels[KERNELS];
};

struct round {
    struct hd_emu *emu;
    const struct hd_launch *launch;
    uint64_t end, share; // of the blocks; how many are taken at once
    atomic_uint_fast64_t next;
    bool apart;
    uint64_t most;   // instructions of a member; if apart, of a block
    atomic_int lost; // enum hd_beside
    // The caller's function is called only by the caller's thread.
    const struct hd_emu_patience *patience;
    pthread_t caller;
    uint64_t before; // instructions of the launch before the round
    bool stopped;    // by the function
};

static bool is_lost(const struct round *r)
{
    return atomic_load_explicit(&r->lost, memory_order_relaxed) != HD_BESIDE_DONE;
}

// Asks the caller whether the launch is to go on, if this is its thread.
static bool caller_agrees(struct part *p, uint64_t warp_insts)
{
    struct round *r = p->round;

    p->looked = warp_insts;
    if (!r->patience->look || !pthread_equal(r->caller, pthread_self()))
        return true;
    r->stopped = !r->patience->look(r->patience->ctx, r->before + warp_insts);
    return !r->stopped;
}

// Called at times while a member executes. False if it is to stop: a round that is lost need not be
// finished, and what others have done to a member may keep it from ever ending.
static bool go_on(void *ctx, uint64_t warp_insts)
{
    struct part *p = ctx;
    const struct round *r = p->round;
    const unsigned member = (unsigned)(p - r->emu->rounds->parts);

    return caller_agrees(p, warp_insts) && !is_lost(r) && warp_insts - p->begun < r->most &&
           !(r->apart && hd_touched_full(r->emu->touched, member));
}

// Runs some blocks of the round on the member's SM.
static enum hd_beside run_part(struct part *p, unsigned member, uint64_t first, uint64_t end)
{
    struct round *r = p->round;
    const struct hd_emu_patience patience = {.look = go_on, .ctx = p};
    enum hd_beside how;

    if (p->out.warp_insts - p->looked > HD_LOOK && !caller_agrees(p, p->out.warp_insts))
        return HD_BESIDE_LOST;
    if (r->apart)
        p->begun = p->out.warp_insts;
    how = hd_run_beside(r->emu, member, r->launch, first, end, r->apart, &patience, &p->out);
    if (how == HD_BESIDE_DONE && r->apart && !hd_touched_keep(r->emu->touched, member))
        return HD_BESIDE_MET;
    return how;
}

// The first reason stays: others stop because of it.
static void lose(struct round *r, enum hd_beside how)
{
    int not_yet = HD_BESIDE_DONE;

    atomic_compare_exchange_strong(&r->lost, &not_yet, (int)how);
}

static void take_part(void *arg, unsigned i)
{
    struct round *r = arg;

    while (!is_lost(r)) {
        uint64_t first = atomic_fetch_add(&r->next, r->share);
        uint64_t end = first + r->share < r->end ? first + r->share : r->end;
        if (first >= r->end)
            break;
        enum hd_beside how = run_part(&r->emu->rounds->parts[i], i, first, end);
        if (how != HD_BESIDE_DONE)
            lose(r, how);
    }
}

// From now on the SM notes its accesses here, or nowhere if NULL. It forgets where the last ones
// were, because those need no notes.
static void note_for(struct hd_emu_sm *sm, struct hd_touched *t)
{
    sm->touched = t;
    sm->stretch = (struct hd_memory_stretch){0};
    sm->window = (struct hd_whole_window){0};
}

static struct known *known_of(struct hd_rounds *k, const struct hd_func *kernel)
{
    struct known *x = &k->kernels[((uintptr_t)kernel / sizeof *kernel) % KERNELS];

    if (x->kernel != kernel)
        *x = (struct known){.kernel = kernel};
    return x;
}

// Runs blocks [first, r->end) in a round of so many members. If it is lost, memory and the
// counts are unchanged.
static enum hd_beside run_round(struct round *r, uint64_t first, unsigned members,
                                struct hd_emu_result *out)
{
    struct hd_emu *e = r->emu;
    struct part *parts = e->rounds->parts;

    hd_touched_exactly(e->touched, r->apart || known_of(e->rounds, r->launch->kernel)->exact);
    r->caller = pthread_self();
    r->before = out->warp_insts;
    atomic_init(&r->next, first);
    for (unsigned i = 0; i < members; i++) {
        parts[i] = (struct part){.round = r};
        note_for(&e->sms[i], hd_touched_member(e->touched, i));
    }
    if (members > 1)
        e->helpers.run(e->helpers.ctx, take_part, r, members);
    else
        take_part(r, 0);
    for (unsigned i = 0; i < members; i++)
        note_for(&e->sms[i], NULL);
    if (!is_lost(r) && hd_touched_conflict(e->touched))
        atomic_store(&r->lost, HD_BESIDE_MET);
    if (is_lost(r))
        hd_touched_undo(e->touched);
    hd_touched_forget(e->touched);
    for (unsigned i = 0; !is_lost(r) && i < members; i++) {
        out->warp_insts += parts[i].out.warp_insts;
        out->thread_insts += parts[i].out.thread_insts;
        out->long_insts += parts[i].out.long_insts;
    }
    out->stopped = r->stopped;
    return (enum hd_beside)atomic_load(&r->lost);
}

// Runs blocks [first, end) side by side, of which each is expected to cost `each` instructions.
static enum hd_beside run_beside(struct hd_emu *e, const struct hd_launch *l, uint64_t first,
                                 uint64_t end, uint64_t each,
                                 const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    const unsigned members = e->rounds->members;
    struct round r = {.emu = e,
                      .launch = l,
                      .end = end,
                      .share = (end - first) / (SHARES * members),
                      .patience = patience};
    const uint64_t expected = (end - first) * each / members + FIRST_ROUND;

    r.most = LATE * expected < expected + LATE_MOST ? LATE * expected : expected + LATE_MOST;
    r.share += r.share == 0;
    return run_round(&r, first, members, out);
}

// Runs the first block alone, because nothing is known of its cost.
static enum hd_beside run_first(struct hd_emu *e, const struct hd_launch *l,
                                const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct round r = {
        .emu = e, .launch = l, .end = 1, .share = 1, .most = UINT64_MAX, .patience = patience};

    return run_round(&r, 0, 1, out);
}

// Whether a block can read the number of its SM. In order, blocks that begin while others give way
// are on various SMs.
static bool reads_smid(const struct hd_launch *l)
{
    const struct hd_program *p = l->program;

    for (uint32_t i = 0; i < p->n_funcs; i++)
        for (uint32_t k = 0; k < p->funcs[i].n_specials; k++)
            if (p->funcs[i].specials[k].which == HD_SREG_SMID &&
                (!p->funcs[i].is_kernel || &p->funcs[i] == l->kernel))
                return true;
    return false;
}

// Runs blocks [first, end) apart. False if that is not possible, or if the caller stops it.
static bool run_apart(struct hd_emu *e, const struct hd_launch *l, uint64_t first, uint64_t end,
                      const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct round r = {.emu = e,
                      .launch = l,
                      .end = end,
                      .share = 1,
                      .apart = true,
                      .most = APART_MOST,
                      .patience = patience};

    return !reads_smid(l) && hd_touched_apart(e->touched) &&
           run_round(&r, first, e->rounds->members, out) == HD_BESIDE_DONE;
}

static uint64_t blocks_of(const struct hd_launch *l)
{
    return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
}

// Whether so many instructions more do not repay the start of rounds.
static bool too_little(const struct hd_emu *e, const struct hd_emu_result *out, uint64_t more)
{
    return e->executed + out->warp_insts + more < e->helpers.after;
}

static bool over(const struct hd_emu_result *out)
{
    return out->trap.kind != HD_TRAP_NONE || out->deadlock || out->livelock || out->limit ||
           out->stopped;
}

static double now(const struct hd_emu *e)
{
    return e->helpers.now ? e->helpers.now() : 0;
}

// Runs blocks [first, end) in order, and learns what an instruction costs.
static uint64_t run_in_order(struct hd_emu *e, const struct hd_launch *l, uint64_t first,
                             uint64_t end, const struct hd_emu_patience *patience,
                             struct hd_emu_result *out)
{
    struct known *known = known_of(e->rounds, l->kernel);
    uint64_t before = out->warp_insts;
    double start = now(e);

    first = hd_run_in_order(e, l, first, end, patience, out);
    known->seconds += now(e) - start;
    known->insts += out->warp_insts - before;
    if (known->insts >= TO_TELL) {
        known->cost = known->seconds / (double)known->insts;
        known->seconds = 0;
        known->insts = 0;
    }
    return first;
}

// More blocks run in order after each round that did not pay.
static void run_more_in_order(struct known *known)
{
    known->penalty = 2 * known->penalty + 1 < LOST_MOST ? 2 * known->penalty + 1 : LOST_MOST;
    known->in_order = known->penalty;
}

// After a round that was lost: runs blocks [next, until) in order, or all from `next` on apart if
// one would give way. Returns the first block that is left.
static uint64_t after_lost_round(struct hd_emu *e, const struct hd_launch *l, enum hd_beside how,
                                 uint64_t next, uint64_t until,
                                 const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct known *known = known_of(e->rounds, l->kernel);

    if (out->stopped)
        return next;
    if (how == HD_BESIDE_GIVES_WAY && !known->not_apart) {
        if (run_apart(e, l, next, blocks_of(l), patience, out))
            return blocks_of(l);
        if (out->stopped)
            return next;
        known->not_apart = true;
    }
    if (how == HD_BESIDE_MET && !known->exact)
        known->exact = true; // perhaps they have met only because notes were not exact
    else
        run_more_in_order(known);
    return run_in_order(e, l, next, until, patience, out);
}

// Runs block 0, which tells what a block costs. Returns the first block that is left.
static uint64_t begin(struct hd_emu *e, const struct hd_launch *l,
                      const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct known *known = known_of(e->rounds, l->kernel);
    enum hd_beside how;

    if (known->in_order || known->first_in_order)
        return hd_run_in_order(e, l, 0, 1, patience, out);
    how = run_first(e, l, patience, out);
    if (how == HD_BESIDE_DONE)
        return 1;
    if (how == HD_BESIDE_GIVES_WAY)
        return after_lost_round(e, l, how, 0, 1, patience, out);
    if (out->stopped)
        return 0;
    known->first_in_order = true;
    return hd_run_in_order(e, l, 0, 1, patience, out);
}

// As run_beside. A round that takes clearly longer than its blocks would take in order counts as
// one that does not pay.
static enum hd_beside run_and_judge(struct hd_emu *e, const struct hd_launch *l, uint64_t first,
                                    uint64_t end, uint64_t each,
                                    const struct hd_emu_patience *patience,
                                    struct hd_emu_result *out)
{
    struct known *known = known_of(e->rounds, l->kernel);
    uint64_t before = out->warp_insts;
    double start = now(e);
    enum hd_beside how = run_beside(e, l, first, end, each, patience, out);

    if (how != HD_BESIDE_DONE)
        return how;
    if (known->cost > 0 &&
        now(e) - start > CLEARLY * known->cost * (double)(out->warp_insts - before))
        run_more_in_order(known);
    else
        known->penalty = 0;
    return how;
}

// All blocks of a launch of several blocks.
static void run_rounds(struct hd_emu *e, const struct hd_launch *l,
                       const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct known *known = known_of(e->rounds, l->kernel);
    const unsigned members = e->rounds->members;
    const uint64_t blocks = blocks_of(l);
    uint64_t size = FIRST_ROUND, next = begin(e, l, patience, out);
    enum hd_beside how;

    while (next < blocks && !over(out)) {
        uint64_t each = out->warp_insts / next + 1, n = size * members / each;
        n = n < members ? members : n;
        n = n < blocks - next ? n : blocks - next;
        if (too_little(e, out, (blocks - next) * each)) { // as far as can be said from those before
            n = next < blocks - next ? next : blocks - next;
            next = hd_run_in_order(e, l, next, next + n, patience, out);
        } else if (n < 2 || n * each < FIRST_ROUND / 4) { // too little is left to share
            next = hd_run_in_order(e, l, next, blocks, patience, out);
        } else if (known->in_order) {
            known->in_order--;
            next = run_in_order(e, l, next, next + n, patience, out);
        } else if (e->helpers.now && known->cost <= 0 &&
                   size > FIRST_ROUND) { // a few, now that rounds seem to pay
            n = TO_TELL / each + 1 < n ? TO_TELL / each + 1 : n;
            next = run_in_order(e, l, next, next + n, patience, out);
        } else if ((how = run_and_judge(e, l, next, next + n, each, patience, out)) ==
                   HD_BESIDE_DONE) {
            next += n;
            size = 2 * size < ROUND ? 2 * size : ROUND;
        } else {
            next = after_lost_round(e, l, how, next, next + n, patience, out);
        }
        if (!over(out) && patience->look && !patience->look(patience->ctx, out->warp_insts))
            out->stopped = next < blocks;
    }
}

static bool have_members(struct hd_emu *e)
{
    const struct hd_emu_helpers *h = &e->helpers;
    struct hd_rounds *k = e->rounds;

    if (h->members < 2 || e->config.sms < 2)
        return false;
    if (!k) {
        k = e->rounds = HD_NEW(e->arena, hd_rounds);
        k->members = h->members < e->config.sms ? h->members : e->config.sms;
        k->parts = HD_ARRAY(e->arena, struct part, k->members);
        e->touched = hd_touched_new(e->arena, e->memory, k->members);
        if (!e->touched)
            k->members = 0;
    }
    return k->members != 0;
}

void hd_emu_help(struct hd_emu *e, const struct hd_emu_helpers *helpers)
{
    e->helpers = *helpers;
}

void hd_emu_run(struct hd_emu *e, const struct hd_launch *l, const struct hd_emu_patience *patience,
                struct hd_emu_result *out)
{
    uint64_t blocks = blocks_of(l);
    bool outside = hd_memory_any_outside(e->memory);

    *out = (struct hd_emu_result){0};
    // A caller that observes each instruction, or limits their number, needs the order of one
    // thread.
    if (blocks > 1 && !e->through && !patience->warp_insts && !outside && have_members(e))
        run_rounds(e, l, patience, out);
    else
        hd_run_in_order(e, l, 0, blocks, patience, out);
    e->executed += out->warp_insts;
}
