// debug_info.c - directives that may occur anywhere and describe the text rather than compute:
// .file, .loc, .section and .pragma. PTX ISA 9.0, chapters 11.5 "Debugging directives" and 11.4
// "Performance-tuning directives".
#include "ptx/parse.h"

#define LOC_SEARCH 1000 // .loc directives in which the caller of an inlined function is searched

// .file NUMBER "name" [, timestamp, size]
static bool parse_file(struct hd_parse *p)
{
    struct hd_ast_file f = {.module = p->module};
    uint32_t ignored;

    hd_cursor_next(p);
    if (!hd_cursor_int(p, &f.number, "a file number"))
        return false;
    f.name = p->tok.text;
    if (!hd_cursor_expect(p, HD_TOK_STRING, "a file name in quotes"))
        return false;
    while (hd_cursor_accept(p, ','))
        if (!hd_cursor_int(p, &ignored, "a number"))
            return false;
    *HD_PUSH(p->arena, p->ast->files, p->ast->n_files, p->file_cap) = f;
    return true;
}

static bool parse_place(struct hd_parse *p, struct hd_ast_loc *loc)
{
    return hd_cursor_int(p, &loc->file, "a file number") &&
           hd_cursor_int(p, &loc->line, "a line number") &&
           hd_cursor_int(p, &loc->column, "a column number");
}

// The last .loc of the function with that place. Compilers write the .loc of a caller before that
// of its callee. If there is none, it is added.
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

    hd_cursor_next(p);
    if (!parse_place(p, &loc))
        return false;
    while (hd_cursor_accept(p, ',')) {
        struct hd_slice word = p->tok.text;
        if (!hd_cursor_expect(p, HD_TOK_WORD, "function_name or inlined_at"))
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
        hd_cursor_accept(p, HD_TOK_WORD); // the label of the function's name
        hd_cursor_accept(p, '+');
        hd_cursor_accept(p, HD_TOK_INT);
    }
    p->loc = p->ast->n_locs;
    *HD_PUSH(p->arena, p->ast->locs, p->ast->n_locs, p->loc_cap) = loc;
    return true;
}

// "nounroll" in a body applies to the loop that begins with the next instruction. Between a
// function's header and its body it applies to all its loops, and at module level to all loops of
// the module, including those before it.
static void keep_nounroll(struct hd_parse *p)
{
    if (p->func == HD_AST_NONE)
        p->module_nounroll = true;
    else if (p->fn.has_body)
        p->nounroll = true;
    else
        p->fn.nounroll = true;
}

// .pragma "STRING", ...; Other strings have no effect.
static bool parse_pragma(struct hd_parse *p)
{
    do {
        hd_cursor_next(p);
        if (p->tok.kind == HD_TOK_STRING && hd_lex_is(p->tok.text, "nounroll"))
            keep_nounroll(p);
        if (!hd_cursor_expect(p, HD_TOK_STRING, "a pragma in quotes"))
            return false;
    } while (p->tok.kind == ',');
    return hd_cursor_expect(p, ';', "';'");
}

// .section .debug_x { ... } or .section NAME { ... }
static bool parse_section(struct hd_parse *p)
{
    hd_cursor_next(p);
    if (!hd_cursor_accept(p, HD_TOK_DOT) && !hd_cursor_expect(p, HD_TOK_WORD, "a section name"))
        return false;
    if (p->tok.kind != '{') {
        hd_cursor_expected(p, "'{'");
        return false;
    }
    return hd_cursor_skip_braces(p);
}

bool hd_debug_info_parse(struct hd_parse *p, bool *ok)
{
    if (hd_cursor_at_dot(p, "loc"))
        *ok = parse_loc(p);
    else if (hd_cursor_at_dot(p, "file"))
        *ok = parse_file(p);
    else if (hd_cursor_at_dot(p, "pragma"))
        *ok = parse_pragma(p);
    else if (hd_cursor_at_dot(p, "section"))
        *ok = parse_section(p);
    else
        return false;
    return true;
}
