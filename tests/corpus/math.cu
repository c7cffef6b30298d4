// math.cu - double-precision mathematics within the errors of the CUDA C++ Programming Guide.
#include "corpus.h"

#if ON_DEVICE
#define WIDE(name, x) name(x)
#define WIDE2(name, x, y) name(x, y)
DEVICE double reciprocal_root(double x) { return rsqrt(x); }
DEVICE double ten_to(double x) { return exp10(x); }
DEVICE double normal(double x) { return normcdf(x); }
#else
#define WIDE(name, x) (double)name##l((long double)(x))
#define WIDE2(name, x, y) (double)name##l((long double)(x), (long double)(y))
static double reciprocal_root(double x) { return (double)(1.0L / sqrtl((long double)x)); }
static double ten_to(double x) { return (double)powl(10.0L, (long double)x); }
static double normal(double x) { return (double)(0.5L * erfcl(-(long double)x / sqrtl(2.0L))); }
#endif

PROGRAM(corpus, 1, 64, 68)
{
    double x = drawd(1, -10.0, 10.0), y = drawd(2, 0.001, 20.0), u = drawd(3, -0.999, 0.999);
    double big = drawd(4, -1e9, 1e9), e = drawd(5, -600.0, 600.0), t = drawd(6, -5.0, 5.0);

    F64(WIDE(sin, x), 3), F64(WIDE(cos, x), 3), F64(WIDE(tan, x), 3), F64(WIDE(sin, big), 3), F64(WIDE(cos, big), 3);
    F64(WIDE(exp, e), 2), F64(WIDE(exp2, e), 2), F64(ten_to(t), 2), F64(WIDE(expm1, t), 2);
    F64(WIDE(log, y), 2), F64(WIDE(log2, y), 2), F64(WIDE(log10, y), 2), F64(WIDE(log1p, y), 2);
    F64(WIDE2(pow, y, t), 3), F64(WIDE(asin, u), 3), F64(WIDE(acos, u), 3), F64(WIDE(atan, x), 3), F64(WIDE2(atan2, x, t), 3);
    F64(WIDE(sinh, t), 3), F64(WIDE(cosh, t), 2), F64(WIDE(tanh, t), 2), F64(WIDE(asinh, x), 4), F64(WIDE(acosh, y + 1.0), 3), F64(WIDE(atanh, u), 3);
    F64(WIDE(cbrt, x), 2), F64(WIDE2(hypot, x, y), 3), F64(WIDE(erf, t), 3), F64(WIDE(erfc, t), 6), F64(WIDE(tgamma, y), 11), F64(WIDE(lgamma, y + 3.0), 5);
    F64(reciprocal_root(y), 2), F64(normal(t), 8);
    U32(ilogb(y)), U32(isnan(x / x)), U32(isinf(big)), U32(signbit(t) != 0);
}
