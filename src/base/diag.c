// diag.c - collecting and printing the user's errors. See diag.h.
#include "base/diag.h"

#include <stdarg.h>
#include <string.h>

#define WORD_MAX 64 // longer words are not near anything

struct hd_diag_entry *hd_diag_add(struct hd_diag *d, const char *file, uint32_t line,
                                  uint32_t column, const char *fmt, ...)
{
    static struct hd_diag_entry overflow; // written, never read: entries beyond the limit
    struct hd_diag_entry *e = &overflow;
    va_list args;

    if (d->n < HD_DIAG_MAX)
        e = &d->entries[d->n++];
    else
        d->dropped++;
    e->file = file;
    e->line = line;
    e->column = column;
    e->warning = false;
    e->hint[0] = e->excerpt[0] = '\0';
    va_start(args, fmt);
    vsnprintf(e->text, sizeof e->text, fmt, args);
    va_end(args);
    return e;
}

void hd_diag_hint(struct hd_diag_entry *e, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    vsnprintf(e->hint, sizeof e->hint, fmt, args);
    va_end(args);
}

// Edit distance with adjacent swaps (optimal string alignment), both words at most WORD_MAX long.
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
    unsigned rows[3][WORD_MAX + 1];

    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= na; i++) {
        unsigned *row = rows[i % 3], *up = rows[(i + 2) % 3], *up2 = rows[(i + 1) % 3];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= nb; j++) {
            unsigned best = up[j - 1] + (a[i - 1] != b[j - 1]);
            if (up[j] + 1 < best)
                best = up[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                up2[j - 2] + 1 < best)
                best = up2[j - 2] + 1;
            row[j] = best;
        }
    }
    return rows[na % 3][nb];
}

const char *hd_diag_closest(const char *word, const char *const *names)
{
    size_t n = strlen(word);
    const char *best = NULL;
    unsigned limit = n < 3 ? 1 : n < 6 ? 2 : 3, best_distance = limit + 1;

    if (n == 0 || n > WORD_MAX)
        return NULL;
    for (; *names; names++) {
        size_t m = strlen(*names);
        if (m > WORD_MAX || (m > n ? m - n : n - m) > limit)
            continue;
        unsigned d = distance(word, n, *names, m);
        if (d < best_distance) {
            best_distance = d;
            best = *names;
        }
    }
    return best;
}

void hd_diag_nearest(struct hd_diag_entry *e, const char *word, const char *const *names)
{
    const char *near = hd_diag_closest(word, names);

    if (near)
        hd_diag_hint(e, "did you mean '%s'?", near);
}

void hd_diag_excerpt(struct hd_diag_entry *e, const char *text, size_t bytes)
{
    const char *end = text + bytes, *start = text;
    size_t n = 0;

    for (uint32_t line = 1; line < e->line; line++) {
        start = start < end ? memchr(start, '\n', (size_t)(end - start)) : NULL;
        if (!start)
            return;
        start++;
    }
    // Unprintable bytes become '?', tabs one blank, so that the caret stands where it should.
    for (; start < end && *start != '\n' && *start != '\r' && n + 1 < sizeof e->excerpt; start++) {
        unsigned char c = (unsigned char)*start;
        e->excerpt[n++] = (char)(c == '\t' ? ' ' : c < 0x20 || c >= 0x7f ? '?' : c);
    }
    e->excerpt[n] = '\0';
}

void hd_diag_put(const char *text, FILE *to)
{
    for (; *text; text++)
        putc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, to);
}

static void put_place(const struct hd_diag_entry *e, FILE *to)
{
    if (!e->file) {
        fprintf(to, "heddle: ");
        return;
    }
    hd_diag_put(e->file, to);
    if (e->line)
        fprintf(to, ":%u", e->line);
    if (e->line && e->column)
        fprintf(to, ":%u", e->column);
    fprintf(to, e->warning ? ": warning: " : ": error: ");
}

void hd_diag_print(const struct hd_diag *d, FILE *to)
{
    for (unsigned i = 0; i < d->n; i++) {
        const struct hd_diag_entry *e = &d->entries[i];

        put_place(e, to);
        hd_diag_put(e->text, to);
        if (e->hint[0])
            fputs("; ", to);
        hd_diag_put(e->hint, to);
        putc('\n', to);
        if (e->excerpt[0]) {
            fprintf(to, "    %s\n", e->excerpt);
            if (e->column && e->column <= strlen(e->excerpt) + 1)
                fprintf(to, "    %*s^\n", (int)e->column - 1, "");
        }
    }
    if (d->dropped)
        fprintf(to, "heddle: ... and %u more\n", d->dropped);
}
