// cuda_fp16.h - half precision: __half and __half2, their conversions on both sides, their arithmetic in
// kernels. CUDA Math API, "Half Precision Intrinsics".
#ifndef HEDDLE_SDK_CUDA_FP16_H
#define HEDDLE_SDK_CUDA_FP16_H

#include "cuda_runtime.h"

#define HD_BOTH_H static __host__ __device__ __inline__ __attribute__((unused))
#define HD_HALF static __device__ __inline__ __attribute__((always_inline, unused))

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

// On the host, in integers: to the nearest, ties to even.
HD_BOTH_H float hd_half_to_float(unsigned short h)
{
#ifdef __CUDA_ARCH__
    float f;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    return f;
#else
    unsigned int sign = (h & 0x8000u) << 16, e = h >> 10 & 31, m = h & 0x3ffu;
    if (e == 31)
        return __builtin_bit_cast(float, sign | 0x7f800000u | m << 13);
    if (e)
        return __builtin_bit_cast(float, sign | (e + 112) << 23 | m << 13);
    float f = (float)m * 0x1p-24f;
    return sign ? -f : f;
#endif
}
HD_BOTH_H unsigned short hd_float_to_half(float f)
{
#ifdef __CUDA_ARCH__
    unsigned short h;
    __asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(h) : "f"(f));
    return h;
#else
    unsigned int u = __builtin_bit_cast(unsigned int, f), sign = u >> 16 & 0x8000u, a = u & 0x7fffffffu;
    if (a > 0x7f800000u)
        return 0x7fff;
    if (a >= 0x477ff000u)
        return (unsigned short)(sign | 0x7c00u);
    if (a < 0x38800000u) { // subnormal: adding 1/2 rounds at the right place
        float r = __builtin_bit_cast(float, a) + 0.5f;
        return (unsigned short)(sign | (__builtin_bit_cast(unsigned int, r) - 0x3f000000u));
    }
    a += 0xfffu + (a >> 13 & 1);
    return (unsigned short)(sign | (a - 0x38000000u) >> 13);
#endif
}

// A double is rounded once. On the host by way of a float that keeps in its last bit whether anything
// was cut off: it has more than two bits more than a half.
HD_BOTH_H unsigned short hd_double_to_half(double d)
{
#ifdef __CUDA_ARCH__
    unsigned short h;
    __asm__("cvt.rn.f16.f64 %0, %1;" : "=h"(h) : "d"(d));
    return h;
#else
    float f = (float)d;
    unsigned int u = __builtin_bit_cast(unsigned int, f);
    if (d == d && (double)f != d) {
        u -= __builtin_fabs((double)f) > __builtin_fabs(d);
        f = __builtin_bit_cast(float, u | 1);
    }
    return hd_float_to_half(f);
#endif
}

struct __align__(2) __half {
    unsigned short __x;
    __half() = default;
    __host__ __device__ __half(const __half_raw &r) : __x(r.x) {}
    __host__ __device__ __half(float f) : __x(hd_float_to_half(f)) {}
    __host__ __device__ __half(double f) : __x(hd_double_to_half(f)) {}
    __host__ __device__ __half(int i) : __x(hd_float_to_half((float)i)) {}
    __host__ __device__ __half(unsigned int i) : __x(hd_float_to_half((float)i)) {}
    __host__ __device__ __half(short i) : __x(hd_float_to_half((float)i)) {}
    __host__ __device__ __half(unsigned short i) : __x(hd_float_to_half((float)i)) {}
    __host__ __device__ __half(long long i) : __x(hd_float_to_half((float)i)) {}
    __host__ __device__ __half(unsigned long long i) : __x(hd_float_to_half((float)i)) {}
    __host__ __device__ operator float() const { return hd_half_to_float(__x); }
    __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
};
typedef __half half;
struct __align__(4) __half2 {
    __half x, y;
    __half2() = default;
    __host__ __device__ __half2(const __half &a, const __half &b) : x(a), y(b) {}
    __host__ __device__ __half2(const __half2_raw &r) : x(__half_raw{r.x}), y(__half_raw{r.y}) {}
    __host__ __device__ operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }
};
typedef __half2 half2;

HD_BOTH_H __half hd_half(unsigned short bits) { return __half(__half_raw{bits}); }
HD_HALF unsigned int hd_word(__half2 a) { return a.x.__x | (unsigned int)a.y.__x << 16; }
HD_HALF __half2 hd_half2(unsigned int w)
{
    return __half2(hd_half((unsigned short)w), hd_half((unsigned short)(w >> 16)));
}

// --- conversions

HD_BOTH_H __half __float2half(float f) { return hd_half(hd_float_to_half(f)); }
HD_BOTH_H __half __float2half_rn(float f) { return __float2half(f); }
HD_BOTH_H __half __double2half(double f) { return hd_half(hd_double_to_half(f)); }
HD_BOTH_H float __half2float(__half h) { return hd_half_to_float(h.__x); }
HD_BOTH_H __half2 __floats2half2_rn(float a, float b) { return __half2(__float2half(a), __float2half(b)); }
HD_BOTH_H __half2 __float2half2_rn(float a) { return __half2(__float2half(a), __float2half(a)); }
HD_BOTH_H __half2 __float22half2_rn(float2 a) { return __floats2half2_rn(a.x, a.y); }
HD_BOTH_H float2 __half22float2(__half2 a) { return float2{__half2float(a.x), __half2float(a.y)}; }
HD_BOTH_H float __low2float(__half2 a) { return __half2float(a.x); }
HD_BOTH_H float __high2float(__half2 a) { return __half2float(a.y); }
HD_BOTH_H __half __low2half(__half2 a) { return a.x; }
HD_BOTH_H __half __high2half(__half2 a) { return a.y; }
HD_BOTH_H __half2 __half2half2(__half a) { return __half2(a, a); }
HD_BOTH_H __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
HD_BOTH_H __half2 make_half2(__half a, __half b) { return __half2(a, b); }
HD_BOTH_H __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
HD_BOTH_H __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
HD_BOTH_H __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
HD_BOTH_H __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
HD_BOTH_H __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
HD_BOTH_H short __half_as_short(__half a) { return (short)a.__x; }
HD_BOTH_H unsigned short __half_as_ushort(__half a) { return a.__x; }
HD_BOTH_H __half __short_as_half(short a) { return hd_half((unsigned short)a); }
HD_BOTH_H __half __ushort_as_half(unsigned short a) { return hd_half(a); }
#define HD_FROM_HALF(name, type, c, mode, t)                                                       \
    HD_HALF type __half2##name(__half a)                                                           \
    {                                                                                              \
        type r;                                                                                    \
        __asm__("cvt." mode "." t ".f16 %0, %1;" : "=" c(r) : "h"(a.__x));                         \
        return r;                                                                                  \
    }
#define HD_TO_HALF(name, type, c, mode, t)                                                         \
    HD_HALF __half name(type a)                                                                    \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__("cvt." mode ".f16." t " %0, %1;" : "=h"(r) : c(a));                                \
        return hd_half(r);                                                                         \
    }
#define HD_HALF_ROUNDED(rd, mode, back)                                                            \
    HD_FROM_HALF(int_##rd, int, "r", mode, "s32")                                                  \
    HD_FROM_HALF(uint_##rd, unsigned int, "r", mode, "u32")                                        \
    HD_FROM_HALF(short_##rd, short, "h", mode, "s16")                                              \
    HD_FROM_HALF(ushort_##rd, unsigned short, "h", mode, "u16")                                    \
    HD_FROM_HALF(ll_##rd, long long, "l", mode, "s64")                                             \
    HD_FROM_HALF(ull_##rd, unsigned long long, "l", mode, "u64")                                   \
    HD_TO_HALF(__int2half_##rd, int, "r", back, "s32")                                              \
    HD_TO_HALF(__uint2half_##rd, unsigned int, "r", back, "u32")                                    \
    HD_TO_HALF(__short2half_##rd, short, "h", back, "s16")                                          \
    HD_TO_HALF(__ushort2half_##rd, unsigned short, "h", back, "u16")                                \
    HD_TO_HALF(__ll2half_##rd, long long, "l", back, "s64")                                         \
    HD_TO_HALF(__ull2half_##rd, unsigned long long, "l", back, "u64")
HD_HALF_ROUNDED(rn, "rni", "rn")
HD_HALF_ROUNDED(rz, "rzi", "rz")
HD_HALF_ROUNDED(rd, "rmi", "rm")
HD_HALF_ROUNDED(ru, "rpi", "rp")
HD_TO_HALF(__float2half_rz, float, "f", "rz", "f32")
HD_TO_HALF(__float2half_rd, float, "f", "rm", "f32")
HD_TO_HALF(__float2half_ru, float, "f", "rp", "f32")
#undef HD_HALF_ROUNDED
#undef HD_FROM_HALF
#undef HD_TO_HALF

// --- arithmetic: one instruction for one half, one for two

#define HD_H1(name, op, op2)                                                                       \
    HD_HALF __half name(__half a)                                                                  \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(op " %0, %1;" : "=h"(r) : "h"(a.__x));                                             \
        return hd_half(r);                                                                         \
    }
#define HD_H2(name, name2, op)                                                                     \
    HD_HALF __half name(__half a, __half b)                                                        \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(op ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                         \
        return hd_half(r);                                                                         \
    }                                                                                              \
    HD_HALF __half2 name2(__half2 a, __half2 b)                                                    \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__(op ".f16x2 %0, %1, %2;" : "=r"(r) : "r"(hd_word(a)), "r"(hd_word(b)));             \
        return hd_half2(r);                                                                        \
    }
#define HD_H3(name, name2, op)                                                                     \
    HD_HALF __half name(__half a, __half b, __half c)                                              \
    {                                                                                              \
        unsigned short r;                                                                          \
        __asm__(op ".f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));         \
        return hd_half(r);                                                                         \
    }                                                                                              \
    HD_HALF __half2 name2(__half2 a, __half2 b, __half2 c)                                         \
    {                                                                                              \
        unsigned int r;                                                                            \
        __asm__(op ".f16x2 %0, %1, %2, %3;"                                                        \
                : "=r"(r) : "r"(hd_word(a)), "r"(hd_word(b)), "r"(hd_word(c)));                    \
        return hd_half2(r);                                                                        \
    }
HD_H2(__hadd, __hadd2, "add")
HD_H2(__hsub, __hsub2, "sub")
HD_H2(__hmul, __hmul2, "mul")
HD_H2(__hadd_rn, __hadd2_rn, "add.rn")
HD_H2(__hsub_rn, __hsub2_rn, "sub.rn")
HD_H2(__hmul_rn, __hmul2_rn, "mul.rn")
HD_H2(__hadd_sat, __hadd2_sat, "add.sat")
HD_H2(__hsub_sat, __hsub2_sat, "sub.sat")
HD_H2(__hmul_sat, __hmul2_sat, "mul.sat")
HD_H3(__hfma, __hfma2, "fma.rn")
HD_H3(__hfma_sat, __hfma2_sat, "fma.rn.sat")
#undef HD_H1
#undef HD_H2
#undef HD_H3
HD_HALF __half __hdiv(__half a, __half b) { return __float2half(__half2float(a) / __half2float(b)); }
HD_HALF __half2 __h2div(__half2 a, __half2 b) { return __half2(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); }
HD_BOTH_H __half __hneg(__half a) { return hd_half(a.__x ^ 0x8000); }
HD_BOTH_H __half __habs(__half a) { return hd_half(a.__x & 0x7fff); }
HD_BOTH_H __half2 __hneg2(__half2 a) { return __half2(__hneg(a.x), __hneg(a.y)); }
HD_BOTH_H __half2 __habs2(__half2 a) { return __half2(__habs(a.x), __habs(a.y)); }

// --- comparisons

HD_BOTH_H bool __hisnan(__half a) { return (a.__x & 0x7fff) > 0x7c00; }
HD_BOTH_H int __hisinf(__half a) { return a.__x == 0x7c00 ? 1 : a.__x == 0xfc00 ? -1 : 0; }
HD_BOTH_H __half2 hd_both(bool low, bool high)
{
    return __half2(hd_half(low ? 0x3c00 : 0), hd_half(high ? 0x3c00 : 0));
}
HD_BOTH_H __half2 __hisnan2(__half2 a) { return hd_both(__hisnan(a.x), __hisnan(a.y)); }
// Of the floats x and y; a comparison whose name ends in u also holds if one of them is no number.
#define HD_HCMP(name, holds)                                                                       \
    HD_BOTH_H bool __h##name(__half a, __half b)                                                   \
    {                                                                                              \
        float x = __half2float(a), y = __half2float(b);                                            \
        return holds;                                                                              \
    }                                                                                              \
    HD_BOTH_H bool __h##name##u(__half a, __half b)                                                \
    {                                                                                              \
        return __hisnan(a) || __hisnan(b) || __h##name(a, b);                                      \
    }                                                                                              \
    HD_HCMP2(name) HD_HCMP2(name##u)
#define HD_HCMP2(name)                                                                             \
    HD_BOTH_H __half2 __h##name##2(__half2 a, __half2 b)                                           \
    {                                                                                              \
        return hd_both(__h##name(a.x, b.x), __h##name(a.y, b.y));                                  \
    }                                                                                              \
    HD_BOTH_H bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
HD_HCMP(eq, x == y)
HD_HCMP(ne, x < y || x > y)
HD_HCMP(lt, x < y)
HD_HCMP(le, x <= y)
HD_HCMP(gt, x > y)
HD_HCMP(ge, x >= y)
#undef HD_HCMP
#undef HD_HCMP2
HD_HALF __half __hmax(__half a, __half b) { return __float2half(__nv_fmaxf(a, b)); }
HD_HALF __half __hmin(__half a, __half b) { return __float2half(__nv_fminf(a, b)); }
HD_HALF __half2 __hmax2(__half2 a, __half2 b) { return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)); }
HD_HALF __half2 __hmin2(__half2 a, __half2 b) { return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define HD_HNAN(name)                                                                              \
    HD_HALF __half name##_nan(__half a, __half b)                                                  \
    {                                                                                              \
        return __hisnan(a) || __hisnan(b) ? hd_half(0x7fff) : name(a, b);                          \
    }                                                                                              \
    HD_HALF __half2 name##2_nan(__half2 a, __half2 b)                                              \
    {                                                                                              \
        return __half2(name##_nan(a.x, b.x), name##_nan(a.y, b.y));                                \
    }
HD_HNAN(__hmax)
HD_HNAN(__hmin)
#undef HD_HNAN
#endif

// --- functions, through single precision

#define HD_HFUN(name, f)                                                                           \
    HD_HALF __half h##name(__half a) { return __float2half(f(__half2float(a))); }                  \
    HD_HALF __half2 h2##name(__half2 a) { return __half2(h##name(a.x), h##name(a.y)); }
HD_HFUN(sqrt, __nv_sqrtf)
HD_HFUN(rsqrt, __nv_rsqrtf)
HD_HFUN(rcp, __nv_frcp_rn)
HD_HFUN(exp, __nv_expf)
HD_HFUN(exp2, __nv_exp2f)
HD_HFUN(exp10, __nv_exp10f)
HD_HFUN(log, __nv_logf)
HD_HFUN(log2, __nv_log2f)
HD_HFUN(log10, __nv_log10f)
HD_HFUN(sin, __nv_sinf)
HD_HFUN(cos, __nv_cosf)
HD_HFUN(floor, __nv_floorf)
HD_HFUN(ceil, __nv_ceilf)
HD_HFUN(trunc, __nv_truncf)
HD_HFUN(rint, __nv_rintf)
#undef HD_HFUN

// --- operators, in kernels

#define HD_HOP(op, f, f2)                                                                          \
    HD_HALF __half operator op(const __half &a, const __half &b) { return f(a, b); }               \
    HD_HALF __half &operator op##=(__half &a, const __half &b) { return a = f(a, b); }             \
    HD_HALF __half2 operator op(const __half2 &a, const __half2 &b) { return f2(a, b); }           \
    HD_HALF __half2 &operator op##=(__half2 &a, const __half2 &b) { return a = f2(a, b); }
HD_HOP(+, __hadd, __hadd2)
HD_HOP(-, __hsub, __hsub2)
HD_HOP(*, __hmul, __hmul2)
HD_HOP(/, __hdiv, __h2div)
#undef HD_HOP
HD_HALF __half operator-(const __half &a) { return __hneg(a); }
HD_HALF __half operator+(const __half &a) { return a; }
HD_HALF __half2 operator-(const __half2 &a) { return __hneg2(a); }
HD_HALF __half2 operator+(const __half2 &a) { return a; }
#define HD_HSTEP(op, by)                                                                           \
    HD_HALF __half &operator op##op(__half &a) { return a = a by hd_half(0x3c00); }                \
    HD_HALF __half2 &operator op##op(__half2 &a) { return a = a by hd_both(true, true); }          \
    HD_HALF __half operator op##op(__half &a, int)                                                 \
    {                                                                                              \
        __half before = a;                                                                         \
        op##op a;                                                                                  \
        return before;                                                                             \
    }                                                                                              \
    HD_HALF __half2 operator op##op(__half2 &a, int)                                               \
    {                                                                                              \
        __half2 before = a;                                                                        \
        op##op a;                                                                                  \
        return before;                                                                             \
    }
HD_HSTEP(+, +)
HD_HSTEP(-, -)
#undef HD_HSTEP
// A comparison of pairs holds if it holds for both.
#define HD_HCMPOP(op, f, f2)                                                                       \
    HD_HALF bool operator op(const __half &a, const __half &b) { return f(a, b); }                 \
    HD_HALF bool operator op(const __half2 &a, const __half2 &b) { return f2(a, b); }
HD_HCMPOP(==, __heq, __hbeq2)
HD_HCMPOP(!=, __hneu, __hbneu2)
HD_HCMPOP(<, __hlt, __hblt2)
HD_HCMPOP(<=, __hle, __hble2)
HD_HCMPOP(>, __hgt, __hbgt2)
HD_HCMPOP(>=, __hge, __hbge2)
#undef HD_HCMPOP

// --- between threads, in memory

HD_HALF __half __ldg(const __half *p) { return hd_half((unsigned short)__ldg((const unsigned short *)p)); }
HD_HALF __half2 __ldg(const __half2 *p) { return hd_half2(__ldg((const unsigned int *)p)); }
#define HD_HLOAD(name)                                                                             \
    HD_HALF __half name(const __half *p) { return hd_half(name((const unsigned short *)p)); }      \
    HD_HALF __half2 name(const __half2 *p) { return hd_half2(name((const unsigned int *)p)); }
#define HD_HSTORE(name)                                                                            \
    HD_HALF void name(__half *p, __half v) { name((unsigned short *)p, v.__x); }                   \
    HD_HALF void name(__half2 *p, __half2 v) { name((unsigned int *)p, hd_word(v)); }
HD_HLOAD(__ldcg)
HD_HLOAD(__ldca)
HD_HLOAD(__ldcs)
HD_HLOAD(__ldlu)
HD_HLOAD(__ldcv)
HD_HSTORE(__stcg)
HD_HSTORE(__stwb)
HD_HSTORE(__stcs)
HD_HSTORE(__stwt)
#undef HD_HLOAD
#undef HD_HSTORE
#define HD_HSHFL(name, type)                                                                       \
    HD_HALF __half name(unsigned int mask, __half v, type d, int width = 32)                       \
    {                                                                                              \
        return hd_half((unsigned short)name(mask, (unsigned int)v.__x, d, width));                 \
    }                                                                                              \
    HD_HALF __half2 name(unsigned int mask, __half2 v, type d, int width = 32)                     \
    {                                                                                              \
        return hd_half2(name(mask, hd_word(v), d, width));                                         \
    }
HD_HSHFL(__shfl_sync, int)
HD_HSHFL(__shfl_xor_sync, int)
HD_HSHFL(__shfl_up_sync, unsigned int)
HD_HSHFL(__shfl_down_sync, unsigned int)
#undef HD_HSHFL
HD_HALF __half2 atomicAdd(__half2 *p, __half2 v)
{
    unsigned int r;

    __asm__ __volatile__("atom.add.noftz.f16x2 %0, [%1], %2;" : "=r"(r) : "l"(p), "r"(hd_word(v)) : "memory");
    return hd_half2(r);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
HD_HALF __half atomicAdd(__half *p, __half v)
{
    unsigned short r;

    __asm__ __volatile__("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(r) : "l"(p), "h"(v.__x) : "memory");
    return hd_half(r);
}
#endif
#undef HD_HALF
#undef HD_BOTH_H

#endif
