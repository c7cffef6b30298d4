// tour.c - one program, compiled with NVIDIA's cuda.h (-DWITH_NVIDIA) or heddle's own header: a
// walk through what driver programs do, in names that both headers give the same meaning.
#ifdef WITH_NVIDIA
#include <cuda.h>
#else
#include "cuda/abi/driver.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 4096

#define CALL(x)                                                                                    \
    do {                                                                                           \
        CUresult e_ = (x);                                                                         \
        if (e_ != CUDA_SUCCESS) {                                                                  \
            const char *name_ = "?";                                                               \
            cuGetErrorName(e_, &name_);                                                            \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #x, name_);                              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".const .align 4 .s32 factor = 3;\n"
    ".visible .entry times(.param .u64 x, .param .u32 n)\n{\n"
    ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [x];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %ctaid.x;\n"
    "mov.u32 %r3, %ntid.x;\nmov.u32 %r4, %tid.x;\nmad.lo.s32 %r5, %r2, %r3, %r4;\n"
    "setp.ge.u32 %p1, %r5, %r1;\n@%p1 bra DONE;\nmul.wide.u32 %rd2, %r5, 4;\n"
    "add.s64 %rd3, %rd1, %rd2;\nld.global.s32 %r6, [%rd3];\nld.const.s32 %r7, [factor];\n"
    "mul.lo.s32 %r6, %r6, %r7;\nst.global.s32 [%rd3], %r6;\nDONE:\nret;\n}\n";

static int host[N];

static void called(void *data)
{
    *(int *)data += 1;
}

static void sizes(void)
{
    // Layouts that both sides of the library must agree on.
    printf("sizes %zu %zu %zu %zu %zu %zu %zu\n", sizeof(CUDA_MEMCPY2D), sizeof(CUDA_MEMCPY3D),
           sizeof(CUDA_ARRAY_DESCRIPTOR), sizeof(CUDA_ARRAY3D_DESCRIPTOR), sizeof(CUdevprop),
           sizeof(CUlaunchConfig), sizeof(CUlaunchAttribute));
}

static void two_streams(CUfunction times)
{
    CUstream s[2];
    CUevent start, end, done;
    CUdeviceptr x[2];
    unsigned n = N;
    int calls = 0, *pinned;
    float ms;

    CALL(cuEventCreate(&start, CU_EVENT_DEFAULT));
    CALL(cuEventCreate(&end, CU_EVENT_DEFAULT));
    CALL(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
    CALL(cuMemHostAlloc((void **)&pinned, sizeof host, CU_MEMHOSTALLOC_DEVICEMAP));
    for (int i = 0; i < 2; i++) {
        CALL(cuStreamCreate(&s[i], CU_STREAM_NON_BLOCKING));
        CALL(cuMemAlloc(&x[i], sizeof host));
    }
    CALL(cuEventRecord(start, s[0]));
    CALL(cuMemcpyHtoDAsync(x[0], host, sizeof host, s[0]));
    void *params[] = {&x[0], &n};
    CALL(cuLaunchKernel(times, N / 256, 1, 1, 256, 1, 1, 0, s[0], params, NULL));
    CALL(cuEventRecord(done, s[0]));
    CALL(cuStreamWaitEvent(s[1], done, 0));
    CALL(cuMemcpyDtoDAsync(x[1], x[0], sizeof host, s[1]));
    params[0] = &x[1];
    CUlaunchConfig config = {0};
    config.gridDimX = N / 128;
    config.gridDimY = config.gridDimZ = 1;
    config.blockDimX = 128;
    config.blockDimY = config.blockDimZ = 1;
    config.hStream = s[1];
    CALL(cuLaunchKernelEx(&config, times, params, NULL));
    CALL(cuMemcpyDtoHAsync(pinned, x[1], sizeof host, s[1]));
    CALL(cuLaunchHostFunc(s[1], called, &calls));
    CALL(cuEventRecord(end, s[1]));
    CALL(cuEventSynchronize(end));
    CALL(cuEventElapsedTime(&ms, start, end));
    printf("streams: %d %d, %d call, time %s\n", pinned[1], pinned[N - 1], calls,
           ms > 0 ? "passes" : "stands still");
    for (int i = 0; i < 2; i++) {
        CALL(cuStreamDestroy(s[i]));
        CALL(cuMemFree(x[i]));
    }
    CALL(cuMemFreeHost(pinned));
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction times;
    CUdeviceptr factor;
    size_t bytes;
    int warp, version, blocks, two = 2;

    CALL(cuInit(0));
    CALL(cuDriverGetVersion(&version));
    CALL(cuDeviceGet(&device, 0));
    CALL(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    CALL(cuCtxCreate(&context, NULL, 0, device));
    CALL(cuModuleLoadData(&module, ptx));
    CALL(cuModuleGetFunction(&times, module, "times"));
    CALL(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
    CALL(cuMemcpyHtoD(factor, &two, bytes));
    CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, times, 256, 0));
    for (int i = 0; i < N; i++)
        host[i] = i;
    printf("version %d, warps of %d, %s\n", version, warp, blocks > 0 ? "fits" : "does not fit");
    sizes();
    two_streams(times);

    CUDA_MEMCPY2D c;
    CUdeviceptr p;
    size_t pitch;
    int out[4][8];
    memset(&c, 0, sizeof c);
    CALL(cuMemAllocPitch(&p, &pitch, 32, 4, 4));
    CALL(cuMemsetD2D32(p, pitch, 5, 8, 4));
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    c.srcDevice = p;
    c.srcPitch = pitch;
    c.dstMemoryType = CU_MEMORYTYPE_HOST;
    c.dstHost = out;
    c.dstPitch = 32;
    c.WidthInBytes = 32;
    c.Height = 4;
    CALL(cuMemcpy2D(&c));
    printf("plane: %d %d\n", out[0][0], out[3][7]);
    CALL(cuMemFree(p));
    CALL(cuModuleUnload(module));
    CALL(cuCtxDestroy(context));
    return 0;
}
