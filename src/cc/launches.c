// launches.c - rewrites launches in device code, and kernels that device code asks about.
#include "cc/launches.h"

#include "cc/kernel_names.h"

#include <stdlib.h>
#include <string.h>

struct edit { // of the text: at this byte, `bytes` are replaced
    size_t at, bytes, order;
    const char *text;
};

struct work {
    struct hd_arena *arena;
    struct hd_cpp_tokens t;
    struct hd_cpp_scopes scopes;
    struct hd_kernel_names kernels;
    bool device;
    struct edit *edits;
    size_t n, cap;
};

static void replace(struct work *w, size_t from, size_t to, const char *text)
{
    const struct hd_cpp_token *k = &w->t.items[from], *last = to > from ? &w->t.items[to - 1] : k;
    size_t end = to > from ? (size_t)last->at + last->n : k->at;

    *HD_PUSH(w->arena, w->edits, w->n, w->cap) =
        (struct edit){.at = k->at, .bytes = end - k->at, .order = w->n, .text = text};
}

// As many line ends as the tokens [from, to) have between them.
static const char *line_ends(const struct work *w, size_t from, size_t to)
{
    const char *ends = "";

    for (size_t i = w->t.items[from].at; i < w->t.items[to - 1].at; i++)
        if (w->t.text[i] == '\n')
            ends = hd_arena_printf(w->arena, "%s\n", ends);
    return ends;
}

// --- names

// A possibly qualified name that ends before token `end`: its first token. SIZE_MAX if what stands
// there is no name. *last is the name itself without its space and its template's arguments.
static size_t name_before(const struct hd_cpp_tokens *t, size_t end, size_t *last)
{
    size_t i = end;

    *last = SIZE_MAX;
    for (;;) {
        if (!i)
            return SIZE_MAX;
        i--;
        if (hd_cpp_tokens_is(t, i, ">")) {
            i = hd_cpp_tokens_angle_back(t, i);
            if (i == SIZE_MAX || !i)
                return SIZE_MAX;
            i--;
        }
        if (t->items[i].kind != HD_CPP_WORD)
            return SIZE_MAX;
        *last = *last == SIZE_MAX ? i : *last;
        if (i && hd_cpp_tokens_is(t, i - 1, "template"))
            i--;
        if (i < 2 || !hd_cpp_tokens_is(t, i - 1, ":") || !hd_cpp_tokens_is(t, i - 2, ":"))
            return i;
        i -= 2; // a name before `::`, or none: the global space
        bool more = i && (t->items[i - 1].kind == HD_CPP_WORD || hd_cpp_tokens_is(t, i - 1, ">"));
        if (!more || hd_cpp_tokens_is(t, i - 1, "return") || hd_cpp_tokens_is(t, i - 1, "else") ||
            hd_cpp_tokens_is(t, i - 1, "do"))
            return i;
    }
}

static const char *constant(const struct work *w, size_t from, size_t to)
{
    const char *name = hd_cpp_tokens_line(w->arena, &w->t, from, to);

    return hd_arena_printf(w->arena, "::heddle_kernel<decltype(+%s), %s >", name, name);
}

// --- launches

// The `>>>` that closes the configuration after `<<<` at token i; 0 if there is none.
static size_t closing(const struct hd_cpp_tokens *t, size_t i)
{
    for (i += 3; i < t->n; i++) {
        if (hd_cpp_tokens_thrice(t, i, '>') && hd_cpp_tokens_is(t, i + 3, "("))
            return i;
        if (hd_cpp_tokens_is(t, i, "(") || hd_cpp_tokens_is(t, i, "[") ||
            hd_cpp_tokens_is(t, i, "{"))
            i = hd_cpp_tokens_close(t, i);
        else if (hd_cpp_tokens_is(t, i, ";") || hd_cpp_tokens_is(t, i, ")"))
            return 0;
    }
    return 0;
}

// The name of this token is a template's parameter somewhere: `template <void (*K)(int)>`.
static bool is_parameter(const struct hd_cpp_tokens *t, size_t name)
{
    for (size_t i = 0; i < t->n; i++) {
        if (!hd_cpp_tokens_is(t, i, "template") || !hd_cpp_tokens_is(t, i + 1, "<"))
            continue;
        for (size_t end = hd_cpp_tokens_angle(t, i + 1); i < end; i++)
            if (hd_cpp_tokens_same(t, i, name) && !hd_cpp_tokens_is(t, i - 1, ":"))
                return true;
    }
    return false;
}

// Token i is the first of `<<<`.
static void launch(struct work *w, size_t i)
{
    const struct hd_cpp_tokens *t = &w->t;
    size_t last, start = name_before(t, i, &last), close = closing(t, i);
    unsigned inside = w->scopes.inside[i];

    if (start == SIZE_MAX || !close || !(inside & HD_CPP_DEVICE))
        return;
    struct hd_kernel_name *k = hd_kernel_names_at(&w->kernels, t, last);
    bool chosen = k && k->chosen;
    if (!k && !is_parameter(t, last))
        return;
    if (!w->device && (!chosen || inside & HD_CPP_HOST))
        return;
    const char *what = constant(w, start, i);
    if (chosen) {
        k->launched = true;
        size_t end = hd_cpp_tokens_close(t, close + 3);
        const char *space = hd_cpp_tokens_line(w->arena, t, start, last);
        const char *name = hd_cpp_tokens_line(w->arena, t, last, i);
        const char *args = hd_cpp_tokens_line(w->arena, t, close + 4, end);
        what = hd_arena_printf(w->arena, "decltype(%s%s" HD_KERNEL_CHOSEN "%s(%s))", space,
                               hd_cpp_tokens_is(t, last - 1, "template") ? " " : "", name, args);
    }
    replace(w, start, i,
            hd_arena_printf(w->arena, "::heddle_launch(%s()%s", what, line_ends(w, start, i)));
    replace(w, i, i + 3, ", ");
    replace(w, close, close + 3, ")");
}

// --- kernels by name

// The call at token i has a kernel as an argument: the first token of that. 0 if it is another
// call.
static size_t kernel_argument(const struct hd_cpp_tokens *t, size_t i)
{
    static const struct {
        const char *name;
        unsigned place;
    } functions[] = {
        {"cudaFuncGetAttributes", 1},
        {"cudaOccupancyMaxActiveBlocksPerMultiprocessor", 1},
        {"cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags", 1},
        {"cudaGetParameterBufferV2", 0},
        {"cudaLaunchDevice", 0},
    };

    for (size_t j = 0; j < sizeof functions / sizeof *functions; j++)
        if (hd_cpp_tokens_is(t, i, functions[j].name) && hd_cpp_tokens_is(t, i + 1, "(")) {
            size_t end = hd_cpp_tokens_close(t, i + 1);
            return functions[j].place ? hd_cpp_tokens_comma(t, i + 2, end) + 1 : i + 2;
        }
    return 0;
}

// The kernel in the argument of this call, if it has one.
static void argument(struct work *w, size_t call)
{
    const struct hd_cpp_tokens *t = &w->t;
    size_t i = kernel_argument(t, call);
    size_t end = i ? hd_cpp_tokens_comma(t, i, hd_cpp_tokens_close(t, call + 1)) : 0;

    for (; i < end; i++) {
        size_t last, behind = i + 1;
        if (t->items[i].kind != HD_CPP_WORD || !hd_kernel_names_at(&w->kernels, t, i))
            continue;
        if (hd_cpp_tokens_is(t, behind, "<"))
            behind = hd_cpp_tokens_angle(t, behind) + 1;
        size_t start = behind <= end ? name_before(t, behind, &last) : SIZE_MAX;
        if (start == SIZE_MAX || !start)
            return;
        const char *what = constant(w, start, behind);
        bool address = hd_cpp_tokens_is(t, start - 1, "&");
        replace(w, start - address, behind,
                hd_arena_printf(w->arena, "%s::address%s", what, line_ends(w, start, behind)));
        return;
    }
}

// `using space::kernel;` at token i: what chooses it comes along.
static void used(struct work *w, size_t i)
{
    size_t end = i, last;

    while (end < w->t.n && !hd_cpp_tokens_is(&w->t, end, ";") && !hd_cpp_tokens_is(&w->t, end, "="))
        end++;
    if (!hd_cpp_tokens_is(&w->t, end, ";") || end < i + 4 ||
        !hd_cpp_tokens_is(&w->t, end - 2, ":") || hd_cpp_tokens_is(&w->t, i + 1, "typename"))
        return;
    const struct hd_kernel_name *k = hd_kernel_names_at(&w->kernels, &w->t, end - 1);
    if (!k || !k->launched || name_before(&w->t, end, &last) != i + 1)
        return;
    replace(w, i, i,
            hd_arena_printf(w->arena, "using %s" HD_KERNEL_CHOSEN "%s; ",
                            hd_cpp_tokens_line(w->arena, &w->t, i + 1, end - 1),
                            hd_cpp_tokens_line(w->arena, &w->t, end - 1, end)));
}

// What chooses the kernel comes before its declaration, with the default arguments of that.
static void choose(struct work *w, const struct hd_kernel_name *k)
{
    const struct hd_cpp_tokens *t = &w->t;

    replace(w, k->start, k->start, hd_kernel_names_chooser(w->arena, t, k));
    for (size_t i = k->params; i < k->closing; i++) {
        size_t end = hd_cpp_tokens_comma(t, i, k->closing);
        size_t value = hd_kernel_names_default(t, i, end);
        if (value < end)
            replace(w, value, end, line_ends(w, value, end));
        i = end;
    }
}

// --- the text

static int by_place(const void *x, const void *y)
{
    const struct edit *a = x, *b = y;

    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

// An edit that overlaps the one before it is left out: the compiler will see a text that it
// refuses.
static char *apply(struct work *w, const char *text, size_t bytes)
{
    size_t room = bytes + 1, done = 0;

    if (w->n)
        qsort(w->edits, w->n, sizeof *w->edits, by_place);
    for (size_t i = 0; i < w->n; i++)
        room += strlen(w->edits[i].text);
    char *out = hd_arena_get(w->arena, room, 1), *end = out;
    for (size_t i = 0; i < w->n; i++) {
        const struct edit *e = &w->edits[i];
        size_t length = strlen(e->text);
        if (e->at < done)
            continue;
        memcpy(end, text + done, e->at - done);
        end += e->at - done;
        memcpy(end, e->text, length);
        end += length;
        done = e->at + e->bytes;
    }
    memcpy(end, text + done, bytes - done);
    return out;
}

char *hd_launches_rewrite(struct hd_arena *a, const char *text, size_t bytes, bool device)
{
    struct work w = {.arena = a, .device = device};
    const struct hd_cpp_tokens *t = &w.t;

    hd_cpp_tokens_read(a, text, bytes, &w.t);
    hd_cpp_scopes_find(a, t, &w.scopes);
    hd_kernel_names_find(a, t, &w.scopes, &w.kernels);
    for (size_t i = 0; i < t->n; i++) {
        if (hd_cpp_tokens_thrice(t, i, '<')) {
            launch(&w, i);
            i += 2;
        } else if (t->items[i].kind != HD_CPP_WORD) {
            continue;
        } else if (device && w.scopes.inside[i] & HD_CPP_DEVICE) {
            argument(&w, i);
        }
    }
    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].kind == HD_CPP_WORD && hd_cpp_tokens_is(t, i, "using"))
            used(&w, i);
    for (size_t i = 0; i < w.kernels.n; i++) {
        const struct hd_kernel_name *k = &w.kernels.items[i];
        if (!k->qualified && hd_kernel_names_at(&w.kernels, t, k->name)->launched)
            choose(&w, k);
    }
    return apply(&w, text, bytes);
}
