// cuComplex.h - complex numbers as pairs.
#ifndef HEDDLE_SDK_CUCOMPLEX_H
#define HEDDLE_SDK_CUCOMPLEX_H

#include "vector_functions.h"
#include <math.h>

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define HD_COMPLEX static __inline__ __host__ __device__ __attribute__((unused))
#define HD_COMPLEXES(T, R, make, f, pre, hyp)                                                      \
    HD_COMPLEX T make_##pre##Complex(R x, R y)                                                     \
    {                                                                                              \
        T r = {x, y};                                                                              \
        return r;                                                                                  \
    }                                                                                              \
    HD_COMPLEX R cuCreal##f(T a) { return a.x; }                                                   \
    HD_COMPLEX R cuCimag##f(T a) { return a.y; }                                                   \
    HD_COMPLEX T cuConj##f(T a) { return make_##pre##Complex(a.x, -a.y); }                         \
    HD_COMPLEX T cuCadd##f(T a, T b) { return make_##pre##Complex(a.x + b.x, a.y + b.y); }         \
    HD_COMPLEX T cuCsub##f(T a, T b) { return make_##pre##Complex(a.x - b.x, a.y - b.y); }         \
    HD_COMPLEX T cuCmul##f(T a, T b)                                                               \
    {                                                                                              \
        return make_##pre##Complex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                  \
    }                                                                                              \
    HD_COMPLEX T cuCdiv##f(T a, T b) /* scaled, so that no square is lost */                       \
    {                                                                                              \
        R s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y), i = (R)1 / s;                       \
        R ax = a.x * i, ay = a.y * i, bx = b.x * i, by = b.y * i, n = (R)1 / (bx * bx + by * by);  \
        return make_##pre##Complex((ax * bx + ay * by) * n, (ay * bx - ax * by) * n);              \
    }                                                                                              \
    HD_COMPLEX R cuCabs##f(T a) { return hyp(a.x, a.y); }                                          \
    HD_COMPLEX T cuCfma##f(T a, T b, T c) { return cuCadd##f(cuCmul##f(a, b), c); }
HD_COMPLEXES(cuFloatComplex, float, , f, cuFloat, hypotf)
HD_COMPLEXES(cuDoubleComplex, double, , , cuDouble, hypot)
HD_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_cuFloatComplex(x, y); }
HD_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_cuDoubleComplex(a.x, a.y); }
HD_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a)
{
    return make_cuFloatComplex((float)a.x, (float)a.y);
}
#undef HD_COMPLEXES
#undef HD_COMPLEX

#endif
