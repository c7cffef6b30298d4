// vectors.cu - vector types: wide loads and stores, components, alignment, arrays of them.
#include "corpus.h"

__device__ float4 table[64];
__device__ uchar4 bytes[64];
__device__ double2 pairs[64];
__device__ short2 halves[64];
__device__ ulonglong2 longs[64];

struct __align__(16) quad {
    int4 a;
    float2 b;
    char c;
};

DEVICE float4 sum(float4 a, float4 b)
{
    return make_float4(__fadd_rn(a.x, b.x), __fadd_rn(a.y, b.y), __fadd_rn(a.z, b.z), __fadd_rn(a.w, b.w));
}

PROGRAM(corpus, 1, 64, 38)
{
    unsigned t = threadIdx.x, o = (t + 17) & 63;

    table[t] = make_float4(drawf(1, 0, 1), drawf(2, 0, 1), drawf(3, 0, 1), drawf(4, 0, 1));
    bytes[t] = make_uchar4((unsigned char)draw(5), (unsigned char)draw(6), (unsigned char)draw(7), (unsigned char)draw(8));
    pairs[t] = make_double2(drawd(9, 0, 1), drawd(10, 0, 1));
    halves[t] = make_short2((short)draw(11), (short)draw(12));
    longs[t].x = draw64(13), longs[t].y = draw64(14);
    __syncthreads();
    float4 v = sum(table[o], table[t]);
    F32(v.x, 0), F32(v.y, 0), F32(v.z, 0), F32(v.w, 0);
    uchar4 b = bytes[o];
    U32(b.x), U32(b.y + b.z), U32(b.w * b.x);
    double2 d = pairs[o];
    F64(d.x, 0), F64(__dadd_rn(d.x, d.y), 0);
    short2 h = halves[o];
    U32(h.x), U32(h.x * h.y);
    U64(longs[o].x), U64(longs[o].y ^ longs[t].x);
    float3 three = make_float3(v.x, v.w, v.y);
    three.y = three.z;
    F32(three.y, 0);
    int4 many[4];
    for (int i = 0; i < 4; i++)
        many[i] = make_int4(i, (int)t * i, (int)o - i, i * i);
    int4 m = many[t & 3];
    U32(m.x), U32(m.y), U32(m.z), U32(m.w);
    quad q, *p = &q;
    q.a = m, q.b = make_float2(v.x, v.y), q.c = (char)t;
    p[0].a.y ^= 5;
    quad r = *p;
    U32(r.a.y), F32(r.b.y, 0), U32(r.c), U32(sizeof(quad)), U32(sizeof(float3)), U32((uintptr_t)&q % 16);
    char4 c4 = make_char4((signed char)t, (signed char)-5, 7, (signed char)(t * 3));
    U32(c4.x + c4.y), U32(c4.w * c4.z);
    uint2 u2 = *(uint2 *)&longs[o].y;
    U32(u2.x), U32(u2.y), U32(*((unsigned char *)&table[o] + 5)), U32(*((unsigned short *)&table[o].z + 1));
    longlong2 l2;
    l2.x = (long long)t << 40, l2.y = -1;
    U64(l2.x + l2.y);
    ushort4 s4 = make_ushort4(1, 2, (unsigned short)(t << 12), 4);
    U32(s4.z), U32(s4.x + s4.w);
}
