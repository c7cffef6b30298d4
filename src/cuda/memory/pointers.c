// pointers.c - attributes of a pointer: on the device, on the host, or both.
#include "cuda/memory/devmem.h"

#include <string.h>

struct pointer {
    const struct hd_cuda_alloc *alloc;
    uint64_t address; // on the device
    void *host;       // NULL if the host cannot access it
};

// False if the pointer is not one of the device's memory.
static bool look(CUdeviceptr value, struct pointer *p)
{
    void *host = (void *)(uintptr_t)value;

    p->address = hd_devmem_address(host);
    p->address = p->address ? p->address : value;
    p->alloc = hd_devmem_find(p->address);
    p->host = NULL;
    if (p->alloc && (p->alloc->kind == HD_ALLOC_HOST || hd_cuda_managed(p->alloc)))
        p->host = hd_devmem_at(p->address, 1);
    else if (!p->alloc && hd_devmem_pinned(host, 1)) // registered
        p->host = host;
    return p->alloc || p->host;
}

static CUresult get(void *value, CUpointer_attribute attribute, const struct pointer *p)
{
    const struct hd_cuda_alloc *a = p->alloc;
    bool on_host = !a || a->kind == HD_ALLOC_HOST;
    CUcontext context = a && a->context ? a->context->handle : NULL;

    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
        memcpy(value, &context, sizeof context);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)value = on_host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
        memcpy(value, &p->address, sizeof p->address);
        return CUDA_SUCCESS;
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
        memcpy(value, a ? &a->address : &p->address, sizeof p->address);
        return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: {
        size_t bytes = a ? a->bytes : 0;
        memcpy(value, &bytes, sizeof bytes);
        return CUDA_SUCCESS;
    }
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
        bool word = a == CU_POINTER_ATTRIBUTE_MEMORY_TYPE || a == CU_POINTER_ATTRIBUTE_MAPPED ||
                    a == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || a == CU_POINTER_ATTRIBUTE_IS_MANAGED ||
                    a == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
        if (!values[i])
            return CUDA_ERROR_INVALID_VALUE;
        memset(values[i], 0, word ? sizeof(unsigned) : sizeof(uint64_t));
        if (known && get(values[i], a, &p) == CUDA_ERROR_NOT_SUPPORTED)
            return CUDA_ERROR_NOT_SUPPORTED;
        if (!known && a == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL)
            *(int *)values[i] = -2; // no device
    }
    return CUDA_SUCCESS;
}
