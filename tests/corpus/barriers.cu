// barriers.cu - named barriers: producers arrive, consumers wait; groups of warps on their own.
#include "corpus.h"

#if ON_DEVICE
#define WAIT(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define ARRIVE(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")
#else
#define WAIT(id, n) (void)corpus_meet(corpus_barrier(id), 0, 0, n)
#define ARRIVE(id, n) corpus_arrive(corpus_barrier(id), n)
#endif

PROGRAM(corpus, 2, 128, 6)
{
    __shared__ unsigned buffer[64], pair[2][64];
    unsigned t = threadIdx.x, half = t / 64, sum = 0;

    // Two halves, each with a barrier of its own.
    pair[half][t % 64] = draw(1) & 0xff;
    WAIT(1 + half, 64);
    U32(pair[half][63 - t % 64]);
    __syncthreads();
    // The first half fills, the second reads: 1 full, 2 empty again.
    for (unsigned round = 0; round < 4; round++) {
        if (half == 0) {
            if (round)
                WAIT(4, 128);
            buffer[t] = draw(10 + round) & 0xffff;
            __threadfence_block();
            ARRIVE(3, 128);
        } else {
            WAIT(3, 128);
            sum = sum * 5 + buffer[127 - t];
            if (round < 3)
                ARRIVE(4, 128);
        }
    }
    U32(sum);
    __syncthreads();
    // A barrier in a loop of different length: every warp comes as often as its own group.
    for (unsigned i = 0; i < 3 + half; i++) {
        pair[half][t % 64] += i;
        WAIT(5 + half, 64);
        sum += pair[half][(t + 1) % 64];
        WAIT(5 + half, 64);
    }
    U32(sum), U32(pair[half][t % 64]);
    __syncthreads();
    U32(pair[1 - half][t % 64]), U32(buffer[t % 64]);
}
