// oldest.c - the oldest warp that can issue.
//
// Age is the order in which warps were placed on the SM. Warps of one thread block are neighbours
// in age, so the old blocks finish first and the SM always has some block far ahead of the others;
// like gto, but without staying with a warp, so the greedy part of gto can be judged alone.
//
//   The non-greedy half of GTO: Rogers, O'Connor, Aamodt. "Cache-Conscious Wavefront Scheduling".
//   MICRO 2012, section 2.2.
#include "heddle/policy.h"

static int oldest_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    uint64_t awake = among & ~v->waiting;

    (void)st, (void)s;
    return hd_oldest(awake ? awake : among, v->age);
}

HD_POLICY(oldest, .brief = "oldest warp that can issue",
          .source = "the non-greedy half of GTO (Rogers et al., MICRO 2012)",
          .first = oldest_first);
