// test_textures.c - texture and surface objects through the driver API, in every geometry: what an
// array, its flags and a description of sampling mean to a kernel. The filter and the edges
// themselves are the emulator's (tests/unit/test_tex.c); here each is seen once from outside.
#include "shared/world.h"

#include <stdio.h>
#include <stdlib.h>

enum { W = 4, H = 3, D = 2 };

#define FETCH(name, geometry, coordinates)                                                         \
    ".visible .entry " name "(.param .u64 t, .param .u64 out, .param .f32 x, .param .f32 y, "      \
    ".param .f32 z, .param .u32 layer)\n{\n"                                                       \
    ".reg .f32 %f<8>;\n.reg .b32 %r<2>;\n.reg .b64 %rd<3>;\n"                                      \
    "ld.param.u64 %rd1, [t];\nld.param.u64 %rd2, [out];\nld.param.f32 %f1, [x];\n"                 \
    "ld.param.f32 %f2, [y];\nld.param.f32 %f3, [z];\nld.param.u32 %r1, [layer];\n"                 \
    "tex." geometry ".v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {" coordinates "}];\n"               \
    "st.global.v4.f32 [%rd2], {%f4, %f5, %f6, %f7};\nret;\n}\n"
// Reads a word through the surface, doubles it, writes it one texel further along x (in bytes).
#define TOUCH(name, geometry, at, next)                                                            \
    ".visible .entry " name "(.param .u64 s, .param .s32 x, .param .s32 y, .param .s32 z, "        \
    ".param .s32 layer)\n{\n"                                                                      \
    ".reg .b32 %r<8>;\n.reg .b64 %rd<2>;\n"                                                        \
    "ld.param.u64 %rd1, [s];\nld.param.s32 %r1, [x];\nld.param.s32 %r2, [y];\n"                    \
    "ld.param.s32 %r3, [z];\nld.param.s32 %r4, [layer];\nadd.s32 %r5, %r1, 4;\n"                   \
    "suld.b." geometry ".b32.trap {%r6}, [%rd1, {" at "}];\nadd.u32 %r6, %r6, %r6;\n"              \
    "sust.b." geometry ".b32.trap [%rd1, {" next "}], {%r6};\nret;\n}\n"

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n" // clang-format off
    FETCH("f1d", "1d", "%f1") FETCH("f2d", "2d", "%f1, %f2")
    FETCH("f3d", "3d", "%f1, %f2, %f3, %f3")
    FETCH("fcube", "cube", "%f1, %f2, %f3, %f3") FETCH("facube", "acube", "%r1, %f1, %f2, %f3")
    FETCH("fa1d", "a1d", "%r1, %f1") FETCH("fa2d", "a2d", "%r1, %f1, %f2, %f2")
    TOUCH("s1d", "1d", "%r1", "%r5") TOUCH("s2d", "2d", "%r1, %r2", "%r5, %r2")
    TOUCH("s3d", "3d", "%r1, %r2, %r3, %r3", "%r5, %r2, %r3, %r3")
    TOUCH("sa1d", "a1d", "%r4, %r1", "%r4, %r5")
    TOUCH("sa2d", "a2d", "%r4, %r1, %r2, %r2", "%r4, %r5, %r2, %r2");
// clang-format on

static CUdeviceptr out;

static int begin(void **state)
{
    world_begin(state);
    OK(cuModuleLoadData(&world.module, ptx));
    OK(cuMemAlloc(&out, 16));
    return 0;
}

struct at {
    float x, y, z;
    int layer;
};

static void fetch_all(const char *kernel, CUtexObject t, struct at at, float v[4])
{
    void *params[] = {&t, &out, &at.x, &at.y, &at.z, &at.layer};

    OK(cuLaunchKernel(world_function(kernel), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(v, out, 16));
}

static float fetch(const char *kernel, CUtexObject t, struct at at)
{
    float v[4];

    fetch_all(kernel, t, at, v);
    return v[0];
}

static float value(int x, int y, int z)
{
    return (float)(100 * z + 10 * y + x);
}

// An array of that shape (0: no such dimension) with value(x, y, z) at each place.
static CUarray new_array(unsigned width, unsigned height, unsigned depth, unsigned flags)
{
    float texels[D][H][W];
    unsigned rows = height ? height : 1, slices = depth ? depth : 1;
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = width,
                                 .Height = height,
                                 .Depth = depth,
                                 .Format = CU_AD_FORMAT_FLOAT,
                                 .NumChannels = 1,
                                 .Flags = flags};
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = texels,
                       .srcPitch = sizeof texels[0][0],
                       .srcHeight = H,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .WidthInBytes = width * sizeof(float),
                       .Height = rows,
                       .Depth = slices};

    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                texels[z][y][x] = value(x, y, z);
    OK(cuArray3DCreate(&c.dstArray, &d));
    OK(cuMemcpy3D(&c));
    return c.dstArray;
}

static CUtexObject texture_of(CUarray a, CUDA_TEXTURE_DESC t)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    CUtexObject o;

    OK(cuTexObjectCreate(&o, &r, &t, NULL));
    return o;
}

#define ALL(mode)                                                                                  \
    {                                                                                              \
        CU_TR_ADDRESS_MODE_##mode, CU_TR_ADDRESS_MODE_##mode, CU_TR_ADDRESS_MODE_##mode            \
    }
static const CUDA_TEXTURE_DESC nearest = {.addressMode = ALL(CLAMP)};
static const CUDA_TEXTURE_DESC linear = {.addressMode = ALL(CLAMP),
                                         .filterMode = CU_TR_FILTER_MODE_LINEAR};

static void every_geometry(void **state)
{
    CUarray one = new_array(W, 0, 0, 0), two = new_array(W, H, 0, 0), three = new_array(W, H, D, 0);
    CUarray lines = new_array(W, 0, D, CUDA_ARRAY3D_LAYERED);
    CUarray planes = new_array(W, H, D, CUDA_ARRAY3D_LAYERED);

    (void)state;
    assert_true(fetch("f1d", texture_of(one, nearest), (struct at){2.5f, 0, 0, 0}) == 2);
    assert_true(fetch("f2d", texture_of(two, nearest), (struct at){3.5f, 2.5f, 0, 0}) == 23);
    assert_true(fetch("f3d", texture_of(three, nearest), (struct at){1.5f, 2.5f, 1.5f, 0}) == 121);
    assert_true(fetch("fa1d", texture_of(lines, nearest), (struct at){1.5f, 0, 0, 1}) == 101);
    assert_true(fetch("fa2d", texture_of(planes, nearest), (struct at){1.5f, 2.5f, 0, 1}) == 121);
    // Between texels; layers never mix, and the last is taken for those beyond it.
    assert_true(fetch("f1d", texture_of(one, linear), (struct at){2, 0, 0, 0}) == 1.5f);
    assert_true(fetch("f2d", texture_of(two, linear), (struct at){2, 1, 0, 0}) == 6.5f);
    assert_true(fetch("f3d", texture_of(three, linear), (struct at){2, 1, 1, 0}) == 56.5f);
    assert_true(fetch("fa2d", texture_of(planes, linear), (struct at){2, 1, 0, 1}) == 106.5f);
    assert_true(fetch("fa1d", texture_of(lines, linear), (struct at){2, 0, 0, 7}) == 101.5f);
}

static void every_edge(void **state)
{
    static const struct {
        CUaddress_mode mode;
        float expected[8]; // of x = -1.5 .. 5.5 texels, of row 1
    } cases[] = {
        {CU_TR_ADDRESS_MODE_WRAP, {12, 13, 10, 11, 12, 13, 10, 11}},
        {CU_TR_ADDRESS_MODE_CLAMP, {10, 10, 10, 11, 12, 13, 13, 13}},
        {CU_TR_ADDRESS_MODE_MIRROR, {11, 10, 10, 11, 12, 13, 13, 12}},
        {CU_TR_ADDRESS_MODE_BORDER, {-7, -7, 10, 11, 12, 13, -7, -7}},
    };
    CUarray a = new_array(W, H, 0, 0);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CUDA_TEXTURE_DESC d = {.addressMode = {cases[i].mode, cases[i].mode},
                               .flags = CU_TRSF_NORMALIZED_COORDINATES,
                               .borderColor = {-7, -7, -7, -7}};
        CUtexObject t = texture_of(a, d);
        for (int k = 0; k < 8; k++) {
            float x = ((float)k - 1.5f) / (float)W;
            assert_true(fetch("f2d", t, (struct at){x, 0.5f, 0, 0}) == cases[i].expected[k]);
        }
        OK(cuTexObjectDestroy(t));
    }
}

// Two cube maps of 2 x 2 texels, each its number: 100 * cube + 10 * face + 2 * y + x.
static void cube_maps(void **state)
{
    static const struct {
        float x, y, z;
        int face, texel;
    } cases[] = {{2, 1, 1, 0, 0},    {2, -1, -1, 0, 3},    {-2, 1, -1, 1, 0},
                 {-2, 1, 1, 1, 1},   {-1, 3, -1, 2, 0},    {1, 3, -1, 2, 1},
                 {-1, -3, 1, 3, 0},  {-1, -3, -1, 3, 2},   {-.1f, .1f, 1, 4, 0},
                 {.1f, -1, 5, 4, 3}, {.1f, .2f, -1, 5, 0}, {-1, -1, -7, 5, 3}};
    float texels[12][2][2];
    CUDA_ARRAY3D_DESCRIPTOR d = {.Width = 2,
                                 .Height = 2,
                                 .Depth = 12,
                                 .Format = CU_AD_FORMAT_FLOAT,
                                 .NumChannels = 1,
                                 .Flags = CUDA_ARRAY3D_CUBEMAP | CUDA_ARRAY3D_LAYERED};
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                       .srcHost = texels,
                       .srcPitch = sizeof texels[0][0],
                       .srcHeight = 2,
                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                       .WidthInBytes = sizeof texels[0][0],
                       .Height = 2,
                       .Depth = 12};
    CUarray layers;

    (void)state;
    for (int i = 0; i < 48; i++)
        texels[i / 4][i / 2 % 2][i % 2] = (float)(100 * (i / 24) + 10 * (i / 4 % 6) + i % 4);
    OK(cuArray3DCreate(&layers, &d));
    c.dstArray = layers;
    OK(cuMemcpy3D(&c));
    d.Depth = c.Depth = 6;
    d.Flags = CUDA_ARRAY3D_CUBEMAP;
    OK(cuArray3DCreate(&c.dstArray, &d));
    OK(cuMemcpy3D(&c));
    CUtexObject one = texture_of(c.dstArray, nearest), two = texture_of(layers, nearest);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        float want = (float)(10 * cases[i].face + cases[i].texel);
        struct at at = {cases[i].x, cases[i].y, cases[i].z, 1};
        assert_true(fetch("fcube", one, at) == want);
        assert_true(fetch("facube", two, at) == 100 + want);
        at.layer = 0;
        assert_true(fetch("facube", two, at) == want);
    }
    // The middle of a face is a fourth of each texel; a plane is no cube map.
    assert_true(fetch("fcube", texture_of(c.dstArray, linear), (struct at){0, 0, -4, 0}) == 51.5f);
    CUDA_TEXTURE_DESC seamless = linear;
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = c.dstArray};
    seamless.flags = CU_TRSF_SEAMLESS_CUBEMAP;
    FAILS(NOT_SUPPORTED, cuTexObjectCreate(&one, &r, &seamless, NULL));
    CUtexObject t = texture_of(new_array(W, H, 0, 0), nearest);
    struct at at = {0, 0, 1, 0};
    void *params[] = {&t, &out, &at.x, &at.y, &at.z, &at.layer};
    OK(cuLaunchKernel(world_function("fcube"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    FAILS(ILLEGAL_INSTRUCTION, cuCtxSynchronize());
}

// Narrow integers are read as fractions; channels that are not there are 0, the fourth is 1.
static void formats(void **state)
{
    static const unsigned char bytes[2][32] = {{0, 51, 255, 102}};
    static const unsigned short halves[2] = {0x3c00, 0xc500}; // 1, -5
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_PITCH2D};
    CUtexObject t;
    float v[4];

    (void)state;
    OK(cuMemAlloc(&r.res.pitch2D.devPtr, sizeof bytes));
    OK(cuMemcpyHtoD(r.res.pitch2D.devPtr, bytes, sizeof bytes));
    r.res.pitch2D.format = CU_AD_FORMAT_UNSIGNED_INT8;
    r.res.pitch2D.numChannels = 2;
    r.res.pitch2D.width = 2;
    r.res.pitch2D.height = 2;
    r.res.pitch2D.pitchInBytes = 32;
    OK(cuTexObjectCreate(&t, &r, &nearest, NULL));
    fetch_all("f2d", t, (struct at){1.5f, 0.5f, 0, 0}, v);
    assert_true(v[0] == 1 && v[1] == 0.4f && v[2] == 0 && v[3] == 1);
    OK(cuTexObjectCreate(&t, &r, &linear, NULL));
    fetch_all("f2d", t, (struct at){1.5f, 1, 0, 0}, v); // half of the row of zeros
    assert_true(v[0] == 0.5f && v[1] == 0.2f);
    r.res.pitch2D.pitchInBytes = 48; // not a multiple of what rows must be
    FAILS(INVALID_VALUE, cuTexObjectCreate(&t, &r, &nearest, NULL));
    r.res.pitch2D.pitchInBytes = 32;
    r.res.pitch2D.height = 4; // more than is there, and than its granule holds
    r.res.pitch2D.width = 64;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&t, &r, &nearest, NULL));

    CUDA_ARRAY_DESCRIPTOR d = {.Width = 2, .Format = CU_AD_FORMAT_HALF, .NumChannels = 1};
    CUarray a;
    OK(cuArrayCreate(&a, &d));
    OK(cuMemcpyHtoA(a, 0, halves, sizeof halves));
    assert_true(fetch("f1d", texture_of(a, nearest), (struct at){1.5f, 0, 0, 0}) == -5);
    // Integers as such have nothing between them.
    CUDA_TEXTURE_DESC whole = linear;
    whole.flags = CU_TRSF_READ_AS_INTEGER;
    r.res.pitch2D.width = r.res.pitch2D.height = 2;
    FAILS(INVALID_VALUE, cuTexObjectCreate(&t, &r, &whole, NULL));
}

static void touch(const char *kernel, CUarray a, int x, int y, int z, int layer)
{
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    CUsurfObject s;
    void *params[] = {&s, &x, &y, &z, &layer};

    OK(cuSurfObjectCreate(&s, &r));
    OK(cuLaunchKernel(world_function(kernel), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuSurfObjectDestroy(s)); // behind the kernel
}

static uint32_t word_at(CUarray a, int x, int y, int z)
{
    uint32_t v;
    CUDA_MEMCPY3D c = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
                       .srcArray = a,
                       .srcXInBytes = 4 * (size_t)x,
                       .srcY = (size_t)y,
                       .srcZ = (size_t)z,
                       .dstMemoryType = CU_MEMORYTYPE_HOST,
                       .dstHost = &v,
                       .WidthInBytes = 4,
                       .Height = 1,
                       .Depth = 1};

    OK(cuMemcpy3D(&c));
    return v;
}

static void every_surface(void **state)
{
    static const struct {
        const char *kernel;
        int height, depth, flags, y, z, layer;
    } cases[] = {{"s1d", 0, 0, 0, 0, 0, 0},
                 {"s2d", H, 0, 0, 2, 0, 0},
                 {"s3d", H, D, 0, 2, 1, 0},
                 {"sa1d", 0, D, CUDA_ARRAY3D_LAYERED, 0, 0, 1},
                 {"sa2d", H, D, CUDA_ARRAY3D_LAYERED, 1, 0, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CUarray a = new_array(W, (unsigned)cases[i].height, (unsigned)cases[i].depth,
                              (unsigned)cases[i].flags | CUDA_ARRAY3D_SURFACE_LDST);
        int slice = cases[i].z + cases[i].layer;
        uint32_t before = word_at(a, 1, cases[i].y, slice);
        touch(cases[i].kernel, a, 4, cases[i].y, cases[i].z, cases[i].layer);
        assert_int_equal(word_at(a, 2, cases[i].y, slice), 2 * before);
        assert_int_equal(word_at(a, 1, cases[i].y, slice), before);
    }
    // Past the row's end: a trap, and the context is lost.
    touch("s1d", new_array(W, 0, 0, CUDA_ARRAY3D_SURFACE_LDST), 0, 0, 0, 0);
    CUarray a = new_array(W, 0, 0, CUDA_ARRAY3D_SURFACE_LDST);
    CUDA_RESOURCE_DESC r = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = a};
    CUsurfObject s;
    int x = 4 * W, zero = 0;
    OK(cuSurfObjectCreate(&s, &r));
    void *params[] = {&s, &x, &zero, &zero, &zero};
    OK(cuLaunchKernel(world_function("s1d"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
}

// An array that is gone, an object that is gone: faults of the kernel that uses them.
static void used_after_the_end(void **state)
{
    CUarray a = new_array(W, H, 0, 0);
    CUtexObject t = texture_of(a, nearest);
    struct at at = {0, 0, 0, 0};
    void *params[] = {&t, &out, &at.x, &at.y, &at.z, &at.layer};

    (void)state;
    OK(cuArrayDestroy(a));
    OK(cuLaunchKernel(world_function("f2d"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    FAILS(ILLEGAL_ADDRESS, cuCtxSynchronize());
    OK(cuCtxDestroy(world.context));
    OK(cuCtxCreate(&world.context, NULL, 0, 0));
    OK(cuModuleLoadData(&world.module, ptx));
    OK(cuMemAlloc(&out, 16));
    OK(cuLaunchKernel(world_function("f2d"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    FAILS(ILLEGAL_INSTRUCTION, cuCtxSynchronize());
}

static void limits(void **state)
{
    CUDA_ARRAY3D_DESCRIPTOR d = {.Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 1};
    CUarray a;
    int most;

    (void)state;
    OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, 0));
    assert_true(most >= 2048);
    d.Width = d.Height = 1;
    d.Depth = (size_t)most;
    OK(cuArray3DCreate(&a, &d));
    d.Depth++;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, 0));
    d.Depth = d.Height = 0;
    d.Width = (size_t)most;
    OK(cuArray3DCreate(&a, &d));
    d.Width++;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    d.Width = W;
    d.Flags = CUDA_ARRAY3D_LAYERED; // without layers
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    d.Flags = CUDA_ARRAY3D_CUBEMAP;
    d.Height = W;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d)); // without faces
    d.Depth = 6;
    OK(cuArray3DCreate(&a, &d));
    d.Height = W - 1;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d)); // they are square
    d.Height = W;
    d.Depth = 12;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d)); // more than one cube needs layers
    d.Flags |= CUDA_ARRAY3D_LAYERED;
    OK(cuArray3DCreate(&a, &d));
    d.Depth = 13;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS, 0));
    d.Width = d.Height = 1;
    d.Depth = (size_t)most;
    OK(cuArray3DCreate(&a, &d));
    d.Depth += 6;
    FAILS(INVALID_VALUE, cuArray3DCreate(&a, &d));
    d.Flags = 0x100; // nothing that is known
    d.Depth = 1;
    FAILS(NOT_SUPPORTED, cuArray3DCreate(&a, &d));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, world_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_geometry),     TEST(every_edge), TEST(formats),   TEST(every_surface),
        TEST(used_after_the_end), TEST(limits),     TEST(cube_maps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
