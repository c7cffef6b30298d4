// link.c - one definition for every name that modules share. PTX ISA 9.0, chapter 11.6 "Linking
// directives".
//
// A .visible definition is the only one of its name. Of several .weak ones the first counts, unless
// there is a .visible one; of several .common variables the largest. Kernels are named from
// outside, so theirs are shared names whatever they say.
#include "ptx/link.h"

#include "ptx/names.h"

struct link {
    struct hd_ast *ast;
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

// The entry of a name; the definition at hand becomes its value if it is the first.
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

// What every variable and function stands for; definitions that lost are dropped.
static void settle(struct link *l)
{
    for (uint32_t i = 0; i < l->ast->n_vars; i++) {
        struct hd_ast_var *v = &l->ast->vars[i];
        const struct hd_name *n = v->link == HD_LINK_LOCAL || v->func != HD_AST_NONE
                                      ? NULL
                                      : hd_names_find(&l->names, 0, HD_NAME_VAR, v->name);
        bool same = n && l->ast->vars[n->value].space == v->space;
        l->vars[i] = same ? n->value : i;
        if (n && !same)
            hd_diag_add(l->diag, l->ast->texts[v->module].path, v->place.line, v->place.column,
                        "'%.*s' lies in another state space in %.80s, line %u",
                        HD_SLICE_ARG(v->name), l->ast->texts[l->ast->vars[n->value].module].path,
                        l->ast->vars[n->value].place.line);
        v->is_extern |= l->vars[i] != i;
    }
    for (uint32_t i = 0; i < l->ast->n_funcs; i++) {
        struct hd_ast_func *f = &l->ast->funcs[i];
        const struct hd_name *n = f->has_body && f->link == HD_LINK_LOCAL
                                      ? NULL
                                      : hd_names_find(&l->names, 0, HD_NAME_FUNC, f->name);
        l->funcs[i] = n ? n->value : i;
        if (l->funcs[i] != i) {
            f->has_body = false;
            f->n_insns = 0;
        }
    }
}

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
                     .diag = d,
                     .vars = HD_ARRAY(scratch, uint32_t, ast->n_vars),
                     .funcs = HD_ARRAY(scratch, uint32_t, ast->n_funcs)};

    hd_names_init(&l.names, scratch);
    enter_vars(&l);
    enter_funcs(&l);
    settle(&l);
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
