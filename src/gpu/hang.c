// hang.c - runs that will never end: noticing them, and saying which warp waits for what.
//
// Progress is a warp that ends, a barrier that somebody reaches, a store or an atomic that changes
// memory, and a look at the clock (who waits for a time waits for something that comes). What the
// host does is progress too: a run begins with it; so is the start of a kernel that a kernel has
// launched. None for deadlock_after cycles without an issued instruction and with nothing in flight
// ends the run. (A machine in which nothing can ever happen again is found at once, by the clock.)
//
// Instructions without progress are no hang yet: a long loop in registers makes none, and ends.
// After livelock_after cycles of them the machine begins to compare each warp's states with earlier
// ones. A warp that is in the same state twice, without progress of anybody in between, goes round
// in a circle until memory changes (emu/watch.h). When all that go on do that, nobody is left to
// change it, and the run is ended: a loop that tries to take a lock, over and over. One that takes
// it, gives it back and begins anew makes progress; one that counts its attempts in a register
// never is in the same state, and runs on. A circle in which a warp reads what the host may write
// is none.
//
// That a scheduling policy never lets a warp issue, or a block begin, cannot be proven by states of
// warps. When all others go round in circles, such a one gets another livelock_after cycles.
#include "gpu/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LOOK_AGAIN 1000 // cycles between two looks whether all go round in circles

static void report(struct hd_gpu *g, const char *why)
{
    size_t n, bytes = strlen(why) + 128;
    char *text;

    for (unsigned i = 0; i < g->n_sms; i++)
        bytes += (size_t)g->config.sm.warps * (hd_sm_live_tbs(g->sms[i]) ? HD_SM_REPORT_LINE : 0);
    text = HD_ARRAY(g->arena, char, bytes);
    n = (size_t)snprintf(text, bytes, "%s\n", why);
    if (hd_families_unbegun(g))
        n += (size_t)snprintf(text + n, bytes - n,
                              "kernels launched by kernels that have not begun: %" PRIu32 "\n",
                              hd_families_unbegun(g));
    for (unsigned i = 0; i < g->n_sms; i++) {
        uint64_t circling =
            g->status == HD_RUN_LIVELOCK ? hd_sm_going(g->sms[i]) & hd_emu_circles(g->emu, i) : 0;
        n += hd_sm_report(g->sms[i], circling, text + n, bytes - n);
    }
    g->hang = text;
}

void hd_hang_deadlock(struct hd_gpu *g, const char *why)
{
    g->status = HD_RUN_DEADLOCK;
    report(g, why);
}

static const char circles[] =
    "instructions issued, but there was no progress, and there never will be:\n"
    "every warp that runs comes back to a state that it had before, and memory does not change";

// A line about blocks that cannot help since they have not begun, or nothing.
static const char *unbegun(struct hd_gpu *g, uint64_t blocks)
{
    return blocks ? hd_arena_printf(g->arena,
                                    "\nblocks that have not begun: %" PRIu64
                                    "; those that have hold all places of the machine",
                                    blocks)
                  : "";
}

void hd_hang_functional(struct hd_gpu *g, enum hd_run_status status, const struct hd_emu_result *e)
{
    g->status = status;
    if (status == HD_RUN_DEADLOCK)
        g->hang = hd_arena_printf(
            g->arena, "every warp of a block waits at a barrier that can never open\n%s", e->warps);
    else
        g->hang =
            hd_arena_printf(g->arena, "%s%s%s\n%s", circles, unbegun(g, e->unbegun),
                            g->n_ended + 1 < g->n_queue
                                ? "\nwithout timing, kernels run one after the other, and none "
                                  "can wait for a later one: such a program needs a run with "
                                  "timing"
                                : "",
                            e->warps);
}

void hd_hang_start(struct hd_gpu *g)
{
    uint32_t soonest = g->config.deadlock_after < g->config.livelock_after
                           ? g->config.deadlock_after
                           : g->config.livelock_after;

    g->hang_at = g->cycle + soonest;
}

void hd_hang_end(struct hd_gpu *g)
{
    if (g->watched_from)
        hd_emu_watch(g->emu, false);
    g->watched_from = g->starving_from = 0;
}

// Do all warps that go on, and have had a turn, go round in circles? *starved: somebody had none.
static bool all_circle(struct hd_gpu *g, bool *starved)
{
    *starved = hd_dispatch_possible(g);
    if (hd_families_due(g) != UINT64_MAX)
        return false;
    for (unsigned i = 0; i < g->n_sms; i++) {
        uint64_t going = hd_sm_going(g->sms[i]), moved = hd_emu_moved(g->emu, i);
        if (going & moved & ~hd_emu_circles(g->emu, i) || hd_emu_under_way(g->emu, i))
            return false;
        *starved |= (going & ~moved) != 0;
    }
    return true;
}

// Nothing got done for long: since when, and will anything?
static void doubt(struct hd_gpu *g, uint64_t done)
{
    bool starved;

    g->hang_at = g->cycle + LOOK_AGAIN;
    if (!g->watched_from || done >= g->watched_from) {
        hd_emu_watch(g->emu, true);
        g->watched_from = g->cycle;
        g->starving_from = 0;
        return;
    }
    if (!all_circle(g, &starved)) {
        g->starving_from = 0;
        return;
    }
    if (starved && !g->starving_from)
        g->starving_from = g->cycle;
    if (starved && g->cycle - g->starving_from < g->config.livelock_after)
        return;
    g->status = HD_RUN_LIVELOCK;
    report(g,
           hd_arena_printf(g->arena, "%s%s%s", circles, unbegun(g, g->tbs_left),
                           starved ? "\nthe scheduling policies give no turn to the others" : ""));
}

bool hd_hang_check(struct hd_gpu *g)
{
    uint64_t done = g->start, alive = g->start, dead, live;

    if (g->cycle < g->hang_at)
        return false;
    for (unsigned i = 0; i < g->n_sms; i++) {
        uint64_t progress = hd_sm_progress(g->sms[i]), issue = hd_sm_last_issue(g->sms[i]);
        done = progress > done ? progress : done;
        alive = issue > alive ? issue : alive;
    }
    alive = done > alive ? done : alive;
    dead = alive + g->config.deadlock_after;
    live = done + g->config.livelock_after;
    bool idle = g->mem.ops->idle(g->mem.self) && hd_families_due(g) == UINT64_MAX;
    if (g->cycle >= dead && (idle || g->cycle >= live)) {
        hd_hang_deadlock(g, "no instruction issued and no progress for too long");
    } else if (g->cycle >= live) {
        doubt(g, done);
    } else {
        hd_hang_end(g);       // of what was in doubt
        if (g->cycle >= dead) // an answer or a kernel is on its way
            dead = g->cycle + g->config.deadlock_after / 8;
        g->hang_at = dead < live ? dead : live;
    }
    return g->status != HD_RUN_OK;
}
