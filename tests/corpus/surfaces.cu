// surfaces.cu - surfaces: every geometry and width, reads of what was written, what lies outside.
#include "corpus.h"

SURFACE(0, "1d", "f32", 1, 40, 0, 0)
SURFACE(1, "2d", "f32", 4, 8, 8, 0)
SURFACE(2, "2d", "u8", 1, 16, 4, 0)
SURFACE(3, "2d", "u16", 2, 8, 8, 0)
SURFACE(4, "3d", "u32", 2, 4, 4, 4)
SURFACE(5, "a1d", "s16", 4, 16, 0, 4)
SURFACE(6, "a2d", "f32", 1, 8, 4, 3)
SURFACE(7, "cube", "f32", 1, 4, 4, 6)
SURFACE(8, "acube", "u8", 4, 4, 4, 12)

// Each thread writes a place of its own, and reads its neighbour's after a barrier.
PROGRAM_WITH_IMAGES(corpus, 1, 64, 23)
{
    int t = (int)threadIdx.x, n = (t + 21) % 64;
    float f = drawf(0, -8, 8);
    uint32_t u = draw(1);

    F32(surf1Dread<float>(im.s[0], t % 40 * 4), 0);
    float4 a = surf2Dread<float4>(im.s[1], t % 8 * 16, t / 8);
    F32(a.x, 0), F32(a.w, 0);
    U32(surf2Dread<unsigned char>(im.s[2], t % 16, t / 16));
    short4 e = surf1DLayeredread<short4>(im.s[5], t % 16 * 8, t / 16);
    U32(e.x), U32(e.w);
    __syncthreads();
    if (t < 40)
        surf1Dwrite(f, im.s[0], t * 4);
    surf2Dwrite(make_float4(f, f + 1, f + 2, f + 3), im.s[1], t % 8 * 16, t / 8);
    surf2Dwrite((unsigned char)u, im.s[2], t % 16, t / 16);
    surf2Dwrite(make_ushort2((unsigned short)u, (unsigned short)(u >> 16)), im.s[3], t % 8 * 4, t / 8);
    surf3Dwrite(make_uint2(u, ~u), im.s[4], t % 4 * 8, t / 4 % 4, t / 16);
    surf1DLayeredwrite(make_short4((short)t, 1, (short)-t, (short)u), im.s[5], t % 16 * 8, t / 16);
    surf2DLayeredwrite(f, im.s[6], t % 8 * 4, t / 8 % 4, t / 32);
    surfCubemapwrite(f, im.s[7], t % 4 * 4, t / 4 % 4, t / 16);
    surfCubemapLayeredwrite(make_uchar4((unsigned char)u, 2, 3, (unsigned char)t), im.s[8], t % 4 * 4, t / 4 % 4, 3 * (t / 16));
    __syncthreads();
    F32(surf1Dread<float>(im.s[0], n % 40 * 4), 0);
    float4 b = surf2Dread<float4>(im.s[1], n % 8 * 16, n / 8);
    F32(b.y, 0), F32(b.z, 0);
    U32(surf2Dread<unsigned char>(im.s[2], n % 16, n / 16));
    ushort2 c = surf2Dread<ushort2>(im.s[3], n % 8 * 4, n / 8);
    U32(c.x), U32(c.y);
    uint2 d = surf3Dread<uint2>(im.s[4], n % 4 * 8, n / 4 % 4, n / 16);
    U32(d.x), U32(d.y);
    short4 g = surf1DLayeredread<short4>(im.s[5], n % 16 * 8, n / 16);
    U32(g.z), U32(g.w);
    F32(surf2DLayeredread<float>(im.s[6], n % 8 * 4, n / 8 % 4, n / 32), 0);
    F32(surfCubemapread<float>(im.s[7], n % 4 * 4, n / 4 % 4, n / 16), 0);
    uchar4 h = surfCubemapLayeredread<uchar4>(im.s[8], n % 4 * 4, n / 4 % 4, 3 * (n / 16));
    U32(h.x), U32(h.w);
    // outside: nothing, or the nearest; writes are dropped or go there
    F32(surf2Dread<float4>(im.s[1], (t - 8) * 16, 3, cudaBoundaryModeZero).x, 0);
    F32(surf2Dread<float4>(im.s[1], (t - 8) * 16, t - 20, cudaBoundaryModeClamp).y, 0);
    U32(surf3Dread<uint2>(im.s[4], 8, t - 5, 2, cudaBoundaryModeZero).x);
}

// Every write but one falls outside.
PROGRAM_WITH_IMAGES(dropped, 1, 32, 2)
{
    int t = (int)threadIdx.x;

    surf1Dwrite(100.0f + (float)t, im.s[0], (t + 39) * 4, cudaBoundaryModeZero);
    if (t == 31)
        surf1Dwrite(-1.0f, im.s[0], -400, cudaBoundaryModeClamp);
    __syncthreads();
    F32(surf1Dread<float>(im.s[0], t % 2 * 39 * 4), 0);
    F32(surf1Dread<float>(im.s[0], (8 + t) * 4, cudaBoundaryModeClamp), 0);
}
