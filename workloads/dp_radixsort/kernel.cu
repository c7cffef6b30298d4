// Radix sort from the most significant digits on, by kernels of one block: count the four digits, put
// the keys of each together, and launch a kernel for each digit with more keys than the threshold, which
// sorts by the next digit. Fewer keys, and those at the greatest launch depth, are sorted by counting for
// each how many are less.
#define THREADS 64
#define DEPTH 24 // of launches, the hardware's limit

typedef unsigned long long u64;

__device__ void sort_by_rank(u64 *keys, u64 *other, unsigned n)
{
    for (unsigned i = threadIdx.x; i < n; i += THREADS) {
        unsigned rank = 0;
        for (unsigned k = 0; k < n; k++)
            rank += keys[k] < keys[i] || (keys[k] == keys[i] && k < i);
        other[rank] = keys[i];
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < n; i += THREADS)
        keys[i] = other[i];
    __syncthreads();
}

// Puts keys in the order of their digits at `shift`. at[digit] is the first of each, at[4] the end.
// They and `counts`, digit by digit for each thread, and `sums` are shared.
__device__ void scatter(u64 *keys, u64 *other, unsigned n, unsigned shift, unsigned *at,
                        unsigned *counts, unsigned *sums)
{
    unsigned t = threadIdx.x, each = (n + THREADS - 1) / THREADS;
    unsigned begin = min(t * each, n), end = min(begin + each, n);

    for (unsigned d = 0; d < 4; d++)
        counts[d * THREADS + t] = 0;
    for (unsigned i = begin; i < end; i++)
        counts[(keys[i] >> shift & 3) * THREADS + t]++;
    __syncthreads();
    // Each thread adds four neighbours, and then all threads scan their sums.
    unsigned c[4], sum = 0;
    for (unsigned d = 0; d < 4; d++) {
        c[d] = counts[4 * t + d];
        sum += c[d];
    }
    sums[t] = sum;
    __syncthreads();
    for (unsigned step = 1; step < THREADS; step *= 2) {
        unsigned before = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    unsigned start = sums[t] - sum;
    for (unsigned d = 0; d < 4; d++) {
        counts[4 * t + d] = start;
        start += c[d];
    }
    __syncthreads();
    if (t < 5)
        at[t] = t < 4 ? counts[t * THREADS] : n;
    __syncthreads();
    for (unsigned i = begin; i < end; i++)
        other[counts[(keys[i] >> shift & 3) * THREADS + t]++] = keys[i];
    __syncthreads();
    for (unsigned i = t; i < n; i += THREADS)
        keys[i] = other[i];
    __syncthreads();
}

extern "C" __global__ void radixsort(u64 *keys, u64 *other, unsigned n, unsigned shift,
                                     unsigned depth, unsigned threshold)
{
    __shared__ unsigned at[5], counts[4 * THREADS], sums[THREADS];

    scatter(keys, other, n, shift, at, counts, sums);
    for (unsigned d = 0; d < 4; d++) {
        unsigned first = at[d], size = at[d + 1] - first;
        if (size <= threshold || depth == DEPTH) {
            sort_by_rank(keys + first, other + first, size);
        } else if (threadIdx.x == 0) {
            cudaStream_t own;
            cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
            radixsort<<<1, THREADS, 0, own>>>(keys + first, other + first, size, shift - 2,
                                              depth + 1, threshold);
            cudaStreamDestroy(own);
        }
    }
}
