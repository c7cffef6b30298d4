// lane_approx.h - sin, cos, ex2, lg2, rsqrt, tanh and the approximate divisions of one lane.
//
// PTX bounds the error of these and does not fix their bits. Here they are fixed sequences of
// additions, multiplications and divisions in double precision, so that every host gives the same
// bytes. The result is the true value rounded to nearest except in rare close cases, far inside
// what PTX ISA 9.0, chapter 9.7.3, allows (sin, cos: 2^-20.5 absolute; ex2: 2^-22; rsqrt: 2^-22.9;
// tanh: 2^-11 relative). There are no branches, except where arguments of sin and cos are huge.
#ifndef HEDDLE_EMU_LANE_APPROX_H
#define HEDDLE_EMU_LANE_APPROX_H

#include "emu/lane_math.h"

// Adding and subtracting 1.5 x 2^52 rounds to an integer, which then stands in the low bits.
#define ROUNDER 0x1.8p52

// x = n pi/2 + r with |r| <= pi/4: two parts of pi/2, the first of 33 bits, so that n times it is
// exact below TRIG_LIMIT.
#define TRIG_LIMIT 1e6f

static inline double reduce_trig(float x, uint32_t *n)
{
    double d = (double)x, t = d * 0x1.45f306dc9c883p-1 + ROUNDER, k = t - ROUNDER;

    *n = (uint32_t)bits_f64(t);
    return d - k * 0x1.921fb544p0 - k * 0x1.0b4611a626331p-34;
}

// The same for huge x = m 2^e: x times those bits of 2/pi that matter modulo 4 (Payne and Hanek).
static inline double reduce_huge(float x, uint32_t *n)
{
    static const uint32_t two_over_pi[] = {
        0, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    };
    uint32_t u = bits_f32(x), m = (u & 0x7fffff) | 0x800000;
    uint32_t at = (u >> 23 & 0xff) - 150 + 30; // first bit needed, of weight 2 once multiplied
    const uint32_t *w = two_over_pi + at / 32;
    uint64_t high = (uint64_t)w[0] << 32 | w[1], low = (uint64_t)w[2] << 32;
    uint64_t window = at % 32 ? high << at % 32 | low >> (64 - at % 32) : high;
    uint64_t turns = m * window, whole = turns + (UINT64_C(1) << 61);
    double part = (double)(int64_t)(turns - (whole >> 62 << 62)) * 0x1.921fb54442d18p-62;

    *n = u >> 31 ? 0 - (uint32_t)(whole >> 62) : (uint32_t)(whole >> 62);
    return u >> 31 ? -part : part;
}

// Sine of n pi/2 + r. Taylor series: the first term left out is below 2^-37.
static inline float trig_of(double r, uint32_t n)
{
    double z = r * r;
    double s =
        r *
        (1 + z * (-1.0 / 6 +
                  z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880 - z * (1.0 / 39916800))))));
    double c =
        1 +
        z * (-1.0 / 2 +
             z * (1.0 / 24 + z * (-1.0 / 720 + z * (1.0 / 40320 -
                                                    z * (1.0 / 3628800 - z * (1.0 / 479001600))))));
    uint64_t odd = 0 - (uint64_t)(n & 1), sign = (uint64_t)(n & 2) << 62;

    return canon_f32((float)f64_of(((bits_f64(c) & odd) | (bits_f64(s) & ~odd)) ^ sign));
}

// 2^x for |x| < 1000, relative error below 2^-36.
static inline double exp2_core(double x)
{
    double t = x + ROUNDER, f = x - (t - ROUNDER);
    double p = 0x1.62c0223a5c824p-20 + f * 0x1.b5253d395e7c4p-24;

    p = 0x1.ffcbfc588b0c7p-17 + f * p;
    p = 0x1.430912f86c787p-13 + f * p;
    p = 0x1.5d87fe78a6731p-10 + f * p;
    p = 0x1.3b2ab6fba4e77p-7 + f * p;
    p = 0x1.c6b08d704a0c0p-5 + f * p;
    p = 0x1.ebfbdff82c58fp-3 + f * p;
    p = 0x1.62e42fefa39efp-1 + f * p;
    return (1 + f * p) * f64_of((bits_f64(t) + 1023) << 52);
}

static inline float ex2_f32(float x)
{
    float y = x < -200 ? -200 : x > 200 ? 200 : x;

    return canon_f32((float)exp2_core((double)y));
}

// x = m 2^k with m around 1; ln m = 2 artanh((m - 1) / (m + 1)).
static inline float lg2_f32(float x)
{
    const uint64_t middle = UINT64_C(0x3fe6a09e667f3bcd), bias = UINT64_C(1024) << 52;
    uint64_t u = bits_f64((double)x), up = u - middle + bias;
    double k = f64_of(up >> 52 | UINT64_C(0x4330000000000000)) - (0x1p52 + 1024);
    double m = f64_of(u - ((up >> 52 << 52) - bias));
    double s = (m - 1) / (m + 1), z = s * s;
    double p =
        1 + z * (1.0 / 3 +
                 z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11 + z * (1.0 / 13))))));
    float r = (float)(k + s * p * 0x1.71547652b82fep1);

    r = x < 0 || x != x ? NAN_F32 : x == 0 ? -INFINITY : r;
    return x == INFINITY ? x : r;
}

static inline float tanh_f32(float x)
{
    double a = (double)abs_f32(x), z = a * a;
    double small = a * (1 - z * (1.0 / 3 - z * (2.0 / 15 - z * (17.0 / 315 - z * (62.0 / 2835)))));
    double b = a > 30 ? 30 : a, e = exp2_core(b * -0x1.71547652b82fep1);
    double r = a < 0.25 ? small : (1 - e) / (1 + e);
    uint32_t sign = bits_f32(x) & UINT32_C(0x80000000);

    return x == x ? f32_of(bits_f32((float)r) | sign) : NAN_F32;
}

static inline float rsqrt_f32(float x)
{
    return canon_f32((float)(1 / sqrt((double)x)));
}

static inline double rsqrt_f64(double x)
{
    return canon_f64(1 / sqrt(x));
}

// div.approx multiplies by a reciprocal that underflows for the largest divisors.
static inline float div_approx_f32(float a, float b)
{
    float q = a / b;
    bool large = abs_f32(b) > 0x1p126f && abs_f32(b) < INFINITY;

    return canon_f32(!large ? q : abs_f32(a) == INFINITY ? NAN_F32 : a == a ? 0 : a);
}

// The f64 forms work on the upper words only.
static inline double upper_f64(double x)
{
    return f64_of(bits_f64(x) >> 32 << 32);
}

// The NaN has an upper word alone, as all results; rsqrt gives it on an H100.
#define NAN_UPPER f64_of(UINT64_C(0x7fffffff) << 32)

static inline double rcp_approx_f64(double x)
{
    double r = 1 / flush_f64(upper_f64(x));
    return r == r ? flush_f64(upper_f64(r)) : NAN_UPPER;
}

static inline double rsqrt_approx_f64(double x)
{
    double r = 1 / sqrt(flush_f64(upper_f64(x)));
    return r == r ? upper_f64(r) : NAN_UPPER;
}

#endif
