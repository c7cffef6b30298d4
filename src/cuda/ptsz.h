// ptsz.h - prototypes of the per-thread default stream's symbols.
#ifndef HEDDLE_CUDA_PTSZ_H
#define HEDDLE_CUDA_PTSZ_H

#include "cuda/process.h"

#define VARIANT(name, params, call) CUresult name params;
#include "cuda/ptsz.def"
#undef VARIANT

#endif
