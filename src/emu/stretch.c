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

// Where the accesses of an instruction are expected, NULL if it is not one for hd_whole_ops.
static inline const struct hd_whole_window *window_of(const struct hd_emu_sm *sm,
                                                      const struct hd_emu_warp *w,
                                                      const struct hd_insn *in, unsigned form)
{
    if (!(form & HD_FORM_SHIFT))
        return NULL;
    if (!(form & HD_FORM_GLOBAL))
        return &w->tb->windows[in->space];
    return sm->stretch.releases == *sm->global.releases ? &sm->window : NULL;
}

// A load or store that needs no report of its effects, for these lanes. False if nothing was done.
static inline bool simple_access(struct hd_emu_sm *sm, const struct hd_emu_warp *w,
                                 const struct hd_insn *in, unsigned form, uint32_t lanes)
{
    const struct hd_whole_window *x = window_of(sm, w, in, form);
    const unsigned shift = form & HD_FORM_SHIFT;

    if (x && (form & HD_FORM_LOAD ? sm->whole->load(in, &w->regs, lanes, shift, x, 1) != 0
                                  : sm->whole->store(in, &w->regs, lanes, shift, x, &sm->progress)))
        return true;
    return form & HD_FORM_LOAD ? hd_loads_near(sm, w, in, lanes) : hd_stores_near(sm, w, in, lanes);
}

// An operation on lanes that has a guard. The threads that the guard keeps away are taken off the
// count: all of `lanes` are counted by the caller.
static inline void run_guarded(const struct hd_insn *in, const hd_lane_fn *table,
                               const struct hd_lane_regs *regs, uint32_t lanes, uint32_t ended,
                               struct hd_stretch *t)
{
    const uint32_t mask = lanes & hd_lanes_pred(regs, in->guard);

    t->thread_insts -= count_lanes(lanes ^ mask);
    table[in->op](in, regs, mask | ended, 1);
}

// `n` operations on lanes.
static inline void run_lanes(const struct hd_insn *in, uint32_t n, const hd_lane_fn *table,
                             const struct hd_lane_regs *regs, uint32_t lanes, uint32_t ended,
                             struct hd_stretch *t)
{
    for (const struct hd_insn *end = in + n; in != end; in++) {
        if (in->guard != HD_PRED_TRUE)
            run_guarded(in, table, regs, lanes, ended, t);
        else
            table[in->op](in, regs, lanes | ended, 1);
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

// The warp's turn, or the rest of it. False if it must go on with an instruction of another kind.
static inline bool run_turn(struct hd_emu_sm *sm, unsigned warp, struct hd_stretch *t)
{
    struct hd_simt *s = &sm->simt;
    const struct hd_emu_warp *w = &sm->warps[warp];
    uint32_t left = t->most - t->ahead[warp];

    if (!t->ahead[warp])
        t->last_pc[warp] = s->pc[warp];
    t->warp_insts += t->ahead[warp];
    t->ahead[warp] = 0;
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
    return t->most;
}

// Warps of a block that follow each other, all at one place and in no branch that others of their
// lanes have not taken.
struct batch {
    unsigned first, n;
    uint32_t pc;
    uint32_t threads; // that have not ended
    uint32_t done;    // instructions of the turn that each of them has executed
};

// Whether warps execute it together: operations on lanes, branches, loads that hd_whole_ops knows.
static inline bool for_batches(unsigned form)
{
    return !(form & HD_FORM_OTHER) || form & HD_FORM_BRANCH ||
           (form & HD_FORM_LOAD && form & HD_FORM_SHIFT);
}

// Those of `warps` that make a batch with the first of them, if its turn can go on with what
// batches do together.
static inline struct batch find_batch(const struct hd_emu_sm *sm, unsigned first, uint64_t warps,
                                      const struct hd_stretch *t)
{
    const struct hd_simt *s = &sm->simt;
    struct batch m = {.first = first, .pc = s->pc[first], .done = t->ahead[first]};
    unsigned w = first;

    if (!for_batches(sm->warps[first].forms[m.pc]) || sm->warps[first].frames)
        warps = 0; // registers of calls are in stacks
    for (warps >>= first; warps & 1; warps >>= 1, w++) {
        if (s->pc[w] != m.pc || s->reconv[w] != HD_PC_NONE || s->lanes[w] != s->alive[w] ||
            t->ahead[w] != m.done)
            break;
        m.threads += count_lanes(s->lanes[w]);
    }
    m.n = w == first ? 1 : w - first;
    return m;
}

// `n` operations on lanes, each of them for all warps of the batch.
static void run_batch_lanes(const struct hd_emu_sm *sm, const struct batch *m, uint32_t n,
                            struct hd_stretch *t)
{
    const struct hd_emu_warp *w = &sm->warps[m->first];
    const struct hd_insn *in = &w->insns[m->pc];

    for (const struct hd_insn *end = in + n; in != end; in++) {
        if (in->guard == HD_PRED_TRUE) {
            sm->lanes[in->op](in, &w->regs, UINT32_MAX, m->n);
            continue;
        }
        for (unsigned i = m->first; i < m->first + m->n; i++)
            run_guarded(in, sm->lanes, &sm->warps[i].regs, sm->simt.lanes[i], ~sm->simt.alive[i],
                        t);
    }
}

// How many threads of the batch a branch takes elsewhere.
static uint32_t count_taken(const struct hd_emu_sm *sm, const struct batch *m,
                            const struct hd_insn *in)
{
    uint32_t taken = 0;

    for (unsigned i = m->first; i < m->first + m->n; i++)
        taken += count_lanes(sm->simt.lanes[i] & hd_lanes_pred(&sm->warps[i].regs, in->guard));
    return taken;
}

// Arithmetic of the turns of a batch, and branches that all its threads or none of them take. It
// has no effect outside of its warp, so that its order does not matter.
static void run_batch_stretch(const struct hd_emu_sm *sm, struct batch *m, struct hd_stretch *t)
{
    const struct hd_emu_warp *w = &sm->warps[m->first];
    uint32_t taken;

    while (m->done < t->most) {
        const struct hd_insn *in = &w->insns[m->pc];
        const uint32_t form = w->forms[m->pc], left = t->most - m->done;
        if (!(form & HD_FORM_OTHER)) {
            const uint32_t n = form < left ? form : left;
            run_batch_lanes(sm, m, n, t);
            t->thread_insts += (uint64_t)n * m->threads;
            m->pc += n;
            m->done += n;
        } else if (form & HD_FORM_BRANCH &&
                   ((taken = count_taken(sm, m, in)) == 0 || taken == m->threads)) {
            m->pc = taken ? HD_TARGET_PC(in->imm) : m->pc + 1;
            t->thread_insts += taken;
            m->done++;
        } else {
            break;
        }
    }
}

// The loads that end the turns of a batch, if they are simple and of all lanes. Returns how many of
// its warps have executed theirs.
static unsigned run_batch_load(const struct hd_emu_sm *sm, const struct batch *m,
                               struct hd_stretch *t)
{
    const struct hd_emu_warp *w = &sm->warps[m->first];
    const struct hd_insn *in = &w->insns[m->pc];
    const unsigned form = w->forms[m->pc];
    const struct hd_whole_window *x = window_of(sm, w, in, form);

    if (!x || !(form & HD_FORM_LOAD) || !t->access || m->done == t->most ||
        in->guard != HD_PRED_TRUE || m->threads != m->n * HD_LANES)
        return 0;
    const unsigned n = sm->whole->load(in, &w->regs, UINT32_MAX, form & HD_FORM_SHIFT, x, m->n);
    t->warp_insts += (uint64_t)n * (m->done + 1);
    t->thread_insts += n * HD_LANES;
    t->long_insts += form & HD_FORM_OFFCHIP ? n * HD_LANES : 0;
    return n;
}

// Of the turns of a batch, what its warps can do together. Returns how many of them have ended
// their turns. What the others have executed is counted when they go on.
static unsigned run_batch(struct hd_emu_sm *sm, struct batch *m, struct hd_stretch *t)
{
    const unsigned end = m->first + m->n;
    const uint32_t start = m->pc, before = m->done;
    unsigned i = m->first;

    run_batch_stretch(sm, m, t);
    const unsigned n = run_batch_load(sm, m, t);
    for (; i < m->first + n; i++) {
        t->last_pc[i] = m->pc;
        sm->simt.pc[i] = m->pc + 1;
        t->ahead[i] = 0;
    }
    for (; i < end; i++) {
        if (!before)
            t->last_pc[i] = start;
        sm->simt.pc[i] = m->pc;
        t->ahead[i] = m->done;
    }
    return n;
}

int hd_stretch_turns(struct hd_emu_sm *sm, uint64_t warps, struct hd_stretch *t)
{
    do {
        struct batch m = find_batch(sm, (unsigned)__builtin_ctzll(warps), warps, t);
        const unsigned end = m.first + m.n;
        for (unsigned w = m.first + (m.n > 1 ? run_batch(sm, &m, t) : 0); w < end; w++)
            if (!run_turn(sm, w, t))
                return (int)w;
        warps &= ~(hd_low(m.n) << m.first);
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
