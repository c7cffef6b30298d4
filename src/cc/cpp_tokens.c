// cpp_tokens.c - the tokens of C++ text that the preprocessor has written: strings, also raw ones,
// numbers with apostrophes, names, and single characters of punctuation.
#include "cc/cpp_tokens.h"

#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Bytes above 127 are parts of names.
static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           is_digit(c) || (unsigned char)c > 127;
}

static size_t line_end(const char *s, size_t i, size_t n)
{
    const char *end = memchr(s + i, '\n', n - i);

    return end ? (size_t)(end - s) : n;
}

// The end of the string or character that begins at i. What is not closed ends with its line.
static size_t quoted(const char *s, size_t i, size_t n)
{
    char quote = s[i];

    for (i++; i < n && s[i] != '\n'; i++) {
        if (s[i] == quote)
            return i + 1;
        if (s[i] == '\\' && i + 1 < n)
            i++;
    }
    return i;
}

// The end of the raw string whose quotation mark stands at i: "WORD( ... )WORD".
static size_t raw(const char *s, size_t i, size_t n)
{
    size_t word = i + 1, open = word;

    while (open < n && s[open] != '(' && s[open] != '\n')
        open++;
    size_t length = open - word;
    for (size_t j = open; j + length + 1 < n; j++)
        if (s[j] == ')' && !memcmp(s + j + 1, s + word, length) && s[j + 1 + length] == '"')
            return j + length + 2;
    return n;
}

static size_t number(const char *s, size_t i, size_t n)
{
    for (; i < n; i++) {
        bool sign = (s[i] == '+' || s[i] == '-') && strchr("eEpP", s[i - 1]);
        bool apostrophe = s[i] == '\'' && i + 1 < n && is_word(s[i + 1]);
        if (!is_word(s[i]) && s[i] != '.' && !sign && !apostrophe)
            break;
    }
    return i;
}

static bool is_prefix(const char *s, size_t n)
{
    static const char *const prefixes[] = {"L", "u", "U", "u8", "R", "LR", "uR", "UR", "u8R"};

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strlen(prefixes[i]) == n && !memcmp(prefixes[i], s, n))
            return true;
    return false;
}

// The token at i, which is no blank.
static struct hd_cpp_token token(const char *s, size_t i, size_t n)
{
    enum hd_cpp_kind kind = HD_CPP_MARK;
    size_t end = i + 1;

    if (s[i] == '"' || s[i] == '\'') {
        kind = HD_CPP_TEXT;
        end = quoted(s, i, n);
    } else if (is_digit(s[i]) || (s[i] == '.' && i + 1 < n && is_digit(s[i + 1]))) {
        kind = HD_CPP_NUMBER;
        end = number(s, i + 1, n);
    } else if (is_word(s[i])) {
        kind = HD_CPP_WORD;
        while (end < n && is_word(s[end]))
            end++;
        if (end < n && (s[end] == '"' || s[end] == '\'') && is_prefix(s + i, end - i)) {
            kind = HD_CPP_TEXT;
            end = s[end - 1] == 'R' ? raw(s, end, n) : quoted(s, end, n);
        }
    }
    return (struct hd_cpp_token){(uint32_t)i, (uint32_t)(end - i), (uint8_t)kind};
}

void hd_cpp_tokens_read(struct hd_arena *a, const char *text, size_t bytes,
                        struct hd_cpp_tokens *out)
{
    bool fresh = true; // only blanks stand before it in its line

    *out = (struct hd_cpp_tokens){.text = text};
    for (size_t i = 0; i < bytes;) {
        if (text[i] == '\n' || text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) {
            fresh = fresh || text[i] == '\n';
            i++;
        } else if (text[i] == '#' && fresh) {
            i = line_end(text, i, bytes);
        } else {
            struct hd_cpp_token t = token(text, i, bytes);
            *HD_PUSH(a, out->items, out->n, out->cap) = t;
            fresh = false;
            i += t.n;
        }
    }
}

bool hd_cpp_tokens_is(const struct hd_cpp_tokens *t, size_t i, const char *what)
{
    if (i >= t->n)
        return false;
    const struct hd_cpp_token *k = &t->items[i];
    return strlen(what) == k->n && !memcmp(t->text + k->at, what, k->n);
}

bool hd_cpp_tokens_same(const struct hd_cpp_tokens *t, size_t i, size_t j)
{
    const struct hd_cpp_token *x = &t->items[i], *y = &t->items[j];

    return x->n == y->n && !memcmp(t->text + x->at, t->text + y->at, x->n);
}

bool hd_cpp_tokens_thrice(const struct hd_cpp_tokens *t, size_t i, char mark)
{
    if (i + 3 > t->n)
        return false;
    for (size_t j = i; j < i + 3; j++)
        if (t->items[j].kind != HD_CPP_MARK || t->text[t->items[j].at] != mark ||
            t->items[j].at != t->items[i].at + (j - i))
            return false;
    return true;
}

// The mark at i, 0 if it is another token.
static char mark_at(const struct hd_cpp_tokens *t, size_t i)
{
    return t->items[i].kind == HD_CPP_MARK ? t->text[t->items[i].at] : '\0';
}

size_t hd_cpp_tokens_close(const struct hd_cpp_tokens *t, size_t i)
{
    size_t depth = 0;

    for (; i < t->n; i++) {
        char c = mark_at(t, i);
        if (c == '(' || c == '[' || c == '{')
            depth++;
        else if ((c == ')' || c == ']' || c == '}') && !--depth)
            break;
    }
    return i;
}

size_t hd_cpp_tokens_angle(const struct hd_cpp_tokens *t, size_t i)
{
    size_t depth = 0;

    for (; i < t->n; i++) {
        char c = mark_at(t, i);
        bool arrow = c == '>' && mark_at(t, i - 1) == '-';
        if (c == '(' || c == '[' || c == '{')
            i = hd_cpp_tokens_close(t, i);
        else if (c == ';')
            return t->n;
        else if (c == '<')
            depth++;
        else if (c == '>' && !arrow && !--depth)
            break;
    }
    return i < t->n ? i : t->n;
}

size_t hd_cpp_tokens_angle_back(const struct hd_cpp_tokens *t, size_t i)
{
    size_t angles = 0, brackets = 0;

    for (;; i--) {
        char c = mark_at(t, i);
        if (c == ')' || c == ']' || c == '}')
            brackets++;
        else if ((c == '(' || c == '[' || c == '{') && !brackets--)
            return SIZE_MAX;
        else if (c == ';' && !brackets)
            return SIZE_MAX;
        else if (c == '>' && !brackets)
            angles++;
        else if (c == '<' && !brackets && !--angles)
            return i;
        if (!i)
            return SIZE_MAX;
    }
}

size_t hd_cpp_tokens_comma(const struct hd_cpp_tokens *t, size_t i, size_t to)
{
    for (; i < to && !hd_cpp_tokens_is(t, i, ","); i++) {
        char c = mark_at(t, i);
        size_t end = i;
        if (c == '(' || c == '[' || c == '{')
            end = hd_cpp_tokens_close(t, i);
        else if (c == '<' && t->items[i - 1].kind == HD_CPP_WORD)
            end = hd_cpp_tokens_angle(t, i);
        i = end < to ? end : i;
    }
    return i;
}

char *hd_cpp_tokens_line(struct hd_arena *a, const struct hd_cpp_tokens *t, size_t from, size_t to)
{
    size_t bytes = 1;

    for (size_t i = from; i < to; i++)
        bytes += t->items[i].n + 1;
    char *line = hd_arena_get(a, bytes, 1), *end = line;
    for (size_t i = from; i < to; i++) {
        const struct hd_cpp_token *k = &t->items[i];
        if (i > from && t->items[i - 1].at + t->items[i - 1].n != k->at)
            *end++ = ' ';
        memcpy(end, t->text + k->at, k->n);
        end += k->n;
    }
    return line;
}
