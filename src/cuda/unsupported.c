// unsupported.c - the driver's functions that are missing. See unsupported.h.
//
// cuGetExportTable is among them on purpose: private tables of NVIDIA's driver are not part of its
// public interface.
#include "cuda/unsupported.h"

#define X(name) HD_UNSUPPORTED(name)
#include "cuda/unsupported.def"
