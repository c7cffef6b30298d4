// diag.h - the user's errors: the place, the error, what was expected, and the nearest known name.
//
// Front ends collect up to HD_DIAG_MAX of them and continue; the caller prints them and exits with
// status 2. Messages are sentences without a final full stop.
#ifndef HEDDLE_BASE_DIAG_H
#define HEDDLE_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HD_DIAG_MAX 20
#define HD_DIAG_TEXT 1000 // bytes: room for two long paths, which users must see whole
#define HD_DIAG_HINT 400

// Exit codes of the program (a contract; scripts rely on them).
enum hd_exit { HD_EXIT_OK = 0, HD_EXIT_CHECK = 1, HD_EXIT_USER = 2, HD_EXIT_FAULT = 3 };

struct hd_diag_entry {
    const char *file;      // NULL: the command line
    uint32_t line, column; // 1-based; 0 = unknown
    bool warning;          // not an error: the work continues
    char text[HD_DIAG_TEXT];
    char hint[HD_DIAG_HINT]; // "did you mean ...", "" when there is none
    char excerpt[200];       // the line of text, for the caret; "" when there is none
};

struct hd_diag {
    struct hd_diag_entry entries[HD_DIAG_MAX];
    unsigned n;       // stored
    unsigned dropped; // beyond HD_DIAG_MAX
};

// Add one. `file` must outlive the diag.
__attribute__((format(printf, 5, 6))) struct hd_diag_entry *
hd_diag_add(struct hd_diag *d, const char *file, uint32_t line, uint32_t column, const char *fmt,
            ...);
__attribute__((format(printf, 2, 3))) void hd_diag_hint(struct hd_diag_entry *e, const char *fmt,
                                                        ...);
// Hint "did you mean NAME" if some name of the NULL-terminated list is near `word`.
void hd_diag_nearest(struct hd_diag_entry *e, const char *word, const char *const *names);
// Copy line `line` of the text into the last entry, for the caret under `column`.
void hd_diag_excerpt(struct hd_diag_entry *e, const char *text, size_t bytes);
void hd_diag_print(const struct hd_diag *d, FILE *to); // file:line:column: error: text + caret

// Prints words from outside to a terminal: control bytes become '?'.
void hd_diag_put(const char *text, FILE *to);

// The name of the list with the smallest edit distance to `word`, NULL if none is near enough.
const char *hd_diag_closest(const char *word, const char *const *names);

#endif
