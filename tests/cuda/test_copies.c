// test_copies.c - memory of the driver API: allocations, copies in all shapes, fills, pointers.
#include "shared/world.h"

#include <stdlib.h>

static void pitched_copies(void **state)
{
    enum { W = 37, H = 11 };
    unsigned char in[H][W], out[H][W] = {{0}}, corner[4][5];
    CUdeviceptr p;
    size_t pitch;

    (void)state;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            in[y][x] = (unsigned char)(7 * y + x);
    OK(cuMemAllocPitch(&p, &pitch, W, H, 4));
    assert_true(pitch >= W && pitch % 512 == 0);
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = in,
                       .srcPitch = W,
                       .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                       .dstDevice = p,
                       .dstPitch = pitch,
                       .WidthInBytes = W,
                       .Height = H};
    OK(cuMemcpy2D(&c));
    CUDA_MEMCPY2D back = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                          .srcDevice = p,
                          .srcPitch = pitch,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = out,
                          .dstPitch = W,
                          .WidthInBytes = W,
                          .Height = H};
    OK(cuMemcpy2D(&back));
    assert_memory_equal(in, out, sizeof in);
    // A corner: columns 3 to 7 of rows 2 to 5.
    back.srcXInBytes = 3;
    back.srcY = 2;
    back.dstHost = corner;
    back.dstPitch = sizeof corner[0];
    back.WidthInBytes = sizeof corner[0];
    back.Height = 4;
    OK(cuMemcpy2D(&back));
    for (int y = 0; y < 4; y++)
        assert_memory_equal(corner[y], &in[y + 2][3], 5);
    // Out of the allocation, or rows that overlap.
    back.srcY = 8;
    back.Height = 4;
    FAILS(INVALID_VALUE, cuMemcpy2D(&back));
    back.srcY = 0;
    back.dstPitch = 4;
    FAILS(INVALID_VALUE, cuMemcpy2D(&back));
    back.Height = SIZE_MAX;
    back.srcPitch = back.dstPitch = SIZE_MAX / 2;
    FAILS(INVALID_VALUE, cuMemcpy2D(&back));
    OK(cuMemFree(p));
}

static void volumes_and_arrays(void **state)
{
    enum { W = 5, H = 4, D = 3 };
    float in[D][H][W], out[D][H][W];
    CUDA_ARRAY3D_DESCRIPTOR d = {
        .Width = W, .Height = H, .Depth = D, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};
    CUDA_ARRAY3D_DESCRIPTOR told;
    CUarray a;

    (void)state;
    for (int i = 0; i < D * H * W; i++)
        (&in[0][0][0])[i] = (float)i;
    OK(cuArray3DCreate(&a, &d));
    OK(cuArray3DGetDescriptor(&told, a));
    assert_memory_equal(&told, &d, sizeof d);
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = in,
                       .srcPitch = W * 4,
                       .srcHeight = H,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .dstArray = a,
                       .WidthInBytes = W * 4,
                       .Height = H,
                       .Depth = D};
    OK(cuMemcpy3D(&c));
    memset(out, 0xff, sizeof out);
    CUDA_MEMCPY3D back = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                          .srcArray = a,
                          .dstMemoryType = CU_MEMORYTYPE_HOST,
                          .dstHost = out,
                          .dstPitch = W * 4,
                          .dstHeight = H,
                          .WidthInBytes = W * 4,
                          .Height = H,
                          .Depth = D};
    OK(cuMemcpy3D(&back));
    assert_memory_equal(in, out, sizeof in);
    back.srcZ = 1;
    FAILS(INVALID_VALUE, cuMemcpy3D(&back));
    back.Depth = 1;
    back.srcXInBytes = 8;
    back.WidthInBytes = 12;
    OK(cuMemcpy3D(&back));
    assert_memory_equal(&out[0][0][0], &in[1][0][2], 12);

    float row[W];
    OK(cuMemcpyAtoH(row, a, 4, 8));
    assert_true(row[0] == 1 && row[1] == 2);
    FAILS(INVALID_VALUE, cuMemcpyAtoH(row, a, 16, 8));
    OK(cuArrayDestroy(a));
    FAILS(INVALID_HANDLE, cuArrayDestroy(a));
    d.NumChannels = 3;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
}

static void fills(void **state)
{
    unsigned v[16];
    CUdeviceptr p = world_filled((int[16]){0}, 16);

    (void)state;
    OK(cuMemsetD32(p, 0xdeadbeef, 16));
    OK(cuMemsetD16(p + 2, 0x1234, 3));
    OK(cuMemsetD8(p + 9, 0xee, 2));
    OK(cuMemcpyDtoH(v, p, sizeof v));
    assert_int_equal(v[0], 0x1234beef);
    assert_int_equal(v[1], 0x12341234);
    assert_int_equal(v[2], 0xdeeeeeef);
    assert_int_equal(v[3], 0xdeadbeef);
    OK(cuMemsetD2D32(p, 16, 7, 2, 4)); // the first two of each four
    OK(cuMemcpyDtoH(v, p, sizeof v));
    assert_true(v[4] == 7 && v[5] == 7 && v[6] == 0xdeadbeef && v[12] == 7 && v[13] == 7);
    FAILS(INVALID_VALUE, cuMemsetD32(p + 2, 0, 1));
    FAILS(INVALID_VALUE, cuMemsetD8(p, 0, 10000));
    FAILS(INVALID_VALUE, cuMemsetD32(p, 0, SIZE_MAX / 2));
    OK(cuMemsetD8(p, 0, 0));
}

static void addresses(void **state)
{
    CUdeviceptr p = world_filled((int[100]){0}, 100), base, fresh;
    size_t bytes;

    (void)state;
    OK(cuMemGetAddressRange(&base, &bytes, p + 399));
    assert_int_equal(base, p);
    assert_int_equal(bytes, 400);
    FAILS(NOT_FOUND, cuMemGetAddressRange(&base, &bytes, p - 1));
    FAILS(INVALID_VALUE, cuMemFree(p + 4));
    FAILS(INVALID_VALUE, cuMemFree(0x10));
    OK(cuMemFree(0));
    FAILS(INVALID_VALUE, cuMemAlloc(&fresh, 0));
    FAILS(INVALID_VALUE, cuMemAlloc(NULL, 4));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(p, NULL, 4));
    FAILS(INVALID_VALUE, cuMemcpyHtoD(0x10, &bytes, 4));
    OK(cuMemcpyHtoD(p, NULL, 0));
}

static void scale(CUdeviceptr x, int factor)
{
    void *params[] = {&x, &factor};

    OK(cuLaunchKernel(world_function("scale"), 1, 1, 1, 64, 1, 1, 0, NULL, params, NULL));
}

static void page_locked_memory_is_mapped(void **state)
{
    int *host;
    CUdeviceptr p;
    unsigned flags;

    (void)state;
    OK(cuMemHostAlloc((void **)&host, 64 * sizeof *host, CU_MEMHOSTALLOC_DEVICEMAP));
    for (int i = 0; i < 64; i++)
        host[i] = i;
    OK(cuMemHostGetDevicePointer(&p, host, 0));
    OK(cuMemHostGetFlags(&flags, host));
    assert_int_equal(flags, CU_MEMHOSTALLOC_DEVICEMAP);
    scale(p, 2);
    OK(cuCtxSynchronize());
    assert_int_equal(host[63], 2 * 63 + 7);
    FAILS(INVALID_VALUE, cuMemFree(p));
    OK(cuMemFreeHost(host));
    FAILS(INVALID_VALUE, cuMemFreeHost(host));
}

static void registered_memory_is_mirrored(void **state)
{
    int *host = calloc(64, sizeof *host), inside;
    CUdeviceptr p;

    (void)state;
    assert_non_null(host);
    OK(cuMemHostRegister(host, 64 * sizeof *host, CU_MEMHOSTREGISTER_DEVICEMAP));
    FAILS(HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(host + 1, 4, 0));
    OK(cuMemHostGetDevicePointer(&p, host, 0));
    host[3] = 5;
    scale(p, 10);
    OK(cuMemcpyDtoH(&inside, p + 12, 4));
    assert_int_equal(inside, 57);
    assert_int_equal(host[3], 57);
    host[3] = 1;
    scale(p, 10);
    OK(cuCtxSynchronize());
    assert_int_equal(host[3], 17);
    OK(cuMemsetD32(p, 4, 1));
    assert_int_equal(host[0], 4);
    OK(cuMemHostUnregister(host));
    FAILS(HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(host));
    free(host);
}

static void managed_memory_has_one_pointer(void **state)
{
    CUdeviceptr p;
    int unified, managed;
    unsigned type, is_managed;

    (void)state;
    OK(cuDeviceGetAttribute(&unified, CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 0));
    OK(cuDeviceGetAttribute(&managed, CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 0));
    assert_int_equal(unified, managed);
    if (!managed) { // the host had something else at that address
        FAILS(NOT_SUPPORTED, cuMemAllocManaged(&p, 256, CU_MEM_ATTACH_GLOBAL));
        return;
    }
    OK(cuMemAllocManaged(&p, 64 * sizeof(int), CU_MEM_ATTACH_GLOBAL));
    int *host = (int *)(uintptr_t)p;
    for (int i = 0; i < 64; i++)
        host[i] = -i;
    scale(p, -3);
    OK(cuCtxSynchronize());
    assert_int_equal(host[10], 37);
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 8));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    OK(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    assert_int_equal(is_managed, 1);
    OK(cuMemFree(p));
    // A variable of a module may be managed, too; it is not the program's to free.
    CUmodule m;
    OK(cuModuleLoadData(&m, ".version 7.0\n.target sm_75\n.address_size 64\n"
                            ".visible .global .attribute(.managed) .align 4 .u32 shared = 9;\n"
                            ".visible .global .align 4 .u32 own = 9;\n"));
    OK(cuModuleGetGlobal(&p, NULL, m, "shared"));
    OK(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    assert_int_equal(is_managed, 1);
    assert_int_equal(*(int *)(uintptr_t)p, 9);
    OK(cuMemcpy((CUdeviceptr)(uintptr_t) & (int){0}, p, 4));
    OK(cuStreamAttachMemAsync(NULL, p, 0, CU_MEM_ATTACH_GLOBAL));
    FAILS(INVALID_VALUE, cuMemFree(p));
    OK(cuModuleGetGlobal(&p, NULL, m, "own"));
    OK(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, p));
    assert_int_equal(is_managed, 0);
}

static void any_pointer_copies(void **state)
{
    int v[4] = {1, 2, 3, 4}, w[4] = {0}, *pinned;
    CUdeviceptr p = world_filled(v, 4), q = world_filled(w, 4);

    (void)state;
    OK(cuMemcpy(q, p, 16));
    OK(cuMemcpy((CUdeviceptr)(uintptr_t)w, q, 16));
    assert_memory_equal(v, w, 16);
    w[0] = 9;
    OK(cuMemcpy(p, (CUdeviceptr)(uintptr_t)w, 16));
    OK(cuMemAllocHost((void **)&pinned, 16));
    OK(cuMemcpy((CUdeviceptr)(uintptr_t)pinned, p, 16));
    assert_int_equal(pinned[0], 9);
    FAILS(INVALID_VALUE, cuMemcpy(p, q + 8, 1 << 20));
}

static void pointers_say_what_they_are(void **state)
{
    CUdeviceptr p = world_filled((int[4]){0}, 4), start;
    int v = 0, *pinned, ordinal = 5;
    unsigned type = 77, managed = 77;
    CUcontext c;
    CUpointer_attribute keys[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
    void *values[] = {&type, &managed, &ordinal};

    (void)state;
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, p + 5));
    assert_int_equal(type, CU_MEMORYTYPE_DEVICE);
    OK(cuPointerGetAttribute(&c, CU_POINTER_ATTRIBUTE_CONTEXT, p));
    assert_ptr_equal(c, world.context);
    OK(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, p + 5));
    assert_int_equal(start, p);
    OK(cuMemAllocHost((void **)&pinned, 16));
    OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                             (CUdeviceptr)(uintptr_t)pinned));
    assert_int_equal(type, CU_MEMORYTYPE_HOST);
    FAILS(INVALID_VALUE, cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
                                               (CUdeviceptr)(uintptr_t)&v));
    OK(cuPointerGetAttributes(3, keys, values, (CUdeviceptr)(uintptr_t)&v));
    assert_int_equal(type, 0);
    assert_int_equal(managed, 0);
    assert_int_equal(ordinal, -2);
}

// Each value has its own size, and what is not supported is not written at all.
static void attributes_have_sizes(void **state)
{
    CUdeviceptr p = world_filled((int[4]){0}, 4);
    unsigned ipc[2] = {7, 7}, rdma[2] = {7, 7}, access[2] = {7, 7}, other[2] = {7, 7};
    CUpointer_attribute keys[] = {CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
                                  CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE,
                                  CU_POINTER_ATTRIBUTE_ACCESS_FLAGS, (CUpointer_attribute)99};
    void *values[] = {ipc, rdma, access, other};

    (void)state;
    OK(cuPointerGetAttributes(3, keys, values, p));
    assert_int_equal(ipc[0], 1);
    assert_int_equal(rdma[0], 0);
    assert_int_equal(access[0], 3);
    assert_true(ipc[1] == 7 && rdma[1] == 7 && access[1] == 7);
    FAILS(NOT_SUPPORTED, cuPointerGetAttributes(4, keys, values, p));
    assert_true(other[0] == 7 && other[1] == 7);
}

static void pinned_memory_is_the_hosts(void **state)
{
    size_t before, after, total;
    void *pinned;

    (void)state;
    OK(cuMemGetInfo(&before, &total));
    OK(cuMemAllocHost(&pinned, 1 << 20));
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(after, before);
    OK(cuMemFreeHost(pinned));
    OK(cuMemGetInfo(&after, &total));
    assert_int_equal(after, before);
    FAILS(OUT_OF_MEMORY, cuMemAllocHost(&pinned, (size_t)1 << 37));
}

static void stream_ordered_allocation(void **state)
{
    CUdeviceptr p;
    int v[64] = {3}, out;

    (void)state;
    OK(cuMemAllocAsync(&p, sizeof v, NULL));
    OK(cuMemcpyHtoDAsync(p, v, sizeof v, NULL));
    scale(p, 2);
    OK(cuMemcpyDtoHAsync(&out, p, 4, NULL)); // to pageable memory: done on return
    assert_int_equal(out, 13);
    scale(p, 2);
    OK(cuMemFreeAsync(p, NULL)); // behind the kernel
    OK(cuCtxSynchronize());
    FAILS(INVALID_VALUE, cuMemcpyDtoH(&out, p, 4));
}

// One call, several copies, each with the order in which its source is read.
static void copies_in_one_call(void **state)
{
    int v[4] = {1, 2, 3, 4}, zeros[64] = {0}, kept[2] = {5, 6}, out[4] = {0};
    CUdeviceptr a = world_filled(v, 4), b = world_filled(zeros, 64);
    CUdeviceptr to[] = {b, b + 8, (CUdeviceptr)(uintptr_t)out};
    CUdeviceptr from[] = {a, (CUdeviceptr)(uintptr_t)kept, a};
    size_t bytes[] = {8, 8, 16}, first[] = {0, 1, 2}, failed = 0;
    CUmemcpyAttributes how[] = {{.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM},
                                {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL},
                                {.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY}};
    CUstream s;

    (void)state;
    OK(cuStreamCreate(&s, CU_STREAM_NON_BLOCKING));
    scale(b, 3); // in the default stream; the copies stand after a kernel of their own
    OK(cuCtxSynchronize());
    void *params[] = {&b, &(int){1}};
    OK(cuLaunchKernel(world_function("scale"), 1, 1, 1, 64, 1, 1, 0, s, params, NULL));
    OK(cuMemcpyBatchAsync(to, from, bytes, 3, how, first, 3, s));
    kept[0] = kept[1] = 0; // was read during the call
    assert_int_equal(out[0], 0);
    OK(cuStreamSynchronize(s));
    assert_memory_equal(out, v, sizeof v);
    OK(cuMemcpyDtoH(zeros, b, sizeof zeros));
    assert_int_equal(zeros[0], 1);
    assert_int_equal(zeros[1], 2);
    assert_int_equal(zeros[2], 5);
    assert_int_equal(zeros[3], 6);
    assert_int_equal(zeros[4], 7 + 7); // what the kernels made of 0

    // Nothing is copied if one of them is wrong.
    bytes[2] = 1 << 20;
    to[2] = b;
    OK(cuMemsetD32(b, 9, 64));
#undef cuMemcpyBatchAsync
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, from, bytes, 3, how, first, 3, &failed, s));
    assert_int_equal(failed, 2);
    bytes[2] = 16;
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, from, bytes, 0, how, first, 1, &failed, s));
    assert_true(failed == SIZE_MAX);
    first[1] = 0;
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, from, bytes, 3, how, first, 3, &failed, s));
    first[1] = 1;
    how[2].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_INVALID;
    FAILS(INVALID_VALUE, cuMemcpyBatchAsync(to, from, bytes, 3, how, first, 3, &failed, s));
    how[2].srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_ANY;
    FAILS(INVALID_HANDLE, cuMemcpyBatchAsync(to, from, bytes, 3, how, first, 3, &failed, NULL));
    OK(cuStreamSynchronize(s));
    OK(cuMemcpyDtoH(zeros, b, sizeof zeros));
    assert_int_equal(zeros[0], 9);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, world_begin, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pitched_copies),
        TEST(volumes_and_arrays),
        TEST(fills),
        TEST(addresses),
        TEST(page_locked_memory_is_mapped),
        TEST(registered_memory_is_mirrored),
        TEST(managed_memory_has_one_pointer),
        TEST(any_pointer_copies),
        TEST(pointers_say_what_they_are),
        TEST(attributes_have_sizes),
        TEST(pinned_memory_is_the_hosts),
        TEST(stream_ordered_allocation),
        TEST(copies_in_one_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
