// srr.c - strict round robin: each warp issues in its turn or the cycle is lost.
//
// It shows what latency hiding is worth: a stalled warp holds up all others.
//
//   LFWS (IEICE Trans. 2023), Figure 1, and the literature it cites.
//
// Taken literally, the order deadlocks when the warp whose turn it is waits at a barrier for a
// later warp. So warps that wait (barrier, fence, atomic) or have ended lose their turn; warps that
// wait for the scoreboard, a full pipe or fetch do not.
#include "heddle/policy.h"

static uint64_t srr_eligible(struct hd_pstate st, const struct hd_view *v, int s)
{
    int w = hd_rotate_from(v->mine[s] & ~v->waiting, v->last_issued[s] + 1);

    (void)st;
    return w == HD_NONE ? 0 : hd_bit(w);
}

static int srr_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    (void)st;
    return hd_rotate_from(among, v->last_issued[s] + 1);
}

static const struct hd_cost srr_cost[] = {{"warp whose turn it is", .per_scheduler = 6},
                                          HD_COST_END};

HD_POLICY(srr, .brief = "strict round robin: a warp issues in its turn or the cycle is lost",
          .source = "LFWS, IEICE 2023, Figure 1; waiting warps lose their turn (ours)",
          .cost = srr_cost, .eligible = srr_eligible, .first = srr_first);
