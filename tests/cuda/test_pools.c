// test_pools.c - pools of stream-ordered memory: counts, settings, limits, what outlives what.
#include "shared/world.h"

#define KIB 1024

static const CUmemPoolProps here = {.allocType = CU_MEM_ALLOCATION_TYPE_PINNED,
                                    .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};

static CUmemoryPool create(size_t most)
{
    CUmemPoolProps p = here;
    CUmemoryPool pool;

    p.maxSize = most;
    OK(cuMemPoolCreate(&pool, &p));
    return pool;
}

static uint64_t of(CUmemoryPool pool, CUmemPool_attribute attribute)
{
    uint64_t value = 0;

    OK(cuMemPoolGetAttribute(pool, attribute, &value));
    return value;
}

static uint64_t used(CUmemoryPool pool)
{
    assert_int_equal(of(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT),
                     of(pool, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT));
    return of(pool, CU_MEMPOOL_ATTR_USED_MEM_CURRENT);
}

static void they_count(void **state)
{
    CUmemoryPool standard, current, own = create(0), which;
    CUdeviceptr a, b, c;
    uint64_t zero = 0;

    (void)state;
    OK(cuDeviceGetDefaultMemPool(&standard, 0));
    OK(cuDeviceGetMemPool(&current, 0));
    assert_ptr_equal(standard, current);
    OK(cuMemAllocAsync(&a, 2 * KIB, NULL));
    OK(cuMemAllocFromPoolAsync(&b, 3 * KIB, own, NULL));
    assert_true(used(standard) == 2 * KIB && used(own) == 3 * KIB);
    OK(cuDeviceSetMemPool(0, own));
    OK(cuMemAllocAsync(&c, 5 * KIB, NULL));
    assert_true(used(standard) == 2 * KIB && used(own) == 8 * KIB);
    OK(cuPointerGetAttribute(&which, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, c));
    assert_ptr_equal(which, own);
    OK(cuMemFree(a)); // both ways
    OK(cuMemFreeAsync(b, NULL));
    assert_true(used(standard) == 0 && used(own) == 5 * KIB);
    assert_int_equal(of(own, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 8 * KIB);
    OK(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &zero));
    assert_int_equal(of(own, CU_MEMPOOL_ATTR_USED_MEM_HIGH), 5 * KIB);
    OK(cuMemPoolTrimTo(own, 0));
    // Destroyed, it lives until its memory is freed; the device goes back to its own.
    OK(cuMemPoolDestroy(own));
    FAILS(INVALID_VALUE, cuMemPoolDestroy(own));
    FAILS(INVALID_VALUE, cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &zero));
    OK(cuDeviceGetMemPool(&current, 0));
    assert_ptr_equal(standard, current);
    OK(cuMemsetD8(c, 1, 5 * KIB));
    OK(cuMemFree(c));
    own = create(0);
    assert_int_equal(used(own), 0);
}

// What is queued uses the memory until its turn; then it is given back.
static void frees_take_their_turn(void **state)
{
    CUmemoryPool own = create(0);
    int times = 3;
    CUdeviceptr a;
    void *params[] = {&a, &times};

    (void)state;
    OK(cuMemAllocFromPoolAsync(&a, 128, own, NULL));
    OK(cuMemsetD32(a, 0, 32));
    OK(cuLaunchKernel(world_function("spin"), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    OK(cuMemFreeAsync(a, NULL));
    assert_int_equal(used(own), 128);
    OK(cuStreamSynchronize(NULL));
    assert_int_equal(used(own), 0);
}

static void settings(void **state)
{
    CUmemoryPool own = create(0);
    uint64_t most = UINT64_MAX;
    int off = 0, is = 2;
    CUmemAccessDesc both = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;

    (void)state;
    OK(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
    assert_true(of(own, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD) == most);
    OK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &is));
    assert_int_equal(is, 1);
    OK(cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &off));
    OK(cuMemPoolGetAttribute(own, CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, &is));
    assert_int_equal(is, 0);
    OK(cuMemPoolSetAccess(own, &both, 1));
    OK(cuMemPoolGetAccess(&flags, own, &both.location));
    assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
}

static void they_are_the_device_s(void **state)
{
    CUmemoryPool own = create(0), standard, current;
    uint64_t most = 1 << 20;
    CUcontext primary;
    CUdeviceptr a;

    (void)state;
    OK(cuDeviceGetDefaultMemPool(&standard, 0));
    OK(cuMemPoolSetAttribute(standard, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &most));
    OK(cuDeviceSetMemPool(0, own));
    OK(cuDevicePrimaryCtxRetain(&primary, 0));
    OK(cuCtxPushCurrent(primary));
    OK(cuMemAllocAsync(&a, KIB, NULL));
    assert_int_equal(used(own), KIB);
    OK(cuDevicePrimaryCtxReset(0));
    OK(cuCtxPopCurrent(NULL));
    assert_int_equal(used(own), 0); // it went with its context
    OK(cuDeviceGetMemPool(&current, 0));
    assert_ptr_equal(current, standard);
    assert_int_equal(of(standard, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), 0);
    OK(cuMemAllocFromPoolAsync(&a, KIB, own, NULL));
    OK(cuMemPoolDestroy(own));
    FAILS(INVALID_VALUE, cuMemPoolDestroy(standard));
}

static void refused(void **state)
{
    CUmemoryPool own = create(64 * KIB), standard, pool;
    CUmemPoolProps p = here;
    CUmemAccessDesc none = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_NONE};
    CUmemLocation at = here.location, other = {CU_MEM_LOCATION_TYPE_DEVICE, 1};
    CUdeviceptr a, b;
    uint64_t v = 1;

    (void)state;
    OK(cuMemAllocFromPoolAsync(&a, 40 * KIB, own, NULL));
    FAILS(OUT_OF_MEMORY, cuMemAllocFromPoolAsync(&b, 30 * KIB, own, NULL));
    FAILS(OUT_OF_MEMORY, cuMemAllocFromPoolAsync(&b, SIZE_MAX, own, NULL));
    OK(cuMemAllocFromPoolAsync(&b, 24 * KIB, own, NULL));
    FAILS(INVALID_VALUE, cuMemAllocFromPoolAsync(&b, 0, own, NULL));
    FAILS(INVALID_VALUE, cuMemAllocFromPoolAsync(NULL, 4, own, NULL));
    FAILS(INVALID_VALUE, cuMemAllocFromPoolAsync(&b, 4, NULL, NULL));
    FAILS(INVALID_HANDLE, cuMemAllocFromPoolAsync(&b, 4, own, (CUstream)own));
    p.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    FAILS(NOT_SUPPORTED, cuMemPoolCreate(&pool, &p));
    p = here;
    p.location.id = 1;
    FAILS(INVALID_VALUE, cuMemPoolCreate(&pool, &p));
    FAILS(INVALID_VALUE, cuMemPoolCreate(NULL, &here));
    FAILS(INVALID_VALUE, cuMemPoolCreate(&pool, NULL));
    FAILS(INVALID_VALUE, cuMemPoolGetAttribute(own, (CUmemPool_attribute)0, &v));
    FAILS(INVALID_VALUE, cuMemPoolGetAttribute(own, (CUmemPool_attribute)9, &v));
    FAILS(INVALID_VALUE, cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_HIGH, &v));
    FAILS(INVALID_VALUE, cuMemPoolSetAttribute(own, CU_MEMPOOL_ATTR_USED_MEM_CURRENT, &v));
    FAILS(INVALID_VALUE, cuMemPoolSetAccess(own, &none, 1));
    FAILS(INVALID_VALUE, cuMemPoolTrimTo((CUmemoryPool)world.module, 0));
    FAILS(INVALID_DEVICE, cuDeviceGetMemPool(&pool, 1));
    FAILS(INVALID_VALUE, cuDeviceSetMemPool(0, NULL));
    OK(cuMemGetDefaultMemPool(&standard, &at, CU_MEM_ALLOCATION_TYPE_PINNED));
    OK(cuMemSetMemPool(&at, CU_MEM_ALLOCATION_TYPE_PINNED, own));
    OK(cuMemGetMemPool(&pool, &at, CU_MEM_ALLOCATION_TYPE_PINNED));
    assert_true(pool == own && standard != own);
    FAILS(INVALID_DEVICE, cuMemGetMemPool(&pool, &other, CU_MEM_ALLOCATION_TYPE_PINNED));
    FAILS(NOT_SUPPORTED, cuMemGetMemPool(&pool, &at, (CUmemAllocationType)2));
    FAILS(INVALID_VALUE, cuMemGetMemPool(&pool, NULL, CU_MEM_ALLOCATION_TYPE_PINNED));
}

static void use(CUdeviceptr x)
{
    int factor = 1;
    void *params[] = {&x, &factor};

    OK(cuLaunchKernel(world_function("scale"), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
}

// What is freed in the stream's order is not taken for ever: before there is no room, the queues
// run.
static void queued_frees_make_room(void **state)
{
    const size_t gib = (size_t)1 << 30;
    CUmemoryPool own = create(3 * gib);
    CUmemGenericAllocationHandle physical;
    CUmemAllocationProp properties = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                      .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
    CUdeviceptr p, big, rest;

    (void)state;
    for (int i = 0; i < 8; i++) { // the device has four
        OK(cuMemAllocAsync(&p, gib, NULL));
        use(p);
        OK(cuMemFreeAsync(p, NULL));
    }
    OK(cuMemAlloc(&big, 3 * gib));
    use(big);
    OK(cuMemFreeAsync(big, NULL));
    OK(cuMemCreate(&physical, 3 * gib, &properties, 0));
    OK(cuMemRelease(physical));
    for (int i = 0; i < 4; i++) { // the pool's greatest size
        OK(cuMemAllocFromPoolAsync(&p, 2 * gib, own, NULL));
        use(p);
        OK(cuMemFreeAsync(p, NULL));
    }
    OK(cuMemAlloc(&big, 3 * gib));
    FAILS(OUT_OF_MEMORY, cuMemAllocAsync(&p, 2 * gib, NULL)); // nothing is freed
    OK(cuMemAlloc(&rest, gib / 2));
    OK(cuMemFreeAsync(rest, NULL));
    OK(cuMemFree(big));
    // What had to run first may fail.
    OK(cuMemAllocAsync(&p, 3 * gib, NULL));
    OK(cuLaunchKernel(world_function("wild"), 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuMemFreeAsync(p, NULL));
    FAILS(ILLEGAL_ADDRESS, cuMemAlloc(&p, 3 * gib));
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, world_begin, world_end)
    const struct CMUnitTest tests[] = {
        TEST(they_count), TEST(frees_take_their_turn),  TEST(settings), TEST(they_are_the_device_s),
        TEST(refused),    TEST(queued_frees_make_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
