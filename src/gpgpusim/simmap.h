// simmap.h - from the options of a gpgpusim.config to the keys of a machine of heddle's.
//
// The result reproduces the reference or there is none: an option whose value heddle does not
// model is refused, and all that are refused are reported at once. A part of the machine that
// heddle lacks is reported once, with all options that ask for it.
#ifndef HEDDLE_GPGPUSIM_SIMMAP_H
#define HEDDLE_GPGPUSIM_SIMMAP_H

#include "gpgpusim/simkeys.h"

// False after diagnostics. Warnings do not make it fail.
bool hd_simmap_make(struct hd_arena *a, const struct hd_simfile *file, struct hd_simmap *out,
                    struct hd_diag *d);

#endif
