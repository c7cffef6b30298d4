// table.h - text in columns, and horizontal bars, for a terminal.
#ifndef HEDDLE_PRESENT_TABLE_H
#define HEDDLE_PRESENT_TABLE_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdio.h>

#define HD_TABLE_COLUMNS 16

// Cells are kept by pointer: they must outlive the table. A NULL cell is empty.
struct hd_table {
    struct hd_arena *arena;
    const char *layout; // one letter a column: l(eft) or r(ight); a blank before a letter widens
                        // the gap in front of that column
    unsigned n_columns;
    const char **cells; // rows of n_columns; the first row may be heads
    size_t n_cells, cap;
};

struct hd_table hd_table_new(struct hd_arena *a, const char *layout);
void hd_table_add(struct hd_table *t, const char *cell); // the next cell, row by row
unsigned hd_table_width(const struct hd_table *t);       // of its longest possible line
void hd_table_print(const struct hd_table *t, FILE *to);

// A bar of `value` out of `full` in at most `width` characters; Unicode blocks have eight steps.
char *hd_table_bar(struct hd_arena *a, double value, double full, unsigned width, bool utf8);

#endif
