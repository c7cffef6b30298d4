// two_level_groups.c - fixed groups of warps; the next group runs when one is blocked by memory.
//
// If all warps advance at the same pace they reach their long loads together and then nothing is
// left to hide them. So the warps are divided into fixed groups and one group is ahead of the
// others: when all its warps wait for memory the next group takes over, and by the time that one
// arrives at the same load the first has its data.
//
//   Narasiman, Shebanow, Lee, Miftakhutdinov, Mutlu, Patt. "Improving GPU Performance via Large
//   Warps and Two-Level Warp Scheduling". MICRO 2011, section 4.
//
// Round robin in the group and from group to group. mode=strict follows that text: only the group
// whose turn it is may issue, and it keeps its turn through short stalls. mode=loose searches the
// groups in turn for one that can issue, which then has the turn. A group is `size` neighbouring
// slots of one scheduler; the paper has only one scheduler. Heddle's choice: warps that wait at a
// barrier, a fence or an atomic, or have ended, do not delay the change; a group is passed over if
// it is blocked too.
#include "heddle/policy.h"

enum { STRICT, LOOSE };
static const char *const mode_names[] = {"strict", "loose", NULL};

struct two_level_groups_params {
    uint32_t size, mode;
};
struct two_level_groups {
    uint64_t turns;             // counter: times the turn went to another group
    uint64_t slots;             // of the group whose turn it is; 0: group 0, the first
    uint8_t turn;               // group
    uint8_t next[HD_MAX_WARPS]; // per group: slot after the one that issued last
    uint8_t pad[7];
};

// The slots of group g among a scheduler's own; 0 after the last group.
static uint64_t slots_of(uint64_t mine, uint32_t size, unsigned g)
{
    uint64_t slots = 0;

    for (uint32_t i = 0; i < size * g && mine; i++)
        mine &= mine - 1;
    for (uint32_t i = 0; i < size && mine; i++, mine &= mine - 1)
        slots |= mine & (~mine + 1);
    return slots;
}

static unsigned group_of(uint64_t mine, uint32_t size, int w)
{
    return (unsigned)hd_count(mine & hd_low((unsigned)w)) / size;
}

// The slots of the group whose turn it is.
static uint64_t current(const struct two_level_groups_params *p, const struct two_level_groups *tlg,
                        uint64_t mine)
{
    return tlg->slots ? tlg->slots : slots_of(mine, p->size, 0); // 0: no warp has issued yet
}

// The first group from the current one on in which some warp waits neither for memory nor for its
// block; the current one if there is none.
static unsigned next_turn(const struct two_level_groups_params *p,
                          const struct two_level_groups *tlg, const struct hd_view *v, int s)
{
    uint64_t mine = v->mine[s], here = current(p, tlg, mine);
    uint64_t free = mine & ~(v->waiting | ~v->live | (v->long_mark & v->sb_block));

    if (!free || (free & here))
        return tlg->turn;
    return group_of(mine, p->size, hd_rotate_from(free, hd_first(here)));
}

static void give_turn(const struct two_level_groups_params *p, struct two_level_groups *tlg,
                      uint64_t mine, unsigned g)
{
    if (g == tlg->turn)
        return;
    tlg->turns++;
    tlg->turn = (uint8_t)g;
    tlg->slots = slots_of(mine, p->size, g);
}

static void two_level_groups_begin(struct hd_pstate st, const struct hd_view *v, int s, uint64_t n)
{
    const struct two_level_groups_params *p = st.params;
    struct two_level_groups *tlg = st.sched;

    (void)n;
    if (p->mode == STRICT)
        give_turn(p, tlg, v->mine[s], next_turn(p, tlg, v, s));
}

static uint64_t two_level_groups_eligible(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct two_level_groups_params *p = st.params;

    return p->mode == STRICT ? current(p, st.sched, v->mine[s]) : v->mine[s];
}

static int two_level_groups_first(struct hd_pstate st, const struct hd_view *v, int s,
                                  uint64_t among)
{
    const struct two_level_groups_params *p = st.params;
    const struct two_level_groups *tlg = st.sched;
    uint64_t mine = v->mine[s], here = current(p, tlg, mine);
    unsigned g = tlg->turn;

    if (!(among & here)) { // groups are neighbouring slots, so the next warp is of the next group
        g = group_of(mine, p->size, hd_rotate_from(among, hd_first(here)));
        here = slots_of(mine, p->size, g);
    }
    return hd_rotate_from(among & here, tlg->next[g]);
}

// The turn changes by itself in the next cycle if the masks have changed after this cycle's begin.
static uint64_t two_level_groups_wakes(struct hd_pstate st, const struct hd_view *v, int s)
{
    const struct two_level_groups_params *p = st.params;
    const struct two_level_groups *tlg = st.sched;

    if (p->mode == STRICT && next_turn(p, tlg, v, s) != tlg->turn)
        return v->cycle + 1;
    return UINT64_MAX;
}

static void two_level_groups_on(struct hd_pstate st, const struct hd_view *v,
                                const struct hd_event *e)
{
    const struct two_level_groups_params *p = st.params;
    struct two_level_groups *tlg = HD_SCHED_STATE(st, two_level_groups, e->sched);
    unsigned g = group_of(v->mine[e->sched], p->size, e->warp);

    give_turn(p, tlg, v->mine[e->sched], g);
    tlg->next[g] = (uint8_t)(e->warp + 1);
}

static const struct hd_field two_level_groups_params[] = {
    HD_F_U32(two_level_groups_params, size, "8", 1, HD_MAX_WARPS, "warps",
             "length of a group of one scheduler's slots"),
    HD_F_ENUM(two_level_groups_params, mode, "strict", mode_names,
              "strict: one group until memory blocks it; loose: any group that can issue, in turn"),
    HD_FIELD_END};
static const struct hd_field two_level_groups_counters[] = {
    HD_F_COUNT(two_level_groups, turns, "changes", "times the turn went to another group"),
    HD_FIELD_END};
static const struct hd_cost two_level_groups_cost[] = {
    {"group whose turn it is, last warp issued in each of 3 groups", .per_scheduler = 20},
    HD_COST_END};

HD_POLICY(two_level_groups, .brief = "fixed groups; the next one runs when memory blocks a group",
          .source = "Narasiman et al., MICRO 2011; treatment of barriers is ours",
          .events = HD_ON(HD_EV_ISSUE), .params_bytes = sizeof(struct two_level_groups_params),
          .sched_bytes = sizeof(struct two_level_groups), .params = two_level_groups_params,
          .counters = two_level_groups_counters, .cost = two_level_groups_cost,
          .begin = two_level_groups_begin, .eligible = two_level_groups_eligible,
          .first = two_level_groups_first, .wakes = two_level_groups_wakes,
          .on = two_level_groups_on);
