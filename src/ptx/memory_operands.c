// memory_operands.c - operands of loads, stores, textures and surfaces: addresses, objects with
// their coordinates, and the registers or vectors that are read or written.
#include "ptx/memory_operands.h"

#include "base/bug.h"

static bool match_symbol_address(struct hd_match *m, const struct hd_ast_operand *o)
{
    const struct hd_ast_operand *base = o->child;
    const struct hd_ast_var *v = &m->lo->ast->vars[base->index];
    unsigned lies = hd_values_in_frame(m, v) ? HD_SPACE_LOCAL : v->space;
    bool same =
        lies == m->sel.space || (m->sel.space == HD_SPACE_GENERIC && lies == HD_SPACE_GLOBAL);

    if (!same) {
        hd_values_complain(m, base->place, "'%.*s' lies in '.%s'%s", HD_SLICE_ARG(base->name),
                           hd_space_names[v->space],
                           m->sel.space == HD_SPACE_GENERIC ? ", which the instruction has to say"
                                                            : "");
        return false;
    }
    if (!hd_values_check_defined(m, base))
        return false;
    if (v->space == HD_SPACE_GLOBAL) {
        m->insn->src[0] = hd_pool_address(&m->lo->pool, v->symbol, 0);
    } else if (!m->f->is_kernel && v->space == HD_SPACE_SHARED && v->is_extern) {
        m->insn->mods |= HD_MOD_A32;
        hd_values_special(m, HD_SREG_DYNAMIC, HD_AT_SRC0, m->pc);
    } else
        m->insn->imm += (int64_t)v->offset;
    return true;
}

bool hd_memory_operands_address(struct hd_match *m, const struct hd_ast_operand *o)
{
    const struct hd_ast_operand *base = o->child;
    unsigned at = m->n_src++;

    HD_BUG_IF(at != 0, "address is operand %u of '%s'", at, m->sel.name);
    if (o->kind != HD_AST_ADDR)
        return hd_values_expected(m, o, "an address such as [%rd1+4]");
    m->insn->imm = o->value;
    if (!base)
        return true;
    if (base->next)
        return hd_values_expected(m, base->next, "']'");
    if (base->kind == HD_AST_VAR)
        return match_symbol_address(m, o);
    if (base->kind != HD_AST_REG)
        return hd_values_expected(m, base, "a register or a variable");
    enum hd_type t = m->f->regs[base->index].type;
    if (hd_type_is_float(t) || hd_type_bytes(t) < 4) {
        hd_values_complain(m, base->place,
                           "'%.*s' has type '.%s', expected an address of 64 or 32 bits",
                           HD_SLICE_ARG(base->name), hd_type_names[t]);
        return false;
    }
    if (hd_type_bytes(t) == 4)
        m->insn->mods |= HD_MOD_A32;
    hd_values_use(m, base, true);
    hd_values_fix(m, m->pc, HD_AT_SRC0, base->index, false);
    return true;
}

// Enter a value or a vector of `want` values into a new vector. The first has type `first`, the
// others type `t`.
static bool match_elements(struct hd_match *m, const struct hd_ast_operand *o, unsigned want,
                           enum hd_type first, enum hd_type t, const char *what, uint32_t *index)
{
    const struct hd_ast_operand *e = o->kind == HD_AST_VEC ? o->child : o;
    unsigned n = 0;

    *index = hd_values_vector(m);
    for (; e && n < want; e = o->kind == HD_AST_VEC ? e->next : NULL, n++)
        if (!hd_values_source(m, e, n ? t : first, false, HD_AT_VEC, 4 * *index + n,
                              &m->lo->vecs[*index][n]))
            return false;
    if (n == want && !(e && e->next)) // a vector of three is written with a fourth element
        return true;
    hd_values_complain(m, o->place, "expected %u %s%s", want, what, want == 1 ? "" : "s");
    return false;
}

static bool match_coordinates(struct hd_match *m, const struct hd_ast_operand *o)
{
    struct hd_geometry g = hd_op_geometry(m->sel.op);
    enum hd_type t = m->sel.space == HD_SPACE_TEX ? m->sel.type : HD_B32;
    uint32_t index;

    if (!match_elements(m, o, g.dims + g.layered, g.layered ? HD_B32 : t, t, "coordinate", &index))
        return false;
    m->insn->src[1] = (int32_t)index;
    return true;
}

bool hd_memory_operands_gradient(struct hd_match *m, const struct hd_ast_operand *o)
{
    uint32_t index;

    if (o->kind != HD_AST_VEC)
        return hd_values_expected(m, o, "a vector of derivatives such as {%f1, %f2}");
    return match_elements(m, o, hd_op_geometry(m->sel.op).dims, HD_F32, HD_F32, "derivative",
                          &index);
}

bool hd_memory_operands_offsets(struct hd_match *m, const struct hd_ast_operand *o)
{
    unsigned dims = hd_op_geometry(m->sel.op).dims;
    bool one = o->kind == HD_AST_INT ||
               (o->kind == HD_AST_REG && !hd_type_is_float(m->f->regs[o->index].type));
    uint32_t index;

    if (o->kind != HD_AST_VEC && !(one && dims == 1)) {
        hd_values_complain(m, o->place, "comparison with a depth is not supported");
        return false;
    }
    if (!match_elements(m, o, dims, HD_S32, HD_S32, "offset", &index))
        return false;
    m->insn->imm = HD_WARP_IMM((int32_t)index, HD_WARP_PRED(m->insn->imm));
    return true;
}

bool hd_memory_operands_object(struct hd_match *m, const struct hd_ast_operand *o, bool coordinates)
{
    const struct hd_ast_operand *base = o->child;

    m->n_src = coordinates ? 2 : 1;
    if (o->kind != HD_AST_ADDR || !base || !base->next != !coordinates || o->value)
        return hd_values_expected(m, o,
                                  coordinates
                                      ? "an object with coordinates such as [%rd1, {%f1, %f2}]"
                                      : "an object such as [%rd1]");
    if (base->kind == HD_AST_VAR && m->lo->ast->vars[base->index].opaque) {
        if (!hd_values_address(m, base, HD_B64, HD_AT_SRC0, m->pc, &m->insn->src[0]))
            return false;
    } else if (base->kind != HD_AST_REG) {
        return hd_values_expected(m, base, "a register with the handle of a texture or surface");
    } else {
        if (!hd_values_check_register(m, base, HD_B64, false))
            return false;
        hd_values_use(m, base, true);
        hd_values_fix(m, m->pc, HD_AT_SRC0, base->index, false);
    }
    return !coordinates || match_coordinates(m, base->next);
}

// The type of the data of a load or store.
static enum hd_type data_type(const struct hd_match *m)
{
    return m->sel.space == HD_SPACE_TEX ? m->sel.dtype : m->sel.type;
}

// Whether this data register is 64 bits wide although the element is narrower.
static bool widened(const struct hd_match *m, const struct hd_ast_operand *o)
{
    return o->kind == HD_AST_REG && hd_type_bytes(data_type(m)) < 8 &&
           hd_type_bytes(m->f->regs[o->index].type) == 8;
}

static bool check_widened(struct hd_match *m, const struct hd_ast_operand *o, bool first)
{
    bool wide = widened(m, o), so_far = (m->insn->mods & HD_MOD_WIDE) != 0;

    if (o->kind != HD_AST_REG)
        return true;
    if (wide && (hd_op_mods(m->sel.op) & HD_MOD_WIDE) && (first || so_far)) {
        m->insn->mods |= HD_MOD_WIDE;
        if (hd_op_info[m->sel.op].kind == HD_KIND_LOAD && hd_type_is_signed(m->sel.type))
            m->insn->mods |= HD_MOD_SIGNED;
        return true;
    }
    if (wide == so_far)
        return true;
    hd_values_complain(m, o->place, "vector of registers of different sizes");
    return false;
}

static bool match_loaded(struct hd_match *m, const struct hd_ast_operand *o, unsigned at,
                         uint32_t where)
{
    if (o->kind == HD_AST_SINK && at == HD_AT_VEC)
        return true;
    if (o->kind != HD_AST_REG || o->negated)
        return hd_values_expected(m, o, "a destination register");
    if (!hd_values_check_register(m, o, data_type(m), true))
        return false;
    hd_values_define(m, o->index);
    hd_values_fix(m, where, at, o->index, false);
    return true;
}

static bool match_element(struct hd_match *m, const struct hd_ast_operand *o, bool load,
                          unsigned at, uint32_t where, int32_t *place)
{
    return load ? match_loaded(m, o, at, where)
                : hd_values_source(m, o, m->sel.type, true, at, where, place);
}

bool hd_memory_operands_data(struct hd_match *m, const struct hd_ast_operand *o, bool load)
{
    unsigned at = load ? HD_AT_DST : HD_AT_SRC0 + m->n_src++, n = 0;
    int32_t place = HD_ROW_NONE;

    if (m->sel.vec == 1) {
        if (o->kind == HD_AST_VEC && o->child && !o->child->next)
            o = o->child; // {a}
        if (!check_widened(m, o, true) || !match_element(m, o, load, at, m->pc, &place))
            return false;
        if (!load)
            m->insn->src[at - HD_AT_SRC0] = place;
        return true;
    }
    for (const struct hd_ast_operand *e = o->child; e; e = e->next)
        n++;
    if (o->kind != HD_AST_VEC)
        return hd_values_expected(m, o, m->sel.vec == 2 ? "a vector of 2" : "a vector of 4");
    if (n != m->sel.vec) {
        hd_values_complain(m, o->place, "expected a vector of %u, found one of %u", m->sel.vec, n);
        return false;
    }
    uint32_t index = hd_values_vector(m);
    n = 0;
    for (const struct hd_ast_operand *e = o->child; e; e = e->next, n++)
        if (!check_widened(m, e, n == 0) ||
            !match_element(m, e, load, HD_AT_VEC, 4 * index + n, &m->lo->vecs[index][n]))
            return false;
    if (load)
        m->insn->dst = (int32_t)index;
    else
        m->insn->src[at - HD_AT_SRC0] = (int32_t)index;
    return true;
}
