// memory.cu - loads and stores with hints, volatile accesses, fences, clocks, prefetches, unions of sizes.
#include "corpus.h"

__device__ int plain[64];
__device__ volatile int watched[64];
__device__ double doubles[64];
__device__ unsigned char raw[256];

extern "C" __global__ void readers(uint32_t *__restrict__ out)
{
    sink s = row_of(out, 14);
    const int *__restrict__ p = plain;
    unsigned t = threadIdx.x, o = (t + 9) & 63;

    plain[t] = (int)draw(1);
    watched[t] = (int)t;
    doubles[t] = drawd(2, 0, 1);
    for (int i = 0; i < 4; i++)
        raw[4 * t + (unsigned)i] = (unsigned char)(draw(3) >> 8 * i);
    __threadfence();
    __syncthreads();
    U32(__ldcg(p + o)), U32(__ldca(p + o)), U32(__ldcs(p + o)), U32(__ldlu(p + o)), U32(__ldcv(p + o)), F64(__ldcg(doubles + o), 0);
    watched[t] += 1;
    watched[t] += 1;
    __threadfence_block();
    U32(watched[t]);
    U32(*(unsigned *)(raw + 4 * o)), U32(*(unsigned short *)(raw + 4 * o + 2)), U32((signed char)raw[4 * o + 1]);
    long long c0 = clock64();
    unsigned c1 = (unsigned)clock();
    __nanosleep(10);
    long long c2 = clock64();
    U32(c2 > c0), U32((unsigned)clock() - c1 < 1000000u);
    __syncthreads();
    __stcg(plain + t, (int)t), __stcs(plain + t, (int)t + 1), __stwt(plain + t, (int)t + 2);
    __threadfence_system();
    __syncthreads();
    U32(__ldcg(plain + o));
}
LAUNCH(readers, 1, 64, 0, 14)

extern "C" __global__ void untouched(uint32_t *out)
{
    sink s = row_of(out, 3);
    U32(__ldg(plain + (threadIdx.x ^ 1))), F64(__ldg(doubles + threadIdx.x), 0);
}
LAUNCH(untouched, 1, 64, 0, 3)
