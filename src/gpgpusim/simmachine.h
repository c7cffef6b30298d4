// simmachine.h - machines that heddle's own files or GPGPU-Sim's describe.
//
// The functions take the word after --gpu. Where it is a file of GPGPU-Sim (gpgpusim.config), they
// read that; otherwise they do what those of base/config.h do.
#ifndef HEDDLE_GPGPUSIM_SIMMACHINE_H
#define HEDDLE_GPGPUSIM_SIMMACHINE_H

#include "gpgpusim/simmap.h"

// Whether it is a file of GPGPU-Sim.
bool hd_simmachine_is(struct hd_arena *a, const char *gpu);
// As hd_config_load. Diagnostics of a machine that was read are warnings.
bool hd_simmachine_load(struct hd_arena *a, const char *gpu, const char *const *sets,
                        unsigned n_sets, struct hd_config *out, struct hd_diag *d);
// As hd_config_files: also the network's file, and files that -config names.
const char **hd_simmachine_files(struct hd_arena *a, const char *gpu);
// As hd_config_lines; `from` is the option of GPGPU-Sim, for a file of its.
const struct hd_config_line *hd_simmachine_lines(struct hd_arena *a, const char *gpu, size_t *n);
// The scheduler of a file of GPGPU-Sim as --sched takes it; NULL: it is none, or cannot be read.
const char *hd_simmachine_sched(struct hd_arena *a, const char *gpu);
// Reads a file of GPGPU-Sim and what becomes of it, and checks the machine. False after
// diagnostics.
bool hd_simmachine_read(struct hd_arena *a, const char *path, struct hd_simfile *file,
                        struct hd_simmap *map, struct hd_config *config, struct hd_diag *d);

#endif
