// inifile.h - reads an INI file line by line: [section], key = value, # or ; comments after a
// blank.
//
// inih does the parsing; this file adds what it lacks: the number of each line, comments after
// values, reports of sections when they begin. Lines are at most 199 characters long.
#ifndef HEDDLE_BASE_INIFILE_H
#define HEDDLE_BASE_INIFILE_H

#include "base/arena.h"
#include "base/diag.h"

struct hd_inifile {
    struct hd_arena *arena;
    const char *path; // must outlive the diagnostics
    const char *what; // in "cannot read WHAT: ..."
    // A section's head, whether or not a key follows. False after a diagnostic: its keys are not
    // reported. May be NULL.
    bool (*section)(void *ctx, const char *name, uint32_t line);
    // False after a diagnostic. section is "" before the first one.
    bool (*key)(void *ctx, const char *section, const char *key, const char *value, uint32_t line);
    void *ctx;
};

// False after diagnostics: of the callbacks, or because the file or a line cannot be read.
bool hd_inifile_read(const struct hd_inifile *f, struct hd_diag *d);

#endif
