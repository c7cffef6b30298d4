// Sum of n floats in one launch. Every block sums its share in shared memory and stores a partial
// sum; the block that arrives last, told by a counter, adds the partial sums up. The order of all
// additions is fixed, so the sum does not depend on which block that is.

#define THREADS 256

// Sum over the block; valid in thread 0. Barriers inside: all threads must come.
__device__ static float block_sum(float *shared, float value)
{
    unsigned t = threadIdx.x;

    shared[t] = value;
    __syncthreads();
    for (unsigned half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            shared[t] += shared[t + half];
        __syncthreads();
    }
    return shared[0];
}

extern "C" __global__ void reduction(const float *in, unsigned n, float *partial, unsigned *arrived,
                                     float *out)
{
    __shared__ float shared[THREADS];
    __shared__ volatile bool last; // else clang 14 reads it before the barrier
    volatile float *sums = partial; // other SMs write it: not to be kept in registers or the L1
    float sum = 0;

    for (unsigned i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
        sum += in[i];
    sum = block_sum(shared, sum);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
        __threadfence(); // the partial sum is there before the arrival is counted
        last = atomicAdd(arrived, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last)
        return;
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += THREADS)
        sum += sums[i];
    sum = block_sum(shared, sum);
    if (threadIdx.x == 0)
        *out = sum;
}
