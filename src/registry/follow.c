// follow.c - a fetch order derived from the schedulers' orders. Part of heddle/policy_gpu.h, so
// that fetch policies in plug-ins can use it; it is here because policy files include nothing of
// src/.
//
// In the interleaved order, the place of a scheduler's first wanted warp is the number of that
// scheduler's warps that precede it; of equal places, the scheduler nearer to the lead comes first.
// So only these numbers are needed and not the orders.
#include "heddle/policy_gpu.h"

// The number of warps of `set` that precede w, found pair by pair.
static unsigned
count_ahead(int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among),
            struct hd_pstate st, const struct hd_view *v, int s, uint64_t set, int w)
{
    unsigned n = 0;
    int u;

    HD_EACH(u, set)
        n += first(st, v, s, hd_bit(u) | hd_bit(w)) == u;
    return n;
}

int hd_follow_ahead(int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among),
                    unsigned (*ahead)(struct hd_pstate, const struct hd_view *, int s, uint64_t set,
                                      int w),
                    struct hd_pstate st, size_t size, const struct hd_view *v, int lead,
                    uint64_t among)
{
    unsigned best = HD_MAX_WARPS + 1, n = v->n_sched, s = (unsigned)lead % n;
    struct hd_pstate mine = st;
    int chosen = HD_NONE;
    uint64_t asking = 0; // schedulers

    if (among & ~v->live)
        return hd_first(among & ~v->live);
    for (unsigned i = 0; i < n; i++)
        asking |= among & v->mine[i] ? hd_bit((int)i) : 0;
    if (!asking)
        return hd_first(among); // slots that belong to no scheduler
    for (; asking && best; s = s + 1 == n ? 0 : s + 1) {
        if (!hd_has(asking, (int)s))
            continue;
        asking &= ~hd_bit((int)s);
        mine.sched = (char *)st.sched + s * size;
        int wanted = first(mine, v, (int)s, among & v->mine[s]);
        if (!asking && chosen == HD_NONE) // no other scheduler asks
            return wanted;
        // Warps that do not wait have a place; the others at most would have one, and none of these
        // precedes this one.
        uint64_t others = v->mine[s] & v->live & ~v->waiting & ~among;
        unsigned place = ahead ? ahead(mine, v, (int)s, others, wanted)
                               : count_ahead(first, mine, v, (int)s, others, wanted);
        if (place < best) {
            best = place;
            chosen = wanted;
        }
    }
    return chosen;
}

int hd_follow(int (*first)(struct hd_pstate, const struct hd_view *, int s, uint64_t among),
              struct hd_pstate st, size_t size, const struct hd_view *v, int lead, uint64_t among)
{
    return hd_follow_ahead(first, NULL, st, size, v, lead, among);
}
