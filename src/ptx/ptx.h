// ptx.h - the front end: turns PTX text into a decoded program.
//
// This is the only header of src/ptx that other folders include. The result is a struct hd_program
// (include/heddle/program.h) in the caller's arena; it keeps nothing of the front end except the
// text.
#ifndef HEDDLE_PTX_PTX_H
#define HEDDLE_PTX_PTX_H

#include "base/arena.h"
#include "base/diag.h"
#include "heddle/program.h"

#define HD_PTX_NEWEST "9.0" // the newest version of PTX that is known, of CUDA 13.0

struct hd_ptx_options {
    bool later_path_order; // reserved for the path order of the SIMT stack
};

// Decode a whole module. `text` need not end in NUL and must outlive the program; `path` is used in
// messages only. If anything in it is wrong or not supported, returns NULL after adding 1 to
// HD_DIAG_MAX diagnostics with line and column; a module is never loaded in part. Safe on any
// bytes.
struct hd_program *hd_ptx_load(struct hd_arena *a, const char *path, const uint8_t *text,
                               size_t bytes, struct hd_diag *d);

// Link modules into one program (relocatable device code): names that one declares as .extern are
// defined by another as .visible, .weak or .common. The texts must outlive the program, the array
// need not.
struct hd_program *hd_ptx_link(struct hd_arena *a, const struct hd_text *texts, uint32_t n,
                               struct hd_diag *d);

// Whether the module says that it is of a newer version of PTX than HD_PTX_NEWEST. hd_ptx_load
// refuses such a module; a caller that has an error code of its own for that asks this.
bool hd_ptx_too_new(const struct hd_text *text);

#endif
