// rounds.c - a launch without timing: its blocks in order, or in rounds of several threads.
//
// With helpers (hd_emu_help), consecutive blocks of the grid are executed in a round: each member
// has an SM of its own and takes the next few blocks, until the round has no more. What members
// read and write is noted (touched.h). If none has met what another one wrote, memory, counts and
// output are what they are when blocks run one after the other, because only memory connects
// blocks: what else does (the clock, printf, malloc, launches of kernels, a block that waits for
// another one, a fault) ends the round without result. Then memory becomes what it was before the
// round, and its blocks run in order. All of a round's blocks end before the next round begins, so
// a kernel whose later blocks read what earlier ones have written loses one round at most now and
// then: after each lost round, more blocks run in order until the next one is tried.
//
// A block that runs for long gives way to later ones in order (run.c), which it could not do in a
// round that they are not part of. If no two blocks meet, the order does not matter. So all blocks
// from there on are one round, in which they run apart: the notes are of single blocks, and a block
// ends before the next one of its member begins. If two of them meet, all run in order, and those
// of this kernel's next launches, too.
//
// The number of blocks in a round follows from what the blocks before cost. It does not matter
// which member executes which block, nor how many members there are: the results have the same
// bytes.
#include "emu/emu_internal.h"
#include "emu/touched.h"

#include <pthread.h>
#include <stdatomic.h>

#define FIRST_ROUND 20000 // instructions of each member in the first round of a launch
#define ROUND 1000000     // and at most
#define SHARES 8          // in how many pieces of work each member's part is given out
#define LOST_MOST 256     // rounds' worth of blocks that run in order after lost rounds
#define LATE 8            // a member ends with so many times its part of what was expected
#define KERNELS 64        // whose lost rounds are remembered
// Instructions of a block that runs apart, and may wait for another one in a way that cannot be
// proven: about half a second on the host, and some 50 milliseconds on a GPU.
#define APART (UINT64_C(1) << 26)

// What is known of a kernel from its launches so far.
struct known {
    const struct hd_func *kernel;
    unsigned lost;    // rounds' worth of blocks to run in order before the next round; grows
    unsigned left;    // of these
    bool meet;        // its blocks do not run apart
    bool needs_order; // its first block runs in order
};

// What a member does in a round.
struct part {
    struct round *round;
    struct hd_emu_result out;
    uint64_t begun; // out.warp_insts before the present blocks
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
    // If apart, a round may take long: its caller's function is called by the thread that called.
    pthread_t caller;
    const struct hd_emu_patience *patience;
    bool stopped;
};

static bool is_lost(const struct round *r)
{
    return atomic_load_explicit(&r->lost, memory_order_relaxed) != HD_BESIDE_DONE;
}

// Called at times while a member executes. A round that is lost need not be finished, and what
// others have done to a member may keep it from ever ending.
static bool go_on(void *ctx, uint64_t warp_insts)
{
    const struct part *p = ctx;
    struct round *r = p->round;

    if (r->apart && r->patience->look && pthread_equal(r->caller, pthread_self()) &&
        !r->patience->look(r->patience->ctx, warp_insts)) {
        r->stopped = true;
        return false;
    }
    return !is_lost(r) && warp_insts - p->begun < r->most;
}

static void take_part(void *arg, unsigned i)
{
    struct round *r = arg;
    struct part *p = &r->emu->rounds->parts[i];
    const struct hd_emu_patience patience = {.look = go_on, .ctx = p};

    while (!is_lost(r)) {
        uint64_t first = atomic_fetch_add(&r->next, r->share);
        uint64_t end = first + r->share < r->end ? first + r->share : r->end;
        if (first >= r->end)
            break;
        if (r->apart)
            p->begun = p->out.warp_insts;
        enum hd_beside how =
            hd_run_beside(r->emu, i, r->launch, first, end, r->apart, &patience, &p->out);
        if (how == HD_BESIDE_DONE && r->apart && !hd_touched_keep(r->emu->touched, i))
            how = HD_BESIDE_LOST;
        if (how != HD_BESIDE_DONE)
            atomic_store(&r->lost, (int)how);
    }
}

// What an SM notes, and no longer expects accesses where the last ones were.
static void note_for(struct hd_emu_sm *sm, struct hd_touched *t)
{
    sm->touched = t;
    sm->stretch = (struct hd_memory_stretch){0};
    sm->window = (struct hd_whole_window){0};
}

// Runs the round with so many members. If that is not possible, memory and *out are unchanged.
static enum hd_beside run_round(struct round *r, unsigned members, struct hd_emu_result *out)
{
    struct hd_emu *e = r->emu;
    struct part *parts = e->rounds->parts;

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
        atomic_store(&r->lost, HD_BESIDE_LOST);
    if (is_lost(r))
        hd_touched_undo(e->touched);
    hd_touched_forget(e->touched);
    for (unsigned i = 0; !is_lost(r) && i < members; i++) {
        out->warp_insts += parts[i].out.warp_insts;
        out->thread_insts += parts[i].out.thread_insts;
        out->long_insts += parts[i].out.long_insts;
    }
    return (enum hd_beside)atomic_load(&r->lost);
}

// Runs blocks [first, end) side by side, of which each is expected to cost `each` instructions.
static enum hd_beside run_beside(struct hd_emu *e, const struct hd_launch *l, uint64_t first,
                                 uint64_t end, uint64_t each, struct hd_emu_result *out)
{
    const unsigned members = e->rounds->members;
    struct round r = {.emu = e,
                      .launch = l,
                      .end = end,
                      .share = (end - first) / (SHARES * members),
                      .most = LATE * ((end - first) * each / members + FIRST_ROUND)};

    r.share += r.share == 0;
    atomic_init(&r.next, first);
    return run_round(&r, members, out);
}

// Runs the first block, of which nothing is known, as the only one.
static enum hd_beside run_first(struct hd_emu *e, const struct hd_launch *l,
                                struct hd_emu_result *out)
{
    struct round r = {.emu = e, .launch = l, .end = 1, .share = 1, .most = UINT64_MAX};

    return run_round(&r, 1, out);
}

// Whether a block sees on which SM it is: those that others gave way to are on any one.
static bool sees_sm(const struct hd_launch *l)
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
                      .most = APART,
                      .caller = pthread_self(),
                      .patience = patience};
    bool ok;

    if (sees_sm(l) || !hd_touched_apart(e->touched))
        return false;
    atomic_init(&r.next, first);
    ok = run_round(&r, e->rounds->members, out) == HD_BESIDE_DONE;
    out->stopped = r.stopped;
    return ok;
}

static struct known *known_of(struct hd_rounds *k, const struct hd_func *kernel)
{
    struct known *x = &k->kernels[((uintptr_t)kernel / sizeof *kernel) % KERNELS];

    if (x->kernel != kernel)
        *x = (struct known){.kernel = kernel};
    return x;
}

static uint64_t blocks_of(const struct hd_launch *l)
{
    return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
}

static bool over(const struct hd_emu_result *out)
{
    return out->trap.kind != HD_TRAP_NONE || out->deadlock || out->livelock || out->limit ||
           out->stopped;
}

// Blocks [next, until) in order after a round that was lost, because a block would give way or not.
// Returns the next block.
static uint64_t run_lost(struct hd_emu *e, const struct hd_launch *l, struct known *known,
                         enum hd_beside how, uint64_t next, uint64_t until,
                         const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    const uint64_t blocks = blocks_of(l);

    if (how == HD_BESIDE_WAYS && !known->meet) {
        if (run_apart(e, l, next, blocks, patience, out))
            return blocks;
        if (out->stopped)
            return next;
        known->meet = true;
    }
    known->lost = 2 * known->lost + 1 < LOST_MOST ? 2 * known->lost + 1 : LOST_MOST;
    known->left = known->lost;
    return hd_run_in_order(e, l, next, until, patience, out);
}

// All blocks of a launch of several blocks.
static void run_rounds(struct hd_emu *e, const struct hd_launch *l,
                       const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct known *known = known_of(e->rounds, l->kernel);
    const unsigned members = e->rounds->members;
    const uint64_t blocks = blocks_of(l);
    uint64_t next = 1, size = FIRST_ROUND;
    enum hd_beside how;

    // The first block tells what one costs.
    how = known->left || known->needs_order ? HD_BESIDE_LOST : run_first(e, l, out);
    known->needs_order |= how == HD_BESIDE_LOST;
    if (how == HD_BESIDE_WAYS)
        next = run_lost(e, l, known, how, 0, 1, patience, out);
    else if (how == HD_BESIDE_LOST)
        next = hd_run_in_order(e, l, 0, 1, patience, out);
    while (next < blocks && !over(out)) {
        uint64_t each = out->warp_insts / next + 1, n = size * members / each;
        n = n < members ? members : n;
        n = n < blocks - next ? n : blocks - next;
        if (n < 2 || n * each < FIRST_ROUND / 4) {
            next = hd_run_in_order(e, l, next, blocks, patience, out);
        } else if (known->left) {
            known->left--;
            next = hd_run_in_order(e, l, next, next + n, patience, out);
        } else if ((how = run_beside(e, l, next, next + n, each, out)) == HD_BESIDE_DONE) {
            next += n;
            known->lost = 0;
            size = 2 * size < ROUND ? 2 * size : ROUND;
        } else {
            next = run_lost(e, l, known, how, next, next + n, patience, out);
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
        e->touched = hd_touched_new(e->arena, &e->sms[0].global, k->members);
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
}
