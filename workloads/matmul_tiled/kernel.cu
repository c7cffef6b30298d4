// C = A B for square matrices of n rows, n a multiple of TILE. Each block makes one TILE x TILE
// piece of C from tiles of A and B that its threads bring into shared memory.

#ifndef TILE // papers/baws/ has it with larger ones
#define TILE 16
#endif

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, unsigned n)
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
