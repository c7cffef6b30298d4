// test_device.c - the driver API: contexts, the device and its answers, errors that end a context.
#include "shared/world.h"

#include "shared/kernels.h"

#define N WORLD_N

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
    world_computes(state);
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
    world_computes(state);
    OK(cuDevicePrimaryCtxRelease(0));
    FAILS(CONTEXT_IS_DESTROYED, cuCtxSynchronize());
}

static void endless_kernel_ends(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);

    (void)state;
    world_spin(x, 0, NULL); // 2^32 times; the options allow fewer instructions
    FAILS(LAUNCH_TIMEOUT, cuCtxSynchronize());
    FAILS(LAUNCH_TIMEOUT, cuCtxSynchronize());
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
    // Newer than the version asked for, whether heddle has them or not.
    static const struct {
        const char *name;
        int before;
    } later[] = {{"cuMemAlloc", 1000}, {"cuLaunchKernelEx", 11050}, {"cuGreenCtxCreate", 11000}};
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        FAILS(NOT_FOUND, cuGetProcAddress(later[i].name, &f, later[i].before, 0, &found));
        assert_int_equal(found, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);
        assert_null(f);
    }
    OK(cuGetProcAddress("cuLaunchKernelEx", &f, 11060, 0, &found));
    FAILS(NOT_FOUND, cuGetProcAddress("cuGreenCtxCreate", &f, 13000, 0, &found));
    assert_int_equal(found, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(faults_end_the_context), TEST(endless_kernel_ends),    TEST(contexts),
        TEST(contexts_without_room),  TEST(device_says_what_it_is), TEST(entry_points_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
