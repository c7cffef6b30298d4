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
static __attribute__((noinline)) void run_lanes(const struct hd_insn *in, uint32_t n,
                                                const hd_lane_fn *table,
                                                const struct hd_lane_regs *regs, uint32_t lanes,
                                                uint32_t ended, struct hd_stretch *t)
{
    for (const struct hd_insn *end = in + n; in != end; in++) {
        if (in->guard != HD_PRED_TRUE)
            run_guarded(in, table, regs, lanes, ended, t);
        else
            table[in->op](in, regs, lanes | ended, 1);
    }
}

// The load or store of a warp for these lanes, of which it may have none, as the end of its turn.
// False if it is not a simple one.
static inline bool run_access(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                              unsigned form, uint32_t mask, struct hd_stretch *t)
{
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
        t->watched = t->warp_insts + t->unwatched;
        t->progress_long = t->long_insts;
        t->epoch++;
    }
    return true;
}

static inline bool is_access(unsigned form, const struct hd_stretch *t)
{
    return form & (HD_FORM_LOAD | HD_FORM_STORE) && t->access;
}

// Counts what the warp has executed of its turn; returns how many instructions are left of it.
static inline uint32_t resume(const struct hd_emu_sm *sm, unsigned warp, struct hd_stretch *t)
{
    const uint32_t ahead = t->ahead[warp];

    if (!ahead)
        t->last_pc[warp] = sm->simt.pc[warp];
    t->warp_insts += ahead;
    t->ahead[warp] = 0;
    return t->most - ahead;
}

// The warp's turn, or the rest of it. False if it must go on with an instruction of another kind.
static __attribute__((noinline)) bool run_turn(struct hd_emu_sm *sm, unsigned warp,
                                               struct hd_stretch *t)
{
    struct hd_simt *s = &sm->simt;
    const struct hd_emu_warp *w = &sm->warps[warp];
    uint32_t left = resume(sm, warp, t);

    while (left) {
        const uint32_t pc = s->pc[warp], lanes = s->lanes[warp];
        const struct hd_insn *in = &w->insns[pc];
        const unsigned form = w->forms[pc];

        if (!(form & HD_FORM_OTHER)) {
            const uint32_t near = s->reconv[warp] - pc; // large where that is before
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
            return is_access(form, t) && run_access(sm, warp, in, form, mask, t);
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
    unsigned first, end; // warp slots
    uint32_t pc;
    uint32_t threads; // that have not ended
    uint32_t done;    // instructions of the turn that each of them has executed
    bool stays;       // it is all warps of the round, and they begin the next one as this batch
};

static inline bool can_join(const struct hd_emu_sm *sm, const struct batch *b, unsigned warp,
                            const struct hd_stretch *t)
{
    const struct hd_simt *s = &sm->simt;

    return s->pc[warp] == b->pc && s->reconv[warp] == HD_PC_NONE &&
           s->lanes[warp] == s->alive[warp] && t->ahead[warp] == b->done;
}

// Finds those of `warps` that make a batch with the first of them. False if that one is alone.
static inline bool find_batch(const struct hd_emu_sm *sm, uint64_t warps,
                              const struct hd_stretch *t, struct batch *b)
{
    const unsigned first = (unsigned)__builtin_ctzll(warps);

    *b = (struct batch){first, first, sm->simt.pc[first], 0, t->ahead[first], false};
    if (sm->warps[first].frames) // registers of calls are in stacks
        return false;
    for (warps >>= first; warps & 1 && can_join(sm, b, b->end, t); warps >>= 1)
        b->threads += count_lanes(sm->simt.lanes[b->end++]);
    return b->end > first + 1;
}

// `n` operations on lanes, each of them for all warps of the batch.
static void run_batch_lanes(const struct hd_emu_sm *sm, const struct batch *b, uint32_t n,
                            struct hd_stretch *t)
{
    const struct hd_emu_warp *w = &sm->warps[b->first];
    const struct hd_insn *in = &w->insns[b->pc];

    for (const struct hd_insn *end = in + n; in != end; in++) {
        if (in->guard == HD_PRED_TRUE) {
            sm->lanes[in->op](in, &w->regs, UINT32_MAX, b->end - b->first);
            continue;
        }
        for (unsigned i = b->first; i < b->end; i++)
            run_guarded(in, sm->lanes, &sm->warps[i].regs, sm->simt.lanes[i], ~sm->simt.alive[i],
                        t);
    }
}

// How many threads of the batch a branch takes elsewhere.
static uint32_t count_taken(const struct hd_emu_sm *sm, const struct batch *b,
                            const struct hd_insn *in)
{
    uint32_t taken = 0;

    if (in->guard == HD_PRED_TRUE)
        return b->threads;
    for (unsigned i = b->first; i < b->end; i++)
        taken += count_lanes(sm->simt.lanes[i] & hd_lanes_pred(&sm->warps[i].regs, in->guard));
    return taken;
}

// Arithmetic of the turns of a batch, and branches that all its threads or none of them take. It
// has no effect outside of its warp, so that its order does not matter. It is counted when each of
// the warps goes on with its turn.
static void run_batch_stretch(struct hd_emu_sm *sm, struct batch *b, struct hd_stretch *t)
{
    const struct hd_emu_warp *w = &sm->warps[b->first];
    const uint32_t before = b->done, start = b->pc;
    uint32_t taken;

    while (b->done < t->most) {
        const struct hd_insn *in = &w->insns[b->pc];
        const uint32_t form = w->forms[b->pc], left = t->most - b->done;
        if (!(form & HD_FORM_OTHER)) {
            const uint32_t n = form < left ? form : left;
            run_batch_lanes(sm, b, n, t);
            t->thread_insts += (uint64_t)n * b->threads;
            b->pc += n;
            b->done += n;
        } else if (form & HD_FORM_BRANCH &&
                   ((taken = count_taken(sm, b, in)) == 0 || taken == b->threads)) {
            b->pc = taken ? HD_TARGET_PC(in->imm) : b->pc + 1;
            t->thread_insts += taken;
            b->done++;
        } else {
            break;
        }
    }
    if (b->done == before)
        return;
    for (unsigned i = b->first; i < b->end; i++) {
        if (!before)
            t->last_pc[i] = start;
        sm->simt.pc[i] = b->pc;
        t->ahead[i] = b->done;
    }
}

// A load of all lanes of a batch, as the end of its warps' turns. Returns the first warp that has
// not executed it.
static unsigned run_batch_load(struct hd_emu_sm *sm, const struct batch *b,
                               const struct hd_insn *in, unsigned form, struct hd_stretch *t)
{
    const struct hd_emu_warp *w = &sm->warps[b->first];
    const struct hd_whole_window *x = window_of(sm, w, in, form);
    const unsigned n =
        x ? sm->whole->load(in, &w->regs, UINT32_MAX, form & HD_FORM_SHIFT, x, b->end - b->first)
          : 0;

    t->warp_insts += (uint64_t)n * (b->done + 1);
    t->thread_insts += n * HD_LANES;
    t->long_insts += form & HD_FORM_OFFCHIP ? n * HD_LANES : 0;
    for (unsigned i = b->first; i < b->first + n; i++) {
        t->last_pc[i] = b->pc;
        sm->simt.pc[i] = b->pc + 1;
        t->ahead[i] = 0;
    }
    return b->first + n;
}

// The loads or stores that end the turns of a batch. Returns the first warp that has not executed
// its one.
static unsigned run_batch_access(struct hd_emu_sm *sm, const struct batch *b, struct hd_stretch *t)
{
    const struct hd_emu_warp *w = &sm->warps[b->first];
    const struct hd_insn *in = &w->insns[b->pc];
    const unsigned form = w->forms[b->pc];
    unsigned i = b->first;

    if (b->done == t->most || !is_access(form, t))
        return i;
    if (form & HD_FORM_LOAD && in->guard == HD_PRED_TRUE &&
        b->threads == (b->end - b->first) * HD_LANES)
        i = run_batch_load(sm, b, in, form, t);
    for (; i < b->end; i++) {
        const uint32_t lanes = sm->simt.lanes[i];
        resume(sm, i, t);
        if (!run_access(sm, i, in, form, lanes & hd_lanes_pred(&sm->warps[i].regs, in->guard), t))
            break;
    }
    return i;
}

// A turn of each of the warps, up to the first that must go on with an instruction of another kind.
static int run_round(struct hd_emu_sm *sm, uint64_t warps, struct hd_stretch *t, struct batch *b)
{
    const uint64_t all = warps;

    do {
        unsigned w = (unsigned)__builtin_ctzll(warps), end = w + 1;
        if (b->stays || find_batch(sm, warps, t, b)) {
            run_batch_stretch(sm, b, t);
            w = run_batch_access(sm, b, t);
            end = b->end;
            b->stays = w == end && all == (hd_low(end) & ~hd_low(b->first));
            b->pc++;
            b->done = 0;
        }
        for (; w < end; w++)
            if (!run_turn(sm, w, t))
                return (int)w;
        warps &= ~hd_low(end);
    } while (warps);
    return HD_NONE;
}

int hd_stretch_turns(struct hd_emu_sm *sm, uint64_t warps, struct hd_stretch *t)
{
    struct batch b = {0};
    int w;

    do
        w = run_round(sm, warps, t, &b);
    while (w == HD_NONE && t->warp_insts <= t->until && t->warp_insts <= t->watched);
    return w;
}

// --- what is known of instructions

// Whether a thread that waits for others may execute it again and again (paths.h).
static bool is_attempt(const struct hd_insn *in)
{
    const struct hd_op_info *op = &hd_op_info[in->op];

    if (op->shape == HD_SHAPE_LD)
        return in->mods & HD_MOD_STRONG;
    return in->op == HD_OP_MBAR_TEST_B64 || in->op == HD_OP_MBAR_TRY_B64 ||
           (op->shape == HD_SHAPE_ATOM && in->dst != HD_ROW_NONE);
}

static bool jumps_back(const struct hd_program *p, uint32_t pc, uint32_t *to)
{
    const struct hd_insn *in = &p->insns[pc];
    const uint32_t n = in->op == HD_OP_BRX ? (uint32_t)in->dst : 0;

    *to = in->op == HD_OP_BRA ? HD_TARGET_PC(in->imm) : UINT32_MAX;
    for (uint32_t i = 0; i < n; i++)
        if (p->targets[HD_TARGET_PC(in->imm) + i] < *to)
            *to = p->targets[HD_TARGET_PC(in->imm) + i];
    return *to <= pc;
}

// Marks the attempts in loops, of code whose lanes are scheduled independently. A function may be
// called in a loop.
static void mark_attempts(const struct hd_program *p, uint16_t *forms)
{
    uint32_t from = UINT32_MAX, to;

    for (uint32_t pc = p->n_insns; pc-- > 0;) { // from here to some later jump back, all is a loop
        const struct hd_func *f = &p->funcs[p->places[pc].func];
        if (jumps_back(p, pc, &to) && to < from)
            from = to;
        if (f->target >= 70 && (from <= pc || !f->is_kernel) && is_attempt(&p->insns[pc]))
            forms[pc] = HD_FORM_OTHER | HD_FORM_REPEATS;
        if (from == pc)
            from = UINT32_MAX;
    }
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
    mark_attempts(p, forms);
    return forms;
}
