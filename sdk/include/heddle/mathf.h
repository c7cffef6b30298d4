// mathf.h - the device's mathematics in single precision, as math.h. What programs call often is done
// in single precision, as on a GPU; the rest is the double function rounded.
#ifndef HEDDLE_MATHF_H
#define HEDDLE_MATHF_H

#include "heddle/math.h"
#include "heddle/special.h"

#define HD_FMAF(a, b, c) __nvvm_fma_rn_f(a, b, c)
#define HD_INFF (__builtin_inff())
#define HD_NANF (__builtin_nanf(""))
#define HD_LN2F_HIGH 0x1.62e400p-1f // k times this is exact
#define HD_LN2F_LOW 0x1.7f7d1cp-20f

#define HD_BY_DOUBLE(name)                                                                         \
    HD_FUN float __nv_##name##f(float a) { return (float)__nv_##name((double)a); }
#define HD_BY_DOUBLE2(name)                                                                        \
    HD_FUN float __nv_##name##f(float a, float b)                                                  \
    {                                                                                              \
        return (float)__nv_##name((double)a, (double)b);                                           \
    }

HD_DEV float hd_power_of_2f(int n) { return __nv_int_as_float((n + 127) << 23); }
HD_FUN float __nv_ldexpf(float a, int n)
{
    n = __nv_max(-300, __nv_min(300, n));
    int half = n / 4;
    float scale = hd_power_of_2f(half);

    return __nv_fmul_rn(__nv_fmul_rn(__nv_fmul_rn(__nv_fmul_rn(a, scale), scale), scale),
                        hd_power_of_2f(n - 3 * half));
}
HD_DEV float __nv_scalbnf(float a, int n) { return __nv_ldexpf(a, n); }
HD_FUN float __nv_frexpf(float a, int *n) { return (float)__nv_frexp((double)a, n); }
HD_FUN int __nv_ilogbf(float a) { return __nv_ilogb((double)a); }
HD_BY_DOUBLE(logb)
HD_FUN float __nv_modff(float a, float *whole)
{
    *whole = __nv_truncf(a);
    return __nv_copysignf(__nv_isinff(a) ? 0.0f : a - *whole, a);
}
HD_FUN float __nv_nextafterf(float a, float b)
{
    int i = __nv_float_as_int(a);

    if (__nv_isnanf(a) || __nv_isnanf(b))
        return a + b;
    if (a == b)
        return b;
    if (a == 0)
        return __nv_copysignf(0x1p-149f, b);
    return __nv_int_as_float((a < b) == (a > 0) ? i + 1 : i - 1);
}

// The quotient bit by bit, as long as it has more than fits an integer exactly.
HD_BY_DOUBLE2(fmod)
HD_BY_DOUBLE2(remainder)
HD_FUN float __nv_remquof(float a, float b, int *n) { return (float)__nv_remquo((double)a, (double)b, n); }

// --- exponentials: the unit's 2^x of a small argument, scaled

HD_FUN float hd_scaled_ex2(float t, float n)
{
    int k = (int)n, half = k / 2;

    return __nv_fmul_rn(__nv_fmul_rn(__nv_float_ex2(t), hd_power_of_2f(half)), hd_power_of_2f(k - half));
}
HD_FUN float __nv_expf(float a)
{
    float x = __nv_fminf(__nv_fmaxf(a, -110.0f), 110.0f);
    float n = __nv_rintf(x * 0x1.715476p+0f);
    float t = HD_FMAF(x, 0x1.4ae0c0p-26f, HD_FMAF(x, 0x1.715476p+0f, -n));

    return a != a ? a : hd_scaled_ex2(t, n);
}
HD_FUN float __nv_exp2f(float a) { return __nv_float_ex2(a); }
HD_FUN float __nv_exp10f(float a)
{
    float x = __nv_fminf(__nv_fmaxf(a, -48.0f), 40.0f);
    float n = __nv_rintf(x * 0x1.a934f0p+1f);
    float t = HD_FMAF(x, 0x1.2f346ep-24f, HD_FMAF(x, 0x1.a934f0p+1f, -n));

    return a != a ? a : hd_scaled_ex2(t, n);
}
HD_FUN float __nv_expm1f(float a)
{
    float x = __nv_fminf(__nv_fmaxf(a, -50.0f), 100.0f);
    float n = __nv_rintf(x * 0x1.715476p+0f);
    float r = HD_FMAF(-n, HD_LN2F_LOW, HD_FMAF(-n, HD_LN2F_HIGH, x));
    float p = HD_FMAF(__nv_fmul_rn(r, r), HD_EXPF_POLY(r, HD_FMAF), r);

    if (a != a || a == 0 || n == 0)
        return a != a || a == 0 ? a : p;
    if (n >= 127.0f)
        return HD_FMAF(p, 0x1p126f, 0x1p126f) * hd_power_of_2f((int)__nv_fminf(n, 253.0f) - 126);
    float scale = hd_power_of_2f((int)n);
    return HD_FMAF(p, scale, scale - 1.0f);
}

// --- logarithms

// The logarithm of 1 + f, f from -1/3 to 1/3.
HD_DEV float hd_log_partf(float f)
{
    float z = __nv_fmul_rn(f, f), p = HD_LOGF_POLY(f, HD_FMAF);

    return HD_FMAF(z, HD_FMAF(p, f, -0.5f), f);
}
HD_FUN float __nv_logf(float a)
{
    float x = a, k = 0;

    if (a < 0x1p-126f)
        x = __nv_fmul_rn(a, 0x1p23f), k = -23.0f;
    int e = (__nv_float_as_int(x) - 0x3f2aaaab) & (int)0xff800000u;
    float f = __nv_int_as_float(__nv_float_as_int(x) - e) - 1.0f;
    k = HD_FMAF((float)e, 0x1p-23f, k);
    float r = HD_FMAF(k, HD_LN2F_HIGH, HD_FMAF(k, HD_LN2F_LOW, hd_log_partf(f)));
    if (!(a > 0) || __nv_isinff(a))
        r = a == 0 ? -HD_INFF : a > 0 ? a : HD_NANF;
    return r;
}
HD_FUN float __nv_log2f(float a) { return __nv_fast_log2f(a); }
HD_FUN float __nv_log10f(float a)
{
    float l = __nv_fast_log2f(a), r = __nv_fmul_rn(l, 0x1.344136p-2f);

    return __nv_finitef(l) ? HD_FMAF(l, 0x1.344136p-2f, __nv_fmul_rn(l, -0x1.ec10c0p-27f)) : r;
}
HD_FUN float __nv_log1pf(float a)
{
    float u = __nv_fadd_rn(a, 1.0f);
    int e = (__nv_float_as_int(u) - 0x3f2aaaab) & (int)0xff800000u;
    float scale = __nv_int_as_float(0x3f800000 - e);
    float f = HD_FMAF(a, scale, scale - 1.0f), k = (float)e * 0x1p-23f;
    float r = HD_FMAF(k, HD_LN2F_HIGH, HD_FMAF(k, HD_LN2F_LOW, hd_log_partf(f)));

    if (a > -0.3f && a < 0.3f)
        return a == 0 ? a : hd_log_partf(a);
    if (a > 0x1p60f)
        return __nv_logf(a);
    if (!(a > -1.0f))
        r = a == -1.0f ? -HD_INFF : HD_NANF;
    return r;
}

// --- powers and roots

HD_FUN float __nv_powf(float a, float b)
{
    float m = __nv_fabsf(a);

    if (b == 0 || a == 1.0f)
        return 1.0f;
    if (!(m > 0 && __nv_finitef(m) && __nv_finitef(b)) || (a < 0 && __nv_truncf(b) != b))
        return (float)__nv_pow((double)a, (double)b);
    // In double precision, with as many terms as single needs.
    int k;
    double f = hd_split((double)m, &k), s = __nv_ddiv_rn(f, 2.0 + f), z = s * s;
    double l = 2.0 / 15;
    l = HD_FMA(l, z, 2.0 / 13);
    l = HD_FMA(l, z, 2.0 / 11);
    l = HD_FMA(l, z, 2.0 / 9);
    l = HD_FMA(l, z, 2.0 / 7);
    l = HD_FMA(l, z, 2.0 / 5);
    l = HD_FMA(l, z, 2.0 / 3);
    l = HD_FMA(l * z, s, s + s);
    double p = (double)b * HD_FMA((double)k, 0x1.62e42fefa39efp-1, l);
    p = __nv_fmin(__nv_fmax(p, -200.0), 200.0);
    double n = __nv_rint(p * 0x1.71547652b82fep+0), r = HD_FMA(-n, 0x1.62e42fefa39efp-1, p);
    double e = 1.0 / 40320;
    e = HD_FMA(e, r, 1.0 / 5040);
    e = HD_FMA(e, r, 1.0 / 720);
    e = HD_FMA(e, r, 1.0 / 120);
    e = HD_FMA(e, r, 1.0 / 24);
    e = HD_FMA(e, r, 1.0 / 6);
    e = HD_FMA(e, r, 0.5);
    e = HD_FMA(e, r, 1.0);
    e = HD_FMA(e, r, 1.0) * hd_power_of_2((int)n);
    bool odd = a < 0 && __nv_truncf(b * 0.5f) != b * 0.5f;
    return odd ? -(float)e : (float)e;
}
HD_FUN float __nv_powif(float a, int n) { return __nv_powf(a, (float)n); }
HD_FUN float __nv_cbrtf(float a)
{
    int n;

    if (a == 0 || !__nv_finitef(a))
        return a;
    double m = __nv_frexp((double)__nv_fabsf(a), &n);
    int third = (n + 3000) / 3 - 1000;
    m *= hd_power_of_2(n - 3 * third);
    double y = (double)__nv_float_ex2(__nv_fast_log2f((float)m) * 0x1.555556p-2f);
    y = y - (y - __nv_ddiv_rn(m, y * y)) * 0x1.5555555555555p-2;
    return __nv_copysignf((float)(y * hd_power_of_2(third)), a);
}
HD_BY_DOUBLE(rcbrt)

// Squares of single precision neither overflow nor vanish in double.
HD_FUN double hd_normf(int n, const float *v)
{
    double sum = 0;

    for (int i = 0; i < n; i++) {
        if (__nv_isinff(v[i]))
            return HD_INF;
        sum = HD_FMA((double)v[i], (double)v[i], sum);
    }
    return __nv_dsqrt_rn(sum);
}
HD_FUN float __nv_normf(int n, const float *v) { return (float)hd_normf(n, v); }
HD_FUN float __nv_rnormf(int n, const float *v) { return (float)__nv_ddiv_rn(1.0, hd_normf(n, v)); }
#define HD_NORMS(name, result)                                                                     \
    HD_FUN float __nv_##name##hypotf(float a, float b)                                             \
    {                                                                                              \
        float v[2] = {a, b};                                                                       \
        return result##f(2, v);                                                                    \
    }                                                                                              \
    HD_FUN float __nv_##name##norm3df(float a, float b, float c)                                   \
    {                                                                                              \
        float v[3] = {a, b, c};                                                                    \
        return result##f(3, v);                                                                    \
    }                                                                                              \
    HD_FUN float __nv_##name##norm4df(float a, float b, float c, float d)                          \
    {                                                                                              \
        float v[4] = {a, b, c, d};                                                                 \
        return result##f(4, v);                                                                    \
    }
HD_NORMS(, __nv_norm)
HD_NORMS(r, __nv_rnorm)

// --- angles

HD_FUN float hd_reducef(float a, int *quadrant)
{
    float n = __nv_rintf(a * 0x1.45f306p-1f);

    if (__nv_fabsf(a) >= 0x1p17f) {
        return (float)hd_reduce((double)a, quadrant);
    }
    float r = HD_FMAF(-n, 0x1.921fb6p+0f, a);
    r = HD_FMAF(-n, -0x1.777a5cp-25f, r);
    r = HD_FMAF(-n, -0x1.ee59dap-50f, r);
    *quadrant = (int)n;
    return r;
}
HD_DEV float hd_sin_partf(float r)
{
    float z = __nv_fmul_rn(r, r);

    return HD_FMAF(__nv_fmul_rn(z, r), HD_SINF_POLY(z, HD_FMAF), r);
}
HD_DEV float hd_cos_partf(float r)
{
    float z = __nv_fmul_rn(r, r);

    return HD_FMAF(z, HD_FMAF(z, HD_COSF_POLY(z, HD_FMAF), -0.5f), 1.0f);
}
HD_DEV float hd_sin_quadrantf(float r, int q)
{
    float v = q & 1 ? hd_cos_partf(r) : hd_sin_partf(r);

    return q & 2 ? -v : v;
}
HD_FUN float __nv_sinf(float a)
{
    int q;

    if (!__nv_finitef(a))
        return HD_NANF;
    float r = hd_reducef(a, &q);
    return a == 0 ? a : hd_sin_quadrantf(r, q);
}
HD_FUN float __nv_cosf(float a)
{
    int q;

    if (!__nv_finitef(a))
        return HD_NANF;
    float r = hd_reducef(a, &q);
    return hd_sin_quadrantf(r, q + 1);
}
HD_FUN void __nv_sincosf(float a, float *s, float *c)
{
    int q;

    if (!__nv_finitef(a)) {
        *s = *c = HD_NANF;
        return;
    }
    float r = hd_reducef(a, &q);
    *s = a == 0 ? a : hd_sin_quadrantf(r, q);
    *c = hd_sin_quadrantf(r, q + 1);
}
HD_FUN float __nv_tanf(float a)
{
    int q;

    if (!__nv_finitef(a))
        return HD_NANF;
    float r = hd_reducef(a, &q), z = __nv_fmul_rn(r, r);
    float t = HD_FMAF(__nv_fmul_rn(z, r), HD_TANF_POLY(z, HD_FMAF), r);
    return a == 0 ? a : q & 1 ? -__nv_frcp_rn(t) : t;
}
HD_FUN float hd_reduce_pif(float a, int *quadrant)
{
    float n = __nv_rintf(a * 2.0f), f = HD_FMAF(n, -0.5f, a);

    n = HD_FMAF(__nv_truncf(n * 0.25f), -4.0f, n);
    *quadrant = (int)n;
    return HD_FMAF(f, 0x1.921fb6p+1f, f * -0x1.777a5cp-24f);
}
HD_FUN float __nv_sinpif(float a)
{
    int q;

    if (!__nv_finitef(a))
        return HD_NANF;
    float r = hd_reduce_pif(a, &q), v = hd_sin_quadrantf(r, q);
    return a == __nv_truncf(a) ? __nv_copysignf(0.0f, a) : v;
}
HD_FUN float __nv_cospif(float a)
{
    int q;

    if (!__nv_finitef(a))
        return HD_NANF;
    float r = hd_reduce_pif(a, &q);
    return hd_sin_quadrantf(r, q + 1) + 0.0f;
}
HD_FUN void __nv_sincospif(float a, float *s, float *c)
{
    *s = __nv_sinpif(a);
    *c = __nv_cospif(a);
}
HD_DEV float hd_atan_partf(float t)
{
    float z = __nv_fmul_rn(t, t);

    return HD_FMAF(__nv_fmul_rn(z, t), HD_ATANF_POLY(z, HD_FMAF), t);
}
HD_FUN float __nv_atanf(float a)
{
    float m = __nv_fabsf(a), t = m > 1.0f ? __nv_frcp_rn(m) : m, r = hd_atan_partf(t);

    if (m > 1.0f)
        r = 0x1.921fb6p+0f - (r + 0x1.777a5cp-25f);
    return a != a ? a : __nv_copysignf(r, a);
}
HD_FUN float __nv_atan2f(float y, float x)
{
    float v = __nv_fabsf(y), u = __nv_fabsf(x), big = __nv_fmaxf(u, v), small = __nv_fminf(u, v);
    float t = __nv_fdiv_rn(small, big);

    if (x != x || y != y)
        return x + y;
    if (big == 0)
        t = 0;
    if (__nv_isinff(small))
        t = 1.0f;
    float r = hd_atan_partf(t);
    if (v > u)
        r = 0x1.921fb6p+0f - r;
    if (__nv_signbitf(x))
        r = 0x1.921fb6p+1f - r;
    return __nv_copysignf(r, y);
}
HD_DEV float hd_asin_partf(float t)
{
    float z = __nv_fmul_rn(t, t);

    return HD_FMAF(__nv_fmul_rn(z, t), HD_ASINF_POLY(z, HD_FMAF), t);
}
HD_FUN float __nv_asinf(float a)
{
    float m = __nv_fabsf(a), r;

    if (!(m <= 1.0f))
        return HD_NANF;
    if (m <= 0.5f)
        r = hd_asin_partf(m);
    else
        r = HD_FMAF(-2.0f, hd_asin_partf(__nv_fsqrt_rn((1.0f - m) * 0.5f)), 0x1.921fb6p+0f);
    return __nv_copysignf(r, a);
}
HD_FUN float __nv_acosf(float a)
{
    float m = __nv_fabsf(a), r;

    if (!(m <= 1.0f))
        return HD_NANF;
    if (m <= 0.5f)
        return 0x1.921fb6p+0f - (hd_asin_partf(a) + 0x1.777a5cp-25f);
    r = 2.0f * hd_asin_partf(__nv_fsqrt_rn((1.0f - m) * 0.5f));
    return a > 0 ? r : 0x1.921fb6p+1f - (r + 0x1.777a5cp-24f);
}

// --- hyperbolic functions and errors

HD_FUN float __nv_sinhf(float a)
{
    float m = __nv_fabsf(a), r;

    if (m < 1.0f) {
        float e = __nv_expm1f(m);
        r = 0.5f * (e + __nv_fdiv_rn(e, e + 1.0f));
    } else if (m < 88.0f) {
        float e = __nv_expf(m);
        r = HD_FMAF(0.5f, e, -__nv_fdiv_rn(0.5f, e));
    } else {
        r = __nv_fmul_rn(__nv_expf(m - 2.0f), 0x1.d8e64cp+1f);
    }
    return a == 0 || a != a ? a : __nv_copysignf(r, a);
}
HD_FUN float __nv_coshf(float a)
{
    float m = __nv_fabsf(a);

    if (m < 88.0f) {
        float e = __nv_expf(m);
        return HD_FMAF(0.5f, e, __nv_fdiv_rn(0.5f, e));
    }
    return __nv_fmul_rn(__nv_expf(m - 2.0f), 0x1.d8e64cp+1f);
}
HD_FUN float __nv_tanhf(float a)
{
    float m = __nv_fabsf(a), z = __nv_fmul_rn(m, m), r;

    if (m <= 0.55f)
        r = HD_FMAF(__nv_fmul_rn(z, m), HD_TANHF_POLY(z, HD_FMAF), m);
    else
        r = m < 10.0f ? 1.0f - __nv_fdiv_rn(2.0f, __nv_expf(2.0f * m) + 1.0f) : m != m ? m : 1.0f;
    return __nv_copysignf(r, a);
}
HD_FUN float __nv_erff(float a)
{
    float m = __nv_fabsf(a), z = __nv_fmul_rn(m, m), r;

    if (m <= 1.0f)
        r = HD_FMAF(m, HD_ERFF_POLY(z, HD_FMAF), m);
    else
        r = m < 4.0f ? 1.0f - __nv_expf(-m * (HD_ERFCF_POLY(m, HD_FMAF))) : m != m ? m : 1.0f;
    return __nv_copysignf(r, a);
}
HD_BY_DOUBLE(asinh)
HD_BY_DOUBLE(acosh)
HD_BY_DOUBLE(atanh)
HD_BY_DOUBLE(erfc)
HD_BY_DOUBLE(erfcx)
HD_BY_DOUBLE(erfinv)
HD_BY_DOUBLE(erfcinv)
HD_BY_DOUBLE(normcdf)
HD_BY_DOUBLE(normcdfinv)
HD_BY_DOUBLE(lgamma)
HD_BY_DOUBLE(tgamma)
HD_BY_DOUBLE(j0)
HD_BY_DOUBLE(j1)
HD_BY_DOUBLE(y0)
HD_BY_DOUBLE(y1)
HD_BY_DOUBLE(cyl_bessel_i0)
HD_BY_DOUBLE(cyl_bessel_i1)
HD_FUN float __nv_jnf(int n, float a) { return (float)__nv_jn(n, (double)a); }
HD_FUN float __nv_ynf(int n, float a) { return (float)__nv_yn(n, (double)a); }

#endif
