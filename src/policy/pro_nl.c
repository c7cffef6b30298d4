// pro_nl.c - progress aware scheduling without progress: the other blocks stand by their index.
//
// Blocks that finish or wait at a barrier still go first; those that do neither, the lowest class,
// are not sorted by progress. Not in the paper: an ablation of ours, to see what the regular sort
// is worth. The same as pro:progress=0.
//
//   After: Anantpur, Govindarajan. "PRO: Progress Aware GPU Warp Scheduling Algorithm". IPDPS 2015.
//   Everything else as in pro.c.
#include "policy/pro.h"

static const struct hd_field pro_nl_params[] = {PRO_THRESHOLD,     PRO_BARRIER, PRO_FINISH,
                                                PRO_SORT_ON_PHASE, PRO_RESORT,  PRO_REENTER,
                                                HD_FIELD_END};

HD_POLICY(pro_nl, .brief = "pro without the sort by progress",
          .source = "ablation of ours after Anantpur and Govindarajan, IPDPS 2015", PRO_FUNCTIONS,
          .params = pro_nl_params);
