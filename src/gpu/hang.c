// hang.c - runs that will never end: noticing them, and saying which warp waits for what.
//
// Progress is a warp that ends, a barrier that opens, a store that is acknowledged, an atomic that
// is done. None for deadlock_after cycles without an issued instruction, or for livelock_after
// cycles although instructions issue, ends the run. (A machine in which nothing can ever happen
// again is found at once, by the clock.)
#include "gpu/machine.h"

#include <stdio.h>

static void report(struct hd_gpu *g, const char *why)
{
    size_t n = (size_t)snprintf(g->hang, sizeof g->hang, "%s\n", why);

    for (unsigned i = 0; g->sms && i < g->n_sms && n + 1 < sizeof g->hang; i++)
        n += hd_sm_report(g->sms[i], g->hang + n, sizeof g->hang - n);
}

void hd_hang_deadlock(struct hd_gpu *g, const char *why)
{
    g->status = HD_RUN_DEADLOCK;
    report(g, why);
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
    g->hang_at = dead < live ? dead : live;
    if (g->cycle >= dead) {
        hd_hang_deadlock(g, "no instruction issued and nothing got done for too long");
    } else if (g->cycle >= live) {
        g->status = HD_RUN_LIVELOCK;
        report(g, "instructions issue but nothing gets done");
    }
    return g->status != HD_RUN_OK;
}
