// rtcopy.c - copies: lines, planes, volumes, arrays, variables.
//
// Every form becomes a copy of the driver. The kind says where both sides are; with the default
// kind their addresses decide.
#include "cudart/rtcopy.h"
#include "cudart/registration.h"
#include "cudart/rtarrays.h"
#include "cudart/session.h"

#undef cuMemcpyBatchAsync // the form that names the copy that failed

struct side { // of a copy
    const void *at;
    size_t pitch, height; // of memory
    cudaArray_t array;    // instead of memory
    size_t x, y, z;       // x in bytes
};

static CUmemorytype memory_type(const struct side *s, bool host, enum cudaMemcpyKind kind)
{
    if (s->array)
        return CU_MEMORYTYPE_ARRAY;
    if (kind == cudaMemcpyDefault)
        return CU_MEMORYTYPE_UNIFIED;
    return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

static CUDA_MEMCPY3D described(const struct side *to, const struct side *from,
                               const struct cudaExtent *bytes, enum cudaMemcpyKind kind)
{
    bool to_host = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
    bool from_host = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;

    return (CUDA_MEMCPY3D){.srcXInBytes = from->x,
                           .srcY = from->y,
                           .srcZ = from->z,
                           .srcMemoryType = memory_type(from, from_host, kind),
                           .srcHost = from->at,
                           .srcDevice = (CUdeviceptr)(uintptr_t)from->at,
                           .srcArray = from->array,
                           .srcPitch = from->pitch,
                           .srcHeight = from->height,
                           .dstXInBytes = to->x,
                           .dstY = to->y,
                           .dstZ = to->z,
                           .dstMemoryType = memory_type(to, to_host, kind),
                           .dstHost = (void *)(uintptr_t)to->at,
                           .dstDevice = (CUdeviceptr)(uintptr_t)to->at,
                           .dstArray = to->array,
                           .dstPitch = to->pitch,
                           .dstHeight = to->height,
                           .WidthInBytes = bytes->width,
                           .Height = bytes->height,
                           .Depth = bytes->depth};
}

static cudaError_t box(const struct side *to, const struct side *from,
                       const struct cudaExtent *bytes, enum cudaMemcpyKind kind,
                       const cudaStream_t *stream)
{
    CUDA_MEMCPY3D c = described(to, from, bytes, kind);

    HD_RT_ENTER();
    if ((unsigned)kind > cudaMemcpyDefault)
        return hd_session_note(cudaErrorInvalidMemcpyDirection);
    if (!bytes->width || !bytes->height || !bytes->depth)
        return cudaSuccess;
    if ((!to->array && bytes->height > 1 && to->pitch < bytes->width) ||
        (!from->array && bytes->height > 1 && from->pitch < bytes->width))
        return hd_session_note(cudaErrorInvalidPitchValue);
    return hd_session_note((stream ? cuMemcpy3DAsync(&c, *stream) : cuMemcpy3D(&c)));
}

// --- lines

static cudaError_t line(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                        const cudaStream_t *stream)
{
    struct side dst = {.at = to, .pitch = bytes, .height = 1};
    struct side src = {.at = from, .pitch = bytes, .height = 1};

    return box(&dst, &src, &(struct cudaExtent){bytes, 1, 1}, kind, stream);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    return line(to, from, bytes, kind, NULL);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return line(to, from, bytes, kind, &stream);
}

cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
    if (to_device || from_device)
        return hd_session_note(cudaErrorInvalidDevice);
    return line(to, from, bytes, cudaMemcpyDeviceToDevice, NULL);
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t bytes, cudaStream_t stream)
{
    if (to_device || from_device)
        return hd_session_note(cudaErrorInvalidDevice);
    return line(to, from, bytes, cudaMemcpyDeviceToDevice, &stream);
}

// --- variables

static cudaError_t symbol(bool to_symbol, const void *variable, const void *memory, size_t bytes,
                          size_t offset, enum cudaMemcpyKind kind, const cudaStream_t *stream)
{
    void *at;

    HD_RT_ENTER();
    cudaError_t e = hd_rtcopy_symbol(to_symbol, variable, bytes, offset, kind, &at);
    if (e != cudaSuccess)
        return hd_session_note(e);
    return to_symbol ? line(at, memory, bytes, kind, stream)
                     : line((void *)(uintptr_t)memory, at, bytes, kind, stream);
}

cudaError_t cudaMemcpyToSymbol(const void *variable, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return symbol(true, variable, from, bytes, offset, kind, NULL);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *variable, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return symbol(true, variable, from, bytes, offset, kind, &stream);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *variable, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return symbol(false, variable, to, bytes, offset, kind, NULL);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *variable, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return symbol(false, variable, to, bytes, offset, kind, &stream);
}

cudaError_t cudaGetSymbolAddress(void **address, const void *variable)
{
    CUdeviceptr at;
    size_t size;

    HD_RT_ENTER();
    cudaError_t e =
        address ? hd_registration_variable(variable, &at, &size) : cudaErrorInvalidValue;
    if (e == cudaSuccess)
        *address = (void *)(uintptr_t)at;
    return hd_session_note(e);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *variable)
{
    CUdeviceptr at;

    HD_RT_ENTER();
    return hd_session_note(
        (bytes ? hd_registration_variable(variable, &at, bytes) : cudaErrorInvalidValue));
}

// --- planes

static cudaError_t plane(const struct side *to, const struct side *from, size_t width,
                         size_t height, enum cudaMemcpyKind kind, const cudaStream_t *stream)
{
    return box(to, from, &(struct cudaExtent){width, height, 1}, kind, stream);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind)
{
    struct side dst = {.at = to, .pitch = to_pitch}, src = {.at = from, .pitch = from_pitch};

    return plane(&dst, &src, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream)
{
    struct side dst = {.at = to, .pitch = to_pitch}, src = {.at = from, .pitch = from_pitch};

    return plane(&dst, &src, width, height, kind, &stream);
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
    struct side dst = {.array = to, .x = x, .y = y}, src = {.at = from, .pitch = pitch};

    return plane(&dst, &src, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct side dst = {.array = to, .x = x, .y = y}, src = {.at = from, .pitch = pitch};

    return plane(&dst, &src, width, height, kind, &stream);
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind)
{
    struct side dst = {.at = to, .pitch = pitch}, src = {.array = from, .x = x, .y = y};

    return plane(&dst, &src, width, height, kind, NULL);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_t from, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
    struct side dst = {.at = to, .pitch = pitch}, src = {.array = from, .x = x, .y = y};

    return plane(&dst, &src, width, height, kind, &stream);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
    struct side dst = {.array = to, .x = to_x, .y = to_y};
    struct side src = {.array = from, .x = from_x, .y = from_y};

    return plane(&dst, &src, width, height, kind, NULL);
}

// --- the forms that copy a line of bytes into or out of an array, row after row

static cudaError_t rows(bool to_array, cudaArray_t array, size_t x, size_t y, const void *memory,
                        size_t bytes, enum cudaMemcpyKind kind, const cudaStream_t *stream)
{
    size_t width;
    cudaError_t e;

    HD_RT_ENTER();
    e = hd_rtarrays_width(array, &width);
    if (e == cudaSuccess && x >= width && bytes)
        e = cudaErrorInvalidValue;
    while (e == cudaSuccess && bytes) {
        size_t n = !x && bytes >= width ? width : width - x, height = 1;
        if (n > bytes)
            n = bytes;
        if (!x && n == width)
            height = bytes / width;
        struct side a = {.array = array, .x = x, .y = y}, m = {.at = memory, .pitch = n};
        e = to_array ? plane(&a, &m, n, height, kind, stream)
                     : plane(&m, &a, n, height, kind, stream);
        memory = (const char *)memory + n * height;
        bytes -= n * height;
        x = 0;
        y += height;
    }
    return hd_session_note(e);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind)
{
    return rows(true, to, x, y, from, bytes, kind, NULL);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                   size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return rows(true, to, x, y, from, bytes, kind, &stream);
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{
    return rows(false, from, x, y, to, bytes, kind, NULL);
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_t from, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
    return rows(false, from, x, y, to, bytes, kind, &stream);
}

// --- volumes

// Positions and extents are in elements if an array takes part, else in bytes.
static cudaError_t sides(const struct cudaMemcpy3DParms *p, struct side *to, struct side *from,
                         struct cudaExtent *bytes)
{
    size_t unit = 1, other;
    cudaError_t e = cudaSuccess;

    if (!p || (p->srcArray && p->srcPtr.ptr) || (p->dstArray && p->dstPtr.ptr))
        return cudaErrorInvalidValue;
    if (p->srcArray)
        e = hd_rtarrays_element(p->srcArray, &unit);
    if (e == cudaSuccess && p->dstArray)
        e = hd_rtarrays_element(p->dstArray, p->srcArray ? &other : &unit);
    if (e == cudaSuccess && p->srcArray && p->dstArray && other != unit)
        e = cudaErrorInvalidValue;
    if (e != cudaSuccess)
        return e;
    *to = (struct side){p->dstPtr.ptr, p->dstPtr.pitch, p->dstPtr.ysize, p->dstArray,
                        p->dstPos.x,   p->dstPos.y,     p->dstPos.z};
    *from = (struct side){p->srcPtr.ptr, p->srcPtr.pitch, p->srcPtr.ysize, p->srcArray,
                          p->srcPos.x,   p->srcPos.y,     p->srcPos.z};
    *bytes = p->extent;
    if ((to->array && __builtin_mul_overflow(to->x, unit, &to->x)) ||
        (from->array && __builtin_mul_overflow(from->x, unit, &from->x)) ||
        __builtin_mul_overflow(bytes->width, unit, &bytes->width))
        return cudaErrorInvalidValue;
    return cudaSuccess;
}

static cudaError_t volume(const struct cudaMemcpy3DParms *p, const cudaStream_t *stream)
{
    struct side to, from;
    struct cudaExtent bytes;

    HD_RT_ENTER();
    cudaError_t e = sides(p, &to, &from, &bytes);
    return e == cudaSuccess ? box(&to, &from, &bytes, p->kind, stream) : hd_session_note(e);
}

cudaError_t hd_rtcopy_describe(const struct cudaMemcpy3DParms *p, CUDA_MEMCPY3D *out)
{
    struct side to, from;
    struct cudaExtent bytes;
    cudaError_t e = sides(p, &to, &from, &bytes);

    if (e == cudaSuccess && (unsigned)p->kind > cudaMemcpyDefault)
        e = cudaErrorInvalidMemcpyDirection;
    if (e == cudaSuccess)
        *out = described(&to, &from, &bytes, p->kind);
    return e;
}

static enum cudaMemcpyKind kind_of(const CUDA_MEMCPY3D *c)
{
    bool from_host = c->srcMemoryType == CU_MEMORYTYPE_HOST;
    bool to_host = c->dstMemoryType == CU_MEMORYTYPE_HOST;

    if (c->srcMemoryType == CU_MEMORYTYPE_UNIFIED || c->dstMemoryType == CU_MEMORYTYPE_UNIFIED)
        return cudaMemcpyDefault;
    if (from_host)
        return to_host ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice;
    return to_host ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice;
}

static struct cudaPitchedPtr pointer_of(CUmemorytype type, const void *host, CUdeviceptr device,
                                        size_t pitch, size_t height)
{
    struct cudaPitchedPtr p = {.pitch = pitch, .xsize = pitch, .ysize = height};

    if (type != CU_MEMORYTYPE_ARRAY)
        p.ptr = type == CU_MEMORYTYPE_HOST ? (void *)(uintptr_t)host : (void *)(uintptr_t)device;
    return p;
}

cudaError_t hd_rtcopy_params(const CUDA_MEMCPY3D *c, struct cudaMemcpy3DParms *out)
{
    bool from_array = c->srcMemoryType == CU_MEMORYTYPE_ARRAY;
    bool to_array = c->dstMemoryType == CU_MEMORYTYPE_ARRAY;
    size_t unit = 1;
    cudaError_t e = cudaSuccess;

    if (from_array || to_array)
        e = hd_rtarrays_element(from_array ? c->srcArray : c->dstArray, &unit);
    if (e != cudaSuccess)
        return e;
    *out = (struct cudaMemcpy3DParms){
        .srcArray = from_array ? c->srcArray : NULL,
        .srcPos = {from_array ? c->srcXInBytes / unit : c->srcXInBytes, c->srcY, c->srcZ},
        .srcPtr = pointer_of(c->srcMemoryType, c->srcHost, c->srcDevice, c->srcPitch, c->srcHeight),
        .dstArray = to_array ? c->dstArray : NULL,
        .dstPos = {to_array ? c->dstXInBytes / unit : c->dstXInBytes, c->dstY, c->dstZ},
        .dstPtr = pointer_of(c->dstMemoryType, c->dstHost, c->dstDevice, c->dstPitch, c->dstHeight),
        .extent = {c->WidthInBytes / unit, c->Height, c->Depth},
        .kind = kind_of(c)};
    return cudaSuccess;
}

cudaError_t hd_rtcopy_symbol(bool to_symbol, const void *variable, size_t bytes, size_t offset,
                             enum cudaMemcpyKind kind, void **at)
{
    CUdeviceptr address;
    size_t size;
    cudaError_t e = hd_registration_variable(variable, &address, &size);

    if (e != cudaSuccess)
        return e;
    if (kind != cudaMemcpyDefault && kind != cudaMemcpyDeviceToDevice &&
        kind != (to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost))
        return cudaErrorInvalidMemcpyDirection;
    if (offset > size || bytes > size - offset)
        return cudaErrorInvalidValue;
    *at = (void *)(uintptr_t)(address + offset);
    return cudaSuccess;
}

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
    return volume(p, NULL);
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
    return volume(p, &stream);
}

static cudaError_t peer(const struct cudaMemcpy3DPeerParms *p, const cudaStream_t *stream)
{
    if (!p)
        return hd_session_note(cudaErrorInvalidValue);
    if (p->srcDevice || p->dstDevice)
        return hd_session_note(cudaErrorInvalidDevice);
    struct cudaMemcpy3DParms q = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                                  p->dstPos,   p->dstPtr, p->extent, cudaMemcpyDeviceToDevice};
    return volume(&q, stream);
}

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
    return peer(p, NULL);
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
    return peer(p, &stream);
}

// --- many copies in one call

#if HD_CUDART >= 12
// The driver's attributes have the same layout. It does not change the lists.
static cudaError_t batch(const void *const *to, const void *const *from, const size_t *bytes,
                         size_t count, struct cudaMemcpyAttributes *attributes, const size_t *first,
                         size_t n_attributes, size_t *failed, cudaStream_t stream)
{
    HD_RT_ENTER();
    return hd_session_note(
        cuMemcpyBatchAsync((CUdeviceptr *)(uintptr_t)to, (CUdeviceptr *)(uintptr_t)from,
                           (size_t *)(uintptr_t)bytes, count, (CUmemcpyAttributes *)attributes,
                           (size_t *)(uintptr_t)first, n_attributes, failed, stream));
}
#endif

#if HD_CUDART >= 13
// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
cudaError_t cudaMemcpyBatchAsync(const void **to, const void **from, const size_t *bytes,
                                 size_t count, struct cudaMemcpyAttributes *attributes,
                                 size_t *first, size_t n_attributes, cudaStream_t stream)
{
    return batch(to, from, bytes, count, attributes, first, n_attributes, NULL, stream);
}
#elif HD_CUDART == 12
// NOLINTNEXTLINE(readability-function-size): the parameters are NVIDIA's
cudaError_t cudaMemcpyBatchAsync(void **to, void **from, size_t *bytes, size_t count,
                                 struct cudaMemcpyAttributes *attributes, size_t *first,
                                 size_t n_attributes, size_t *failed, cudaStream_t stream)
{
    return batch((const void *const *)to, (const void *const *)from, bytes, count, attributes,
                 first, n_attributes, failed, stream);
}
#endif
