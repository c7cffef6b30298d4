// math.h - the device's mathematics in double precision. Algorithms are the textbook's: reduction of
// the argument, a fitted polynomial (coefficients.h), reconstruction. Every operation is one that
// IEEE 754 defines, so results are the same everywhere; errors are within those of the CUDA C++
// Programming Guide, "Mathematical Functions" (tests/sdk measures them).
#ifndef HEDDLE_MATH_H
#define HEDDLE_MATH_H

#include "heddle/coefficients.h"
#include "heddle/libdevice.h"

#define HD_FUN static __device__ __inline__ __attribute__((unused))
#define HD_FMA(a, b, c) __nvvm_fma_rn_d(a, b, c)
#define HD_INF (__builtin_inf())
#define HD_NAN (__builtin_nan(""))
#define HD_LN2_HIGH 0x1.62e42fee00000p-1 // k times this is exact
#define HD_LN2_LOW 0x1.a39ef35793c76p-33
#define HD_PI 0x1.921fb54442d18p+1
#define HD_PI_LOW 0x1.1a62633145c07p-53

// --- parts of numbers

HD_DEV double hd_power_of_2(int n) { return __nv_longlong_as_double((long long)(n + 1023) << 52); }

HD_FUN double __nv_ldexp(double a, int n)
{
    n = __nv_max(-2200, __nv_min(2200, n));
    int half = n / 4;
    double scale = hd_power_of_2(half);

    return __nv_dmul_rn(__nv_dmul_rn(__nv_dmul_rn(__nv_dmul_rn(a, scale), scale), scale),
                        hd_power_of_2(n - 3 * half));
}
HD_DEV double __nv_scalbn(double a, int n) { return __nv_ldexp(a, n); }
HD_FUN double __nv_frexp(double a, int *n)
{
    if (a == 0 || !__nv_isfinited(a)) {
        *n = 0;
        return a + a;
    }
    int small = __nv_fabs(a) < 0x1p-1022 ? 54 : 0;
    unsigned long long b = (unsigned long long)__nv_double_as_longlong(small ? a * 0x1p54 : a);

    *n = (int)(b >> 52 & 0x7ff) - 1022 - small;
    return __nv_longlong_as_double((long long)((b & 0x800fffffffffffffull) | 0x3fe0000000000000ull));
}
HD_FUN int __nv_ilogb(double a)
{
    int n;

    if (a == 0 || __nv_isnand(a))
        return -0x7fffffff - 1;
    if (__nv_isinfd(a))
        return 0x7fffffff;
    __nv_frexp(a, &n);
    return n - 1;
}
HD_FUN double __nv_logb(double a)
{
    if (a == 0)
        return -HD_INF;
    return __nv_isfinited(a) ? (double)__nv_ilogb(a) : a * a;
}
HD_FUN double __nv_modf(double a, double *whole)
{
    *whole = __nv_trunc(a);
    return __nv_copysign(__nv_isinfd(a) ? 0.0 : a - *whole, a);
}
HD_FUN double __nv_nextafter(double a, double b)
{
    long long i = __nv_double_as_longlong(a);

    if (__nv_isnand(a) || __nv_isnand(b))
        return a + b;
    if (a == b)
        return b;
    if (a == 0)
        return __nv_copysign(0x1p-1074, b);
    return __nv_longlong_as_double((a < b) == (a > 0) ? i + 1 : i - 1);
}

// The remainder of |a| by |b| by long division of the fractions, and the last bits of the quotient.
HD_FUN double hd_remainder(double a, double b, unsigned int *quotient)
{
    int ea, eb;
    unsigned int q = 0;

    a = __nv_fabs(a);
    b = __nv_fabs(b);
    *quotient = 0;
    if (a < b)
        return a;
    long long x = (long long)(__nv_frexp(a, &ea) * 0x1p53), y = (long long)(__nv_frexp(b, &eb) * 0x1p53);
    for (int n = ea - eb; n >= 0; n--) {
        q <<= 1;
        if (x >= y)
            x -= y, q |= 1;
        if (n)
            x <<= 1;
    }
    *quotient = q;
    return __nv_ldexp((double)x, eb - 53);
}
HD_FUN double __nv_fmod(double a, double b)
{
    unsigned int q;

    if (__nv_isnand(a) || __nv_isnand(b) || __nv_isinfd(a) || b == 0)
        return HD_NAN;
    if (__nv_isinfd(b))
        return a;
    return __nv_copysign(hd_remainder(a, b, &q), a);
}
HD_FUN double __nv_remquo(double a, double b, int *n)
{
    unsigned int q = 0;
    double r;

    *n = 0;
    if (__nv_isnand(a) || __nv_isnand(b) || __nv_isinfd(a) || b == 0)
        return HD_NAN;
    if (__nv_isinfd(b))
        return a;
    r = hd_remainder(a, b, &q);
    double y = __nv_fabs(b), twice = r + r;
    if (twice > y || (twice == y && (q & 1)) || (__nv_isinfd(twice) && r > y - r))
        r -= y, q++;
    q &= 0x7fffffffu;
    *n = __nv_signbitd(a) != __nv_signbitd(b) ? -(int)q : (int)q;
    return r == 0 ? __nv_copysign(0.0, a) : __nv_signbitd(a) ? -r : r;
}
HD_FUN double __nv_remainder(double a, double b)
{
    int n;

    return __nv_remquo(a, b, &n);
}

// --- exponentials

// exp(a + low) for a where it is neither 0 nor infinite, low far below a.
HD_FUN double hd_exp_sum(double a, double low)
{
    double n = __nv_rint(a * 0x1.71547652b82fep+0);
    double r = HD_FMA(-n, HD_LN2_HIGH, a);

    r = HD_FMA(-n, HD_LN2_LOW, r) + low;
    double p = HD_FMA(__nv_dmul_rn(r, r), HD_EXP_POLY(r, HD_FMA), r);
    int k = (int)n, half = k / 2;
    p = __nv_dadd_rn(1.0, p);
    return __nv_dmul_rn(__nv_dmul_rn(p, hd_power_of_2(half)), hd_power_of_2(k - half));
}
HD_FUN double __nv_exp(double a)
{
    if (!(__nv_fabs(a) < 746.0))
        return __nv_isnand(a) ? a : a > 0 ? HD_INF : 0.0;
    return hd_exp_sum(a, 0.0);
}
HD_FUN double __nv_exp2(double a)
{
    if (!(__nv_fabs(a) < 1076.0))
        return __nv_isnand(a) ? a : a > 0 ? HD_INF : 0.0;
    double n = __nv_rint(a), f = a - n, r = f * 0x1.62e42fefa39efp-1;
    double low = HD_FMA(f, 0x1.62e42fefa39efp-1, -r) + f * 0x1.abc9e3b39803fp-56;
    return __nv_ldexp(hd_exp_sum(r, low), (int)n);
}
HD_FUN double __nv_exp10(double a)
{
    if (!(__nv_fabs(a) < 324.0))
        return __nv_isnand(a) ? a : a > 0 ? HD_INF : 0.0;
    double n = __nv_rint(a * 0x1.a934f0979a371p+1);
    double f = HD_FMA(-n, 0x1.34413509f79ffp-2, a); // log10(2), the rest of it below
    f = HD_FMA(-n, -0x1.9dc1da994fd21p-59, f);
    double r = f * 0x1.26bb1bbb55516p+1;
    double low = HD_FMA(f, 0x1.26bb1bbb55516p+1, -r) + f * -0x1.f48ad494ea3e9p-53;
    return __nv_ldexp(hd_exp_sum(r, low), (int)n);
}
HD_FUN double __nv_expm1(double a)
{
    if (!(__nv_fabs(a) < 710.0))
        return __nv_isnand(a) ? a : a > 0 ? HD_INF : -1.0;
    double n = __nv_rint(a * 0x1.71547652b82fep+0);
    double r = HD_FMA(-n, HD_LN2_LOW, HD_FMA(-n, HD_LN2_HIGH, a));
    double p = HD_FMA(__nv_dmul_rn(r, r), HD_EXP_POLY(r, HD_FMA), r);
    if (n == 0)
        return a == 0 ? a : p;
    if (n == 1024.0)
        return HD_FMA(p, 0x1p1023, 0x1p1023) * 2.0;
    double scale = hd_power_of_2((int)n);
    return HD_FMA(p, scale, scale - 1.0);
}

// --- logarithms

// a = 2^k (1 + f), f from sqrt(1/2)-1 to sqrt(2)-1; a is positive and finite.
HD_FUN double hd_split(double a, int *k)
{
    int n = 0;

    if (a < 0x1p-1022)
        a *= 0x1p54, n = -54;
    unsigned int high = (unsigned int)__nv_double2hiint(a) + (0x3ff00000u - 0x3fe6a09eu);
    *k = n + (int)(high >> 20) - 0x3ff;
    return __nv_hiloint2double((int)((high & 0xfffffu) + 0x3fe6a09eu), __nv_double2loint(a)) - 1.0;
}
// What is to be taken from f for log(1+f).
HD_DEV double hd_log_rest(double f)
{
    double s = __nv_ddiv_rn(f, 2.0 + f), z = s * s;

    return s * (f - z * (HD_LOG_POLY(z, HD_FMA)));
}
HD_FUN double __nv_log(double a)
{
    int k;

    if (!(a > 0) || __nv_isinfd(a))
        return a == 0 ? -HD_INF : a > 0 ? a : HD_NAN;
    double f = hd_split(a, &k);
    return HD_FMA((double)k, HD_LN2_HIGH, f - (hd_log_rest(f) - (double)k * HD_LN2_LOW));
}
HD_FUN double __nv_log2(double a)
{
    int k;

    if (!(a > 0) || __nv_isinfd(a))
        return a == 0 ? -HD_INF : a > 0 ? a : HD_NAN;
    double f = hd_split(a, &k), rest = hd_log_rest(f), high = f - rest, low = (f - high) - rest;
    double h = __nv_dmul_rn(high, 0x1.71547652b82fep+0);
    low = HD_FMA(high, 0x1.71547652b82fep+0, -h) + (low * 0x1.71547652b82fep+0 + high * 0x1.777d0ffda0d24p-56);
    double sum = (double)k + h;
    return sum + (((double)k - sum) + h + low);
}
HD_FUN double __nv_log10(double a)
{
    int k;

    if (!(a > 0) || __nv_isinfd(a))
        return a == 0 ? -HD_INF : a > 0 ? a : HD_NAN;
    double f = hd_split(a, &k), rest = hd_log_rest(f), high = f - rest, low = (f - high) - rest;
    double h = __nv_dmul_rn(high, 0x1.bcb7b1526e50ep-2);
    low = HD_FMA(high, 0x1.bcb7b1526e50ep-2, -h) + (low * 0x1.bcb7b1526e50ep-2 + high * 0x1.95355baaafad3p-57);
    double t = __nv_dmul_rn((double)k, 0x1.34413509f6000p-2); // exact
    low += (double)k * 0x1.9fef311f12b36p-42;
    double sum = t + h;
    return sum + ((t - sum) + h + low);
}
HD_FUN double __nv_log1p(double a)
{
    int k;

    if (!(a > -1.0) || __nv_isinfd(a))
        return a == -1.0 ? -HD_INF : a > 0 ? a : HD_NAN;
    if (__nv_fabs(a) < 0x1p-54)
        return a;
    double u = 1.0 + a, lost = u - 1.0;
    double c = __nv_fabs(a) < 1.0 ? (a - lost) : (1.0 - (u - a));
    if (a > -0.29 && a < 0.41)
        return a - hd_log_rest(a);
    double f = hd_split(u, &k);
    return HD_FMA((double)k, HD_LN2_HIGH, f - (hd_log_rest(f) - ((double)k * HD_LN2_LOW + __nv_ddiv_rn(c, u))));
}

// --- powers

// log(a) as a sum of two.
HD_FUN double hd_log_sum(double a, double *low)
{
    int k;
    double f = hd_split(a, &k), t = 2.0 + f, t_low = f - (t - 2.0);
    double s = __nv_ddiv_rn(f, t), s_low = __nv_ddiv_rn(HD_FMA(-s, t_low, HD_FMA(-s, t, f)), t);
    double z = __nv_dmul_rn(s, s), z_low = HD_FMA(s, s, -z) + 2.0 * s * s_low;
    double q = __nv_dmul_rn(z, HD_POWLOG_POLY(z, HD_FMA));
    double u = __nv_dadd_rn(0x1.5555555555555p-1, q);
    double u_low = __nv_dadd_rn(__nv_dsub_rn(0x1.5555555555555p-1, u), q) + 0x1.5555555555555p-55;
    double v = __nv_dmul_rn(z, u), v_low = HD_FMA(z, u, -v) + HD_FMA(z, u_low, z_low * u);
    double w = __nv_dmul_rn(s, v), w_low = HD_FMA(s, v, -w) + HD_FMA(s, v_low, s_low * v);
    double h = __nv_dadd_rn(2.0 * s, w);
    double l = __nv_dadd_rn(__nv_dsub_rn(2.0 * s, h), w) + (2.0 * s_low + w_low);
    double n = (double)k, x = __nv_dmul_rn(n, HD_LN2_HIGH), sum = __nv_dadd_rn(x, h);
    double b = __nv_dsub_rn(sum, x);
    l += __nv_dadd_rn(__nv_dsub_rn(x, __nv_dsub_rn(sum, b)), __nv_dsub_rn(h, b));
    l += n * HD_LN2_LOW;
    double high = __nv_dadd_rn(sum, l);
    *low = __nv_dadd_rn(__nv_dsub_rn(sum, high), l);
    return high;
}
HD_FUN double __nv_pow(double a, double b)
{
    if (b == 0 || a == 1.0)
        return 1.0;
    if (__nv_isnand(a) || __nv_isnand(b))
        return a + b;
    double m = __nv_fabs(a);
    bool whole = __nv_trunc(b) == b;
    bool odd = whole && __nv_fabs(b) < 0x1p53 && (__nv_double2ll_rz(b) & 1);
    double sign = odd && __nv_signbitd(a) ? -1.0 : 1.0;
    if (__nv_isinfd(b))
        return m == 1.0 ? 1.0 : (m > 1.0) == (b > 0) ? HD_INF : 0.0;
    if (m == 0 || __nv_isinfd(m))
        return sign * ((m == 0) == (b > 0) ? 0.0 : HD_INF);
    if (a < 0 && !whole)
        return HD_NAN;
    double l, h = hd_log_sum(m, &l), p = __nv_dmul_rn(b, h);
    if (!(__nv_fabs(p) < 746.0))
        return sign * (p > 0 ? HD_INF : 0.0);
    return sign * hd_exp_sum(p, HD_FMA(b, h, -p) + b * l);
}
HD_FUN double __nv_powi(double a, int n) { return __nv_pow(a, (double)n); }
HD_FUN double __nv_cbrt(double a)
{
    int n;

    if (a == 0 || !__nv_isfinited(a))
        return a;
    double m = __nv_frexp(__nv_fabs(a), &n);
    int third = (n + 3000) / 3 - 1000;
    m = __nv_ldexp(m, n - 3 * third);
    double y = (double)__nv_float_ex2(__nv_fast_log2f((float)m) * 0x1.555556p-2f);
    for (int i = 0; i < 2; i++) // Newton
        y = y - (y - __nv_ddiv_rn(m, y * y)) * 0x1.5555555555555p-2;
    // once more with the residual exact
    double sq = __nv_dmul_rn(y, y), sq_low = HD_FMA(y, y, -sq);
    double cube = __nv_dmul_rn(sq, y), rest = HD_FMA(sq, y, -cube) + sq_low * y;
    y = y - __nv_ddiv_rn((cube - m) + rest, 3.0 * sq);
    return __nv_copysign(__nv_ldexp(y, third), a);
}
HD_FUN double __nv_rcbrt(double a)
{
    return __nv_ddiv_rn(1.0, __nv_cbrt(a));
}
HD_FUN double __nv_rsqrt(double a)
{
    double s = __nv_dsqrt_rn(a), y = __nv_ddiv_rn(1.0, s), rest = HD_FMA(-s, s, a);

    return s > 0 && __nv_isfinited(s) ? HD_FMA(-0.5 * rest * y * y, y, y) : y;
}
HD_DEV float __nv_frsqrt_rn(float a) { return (float)__nv_rsqrt((double)a); }

// --- lengths: scaled so that no square is lost

HD_FUN double hd_norm(int n, const double *v)
{
    double most = 0, sum = 0, lost = 0;
    int k;

    for (int i = 0; i < n; i++) {
        if (__nv_isinfd(v[i]))
            return HD_INF;
        most = v[i] != v[i] || most != most ? HD_NAN : __nv_fmax(most, __nv_fabs(v[i]));
    }
    if (most == 0 || most != most)
        return most;
    __nv_frexp(most, &k);
    for (int i = 0; i < n; i++) {
        double x = __nv_ldexp(v[i], -k), sq = __nv_dmul_rn(x, x), t = __nv_dadd_rn(sum, sq);
        lost += HD_FMA(x, x, -sq) + (sum > sq ? (sum - t) + sq : (sq - t) + sum);
        sum = t;
    }
    return __nv_ldexp(__nv_dsqrt_rn(sum + lost), k);
}
HD_FUN double __nv_norm(int n, const double *v) { return hd_norm(n, v); }
HD_FUN double __nv_hypot(double a, double b)
{
    double v[2] = {a, b};

    return hd_norm(2, v);
}
HD_FUN double __nv_norm3d(double a, double b, double c)
{
    double v[3] = {a, b, c};

    return hd_norm(3, v);
}
HD_FUN double __nv_norm4d(double a, double b, double c, double d)
{
    double v[4] = {a, b, c, d};

    return hd_norm(4, v);
}
HD_FUN double __nv_rnorm(int n, const double *v) { return __nv_ddiv_rn(1.0, hd_norm(n, v)); }
HD_FUN double __nv_rhypot(double a, double b) { return __nv_ddiv_rn(1.0, __nv_hypot(a, b)); }
HD_FUN double __nv_rnorm3d(double a, double b, double c) { return __nv_ddiv_rn(1.0, __nv_norm3d(a, b, c)); }
HD_FUN double __nv_rnorm4d(double a, double b, double c, double d)
{
    return __nv_ddiv_rn(1.0, __nv_norm4d(a, b, c, d));
}

// --- angles

static __device__ const unsigned long long hd_two_over_pi[] = {HD_TWO_OVER_PI_WORDS};

// |a| of 2^20 and more by all the bits of 2/pi that matter (Payne and Hanek).
HD_FUN double hd_reduce_large(double a, int *quadrant)
{
    unsigned long long b = (unsigned long long)__nv_double_as_longlong(a);
    unsigned long long m = (b & 0xfffffffffffffull) | 1ull << 52;
    int from = (int)(b >> 52 & 0x7ff) - 1023 - 52 - 2 + 64, word = from >> 6, bit = from & 63;
    const unsigned long long *w = hd_two_over_pi + word;
    unsigned long long w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];

    if (bit) {
        w0 = w0 << bit | w1 >> (64 - bit);
        w1 = w1 << bit | w2 >> (64 - bit);
        w2 = w2 << bit | w3 >> (64 - bit);
    }
    // The product's last 192 bits: two of the quadrant, then the fraction.
    unsigned long long p2 = w2 * m, t = __nv_umul64hi(w2, m), p1 = w1 * m + t;
    unsigned long long p0 = w0 * m + __nv_umul64hi(w1, m) + (p1 < t);
    int q = (int)(p0 >> 62), sign = 0;
    unsigned long long high = p0 << 2 | p1 >> 62, low = p1 << 2 | p2 >> 62;
    if (high >> 63) { // the nearer quadrant
        q++;
        sign = 1;
        low = -low;
        high = ~high + (low == 0);
    }
    int zeros = high ? __nv_clzll(high) : 64;
    if (zeros && zeros < 64) {
        high = high << zeros | low >> (64 - zeros);
        low <<= zeros;
    } else if (zeros) {
        high = low;
        low = 0;
    }
    double x = (double)(long long)(high >> 11);
    double y = (double)(long long)((high & 0x7ff) << 42 | low >> 22) * 0x1p-53;
    double r = HD_FMA(x, HD_PI / 2, HD_FMA(x, HD_PI_LOW / 2, y * 0x1.921fb54442d18p+0));
    r *= hd_power_of_2(-53 - zeros);
    if (__nv_signbitd(a)) {
        q = -q;
        sign = !sign;
    }
    *quadrant = q;
    return sign ? -r : r;
}
// a less the nearest multiple of pi/2.
HD_FUN double hd_reduce(double a, int *quadrant)
{
    if (__nv_fabs(a) >= 0x1p20)
        return hd_reduce_large(a, quadrant);
    double n = __nv_rint(a * 0x1.45f306dc9c883p-1);
    double r = HD_FMA(-n, 0x1.921fb54442d18p+0, a);
    r = HD_FMA(-n, 0x1.1a62633145c07p-54, r);
    r = HD_FMA(-n, -0x1.f1976b7ed8fbcp-110, r);
    *quadrant = (int)n;
    return r;
}
HD_DEV double hd_sin_part(double r)
{
    double z = __nv_dmul_rn(r, r);

    return HD_FMA(__nv_dmul_rn(z, r), HD_SIN_POLY(z, HD_FMA), r);
}
HD_DEV double hd_cos_part(double r)
{
    double z = __nv_dmul_rn(r, r), h = __nv_dmul_rn(0.5, z), w = __nv_dsub_rn(1.0, h);

    return w + (__nv_dsub_rn(__nv_dsub_rn(1.0, w), h) + __nv_dmul_rn(z, z) * (HD_COS_POLY(z, HD_FMA)));
}
HD_DEV double hd_sin_quadrant(double r, int q)
{
    double v = q & 1 ? hd_cos_part(r) : hd_sin_part(r);

    return q & 2 ? -v : v;
}
HD_FUN double __nv_sin(double a)
{
    int q;

    if (!__nv_isfinited(a))
        return HD_NAN;
    if (a == 0)
        return a;
    double r = hd_reduce(a, &q);
    return hd_sin_quadrant(r, q);
}
HD_FUN double __nv_cos(double a)
{
    int q;

    if (!__nv_isfinited(a))
        return HD_NAN;
    double r = hd_reduce(a, &q);
    return hd_sin_quadrant(r, q + 1);
}
HD_FUN void __nv_sincos(double a, double *s, double *c)
{
    int q;

    if (!__nv_isfinited(a)) {
        *s = *c = HD_NAN;
        return;
    }
    double r = hd_reduce(a, &q);
    *s = a == 0 ? a : hd_sin_quadrant(r, q);
    *c = hd_sin_quadrant(r, q + 1);
}
HD_FUN double __nv_tan(double a)
{
    double s, c;

    __nv_sincos(a, &s, &c);
    return __nv_ddiv_rn(s, c);
}
HD_FUN double hd_reduce_pi(double a, int *quadrant)
{
    double n = __nv_rint(a * 2.0), f = HD_FMA(n, -0.5, a);

    n = HD_FMA(__nv_trunc(n * 0.25), -4.0, n);
    *quadrant = (int)n;
    return HD_FMA(f, HD_PI, f * (2.0 * 0x1.1a62633145c07p-54));
}
HD_FUN double __nv_sinpi(double a)
{
    int q;

    if (!__nv_isfinited(a))
        return HD_NAN;
    double r = hd_reduce_pi(a, &q), v = hd_sin_quadrant(r, q);
    return a == __nv_trunc(a) ? __nv_copysign(0.0, a) : v;
}
HD_FUN double __nv_cospi(double a)
{
    int q;

    if (!__nv_isfinited(a))
        return HD_NAN;
    double r = hd_reduce_pi(a, &q);
    return hd_sin_quadrant(r, q + 1) + 0.0;
}
HD_FUN void __nv_sincospi(double a, double *s, double *c)
{
    *s = __nv_sinpi(a);
    *c = __nv_cospi(a);
}

HD_DEV double hd_atan_part(double t)
{
    double z = __nv_dmul_rn(t, t);

    return HD_FMA(__nv_dmul_rn(z, t), HD_ATAN_POLY(z, HD_FMA), t);
}
// atan(y/x) for 0 <= y <= x.
HD_FUN double hd_atan_quotient(double y, double x)
{
    double t = __nv_ddiv_rn(y, x);

    if (t <= 0.41421356237309503)
        return hd_atan_part(t);
    return 0x1.921fb54442d18p-1 + (hd_atan_part(__nv_ddiv_rn(t - 1.0, t + 1.0)) + 0x1.1a62633145c07p-55);
}
HD_FUN double __nv_atan(double a)
{
    double m = __nv_fabs(a);

    if (__nv_isnand(a))
        return a;
    double r = m <= 1.0 ? hd_atan_quotient(m, 1.0)
                        : HD_PI / 2 - (hd_atan_quotient(1.0, m) - 0x1.1a62633145c07p-54);
    return __nv_copysign(r, a);
}
HD_FUN double __nv_atan2(double y, double x)
{
    double v = __nv_fabs(y), u = __nv_fabs(x), r;

    if (__nv_isnand(x) || __nv_isnand(y))
        return x + y;
    if (v == 0 && u == 0)
        r = 0;
    else if (__nv_isinfd(v) && __nv_isinfd(u))
        r = 0x1.921fb54442d18p-1;
    else if (v > u)
        r = HD_PI / 2 - (hd_atan_quotient(u, v) - 0x1.1a62633145c07p-54);
    else
        r = hd_atan_quotient(v, u);
    if (__nv_signbitd(x))
        r = HD_PI - (r - HD_PI_LOW);
    return __nv_copysign(r, y);
}
HD_DEV double hd_asin_part(double t)
{
    double z = __nv_dmul_rn(t, t);

    return HD_FMA(__nv_dmul_rn(z, t), HD_ASIN_POLY(z, HD_FMA), t);
}
// 2 asin(sqrt((1-m)/2)): the angle whose cosine is m, from 1/2 to 1.
HD_FUN double hd_acos_near(double m)
{
    double z = (1.0 - m) * 0.5, s = __nv_dsqrt_rn(z);
    double low = s > 0 ? __nv_ddiv_rn(HD_FMA(-s, s, z), 2.0 * s) : 0.0;

    return 2.0 * (hd_asin_part(s) + low);
}
HD_FUN double __nv_asin(double a)
{
    double m = __nv_fabs(a);

    if (!(m <= 1.0))
        return HD_NAN;
    if (m <= 0.5)
        return a == 0 ? a : hd_asin_part(a);
    return __nv_copysign(HD_PI / 2 - (hd_acos_near(m) - 0x1.1a62633145c07p-54), a);
}
HD_FUN double __nv_acos(double a)
{
    double m = __nv_fabs(a);

    if (!(m <= 1.0))
        return HD_NAN;
    if (m <= 0.5)
        return HD_PI / 2 - (hd_asin_part(a) - 0x1.1a62633145c07p-54);
    double r = hd_acos_near(m);
    return a > 0 ? r : HD_PI - (r - HD_PI_LOW);
}

// --- hyperbolic functions

// exp(m)/2, also where exp(m) is too great.
HD_FUN double hd_half_exp(double m)
{
    if (m < 709.0)
        return 0.5 * __nv_exp(m);
    return m < 711.0 ? hd_exp_sum(m - 1.0, 0.0) * 0x1.5bf0a8b145769p+0 : m * HD_INF;
}
HD_FUN double __nv_sinh(double a)
{
    double m = __nv_fabs(a), z = m * m, r;

    if (m <= 1.0) {
        r = HD_FMA(z * m, HD_SINH_POLY(z, HD_FMA), m);
    } else if (m < 40.0) {
        double e = __nv_exp(m);
        r = 0.5 * (e - __nv_ddiv_rn(1.0, e));
    } else {
        r = hd_half_exp(m);
    }
    return __nv_copysign(r, a);
}
HD_FUN double __nv_cosh(double a)
{
    double m = __nv_fabs(a);

    if (m < 40.0) {
        double e = __nv_exp(m);
        return 0.5 * (e + __nv_ddiv_rn(1.0, e));
    }
    return hd_half_exp(m);
}
HD_FUN double __nv_tanh(double a)
{
    double m = __nv_fabs(a), z = m * m, r;

    if (m <= 0.55)
        r = HD_FMA(z * m, HD_TANH_POLY(z, HD_FMA), m);
    else
        r = m < 22.0 ? 1.0 - __nv_ddiv_rn(2.0, __nv_exp(2.0 * m) + 1.0) : m != m ? m : 1.0;
    return __nv_copysign(r, a);
}
HD_FUN double __nv_asinh(double a)
{
    double m = __nv_fabs(a), z = m * m, r;

    if (m <= 0.5)
        r = HD_FMA(z * m, HD_ASINH_POLY(z, HD_FMA), m);
    else if (m < 0x1p28)
        r = __nv_log1p(m + __nv_ddiv_rn(z, 1.0 + __nv_dsqrt_rn(z + 1.0)));
    else
        r = __nv_log(m) + 0x1.62e42fefa39efp-1;
    return __nv_copysign(r, a);
}
HD_FUN double __nv_acosh(double a)
{
    double t = a - 1.0;

    if (!(a >= 1.0))
        return HD_NAN;
    if (a < 0x1p28)
        return __nv_log1p(t + __nv_dsqrt_rn(HD_FMA(t, t, 2.0 * t)));
    return __nv_log(a) + 0x1.62e42fefa39efp-1;
}
HD_FUN double __nv_atanh(double a)
{
    double m = __nv_fabs(a);

    return __nv_copysign(0.5 * __nv_log1p(__nv_ddiv_rn(2.0 * m, 1.0 - m)), a);
}

#endif
