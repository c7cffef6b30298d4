// rtmissing.c - the runtime's functions that are missing: see cuda/abi/unsupported.h.
#include "cuda/abi/unsupported.h"

#define X(name) HD_UNSUPPORTED(name)
#include "cudart/rtmissing.def"
