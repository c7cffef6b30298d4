// pools.c - pools of stream-ordered memory: cuMemPool*, and the pool that an allocation is taken
// from.
//
// All memory comes from the device's heap and returns to it when it is freed, so a pool reserves
// exactly what is used; it counts, stores its settings and has a maximum size. Pools belong to the
// device: they outlive contexts, but memory of contexts does not. A destroyed pool stays internally
// until all memory taken from it has been freed.
#include "cuda/memory/devmem.h"

#include "cuda/core/queue.h"

#include <string.h>

#define ATTRIBUTES (CU_MEMPOOL_ATTR_USED_MEM_HIGH + 1)

struct hd_cuda_pool {
    CUmemoryPool handle;
    uint64_t attributes[ATTRIBUTES];
    uint64_t most; // bytes; 0 means no limit of its own
    bool destroyed;
};

static CUmemoryPool standard_pool, current_pool; // NULL: not made yet; the standard one

static struct hd_cuda_pool *any(CUmemoryPool handle)
{
    return hd_handles_get(hd_cuda.handles, HD_HANDLE_POOL, handle);
}

static struct hd_cuda_pool *get(CUmemoryPool handle)
{
    struct hd_cuda_pool *p = any(handle);

    return p && !p->destroyed ? p : NULL;
}

static void set_up(struct hd_cuda_pool *p)
{
    for (int i = CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES;
         i <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES; i++)
        p->attributes[i] = 1;
    p->attributes[CU_MEMPOOL_ATTR_RELEASE_THRESHOLD] = 0;
    p->attributes[CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH] =
        p->attributes[CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT];
    p->attributes[CU_MEMPOOL_ATTR_USED_MEM_HIGH] = p->attributes[CU_MEMPOOL_ATTR_USED_MEM_CURRENT];
}

static struct hd_cuda_pool *new_pool(void)
{
    void *handle;
    struct hd_cuda_pool *p = hd_handles_add(hd_cuda.handles, HD_HANDLE_POOL, sizeof *p, &handle);

    p->handle = handle;
    set_up(p);
    return p;
}

static CUmemoryPool standard(void)
{
    if (!standard_pool)
        standard_pool = new_pool()->handle;
    return standard_pool;
}

CUmemoryPool hd_pools_current(void)
{
    return get(current_pool) ? current_pool : standard();
}

bool hd_pools_has(CUmemoryPool pool)
{
    return get(pool) != NULL;
}

static void count(struct hd_cuda_pool *p, uint64_t bytes, bool taken)
{
    for (int i = CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT; i <= CU_MEMPOOL_ATTR_USED_MEM_CURRENT;
         i += 2) {
        p->attributes[i] = taken ? p->attributes[i] + bytes : p->attributes[i] - bytes;
        if (p->attributes[i] > p->attributes[i + 1])
            p->attributes[i + 1] = p->attributes[i];
    }
}

static void given_back(const struct hd_cuda_alloc *a)
{
    struct hd_cuda_pool *p = any(a->pool);

    count(p, a->bytes, false);
    if (p->destroyed && !p->attributes[CU_MEMPOOL_ATTR_USED_MEM_CURRENT])
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_POOL, a->pool);
}

CUresult hd_pools_take(CUdeviceptr *address, size_t bytes, CUmemoryPool pool)
{
    struct hd_cuda_pool *p = get(pool);
    const uint64_t *used = &p->attributes[CU_MEMPOOL_ATTR_USED_MEM_CURRENT];
    struct hd_cuda_alloc *a;
    uint64_t at;

    if (p->most && bytes <= p->most && *used > p->most - bytes && hd_queue_frees())
        hd_queue_run_some();
    if (p->most && (bytes > p->most || *used > p->most - bytes))
        return hd_devmem_full();
    at = hd_devmem_new(bytes, HD_ALLOC_DEVICE, 0);
    if (!at)
        return hd_devmem_full();
    a = hd_devmem_find(at);
    a->pool = pool;
    a->released = given_back;
    count(p, bytes, true);
    *address = at;
    return CUDA_SUCCESS;
}

// --- pools

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties)
{
    struct hd_cuda_pool *p;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!pool || !properties || properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
        properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
        properties->location.id != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->handleTypes)
        return CUDA_ERROR_NOT_SUPPORTED; // sharing a pool between processes
    p = new_pool();
    p->most = properties->maxSize;
    *pool = p->handle;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool pool)
{
    struct hd_cuda_pool *p;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    p = get(pool);
    if (!p || pool == standard())
        return CUDA_ERROR_INVALID_VALUE;
    p->destroyed = true;
    if (!p->attributes[CU_MEMPOOL_ATTR_USED_MEM_CURRENT])
        hd_handles_drop(hd_cuda.handles, HD_HANDLE_POOL, pool);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t bytes)
{
    (void)bytes; // freed memory returns to the device at once
    HD_CUDA_ENTER(HD_CUDA_INIT);
    return get(pool) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static bool is_switch(CUmemPool_attribute attribute)
{
    return attribute >= CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES &&
           attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    const struct hd_cuda_pool *p;
    int on;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    p = get(pool);
    if (!p || !value || (unsigned)attribute < 1 || (unsigned)attribute >= ATTRIBUTES)
        return CUDA_ERROR_INVALID_VALUE;
    on = (int)p->attributes[attribute];
    if (is_switch(attribute))
        memcpy(value, &on, sizeof on);
    else
        memcpy(value, &p->attributes[attribute], sizeof p->attributes[attribute]);
    return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value)
{
    bool high = attribute == CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH ||
                attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH;
    struct hd_cuda_pool *p;
    uint64_t to = 0;

    HD_CUDA_ENTER(HD_CUDA_INIT);
    p = get(pool);
    if (!p || !value ||
        (!is_switch(attribute) && attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD && !high))
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&to, value, is_switch(attribute) ? sizeof(int) : sizeof to);
    if (high && to)
        return CUDA_ERROR_INVALID_VALUE; // it can only be reset to what is used now
    p->attributes[attribute] = high ? p->attributes[attribute - 1] : to;
    return CUDA_SUCCESS;
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *list, size_t n)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!get(pool) || (n && !list))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < n; i++)
        if (list[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
            list[i].location.id != HD_CUDA_DEVICE)
            return CUDA_ERROR_INVALID_DEVICE;
        else if (list[i].flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
            return CUDA_ERROR_INVALID_VALUE; // the device that owns the pool always has access
    return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *where)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!flags || !get(pool) || !where || where->type != CU_MEM_LOCATION_TYPE_DEVICE ||
        where->id != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    return CUDA_SUCCESS;
}

// --- pools of the device

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!pool)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    *pool = standard();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (!pool)
        return CUDA_ERROR_INVALID_VALUE;
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    *pool = hd_pools_current();
    return CUDA_SUCCESS;
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool)
{
    HD_CUDA_ENTER(HD_CUDA_INIT);
    if (device != HD_CUDA_DEVICE)
        return CUDA_ERROR_INVALID_DEVICE;
    if (!get(pool))
        return CUDA_ERROR_INVALID_VALUE;
    current_pool = pool;
    return CUDA_SUCCESS;
}

// Since CUDA 13 a pool belongs to a location and a type of memory.
static CUresult look_at_place(const CUmemLocation *where, CUmemAllocationType type)
{
    if (!where)
        return CUDA_ERROR_INVALID_VALUE;
    if (where->type != CU_MEM_LOCATION_TYPE_DEVICE || type != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_NOT_SUPPORTED;
    return where->id == HD_CUDA_DEVICE ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *where, CUmemAllocationType type)
{
    CUresult r = look_at_place(where, type);

    return r == CUDA_SUCCESS ? cuDeviceGetDefaultMemPool(pool, HD_CUDA_DEVICE) : r;
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *where, CUmemAllocationType type)
{
    CUresult r = look_at_place(where, type);

    return r == CUDA_SUCCESS ? cuDeviceGetMemPool(pool, HD_CUDA_DEVICE) : r;
}

CUresult cuMemSetMemPool(CUmemLocation *where, CUmemAllocationType type, CUmemoryPool pool)
{
    CUresult r = look_at_place(where, type);

    return r == CUDA_SUCCESS ? cuDeviceSetMemPool(HD_CUDA_DEVICE, pool) : r;
}

// Resets the current pool of the device, and the settings of its standard pool.
static void device_reset(void)
{
    current_pool = NULL;
    if (standard_pool)
        set_up(any(standard_pool));
}

static void device_ends(void)
{
    standard_pool = current_pool = NULL;
}

const struct hd_part hd_pools_part = {.device_reset = device_reset, .device_ends = device_ends};
