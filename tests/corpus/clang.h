// clang.h - the words of CUDA C that corpus programs use, for a clang without NVIDIA's toolkit.
#ifndef CORPUS_CLANG_H
#define CORPUS_CLANG_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))

struct dim3 {
    unsigned x, y, z;
};
#define ON static inline __device__ __attribute__((always_inline, unused))

#define VECTOR(type, name)                                                                         \
    struct __attribute__((aligned(sizeof(type) * 2))) name##2                                      \
    {                                                                                              \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct __attribute__((aligned(sizeof(type) * 4 > 16 ? 16 : sizeof(type) * 4))) name##4         \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    ON name##2 make_##name##2(type x, type y)                                                      \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    ON name##3 make_##name##3(type x, type y, type z)                                              \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    ON name##4 make_##name##4(type x, type y, type z, type w)                                      \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
VECTOR(signed char, char)
VECTOR(unsigned char, uchar)
VECTOR(short, short)
VECTOR(unsigned short, ushort)
VECTOR(int, int)
VECTOR(unsigned, uint)
VECTOR(long long, longlong)
VECTOR(unsigned long long, ulonglong)
VECTOR(float, float)
VECTOR(double, double)
#undef VECTOR
#include <__clang_cuda_builtin_vars.h>

template <typename T> ON T min(T a, T b)
{
    return b < a ? b : a;
}
template <typename T> ON T max(T a, T b)
{
    return a < b ? b : a;
}
ON float fmaf(float a, float b, float c)
{
    return __nvvm_fma_rn_f(a, b, c);
}
ON double fma(double a, double b, double c)
{
    return __nvvm_fma_rn_d(a, b, c);
}
ON double fabs(double a)
{
    return __nvvm_fabs_d(a);
}
ON float fabsf(float a)
{
    return __nvvm_fabs_f(a);
}
ON float __fadd_rn(float a, float b)
{
    return __nvvm_add_rn_f(a, b);
}
ON float __fsub_rn(float a, float b)
{
    return __nvvm_add_rn_f(a, -b);
}
ON float __fmul_rn(float a, float b)
{
    return __nvvm_mul_rn_f(a, b);
}
ON float __fdiv_rn(float a, float b)
{
    return __nvvm_div_rn_f(a, b);
}
ON float __fsqrt_rn(float a)
{
    return __nvvm_sqrt_rn_f(a);
}
ON double __dadd_rn(double a, double b)
{
    return __nvvm_add_rn_d(a, b);
}
ON double __dmul_rn(double a, double b)
{
    return __nvvm_mul_rn_d(a, b);
}
ON double __ddiv_rn(double a, double b)
{
    return __nvvm_div_rn_d(a, b);
}

ON int __popc(unsigned a)
{
    return __builtin_popcount(a);
}
ON int __popcll(unsigned long long a)
{
    return __builtin_popcountll(a);
}
ON int __clz(int a)
{
    return a ? __builtin_clz((unsigned)a) : 32;
}
ON int __clzll(long long a)
{
    return a ? __builtin_clzll((unsigned long long)a) : 64;
}
ON int __ffs(int a)
{
    return __builtin_ffs(a);
}
ON int __ffsll(long long a)
{
    return __builtin_ffsll(a);
}
ON unsigned __brev(unsigned a)
{
    return __builtin_bitreverse32(a);
}
ON unsigned long long __brevll(unsigned long long a)
{
    return __builtin_bitreverse64(a);
}
ON unsigned __byte_perm(unsigned a, unsigned b, unsigned c)
{
    return (unsigned)__nvvm_prmt((int)a, (int)b, (int)(c & 0x7777));
}
ON unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) << (n & 31) >> 32);
}
ON unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned n)
{
    return (unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31));
}
ON unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned n)
{
    return n >= 32 ? lo : __funnelshift_l(lo, hi, n);
}
ON unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned n)
{
    return n >= 32 ? hi : __funnelshift_r(lo, hi, n);
}
ON int __mulhi(int a, int b)
{
    return __nvvm_mulhi_i(a, b);
}
ON unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)__nvvm_mulhi_ui(a, b);
}
ON long long __mul64hi(long long a, long long b)
{
    return __nvvm_mulhi_ll(a, b);
}
ON unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)__nvvm_mulhi_ull(a, b);
}
ON int __mul24(int a, int b)
{
    return __nvvm_mul24_i(a, b);
}
ON unsigned __umul24(unsigned a, unsigned b)
{
    return (unsigned)__nvvm_mul24_ui(a, b);
}
ON unsigned __sad(int a, int b, unsigned c)
{
    return (unsigned)(a < b ? (unsigned)b - (unsigned)a : (unsigned)a - (unsigned)b) + c;
}
ON unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return (a < b ? b - a : a - b) + c;
}
ON int __hadd(int a, int b)
{
    return (int)(((long long)a + b) >> 1);
}
ON int __rhadd(int a, int b)
{
    return (int)(((long long)a + b + 1) >> 1);
}
ON unsigned __uhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b) >> 1);
}
ON unsigned __urhadd(unsigned a, unsigned b)
{
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}

ON int __syncthreads_count(int p)
{
    return __nvvm_bar0_popc(p);
}
ON int __syncthreads_and(int p)
{
    return __nvvm_bar0_and(p);
}
ON int __syncthreads_or(int p)
{
    return __nvvm_bar0_or(p);
}
ON void __threadfence(void)
{
    __nvvm_membar_gl();
}
ON void __threadfence_block(void)
{
    __nvvm_membar_cta();
}

ON void *memcpy(void *to, const void *from, unsigned long n)
{
    return __builtin_memcpy(to, from, n);
}
ON void *memset(void *to, int v, unsigned long n)
{
    return __builtin_memset(to, v, n);
}

#undef ON
#endif
