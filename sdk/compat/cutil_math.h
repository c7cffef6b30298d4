// cutil_math.h - arithmetic on CUDA's short vectors, which programs had from the SDK's cutil_math.h and
// the samples' helper_math.h, written anew: operators component by component and with a scalar on
// either side, and for float vectors what geometry needs.
#ifndef HEDDLE_LEGACY_CUTIL_MATH_H
#define HEDDLE_LEGACY_CUTIL_MATH_H

#include "heddle_legacy.h"

#include <cuda_runtime.h>

#include <math.h>

#define HEDDLE_BOTH static __host__ __device__ __forceinline__

// Lists of components: C applied to each letter, with commas between.
#define HEDDLE_EACH2(C) C(x), C(y)
#define HEDDLE_EACH3(C) C(x), C(y), C(z)
#define HEDDLE_EACH4(C) C(x), C(y), C(z), C(w)

// One operator of a vector type T of scalars S and its assignment.
#define HEDDLE_OPERATOR(T, S, EACH, OP, VV, VS, SV)                                                \
    HEDDLE_BOTH T operator OP(T a, T b)                                                            \
    {                                                                                              \
        return make_##T(EACH(VV));                                                                 \
    }                                                                                              \
    HEDDLE_BOTH T operator OP(T a, S b)                                                            \
    {                                                                                              \
        return make_##T(EACH(VS));                                                                 \
    }                                                                                              \
    HEDDLE_BOTH T operator OP(S a, T b)                                                            \
    {                                                                                              \
        return make_##T(EACH(SV));                                                                 \
    }                                                                                              \
    HEDDLE_BOTH void operator OP##=(T &a, T b)                                                     \
    {                                                                                              \
        a = a OP b;                                                                                \
    }                                                                                              \
    HEDDLE_BOTH void operator OP##=(T &a, S b)                                                     \
    {                                                                                              \
        a = a OP b;                                                                                \
    }

#define HEDDLE_ADD_VV(c) a.c + b.c
#define HEDDLE_ADD_VS(c) a.c + b
#define HEDDLE_ADD_SV(c) a + b.c
#define HEDDLE_SUB_VV(c) a.c - b.c
#define HEDDLE_SUB_VS(c) a.c - b
#define HEDDLE_SUB_SV(c) a - b.c
#define HEDDLE_MUL_VV(c) a.c * b.c
#define HEDDLE_MUL_VS(c) a.c * b
#define HEDDLE_MUL_SV(c) a * b.c
#define HEDDLE_DIV_VV(c) a.c / b.c
#define HEDDLE_DIV_VS(c) a.c / b
#define HEDDLE_DIV_SV(c) a / b.c
#define HEDDLE_NEG(c) -a.c
#define HEDDLE_ALL(c) s
#define HEDDLE_CAST(c) (heddle_scalar) a.c
#define HEDDLE_MIN(c) a.c < b.c ? a.c : b.c
#define HEDDLE_MAX(c) a.c < b.c ? b.c : a.c

#define HEDDLE_VECTOR(T, S, EACH)                                                                  \
    HEDDLE_OPERATOR(T, S, EACH, +, HEDDLE_ADD_VV, HEDDLE_ADD_VS, HEDDLE_ADD_SV)                    \
    HEDDLE_OPERATOR(T, S, EACH, -, HEDDLE_SUB_VV, HEDDLE_SUB_VS, HEDDLE_SUB_SV)                    \
    HEDDLE_OPERATOR(T, S, EACH, *, HEDDLE_MUL_VV, HEDDLE_MUL_VS, HEDDLE_MUL_SV)                    \
    HEDDLE_OPERATOR(T, S, EACH, /, HEDDLE_DIV_VV, HEDDLE_DIV_VS, HEDDLE_DIV_SV)                    \
    HEDDLE_BOTH T make_##T(S s)                                                                    \
    {                                                                                              \
        return make_##T(EACH(HEDDLE_ALL));                                                         \
    }                                                                                              \
    HEDDLE_BOTH T min(T a, T b)                                                                    \
    {                                                                                              \
        return make_##T(EACH(HEDDLE_MIN));                                                         \
    }                                                                                              \
    HEDDLE_BOTH T max(T a, T b)                                                                    \
    {                                                                                              \
        return make_##T(EACH(HEDDLE_MAX));                                                         \
    }                                                                                              \
    HEDDLE_BOTH T clamp(T v, S low, S high)                                                        \
    {                                                                                              \
        return min(max(v, make_##T(low)), make_##T(high));                                         \
    }                                                                                              \
    HEDDLE_BOTH T clamp(T v, T low, T high)                                                        \
    {                                                                                              \
        return min(max(v, low), high);                                                             \
    }

HEDDLE_VECTOR(float2, float, HEDDLE_EACH2)
HEDDLE_VECTOR(float3, float, HEDDLE_EACH3)
HEDDLE_VECTOR(float4, float, HEDDLE_EACH4)
HEDDLE_VECTOR(int2, int, HEDDLE_EACH2)
HEDDLE_VECTOR(int3, int, HEDDLE_EACH3)
HEDDLE_VECTOR(int4, int, HEDDLE_EACH4)
HEDDLE_VECTOR(uint2, unsigned int, HEDDLE_EACH2)
HEDDLE_VECTOR(uint3, unsigned int, HEDDLE_EACH3)
HEDDLE_VECTOR(uint4, unsigned int, HEDDLE_EACH4)

// From the same number of other components, from more, from fewer and the rest.
#define HEDDLE_FROM(T, S, FROM, EACH)                                                              \
    HEDDLE_BOTH T make_##T(FROM a)                                                                 \
    {                                                                                              \
        typedef S heddle_scalar;                                                                   \
        return make_##T(EACH(HEDDLE_CAST));                                                        \
    }

HEDDLE_FROM(float2, float, int2, HEDDLE_EACH2)
HEDDLE_FROM(float2, float, uint2, HEDDLE_EACH2)
HEDDLE_FROM(float2, float, float3, HEDDLE_EACH2)
HEDDLE_FROM(float2, float, float4, HEDDLE_EACH2)
HEDDLE_FROM(float3, float, int3, HEDDLE_EACH3)
HEDDLE_FROM(float3, float, uint3, HEDDLE_EACH3)
HEDDLE_FROM(float3, float, float4, HEDDLE_EACH3)
HEDDLE_FROM(float4, float, int4, HEDDLE_EACH4)
HEDDLE_FROM(float4, float, uint4, HEDDLE_EACH4)
HEDDLE_FROM(int2, int, float2, HEDDLE_EACH2)
HEDDLE_FROM(int2, int, uint2, HEDDLE_EACH2)
HEDDLE_FROM(int3, int, float3, HEDDLE_EACH3)
HEDDLE_FROM(int3, int, uint3, HEDDLE_EACH3)
HEDDLE_FROM(int4, int, float4, HEDDLE_EACH4)
HEDDLE_FROM(int4, int, uint4, HEDDLE_EACH4)
HEDDLE_FROM(uint2, unsigned int, int2, HEDDLE_EACH2)
HEDDLE_FROM(uint3, unsigned int, int3, HEDDLE_EACH3)
HEDDLE_FROM(uint4, unsigned int, int4, HEDDLE_EACH4)

HEDDLE_BOTH float3 make_float3(float2 a, float z = 0)
{
    return make_float3(a.x, a.y, z);
}

HEDDLE_BOTH float4 make_float4(float3 a, float w = 0)
{
    return make_float4(a.x, a.y, a.z, w);
}

HEDDLE_BOTH float clamp(float v, float low, float high)
{
    return fmaxf(low, fminf(v, high));
}

HEDDLE_BOTH int clamp(int v, int low, int high)
{
    return v < low ? low : v < high ? v : high;
}

HEDDLE_BOTH float lerp(float a, float b, float t)
{
    return a + t * (b - a);
}

HEDDLE_BOTH float dot(float2 a, float2 b)
{
    return a.x * b.x + a.y * b.y;
}

HEDDLE_BOTH float dot(float3 a, float3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

HEDDLE_BOTH float dot(float4 a, float4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

HEDDLE_BOTH float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#define HEDDLE_GEOMETRY(T, EACH)                                                                   \
    HEDDLE_BOTH T operator-(T a)                                                                   \
    {                                                                                              \
        return make_##T(EACH(HEDDLE_NEG));                                                         \
    }                                                                                              \
    HEDDLE_BOTH T lerp(T a, T b, float t)                                                          \
    {                                                                                              \
        return a + t * (b - a);                                                                    \
    }                                                                                              \
    HEDDLE_BOTH float length(T a)                                                                  \
    {                                                                                              \
        return sqrtf(dot(a, a));                                                                   \
    }                                                                                              \
    HEDDLE_BOTH T normalize(T a)                                                                   \
    {                                                                                              \
        return a * (1.0f / sqrtf(dot(a, a)));                                                      \
    }                                                                                              \
    HEDDLE_BOTH T reflect(T a, T normal)                                                           \
    {                                                                                              \
        return a - 2.0f * normal * dot(normal, a);                                                 \
    }                                                                                              \
    HEDDLE_BOTH T floorf(T a)                                                                      \
    {                                                                                              \
        return make_##T(EACH(HEDDLE_FLOOR));                                                       \
    }                                                                                              \
    HEDDLE_BOTH T fabs(T a)                                                                        \
    {                                                                                              \
        return make_##T(EACH(HEDDLE_FABS));                                                        \
    }                                                                                              \
    HEDDLE_BOTH T fminf(T a, T b)                                                                  \
    {                                                                                              \
        return make_##T(EACH(HEDDLE_FMIN));                                                        \
    }                                                                                              \
    HEDDLE_BOTH T fmaxf(T a, T b)                                                                  \
    {                                                                                              \
        return make_##T(EACH(HEDDLE_FMAX));                                                        \
    }
#define HEDDLE_FLOOR(c) floorf(a.c)
#define HEDDLE_FABS(c) fabsf(a.c)
#define HEDDLE_FMIN(c) fminf(a.c, b.c)
#define HEDDLE_FMAX(c) fmaxf(a.c, b.c)

HEDDLE_GEOMETRY(float2, HEDDLE_EACH2)
HEDDLE_GEOMETRY(float3, HEDDLE_EACH3)
HEDDLE_GEOMETRY(float4, HEDDLE_EACH4)

#endif
