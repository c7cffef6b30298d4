// host_images.h - textures and surfaces for host.h, after the CUDA C++ Programming Guide, in
// double.
//
// A plain reading of the Guide: nothing here knows how the emulator does it. Programs use
// coordinates whose places between texels are multiples of 1/64, so that neither float nor the nine
// bits of a filter's weights round anything.
#ifndef CORPUS_HOST_IMAGES_H
#define CORPUS_HOST_IMAGES_H

#include "host_numbers.h"

struct corpus_image {
    const char *geometry, *format; // "2d", "u8"
    unsigned channels, w, h, d;    // h, d: 0 where there is no such dimension
    const char *filter, *edge, *coordinates, *read;
    bool surface;
    std::vector<uint64_t> bits; // of each channel of each texel

    unsigned rows() const
    {
        return h ? h : 1;
    }
    unsigned slices() const
    {
        return d ? d : 1;
    }
    bool is_float() const
    {
        return format[0] == 'f';
    }
    bool normalized() const
    {
        return !strcmp(coordinates, "normalized") || is_cube();
    }
    bool is_cube() const
    {
        return strstr(geometry, "cube") != nullptr;
    }
};
typedef const corpus_image *cudaTextureObject_t;
typedef corpus_image *cudaSurfaceObject_t;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };
struct images {
    cudaTextureObject_t t[CORPUS_IMAGES];
    cudaSurfaceObject_t s[CORPUS_IMAGES];
};
extern images corpus_all_images;

void corpus_register_image(unsigned number, const corpus_image &i); // host.cpp

// A channel as the program gets it.
static inline double corpus_channel(const corpus_image &i, uint64_t bits)
{
    unsigned size = (unsigned)atoi(i.format + 1);
    if (!strcmp(i.format, "f16")) { // only normal numbers are made
        double m = 1 + (double)(bits & 1023) / 1024;
        return (bits & 0x8000 ? -1 : 1) * ldexp(m, (int)(bits >> 10 & 31) - 15);
    }
    if (size == 32 && i.is_float()) {
        float f;
        uint32_t u = (uint32_t)bits;
        memcpy(&f, &u, 4);
        return f;
    }
    bool fraction = !strcmp(i.read, "fraction") && size < 32;
    if (i.format[0] == 'u')
        return fraction ? (double)(float)((double)bits / (double)((1u << size) - 1)) : (double)bits;
    double v = (double)((int64_t)(bits << (64 - size)) >> (64 - size)),
           most = ldexp(1, (int)size - 1) - 1;
    return fraction ? (double)(float)(v < -most ? -1 : v / most) : v;
}

// The place of index i of n; -1: the border.
static inline int corpus_edge(const corpus_image &im, long i, long n)
{
    if (i >= 0 && i < n)
        return (int)i;
    if (!strcmp(im.edge, "border"))
        return -1;
    if (im.normalized() && !strcmp(im.edge, "wrap"))
        return (int)(((i % n) + n) % n);
    if (im.normalized() && !strcmp(im.edge, "mirror")) {
        long m = ((i % (2 * n)) + 2 * n) % (2 * n);
        return (int)(m < n ? m : 2 * n - 1 - m);
    }
    return i < 0 ? 0 : (int)n - 1;
}

struct corpus_colour {
    double c[4];
};

static inline corpus_colour corpus_texel(const corpus_image &im, long x, long y, long z)
{
    corpus_colour v = {{0, 0, 0, 1}};
    int i = corpus_edge(im, x, im.w), j = corpus_edge(im, y, im.rows()),
        k = corpus_edge(im, z, im.slices());

    if (i < 0 || j < 0 || k < 0)
        return {{0, 0, 0, 0}}; // the harness's border
    for (unsigned c = 0; c < im.channels; c++)
        v.c[c] = corpus_channel(
            im, im.bits[((size_t)(k * (int)im.rows() + j) * im.w + i) * im.channels + c]);
    return v;
}

// At (x, y, z) of the first `dims` dimensions; layer is the third index otherwise.
static inline corpus_colour corpus_fetch(const corpus_image &im, unsigned dims, double x, double y,
                                         double z, long layer)
{
    double at[3] = {x, y, z};
    long low[3] = {0, 0, layer};
    double part[3] = {0, 0, 0};
    bool linear = !strcmp(im.filter, "linear");
    unsigned size[3] = {im.w, im.rows(), im.slices()};

    for (unsigned i = 0; i < dims; i++) {
        double v = (im.normalized() ? at[i] * size[i] : at[i]) - (linear ? 0.5 : 0);
        low[i] = (long)floor(v);
        part[i] = linear ? v - floor(v) : 0;
    }
    corpus_colour sum = {{0, 0, 0, 0}};
    for (unsigned corner = 0; corner < (linear ? 1u << dims : 1u); corner++) {
        double weight = 1;
        long p[3] = {low[0], low[1], low[2]};
        for (unsigned i = 0; i < dims; i++) {
            p[i] += corner >> i & 1;
            weight *= corner >> i & 1 ? part[i] : 1 - part[i];
        }
        if (weight == 0)
            continue;
        corpus_colour v = corpus_texel(im, p[0], p[1], p[2]);
        for (int c = 0; c < 4; c++)
            sum.c[c] += weight * v.c[c];
    }
    return sum;
}

static inline long corpus_layer(const corpus_image &im, int layer, int of_each)
{
    int n = (int)im.slices() / of_each;
    return (layer < 0 ? 0 : layer < n ? layer : n - 1) * of_each;
}

// The Guide's table of faces.
static inline corpus_colour corpus_cube(const corpus_image &im, double x, double y, double z,
                                        long first)
{
    double ax = fabs(x), ay = fabs(y), az = fabs(z), m, s, t;
    int face;

    if (ax > ay && ax > az)
        face = x >= 0 ? 0 : 1, m = ax, s = x >= 0 ? -z : z, t = -y;
    else if (ay > ax && ay > az)
        face = y >= 0 ? 2 : 3, m = ay, s = x, t = y >= 0 ? z : -z;
    else
        face = z >= 0 ? 4 : 5, m = az, s = z >= 0 ? x : -x, t = -y;
    return corpus_fetch(im, 2, (s / m + 1) / 2, (t / m + 1) / 2, 0, first + face);
}

template <typename T> struct corpus_as {
    static T of(const corpus_colour &v)
    {
        return (T)v.c[0];
    }
};
#define CORPUS_AS2(T)                                                                              \
    template <> struct corpus_as<T> {                                                              \
        static T of(const corpus_colour &v)                                                        \
        {                                                                                          \
            return {(decltype(T::x))v.c[0], (decltype(T::x))v.c[1]};                               \
        }                                                                                          \
    };
#define CORPUS_AS4(T)                                                                              \
    template <> struct corpus_as<T> {                                                              \
        static T of(const corpus_colour &v)                                                        \
        {                                                                                          \
            return {(decltype(T::x))v.c[0], (decltype(T::x))v.c[1], (decltype(T::x))v.c[2],        \
                    (decltype(T::x))v.c[3]};                                                       \
        }                                                                                          \
    };
// clang-format off
CORPUS_AS2(float2) CORPUS_AS2(short2) CORPUS_AS2(ushort2) CORPUS_AS2(char2) CORPUS_AS2(int2)
CORPUS_AS4(float4) CORPUS_AS4(uchar4) CORPUS_AS4(char4) CORPUS_AS4(ushort4) CORPUS_AS4(uint4)

#define FETCH(name, call, ...)                                                                     \
    template <typename T> static inline T name(cudaTextureObject_t t, __VA_ARGS__)                 \
    {                                                                                              \
        return corpus_as<T>::of(call);                                                             \
    }
FETCH(tex1D, corpus_fetch(*t, 1, x, 0, 0, 0), float x)
FETCH(tex2D, corpus_fetch(*t, 2, x, y, 0, 0), float x, float y)
FETCH(tex3D, corpus_fetch(*t, 3, x, y, z, 0), float x, float y, float z)
FETCH(tex1DLayered, corpus_fetch(*t, 1, x, 0, 0, corpus_layer(*t, l, 1)), float x, int l)
FETCH(tex2DLayered, corpus_fetch(*t, 2, x, y, 0, corpus_layer(*t, l, 1)), float x, float y, int l)
FETCH(texCubemap, corpus_cube(*t, x, y, z, 0), float x, float y, float z)
FETCH(texCubemapLayered, corpus_cube(*t, x, y, z, corpus_layer(*t, l, 6)),
      float x, float y, float z, int l)
// No image has mipmaps.
FETCH(tex2DLod, corpus_fetch(*t, 2, x, y, 0, 0), float x, float y, float)
FETCH(tex2DGrad, corpus_fetch(*t, 2, x, y, 0, 0), float x, float y, float2, float2)
FETCH(tex3DGrad, corpus_fetch(*t, 3, x, y, z, 0), float x, float y, float z, float4, float4)
FETCH(tex2DLayeredGrad, corpus_fetch(*t, 2, x, y, 0, corpus_layer(*t, l, 1)),
      float x, float y, int l, float2, float2)
FETCH(texCubemapLod, corpus_cube(*t, x, y, z, 0), float x, float y, float z, float)
FETCH(texCubemapGrad, corpus_cube(*t, x, y, z, 0), float x, float y, float z, float4, float4)
FETCH(texCubemapLayeredGrad, corpus_cube(*t, x, y, z, corpus_layer(*t, l, 6)),
      float x, float y, float z, int l, float4, float4)
#undef FETCH
    // clang-format on

    template <typename T>
    static inline T tex1Dfetch(cudaTextureObject_t t, int x)
{
    corpus_colour none = {{0, 0, 0, 0}};
    return corpus_as<T>::of(x < 0 || x >= (int)t->w ? none : corpus_texel(*t, x, 0, 0));
}
template <typename T>
static inline T tex2Dgather(cudaTextureObject_t t, float x, float y, int component)
{
    long i = (long)floor((t->normalized() ? (double)x * t->w : x) - 0.5);
    long j = (long)floor((t->normalized() ? (double)y * t->rows() : y) - 0.5);
    return corpus_as<T>::of(
        {{corpus_texel(*t, i, j + 1, 0).c[component],
          corpus_texel(*t, i + 1, j + 1, 0).c[component],
          corpus_texel(*t, i + 1, j, 0).c[component], corpus_texel(*t, i, j, 0).c[component]}});
}

// Surfaces: x is in bytes, elements are as wide as texels here.
template <typename T>
static inline uint64_t *corpus_place(cudaSurfaceObject_t s, int x, int y, int z,
                                     cudaSurfaceBoundaryMode mode)
{
    int last = ((int)s->w - 1) * (int)sizeof(T), rows = (int)s->rows(), slices = (int)s->slices();
    bool in = x >= 0 && x <= last && y >= 0 && y < rows && z >= 0 && z < slices;

    if (!in && mode == cudaBoundaryModeZero)
        return nullptr;
    if (!in && mode == cudaBoundaryModeTrap) {
        fprintf(stderr, "outside the surface\n");
        exit(1);
    }
    x = x < 0 ? 0 : x > last ? last : x;
    y = y < 0 ? 0 : y >= rows ? rows - 1 : y;
    z = z < 0 ? 0 : z >= slices ? slices - 1 : z;
    return &s->bits[((size_t)(z * rows + y) * s->w + (unsigned)x / sizeof(T)) * s->channels];
}
template <typename T>
static inline T corpus_surf_read(cudaSurfaceObject_t s, int x, int y, int z,
                                 cudaSurfaceBoundaryMode mode)
{
    const uint64_t *p = corpus_place<T>(s, x, y, z, mode);
    unsigned bytes = sizeof(T) / s->channels;
    T v;

    memset(&v, 0, sizeof v);
    for (unsigned c = 0; p && c < s->channels; c++)
        memcpy((char *)&v + c * bytes, &p[c], bytes);
    return v;
}
template <typename T>
static inline void corpus_surf_write(T v, cudaSurfaceObject_t s, int x, int y, int z,
                                     cudaSurfaceBoundaryMode mode)
{
    uint64_t *p = corpus_place<T>(s, x, y, z, mode);
    unsigned bytes = sizeof(T) / s->channels;

    for (unsigned c = 0; p && c < s->channels; c++) {
        p[c] = 0;
        memcpy(&p[c], (const char *)&v + c * bytes, bytes);
    }
}
// Name, place, and how the place is written in C.
#define ACCESS(name, x, y, z, ...)                                                                 \
    template <typename T>                                                                          \
    static inline T surf##name##read(cudaSurfaceObject_t s, __VA_ARGS__,                           \
                                     cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)          \
    {                                                                                              \
        return corpus_surf_read<T>(s, x, y, z, mode);                                              \
    }                                                                                              \
    template <typename T>                                                                          \
    static inline void surf##name##write(T v, cudaSurfaceObject_t s, __VA_ARGS__,                  \
                                         cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)      \
    {                                                                                              \
        corpus_surf_write<T>(v, s, x, y, z, mode);                                                 \
    }
// clang-format off
ACCESS(1D, x, 0, 0, int x)
ACCESS(2D, x, y, 0, int x, int y)
ACCESS(3D, x, y, z, int x, int y, int z)
ACCESS(1DLayered, x, 0, layer, int x, int layer)
ACCESS(2DLayered, x, y, layer, int x, int y, int layer)
ACCESS(Cubemap, x, y, face, int x, int y, int face)
ACCESS(CubemapLayered, x, y, face, int x, int y, int face)
// clang-format on
#undef ACCESS

#endif
