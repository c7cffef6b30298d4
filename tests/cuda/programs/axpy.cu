// axpy.cu - a kernel for nvcc: shared memory, a function of the math library, printf.
#include <cstdio>

extern "C" __global__ void axpy(float a, const float *x, float *y, int n)
{
    __shared__ float tile[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    tile[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    if (i < n)
        y[i] += a * tile[threadIdx.x] * sinf(x[i]);
    if (i == 0)
        printf("n is %d\n", n);
}
