// config.h (base) - reading the modelled machine: gpus/*.ini, --set overrides, and back as text.
#ifndef HEDDLE_BASE_CONFIG_H
#define HEDDLE_BASE_CONFIG_H

#include "base/arena.h"
#include "base/configkeys.h"
#include "base/diag.h"
#include "heddle/config.h"

// The default machine of CUDA programs with their own host code, which are compiled for newer GPUs
// than the GTX 480.
#define HD_CONFIG_PROGRAM_GPU "rtx2060"

// The data folder, which contains gpus/, papers/ and workloads/: $HEDDLE_DATA, else the folder of
// the program, else $PREFIX/share/heddle as compiled in; the first of them that contains `what`.
// NULL if none does.
const char *hd_config_data(struct hd_arena *a, const char *what);
// False with a diagnostic if $HEDDLE_DATA is set and names no such folder.
bool hd_config_data_check(struct hd_diag *d);
// Names in the data folder's `folder`: files NAME<suffix>, or (suffix NULL) sub-folders with a
// NAME.job inside. Sorted, with a NULL after them; *n (n may be NULL) does not count that.
const char **hd_config_names(struct hd_arena *a, const char *folder, const char *suffix, size_t *n);

// `gpu` is a name (gpus/NAME.ini in the data folder) or a path; a '/' or the ending ".ini" makes it
// a path. Then every `sets` entry "section.key=value" is applied in order. False with diagnostics
// on an unknown section, unknown key (nearest name), bad value or impossible combination in a file
// or an override. Every key has a default, so a file lists what it changes; only the kind of memory
// (gpu.memory) must be given.
bool hd_config_load(struct hd_arena *a, const char *gpu, const char *const *sets, unsigned n_sets,
                    struct hd_config *out, struct hd_diag *d);
// The files that are read for this machine, including included ones; NULL at the end.
const char **hd_config_files(struct hd_arena *a, const char *gpu);

// A key that another reader has found in a file of its own format.
struct hd_config_line {
    const char *key, *value; // "section.key"
    const char *from;        // its source in that file, for messages
    const char *file;
    uint32_t line; // 0: unknown
};
// The keys that a machine's own files set, included ones before the lines of the file that includes
// them, so that the last line of a key counts. `from` is NULL. The list is empty if there is no
// such machine.
const struct hd_config_line *hd_config_lines(struct hd_arena *a, const char *gpu, size_t *n);
// A machine of such keys, in their order, with `sets` after them. `path` is the file that the user
// has named. All lines are tried, so that all mistakes are reported at once.
bool hd_config_build(struct hd_arena *a, const char *name, const char *path,
                     const struct hd_config_line *lines, size_t n_lines, const char *const *sets,
                     unsigned n_sets, struct hd_config *out, struct hd_diag *d);
// Whether the text is a configuration of GPGPU-Sim, which src/gpgpusim/ reads.
bool hd_config_is_gpgpusim(const char *text);

#endif
