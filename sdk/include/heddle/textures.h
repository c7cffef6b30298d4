// textures.h - fetches through texture objects, and reads and writes through surface objects: one PTX
// instruction each. PTX ISA, "Texture Instructions", "Surface Instructions".
//
// An instruction gives four words; what type they are is part of it, what the program's type makes of
// them is hd_texel. A texture that reads fractions gives floats for texels of integers.
#ifndef HEDDLE_TEXTURES_H
#define HEDDLE_TEXTURES_H

#include "heddle/device.h"

struct hd_words {
    unsigned int x, y, z, w;
};
struct hd_floats {
    float x, y, z, w;
};

// How a texel of the type T comes: as words of a kind (the letter of the constraint and of PTX).
template <class T> struct hd_texel;
#define HD_TEXEL(T, raw_, n, ...)                                                                  \
    template <> struct hd_texel<T> {                                                               \
        typedef raw_ raw;                                                                          \
        static const int channels = n;                                                             \
        static __device__ __inline__ T of(raw r)                                                   \
        {                                                                                          \
            T v = __VA_ARGS__;                                                                     \
            return v;                                                                              \
        }                                                                                          \
    };
#define HD_TEXELS(name, type, raw)                                                                 \
    HD_TEXEL(type, raw, 1, {(type)r.x})                                                            \
    HD_TEXEL(name##1, raw, 1, {(type)r.x})                                                         \
    HD_TEXEL(name##2, raw, 2, {(type)r.x, (type)r.y})                                              \
    HD_TEXEL(name##4, raw, 4, {(type)r.x, (type)r.y, (type)r.z, (type)r.w})
HD_TEXEL(char, hd_words, 1, {(char)r.x})
HD_TEXELS(char, signed char, hd_words)
HD_TEXELS(uchar, unsigned char, hd_words)
HD_TEXELS(short, short, hd_words)
HD_TEXELS(ushort, unsigned short, hd_words)
HD_TEXELS(int, int, hd_words)
HD_TEXELS(uint, unsigned int, hd_words)
HD_TEXELS(float, float, hd_floats)
#undef HD_TEXEL
#undef HD_TEXELS

// hd_fetch_NAME(raw *, texture, coordinates): the instruction for words and for floats.
// `list` is the coordinates as operands, in parentheses.
#define HD_FETCH(name, geometry, coords, at, list, ...)                                           \
    HD_DEV void hd_fetch_##name(hd_words *r, cudaTextureObject_t t, __VA_ARGS__)                   \
    {                                                                                              \
        __asm__ __volatile__("tex." geometry ".v4.u32." coords " {%0, %1, %2, %3}, [%4, " at       \
                             : "=r"(r->x), "=r"(r->y), "=r"(r->z), "=r"(r->w)                      \
                             : "l"(t), HD_LIST list);                                              \
    }                                                                                              \
    HD_DEV void hd_fetch_##name(hd_floats *r, cudaTextureObject_t t, __VA_ARGS__)                  \
    {                                                                                              \
        __asm__ __volatile__("tex." geometry ".v4.f32." coords " {%0, %1, %2, %3}, [%4, " at       \
                             : "=f"(r->x), "=f"(r->y), "=f"(r->z), "=f"(r->w)                      \
                             : "l"(t), HD_LIST list);                                              \
    }
#define HD_LIST(...) __VA_ARGS__
HD_FETCH(line, "1d", "s32", "{%5}];", ("r"(x)), int x)
HD_FETCH(1d, "1d", "f32", "{%5}];", ("f"(x)), float x)
HD_FETCH(2d, "2d", "f32", "{%5, %6}];", ("f"(x), "f"(y)), float x, float y)
HD_FETCH(3d, "3d", "f32", "{%5, %6, %7, %7}];", ("f"(x), "f"(y), "f"(z)), float x, float y, float z)
HD_FETCH(cube, "cube", "f32", "{%5, %6, %7, %7}];", ("f"(x), "f"(y), "f"(z)), float x, float y, float z)
HD_FETCH(a1d, "a1d", "f32", "{%5, %6}];", ("r"(layer), "f"(x)), float x, int layer)
HD_FETCH(a2d, "a2d", "f32", "{%5, %6, %7, %7}];", ("r"(layer), "f"(x), "f"(y)), float x, float y, int layer)
HD_FETCH(acube, "acube", "f32", "{%5, %6, %7, %8}];", ("r"(layer), "f"(x), "f"(y), "f"(z)), float x, float y,
          float z, int layer)
HD_FETCH(lod1d, "level.1d", "f32", "{%5}], %6;", ("f"(x), "f"(level)), float x, float level)
HD_FETCH(lod2d, "level.2d", "f32", "{%5, %6}], %7;", ("f"(x), "f"(y), "f"(level)), float x, float y, float level)
HD_FETCH(lod3d, "level.3d", "f32", "{%5, %6, %7, %7}], %8;", ("f"(x), "f"(y), "f"(z), "f"(level)), float x,
         float y, float z, float level)
HD_FETCH(loda1d, "level.a1d", "f32", "{%5, %6}], %7;", ("r"(layer), "f"(x), "f"(level)), float x, int layer,
         float level)
HD_FETCH(loda2d, "level.a2d", "f32", "{%5, %6, %7, %7}], %8;", ("r"(layer), "f"(x), "f"(y), "f"(level)), float x,
         float y, int layer, float level)
HD_FETCH(lodcube, "level.cube", "f32", "{%5, %6, %7, %7}], %8;", ("f"(x), "f"(y), "f"(z), "f"(level)), float x,
         float y, float z, float level)
HD_FETCH(lodacube, "level.acube", "f32", "{%5, %6, %7, %8}], %9;",
         ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(level)), float x, float y, float z, int layer, float level)
HD_FETCH(grad1d, "grad.1d", "f32", "{%5}], {%6}, {%7};", ("f"(x), "f"(dx), "f"(dy)), float x, float dx, float dy)
HD_FETCH(grad2d, "grad.2d", "f32", "{%5, %6}], {%7, %8}, {%9, %10};",
         ("f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)), float x, float y, float2 dx, float2 dy)
HD_FETCH(grad3d, "grad.3d", "f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13};",
         ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)), float x,
         float y, float z, float4 dx, float4 dy)
HD_FETCH(grada1d, "grad.a1d", "f32", "{%5, %6}], {%7}, {%8};", ("r"(layer), "f"(x), "f"(dx), "f"(dy)), float x,
         int layer, float dx, float dy)
HD_FETCH(grada2d, "grad.a2d", "f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11};",
         ("r"(layer), "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y)), float x, float y, int layer,
         float2 dx, float2 dy)
HD_FETCH(gradcube, "grad.cube", "f32", "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13};",
         ("f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)), float x,
         float y, float z, float4 dx, float4 dy)
HD_FETCH(gradacube, "grad.acube", "f32", "{%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14};",
         ("r"(layer), "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z)),
         float x, float y, float z, int layer, float4 dx, float4 dy)
// The same channel of four neighbours.
#define HD_GATHER(channel)                                                                         \
    HD_DEV void hd_gather_##channel(hd_words *r, cudaTextureObject_t t, float x, float y)          \
    {                                                                                              \
        __asm__ __volatile__("tld4." #channel ".2d.v4.u32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"   \
                             : "=r"(r->x), "=r"(r->y), "=r"(r->z), "=r"(r->w)                      \
                             : "l"(t), "f"(x), "f"(y));                                            \
    }                                                                                              \
    HD_DEV void hd_gather_##channel(hd_floats *r, cudaTextureObject_t t, float x, float y)         \
    {                                                                                              \
        __asm__ __volatile__("tld4." #channel ".2d.v4.f32.f32 {%0, %1, %2, %3}, [%4, {%5, %6}];"   \
                             : "=f"(r->x), "=f"(r->y), "=f"(r->z), "=f"(r->w)                      \
                             : "l"(t), "f"(x), "f"(y));                                            \
    }
HD_GATHER(r)
HD_GATHER(g)
HD_GATHER(b)
HD_GATHER(a)
#undef HD_GATHER
#undef HD_FETCH

// The public forms: a value, or through a pointer.
#define HD_TEXTURE(name, fetch, call, ...)                                                         \
    template <class T> HD_DEV T name(cudaTextureObject_t t, __VA_ARGS__)                           \
    {                                                                                              \
        typename hd_texel<T>::raw r;                                                               \
        hd_fetch_##fetch(&r, t, HD_LIST call);                                                     \
        return hd_texel<T>::of(r);                                                                 \
    }                                                                                              \
    template <class T> HD_DEV void name(T *out, cudaTextureObject_t t, __VA_ARGS__)                \
    {                                                                                              \
        *out = name<T>(t, HD_LIST call);                                                           \
    }
HD_TEXTURE(tex1Dfetch, line, (x), int x)
HD_TEXTURE(tex1D, 1d, (x), float x)
HD_TEXTURE(tex2D, 2d, (x, y), float x, float y)
HD_TEXTURE(tex3D, 3d, (x, y, z), float x, float y, float z)
HD_TEXTURE(texCubemap, cube, (x, y, z), float x, float y, float z)
HD_TEXTURE(tex1DLayered, a1d, (x, layer), float x, int layer)
HD_TEXTURE(tex2DLayered, a2d, (x, y, layer), float x, float y, int layer)
HD_TEXTURE(texCubemapLayered, acube, (x, y, z, layer), float x, float y, float z, int layer)
HD_TEXTURE(tex1DLod, lod1d, (x, level), float x, float level)
HD_TEXTURE(tex2DLod, lod2d, (x, y, level), float x, float y, float level)
HD_TEXTURE(tex3DLod, lod3d, (x, y, z, level), float x, float y, float z, float level)
HD_TEXTURE(tex1DLayeredLod, loda1d, (x, layer, level), float x, int layer, float level)
HD_TEXTURE(tex2DLayeredLod, loda2d, (x, y, layer, level), float x, float y, int layer, float level)
HD_TEXTURE(texCubemapLod, lodcube, (x, y, z, level), float x, float y, float z, float level)
HD_TEXTURE(texCubemapLayeredLod, lodacube, (x, y, z, layer, level), float x, float y, float z, int layer,
           float level)
HD_TEXTURE(tex1DGrad, grad1d, (x, dx, dy), float x, float dx, float dy)
HD_TEXTURE(tex2DGrad, grad2d, (x, y, dx, dy), float x, float y, float2 dx, float2 dy)
HD_TEXTURE(tex3DGrad, grad3d, (x, y, z, dx, dy), float x, float y, float z, float4 dx, float4 dy)
HD_TEXTURE(tex1DLayeredGrad, grada1d, (x, layer, dx, dy), float x, int layer, float dx, float dy)
HD_TEXTURE(tex2DLayeredGrad, grada2d, (x, y, layer, dx, dy), float x, float y, int layer, float2 dx, float2 dy)
HD_TEXTURE(texCubemapGrad, gradcube, (x, y, z, dx, dy), float x, float y, float z, float4 dx, float4 dy)
HD_TEXTURE(texCubemapLayeredGrad, gradacube, (x, y, z, layer, dx, dy), float x, float y, float z, int layer,
           float4 dx, float4 dy)
template <class T> HD_DEV T tex2Dgather(cudaTextureObject_t t, float x, float y, int channel = 0)
{
    typename hd_texel<T>::raw r;

    if (channel == 0)
        hd_gather_r(&r, t, x, y);
    else if (channel == 1)
        hd_gather_g(&r, t, x, y);
    else if (channel == 2)
        hd_gather_b(&r, t, x, y);
    else
        hd_gather_a(&r, t, x, y);
    return hd_texel<T>::of(r);
}
#undef HD_TEXTURE

// --- surfaces: bytes at an offset in bytes; what lies outside by the mode

template <int bytes> struct hd_surface_word;
template <> struct hd_surface_word<1> {
    typedef unsigned char type;
};
template <> struct hd_surface_word<2> {
    typedef unsigned short type;
};
template <> struct hd_surface_word<4> {
    typedef unsigned int type;
};
template <> struct hd_surface_word<8> {
    typedef uint2 type;
};
template <> struct hd_surface_word<16> {
    typedef uint4 type;
};

#define HD_SURFACE_MODES(geometry, at, list, ...)                                                  \
    HD_SURFACE_WIDTHS(geometry, "zero", cudaBoundaryModeZero, at, list, __VA_ARGS__)               \
    HD_SURFACE_WIDTHS(geometry, "clamp", cudaBoundaryModeClamp, at, list, __VA_ARGS__)             \
    HD_SURFACE_WIDTHS(geometry, "trap", cudaBoundaryModeTrap, at, list, __VA_ARGS__)
#define HD_SURFACE_WIDTHS(geometry, mode, m, at, list, ...)                                        \
    HD_SURFACE_ONE(geometry, mode, m, at, list, unsigned char, "b8", "h", unsigned short, __VA_ARGS__) \
    HD_SURFACE_ONE(geometry, mode, m, at, list, unsigned short, "b16", "h", unsigned short, __VA_ARGS__) \
    HD_SURFACE_ONE(geometry, mode, m, at, list, unsigned int, "b32", "r", unsigned int, __VA_ARGS__) \
    HD_DEV void hd_surface_read(hd_mode<m>, uint2 *r, cudaSurfaceObject_t s, __VA_ARGS__)          \
    {                                                                                              \
        __asm__ __volatile__("suld.b." geometry ".v2.b32." mode " {%0, %1}, [%2, " at(3, 4, 5) "];" \
                             : "=r"(r->x), "=r"(r->y) : "l"(s), HD_LIST list : "memory");          \
    }                                                                                              \
    HD_DEV void hd_surface_read(hd_mode<m>, uint4 *r, cudaSurfaceObject_t s, __VA_ARGS__)          \
    {                                                                                              \
        __asm__ __volatile__("suld.b." geometry ".v4.b32." mode " {%0, %1, %2, %3}, [%4, " at(5, 6, 7) "];" \
                             : "=r"(r->x), "=r"(r->y), "=r"(r->z), "=r"(r->w)                      \
                             : "l"(s), HD_LIST list : "memory");                                   \
    }                                                                                              \
    HD_DEV void hd_surface_write(hd_mode<m>, uint2 v, cudaSurfaceObject_t s, __VA_ARGS__)          \
    {                                                                                              \
        __asm__ __volatile__("sust.b." geometry ".v2.b32." mode " [%2, " at(3, 4, 5) "], {%0, %1};" \
                             ::"r"(v.x), "r"(v.y), "l"(s), HD_LIST list : "memory");               \
    }                                                                                              \
    HD_DEV void hd_surface_write(hd_mode<m>, uint4 v, cudaSurfaceObject_t s, __VA_ARGS__)          \
    {                                                                                              \
        __asm__ __volatile__("sust.b." geometry ".v4.b32." mode " [%4, " at(5, 6, 7) "], {%0, %1, %2, %3};" \
                             ::"r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "l"(s), HD_LIST list : "memory"); \
    }
#define HD_SURFACE_ONE(geometry, mode, m, at, list, type, bits, c, reg, ...)                       \
    HD_DEV void hd_surface_read(hd_mode<m>, type *r, cudaSurfaceObject_t s, __VA_ARGS__)           \
    {                                                                                              \
        reg v;                                                                                     \
        __asm__ __volatile__("suld.b." geometry "." bits "." mode " %0, [%1, " at(2, 3, 4) "];"    \
                             : "=" c(v) : "l"(s), HD_LIST list : "memory");                        \
        *r = (type)v;                                                                              \
    }                                                                                              \
    HD_DEV void hd_surface_write(hd_mode<m>, type v, cudaSurfaceObject_t s, __VA_ARGS__)           \
    {                                                                                              \
        __asm__ __volatile__("sust.b." geometry "." bits "." mode " [%1, " at(2, 3, 4) "], %0;"    \
                             ::c((reg)v), "l"(s), HD_LIST list : "memory");                        \
    }
template <int m> struct hd_mode {};
struct hd_at1 {};
struct hd_at2 {};
struct hd_at3 {};
struct hd_at_layer {};
struct hd_at_layers {};
#define HD_AT1(a, b, c) "{%" #a "}"
#define HD_AT2(a, b, c) "{%" #a ", %" #b "}"
#define HD_AT3(a, b, c) "{%" #a ", %" #b ", %" #c ", %" #c "}"
HD_SURFACE_MODES("1d", HD_AT1, ("r"(x)), hd_at1, int x)
HD_SURFACE_MODES("2d", HD_AT2, ("r"(x), "r"(y)), hd_at2, int x, int y)
HD_SURFACE_MODES("3d", HD_AT3, ("r"(x), "r"(y), "r"(z)), hd_at3, int x, int y, int z)
HD_SURFACE_MODES("a1d", HD_AT2, ("r"(layer), "r"(x)), hd_at_layer, int x, int layer)
HD_SURFACE_MODES("a2d", HD_AT3, ("r"(layer), "r"(x), "r"(y)), hd_at_layers, int x, int y, int layer)
#undef HD_SURFACE_MODES
#undef HD_SURFACE_WIDTHS
#undef HD_SURFACE_ONE
#undef HD_AT1
#undef HD_AT2
#undef HD_AT3

#define HD_SURFACE_MODE(f)                                                                         \
    switch (mode) {                                                                                \
    case cudaBoundaryModeZero:                                                                     \
        f(hd_mode<cudaBoundaryModeZero>());                                                        \
        break;                                                                                     \
    case cudaBoundaryModeClamp:                                                                    \
        f(hd_mode<cudaBoundaryModeClamp>());                                                       \
        break;                                                                                     \
    default:                                                                                       \
        f(hd_mode<cudaBoundaryModeTrap>());                                                        \
    }
#define HD_SURFACE(name, kind, call, ...)                                                          \
    template <class T>                                                                             \
    HD_DEV T surf##name##read(cudaSurfaceObject_t s, __VA_ARGS__,                                  \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                 \
    {                                                                                              \
        typename hd_surface_word<sizeof(T)>::type r;                                               \
        T out;                                                                                     \
        HD_SURFACE_MODE([&](auto m) { hd_surface_read(m, &r, s, kind(), HD_LIST call); })          \
        __builtin_memcpy(&out, &r, sizeof out);                                                    \
        return out;                                                                                \
    }                                                                                              \
    template <class T>                                                                             \
    HD_DEV void surf##name##read(T *out, cudaSurfaceObject_t s, __VA_ARGS__,                       \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                                              \
        *out = surf##name##read<T>(s, HD_LIST call, mode);                                         \
    }                                                                                              \
    template <class T>                                                                             \
    HD_DEV void surf##name##write(T v, cudaSurfaceObject_t s, __VA_ARGS__,                         \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)             \
    {                                                                                              \
        typename hd_surface_word<sizeof(T)>::type w;                                               \
        __builtin_memcpy(&w, &v, sizeof v);                                                        \
        HD_SURFACE_MODE([&](auto m) { hd_surface_write(m, w, s, kind(), HD_LIST call); })          \
    }
HD_SURFACE(1D, hd_at1, (x), int x)
HD_SURFACE(2D, hd_at2, (x, y), int x, int y)
HD_SURFACE(3D, hd_at3, (x, y, z), int x, int y, int z)
HD_SURFACE(1DLayered, hd_at_layer, (x, layer), int x, int layer)
HD_SURFACE(2DLayered, hd_at_layers, (x, y, layer), int x, int y, int layer)
HD_SURFACE(Cubemap, hd_at_layers, (x, y, face), int x, int y, int face)
HD_SURFACE(CubemapLayered, hd_at_layers, (x, y, face), int x, int y, int face)
#undef HD_SURFACE
#undef HD_SURFACE_MODE
#undef HD_LIST

#endif
