// mwf.c - most waiting first: the block that most warps wait for at a barrier goes first.
//
// A block passes its barrier when its last warp arrives; until then the warps that have arrived do
// nothing. So the warps of the block with the largest number of waiting warps get the highest
// priority: many others wait for them. This is the scheduling half of BAWS.
//
//   Liu, Yu, Eeckhout, Reddi, Luo, Wang, Wang, Xu. "Barrier-Aware Warp Scheduling for Throughput
//   Processors". ICS 2016, section 4.1.
//
// Blocks by waiting warps, then by slot (ties=id: by index in the grid); inside a block LRR (from
// the slot after the warp that the block issued last on this scheduler) or GTO (the warp that the
// scheduler issued last, then the lowest id), the paper's two variants; `last` makes either start
// like the other. All schedulers of an SM share the counts. Some choices are heddle's, because the
// available copy of the text ends before them, or leaves them open: with no warp at any barrier the
// order is plain LRR or GTO over all warps; blocks in which none waits follow the others in the
// order of ties (unwaited=base: in that plain order); ended warps do not count as waiting (exit=1:
// they do, because the paper calls the end of a block an implicit barrier). The code is in
// heddle/policy/mwf.h, which baws uses too.
#include "heddle/policy/mwf.h"

static const struct hd_field mwf_params[] = {MWF_BASE, MWF_EXIT,     MWF_TIES,
                                             MWF_LAST, MWF_UNWAITED, HD_FIELD_END};
static const struct hd_reading mwf_readings[] = {MWF_READINGS, HD_READING_END};

HD_POLICY(mwf, .brief = "most waiting first: the block with most warps at its barrier goes first",
          .source = "BAWS (Liu et al., ICS 2016), section 4.1; plain base order without waiting "
                    "warps is heddle's",
          MWF_FUNCTIONS, .params = mwf_params, .readings = mwf_readings);
