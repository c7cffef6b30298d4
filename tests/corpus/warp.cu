// warp.cu - lanes of a warp together: shuffles, votes, matches, scans, parts of a warp.
#include "corpus.h"

#define ALL 0xffffffffu

PROGRAM(corpus, 2, 64, 35)
{
    unsigned lane = threadIdx.x & 31;
    int v = (int)draw(1), all = 0;
    float f = drawf(2, 0.0f, 1.0f);
    double d = drawd(3, 0.0, 1.0);
    long long l = (long long)draw64(4);

    U32(__shfl_sync(ALL, v, 5)), U32(__shfl_sync(ALL, v, (int)(draw(5) & 31))), U32(__shfl_sync(ALL, v, (int)lane + 3, 8));
    U32(__shfl_up_sync(ALL, v, 1)), U32(__shfl_up_sync(ALL, v, 5, 16)), U32(__shfl_down_sync(ALL, v, 2)), U32(__shfl_down_sync(ALL, v, 3, 4));
    U32(__shfl_xor_sync(ALL, v, 16)), U32(__shfl_xor_sync(ALL, v, 3, 8));
    F32(__shfl_xor_sync(ALL, f, 1), 0), F64(__shfl_down_sync(ALL, d, 7), 0), U64(__shfl_sync(ALL, l, 31 - (int)lane));
    U32(__ballot_sync(ALL, v > 0)), U32(__all_sync(ALL, lane < 32)), U32(__any_sync(ALL, lane == 40)), U32(__all_sync(ALL, lane > 3)), U32(__any_sync(ALL, v == 0 || lane == 9));
    U32(__match_any_sync(ALL, draw(6) & 3)), U32(__match_any_sync(ALL, (unsigned long long)(draw(6) & 7) << 33)), U32(__match_all_sync(ALL, blockIdx.x, &all)), U32(all);
    U32(__match_all_sync(ALL, lane / 31, &all)), U32(all);
    int sum = v & 0xffff;
    for (int i = 16; i; i >>= 1)
        sum += __shfl_xor_sync(ALL, sum, i);
    U32(sum);
    int scan = (int)(draw(7) & 255);
    for (unsigned i = 1; i < 32; i <<= 1) {
        int other = __shfl_up_sync(ALL, scan, i);
        if (lane >= i)
            scan += other;
    }
    U32(scan);
    unsigned half = 0, mask = lane & 1 ? 0xaaaaaaaau : 0x55555555u;
    if (lane & 1)
        half = __ballot_sync(0xaaaaaaaau, v & 4) + 1;
    else
        half = __ballot_sync(0x55555555u, v & 4);
    U32(half);
    __syncwarp();
    U32(__shfl_sync(mask, v, (int)(lane & 1) + 6)), U32(__ballot_sync(mask, lane > 11)), U32(__popc(__ballot_sync(ALL, lane & 2)));
    __syncwarp(ALL);
    if (lane < 16) {
        unsigned low = __ballot_sync(0xffffu, v & 1);
        int r = __shfl_sync(0xffffu, v, 15 - (int)lane);
        __syncwarp(0xffffu);
        U32(low), U32(r);
    } else {
        U32(0), U32(1);
    }
    int best = v;
    for (int i = 1; i < 32; i <<= 1)
        best = max(best, __shfl_xor_sync(ALL, best, i));
    U32(best), U32(__ffs((int)__ballot_sync(ALL, best == v)) - 1);
}
