// An estimate of pi: the share of random points of a square that lie in its inscribed circle.

#include "../xorwow.h"

#define THREADS 128

// One generator per thread, `matrices` as xorwow.h says.
extern "C" __global__ void start_generators(struct xorwow *generators, const unsigned *matrices,
                                            unsigned seed)
{
    unsigned thread = blockIdx.x * THREADS + threadIdx.x;

    xorwow_of_thread(&generators[thread], matrices, seed, thread);
}

// How many of the block's points lie inside; thread i takes points i, i + all threads, ...
extern "C" __global__ void count_inside(const struct xorwow *generators, unsigned *inside,
                                        unsigned points)
{
    __shared__ unsigned sums[THREADS];
    unsigned thread = blockIdx.x * THREADS + threadIdx.x, t = threadIdx.x, found = 0;
    struct xorwow g = generators[thread];

    for (unsigned i = thread; i < points; i += gridDim.x * THREADS) {
        float x = xorwow_uniform(&g), y = xorwow_uniform(&g);
        if (fmaf(x, x, y * y) < 1.0f)
            found++;
    }
    sums[t] = found;
    __syncthreads();
    for (unsigned left = THREADS / 2; left; left >>= 1) {
        if (t < left)
            sums[t] += sums[t + left];
        __syncthreads();
    }
    if (t == 0)
        inside[blockIdx.x] = sums[0];
}
