// declare.c - declarations in PTX: registers, variables with their initial bytes, parameters.
// PTX ISA 9.0, chapter 5 "State spaces, types, and variables".
//
// A vector register becomes one register per element, a vector variable an array. A register of
// type .b128 is a vector of two.
//
// A texture or surface reference (.texref, .surfref) is a variable of 8 bytes that holds the handle
// of the object which the host binds to it.
//
// Not supported and refused: .samplerref, references with initial values, types wider than 64 bits,
// .attribute other than .managed.
#include "ptx/parse.h"

#include "base/bug.h"

#include <string.h>

#define MAX_DIMS 8
#define MAX_BYTES (UINT32_C(1) << 30) // of one variable
#define MAX_INIT_BYTES (UINT32_C(64) << 20)
#define MAX_INIT_TOTAL (UINT64_C(256) << 20) // the addresses of variables span less

struct hd_declared { // one declaration before its names
    struct hd_ast_var var;
    uint32_t dims[MAX_DIMS];
    unsigned n_dims;
};

// Types of operands that no variable can have; programs keep such values in .b16 and .b32.
static bool is_format(unsigned t)
{
    return t == HD_BF16 || t == HD_BF16X2 || t == HD_TF32 || t == HD_E4M3X2 || t == HD_E5M2X2 ||
           t == HD_F32X2;
}

static bool find_type(struct hd_slice s, enum hd_type *type)
{
    for (unsigned i = 0; i < HD_N_TYPES; i++)
        if (!is_format(i) && hd_lex_is(s, hd_type_names[i])) {
            *type = (enum hd_type)i;
            return true;
        }
    return false;
}

static bool parse_type(struct hd_parse *p, enum hd_type *type)
{
    if (p->tok.kind == HD_TOK_DOT && find_type(p->tok.text, type)) {
        hd_cursor_next(p);
        return true;
    }
    if (p->tok.kind != HD_TOK_DOT) {
        hd_cursor_expected(p, "a type such as .u32");
        return false;
    }
    struct hd_diag_entry *e = hd_cursor_error(
        p, hd_cursor_place(p), "type '.%.*s' is not supported", HD_SLICE_ARG(p->tok.text));
    hd_diag_nearest(e, hd_arena_strndup(p->arena, p->tok.text.s, p->tok.text.n), hd_type_names);
    return false;
}

// NAME or NAME<N>
static bool declare_reg(struct hd_parse *p, enum hd_type type, unsigned vec)
{
    struct hd_place_at at = hd_cursor_place(p);
    struct hd_name name = {
        .text = p->tok.text, .kind = HD_NAME_REG, .type = (uint8_t)type, .vec = (uint8_t)vec};

    if (!hd_cursor_expect(p, HD_TOK_WORD, "a register name"))
        return false;
    if (!hd_cursor_accept(p, '<')) {
        name.value = p->fn.n_regs;
        if (!hd_scope_declare(p, &name, at))
            return false;
        hd_scope_new_register(p, name.text, type, vec, p->fn.n_declared);
        p->fn.n_declared += vec ? vec : 1;
        return true;
    }
    name.kind = HD_NAME_RANGE;
    if (p->tok.kind == HD_TOK_INT && p->tok.bits > 99999999) {
        hd_cursor_error(p, hd_cursor_place(p), "more than 99999999 registers");
        return false;
    }
    name.value = (uint32_t)p->tok.bits;
    name.first = p->fn.n_declared;
    p->fn.n_declared += (uint64_t)name.value * (vec ? vec : 1);
    return hd_cursor_expect(p, HD_TOK_INT, "the number of registers") &&
           hd_cursor_expect(p, '>', "'>'") && hd_scope_declare(p, &name, at);
}

// .v2, .v4, or nothing (0).
static unsigned parse_vec(struct hd_parse *p)
{
    unsigned vec = hd_cursor_at_dot(p, "v2") ? 2 : hd_cursor_at_dot(p, "v4") ? 4 : 0;

    if (vec)
        hd_cursor_next(p);
    return vec;
}

bool hd_declare_regs(struct hd_parse *p)
{
    struct hd_place_at at;
    enum hd_type type;
    unsigned vec;

    hd_cursor_next(p);
    vec = parse_vec(p);
    at = hd_cursor_place(p);
    if (!vec && hd_cursor_at_dot(p, "b128")) { // a vector of two registers
        hd_cursor_next(p);
        vec = 2;
        type = HD_B64;
    } else if (!parse_type(p, &type)) {
        return false;
    }
    if (vec && type == HD_PRED) {
        hd_cursor_error(p, at, "there are no vectors of predicates");
        return false;
    }
    do {
        if (!declare_reg(p, type, vec))
            return false;
    } while (hd_cursor_accept(p, ','));
    return hd_cursor_expect(p, ';', "',' or ';'");
}

// --- variables

// .texref, .surfref
static bool reference(struct hd_parse *p, struct hd_ast_var *v)
{
    if (v->space != HD_SPACE_GLOBAL || v->func != HD_AST_NONE || v->vec) {
        hd_cursor_error(p, hd_cursor_place(p), "'.%.*s' is for .global variables of the module",
                        HD_SLICE_ARG(p->tok.text));
        return false;
    }
    hd_cursor_next(p);
    v->type = HD_B64;
    v->align = 8;
    v->opaque = true;
    return true;
}

// .attribute(.managed), or .attribute(.unified(1, 2)), which has no effect
static bool parse_attribute(struct hd_parse *p, struct hd_ast_var *v)
{
    hd_cursor_next(p);
    if (!hd_cursor_expect(p, '(', "'('"))
        return false;
    bool unified = hd_cursor_at_dot(p, "unified");
    if (!unified && !hd_cursor_at_dot(p, "managed")) {
        hd_cursor_expected(p, ".managed");
        return false;
    }
    v->managed |= !unified;
    hd_cursor_next(p);
    if (unified &&
        !(hd_cursor_expect(p, '(', "'('") && hd_cursor_expect(p, HD_TOK_INT, "a number") &&
          hd_cursor_expect(p, ',', "','") && hd_cursor_expect(p, HD_TOK_INT, "a number") &&
          hd_cursor_expect(p, ')', "')'")))
        return false;
    return hd_cursor_expect(p, ')', "')'");
}

// What comes before the name: .align, .ptr with its space, .attribute(.managed), and the type last.
static bool parse_var_prefix(struct hd_parse *p, struct hd_ast_var *v)
{
    enum hd_type type;
    bool pointer = false;

    for (;;) {
        if (hd_cursor_at_dot(p, "align")) {
            hd_cursor_next(p);
            uint64_t align = p->tok.bits;
            if (p->tok.kind == HD_TOK_INT &&
                (align == 0 || align > 4096 || (align & (align - 1)))) {
                hd_cursor_error(p, hd_cursor_place(p), "an alignment is a power of two up to 4096");
                return false;
            }
            if (!hd_cursor_expect(p, HD_TOK_INT, "an alignment"))
                return false;
            if (!pointer) // after .ptr it is the alignment of the target
                v->align = (uint32_t)align;
        } else if (hd_cursor_at_dot(p, "ptr")) {
            pointer = true;
            hd_cursor_next(p);
        } else if (pointer && (hd_cursor_at_dot(p, "global") || hd_cursor_at_dot(p, "const") ||
                               hd_cursor_at_dot(p, "shared") || hd_cursor_at_dot(p, "local"))) {
            hd_cursor_next(p);
        } else if (hd_cursor_at_dot(p, "attribute")) {
            if (!parse_attribute(p, v))
                return false;
        } else if (v->type != HD_TYPE_NONE && p->tok.kind != HD_TOK_DOT) {
            break;
        } else if (hd_cursor_at_dot(p, "v2") || hd_cursor_at_dot(p, "v4")) {
            v->vec = (uint8_t)parse_vec(p);
        } else if (hd_cursor_at_dot(p, "texref") || hd_cursor_at_dot(p, "surfref")) {
            if (!reference(p, v))
                return false;
        } else {
            struct hd_place_at at = hd_cursor_place(p);
            if (!parse_type(p, &type))
                return false;
            if (type == HD_PRED) {
                hd_cursor_error(p, at, "a variable cannot have type '.pred'");
                return false;
            }
            v->type = (uint8_t)type;
        }
    }
    if (!v->align)
        v->align = hd_type_bytes((enum hd_type)v->type) * (v->vec ? v->vec : 1u);
    return true;
}

// [N][M]..., or [] for an unknown first dimension.
static bool parse_dims(struct hd_parse *p, struct hd_declared *d)
{
    uint64_t bytes = hd_type_bytes((enum hd_type)d->var.type);
    struct hd_place_at at = hd_cursor_place(p);
    int64_t n;

    for (d->n_dims = 0; hd_cursor_accept(p, '[');) {
        if (d->n_dims == MAX_DIMS - 1) {
            hd_cursor_error(p, at, "more than %d dimensions", MAX_DIMS - 1);
            return false;
        }
        if (p->tok.kind == ']' && d->n_dims == 0) {
            d->var.open = true;
            n = 0;
        } else if (!hd_parse_constant(p, &n)) {
            return false;
        }
        if (!hd_cursor_expect(p, ']', "']'"))
            return false;
        if (n < 0 || n > (int64_t)MAX_BYTES ||
            (bytes *= n == 0 && d->var.open && d->n_dims == 0 ? 1 : (uint64_t)n) > MAX_BYTES) {
            hd_cursor_error(p, at, "variable larger than 1 GiB");
            return false;
        }
        d->dims[d->n_dims++] = (uint32_t)n;
    }
    if (d->var.vec && d->n_dims < MAX_DIMS) { // a vector's elements are one more dimension
        if ((bytes *= d->var.vec) > MAX_BYTES) {
            hd_cursor_error(p, at, "variable larger than 1 GiB");
            return false;
        }
        d->dims[d->n_dims++] = d->var.vec;
    }
    d->var.bytes = d->var.open ? 0 : (uint32_t)bytes;
    return true;
}

// --- initialisers

struct hd_init { // being filled
    struct hd_declared *d;
    uint8_t *bytes;
    uint32_t n_addresses;
    size_t address_cap;
};

static uint64_t convert_float(const struct hd_token *t, enum hd_type type)
{
    float f;
    double d;
    uint32_t bits32 = (uint32_t)t->bits;
    uint64_t bits64 = t->bits;

    if (t->kind == HD_TOK_F32 && type == HD_F64) {
        memcpy(&f, &bits32, sizeof f);
        d = (double)f;
        memcpy(&bits64, &d, sizeof d);
    } else if (t->kind == HD_TOK_F64 && (type == HD_F32 || type == HD_B32)) {
        memcpy(&d, &bits64, sizeof d);
        f = (float)d;
        memcpy(&bits32, &f, sizeof f);
        bits64 = bits32;
    }
    return bits64;
}

// generic(NAME) or NAME, [+ constant]
static bool init_address(struct hd_parse *p, struct hd_init *in, uint32_t at, uint32_t bytes,
                         uint32_t shift)
{
    struct hd_ast_address a = {
        .at = at, .bytes = bytes, .shift = shift, .place = hd_cursor_place(p)};
    struct hd_slice name = p->tok.text;

    hd_cursor_next(p);
    if (hd_lex_is(name, "generic") && hd_cursor_accept(p, '(')) {
        a.generic = true;
        name = p->tok.text;
        a.place = hd_cursor_place(p);
        if (!hd_cursor_expect(p, HD_TOK_WORD, "a variable's name") ||
            !hd_cursor_expect(p, ')', "')'"))
            return false;
    }
    if ((p->tok.kind == '+' || p->tok.kind == '-') && !hd_parse_constant(p, &a.addend))
        return false;
    const struct hd_name *n = hd_names_find(&p->names, 0, HD_NAME_VAR, name);
    const struct hd_name *f = n ? NULL : hd_names_find(&p->names, 0, HD_NAME_FUNC, name);
    if (!n && !f) {
        struct hd_diag_entry *e = hd_cursor_error(
            p, a.place, "'%.*s' is neither a variable nor a function of this module",
            HD_SLICE_ARG(name));
        const char *near =
            hd_names_nearest(&p->names, 0, 1u << HD_NAME_VAR | 1u << HD_NAME_FUNC, name);
        if (near)
            hd_diag_hint(e, "did you mean '%s'?", near);
        return false;
    }
    if (bytes == 8 && hd_type_bytes((enum hd_type)in->d->var.type) != 8) {
        hd_cursor_error(p, a.place, "an address needs an element of 64 bits");
        return false;
    }
    a.var = n ? n->value : HD_AST_NONE;
    a.func = f ? f->value : HD_AST_NONE;
    struct hd_ast_var *v = &in->d->var;
    *HD_PUSH(p->arena, v->addresses, v->n_addresses, in->address_cap) = a;
    return true;
}

// 0xFF00(NAME + 8): one byte of an address; the current token is the one after the mask.
static bool init_address_byte(struct hd_parse *p, struct hd_init *in, uint32_t at, uint64_t mask)
{
    struct hd_place_at place = hd_cursor_place(p);
    unsigned shift = mask ? (unsigned)__builtin_ctzll(mask) / 8 * 8 : 0;

    if (mask >> shift != 0xff || hd_type_bytes((enum hd_type)in->d->var.type) != 1) {
        hd_cursor_error(p, place, "a part of an address is one byte of it, in an array of bytes");
        return false;
    }
    hd_cursor_next(p); // (
    if (p->tok.kind != HD_TOK_WORD) {
        hd_cursor_expected(p, "a variable's name");
        return false;
    }
    return init_address(p, in, at, 1, shift) && hd_cursor_expect(p, ')', "')'");
}

static bool init_scalar(struct hd_parse *p, struct hd_init *in, uint32_t at)
{
    enum hd_type type = (enum hd_type)in->d->var.type;
    unsigned size = hd_type_bytes(type);
    uint64_t bits;
    int64_t value;

    HD_BUG_IF(!size, "an initial value of a type without a size");
    if (p->tok.kind == HD_TOK_WORD)
        return init_address(p, in, at, 8, 0);
    bool minus = p->tok.kind == '-' &&
                 (hd_cursor_peek(p).kind == HD_TOK_F64 || hd_cursor_peek(p).kind == HD_TOK_F32);
    if (minus)
        hd_cursor_next(p);
    if (p->tok.kind == HD_TOK_F32 || p->tok.kind == HD_TOK_F64) {
        bits = convert_float(&p->tok, type);
        if (minus)
            bits ^= UINT64_C(1) << (size * 8 - 1);
        hd_cursor_next(p);
    } else {
        if (!hd_parse_constant(p, &value))
            return false;
        bits = (uint64_t)value;
        if (p->tok.kind == '(')
            return init_address_byte(p, in, at, bits);
    }
    memcpy(in->bytes + at, &bits, size); // little endian
    return true;
}

// The values of dimension `level`; `at` is the offset of its first element, `room` the size in
// bytes.
static bool init_list(struct hd_parse *p, struct hd_init *in, unsigned level, uint32_t at,
                      uint32_t room)
{
    unsigned size = hd_type_bytes((enum hd_type)in->d->var.type);
    uint32_t step = level < in->d->n_dims && in->d->dims[level] ? room / in->d->dims[level] : size;
    uint32_t used = 0;

    HD_BUG_IF(!size, "initial values of a type without a size");
    if (step < size)
        step = size;
    hd_cursor_next(p); // {
    while (p->tok.kind != '}') {
        bool nested = p->tok.kind == '{';
        uint32_t width = nested ? step : size;
        if (nested && (level + 1 >= in->d->n_dims || used % step)) {
            hd_cursor_error(p, hd_cursor_place(p),
                            "'{' deeper than the dimensions of the variable");
            return false;
        }
        if (room - used < width) {
            hd_cursor_error(p, hd_cursor_place(p), "more initial values than the variable holds");
            return false;
        }
        if (!(nested ? init_list(p, in, level + 1, at + used, step)
                     : init_scalar(p, in, at + used)))
            return false;
        used += width;
        if (!hd_cursor_accept(p, ','))
            break;
    }
    return hd_cursor_expect(p, '}', "',' or '}'");
}

// The number of values in the braces at the current token, for `x[] = {...}`.
static uint32_t count_values(const struct hd_parse *p)
{
    struct hd_lex ahead = p->lex;
    struct hd_token t;
    uint32_t n = 0;
    bool value = false;

    ahead.diag = NULL;
    for (unsigned open = 1; open;) {
        hd_lex_next(&ahead, &t);
        open += t.kind == '{' || t.kind == '(';
        open -= t.kind == '}' || t.kind == ')';
        if (t.kind == HD_TOK_END || t.kind == HD_TOK_BAD)
            break;
        if (t.kind == ',') {
            value = false;
        } else if (t.kind != '{' && t.kind != '}' && !value) {
            value = true;
            n++;
        }
    }
    return n;
}

static bool parse_init(struct hd_parse *p, struct hd_declared *d)
{
    unsigned size = hd_type_bytes((enum hd_type)d->var.type);
    struct hd_init in = {.d = d};

    if (d->var.space != HD_SPACE_GLOBAL && d->var.space != HD_SPACE_CONST) {
        hd_cursor_error(p, hd_cursor_place(p),
                        "only .global and .const variables have initial values");
        return false;
    }
    if (d->var.open && p->tok.kind == '{') {
        uint64_t inner = size;
        for (unsigned i = 1; i < d->n_dims; i++)
            inner *= d->dims[i];
        uint64_t bytes = (uint64_t)count_values(p) * size;
        bytes = inner ? (bytes + inner - 1) / inner * inner : 0;
        d->var.open = false;
        d->var.bytes = bytes > MAX_INIT_BYTES ? MAX_INIT_BYTES + 1 : (uint32_t)bytes;
        d->dims[0] = inner ? d->var.bytes / (uint32_t)inner : 0;
    }
    if (d->var.bytes > MAX_INIT_BYTES) {
        hd_cursor_error(p, hd_cursor_place(p), "initialised variable larger than 64 MiB");
        return false;
    }
    p->init_bytes += d->var.bytes;
    if (p->init_bytes > MAX_INIT_TOTAL) {
        hd_cursor_error(p, hd_cursor_place(p),
                        "initialised variables of more than 256 MiB in all, which is more than "
                        "there are addresses for them");
        return false;
    }
    in.bytes = HD_ARRAY(p->arena, uint8_t, (size_t)d->var.bytes + 8);
    d->var.init = in.bytes;
    if (p->tok.kind == '{')
        return init_list(p, &in, 0, 0, d->var.bytes);
    if (d->n_dims) {
        hd_cursor_expected(p, "'{' before the values of an array");
        return false;
    }
    return init_scalar(p, &in, 0);
}

// --- one variable

// Enter the name, so that the initial values may mention it. *index is its place. Returns false if
// the name is refused.
static bool enter_var(struct hd_parse *p, const struct hd_ast_var *v, uint32_t *index)
{
    struct hd_name name = {.text = v->name, .kind = HD_NAME_VAR, .value = p->ast->n_vars};
    const struct hd_name *old = hd_names_find(&p->names, p->scope, HD_NAME_VAR, v->name);

    *index = p->ast->n_vars;
    if (old && old->scope == p->scope) { // an extern declaration and its definition
        struct hd_ast_var *first = &p->ast->vars[old->value];
        if (first->space == v->space && (first->is_extern || v->is_extern)) {
            if (first->is_extern)
                *first = *v;
            *index = old->value;
            return true;
        }
    }
    if (!hd_scope_declare(p, &name, v->place))
        return false;
    *HD_PUSH(p->arena, p->ast->vars, p->ast->n_vars, p->var_cap) = *v;
    return true;
}

static bool parse_var_name(struct hd_parse *p, struct hd_declared *d)
{
    d->var.name = p->tok.text;
    d->var.place = hd_cursor_place(p);
    return hd_cursor_expect(p, HD_TOK_WORD, "a name") && parse_dims(p, d);
}

// NAME<N> declares NAME0 to NAME(N-1), as for registers.
static bool enter_range(struct hd_parse *p, const struct hd_declared *d)
{
    uint64_t n = p->tok.bits;
    uint32_t index;

    if (p->tok.kind == HD_TOK_INT && n > 4096) {
        hd_cursor_error(p, hd_cursor_place(p), "more than 4096 variables");
        return false;
    }
    if (!hd_cursor_expect(p, HD_TOK_INT, "a number") || !hd_cursor_expect(p, '>', "'>'"))
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct hd_ast_var v = d->var;
        v.name.s =
            hd_arena_printf(p->arena, "%.*s%u", (int)d->var.name.n, d->var.name.s, (unsigned)i);
        v.name.n = (uint32_t)strlen(v.name.s);
        if (!enter_var(p, &v, &index))
            return false;
    }
    return true;
}

bool hd_declare_vars(struct hd_parse *p, bool is_extern)
{
    struct hd_declared d = {
        .var = {.is_extern = is_extern, .func = p->func, .module = p->module, .link = p->link}};
    uint32_t index;

    d.var.type = HD_TYPE_NONE;
    for (unsigned s = 0; s < HD_N_SPACES; s++)
        if (hd_space_names[s] && hd_lex_is(p->tok.text, hd_space_names[s]))
            d.var.space = (uint8_t)s;
    HD_BUG_IF(d.var.space == HD_SPACE_NONE, "declaration in no state space");
    d.var.in_body = d.var.space == HD_SPACE_PARAM;
    hd_cursor_next(p);
    if (p->tok.kind == '[') { // .const[2]: only old programs have banks
        hd_cursor_error(p, hd_cursor_place(p), "numbered constant banks are not supported");
        return false;
    }
    if (!parse_var_prefix(p, &d.var))
        return false;
    do {
        d.var.open = false;
        d.var.init = NULL;
        d.var.addresses = NULL;
        d.var.n_addresses = 0;
        if (!parse_var_name(p, &d))
            return false;
        if (d.var.opaque && (d.n_dims || p->tok.kind == '=')) {
            hd_cursor_error(p, d.var.place, "'%.*s': %s of references are not supported",
                            HD_SLICE_ARG(d.var.name), d.n_dims ? "arrays" : "initial values");
            return false;
        }
        if (hd_cursor_accept(p, '<')) {
            if (!enter_range(p, &d))
                return false;
            continue;
        }
        if (!enter_var(p, &d.var, &index))
            return false;
        if (hd_cursor_accept(p, '=')) {
            if (!parse_init(p, &d))
                return false;
            p->ast->vars[index] = d.var;
        }
        if (d.var.open && !is_extern) {
            hd_cursor_error(p, d.var.place, "'%.*s' needs a length: only an .extern array has none",
                            HD_SLICE_ARG(d.var.name));
            return false;
        }
    } while (hd_cursor_accept(p, ','));
    return hd_cursor_expect(p, ';', "',' or ';'");
}

// A parameter. `_` means that it has no name; a parameter in a register is that register.
static bool enter_param(struct hd_parse *p, struct hd_declared *d, uint32_t *index)
{
    struct hd_name name = {.text = d->var.name, .kind = HD_NAME_REG, .type = d->var.type};
    bool nameless = hd_lex_is(d->var.name, "_");

    if (!d->var.in_reg && !nameless)
        return enter_var(p, &d->var, index);
    if (d->var.in_reg) {
        if (d->n_dims) {
            hd_cursor_error(p, d->var.place, "a register parameter is no array");
            return false;
        }
        d->var.symbol = name.value = p->fn.n_regs;
        if (!nameless && !hd_scope_declare(p, &name, d->var.place))
            return false;
        hd_scope_new_register(p, name.text, (enum hd_type)d->var.type, 0, p->fn.n_declared++);
    }
    *index = p->ast->n_vars;
    *HD_PUSH(p->arena, p->ast->vars, p->ast->n_vars, p->var_cap) = d->var;
    return true;
}

bool hd_declare_params(struct hd_parse *p, uint32_t *first, uint32_t *n)
{
    uint32_t index;

    *first = p->ast->n_vars;
    hd_cursor_next(p); // (
    while (p->tok.kind != ')') {
        struct hd_declared d = {
            .var = {.space = HD_SPACE_PARAM, .func = p->func, .module = p->module}};

        d.var.type = HD_TYPE_NONE;
        d.var.in_reg = hd_cursor_at_dot(p, "reg") && !p->fn.is_kernel;
        if (!d.var.in_reg && !hd_cursor_at_dot(p, "param")) {
            hd_cursor_expected(p, "'.param'");
            return false;
        }
        hd_cursor_next(p);
        if (!parse_var_prefix(p, &d.var) || !parse_var_name(p, &d))
            return false;
        if (!enter_param(p, &d, &index))
            return false;
        if (!hd_cursor_accept(p, ','))
            break;
    }
    *n = p->ast->n_vars - *first;
    return hd_cursor_expect(p, ')', "',' or ')'");
}
