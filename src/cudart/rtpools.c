// rtpools.c - stream-ordered memory and its pools.
//
// All pools share the device's heap; a pool counts what was taken from it and keeps the settings it
// was given.
#include "cudart/session.h"

#include <string.h>

#define ATTRIBUTES 9 // one more than the greatest number

struct cudaMemPool_st {
    uint64_t attributes[ATTRIBUTES];
    bool alive;
    int access; // of the device
};

#define FRESH_VALUES                                                                               \
    {                                                                                              \
        .attributes = {0, 1, 1, 1}, .alive = true, .access = 3                                     \
    }
#define FRESH ((struct cudaMemPool_st)FRESH_VALUES)

struct piece { // taken from a pool and not freed yet
    CUdeviceptr address;
    size_t bytes;
    cudaMemPool_t pool;
    struct piece *next;
};

// Under the session's lock.
static struct cudaMemPool_st standard = FRESH_VALUES;
static cudaMemPool_t current = &standard;
static struct piece *taken[1024], *unused;

static struct piece **place(CUdeviceptr address)
{
    return &taken[address / 256 % 1024];
}

static void count(cudaMemPool_t p, uint64_t bytes, bool taking)
{
    for (int i = cudaMemPoolAttrReservedMemCurrent; i <= cudaMemPoolAttrUsedMemCurrent; i += 2) {
        p->attributes[i] = taking ? p->attributes[i] + bytes : p->attributes[i] - bytes;
        if (p->attributes[i] > p->attributes[i + 1])
            p->attributes[i + 1] = p->attributes[i];
    }
}

// What a captured stream allocates and frees is its graph's, and no pool's.
static bool captured(cudaStream_t stream)
{
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

    return cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
           status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

static bool alive(cudaMemPool_t p)
{
    return p && p->alive;
}

static cudaError_t take(void **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
    CUdeviceptr address = 0;
    CUresult r;

    HD_RT_ENTER();
    if (!out || (pool && !alive(pool)))
        return hd_session_note(cudaErrorInvalidValue);
    if (!bytes) {
        *out = NULL;
        return cudaSuccess;
    }
    r = cuMemAllocAsync(&address, bytes, stream);
    if (r != CUDA_SUCCESS)
        return hd_session_note(r);
    if (captured(stream)) {
        *out = (void *)(uintptr_t)address;
        return cudaSuccess;
    }
    struct hd_arena *a = hd_session_lock();
    struct piece *p = unused;
    if (p)
        unused = p->next;
    else
        p = HD_NEW(a, piece);
    *p = (struct piece){address, bytes, pool ? pool : current, *place(address)};
    *place(address) = p;
    count(p->pool, bytes, true);
    hd_session_unlock();
    *out = (void *)(uintptr_t)address;
    return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **out, size_t bytes, cudaStream_t stream)
{
    return take(out, bytes, NULL, stream);
}

cudaError_t cudaMallocFromPoolAsync(void **out, size_t bytes, cudaMemPool_t pool,
                                    cudaStream_t stream)
{
    return pool ? take(out, bytes, pool, stream) : hd_session_note(cudaErrorInvalidValue);
}

void hd_rtpools_freed(CUdeviceptr address)
{
    hd_session_lock();
    for (struct piece **p = place(address); *p; p = &(*p)->next)
        if ((*p)->address == address) {
            struct piece *gone = *p;
            count(gone->pool, gone->bytes, false);
            *p = gone->next;
            gone->next = unused;
            unused = gone;
            break;
        }
    hd_session_unlock();
}

void hd_rtpools_reset(void)
{
    hd_session_lock();
    memset(taken, 0, sizeof taken);
    standard = FRESH;
    current = &standard;
    hd_session_unlock();
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream)
{
    CUdeviceptr address = (CUdeviceptr)(uintptr_t)memory;

    HD_RT_ENTER();
    if (!memory)
        return cudaSuccess;
    CUresult r = cuMemFreeAsync(address, stream);
    if (r != CUDA_SUCCESS || captured(stream))
        return hd_session_note(r);
    hd_rtpools_freed(address);
    return cudaSuccess;
}

// --- pools

cudaError_t cudaMemPoolCreate(cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
    HD_RT_ENTER();
    if (!out || !props || props->allocType != 1 ||
        props->location.type != cudaMemLocationTypeDevice || props->location.id)
        return hd_session_note(cudaErrorInvalidValue);
    if (props->handleTypes)
        return hd_session_note(cudaErrorNotSupported); // nothing is shared between processes
    *out = HD_NEW(hd_session_lock(), cudaMemPool_st);
    **out = FRESH;
    hd_session_unlock();
    return cudaSuccess;
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    HD_RT_ENTER();
    if (!alive(pool) || pool == &standard)
        return hd_session_note(cudaErrorInvalidValue);
    hd_session_lock();
    pool->alive = false;
    if (current == pool)
        current = &standard;
    hd_session_unlock();
    return cudaSuccess;
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
    (void)bytes; // what is free belongs to the device at once
    return hd_session_note(alive(pool) ? cudaSuccess : cudaErrorInvalidValue);
}

static bool is_switch(int attribute)
{
    return attribute >= cudaMemPoolReuseFollowEventDependencies &&
           attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, int attribute, void *value)
{
    HD_RT_ENTER();
    if (!alive(pool) || attribute < 1 || attribute >= ATTRIBUTES || !value)
        return hd_session_note(cudaErrorInvalidValue);
    hd_session_lock();
    uint64_t is = pool->attributes[attribute];
    hd_session_unlock();
    int small = (int)is;
    memcpy(value, is_switch(attribute) ? (void *)&small : &is, is_switch(attribute) ? 4 : 8);
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, int attribute, void *value)
{
    uint64_t to = 0;
    bool high =
        attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;

    HD_RT_ENTER();
    if (!alive(pool) || !value ||
        (!is_switch(attribute) && attribute != cudaMemPoolAttrReleaseThreshold && !high))
        return hd_session_note(cudaErrorInvalidValue);
    memcpy(&to, value, is_switch(attribute) ? 4 : 8);
    if (high && to)
        return hd_session_note(cudaErrorInvalidValue); // only back to what is used now
    hd_session_lock();
    pool->attributes[attribute] = high ? pool->attributes[attribute - 1] : to;
    hd_session_unlock();
    return cudaSuccess;
}

cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t n)
{
    HD_RT_ENTER();
    if (!alive(pool) || (n && !list))
        return hd_session_note(cudaErrorInvalidValue);
    for (size_t i = 0; i < n; i++)
        if (list[i].location.type != cudaMemLocationTypeDevice || list[i].location.id)
            return hd_session_note(cudaErrorInvalidDevice);
        else if (list[i].flags != 3) // the device that owns it always has access
            return hd_session_note(cudaErrorInvalidValue);
    return cudaSuccess;
}

cudaError_t cudaMemPoolGetAccess(int *flags, cudaMemPool_t pool, struct cudaMemLocation *where)
{
    HD_RT_ENTER();
    if (!flags || !alive(pool) || !where || where->type != cudaMemLocationTypeDevice || where->id)
        return hd_session_note(cudaErrorInvalidValue);
    *flags = pool->access;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *out, int device)
{
    HD_RT_ENTER();
    if (!out || device)
        return hd_session_note(out ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    *out = &standard;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *out, int device)
{
    HD_RT_ENTER();
    if (!out || device)
        return hd_session_note(out ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    hd_session_lock();
    *out = current;
    hd_session_unlock();
    return cudaSuccess;
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    HD_RT_ENTER();
    if (device || !alive(pool))
        return hd_session_note(device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
    hd_session_lock();
    current = pool;
    hd_session_unlock();
    return cudaSuccess;
}
