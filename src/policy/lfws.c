// lfws.c - long first: warps whose next instruction may leave the SM go before the others.
//
// A load that misses takes hundreds of cycles, so it should start before work that could hide it.
// Each cycle the warps that have an instruction and do not wait are split in two: head is an
// off-chip access (global, local, texture; load, store or atomic) or not. Each half is ordered
// greedy first, then by id; the long half comes first.
//
//   Liu, Ma, Zhao, Wan, Wu. "LFWS: Long-Operation First Warp Scheduling Algorithm to Effectively
//   Hide the Latency for GPUs". IEICE Trans. 2023, Algorithms 1 and 2.
//
// Algorithm 2, line 2 promotes the warps that are pending; the prose says the opposite and is
// followed. Atomics count as long (the paper does not say). The scoreboard is asked later, so a
// long warp it refuses is passed over. By id is the paper's text; age=1 orders by age, and then
// LFWS without off-chip heads is GTO. "Greedy" is the warp issued last, like GTO's; greedy=prev is
// the paper's wording, a warp that issued in the very cycle before.
#include "heddle/policy.h"

enum { GREEDY_LAST, GREEDY_PREV };
static const char *const greedy_names[] = {"last", "prev", NULL};

struct lfws_params {
    uint32_t age, greedy;
};
struct lfws {
    uint64_t cycle; // of the last issue
};

static int lfws_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct lfws_params *p = st.params;
    const struct lfws *lfws = st.sched;
    uint64_t ready = among & ~v->waiting & ~v->ibuf_empty;
    uint64_t longs = ready & hd_long(v, HD_LONG_ANY);
    uint64_t half = longs ? longs : ready ? ready : among;
    bool greedy = p->greedy == GREEDY_LAST || lfws->cycle + 1 == v->cycle;

    if (greedy && hd_has(half, v->last_issued[s]))
        return v->last_issued[s];
    return p->age ? hd_oldest(half, v->age) : hd_first(half);
}

static void lfws_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    HD_SCHED_STATE(st, lfws, e->sched)->cycle = v->cycle;
}

static const struct hd_field lfws_params[] = {
    HD_F_BOOL(lfws_params, age, "0", "1: oldest warp first within a half; 0: lowest id"),
    HD_F_ENUM(lfws_params, greedy, "last", greedy_names,
              "greedy warp: the last one issued, or only if it was in the cycle before"),
    HD_FIELD_END};
static const struct hd_cost lfws_cost[] = {
    {"ready bit", .per_warp = 1},
    {"beside it, and not in the paper's count: the last warp issued, as in gto",
     .per_scheduler = 0},
    HD_COST_END};

HD_POLICY(lfws, .brief = "long first: warps about to access off-chip memory before the others",
          .source = "LFWS, IEICE 2023, Algorithms 1 and 2 (line 2 corrected by the prose)",
          .events = HD_ON(HD_EV_ISSUE), .params_bytes = sizeof(struct lfws_params),
          .sched_bytes = sizeof(struct lfws), .params = lfws_params, .cost = lfws_cost,
          .first = lfws_first, .on = lfws_on);
