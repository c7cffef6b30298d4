// structs.cu - structures by value: as kernel parameters, arguments, results, copied and nested.
#include "corpus.h"

struct inner {
    short a[3];
    char b;
    double c;
};
struct outer {
    inner in[2];
    float f;
    unsigned char tail[5];
};
struct big {
    int v[24];
};

__device__ outer global_outer;

__device__ __noinline__ outer make(unsigned seed)
{
    outer o;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            o.in[i].a[k] = (short)(seed * (unsigned)(k + 1) + (unsigned)i);
        o.in[i].b = (char)(seed >> 3);
        o.in[i].c = (double)seed * 0.25 + i;
    }
    o.f = (float)(seed & 0xffff);
    for (int k = 0; k < 5; k++)
        o.tail[k] = (unsigned char)(seed >> k);
    return o;
}

__device__ __noinline__ int total(big b, outer o, char c)
{
    int sum = c + o.tail[2] - o.in[1].a[2];
    for (int i = 0; i < 24; i++)
        sum += b.v[i] * (i + 1);
    return sum;
}

__device__ __noinline__ void swap_halves(big &b)
{
    for (int i = 0; i < 12; i++) {
        int t = b.v[i];
        b.v[i] = b.v[i + 12];
        b.v[i + 12] = t;
    }
}

PROGRAM(corpus, 2, 32, 22)
{
    outer o = make(draw(1)), p = o, q[3];
    big b;

    for (int i = 0; i < 24; i++)
        b.v[i] = (int)draw(2) >> i;
    U32(total(b, o, (char)draw(3)));
    swap_halves(b);
    U32(total(b, p, 1)), U32(b.v[draw(4) % 24]);
    p.in[1].a[draw(5) % 3] = 77;
    q[0] = o, q[1] = p, q[2] = make(draw(6));
    outer *s2 = &q[draw(7) % 3];
    U32(s2->in[0].a[1]), U32(s2->in[1].b), F64(s2->in[1].c, 0), F32(s2->f, 0), U32(s2->tail[4]);
    U32(p.in[1].a[0]), U32(p.in[1].a[1]), U32(p.in[1].a[2]), U32(o.in[0].a[2]);
    if (thread_number() == 0)
        global_outer = o;
    memcpy(&q[1], &q[2], sizeof q[1]);
    memset(q[0].tail, 0x5a, 3);
    U32(q[1].tail[1]), U32(q[0].tail[2]), U32(q[0].tail[3]), U32(sizeof(outer)), U32(q[1].in[0].a[0]);
    const big c = b;
    U32(c.v[5] == b.v[5]), U32(c.v[(draw(8) & 15) + 4]), U32((int)(sizeof(inner))), U32(q[2].in[1].a[1]);
}
