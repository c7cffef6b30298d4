// watch.c - detects states of warps that occur again. See watch.h.
#include "emu/watch.h"

#include "emu/snapshot.h"

#define FIRST 8    // checks until the first state is saved
#define LONG 16384 // instructions without progress after which a warp lets its other paths go on

void hd_watch_start(struct hd_emu_sm *sm)
{
    if (!sm->watch)
        sm->watch = HD_NEW(hd_emu_arena(sm), hd_watch);
    sm->watch->moved = sm->watch->circles = 0;
    sm->watch->started++;
    for (unsigned w = 0; w < HD_MAX_WARPS; w++)
        hd_watch_forget(sm, w);
}

void hd_watch_forget(struct hd_emu_sm *sm, unsigned warp)
{
    struct hd_watch_warp *x = &sm->watch->warps[warp];

    x->pc = HD_PC_NONE;
    x->left = x->power = FIRST;
    x->outside = false;
    x->steps = 0;
    sm->watch->moved &= ~hd_bit((int)warp);
    sm->watch->circles &= ~hd_bit((int)warp);
}

// Most states differ from the saved one at the same place as last time, such as a register that
// counts.
static bool same(struct hd_emu_sm *sm, unsigned warp, struct hd_watch_warp *x)
{
    struct hd_snapshot k = {.what = HD_SNAPSHOT_COMPARE, .at = x->saved};

    if (sm->simt.pc[warp] != x->pc || (x->now && *x->now != *x->then))
        return false;
    hd_snapshot_warp(sm, warp, &k);
    x->now = k.now;
    x->then = k.then;
    return !k.now;
}

static void save(struct hd_emu_sm *sm, unsigned warp, struct hd_watch_warp *x, uint64_t epoch)
{
    struct hd_snapshot k = {.what = HD_SNAPSHOT_MEASURE};

    hd_snapshot_warp(sm, warp, &k);
    if (k.n > x->room) {
        x->room = k.n + k.n / 2;
        x->saved = hd_arena_get(hd_emu_arena(sm), x->room, 1);
    }
    k = (struct hd_snapshot){.what = HD_SNAPSHOT_SAVE, .at = x->saved};
    hd_snapshot_warp(sm, warp, &k);
    x->bytes = k.n;
    x->pc = sm->simt.pc[warp];
    x->now = x->then = NULL;
    x->epoch = epoch;
    x->outside = false;
}

bool hd_watch_look(struct hd_emu_sm *sm, unsigned warp, uint64_t epoch)
{
    struct hd_watch_warp *x = &sm->watch->warps[warp];

    if (same(sm, warp, x)) {
        bool again = x->epoch == epoch;
        x->epoch = epoch;
        return again;
    }
    if (--x->left)
        return false;
    save(sm, warp, x, epoch);
    x->power = x->power < UINT32_MAX / 2 ? 2 * x->power : x->power;
    x->left = x->power;
    return false;
}

void hd_watch_wake(struct hd_emu_sm *sm, unsigned warp, uint64_t epoch)
{
    sm->watch->warps[warp].epoch = epoch;
}

void hd_watch_read(struct hd_emu_sm *sm, unsigned warp, const struct hd_effects *e)
{
    const struct hd_memory *m = sm->emu->memory;
    struct hd_watch_warp *x = &sm->watch->warps[warp];

    if (x->outside || !hd_memory_any_outside(m) ||
        (e->space != HD_SPACE_GLOBAL && !(e->flags & HD_EFF_HIDDEN_ACCESS)))
        return;
    x->outside = e->flags & HD_EFF_HIDDEN_ACCESS;
    for (uint32_t l = e->exec_mask; l && !x->outside; l &= l - 1)
        x->outside = hd_memory_outside(m, e->addr[__builtin_ctz(l)]);
}

bool hd_watch_outside(const struct hd_emu_sm *sm, unsigned warp)
{
    const struct hd_emu *e = sm->emu;

    return sm->watch->warps[warp].outside && (!e->outsiders || e->outsiders());
}

bool hd_watch_step(struct hd_emu_sm *sm, unsigned warp)
{
    uint64_t bit = hd_bit((int)warp);

    sm->watch->moved |= bit;
    if (sm->watch->circles & bit)
        return false;
    if (++sm->watch->warps[warp].steps % LONG == 0 && sm->warps[warp].apart &&
        hd_paths_yield(sm, warp))
        return true;
    if (!hd_watch_look(sm, warp, 0))
        return false;
    if (hd_paths_proven(sm, warp, sm->watch->started)) {
        hd_watch_forget(sm, warp);
        sm->watch->moved |= bit;
        return true;
    }
    sm->watch->circles |= bit;
    return false;
}
