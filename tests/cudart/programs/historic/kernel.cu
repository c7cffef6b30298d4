// kernel.cu - the CUDA half of a program whose other half is C and which gcc links: the samples' helper
// headers, a static variable in a function, an architecture that is gone.
#include <helper_cuda.h>
#include <helper_timer.h>

__global__ void add(int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        values[i] += i;
}

extern "C" int add_on_device(int argc, const char **argv, int *values, int n)
{
    static int device = findCudaDevice(argc, argv);
    size_t bytes = (size_t)n * sizeof *values;
    StopWatchInterface *watch = NULL;
    int *memory;

    if (device != gpuGetMaxGflopsDeviceId() || !sdkCreateTimer(&watch) || !sdkStartTimer(&watch))
        return 1;
    checkCudaErrors(cudaMalloc((void **)&memory, bytes));
    checkCudaErrors(cudaMemcpy(memory, values, bytes, cudaMemcpyHostToDevice));
    for (int k = 0; k < 2; k++)
        add<<<(n + 63) / 64, 64>>>(memory, n);
    getLastCudaError("add");
    checkCudaErrors(cudaMemcpy(values, memory, bytes, cudaMemcpyDeviceToHost));
    checkCudaErrors(cudaFree(memory));
    if (!sdkStopTimer(&watch) || !(sdkGetTimerValue(&watch) > 0) ||
        sdkGetAverageTimerValue(&watch) != sdkGetTimerValue(&watch))
        return 1;
    return sdkResetTimer(&watch) && sdkGetTimerValue(&watch) == 0 && sdkDeleteTimer(&watch) ? 0 : 1;
}

extern "C" void fail_on_device(void)
{
    checkCudaErrors(cudaMemcpy(NULL, NULL, 1, cudaMemcpyHostToDevice));
}
