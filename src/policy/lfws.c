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
// followed. Atomics count as long, though Algorithm 2, line 11, names load and store only. The
// scoreboard is asked later, so a long warp it refuses is passed over. The id of a warp is what the
// paper defines in section 2.1, a unique number in the order of arrival, so that LFWS without
// off-chip heads is GTO, as section 3.2 says; age=0 orders by warp slot. "Greedy" is the warp
// issued last, like GTO's; greedy=prev is the paper's wording, a warp that issued in the very cycle
// before; greedy=always lets it go before the long half too. filter=memory also holds back warps
// that wait for a memory operation, the third reason of the prose, of which Algorithm 1 only has
// the fence. greedy=prev looks at the clock and needs no wakes(): the order is asked for only in
// cycles that the core steps, and only the clock of the last issue is kept. heddle/policy/long.h
// says what is long.
#include "heddle/policy/long.h"

enum { GREEDY_LAST, GREEDY_PREV, GREEDY_ALWAYS };
static const char *const greedy_names[] = {"last", "prev", "always", NULL};
enum { FILTER_STATE, FILTER_MEMORY };
static const char *const filter_names[] = {"state", "memory", NULL};

struct lfws_params {
    uint32_t age, greedy, filter;
    struct long_params longs;
};
struct lfws {
    uint64_t cycle; // of the last issue
};

static int lfws_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct lfws_params *p = st.params;
    const struct lfws *lfws = st.sched;
    uint64_t pending = v->waiting | v->ibuf_empty | (p->filter ? v->long_mark : 0);
    uint64_t ready = among & ~pending, longs = ready & long_heads(&p->longs, v);
    uint64_t half = longs ? longs : ready ? ready : among;
    uint64_t greedy = p->greedy == GREEDY_ALWAYS && ready ? ready : half;

    if (p->greedy == GREEDY_PREV && lfws->cycle + 1 != v->cycle)
        greedy = 0;
    if (hd_has(greedy, v->last_issued[s]))
        return v->last_issued[s];
    return p->age ? hd_oldest(half, v->age) : hd_first(half);
}

static void lfws_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    HD_SCHED_STATE(st, lfws, e->sched)->cycle = v->cycle;
}

static const struct hd_field lfws_params[] = {
    HD_F_BOOL(lfws_params, age, "1", "1: oldest warp first within a half; 0: lowest slot"),
    HD_F_ENUM(lfws_params, greedy, "last", greedy_names,
              "greedy warp: the last one issued; only if that was in the cycle before; or the last "
              "one, in whichever half it is"),
    HD_F_ENUM(
        lfws_params, filter, "state", filter_names,
        "pending warps: by barrier, fence, atomic and buffer; or also those that wait for memory"),
    LONG_ROWS(lfws_params), HD_FIELD_END};
static const struct hd_reading lfws_readings[] = {
    {"age",
     "\"the earliest arriving warp, i.e., the warp with the smallest unique identifier "
     "(ID)\" (section 2.1); \"arranged according to the warp ID from small to large\" (2.3)"},
    {"greedy", "\"scheduled according to the GTO. In other words, if there is a warp in the long "
               "operation group that has been executed in the previous cycle, the warp is put in "
               "the first place\" (section 2.3)"},
    {"filter",
     "\"waiting for the current memory operation to complete\" (section 2.3); Algorithm 1 "
     "says \"waiting for memory barrier\""},
    LONG_READINGS,
    HD_READING_END};
static const struct hd_cost lfws_cost[] = {
    {"ready bit", .per_warp = 1},
    {"beside it, and not in the paper's count: the last warp issued, as in gto",
     .per_scheduler = 0},
    HD_COST_END};

HD_POLICY(lfws, .brief = "long first: warps about to access off-chip memory before the others",
          .source = "LFWS, IEICE 2023, Algorithms 1 and 2 (line 2 corrected by the prose)",
          .events = HD_ON(HD_EV_ISSUE), .params_bytes = sizeof(struct lfws_params),
          .sched_bytes = sizeof(struct lfws), .params = lfws_params, .cost = lfws_cost,
          .readings = lfws_readings, .first = lfws_first, .on = lfws_on);
