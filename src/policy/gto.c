// gto.c - greedy, then oldest.
//
// Stay with the warp that issued last for as long as it can issue; when it stalls, take the oldest
// warp that can. Few warps then own the L1 at a time, which helps kernels whose reuse is within a
// warp, and warps drift apart, so that they don't all wait for memory together.
//
//   Rogers, O'Connor, Aamodt. "Cache-Conscious Wavefront Scheduling". MICRO 2012, section 2.2.
//
// The greedy warp keeps its place while it stalls: it is first again as soon as it can issue,
// unless another warp has issued since. Warps at a barrier or ended come last, as in GPGPU-Sim;
// that matters only where the order steers fetch.
#include "heddle/policy.h"

struct gto {
    uint32_t last; // warp slot that issued last, plus 1
};

static int gto_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct gto *gto = st.sched;
    uint64_t awake = among & ~v->waiting;
    int last = (int)gto->last - 1;

    (void)s;
    if (hd_has(awake, last))
        return last;
    return hd_oldest(awake ? awake : among, v->age);
}

static void gto_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    (void)v;
    HD_SCHED_STATE(st, gto, e->sched)->last = e->warp + 1u;
}

static const struct hd_cost gto_cost[] = {{"last warp issued", .per_scheduler = 6}, HD_COST_END};

HD_POLICY(gto, .brief = "greedy then oldest: stay with a warp until it stalls, then the oldest",
          .source = "Rogers et al., MICRO 2012, section 2.2", .events = HD_ON(HD_EV_ISSUE),
          .sched_bytes = sizeof(struct gto), .cost = gto_cost, .first = gto_first, .on = gto_on);
