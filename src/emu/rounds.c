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
// The number of blocks in a round follows from what the blocks before cost. It does not matter
// which member executes which block, nor how many members there are: the results have the same
// bytes.
#include "emu/emu_internal.h"
#include "emu/touched.h"

#include <stdatomic.h>

#define FIRST_ROUND 20000 // instructions of each member in the first round of a launch
#define ROUND 1000000     // and at most
#define SHARES 8          // in how many pieces of work each member's part is given out
#define LOST_MOST 256     // rounds' worth of blocks that run in order after lost rounds
#define LATE 8            // a member ends with so many times its part of what was expected
#define KERNELS 64        // whose lost rounds are remembered

// What is known of a kernel from its launches so far.
struct known {
    const struct hd_func *kernel;
    unsigned lost; // rounds' worth of blocks to run in order before the next round; grows
    unsigned left; // of these
};

// What a member does in a round.
struct part {
    struct round *round;
    struct hd_emu_result out;
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
    uint64_t most; // instructions of a member
    atomic_bool lost;
};

// Called at times while a member executes. A round that is lost need not be finished, and what
// others have done to a member may keep it from ever ending.
static bool go_on(void *ctx, uint64_t warp_insts)
{
    const struct part *p = ctx;

    return !atomic_load_explicit(&p->round->lost, memory_order_relaxed) &&
           warp_insts < p->round->most;
}

static void take_part(void *arg, unsigned i)
{
    struct round *r = arg;
    struct part *p = &r->emu->rounds->parts[i];
    const struct hd_emu_patience patience = {.look = go_on, .ctx = p};

    while (!atomic_load_explicit(&r->lost, memory_order_relaxed)) {
        uint64_t first = atomic_fetch_add(&r->next, r->share);
        uint64_t end = first + r->share < r->end ? first + r->share : r->end;
        if (first >= r->end)
            break;
        if (!hd_run_beside(r->emu, i, r->launch, first, end, &patience, &p->out))
            atomic_store(&r->lost, true);
    }
}

// What an SM notes, and no longer expects accesses where the last ones were.
static void note_for(struct hd_emu_sm *sm, struct hd_touched *t)
{
    sm->touched = t;
    sm->stretch = (struct hd_memory_stretch){0};
    sm->window = (struct hd_whole_window){0};
}

// Runs the blocks side by side, of which each is expected to cost `each` instructions. False if
// that is not possible; memory and *out are unchanged then.
static bool run_round(struct hd_emu *e, const struct hd_launch *l, uint64_t first, uint64_t end,
                      uint64_t each, struct hd_emu_result *out)
{
    struct hd_rounds *k = e->rounds;
    struct round r = {.emu = e,
                      .launch = l,
                      .end = end,
                      .share = (end - first) / (SHARES * k->members),
                      .most = LATE * ((end - first) * each / k->members + FIRST_ROUND)};
    bool ok;

    r.share += r.share == 0;
    atomic_init(&r.next, first);
    for (unsigned i = 0; i < k->members; i++) {
        k->parts[i] = (struct part){.round = &r};
        note_for(&e->sms[i], hd_touched_member(e->touched, i));
    }
    e->helpers.run(e->helpers.ctx, take_part, &r, k->members);
    for (unsigned i = 0; i < k->members; i++)
        note_for(&e->sms[i], NULL);
    ok = !atomic_load(&r.lost) && !hd_touched_conflict(e->touched);
    if (!ok)
        hd_touched_undo(e->touched);
    hd_touched_forget(e->touched);
    for (unsigned i = 0; ok && i < k->members; i++) {
        out->warp_insts += k->parts[i].out.warp_insts;
        out->thread_insts += k->parts[i].out.thread_insts;
        out->long_insts += k->parts[i].out.long_insts;
    }
    return ok;
}

static struct known *known_of(struct hd_rounds *k, const struct hd_func *kernel)
{
    struct known *x = &k->kernels[((uintptr_t)kernel / sizeof *kernel) % KERNELS];

    if (x->kernel != kernel)
        *x = (struct known){.kernel = kernel};
    return x;
}

static bool over(const struct hd_emu_result *out)
{
    return out->trap.kind != HD_TRAP_NONE || out->deadlock || out->livelock || out->limit ||
           out->stopped;
}

// All blocks of a launch of several blocks, from `next` on.
static void run_rounds(struct hd_emu *e, const struct hd_launch *l, uint64_t blocks,
                       const struct hd_emu_patience *patience, struct hd_emu_result *out)
{
    struct known *known = known_of(e->rounds, l->kernel);
    const unsigned members = e->rounds->members;
    uint64_t next = hd_run_in_order(e, l, 0, 1, patience, out); // tells what a block costs
    uint64_t size = FIRST_ROUND;

    while (next < blocks && !over(out)) {
        uint64_t each = out->warp_insts / next + 1, n = size * members / each;
        n = n < members ? members : n;
        n = n < blocks - next ? n : blocks - next;
        if (n < 2 || n * each < FIRST_ROUND / 4) {
            next = hd_run_in_order(e, l, next, blocks, patience, out);
        } else if (known->left) {
            known->left--;
            next = hd_run_in_order(e, l, next, next + n, patience, out);
        } else if (run_round(e, l, next, next + n, each, out)) {
            next += n;
            known->lost = 0;
            size = 2 * size < ROUND ? 2 * size : ROUND;
        } else {
            known->lost = 2 * known->lost + 1 < LOST_MOST ? 2 * known->lost + 1 : LOST_MOST;
            known->left = known->lost;
            next = hd_run_in_order(e, l, next, next + n, patience, out);
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
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    bool outside = hd_memory_any_outside(e->memory);

    *out = (struct hd_emu_result){0};
    // A caller that observes each instruction, or limits their number, needs the order of one
    // thread.
    if (blocks > 1 && !e->through && !patience->warp_insts && !outside && have_members(e))
        run_rounds(e, l, blocks, patience, out);
    else
        hd_run_in_order(e, l, 0, blocks, patience, out);
}
