// historic.cu - a program as it was written for CUDA 3: cutil, cudaThread*, fields that are gone.
#include <cutil_inline.h>

__global__ void square(float *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        values[i] *= values[i];
}

int main(int argc, char **argv)
{
    const int n = 1000;
    float host[n], expected[n], *device;
    unsigned int timer = 0;
    int rounds = 1;
    cudaDeviceProp prop;

    CUT_DEVICE_INIT(argc, argv);
    CUDA_SAFE_CALL(cudaGetDeviceProperties(&prop, 0));
    printf("%s: %d kHz, mode %d, overlap %d, timeout %d\n", prop.name, prop.clockRate,
           prop.computeMode, prop.deviceOverlap, prop.kernelExecTimeoutEnabled);
    cutGetCmdLineArgumenti(argc, (const char **)argv, "rounds", &rounds);
    CUT_SAFE_CALL(cutCreateTimer(&timer));
    for (int i = 0; i < n; i++) {
        host[i] = expected[i] = 1 + i * 0.001f;
        for (int k = 0; k < rounds; k++)
            expected[i] *= expected[i];
    }
    cutilSafeCall(cudaMalloc((void **)&device, sizeof host));
    cutilSafeCall(cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice));
    CUT_SAFE_CALL(cutStartTimer(timer));
    for (int k = 0; k < rounds; k++)
        square<<<(n + 127) / 128, 128>>>(device, n);
    CUT_CHECK_ERROR("square failed");
    cutilSafeCall(cudaThreadSynchronize());
    CUT_SAFE_CALL(cutStopTimer(timer));
    cutilSafeCall(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
    printf("%s, %d rounds%s\n", cutComparef(expected, host, n) ? "PASSED" : "FAILED", rounds,
           cutGetTimerValue(timer) > 0 ? "" : ", no time");
    CUT_SAFE_CALL(cutDeleteTimer(timer));
    cutilSafeCall(cudaFree(device));
    cudaThreadExit();
    CUT_EXIT(argc, argv);
}
