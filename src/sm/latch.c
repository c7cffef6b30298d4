// latch.c - pipeline registers: up to four instructions, taken oldest first.
#include "sm/core.h"

bool hd_latch_put(struct hd_latch *l, struct hd_uop u)
{
    if (hd_latch_full(l))
        return false;
    l->slots[l->n++] = u;
    return true;
}

int hd_latch_oldest(const struct hd_latch *l)
{
    int best = HD_NONE;

    for (int i = 0; i < l->n; i++)
        if (best == HD_NONE || l->slots[i].order - l->slots[best].order > UINT32_MAX / 2)
            best = i;
    return best;
}

struct hd_uop hd_latch_take(struct hd_latch *l, int i)
{
    struct hd_uop u = l->slots[i];

    HD_DCHECK(i >= 0 && i < l->n);
    l->slots[i] = l->slots[--l->n];
    return u;
}
