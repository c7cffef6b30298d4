// warps.c - what each warp can issue and what it waits for: the masks of the policy view that
// follow from its buffer, its PC and its scoreboard.
//
// Every stage that changes one of these calls a function of this file, so that the masks are always
// up to date. This file calls only the scoreboard.
#include "sm/sm_internal.h"

void hd_warps_wait(struct hd_sm *sm, uint64_t *reason, unsigned w, bool set)
{
    if (set)
        *reason |= hd_bit((int)w);
    else
        *reason &= ~hd_bit((int)w);
    sm->stalls_known = 0;
    sm->view.waiting = (~sm->view.live & hd_low(sm->view.n_warps)) | sm->view.at_barrier |
                       sm->membar | sm->atomic | sm->asleep | sm->children | sm->held;
}

// Updates the masks of w by what the scoreboard answers for its head.
static inline void check(struct hd_sm *sm, unsigned w, const struct hd_deps *d)
{
    struct hd_view *v = &sm->view;
    uint64_t bit = hd_bit((int)w);

    if (sm->warps[w].n_reserved && hd_scoreboard_collides(sm, w, d)) {
        v->sb_block |= bit;
        if (hd_scoreboard_memory(sm, w, d))
            sm->mem_block |= bit;
    }
    if (sm->warps[w].n_long && hd_scoreboard_long(sm, w, d))
        v->long_mark |= bit;
}

void hd_warps_recheck(struct hd_sm *sm, unsigned w)
{
    struct hd_view *v = &sm->view;
    uint64_t bit = hd_bit((int)w), sb = v->sb_block, memory = sm->mem_block, marked = v->long_mark;

    v->sb_block &= ~bit;
    sm->mem_block &= ~bit;
    v->long_mark &= ~bit;
    check(sm, w, &sm->program->deps[sm->warps[w].ibuf_pc]);
    if ((sb ^ v->sb_block) | (memory ^ sm->mem_block) | (marked ^ v->long_mark))
        sm->stalls_known = 0;
}

// The masks of warps whose head accesses memory.
static void clear_memory_head(struct hd_sm *sm, unsigned w)
{
    struct hd_view *v = &sm->view;
    uint64_t keep = ~hd_bit((int)w);

    v->head_load &= keep;
    v->head_store &= keep;
    v->head_atomic &= keep;
    v->head_declared &= keep;
    v->head_texture &= keep;
    v->head_generic &= keep;
    sm->warps[w].head_memory = false;
}

static void set_memory_head(struct hd_sm *sm, unsigned w, const struct hd_deps *d)
{
    struct hd_view *v = &sm->view;
    uint64_t bit = hd_bit((int)w);

    sm->warps[w].head_memory = true;
    if (d->kind == HD_KIND_LOAD)
        v->head_load |= bit;
    else if (d->kind == HD_KIND_STORE)
        v->head_store |= bit;
    else if (d->kind == HD_KIND_ATOMIC)
        v->head_atomic |= bit;
    if (!(d->flags & HD_DEP_OFFCHIP))
        return;
    if (d->space == HD_SPACE_GENERIC)
        v->head_generic |= bit;
    else if (d->space == HD_SPACE_TEX)
        v->head_texture |= bit;
    else
        v->head_declared |= bit;
}

static inline bool is_memory(const struct hd_deps *d)
{
    return d->kind == HD_KIND_LOAD || d->kind == HD_KIND_STORE || d->kind == HD_KIND_ATOMIC ||
           d->flags & HD_DEP_OFFCHIP;
}

static inline void set_unit(struct hd_sm *sm, unsigned w, uint8_t unit)
{
    uint64_t bit = hd_bit((int)w);

    sm->head_unit[sm->warps[w].head_unit] &= ~bit;
    sm->warps[w].head_unit = unit;
    sm->head_unit[unit] |= bit;
}

void hd_warps_refresh(struct hd_sm *sm, unsigned w)
{
    struct hd_view *v = &sm->view;
    uint64_t bit = hd_bit((int)w), keep = ~bit;
    const struct hd_deps *d;

    sm->stalls_known = 0;
    v->ibuf_empty &= keep;
    v->wrong_path &= keep;
    v->sb_block &= keep;
    sm->mem_block &= keep;
    v->long_mark &= keep;
    if (sm->warps[w].head_memory)
        clear_memory_head(sm, w);
    if (!sm->warps[w].ibuf_n) {
        v->ibuf_empty |= bit;
        return;
    }
    if (sm->warps[w].ibuf_pc != sm->source.pc[w])
        v->wrong_path |= bit;
    if (sm->warps[w].ibuf_pc >= sm->program->n_insns) // fetched past the end of the code
        return;
    d = &sm->program->deps[sm->warps[w].ibuf_pc];
    set_unit(sm, w, sm->units[sm->warps[w].ibuf_pc]);
    check(sm, w, d);
    if (is_memory(d))
        set_memory_head(sm, w, d);
}

void hd_warps_flush(struct hd_sm *sm, unsigned w)
{
    sm->warps[w].in_pipe = (uint8_t)(sm->warps[w].in_pipe - sm->warps[w].ibuf_n);
    sm->warps[w].ibuf_n = 0;
    sm->warps[w].fetch_pc = sm->source.pc[w];
    if (!sm->warps[w].in_pipe)
        sm->pipe_busy &= ~hd_bit((int)w);
    hd_warps_refresh(sm, w);
}

void hd_sm_hold(struct hd_sm *sm, unsigned warp, uint64_t until)
{
    sm->held_until[warp] = until;
    if (until < sm->held_next)
        sm->held_next = until;
    hd_warps_wait(sm, &sm->held, warp, true);
}

void hd_warps_switch(struct hd_sm *sm, unsigned w, uint64_t until)
{
    hd_sm_hold(sm, w, until);
    sm->switching |= hd_bit((int)w);
}

bool hd_sm_holds_warps(const struct hd_sm *sm)
{
    return sm->held != 0;
}

void hd_warps_let_go(struct hd_sm *sm)
{
    uint64_t held = sm->held, earliest = UINT64_MAX;
    int w;

    if (held & ~sm->switching)
        sm->progress_cycle = sm->view.cycle;
    HD_EACH(w, held) {
        if (sm->held_until[w] < sm->view.cycle) {
            hd_warps_wait(sm, &sm->held, (unsigned)w, false);
            sm->switching &= ~hd_bit(w);
        } else if (sm->held_until[w] < earliest)
            earliest = sm->held_until[w];
    }
    sm->held_next = earliest;
}

// Counts a warp instruction whose results are final.
void hd_warps_complete(struct hd_sm *sm, uint32_t pc, uint32_t lanes)
{
    unsigned n = (unsigned)__builtin_popcount(lanes);

    sm->stats.warp_insts++;
    sm->stats.thread_insts += n;
    if (sm->program->deps[pc].flags & HD_DEP_OFFCHIP)
        sm->stats.long_insts += n;
}
