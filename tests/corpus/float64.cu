// float64.cu - double precision where IEEE 754 says every bit: all roundings, any operands.
#include "corpus.h"

PROGRAM(corpus, 3, 64, 96)
{
    double a = anyd(1), b = anyd(2), c = anyd(3), p = drawd(4, -100.0, 100.0), q = drawd(5, -3.0, 3.0);

    F64(__dadd_rn(a, b), 0), F64(__dadd_rz(a, b), 0), F64(__dadd_ru(a, b), 0), F64(__dadd_rd(a, b), 0);
    F64(__dsub_rn(a, b), 0), F64(__dsub_rz(p, q), 0), F64(__dsub_ru(a, b), 0), F64(__dsub_rd(p, q), 0);
    F64(__dmul_rn(a, b), 0), F64(__dmul_rz(a, b), 0), F64(__dmul_ru(a, b), 0), F64(__dmul_rd(a, b), 0);
    F64(__ddiv_rn(a, b), 0), F64(__ddiv_rz(a, b), 0), F64(__ddiv_ru(a, b), 0), F64(__ddiv_rd(a, b), 0);
    F64(__fma_rn(a, b, c), 0), F64(__fma_rz(a, b, c), 0), F64(__fma_ru(a, b, c), 0), F64(__fma_rd(a, b, c), 0);
    F64(__drcp_rn(a), 0), F64(__drcp_ru(a), 0), F64(__dsqrt_rn(a), 0), F64(__dsqrt_rz(a), 0), F64(__dsqrt_ru(a), 0);
    F64(a / b, 0), F64(p / q, 0), F64(sqrt(fabs(p)), 0), F64(a + b, 0), F64(-a, 0), F64(fabs(a), 0);
    F64(fmin(a, b), 0), F64(fmax(a, b), 0), F64(copysign(a, b), 0), F64(fma(p, q, a), 0);
    F64(rint(p), 0), F64(floor(p), 0), F64(ceil(p), 0), F64(trunc(p), 0), F64(round(p), 0);
    F64(fmod(p, q), 0), F64(remainder(p, q), 0), F64(ldexp(q, (int)(draw(6) % 2400) - 1200), 0), F64(nextafter(a, b), 0);
    U32((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (a > b) << 4 | (a >= b) << 5);
    U32(!(a < b) | !(a >= b) << 1 | (a != a) << 2);
    int e;
    double m = frexp(p, &e), whole;
    F64(m, 0), U32(e);
    F64(modf(p, &whole), 0);
    U32(0);
}
