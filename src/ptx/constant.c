// constant.c - constant expressions of integers. PTX ISA 9.0, 4.5 "Constants", 4.6 in particular.
//
// Values have 64 bits and are signed or unsigned. A number is signed unless it ends in U or is
// larger than a signed one can be. Unary operators keep the type, except that ~ gives an unsigned
// result and ! a signed one. Binary operators are unsigned if an operand is; comparisons, && and ||
// give signed results; a shift has the type of its left operand, and its distance is taken modulo
// 64; % is always unsigned; ?: gives the chosen operand as it is. Where the manual leaves open what
// happens, this is what ptxas of CUDA 13 does.
#include "ptx/parse.h"

struct value {
    uint64_t bits;
    bool is_unsigned;
};

enum operation {
    OP_NONE,
    OP_LOR,
    OP_LAND,
    OP_OR,
    OP_XOR,
    OP_AND,
    OP_EQ,
    OP_NE,
    OP_LE,
    OP_GE,
    OP_SHL,
    OP_SHR,
    OP_LT,
    OP_GT,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM
};

// Operators of two characters stand before those that are their beginning.
static const struct {
    char first, second; // second: 0 if there is none
    uint8_t op, level;  // higher binds stronger
} operators[] = {
    {'|', '|', OP_LOR, 1}, {'&', '&', OP_LAND, 2}, {'|', 0, OP_OR, 3},    {'^', 0, OP_XOR, 4},
    {'&', 0, OP_AND, 5},   {'=', '=', OP_EQ, 6},   {'!', '=', OP_NE, 6},  {'<', '=', OP_LE, 7},
    {'>', '=', OP_GE, 7},  {'<', '<', OP_SHL, 8},  {'>', '>', OP_SHR, 8}, {'<', 0, OP_LT, 7},
    {'>', 0, OP_GT, 7},    {'+', 0, OP_ADD, 9},    {'-', 0, OP_SUB, 9},   {'*', 0, OP_MUL, 10},
    {'/', 0, OP_DIV, 10},  {'%', 0, OP_REM, 10},
};

static bool parse_choice(struct hd_parse *p, struct value *v);

static bool too_deep(struct hd_parse *p)
{
    if (p->depth < HD_PARSE_MAX_DEPTH)
        return false;
    hd_cursor_error(p, hd_cursor_place(p), "expression nested too deeply");
    return true;
}

// The number of tokens of the cast (.s64) or (.u64) at the current token: 3, or 0.
static bool at_cast(const struct hd_parse *p, bool *is_unsigned)
{
    struct hd_token next = p->tok.kind == '(' ? hd_cursor_peek(p) : p->tok;

    *is_unsigned = hd_lex_is(next.text, "u64");
    return p->tok.kind == '(' && next.kind == HD_TOK_DOT &&
           (*is_unsigned || hd_lex_is(next.text, "s64"));
}

static bool parse_unary(struct hd_parse *p, struct value *v);

static bool parse_cast(struct hd_parse *p, struct value *v, bool is_unsigned)
{
    hd_cursor_next(p); // (
    hd_cursor_next(p); // .s64
    if (!hd_cursor_expect(p, ')', "')'") || !parse_unary(p, v))
        return false;
    v->is_unsigned = is_unsigned;
    return true;
}

// A number, or what stands in parentheses; the current token is one of these.
static bool parse_primary(struct hd_parse *p, struct value *v)
{
    if (hd_cursor_accept(p, '('))
        return parse_choice(p, v) && hd_cursor_expect(p, ')', "')'");
    if (p->tok.kind == HD_TOK_INT) {
        bool marked = p->tok.text.s[p->tok.text.n - 1] == 'U';
        *v = (struct value){p->tok.bits, marked || p->tok.bits > INT64_MAX};
    } else if (p->tok.kind == HD_TOK_WORD && hd_lex_is(p->tok.text, "WARP_SZ")) {
        *v = (struct value){HD_LANES, false};
    } else {
        hd_cursor_expected(p, "a number");
        return false;
    }
    hd_cursor_next(p);
    return true;
}

static bool parse_unary(struct hd_parse *p, struct value *v)
{
    int sign = p->tok.kind;
    bool is_unsigned, ok;

    if (too_deep(p))
        return false;
    p->depth++;
    if (at_cast(p, &is_unsigned)) {
        ok = parse_cast(p, v, is_unsigned);
    } else if (sign != '-' && sign != '+' && sign != '~' && sign != '!') {
        ok = parse_primary(p, v);
    } else {
        hd_cursor_next(p);
        ok = parse_unary(p, v);
    }
    p->depth--;
    if (!ok)
        return false;
    if (sign == '-')
        v->bits = 0 - v->bits;
    else if (sign == '~')
        *v = (struct value){~v->bits, true};
    else if (sign == '!')
        *v = (struct value){!v->bits, false};
    return true;
}

// The operator at the current token, OP_NONE if there is none.
static enum operation operator_at(const struct hd_parse *p, unsigned *level, bool *two)
{
    struct hd_token next;

    if (p->tok.kind >= HD_TOK_END)
        return OP_NONE;
    next = hd_cursor_peek(p);
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        *two = operators[i].second != 0;
        *level = operators[i].level;
        if (p->tok.kind == operators[i].first &&
            (!*two || (next.kind == operators[i].second && !next.spaced)))
            return (enum operation)operators[i].op;
    }
    return OP_NONE;
}

static uint64_t shift_right(struct value a, unsigned by)
{
    uint64_t sign = !a.is_unsigned && a.bits >> 63 && by ? ~(UINT64_MAX >> by) : 0;

    return a.bits >> by | sign;
}

static bool less(uint64_t a, uint64_t b, bool is_unsigned)
{
    return is_unsigned ? a < b : (int64_t)a < (int64_t)b;
}

static uint64_t quotient(uint64_t a, uint64_t b, bool is_unsigned)
{
    return is_unsigned ? a / b : (uint64_t)((int64_t)a / (int64_t)b);
}

// Whether a division by b has a result.
static bool divides(uint64_t a, uint64_t b, enum operation op, bool is_unsigned)
{
    bool overflows = op == OP_DIV && !is_unsigned && a == (uint64_t)INT64_MIN && b == UINT64_MAX;

    return b != 0 && !overflows;
}

static struct value apply(enum operation op, struct value x, struct value y)
{
    uint64_t a = x.bits, b = y.bits;
    bool u = x.is_unsigned || y.is_unsigned;

    switch (op) {
    case OP_LOR:
        return (struct value){a || b, false};
    case OP_LAND:
        return (struct value){a && b, false};
    case OP_OR:
        return (struct value){a | b, u};
    case OP_XOR:
        return (struct value){a ^ b, u};
    case OP_AND:
        return (struct value){a & b, u};
    case OP_EQ:
        return (struct value){a == b, false};
    case OP_NE:
        return (struct value){a != b, false};
    case OP_LE:
        return (struct value){!less(b, a, u), false};
    case OP_GE:
        return (struct value){!less(a, b, u), false};
    case OP_SHL:
        return (struct value){a << (b & 63), x.is_unsigned};
    case OP_SHR:
        return (struct value){shift_right(x, b & 63), x.is_unsigned};
    case OP_LT:
        return (struct value){less(a, b, u), false};
    case OP_GT:
        return (struct value){less(b, a, u), false};
    case OP_ADD:
        return (struct value){a + b, u};
    case OP_SUB:
        return (struct value){a - b, u};
    case OP_MUL:
        return (struct value){a * b, u};
    case OP_DIV:
        return (struct value){quotient(a, b, u), u};
    default:
        return (struct value){a % b, u};
    }
}

// Operands joined by operators that bind stronger than `level`.
static bool parse_binary(struct hd_parse *p, unsigned level, struct value *v)
{
    unsigned here;
    enum operation op;
    bool two;

    if (!parse_unary(p, v))
        return false;
    while ((op = operator_at(p, &here, &two)) != OP_NONE && here > level) {
        struct hd_place_at at = hd_cursor_place(p);
        struct value right;
        hd_cursor_next(p);
        if (two)
            hd_cursor_next(p);
        if (!parse_binary(p, here, &right))
            return false;
        if ((op == OP_DIV || op == OP_REM) &&
            !divides(v->bits, right.bits, op, v->is_unsigned || right.is_unsigned)) {
            hd_cursor_error(p, at, "division by zero or overflow in a constant");
            return false;
        }
        *v = apply(op, *v, right);
    }
    return true;
}

// a, or a ? b : c
static bool parse_choice(struct hd_parse *p, struct value *v)
{
    struct value yes, no;
    bool ok;

    if (!parse_binary(p, 0, v))
        return false;
    if (p->tok.kind != '?')
        return true;
    if (too_deep(p))
        return false;
    p->depth++;
    hd_cursor_next(p);
    ok = parse_choice(p, &yes) && hd_cursor_expect(p, ':', "':'") && parse_choice(p, &no);
    p->depth--;
    if (ok)
        *v = v->bits ? yes : no;
    return ok;
}

bool hd_parse_constant(struct hd_parse *p, int64_t *value)
{
    struct value v;

    if (!parse_choice(p, &v))
        return false;
    *value = (int64_t)v.bits;
    return true;
}
