// keep.c - the walk over a warp. See keep.h.
#include "emu/keep.h"

#include "emu/state.h"

static void keep_errors(struct hd_emu_sm *sm, unsigned slot, struct hd_keep *k)
{
    static uint16_t none[HD_LANES]; // never written
    uint16_t errors[HD_LANES], any = 0;

    if (k->what != HD_KEEP_LOAD) {
        hd_keep(k, sm->errors ? sm->errors + slot * HD_LANES : none, sizeof errors);
        return;
    }
    hd_keep(k, errors, sizeof errors);
    for (unsigned l = 0; l < HD_LANES; l++)
        any |= errors[l];
    if (!any && !sm->errors)
        return;
    if (!sm->errors)
        sm->errors = HD_ARRAY(sm->emu->arena, uint16_t, HD_MAX_WARPS * HD_LANES);
    memcpy(sm->errors + slot * HD_LANES, errors, sizeof errors);
}

void hd_keep_warp(struct hd_emu_sm *sm, unsigned slot, struct hd_keep *k)
{
    struct hd_simt *s = &sm->simt;
    uint32_t *const columns[] = {s->pc,     s->lanes, s->reconv, s->alive,
                                 s->parked, s->frame, s->depth};

    for (unsigned i = 0; i < sizeof columns / sizeof *columns; i++)
        hd_keep(k, &columns[i][slot], sizeof *columns[i]);
    if (s->pc[slot] == HD_PC_NONE)
        return;
    hd_keep(k, s->below[slot], s->depth[slot] * sizeof *s->below[slot]);
    hd_keep(k, &sm->waiting[slot], sizeof sm->waiting[slot]);
    keep_errors(sm, slot, k);
    hd_keep(k, sm->rows + slot * sm->warp_rows, sm->warp_rows * sizeof *sm->rows);
    hd_keep(k, sm->preds + slot * sm->warp_preds, sm->warp_preds * sizeof *sm->preds);
    if (sm->stack_limit)
        hd_call_keep(sm, slot, k);
    else
        hd_keep(k, sm->local + slot * sm->warp_local, sm->warp_local);
}
