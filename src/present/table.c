// table.c - columns as wide as their widest cell. See table.h.
#include "present/table.h"

#include "base/bug.h"
#include "base/diag.h"

#include <math.h>
#include <string.h>

struct hd_table hd_table_new(struct hd_arena *a, const char *layout)
{
    struct hd_table t = {.arena = a, .layout = layout};

    for (const char *p = layout; *p; p++)
        t.n_columns += *p != ' ';
    HD_BUG_IF(t.n_columns > HD_TABLE_COLUMNS, "a table of %u columns", t.n_columns);
    return t;
}

void hd_table_add(struct hd_table *t, const char *cell)
{
    *HD_PUSH(t->arena, t->cells, t->n_cells, t->cap) = cell ? cell : "";
}

// Characters, not bytes: continuation bytes of UTF-8 take no column.
static int columns_of(const char *s)
{
    int n = 0;

    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static void print_row(const struct hd_table *t, FILE *to, const char *const *row, const int *width)
{
    const char *p = t->layout;
    unsigned last = t->n_columns;
    int owed = 0; // blanks not printed yet, so that no line ends in one

    while (last && !*row[last - 1])
        last--;
    for (unsigned c = 0; c < last; c++, p++) {
        owed += c ? 2 : 0;
        for (; *p == ' '; p++)
            owed += 2;
        int pad = width[c] - columns_of(row[c]);
        if (*p == 'r')
            owed += pad;
        if (*row[c]) {
            fprintf(to, "%*s", owed, "");
            hd_diag_put(row[c], to);
        }
        owed = (*row[c] ? 0 : owed) + (*p == 'r' ? 0 : pad);
    }
    fputc('\n', to);
}

static void measure(const struct hd_table *t, int width[HD_TABLE_COLUMNS])
{
    HD_BUG_IF(t->n_cells % t->n_columns, "%zu cells in rows of %u", t->n_cells, t->n_columns);
    for (size_t i = 0; i < t->n_cells; i++) {
        int n = columns_of(t->cells[i]);
        if (n > width[i % t->n_columns])
            width[i % t->n_columns] = n;
    }
}

unsigned hd_table_width(const struct hd_table *t)
{
    int width[HD_TABLE_COLUMNS] = {0}, all = 2 * ((int)strlen(t->layout) - 1);

    measure(t, width);
    for (unsigned c = 0; c < t->n_columns; c++)
        all += width[c];
    return (unsigned)all;
}

void hd_table_print(const struct hd_table *t, FILE *to)
{
    int width[HD_TABLE_COLUMNS] = {0};

    measure(t, width);
    for (size_t i = 0; i < t->n_cells; i += t->n_columns)
        print_row(t, to, t->cells + i, width);
}

char *hd_table_bar(struct hd_arena *a, double value, double full, unsigned width, bool utf8)
{
    static const char *const eighths[] = {"",       "\u258f", "\u258e", "\u258d",
                                          "\u258c", "\u258b", "\u258a", "\u2589"};
    double part = full > 0 && value > 0 ? fmin(value / full, 1.0) * width : 0;
    unsigned steps = (unsigned)floor(part * 8 + 0.5), whole = steps / 8;
    char *bar = hd_arena_get(a, (size_t)width * 3 + 4, 1), *to = bar;

    if (!utf8) {
        memset(bar, '#', (size_t)floor(part + 0.5));
        return bar;
    }
    for (unsigned i = 0; i < whole; i++, to += 3)
        memcpy(to, "\u2588", 3);
    memcpy(to, eighths[steps % 8], strlen(eighths[steps % 8]));
    return bar;
}
