// warp.c - operations across the lanes of a warp: vote, shfl, match, redux, elect, activemask,
// bar.warp.sync, and the synchronisation at the start of a matrix multiplication.
//
// The member mask of a lane of a .sync operation names the lanes that it works with; lanes that
// have ended do not count. Groups with different masks may execute together, so masks are evaluated
// lane by lane.
//
// Code for sm_70 and later: a lane waits until all lanes that it names have come to *an* operation
// with the same qualifiers and the same mask, wherever that stands (PTX ISA, shfl.sync). So lanes
// of several paths of the warp can execute together (paths.h); each path then writes its own
// registers. If no lane of the warp can go on, because the lanes that are named wait elsewhere,
// they do not count, which is recorded.
//
// Code for earlier targets: if a named lane is elsewhere (the warp has diverged), the lanes here
// wait and the others run, if both can meet at this instruction. A lane that cannot arrive does not
// count either, as on GPUs, although PTX does not guarantee that: public programs have such masks.
// It is recorded, too. The value that a shuffle reads from a lane that does not execute it is
// undefined in PTX. Here it is zero, which public programs rely on (sums over a few lanes of a warp
// with the distances of a whole one).
#include "base/bug.h"
#include "emu/emu_internal.h"

#include <stdio.h>
#include <string.h>

// An operation of some lanes: its operands, lane by lane, and what it computes. Only what its shape
// has is defined.
struct together {
    unsigned op, mods;
    uint32_t lanes;
    const uint32_t *masks;     // member mask of every lane; NULL: all lanes
    const uint32_t *a, *b, *c; // rows; of match with 64 bits, `a` is two
    uint32_t yes;              // vote: lanes whose predicate is true
    uint32_t x[HD_LANES];      // results
    uint32_t holds;            // results that are predicates
};

static uint32_t members(const struct together *v, unsigned l)
{
    return v->masks ? v->masks[l] & v->lanes : v->lanes;
}

static void vote(struct together *v)
{
    uint32_t yes = v->yes & v->lanes;

    for (uint32_t m = v->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t group = members(v, l), said = yes & group;
        bool holds = false;
        switch (v->op) {
        case HD_OP_VOTE_SYNC_BALLOT_B32:
        case HD_OP_VOTE_BALLOT_B32:
            v->x[l] = said;
            continue;
        case HD_OP_VOTE_SYNC_ALL_PRED:
        case HD_OP_VOTE_ALL_PRED:
            holds = said == group;
            break;
        case HD_OP_VOTE_SYNC_ANY_PRED:
        case HD_OP_VOTE_ANY_PRED:
            holds = said != 0;
            break;
        default:
            holds = said == group || !said;
        }
        v->holds |= (uint32_t)holds << l;
    }
}

// The lane that lane l reads from, and whether it is inside the segment.
static unsigned source_lane(unsigned op, unsigned l, uint32_t b, uint32_t c, bool *inside)
{
    unsigned segment = c >> 8 & 31, clamp = c & 31, by = b & 31;
    unsigned low = l & segment, most = low | (clamp & ~segment & 31), j;

    switch (op) {
    case HD_OP_SHFL_SYNC_UP_B32:
    case HD_OP_SHFL_UP_B32:
        j = l - by;
        *inside = (int)j >= (int)most;
        break;
    case HD_OP_SHFL_SYNC_DOWN_B32:
    case HD_OP_SHFL_DOWN_B32:
        j = l + by;
        *inside = j <= most;
        break;
    case HD_OP_SHFL_SYNC_BFLY_B32:
    case HD_OP_SHFL_BFLY_B32:
        j = l ^ by;
        *inside = j <= most;
        break;
    default:
        j = low | (by & ~segment & 31);
        *inside = j <= most;
    }
    return *inside ? j : l;
}

static void shuffle(struct together *v)
{
    bool inside;

    for (unsigned l = 0; l < HD_LANES; l++) {
        unsigned from = source_lane(v->op, l, v->b[l], v->c[l], &inside);
        v->x[l] = v->lanes >> from & 1 ? v->a[from] : 0;
        v->holds |= (uint32_t)inside << l;
    }
}

static void read_values(const struct together *v, uint64_t *x)
{
    if (hd_type_rows(hd_op_info[v->op].type) == 2)
        memcpy(x, v->a, HD_LANES * sizeof *x);
    else
        for (int l = 0; l < HD_LANES; l++)
            x[l] = v->a[l];
}

static void match(struct together *v, bool all)
{
    uint64_t x[HD_LANES];

    read_values(v, x);
    for (uint32_t m = v->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t group = members(v, l), same = 0;
        for (uint32_t k = group; k; k &= k - 1)
            same |= x[__builtin_ctz(k)] == x[l] ? k & -k : 0;
        v->holds |= (uint32_t)(same == group) << l;
        v->x[l] = !all || same == group ? same : 0;
    }
}

static uint32_t reduce_two(unsigned op, uint32_t a, uint32_t b)
{
    switch (op) {
    case HD_OP_REDUX_ADD_U32:
    case HD_OP_REDUX_ADD_S32:
        return a + b;
    case HD_OP_REDUX_MIN_U32:
        return a < b ? a : b;
    case HD_OP_REDUX_MIN_S32:
        return (int32_t)a < (int32_t)b ? a : b;
    case HD_OP_REDUX_MAX_U32:
        return a > b ? a : b;
    case HD_OP_REDUX_MAX_S32:
        return (int32_t)a > (int32_t)b ? a : b;
    case HD_OP_REDUX_AND_B32:
        return a & b;
    case HD_OP_REDUX_OR_B32:
        return a | b;
    default:
        return a ^ b;
    }
}

// Least or greatest of f32: NaNs count only if there is nothing else, or with .NaN; -0 is less than
// 0.
static uint32_t reduce_floats(const struct together *v, uint32_t group)
{
    const uint32_t nan = 0x7fffffff, sign = 0x80000000;
    bool any = false, least = v->op == HD_OP_REDUX_MIN_F32;
    uint32_t best = 0; // as a number that compares like the float

    for (uint32_t k = group; k; k &= k - 1) {
        uint32_t a = v->a[__builtin_ctz(k)];
        if (v->mods & HD_MOD_XORSIGN) // .abs
            a &= ~sign;
        if ((a & ~sign) > 0x7f800000) {
            if (v->mods & HD_MOD_NAN)
                return nan;
            continue;
        }
        a ^= a & sign ? UINT32_MAX : sign;
        best = !any || (least ? a < best : a > best) ? a : best;
        any = true;
    }
    return any ? best ^ (best & sign ? sign : UINT32_MAX) : nan;
}

static void reduce(struct together *v)
{
    const bool floats = hd_op_info[v->op].type == HD_F32;

    for (uint32_t m = v->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t group = members(v, l) | 1u << l, total = v->a[__builtin_ctz(group)];
        for (uint32_t k = group & (group - 1); k && !floats; k &= k - 1)
            total = reduce_two(v->op, total, v->a[__builtin_ctz(k)]);
        v->x[l] = floats ? reduce_floats(v, group) : total;
    }
}

static void elect(struct together *v)
{
    for (uint32_t m = v->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t group = members(v, l) | 1u << l;
        v->x[l] = (uint32_t)__builtin_ctz(group);
        v->holds |= (uint32_t)(l == (unsigned)__builtin_ctz(group)) << l;
    }
}

static void compute(struct together *v)
{
    switch ((enum hd_shape)hd_op_info[v->op].shape) {
    case HD_SHAPE_D:
        for (unsigned l = 0; l < HD_LANES; l++)
            v->x[l] = v->lanes;
        break;
    case HD_SHAPE_VOTE:
        vote(v);
        break;
    case HD_SHAPE_SHFL:
        shuffle(v);
        break;
    case HD_SHAPE_MATCH:
        match(v, v->op == HD_OP_MATCH_ALL_B32 || v->op == HD_OP_MATCH_ALL_B64);
        break;
    case HD_SHAPE_REDUX:
        reduce(v);
        break;
    case HD_SHAPE_ELECT:
        elect(v);
        break;
    case HD_SHAPE_MASK: // the lanes have met; there is nothing else to do
        break;
    default:
        HD_BUG("no way to execute %s", hd_op_info[v->op].name);
    }
}

// Where an instruction's results go: a row, a predicate. HD_ROW_NONE, HD_PRED_TRUE: nowhere.
static void destinations(const struct hd_insn *in, int32_t *row, uint32_t *pred)
{
    unsigned shape = hd_op_info[in->op].shape;

    *row = in->dst;
    *pred = HD_PRED_TRUE;
    if (shape == HD_SHAPE_VOTE && hd_op_info[in->op].dtype == HD_PRED) {
        *row = HD_ROW_NONE;
        *pred = (uint32_t)in->dst;
    } else if (shape == HD_SHAPE_SHFL || shape == HD_SHAPE_MATCH || shape == HD_SHAPE_ELECT) {
        *pred = HD_WARP_PRED(in->imm);
    } else if (shape == HD_SHAPE_MASK) {
        *row = HD_ROW_NONE;
    }
}

static void write_results(const struct together *v, const struct hd_insn *in,
                          const struct hd_lane_regs *r, uint32_t lanes)
{
    int32_t row;
    uint32_t pred;

    destinations(in, &row, &pred);
    if (row != HD_ROW_NONE) {
        uint32_t *d = hd_lanes_row(r, row);
        for (uint32_t m = lanes; m; m &= m - 1)
            d[__builtin_ctz(m)] = v->x[__builtin_ctz(m)];
    }
    if (pred != HD_PRED_TRUE)
        r->preds[pred] = (r->preds[pred] & ~lanes) | (v->holds & lanes);
}

static const uint32_t *source(const struct hd_lane_regs *r, int32_t row)
{
    return row == HD_ROW_NONE ? NULL : hd_lanes_source(r, row);
}

// The operands of an instruction, in the rows in which they are; no results yet.
static void read_operands(struct together *v, const struct hd_insn *in,
                          const struct hd_lane_regs *r, uint32_t lanes)
{
    static const uint32_t none[2 * HD_LANES];
    unsigned shape = hd_op_info[in->op].shape;

    v->op = in->op;
    v->mods = in->mods;
    v->lanes = lanes;
    v->masks = source(r, hd_paths_mask_row(in));
    v->a = v->b = v->c = none;
    v->yes = v->holds = 0;
    if (shape == HD_SHAPE_VOTE) {
        v->yes = hd_lanes_pred(r, (uint32_t)in->src[0]);
    } else if (shape == HD_SHAPE_SHFL) {
        v->a = hd_lanes_source(r, in->src[0]);
        v->b = hd_lanes_source(r, in->src[1]);
        v->c = hd_lanes_source(r, in->src[2]);
    } else if (shape == HD_SHAPE_MATCH || shape == HD_SHAPE_REDUX) {
        v->a = hd_lanes_source(r, in->src[0]);
    }
}

static void perform(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in, uint32_t lanes)
{
    const struct hd_lane_regs *r = &sm->warps[warp].regs;
    unsigned shape = hd_op_info[in->op].shape;

    if (shape == HD_SHAPE_MMA || shape == HD_SHAPE_MOVM) {
        hd_tensor_compute(sm, warp, in, lanes);
        return;
    }
    struct together v;

    read_operands(&v, in, r, lanes);
    compute(&v);
    write_results(&v, in, r, lanes);
}

static void trap_apart(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out,
                       uint32_t missing, uint32_t where)
{
    const struct hd_program *p = sm->warps[warp].program;
    unsigned lane = (unsigned)__builtin_ctz(out->exec_mask);

    hd_trap_set(sm, warp, out, HD_TRAP_SYNC, lane);
    snprintf(sm->trap.detail, sizeof sm->trap.detail,
             "lane %u names lane %d in its member mask, which cannot come here: it is at line %u",
             lane, __builtin_ctz(missing),
             where < p->n_insns ? p->places[where].line : p->places[sm->trap.pc].line);
}

static bool is_noted(const struct hd_emu_absence *all, size_t n, const struct hd_func *kernel,
                     uint32_t pc)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].pc == pc && all[i].kernel == kernel)
            return true;
    return false;
}

void hd_warp_merge_absences(struct hd_emu_sm *sm)
{
    struct hd_emu *e = sm->emu;

    for (size_t i = 0; i < sm->n_new_absences; i++) {
        const struct hd_emu_absence *a = &sm->new_absences[i];
        if (!is_noted(e->absences, e->n_absences, a->kernel, a->pc))
            *HD_PUSH(e->arena, e->absences, e->n_absences, e->cap_absences) = *a;
    }
    sm->n_new_absences = 0;
}

// True if the lanes count as absent; false after a trap. All SMs share the list, so a new entry
// waits in the SM until its stores are committed.
static bool note_absent(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out,
                        uint32_t missing, uint32_t where)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    const struct hd_func *kernel = w->tb->launch->kernel;
    uint32_t pc = sm->simt.pc[warp];
    unsigned shape = hd_op_info[w->insns[pc].op].shape;
    const struct hd_emu *e = sm->emu;

    // An incomplete matrix has no product.
    if (e->strict || shape == HD_SHAPE_MMA || shape == HD_SHAPE_MOVM) {
        trap_apart(sm, warp, out, missing, where);
        return false;
    }
    if (is_noted(e->absences, e->n_absences, kernel, pc) ||
        is_noted(sm->new_absences, sm->n_new_absences, kernel, pc))
        return true;
    if (sm->touched)
        return hd_trap_refuse(sm, warp, out, HD_TRAP_ILLEGAL, HD_NOT_BESIDE);
    *HD_PUSH(hd_emu_arena(sm), sm->new_absences, sm->n_new_absences, sm->cap_new_absences) =
        (struct hd_emu_absence){.program = w->program,
                                .kernel = kernel,
                                .pc = pc,
                                .where = where,
                                .lane = (unsigned)__builtin_ctz(out->exec_mask),
                                .absent = (unsigned)__builtin_ctz(missing)};
    if (sm->direct)
        hd_warp_merge_absences(sm);
    else
        sm->pending_stores = 1;
    return true;
}

// The lanes that some of these lanes name.
static uint32_t named(const uint32_t *masks, uint32_t lanes)
{
    uint32_t all = 0;

    for (uint32_t m = lanes; m; m &= m - 1)
        all |= masks[__builtin_ctz(m)];
    return all;
}

// Whether all lanes that these lanes name, and that have not ended, are among them and name the
// same ones.
static bool agree(const uint32_t *masks, uint32_t lanes, uint32_t alive)
{
    for (uint32_t left = lanes; left;) {
        uint32_t first = left & -left, mask = masks[__builtin_ctz(left)], group = mask & alive;
        if (group & ~lanes)
            return false;
        for (uint32_t m = group; m; m &= m - 1)
            if (masks[__builtin_ctz(m)] != mask)
                return false;
        left &= ~(group | first);
    }
    return true;
}

static const uint32_t everybody[HD_LANES] = {
#define EIGHT                                                                                      \
    UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX
    EIGHT, EIGHT, EIGHT, EIGHT};

// Lanes that wait for the top of the stack at a place where they can only end count as ended, and
// nothing waits for lanes that have ended.
static uint32_t ending(const struct hd_emu_sm *sm, unsigned warp, uint32_t lanes, uint32_t where)
{
    const struct hd_program *p = sm->warps[warp].program;

    if (where >= p->n_insns || sm->simt.frame[warp] || p->insns[where].guard != HD_PRED_TRUE ||
        (p->insns[where].op != HD_OP_RET && p->insns[where].op != HD_OP_EXIT))
        return 0;
    return hd_simt_waiting_at(&sm->simt, warp, lanes, where);
}

// Code for targets before sm_70: waits until the named lanes are here, if they can come. True:
// out->exec_mask can execute, or if it is empty, other lanes run first. False after a trap.
static bool meet_in_lockstep(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                             const uint32_t *masks, struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;

    for (uint32_t ended = 0;;) {
        uint32_t where, more,
            missing = named(masks, out->exec_mask) & s->alive[warp] & ~s->lanes[warp] & ~ended;
        if (!missing)
            return true;
        switch (hd_simt_meet(s, warp, missing, &where)) {
        case HD_SIMT_JOINED:
            out->active_mask = s->lanes[warp];
            out->exec_mask = s->lanes[warp] & hd_lanes_pred(&sm->warps[warp].regs, in->guard);
            break;
        case HD_SIMT_PARKED: // the other lanes continue first
            out->exec_mask = 0;
            return true;
        case HD_SIMT_APART:
            if ((more = ending(sm, warp, missing, where))) {
                ended |= more;
                break;
            }
            if (!note_absent(sm, warp, out, missing, where))
                return false;
            ended |= missing;
        }
    }
}

// --- lanes that are scheduled independently

// The operation of lanes of several paths. Each path reads and writes its own registers.
static void perform_together(struct hd_emu_sm *sm, unsigned warp, const struct hd_paths *all,
                             uint32_t lanes)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct {
        uint32_t masks[HD_LANES], b[HD_LANES], c[HD_LANES], a[2 * HD_LANES];
    } rows;
    struct together v = {.op = w->insns[all->path[0].pc].op,
                         .mods = w->insns[all->path[0].pc].mods,
                         .lanes = lanes,
                         .masks = rows.masks,
                         .a = rows.a,
                         .b = rows.b,
                         .c = rows.c};
    const unsigned words = hd_type_rows(hd_op_info[v.op].type) == 2 ? 2 : 1;

    memset(&rows, 0, sizeof rows);
    for (unsigned i = 0; i < all->n; i++) {
        const struct hd_path *p = &all->path[i];
        const struct hd_lane_regs r = hd_call_regs(w, p->frame);
        struct together own;
        read_operands(&own, &w->insns[p->pc], &r, p->lanes & lanes);
        v.yes |= own.yes & own.lanes;
        for (uint32_t m = own.masks ? own.lanes : 0; m; m &= m - 1) {
            unsigned l = (unsigned)__builtin_ctz(m);
            rows.masks[l] = own.masks[l];
            rows.b[l] = own.b[l];
            rows.c[l] = own.c[l];
            memcpy(rows.a + words * l, own.a + words * l, words * sizeof *own.a);
        }
    }
    compute(&v);
    for (unsigned i = 0; i < all->n; i++) {
        const struct hd_path *p = &all->path[i];
        const struct hd_lane_regs r = hd_call_regs(w, p->frame);
        if (p->lanes & lanes)
            write_results(&v, &w->insns[p->pc], &r, p->lanes & lanes);
    }
}

// Paths that wait at this instruction for lanes that the top has come with join it.
static void unite(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                  const uint32_t *masks, struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;

    for (unsigned k = s->depth[warp]; k-- > 0;) {
        bool leaf;
        uint32_t lanes = hd_simt_own(s, warp, k, &leaf);
        if (leaf && lanes & named(masks, out->exec_mask) && !(lanes & s->passed[warp]) &&
            lanes & s->parked[warp] && hd_simt_unite(s, warp, k)) {
            out->active_mask = s->lanes[warp];
            out->exec_mask = s->lanes[warp] & hd_lanes_pred(&sm->warps[warp].regs, in->guard);
        }
    }
}

// All lanes that the top names have come: those in other paths go on when their path is the top.
static void go_on(struct hd_emu_sm *sm, unsigned warp, uint32_t lanes)
{
    struct hd_simt *s = &sm->simt;

    s->passed[warp] |= lanes & ~s->lanes[warp];
    s->parked[warp] &= ~s->lanes[warp];
    hd_simt_next(s, warp);
}

// Lanes of the top for which this operation has been done while another path was the top.
static void pass(struct hd_emu_sm *sm, unsigned warp, struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;
    uint32_t done = s->passed[warp] & out->exec_mask, left = out->exec_mask & ~done;

    s->passed[warp] &= ~done;
    s->parked[warp] &= ~done;
    out->exec_mask = 0;
    if (left)
        hd_simt_split(s, warp, left, 0);
    else
        hd_simt_next(s, warp);
}

// The lanes here whose operation can be executed now, and with them, in *together, those of other
// paths; 0 if there are none.
static uint32_t met_here(const struct hd_emu_sm *sm, unsigned warp, const struct hd_paths *all,
                         const struct hd_insn *in, uint32_t here, uint32_t *together)
{
    uint32_t masks[HD_LANES];
    uint32_t waiting = hd_paths_gather(sm, warp, all, &all->path[0], in, masks);
    uint32_t met = hd_paths_met(waiting, masks, sm->simt.alive[warp]);

    *together = 0;
    for (uint32_t m = met & here; m; m &= m - 1)
        *together |= masks[__builtin_ctz(m)] & met;
    *together |= met & here;
    return met & here;
}

// A lane that the top names and that cannot come: where it is.
static uint32_t where_is(const struct hd_paths *all, uint32_t lanes)
{
    for (unsigned i = 1; i < all->n; i++)
        if (all->path[i].lanes & lanes)
            return all->path[i].pc;
    return HD_PC_NONE;
}

// Lanes at one instruction, which name only each other, but not the same lanes. Is it a valid use
// of masks that overlap: does each lane name itself, and can two of them at least, `met`, execute
// now? Of anything else, public programs expect that lanes that are together execute it together (a
// ballot whose mask is the lanes before the own one).
static bool is_mutual(const uint32_t *masks, uint32_t here, uint32_t met)
{
    bool several = false;

    for (uint32_t m = here; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        if (!(masks[l] >> l & 1))
            return false;
        several |= (met >> l & 1) && masks[l] & here & ~(1u << l);
    }
    return several;
}

static bool meet_apart(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                       const uint32_t *masks, struct hd_effects *out)
{
    struct hd_simt *s = &sm->simt;
    struct hd_paths all;
    uint32_t now, together, here, missing;
    bool matrix = hd_paths_mask_row(in) == HD_ROW_NONE;

    unite(sm, warp, in, masks, out);
    here = out->exec_mask;
    missing = named(masks, here) & s->alive[warp] & ~here;
    hd_paths_find(sm, warp, &all);
    if (matrix)
        now = together = missing ? 0 : here;
    else
        now = met_here(sm, warp, &all, in, here, &together);
    if ((now == here && together == here) ||
        (!missing && !is_mutual(masks, here, now))) { // all that are named are here
        perform(sm, warp, in, here);
        go_on(sm, warp, here);
        return true;
    }
    if (now) {
        if (now != here) {
            hd_simt_split(s, warp, now, here & ~now);
            s->parked[warp] |= here & ~now;
            hd_paths_find(sm, warp, &all);
        }
        out->active_mask |= together;
        out->exec_mask = together;
        perform_together(sm, warp, &all, together);
        go_on(sm, warp, together);
        return true;
    }
    if (out->active_mask != here)
        hd_simt_split(s, warp, here, 0);
    out->exec_mask = 0;
    switch (hd_paths_wait(sm, warp, missing)) {
    case HD_PATHS_SWITCHED:
        out->flags |= HD_EFF_SWITCHED;
        return true;
    case HD_PATHS_BLOCKED:
        out->flags |= HD_EFF_BLOCKED;
        return true;
    case HD_PATHS_STUCK:
        break;
    }
    out->exec_mask = here;
    hd_paths_find(sm, warp, &all);
    if (!note_absent(sm, warp, out, missing, where_is(&all, missing)))
        return false;
    perform(sm, warp, in, here);
    go_on(sm, warp, here);
    return true;
}

bool hd_warp_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                  struct hd_effects *out)
{
    const struct hd_emu_warp *w = &sm->warps[warp];
    struct hd_simt *s = &sm->simt;
    unsigned shape = hd_op_info[in->op].shape;
    bool matrix = shape == HD_SHAPE_MMA || shape == HD_SHAPE_MOVM; // the whole warp takes part
    const uint32_t *masks = matrix ? everybody : source(&w->regs, hd_paths_mask_row(in));

    if (s->passed[warp] & out->exec_mask) {
        pass(sm, warp, out);
        return true;
    }
    if (masks && w->apart && !agree(masks, out->exec_mask, s->alive[warp]))
        return meet_apart(sm, warp, in, masks, out);
    if (masks && !w->apart && named(masks, out->exec_mask) & s->alive[warp] & ~s->lanes[warp]) {
        if (!meet_in_lockstep(sm, warp, in, masks, out))
            return false;
        if (!out->exec_mask)
            return true;
    }
    s->parked[warp] &= ~s->lanes[warp];
    perform(sm, warp, in, out->exec_mask);
    hd_simt_next(s, warp);
    return true;
}
