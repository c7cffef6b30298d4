// heddle_legacy.h - names that CUDA has dropped since, for programs of their time. Put in front of
// every source file by the compiler:
//
//   NVCC_APPEND_FLAGS="-cudart shared -I HEDDLE/sdk/compat -include heddle_legacy.h" make
//
// It gives back cudaThread*, and what CUDA 13 has taken out of its headers (heddle_legacy_cuda13.h).
// With -I HEDDLE/sdk/compat/toolkit in front of the toolkit's own folder, the host's files have that too.
// cutil.h and its kin, beside this file, give back what programs used of the SDK's helper library,
// helper_cuda.h and helper_timer.h of the samples' helper headers. bin/nvcc does all this for makefiles
// that name architectures of their time.
// With -D HEDDLE_LEGACY_REFERENCES texture and surface references (texture<...>), which compilers since
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
