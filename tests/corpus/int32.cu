// int32.cu - 32-bit arithmetic: wrap-around, division by variables and constants, shifts, high halves.
#include "corpus.h"

PROGRAM(corpus, 2, 40, 46)
{
    uint32_t a = draw(1), b = draw(2) >> (draw(3) & 31), c = draw(4);
    int x = (int)draw(5), y = (int)draw(6) >> (draw(7) & 31);
    uint32_t n = draw(8) & 31;

    if (b == 0)
        b = 3;
    if (y == 0 || y == -1)
        y = -7;
    U32(a + b), U32(a - b), U32(a * b), U32(a / b), U32(a % b);
    U32((uint32_t)x + (uint32_t)y), U32((uint32_t)x * (uint32_t)y), U32(x / y), U32(x % y);
    U32(a / 7u), U32(a % 10u), U32(x / 7), U32(x % 10), U32(x / -3), U32(x / 8), U32(x % 8), U32(a / 641u);
    U32(a << n), U32(a >> n), U32(x >> n), U32(~a), U32(a & b), U32(a | b), U32(a ^ b), U32(-(int)(b >> 1));
    U32(__umulhi(a, b)), U32(__mulhi(x, y)), U32(__mul24(x, y)), U32(__umul24(a, b));
    U32(__sad(x, y, c)), U32(__usad(a, b, c)), U32(__hadd(x, y)), U32(__rhadd(x, y));
    U32(__uhadd(a, b)), U32(__urhadd(a, b));
    U32(min(x, y)), U32(max(x, y)), U32(min(a, b)), U32(max(a, b)), U32(x < 0 ? 0u - (uint32_t)x : (uint32_t)x);
    U32(a < b), U32(x < y), U32(a * b + c), U32((a & b) | (~a & c)), U32(a ? b : c), U32(!(a & 1));
}
