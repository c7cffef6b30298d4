// body.c - parses the body of a function: statements, labels, nested blocks.
//
// PTX allows control to run off the end of a body. The parser then adds the missing `ret`, so that
// every path of the decoded code ends in an instruction of its own function.
#include "ptx/parse.h"

#include <string.h>

static bool parse_guard(struct hd_parse *p, struct hd_ast_insn *in)
{
    struct hd_place_at at;

    in->guard = HD_AST_NONE;
    if (!hd_cursor_accept(p, '@'))
        return true;
    in->guard_not = hd_cursor_accept(p, '!');
    at = hd_cursor_place(p);
    struct hd_slice name = p->tok.text;
    if (!hd_cursor_expect(p, HD_TOK_WORD, "a predicate register"))
        return false;
    in->guard = hd_scope_find_register(p, name);
    if (in->guard == HD_AST_NONE) {
        hd_scope_unknown_register(p, name, at);
        return false;
    }
    if (p->fn.regs[in->guard].type != HD_PRED) {
        hd_cursor_error(p, at, "the guard '%.*s' has type '.%s', not '.pred'", HD_SLICE_ARG(name),
                        hd_type_names[p->fn.regs[in->guard].type]);
        return false;
    }
    return true;
}

// Whether it is an instruction that only tells caches what will be needed. It has no effect in the
// model, so the parser drops it. Malformed ones are kept, so that they are refused later.
static bool is_cache_hint(const struct hd_parse *p, const struct hd_ast_insn *in)
{
    static const char *const names[] = {"prefetch", "prefetchu", "applypriority", "discard"};
    static const char *const mods[] = {"global",
                                       "local",
                                       "L1",
                                       "L2",
                                       "L2::evict_last",
                                       "L2::evict_normal",
                                       "L2::cache_hint",
                                       "async",
                                       "bulk",
                                       "prefetch",
                                       "tensormap",
                                       "const",
                                       "param",
                                       "tensor",
                                       "tile",
                                       "tile::gather4",
                                       "im2col",
                                       "im2col::w",
                                       "im2col::w::128",
                                       "1d",
                                       "2d",
                                       "3d",
                                       "4d",
                                       "5d"};
    bool hint = hd_lex_is(in->op, "cp") && in->n_mods > 2 &&
                hd_lex_is(p->ast->mods[in->mods + 2].text, "prefetch"); // cp.async.bulk.prefetch

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        hint |= hd_lex_is(in->op, names[i]);
    hint = hint && in->n_mods && in->operands && in->operands->kind == HD_AST_ADDR;
    for (uint32_t i = 0; hint && i < in->n_mods; i++) {
        struct hd_slice word = p->ast->mods[in->mods + i].text;
        size_t k = 0;
        while (k < sizeof mods / sizeof *mods && !hd_lex_is(word, mods[k]))
            k++;
        hint = k < sizeof mods / sizeof *mods;
    }
    return hint;
}

static bool parse_insn(struct hd_parse *p)
{
    struct hd_ast_insn in = {.loc = p->loc, .nounroll = p->nounroll};
    struct hd_ast_operand **last = &in.operands;

    if (!parse_guard(p, &in))
        return false;
    in.op = p->op = p->tok.text;
    in.place = hd_cursor_place(p);
    if (!hd_cursor_expect(p, HD_TOK_WORD, "an instruction"))
        return false;
    in.mods = p->ast->n_mods;
    for (; p->tok.kind == HD_TOK_DOT; hd_cursor_next(p))
        *HD_PUSH(p->arena, p->ast->mods, p->ast->n_mods, p->mod_cap) =
            (struct hd_ast_mod){p->tok.text, hd_cursor_place(p)};
    in.n_mods = p->ast->n_mods - in.mods;
    while (p->tok.kind != ';') {
        if (in.n_operands == UINT16_MAX || !(*last = hd_parse_operand(p)))
            return false;
        last = &(*last)->next;
        in.n_operands++;
        if (!hd_cursor_accept(p, ',') && p->tok.kind != ';') {
            hd_cursor_expected(p, "',' or ';'");
            return false;
        }
    }
    hd_cursor_next(p);
    if (is_cache_hint(p, &in))
        return true;
    struct hd_ast_insn pieces[HD_SPLIT_MOST];
    const unsigned n = hd_split_insn(p, &in, pieces);
    for (unsigned i = 0; i < n; i++)
        *HD_PUSH(p->arena, p->fn.insns, p->fn.n_insns, p->insn_cap) = pieces[i];
    p->nounroll = false;
    return true;
}

// NAME:
static bool parse_label(struct hd_parse *p)
{
    struct hd_name name = {.text = p->tok.text,
                           .scope = p->scope,
                           .kind = HD_NAME_LABEL,
                           .value = p->fn.n_insns,
                           .line = p->tok.line,
                           .column = p->tok.column};

    hd_cursor_next(p);
    hd_cursor_next(p); // :
    const struct hd_name *old = hd_names_add(&p->names, &name);
    if (old) {
        hd_cursor_error(p, (struct hd_place_at){name.line, name.column},
                        "label '%.*s' is declared twice, first at line %u", HD_SLICE_ARG(name.text),
                        old->line);
        return true; // the statement after the label is correct
    }
    return true;
}

// .callprototype (.param .b32 _) _ (.param .b64 _, ...) [.noreturn];
static bool parse_prototype(struct hd_parse *p, struct hd_ast_proto *proto)
{
    hd_cursor_next(p);
    if (p->tok.kind == '(' && !hd_declare_params(p, &proto->first_ret, &proto->n_rets))
        return false;
    if (!hd_cursor_expect(p, HD_TOK_WORD, "'_'"))
        return false;
    if (p->tok.kind == '(' && !hd_declare_params(p, &proto->first_param, &proto->n_params))
        return false;
    while (hd_cursor_at_dot(p, "noreturn") || hd_cursor_at_dot(p, "abi_preserve") ||
           hd_cursor_at_dot(p, "abi_preserve_control")) {
        hd_cursor_next(p);
        hd_cursor_accept(p, HD_TOK_INT);
    }
    return hd_cursor_expect(p, ';', "';'");
}

// .calltargets f, g;  All functions have the same prototype, so the last one is enough.
static bool parse_call_targets(struct hd_parse *p, struct hd_ast_proto *proto)
{
    do {
        hd_cursor_next(p);
        const struct hd_name *n = hd_names_find(&p->names, 0, HD_NAME_FUNC, p->tok.text);
        if (p->tok.kind == HD_TOK_WORD && !n) {
            hd_cursor_error(p, hd_cursor_place(p), "'%.*s' is not a function of this module",
                            HD_SLICE_ARG(p->tok.text));
            return false;
        }
        if (!hd_cursor_expect(p, HD_TOK_WORD, "a function"))
            return false;
        proto->func = n->value;
    } while (p->tok.kind == ',');
    return hd_cursor_expect(p, ';', "',' or ';'");
}

// .branchtargets A, B;
static bool parse_branch_targets(struct hd_parse *p, struct hd_ast_table *table)
{
    struct hd_ast_operand **last = &table->labels;

    do {
        hd_cursor_next(p);
        if (p->tok.kind != HD_TOK_WORD) {
            hd_cursor_expected(p, "a label");
            return false;
        }
        *last = hd_parse_operand(p);
        if (!*last)
            return false;
        last = &(*last)->next;
        table->n++;
    } while (p->tok.kind == ',');
    return hd_cursor_expect(p, ';', "',' or ';'");
}

// NAME: .callprototype, .calltargets or .branchtargets
static bool parse_list(struct hd_parse *p)
{
    struct hd_place_at at = hd_cursor_place(p);
    struct hd_name name = {
        .text = p->tok.text, .scope = p->scope, .line = at.line, .column = at.column};
    bool ok;

    hd_cursor_next(p);
    hd_cursor_next(p); // :
    if (hd_cursor_at_dot(p, "branchtargets")) {
        struct hd_ast_table table = {0};
        name.kind = HD_NAME_TABLE;
        name.value = p->ast->n_tables;
        ok = parse_branch_targets(p, &table);
        *HD_PUSH(p->arena, p->ast->tables, p->ast->n_tables, p->table_cap) = table;
    } else {
        struct hd_ast_proto proto = {.func = HD_AST_NONE};
        name.kind = HD_NAME_PROTO;
        name.value = p->ast->n_protos;
        ok = hd_cursor_at_dot(p, "callprototype") ? parse_prototype(p, &proto)
                                                  : parse_call_targets(p, &proto);
        *HD_PUSH(p->arena, p->ast->protos, p->ast->n_protos, p->proto_cap) = proto;
    }
    const struct hd_name *old = hd_names_add(&p->names, &name);
    if (old)
        hd_cursor_error(p, at, "'%.*s' is declared twice, first at line %u",
                        HD_SLICE_ARG(name.text), old->line);
    return ok;
}

// Whether the current token, which a colon follows, is the name of a list.
static bool at_list(const struct hd_parse *p)
{
    struct hd_parse ahead = *p;

    ahead.lex.diag = NULL;
    hd_cursor_next(&ahead);
    hd_cursor_next(&ahead);
    return hd_cursor_at_dot(&ahead, "callprototype") || hd_cursor_at_dot(&ahead, "calltargets") ||
           hd_cursor_at_dot(&ahead, "branchtargets");
}

static bool parse_directive(struct hd_parse *p)
{
    bool ok;

    if (hd_cursor_at_dot(p, "reg"))
        return hd_declare_regs(p);
    if (hd_cursor_at_dot(p, "shared") || hd_cursor_at_dot(p, "local") ||
        hd_cursor_at_dot(p, "param") || hd_cursor_at_dot(p, "const") ||
        hd_cursor_at_dot(p, "global"))
        return hd_declare_vars(p, false);
    if (hd_debug_info_parse(p, &ok))
        return ok;
    if (hd_cursor_at_dot(p, "extern") && hd_lex_is(hd_cursor_peek(p).text, "shared")) {
        hd_cursor_next(p);
        return hd_declare_vars(p, true);
    }
    static const char *const known[] = {"reg",    "shared", "local",  "param", "const",
                                        "global", "loc",    "pragma", NULL};
    struct hd_diag_entry *e = hd_cursor_error(
        p, hd_cursor_place(p), "directive '.%.*s' is not known here", HD_SLICE_ARG(p->tok.text));
    hd_diag_nearest(e, hd_arena_strndup(p->arena, p->tok.text.s, p->tok.text.n), known);
    return false;
}

static bool parse_statement(struct hd_parse *p)
{
    if (p->tok.kind == HD_TOK_DOT)
        return parse_directive(p);
    if (p->tok.kind == HD_TOK_WORD && hd_cursor_peek(p).kind == ':')
        return at_list(p) ? parse_list(p) : parse_label(p);
    if (p->tok.kind == HD_TOK_WORD || p->tok.kind == '@')
        return parse_insn(p);
    if (hd_cursor_accept(p, ';'))
        return true;
    hd_cursor_expected(p, "an instruction");
    return false;
}

static bool resolve(const struct hd_parse *p, struct hd_ast_operand *o)
{
    static const uint8_t kinds[][2] = {{HD_NAME_LABEL, HD_AST_LABEL},
                                       {HD_NAME_PROTO, HD_AST_PROTO},
                                       {HD_NAME_TABLE, HD_AST_TABLE}};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct hd_name *n = hd_names_find(&p->names, o->scope, kinds[i][0], o->name);
        if (!n)
            continue;
        o->kind = kinds[i][1];
        o->index = n->value;
        return true;
    }
    return false;
}

static void resolve_labels(struct hd_parse *p)
{
    for (uint32_t i = 0; i < p->n_labels; i++) {
        struct hd_ast_operand *o = p->labels[i];
        if (resolve(p, o))
            continue;
        struct hd_diag_entry *e =
            hd_cursor_error(p, o->place, "unknown name '%.*s'", HD_SLICE_ARG(o->name));
        const char *near =
            hd_names_nearest(&p->names, o->scope,
                             1u << HD_NAME_LABEL | 1u << HD_NAME_PROTO | 1u << HD_NAME_TABLE |
                                 1u << HD_NAME_VAR | 1u << HD_NAME_REG | 1u << HD_NAME_FUNC,
                             o->name);
        if (near)
            hd_diag_hint(e, "did you mean '%s'?", near);
        p->fn.broken = true;
    }
}

// True if control can reach the end of the body after the last instruction.
static bool runs_off(const struct hd_parse *p)
{
    const struct hd_ast_insn *last;

    for (uint32_t i = 0; i < p->n_labels; i++)
        if (p->labels[i]->kind == HD_AST_LABEL && p->labels[i]->index == p->fn.n_insns)
            return true;
    if (p->fn.n_insns == 0)
        return true;
    last = &p->fn.insns[p->fn.n_insns - 1];
    return last->guard != HD_AST_NONE ||
           !(hd_lex_is(last->op, "ret") || hd_lex_is(last->op, "exit") ||
             hd_lex_is(last->op, "bra") || hd_lex_is(last->op, "brx") ||
             hd_lex_is(last->op, "trap"));
}

bool hd_body_parse(struct hd_parse *p)
{
    unsigned open = 1;
    struct hd_place_at end;

    for (;;) {
        end = hd_cursor_place(p);
        if (p->tok.kind == HD_TOK_END || p->lex.diag->n >= HD_DIAG_MAX) {
            if (p->tok.kind == HD_TOK_END)
                hd_cursor_error(p, end, "the body of '%.*s' has no '}'", HD_SLICE_ARG(p->fn.name));
            p->fn.broken = true;
            return false;
        }
        if (hd_cursor_accept(p, '}')) {
            if (--open == 0)
                break;
            p->scope = p->names.parents[p->scope];
        } else if (p->tok.kind == '{') {
            if (open++ == HD_PARSE_MAX_DEPTH) {
                hd_cursor_error(p, end, "blocks nested more than %d deep", HD_PARSE_MAX_DEPTH);
                return false;
            }
            p->scope = hd_names_open(&p->names, p->scope);
            hd_cursor_next(p);
        } else if (!parse_statement(p)) {
            p->fn.broken = true;
            hd_cursor_resync(p);
        }
    }
    resolve_labels(p);
    if (runs_off(p)) {
        struct hd_ast_insn ret = {
            .op = HD_SLICE("ret"), .place = end, .guard = HD_AST_NONE, .loc = p->loc};
        *HD_PUSH(p->arena, p->fn.insns, p->fn.n_insns, p->insn_cap) = ret;
    }
    return true;
}
