// parked.c - blocks that have left their SM until what they launched is complete, and those of them
// that may continue.
#include "gpu/gpu_internal.h"

#include "emu/parked_block.h"

void hd_parked_left(struct hd_gpu *g, const struct hd_parked_block *r)
{
    for (int slot = 0; slot < (int)g->n_slots; slot++)
        if (g->running[slot].launch == r->launch)
            g->running[slot].tbs_done--; // it had only left
    g->queue[r->launch->id].n_away++;
}

static bool has_slot(const struct hd_gpu *g, const struct hd_launch *l)
{
    for (int slot = 0; slot < (int)g->n_slots; slot++)
        if (g->running[slot].launch == l)
            return true;
    return false;
}

void hd_parked_back(struct hd_gpu *g, struct hd_parked_block *r)
{
    struct hd_queued *q = &g->queue[r->launch->id];

    r->next = NULL;
    if (q->back)
        q->last_back->next = r;
    else
        q->back = r;
    q->last_back = r;
    q->n_back++;
    if (has_slot(g, r->launch)) {
        g->tbs_left++;
        g->full = false;
    } else if (q->n_back == 1) {
        *HD_PUSH(g->arena, g->again, g->n_again, g->cap_again) = r->launch->id;
    }
}

struct hd_parked_block *hd_parked_take_back(struct hd_gpu *g, uint32_t launch)
{
    struct hd_queued *q = &g->queue[launch];
    struct hd_parked_block *r = q->back;

    if (r) {
        q->back = r->next;
        q->n_back--;
        q->n_away--;
    }
    return r;
}

uint32_t hd_parked_take_again(struct hd_gpu *g)
{
    uint32_t launch;

    if (g->first_again == g->n_again)
        return UINT32_MAX;
    launch = g->again[g->first_again++];
    if (g->first_again == g->n_again)
        g->first_again = g->n_again = 0;
    return launch;
}
