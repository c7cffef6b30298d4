// vecadd.cu - a CUDA program to begin with:
//   heddle cc examples/vecadd.cu -o vecadd
//   heddle exec -- ./vecadd
#include <cstdio>
#include <cuda_runtime.h>

__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        c[i] = a[i] + b[i];
}

int main()
{
    const int n = 100000;
    float *a, *b, *c;
    int wrong = 0;

    cudaMallocManaged(&a, n * sizeof *a);
    cudaMallocManaged(&b, n * sizeof *b);
    cudaMallocManaged(&c, n * sizeof *c);
    for (int i = 0; i < n; i++)
        a[i] = i, b[i] = 2 * i;
    vecadd<<<(n + 255) / 256, 256>>>(a, b, c, n);
    cudaError_t e = cudaDeviceSynchronize();
    for (int i = 0; i < n; i++)
        wrong += c[i] != 3 * i;
    printf("%s, %d of %d sums wrong\n", cudaGetErrorString(e), wrong, n);
    return wrong != 0;
}
