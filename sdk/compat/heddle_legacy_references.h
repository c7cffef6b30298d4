// heddle_legacy_references.h - texture and surface references for CUDA 12 and later, whose compilers no
// longer know them: texture<float, 2>, cudaBindTexture, tex2D(reference, x, y). heddle_legacy.h
// includes it where HEDDLE_LEGACY_REFERENCES is defined, which bin/nvcc does for programs that need it.
//
// A reference becomes a variable in constant memory, so that kernels can use it by its name. Binding
// creates a texture or surface object with the reference's settings, and writes the object's handle to
// this variable. From here on the words `texture` and `surface` are macros: nothing else may have these
// names, and no function may have a reference as its parameter.
#ifndef HEDDLE_LEGACY_REFERENCES_H
#define HEDDLE_LEGACY_REFERENCES_H

#include <stddef.h>

// How many channels a texel has, and of which type.
template <class T> struct heddle_channel {
    typedef T type;
    static const size_t count = 1;
};
#define HEDDLE_LEGACY_VECTOR(name, base, n)                                                        \
    template <> struct heddle_channel<name> {                                                      \
        typedef base type;                                                                         \
        static const size_t count = n;                                                             \
    };
#define HEDDLE_LEGACY_VECTORS(name, base)                                                          \
    HEDDLE_LEGACY_VECTOR(name##1, base, 1)                                                         \
    HEDDLE_LEGACY_VECTOR(name##2, base, 2)                                                         \
    HEDDLE_LEGACY_VECTOR(name##4, base, 4)
HEDDLE_LEGACY_VECTORS(char, signed char)
HEDDLE_LEGACY_VECTORS(uchar, unsigned char)
HEDDLE_LEGACY_VECTORS(short, short)
HEDDLE_LEGACY_VECTORS(ushort, unsigned short)
HEDDLE_LEGACY_VECTORS(int, int)
HEDDLE_LEGACY_VECTORS(uint, unsigned int)
HEDDLE_LEGACY_VECTORS(float, float)
#undef HEDDLE_LEGACY_VECTORS
#undef HEDDLE_LEGACY_VECTOR

// The same as cudaCreateChannelDesc<T>(), which the initial value of a variable in constant memory may
// not call.
template <class T> __host__ __device__ constexpr cudaChannelFormatDesc heddle_channels()
{
    typedef typename heddle_channel<T>::type channel;
    const int n = heddle_channel<T>::count, bits = 8 * sizeof(channel);

    return cudaChannelFormatDesc{bits, n > 1 ? bits : 0, n > 2 ? bits : 0, n > 3 ? bits : 0,
                                 channel(1) / channel(2) != channel(0) ? cudaChannelFormatKindFloat
                                 : channel(-1) < channel(0)            ? cudaChannelFormatKindSigned
                                                                       : cudaChannelFormatKindUnsigned};
}

struct textureReference {
    int normalized;
    enum cudaTextureFilterMode filterMode;
    enum cudaTextureAddressMode addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned int maxAnisotropy;
    enum cudaTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    enum cudaTextureReadMode heddle_mode;
    size_t heddle_offset; // from the object's start to what was bound, in bytes
    cudaTextureObject_t heddle_object;

    __host__ __device__ constexpr textureReference(int fractions, cudaTextureFilterMode filter,
                                                   cudaTextureAddressMode address,
                                                   cudaChannelFormatDesc channels, cudaTextureReadMode mode)
        : normalized(fractions), filterMode(filter), addressMode{address, address, address},
          channelDesc(channels), sRGB(0), maxAnisotropy(0), mipmapFilterMode(cudaFilterModePoint),
          mipmapLevelBias(0), minMipmapLevelClamp(0), maxMipmapLevelClamp(0), heddle_mode(mode),
          heddle_offset(0), heddle_object(0)
    {
    }
};

template <class T, int kind = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct heddle_texture : textureReference {
    __host__ __device__ constexpr heddle_texture(
        int fractions = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
        cudaTextureAddressMode address = cudaAddressModeClamp,
        cudaChannelFormatDesc channels = heddle_channels<T>())
        : textureReference(fractions, filter, address, channels, mode)
    {
    }
};

struct surfaceReference {
    struct cudaChannelFormatDesc channelDesc;
    cudaSurfaceObject_t heddle_object;

    __host__ __device__ constexpr surfaceReference(cudaChannelFormatDesc channels)
        : channelDesc(channels), heddle_object(0)
    {
    }
};

template <class T, int kind = cudaSurfaceType1D> struct heddle_surface : surfaceReference {
    __host__ __device__ constexpr heddle_surface() : surfaceReference(heddle_channels<T>()) {}
};
template <int kind> struct heddle_surface<void, kind> : surfaceReference {
    __host__ __device__ constexpr heddle_surface()
        : surfaceReference(cudaChannelFormatDesc{0, 0, 0, 0, cudaChannelFormatKindNone})
    {
    }
};

// --- fetches

// What a fetch gives: the texel, or fractions of as many channels.
template <class T, cudaTextureReadMode mode> struct heddle_fetched {
    typedef T type;
};
template <size_t channels> struct heddle_fractions;
template <> struct heddle_fractions<1> {
    typedef float type;
};
template <> struct heddle_fractions<2> {
    typedef float2 type;
};
template <> struct heddle_fractions<4> {
    typedef float4 type;
};
template <class T> struct heddle_fetched<T, cudaReadModeNormalizedFloat> {
    typedef typename heddle_fractions<heddle_channel<T>::count>::type type;
};

#define HEDDLE_LEGACY_REST(...) __VA_ARGS__
#define HEDDLE_LEGACY_FETCH(name, kind, call, ...)                                                 \
    template <class T, cudaTextureReadMode m>                                                      \
    static __device__ __forceinline__ typename heddle_fetched<T, m>::type name(                    \
        const heddle_texture<T, kind, m> &t, __VA_ARGS__)                                          \
    {                                                                                              \
        return name<typename heddle_fetched<T, m>::type>(t.heddle_object, HEDDLE_LEGACY_REST call); \
    }
HEDDLE_LEGACY_FETCH(tex1Dfetch, cudaTextureType1D, (x), int x)
HEDDLE_LEGACY_FETCH(tex1D, cudaTextureType1D, (x), float x)
HEDDLE_LEGACY_FETCH(tex2D, cudaTextureType2D, (x, y), float x, float y)
HEDDLE_LEGACY_FETCH(tex3D, cudaTextureType3D, (x, y, z), float x, float y, float z)
HEDDLE_LEGACY_FETCH(texCubemap, cudaTextureTypeCubemap, (x, y, z), float x, float y, float z)
HEDDLE_LEGACY_FETCH(tex1DLayered, cudaTextureType1DLayered, (x, layer), float x, int layer)
HEDDLE_LEGACY_FETCH(tex2DLayered, cudaTextureType2DLayered, (x, y, layer), float x, float y, int layer)
#undef HEDDLE_LEGACY_FETCH

#define HEDDLE_LEGACY_SURFACE(name, kind, call, ...)                                               \
    template <class T, class S>                                                                    \
    static __device__ __forceinline__ T surf##name##read(                                          \
        const heddle_surface<S, kind> &s, __VA_ARGS__,                                             \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                       \
    {                                                                                              \
        return surf##name##read<T>(s.heddle_object, HEDDLE_LEGACY_REST call, mode);                \
    }                                                                                              \
    template <class T, class S>                                                                    \
    static __device__ __forceinline__ void surf##name##read(                                       \
        T *out, const heddle_surface<S, kind> &s, __VA_ARGS__,                                     \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                       \
    {                                                                                              \
        *out = surf##name##read<T>(s.heddle_object, HEDDLE_LEGACY_REST call, mode);                \
    }                                                                                              \
    template <class T, class S>                                                                    \
    static __device__ __forceinline__ void surf##name##write(                                      \
        T value, const heddle_surface<S, kind> &s, __VA_ARGS__,                                    \
        cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                                       \
    {                                                                                              \
        surf##name##write(value, s.heddle_object, HEDDLE_LEGACY_REST call, mode);                  \
    }
HEDDLE_LEGACY_SURFACE(1D, cudaSurfaceType1D, (x), int x)
HEDDLE_LEGACY_SURFACE(2D, cudaSurfaceType2D, (x, y), int x, int y)
HEDDLE_LEGACY_SURFACE(3D, cudaSurfaceType3D, (x, y, z), int x, int y, int z)
#undef HEDDLE_LEGACY_SURFACE
#undef HEDDLE_LEGACY_REST

// --- binding, on the host

// Creates an object and writes its handle to the device. `reference` is the host's copy of the variable;
// its address also identifies the variable to the runtime. Kernels that were launched before have ended
// when the handle is written.
static inline cudaError_t heddle_legacy_bind(const textureReference *reference, const cudaResourceDesc &resource)
{
    textureReference *t = const_cast<textureReference *>(reference);
    cudaTextureDesc d = {};
    cudaTextureObject_t made = 0;

    for (int i = 0; i < 3; i++)
        d.addressMode[i] = t->addressMode[i];
    d.filterMode = t->filterMode;
    d.readMode = t->heddle_mode;
    d.sRGB = t->sRGB;
    d.normalizedCoords = t->normalized;
    d.maxAnisotropy = t->maxAnisotropy;
    cudaError_t status = cudaCreateTextureObject(&made, &resource, &d, 0);
    if (status == cudaSuccess)
        status = cudaMemcpyToSymbol(static_cast<const void *>(t), &made, sizeof made,
                                    offsetof(textureReference, heddle_object));
    if (status != cudaSuccess)
        return status;
    if (t->heddle_object)
        cudaDestroyTextureObject(t->heddle_object);
    t->heddle_object = made;
    t->heddle_offset = 0;
    return cudaSuccess;
}

// Finds the aligned address at which the object for the memory at `at` must begin, and how many bytes
// lie between the two. It is an error if there are any and the caller gave no `offset` to receive them.
static inline cudaError_t heddle_legacy_start(const void *at, const size_t *offset, void **start, size_t *before)
{
    int device = 0, alignment = 1;
    cudaError_t status = cudaGetDevice(&device);

    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&alignment, cudaDevAttrTextureAlignment, device);
    *before = reinterpret_cast<size_t>(at) % static_cast<size_t>(alignment);
    *start = static_cast<char *>(const_cast<void *>(at)) - *before;
    return status == cudaSuccess && *before && !offset ? cudaErrorInvalidValue : status;
}

// The bytes from `at` to the end of its allocation, if they are fewer than `bytes`.
static inline size_t heddle_legacy_bytes(const void *at, size_t bytes)
{
    typedef int range_of(unsigned long long *base, size_t *size, unsigned long long address);
    void *found = 0;
    cudaDriverEntryPointQueryResult result;
    unsigned long long base = 0, address = reinterpret_cast<unsigned long long>(at);
    size_t size = 0;

    if (cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &found, 12000, cudaEnableDefault,
                                         &result) != cudaSuccess ||
        !found || reinterpret_cast<range_of *>(found)(&base, &size, address))
        return bytes;
    size_t left = static_cast<size_t>(base + size - address);
    return left < bytes ? left : bytes;
}

static inline cudaError_t cudaBindTexture(size_t *offset, const textureReference *t, const void *memory,
                                          const cudaChannelFormatDesc *channels, size_t bytes = 0xffffffffu)
{
    cudaResourceDesc r = {};
    size_t before;
    cudaError_t status = heddle_legacy_start(memory, offset, &r.res.linear.devPtr, &before);

    if (status != cudaSuccess)
        return status;
    r.resType = cudaResourceTypeLinear;
    r.res.linear.desc = *channels;
    r.res.linear.sizeInBytes = before + heddle_legacy_bytes(memory, bytes);
    status = heddle_legacy_bind(t, r);
    const_cast<textureReference *>(t)->heddle_offset = before;
    if (offset)
        *offset = before;
    return status;
}

static inline cudaError_t cudaBindTexture2D(size_t *offset, const textureReference *t, const void *memory,
                                            const cudaChannelFormatDesc *channels, size_t width,
                                            size_t height, size_t pitch)
{
    cudaResourceDesc r = {};
    size_t before;
    int bytes = (channels->x + channels->y + channels->z + channels->w) / 8;
    cudaError_t status = heddle_legacy_start(memory, offset, &r.res.pitch2D.devPtr, &before);

    if (status != cudaSuccess || bytes < 1)
        return bytes < 1 ? cudaErrorInvalidChannelDescriptor : status;
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D.desc = *channels;
    r.res.pitch2D.width = width + before / static_cast<size_t>(bytes);
    r.res.pitch2D.height = height;
    r.res.pitch2D.pitchInBytes = pitch;
    status = heddle_legacy_bind(t, r);
    const_cast<textureReference *>(t)->heddle_offset = before;
    if (offset)
        *offset = before;
    return status;
}

// An array knows its channels; those that are named must be the same.
static inline cudaError_t heddle_legacy_array(cudaArray_const_t array, const cudaChannelFormatDesc *channels,
                                              cudaResourceDesc *r)
{
    cudaChannelFormatDesc its;
    cudaError_t status = cudaGetChannelDesc(&its, array);

    r->resType = cudaResourceTypeArray;
    r->res.array.array = const_cast<cudaArray_t>(array);
    if (status != cudaSuccess || !channels)
        return status;
    return its.x == channels->x && its.y == channels->y && its.z == channels->z && its.w == channels->w &&
                   its.f == channels->f
               ? cudaSuccess
               : cudaErrorInvalidChannelDescriptor;
}

static inline cudaError_t cudaBindTextureToArray(const textureReference *t, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *channels)
{
    cudaResourceDesc r = {};
    cudaError_t status = heddle_legacy_array(array, channels, &r);

    return status == cudaSuccess ? heddle_legacy_bind(t, r) : status;
}

static inline cudaError_t cudaUnbindTexture(const textureReference *reference)
{
    textureReference *t = const_cast<textureReference *>(reference);
    cudaTextureObject_t none = 0;

    if (!t->heddle_object)
        return cudaSuccess;
    cudaError_t status = cudaMemcpyToSymbol(static_cast<const void *>(t), &none, sizeof none,
                                            offsetof(textureReference, heddle_object));
    if (status == cudaSuccess)
        status = cudaDestroyTextureObject(t->heddle_object);
    t->heddle_object = 0;
    return status;
}

static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const textureReference *t)
{
    *offset = t->heddle_offset;
    return t->heddle_object ? cudaSuccess : cudaErrorInvalidTextureBinding;
}

static inline cudaError_t cudaGetTextureReference(const textureReference **t, const void *symbol)
{
    void *where;

    *t = static_cast<const textureReference *>(symbol);
    return cudaGetSymbolAddress(&where, symbol) == cudaSuccess ? cudaSuccess : cudaErrorInvalidTexture;
}

static inline cudaError_t cudaBindSurfaceToArray(const surfaceReference *reference, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc *channels)
{
    surfaceReference *s = const_cast<surfaceReference *>(reference);
    cudaResourceDesc r = {};
    cudaSurfaceObject_t made = 0;
    cudaError_t status = heddle_legacy_array(array, channels, &r);

    if (status == cudaSuccess)
        status = cudaCreateSurfaceObject(&made, &r);
    if (status == cudaSuccess)
        status = cudaMemcpyToSymbol(static_cast<const void *>(s), &made, sizeof made,
                                    offsetof(surfaceReference, heddle_object));
    if (status != cudaSuccess)
        return status;
    if (s->heddle_object)
        cudaDestroySurfaceObject(s->heddle_object);
    s->heddle_object = made;
    return cudaSuccess;
}

static inline cudaError_t cudaGetSurfaceReference(const surfaceReference **s, const void *symbol)
{
    void *where;

    *s = static_cast<const surfaceReference *>(symbol);
    return cudaGetSymbolAddress(&where, symbol) == cudaSuccess ? cudaSuccess : cudaErrorInvalidSurface;
}

// The same with the reference itself, which knows its channels.
template <class T, int k, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t *offset, const heddle_texture<T, k, m> &t, const void *memory,
                                          const cudaChannelFormatDesc &channels, size_t bytes = 0xffffffffu)
{
    return cudaBindTexture(offset, &t, memory, &channels, bytes);
}

template <class T, int k, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t *offset, const heddle_texture<T, k, m> &t, const void *memory,
                                          size_t bytes = 0xffffffffu)
{
    return cudaBindTexture(offset, t, memory, t.channelDesc, bytes);
}

template <class T, int k, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const heddle_texture<T, k, m> &t,
                                            const void *memory, const cudaChannelFormatDesc &channels,
                                            size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, &t, memory, &channels, width, height, pitch);
}

template <class T, int k, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const heddle_texture<T, k, m> &t,
                                            const void *memory, size_t width, size_t height, size_t pitch)
{
    return cudaBindTexture2D(offset, t, memory, t.channelDesc, width, height, pitch);
}

template <class T, int k, cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const heddle_texture<T, k, m> &t, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &channels)
{
    return cudaBindTextureToArray(&t, array, &channels);
}

template <class T, int k, cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const heddle_texture<T, k, m> &t, cudaArray_const_t array)
{
    return cudaBindTextureToArray(&t, array, static_cast<const cudaChannelFormatDesc *>(0));
}

template <class T, int k, cudaTextureReadMode m>
static inline cudaError_t cudaUnbindTexture(const heddle_texture<T, k, m> &t)
{
    return cudaUnbindTexture(&t);
}

template <class T, int k, cudaTextureReadMode m>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const heddle_texture<T, k, m> &t)
{
    return cudaGetTextureAlignmentOffset(offset, &t);
}

template <class S, int k>
static inline cudaError_t cudaBindSurfaceToArray(const heddle_surface<S, k> &s, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &channels)
{
    return cudaBindSurfaceToArray(&s, array, &channels);
}

template <class S, int k>
static inline cudaError_t cudaBindSurfaceToArray(const heddle_surface<S, k> &s, cudaArray_const_t array)
{
    return cudaBindSurfaceToArray(&s, array, static_cast<const cudaChannelFormatDesc *>(0));
}

// Programs change a reference's settings on the host. Today's compiler would warn of that.
#pragma nv_diag_suppress 20091, 20092, 20093
#define texture __constant__ heddle_texture
#define surface __constant__ heddle_surface

#endif
