// parse_operand.c - operands of PTX instructions. PTX ISA 9.0, chapter 6 "Instruction operands".
//
// Names are resolved here. Registers, special registers and variables must have been declared; any
// other word is assumed to be a label, which is looked up at the end of the function.
#include "ptx/parse.h"

#include <string.h>

static struct hd_ast_operand *new_operand(struct hd_parse *p, enum hd_ast_kind kind)
{
    struct hd_ast_operand *o = HD_NEW(p->arena, hd_ast_operand);

    o->kind = (uint8_t)kind;
    o->place = hd_cursor_place(p);
    o->name = p->tok.text;
    return o;
}

// envreg0 to envreg31, which a driver may set. Two of them have a meaning and a name of their own.
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

// pm0 to pm7 and pm0_64 to pm7_64: performance counters, which nobody has set up.
static bool is_counter(struct hd_slice s, bool *wide)
{
    *wide = s.n == 6 && !memcmp(s.s + 3, "_64", 3);
    return (s.n == 3 || *wide) && !memcmp(s.s, "pm", 2) && s.s[2] >= '0' && s.s[2] <= '7';
}

// The name under which hd_sreg_names has a special register.
static struct hd_slice known_name(struct hd_slice name)
{
    bool used = hd_lex_is(name, "envreg1") || hd_lex_is(name, "envreg2"), wide;

    if (!used && is_envreg(name))
        return HD_SLICE("envreg");
    if (is_counter(name, &wide))
        return wide ? HD_SLICE("pm_64") : HD_SLICE("pm");
    return name;
}

// The index of NAME.COMPONENT among the special registers, or HD_N_SREGS.
static unsigned find_special(struct hd_slice name, const char *component)
{
    struct hd_slice known = known_name(name);

    for (unsigned i = 0; i < HD_N_SREGS; i++) {
        const char *s = hd_sreg_names[i];
        if (strlen(s) == known.n + strlen(component) && !memcmp(s, known.s, known.n) &&
            !strcmp(s + known.n, component))
            return i;
    }
    return HD_N_SREGS;
}

// %tid without a component: {%tid.x, %tid.y, %tid.z, 0}
static struct hd_ast_operand *whole_special(struct hd_parse *p, struct hd_ast_operand *o,
                                            unsigned first)
{
    struct hd_ast_operand **last = &o->child;

    o->kind = HD_AST_VEC;
    for (unsigned i = 0; i < 4; i++, last = &(*last)->next) {
        *last = HD_NEW(p->arena, hd_ast_operand);
        **last = (struct hd_ast_operand){.kind = i < 3 ? HD_AST_SREG : HD_AST_INT,
                                         .index = first + i,
                                         .name = o->name,
                                         .place = o->place};
    }
    return o;
}

static void unknown_special(struct hd_parse *p, const struct hd_ast_operand *o,
                            struct hd_slice name)
{
    struct hd_slice whole = {o->name.s, name.n + 1};
    const char *near = hd_diag_closest(
        hd_arena_strndup(p->arena, name.s, name.n < 64 ? name.n : 64), hd_sreg_names);

    if (!near || near[0] != name.s[0] ||
        hd_names_nearest(&p->names, p->scope, 1u << HD_NAME_REG, whole)) {
        hd_scope_unknown_register(p, whole, o->place);
        return;
    }
    struct hd_diag_entry *e =
        hd_cursor_error(p, o->place, "unknown register '%.*s'", HD_SLICE_ARG(whole));
    hd_diag_hint(e, "did you mean '%%%s'?", near);
}

// A special register. Some are vectors: %tid.x is a register, %tid is all of them, and the fourth
// element is 0.
static struct hd_ast_operand *parse_special(struct hd_parse *p, struct hd_ast_operand *o)
{
    struct hd_slice name = {o->name.s + 1, o->name.n - 1};
    unsigned at = find_special(name, ""), first = find_special(name, ".x");

    if (p->tok.kind == HD_TOK_DOT && !p->tok.spaced && p->tok.text.n == 1) {
        name.n += 2;
        hd_cursor_next(p);
        at = find_special(name, "");
        if (at == HD_N_SREGS && first != HD_N_SREGS && name.s[name.n - 1] == 'w') {
            o->kind = HD_AST_INT;
            o->value = 0;
            return o;
        }
    } else if (first != HD_N_SREGS) {
        return whole_special(p, o, first);
    }
    if (hd_lex_is(name, "is_explicit_cluster")) { // a predicate
        o->kind = HD_AST_INT;
        o->value = p->fn.explicit_cluster;
        return o;
    }
    if (at == HD_N_SREGS) {
        unknown_special(p, o, name);
        return NULL;
    }
    p->fn.reserves |= at >= HD_SREG_RESERVED_BEGIN && at <= HD_SREG_RESERVED_1;
    o->kind = HD_AST_SREG;
    o->index = at;
    o->name.n = name.n + 1;
    return o;
}

// SYMBOL, SYMBOL+4
static bool parse_symbol_offset(struct hd_parse *p, struct hd_ast_operand *o)
{
    return (p->tok.kind != '+' && p->tok.kind != '-') || hd_parse_constant(p, &o->value);
}

// A vector register: v.x is one register, v alone stands for all elements.
static struct hd_ast_operand *parse_vector(struct hd_parse *p, struct hd_ast_operand *o)
{
    static const char letters[] = "xyzwrgba";
    unsigned n = p->fn.regs[o->index].vec;
    struct hd_ast_operand **last = &o->child;

    if (p->tok.kind == HD_TOK_DOT && !p->tok.spaced) {
        const char *at = p->tok.text.n == 1 ? strchr(letters, p->tok.text.s[0]) : NULL;
        if (!at || (unsigned)(at - letters) % 4 >= n) {
            hd_cursor_error(p, hd_cursor_place(p), "'%.*s' has %s", HD_SLICE_ARG(o->name),
                            n == 2 ? "elements .x and .y" : "elements .x, .y, .z and .w");
            return NULL;
        }
        o->index += (uint32_t)(at - letters) % 4;
        hd_cursor_next(p);
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

    hd_cursor_next(p);
    if (hd_lex_is(o->name, "_")) {
        o->kind = HD_AST_SINK;
        return o;
    }
    o->index = hd_scope_find_register(p, o->name);
    if (o->index != HD_AST_NONE)
        return p->fn.regs[o->index].vec > 1 ? parse_vector(p, o) : o;
    if (o->name.s[0] == '%')
        return parse_special(p, o);
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

// Elements up to and including the closing bracket; the current token follows the opening one.
static bool parse_elements(struct hd_parse *p, struct hd_ast_operand *o, int close,
                           const char *what)
{
    struct hd_ast_operand **last = &o->child;

    while (p->tok.kind != close) {
        *last = hd_parse_operand(p);
        if (!*last)
            return false;
        last = &(*last)->next;
        if (!hd_cursor_accept(p, ','))
            break;
    }
    return hd_cursor_expect(p, close, what);
}

// [reg], [reg+4], [symbol+-4], [64], [tex, {coordinates}]
static bool parse_address(struct hd_parse *p, struct hd_ast_operand *o)
{
    if (p->tok.kind != HD_TOK_WORD) {
        if (!hd_parse_constant(p, &o->value))
            return false;
    } else {
        o->child = parse_word(p);
        if (!o->child)
            return false;
        if (o->child->kind == HD_AST_VAR) {
            o->value = o->child->value;
            o->child->value = 0;
        } else if ((p->tok.kind == '+' || p->tok.kind == '-') && !hd_parse_constant(p, &o->value)) {
            return false;
        }
    }
    if (hd_cursor_accept(p, ',')) {
        struct hd_ast_operand *more = hd_parse_operand(p);
        if (!more)
            return false;
        if (o->child)
            o->child->next = more;
    }
    return hd_cursor_expect(p, ']', "']'");
}

// Whether a floating-point number stands here, such as 1.5, 0f3F800000 or .5; a dot reads as the
// beginning of a modifier, which no operand is.
static bool at_float(struct hd_parse *p)
{
    if (p->tok.kind == HD_TOK_DOT && p->tok.text.n && p->tok.text.s[0] >= '0' &&
        p->tok.text.s[0] <= '9')
        hd_lex_float(&p->lex, &p->tok);
    return p->tok.kind == HD_TOK_F32 || p->tok.kind == HD_TOK_F64;
}

static struct hd_ast_operand *parse_float(struct hd_parse *p, struct hd_ast_operand *o, bool minus)
{
    bool wide = p->tok.kind == HD_TOK_F64;

    o->kind = wide ? HD_AST_F64 : HD_AST_F32;
    o->name = p->tok.text;
    o->value = (int64_t)(p->tok.bits ^ (minus ? UINT64_C(1) << (wide ? 63 : 31) : 0));
    hd_cursor_next(p);
    return o;
}

static struct hd_ast_operand *parse_number(struct hd_parse *p)
{
    struct hd_ast_operand *o = new_operand(p, HD_AST_INT);
    struct hd_parse ahead = *p;

    ahead.lex.diag = NULL;
    if (p->tok.kind == '-' || p->tok.kind == '+')
        hd_cursor_next(&ahead);
    if (at_float(&ahead)) {
        bool minus = p->tok.kind == '-', sign = minus || p->tok.kind == '+';
        if (sign)
            hd_cursor_next(p);
        at_float(p);
        return parse_float(p, o, minus);
    }
    return hd_parse_constant(p, &o->value) ? o : NULL;
}

static struct hd_ast_operand *parse_group(struct hd_parse *p)
{
    int open = p->tok.kind;
    struct hd_ast_operand *o = new_operand(p, open == '{'   ? HD_AST_VEC
                                              : open == '[' ? HD_AST_ADDR
                                                            : HD_AST_LIST);
    bool ok;

    if (++p->depth > HD_PARSE_MAX_DEPTH) {
        hd_cursor_error(p, o->place, "operand nested too deeply");
        p->depth--;
        return NULL;
    }
    hd_cursor_next(p);
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
    hd_cursor_next(p);
    if (p->tok.kind != HD_TOK_WORD) {
        hd_cursor_expected(p, "a register after '|'");
        return NULL;
    }
    pair->child = first;
    first->next = parse_word(p);
    return first->next ? pair : NULL;
}

// %r1.b3210: a part of a register that a video instruction reads or writes; the dot is the current
// token.
static bool take_part(struct hd_parse *p, struct hd_ast_operand *o)
{
    struct hd_slice s = p->tok.text;
    bool video = p->op.n > 3 && p->op.s[0] == 'v' && !hd_lex_is(p->op, "vote");

    if (!video || s.n < 2 || s.n > 5 || (s.s[0] != 'b' && s.s[0] != 'h')) {
        hd_cursor_error(p, hd_cursor_place(p), "'%.*s' is not a vector register",
                        HD_SLICE_ARG(o->name));
        return false;
    }
    o->part = s;
    hd_cursor_next(p);
    return true;
}

// A name, perhaps after ! or -.
static struct hd_ast_operand *parse_named(struct hd_parse *p)
{
    bool minus = p->tok.kind == '-', negated = p->tok.kind == '!';

    if (minus || negated)
        hd_cursor_next(p);
    if (minus && !hd_lex_is(p->op, "vmad")) {
        hd_cursor_expected(p, "a number");
        return NULL;
    }
    if (p->tok.kind != HD_TOK_WORD) {
        hd_cursor_expected(p, "an operand");
        return NULL;
    }
    struct hd_ast_operand *o = parse_word(p);
    if (!o)
        return NULL;
    o->negated = negated;
    o->minus = minus;
    if (p->tok.kind == HD_TOK_DOT && !p->tok.spaced && o->kind == HD_AST_REG && !take_part(p, o))
        return NULL;
    return p->tok.kind == '|' ? parse_pair(p, o) : o;
}

// Whether a constant stands here, rather than a name. A parenthesis opens a list only in a call.
static bool at_constant(const struct hd_parse *p)
{
    struct hd_token t = p->tok;

    if (t.kind == '-' || t.kind == '!')
        t = hd_cursor_peek(p);
    if (t.kind == HD_TOK_WORD)
        return hd_lex_is(t.text, "WARP_SZ");
    return t.kind != '{' && t.kind != '[' && (t.kind != '(' || !hd_lex_is(p->op, "call"));
}

struct hd_ast_operand *hd_parse_operand(struct hd_parse *p)
{
    if (p->tok.kind == '{' || p->tok.kind == '[' ||
        (p->tok.kind == '(' && hd_lex_is(p->op, "call"))) {
        struct hd_ast_operand *o = parse_group(p);
        return o && o->kind == HD_AST_VEC && p->tok.kind == '|' ? parse_pair(p, o) : o;
    }
    switch (p->tok.kind) {
    case HD_TOK_WORD:
    case HD_TOK_INT:
    case HD_TOK_F32:
    case HD_TOK_F64:
    case HD_TOK_DOT:
    case '-':
    case '+':
    case '~':
    case '!':
    case '(':
        return at_constant(p) ? parse_number(p) : parse_named(p);
    default:
        hd_cursor_expected(p, "an operand");
        return NULL;
    }
}
