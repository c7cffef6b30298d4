// ends.c - a program whose kernel runs on many SMs and ends badly. The first argument says how:
// fault, circle (it never ends), leave (the program calls exit() before the kernel has run), signal
// (a handler calls exit() while the kernel runs).
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "cuda/abi/driver.h"

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          // block b writes 2^20 b bytes after its argument
                          ".visible .entry fault(.param .u64 out)\n{\n"
                          ".reg .b32 %r<3>;\n.reg .b64 %rd<4>;\n"
                          "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %ctaid.x;\n"
                          "shl.b32 %r2, %r1, 20;\ncvt.u64.u32 %rd2, %r2;\n"
                          "add.u64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3+4096], %r1;\nret;\n}\n"
                          ".visible .entry circle(.param .u64 out)\n{\nL: bra L;\nret;\n}\n"
                          ".visible .entry count(.param .u64 n)\n{\n"
                          ".reg .b64 %rd<3>;\n.reg .pred %p<2>;\n"
                          "ld.param.u64 %rd1, [n];\nmov.u64 %rd2, 0;\n"
                          "L: add.u64 %rd2, %rd2, 1;\nsetp.lt.u64 %p1, %rd2, %rd1;\n"
                          "@%p1 bra L;\nret;\n}\n";

static void leave(int signal_number)
{
    (void)signal_number;
    exit(9);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    const char *name = !strcmp(how, "fault") || !strcmp(how, "circle") ? how : "count";
    const struct itimerval soon = {.it_value.tv_usec = 300 * 1000};
    unsigned long long argument = 300;
    CUdeviceptr out;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUresult e;

    if (cuInit(0) || cuCtxCreate(&context, NULL, 0, 0) || cuModuleLoadData(&module, ptx) ||
        cuModuleGetFunction(&kernel, module, name) || cuMemAlloc(&out, 64))
        return 1;
    if (strcmp(name, "count"))
        argument = out;
    if (!strcmp(how, "signal")) {
        argument = 1ull << 62;
        signal(SIGALRM, leave);
        setitimer(ITIMER_REAL, &soon, NULL);
    }
    void *params[] = {&argument};
    e = cuLaunchKernel(kernel, 60, 1, 1, 64, 1, 1, 0, NULL, params, NULL);
    if (!strcmp(how, "leave"))
        exit(7);
    e = e == CUDA_SUCCESS ? cuCtxSynchronize() : e;
    printf("%s: error %d\n", how, (int)e);
    return e == CUDA_SUCCESS ? 0 : 3;
}
