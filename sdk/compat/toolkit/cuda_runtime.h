// cuda_runtime.h - the toolkit's, and what CUDA 13 has taken out of it.
#include_next <cuda_runtime.h>

#include "../heddle_legacy_cuda13.h"
