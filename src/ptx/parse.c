// parse.c - module level of the PTX parser: directives, functions and their headers, and the
// helpers of the other parts. PTX ISA 9.0, chapter 11 "Directives".
//
// Left out: .alias, .tex and the branch-target tables of .func pointers are refused by name;
// cluster directives are accepted and have no effect.
#include "ptx/parse.h"

#include "ptx/link.h"

#include <stdarg.h>
#include <string.h>

#define LOC_SEARCH 1000 // of these the caller of an inlined function is looked for

static const char *const directives[] = {
    "version", "target",       "address_size", "visible",  "extern", "weak",    "common",
    "entry",   "func",         "global",       "const",    "shared", "local",   "file",
    "loc",     "section",      "pragma",       "reg",      "param",  "maxntid", "reqntid",
    "maxnreg", "minnctapersm", "maxnctapersm", "noreturn", NULL};

void hd_parse_next(struct hd_parse *p)
{
    hd_lex_next(&p->lex, &p->tok);
}

struct hd_token hd_parse_peek(const struct hd_parse *p)
{
    struct hd_lex ahead = p->lex;
    struct hd_token t;

    ahead.diag = NULL;
    hd_lex_next(&ahead, &t);
    return t;
}

struct hd_place_at hd_parse_place(const struct hd_parse *p)
{
    return (struct hd_place_at){p->tok.line, p->tok.column};
}

struct hd_diag_entry *hd_parse_error(struct hd_parse *p, struct hd_place_at at, const char *fmt,
                                     ...)
{
    char text[HD_DIAG_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return hd_diag_add(p->lex.diag, p->lex.path, at.line, at.column, "%s", text);
}

void hd_parse_expected(struct hd_parse *p, const char *what)
{
    const struct hd_token *t = &p->tok;
    const char *dot = t->kind == HD_TOK_DOT ? "." : "";

    if (t->kind == HD_TOK_BAD)
        return;
    if (t->kind == HD_TOK_END)
        hd_parse_error(p, hd_parse_place(p), "expected %s, found the end of the text", what);
    else
        hd_parse_error(p, hd_parse_place(p), "expected %s, found '%s%.*s'", what, dot,
                       HD_SLICE_ARG(t->text));
}

bool hd_parse_accept(struct hd_parse *p, int kind)
{
    if (p->tok.kind != kind)
        return false;
    hd_parse_next(p);
    return true;
}

bool hd_parse_expect(struct hd_parse *p, int kind, const char *what)
{
    if (hd_parse_accept(p, kind))
        return true;
    hd_parse_expected(p, what);
    return false;
}

bool hd_parse_at_dot(const struct hd_parse *p, const char *word)
{
    return p->tok.kind == HD_TOK_DOT && hd_lex_is(p->tok.text, word);
}

void hd_parse_resync(struct hd_parse *p)
{
    for (unsigned open = 0; p->tok.kind != HD_TOK_END; hd_parse_next(p)) {
        if (p->tok.kind == '{') {
            open++;
        } else if (p->tok.kind == '}') {
            if (open == 0)
                return;
            open--;
        } else if (p->tok.kind == ';' && open == 0) {
            hd_parse_next(p);
            return;
        }
    }
}

bool hd_parse_skip_braces(struct hd_parse *p)
{
    struct hd_place_at start = hd_parse_place(p);
    unsigned open = 0;

    for (; p->tok.kind != HD_TOK_END; hd_parse_next(p)) {
        if (p->tok.kind == '{')
            open++;
        else if (p->tok.kind == '}' && --open == 0) {
            hd_parse_next(p);
            return true;
        }
    }
    hd_parse_error(p, start, "'{' without its '}'");
    return false;
}

static bool parse_int(struct hd_parse *p, uint32_t *value, const char *what)
{
    if (p->tok.kind != HD_TOK_INT) {
        hd_parse_expected(p, what);
        return false;
    }
    if (p->tok.bits > UINT32_MAX) {
        hd_parse_error(p, hd_parse_place(p), "%s is larger than 32 bits", what);
        return false;
    }
    *value = (uint32_t)p->tok.bits;
    hd_parse_next(p);
    return true;
}

// .file NUMBER "name" [, timestamp, size]
static bool parse_file(struct hd_parse *p)
{
    struct hd_ast_file f = {.module = p->module};
    uint32_t ignored;

    hd_parse_next(p);
    if (!parse_int(p, &f.number, "a file number"))
        return false;
    f.name = p->tok.text;
    if (!hd_parse_expect(p, HD_TOK_STRING, "a file name in quotes"))
        return false;
    while (hd_parse_accept(p, ','))
        if (!parse_int(p, &ignored, "a number"))
            return false;
    *HD_PUSH(p->arena, p->ast->files, p->ast->n_files, p->file_cap) = f;
    return true;
}

static bool parse_place(struct hd_parse *p, struct hd_ast_loc *loc)
{
    return parse_int(p, &loc->file, "a file number") && parse_int(p, &loc->line, "a line number") &&
           parse_int(p, &loc->column, "a column number");
}

// The last .loc of the function with that place; compilers write a caller's before its callee's. A
// place that no .loc has becomes one.
static uint32_t find_loc(struct hd_parse *p, const struct hd_ast_loc *at)
{
    for (uint32_t i = p->ast->n_locs; i-- > p->first_loc;) {
        const struct hd_ast_loc *l = &p->ast->locs[i];
        if (l->file == at->file && l->line == at->line && l->column == at->column)
            return i;
        if (p->ast->n_locs - i > LOC_SEARCH)
            break;
    }
    *HD_PUSH(p->arena, p->ast->locs, p->ast->n_locs, p->loc_cap) = *at;
    return p->ast->n_locs - 1;
}

// .loc FILE LINE COLUMN [, function_name LABEL [+ N], inlined_at FILE LINE COLUMN]
static bool parse_loc(struct hd_parse *p)
{
    struct hd_ast_loc loc = {.caller = HD_AST_NONE}, at = {.caller = HD_AST_NONE};

    hd_parse_next(p);
    if (!parse_place(p, &loc))
        return false;
    while (hd_parse_accept(p, ',')) {
        struct hd_slice word = p->tok.text;
        if (!hd_parse_expect(p, HD_TOK_WORD, "function_name or inlined_at"))
            return false;
        if (hd_lex_is(word, "inlined_at")) {
            if (!parse_place(p, &at))
                return false;
            loc.caller = find_loc(p, &at);
            loc.depth = p->ast->locs[loc.caller].depth + 1;
            if (loc.depth > HD_PARSE_MAX_DEPTH) // nothing is inlined that deep
                loc.caller = HD_AST_NONE;
            continue;
        }
        hd_parse_accept(p, HD_TOK_WORD); // the label of the function's name
        hd_parse_accept(p, '+');
        hd_parse_accept(p, HD_TOK_INT);
    }
    p->loc = p->ast->n_locs;
    *HD_PUSH(p->arena, p->ast->locs, p->ast->n_locs, p->loc_cap) = loc;
    return true;
}

static bool parse_pragma(struct hd_parse *p)
{
    do {
        hd_parse_next(p);
        if (!hd_parse_expect(p, HD_TOK_STRING, "a pragma in quotes"))
            return false;
    } while (p->tok.kind == ',');
    return hd_parse_expect(p, ';', "';'");
}

// .section .debug_x { ... } or .section NAME { ... }
static bool parse_section(struct hd_parse *p)
{
    hd_parse_next(p);
    if (!hd_parse_accept(p, HD_TOK_DOT) && !hd_parse_expect(p, HD_TOK_WORD, "a section name"))
        return false;
    if (p->tok.kind != '{') {
        hd_parse_expected(p, "'{'");
        return false;
    }
    return hd_parse_skip_braces(p);
}

bool hd_parse_debug(struct hd_parse *p, bool *ok)
{
    if (hd_parse_at_dot(p, "loc"))
        *ok = parse_loc(p);
    else if (hd_parse_at_dot(p, "file"))
        *ok = parse_file(p);
    else if (hd_parse_at_dot(p, "pragma"))
        *ok = parse_pragma(p);
    else if (hd_parse_at_dot(p, "section"))
        *ok = parse_section(p);
    else
        return false;
    return true;
}

// .version MAJOR.MINOR
static bool parse_version(struct hd_parse *p)
{
    hd_parse_next(p);
    return hd_parse_expect(p, HD_TOK_F64, "a version number such as 9.0");
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
        hd_parse_next(p);
        if (!p->target && p->tok.kind == HD_TOK_WORD)
            p->target = target_number(p->tok.text);
        if (!hd_parse_expect(p, HD_TOK_WORD, "a target such as sm_75"))
            return false;
    } while (p->tok.kind == ',');
    return true;
}

static bool parse_address_size(struct hd_parse *p)
{
    struct hd_place_at at;
    uint32_t bits;

    hd_parse_next(p);
    at = hd_parse_place(p);
    if (!parse_int(p, &bits, "an address size"))
        return false;
    if (bits == 64)
        return true;
    hd_parse_error(p, at, "address size %u is not supported, only 64 is", bits);
    return false;
}

static uint32_t product(uint32_t a, uint32_t b)
{
    uint64_t v = (uint64_t)a * b;

    return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

// .maxntid X [, Y [, Z]] and its like.
static bool parse_sizes(struct hd_parse *p, uint32_t *value)
{
    uint32_t n;

    *value = 1;
    do {
        hd_parse_next(p);
        if (!parse_int(p, &n, "a number"))
            return false;
        *value = product(*value, n);
    } while (p->tok.kind == ',');
    return true;
}

// What may stand between a function's header and its body.
static bool parse_func_directives(struct hd_parse *p)
{
    static const char *const sized[] = {"maxnctapersm", "maxclusterrank", "reqnctapercluster",
                                        "abi_preserve", "abi_preserve_control"};
    static const char *const plain[] = {"noreturn", "explicitcluster", "blocksareclusters"};
    uint32_t n;
    bool ok, known;

    while (p->tok.kind == HD_TOK_DOT) {
        if (hd_parse_debug(p, &ok)) {
            if (!ok)
                return false;
            continue;
        }
        if (hd_parse_at_dot(p, "maxntid") || hd_parse_at_dot(p, "reqntid")) {
            if (!parse_sizes(p, &p->fn.max_threads))
                return false;
            continue;
        }
        if (hd_parse_at_dot(p, "minnctapersm")) {
            if (!parse_sizes(p, &p->fn.min_blocks))
                return false;
            continue;
        }
        if (hd_parse_at_dot(p, "maxnreg")) {
            if (!parse_sizes(p, &p->fn.max_regs))
                return false;
            continue;
        }
        known = false;
        for (size_t i = 0; i < sizeof sized / sizeof *sized && !known; i++)
            if (hd_parse_at_dot(p, sized[i])) {
                known = true;
                if (!parse_sizes(p, &n))
                    return false;
            }
        for (size_t i = 0; i < sizeof plain / sizeof *plain && !known; i++)
            if (hd_parse_at_dot(p, plain[i])) {
                known = true;
                hd_parse_next(p);
            }
        if (!known) {
            struct hd_diag_entry *e =
                hd_parse_error(p, hd_parse_place(p), "directive '.%.*s' is not known here",
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
        hd_parse_error(p, p->fn.place, "'%.*s' %s", HD_SLICE_ARG(p->fn.name), how);
        return false;
    }
    if (p->ast->funcs[p->func].has_body && p->fn.has_body) {
        hd_parse_error(p, p->fn.place, "function '%.*s' is defined twice, first at line %u",
                       HD_SLICE_ARG(p->fn.name), p->ast->funcs[p->func].place.line);
        return false;
    }
    return true;
}

static bool parse_func_header(struct hd_parse *p)
{
    hd_parse_next(p);
    while (hd_parse_at_dot(p, "attribute")) { // .attribute(.unified(...))
        hd_parse_next(p);
        for (unsigned open = 0; p->tok.kind != HD_TOK_END; hd_parse_next(p)) {
            open += p->tok.kind == '(';
            if (p->tok.kind == ')' && --open == 0)
                break;
        }
        hd_parse_next(p);
    }
    if (!p->fn.is_kernel && p->tok.kind == '(' &&
        !hd_declare_params(p, &p->fn.first_ret, &p->fn.n_rets))
        return false;
    p->fn.name = p->tok.text;
    p->fn.place = hd_parse_place(p);
    if (!hd_parse_expect(p, HD_TOK_WORD, p->fn.is_kernel ? "a kernel name" : "a function name"))
        return false;
    if (p->tok.kind == '(' && !hd_declare_params(p, &p->fn.first_param, &p->fn.n_params))
        return false;
    return parse_func_directives(p);
}

static bool parse_func(struct hd_parse *p)
{
    bool ok;

    memset(&p->fn, 0, sizeof p->fn);
    p->fn.is_kernel = hd_parse_at_dot(p, "entry");
    p->fn.link = p->link;
    p->fn.module = p->module;
    p->fn.target = p->target;
    p->link = HD_LINK_LOCAL; // of what is inside
    p->insn_cap = p->reg_cap = p->label_cap = 0;
    p->n_labels = 0;
    p->labels = NULL;
    p->loc = HD_AST_NONE;
    p->first_loc = p->ast->n_locs;
    p->scope = hd_names_open(&p->names, 0);
    p->func = p->ast->n_funcs; // where variables of a new function belong
    p->fn.first_var = p->ast->n_vars;
    ok = parse_func_header(p);
    if (ok) {
        p->fn.has_body = p->tok.kind == '{';
        ok = enter_func(p);
        if (ok && p->fn.has_body) {
            p->ast->funcs[p->func] = p->fn; // what a call of itself looks at
            hd_parse_next(p);
            ok = hd_body_parse(p);
            p->fn.end_var = p->ast->n_vars;
            p->ast->funcs[p->func] = p->fn;
        } else if (ok) {
            hd_parse_accept(p, ';');
        }
    }
    if (!ok && p->tok.kind == '{') // an unreadable header: its body would only repeat the trouble
        ok = hd_parse_skip_braces(p);
    p->scope = 0;
    p->func = HD_AST_NONE;
    return ok;
}

static bool at_variable(const struct hd_parse *p)
{
    return hd_parse_at_dot(p, "global") || hd_parse_at_dot(p, "const") ||
           hd_parse_at_dot(p, "shared") || hd_parse_at_dot(p, "local");
}

static bool parse_directive(struct hd_parse *p)
{
    bool is_extern = false, ok = true;

    if (hd_parse_at_dot(p, "version"))
        return parse_version(p);
    if (hd_parse_at_dot(p, "target"))
        return parse_target(p);
    if (hd_parse_at_dot(p, "address_size"))
        return parse_address_size(p);
    if (hd_parse_debug(p, &ok))
        return ok;
    for (p->link = HD_LINK_LOCAL;; hd_parse_next(p)) {
        if (hd_parse_at_dot(p, "extern") || hd_parse_at_dot(p, "visible"))
            p->link = HD_LINK_VISIBLE;
        else if (hd_parse_at_dot(p, "weak"))
            p->link = HD_LINK_WEAK;
        else if (hd_parse_at_dot(p, "common"))
            p->link = HD_LINK_COMMON;
        else
            break;
        is_extern |= hd_parse_at_dot(p, "extern");
    }
    if (hd_parse_at_dot(p, "entry") || hd_parse_at_dot(p, "func"))
        return parse_func(p);
    if (at_variable(p))
        return hd_declare_vars(p, is_extern);
    if (p->tok.kind != HD_TOK_DOT) {
        hd_parse_expected(p, "a directive such as .entry or .global");
        return false;
    }
    struct hd_diag_entry *e = hd_parse_error(
        p, hd_parse_place(p), "directive '.%.*s' is not supported here", HD_SLICE_ARG(p->tok.text));
    hd_diag_nearest(e, hd_arena_strndup(p->arena, p->tok.text.s, p->tok.text.n), directives);
    return false;
}

// Errors between directives: behind the next `;` or { } block.
static void resync_module(struct hd_parse *p)
{
    for (; p->tok.kind != HD_TOK_END; hd_parse_next(p)) {
        if (p->tok.kind == '{') {
            hd_parse_skip_braces(p);
            hd_parse_accept(p, ';');
            return;
        }
        if (p->tok.kind == ';' || hd_parse_accept(p, '}')) { // `}` of broken initial values
            hd_parse_accept(p, ';');
            return;
        }
    }
}

static void parse_module(struct hd_parse *p, const struct hd_text *text, struct hd_diag *d)
{
    p->func = HD_AST_NONE;
    p->scope = p->depth = p->target = 0;
    hd_names_init(&p->names, p->arena);
    hd_lex_init(&p->lex, text->path, text->text, text->bytes, d);
    hd_parse_next(p);
    if (!hd_parse_at_dot(p, "version")) {
        hd_parse_expected(p, "'.version', with which PTX begins");
        return;
    }
    while (p->tok.kind != HD_TOK_END && d->n < HD_DIAG_MAX)
        if (!parse_directive(p))
            resync_module(p);
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
