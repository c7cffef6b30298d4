// legacy_symbols.c - older and newer symbols of functions whose interface is the same in a 64-bit
// program, and small functions that always give the same answer.
#include "cuda/abi/ptsz.h"

#undef cuCtxCreate
#undef cuCtxDestroy
#undef cuCtxPushCurrent
#undef cuCtxPopCurrent
#undef cuDevicePrimaryCtxRelease
#undef cuDevicePrimaryCtxReset
#undef cuDevicePrimaryCtxSetFlags
#undef cuDeviceGetUuid
#undef cuStreamDestroy
#undef cuEventDestroy
#undef cuEventElapsedTime
#undef cuMemHostRegister
#undef cuLinkCreate
#undef cuLinkAddData
#undef cuLinkAddFile
#undef cuGetProcAddress
#undef cuStreamWaitValue32
#undef cuStreamWaitValue64
#undef cuStreamWriteValue32
#undef cuStreamWriteValue64
#undef cuStreamBatchMemOp

// A function and what it does.
#define SAME(name, params, call)                                                                   \
    CUresult name params;                                                                          \
    CUresult name params                                                                           \
    {                                                                                              \
        return call;                                                                               \
    }

SAME(cuCtxCreate, (CUcontext * c, unsigned flags, CUdevice d), cuCtxCreate_v2(c, flags, d))
SAME(cuCtxDestroy, (CUcontext c), cuCtxDestroy_v2(c))
SAME(cuCtxPushCurrent, (CUcontext c), cuCtxPushCurrent_v2(c))
SAME(cuCtxPopCurrent, (CUcontext * c), cuCtxPopCurrent_v2(c))
SAME(cuDevicePrimaryCtxRelease, (CUdevice d), cuDevicePrimaryCtxRelease_v2(d))
SAME(cuDevicePrimaryCtxReset, (CUdevice d), cuDevicePrimaryCtxReset_v2(d))
SAME(cuDevicePrimaryCtxSetFlags, (CUdevice d, unsigned flags),
     cuDevicePrimaryCtxSetFlags_v2(d, flags))
SAME(cuDeviceGetUuid, (CUuuid * uuid, CUdevice d), cuDeviceGetUuid_v2(uuid, d))
SAME(cuStreamDestroy, (CUstream s), cuStreamDestroy_v2(s))
SAME(cuEventDestroy, (CUevent e), cuEventDestroy_v2(e))
SAME(cuEventElapsedTime, (float *ms, CUevent a, CUevent b), cuEventElapsedTime_v2(ms, a, b))
SAME(cuMemHostRegister, (void *host, size_t n, unsigned flags),
     cuMemHostRegister_v2(host, n, flags))
SAME(cuLinkCreate, (unsigned n, CUjit_option *o, void **v, CUlinkState *s),
     cuLinkCreate_v2(n, o, v, s))
SAME(cuLinkAddData,
     (CUlinkState s, CUjitInputType type, void *data, size_t bytes, const char *name, unsigned n,
      CUjit_option *o, void **v),
     cuLinkAddData_v2(s, type, data, bytes, name, n, o, v))
SAME(cuLinkAddFile,
     (CUlinkState s, CUjitInputType type, const char *path, unsigned n, CUjit_option *o, void **v),
     cuLinkAddFile_v2(s, type, path, n, o, v))
SAME(cuGetProcAddress, (const char *symbol, void **f, int version, uint64_t flags),
     cuGetProcAddress_v2(symbol, f, version, flags, NULL))

// Before CUDA 11.7 a program had to enable these; they do the same.
SAME(cuStreamWaitValue32, (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags),
     cuStreamWaitValue32_v2(stream, address, value, flags))
SAME(cuStreamWaitValue64, (CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags),
     cuStreamWaitValue64_v2(stream, address, value, flags))
SAME(cuStreamWriteValue32, (CUstream stream, CUdeviceptr address, uint32_t value, unsigned flags),
     cuStreamWriteValue32_v2(stream, address, value, flags))
SAME(cuStreamWriteValue64, (CUstream stream, CUdeviceptr address, uint64_t value, unsigned flags),
     cuStreamWriteValue64_v2(stream, address, value, flags))
SAME(cuStreamBatchMemOp,
     (CUstream stream, unsigned n, CUstreamBatchMemOpParams *list, unsigned flags),
     cuStreamBatchMemOp_v2(stream, n, list, flags))

// There is one device and it has no peers; starting or stopping a profiler does nothing; code is
// loaded at once.
SAME(cuDeviceGetP2PAttribute, (int *value, int attribute, CUdevice a, CUdevice b),
     ((void)value, (void)attribute, (void)a, (void)b, CUDA_ERROR_INVALID_DEVICE))
SAME(cuCtxEnablePeerAccess, (CUcontext c, unsigned flags),
     ((void)c, (void)flags, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED))
SAME(cuCtxDisablePeerAccess, (CUcontext c), ((void)c, CUDA_ERROR_PEER_ACCESS_NOT_ENABLED))
SAME(cuProfilerStart, (void), CUDA_SUCCESS)
SAME(cuProfilerStop, (void), CUDA_SUCCESS)
SAME(cuModuleGetLoadingMode, (int *mode),
     (mode ? (*mode = 1, CUDA_SUCCESS) : CUDA_ERROR_INVALID_VALUE))
SAME(cuFuncIsLoaded, (int *state, CUfunction f),
     (state ? (*state = 1, cuFuncLoad(f)) : CUDA_ERROR_INVALID_VALUE))
SAME(cuMemcpy3DPeer_ptds, (const CUDA_MEMCPY3D *copy), cuMemcpy3D_v2(copy))
SAME(cuMemcpy3DPeerAsync_ptsz, (const CUDA_MEMCPY3D *copy, CUstream s),
     cuMemcpy3DAsync_v2(copy, hd_ptsz_stream(s)))
SAME(cuMemcpy3DPeer, (const CUDA_MEMCPY3D *copy), cuMemcpy3D_v2(copy))
SAME(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D *copy, CUstream s), cuMemcpy3DAsync_v2(copy, s))
