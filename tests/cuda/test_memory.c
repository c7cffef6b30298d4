// test_memory.c - the driver API: memory of the device over a long time.
#include "cuda/world.h"

#include "cuda/kernels.h"

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

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(module_loaded_after_memory),
        TEST(memory_for_ever),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
