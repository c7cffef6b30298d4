// switches.cu - dense and sparse switches, fall-through, gotos, state machines: tables of branches.
#include "corpus.h"

__device__ __noinline__ int dense(unsigned k, int x)
{
    switch (k) {
    case 0: return x + 1;
    case 1: return x * 3;
    case 2: x ^= 0x55; // falls through
    case 3: return x - 9;
    case 4: return x << 2;
    case 5: return x >> 3;
    case 6: return ~x;
    case 7: return x & 0xf0f;
    case 8: return x | 1;
    case 9: return -x;
    case 10: return x % 7;
    case 11: return x / 5;
    default: return 42;
    }
}

__device__ __noinline__ int sparse(int k)
{
    switch (k) {
    case -1000: return 1;
    case 3: return 2;
    case 77: return 3;
    case 1000000: return 4;
    case 0x7fffffff: return 5;
    }
    return 0;
}

// Words of a text, by a machine with gotos.
__device__ __noinline__ unsigned words(uint64_t text)
{
    unsigned n = 0, c;
outside:
    if (!text)
        return n;
    c = text & 15, text >>= 4;
    if (c < 6)
        goto outside;
    n++;
inside:
    if (!text)
        return n;
    c = text & 15, text >>= 4;
    if (c >= 6)
        goto inside;
    goto outside;
}

PROGRAM(corpus, 2, 64, 7)
{
    static const int keys[] = {-1000, 3, 77, 1000000, 0x7fffffff, 78, -999, 0};
    int x = (int)draw(1) >> 4, sum = 0;

    U32(dense(draw(2) % 14, x)), U32(dense(threadIdx.x / 8, x)), U32(sparse(keys[draw(3) & 7]));
    for (unsigned i = 0; i < 20; i++) {
        switch ((draw(4) >> i) & 7) {
        case 0: continue;
        case 1: sum += 3; break;
        case 2: sum ^= 0x11;
        case 5: sum -= (int)i; break;
        case 6:
            if (i > 15)
                goto out;
            sum *= 3;
            break;
        default: sum++;
        }
    }
out:
    U32(sum), U32(words(draw64(5))), U32(words(draw64(6) & 0x0f0f00ff0fffull));
    char state = 'a';
    unsigned steps = 0;
    for (uint32_t in = draw(7); steps < 40 && state != 'z'; steps++, in = in >> 1 | in << 31)
        switch (state) {
        case 'a': state = in & 1 ? 'b' : 'c'; break;
        case 'b': state = in & 2 ? 'd' : 'a'; break;
        case 'c': state = in & 4 ? 'e' : 'b'; break;
        case 'd': state = in & 8 ? 'z' : 'c'; break;
        case 'e': state = in & 16 ? 'a' : 'd'; break;
        }
    U32(steps * 256 + (unsigned)state);
}
