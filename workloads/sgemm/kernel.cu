// C = alpha A B' + beta C for matrices that are stored column by column (B' is B transposed). A thread
// makes WIDTH elements of a row of C in registers. Elements of A are used by one thread each; those of B
// by the whole block, from shared memory.

#define WIDTH 16 // columns of C of a block, and threads along x
#define DEPTH 8  // columns of A and B at a time, and threads along y
#define HEIGHT (WIDTH * DEPTH) // rows of C of a block, one a thread

extern "C" __global__ void mysgemmNT(const float *a, int a_rows, const float *b, int b_rows, float *c,
                                     int c_rows, int depth, float alpha, float beta)
{
    __shared__ float tile[DEPTH][WIDTH];
    int x = threadIdx.x, y = threadIdx.y;
    int row = (int)blockIdx.x * HEIGHT + y * WIDTH + x, column = (int)blockIdx.y * WIDTH;
    float sums[WIDTH];

#pragma unroll
    for (int j = 0; j < WIDTH; j++)
        sums[j] = 0;
#pragma unroll 1
    for (int first = 0; first < depth; first += DEPTH) {
        tile[y][x] = b[(first + y) * b_rows + column + x];
        __syncthreads();
#pragma unroll 1
        for (int i = 0; i < DEPTH; i++) {
            float factor = a[(first + i) * a_rows + row];
#pragma unroll
            for (int j = 0; j < WIDTH; j++)
                sums[j] += factor * tile[i][j];
        }
        __syncthreads();
    }
#pragma unroll
    for (int j = 0; j < WIDTH; j++) {
        int at = (column + j) * c_rows + row;
        c[at] = beta * c[at] + alpha * sums[j];
    }
}
