// test_libraries.c - cuLibrary*, cuKernel*: code without a context, in several contexts.
#include "shared/world.h"

#include "shared/kernels.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 32

static CUlibrary load(const void *image)
{
    CUlibrary l;

    OK(cuLibraryLoadData(&l, image, NULL, NULL, 0, NULL, NULL, 0));
    return l;
}

static CUkernel kernel(CUlibrary l, const char *name)
{
    CUkernel k;

    OK(cuLibraryGetKernel(&k, l, name));
    return k;
}

// `scale` multiplies and adds 7; the launch names the kernel, not a function.
static int scaled(CUkernel k, CUstream stream, int factor)
{
    int v[N] = {5};
    CUdeviceptr x = world_filled(v, N);
    void *params[] = {&x, &factor};

    OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, N, 1, 1, 0, stream, params, NULL));
    OK(cuMemcpyDtoH(v, x, sizeof v));
    return v[0];
}

static void what_it_has(void **state)
{
    CUlibrary l = load(kernels), same;
    CUkernel k = kernel(l, "scale"), list[32];
    CUfunction f, again;
    CUmodule m;
    CUdeviceptr calls;
    const char *name;
    unsigned n, in_module;
    size_t offset, bytes;

    (void)state;
    OK(cuLibraryGetKernelCount(&n, l));
    OK(cuModuleGetFunctionCount(&in_module, world.module));
    assert_int_equal(n, in_module);
    memset(list, 0, sizeof list);
    OK(cuLibraryEnumerateKernels(list, 2, l));
    assert_ptr_equal(list[0], k);
    assert_non_null(list[1]);
    assert_null(list[2]);
    OK(cuKernelGetName(&name, k));
    assert_string_equal(name, "scale");
    OK(cuKernelGetLibrary(&same, k));
    assert_ptr_equal(same, l);
    OK(cuKernelGetParamInfo(k, 1, &offset, &bytes));
    assert_true(offset == 8 && bytes == 4);
    FAILS(INVALID_VALUE, cuKernelGetParamInfo(k, 2, &offset, &bytes));
    OK(cuKernelGetFunction(&f, k));
    OK(cuLibraryGetModule(&m, l));
    OK(cuModuleGetFunction(&again, m, "scale"));
    assert_ptr_equal(f, again);
    assert_int_equal(scaled(k, NULL, 3), 22);
    OK(cuLibraryGetGlobal(&calls, &bytes, l, "calls"));
    assert_int_equal(bytes, 4);
    OK(cuLaunchKernel((CUfunction)kernel(l, "count"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    int value = 0;
    OK(cuMemcpyDtoH(&value, calls, 4));
    assert_int_equal(value, 6);
    OK(cuLibraryUnload(l));
    FAILS(INVALID_HANDLE, cuLibraryUnload(l));
    FAILS(INVALID_HANDLE, cuKernelGetName(&name, k));
    FAILS(INVALID_HANDLE, cuFuncGetName(&name, f));
    FAILS(INVALID_VALUE, cuMemcpyDtoH(&value, calls, 4));
}

static void each_context_has_its_own(void **state)
{
    CUlibrary l = load(kernels);
    CUkernel k = kernel(l, "count");
    CUcontext second;
    CUdeviceptr here, there;
    CUstream stream;
    int value = 0;

    (void)state;
    OK(cuLibraryGetGlobal(&here, NULL, l, "calls"));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuCtxCreate(&second, NULL, 0, 0));
    OK(cuLibraryGetGlobal(&there, NULL, l, "calls"));
    assert_true(here != there);
    // A launch is in the stream's context; in the current one without a stream.
    OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, stream, NULL, NULL));
    OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(&value, here, 4));
    assert_int_equal(value, 6);
    OK(cuMemcpyDtoH(&value, there, 4));
    assert_int_equal(value, 7);
    OK(cuCtxDestroy(second));
    OK(cuCtxCreate(&second, NULL, 0, 0)); // fresh variables
    OK(cuLibraryGetGlobal(&there, NULL, l, "calls"));
    OK(cuMemcpyDtoH(&value, there, 4));
    assert_int_equal(value, 5);
    assert_int_equal(scaled(kernel(l, "scale"), NULL, 2), 17);
}

// A fault ends context and machine; the library is there for the next ones.
static void longer_than_the_machine(void **state)
{
    CUlibrary l = load(kernels);
    CUkernel k = kernel(l, "scale");
    CUfunction f;
    int regs = 0;

    (void)state;
    assert_int_equal(scaled(k, NULL, 1), 12);
    OK(cuLaunchKernel((CUfunction)kernel(l, "wild"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    FAILS(ILLEGAL_ADDRESS, cuKernelGetFunction(&f, k));
    OK(cuCtxDestroy(world.context));
    FAILS(INVALID_CONTEXT, cuKernelGetFunction(&f, k));
    OK(cuKernelGetAttribute(&regs, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 0)); // needs no context
    assert_true(regs > 0);
    OK(cuCtxCreate(&world.context, NULL, 0, 0));
    assert_int_equal(scaled(k, NULL, 4), 27);
}

static void attributes(void **state)
{
    CUlibrary l = load(kernels);
    CUkernel k = kernel(l, "shared");
    CUfunction f;
    int blocks = 0, value = 0, other = 0;

    (void)state;
    OK(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, k, 0));
    assert_int_equal(value, 1024);
    OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 2048, k, 0));
    OK(cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, 0));
    OK(cuKernelGetFunction(&f, k)); // made behind it
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    assert_int_equal(value, 2048);
    OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 512, k, 0));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, f));
    OK(cuKernelGetAttribute(&other, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, k, 0));
    assert_true(value == 512 && other == 512);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (CUfunction)k, 64, 0));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, f, 64, 0));
    assert_true(blocks > 0 && blocks == value);
    FAILS(INVALID_VALUE,
          cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30, k, 0));
    FAILS(INVALID_VALUE, cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_NUM_REGS, 1, k, 0));
    FAILS(INVALID_DEVICE, cuKernelSetCacheConfig(k, CU_FUNC_CACHE_PREFER_L1, 1));
    FAILS(INVALID_VALUE, cuKernelSetCacheConfig(k, (CUfunc_cache)9, 0));
    FAILS(INVALID_DEVICE, cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 1));
    FAILS(INVALID_VALUE, cuKernelGetAttribute(NULL, CU_FUNC_ATTRIBUTE_NUM_REGS, k, 0));
}

static void in_graphs(void **state)
{
    CUkernel k = kernel(load(kernels), "scale");
    int v[N] = {5}, factor = 3;
    CUdeviceptr x = world_filled(v, N);
    void *params[] = {&x, &factor};
    CUDA_KERNEL_NODE_PARAMS p = {.gridDimX = 1,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = N,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .kernelParams = params,
                                 .kern = k,
                                 .ctx = world.context};
    CUgraph g;
    CUgraphNode node;
    CUgraphExec exec;
    CUstream s;

    (void)state;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddKernelNode_v2(&node, g, NULL, 0, &p));
    OK(cuGraphInstantiate(&exec, g, 0));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_GLOBAL));
    OK(cuLaunchKernel((CUfunction)k, 1, 1, 1, N, 1, 1, 0, s, params, NULL));
    OK(cuStreamEndCapture(s, &g));
    OK(cuGraphInstantiate(&exec, g, 0));
    OK(cuGraphLaunch(exec, s));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH(v, x, sizeof v));
    assert_int_equal(v[0], 73); // (5 * 3 + 7) * 3 + 7
}

static void managed_variables(void **state)
{
    CUlibrary l = load(".version 7.0\n.target sm_75\n.address_size 64\n"
                       ".global .attribute(.managed) .align 4 .u32 both = 9;\n"
                       ".global .align 4 .u32 mine;\n.visible .entry k()\n{\nret;\n}\n");
    CUdeviceptr at = 0;
    size_t bytes = 0;

    (void)state;
    OK(cuLibraryGetManaged(&at, &bytes, l, "both"));
    assert_true(at && bytes == 4);
    FAILS(NOT_FOUND, cuLibraryGetManaged(&at, &bytes, l, "mine"));
    OK(cuLibraryGetGlobal(&at, NULL, l, "mine"));
    FAILS(NOT_FOUND, cuLibraryGetGlobal(&at, NULL, l, "nobody"));
}

static void from_a_file(void **state)
{
    char path[] = "/tmp/libraryXXXXXX";
    int file = mkstemp(path);
    CUlibraryOption kept = CU_LIBRARY_BINARY_IS_PRESERVED, wrong = (CUlibraryOption)7;
    CUlibrary l;

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, kernels, sizeof kernels - 1), sizeof kernels - 1);
    close(file);
    OK(cuLibraryLoadFromFile(&l, path, NULL, NULL, 0, NULL, NULL, 0));
    FAILS(INVALID_VALUE, cuLibraryLoadFromFile(&l, path, NULL, NULL, 0, &kept, NULL, 1));
    unlink(path);
    assert_int_equal(scaled(kernel(l, "scale"), NULL, 2), 17);
    FAILS(FILE_NOT_FOUND, cuLibraryLoadFromFile(&l, path, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryLoadData(&l, kernels, NULL, NULL, 0, &kept, NULL, 1));
    FAILS(INVALID_VALUE, cuLibraryLoadData(&l, kernels, NULL, NULL, 0, &wrong, NULL, 1));
}

static void refused(void **state)
{
    CUlibrary l = load(kernels), none = (CUlibrary)world.module;
    CUkernel k = kernel(l, "scale");
    CUjit_option option = CU_JIT_ERROR_LOG_BUFFER;
    char log[200] = "";
    void *values[] = {log, (void *)sizeof log};
    CUjit_option options[] = {option, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    CUfunction f;
    CUmodule m;
    CUdeviceptr at;
    unsigned n;
    void *p;

    (void)state;
    FAILS(INVALID_PTX, cuLibraryLoadData(&none,
                                         ".version 7.0\n.target sm_75\n.address_size 64\n"
                                         ".entry k()\n{\nwrong;\n}\n",
                                         options, values, 2, NULL, NULL, 0));
    assert_non_null(strstr(log, "wrong"));
    FAILS(INVALID_VALUE, cuLibraryLoadData(NULL, kernels, NULL, NULL, 0, NULL, NULL, 0));
    FAILS(INVALID_VALUE, cuLibraryLoadData(&none, NULL, NULL, NULL, 0, NULL, NULL, 0));
    FAILS(INVALID_VALUE, cuLibraryLoadData(&none, kernels, NULL, NULL, 1, NULL, NULL, 0));
    FAILS(INVALID_VALUE, cuLibraryLoadData(&none, kernels, NULL, NULL, 0, NULL, NULL, 1));
    none = (CUlibrary)world.module;
    FAILS(INVALID_HANDLE, cuLibraryGetKernel(&k, none, "scale"));
    FAILS(INVALID_HANDLE, cuLibraryGetKernelCount(&n, none));
    FAILS(INVALID_HANDLE, cuLibraryEnumerateKernels(&k, 1, none));
    FAILS(INVALID_HANDLE, cuLibraryGetModule(&m, none));
    FAILS(INVALID_HANDLE, cuLibraryGetGlobal(&at, NULL, none, "calls"));
    FAILS(INVALID_HANDLE, cuLibraryUnload(NULL));
    FAILS(NOT_FOUND, cuLibraryGetKernel(&k, l, "nobody"));
    FAILS(INVALID_VALUE, cuLibraryGetKernel(NULL, l, "scale"));
    FAILS(NOT_FOUND, cuLibraryGetUnifiedFunction(&p, l, "scale"));
    FAILS(INVALID_HANDLE, cuKernelGetFunction(&f, (CUkernel)world_function("scale")));
    FAILS(INVALID_HANDLE, cuLaunchKernel((CUfunction)l, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLibraryGetModule(&m, l));
    FAILS(NOT_PERMITTED, cuModuleUnload(m));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, world_begin, world_end)
    const struct CMUnitTest tests[] = {
        TEST(what_it_has),
        TEST(each_context_has_its_own),
        TEST(longer_than_the_machine),
        TEST(attributes),
        TEST(in_graphs),
        TEST(managed_variables),
        TEST(from_a_file),
        TEST(refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
