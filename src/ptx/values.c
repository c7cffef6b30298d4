// values.c - registers, constants and addresses as operands. See values.h.
#include "ptx/values.h"

#include "ptx/link.h"

#include <stdarg.h>
#include <string.h>

struct hd_diag_entry *hd_values_complain(const struct hd_match *m, struct hd_place_at at,
                                         const char *fmt, ...)
{
    char text[HD_DIAG_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return hd_diag_add(m->lo->diag, m->lo->path, at.line, at.column, "'%s': %s", m->sel.name, text);
}

static const char *shown(const struct hd_ast_operand *o)
{
    switch (o->kind) {
    case HD_AST_REG:
    case HD_AST_SREG:
        return "a register";
    case HD_AST_INT:
        return "an integer";
    case HD_AST_F32:
    case HD_AST_F64:
        return "a floating-point number";
    case HD_AST_VAR:
        return "a variable";
    case HD_AST_FUNC:
        return "a function";
    case HD_AST_LABEL:
        return "a label";
    case HD_AST_ADDR:
        return "an address";
    case HD_AST_VEC:
        return "a vector";
    case HD_AST_LIST:
        return "a list";
    case HD_AST_PROTO:
        return "a prototype";
    case HD_AST_TABLE:
        return "a list of labels";
    case HD_AST_PAIR:
        return "a pair";
    default:
        return "'_'";
    }
}

bool hd_values_expected(const struct hd_match *m, const struct hd_ast_operand *o, const char *what)
{
    if (o->kind != HD_AST_LABEL ||
        o->index != HD_AST_NONE) // an unknown name has been reported already
        hd_values_complain(m, o->place, "expected %s, found %s", what, shown(o));
    return false;
}

// --- types

static bool is_bits(enum hd_type t)
{
    return t == HD_B8 || t == HD_B16 || t == HD_B32 || t == HD_B64;
}

// Whether a register of type `reg` may be an operand of type `t`. wider: it may have more bits.
static bool fits(enum hd_type t, enum hd_type reg, bool wider)
{
    unsigned want = hd_type_bytes(t), have = hd_type_bytes(reg);

    if ((t == HD_PRED) != (reg == HD_PRED))
        return false;
    if (wider && !hd_type_is_float(t) ? have < want : have != want)
        return false;
    return is_bits(t) || is_bits(reg) || hd_type_is_float(t) == hd_type_is_float(reg);
}

bool hd_values_check_register(const struct hd_match *m, const struct hd_ast_operand *o,
                              enum hd_type t, bool wider)
{
    enum hd_type reg = o->kind == HD_AST_SREG ? hd_sreg_type(o->index) : m->f->regs[o->index].type;

    // In PTX 1.x thread and block indices had 16 bits.
    wider |= o->kind == HD_AST_SREG && o->index <= HD_SREG_NCTAID_Z && m->sel.op == HD_OP_MOV_B16;
    if (fits(t, reg, wider))
        return true;
    hd_values_complain(m, o->place, "'%.*s' has type '.%s', expected '.%s'", HD_SLICE_ARG(o->name),
                       hd_type_names[reg], hd_type_names[t]);
    return false;
}

// --- entering registers into the columns

void hd_values_fix(struct hd_match *m, uint32_t where, unsigned at, uint32_t reg, bool negated)
{
    *HD_PUSH(m->lo->scratch, m->fixups, m->n_fixups, m->fixup_cap) =
        (struct hd_fixup){where, reg, (uint8_t)at, negated};
}

void hd_values_refer(struct hd_match *m, uint32_t reg, enum hd_live_kind kind)
{
    *HD_PUSH(m->lo->scratch, m->refs, m->n_refs, m->ref_cap) =
        (struct hd_live_ref){m->pc - m->first_pc, reg, (uint8_t)kind};
}

// Scoreboard ids number the declared registers. Marks in the scoreboard outlive a kernel, and the
// next kernel finds them on its registers with the same numbers (timing-model O4).
uint16_t hd_values_scoreboard_id(const struct hd_match *m, uint32_t reg)
{
    bool declared = m->n_ids == m->f->n_declared; // unless they are too many

    return (uint16_t)(m->sb_base + (declared ? m->f->regs[reg].number : reg) % m->n_ids);
}

void hd_values_in_bank(struct hd_match *m, uint32_t digits)
{
    struct hd_banks *b = m->banks;
    bool again = false;

    if (digits == HD_AST_NO_BANK)
        return;
    for (unsigned i = 0; i < b->n_src; i++)
        again |= m->collected[i] == digits;
    m->collected[b->n_src] = digits;
    b->src[b->n_src++] = (uint8_t)(digits % HD_BANK_DIGITS | (again ? HD_BANK_AGAIN : 0));
}

bool hd_values_has_fragments(const struct hd_match *m)
{
    unsigned shape = hd_op_info[m->sel.op].shape;
    return shape == HD_SHAPE_MMA || shape == HD_SHAPE_FLOAD || shape == HD_SHAPE_FSTORE;
}

// A register that issue waits for and the operand collector reads.
static void collected(struct hd_match *m, uint32_t reg)
{
    if (m->n_dep_src < (m->sel.vec > 1 ? 4 : 3))
        m->deps->src[m->n_dep_src++] = hd_values_scoreboard_id(m, reg);
    else if (hd_values_has_fragments(m))
        m->wide.src[m->n_wide_src++] = hd_values_scoreboard_id(m, reg);
    if (m->banks->n_src < sizeof m->banks->src - 1)
        hd_values_in_bank(m, m->f->regs[reg].digits);
}

void hd_values_use(struct hd_match *m, const struct hd_ast_operand *o, bool address)
{
    if (o->kind == HD_AST_SREG) {
        m->special_used[o->index] = true;
        return;
    }
    hd_values_refer(m, o->index, HD_LIVE_USE);
    if (address) { // the reference neither waits for nor collects the address of an atomic
                   // operation
        if (m->deps->kind != HD_KIND_ATOMIC || hd_op_info[m->sel.op].shape == HD_SHAPE_MBAR) {
            m->deps->addr[0] = hd_values_scoreboard_id(m, o->index);
            m->address_digits = m->f->regs[o->index].digits;
        }
        return;
    }
    collected(m, o->index);
}

void hd_values_define(struct hd_match *m, uint32_t reg)
{
    hd_values_refer(m, reg, m->in->guard == HD_AST_NONE ? HD_LIVE_DEF : HD_LIVE_MAYBE);
    if (hd_op_info[m->sel.op].shape == HD_SHAPE_VOTE) { // the reference treats it as a source
        collected(m, reg);
    } else if (m->n_dep_dst < 4) {
        m->deps->dst[m->n_dep_dst++] = hd_values_scoreboard_id(m, reg);
        if (m->f->regs[reg].digits != HD_AST_NO_BANK)
            m->banks->dst[m->banks->n_dst++] = (uint8_t)(m->f->regs[reg].digits % HD_BANK_DIGITS);
    } else if (hd_values_has_fragments(m)) {
        m->wide.dst[m->n_wide_dst++] = hd_values_scoreboard_id(m, reg);
    }
}

// --- constants, addresses, registers as values

static bool constant_int(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                         int32_t *row)
{
    unsigned bits = hd_type_bytes(t) * 8;
    int64_t v = o->value;

    if (hd_type_is_float(t))
        return hd_values_expected(m, o, "a floating-point number such as 0f3F800000");
    if (bits && bits < 64 && (v < -(INT64_C(1) << (bits - 1)) || v >= INT64_C(1) << bits) &&
        !m->lo->n_cut++) { // ptxas cuts off the upper bits without a word
        m->lo->cut_line = o->place.line;
        m->lo->cut_text = m->f->module;
    }
    if (bits == 64) {
        *row = hd_pool_pair(&m->lo->pool, (uint64_t)v);
        return true;
    }
    uint32_t word = (uint32_t)v;
    if (bits && bits < 32) { // narrow constants are extended according to their type
        word &= (1u << bits) - 1;
        if (hd_type_is_signed(t) && (word >> (bits - 1) & 1))
            word |= ~((1u << bits) - 1);
    }
    *row = hd_pool_word(&m->lo->pool, word);
    return true;
}

static bool constant_float(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                           int32_t *row)
{
    uint64_t bits = (uint64_t)o->value;
    uint32_t bits32 = (uint32_t)bits;
    float f;
    double d;

    if (o->kind == HD_AST_F32) {
        memcpy(&f, &bits32, sizeof f);
        d = (double)f;
    } else {
        memcpy(&d, &bits, sizeof d);
        f = (float)d;
    }
    if (t == HD_F32 || (t == HD_B32 && o->kind == HD_AST_F32)) {
        if (o->kind == HD_AST_F64)
            memcpy(&bits32, &f, sizeof f);
        *row = hd_pool_word(&m->lo->pool, bits32);
        return true;
    }
    if (t == HD_F64 || (t == HD_B64 && o->kind == HD_AST_F64)) {
        if (o->kind == HD_AST_F32)
            memcpy(&bits, &d, sizeof d);
        *row = hd_pool_pair(&m->lo->pool, bits);
        return true;
    }
    hd_values_complain(m, o->place, "a floating-point number where type '.%s' is expected",
                       hd_type_names[t]);
    return false;
}

struct hd_diag_entry *hd_values_missing(const struct hd_match *m, const struct hd_ast_operand *o,
                                        struct hd_slice name, bool func)
{
    const char *hint, *what = hd_link_missing(m->lo->ast, m->lo->scratch, name, func, &hint);
    struct hd_diag_entry *e =
        hd_values_complain(m, o->place, "'%.*s' %s", HD_SLICE_ARG(name), what);

    if (hint)
        hd_diag_hint(e, "%s", hint);
    return e;
}

bool hd_values_check_defined(const struct hd_match *m, const struct hd_ast_operand *o)
{
    const struct hd_ast_var *v = &m->lo->ast->vars[o->index];

    if (!v->is_extern || v->space == HD_SPACE_SHARED)
        return true;
    hd_values_missing(m, o, v->name, false);
    return false;
}

bool hd_values_in_frame(const struct hd_match *m, const struct hd_ast_var *v)
{
    if (v->space == HD_SPACE_PARAM)
        return !v->in_reg && (v->in_body || !m->f->is_kernel);
    return v->space == HD_SPACE_LOCAL;
}

void hd_values_special(struct hd_match *m, enum hd_sreg which, unsigned at, uint32_t where)
{
    m->special_used[which] = true;
    hd_values_fix(m, where, at, m->n_regs + which, false);
}

// The address of a variable that depends on the frame is a special register plus an offset. A mov
// of such an address becomes an add.
static bool frame_address(struct hd_match *m, const struct hd_ast_operand *o, uint64_t offset,
                          enum hd_type t, unsigned at, uint32_t where)
{
    bool frame = hd_values_in_frame(m, &m->lo->ast->vars[o->index]);
    bool moves = m->sel.op == HD_OP_MOV_B64 || m->sel.op == HD_OP_MOV_B32, wide;

    wide = hd_type_bytes(t) == 8;
    hd_values_special(m,
                      frame ? (wide ? HD_SREG_FRAME64 : HD_SREG_FRAME)
                            : (wide ? HD_SREG_DYNAMIC64 : HD_SREG_DYNAMIC),
                      at, where);
    if (!offset)
        return true;
    if (!moves) {
        hd_values_complain(m, o->place,
                           "in a function the address of '%.*s' can only be taken with mov",
                           HD_SLICE_ARG(o->name));
        return false;
    }
    m->insn->op = wide ? HD_OP_ADD_U64 : HD_OP_ADD_U32;
    m->insn->src[1] =
        wide ? hd_pool_pair(&m->lo->pool, offset) : hd_pool_word(&m->lo->pool, (uint32_t)offset);
    return true;
}

bool hd_values_address(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                       unsigned at, uint32_t where, int32_t *row)
{
    const struct hd_ast_var *v = &m->lo->ast->vars[o->index];
    uint64_t value = v->offset + (uint64_t)o->value;

    if (!hd_values_check_defined(m, o))
        return false;
    if (hd_type_is_float(t) || hd_type_bytes(t) < 4 ||
        (v->space == HD_SPACE_GLOBAL && hd_type_bytes(t) != 8)) {
        hd_values_complain(m, o->place, "the address of '%.*s' does not fit into type '.%s'",
                           HD_SLICE_ARG(o->name), hd_type_names[t]);
        return false;
    }
    if (m->f->is_kernel && v->in_body) {
        hd_values_complain(m, o->place, "the address of '%.*s' cannot be taken in a kernel",
                           HD_SLICE_ARG(o->name));
        return false;
    }
    bool dynamic = v->space == HD_SPACE_SHARED && v->is_extern;
    if (!m->f->is_kernel && (dynamic || hd_values_in_frame(m, v)))
        return frame_address(m, o, value, t, at, where);
    if (v->space == HD_SPACE_GLOBAL)
        *row = hd_pool_address(&m->lo->pool, v->symbol, (uint64_t)o->value);
    else if (hd_type_bytes(t) == 8)
        *row = hd_pool_pair(&m->lo->pool, value);
    else
        *row = hd_pool_word(&m->lo->pool, (uint32_t)value);
    return true;
}

static bool function_address(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                             int32_t *row)
{
    const struct hd_ast_func *f = &m->lo->ast->funcs[o->index];

    if (!f->has_body) {
        hd_values_missing(m, o, f->name, true);
        return false;
    }
    if (hd_type_bytes(t) != 8 || hd_type_is_float(t)) {
        hd_values_complain(m, o->place, "the address of '%.*s' does not fit into type '.%s'",
                           HD_SLICE_ARG(o->name), hd_type_names[t]);
        return false;
    }
    *row = hd_pool_pair(&m->lo->pool,
                        HD_WINDOW_CODE + (uint64_t)m->lo->numbers[o->index] * HD_CODE_STEP);
    return true;
}

bool hd_values_source(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                      bool wider, unsigned at, uint32_t where, int32_t *place)
{
    if (o->negated)
        return hd_values_expected(m, o, "an operand without '!'");
    switch (o->kind) {
    case HD_AST_REG:
    case HD_AST_SREG:
        if (o->kind == HD_AST_SREG && o->index >= HD_SREG_FIRST_READ) {
            hd_values_complain(m, o->place, "'%.*s' can only be read with mov",
                               HD_SLICE_ARG(o->name));
            return false;
        }
        if (!hd_values_check_register(m, o, t, wider))
            return false;
        hd_values_use(m, o, false);
        hd_values_fix(m, where, at, o->kind == HD_AST_SREG ? m->n_regs + o->index : o->index,
                      false);
        return true;
    case HD_AST_INT:
        return constant_int(m, o, t, place);
    case HD_AST_F32:
    case HD_AST_F64:
        return constant_float(m, o, t, place);
    case HD_AST_VAR:
        return hd_values_address(m, o, t, at, where, place);
    case HD_AST_FUNC:
        return function_address(m, o, t, place);
    default:
        return hd_values_expected(m, o, "a register or a number");
    }
}

bool hd_values_result(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                      unsigned at, uint32_t where)
{
    if (o->kind != HD_AST_REG || o->negated)
        return hd_values_expected(m, o, "a register");
    if (!hd_values_check_register(m, o, t, false))
        return false;
    hd_values_define(m, o->index);
    hd_values_fix(m, where, at, o->index, false);
    return true;
}

void hd_values_predicate(struct hd_match *m, const struct hd_ast_operand *o, unsigned at)
{
    hd_values_use(m, o, false);
    hd_values_fix(m, m->pc, at, o->index, o->negated);
}

uint32_t hd_values_vector(struct hd_match *m)
{
    int32_t(*rows)[4] = HD_PUSH(m->lo->arena, m->lo->vecs, m->lo->n_vecs, m->lo->vec_cap);

    for (unsigned i = 0; i < 4; i++)
        (*rows)[i] = HD_ROW_NONE;
    return m->lo->n_vecs - 1;
}
