// saws.c - synchronisation aware: the block that came to a barrier first goes first, everywhere.
//
// The warps of a block are distributed over the schedulers of an SM, which are independent of each
// other, so the warps of a block reach a barrier far apart. Here the first arrival of a block is
// reported to all schedulers; each gives the warps of that block priority until its barrier opens.
//
//   Liu J., Yang, Melhem. "SAWS: Synchronization Aware GPGPU Warp Scheduling for Multiple
//   Independent Warp Schedulers". MICRO 2015.
//
// Reconstructed from the abstract and from the description in BAWS (ICS 2016): blocks with warps at
// a barrier in the order of their first arrival, not by how many wait; the other blocks after them;
// GTO inside each. Fetch does not change. BAWS says that SAWS works between schedulers only, so a
// scheduler prefers a block for the warps that wait on the other schedulers, not for its own
// (scope=all: for both).
#include "heddle/policy.h"

#include <string.h>

enum { SCOPE_OTHERS, SCOPE_ALL };
static const char *const scope_names[] = {"others", "all", NULL};

struct saws_params {
    uint32_t scope;
};
struct saws_sm {
    uint8_t n, queue[HD_MAX_TBS]; // block slots with warps at a barrier, first arrival first
};

static int saws_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct saws_params *p = st.params;
    const struct saws_sm *sm = st.sm;
    uint64_t awake = among & ~v->waiting;
    uint64_t waiting = p->scope == SCOPE_ALL ? v->at_barrier : v->at_barrier & ~v->mine[s];

    if (!awake)
        return hd_oldest(among, v->age);
    for (unsigned i = 0; i < sm->n; i++) {
        uint64_t warps = v->tbs[sm->queue[i]].warps;
        if (!(waiting & warps) || !(awake & warps))
            continue;
        awake &= warps;
        break;
    }
    return hd_greedy_oldest(v, awake, v->last_issued[s]);
}

// Position of the block in the queue, n if it is not there.
static unsigned find(const struct saws_sm *sm, unsigned tb)
{
    unsigned i = 0;

    while (i < sm->n && sm->queue[i] != tb)
        i++;
    return i;
}

static void leave(struct saws_sm *sm, unsigned tb)
{
    unsigned at = find(sm, tb);

    if (at == sm->n)
        return;
    sm->n--;
    memmove(sm->queue + at, sm->queue + at + 1, (size_t)sm->n - at);
    sm->queue[sm->n] = 0;
}

static void saws_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct saws_sm *sm = st.sm;

    switch (e->kind) {
    case HD_EV_BAR_ARRIVE:
        if (find(sm, e->tb) == sm->n)
            sm->queue[sm->n++] = e->tb;
        break;
    case HD_EV_BAR_RELEASE:
        if (!v->tbs[e->tb].at_barrier) // otherwise some wait at another of its barriers
            leave(sm, e->tb);
        break;
    case HD_EV_TB_END:
        leave(sm, e->tb);
        break;
    default:
        break;
    }
}

static const struct hd_field saws_params[] = {
    HD_F_ENUM(saws_params, scope, "others", scope_names,
              "prefer a block for warps that wait on other schedulers, or on all"),
    HD_FIELD_END};
static const struct hd_reading saws_readings[] = {
    {"scope", "\"SAWS addresses the synchronization issue between multiple warp schedulers but not "
              "between warps within warp-phases\" (BAWS, section 1)"},
    HD_READING_END};
static const struct hd_cost saws_cost[] = {{"queue of blocks, 3-bit ids", .per_tb = 3},
                                           {"last warp issued", .per_scheduler = 6},
                                           HD_COST_END};

HD_POLICY(saws, .brief = "synchronisation aware: the block first at a barrier elsewhere goes first",
          .source = "Liu J. et al., MICRO 2015, reconstructed from its abstract and from BAWS",
          .events = HD_ON(HD_EV_BAR_ARRIVE) | HD_ON(HD_EV_BAR_RELEASE) | HD_ON(HD_EV_TB_END),
          .params_bytes = sizeof(struct saws_params), .sm_bytes = sizeof(struct saws_sm),
          .params = saws_params, .readings = saws_readings, .cost = saws_cost, .first = saws_first,
          .on = saws_on);
