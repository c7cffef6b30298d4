// main.cu - relocatable device code in three units, and kernels in two shared libraries: static functions
// of one name, variables and functions of other units, virtual functions, recursion, templates.
#include "../check.h"
#include "units.h"

static __device__ int offset(int x) { return x + 1; } // each unit has its own
__device__ shape *made;

__global__ void local(int *out) { out[0] = offset(1) + other_offset(2) + shared_table[3]; }
__global__ void objects(int *out)
{
    made = new square(5);
    out[0] = made->area() + measure(made);
    delete made;
    made = new triangle(4, 6);
    out[1] = made->area() + measure(made);
    delete made;
}
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recursive(int *out) { out[threadIdx.x] = fibonacci((int)threadIdx.x); }
__global__ void talk(const char *who)
{
    if (threadIdx.x == 3)
        printf("thread %d of %s says %.2f\n", (int)threadIdx.x, who, 0.5);
}
__global__ void chosen(int *out, int which)
{
    int (*f)(int) = which ? other_offset : offset;
    out[0] = f(100);
}

int main()
{
    int *d, h[16], table[4] = {0, 0, 0, 1000};
    char *name;

    OK(cudaMalloc(&d, sizeof h));
    OK(cudaMemcpyToSymbol(shared_table, table, sizeof table));
    local<<<1, 1>>>(d);
    OK(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 2 + 12 + 1000);
    objects<<<1, 1>>>(d);
    OK(cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 50 && h[1] == 24);
    recursive<<<1, 16>>>(d);
    OK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
    EXPECT(h[15] == 610 && h[2] == 1);
    for (int which = 0; which < 2; which++) {
        chosen<<<1, 1>>>(d, which);
        OK(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
        EXPECT(h[0] == (which ? 110 : 101));
    }
    OK(cudaMalloc(&name, 8));
    OK(cudaMemcpy(name, "heddle", 7, cudaMemcpyHostToDevice));
    talk<<<1, 32>>>(name);
    OK(cudaDeviceSynchronize());
    EXPECT(first_library(20) == 40);
    EXPECT(second_library(20) == 60);
    EXPECT(first_library(1) == 2);
    return verdict();
}
