// two_level_opt.c - two-level, with the warps about to access off-chip memory first.
//
// The lists are those of two_level_active. Among the few active warps, those whose next instruction
// may leave the SM go first, so that their latency starts early. LFWS uses it to show how much of
// its idea remains when a scheduler only examines a few warps.
//
//   "2-level opt" of: Liu, Ma, Zhao, Wan, Wu. "LFWS: Long-Operation First Warp Scheduling
//   Algorithm to Effectively Hide the Latency for GPUs". IEICE Trans. 2023, section 3.2.
//
// The paper only says that the active group is sorted with long operations first. The order inside
// the two halves is that of the rotating list (round robin), which is heddle's choice; greedy=1
// makes it that of LFWS itself, the warp issued last and then by id. The lists themselves:
// heddle/policy/two_level.h.
#include "heddle/policy/two_level.h"

// First of the list's entries from .. to - 1 in the mask, HD_NONE if there is none.
static int first_listed(const struct two_level *tl, unsigned from, unsigned to, uint64_t mask)
{
    for (unsigned i = from; i < to; i++)
        if (hd_has(mask, tl->slots[i]))
            return tl->slots[i];
    return HD_NONE;
}

static int two_level_opt_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct two_level_params *p = st.params;
    const struct two_level *tl = st.sched;
    uint64_t active = among & tl->active, longs = active & long_heads(&p->longs, v);
    uint64_t half = longs ? longs : active;

    if (!half)
        return first_listed(tl, tl->n_active, tl->n, among);
    if (!p->greedy)
        return first_listed(tl, 0, tl->n_active, half);
    if (hd_has(half, v->last_issued[s]))
        return v->last_issued[s];
    return p->age ? hd_oldest(half, v->age) : hd_first(half);
}

static const struct hd_field two_level_opt_params[] = {
    TWO_LEVEL_ACTIVE,
    TWO_LEVEL_FIXED,
    TWO_LEVEL_SKIP_DEAD,
    HD_F_BOOL(two_level_params, greedy, "0",
              "order in each half: 0 = round robin, 1 = the last one issued, then by id or age"),
    HD_F_BOOL(two_level_params, age, "1", "with greedy=1: 1 = then the oldest, 0 = then by slot"),
    HD_F_BOOL(two_level_params, in_place, "0",
              "1: the active list itself is sorted each cycle, long operations first"),
    LONG_ROWS(two_level_params),
    HD_FIELD_END};
static const struct hd_reading two_level_opt_readings[] = {
    {"greedy", "\"we applied the core idea of LFWS to the 2-level algorithm\" (section 3.2); LFWS "
               "schedules its groups \"according to the GTO\""},
    {"age",
     "\"the earliest arriving warp, i.e., the warp with the smallest unique identifier (ID)\" "
     "(section 2.1)"},
    {"in_place",
     "\"sorts the warps in the active warp group and prioritizes the long operation warp "
     "for scheduling\" (section 3.2)"},
    LONG_READINGS,
    HD_READING_END};

HD_POLICY(two_level_opt, .brief = "two-level; active warps about to access off-chip memory first",
          .source = "\"2-level opt\" of LFWS, IEICE 2023; order inside the halves is ours",
          TWO_LEVEL_LISTS, .params = two_level_opt_params, .readings = two_level_opt_readings,
          .first = two_level_opt_first);
