// library.cu - a shared library with a kernel, built twice.
#include "units.h"

static __constant__ int factor[1] = {FACTOR};

static __global__ void read(int *x) { *x = factor[0]; }

int NAME(int value)
{
    int *d, h = 0;

    cudaMalloc(&d, 4);
    read<<<1, 1>>>(d);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    cudaMemcpy(d, &value, 4, cudaMemcpyHostToDevice);
    times<int><<<1, 1>>>(d, h);
    cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    cudaFree(d);
    return h;
}
