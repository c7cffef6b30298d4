// out.h - output: standard output that detects lost bytes, and files.
//
// src/present contains the forms of output, whatever their contents: growing text and files (out),
// columns at a terminal (table), JSON (json), drawn figures (chart), a table with notes and a
// figure (sheet), and a page of sheets (html). It does not depend on runs, kernels or machines, and
// includes only src/base.
//
// Invariants: the same values give the same bytes on every machine and in every locale; what could
// not be written is reported and never lost silently; names from outside may contain any bytes and
// are escaped for each form.
#ifndef HEDDLE_PRESENT_OUT_H
#define HEDDLE_PRESENT_OUT_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Flush standard output. False, with a message on standard error, if anything written to it was
// lost (full disk, closed pipe).
bool hd_out_flush(void);

// The path of a result file with every "%p" replaced by this process's number.
char *hd_out_path(struct hd_arena *a, const char *pattern);
// Write a result file; "-" is standard output. False after a message.
bool hd_out_write(const char *path, const void *data, size_t bytes);

// Text that grows, and is written at once.
struct hd_out {
    struct hd_arena *arena;
    char *text; // `bytes` long, always followed by a NUL
    size_t bytes, cap;
    struct hd_out_file *file; // where it goes as it grows; NULL: nowhere
};
// For results larger than memory: from now on the text is written to a result file whenever some
// has gathered, and only what has not been written is in `text`. As with hd_out_write, "-" is
// standard output. Close it even if opening failed; closing returns false after a message if
// anything was lost.
void hd_out_open(struct hd_out *o, const char *path);
bool hd_out_close(struct hd_out *o);
void hd_out_add(struct hd_out *o, const char *text, size_t bytes);
__attribute__((format(printf, 2, 3))) void hd_out_printf(struct hd_out *o, const char *fmt, ...);

// Names may contain any bytes that a file system allows: those that are not UTF-8, and those that
// control a terminal, become the sign for an unknown character.
void hd_out_add_utf8(struct hd_out *o, const char *text);

void hd_out_say(const struct hd_out *o); // on standard error

// "13,272": digits in groups of three.
char *hd_out_count(struct hd_arena *a, uint64_t n);
// A field of a CSV line, quoted if necessary.
void hd_out_csv(struct hd_out *o, const char *field);
// Width of the terminal on standard output; 0 if it is no terminal.
unsigned hd_out_columns(void);
// Whether standard output may be given UTF-8.
bool hd_out_utf8(void);

#endif
