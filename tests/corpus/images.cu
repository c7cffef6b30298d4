// images.cu - textures: every geometry, format, filter and edge, gathers, levels and gradients.
#include "corpus.h"

TEXTURE(0, "1d", "f32", 1, 8, 0, 0, "point", "clamp", "texels", "element")
TEXTURE(1, "1d", "f32", 2, 8, 0, 0, "linear", "wrap", "normalized", "element")
TEXTURE(2, "2d", "f32", 1, 8, 4, 0, "linear", "clamp", "texels", "element")
TEXTURE(3, "2d", "f32", 4, 8, 4, 0, "linear", "mirror", "normalized", "element")
TEXTURE(4, "2d", "u8", 4, 5, 3, 0, "point", "border", "texels", "element")
TEXTURE(5, "2d", "u8", 4, 8, 8, 0, "linear", "border", "normalized", "fraction")
TEXTURE(6, "2d", "s8", 4, 4, 4, 0, "point", "wrap", "normalized", "fraction")
TEXTURE(7, "2d", "s16", 2, 7, 5, 0, "point", "clamp", "texels", "element")
TEXTURE(8, "2d", "u16", 4, 4, 4, 0, "linear", "clamp", "normalized", "fraction")
TEXTURE(9, "2d", "f16", 2, 6, 6, 0, "linear", "clamp", "texels", "element")
TEXTURE(10, "3d", "f32", 1, 8, 4, 4, "linear", "wrap", "normalized", "element")
TEXTURE(11, "3d", "u32", 1, 3, 5, 2, "point", "clamp", "texels", "element")
TEXTURE(12, "a1d", "f32", 1, 8, 0, 5, "linear", "clamp", "texels", "element")
TEXTURE(13, "a2d", "f32", 2, 4, 8, 3, "linear", "mirror", "normalized", "element")
TEXTURE(14, "a2d", "s32", 1, 6, 3, 4, "point", "border", "texels", "element")
TEXTURE(15, "cube", "f32", 1, 4, 4, 6, "point", "clamp", "normalized", "element")
TEXTURE(16, "cube", "f32", 4, 4, 4, 6, "linear", "clamp", "normalized", "element")
TEXTURE(17, "acube", "f32", 1, 4, 4, 18, "linear", "wrap", "normalized", "element")
TEXTURE(18, "acube", "u8", 4, 2, 2, 12, "point", "clamp", "normalized", "element")
TEXTURE(19, "line", "f32", 1, 50, 0, 0, "point", "clamp", "texels", "element")
TEXTURE(20, "line", "u8", 4, 20, 0, 0, "point", "clamp", "texels", "element")
TEXTURE(21, "pitch", "f32", 1, 9, 6, 0, "linear", "clamp", "texels", "element")
TEXTURE(22, "pitch", "u16", 2, 8, 4, 0, "point", "wrap", "normalized", "element")

#define OFTEN 1e-3f // sums of products round

// In texels: a multiple of 1/64 from `low` texels on, up to 8 beyond as many as there are.
DEVICE float at(uint32_t k, int low, int high) { return (float)(low * 64 + (int)(draw(k) % (uint32_t)((high - low) * 64))) / 64; }

PROGRAM_WITH_IMAGES(points, 2, 32, 27)
{
    float x = at(0, -3, 11), y = at(1, -3, 8), z = at(2, -2, 7);
    int l = (int)(draw(3) % 7) - 1;

    F32(tex1D<float>(im.t[0], x), 0);
    uchar4 c = tex2D<uchar4>(im.t[4], x, y);
    U32(c.x), U32(c.y), U32(c.z), U32(c.w);
    float4 f = tex2D<float4>(im.t[6], x / 4, y / 4);
    REL(f.x, 1e-6f), REL(f.y, 1e-6f), REL(f.z, 1e-6f), REL(f.w, 1e-6f);
    short2 h = tex2D<short2>(im.t[7], x, y);
    U32(h.x), U32(h.y);
    U32(tex3D<unsigned>(im.t[11], x, y, z));
    U32(tex2DLayered<int>(im.t[14], x, y, l));
    F32(tex1Dfetch<float>(im.t[19], (int)(draw(4) % 60) - 5), 0);
    uchar4 d = tex1Dfetch<uchar4>(im.t[20], (int)(draw(5) % 20));
    U32(d.x), U32(d.y), U32(d.z), U32(d.w);
    ushort2 e = tex2D<ushort2>(im.t[22], x / 8, y / 4);
    U32(e.x), U32(e.y);
    F32(tex2DLod<float>(im.t[21], 2.5f, 3.5f, 0.0f), 0);
    // gathers take the texels of a filter as they are
    float4 g = tex2Dgather<float4>(im.t[2], x, y, 0);
    F32(g.x, 0), F32(g.y, 0), F32(g.z, 0), F32(g.w, 0);
    uchar4 k = tex2Dgather<uchar4>(im.t[4], x, y, 2);
    U32(k.x), U32(k.w);
}

PROGRAM_WITH_IMAGES(filters, 2, 32, 24)
{
    float x = at(0, -12, 20), y = at(1, -9, 15), z = at(2, -6, 9);
    int l = (int)(draw(3) % 7) - 1;

    float2 a = tex1D<float2>(im.t[1], x / 8);
    ABS(a.x, OFTEN), ABS(a.y, OFTEN);
    ABS(tex2D<float>(im.t[2], x, y), OFTEN);
    float4 b = tex2D<float4>(im.t[3], x / 8, y / 4);
    ABS(b.x, OFTEN), ABS(b.y, OFTEN), ABS(b.z, OFTEN), ABS(b.w, OFTEN);
    float4 c = tex2D<float4>(im.t[5], x / 8, y / 8);
    ABS(c.x, 1e-6f), ABS(c.y, 1e-6f), ABS(c.z, 1e-6f), ABS(c.w, 1e-6f);
    float4 d = tex2D<float4>(im.t[8], x / 4, y / 4);
    ABS(d.x, 1e-6f), ABS(d.w, 1e-6f);
    float2 e = tex2D<float2>(im.t[9], x, y);
    ABS(e.x, 1e-6f), ABS(e.y, 1e-6f);
    ABS(tex3D<float>(im.t[10], x / 8, y / 4, z / 4), OFTEN);
    ABS(tex1DLayered<float>(im.t[12], x, l), OFTEN);
    float2 f = tex2DLayered<float2>(im.t[13], x / 4, y / 8, l);
    ABS(f.x, OFTEN), ABS(f.y, OFTEN);
    ABS(tex2D<float>(im.t[21], x, y), OFTEN);
    // no texture has other levels
    float2 g = {x, y};
    float4 h = {x, y, z, 0};
    ABS(tex2DLod<float>(im.t[2], x, y, 3.5f), OFTEN);
    ABS(tex2DGrad<float>(im.t[2], x, y, g, g), OFTEN);
    ABS(tex3DGrad<float>(im.t[10], x / 8, y / 4, z / 4, h, h), OFTEN);
    ABS(tex2DLayeredGrad<float2>(im.t[13], x / 4, y / 8, l, g, g).y, OFTEN);
}

// A direction whose greatest coordinate is a power of two, the others less: no division rounds.
DEVICE void direct(uint32_t k, float d[3])
{
    uint32_t r = draw(k);
    float m = (float)(1 << (r >> 8) % 4), s = (float)((int)(r >> 16) % 64 - 31) / 32, t = (float)((int)(r >> 24) % 63 - 31) / 32;
    int axis = (int)(r % 3);

    d[axis] = r & 64 ? -m : m;
    d[(axis + 1) % 3] = s * m * 0.96875f;
    d[(axis + 2) % 3] = t * m;
}

PROGRAM_WITH_IMAGES(cubes, 2, 48, 12)
{
    float d[3];
    int l = (int)(draw(1) % 5) - 1;

    direct(0, d);
    float x = d[0], y = d[1], z = d[2];
    float4 h = {x, y, z, 0};
    F32(texCubemap<float>(im.t[15], x, y, z), 0);
    float4 a = texCubemap<float4>(im.t[16], x, y, z);
    ABS(a.x, 0.5f), ABS(a.y, 0.5f), ABS(a.z, 0.5f), ABS(a.w, 0.5f); // the weights have 8 bits
    ABS(texCubemapLayered<float>(im.t[17], x, y, z, l), 0.5f);
    uchar4 b = texCubemapLayered<uchar4>(im.t[18], x, y, z, l);
    U32(b.x), U32(b.y), U32(b.z);
    F32(texCubemapLod<float>(im.t[15], x, y, z, 1.0f), 0);
    F32(texCubemapGrad<float>(im.t[15], x, y, z, h, h), 0);
    ABS(texCubemapLayeredGrad<float>(im.t[17], x, y, z, l, h, h), 0.5f);
}

// What a texture says of itself, as PTX numbers it.
#if ON_DEVICE
#define QUERY(what, object) ({ uint32_t v; asm("txq." what ".b32 %0, [%1];" : "=r"(v) : "l"(object)); v; })
#else
#define QUERY(what, object) asked(what, object)
static uint32_t asked(const char *what, const corpus_image *i)
{
    const char *const edges[] = {"wrap", "mirror", "", "clamp", "border"};
    uint32_t k = 0;

    if (!strcmp(what, "width"))
        return i->w;
    if (!strcmp(what, "height"))
        return i->rows();
    if (!strcmp(what, "depth"))
        return i->geometry[0] == '3' ? i->d : 1;
    if (!strcmp(what, "array_size"))
        return i->geometry[0] != 'a' ? 0 : i->is_cube() ? i->d / 6 : i->d;
    if (!strcmp(what, "normalized_coords"))
        return !strcmp(i->coordinates, "normalized");
    if (!strcmp(what, "filter_mode"))
        return !strcmp(i->filter, "linear");
    while (strcmp(edges[k], i->edge) != 0)
        k++;
    return k;
}
#endif

PROGRAM_WITH_IMAGES(queries, 1, 23, 7)
{
    U32(QUERY("width", im.t[threadIdx.x])), U32(QUERY("height", im.t[threadIdx.x]));
    U32(QUERY("depth", im.t[threadIdx.x])), U32(QUERY("array_size", im.t[threadIdx.x]));
    U32(QUERY("normalized_coords", im.t[threadIdx.x])), U32(QUERY("filter_mode", im.t[threadIdx.x]));
    U32(QUERY("addr_mode_0", im.t[threadIdx.x]));
}
