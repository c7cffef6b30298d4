// test_memory.c - the driver API: memory of the device over a long time.
#include "shared/world.h"

#include "shared/kernels.h"

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

static int range(CUmem_range_attribute which, CUdeviceptr p, size_t bytes)
{
    int value = 99;

    OK(cuMemRangeGetAttribute(&value, sizeof value, which, p, bytes));
    return value;
}

// Hints are kept by pages and handed back, as far as all of a range has them.
static void hints_about_ranges(void **state)
{
    const CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0},
                        host = {CU_MEM_LOCATION_TYPE_HOST, 0};
    const size_t page = 4096, all = 4 * page;
    int value, pair[3], managed;
    CUdeviceptr p, plain;

    (void)state;
    OK(cuDeviceGetAttribute(&managed, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 0));
    if (!managed) // the host had something else at that address
        skip();
    OK(cuMemAllocManaged(&p, all, CU_MEM_ATTACH_GLOBAL));
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, all), 0);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, p, all), CU_DEVICE_INVALID);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, all),
                     CU_DEVICE_INVALID);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, p, all),
                     CU_MEM_LOCATION_TYPE_INVALID);

    // Of the second page; a byte of it stands for all of it.
    OK(cuMemAdvise(p + page + 5, 1, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p + page, page), 1);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p + page - 1, 2), 0);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, all), 0);
    OK(cuMemAdvise(p, all, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, all), 1);
    OK(cuMemAdvise(p + 2 * page, page, CU_MEM_ADVISE_UNSET_READ_MOSTLY, device));
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, 2 * page), 1);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, 2 * page + 1), 0);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p + 3 * page, page), 1);

    OK(cuMemAdvise(p, all, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, host));
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, p, all), CU_DEVICE_CPU);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE, p, all),
                     CU_MEM_LOCATION_TYPE_HOST);
    OK(cuMemAdvise(p, page, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, device));
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, p, page), 0);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION, p, all), CU_DEVICE_INVALID);
    FAILS(INVALID_VALUE, cuMemPrefetchAsync(p, 2 * page, device, 1, NULL));
    OK(cuMemPrefetchAsync(p, 2 * page, device, 0, NULL));
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, 2 * page), 0);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE, p, 2 * page),
                     CU_MEM_LOCATION_TYPE_DEVICE);
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION, p, all),
                     CU_DEVICE_INVALID);

    OK(cuMemAdvise(p, all, CU_MEM_ADVISE_SET_ACCESSED_BY, device));
    OK(cuMemAdvise(p, page, CU_MEM_ADVISE_SET_ACCESSED_BY, host));
    OK(cuMemRangeGetAttribute(pair, sizeof pair, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, p, page));
    assert_int_equal(pair[0], 0);
    assert_int_equal(pair[1], CU_DEVICE_CPU);
    assert_int_equal(pair[2], CU_DEVICE_INVALID);
    OK(cuMemAdvise(p, page, CU_MEM_ADVISE_UNSET_ACCESSED_BY, device));
    CUmem_range_attribute asked[] = {CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
                                     CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY};
    void *answers[] = {pair, &value};
    size_t bytes[] = {sizeof pair, sizeof value};
    OK(cuMemRangeGetAttributes(answers, bytes, asked, 2, p, page));
    assert_int_equal(pair[0], CU_DEVICE_CPU);
    assert_int_equal(pair[1], CU_DEVICE_INVALID);
    assert_int_equal(value, 1);

    FAILS(INVALID_VALUE,
          cuMemRangeGetAttribute(&value, 2, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, 1));
    FAILS(INVALID_VALUE, cuMemRangeGetAttribute(&value, 4, (CUmem_range_attribute)77, p, 1));
    FAILS(INVALID_VALUE,
          cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, all + 1));
    FAILS(INVALID_VALUE, cuMemAdvise(p, all, (CUmem_advise)9, device));
    FAILS(INVALID_DEVICE, cuMemAdvise(p, all, CU_MEM_ADVISE_SET_ACCESSED_BY,
                                      ((CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, 3})));
    OK(cuMemAlloc(&plain, all));
    FAILS(INVALID_VALUE, cuMemAdvise(plain, all, CU_MEM_ADVISE_SET_READ_MOSTLY, device));
    FAILS(INVALID_VALUE,
          cuMemRangeGetAttribute(&value, 4, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, plain, 1));
    // Another allocation has none of the hints of the one before.
    OK(cuMemFree(p));
    OK(cuMemAllocManaged(&p, all, CU_MEM_ATTACH_GLOBAL));
    assert_int_equal(range(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, p, 1), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

// A prefetch is an operation of a stream: one that is none, or that is captured, is refused.
static void prefetch_into_a_stream(void **state)
{
    CUmemLocation device = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    CUdeviceptr p;
    CUstream s;
    CUgraph g;
    int managed;

    (void)state;
    OK(cuDeviceGetAttribute(&managed, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 0));
    if (!managed) // the host had something else at that address
        return;
    OK(cuMemAllocManaged(&p, 4096, CU_MEM_ATTACH_GLOBAL));
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    OK(cuMemPrefetchAsync(p, 4096, device, 0, s));
    OK(cuMemPrefetchAsync(p, 4096, device, 0, CU_STREAM_PER_THREAD));
    OK(cuStreamBeginCapture(s, CU_STREAM_CAPTURE_MODE_RELAXED));
    FAILS(STREAM_CAPTURE_UNSUPPORTED, cuMemPrefetchAsync(p, 4096, device, 0, s));
    OK(cuStreamEndCapture(s, &g));
    OK(cuGraphDestroy(g));
    OK(cuStreamDestroy(s));
    FAILS(INVALID_HANDLE, cuMemPrefetchAsync(p, 4096, device, 0, s));
    FAILS(INVALID_HANDLE, cuMemPrefetchAsync(p, 4096, device, 0, (CUstream)0x1234));
    OK(cuMemFree(p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(module_loaded_after_memory),
        TEST(memory_for_ever),
        TEST(hints_about_ranges),
        TEST(prefetch_into_a_stream),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
