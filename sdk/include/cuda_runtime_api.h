// cuda_runtime_api.h - the runtime API of CUDA 11, for C and C++: heddle's own declarations, and the
// constants and default arguments that programs write.
#ifndef HEDDLE_SDK_CUDA_RUNTIME_API_H
#define HEDDLE_SDK_CUDA_RUNTIME_API_H

#include "host_defines.h"
#include "vector_types.h"
#include "cuda.h"

// Programs ask by these names whether the header has been included.
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_API_H__
#define __VECTOR_TYPES_H__

#define HD_CUDART 11
#ifdef __cplusplus
extern "C" {
#endif
#include "cudart/runtime.h"
#include "cudart/rtgraphs.h"
#ifdef __cplusplus
}
#endif
#undef CUDART_VERSION
#define CUDART_VERSION CUDA_VERSION
#define CUDART_DEVICE __device__

#include "heddle/constants.h"
#include "heddle/unsupported.h"
#ifdef __cplusplus
#include "heddle/defaults.h"
#endif

#endif
