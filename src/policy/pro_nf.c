// pro_nf.c - progress aware scheduling without its special handling of finishing blocks.
//
// A block in which some warp has finished keeps its place among the others. Not in the paper: an
// ablation of ours, to see what finishing blocks early is worth. The same as pro:finish=0.
//
//   After: Anantpur, Govindarajan. "PRO: Progress Aware GPU Warp Scheduling Algorithm". IPDPS 2015.
//   Everything else as in pro.c.
#include "policy/pro.h"

static const struct hd_field pro_nf_params[] = {PRO_THRESHOLD,     PRO_BARRIER, PRO_PROGRESS,
                                                PRO_SORT_ON_PHASE, PRO_RESORT,  PRO_REENTER,
                                                HD_FIELD_END};

HD_POLICY(pro_nf, .brief = "pro without special handling of blocks about to finish",
          .source = "ablation of ours after Anantpur and Govindarajan, IPDPS 2015", PRO_FUNCTIONS,
          .params = pro_nf_params);
