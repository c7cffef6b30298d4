// snapshot.c - walks over a warp's state. See snapshot.h.
#include "emu/snapshot.h"

#include "emu/emu_internal.h"

void hd_snapshot_warp(struct hd_emu_sm *sm, unsigned slot, struct hd_snapshot *k)
{
    const struct hd_emu *e = sm->emu;
    struct hd_simt *s = &sm->simt;
    uint32_t *const columns[] = {s->pc,     s->lanes,  s->reconv, s->alive,
                                 s->parked, s->passed, s->frame,  s->depth};

    for (unsigned i = 0; i < sizeof columns / sizeof *columns; i++)
        hd_snapshot_part(k, &columns[i][slot], sizeof *columns[i]);
    if (s->pc[slot] == HD_PC_NONE)
        return;
    hd_snapshot_part(k, s->below[slot], s->depth[slot] * sizeof *s->below[slot]);
    hd_snapshot_part(k, &s->mixed[slot], sizeof s->mixed[slot]);
    hd_snapshot_part(k, &sm->waiting[slot], sizeof sm->waiting[slot]);
    hd_snapshot_part(k, &sm->paths[slot].came, sizeof sm->paths[slot].came);
    hd_snapshot_part(k, &sm->paths[slot].due, sizeof sm->paths[slot].due);
    if (e->runtime)
        e->runtime->snapshot(e->runtime_ctx, sm, slot, k);
    const struct hd_emu_tb *t = sm->warps[slot].tb;
    const struct hd_emu_needs *n = &t->needs;
    const size_t i = slot - t->first_warp;
    hd_snapshot_part(k, t->rows + i * n->rows, n->rows * sizeof *t->rows);
    hd_snapshot_part(k, t->preds + i * n->preds, n->preds * sizeof *t->preds);
    if (n->stack_limit)
        hd_call_snapshot(sm, slot, k);
    else
        hd_snapshot_part(k, sm->rooms[slot].local, n->local);
}
