// cuda_runtime_api.h - the toolkit's, and what CUDA 13 has taken out of it.
#include_next <cuda_runtime_api.h>

// In files with kernels the rest of the toolkit's headers follows, and heddle_legacy.h after it.
#ifndef __CUDACC__
#include "../heddle_legacy_cuda13.h"
#endif
