// test_launch.c - the driver API: launches: their shape, parameters, shared memory, cooperation.
#include "shared/world.h"

#include "shared/kernels.h"

#define N WORLD_N

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
    assert_int_equal(world_first(x), 200 + 1000 + 2000 + 60000);
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
    assert_int_equal(world_first(x), 1 + 1000 + 2000);
    n = 33;
    FAILS(INVALID_VALUE,
          cuLaunchKernel(world_function("sum3"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    FAILS(INVALID_VALUE,
          cuLaunchKernel(world_function("sum3"), 1, 1, 1, 1, 1, 1, 0, NULL, params, extra));
    FAILS(INVALID_VALUE,
          cuLaunchKernel(world_function("sum3"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
}

// The calls from before CUDA 4 set block, shared memory and parameters one by one.
static void before_cuda_4(void **state)
{
    int v[N] = {0};
    CUdeviceptr x = world_filled(v, N);
    CUfunction f = world_function("scale");
    CUtexref none = NULL;

    (void)state;
    FAILS(INVALID_VALUE, cuLaunchGrid(f, 1, 1)); // nothing is set
    OK(cuParamSetv(f, 0, &x, sizeof x));
    OK(cuParamSeti(f, 8, 3));
    OK(cuParamSetSize(f, 12));
    FAILS(INVALID_VALUE, cuLaunch(f)); // no block
    OK(cuFuncSetBlockShape(f, 64, 1, 1));
    OK(cuFuncSetSharedSize(f, 16));
    OK(cuLaunch(f));
    OK(cuParamSeti(f, 8, 10));
    OK(cuLaunchGrid(f, 1, 1)); // the rest stays
    assert_int_equal(world_first(x), 7 * 10 + 7);
    OK(cuParamSetf(f, 8, 0.0f));
    OK(cuLaunchGridAsync(f, 2, 1, CU_STREAM_PER_THREAD));
    OK(cuCtxSynchronize());
    assert_int_equal(world_first(x), 7);

    OK(cuParamSetSize(f, 8)); // too few bytes for its parameters
    FAILS(INVALID_VALUE, cuLaunch(f));
    OK(cuParamSetSize(f, 12));
    FAILS(INVALID_VALUE, cuFuncSetBlockShape(f, 64, 0, 1));
    FAILS(INVALID_VALUE, cuFuncSetBlockShape(f, -1, 1, 1));
    FAILS(INVALID_VALUE, cuParamSetSize(f, 4097));
    FAILS(INVALID_VALUE, cuParamSeti(f, -4, 1));
    FAILS(INVALID_VALUE, cuParamSeti(f, 4093, 1));
    FAILS(INVALID_VALUE, cuParamSetv(f, 0, NULL, 8));
    FAILS(INVALID_VALUE, cuLaunchGrid(f, 0, 1));
    FAILS(INVALID_VALUE, cuLaunchGrid(f, 1, -1));
    FAILS(INVALID_HANDLE, cuParamSetTexRef(f, CU_PARAM_TR_DEFAULT, none));
    FAILS(INVALID_HANDLE, cuFuncSetBlockShape((CUfunction)1, 1, 1, 1));
    FAILS(INVALID_HANDLE, cuFuncSetSharedSize((CUfunction)1, 1));
    FAILS(INVALID_HANDLE, cuParamSetSize((CUfunction)1, 1));
    FAILS(INVALID_HANDLE, cuParamSeti((CUfunction)1, 0, 1));
    FAILS(INVALID_HANDLE, cuLaunchGrid((CUfunction)1, 1, 1));
    FAILS(INVALID_HANDLE, cuLaunchGridAsync(f, 1, 1, (CUstream)0x1234));
    OK(cuFuncSetBlockShape(f, 2048, 1, 1)); // known only at the launch
    FAILS(INVALID_VALUE, cuLaunch(f));
    OK(cuFuncSetBlockShape(f, 64, 1, 1));
    OK(cuFuncSetSharedSize(f, 1 << 20));
    FAILS(INVALID_VALUE, cuLaunch(f));
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
    assert_int_equal(world_first(x), 7 * 1000 + 7);
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
    assert_int_equal(world_first(x), 12);
    c.gridDimX = 100000;
    FAILS(COOPERATIVE_LAUNCH_TOO_LARGE,
          cuLaunchKernelEx(&c, world_function("scale"), params, NULL));
    c.gridDimX = 1;
    a = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                            .value.clusterDim = {2, 1, 1}};
    FAILS(NOT_SUPPORTED, cuLaunchKernelEx(&c, world_function("scale"), params, NULL));
    // A kernel that says so itself.
    CUmodule m;
    CUfunction f;
    OK(cuModuleLoadData(&m, ".version 7.8\n.target sm_90\n.address_size 64\n"
                            ".visible .entry pair() .reqnctapercluster 2, 1, 1 { ret; }\n"
                            ".visible .entry one() .reqnctapercluster 1, 1, 1 { ret; }\n"));
    OK(cuModuleGetFunction(&f, m, "pair"));
    FAILS(NOT_SUPPORTED, cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuModuleGetFunction(&f, m, "one"));
    OK(cuLaunchKernel(f, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    OK(cuModuleUnload(m));
    // An event that would never be recorded.
    a = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT};
    FAILS(NOT_SUPPORTED, cuLaunchKernelEx(&c, world_function("scale"), params, NULL));
}

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

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)
#define FUNCTIONAL(name) cmocka_unit_test_setup_teardown(name, world_begin_functional, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(world_computes),
        TEST(blocks_meet),
        FUNCTIONAL(blocks_meet),
        TEST(parameters),
        TEST(arguments_are_copied),
        TEST(before_cuda_4),
        TEST(launch_limits),
        TEST(launch_ex),
        cmocka_unit_test_setup_teardown(shared_memory_is_asked_for, begin_wide, world_end),
        FUNCTIONAL(world_computes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
