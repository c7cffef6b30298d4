// Samples at any places of a field, brought to the points of a regular grid. A point gets the sum of
// all samples nearer than RADIUS, weighted by a Kaiser-Bessel window of their distance. To find these,
// samples are sorted by the cell of the grid that they are in: a radix sort, four bits a pass, with four
// one-bit splits in shared memory.

#include "../prefix_sums.h"

#define THREADS 256 // and numbers that a block sorts
#define DIGIT_BITS 4
#define DIGITS (1 << DIGIT_BITS)
#define RADIUS 2
#define TILE_X 8 // points of a block
#define TILE_Y 4
#define TILE_Z 2
#define TILE (TILE_X * TILE_Y * TILE_Z)

struct sample {
    float x, y, z, re, im, density;
};

// The cell of each sample, and how many samples are in each cell.
extern "C" __global__ void bin_samples(const struct sample *samples, unsigned n, unsigned side,
                                       unsigned *cells, unsigned *order, unsigned *counts)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i >= n)
        return;
    unsigned x = (unsigned)samples[i].x, y = (unsigned)samples[i].y, z = (unsigned)samples[i].z;
    unsigned cell = (z * side + y) * side + x;
    cells[i] = cell;
    order[i] = i;
    atomicAdd(&counts[cell], 1u);
}

// How many threads up to and including this one have the flag.
__device__ static unsigned flags_to_here(unsigned *sums, unsigned flag)
{
    unsigned t = threadIdx.x;

    sums[t] = flag;
#pragma unroll 1
    for (unsigned apart = 1; apart < THREADS; apart <<= 1) {
        __syncthreads();
        unsigned before = t >= apart ? sums[t - apart] : 0;
        __syncthreads();
        sums[t] += before;
    }
    __syncthreads();
    return sums[t];
}

// Where the numbers with each digit begin and end in the block; they are in order.
__device__ static void find_digits(unsigned *begin, unsigned *end, unsigned *digits, unsigned digit)
{
    unsigned t = threadIdx.x;

    if (t < DIGITS)
        begin[t] = end[t] = 0;
    digits[t] = digit;
    __syncthreads();
    if (t == 0 || digits[t - 1] != digit)
        begin[digit] = t;
    if (t == THREADS - 1 || digits[t + 1] != digit)
        end[digit] = t + 1;
    __syncthreads();
}

// Sort each THREADS cells by one digit, in place, and say how many have each.
extern "C" __global__ void split_sort(unsigned *cells, unsigned *order, unsigned shift, unsigned *counts)
{
    __shared__ unsigned sums[THREADS], piece[THREADS], piece_order[THREADS];
    __shared__ unsigned begin[DIGITS], end[DIGITS];
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
    unsigned cell = cells[i], sample = order[i];

#pragma unroll 1
    for (unsigned bit = shift; bit < shift + DIGIT_BITS; bit++) {
        unsigned one = cell >> bit & 1, zeros = flags_to_here(sums, 1 - one);
        unsigned place = one ? sums[THREADS - 1] + t - zeros : zeros - 1;
        piece[place] = cell;
        piece_order[place] = sample;
        __syncthreads();
        cell = piece[t];
        sample = piece_order[t];
    }
    cells[i] = cell;
    order[i] = sample;
    find_digits(begin, end, sums, cell >> shift & (DIGITS - 1));
    if (t < DIGITS)
        counts[t * gridDim.x + blockIdx.x] = end[t] - begin[t];
}

// From there to the places of all digits of all blocks.
extern "C" __global__ void rearrange(unsigned *to_cells, unsigned *to_order, const unsigned *cells,
                                     const unsigned *order, unsigned shift, const unsigned *places)
{
    __shared__ unsigned digits[THREADS], begin[DIGITS], end[DIGITS];
    unsigned t = threadIdx.x, i = blockIdx.x * THREADS + t;
    unsigned digit = cells[i] >> shift & (DIGITS - 1);

    find_digits(begin, end, digits, digit);
    unsigned place = places[digit * gridDim.x + blockIdx.x] + t - begin[digit];
    to_cells[place] = cells[i];
    to_order[place] = order[i];
}

extern "C" __global__ void reorder(struct sample *to, const struct sample *samples, const unsigned *order,
                                   unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        to[i] = samples[order[i]];
}

// The modified Bessel function of order 0 of 2 sqrt(v): the sum of v^k / (k!)^2.
__device__ static float bessel(float v)
{
    float sum = 1.0f;

#pragma unroll
    for (int k = 14; k > 0; k--)
        sum = fmaf(sum, v * (1.0f / (float)(k * k)), 1.0f);
    return sum;
}

// One tile of points a block, one point a thread. All go through the samples of all cells that are near
// enough to the tile, row by row of cells, and bring them to shared memory TILE at a time.
extern "C" __global__ void grid_samples(const struct sample *samples, const unsigned *starts,
                                        int side, float steepness, float scale, float *re, float *im,
                                        float *density)
{
    __shared__ struct sample near[TILE];
    int t = threadIdx.x, tile = blockIdx.x, tiles_x = side / TILE_X, tiles_y = side / TILE_Y;
    int x0 = tile % tiles_x * TILE_X, y0 = tile / tiles_x % tiles_y * TILE_Y;
    int z0 = tile / (tiles_x * tiles_y) * TILE_Z;
    int x = x0 + t % TILE_X, y = y0 + t / TILE_X % TILE_Y, z = z0 + t / (TILE_X * TILE_Y);
    int low_x = max(x0 - RADIUS, 0), high_x = min(x0 + TILE_X - 1 + RADIUS, side);
    int low_y = max(y0 - RADIUS, 0), high_y = min(y0 + TILE_Y - 1 + RADIUS, side);
    int low_z = max(z0 - RADIUS, 0), high_z = min(z0 + TILE_Z - 1 + RADIUS, side);
    float sum_re = 0.0f, sum_im = 0.0f, sum_density = 0.0f;

#pragma unroll 1
    for (int cell_z = low_z; cell_z < high_z; cell_z++)
#pragma unroll 1
        for (int cell_y = low_y; cell_y < high_y; cell_y++) {
            int row = (cell_z * side + cell_y) * side;
            int begin = (int)starts[row + low_x], end = (int)starts[row + high_x];
#pragma unroll 1
            for (int at = begin; at < end; at += TILE) {
                int n = min(end - at, TILE);
                __syncthreads();
                if (t < n)
                    near[t] = samples[at + t];
                __syncthreads();
#pragma unroll 1
                for (int i = 0; i < n; i++) {
                    float dx = near[i].x - (float)x, dy = near[i].y - (float)y;
                    float dz = near[i].z - (float)z, far = dx * dx + dy * dy + dz * dz;
                    if (far >= (float)(RADIUS * RADIUS))
                        continue;
                    float v = steepness * (1.0f - far * (1.0f / (RADIUS * RADIUS)));
                    float weight = bessel(v) * scale * near[i].density;
                    sum_re = fmaf(weight, near[i].re, sum_re);
                    sum_im = fmaf(weight, near[i].im, sum_im);
                    sum_density += weight;
                }
            }
        }
    int point = (z * side + y) * side + x;
    re[point] = sum_re;
    im[point] = sum_im;
    density[point] = sum_density;
}
