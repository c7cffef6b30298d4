// follow.c - a fetch order made of the schedulers' orders. Part of heddle/policy.h, so that fetch
// policies in plug-ins can use it; here because a policy file includes nothing else.
#include "heddle/policy.h"

int hd_follow(int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among),
              struct hd_pstate st, size_t size, const struct hd_view *v, int lead, uint64_t among)
{
    uint64_t left[HD_MAX_SCHEDULERS];
    int n = v->n_sched;

    if (among & ~v->live)
        return hd_first(among & ~v->live);
    for (int s = 0; s < n; s++) // who may be asked for: awake warps have a place, others a claim
        left[s] = v->mine[s] & ((v->live & ~v->waiting) | among);
    for (int place = 0; place < HD_MAX_WARPS; place++)
        for (int i = 0; i < n; i++) {
            int s = (lead + i) % n;
            struct hd_pstate mine = st;
            if (!left[s])
                continue;
            mine.sched = (char *)st.sched + (size_t)s * size;
            int w = first(mine, v, s, left[s]);
            if (hd_has(among, w))
                return w;
            left[s] &= ~hd_bit(w);
        }
    return hd_first(among); // slots of no scheduler
}
