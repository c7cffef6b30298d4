// test_code.c - the driver API: modules, their variables and functions.
#include "shared/world.h"

#include "shared/kernels.h"

#define N WORLD_N

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
    world_scale(x, 1, NULL);
    assert_int_equal(world_first(x), 100);
    FAILS(INVALID_VALUE, cuMemcpyHtoD(offset, v, 64));

    OK(cuModuleGetGlobal(&calls, &bytes, world.module, "calls"));
    OK(cuLaunchKernel(world_function("count"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuLaunchKernel(world_function("count"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    assert_int_equal(world_first(calls), 7);
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
    world_scale(x, 0, NULL);
    assert_int_equal(world_first(x), 7);
    world.module = other;
    world_scale(x, 0, NULL);
    assert_int_equal(world_first(x), 50);
    OK(cuModuleUnload(old));
    CUfunction f;
    FAILS(INVALID_HANDLE, cuModuleGetFunction(&f, old, "scale"));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(first, &value, 4));
    world_scale(x, 1, NULL);
    assert_int_equal(world_first(x), 100);
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
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET, f));
    assert_int_equal(v, 0);
    OK(cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
    OK(cuFuncGetAttribute(&v, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, f));
    assert_int_equal(v, 1);
    FAILS(INVALID_VALUE,
          cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 2));
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(variables_and_constants),
        TEST(two_modules),
        TEST(functions_and_occupancy),
        TEST(load_errors_are_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
