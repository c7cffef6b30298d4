// test_registered.c - memory of the program's own that it registers: what comes back from the
// device, and what is not there any more.
#include "shared/world.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static long page;

static int *pages(size_t n, int protection)
{
    page = sysconf(_SC_PAGESIZE);
    int *at = mmap(NULL, n * (size_t)page, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(at != MAP_FAILED);
    return at;
}

static CUdeviceptr mapped(void *host, size_t bytes, unsigned flags)
{
    CUdeviceptr p;

    OK(cuMemHostRegister(host, bytes, flags | CU_MEMHOSTREGISTER_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&p, host, 0));
    return p;
}

static void launch(const char *name, unsigned threads, void **params)
{
    OK(cuLaunchKernel(world_function(name), 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
}

static void *later(void *to)
{
    usleep(30000); // the kernel takes longer
    *(volatile int *)to = 99;
    return NULL;
}

// The program fills one part while a kernel works on another.
static void others_write_meanwhile(void **state)
{
    int *host = pages(1, PROT_READ | PROT_WRITE);
    CUdeviceptr p = mapped(host, 256, 0);
    unsigned times = 10000;
    void *params[] = {&p, &times};
    pthread_t thread;

    (void)state;
    launch("spin", 32, params);
    assert_false(pthread_create(&thread, NULL, later, &host[40]));
    OK(cuCtxSynchronize());
    pthread_join(thread, NULL);
    assert_int_equal(host[40], 99);
    for (int i = 0; i < 32; i++)
        assert_int_equal(host[i], 10000);
    times = 1; // and the device sees it now
    params[0] = &(CUdeviceptr){p + 32 * 4};
    launch("spin", 32, params);
    OK(cuMemHostUnregister(host));
    assert_int_equal(host[40], 100);
    assert_int_equal(host[31], 10000);
    munmap(host, (size_t)page);
}

static void pages_that_are_read_only(void **state)
{
    int *host = pages(2, PROT_READ | PROT_WRITE), factor = 2;
    CUdeviceptr p;

    (void)state;
    host[5] = 3;
    assert_false(mprotect(host, (size_t)page, PROT_READ));
    FAILS(INVALID_VALUE, cuMemHostRegister(host, (size_t)page, 0));
    FAILS(INVALID_VALUE, cuMemHostRegister(host, 2 * (size_t)page, 0));
    p = mapped(host, (size_t)page, CU_MEMHOSTREGISTER_READ_ONLY);
    launch("count", 1, NULL);
    OK(cuCtxSynchronize());
    void *params[] = {&p, &factor};
    launch("scale", 32, params);
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    FAILS(ILLEGAL_ADDRESS, cuMemHostUnregister(host));
    assert_int_equal(host[5], 3);
    munmap(host, 2 * (size_t)page);
}

static void memory_that_is_not_there(void **state)
{
    int *host = pages(4, PROT_READ | PROT_WRITE), factor = 2, seen;
    CUdeviceptr p;

    (void)state;
    munmap(host + page / 2, (size_t)page); // ints: the third page
    FAILS(INVALID_VALUE, cuMemHostRegister(host, 4 * (size_t)page, 0));
    host[0] = 20;
    p = mapped(host, 2 * (size_t)page, 0);
    void *params[] = {&p, &factor};
    launch("scale", 32, params);
    OK(cuCtxSynchronize());
    assert_int_equal(host[0], 47);
    munmap(host, 2 * (size_t)page); // as a program that forgets to unregister it
    launch("scale", 32, params);
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH(&seen, p, sizeof seen)); // pinned pages live on
    assert_int_equal(seen, 101);
    OK(cuMemHostUnregister(host));
    host = pages(1, PROT_READ | PROT_WRITE);
    p = mapped(host, (size_t)page, 0);
    launch("scale", 32, params);
    munmap(host, (size_t)page);
    OK(cuMemHostUnregister(host));
}

// The range begins inside a page, and less than its length after the start is another page.
static void the_end_is_not_there(void **state)
{
    char *host = (char *)pages(2, PROT_READ | PROT_WRITE), seen[200];
    CUdeviceptr p;

    (void)state;
    memset(host, 3, 2 * (size_t)page);
    p = mapped((int *)(void *)(host + page - 100), 200, 0);
    munmap(host + page, (size_t)page);
    OK(cuMemcpyDtoH(seen, p, sizeof seen));
    OK(cuMemHostUnregister(host + page - 100));
    munmap(host, (size_t)page);
}

static uint64_t attribute(CUpointer_attribute which, uint64_t pointer)
{
    uint64_t value = 0;

    OK(cuPointerGetAttribute(&value, which, pointer));
    return value;
}

// Both addresses of the memory tell where it is, how large, and the other address.
static void pointers_are_known(void **state)
{
    char *host = (char *)pages(2, PROT_READ | PROT_WRITE);
    const size_t bytes = 2 * (size_t)page;
    CUdeviceptr p;
    uint64_t at = (uintptr_t)host, unknown = at;
    CUcontext current;

    (void)state;
    OK(cuCtxGetCurrent(&current));
    OK(cuMemHostRegister(host, bytes, CU_MEMHOSTREGISTER_DEVICEMAP));
    p = attribute(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, at + 100) - 100;
    CUdeviceptr same;
    OK(cuMemHostGetDevicePointer(&same, host, 0));
    assert_int_equal(p, same);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t start = i ? p : at;
        assert_int_equal(attribute(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, start + 7),
                         CU_MEMORYTYPE_HOST);
        assert_int_equal(attribute(CU_POINTER_ATTRIBUTE_DEVICE_POINTER, start + 7), p + 7);
        assert_int_equal(attribute(CU_POINTER_ATTRIBUTE_HOST_POINTER, start + 7), at + 7);
        assert_int_equal(attribute(CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, start + 7), start);
        assert_int_equal(attribute(CU_POINTER_ATTRIBUTE_RANGE_SIZE, start + bytes - 1), bytes);
        assert_int_equal(attribute(CU_POINTER_ATTRIBUTE_CONTEXT, start), (uintptr_t)current);
        assert_int_equal(attribute(CU_POINTER_ATTRIBUTE_IS_MANAGED, start), 0);
    }
    OK(cuMemHostUnregister(host));
    FAILS(INVALID_VALUE,
          cuPointerGetAttribute(&unknown, CU_POINTER_ATTRIBUTE_RANGE_SIZE, (uintptr_t)host));
    FAILS(INVALID_VALUE, cuPointerGetAttribute(&unknown, CU_POINTER_ATTRIBUTE_RANGE_SIZE, p));
    munmap(host, bytes);
}

// A mirror ends with the context, and the program may use its memory as it likes.
static void contexts_forget(void **state)
{
    int *host = pages(1, PROT_READ | PROT_WRITE);
    CUcontext other;

    (void)state;
    OK(cuCtxCreate(&other, NULL, 0, 0));
    mapped(host, (size_t)page, 0);
    OK(cuCtxDestroy(other));
    FAILS(HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(host));
    munmap(host, (size_t)page);
    launch("count", 1, NULL);
    OK(cuCtxSynchronize());
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, world_begin, world_end)
    const struct CMUnitTest tests[] = {
        TEST(others_write_meanwhile),   TEST(pages_that_are_read_only),
        TEST(memory_that_is_not_there), TEST(the_end_is_not_there),
        TEST(pointers_are_known),       TEST(contexts_forget)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
