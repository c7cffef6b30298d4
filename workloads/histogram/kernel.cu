// How often each byte value occurs. Each block counts its share of the data with atomics in shared
// memory and stores its counts; `merge` adds the counts of all blocks, one block per value.

#define BINS 256
#define MERGE_THREADS 256

__device__ static void count_bytes(unsigned *counts, unsigned word)
{
    atomicAdd(&counts[word & 0xff], 1u);
    atomicAdd(&counts[word >> 8 & 0xff], 1u);
    atomicAdd(&counts[word >> 16 & 0xff], 1u);
    atomicAdd(&counts[word >> 24], 1u);
}

extern "C" __global__ void histogram(const unsigned *words, unsigned n, unsigned *partial)
{
    __shared__ unsigned counts[BINS];

    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        counts[i] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        count_bytes(counts, words[i]);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < BINS; i += blockDim.x)
        partial[blockIdx.x * BINS + i] = counts[i];
}

extern "C" __global__ void merge(const unsigned *partial, unsigned blocks, unsigned *total)
{
    __shared__ unsigned sums[MERGE_THREADS];
    unsigned t = threadIdx.x, sum = 0;

    for (unsigned b = t; b < blocks; b += MERGE_THREADS)
        sum += partial[b * BINS + blockIdx.x];
    sums[t] = sum;
    for (unsigned half = MERGE_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sums[t] += sums[t + half];
    }
    if (t == 0)
        total[blockIdx.x] = sums[0];
}
