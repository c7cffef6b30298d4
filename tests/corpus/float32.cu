// float32.cu - single precision where IEEE 754 says every bit: all roundings, any operands.
#include "corpus.h"

PROGRAM(corpus, 3, 64, 58)
{
    float a = anyf(1), b = anyf(2), c = anyf(3), p = drawf(4, -100.0f, 100.0f), q = drawf(5, -3.0f, 3.0f);
    float v[3] = {p, q, p * 0.001f};

    F32(__fadd_rn(a, b), 0), F32(__fadd_rz(a, b), 0), F32(__fadd_ru(a, b), 0), F32(__fadd_rd(a, b), 0);
    F32(__fsub_rn(a, b), 0), F32(__fsub_rz(p, q), 0), F32(__fsub_ru(a, b), 0), F32(__fsub_rd(p, q), 0);
    F32(__fmul_rn(a, b), 0), F32(__fmul_rz(a, b), 0), F32(__fmul_ru(a, b), 0), F32(__fmul_rd(a, b), 0);
    F32(__fdiv_rn(a, b), 0), F32(__fdiv_rz(a, b), 0), F32(__fdiv_ru(a, b), 0), F32(__fdiv_rd(a, b), 0);
    F32(__fmaf_rn(a, b, c), 0), F32(__fmaf_rz(a, b, c), 0), F32(__fmaf_ru(a, b, c), 0), F32(__fmaf_rd(a, b, c), 0);
    F32(__frcp_rn(a), 0), F32(__frcp_rz(a), 0), F32(__frcp_ru(a), 0), F32(__frcp_rd(a), 0);
    F32(__fsqrt_rn(a), 0), F32(__fsqrt_rz(a), 0), F32(__fsqrt_ru(a), 0), F32(__fsqrt_rd(a), 0);
    F32(a / b, 0), F32(p / q, 0), F32(sqrtf(fabsf(p)), 0), F32(a + b, 0), F32(p * q, 0), F32(-a, 0), F32(fabsf(a), 0);
    F32(fminf(a, b), 0), F32(fmaxf(a, b), 0), F32(copysignf(a, b), 0), F32(fmaf(p, q, a), 0), F32(fdimf(p, q), 0);
    F32(rintf(p), 0), F32(floorf(p), 0), F32(ceilf(p), 0), F32(truncf(p), 0), F32(roundf(p), 0), F32(nearbyintf(a), 0);
    F32(fmodf(p, q), 0), F32(remainderf(p, q), 0), F32(ldexpf(q, (int)(draw(6) % 300) - 150), 0), F32(nextafterf(a, b), 0);
    F32(__saturatef(p), 0), F32(scalbnf(a, -3), 0);
    U32((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5);
    U32(!(a < b) | !(a >= b) << 1 | (a != a) << 2);
    int e;
    float m = frexpf(p, &e), whole;
    F32(m, 0), U32(e);
    F32(modff(p, &whole), 0), F32(__fadd_rn(__fadd_rn(v[0], v[1]), v[2]), 0);
}
