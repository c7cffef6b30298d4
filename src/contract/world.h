// world.h - a random but consistent SM, as a policy sees it: blocks come and go, warps issue, wait,
// fetch, miss. Nothing in it follows a program; every combination of facts may occur that the
// interface allows.
#ifndef HEDDLE_CONTRACT_WORLD_H
#define HEDDLE_CONTRACT_WORLD_H

#include "heddle/policy.h"

#include <string.h>

#define WORLD_INSNS 64
#define WORLD_STRIDE 6 // warp slots of a block slot
#define WORLD_TBS 8

struct world {
    uint64_t seed;
    struct hd_view v;
    struct hd_static_view columns;
    struct hd_tb_view tbs[HD_MAX_TBS];
    uint32_t pc[HD_MAX_WARPS], age[HD_MAX_WARPS];
    uint64_t progress[HD_MAX_WARPS];
    uint8_t tb_of[HD_MAX_WARPS];
    uint8_t kind[WORLD_INSNS], load_distance[WORLD_INSNS], recalc[WORLD_INSNS];
    uint32_t next_age, next_tb;
    void (*tell)(struct world *w, const struct hd_event *e); // called for every event
    void *teller;
};

// SplitMix64
static inline uint64_t world_draw(struct world *w)
{
    uint64_t z = w->seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static inline unsigned world_below(struct world *w, unsigned n)
{
    return (unsigned)(world_draw(w) % n);
}

// A slot of the mask, HD_NONE if it is empty.
static inline int world_pick(struct world *w, uint64_t mask)
{
    return mask ? hd_rotate_from(mask, (int)world_below(w, 64)) : HD_NONE;
}

static inline void world_event(struct world *w, enum hd_event_kind kind, int warp,
                               struct hd_event more)
{
    more.kind = (uint8_t)kind;
    if (warp != HD_NONE) {
        more.warp = (uint8_t)warp;
        more.sched = (uint8_t)((unsigned)warp % w->v.n_sched);
        more.tb = w->tb_of[warp];
        if (kind != HD_EV_ISSUE && kind != HD_EV_PC_JUMP)
            more.pc = w->pc[warp];
    }
    w->tell(w, &more);
}

// Other facts about the head instruction of a slot.
static inline void world_new_head(struct world *w, int warp)
{
    uint64_t bit = hd_bit(warp), dice = world_draw(w);
    struct hd_view *v = &w->v;
    uint64_t *const facts[] = {&v->ibuf_empty, &v->imiss,      &v->wrong_path,  &v->sb_block,
                               &v->head_load,  &v->head_store, &v->head_atomic, &v->head_declared};

    for (unsigned i = 0; i < sizeof facts / sizeof *facts; i++, dice >>= 2)
        *facts[i] = (v->live & bit) && !(dice & 3) ? *facts[i] | bit : *facts[i] & ~bit;
    v->head_texture &= ~bit;
    v->head_generic &= ~bit;
    if ((v->head_declared & bit) && (dice >> 4 & 3) == 0) { // of the rest of the draw
        v->head_declared &= ~bit;
        *(dice >> 6 & 1 ? &v->head_texture : &v->head_generic) |= bit;
    }
    v->long_mark = (v->live & bit) && (dice & 1) ? v->long_mark | bit : v->long_mark & ~bit;
    v->wrong_path &= ~v->ibuf_empty;
}

static inline void world_start_block(struct world *w)
{
    int slot = world_pick(w, hd_low(WORLD_TBS) & ~w->v.tb_live), warp;
    unsigned n = 1 + world_below(w, WORLD_STRIDE);

    if (slot == HD_NONE || !w->v.tbs_pending)
        return;
    w->tbs[slot] = (struct hd_tb_view){.warps = hd_low(n) << (slot * WORLD_STRIDE),
                                       .global_id = w->next_tb++,
                                       .kernel = w->v.kernel,
                                       .parent_kernel = UINT32_MAX,
                                       .parent_tb = UINT32_MAX,
                                       .n_warps = (uint8_t)n,
                                       .launches = slot % 3 == 0,
                                       .key = w->v.kernel + 1};
    if (slot % 2) { // a child of a block that may still be here, or have ended
        w->tbs[slot].parent_kernel = w->v.kernel;
        w->tbs[slot].parent_tb = w->tbs[slot].global_id - w->tbs[slot].global_id % 4;
        w->tbs[slot].mark = w->tbs[slot].global_id % 7;
    }
    w->v.tb_live |= hd_bit(slot);
    w->v.live |= w->tbs[slot].warps;
    w->v.waiting &= ~w->tbs[slot].warps;
    w->v.tbs_pending--;
    HD_EACH(warp, w->tbs[slot].warps) {
        w->age[warp] = w->next_age++;
        w->progress[warp] = 0;
        w->pc[warp] = 0;
        w->tb_of[warp] = (uint8_t)slot;
        world_new_head(w, warp);
    }
    world_event(w, HD_EV_TB_START, HD_NONE, (struct hd_event){.tb = (uint8_t)slot});
    HD_EACH(warp, w->tbs[slot].warps)
        world_event(w, HD_EV_WARP_START, warp, (struct hd_event){0});
    if (!w->v.tbs_pending)
        world_event(w, HD_EV_PHASE_SLOW, HD_NONE, (struct hd_event){0});
}

static inline void world_end_blocks(struct world *w)
{
    int slot;

    HD_EACH(slot, w->v.tb_live) {
        if (w->tbs[slot].finished < w->tbs[slot].n_warps || world_below(w, 3))
            continue;
        w->v.tb_live &= ~hd_bit(slot);
        world_event(w, HD_EV_TB_END, HD_NONE, (struct hd_event){.tb = (uint8_t)slot});
    }
    if (w->v.tb_live || w->v.tbs_pending)
        return;
    world_event(w, HD_EV_KERNEL_END, HD_NONE, (struct hd_event){.kernel = w->v.kernel});
    world_event(
        w, HD_EV_KERNEL_COMPLETE, HD_NONE,
        (struct hd_event){.kernel = w->v.kernel, .flags = w->v.kernel % 2 ? HD_KERNEL_PARENT : 0});
    w->v.kernel++;
    w->v.tbs_pending = 1 + world_below(w, 20);
    w->next_tb = 0;
    world_event(w, HD_EV_KERNEL_START, HD_NONE, (struct hd_event){.kernel = w->v.kernel});
}

static inline void world_try_release(struct world *w, int slot)
{
    struct hd_tb_view *tb = &w->tbs[slot];

    if (!tb->at_barrier || tb->at_barrier + tb->finished < tb->n_warps)
        return;
    tb->at_barrier = 0;
    w->v.waiting &= ~(tb->warps & w->v.live);
    w->v.at_barrier &= ~tb->warps;
    world_event(w, HD_EV_BAR_RELEASE, HD_NONE, (struct hd_event){.tb = (uint8_t)slot});
}

// Issue of one warp, and what it leads to.
static inline void world_issue(struct world *w, int warp)
{
    struct hd_tb_view *tb = &w->tbs[w->tb_of[warp]];
    unsigned what = world_below(w, 16), lanes = 1 + world_below(w, 32);
    struct hd_event e = {.pc = w->pc[warp], .lanes = (uint32_t)hd_low(lanes)};
    bool branch = w->kind[e.pc] == HD_STATIC_BRANCH;

    e.flags = branch ? world_below(w, 4) : 0;
    e.next_pc = branch && (e.flags & HD_ISSUE_TAKEN) ? world_below(w, WORLD_INSNS)
                                                     : (e.pc + 1) % WORLD_INSNS;
    w->pc[warp] = e.next_pc;
    w->progress[warp] += lanes;
    tb->progress += lanes;
    world_new_head(w, warp);
    w->v.last_issued[(unsigned)warp % w->v.n_sched] = (int8_t)warp;
    world_event(w, HD_EV_ISSUE, warp, e);
    if (what == 0) {
        w->v.live &= ~hd_bit(warp);
        w->v.waiting |= hd_bit(warp);
        world_new_head(w, warp);
        tb->finished++;
        world_event(w, HD_EV_WARP_EXIT, warp, (struct hd_event){0});
    } else if (what < 3) {
        w->v.waiting |= hd_bit(warp);
        w->v.at_barrier |= hd_bit(warp);
        tb->at_barrier++;
        world_event(w, HD_EV_BAR_ARRIVE, warp, (struct hd_event){0});
    }
    world_try_release(w, w->tb_of[warp]);
}

// Something random that is not an issue.
static inline void world_stir(struct world *w)
{
    int warp = world_pick(w, w->v.live);
    struct hd_event e = {.line = (uint64_t)world_below(w, 24) * 128};

    if (warp == HD_NONE)
        return;
    switch (world_below(w, 10)) {
    case 0:
        e.owner = world_below(w, w->v.n_warps);
        world_event(w, HD_EV_L1_EVICT, warp, e);
        break;
    case 1:
    case 2:
        e.flags = world_below(w, 3);
        world_event(w, HD_EV_L1_READ, warp, e);
        break;
    case 3:
        world_event(w, HD_EV_L1_WRITE, warp, e);
        break;
    case 4:
        world_event(w, HD_EV_LOAD_DONE, warp, (struct hd_event){0});
        break;
    case 5:
        e = (struct hd_event){.pc = w->pc[warp], .next_pc = world_below(w, WORLD_INSNS)};
        w->pc[warp] = e.next_pc;
        world_event(w, HD_EV_PC_JUMP, warp, e);
        break;
    case 6:
        world_event(w, HD_EV_CHILD_LAUNCH, warp, (struct hd_event){.kernel = w->v.kernel + 1});
        break;
    case 7:
        e.flags = world_below(w, 8);
        e.kernel = w->tbs[w->tb_of[warp]].kernel;
        world_event(w, HD_EV_ACCESS, warp, e);
        break;
    default:
        world_new_head(w, warp);
    }
}

static inline void world_init(struct world *w, uint64_t seed,
                              void (*tell)(struct world *, const struct hd_event *), void *teller)
{
    memset(w, 0, sizeof *w);
    w->seed = seed;
    w->tell = tell;
    w->teller = teller;
    w->columns = (struct hd_static_view){WORLD_INSNS, w->kind, w->load_distance, w->recalc};
    for (unsigned i = 0; i < WORLD_INSNS; i++) {
        w->kind[i] = (uint8_t)world_below(w, 4);
        w->load_distance[i] = (uint8_t)(world_below(w, 4) ? world_below(w, 20) : 255);
        w->recalc[i] = (uint8_t)world_below(w, 2);
    }
    w->v = (struct hd_view){.pc = w->pc,
                            .age = w->age,
                            .progress = w->progress,
                            .tb_of = w->tb_of,
                            .tbs = w->tbs,
                            .waiting = UINT64_MAX,
                            .tbs_pending = 12,
                            .tb_max = WORLD_TBS,
                            .tb_fits = WORLD_TBS,
                            .n_sched = (uint8_t)(1 + world_below(w, 2)),
                            .n_warps = WORLD_TBS * WORLD_STRIDE,
                            .prog = &w->columns};
    memset(w->v.last_issued, HD_NONE, sizeof w->v.last_issued);
    for (unsigned i = 0; i < w->v.n_warps; i++)
        w->v.mine[i % w->v.n_sched] |= hd_bit((int)i);
}

#endif
