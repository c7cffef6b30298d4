// sheet.c - one table in five forms. See sheet.h.
#include "present/sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define LINE 96 // of notes at a terminal

struct hd_sheet *hd_sheet_new(struct hd_sheets *all, const char *id, const char *title,
                              const char *layout)
{
    struct hd_sheet *s = HD_NEW(all->arena, hd_sheet);

    *s = (struct hd_sheet){
        .arena = all->arena, .id = id, .title = title, .table = hd_table_new(all->arena, layout)};
    *HD_PUSH(all->arena, all->items, all->n, all->cap) = s;
    return s;
}

void hd_sheet_add(struct hd_sheet *s, const char *cell)
{
    hd_table_add(&s->table, cell);
}

void hd_sheet_addf(struct hd_sheet *s, const char *fmt, ...)
{
    char cell[400];
    va_list args;

    va_start(args, fmt);
    vsnprintf(cell, sizeof cell, fmt, args);
    va_end(args);
    hd_table_add(&s->table, hd_arena_strdup(s->arena, cell));
}

void hd_sheet_note(struct hd_sheet *s, const char *text)
{
    *HD_PUSH(s->arena, s->notes, s->n_notes, s->notes_cap) = text;
}

struct hd_chart *hd_sheet_chart(struct hd_sheet *s, enum hd_chart_kind kind, unsigned n_labels,
                                unsigned n_series)
{
    struct hd_chart *c = HD_NEW(s->arena, hd_chart);

    c->kind = kind;
    c->n_labels = n_labels;
    c->n_series = n_series;
    c->labels = HD_ARRAY(s->arena, const char *, n_labels + 1);
    c->series = HD_ARRAY(s->arena, const char *, n_series + 1);
    c->values = HD_ARRAY(s->arena, double, n_labels *n_series + 1);
    for (unsigned i = 0; i < n_labels * n_series; i++)
        c->values[i] = (double)NAN;
    s->chart = c;
    return c;
}

static void keep(struct hd_arena *a, const char **text)
{
    *text = *text ? hd_arena_strdup(a, *text) : NULL;
}

static void keep_chart(struct hd_arena *a, struct hd_chart *c)
{
    unsigned n_groups = c->groups ? (c->n_labels + c->per_group - 1) / c->per_group : 0;

    keep(a, &c->title);
    keep(a, &c->x_label);
    keep(a, &c->y_label);
    for (unsigned i = 0; i < c->n_labels; i++)
        keep(a, &c->labels[i]);
    for (unsigned i = 0; i < c->n_series; i++)
        keep(a, &c->series[i]);
    for (unsigned i = 0; i < n_groups; i++)
        keep(a, &c->groups[i]);
}

void hd_sheet_keep(struct hd_sheet *s)
{
    keep(s->arena, &s->id);
    keep(s->arena, &s->title);
    for (size_t i = 0; i < s->table.n_cells; i++)
        keep(s->arena, &s->table.cells[i]);
    for (size_t i = 0; i < s->n_notes; i++)
        keep(s->arena, &s->notes[i]);
    if (s->chart)
        keep_chart(s->arena, s->chart);
}

static const char *cell(const struct hd_sheet *s, size_t i)
{
    return s->table.cells[i] ? s->table.cells[i] : "";
}

static bool is_right(const struct hd_sheet *s, size_t column)
{
    const char *p = s->table.layout;

    for (;; p++)
        if (*p != ' ' && !column--)
            return *p == 'r';
}

static void print_wrapped(const char *text, FILE *to)
{
    while (*text) {
        size_t n = strlen(text);
        if (n > LINE) {
            n = LINE;
            while (n && text[n] != ' ')
                n--;
            n = n ? n : LINE;
        }
        fprintf(to, "%.*s\n", (int)n, text);
        text += n + (text[n] == ' ');
    }
}

void hd_sheet_print(const struct hd_sheet *s, FILE *to)
{
    fprintf(to, "%s\n\n", s->title);
    hd_table_print(&s->table, to);
    for (size_t i = 0; i < s->n_notes; i++) {
        if (!i)
            fputc('\n', to);
        print_wrapped(s->notes[i], to);
    }
    fputc('\n', to);
}

// Whether a cell shows a number: digits, with separators and a sign or without, a fraction, " %".
// If so, `plain` has it without sign '+', separators and unit.
static bool is_number(const char *cell, char plain[32])
{
    size_t n = 0, digits = 0;

    cell += *cell == '+';
    if (*cell == '-')
        plain[n++] = *cell++;
    for (; *cell && n < 31; cell++) {
        if (*cell == ',')
            continue;
        if (*cell != '.' && (*cell < '0' || *cell > '9'))
            break;
        digits += *cell != '.';
        plain[n++] = *cell;
    }
    plain[n] = '\0';
    return digits && (!*cell || !strcmp(cell, " %"));
}

void hd_sheet_csv(const struct hd_sheet *s, struct hd_out *o)
{
    size_t n = s->table.n_columns;
    char plain[32];

    for (size_t i = 0; i + n <= s->table.n_cells; i += n) {
        hd_out_csv(o, i ? s->id : "sheet");
        for (size_t k = 0; k < n; k++) {
            bool number = i && s->numbers && is_right(s, k) && is_number(cell(s, i + k), plain);
            hd_out_printf(o, ",");
            hd_out_csv(o, number ? plain : cell(s, i + k));
        }
        hd_out_printf(o, "\n");
    }
}

static json_t *number_json(const char *cell)
{
    char plain[32];

    if (!is_number(cell, plain))
        return hd_json_text(*cell ? cell : NULL);
    return strchr(plain, '.') ? json_real(strtod(plain, NULL))
                              : json_integer(strtoll(plain, NULL, 10));
}

static json_t *rows_json(const struct hd_sheet *s, bool numbers)
{
    size_t n = s->table.n_columns;
    json_t *rows = json_array(), *row;

    for (size_t i = 0; i + n <= s->table.n_cells; i += n) {
        json_array_append_new(rows, row = json_array());
        for (size_t k = 0; k < n; k++)
            json_array_append_new(row, i && numbers && is_right(s, k)
                                           ? number_json(cell(s, i + k))
                                           : hd_json_text(s->table.cells[i + k]));
    }
    return rows;
}

json_t *hd_sheet_json(const struct hd_sheet *s)
{
    json_t *sheet = json_object(), *notes = json_array();

    hd_json_put(sheet, "id", json_string(s->id));
    hd_json_put(sheet, "title", hd_json_text(s->title));
    for (size_t i = 0; i < s->n_notes; i++)
        json_array_append_new(notes, hd_json_text(s->notes[i]));
    hd_json_put(sheet, "rows", rows_json(s, s->numbers));
    if (s->printed)
        hd_json_put(sheet, "printed", rows_json(s, false));
    hd_json_put(sheet, "notes", notes);
    return sheet;
}

// A bar would end the cell, and a star would begin emphasis.
static void markdown_text(struct hd_out *o, const char *text)
{
    for (const char *p = text; *p; p++) {
        if (strchr("|*<", *p))
            hd_out_add(o, "\\", 1);
        hd_out_add(o, p, 1);
    }
}

void hd_sheet_markdown(const struct hd_sheet *s, struct hd_out *o)
{
    size_t n = s->table.n_columns;

    for (size_t i = 0; i + n <= s->table.n_cells; i += n) {
        for (size_t k = 0; k < n; k++) {
            hd_out_printf(o, "| ");
            markdown_text(o, cell(s, i + k));
            hd_out_printf(o, " ");
        }
        hd_out_printf(o, "|\n");
        for (size_t k = 0; k < n && !i; k++)
            hd_out_printf(o, "%s%s", is_right(s, k) ? "|--:" : "|---", k == n - 1 ? "|\n" : "");
    }
    for (size_t i = 0; i < s->n_notes; i++) {
        hd_out_add(o, "\n", 1);
        markdown_text(o, s->notes[i]);
        hd_out_add(o, "\n", 1);
    }
}

void hd_sheet_html_text(struct hd_out *o, const char *text)
{
    for (const char *p = text; *p; p++)
        switch (*p) {
        case '&':
            hd_out_add(o, "&amp;", 5);
            break;
        case '<':
            hd_out_add(o, "&lt;", 4);
            break;
        case '>':
            hd_out_add(o, "&gt;", 4);
            break;
        case '"':
            hd_out_add(o, "&quot;", 6);
            break;
        default:
            hd_out_add(o, p, 1);
        }
}

static void html_row(const struct hd_sheet *s, size_t first, const char *tag, struct hd_out *o)
{
    hd_out_printf(o, "<tr>");
    for (size_t i = 0; i < s->table.n_columns; i++) {
        hd_out_printf(o, "<%s%s>", tag, is_right(s, i) ? " class=\"r\"" : "");
        hd_sheet_html_text(o, cell(s, first + i));
        hd_out_printf(o, "</%s>", tag);
    }
    hd_out_printf(o, "</tr>\n");
}

#define COLUMN_ROWS 24    // of a table that is divided
#define COLUMN_LETTERS 90 // wider tables would not stand beside each other

static bool is_narrow(const struct hd_sheet *s)
{
    size_t n = s->table.n_columns;

    for (size_t i = 0; i + n <= s->table.n_cells; i += n) {
        size_t letters = 0;
        for (size_t k = 0; k < n; k++)
            letters += strlen(cell(s, i + k)) + 2;
        if (letters > COLUMN_LETTERS)
            return false;
    }
    return true;
}

// Where the part of a table that begins with row `row` ends: before a row whose first cell is
// filled, so that what belongs together stays so.
static size_t part_end(const struct hd_sheet *s, size_t row, size_t rows, size_t most)
{
    size_t end = row + most < rows ? row + most : rows;

    while (end < rows && !*cell(s, end * s->table.n_columns))
        end++;
    return end;
}

// Long narrow tables are divided into parts with the same heads, which stand beside each other
// where the page is wide enough.
void hd_sheet_html(const struct hd_sheet *s, struct hd_out *o)
{
    size_t n = s->table.n_columns, rows = n ? s->table.n_cells / n : 0; // with the heads
    size_t parts = rows > COLUMN_ROWS + 1 && is_narrow(s) ? (rows - 2) / COLUMN_ROWS + 1 : 1;
    size_t most = rows > 1 ? (rows - 2) / parts + 1 : 1;

    hd_out_printf(o, parts > 1 ? "<div class=\"columns\">" : "");
    for (size_t row = 1, first = 1; row < rows || first; first = 0) {
        size_t end = part_end(s, row, rows, most);
        hd_out_printf(o, "<div class=\"wide\"><table>\n<thead>");
        html_row(s, 0, "th", o);
        hd_out_printf(o, "</thead>\n<tbody>\n");
        for (; row < end; row++)
            html_row(s, row * n, "td", o);
        hd_out_printf(o, "</tbody></table></div>\n");
    }
    hd_out_printf(o, parts > 1 ? "</div>\n" : "");
    for (size_t i = 0; i < s->n_notes; i++) {
        hd_out_printf(o, "<p class=\"note\">");
        hd_sheet_html_text(o, s->notes[i]);
        hd_out_printf(o, "</p>\n");
    }
}
