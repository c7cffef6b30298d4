// bits.cu - counting, finding, reversing, permuting and multiplying bits and bytes.
#include "corpus.h"

PROGRAM(corpus, 2, 32, 38)
{
    uint32_t a = draw(1), b = draw(2), c = draw(3), n = draw(4) % 40;
    uint64_t w = draw64(5) >> (draw(6) & 63);

    if (thread_number() % 7 == 0)
        a = 0, w = 0;
    U32(__popc(a)), U32(__popcll(w)), U32(__clz(a >> (n & 31))), U32(__clzll((long long)w)), U32(__ffs((int)a)), U32(__ffsll((long long)w));
    U32(__brev(a)), U64(__brevll(w));
    U32(__byte_perm(a, b, 0x3210)), U32(__byte_perm(a, b, 0x5140)), U32(__byte_perm(a, b, c & 0x7777));
    U32(__funnelshift_l(a, b, n)), U32(__funnelshift_r(a, b, n)), U32(__funnelshift_lc(a, b, n)), U32(__funnelshift_rc(a, b, n));
    U32(__dp4a((int)a, (int)b, (int)c)), U32(__dp4a(a, b, c));
    U32(__dp2a_lo((int)a, (int)b, (int)c)), U32(__dp2a_hi((int)a, (int)b, (int)c)), U32(__dp2a_lo(a, b, c)), U32(__dp2a_hi(a, b, c));
    U32(__fns(a, 16, 3)), U32(__fns(a, n & 31, -2)), U32(__fns(a, 5, 0));
    U32(a << (n & 31) | a >> ((32 - n) & 31)), U32((a >> 5) & 0x3ff), U32((int)(a << 7) >> 20), U32((a & ~0xff0u) | (b << 4 & 0xff0));
    U32((a & b) ^ (b & c) ^ (a & c)), U32((a ^ b) & ~c), U32(a & -a), U32(a & (a - 1)), U32((a >> 24) | (a << 24) | ((a >> 8) & 0xff00) | ((a << 8) & 0xff0000));
    uint32_t crc = ~0u;
    for (int i = 0; i < 32; i++)
        crc = (crc ^ (a >> i & 1)) & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    U32(crc);
    uint32_t gray = a ^ a >> 1, back = gray;
    for (int i = 1; i < 32; i <<= 1)
        back ^= back >> i;
    U32(back), U32(gray), U32(__popc(__brev(c) ^ c));
}
