// How often the bytes of an array lie in each of 64 ranges of four values, and how often they have
// each of 256 values. Blocks count a part each; `merge` adds up, a block for each counter.

#define FEW 64 // ranges, and threads of a block
#define MANY 256
#define WARPS 6 // of a block of `histogram256`
#define MERGE_THREADS 256

// A thread has its own counters of a byte each, and therefore sees fewer than 256 bytes.
__device__ static void count_ranges(unsigned char *mine, unsigned word)
{
    mine[(word >> 2 & 0x3f) * FEW]++;
    mine[(word >> 10 & 0x3f) * FEW]++;
    mine[(word >> 18 & 0x3f) * FEW]++;
    mine[(word >> 26) * FEW]++;
}

extern "C" __global__ void histogram64(const uint4 *data, unsigned n, unsigned *partial)
{
    __shared__ unsigned counters[FEW * FEW / 4]; // row by row, one for each range
    unsigned t = threadIdx.x;
    // Neighbours in different words, hence banks, when they count the same range.
    unsigned char *mine = (unsigned char *)counters + ((t & 15) << 2 | t >> 4);

    for (unsigned i = 0; i < FEW / 4; i++)
        counters[i * FEW + t] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * FEW + t; i < n; i += gridDim.x * FEW) {
        uint4 piece = data[i];
        count_ranges(mine, piece.x);
        count_ranges(mine, piece.y);
        count_ranges(mine, piece.z);
        count_ranges(mine, piece.w);
    }
    __syncthreads();
    unsigned sum = 0;
    for (unsigned i = 0; i < FEW / 4; i++) { // each thread begins elsewhere in its row
        unsigned four = counters[t * (FEW / 4) + ((t + i) & 15)];
        sum += (four & 0xff) + (four >> 8 & 0xff) + (four >> 16 & 0xff) + (four >> 24);
    }
    partial[blockIdx.x * FEW + t] = sum;
}

__device__ static void count_values(unsigned *counters, unsigned word)
{
    atomicAdd(&counters[word & 0xff], 1u);
    atomicAdd(&counters[word >> 8 & 0xff], 1u);
    atomicAdd(&counters[word >> 16 & 0xff], 1u);
    atomicAdd(&counters[word >> 24], 1u);
}

// Each warp has its own counters.
extern "C" __global__ void histogram256(const unsigned *data, unsigned n, unsigned *partial)
{
    __shared__ unsigned counters[WARPS * MANY];
    unsigned t = threadIdx.x, *ours = counters + t / 32 * MANY;

    for (unsigned i = t; i < WARPS * MANY; i += WARPS * 32)
        counters[i] = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned i = blockIdx.x * (WARPS * 32) + t; i < n; i += gridDim.x * (WARPS * 32))
        count_values(ours, data[i]);
    __syncthreads();
    for (unsigned value = t; value < MANY; value += WARPS * 32) {
        unsigned sum = 0;
        for (unsigned warp = 0; warp < WARPS; warp++)
            sum += counters[warp * MANY + value];
        partial[blockIdx.x * MANY + value] = sum;
    }
}

__device__ static void merge(const unsigned *partial, unsigned blocks, unsigned *total)
{
    __shared__ unsigned sums[MERGE_THREADS];
    unsigned t = threadIdx.x, sum = 0;

    for (unsigned b = t; b < blocks; b += MERGE_THREADS)
        sum += partial[b * gridDim.x + blockIdx.x];
    sums[t] = sum;
    for (unsigned half = MERGE_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            sums[t] += sums[t + half];
    }
    if (t == 0)
        total[blockIdx.x] = sums[0];
}

extern "C" __global__ void merge64(const unsigned *partial, unsigned blocks, unsigned *total)
{
    merge(partial, blocks, total);
}

extern "C" __global__ void merge256(const unsigned *partial, unsigned blocks, unsigned *total)
{
    merge(partial, blocks, total);
}
