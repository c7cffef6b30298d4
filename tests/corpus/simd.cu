// simd.cu - four bytes or two halves of a word at a time.
#include "corpus.h"

#if !ON_DEVICE
#define LANES(name, T, W, expression)                                                              \
    static uint32_t name(uint32_t x, uint32_t y)                                                   \
    {                                                                                              \
        uint32_t r = 0;                                                                            \
        for (int i = 0; i < 32; i += (int)sizeof(T) * 8) {                                         \
            W a = (T)(x >> i), b = (T)(y >> i);                                                    \
            r |= (uint32_t)((T)(expression) & (sizeof(T) == 1 ? 0xff : 0xffff)) << i;              \
        }                                                                                          \
        return r;                                                                                  \
    }
#define BOTH(name, S4, S2, expression) LANES(name##4, S4, int, expression) LANES(name##2, S2, int, expression)
static int limit(int v, int lo, int hi) { return v < lo ? lo : v > hi ? hi : v; }
BOTH(__vadd, uint8_t, uint16_t, a + b)
BOTH(__vsub, uint8_t, uint16_t, a - b)
LANES(__vaddus4, uint8_t, int, limit(a + b, 0, 255))
LANES(__vaddss2, int16_t, int, limit(a + b, -32768, 32767))
LANES(__vsubss4, int8_t, int, limit(a - b, -128, 127))
LANES(__vsubus2, uint16_t, int, limit(a - b, 0, 65535))
BOTH(__vavgu, uint8_t, uint16_t, (a + b + 1) >> 1)
LANES(__vhaddu4, uint8_t, int, (a + b) >> 1)
BOTH(__vabsdiffu, uint8_t, uint16_t, a < b ? b - a : a - b)
BOTH(__vmaxs, int8_t, int16_t, a > b ? a : b)
BOTH(__vminu, uint8_t, uint16_t, a < b ? a : b)
BOTH(__vcmpeq, uint8_t, uint16_t, a == b ? -1 : 0)
BOTH(__vcmpgts, int8_t, int16_t, a > b ? -1 : 0)
BOTH(__vsetltu, uint8_t, uint16_t, a < b)
static uint32_t __vneg4(uint32_t a) { return __vsub4(0, a); }
static uint32_t __vsadu4(uint32_t a, uint32_t b)
{
    uint32_t d = __vabsdiffu4(a, b);
    return (d & 255) + (d >> 8 & 255) + (d >> 16 & 255) + (d >> 24);
}
#endif

PROGRAM(corpus, 2, 32, 24)
{
    uint32_t a = draw(1), b = draw(2) ^ (draw(3) & 1 ? draw(1) & 0xff00ffffu : 0);

    U32(__vadd4(a, b)), U32(__vadd2(a, b)), U32(__vsub4(a, b)), U32(__vsub2(a, b)), U32(__vaddus4(a, b)), U32(__vaddss2(a, b)), U32(__vsubss4(a, b)), U32(__vsubus2(a, b));
    U32(__vavgu4(a, b)), U32(__vavgu2(a, b)), U32(__vhaddu4(a, b)), U32(__vabsdiffu4(a, b)), U32(__vabsdiffu2(a, b)), U32(__vmaxs4(a, b)), U32(__vmaxs2(a, b)), U32(__vminu4(a, b)), U32(__vminu2(a, b));
    U32(__vcmpeq4(a, b)), U32(__vcmpeq2(a, a ^ 0x10000)), U32(__vcmpgts4(a, b)), U32(__vcmpgts2(a, b)), U32(__vsetltu4(a, b)), U32(__vneg4(a)), U32(__vsadu4(a, b));
}
