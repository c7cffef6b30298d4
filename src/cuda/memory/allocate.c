// allocate.c - cuMemAlloc*, cuMemFree*, cuMemHost*: memory that a program allocates outside of
// pools and streams, and memory of its own that it registers.
#include "cuda/memory/devmem.h"

#include "cuda/core/queue.h"
#include "emu/memory.h"

#define PITCH_ALIGN 512

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!address || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t a = hd_devmem_new(bytes, HD_ALLOC_DEVICE, 0);
    if (!a)
        return hd_devmem_full();
    *address = a;
    return CUDA_SUCCESS;
}

CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                            unsigned element)
{
    uint64_t bytes, a;

    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!address || !pitch || !width || !height || (element != 4 && element != 8 && element != 16))
        return CUDA_ERROR_INVALID_VALUE;
    if (width > INT32_MAX ||
        __builtin_mul_overflow((width + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN, height,
                               &bytes))
        return CUDA_ERROR_INVALID_VALUE;
    a = hd_devmem_new(bytes, HD_ALLOC_DEVICE, 0);
    if (!a)
        return hd_devmem_full();
    *address = a;
    *pitch = bytes / height;
    return CUDA_SUCCESS;
}

// Memory that begins there and that the program may free, else NULL.
static struct hd_cuda_alloc *freeable(uint64_t address, enum hd_cuda_alloc_kind kind,
                                      bool or_managed)
{
    struct hd_cuda_alloc *a = hd_devmem_around(address);

    if (!a || a->ending || a->address != address || !(a->graph ? a->held : a->live) ||
        (a->kind != kind && !(or_managed && a->kind == HD_ALLOC_MANAGED)))
        return NULL;
    return a;
}

// Kernels and copies that are queued may still use it.
static CUresult free_at(uint64_t address, enum hd_cuda_alloc_kind kind, bool or_managed)
{
    struct hd_cuda_alloc *a = freeable(address, kind, or_managed);
    uint64_t id;
    CUresult r;

    if (!a)
        return CUDA_ERROR_INVALID_VALUE;
    id = a->id;
    r = hd_queue_run();
    if (r != CUDA_SUCCESS)
        return r;
    a = freeable(address, kind, or_managed);
    if (!a || a->id != id)
        return CUDA_ERROR_INVALID_VALUE; // another thread has freed it meanwhile
    a->held = false;
    hd_devmem_release(address);
    return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr address)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    return address ? free_at(address, HD_ALLOC_DEVICE, true) : CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **host, size_t bytes, unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!host || !bytes || flags & ~7u)
        return CUDA_ERROR_INVALID_VALUE;
    uint64_t a = hd_devmem_new(bytes, HD_ALLOC_HOST, flags);
    if (!a)
        return hd_devmem_full();
    *host = hd_devmem_pointer(a);
    return CUDA_SUCCESS;
}

CUresult cuMemAllocHost_v2(void **host, size_t bytes)
{
    return cuMemHostAlloc(host, bytes, CU_MEMHOSTALLOC_DEVICEMAP);
}

CUresult cuMemFreeHost(void *host)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    uint64_t a = host ? hd_devmem_address(host) : 0;
    return a ? free_at(a, HD_ALLOC_HOST, false) : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostGetFlags(unsigned *flags, void *host)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!flags || !host)
        return CUDA_ERROR_INVALID_VALUE;
    if (hd_registered_flags(host, flags))
        return CUDA_SUCCESS;
    uint64_t a = hd_devmem_address(host);
    if (!a)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = hd_devmem_find(a)->flags;
    return CUDA_SUCCESS;
}

// Printed once, because few programs check this error, and most then crash.
static void refuse_managed(void)
{
    static bool said;
    struct hd_diag d = {.n = 0};

    if (said)
        return;
    said = true;
    hd_diag_add(&d, NULL, 0, 0,
                "no managed memory: in this process something else is at address 0x%llx, where the "
                "GPU's memory must be for one pointer to serve both sides",
                (unsigned long long)HD_MEMORY_BASE);
    hd_cuda_say(&d);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned flags)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!address || !bytes || (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST))
        return CUDA_ERROR_INVALID_VALUE;
    if (!hd_cuda_unified()) {
        if (!hd_memory_view(hd_gpu_memory(hd_cuda.gpu)).size)
            return hd_devmem_full();
        refuse_managed();
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    uint64_t a = hd_devmem_new(bytes, HD_ALLOC_MANAGED, flags);
    if (!a)
        return hd_devmem_full();
    *address = a;
    return CUDA_SUCCESS;
}

CUresult cuMemGetInfo_v2(size_t *available, size_t *total)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (available)
        *available =
            hd_cuda.total_memory > hd_devmem_live() ? hd_cuda.total_memory - hd_devmem_live() : 0;
    if (total)
        *total = hd_cuda.total_memory;
    return CUDA_SUCCESS;
}

CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *bytes, CUdeviceptr address)
{
    const struct hd_cuda_alloc *a;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    a = hd_devmem_find(address);
    if (!a)
        return CUDA_ERROR_NOT_FOUND;
    if (base)
        *base = a->address;
    if (bytes)
        *bytes = a->bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemHostRegister_v2(void *host, size_t bytes, unsigned flags)
{
    uintptr_t end;

    HD_CUDA_ENTER(HD_CUDA_SAFE);
    if (!host || !bytes || flags & ~0xfu || __builtin_add_overflow((uintptr_t)host, bytes, &end))
        return CUDA_ERROR_INVALID_VALUE;
    if (hd_devmem_address(host))
        return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    return hd_registered_add(host, bytes, flags);
}

CUresult cuMemHostUnregister(void *host)
{
    HD_CUDA_ENTER(HD_CUDA_SAFE);
    return hd_registered_remove(host);
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *host, unsigned flags)
{
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!address || !host || flags)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_registered_map(host);
    if (r != CUDA_SUCCESS)
        return r;
    *address = hd_devmem_address(host);
    return *address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
