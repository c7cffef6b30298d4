// mov.c - mov instructions that do more than copy a register: reading a special register that
// changes while the program runs, packing scalars into a wider register, unpacking, copying
// vectors.
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
    if (vec->child && vec->child->kind == HD_AST_SREG) {
        hd_values_complain(m, vec->place,
                           "'%.*s' is a vector of 4: name a component such as .x, or use mov.v4",
                           HD_SLICE_ARG(vec->name));
        return false;
    }
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

    // %gridid used to have 16 bits, then 32
    if (have != want && from->index != HD_SREG_GRIDID) {
        hd_values_complain(m, from->place, "'%.*s' has type '.%s', expected '.%s'",
                           HD_SLICE_ARG(from->name), hd_type_names[hd_sreg_type(from->index)],
                           hd_type_names[m->sel.type]);
        return false;
    }
    m->insn->op = HD_OP_READ;
    m->insn->imm = from->index;
    if (want == 8)
        m->insn->mods |= HD_MOD_WIDE;
    if (want == 2)
        m->insn->mods |= HD_MOD_SHORT;
    return hd_values_result(m, to, m->sel.type, HD_AT_DST, m->pc);
}

// The elements of a vector of registers, special registers or numbers.
static bool copied(struct hd_match *m, const struct hd_ast_operand *vec, bool result, uint32_t *at)
{
    unsigned i = 0;

    if (vec->kind != HD_AST_VEC)
        return hd_values_expected(m, vec, "a vector");
    if (count(vec) != m->sel.vec) {
        hd_values_complain(m, vec->place, "expected a vector of %u, found one of %u", m->sel.vec,
                           count(vec));
        return false;
    }
    *at = hd_values_vector(m);
    for (const struct hd_ast_operand *e = vec->child; e; e = e->next, i++) {
        if (result && e->kind == HD_AST_SINK)
            continue;
        if (!(result ? hd_values_result(m, e, m->sel.type, HD_AT_VEC, 4 * *at + i)
                     : hd_values_source(m, e, m->sel.type, false, HD_AT_VEC, 4 * *at + i,
                                        &m->lo->vecs[*at][i])))
            return false;
    }
    return true;
}

// mov.v2, mov.v4
static bool copy_vector(struct hd_match *m, const struct hd_ast_operand *to,
                        const struct hd_ast_operand *from)
{
    uint32_t dst = 0, src = 0;

    m->insn->op = HD_OP_COPY_VECTOR;
    m->insn->vec = m->sel.vec;
    m->insn->imm = hd_type_bytes(m->sel.type);
    if (!copied(m, to, true, &dst) || !copied(m, from, false, &src))
        return false;
    m->insn->dst = (int32_t)dst;
    m->insn->src[0] = (int32_t)src;
    return true;
}

bool hd_mov_match(struct hd_match *m, bool *done)
{
    const struct hd_ast_operand *to = m->in->operands, *from = to ? to->next : NULL;

    *done = from && !from->next;
    if (*done && m->sel.vec > 1)
        return copy_vector(m, to, from);
    if (*done && from->kind == HD_AST_SREG && from->index >= HD_SREG_FIRST_READ)
        return read_special(m, to, from);
    if (*done && to->kind == HD_AST_VEC)
        return unpack(m, to, from);
    if (*done && from->kind == HD_AST_VEC)
        return pack(m, to, from);
    *done = false;
    return true;
}
