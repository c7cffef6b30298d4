// corpus.h - what every corpus program includes: where results go and where inputs come from.
//
// A program is CUDA C that three compilers understand: nvcc, clang without NVIDIA's headers
// (clang.h stands in for them) and a host's C++ compiler (host.h runs the threads as coroutines and
// so computes what is expected). Each thread writes a row of words. The kind of a column says how
// it is compared: U32, U64 bit for bit; F16, F32, F64 with at most so many units in the last place
// (0: bit for bit, but a NaN is a NaN); ABS within an absolute error; REL within a relative one.
#ifndef CORPUS_H
#define CORPUS_H

#include <stdint.h>

#define CORPUS_IMAGES 24 // textures of a program, and as many surfaces

#if defined(__NVCC__)
#define ON_DEVICE 1
#include <assert.h>
#include <cuda_fp16.h>
struct images {
    cudaTextureObject_t t[CORPUS_IMAGES];
    cudaSurfaceObject_t s[CORPUS_IMAGES];
};
#elif defined(__CUDA__)
#define ON_DEVICE 1
#include "clang.h"
#else
#define ON_DEVICE 0
#include "host.h"
#endif

#if ON_DEVICE
#define DEVICE static inline __device__ __attribute__((unused))
#define DYNAMIC_SHARED(type, name) extern __shared__ type name[]
struct sink {
    uint32_t *p;
};
DEVICE void put(sink &s, uint32_t v)
{
    *s.p++ = v;
}
#define COLUMN(s, kind, tolerance, line) ((void)0)
#define LAUNCH(kernel, grid, block, dynamic, words)
#define LAUNCH3(kernel, gx, gy, gz, bx, by, bz, dynamic, words)
#define TEXTURE(...)
#define SURFACE(...)
#define IMAGES_PARAMETER , const __grid_constant__ images im
#define IMAGES_ARGUMENT im
#else
#define IMAGES_PARAMETER
#define IMAGES_ARGUMENT corpus_all_images
#define DEVICE static inline __attribute__((unused))
#define DYNAMIC_SHARED(type, name) type *name = (type *)corpus_dynamic_shared()
#endif

DEVICE uint32_t bits_of(float f)
{
    union {
        float f;
        uint32_t u;
    } x;
    x.f = f;
    return x.u;
}

DEVICE uint64_t bits_of(double d)
{
    union {
        double d;
        uint64_t u;
    } x;
    x.d = d;
    return x.u;
}

DEVICE float float_of(uint32_t u)
{
    union {
        float f;
        uint32_t u;
    } x;
    x.u = u;
    return x.f;
}

DEVICE double double_of(uint64_t u)
{
    union {
        double d;
        uint64_t u;
    } x;
    x.u = u;
    return x.d;
}

DEVICE void put64(sink &s, uint64_t v)
{
    put(s, (uint32_t)v);
    put(s, (uint32_t)(v >> 32));
}

// The name `s` is the sink of the body these stand in.
#define U32(v) (COLUMN(s, "u32", 0, __LINE__), put(s, (uint32_t)(v)))
#define U64(v) (COLUMN(s, "u64", 0, __LINE__), put64(s, (uint64_t)(v)))
#define F16(v, ulp) (COLUMN(s, "f16", ulp, __LINE__), put(s, (uint32_t)(uint16_t)(v)))
#define F32(v, ulp) (COLUMN(s, "f32", ulp, __LINE__), put(s, bits_of((float)(v))))
#define F64(v, ulp) (COLUMN(s, "f64", ulp, __LINE__), put64(s, bits_of((double)(v))))
#define ABS(v, error) (COLUMN(s, "abs", error, __LINE__), put(s, bits_of((float)(v))))
#define REL(v, error) (COLUMN(s, "rel", error, __LINE__), put(s, bits_of((float)(v))))

DEVICE uint32_t thread_number(void)
{
    uint32_t block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    uint32_t thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    return block * (blockDim.x * blockDim.y * blockDim.z) + thread;
}

DEVICE sink row_of(uint32_t *out, uint32_t words)
{
    sink s;
    s.p = out + thread_number() * words;
    return s;
}

// A kernel of this shape, its body following.
#define PROGRAM(name, grid, block, words)                                                          \
    static __device__ void name##_body(sink &s);                                                   \
    extern "C" __global__ void name(uint32_t *out)                                                 \
    {                                                                                              \
        sink s = row_of(out, words);                                                               \
        name##_body(s);                                                                            \
    }                                                                                              \
    LAUNCH(name, grid, block, 0, words)                                                            \
    static __device__ void name##_body(sink &s)

// The same with textures im.t[] and surfaces im.s[], each declared before:
//   TEXTURE(number, geometry, format, channels, w, h, d, filter, edge, coordinates, read)
//   SURFACE(number, geometry, format, channels, w, h, d)
// Geometries are those of PTX, and "line" and "pitch" for textures on plain memory; formats u8 to
// f32.
#define PROGRAM_WITH_IMAGES(name, grid, block, words)                                              \
    static __device__ void name##_body(sink &s, const images &im);                                 \
    extern "C" __global__ void name(uint32_t *out IMAGES_PARAMETER)                                \
    {                                                                                              \
        sink s = row_of(out, words);                                                               \
        name##_body(s, IMAGES_ARGUMENT);                                                           \
    }                                                                                              \
    LAUNCH(name, grid, block, 0, words)                                                            \
    static __device__ void name##_body(sink &s, const images &im)

// Input values: draw number k of this thread.
DEVICE uint32_t mix(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

DEVICE uint32_t draw(uint32_t k)
{
    return mix(mix(thread_number() * 977u + 1u) + k * 0x9e3779b9u);
}

DEVICE uint64_t draw64(uint32_t k)
{
    return (uint64_t)draw(k) << 32 | draw(k + 1000u);
}

// Floats between lo and hi, the ends included now and then. No rounding is left to the compiler.
DEVICE float drawf(uint32_t k, float lo, float hi)
{
    return fmaf(hi - lo, (float)(draw(k) >> 8) * 5.9604644775390625e-8f, lo);
}

DEVICE double drawd(uint32_t k, double lo, double hi)
{
    return fma(hi - lo, (double)(draw64(k) >> 11) * 1.1102230246251565e-16, lo);
}

// Any bits, half of the time bits that matter.
DEVICE float anyf(uint32_t k)
{
    uint32_t u = draw(k);
    switch (u % 24) {
    case 0:
        return 0.0f;
    case 1:
        return -0.0f;
    case 2:
        return 1.0f;
    case 3:
        return -1.0f;
    case 4:
        return float_of(0x00000001u); // least subnormal
    case 5:
        return float_of(0x807fffffu); // greatest subnormal, negative
    case 6:
        return float_of(0x00800000u); // least normal
    case 7:
        return float_of(0x7f7fffffu); // greatest
    case 8:
        return float_of(0x7f800000u);
    case 9:
        return float_of(0xff800000u);
    case 10:
        return float_of(0x7fc00000u);
    case 11:
        return 0.5f;
    case 12:
        return 2147483648.0f;
    case 13:
        return -2.5f;
    case 14:
        return float_of(0x4b7fffffu); // 2^24 - 1
    case 15:
        return float_of(0x3f800001u);
    default:
        return float_of(draw(k + 500u));
    }
}

DEVICE double anyd(uint32_t k)
{
    uint32_t u = draw(k);
    switch (u % 24) {
    case 0:
        return 0.0;
    case 1:
        return -0.0;
    case 2:
        return 1.0;
    case 3:
        return -1.0;
    case 4:
        return double_of(1);
    case 5:
        return double_of(0x800fffffffffffffull);
    case 6:
        return double_of(0x0010000000000000ull);
    case 7:
        return double_of(0x7fefffffffffffffull);
    case 8:
        return double_of(0x7ff0000000000000ull);
    case 9:
        return double_of(0xfff0000000000000ull);
    case 10:
        return double_of(0x7ff8000000000000ull);
    case 11:
        return 0.5;
    case 12:
        return 9223372036854775808.0;
    case 13:
        return -2.5;
    case 14:
        return 4503599627370497.5;
    case 15:
        return double_of(0x3ff0000000000001ull);
    default:
        return double_of(draw64(k + 500u));
    }
}

#endif
