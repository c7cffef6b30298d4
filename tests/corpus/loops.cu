// loops.cu - loops whose lanes part: early exits, nested breaks, lanes that return for good.
#include "corpus.h"

DEVICE unsigned collatz(unsigned n)
{
    unsigned steps = 0;

    for (; n != 1 && steps < 300; steps++)
        n = n & 1 ? 3 * n + 1 : n / 2;
    return steps;
}

DEVICE unsigned gcd(unsigned a, unsigned b)
{
    while (b) {
        unsigned t = a % b;
        a = b, b = t;
    }
    return a;
}

PROGRAM(corpus, 2, 64, 12)
{
    unsigned a = draw(1) & 0xffff, b = (draw(2) & 0xffff) + 1, n = 0;

    U32(collatz((a & 1023) + 1)), U32(gcd(a, b));
    for (unsigned i = 0; i < (threadIdx.x & 15); i++) {
        for (unsigned k = i; k < 12; k++) {
            if ((a >> (k & 15) & 1) == (b >> (i & 15) & 1))
                continue;
            if (k * i > 60)
                break;
            n += k;
        }
        if (n > 90)
            break;
    }
    U32(n);
    unsigned w = 0, guard = 0;
    do {
        w += a >> (w & 15) & 1 ? 5 : 3;
        if (++guard > 40)
            break;
    } while (w < (b & 127));
    U32(w), U32(guard);
    uint64_t primes = 0;
    for (unsigned i = 2; i < 64; i++) {
        bool prime = true;
        for (unsigned k = 2; k * k <= i && prime; k++)
            prime = i % k != 0;
        primes |= (uint64_t)prime << i;
    }
    U64(primes);
    float x = drawf(3, -2.0f, 1.0f), y = drawf(4, -1.0f, 1.0f), re = 0, im = 0;
    int k = 0;
    for (; k < 100 && __fadd_rn(__fmul_rn(re, re), __fmul_rn(im, im)) <= 4.0f; k++) {
        float t = __fadd_rn(__fsub_rn(__fmul_rn(re, re), __fmul_rn(im, im)), x);
        im = __fadd_rn(__fmul_rn(2.0f, __fmul_rn(re, im)), y);
        re = t;
    }
    U32(k);
    U32((threadIdx.x & 3) == 3);
    if ((threadIdx.x & 3) == 3) {
        U32(7), U32(8), U32(0);
        return;
    }
    unsigned r = 0;
    while (true) {
        r++;
        if (r % (2 + (threadIdx.x & 3)) == 0 && r > (a & 31))
            break;
    }
    U32(7), U32(r), U32(r ^ n);
}
