// atomics.cu - atomic operations of every kind, width, scope and space; results that no order changes.
#include "corpus.h"

__device__ unsigned counters[16];
__device__ int extremes[4] = {0x7fffffff, (int)0x80000000, 0x7fffffff, (int)0x80000000};
__device__ unsigned long long wide[6] = {0, 0xffffffffffffffffull, 0, 0, 0xffffffffffffffffull, 0};
__device__ float sums[4];
__device__ double precise[2];
__device__ unsigned lock;
__device__ unsigned guarded;

PROGRAM(corpus, 1, 64, 36)
{
    __shared__ unsigned s_count[8];
    __shared__ float s_sum;
    __shared__ unsigned long long s_wide;
    unsigned t = threadIdx.x, a = draw(1), *p;
    int x = (int)draw(2);

    if (t < 8)
        s_count[t] = t == 6 ? 0xffffffffu : 0;
    if (t == 0)
        s_sum = 0, s_wide = 0;
    __syncthreads();
    // In global memory.
    atomicAdd(&counters[0], a & 0xff), atomicSub(&counters[1], a & 0xff), atomicXor(&counters[2], a), atomicOr(&counters[3], 1u << (a & 31));
    if (t == 0)
        counters[4] = 0xffffffffu;
    __syncthreads();
    atomicAnd(&counters[4], ~(1u << (t & 15))), atomicMax(&counters[5], a), atomicInc(&counters[6], 9u), atomicDec(&counters[7], 20u);
    atomicMin(&extremes[0], x), atomicMax(&extremes[1], x), atomicMin_block(&extremes[2], x), atomicMax_system(&extremes[3], x);
    atomicAdd(&wide[0], (unsigned long long)a << 20), atomicMin(&wide[1], draw64(3)), atomicMax(&wide[2], draw64(3)), atomicXor(&wide[3], draw64(4)), atomicAnd(&wide[4], ~(1ull << (a & 63))), atomicOr(&wide[5], 1ull << (a & 63));
    atomicAdd(&sums[0], (float)(a & 255)), atomicAdd_block(&sums[1], 0.25f), atomicAdd(&precise[0], (double)(a & 0xffff) * 0.5);
    // In shared memory, and through a pointer to either.
    atomicAdd(&s_count[t & 3], 1u), atomicExch(&s_count[4], 77u), atomicMax(&s_count[5], a >> 8), atomicMin(&s_count[6], a), atomicAdd(&s_sum, 1.5f), atomicAdd(&s_wide, (unsigned long long)t);
    p = t & 1 ? &s_count[7] : &counters[8];
    atomicAdd(p, 2u);
    unsigned ticket = atomicAdd(&counters[9], 1u), own = atomicAdd(&counters[10 + (t & 3)], 0u);
    // A loop around compare and swap, in f32 and in 64 bits.
    unsigned *q = (unsigned *)&sums[2], old = *q, was;
    do {
        was = old;
        old = atomicCAS(q, was, bits_of(float_of(was) + 2.0f));
    } while (old != was);
    unsigned long long *w = (unsigned long long *)&precise[1], before = 0, seen;
    do {
        seen = before;
        before = atomicCAS(w, seen, bits_of(double_of(seen) + 0.5));
    } while (before != seen);
    // A lock that every lane takes once.
    for (bool done = false; !done;)
        if (atomicCAS(&lock, 0u, 1u) == 0) {
            guarded = guarded * 1u + 3u;
            __threadfence();
            atomicExch(&lock, 0u);
            done = true;
        }
    __syncthreads();
    for (int i = 0; i < 9; i++)
        U32(counters[i]);
    U32(counters[9] + (ticket >= 64)), U32(own);
    for (int i = 0; i < 4; i++)
        U32(extremes[i]);
    for (int i = 0; i < 6; i++)
        U32(wide[i] ^ wide[i] >> 32);
    F32(sums[0], 0), F32(sums[1], 0), F32(sums[2], 0), F64(precise[0], 0), F64(precise[1], 0), U32(guarded);
    U32(s_count[t & 3]), U32(s_count[4]), U32(s_count[5] ^ s_count[6]), F32(s_sum, 0), U32(s_wide), U32(s_count[7]), U32(lock);
}
