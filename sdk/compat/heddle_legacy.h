// heddle_legacy.h - names that CUDA no longer has, for old programs that use them. With these options
// the compiler includes it before every source file:
//
//   NVCC_APPEND_FLAGS="-cudart shared -I HEDDLE/sdk/compat -include heddle_legacy.h" make
//
// It restores cudaThread*, and what CUDA 13 removed from its headers (heddle_legacy_cuda13.h). With
// -I HEDDLE/sdk/compat/toolkit in front of the toolkit's own folder, the host's files get that too.
// Beside this file, cutil.h and similar headers replace the helper library of the old SDK, and
// helper_cuda.h and helper_timer.h the helper headers of later samples. bin/nvcc does all this for
// makefiles that name architectures which are gone.
// With -D HEDDLE_LEGACY_REFERENCES, texture and surface references (texture<...>), which compilers since
// CUDA 12 do not know, become variables that hold an object's handle (heddle_legacy_references.h).
#ifndef HEDDLE_LEGACY_H
#define HEDDLE_LEGACY_H

#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetLimit cudaDeviceSetLimit
#define cudaThreadGetLimit cudaDeviceGetLimit
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig
#define cudaThreadGetCacheConfig cudaDeviceGetCacheConfig

// Host files that the program gives to nvcc include the toolkit themselves, if they want it.
#ifdef __CUDACC__
#include <cuda_runtime.h>

#include "heddle_legacy_cuda13.h"
#ifdef HEDDLE_LEGACY_REFERENCES
#include "heddle_legacy_references.h"
#endif
#endif

#endif
