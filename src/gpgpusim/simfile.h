// simfile.h - reads gpgpusim.config: "-name value" pairs, and the files that it names with -config.
//
// As in the reference, '#' begins a comment, words stand between blanks on any lines, a value in
// double quotes may go over several lines, and the last of several equal options counts. Unlike the
// reference, an option that is given twice is reported, and all mistakes of a file are reported at
// once.
#ifndef HEDDLE_GPGPUSIM_SIMFILE_H
#define HEDDLE_GPGPUSIM_SIMFILE_H

#include "base/arena.h"
#include "base/diag.h"
#include "gpgpusim/simoptions.h"

struct hd_simsetting {
    const char *value; // NULL: no file gives it
    const char *file;
    uint32_t line;
    bool spelled_old; // by an alias
};

struct hd_simfile {
    struct hd_arena *arena;
    const char *path;
    struct hd_simsetting settings[HD_SIMOPTIONS_MAX]; // by hd_simoptions_index
    const char **files;                               // all that were read, in order
    size_t n_files, cap_files;
};

// False after diagnostics; the settings that could be read are there nevertheless. Warnings do not
// make it fail.
bool hd_simfile_read(struct hd_arena *a, const char *path, struct hd_simfile *out,
                     struct hd_diag *d);

#endif
