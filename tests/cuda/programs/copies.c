// copies.c - what events say of copies: one at a time, in both directions at once, beside a kernel.
// Prints microseconds; the machine's clock is for the kernel alone.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/abi/driver.h"

#define CALL(x)                                                                                    \
    do {                                                                                           \
        CUresult e = (x);                                                                          \
        if (e != CUDA_SUCCESS) {                                                                   \
            printf("%s: error %d\n", #x, (int)e);                                                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define BYTES ((size_t)8 << 20)

static const char ptx[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                          ".visible .entry count(.param .u64 out)\n{\n"
                          ".reg .b64 %rd<2>;\n.reg .b32 %r<3>;\n.reg .pred %p;\n"
                          "ld.param.u64 %rd1, [out];\nmov.u32 %r1, 0;\n"
                          "again:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p, %r1, 2000;\n"
                          "@%p bra again;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

static CUfunction kernel;
static CUdeviceptr a, b, word;
static void *in, *out;
static CUevent begin, end;

static void show(const char *what)
{
    float ms;

    CALL(cuEventSynchronize(end));
    CALL(cuEventElapsedTime(&ms, begin, end));
    printf("%s %.1f us\n", what, (double)ms * 1e3);
}

static void launch(CUstream s)
{
    void *params[] = {&word};

    CALL(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, s, params, NULL));
}

static void one_stream(void)
{
    CALL(cuEventRecord(begin, NULL));
    launch(NULL);
    CALL(cuEventRecord(end, NULL));
    show("kernel");
    CALL(cuEventRecord(begin, NULL));
    CALL(cuMemcpyHtoD(a, in, BYTES));
    CALL(cuEventRecord(end, NULL));
    show("to device");
    CALL(cuEventRecord(begin, NULL));
    CALL(cuMemcpyDtoH(out, a, BYTES));
    CALL(cuEventRecord(end, NULL));
    show("to host");
    CALL(cuEventRecord(begin, NULL));
    CALL(cuMemcpyDtoD(b, a, BYTES));
    CALL(cuEventRecord(end, NULL));
    show("inside");
    CALL(cuEventRecord(begin, NULL));
    CALL(cuMemcpyHtoD(a, in, BYTES));
    launch(NULL);
    CALL(cuMemcpyDtoH(out, a, BYTES));
    CALL(cuEventRecord(end, NULL));
    show("copy, kernel, copy");
}

// From the first to the last of both; the second waits at the end for the first.
static void two_streams(const char *what, bool same_way, bool with_kernel)
{
    CUstream s[2];
    CUevent first;

    CALL(cuStreamCreate(&s[0], CU_STREAM_NON_BLOCKING));
    CALL(cuStreamCreate(&s[1], CU_STREAM_NON_BLOCKING));
    CALL(cuEventCreate(&first, 0));
    CALL(cuEventRecord(begin, s[0]));
    CALL(cuMemcpyHtoDAsync(a, in, BYTES, s[0]));
    CALL(cuEventRecord(first, s[0]));
    if (with_kernel)
        launch(s[1]);
    else if (same_way)
        CALL(cuMemcpyHtoDAsync(b, in, BYTES, s[1]));
    else
        CALL(cuMemcpyDtoHAsync(out, b, BYTES, s[1]));
    CALL(cuStreamWaitEvent(s[1], first, 0));
    CALL(cuEventRecord(end, s[1]));
    CALL(cuStreamSynchronize(s[1]));
    show(what);
    CALL(cuStreamDestroy(s[0]));
    CALL(cuStreamDestroy(s[1]));
    CALL(cuEventDestroy(first));
}

// A stream waits for a value that another one writes after a copy. The wait is submitted before the
// write, or after it.
static void by_value(const char *what, bool wait_first)
{
    static unsigned value;
    CUstream s[2];

    value++;
    CALL(cuStreamCreate(&s[0], CU_STREAM_NON_BLOCKING));
    CALL(cuStreamCreate(&s[1], CU_STREAM_NON_BLOCKING));
    CALL(cuEventRecord(begin, s[0]));
    if (wait_first)
        CALL(cuStreamWaitValue32(s[1], word, value, CU_STREAM_WAIT_VALUE_EQ));
    CALL(cuMemcpyHtoDAsync(a, in, BYTES, s[0]));
    CALL(cuStreamWriteValue32(s[0], word, value, 0));
    if (!wait_first)
        CALL(cuStreamWaitValue32(s[1], word, value, CU_STREAM_WAIT_VALUE_EQ));
    CALL(cuEventRecord(end, s[1]));
    CALL(cuStreamSynchronize(s[1]));
    show(what);
    CALL(cuStreamDestroy(s[0]));
    CALL(cuStreamDestroy(s[1]));
}

static void graph(void)
{
    CUstream s;
    CUgraph g;
    CUgraphExec exec;

    CALL(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    CALL(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    CALL(cuMemcpyHtoDAsync(a, in, BYTES, s));
    launch(s);
    CALL(cuStreamEndCapture(s, &g));
    CALL(cuGraphInstantiateWithFlags(&exec, g, 0));
    CALL(cuEventRecord(begin, s));
    CALL(cuGraphLaunch(exec, s));
    CALL(cuEventRecord(end, s));
    show("graph");
    CALL(cuGraphExecDestroy(exec));
    CALL(cuGraphDestroy(g));
    CALL(cuStreamDestroy(s));
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;

    CALL(cuInit(0));
    CALL(cuDeviceGet(&device, 0));
    CALL(cuCtxCreate(&context, NULL, 0, device));
    CALL(cuModuleLoadData(&module, ptx));
    CALL(cuModuleGetFunction(&kernel, module, "count"));
    CALL(cuMemAlloc(&a, BYTES));
    CALL(cuMemAlloc(&b, BYTES));
    CALL(cuMemAlloc(&word, 4));
    CALL(cuMemAllocHost(&in, BYTES));
    CALL(cuMemAllocHost(&out, BYTES));
    memset(in, 1, BYTES);
    CALL(cuEventCreate(&begin, 0));
    CALL(cuEventCreate(&end, 0));
    one_stream();
    two_streams("same way", true, false);
    two_streams("both ways", false, false);
    two_streams("beside a kernel", false, true);
    by_value("value written", false);
    by_value("value awaited", true);
    graph();
    CALL(cuCtxDestroy(context));
    return 0;
}
