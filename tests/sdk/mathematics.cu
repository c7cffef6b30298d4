// mathematics.cu - functions of one and two arguments against the host's in long double: the greatest
// error in units in the last place, which must be within half a unit of the CUDA Programming Guide's bounds.
#include "check.h"

#include <cmath>
#include <cstring>

#define N 4096

// Inputs: all magnitudes from `low` to `high`, of both signs if low is negative; the rest in between.
struct range {
    double low, high;
    bool magnitudes; // spread over exponents, not evenly
};

static unsigned long long state = 88172645463325252ull;
static double uniform()
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}
static double draw(range r)
{
    if (!r.magnitudes)
        return r.low + (r.high - r.low) * uniform();
    double low = r.low > 0 ? r.low : 1e-6, m = low * std::pow(r.high / low, uniform());
    return r.low < 0 && uniform() < 0.5 ? -m : m;
}

template <class T> static double ulps(T got, long double right)
{
    int e;
    const bool single = sizeof(T) == 4;

    if (std::isnan(got) || std::isnan(right) || std::isinf(got) || right == 0)
        return std::isnan(got) == std::isnan(right) && (std::isnan(got) || (T)right == got) ? 0 : 1e9;
    std::frexp(right, &e);
    int least = single ? -149 : -1074;
    e -= single ? 24 : 53;
    return (double)std::fabs(((long double)got - right) / std::ldexp(1.0L, e < least ? least : e));
}

template <class T, class F> __global__ void one(F f, const T *x, T *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    r[i] = f(x[i]);
}
template <class T, class F> __global__ void two(F f, const T *x, const T *y, T *r)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    r[i] = f(x[i], y[i]);
}

template <class T, class F, class G> static void check1(const char *name, double bound, range r, F f, G right)
{
    shared<T> x(N), got(N);
    double worst = 0, at = 0;

    for (int i = 0; i < N; i++)
        x[i] = (T)draw(r);
    one<<<N / 128, 128>>>(f, (const T *)x, (T *)got);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) {
        double u = ulps(got[i], right((long double)x[i]));
        if (u > worst)
            worst = u, at = (double)x[i];
    }
    bound += bound >= 1 ? 0.5 : 0;
    if (getenv("SHOW") || worst > bound)
        printf("%s%s: %.2f ulp at %a, allowed %.1f\n", name, sizeof(T) == 4 ? "f" : "", worst, at, bound);
    wrong += worst > bound;
}
template <class T, class F, class G>
static void check2(const char *name, double bound, range r, range s, F f, G right)
{
    shared<T> x(N), y(N), got(N);
    double worst = 0, at = 0, with = 0;

    for (int i = 0; i < N; i++)
        x[i] = (T)draw(r), y[i] = (T)draw(s);
    two<<<N / 128, 128>>>(f, (const T *)x, (const T *)y, (T *)got);
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < N; i++) {
        double u = ulps(got[i], right((long double)x[i], (long double)y[i]));
        if (u > worst)
            worst = u, at = (double)x[i], with = (double)y[i];
    }
    bound += bound >= 1 ? 0.5 : 0;
    if (getenv("SHOW") || worst > bound)
        printf("%s%s: %.2f ulp at %a %a, allowed %.1f\n", name, sizeof(T) == 4 ? "f" : "", worst, at, with, bound);
    wrong += worst > bound;
}

#define ONE(name, single, twice, ...)                                                              \
    check1<float>(#name, single, range{__VA_ARGS__}, [] __device__(float a) { return name(a); },   \
                  [](long double a) { return std::name(a); });                                     \
    check1<double>(#name, twice, range{__VA_ARGS__}, [] __device__(double a) { return name(a); },  \
                   [](long double a) { return std::name(a); })
#define ONE_BY(name, single, twice, right, ...)                                                    \
    check1<float>(#name, single, range{__VA_ARGS__}, [] __device__(float a) { return name(a); },   \
                  [](long double a) -> long double { return right; });                             \
    check1<double>(#name, twice, range{__VA_ARGS__}, [] __device__(double a) { return name(a); },  \
                   [](long double a) -> long double { return right; })
#define TWO(name, single, twice, r, s)                                                             \
    check2<float>(#name, single, range r, range s,                                                 \
                  [] __device__(float a, float b) { return name(a, b); },                          \
                  [](long double a, long double b) { return std::name(a, b); });                   \
    check2<double>(#name, twice, range r, range s,                                                 \
                   [] __device__(double a, double b) { return name(a, b); },                       \
                   [](long double a, long double b) { return std::name(a, b); })
#define LIST(...) {__VA_ARGS__}

int main()
{
    ONE(exp, 2, 1, -100, 88);
    ONE(exp, 2, 1, -1e-3, 10, true);
    ONE(exp2, 2, 1, -140, 127);
    ONE_BY(exp10, 2, 1, powl(10, a), -44, 38);
    ONE(expm1, 1, 1, -20, 88);
    ONE(expm1, 1, 1, -1, 1e-1, true);
    ONE(log, 1, 1, 1e-37, 1e37, true);
    ONE(log, 1, 1, 0.5, 2);
    ONE(log2, 1, 1.5, 1e-37, 1e37, true);
    ONE(log2, 1, 1.5, 0.5, 2);
    ONE(log10, 2, 1.5, 1e-37, 1e37, true);
    ONE(log10, 2, 1.5, 0.5, 2);
    ONE(log1p, 1, 1, -1, 1e30, true);
    ONE(log1p, 1, 1, -0.99, 3);
    TWO(pow, 4, 2, LIST(1e-3, 1e3, true), LIST(-8, 8));
    TWO(pow, 4, 2, LIST(0.9, 1.1), LIST(-500, 500));
    ONE(sin, 2, 2, -100, 100);
    ONE(sin, 2, 2, -1, 1e30, true);
    ONE(cos, 2, 2, -100, 100);
    ONE(cos, 2, 2, -1, 1e30, true);
    ONE(tan, 4, 2, -100, 100);
    ONE(tan, 4, 2, -1, 1e20, true);
    ONE(asin, 2, 2, -1, 1);
    ONE(acos, 2, 2, -1, 1);
    ONE(atan, 2, 2, -1, 1e6, true);
    TWO(atan2, 3, 2, LIST(-10, 10), LIST(-10, 10));
    TWO(atan2, 3, 2, LIST(-1, 1e10, true), LIST(-1, 1e10, true));
    ONE(sinh, 3, 2, -88, 88);
    ONE(sinh, 3, 2, -1, 3, true);
    ONE(cosh, 2, 1, -88, 88);
    ONE(tanh, 2, 1, -1, 20, true);
    ONE(asinh, 3, 3, -1, 1e20, true);
    ONE(acosh, 4, 3, 1, 1e20, true);
    ONE(acosh, 4, 3, 1, 2);
    ONE(atanh, 3, 2, -1, 1);
    ONE(sqrt, 0.5, 0.5, 1e-30, 1e30, true);
    ONE(cbrt, 1, 1, -1, 1e30, true);
    ONE_BY(rsqrt, 2, 1, 1 / sqrtl(a), 1e-30, 1e30, true);
    ONE_BY(rcbrt, 1, 1, 1 / cbrtl(a), 1e-30, 1e30, true);
    TWO(hypot, 3, 2, LIST(-1, 1e18, true), LIST(-1, 1e18, true));
    ONE(erf, 2, 2, -5, 5);
    ONE(erf, 2, 2, -1, 1, true);
    ONE(erfc, 4, 5, -5, 9);
    ONE(tgamma, 5, 10, 0.1, 30);
    ONE(tgamma, 5, 10, -20, 0);
    ONE(lgamma, 6, 4, 3, 1e6, true);
    ONE_BY(normcdf, 5, 5, 0.5L * erfcl(-a * sqrtl(0.5L)), -5, 5);
    ONE_BY(sinpi, 1, 2, sinl(acosl(-1.0L) * (a - 2 * rintl(a / 2))), 0.01, 0.99);
    ONE_BY(cospi, 1, 2, cosl(acosl(-1.0L) * a), 0.01, 0.49);
    TWO(fmod, 0, 0, LIST(-1, 1e20, true), LIST(-1, 1e3, true));
    TWO(remainder, 0, 0, LIST(-1, 1e20, true), LIST(-1, 1e3, true));
    TWO(fdim, 1, 1, LIST(-10, 10), LIST(-10, 10));
    ONE(round, 0, 0, -100, 100);
    ONE(rint, 0, 0, -100, 100);
    ONE(floor, 0, 0, -100, 100);
    ONE(ceil, 0, 0, -100, 100);
    ONE(trunc, 0, 0, -100, 100);
    // erfinv: the function back
    check1<double>("erf of erfinv", 8, range{-0.99, 0.99}, [] __device__(double a) { return erf(erfinv(a)); },
                   [](long double a) { return a; });
    check1<double>("normcdf of normcdfinv", 200, range{1e-10, 0.5, true},
                   [] __device__(double a) { return normcdf(normcdfinv(a)); }, [](long double a) { return a; });
    // Bessel functions may err by 5e-12, ours do by less than 1e-15; near their zeros too, so they are compared shifted.
    check1<double>("j0", 5000, range{0, 60}, [] __device__(double a) { return 2 + j0(a); },
                   [](long double a) { return 2 + j0l(a); });
    check1<double>("j1", 5000, range{0, 60}, [] __device__(double a) { return 2 + j1(a); },
                   [](long double a) { return 2 + j1l(a); });
    check1<double>("y0", 5000, range{1, 60}, [] __device__(double a) { return 2 + y0(a); },
                   [](long double a) { return 2 + y0l(a); });
    check1<double>("y1", 5000, range{1, 60}, [] __device__(double a) { return 4 + y1(a); },
                   [](long double a) { return 4 + y1l(a); });
    return ended();
}
