// caws.c - criticality aware: the warp that holds up its thread block longest goes first.
//
// A block ends with its slowest warp. The warp that has the most left to do is the critical one;
// giving it the issue slot shortens the block, giving it to a warp that is ahead does not.
//
//   Lee, Wu. "CAWS: Criticality-Aware Warp Scheduling for GPGPU Workloads". PACT 2014.
//
// The paper's oracle, which has each warp's length from an earlier run, is left out. Without it
// criticality is estimated; the estimates are heddle's, because only the abstract was available.
// metric=pace: fewest instructions issued for the time since the warp's start. metric=behind: the
// largest distance, in instructions, to the most advanced warp of the block. Ties: the oldest.
#include "heddle/policy.h"

enum { PACE, BEHIND };
static const char *const metric_names[] = {"pace", "behind", NULL};

struct caws_params {
    uint32_t metric;
};
struct caws_sm {
    uint64_t start[HD_MAX_WARPS];  // cycle
    uint64_t issued[HD_MAX_WARPS]; // warp instructions
};

static uint64_t behind(const struct caws_sm *sm, const struct hd_view *v, int warp)
{
    uint64_t most = 0;
    int w;

    HD_EACH(w, v->tbs[v->tb_of[warp]].warps)
        if (sm->issued[w] > most)
            most = sm->issued[w];
    return most - sm->issued[warp];
}

// Whether warp a is more critical than b.
static bool critical(const struct caws_params *p, const struct caws_sm *sm, const struct hd_view *v,
                     int a, int b)
{
    uint64_t x, y;

    if (p->metric == BEHIND) {
        x = behind(sm, v, a);
        y = behind(sm, v, b);
    } else { // cycles per instruction, compared without a division
        x = (v->cycle - sm->start[a]) * (sm->issued[b] + 1);
        y = (v->cycle - sm->start[b]) * (sm->issued[a] + 1);
    }
    return x != y ? x > y : v->age[a] < v->age[b];
}

static int caws_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    uint64_t awake = among & ~v->waiting;
    int best, w;

    (void)s;
    if (!awake)
        return hd_oldest(among, v->age);
    best = hd_first(awake);
    HD_EACH(w, awake)
        if (critical(st.params, st.sm, v, w, best))
            best = w;
    return best;
}

static void caws_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct caws_sm *sm = st.sm;

    if (e->kind == HD_EV_ISSUE) {
        sm->issued[e->warp]++;
        return;
    }
    sm->issued[e->warp] = 0;
    sm->start[e->warp] = v->cycle;
}

static const struct hd_field caws_params[] = {
    HD_F_ENUM(caws_params, metric, "pace", metric_names,
              "critical: fewest instructions for its time, or least advanced in its block"),
    HD_FIELD_END};
static const struct hd_cost caws_cost[] = {
    {"instructions issued", .per_warp = 32}, {"start", .per_tb = 32}, HD_COST_END};

HD_POLICY(caws, .brief = "criticality aware: the warp that holds up its block longest first",
          .source = "Lee and Wu, PACT 2014; heddle's estimates instead of its oracle",
          .events = HD_ON(HD_EV_ISSUE) | HD_ON(HD_EV_WARP_START),
          .params_bytes = sizeof(struct caws_params), .sm_bytes = sizeof(struct caws_sm),
          .params = caws_params, .cost = caws_cost, .first = caws_first, .on = caws_on);
