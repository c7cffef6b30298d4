// device.h - what kernels call that clang's own headers leave to NVIDIA's: atomics under their public
// names, barriers with a vote, matches, clocks, least and greatest.
#ifndef HEDDLE_DEVICE_H
#define HEDDLE_DEVICE_H

#include "heddle/libdevice.h"

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
