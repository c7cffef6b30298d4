// rtdevice.c - the device: choice, properties, limits, reset. There is one.
#include "cudart/session.h"

#include <string.h>

// For driver calls that need no context; cuInit must have succeeded.
#define DRIVER_ENTER()                                                                             \
    do {                                                                                           \
        cudaError_t entered_ = hd_session_driver();                                                \
        if (entered_ != cudaSuccess)                                                               \
            return hd_session_note(entered_);                                                      \
    } while (0)

cudaError_t cudaGetDeviceCount(int *count)
{
    if (!count)
        return hd_session_note(cudaErrorInvalidValue);
    *count = 0;
    DRIVER_ENTER();
    return hd_session_note(cuDeviceGetCount(count));
}

cudaError_t cudaSetDevice(int device)
{
    DRIVER_ENTER();
    if (device)
        return hd_session_note(cudaErrorInvalidDevice);
    return hd_session_note(hd_session_enter());
}

cudaError_t cudaInitDevice(int device, unsigned flags, unsigned more)
{
    (void)flags, (void)more; // how a thread waits makes no difference
    return cudaSetDevice(device);
}

cudaError_t cudaGetDevice(int *device)
{
    DRIVER_ENTER();
    if (!device)
        return hd_session_note(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *devices, int n)
{
    DRIVER_ENTER();
    for (int i = 0; i < n; i++)
        if (!devices || devices[i])
            return hd_session_note(cudaErrorInvalidDevice);
    return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
    DRIVER_ENTER();
    return hd_session_note(cuDevicePrimaryCtxSetFlags(0, flags));
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
    int active;

    DRIVER_ENTER();
    CUresult r = cuDevicePrimaryCtxGetState(0, flags, &active);
    if (r == CUDA_SUCCESS)
        *flags |= CU_CTX_MAP_HOST; // always set, as by NVIDIA's runtime
    return hd_session_note(r);
}

cudaError_t cudaDeviceGetAttribute(int *value, int which, int device)
{
    DRIVER_ENTER();
    if (device)
        return hd_session_note(cudaErrorInvalidDevice);
    return hd_session_note(cuDeviceGetAttribute(value, (CUdevice_attribute)which, 0));
}

// --- properties

#define AT(field) offsetof(struct cudaDeviceProp, field)
static const struct {
    unsigned short offset, which;
} ints[] = {
    {AT(regsPerBlock), 12},
    {AT(warpSize), 10},
    {AT(maxThreadsPerBlock), 1},
    {AT(maxThreadsDim[0]), 2},
    {AT(maxThreadsDim[1]), 3},
    {AT(maxThreadsDim[2]), 4},
    {AT(maxGridSize[0]), 5},
    {AT(maxGridSize[1]), 6},
    {AT(maxGridSize[2]), 7},
    {AT(major), 75},
    {AT(minor), 76},
    {AT(multiProcessorCount), 16},
    {AT(integrated), 18},
    {AT(canMapHostMemory), 19},
    {AT(maxTexture1D), 21},
    {AT(maxTexture1DMipmap), 77},
    {AT(maxTexture2D[0]), 22},
    {AT(maxTexture2D[1]), 23},
    {AT(maxTexture2DMipmap[0]), 73},
    {AT(maxTexture2DMipmap[1]), 74},
    {AT(maxTexture2DLinear[0]), 70},
    {AT(maxTexture2DLinear[1]), 71},
    {AT(maxTexture2DLinear[2]), 72},
    {AT(maxTexture2DGather[0]), 45},
    {AT(maxTexture2DGather[1]), 46},
    {AT(maxTexture3D[0]), 24},
    {AT(maxTexture3D[1]), 25},
    {AT(maxTexture3D[2]), 26},
    {AT(maxTexture3DAlt[0]), 47},
    {AT(maxTexture3DAlt[1]), 48},
    {AT(maxTexture3DAlt[2]), 49},
    {AT(maxTextureCubemap), 52},
    {AT(maxTexture1DLayered[0]), 42},
    {AT(maxTexture1DLayered[1]), 43},
    {AT(maxTexture2DLayered[0]), 27},
    {AT(maxTexture2DLayered[1]), 28},
    {AT(maxTexture2DLayered[2]), 29},
    {AT(maxTextureCubemapLayered[0]), 53},
    {AT(maxTextureCubemapLayered[1]), 54},
    {AT(maxSurface1D), 55},
    {AT(maxSurface2D[0]), 56},
    {AT(maxSurface2D[1]), 57},
    {AT(maxSurface3D[0]), 58},
    {AT(maxSurface3D[1]), 59},
    {AT(maxSurface3D[2]), 60},
    {AT(maxSurface1DLayered[0]), 61},
    {AT(maxSurface1DLayered[1]), 62},
    {AT(maxSurface2DLayered[0]), 63},
    {AT(maxSurface2DLayered[1]), 64},
    {AT(maxSurface2DLayered[2]), 65},
    {AT(maxSurfaceCubemap), 66},
    {AT(maxSurfaceCubemapLayered[0]), 67},
    {AT(maxSurfaceCubemapLayered[1]), 68},
    {AT(concurrentKernels), 31},
    {AT(ECCEnabled), 32},
    {AT(pciBusID), 33},
    {AT(pciDeviceID), 34},
    {AT(pciDomainID), 50},
    {AT(tccDriver), 35},
    {AT(asyncEngineCount), 40},
    {AT(unifiedAddressing), 41},
    {AT(memoryBusWidth), 37},
    {AT(l2CacheSize), 38},
    {AT(persistingL2CacheMaxSize), 108},
    {AT(maxThreadsPerMultiProcessor), 39},
    {AT(streamPrioritiesSupported), 78},
    {AT(globalL1CacheSupported), 79},
    {AT(localL1CacheSupported), 80},
    {AT(regsPerMultiprocessor), 82},
    {AT(managedMemory), 83},
    {AT(isMultiGpuBoard), 84},
    {AT(multiGpuBoardGroupID), 85},
    {AT(hostNativeAtomicSupported), 86},
    {AT(pageableMemoryAccess), 88},
    {AT(concurrentManagedAccess), 89},
    {AT(computePreemptionSupported), 90},
    {AT(canUseHostPointerForRegisteredMem), 91},
    {AT(cooperativeLaunch), 95},
    {AT(pageableMemoryAccessUsesHostPageTables), 100},
    {AT(directManagedMemAccessFromHost), 101},
    {AT(maxBlocksPerMultiProcessor), 106},
    {AT(accessPolicyMaxWindowSize), 109},
#if HD_CUDART < 13
    {AT(clockRate), 13},
    {AT(deviceOverlap), 15},
    {AT(kernelExecTimeoutEnabled), 17},
    {AT(computeMode), 20},
    {AT(maxTexture1DLinear), 69},
    {AT(memoryClockRate), 36},
    {AT(singleToDoublePrecisionPerfRatio), 87},
    {AT(cooperativeMultiDeviceLaunch), 96},
#endif
#if HD_CUDART >= 12
    {AT(hostRegisterSupported), 99},
    {AT(sparseCudaArraySupported), 112},
    {AT(hostRegisterReadOnlySupported), 113},
    {AT(timelineSemaphoreInteropSupported), 114},
    {AT(memoryPoolsSupported), 115},
    {AT(gpuDirectRDMASupported), 116},
    {AT(gpuDirectRDMAFlushWritesOptions), 117},
    {AT(gpuDirectRDMAWritesOrdering), 118},
    {AT(memoryPoolSupportedHandleTypes), 119},
    {AT(clusterLaunch), 120},
    {AT(deferredMappingCudaArraySupported), 121},
    {AT(ipcEventSupported), 125},
    {AT(unifiedFunctionPointers), 129},
#endif
};
static const struct {
    unsigned short offset, which;
} sizes[] = {
    {AT(sharedMemPerBlock), 8},
    {AT(memPitch), 11},
    {AT(totalConstMem), 9},
    {AT(textureAlignment), 14},
    {AT(texturePitchAlignment), 51},
    {AT(surfaceAlignment), 30},
    {AT(sharedMemPerMultiprocessor), 81},
    {AT(sharedMemPerBlockOptin), 97},
    {AT(reservedSharedMemPerBlock), 111},
};

static cudaError_t properties(struct cudaDeviceProp *out, int device)
{
    int value;
    size_t wide;

    DRIVER_ENTER();
    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    if (device)
        return hd_session_note(cudaErrorInvalidDevice);
    memset(out, 0, sizeof *out);
    CUresult r = cuDeviceGetName(out->name, sizeof out->name, 0);
    if (r == CUDA_SUCCESS)
        r = cuDeviceTotalMem(&out->totalGlobalMem, 0);
    if (r == CUDA_SUCCESS)
        r = cuDeviceGetUuid(&out->uuid, 0);
    for (size_t i = 0; i < sizeof ints / sizeof *ints && r == CUDA_SUCCESS; i++) {
        r = cuDeviceGetAttribute(&value, (CUdevice_attribute)ints[i].which, 0);
        memcpy((char *)out + ints[i].offset, &value, sizeof value);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && r == CUDA_SUCCESS; i++) {
        r = cuDeviceGetAttribute(&value, (CUdevice_attribute)sizes[i].which, 0);
        wide = (size_t)value;
        memcpy((char *)out + sizes[i].offset, &wide, sizeof wide);
    }
    return hd_session_note(r);
}

#if HD_CUDART == 12
// The name in headers of CUDA 12. Programs that use the plain name have the shorter struct of CUDA
// 11.
cudaError_t cudaGetDeviceProperties_v2(struct cudaDeviceProp *out, int device)
{
    return properties(out, device);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
    struct cudaDeviceProp all;

    if (!out)
        return hd_session_note(cudaErrorInvalidValue);
    cudaError_t e = properties(&all, device);
    if (e == cudaSuccess)
        memcpy(out, &all, AT(hostRegisterSupported));
    return e;
}
#else
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
    return properties(out, device);
}
#endif

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    return wanted ? cudaGetDevice(device) : hd_session_note(cudaErrorInvalidValue);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t *elements,
                                                 const struct cudaChannelFormatDesc *channels,
                                                 int device)
{
    int value;

    DRIVER_ENTER();
    if (!elements || !channels)
        return hd_session_note(cudaErrorInvalidValue);
    if (device)
        return hd_session_note(cudaErrorInvalidDevice);
    CUresult r =
        cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 0);
    *elements = (size_t)value;
    return hd_session_note(r);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device)
{
    DRIVER_ENTER();
    return hd_session_note(cuDeviceGetPCIBusId(id, length, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id)
{
    DRIVER_ENTER();
    return hd_session_note(cuDeviceGetByPCIBusId(device, id));
}

// --- peers: there are none

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    DRIVER_ENTER();
    return hd_session_note(cuDeviceCanAccessPeer(can, device, peer));
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    HD_RT_ENTER();
    (void)peer, (void)flags;
    return hd_session_note(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    HD_RT_ENTER();
    return hd_session_note(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, int which, int from, int to)
{
    DRIVER_ENTER();
    (void)which, (void)from, (void)to; // the two devices must differ, and there is only one
    return hd_session_note(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

// --- the context

cudaError_t cudaDeviceSynchronize(void)
{
    HD_RT_ENTER();
    return hd_session_note(cuCtxSynchronize());
}

cudaError_t cudaDeviceReset(void)
{
    DRIVER_ENTER();
    CUresult r = cuCtxSetCurrent(NULL);
    if (r == CUDA_SUCCESS)
        r = cuDevicePrimaryCtxReset(0);
    hd_session_reset();
    return hd_session_note(r);
}

cudaError_t cudaDeviceSetLimit(int limit, size_t value)
{
    HD_RT_ENTER();
    return hd_session_note(cuCtxSetLimit((CUlimit)limit, value));
}

cudaError_t cudaDeviceGetLimit(size_t *value, int limit)
{
    HD_RT_ENTER();
    return hd_session_note(cuCtxGetLimit(value, (CUlimit)limit));
}

cudaError_t cudaDeviceSetCacheConfig(int config)
{
    HD_RT_ENTER();
    return hd_session_note(cuCtxSetCacheConfig((CUfunc_cache)config));
}

cudaError_t cudaDeviceGetCacheConfig(int *config)
{
    CUfunc_cache is = CU_FUNC_CACHE_PREFER_NONE;

    HD_RT_ENTER();
    CUresult r = config ? cuCtxGetCacheConfig(&is) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *config = (int)is;
    return hd_session_note(r);
}

cudaError_t cudaDeviceSetSharedMemConfig(int config)
{
    HD_RT_ENTER();
    return hd_session_note(cuCtxSetSharedMemConfig((CUsharedconfig)config));
}

cudaError_t cudaDeviceGetSharedMemConfig(int *config)
{
    CUsharedconfig is = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;

    HD_RT_ENTER();
    CUresult r = config ? cuCtxGetSharedMemConfig(&is) : CUDA_ERROR_INVALID_VALUE;
    if (r == CUDA_SUCCESS)
        *config = (int)is;
    return hd_session_note(r);
}

cudaError_t cudaCtxResetPersistingL2Cache(void)
{
    HD_RT_ENTER();
    return hd_session_note(cuCtxResetPersistingL2Cache());
}

// --- versions, the driver's functions, profiling

cudaError_t cudaDriverGetVersion(int *version)
{
    return hd_session_note(cuDriverGetVersion(version));
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
    if (!version)
        return hd_session_note(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags, int *status)
{
    CUdriverProcAddressQueryResult s = CU_GET_PROC_ADDRESS_SUCCESS;

    DRIVER_ENTER();
    if (!name || !function || version > INT32_MAX)
        return hd_session_note(cudaErrorInvalidValue);
    CUresult r = cuGetProcAddress(name, function, (int)version, flags, &s);
    if (status)
        *status = (int)s;
    if (r == CUDA_ERROR_NOT_FOUND && status) { // *status reports it
        *function = NULL;
        return cudaSuccess;
    }
    return hd_session_note(r);
}

#if HD_CUDART >= 12
cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    int *status)
{
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, status);
}
#else
cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags)
{
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, NULL);
}
#endif

#if HD_CUDART < 12
cudaError_t cudaProfilerInitialize(const char *config, const char *output, int mode)
{
    HD_RT_ENTER();
    return config && output && (mode == 0 || mode == 1) ? cudaSuccess
                                                        : hd_session_note(cudaErrorInvalidValue);
}
#endif

cudaError_t cudaProfilerStart(void)
{
    HD_RT_ENTER(); // results cover the whole run anyway
    return cudaSuccess;
}

cudaError_t cudaProfilerStop(void)
{
    HD_RT_ENTER();
    return cudaSuccess;
}
