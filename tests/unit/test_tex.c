// test_tex.c - textures and surfaces through their objects, against a plain reading of the CUDA
// programming guide (texture fetching) with indices and weights written out here.
#include "base/arena.h"
#include "emu/emu.h"
#include "emu/texture.h"
#include "ptx/ptx.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define W 8
#define H 4
#define LAYERS 3
#define THREADS 32

static struct hd_arena *arena;
static struct hd_memory *memory;
static struct hd_emu *emu;
static struct hd_emu_result result;

static int open_emulator(void **state)
{
    (void)state;
    arena = hd_arena_new();
    memory = hd_memory_new(arena);
    emu = hd_emu_new(arena, &(struct hd_emu_config){.sms = 1, .warps = 8, .tbs = 1}, memory);
    return 0;
}

static int close_emulator(void **state)
{
    (void)state;
    hd_emu_free(emu);
    hd_memory_free(memory);
    hd_arena_free(arena);
    return 0;
}

// Thread t loads coordinates x y z (words 4t .. 4t+2 of `in`) as %x %y %z (b32) and %fx %fy %fz,
// runs the body, and stores %r0 to %r3 to words 4t .. of `out`.
static void run(const char *body, uint64_t handle, const uint32_t *in, uint32_t *out)
{
    char text[4096];
    struct hd_diag d = {0};
    uint64_t params[3] = {handle};

    snprintf(text, sizeof text,
             ".version 7.0\n.target sm_70\n.address_size 64\n"
             ".visible .entry k(.param .u64 h, .param .u64 in, .param .u64 out)\n{\n"
             ".reg .b32 %%r<8>, %%x, %%y, %%z, %%t;\n.reg .f32 %%fx, %%fy, %%fz;\n"
             ".reg .pred %%p;\n.reg .b16 %%h<4>;\n.reg .b64 %%h64, %%in, %%out, %%d<4>;\n"
             "ld.param.u64 %%h64, [h];\nld.param.u64 %%in, [in];\nld.param.u64 %%out, [out];\n"
             "mov.u32 %%t, %%tid.x;\nmad.wide.u32 %%in, %%t, 16, %%in;\n"
             "mad.wide.u32 %%out, %%t, 16, %%out;\nld.global.u32 %%x, [%%in];\n"
             "ld.global.u32 %%y, [%%in+4];\nld.global.u32 %%z, [%%in+8];\nmov.b32 %%fx, %%x;\n"
             "mov.b32 %%fy, %%y;\nmov.b32 %%fz, %%z;\nmov.u32 %%r0, 0;\nmov.u32 %%r1, 0;\n"
             "mov.u32 %%r2, 0;\nmov.u32 %%r3, 0;\n%s\n"
             "st.global.v4.u32 [%%out], {%%r0, %%r1, %%r2, %%r3};\nret;\n}\n",
             body);
    struct hd_program *p = hd_ptx_load(arena, "t", (const uint8_t *)text, strlen(text), &d);
    if (!p || !hd_emu_load(emu, p, &d)) {
        hd_diag_print(&d, stderr);
        fail_msg("does not load: %s", body);
    }
    params[1] = hd_memory_alloc(memory, 16 * THREADS, "in");
    params[2] = hd_memory_alloc(memory, 16 * THREADS, "out");
    hd_memory_write(memory, params[1], in, 16 * THREADS);
    struct hd_launch l = {.program = p,
                          .kernel = &p->funcs[0],
                          .grid = {1, 1, 1},
                          .block = {THREADS, 1, 1},
                          .params = (const uint8_t *)params};
    hd_emu_run(emu, &l, &(struct hd_emu_patience){.warp_insts = 100000}, &result);
    hd_memory_read(memory, params[2], out, 16 * THREADS);
}

static uint32_t bits(float f)
{
    uint32_t u;
    memcpy(&u, &f, sizeof u);
    return u;
}

static float number(uint32_t u)
{
    float f;
    memcpy(&f, &u, sizeof f);
    return f;
}

static double value(int x, int y, int z) // of the float textures
{
    return 100.0 * z + 10.0 * y + x + 0.25 * x * y;
}

// A W x H x LAYERS texture of one float a texel.
static struct hd_texture floats(void)
{
    float texels[LAYERS][H][W];

    for (int z = 0; z < LAYERS; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                texels[z][y][x] = (float)value(x, y, z);
    struct hd_texture t = {.pitch = sizeof texels[0][0],
                           .slice = sizeof texels[0],
                           .size = {W, H, LAYERS},
                           .channels = 1,
                           .format = HD_TEX_F32,
                           .edge = {HD_TEX_CLAMP, HD_TEX_CLAMP, HD_TEX_CLAMP}};
    t.address = hd_memory_alloc(memory, sizeof texels, "texture");
    hd_memory_write(memory, t.address, texels, sizeof texels);
    return t;
}

static void sample_coordinates(uint32_t in[4 * THREADS], float low, float high)
{
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t c = 0; c < 4; c++)
            in[4 * t + c] = bits(low + (high - low) * (float)((t * 37 + c * 61) % 97) / 96.0f);
}

// Index i of n after the edge rule; -1: border.
static int edge(int i, int n, unsigned rule, bool normalized)
{
    if (i >= 0 && i < n)
        return i;
    if (rule == HD_TEX_BORDER)
        return -1;
    if (normalized && rule == HD_TEX_WRAP)
        return ((i % n) + n) % n;
    if (normalized && rule == HD_TEX_MIRROR) {
        int m = ((i % (2 * n)) + 2 * n) % (2 * n);
        return m < n ? m : 2 * n - 1 - m;
    }
    return i < 0 ? 0 : n - 1;
}

static double texel(const struct hd_texture *t, int x, int y, int z)
{
    x = edge(x, W, t->edge[0], t->normalized);
    y = edge(y, H, t->edge[1], t->normalized);
    return x < 0 || y < 0 ? (double)t->border[0] : value(x, y, z);
}

static double fraction(double x) // nine bits, one of them before the point
{
    return floor((x - floor(x)) * 256 + 0.5) / 256;
}

static double expected_2d(const struct hd_texture *t, double x, double y, int z)
{
    if (t->normalized) {
        x *= W;
        y *= H;
    }
    if (!t->linear)
        return texel(t, (int)floor(x), (int)floor(y), z);
    x -= 0.5;
    y -= 0.5;
    double a = fraction(x), b = fraction(y);
    int i = (int)floor(x), j = (int)floor(y);
    return (1 - a) * (1 - b) * texel(t, i, j, z) + a * (1 - b) * texel(t, i + 1, j, z) +
           (1 - a) * b * texel(t, i, j + 1, z) + a * b * texel(t, i + 1, j + 1, z);
}

static void two_dimensions(void **state)
{
    uint32_t in[4 * THREADS], out[4 * THREADS];

    (void)state;
    for (unsigned rule = 0; rule < HD_N_TEX_EDGES; rule++)
        for (unsigned linear = 0; linear < 2; linear++)
            for (unsigned normalized = 0; normalized < 2; normalized++) {
                struct hd_texture t = floats();
                t.linear = linear;
                t.normalized = normalized;
                t.edge[0] = t.edge[1] = (uint8_t)rule;
                t.border[0] = 7;
                uint64_t h = hd_texture_create(emu, &t);
                assert_true(h != 0);
                sample_coordinates(in, normalized ? -1.7f : -3, normalized ? 2.9f : 11);
                run("tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {%fx, %fy}];", h, in, out);
                assert_int_equal(result.trap.kind, HD_TRAP_NONE);
                for (int k = 0; k < THREADS; k++) {
                    double want = expected_2d(&t, (double)number(in[4 * k]),
                                              (double)number(in[4 * k + 1]), 0);
                    if (fabs((double)number(out[4 * k]) - want) > 1e-4)
                        fail_msg("rule %u linear %u normalized %u at (%g, %g): %g, not %g", rule,
                                 linear, normalized, (double)number(in[4 * k]),
                                 (double)number(in[4 * k + 1]), (double)number(out[4 * k]), want);
                }
                assert_true(hd_texture_destroy(emu, h));
            }
}

static void layers_levels_and_depth(void **state)
{
    uint32_t in[4 * THREADS], out[4 * THREADS];
    struct hd_texture t = floats();

    (void)state;
    t.linear = true;
    uint64_t h = hd_texture_create(emu, &t);
    sample_coordinates(in, -2, 10);
    run("tex.a2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {2, %fx, %fy, %fy}];", h, in, out);
    for (int k = 0; k < THREADS; k++)
        assert_true(fabs((double)number(out[4 * k]) - expected_2d(&t, (double)number(in[4 * k]),
                                                                  (double)number(in[4 * k + 1]),
                                                                  2)) < 1e-4);
    // a layer that is not there is the nearest one; missing channels are 0, 0, 1
    run("tex.a2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {99, %fx, %fy, %fy}];", h, in, out);
    assert_true(fabs((double)number(out[0]) -
                     expected_2d(&t, (double)number(in[0]), (double)number(in[1]), 2)) < 1e-4);
    assert_int_equal(out[1], 0);
    assert_int_equal(out[2], 0);
    assert_true(number(out[3]) == 1);
    run("tex.level.2d.v4.f32.f32 {%r0, _, _, _}, [%h64, {%fx, %fy}], 0f40000000;", h, in, out);
    assert_true(fabs((double)number(out[4]) -
                     expected_2d(&t, (double)number(in[4]), (double)number(in[5]), 0)) < 1e-4);
    for (uint32_t k = 0; k < THREADS; k++) {
        in[4 * k] = bits((float)(k % W) + 0.75f);
        in[4 * k + 1] = bits((float)(k % H) + 0.5f);
        in[4 * k + 2] = bits(1.0f); // halfway between slices 0 and 1
    }
    run("tex.3d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {%fx, %fy, %fz, %fz}];", h, in, out);
    for (int k = 0; k < THREADS; k++) {
        int x = k % W, y = k % H, next = x + 1 < W ? x + 1 : W - 1;
        double a = 0.75 * value(x, y, 0) + 0.25 * value(next, y, 0);
        double b = 0.75 * value(x, y, 1) + 0.25 * value(next, y, 1);
        assert_true(fabs((double)number(out[4 * k]) - (a + b) / 2) < 1e-4);
    }
    assert_true(hd_texture_destroy(emu, h));
}

static void fetches_by_index(void **state)
{
    static const int32_t words[4] = {11, -12, 13, -14};
    uint32_t in[4 * THREADS], out[4 * THREADS];
    struct hd_texture t = {
        .size = {4, 1, 1}, .channels = 1, .format = HD_TEX_S32, .pitch = 16, .slice = 16};

    (void)state;
    t.address = hd_memory_alloc(memory, sizeof words, "texture");
    hd_memory_write(memory, t.address, words, sizeof words);
    uint64_t h = hd_texture_create(emu, &t);
    for (uint32_t k = 0; k < THREADS; k++)
        in[4 * k] = k - 2;
    run("tex.1d.v4.s32.s32 {%r0, %r1, %r2, %r3}, [%h64, {%x}];", h, in, out);
    for (int k = 0; k < THREADS; k++) {
        bool there = k >= 2 && k < 6;
        assert_int_equal(out[4 * k], there ? (uint32_t)words[k - 2] : 0);
        assert_int_equal(out[4 * k + 3], there);
    }
    // bytes as numbers from 0 to 1, two channels
    static const uint8_t pairs[8] = {0, 255, 51, 102, 204, 128, 1, 2};
    t = (struct hd_texture){.size = {4, 1, 1}, .channels = 2, .format = HD_TEX_U8, .unit = true};
    t.address = hd_memory_alloc(memory, sizeof pairs, "texture");
    hd_memory_write(memory, t.address, pairs, sizeof pairs);
    h = hd_texture_create(emu, &t);
    run("tex.1d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%h64, {%x}];", h, in, out);
    for (int k = 2; k < 6; k++)
        for (int c = 0; c < 2; c++)
            assert_true(fabs((double)number(out[4 * k + c]) - pairs[2 * (k - 2) + c] / 255.0) <
                        1e-7);
}

static void surfaces(void **state)
{
    uint32_t in[4 * THREADS] = {0}, out[4 * THREADS];
    uint8_t bytes[H][W * 4];
    struct hd_texture t = {
        .size = {W, H, 1}, .channels = 1, .format = HD_TEX_U32, .pitch = W * 4, .slice = W * 4 * H};

    (void)state;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W * 4; x++)
            bytes[y][x] = (uint8_t)(40 * y + x);
    t.address = hd_memory_alloc(memory, sizeof bytes, "surface");
    hd_memory_write(memory, t.address, bytes, sizeof bytes);
    uint64_t h = hd_texture_create(emu, &t);
    for (uint32_t k = 0; k < THREADS; k++) {
        in[4 * k] = (k % 10) * 4 - 4; // byte positions -4 .. 32: one place outside on each side
        in[4 * k + 1] = k / 10;
    }
    run("suld.b.2d.b32.zero {%r0}, [%h64, {%x, %y}];\n"
        "suld.b.2d.b32.clamp {%r1}, [%h64, {%x, %y}];\n"
        "suld.b.2d.b8.clamp {%h1}, [%h64, {%x, %y}];\ncvt.u32.u16 %r2, %h1;\n"
        "suld.b.2d.v2.b16.clamp {%h1, %h2}, [%h64, {%x, %y}];\ncvt.u32.u16 %r3, %h2;\n",
        h, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_NONE);
    for (int k = 0; k < THREADS; k++) {
        int x = (k % 10) * 4 - 4, y = k / 10, inside = x < 0 ? 0 : x > 28 ? 28 : x;
        uint32_t word, byte = bytes[y][x < 0 ? 0 : x > 31 ? 31 : x];
        uint16_t half;
        memcpy(&word, &bytes[y][inside], 4);
        memcpy(&half, &bytes[y][inside + 2], 2);
        assert_int_equal(out[4 * k], x == inside ? word : 0);
        assert_int_equal(out[4 * k + 1], word);
        assert_int_equal(out[4 * k + 2], byte);
        assert_int_equal(out[4 * k + 3], half);
    }
    run("suld.b.2d.b32.trap {%r0}, [%h64, {%x, %y}];", h, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_OUT_OF_BOUNDS);
    assert_int_equal(result.trap.thread[0], 0);
}

// Those outside are dropped.
static void stores(void **state)
{
    uint32_t in[4 * THREADS] = {0}, out[4 * THREADS], got[H][W];
    struct hd_texture t = {
        .size = {W, H, 1}, .channels = 1, .format = HD_TEX_U32, .pitch = W * 4, .slice = W * 4 * H};

    (void)state;
    t.address = hd_memory_alloc(memory, sizeof got, "surface");
    uint64_t h = hd_texture_create(emu, &t);
    for (uint32_t k = 0; k < THREADS; k++) {
        in[4 * k] = (k % 10) * 4 - 4;
        in[4 * k + 1] = k / 10;
    }
    run("add.u32 %r4, %t, 1000;\nsust.b.2d.b32.zero [%h64, {%x, %y}], {%r4};\n"
        "mov.u64 %d1, 0x1122334455667788;\nsust.b.2d.v2.b64.trap [%h64, {16, 3}], {%d1, %d1};\n"
        "suld.b.2d.v2.b64.trap {%d2, %d3}, [%h64, {16, 3}];\ncvt.u32.u64 %r0, %d3;\n",
        h, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_NONE);
    hd_memory_read(memory, t.address, got, sizeof got);
    for (int y = 0; y < 3; y++)
        for (int x = 0; x < W; x++)
            assert_int_equal(got[y][x], 1000 + 10 * y + x + 1);
    assert_int_equal(got[3][0], 1031);
    assert_int_equal(got[3][1], 0);
    assert_int_equal(got[3][4], 0x55667788);
    assert_int_equal(got[3][7], 0x11223344);
    assert_int_equal(out[0], 0x55667788);
}

// --- cube maps

#define N 4 // texels of an edge

// The direction to place (s, t), each from -1 to 1, of a face: the Guide's table read backwards.
static void direction(int face, double s, double t, double d[3])
{
    const double of[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                             {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};

    for (int i = 0; i < 3; i++)
        d[i] = of[face][i];
}

static double face_value(int cube, int face, int x, int y)
{
    return 1000.0 * cube + 100.0 * face + 10.0 * y + x + 0.125 * x * y;
}

// Two cube maps of one float a texel.
static struct hd_texture cubes(void)
{
    float texels[12][N][N];

    for (int z = 0; z < 12; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                texels[z][y][x] = (float)face_value(z / 6, z % 6, x, y);
    struct hd_texture t = {.pitch = sizeof texels[0][0],
                           .slice = sizeof texels[0],
                           .size = {N, N, 12},
                           .channels = 1,
                           .format = HD_TEX_F32,
                           .edge = {HD_TEX_CLAMP, HD_TEX_CLAMP, HD_TEX_CLAMP},
                           .layered = true,
                           .cube = true};
    t.address = hd_memory_alloc(memory, sizeof texels, "cubes");
    hd_memory_write(memory, t.address, texels, sizeof texels);
    return t;
}

static double face_texel(int cube, int face, int x, int y, unsigned rule)
{
    x = edge(x, N, rule, true);
    y = edge(y, N, rule, true);
    return x < 0 || y < 0 ? -1 : face_value(cube, face, x, y);
}

// Between texels of one face at (x, y) in texels.
static double face_filtered(int cube, int face, double x, double y, unsigned rule)
{
    double a = fraction(x - 0.5), b = fraction(y - 0.5);
    int i = (int)floor(x - 0.5), j = (int)floor(y - 0.5);

    return (1 - a) * (1 - b) * face_texel(cube, face, i, j, rule) +
           a * (1 - b) * face_texel(cube, face, i + 1, j, rule) +
           (1 - a) * b * face_texel(cube, face, i, j + 1, rule) +
           a * b * face_texel(cube, face, i + 1, j + 1, rule);
}

// Every texel of every face from directions of several lengths; y grows downwards in a face.
static void cube_faces(void **state)
{
    static const char *const bodies[2] = {
        "tex.cube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {%fx, %fy, %fz, %fz}];",
        "tex.acube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {1, %fx, %fy, %fz}];"};
    uint32_t in[4 * THREADS], out[4 * THREADS];
    struct hd_texture t = cubes();
    uint64_t h = hd_texture_create(emu, &t);

    (void)state;
    for (int cube = 0; cube < 2; cube++)
        for (int face = 0; face < 6; face++) {
            for (int k = 0; k < THREADS; k++) {
                double d[3], length = k < 16 ? 3.5 : 0.01;
                direction(face, 2 * (k % N + 0.5) / N - 1, 2 * (k / N % N + 0.5) / N - 1, d);
                for (int i = 0; i < 3; i++)
                    in[4 * k + i] = bits((float)(length * d[i]));
            }
            run(bodies[cube], h, in, out);
            assert_int_equal(result.trap.kind, HD_TRAP_NONE);
            for (int k = 0; k < THREADS; k++)
                assert_true((double)number(out[4 * k]) == face_value(cube, face, k % N, k / N % N));
            assert_true(out[1] == 0 && out[2] == 0 && number(out[3]) == 1);
        }
    assert_true(hd_texture_destroy(emu, h));
}

// Filters stay within the face, whatever the rule for its edges; a cube that is not there is the
// nearest one; levels and gradients choose nothing.
static void cube_filters(void **state)
{
    static const char *const bodies[4] = {
        "tex.cube.v4.f32.f32 {%r0, _, _, _}, [%h64, {%fx, %fy, %fz, %fz}];",
        "tex.acube.v4.f32.f32 {%r0, _, _, _}, [%h64, {7, %fx, %fy, %fz}];",
        "tex.level.cube.v4.f32.f32 {%r0, _, _, _}, [%h64, {%fx, %fy, %fz, %fz}], 0f3F800000;",
        ("tex.grad.acube.v4.f32.f32 {%r0, _, _, _}, [%h64, {1, %fx, %fy, %fz}], "
         "{%fx, %fx, %fx, %fx}, {%fy, %fy, %fy, %fy};")};
    uint32_t in[4 * THREADS], out[4 * THREADS];
    double at[THREADS][2];
    struct hd_texture t = cubes();

    (void)state;
    t.linear = true;
    t.border[0] = -1;
    for (unsigned rule = 0; rule < HD_N_TEX_EDGES; rule++) {
        t.edge[0] = t.edge[1] = (uint8_t)rule;
        uint64_t h = hd_texture_create(emu, &t);
        for (int face = 0; face < 6; face++) {
            for (int k = 0; k < THREADS; k++) {
                double d[3];
                at[k][0] = ((k * 29 + 5) % 63 + 0.5) / 63.5;
                at[k][1] = ((k * 17 + 11) % 61 + 0.5) / 61.5;
                direction(face, 2 * at[k][0] - 1, 2 * at[k][1] - 1, d);
                for (int i = 0; i < 3; i++)
                    in[4 * k + i] = bits((float)d[i]);
            }
            const char *body = bodies[(face + (int)rule) % 4];
            run(body, h, in, out);
            for (int k = 0; k < THREADS; k++) {
                double have = (double)number(out[4 * k]);
                double want = face_filtered(body[4] == 'a' || body[9] == 'a', face, N * at[k][0],
                                            N * at[k][1], rule);
                if (fabs(have - want) > 0.02)
                    fail_msg("face %d, rule %u at %g %g: %g, not %g", face, rule, at[k][0],
                             at[k][1], have, want);
            }
        }
        assert_true(hd_texture_destroy(emu, h));
    }
}

static void cubes_that_are_none(void **state)
{
    uint32_t in[4 * THREADS] = {0}, out[4 * THREADS];
    struct hd_texture t = floats();
    uint64_t h = hd_texture_create(emu, &t);

    (void)state;
    run("tex.cube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {%fx, %fy, %fz, %fz}];", h, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_ILLEGAL);
    assert_non_null(strstr(result.trap.detail, "no cube map"));
    t = cubes();
    t.layered = false; // of twelve faces
    assert_int_equal(hd_texture_create(emu, &t), 0);
    t.size[2] = 6;
    assert_true(hd_texture_create(emu, &t) != 0);
    t.size[1] = N / 2;
    assert_int_equal(hd_texture_create(emu, &t), 0);
}

// --- gathers, offsets, queries

static void gathers(void **state)
{
    static const int step[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    uint32_t in[4 * THREADS], out[4 * THREADS];

    (void)state;
    for (unsigned rule = 0; rule < HD_N_TEX_EDGES; rule++)
        for (unsigned normalized = 0; normalized < 2; normalized++) {
            struct hd_texture t = floats();
            t.linear = rule & 1; // makes no difference
            t.layered = true;
            t.normalized = normalized;
            t.edge[0] = t.edge[1] = (uint8_t)rule;
            t.border[0] = 7;
            uint64_t h = hd_texture_create(emu, &t);
            sample_coordinates(in, normalized ? -1.2f : -3, normalized ? 2.3f : 11);
            run("tld4.r.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {%fx, %fy}];", h, in, out);
            for (int half = 0; half < 2; half++) {
                for (int k = 0; k < 4 * THREADS; k++) {
                    double x = (double)number(in[k & ~3]) * (normalized ? W : 1) - 0.5;
                    double y = (double)number(in[(k & ~3) + 1]) * (normalized ? H : 1) - 0.5;
                    int i = (int)floor(x) + step[k % 4][0] + (half ? -2 : 0);
                    int j = (int)floor(y) + step[k % 4][1] + (half ? 3 : 0);
                    assert_true((double)number(out[k]) == texel(&t, i, j, half ? 2 : 0));
                }
                run("tld4.r.a2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {2, %fx, %fy, %fy}], "
                    "{-2, 3};",
                    h, in, out);
            }
            run("tld4.g.2d.v4.s32.f32 {%r0, %r1, %r2, %r3}, [%h64, {0f40000000, 0f40000000}];", h,
                in, out);
            assert_int_equal(out[0], rule == HD_TEX_BORDER && normalized ? bits(t.border[1]) : 0);
            assert_true(hd_texture_destroy(emu, h));
        }
    // Of a cube map, the face's four around its middle.
    struct hd_texture t = cubes();
    uint64_t h = hd_texture_create(emu, &t);
    run("tld4.r.cube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {0f00000000, 0fC0000000, 0f00000000, "
        "0f00000000}];",
        h, in, out);
    for (int c = 0; c < 4; c++)
        assert_true((double)number(out[c]) == face_value(0, 3, 1 + step[c][0], 1 + step[c][1]));
    run("tld4.r.acube.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {1, 0f00000000, 0f00000000, "
        "0f40000000}];",
        h, in, out);
    for (int c = 0; c < 4; c++)
        assert_true((double)number(out[c]) == face_value(1, 4, 1 + step[c][0], 1 + step[c][1]));
}

// Four channels: each gather brings its own, of bytes read as fractions.
static void gathered_components(void **state)
{
    static const uint8_t texels[2][2][4] = {{{0, 51, 102, 153}, {1, 52, 103, 154}},
                                            {{2, 53, 104, 155}, {3, 54, 105, 156}}};
    static const char components[] = "rgba";
    static const int step[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    uint32_t in[4 * THREADS] = {0}, out[4 * THREADS];
    struct hd_texture t = {.size = {2, 2, 1},
                           .channels = 4,
                           .format = HD_TEX_U8,
                           .pitch = 8,
                           .slice = 16,
                           .edge = {HD_TEX_CLAMP, HD_TEX_CLAMP}};
    char body[200];

    (void)state;
    t.address = hd_memory_alloc(memory, sizeof texels, "texture");
    hd_memory_write(memory, t.address, texels, sizeof texels);
    for (int unit = 0; unit < 2; unit++) {
        t.unit = unit;
        uint64_t h = hd_texture_create(emu, &t);
        for (int c = 0; c < 4; c++) {
            snprintf(body, sizeof body,
                     "tld4.%c.2d.v4.%s.f32 {%%r0, %%r1, %%r2, %%r3}|%%p, [%%h64, {0f3F800000, "
                     "0f3F800000}];\n@!%%p mov.u32 %%r0, 99;",
                     components[c], unit ? "f32" : "u32");
            run(body, h, in, out);
            for (int i = 0; i < 4; i++) {
                uint8_t want = texels[step[i][1]][step[i][0]][c];
                if (unit)
                    assert_true(fabs((double)number(out[i]) - want / 255.0) < 1e-7);
                else
                    assert_int_equal(out[i], want);
            }
        }
        assert_true(hd_texture_destroy(emu, h));
    }
}

// Offsets move the texels, not the weights; .base and gradients change nothing.
static void offsets_and_gradients(void **state)
{
    uint32_t in[4 * THREADS], out[4 * THREADS];
    struct hd_texture t = floats();

    (void)state;
    t.linear = true;
    uint64_t h = hd_texture_create(emu, &t);
    sample_coordinates(in, -2, 10);
    run("mov.u32 %r4, -3;\n"
        "tex.2d.v4.f32.f32 {%r0, _, _, _}, [%h64, {%fx, %fy}], {%r4, 2};\n"
        "tex.grad.2d.v4.f32.f32 {%r1, _, _, _}, [%h64, {%fx, %fy}], {%fx, %fy}, {%fy, %fx};\n"
        "tex.base.2d.v4.f32.f32 {%r2, _, _, _}, [%h64, {%fx, %fy}];\n"
        "tex.level.2d.v4.f32.f32 {%r3, _, _, _}, [%h64, {%fx, %fy}], %fx, {%r4, 2};",
        h, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_NONE);
    for (int k = 0; k < THREADS; k++) {
        double x = (double)number(in[4 * k]), y = (double)number(in[4 * k + 1]);
        double plain = expected_2d(&t, x, y, 0), moved = expected_2d(&t, x - 3, y + 2, 0);
        assert_true(fabs((double)number(out[4 * k]) - moved) < 1e-4);
        assert_true(fabs((double)number(out[4 * k + 1]) - plain) < 1e-4);
        assert_int_equal(out[4 * k + 2], out[4 * k + 1]);
        assert_int_equal(out[4 * k + 3], out[4 * k]);
    }
    // by index, and along a line with the offset in braces or not
    for (uint32_t k = 0; k < THREADS; k++)
        in[4 * k] = k - 4, in[4 * k + 1] = 1;
    run("tex.2d.v4.f32.s32 {%r0, _, _, _}, [%h64, {%x, %y}], {1, 1};\n"
        "tex.1d.v4.f32.s32 {%r1, _, _, _}, [%h64, {%x}], {2};\n"
        "tex.1d.v4.f32.s32 {%r2, _, _, _}, [%h64, %x], 2;\n"
        "tex.grad.3d.v4.f32.s32 {%r3, _, _, _}, [%h64, {%x, %y, 0, 0}], {%fx, %fx, %fx, %fx}, "
        "{%fx, %fx, %fx, %fx}, {0, 0, 2, 0};",
        h, in, out);
    for (int k = 0; k < THREADS; k++) {
        int x = k - 4;
        assert_true((double)number(out[4 * k]) == texel(&t, x + 1, 2, 0));
        assert_true((double)number(out[4 * k + 1]) ==
                    (x + 2 >= 0 && x + 2 < W ? value(x + 2, 0, 0) : 0));
        assert_int_equal(out[4 * k + 2], out[4 * k + 1]);
        assert_true((double)number(out[4 * k + 3]) == texel(&t, x, 1, 2));
    }
    assert_true(hd_texture_destroy(emu, h));
}

static uint32_t query(const char *what, uint64_t h)
{
    uint32_t in[4 * THREADS] = {0}, out[4 * THREADS];
    char body[100];

    snprintf(body, sizeof body, "%s %%r0, [%%h64]%s;", what, strstr(what, "level.") ? ", 1" : "");
    run(body, h, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_NONE);
    assert_int_equal(out[0], out[4 * (THREADS - 1)]);
    return out[0];
}

// The numbers of types and orders are OpenCL's, those of the edges the manual's own order.
static void queries(void **state)
{
    static const uint32_t types[HD_N_TEX_FORMATS] = {
        [HD_TEX_S8] = 0x10d7,  [HD_TEX_S16] = 0x10d8, [HD_TEX_S32] = 0x10d9, [HD_TEX_U8] = 0x10da,
        [HD_TEX_U16] = 0x10db, [HD_TEX_U32] = 0x10dc, [HD_TEX_F16] = 0x10dd, [HD_TEX_F32] = 0x10de};
    static const uint32_t units[] = {
        [HD_TEX_S8] = 0x10d0, [HD_TEX_S16] = 0x10d1, [HD_TEX_U8] = 0x10d2, [HD_TEX_U16] = 0x10d3};
    struct hd_texture t = floats();
    uint64_t h;

    (void)state;
    t.edge[0] = HD_TEX_WRAP, t.edge[1] = HD_TEX_MIRROR, t.edge[2] = HD_TEX_BORDER;
    t.normalized = true;
    h = hd_texture_create(emu, &t);
    assert_int_equal(query("txq.width.b32", h), W);
    assert_int_equal(query("txq.height.b32", h), H);
    assert_int_equal(query("txq.depth.b32", h), LAYERS);
    assert_int_equal(query("txq.level.height.b32", h), H);
    assert_int_equal(query("txq.array_size.b32", h), 0);
    assert_int_equal(query("txq.num_mipmap_levels.b32", h), 0);
    assert_int_equal(query("txq.num_samples.b32", h), 0);
    assert_int_equal(query("txq.normalized_coords.b32", h), 1);
    assert_int_equal(query("txq.filter_mode.b32", h), 0);
    assert_int_equal(query("txq.addr_mode_0.b32", h), 0);
    assert_int_equal(query("txq.addr_mode_1.b32", h), 1);
    assert_int_equal(query("txq.addr_mode_2.b32", h), 4);
    assert_int_equal(query("txq.channel_order.b32", h), 0x10b0);
    t.edge[0] = HD_TEX_CLAMP;
    t.normalized = false;
    t.layered = t.linear = true;
    h = hd_texture_create(emu, &t);
    assert_int_equal(query("txq.addr_mode_0.b32", h), 3);
    assert_int_equal(query("txq.filter_mode.b32", h), 1);
    assert_int_equal(query("txq.normalized_coords.b32", h), 0);
    assert_int_equal(query("txq.array_size.b32", h), LAYERS);
    assert_int_equal(query("suq.array_size.b32", h), LAYERS);
    assert_int_equal(query("txq.depth.b32", h), 1);
    assert_int_equal(query("suq.width.b32", h), W);
    assert_int_equal(query("suq.height.b32", h), H);
    assert_int_equal(query("suq.memory_layout.b32", h), 0);
    for (unsigned f = 0; f < HD_N_TEX_FORMATS; f++)
        for (unsigned unit = 0; unit < 2; unit++) {
            t.format = (uint8_t)f;
            t.unit = unit;
            t.channels = unit ? 2 : 4;
            h = hd_texture_create(emu, &t);
            assert_int_equal(query("txq.channel_data_type.b32", h),
                             unit && f <= HD_TEX_S16 ? units[f] : types[f]);
            assert_int_equal(query("suq.channel_order.b32", h), unit ? 0x10b2 : 0x10b5);
            assert_true(hd_texture_destroy(emu, h));
        }
    t = cubes();
    h = hd_texture_create(emu, &t);
    assert_int_equal(query("txq.array_size.b32", h), 2);
    assert_int_equal(query("txq.depth.b32", h), 1);
}

static void handles_of_nothing(void **state)
{
    uint32_t in[4 * THREADS] = {0}, out[4 * THREADS];
    struct hd_texture t = floats();
    uint64_t h = hd_texture_create(emu, &t);

    (void)state;
    assert_true(hd_texture_destroy(emu, h));
    assert_false(hd_texture_destroy(emu, h));
    run("tex.2d.v4.f32.f32 {%r0, %r1, %r2, %r3}, [%h64, {%fx, %fy}];", h, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_ILLEGAL);
    run("txq.width.b32 %r0, [%h64];", h, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_ILLEGAL);
    run("suld.b.1d.b32.trap {%r0}, [%h64, {%x}];", 0, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_ILLEGAL);
    t.channels = 3;
    assert_int_equal(hd_texture_create(emu, &t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_dimensions),
        cmocka_unit_test(layers_levels_and_depth),
        cmocka_unit_test(fetches_by_index),
        cmocka_unit_test(surfaces),
        cmocka_unit_test(stores),
        cmocka_unit_test(handles_of_nothing),
        cmocka_unit_test(cube_faces),
        cmocka_unit_test(cube_filters),
        cmocka_unit_test(cubes_that_are_none),
        cmocka_unit_test(gathers),
        cmocka_unit_test(gathered_components),
        cmocka_unit_test(offsets_and_gradients),
        cmocka_unit_test(queries),
    };
    return cmocka_run_group_tests_name("tex", tests, open_emulator, close_emulator);
}
