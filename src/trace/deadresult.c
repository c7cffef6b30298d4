// deadresult.c - see deadresult.h.
#include "trace/deadresult.h"

#include "isa/op.h"

static bool wide(unsigned type)
{
    return hd_type_rows((enum hd_type)type) == 2;
}

// Whether a register at `row` covers row `asked`.
static bool covers(int32_t row, bool is_wide, int32_t asked)
{
    return row == asked || (is_wide && row + 1 == asked);
}

static bool vector_covers(const struct hd_program *p, int32_t index, bool is_wide, int32_t asked)
{
    if (index < 0 || (uint32_t)index >= p->n_vecs)
        return false;
    for (int i = 0; i < 4; i++)
        if (covers(p->vecs[index][i], is_wide, asked))
            return true;
    return false;
}

static bool call_reads(const struct hd_program *p, const struct hd_insn *in, int32_t asked)
{
    const struct hd_call *c = &p->calls[in->imm];

    for (unsigned i = 0; i < (unsigned)c->n_rets + c->n_args; i++)
        if (covers(c->args[i].row, true, asked))
            return true;
    return covers(in->src[0], true, asked);
}

// A return reads what the functions of a module return.
static bool return_reads(const struct hd_func *f, int32_t asked)
{
    for (unsigned i = 0; i < f->n_rets; i++)
        if (covers(f->args[i].row, true, asked))
            return true;
    return false;
}

static bool reads(const struct hd_program *p, const struct hd_func *f, const struct hd_insn *in,
                  int32_t asked)
{
    const struct hd_op_info *op = &hd_op_info[in->op];
    bool both = wide(op->type) || op->type == HD_TYPE_NONE;

    switch ((enum hd_shape)op->shape) {
    case HD_SHAPE_LD:
    case HD_SHAPE_ST:
    case HD_SHAPE_ATOM:
        both |= in->mods & HD_MOD_WIDE;
        if (covers(in->src[0], !(in->mods & HD_MOD_A32), asked) ||
            (in->vec > 1 && vector_covers(p, in->src[1], both, asked)))
            return true;
        return in->vec == 1 && (covers(in->src[1], both, asked) || covers(in->src[2], both, asked));
    case HD_SHAPE_TEX:
    case HD_SHAPE_QUERY:
    case HD_SHAPE_SULD:
    case HD_SHAPE_SUST: // rows, lists of rows, and offsets in imm
        for (int i = 0; i < 3; i++)
            if (covers(in->src[i], true, asked) || vector_covers(p, in->src[i], true, asked))
                return true;
        return vector_covers(p, HD_WARP_ROW(in->imm), true, asked);
    case HD_SHAPE_COPY:
        return true; // unknown, so it counts as read
    case HD_SHAPE_PACK:
    case HD_SHAPE_COPYV:
        return vector_covers(p, in->src[0], true, asked);
    case HD_SHAPE_CALL:
        return call_reads(p, in, asked);
    case HD_SHAPE_DABNM:
    case HD_SHAPE_SHFL: // and the row in imm
        if (covers((int32_t)(uint32_t)((uint64_t)in->imm & UINT32_MAX), false, asked))
            return true;
        break;
    case HD_SHAPE_DABX:
    case HD_SHAPE_DAX:
    case HD_SHAPE_SLCT: // some have the destination's type
    case HD_SHAPE_UNPACK:
    case HD_SHAPE_ALLOCA:
        both = true;
        break;
    default:
        break;
    }
    if (op->kind == HD_KIND_RET && return_reads(f, asked))
        return true;
    for (int i = 0; i < 3; i++)
        if (covers(in->src[i], both, asked))
            return true;
    return false;
}

// Whether it gives every lane that executes it a new value in that row.
static bool replaces(const struct hd_insn *in, int32_t asked)
{
    if (in->guard != HD_PRED_TRUE || in->dst != asked)
        return false;
    switch ((enum hd_shape)hd_op_info[in->op].shape) {
    case HD_SHAPE_DA:
    case HD_SHAPE_DAB:
    case HD_SHAPE_DABC:
    case HD_SHAPE_DABQ:
    case HD_SHAPE_DAN:
    case HD_SHAPE_DANM:
    case HD_SHAPE_DABNM:
    case HD_SHAPE_DABX:
    case HD_SHAPE_DAX:
    case HD_SHAPE_SLCT:
    case HD_SHAPE_LOP3:
    case HD_SHAPE_LOP3P:
    case HD_SHAPE_VIDEO:
    case HD_SHAPE_SET:
    case HD_SHAPE_READ:
    case HD_SHAPE_PACK:
        return true;
    case HD_SHAPE_LD:
    case HD_SHAPE_ATOM:
        return in->vec == 1;
    default:
        return false;
    }
}

struct search {
    uint8_t *seen;
    uint32_t *todo;
    uint32_t n, first, end;
};

static void visit(struct search *s, uint32_t pc)
{
    if (pc < s->first || pc >= s->end || s->seen[pc - s->first])
        return;
    s->seen[pc - s->first] = 1;
    s->todo[s->n++] = pc;
}

static void visit_next(struct search *s, const struct hd_program *p, uint32_t pc)
{
    const struct hd_insn *in = &p->insns[pc];
    unsigned kind = hd_op_info[in->op].kind;
    bool ends = kind == HD_KIND_EXIT || kind == HD_KIND_RET;

    if (in->op == HD_OP_BRX)
        for (int32_t i = 0; i < in->dst; i++)
            visit(s, p->targets[HD_TARGET_PC(in->imm) + (uint32_t)i]);
    else if (kind == HD_KIND_BRANCH)
        visit(s, HD_TARGET_PC(in->imm));
    if (in->guard != HD_PRED_TRUE || (!ends && in->op != HD_OP_BRA))
        visit(s, pc + 1);
}

static bool row_read(struct hd_arena *a, const struct hd_program *p, uint32_t pc, int32_t row)
{
    const struct hd_func *f = &p->funcs[p->places[pc].func];
    uint32_t n = f->end_pc - f->first_pc;
    struct search s = {.seen = HD_ARRAY(a, uint8_t, n),
                       .todo = HD_ARRAY(a, uint32_t, n),
                       .first = f->first_pc,
                       .end = f->end_pc};

    visit_next(&s, p, pc);
    while (s.n) {
        uint32_t at = s.todo[--s.n];
        if (reads(p, f, &p->insns[at], row))
            return true;
        if (!replaces(&p->insns[at], row))
            visit_next(&s, p, at);
    }
    return false;
}

bool hd_deadresult_is(struct hd_arena *a, const struct hd_program *p, uint32_t pc)
{
    const struct hd_insn *in = &p->insns[pc];

    if (in->dst == HD_ROW_NONE)
        return true;
    return !row_read(a, p, pc, in->dst) &&
           (!wide(hd_op_info[in->op].type) || !row_read(a, p, pc, in->dst + 1));
}
