// chart.h - a figure as data, drawn by gnuplot as SVG or PDF.
//
// Colours are Okabe and Ito's, distinguished by most colour-blind readers, in an order in which
// neighbours differ in lightness, too, so that print without colour is readable.
#ifndef HEDDLE_PRESENT_CHART_H
#define HEDDLE_PRESENT_CHART_H

#include "base/arena.h"
#include "base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_chart_kind {
    HD_CHART_BARS,   // a group of bars for each label, one per series
    HD_CHART_STACKS, // one bar for each label, its series on top of each other
    HD_CHART_SPANS,  // a row for each label; spans in it
    HD_CHART_DOTS,   // a row for each label; dots at the starts of its spans
    HD_CHART_POINTS, // a point (start, end) for each span, named by its row's label if it has one;
                     // both axes are logarithmic and have the same range; x = y is drawn
};

struct hd_chart_span {
    unsigned row, series; // label and colour
    double start, end;
};

struct hd_chart {
    enum hd_chart_kind kind;
    const char *title, *x_label, *y_label; // NULL: none; on a page the title is the page's
    double from, to;                       // of the value axis; both 0: chosen from the values
    double line;                           // a thin line at this value; 0 if there is none
    const char **labels, **series;
    const char **groups; // of per_group labels each: a name below theirs; NULL: no groups
    unsigned per_group;
    unsigned n_labels, n_series;
    double *values; // label * n_series + series; NAN: none
    struct hd_chart_span *spans;
    size_t n_spans;
};

// The figure as bytes of a file; "svg", "pdf", or "inline": an SVG without a background. NULL with
// a diagnostic if gnuplot is not there or fails. `name` begins the ids inside an SVG, so that
// several fit into one page.
char *hd_chart_draw(struct hd_arena *a, const struct hd_chart *c, const char *format,
                    const char *name, size_t *bytes, struct hd_diag *d);
// The format of a file name's ending; NULL after a diagnostic.
const char *hd_chart_format(const char *path, struct hd_diag *d);

#endif
