// special.h - error functions, gamma functions and Bessel functions of the device, in double precision.
#ifndef HEDDLE_SPECIAL_H
#define HEDDLE_SPECIAL_H

#include "heddle/math.h"

// --- numbers of twice the precision: sums of two

struct hd_twice {
    double high, low;
};
HD_FUN hd_twice hd_twice_add(hd_twice a, hd_twice b)
{
    double s = __nv_dadd_rn(a.high, b.high), t = __nv_dsub_rn(s, a.high);
    double lost = __nv_dadd_rn(__nv_dsub_rn(a.high, __nv_dsub_rn(s, t)), __nv_dsub_rn(b.high, t));

    return {s, lost + (a.low + b.low)};
}
HD_FUN hd_twice hd_twice_mul(hd_twice a, hd_twice b)
{
    double p = __nv_dmul_rn(a.high, b.high);

    return {p, HD_FMA(a.high, b.high, -p) + HD_FMA(a.high, b.low, a.low * b.high)};
}
HD_FUN hd_twice hd_twice_div(hd_twice a, double b)
{
    double q = __nv_ddiv_rn(a.high, b);

    return {q, __nv_ddiv_rn(HD_FMA(-q, b, a.high) + a.low, b)};
}

// --- errors

// exp(x^2) erfc(x) for x >= 0.47: a polynomial of (x-4)/(x+4) over 1 + 2x. Far out it is 1/(x sqrt(pi))
// times 1 - 1/(2x^2) + ..., of which only the 1 is left.
HD_FUN double hd_erfcx_part(double x)
{
    if (x > 1e9)
        return __nv_ddiv_rn(0x1.20dd750429b6dp-1, x);
    double t = __nv_ddiv_rn(x - 4.0, x + 4.0);

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
    if (a >= 0.5 || a != a)
        return a != a ? a : hd_erfcx_part(a);
    if (a < -26.7)
        return HD_INF;
    double z = __nv_dmul_rn(a, a), e = hd_exp_sum(z, HD_FMA(a, a, -z));
    return a > -0.5 ? e * (1.0 - __nv_erf(a)) : 2.0 * e - hd_erfcx_part(-a);
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
    for (int i = 0; i < 4; i++) {
        // erfc(x) - a times exp(x^2), which could overflow: exp(64) is set apart
        double right = x < 26.0 ? a * __nv_exp(x * x) : a * 0x1.425982cf597cdp+92 * __nv_exp(x * x - 64.0);
        double scaled = hd_erfcx_part(x) - right;
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
    e += (s - t) + 0x1.d67f1c864beb5p-1 + (hd_stirling_rest(x) - 0x1.65b5a1b7ff5dfp-55) + x_low * h;
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
    if (a > 0) {
        if (a < 1e-17)
            return -__nv_log(a);
        if (a > 1e17) // all that counts of the sum, which could overflow before its value does
            return a * (__nv_log(a) - 1.0);
        // near the zeros 2 and 1: the first term of a power series, and the rest
        double d = a - 2.0;
        if (__nv_fabs(d) < 0.25)
            return HD_FMA(0x1.b0ee6072093cep-2, d, d * d * (HD_LGAMMA_POLY(d, HD_FMA)));
        d = a - 1.0;
        if (__nv_fabs(d) < 0.25) // that of 2 + d less log(1 + d)
            return HD_FMA(-0x1.2788cfc6fb619p-1, d, HD_FMA(d * d, HD_LGAMMA_POLY(d, HD_FMA), hd_log_rest(d)));
        h = hd_lgamma_sum(a, &l);
        return h + l;
    }
    if (a == __nv_trunc(a))
        return HD_INF;
    if (a > -1e-17)
        return -__nv_log(-a);
    // reflection: log(pi) less two logarithms
    hd_twice other, s = {0x1.250d048e7a1bdp+0, 0x1.7abf2ad8d5088p-57};
    h = hd_lgamma_sum(-a, &l);
    other.high = hd_log_sum(__nv_fabs(a * __nv_sinpi(a)), &other.low);
    s = hd_twice_add(hd_twice_add(s, {-other.high, -other.low}), {-h, -l});
    return s.high + s.low;
}
HD_FUN double __nv_tgamma(double a)
{
    double l, h;

    if (a != a)
        return a;
    if (__nv_fabs(a) < 1e-17) // 1/a - 0.577...
        return __nv_ddiv_rn(1.0, a);
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
    h = hd_lgamma_sum(-a, &l);
    double s = -a * __nv_sinpi(a);
    return __nv_ddiv_rn(__nv_ddiv_rn(HD_PI, s), hd_exp_sum(h * 0.5, l * 0.5)) * hd_exp_sum(-h * 0.5, -l * 0.5);
}

// --- Bessel functions: series near zero, Miller's recurrence between, the asymptotic form far out

// The power series of all of them: the sum of w z^k n!/(k! (k+n)!), z = sign x^2/4. J and I have the weight
// w = 1. That of Y falls from its first value by (1/k + 1/(k+n))/2. Terms of J and Y alternate and cancel each
// other, so they are added in twice the precision: enough up to x = 30, and next to the zeros, too.
HD_FUN hd_twice hd_bessel_series(double x, double n, double sign, hd_twice w, bool second)
{
    double h = 0.5 * x, square = __nv_dmul_rn(h, h);
    hd_twice z = {sign * square, sign * HD_FMA(h, h, -square)}, term = {1.0, 0.0}, sum = w;

    for (double k = 1.0; __nv_fabs(term.high) > 1e-25 * __nv_fabs(sum.high); k += 1.0) {
        term = hd_twice_div(hd_twice_mul(term, z), k * (k + n));
        if (second)
            w = hd_twice_add(w, hd_twice_div({-(k + 0.5 * n), 0.0}, k * (k + n)));
        sum = hd_twice_add(sum, hd_twice_mul(w, term));
    }
    return sum;
}
HD_FUN double hd_bessel_i(double a, double order) // I0, I1
{
    double m = __nv_fabs(a), rest = 0.0, term = 1.0;

    if (m < 30.0) {
        hd_twice s = hd_bessel_series(a, order, 1.0, {1.0, 0.0}, false);
        return order == 0 ? s.high + s.low : 0.5 * a * (s.high + s.low);
    }
    if (m > 720.0)
        return order == 0 ? HD_INF : a * HD_INF;
    double i = __nv_ddiv_rn(1.0, 8.0 * m), mu = 4.0 * order * order;
    for (double k = 1.0; k < 20.0; k += 1.0) {
        double odd = 2.0 * k - 1.0;
        term *= __nv_ddiv_rn((odd * odd - mu) * i, k);
        rest += term;
    }
    // exp(m) / sqrt(2 pi m), where exp(m) could overflow before the result does: exp(32) / sqrt(2 pi) is set apart
    double r = __nv_ddiv_rn(0x1.ca68d74fa1e2ap+44 * (1.0 + rest), __nv_dsqrt_rn(m)) * __nv_exp(m - 32.0);
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
    return __nv_dsqrt_rn(__nv_ddiv_rn(0x1.45f306dc9c883p-1, x)) * (second ? p * sq + q * cq : p * cq - q * sq);
}
// J for n > 0 by recurrence from above, scaled by J0 + 2 J2 + 2 J4 + ... = 1.
HD_FUN double hd_bessel_between(double x, int n)
{
    int from = 2 * ((int)(x * 1.2 + n) / 2 + 20);
    double above = 0.0, at = 1e-300, sum = 0.0, wanted = 0.0;

    for (int k = from; k > 0; k--) {
        double below = __nv_ddiv_rn(2.0 * k, x) * at - above;
        if (k == n)
            wanted = at;
        if (!(k & 1))
            sum += 2.0 * at;
        above = at;
        at = below;
        if (__nv_fabs(at) > 1e200) {
            at *= 1e-200, above *= 1e-200, sum *= 1e-200, wanted *= 1e-200;
        }
    }
    return __nv_ddiv_rn(wanted, sum + at);
}
HD_FUN double __nv_jn(int n, double a)
{
    double m = __nv_fabs(a), r = 1.0;

    if (a != a)
        return a;
    bool minus = (n & 1) && (n < 0) != __nv_signbitd(a);
    n = __nv_abs(n);
    if (__nv_isinfd(m)) {
        r = 0.0;
    } else if (m <= 25.0) {
        hd_twice s = hd_bessel_series(m, n, -1.0, {1.0, 0.0}, false);
        for (int k = 1; k <= n && r != 0; k++) // (x/2)^n / n!
            r *= __nv_ddiv_rn(0.5 * m, (double)k);
        r *= s.high + s.low;
    } else {
        r = m > 25.0 + 0.5 * n * n ? hd_bessel_far(m, n, false) : hd_bessel_between(m, n);
    }
    return minus ? -r : r;
}
HD_FUN double __nv_j0(double a) { return __nv_jn(0, a); }
HD_FUN double __nv_j1(double a) { return __nv_jn(1, a); }
// Y0 and Y1 for x > 0: 2/pi times a series whose first weight is log(x/2) + 0.577... - n/2; for Y1 the series times
// x/2, less 1/x. Below 1e-9 only the 1/x of Y1 counts.
HD_FUN double hd_bessel_y(double x, int n)
{
    if (x > 25.0)
        return hd_bessel_far(x, n, true);
    if (n && x < 1e-9)
        return -__nv_ddiv_rn(0x1.45f306dc9c883p-1, x);
    hd_twice w;
    w.high = hd_log_sum(x, &w.low);
    w = hd_twice_add(hd_twice_add(w, {-0x1.dadb014541eb2p-4, -0x1.be095d05c0a81p-62}), {-0.5 * n, 0.0});
    hd_twice s = hd_bessel_series(x, n, -1.0, w, true);
    if (n)
        s = hd_twice_add(hd_twice_mul(s, {0.5 * x, 0.0}), hd_twice_div({-1.0, 0.0}, x));
    return 0x1.45f306dc9c883p-1 * (s.high + s.low);
}
HD_FUN double __nv_yn(int n, double a)
{
    int order = __nv_abs(n);

    if (a != a || a < 0)
        return a != a ? a : HD_NAN;
    if (a == 0 || __nv_isinfd(a))
        return a == 0 ? -HD_INF : 0.0;
    double y0 = 0.0, y1 = hd_bessel_y(a, order != 0);
    if (order > 1)
        y0 = hd_bessel_y(a, 0);
    for (int k = 1; k < order && y1 != -HD_INF; k++) {
        double next = __nv_ddiv_rn(2.0 * k, a) * y1 - y0;
        y0 = y1;
        y1 = next;
    }
    return n < 0 && (n & 1) ? -y1 : y1;
}
HD_FUN double __nv_y0(double a) { return __nv_yn(0, a); }
HD_FUN double __nv_y1(double a) { return __nv_yn(1, a); }

#endif
