// mov.c - mov instructions that do more than copy a register: reading a special register that
// changes while the program runs, packing scalars into a wider register, unpacking.
#include "ptx/mov.h"

// The type of an element if a register of `bytes` bytes is a vector of n, or HD_TYPE_NONE.
static enum hd_type element_type(unsigned bytes, unsigned n)
{
    switch (n == 2 || n == 4 ? bytes / n : 0) {
    case 1:
        return HD_B8;
    case 2:
        return HD_B16;
    case 4:
        return HD_B32;
    default:
        return HD_TYPE_NONE;
    }
}

static unsigned count(const struct hd_ast_operand *vec)
{
    unsigned n = 0;

    for (const struct hd_ast_operand *e = vec->child; e; e = e->next)
        n++;
    return n;
}

static bool match_elements(struct hd_match *m, const struct hd_ast_operand *vec, bool result,
                           int32_t *index)
{
    unsigned n = count(vec), at = 0;
    enum hd_type t = element_type(hd_type_bytes(m->sel.type), n);
    uint32_t where;

    if (t == HD_TYPE_NONE) {
        hd_values_complain(m, vec->place, "a vector of %u does not fit type '.%s'", n,
                           hd_type_names[m->sel.type]);
        return false;
    }
    where = hd_values_vector(m);
    for (const struct hd_ast_operand *e = vec->child; e; e = e->next, at++) {
        if (result && e->kind == HD_AST_SINK)
            continue;
        if (!(result ? hd_values_result(m, e, t, HD_AT_VEC, 4 * where + at)
                     : hd_values_source(m, e, t, false, HD_AT_VEC, 4 * where + at,
                                        &m->lo->vecs[where][at])))
            return false;
    }
    m->insn->vec = (uint8_t)n;
    m->insn->imm = hd_type_bytes(t);
    *index = (int32_t)where;
    return true;
}

static bool pack(struct hd_match *m, const struct hd_ast_operand *to,
                 const struct hd_ast_operand *vec)
{
    m->insn->op = HD_OP_PACK;
    return hd_values_result(m, to, m->sel.type, HD_AT_DST, m->pc) &&
           match_elements(m, vec, false, &m->insn->src[0]);
}

static bool unpack(struct hd_match *m, const struct hd_ast_operand *vec,
                   const struct hd_ast_operand *from)
{
    m->insn->op = HD_OP_UNPACK;
    m->n_src = 1;
    return match_elements(m, vec, true, &m->insn->dst) &&
           hd_values_source(m, from, m->sel.type, false, HD_AT_SRC0, m->pc, &m->insn->src[0]);
}

static bool read_special(struct hd_match *m, const struct hd_ast_operand *to,
                         const struct hd_ast_operand *from)
{
    unsigned have = hd_type_bytes(hd_sreg_type(from->index)), want = hd_type_bytes(m->sel.type);

    if (have != want &&
        !(from->index == HD_SREG_GRIDID && want == 4)) { // %gridid used to have 32 bits
        hd_values_complain(m, from->place, "'%.*s' has type '.%s', expected '.%s'",
                           HD_SLICE_ARG(from->name), hd_type_names[hd_sreg_type(from->index)],
                           hd_type_names[m->sel.type]);
        return false;
    }
    m->insn->op = HD_OP_READ;
    m->insn->imm = from->index;
    if (want == 8)
        m->insn->mods |= HD_MOD_WIDE;
    return hd_values_result(m, to, m->sel.type, HD_AT_DST, m->pc);
}

bool hd_mov_match(struct hd_match *m, bool *done)
{
    const struct hd_ast_operand *to = m->in->operands, *from = to ? to->next : NULL;

    *done = from && !from->next;
    if (*done && from->kind == HD_AST_SREG && from->index >= HD_SREG_FIRST_READ)
        return read_special(m, to, from);
    if (*done && to->kind == HD_AST_VEC)
        return unpack(m, to, from);
    if (*done && from->kind == HD_AST_VEC)
        return pack(m, to, from);
    *done = false;
    return true;
}
