// srr.c - strict round robin: each warp issues in its turn or the cycle is lost.
//
// The yardstick for latency hiding: a stalled warp holds everybody up.
//
//   LFWS (IEICE Trans. 2023), Figure 1, and the literature it cites.
//
// Taken literally the order deadlocks when the warp whose turn it is waits at a barrier for a later
// warp. So warps that wait (barrier, fence, atomic) or have ended lose their turn; waits for the
// scoreboard, a full pipe or fetch never do.
#include "heddle/policy.h"

struct srr {
    uint32_t next; // slot whose turn it is, if it is not waiting
};

static uint64_t srr_eligible(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct srr *srr = st.sched;
    int w = hd_rotate_from(v->mine[s] & ~v->waiting, (int)srr->next);

    return w == HD_NONE ? 0 : hd_bit(w);
}

static int srr_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct srr *srr = st.sched;

    (void)v, (void)s;
    return hd_rotate_from(among, (int)srr->next);
}

static void srr_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    (void)v;
    HD_SCHED_STATE(st, srr, e->sched)->next = e->warp + 1u;
}

static const struct hd_cost srr_cost[] = {{"warp whose turn it is", .per_scheduler = 6},
                                          HD_COST_END};

HD_POLICY(srr, .brief = "strict round robin: a warp issues in its turn or the cycle is lost",
          .source = "LFWS, IEICE 2023, Figure 1; waiting warps lose their turn (ours)",
          .events = HD_ON(HD_EV_ISSUE), .sched_bytes = sizeof(struct srr), .cost = srr_cost,
          .eligible = srr_eligible, .first = srr_first, .on = srr_on);
