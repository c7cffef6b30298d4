// test_texrefs.c - texture and surface references through the driver API: what is bound when, what
// the host says about it, references whose address is in a register.
#include "shared/world.h"

#include <stdint.h>
#include <string.h>

#define HEAD(name)                                                                                 \
    ".visible .entry " name "(.param .u64 out, .param .f32 x, .param .f32 y)\n{\n"                 \
    ".reg .f32 %f<8>;\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"                                      \
    "ld.param.u64 %rd1, [out];\nld.param.f32 %f1, [x];\nld.param.f32 %f2, [y];\n"                  \
    "cvt.rzi.s32.f32 %r1, %f1;\n"

static const char ptx[] = ".version 6.0\n.target sm_50\n.address_size 64\n"
                          ".global .texref line;\n.global .texref plane;\n.global .surfref drawn;\n"
                          ".global .u32 plain = 7;\n"
    // clang-format off
    HEAD("fetch") "tex.1d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [line, {%r1}];\nst.global.f32 [%rd1], %f4;\nret;\n}\n"
    HEAD("read") "tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [plane, {%f1, %f2}];\nst.global.f32 [%rd1], %f4;\nret;\n}\n"
    HEAD("far") "mov.u64 %rd2, plane;\ntex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd2, {%f1, %f2}];\nst.global.f32 [%rd1], %f4;\nret;\n}\n"
    HEAD("wide") "txq.width.b32 %r2, [plane];\nst.global.u32 [%rd1], %r2;\nret;\n}\n"
    HEAD("draw") "shl.b32 %r1, %r1, 2;\nmov.u32 %r2, 0;\nmov.b32 %r3, %f2;\nsust.b.2d.b32.trap [drawn, {%r1, %r2}], {%r3};\n"
                 "suld.b.2d.b32.trap {%r4}, [drawn, {%r1, %r2}];\nst.global.b32 [%rd1], %r4;\nret;\n}\n";
// clang-format on

static CUdeviceptr out;
static CUtexref line, plane;

static int begin(void **state)
{
    world_begin(state);
    OK(cuModuleLoadData(&world.module, ptx));
    OK(cuMemAlloc(&out, 256));
    OK(cuModuleGetTexRef(&line, world.module, "line"));
    OK(cuModuleGetTexRef(&plane, world.module, "plane"));
    return 0;
}

static CUresult launch(const char *kernel, CUdeviceptr to, float x, float y)
{
    void *params[] = {&to, &x, &y};

    return cuLaunchKernel(world_function(kernel), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL);
}

static float run(const char *kernel, float x, float y)
{
    float v;

    OK(launch(kernel, out, x, y));
    OK(cuMemcpyDtoH(&v, out, sizeof v));
    return v;
}

static CUdeviceptr floats(unsigned n, float first)
{
    CUdeviceptr d;
    float v[64];

    for (unsigned i = 0; i < n; i++)
        v[i] = first + (float)i;
    OK(cuMemAlloc(&d, n * sizeof *v));
    OK(cuMemcpyHtoD(d, v, n * sizeof *v));
    return d;
}

static CUarray picture(unsigned width, unsigned height)
{
    CUDA_ARRAY_DESCRIPTOR d = {width, height, CU_AD_FORMAT_FLOAT, 1};
    CUDA_MEMCPY2D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .srcPitch = width * sizeof(float),
                       .WidthInBytes = width * sizeof(float),
                       .Height = height};
    float v[64];

    for (unsigned i = 0; i < width * height; i++)
        v[i] = (float)(i % width + 10 * (i / width));
    c.srcHost = v;
    OK(cuArrayCreate(&c.dstArray, &d));
    OK(cuMemcpy2D(&c));
    return c.dstArray;
}

static void finds_references(void **state)
{
    CUtexref again;
    CUdeviceptr at;
    CUsurfref s;

    (void)state;
    OK(cuModuleGetTexRef(&again, world.module, "line"));
    assert_ptr_equal(again, line);
    FAILS(NOT_FOUND, cuModuleGetTexRef(&again, world.module, "lines"));
    FAILS(NOT_FOUND, cuModuleGetTexRef(&again, world.module, "plain"));
    FAILS(NOT_FOUND, cuModuleGetSurfRef(&s, world.module, "plain"));
    FAILS(NOT_FOUND, cuModuleGetGlobal(&at, NULL, world.module, "line"));
    FAILS(INVALID_VALUE, cuModuleGetTexRef(NULL, world.module, "line"));
    FAILS(INVALID_HANDLE, cuTexRefSetFlags((CUtexref)world.module, 0));
    OK(cuModuleUnload(world.module));
    FAILS(INVALID_HANDLE, cuTexRefSetFlags(line, 0));
}

static void reads_memory(void **state)
{
    CUdeviceptr a = floats(64, 0), got;
    size_t offset = 1;

    (void)state;
    OK(cuTexRefSetFormat(line, CU_AD_FORMAT_FLOAT, 1));
    OK(cuTexRefSetAddress(&offset, line, a, 64 * 4));
    assert_int_equal(offset, 0);
    assert_true(run("fetch", 63, 0) == 63 && run("fetch", 64, 0) == 0 && run("fetch", -1, 0) == 0);
    OK(cuTexRefSetAddress(&offset, line, a + 8, 16));
    assert_int_equal(offset, 8);
    assert_true(run("fetch", 2, 0) == 2 && run("fetch", 5, 0) == 5 && run("fetch", 6, 0) == 0);
    OK(cuTexRefGetAddress(&got, line));
    assert_int_equal(got, a);
    FAILS(INVALID_VALUE, cuTexRefSetAddress(NULL, line, a + 8, 16)); // who would tell the offset?
    FAILS(INVALID_VALUE, cuTexRefSetAddress(&offset, line, 64, 16));
    OK(cuTexRefSetAddress(NULL, line, a, SIZE_MAX)); // all that there is
    assert_true(run("fetch", 63, 0) == 63 && run("fetch", 64, 0) == 0);
    OK(cuTexRefSetFormat(line, CU_AD_FORMAT_FLOAT, 2)); // an element is two of them
    assert_true(run("fetch", 31, 0) == 62 && run("fetch", 32, 0) == 0);
    FAILS(INVALID_VALUE, cuTexRefSetFormat(line, CU_AD_FORMAT_FLOAT, 3));
}

static void reads_rows(void **state)
{
    CUDA_ARRAY_DESCRIPTOR d = {8, 4, CU_AD_FORMAT_FLOAT, 1};
    CUdeviceptr a = floats(64, 0);
    CUarray_format format;
    int channels;

    (void)state;
    OK(cuTexRefSetAddress2D(plane, &d, a, 64)); // half of each row
    assert_true(run("read", 3.5f, 2.5f) == 35 && run("far", 7.5f, 3.5f) == 55);
    assert_true(run("read", 9.5f, 0) == 7); // the edge
    FAILS(INVALID_VALUE, cuTexRefSetAddress2D(plane, &d, a, 16));
    FAILS(INVALID_VALUE, cuTexRefSetAddress2D(plane, &d, a + 4, 64));
    OK(cuTexRefGetFormat(&format, &channels, plane));
    assert_true(format == CU_AD_FORMAT_FLOAT && channels == 1);
}

static void reads_arrays(void **state)
{
    CUarray a = picture(8, 4), got;
    CUfilter_mode filter;
    uint32_t width;

    (void)state;
    OK(cuTexRefSetArray(plane, a, CU_TRSA_OVERRIDE_FORMAT));
    assert_true(run("read", 3.5f, 2.5f) == 23);
    OK(cuTexRefSetFilterMode(plane, CU_TR_FILTER_MODE_LINEAR));
    assert_true(run("read", 4, 2.5f) == 23.5f && run("far", 4, 3) == 28.5f);
    OK(cuTexRefSetFlags(plane, CU_TRSF_NORMALIZED_COORDINATES));
    assert_true(run("read", 0.5f, 0.625f) == 23.5f);
    assert_true(run("read", 1.5f, 0.625f) == 23.5f); // wrap is what is there at first
    OK(cuTexRefSetAddressMode(plane, 0, CU_TR_ADDRESS_MODE_CLAMP));
    assert_true(run("read", 1.5f, 0.625f) == 27);
    float bits = run("wide", 0, 0);
    memcpy(&width, &bits, sizeof width);
    assert_int_equal(width, 8);
    OK(cuTexRefGetArray(&got, plane));
    assert_ptr_equal(got, a);
    OK(cuTexRefGetFilterMode(&filter, plane));
    assert_int_equal(filter, CU_TR_FILTER_MODE_LINEAR);
    FAILS(INVALID_VALUE, cuTexRefGetArray(&got, line));
    FAILS(INVALID_VALUE, cuTexRefSetAddressMode(plane, 3, CU_TR_ADDRESS_MODE_CLAMP));
    FAILS(INVALID_VALUE, cuTexRefSetFilterMode(plane, (CUfilter_mode)2));
    FAILS(INVALID_HANDLE, cuTexRefSetArray(plane, (CUarray)plane, 1));
}

static void draws(void **state)
{
    CUarray a = picture(8, 4), got;
    CUsurfref s;

    (void)state;
    OK(cuModuleGetSurfRef(&s, world.module, "drawn"));
    OK(cuSurfRefSetArray(s, a, 0));
    OK(cuSurfRefGetArray(&got, s));
    assert_ptr_equal(got, a);
    assert_true(run("draw", 5, 99) == 99);
    OK(cuTexRefSetArray(plane, a, CU_TRSA_OVERRIDE_FORMAT));
    assert_true(run("read", 5.5f, 0) == 99 && run("read", 4.5f, 0) == 4);
}

// A kernel sees what was bound when it was launched.
static void binds_at_launch(void **state)
{
    CUdeviceptr a = floats(8, 100), b = floats(8, 200);
    float v[2];

    (void)state;
    OK(cuTexRefSetAddress(NULL, line, a, 32));
    OK(launch("fetch", out, 3, 0));
    OK(cuTexRefSetAddress(NULL, line, b, 32));
    OK(launch("fetch", out + 4, 3, 0));
    OK(cuTexRefSetAddress(NULL, line, a, 32));
    OK(cuMemcpyDtoH(v, out, sizeof v));
    assert_true(v[0] == 103 && v[1] == 203);
}

static void refuses_nonsense(void **state)
{
    CUdeviceptr a = floats(8, 0);

    (void)state;
    OK(cuTexRefSetFormat(line, CU_AD_FORMAT_SIGNED_INT32, 1));
    OK(cuTexRefSetAddress(NULL, line, a, 32));
    OK(cuTexRefSetFilterMode(line, CU_TR_FILTER_MODE_LINEAR));
    FAILS(LAUNCH_INCOMPATIBLE_TEXTURING, launch("fetch", out, 1, 0));
}

static void faults_when_nothing_is_bound(void **state)
{
    (void)state;
    OK(launch("fetch", out, 1, 0));
    FAILS(ILLEGAL_INSTRUCTION, cuCtxSynchronize());
}

static void faults_when_it_was_freed(void **state)
{
    CUdeviceptr a = floats(64, 0);

    (void)state;
    OK(cuTexRefSetAddress(NULL, line, a, 256));
    assert_true(run("fetch", 1, 0) == 1);
    OK(cuMemFree(a));
    OK(launch("fetch", out, 1, 0));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, begin, world_end)

// A node that the program adds reads what is bound when its graph is launched, as a captured one
// does.
static void nodes_of_graphs(void **state)
{
    float x = 1, y = 0, v;
    void *params[] = {&out, &x, &y};
    CUDA_KERNEL_NODE_PARAMS k = {.func = world_function("fetch"),
                                 .gridDimX = 1,
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = 1,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .kernelParams = params};
    CUgraph g, outer;
    CUgraphNode node;
    CUgraphExec e;

    (void)state;
    OK(cuGraphCreate(&g, 0));
    OK(cuGraphAddKernelNode(&node, g, NULL, 0, &k));
    OK(cuGraphCreate(&outer, 0));
    OK(cuGraphAddChildGraphNode(&node, outer, NULL, 0, g));
    OK(cuGraphInstantiate(&e, outer, 0));
    for (int i = 1; i < 4; i++) {
        OK(cuTexRefSetAddress(NULL, line, floats(8, 10.0f * (float)i), 32));
        OK(cuGraphLaunch(e, NULL));
        OK(cuMemcpyDtoH(&v, out, sizeof v));
        assert_true(v == 10.0f * (float)i + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(finds_references),
        CASE(reads_memory),
        CASE(reads_rows),
        CASE(reads_arrays),
        CASE(draws),
        CASE(binds_at_launch),
        CASE(nodes_of_graphs),
        CASE(refuses_nonsense),
        CASE(faults_when_nothing_is_bound),
        CASE(faults_when_it_was_freed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
