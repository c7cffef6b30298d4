// out.h - results leave the program here: standard output that notices lost bytes, and files.
//
// src/present holds the forms in which anything is shown, whatever it is about: growing text and
// files (out), columns at a terminal (table), JSON (json), drawn figures (chart), a table with
// notes and a figure (sheet), and a page of sheets (html). It knows no run, kernel or machine, and
// includes only src/base.
//
// Invariants: the same values give the same bytes on every machine and in every locale; what could
// not be written is reported and never lost silently; names from outside may hold any bytes and are
// made harmless for the form they enter.
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

// Text that grows, for whatever is written at once.
struct hd_out {
    struct hd_arena *arena;
    char *text; // `bytes` long, always followed by a NUL
    size_t bytes, cap;
};
void hd_out_add(struct hd_out *o, const char *text, size_t bytes);
__attribute__((format(printf, 2, 3))) void hd_out_printf(struct hd_out *o, const char *fmt, ...);

// Names are whatever bytes a file system holds: those that are no UTF-8, and those that would steer
// a terminal, become the sign for an unknown character.
void hd_out_add_utf8(struct hd_out *o, const char *text);

void hd_out_say(const struct hd_out *o); // on standard error

// "13,272": digits in threes, for people.
char *hd_out_count(struct hd_arena *a, uint64_t n);
// A field of a CSV line, quoted where it must be.
void hd_out_csv(struct hd_out *o, const char *field);
// Width of the terminal that standard output is; 0 if it is none.
unsigned hd_out_columns(void);
// May standard output be given UTF-8?
bool hd_out_utf8(void);

#endif
