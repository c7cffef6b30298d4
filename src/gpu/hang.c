// hang.c - runs that will never end: noticing them, and saying which warp waits for what.
//
// Progress is a warp that ends, a barrier that opens, a store or an atomic that changes memory, and
// a look at the clock (who waits for a time waits for something that comes). What the host does is
// progress too: a run begins with it; so is the start of a kernel that a kernel has launched. None
// for deadlock_after cycles without an issued instruction and with nothing in flight, or for
// livelock_after cycles in any case, ends the run. (A machine in which nothing can ever happen
// again is found at once, by the clock.)
//
// So a loop that tries to take a lock, over and over, makes no progress; one that takes it does,
// even if it gives it back and begins anew.
#include "gpu/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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
    for (unsigned i = 0; i < g->n_sms; i++)
        n += hd_sm_report(g->sms[i], text + n, bytes - n);
    g->hang = text;
}

void hd_hang_deadlock(struct hd_gpu *g, const char *why)
{
    g->status = HD_RUN_DEADLOCK;
    report(g, why);
}

void hd_hang_functional(struct hd_gpu *g, enum hd_run_status status, const char *warps)
{
    g->status = status;
    if (status == HD_RUN_DEADLOCK)
        g->hang = hd_arena_printf(
            g->arena, "every warp of a block waits at a barrier that can never open\n%s", warps);
    else
        g->hang = hd_arena_printf(
            g->arena,
            "%" PRIu32 " instructions of each warp of a block executed but nothing got done\n"
            "without timing, blocks run one after the other, and none can wait for a later one: "
            "such a program needs a run with timing\n"
            "--set gpu.livelock_after=N has more patience\n%s",
            g->config.livelock_after, warps);
}

void hd_hang_start(struct hd_gpu *g)
{
    uint32_t soonest = g->config.deadlock_after < g->config.livelock_after
                           ? g->config.deadlock_after
                           : g->config.livelock_after;

    g->hang_at = g->cycle + soonest;
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
        hd_hang_deadlock(g, "no instruction issued and nothing got done for too long");
    } else if (g->cycle >= live) {
        g->status = HD_RUN_LIVELOCK;
        report(g,
               hd_arena_printf(g->arena,
                               "for %" PRIu32 " cycles, instructions issued but nothing got done\n"
                               "--set gpu.livelock_after=N has more patience",
                               g->config.livelock_after));
    } else {
        if (g->cycle >= dead) // an answer or a kernel is on its way
            dead = g->cycle + g->config.deadlock_after / 8;
        g->hang_at = dead < live ? dead : live;
    }
    return g->status != HD_RUN_OK;
}
