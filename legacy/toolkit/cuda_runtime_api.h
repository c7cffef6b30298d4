// cuda_runtime_api.h - the toolkit's, and what CUDA 13 has taken out of it.
#include_next <cuda_runtime_api.h>

// Kernels' files have more to come of the toolkit, and heddle_legacy.h behind it.
#ifndef __CUDACC__
#include "../heddle_legacy_cuda13.h"
#endif
