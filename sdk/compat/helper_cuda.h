// helper_cuda.h - what programs used of the helper headers of the CUDA samples from 5.0 on, written anew: checks that end
// the program, the choice of a device. The samples' own header, if the makefile finds it, comes first.
#ifndef HEDDLE_LEGACY_HELPER_CUDA_H
#define HEDDLE_LEGACY_HELPER_CUDA_H

#include "heddle_legacy.h"

#include <cuda_runtime.h>

#include <stdio.h>
#include <stdlib.h>

static inline void heddle_helper_check(cudaError_t status, const char *what, const char *file,
                                       int line)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(status));
    exit(EXIT_FAILURE);
}

#define checkCudaErrors(call) heddle_helper_check((call), #call, __FILE__, __LINE__)
#define getLastCudaError(message)                                                                  \
    heddle_helper_check(cudaGetLastError(), message, __FILE__, __LINE__)

// There is one device.
static inline int gpuGetMaxGflopsDeviceId(void)
{
    return 0;
}

static inline int findCudaDevice(int argc, const char **argv)
{
    (void)argc;
    (void)argv;
    checkCudaErrors(cudaSetDevice(0));
    return 0;
}

#endif
