// simparts.h - options from which several keys follow, or several of which make one key.
#ifndef HEDDLE_GPGPUSIM_SIMPARTS_H
#define HEDDLE_GPGPUSIM_SIMPARTS_H

#include "gpgpusim/simkeys.h"

void hd_simparts_read(struct hd_simmap *m);
// Pipes, operand collectors and register banks (simpipes.c).
void hd_simpipes_read(struct hd_simmap *m);
// The caches of an SM and the L2 (simcaches.c); the DRAM (simdram.c); the network (simnet.c).
void hd_simcaches_read(struct hd_simmap *m);
void hd_simdram_read(struct hd_simmap *m);
void hd_simnet_read(struct hd_simmap *m);

#endif
