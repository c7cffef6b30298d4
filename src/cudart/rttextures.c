// rttextures.c - texture and surface objects.
#include "cudart/rtarrays.h"
#include "cudart/session.h"

#include <string.h>

static cudaError_t to_driver(const struct cudaResourceDesc *r, CUDA_RESOURCE_DESC *out)
{
    *out = (CUDA_RESOURCE_DESC){.resType = (CUresourcetype)r->resType};
    switch (r->resType) {
    case cudaResourceTypeArray:
        out->res.array.hArray = r->res.array.array;
        return cudaSuccess;
    case cudaResourceTypeMipmappedArray:
        out->res.mipmap.hMipmappedArray = r->res.mipmap.mipmap;
        return cudaSuccess;
    case cudaResourceTypeLinear:
        out->res.linear.devPtr = (CUdeviceptr)(uintptr_t)r->res.linear.devPtr;
        out->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
        if (!hd_rtarrays_format(&r->res.linear.desc, &out->res.linear.format,
                                &out->res.linear.numChannels))
            return cudaErrorInvalidChannelDescriptor;
        return cudaSuccess;
    case cudaResourceTypePitch2D:
        out->res.pitch2D.devPtr = (CUdeviceptr)(uintptr_t)r->res.pitch2D.devPtr;
        out->res.pitch2D.width = r->res.pitch2D.width;
        out->res.pitch2D.height = r->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
        if (!hd_rtarrays_format(&r->res.pitch2D.desc, &out->res.pitch2D.format,
                                &out->res.pitch2D.numChannels))
            return cudaErrorInvalidChannelDescriptor;
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

static void from_driver(const CUDA_RESOURCE_DESC *r, struct cudaResourceDesc *out)
{
    memset(out, 0, sizeof *out);
    out->resType = (enum cudaResourceType)r->resType;
    switch (out->resType) {
    case cudaResourceTypeArray:
        out->res.array.array = r->res.array.hArray;
        break;
    case cudaResourceTypeMipmappedArray:
        out->res.mipmap.mipmap = r->res.mipmap.hMipmappedArray;
        break;
    case cudaResourceTypeLinear:
        out->res.linear.devPtr = (void *)(uintptr_t)r->res.linear.devPtr;
        out->res.linear.sizeInBytes = r->res.linear.sizeInBytes;
        out->res.linear.desc =
            hd_rtarrays_channels(r->res.linear.format, r->res.linear.numChannels);
        break;
    case cudaResourceTypePitch2D:
        out->res.pitch2D.devPtr = (void *)(uintptr_t)r->res.pitch2D.devPtr;
        out->res.pitch2D.width = r->res.pitch2D.width;
        out->res.pitch2D.height = r->res.pitch2D.height;
        out->res.pitch2D.pitchInBytes = r->res.pitch2D.pitchInBytes;
        out->res.pitch2D.desc =
            hd_rtarrays_channels(r->res.pitch2D.format, r->res.pitch2D.numChannels);
        break;
    }
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out,
                                    const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *t,
                                    const struct cudaResourceViewDesc *view)
{
    CUDA_RESOURCE_DESC r;
    CUDA_TEXTURE_DESC s = {.flags = 0};
    CUDA_RESOURCE_VIEW_DESC v = {.format = 0};

    HD_RT_ENTER();
    if (!out || !resource || !t)
        return hd_session_note(cudaErrorInvalidValue);
    cudaError_t e = to_driver(resource, &r);
    if (e != cudaSuccess)
        return hd_session_note(e);
    for (int i = 0; i < 3; i++)
        s.addressMode[i] = (CUaddress_mode)t->addressMode[i];
    s.filterMode = (CUfilter_mode)t->filterMode;
    s.mipmapFilterMode = (CUfilter_mode)t->mipmapFilterMode;
    s.flags = (t->readMode ? 0U : CU_TRSF_READ_AS_INTEGER) |
              (t->normalizedCoords ? CU_TRSF_NORMALIZED_COORDINATES : 0U) |
              (t->sRGB ? CU_TRSF_SRGB : 0U);
#if HD_CUDART >= 12
    s.flags |= t->seamlessCubemap ? CU_TRSF_SEAMLESS_CUBEMAP : 0U;
#endif
    s.maxAnisotropy = t->maxAnisotropy;
    s.mipmapLevelBias = t->mipmapLevelBias;
    s.minMipmapLevelClamp = t->minMipmapLevelClamp;
    s.maxMipmapLevelClamp = t->maxMipmapLevelClamp;
    memcpy(s.borderColor, t->borderColor, sizeof s.borderColor);
    if (view)
        memcpy(&v, view, sizeof *view); // the struct is shorter in older versions
    return hd_session_note(cuTexObjectCreate(out, &r, &s, view ? &v : NULL));
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture)
{
    HD_RT_ENTER();
    return texture ? hd_session_note(cuTexObjectDestroy(texture)) : cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaTextureObject_t texture)
{
    CUDA_RESOURCE_DESC r;

    HD_RT_ENTER();
    cudaError_t e =
        out ? (cudaError_t)cuTexObjectGetResourceDesc(&r, texture) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        from_driver(&r, out);
    return hd_session_note(e);
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out,
                                            cudaTextureObject_t texture)
{
    CUDA_TEXTURE_DESC s;

    HD_RT_ENTER();
    cudaError_t e =
        out ? (cudaError_t)cuTexObjectGetTextureDesc(&s, texture) : cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return hd_session_note(e);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++)
        out->addressMode[i] = (int)s.addressMode[i];
    out->filterMode = (int)s.filterMode;
    out->readMode = !(s.flags & CU_TRSF_READ_AS_INTEGER);
    out->sRGB = (s.flags & CU_TRSF_SRGB) != 0;
    out->normalizedCoords = (s.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
    out->maxAnisotropy = s.maxAnisotropy;
    out->mipmapFilterMode = (int)s.mipmapFilterMode;
    out->mipmapLevelBias = s.mipmapLevelBias;
    out->minMipmapLevelClamp = s.minMipmapLevelClamp;
    out->maxMipmapLevelClamp = s.maxMipmapLevelClamp;
    memcpy(out->borderColor, s.borderColor, sizeof s.borderColor);
#if HD_CUDART >= 12
    out->seamlessCubemap = (s.flags & CU_TRSF_SEAMLESS_CUBEMAP) != 0;
#endif
    return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out,
                                    const struct cudaResourceDesc *resource)
{
    CUDA_RESOURCE_DESC r;

    HD_RT_ENTER();
    cudaError_t e = out && resource ? to_driver(resource, &r) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        e = (cudaError_t)cuSurfObjectCreate(out, &r);
    return hd_session_note(e);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface)
{
    HD_RT_ENTER();
    return surface ? hd_session_note(cuSurfObjectDestroy(surface)) : cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out,
                                             cudaSurfaceObject_t surface)
{
    CUDA_RESOURCE_DESC r;

    HD_RT_ENTER();
    cudaError_t e =
        out ? (cudaError_t)cuSurfObjectGetResourceDesc(&r, surface) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        from_driver(&r, out);
    return hd_session_note(e);
}
