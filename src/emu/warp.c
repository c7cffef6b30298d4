// warp.c - operations across the lanes of a warp: vote, shfl, match, redux, elect, activemask,
// bar.warp.sync, and the synchronisation at the start of a matrix multiplication.
//
// The member mask of a lane of a .sync operation names the lanes that it works with; lanes that
// have ended do not count. Groups with different masks may execute together, so masks are evaluated
// lane by lane. If a named lane is elsewhere (the warp has diverged), the lanes here wait and the
// others run, if both can meet at this instruction. A lane that cannot arrive does not count
// either, as on GPUs, although PTX does not guarantee that: public programs have such masks. It is
// recorded. The value that a shuffle reads from a lane that does not execute it is undefined in
// PTX. Here it is zero, which public programs rely on (sums over a few lanes of a warp with the
// distances of a whole one).
#include "base/bug.h"
#include "emu/emu_internal.h"

#include <stdio.h>
#include <string.h>

struct lanes_view { // one instruction
    const struct hd_lane_regs *r;
    const struct hd_insn *in;
    uint32_t lanes;        // those that execute
    const uint32_t *masks; // member mask of every lane; NULL: all lanes
};

static uint32_t members(const struct lanes_view *v, unsigned l)
{
    return v->masks ? v->masks[l] & v->lanes : v->lanes;
}

static void write_lane(const struct lanes_view *v, unsigned l, uint32_t x)
{
    if (v->in->dst != HD_ROW_NONE)
        hd_lanes_row(v->r, v->in->dst)[l] = x;
}

static void write_pred(const struct lanes_view *v, uint32_t p, uint32_t value)
{
    if (p != HD_PRED_TRUE)
        v->r->preds[p] = (v->r->preds[p] & ~v->lanes) | (value & v->lanes);
}

static void vote(const struct lanes_view *v)
{
    uint32_t yes = hd_lanes_pred(v->r, (uint32_t)v->in->src[0]) & v->lanes, result = 0;

    for (uint32_t m = v->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t group = members(v, l), said = yes & group;
        bool holds = false;
        switch (v->in->op) {
        case HD_OP_VOTE_SYNC_BALLOT_B32:
        case HD_OP_VOTE_BALLOT_B32:
            write_lane(v, l, said);
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
        result |= (uint32_t)holds << l;
    }
    if (hd_op_info[v->in->op].dtype == HD_PRED)
        write_pred(v, (uint32_t)v->in->dst, result);
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

static void shuffle(const struct lanes_view *v)
{
    const uint32_t *b = hd_lanes_source(v->r, v->in->src[1]);
    const uint32_t *c = hd_lanes_source(v->r, v->in->src[2]);
    uint32_t a[HD_LANES], got[HD_LANES], in_range = 0;
    bool inside;

    memcpy(a, hd_lanes_source(v->r, v->in->src[0]), sizeof a);
    for (uint32_t m = ~v->lanes; m; m &= m - 1)
        a[__builtin_ctz(m)] = 0;
    for (unsigned l = 0; l < HD_LANES; l++) {
        got[l] = a[source_lane(v->in->op, l, b[l], c[l], &inside)];
        in_range |= (uint32_t)inside << l;
    }
    for (uint32_t m = v->lanes; m; m &= m - 1)
        write_lane(v, (unsigned)__builtin_ctz(m), got[__builtin_ctz(m)]);
    write_pred(v, HD_WARP_PRED(v->in->imm), in_range);
}

static void read_values(const struct lanes_view *v, uint64_t *x)
{
    const uint32_t *row = hd_lanes_source(v->r, v->in->src[0]);

    if (hd_type_rows(hd_op_info[v->in->op].type) == 2)
        memcpy(x, row, HD_LANES * sizeof *x);
    else
        for (int l = 0; l < HD_LANES; l++)
            x[l] = row[l];
}

static void match(const struct lanes_view *v, bool all)
{
    uint64_t x[HD_LANES];
    uint32_t agreed = 0, result[HD_LANES];

    read_values(v, x);
    for (uint32_t m = v->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t group = members(v, l), same = 0;
        for (uint32_t k = group; k; k &= k - 1)
            same |= x[__builtin_ctz(k)] == x[l] ? k & -k : 0;
        agreed |= (uint32_t)(same == group) << l;
        result[l] = !all || same == group ? same : 0;
    }
    for (uint32_t m = v->lanes; m; m &= m - 1)
        write_lane(v, (unsigned)__builtin_ctz(m), result[__builtin_ctz(m)]);
    write_pred(v, HD_WARP_PRED(v->in->imm), agreed);
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

static void reduce(const struct lanes_view *v)
{
    uint32_t x[HD_LANES];

    memcpy(x, hd_lanes_source(v->r, v->in->src[0]), sizeof x);
    for (uint32_t m = v->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t group = members(v, l) | 1u << l, total = x[__builtin_ctz(group)];
        for (uint32_t k = group & (group - 1); k; k &= k - 1)
            total = reduce_two(v->in->op, total, x[__builtin_ctz(k)]);
        write_lane(v, l, total);
    }
}

static void elect(const struct lanes_view *v)
{
    uint32_t chosen = 0;

    for (uint32_t m = v->lanes; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        uint32_t group = members(v, l) | 1u << l;
        write_lane(v, l, (uint32_t)__builtin_ctz(group));
        chosen |= (uint32_t)(l == (unsigned)__builtin_ctz(group)) << l;
    }
    write_pred(v, HD_WARP_PRED(v->in->imm), chosen);
}

static void perform(struct hd_emu_sm *sm, unsigned warp, const struct lanes_view *v)
{
    switch ((enum hd_shape)hd_op_info[v->in->op].shape) {
    case HD_SHAPE_D:
        for (uint32_t m = v->lanes; m; m &= m - 1)
            write_lane(v, (unsigned)__builtin_ctz(m), v->lanes);
        break;
    case HD_SHAPE_VOTE:
        vote(v);
        break;
    case HD_SHAPE_SHFL:
        shuffle(v);
        break;
    case HD_SHAPE_MATCH:
        match(v, v->in->op == HD_OP_MATCH_ALL_B32 || v->in->op == HD_OP_MATCH_ALL_B64);
        break;
    case HD_SHAPE_REDUX:
        reduce(v);
        break;
    case HD_SHAPE_ELECT:
        elect(v);
        break;
    case HD_SHAPE_MMA:
    case HD_SHAPE_MOVM:
        hd_tensor_compute(sm, warp, v->in, v->lanes);
        break;
    case HD_SHAPE_MASK: // the lanes have met; there is nothing else to do
        break;
    default:
        HD_BUG("no way to execute %s", hd_op_info[v->in->op].name);
    }
}

// The operand with the member mask of an instruction; HD_ROW_NONE: it has none.
static int32_t mask_row(const struct hd_insn *in)
{
    switch ((enum hd_shape)hd_op_info[in->op].shape) {
    case HD_SHAPE_VOTE:
    case HD_SHAPE_MATCH:
    case HD_SHAPE_REDUX:
        return in->src[1];
    case HD_SHAPE_ELECT:
    case HD_SHAPE_MASK:
        return in->src[0];
    case HD_SHAPE_SHFL:
        return HD_WARP_ROW(in->imm);
    default:
        return HD_ROW_NONE;
    }
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

bool hd_warp_exec(struct hd_emu_sm *sm, unsigned warp, const struct hd_insn *in,
                  struct hd_effects *out)
{
    const struct hd_lane_regs *r = &sm->warps[warp].regs;
    struct hd_simt *s = &sm->simt;
    int32_t row = mask_row(in);
    struct lanes_view v = {r, in, out->exec_mask,
                           row == HD_ROW_NONE ? NULL : hd_lanes_source(r, row)};
    unsigned shape = hd_op_info[in->op].shape;

    if (shape == HD_SHAPE_MMA || shape == HD_SHAPE_MOVM) // the whole warp takes part
        v.masks = everybody;

    for (uint32_t ended = 0; v.masks;) {
        uint32_t named = 0, where, more;
        for (uint32_t m = out->exec_mask; m; m &= m - 1)
            named |= v.masks[__builtin_ctz(m)];
        uint32_t missing = named & s->alive[warp] & ~s->lanes[warp] & ~ended;
        if (!missing)
            break;
        switch (hd_simt_meet(s, warp, missing, &where)) {
        case HD_SIMT_JOINED:
            out->active_mask = s->lanes[warp];
            out->exec_mask = v.lanes = s->lanes[warp] & hd_lanes_pred(r, in->guard);
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
    s->parked[warp] &= ~s->lanes[warp];
    perform(sm, warp, &v);
    hd_simt_next(s, warp);
    return true;
}
