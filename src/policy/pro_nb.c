// pro_nb.c - progress aware scheduling without its special handling of barriers.
//
// A block with warps at a barrier keeps its place among the others instead of moving ahead of them.
// The paper names it where PRO loses: scalarProdGPU gains 11 % when "special handling of warp
// divergence at barriers" is disabled. It is pro:barrier=0 under the name of that experiment.
//
//   Anantpur, Govindarajan. "PRO: Progress Aware GPU Warp Scheduling Algorithm". IPDPS 2015,
//   section IV. Everything else as in pro.c.
#include "policy/pro.h"

static const struct hd_field pro_nb_params[] = {PRO_THRESHOLD,     PRO_FINISH, PRO_PROGRESS,
                                                PRO_SORT_ON_PHASE, PRO_RESORT, HD_FIELD_END};

HD_POLICY(pro_nb, .brief = "pro without special handling of blocks at a barrier",
          .source = "Anantpur and Govindarajan, IPDPS 2015, section IV (scalarProdGPU)",
          PRO_FUNCTIONS, .params = pro_nb_params);
