// narrow.cu - 8 and 16 bits, bool, bit-fields, unions: what is extended, cut off and packed.
#include "corpus.h"

struct fields {
    unsigned a : 3;
    int b : 7;
    unsigned c : 12;
    int d : 10;
    unsigned char e : 5;
    short f;
};
union shape {
    uint32_t word;
    uint16_t half[2];
    uint8_t byte[4];
    struct {
        unsigned low : 9;
        int high : 23;
    } bit;
};

PROGRAM(corpus, 2, 32, 34)
{
    int8_t a = (int8_t)draw(1), b = (int8_t)draw(2);
    uint8_t c = (uint8_t)draw(3), d = (uint8_t)draw(4);
    int16_t e = (int16_t)draw(5), f = (int16_t)draw(6);
    uint16_t g = (uint16_t)draw(7), h = (uint16_t)(draw(8) | 1);

    U32((int8_t)(a + b)), U32((int8_t)(a * b)), U32((uint8_t)(c - d)), U32((uint8_t)(c << 3)), U32(a >> 2), U32(c >> 2);
    U32((int16_t)(e * f)), U32((int16_t)(e - f)), U32((uint16_t)(g + h)), U32(g / h), U32(g % h), U32((int16_t)(e / (f | 1)));
    U32(a < b), U32(c < d), U32(e < f), U32((uint16_t)~g), U32((int16_t)(e << 5)), U32(e >> 5), U32(g >> 5);
    bool p = a > b, q = (c & 16) != 0;
    p ^= q;
    U32(p), U32(p && !q), U32(p + q), U32((uint8_t)(p ? c : d)), U32((bool)(draw(9) & 0x30000));

    fields t;
    t.a = draw(10), t.b = (int)(draw(11) & 127) - 64, t.c = draw(12), t.d = (int)(draw(13) & 1023) - 512, t.e = c, t.f = e;
    t.a += 3, t.b = (int)((unsigned)t.b & 31) - 16, t.c ^= 0x55;
    U32(t.a), U32(t.b), U32(t.c), U32(t.d), U32(t.e), U32(t.f);
    shape u;
    u.word = draw(14);
    u.byte[2] = (uint8_t)(u.byte[0] + u.byte[1]);
    U32(u.half[1]), U32(u.bit.low), U32(u.bit.high);
    u.bit.high = -5;
    U32(u.word);
}
