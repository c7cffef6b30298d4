// blocks.cu - threads of a block together: reductions, scans, transposition, counted barriers.
#include "corpus.h"

PROGRAM(corpus, 2, 96, 12)
{
    __shared__ int tree[128];
    __shared__ float tile[8][13];
    __shared__ unsigned long long wide[96];
    __shared__ uint8_t flags[96];
    unsigned t = threadIdx.x;
    int v = (int)(draw(1) % 1000);

    tree[t] = v;
    if (t < 32)
        tree[96 + t] = 0;
    __syncthreads();
    for (unsigned n = 64; n; n >>= 1) {
        if (t < n)
            tree[t] += tree[t + n];
        __syncthreads();
    }
    U32(tree[0]);
    __syncthreads();
    tree[t] = v;
    __syncthreads();
    for (unsigned n = 1; n < 96; n <<= 1) {
        int other = t >= n ? tree[t - n] : 0;
        __syncthreads();
        tree[t] += other;
        __syncthreads();
    }
    U32(tree[t]), U32(tree[95 - t]);
    tile[t / 12][t % 12] = drawf(2, 0.0f, 1.0f);
    __syncthreads();
    F32(tile[t % 8][t / 8], 0);
    wide[(t * 7) % 96] = draw64(3);
    flags[95 - t] = (uint8_t)draw(4);
    __syncthreads();
    U64(wide[t]), U32(flags[t]);
    U32(__syncthreads_count(v > 500)), U32(__syncthreads_and(v >= 0)), U32(__syncthreads_or(v == 1001)), U32(__syncthreads_and((int)(t != 50)));
    if (t < 64) {
        for (unsigned i = 0; i < (t & 7); i++)
            v = v * 3 + 1;
    } else {
        v = -v;
    }
    __syncthreads();
    tree[t] = v;
    __syncthreads();
    U32(tree[(t + 48) % 96]);
}
