// parts_b.cu - the other file of parts_a.cu.
#include "../check.h"

#include "parts.h"

extern __device__ int common;
static __device__ int mine = 30;

__device__ int distant_function(int x)
{
    return x * 10 + common + mine;
}

__device__ int distant_number(const number &n)
{
    sum s(n.value());
    const number &also = s;
    return also.value();
}

__global__ void distant_kernel(int *p, char n, bool more)
{
    *p = n * 2 + more + mine;
}

static __global__ void same_name(int *p)
{
    *p = 2000 + mine;
}

void other_half(int *p)
{
    int value = 31;

    OK(cudaMemcpyToSymbol(mine, &value, sizeof value));
    same_name<<<1, 1>>>(p);
    twice<<<1, 1>>>(p + 1, 3.5f);
    OK(cudaDeviceSynchronize());
}
