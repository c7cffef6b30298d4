// gtrr.c - greedy, then round robin.
//
// Stay with the warp that issued last; when it stalls, take the next slot after it. As in gto a
// warp runs as far as it can, but no warp is favoured by age.
//
//   Described as GTRR in: LFWS (IEICE Trans. 2023), section 2.1.
#include "heddle/policy.h"

static int gtrr_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    int last = v->last_issued[s];

    (void)st;
    return hd_has(among, last) ? last : hd_rotate_from(among, last + 1);
}

static const struct hd_cost gtrr_cost[] = {{"last warp issued", .per_scheduler = 6}, HD_COST_END};

HD_POLICY(gtrr, .brief = "greedy then round robin: stay with a warp until it stalls, then the next",
          .source = "as described in LFWS, IEICE 2023", .cost = gtrr_cost, .first = gtrr_first);
