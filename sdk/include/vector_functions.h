// vector_functions.h - make_int2 and its kin.
#ifndef HEDDLE_VECTOR_FUNCTIONS_H
#define HEDDLE_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define HD_MAKE static __inline__ __host__ __device__ __attribute__((unused))
#define HD_MAKERS(type, name)                                                                      \
    HD_MAKE name##1 make_##name##1(type x)                                                         \
    {                                                                                              \
        name##1 v = {x};                                                                           \
        return v;                                                                                  \
    }                                                                                              \
    HD_MAKE name##2 make_##name##2(type x, type y)                                                 \
    {                                                                                              \
        name##2 v = {x, y};                                                                        \
        return v;                                                                                  \
    }                                                                                              \
    HD_MAKE name##3 make_##name##3(type x, type y, type z)                                         \
    {                                                                                              \
        name##3 v = {x, y, z};                                                                     \
        return v;                                                                                  \
    }                                                                                              \
    HD_MAKE name##4 make_##name##4(type x, type y, type z, type w)                                 \
    {                                                                                              \
        name##4 v = {x, y, z, w};                                                                  \
        return v;                                                                                  \
    }
HD_MAKERS(signed char, char)
HD_MAKERS(unsigned char, uchar)
HD_MAKERS(short, short)
HD_MAKERS(unsigned short, ushort)
HD_MAKERS(int, int)
HD_MAKERS(unsigned int, uint)
HD_MAKERS(long, long)
HD_MAKERS(unsigned long, ulong)
HD_MAKERS(long long, longlong)
HD_MAKERS(unsigned long long, ulonglong)
HD_MAKERS(float, float)
HD_MAKERS(double, double)
#undef HD_MAKERS
#undef HD_MAKE

#endif
