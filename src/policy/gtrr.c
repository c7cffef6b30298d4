// gtrr.c - greedy, then round robin.
//
// Stay with the warp that issued last; when it stalls, take the next slot after it. As in gto a
// warp runs as far as it can, but no warp is favoured by age.
//
//   Described as GTRR in: LFWS (IEICE Trans. 2023), related work.
#include "heddle/policy.h"

struct gtrr {
    uint32_t last; // warp slot that issued last, plus 1
};

static int gtrr_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct gtrr *gtrr = st.sched;

    (void)v, (void)s;
    if (hd_has(among, (int)gtrr->last - 1))
        return (int)gtrr->last - 1;
    return hd_rotate_from(among, (int)gtrr->last);
}

static void gtrr_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    (void)v;
    HD_SCHED_STATE(st, gtrr, e->sched)->last = e->warp + 1u;
}

static const struct hd_cost gtrr_cost[] = {{"last warp issued", .per_scheduler = 6}, HD_COST_END};

HD_POLICY(gtrr, .brief = "greedy then round robin: stay with a warp until it stalls, then the next",
          .source = "as described in LFWS, IEICE 2023", .events = HD_ON(HD_EV_ISSUE),
          .sched_bytes = sizeof(struct gtrr), .cost = gtrr_cost, .first = gtrr_first,
          .on = gtrr_on);
