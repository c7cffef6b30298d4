// mathf.cu - single-precision mathematics within the errors of the CUDA C++ Programming Guide.
#include "corpus.h"

#if ON_DEVICE
#define WIDE(name, x) name##f(x)
#define WIDE2(name, x, y) name##f(x, y)
DEVICE float reciprocal_root(float x) { return rsqrtf(x); }
DEVICE float reciprocal_cube_root(float x) { return rcbrtf(x); }
DEVICE float ten_to(float x) { return exp10f(x); }
DEVICE float sine_pi(float x) { return sinpif(x); }
DEVICE float cosine_pi(float x) { return cospif(x); }
DEVICE float normal(float x) { return normcdff(x); }
DEVICE float scaled_erfc(float x) { return erfcxf(x); }
DEVICE float norm3(float x, float y, float z) { return norm3df(x, y, z); }
#else
#define WIDE(name, x) (float)name((double)(x))
#define WIDE2(name, x, y) (float)name((double)(x), (double)(y))
static float reciprocal_root(float x) { return (float)(1.0 / sqrt((double)x)); }
static float reciprocal_cube_root(float x) { return (float)(1.0 / cbrt((double)x)); }
static float ten_to(float x) { return (float)pow(10.0, (double)x); }
static float sine_pi(float x) { return (float)sin(M_PI * (double)x); }
static float cosine_pi(float x) { return (float)cos(M_PI * (double)x); }
static float normal(float x) { return (float)(0.5 * erfc(-(double)x / sqrt(2.0))); }
static float scaled_erfc(float x) { return (float)(exp((double)x * x) * erfc((double)x)); }
static float norm3(float x, float y, float z) { return (float)sqrt((double)x * x + (double)y * y + (double)z * z); }
#endif

PROGRAM(corpus, 2, 64, 50)
{
    float x = drawf(1, -10.0f, 10.0f), y = drawf(2, 0.001f, 20.0f), u = drawf(3, -0.999f, 0.999f);
    float big = drawf(4, -100000.0f, 100000.0f), e = drawf(5, -80.0f, 80.0f), t = drawf(6, -5.0f, 5.0f);

    F32(WIDE(sin, x), 3), F32(WIDE(cos, x), 3), F32(WIDE(tan, x), 5), F32(WIDE(sin, big), 3), F32(WIDE(cos, big), 3);
    F32(WIDE(tan, big), 5), F32(WIDE(exp, e), 3), F32(WIDE(exp2, e), 3), F32(ten_to(t), 3), F32(WIDE(expm1, t), 2);
    F32(WIDE(log, y), 2), F32(WIDE(log2, y), 2), F32(WIDE(log10, y), 3), F32(WIDE(log1p, y), 2);
    F32(WIDE2(pow, y, t), 9), F32(WIDE2(pow, -3.0f, floorf(t)), 9), F32(WIDE(asin, u), 5), F32(WIDE(acos, u), 4);
    F32(WIDE(atan, x), 3), F32(WIDE2(atan2, x, t), 4), F32(WIDE(sinh, t), 4), F32(WIDE(cosh, t), 3), F32(WIDE(tanh, t), 3);
    F32(WIDE(asinh, x), 4), F32(WIDE(acosh, y + 1.0f), 5), F32(WIDE(atanh, u), 4), F32(WIDE(cbrt, x), 2), F32(WIDE2(hypot, x, y), 4);
    F32(WIDE(erf, t), 3), F32(WIDE(erfc, t), 7), F32(WIDE(tgamma, y), 12), F32(WIDE(lgamma, y + 3.0f), 7);
    F32(reciprocal_root(y), 3), F32(reciprocal_cube_root(x), 3), F32(sine_pi(u), 3), F32(cosine_pi(u * 0.4f), 3);
    F32(normal(t), 7), F32(scaled_erfc(y), 7), F32(norm3(x, y, t), 4);
    F32(WIDE(j0, t), 64), ABS(WIDE(j1, t), 1e-6), ABS(WIDE(y0, y), 1e-5);
    U32(isnan(x)), U32(isinf(x / 0.0f) != 0), U32(isfinite(x)), U32(signbit(x) != 0), U32(ilogbf(y)), F32(logbf(y), 0);
    float q = x, sn, cs;
#if ON_DEVICE
    sincosf(q, &sn, &cs);
#else
    sn = (float)sin((double)q), cs = (float)cos((double)q);
#endif
    F32(sn, 3), F32(cs, 3);
}
