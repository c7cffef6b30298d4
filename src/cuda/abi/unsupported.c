// unsupported.c - the driver's functions that are missing. See unsupported.h.
#include "cuda/abi/unsupported.h"

#define X(name, version) HD_UNSUPPORTED(name)
#include "cuda/abi/unsupported.def"
