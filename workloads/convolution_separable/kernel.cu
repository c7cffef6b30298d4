// A picture folded with a weight for each pixel around, row by row, then column by column. A block
// brings STEPS tiles and one more at either end into shared memory and computes STEPS tiles.

#define RADIUS 8
#define STEPS 8 // tiles that a block computes, one for each of its threads' pixels

#define ROW_X 16
#define ROW_Y 4
#define COLUMN_X 16
#define COLUMN_Y 8

__constant__ float weights[2 * RADIUS + 1];

// Behind an edge everything is 0. Blocks of ROW_X x ROW_Y; `width` is a multiple of ROW_X * STEPS.
extern "C" __global__ void rows(float *to, const float *from, int width)
{
    __shared__ float tile[ROW_Y][(STEPS + 2) * ROW_X];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = ((int)blockIdx.x * STEPS - 1) * ROW_X + tx, y = (int)blockIdx.y * ROW_Y + ty;

    from += y * width + x;
    to += y * width + x;
#pragma unroll
    for (int i = 1; i <= STEPS; i++)
        tile[ty][i * ROW_X + tx] = from[i * ROW_X];
    tile[ty][tx] = x >= 0 ? from[0] : 0;
    tile[ty][(STEPS + 1) * ROW_X + tx] = x + (STEPS + 1) * ROW_X < width ? from[(STEPS + 1) * ROW_X] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 1; i <= STEPS; i++) {
        float sum = 0;
#pragma unroll
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += weights[RADIUS - j] * tile[ty][i * ROW_X + tx + j];
        to[i * ROW_X] = sum;
    }
}

// The same down. Blocks of COLUMN_X x COLUMN_Y; `height` is a multiple of COLUMN_Y * STEPS. Columns
// are one word longer than they need to be, so that neighbours lie in different banks.
extern "C" __global__ void columns(float *to, const float *from, int width, int height)
{
    __shared__ float tile[COLUMN_X][(STEPS + 2) * COLUMN_Y + 1];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = (int)blockIdx.x * COLUMN_X + tx, y = ((int)blockIdx.y * STEPS - 1) * COLUMN_Y + ty;

    from += y * width + x;
    to += y * width + x;
#pragma unroll
    for (int i = 1; i <= STEPS; i++)
        tile[tx][i * COLUMN_Y + ty] = from[i * COLUMN_Y * width];
    tile[tx][ty] = y >= 0 ? from[0] : 0;
    tile[tx][(STEPS + 1) * COLUMN_Y + ty] =
        y + (STEPS + 1) * COLUMN_Y < height ? from[(STEPS + 1) * COLUMN_Y * width] : 0;
    __syncthreads();
#pragma unroll
    for (int i = 1; i <= STEPS; i++) {
        float sum = 0;
#pragma unroll
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += weights[RADIUS - j] * tile[tx][i * COLUMN_Y + ty + j];
        to[i * COLUMN_Y * width] = sum;
    }
}
