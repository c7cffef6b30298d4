// host_numbers.h - numbers for host.h: vector types, device functions of integers and floats.
#ifndef CORPUS_HOST_NUMBERS_H
#define CORPUS_HOST_NUMBERS_H

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long long ull;

#define VECTOR(type, name, size)                                                                   \
    struct alignas(sizeof(type) * 2 > 16 ? 16 : sizeof(type) * 2) name##2                          \
    {                                                                                              \
        type x, y;                                                                                 \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        type x, y, z;                                                                              \
    };                                                                                             \
    struct alignas(sizeof(type) * 4 > 16 ? 16 : sizeof(type) * 4) name##4                          \
    {                                                                                              \
        type x, y, z, w;                                                                           \
    };                                                                                             \
    static inline name##2 make_##name##2(type x, type y)                                           \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    static inline name##3 make_##name##3(type x, type y, type z)                                   \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    static inline name##4 make_##name##4(type x, type y, type z, type w)                           \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }
VECTOR(signed char, char, 1)
VECTOR(unsigned char, uchar, 1)
VECTOR(short, short, 2)
VECTOR(unsigned short, ushort, 2)
VECTOR(int, int, 4)
VECTOR(unsigned, uint, 4)
VECTOR(long long, longlong, 8)
VECTOR(unsigned long long, ulonglong, 8)
VECTOR(float, float, 4)
VECTOR(double, double, 8)
#undef VECTOR

template <typename T> static inline T min(T a, T b)
{
    return b < a ? b : a;
}
template <typename T> static inline T max(T a, T b)
{
    return a < b ? b : a;
}
static inline float min(float a, float b)
{
    return fminf(a, b);
}
static inline float max(float a, float b)
{
    return fmaxf(a, b);
}
static inline double min(double a, double b)
{
    return fmin(a, b);
}
static inline double max(double a, double b)
{
    return fmax(a, b);
}

// --- integers
static inline int __popc(uint32_t x)
{
    return __builtin_popcount(x);
}
static inline int __popcll(uint64_t x)
{
    return __builtin_popcountll(x);
}
static inline int __clz(uint32_t x)
{
    return x ? __builtin_clz(x) : 32;
}
static inline int __clzll(uint64_t x)
{
    return x ? __builtin_clzll(x) : 64;
}
static inline int __ffs(uint32_t x)
{
    return x ? __builtin_ctz(x) + 1 : 0;
}
static inline int __ffsll(uint64_t x)
{
    return x ? __builtin_ctzll(x) + 1 : 0;
}
static inline uint64_t corpus_reverse(uint64_t x, int n)
{
    uint64_t r = 0;
    for (int i = 0; i < n; i++)
        r |= (x >> i & 1) << (n - 1 - i);
    return r;
}
static inline uint32_t __brev(uint32_t x)
{
    return (uint32_t)corpus_reverse(x, 32);
}
static inline uint64_t __brevll(uint64_t x)
{
    return corpus_reverse(x, 64);
}
static inline uint32_t __byte_perm(uint32_t a, uint32_t b, uint32_t s)
{
    uint64_t both = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++)
        r |= (uint32_t)(both >> 8 * (s >> 4 * i & 7) & 255) << 8 * i;
    return r;
}
static inline uint32_t __funnelshift_l(uint32_t lo, uint32_t hi, uint32_t n)
{
    return (uint32_t)((((uint64_t)hi << 32 | lo) << (n & 31)) >> 32);
}
static inline uint32_t __funnelshift_r(uint32_t lo, uint32_t hi, uint32_t n)
{
    return (uint32_t)(((uint64_t)hi << 32 | lo) >> (n & 31));
}
static inline uint32_t __funnelshift_lc(uint32_t lo, uint32_t hi, uint32_t n)
{
    return n >= 32 ? lo : __funnelshift_l(lo, hi, n);
}
static inline uint32_t __funnelshift_rc(uint32_t lo, uint32_t hi, uint32_t n)
{
    return n >= 32 ? hi : __funnelshift_r(lo, hi, n);
}
static inline int __mulhi(int a, int b)
{
    return (int)((int64_t)a * b >> 32);
}
static inline uint32_t __umulhi(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}
static inline long long __mul64hi(long long a, long long b)
{
    return (long long)((__int128)a * b >> 64);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline int __mul24(int a, int b)
{
    return (int)((int64_t)((int)((uint32_t)a << 8) >> 8) * ((int)((uint32_t)b << 8) >> 8));
}
static inline uint32_t __umul24(uint32_t a, uint32_t b)
{
    return (a & 0xffffff) * (b & 0xffffff);
}
static inline uint32_t __sad(int a, int b, uint32_t c)
{
    return (a < b ? (uint32_t)b - (uint32_t)a : (uint32_t)a - (uint32_t)b) + c;
}
static inline uint32_t __usad(uint32_t a, uint32_t b, uint32_t c)
{
    return (a < b ? b - a : a - b) + c;
}
static inline int __hadd(int a, int b)
{
    return (int)(((int64_t)a + b) >> 1);
}
static inline int __rhadd(int a, int b)
{
    return (int)(((int64_t)a + b + 1) >> 1);
}
static inline uint32_t __uhadd(uint32_t a, uint32_t b)
{
    return (uint32_t)(((uint64_t)a + b) >> 1);
}
static inline uint32_t __urhadd(uint32_t a, uint32_t b)
{
    return (uint32_t)(((uint64_t)a + b + 1) >> 1);
}
template <typename A, typename B> static inline int corpus_dot4(uint32_t a, uint32_t b, uint32_t c)
{
    for (int i = 0; i < 4; i++)
        c += (uint32_t)((int)(A)(a >> 8 * i) * (int)(B)(b >> 8 * i));
    return (int)c;
}
static inline int __dp4a(int a, int b, int c)
{
    return corpus_dot4<int8_t, int8_t>((uint32_t)a, (uint32_t)b, (uint32_t)c);
}
static inline uint32_t __dp4a(uint32_t a, uint32_t b, uint32_t c)
{
    return (uint32_t)corpus_dot4<uint8_t, uint8_t>(a, b, c);
}
static inline int corpus_dot2(uint32_t a, uint32_t b, uint32_t c, int from, bool sign)
{
    for (int i = 0; i < 2; i++) {
        uint32_t x = a >> 16 * i & 0xffff, y = b >> (16 * from + 8 * i) & 0xff;
        c += sign ? (uint32_t)((int)(int16_t)x * (int8_t)y) : x * y;
    }
    return (int)c;
}
static inline int __dp2a_lo(int a, int b, int c)
{
    return corpus_dot2((uint32_t)a, (uint32_t)b, (uint32_t)c, 0, true);
}
static inline int __dp2a_hi(int a, int b, int c)
{
    return corpus_dot2((uint32_t)a, (uint32_t)b, (uint32_t)c, 1, true);
}
static inline uint32_t __dp2a_lo(uint32_t a, uint32_t b, uint32_t c)
{
    return (uint32_t)corpus_dot2(a, b, c, 0, false);
}
static inline uint32_t __dp2a_hi(uint32_t a, uint32_t b, uint32_t c)
{
    return (uint32_t)corpus_dot2(a, b, c, 1, false);
}
// Find the n-th set bit from `base`, upwards or downwards; n 0: the base itself.
static inline uint32_t __fns(uint32_t mask, uint32_t base, int n)
{
    int step = n < 0 ? -1 : 1, left = n < 0 ? -n : n;
    if (n == 0)
        return mask >> base & 1 ? base : ~0u;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if (mask >> i & 1 && --left == 0)
            return (uint32_t)i;
    return ~0u;
}

// --- bits of floats
static inline int __float_as_int(float f)
{
    int i;
    memcpy(&i, &f, 4);
    return i;
}
static inline uint32_t __float_as_uint(float f)
{
    return (uint32_t)__float_as_int(f);
}
static inline float __int_as_float(int i)
{
    float f;
    memcpy(&f, &i, 4);
    return f;
}
static inline float __uint_as_float(uint32_t u)
{
    return __int_as_float((int)u);
}
static inline long long __double_as_longlong(double d)
{
    long long i;
    memcpy(&i, &d, 8);
    return i;
}
static inline double __longlong_as_double(long long i)
{
    double d;
    memcpy(&d, &i, 8);
    return d;
}
static inline int __double2hiint(double d)
{
    return (int)(__double_as_longlong(d) >> 32);
}
static inline int __double2loint(double d)
{
    return (int)__double_as_longlong(d);
}
static inline double __hiloint2double(int hi, int lo)
{
    return __longlong_as_double((long long)((uint64_t)(uint32_t)hi << 32 | (uint32_t)lo));
}

// --- one operation in one rounding
#define ROUNDED(type, name, suffix, mode, parameters, expression)                                  \
    static __attribute__((noinline, noipa)) type name##_##suffix parameters                        \
    {                                                                                              \
        fesetround(mode);                                                                          \
        volatile type r = expression;                                                              \
        fesetround(FE_TONEAREST);                                                                  \
        return r;                                                                                  \
    }
#define ALL_ROUNDINGS(type, name, parameters, expression)                                          \
    ROUNDED(type, name, rn, FE_TONEAREST, parameters, expression)                                  \
    ROUNDED(type, name, rz, FE_TOWARDZERO, parameters, expression)                                 \
    ROUNDED(type, name, ru, FE_UPWARD, parameters, expression)                                     \
    ROUNDED(type, name, rd, FE_DOWNWARD, parameters, expression)
#define BINARY(T) (volatile T a, volatile T b)
ALL_ROUNDINGS(float, __fadd, BINARY(float), a + b)
ALL_ROUNDINGS(float, __fsub, BINARY(float), a - b)
ALL_ROUNDINGS(float, __fmul, BINARY(float), a *b)
ALL_ROUNDINGS(float, __fdiv, BINARY(float), a / b)
ALL_ROUNDINGS(float, __frcp, (volatile float a), 1.0f / a)
ALL_ROUNDINGS(float, __fsqrt, (volatile float a), sqrtf(a))
ALL_ROUNDINGS(float, __fmaf, (volatile float a, volatile float b, volatile float c), fmaf(a, b, c))
ALL_ROUNDINGS(double, __dadd, BINARY(double), a + b)
ALL_ROUNDINGS(double, __dsub, BINARY(double), a - b)
ALL_ROUNDINGS(double, __dmul, BINARY(double), a *b)
ALL_ROUNDINGS(double, __ddiv, BINARY(double), a / b)
ALL_ROUNDINGS(double, __drcp, (volatile double a), 1.0 / a)
ALL_ROUNDINGS(double, __dsqrt, (volatile double a), sqrt(a))
ALL_ROUNDINGS(double, __fma, (volatile double a, volatile double b, volatile double c),
              fma(a, b, c))
ALL_ROUNDINGS(float, __int2float, (volatile int a), (float)a)
ALL_ROUNDINGS(float, __uint2float, (volatile uint32_t a), (float)a)
ALL_ROUNDINGS(float, __ll2float, (volatile long long a), (float)a)
ALL_ROUNDINGS(double, __ll2double, (volatile long long a), (double)a)
ALL_ROUNDINGS(float, __double2float, (volatile double a), (float)a)
static inline double __int2double_rn(int a)
{
    return a;
}
static inline double __uint2double_rn(uint32_t a)
{
    return a;
}
static inline float __frsqrt_rn(float a)
{
    return (float)(1.0L / sqrtl(a));
}

// Unsigned 64-bit sources: the compiler's own conversion rounds twice in directed modes.
static inline double corpus_u64(uint64_t a, int bits, int mode)
{
    int length = a ? 64 - __builtin_clzll(a) : 0, drop = length > bits ? length - bits : 0;
    uint64_t kept = drop ? a >> drop << drop : a, rest = a - kept;
    if (rest) {
        uint64_t half = UINT64_C(1) << (drop - 1);
        bool up = mode == FE_UPWARD ||
                  (mode == FE_TONEAREST && (rest > half || (rest == half && kept >> drop & 1)));
        if (up)
            return ldexp((double)((kept >> drop) + 1), drop);
    }
    return ldexp((double)(kept >> drop), drop);
}
#define FROM_U64(suffix, mode)                                                                     \
    static inline float __ull2float_##suffix(uint64_t a)                                           \
    {                                                                                              \
        return (float)corpus_u64(a, 24, mode);                                                     \
    }                                                                                              \
    static inline double __ull2double_##suffix(uint64_t a)                                         \
    {                                                                                              \
        return corpus_u64(a, 53, mode);                                                            \
    }
FROM_U64(rn, FE_TONEAREST)
FROM_U64(rz, FE_TOWARDZERO)
FROM_U64(ru, FE_UPWARD)
FROM_U64(rd, FE_DOWNWARD)

// Floats to integers saturate; a NaN is 0 in 32 bits, 2^63 in 64.
template <typename I, typename F> static inline I corpus_to(F f, int mode, I nan)
{
    long double lo = (long double)std::numeric_limits<I>::min();
    long double hi = (long double)std::numeric_limits<I>::max();
    if (f != f)
        return nan;
    fesetround(mode);
    long double r = rintl((long double)f);
    fesetround(FE_TONEAREST);
    return r <= lo ? std::numeric_limits<I>::min() : r >= hi ? std::numeric_limits<I>::max() : (I)r;
}
#define TO_INTEGERS(from, F, suffix, mode)                                                         \
    static inline int __##from##2int_##suffix(F f)                                                 \
    {                                                                                              \
        return corpus_to<int>(f, mode, sizeof(F) == 8 ? (int)0x80000000 : 0);                      \
    }                                                                                              \
    static inline uint32_t __##from##2uint_##suffix(F f)                                           \
    {                                                                                              \
        return corpus_to<uint32_t>(f, mode, sizeof(F) == 8 ? 0x80000000u : 0);                     \
    }                                                                                              \
    static inline long long __##from##2ll_##suffix(F f)                                            \
    {                                                                                              \
        return corpus_to<long long>(f, mode, (long long)(UINT64_C(1) << 63));                      \
    }                                                                                              \
    static inline unsigned long long __##from##2ull_##suffix(F f)                                  \
    {                                                                                              \
        return corpus_to<unsigned long long>(f, mode, UINT64_C(1) << 63);                          \
    }
#define TO_ALL(from, F)                                                                            \
    TO_INTEGERS(from, F, rn, FE_TONEAREST)                                                         \
    TO_INTEGERS(from, F, rz, FE_TOWARDZERO)                                                        \
    TO_INTEGERS(from, F, ru, FE_UPWARD)                                                            \
    TO_INTEGERS(from, F, rd, FE_DOWNWARD)
TO_ALL(float, float)
TO_ALL(double, double)

// --- mathematics that C has not, or leaves open: -0 is less than 0
#define ORDERED(T, name, call, first)                                                              \
    static inline T name(T a, T b)                                                                 \
    {                                                                                              \
        return a == 0 && b == 0 ? (signbit(a) == first ? a : b) : call(a, b);                      \
    }
ORDERED(float, corpus_fminf, fminf, true)
ORDERED(float, corpus_fmaxf, fmaxf, false)
ORDERED(double, corpus_fmin, fmin, true)
ORDERED(double, corpus_fmax, fmax, false)
#undef ORDERED
#define fminf corpus_fminf
#define fmaxf corpus_fmaxf
#define fmin corpus_fmin
#define fmax corpus_fmax
static inline float __saturatef(float a)
{
    return a > 0 ? a < 1 ? a : 1.0f : 0.0f;
}
static inline float __fdividef(float a, float b)
{
    return a / b;
}
#define __sinf corpus_sinf
static inline float __sinf(float a)
{
    return (float)sin((double)a);
}
#define __cosf corpus_cosf
static inline float __cosf(float a)
{
    return (float)cos((double)a);
}
#define __tanf corpus_tanf
static inline float __tanf(float a)
{
    return (float)tan((double)a);
}
#define __expf corpus_expf
static inline float __expf(float a)
{
    return (float)exp((double)a);
}
#define __exp10f corpus_exp10f
static inline float __exp10f(float a)
{
    return (float)pow(10.0, (double)a);
}
#define __logf corpus_logf
static inline float __logf(float a)
{
    return (float)log((double)a);
}
#define __log2f corpus_log2f
static inline float __log2f(float a)
{
    return (float)log2((double)a);
}
#define __log10f corpus_log10f
static inline float __log10f(float a)
{
    return (float)log10((double)a);
}
#define __powf corpus_powf
static inline float __powf(float a, float b)
{
    return (float)pow((double)a, (double)b);
}

#endif
