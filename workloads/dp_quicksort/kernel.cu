// Quicksort by kernels of one block. A kernel parts its keys at the middle of the range of values in
// which they lie, and launches a kernel for each part, in streams of their own. Where few keys are left,
// or no deeper launch is possible, it sorts them itself: bubble sort, as odd-even transposition, in which
// all disjoint pairs of neighbours are compared at once.
#define THREADS 128
#define FEW 32
#define DEPTH 24 // of launches, the hardware's limit

__device__ void bubble_sort(unsigned *keys, unsigned n)
{
    for (unsigned phase = 0; phase < n; phase++) {
        for (unsigned i = 2 * threadIdx.x + (phase & 1); i + 1 < n; i += 2 * THREADS) {
            unsigned a = keys[i], b = keys[i + 1];
            if (a > b) {
                keys[i] = b;
                keys[i + 1] = a;
            }
        }
        __syncthreads();
    }
}

// Puts the keys below the pivot first, the others after them, each in their order; returns how many are
// below. `below` is shared, for sums.
__device__ unsigned part(unsigned *keys, unsigned *other, unsigned n, unsigned pivot,
                         unsigned *below)
{
    unsigned t = threadIdx.x, each = (n + THREADS - 1) / THREADS, mine = 0;
    unsigned begin = min(t * each, n), end = min(begin + each, n);

    for (unsigned i = begin; i < end; i++)
        mine += keys[i] < pivot;
    below[t] = mine;
    __syncthreads();
    for (unsigned step = 1; step < THREADS; step *= 2) {
        unsigned before = t >= step ? below[t - step] : 0;
        __syncthreads();
        below[t] += before;
        __syncthreads();
    }
    unsigned left = below[t] - mine, all = below[THREADS - 1], right = all + begin - left;
    for (unsigned i = begin; i < end; i++)
        other[keys[i] < pivot ? left++ : right++] = keys[i];
    __syncthreads();
    for (unsigned i = t; i < n; i += THREADS)
        keys[i] = other[i];
    __syncthreads();
    return all;
}

// Sorts n keys from `low` to low + 2^bits - 1.
extern "C" __global__ void quicksort(unsigned *keys, unsigned *other, unsigned n, unsigned low,
                                     unsigned bits, unsigned depth)
{
    __shared__ unsigned sums[THREADS];

    if (n <= FEW || depth == DEPTH || !bits) {
        bubble_sort(keys, n);
        return;
    }
    unsigned pivot = low + (1u << (bits - 1)), below = part(keys, other, n, pivot, sums);
    if (threadIdx.x == 0) {
        cudaStream_t left, right;
        cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&right, cudaStreamNonBlocking);
        if (below)
            quicksort<<<1, THREADS, 0, left>>>(keys, other, below, low, bits - 1, depth + 1);
        if (below < n)
            quicksort<<<1, THREADS, 0, right>>>(keys + below, other + below, n - below, pivot,
                                                bits - 1, depth + 1);
        cudaStreamDestroy(left);
        cudaStreamDestroy(right);
    }
}
