// host_half.h - half precision on the host, for half.cu: exact in a wider type, rounded once.
#ifndef CORPUS_HOST_HALF_H
#define CORPUS_HOST_HALF_H

#include <cmath>
#include <cstdint>

struct __half {
    uint16_t u;
};
struct __half2 {
    __half x, y;
};
typedef __float128 corpus_wide; // sums and products of halves are exact in it

static inline double corpus_half(__half h)
{
    int e = h.u >> 10 & 31, m = h.u & 1023;
    double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h.u & 0x8000 ? -v : v;
}

// Round to a half; mode as fesetround's.
static inline __half corpus_to_half(corpus_wide x, int mode)
{
    bool negative = __builtin_signbit((double)x), up;
    corpus_wide a = x < 0 ? -x : x;
    uint16_t sign = negative ? 0x8000 : 0;

    if (x != x)
        return {0x7fff};
    if (a > 1e30)
        return {(uint16_t)(sign |
                           (!std::isinf((double)a) && (mode == FE_TOWARDZERO ||
                                                       mode == (negative ? FE_UPWARD : FE_DOWNWARD))
                                ? 0x7bff
                                : 0x7c00))};
    int e = -14;
    while (e < 40 && a >= (corpus_wide)ldexp(1.0, e + 1))
        e++;
    corpus_wide scaled = a * (corpus_wide)ldexp(1.0, 10 - e); // below 2048
    uint64_t n = (uint64_t)scaled;
    corpus_wide rest = scaled - (corpus_wide)n;
    up = mode == FE_TONEAREST  ? rest > 0.5 || (rest == 0.5 && (n & 1))
         : mode == FE_UPWARD   ? !negative && rest > 0
         : mode == FE_DOWNWARD ? negative && rest > 0
                               : false;
    n += up;
    if (n == 2048)
        n = 1024, e++;
    if (e > 15)
        return {
            (uint16_t)(sign | (mode == FE_TOWARDZERO || mode == (negative ? FE_UPWARD : FE_DOWNWARD)
                                   ? 0x7bff
                                   : 0x7c00))};
    return {(uint16_t)(sign | (n < 1024 ? n : (uint64_t)(e + 15) << 10 | (n & 1023)))};
}

static inline __half corpus_near(corpus_wide x)
{
    return corpus_to_half(x, FE_TONEAREST);
}
static inline __half __ushort_as_half(uint16_t u)
{
    return {u};
}
static inline uint16_t __half_as_ushort(__half h)
{
    return h.u;
}
static inline float __half2float(__half h)
{
    return (float)corpus_half(h);
}
static inline __half __hadd_rn(__half a, __half b)
{
    return corpus_near(corpus_half(a) + corpus_half(b));
}
static inline __half __hsub_rn(__half a, __half b)
{
    return corpus_near(corpus_half(a) - corpus_half(b));
}
static inline __half __hmul_rn(__half a, __half b)
{
    return corpus_near(corpus_half(a) * corpus_half(b));
}
static inline __half __hfma(__half a, __half b, __half c)
{
    double p = corpus_half(a) * corpus_half(b), z = corpus_half(c);
    if (p - p != 0 || z - z != 0 || p + z == 0)
        return corpus_near(p + z);
    return corpus_near((corpus_wide)p + z);
}
static inline __half __hneg(__half a)
{
    return {(uint16_t)(a.u ^ 0x8000)};
}
static inline __half __habs(__half a)
{
    return {(uint16_t)(a.u & 0x7fff)};
}
static inline __half __hdiv(__half a, __half b)
{
    return corpus_near(corpus_half(a) / corpus_half(b));
}
static inline __half hsqrt(__half a)
{
    return corpus_near(sqrt(corpus_half(a)));
}
static inline __half hfloor(__half a)
{
    return corpus_near(floor(corpus_half(a)));
}
static inline __half hrint(__half a)
{
    return corpus_near(rint(corpus_half(a)));
}
static inline bool __heq(__half a, __half b)
{
    return corpus_half(a) == corpus_half(b);
}
static inline bool __hne(__half a, __half b)
{
    return corpus_half(a) != corpus_half(b) &&
           !(corpus_half(a) != corpus_half(a) || corpus_half(b) != corpus_half(b));
}
static inline bool __hlt(__half a, __half b)
{
    return corpus_half(a) < corpus_half(b);
}
static inline bool __hge(__half a, __half b)
{
    return corpus_half(a) >= corpus_half(b);
}
static inline bool __hltu(__half a, __half b)
{
    return !__hge(a, b);
}
static inline bool __hisnan(__half a)
{
    return corpus_half(a) != corpus_half(a);
}
static inline __half __hmin(__half a, __half b)
{
    return corpus_near(fmin(corpus_half(a), corpus_half(b)));
}
static inline __half __hmax(__half a, __half b)
{
    return corpus_near(fmax(corpus_half(a), corpus_half(b)));
}
static inline __half __float2half_rn(float f)
{
    return corpus_near(f);
}
static inline __half __float2half_rz(float f)
{
    return corpus_to_half(f, FE_TOWARDZERO);
}
static inline __half __float2half_ru(float f)
{
    return corpus_to_half(f, FE_UPWARD);
}
static inline __half __float2half_rd(float f)
{
    return corpus_to_half(f, FE_DOWNWARD);
}
static inline int __half2int_rn(__half h)
{
    return __float2int_rn(__half2float(h));
}
static inline int __half2int_rz(__half h)
{
    return __float2int_rz(__half2float(h));
}
static inline uint32_t __half2uint_rz(__half h)
{
    return __float2uint_rz(__half2float(h));
}
static inline short __half2short_rn(__half h)
{
    int i = __half2int_rn(h);
    return (short)(i > 32767 ? 32767 : i < -32768 ? -32768 : i);
}
static inline __half __int2half_rn(int i)
{
    return corpus_near(i);
}
static inline __half __uint2half_rz(uint32_t i)
{
    return corpus_to_half(i, FE_TOWARDZERO);
}
static inline __half __short2half_rn(short i)
{
    return corpus_near(i);
}
static inline __half2 __halves2half2(__half a, __half b)
{
    return {a, b};
}
static inline __half __low2half(__half2 p)
{
    return p.x;
}
static inline __half __high2half(__half2 p)
{
    return p.y;
}
static inline __half2 __hadd2_rn(__half2 a, __half2 b)
{
    return {__hadd_rn(a.x, b.x), __hadd_rn(a.y, b.y)};
}
static inline __half2 __hmul2_rn(__half2 a, __half2 b)
{
    return {__hmul_rn(a.x, b.x), __hmul_rn(a.y, b.y)};
}
static inline __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
static inline __half2 __lowhigh2highlow(__half2 p)
{
    return {p.y, p.x};
}
static inline float __low2float(__half2 p)
{
    return __half2float(p.x);
}
static inline float __high2float(__half2 p)
{
    return __half2float(p.y);
}
static inline bool __hbeq2(__half2 a, __half2 b)
{
    return __heq(a.x, b.x) && __heq(a.y, b.y);
}
static inline __half2 __floats2half2_rn(float a, float b)
{
    return {corpus_near(a), corpus_near(b)};
}

#endif
