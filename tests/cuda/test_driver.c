// test_driver.c - the driver API as a program in this process sees it.
#include "shared/world.h"

#include "shared/kernels.h"

#include <stdatomic.h>
#include <time.h>

#define N 256

static void scale(CUdeviceptr x, int factor, CUstream stream)
{
    void *params[] = {&x, &factor};

    OK(cuLaunchKernel(world_function("scale"), N / 64, 1, 1, 64, 1, 1, 0, stream, params, NULL));
}

static void spin(CUdeviceptr x, unsigned times, CUstream stream)
{
    void *params[] = {&x, &times};

    OK(cuLaunchKernel(world_function("spin"), N / 64, 1, 1, 64, 1, 1, 0, stream, params, NULL));
}

static int first_of(CUdeviceptr x)
{
    int v;

    OK(cuMemcpyDtoH(&v, x, sizeof v));
    return v;
}

static void kernel_computes(void **state)
{
    int v[N];
    CUdeviceptr x;

    (void)state;
    for (int i = 0; i < N; i++)
        v[i] = i;
    x = world_filled(v, N);
    scale(x, 3, NULL);
    OK(cuMemcpyDtoH(v, x, sizeof v));
    for (int i = 0; i < N; i++)
        assert_int_equal(v[i], 3 * i + 7);
    OK(cuMemFree(x));
    FAILS(INVALID_VALUE, cuMemFree(x));
    FAILS(INVALID_VALUE, cuMemcpyDtoH(v, x, sizeof v));
}

static void variables_and_constants(void **state)
{
    int v[N] = {0}, value = 0;
    CUdeviceptr x = world_filled(v, N), offset, calls;
    size_t bytes;

    (void)state;
    OK(cuModuleGetGlobal(&offset, &bytes, world.module, "offset"));
    assert_int_equal(bytes, 4);
    OK(cuMemcpyDtoH(&value, offset, 4));
    assert_int_equal(value, 7);
    value = 100;
    OK(cuMemcpyHtoD(offset, &value, 4));
    scale(x, 1, NULL);
    assert_int_equal(first_of(x), 100);
    FAILS(INVALID_VALUE, cuMemcpyHtoD(offset, v, 64));

    OK(cuModuleGetGlobal(&calls, &bytes, world.module, "calls"));
    OK(cuLaunchKernel(world_function("count"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLaunchKernel(world_function("count"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    assert_int_equal(first_of(calls), 7);
    FAILS(NOT_FOUND, cuModuleGetGlobal(&calls, &bytes, world.module, "nothing"));
}

// Two modules have their own variables and constants.
static void two_modules(void **state)
{
    int v[N] = {0}, value = 50;
    CUdeviceptr x = world_filled(v, N), first, second;
    CUmodule other, old = world.module;

    (void)state;
    OK(cuModuleLoadData(&other, kernels));
    OK(cuModuleGetGlobal(&first, NULL, world.module, "offset"));
    OK(cuModuleGetGlobal(&second, NULL, other, "offset"));
    assert_true(first != second);
    OK(cuMemcpyHtoD(second, &value, 4));
    scale(x, 0, NULL);
    assert_int_equal(first_of(x), 7);
    world.module = other;
    scale(x, 0, NULL);
    assert_int_equal(first_of(x), 50);
    OK(cuModuleUnload(old));
    CUfunction f;
    FAILS(INVALID_HANDLE, cuModuleGetFunction(&f, old, "scale"));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(first, &value, 4));
    scale(x, 1, NULL);
    assert_int_equal(first_of(x), 100);
}

static void module_loaded_after_memory(void **state)
{
    CUdeviceptr x, y, calls, base;
    CUmodule later;
    size_t bytes;

    (void)state;
    OK(cuMemAlloc(&x, 100));
    OK(cuMemAlloc(&y, 100));
    OK(cuModuleLoadData(&later, kernels));
    OK(cuModuleGetGlobal(&calls, NULL, later, "calls"));
    OK(cuMemGetAddressRange(&base, &bytes, calls));
    assert_int_equal(base, calls);
    OK(cuMemGetAddressRange(&base, &bytes, x + 50));
    assert_int_equal(base, x);
    OK(cuMemFree(x));
    OK(cuMemFree(y));
}

static void parameters(void **state)
{
    int out[1] = {0};
    CUdeviceptr x = world_filled(out, 1);
    unsigned char a = 200;
    unsigned short b = 60000;
    struct {
        long long first;
        int second, third;
    } pair = {1000, 2000, 9};
    void *params[] = {&x, &a, &pair, &b};
    size_t offset, bytes;

    (void)state;
    OK(cuLaunchKernel(world_function("sum3"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    assert_int_equal(first_of(x), 200 + 1000 + 2000 + 60000);
    OK(cuFuncGetParamInfo(world_function("sum3"), 3, &offset, &bytes));
    assert_int_equal(offset, 32);
    assert_int_equal(bytes, 2);
    FAILS(INVALID_VALUE, cuFuncGetParamInfo(world_function("sum3"), 4, &offset, &bytes));

    // The same, packed.
    unsigned char block[34] = {0};
    size_t n = sizeof block;
    memcpy(block, &x, 8);
    block[8] = 1;
    memcpy(block + 16, &pair, 16);
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, block, CU_LAUNCH_PARAM_BUFFER_SIZE, &n,
                     CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(world_function("sum3"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    assert_int_equal(first_of(x), 1 + 1000 + 2000);
    n = 33;
    FAILS(INVALID_VALUE,
          cuLaunchKernel(world_function("sum3"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    FAILS(INVALID_VALUE,
          cuLaunchKernel(world_function("sum3"), 1, 1, 1, 1, 1, 1, 0, NULL, params, extra));
    FAILS(INVALID_VALUE,
          cuLaunchKernel(world_function("sum3"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

// Arguments are taken when the launch is called, not when it runs.
static void arguments_are_copied(void **state)
{
    int v[N] = {0}, factor = 2;
    CUdeviceptr x = world_filled(v, N);
    void *params[] = {&x, &factor};

    (void)state;
    OK(cuLaunchKernel(world_function("scale"), 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    factor = 1000;
    OK(cuLaunchKernel(world_function("scale"), 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
    factor = 0;
    assert_int_equal(first_of(x), 7 * 1000 + 7);
}

static void launch_limits(void **state)
{
    CUfunction f = world_function("shared"), small = world_function("small");

    (void)state;
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 0, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 0, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1025, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 64, 64, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 65536, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 48 * 1024, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(small, 1, 1, 1, 65, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_HANDLE, cuLaunchKernel(NULL, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_HANDLE,
          cuLaunchKernel((CUfunction)world.module, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_HANDLE,
          cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, (CUstream)(uintptr_t)12345, NULL, NULL));
    OK(cuLaunchKernel(small, 1, 1, 1, 64, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
}

static void launch_ex(void **state)
{
    int v[N] = {1};
    CUdeviceptr x = world_filled(v, N);
    int factor = 5;
    void *params[] = {&x, &factor};
    CUlaunchAttribute a = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    CUlaunchConfig c = {.gridDimX = 1,
                        .gridDimY = 1,
                        .gridDimZ = 1,
                        .blockDimX = 64,
                        .blockDimY = 1,
                        .blockDimZ = 1,
                        .attrs = &a,
                        .numAttrs = 1};

    (void)state;
    OK(cuLaunchKernelEx(&c, world_function("scale"), params, NULL));
    assert_int_equal(first_of(x), 12);
    c.gridDimX = 100000;
    FAILS(COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchKernelEx(&c, world_function("scale"), params, NULL));
    c.gridDimX = 1;
    a = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                            .value.clusterDim = {2, 1, 1}};
    FAILS(NOT_SUPPORTED, cuLaunchKernelEx(&c, world_function("scale"), params, NULL));
}

// Operations of a stream are in order; the host's writes behind an asynchronous copy don't matter.
// Blocks that wait for each other, as grid.sync of cooperative groups has them: 24 of them meet
// five times at a count in the workspace that %envreg1 and %envreg2 name.
static const char meeting[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .entry meet(.param .u64 x)\n{\n"
    ".reg .pred %p<3>;\n.reg .b32 %r<12>;\n.reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [x];\nmov.u32 %r1, %envreg1;\nmov.u32 %r2, %envreg2;\n"
    "mov.b64 %rd2, {%r2, %r1};\nsetp.eq.u64 %p1, %rd2, 0;\n@%p1 trap;\n"
    "mov.u32 %r3, %nctaid.x;\nmov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %r3;\n"
    "mul.wide.u32 %rd3, %r4, 4;\nadd.s64 %rd3, %rd1, %rd3;\nmov.u32 %r6, %tid.x;\n"
    "add.u32 %r10, %r4, 1;\nsetp.lt.u32 %p1, %r10, %r3;\nselp.u32 %r10, %r10, 0, %p1;\n"
    "mul.wide.u32 %rd4, %r10, 4;\nadd.s64 %rd4, %rd1, %rd4;\n"
    "AGAIN:\nld.volatile.global.u32 %r7, [%rd4];\nsetp.ne.u32 %p1, %r6, 0;\n@%p1 bra WAIT;\n"
    "atom.add.release.gpu.u32 %r8, [%rd2+4], 1;\n"
    "SPIN:\nld.acquire.gpu.u32 %r8, [%rd2+4];\nsetp.lt.u32 %p2, %r8, %r5;\n@%p2 bra SPIN;\n"
    "WAIT:\nbar.sync 0;\nadd.u32 %r5, %r5, %r3;\n@%p1 bra NEXT;\n"
    "add.u32 %r7, %r7, 1;\nst.volatile.global.u32 [%rd3], %r7;\n"
    "atom.add.release.gpu.u32 %r8, [%rd2+4], 1;\n"
    "SPIN2:\nld.acquire.gpu.u32 %r8, [%rd2+4];\nsetp.lt.u32 %p2, %r8, %r5;\n@%p2 bra SPIN2;\n"
    "NEXT:\nbar.sync 0;\nadd.u32 %r5, %r5, %r3;\nmad.lo.u32 %r9, %r3, 11, 0;\n"
    "setp.lt.u32 %p2, %r5, %r9;\n@%p2 bra AGAIN;\nret;\n}\n";

static void blocks_meet(void **state)
{
    int v[24];
    CUmodule m;
    CUfunction f;
    size_t before, behind, all;

    (void)state;
    for (int i = 0; i < 24; i++)
        v[i] = i;
    CUdeviceptr x = world_filled(v, 24);
    void *params[] = {&x};
    OK(cuModuleLoadData(&m, meeting));
    OK(cuModuleGetFunction(&f, m, "meet"));
    OK(cuMemGetInfo(&before, &all));
    OK(cuLaunchCooperativeKernel(f, 24, 1, 1, 96, 1, 1, 0, NULL, params));
    OK(cuMemcpyDtoH(v, x, sizeof v));
    for (int i = 0; i < 24; i++)
        assert_int_equal(v[i], (i + 5) % 24 + 5);
    OK(cuMemGetInfo(&behind, &all));
    assert_int_equal(before, behind); // the place where they met is gone
}

static void stream_order(void **state)
{
    int v[N] = {0}, w[N], *pinned;
    CUdeviceptr x = world_filled(v, N);
    CUstream s;

    (void)state;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemAllocHost((void **)&pinned, sizeof v));
    scale(x, 1, s); // 7
    for (int i = 0; i < N; i++)
        w[i] = 1;
    OK(cuMemcpyHtoDAsync(x, w, sizeof w, s)); // pageable: taken now
    memset(w, 0, sizeof w);
    scale(x, 10, s); // 17
    OK(cuMemcpyDtoHAsync(pinned, x, sizeof v, s));
    pinned[0] = -1; // not there yet: it happens when somebody waits
    OK(cuMemsetD32Async(x, 3, N, s));
    OK(cuStreamSynchronize(s));
    assert_int_equal(pinned[0], 17);
    assert_int_equal(pinned[N - 1], 17);
    assert_int_equal(first_of(x), 3);
    OK(cuStreamDestroy(s));
    FAILS(INVALID_HANDLE, cuStreamSynchronize(s));
    OK(cuMemFreeHost(pinned));
}

static uint64_t kernel_cycle(unsigned launch, bool end_cycle)
{
    struct hd_run run;

    assert_true(hd_cuda_finish(&run));
    const struct hd_kernel_result *r = hd_gpu_result(run.gpu, launch);
    return end_cycle ? r->start_cycle + r->cycles : r->start_cycle;
}

static void streams_overlap(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N), y = world_filled(v, N);
    CUstream a, b;

    (void)state;
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreate(&b, 0));
    spin(x, 50, a);
    spin(y, 50, b);
    spin(y, 50, b);
    OK(cuCtxSynchronize());
    assert_int_equal(kernel_cycle(0, false), kernel_cycle(1, false));
    assert_true(kernel_cycle(2, false) >= kernel_cycle(1, true));
    assert_int_equal(first_of(x), 50);
    assert_int_equal(first_of(y), 100);
}

// While one stream computes, another goes on behind its copy, in the same run.
static void work_goes_on_inside_a_run(void **state)
{
    int v[N] = {0}, *pinned;
    CUdeviceptr x = world_filled(v, N), y = world_filled(v, N);
    CUstream a, b;

    (void)state;
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreate(&b, 0));
    OK(cuMemAllocHost((void **)&pinned, sizeof v));
    spin(x, 400, a);                               // 0
    spin(y, 10, b);                                // 1
    OK(cuMemcpyDtoHAsync(pinned, y, sizeof v, b)); // 10
    spin(y, 10, b);                                // 2
    OK(cuCtxSynchronize());
    assert_int_equal(pinned[5], 10);
    assert_int_equal(first_of(y), 20);
    assert_true(kernel_cycle(2, false) >= kernel_cycle(1, true));
    assert_true(kernel_cycle(2, true) < kernel_cycle(0, true));
}

static void legacy_stream_waits_for_all(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    CUstream a, free_one;

    (void)state;
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreate(&free_one, CU_STREAM_NON_BLOCKING));
    spin(x, 50, a);
    scale(x, 2, NULL);     // behind it
    spin(x, 50, a);        // behind that
    scale(x, 1, free_one); // waits for nobody
    OK(cuCtxSynchronize());
    // Launch numbers are in the order in which kernels started.
    struct hd_run run;
    hd_cuda_finish(&run);
    assert_string_equal(hd_gpu_result(run.gpu, 0)->name, "spin");
    assert_string_equal(hd_gpu_result(run.gpu, 1)->name, "scale");
    assert_int_equal(hd_gpu_result(run.gpu, 0)->start_cycle,
                     hd_gpu_result(run.gpu, 1)->start_cycle);
    assert_true(kernel_cycle(2, false) >= kernel_cycle(0, true));
    assert_true(kernel_cycle(3, false) >= kernel_cycle(2, true));
}

static void events_order_streams_and_tell_time(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    CUstream a, b;
    CUevent start, done, untimed, never;
    float ms = -1;

    (void)state;
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&start, 0));
    OK(cuEventCreate(&done, 0));
    OK(cuEventCreate(&never, 0));
    OK(cuEventCreate(&untimed, CU_EVENT_DISABLE_TIMING));
    OK(cuStreamWaitEvent(b, never, 0)); // was not recorded: no wait
    OK(cuEventRecord(start, a));
    spin(x, 30, a);
    OK(cuEventRecord(done, a));
    OK(cuEventRecord(untimed, a));
    OK(cuStreamWaitEvent(b, done, 0));
    scale(x, 2, b);
    FAILS(NOT_READY, cuEventElapsedTime(&ms, start, done));
    OK(cuEventSynchronize(done));
    assert_int_equal(first_of(x), 67);
    OK(cuEventElapsedTime(&ms, start, done));
    double cycles = (double)ms * world.config.clock.core * 1000;
    assert_true(cycles > 0.99 * (double)(kernel_cycle(0, true) - kernel_cycle(0, false)));
    assert_true(cycles < 1.01 * (double)(kernel_cycle(0, true) - kernel_cycle(0, false)) + 2);
    FAILS(INVALID_HANDLE, cuEventElapsedTime(&ms, start, untimed));
    FAILS(INVALID_HANDLE, cuEventElapsedTime(&ms, start, never));
    OK(cuEventQuery(never));
    OK(cuEventDestroy(done));
    FAILS(INVALID_HANDLE, cuEventRecord(done, a));
}

static char log_text[16];

static void note(void *data)
{
    int n;
    strncat(log_text, data, sizeof log_text - strlen(log_text) - 1);
    FAILS(NOT_PERMITTED, cuDeviceGetCount(&n));
}

static void CUDA_callback(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    assert_int_equal(status, CUDA_SUCCESS);
    note(data);
}

static void host_functions(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    CUstream a;
    char one[] = "1", two[] = "2", three[] = "3";

    (void)state;
    log_text[0] = '\0';
    OK(cuStreamCreate(&a, 0));
    OK(cuLaunchHostFunc(a, note, one)); // nothing before it: at once
    assert_string_equal(log_text, "1");
    spin(x, 5, a);
    OK(cuStreamAddCallback(a, CUDA_callback, two, 0));
    spin(x, 5, a);
    OK(cuLaunchHostFunc(a, note, three));
    assert_string_equal(log_text, "1");
    OK(cuStreamSynchronize(a));
    assert_string_equal(log_text, "123");
    assert_int_equal(first_of(x), 10);
}

static void CUDA_outcome(CUstream stream, CUresult status, void *data)
{
    (void)stream;
    *(CUresult *)data = status;
    assert_int_equal(cuStreamQuery(NULL), CUDA_ERROR_NOT_PERMITTED);
}

// Behind a fault callbacks are called with the error, host functions are not.
static void callbacks_hear_of_errors(void **state)
{
    CUresult before = CUDA_ERROR_UNKNOWN, behind = before, elsewhere = before;
    CUstream a, b;
    CUevent e;
    char one[] = "1";

    (void)state;
    log_text[0] = '\0';
    OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&e, 0));
    OK(cuLaunchKernel(world_function("small"), 1, 1, 1, 1, 1, 1, 0, a, NULL, NULL));
    OK(cuStreamAddCallback(a, CUDA_outcome, &before, 0));
    OK(cuLaunchKernel(world_function("wild"), 1, 1, 1, 1, 1, 1, 0, a, NULL, NULL));
    OK(cuStreamAddCallback(a, CUDA_outcome, &behind, 0));
    OK(cuLaunchHostFunc(a, note, one));
    OK(cuEventRecord(e, a));
    OK(cuStreamWaitEvent(b, e, 0));
    OK(cuStreamAddCallback(b, CUDA_outcome, &elsewhere, 0));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    assert_int_equal(before, CUDA_SUCCESS);
    assert_int_equal(behind, CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_int_equal(elsewhere, CUDA_ERROR_ILLEGAL_ADDRESS);
    assert_string_equal(log_text, "");
}

static atomic_bool rung;

static void ring(void *data)
{
    (void)data;
    atomic_store(&rung, true);
}

// The program waits for its own function and not for the stream.
static void host_function_comes_unasked(void **state)
{
    const struct timespec tenth = {.tv_nsec = 100000000};
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    CUstream a;

    (void)state;
    atomic_store(&rung, false);
    OK(cuStreamCreate(&a, 0));
    spin(x, 5, a);
    OK(cuLaunchHostFunc(a, ring, NULL));
    for (int i = 0; i < 600 && !atomic_load(&rung); i++)
        nanosleep(&tenth, NULL);
    assert_true(atomic_load(&rung));
    assert_int_equal(first_of(x), 5);
}

static void fault(const char *name, void **params, CUresult error)
{
    int n;
    CUdeviceptr p;
    CUcontext other;

    OK(cuLaunchKernel(world_function(name), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    assert_int_equal(cuCtxSynchronize(), error);
    // It stays until the context is gone.
    assert_int_equal(cuMemAlloc(&p, 4), error);
    assert_int_equal(cuCtxSynchronize(), error);
    OK(cuDeviceGetCount(&n));
    assert_int_equal(cuCtxCreate(&other, NULL, 0, 0), error);
    OK(cuCtxDestroy(world.context));
    FAILS(INVALID_CONTEXT, cuCtxSynchronize());
    OK(cuCtxCreate(&world.context, NULL, 0, 0));
    OK(cuModuleLoadData(&world.module, kernels));
}

static void faults_end_the_context(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    void *params[] = {&x};

    (void)state;
    fault("wild", NULL, CUDA_ERROR_ILLEGAL_ADDRESS);
    x = world_filled(v, N);
    fault("odd", params, CUDA_ERROR_MISALIGNED_ADDRESS);
    fault("stop", NULL, CUDA_ERROR_LAUNCH_FAILED);
    kernel_computes(state);
    // Primary contexts come back by a reset.
    CUcontext primary;
    OK(cuCtxDestroy(world.context));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuCtxSetCurrent(primary));
    OK(cuModuleLoadData(&world.module, kernels));
    OK(cuLaunchKernel(world_function("wild"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(ILLEGAL_ADDRESS, cuStreamSynchronize(NULL));
    OK(cuDevicePrimaryCtxReset(0));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuCtxSetCurrent(primary));
    OK(cuModuleLoadData(&world.module, kernels));
    kernel_computes(state);
    OK(cuDevicePrimaryCtxRelease(0));
    FAILS(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
}

static void endless_kernel_ends(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);

    (void)state;
    spin(x, 0, NULL); // 2^32 times; the options allow fewer instructions
    FAILS(LAUNCH_TIMEOUT, cuCtxSynchronize());
    FAILS(LAUNCH_TIMEOUT, cuCtxSynchronize());
}

// More addresses in all than there are, with something that stays among them.
static void memory_for_ever(void **state)
{
    int v[4] = {1, 2, 3, 4}, got[4];
    CUdeviceptr stays = world_filled(v, 4), p, first = 0;
    unsigned long long id, last = 0;

    (void)state;
    for (unsigned i = 0; i < 20000; i++) { // 320 GB
        OK(cuMemAlloc(&p, 16 << 20));
        OK(cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, p));
        assert_true(id > last);
        last = id;
        first = first ? first : p;
        assert_true(p >= first);
        OK(cuMemFree(p));
    }
    FAILS(INVALID_VALUE, cuMemFree(p));
    OK(cuMemcpyDtoH(got, stays, sizeof got));
    assert_memory_equal(got, v, sizeof v);
}

static void contexts(void **state)
{
    CUctxCreateParams plain = {NULL, 0, NULL}, share = {&plain, 1, NULL};
    CUcontext other, now, popped;
    CUdeviceptr p;
    CUmodule m;
    unsigned flags;
    int active;
    CUdevice device;
    size_t limit;

    (void)state;
    FAILS(INVALID_VALUE, cuInit(1));
    FAILS(INVALID_DEVICE, cuDeviceGet(&device, 1));
    FAILS(INVALID_DEVICE, cuCtxCreate(&other, NULL, 0, 1));
    FAILS(NOT_SUPPORTED, cuCtxCreate(&other, &share, 4, 0));
    OK(cuCtxCreate(&other, &plain, 4, 0));
    OK(cuCtxGetFlags(&flags));
    assert_int_equal(flags, 4);
    OK(cuMemAlloc(&p, 100));
    OK(cuModuleLoadData(&m, kernels));
    OK(cuCtxPopCurrent(&popped));
    assert_ptr_equal(popped, other);
    OK(cuCtxGetCurrent(&now));
    assert_ptr_equal(now, world.context);
    OK(cuCtxDestroy(other));
    FAILS(INVALID_CONTEXT, cuCtxDestroy(other));
    FAILS(INVALID_CONTEXT, cuCtxSetCurrent(other));
    FAILS(INVALID_HANDLE, cuModuleUnload(m));
    FAILS(NOT_FOUND, cuMemGetAddressRange(NULL, NULL, p));
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 4096));
    OK(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
    assert_int_equal(limit, 4096);
    FAILS(UNSUPPORTED_LIMIT, cuCtxGetLimit(&limit, (CUlimit)77));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    assert_int_equal(active, 0);
    OK(cuCtxSetCurrent(NULL));
    FAILS(INVALID_CONTEXT, cuMemAlloc(&p, 4));
    OK(cuCtxSetCurrent(world.context));
}

// A thread has room for 64 contexts; one more is not made, and nothing is left of it.
static void contexts_without_room(void **state)
{
    CUcontext one, none = NULL;
    unsigned long long before, after;
    unsigned n = 0;

    (void)state;
    OK(cuCtxCreate(&one, NULL, 0, 0));
    OK(cuCtxGetId(one, &before));
    while (cuCtxPushCurrent(world.context) == CUDA_SUCCESS)
        assert_true(++n < 1000);
    FAILS(OUT_OF_MEMORY, cuCtxCreate(&none, NULL, 0, 0));
    assert_null(none);
    OK(cuCtxPopCurrent(NULL));
    OK(cuCtxCreate(&one, NULL, 0, 0));
    OK(cuCtxGetId(one, &after));
    assert_int_equal(after, before + 1);
}

static void streams_keep_hints(void **state)
{
    const CUlaunchAttributeID window = CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
    CUlaunchAttributeValue v, got;
    CUstream a, b;

    (void)state;
    OK(cuStreamCreate(&a, 0));
    memset(&v, 3, sizeof v);
    OK(cuStreamSetAttribute(a, window, &v));
    OK(cuStreamGetAttribute(a, window, &got));
    assert_memory_equal(&v, &got, sizeof v);
    OK(cuStreamGetAttribute(a, CU_LAUNCH_ATTRIBUTE_PRIORITY, &got));
    assert_int_equal(got.priority, 0);
    FAILS(INVALID_VALUE, cuStreamSetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    FAILS(INVALID_VALUE, cuStreamGetAttribute(a, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &v));
    FAILS(INVALID_VALUE, cuStreamSetAttribute(a, window, NULL));
    OK(cuStreamCopyAttributes(NULL, a));
    OK(cuStreamGetAttribute(NULL, window, &got));
    assert_memory_equal(&v, &got, sizeof v);
    OK(cuStreamDestroy(a));
    FAILS(INVALID_HANDLE, cuStreamGetAttribute(a, window, &got));
    OK(cuStreamCreate(&b, 0)); // in the same place, with nothing of the old one
    OK(cuStreamGetAttribute(b, window, &got));
    memset(&v, 0, sizeof v);
    assert_memory_equal(&v, &got, sizeof v);
}

static void device_says_what_it_is(void **state)
{
    int v, major, minor;
    char name[64], tiny[4];
    size_t total, available;
    CUdeviceptr p;
    CUdevprop prop;
    const char *text;

    (void)state;
    OK(cuDeviceGetName(name, sizeof name, 0));
    assert_string_equal(name, "heddle debug-flatmem");
    OK(cuDeviceGetName(tiny, sizeof tiny, 0));
    assert_string_equal(tiny, "hed");
    OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
    assert_int_equal(v, world.config.sm.sms);
    OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    assert_int_equal(v, 32);
    OK(cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0));
    assert_int_equal(v, world.config.clock.core * 1000);
    FAILS(INVALID_VALUE, cuDeviceGetAttribute(&v, (CUdevice_attribute)0, 0));
    FAILS(INVALID_DEVICE, cuDeviceGetAttribute(&v, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 3));
    OK(cuDeviceComputeCapability(&major, &minor, 0));
    assert_int_equal(major * 10 + minor, 75);
    OK(cuDeviceGetProperties(&prop, 0));
    assert_int_equal(prop.maxThreadsPerBlock, 1024);
    OK(cuDeviceTotalMem(&total, 0));
    OK(cuMemGetInfo(&available, NULL));
    OK(cuMemAlloc(&p, 1000000));
    size_t now;
    OK(cuMemGetInfo(&now, NULL));
    assert_int_equal(available - now, 1000000);
    FAILS(OUT_OF_MEMORY, cuMemAlloc(&p, total));
    FAILS(OUT_OF_MEMORY, cuMemAlloc(&p, SIZE_MAX));
    OK(cuGetErrorName(CUDA_ERROR_ILLEGAL_ADDRESS, &text));
    assert_string_equal(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
    OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    assert_string_equal(text, "out of memory");
    for (int i = 0; i < 1000; i++) { // a name has a sentence, and the other way round
        const char *known = NULL;
        assert_int_equal(cuGetErrorName((CUresult)i, &known), cuGetErrorString((CUresult)i, &text));
        assert_true(!known == !text && (!known || !strncmp(known, "CUDA_", 5)));
    }
    FAILS(INVALID_VALUE, cuGetErrorName((CUresult)12345, &text));
}

static void functions_and_occupancy(void **state)
{
    int v, grid, block;
    unsigned count;
    CUfunction f = world_function("scale"), all[16];
    const char *name;
    size_t room;

    (void)state;
    OK(cuModuleGetFunctionCount(&count, world.module));
    assert_int_equal(count, 9);
    OK(cuModuleEnumerateFunctions(all, 16, world.module));
    OK(cuFuncGetName(&name, all[1]));
    assert_string_equal(name, "spin");
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_PTX_VERSION, f));
    assert_int_equal(v, 75);
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, world_function("shared")));
    assert_int_equal(v, 1024);
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, world_function("small")));
    assert_int_equal(v, 64);
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, f));
    assert_int_equal(v, 4);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, f, 256, 0));
    assert_int_equal(v, world.config.sm.warps * 32 / 256 < world.config.sm.tbs
                            ? world.config.sm.warps * 32 / 256
                            : world.config.sm.tbs);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, f, 64, 20 * 1024));
    assert_int_equal(v, world.config.sm.shared_bytes / (20 * 1024));
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, f, NULL, 0, 0));
    assert_int_equal(block * (grid / (int)world.config.sm.sms), world.config.sm.warps * 32);
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&room, world_function("shared"), 2, 64));
    assert_int_equal(room, world.config.sm.shared_bytes / 2 - 1024);
    FAILS(NOT_FOUND, cuModuleGetFunction(&f, world.module, "nothing"));
    OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
    FAILS(INVALID_VALUE,
          cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 20));
}

static int attribute(CUdevice_attribute which)
{
    int value;

    OK(cuDeviceGetAttribute(&value, which, 0));
    return value;
}

static int begin_wide(void **state)
{
    world_begin(state);
    OK(cuCtxDestroy(world.context));
    hd_cuda_end();
    world.config.sm.shared_bytes = 64 << 10;
    hd_cuda_use(&world.options);
    OK(cuInit(0));
    OK(cuCtxCreate(&world.context, NULL, 0, 0));
    OK(cuModuleLoadData(&world.module, kernels));
    return 0;
}

// More than 48 KiB of shared memory are for kernels that ask for them, as on a GPU.
static void shared_memory_is_asked_for(void **state)
{
    const CUfunction_attribute most = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
    CUfunction f = world_function("shared"); // has 1 KiB of its own
    size_t room;
    int v;

    (void)state;
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK), 48 << 10);
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), 64 << 10);
    assert_int_equal(attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR), 64 << 10);
    OK(cuFuncGetAttribute(&v, most, f));
    assert_int_equal(v, 47 << 10);
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 47 << 10, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, (47 << 10) + 4, NULL, NULL, NULL));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, f, 64, 47 << 10));
    assert_int_equal(v, 1);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, f, 64, 48 << 10));
    assert_int_equal(v, 0);
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&room, f, 1, 64));
    assert_int_equal(room, 47 << 10);

    FAILS(INVALID_VALUE, cuFuncSetAttribute(f, most, (63 << 10) + 1));
    FAILS(INVALID_VALUE, cuFuncSetAttribute(f, most, -1));
    OK(cuFuncSetAttribute(f, most, 63 << 10));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 63 << 10, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, (63 << 10) + 4, NULL, NULL, NULL));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&v, f, 64, 63 << 10));
    assert_int_equal(v, 1);
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&room, f, 1, 64));
    assert_int_equal(room, 63 << 10);
    OK(cuFuncSetAttribute(f, most, 512)); // less is a promise, too
    FAILS(INVALID_VALUE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 1024, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
}

static void load_errors_are_told(void **state)
{
    CUmodule m;
    char log[512] = "?";
    CUjit_option keys[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    static const char bad[] = ".version 7.0\n.target sm_75\n.address_size 64\n"
                              ".visible .entry k()\n{\nnonsense.u32;\n}\n";

    (void)state;
    FAILS(INVALID_PTX, cuModuleLoadDataEx(&m, bad, 2, keys, values));
    assert_non_null(strstr(log, ":6:"));
    assert_non_null(strstr(log, "nonsense"));
    assert_int_equal((uintptr_t)values[1], strlen(log));
    OK(cuModuleLoadDataEx(&m, kernels, 2, keys, (void *[]){log, (void *)(uintptr_t)sizeof log}));
    assert_string_equal(log, "");
    FAILS(INVALID_IMAGE, cuModuleLoadData(&m, ""));
    FAILS(FILE_NOT_FOUND, cuModuleLoad(&m, "/nonexistent/file.ptx"));
    FAILS(NO_BINARY_FOR_GPU, cuModuleLoadData(&m, "\x7f"
                                                  "ELF and so on, machine code"));
}

static void entry_points_by_name(void **state)
{
    void *f, *g;
    CUdriverProcAddressQueryResult found;
    union {
        void *address;
        CUresult (*call)(int *);
    } version;
    int v = 0;

    (void)state;
    OK(cuGetProcAddress("cuDriverGetVersion", &version.address, 12000, 0, &found));
    OK(version.call(&v));
    assert_int_equal(v, 13000);
    OK(cuGetProcAddress("cuLaunchKernel", &f, 12000, 0, NULL));
    OK(cuGetProcAddress("cuLaunchKernel", &g, 12000, 2, NULL));
    assert_ptr_not_equal(f, g);
    OK(cuGetProcAddress("cuCtxCreate", &f, 11000, 0, NULL));
    OK(cuGetProcAddress("cuCtxCreate", &g, 13000, 0, NULL));
    assert_ptr_not_equal(f, g);
    FAILS(NOT_FOUND, cuGetProcAddress("cuNothing", &f, 12000, 0, &found));
    assert_int_equal(found, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
    FAILS(NOT_FOUND, cuGetProcAddress("cuMemAlloc", &f, 1000, 0, &found));
    assert_int_equal(found, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)
#define FUNCTIONAL(name) cmocka_unit_test_setup_teardown(name, world_begin_functional, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kernel_computes),
        TEST(variables_and_constants),
        TEST(two_modules),
        TEST(module_loaded_after_memory),
        TEST(blocks_meet),
        FUNCTIONAL(blocks_meet),
        TEST(parameters),
        TEST(arguments_are_copied),
        TEST(launch_limits),
        TEST(launch_ex),
        TEST(stream_order),
        TEST(streams_overlap),
        TEST(work_goes_on_inside_a_run),
        TEST(legacy_stream_waits_for_all),
        TEST(events_order_streams_and_tell_time),
        TEST(host_functions),
        TEST(host_function_comes_unasked),
        TEST(faults_end_the_context),
        TEST(endless_kernel_ends),
        TEST(callbacks_hear_of_errors),
        TEST(memory_for_ever),
        TEST(contexts),
        TEST(streams_keep_hints),
        TEST(contexts_without_room),
        TEST(device_says_what_it_is),
        TEST(functions_and_occupancy),
        cmocka_unit_test_setup_teardown(shared_memory_is_asked_for, begin_wide, world_end),
        TEST(load_errors_are_told),
        TEST(entry_points_by_name),
        FUNCTIONAL(kernel_computes),
        FUNCTIONAL(stream_order),
        FUNCTIONAL(host_functions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
