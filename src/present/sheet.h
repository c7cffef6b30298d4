// sheet.h - a table with a title, notes and an optional figure: a result of a study before it
// becomes text at a terminal, CSV, JSON, Markdown or HTML.
#ifndef HEDDLE_PRESENT_SHEET_H
#define HEDDLE_PRESENT_SHEET_H

#include "present/chart.h"
#include "present/json.h"
#include "present/table.h"

struct hd_sheet {
    struct hd_arena *arena;
    const char *id, *title;
    struct hd_table table; // its first row contains the heads; a NULL cell is empty
    bool numbers; // in CSV and JSON, counts and decimals of right-aligned columns are numbers,
                  // without separators and units
    bool printed; // in JSON, beside them, rows as they are printed: with the digits that were kept
    const char **notes; // sentences after it
    size_t n_notes, notes_cap;
    struct hd_chart *chart; // NULL: none
};

struct hd_sheets { // of a study
    struct hd_arena *arena;
    struct hd_sheet **items;
    size_t n, cap;
};

struct hd_sheet *hd_sheet_new(struct hd_sheets *all, const char *id, const char *title,
                              const char *layout);
void hd_sheet_add(struct hd_sheet *s, const char *cell); // the next cell, row by row
__attribute__((format(printf, 2, 3))) void hd_sheet_addf(struct hd_sheet *s, const char *fmt, ...);
void hd_sheet_note(struct hd_sheet *s, const char *text);
// A chart of n_labels x n_series values, all NAN, and room for their names.
struct hd_chart *hd_sheet_chart(struct hd_sheet *s, enum hd_chart_kind kind, unsigned n_labels,
                                unsigned n_series);

// Copies every text of the sheet and its figure, which are kept by pointer, into its arena, so that
// the sheet outlives what they were taken from.
void hd_sheet_keep(struct hd_sheet *s);

void hd_sheet_print(const struct hd_sheet *s, FILE *to);
void hd_sheet_csv(const struct hd_sheet *s, struct hd_out *o);
json_t *hd_sheet_json(const struct hd_sheet *s);
void hd_sheet_markdown(const struct hd_sheet *s, struct hd_out *o);
void hd_sheet_html(const struct hd_sheet *s, struct hd_out *o); // the table and its notes
void hd_sheet_html_text(struct hd_out *o, const char *text);    // escaped for HTML

#endif
