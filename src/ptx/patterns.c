// patterns.c - matches the operands of one instruction against the pattern of its shape.
//
// isa/shapes.def gives each shape a pattern string. A letter of it stands for one operand:
//
//   D  destination register of the destination type    A  source of the operation's type
//   X  source of the destination type                  N  source of type .u32
//   P  destination predicate, or p|q                   p  destination predicate
//   q  source predicate                                L  label
//   V  register or vector that a load fills            W  value or vector that is stored
//   T  [object, {coordinates}]                         Q  [object]
//   G  gradients (accepted without effect: a texture   O  offsets in texels
//      has no levels to choose from)
//   M  address                                         t  truth table (a number below 256)
//   R  32-bit register, or register|predicate          l  list of labels
//   a  alignment (a number)                            F  fragment of a matrix
//   ?  the next operand may be missing
//
// Instructions without a pattern have their own files: calls (callsite.c), mov (mov.c) and
// asynchronous operations (async_ops.c). Addresses, textures and vectors of memory accesses are in
// memory_operands.c.
#include "ptx/patterns.h"

#include "ptx/async_ops.h"
#include "ptx/callsite.h"
#include "ptx/fragment.h"
#include "ptx/memory_operands.h"
#include "ptx/mov.h"
#include "ptx/video_ops.h"

#include "base/bug.h"

#include <string.h>

// --- sources

static bool match_source(struct hd_match *m, const struct hd_ast_operand *o, enum hd_type t)
{
    bool wider = m->sel.relaxed && hd_type_bytes(t) < 4;
    int32_t row = HD_ROW_NONE;
    unsigned at = m->n_src++;

    if (wider && o->kind == HD_AST_REG && hd_type_bytes(m->f->regs[o->index].type) == 8)
        wider = false; // the low part of a 64-bit register is stored elsewhere
    if (at < 3) {
        if (!hd_values_source(m, o, t, wider, HD_AT_SRC0 + at, m->pc, &row))
            return false;
        m->insn->src[at] = row;
    } else {
        if (!hd_values_source(m, o, t, wider, HD_AT_IMM, m->pc, &row))
            return false;
        m->insn->imm = HD_WARP_IMM(row, HD_WARP_PRED(m->insn->imm));
    }
    return true;
}

// The condition code is a predicate that programs cannot name.
static void match_carry(struct hd_match *m)
{
    if (hd_op_carry(m->sel.op) != HD_CARRY_NONE)
        hd_values_fix(m, m->pc, HD_AT_IMM, HD_VALUES_CARRY, false);
}

static bool match_table(struct hd_match *m, const struct hd_ast_operand *o)
{
    if (o->kind != HD_AST_INT || o->value < 0 || o->value > 255)
        return hd_values_expected(m, o, "a number from 0 to 255");
    m->insn->mods |= (uint16_t)o->value;
    return true;
}

static bool match_source_pred(struct hd_match *m, const struct hd_ast_operand *o)
{
    unsigned at = m->n_src++;

    if (o->kind == HD_AST_INT) {
        hd_values_fix(m, m->pc, HD_AT_SRC0 + at, HD_VALUES_NEVER, o->value != 0);
        return true;
    }
    if (o->kind != HD_AST_REG)
        return hd_values_expected(m, o, "a predicate register");
    if (!hd_values_check_register(m, o, HD_PRED, false))
        return false;
    hd_values_predicate(m, o, HD_AT_SRC0 + at);
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
        return hd_values_expected(m, o, "a destination register");
    if (wider && hd_type_bytes(m->f->regs[o->index].type) == 8)
        wider = false;
    if (!hd_values_check_register(m, o, t, wider))
        return false;
    hd_values_define(m, o->index);
    hd_values_fix(m, m->pc, at, o->index, false);
    return true;
}

// p, p|q; `_` may stand for either. Halves are compared in pairs, so they need both.
static bool match_dest_preds(struct hd_match *m, const struct hd_ast_operand *o)
{
    const struct hd_ast_operand *first = o->kind == HD_AST_PAIR ? o->child : o;
    bool pairs = m->sel.type == HD_F16X2 || m->sel.type == HD_BF16X2;

    if (pairs && o->kind != HD_AST_PAIR)
        return hd_values_expected(m, o, "two predicates such as %p1|%p2");
    if (first->kind == HD_AST_SINK)
        hd_values_fix(m, m->pc, HD_AT_DST, HD_VALUES_SINK, false);
    else if (!match_dest(m, first, HD_PRED, HD_AT_DST))
        return false;
    if (first->kind == HD_AST_SINK && o->kind == HD_AST_PAIR && first->next->kind == HD_AST_SINK) {
        hd_values_complain(m, o->place, "one of the two predicates has to be written");
        return false;
    }
    if (o->kind != HD_AST_PAIR || first->next->kind == HD_AST_SINK)
        return true;
    return match_dest(m, first->next, HD_PRED, HD_AT_DST2);
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

// The registers that a load fills. A texture fetch may also have {a, b, c, d}|p; p is true if all
// texels were resident.
static bool match_filled(struct hd_match *m, const struct hd_ast_operand *o)
{
    bool texture = hd_op_info[m->sel.op].shape == HD_SHAPE_TEX;

    if (texture)
        m->insn->imm = HD_WARP_IMM(HD_ROW_NONE, HD_PRED_TRUE);
    if (!texture || o->kind != HD_AST_PAIR)
        return hd_memory_operands_data(m, o, true);
    return hd_memory_operands_data(m, o->child, true) &&
           match_dest(m, o->child->next, HD_PRED, HD_AT_IMM2);
}

// --- whole instructions

static bool match_label(struct hd_match *m, const struct hd_ast_operand *o)
{
    if (o->kind != HD_AST_LABEL)
        return hd_values_expected(m, o, "a label");
    m->insn->imm = HD_TARGET(m->first_pc + o->index, HD_PC_NONE);
    return o->index != HD_AST_NONE; // an unknown name has been reported already
}

static bool match_targets(struct hd_match *m, const struct hd_ast_operand *o)
{
    if (o->kind != HD_AST_TABLE)
        return hd_values_expected(m, o, "the name of a .branchtargets");
    const struct hd_ast_table *t = &m->lo->ast->tables[o->index];
    m->insn->imm = HD_TARGET(m->lo->n_targets, HD_PC_NONE);
    m->insn->dst = (int32_t)t->n;
    for (const struct hd_ast_operand *l = t->labels; l; l = l->next) {
        if (l->kind != HD_AST_LABEL)
            return hd_values_expected(m, l, "a label");
        if (l->index == HD_AST_NONE)
            return false; // an unknown name has been reported already
        *HD_PUSH(m->lo->arena, m->lo->targets, m->lo->n_targets, m->lo->target_cap) =
            m->first_pc + l->index;
    }
    return true;
}

static bool match_alignment(struct hd_match *m, const struct hd_ast_operand *o)
{
    if (o->kind != HD_AST_INT || o->value <= 0 || o->value > 4096 || (o->value & (o->value - 1)))
        return hd_values_expected(m, o, "an alignment: a power of two up to 4096");
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
        return hd_memory_operands_data(m, o, false);
    case 'M':
        return hd_memory_operands_address(m, o);
    case 't':
        return match_table(m, o);
    case 'T':
    case 'Q':
        return hd_memory_operands_object(m, o, what == 'T');
    case 'G':
        return hd_memory_operands_gradient(m, o);
    case 'O':
        return hd_memory_operands_offsets(m, o);
    case 'l':
        return match_targets(m, o);
    case 'a':
        return match_alignment(m, o);
    case 'R':
        return match_dest_pair(m, o);
    case 'F':
        return hd_fragment_match(m, o);
    default:
        HD_BUG("operand pattern letter '%c'", what);
    }
}

// The pattern of this instruction: the pattern of its shape, changed by its modifiers.
static void pattern_of(const struct hd_match *m, bool done, char pattern[8])
{
    pattern[0] = '\0';
    if (done)
        return;
    const struct hd_op_info *o = &hd_op_info[m->sel.op];
    const char *p =
        o->shape == HD_SHAPE_MBAR ? hd_async_ops_pattern(&m->sel) : hd_op_patterns[o->shape];

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
        hd_values_complain(m, m->in->place, "expected %u operand%s, found %u", most,
                           most == 1 ? "" : "s", m->n_operands);
    else
        hd_values_complain(m, m->in->place, "expected %u or %u operands, found %u", least, most,
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

// cvt.s64.s8 from a 64-bit register, as compilers write it. The low part of such a register is not
// stored where a narrow register has its value, but extracting a bit field gives the same result.
static void extends_in_place(struct hd_match *m)
{
    const struct hd_ast_operand *to = m->in->operands, *from = to ? to->next : NULL;
    unsigned bytes = hd_type_bytes(m->sel.type);
    bool sign = hd_type_is_signed(m->sel.type);

    if (!m->sel.relaxed || !from || from->next || from->kind != HD_AST_REG || bytes >= 8 ||
        hd_type_bytes(m->f->regs[from->index].type) != 8 || hd_type_is_float(m->sel.type) ||
        hd_type_is_float(m->f->regs[from->index].type) || m->insn->mods ||
        (m->sel.dtype != HD_U64 && m->sel.dtype != HD_S64))
        return;
    m->sel.type = sign ? HD_S64 : HD_U64;
    m->insn->op = sign ? HD_OP_BFE_S64 : HD_OP_BFE_U64;
    m->insn->src[1] = hd_pool_word(&m->lo->pool, 0);
    m->insn->src[2] = hd_pool_word(&m->lo->pool, 8 * bytes);
}

// The last operand of an access with .L2::cache_hint is a register with a cache policy. The policy
// has no effect, so the instruction does not wait for it.
static bool match_policy(struct hd_match *m)
{
    const struct hd_ast_operand *o = m->in->operands;

    m->n_operands = m->in->n_operands;
    if (!m->sel.hinted)
        return true;
    while (o && o->next)
        o = o->next;
    if (!o || o->kind != HD_AST_REG || m->in->n_operands < 2) {
        hd_values_complain(m, o ? o->place : m->in->place,
                           "expected a register with a cache policy");
        return false;
    }
    if (!hd_values_check_register(m, o, HD_B64, false))
        return false;
    hd_values_refer(m, o->index, HD_LIVE_USE);
    m->n_operands--;
    return true;
}

// fence.proxy.tensormap::generic.acquire.gpu [%rd1], 128. All accesses are in order, so the place
// has no effect.
static bool fences_memory(struct hd_match *m)
{
    const struct hd_ast_operand *at = m->in->operands, *size = at->next;
    bool tensormap = false;

    for (uint32_t i = 0; i < m->in->n_mods; i++)
        tensormap |= hd_lex_is(m->lo->ast->mods[m->in->mods + i].text, "tensormap::generic");
    if (tensormap && at->kind == HD_AST_ADDR && size->kind == HD_AST_INT && size->value == 128) {
        if (at->child && at->child->kind == HD_AST_REG)
            hd_values_refer(m, at->child->index, HD_LIVE_USE);
        return true;
    }
    hd_values_complain(m, m->in->place,
                       tensormap ? "expected an address and 128 bytes"
                                 : "expected 0 operands, found 2");
    return false;
}

// Enter operands that follow no pattern. *done is false if the instruction has a pattern.
static bool match_freely(struct hd_match *m, bool *done)
{
    *done = true;
    if (hd_op_info[m->sel.op].shape == HD_SHAPE_CALL)
        return hd_callsite_match(m);
    if (hd_async_ops_matched(&m->sel))
        return hd_async_ops_match(m);
    if (hd_op_info[m->sel.op].kind == HD_KIND_MEMBAR && m->in->n_operands == 2)
        return fences_memory(m);
    *done = false;
    return !moves(m) || hd_mov_match(m, done);
}

bool hd_patterns_match(struct hd_match *m)
{
    const struct hd_ast_operand *o = m->in->operands;
    uint32_t first_ref = m->n_refs;
    char pattern[8];
    bool done;

    m->n_src = m->n_dep_src = m->n_dep_dst = m->n_wide_src = m->n_wide_dst = 0;
    if (!match_policy(m) || !match_freely(m, &done))
        return false;
    if (hd_op_info[m->sel.op].shape == HD_SHAPE_VIDEO && !hd_video_ops_match(m))
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
    if (hd_values_has_fragments(m))
        hd_fragment_finish(m);
    if (m->deps->addr[0] != HD_SB_NONE) // the collector reads address registers last
        hd_values_in_bank(m, m->address_digits);
    if (m->in->guard != HD_AST_NONE) {
        m->deps->guard = hd_values_scoreboard_id(m, m->in->guard);
        hd_values_refer(m, m->in->guard, HD_LIVE_USE);
    }
    if (m->n_refs > first_ref)
        uses_first(m->refs + first_ref, m->n_refs - first_ref);
    return true;
}
