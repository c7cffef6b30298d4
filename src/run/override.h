// override.h - "kernel.NAME.regs=N" and "kernel.NAME.smem=N" among the changes of a machine.
#ifndef HEDDLE_RUN_OVERRIDE_H
#define HEDDLE_RUN_OVERRIDE_H

#include "base/diag.h"
#include "run/runs.h"

bool hd_override_is(const char *set); // whether it is about a kernel

// Reads it into the kernel's entry of `all`, or into a new one, for which there must be room. False
// after a diagnostic that begins with `where`, the place of the override.
bool hd_override_read(struct hd_arena *a, const char *where, const char *set,
                      struct hd_override *all, size_t *n, struct hd_diag *d);

#endif
