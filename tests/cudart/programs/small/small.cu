// small.cu - ten thousand launches of a tiny kernel.
#include <cstdio>

__global__ void increment(int *count)
{
    if (!threadIdx.x)
        atomicAdd(count, 1);
}

int main()
{
    int *d, h = 0;

    cudaMalloc(&d, sizeof h);
    cudaMemset(d, 0, sizeof h);
    for (int i = 0; i < 10000; i++)
        increment<<<1, 32>>>(d);
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess)
        puts(cudaGetErrorName(e));
    else
        printf("%d launches\n", h);
    return h != 10000;
}
