// prefix_sums.h - kernels for the sums of all numbers before each (after Blelloch 1990 and the scan of
// NVIDIA's SDK). Included by kernels; scan.h launches them.
//
// A block brings SCAN_PIECE numbers to shared memory, adds them up along a tree and goes down the same
// tree with what comes before each branch: a barrier before every level, and half, then twice as many
// threads at work as in the level before.
#ifndef HEDDLE_WORKLOADS_PREFIX_SUMS_H
#define HEDDLE_WORKLOADS_PREFIX_SUMS_H

#define SCAN_THREADS 256
#define SCAN_PIECE (2 * SCAN_THREADS)
// An unused word after each 32 keeps numbers that are a power of two apart in different banks.
#define SCAN_SLOT(i) ((i) + ((i) >> 5))

// to[i]: the sum of the numbers of the piece before i. sums[block]: that of the whole piece. `to` may be
// `from`.
extern "C" __global__ void scan_pieces(unsigned *to, unsigned *sums, const unsigned *from, unsigned n)
{
    __shared__ unsigned tree[SCAN_SLOT(SCAN_PIECE)];
    unsigned t = threadIdx.x, a = blockIdx.x * SCAN_PIECE + t, b = a + SCAN_THREADS, apart = 1;

    tree[SCAN_SLOT(t)] = a < n ? from[a] : 0;
    tree[SCAN_SLOT(t + SCAN_THREADS)] = b < n ? from[b] : 0;
#pragma unroll 1
    for (unsigned busy = SCAN_THREADS; busy > 0; busy >>= 1) {
        __syncthreads();
        if (t < busy) {
            unsigned left = apart * (2 * t + 1) - 1, right = left + apart;
            tree[SCAN_SLOT(right)] += tree[SCAN_SLOT(left)];
        }
        apart <<= 1;
    }
    if (t == 0) {
        sums[blockIdx.x] = tree[SCAN_SLOT(SCAN_PIECE - 1)];
        tree[SCAN_SLOT(SCAN_PIECE - 1)] = 0;
    }
#pragma unroll 1
    for (unsigned busy = 1; busy <= SCAN_THREADS; busy <<= 1) {
        apart >>= 1;
        __syncthreads();
        if (t < busy) {
            unsigned left = apart * (2 * t + 1) - 1, right = left + apart;
            unsigned sum = tree[SCAN_SLOT(left)];
            tree[SCAN_SLOT(left)] = tree[SCAN_SLOT(right)];
            tree[SCAN_SLOT(right)] += sum;
        }
    }
    __syncthreads();
    if (a < n)
        to[a] = tree[SCAN_SLOT(t)];
    if (b < n)
        to[b] = tree[SCAN_SLOT(t + SCAN_THREADS)];
}

// Add to each piece the sum of the pieces before it.
extern "C" __global__ void add_sums(unsigned *to, const unsigned *sums, unsigned n)
{
    __shared__ unsigned sum;
    unsigned a = blockIdx.x * SCAN_PIECE + threadIdx.x, b = a + SCAN_THREADS;

    if (threadIdx.x == 0)
        sum = sums[blockIdx.x];
    __syncthreads();
    if (a < n)
        to[a] += sum;
    if (b < n)
        to[b] += sum;
}

#endif
