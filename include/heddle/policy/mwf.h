// mwf.h - most waiting first: code that mwf and baws share. Described in mwf.c.
#ifndef HEDDLE_POLICY_MWF_H
#define HEDDLE_POLICY_MWF_H

#include "heddle/policy.h"

enum { MWF_LRR, MWF_GTO };
static const char *const mwf_bases[] = {"lrr", "gto", NULL};
enum { MWF_BY_ID, MWF_BY_SLOT };
static const char *const mwf_ties[] = {"id", "slot", NULL};
enum { MWF_OF_VARIANT, MWF_OF_BLOCK, MWF_OF_SCHEDULER };
static const char *const mwf_lasts[] = {"variant", "block", "scheduler", NULL};
enum { MWF_UNWAITED_TIES, MWF_UNWAITED_BASE };
static const char *const mwf_unwaited[] = {"id", "base", NULL};

struct mwf_params {
    uint32_t base, exit, ties, last, unwaited;
    uint32_t lead, cff; // baws only
};
struct mwf {
    uint8_t last_of[HD_MAX_TBS]; // by block: the slot that issued last, plus one; 0 if none has
};

// The row of the warp priority table: how many warps of the block are at its barrier or, with exit,
// have ended.
static inline unsigned mwf_waiting(const struct mwf_params *p, const struct hd_tb_view *tb)
{
    return tb->at_barrier + (p->exit ? (unsigned)tb->finished : 0u);
}

// Does any resident block have warps waiting?
static inline bool mwf_any(const struct mwf_params *p, const struct hd_view *v)
{
    int tb;

    if (v->at_barrier || !p->exit)
        return v->at_barrier != 0;
    HD_EACH(tb, v->tb_live)
        if (v->tbs[tb].finished)
            return true;
    return false;
}

// Of two blocks with equally many waiting warps, whether block slot `a` goes before `b`. Blocks of
// two kernels may have the same index.
static inline bool mwf_precedes(const struct mwf_params *p, const struct hd_view *v, int a, int b)
{
    uint32_t first = v->tbs[a].global_id, second = v->tbs[b].global_id;

    return p->ties == MWF_BY_SLOT || first == second ? a < b : first < second;
}

// The slot, plus one, of the warp issued last from which the order inside a block starts; 0 if
// there is none.
static inline int mwf_last(const struct mwf_params *p, const struct mwf *mwf,
                           const struct hd_view *v, int s, int block)
{
    uint32_t variant = p->base == MWF_LRR ? MWF_OF_BLOCK : MWF_OF_SCHEDULER;

    return (p->last == MWF_OF_VARIANT ? variant : p->last) == MWF_OF_BLOCK ? mwf->last_of[block]
                                                                           : v->last_issued[s] + 1;
}

// Are blocks without waiting warps one group in the base order, and is this one of them?
static inline bool mwf_unordered(const struct mwf_params *p, const struct hd_tb_view *tb)
{
    return p->unwaited == MWF_UNWAITED_BASE && !mwf_waiting(p, tb);
}

// Of the blocks with warps in `among`: the one with most waiting warps, then by mwf_precedes.
static inline int mwf_critical(const struct mwf_params *p, const struct hd_view *v, uint64_t among)
{
    unsigned most = 0;
    int best = HD_NONE;

    while (among) {
        int warp = hd_first(among), tb = v->tb_of[warp];
        const struct hd_tb_view *t = &v->tbs[tb];
        unsigned n = mwf_waiting(p, t);
        among &= ~(t->warps | hd_bit(warp));
        if (best == HD_NONE || n > most || (n == most && mwf_precedes(p, v, tb, best))) {
            best = tb;
            most = n;
        }
    }
    return best;
}

static inline int mwf_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    const struct mwf_params *p = st.params;
    const struct mwf *mwf = st.sched;
    uint64_t warps = among & ~v->waiting;
    int last = v->last_issued[s] + 1, block = HD_NONE;

    if (!warps)
        return hd_first(among);
    if (mwf_any(p, v))
        block = mwf_critical(p, v, warps);
    if (block != HD_NONE && mwf_unordered(p, &v->tbs[block]))
        block = HD_NONE; // nor do warps wait in the other blocks that have any in `warps`
    if (block != HD_NONE) {
        warps &= v->tbs[block].warps;
        last = mwf_last(p, mwf, v, s, block);
    }
    if (p->base == MWF_LRR)
        return hd_rotate_from(warps, last);
    if (hd_has(warps, last - 1))
        return last - 1;
    return block != HD_NONE ? hd_first(warps) : hd_oldest(warps, v->age);
}

static inline void mwf_on(struct hd_pstate st, const struct hd_view *v, const struct hd_event *e)
{
    if (e->kind == HD_EV_ISSUE) {
        HD_SCHED_STATE(st, mwf, e->sched)->last_of[e->tb] = (uint8_t)(e->warp + 1);
        return;
    }
    for (int s = 0; s < v->n_sched; s++) // a new block in the slot
        HD_SCHED_STATE(st, mwf, s)->last_of[e->tb] = 0;
}

#define MWF_BASE                                                                                   \
    HD_F_ENUM(mwf_params, base, "gto", mwf_bases,                                                  \
              "order inside a block, and of all warps while no block waits")
#define MWF_EXIT HD_F_BOOL(mwf_params, exit, "0", "1: warps that have ended count as waiting")

#define MWF_TIES                                                                                   \
    HD_F_ENUM(                                                                                     \
        mwf_params, ties, "slot", mwf_ties,                                                        \
        "equally many waiting: the block with the lowest index, or in the lowest slot first")
#define MWF_LAST                                                                                   \
    HD_F_ENUM(mwf_params, last, "variant", mwf_lasts,                                              \
              "inside a block, start from the last warp of the block, or of the scheduler; of "    \
              "the block under base=lrr, of the scheduler under base=gto")
#define MWF_UNWAITED                                                                               \
    HD_F_ENUM(mwf_params, unwaited, "id", mwf_unwaited,                                            \
              "while others wait, blocks without waiting warps: by id as ties, or in base order")
#define MWF_READINGS                                                                               \
    {"exit", "the paper calls the end of a block an implicit barrier (section 1); whether the "    \
             "priority table counts warps there is not in our copy"},                              \
        {"ties",                                                                                   \
         "\"MWF assigns the highest priority to the warps in the TB with the smallest TB-id\" "    \
         "(section 4.1.1); the priority table is indexed by it and has a row for each block of "   \
         "an "                                                                                     \
         "SM, and the blocks that Figure 4 numbers 0 to 2 are those on SM0: it is the slot"},      \
        {"last", "LRR starts from \"the warp next (in round robin order) to the one which was "    \
                 "issued in the last cycle\" in the block, GTO \"from the warp issued in the "     \
                 "last cycle\" (section 4.1.1)"},                                                  \
    {                                                                                              \
        "unwaited", "blocks with \"the same number of barrier-waiting warps\" go by id (section "  \
                    "4.1.1): whether none is such a number, is not said"                           \
    }

static const struct hd_cost mwf_cost[] = {
    {"warp priority table: warps at the barrier", .per_tb = 6},
    {"last warp issued", .per_scheduler = 6},
    {"with last=block or base=lrr: such a warp for each block, too", .per_tb = 0},
    HD_COST_END};

#define MWF_FUNCTIONS                                                                              \
    .events = HD_ON(HD_EV_ISSUE) | HD_ON(HD_EV_TB_START),                                          \
    .params_bytes = sizeof(struct mwf_params), .sched_bytes = sizeof(struct mwf),                  \
    .cost = mwf_cost, .first = mwf_first, .on = mwf_on

#endif
