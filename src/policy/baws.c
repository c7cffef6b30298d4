// baws.c - barrier aware: most waiting first, and instructions are fetched for the same warps.
//
// Two halves. Most waiting first (mwf.c) issues the warps that most others wait for at a barrier.
// That does not help while such a warp has nothing in its buffer, and a round robin fetch may spend
// its turns on warps that wait at the barrier themselves. So critical fetch first fetches for the
// warp that would be issued next. `--sched baws` alone fills both slots.
//
//   Liu, Yu, Eeckhout, Reddi, Luo, Wang, Wang, Xu. "Barrier-Aware Warp Scheduling for Throughput
//   Processors". ICS 2016, section 4.
//
// The available copy of the paper only has the idea of critical fetch first; the details are
// reconstructed: warps at a barrier are fetched for only if no other warp needs it; the orders of
// an SM's schedulers are interleaved, and which one leads changes each cycle (lead=0: always the
// first); with no warp at any barrier, fetch follows the base order; with cff=waiting it is then
// round robin, so that without barriers BAWS is its base order.
#include "heddle/policy/mwf.h"
#include "heddle/policy_gpu.h"

enum { CFF_WAITING, CFF_ALWAYS };
static const char *const cff_names[] = {"waiting", "always", NULL};

// The slots that a rotation beginning at slot `from` meets before slot w.
static uint64_t turn_before(int w, int from)
{
    uint64_t before = hd_low((unsigned)w);

    return w >= from ? before & ~hd_low((unsigned)from) : before | ~hd_low((unsigned)from);
}

// Of `set`, warps that do not wait, those that precede w in the base order.
static unsigned base_ahead(struct hd_pstate st, const struct hd_view *v, int s, uint64_t set, int w)
{
    const struct mwf_params *p = st.params;
    int last = v->last_issued[s];

    if (p->base == MWF_GTO || hd_has(v->waiting, w))
        return hd_greedy_oldest_ahead(v, set, w, last);
    return (unsigned)hd_count(set & turn_before(w, last + 1));
}

// Called only while some block waits.
static unsigned baws_ahead(struct hd_pstate st, const struct hd_view *v, int s, uint64_t set, int w)
{
    const struct mwf_params *p = st.params;
    const struct hd_tb_view *mine = &v->tbs[v->tb_of[w]];
    unsigned waiting = mwf_waiting(p, mine), n = 0;
    int last = mwf_last(p, st.sched, v, s, v->tb_of[w]), tb;
    uint64_t before = hd_low((unsigned)w), unordered = 0;

    if (hd_has(v->waiting, w)) // after all that do not wait, by id
        return (unsigned)hd_count(set & (~v->waiting | before));
    set &= ~v->waiting;
    HD_EACH(tb, v->tb_live) {
        const struct hd_tb_view *t = &v->tbs[tb];
        unsigned k = mwf_waiting(p, t);
        if (mwf_unordered(p, t))
            unordered |= t->warps;
        else if (k > waiting || (k == waiting && mwf_precedes(p, v, tb, v->tb_of[w])))
            n += (unsigned)hd_count(set & t->warps);
    }
    if (mwf_unordered(p, mine))
        return n + base_ahead(st, v, s, set & unordered, w);
    if (p->base == MWF_LRR) // slots from `last` on, then from the first
        before = turn_before(w, last);
    else if (last - 1 == w)
        before = 0;
    else if (last)
        before |= hd_bit(last - 1);
    return n + (unsigned)hd_count(set & mine->warps & before);
}

static int baws_fetch(struct hd_pstate st, const struct hd_view *v, uint64_t among)
{
    const struct mwf_params *p = st.params;
    uint64_t wanted = among & ~(v->waiting & v->live);
    int lead = p->lead ? (int)(v->cycle % v->n_sched) : 0;

    if (!mwf_any(p, v) && p->cff == CFF_WAITING)
        return hd_rotate_from(among, v->last_fetch + 1);
    if (!mwf_any(p, v))
        return hd_follow_ahead(mwf_first, base_ahead, st, sizeof(struct mwf), v, lead,
                               wanted ? wanted : among);
    return hd_follow_ahead(mwf_first, baws_ahead, st, sizeof(struct mwf), v, lead,
                           wanted ? wanted : among);
}

static const struct hd_field baws_params[] = {
    MWF_BASE,
    MWF_EXIT,
    HD_F_BOOL(mwf_params, lead, "1",
              "fetch: the scheduler whose order goes first changes each cycle"),
    MWF_TIES,
    MWF_LAST,
    MWF_UNWAITED,
    HD_F_ENUM(mwf_params, cff, "always", cff_names,
              "fetch for the warp wanted next while warps wait at a barrier, or always"),
    HD_FIELD_END};
static const struct hd_reading baws_readings[] = {
    MWF_READINGS,
    {"cff", "\"CFF builds on top of MWF and fetches the instruction for the warp that is the most "
            "likely to be issued by MWF in the next cycle\" (section 1)"},
    HD_READING_END};

HD_POLICY(baws, .brief = "barrier aware: most waiting first, for issue and fetch",
          .source = "Liu et al., ICS 2016; its fetch order (CFF) is reconstructed from the idea",
          MWF_FUNCTIONS, .flags = HD_FETCH_TOO, .params = baws_params, .readings = baws_readings,
          .fetch = baws_fetch);
