// cpp_scopes.c - follows the braces of C++ text: namespaces, and functions with their attributes.
//
// A body has the attributes of its declaration: those between the last `;` or brace and its `{`. A
// body without any (a lambda, a local class) has those of the body around it.
#include "cc/cpp_scopes.h"

#include <string.h>

struct scope { // as it was before its brace
    bool space;
    uint8_t inside, seen;
    size_t parens;
};

struct walk {
    const struct hd_cpp_tokens *t;
    struct hd_arena *arena;
    struct hd_cpp_scopes *out;
    struct scope *stack;
    size_t n, cap;
    struct scope now;
    size_t start; // of the declaration, if in a namespace
};

static bool is_mark(const struct hd_cpp_tokens *t, size_t i, const char *marks)
{
    return i < t->n && t->items[i].kind == HD_CPP_MARK && strchr(marks, t->text[t->items[i].at]);
}

static uint8_t attribute(const struct hd_cpp_tokens *t, size_t i)
{
    if (hd_cpp_tokens_is(t, i, "global") || hd_cpp_tokens_is(t, i, "__global__"))
        return HD_CPP_GLOBAL | HD_CPP_DEVICE;
    if (hd_cpp_tokens_is(t, i, "device") || hd_cpp_tokens_is(t, i, "__device__"))
        return HD_CPP_DEVICE;
    return hd_cpp_tokens_is(t, i, "host") || hd_cpp_tokens_is(t, i, "__host__") ? HD_CPP_HOST : 0;
}

// Of the __attribute__ at i.
static uint8_t attributes(const struct hd_cpp_tokens *t, size_t i)
{
    uint8_t found = 0;

    if (!hd_cpp_tokens_is(t, i + 1, "("))
        return 0;
    for (size_t end = hd_cpp_tokens_close(t, i + 1); i < end; i++)
        found |= attribute(t, i);
    return found;
}

// The brace at `brace` opens a namespace or a block of extern "C".
static bool is_namespace(const struct hd_cpp_tokens *t, size_t start, size_t brace)
{
    if (hd_cpp_tokens_is(t, start, "extern"))
        return brace == start + 2;
    return hd_cpp_tokens_is(t, start, "namespace") ||
           (hd_cpp_tokens_is(t, start, "inline") && hd_cpp_tokens_is(t, start + 1, "namespace"));
}

static void end_declaration(struct walk *w, size_t i)
{
    if (w->now.space && w->now.seen & HD_CPP_GLOBAL)
        *HD_PUSH(w->arena, w->out->kernels, w->out->n_kernels, w->out->cap_kernels) =
            (struct hd_cpp_kernel){w->start, i};
}

static void open(struct walk *w, size_t i)
{
    bool space = w->now.space && is_namespace(w->t, w->start, i);

    if (!space)
        end_declaration(w, i);
    *HD_PUSH(w->arena, w->stack, w->n, w->cap) = w->now;
    w->now = (struct scope){.space = space, .inside = w->now.seen ? w->now.seen : w->now.inside};
    w->start = i + 1;
}

static void close(struct walk *w, size_t i)
{
    if (!w->n)
        return;
    w->now = w->stack[--w->n];
    // A member's initialiser, or an expression: what it stands in goes on.
    if (w->now.parens || is_mark(w->t, i + 1, ",{"))
        return;
    w->now.seen = 0;
    w->start = i + 1;
}

void hd_cpp_scopes_find(struct hd_arena *a, const struct hd_cpp_tokens *t,
                        struct hd_cpp_scopes *out)
{
    struct walk w = {.t = t, .arena = a, .out = out, .now.space = true};

    *out = (struct hd_cpp_scopes){.inside = HD_ARRAY(a, uint8_t, t->n + 1)};
    for (size_t i = 0; i < t->n; i++) {
        out->inside[i] = w.now.inside;
        if (t->items[i].kind == HD_CPP_WORD && hd_cpp_tokens_is(t, i, "__attribute__")) {
            w.now.seen |= attributes(t, i);
        } else if (is_mark(t, i, "(")) {
            w.now.parens++;
        } else if (is_mark(t, i, ")") && w.now.parens) {
            w.now.parens--;
        } else if (is_mark(t, i, "{")) {
            open(&w, i);
        } else if (is_mark(t, i, "}")) {
            close(&w, i);
        } else if (is_mark(t, i, ";") && !w.now.parens) {
            end_declaration(&w, i);
            w.now.seen = 0;
            w.start = i + 1;
        }
    }
}
