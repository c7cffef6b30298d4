// jobline.c - words, numbers and their messages. See jobline.h.
#include "job/jobline.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

void hd_jobline_split(struct hd_jobline *l, const char *start, const char *end)
{
    size_t cap = 0;

    l->words = NULL;
    l->n = l->at = 0;
    l->failed = false;
    l->end_column = 1;
    if (end > start && end[-1] == '\r')
        end--;
    for (const char *p = start; p < end; p++) {
        const char *word = p;
        if (blank(*p))
            continue;
        if (*p == '#')
            break;
        while (p < end && !blank(*p)) {
            if (iscntrl((unsigned char)*p)) {
                hd_jobline_error(l, (uint32_t)(p - start) + 1,
                                 "byte 0x%02x does not belong in a file of text",
                                 (unsigned char)*p);
                return;
            }
            p++;
        }
        struct hd_jobline_word *w = HD_PUSH(l->arena, l->words, l->n, cap);
        w->text = hd_arena_strndup(l->arena, word, (size_t)(p - word));
        w->column = (uint32_t)(word - start) + 1;
        l->end_column = (uint32_t)(p - start) + 1;
    }
}

struct hd_diag_entry *hd_jobline_error(struct hd_jobline *l, uint32_t column, const char *fmt, ...)
{
    char text[HD_DIAG_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);

    struct hd_diag_entry *e = hd_diag_add(l->diag, l->job->path, l->line, column, "%s", text);
    if (!l->diag->dropped) // counting the rest must not cost a walk through the text each
        hd_diag_excerpt(e, l->job->text, l->job->text_bytes);
    l->failed = true;
    return e;
}

struct hd_job_place hd_jobline_place(const struct hd_jobline *l)
{
    uint32_t column = l->at < l->n ? l->words[l->at].column : l->end_column;

    return (struct hd_job_place){l->line, column};
}

const char *hd_jobline_word(struct hd_jobline *l, const char *what)
{
    if (l->failed)
        return NULL;
    if (l->at >= l->n) {
        hd_jobline_error(l, l->end_column, "expected %s here", what);
        return NULL;
    }
    return l->words[l->at++].text;
}

const char *hd_jobline_name(struct hd_jobline *l, const char *what)
{
    uint32_t column = hd_jobline_place(l).column;
    const char *name = hd_jobline_word(l, what);

    for (const char *p = name; p && *p; p++)
        if (!isalnum((unsigned char)*p) && !strchr("_$.-", *p)) {
            hd_jobline_error(l, column + (uint32_t)(p - name),
                             "'%c' in %s; names are letters, digits, _ $ . -", *p, what);
            return NULL;
        }
    return name;
}

bool hd_jobline_is(struct hd_jobline *l, const char *word)
{
    if (l->failed || l->at >= l->n || strcmp(l->words[l->at].text, word))
        return false;
    l->at++;
    return true;
}

bool hd_jobline_unsigned(const char *text, uint64_t max, uint64_t *out)
{
    bool hex = text[0] == '0' && (text[1] | 32) == 'x';
    char *end;

    if (!isdigit((unsigned char)text[0]) || (hex && !isxdigit((unsigned char)text[2])))
        return false;
    errno = 0;
    unsigned long long v = strtoull(text, &end, hex ? 16 : 10);
    if (errno || *end || v > max)
        return false;
    *out = v;
    return true;
}

uint64_t hd_jobline_number(struct hd_jobline *l, const char *what, uint64_t min, uint64_t max)
{
    uint32_t column = hd_jobline_place(l).column;
    const char *word = hd_jobline_word(l, what);
    uint64_t v = 0;

    if (!word)
        return 0;
    if (!hd_jobline_unsigned(word, UINT64_MAX, &v) || v < min || v > max)
        hd_jobline_error(l, column,
                         "'%.40s' is not %s: expected a number from %" PRIu64 " to %" PRIu64, word,
                         what, min, max);
    return v;
}

double hd_jobline_real(struct hd_jobline *l, const char *what, double min, double max)
{
    uint32_t column = hd_jobline_place(l).column;
    const char *word = hd_jobline_word(l, what);
    char *end;

    if (!word)
        return 0;
    double v = strtod(word, &end);
    if (end == word || *end || !(v >= min && v <= max)) {
        hd_jobline_error(l, column, "'%.40s' is not %s: expected a finite number%s", word, what,
                         min < 0 ? "" : " of at least 0");
        return 0;
    }
    return v;
}

void hd_jobline_end(struct hd_jobline *l)
{
    if (!l->failed && l->at < l->n)
        hd_jobline_error(l, l->words[l->at].column, "'%.60s' is one word too many on this line",
                         l->words[l->at].text);
}

unsigned hd_jobline_messages(const struct hd_diag *d)
{
    return d->n + d->dropped;
}

struct hd_diag_entry *hd_jobline_complain(const struct hd_job *j, struct hd_diag *d,
                                          struct hd_job_place at, const char *fmt, ...)
{
    char text[HD_DIAG_TEXT];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);

    struct hd_diag_entry *e = hd_diag_add(d, j->path, at.line, at.column, "%s", text);
    if (!d->dropped)
        hd_diag_excerpt(e, j->text, j->text_bytes);
    return e;
}
