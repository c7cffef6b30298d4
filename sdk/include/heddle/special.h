// special.h - error functions, gamma functions and Bessel functions of the device, in double precision.
#ifndef HEDDLE_SPECIAL_H
#define HEDDLE_SPECIAL_H

#include "heddle/math.h"

// --- errors

// exp(x^2) erfc(x) for x >= 0: a polynomial of (x-4)/(x+4) over 1 + 2x.
HD_FUN double hd_erfcx_part(double x)
{
    double t = x > 1e9 ? 1.0 : __nv_ddiv_rn(x - 4.0, x + 4.0);

    return __nv_ddiv_rn(HD_ERFCX_POLY(t, HD_FMA), HD_FMA(2.0, x, 1.0));
}
// exp(-x^2), the square exact.
HD_FUN double hd_exp_square(double x)
{
    double z = __nv_dmul_rn(x, x);

    return z > 750.0 ? 0.0 : hd_exp_sum(-z, -HD_FMA(x, x, -z));
}
HD_FUN double __nv_erf(double a)
{
    double m = __nv_fabs(a), z = m * m, r;

    if (m <= 1.0)
        r = HD_FMA(m, HD_ERF_POLY(z, HD_FMA), m);
    else
        r = m < 6.0 ? 1.0 - hd_exp_square(m) * hd_erfcx_part(m) : m != m ? m : 1.0;
    return __nv_copysign(r, a);
}
HD_FUN double __nv_erfc(double a)
{
    if (a != a)
        return a;
    if (a < 0.5)
        return a < -6.0 ? 2.0 : 1.0 - __nv_erf(a);
    return a < 28.0 ? hd_exp_square(a) * hd_erfcx_part(a) : 0.0;
}
HD_FUN double __nv_erfcx(double a)
{
    if (a >= 0 || a != a)
        return a != a ? a : __nv_isinfd(a) ? 0.0 : hd_erfcx_part(a);
    if (a < -26.7)
        return HD_INF;
    double z = __nv_dmul_rn(a, a);
    return 2.0 * hd_exp_sum(z, HD_FMA(a, a, -z)) - hd_erfcx_part(-a);
}
HD_FUN double __nv_normcdf(double a)
{
    double h = __nv_dmul_rn(a, -0x1.6a09e667f3bcdp-1);
    double low = HD_FMA(a, -0x1.6a09e667f3bcdp-1, -h) + a * 0x1.bdd3413b26456p-55;
    double e = __nv_erfc(h);

    // erfc at the rest of the argument, too
    if (h > 0 && h < 28.0)
        e = HD_FMA(-2.0 * h * low, e, e);
    return 0.5 * e;
}
// x with erfc(x) = a, 0 < a <= 1: a first guess from its logarithm, then Halley's steps.
HD_FUN double hd_erfcinv_part(double a)
{
    double w = -__nv_log(a * (2.0 - a)), x;

    // Winitzki: within a few thousandths everywhere
    double t = 4.3307467508 - 0.5 * w;
    x = __nv_dsqrt_rn(__nv_fmax(0.0, __nv_dsqrt_rn(t * t + w * 6.8027210884) - t));
    for (int i = 0; i < 3; i++) {
        double scaled = hd_erfcx_part(x) - a * __nv_exp(x * x); // of erfc(x) - a
        double step = scaled * 0x1.c5bf891b4ef6ap-1;
        x += __nv_ddiv_rn(step, HD_FMA(-x, step, 1.0));
    }
    return x;
}
HD_FUN double __nv_erfinv(double a)
{
    double m = __nv_fabs(a), x;

    if (!(m < 1.0))
        return m == 1.0 ? a * HD_INF : HD_NAN;
    if (m < 1e-9)
        return a * 0x1.c5bf891b4ef6ap-1;
    if (m > 0.5)
        return __nv_copysign(hd_erfcinv_part(1.0 - m), a);
    double w = -__nv_log1p(-m * m), t = 4.3307467508 - 0.5 * w;
    x = __nv_dsqrt_rn(__nv_fmax(0.0, __nv_dsqrt_rn(t * t + w * 6.8027210884) - t));
    for (int i = 0; i < 3; i++) {
        double step = (__nv_erf(x) - m) * __nv_exp(x * x) * 0x1.c5bf891b4ef6ap-1;
        x -= __nv_ddiv_rn(step, HD_FMA(x, step, 1.0));
    }
    return __nv_copysign(x, a);
}
HD_FUN double __nv_erfcinv(double a)
{
    if (!(a >= 0 && a <= 2.0))
        return HD_NAN;
    if (a == 0 || a == 2.0)
        return a == 0 ? HD_INF : -HD_INF;
    if (a >= 0.5 && a <= 1.5)
        return __nv_erfinv(1.0 - a);
    return a < 1.0 ? hd_erfcinv_part(a) : -hd_erfcinv_part(2.0 - a);
}
HD_FUN double __nv_normcdfinv(double a)
{
    return -0x1.6a09e667f3bcdp+0 * __nv_erfcinv(2.0 * a);
}

// --- gamma: Stirling's series far from zero, the recurrence down to where the argument is

HD_FUN double hd_stirling_rest(double x) // of log gamma: 1/(12x) - 1/(360x^3) + ...
{
    double i = __nv_ddiv_rn(1.0, x), z = i * i, p = -3617.0 / 122400;

    p = HD_FMA(p, z, 1.0 / 156);
    p = HD_FMA(p, z, -691.0 / 360360);
    p = HD_FMA(p, z, 1.0 / 1188);
    p = HD_FMA(p, z, -1.0 / 1680);
    p = HD_FMA(p, z, 1.0 / 1260);
    p = HD_FMA(p, z, -1.0 / 360);
    return i * HD_FMA(p, z, 1.0 / 12);
}
// log gamma for x > 0 as a sum.
HD_FUN double hd_lgamma_sum(double x, double *low)
{
    double product = 1.0, lost = 0.0, l, h, x0 = x, x_low = 0.0;

    for (double i = 1.0; x < 13.0; i += 1.0) { // what x + i and the product lose is kept
        double next = __nv_dmul_rn(product, x);
        lost = HD_FMA(lost, x, HD_FMA(product, x, -next)) + product * x_low;
        product = next;
        x = __nv_dadd_rn(x0, i);
        x_low = x0 > i ? i - (x - x0) : x0 - (x - i);
    }
    h = hd_log_sum(x, &l);
    // (x - 1/2) log x - x + log(2 pi)/2
    double n = x - 0.5, a = __nv_dmul_rn(n, h), b = HD_FMA(n, h, -a) + n * l;
    double s = a - x, e = (a - s) - x + b;
    double t = s + 0x1.d67f1c864beb5p-1;
    e += (s - t) + 0x1.d67f1c864beb5p-1 + hd_stirling_rest(x) + x_low * h;
    if (product != 1.0) {
        double q, p = hd_log_sum(product, &q);
        double u = t - p;
        e += (t - u) - p - q - __nv_ddiv_rn(lost, product);
        t = u;
    }
    *low = e;
    return t;
}
HD_FUN double __nv_lgamma(double a)
{
    double l, h;

    if (a != a || __nv_isinfd(a))
        return a * a;
    if (a == 1.0 || a == 2.0)
        return 0.0;
    if (a > 0) {
        if (a < 1e-17)
            return -__nv_log(a);
        if (a > 1e306)
            return a > 2.55e305 ? HD_INF : a;
        h = hd_lgamma_sum(a, &l);
        return h + l;
    }
    if (a == __nv_trunc(a))
        return HD_INF;
    if (a > -1e-17)
        return -__nv_log(-a);
    h = hd_lgamma_sum(-a, &l); // reflection
    return (0x1.250d048e7a1bdp+0 - __nv_log(__nv_fabs(a * __nv_sinpi(a)))) - h - l;
}
HD_FUN double __nv_tgamma(double a)
{
    double l, h;

    if (a != a || a == 0)
        return a != a ? a : __nv_copysign(HD_INF, a);
    if (a < 0 && (a == __nv_trunc(a) || __nv_isinfd(a)))
        return HD_NAN;
    if (a > 172.0)
        return HD_INF;
    if (a == __nv_trunc(a) && a < 24.0) {
        for (h = 1.0; a > 2.0; h *= a)
            a -= 1.0;
        return h;
    }
    if (a > 0) {
        h = hd_lgamma_sum(a, &l);
        return hd_exp_sum(h, l);
    }
    if (a < -184.0)
        return __nv_copysign(0.0, __nv_sinpi(a));
    if (a > -1e-17)
        return __nv_ddiv_rn(1.0, a);
    h = hd_lgamma_sum(-a, &l);
    double s = -a * __nv_sinpi(a);
    return __nv_ddiv_rn(__nv_ddiv_rn(HD_PI, s), hd_exp_sum(h * 0.5, l * 0.5)) * hd_exp_sum(-h * 0.5, -l * 0.5);
}

// --- Bessel functions: series near zero, Miller's recurrence between, the asymptotic form far out

HD_FUN double hd_bessel_i(double a, double order) // I0, I1
{
    double m = __nv_fabs(a), z = 0.25 * m * m, sum = 1.0, term = 1.0;

    if (m < 30.0) {
        for (double k = 1.0; term > sum * 1e-18; k += 1.0) {
            term *= __nv_ddiv_rn(z, k * (k + order));
            sum += term;
        }
        return order == 0 ? sum : 0.5 * a * sum;
    }
    double i = __nv_ddiv_rn(1.0, 8.0 * m), mu = 4.0 * order * order;
    for (double k = 1.0; k < 20.0; k += 1.0) {
        double odd = 2.0 * k - 1.0;
        term *= __nv_ddiv_rn((odd * odd - mu) * i, k);
        sum += term;
    }
    double r = __nv_ddiv_rn(__nv_exp(0.5 * m), __nv_dsqrt_rn(2.0 * HD_PI * m)) * sum * __nv_exp(0.5 * m);
    return order == 0 ? r : __nv_copysign(r, a);
}
HD_FUN double __nv_cyl_bessel_i0(double a) { return hd_bessel_i(a, 0.0); }
HD_FUN double __nv_cyl_bessel_i1(double a) { return hd_bessel_i(a, 1.0); }

// Far out: sqrt(2/(pi x)) (P cos - Q sin) of x - (n/2 + 1/4) pi, and with sin and cos for Y.
HD_FUN double hd_bessel_far(double x, int n, bool second)
{
    double mu = 4.0 * n * n, i = __nv_ddiv_rn(1.0, 8.0 * x), p = 1.0, q = 0.0, term = 1.0, s, c;

    for (int k = 1; k < 26; k++) {
        double odd = 2.0 * k - 1.0, next = term * __nv_ddiv_rn((mu - odd * odd) * i, (double)k);
        if (__nv_fabs(next) > __nv_fabs(term) && k > n)
            break;
        term = next;
        if (k & 1)
            q += k & 2 ? -term : term;
        else
            p += k & 2 ? -term : term;
    }
    __nv_sincos(x, &s, &c);
    // the angle less a quarter turn and n right angles
    double cq = (c + s) * 0x1.6a09e667f3bcdp-1, sq = (s - c) * 0x1.6a09e667f3bcdp-1;
    for (int k = 0; k < (n & 3); k++) {
        double t = cq;
        cq = sq;
        sq = -t;
    }
    return __nv_dsqrt_rn(__nv_ddiv_rn(2.0, HD_PI * x)) * (second ? p * sq + q * cq : p * cq - q * sq);
}
// J by recurrence from above, scaled by J0 + 2 J2 + 2 J4 + ... = 1; Y0 and Y1 by their series of the J.
HD_FUN double hd_bessel_near(double x, int n, double *y0, double *y1)
{
    int from = 2 * ((int)(x * 1.2 + n) / 2 + 20);
    double above = 0.0, at = 1e-300, sum = 0.0, wanted = 0.0, y = 0.0, z = 0.0;

    for (int k = from; k > 0; k--) {
        double below = __nv_ddiv_rn(2.0 * k, x) * at - above;
        if (k == n)
            wanted = at;
        if (!(k & 1)) {
            sum += 2.0 * at;
            y += (k & 2 ? at : -at) * __nv_ddiv_rn(2.0, (double)k);
        } else if (k > 1) {
            double half = 0.5 * (k - 1);
            z += (k & 2 ? -at : at) * __nv_ddiv_rn((double)k, half * (half + 1.0));
        }
        above = at;
        at = below;
        if (__nv_fabs(at) > 1e200) {
            at *= 1e-200, above *= 1e-200, sum *= 1e-200, wanted *= 1e-200, y *= 1e-200, z *= 1e-200;
        }
    }
    sum += at;
    if (n == 0)
        wanted = at;
    double j0 = __nv_ddiv_rn(at, sum);
    *y0 = 0x1.45f306dc9c883p-1 * ((__nv_log(0.5 * x) + 0x1.2788cfc6fb619p-1) * j0 +
                                  2.0 * __nv_ddiv_rn(y, sum));
    *y1 = 0x1.45f306dc9c883p-1 *
          (((__nv_log(0.5 * x) + 0x1.2788cfc6fb619p-1) - 1.0) * __nv_ddiv_rn(above, sum) -
           __nv_ddiv_rn(z, sum) - __nv_ddiv_rn(j0, x));
    return __nv_ddiv_rn(wanted, sum);
}
HD_FUN double __nv_jn(int n, double a)
{
    double m = __nv_fabs(a), y0, y1, r;

    if (a != a)
        return a;
    bool minus = (n & 1) && (n < 0) != (a < 0);
    n = __nv_abs(n);
    if (m == 0 || __nv_isinfd(m))
        return m == 0 && n == 0 ? 1.0 : 0.0;
    r = m > 25.0 + 0.5 * n * n ? hd_bessel_far(m, n, false) : hd_bessel_near(m, n, &y0, &y1);
    return minus ? -r : r;
}
HD_FUN double __nv_j0(double a) { return __nv_jn(0, a); }
HD_FUN double __nv_j1(double a) { return __nv_jn(1, a); }
HD_FUN double __nv_yn(int n, double a)
{
    double y0, y1;
    int order = __nv_abs(n);

    if (a != a || a < 0)
        return a != a ? a : HD_NAN;
    if (a == 0 || __nv_isinfd(a))
        return a == 0 ? -HD_INF : 0.0;
    if (a > 25.0) {
        y0 = hd_bessel_far(a, 0, true);
        y1 = hd_bessel_far(a, 1, true);
    } else {
        hd_bessel_near(a, 0, &y0, &y1);
    }
    for (int k = 1; k < order; k++) {
        double next = __nv_ddiv_rn(2.0 * k, a) * y1 - y0;
        y0 = y1;
        y1 = next;
    }
    double r = order == 0 ? y0 : y1;
    return n < 0 && (n & 1) ? -r : r;
}
HD_FUN double __nv_y0(double a) { return __nv_yn(0, a); }
HD_FUN double __nv_y1(double a) { return __nv_yn(1, a); }

#endif
