// ptx.h - PTX text in, decoded program out. The front end's only public face.
#ifndef HEDDLE_PTX_PTX_H
#define HEDDLE_PTX_PTX_H

#include "base/arena.h"
#include "base/diag.h"
#include "heddle/program.h"

struct hd_ptx_options {
    bool later_path_order; // reserved for the SIMT stack's path order
};

// Decode a whole module. `text` need not end in NUL and must outlive the program; `path` is used in
// messages only. Returns NULL after adding 1 to HD_DIAG_MAX diagnostics with line and column if
// anything in it is wrong or not supported; never partly loads. Safe on any bytes.
struct hd_program *hd_ptx_load(struct hd_arena *a, const char *path, const uint8_t *text,
                               size_t bytes, struct hd_diag *d);

// Link modules into one program (relocatable device code): what one declares .extern another
// defines as .visible, .weak or .common. The texts must outlive the program, the array need not.
struct hd_program *hd_ptx_link(struct hd_arena *a, const struct hd_text *texts, uint32_t n,
                               struct hd_diag *d);

#endif
