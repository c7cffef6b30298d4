// clang.h - the words of CUDA C that these kernels use, for a clang without NVIDIA's toolkit.
//
// Included on the command line (tools/workloads-ptx.sh), before the kernel's first line. Functions
// are what the hardware has; accuracy is that of the approximate instruction behind each.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __maxnreg__(n) // sm_20 has 63 registers

struct uint3 {
    unsigned x, y, z;
};
struct dim3 {
    unsigned x, y, z;
};
#include <__clang_cuda_builtin_vars.h>

#define INLINE __device__ static inline __attribute__((always_inline))

INLINE int min(int a, int b) { return a < b ? a : b; }
INLINE int max(int a, int b) { return a > b ? a : b; }
INLINE int __clz(int a) { return a ? __builtin_clz((unsigned)a) : 32; }
INLINE int abs(int a) { return a < 0 ? -a : a; }
INLINE float fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
INLINE float rintf(float x) { return __builtin_rintf(x); }
INLINE float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
INLINE float fabsf(float x) { return __builtin_fabsf(x); }
INLINE float sqrtf(float x) { return __nvvm_sqrt_rn_f(x); }
INLINE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
INLINE float cosf(float x) { return __nvvm_cos_approx_f(x); }
INLINE float expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
INLINE float logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
INLINE float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
INLINE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
INLINE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
INLINE float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
INLINE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
INLINE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
INLINE float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
INLINE unsigned atomicAdd(unsigned *p, unsigned v)
{
    return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v);
}
INLINE int atomicMin(int *p, int v) { return __nvvm_atom_min_gen_i(p, v); }
INLINE int atomicMax(int *p, int v) { return __nvvm_atom_max_gen_i(p, v); }
INLINE unsigned atomicCAS(unsigned *p, unsigned expected, unsigned v)
{
    return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)expected, (int)v);
}
// An asm that clobbers memory: clang believes of the intrinsics that they write no variable whose
// address is never taken, and reads such a __shared__ variable before the barrier.
INLINE void block_barrier(void) { __asm__ volatile("bar.sync 0;" ::: "memory"); }
#define __syncthreads() block_barrier()
INLINE void __threadfence(void) { __asm__ volatile("membar.gl;" ::: "memory"); }

// Texture objects: a fetch of the first channel, or of all four by the texel's number.
typedef unsigned long long cudaTextureObject_t;
template <class T> INLINE T tex2D(cudaTextureObject_t t, float x, float y)
{
    unsigned r, g, b, a;
    asm volatile("tex.2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"
                 : "=r"(r), "=r"(g), "=r"(b), "=r"(a)
                 : "l"(t), "f"(x), "f"(y));
    return (T)r;
}
struct uint4 {
    unsigned x, y, z, w;
};
INLINE uint4 fetch_texel(cudaTextureObject_t t, int i)
{
    uint4 v;
    asm volatile("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(t), "r"(i));
    return v;
}
template <class T> struct texel {
    INLINE T of(uint4 v) { return (T)v.x; }
};
template <> struct texel<uint4> {
    INLINE uint4 of(uint4 v) { return v; }
};
template <> struct texel<float> {
    INLINE float of(uint4 v) { return __builtin_bit_cast(float, v.x); }
};
template <class T> INLINE T tex1Dfetch(cudaTextureObject_t t, int i)
{
    return texel<T>::of(fetch_texel(t, i));
}
