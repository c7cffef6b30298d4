// load.c - loads the module that is named on the command line and runs its kernel axpy.
#include "cuda/abi/driver.h"

#include <stdio.h>

enum { N = 1000 };

int main(int argc, char **argv)
{
    CUcontext context;
    CUmodule module;
    CUfunction axpy;
    CUdeviceptr x, y;
    float v[N], a = 2;
    int n = N;
    void *params[] = {&a, &x, &y, &n};
    CUresult r;

    if (argc != 2 || cuInit(0) || cuCtxCreate(&context, NULL, 0, 0))
        return 2;
    r = cuModuleLoad(&module, argv[1]);
    if (r) {
        printf("error %d\n", (int)r);
        return 1;
    }
    for (int i = 0; i < N; i++)
        v[i] = (float)i * 0.01f;
    if (cuModuleGetFunction(&axpy, module, "axpy") || cuMemAlloc(&x, sizeof v) ||
        cuMemAlloc(&y, sizeof v) || cuMemcpyHtoD(x, v, sizeof v) || cuMemsetD32(y, 0, N) ||
        cuLaunchKernel(axpy, 4, 1, 1, 256, 1, 1, 0, NULL, params, NULL) ||
        cuMemcpyDtoH(v, y, sizeof v))
        return 1;
    printf("2 sin(1) = %.4f\n", (double)v[100]);
    return 0;
}
