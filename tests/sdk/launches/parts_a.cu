// parts_a.cu - device code of two files, this and parts_b.cu, that are linked: functions, variables,
// kernels launched from the other file, static names and templates that both have.
#include "../check.h"

#include "parts.h"

static __device__ int mine = 3;
static __constant__ int table[2] = {10, 20};
__device__ int common = 5;

static __global__ void same_name(int *p)
{
    *p = 1000 + mine + table[1];
}

__global__ void near(int *p)
{
    p[0] = distant_function(4) + mine;
    distant_kernel<<<1, 1>>>(p + 1, 3, true);
    twice<<<1, 1>>>(p + 2, 1.5f);
    same_name<<<1, 1>>>(p + 3);
    sum s(p[6]);
    p[6] = distant_number(s);
}

int main()
{
    shared<int> v(8);
    int three = 4;

    for (int i = 0; i < 8; i++)
        v.at[i] = 0;
    OK(cudaMemcpyToSymbol(mine, &three, sizeof three));
    other_half(v.at + 4);
    near<<<1, 1>>>(v.at);
    OK(cudaDeviceSynchronize());
    TRUE(v.at[0] == 4 * 10 + 5 + 31 + 4);
    TRUE(v.at[1] == 3 * 2 + 1 + 31);
    TRUE(v.at[2] == 3);
    TRUE(v.at[3] == 1024);
    TRUE(v.at[4] == 2031);
    TRUE(v.at[5] == 7);
    TRUE(v.at[6] == 202);
    return ended();
}
