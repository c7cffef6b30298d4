// profile.c - charging scheduler cycles to instructions. Off unless asked for; see
// heddle/profile.h.
#include "heddle/profile.h"

#include "sm/core.h"

void hd_profile_issue(struct hd_sm *sm, uint32_t pc, uint32_t lanes)
{
    struct hd_profile_line *l = &sm->profile->lines[pc];

    l->issued++;
    l->lanes += (unsigned)__builtin_popcount(lanes);
}

static void charge_idle(struct hd_sm *sm, uint64_t mine, uint64_t eligible, uint64_t n)
{
    struct hd_profile_idle *idle = &sm->profile->idle;
    const struct hd_view *v = &sm->view;
    uint64_t live = mine & v->live;

    if (live & eligible & ~v->waiting & (v->ibuf_empty | v->wrong_path))
        idle->fetch += n;
    else if (live & v->at_barrier)
        idle->barrier += n;
    else if (live & v->waiting)
        idle->memory += n;
    else if (live)
        idle->order += n;
    else if (mine & sm->resident)
        idle->stores += n;
    else
        idle->empty += n;
}

void hd_profile_stall(struct hd_sm *sm, int s, int first, uint64_t eligible, unsigned outcome,
                      uint64_t n)
{
    struct hd_profile_line *l;

    if (first == HD_NONE) {
        charge_idle(sm, sm->view.mine[s], eligible, n);
        return;
    }
    l = &sm->profile->lines[sm->warps[first].ibuf_pc];
    if ((outcome & HD_OUTCOME_CLASS) == HD_STALL_SCOREBOARD)
        l->scoreboard += n;
    else
        l->pipeline += n;
}

void hd_sm_set_profile(struct hd_sm *sm, struct hd_profile *p)
{
    sm->profile = p;
}
