// test_misuse.c - what programs do wrong: null pointers, handles that are wrong, stale or of
// another kind, things used after their end or in the wrong context, ranges that do not fit. Each
// must be refused with the error that a driver gives, and leave the context working.
#include "shared/world.h"

#include <pthread.h>
#include <stdlib.h>

#define N 64
#define WRONG(type) ((type)(uintptr_t)0x1234567)

// After all that, does a kernel still compute?
static void still_works(void)
{
    int v[N] = {5}, factor = 2;
    CUdeviceptr x = world_filled(v, N);
    void *params[] = {&x, &factor};

    OK(cuLaunchKernel(world_function("scale"), 1, 1, 1, N, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(v, x, sizeof v));
    assert_int_equal(v[0], 17);
    OK(cuMemFree(x));
}

static void null_pointers(void **state)
{
    CUfunction f = world_function("scale");
    CUdeviceptr p = world_filled((int[4]){0}, 4);
    size_t n;
    int v;

    (void)state;
    FAILS(INVALID_VALUE, cuDeviceGet(NULL, 0));
    FAILS(INVALID_VALUE, cuDeviceGetCount(NULL));
    FAILS(INVALID_VALUE, cuDeviceGetName(NULL, 10, 0));
    FAILS(INVALID_VALUE, cuDeviceGetName((char[4]){0}, 0, 0));
    FAILS(INVALID_VALUE, cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
    FAILS(INVALID_VALUE, cuDeviceTotalMem(NULL, 0));
    FAILS(INVALID_VALUE, cuDriverGetVersion(NULL));
    FAILS(INVALID_VALUE, cuCtxCreate(NULL, NULL, 0, 0));
    FAILS(INVALID_VALUE, cuCtxGetCurrent(NULL));
    FAILS(INVALID_VALUE, cuCtxGetDevice(NULL));
    FAILS(INVALID_VALUE, cuCtxGetLimit(NULL, CU_LIMIT_STACK_SIZE));
    FAILS(INVALID_VALUE, cuDevicePrimaryCtxRetain(NULL, 0));
    FAILS(INVALID_VALUE, cuModuleLoad(NULL, "x"));
    FAILS(INVALID_VALUE, cuModuleLoad(&world.module, NULL));
    FAILS(INVALID_VALUE, cuModuleLoadData(NULL, "x"));
    FAILS(INVALID_VALUE, cuModuleLoadData(&world.module, NULL));
    FAILS(INVALID_VALUE, cuModuleLoadDataEx(&world.module, "x", 1, NULL, NULL));
    FAILS(INVALID_VALUE, cuModuleGetFunction(NULL, world.module, "scale"));
    FAILS(INVALID_VALUE, cuModuleGetFunction(&f, world.module, NULL));
    FAILS(INVALID_VALUE, cuModuleGetGlobal(&p, &n, world.module, NULL));
    FAILS(INVALID_VALUE, cuFuncGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
    FAILS(INVALID_VALUE, cuMemAllocPitch(&p, NULL, 4, 4, 4));
    FAILS(INVALID_VALUE, cuMemAllocHost(NULL, 4));
    FAILS(INVALID_VALUE, cuMemFreeHost(NULL));
    FAILS(INVALID_VALUE, cuMemHostRegister(NULL, 4, 0));
    FAILS(INVALID_VALUE, cuMemHostGetDevicePointer(NULL, &v, 0));
    FAILS(INVALID_VALUE, cuMemcpyDtoH(NULL, p, 4));
    FAILS(INVALID_VALUE, cuMemcpy2D(NULL));
    FAILS(INVALID_VALUE, cuMemcpy3D(NULL));
    FAILS(INVALID_VALUE, cuArrayCreate(NULL, NULL));
    FAILS(INVALID_VALUE, cuTexObjectCreate(NULL, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuSurfObjectCreate(NULL, NULL));
    FAILS(INVALID_VALUE, cuStreamCreate(NULL, 0));
    FAILS(INVALID_VALUE, cuEventCreate(NULL, 0));
    FAILS(INVALID_VALUE, cuLaunchHostFunc(NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuStreamAddCallback(NULL, NULL, NULL, 0));
    FAILS(INVALID_VALUE, cuOccupancyMaxActiveBlocksPerMultiprocessor(NULL, f, 64, 0));
    FAILS(INVALID_VALUE, cuOccupancyMaxPotentialBlockSize(NULL, &v, f, NULL, 0, 0));
    FAILS(INVALID_VALUE, cuLaunchKernelEx(NULL, f, NULL, NULL));
    FAILS(INVALID_VALUE, cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_CONTEXT, p));
    FAILS(INVALID_VALUE, cuLinkCreate(0, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuGetErrorName(CUDA_SUCCESS, NULL));
    FAILS(INVALID_VALUE, cuGetErrorString(CUDA_SUCCESS, NULL));
    OK(cuMemGetInfo(NULL, NULL));
    still_works();
}

static void wrong_handles(void **state)
{
    CUfunction f;
    CUevent e;
    CUstream s;
    CUlinkState link;
    CUDA_ARRAY_DESCRIPTOR d;
    size_t n;
    int v;
    float ms;

    (void)state;
    OK(cuEventCreate(&e, 0));
    OK(cuStreamCreate(&s, 0));
    FAILS(INVALID_HANDLE, cuModuleUnload(NULL));
    FAILS(INVALID_HANDLE, cuModuleUnload(WRONG(CUmodule)));
    FAILS(INVALID_HANDLE, cuModuleUnload((CUmodule)s));
    FAILS(INVALID_HANDLE, cuModuleGetFunction(&f, NULL, "scale"));
    FAILS(INVALID_HANDLE, cuModuleGetGlobal(NULL, NULL, (CUmodule)e, "offset"));
    FAILS(INVALID_HANDLE, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, WRONG(CUfunction)));
    FAILS(INVALID_HANDLE, cuFuncSetCacheConfig(NULL, CU_FUNC_CACHE_PREFER_L1));
    FAILS(INVALID_HANDLE, cuStreamDestroy(WRONG(CUstream)));
    FAILS(INVALID_HANDLE, cuStreamDestroy((CUstream)e));
    FAILS(INVALID_HANDLE, cuStreamDestroy(NULL)); // the default stream is not the program's
    FAILS(INVALID_HANDLE, cuStreamSynchronize(WRONG(CUstream)));
    FAILS(INVALID_HANDLE, cuStreamWaitEvent(s, NULL, 0));
    FAILS(INVALID_HANDLE, cuStreamWaitEvent(s, (CUevent)s, 0));
    FAILS(INVALID_HANDLE, cuEventRecord((CUevent)s, s));
    FAILS(INVALID_HANDLE, cuEventRecord(e, (CUstream)e));
    FAILS(INVALID_HANDLE, cuEventDestroy(NULL));
    FAILS(INVALID_HANDLE, cuEventElapsedTime(&ms, NULL, e));
    FAILS(INVALID_HANDLE, cuArrayDestroy(NULL));
    FAILS(INVALID_HANDLE, cuArrayGetDescriptor(&d, (CUarray)s));
    FAILS(INVALID_HANDLE, cuLinkComplete(NULL, NULL, NULL));
    FAILS(INVALID_HANDLE, cuLinkDestroy((CUlinkState)e));
    FAILS(INVALID_HANDLE, cuMemsetD8Async(world_filled(&v, 1), 0, 1, WRONG(CUstream)));
    FAILS(INVALID_HANDLE, cuMemcpyHtoDAsync(world_filled(&v, 1), &v, 4, (CUstream)e));
    FAILS(INVALID_CONTEXT, cuCtxDestroy(NULL));
    FAILS(INVALID_CONTEXT, cuCtxDestroy((CUcontext)s));
    FAILS(INVALID_CONTEXT, cuCtxPushCurrent(NULL));
    FAILS(INVALID_VALUE, cuTexObjectDestroy(0));
    FAILS(INVALID_VALUE, cuTexObjectDestroy(77));
    FAILS(INVALID_VALUE, cuSurfObjectDestroy(77));
    FAILS(INVALID_VALUE,
          cuFuncGetAttribute(&v, (CUfunction_attribute)999, world_function("scale")));
    FAILS(INVALID_HANDLE, cuOccupancyAvailableDynamicSMemPerBlock(&n, NULL, 1, 64));
    OK(cuLinkCreate(0, NULL, NULL, &link));
    OK(cuLinkDestroy(link));
    FAILS(INVALID_HANDLE, cuLinkDestroy(link));
    still_works();
}

// A handle does not come to life again when its slot is used for something new.
static void used_after_the_end(void **state)
{
    CUstream s, other;
    CUevent e, other_event;
    CUmodule m;
    CUfunction f;
    CUdeviceptr p = world_filled((int[4]){0}, 4);
    int v = 0;

    (void)state;
    OK(cuStreamCreate(&s, 0));
    OK(cuStreamDestroy(s));
    OK(cuStreamCreate(&other, 0));
    FAILS(INVALID_HANDLE, cuStreamSynchronize(s));
    FAILS(INVALID_HANDLE, cuStreamDestroy(s));
    FAILS(INVALID_HANDLE, cuMemcpyHtoDAsync(p, &v, 4, s));
    OK(cuEventCreate(&e, 0));
    OK(cuEventRecord(e, other));
    OK(cuEventDestroy(e));
    OK(cuEventCreate(&other_event, 0));
    FAILS(INVALID_HANDLE, cuEventQuery(e));
    FAILS(INVALID_HANDLE, cuStreamWaitEvent(other, e, 0));
    OK(cuModuleLoadData(&m, "// nothing\n.version 7.0\n.target sm_75\n.address_size 64\n"
                            ".visible .entry k() { ret; }\n"));
    OK(cuModuleGetFunction(&f, m, "k"));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, other, NULL, NULL));
    OK(cuModuleUnload(m)); // behind the kernel
    FAILS(INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_HANDLE, cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NUM_REGS, f));
    OK(cuMemFree(p));
    FAILS(INVALID_VALUE, cuMemFree(p));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(p, &v, 4));
    FAILS(INVALID_VALUE, cuMemsetD8(p, 0, 1));
    FAILS(INVALID_VALUE, cuPointerGetAttribute(&v, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p));
    still_works();
}

static void freed_twice(void **state)
{
    CUdeviceptr p = world_filled((int[4]){0}, 4), q = world_filled((int[4]){0}, 4), host_address;
    CUstream s;
    unsigned times = 100;
    void *params[] = {&p, &times}, *pinned;

    (void)state;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuLaunchKernel(world_function("spin"), 1, 1, 1, 1, 1, 1, 0, s, params, NULL));
    OK(cuMemFreeAsync(p, s)); // waits for the kernel
    FAILS(INVALID_VALUE, cuMemFreeAsync(p, s));
    FAILS(INVALID_VALUE, cuMemFree(p));
    FAILS(INVALID_VALUE, cuMemcpyDtoD(q, p, 4));
    OK(cuCtxSynchronize());
    FAILS(INVALID_VALUE, cuMemFree(p));
    OK(cuMemAllocHost(&pinned, 100));
    OK(cuMemHostGetDevicePointer(&host_address, pinned, 0));
    FAILS(INVALID_VALUE, cuMemFree(host_address));
    FAILS(INVALID_VALUE, cuMemFreeHost((char *)pinned + 4));
    OK(cuMemFreeHost(pinned));
    FAILS(INVALID_VALUE, cuMemFreeHost(pinned));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(q, pinned, 4)); // no longer memory of the host
    FAILS(INVALID_VALUE, cuMemFreeHost(&times));
    FAILS(INVALID_VALUE, cuMemFree((CUdeviceptr)(uintptr_t)&times));
    still_works();
}

static void ranges_that_do_not_fit(void **state)
{
    int v[N] = {0};
    CUdeviceptr p = world_filled(v, N), q = world_filled(v, N);
    int *pinned;

    (void)state;
    FAILS(INVALID_VALUE, cuMemcpyDtoH(v, p, sizeof v + 1));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(p + 4, v, sizeof v));
    FAILS(INVALID_VALUE, cuMemcpyDtoD(p, q, SIZE_MAX));
    FAILS(INVALID_VALUE, cuMemcpyDtoD(p, UINT64_MAX - 3, 16));
    FAILS(INVALID_VALUE, cuMemcpyDtoD(p, UINT64_C(1) << 56, 16));
    FAILS(INVALID_VALUE, cuMemcpyDtoD(p, UINT64_C(0xff) << 56, 16));
    FAILS(INVALID_VALUE, cuMemsetD32(p + sizeof v - 4, 1, 2));
    FAILS(INVALID_VALUE, cuMemsetD2D8(p, SIZE_MAX, 1, 4, SIZE_MAX));
    FAILS(INVALID_VALUE, cuMemcpy(p, q, sizeof v + 4));
    OK(cuMemAllocHost((void **)&pinned, sizeof v));
    OK(cuMemcpyHtoD(p, pinned, sizeof v));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(world_filled((int[2 *N]){0}, 2 * N), pinned, sizeof v + 8));
    FAILS(INVALID_VALUE, cuMemcpyDtoH(pinned + N, p, 4));
    OK(cuMemcpyDtoD(p + 4, p, sizeof v - 4)); // ranges that overlap: one of them wins
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                       .srcDevice = p,
                       .srcPitch = 16,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = p + 8,
                       .dstPitch = 16,
                       .WidthInBytes = 12,
                       .Height = 4};
    OK(cuMemcpy2D(&c));
    c.srcY = SIZE_MAX;
    FAILS(INVALID_VALUE, cuMemcpy2D(&c));
    c.srcY = 0;
    c.srcXInBytes = SIZE_MAX;
    FAILS(INVALID_VALUE, cuMemcpy2D(&c));
    c.srcXInBytes = 0;
    c.dstMemoryType = (CUmemorytype)9;
    FAILS(INVALID_VALUE, cuMemcpy2D(&c));
    c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    FAILS(INVALID_HANDLE, cuMemcpy2D(&c));
    still_works();
}

static void registered_ranges(void **state)
{
    char *memory = malloc(4096);

    (void)state;
    assert_non_null(memory);
    OK(cuMemHostRegister(memory + 1024, 1024, 0));
    FAILS(HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(memory + 1024, 1024, 0));
    FAILS(HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(memory + 512, 1024, 0));
    FAILS(HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(memory, 4096, 0)); // around it
    FAILS(INVALID_VALUE, cuMemHostRegister(memory, SIZE_MAX, 0));
    FAILS(HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(memory));
    FAILS(HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(memory + 1028));
    OK(cuMemHostUnregister(memory + 1024));
    FAILS(HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(memory + 1024));
    free(memory);
    still_works();
}

static void arrays_and_textures(void **state)
{
    CUDA_ARRAY_DESCRIPTOR d = {
        .Width = 8, .Height = 4, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY};
    CUDA_TEXTURE_DESC t = {.filterMode = CU_TR_FILTER_MODE_POINT};
    CUtexObject texture;
    CUarray a;
    CUdeviceptr p = world_filled((int[N]){0}, N);
    float row[8];

    (void)state;
    OK(cuArrayCreate(&a, &d));
    FAILS(INVALID_VALUE, cuMemcpyHtoA(a, 33 * 4, row, 4)); // beyond its first row
    FAILS(INVALID_VALUE, cuMemcpyAtoH(row, a, 0, 64));
    d.Format = (CUarray_format)77;
    FAILS(INVALID_VALUE, cuArrayCreate(&a, &d));
    d.Format = CU_AD_FORMAT_FLOAT;
    d.Width = 0;
    FAILS(INVALID_VALUE, cuArrayCreate(&a, &d));
    d.Width = SIZE_MAX;
    FAILS(INVALID_VALUE, cuArrayCreate(&a, &d));
    r.res.array.hArray = a;
    t.addressMode[0] = (CUaddress_mode)9;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&texture, &r, &t, NULL));
    t.addressMode[0] = CU_TR_ADDRESS_MODE_CLAMP;
    t.filterMode = (CUfilter_mode)7;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&texture, &r, &t, NULL));
    t.filterMode = CU_TR_FILTER_MODE_POINT;
    r.resType = (CUresourcetype)9;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&texture, &r, &t, NULL));
    r = (CUDA_RESOURCE_DESC){
        .resType = CU_RESOURCE_TYPE_LINEAR,
        .res.linear = {
            .devPtr = p, .format = CU_AD_FORMAT_FLOAT, .numChannels = 1, .sizeInBytes = 4 * N}};
    OK(cuTexObjectCreate(&texture, &r, &t, NULL));
    OK(cuTexObjectDestroy(texture));
    FAILS(INVALID_VALUE, cuTexObjectDestroy(texture));
    r.res.linear.devPtr = p + 4; // not aligned as textures must be
    r.res.linear.sizeInBytes = 4 * N - 4;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&texture, &r, &t, NULL));
    r.res.linear.devPtr = 0;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&texture, &r, &t, NULL));
    OK(cuArrayDestroy(a));
    FAILS(INVALID_HANDLE, cuMemcpyHtoA(a, 0, row, 4));
    still_works();
}

static void launches(void **state)
{
    CUfunction scale = world_function("scale"), shared = world_function("shared");
    int factor = 1;
    CUdeviceptr p = world_filled((int[N]){0}, N);
    void *params[] = {&p, &factor}, *missing[] = {&p, NULL}, *wrong[] = {(void *)77, NULL, NULL};
    void *no_size[] = {CU_LAUNCH_PARAM_BUFFER_SIZE, NULL, CU_LAUNCH_PARAM_END};
    CUlaunchConfig c = {.numAttrs = 3};

    (void)state;
    FAILS(INVALID_VALUE, cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, NULL, missing, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, wrong));
    FAILS(INVALID_VALUE, cuLaunchKernel(scale, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, no_size));
    FAILS(INVALID_VALUE, cuLaunchKernel(scale, 1, 1, 1, 2048, 1, 1, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(scale, 1, 1, 1, 1, 1, 65, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(scale, UINT32_MAX, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernel(shared, 1, 1, 1, 1, 1, 1, UINT32_MAX, NULL, NULL, NULL));
    FAILS(INVALID_VALUE, cuLaunchKernelEx(&c, scale, params, NULL));
    FAILS(COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchCooperativeKernel(scale, 60000, 60000, 1, 1, 1, 1, 0, NULL, params));
    still_works();
}

static void wrong_context(void **state)
{
    CUcontext other;
    CUstream there;
    CUevent event_there;
    CUmodule module_there;
    CUfunction here = world_function("count"), f;

    (void)state;
    OK(cuCtxCreate(&other, NULL, 0, 0));
    OK(cuStreamCreate(&there, 0));
    OK(cuEventCreate(&event_there, 0));
    OK(cuModuleLoadData(&module_there, ".version 7.0\n.target sm_75\n.address_size 64\n"
                                       ".visible .entry k() { ret; }\n"));
    FAILS(INVALID_HANDLE, cuLaunchKernel(here, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSetCurrent(world.context));
    OK(cuModuleGetFunction(&f, module_there, "k"));
    FAILS(INVALID_HANDLE, cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(INVALID_HANDLE, cuLaunchKernel(here, 1, 1, 1, 1, 1, 1, 0, there, NULL, NULL));
    FAILS(INVALID_HANDLE, cuEventRecord(event_there, NULL));
    OK(cuStreamWaitEvent(NULL, event_there, 0)); // contexts may wait for each other
    OK(cuCtxPushCurrent(other));
    OK(cuCtxSynchronize_v2(world.context));
    OK(cuCtxDestroy(other));
    FAILS(INVALID_CONTEXT, cuCtxSynchronize_v2(other));
    FAILS(INVALID_HANDLE, cuStreamSynchronize(there));
    still_works();
}

static void *from_a_thread(void *arg)
{
    CUdeviceptr p;
    CUcontext c;

    FAILS(INVALID_CONTEXT, cuMemAlloc(&p, 4)); // it has no context yet
    OK(cuCtxGetCurrent(&c));
    assert_null(c);
    FAILS(INVALID_CONTEXT, cuCtxPopCurrent(&c));
    OK(cuCtxSetCurrent(world.context));
    still_works();
    OK(cuCtxDestroy(world.context));
    FAILS(INVALID_CONTEXT, cuCtxSynchronize());
    return arg;
}

static void destroyed_by_another_thread(void **state)
{
    pthread_t t;
    CUdeviceptr p;
    CUcontext c;

    (void)state;
    assert_int_equal(pthread_create(&t, NULL, from_a_thread, NULL), 0);
    assert_int_equal(pthread_join(t, NULL), 0);
    FAILS(CONTEXT_IS_DESTROYED, cuMemAlloc(&p, 4));
    FAILS(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    OK(cuCtxPopCurrent(&c));
    assert_ptr_equal(c, world.context);
    FAILS(INVALID_CONTEXT, cuCtxPopCurrent(&c));
    FAILS(INVALID_CONTEXT, cuMemAlloc(&p, 4));
}

static void before_init(void **state)
{
    int n;
    CUdeviceptr p;
    const char *text;

    (void)state;
    hd_cuda_end();
    FAILS(NOT_INITIALIZED, cuDeviceGetCount(&n));
    FAILS(NOT_INITIALIZED, cuMemAlloc(&p, 4));
    FAILS(NOT_INITIALIZED, cuCtxSynchronize());
    FAILS(NOT_INITIALIZED, cuStreamCreate((CUstream[1]){0}, 0));
    OK(cuDriverGetVersion(&n));
    OK(cuGetErrorName(CUDA_ERROR_NOT_INITIALIZED, &text));
    assert_string_equal(text, "CUDA_ERROR_NOT_INITIALIZED");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(null_pointers),
        TEST(wrong_handles),
        TEST(used_after_the_end),
        TEST(freed_twice),
        TEST(ranges_that_do_not_fit),
        TEST(registered_ranges),
        TEST(arrays_and_textures),
        TEST(launches),
        TEST(wrong_context),
        TEST(destroyed_by_another_thread),
        TEST(before_init),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
