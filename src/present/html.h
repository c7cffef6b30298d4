// html.h - a study as one self-contained HTML page: figures, tables, configuration, and how to
// repeat it. It follows the reader's light or dark mode; wide tables scroll by themselves, so that
// the page can be read on a phone.
#ifndef HEDDLE_PRESENT_HTML_H
#define HEDDLE_PRESENT_HTML_H

#include "present/sheet.h"

struct hd_html {
    const char *title, *subtitle;
    const struct hd_sheets *sheets;  // figures and tables
    const struct hd_sheets *details; // configuration and runs, collapsed
    const char *command;             // repeats the study
    const char *cycles; // the data of the interactive part, JSON without '<'; NULL: there is none
};

// False with a diagnostic if a figure could not be drawn: the page says so in its place.
bool hd_html_report(const struct hd_html *h, struct hd_out *o, struct hd_diag *d);

// The charts as files, "svg" or "pdf" by the name: PATH, or for each of several PATH-<id>.svg.
// False after a message or diagnostic.
bool hd_html_plot(const struct hd_sheets *sheets, const char *path, bool announce,
                  struct hd_diag *d);

// The file of one of them.
const char *hd_html_plot_file(const struct hd_sheets *sheets, const struct hd_sheet *s,
                              const char *path);

#endif
