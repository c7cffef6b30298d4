// ptsz.h - prototypes of the per-thread default stream's symbols.
#ifndef HEDDLE_CUDA_ABI_PTSZ_H
#define HEDDLE_CUDA_ABI_PTSZ_H

#include "cuda/abi/driver.h"

// The default stream of a _ptsz entry point.
static inline CUstream hd_ptsz_stream(CUstream s)
{
    return s ? s : CU_STREAM_PER_THREAD;
}

#define VARIANT(name, params, call) CUresult name params;
#include "cuda/abi/ptsz.def"
#undef VARIANT

#endif
