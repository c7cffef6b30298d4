// cxxname.c - see cxxname.h. The decoding itself is the C++ runtime's, which the build links in.
//
// Short forms are cut out of the decoded text. Its brackets are balanced, except for < and > in
// operators; inside round brackets and braces these are therefore not counted.
#include "base/cxxname.h"

#include <stdlib.h>
#include <string.h>

#define WHOLE_NAME 40 // characters up to which a name keeps its namespaces and template arguments
#define ARGUMENTS 24  // and up to which the last part of a longer one keeps its template arguments
#define PARAMETERS 60 // and up to which parameters distinguish names

// The interface that the C++ ABI prescribes. The result is malloc's.
char *__cxa_demangle(const char *name, char *buffer, size_t *bytes, int *status);

const char *hd_cxxname_whole(struct hd_arena *a, const char *name)
{
    char *text = strncmp(name, "_Z", 2) ? NULL : __cxa_demangle(name, NULL, NULL, NULL);
    const char *own = text ? hd_arena_strdup(a, text) : NULL;

    free(text);
    return own;
}

// The decoded name without ABI tags: add for add[abi:v1]. numba puts a key of 100 characters there.
static const char *untagged(struct hd_arena *a, const char *name)
{
    static const char tag[] = "[abi:";
    const char *whole = hd_cxxname_whole(a, name), *from = whole, *at, *end;
    char *text, *to;

    if (!whole || !strstr(whole, tag))
        return whole;
    text = to = HD_ARRAY(a, char, strlen(whole) + 1);
    while ((at = strstr(from, tag)) && (end = strchr(at, ']'))) {
        memcpy(to, from, (size_t)(at - from));
        to += at - from;
        from = end + 1;
    }
    memcpy(to, from, strlen(from) + 1);
    return text;
}

// Where the parameters begin: the bracket that the last one closes. n if there are none.
static size_t parameters(const char *text, size_t n)
{
    size_t at = n;
    unsigned depth = 0;

    while (at && text[at - 1] != ')')
        at--;
    while (at) {
        at--;
        depth += text[at] == ')';
        depth -= text[at] == '(';
        if (!depth)
            return at;
    }
    return n;
}

// A qualified name within a text.
struct parts {
    size_t begin;     // after the return type
    size_t last;      // of its last part
    size_t arguments; // of the template; `end` without any
    size_t end;
};

static struct parts split(const char *text)
{
    struct parts p = {.end = parameters(text, strlen(text))};
    unsigned round = 0, angle = 0;

    p.arguments = p.end;
    for (size_t i = 0; i < p.end; i++) {
        char c = text[i];
        round += c == '(' || c == '{';
        round -= round && (c == ')' || c == '}');
        if (round)
            continue;
        if (c == '<' && !angle++)
            p.arguments = i;
        angle -= angle && c == '>';
        if (angle)
            continue;
        if (c == ' ')
            p.begin = p.last = i + 1;
        if (c == ':' && text[i + 1] == ':')
            p.last = i + 2;
    }
    // Arguments of an earlier part are not those of the last one.
    if (p.arguments < p.last || (p.end && text[p.end - 1] != '>'))
        p.arguments = p.end;
    return p;
}

static const char *cut(struct hd_arena *a, const char *text)
{
    struct parts p = split(text);

    if (p.begin >= p.end || p.last >= p.arguments)
        return text; // not a possible name of a kernel
    if (p.end - p.begin <= WHOLE_NAME)
        return hd_arena_printf(a, "%.*s", (int)(p.end - p.begin), text + p.begin);
    if (p.end - p.arguments <= ARGUMENTS)
        return hd_arena_printf(a, "%.*s", (int)(p.end - p.last), text + p.last);
    return hd_arena_printf(a, "%.*s<..>", (int)(p.arguments - p.last), text + p.last);
}

const char *hd_cxxname_short(struct hd_arena *a, const char *name)
{
    const char *whole = untagged(a, name);

    return whole ? cut(a, whole) : name;
}

struct entry {
    const char *name, *label;
};

// The number of different earlier names with this label.
static size_t same_label(const struct entry *list, size_t n, const char *label)
{
    size_t same = 0;

    for (size_t i = 0; i < n; i++)
        same += !strcmp(list[i].label, label);
    return same;
}

static const char *with_parameters(struct hd_arena *a, const struct entry *e)
{
    const char *whole = untagged(a, e->name);
    struct parts p = split(whole ? whole : "");

    if (!whole || strlen(whole + p.begin) > PARAMETERS)
        return NULL;
    return whole + p.begin;
}

static void tell_apart(struct hd_arena *a, struct entry *list, size_t n)
{
    struct entry *was = HD_ARRAY(a, struct entry, n + 1);

    memcpy(was, list, n * sizeof *was);
    for (size_t i = 0; i < n; i++) {
        const char *longer;
        if (same_label(was, n, was[i].label) < 2 || !strcmp(was[i].label, was[i].name))
            continue;
        longer = with_parameters(a, &was[i]);
        list[i].label = longer ? longer
                               : hd_arena_printf(a, "%s #%zu", was[i].label,
                                                 same_label(was, i, was[i].label) + 1);
    }
}

void hd_cxxname_shorten(struct hd_arena *a, const char **names, size_t n)
{
    struct entry *list = HD_ARRAY(a, struct entry, n + 1);
    size_t *which = HD_ARRAY(a, size_t, n + 1), different = 0;

    for (size_t i = 0; i < n; i++) {
        size_t at = 0;
        while (at < different && strcmp(list[at].name, names[i]) != 0)
            at++;
        if (at == different)
            list[different++] = (struct entry){names[i], hd_cxxname_short(a, names[i])};
        which[i] = at;
    }
    tell_apart(a, list, different);
    for (size_t i = 0; i < n; i++)
        names[i] = list[which[i]].label;
}
