// normal.h - elementary functions and normal variates in single precision, for kernels and host
// code alike: sums of series and bits of the number, so that both get the same up to rounding.
// Included behind xorwow.h.
#ifndef HEDDLE_WORKLOADS_NORMAL_H
#define HEDDLE_WORKLOADS_NORMAL_H

union normal_bits {
    float f;
    unsigned u;
};

// Natural logarithm of x in (0, 1]: of 2^e times m, and log m = 2 artanh((m - 1) / (m + 1)).
XORWOW float normal_log(float x)
{
    union normal_bits m = {.f = x};
    int e = (int)(m.u >> 23) - 127;

    m.u = (m.u & 0x7fffff) | 0x3f800000;
    if (m.f > 1.4142135f) {
        m.f *= 0.5f;
        e++;
    }
    float s = (m.f - 1.0f) / (m.f + 1.0f), square = s * s, sum = 0.22222222f;
    sum = fmaf(sum, square, 0.28571429f);
    sum = fmaf(sum, square, 0.4f);
    sum = fmaf(sum, square, 0.66666667f);
    sum = fmaf(sum, square, 2.0f);
    return fmaf((float)e, 0.69314718f, s * sum);
}

// e to the x, for results that are no denormals: 2^k times e^r, r within half of log 2.
XORWOW float normal_exp(float x)
{
    union normal_bits result;
    float k = rintf(x * 1.4426950f), r = fmaf(k, -0.69314575f, x), sum = 1.3888889e-3f;

    r = fmaf(k, -1.4286068e-6f, r);
    sum = fmaf(sum, r, 8.3333333e-3f);
    sum = fmaf(sum, r, 4.1666667e-2f);
    sum = fmaf(sum, r, 1.6666667e-1f);
    sum = fmaf(sum, r, 0.5f);
    sum = fmaf(sum, r, 1.0f);
    result.f = fmaf(sum, r, 1.0f);
    result.u += (unsigned)(int)k << 23;
    return result.f;
}

// Sine and cosine of turns times 2 pi, turns in (0, 1]: of the rest r behind a multiple of a
// quarter.
XORWOW void normal_sine_cosine(float turns, float *sine, float *cosine)
{
    float quarters = rintf(4 * turns), r = fmaf(quarters, -0.25f, turns) * 6.2831853f;
    int quadrant = (int)quarters;
    float square = r * r, s = 2.7557319e-6f, c = 2.4801587e-5f;

    s = fmaf(s, square, -1.9841270e-4f);
    s = fmaf(s, square, 8.3333333e-3f);
    s = fmaf(s, square, -1.6666667e-1f);
    s = fmaf(s * square, r, r);
    c = fmaf(c, square, -1.3888889e-3f);
    c = fmaf(c, square, 4.1666667e-2f);
    c = fmaf(c, square, -0.5f);
    c = fmaf(c, square, 1.0f);
    *sine = quadrant & 1 ? c : s;
    *cosine = quadrant & 1 ? s : c;
    if (quadrant & 2)
        *sine = -*sine;
    if ((quadrant + 1) & 2)
        *cosine = -*cosine;
}

// Two variates of mean 0 and variance 1 (Box and Muller 1958).
XORWOW void normal_pair(struct xorwow *g, float *a, float *b)
{
    float u = xorwow_uniform(g), radius = sqrtf(-2.0f * normal_log(u));

    normal_sine_cosine(xorwow_uniform(g), a, b);
    *a *= radius;
    *b *= radius;
}

#endif
