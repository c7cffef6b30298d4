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
    const bool global = in->space == HD_SPACE_GLOBAL || in->space == HD_SPACE_GENERIC;
    const struct hd_whole_window *x = global ? &sm->window : &w->tb->windows[in->space];
    const unsigned shift = form & HD_FORM_SHIFT;

    if (shift && (!global || sm->stretch.releases == *sm->global.releases)) {
        if (form & HD_FORM_LOAD ? sm->whole->load(in, &w->regs, lanes, shift, x)
                                : sm->whole->store(in, &w->regs, lanes, shift, x, &sm->progress))
            return true;
    }
    return form & HD_FORM_LOAD ? hd_loads_near(sm, w, in, lanes) : hd_stores_near(sm, w, in, lanes);
}

// Lane operations up to `end`, and at most to the next of another kind, which is returned. The
// threads that a guard keeps away are taken off *threads: all of `lanes` are counted later.
static inline const struct hd_insn *run_lanes(const struct hd_insn *in, const struct hd_insn *end,
                                              const hd_lane_fn *table,
                                              const struct hd_lane_regs *regs, uint32_t lanes,
                                              uint32_t ended, uint64_t *threads)
{
    const uint32_t all = lanes | ended;
    hd_lane_fn handler;

    for (; in < end && (handler = table[in->op]); in++) {
        uint32_t mask = all;
        if (in->guard != HD_PRED_TRUE) {
            mask = lanes & hd_lanes_pred(regs, in->guard);
            *threads -= count_lanes(lanes ^ mask);
            mask |= ended;
        }
        handler(in, regs, mask);
    }
    return in;
}

// The load or store at the warp's PC. False if it is none, or not a simple one.
static inline bool run_access(struct hd_emu_sm *sm, unsigned warp, uint32_t pc, uint32_t mask,
                              struct hd_stretch *t)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    const unsigned form = w->forms[pc];

    if (!form || (!mask && form & HD_FORM_STORE) ||
        (mask && !simple_access(sm, w, &w->insns[pc], form, mask)))
        return false;
    hd_simt_next(&sm->simt, warp);
    t->warp_insts++;
    t->thread_insts += count_lanes(mask);
    t->long_insts += form & HD_FORM_OFFCHIP ? count_lanes(mask) : 0;
    t->last_pc[warp] = pc;
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
    const uint32_t ended = ~s->alive[warp]; // no lane ends here
    uint32_t left = t->most;
    uint32_t pc = s->pc[warp];

    t->last_pc[warp] = pc;
    while (left && pc != HD_PC_NONE) {
        const uint32_t reconv = s->reconv[warp], lanes = s->lanes[warp];
        const uint32_t stop = reconv > pc && reconv < w->n_insns ? reconv : w->n_insns;
        const struct hd_insn *first = &w->insns[pc],
                             *end = left < stop - pc ? first + left : &w->insns[stop];
        const struct hd_insn *in =
            run_lanes(first, end, sm->lanes, &w->regs, lanes, ended, &t->thread_insts);
        const uint32_t done = (uint32_t)(in - first);

        t->warp_insts += done;
        t->thread_insts += (uint64_t)done * count_lanes(lanes);
        left -= done;
        s->pc[warp] = pc += done;
        if (pc == reconv) {
            hd_simt_pop(s, warp);
            pc = s->pc[warp];
            continue;
        }
        if (in == end)
            break;
        const uint32_t mask = lanes & hd_lanes_pred(&w->regs, in->guard);
        if (in->op != HD_OP_BRA)
            return t->access && run_access(sm, warp, pc, mask, t);
        hd_simt_branch(s, warp, mask, HD_TARGET_PC(in->imm), HD_RECONV_PC(in->imm));
        t->warp_insts++;
        t->thread_insts += count_lanes(mask);
        left--;
        pc = s->pc[warp];
    }
    return !left && t->most;
}

int hd_stretch_turns(struct hd_emu_sm *sm, uint64_t warps, struct hd_stretch *t)
{
    int w;

    HD_EACH(w, warps) {
        if (!run_turn(sm, (unsigned)w, t))
            return w;
    }
    return HD_NONE;
}
