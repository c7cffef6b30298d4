// rtmemory.c - memory of the device, page-locked, mapped and managed memory.
#include "cudart/session.h"

#define ELEMENT 4 // rows of pitched memory suit accesses of this many bytes

static CUdeviceptr address_of(const void *p)
{
    return (CUdeviceptr)(uintptr_t)p;
}

static void *pointer_of(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
    CUdeviceptr address = 0;
    CUresult r = CUDA_SUCCESS;

    HD_RT_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    if (bytes)
        r = cuMemAlloc(&address, bytes);
    if (r == CUDA_SUCCESS)
        *out = pointer_of(address);
    return hd_session_note(r);
}

cudaError_t cudaFree(void *p)
{
    HD_RT_ENTER();
    return p ? hd_session_note(cuMemFree(address_of(p))) : cudaSuccess;
}

cudaError_t cudaMallocPitch(void **out, size_t *pitch, size_t width, size_t height)
{
    CUdeviceptr address = 0;
    CUresult r = CUDA_SUCCESS;

    HD_RT_ENTER();
    if (!out || !pitch)
        return hd_session_note(cudaErrorInvalidValue);
    *pitch = 0;
    if (width && height)
        r = cuMemAllocPitch(&address, pitch, width, height, ELEMENT);
    if (r == CUDA_SUCCESS)
        *out = pointer_of(address);
    return hd_session_note(r);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *out, struct cudaExtent extent)
{
    struct cudaPitchedPtr p = {.xsize = extent.width, .ysize = extent.height};
    size_t rows;

    if (!out || __builtin_mul_overflow(extent.height, extent.depth, &rows))
        return hd_session_note(cudaErrorInvalidValue);
    cudaError_t e = cudaMallocPitch(&p.ptr, &p.pitch, extent.width, rows);
    if (e == cudaSuccess)
        *out = p;
    return e;
}

cudaError_t cudaMallocManaged(void **out, size_t bytes, unsigned flags)
{
    CUdeviceptr address;

    HD_RT_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    CUresult r = cuMemAllocManaged(&address, bytes, flags);
    if (r == CUDA_SUCCESS)
        *out = pointer_of(address);
    return hd_session_note(r);
}

cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
    HD_RT_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    if (!bytes) {
        *out = NULL;
        return cudaSuccess;
    }
    return hd_session_note(cuMemHostAlloc(out, bytes, flags));
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
    return cudaHostAlloc(out, bytes, 0);
}

cudaError_t cudaFreeHost(void *host)
{
    HD_RT_ENTER();
    return host ? hd_session_note(cuMemFreeHost(host)) : cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void **out, void *host, unsigned flags)
{
    CUdeviceptr address;

    HD_RT_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    CUresult r = cuMemHostGetDevicePointer(&address, host, flags);
    if (r == CUDA_SUCCESS)
        *out = pointer_of(address);
    return hd_session_note(r);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *host)
{
    HD_RT_ENTER();
    return hd_session_note(cuMemHostGetFlags(flags, host));
}

cudaError_t cudaHostRegister(void *host, size_t bytes, unsigned flags)
{
    HD_RT_ENTER();
    return hd_session_note(cuMemHostRegister(host, bytes, flags));
}

cudaError_t cudaHostUnregister(void *host)
{
    HD_RT_ENTER();
    return hd_session_note(cuMemHostUnregister(host));
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    HD_RT_ENTER();
    return hd_session_note(cuMemGetInfo(available, total));
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *out, const void *pointer)
{
    struct cudaPointerAttributes a = {.device = -2, .hostPointer = (void *)(uintptr_t)pointer};
    CUmemorytype type = (CUmemorytype)0;
    unsigned managed = 0;
    CUdeviceptr p = address_of(pointer), device = 0;
    void *host = NULL;
    CUresult r;

    HD_RT_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    r = cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p);
    if (r != CUDA_SUCCESS && r != CUDA_ERROR_INVALID_VALUE) // memory of the program itself
        return hd_session_note(r);
    if (r == CUDA_SUCCESS) {
        cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p);
        cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, p);
        if (managed || type == CU_MEMORYTYPE_HOST)
            cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, p);
        a.type = managed                      ? cudaMemoryTypeManaged
                 : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
                                              : cudaMemoryTypeDevice;
        a.device = 0;
        a.devicePointer = pointer_of(device);
        a.hostPointer = host;
    }
    *out = a;
    return cudaSuccess;
}

// --- hints about managed memory: there is only one memory, so nothing moves

static cudaError_t hint(const void *p, size_t bytes, int device)
{
    CUdeviceptr base;
    size_t all;
    unsigned managed = 0;

    HD_RT_ENTER();
    if (device > 0)
        return hd_session_note(cudaErrorInvalidDevice);
    CUresult r = cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address_of(p));
    if (r != CUDA_SUCCESS)
        return hd_session_note(r);
    if (!bytes || !managed || cuMemGetAddressRange(&base, &all, address_of(p)) ||
        bytes > all - (address_of(p) - base))
        return hd_session_note(cudaErrorInvalidValue);
    return cudaSuccess;
}

static CUmemLocation location_of(int device)
{
    return (CUmemLocation){device < 0 ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE,
                           device < 0 ? 0 : device};
}

static cudaError_t advise(const void *p, size_t bytes, int advice, int device)
{
    cudaError_t e = hint(p, bytes, device);

    if (e != cudaSuccess)
        return e;
    return hd_session_note(
        cuMemAdvise_v2(address_of(p), bytes, (CUmem_advise)advice, location_of(device)));
}

static cudaError_t prefetch(const void *p, size_t bytes, int device, cudaStream_t stream)
{
    cudaError_t e = hint(p, bytes, device);

    if (e != cudaSuccess)
        return e;
    return hd_session_note(
        cuMemPrefetchAsync_v2(address_of(p), bytes, location_of(device), 0, stream));
}

#if HD_CUDART >= 13
cudaError_t cudaMemAdvise(const void *p, size_t bytes, int advice, struct cudaMemLocation where)
{
    return advise(p, bytes, advice, where.type == cudaMemLocationTypeDevice ? where.id : -1);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, struct cudaMemLocation where,
                                 unsigned flags, cudaStream_t stream)
{
    if (flags)
        return hd_session_note(cudaErrorInvalidValue);
    return prefetch(p, bytes, where.type == cudaMemLocationTypeDevice ? where.id : -1, stream);
}
#else
cudaError_t cudaMemAdvise(const void *p, size_t bytes, int advice, int device)
{
    return advise(p, bytes, advice, device);
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t bytes, int device, cudaStream_t stream)
{
    return prefetch(p, bytes, device, stream);
}
#endif

cudaError_t cudaMemRangeGetAttribute(void *data, size_t bytes, int attribute, const void *p,
                                     size_t count)
{
    HD_RT_ENTER();
    return hd_session_note(cuMemRangeGetAttribute(data, bytes, (CUmem_range_attribute)attribute,
                                                  address_of(p), count));
}

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *bytes, int *attributes, size_t n,
                                      const void *p, size_t count)
{
    HD_RT_ENTER();
    return hd_session_note(cuMemRangeGetAttributes(data, bytes, (CUmem_range_attribute *)attributes,
                                                   n, address_of(p), count));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *p, size_t bytes, unsigned flags)
{
    HD_RT_ENTER();
    return hd_session_note(cuStreamAttachMemAsync(stream, address_of(p), bytes, flags));
}
