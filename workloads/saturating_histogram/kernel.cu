// How often points lie in each cell of a large grid, counted up to 255 only. Most points are in a band
// of rows, whose counters are in shared memory, a byte each; those elsewhere are counted in global memory.

#define COLUMNS 4096
#define ROW_WORDS (COLUMNS / 4)
#define FULL 255
#define RANGE_THREADS 512
#define COUNT_THREADS 768
#define COUNT_ROWS 4 // of the band, in a block

// Where the band is: the block's share of points, twice their standard deviation up and down.
extern "C" __global__ void find_band(const unsigned *points, unsigned n, int *band)
{
    __shared__ unsigned sums[RANGE_THREADS], squares[RANGE_THREADS];
    unsigned t = threadIdx.x, share = n / gridDim.x, sum = 0, square = 0;

    for (unsigned i = t; i < share; i += RANGE_THREADS) {
        unsigned row = points[blockIdx.x * share + i] / COLUMNS;
        sum += row;
        square += row * row;
    }
    sums[t] = sum;
    squares[t] = square;
    for (unsigned left = RANGE_THREADS / 2; left > 0; left /= 2) {
        __syncthreads();
        if (t < left) {
            sums[t] += sums[t + left];
            squares[t] += squares[t + left];
        }
    }
    if (t == 0) {
        float mean = (float)sums[0] / (float)share;
        float spread = sqrtf(fmaxf((float)squares[0] / (float)share - mean * mean, 0.0f));
        atomicMin(&band[0], (int)(mean - 2 * spread));
        atomicMax(&band[1], (int)(mean + 2 * spread) + 1);
    }
}

// Points as row and column apart.
extern "C" __global__ void split(const unsigned *points, unsigned n, unsigned *places)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        places[i] = points[i] / COLUMNS << 16 | points[i] % COLUMNS;
}

// One more in byte `byte` of the counters, unless that is full.
__device__ static void count_up(unsigned *counters, unsigned byte)
{
    unsigned *word = &counters[byte / 4], shift = byte % 4 * 8;
    volatile unsigned *now = word;
    unsigned old = *now, seen;

    while ((old >> shift & FULL) != FULL) {
        seen = atomicCAS(word, old, old + (1u << shift));
        if (seen == old)
            break;
        old = seen;
    }
}

// COUNT_ROWS rows of the band from `low` on by blockIdx.y, a share of the points by blockIdx.x. Blocks of
// the first rows take care of what is outside.
extern "C" __global__ void count(const unsigned *places, unsigned n, int low, int high,
                                 unsigned *partial, unsigned *outside)
{
    __shared__ unsigned counters[COUNT_ROWS * ROW_WORDS];
    unsigned t = threadIdx.x, share = (n + gridDim.x - 1) / gridDim.x;
    unsigned end = min((int)((blockIdx.x + 1) * share), (int)n);
    int first = low + (int)blockIdx.y * COUNT_ROWS;

    for (unsigned i = t; i < COUNT_ROWS * ROW_WORDS; i += COUNT_THREADS)
        counters[i] = 0;
    __syncthreads();
#pragma unroll 1
    for (unsigned i = blockIdx.x * share + t; i < end; i += COUNT_THREADS) {
        int row = (int)(places[i] >> 16);
        unsigned column = places[i] & 0xffff, from_first = (unsigned)(row - first);
        if (from_first < COUNT_ROWS && row <= high)
            count_up(counters, from_first * COLUMNS + column);
        else if (blockIdx.y == 0 && (row < low || row > high))
            count_up(outside, (unsigned)row * COLUMNS + column);
    }
    __syncthreads();
    partial += (blockIdx.x * gridDim.y + blockIdx.y) * (COUNT_ROWS * ROW_WORDS);
    for (unsigned i = t; i < COUNT_ROWS * ROW_WORDS; i += COUNT_THREADS)
        partial[i] = counters[i];
}

// The sum of all shares' counters, up to FULL; a thread has four of them in a word.
extern "C" __global__ void finish(const unsigned *partial, unsigned shares, int low, int high,
                                  const unsigned *outside, unsigned *total, unsigned words)
{
    unsigned slices = (unsigned)(high - low) / COUNT_ROWS + 1;
    unsigned stride = slices * COUNT_ROWS * ROW_WORDS;

    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
        int row = (int)(i / ROW_WORDS);
        if (row < low || row > high) {
            total[i] = outside[i];
            continue;
        }
        unsigned four[4] = {0, 0, 0, 0}, word = 0;
        for (unsigned s = 0; s < shares; s++) {
            unsigned counts = partial[s * stride + i - (unsigned)low * ROW_WORDS];
#pragma unroll
            for (unsigned k = 0; k < 4; k++)
                four[k] += counts >> 8 * k & FULL;
        }
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            word |= (four[k] < FULL ? four[k] : FULL) << 8 * k;
        total[i] = word;
    }
}
