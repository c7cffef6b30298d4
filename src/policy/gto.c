// gto.c - greedy, then oldest.
//
// Stay with the warp that issued last for as long as it can issue; when it stalls, take the oldest
// warp that can. Few warps then use the L1 at a time, which helps kernels whose reuse is within a
// warp, and warps drift apart, so that they do not all wait for memory together.
//
//   Rogers, O'Connor, Aamodt. "Cache-Conscious Wavefront Scheduling". MICRO 2012, section 2.2.
//
// The greedy warp keeps its place while it stalls: it is first again as soon as it can issue,
// unless another warp has issued since. Warps that wait at a barrier or have ended come last, as in
// GPGPU-Sim; that matters only where the order is used for fetch.
//
// As the fetch policy (--fetch gto), which --sched gto does not select, it fetches in the
// schedulers' orders, interleaved, as ELF does; the scheduler whose order leads changes each cycle.
#include "heddle/policy_gpu.h"

static int gto_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    (void)st;
    return hd_greedy_oldest(v, among, v->last_issued[s]);
}

static unsigned gto_ahead(struct hd_pstate st, const struct hd_view *v, int s, uint64_t set, int w)
{
    (void)st;
    return hd_greedy_oldest_ahead(v, set, w, v->last_issued[s]);
}

static int gto_fetch(struct hd_pstate st, const struct hd_view *v, uint64_t among)
{
    return hd_follow_ahead(gto_first, gto_ahead, st, 0, v, (int)(v->cycle % v->n_sched), among);
}

static const struct hd_cost gto_cost[] = {{"last warp issued", .per_scheduler = 6}, HD_COST_END};

HD_POLICY(gto, .brief = "greedy then oldest: stay with a warp until it stalls, then the oldest",
          .source = "Rogers et al., MICRO 2012, section 2.2", .cost = gto_cost, .first = gto_first,
          .fetch = gto_fetch);
