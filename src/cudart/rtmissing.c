// rtmissing.c - the runtime's functions that are missing: see cuda/unsupported.h.
#include "cuda/unsupported.h"

#define X(name) HD_UNSUPPORTED(name)
#include "cudart/rtmissing.def"
