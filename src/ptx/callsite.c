// callsite.c - the operands of a call: results, callee, arguments, prototype.
//
//   call (ret), f, (a, b);    call (ret), %rd1, (a, b), prototype;    call f;
//
// Arguments and results are .param variables of the body, constants, or registers if the callee
// declares its parameters as registers. PTX ISA 9.0, chapter 7 "Abstracting the ABI".
#include "ptx/callsite.h"

#include <string.h>

// The callee, as its parameters are declared: ranges of hd_ast.vars.
struct callee {
    uint32_t first_ret, n_rets, first_param, n_params;
    struct hd_slice name; // for messages
};

// Whether `name` is the name of built-in function b, which the device provides.
static bool is_named(struct hd_slice name, unsigned b)
{
    static const char cdp2[] = "__cudaCDP2";
    const char *own = hd_builtin_info[b].name;
    uint32_t skip = sizeof cdp2 - 1;

    if (b == HD_BUILTIN_SYNCHRONIZE &&
        hd_lex_is(name, "__cudaDeviceSynchronizeDeprecationAvoidance"))
        return true; // the name in headers since CUDA 11.6
    if (b < HD_BUILTIN_RUNTIME || name.n < skip || memcmp(name.s, cdp2, skip) != 0)
        return hd_lex_is(name, own);
    return hd_lex_is((struct hd_slice){name.s + skip, name.n - skip}, own + strlen("cuda"));
}

// Whether the declaration has the result and the parameters of built-in function b. A program with
// 32-bit addresses may return an int instead of a pointer.
static bool has_parameters(const struct hd_match *m, const struct hd_ast_func *f, unsigned b)
{
    const struct hd_ast_var *vars = m->lo->ast->vars;
    const char *ret = hd_builtin_info[b].ret, *args = hd_builtin_info[b].args;

    if (f->n_rets != strlen(ret) || f->n_params != strlen(args) ||
        (f->n_rets && vars[f->first_ret].bytes != 4 &&
         vars[f->first_ret].bytes != hd_builtin_bytes(*ret)))
        return false;
    for (unsigned i = 0; i < f->n_params; i++)
        if (vars[f->first_param + i].bytes != hd_builtin_bytes(args[i]))
            return false;
    return true;
}

static bool call_builtin(struct hd_match *m, const struct hd_ast_operand *o,
                         const struct hd_ast_func *f, struct hd_call *call)
{
    struct hd_diag_entry *e;
    unsigned b = HD_BUILTIN_NONE + 1;

    while (b < HD_N_BUILTINS && !is_named(f->name, b))
        b++;
    call->builtin = (uint8_t)b;
    if (b < HD_N_BUILTINS && has_parameters(m, f, b))
        return true;
    e = hd_values_missing(m, o, f->name, true);
    if (b < HD_N_BUILTINS)
        hd_diag_hint(e, "the device provides it with other parameters");
    return false;
}

static bool call_function(struct hd_match *m, const struct hd_ast_operand *o, struct hd_call *call,
                          struct callee *callee)
{
    const struct hd_ast_func *f = &m->lo->ast->funcs[o->index];

    *callee = (struct callee){f->first_ret, f->n_rets, f->first_param, f->n_params, f->name};
    call->func = m->lo->numbers[o->index];
    if (f->is_kernel) {
        hd_values_complain(m, o->place, "'%.*s' is a kernel: only functions can be called",
                           HD_SLICE_ARG(o->name));
        return false;
    }
    if (f->has_body)
        return true;
    return call_builtin(m, o, f, call);
}

static bool call_register(struct hd_match *m, const struct hd_ast_operand *o,
                          const struct hd_ast_operand *proto, struct hd_call *call,
                          struct callee *callee)
{
    const struct hd_ast *ast = m->lo->ast;
    int32_t row = HD_ROW_NONE;

    call->func = HD_CALL_INDIRECT;
    if (!proto || proto->kind != HD_AST_PROTO) {
        hd_values_complain(m, proto ? proto->place : o->place,
                           "a call through a register ends with the name of a .callprototype");
        return false;
    }
    const struct hd_ast_proto *p = &ast->protos[proto->index];
    const struct hd_ast_func *f = p->func == HD_AST_NONE ? NULL : &ast->funcs[p->func];
    *callee = f ? (struct callee){f->first_ret, f->n_rets, f->first_param, f->n_params, o->name}
                : (struct callee){p->first_ret, p->n_rets, p->first_param, p->n_params, o->name};
    return hd_values_source(m, o, HD_B64, false, HD_AT_SRC0, m->pc, &row);
}

// Enter one argument or result after comparing it with its declaration.
static bool match_arg(struct hd_match *m, const struct hd_ast_operand *o,
                      const struct hd_ast_var *formal, bool result)
{
    uint32_t index = m->n_args;
    struct hd_arg *arg = HD_PUSH(m->lo->scratch, m->args, m->n_args, m->arg_cap);
    int32_t row = HD_ROW_NONE;

    *arg = (struct hd_arg){HD_ROW_NONE, 0, formal->bytes};
    if (formal->bytes != hd_type_bytes(formal->type) && o->kind != HD_AST_VAR) {
        hd_values_complain(m, o->place, "expected a .param variable of %u bytes", formal->bytes);
        return false;
    }
    if (result && o->kind == HD_AST_SINK) {
        arg->bytes = 0;
        return true;
    }
    if (o->kind != HD_AST_VAR && result)
        return hd_values_result(m, o, formal->type, HD_AT_ARG, index);
    if (o->kind != HD_AST_VAR) {
        if (!hd_values_source(m, o, formal->type, false, HD_AT_ARG, index, &row))
            return false;
        m->args[index].row = row;
        return true;
    }
    const struct hd_ast_var *v = &m->lo->ast->vars[o->index];
    if (v->space != HD_SPACE_PARAM || !hd_values_in_frame(m, v)) {
        hd_values_complain(m, o->place, "'%.*s' is not a .param variable of this body",
                           HD_SLICE_ARG(o->name));
        return false;
    }
    if (v->bytes != formal->bytes || o->value) {
        hd_values_complain(m, o->place, "'%.*s' has %u bytes, expected %u", HD_SLICE_ARG(o->name),
                           v->bytes, formal->bytes);
        return false;
    }
    arg->offset = (uint32_t)v->offset;
    return true;
}

static bool match_list(struct hd_match *m, const struct hd_ast_operand *list, uint32_t first,
                       uint32_t n, const struct callee *callee, bool results)
{
    const struct hd_ast_operand *o = list ? list->child : NULL;
    uint32_t given = 0;

    for (const struct hd_ast_operand *k = o; k; k = k->next)
        given++;
    if (given != n) {
        hd_values_complain(m, list ? list->place : m->in->place, "'%.*s' has %u %s%s, not %u",
                           HD_SLICE_ARG(callee->name), n, results ? "result" : "parameter",
                           n == 1 ? "" : "s", given);
        return false;
    }
    for (uint32_t i = 0; i < n; i++, o = o->next)
        if (!match_arg(m, o, &m->lo->ast->vars[first + i], results))
            return false;
    return true;
}

bool hd_callsite_match(struct hd_match *m)
{
    struct hd_lower *lo = m->lo;
    const struct hd_ast_operand *rets = NULL, *to = m->in->operands, *args = NULL;
    struct hd_call call = {0};
    struct callee callee;

    if (to && to->kind == HD_AST_LIST) {
        rets = to;
        to = to->next;
    }
    const struct hd_ast_operand *rest = to ? to->next : NULL;
    if (rest && rest->kind == HD_AST_LIST) {
        args = rest;
        rest = rest->next;
    }
    if (!to || (to->kind != HD_AST_FUNC && to->kind != HD_AST_REG)) {
        if (!to || to->kind != HD_AST_LABEL) // an unknown name has been reported already
            hd_values_complain(m, to ? to->place : m->in->place, "expected a function to call");
        return false;
    }
    if (!(to->kind == HD_AST_FUNC ? call_function(m, to, &call, &callee)
                                  : call_register(m, to, rest, &call, &callee)))
        return false;
    if (rest && rest->next) {
        hd_values_complain(m, rest->next->place, "more operands than a call has");
        return false;
    }
    if (callee.n_rets + callee.n_params > UINT16_MAX)
        return false; // the declaration has been reported already
    call.n_rets = (uint16_t)callee.n_rets;
    call.n_args = (uint16_t)callee.n_params;
    if (!match_list(m, rets, callee.first_ret, callee.n_rets, &callee, true) ||
        !match_list(m, args, callee.first_param, callee.n_params, &callee, false))
        return false;
    m->insn->imm = lo->n_calls;
    *HD_PUSH(lo->arena, lo->calls, lo->n_calls, lo->call_cap) = call;
    uint32_t n_live = lo->n_calls - 1;
    *HD_PUSH(lo->scratch, lo->call_live, n_live, lo->call_live_cap) = 0;
    return true;
}
