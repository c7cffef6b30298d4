// LU decomposition of a matrix in place, without pivots: below the diagonal L, whose own diagonal is 1, on
// and above it U. Tiles of TILE x TILE go along the diagonal: each step does the tile at row and column
// `at`, then those right of it and below it, then all that is left of the matrix.

#define TILE 16

// The tile on the diagonal, by TILE threads: a column of L and the next row of U in turn, each thread one
// number of them. Loops are unrolled, as the compilers of the suite's time did with constant limits.
extern "C" __global__ void lud_diagonal(float *matrix, int side, int at)
{
    __shared__ float tile[TILE][TILE];
    int x = threadIdx.x;
    float *column = matrix + at * side + at + x;

#pragma unroll
    for (int y = 0; y < TILE; y++)
        tile[y][x] = column[y * side];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < TILE - 1; i++) {
        if (x > i) {
#pragma unroll
            for (int k = 0; k < i; k++)
                tile[x][i] -= tile[x][k] * tile[k][i];
            tile[x][i] /= tile[i][i];
        }
        __syncthreads();
        if (x > i) {
#pragma unroll
            for (int k = 0; k <= i; k++)
                tile[i + 1][x] -= tile[i + 1][k] * tile[k][x];
        }
        __syncthreads();
    }
#pragma unroll
    for (int y = 1; y < TILE; y++) // the first row is what it was
        column[y * side] = tile[y][x];
}

// A tile right of the one on the diagonal, by the first TILE threads, and one below it, by the others.
// The two need nothing of each other, and each thread has a column of the first or a row of the second.
extern "C" __global__ void lud_perimeter(float *matrix, int side, int at)
{
    __shared__ float diagonal[TILE][TILE], right[TILE][TILE], below[TILE][TILE];
    int away = (blockIdx.x + 1) * TILE; // from the diagonal
    bool upper = threadIdx.x < TILE;
    int x = upper ? threadIdx.x : threadIdx.x - TILE;
    float *corner = matrix + at * side + at + x;

    if (upper) {
#pragma unroll
        for (int y = 0; y < TILE / 2; y++)
            diagonal[y][x] = corner[y * side];
#pragma unroll
        for (int y = 0; y < TILE; y++)
            right[y][x] = corner[y * side + away];
    } else {
#pragma unroll
        for (int y = TILE / 2; y < TILE; y++)
            diagonal[y][x] = corner[y * side];
#pragma unroll
        for (int y = 0; y < TILE; y++)
            below[y][x] = corner[(y + away) * side];
    }
    __syncthreads();
    if (upper) {
#pragma unroll
        for (int i = 1; i < TILE; i++) {
#pragma unroll
            for (int k = 0; k < i; k++)
                right[i][x] -= diagonal[i][k] * right[k][x];
        }
    } else {
#pragma unroll
        for (int i = 0; i < TILE; i++) {
#pragma unroll
            for (int k = 0; k < i; k++)
                below[x][i] -= below[x][k] * diagonal[k][i];
            below[x][i] /= diagonal[i][i];
        }
    }
    __syncthreads();
    if (upper) {
#pragma unroll
        for (int y = 1; y < TILE; y++)
            corner[y * side + away] = right[y][x];
    } else {
#pragma unroll
        for (int y = 0; y < TILE; y++)
            corner[(y + away) * side] = below[y][x];
    }
}

// A tile of the rest loses the product of the tile left of it and the tile above it.
extern "C" __global__ void lud_internal(float *matrix, int side, int at)
{
    __shared__ float above[TILE][TILE], left[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = at + (blockIdx.y + 1) * TILE + y, column = at + (blockIdx.x + 1) * TILE + x;
    float sum = 0;

    above[y][x] = matrix[(at + y) * side + column];
    left[y][x] = matrix[row * side + at + x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < TILE; k++)
        sum += left[y][k] * above[k][x];
    matrix[row * side + column] -= sum;
}
