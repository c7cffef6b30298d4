// pro.c - progress aware: finishes thread blocks early while more wait to be placed, and evenly
// after that.
//
// A block that is about to finish, or about to pass its barrier, occupies resources of the SM while
// it waits for its last warps. So blocks in which some warp has finished go first, then blocks with
// warps at a barrier, and inside both the late warps first. The others are ordered by progress
// (active lanes issued so far): while more blocks wait to be placed (fast phase) the most advanced
// block goes first, so that it leaves and makes room; once the last has been placed (slow phase)
// the least advanced one goes first, so that all end together. The SM has one order, which each
// scheduler follows.
//
//   Anantpur, Govindarajan. "PRO: Progress Aware GPU Warp Scheduling Algorithm". IPDPS 2015,
//   Algorithm 1. The text is followed where algorithm and text differ (sort order in the fast
//   phase; the barrier count returns to 0; sorts fall on cycles 1000, 2000, ... as in its table
//   IV).
//
// The paper does not say these things: exited warps count towards a barrier; a block that passes
// its barrier with finished warps continues as a finishing one; others return to their rank of the
// last sort, since Algorithm 1 only changes their state (reenter=1: to the place of their present
// progress; 0: to the end): the last sort in which they were no special ones, or the end if they
// came after it. A block that is about to finish becomes one at a barrier when a warp arrives
// there, as in Algorithm 1, line 21 (finish_stays=1: it does not, as in the text). After its
// barrier it is one about to finish again, because section III defines this state by the finished
// warps (no_wait=1: line 27, which knows no finished warps there). Not modelled: the time that a
// sort takes, which the paper hides too.
//
// The slow phase begins on every SM when the last block is placed, because section III defines it
// so, and Algorithm 1 does not contradict: line 36 asks in each cycle whether the phase has
// changed, by a function that is not given. phase_seen=lines takes the algorithm at its word, which
// looks for blocks to be placed in lines 5 and 24 only. The change of phase sorts at once: section
// III.D derives from the sort which blocks are last when they move (sort_on_phase=0: lines 36 to 40
// merge only, and line 57 sorts at the next tick).
//
// The mechanism is in heddle/policy/pro.h, which pro_dyn shares. pro_nb, pro_nf and pro_nl are
// names for this policy without one of its parts (src/registry/aliases.def).
#include "heddle/policy/pro.h"

static const struct hd_field pro_params[] = {
    PRO_THRESHOLD, PRO_BARRIER,      PRO_FINISH,  PRO_PROGRESS,   PRO_SORT_ON_PHASE, PRO_RESORT,
    PRO_REENTER,   PRO_FINISH_STAYS, PRO_INHERIT, PRO_PHASE_SEEN, PRO_NO_WAIT,       HD_FIELD_END};
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
    {"phase_seen",
     "the slow phase \"is from the time the Thread Block Scheduler assigns the last\" block of a "
     "kernel (section III); Algorithm 1 asks for waiting blocks in lines 5 and 24 only, and for "
     "the transition in each cycle (line 36)"},
    {"sort_on_phase",
     "finishing blocks \"get the least priority when they move\", which the sort by rising "
     "progress "
     "implies (section III.D); lines 36 to 40 of Algorithm 1 merge, and line 57 sorts at the tick"},
    {"no_wait",
     "a block whose warps have all reached the barrier \"comes back to noWait state\" (section "
     "III.B; line 27); finishWait is \"if at least one of its warps has finished execution\" "
     "(section III)"},
    HD_READING_END};

HD_POLICY(pro, .brief = "progress aware: blocks about to finish or to pass a barrier first",
          .source = "Anantpur and Govindarajan, IPDPS 2015, Algorithm 1; see the file for choices",
          PRO_FUNCTIONS, .params = pro_params, .readings = pro_readings);
