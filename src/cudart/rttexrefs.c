// rttexrefs.c - texture and surface references of the language before CUDA 12: texture<float, 2> t.
//
// The reference's fields (filter, addressing, normalized coordinates) are read when something is
// bound to it; whether integers are read as fractions was given at registration.
#include "cudart/registration.h"
#include "cudart/rtarrays.h"
#include "cudart/session.h"

#if HD_CUDART < 12
#define ALIGN 256 // of a texture in memory, as cudaDeviceProp says

static cudaError_t find(const void *host, CUtexref *out, struct hd_reference **reference)
{
    CUmodule m;
    cudaError_t e = hd_registration_reference(host, &m, reference);

    if (e == cudaSuccess && cuModuleGetTexRef(out, m, (*reference)->name) != CUDA_SUCCESS)
        e = cudaErrorInvalidTexture;
    return e;
}

static CUresult sample(CUtexref t, const struct textureReference *from, int fractions)
{
    unsigned flags = (fractions ? 0U : CU_TRSF_READ_AS_INTEGER) |
                     (from->normalized ? CU_TRSF_NORMALIZED_COORDINATES : 0U) |
                     (from->sRGB ? CU_TRSF_SRGB : 0U);
    CUresult r = cuTexRefSetFlags(t, flags);

    for (int i = 0; i < 3 && r == CUDA_SUCCESS; i++)
        r = cuTexRefSetAddressMode(t, i, (CUaddress_mode)from->addressMode[i]);
    if (r == CUDA_SUCCESS)
        r = cuTexRefSetFilterMode(t, (CUfilter_mode)from->filterMode);
    if (r == CUDA_SUCCESS)
        r = cuTexRefSetMaxAnisotropy(t, from->maxAnisotropy);
    return r;
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference,
                            const void *memory, const struct cudaChannelFormatDesc *channels,
                            size_t bytes)
{
    CUarray_format format;
    unsigned n;
    struct hd_reference *known;
    CUtexref t;

    HD_RT_ENTER();
    if (!channels || !hd_rtarrays_format(channels, &format, &n))
        return hd_session_note(cudaErrorInvalidChannelDescriptor);
    cudaError_t e = find(reference, &t, &known);
    if (e != cudaSuccess)
        return hd_session_note(e);
    CUresult r = memory ? cuTexRefSetFormat(t, format, (int)n) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        r = sample(t, reference, known->fractions);
    if (r == CUDA_SUCCESS)
        r = cuTexRefSetAddress(offset, t, (CUdeviceptr)(uintptr_t)memory, bytes);
    known->offset = (uintptr_t)memory % ALIGN;
    return hd_session_note(r);
}

// If the address is above an aligned one, rows begin earlier by so many texels.
cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference,
                              const void *memory, const struct cudaChannelFormatDesc *channels,
                              size_t width, size_t height, size_t pitch)
{
    CUDA_ARRAY_DESCRIPTOR shape = {.Height = height};
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)memory;
    size_t above = address % ALIGN, texel;
    struct hd_reference *known;
    CUtexref t;

    HD_RT_ENTER();
    if (!channels || !hd_rtarrays_format(channels, &shape.Format, &shape.NumChannels))
        return hd_session_note(cudaErrorInvalidChannelDescriptor);
    texel = (size_t)channels->x / 8 * shape.NumChannels;
    if (!memory || !texel || (above && (!offset || above % texel)))
        return hd_session_note(cudaErrorInvalidValue);
    cudaError_t e = find(reference, &t, &known);
    if (e != cudaSuccess)
        return hd_session_note(e);
    shape.Width = width + above / texel;
    known->offset = above;
    if (offset)
        *offset = above;
    CUresult r = sample(t, reference, known->fractions);
    if (r == CUDA_SUCCESS)
        r = cuTexRefSetAddress2D(t, &shape, address - above, pitch);
    return hd_session_note(r);
}

// Whether the array's texels have this format.
static bool matches(const struct cudaChannelFormatDesc *asked, cudaArray_t array)
{
    struct cudaChannelFormatDesc d;

    return asked && cudaGetChannelDesc(&d, array) == cudaSuccess && d.x == asked->x &&
           d.y == asked->y && d.z == asked->z && d.w == asked->w && d.f == asked->f;
}

cudaError_t cudaBindTextureToArray(const struct textureReference *reference, cudaArray_t array,
                                   const struct cudaChannelFormatDesc *channels)
{
    struct hd_reference *known;
    CUtexref t;

    HD_RT_ENTER();
    if (!array)
        return hd_session_note(cudaErrorInvalidResourceHandle);
    if (!matches(channels, array))
        return hd_session_note(cudaErrorInvalidChannelDescriptor);
    cudaError_t e = find(reference, &t, &known);
    if (e != cudaSuccess)
        return hd_session_note(e);
    CUresult r = sample(t, reference, known->fractions);
    if (r == CUDA_SUCCESS)
        r = cuTexRefSetArray(t, array, CU_TRSA_OVERRIDE_FORMAT);
    known->offset = 0;
    return hd_session_note(r);
}

cudaError_t cudaUnbindTexture(const struct textureReference *reference)
{
    struct hd_reference *known;
    CUtexref t;

    HD_RT_ENTER();
    cudaError_t e = find(reference, &t, &known);
    return hd_session_note(e == cudaSuccess ? (unsigned)cuTexRefSetArray(t, NULL, 0) : (unsigned)e);
}

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference)
{
    CUdeviceptr address;
    CUarray array;
    struct hd_reference *known;
    CUtexref t;

    HD_RT_ENTER();
    if (!offset)
        return hd_session_note(cudaErrorInvalidValue);
    cudaError_t e = find(reference, &t, &known);
    if (e != cudaSuccess)
        return hd_session_note(e);
    if (cuTexRefGetAddress(&address, t) != CUDA_SUCCESS &&
        cuTexRefGetArray(&array, t) != CUDA_SUCCESS)
        return hd_session_note(cudaErrorInvalidTextureBinding);
    *offset = known->offset;
    return cudaSuccess;
}

cudaError_t cudaGetTextureReference(const struct textureReference **out, const void *symbol)
{
    struct hd_reference *known;
    CUtexref t;

    HD_RT_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    cudaError_t e = find(symbol, &t, &known);
    if (e == cudaSuccess)
        *out = symbol;
    return hd_session_note(e);
}

static cudaError_t find_surface(const void *host, CUsurfref *out)
{
    struct hd_reference *known;
    CUmodule m;
    cudaError_t e = hd_registration_reference(host, &m, &known);

    if (e == cudaErrorInvalidTexture ||
        (e == cudaSuccess && cuModuleGetSurfRef(out, m, known->name) != CUDA_SUCCESS))
        return cudaErrorInvalidSurface;
    return e;
}

cudaError_t cudaBindSurfaceToArray(const struct surfaceReference *reference, cudaArray_t array,
                                   const struct cudaChannelFormatDesc *channels)
{
    CUsurfref s;

    HD_RT_ENTER();
    if (!array)
        return hd_session_note(cudaErrorInvalidResourceHandle);
    if (!matches(channels, array))
        return hd_session_note(cudaErrorInvalidChannelDescriptor);
    cudaError_t e = find_surface(reference, &s);
    return hd_session_note(e == cudaSuccess ? (unsigned)cuSurfRefSetArray(s, array, 0)
                                            : (unsigned)e);
}

cudaError_t cudaGetSurfaceReference(const struct surfaceReference **out, const void *symbol)
{
    CUsurfref s;

    HD_RT_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    cudaError_t e = find_surface(symbol, &s);
    if (e == cudaSuccess)
        *out = symbol;
    return hd_session_note(e);
}
#endif
