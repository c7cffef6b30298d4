// simtext.h - a machine of GPGPU-Sim's files as a machine file of heddle's.
#ifndef HEDDLE_GPGPUSIM_SIMTEXT_H
#define HEDDLE_GPGPUSIM_SIMTEXT_H

#include "gpgpusim/simkeys.h"

// Its text: each key with the options from which it comes beside it, and at the end the options
// that have no key, with the reason.
const char *hd_simtext_make(const struct hd_simfile *file, const struct hd_simmap *map);

#endif
