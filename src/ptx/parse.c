// parse.c - module level of the PTX parser: directives, functions and their headers. PTX ISA 9.0,
// chapter 11 "Directives".
//
// .tex and the branch-target tables of .func pointers are refused. Cluster directives are accepted;
// a kernel that asks for more than one block in a cluster is refused when it is launched.
#include "ptx/parse.h"

#include "ptx/link.h"
#include "ptx/ptx.h"
#include "ptx/version.h"

#include <string.h>

static const char *const directives[] = {
    "version", "target",       "address_size", "visible",  "extern", "weak",    "common",
    "entry",   "func",         "global",       "const",    "shared", "local",   "file",
    "loc",     "section",      "pragma",       "reg",      "param",  "maxntid", "reqntid",
    "maxnreg", "minnctapersm", "maxnctapersm", "noreturn", "alias",  NULL};

// .version MAJOR.MINOR
static bool parse_version(struct hd_parse *p)
{
    hd_cursor_next(p);
    if (p->tok.kind == HD_TOK_F64 && hd_version_newer(p->tok.text)) {
        struct hd_diag_entry *e =
            hd_cursor_error(p, hd_cursor_place(p), "PTX of version %.*s is not supported",
                            HD_SLICE_ARG(p->tok.text));
        hd_diag_hint(e, "the newest that heddle knows is " HD_PTX_NEWEST ", of CUDA 13.0");
    }
    return hd_cursor_expect(p, HD_TOK_F64, "a version number such as 9.0");
}

// The number in sm_75 or sm_90a, 0 for other words.
static uint32_t target_number(struct hd_slice word)
{
    uint32_t n = 0;

    if (word.n < 4 || memcmp(word.s, "sm_", 3) != 0)
        return 0;
    for (size_t i = 3; i < word.n && word.s[i] >= '0' && word.s[i] <= '9' && n < 1000; i++)
        n = 10 * n + (uint32_t)(word.s[i] - '0');
    return n;
}

static bool parse_target(struct hd_parse *p)
{
    do {
        hd_cursor_next(p);
        if (!p->target && p->tok.kind == HD_TOK_WORD)
            p->target = target_number(p->tok.text);
        if (!hd_cursor_expect(p, HD_TOK_WORD, "a target such as sm_75"))
            return false;
    } while (p->tok.kind == ',');
    return true;
}

static bool parse_address_size(struct hd_parse *p)
{
    struct hd_place_at at;
    uint32_t bits;

    hd_cursor_next(p);
    at = hd_cursor_place(p);
    if (!hd_cursor_int(p, &bits, "an address size"))
        return false;
    if (bits == 64)
        return true;
    struct hd_diag_entry *e =
        hd_cursor_error(p, at, "address size %u is not supported, only 64 is", bits);
    if (bits == 32)
        hd_diag_hint(e, "compile the program for 64-bit addresses: nvcc -m64");
    return false;
}

static uint32_t product(uint32_t a, uint32_t b)
{
    uint64_t v = (uint64_t)a * b;

    return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

// .maxntid X [, Y [, Z]] and similar directives.
static bool parse_sizes(struct hd_parse *p, uint32_t *value)
{
    uint32_t n;

    *value = 1;
    do {
        hd_cursor_next(p);
        if (!hd_cursor_int(p, &n, "a number"))
            return false;
        *value = product(*value, n);
    } while (p->tok.kind == ',');
    return true;
}

// The directives between the header and the body of a function.
static bool parse_func_directives(struct hd_parse *p)
{
    static const char *const sized[] = {"maxnctapersm", "maxclusterrank", "reqnctapercluster",
                                        "abi_preserve", "abi_preserve_control"};
    static const char *const plain[] = {"noreturn", "explicitcluster", "blocksareclusters"};
    uint32_t n;
    bool ok, known;

    while (p->tok.kind == HD_TOK_DOT) {
        if (hd_debug_info_parse(p, &ok)) {
            if (!ok)
                return false;
            continue;
        }
        if (hd_cursor_at_dot(p, "maxntid") || hd_cursor_at_dot(p, "reqntid")) {
            if (!parse_sizes(p, &p->fn.max_threads))
                return false;
            continue;
        }
        if (hd_cursor_at_dot(p, "minnctapersm")) {
            if (!parse_sizes(p, &p->fn.min_blocks))
                return false;
            continue;
        }
        if (hd_cursor_at_dot(p, "maxnreg")) {
            if (!parse_sizes(p, &p->fn.max_regs))
                return false;
            continue;
        }
        known = false;
        for (size_t i = 0; i < sizeof sized / sizeof *sized && !known; i++)
            if (hd_cursor_at_dot(p, sized[i])) {
                known = true;
                bool cluster = hd_cursor_at_dot(p, "reqnctapercluster");
                if (!parse_sizes(p, &n))
                    return false;
                p->fn.explicit_cluster |= cluster;
                p->fn.cluster_blocks = cluster ? n : p->fn.cluster_blocks;
            }
        for (size_t i = 0; i < sizeof plain / sizeof *plain && !known; i++)
            if (hd_cursor_at_dot(p, plain[i])) {
                known = true;
                p->fn.explicit_cluster |= hd_cursor_at_dot(p, "explicitcluster");
                hd_cursor_next(p);
            }
        if (!known) {
            struct hd_diag_entry *e =
                hd_cursor_error(p, hd_cursor_place(p), "directive '.%.*s' is not known here",
                                HD_SLICE_ARG(p->tok.text));
            hd_diag_nearest(e, hd_arena_strndup(p->arena, p->tok.text.s, p->tok.text.n),
                            directives);
            return false;
        }
    }
    return true;
}

// Enter the function into the module; a definition takes the place of its declaration.
static bool enter_func(struct hd_parse *p)
{
    struct hd_name name = {.text = p->fn.name,
                           .kind = HD_NAME_FUNC,
                           .value = p->ast->n_funcs,
                           .line = p->fn.place.line,
                           .column = p->fn.place.column};
    const struct hd_name *old = hd_names_add(&p->names, &name);

    if (!old) {
        p->func = p->ast->n_funcs;
        *HD_PUSH(p->arena, p->ast->funcs, p->ast->n_funcs, p->func_cap) = p->fn;
        return true;
    }
    p->func = old->value;
    const char *how = hd_link_differ(p->ast, p->arena, &p->fn, &p->ast->funcs[p->func],
                                     hd_arena_printf(p->arena, "line %u", old->line));
    if (how) {
        hd_cursor_error(p, p->fn.place, "'%.*s' %s", HD_SLICE_ARG(p->fn.name), how);
        return false;
    }
    if (p->ast->funcs[p->func].has_body && p->fn.has_body) {
        hd_cursor_error(p, p->fn.place, "function '%.*s' is defined twice, first at line %u",
                        HD_SLICE_ARG(p->fn.name), p->ast->funcs[p->func].place.line);
        return false;
    }
    return true;
}

static bool parse_func_header(struct hd_parse *p)
{
    hd_cursor_next(p);
    while (hd_cursor_at_dot(p, "attribute")) { // .attribute(.unified(...))
        hd_cursor_next(p);
        for (unsigned open = 0; p->tok.kind != HD_TOK_END; hd_cursor_next(p)) {
            open += p->tok.kind == '(';
            if (p->tok.kind == ')' && --open == 0)
                break;
        }
        hd_cursor_next(p);
    }
    if (!p->fn.is_kernel && p->tok.kind == '(' &&
        !hd_declare_params(p, &p->fn.first_ret, &p->fn.n_rets))
        return false;
    p->fn.name = p->tok.text;
    p->fn.place = hd_cursor_place(p);
    if (!hd_cursor_expect(p, HD_TOK_WORD, p->fn.is_kernel ? "a kernel name" : "a function name"))
        return false;
    if (p->tok.kind == '(' && !hd_declare_params(p, &p->fn.first_param, &p->fn.n_params))
        return false;
    return parse_func_directives(p);
}

static bool parse_func(struct hd_parse *p)
{
    bool ok;

    memset(&p->fn, 0, sizeof p->fn);
    p->fn.is_kernel = hd_cursor_at_dot(p, "entry");
    p->fn.link = p->link;
    p->fn.module = p->module;
    p->fn.target = p->target;
    p->link = HD_LINK_LOCAL; // of what is inside
    p->insn_cap = p->reg_cap = p->label_cap = 0;
    p->n_labels = 0;
    p->labels = NULL;
    p->loc = HD_AST_NONE;
    p->nounroll = false;
    p->first_loc = p->ast->n_locs;
    p->scope = hd_names_open(&p->names, 0);
    p->func = p->ast->n_funcs; // where variables of a new function belong
    p->fn.first_var = p->ast->n_vars;
    ok = parse_func_header(p);
    if (ok) {
        p->fn.has_body = p->tok.kind == '{';
        ok = enter_func(p);
        if (ok && p->fn.has_body) {
            p->ast->funcs[p->func] = p->fn; // a recursive call needs it
            hd_cursor_next(p);
            ok = hd_body_parse(p);
            p->fn.end_var = p->ast->n_vars;
            p->ast->funcs[p->func] = p->fn;
        } else if (ok) {
            hd_cursor_accept(p, ';');
        }
    }
    if (!ok && p->tok.kind == '{') // after a broken header, the body would only cause more messages
        ok = hd_cursor_skip_braces(p);
    p->scope = 0;
    p->func = HD_AST_NONE;
    return ok;
}

// A function of the module that .alias names. defined: whether it must have a body, or must not.
static struct hd_ast_func *aliased(struct hd_parse *p, bool defined)
{
    const struct hd_name *n = hd_names_find(&p->names, 0, HD_NAME_FUNC, p->tok.text);
    struct hd_ast_func *f = n ? &p->ast->funcs[n->value] : NULL;

    if (p->tok.kind == HD_TOK_WORD && (!f || f->is_kernel || f->has_body != defined)) {
        hd_cursor_error(p, hd_cursor_place(p), "'%.*s' is not a function that is %s here",
                        HD_SLICE_ARG(p->tok.text), defined ? "defined" : "only declared");
        return NULL;
    }
    return hd_cursor_expect(p, HD_TOK_WORD, "a function") ? f : NULL;
}

// .alias NAME, FUNCTION; The declared function NAME gets the body of another.
static bool parse_alias(struct hd_parse *p)
{
    struct hd_ast_func *to, *from;

    hd_cursor_next(p);
    to = aliased(p, false);
    if (!to || !hd_cursor_expect(p, ',', "','"))
        return false;
    struct hd_place_at at = hd_cursor_place(p);
    from = aliased(p, true);
    if (!from)
        return false;
    const char *how = hd_link_differ(p->ast, p->arena, from, to, "its alias");
    if (how) {
        hd_cursor_error(p, at, "'%.*s' %s", HD_SLICE_ARG(from->name), how);
        return false;
    }
    struct hd_ast_func copy = *from;
    copy.name = to->name;
    copy.place = to->place;
    copy.link = to->link;
    *to = copy;
    return hd_cursor_expect(p, ';', "';'");
}

static bool at_variable(const struct hd_parse *p)
{
    return hd_cursor_at_dot(p, "global") || hd_cursor_at_dot(p, "const") ||
           hd_cursor_at_dot(p, "shared") || hd_cursor_at_dot(p, "local");
}

static bool parse_directive(struct hd_parse *p)
{
    bool is_extern = false, ok = true;

    if (hd_cursor_at_dot(p, "version"))
        return parse_version(p);
    if (hd_cursor_at_dot(p, "target"))
        return parse_target(p);
    if (hd_cursor_at_dot(p, "address_size"))
        return parse_address_size(p);
    if (hd_debug_info_parse(p, &ok))
        return ok;
    for (p->link = HD_LINK_LOCAL;; hd_cursor_next(p)) {
        if (hd_cursor_at_dot(p, "extern") || hd_cursor_at_dot(p, "visible"))
            p->link = HD_LINK_VISIBLE;
        else if (hd_cursor_at_dot(p, "weak"))
            p->link = HD_LINK_WEAK;
        else if (hd_cursor_at_dot(p, "common"))
            p->link = HD_LINK_COMMON;
        else
            break;
        is_extern |= hd_cursor_at_dot(p, "extern");
    }
    if (hd_cursor_at_dot(p, "entry") || hd_cursor_at_dot(p, "func"))
        return parse_func(p);
    if (at_variable(p))
        return hd_declare_vars(p, is_extern);
    if (hd_cursor_at_dot(p, "alias"))
        return parse_alias(p);
    if (p->tok.kind != HD_TOK_DOT) {
        hd_cursor_expected(p, "a directive such as .entry or .global");
        return false;
    }
    struct hd_diag_entry *e =
        hd_cursor_error(p, hd_cursor_place(p), "directive '.%.*s' is not supported here",
                        HD_SLICE_ARG(p->tok.text));
    hd_diag_nearest(e, hd_arena_strndup(p->arena, p->tok.text.s, p->tok.text.n), directives);
    return false;
}

// After an error between directives: skip to the token after the next `;` or { } block.
static void resync_module(struct hd_parse *p)
{
    for (; p->tok.kind != HD_TOK_END; hd_cursor_next(p)) {
        if (p->tok.kind == '{') {
            hd_cursor_skip_braces(p);
            hd_cursor_accept(p, ';');
            return;
        }
        if (p->tok.kind == ';' ||
            hd_cursor_accept(p, '}')) { // a `}` that remains of broken initial values
            hd_cursor_accept(p, ';');
            return;
        }
    }
}

static void parse_module(struct hd_parse *p, const struct hd_text *text, struct hd_diag *d)
{
    uint32_t first_func = p->ast->n_funcs;

    p->module_nounroll = false;
    p->func = HD_AST_NONE;
    p->scope = p->depth = p->target = 0;
    hd_names_init(&p->names, p->arena);
    hd_lex_init(&p->lex, text->path, text->text, text->bytes, d);
    hd_cursor_next(p);
    if (!hd_cursor_at_dot(p, "version")) {
        hd_cursor_expected(p, "'.version', with which PTX begins");
        return;
    }
    while (p->tok.kind != HD_TOK_END && d->n < HD_DIAG_MAX)
        if (!parse_directive(p))
            resync_module(p);
    for (uint32_t i = first_func; i < p->ast->n_funcs; i++)
        p->ast->funcs[i].nounroll |= p->module_nounroll;
}

struct hd_ast *hd_parse_modules(struct hd_arena *scratch, const struct hd_text *texts, uint32_t n,
                                struct hd_diag *d)
{
    struct hd_parse *p = HD_NEW(scratch, hd_parse);

    p->arena = scratch;
    p->ast = HD_NEW(scratch, hd_ast);
    p->ast->texts = texts;
    p->ast->n_texts = n;
    for (p->module = 0; p->module < n; p->module++)
        parse_module(p, &texts[p->module], d);
    return p->ast;
}
