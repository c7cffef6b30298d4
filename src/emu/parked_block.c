// parked_block.c - saves the state of a block (registers, stacks, shared and local memory) when it
// leaves its SM, and loads it again, possibly on another SM.
//
// The storage belongs to the SM that the block leaves and returns to that SM's list, so that SMs
// may be stepped in any order.
#include "base/bug.h"
#include "emu/emu_internal.h"
#include "emu/snapshot.h"

struct hd_emu_parked {
    struct hd_parked_block shown; // first
    struct hd_emu_sm *home;       // the owner of this storage
    unsigned size;                // class: 1 << size bytes
    size_t bytes;
    uint8_t *state;
    struct hd_emu_parked *next; // in the list of free ones
};

static struct hd_emu_parked *take(struct hd_emu_sm *sm, size_t bytes)
{
    unsigned size = 10;
    struct hd_emu_parked *p;

    while ((size_t)1 << size < bytes)
        size++;
    HD_BUG_IF(size >= HD_PARKED_SIZES, "%zu bytes of a block", bytes);
    p = sm->free_parked[size];
    if (p) {
        sm->free_parked[size] = p->next;
    } else {
        p = HD_NEW(hd_emu_arena(sm), hd_emu_parked);
        p->state = hd_arena_get(hd_emu_arena(sm), (size_t)1 << size, 1);
        p->size = size;
        p->home = sm;
    }
    p->bytes = bytes;
    return p;
}

static void walk(struct hd_emu_sm *sm, struct hd_emu_tb *t, struct hd_snapshot *s)
{
    hd_snapshot_part(s, t->shared, t->needs.shared);
    hd_snapshot_part(s, t->reduce, sizeof t->reduce);
    for (unsigned i = 0; i < t->n_warps; i++)
        hd_snapshot_warp(sm, t->first_warp + i, s);
}

static struct hd_barriers moved(const struct hd_barriers *b, unsigned from, unsigned to)
{
    struct hd_barriers m = *b;

    m.live = b->live >> from << to;
    m.cluster_came = b->cluster_came >> from << to;
    m.cluster_waiting = b->cluster_waiting >> from << to;
    for (unsigned i = 0; i < HD_BARRIERS; i++)
        m.waiting[i] = b->waiting[i] >> from << to;
    return m;
}

struct hd_parked_block *hd_parked_block_save(struct hd_emu_sm *sm, struct hd_emu_tb *t)
{
    struct hd_snapshot s = {.what = HD_SNAPSHOT_MEASURE};
    struct hd_emu_parked *p;

    walk(sm, t, &s);
    p = take(sm, s.n);
    s = (struct hd_snapshot){.what = HD_SNAPSHOT_SAVE, .at = p->state};
    walk(sm, t, &s);
    p->shown = (struct hd_parked_block){.launch = t->launch,
                                        .index = {t->index[0], t->index[1], t->index[2]},
                                        .linear = t->linear,
                                        .barriers = moved(&t->barriers, t->first_warp, 0)};
    return &p->shown;
}

struct hd_parked_block *hd_parked_block_load(struct hd_emu_sm *sm, struct hd_emu_tb *t,
                                             const struct hd_parked_block *b)
{
    struct hd_emu_parked *p = (struct hd_emu_parked *)(uintptr_t)b;
    struct hd_snapshot s = {.what = HD_SNAPSHOT_LOAD, .at = p->state};

    walk(sm, t, &s);
    HD_BUG_IF(s.n != p->bytes, "%zu bytes of a block, %zu were saved", s.n, p->bytes);
    t->barriers = moved(&b->barriers, 0, t->first_warp);
    p->next = p->home->free_parked[p->size];
    p->home->free_parked[p->size] = p;
    return &p->shown;
}
