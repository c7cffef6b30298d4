// owl.c - groups of whole thread blocks; which group goes first changes from time to time.
//
// A group holds just enough blocks to keep the pipeline busy, and is preferred for a while: its
// data return to the L1 and are used again before other blocks evict them. The other groups issue
// when it stalls.
//
//   Jog, Kayiran, Nachiappan, Mishra, Kandemir, Mutlu, Iyer, Das. "OWL: Cooperative Thread Array
//   Aware Scheduling Techniques for Improving GPGPU Performance". ASPLOS 2013: its locality-aware
//   scheme (CAL), called OWL-locality by LASER (POMACS 2018).
//
// Reconstructed from the abstract and LASER's description: a group is `blocks` neighbouring block
// slots of the SM, more if that gives fewer than `warps` warps; the groups take turns at being
// preferred, `interval` cycles each; after it come the others in turn; round robin in a group.
// Where blocks of different kernels or sizes share an SM, groups are filled in the order of their
// age instead: a group is complete with at least `blocks` blocks and `warps` warps. Not modelled:
// the placement of blocks, the bank-aware order and the prefetch of the same paper.
#include "heddle/policy.h"

#include <string.h>

struct owl_params {
    uint32_t blocks, warps, interval;
};
struct owl_sm {                 // changes when a block comes or ends
    uint64_t warps[HD_MAX_TBS]; // of each group
    uint8_t group[HD_MAX_TBS];  // of each resident block
    uint8_t groups;
};
struct owl {
    uint8_t next[HD_MAX_TBS]; // per group: slot after the one that issued last
};

// Block slots of one group, for blocks of this size.
static unsigned group_size(const struct owl_params *p, const struct hd_view *v)
{
    int tb = hd_first(v->tb_live);
    unsigned n = tb == HD_NONE ? 1 : v->tbs[tb].n_warps;
    unsigned needed = n ? (p->warps + n - 1) / n : 1;

    return needed > p->blocks ? needed : p->blocks;
}

// Whether all blocks are of one size and one kernel.
static bool alike(const struct hd_view *v)
{
    int first = hd_first(v->tb_live), tb;

    HD_EACH(tb, v->tb_live)
        if (v->tbs[tb].n_warps != v->tbs[first].n_warps ||
            v->tbs[tb].kernel != v->tbs[first].kernel)
            return false;
    return true;
}

// Groups of blocks of different kernels or sizes, oldest first. Returns their number.
static unsigned groups_by_age(const struct owl_params *p, const struct hd_view *v,
                              uint8_t group[HD_MAX_TBS])
{
    unsigned n = 0, blocks = 0, warps = 0;
    uint64_t left = 0;
    int tb, w;

    HD_EACH(tb, v->tb_live)
        left |= v->tbs[tb].warps;
    while (left) {
        w = hd_oldest(left, v->age);
        tb = v->tb_of[w];
        left &= ~(v->tbs[tb].warps | hd_bit(w));
        group[tb] = (uint8_t)n;
        blocks++;
        warps += v->tbs[tb].n_warps;
        if (blocks >= p->blocks && warps >= p->warps) {
            n++;
            blocks = warps = 0;
        }
    }
    return n + (blocks > 0);
}

// The group of each resident block. Returns the number of groups.
static unsigned groups_of(const struct owl_params *p, const struct hd_view *v,
                          uint8_t group[HD_MAX_TBS])
{
    unsigned size;
    int tb;

    if (!alike(v))
        return groups_by_age(p, v, group);
    size = group_size(p, v);
    HD_EACH(tb, v->tb_live)
        group[tb] = (uint8_t)((unsigned)tb / size);
    return ((v->tb_max ? v->tb_max : 1u) + size - 1) / size;
}

static int owl_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct owl_params *p = st.params;
    const struct owl_sm *sm = st.sm;
    const struct owl *owl = st.sched;
    uint64_t awake = among & ~v->waiting;
    unsigned preferred = sm->groups ? (unsigned)(v->cycle / p->interval % sm->groups) : 0;

    (void)s;
    for (unsigned turn = 0; awake && turn < sm->groups; turn++) {
        unsigned group = preferred + turn - (preferred + turn < sm->groups ? 0 : sm->groups);
        if (awake & sm->warps[group])
            return hd_rotate_from(awake & sm->warps[group], owl->next[group]);
    }
    return hd_first(among);
}

static void form_groups(const struct owl_params *p, struct owl_sm *sm, const struct hd_view *v)
{
    int tb;

    memset(sm, 0, sizeof *sm);
    sm->groups = (uint8_t)groups_of(p, v, sm->group);
    HD_EACH(tb, v->tb_live)
        sm->warps[sm->group[tb]] |= v->tbs[tb].warps;
}

static void owl_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    struct owl_sm *sm = st.sm;

    if (e->kind == HD_EV_ISSUE)
        HD_SCHED_STATE(st, owl, e->sched)->next[sm->group[e->tb]] = (uint8_t)(e->warp + 1);
    else
        form_groups(st.params, sm, v);
}

static const struct hd_field owl_params[] = {
    HD_F_U32(owl_params, blocks, "2", 1, HD_MAX_TBS, "blocks", "blocks of a group, at least"),
    HD_F_U32(owl_params, warps, "8", 1, HD_MAX_WARPS, "warps", "warps of a group, at least"),
    HD_F_U32(owl_params, interval, "1000", 1, 1000000000, "cycles",
             "time for which a group is preferred"),
    HD_FIELD_END};
static const struct hd_cost owl_cost[] = {{"preferred group", .per_sm = 3},
                                          {"last warp issued of a group", .per_scheduler = 24},
                                          HD_COST_END};

HD_POLICY(owl, .brief = "groups of thread blocks, preferred in turns, so that fewer share the L1",
          .source = "locality-aware scheme of Jog et al., ASPLOS 2013, reconstructed",
          .events = HD_ON(HD_EV_ISSUE) | HD_ON(HD_EV_TB_START) | HD_ON(HD_EV_TB_END),
          .params_bytes = sizeof(struct owl_params), .sm_bytes = sizeof(struct owl_sm),
          .sched_bytes = sizeof(struct owl), .params = owl_params, .cost = owl_cost,
          .first = owl_first, .on = owl_on);
