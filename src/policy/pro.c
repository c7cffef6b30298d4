// pro.c - progress aware: finish thread blocks early while blocks wait outside, evenly after that.
//
// A block that is about to finish, or about to pass its barrier, holds the SM's resources for
// nothing while its last warps are late. So blocks in which some warp has finished go first, then
// blocks with warps at a barrier, and inside both the late warps first. The others are ordered by
// progress (active lanes issued so far): while more blocks wait to be placed (fast phase) the block
// that is ahead goes first, so that it leaves and makes room; once the last has been placed (slow
// phase) the one behind, so that all end together. One order for the SM; each scheduler walks it.
//
//   Anantpur, Govindarajan. "PRO: Progress Aware GPU Warp Scheduling Algorithm". IPDPS 2015,
//   Algorithm 1. The text is followed where algorithm and text differ (sort order in the fast
//   phase; the barrier count returns to 0; sorts fall on cycles 1000, 2000, ... as in its table
//   IV).
//
// Ours, because the paper does not say: exited warps count towards a barrier; a block passing its
// barrier with finished warps goes on as a finishing one; it is put back at its rank of the last
// sort, since Algorithm 1 only changes its state (reenter=1: at the place its progress gives now;
// 0: last); the change of phase sorts at once (sort_on_phase=0: at the next tick). Left out: the
// time a sort takes, which the paper hides too.
//
// The mechanism is in heddle/policy/pro.h, which pro_dyn shares. pro_nb, pro_nf and pro_nl are
// names for this policy with one of its parts off (src/registry/aliases.def).
#include "heddle/policy/pro.h"

static const struct hd_field pro_params[] = {
    PRO_THRESHOLD, PRO_BARRIER, PRO_FINISH,       PRO_PROGRESS, PRO_SORT_ON_PHASE,
    PRO_RESORT,    PRO_REENTER, PRO_FINISH_STAYS, PRO_INHERIT,  HD_FIELD_END};
static const struct hd_reading pro_readings[] = {
    {"barrier",
     "\"TB state is changed from noWait to barrierWait ... Warps of the TB are sorted in "
     "increasing order of their progress\" (section III.C.3); PRO-NB: \"special handling of "
     "warp divergence at barriers\" disabled (section IV), which may mean either half"},
    {"reenter",
     "\"setTBInNoWaitState(tb)\" (Algorithm 1, line 27): the state changes, and nothing is "
     "said of the place"},
    {"finish_stays",
     "\"When a warp of a TB in noWait state reaches a barrier statement\" (section "
     "III.C.3), and Figure 3 has no arc from finishWait to barrierWait; Algorithm 1, "
     "line 21, has no such condition"},
    {"inherit",
     "\"The sorted order of TBs can be maintained in an array of 1 byte registers\" (section "
     "III.E); where a new block enters is not said"},
    HD_READING_END};

HD_POLICY(pro, .brief = "progress aware: blocks about to finish or to pass a barrier first",
          .source = "Anantpur and Govindarajan, IPDPS 2015, Algorithm 1; see the file for choices",
          PRO_FUNCTIONS, .params = pro_params, .readings = pro_readings);
