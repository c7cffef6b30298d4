// scope.c - names in the block that is being parsed: entering a declaration, and finding the
// register that a name means.
//
// A register of a range such as %r<100> is created when it is first used, so a large range costs
// nothing.
#include "ptx/parse.h"

bool hd_scope_declare(struct hd_parse *p, struct hd_name *name, struct hd_place_at at)
{
    const struct hd_name *old;

    name->scope = p->scope;
    name->line = at.line;
    name->column = at.column;
    old = hd_names_add(&p->names, name);
    if (!old)
        return true;
    hd_cursor_error(p, at, "'%.*s' is declared twice in this block, first at line %u",
                    HD_SLICE_ARG(name->text), old->line);
    return false;
}

// The first run of decimal digits of the name, modulo 2^31. A register without digits (%SPL) is in
// no bank, except for %sp, for which the reference has a rule.
static uint32_t bank_digits(struct hd_slice name)
{
    uint32_t v = 0; // wraps at 2^32
    uint32_t i = 0;

    while (i < name.n && (name.s[i] < '0' || name.s[i] > '9'))
        i++;
    if (i == name.n)
        return hd_lex_is(name, "%sp") ? 0 : HD_AST_NO_BANK;
    for (; i < name.n && name.s[i] >= '0' && name.s[i] <= '9'; i++)
        v = v * 10 + (uint32_t)(name.s[i] - '0');
    return v & INT32_MAX;
}

static uint32_t new_reg(struct hd_parse *p, struct hd_slice name, enum hd_type type,
                        uint64_t number)
{
    struct hd_ast_reg *r = HD_PUSH(p->arena, p->fn.regs, p->fn.n_regs, p->reg_cap);

    *r = (struct hd_ast_reg){name, (uint8_t)type, 1, bank_digits(name), (uint32_t)number};
    return p->fn.n_regs - 1;
}

// A vector is a register for each of its elements.
uint32_t hd_scope_new_register(struct hd_parse *p, struct hd_slice name, enum hd_type type,
                               unsigned vec, uint64_t number)
{
    uint32_t first = new_reg(p, name, type, number);

    p->fn.regs[first].vec = (uint8_t)(vec ? vec : 1);
    for (unsigned i = 1; i < vec; i++)
        new_reg(p, name, type, number + i);
    return first;
}

uint32_t hd_scope_find_register(struct hd_parse *p, struct hd_slice text)
{
    for (uint32_t scope = p->scope;; scope = p->names.parents[scope]) {
        const struct hd_name *n = hd_names_find(&p->names, scope, HD_NAME_REG, text);
        uint32_t number;

        if (n && n->scope == scope)
            return n->value;
        const struct hd_name *range = hd_names_range(&p->names, scope, text, false, &number);
        if (range) {
            struct hd_name name = {.text = text,
                                   .scope = scope,
                                   .kind = HD_NAME_REG,
                                   .value = p->fn.n_regs,
                                   .line = range->line,
                                   .column = range->column};
            uint32_t width = range->vec ? range->vec : 1;
            uint32_t index = hd_scope_new_register(p, text, (enum hd_type)range->type, range->vec,
                                                   range->first + (uint64_t)number * width);
            hd_names_add(&p->names, &name);
            return index;
        }
        if (scope == 0)
            return HD_AST_NONE;
    }
}

void hd_scope_unknown_register(struct hd_parse *p, struct hd_slice name, struct hd_place_at at)
{
    struct hd_diag_entry *e = hd_cursor_error(p, at, "unknown register '%.*s'", HD_SLICE_ARG(name));
    uint32_t number;

    for (uint32_t scope = p->scope; scope; scope = p->names.parents[scope]) {
        const struct hd_name *r = hd_names_range(&p->names, scope, name, true, &number);
        if (r && r->value) {
            hd_diag_hint(e, "line %u declares %.*s0 to %.*s%u", r->line, HD_SLICE_ARG(r->text),
                         HD_SLICE_ARG(r->text), r->value - 1);
            return;
        }
    }
    const char *near = hd_names_nearest(&p->names, p->scope, 1u << HD_NAME_REG, name);
    if (near)
        hd_diag_hint(e, "did you mean '%s'?", near);
}
