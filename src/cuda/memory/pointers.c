// pointers.c - attributes of a pointer: on the device, on the host, or both.
#include "cuda/memory/devmem.h"

#include <string.h>

struct pointer {
    const struct hd_cuda_alloc *alloc; // NULL: registered
    uint64_t address;                  // on the device; 0: registered memory without a mirror
    void *host;                        // NULL if the host cannot access it
    uint64_t start, bytes;             // of all memory around it
    const struct hd_cuda_context *context;
};

// The program's own memory, by a pointer to it or to its mirror on the device.
static bool look_registered(CUdeviceptr value, struct pointer *p)
{
    struct hd_registered_range r;

    if (!hd_registered_find(value, &r))
        return false;
    *p = (struct pointer){.address = r.address ? r.address + r.offset : 0,
                          .host = r.host + r.offset,
                          .start = value - r.offset,
                          .bytes = r.bytes,
                          .context = r.context};
    return true;
}

// False if the pointer is not one of the device's memory.
static bool look(CUdeviceptr value, struct pointer *p)
{
    uint64_t pinned;
    const struct hd_cuda_alloc *a;

    if (look_registered(value, p))
        return true;
    pinned = hd_devmem_address((void *)(uintptr_t)value);
    a = hd_devmem_find(pinned ? pinned : value);
    if (!a)
        return false;
    *p = (struct pointer){.alloc = a,
                          .address = pinned ? pinned : value,
                          .start = a->address,
                          .bytes = a->bytes,
                          .context = a->context};
    if (a->kind == HD_ALLOC_HOST || hd_cuda_managed(a))
        p->host = hd_devmem_at(p->address, 1);
    return true;
}

static CUresult device_pointer(void *value, const struct pointer *p)
{
    uint64_t address = p->address;
    CUresult r = CUDA_SUCCESS;

    if (!address) { // its mirror is made when it is first asked for
        r = hd_registered_map(p->host);
        address = hd_registered_address(p->host);
    }
    if (r == CUDA_SUCCESS)
        memcpy(value, &address, sizeof address);
    return r;
}

static CUresult get(void *value, CUpointer_attribute attribute, const struct pointer *p)
{
    const struct hd_cuda_alloc *a = p->alloc;
    bool on_host = !a || a->kind == HD_ALLOC_HOST;
    CUcontext context = p->context ? p->context->handle : NULL;

    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        memcpy(value, &context, sizeof context);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        return device_pointer(value, p);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
        memcpy(value, &p->host, sizeof p->host);
        return p->host ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_POINTER_ATTRIBUTE_BUFFER_ID: {
        unsigned long long id = a ? a->id : 0;
        memcpy(value, &id, sizeof id);
        return CUDA_SUCCESS;
    }
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(unsigned *)value =
            attribute == CU_POINTER_ATTRIBUTE_IS_MANAGED && a && hd_cuda_managed(a);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        *(unsigned *)value = a && a->kind == HD_ALLOC_DEVICE && !a->pool;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
        *(unsigned *)value = 0;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        memset(value, 0, sizeof(uint64_t));
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        *(unsigned *)value = 3; // reads and writes
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)value = HD_CUDA_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: {
        CUmemoryPool pool = a ? a->pool : NULL;
        memcpy(value, &pool, sizeof pool);
        return CUDA_SUCCESS;
    }
    case CU_POINTER_ATTRIBUTE_MAPPED:
        *(unsigned *)value = 1;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        memcpy(value, &p->start, sizeof p->start);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
        memcpy(value, &p->bytes, sizeof p->bytes);
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_SUPPORTED;
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer)
{
    struct pointer p;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!value || !look(pointer, &p))
        return CUDA_ERROR_INVALID_VALUE;
    return get(value, attribute, &p);
}

// Bytes of the attribute's value; 0: not supported.
static size_t size_of(CUpointer_attribute attribute)
{
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
        return sizeof(unsigned);
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        return sizeof(uint64_t);
    }
    return 0;
}

// Unlike cuPointerGetAttribute, this returns zeros for unknown pointers.
CUresult cuPointerGetAttributes(unsigned n, CUpointer_attribute *attributes, void **values,
                                CUdeviceptr pointer)
{
    struct pointer p;
    bool known;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    if (!n || !attributes || !values)
        return CUDA_ERROR_INVALID_VALUE;
    known = look(pointer, &p);
    for (unsigned i = 0; i < n; i++) {
        CUpointer_attribute a = attributes[i];
        if (!values[i])
            return CUDA_ERROR_INVALID_VALUE;
        if (!size_of(a))
            return CUDA_ERROR_NOT_SUPPORTED;
        memset(values[i], 0, size_of(a));
        if (known && get(values[i], a, &p) == CUDA_ERROR_NOT_SUPPORTED)
            return CUDA_ERROR_NOT_SUPPORTED;
        if (!known && a == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            *(int *)values[i] = -2; // no device
    }
    return CUDA_SUCCESS;
}
