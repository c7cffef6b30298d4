// Price of an Asian option, which pays what the mean price of a share over some steps of time lies
// above a strike: the mean over random walks of the share's price.

#include "../xorwow.h"

#include "../normal.h"

#define THREADS 128

struct option {
    float spot, strike; // the share's first price; what a walk's mean is to exceed
    float drift, spread; // of the price's logarithm, in one step
    float discount;
};

// One generator per thread, `matrices` as xorwow.h says.
extern "C" __global__ void start_generators(struct xorwow *generators, const unsigned *matrices,
                                            unsigned seed)
{
    unsigned thread = blockIdx.x * THREADS + threadIdx.x;

    xorwow_of_thread(&generators[thread], matrices, seed, thread);
}

// Walks as columns of `prices`, a row per step. Thread i does walks i, i + all threads, ...
extern "C" __global__ void walk(const struct xorwow *generators, float *prices,
                                const struct option *option, unsigned walks, unsigned steps)
{
    unsigned thread = blockIdx.x * THREADS + threadIdx.x;
    struct xorwow g = generators[thread];
    float spot = option->spot, drift = option->drift, spread = option->spread;

    for (unsigned i = thread; i < walks; i += gridDim.x * THREADS) {
        float price = spot, normal, other = 0;
        float *at = prices + i;
#pragma unroll 1
        for (unsigned step = 0; step < steps; step++) {
            if (step % 2 == 0)
                normal_pair(&g, &normal, &other);
            else
                normal = other;
            price *= normal_exp(fmaf(spread, normal, drift));
            *at = price;
            at += walks;
        }
    }
}

// What the block's walks pay in all, discounted.
extern "C" __global__ void value(const float *prices, float *payments, const struct option *option,
                                 unsigned walks, unsigned steps)
{
    __shared__ float sums[THREADS];
    unsigned thread = blockIdx.x * THREADS + threadIdx.x, t = threadIdx.x;
    float strike = option->strike, paid = 0;

    for (unsigned i = thread; i < walks; i += gridDim.x * THREADS) {
        const float *at = prices + i;
        float sum = 0;
#pragma unroll 1
        for (unsigned step = 0; step < steps; step++) {
            sum += *at;
            at += walks;
        }
        paid += fmaxf(sum / (float)steps - strike, 0.0f);
    }
    sums[t] = paid * option->discount;
    __syncthreads();
    for (unsigned left = THREADS / 2; left; left >>= 1) {
        if (t < left)
            sums[t] += sums[t + left];
        __syncthreads();
    }
    if (t == 0)
        payments[blockIdx.x] = sums[0];
}
