// lex.h - turns PTX text into tokens, one at a time. The only state is the place in the text, so a
// copy of the struct can look ahead.
#ifndef HEDDLE_PTX_LEX_H
#define HEDDLE_PTX_LEX_H

#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A piece of the PTX text; not NUL-terminated.
struct hd_slice {
    const char *s;
    uint32_t n;
};
#define HD_SLICE(literal) ((struct hd_slice){(literal), sizeof(literal) - 1})
// For "%.*s" in messages; long names are cut to a readable length.
#define HD_SLICE_ARG(slice) ((slice).n < 80 ? (int)(slice).n : 80), (slice).s

bool hd_lex_is(struct hd_slice s, const char *word);

// The kind of a punctuation token is its character; all other tokens have one of these kinds.
enum hd_tok {
    HD_TOK_END = 256,
    HD_TOK_WORD,   // name, opcode, %register
    HD_TOK_DOT,    // .word: directive, type or modifier; the slice is without the dot
    HD_TOK_INT,    // bits is the value
    HD_TOK_F32,    // 0fXXXXXXXX: bits is the pattern
    HD_TOK_F64,    // 0dX... or a decimal number with point or exponent: bits is the pattern
    HD_TOK_STRING, // the slice is without the quotes
    HD_TOK_BAD,    // not PTX; a diagnostic has been added
};

struct hd_token {
    int kind; // enum hd_tok or a character
    struct hd_slice text;
    uint64_t bits;
    uint32_t line, column; // 1-based; a tab is one column
    bool spaced;           // white space or a comment precedes it
};

struct hd_lex {
    const char *at, *end, *line_start;
    uint32_t line;
    const char *path;
    struct hd_diag *diag; // NULL for a look-ahead, which must not report anything
};

void hd_lex_init(struct hd_lex *lx, const char *path, const uint8_t *text, size_t bytes,
                 struct hd_diag *d);
void hd_lex_next(struct hd_lex *lx, struct hd_token *t);
// Reads the token t, a dot and digits that lx has just passed, as a number such as .5 instead.
void hd_lex_float(struct hd_lex *lx, struct hd_token *t);

#endif
