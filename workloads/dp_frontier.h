// dp_frontier.h - what kernels need that read one queue and fill another: a search's frontiers. Included by
// kernels.
//
// Blocks are as many as the host launches: each takes a blockDim.x of entries, then those that are gridDim.x
// blocks further. The blocks of a round add what they write to one counter, so the counter's old value may
// be their place in the next queue. Then that queue's entries do not depend on the order of threads, but
// their order does.
#ifndef HEDDLE_WORKLOADS_DP_FRONTIER_H
#define HEDDLE_WORKLOADS_DP_FRONTIER_H

#define DP_BLOCK_MOST 256 // threads of a block

// The sum of `entries` of the threads before this one in its block; `place`: the value of the counter, to
// which the block's sum has been added, undefined if that is 0. All threads of the block call it.
__device__ static unsigned dp_before(unsigned entries, unsigned *counter, unsigned *place)
{
    __shared__ unsigned sums[DP_BLOCK_MOST], old;
    unsigned t = threadIdx.x;

    sums[t] = entries;
    __syncthreads();
    for (unsigned step = 1; step < blockDim.x; step *= 2) {
        unsigned before = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    if (t == 0 && sums[blockDim.x - 1] > 0)
        old = atomicAdd(counter, sums[blockDim.x - 1]);
    __syncthreads();
    *place = old;
    return sums[t] - entries;
}

#endif
