// C = A B for square matrices of n rows, n a multiple of TILE, as in workloads/matmul_tiled, but with
// tiles of 32 x 32: a block has 32 warps. matmul32.ptx is made of it: nvcc -ptx -arch=sm_75 -O3.

#define TILE 32

extern "C" __global__ void matmul32(const float *a, const float *b, float *c, unsigned n)
{
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0;

    for (unsigned k = 0; k < n; k += TILE) {
        tile_a[y][x] = a[row * n + k + x];
        tile_b[y][x] = b[(k + y) * n + column];
        __syncthreads();
        for (unsigned i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
