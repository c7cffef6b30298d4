// ccws.c - cache-conscious scheduling: warps that lose their cache lines to others get the L1.
//
// Each warp has a small victim tag array: the tags of lines that it had brought into the L1 and
// lost. A miss that finds its tag there would have hit in a larger share of the cache; the warp's
// score rises. Warps are stacked by score up to a fixed height; those above the height may not
// issue global or local loads until the scores have decayed. Fewer warps then share the L1 and
// their lines survive until they are reused.
//
//   Rogers, O'Connor, Aamodt. "Cache-Conscious Wavefront Scheduling". MICRO 2012.
//
// Semantics of the authors' public 2012 simulator, except that a score never falls below the base
// (there it can). The warp that crosses the height may still load; cross=0 stops it, as in the
// paper's figure. An entry stays in the victim tags when it is hit; re-inserting moves it to the
// front, and the oldest of its set is dropped. Texture reads, which pass the L1D by, are never
// stopped by score; atomics that return a value are, because the core counts them as loads.
//
// Scores are stored as the difference to the base, so that zero is the start; `barred` follows from
// them and is stored because the schedulers ask every cycle and scores rarely change.
#include "heddle/policy.h"

#include <string.h>

#define SETS 2
#define WAYS 8
#define LINE_SHIFT 7

struct ccws_params {
    uint32_t base, k_throttle, cross;
};
struct ccws_warp {
    uint64_t tags[SETS][WAYS]; // line number plus one, the last inserted first
    uint64_t hits, issued;     // of the warp in this slot
};
struct ccws_sm {
    struct ccws_warp warps[HD_MAX_WARPS];
    uint64_t extra[HD_MAX_WARPS]; // score above the base
    uint64_t raised;              // warps with a score above the base
    uint64_t barred;              // live warps that may not load
    uint64_t hits, issued;        // of all live warps
    uint64_t vta_hits;            // counter
};
struct ccws {
    uint64_t barred_cycles; // counter
};

// The next warp of the stack: highest score first, lowest slot among equals.
static int stack_next(const struct ccws_sm *sm, uint64_t left)
{
    uint64_t high = left & sm->raised;
    int best = hd_first(high ? high : left), w;

    HD_EACH(w, high)
        if (sm->extra[w] > sm->extra[best])
            best = w;
    return best;
}

// The warps under the height of base * live warps, and in `*change` the number of cycles of decay
// after which the set may change: UINT64_MAX = never. That bound is the first score that reaches
// the base (the order may change), or the stack sinking so far that one more warp is under the
// height.
static uint64_t under_cutoff(const struct ccws_sm *sm, const struct ccws_params *p, uint64_t live,
                             uint64_t *change)
{
    uint64_t cutoff = (uint64_t)p->base * (uint64_t)hd_count(live), sum = 0, left = live;
    uint64_t sinking = 0, room = 0;
    int w;

    *change = UINT64_MAX;
    while (left && (!p->cross || sum < cutoff)) {
        w = stack_next(sm, left);
        uint64_t score = p->base + sm->extra[w];
        sinking += sm->extra[w] != 0;
        if (!p->cross && sum + score > cutoff) {
            room = sum + score - cutoff; // sunk so far, this warp fits
            break;
        }
        sum += score;
        left &= ~hd_bit(w);
    }
    if (!left)
        return live;
    if (p->cross)
        room = sum - cutoff + 1; // sunk so far, the next warp begins below the height
    if (sinking)
        *change = (room + sinking - 1) / sinking;
    HD_EACH(w, live & sm->raised)
        if (sm->extra[w] < *change)
            *change = sm->extra[w];
    return live & ~left;
}

static void rank(struct ccws_sm *sm, const struct ccws_params *p, uint64_t live)
{
    uint64_t change;

    sm->barred = sm->raised ? live & ~under_cutoff(sm, p, live, &change) : 0;
}

static void ccws_begin(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    struct ccws_sm *sm = st.sm;
    struct ccws *sched = st.sched;
    int w;

    if (s == 0 && sm->raised) { // one decay per SM and cycle
        HD_EACH(w, sm->raised) {
            sm->extra[w] -= sm->extra[w] < n ? sm->extra[w] : n;
            if (!sm->extra[w])
                sm->raised &= ~hd_bit(w);
        }
        rank(sm, st.params, v->live);
    }
    if (v->mine[s] & sm->barred)
        sched->barred_cycles += n;
}

static uint64_t ccws_eligible(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct ccws_sm *sm = st.sm;

    return v->mine[s] &
           ~(sm->barred & v->head_load & hd_long(v, HD_LONG_DECLARED | HD_LONG_GENERIC));
}

static int ccws_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    (void)st;
    return hd_greedy_oldest(v, among, v->last_issued[s]);
}

static uint64_t ccws_wakes(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct ccws_sm *sm = st.sm;
    uint64_t change;

    (void)s;
    if (!sm->raised)
        return UINT64_MAX;
    under_cutoff(sm, st.params, v->live, &change);
    return change == UINT64_MAX ? UINT64_MAX : v->cycle + change;
}

static uint64_t *vta_set(struct ccws_sm *sm, unsigned w, uint64_t line)
{
    return sm->warps[w].tags[(line >> LINE_SHIFT) % SETS];
}

// Place of the line among its set's tags, WAYS if it is not there.
static unsigned vta_find(const uint64_t *set, uint64_t line)
{
    unsigned i = 0;

    while (i < WAYS && set[i] != (line >> LINE_SHIFT) + 1)
        i++;
    return i;
}

static void vta_insert(struct ccws_sm *sm, unsigned w, uint64_t line)
{
    uint64_t *set = vta_set(sm, w, line);
    unsigned at = vta_find(set, line);

    memmove(set + 1, set, (at < WAYS ? at : WAYS - 1) * sizeof *set);
    set[0] = (line >> LINE_SHIFT) + 1;
}

// A write leaves no copy worth keeping: removes the line everywhere.
static void vta_forget(struct ccws_sm *sm, uint64_t line)
{
    for (unsigned w = 0; w < HD_MAX_WARPS; w++) {
        uint64_t *set = vta_set(sm, w, line);
        unsigned at = vta_find(set, line);
        if (at < WAYS) {
            memmove(set + at, set + at + 1, (WAYS - 1 - at) * sizeof *set);
            set[WAYS - 1] = 0;
        }
    }
}

static void lost_locality(struct ccws_sm *sm, const struct ccws_params *p, const struct hd_view *v,
                          unsigned w)
{
    uint64_t cutoff = (uint64_t)p->base * (uint64_t)hd_count(v->live);

    sm->warps[w].hits++;
    sm->hits++;
    sm->vta_hits++;
    uint64_t score = sm->hits * p->k_throttle * cutoff / (sm->issued ? sm->issued : 1);
    sm->extra[w] = score > p->base ? score - p->base : 0;
    sm->raised = sm->extra[w] ? sm->raised | hd_bit((int)w) : sm->raised & ~hd_bit((int)w);
    rank(sm, p, v->live);
}

// A slot's warp starts with nothing, and totals include live warps only.
static void forget_warp(struct ccws_sm *sm, const struct ccws_params *p, const struct hd_view *v,
                        unsigned w)
{
    sm->hits -= sm->warps[w].hits;
    sm->issued -= sm->warps[w].issued;
    memset(&sm->warps[w], 0, sizeof sm->warps[w]);
    sm->extra[w] = 0;
    sm->raised &= ~hd_bit((int)w);
    rank(sm, p, v->live);
}

static void ccws_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    const struct ccws_params *p = st.params;
    struct ccws_sm *sm = st.sm;

    switch (e->kind) {
    case HD_EV_ISSUE:
        sm->warps[e->warp].issued++;
        sm->issued++;
        break;
    case HD_EV_L1_EVICT:
        if (e->owner < HD_MAX_WARPS)
            vta_insert(sm, e->owner, e->line);
        break;
    case HD_EV_L1_READ:
        if (e->flags == HD_L1_MISS && vta_find(vta_set(sm, e->warp, e->line), e->line) < WAYS)
            lost_locality(sm, p, v, e->warp);
        break;
    case HD_EV_L1_WRITE:
        vta_forget(sm, e->line);
        break;
    case HD_EV_WARP_START:
    case HD_EV_WARP_EXIT:
        forget_warp(sm, p, v, e->warp);
        break;
    default:
        break;
    }
}

static const struct hd_field ccws_params[] = {
    HD_F_U32(ccws_params, base, "100", 1, 1000000, "points", "score of a warp that lost nothing"),
    HD_F_U32(ccws_params, k_throttle, "8", 1, 1000000, "",
             "how strongly lost locality throttles loads"),
    HD_F_BOOL(ccws_params, cross, "1", "the warp that crosses the cutoff may load"), HD_FIELD_END};
static const struct hd_field ccws_counters[] = {
    HD_F_COUNT(ccws, barred_cycles, "cycles", "some warp of the scheduler was not allowed to load"),
    HD_FIELD_END};
static const struct hd_field ccws_sm_counters[] = {
    HD_F_COUNT(ccws_sm, vta_hits, "misses", "L1 misses on a line the warp had lost to others"),
    HD_FIELD_END};
static const struct hd_cost ccws_cost[] = {
    {"victim tags, 16 of 40 bits", .per_warp = SETS * WAYS * 40},
    {"score", .per_warp = 16},
    {"owner tag of an L1 line, 6 bits of 128 lines", .per_sm = 768},
    HD_COST_END};

HD_POLICY(ccws, .brief = "stop loads of some warps while warps lose their L1 lines to each other",
          .source = "Rogers et al., MICRO 2012, as in its public simulator; scores floored at base",
          .events = HD_ON(HD_EV_ISSUE) | HD_ON(HD_EV_L1_READ) | HD_ON(HD_EV_L1_WRITE) |
                    HD_ON(HD_EV_L1_EVICT) | HD_ON(HD_EV_WARP_START) | HD_ON(HD_EV_WARP_EXIT),
          .params_bytes = sizeof(struct ccws_params), .sm_bytes = sizeof(struct ccws_sm),
          .sched_bytes = sizeof(struct ccws), .params = ccws_params, .counters = ccws_counters,
          .sm_counters = ccws_sm_counters, .cost = ccws_cost, .begin = ccws_begin,
          .eligible = ccws_eligible, .first = ccws_first, .wakes = ccws_wakes, .on = ccws_on);
