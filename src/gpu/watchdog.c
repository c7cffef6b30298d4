// watchdog.c - runs that will never end: detects them, and reports what each warp waits for.
//
// Progress is a warp that ends, a store or an atomic that changes memory, an arrival at a barrier
// that reduces a value or does not wait, or an instruction that reads the clock, because a program
// that waits for a time will continue. A plain barrier is none: it only says when warps continue,
// and not with what. (Without timing, every barrier is progress.) What the host does is progress
// too, so a run begins with it; so is the start of a kernel that a kernel has launched. If there is
// no progress and no instruction issues for deadlock_after cycles, with nothing in flight, the run
// is ended. (A machine in which no event can ever happen again is found at once, by the clock.)
//
// Instructions without progress are not yet a hang: a long loop in registers makes none, and ends.
// After livelock_after cycles of them the machine begins to compare each warp's states with earlier
// ones. A warp that is in the same state twice, without progress of any warp in between, repeats
// itself until memory changes (emu/watch.h). When all running warps do that, no warp is left to
// change memory, and the run is ended. A warp that waits at a barrier must repeat itself as well,
// unless it has waited there all the time: then none of the barriers that the others pass in their
// loops is its own. A loop that tries again and again to take a lock is of this
// kind. A loop that takes it, releases it and starts over makes progress. A loop that counts its
// attempts in a register is never in the same state twice, and continues. A loop in which a warp
// reads what the host may write is not ended.
//
// If a scheduling policy never lets a warp issue, or a block begin, the states of warps cannot
// prove it. When all other warps repeat themselves, such a warp or block gets another
// livelock_after cycles.
#include "gpu/gpu_internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LOOK_AGAIN 1000 // cycles between two checks whether all warps repeat themselves

static void report(struct hd_gpu *g, const char *why)
{
    size_t n, bytes = strlen(why) + 128;
    char *text;

    for (unsigned i = 0; i < g->n_sms; i++)
        bytes += (size_t)g->config.sm.warps * (hd_sm_live_tbs(g->sms[i]) ? HD_SM_REPORT_LINE : 0);
    text = HD_ARRAY(g->arena, char, bytes);
    n = (size_t)snprintf(text, bytes, "%s\n", why);
    if (hd_task_graph_unbegun(g))
        n += (size_t)snprintf(text + n, bytes - n,
                              "kernels launched by kernels that have not begun: %" PRIu32 "\n",
                              hd_task_graph_unbegun(g));
    for (unsigned i = 0; i < g->n_sms; i++) {
        uint64_t circling =
            g->status == HD_RUN_LIVELOCK ? hd_sm_going(g->sms[i]) & hd_emu_circles(g->emu, i) : 0;
        n += hd_sm_report(g->sms[i], circling, text + n, bytes - n);
    }
    g->hang = text;
}

void hd_watchdog_deadlock(struct hd_gpu *g, const char *why)
{
    g->status = HD_RUN_DEADLOCK;
    if (hd_dispatch_possible(g))
        why = hd_arena_printf(g->arena,
                              "%s\nblocks that have not begun: %" PRIu32
                              "; an SM has room, and the scheduling policies give it none of them",
                              why, g->tbs_left);
    report(g, why);
}

static const char circles[] =
    "instructions issued, but there was no progress, and there never will be:\n"
    "every warp that runs comes back to a state that it had before, and memory does not change";

static const char lockstep[] =
    "\nlanes wait where paths join, and the others may wait for them: this code is for a target "
    "before\n"
    "sm_70, whose warps run in lockstep; in code for sm_70 and later, these lanes would go on";

// Describes blocks that have not begun and so cannot help; empty if there are none.
static const char *unbegun(struct hd_gpu *g, uint64_t blocks)
{
    return blocks ? hd_arena_printf(g->arena,
                                    "\nblocks that have not begun: %" PRIu64
                                    "; those that have hold all places of the machine",
                                    blocks)
                  : "";
}

void hd_watchdog_functional(struct hd_gpu *g, enum hd_run_status status,
                            const struct hd_emu_result *e)
{
    g->status = status;
    if (status == HD_RUN_DEADLOCK)
        g->hang = hd_arena_printf(
            g->arena, "every warp of a block waits at a barrier that can never open\n%s", e->warps);
    else
        g->hang = hd_arena_printf(
            g->arena, "%s%s%s%s\n%s", circles, unbegun(g, e->unbegun), e->lockstep ? lockstep : "",
            g->n_ended + 1 < g->n_queue
                ? "\nwithout timing, kernels run one after the other, and none "
                  "can wait for a later one: such a program needs a run with "
                  "timing"
                : "",
            e->warps);
}

void hd_watchdog_start(struct hd_gpu *g)
{
    uint32_t soonest = g->config.gpu.deadlock_after < g->config.gpu.livelock_after
                           ? g->config.gpu.deadlock_after
                           : g->config.gpu.livelock_after;

    g->hang_at = g->cycle + soonest;
}

void hd_watchdog_end(struct hd_gpu *g)
{
    if (g->watched_from)
        hd_emu_watch(g->emu, false);
    g->watched_from = g->starving_from = 0;
}

// Does anything happen by itself, when its time has come: does a kernel begin, whose launch takes
// time or that a kernel launched, or does a warp go on that waits for its launch?
static bool due(const struct hd_gpu *g)
{
    for (unsigned i = 0; i < g->n_sms; i++)
        if (hd_sm_holds_warps(g->sms[i]))
            return true;
    return g->opens != UINT64_MAX || hd_task_graph_due(g) != UINT64_MAX;
}

// Whether all running warps that have had a turn repeat themselves. *starved is set if some warp
// had none, *arrived if one has come to a barrier since they are watched, and did not repeat itself
// before.
static bool all_circle(struct hd_gpu *g, bool *starved, bool *arrived)
{
    *starved = hd_dispatch_possible(g);
    *arrived = false;
    if (due(g))
        return false;
    for (unsigned i = 0; i < g->n_sms; i++) {
        uint64_t going = hd_sm_going(g->sms[i]), moved = hd_emu_moved(g->emu, i);
        uint64_t doubtful = moved & ~hd_emu_circles(g->emu, i);
        if (going & doubtful || hd_emu_under_way(g->emu, i))
            return false;
        *arrived |= (hd_sm_at_barriers(g->sms[i]) & doubtful) != 0;
        *starved |= (going & ~moved) != 0;
    }
    return true;
}

static void begin_to_watch(struct hd_gpu *g)
{
    hd_emu_watch(g->emu, true);
    g->watched_from = g->cycle;
    g->starving_from = 0;
}

// There was no progress for long: finds out since when, and whether there can be any.
static void doubt(struct hd_gpu *g, uint64_t done)
{
    bool starved, arrived;

    g->hang_at = g->cycle + LOOK_AGAIN;
    if (!g->watched_from || done >= g->watched_from) {
        begin_to_watch(g);
        return;
    }
    if (!all_circle(g, &starved, &arrived)) {
        g->starving_from = 0;
        return;
    }
    if (arrived) {
        if (g->cycle - g->watched_from >= g->config.gpu.livelock_after)
            begin_to_watch(g);
        return;
    }
    if (starved && !g->starving_from)
        g->starving_from = g->cycle;
    if (starved && g->cycle - g->starving_from < g->config.gpu.livelock_after)
        return;
    g->status = HD_RUN_LIVELOCK;
    report(g,
           hd_arena_printf(g->arena, "%s%s%s%s", circles, unbegun(g, g->tbs_left),
                           hd_emu_lockstep(g->emu) ? lockstep : "",
                           !starved ? ""
                           : g->config.requeue.entries && !g->config.requeue.patience
                               ? "\nthe others get no turn from the scheduling policies, or their "
                                 "memory instructions none in the re-execution queue "
                                 "(requeue.patience = 0)"
                               : "\nthe scheduling policies give no turn to the others"));
}

bool hd_watchdog_check(struct hd_gpu *g)
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
    dead = alive + g->config.gpu.deadlock_after;
    live = done + g->config.gpu.livelock_after;
    bool idle = g->mem.ops->idle(g->mem.self);
    if (g->cycle >= dead && (idle || g->cycle >= live) && !due(g)) {
        hd_watchdog_deadlock(g, "no instruction issued and no progress for too long");
    } else if (g->cycle >= live) {
        doubt(g, done);
    } else {
        hd_watchdog_end(g);   // of earlier doubts
        if (g->cycle >= dead) // a reply or a kernel is on its way
            dead = g->cycle + g->config.gpu.deadlock_after / 8;
        g->hang_at = dead < live ? dead : live;
    }
    return g->status != HD_RUN_OK;
}
