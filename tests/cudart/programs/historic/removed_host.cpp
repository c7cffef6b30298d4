// removed_host.cpp - a host file that reads fields of cudaDeviceProp that CUDA 13 no longer has.
#include <cuda_runtime_api.h>

int properties_of_host(int *clock)
{
    cudaDeviceProp prop;
    cudaError_t status = cudaGetDeviceProperties(&prop, 0);

    *clock = prop.clockRate;
    return status || prop.memoryClockRate <= 0 || prop.computeMode || prop.kernelExecTimeoutEnabled;
}
