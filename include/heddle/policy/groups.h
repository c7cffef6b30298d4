// groups.h - warp orders by groups of thread blocks, for policies that let related blocks issue
// together: the group of the warp that issued last, then that of the oldest warp; round robin in a
// group, which begins after the warp that issued last.
#ifndef HEDDLE_POLICY_GROUPS_H
#define HEDDLE_POLICY_GROUPS_H

#include "heddle/policy.h"

// The warps of the blocks whose group, in `group` by block slot, has this number.
static inline uint64_t groups_warps(const struct hd_view *v, const uint8_t group[HD_MAX_TBS],
                                    uint8_t number)
{
    uint64_t warps = 0;
    int tb;

    HD_EACH(tb, v->tb_live)
        if (group[tb] == number)
            warps |= v->tbs[tb].warps;
    return warps;
}

// For hd_policy.first. Which group is next does not depend on the set but on the oldest live warp
// of each group, so the choices are an order. Waiting warps come last.
static inline int groups_first(const struct hd_view *v, const uint8_t group[HD_MAX_TBS], int s,
                               uint64_t among)
{
    uint64_t awake = among & ~v->waiting, chosen = 0;
    uint32_t oldest = UINT32_MAX;
    int last = v->last_issued[s];

    if (!awake)
        return hd_first(among);
    if (last != HD_NONE)
        chosen = awake & groups_warps(v, group, group[v->tb_of[last]]);
    for (uint64_t left = chosen ? 0 : awake; left;) {
        int w = hd_first(left);
        uint64_t warps = groups_warps(v, group, group[v->tb_of[w]]);
        int first = hd_oldest(warps & v->live, v->age);
        if (first != HD_NONE && (!chosen || v->age[first] < oldest)) {
            chosen = warps & awake;
            oldest = v->age[first];
        }
        left &= ~(warps | hd_bit(w));
    }
    return hd_rotate_from(chosen ? chosen : awake, last + 1);
}

#endif
