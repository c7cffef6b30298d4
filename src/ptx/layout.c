// layout.c - addresses of variables.
//
//   .param   of a kernel: in order from 0, each aligned as declared or to its element
//   .shared  a kernel's own variables and those of the module that it mentions, in the order of
//            their declarations from 0. All extern (dynamic) variables start after them, at the
//            next multiple of 16, or of their alignment if that is larger. Variables that
//            functions mention come first, at the same place in all kernels that may call
//            those functions. Before all of them is the memory that is reserved for the system
//            (isa/op.h), in kernels that ask for it
//   .local   from the start of the frame: a function's results and arguments, then the variables of
//            the body, .param ones for its own calls included
//   .const, .global
//            all of the module in the order of their declarations, from 0x100, as in the
//            reference: each at a multiple of its size if that is a power of two below 128,
//            otherwise of 128. A .const variable's address is this place; a .global one's follows
//            from it when the module is loaded
//
// If a kernel mentions dynamic shared memory, its static part is rounded up to the start of the
// dynamic part, so that a block needs the sum of both sizes.
#include "ptx/layout.h"

#include "ptx/link.h"

#include <string.h>

#define CONST_BYTES 65536
#define CONST_REACH (8u << 20) // for places; half of the window

static uint64_t align_up(uint64_t at, uint64_t align)
{
    return (at + align - 1) & ~(align - 1);
}

static uint64_t place(struct hd_ast_var *v, uint64_t at)
{
    v->offset = align_up(at, v->align);
    return v->offset + v->bytes;
}

static struct hd_diag_entry *complain(struct hd_layout *l, struct hd_place_at at, const char *fmt,
                                      struct hd_slice name)
{
    struct hd_diag_entry *e = hd_diag_add(l->diag, l->ast->texts[l->module].path, at.line,
                                          at.column, "'%.*s' ", HD_SLICE_ARG(name));
    size_t n = strlen(e->text);

    snprintf(e->text + n, sizeof e->text - n, "%s", fmt);
    return e;
}

static void missing(struct hd_layout *l, struct hd_place_at at, struct hd_slice name, bool func)
{
    const char *hint, *what = hd_link_missing(l->ast, l->scratch, name, func, &hint);
    struct hd_diag_entry *e = complain(l, at, what, name);

    if (hint)
        hd_diag_hint(e, "%s", hint);
}

static void put_address(uint8_t *init, const struct hd_ast_address *a, uint64_t value)
{
    value >>= a->shift;
    memcpy(init + a->at, &value, a->bytes);
}

static void place_function(struct hd_layout *l, const struct hd_ast_address *a, uint8_t *init)
{
    const struct hd_ast_func *f = &l->ast->funcs[a->func];
    uint64_t value = HD_WINDOW_CODE + (uint64_t)l->numbers[a->func] * HD_CODE_STEP;

    if (f->has_body)
        put_address(init, a, value);
    else
        missing(l, a->place, f->name, true);
}

// Write the addresses of an initialiser into its bytes. Addresses of .global variables become
// relocations.
static void place_addresses(struct hd_layout *l, const struct hd_ast_var *v, uint8_t *init)
{
    for (uint32_t i = 0; i < v->n_addresses; i++) {
        const struct hd_ast_address *a = &v->addresses[i];
        uint64_t value = (uint64_t)a->addend;

        if (a->var == HD_AST_NONE) {
            place_function(l, a, init);
            continue;
        }
        const struct hd_ast_var *to = &l->ast->vars[a->var];
        if (to->space != HD_SPACE_GLOBAL && to->space != HD_SPACE_CONST) {
            complain(l, a->place, "has no address that is known when the module is loaded",
                     to->name);
            continue;
        }
        if (to->is_extern) {
            missing(l, a->place, to->name, false);
            continue;
        }
        if (to->space == HD_SPACE_CONST)
            value += to->offset + (a->generic ? hd_window(HD_SPACE_CONST) : 0);
        if (to->space == HD_SPACE_GLOBAL)
            l->relocs[l->n_relocs++] = (struct hd_reloc){.symbol = to->symbol,
                                                         .words = a->bytes == 8,
                                                         .shift = a->shift,
                                                         .addend = value,
                                                         .at = init + a->at};
        else
            put_address(init, a, value);
    }
}

static void enter_symbol(struct hd_layout *l, struct hd_ast_var *v)
{
    struct hd_symbol *s = &l->symbols[l->n_symbols];

    v->symbol = l->n_symbols++;
    s->name = hd_arena_strndup(l->arena, v->name.s, v->name.n);
    s->bytes = v->bytes;
    s->align = v->align;
    s->space = v->space;
    s->managed = v->managed;
    s->opaque = v->opaque;
    s->place = v->offset;
    s->address = v->space == HD_SPACE_CONST ? v->offset : 0;
}

// --- shared memory

static void note_use(struct hd_layout *l, const struct hd_ast_operand *o, uint32_t func)
{
    bool kernel = l->ast->funcs[func].is_kernel;

    for (; o; o = o->next) { // nesting is bounded by the parser
        if (o->kind == HD_AST_VAR && kernel)
            l->ast->vars[o->index].used_in = func + 1;
        else if (o->kind == HD_AST_VAR)
            l->ast->vars[o->index].in_function = true;
        if (o->child)
            note_use(l, o->child, func);
    }
}

static void note_uses(struct hd_layout *l, uint32_t func)
{
    const struct hd_ast_func *f = &l->ast->funcs[func];

    for (uint32_t i = 0; i < f->n_insns; i++)
        note_use(l, f->insns[i].operands, func);
}

static void reach_operands(struct hd_layout *l, struct hd_layout_reach *r,
                           const struct hd_ast_operand *o)
{
    for (; o; o = o->next) {
        const struct hd_ast_var *v = o->kind == HD_AST_VAR ? &l->ast->vars[o->index] : NULL;
        if (v && v->space == HD_SPACE_SHARED && v->is_extern)
            r->align = v->align > r->align ? v->align : r->align;
        else if (v && v->space == HD_SPACE_SHARED && v->fixed + v->bytes > r->end)
            r->end = v->fixed + v->bytes;
        if (o->child)
            reach_operands(l, r, o->child);
    }
}

// The shared variables that functions use, and the part of them that each function needs with its
// callees.
static void share_functions(struct hd_layout *l)
{
    const struct hd_ast *ast = l->ast;
    bool changed = true;

    l->reach = HD_ARRAY(l->scratch, struct hd_layout_reach, ast->n_funcs);
    for (uint32_t f = 0; f < ast->n_funcs; f++) {
        if (!ast->funcs[f].is_kernel)
            note_uses(l, f);
        l->reach[f].reserves = ast->funcs[f].reserves;
        if (ast->funcs[f].reserves)
            l->shared_start = HD_RESERVED_SHARED_BYTES;
    }
    uint64_t at = l->shared_start;
    for (uint32_t i = 0; i < ast->n_vars; i++) {
        struct hd_ast_var *v = &ast->vars[i];
        if (v->space != HD_SPACE_SHARED || v->is_extern || !v->in_function)
            continue;
        v->fixed = align_up(at, v->align);
        at = v->fixed + v->bytes;
    }
    for (uint32_t f = 0; f < ast->n_funcs; f++)
        for (uint32_t i = 0; i < ast->funcs[f].n_insns && !ast->funcs[f].is_kernel; i++)
            reach_operands(l, &l->reach[f], ast->funcs[f].insns[i].operands);
    while (changed) { // more than once only for recursion
        changed = false;
        for (uint32_t k = 0; k < ast->n_funcs; k++) {
            struct hd_layout_reach *r = &l->reach[l->graph->order[k]];
            const struct hd_graph_node *node = &l->graph->nodes[l->graph->order[k]];
            for (uint32_t i = 0; i < node->n_callees; i++) {
                const struct hd_layout_reach *c = &l->reach[node->callees[i]];
                changed |= c->end > r->end || c->align > r->align || c->reserves > r->reserves;
                r->reserves |= c->reserves;
                r->end = c->end > r->end ? c->end : r->end;
                r->align = c->align > r->align ? c->align : r->align;
            }
        }
    }
}

static void place_shared(struct hd_layout *l, uint32_t func, struct hd_func *out)
{
    const struct hd_ast_func *f = &l->ast->funcs[func];
    const struct hd_layout_reach *below = &l->reach[func];
    uint64_t at = below->end, align = below->align > 16 ? below->align : 16;
    bool dynamic = below->align != 0;

    out->reserved_bytes = below->reserves ? HD_RESERVED_SHARED_BYTES : 0;
    at = at > out->reserved_bytes ? at : out->reserved_bytes;
    for (uint32_t i = 0; i < l->ast->n_vars; i++) {
        struct hd_ast_var *v = &l->ast->vars[i];
        bool own = i >= f->first_var && i < f->end_var;
        if (v->space != HD_SPACE_SHARED || (own ? false : v->func != HD_AST_NONE) ||
            (v->used_in != func + 1 && (!own || v->is_extern)))
            continue;
        if (v->is_extern) {
            dynamic = true;
            align = v->align > align ? v->align : align;
        } else if (v->in_function && v->fixed + v->bytes <= below->end) {
            v->offset = v->fixed;
        } else {
            at = place(v, at);
        }
    }
    if (dynamic)
        at = align_up(at, align);
    for (uint32_t i = 0; i < l->ast->n_vars; i++)
        if (l->ast->vars[i].space == HD_SPACE_SHARED && l->ast->vars[i].is_extern)
            l->ast->vars[i].offset = at;
    if (at > (1u << 24))
        complain(l, f->place, "has more than 16 MiB of shared memory", f->name);
    out->shared_bytes = (uint32_t)at;
}

// --- module and functions

// Constants must stay within their window of generic addresses, even after very large .global
// variables; the variables before them have left room for that.
static uint64_t place_variable(struct hd_ast_var *v, uint64_t at, uint64_t consts)
{
    bool whole = v->bytes && v->bytes < 128 && (v->bytes & (v->bytes - 1)) == 0;
    uint64_t align = whole ? v->bytes : 128;

    if (v->space == HD_SPACE_CONST && at > CONST_REACH)
        at = consts;
    v->offset = align_up(at, v->align > align ? v->align : align);
    return v->offset + v->bytes;
}

void hd_layout_module(struct hd_layout *l)
{
    uint64_t at = HD_LAYOUT_BASE, consts = at, const_bytes = 0;
    uint32_t n_addresses = 0;

    l->symbols = HD_ARRAY(l->arena, struct hd_symbol, l->ast->n_vars);
    for (uint32_t i = 0; i < l->ast->n_vars; i++) {
        struct hd_ast_var *v = &l->ast->vars[i];
        l->module = v->module;
        if ((v->space != HD_SPACE_CONST && v->space != HD_SPACE_GLOBAL) || v->is_extern)
            continue;
        uint64_t end = place_variable(v, at, consts);
        at = end > at ? end : at;
        if (v->space == HD_SPACE_CONST) {
            consts = end;
            const_bytes = align_up(const_bytes, v->align) + v->bytes;
            if (const_bytes > CONST_BYTES)
                complain(l, v->place, "does not fit into 64 KiB of constant memory", v->name);
        }
        enter_symbol(l, v);
        n_addresses += v->n_addresses;
    }
    l->relocs = HD_ARRAY(l->scratch, struct hd_reloc, n_addresses);
    for (uint32_t i = 0; i < l->ast->n_vars; i++) {
        struct hd_ast_var *v = &l->ast->vars[i];
        l->module = v->module;
        if (!v->init || v->is_extern)
            continue;
        uint8_t *init = HD_ARRAY(l->arena, uint8_t, (size_t)v->bytes + 64); // so that it is aligned
        memcpy(init, v->init, v->bytes);
        l->symbols[v->symbol].init = init;
        place_addresses(l, v, init);
    }
    share_functions(l);
}

static void place_params(struct hd_layout *l, const struct hd_ast_func *f, struct hd_func *out)
{
    struct hd_param *params = HD_ARRAY(l->arena, struct hd_param, f->n_params);
    uint64_t at = 0;

    for (uint32_t i = 0; i < f->n_params; i++) {
        struct hd_ast_var *v = &l->ast->vars[f->first_param + i];
        if (v->open)
            complain(l, v->place, "needs a length", v->name);
        at = place(v, at);
        if (at > 32764)
            complain(l, v->place, "lies beyond the 32764 bytes of kernel parameters", v->name);
        params[i] = (struct hd_param){hd_arena_strndup(l->arena, v->name.s, v->name.n),
                                      (uint32_t)v->offset, v->bytes, v->align};
    }
    out->params = params;
    out->n_params = f->n_params;
    out->param_bytes = (uint32_t)at;
}

// Places of the results and arguments of a function. Returns the offset of their end.
static uint64_t place_args(struct hd_layout *l, const struct hd_ast_func *f, struct hd_func *out)
{
    struct hd_arg *args = HD_ARRAY(l->arena, struct hd_arg, (size_t)f->n_rets + f->n_params);
    uint64_t at = 0;

    if (f->n_rets > UINT16_MAX || f->n_params > UINT16_MAX)
        complain(l, f->place, "has more than 65535 parameters", f->name);
    for (uint32_t i = 0; i < f->n_rets + f->n_params; i++) {
        struct hd_ast_var *v =
            &l->ast->vars[i < f->n_rets ? f->first_ret + i : f->first_param + i - f->n_rets];
        if (v->open)
            complain(l, v->place, "needs a length", v->name);
        if (!v->in_reg)
            at = place(v, at);
        args[i] = (struct hd_arg){HD_ROW_NONE, (uint32_t)v->offset, v->bytes};
    }
    out->args = args;
    out->n_rets = (uint16_t)f->n_rets;
    out->n_args = (uint16_t)f->n_params;
    return at;
}

void hd_layout_func(struct hd_layout *l, uint32_t func, struct hd_func *out)
{
    const struct hd_ast_func *f = &l->ast->funcs[func];
    uint64_t at = 0;

    l->module = f->module;
    if (f->is_kernel)
        place_params(l, f, out);
    else
        at = place_args(l, f, out);
    for (uint32_t i = f->first_var; i < f->end_var; i++) {
        struct hd_ast_var *v = &l->ast->vars[i];
        if (v->space == HD_SPACE_LOCAL || v->in_body)
            at = place(v, at);
    }
    if (at > (1u << 24))
        complain(l, f->place, "has more than 16 MiB of local memory per thread", f->name);
    out->local_bytes = (uint32_t)at;
    if (f->is_kernel) {
        note_uses(l, func);
        place_shared(l, func, out);
        return;
    }
    for (uint32_t i = 0; i < l->ast->n_vars; i++)
        if (l->ast->vars[i].in_function && l->ast->vars[i].space == HD_SPACE_SHARED)
            l->ast->vars[i].offset = l->ast->vars[i].is_extern ? 0 : l->ast->vars[i].fixed;
}
