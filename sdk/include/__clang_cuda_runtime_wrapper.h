// __clang_cuda_runtime_wrapper.h - what every CUDA source starts with: clang includes a file of this
// name before the first line. This one is found before clang's own, which needs NVIDIA's headers.
//
// The order matters. Device forms of the mathematics must be declared before <cmath> is read, so that
// its functions become the host's; what clang's headers call must be there before them.
#ifndef HEDDLE_CUDA_PRELUDE
#define HEDDLE_CUDA_PRELUDE

#if defined(__CUDA__) && defined(__clang__)

#define __CUDACC__ // libstdc++ then leaves out __float128
#define __CUDACC_VER_MAJOR__ 11
#define __CUDACC_VER_MINOR__ 5
#define __CUDACC_VER_BUILD__ 0
#define __NVCC_HEDDLE__

#include <__clang_cuda_math_forward_declares.h>
#include <cmath>
#include <cstdlib>
#include <stdlib.h> // its names before the device's overload them
#include <cstring>
#include <string.h>
#include <climits>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "cuda.h"
#include "vector_types.h"
#include "vector_functions.h"
#include "cuda_runtime_api.h"
#include <__clang_cuda_builtin_vars.h>

// The device's printf, memory and assertions: functions that the simulated GPU has.
extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ int printf(const char *, ...);
__device__ void *malloc(size_t) __attribute__((nothrow)) __attribute__((malloc));
__device__ void free(void *) __attribute__((nothrow));
__device__ void __assertfail(const char *message, const char *file, unsigned int line,
                             const char *function, size_t character);
__device__ static __inline__ void __assert_fail(const char *message, const char *file,
                                                unsigned int line, const char *function)
{
    __assertfail(message, file, line, function, sizeof(char));
}
// Tables of virtual functions name these where a class has no function of its own. They are inline, so
// that only files with such a class get them, and each program keeps one.
__device__ inline void __cxa_pure_virtual(void) { __builtin_trap(); }
__device__ inline void __cxa_deleted_virtual(void) { __builtin_trap(); }
}
namespace std
{
__device__ static __inline__ void free(void *p)
{
    ::free(p);
}
__device__ static __inline__ void *malloc(size_t bytes)
{
    return ::malloc(bytes);
}
} // namespace std

#include "heddle/libdevice.h"
#include "heddle/math.h"
#include "heddle/mathf.h"
#include "heddle/simd.h"
// Of its SIMD functions the ones by the device library, not those by instructions of an older GPU.
#pragma push_macro("CUDA_VERSION")
#undef CUDA_VERSION
#define CUDA_VERSION 9010
#include <__clang_cuda_device_functions.h>
#pragma pop_macro("CUDA_VERSION")
#include <__clang_cuda_math.h>
#include "heddle/device.h"
#include "heddle/hostmath.h"

__device__ inline __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_threadIdx_t::operator uint3() const { return uint3{x, y, z}; }
__device__ inline __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockIdx_t::operator uint3() const { return uint3{x, y, z}; }
__device__ inline __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_blockDim_t::operator uint3() const { return uint3{x, y, z}; }
__device__ inline __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }
__device__ inline __cuda_builtin_gridDim_t::operator uint3() const { return uint3{x, y, z}; }

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include "heddle/barriers.h"
#include <__clang_cuda_complex_builtins.h>
#include <new> // clang's: with operator new of the device

#include "cuda_runtime.h"
#if __cplusplus >= 201402L
#include "heddle/references.h"
#endif
#ifdef __CUDACC_RDC__
#include "heddle/launches.h"
#endif

// Newer clangs know the word; before, the headers that have it in an attribute must have been read.
#if __clang_major__ < 15
#if __cplusplus >= 201103L
#include <memory>
#endif
#define __noinline__ __attribute__((noinline))
#endif

#endif
#endif
