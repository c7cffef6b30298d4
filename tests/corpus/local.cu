// local.cu - arrays of a thread with dynamic index, addresses of locals, alignment, sorting in place.
#include "corpus.h"

PROGRAM(corpus, 2, 48, 17)
{
    int a[16];
    unsigned char b[13];
    double d[5];
    uint64_t bits[3][4];

    for (int i = 0; i < 16; i++)
        a[i] = (int)draw((uint32_t)i) % 1000;
    for (int i = 1; i < 16; i++) { // insertion
        int v = a[i], k = i;
        for (; k > 0 && a[k - 1] > v; k--)
            a[k] = a[k - 1];
        a[k] = v;
    }
    U32(a[0]), U32(a[7]), U32(a[15]), U32(a[draw(20) & 15]);
    for (unsigned i = 0; i < 13; i++)
        b[i] = (unsigned char)(draw(21) >> i);
    b[draw(22) % 13] ^= 0xff;
    unsigned sum = 0;
    for (unsigned i = 0; i < 13; i++)
        sum = sum * 31 + b[(i * 5) % 13];
    U32(sum);
    for (int i = 0; i < 5; i++)
        d[i] = drawd((uint32_t)(30 + i), 0, 4);
    double *p = d + draw(23) % 3, *q = &d[4] - draw(24) % 2;
    *p = __dadd_rn(*q, 1.0);
    F64(d[0], 0), F64(d[2], 0), U32(q - p), U32((uintptr_t)d % 8);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++)
            bits[i][k] = draw64((uint32_t)(40 + 4 * i + k));
    U64(bits[draw(25) % 3][draw(26) % 4]), U64(bits[2][draw(27) & 3] ^ bits[draw(28) % 2][1]);
    int *w = (draw(29) & 1) ? &a[3] : (int *)&bits[1][0];
    *w += 3;
    U32(*w), U32(a[3]);
}
