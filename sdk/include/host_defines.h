// host_defines.h - the words that CUDA C adds to C++, as clang's attributes.
#ifndef HEDDLE_HOST_DEFINES_H
#define HEDDLE_HOST_DEFINES_H

#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
// clang knows managed variables for AMD only.
#define __managed__                                                                                \
    _Static_assert(0, "__managed__ variables are not there with clang: use cudaMallocManaged");
#define __device_builtin_texture_type__ __attribute__((device_builtin_texture_type))
#define __device_builtin_surface_type__ __attribute__((device_builtin_surface_type))
#else // host code of a CUDA program, compiled as plain C or C++
#if defined(__cplusplus) && defined(__clang__)
#include <new>
#define __CLANG_CUDA_WRAPPERS_NEW // clang's form of it is for the device
#endif
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __managed__
#endif
#define __cdecl

#endif
