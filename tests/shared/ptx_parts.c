// ptx_parts.c - reads tests/ptx/*.t (see ptx_parts.h).
#include "shared/ptx_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct ptx_part part;
    void (*each)(const struct ptx_part *, void *);
    void *context;
    const char *path;
    int line;
    char *why;
    size_t size;
    bool wrong;
};

__attribute__((format(printf, 2, 3))) static void wrong(struct reader *r, const char *fmt, ...)
{
    va_list ap;
    int n = 0;

    if (r->wrong)
        return;
    r->wrong = true;
    if (r->line)
        n = snprintf(r->why, r->size, "%s:%d: ", r->path, r->line);
    va_start(ap, fmt);
    if (n >= 0 && (size_t)n < r->size)
        vsnprintf(r->why + n, r->size - (size_t)n, fmt, ap);
    va_end(ap);
}

static uint64_t value(struct reader *r, const char *s)
{
    size_t n = strlen(s);
    const char *digits = s + (s[0] == '-');
    bool hex = digits[0] == '0' && digits[1] == 'x';
    char suffix = n > 1 && !hex ? s[n - 1] : 0, *end;
    uint64_t v;

    if (suffix == 'f') {
        float f = strtof(s, &end);
        uint32_t u;
        memcpy(&u, &f, 4);
        v = u;
    } else if (suffix == 'd') {
        double d = strtod(s, &end);
        memcpy(&v, &d, 8);
    } else {
        suffix = 0;
        v = s[0] == '-' ? (uint64_t)strtoll(s, &end, 0) : strtoull(s, &end, 0);
    }
    if (digits[0] < '0' || digits[0] > '9' || end != s + n - (suffix != 0))
        wrong(r, "not a value: %s", s);
    return v;
}

static void finish_part(struct reader *r)
{
    if (r->part.file && !r->part.kernel && !r->part.cases)
        wrong(r, "no cases");
    if (r->part.file && r->part.kernel && !r->part.n_out && !r->part.trap[0])
        wrong(r, "neither `-- out` nor `-- trap`");
    if (r->part.file && !r->wrong)
        r->each(&r->part, r->context);
    memset(&r->part, 0, sizeof r->part);
}

static void begin_part(struct reader *r, char kind, const char *first, const char *second)
{
    finish_part(r);
    r->part.file = r->path;
    r->part.line = r->line;
    r->part.lane = -1;
    r->part.module = kind == 'm';
    r->part.kernel = r->part.module || kind == 'k';
    snprintf(r->part.reg, sizeof r->part.reg, "%.7s", first);
    r->part.grid = (uint32_t)strtoul(first, NULL, 10);
    r->part.block = (uint32_t)strtoul(second, NULL, 10);
}

static void add_text(struct reader *r, const char *s)
{
    size_t n = strlen(r->part.text), more = strlen(s);

    if (n + more >= sizeof r->part.text)
        wrong(r, "the part is too long");
    else
        memcpy(r->part.text + n, s, more + 1);
}

static void add_case(struct reader *r, char *s)
{
    struct ptx_part *p = &r->part;
    unsigned n = 0;
    bool result = false, done = false;
    char *rest;

    if (p->cases >= PTX_PART_CASES) {
        wrong(r, "too many cases");
        return;
    }
    for (char *w = strtok_r(s, " \t\n", &rest); w; w = strtok_r(NULL, " \t\n", &rest)) {
        if (!strcmp(w, "->"))
            result = true;
        else if (result && !done)
            p->out[p->cases] = value(r, w), done = true;
        else if (!result && n < 3)
            p->in[p->cases][n++] = value(r, w);
        else
            wrong(r, "too many values");
    }
    if (!done && (n || result))
        wrong(r, "no result");
    p->cases += done;
}

static void add_words(struct reader *r, char *s, uint32_t *words, unsigned *n)
{
    char *rest;

    for (char *w = strtok_r(s, " \t\n", &rest); w; w = strtok_r(NULL, " \t\n", &rest)) {
        if (*n >= PTX_PART_WORDS) {
            wrong(r, "too many words");
            return;
        }
        uint64_t v = value(r, w);
        if (v > UINT32_MAX && v < (uint64_t)INT32_MIN)
            wrong(r, "more than 32 bits: %s", w);
        words[(*n)++] = (uint32_t)v;
    }
}

static bool is_text(const char *word)
{
    return !strcmp(word, "body") || !strcmp(word, "kernel") || !strcmp(word, "module");
}

// A line that begins with "-- "; `word` becomes what the next lines are.
static void heading(struct reader *r, const char *s, char word[32])
{
    char first[32] = "", second[32] = "";

    word[0] = 0;
    sscanf(s, "-- %31s %31s %31s", word, first, second);
    if (is_text(word)) {
        begin_part(r, word[0], first, second);
    } else if (!r->part.file) {
        wrong(r, "a part begins with body, kernel or module");
    } else if (!strcmp(word, "trap")) {
        snprintf(r->part.trap, sizeof r->part.trap, "%s", first);
        r->part.lane = second[0] ? atoi(second) : -1;
    } else if (strcmp(word, "cases") && strcmp(word, "in") && strcmp(word, "out")) {
        wrong(r, "what is `-- %s`?", word);
    }
}

bool ptx_parts_read(const char *path, void (*each)(const struct ptx_part *, void *), void *context,
                    char *why, size_t size)
{
    static struct reader r; // too large for a stack
    char s[1000], word[32] = "";
    FILE *f = fopen(path, "r");

    r = (struct reader){.each = each, .context = context, .path = path, .why = why, .size = size};
    if (!f) {
        wrong(&r, "cannot read %s", path);
        return false;
    }
    while (!r.wrong && fgets(s, sizeof s, f)) {
        r.line++;
        if (!strchr(s, '\n') && !feof(f))
            wrong(&r, "a line of more than %zu characters", sizeof s - 2);
        else if (s[0] == '#')
            continue;
        else if (!strncmp(s, "-- ", 3))
            heading(&r, s, word);
        else if (is_text(word))
            add_text(&r, s);
        else if (!strcmp(word, "cases"))
            add_case(&r, s);
        else if (!strcmp(word, "in"))
            add_words(&r, s, r.part.words_in, &r.part.n_in);
        else if (!strcmp(word, "out"))
            add_words(&r, s, r.part.words_out, &r.part.n_out);
        else if (s[strspn(s, " \t\n")])
            wrong(&r, "what is this line for?");
    }
    fclose(f);
    finish_part(&r);
    return !r.wrong;
}

static const char cases_head[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n"
    ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b16 %ha, %hb, %hc, %hd, %hx, %hy;\n.reg .b32 %a, %b, %c, %d, %x, %y, %z, %thread;\n"
    ".reg .b64 %A, %B, %C, %D, %X, %Y, %Z, %in, %out;\n.reg .pred %p, %q;\n"
    "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\nmov.u32 %thread, %tid.x;\n"
    "mad.wide.u32 %in, %thread, 24, %in;\nmad.wide.u32 %out, %thread, 8, %out;\n"
    "ld.global.u64 %A, [%in];\nld.global.u64 %B, [%in+8];\nld.global.u64 %C, [%in+16];\n"
    "ld.global.u32 %a, [%in];\nld.global.u32 %b, [%in+8];\nld.global.u32 %c, [%in+16];\n"
    "ld.global.u16 %ha, [%in];\nld.global.u16 %hb, [%in+8];\nld.global.u16 %hc, [%in+16];\n";

static const char kernel_head[] =
    ".version 8.6\n.target sm_90\n.address_size 64\n"
    ".visible .entry test(.param .u64 in, .param .u64 out)\n{\n"
    ".reg .b32 %r<10>;\n.reg .b64 %rd<10>;\n.reg .f32 %f<10>;\n.reg .pred %p;\n";

static const struct result {
    const char *reg, *tail;
    uint64_t mask;
} results[] = {
    {"%d", "cvt.u64.u32 %D, %d;\n", UINT32_MAX},
    {"%D", "", UINT64_MAX},
    {"%hd", "cvt.u64.u16 %D, %hd;\n", UINT16_MAX},
    {"%p", "selp.b64 %D, 1, 0, %p;\n", 1},
};

static const struct result *result_of(const struct ptx_part *p)
{
    for (size_t i = 0; i < sizeof results / sizeof *results; i++)
        if (!strcmp(results[i].reg, p->reg))
            return &results[i];
    return NULL;
}

bool ptx_part_module(const struct ptx_part *p, char text[PTX_PART_MODULE])
{
    const struct result *r = result_of(p);

    if (p->kernel) {
        snprintf(text, PTX_PART_MODULE, "%s%s%s", p->module ? "" : kernel_head, p->text,
                 p->module ? "" : "}\n");
        return true;
    }
    if (r)
        snprintf(text, PTX_PART_MODULE, "%s%s%sst.global.u64 [%%out], %%D;\nret;\n}\n", cases_head,
                 p->text, r->tail);
    return r;
}

uint64_t ptx_part_mask(const struct ptx_part *p)
{
    const struct result *r = result_of(p);

    return r ? r->mask : 0;
}
