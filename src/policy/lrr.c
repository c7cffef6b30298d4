// lrr.c - loose round robin: the next warp after the last one that can issue.
//
// All warps advance at the same pace. This is simple and fair, and for that reason the warps tend
// to reach their long loads together and then all wait.
//
//   GPGPU-Sim 3.2.2, order_lrr. `wrap=0` is needed for Figure 1 of LFWS (IEICE 2023): with the
//   wrapping order that example takes 37 cycles, the paper says 39.
//
// wrap=0 is a single pass per cycle: slots are searched only from the one after the last issued to
// the end. Finding nothing costs the cycle and resets the pointer to the first slot. If no live
// warp is left after the pointer, the pass ends without a loss.
#include "heddle/policy.h"

struct lrr_params {
    uint32_t wrap;
};
struct lrr {
    uint32_t restart; // wrap=0: the last pass found nothing, so that a new one begins
};

// The slot at which the search begins.
static unsigned lrr_next(const struct lrr *lrr, const struct hd_view *v, int s)
{
    return lrr->restart ? 0 : (unsigned)(v->last_issued[s] + 1);
}

static uint64_t lrr_eligible(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct lrr_params *p = st.params;
    uint64_t rest;

    if (p->wrap)
        return v->mine[s];
    rest = v->mine[s] & ~hd_low(lrr_next(st.sched, v, s));
    return rest & v->live ? rest : v->mine[s];
}

static int lrr_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    return hd_rotate_from(among, (int)lrr_next(st.sched, v, s));
}

static void lrr_end(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n,
                    unsigned outcome, uint64_t visited)
{
    const struct lrr_params *p = st.params;
    struct lrr *lrr = st.sched;

    (void)v, (void)s, (void)n, (void)visited;
    lrr->restart = !p->wrap && (outcome & HD_OUTCOME_CLASS) != HD_ISSUED;
}

// An unfinished pass ends with the next lost cycle; the one after that sees all warps.
static uint64_t lrr_wakes(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct lrr_params *p = st.params;

    return p->wrap || !lrr_next(st.sched, v, s) ? UINT64_MAX : v->cycle + 2;
}

static const struct hd_field lrr_params[] = {
    HD_F_BOOL(lrr_params, wrap, "1", "0: search to the last slot only, a fruitless pass costs it"),
    HD_FIELD_END};
static const struct hd_cost lrr_cost[] = {{"last warp issued", .per_scheduler = 6}, HD_COST_END};

HD_POLICY(lrr, .brief = "loose round robin: the next warp that can issue",
          .source = "GPGPU-Sim 3.2.2; wrap=0 reconstructed from LFWS, Figure 1",
          .flags = HD_LOST_ONCE, .params_bytes = sizeof(struct lrr_params),
          .sched_bytes = sizeof(struct lrr), .params = lrr_params, .cost = lrr_cost,
          .eligible = lrr_eligible, .first = lrr_first, .end = lrr_end, .wakes = lrr_wakes);
