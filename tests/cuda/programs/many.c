// many.c - a program that launches one kernel many times: in two streams, from a graph, as a
// cooperative launch; over and over on a device that is reset, or from two modules; with a kernel
// that launches kernels, or that faults, among them. It checks what they compute.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/abi/driver.h"
#include "cuda/abi/drivergraphs.h"

#define CALL(x)                                                                                    \
    do {                                                                                           \
        CUresult e = (x);                                                                          \
        if (e != CUDA_SUCCESS) {                                                                   \
            printf("%s: error %d\n", #x, (int)e);                                                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define N 1000u

// step(x, n, rounds): every element becomes 3 times itself plus 1, so many times.
static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry step(.param .u64 x, .param .u32 n, .param .u32 rounds)\n{\n"
    ".reg .pred %p<3>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.u32 %r1, [n];\nld.param.u32 %r2, [rounds];\n"
    "mov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmov.u32 %r5, %tid.x;\n"
    "mad.lo.s32 %r6, %r3, %r4, %r5;\nsetp.ge.u32 %p1, %r6, %r1;\n@%p1 bra DONE;\n"
    "mul.wide.u32 %rd2, %r6, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r7, [%rd3];\n"
    "again:\nmad.lo.u32 %r7, %r7, 3, 1;\nsub.u32 %r2, %r2, 1;\nsetp.ne.u32 %p2, %r2, 0;\n"
    "@%p2 bra again;\nst.global.u32 [%rd3], %r7;\nDONE:\nret;\n}\n";

static CUfunction step;
static CUdeviceptr x;
static uint32_t expected[N];

static void launch(CUstream s, uint32_t rounds, bool together)
{
    uint32_t n = N;
    void *params[] = {&x, &n, &rounds};

    if (together)
        CALL(cuLaunchCooperativeKernel(step, 8, 1, 1, 128, 1, 1, 0, s, params));
    else
        CALL(cuLaunchKernel(step, 8, 1, 1, 128, 1, 1, 0, s, params, NULL));
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = 0; k < rounds; k++)
            expected[i] = expected[i] * 3 + 1;
}

static CUfunction kernel_of(const void *text, const char *name)
{
    CUmodule module;
    CUfunction f;

    CALL(cuModuleLoadData(&module, text));
    CALL(cuModuleGetFunction(&f, module, name));
    return f;
}

static void begin(void)
{
    step = kernel_of(ptx, "step");
    CALL(cuMemAlloc(&x, sizeof expected));
    for (uint32_t i = 0; i < N; i++)
        expected[i] = i;
    CALL(cuMemcpyHtoD(x, expected, sizeof expected));
}

static void check(void)
{
    static uint32_t got[N];

    CALL(cuMemcpyDtoH(got, x, sizeof got));
    if (memcmp(got, expected, sizeof got) != 0) {
        printf("the results are wrong\n");
        exit(1);
    }
}

static void streams_and_graphs(void)
{
    CUstream s;
    CUgraph graph;
    CUgraphExec exec;
    CUevent first, last;
    float ms;

    CALL(cuStreamCreate(&s, CU_STREAM_DEFAULT));
    CALL(cuEventCreate(&first, CU_EVENT_DEFAULT));
    CALL(cuEventCreate(&last, CU_EVENT_DEFAULT));
    CALL(cuEventRecord(first, NULL));
    for (uint32_t i = 0; i < 60; i++)
        launch(i % 2 ? s : NULL, 20 + i % 7, false);
    check();
    CALL(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    for (uint32_t i = 0; i < 4; i++)
        launch(s, 20 + i, false);
    CALL(cuStreamEndCapture(s, &graph));
    CALL(cuGraphInstantiate(&exec, graph, 0));
    for (int i = 0; i < 6; i++)
        CALL(cuGraphLaunch(exec, s));
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = 0; k < 5 * (20 + 21 + 22 + 23); k++)
            expected[i] = expected[i] * 3 + 1;
    for (uint32_t i = 0; i < 6; i++)
        launch(s, 20, true);
    CALL(cuEventRecord(last, NULL));
    CALL(cuEventSynchronize(last));
    CALL(cuEventElapsedTime(&ms, first, last));
    printf("%.1f us\n", (double)ms * 1e3);
    check();
}

static void reset(CUdevice device)
{
    for (int round = 0; round < 2; round++) {
        CUcontext c;
        CALL(cuDevicePrimaryCtxRetain(&c, device));
        CALL(cuCtxSetCurrent(c));
        begin();
        for (int i = 0; i < 30; i++)
            launch(NULL, 20, false);
        check();
        CALL(cuDevicePrimaryCtxReset(device));
    }
}

// Of a module of kernels that launch kernels: the one that launches none may run.
static void child(const char *file)
{
    uint32_t word = 0;
    void *params[] = {&x, &word, &word, &word, &word, &word, &word, &word};
    CUmodule module;
    CUfunction plain, nest;

    CALL(cuModuleLoad(&module, file));
    CALL(cuModuleGetFunction(&plain, module, "add_one"));
    CALL(cuModuleGetFunction(&nest, module, "nest"));
    for (int i = 0; i < 10; i++)
        launch(NULL, 20, false);
    check();
    CALL(cuLaunchKernel(plain, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    CALL(cuCtxSynchronize());
    printf("launch: %d\n", (int)cuLaunchKernel(nest, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    printf("after it: %d\n", (int)cuCtxSynchronize());
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    CUcontext context;
    CUdevice device;

    CALL(cuInit(0));
    CALL(cuDeviceGet(&device, 0));
    if (!strcmp(what, "reset")) {
        reset(device);
        return 0;
    }
    CALL(cuCtxCreate(&context, NULL, 0, device));
    begin();
    if (!strcmp(what, "modules")) {
        for (int i = 0; i < 60; i++) {
            if (i == 30)
                step = kernel_of(ptx, "step");
            launch(NULL, i < 30 ? 20 : 200, false);
        }
        check();
    } else if (!strcmp(what, "fault")) {
        for (int i = 0; i < 10; i++)
            launch(NULL, 20, false);
        CALL(cuCtxSynchronize());
        x = 64;
        launch(NULL, 20, false);
        printf("fault: %d\n", (int)cuCtxSynchronize());
    } else if (!strcmp(what, "child")) {
        child(argv[2]);
    } else {
        streams_and_graphs();
    }
    return 0;
}
