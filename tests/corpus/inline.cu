// inline.cu - PTX written in CUDA: predicates, scopes, vectors, carries, labels, special registers.
#include "corpus.h"

PROGRAM(corpus, 2, 32, 17)
{
    uint32_t a = draw(1), b = draw(2), c = draw(3), r;
    uint64_t w = draw64(4), v = draw64(5), x;
    float f = drawf(6, -8.0f, 8.0f), g;

#if ON_DEVICE
    asm("{ .reg .pred p; setp.gt.u32 p, %1, %2; selp.u32 %0, 1, 2, p; }" : "=r"(r) : "r"(a), "r"(b));
    U32(r);
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    U32(r);
    asm("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;" : "=&r"(r), "=r"(c) : "r"(a), "r"(b));
    U32(r), U32(c);
    asm("mov.b64 {%0, %1}, %2;" : "=r"(r), "=r"(c) : "l"(w));
    U32(r ^ c);
    asm("{ .reg .b32 t<3>; mov.b64 {t0, t1}, %1; shf.r.wrap.b32 t2, t0, t1, 12; cvt.u64.u32 %0, t2; }" : "=l"(x) : "l"(w));
    U64(x);
    asm("bfe.u32 %0, %1, 5, 11;" : "=r"(r) : "r"(a));
    U32(r);
    asm("bfi.b32 %0, %1, %2, 8, 8;" : "=r"(r) : "r"(b), "r"(a));
    U32(r);
    asm("{ .reg .pred p, q; setp.lt.and.s32 p|q, %1, 0, 1; @p mov.u32 %0, 7; @!p mov.u32 %0, 9; }" : "=r"(r) : "r"((int)a));
    U32(r);
    asm("{ .reg .u32 n; .reg .pred p; mov.u32 %0, 0; and.b32 n, %1, 7; AGAIN: add.u32 %0, %0, n; sub.u32 n, n, 1; "
        "setp.gt.s32 p, n, 0; @p bra AGAIN; }" : "=&r"(r) : "r"(a | 1));
    U32(r);
    asm("cvt.rpi.f32.f32 %0, %1;" : "=f"(g) : "f"(f));
    F32(g, 0);
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(x) : "r"(a), "r"(b), "l"(v));
    U64(x);
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    U32(r);
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(r));
    U32(r);
    asm volatile("{ .reg .b16 lo, hi; mov.b32 {lo, hi}, %1; mov.b32 %0, {hi, lo}; }" : "=r"(r) : "r"(a));
    U32(r);
#else
    U32(a > b ? 1 : 2), U32(a ^ b ^ c), U32(a + b), U32((uint64_t)a + b >> 32), U32((uint32_t)w ^ (uint32_t)(w >> 32)), x = (uint32_t)(w >> 12), U64(x);
    U32(a >> 5 & 0x7ff), U32((a & ~0xff00u) | (b & 255) << 8), U32((int)a < 0 ? 7 : 9), r = (a | 1) & 7, U32(r * (r + 1) / 2), g = ceilf(f), F32(g, 0);
    U64((uint64_t)a * b + v), U32(threadIdx.x & 31), U32((1u << (threadIdx.x & 31)) - 1), r = a << 16 | a >> 16, U32(r);
#endif
}
