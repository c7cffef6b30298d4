// references.h - texture and surface references, as programs before CUDA 12 declare them:
// texture<float, 2>, cudaBindTexture, tex2D(reference, x, y). To the device a reference is a handle.
#ifndef HEDDLE_REFERENCES_H
#define HEDDLE_REFERENCES_H

#include "heddle/textures.h"

template <class T, int kind = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __device_builtin_texture_type__ texture : public textureReference {
    __host__ texture(int fractions = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                     cudaTextureAddressMode address = cudaAddressModeClamp)
        : texture(fractions, filter, address, cudaCreateChannelDesc<T>())
    {
    }
    __host__ texture(int fractions, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                     cudaChannelFormatDesc channels)
        : textureReference()
    {
        normalized = fractions;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
        channelDesc = channels;
    }
};
template <class T, int kind = cudaSurfaceType1D>
struct __device_builtin_surface_type__ surface : public surfaceReference {
    __host__ surface() : surfaceReference() { channelDesc = cudaCreateChannelDesc<T>(); }
};
template <int kind> struct __device_builtin_surface_type__ surface<void, kind> : public surfaceReference {
    __host__ surface() : surfaceReference() {}
};

// --- fetches

// What a fetch gives: the texel, or fractions of as many channels.
template <int channels> struct hd_fractions;
template <> struct hd_fractions<1> {
    typedef float type;
};
template <> struct hd_fractions<2> {
    typedef float2 type;
};
template <> struct hd_fractions<4> {
    typedef float4 type;
};
template <class T, cudaTextureReadMode mode> struct hd_fetched {
    typedef T type;
};
template <class T> struct hd_fetched<T, cudaReadModeNormalizedFloat> {
    typedef typename hd_fractions<hd_texel<T>::channels>::type type;
};
template <class T> HD_DEV unsigned long long hd_handle(T reference)
{
    unsigned long long h;

    __asm__("mov.b64 %0, %1;" : "=l"(h) : "l"(reference));
    return h;
}
#define HD_REFERENCE(name, kind, call, ...)                                                        \
    template <class T, cudaTextureReadMode m>                                                      \
    HD_DEV typename hd_fetched<T, m>::type name(texture<T, kind, m> t, __VA_ARGS__)                \
    {                                                                                              \
        return name<typename hd_fetched<T, m>::type>(hd_handle(t), HD_REST call);                  \
    }
#define HD_REST(...) __VA_ARGS__
HD_REFERENCE(tex1Dfetch, cudaTextureType1D, (x), int x)
HD_REFERENCE(tex1D, cudaTextureType1D, (x), float x)
HD_REFERENCE(tex2D, cudaTextureType2D, (x, y), float x, float y)
HD_REFERENCE(tex3D, cudaTextureType3D, (x, y, z), float x, float y, float z)
HD_REFERENCE(texCubemap, cudaTextureTypeCubemap, (x, y, z), float x, float y, float z)
HD_REFERENCE(tex1DLayered, cudaTextureType1DLayered, (x, layer), float x, int layer)
HD_REFERENCE(tex2DLayered, cudaTextureType2DLayered, (x, y, layer), float x, float y, int layer)
#undef HD_REFERENCE

#define HD_SURFACE_REFERENCE(name, kind, call, ...)                                                \
    template <class T, class S>                                                                    \
    HD_DEV T surf##name##read(surface<S, kind> s, __VA_ARGS__,                                     \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                 \
    {                                                                                              \
        return surf##name##read<T>((cudaSurfaceObject_t)hd_handle(s), HD_REST call, mode);         \
    }                                                                                              \
    template <class T, class S>                                                                    \
    HD_DEV void surf##name##read(T *out, surface<S, kind> s, __VA_ARGS__,                          \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)              \
    {                                                                                              \
        *out = surf##name##read<T>((cudaSurfaceObject_t)hd_handle(s), HD_REST call, mode);         \
    }                                                                                              \
    template <class T, class S>                                                                    \
    HD_DEV void surf##name##write(T v, surface<S, kind> s, __VA_ARGS__,                            \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)             \
    {                                                                                              \
        surf##name##write(v, (cudaSurfaceObject_t)hd_handle(s), HD_REST call, mode);               \
    }
HD_SURFACE_REFERENCE(1D, cudaSurfaceType1D, (x), int x)
HD_SURFACE_REFERENCE(2D, cudaSurfaceType2D, (x, y), int x, int y)
HD_SURFACE_REFERENCE(3D, cudaSurfaceType3D, (x, y, z), int x, int y, int z)
#undef HD_SURFACE_REFERENCE
#undef HD_REST

// --- binding, on the host

template <class T, int k, cudaTextureReadMode m>
HD_API cudaBindTexture(size_t *offset, const texture<T, k, m> &t, const void *memory,
                       const cudaChannelFormatDesc &channels, size_t bytes = UINT_MAX)
{
    return ::cudaBindTexture(offset, &t, memory, &channels, bytes);
}
template <class T, int k, cudaTextureReadMode m>
HD_API cudaBindTexture(size_t *offset, const texture<T, k, m> &t, const void *memory,
                       size_t bytes = UINT_MAX)
{
    return ::cudaBindTexture(offset, &t, memory, &t.channelDesc, bytes);
}
template <class T, int k, cudaTextureReadMode m>
HD_API cudaBindTexture2D(size_t *offset, const texture<T, k, m> &t, const void *memory,
                         const cudaChannelFormatDesc &channels, size_t width, size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &t, memory, &channels, width, height, pitch);
}
template <class T, int k, cudaTextureReadMode m>
HD_API cudaBindTexture2D(size_t *offset, const texture<T, k, m> &t, const void *memory, size_t width,
                         size_t height, size_t pitch)
{
    return ::cudaBindTexture2D(offset, &t, memory, &t.channelDesc, width, height, pitch);
}
template <class T, int k, cudaTextureReadMode m>
HD_API cudaBindTextureToArray(const texture<T, k, m> &t, cudaArray_const_t array,
                              const cudaChannelFormatDesc &channels)
{
    return ::cudaBindTextureToArray(&t, (cudaArray_t)(uintptr_t)array, &channels);
}
template <class T, int k, cudaTextureReadMode m>
HD_API cudaBindTextureToArray(const texture<T, k, m> &t, cudaArray_const_t array)
{
    cudaChannelFormatDesc channels;
    cudaError_t e = ::cudaGetChannelDesc(&channels, (cudaArray_t)(uintptr_t)array);

    return e == cudaSuccess ? cudaBindTextureToArray(t, array, channels) : e;
}
template <class T, int k, cudaTextureReadMode m> HD_API cudaUnbindTexture(const texture<T, k, m> &t)
{
    return ::cudaUnbindTexture(&t);
}
template <class T, int k, cudaTextureReadMode m>
HD_API cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, k, m> &t)
{
    return ::cudaGetTextureAlignmentOffset(offset, &t);
}
template <class T, int k> HD_API cudaBindSurfaceToArray(const surface<T, k> &s, cudaArray_const_t array)
{
    cudaChannelFormatDesc channels;
    cudaError_t e = ::cudaGetChannelDesc(&channels, (cudaArray_t)(uintptr_t)array);

    return e == cudaSuccess ? ::cudaBindSurfaceToArray(&s, (cudaArray_t)(uintptr_t)array, &channels) : e;
}
template <class T, int k>
HD_API cudaBindSurfaceToArray(const surface<T, k> &s, cudaArray_const_t array,
                              const cudaChannelFormatDesc &channels)
{
    return ::cudaBindSurfaceToArray(&s, (cudaArray_t)(uintptr_t)array, &channels);
}

#endif
