// elf.c - earliest load first: the warp that is nearest to its next load goes first.
//
// Loads that start early overlap with each other and with the work before other loads, so more of
// them are in flight. The compiler computes how far each instruction is from the next load (loop
// back edges included); the hardware keeps that distance per warp and counts it down. As the fetch
// policy, which `--sched elf` alone selects too, it fetches for the warps that the schedulers need.
//
//   Park, Park, Mahlke. "ELF: Maximizing Memory-level Parallelism for GPUs with Coordinated
//   Warp and Fetch Scheduling". SC 2015. The distances: src/isa/points.c.
//
// A distance is looked up again after a load, at a branch whose outcome makes the count wrong, and
// after every jump without a branch (the paper does not mention reconvergence; jump=0: not then);
// otherwise it is counted down, also where a branch is the last instruction of its path. The
// paper's text on the branch bit contradicts itself; see points.c. "No load ahead" means none
// within 254 instructions, and stays so until the next look-up; a register of 8 bits would count it
// down, too (far=count). At equal distance the warp issued last goes first, then the oldest (the
// paper does not say; tie=oldest: the oldest at once). With two schedulers their orders are
// interleaved for fetch; the one that leads changes each cycle (lead=0: always the first). The
// paper has no aging: a warp with no load ahead runs when all others are stalled.
#include "heddle/policy_gpu.h"

#define NO_LOAD 255

enum { FAR_STAYS, FAR_COUNT };
enum { TIE_LAST, TIE_OLDEST };

struct elf_params {
    uint32_t lead, far, jump, tie;
};
struct elf_sm {
    uint64_t rank[HD_MAX_WARPS];          // instructions to the next load << 32 | age
    uint64_t by_load, by_branch, by_jump; // counters: look-ups after ...
};
struct elf {
    uint64_t issued; // counter
};

// Distance, then age: the order as one number. The warp issued last is the oldest of its distance.
static uint64_t rank_of(const struct elf_sm *sm, int last, int w)
{
    return last >= 0 && w == last ? sm->rank[w] >> 32 << 32 : sm->rank[w];
}

// The warp that goes first among those of its distance, HD_NONE if none does.
static int favoured(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct elf_params *p = st.params;

    return p->tie == TIE_OLDEST ? HD_NONE : v->last_issued[s];
}

static int elf_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct elf_sm *sm = st.sm;
    int last = favoured(st, v, s), best = HD_NONE, w;
    uint64_t least = UINT64_MAX;

    HD_EACH(w, among)
        if (sm->rank[w] < least) {
            least = sm->rank[w];
            best = w;
        }
    return hd_has(among, last) && rank_of(sm, last, last) <= least ? last : best;
}

static unsigned elf_ahead(struct hd_pstate st, const struct hd_view *v, int s, uint64_t set, int w)
{
    const struct elf_sm *sm = st.sm;
    int last = favoured(st, v, s), u;
    uint64_t rank = rank_of(sm, last, w);
    unsigned n = hd_has(set, last) && rank_of(sm, last, last) <= rank;

    if (last >= 0)
        set &= ~hd_bit(last);
    HD_EACH(u, set)
        n += sm->rank[u] < rank;
    return n;
}

static int elf_fetch(struct hd_pstate st, const struct hd_view *v, uint64_t among)
{
    const struct elf_params *p = st.params;
    int lead = p->lead ? (int)(v->cycle % v->n_sched) : 0;

    return hd_follow_ahead(elf_first, elf_ahead, st, sizeof(struct elf), v, lead, among);
}

static uint8_t look_up(const struct hd_view *v, uint32_t pc)
{
    return pc < v->prog->n ? v->prog->load_distance[pc] : NO_LOAD;
}

static void set_distance(struct elf_sm *sm, const struct hd_view *v, unsigned w, uint32_t distance)
{
    sm->rank[w] = (uint64_t)distance << 32 | v->age[w];
}

static void elf_issued(const struct elf_params *p, struct elf_sm *sm, const struct hd_view *v,
                       const struct hd_event *e)
{
    uint32_t distance = (uint32_t)(sm->rank[e->warp] >> 32);
    uint8_t kind = v->prog->kind[e->pc];
    // After a divergent branch, the path that runs first counts.
    bool taken =
        e->flags & HD_ISSUE_DIVERGENT ? e->next_pc != e->pc + 1 : (e->flags & HD_ISSUE_TAKEN) != 0;

    if (kind == HD_STATIC_LOAD) {
        distance = look_up(v, e->next_pc);
        sm->by_load++;
    } else if (kind == HD_STATIC_BRANCH && taken == (v->prog->recalc[e->pc] != 0)) {
        distance = look_up(v, e->next_pc);
        sm->by_branch++;
    } else if (distance && (distance != NO_LOAD || p->far == FAR_COUNT)) {
        distance--;
    }
    set_distance(sm, v, e->warp, distance);
}

static void elf_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    const struct elf_params *p = st.params;
    struct elf_sm *sm = st.sm;

    switch (e->kind) {
    case HD_EV_WARP_START:
        set_distance(sm, v, e->warp, look_up(v, e->pc));
        break;
    case HD_EV_ISSUE:
        HD_SCHED_STATE(st, elf, e->sched)->issued++;
        elf_issued(p, sm, v, e);
        break;
    case HD_EV_PC_JUMP:
        if (!p->jump)
            break;
        set_distance(sm, v, e->warp, look_up(v, e->next_pc));
        sm->by_jump++;
        break;
    default:
        break;
    }
}

static const char *const elf_fars[] = {"stays", "count", NULL};
static const char *const elf_ties[] = {"last", "oldest", NULL};
static const struct hd_field elf_params[] = {
    HD_F_BOOL(elf_params, lead, "1",
              "fetch: the scheduler whose order goes first changes each cycle"),
    HD_F_ENUM(elf_params, far, "stays", elf_fars,
              "a warp with no load in the next 254 instructions: its distance stays 255, or counts "
              "down as any other"),
    HD_F_BOOL(elf_params, jump, "1",
              "1: a jump without a branch looks the distance up; 0: it goes on counting"),
    HD_F_ENUM(elf_params, tie, "last", elf_ties,
              "at equal distance: the warp issued last, then the oldest; or the oldest at once"),
    HD_FIELD_END};
static const struct hd_field elf_counters[] = {
    HD_F_COUNT(elf, issued, "warp instr",
               "instructions issued: look-ups of a table without counts"),
    HD_FIELD_END};
static const struct hd_field elf_sm_counters[] = {
    HD_F_COUNT(elf_sm, by_load, "look-ups", "distance looked up after a load"),
    HD_F_COUNT(elf_sm, by_branch, "look-ups", "distance looked up after a branch"),
    HD_F_COUNT(elf_sm, by_jump, "look-ups", "distance looked up after a jump without a branch"),
    HD_FIELD_END};
static const struct hd_reading elf_readings[] = {
    {"far",
     "\"If next program point does not exist, the maximum score is returned\" (section 3.1); \"it "
     "can be decreased by one most of the time\" (3.2)"},
    {"jump",
     "\"the priority calculator is triggered only in two cases: when a memory load operation "
     "is issued, or when a branch has altered the priority\" (section 3.2)"},
    {"tie",
     "\"lower value in the priority means higher priority to issue an instruction\" (section "
     "3), without a word on equal values"},
    HD_READING_END};
static const struct hd_cost elf_cost[] = {{"program points, 32 of 42 bits", .per_sm = 32 * 42},
                                          {"distance to the next load", .per_warp = 8},
                                          HD_COST_END};

HD_POLICY(elf,
          .brief = "earliest load first: the warp nearest to its next load, for issue and fetch",
          .source = "Park et al., SC 2015; recalculation bit, ties and reconvergence reconstructed",
          .events = HD_ON(HD_EV_WARP_START) | HD_ON(HD_EV_ISSUE) | HD_ON(HD_EV_PC_JUMP),
          .needs = HD_NEED_LOAD_DISTANCE, .flags = HD_FETCH_TOO,
          .params_bytes = sizeof(struct elf_params), .sm_bytes = sizeof(struct elf_sm),
          .sched_bytes = sizeof(struct elf), .params = elf_params, .counters = elf_counters,
          .sm_counters = elf_sm_counters, .cost = elf_cost, .readings = elf_readings,
          .first = elf_first, .fetch = elf_fetch, .on = elf_on);
