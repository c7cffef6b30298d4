// match.c - operands of one instruction into the columns.
//
// What operands an instruction has follows from its shape (isa/op.h) through one pattern string
// per shape; each letter is one kind of operand:
//
//   D  destination register of the destination type    A  source of the operation's type
//   X  source of the destination type                  N  source of type .u32
//   P  destination predicate, or p|q                   p  destination predicate
//   q  source predicate                                L  label
//   V  loaded register or vector                       W  stored value or vector
//   T  [object, {coordinates}]                         Q  [object]
//   G  gradients (no texture has levels to choose)     O  offsets in texels
//   M  address                                         t  truth table (a number below 256)
//   R  word register, or register|predicate            l  list of labels
//   a  alignment (a number)                            F  fragment of a matrix
//   ?  the next operand may be missing
//
// Registers have no rows yet: a place that waits for one is kept as a fix-up.
#include "ptx/match.h"

#include "ptx/fragment.h"
#include "ptx/link.h"
#include "ptx/transfer.h"

#include "base/bug.h"

#include <stdarg.h>
#include <string.h>

static const char *const patterns[] = {
    [HD_SHAPE_NONE] = "",       [HD_SHAPE_DA] = "DA",       [HD_SHAPE_DAB] = "DAA",
    [HD_SHAPE_DABC] = "DAAA",   [HD_SHAPE_PAB] = "PAA",     [HD_SHAPE_DABQ] = "DAAq",
    [HD_SHAPE_PQ] = "pq",       [HD_SHAPE_PQQ] = "pqq",     [HD_SHAPE_LD] = "VM",
    [HD_SHAPE_ST] = "MW",       [HD_SHAPE_ATOM] = "DMA",    [HD_SHAPE_BRA] = "L",
    [HD_SHAPE_BAR] = "N?N",     [HD_SHAPE_DAN] = "DAN",     [HD_SHAPE_DANM] = "DANN",
    [HD_SHAPE_DABNM] = "DAANN", [HD_SHAPE_DABX] = "DAAX",   [HD_SHAPE_SLCT] = "DXXA",
    [HD_SHAPE_LOP3] = "DAAAt",  [HD_SHAPE_PA] = "pA",       [HD_SHAPE_SET] = "DAA",
    [HD_SHAPE_D] = "D",         [HD_SHAPE_VOTE] = "DqN",    [HD_SHAPE_SHFL] = "RANNN",
    [HD_SHAPE_MATCH] = "RAN",   [HD_SHAPE_REDUX] = "DAN",   [HD_SHAPE_ELECT] = "RN",
    [HD_SHAPE_TEX] = "VT",      [HD_SHAPE_SULD] = "VT",     [HD_SHAPE_SUST] = "TW",
    [HD_SHAPE_A] = "A",         [HD_SHAPE_MASK] = "N",      [HD_SHAPE_BARRED] = "DN?Nq",
    [HD_SHAPE_BRX] = "Nl",      [HD_SHAPE_ALLOCA] = "DA?a", [HD_SHAPE_QUERY] = "DQ",
    [HD_SHAPE_MMA] = "FFFF",    [HD_SHAPE_FLOAD] = "FM?N",  [HD_SHAPE_FSTORE] = "MF?N",
    [HD_SHAPE_MOVM] = "DA",
};

// --- messages

struct hd_diag_entry *hd_match_complain(const struct hd_match *m, struct hd_place_at at,
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

static bool expected(const struct hd_match *m, const struct hd_ast_operand *o, const char *what)
{
    if (o->kind != HD_AST_LABEL || o->index != HD_AST_NONE) // unknown names have their message
        hd_match_complain(m, o->place, "expected %s, found %s", what, shown(o));
    return false;
}

// --- types

static bool is_float(enum hd_type t)
{
    return t == HD_F16 || t == HD_F16X2 || t == HD_BF16 || t == HD_BF16X2 || t == HD_F32 ||
           t == HD_F64;
}

static bool is_bits(enum hd_type t)
{
    return t == HD_B8 || t == HD_B16 || t == HD_B32 || t == HD_B64;
}

static bool is_signed(enum hd_type t)
{
    return t == HD_S8 || t == HD_S16 || t == HD_S32 || t == HD_S64;
}

// May an operand of type `t` be a register of type `reg`? wider: registers may have more bits.
static bool fits(enum hd_type t, enum hd_type reg, bool wider)
{
    unsigned want = hd_type_bytes(t), have = hd_type_bytes(reg);

    if ((t == HD_PRED) != (reg == HD_PRED))
        return false;
    if (wider && !is_float(t) ? have < want : have != want)
        return false;
    return is_bits(t) || is_bits(reg) || is_float(t) == is_float(reg);
}

static bool check_reg(const struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                      bool wider)
{
    enum hd_type reg = o->kind == HD_AST_SREG ? hd_sreg_type(o->index) : m->f->regs[o->index].type;

    if (fits(t, reg, wider))
        return true;
    hd_match_complain(m, o->place, "'%.*s' has type '.%s', expected '.%s'", HD_SLICE_ARG(o->name),
                      hd_type_names[reg], hd_type_names[t]);
    return false;
}

// --- entering registers into the columns

static void fix(struct hd_match *m, uint32_t where, unsigned at, uint32_t reg, bool negated)
{
    *HD_PUSH(m->lo->scratch, m->fixups, m->n_fixups, m->fixup_cap) =
        (struct hd_fixup){where, reg, (uint8_t)at, negated};
}

static void refer(struct hd_match *m, uint32_t reg, enum hd_live_kind kind)
{
    *HD_PUSH(m->lo->scratch, m->refs, m->n_refs, m->ref_cap) =
        (struct hd_live_ref){m->pc - m->first_pc, reg, (uint8_t)kind};
}

// Scoreboard ids count the registers as declared: marks outlive a kernel, and the next one finds
// them on its registers of these numbers (timing-model O4).
static uint16_t scoreboard_id(const struct hd_match *m, uint32_t reg)
{
    bool declared = m->n_ids == m->f->n_declared; // not too many

    return (uint16_t)(m->sb_base + (declared ? m->f->regs[reg].number : reg));
}

// The operand collector does not see registers that lie in no bank.
static void in_bank(uint8_t *digits, uint8_t *n, uint8_t digit)
{
    if (digit != HD_AST_NO_BANK)
        digits[(*n)++] = digit;
}

static bool has_fragments(const struct hd_match *m)
{
    unsigned shape = hd_op_info[m->sel.op].shape;
    return shape == HD_SHAPE_MMA || shape == HD_SHAPE_FLOAD || shape == HD_SHAPE_FSTORE;
}

// A register that issue waits for and the operand collector reads.
static void collected(struct hd_match *m, uint32_t reg)
{
    if (m->n_dep_src < (m->sel.vec > 1 ? 4 : 3))
        m->deps->src[m->n_dep_src++] = scoreboard_id(m, reg);
    else if (has_fragments(m))
        m->wide.src[m->n_wide_src++] = scoreboard_id(m, reg);
    if (m->banks->n_src < sizeof m->banks->src - 1)
        in_bank(m->banks->src, &m->banks->n_src, m->f->regs[reg].digit);
}

static void uses(struct hd_match *m, const struct hd_ast_operand *o, bool address)
{
    if (o->kind == HD_AST_SREG) {
        m->special_used[o->index] = true;
        return;
    }
    refer(m, o->index, HD_LIVE_USE);
    if (address) { // of an atomic the reference forgets it: neither waited for nor collected
        if (m->deps->kind != HD_KIND_ATOMIC || hd_op_info[m->sel.op].shape == HD_SHAPE_MBAR) {
            m->deps->addr[0] = scoreboard_id(m, o->index);
            m->address_digit = m->f->regs[o->index].digit;
        }
        return;
    }
    collected(m, o->index);
}

static void defines(struct hd_match *m, uint32_t reg)
{
    refer(m, reg, m->in->guard == HD_AST_NONE ? HD_LIVE_DEF : HD_LIVE_MAYBE);
    if (hd_op_info[m->sel.op].shape == HD_SHAPE_VOTE) { // the reference takes it for a source
        collected(m, reg);
    } else if (m->n_dep_dst < 4) {
        m->deps->dst[m->n_dep_dst++] = scoreboard_id(m, reg);
        in_bank(m->banks->dst, &m->banks->n_dst, m->f->regs[reg].digit);
    } else if (has_fragments(m)) {
        m->wide.dst[m->n_wide_dst++] = scoreboard_id(m, reg);
    }
}

// --- sources

static bool constant_int(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                         int32_t *row)
{
    unsigned bits = hd_type_bytes(t) * 8;
    int64_t v = o->value;

    if (is_float(t))
        return expected(m, o, "a floating-point number such as 0f3F800000");
    if (bits < 64 && (v < -(INT64_C(1) << (bits - 1)) || v >= INT64_C(1) << bits)) {
        hd_match_complain(m, o->place, "%lld does not fit into type '.%s'", (long long)v,
                          hd_type_names[t]);
        return false;
    }
    if (bits == 64) {
        *row = hd_pool_pair(&m->lo->pool, (uint64_t)v);
        return true;
    }
    uint32_t word = (uint32_t)v;
    if (bits < 32) { // narrow ones are kept extended as their type says
        word &= (1u << bits) - 1;
        if (is_signed(t) && (word >> (bits - 1) & 1))
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
    hd_match_complain(m, o->place, "a floating-point number where type '.%s' is expected",
                      hd_type_names[t]);
    return false;
}

struct hd_diag_entry *hd_match_missing(const struct hd_match *m, const struct hd_ast_operand *o,
                                       struct hd_slice name, bool func)
{
    const char *hint, *what = hd_link_missing(m->lo->ast, m->lo->scratch, name, func, &hint);
    struct hd_diag_entry *e = hd_match_complain(m, o->place, "'%.*s' %s", HD_SLICE_ARG(name), what);

    if (hint)
        hd_diag_hint(e, "%s", hint);
    return e;
}

static bool check_defined(const struct hd_match *m, const struct hd_ast_operand *o)
{
    const struct hd_ast_var *v = &m->lo->ast->vars[o->index];

    if (!v->is_extern || v->space == HD_SPACE_SHARED)
        return true;
    hd_match_missing(m, o, v->name, false);
    return false;
}

bool hd_match_in_frame(const struct hd_match *m, const struct hd_ast_var *v)
{
    if (v->space == HD_SPACE_PARAM)
        return !v->in_reg && (v->in_body || !m->f->is_kernel);
    return v->space == HD_SPACE_LOCAL;
}

// A special register as the value of place `at`.
static void special(struct hd_match *m, enum hd_sreg which, unsigned at, uint32_t where)
{
    m->special_used[which] = true;
    fix(m, where, at, m->n_regs + which, false);
}

// The address of a variable that depends on the frame: a special register plus the offset in it.
// A mov becomes an add for that.
static bool frame_address(struct hd_match *m, const struct hd_ast_operand *o, uint64_t offset,
                          enum hd_type t, unsigned at, uint32_t where)
{
    bool frame = hd_match_in_frame(m, &m->lo->ast->vars[o->index]);
    bool moves = m->sel.op == HD_OP_MOV_B64 || m->sel.op == HD_OP_MOV_B32, wide;

    wide = hd_type_bytes(t) == 8;
    special(m,
            frame ? (wide ? HD_SREG_FRAME64 : HD_SREG_FRAME)
                  : (wide ? HD_SREG_DYNAMIC64 : HD_SREG_DYNAMIC),
            at, where);
    if (!offset)
        return true;
    if (!moves) {
        hd_match_complain(m, o->place,
                          "in a function the address of '%.*s' can only be taken with mov",
                          HD_SLICE_ARG(o->name));
        return false;
    }
    m->insn->op = wide ? HD_OP_ADD_U64 : HD_OP_ADD_U32;
    m->insn->src[1] =
        wide ? hd_pool_pair(&m->lo->pool, offset) : hd_pool_word(&m->lo->pool, (uint32_t)offset);
    return true;
}

// The address of a variable as a value.
static bool constant_address(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                             unsigned at, uint32_t where, int32_t *row)
{
    const struct hd_ast_var *v = &m->lo->ast->vars[o->index];
    uint64_t value = v->offset + (uint64_t)o->value;

    if (!check_defined(m, o))
        return false;
    if (is_float(t) || hd_type_bytes(t) < 4 ||
        (v->space == HD_SPACE_GLOBAL && hd_type_bytes(t) != 8)) {
        hd_match_complain(m, o->place, "the address of '%.*s' does not fit into type '.%s'",
                          HD_SLICE_ARG(o->name), hd_type_names[t]);
        return false;
    }
    if (m->f->is_kernel && v->in_body) {
        hd_match_complain(m, o->place, "the address of '%.*s' cannot be taken in a kernel",
                          HD_SLICE_ARG(o->name));
        return false;
    }
    bool dynamic = v->space == HD_SPACE_SHARED && v->is_extern;
    if (!m->f->is_kernel && (dynamic || hd_match_in_frame(m, v)))
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
        hd_match_missing(m, o, f->name, true);
        return false;
    }
    if (hd_type_bytes(t) != 8 || is_float(t)) {
        hd_match_complain(m, o->place, "the address of '%.*s' does not fit into type '.%s'",
                          HD_SLICE_ARG(o->name), hd_type_names[t]);
        return false;
    }
    *row = hd_pool_pair(&m->lo->pool,
                        HD_WINDOW_CODE + (uint64_t)m->lo->numbers[o->index] * HD_CODE_STEP);
    return true;
}

// A value of type t into row place `at` of `pc` (or of a vector); *place is that place.
bool hd_match_value(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t, bool wider,
                    unsigned at, uint32_t where, int32_t *place)
{
    if (o->negated)
        return expected(m, o, "an operand without '!'");
    switch (o->kind) {
    case HD_AST_REG:
    case HD_AST_SREG:
        if (o->kind == HD_AST_SREG && o->index >= HD_SREG_FIRST_READ) {
            hd_match_complain(m, o->place, "'%.*s' can only be read with mov",
                              HD_SLICE_ARG(o->name));
            return false;
        }
        if (!check_reg(m, o, t, wider))
            return false;
        uses(m, o, false);
        fix(m, where, at, o->kind == HD_AST_SREG ? m->n_regs + o->index : o->index, false);
        return true;
    case HD_AST_INT:
        return constant_int(m, o, t, place);
    case HD_AST_F32:
    case HD_AST_F64:
        return constant_float(m, o, t, place);
    case HD_AST_VAR:
        return constant_address(m, o, t, at, where, place);
    case HD_AST_FUNC:
        return function_address(m, o, t, place);
    default:
        return expected(m, o, "a register or a number");
    }
}

static bool match_source(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t)
{
    bool wider = m->sel.relaxed && hd_type_bytes(t) < 4;
    int32_t row = HD_ROW_NONE;
    unsigned at = m->n_src++;

    if (wider && o->kind == HD_AST_REG && hd_type_bytes(m->f->regs[o->index].type) == 8)
        wider = false; // the low part of a 64-bit register lies elsewhere
    if (at < 3) {
        if (!hd_match_value(m, o, t, wider, HD_AT_SRC0 + at, m->pc, &row))
            return false;
        m->insn->src[at] = row;
    } else {
        if (!hd_match_value(m, o, t, wider, HD_AT_IMM, m->pc, &row))
            return false;
        m->insn->imm = HD_WARP_IMM(row, HD_WARP_PRED(m->insn->imm));
    }
    return true;
}

// The condition code is a predicate that no program names.
static void match_carry(struct hd_match *m)
{
    if (hd_op_carry(m->sel.op) != HD_CARRY_NONE)
        fix(m, m->pc, HD_AT_IMM, HD_MATCH_CARRY, false);
}

static bool match_table(struct hd_match *m, const struct hd_ast_operand *o)
{
    if (o->kind != HD_AST_INT || o->value < 0 || o->value > 255)
        return expected(m, o, "a number from 0 to 255");
    m->insn->mods |= (uint16_t)o->value;
    return true;
}

void hd_match_predicate(struct hd_match *m, const struct hd_ast_operand *o, unsigned at)
{
    uses(m, o, false);
    fix(m, m->pc, at, o->index, o->negated);
}

static bool match_source_pred(struct hd_match *m, const struct hd_ast_operand *o)
{
    unsigned at = m->n_src++;

    if (o->kind == HD_AST_INT) {
        fix(m, m->pc, HD_AT_SRC0 + at, HD_MATCH_NEVER, o->value != 0);
        return true;
    }
    if (o->kind != HD_AST_REG)
        return expected(m, o, "a predicate register");
    if (!check_reg(m, o, HD_PRED, false))
        return false;
    hd_match_predicate(m, o, HD_AT_SRC0 + at);
    return true;
}

// --- destinations

static bool match_dest(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                       unsigned at)
{
    bool wider = m->sel.relaxed && hd_type_bytes(t) < 4;

    if (o->kind == HD_AST_SINK && hd_op_info[m->sel.op].kind == HD_KIND_ATOMIC)
        return true;
    if (o->kind != HD_AST_REG || o->negated)
        return expected(m, o, "a destination register");
    if (wider && hd_type_bytes(m->f->regs[o->index].type) == 8)
        wider = false;
    if (!check_reg(m, o, t, wider))
        return false;
    defines(m, o->index);
    fix(m, m->pc, at, o->index, false);
    return true;
}

bool hd_match_result(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t,
                     unsigned at, uint32_t where)
{
    if (o->kind != HD_AST_REG || o->negated)
        return expected(m, o, "a register");
    if (!check_reg(m, o, t, false))
        return false;
    defines(m, o->index);
    fix(m, where, at, o->index, false);
    return true;
}

static bool match_dest_preds(struct hd_match *m, const struct hd_ast_operand *o)
{
    if (o->kind != HD_AST_PAIR)
        return match_dest(m, o, HD_PRED, HD_AT_DST);
    if (o->child->kind == HD_AST_SINK)
        return expected(m, o->child, "a predicate register");
    if (!match_dest(m, o->child, HD_PRED, HD_AT_DST))
        return false;
    return o->child->next->kind == HD_AST_SINK ||
           match_dest(m, o->child->next, HD_PRED, HD_AT_DST2);
}

// d, d|p or _|p of operations across lanes
static bool match_dest_pair(struct hd_match *m, const struct hd_ast_operand *o)
{
    const struct hd_ast_operand *first = o->kind == HD_AST_PAIR ? o->child : o;

    m->insn->imm = HD_WARP_IMM(HD_ROW_NONE, HD_PRED_TRUE);
    if (first->kind != HD_AST_SINK && !match_dest(m, first, HD_B32, HD_AT_DST))
        return false;
    return o->kind != HD_AST_PAIR || first->next->kind == HD_AST_SINK ||
           match_dest(m, first->next, HD_PRED, HD_AT_IMM2);
}

// --- memory

static bool match_symbol_address(struct hd_match *m, const struct hd_ast_operand *o)
{
    const struct hd_ast_operand *base = o->child;
    const struct hd_ast_var *v = &m->lo->ast->vars[base->index];
    unsigned lies = hd_match_in_frame(m, v) ? HD_SPACE_LOCAL : v->space;
    bool same =
        lies == m->sel.space || (m->sel.space == HD_SPACE_GENERIC && lies == HD_SPACE_GLOBAL);

    if (!same) {
        hd_match_complain(m, base->place, "'%.*s' lies in '.%s'%s", HD_SLICE_ARG(base->name),
                          hd_space_names[v->space],
                          m->sel.space == HD_SPACE_GENERIC ? ", which the instruction has to say"
                                                           : "");
        return false;
    }
    if (!check_defined(m, base))
        return false;
    if (v->space == HD_SPACE_GLOBAL) {
        m->insn->src[0] = hd_pool_address(&m->lo->pool, v->symbol, 0);
    } else if (!m->f->is_kernel && v->space == HD_SPACE_SHARED && v->is_extern) {
        m->insn->mods |= HD_MOD_A32;
        special(m, HD_SREG_DYNAMIC, HD_AT_SRC0, m->pc);
    } else
        m->insn->imm += (int64_t)v->offset;
    return true;
}

static bool match_address(struct hd_match *m, const struct hd_ast_operand *o)
{
    const struct hd_ast_operand *base = o->child;
    unsigned at = m->n_src++;

    HD_BUG_IF(at != 0, "address is operand %u of '%s'", at, m->sel.name);
    if (o->kind != HD_AST_ADDR)
        return expected(m, o, "an address such as [%rd1+4]");
    m->insn->imm = o->value;
    if (!base)
        return true;
    if (base->next)
        return expected(m, base->next, "']'");
    if (base->kind == HD_AST_VAR)
        return match_symbol_address(m, o);
    if (base->kind != HD_AST_REG)
        return expected(m, base, "a register or a variable");
    enum hd_type t = m->f->regs[base->index].type;
    if (is_float(t) || hd_type_bytes(t) < 4) {
        hd_match_complain(m, base->place,
                          "'%.*s' has type '.%s', expected an address of 64 or 32 bits",
                          HD_SLICE_ARG(base->name), hd_type_names[t]);
        return false;
    }
    if (hd_type_bytes(t) == 4)
        m->insn->mods |= HD_MOD_A32;
    uses(m, base, true);
    fix(m, m->pc, HD_AT_SRC0, base->index, false);
    return true;
}

uint32_t hd_match_vector(struct hd_match *m)
{
    int32_t(*rows)[4] = HD_PUSH(m->lo->arena, m->lo->vecs, m->lo->n_vecs, m->lo->vec_cap);

    for (unsigned i = 0; i < 4; i++)
        (*rows)[i] = HD_ROW_NONE;
    return m->lo->n_vecs - 1;
}

// A value or a vector of values into a vector of its own, as many as the geometry has; the first of
// type `first`, the others of type `t`.
static bool match_elements(struct hd_match *m, const struct hd_ast_operand *o, unsigned want,
                           enum hd_type first, enum hd_type t, const char *what, uint32_t *index)
{
    const struct hd_ast_operand *e = o->kind == HD_AST_VEC ? o->child : o;
    unsigned n = 0;

    *index = hd_match_vector(m);
    for (; e && n < want; e = o->kind == HD_AST_VEC ? e->next : NULL, n++)
        if (!hd_match_value(m, e, n ? t : first, false, HD_AT_VEC, 4 * *index + n,
                            &m->lo->vecs[*index][n]))
            return false;
    if (n == want && !(e && e->next)) // one more stands there to make four of three
        return true;
    hd_match_complain(m, o->place, "expected %u %s%s", want, what, want == 1 ? "" : "s");
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

// tex.grad: the values are waited for, and that is all.
static bool match_gradient(struct hd_match *m, const struct hd_ast_operand *o)
{
    uint32_t index;

    if (o->kind != HD_AST_VEC)
        return expected(m, o, "a vector of derivatives such as {%f1, %f2}");
    return match_elements(m, o, hd_op_geometry(m->sel.op).dims, HD_F32, HD_F32, "derivative",
                          &index);
}

static bool match_offsets(struct hd_match *m, const struct hd_ast_operand *o)
{
    unsigned dims = hd_op_geometry(m->sel.op).dims;
    bool one =
        o->kind == HD_AST_INT || (o->kind == HD_AST_REG && !is_float(m->f->regs[o->index].type));
    uint32_t index;

    if (o->kind != HD_AST_VEC && !(one && dims == 1)) {
        hd_match_complain(m, o->place, "comparison with a depth is not supported");
        return false;
    }
    if (!match_elements(m, o, dims, HD_S32, HD_S32, "offset", &index))
        return false;
    m->insn->imm = HD_WARP_IMM((int32_t)index, HD_WARP_PRED(m->insn->imm));
    return true;
}

// [object, {x, y}], or [object] without coordinates. The object is a register with its handle, or a
// reference: the address of the variable that has the handle.
static bool match_object(struct hd_match *m, const struct hd_ast_operand *o, bool coordinates)
{
    const struct hd_ast_operand *base = o->child;

    m->n_src = coordinates ? 2 : 1;
    if (o->kind != HD_AST_ADDR || !base || !base->next != !coordinates || o->value)
        return expected(m, o,
                        coordinates ? "an object with coordinates such as [%rd1, {%f1, %f2}]"
                                    : "an object such as [%rd1]");
    if (base->kind == HD_AST_VAR && m->lo->ast->vars[base->index].opaque) {
        if (!constant_address(m, base, HD_B64, HD_AT_SRC0, m->pc, &m->insn->src[0]))
            return false;
    } else if (base->kind != HD_AST_REG) {
        return expected(m, base, "a register with the handle of a texture or surface");
    } else {
        if (!check_reg(m, base, HD_B64, false))
            return false;
        uses(m, base, true);
        fix(m, m->pc, HD_AT_SRC0, base->index, false);
    }
    return !coordinates || match_coordinates(m, base->next);
}

// The type of what a load brings or a store takes.
static enum hd_type data_type(const struct hd_match *m)
{
    return m->sel.space == HD_SPACE_TEX ? m->sel.dtype : m->sel.type;
}

// Is this data register 64 bits wide although the element is narrower?
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
        if (hd_op_info[m->sel.op].kind == HD_KIND_LOAD && is_signed(m->sel.type))
            m->insn->mods |= HD_MOD_SIGNED;
        return true;
    }
    if (wide == so_far)
        return true;
    hd_match_complain(m, o->place, "vector of registers of different sizes");
    return false;
}

static bool match_loaded(struct hd_match *m, const struct hd_ast_operand *o, unsigned at,
                         uint32_t where)
{
    if (o->kind == HD_AST_SINK && at == HD_AT_VEC)
        return true;
    if (o->kind != HD_AST_REG || o->negated)
        return expected(m, o, "a destination register");
    if (!check_reg(m, o, data_type(m), true))
        return false;
    defines(m, o->index);
    fix(m, where, at, o->index, false);
    return true;
}

static bool match_element(struct hd_match *m, const struct hd_ast_operand *o, bool load,
                          unsigned at, uint32_t where, int32_t *place)
{
    return load ? match_loaded(m, o, at, where)
                : hd_match_value(m, o, m->sel.type, true, at, where, place);
}

// What a load fills or a store takes: a register (or value), or {a, b} for .v2.
static bool match_data(struct hd_match *m, const struct hd_ast_operand *o, bool load)
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
        return expected(m, o, m->sel.vec == 2 ? "a vector of 2" : "a vector of 4");
    if (n != m->sel.vec) {
        hd_match_complain(m, o->place, "expected a vector of %u, found one of %u", m->sel.vec, n);
        return false;
    }
    uint32_t index = hd_match_vector(m);
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

// What a load fills. Of a texture also {a, b, c, d}|p, where p says that all texels were there.
static bool match_filled(struct hd_match *m, const struct hd_ast_operand *o)
{
    bool texture = hd_op_info[m->sel.op].shape == HD_SHAPE_TEX;

    if (texture)
        m->insn->imm = HD_WARP_IMM(HD_ROW_NONE, HD_PRED_TRUE);
    if (!texture || o->kind != HD_AST_PAIR)
        return match_data(m, o, true);
    return match_data(m, o->child, true) && match_dest(m, o->child->next, HD_PRED, HD_AT_IMM2);
}

// {a, b, ...} or, of one register, a: the fragment that comes next.
static bool match_fragment(struct hd_match *m, const struct hd_ast_operand *o)
{
    unsigned shape = hd_op_info[m->sel.op].shape, n = 0, most, at;
    bool written = shape == HD_SHAPE_FLOAD ||
                   (shape == HD_SHAPE_MMA && m->n_src == 0 && m->insn->dst == HD_ROW_NONE);
    const struct hd_ast_operand *e = o->kind == HD_AST_VEC ? o->child : o;
    enum hd_type t;
    uint32_t first;

    most = hd_fragment_registers(&m->sel, written ? 0 : m->n_src + (shape == HD_SHAPE_MMA), &t);
    at = written ? 0 : m->n_src++;
    first = hd_match_vector(m);
    for (unsigned i = 4; i < most; i += 4)
        hd_match_vector(m);
    for (; e && n < most; e = o->kind == HD_AST_VEC ? e->next : NULL, n++) {
        uint32_t where = 4 * first + n;
        if (written ? !hd_match_result(m, e, t, HD_AT_VEC, where)
                    : !hd_match_value(m, e, t, false, HD_AT_VEC, where,
                                      &m->lo->vecs[where / 4][where % 4]))
            return false;
    }
    if (n != most || e) {
        hd_match_complain(m, o->place, "expected a vector of %u registers", most);
        return false;
    }
    if (written)
        m->insn->dst = (int32_t)first;
    else
        m->insn->src[at] = (int32_t)first;
    return true;
}

// What a matrix operation has to say besides its operands.
static void finish_matrix(struct hd_match *m)
{
    if (hd_op_info[m->sel.op].shape == HD_SHAPE_MMA) {
        m->insn->imm = hd_matrix_imm(&m->sel.matrix);
        m->deps->work = (uint8_t)hd_matrix_work(&m->sel.matrix);
    }
    if (!m->n_wide_src && !m->n_wide_dst)
        return;
    if (m->lo->n_wides > UINT16_MAX) // of so many the last ones wait for their first registers
        return;
    m->wide.src[m->n_wide_src] = m->wide.dst[m->n_wide_dst] = HD_SB_NONE;
    *HD_PUSH(m->lo->arena, m->lo->wides, m->lo->n_wides, m->lo->wide_cap) = m->wide;
    m->deps->wide = (uint16_t)(m->lo->n_wides - 1);
    m->deps->flags |= HD_DEP_WIDE;
}

// --- all of it

static bool match_label(struct hd_match *m, const struct hd_ast_operand *o)
{
    if (o->kind != HD_AST_LABEL)
        return expected(m, o, "a label");
    m->insn->imm = HD_TARGET(m->first_pc + o->index, HD_PC_NONE);
    return o->index != HD_AST_NONE; // unknown ones have their diagnostic
}

static bool match_targets(struct hd_match *m, const struct hd_ast_operand *o)
{
    if (o->kind != HD_AST_TABLE)
        return expected(m, o, "the name of a .branchtargets");
    const struct hd_ast_table *t = &m->lo->ast->tables[o->index];
    m->insn->imm = HD_TARGET(m->lo->n_targets, HD_PC_NONE);
    m->insn->dst = (int32_t)t->n;
    for (const struct hd_ast_operand *l = t->labels; l; l = l->next) {
        if (l->kind != HD_AST_LABEL)
            return expected(m, l, "a label");
        if (l->index == HD_AST_NONE)
            return false; // unknown ones have their diagnostic
        *HD_PUSH(m->lo->arena, m->lo->targets, m->lo->n_targets, m->lo->target_cap) =
            m->first_pc + l->index;
    }
    return true;
}

static bool match_alignment(struct hd_match *m, const struct hd_ast_operand *o)
{
    if (o->kind != HD_AST_INT || o->value <= 0 || o->value > 4096 || (o->value & (o->value - 1)))
        return expected(m, o, "an alignment: a power of two up to 4096");
    m->insn->imm = o->value;
    return true;
}

static bool match_one(struct hd_match *m, char what, const struct hd_ast_operand *o)
{
    switch (what) {
    case 'D':
        return match_dest(m, o, m->sel.dtype, HD_AT_DST);
    case 'A':
        return match_source(m, o, m->sel.type);
    case 'X':
        return match_source(m, o, m->sel.dtype);
    case 'N':
        return match_source(m, o, HD_U32);
    case 'P':
        return match_dest_preds(m, o);
    case 'p':
        return match_dest(m, o, HD_PRED, HD_AT_DST);
    case 'q':
        return match_source_pred(m, o);
    case 'L':
        return match_label(m, o);
    case 'V':
        return match_filled(m, o);
    case 'W':
        return match_data(m, o, false);
    case 'M':
        return match_address(m, o);
    case 't':
        return match_table(m, o);
    case 'T':
    case 'Q':
        return match_object(m, o, what == 'T');
    case 'G':
        return match_gradient(m, o);
    case 'O':
        return match_offsets(m, o);
    case 'l':
        return match_targets(m, o);
    case 'a':
        return match_alignment(m, o);
    case 'R':
        return match_dest_pair(m, o);
    case 'F':
        return match_fragment(m, o);
    default:
        HD_BUG("operand pattern letter '%c'", what);
    }
}

// The pattern of this instruction: that of its shape, and what modifiers change.
static void pattern_of(const struct hd_match *m, bool done, char pattern[8])
{
    pattern[0] = '\0';
    if (done)
        return;
    const struct hd_op_info *o = &hd_op_info[m->sel.op];
    const char *p = o->shape == HD_SHAPE_MBAR                       ? hd_transfer_pattern(&m->sel)
                    : o->shape < sizeof patterns / sizeof *patterns ? patterns[o->shape]
                                                                    : NULL;

    HD_BUG_IF(!p, "no operand pattern for shape %u", o->shape);
    if (m->sel.reduces)
        p++; // no destination
    snprintf(pattern, 8, "%s%s", p,
             m->sel.combines                                                           ? "q"
             : o->shape == HD_SHAPE_ATOM && (m->sel.mods & HD_MOD_ENUM) == HD_ATOM_CAS ? "A"
                                                                                       : "");
    if ((o->shape == HD_SHAPE_VOTE || o->shape == HD_SHAPE_SHFL) && !strstr(o->name, ".sync"))
        pattern[strlen(pattern) - 1] = '\0'; // no member mask
    if (o->shape == HD_SHAPE_TEX)
        snprintf(pattern, 8, "VT%s%s",
                 strstr(o->name, ".level")  ? "A"
                 : strstr(o->name, ".grad") ? "GG"
                                            : "",
                 hd_op_geometry(m->sel.op).cube ? "" : "?O");
    if (m->sel.op == HD_OP_TXQ_LEVEL_B32)
        snprintf(pattern, 8, "DQN");
}

static bool wrong_count(const struct hd_match *m, const char *pattern)
{
    unsigned most = 0, least = 0;
    bool optional = false;

    for (const char *p = pattern; *p; p++) {
        most += *p != '?';
        least += *p != '?' && !optional;
        optional = *p == '?';
    }
    if (m->n_operands >= least && m->n_operands <= most)
        return false;
    if (least == most)
        hd_match_complain(m, m->in->place, "expected %u operand%s, found %u", most,
                          most == 1 ? "" : "s", m->n_operands);
    else
        hd_match_complain(m, m->in->place, "expected %u or %u operands, found %u", least, most,
                          m->n_operands);
    return true;
}

// Uses come before definitions in the list of references, whatever the order of the operands.
static void uses_first(struct hd_live_ref *refs, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = i;
             k > 0 && refs[k].kind == HD_LIVE_USE && refs[k - 1].kind != HD_LIVE_USE; k--) {
            struct hd_live_ref swap = refs[k];
            refs[k] = refs[k - 1];
            refs[k - 1] = swap;
        }
}

static bool moves(const struct hd_match *m)
{
    return m->sel.op == HD_OP_MOV_B16 || m->sel.op == HD_OP_MOV_B32 || m->sel.op == HD_OP_MOV_B64;
}

// cvt.s64.s8 from a 64-bit register, as compilers write it: the low part of such a register does
// not lie where a narrow one has its value, but extracting a bit field does the same.
static void extends_in_place(struct hd_match *m)
{
    const struct hd_ast_operand *to = m->in->operands, *from = to ? to->next : NULL;
    unsigned bytes = hd_type_bytes(m->sel.type);
    bool sign = is_signed(m->sel.type);

    if (!m->sel.relaxed || !from || from->next || from->kind != HD_AST_REG || bytes >= 8 ||
        hd_type_bytes(m->f->regs[from->index].type) != 8 || is_float(m->sel.type) ||
        is_float(m->f->regs[from->index].type) || m->insn->mods ||
        (m->sel.dtype != HD_U64 && m->sel.dtype != HD_S64))
        return;
    m->sel.type = sign ? HD_S64 : HD_U64;
    m->insn->op = sign ? HD_OP_BFE_S64 : HD_OP_BFE_U64;
    m->insn->src[1] = hd_pool_word(&m->lo->pool, 0);
    m->insn->src[2] = hd_pool_word(&m->lo->pool, 8 * bytes);
}

// The last operand of an access with .L2::cache_hint: a register that nothing waits for.
static bool match_policy(struct hd_match *m)
{
    const struct hd_ast_operand *o = m->in->operands;

    m->n_operands = m->in->n_operands;
    if (!m->sel.hinted)
        return true;
    while (o && o->next)
        o = o->next;
    if (!o || o->kind != HD_AST_REG || m->in->n_operands < 2) {
        hd_match_complain(m, o ? o->place : m->in->place,
                          "expected a register with a cache policy");
        return false;
    }
    if (!check_reg(m, o, HD_B64, false))
        return false;
    refer(m, o->index, HD_LIVE_USE);
    m->n_operands--;
    return true;
}

// Operands that follow no pattern. *done is false if there is one.
static bool match_freely(struct hd_match *m, bool *done)
{
    *done = true;
    if (hd_op_info[m->sel.op].shape == HD_SHAPE_CALL)
        return hd_callsite_match(m);
    if (hd_transfer_matched(&m->sel))
        return hd_transfer_match(m);
    *done = false;
    return !moves(m) || hd_moves_match(m, done);
}

bool hd_match_operands(struct hd_match *m)
{
    const struct hd_ast_operand *o = m->in->operands;
    uint32_t first_ref = m->n_refs;
    char pattern[8];
    bool done;

    m->n_src = m->n_dep_src = m->n_dep_dst = m->n_wide_src = m->n_wide_dst = 0;
    if (!match_policy(m) || !match_freely(m, &done))
        return false;
    if (!done)
        extends_in_place(m);
    pattern_of(m, done, pattern);
    if (!done && wrong_count(m, pattern))
        return false;
    for (const char *p = pattern; *p && o; p++) {
        if (*p == '?' && m->n_operands == strlen(pattern) - 1)
            continue;
        if (*p == '?') { // the next one is missing
            p++;
            m->n_src++;
            continue;
        }
        if (!match_one(m, *p, o))
            return false;
        o = o->next;
    }
    match_carry(m);
    if (has_fragments(m))
        finish_matrix(m);
    if (m->deps->addr[0] != HD_SB_NONE) // the collector reads address registers last
        in_bank(m->banks->src, &m->banks->n_src, m->address_digit);
    if (m->in->guard != HD_AST_NONE) {
        m->deps->guard = scoreboard_id(m, m->in->guard);
        refer(m, m->in->guard, HD_LIVE_USE);
    }
    if (m->n_refs > first_ref)
        uses_first(m->refs + first_ref, m->n_refs - first_ref);
    return true;
}
