// test_virtual.c - memory and addresses apart: reserve, create, map, access, move, share.
#include "shared/world.h"

#include <sys/mman.h>
#include <unistd.h>

#define PIECE ((size_t)2 << 20)
#define N 64

static const CUmemAllocationProp here = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                         .requestedHandleTypes =
                                             CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                         .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static const CUmemAccessDesc both = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                     CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
static const CUmemAccessDesc nobody = {{CU_MEM_LOCATION_TYPE_DEVICE, 0},
                                       CU_MEM_ACCESS_FLAGS_PROT_NONE};

static void scale(CUdeviceptr x, int factor) // and add 7
{
    void *params[] = {&x, &factor};

    OK(cuLaunchKernel(world_function("scale"), 1, 1, 1, N, 1, 1, 0, NULL, params, NULL));
}

static void pieces_in_a_row_are_one(void **state)
{
    CUmemGenericAllocationHandle a, b;
    CUdeviceptr at, next;
    int v[N], big[2 * N] = {0};
    size_t unit = 0;

    (void)state;
    OK(cuMemGetAllocationGranularity(&unit, &here, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    assert_int_equal(unit, PIECE);
    OK(cuMemAddressReserve(&at, 2 * PIECE, 0, 0, 0));
    OK(cuMemAlloc(&next, 4)); // behind it
    assert_true(at % PIECE == 0 && next >= at + 2 * PIECE);
    OK(cuMemCreate(&a, PIECE, &here, 0));
    OK(cuMemCreate(&b, PIECE, &here, 0));
    OK(cuMemMap(at, PIECE, 0, a, 0));
    OK(cuMemMap(at + PIECE, PIECE, 0, b, 0));
    FAILS(INVALID_VALUE, cuMemsetD32(at, 3, N)); // no access yet
    OK(cuMemSetAccess(at, 2 * PIECE, &both, 1));
    OK(cuMemsetD32(at + PIECE - 4 * N, 3, 2 * N)); // across
    scale(at + PIECE - 2 * N, 2);                  // a kernel too
    OK(cuMemcpyDtoH(big, at + PIECE - 4 * N, sizeof big));
    assert_int_equal(big[N / 2 - 1], 3);
    assert_int_equal(big[N / 2], 13);
    assert_int_equal(big[N], 13);
    assert_int_equal(big[N + N / 2], 3);
    // Memory stays when its addresses change, and its handle may go before.
    OK(cuMemRelease(b));
    FAILS(INVALID_VALUE, cuMemRelease(b));
    OK(cuMemUnmap(at, PIECE));
    FAILS(INVALID_VALUE, cuMemsetD32(at + PIECE - 4 * N, 3, 2 * N));
    OK(cuMemUnmap(at + PIECE, PIECE));
    OK(cuMemMap(at + PIECE, PIECE, 0, a, 0));
    OK(cuMemSetAccess(at + PIECE, PIECE, &both, 1));
    OK(cuMemcpyDtoH(v, at + 2 * PIECE - sizeof v / 2, sizeof v / 2));
    assert_int_equal(v[0], 13);
    FAILS(INVALID_VALUE, cuMemAddressFree(at, 2 * PIECE)); // still mapped
    OK(cuMemUnmap(at + PIECE, PIECE));
    OK(cuMemRelease(a));
    OK(cuMemAddressFree(at, 2 * PIECE));
    FAILS(INVALID_VALUE, cuMemAddressFree(at, 2 * PIECE));
    OK(cuMemFree(next));
}

static void one_memory_at_two_places(void **state)
{
    CUmemGenericAllocationHandle a, again, copy;
    CUdeviceptr at, other;
    unsigned long long flags;
    int v[N] = {0}, file = -1;
    void *p;

    (void)state;
    OK(cuMemCreate(&a, PIECE, &here, 0));
    OK(cuMemAddressReserve(&at, PIECE, 0, 0, 0));
    OK(cuMemAddressReserve(&other, PIECE, 4 * PIECE, 0, 0));
    assert_int_equal(other % (4 * PIECE), 0);
    OK(cuMemMap(at, PIECE, 0, a, 0));
    OK(cuMemExportToShareableHandle(&file, a, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    p = (void *)(uintptr_t)file; // NOLINT(performance-no-int-to-ptr): the interface says so
    OK(cuMemImportFromShareableHandle(&copy, p, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(file);
    OK(cuMemMap(other, PIECE, 0, copy, 0));
    OK(cuMemSetAccess(at, PIECE, &both, 1));
    OK(cuMemSetAccess(other, PIECE, &both, 1));
    OK(cuMemsetD32(at, 5, N));
    scale(other, 3);
    OK(cuMemcpyDtoH(v, at, sizeof v));
    assert_int_equal(v[N - 1], 22);
    OK(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)at));
    assert_int_equal(again, a);
    OK(cuMemRelease(again));
    OK(cuMemGetAccess(&flags, &both.location, at));
    assert_int_equal(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemSetAccess(at, PIECE, &nobody, 1));
    OK(cuMemGetAccess(&flags, &both.location, at));
    assert_int_equal(flags, 0);
    FAILS(INVALID_VALUE, cuMemcpyDtoH(v, at, sizeof v));
    scale(at, 2);
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
}

static void refused(void **state)
{
    CUmemAllocationProp wrong = here;
    CUmemGenericAllocationHandle a;
    CUdeviceptr at;
    size_t room, rest, total;
    int file = memfd_create("short", 0);

    (void)state;
    FAILS(INVALID_VALUE, cuMemCreate(&a, PIECE / 2, &here, 0));
    FAILS(INVALID_VALUE, cuMemCreate(NULL, PIECE, &here, 0));
    FAILS(INVALID_VALUE, cuMemCreate(&a, PIECE, NULL, 0));
    wrong.location.id = 1;
    FAILS(INVALID_DEVICE, cuMemCreate(&a, PIECE, &wrong, 0));
    OK(cuMemGetInfo(&room, &total));
    FAILS(OUT_OF_MEMORY, cuMemCreate(&a, total / PIECE * PIECE + PIECE, &here, 0));
    OK(cuMemCreate(&a, PIECE, &here, 0));
    OK(cuMemGetInfo(&rest, &total));
    assert_int_equal(rest, room - PIECE);
    FAILS(INVALID_VALUE, cuMemAddressReserve(&at, PIECE + 1, 0, 0, 0));
    FAILS(INVALID_VALUE, cuMemAddressReserve(&at, PIECE, 3, 0, 0));
    FAILS(OUT_OF_MEMORY, cuMemAddressReserve(&at, (size_t)1 << 50, 0, 0, 0));
    OK(cuMemAddressReserve(&at, 2 * PIECE, 0, 0, 0));
    FAILS(INVALID_VALUE, cuMemMap(at, 2 * PIECE, 0, a, 0));
    FAILS(INVALID_VALUE, cuMemMap(at, PIECE, PIECE, a, 0));
    FAILS(INVALID_VALUE, cuMemMap(at + 2 * PIECE, PIECE, 0, a, 0));
    FAILS(INVALID_VALUE, cuMemMap(at, PIECE, 0, (CUmemGenericAllocationHandle)77, 0));
    OK(cuMemMap(at, PIECE, 0, a, 0));
    FAILS(INVALID_VALUE, cuMemMap(at, PIECE, 0, a, 0));
    FAILS(INVALID_VALUE, cuMemSetAccess(at, 2 * PIECE, &both, 1)); // the second is not mapped
    FAILS(INVALID_VALUE, cuMemUnmap(at, PIECE / 2));
    FAILS(INVALID_VALUE, cuMemFree(at));
    FAILS(INVALID_VALUE, cuMemImportFromShareableHandle(
                             &a, (void *)(intptr_t)file, // NOLINT(performance-no-int-to-ptr)
                             CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    close(file);
    OK(cuMemUnmap(at, PIECE));
    OK(cuMemRelease(a));
    OK(cuMemGetInfo(&rest, &total));
    assert_int_equal(rest, room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(pieces_in_a_row_are_one, world_begin, world_end),
        cmocka_unit_test_setup_teardown(one_memory_at_two_places, world_begin, world_end),
        cmocka_unit_test_setup_teardown(refused, world_begin, world_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
