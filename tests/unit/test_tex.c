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
             ".reg .b16 %%h<4>;\n.reg .b64 %%h64, %%in, %%out, %%d<4>;\n"
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
    run("suld.b.1d.b32.trap {%r0}, [%h64, {%x}];", 0, in, out);
    assert_int_equal(result.trap.kind, HD_TRAP_ILLEGAL);
    t.channels = 3;
    assert_int_equal(hd_texture_create(emu, &t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_dimensions),   cmocka_unit_test(layers_levels_and_depth),
        cmocka_unit_test(fetches_by_index), cmocka_unit_test(surfaces),
        cmocka_unit_test(stores),           cmocka_unit_test(handles_of_nothing),
    };
    return cmocka_run_group_tests_name("tex", tests, open_emulator, close_emulator);
}
