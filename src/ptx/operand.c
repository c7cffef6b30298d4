// operand.c - operands of PTX instructions, and constant expressions.
// PTX ISA 9.0, chapters 4.5 "Constants" and 6 "Instruction operands".
//
// Names resolve here: registers, special registers and variables must have been declared; whatever
// else is a word is taken for a label and looked up at the end of the function. Constant
// expressions have the arithmetic, shift and bit operators on 64-bit integers; comparisons, ?: and
// && || are left out (no compiler writes them).
#include "ptx/parse.h"

#include <string.h>

// --- constant expressions

static bool parse_expression(struct hd_parse *p, unsigned level, int64_t *value);

static bool parse_atom(struct hd_parse *p, int64_t *value)
{
    int kind = p->tok.kind;
    bool ok;

    if (kind == HD_TOK_INT) {
        *value = (int64_t)p->tok.bits;
        hd_parse_next(p);
        return true;
    }
    if (kind != '(' && kind != '-' && kind != '+' && kind != '~' && kind != '!') {
        hd_parse_expected(p, "a number");
        return false;
    }
    if (++p->depth > HD_PARSE_MAX_DEPTH) {
        hd_parse_error(p, hd_parse_place(p), "expression nested too deeply");
        p->depth--;
        return false;
    }
    hd_parse_next(p);
    if (kind == '(')
        ok = parse_expression(p, 0, value) && hd_parse_expect(p, ')', "')'");
    else
        ok = parse_atom(p, value);
    p->depth--;
    if (kind == '-')
        *value = (int64_t)(0 - (uint64_t)*value);
    else if (kind == '~')
        *value = ~*value;
    else if (kind == '!')
        *value = !*value;
    return ok;
}

// The operator at the current token and its level (higher binds stronger); 0 if there is none.
// << and >> are two tokens.
static int operator_at(const struct hd_parse *p, unsigned *level)
{
    int kind = p->tok.kind;

    switch (kind) {
    case '|':
        *level = 1;
        return kind;
    case '^':
        *level = 2;
        return kind;
    case '&':
        *level = 3;
        return kind;
    case '<':
    case '>':
        *level = 4;
        return hd_parse_peek(p).kind == kind ? kind : 0;
    case '+':
    case '-':
        *level = 5;
        return kind;
    case '*':
    case '/':
    case '%':
        *level = 6;
        return kind;
    default:
        return 0;
    }
}

static bool apply(struct hd_parse *p, int op, int64_t *left, int64_t right)
{
    uint64_t a = (uint64_t)*left, b = (uint64_t)right, r = 0;

    if ((op == '/' || op == '%') && (right == 0 || (*left == INT64_MIN && right == -1))) {
        hd_parse_error(p, hd_parse_place(p), "division by zero or overflow in a constant");
        return false;
    }
    switch (op) {
    case '|':
        r = a | b;
        break;
    case '^':
        r = a ^ b;
        break;
    case '&':
        r = a & b;
        break;
    case '<':
        r = b < 64 ? a << b : 0;
        break;
    case '>':
        r = b < 64 ? a >> b : 0;
        break;
    case '+':
        r = a + b;
        break;
    case '-':
        r = a - b;
        break;
    case '*':
        r = a * b;
        break;
    case '/':
        r = (uint64_t)(*left / right);
        break;
    default:
        r = (uint64_t)(*left % right);
        break;
    }
    *left = (int64_t)r;
    return true;
}

static bool parse_expression(struct hd_parse *p, unsigned level, int64_t *value)
{
    unsigned here = 0;
    int op;

    if (!parse_atom(p, value))
        return false;
    while ((op = operator_at(p, &here)) != 0 && here > level) {
        int64_t right;
        hd_parse_next(p);
        if (op == '<' || op == '>')
            hd_parse_next(p);
        if (!parse_expression(p, here, &right) || !apply(p, op, value, right))
            return false;
    }
    return true;
}

bool hd_operand_constant(struct hd_parse *p, int64_t *value)
{
    return parse_expression(p, 0, value);
}

// --- operands

static struct hd_ast_operand *new_operand(struct hd_parse *p, enum hd_ast_kind kind)
{
    struct hd_ast_operand *o = HD_NEW(p->arena, hd_ast_operand);

    o->kind = (uint8_t)kind;
    o->place = hd_parse_place(p);
    o->name = p->tok.text;
    return o;
}

// envreg0 to envreg31: what a driver may set. Two have a meaning and a name of their own.
static bool is_envreg(struct hd_slice s)
{
    unsigned n = 32;

    if (s.n > 6 && s.n < 9 && !memcmp(s.s, "envreg", 6)) {
        n = 0;
        for (uint32_t i = 6; i < s.n; i++)
            n = s.s[i] >= '0' && s.s[i] <= '9' ? n * 10 + (unsigned)(s.s[i] - '0') : 32;
    }
    return n < 32;
}

// A special register, whose name may have a component: %tid.x
static struct hd_ast_operand *parse_special(struct hd_parse *p, struct hd_ast_operand *o)
{
    struct hd_slice name = {o->name.s + 1, o->name.n - 1};

    if (p->tok.kind == HD_TOK_DOT && !p->tok.spaced && p->tok.text.n == 1) {
        name.n += 2;
        hd_parse_next(p);
    }
    bool used = hd_lex_is(name, "envreg1") || hd_lex_is(name, "envreg2");
    struct hd_slice known = !used && is_envreg(name) ? HD_SLICE("envreg") : name;
    for (unsigned i = 0; i < HD_N_SREGS; i++)
        if (hd_lex_is(known, hd_sreg_names[i])) {
            o->kind = HD_AST_SREG;
            o->index = i;
            o->name.n = name.n + 1;
            return o;
        }
    struct hd_slice whole = {o->name.s, name.n + 1};
    const char *near = hd_diag_closest(
        hd_arena_strndup(p->arena, name.s, name.n < 64 ? name.n : 64), hd_sreg_names);
    if (near && near[0] == name.s[0] &&
        !hd_names_nearest(&p->names, p->scope, 1u << HD_NAME_REG, whole)) {
        struct hd_diag_entry *e =
            hd_parse_error(p, o->place, "unknown register '%.*s'", HD_SLICE_ARG(whole));
        hd_diag_hint(e, "did you mean '%%%s'?", near);
    } else {
        hd_declare_unknown_reg(p, whole, o->place);
    }
    return NULL;
}

// SYMBOL, SYMBOL+4
static bool parse_symbol_offset(struct hd_parse *p, struct hd_ast_operand *o)
{
    return (p->tok.kind != '+' && p->tok.kind != '-') || hd_operand_constant(p, &o->value);
}

// A vector register: v.x is a register, v alone all its elements.
static struct hd_ast_operand *parse_vector(struct hd_parse *p, struct hd_ast_operand *o)
{
    static const char letters[] = "xyzwrgba";
    unsigned n = p->fn.regs[o->index].vec;
    struct hd_ast_operand **last = &o->child;

    if (p->tok.kind == HD_TOK_DOT && !p->tok.spaced) {
        const char *at = p->tok.text.n == 1 ? strchr(letters, p->tok.text.s[0]) : NULL;
        if (!at || (unsigned)(at - letters) % 4 >= n) {
            hd_parse_error(p, hd_parse_place(p), "'%.*s' has %s", HD_SLICE_ARG(o->name),
                           n == 2 ? "elements .x and .y" : "elements .x, .y, .z and .w");
            return NULL;
        }
        o->index += (uint32_t)(at - letters) % 4;
        hd_parse_next(p);
        return o;
    }
    o->kind = HD_AST_VEC;
    for (unsigned i = 0; i < n; i++) {
        *last = HD_NEW(p->arena, hd_ast_operand);
        **last = (struct hd_ast_operand){
            .kind = HD_AST_REG, .index = o->index + i, .name = o->name, .place = o->place};
        last = &(*last)->next;
    }
    return o;
}

static struct hd_ast_operand *parse_word(struct hd_parse *p)
{
    struct hd_ast_operand *o = new_operand(p, HD_AST_REG);
    const struct hd_name *n;

    hd_parse_next(p);
    if (hd_lex_is(o->name, "_")) {
        o->kind = HD_AST_SINK;
        return o;
    }
    o->index = hd_declare_find_reg(p, o->name);
    if (o->index != HD_AST_NONE)
        return p->fn.regs[o->index].vec > 1 ? parse_vector(p, o) : o;
    if (o->name.s[0] == '%')
        return parse_special(p, o);
    if (hd_lex_is(o->name, "WARP_SZ")) {
        o->kind = HD_AST_INT;
        o->value = HD_LANES;
        return o;
    }
    n = hd_names_find(&p->names, p->scope, HD_NAME_VAR, o->name);
    if (n) {
        o->kind = HD_AST_VAR;
        o->index = n->value;
        return parse_symbol_offset(p, o) ? o : NULL;
    }
    n = hd_names_find(&p->names, 0, HD_NAME_FUNC, o->name);
    if (n) {
        o->kind = HD_AST_FUNC;
        o->index = n->value;
        return o;
    }
    o->kind = HD_AST_LABEL;
    o->index = HD_AST_NONE;
    o->scope = p->scope;
    *HD_PUSH(p->arena, p->labels, p->n_labels, p->label_cap) = o;
    return o;
}

// Elements up to the closing bracket, behind the opening one.
static bool parse_elements(struct hd_parse *p, struct hd_ast_operand *o, int close,
                           const char *what)
{
    struct hd_ast_operand **last = &o->child;

    while (p->tok.kind != close) {
        *last = hd_operand_parse(p);
        if (!*last)
            return false;
        last = &(*last)->next;
        if (!hd_parse_accept(p, ','))
            break;
    }
    return hd_parse_expect(p, close, what);
}

// [reg], [reg+4], [symbol+-4], [64], [tex, {coordinates}]
static bool parse_address(struct hd_parse *p, struct hd_ast_operand *o)
{
    if (p->tok.kind != HD_TOK_WORD) {
        if (!hd_operand_constant(p, &o->value))
            return false;
    } else {
        o->child = parse_word(p);
        if (!o->child)
            return false;
        if (o->child->kind == HD_AST_VAR) {
            o->value = o->child->value;
            o->child->value = 0;
        } else if ((p->tok.kind == '+' || p->tok.kind == '-') &&
                   !hd_operand_constant(p, &o->value)) {
            return false;
        }
    }
    if (hd_parse_accept(p, ',')) {
        struct hd_ast_operand *more = hd_operand_parse(p);
        if (!more)
            return false;
        if (o->child)
            o->child->next = more;
    }
    return hd_parse_expect(p, ']', "']'");
}

static struct hd_ast_operand *parse_number(struct hd_parse *p)
{
    struct hd_ast_operand *o = new_operand(p, HD_AST_INT);
    int next = hd_parse_peek(p).kind;
    bool minus = p->tok.kind == '-' && (next == HD_TOK_F32 || next == HD_TOK_F64);

    if (minus)
        hd_parse_next(p);
    if (p->tok.kind == HD_TOK_F32 || p->tok.kind == HD_TOK_F64) {
        bool wide = p->tok.kind == HD_TOK_F64;
        o->kind = wide ? HD_AST_F64 : HD_AST_F32;
        o->name = p->tok.text;
        o->value = (int64_t)(p->tok.bits ^ (minus ? UINT64_C(1) << (wide ? 63 : 31) : 0));
        hd_parse_next(p);
        return o;
    }
    return hd_operand_constant(p, &o->value) ? o : NULL;
}

static struct hd_ast_operand *parse_group(struct hd_parse *p)
{
    int open = p->tok.kind;
    struct hd_ast_operand *o = new_operand(p, open == '{'   ? HD_AST_VEC
                                              : open == '[' ? HD_AST_ADDR
                                                            : HD_AST_LIST);
    bool ok;

    if (++p->depth > HD_PARSE_MAX_DEPTH) {
        hd_parse_error(p, o->place, "operand nested too deeply");
        p->depth--;
        return NULL;
    }
    hd_parse_next(p);
    if (open == '[')
        ok = parse_address(p, o);
    else
        ok = parse_elements(p, o, open == '{' ? '}' : ')',
                            open == '{' ? "',' or '}'" : "',' or ')'");
    p->depth--;
    return ok ? o : NULL;
}

// first|second, at the '|'
static struct hd_ast_operand *parse_pair(struct hd_parse *p, struct hd_ast_operand *first)
{
    struct hd_ast_operand *pair = new_operand(p, HD_AST_PAIR);

    pair->place = first->place;
    hd_parse_next(p);
    if (p->tok.kind != HD_TOK_WORD) {
        hd_parse_expected(p, "a register after '|'");
        return NULL;
    }
    pair->child = first;
    first->next = parse_word(p);
    return first->next ? pair : NULL;
}

struct hd_ast_operand *hd_operand_parse(struct hd_parse *p)
{
    struct hd_ast_operand *o;

    if (p->tok.kind == '{' || p->tok.kind == '[' || p->tok.kind == '(') {
        o = parse_group(p);
        return o && o->kind == HD_AST_VEC && p->tok.kind == '|' ? parse_pair(p, o) : o;
    }
    if (p->tok.kind == HD_TOK_INT || p->tok.kind == HD_TOK_F32 || p->tok.kind == HD_TOK_F64 ||
        p->tok.kind == '-' || p->tok.kind == '+' || p->tok.kind == '~')
        return parse_number(p);
    bool negated = hd_parse_accept(p, '!');
    if (p->tok.kind != HD_TOK_WORD) {
        hd_parse_expected(p, "an operand");
        return NULL;
    }
    o = parse_word(p);
    if (!o)
        return NULL;
    o->negated = negated;
    if (p->tok.kind == HD_TOK_DOT && !p->tok.spaced && o->kind == HD_AST_REG) {
        hd_parse_error(p, hd_parse_place(p), "'%.*s' is not a vector register",
                       HD_SLICE_ARG(o->name));
        return NULL;
    }
    return p->tok.kind == '|' ? parse_pair(p, o) : o;
}
