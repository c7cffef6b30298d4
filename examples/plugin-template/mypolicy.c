// mypolicy.c - the warp that has done most goes first, then the oldest: a policy to start from.
//
// Rename the file, the function and the name in HD_POLICY, and POLICY in the Makefile. What a
// policy sees and promises is in heddle/policy.h.
#include "heddle/policy.h"

static int mypolicy_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    int best = hd_first(among), w;

    (void)st, (void)s;
    HD_EACH(w, among)
        if (v->progress[w] > v->progress[best] ||
            (v->progress[w] == v->progress[best] && v->age[w] < v->age[best]))
            best = w;
    return best;
}

HD_POLICY(mypolicy, .brief = "most progress first, then the oldest", .source = "the template",
          .first = mypolicy_first);
