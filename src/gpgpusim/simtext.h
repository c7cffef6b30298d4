// simtext.h - a machine of GPGPU-Sim's files as a machine file of heddle's.
#ifndef HEDDLE_GPGPUSIM_SIMTEXT_H
#define HEDDLE_GPGPUSIM_SIMTEXT_H

#include "gpgpusim/simmap.h"

#include <stdio.h>

// Prints it: each key with the options from which it comes beside it, and at the end the options
// that have no key, with the reason.
void hd_simtext_print(const struct hd_simfile *file, const struct hd_simmap *map, FILE *to);

#endif
