// libdevice.h - the functions of the device library that are one or a few instructions: what the
// headers of clang build CUDA's intrinsics on. Names and meaning: NVIDIA's libdevice User's Guide;
// the mathematics is in mathf.h and math.h, SIMD within a word in simd.h.
//
// Instructions are written as PTX where the compiler's own words for them changed between releases.
#ifndef HEDDLE_LIBDEVICE_H
#define HEDDLE_LIBDEVICE_H

#define HD_DEV static __device__ __inline__ __attribute__((always_inline, unused))

// One result and one to three operands; constraint letters as in inline PTX.
#define HD_ASM1(name, out, o, a_, x, ptx)                                                          \
    HD_DEV out name(a_ a)                                                                          \
    {                                                                                              \
        out r;                                                                                     \
        __asm__(ptx " %0, %1;" : "=" o(r) : x(a));                                                 \
        return r;                                                                                  \
    }
#define HD_ASM2(name, type, t, ptx)                                                                \
    HD_DEV type name(type a, type b)                                                               \
    {                                                                                              \
        type r;                                                                                    \
        __asm__(ptx " %0, %1, %2;" : "=" t(r) : t(a), t(b));                                       \
        return r;                                                                                  \
    }
#define HD_ASM3(name, type, t, ptx)                                                                \
    HD_DEV type name(type a, type b, type c)                                                       \
    {                                                                                              \
        type r;                                                                                    \
        __asm__(ptx " %0, %1, %2, %3;" : "=" t(r) : t(a), t(b), t(c));                             \
        return r;                                                                                  \
    }

// Arithmetic in a given rounding is never contracted. Down and up are rm and rp in PTX.
#define HD_ROUNDED(rd, mode)                                                                         \
    HD_ASM2(__nv_fadd_##rd, float, "f", "add." mode ".f32")                                         \
    HD_ASM2(__nv_fsub_##rd, float, "f", "sub." mode ".f32")                                         \
    HD_ASM2(__nv_fmul_##rd, float, "f", "mul." mode ".f32")                                         \
    HD_ASM2(__nv_fdiv_##rd, float, "f", "div." mode ".f32")                                         \
    HD_ASM3(__nv_fmaf_##rd, float, "f", "fma." mode ".f32")                                         \
    HD_ASM3(__nv_fmaf_ieee_##rd, float, "f", "fma." mode ".f32")                                    \
    HD_ASM1(__nv_frcp_##rd, float, "f", float, "f", "rcp." mode ".f32")                             \
    HD_ASM1(__nv_fsqrt_##rd, float, "f", float, "f", "sqrt." mode ".f32")                           \
    HD_ASM2(__nv_dadd_##rd, double, "d", "add." mode ".f64")                                        \
    HD_ASM2(__nv_dsub_##rd, double, "d", "sub." mode ".f64")                                        \
    HD_ASM2(__nv_dmul_##rd, double, "d", "mul." mode ".f64")                                        \
    HD_ASM2(__nv_ddiv_##rd, double, "d", "div." mode ".f64")                                        \
    HD_ASM3(__nv_fma_##rd, double, "d", "fma." mode ".f64")                                         \
    HD_ASM1(__nv_drcp_##rd, double, "d", double, "d", "rcp." mode ".f64")                           \
    HD_ASM1(__nv_dsqrt_##rd, double, "d", double, "d", "sqrt." mode ".f64")                         \
    HD_ASM1(__nv_double2float_##rd, float, "f", double, "d", "cvt." mode ".f32.f64")                \
    HD_ASM1(__nv_int2float_##rd, float, "f", int, "r", "cvt." mode ".f32.s32")                      \
    HD_ASM1(__nv_uint2float_##rd, float, "f", unsigned int, "r", "cvt." mode ".f32.u32")            \
    HD_ASM1(__nv_ll2float_##rd, float, "f", long long, "l", "cvt." mode ".f32.s64")                 \
    HD_ASM1(__nv_ull2float_##rd, float, "f", unsigned long long, "l", "cvt." mode ".f32.u64")       \
    HD_ASM1(__nv_ll2double_##rd, double, "d", long long, "l", "cvt." mode ".f64.s64")               \
    HD_ASM1(__nv_ull2double_##rd, double, "d", unsigned long long, "l", "cvt." mode ".f64.u64")
HD_ROUNDED(rn, "rn")
HD_ROUNDED(rz, "rz")
HD_ROUNDED(rd, "rm")
HD_ROUNDED(ru, "rp")
HD_DEV double __nv_int2double_rn(int a) { return (double)a; }
HD_DEV double __nv_uint2double_rn(unsigned int a) { return (double)a; }

// To integers: PTX calls the roundings rni, rzi, rmi, rpi.
#define HD_TO_INTEGERS(rd, mode)                                                                   \
    HD_ASM1(__nv_float2int_##rd, int, "r", float, "f", "cvt." mode ".s32.f32")                     \
    HD_ASM1(__nv_float2uint_##rd, unsigned int, "r", float, "f", "cvt." mode ".u32.f32")           \
    HD_ASM1(__nv_float2ll_##rd, long long, "l", float, "f", "cvt." mode ".s64.f32")                \
    HD_ASM1(__nv_float2ull_##rd, unsigned long long, "l", float, "f", "cvt." mode ".u64.f32")      \
    HD_ASM1(__nv_double2int_##rd, int, "r", double, "d", "cvt." mode ".s32.f64")                   \
    HD_ASM1(__nv_double2uint_##rd, unsigned int, "r", double, "d", "cvt." mode ".u32.f64")         \
    HD_ASM1(__nv_double2ll_##rd, long long, "l", double, "d", "cvt." mode ".s64.f64")              \
    HD_ASM1(__nv_double2ull_##rd, unsigned long long, "l", double, "d", "cvt." mode ".u64.f64")
HD_TO_INTEGERS(rn, "rni")
HD_TO_INTEGERS(rz, "rzi")
HD_TO_INTEGERS(rd, "rmi")
HD_TO_INTEGERS(ru, "rpi")

HD_ASM1(__nv_frsqrt_rn_approx, float, "f", float, "f", "rsqrt.approx.f32")
HD_ASM1(__nv_float_ex2, float, "f", float, "f", "ex2.approx.f32")
HD_ASM1(__nv_fast_log2f, float, "f", float, "f", "lg2.approx.f32")
HD_ASM1(__nv_fast_sinf, float, "f", float, "f", "sin.approx.f32")
HD_ASM1(__nv_fast_cosf, float, "f", float, "f", "cos.approx.f32")
HD_ASM2(__nv_fast_fdividef, float, "f", "div.approx.f32")
HD_DEV float __nv_fast_tanf(float a) { return __nv_fast_fdividef(__nv_fast_sinf(a), __nv_fast_cosf(a)); }
HD_DEV void __nv_fast_sincosf(float a, float *s, float *c)
{
    *s = __nv_fast_sinf(a);
    *c = __nv_fast_cosf(a);
}
HD_DEV float __nv_fast_expf(float a) { return __nv_float_ex2(__nv_fmul_rn(a, 0x1.715476p+0f)); }
HD_DEV float __nv_fast_exp10f(float a) { return __nv_float_ex2(__nv_fmul_rn(a, 0x1.a934f0p+1f)); }
HD_DEV float __nv_fast_logf(float a) { return __nv_fmul_rn(__nv_fast_log2f(a), 0x1.62e430p-1f); }
HD_DEV float __nv_fast_log10f(float a) { return __nv_fmul_rn(__nv_fast_log2f(a), 0x1.344136p-2f); }
HD_DEV float __nv_fast_powf(float a, float b)
{
    return __nv_float_ex2(__nv_fmul_rn(b, __nv_fast_log2f(a)));
}
HD_ASM1(__nv_saturatef, float, "f", float, "f", "cvt.sat.f32.f32")

// Bits as numbers.
HD_DEV int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
HD_DEV unsigned int __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned int, a); }
HD_DEV float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
HD_DEV float __nv_uint_as_float(unsigned int a) { return __builtin_bit_cast(float, a); }
HD_DEV long long __nv_double_as_longlong(double a) { return __builtin_bit_cast(long long, a); }
HD_DEV double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
HD_DEV int __nv_double2hiint(double a) { return (int)(__nv_double_as_longlong(a) >> 32); }
HD_DEV int __nv_double2loint(double a) { return (int)__nv_double_as_longlong(a); }
HD_DEV double __nv_hiloint2double(int high, int low)
{
    return __nv_longlong_as_double((long long)high << 32 | (unsigned int)low);
}

// What kind of number.
HD_DEV int __nv_isnanf(float a) { return (__nv_float_as_uint(a) & 0x7fffffffu) > 0x7f800000u; }
HD_DEV int __nv_isinff(float a) { return (__nv_float_as_uint(a) & 0x7fffffffu) == 0x7f800000u; }
HD_DEV int __nv_finitef(float a) { return (__nv_float_as_uint(a) & 0x7fffffffu) < 0x7f800000u; }
HD_DEV int __nv_signbitf(float a) { return __nv_float_as_int(a) < 0; }
HD_DEV unsigned long long hd_magnitude(double a)
{
    return (unsigned long long)__nv_double_as_longlong(a) & 0x7fffffffffffffffull;
}
HD_DEV int __nv_isnand(double a) { return hd_magnitude(a) > 0x7ff0000000000000ull; }
HD_DEV int __nv_isinfd(double a) { return hd_magnitude(a) == 0x7ff0000000000000ull; }
HD_DEV int __nv_isfinited(double a) { return hd_magnitude(a) < 0x7ff0000000000000ull; }
HD_DEV int __nv_signbitd(double a) { return __nv_double_as_longlong(a) < 0; }

// Integers.
HD_DEV int __nv_abs(int a) { return a < 0 ? (int)-(unsigned int)a : a; }
HD_DEV long long __nv_llabs(long long a) { return a < 0 ? (long long)-(unsigned long long)a : a; }
#define HD_LEAST(name, type)                                                                       \
    HD_DEV type __nv_##name##min(type a, type b) { return a < b ? a : b; }                         \
    HD_DEV type __nv_##name##max(type a, type b) { return a > b ? a : b; }
HD_LEAST(, int)
HD_LEAST(u, unsigned int)
HD_LEAST(ll, long long)
HD_LEAST(ull, unsigned long long)
HD_DEV unsigned int __nv_brev(unsigned int a) { return __builtin_bitreverse32(a); }
HD_DEV unsigned long long __nv_brevll(unsigned long long a) { return __builtin_bitreverse64(a); }
HD_ASM1(__nv_popc, int, "r", unsigned int, "r", "popc.b32")
HD_ASM1(__nv_popcll, int, "r", unsigned long long, "l", "popc.b64")
HD_ASM1(__nv_clz, int, "r", unsigned int, "r", "clz.b32")
HD_ASM1(__nv_clzll, int, "r", unsigned long long, "l", "clz.b64")
HD_DEV int __nv_ffs(int a) { return 32 - __nv_clz((unsigned int)(a & -(unsigned int)a)); }
HD_DEV int __nv_ffsll(long long a)
{
    return 64 - __nv_clzll((unsigned long long)a & -(unsigned long long)a);
}
HD_ASM3(__nv_byte_perm_any, unsigned int, "r", "prmt.b32")
HD_DEV unsigned int __nv_byte_perm(unsigned int a, unsigned int b, unsigned int c)
{
    return __nv_byte_perm_any(a, b, c & 0x7777u);
}
HD_ASM2(__nv_mulhi, int, "r", "mul.hi.s32")
HD_ASM2(__nv_umulhi, unsigned int, "r", "mul.hi.u32")
HD_ASM2(__nv_mul64hi, long long, "l", "mul.hi.s64")
HD_ASM2(__nv_umul64hi, unsigned long long, "l", "mul.hi.u64")
HD_ASM2(__nv_mul24, int, "r", "mul24.lo.s32")
HD_ASM2(__nv_umul24, unsigned int, "r", "mul24.lo.u32")
HD_DEV unsigned int __nv_sad(int a, int b, unsigned int c)
{
    return (a < b ? (unsigned int)b - (unsigned int)a : (unsigned int)a - (unsigned int)b) + c;
}
HD_DEV unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c)
{
    return (a < b ? b - a : a - b) + c;
}
HD_DEV int __nv_hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
HD_DEV int __nv_rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
HD_DEV unsigned int __nv_uhadd(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a + b) >> 1);
}
HD_DEV unsigned int __nv_urhadd(unsigned int a, unsigned int b)
{
    return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
}

// Exact functions of floating-point numbers.
HD_DEV float __nv_fabsf(float a) { return __builtin_fabsf(a); }
HD_DEV double __nv_fabs(double a) { return __builtin_fabs(a); }
HD_DEV float __nv_copysignf(float a, float b)
{
    return __nv_int_as_float((__nv_float_as_int(a) & 0x7fffffff) | (__nv_float_as_int(b) & ~0x7fffffff));
}
HD_DEV double __nv_copysign(double a, double b)
{
    return __nv_longlong_as_double(
        (long long)(hd_magnitude(a) | ((unsigned long long)__nv_double_as_longlong(b) & 1ull << 63)));
}
HD_ASM1(__nv_floorf, float, "f", float, "f", "cvt.rmi.f32.f32")
HD_ASM1(__nv_ceilf, float, "f", float, "f", "cvt.rpi.f32.f32")
HD_ASM1(__nv_truncf, float, "f", float, "f", "cvt.rzi.f32.f32")
HD_ASM1(__nv_rintf, float, "f", float, "f", "cvt.rni.f32.f32")
HD_ASM1(__nv_floor, double, "d", double, "d", "cvt.rmi.f64.f64")
HD_ASM1(__nv_ceil, double, "d", double, "d", "cvt.rpi.f64.f64")
HD_ASM1(__nv_trunc, double, "d", double, "d", "cvt.rzi.f64.f64")
HD_ASM1(__nv_rint, double, "d", double, "d", "cvt.rni.f64.f64")
HD_ASM2(__nv_fmaxf, float, "f", "max.f32")
HD_ASM2(__nv_fminf, float, "f", "min.f32")
HD_ASM2(__nv_fmax, double, "d", "max.f64")
HD_ASM2(__nv_fmin, double, "d", "min.f64")
HD_DEV float __nv_fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
HD_DEV double __nv_fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
HD_DEV float __nv_sqrtf(float a)
{
#if defined(__HEDDLE_FAST_SQRT__)
    float r;
    __asm__("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
    return r;
#else
    return __nv_fsqrt_rn(a);
#endif
}
HD_DEV double __nv_sqrt(double a) { return __nv_dsqrt_rn(a); }
HD_DEV float __nv_rsqrtf(float a) { return __nv_frsqrt_rn_approx(a); }
HD_DEV float __nv_fdimf(float a, float b) { return a <= b ? 0.0f : a - b; }
HD_DEV double __nv_fdim(double a, double b) { return a <= b ? 0.0 : a - b; }
HD_DEV float __nv_roundf(float a)
{
    float t = __nv_truncf(a);

    return __nv_fabsf(a - t) >= 0.5f ? t + __nv_copysignf(1.0f, a) : t;
}
HD_DEV double __nv_round(double a)
{
    double t = __nv_trunc(a);

    return __nv_fabs(a - t) >= 0.5 ? t + __nv_copysign(1.0, a) : t;
}
HD_DEV long long __nv_llrintf(float a) { return __nv_float2ll_rn(a); }
HD_DEV long long __nv_llrint(double a) { return __nv_double2ll_rn(a); }
HD_DEV long long __nv_llroundf(float a) { return __nv_float2ll_rz(__nv_roundf(a)); }
HD_DEV long long __nv_llround(double a) { return __nv_double2ll_rz(__nv_round(a)); }

#endif
