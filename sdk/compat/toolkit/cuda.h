// cuda.h - the toolkit's, and for C++ the forms that functions had before CUDA 13.
#ifndef HEDDLE_LEGACY_CUDA_H
#define HEDDLE_LEGACY_CUDA_H

#include_next <cuda.h>

#if defined(__cplusplus) && CUDA_VERSION >= 13000

static inline CUresult cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device)
{
    return cuCtxCreate(context, static_cast<CUctxCreateParams *>(0), flags, device);
}

static inline CUmemLocation heddle_legacy_cu_location(CUdevice device)
{
    CUmemLocation location;

    location.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
    location.id = device == CU_DEVICE_CPU ? 0 : device;
    return location;
}

static inline CUresult cuMemAdvise(CUdeviceptr at, size_t size, CUmem_advise advice, CUdevice device)
{
    return cuMemAdvise(at, size, advice, heddle_legacy_cu_location(device));
}

static inline CUresult cuMemPrefetchAsync(CUdeviceptr at, size_t size, CUdevice device, CUstream stream)
{
    return cuMemPrefetchAsync(at, size, heddle_legacy_cu_location(device), 0, stream);
}

#endif
#endif
