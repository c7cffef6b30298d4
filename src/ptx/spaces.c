// spaces.c - finds out where generic addresses come from. See spaces.h.
//
// For each register, on any path: the state spaces that an address in it may belong to. Addresses
// come from cvta and from kernel parameters, which point to global memory. Moves, selections and
// sums with numbers pass them on; loads and calls may return any address. Values do not depend on
// this, because the emulator checks each address. The timing model and the policies learn before
// the access that it will not leave the SM.
#include "ptx/spaces.h"

#include "isa/op.h"

#include <string.h>

#define NUMBER 0x8000 // holds no address
#define ANY 0x4000    // an address of unknown space
#define ROUNDS 64     // rounds after which the analysis gives up
#define OF(space) ((uint16_t)(1u << (space)))

_Static_assert(HD_N_SPACES <= 14, "a bit for each space");

static uint16_t of_operand(const uint16_t *sets, const struct hd_ast_operand *o)
{
    if (!o)
        return ANY;
    if (o->kind == HD_AST_REG)
        return sets[o->index];
    return o->kind == HD_AST_INT || o->kind == HD_AST_SREG ? NUMBER : ANY;
}

// An address stays in its space when a number is added. An empty set means that nothing is known
// yet.
static uint16_t sum(uint16_t a, uint16_t b)
{
    if (!a || !b)
        return 0;
    if (a == NUMBER || b == NUMBER)
        return a == NUMBER ? b : a;
    return ANY;
}

// The set of spaces of the instruction's result.
static uint16_t result(const struct hd_insn *x, const struct hd_ast_operand *o, bool kernel,
                       const uint16_t *sets)
{
    const struct hd_ast_operand *a = o->next, *b = a ? a->next : NULL, *c = b ? b->next : NULL;

    switch (x->op) {
    case HD_OP_CVTA_B64:
        return OF(x->space);
    case HD_OP_MOV_B64:
        return of_operand(sets, a);
    case HD_OP_ADD_S64:
    case HD_OP_ADD_U64:
        return sum(of_operand(sets, a), of_operand(sets, b));
    case HD_OP_SUB_S64:
    case HD_OP_SUB_U64:
        return of_operand(sets, b) & NUMBER ? of_operand(sets, a) : NUMBER;
    case HD_OP_MAD_WIDE_S32:
    case HD_OP_MAD_WIDE_U32:
    case HD_OP_MAD_LO_S64:
    case HD_OP_MAD_LO_U64:
        return of_operand(sets, c);
    case HD_OP_SELP_B64:
        return of_operand(sets, a) | of_operand(sets, b);
    case HD_OP_LD_B64:
        return kernel && x->space == HD_SPACE_PARAM ? OF(HD_SPACE_GLOBAL) : ANY;
    default:
        break;
    }
    bool number = hd_op_info[x->op].kind == HD_KIND_ALU && hd_op_info[x->op].dtype != HD_B64;
    return number ? NUMBER : ANY;
}

static bool add(uint16_t *set, uint16_t more)
{
    bool changed = (*set | more) != *set;

    *set |= more;
    return changed;
}

// One round over the function; true if anything was learnt.
static bool learn(const struct hd_lower *lo, const struct hd_ast_func *f, uint32_t first_pc,
                  uint16_t *sets)
{
    bool changed = false;

    for (uint32_t i = 0; i < f->n_insns; i++) {
        const struct hd_ast_operand *o = f->insns[i].operands;
        const struct hd_insn *x = &lo->insns[first_pc + i];
        if (!o || hd_op_info[x->op].kind == HD_KIND_STORE)
            continue;
        if (o->kind == HD_AST_REG)
            changed |= add(&sets[o->index], result(x, o, f->is_kernel, sets));
        for (const struct hd_ast_operand *e = o->child; e && o->kind != HD_AST_ADDR; e = e->next)
            if (e->kind == HD_AST_REG) // elements of a vector, a pair, results of a call
                changed |= add(&sets[e->index], ANY);
    }
    return changed;
}

uint8_t *hd_spaces_find(const struct hd_lower *lo, const struct hd_ast_func *f, uint32_t first_pc)
{
    static const uint8_t known[] = {HD_SPACE_GLOBAL, HD_SPACE_SHARED, HD_SPACE_LOCAL,
                                    HD_SPACE_CONST};
    uint8_t *spaces = HD_ARRAY(lo->scratch, uint8_t, f->n_insns);
    uint16_t *sets = HD_ARRAY(lo->scratch, uint16_t, f->n_regs);
    bool any = false;

    for (uint32_t i = 0; i < f->n_insns; i++)
        any |= lo->deps[first_pc + i].space == HD_SPACE_GENERIC;
    if (!any)
        return spaces;
    for (uint32_t v = 0; v < f->n_params; v++) // parameters of a function depend on its callers
        if (lo->ast->vars[f->first_param + v].in_reg)
            sets[lo->ast->vars[f->first_param + v].symbol] = ANY;
    for (unsigned round = 0; learn(lo, f, first_pc, sets); round++)
        if (round == ROUNDS)
            return spaces;
    for (uint32_t i = 0; i < f->n_insns; i++) {
        const struct hd_ast_operand *o = f->insns[i].operands;
        if (lo->deps[first_pc + i].space != HD_SPACE_GENERIC)
            continue;
        while (o && o->kind != HD_AST_ADDR)
            o = o->next;
        for (unsigned k = 0; k < sizeof known && o && o->child; k++)
            if (o->child->kind == HD_AST_REG && sets[o->child->index] == OF(known[k]))
                spaces[i] = known[k];
    }
    return spaces;
}
