// int64.cu - 64 and 128 bits: products, quotients, shifts, carries, comparisons.
#include "corpus.h"

typedef unsigned long long u64;
typedef long long s64;

PROGRAM(corpus, 2, 32, 64)
{
    u64 a = draw64(1), b = draw64(2) >> (draw(3) & 63), c = draw64(4);
    s64 x = (s64)draw64(5), y = (s64)draw64(6) >> (draw(7) & 63);
    unsigned n = draw(8) & 63;

    if (b == 0)
        b = 3;
    if (y == 0 || y == -1)
        y = -7;
    U64(a + b), U64(a - b), U64(a * b), U64(a / b), U64(a % b);
    U64(x / y), U64(x % y), U64(a / 1000000007ull), U64(x % 1000), U64(x / -12345678901ll);
    U64(a << n), U64(a >> n), U64(x >> n), U64(~a ^ (b & c)), U64(__umul64hi(a, b)), U64(__mul64hi(x, y));
    U32(a < b), U32(x < y), U64(x < y ? x : y), U64(a > b ? a : b), U64((u64)draw(9) * draw(10)), U64((s64)(int)draw(9) * (int)draw(10));

    unsigned __int128 p = (unsigned __int128)a * b, q = p + c;
    U64(q), U64(q >> 64), U64((q - a) >> 37), U64(q << (n & 31) >> 64);
    __int128 r = (__int128)x * y;
    U64((u64)(r >> 64)), U64(r < 0), U64(q / 10 > p), U64((u64)(p % 1000000009u));
    U32((uint32_t)(a >> 32) + (uint32_t)a), U32((int)x), U64((s64)(int)a), U64((uint32_t)x);
}
