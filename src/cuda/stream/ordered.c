// ordered.c - memory that is allocated, freed and prefetched in the order of a stream.
#include "cuda/stream/stream.h"

#include "cuda/abi/ptsz.h"
#include "cuda/memory/devmem.h"
#include "cuda/stream/capture.h"

// What a captured stream allocates belongs to its graph and to no pool.
static CUresult allocate(CUdeviceptr *address, size_t bytes, CUmemoryPool pool, CUstream stream)
{
    struct hd_cuda_stream *s = hd_streams_get(stream);
    bool captured;
    CUresult r;

    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (!address || !bytes || !hd_pools_has(pool))
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_capture_enqueues(s, &captured);
    if (r != CUDA_SUCCESS)
        return r;
    return captured ? hd_capture_alloc(s, address, bytes) : hd_pools_take(address, bytes, pool);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return allocate(address, bytes, hd_pools_current(), stream);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t bytes, CUmemoryPool pool,
                                 CUstream stream)
{
    HD_CUDA_ENTER(HD_CUDA_WORKING);
    return allocate(address, bytes, pool, stream);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream)
{
    struct hd_cuda_op op = {.kind = &hd_devmem_free, .u.free = address};
    struct hd_graph_work w = {.type = CU_GRAPH_NODE_TYPE_MEM_FREE, .u.free = address};
    struct hd_cuda_stream *s;
    bool captured;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    r = hd_capture_enqueues(s, &captured);
    if (r != CUDA_SUCCESS)
        return r;
    struct hd_cuda_alloc *a = hd_devmem_around(address);
    if (captured)
        return hd_devmem_reserved(address) ? hd_capture_add(s, &w) : CUDA_ERROR_INVALID_VALUE;
    if (!a || a->ending || a->address != address || a->kind != HD_ALLOC_DEVICE ||
        !(a->graph ? a->held : a->live))
        return CUDA_ERROR_INVALID_VALUE;
    // Memory of graphs is checked when nodes use it.
    a->ending = !a->graph;
    a->held = false;
    return hd_queue_add(s, &op, NULL);
}

// There is one memory and nothing moves: the hint is kept at once. No graph has such a node.
static CUresult prefetch(CUdeviceptr address, size_t bytes, CUdevice device, unsigned flags,
                         CUstream stream)
{
    struct hd_cuda_stream *s;
    CUresult r;

    HD_CUDA_ENTER(HD_CUDA_WORKING);
    s = hd_streams_get(stream);
    if (!s)
        return CUDA_ERROR_INVALID_HANDLE;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    r = hd_capture_unhandled(s);
    return r == CUDA_SUCCESS ? hd_advice_prefetch(address, bytes, device) : r;
}

#undef cuMemPrefetchAsync
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream);
CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr address, size_t bytes, CUdevice device,
                                 CUstream stream);
CUresult cuMemPrefetchAsync(CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream)
{
    return prefetch(address, bytes, device, 0, stream);
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t bytes, CUmemLocation location,
                               unsigned flags, CUstream stream)
{
    return prefetch(address, bytes, hd_advice_device(location), flags, stream);
}

CUresult cuMemPrefetchAsync_ptsz(CUdeviceptr address, size_t bytes, CUdevice device,
                                 CUstream stream)
{
    return prefetch(address, bytes, device, 0, hd_ptsz_stream(stream));
}
