// heddle_legacy.h - names that CUDA has dropped since, for programs of their time. Put in front of
// every source file by the compiler:
//
//   NVCC_APPEND_FLAGS="-cudart shared -I HEDDLE/legacy -include heddle_legacy.h" make
//
// It gives back cudaThread*, the fields that CUDA 13 took out of cudaDeviceProp, and a few enumerators.
// cutil.h and its kin, beside this file, give back what programs used of the SDK's helper library,
// helper_cuda.h and helper_timer.h of the samples' helper headers. bin/nvcc does all this for makefiles
// that name architectures of their time.
// Texture references (texture<...>) are part of the language, and no header can bring them back;
// the compiler of CUDA 11 has them.
#ifndef HEDDLE_LEGACY_H
#define HEDDLE_LEGACY_H

#define cudaThreadSynchronize cudaDeviceSynchronize
#define cudaThreadExit cudaDeviceReset
#define cudaThreadSetLimit cudaDeviceSetLimit
#define cudaThreadGetLimit cudaDeviceGetLimit
#define cudaThreadSetCacheConfig cudaDeviceSetCacheConfig
#define cudaThreadGetCacheConfig cudaDeviceGetCacheConfig

// Host files that the program gives to nvcc include the toolkit themselves, if they want it.
#ifdef __CUDACC__
#include <cuda_runtime.h>

#if defined(__cplusplus) && CUDART_VERSION >= 13000

struct heddle_legacy_prop : cudaDeviceProp {
    int clockRate, memoryClockRate; // in kHz
    int computeMode, deviceOverlap, kernelExecTimeoutEnabled;
    int cooperativeMultiDeviceLaunch, singleToDoublePrecisionPerfRatio;
};

static inline cudaError_t heddle_legacy_properties(heddle_legacy_prop *prop, int device)
{
    static const cudaDeviceAttr which[] = {
        cudaDevAttrClockRate,         cudaDevAttrMemoryClockRate,
        cudaDevAttrComputeMode,       cudaDevAttrGpuOverlap,
        cudaDevAttrKernelExecTimeout, cudaDevAttrSingleToDoublePrecisionPerfRatio};
    int values[6] = {0};
    cudaError_t status = cudaGetDeviceProperties(static_cast<cudaDeviceProp *>(prop), device);

    for (int i = 0; i < 6 && status == cudaSuccess; i++)
        status = cudaDeviceGetAttribute(&values[i], which[i], device);
    prop->clockRate = values[0];
    prop->memoryClockRate = values[1];
    prop->computeMode = values[2];
    prop->deviceOverlap = values[3];
    prop->kernelExecTimeoutEnabled = values[4];
    prop->cooperativeMultiDeviceLaunch = 0;
    prop->singleToDoublePrecisionPerfRatio = values[5];
    return status;
}

#define cudaDeviceProp heddle_legacy_prop
#define cudaGetDeviceProperties heddle_legacy_properties

#endif
#endif
#endif
