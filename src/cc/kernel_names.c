// kernel_names.c - reads declarations of kernels, and writes the functions that choose among
// templates and overloads by their arguments.
#include "cc/kernel_names.h"

#include <string.h>

static bool is_word(const struct hd_cpp_tokens *t, size_t i)
{
    return i < t->n && t->items[i].kind == HD_CPP_WORD;
}

// The bracket that opens the parameters, k->end if there is none.
static size_t params_of(const struct hd_cpp_tokens *t, size_t i, size_t end)
{
    for (; i < end; i++) {
        if (hd_cpp_tokens_is(t, i, "__attribute__") || hd_cpp_tokens_is(t, i, "alignas")) {
            if (hd_cpp_tokens_is(t, i + 1, "("))
                i = hd_cpp_tokens_close(t, i + 1);
        } else if (hd_cpp_tokens_is(t, i, "[")) {
            i = hd_cpp_tokens_close(t, i);
        } else if (hd_cpp_tokens_is(t, i, "(")) {
            return i;
        }
    }
    return end;
}

// False for friends, explicit instantiations and specialisations: they declare no new name.
static bool read_name(const struct hd_cpp_tokens *t, const struct hd_cpp_kernel *from,
                      struct hd_kernel_name *out)
{
    size_t i = from->start, open;

    *out = (struct hd_kernel_name){.start = i, .end = from->end, .header = i, .rest = i};
    if (hd_cpp_tokens_is(t, i, "template")) {
        size_t angle = hd_cpp_tokens_is(t, i + 1, "<") ? hd_cpp_tokens_angle(t, i + 1) : from->end;
        if (angle >= from->end || angle == i + 2 || hd_cpp_tokens_is(t, angle + 1, "template"))
            return false;
        out->rest = angle + 1;
    }
    if (hd_cpp_tokens_is(t, out->rest, "friend"))
        return false;
    open = params_of(t, out->rest, from->end);
    if (open >= from->end || open <= out->rest || !is_word(t, open - 1))
        return false;
    out->name = open - 1;
    out->qualified = out->name && hd_cpp_tokens_is(t, out->name - 1, ":");
    out->params = open + 1;
    out->closing = hd_cpp_tokens_close(t, open);
    return out->closing <= from->end;
}

static bool same_params(const struct hd_cpp_tokens *t, const struct hd_kernel_name *x,
                        const struct hd_kernel_name *y)
{
    if (x->closing - x->params != y->closing - y->params)
        return false;
    for (size_t i = 0; i < x->closing - x->params; i++)
        if (!hd_cpp_tokens_same(t, x->params + i, y->params + i))
            return false;
    return true;
}

void hd_kernel_names_find(struct hd_arena *a, const struct hd_cpp_tokens *t,
                          const struct hd_cpp_scopes *s, struct hd_kernel_names *out)
{
    *out = (struct hd_kernel_names){0};
    for (size_t i = 0; i < s->n_kernels; i++) {
        struct hd_kernel_name k;
        if (read_name(t, &s->kernels[i], &k))
            *HD_PUSH(a, out->items, out->n, out->cap) = k;
    }
    for (size_t i = 0; i < out->n; i++)
        for (size_t j = 0; j < out->n; j++) {
            struct hd_kernel_name *x = &out->items[i], *y = &out->items[j];
            if (hd_cpp_tokens_same(t, x->name, y->name) &&
                (y->rest > y->header || !same_params(t, x, y)))
                x->chosen = true;
        }
}

struct hd_kernel_name *hd_kernel_names_at(const struct hd_kernel_names *k,
                                          const struct hd_cpp_tokens *t, size_t token)
{
    for (size_t i = 0; i < k->n; i++)
        if (hd_cpp_tokens_same(t, k->items[i].name, token))
            return &k->items[i];
    return NULL;
}

size_t hd_kernel_names_default(const struct hd_cpp_tokens *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        size_t end = i;
        if (hd_cpp_tokens_is(t, i, "="))
            return i;
        if (hd_cpp_tokens_is(t, i, "(") || hd_cpp_tokens_is(t, i, "["))
            end = hd_cpp_tokens_close(t, i);
        else if (hd_cpp_tokens_is(t, i, "<") && i > from)
            end = hd_cpp_tokens_angle(t, i);
        i = end < to ? end : i;
    }
    return to;
}

// Parameters without their defaults.
static const char *plain(struct hd_arena *a, const struct hd_cpp_tokens *t, size_t from, size_t to)
{
    const char *line = "";

    for (size_t i = from; i < to;) {
        size_t end = hd_cpp_tokens_comma(t, i, to);
        line = hd_arena_printf(a, "%s%s%s", line, i > from ? ", " : "",
                               hd_cpp_tokens_line(a, t, i, hd_kernel_names_default(t, i, end)));
        i = end + 1;
    }
    return line;
}

// Words that are no name at the end of a template's parameter.
static bool is_type(const struct hd_cpp_tokens *t, size_t i)
{
    static const char *const types[] = {"class", "typename", "int",  "unsigned", "signed",
                                        "long",  "short",    "bool", "char",     "auto",
                                        "const", "char8_t",  NULL};

    for (size_t j = 0; types[j]; j++)
        if (hd_cpp_tokens_is(t, i, types[j]))
            return true;
    return false;
}

// The name of the template's parameter [from, to), which has no default; SIZE_MAX if it has none.
static size_t parameter_name(const struct hd_cpp_tokens *t, size_t from, size_t to)
{
    for (size_t i = from + 2; i + 1 < to; i++) // void (*name)(int)
        if (is_word(t, i) && hd_cpp_tokens_is(t, i + 1, ")") &&
            (hd_cpp_tokens_is(t, i - 1, "*") || hd_cpp_tokens_is(t, i - 1, "&")))
            return i;
    bool named = to > from + 1 && is_word(t, to - 1) && !is_type(t, to - 1) &&
                 !hd_cpp_tokens_is(t, to - 2, ":");
    return named ? to - 1 : SIZE_MAX;
}

struct header {                   // of a template
    const char *defaults, *plain; // template <...>, with default arguments and without
    const char *arguments;        // its parameters' names: <A, B...>
};

// Parameters without a name get one.
static struct header read_header(struct hd_arena *a, const struct hd_cpp_tokens *t,
                                 const struct hd_kernel_name *k)
{
    struct header h = {"template <", "template <", "<"};
    size_t to = k->rest - 1;

    if (k->rest == k->header)
        return (struct header){"", "", ""};
    for (size_t i = k->header + 2, n = 0; i < to; n++) {
        size_t end = hd_cpp_tokens_comma(t, i, to), value = hd_kernel_names_default(t, i, end),
               at = parameter_name(t, i, value);
        bool pack = false;
        for (size_t j = i; j + 2 < value; j++)
            pack = pack || hd_cpp_tokens_thrice(t, j, '.');
        pack = pack || (value >= 3 && hd_cpp_tokens_thrice(t, value - 3, '.'));
        const char *name = at == SIZE_MAX ? hd_arena_printf(a, "heddle_%zu", n)
                                          : hd_cpp_tokens_line(a, t, at, at + 1);
        const char *first = n ? ", " : "", *text = hd_cpp_tokens_line(a, t, i, value);
        if (at == SIZE_MAX)
            text = hd_arena_printf(a, "%s %s", text, name);
        h.plain = hd_arena_printf(a, "%s%s%s", h.plain, first, text);
        h.defaults = hd_arena_printf(a, "%s%s%s %s", h.defaults, first, text,
                                     hd_cpp_tokens_line(a, t, value, end));
        h.arguments = hd_arena_printf(a, "%s%s%s%s", h.arguments, first, name, pack ? "..." : "");
        i = end + 1;
    }
    h.plain = hd_arena_printf(a, "%s> ", h.plain);
    h.defaults = hd_arena_printf(a, "%s> ", h.defaults);
    h.arguments = hd_arena_printf(a, "%s>", h.arguments);
    return h;
}

char *hd_kernel_names_chooser(struct hd_arena *a, const struct hd_cpp_tokens *t,
                              const struct hd_kernel_name *k)
{
    const char *name = hd_cpp_tokens_line(a, t, k->name, k->name + 1);
    const char *types = plain(a, t, k->params, k->closing);
    const char *with = hd_cpp_tokens_line(a, t, k->params, k->closing);
    const char *before = hd_cpp_tokens_line(a, t, k->rest, k->params);
    struct header h = read_header(a, t, k);

    return hd_arena_printf(a,
                           "%s%s%s); %s__attribute__((host)) __attribute__((device)) auto " //
                           HD_KERNEL_CHOSEN "%s(%s) -> ::heddle_kernel<void (*)(%s), %s%s >; ",
                           h.plain, before, with, h.defaults, name, with, types, name, h.arguments);
}
