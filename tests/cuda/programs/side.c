// side.c - two kernels in two streams, which run side by side.
#include <stdio.h>

#include "cuda/abi/driver.h"

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry spin(.param .u32 n)\n{\n"
                          ".reg .b32 %r<3>;\n.reg .pred %p<2>;\n"
                          "ld.param.u32 %r1, [n];\nmov.u32 %r2, 0;\n"
                          "L: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n"
                          "@%p1 bra L;\nret;\n}\n";

int main(void)
{
    unsigned n = 200;
    void *params[] = {&n};
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUresult e = cuInit(0);

    e = e ? e : cuDeviceGet(&device, 0);
    e = e ? e : cuCtxCreate_v2(&context, 0, device);
    e = e ? e : cuModuleLoadData(&module, ptx);
    e = e ? e : cuModuleGetFunction(&kernel, module, "spin");
    for (int i = 0; i < 2 && !e; i++) {
        CUstream stream;
        e = cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
        e = e ? e : cuLaunchKernel(kernel, 10, 1, 1, 64, 1, 1, 0, stream, params, NULL);
    }
    e = e ? e : cuCtxSynchronize();
    printf("error %d\n", (int)e);
    return e != CUDA_SUCCESS;
}
