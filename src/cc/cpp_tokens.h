// cpp_tokens.h - the tokens of C++ text that the preprocessor has written.
//
// The folder cc/ prepares CUDA texts for clang, which has no launches in device code: cpp_tokens.c
// reads tokens, cpp_scopes.c finds device code and declarations of kernels, kernel_names.c what
// those say, launches.c rewrites. None of them understands C++: they know brackets and a few words,
// and leave to the compiler what they do not recognise, so that its messages appear.
#ifndef HEDDLE_CC_CPP_TOKENS_H
#define HEDDLE_CC_CPP_TOKENS_H

#include "base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_cpp_kind {
    HD_CPP_WORD, // a name or keyword
    HD_CPP_NUMBER,
    HD_CPP_TEXT, // a string or character, with its prefix
    HD_CPP_MARK, // one character of punctuation: `<<<` is three of them
};

struct hd_cpp_token {
    uint32_t at, n; // bytes of the text
    uint8_t kind;   // enum hd_cpp_kind
};

struct hd_cpp_tokens {
    const char *text;
    struct hd_cpp_token *items;
    size_t n, cap;
};

// Line markers and pragmas are left out.
void hd_cpp_tokens_read(struct hd_arena *a, const char *text, size_t bytes,
                        struct hd_cpp_tokens *out);

// Token i is this word or mark. False after the last one.
bool hd_cpp_tokens_is(const struct hd_cpp_tokens *t, size_t i, const char *what);
bool hd_cpp_tokens_same(const struct hd_cpp_tokens *t, size_t i, size_t j);
// Tokens i to i + 2 are this mark, without a blank between them: `<<<`.
bool hd_cpp_tokens_thrice(const struct hd_cpp_tokens *t, size_t i, char mark);

// i is a bracket that opens: the one that closes it, t->n if none does. hd_cpp_tokens_angle is for
// a
// `<` of a template.
size_t hd_cpp_tokens_close(const struct hd_cpp_tokens *t, size_t i);
size_t hd_cpp_tokens_angle(const struct hd_cpp_tokens *t, size_t i);
// i is the `>` of a template: its `<`, or SIZE_MAX.
size_t hd_cpp_tokens_angle_back(const struct hd_cpp_tokens *t, size_t i);

// The end of the argument or parameter that begins at i: its comma, or `to`.
size_t hd_cpp_tokens_comma(const struct hd_cpp_tokens *t, size_t i, size_t to);

// The tokens [from, to) in one line.
char *hd_cpp_tokens_line(struct hd_arena *a, const struct hd_cpp_tokens *t, size_t from, size_t to);

#endif
