// test_builtins.c - what kernels get from the device beyond instructions: printf, assertions,
// texture and surface objects made through the driver API.
#include "shared/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, "
    ".param .b64 s) .noreturn;\n"
    ".global .align 1 .b8 format[7] = {116, 32, 61, 32, 37, 117, 10};\n"
    ".global .align 1 .b8 nul = 0;\n"
    ".visible .entry say()\n{\n"
    ".local .align 8 .b8 args[8];\n.reg .b32 %r<3>;\n.reg .b64 %rd<3>;\n"
    ".param .b32 r;\n.param .b64 f;\n.param .b64 a;\n"
    "mov.u32 %r1, %tid.x;\nst.local.u32 [args], %r1;\nmov.u64 %rd1, format;\n"
    "cvta.global.u64 %rd1, %rd1;\nmov.u64 %rd2, args;\ncvta.local.u64 %rd2, %rd2;\n"
    "st.param.b64 [f], %rd1;\nst.param.b64 [a], %rd2;\n"
    "call.uni (r), vprintf, (f, a);\nret;\n}\n"
    ".visible .entry fail()\n{\n"
    ".reg .b64 %rd<2>;\n"
    ".param .b64 m;\n.param .b64 f;\n.param .b32 l;\n.param .b64 n;\n.param .b64 s;\n"
    "mov.u64 %rd1, format;\ncvta.global.u64 %rd1, %rd1;\nst.param.b64 [m], %rd1;\n"
    "st.param.b64 [f], %rd1;\nst.param.b32 [l], 12;\nst.param.b64 [n], %rd1;\n"
    "st.param.b64 [s], 1;\ncall.uni __assertfail, (m, f, l, n, s);\nret;\n}\n"
    ".visible .entry fetch(.param .u64 t, .param .u64 out, .param .f32 x, .param .f32 y)\n{\n"
    ".reg .f32 %f<8>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [t];\nld.param.u64 %rd2, [out];\n"
    "ld.param.f32 %f1, [x];\nld.param.f32 %f2, [y];\n"
    "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd1, {%f1, %f2}];\n"
    "st.global.v4.f32 [%rd2], {%f3, %f4, %f5, %f6};\nret;\n}\n"
    ".visible .entry word(.param .u64 t, .param .u64 out, .param .s32 x)\n{\n"
    ".reg .b32 %r<8>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [t];\nld.param.u64 %rd2, [out];\n"
    "ld.param.s32 %r1, [x];\ntex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [%rd1, {%r1}];\n"
    "st.global.u32 [%rd2], %r2;\nret;\n}\n"
    ".visible .entry put(.param .u64 s, .param .s32 x, .param .s32 y, .param .u32 v)\n{\n"
    ".reg .b32 %r<8>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [s];\n"
    "ld.param.s32 %r1, [x];\nld.param.s32 %r2, [y];\nld.param.u32 %r3, [v];\n"
    "sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};\nret;\n}\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    // Each thread asks for n bytes; out counts those who got them.
    ".visible .entry claim(.param .u64 out, .param .u64 n)\n{\n"
    ".reg .pred %p;\n.reg .b32 %r<2>;\n.reg .b64 %rd<4>;\n.param .b64 r;\n.param .b64 size;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [n];\nst.param.b64 [size], %rd2;\n"
    "call.uni (r), malloc, (size);\nld.param.b64 %rd3, [r];\nsetp.eq.s64 %p, %rd3, 0;\n"
    "@%p bra NONE;\natom.global.add.u32 %r1, [%rd1], 1;\nNONE:\nret;\n}\n"
    // 1 + 2 + ... + n, the long way, 64 bytes a call.
    ".func (.param .b32 r) sum (.param .b32 n)\n{\n"
    ".local .align 4 .b8 room[64];\n.reg .pred %p;\n.reg .b32 %r<5>;\n"
    "ld.param.u32 %r1, [n];\nst.local.u32 [room], %r1;\nsetp.eq.u32 %p, %r1, 0;\n"
    "mov.u32 %r2, 0;\n@%p bra DONE;\nsub.u32 %r3, %r1, 1;\n{\n.param .b32 m;\n.param .b32 q;\n"
    "st.param.b32 [m], %r3;\ncall.uni (q), sum, (m);\nld.param.b32 %r2, [q];\n}\n"
    "ld.local.u32 %r4, [room];\nadd.u32 %r2, %r2, %r4;\nDONE:\nst.param.b32 [r], %r2;\nret;\n}\n"
    ".visible .entry total(.param .u64 out, .param .u32 n)\n{\n"
    ".reg .b32 %r<3>;\n.reg .b64 %rd<2>;\n.param .b32 m;\n.param .b32 q;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u32 %r1, [n];\nst.param.b32 [m], %r1;\n"
    "call.uni (q), sum, (m);\nld.param.b32 %r2, [q];\nst.global.u32 [%rd1], %r2;\nret;\n}\n";

static int begin(void **state)
{
    world_begin(state);
    OK(cuModuleLoadData(&world.module, ptx));
    return 0;
}

static void launch(const char *name, unsigned threads, void **params)
{
    OK(cuLaunchKernel(world_function(name), 1, 1, 1, threads, 1, 1, 0, NULL, params, NULL));
}

// What the process writes to standard output meanwhile.
static int saved;
static char captured[512];

static void capture(const char *path)
{
    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    assert_non_null(freopen(path, "w", stdout));
}

static void release(const char *path)
{
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    captured[fread(captured, 1, sizeof captured - 1, f)] = '\0';
    fclose(f);
    remove(path);
}

static void kernels_print(void **state)
{
    const char *folder = getenv("TMPDIR");
    char path[512];

    (void)state;
    snprintf(path, sizeof path, "%s/printed", folder ? folder : "/tmp");
    capture(path);
    printf("before\n");
    launch("say", 3, NULL);
    printf("launched\n");
    OK(cuCtxSynchronize());
    printf("after\n");
    release(path);
    assert_string_equal(captured, "before\nlaunched\nt = 0\nt = 1\nt = 2\nafter\n");
}

// Text that finds no room is lost, and said so; the next wait makes room.
static void printed_text_is_limited(void **state)
{
    const char *folder = getenv("TMPDIR");
    char path[512];
    size_t limit;

    (void)state;
    snprintf(path, sizeof path, "%s/printed", folder ? folder : "/tmp");
    capture(path);
    OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 13));
    launch("say", 5, NULL);
    OK(cuCtxSynchronize());
    launch("say", 1, NULL);
    OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 100000)); // behind that
    launch("say", 4, NULL);
    OK(cuCtxSynchronize());
    release(path);
    assert_string_equal(captured, "t = 0\nt = 1\nt = 0\nt = 0\nt = 1\nt = 2\nt = 3\n");
    OK(cuCtxGetLimit(&limit, CU_LIMIT_PRINTF_FIFO_SIZE));
    assert_int_equal(limit, 100000);
    FAILS(INVALID_VALUE, cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, SIZE_MAX));
}

static int number(const char *kernel, unsigned threads, void *argument)
{
    int v = 0;
    CUdeviceptr out = world_filled(&v, 1);
    void *params[] = {&out, argument};

    launch(kernel, threads, params);
    OK(cuMemcpyDtoH(&v, out, sizeof v));
    return v;
}

static void heap_is_limited(void **state)
{
    uint64_t bytes = 1 << 20;
    size_t limit;

    (void)state;
    OK(cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE));
    assert_int_equal(limit, 8 << 20);
    assert_int_equal(number("claim", 32, &bytes), 8);
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 13 << 20)); // 8 of them are taken
    assert_int_equal(number("claim", 32, &bytes), 5);
    OK(cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, 1 << 20)); // less than is taken
    assert_int_equal(number("claim", 32, &bytes), 0);
    FAILS(OUT_OF_MEMORY, cuCtxSetLimit(CU_LIMIT_MALLOC_HEAP_SIZE, SIZE_MAX));
}

static void stack_is_limited(void **state)
{
    uint32_t shallow = 50, deep = 2000;

    (void)state;
    assert_int_equal(number("total", 1, &shallow), 50 * 51 / 2);
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 512 << 10));
    assert_int_equal(number("total", 1, &deep), 2000 * 2001 / 2);
    FAILS(INVALID_VALUE, cuCtxSetLimit(CU_LIMIT_STACK_SIZE, (512 << 10) + 1));
    OK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024));
    CUdeviceptr out = world_filled((int[1]){0}, 1);
    launch("total", 1, (void *[]){&out, &deep});
    FAILS(HARDWARE_STACK_ERROR, cuCtxSynchronize());
}

static void failed_assertion(void **state)
{
    (void)state;
    launch("fail", 1, NULL);
    FAILS(ASSERT, cuCtxSynchronize());
    FAILS(ASSERT, cuCtxSynchronize());
}

static const CUDA_ARRAY_DESCRIPTOR plane = {
    .Width = 4, .Height = 3, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1};

static CUarray new_array(const float *pixels)
{
    CUarray a;
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = pixels,
                       .srcPitch = 16,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .WidthInBytes = 16,
                       .Height = 3};

    OK(cuArrayCreate(&a, &plane));
    c.dstArray = a;
    OK(cuMemcpy2D(&c));
    return a;
}

static float fetch(CUtexObject t, float x, float y)
{
    static const int zeros[4];
    CUdeviceptr out = world_filled(zeros, 4);
    float v[4];
    void *params[] = {&t, &out, &x, &y};

    launch("fetch", 1, params);
    OK(cuMemcpyDtoH(v, out, sizeof v));
    return v[0];
}

static void textures_of_arrays(void **state)
{
    static const float pixels[3][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}};
    CUarray a = new_array(pixels[0]);
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a}, got;
    CUDA_TEXTURE_DESC t = {.addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP}};
    CUtexObject point, linear;

    (void)state;
    OK(cuTexObjectCreate(&point, &r, &t, NULL));
    t.filterMode = CU_TR_FILTER_MODE_LINEAR;
    OK(cuTexObjectCreate(&linear, &r, &t, NULL));
    assert_true(fetch(point, 2.5f, 1.5f) == 12);
    assert_true(fetch(point, 99, -5) == 3); // the edge repeats
    assert_true(fetch(linear, 2, 1.5f) == 11.5f);
    OK(cuTexObjectGetResourceDesc(&got, point));
    assert_ptr_equal(got.res.array.hArray, a);
    OK(cuTexObjectDestroy(point));
    FAILS(INVALID_VALUE, cuTexObjectDestroy(point));
    r.res.array.hArray = NULL;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&point, &r, &t, NULL));
    r.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    FAILS(NOT_SUPPORTED, cuTexObjectCreate(&point, &r, &t, NULL));
}

static void textures_of_memory(void **state)
{
    int v[8] = {7, 8, 9, 10, 11, 12, 13, 14}, got;
    CUdeviceptr p = world_filled(v, 8), out = world_filled(v, 1);
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_LINEAR,
                            .res.linear = {.devPtr = p,
                                           .format = CU_AD_FORMAT_UNSIGNED_INT32,
                                           .numChannels = 1,
                                           .sizeInBytes = sizeof v}};
    CUDA_TEXTURE_DESC t = {.flags = CU_TRSF_READ_AS_INTEGER};
    CUtexObject texture;
    int x = 5;

    (void)state;
    OK(cuTexObjectCreate(&texture, &r, &t, NULL));
    void *params[] = {&texture, &out, &x};
    launch("word", 1, params);
    OK(cuMemcpyDtoH(&got, out, 4));
    assert_int_equal(got, 12);
    r.res.linear.sizeInBytes = 1 << 20;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&texture, &r, &t, NULL));
}

static void surfaces_are_written(void **state)
{
    static const float pixels[3][4];
    CUarray a = new_array(pixels[0]);
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    CUsurfObject s;
    int x = 2 * 4, y = 1; // x in bytes
    unsigned bits = 0x40490fdb;
    float row[4], expected;
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                       .srcArray = a,
                       .srcY = 1,
                       .dstMemoryType = CU_MEMORYTYPE_HOST,
                       .dstHost = row,
                       .dstPitch = 16,
                       .WidthInBytes = 16,
                       .Height = 1};

    (void)state;
    OK(cuSurfObjectCreate(&s, &r));
    void *params[] = {&s, &x, &y, &bits};
    launch("put", 1, params);
    OK(cuMemcpy2D(&c));
    memcpy(&expected, &bits, 4);
    assert_true(row[2] == expected && row[1] == 0);
    OK(cuSurfObjectDestroy(s));
    FAILS(INVALID_VALUE, cuTexObjectDestroy(s));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(kernels_print),      TEST(printed_text_is_limited), TEST(heap_is_limited),
        TEST(stack_is_limited),   TEST(failed_assertion),        TEST(textures_of_arrays),
        TEST(textures_of_memory), TEST(surfaces_are_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
