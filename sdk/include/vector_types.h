// vector_types.h - int2 to double4, and dim3: fields and alignment are the CUDA Programming Guide's.
#ifndef HEDDLE_VECTOR_TYPES_H
#define HEDDLE_VECTOR_TYPES_H

#include "host_defines.h"

#define HD_VECTORS(type, name, align2, align4)                                                     \
    struct name##1 { type x; };                                                                    \
    struct __align__(align2) name##2 { type x, y; };                                               \
    struct name##3 { type x, y, z; };                                                              \
    struct __align__(align4) name##4 { type x, y, z, w; };                                         \
    typedef struct name##1 name##1;                                                                \
    typedef struct name##2 name##2;                                                                \
    typedef struct name##3 name##3;                                                                \
    typedef struct name##4 name##4;
HD_VECTORS(signed char, char, 2, 4)
HD_VECTORS(unsigned char, uchar, 2, 4)
HD_VECTORS(short, short, 4, 8)
HD_VECTORS(unsigned short, ushort, 4, 8)
HD_VECTORS(int, int, 8, 16)
HD_VECTORS(unsigned int, uint, 8, 16)
HD_VECTORS(long, long, 16, 16)
HD_VECTORS(unsigned long, ulong, 16, 16)
HD_VECTORS(long long, longlong, 16, 16)
HD_VECTORS(unsigned long long, ulonglong, 16, 16)
HD_VECTORS(float, float, 8, 16)
HD_VECTORS(double, double, 16, 16)
#undef HD_VECTORS

#ifdef __cplusplus
struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int a = 1, unsigned int b = 1, unsigned int c = 1)
        : x(a), y(b), z(c)
    {
    }
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
#endif

#endif
