// mwf.c - most waiting first: the block that most warps wait for at a barrier goes first.
//
// A block passes its barrier when its last warp arrives; until then the warps that are there do
// nothing. So warps of the block with the largest number of waiting warps get the highest priority:
// they are the ones that many others wait for. The scheduling half of BAWS.
//
//   Liu, Yu, Eeckhout, Reddi, Luo, Wang, Wang, Xu. "Barrier-Aware Warp Scheduling for Throughput
//   Processors". ICS 2016, section 4.1.
//
// Blocks by waiting warps, then by block index; inside a block LRR (from the slot after its last
// issued warp) or GTO (that warp, then the lowest id), the paper's two variants. All schedulers of
// an SM share the counts; the last warp issued is kept per block and scheduler. Ours, because our
// copy of the text ends before: with no warp at any barrier the order is plain LRR or GTO over all
// warps; ended warps don't count as waiting (exit=1: they do, the paper calls the end of a block an
// implicit barrier). The code is in heddle/policy/mwf.h,
// shared with baws.
#include "heddle/policy/mwf.h"

static const struct hd_field mwf_params[] = {MWF_BASE, MWF_EXIT, MWF_TIES, HD_FIELD_END};
static const struct hd_reading mwf_readings[] = {MWF_READINGS, HD_READING_END};

HD_POLICY(
    mwf, .brief = "most waiting first: the block with most warps at its barrier goes first",
    .source = "BAWS (Liu et al., ICS 2016), section 4.1; plain base order without waiters ours",
    MWF_FUNCTIONS, .params = mwf_params, .readings = mwf_readings);
