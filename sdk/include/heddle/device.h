// device.h - what kernels call that clang's own headers leave to NVIDIA's: atomics under their public
// names, barriers with a vote, matches, clocks, least and greatest.
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#include "heddle/libdevice.h"

// --- functions of floats by the name for doubles, which clang's headers declare and do not define

#define HD_FLOAT1(r, name) HD_DEV r name(float a) { return name##f(a); }
#define HD_FLOAT2(name) HD_DEV float name(float a, float b) { return name##f(a, b); }
HD_FLOAT1(float, acosh)
HD_FLOAT1(float, asinh)
HD_FLOAT1(float, atanh)
HD_FLOAT1(float, cbrt)
HD_FLOAT1(float, erf)
HD_FLOAT1(float, erfc)
HD_FLOAT1(float, exp2)
HD_FLOAT1(float, expm1)
HD_FLOAT1(float, lgamma)
HD_FLOAT1(float, log1p)
HD_FLOAT1(float, log2)
HD_FLOAT1(float, logb)
HD_FLOAT1(float, nearbyint)
HD_FLOAT1(float, rint)
HD_FLOAT1(float, round)
HD_FLOAT1(float, tgamma)
HD_FLOAT1(float, trunc)
HD_FLOAT1(int, ilogb)
HD_FLOAT1(long, lrint)
HD_FLOAT1(long, lround)
HD_FLOAT1(long long, llrint)
HD_FLOAT1(long long, llround)
HD_FLOAT2(copysign)
HD_FLOAT2(fdim)
HD_FLOAT2(fmax)
HD_FLOAT2(fmin)
HD_FLOAT2(hypot)
HD_FLOAT2(nextafter)
HD_FLOAT2(remainder)
HD_DEV float fma(float a, float b, float c) { return fmaf(a, b, c); }
HD_DEV float remquo(float a, float b, int *n) { return remquof(a, b, n); }
HD_DEV float scalbn(float a, int n) { return scalbnf(a, n); }
HD_DEV float scalbln(float a, long n) { return scalblnf(a, n); }
HD_FLOAT1(float, exp10)
HD_FLOAT1(float, erfcx)
HD_FLOAT1(float, erfinv)
HD_FLOAT1(float, erfcinv)
HD_FLOAT1(float, normcdfinv)
HD_FLOAT1(float, j0)
HD_FLOAT1(float, j1)
HD_FLOAT1(float, y0)
HD_FLOAT1(float, y1)
HD_DEV void sincos(float a, float *s, float *c) { sincosf(a, s, c); }
HD_DEV void sincospi(float a, float *s, float *c) { sincospif(a, s, c); }
#undef HD_FLOAT1
#undef HD_FLOAT2

// --- barriers, fences, clocks

HD_DEV void __nanosleep(unsigned int ns) { __asm__ __volatile__("nanosleep.u32 %0;" ::"r"(ns)); }
HD_DEV unsigned int __isGlobal(const void *p) { return __nvvm_isspacep_global(p); }
HD_DEV unsigned int __isShared(const void *p) { return __nvvm_isspacep_shared(p); }
HD_DEV unsigned int __isConstant(const void *p) { return __nvvm_isspacep_const(p); }
HD_DEV unsigned int __isLocal(const void *p) { return __nvvm_isspacep_local(p); }

#define HD_CVTA(name, space)                                                                       \
    HD_DEV size_t __cvta_generic_to_##name(const void *p)                                          \
    {                                                                                              \
        return (size_t)(void __attribute__((address_space(space))) *)p;                            \
    }                                                                                              \
    HD_DEV void *__cvta_##name##_to_generic(size_t p)                                              \
    {                                                                                              \
        return (void *)(void __attribute__((address_space(space))) *)p;                            \
    }
HD_CVTA(global, 1)
HD_CVTA(shared, 3)
HD_CVTA(constant, 4)
HD_CVTA(local, 5)
#undef HD_CVTA

// --- products of bytes and halfwords, summed

#define HD_DP(name, type, c, ptx, a_, b_)                                                          \
    HD_DEV type name(a_ a, b_ b, type c_)                                                          \
    {                                                                                              \
        type r;                                                                                    \
        __asm__(ptx " %0, %1, %2, %3;"                                                             \
                : "=r"(r) : "r"(__builtin_bit_cast(unsigned int, a)),                              \
                            "r"(__builtin_bit_cast(unsigned int, b)), "r"(c_));                    \
        return r;                                                                                  \
    }
#define HD_DP2(name, ptx)                                                                          \
    HD_DP(name, int, "r", ptx ".s32.s32", int, int)                                                \
    HD_DP(name, unsigned int, "r", ptx ".u32.u32", unsigned int, unsigned int)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
HD_DP2(__dp4a, "dp4a")
HD_DP(__dp4a, int, "r", "dp4a.s32.s32", char4, char4)
HD_DP(__dp4a, unsigned int, "r", "dp4a.u32.u32", uchar4, uchar4)
HD_DP2(__dp2a_lo, "dp2a.lo")
HD_DP2(__dp2a_hi, "dp2a.hi")
HD_DP(__dp2a_lo, int, "r", "dp2a.lo.s32.s32", short2, char4)
HD_DP(__dp2a_hi, int, "r", "dp2a.hi.s32.s32", short2, char4)
HD_DP(__dp2a_lo, unsigned int, "r", "dp2a.lo.u32.u32", ushort2, uchar4)
HD_DP(__dp2a_hi, unsigned int, "r", "dp2a.hi.u32.u32", ushort2, uchar4)
#endif
#undef HD_DP2
#undef HD_DP

// --- reductions over the lanes of a warp. Newer clangs have the names, too: these take their place.

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HD_REDUX(op, type, t)                                                                      \
    HD_DEV type hd_reduce_##op##_sync(unsigned int mask, type v)                                   \
    {                                                                                              \
        type r;                                                                                    \
        __asm__ __volatile__("redux.sync." #op "." t " %0, %1, %2;" : "=r"(r) : "r"(v), "r"(mask)); \
        return r;                                                                                  \
    }
#define HD_REDUX2(op) HD_REDUX(op, int, "s32") HD_REDUX(op, unsigned int, "u32")
HD_REDUX2(add)
HD_REDUX2(min)
HD_REDUX2(max)
HD_REDUX(and, unsigned int, "b32")
HD_REDUX(or, unsigned int, "b32")
HD_REDUX(xor, unsigned int, "b32")
#undef HD_REDUX2
#undef HD_REDUX
#define __reduce_add_sync hd_reduce_add_sync
#define __reduce_min_sync hd_reduce_min_sync
#define __reduce_max_sync hd_reduce_max_sync
#define __reduce_and_sync hd_reduce_and_sync
#define __reduce_or_sync hd_reduce_or_sync
#define __reduce_xor_sync hd_reduce_xor_sync
#endif

// --- loads and stores that say which caches they want

#define HD_CACHED_(name, op, type, c, bits, reg)                                                   \
    HD_DEV type name(const type *p)                                                                \
    {                                                                                              \
        reg r;                                                                                     \
        __asm__ __volatile__("ld.global." op "." bits " %0, [%1];" : "=" c(r) : "l"(p) : "memory"); \
        return (type)r;                                                                            \
    }
#define HD_CACHED_STORE(name, op, type, c, bits, reg)                                              \
    HD_DEV void name(type *p, type v)                                                              \
    {                                                                                              \
        __asm__ __volatile__("st.global." op "." bits " [%0], %1;" ::"l"(p), c((reg)v) : "memory"); \
    }
#define HD_CACHED_TYPES(f, name, op)                                                               \
    f(name, op, char, "h", "b8", short) f(name, op, signed char, "h", "b8", short)                 \
    f(name, op, unsigned char, "h", "b8", unsigned short) f(name, op, short, "h", "b16", short)    \
    f(name, op, unsigned short, "h", "b16", unsigned short) f(name, op, int, "r", "b32", int)      \
    f(name, op, unsigned int, "r", "b32", unsigned int) f(name, op, long, "l", "b64", long)        \
    f(name, op, unsigned long, "l", "b64", unsigned long)                                          \
    f(name, op, long long, "l", "b64", long long)                                                  \
    f(name, op, unsigned long long, "l", "b64", unsigned long long)                                \
    f(name, op, float, "f", "f32", float) f(name, op, double, "d", "f64", double)                  \
    HD_CACHED_VECTOR(f, name, char2) HD_CACHED_VECTOR(f, name, char4)                              \
    HD_CACHED_VECTOR(f, name, uchar2) HD_CACHED_VECTOR(f, name, uchar4)                            \
    HD_CACHED_VECTOR(f, name, short2) HD_CACHED_VECTOR(f, name, short4)                            \
    HD_CACHED_VECTOR(f, name, ushort2) HD_CACHED_VECTOR(f, name, ushort4)                          \
    HD_CACHED_VECTOR(f, name, int2) HD_CACHED_VECTOR(f, name, int4)                                \
    HD_CACHED_VECTOR(f, name, uint2) HD_CACHED_VECTOR(f, name, uint4)                              \
    HD_CACHED_VECTOR(f, name, float2) HD_CACHED_VECTOR(f, name, float4)                            \
    HD_CACHED_VECTOR(f, name, double2) HD_CACHED_VECTOR(f, name, longlong2)                        \
    HD_CACHED_VECTOR(f, name, ulonglong2)
// A vector is one plain access: heddle's caches do not tell these apart.
#define HD_CACHED_VECTOR(f, name, type) HD_CACHED_VECTOR_##f(name, type)
#define HD_CACHED_VECTOR_HD_CACHED_STORE(name, type)                                               \
    HD_DEV void name(type *p, type v) { *p = v; }
#define HD_CACHED_VECTOR_HD_CACHED_(name, type)                                                    \
    HD_DEV type name(const type *p) { return *p; }
HD_CACHED_TYPES(HD_CACHED_, __ldcg, "cg")
HD_CACHED_TYPES(HD_CACHED_, __ldca, "ca")
HD_CACHED_TYPES(HD_CACHED_, __ldcs, "cs")
HD_CACHED_TYPES(HD_CACHED_, __ldlu, "lu")
HD_CACHED_TYPES(HD_CACHED_, __ldcv, "cv")
HD_CACHED_TYPES(HD_CACHED_STORE, __stcg, "cg")
HD_CACHED_TYPES(HD_CACHED_STORE, __stwb, "wb")
HD_CACHED_TYPES(HD_CACHED_STORE, __stcs, "cs")
HD_CACHED_TYPES(HD_CACHED_STORE, __stwt, "wt")
#undef HD_CACHED_
#undef HD_CACHED_STORE
#undef HD_CACHED_TYPES
#undef HD_CACHED_VECTOR
#undef HD_CACHED_VECTOR_HD_CACHED_
#undef HD_CACHED_VECTOR_HD_CACHED_STORE

// --- atomics: NAME, NAME_block and NAME_system

#define HD_ATOM(name, scope, type, t, op)                                                          \
    HD_DEV type name(type *p, type v)                                                              \
    {                                                                                              \
        type r;                                                                                    \
        __asm__ __volatile__("atom" scope "." op " %0, [%1], %2;" : "=" t(r) : "l"(p), t(v)        \
                             : "memory");                                                          \
        return r;                                                                                  \
    }
#define HD_ATOM_CAS(name, scope, type, t, bits)                                                    \
    HD_DEV type name(type *p, type expected, type v)                                               \
    {                                                                                              \
        type r;                                                                                    \
        __asm__ __volatile__("atom" scope ".cas." bits " %0, [%1], %2, %3;" : "=" t(r) : "l"(p),   \
                             t(expected), t(v) : "memory");                                        \
        return r;                                                                                  \
    }
#define HD_ATOMS(suffix, scope)                                                                    \
    HD_ATOM(atomicAdd##suffix, scope, int, "r", "add.u32")                                         \
    HD_ATOM(atomicAdd##suffix, scope, unsigned int, "r", "add.u32")                                \
    HD_ATOM(atomicAdd##suffix, scope, unsigned long long, "l", "add.u64")                          \
    HD_ATOM(atomicAdd##suffix, scope, float, "f", "add.f32")                                       \
    HD_ATOM(atomicMin##suffix, scope, int, "r", "min.s32")                                         \
    HD_ATOM(atomicMin##suffix, scope, unsigned int, "r", "min.u32")                                \
    HD_ATOM(atomicMin##suffix, scope, long long, "l", "min.s64")                                   \
    HD_ATOM(atomicMin##suffix, scope, unsigned long long, "l", "min.u64")                          \
    HD_ATOM(atomicMax##suffix, scope, int, "r", "max.s32")                                         \
    HD_ATOM(atomicMax##suffix, scope, unsigned int, "r", "max.u32")                                \
    HD_ATOM(atomicMax##suffix, scope, long long, "l", "max.s64")                                   \
    HD_ATOM(atomicMax##suffix, scope, unsigned long long, "l", "max.u64")                          \
    HD_ATOM(atomicInc##suffix, scope, unsigned int, "r", "inc.u32")                                \
    HD_ATOM(atomicDec##suffix, scope, unsigned int, "r", "dec.u32")                                \
    HD_ATOM(atomicExch##suffix, scope, int, "r", "exch.b32")                                       \
    HD_ATOM(atomicExch##suffix, scope, unsigned int, "r", "exch.b32")                              \
    HD_ATOM(atomicExch##suffix, scope, float, "f", "exch.b32")                                     \
    HD_ATOM(atomicExch##suffix, scope, unsigned long long, "l", "exch.b64")                        \
    HD_ATOM_CAS(atomicCAS##suffix, scope, int, "r", "b32")                                         \
    HD_ATOM_CAS(atomicCAS##suffix, scope, unsigned int, "r", "b32")                                \
    HD_ATOM_CAS(atomicCAS##suffix, scope, unsigned long long, "l", "b64")                          \
    HD_ATOM_BITS(atomicAnd##suffix, scope, "and")                                                  \
    HD_ATOM_BITS(atomicOr##suffix, scope, "or")                                                    \
    HD_ATOM_BITS(atomicXor##suffix, scope, "xor")                                                  \
    HD_DEV int atomicSub##suffix(int *p, int v) { return atomicAdd##suffix(p, (int)-(unsigned int)v); } \
    HD_DEV unsigned int atomicSub##suffix(unsigned int *p, unsigned int v)                         \
    {                                                                                              \
        return atomicAdd##suffix(p, -v);                                                           \
    }
#define HD_ATOM_BITS(name, scope, op)                                                              \
    HD_ATOM(name, scope, int, "r", op ".b32")                                                      \
    HD_ATOM(name, scope, unsigned int, "r", op ".b32")                                             \
    HD_ATOM(name, scope, unsigned long long, "l", op ".b64")
HD_ATOMS(, "")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
HD_ATOM(atomicAdd, "", double, "d", "add.f64")
HD_ATOM(atomicAdd_block, ".cta", double, "d", "add.f64")
HD_ATOM(atomicAdd_system, ".sys", double, "d", "add.f64")
HD_ATOMS(_block, ".cta")
HD_ATOMS(_system, ".sys")
#endif
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
HD_DEV unsigned short atomicCAS(unsigned short *p, unsigned short expected, unsigned short v)
{
    unsigned short r;

    __asm__ __volatile__("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(r) : "l"(p), "h"(expected), "h"(v)
                         : "memory");
    return r;
}
#endif
#undef HD_ATOM
#undef HD_ATOM_CAS
#undef HD_ATOMS
#undef HD_ATOM_BITS

#endif
