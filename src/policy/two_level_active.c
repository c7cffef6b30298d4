// two_level_active.c - a few active warps in round robin, the others queue for a place.
//
// Only the warps of a small active list are scheduled. One that starts to wait for memory or at a
// barrier goes to the end of a queue, and the head of the queue takes its place. The warps then
// arrive at their long loads in groups instead of all at once, and the hardware that selects a warp
// each cycle only has to examine a few.
//
//   GPGPU-Sim 3.2.2, two_level_active_scheduler, with its configuration 6:0:1: what PRO, ELF and
//   LFWS call two-level. The idea: Narasiman et al., MICRO 2011; Gebhart et al., ISCA 2011.
//
// It follows that source even in its oddities: a warp that enters from the queue may be unable to
// run, and slots without a warp are in the queue with the others, so each cycle may see other warps
// or none. "Waits for memory" is the scoreboard's long mark, which in that source outlives the
// load; with fixed=1 it counts only while the scoreboard refuses the warp. skip_dead=1 leaves empty
// slots in the queue. After an issue the whole active list rotates until the warp is last.
//
// The lists themselves: heddle/policy/two_level.h.
#include "heddle/policy/two_level.h"

static int two_level_active_first(struct hd_pstate st, const struct hd_view *v, int s,
                                  uint64_t among)
{
    const struct two_level *tl = st.sched;

    (void)v, (void)s;
    for (unsigned i = 0; i < tl->n; i++)
        if (hd_has(among, tl->slots[i]))
            return tl->slots[i];
    return HD_NONE;
}

static const struct hd_field two_level_active_params[] = {
    TWO_LEVEL_ACTIVE,
    HD_F_U32(two_level_params, inner, "0", 0, 0, "",
             "order in the active list: 0 = round robin, the only one that exists"),
    HD_F_U32(two_level_params, outer, "1", 1, 1, "",
             "order of the queue: 1 = first in, first out, the only one that exists"),
    TWO_LEVEL_FIXED,
    TWO_LEVEL_SKIP_DEAD,
    HD_FIELD_END};

HD_POLICY(two_level_active, .brief = "a few active warps in round robin, the others in a queue",
          .source = "GPGPU-Sim 3.2.2; idea: Narasiman et al., MICRO 2011", TWO_LEVEL_LISTS,
          .params = two_level_active_params, .first = two_level_active_first);
