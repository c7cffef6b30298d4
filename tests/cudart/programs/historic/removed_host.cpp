// removed_host.cpp - a host file that reads fields of cudaDeviceProp that CUDA 13 no longer has, and asks
// the management library.
#include <cuda_runtime_api.h>
#include <nvml.h>

int properties_of_host(int *clock)
{
    cudaDeviceProp prop;
    cudaError_t status = cudaGetDeviceProperties(&prop, 0);
    unsigned int count = 0;

    *clock = prop.clockRate;
    if (nvmlInit() || nvmlDeviceGetCount(&count) || count != 1)
        return 1;
    return status || prop.memoryClockRate <= 0 || prop.computeMode || prop.kernelExecTimeoutEnabled;
}
