// swl.c - static limit: only the N oldest warps of a scheduler run, greedy then oldest.
//
// Fewer warps share the L1 and their lines stay until they are reused. The best number depends on
// the kernel; CCWS finds it at run time and is compared with the best fixed one.
//
//   Rogers, O'Connor, Aamodt. "Cache-Conscious Wavefront Scheduling". MICRO 2012 (SWL); GPGPU-Sim
//   3.2.2, swl_scheduler with greedy-then-oldest order.
//
// As in GPGPU-Sim: the limit counts warps of one scheduler, warps that wait (barrier, fence,
// atomic) or have ended do not count, and the warp issued last may continue in addition to the N
// oldest.
#include "heddle/policy.h"

#include <string.h>

struct swl_params {
    uint32_t warps;
};
struct swl {
    uint8_t n, by_age[HD_MAX_WARPS]; // live warps, the oldest first
};

static uint64_t swl_eligible(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct swl_params *p = st.params;
    const struct swl *swl = st.sched;
    uint64_t awake = v->mine[s] & v->live & ~v->waiting, chosen = 0;
    int last = v->last_issued[s];

    if ((unsigned)hd_count(awake) <= p->warps)
        return awake;
    for (unsigned i = 0, n = 0; n < p->warps; i++) {
        uint64_t bit = awake & hd_bit(swl->by_age[i]);
        chosen |= bit;
        n += bit != 0;
    }
    return hd_has(awake, last) ? chosen | hd_bit(last) : chosen;
}

static int swl_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    (void)st;
    return hd_greedy_oldest(v, among, v->last_issued[s]);
}

// Warps start in the order of their ages.
static void swl_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct swl *swl = HD_SCHED_STATE(st, swl, e->sched);
    unsigned at = 0;

    (void)v;
    switch (e->kind) {
    case HD_EV_WARP_START:
        swl->by_age[swl->n++] = e->warp;
        break;
    case HD_EV_WARP_EXIT:
        while (swl->by_age[at] != e->warp)
            at++;
        swl->n--;
        memmove(swl->by_age + at, swl->by_age + at + 1, (size_t)swl->n - at);
        break;
    default:
        break;
    }
}

static const struct hd_field swl_params[] = {
    HD_F_U32(swl_params, warps, "16", 1, HD_MAX_WARPS, "warps", "limit of each scheduler"),
    HD_FIELD_END};
static const struct hd_cost swl_cost[] = {
    {"limit", .per_sm = 6}, {"last warp issued", .per_scheduler = 6}, HD_COST_END};

HD_POLICY(swl, .brief = "static limit: only the oldest N warps, greedy then oldest",
          .source = "SWL of Rogers et al., MICRO 2012; GPGPU-Sim 3.2.2",
          .events = HD_ON(HD_EV_WARP_START) | HD_ON(HD_EV_WARP_EXIT),
          .params_bytes = sizeof(struct swl_params), .sched_bytes = sizeof(struct swl),
          .params = swl_params, .cost = swl_cost, .eligible = swl_eligible, .first = swl_first,
          .on = swl_on);
