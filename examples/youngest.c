// youngest.c - the youngest warp that can issue: a whole scheduling policy.
//
// The opposite of `oldest`: new thread blocks get ahead, old ones wait. Build it as a plug-in:
//   cc -std=c11 -shared -fPIC -Iinclude examples/youngest.c -o youngest.so
//   heddle toy lfws-fig1 --plugin ./youngest.so --sched oldest,youngest
#include "heddle/policy.h"

static int youngest_first(struct hd_pstate st, const struct hd_view *v, int s, uint64_t among)
{
    int best = hd_first(among), w;

    (void)st, (void)s;
    HD_EACH(w, among)
        if (v->age[w] > v->age[best])
            best = w;
    return best;
}

HD_POLICY(youngest, .brief = "youngest warp that can issue", .source = "an example",
          .first = youngest_first);
