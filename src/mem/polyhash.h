// polyhash.h - an index of 5 or 6 bits, hashed by a polynomial over all bits of the address above
// it.
//
// From B. R. Rau, "Pseudo-randomly interleaved memory", ISCA 1991, with the polynomials of
// GPGPU-Sim 4: lines or partitions that are any power of two apart are spread over all indexes.
#ifndef HEDDLE_MEM_POLYHASH_H
#define HEDDLE_MEM_POLYHASH_H

#include <stdint.h>

// The hash of an index below `n`, which is 32 or 64.
uint32_t hd_polyhash_of(uint64_t above, uint32_t index, uint32_t n);

#endif
