// unroll.h - which loops ptxas unrolls: a part of the estimate of registers (pressure.h).
#ifndef HEDDLE_PTX_UNROLL_H
#define HEDDLE_PTX_UNROLL_H

#include "ptx/pressure.h"

#define HD_UNROLL_COPIES 4

// Whether ptxas puts HD_UNROLL_COPIES copies of block b after each other, with the test only after
// the last one. first_ref[i] is the index of the first reference of instruction i; [n_insns] is the
// end.
bool hd_unroll_block(const struct hd_pressure *p, const uint32_t *first_ref, uint32_t b);

#endif
