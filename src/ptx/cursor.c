// cursor.c - the parser's place in the text: the current token, looking one token ahead, messages
// about it, and recovery after an error.
#include "ptx/parse.h"

#include <stdarg.h>

void hd_cursor_next(struct hd_parse *p)
{
    hd_lex_next(&p->lex, &p->tok);
}

struct hd_token hd_cursor_peek(const struct hd_parse *p)
{
    struct hd_lex ahead = p->lex;
    struct hd_token t;

    ahead.diag = NULL;
    hd_lex_next(&ahead, &t);
    return t;
}

struct hd_place_at hd_cursor_place(const struct hd_parse *p)
{
    return (struct hd_place_at){p->tok.line, p->tok.column};
}

struct hd_diag_entry *hd_cursor_error(struct hd_parse *p, struct hd_place_at at, const char *fmt,
                                      ...)
{
    char text[HD_DIAG_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    return hd_diag_add(p->lex.diag, p->lex.path, at.line, at.column, "%s", text);
}

void hd_cursor_expected(struct hd_parse *p, const char *what)
{
    const struct hd_token *t = &p->tok;
    const char *dot = t->kind == HD_TOK_DOT ? "." : "";

    if (t->kind == HD_TOK_BAD)
        return;
    if (t->kind == HD_TOK_END)
        hd_cursor_error(p, hd_cursor_place(p), "expected %s, found the end of the text", what);
    else
        hd_cursor_error(p, hd_cursor_place(p), "expected %s, found '%s%.*s'", what, dot,
                        HD_SLICE_ARG(t->text));
}

bool hd_cursor_accept(struct hd_parse *p, int kind)
{
    if (p->tok.kind != kind)
        return false;
    hd_cursor_next(p);
    return true;
}

bool hd_cursor_expect(struct hd_parse *p, int kind, const char *what)
{
    if (hd_cursor_accept(p, kind))
        return true;
    hd_cursor_expected(p, what);
    return false;
}

bool hd_cursor_at_dot(const struct hd_parse *p, const char *word)
{
    return p->tok.kind == HD_TOK_DOT && hd_lex_is(p->tok.text, word);
}

bool hd_cursor_int(struct hd_parse *p, uint32_t *value, const char *what)
{
    if (p->tok.kind != HD_TOK_INT) {
        hd_cursor_expected(p, what);
        return false;
    }
    if (p->tok.bits > UINT32_MAX) {
        hd_cursor_error(p, hd_cursor_place(p), "%s is larger than 32 bits", what);
        return false;
    }
    *value = (uint32_t)p->tok.bits;
    hd_cursor_next(p);
    return true;
}

void hd_cursor_resync(struct hd_parse *p)
{
    for (unsigned open = 0; p->tok.kind != HD_TOK_END; hd_cursor_next(p)) {
        if (p->tok.kind == '{') {
            open++;
        } else if (p->tok.kind == '}') {
            if (open == 0)
                return;
            open--;
        } else if (p->tok.kind == ';' && open == 0) {
            hd_cursor_next(p);
            return;
        }
    }
}

bool hd_cursor_skip_braces(struct hd_parse *p)
{
    struct hd_place_at start = hd_cursor_place(p);
    unsigned open = 0;

    for (; p->tok.kind != HD_TOK_END; hd_cursor_next(p)) {
        if (p->tok.kind == '{')
            open++;
        else if (p->tok.kind == '}' && --open == 0) {
            hd_cursor_next(p);
            return true;
        }
    }
    hd_cursor_error(p, start, "'{' without its '}'");
    return false;
}
