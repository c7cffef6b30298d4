// lex.c - the PTX lexer. PTX ISA 9.0, chapter 4 "Syntax".
//
// The lexer is safe on any bytes. What is not PTX becomes an HD_TOK_BAD token with one diagnostic,
// and every call before the end of the text moves forward. Pre-processor lines are not supported
// (compilers remove them). A number without a digit before the point (".5") reads as a modifier,
// until the parser, which knows where modifiers may stand, calls hd_lex_float.
#include "ptx/lex.h"

#include <stdlib.h>
#include <string.h>

bool hd_lex_is(struct hd_slice s, const char *word)
{
    return strlen(word) == s.n && !memcmp(s.s, word, s.n);
}

void hd_lex_init(struct hd_lex *lx, const char *path, const uint8_t *text, size_t bytes,
                 struct hd_diag *d)
{
    lx->at = lx->line_start = (const char *)text;
    lx->end = lx->at + bytes;
    lx->line = 1;
    lx->path = path;
    lx->diag = d;
}

static bool letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool follows(char c) // "followsym" of the specification
{
    return letter(c) || digit(c) || c == '_' || c == '$';
}

static int hex_value(char c)
{
    return digit(c)               ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

static char peek(const struct hd_lex *lx, size_t ahead)
{
    return (size_t)(lx->end - lx->at) > ahead ? lx->at[ahead] : '\0';
}

static uint32_t column_of(const struct hd_lex *lx, const char *at)
{
    return (uint32_t)(at - lx->line_start) + 1;
}

static void bad(struct hd_lex *lx, struct hd_token *t, const char *text)
{
    t->kind = HD_TOK_BAD;
    if (lx->diag)
        hd_diag_add(lx->diag, lx->path, t->line, t->column, "%s", text);
}

static void skip_block_comment(struct hd_lex *lx)
{
    struct hd_token start = {.line = lx->line, .column = column_of(lx, lx->at)};

    for (lx->at += 2; lx->at < lx->end; lx->at++) {
        if (*lx->at == '*' && peek(lx, 1) == '/') {
            lx->at += 2;
            return;
        }
        if (*lx->at == '\n') {
            lx->line++;
            lx->line_start = lx->at + 1;
        }
    }
    bad(lx, &start, "comment without its end: */ is missing");
}

// Skip white space and comments. True if there were any.
static bool skip_space(struct hd_lex *lx)
{
    const char *start = lx->at;

    while (lx->at < lx->end) {
        char c = *lx->at;
        if (c == '\n') {
            lx->line++;
            lx->line_start = ++lx->at;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            lx->at++;
        } else if (c == '/' && peek(lx, 1) == '/') {
            const char *nl = memchr(lx->at, '\n', (size_t)(lx->end - lx->at));
            lx->at = nl ? nl : lx->end;
        } else if (c == '/' && peek(lx, 1) == '*') {
            skip_block_comment(lx);
        } else {
            break;
        }
    }
    return lx->at != start;
}

static void finish(struct hd_lex *lx, struct hd_token *t, int kind, const char *start)
{
    t->kind = kind;
    t->text.s = start;
    t->text.n = (uint32_t)(lx->at - start);
}

// 0f and 0d: the bit pattern of a float in exactly 8 or 16 hexadecimal digits.
static void lex_float_bits(struct hd_lex *lx, struct hd_token *t, const char *start, bool wide)
{
    unsigned n = 0, want = wide ? 16 : 8;

    for (lx->at += 2; lx->at < lx->end && hex_value(*lx->at) < 16; lx->at++, n++)
        t->bits = t->bits << 4 | (unsigned)hex_value(*lx->at);
    if (n != want || follows(peek(lx, 0))) {
        while (follows(peek(lx, 0)))
            lx->at++;
        bad(lx, t,
            wide ? "0d is followed by 16 hexadecimal digits"
                 : "0f is followed by 8 hexadecimal digits");
        return;
    }
    finish(lx, t, wide ? HD_TOK_F64 : HD_TOK_F32, start);
}

static void lex_decimal_float(struct hd_lex *lx, struct hd_token *t, const char *start)
{
    char buf[64];
    double value;

    while (digit(peek(lx, 0)) || peek(lx, 0) == '.')
        lx->at++;
    if (peek(lx, 0) == 'e' || peek(lx, 0) == 'E') {
        lx->at++;
        if (peek(lx, 0) == '+' || peek(lx, 0) == '-')
            lx->at++;
        while (digit(peek(lx, 0)))
            lx->at++;
    }
    size_t n = (size_t)(lx->at - start);
    bool whole = false;
    if (n < sizeof buf) {
        char *end;
        memcpy(buf, start, n);
        buf[n] = '\0';
        value = strtod(buf, &end);
        memcpy(&t->bits, &value, sizeof value);
        whole = end == buf + n;
    }
    if (!whole || follows(peek(lx, 0)))
        bad(lx, t, "malformed floating-point constant");
    else
        finish(lx, t, HD_TOK_F64, start);
}

// True if a decimal number starting here has a point or an exponent.
static bool looks_like_float(const struct hd_lex *lx)
{
    const char *p = lx->at;

    while (p < lx->end && digit(*p))
        p++;
    if (p < lx->end && *p == '.')
        return p + 1 == lx->end || digit(p[1]) || !follows(p[1]);
    return p < lx->end && (*p == 'e' || *p == 'E');
}

static void lex_number(struct hd_lex *lx, struct hd_token *t)
{
    const char *start = lx->at;
    char second = peek(lx, 1);
    unsigned base = 10;
    bool overflow = false;

    if (*start == '0' && (second == 'f' || second == 'F')) {
        lex_float_bits(lx, t, start, false);
        return;
    }
    if (*start == '0' && (second == 'd' || second == 'D')) {
        lex_float_bits(lx, t, start, true);
        return;
    }
    if (*start == '0' && (second == 'x' || second == 'X'))
        base = 16;
    else if (*start == '0' && (second == 'b' || second == 'B'))
        base = 2;
    else if (looks_like_float(lx)) {
        lex_decimal_float(lx, t, start);
        return;
    } else if (*start == '0')
        base = 8;
    if (base == 16 || base == 2)
        lx->at += 2;
    const char *digits = lx->at;
    for (; lx->at < lx->end && hex_value(*lx->at) < (int)base; lx->at++) {
        unsigned v = (unsigned)hex_value(*lx->at);
        overflow |= t->bits > (UINT64_MAX - v) / base;
        t->bits = t->bits * base + v;
    }
    bool empty = lx->at == digits;
    if (peek(lx, 0) == 'U')
        lx->at++;
    if (empty || follows(peek(lx, 0))) {
        while (follows(peek(lx, 0)))
            lx->at++;
        bad(lx, t, "malformed number");
    } else if (overflow) {
        bad(lx, t, "number does not fit into 64 bits");
    } else {
        finish(lx, t, HD_TOK_INT, start);
    }
}

static void lex_string(struct hd_lex *lx, struct hd_token *t)
{
    const char *start = ++lx->at;

    while (lx->at < lx->end && *lx->at != '"' && *lx->at != '\n')
        lx->at += *lx->at == '\\' && peek(lx, 1) == '"' ? 2 : 1;
    if (lx->at >= lx->end || *lx->at != '"') {
        bad(lx, t, "string without its end: \" is missing");
        return;
    }
    finish(lx, t, HD_TOK_STRING, start);
    lx->at++;
}

// Names and dotted words; the latter may hold "::" (.L2::128B).
static void lex_word(struct hd_lex *lx, struct hd_token *t)
{
    const char *start = lx->at;
    bool dotted = *start == '.';

    lx->at++;
    for (;;) {
        while (follows(peek(lx, 0)))
            lx->at++;
        if (!dotted || peek(lx, 0) != ':' || peek(lx, 1) != ':' || !follows(peek(lx, 2)))
            break;
        lx->at += 2;
    }
    finish(lx, t, dotted ? HD_TOK_DOT : HD_TOK_WORD, dotted ? start + 1 : start);
}

static void lex_stray(struct hd_lex *lx, struct hd_token *t)
{
    char text[] = "stray character ' '\0";
    char *shown = text + sizeof "stray character " - 1;
    unsigned char c = (unsigned char)*lx->at++;

    if (c > 0x20 && c < 0x7f) {
        shown[1] = (char)c;
    } else {
        memcpy(shown, "0x00", 4);
        shown[2] = "0123456789abcdef"[c >> 4];
        shown[3] = "0123456789abcdef"[c & 15];
    }
    bad(lx, t, text);
}

void hd_lex_float(struct hd_lex *lx, struct hd_token *t)
{
    lx->at = t->text.s - 1; // the dot
    t->bits = 0;
    lex_decimal_float(lx, t, lx->at);
}

void hd_lex_next(struct hd_lex *lx, struct hd_token *t)
{
    memset(t, 0, sizeof *t);
    t->spaced = skip_space(lx);
    t->line = lx->line;
    t->column = column_of(lx, lx->at);
    if (lx->at >= lx->end) {
        finish(lx, t, HD_TOK_END, lx->at);
        return;
    }
    char c = *lx->at;
    if (digit(c))
        lex_number(lx, t);
    else if (letter(c) || c == '_' || c == '$' || ((c == '%' || c == '.') && follows(peek(lx, 1))))
        lex_word(lx, t);
    else if (c == '"')
        lex_string(lx, t);
    else if (c && strchr("()[]{}<>,;:@!|=+-*/%&^~?.", c)) {
        lx->at++;
        finish(lx, t, c, lx->at - 1);
    } else
        lex_stray(lx, t);
}
