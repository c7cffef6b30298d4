// link.c - one definition for every name that modules share. PTX ISA 9.0, chapter 11.6 "Linking
// directives".
//
// A name may have only one .visible definition. The first of several .weak definitions counts,
// unless there is a .visible one, and the largest of several .common variables. The host launches
// kernels by name, so names of kernels are shared whatever their directive says.
#include "ptx/link.h"

#include "isa/op.h"
#include "ptx/names.h"

#include <stdarg.h>
#include <stdio.h>

struct link {
    struct hd_ast *ast;
    struct hd_arena *scratch;
    struct hd_diag *diag;
    struct hd_names names;  // value: index into vars or funcs
    uint32_t *vars, *funcs; // what an index stands for
};

static bool stronger(uint8_t a, uint32_t a_bytes, uint8_t b, uint32_t b_bytes)
{
    static const uint8_t rank[] = {
        [HD_LINK_LOCAL] = 3, [HD_LINK_VISIBLE] = 3, [HD_LINK_WEAK] = 2, [HD_LINK_COMMON] = 1};

    return rank[a] != rank[b] ? rank[a] > rank[b] : a == HD_LINK_COMMON && a_bytes > b_bytes;
}

static bool only_one(uint8_t link)
{
    return link == HD_LINK_VISIBLE || link == HD_LINK_LOCAL;
}

static void defined_twice(struct link *l, struct hd_slice name, uint32_t module,
                          struct hd_place_at at, uint32_t first_module, struct hd_place_at first)
{
    hd_diag_add(l->diag, l->ast->texts[module].path, at.line, at.column,
                "'%.*s' is defined twice, first in %.80s, line %u", HD_SLICE_ARG(name),
                l->ast->texts[first_module].path, first.line);
}

// The entry of a name. If it has none yet, `value` becomes its definition.
static struct hd_name *entry(struct link *l, struct hd_slice text, enum hd_name_kind kind,
                             uint32_t value)
{
    struct hd_name name = {.text = text, .kind = (uint8_t)kind, .value = value};
    const struct hd_name *old = hd_names_add(&l->names, &name);

    return &l->names.list[old ? old - l->names.list : l->names.n - 1];
}

static void enter_vars(struct link *l)
{
    for (uint32_t i = 0; i < l->ast->n_vars; i++) {
        const struct hd_ast_var *v = &l->ast->vars[i];
        if (v->link == HD_LINK_LOCAL || v->is_extern || v->func != HD_AST_NONE)
            continue;
        struct hd_name *n = entry(l, v->name, HD_NAME_VAR, i);
        const struct hd_ast_var *old = &l->ast->vars[n->value];
        if (old == v)
            continue;
        if (only_one(v->link) && only_one(old->link))
            defined_twice(l, v->name, v->module, v->place, old->module, old->place);
        else if (stronger(v->link, v->bytes, old->link, old->bytes))
            n->value = i;
    }
}

static void enter_funcs(struct link *l)
{
    for (uint32_t i = 0; i < l->ast->n_funcs; i++) {
        const struct hd_ast_func *f = &l->ast->funcs[i];
        if (!f->has_body || (f->link == HD_LINK_LOCAL && !f->is_kernel))
            continue;
        struct hd_name *n = entry(l, f->name, HD_NAME_FUNC, i);
        const struct hd_ast_func *old = &l->ast->funcs[n->value];
        if (old == f)
            continue;
        if (only_one(f->link) && only_one(old->link))
            defined_twice(l, f->name, f->module, f->place, old->module, old->place);
        else if (stronger(f->link, 0, old->link, 0))
            n->value = i;
    }
}

static const char *place_of(const struct link *l, uint32_t module, struct hd_place_at at)
{
    return hd_arena_printf(l->scratch, "%.80s, line %u", l->ast->texts[module].path, at.line);
}

__attribute__((format(printf, 5, 6))) static void differs(const struct link *l, uint32_t module,
                                                          struct hd_place_at at,
                                                          struct hd_slice name, const char *fmt,
                                                          ...)
{
    char text[HD_DIAG_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    hd_diag_add(l->diag, l->ast->texts[module].path, at.line, at.column, "'%.*s' %s",
                HD_SLICE_ARG(name), text);
}

// .b types fit every type; compilers declare structures as arrays of .b8.
static bool same_type(uint8_t a, uint8_t b)
{
    char x = hd_type_names[a][0], y = hd_type_names[b][0];

    if (a == HD_B8 || b == HD_B8)
        return true;
    return hd_type_bytes((enum hd_type)a) == hd_type_bytes((enum hd_type)b) &&
           (x == 'b' || y == 'b' || (x == 'f') == (y == 'f'));
}

// Compare a variable with the definition that counts.
static void compare_vars(const struct link *l, const struct hd_ast_var *v,
                         const struct hd_ast_var *to)
{
    const char *where = place_of(l, to->module, to->place);
    bool smaller = v->link == HD_LINK_COMMON && v->bytes < to->bytes;

    if (v->space != to->space)
        differs(l, v->module, v->place, v->name, "is in another state space in %s", where);
    else if (!v->open && v->bytes != to->bytes && !smaller)
        differs(l, v->module, v->place, v->name, "has %u byte%s here, %u in %s", v->bytes,
                v->bytes == 1 ? "" : "s", to->bytes, where);
    else if (v->opaque != to->opaque)
        differs(l, v->module, v->place, v->name, "is %s here, %s in %s",
                v->opaque ? "a texture or surface reference" : "a variable",
                to->opaque ? "a texture or surface reference" : "a variable", where);
    else if (!smaller && !same_type(v->type, to->type))
        differs(l, v->module, v->place, v->name, "has type '.%s' here, '.%s' in %s",
                hd_type_names[v->type], hd_type_names[to->type], where);
}

// Replace every variable by the definition that counts; other definitions are dropped.
static void settle_vars(struct link *l)
{
    for (uint32_t i = 0; i < l->ast->n_vars; i++) {
        struct hd_ast_var *v = &l->ast->vars[i];
        const struct hd_name *n = v->link == HD_LINK_LOCAL || v->func != HD_AST_NONE
                                      ? NULL
                                      : hd_names_find(&l->names, 0, HD_NAME_VAR, v->name);
        l->vars[i] = n ? n->value : i;
        if (l->vars[i] == i)
            continue;
        struct hd_ast_var *to = &l->ast->vars[n->value];
        compare_vars(l, v, to);
        if (v->align > to->align) // code that sees this declaration may rely on it
            to->align = v->align;
        v->is_extern = true;
    }
}

static void settle_funcs(struct link *l)
{
    for (uint32_t i = 0; i < l->ast->n_funcs; i++) {
        struct hd_ast_func *f = &l->ast->funcs[i];
        const struct hd_name *n = f->has_body && f->link == HD_LINK_LOCAL
                                      ? NULL
                                      : hd_names_find(&l->names, 0, HD_NAME_FUNC, f->name);
        l->funcs[i] = n ? n->value : i;
        if (l->funcs[i] == i)
            continue;
        const struct hd_ast_func *to = &l->ast->funcs[n->value];
        // clang declares a kernel of another text like a function; a call of it is refused where it
        // stands.
        bool address = to->is_kernel && !f->is_kernel && !f->has_body && !f->n_rets;
        const char *how =
            address ? NULL
                    : hd_link_differ(l->ast, l->scratch, f, to, place_of(l, to->module, to->place));
        if (how)
            differs(l, f->module, f->place, f->name, "%s", how);
        f->has_body = false;
        f->n_insns = 0;
    }
}

static const char *differ_in(const struct hd_ast *ast, struct hd_arena *scratch, uint32_t mine,
                             uint32_t n_mine, uint32_t other, uint32_t n_other, const char *what,
                             const char *where)
{
    if (n_mine != n_other)
        return hd_arena_printf(scratch, "has %u %s%s here, %u in %s", n_mine, what,
                               n_mine == 1 ? "" : "s", n_other, where);
    for (uint32_t i = 0; i < n_mine; i++) {
        const struct hd_ast_var *a = &ast->vars[mine + i], *b = &ast->vars[other + i];
        if (!a->open && !b->open && (a->bytes != b->bytes || a->in_reg != b->in_reg))
            return hd_arena_printf(scratch, "has a %s %u of %u bytes%s here, %u%s in %s", what,
                                   i + 1, a->bytes, a->in_reg ? " in a register" : "", b->bytes,
                                   b->in_reg ? " in a register" : "", where);
    }
    return NULL;
}

const char *hd_link_differ(const struct hd_ast *ast, struct hd_arena *scratch,
                           const struct hd_ast_func *f, const struct hd_ast_func *other,
                           const char *where)
{
    const char *how;

    if (f->is_kernel != other->is_kernel)
        return hd_arena_printf(scratch, "is a %s here, a %s in %s",
                               f->is_kernel ? "kernel" : "function",
                               other->is_kernel ? "kernel" : "function", where);
    how = differ_in(ast, scratch, f->first_ret, f->n_rets, other->first_ret, other->n_rets,
                    "result", where);
    return how ? how
               : differ_in(ast, scratch, f->first_param, f->n_params, other->first_param,
                           other->n_params, "parameter", where);
}

// --- names without a definition

struct candidate {
    struct hd_slice name;
    struct hd_place_at place;
    uint32_t module;
    bool local;
};

// Definition number i of the kind; false if there is none.
static bool definition(const struct hd_ast *ast, bool func, uint32_t i, struct candidate *c)
{
    if (func) {
        const struct hd_ast_func *f = &ast->funcs[i];
        *c = (struct candidate){f->name, f->place, f->module, f->link == HD_LINK_LOCAL};
        return f->has_body && !f->is_kernel;
    }
    const struct hd_ast_var *v = &ast->vars[i];
    *c = (struct candidate){v->name, v->place, v->module, v->link == HD_LINK_LOCAL};
    return !v->is_extern && v->func == HD_AST_NONE;
}

const char *hd_link_missing(const struct hd_ast *ast, struct hd_arena *scratch,
                            struct hd_slice name, bool func, const char **hint)
{
    uint32_t n = func ? ast->n_funcs : ast->n_vars, n_names = 0;
    const char **names = HD_ARRAY(scratch, const char *, (size_t)n + 1);
    const char *text = hd_arena_strndup(scratch, name.s, name.n);
    struct candidate c;

    *hint = NULL;
    for (uint32_t i = 0; i < n && !*hint && ast->n_texts > 1; i++) {
        if (!definition(ast, func, i, &c))
            continue;
        if (hd_lex_is(c.name, text))
            *hint = hd_arena_printf(scratch,
                                    "that of %.80s, line %u, is local to its module: declare it "
                                    ".visible there",
                                    ast->texts[c.module].path, c.place.line);
        else if (!c.local && c.name.n <= 64)
            names[n_names++] = hd_arena_strndup(scratch, c.name.s, c.name.n);
    }
    const char *near = *hint || name.n > 64 ? NULL : hd_diag_closest(text, names);
    if (near)
        *hint = hd_arena_printf(scratch, "did you mean '%s'?", near);
    return ast->n_texts == 1
               ? "is declared but not defined in this module"
               : hd_arena_printf(scratch, "is declared but not defined in any of the %u modules",
                                 ast->n_texts);
}

// --- replacing references

static void rename_operands(const struct link *l, struct hd_ast_operand *o)
{
    for (; o; o = o->next) { // nesting is bounded by the parser
        if (o->kind == HD_AST_VAR)
            o->index = l->vars[o->index];
        else if (o->kind == HD_AST_FUNC)
            o->index = l->funcs[o->index];
        if (o->child)
            rename_operands(l, o->child);
    }
}

void hd_link_names(struct hd_ast *ast, struct hd_arena *scratch, struct hd_diag *d)
{
    struct link l = {.ast = ast,
                     .scratch = scratch,
                     .diag = d,
                     .vars = HD_ARRAY(scratch, uint32_t, ast->n_vars),
                     .funcs = HD_ARRAY(scratch, uint32_t, ast->n_funcs)};

    hd_names_init(&l.names, scratch);
    enter_vars(&l);
    enter_funcs(&l);
    settle_vars(&l);
    settle_funcs(&l);
    for (uint32_t f = 0; f < ast->n_funcs; f++)
        for (uint32_t i = 0; i < ast->funcs[f].n_insns; i++)
            rename_operands(&l, ast->funcs[f].insns[i].operands);
    for (uint32_t v = 0; v < ast->n_vars; v++)
        for (uint32_t i = 0; i < ast->vars[v].n_addresses; i++) {
            struct hd_ast_address *a = &ast->vars[v].addresses[i];
            if (a->var != HD_AST_NONE)
                a->var = l.vars[a->var];
            else
                a->func = l.funcs[a->func];
        }
    for (uint32_t i = 0; i < ast->n_protos; i++)
        if (ast->protos[i].func != HD_AST_NONE)
            ast->protos[i].func = l.funcs[ast->protos[i].func];
}
