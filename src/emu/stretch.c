// stretch.c - a warp's turn in a run without timing: arithmetic and branches, up to and with the
// next simple load or store.
//
// Values are those of exec.c, which does everything else; here nothing is reported about single
// instructions.
#include "emu/emu_internal.h"

static inline unsigned count_lanes(uint32_t mask)
{
    return (unsigned)__builtin_popcount(mask);
}

// A load or store that needs no report of its effects, for these lanes. False if nothing was done.
static inline bool simple_access(struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                                 const struct hd_insn *in, unsigned form, uint32_t lanes)
{
    const struct hd_whole_window *x =
        form & HD_FORM_GLOBAL ? &sm->window : &w->tb->windows[in->space];
    const unsigned shift = form & HD_FORM_SHIFT;

    if (shift && (!(form & HD_FORM_GLOBAL) || sm->stretch.releases == *sm->global.releases)) {
        if (form & HD_FORM_LOAD ? sm->whole->load(in, &w->regs, lanes, shift, x)
                                : sm->whole->store(in, &w->regs, lanes, shift, x, &sm->progress))
            return true;
    }
    return form & HD_FORM_LOAD ? hd_loads_near(sm, w, in, lanes) : hd_stores_near(sm, w, in, lanes);
}

// `n` operations on lanes. The threads that a guard keeps away are taken off the count: all of
// `lanes` are counted by the caller.
static inline void run_lanes(const struct hd_insn *in, uint32_t n, const hd_lane_fn *table,
                             const struct hd_lane_regs *regs, uint32_t lanes, uint32_t ended,
                             struct hd_stretch *t)
{
    for (; n; n--, in++) {
        uint32_t mask = lanes | ended;
        if (in->guard != HD_PRED_TRUE) {
            mask = lanes & hd_lanes_pred(regs, in->guard);
            t->thread_insts -= count_lanes(lanes ^ mask);
            mask |= ended;
        }
        table[in->op](in, regs, mask);
    }
}

// The load or store at `pc`. False if it is none, or not a simple one.
static inline bool run_access(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                              unsigned form, uint32_t mask, struct hd_stretch *t)
{
    if (!(form & (HD_FORM_LOAD | HD_FORM_STORE)) || !t->access)
        return false;
    if (!mask ? !(form & HD_FORM_LOAD) : !simple_access(sm, &sm->warps[warp], in, form, mask))
        return false;
    t->last_pc[warp] = sm->simt.pc[warp];
    hd_simt_next(&sm->simt, warp);
    t->warp_insts++;
    t->thread_insts += count_lanes(mask);
    if (form & HD_FORM_OFFCHIP)
        t->long_insts += count_lanes(mask);
    if (sm->progress) {
        sm->progress = 0;
        t->progress = t->warp_insts;
        t->epoch++;
    }
    return true;
}

// False if the turn must go on with an instruction of another kind.
static inline bool run_turn(struct hd_emu_sm *sm, unsigned warp, struct hd_stretch *t)
{
    struct hd_simt *s = &sm->simt;
    const struct hd_emu_warp *w = &sm->warps[warp];
    const uint32_t start = s->pc[warp];
    uint32_t left = t->most;

    while (left) {
        const uint32_t pc = s->pc[warp], lanes = s->lanes[warp];
        const struct hd_insn *in = &w->insns[pc];
        const unsigned form = w->forms[pc];

        if (!(form & HD_FORM_OTHER)) {
            const uint32_t reconv = s->reconv[warp], near = reconv - pc; // large where it is before
            uint32_t n = form < left ? form : left;
            n = near < n ? near : n;
            run_lanes(in, n, sm->lanes, &w->regs, lanes, ~s->alive[warp], t);
            t->warp_insts += n;
            t->thread_insts += (uint64_t)n * count_lanes(lanes);
            left -= n;
            s->pc[warp] = pc + n;
            if (n == near)
                hd_simt_pop(s, warp);
            continue;
        }
        const uint32_t mask = lanes & hd_lanes_pred(&w->regs, in->guard);
        if (!(form & HD_FORM_BRANCH))
            return run_access(sm, warp, in, form, mask, t);
        hd_simt_branch(s, warp, mask, HD_TARGET_PC(in->imm), HD_RECONV_PC(in->imm));
        t->warp_insts++;
        t->thread_insts += count_lanes(mask);
        left--;
    }
    t->last_pc[warp] = start;
    return t->most;
}

int hd_stretch_turns(struct hd_emu_sm *sm, uint64_t warps, struct hd_stretch *t)
{
    do {
        const unsigned w = (unsigned)__builtin_ctzll(warps);
        if (!run_turn(sm, w, t))
            return (int)w;
        warps &= warps - 1;
    } while (warps);
    return HD_NONE;
}

uint16_t *hd_stretch_forms(struct hd_arena *a, const struct hd_program *p, const hd_lane_fn *table)
{
    uint16_t *forms = HD_ARRAY(a, uint16_t, p->n_insns + 1);

    forms[p->n_insns] = HD_FORM_OTHER;
    for (uint32_t i = p->n_insns; i-- > 0;) {
        const struct hd_insn *in = &p->insns[i];
        if (table[in->op])
            forms[i] = forms[i + 1] & HD_FORM_OTHER    ? 1
                       : forms[i + 1] == HD_FORM_LANES ? HD_FORM_LANES
                                                       : (uint16_t)(forms[i + 1] + 1);
        else if (in->op == HD_OP_BRA)
            forms[i] = HD_FORM_OTHER | HD_FORM_BRANCH;
        else
            forms[i] = hd_loads_form(in, &p->deps[i]);
    }
    return forms;
}
